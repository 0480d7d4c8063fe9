"""Help for the embedded verifier where the portfolio leaves a part open: lemmas on recursive functions, and terms for `exists`.

In: an opened contract, a decider. Out: `facts`, each proved by functional induction before it is used, and `instances` of a goal,
each of which implies it. Nothing here is assumed.

A lemma says something of every value of a recursive specification function f at the arguments that the contract has: f(S, y) for
all y, where S are the arguments that every recursive call passes on unchanged. It is proved from f's equation at (S, y), from the
precondition, and from the same statement at each recursive call, under the call's condition; sound where f is shown to end. The
statements are templates: bounds by 0, by a parameter, by a length, by a length or parameter times the largest element.

Verus asks for such lemmas in a proof; an expression has none. So what is proved with their help may not pass Verus as it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from equiv.decide import Decider
from equiv.recursion import calls_of, terminates
from translate import terms as tm
from translate.readings.verus_text import to_verus
from translate.terms import FnSym, Sort, Term
from witness.contract import Opened
from witness.methods import length_of, view_of

#: The share of the budget that the proof of one statement may cost; how large a term may grow by unfolding definitions.
SHARE: Final = 0.05
_LARGEST: Final = 4_000
#: Terms that are tried for one bound variable of an `exists`, and combinations of them.
_TERMS: Final = 6
_COMBINATIONS: Final = 40


@dataclass(frozen=True, slots=True)
class Fact:
    """A proved statement: for all values of `free`, `closed` holds, which is about the function application `value`. `text` is
    for people."""

    free: tuple[Term, ...]
    closed: Term
    value: Term
    text: str

    @property
    def term(self) -> Term:
        if not self.free:
            return self.closed
        return tm.quantify("forall", tuple(v.sort for v in self.free), tm.abstract(self.closed, self.free))

    def at(self, t: Term) -> Term | None:
        """The statement about another application of the function; None where it is about other arguments."""
        if t.op != "app" or t.data is not self.value.data or t.loose:
            return None
        to: dict[Term, Term] = {}
        for mine, its in zip(self.value.args, t.args, strict=True):
            if mine in self.free:
                to[mine] = its
            elif mine is not its:
                return None
        return tm.rewrite(self.closed, to.get)


class Hints:
    """The help for one contract."""

    def __init__(self, opened: Opened, decider: Decider) -> None:
        self.opened, self.decider = opened, decider
        self._facts: list[Fact] | None = None

    # --- lemmas ------------------------------------------------------------------------------------------------------

    def facts(self) -> list[Fact]:
        """What is proved about the recursive functions of the contract, in a fixed order."""
        if self._facts is None:
            self._facts = []
            for sym, fixed in self._uses():
                self._facts += self._about(sym, fixed)
        return self._facts

    def _uses(self) -> list[tuple[FnSym, tuple[Term | None, ...]]]:
        """The recursive functions with the arguments that their calls pass on unchanged, as the contract has them (None for the
        others)."""
        found: dict[tuple[FnSym, tuple[Term | None, ...]], None] = {}
        for clause in (*self.opened.requires, *self.opened.ensures):
            for t in tm.subterms(expanded(clause)):
                if t.op != "app" or t.data.kind != "recursive" or t.data in self.decider.distrusted:
                    continue
                kept = {i for i in _passed_on(t.data) if self._is_of_inputs(t.args[i])}
                found[t.data, tuple(a if i in kept else None for i, a in enumerate(t.args))] = None
        return list(found)

    def _is_of_inputs(self, t: Term) -> bool:
        """Whether a term is about the inputs alone."""
        return t.loose == 0 and all(v in self.opened.contract.inputs for v in tm.free_variables(t))

    def _about(self, sym: FnSym, fixed: tuple[Term | None, ...]) -> Iterator[Fact]:
        if not terminates(sym, self._proves):
            return
        args = tuple(tm.var(f"%arg{i}", s) if f is None else f for i, (s, f) in enumerate(zip(sym.params, fixed, strict=True)))
        free = tuple(a for a, f in zip(args, fixed, strict=True) if f is None)
        assert sym.body is not None
        given = list(self.opened.requires)
        if sym.when is not None:
            given.append(tm.instantiate(sym.when, args))
        body = tm.instantiate(sym.body, args)
        calls = list(calls_of(sym, body))
        if any(c.binders for c in calls):
            return
        value = tm.app(sym, args)
        variables = [*self.opened.contract.inputs, *free]
        proved: list[Term] = []
        bounded = False
        for kind, statement in _statements(value, args, self._numbers()):
            if kind == "low" and bounded:
                continue  # the plainest bound from below is the strongest
            hypotheses = []
            for c in calls:
                guard = c.guard if sym.when is None else tm.and_([c.guard, tm.instantiate(sym.when, c.args)])
                hypotheses.append(tm.implies(guard, _moved(statement, value, args, tm.app(sym, c.args), c.args)))
            premises = [*given, *proved, tm.eq(value, body), *hypotheses]
            if not self.decider.proved_by_z3(premises, statement, variables, SHARE):
                continue
            proved.append(statement)
            bounded = bounded or kind == "low"
            closed = statement if sym.when is None else tm.implies(tm.instantiate(sym.when, args), statement)
            yield Fact(free, closed, value, to_verus(_named(closed, free)))

    def _proves(self, premises: Sequence[Term], goal: Term, variables: Sequence[Term]) -> bool:
        return self.decider.proved_by_z3(premises, goal, variables, 0.2)

    def _numbers(self) -> list[int]:
        """The two largest literals of the precondition: what bounds elements there."""
        found = {
            t.data for r in self.opened.requires for t in tm.subterms(r) if t.op == "lit" and not isinstance(t.data, bool)
        }
        return sorted((n for n in found if n > 1), reverse=True)[:2]

    def at_applications(self, terms: Sequence[Term]) -> list[Term]:
        """The facts at every application in terms: what a solver would have to find by itself."""
        found: dict[Term, None] = {}
        for t in terms:
            for s in tm.subterms(expanded(t)):
                found.update((f, None) for fact in self.facts() if (f := fact.at(s)) is not None)
        return list(found)

    # --- witnesses ---------------------------------------------------------------------------------------------------

    def instances(self, goal: Term, result: Term) -> Iterator[Term]:
        """Formulas without an `exists` of the goal's, each of which implies the goal: small terms over the inputs in place of
        what is to exist."""
        whole = expanded(goal)
        found = _existential(whole)
        if found is None:
            return
        choices = [self._terms(s, result) for s in found.data]
        for n, terms in enumerate(product(*choices)):
            if n >= _COMBINATIONS:
                return
            yield _replaced(whole, found, tm.instantiate(found.args[0], terms))

    def _terms(self, sort: Sort, result: Term) -> list[Term]:
        if not sort.is_integer or sort is tm.CHAR:
            return []
        inputs = self.opened.contract.inputs
        boxed = [v for v in inputs if v.sort.kind == "boxed" and v.sort.view is not None]
        lengths = [length_of(v) for v in boxed if v.sort.view is not None and v.sort.view.kind == "seq"]
        plain = [v for v in inputs if v.sort.is_integer and v.sort is not tm.CHAR]
        parts = [t for t in tm.subterms(result) if t.sort.is_integer and t.op not in ("lit", "bound") and t.loose == 0][:2]
        last = [tm.arith("sub", n, tm.ONE) for n in lengths]
        return list(dict.fromkeys([tm.ZERO, *lengths, *parts, *plain, *last, tm.ONE]))[:_TERMS]


def expanded(t: Term) -> Term:
    """A term with its non-recursive definitions unfolded, as far as it stays small."""
    for _ in range(8):

        def unfold(s: Term) -> Term | None:
            if s.op == "app" and s.data.kind == "defined" and s.data.body is not None:
                return tm.instantiate(s.data.body, s.args)
            return None

        new = tm.rewrite(t, unfold)
        if new is t or new.size > _LARGEST:
            return t
        t = new
    return t


def _passed_on(sym: FnSym) -> set[int]:
    """The positions of the parameters that every recursive call gets unchanged."""
    assert sym.body is not None
    params = tuple(tm.var(f"%p{i}", s) for i, s in enumerate(sym.params))
    kept = set(range(len(params)))
    for call in calls_of(sym, tm.instantiate(sym.body, params)):
        kept -= {i for i, a in enumerate(call.args) if a is not params[i]}
    return kept


def _moved(statement: Term, value: Term, args: Sequence[Term], there: Term, others: Sequence[Term]) -> Term:
    """A statement about f(args), about f(others)."""
    to = {value: there, **{a: o for a, o in zip(args, others, strict=True) if a is not o}}

    def go(t: Term) -> Term:
        if t in to:
            return to[t]
        return t if not t.args else tm.mk(t.op, tuple(map(go, t.args)), t.sort, t.data)

    return go(statement)


def _statements(value: Term, args: Sequence[Term], numbers: Sequence[int]) -> Iterator[tuple[str, Term]]:
    """What may hold of a value, the plainest first, and whether it is a bound from below ("low") or something else ("")."""
    if value.sort.is_integer:
        yield from _bounds(value, args, numbers)
    elif value.sort.kind == "seq":
        length = tm.mk("seq.len", (value,), tm.NAT)
        for s in _sequences(args):
            yield "", tm.eq(length, tm.mk("seq.len", (s,), tm.NAT))
            yield "", tm.arith("le", length, tm.mk("seq.len", (s,), tm.NAT))


def _bounds(value: Term, args: Sequence[Term], numbers: Sequence[int]) -> Iterator[tuple[str, Term]]:
    def le(a: Term, b: Term) -> Term:
        return tm.arith("le", a, b)

    yield "low", le(tm.ONE, value)
    yield "low", le(tm.ZERO, value)
    integers = [a for a in args if a.sort.is_integer and a.sort is not tm.CHAR]
    yield from (("", le(value, a)) for a in integers)
    if len(integers) > 1:
        yield "", tm.or_(le(value, a) for a in integers)
    sequences = _sequences(args)
    lengths = [tm.mk("seq.len", (s,), tm.NAT) for s in sequences]
    yield from (("", le(value, n)) for n in lengths)
    limits = [tm.word_range(k) for s in sequences if (k := _number_inside(s.sort)) is not None]
    highest = [h for _, h in limits if h is not None]
    lowest = [low for low, _ in limits if low is not None and low < 0]
    for count in (*lengths, *integers):
        counted = [tm.arith("le", tm.ZERO, count)] if count in integers else []
        for most in sorted({*numbers, *highest}):
            yield "", tm.implies(tm.and_(counted), le(value, tm.arith("mul", tm.lit(most), count)))
        for least in sorted({*(-n for n in numbers), *lowest}, reverse=True):
            yield "low", tm.implies(tm.and_(counted), le(tm.arith("mul", tm.lit(least), count), value))
    for s in sequences:
        if s.sort.element.is_integer:
            yield from (("", t) for t in _extremes(value, s))


def _extremes(value: Term, s: Term) -> Iterator[Term]:
    """The value is at least, or at most, every element."""
    i = tm.bound(0, tm.INT)
    seq, there = tm.shift(s, 1), tm.shift(value, 1)
    inside = tm.and_([tm.arith("le", tm.ZERO, i), tm.arith("lt", i, tm.mk("seq.len", (seq,), tm.NAT))])
    element = tm.mk("seq.index", (seq, i), s.sort.element)
    for claim in (tm.arith("le", element, there), tm.arith("le", there, element)):
        yield tm.quantify("forall", (tm.INT,), tm.implies(inside, claim))


def _sequences(args: Sequence[Term]) -> list[Term]:
    found = []
    for a in args:
        if a.sort.kind == "seq":
            found.append(a)
        elif a.sort.kind == "boxed" and a.sort.view is not None and a.sort.view.kind == "seq":
            found.append(view_of(a))
    return found


def _number_inside(sort: Sort) -> str | None:
    """The integer type of a sequence's elements, through nested sequences."""
    while sort.kind in ("seq", "boxed"):
        sort = sort.element
    return sort.name if sort.is_integer and sort.name not in ("int", "nat", "char") else None


def _named(t: Term, free: Sequence[Term]) -> Term:
    """The statement with readable names for what it is about."""
    names = {v: tm.var(f"y{i}" if len(free) > 1 else "y", v.sort) for i, v in enumerate(free)}
    return tm.rewrite(t, names.get)


def _existential(t: Term) -> Term | None:
    """The first `exists` in a positive place: below conjunctions and on the right of implications."""
    match t.op:
        case "exists":
            return t
        case "and":
            return next((f for a in t.args if (f := _existential(a)) is not None), None)
        case "implies":
            return _existential(t.args[1])
        case "ite":
            return next((f for a in t.args[1:] if (f := _existential(a)) is not None), None)
    return None


def _replaced(t: Term, old: Term, new: Term) -> Term:
    """The formula with one part replaced where it stands in a positive place."""
    if t is old:
        return new
    match t.op:
        case "and":
            return tm.and_(_replaced(a, old, new) for a in t.args)
        case "implies":
            return tm.implies(t.args[0], _replaced(t.args[1], old, new))
        case "ite":
            return tm.ite(t.args[0], _replaced(t.args[1], old, new), _replaced(t.args[2], old, new), t.sort)
    return t
