"""Cases against a contract: each expected output must satisfy it, and no other output may.

In: a subject, its composer, the values of a case. Out: a `CaseAnswer`. The input is concrete, so these questions are easier than
those about all inputs; the answers are the evaluator's where it has one, else the solver's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from equiv.decide import pinned
from equiv.replay import value_at
from equiv.verdict import Answer
from translate import terms as tm
from translate.elaborate.contracts import Clause
from translate.readings.outcomes import EvaluationError
from translate.terms import Term
from translate.values import Value, render_rust
from witness.composition import Composer
from witness.finding import Bindings, CaseAnswer, Fit
from witness.given_cases import GivenCase
from witness.same_output import Relation
from witness.value_terms import literal, literal_sort


class CaseJudge:
    """Judges the cases of one function."""

    def __init__(self, composer: Composer) -> None:
        self.composer, self.subject, self.decider = composer, composer.subject, composer.decider

    def judge(self, case: GivenCase, values: Mapping[Term, Value], *, determined: bool) -> CaseAnswer:
        """How the contract takes a case. `determined`: it is proved that one input has one output. Of outputs that the case does
        not give, some value must do."""
        contract = self.subject.contract
        inputs = _bindings(contract.inputs, values)
        expected = _bindings([o.first for o in self.subject.outputs], values)

        def answer(fit: Fit, why: str, clauses: Sequence[Clause] = (), other: Bindings = ()) -> CaseAnswer:
            return CaseAnswer(case.number, inputs, expected, fit, why, tuple(map(self.subject.ref, clauses)), other)

        refused, unsure = self._failing(contract.requires, values)
        if refused:
            return answer(Fit.REFUSED, "the contract does not accept this input", refused)
        forbidden, open_ = self._failing(contract.ensures, values)
        if forbidden:
            return answer(Fit.FORBIDDEN, "the contract forbids this output", forbidden)
        if unsure or open_:
            return answer(Fit.UNDECIDED, "neither shown to hold nor to fail", [*unsure, *open_])
        at = _At(values) if all(literal_sort(v.sort) for v in values) else None
        if not all(o.first in values for o in self.subject.outputs):
            completed = None if at is None else self._completed(at)
            if completed is False:
                return answer(Fit.FORBIDDEN, "no output that satisfies the contract has these values")
            if completed is None:
                return answer(Fit.UNDECIDED, "no output that satisfies the contract and has these values was found")
        if determined or all(o.sameness.relation is Relation.ANY for o in self.subject.outputs):
            return answer(Fit.FITS, "the expected output satisfies the contract")
        if at is None:
            return answer(Fit.UNDECIDED, "it satisfies the contract; another output was not looked for: type parameters")
        other = self._another(at)
        if other is None:
            return answer(Fit.FITS, "no other output satisfies the contract")
        if isinstance(other, str):
            return answer(Fit.UNDECIDED, f"it satisfies the contract; whether another output does is open; tried: {other}")
        return answer(Fit.LOOSE, "the contract admits another output for this input; replayed by the evaluator", (), other)

    def _failing(self, clauses: Sequence[Clause], values: Mapping[Term, Value]) -> tuple[list[Clause], list[Clause]]:
        """The clauses that do not hold, and those of which it is not known. A clause about an output that the case does not give
        is left out."""
        failing, unsure = [], []
        known = {*self.subject.contract.inputs, *values}
        for clause in clauses:
            free = tm.free_variables(clause.term)
            if any(v not in values and v in self.subject.contract.variables for v in free):
                continue
            verdict = self._holds(clause.term, {v: values[v] for v in free if v in known})
            if verdict is False:
                failing.append(clause)
            elif verdict is None:
                unsure.append(clause)
        return failing, unsure

    def _holds(self, t: Term, values: Mapping[Term, Value]) -> bool | None:
        try:
            return bool(value_at(t, values, self.decider.word_bits))
        except EvaluationError:
            names = list(values)
        pins = [p for v in names for p in pinned(v, values[v])]
        if self.decider.implied(pins, t, names).answer is Answer.PROVED:
            return True
        return False if self.decider.implied(pins, tm.not_(t), names).answer is Answer.PROVED else None

    def _completed(self, at: _At) -> bool | None:
        """Whether outputs with the given values satisfy the contract: True with an example, False by proof."""
        conditions = [*at.pins, *map(at.concrete, (*self.composer.copies.given, *self.composer.copies.first))]
        names = [*at.fresh, *(o.first for o in self.subject.outputs if o.first not in at.values)]
        if self.decider.find(conditions, names) is not None:
            return True
        return False if self.decider.contradictory(conditions, names) else None

    def _another(self, at: _At) -> Bindings | str | None:
        """Another output at an input: one that differs in what the case gives. None where it is proved that there is none, else
        what was tried."""
        copies, given = self.composer.copies, [o for o in self.subject.outputs if o.first in at.values]
        conditions = [*at.pins, *map(at.concrete, (*copies.given, *copies.second))]
        same = at.concrete(tm.and_(o.same for o in given))
        names = [*at.fresh, *(o.second for o in self.subject.outputs)]
        decision = self.decider.implied(conditions, same, names)
        if decision.answer is Answer.PROVED:
            return None
        found = decision.values
        if decision.answer is Answer.REFUTED and found is not None and decision.why_not is None:
            other = {o.second: found[o.second] for o in self.subject.outputs}
            if self.composer.admits(at.values, other):
                return tuple((o.name, render_rust(other[o.second], o.second.sort)) for o in self.subject.outputs)
        return decision.method


class _At:
    """A case as terms: `concrete` puts its values into a term; `pins` say what the executable collections among them (`fresh`)
    hold."""

    def __init__(self, values: Mapping[Term, Value]) -> None:
        self.values = values
        self.pins: list[Term] = []
        self.fresh: list[Term] = []
        self._to = {v: literal(x, v.sort, self.pins, self.fresh, v) for v, x in values.items()}

    def concrete(self, t: Term) -> Term:
        return tm.rewrite(t, self._to.get)


def _bindings(variables: Sequence[Term], values: Mapping[Term, Value]) -> Bindings:
    return tuple((str(v.data), render_rust(values[v], v.sort)) for v in variables if v in values)
