"""Candidate clauses: what a contract could say of an output, by templates.

In: an opened weakened contract, its vocabulary, the official cases. Out: `Proposal`s, those first that are small. They are

- the clauses of the weakened contract turned round: `a <= b` to `b <= a`, `a ==> b` to `b ==> a`, lengths to sequences, in every
  positive place;
- the file's own predicates of the output;
- bounds and equalities between parts of the output and terms over the parameters, also under a condition;
- membership in a sequence, bounds over all its elements, what a position says of the sequence it points into;
- for sequences: equal to another, the same entries, order, relations entry by entry;
- for truth values and variants: equivalent to a condition, or implied one way;
- sums of two parts of the output.

A template is tried on the official outputs first: what they do not satisfy is not proposed. What the description of a task says
in words is not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from translate import terms as tm
from translate.readings.evaluate import Context, compile  # noqa: A004
from translate.readings.outcomes import EvaluationError
from translate.terms import Term
from witness.clause_parts import (
    Part,
    Vocabulary,
    at,
    elements_like,
    for_all,
    inside,
    is_number,
    length,
    pairs_in_order,
    there_is,
)
from witness.contract import Opened

#: Steps of the evaluator on one clause at one case.
STEPS: Final = 20_000
#: Conditions that are combined with each other, and clauses of one kind about one part that are proposed at most.
COMBINED: Final = 60
OF_A_KIND: Final = 60
#: Cases at which a bound must be attained.
ATTAINED: Final = 2

#: Kinds that hold by chance more easily than others: they say something of some inputs only.
ONE_WAY: Final = "condition one way"
PARTIAL: Final = "equality under a condition"

Values = dict[Term, Any]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A clause that holds of every official output. `kind` names the template."""

    term: Term
    kind: str


class Columns:
    """What terms give at the official cases; None where that is undetermined."""

    def __init__(self, points: Sequence[Values], word_bits: int) -> None:
        self.points = points
        self.context = Context(usize_bits=word_bits)
        self._known: dict[Term, tuple[Any, ...]] = {}

    def of(self, t: Term) -> tuple[Any, ...]:
        found = self._known.get(t)
        if found is None:
            found = self._known[t] = tuple(self._run(t))
        return found

    def _run(self, t: Term) -> Iterator[Any]:
        names = tm.free_variables(t)
        code = compile(t, names, self.context)
        for point in self.points:
            self.context.steps = STEPS
            try:
                yield code.run([point[v] for v in names])
            except EvaluationError:
                yield None

    def holds(self, t: Term) -> bool:
        """Whether a condition is true at every case, and determined there."""
        return all(x is True for x in self.of(t))


