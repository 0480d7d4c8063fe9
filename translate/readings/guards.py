"""Finite ranges for bound variables, read off the guards of a formula.

In: the body of a binder, as a term whose variables live in numbered slots of an evaluation frame. Out: a `Plan`: in
which order to bind the variables, and for each the `Source`s of a range that is certain to contain every value that
matters (every instance outside makes the guard definitely false). Nothing is evaluated here;
`translate.readings.evaluate` compiles the plan.

Ranges come from linear inequalities (closed under Fourier-Motzkin elimination, so that `0 <= i < j < n` bounds `j`
from below as well), from squares, from equations solved for the variable, from membership, from disjunctions of
these, and from sorts with few values. Guards are looked for through definitions and inner quantifiers; the
variables of an inner quantifier help as auxiliary ones: `s.contains(x)` is `exists|k| 0 <= k < s.len() && s[k] ==
x`, which gives `k` a range and then `x` a value.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from translate.readings.inhabitants import Domain, cardinality, int_range
from translate.terms import BINDERS, BOOL, FALSE, TRUE, Sort, Term, abstract, instantiate, mk, rewrite, var

#: The slots of the bound variables that a term may mention: index k is at `env[-1 - k]`.
Env: TypeAlias = tuple[int, ...]

INLINE_DEPTH: Final = 6
INLINE_SIZE: Final = 600
MAX_CONSTRAINTS: Final = 60
FACTS: Final = 2_000
#: Sorts with at most so many values are enumerated as a whole.
FINITE: Final = 70_000


class Fact(NamedTuple):
    """A formula that has to be true (or, if not `positive`, false) for an instance to matter."""

    term: Term
    positive: bool
    env: Env


class Choice(NamedTuple):
    """At least one of the alternatives has to hold."""

    alternatives: tuple[tuple[Item, ...], ...]


Item: TypeAlias = Fact | Choice


class Linear(NamedTuple):
    """coeffs·slots + rest + const <= 0, over integers. `rest` holds coefficients of terms that are not linear."""

    coeffs: tuple[tuple[int, int], ...]
    rest: tuple[tuple[int, Term, Env], ...]
    const: int
    origin: str  # "guard", "derived" or "sort"


class Curve(NamedTuple):
    """`left - right` is a polynomial of degree at most 2 in the slot, and (`relation`) `le` 0, `lt` 0 or `eq` 0."""

    left: Term
    right: Term
    env: Env
    relation: str


class Interval(NamedTuple):
    """Integers between bounds; `lowers` and `uppers` are solved for the slot (whose coefficient is the first part)."""

    lowers: tuple[tuple[int, Linear], ...]
    uppers: tuple[tuple[int, Linear], ...]
    curves: tuple[Curve, ...]


class Pattern(NamedTuple):
    """How to get from a value to the variable's part of it: (variant, field) steps."""

    path: tuple[tuple[int, int], ...]


class Solved(NamedTuple):
    """The variable is a part of the value of a term."""

    term: Term
    env: Env
    pattern: Pattern


class Member(NamedTuple):
    """The variable is a part of an element of a set's or multiset's value."""

    term: Term
    env: Env
    pattern: Pattern


class Elements(NamedTuple):
    """The variable is a sequence of integers of that length."""

    length: Term
    env: Env


class Finite(NamedTuple):
    """All values of the sort."""


class Either(NamedTuple):
    """The union of ranges, one for each alternative (the first source of each that works)."""

    alternatives: tuple[tuple[Source, ...], ...]


Source: TypeAlias = Interval | Solved | Member | Elements | Finite | Either


class Step(NamedTuple):
    """Bind this slot next, from the first source that yields a range; with none, guess."""

    slot: int
    sort: Sort
    sources: tuple[Source, ...]


class Plan(NamedTuple):
    steps: tuple[Step, ...]
    auxiliary: bool  # whether slots of inner quantifiers are bound too, so that instances can repeat
    complete: bool  # whether every step has a source


