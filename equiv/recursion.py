"""Recursive definitions that differ: induction on purpose.

In: the recursive symbols of the two sides. Out: which of them are the same function, and whether a new one may be trusted to end.

Two functions f and g are the same if, for arbitrary arguments x, f(x) == g(x) follows from both equations at x and from the
hypothesis f(a) == g(a) for every call f(a) that f's own body makes at x, under the conditions of that call (functional
induction). That is well-founded because f ends; so f must be a function of the original file, which its verifier accepted, or
one shown to end here.

A recursive equation that does not end can be contradictory (`g(x) == g(x) + 1`) and would prove anything. A symbol of the
submission that the original does not share is therefore unfolded only if its measure is shown to decrease at each of its calls;
otherwise it stays an unknown function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, permutations
from typing import NamedTuple

from translate import terms as tm
from translate.terms import FnSym, Term

#: How many orders of the parameters are tried for two functions of the same sorts.
MAX_ORDERS = 6

#: Functions in a group, and choices of orders for all of them.
MAX_GROUP = 6
MAX_WAYS = 80
#: A term's normal form.
Normal = Callable[[Term], Term]

#: premises, goal, variables -> proved, with recursive symbols taken as unknown functions
Prover = Callable[[Sequence[Term], Term, Sequence[Term]], bool]


class CallAt(NamedTuple):
    """A call inside a body: the binders around it, the condition under which it is reached, its arguments. Condition and
    arguments may mention the binders' variables as loose indices."""

    binders: tuple[tuple[tm.Sort, ...], ...]
    guard: Term
    args: tuple[Term, ...]


def calls_of(sym: FnSym, body: Term) -> list[CallAt]:
    """Every call of `sym` in a term without loose variables, with its condition, in order."""
    return list(_calls(sym, body, (), tm.TRUE))


def _calls(sym: FnSym, t: Term, binders: tuple[tuple[tm.Sort, ...], ...], guard: Term) -> Iterator[CallAt]:
    if not any(s.op == "app" and s.data is sym for s in tm.subterms(t)):
        return
    match t.op:
        case "ite":
            c, a, b = t.args
            yield from _calls(sym, c, binders, guard)
            yield from _calls(sym, a, binders, tm.and_([guard, c]))
            yield from _calls(sym, b, binders, tm.and_([guard, tm.not_(c)]))
            return
        case "and" | "or":
            before: list[Term] = []
            for a in t.args:
                yield from _calls(sym, a, binders, tm.and_([guard, *before]))
                before.append(a if t.op == "and" else tm.not_(a))
            return
        case "implies":
            yield from _calls(sym, t.args[0], binders, guard)
            yield from _calls(sym, t.args[1], binders, tm.and_([guard, t.args[0]]))
            return
        case "app" if t.data is sym:
            yield CallAt(binders, guard, t.args)
    if t.op in tm.BINDERS:
        yield from _calls(sym, t.args[0], (*binders, t.data), tm.shift(guard, len(t.data)))
        return
    for a in t.args:
        yield from _calls(sym, a, binders, guard)


def _closed(call: CallAt, statement: Term) -> Term:
    """`guard ==> statement`, for all values of the call's binders."""
    result = tm.implies(call.guard, statement)
    for sorts in reversed(call.binders):
        result = tm.quantify("forall", sorts, result)
    return result


def _parameters(sym: FnSym) -> tuple[Term, ...]:
    return tuple(tm.var(f"arg{i}", s) for i, s in enumerate(sym.params))


def terminates(sym: FnSym, prove: Prover) -> bool:
    """Whether the measure of a self-recursive symbol is shown to be at least 0 and smaller at each of its calls.

    The measure may be lexicographic; its parts are integers or sequences (their length). A group of functions that call each
    other is never shown to end here.
    """
    assert sym.body is not None
    if not sym.decreases or _calls_others(sym):
        return False
    params = _parameters(sym)
    defined = [] if sym.when is None else [tm.instantiate(sym.when, params)]
    body = tm.instantiate(sym.body, params)
    for call in calls_of(sym, body):
        smaller: list[Term] = []
        equal_so_far: list[Term] = []
        for d in sym.decreases:
            here, there = tm.instantiate(d, params), tm.instantiate(d, call.args)
            smaller.append(tm.and_([*equal_so_far, _smaller(there, here)]))
            equal_so_far.append(tm.eq(there, here))
        if not prove(defined, _closed(call, tm.or_(smaller)), params):
            return False
    return True


