"""`samespec witness tasks`, `discover`, `certify`, `recheck`, `survey` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from samespec.commands.witness import WitnessGroup
from samespec.main import run
from tests.witness.test_witness_sources import folder
from tests.witness.witness_made import clamp_tasks, needs_rustc, tick_tasks
from witness.certificate import FILE
from witness.store import read_task, write_task
from witness.weaken import RULES

GOOD = "if x <= TOP { x } else { 0 }"


def said(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    status = run(["witness", *args])
    out, err = capsys.readouterr()
    return status, out, err


@pytest.fixture
def task_folder(tmp_path: Path) -> Path:
    write_task(tmp_path / "task", next(t for t in clamp_tasks().values() if t.omission.clause == "x > TOP ==> r == TOP"))
    return tmp_path / "task"


def test_the_group_lists_its_commands_without_loading_them(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = said(capsys, "--help")
    assert status == 0
    assert all(name in out for name in WitnessGroup.subcommands)


@pytest.mark.parametrize("name", list(WitnessGroup.subcommands))
def test_every_command_has_help_with_examples(capsys: pytest.CaptureFixture[str], name: str) -> None:
    status, out, _ = said(capsys, name, "--help")
    assert status == 0
    assert "Examples:" in out or "Commands:" in out


def test_rules(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = said(capsys, "tasks", "--rules")
    assert status == 0 and [line.split()[0] for line in out.splitlines()] == list(RULES)


@needs_rustc
def test_from_tasks_to_recheck(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    tasks, found = tmp_path / "tasks", tmp_path / "found"
    status, out, _ = said(capsys, "tasks", "--corpus", "--only", "gap", "--output", str(tasks))
    assert status == 0 and out.rstrip().endswith("3 tasks (2 residual, 1 total) of 1 functions")
    rules = ("output-relation-dropped", "equality-to-bound-1", "equality-to-bound-2")
    assert {p.name for p in tasks.iterdir()} == {f"gap.{rule}" for rule in rules}
    status, out, err = said(capsys, "discover", str(tasks), "--output", str(found))
    assert status == 0 and out.count("✓") == 3 and "3 tasks: 3 certified" in out and "median" in err
    record = json.loads((found / "discovery.json").read_text())
    assert {t["found"] for t in record["tasks"]} == {"certified"}
    status, out, _ = said(capsys, "recheck", str(found))
    assert status == 0 and "same: all 3 certificates" in out
    certificate = found / "gap.equality-to-bound-1" / FILE
    certificate.write_text(certificate.read_text().replace('"expression": "0"', '"expression": "1"'))
    status, out, _ = said(capsys, "recheck", str(found))
    assert status == 1 and "different: 1 of 3" in out and "hash of `expression`" in out


@needs_rustc
def test_tasks_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = said(capsys, "tasks", "--corpus", "--only", "gap", "--only", "meter.new", "--format", "json")
    record = json.loads(out)
    assert status == 0 and len(record["tasks"]) == 3
    assert record["no_task"] == [{"name": "meter.new", "why": "`Meter::new` has 1 cases, and 3 are needed"}]
    assert all(len(t["sha256"]) == 64 for t in record["tasks"])


@needs_rustc
@pytest.mark.parametrize(
    ("candidates", "status", "words"),
    [
        ([GOOD], 0, "certified: a completeness witness"),
        (["x.min(9)"], 1, "✗ 2 rejected: it verifies under the full contract too"),
        (["9"], 1, "✗ 1 admitted: it does not verify"),
        (["loop {}"], 1, "✗ not a candidate: 1:1: a loop is not allowed"),
        (["x.min(9)", GOOD, "loop {}"], 0, "selected  call 2: admitted pass, rejected pass, runs pass, disagrees pass"),
    ],
)
def test_certify(capsys: pytest.CaptureFixture[str], task_folder: Path, candidates: list[str], status: int, words: str) -> None:
    args = [a for c in candidates for a in ("--candidate", c)]
    found, out, _ = said(capsys, "certify", str(task_folder), *args)
    assert found == status and words in out


@needs_rustc
def test_certify_from_a_file_with_repair(capsys: pytest.CaptureFixture[str], task_folder: Path, tmp_path: Path) -> None:
    answer = tmp_path / "answer.txt"
    answer.write_text(f"Candidate: {GOOD};\n")
    status, out, _ = said(capsys, "certify", str(task_folder), "--candidate", str(answer))
    assert status == 1 and "not a candidate" in out
    status, out, _ = said(
        capsys, "certify", str(task_folder), "--candidate", str(answer), "--parser-repair", "--format", "json"
    )
    record = json.loads(out)
    assert status == 0 and record["candidate"]["repairs"] == ["surrounding text removed", "semicolons removed"]
    assert record["candidate"]["text"] == answer.read_text()


@needs_rustc
def test_no_witness_is_an_answer_when_it_is_proved(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    write_task(tmp_path / "t", next(t for t in tick_tasks().values() if t.omission.clause == "before == *old(n)"))
    status, out, _ = said(capsys, "discover", str(tmp_path))
    assert status == 0 and "– tick.clause-dropped-2: must change: " in out


@needs_rustc
def test_survey(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder(tmp_path / "in" / "cf1")
    status, out, _ = said(capsys, "survey", str(tmp_path / "in"), "--output", str(tmp_path / "s.jsonl"))
    assert status == 0 and out.startswith("1 functions")
    again, summary, _ = said(capsys, "survey", "--output", str(tmp_path / "s.jsonl"))
    assert (again, summary) == (0, out)


@needs_rustc
@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["tasks"], "one of --corpus and --folder"),
        (["tasks", "--corpus", "--only", "nothing"], "no source of tasks is called nothing"),
        (["tasks", "--folder", "nowhere"], "nowhere: no such folder"),
        (["discover"], "name tasks (folders), or give --all"),
        (["discover", "nowhere"], "nowhere: no such folder"),
        (["certify", "nowhere", "--candidate", "0"], "nowhere/task.json: no such file"),
        (["recheck", "nowhere"], "nowhere: no such folder"),
        (["survey", "--output", "nowhere.jsonl"], "nowhere.jsonl: cannot be read: No such file"),
        (["survey", "nowhere", "--output", "new.jsonl"], "nowhere: no such folder"),
    ],
)
def test_mistakes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, args: list[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = said(capsys, *args)
    assert status == 2 and words in err and not out
    assert "Traceback" not in err and "internal" not in err


@needs_rustc
def test_nothing_foreign_is_overwritten(capsys: pytest.CaptureFixture[str], task_folder: Path) -> None:
    status, _, err = said(capsys, "certify", str(task_folder), "--candidate", GOOD, "--output", str(task_folder))
    assert status == 2 and "something else is there" in err
    assert read_task(task_folder)