class Templates:
    """The templates at one contract and its cases."""

    def __init__(self, opened: Opened, words: Vocabulary, columns: Columns) -> None:
        self.opened, self.v, self.columns = opened, words, columns

    def proposals(self) -> Iterator[Proposal]:
        """Every proposal once, those of one kind by size."""
        seen: set[Term] = set()
        for kind, found in self._kinds():
            count = 0
            for t in sorted(dict.fromkeys(found), key=lambda t: t.size):
                if t in seen or count == OF_A_KIND:
                    continue
                seen.add(t)
                if self.columns.holds(t):
                    count += 1
                    yield Proposal(t, kind)

    def _kinds(self) -> Iterator[tuple[str, Iterator[Term]]]:
        yield "clause turned round", (t for c in self.opened.ensures for t in turned(c))
        yield "word of the file", iter(self.v.words)
        for part in self.v.outputs:
            sort = part.term.sort
            yield "equality", self._equalities(part)
            if part.is_number:
                yield PARTIAL, self._conditional(part)
                yield "bound", self._bounds(part)
                yield "membership", self._membership(part)
                yield "bound over a sequence", self._over_sequences(part)
                yield "position", self._position(part)
                yield "bits", self._bits(part)
            elif sort is tm.BOOL:
                yield "condition", self._truth(part)
                yield ONE_WAY, self._one_way(part)
            elif sort.kind == "seq":
                yield "sequence", self._sequence(part)
                yield "entry by entry", self._entries(part)
                yield "place by place", self._places(part)
            else:
                yield PARTIAL, self._conditional(part)
                yield "membership", self._membership(part)
        yield "sum of outputs", self._sums_of_outputs()

    # --- numbers -----------------------------------------------------------------------------------------------------

    def _equalities(self, part: Part) -> Iterator[Term]:
        column, guard = self.columns.of(part.term), self.columns.of(part.guard)
        for e in self._like(part.term):
            if _agree(column, self.columns.of(e), guard):
                yield tm.implies(part.guard, tm.eq(part.term, e))

    def _like(self, t: Term) -> list[Term]:
        """Terms over the parameters, and other parts of the output, that a part can be compared with."""
        if is_number(t.sort):
            others = [p.term for p in self.v.outputs if p.is_number and p.guard is tm.TRUE and p.term is not t]
            return [*self.v.numbers, *others]
        if t.sort.kind == "seq":
            return [s for s in self.v.sequences if s.sort is t.sort]
        return [x for x in self.v.others if x.sort is t.sort] + list(_constants(t))

    def _conditional(self, part: Part) -> Iterator[Term]:
        """`condition ==> part == term`, for conditions that hold at some cases and not at all."""
        column, guard = self.columns.of(part.term), self.columns.of(part.guard)
        for condition in self._all_conditions(part):
            where = self.columns.of(tm.and_([part.guard, condition]))
            if where.count(True) < 2 or where.count(True) == guard.count(True):
                continue
            for e in self._like(part.term):
                if _agree(column, self.columns.of(e), where):
                    yield tm.implies(tm.and_([part.guard, condition]), tm.eq(part.term, e))

    def _all_conditions(self, part: Part) -> list[Term]:
        """Conditions on the inputs, and on the parts of the output that are others."""
        negated = [tm.not_(c) for c in self.v.conditions if c.op in ("forall", "exists", "var", "field", "app")]
        found = [*self.v.conditions, *negated]
        for other in self.v.outputs:
            if other.term is part.term or other.guard is not tm.TRUE:
                continue
            if other.term.sort is tm.BOOL:
                found += [other.term, tm.not_(other.term)]
            elif other.is_number:
                found.append(tm.arith("lt", tm.ZERO, other.term))
        return found

    def _bounds(self, part: Part) -> Iterator[Term]:
        """Bounds that are attained: one that the outputs never come near holds at the cases by chance."""
        column, guard = self.columns.of(part.term), self.columns.of(part.guard)
        for e in self._like(part.term):
            other = self.columns.of(e)
            for relation, gap in (("le", 0), ("lt", 1)):
                if _bounded(column, other, guard, gap):
                    yield tm.implies(part.guard, tm.arith(relation, part.term, e))
                if _bounded(other, column, guard, gap):
                    yield tm.implies(part.guard, tm.arith(relation, e, part.term))

    def _membership(self, part: Part) -> Iterator[Term]:
        i = tm.var("%i", tm.INT)
        for s in self.v.sequences:
            if s.sort.element is part.term.sort:
                yield tm.implies(part.guard, there_is(i, inside(i, s), tm.eq(at(s, i), part.term)))

    def _over_sequences(self, part: Part) -> Iterator[Term]:
        i = tm.var("%i", tm.INT)
        for s in self.v.sequences:
            if not is_number(s.sort.element):
                continue
            for relation in ("le", "lt"):
                for a, b in ((at(s, i), part.term), (part.term, at(s, i))):
                    yield tm.implies(part.guard, for_all(i, inside(i, s), tm.arith(relation, a, b)))

    def _position(self, part: Part) -> Iterator[Term]:
        """What a position says of a sequence: what stands there, before it, behind it."""
        k, i = part.term, tm.var("%i", tm.INT)
        if k.sort.name not in ("usize", "nat", "int"):
            return
        for s in self.v.sequences:
            element = s.sort.element
            here = tm.arith("lt", k, length(s))
            yield tm.implies(part.guard, here)
            before = tm.and_([tm.arith("le", tm.ZERO, i), tm.arith("lt", i, k)])
            behind = tm.and_([tm.arith("le", k, i), tm.arith("lt", i, length(s))])
            for x in elements_like(self.v, element):
                yield tm.implies(part.guard, tm.eq(at(s, k), x))
                yield tm.implies(part.guard, tm.and_([here, tm.eq(at(s, k), x)]))
                for where in (before, behind):
                    yield tm.implies(part.guard, for_all(i, where, tm.not_(tm.eq(at(s, i), x))))
                    if is_number(element):
                        yield tm.implies(part.guard, for_all(i, where, tm.arith("lt", at(s, i), x)))
                        yield tm.implies(part.guard, for_all(i, where, tm.arith("le", x, at(s, i))))
            if not is_number(element):
                continue
            for where, relation in ((inside(i, s), "le"), (before, "lt"), (behind, "le"), (before, "le")):
                for a, b in ((at(s, i), at(s, k)), (at(s, k), at(s, i))):
                    holds = for_all(i, where, tm.arith(relation, a, b))
                    yield tm.implies(part.guard, holds)
                    yield tm.implies(part.guard, tm.and_([here, holds]))

    def _bits(self, part: Part) -> Iterator[Term]:
        """What the bits of a number are, where the contract or its file speaks of bits."""
        t = part.term
        if not self.v.has_bits or t.sort.name in ("int", "nat", "char"):
            return
        for n in (x for x in self.v.integers if x.op == "lit" and x.data > 0):
            made = [tm.mk("bitand", (t, n), t.sort)]
            if n.data < 128:
                made += [tm.mk("shr", (t, n), t.sort)]
            for m in made:
                yield from (tm.implies(part.guard, tm.eq(m, e)) for e in self.v.integers if e.op != "lit")

    def _sums_of_outputs(self) -> Iterator[Term]:
        numbers = [p for p in self.v.outputs if p.is_number and p.guard is tm.TRUE]
        for a, b in combinations(numbers, 2):
            both = tm.arith("add", a.term, b.term)
            column = self.columns.of(both)
            for e in self.v.numbers:
                if _agree(column, self.columns.of(e), (True,) * len(column)):
                    yield tm.eq(both, e)

    # --- truth values and variants -------------------------------------------------------------------------------------

    def _truth(self, part: Part) -> Iterator[Term]:
        b, guard = part.term, self.columns.of(part.guard)
        column = self.columns.of(b)
        conditions = self._all_conditions(part)
        for c in conditions:
            if not tm.free_variables(c):
                continue
            where = self.columns.of(c)
            if _agree(column, where, guard):
                yield tm.implies(part.guard, tm.eq(b, c))
        for c, d in combinations(conditions[:COMBINED], 2):
            left, right = self.columns.of(c), self.columns.of(d)
            if None in left or None in right:
                continue
            if _agree(column, [x and y for x, y in zip(left, right, strict=True)], guard):
                yield tm.implies(part.guard, tm.eq(b, tm.and_([c, d])))
            if _agree(column, [x or y for x, y in zip(left, right, strict=True)], guard):
                yield tm.implies(part.guard, tm.eq(b, tm.or_([c, d])))

    def _one_way(self, part: Part) -> Iterator[Term]:
        """Conditions that a truth value implies, or that imply it or its opposite."""
        b, guard = part.term, self.columns.of(part.guard)
        column = self.columns.of(b)
        opposite = [None if x is None else not x for x in column]
        for c in self._all_conditions(part):
            where = self.columns.of(c)
            for value, says in ((column, b), (opposite, tm.not_(b))):
                if _implies(value, where, guard):
                    yield tm.implies(tm.and_([part.guard, says]), c)
                if _implies(where, value, guard):
                    yield tm.implies(tm.and_([part.guard, c]), says)

    # --- sequences -----------------------------------------------------------------------------------------------------

    def _sequence(self, part: Part) -> Iterator[Term]:
        out = part.term
        made: list[Term] = []
        like = [s for s in self.v.sequences if s.sort is out.sort]
        values = [x for x in (*self.v.integers, *self.v.others) if x.sort is out.sort.element]
        made += [tm.mk("seq.push", (s, x), out.sort) for s in like for x in values]
        made += [tm.mk("seq.add", (s, t), out.sort) for s in like for t in like]
        places = [k for k in self.v.integers if k.op != "lit"]
        made += [tm.mk("seq.update", (s, k, x), out.sort) for s in like for k in places for x in values]
        made += [tm.mk("seq.subrange", (s, a, b), out.sort) for s in like for a, b in _ranges(s, self.v.integers)]
        made += [tm.mk("seq.lit", pair, out.sort) for n in (1, 2) for pair in combinations(values, n)]
        for e in made:
            yield tm.implies(part.guard, tm.eq(out, e))
        bag = tm.multiset_sort(out.sort.element)
        for s in like:
            same = tm.eq(tm.mk("seq.to_multiset", (out,), bag), tm.mk("seq.to_multiset", (s,), bag))
            yield tm.implies(part.guard, same)
            i, j = tm.var("%i", tm.INT), tm.var("%j", tm.INT)
            for a, b in ((out, s), (s, out)):
                found = there_is(j, inside(j, b), tm.eq(at(b, j), at(a, i)))
                yield tm.implies(part.guard, for_all(i, inside(i, a), found))
        if is_number(out.sort.element):
            for relation in ("le", "lt"):
                for down in (False, True):
                    yield tm.implies(part.guard, pairs_in_order(out, relation, down=down))

    def _places(self, part: Part) -> Iterator[Term]:
        """What stands at the places that the parameters name, and that the rest is as it was."""
        out, i = part.term, tm.var("%i", tm.INT)
        places = [k for k in self.v.integers if k.op != "lit" and k.sort.name in ("usize", "int", "nat") and k.op == "var"]
        values = [x for x in (*self.v.integers, *self.v.others) if x.sort is out.sort.element]
        like = [s for s in self.v.sequences if s.sort is out.sort]
        for k in places:
            for value in (*values, *(at(s, m) for s in like for m in places)):
                yield tm.implies(part.guard, tm.eq(at(out, k), value))
        for s in like:
            for n in (1, 2):
                for chosen in combinations(places, n):
                    elsewhere = tm.and_([inside(i, out), *(tm.not_(tm.eq(i, k)) for k in chosen)])
                    yield tm.implies(part.guard, for_all(i, elsewhere, tm.eq(at(out, i), at(s, i))))

    def _entries(self, part: Part) -> Iterator[Term]:
        """What each entry of a sequence is, by its place."""
        out, i = part.term, tm.var("%i", tm.INT)
        element = out.sort.element
        values: list[Term] = []
        for s in self.v.sequences:
            here = at(s, i)
            mirrored = at(s, tm.arith("sub", tm.arith("sub", length(s), tm.ONE), i))
            if s.sort.element is element:
                values += [here, mirrored]
            if is_number(s.sort.element) and is_number(element):
                numbers = [x for x in self.v.integers if x is not tm.ZERO]
                values += [tm.arith(op, here, x) for op in ("add", "sub", "mul") for x in numbers]
                others = [t for t in self.v.sequences if t is not s and is_number(t.sort.element)]
                values += [tm.arith(op, here, at(t, i)) for t in others for op in ("add", "sub")]
        if is_number(element):
            values += [i, *self.v.integers]
        else:
            values += [x for x in self.v.others if x.sort is element]
        for value in values:
            relations = [tm.eq(at(out, i), value)]
            if is_number(element):
                relations += [tm.arith("le", at(out, i), value), tm.arith("le", value, at(out, i))]
            for holds in relations:
                yield tm.implies(part.guard, for_all(i, inside(i, out), holds))