def _smaller(there: Term, here: Term) -> Term:
    """When one measure is certainly below another: integers from 0 up, sequences by length, datatypes by being a part."""
    a, b = _size(there), _size(here)
    if a is not None and b is not None:
        return tm.and_([tm.arith("le", tm.ZERO, b), tm.arith("lt", a, b)])
    steps: list[Term] = []
    part = there
    while part.op == "field":
        whole = part.args[0]
        if not whole.sort.is_struct:
            steps.append(tm.mk("is", (whole,), tm.BOOL, part.data[0]))
        if whole is here:
            return tm.and_(steps)
        part = whole
    return tm.FALSE


def _calls_others(sym: FnSym) -> bool:
    """Whether a symbol is part of a group: its body reaches it through another symbol."""
    assert sym.body is not None
    return any(
        sym in tm.symbols(s.body) for s in tm.symbols(sym.body, through_definitions=False) if s is not sym and s.body is not None
    )


def _size(t: Term) -> Term | None:
    """A measure as an integer: Verus's own order on integers (from 0 up); a sequence or collection counts by its length."""
    if t.sort.is_integer:
        return t
    if t.sort.kind == "seq":
        return tm.mk("seq.len", (t,), tm.NAT)
    if t.sort.kind == "boxed" and t.sort.view is not None and t.sort.view.kind == "seq":
        return tm.mk("seq.len", (tm.mk("view", (t,), t.sort.view),), tm.NAT)
    return None


class SameFunction(NamedTuple):
    """That g(x[order[0]], x[order[1]], …) == f(x) for all x where `condition` holds: a term over f's parameters as bound
    variables; None is always. `of_one_text`: the two definitions are one, but for names and forms, so that where they say
    nothing, g may be read as f's own unknown values, unless f stands beside it."""

    order: tuple[int, ...]
    condition: Term | None
    of_one_text: bool = False


class SameMember(NamedTuple):
    """That g(x[order[0]], x[order[1]], …) == f(x) for all x."""

    f: FnSym
    g: FnSym
    order: tuple[int, ...]


def same_function(f: FnSym, g: FnSym, g_ends: bool, prove: Prover, normal: Normal) -> SameFunction | None:
    """Whether g is f, where both are defined (their `when`); None if that is not shown.

    Cheapest first: both equations have one normal form (see `_same_equation`).

    f ends (see the module's text) and calls itself. g's equation may be used if g ends or does not recur, or if f satisfies
    it: then the equation has a solution, so it contradicts nothing, and induction shows that it has no other.
    """
    if f.body is None or g.body is None or f.result is not g.result:
        return None
    if sorted(map(str, f.params)) != sorted(map(str, g.params)):
        return None
    if g.kind == "recursive":
        for order in _all_orders(f, g):
            member = SameMember(f, g, order)
            if _same_equation(member, [member], normal):
                return SameFunction(order, _condition(f, g, order), True)
    for order in _orders(f, g):
        if (g_ends or _satisfies(f, g, order, prove)) and _same(f, g, order, prove):
            return SameFunction(order, _condition(f, g, order))
    return None


def _condition(f: FnSym, g: FnSym, order: tuple[int, ...]) -> Term | None:
    x = _parameters(f)
    condition = tm.abstract(_both_defined(f, g, order, x), x)
    return None if condition is tm.TRUE else condition


def _both_defined(f: FnSym, g: FnSym, order: tuple[int, ...], x: Sequence[Term]) -> Term:
    parts = [] if f.when is None else [tm.instantiate(f.when, tuple(x))]
    if g.when is not None:
        parts.append(tm.instantiate(g.when, tuple(x[i] for i in order)))
    return tm.and_(parts)


def _satisfies(f: FnSym, g: FnSym, order: tuple[int, ...], prove: Prover) -> bool:
    """Whether f, put in g's place, satisfies g's equation wherever that holds: also where f has no equation of its own, or g's
    could contradict itself there."""
    assert f.body is not None and g.body is not None
    x = _parameters(f)
    body = tm.instantiate(g.body, tuple(x[i] for i in order))
    position = {i: k for k, i in enumerate(order)}

    def as_f(t: Term) -> Term | None:
        if t.op == "app" and t.data is g:
            return tm.app(f, (t.args[position[i]] for i in range(len(order))))
        return None

    if any(g in tm.symbols(s.body) for s in tm.symbols(g.body, through_definitions=False) if s is not g and s.body is not None):
        return False  # a group of functions that call each other
    own = tm.eq(tm.app(f, x), tm.instantiate(f.body, x))
    premises = [own if f.when is None else tm.implies(tm.instantiate(f.when, x), own)]
    if g.when is not None:
        premises.append(tm.instantiate(g.when, tuple(x[i] for i in order)))
    return prove(premises, tm.eq(tm.app(f, x), tm.rewrite(body, as_f)), x)


