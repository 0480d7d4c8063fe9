"""The four gates.

In: a task, candidates. Out: a `Judgement` for each: what every gate said, with evidence. All gates are asked, whatever the others
say, so that a search that is told about them hears everything; all candidates of one call share one crate at gates 3 and 4.

1. `admitted`: it verifies under S⁻ (Verus where installed, else `witness.embedded`);
2. `rejected`: with the omitted postcondition restored, verification fails;
3. `runs`: it compiles, and runs to an end on every visible case, without a panic;
4. `disagrees`: on a visible case its output (result, and `&mut` parameters on return) is not the official one.

What the compiled program prints is compared with what samespec computes. If the two ever differ, samespec reads the expression
wrongly, and what its own verifier says about it counts for nothing: the gates that rest on it are unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from equiv.verdict import Answer
from referee.verus import Verus
from translate.values import Value, render_rust
from witness import verus_gates
from witness.contract import Opened, WitnessError, open_function, working
from witness.data import from_json, to_json
from witness.embedded import BUDGET, Point, Verified, Verifier
from witness.expressions import Node
from witness.language import NotAllowed, explain, read_expression
from witness.model import Candidate, Case, Gate, GateResult, Json, Judgement, Outcome, Task
from witness.numbers import CallsItself, Panic
from witness.parser_repair import repair
from witness.program import Answer as Printed
from witness.program import Machine, Ran, run_expressions
from witness.run import run


@dataclass(frozen=True, slots=True)
class Means:
    """Who judges: a machine with rustc (None: gates 3 and 4 are unknown), Verus (None: the embedded verifier), the budget of one
    obligation in Z3's resource units."""

    machine: Machine | None
    verus: Verus | None = None
    budget: int = BUDGET


def read_candidate(
    task: Task, text: str, *, call: int = 1, origin: str = "given", parser_repair: bool = False
) -> Candidate:
    """A text as a candidate for a task; with `parser_repair` the wrapper mends its syntax first, where it has to."""
    with working():
        return _read(open_weakened(task), text, call, origin, parser_repair)


def _read(opened: Opened, text: str, call: int, origin: str, parser_repair: bool) -> Candidate:
    expression, problem = text.strip(), _problem(opened, text.strip())
    repairs: tuple[str, ...] = ()
    if problem is not None and parser_repair:
        mended, done = repair(text)
        if done:
            expression, repairs, problem = mended, done, _problem(opened, mended)
    return Candidate(text, expression, problem, repairs, call, origin)


def _problem(opened: Opened, expression: str) -> str | None:
    try:
        read_expression(expression, opened)
    except NotAllowed as refused:
        return explain(expression, refused)
    return None


def open_weakened(task: Task) -> Opened:
    return open_function(f"{task.name}/weakened.rs", task.weakened, task.function)


def open_full(task: Task) -> Opened:
    return open_function(f"{task.name}/full.rs", task.full, task.function)


def judge(task: Task, candidates: Sequence[Candidate], means: Means) -> list[Judgement]:
    """What the gates say about candidates of a task, in their order."""
    with working():
        return _Judge(task, means).judge(candidates)


