"""What happened to a candidate, as the feedback block of `intentshield`.

In: a task and a judgement. Out: the block (`witness.policies.block`), with what compiler, verifier and visible cases said.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from translate.values import Value
from witness.contract import working
from witness.gates import open_weakened
from witness.language import read_expression
from witness.model import Case, Gate, GateResult, Judgement, Outcome, Task
from witness.numbers import Panic
from witness.policies.block import block, case_text, expected_of, inputs_of, output_of, rows_of
from witness.run import run


def told(task: Task, judgement: Judgement) -> str:
    """The block that says what compiler, verifier and visible cases said about a candidate."""
    outputs = _outputs(task, judgement)
    agrees = [o is not None and _agrees(task, c, o[0]) for c, o in zip(task.visible, outputs, strict=True)]
    differs = sum(o is not None for o in outputs) - sum(agrees)
    silent = sum(o is None for o in outputs)
    tests = f"{sum(agrees)} of {len(outputs)} agree, {differs} differ" + (f", {silent} without an output" if silent else "")
    texts = [_compilation(judgement), _verification(judgement), tests]
    for case, output, agreed in zip(task.visible, outputs, agrees, strict=True):
        said = "no output" if output is None else output_of(task, output[0], _stays(task, case))
        texts.append(case_text(inputs_of(task, case), expected_of(task, case), said, _verdict(output, agreed)))
    return block(rows_of(task), texts)


def _verdict(output: tuple[Value] | None, agreed: bool) -> str:
    if output is None:
        return "fails"
    return "agrees" if agreed else "differs"


# --- what happened -----------------------------------------------------------------------------------------------------------


def _compilation(judgement: Judgement) -> str:
    if judgement.candidate.problem is not None:
        return f"not an expression that is allowed: {judgement.candidate.problem}"
    runs = judgement.gate(Gate.RUNS)
    compiled = runs.evidence.get("compiled")
    if compiled is True:
        return "it compiles" if runs.passed else f"it compiles, but {runs.reason}"
    return f"rustc refuses it: {runs.evidence.get('message', '')}" if compiled is False else f"not known: {runs.reason}"


def _verification(judgement: Judgement) -> str:
    gate = judgement.gate(Gate.ADMITTED)
    if judgement.candidate.problem is not None:
        return "not verified: there is nothing to verify"
    if gate.outcome is Outcome.PASS:
        return "it verifies under the contract"
    point = gate.evidence.get("counterexample")
    if gate.outcome is Outcome.FAIL and isinstance(point, Mapping):
        return f"it does not verify: {point['broken']}; with {_pairs(point['inputs'])}{_gives(point['outputs'])}"
    return _errors(gate) or gate.reason


def _errors(gate: GateResult) -> str | None:
    """What Verus complains about."""
    errors = gate.evidence.get("errors")
    if gate.outcome is not Outcome.FAIL or not isinstance(errors, list) or not errors:
        return None
    return "it does not verify: " + "; ".join(str(e["message"]) for e in errors if isinstance(e, dict))


def _pairs(values: Any) -> str:
    return ", ".join(f"{n} = {v}" for n, v in dict(values).items()) or "no inputs"


def _gives(values: Any) -> str:
    return f" it gives {_pairs(values)}" if values else ""


# --- the visible cases -------------------------------------------------------------------------------------------------------


def _outputs(task: Task, judgement: Judgement) -> list[tuple[Value] | None]:
    """What the candidate computes on each visible case, in a tuple of one; None where it gives nothing: it is not in the
    language, does not compile, or panics there."""
    if not judgement.candidate.parses or judgement.gate(Gate.RUNS).evidence.get("compiled") is False:
        return [None] * len(task.visible)
    names = [p.name for p in task.parameters]
    found: list[tuple[Value] | None] = []
    with working():
        opened = open_weakened(task)
        tree = read_expression(judgement.candidate.expression, opened)
        for case in task.visible:
            try:
                found.append((run(tree, dict(zip(names, case.inputs, strict=True)), opened.word),))
            except Panic:
                found.append(None)
    return found


def _agrees(task: Task, case: Case, output: Value) -> bool:
    return _stays(task, case) == case.final and (task.result_sort is None or output == case.output)


def _stays(task: Task, case: Case) -> tuple[Value, ...]:
    """The values of `&mut` parameters on return: those on entry, since an expression has no side effects."""
    return tuple(x for p, x in zip(task.parameters, case.inputs, strict=True) if p.mutable)