def _orders(f: FnSym, g: FnSym) -> list[tuple[int, ...]]:
    n = len(f.params)
    fitting = [p for p in permutations(range(n)) if all(g.params[k] is f.params[i] for k, i in enumerate(p))] if n <= 5 else []
    identity = tuple(range(n))
    if not fitting and all(a is b for a, b in zip(f.params, g.params, strict=True)):
        fitting = [identity]
    return fitting[:MAX_ORDERS]


def _all_orders(f: FnSym, g: FnSym) -> Iterator[tuple[int, ...]]:
    """Orders of the parameters that fit the sorts: as they stand, then with two exchanged, then, if they are few, all."""
    n = len(f.params)
    identity = tuple(range(n))
    swapped = (_swapped(identity, a, b) for a in range(n) for b in range(a + 1, n))
    more = permutations(identity) if n <= 4 else ()
    seen: set[tuple[int, ...]] = set()
    for order in (identity, *swapped, *more):
        if order not in seen and all(g.params[k] is f.params[i] for k, i in enumerate(order)):
            seen.add(order)
            yield order


def _swapped(order: tuple[int, ...], a: int, b: int) -> tuple[int, ...]:
    changed = list(order)
    changed[a], changed[b] = changed[b], changed[a]
    return tuple(changed)


def _same_equation(m: SameMember, members: Sequence[SameMember], normal: Normal) -> bool:
    """Whether the equations of f and g are one, up to normal forms, once the g's are called by the names of the f's.

    Normal forms hold whatever a recursive function means: so the g's satisfy the equations of the f's too. Those have only one
    solution, because the f's end. Where neither has an equation (`when`), the caller decides whether they are one unknown.
    """
    assert m.f.body is not None and m.g.body is not None
    x = _parameters(m.f)
    for ours, theirs in ((m.f.body, m.g.body), (m.f.when, m.g.when)):
        if ours is None or theirs is None:
            if ours is not theirs:
                return False
            continue
        there = _in_their_place(theirs, m, members, x)
        if any(n.g in tm.symbols(there) for n in members):
            return False  # one is called through another definition
        if normal(tm.instantiate(ours, x)) is not normal(there):
            return False
    return True


def _in_their_place(t: Term, m: SameMember, members: Sequence[SameMember], x: Sequence[Term]) -> Term:
    """A term over g's parameters at arguments in f's order, with f's in the place of the g's."""
    of = {n.g: n for n in members}

    def as_f(t: Term) -> Term | None:
        n = of.get(t.data) if t.op == "app" else None
        if n is None:
            return None
        position = {i: k for k, i in enumerate(n.order)}
        return tm.app(n.f, (t.args[position[i]] for i in range(len(n.order))))

    return tm.rewrite(tm.instantiate(t, tuple(x[i] for i in m.order)), as_f)


def _same(f: FnSym, g: FnSym, order: tuple[int, ...], prove: Prover) -> bool:
    """The induction step: f(x) == g(x), given that for the calls that f's body makes."""
    assert f.body is not None and g.body is not None
    x = _parameters(f)

    def g_at(args: Sequence[Term]) -> Term:
        return tm.app(g, (args[i] for i in order))

    def f_at(args: Sequence[Term]) -> Term:
        return tm.app(f, args)

    body = tm.instantiate(f.body, x)
    premises = [_both_defined(f, g, order, x), tm.eq(f_at(x), body)]
    if g.kind == "recursive":
        premises.append(tm.eq(g_at(x), tm.instantiate(g.body, tuple(x[i] for i in order))))
    for call in calls_of(f, body):
        known = tm.implies(_both_defined(f, g, order, call.args), tm.eq(f_at(call.args), g_at(call.args)))
        premises.append(_closed(call, known))
    return prove([p for p in premises if p is not tm.TRUE], tm.eq(f_at(x), g_at(x)), x)


# --- functions that call each other ----------------------------------------------------------------------------------------


def group_of(sym: FnSym) -> list[FnSym]:
    """The recursive functions that a function calls and that call it, itself first, in order of appearance."""
    if sym.body is None:
        return [sym]
    return [sym, *(s for s in tm.symbols(sym.body) if s is not sym and s.body is not None and sym in tm.symbols(s.body))]


