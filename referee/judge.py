"""Judging one submission: screening, Verus, withheld tests, in this order, outside the agent's reach.

In: a task, the bytes that the agent left. Out: `Judgement`. Acceptance (`outcome`) and correctness (`tested`) are separate.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from referee.fence import Runner
from referee.outcome import Correctness, Outcome
from referee.screen import Finding, Screening, counts, screen
from referee.task import RefereeTask
from referee.toolchain import Toolchain
from referee.verus import Verus, VerusKind, VerusResult
from referee.withheld import Tested, test_submission
from translate.source import from_text

_NOT_TESTED = Tested(Correctness.NOT_RUN)
NO_VERUS = "no Verus on this machine: nobody judged it"


@dataclass(frozen=True, slots=True)
class World:
    """What judges: the tools and the limits."""

    runner: Runner
    verus: Verus | None
    toolchain: Toolchain | None
    solver_budget: int | None = None
    rlimit: float | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    outcome: Outcome
    why: str
    screening: Screening | None = None
    verus: VerusResult | None = None
    no_cheating: VerusResult | None = None
    tested: Tested = _NOT_TESTED

    def as_json(self) -> dict[str, Any]:
        """What the record keeps; raw output is an artifact of its own."""
        screening = self.screening
        return {
            "outcome": str(self.outcome),
            "why": self.why,
            "screen": None
            if screening is None
            else {
                "passed": screening.passed,
                "findings": [asdict(f) for f in screening.findings],
                "notes": list(screening.notes),
            },
            "verus": None if self.verus is None else self.verus.summary(),
            "verus_no_cheating": None if self.no_cheating is None else self.no_cheating.summary(),
            "withheld": {
                "verdict": str(self.tested.verdict),
                "why": self.tested.why,
                "passed": sum(c.passed for c in self.tested.cases),
                "cases": len(self.tested.cases),
                "failures": [{"case": c.number, "why": c.why} for c in self.tested.cases if not c.passed],
                "fenced": self.tested.fenced,
            },
        }


def judge(task: RefereeTask, left: bytes | None, world: World) -> Judgement:
    """Judges what the agent left as its solution (None: nothing that could be taken)."""
    if task.inexpressible is not None:
        return Judgement(Outcome.INEXPRESSIBLE, task.inexpressible)
    if left is None:
        return _screened(Finding(0, "no-submission", "there is no regular file solution.rs of a permitted size"))
    try:
        text = left.decode("utf-8")
    except UnicodeDecodeError as error:
        return _screened(Finding(0, "unreadable", f"solution.rs is not UTF-8 (byte {error.start})"))
    if "\0" in text or not text.strip():
        return _screened(Finding(0, "unreadable", "solution.rs is empty or no text"))
    try:
        screening = screen(task.given, text, targets=[task.target], mode=task.mode, budget=world.solver_budget)
    except Exception as error:  # whatever the screen trips over is never an admission
        return Judgement(Outcome.ERROR, f"the screen failed: {type(error).__name__}: {error}")
    if not screening.passed:
        return Judgement(Outcome.SCREEN, screening.findings[0].message, screening)
    tested = test_submission(text, task.cases, world.toolchain, world.runner)
    if world.verus is None:
        return Judgement(Outcome.UNREACHED, NO_VERUS, screening, tested=tested)
    plain = world.verus.verify(text, world.runner, rlimit=world.rlimit, stem="solution")
    outcome, why = classify(plain, task.target, text)
    strict = None
    if outcome is Outcome.PASS and not counts(from_text("given.rs", task.given)):
        strict = world.verus.verify(text, world.runner, rlimit=world.rlimit, stem="solution", no_cheating=True)
        outcome, said = classify(strict, task.target, text)
        why = f"with --no-cheating: {said}"
    return Judgement(outcome, why, screening, plain, strict, tested)


def _screened(finding: Finding) -> Judgement:
    return Judgement(Outcome.SCREEN, finding.message, Screening((finding,)))


def classify(result: VerusResult, target: str, text: str, stem: str = "solution") -> tuple[Outcome, str]:
    """The class that a run of Verus means, and why."""
    match result.kind:
        case VerusKind.ACCEPTED:
            if result.accepts(target, text, stem):
                return Outcome.PASS, f"the referee accepted: {result.verified} verified"
            return Outcome.FAIL, f"the file verifies, but `{target}` is not among the functions that were verified"
        case VerusKind.REJECTED:
            return Outcome.FAIL, result.why
        case VerusKind.STOPPED | VerusKind.ERROR:
            return Outcome.ERROR, result.why