@dataclass(slots=True)
class Scope:
    """The slots of one analysis: `sorts` of the variables to be bound (auxiliary ones included), and the next free
    slot."""

    next_slot: int
    usize_bits: int
    domain: Domain | None
    sorts: dict[int, Sort] = field(default_factory=dict)
    fuel: int = FACTS  # how many more formulas to look into: fewer facts give wider ranges, never wrong ones

    def allocate(self, sorts: tuple[Sort, ...]) -> Env:
        slots = tuple(range(self.next_slot, self.next_slot + len(sorts)))
        self.next_slot += len(sorts)
        self.sorts.update(zip(slots, sorts, strict=True))
        return slots


# --- which slots a term mentions ------------------------------------------------------------------------------------

_loose_memo: dict[Term, frozenset[int]] = {}


def loose_indices(term: Term) -> frozenset[int]:
    """The loose bound indices of a term."""
    if term.loose == 0:
        return frozenset()
    found = _loose_memo.get(term)
    if found is None:
        if term.op == "bound":
            found = frozenset((term.data,))
        else:
            under = len(term.data) if term.op in BINDERS else 0
            found = frozenset(i - under for a in term.args for i in loose_indices(a) if i >= under)
        _loose_memo[term] = found
    return found


def slots_of(term: Term, env: Env) -> set[int]:
    return {env[-1 - i] for i in loose_indices(term)}


# --- facts ----------------------------------------------------------------------------------------------------------


def facts(term: Term, positive: bool, env: Env, scope: Scope, depth: int = 0, aux: bool = True) -> Iterator[Item]:
    """What has to hold for the term to be true (or false): its conjuncts (negated disjuncts), through definitions
    and inner quantifiers, whose variables get slots of the scope where `aux`."""
    op, args = term.op, term.args

    def go(t: Term, sign: bool, e: Env = env) -> Iterator[Item]:
        return facts(t, sign, e, scope, depth + 1, aux)

    def alternatives(*parts: Iterable[tuple[Term, bool]]) -> Iterator[Item]:
        branches = (tuple(i for t, sign in part for i in facts(t, sign, env, scope, depth + 1, False)) for part in parts)
        yield Choice(tuple(branches))

    scope.fuel -= 1
    if depth > 40 or scope.fuel < 0:
        return
    if op == "not":
        yield from go(args[0], not positive)
    elif op == ("and" if positive else "or"):
        for a in args:
            yield from go(a, positive)
    elif op in ("and", "or"):
        yield from alternatives(*([(a, positive)] for a in args))
    elif op == "implies":
        if positive:
            yield from alternatives([(args[0], False)], [(args[1], True)])
        else:
            yield from go(args[0], True)
            yield from go(args[1], False)
    elif op == "ite":
        yield from _facts_of_ite(term, positive, go, alternatives)
    elif op == ("exists" if positive else "forall"):
        if aux:
            yield from go(args[0], positive, env + scope.allocate(term.data))
        else:
            n = len(term.data)
            for item in go(args[0], positive, env + (-1,) * n):
                if isinstance(item, Fact) and -1 not in slots_of(item.term, item.env):
                    yield item
    elif op == "app" and term.sort is BOOL and term.data.kind == "defined" and _inlines(term, depth):
        yield from go(instantiate(term.data.body, args), positive)
    elif op == "apply" and args[0].op == "lambda":
        yield from go(instantiate(args[0].args[0], args[1:]), positive)
    elif op == "set.contains" and args[0].op == "set.new" and args[0].args[0].op == "lambda":
        yield from go(instantiate(args[0].args[0].args[0], args[1:]), positive)
    elif op == "eq" and args[0].sort is BOOL and args[1] in (TRUE, FALSE):
        yield from go(args[0], positive == (args[1] is TRUE))
    else:
        yield Fact(term, positive, env)


def _inlines(term: Term, depth: int) -> bool:
    body = term.data.body
    return body is not None and body.size <= INLINE_SIZE and depth <= INLINE_DEPTH * 4


def _facts_of_ite(term: Term, positive: bool, go: object, alternatives: object) -> Iterator[Item]:
    c, a, b = term.args
    assert callable(go) and callable(alternatives)
    dead = FALSE if positive else TRUE
    if b is dead:
        yield from go(c, True)
        yield from go(a, positive)
    elif a is dead:
        yield from go(c, False)
        yield from go(b, positive)
    else:
        yield from alternatives([(c, True), (a, positive)], [(c, False), (b, positive)])


# --- linear constraints ---------------------------------------------------------------------------------------------