def same_group(f: FnSym, g: FnSym, prove: Prover, normal: Normal) -> list[SameMember] | None:
    """Whether each function of g's group is one of f's group; None if that is not shown.

    As `same_function`, for all members at once: each f, put in the place of its g, satisfies that one's equation; and
    f(x) == g(x) follows from both equations at x and from the same for every call of a member that f's own body makes at x.
    """
    ours, theirs = group_of(f), group_of(g)
    everyone = (*ours, *theirs)
    if len(ours) != len(theirs) or len(ours) > MAX_GROUP or any(s.kind != "recursive" for s in everyone):
        return None
    named = {s.name: s for s in theirs}
    by_name = [named.get(s.name) for s in ours]
    partners = by_name if len(named) == len(ours) and None not in by_name else list(theirs)
    pairs = [(a, b) for a, b in zip(ours, partners, strict=True) if b is not None]
    if any(a.result is not b.result or sorted(map(str, a.params)) != sorted(map(str, b.params)) for a, b in pairs):
        return None
    for members in _ways(pairs, MAX_WAYS):
        if all(_same_equation(m, members, normal) for m in members):
            return members
    if any(s.when is not None for s in everyone):
        return None
    for members in _ways(pairs, MAX_ORDERS):
        if all(_member_satisfies(m, members, prove) for m in members) and all(_member_same(m, members, prove) for m in members):
            return members
    return None


def _ways(pairs: Sequence[tuple[FnSym, FnSym]], limit: int) -> Iterator[list[SameMember]]:
    """Orders of the parameters of all pairs: the first of each, then with one that differs."""
    choices = [list(islice(_all_orders(a, b), MAX_WAYS)) for a, b in pairs]
    if not all(choices):
        return
    first = [c[0] for c in choices]
    ways = [first, *([*first[:k], o, *first[k + 1 :]] for k, c in enumerate(choices) for o in c[1:])]
    for way in ways[:limit]:
        yield [SameMember(a, b, o) for (a, b), o in zip(pairs, way, strict=True)]


def _member_satisfies(m: SameMember, members: Sequence[SameMember], prove: Prover) -> bool:
    """Whether the f's, put in the place of the g's, satisfy the equation of one of these."""
    assert m.f.body is not None and m.g.body is not None
    x = _parameters(m.f)
    body = _in_their_place(m.g.body, m, members, x)
    if any(n.g in tm.symbols(body) for n in members):
        return False  # one is called through another definition
    own = tm.eq(tm.app(m.f, x), tm.instantiate(m.f.body, x))
    return prove([own], tm.eq(tm.app(m.f, x), body), x)


def _member_same(m: SameMember, members: Sequence[SameMember], prove: Prover) -> bool:
    """The induction step for one member."""
    assert m.f.body is not None and m.g.body is not None
    x = _parameters(m.f)
    body = tm.instantiate(m.f.body, x)
    there = tuple(x[i] for i in m.order)
    premises = [tm.eq(tm.app(m.f, x), body), tm.eq(tm.app(m.g, there), tm.instantiate(m.g.body, there))]
    for n in members:
        for call in calls_of(n.f, body):
            known = tm.eq(tm.app(n.f, call.args), tm.app(n.g, (call.args[i] for i in n.order)))
            premises.append(_closed(call, known))
    return prove(premises, tm.eq(tm.app(m.f, x), tm.app(m.g, there)), x)


def replace(t: Term, old: FnSym, new: FnSym, order: tuple[int, ...], memo: dict[FnSym, FnSym]) -> Term:
    """The term with `old(y)` written as `new(x)`, x in `new`'s order, also inside the definitions that it reaches (`memo` keeps
    the rewritten symbols)."""
    position = {i: k for k, i in enumerate(order)}

    def f(s: Term) -> Term | None:
        if s.op != "app":
            return None
        if s.data is old:
            return tm.app(new, (s.args[position[i]] for i in range(len(order))))
        inner = _replaced_symbol(s.data, old, new, order, memo)
        return None if inner is s.data else tm.app(inner, s.args)

    return tm.rewrite(t, f)


def _replaced_symbol(sym: FnSym, old: FnSym, new: FnSym, order: tuple[int, ...], memo: dict[FnSym, FnSym]) -> FnSym:
    if sym in memo:
        return memo[sym]
    memo[sym] = sym
    if sym.body is None or sym is new or old not in tm.symbols(sym.body):
        return sym
    if sym.kind == "defined":
        body = replace(sym.body, old, new, order, memo)
        memo[sym] = tm.defined(sym.name, sym.params, body, origin=sym.origin, method=sym.method, result=sym.result)
    elif not _calls_others(sym):
        body = replace(sym.body, old, new, order, memo)
        hole = f"{sym.name}#replaced"
        inner = tm.rewrite(body, lambda t: tm.mk("rec", t.args, t.sort, hole) if t.op == "app" and t.data is sym else None)
        member = tm.RecursiveDef(hole, sym.params, sym.result, inner, sym.when, sym.decreases, sym.method, sym.name)
        memo[sym] = tm.recursive_group([member])[hole]
    return memo[sym]