def turned(t: Term) -> Iterator[Term]:
    """A clause made stronger in one positive place: a comparison turned round or made strict, an arrow turned round, one of two
    alternatives, sequences for their lengths."""
    match t.op:
        case "and":
            for a in t.args:
                yield from turned(a)
        case "le":
            yield tm.arith("le", t.args[1], t.args[0])
            yield tm.eq(*t.args)
            yield tm.arith("lt", *t.args)
        case "implies":
            yield tm.implies(t.args[1], t.args[0])
            for b in turned(t.args[1]):
                yield tm.implies(t.args[0], b)
        case "or":
            yield from t.args
        case "eq" if all(a.op == "seq.len" for a in t.args) and t.args[0].args[0].sort is t.args[1].args[0].sort:
            yield tm.eq(t.args[0].args[0], t.args[1].args[0])
        case "forall" | "exists":
            for body in turned(t.args[0]):
                yield tm.mk(t.op, (body,), tm.BOOL, t.data)
            if t.op == "forall" and t.args[0].op == "implies":
                premise, conclusion = t.args[0].args
                for weaker in _loosened(premise):
                    yield tm.mk("forall", (tm.implies(weaker, conclusion),), tm.BOOL, t.data)
        case "ite" if t.sort is tm.BOOL:
            c, a, b = t.args
            for x in turned(a):
                yield tm.implies(c, x)
            for x in turned(b):
                yield tm.implies(tm.not_(c), x)


