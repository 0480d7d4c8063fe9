"""A contract in two copies of its outputs, and proofs about them.

In: a subject. Out: `Copies`, and `Proofs`: whether any two outputs at one input count as the same, where the portfolio of
`equiv.decide` by itself leaves that open.

Every proof here rests on answers `proved` of that portfolio, and on one of these arguments:

- The copies can be exchanged. What holds of any two outputs in this order holds of them in the other; so `y′ <= y` for any two is
  as much as `y == y′`.
- Sorted arrangements. If s and t have the same multiset, and s[i] <= s[j] for i < j, and so in t, then s is t: s[0] and t[0] each
  occur in the other sequence, so each is at most the other; the rest by induction on the length.
- What holds in the plain theory of equality holds (`witness.plain_equality`), and so does what holds of any values in the place
  of the views.
- Names for what exists. What one copy says exists may be given a name; what the other says of all holds of it, and of outputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from equiv.decide import Decider, Decision
from equiv.verdict import Answer
from translate import terms as tm
from translate.readings.candidates import split
from translate.terms import Term
from witness.counting import Counter, counters
from witness.plain_equality import PlainEquality
from witness.same_output import Relation, sequences_in
from witness.shares import share_of
from witness.subject import Output, Subject
from witness.type_invariants import invariants

#: What one of these attempts may cost, as a share of the budget.
SHARE: Final = 0.3
#: Instances of one `forall` that names are put into.
INSTANCES: Final = 24


@dataclass(slots=True)
class Copies:
    """The contract in two copies. `given` are the conditions on the inputs, `first` and `second` those on the outputs."""

    subject: Subject
    given: list[Term]
    first: list[Term]
    second: list[Term]

    @property
    def premises(self) -> list[Term]:
        return [*self.given, *self.first, *self.second]

    @property
    def variables(self) -> list[Term]:
        outputs = self.subject.outputs
        return [*self.subject.contract.inputs, *(o.first for o in outputs), *(o.second for o in outputs)]


def two_copies(subject: Subject) -> Copies:
    """The contract twice, with what Verus assumes of every value of a type with an invariant."""
    contract = subject.contract
    given = [*(c.term for c in contract.requires), *(t for v in contract.inputs for t in invariants(subject, v))]
    first = [*(c.term for c in contract.ensures), *(t for o in subject.outputs for t in invariants(subject, o.first))]
    return Copies(subject, given, first, [renamed(t, subject.outputs) for t in first])


def renamed(t: Term, outputs: Sequence[Output]) -> Term:
    """A term about the first copy of the outputs, about the second."""
    to = {o.first: o.second for o in outputs}
    return tm.rewrite(t, to.get)


class Proofs:
    """Proofs about the copies of one subject. `sure` grows by what was proved of them on the way."""

    def __init__(self, copies: Copies, decider: Decider) -> None:
        self.copies, self.decider = copies, decider
        self._counting: list[Counter] | None = None
        self.sure: list[Term] = []

    def ask(self, goal: Term, more: Sequence[Term] = (), names: Sequence[Term] = ()) -> Decision:
        """The portfolio on a goal about the copies; `more` are further premises, over `names` besides the copies' variables."""
        return self.decider.implied([*self.copies.premises, *self.sure, *more], goal, [*self.copies.variables, *names])

    def _proves(self, goal: Term, more: Sequence[Term] = (), names: Sequence[Term] = ()) -> bool:
        return self.ask(goal, more, names).answer is Answer.PROVED

    def one_sided(self, output: Output) -> bool:
        """Each one-sided part, in this order of the copies."""
        known: list[Term] = []
        with share_of(self.decider, SHARE):
            for half in output.sameness.halves(output.first, output.second):
                if not self._proves(half, known):
                    return False
                known += [half, self._swapped(half)]
        return True

    def _swapped(self, t: Term) -> Term:
        outputs = self.copies.subject.outputs
        to = {o.first: o.second for o in outputs} | {o.second: o.first for o in outputs}
        return tm.rewrite(t, to.get)

    def by_equality(self, output: Output) -> bool:
        """In the plain theory of equality: what two equations say of `f(y)` and `f(y′)` is often enough. Conjunctions behind the
        names of predicates are looked into."""
        theory = PlainEquality()
        given = [*self.copies.premises, *self.sure]
        given = list(dict.fromkeys([*given, *(c for t in given for c in split(t, True))]))
        premises = [theory.plain(t) for t in given]
        variables = [theory.plain(v) for v in self.copies.variables]
        goals = dict.fromkeys((tm.and_(split(output.same, True)), output.same))
        with share_of(self.decider, SHARE):
            return any(self.decider.proved_by_z3(premises, theory.plain(g), variables, 1.0) for g in goals)

    def by_elements(self, output: Output) -> bool:
        """Each one-sided part, those about all elements at one element, with what the contract's equations of sequences say about
        that element and its neighbours: a solver seldom thinks of a neighbour by itself. The views of values are taken as unknown
        ones where only these count."""
        views = self._views(output)
        premises = [tm.rewrite(t, views.get) for t in (*self.copies.premises, *self.sure)]
        known: list[Term] = []
        with share_of(self.decider, SHARE):
            for half in output.sameness.halves(output.first, output.second):
                here = tm.rewrite(half, views.get)
                names = tuple(tm.var(f"%at {k}", s) for k, s in enumerate(here.data)) if here.op == "forall" else ()
                goal = tm.instantiate(here.args[0], names) if names else here
                places = [tm.arith("add", n, tm.lit(by)) for n in names if n.sort is tm.INT for by in (0, 1, -1)]
                given = [_elementwise(t, places) for t in (*premises, *known)]
                variables = [*self.copies.variables, *views.values(), *names]
                if self.decider.implied(given, goal, variables).answer is not Answer.PROVED:
                    return False
                known += [here, tm.rewrite(self._swapped(half), views.get)]
        return True

    def _views(self, output: Output) -> dict[Term, Term]:
        """Variables for the views of values in the copies, where an output counts by its view."""
        if output.sameness.relation is not Relation.VIEW:
            return {}
        symbols = {t.data for t in tm.subterms(output.same) if t.op == "app"}
        found = {s for t in self.copies.premises for s in tm.subterms(t) if s.op == "app" and s.data in symbols and not s.loose}
        return {t: tm.var(f"%view {k}", t.sort) for k, t in enumerate(sorted(found, key=lambda t: t.tag))}

    def rearranges(self, output: Output) -> bool:
        """Whether the argument about sorted arrangements can be of use for an output."""
        if output.sameness.relation is not Relation.SAME:
            return False
        if not any(a.sort.element.is_integer for a, _ in sequences_in(output.first, output.second)):
            return False
        return any(map(_mentions_multiset, self.copies.first)) or bool(self._counters())

    def sorted_arrangements(self, output: Output) -> bool:
        """Sequences of integers whose multisets are the same and in which any two entries stand in order (`<=`, or `>=`)."""
        with share_of(self.decider, SHARE):
            pairs = [(a, b) for a, b in sequences_in(output.first, output.second) if a.sort.element.is_integer]
            lemmas = [tm.eq(a, b) for a, b in pairs if self._arranges(a, b)]
            return bool(lemmas) and self._proves(output.same, lemmas)

    def _arranges(self, a: Term, b: Term) -> bool:
        if not self._same_entries(a, b):
            return False
        return self._proves(in_order(a, up=True)) or self._proves(in_order(a, up=False))

    def _same_entries(self, a: Term, b: Term) -> bool:
        """Whether two sequences have the same multiset, in vstd's words or by a counting function of the file."""
        for counter in self._counters():
            if counter.symbol.params[counter.sequence] is a.sort:
                x = tm.var("%x", a.sort.element)
                same = tm.quantify("forall", (x.sort,), tm.abstract(tm.eq(counter.at(a, x), counter.at(b, x)), (x,)))
                if self._proves(same):
                    return True
        if not any(map(_mentions_multiset, self.copies.first)):
            return False
        bag = tm.multiset_sort(a.sort.element)
        return self._proves(tm.eq(tm.mk("seq.to_multiset", (a,), bag), tm.mk("seq.to_multiset", (b,), bag)))

    def _counters(self) -> list[Counter]:
        if self._counting is None:
            symbols = dict.fromkeys(s for t in self.copies.first for s in tm.symbols(t))
            self._counting = counters(list(symbols), lambda p, g, v: self.decider.proved_by_z3(p, g, v, SHARE))
        return self._counting

    def by_names(self, output: Output) -> bool:
        """With names for what each copy says exists, and the outputs that are numbers, put into what either says of all."""
        first = [c for t in self.copies.first for c in split(t, True)]
        second = [c for t in self.copies.second for c in split(t, True)]
        names: list[Term] = []
        more = [*_named(first, "", names), *_named(second, "′", names)]
        numbers = [v for o in self.copies.subject.outputs for v in (o.first, o.second) if v.sort.is_integer]
        if not names and not numbers:
            return False
        given = [c for t in self.copies.given for c in split(t, True)]
        for t in (*first, *second, *given):
            if t.op == "forall":
                pools = [[v for v in (*numbers, *names) if v.sort is s or (s is tm.INT and v.sort.is_integer)] for s in t.data]
                more += [tm.instantiate(t.args[0], args) for args in list(product(*pools))[:INSTANCES]]
        with share_of(self.decider, SHARE):
            return all(self._proves(half, more, names) for half in output.sameness.halves(output.first, output.second))