class _Sum:
    """A linear form while it is being built."""

    def __init__(self, scope: Scope) -> None:
        self.coeffs: dict[int, int] = {}
        self.rest: dict[tuple[Term, Env], int] = {}
        self.const = 0
        self.scope = scope

    def add(self, t: Term, env: Env, k: int) -> None:
        op, args = t.op, t.args
        if op == "lit" and not isinstance(t.data, bool):
            self.const += k * t.data
        elif op == "bound":
            slot = env[-1 - t.data]
            self.coeffs[slot] = self.coeffs.get(slot, 0) + k
        elif op in ("add", "sub"):
            self.add(args[0], env, k)
            self.add(args[1], env, k if op == "add" else -k)
        elif op == "neg":
            self.add(args[0], env, -k)
        elif op == "mul" and args[0].op == "lit":
            self.add(args[1], env, k * args[0].data)
        elif op == "mul" and args[1].op == "lit":
            self.add(args[0], env, k * args[1].data)
        elif op == "cast" and is_transparent(t, self.scope.usize_bits):
            self.add(args[0], env, k)
        else:
            self.rest[t, env] = self.rest.get((t, env), 0) + k

    def at_most(self, const: int, origin: str) -> Linear:
        """The constraint that the form + const is at most 0."""
        return Linear(
            tuple(sorted((s, k) for s, k in self.coeffs.items() if k)),
            tuple((k, t, e) for (t, e), k in self.rest.items() if k),
            self.const + const,
            origin,
        )


def is_transparent(cast: Term, usize_bits: int) -> bool:
    """Whether a cast gives every value of its argument's sort back unchanged."""
    source, target = cast.args[0].sort, cast.sort
    if not (source.is_integer and target.is_integer):
        return False
    lo, hi = int_range(source, usize_bits)
    low, high = int_range(target, usize_bits)
    return (
        (low is None or (lo is not None and lo >= low))
        and (high is None or (hi is not None and hi <= high))
        and (target.name != "char" or source.name == "char")
    )


def relation(fact: Fact) -> tuple[str, Term, Term] | None:
    """The fact as `left le/lt/eq right` over integers, where it is that."""
    t = fact.term
    if t.op in ("le", "lt"):
        if fact.positive:
            return t.op, t.args[0], t.args[1]
        return ("lt" if t.op == "le" else "le"), t.args[1], t.args[0]
    if t.op == "eq" and fact.positive and t.args[0].sort.is_integer:
        return "eq", t.args[0], t.args[1]
    return None


def constraints(fact: Fact, scope: Scope) -> Iterator[Linear]:
    found = relation(fact)
    if found is None:
        return
    rel, left, right = found
    for a, b in ((left, right), (right, left))[: 2 if rel == "eq" else 1]:
        total = _Sum(scope)
        total.add(a, fact.env, 1)
        total.add(b, fact.env, -1)
        yield total.at_most(1 if rel == "lt" else 0, "guard")


def _of_sort(slot: int, scope: Scope) -> Iterator[Linear]:
    lo, hi = int_range(scope.sorts[slot], scope.usize_bits)
    if lo is not None:
        yield Linear(((slot, -1),), (), lo, "sort")
    if hi is not None:
        yield Linear(((slot, 1),), (), -hi, "sort")


def _rest_slots(c: Linear) -> set[int]:
    return {s for _, t, e in c.rest for s in slots_of(t, e)}


def _combine(upper: Linear, ku: int, lower: Linear, kl: int) -> Linear:
    """Eliminates the slot whose coefficients are ku > 0 and kl < 0."""
    coeffs: dict[int, int] = {}
    rest: dict[tuple[Term, Env], int] = {}
    for c, k in ((upper, -kl), (lower, ku)):
        for s, a in c.coeffs:
            coeffs[s] = coeffs.get(s, 0) + k * a
        for a, t, e in c.rest:
            rest[t, e] = rest.get((t, e), 0) + k * a
    return Linear(
        tuple(sorted((s, a) for s, a in coeffs.items() if a)),
        tuple((a, t, e) for (t, e), a in rest.items() if a),
        -kl * upper.const + ku * lower.const,
        "derived",
    )


