"""Verus's word on the corpus: what follows from each answer it can give (the answers here are made up; a real Verus is asked only
where one is installed)."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.tasks import Task, load_tasks
from equiv.verdict import Answer, CheckReport, Obligation, Question, TargetReport, Verdict
from experiments.validation import run, verus_word
from experiments.validation.model import Means
from experiments.validation.run import Tools, validate
from experiments.validation.verus_word import confirm_edit, verify_original
from referee.confirm import Agreement, Compared, Confirmation
from referee.fence import Unfenced
from referee.verus import VerusKind, VerusResult, find_verus
from tests.experiments.tasks_made import edit, make, only

ORIGINAL = "proof fn f(x: int) requires x > 1 ensures x > 0 { }"
SAME = edit("equivalent-arithmetic", "equivalent", ORIGINAL.replace("x > 0", "0 < x"))
LESS = edit("relation-loosened", "weakened", ORIGINAL.replace("x > 0", "x >= 0"))


class Answers:
    """A stand-in for the adapter, which answers as it was told."""

    version = "0.2026"

    def __init__(self, kind: VerusKind) -> None:
        self.kind = kind
        self.seen: list[tuple[str, bool]] = []

    def verify(self, source: str, runner: object, *, no_cheating: bool = False) -> VerusResult:
        self.seen.append((source, no_cheating))
        return VerusResult(self.kind, "postcondition not satisfied", 1, 0 if self.kind is VerusKind.ACCEPTED else 1)


@pytest.fixture
def task(tmp_path: Path) -> Task:
    return only(make(tmp_path, "task", ORIGINAL, {"less": LESS, "same": SAME}, proof=ORIGINAL))


def test_an_original(task: Task) -> None:
    verus = Answers(VerusKind.ACCEPTED)
    said, errors = verify_original(task, verus, Unfenced())  # type: ignore[arg-type]
    assert (said, errors) == ("proof.rs: accepted, 1 verified, 0 errors", [])
    assert verus.seen == [(task.proof, True)]
    said, errors = verify_original(task, Answers(VerusKind.REJECTED), Unfenced())  # type: ignore[arg-type]
    assert errors == ["Verus does not accept proof.rs: postcondition not satisfied"]


def confirmation(agreement: Agreement, verdict: Verdict = Verdict.EQUIVALENT) -> Confirmation:
    obligation = Obligation("promises-1", Question.PROMISES, None, Answer.PROVED, "z3")
    report = CheckReport("o", "s", "0", "0", (TargetReport("crate::f", verdict),))
    result = VerusResult(VerusKind.ACCEPTED, "", 1)
    return Confirmation(report, True, (Compared("crate::f", obligation, agreement, ""),), result, result, (("crate::f", True),))


@pytest.mark.parametrize(
    ("name", "found", "confirms", "errors"),
    [
        ("same", confirmation(Agreement.AGREE), True, 0),
        ("same", confirmation(Agreement.UNSURE), False, 0),
        ("same", confirmation(Agreement.DISAGREE), False, 1),
        ("less", confirmation(Agreement.AGREE, Verdict.WEAKENED), False, 0),
        ("less", confirmation(Agreement.DISAGREE, Verdict.WEAKENED), False, 1),
    ],
)
def test_an_edit(
    task: Task, monkeypatch: pytest.MonkeyPatch, name: str, found: Confirmation, confirms: bool, errors: int
) -> None:
    monkeypatch.setattr(verus_word, "confirm_report", lambda *a, **k: found)
    one = next(e for e in task.edits if e.name == name)
    said, confirmed, wrong = confirm_edit(task, one, Answers(VerusKind.ACCEPTED), Unfenced())  # type: ignore[arg-type]
    assert said == f"1 {found.compared[0].agreement}"
    assert (confirmed, len(wrong)) == (confirms, errors)


def test_what_verus_says_goes_into_the_record(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "find_fence", Unfenced)
    monkeypatch.setattr(verus_word, "confirm_report", lambda *a, **k: confirmation(Agreement.AGREE))
    tools = Tools(second=False, toolchain=None, verus=Answers(VerusKind.REJECTED))  # type: ignore[arg-type]
    found = validate([task], tools, root="r")
    assert found.errors == ["task: Verus does not accept proof.rs: postcondition not satisfied"]
    by_name = {e.name: e for e in found.edits}
    assert Means.VERUS in by_name["task/same"].means
    assert Means.VERUS not in by_name["task/less"].means
    assert found.tools["verus"] == "0.2026"


@pytest.mark.verus
def test_the_real_verus_on_a_task() -> None:
    tasks = [t for t in load_tasks() if t.name == "midpoint"]
    found = validate(tasks, Tools(second=False, toolchain=None, verus=find_verus()), root="r")
    assert not found.errors
    assert found.originals[0].verus.startswith("original.rs: accepted")