class _Judge:
    def __init__(self, task: Task, means: Means) -> None:
        self.task, self.means = task, means
        self.weak, self.full = open_weakened(task), open_full(task)
        self.cases = [*task.visible, *task.withheld]
        self._verifiers: tuple[Verifier, Verifier] | None = None

    @property
    def verifiers(self) -> tuple[Verifier, Verifier]:
        """The embedded verifier under S⁻ and under S."""
        if self._verifiers is None:
            self._verifiers = Verifier(self.weak, self.means.budget), Verifier(self.full, self.means.budget)
        return self._verifiers

    def judge(self, candidates: Sequence[Candidate]) -> list[Judgement]:
        trees = [read_expression(c.expression, self.weak) if c.parses else None for c in candidates]
        rans = self._run([(c, t) for c, t in zip(candidates, trees, strict=True) if t is not None])
        found = []
        for candidate, tree in zip(candidates, trees, strict=True):
            if tree is None:
                found.append(Judgement(candidate, tuple(_refused(g, candidate) for g in Gate)))
            else:
                found.append(self._judge_one(candidate, tree, rans.pop(0)))
        return found

    def _run(self, parsed: Sequence[tuple[Candidate, Node]]) -> list[Ran | None]:
        if self.means.machine is None or not parsed:
            return [None] * len(parsed)
        task = self.task
        sorts = [p.sort for p in task.parameters]
        inputs = [[to_json(x, s) for x, s in zip(c.inputs, sorts, strict=True)] for c in self.cases]
        pairs = [(c.expression, t) for c, t in parsed]
        return list(
            run_expressions(task.implementation, task.function, task.parameters, pairs, inputs, self.means.machine)
        )

    def _judge_one(self, candidate: Candidate, tree: Node, ran: Ran | None) -> Judgement:
        one, two = self._verify(candidate, tree)
        three = self._runs(ran)
        outputs = self._outputs(ran)
        four, divergences = self._disagrees(ran, outputs)
        wrong = self._misread(tree, ran, outputs)
        if wrong is not None:
            doubt = f"samespec and the compiled program compute different values: {wrong}; please report task and candidate"
            one, two = (_doubted(g, doubt) for g in (one, two))
        withheld = None
        if ran is not None and ran.compiled and not ran.stopped:
            rest = zip(self.task.withheld, outputs[len(self.task.visible) :], strict=True)
            withheld = sum(o is not None and not self._agrees(c, o) for c, o in rest)
        return Judgement(candidate, (one, two, three, four), divergences, withheld)

    # --- gates 1 and 2 ---------------------------------------------------------------------------------------------------

    def _verify(self, candidate: Candidate, tree: Node) -> tuple[GateResult, GateResult]:
        if self.means.verus is not None:
            if self.means.machine is None:
                raise WitnessError("Verus needs a Rust toolchain, and there is none here; install Rust (https://rustup.rs)")
            runner, function = self.means.machine.runner, self.task.function
            weak = verus_gates.ask(self.weak, candidate.expression, self.means.verus, runner)
            full = verus_gates.ask(self.full, candidate.expression, self.means.verus, runner)
            return verus_gates.admitted(weak[0], function, weak[1]), verus_gates.rejected(full[0], function, full[1])
        under_weak, under_full = self.verifiers
        inputs = [c.inputs for c in self.task.visible]
        return admitted(under_weak.verify(tree, inputs)), rejected(under_full.verify(tree, inputs))

    # --- gates 3 and 4 ---------------------------------------------------------------------------------------------------

    def _runs(self, ran: Ran | None) -> GateResult:
        if ran is None:
            return GateResult(Gate.RUNS, Outcome.UNKNOWN, "", "no rustc on this machine; install Rust (https://rustup.rs)")
        if not ran.compiled:
            evidence: dict[str, Json] = {"compiled": False, "message": ran.message}
            return GateResult(Gate.RUNS, Outcome.FAIL, "rustc", f"rustc refuses it: {ran.message}", evidence)
        evidence = {"compiled": True, "ran": len(ran.answers)}
        visible = len(self.task.visible)
        for n, answer in enumerate(ran.answers[:visible]):
            if answer.panic is not None:
                at = self._shown(self.task.visible[n])
                evidence = {**evidence, "panic": answer.panic, "case": n + 1, "inputs": at}
                return GateResult(Gate.RUNS, Outcome.FAIL, "rustc", f"it panics on case {n + 1}: {answer.panic}", evidence)
        if ran.stopped and len(ran.answers) < visible:
            evidence = {**evidence, "stopped": ran.stopped}
            return GateResult(Gate.RUNS, Outcome.FAIL, "rustc", f"it does not run to an end: {ran.stopped}", evidence)
        return GateResult(Gate.RUNS, Outcome.PASS, "rustc", f"it compiles, and runs on all {visible} visible cases", evidence)

    def _outputs(self, ran: Ran | None) -> list[tuple[Value | None, tuple[Value, ...]] | None]:
        """For each case what the program gave: the result and the `&mut` parameters on return; None where it gave nothing."""
        answers: list[Printed | None] = [] if ran is None else list(ran.answers)
        answers += [None] * (len(self.cases) - len(answers))
        return [None if a is None or a.panic is not None else self._output(a) for a in answers]

    def _output(self, answer: Printed) -> tuple[Value | None, tuple[Value, ...]]:
        task = self.task
        result = None if task.result_sort is None else from_json(answer.result, task.result_sort, "result")
        final = [
            from_json(answer.final[i], p.sort, f"final {p.name}") for i, p in enumerate(task.parameters) if p.mutable
        ]
        return result, tuple(final)

    def _agrees(self, case: Case, output: tuple[Value | None, tuple[Value, ...]]) -> bool:
        return output == (case.output, case.final)

    def _disagrees(
        self, ran: Ran | None, outputs: Sequence[tuple[Value | None, tuple[Value, ...]] | None]
    ) -> tuple[GateResult, int]:
        visible = self.task.visible
        if ran is None:
            return GateResult(Gate.DISAGREES, Outcome.UNKNOWN, "", "no rustc on this machine: nothing was run"), 0
        wrong = [
            (n, c, o)
            for n, (c, o) in enumerate(zip(visible, outputs, strict=False), 1)
            if o is not None and not self._agrees(c, o)
        ]
        evidence: dict[str, Json] = {"visible": len(visible), "disagrees": [n for n, _, _ in wrong]}
        if wrong:
            n, case, output = wrong[0]
            expected, said = self._said(case.output, case.final), self._said(*output)
            evidence["first"] = {"case": n, "inputs": self._shown(case), "expected": expected, "output": said}
            reason = f"its output is another on {len(wrong)} of {len(visible)} visible cases"
            return GateResult(Gate.DISAGREES, Outcome.PASS, "cases", reason, evidence), len(wrong)
        if not ran.compiled or any(o is None for o in outputs[: len(visible)]):
            reason = "it gave no output on some visible cases, and no other output on the rest"
            return GateResult(Gate.DISAGREES, Outcome.UNKNOWN, "cases", reason, evidence), 0
        reason = f"it computes the official output on all {len(visible)} visible cases"
        return GateResult(Gate.DISAGREES, Outcome.FAIL, "cases", reason, evidence), 0

    def _misread(
        self, tree: Node, ran: Ran | None, outputs: Sequence[tuple[Value | None, tuple[Value, ...]] | None]
    ) -> str | None:
        """Where the compiled program and samespec's own run of the expression differ; None where they do not."""
        if ran is None or not ran.compiled:
            return None
        names = [p.name for p in self.task.parameters]
        for n, (case, answer) in enumerate(zip(self.cases, ran.answers, strict=False), 1):
            try:
                mine: Value | None = run(tree, dict(zip(names, case.inputs, strict=True)), self.weak.word)
                panicked = ""
            except CallsItself:
                continue
            except Panic as panic:
                mine, panicked = None, str(panic)
            if bool(panicked) != (answer.panic is not None):
                return f"on case {n} {'a panic' if panicked else 'none'} was expected ({panicked or answer.panic})"
            output = outputs[n - 1]
            if output is not None and self.task.result_sort is not None and output[0] != mine:
                return f"on case {n}"
        return None

    # --- for people ------------------------------------------------------------------------------------------------------

    def _shown(self, case: Case) -> Json:
        """The inputs of a case in Rust syntax, by name."""
        return {p.name: render_rust(x, p.sort) for p, x in zip(self.task.parameters, case.inputs, strict=True)}

    def _said(self, output: Value | None, final: Sequence[Value]) -> Json:
        """An output in Rust syntax: the result, and `&mut` parameters on return by name."""
        task = self.task
        mutable = [p for p in task.parameters if p.mutable]
        said: dict[str, Json] = {}
        if task.result_sort is not None and output is not None:
            said["result"] = render_rust(output, task.result_sort)
        said.update({f"final({p.name})": render_rust(x, p.sort) for p, x in zip(mutable, final, strict=True)})
        return said