def _saturate(found: list[Linear], slots: list[int]) -> list[Linear]:
    """The constraints with consequences that mention fewer of the slots, up to a fixed number."""
    seen = {c[:3] for c in found}
    for s in slots:
        uppers = [(k, c) for c in found for t, k in c.coeffs if t == s and k > 0 and s not in _rest_slots(c)]
        lowers = [(k, c) for c in found for t, k in c.coeffs if t == s and k < 0 and s not in _rest_slots(c)]
        for (ku, u), (kl, lo) in itertools.product(uppers, lowers):
            if len(found) >= MAX_CONSTRAINTS:
                return found
            new = _combine(u, ku, lo, kl)
            if _is_absurd(new):
                return [new]
            if new.coeffs and new[:3] not in seen and all(abs(k) <= 1000 for _, k in new.coeffs):
                seen.add(new[:3])
                found.append(new)
    return found


def _is_absurd(c: Linear) -> bool:
    """Whether a constraint says that a positive number is at most 0: no values satisfy the facts."""
    return not c.coeffs and not c.rest and c.const > 0


# --- sources --------------------------------------------------------------------------------------------------------


def degree(t: Term, slot: int, env: Env, usize_bits: int) -> int:
    """The degree of an integer term as a polynomial in the slot; 99 where it is none."""
    if slot not in slots_of(t, env):
        return 0
    if t.op == "bound":
        return 1
    if t.op in ("add", "sub"):
        return max(degree(a, slot, env, usize_bits) for a in t.args)
    if t.op == "mul":
        return sum(degree(a, slot, env, usize_bits) for a in t.args)
    if t.op == "neg" or (t.op == "cast" and is_transparent(t, usize_bits)):
        return degree(t.args[0], slot, env, usize_bits)
    return 99


def path_to(t: Term, slot: int, env: Env, usize_bits: int) -> Pattern | None:
    """Where the slot's value lies in the value of the term, if it can be read off."""
    if t.op == "bound":
        return Pattern(()) if env[-1 - t.data] == slot else None
    if t.op == "cast" and is_transparent(t, usize_bits):
        return path_to(t.args[0], slot, env, usize_bits)
    if t.op == "ctor":
        for i, a in enumerate(t.args):
            inner = path_to(a, slot, env, usize_bits)
            if inner is not None:
                return Pattern(((t.data, i), *inner.path))
    return None


