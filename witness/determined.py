"""The audit of a user's own contract: does it pin the output down?

In: a source text, the functions to look at, what was declared about them, cases. Out: a `FindReport` for each function: whether
one input has one output (proved), or an input with two (replayed); which clauses are redundant and which carry weight; what the
contract says of the cases.

An answer about a file of which something was not read for certain is no answer: what stands there may define anything.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from equiv.decide import DEFAULT_BUDGET, Decider
from equiv.meaning import definition_place, place
from equiv.verdict import Answer
from translate import syntax as sx
from translate import terms as tm
from translate.elaborate.inference import Unsupported
from translate.names import Crate, Ref
from translate.parser import ParseFailure
from translate.room import deep_stack
from translate.source import SourceText
from translate.values import Value, render_rust
from witness.clause_weight import weigh
from witness.composition import Composer, OutputDecision, Two
from witness.declared import DeclarationError, Declared
from witness.expected_outputs import CaseJudge
from witness.finding import Bindings, CaseAnswer, FindReport, OutputAnswer, Pinned, TwoOutputs
from witness.given_cases import GivenCase, case_values
from witness.same_output import DoesNotApply, Relation, Sameness, has_float
from witness.subject import NoOutput, Output, Subject, SubjectFile

REPLAYED = "confirmed by the evaluator"
#: What is often left open on purpose, the most telling first.
HINTS = {
    Relation.VIEW: "have the same view",
    Relation.PERMUTATION: "hold the same entries in another order",
    Relation.INDEX: "differ only in their positions",
}


def find(
    source: SourceText,
    fns: Sequence[str] = (),
    *,
    declared: Mapping[str, list[Declared]] | None = None,
    everywhere: Sequence[Declared] = (),
    cases: Sequence[GivenCase] = (),
    budget: int = DEFAULT_BUDGET,
) -> list[FindReport]:
    """The report on each function named (all with a contract, if none is): in the order of the file.

    Raises `equiv.targets.UnknownTarget`, `witness.declared.DeclarationError`, `witness.given_cases.CaseError`, and `NoOutput`
    where a function was named that has no output (others without one are left out).
    """
    with deep_stack(), tm.own_terms():
        file = SubjectFile(source, declared or {}, everywhere)
        targets = file.targets(fns)
        reports = []
        for ref in targets:
            about = [c for c in cases if c.is_about(ref.path, len(targets) == 1)]
            try:
                reports.append(_report(file, ref, about, budget))
            except NoOutput:
                if fns:
                    raise
        if file.misfits:
            raise DeclarationError(next(iter(file.misfits.values())))
        return reports


def _report(file: SubjectFile, ref: Ref, cases: Sequence[GivenCase], budget: int) -> FindReport:
    where = definition_place(ref)
    try:
        subject = file.subject(ref)
    except (Unsupported, ParseFailure, RecursionError) as problem:
        return FindReport(ref.path, where, Pinned.UNSUPPORTED, _unread(file.crate, problem))
    floats = [o.name for o in subject.outputs if has_float(o.first.sort)]
    if floats:
        return FindReport(ref.path, where, Pinned.UNSUPPORTED, f"`{floats[0]}` has floats, whose equality is not modelled")
    given = [(c, case_values(c, subject.contract)) for c in cases]
    decider = Decider(budget, word_bits=file.crate.word_bits or 64)
    try:
        return _Audit(subject, decider).report(given)
    except Exception as error:
        if os.environ.get("SAMESPEC_DEBUG"):
            raise
        message = f"internal error ({type(error).__name__}: {error}); please report it with the file"
        return FindReport(ref.path, where, Pinned.UNSUPPORTED, message[:400])


class _Audit:
    """One function."""

    def __init__(self, subject: Subject, decider: Decider) -> None:
        self.subject, self.decider = subject, decider
        self.composer = Composer(subject, decider)
        self.notes: list[str] = []

    def report(self, cases: Sequence[tuple[GivenCase, dict[tm.Term, Value]]]) -> FindReport:
        subject = self.subject
        decisions = self._decided()
        outputs = [self._output(d) for d in decisions]
        for d in decisions:
            if d.answer is Answer.REFUTED and d.two is not None:
                self._hint(d.output, d.two)
                break
        two = next((o.found for o in outputs if o.answer is Pinned.TWO_OUTPUTS), None)
        answer, why = self._answer(outputs)
        judge = CaseJudge(self.composer)
        judged: list[CaseAnswer] = [
            judge.judge(c, values, determined=answer is Pinned.DETERMINED) for c, values in cases
        ]
        weights = weigh(subject, self.decider)
        if self.decider.distrusted:
            names = ", ".join(f"`{s.name}`" for s in self.decider.distrusted)
            self.notes.append(f"not shown to end, so taken as unknown functions in proofs: {names}")
        return FindReport(
            subject.path,
            subject.place,
            answer,
            why,
            two,
            tuple(outputs),
            weights.answers,
            tuple(map(subject.ref, weights.removable)),
            tuple(judged),
            tuple(self.notes),
        )

    def _hint(self, output: Output, two: Two) -> None:
        """A note where two outputs are the same but for something that authors often leave open on purpose."""
        if output.sameness.relation is not Relation.SAME:
            return
        for relation, words in HINTS.items():
            looser = Sameness(relation, output.sameness.view)
            try:
                looser.check_applies(output.first.sort)
            except DoesNotApply:
                continue
            if self.composer.objection_to(looser.term(output.first, output.second), two.values) is None:
                self.notes.append(f"the two {words}; if that is meant, declare it: --any-of {relation}")
                return

    def _decided(self) -> list[OutputDecision]:
        """The decision on each output. The result comes first: what is known of it helps with what is behind a `&mut`."""
        decisions: dict[Output, OutputDecision] = {}
        for o in reversed(self.subject.outputs):
            free = o.sameness.relation is Relation.ANY
            decisions[o] = OutputDecision(o, Answer.PROVED, "declared") if free else self.composer.decide(o)
        return [decisions[o] for o in self.subject.outputs]

    def _output(self, d: OutputDecision) -> OutputAnswer:
        found = None if d.two is None else self._shown(d.two)
        if d.output.sameness.relation is Relation.ANY:
            answer = Pinned.DECLARED
        elif d.answer is Answer.PROVED:
            answer = Pinned.DETERMINED
        elif d.answer is Answer.REFUTED:
            answer = Pinned.TWO_OUTPUTS
        else:
            answer = Pinned.UNDECIDED
        return OutputAnswer(d.output.name, str(d.output.first.sort), d.output.declared, answer, d.method, found)

    def _shown(self, two: Two) -> TwoOutputs:
        def bindings(variables: Sequence[tm.Term], names: Sequence[tm.Term]) -> Bindings:
            return tuple(
                (str(n.data), render_rust(two.values[v], v.sort))
                for v, n in zip(variables, names, strict=True)
                if v in two.values
            )

        inputs, outputs = self.subject.contract.inputs, self.subject.outputs
        first, second = [o.first for o in outputs], [o.second for o in outputs]
        replayed = two.why_not is None
        how = REPLAYED if replayed else str(two.why_not)
        return TwoOutputs(bindings(inputs, inputs), bindings(first, first), bindings(second, first), replayed, how)

    def _answer(self, outputs: Sequence[OutputAnswer]) -> tuple[Pinned, str]:
        answers = [o.answer for o in outputs]
        doubt = ""
        if self.subject.doubts:
            at, what = self.subject.doubts[0]
            doubt = f"not read at {at} ({what}); what stands there may change the contract"
        if Pinned.TWO_OUTPUTS in answers:
            if doubt:
                self.notes.append(doubt)
            return Pinned.TWO_OUTPUTS, ""
        if doubt:
            return Pinned.UNSUPPORTED, doubt
        contradiction = self._contradiction()
        if contradiction is not None:
            return Pinned.CONTRADICTORY, contradiction
        if Pinned.UNDECIDED in answers:
            return Pinned.UNDECIDED, "neither proved that one input has one output, nor found an input with two"
        if Pinned.DETERMINED not in answers:
            return Pinned.DECLARED, "every output that satisfies the contract was declared to be fine"
        return Pinned.DETERMINED, ""

    def _contradiction(self) -> str | None:
        """Why the contract says nothing at all: a proof from contradictory clauses proves everything."""
        copies, decider = self.composer.copies, self.decider
        if decider.find([*copies.given, *copies.first], self.subject.contract.variables) is not None:
            return None
        if decider.contradictory(copies.given, self.subject.contract.inputs):
            return "no input satisfies the preconditions: the function cannot be called"
        if decider.contradictory([*copies.given, *copies.first], self.subject.contract.variables):
            return "no output satisfies the postconditions for any input: the function cannot be implemented"
        self.notes.append("no input with an output that satisfies the contract was found")
        return None


def _unread(crate: Crate, problem: Exception) -> str:
    """What stood in the way of reading a contract, and where."""
    if isinstance(problem, Unsupported):
        at = ""
        if isinstance(problem.crate, Crate) and isinstance(problem.span, sx.Span):
            at = f" at {place(problem.crate, problem.span.start)}"
        return f"not translated: {problem.construct}{at}"
    if isinstance(problem, ParseFailure):
        return f"not translated: {problem.construct}: {problem.message} at {place(crate, problem.span.start)}"
    return "not translated: an expression nested too deeply"
