"""A stand-in for `equiv.check`, so that the front door is tested for every verdict, whatever the solver can do."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import pytest

from equiv.verdict import (
    Answer,
    CheckReport,
    ClauseRef,
    Counterexample,
    MeaningChange,
    Obligation,
    Place,
    Question,
    Reason,
    SpecChange,
    TargetReport,
    TestAnswer,
    Verdict,
)

ORIGINAL = "verus! { fn f(x: u8) -> (r: u8) ensures r > x { x } }\n"
SUBMITTED = "verus! { fn f(x: u8) -> (r: u8) ensures r >= x { x } }\n"

CLAUSE = ClauseRef("original", "ensures", "r > x", Place("original.rs", 1, 41))
EXAMPLE = Counterexample(
    Question.PROMISES,
    (("a", "vec![3, 1]"), ("r", "0")),
    True,
    "the evaluator agrees",
    ("holds: ensures r >= x", "fails: ensures r > x"),
)
CHANGE = MeaningChange(
    "spec function",
    "sorted",
    "spec fn sorted(s: Seq<i32>) -> bool {\n    forall|i: int| true\n}",
    "spec fn sorted(s: Seq<i32>) -> bool { true }",
    Place("original.rs", 3, 1),
    Place("submitted.rs", 4, 1),
)
PROVED = Obligation(
    "accepts-1",
    Question.ACCEPTS,
    None,
    Answer.PROVED,
    "z3",
    12,
    smt2="(declare-const x Int)\n(assert (and (< x 0) (> x 0)))\n(check-sat)\n",
    expected="unsat",
)
REFUTED = Obligation(
    "promises-1",
    Question.PROMISES,
    CLAUSE,
    Answer.REFUTED,
    "z3",
    34,
    smt2="(declare-const x Int)\n(assert (> x 0))\n(check-sat)\n",
    expected="sat",
)
BY_TERMS = Obligation("accepts-2", Question.ACCEPTS, CLAUSE, Answer.PROVED, "same terms")

TARGETS = {
    Verdict.EQUIVALENT: TargetReport("crate::same", Verdict.EQUIVALENT, same="text", obligations=(BY_TERMS,)),
    Verdict.REFINES: TargetReport("crate::stronger", Verdict.REFINES, same="logic", obligations=(PROVED,)),
    Verdict.WEAKENED: TargetReport(
        "crate::Solution::find",
        Verdict.WEAKENED,
        (Reason("ensures-weakened", "A postcondition no longer follows.", (CLAUSE,), EXAMPLE),),
        obligations=(PROVED, REFUTED),
        meaning=(CHANGE,),
        uninterpreted=("mystery",),
        notes=("visibility changed",),
        original_place=Place("original.rs", 1, 13),
        submitted_place=Place("submitted.rs", 1, 13),
    ),
    Verdict.VACUOUS: TargetReport(
        "crate::never",
        Verdict.VACUOUS,
        (Reason("vacuous", "Nobody can call it."),),
        core=(ClauseRef("submitted", "requires", "x < 5", None), ClauseRef("submitted", "requires", "x > 5", None)),
    ),
    Verdict.INTERFACE_CHANGED: TargetReport(
        "crate::g", Verdict.INTERFACE_CHANGED, (Reason("parameter-type", "x was u8 and is u16."),)
    ),
    Verdict.MISSING: TargetReport("crate::h", Verdict.MISSING, (Reason("gone", "There is no function h."),)),
    Verdict.UNDECIDED: TargetReport("crate::hard", Verdict.UNDECIDED, (Reason("undecided", "Nobody knows."),)),
    Verdict.UNSUPPORTED: TargetReport("crate::odd", Verdict.UNSUPPORTED, (Reason("unsupported", "A macro."),)),
}


class FakeCheck(types.ModuleType):
    """`equiv.check` with verdicts as ordered: set `verdicts` (or `error`), look at `calls`."""

    class UnknownTarget(Exception):
        pass

    def __init__(self) -> None:
        super().__init__("equiv.check")
        self.verdicts = [Verdict.EQUIVALENT]
        self.error: BaseException | None = None
        self.unreached: tuple[SpecChange, ...] = ()
        self.notes: tuple[str, ...] = ()
        self.calls: list[dict[str, object]] = []

    def check_sources(self, original, submitted, *, targets, budget, want_smt2=False, want_lemmas=False, second=None):
        self.calls.append({"targets": targets, "budget": budget, "want_smt2": want_smt2})
        if self.error is not None:
            raise self.error
        return CheckReport(
            original.path,
            submitted.path,
            original.sha256,
            submitted.sha256,
            tuple(TARGETS[v] for v in self.verdicts),
            self.unreached,
            self.notes,
        )

    def compare_sources(self, original, submitted, *, targets, budget):
        self.calls.append({"targets": targets, "budget": budget})
        answers = [
            TestAnswer("textual", False, "the text differs"),
            TestAnswer("ast", True, "equal"),
            TestAnswer("logical", None, "undecided"),
        ]
        return [("crate::f", answers)]


@pytest.fixture
def fake(monkeypatch):
    module = FakeCheck()
    monkeypatch.setitem(sys.modules, "equiv.check", module)
    return module


@pytest.fixture
def pair(tmp_path, monkeypatch):
    """Two small files in the working directory: "original.rs" and "submitted.rs"."""
    monkeypatch.chdir(tmp_path)
    Path("original.rs").write_text(ORIGINAL)
    Path("submitted.rs").write_text(SUBMITTED)
    return ["original.rs", "submitted.rs"]