class _Planner:
    """Chooses sources for one list of facts; slots outside `scope.sorts` have values already."""

    def __init__(self, items: list[Item], scope: Scope) -> None:
        self.scope = scope
        self.facts = [i for i in items if isinstance(i, Fact)]
        self.choices = [i for i in items if isinstance(i, Choice)]
        self.integers = [s for s, sort in scope.sorts.items() if sort.is_integer]
        linear = [c for f in self.facts for c in constraints(f, scope)]
        linear += [c for s in self.integers for c in _of_sort(s, scope)]
        self.linear = _saturate(linear, self.integers)

    def sources(self, slot: int, open_slots: set[int]) -> tuple[int, list[Source]]:
        """The sources for a slot, given values of all slots but the open ones (the slot itself among them), best
        first, and their rank: 0 one value, 1 a range from guards, … 9 none."""
        if self.linear and _is_absurd(self.linear[0]) and self.scope.sorts[slot].is_integer:
            # An empty range, from 1 to 0.
            above, below = Linear(((slot, -1),), (), 1, "guard"), Linear(((slot, 1),), (), 0, "guard")
            return 1, [Interval(((-1, above),), ((1, below),), ())]
        found: list[tuple[int, Source]] = []
        others = open_slots - {slot}
        for f in self.facts:
            solved = self._solved(f, slot, open_slots)
            if solved is not None:
                found.append((0 if isinstance(solved, Solved) else 1, solved))
        sort = self.scope.sorts[slot]
        if sort.is_integer:
            interval = self._interval(slot, others)
            if interval is not None:
                found.append(interval)
        for choice in self.choices:
            either = self._either(choice, slot, open_slots)
            if either is not None:
                found.append((2, either))
        if sort.kind == "seq" and sort.args[0].is_integer:
            found += ((4, e) for f in self.facts if (e := _length(f, slot, open_slots)) is not None)
        n = cardinality(sort, self.scope.usize_bits, self.scope.domain)
        if n is not None and n <= FINITE and not any(isinstance(s, Interval) for _, s in found):
            found.append((3 if n <= 300 else 5, Finite()))
        found.sort(key=lambda rs: rs[0])
        return (found[0][0] if found else 9), [s for _, s in found]

    def _solved(self, f: Fact, slot: int, open_slots: set[int]) -> Source | None:
        t, bits = f.term, self.scope.usize_bits
        sides: list[tuple[Term, Term, bool]] = []
        if t.op == "eq" and f.positive:
            sides = [(t.args[0], t.args[1], False), (t.args[1], t.args[0], False)]
        elif t.op == "set.contains" and f.positive:
            sides = [(t.args[1], t.args[0], True)]
        elif (counted := _counted(f)) is not None:
            sides = [(counted.args[1], counted.args[0], True)]
        for pattern, value, member in sides:
            if slots_of(value, f.env) & open_slots:
                continue
            path = path_to(pattern, slot, f.env, bits)
            if path is not None:
                return (Member if member else Solved)(value, f.env, path)
        return None

    def _interval(self, slot: int, others: set[int]) -> tuple[int, Interval] | None:
        sides: tuple[list[tuple[int, Linear]], list[tuple[int, Linear]]] = ([], [])
        for c in self.linear:
            k = dict(c.coeffs).get(slot, 0)
            if k and not any(s in others for s, _ in c.coeffs) and not (_rest_slots(c) & (others | {slot})):
                sides[k > 0].append((k, c))
        kept: list[tuple[tuple[int, Linear], ...]] = []
        origins: list[str] = []
        for side in sides:
            best = next((o for o in ("guard", "derived", "sort") if any(c.origin == o for _, c in side)), "none")
            kept.append(tuple((k, c) for k, c in side if c.origin in (best, "sort")))
            origins.append(best)
        curves = tuple(self._curves(slot, others))
        guards = sum(o in ("guard", "derived") for o in origins)
        n = cardinality(self.scope.sorts[slot], self.scope.usize_bits, self.scope.domain)
        interval = Interval(kept[0], kept[1], curves)
        if guards == 2:
            return 1, interval
        if "none" not in origins and guards == 1:
            # One end is the type's: near for `nat` from below or `u8`, far away for the other end of `u64`.
            near = (n is not None and n <= FINITE) or (origins[0] == "sort" and self.scope.sorts[slot].name[0] != "i")
            return (1 if near else 6), interval
        if curves:
            return 2, interval
        if "none" not in origins:
            return (3 if n is not None and n <= 300 else 5 if n is not None and n <= FINITE else 8), interval
        return None

    def _curves(self, slot: int, others: set[int]) -> Iterator[Curve]:
        bits = self.scope.usize_bits
        for f in self.facts:
            found = relation(f)
            if found is None or slot not in slots_of(f.term, f.env) or slots_of(f.term, f.env) & others:
                continue
            rel, a, b = found
            total = _Sum(self.scope)
            total.add(a, f.env, 1)
            total.add(b, f.env, -1)
            if any(slot in slots_of(t, e) for t, e in total.rest):
                if max(degree(a, slot, f.env, bits), degree(b, slot, f.env, bits)) <= 2:
                    yield Curve(a, b, f.env, rel)

    def _either(self, choice: Choice, slot: int, open_slots: set[int]) -> Either | None:
        branches: list[tuple[Source, ...]] = []
        for alternative in choice.alternatives:
            rank, sources = _Planner(list(alternative), self.scope).sources(slot, open_slots)
            if rank > 2:
                return None
            branches.append(tuple(sources))
        return Either(tuple(branches)) if branches else None


def _length(f: Fact, slot: int, open_slots: set[int]) -> Elements | None:
    """The length of a sequence, where the fact gives it."""
    t = f.term
    if t.op == "eq" and f.positive:
        for side, other in (t.args, t.args[::-1]):
            if side.op == "seq.len" and side.args[0].op == "bound" and f.env[-1 - side.args[0].data] == slot:
                if not slots_of(other, f.env) & open_slots:
                    return Elements(other, f.env)
    return None