def _named(conjuncts: Sequence[Term], mark: str, names: list[Term]) -> list[Term]:
    """What holds of the things that `exists` clauses speak of, under names of their own."""
    facts = []
    for t in conjuncts:
        if t.op == "exists":
            own = tuple(tm.var(f"%{len(names) + k}{mark}", s) for k, s in enumerate(t.data))
            names.extend(own)
            facts.append(tm.instantiate(t.args[0], own))
    return facts


def _elementwise(t: Term, places: Sequence[Term]) -> Term:
    """A term in which each equation of sequences also says what follows about some places: the same statement."""

    def f(t: Term) -> Term | None:
        if t.op != "eq" or t.args[0].sort.kind != "seq" or t.loose:
            return None
        a, b = t.args
        length = tm.mk("seq.len", (a,), tm.NAT)
        each = []
        for i in places:
            inside = tm.and_([tm.arith("le", tm.ZERO, i), tm.arith("lt", i, length)])
            each.append(tm.implies(inside, tm.eq(*(tm.mk("seq.index", (s, i), s.sort.element) for s in (a, b)))))
        return tm.and_([t, *each])

    return tm.rewrite(t, f)


def in_order(s: Term, *, up: bool) -> Term:
    """That any two entries of a sequence of integers stand in order."""
    i, j = tm.var("%i", tm.INT), tm.var("%j", tm.INT)
    length = tm.mk("seq.len", (s,), tm.NAT)
    inside = tm.and_([tm.arith("le", tm.ZERO, i), tm.arith("lt", i, j), tm.arith("lt", j, length)])
    before, after = (tm.mk("seq.index", (s, k), s.sort.element) for k in (i, j))
    ordered = tm.arith("le", before, after) if up else tm.arith("le", after, before)
    return tm.quantify("forall", (tm.INT, tm.INT), tm.abstract(tm.implies(inside, ordered), (i, j)))


def _mentions_multiset(t: Term) -> bool:
    bodies = [t, *(s.body for s in tm.symbols(t) if s.body is not None)]
    return any(s.op == "seq.to_multiset" for b in bodies for s in tm.subterms(b))
