"""Gates 1 and 2 by Verus, where it is installed.

In: a task's two files with the candidate as the function's body. Out: gate results. Verus proves or does not prove, it never
refutes: at gate 1 a file that it accepts is a pass; at gate 2 an error that it places in the function is a pass, labelled as what
it is, a failed verification. What Verus stops at (a limit, output that the adapter does not know, an error elsewhere in the file)
is unknown.
"""

from __future__ import annotations

from referee.fence import Runner
from referee.verus import Verus, VerusKind, VerusResult, function_at
from witness.contract import Opened
from witness.model import Gate, GateResult, Json, Outcome

STEM = "candidate"


def ask(opened: Opened, expression: str, verus: Verus, runner: Runner) -> tuple[str, VerusResult]:
    """The file with the expression as the function's body, and what Verus says about it."""
    text = opened.body(expression)
    return text, verus.verify(text, runner, stem=STEM)


def admitted(text: str, function: str, result: VerusResult) -> GateResult:
    """Gate 1 from what Verus said about the weakened file."""
    evidence = _evidence(result)
    if result.accepts(function, text, STEM):
        return GateResult(Gate.ADMITTED, Outcome.PASS, "verus", "Verus verifies it under the weakened contract", evidence)
    if result.kind is VerusKind.REJECTED and not result.rlimit_exceeded:
        blamed = _blamed(text, function, result)
        if blamed:
            return GateResult(Gate.ADMITTED, Outcome.FAIL, "verus", f"Verus does not verify it: {blamed[0]}", evidence)
    return GateResult(Gate.ADMITTED, Outcome.UNKNOWN, "verus", _open(result), evidence)


def rejected(text: str, function: str, result: VerusResult) -> GateResult:
    """Gate 2 from what Verus said about the full file."""
    evidence = _evidence(result)
    if result.accepts(function, text, STEM):
        return GateResult(Gate.REJECTED, Outcome.FAIL, "verus", "Verus verifies it under the full contract too", evidence)
    if result.kind is VerusKind.REJECTED and not result.rlimit_exceeded and not result.before_verifying:
        blamed = _blamed(text, function, result)
        if blamed:
            reason = f"verification fails under the full contract: {blamed[0]} (not proved by Verus: that is no counterexample)"
            return GateResult(Gate.REJECTED, Outcome.PASS, "verus", reason, evidence)
    return GateResult(Gate.REJECTED, Outcome.UNKNOWN, "verus", _open(result), evidence)


def _blamed(text: str, function: str, result: VerusResult) -> list[str]:
    """The errors that Verus places in the function."""
    wanted = function.removeprefix("crate::")
    return [d.message for d in result.diagnostics if d.level == "error" and d.line and function_at(text, d.line) == wanted]


def _open(result: VerusResult) -> str:
    if result.rlimit_exceeded:
        return "Verus reached its resource limit"
    if result.kind is VerusKind.REJECTED:
        return f"Verus rejects another part of the file: {result.why}"
    if result.kind is VerusKind.ACCEPTED:
        return "Verus accepts the file, but does not name the function among those it verified"
    return f"Verus gave no answer: {result.why}"


def _evidence(result: VerusResult) -> dict[str, Json]:
    """What Verus said, for the certificate."""
    errors = [d for d in result.diagnostics if d.level == "error"]
    said: list[Json] = [{"message": d.message, "line": d.line, "column": d.column} for d in errors]
    return {"kind": str(result.kind), "version": result.version, "verified": result.verified, "errors": said}