def _counted(f: Fact) -> Term | None:
    """The `multiset.count` that the fact says is positive."""
    t = f.term
    if t.op in ("lt", "le") and f.positive and t.args[1].op == "multiset.count" and t.args[0].op == "lit":
        return t.args[1] if t.args[0].data >= (0 if t.op == "lt" else 1) else None
    if t.op == "le" and not f.positive and t.args[0].op == "multiset.count" and t.args[1].op == "lit":
        return t.args[0] if t.args[1].data >= 0 else None
    if t.op == "eq" and not f.positive:
        for a, b in (t.args, t.args[::-1]):
            if a.op == "multiset.count" and b.op == "lit" and b.data == 0:
                return a
    return None


def make_plan(items: list[Item], main: Env, scope: Scope) -> Plan:
    """The order in which to bind the main slots, and a range for each. Among the slots that have one, the best
    range first; an auxiliary slot only when no main slot has a good range without it."""
    planner = _Planner(items, scope)
    open_slots = set(scope.sorts)
    waiting = list(main)
    helpers = [s for s in scope.sorts if s not in main]
    steps: list[Step] = []
    auxiliary, complete = False, True
    while waiting:
        ranked = [(*planner.sources(s, open_slots), s) for s in waiting]
        rank, sources, slot = min(ranked, key=lambda r: r[0])
        if rank > 2:
            for s in helpers:
                r, found = planner.sources(s, open_slots)
                if r <= 2:
                    rank, sources, slot = r, found, s
                    break
        if slot in waiting:
            waiting.remove(slot)
            complete = complete and rank < 8
        else:
            helpers.remove(slot)
            auxiliary = True
        open_slots.discard(slot)
        steps.append(Step(slot, scope.sorts[slot], tuple(sources)))
    return Plan(tuple(steps), auxiliary, complete)


# --- structs as their fields ----------------------------------------------------------------------------------------


def is_product(sort: Sort) -> bool:
    """A struct or tuple with fields."""
    return sort.kind == "data" and sort.is_defined and len(sort.variants) == 1 and bool(sort.variants[0].fields)


def expand_products(sorts: tuple[Sort, ...], body: Term) -> tuple[tuple[Sort, ...], Term, tuple[Term, ...]]:
    """A binder's variables with structs and tuples replaced by their fields (one level): the new sorts, the new
    body, and the old variables as terms over the new ones."""
    fresh: list[Term] = []

    def new(sort: Sort) -> Term:
        v = var(f"%{len(fresh)}", sort)
        fresh.append(v)
        return v

    olds: list[Term] = []
    for s in sorts:
        if is_product(s):
            olds.append(mk("ctor", tuple(new(f.sort) for f in s.variants[0].fields), s, 0))
        else:
            olds.append(new(s))

    def simplify(t: Term) -> Term | None:
        if t.op == "field" and t.args[0].op == "ctor" and t.args[0].data == t.data[0]:
            part: Term = t.args[0].args[t.data[1]]
            return part
        if t.op == "is" and t.args[0].op == "ctor":
            return TRUE if t.args[0].data == t.data else FALSE
        return None

    opened = rewrite(instantiate(body, tuple(olds)), simplify)
    variables = tuple(fresh)
    return tuple(v.sort for v in fresh), abstract(opened, variables), tuple(abstract(o, variables) for o in olds)


def merge_nested(op: str, sorts: tuple[Sort, ...], body: Term) -> tuple[tuple[Sort, ...], Term]:
    """`forall|i| forall|j| …` as one binder; de Bruijn indices already agree."""
    while body.op == op:
        sorts, body = sorts + body.data, body.args[0]
    return sorts, body


_binder_memo: dict[Term, bool] = {}


def has_binder(term: Term) -> bool:
    found = _binder_memo.get(term)
    if found is None:
        found = _binder_memo[term] = term.op in BINDERS or any(map(has_binder, term.args))
    return found


def open_subterms(body: Term, env: Env, targets: set[int], limit: int) -> list[Term]:
    """Subterms without binders that do not mention the target slots, in order of appearance."""
    found: dict[Term, None] = {}
    stack = [body]
    seen: set[Term] = set()
    while stack and len(found) < limit:
        t = stack.pop()
        if t in seen or t.op in BINDERS:
            continue
        seen.add(t)
        if t.sort is not BOOL and t.op != "lit" and not slots_of(t, env) & targets and not has_binder(t):
            found[t] = None
        stack.extend(reversed(t.args))
    return list(found)
