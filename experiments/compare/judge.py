"""What every test says of one edit.

In: a `Pair`, a budget, the tools that are installed. Out: a row of the results: the answers of all tests, the logical verdict
with its reason and values, and what the audit found. An error of samespec's own is in the row, and no answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from equiv.check import examine_sources
from equiv.verdict import CheckReport, TargetReport, TestAnswer
from experiments.compare.closure import Closure, closure
from experiments.compare.pairs import Pair
from experiments.compare.tools import Tools, ask_tools
from experiments.mutation.confirm import worst
from experiments.report.folder import Row
from experiments.report.provenance import text_sha256

LOGICAL, AUDITED = "logical", "logical+audit"
CONTRACT_TESTS = ("textual", "subset-strict", "subset-naive", "ast", LOGICAL)
EMBEDDED = (*CONTRACT_TESTS, AUDITED)


@dataclass(frozen=True, slots=True)
class Judgement:
    """The tests' answers on one pair, and the reports they came with."""

    answers: dict[str, TestAnswer]
    targets: tuple[TargetReport, ...]
    found: Closure | None

    @property
    def report(self) -> CheckReport:
        return CheckReport("", "", "", "", self.targets)


def judge(pair: Pair, budget: int, tools: Tools | None = None, *, audit: bool = True) -> Judgement:
    """Every test on a pair. Raises what the tests raise (`UnknownTarget`, `SourceError`)."""
    original, submitted = pair.original_source, pair.submitted_source
    examined = examine_sources(original, submitted, targets=pair.targets, budget=budget)
    answers = {t: whole([(r.target, a) for r, row in examined for a in row if a.test == t]) for t in CONTRACT_TESTS}
    found = closure(original, submitted, pair.targets, pair.target) if audit else None
    if found is not None:
        answers[AUDITED] = _audited(answers[LOGICAL], found)
    if tools is not None:
        answers |= ask_tools(tools, pair, [r.target for r, _ in examined])
    return Judgement(answers, tuple(r for r, _ in examined), found)


def whole(answers: Sequence[tuple[str, TestAnswer]]) -> TestAnswer:
    """One answer for a submission of several targets: one broken target makes it not kept, else one open one undecided."""
    if not answers:
        return TestAnswer("", None, "no function of the original has a contract")
    for kept in (False, None, True):
        said = [(target, a) for target, a in answers if a.kept is kept]
        if said:
            target, a = said[0]
            return a if len(answers) == 1 else TestAnswer(a.test, a.kept, f"{target}: {a.why}")
    raise AssertionError("an answer is True, False or None")


def _audited(logical: TestAnswer, found: Closure) -> TestAnswer:
    """The logical test together with the audit. Where no target is left to audit, the contract has the say."""
    if logical.kept is False or not found.size:
        return TestAnswer(AUDITED, logical.kept, logical.why)
    if found.clean is False:
        holes = ", ".join(f"`{h.hatch}` in `{h.node}`" for h in found.holes[:3])
        return TestAnswer(AUDITED, False, f"the proof leans on {holes}")
    if found.clean is None:
        return TestAnswer(AUDITED, None, "something in the closure cannot be seen")
    return TestAnswer(AUDITED, logical.kept, f"{logical.why}; the closure is clean")


def row_of(pair: Pair, judged: Judgement) -> Row:
    """What the results keep of a judgement."""
    broken = [t for t in judged.targets if t.verdict.kept() is False]
    example = next((r.counterexample for t in broken for r in t.reasons if r.counterexample is not None), None)
    return {
        **head(pair),
        "answers": {t: {"kept": a.kept, "why": a.why} for t, a in judged.answers.items()},
        "verdict": str(worst(judged.report)),
        "values": None if example is None else [f"{name} = {value}" for name, value in example.bindings],
        "replayed": None if example is None else example.replayed,
        "audit": None if judged.found is None else judged.found.as_row(),
    }


def failed_row(pair: Pair, error: Exception) -> Row:
    """The row of a pair on which samespec itself failed: nobody answers."""
    return {**head(pair), "answers": {}, "error": f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"}


def head(pair: Pair) -> Row:
    """What a row says about the edit itself."""
    return {
        "edit": pair.name,
        "original": pair.group,
        "kind": pair.kind,
        "kept": pair.kept,
        "contract_kept": pair.contract_kept,
        "label": pair.label,
        "why": pair.why,
        "hatch": pair.hatch,
        "depth": pair.depth,
        "sha256": {"original": text_sha256(pair.original), "submitted": text_sha256(pair.submitted)},
    }