# --- the embedded verifier's answers as gate results ------------------------------------------------------------------------


def admitted(verified: Verified) -> GateResult:
    """Gate 1 from the embedded verifier's answer under S⁻."""
    evidence = _evidence(verified)
    match verified.answer:
        case Answer.PROVED:
            reason = "it verifies under the weakened contract: every obligation and every clause is proved"
            return GateResult(Gate.ADMITTED, Outcome.PASS, "embedded", reason, evidence)
        case Answer.REFUTED:
            reason = f"it does not verify under the weakened contract: {_why(verified)}"
            return GateResult(Gate.ADMITTED, Outcome.FAIL, "embedded", reason, evidence)
    reason = f"not decided under the weakened contract: {_open(verified)}"
    return GateResult(Gate.ADMITTED, Outcome.UNKNOWN, "embedded", reason, evidence)


def rejected(verified: Verified) -> GateResult:
    """Gate 2 from the embedded verifier's answer under S."""
    evidence = _evidence(verified)
    match verified.answer:
        case Answer.REFUTED:
            reason = f"verification fails under the full contract: {_why(verified)}"
            return GateResult(Gate.REJECTED, Outcome.PASS, "embedded", reason, evidence)
        case Answer.PROVED:
            reason = "it verifies under the full contract too: the omitted postcondition holds for it"
            return GateResult(Gate.REJECTED, Outcome.FAIL, "embedded", reason, evidence)
    reason = f"not decided under the full contract: {_open(verified)}"
    return GateResult(Gate.REJECTED, Outcome.UNKNOWN, "embedded", reason, evidence)


def _why(verified: Verified) -> str:
    if verified.point is None:
        return verified.reason or "refuted"
    return f"{in_words(verified.point)}"


def in_words(point: Point) -> str:
    """What happens at an input, in one line."""
    inputs = ", ".join(f"{n} = {v}" for n, v in point.inputs)
    outputs = ", ".join(f"{n} = {v}" for n, v in point.outputs)
    return f"with {inputs or 'no inputs'}{' it gives ' + outputs + ', and' if outputs else ' it'} {point.broken}"


def _open(verified: Verified) -> str:
    if verified.reason:
        return verified.reason
    part = next(p for p in verified.parts if p.answer is Answer.UNKNOWN)
    return f"`{part.text}` was neither proved nor refuted ({part.method})"


def _evidence(verified: Verified) -> dict[str, Json]:
    parts: list[Json] = [
        {"kind": p.kind, "text": p.text, "answer": str(p.answer), "method": p.method, "rlimit": p.rlimit}
        for p in verified.parts
    ]
    evidence: dict[str, Json] = {"parts": parts}
    if verified.point is not None:
        point = verified.point
        evidence["counterexample"] = {
            "inputs": dict(point.inputs),
            "outputs": dict(point.outputs),
            "broken": point.broken,
            "confirmed": point.confirmed,
        }
    return evidence


def _refused(gate: Gate, candidate: Candidate) -> GateResult:
    return GateResult(gate, Outcome.FAIL, "", f"not a candidate: {candidate.problem}")


def _doubted(result: GateResult, why: str) -> GateResult:
    if result.checker != "embedded":
        return result
    return GateResult(result.gate, Outcome.UNKNOWN, result.checker, why, result.evidence)
