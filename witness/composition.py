"""Self-composition: whether a contract admits two outputs for one input.

In: a subject (a contract over two copies of its outputs). Out: for each output a decision: proved (any two outputs that satisfy
the contract count as the same), refuted (an input and two outputs, confirmed by the evaluator), or unknown.

    P(x) and Q(x, y) and Q(x, y′)  ⇒  same(y, y′)

is put to the portfolio of `equiv.decide`. Besides, it is tried

- in the plain theory of equality (first of all, as it costs next to nothing);
- by the lemma that two arrangements of one multiset in which any two entries stand in order are the same sequence;
- one-sidedly: the copies can be exchanged, so `y′ <= y` for any two outputs is as much as `y == y′`;
- element by element, with the neighbours of the element in question;
- with the outputs' witnesses put into the other copy's `forall`;
- by a search at small inputs, one after another.

Two laws: "determined" needs a proof, and "two outputs" needs values that the evaluator, which shares no code with the solver,
confirms: every clause holds for both, and they do not count as the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from equiv.decide import Decider, Decision, in_words
from equiv.recursion import terminates
from equiv.replay import value_at
from equiv.verdict import Answer
from translate import terms as tm
from translate.readings.candidates import enumerate_inputs, search
from translate.readings.evaluate import in_range
from translate.readings.outcomes import EvaluationError
from translate.terms import Term
from translate.values import Value
from witness.copies import Proofs, two_copies
from witness.same_output import visible
from witness.subject import Output, Subject, recursive_symbols
from witness.type_invariants import invariants_hold
from witness.value_terms import literal, literal_sort

#: Inputs that the search for two outputs tries one by one, and the steps it may spend on each, as a share of the budget.
INPUTS: Final = 60
INPUT_SHARE: Final = 0.001
#: What a proof by the lemma on sorted arrangements is called.
SORTED: Final = "sorted arrangements of one multiset"

Values = dict[Term, Any]


@dataclass(frozen=True, slots=True)
class Two:
    """An input and two outputs for it. `values` assigns the inputs and both copies of the outputs; `why_not` says why the
    evaluator could not confirm it (None: it did)."""

    values: Values
    why_not: str | None = None


@dataclass(slots=True)
class OutputDecision:
    """The decision on one output."""

    output: Output
    answer: Answer
    method: str
    two: Two | None = None
    rlimit: int = 0


class Composer:
    """Decides about one subject. What recursive functions say is used only where they are shown to end."""

    def __init__(self, subject: Subject, decider: Decider) -> None:
        self.subject, self.decider = subject, decider
        self.copies = two_copies(subject)
        self.proofs = Proofs(self.copies, decider)
        for sym in recursive_symbols([*self.copies.given, *self.copies.first, *(o.same for o in subject.outputs)]):
            if sym not in decider.distrusted and not terminates(sym, self._prove):
                decider.distrusted.add(sym)

    def _prove(self, premises: Sequence[Term], goal: Term, variables: Sequence[Term]) -> bool:
        return self.decider.proved_by_z3(premises, goal, variables, 0.2)

    def decide(self, output: Output) -> OutputDecision:
        """Whether the contract determines one output."""
        proofs = self.proofs
        if proofs.by_equality(output):
            return self._proved(output, "plain equality")
        if proofs.rearranges(output) and proofs.sorted_arrangements(output):
            return self._proved(output, SORTED)
        decision = proofs.ask(output.same)
        if decision.answer is Answer.PROVED:
            return self._proved(output, decision.method, decision.rlimit)
        found = self._confirmed(decision)
        if found is not None and found.why_not is None:
            return OutputDecision(output, Answer.REFUTED, decision.method, found, decision.rlimit)
        tried = list(decision.tried)
        for name, attempt in (
            ("one-sided", proofs.one_sided),
            ("element by element", proofs.by_elements),
            ("names for what exists", proofs.by_names),
        ):
            if attempt(output):
                return self._proved(output, name)
            tried.append(name)
        at_small = self._at_small_inputs(output)
        if at_small is not None:
            return OutputDecision(output, Answer.REFUTED, "search at small inputs", at_small)
        tried.append(f"search at {INPUTS} small inputs")
        return OutputDecision(output, Answer.UNKNOWN, "; ".join(tried), found, decision.rlimit)

    def _proved(self, output: Output, method: str, rlimit: int = 0) -> OutputDecision:
        self.proofs.sure.append(output.same)
        return OutputDecision(output, Answer.PROVED, method, None, rlimit)

    # --- values ----------------------------------------------------------------------------------------------------

    def _confirmed(self, decision: Decision) -> Two | None:
        if decision.answer is not Answer.REFUTED:
            return None
        if decision.values is None:
            return Two(decision.partial, str(decision.why_not))
        return self.confirm(decision.values)

    def confirm(self, values: Values) -> Two:
        """The evaluator's word on an input and two outputs."""
        return Two(values, self._objection(values))

    def _objection(self, values: Values) -> str | None:
        """Why values are not an input with two outputs, as far as the evaluator can tell; None where they are."""
        outputs, bits = self.subject.outputs, self.decider.word_bits
        wanted = self.copies.variables
        if any(v not in values for v in wanted):
            return "the model leaves a value open"
        if not all(in_range(values[v], v.sort, bits) for v in wanted):
            return "a value is out of the range of its type"
        for t in self.copies.premises:
            problem = self.objection_to(t, values)
            if problem is not None:
                return problem
        for v in wanted:
            if not invariants_hold(self.subject, values[v], v.sort, bits):
                return f"the type invariant of {v.data} is not confirmed"
        if all(visible(values[o.first]) == visible(values[o.second]) for o in outputs):
            return "a program sees no difference between the two outputs"
        problems = [self.objection_to(tm.not_(o.same), values) for o in outputs]
        return None if None in problems else problems[0]

    def admits(self, values: Mapping[Term, Value], other: Mapping[Term, Value]) -> bool:
        """Whether the evaluator confirms that `other`, values of the second copy, is an output at the input in `values`, and that
        it does not count as the same as what `values` says of the outputs."""
        both = {**values, **other}
        bits = self.decider.word_bits
        if not all(in_range(x, v.sort, bits) and invariants_hold(self.subject, x, v.sort, bits) for v, x in both.items()):
            return False
        if any(self.objection_to(t, both) is not None for t in (*self.copies.given, *self.copies.second)):
            return False
        given = [o for o in self.subject.outputs if o.first in values]
        differs = any(visible(values[o.first]) != visible(other[o.second]) for o in given)
        return differs and any(self.objection_to(tm.not_(o.same), both) is None for o in given)

    def objection_to(self, t: Term, values: Mapping[Term, Value]) -> str | None:
        """None where the evaluator finds a formula true, else why it does not."""
        try:
            answer = value_at(t, values, self.decider.word_bits)
        except EvaluationError as problem:
            return in_words(problem)
        return None if answer is True else "the evaluator finds a clause that does not hold"

    def _at_small_inputs(self, output: Output) -> Two | None:
        """Two outputs at one of the smallest inputs that the contract accepts."""
        contract, bits = self.subject.contract, self.decider.word_bits
        inputs = list(contract.inputs)
        if not all(literal_sort(v.sort) for v in inputs):
            return None
        steps = int(self.decider.budget * INPUT_SHARE)
        for chosen in enumerate_inputs(inputs, self.copies.premises, INPUTS, usize_bits=bits):
            at = dict(zip(inputs, chosen, strict=True))
            if any(self.objection_to(t, at) is not None for t in self.copies.given):
                continue
            found = self.two_outputs_at(at, output, steps)
            if found is not None and found.why_not is None:
                return found
        return None

    def two_outputs_at(self, at: Values, output: Output, steps: int) -> Two | None:
        """The search for two outputs at one input, within so many steps of the evaluator."""
        pins: list[Term] = []
        fresh: list[Term] = []
        to = {v: literal(x, v.sort, pins, fresh, v) for v, x in at.items()}
        conditions = [tm.rewrite(t, to.get) for t in (*self.copies.first, *self.copies.second)]
        wanted = tm.rewrite(tm.not_(output.same), to.get)
        names = [*fresh, *(o.first for o in self.subject.outputs), *(o.second for o in self.subject.outputs)]
        try:
            found = search([*pins, *conditions], wanted, names, budget=steps, usize_bits=self.decider.word_bits)
        except EvaluationError:
            return None
        return None if found is None else self.confirm({**at, **{v: x for v, x in found.items() if v not in fresh or v in at}})