def _loosened(premise: Term) -> Iterator[Term]:
    """A premise with one of its conjuncts left out: then more is said."""
    if premise.op == "and" and len(premise.args) > 2:
        for k in range(len(premise.args)):
            yield tm.and_([a for i, a in enumerate(premise.args) if i != k])


def _constants(t: Term) -> Iterator[Term]:
    """The values of a datatype that hold nothing."""
    if t.sort.kind == "data" and not t.sort.is_struct:
        for k, variant in enumerate(t.sort.variants):
            if not variant.fields:
                yield tm.mk("ctor", (), t.sort, k)


def _ranges(s: Term, integers: Sequence[Term]) -> Iterator[tuple[Term, Term]]:
    for k in integers:
        if k is not tm.ZERO and k is not length(s):
            yield tm.ZERO, k
            yield k, length(s)


def _agree(left: Sequence[Any], right: Sequence[Any], where: Sequence[Any]) -> bool:
    """Whether two columns are equal where a condition holds (and determined there, with the condition), somewhere at least."""
    return any(w is True for w in where) and all(
        w is False or (w is True and a is not None and a == b) for a, b, w in zip(left, right, where, strict=True)
    )


def _bounded(left: Sequence[Any], right: Sequence[Any], where: Sequence[Any], gap: int) -> bool:
    """Whether the left column stays below the right one by `gap` where a condition holds, and comes so near at some cases."""
    rows = [(a, b) for a, b, w in zip(left, right, where, strict=True) if w is not False]
    if None in where or any(a is None or b is None or a + gap > b for a, b in rows):
        return False
    return sum(bool(a + gap == b) for a, b in rows) >= ATTAINED


def _implies(left: Sequence[Any], right: Sequence[Any], where: Sequence[Any]) -> bool:
    return any(w is True and a is True for a, w in zip(left, where, strict=True)) and all(
        w is False or (w is True and (a is False or (a is True and b is True)))
        for a, b, w in zip(left, right, where, strict=True)
    )
