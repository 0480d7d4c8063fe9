"""`samespec witness campaign` as a person meets it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("scipy", reason="needs the extra: pip install 'samespec[experiments]'")
pytest.importorskip("matplotlib", reason="needs the extra: pip install 'samespec[experiments]'")
pytest.importorskip("markdown_it", reason="needs the extra: pip install 'samespec[experiments]'")

from samespec.main import run
from tests.witness.campaign_made import IS_SMALL, TRANSCRIPT, episode, made_tasks
from witness.store import write_task


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tasks") / IS_SMALL
    write_task(folder, made_tasks()[IS_SMALL])
    return folder


def campaign(*words: object) -> int:
    return run(["witness", "campaign", *map(str, words)])


def test_a_run_and_a_report_of_it(task: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "c"
    status = campaign(
        "run", task, "--output", out, "--provider", f"transcript:{TRANSCRIPT}", "--policy", "direct", "--policy", "phase",
        "--labels", "17", "--jobs", 1,
    )  # fmt: skip
    said = capsys.readouterr()
    assert status == 0, said.err
    assert "direct  1 of 1 episodes certified (100.0%" in said.out and f"report: {out / 'report.html'}" in said.out
    assert campaign("report", out, "--output", tmp_path / "r", "--format", "json") == 0
    assert [p["policy"] for p in json.loads(capsys.readouterr().out)["policies"]] == ["direct", "phase"]
    assert campaign("report", out, "--output", tmp_path / "r") == 0  # the same again is no mistake


def test_a_command_is_a_provider(task: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agent = tmp_path / "agent.py"
    agent.write_text("import sys\nprint('true' if 'below ten' in sys.stdin.read() else 'x')\n")
    words = ("--provider", f"mine=command:{sys.executable} {agent}", "--policy", "direct", "--labels", "1", "--jobs", 1)
    assert campaign("run", task, "--output", tmp_path / "c", *words) == 0, capsys.readouterr().err
    row = json.loads((tmp_path / "c" / "results.jsonl").read_text())
    assert row["provider"] == "mine" and row["raw"]["certified"] and row["calls"][0]["answer"] == "true\n"


def test_a_command_that_fails_is_no_end(task: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--provider", f"command:{sys.executable} -c 'exit(1)'", "--policy", "direct", "--labels", "1", "--jobs", 1)
    assert campaign("run", task, "--output", tmp_path / "c", *words) == 3
    assert "run the same command again" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--provider", "gpt"], "write openai:MODEL, command:COMMAND, transcript:FILE or solver"),
        (["--provider", "openai:gpt"], "OPENAI_API_KEY is not set"),
        (["--provider", "x=transcript:y"], "keeps the names"),
        (["--provider", "transcript:none"], "none: cannot be read"),
        (["--provider", "command:no-such-program-here"], "no such program"),
        (["--provider", "solver", "--labels", "1,x"], "whole numbers"),
        (["--provider", "solver", "--labels", "1,1"], "a label of its own"),
        (["--provider", "solver", "--parameter", "n=3"], "sets 'n' itself"),
        (["--provider", "solver", "--parameter", "3"], "NAME=JSON"),
        (["--provider", "solver", "--attempts", "1", "--repairer", "me"], "no provider is called me; there are: solver"),
        (["--provider", "command:cat", "--provider", "command:cat"], "two providers are called cat"),
        (["--provider", "solver", "--verus", "/nowhere/verus"], "/nowhere/verus is not a program"),
    ],
)
def test_wrong_usage(
    words: list[str], said: str, task: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if words[1].startswith("openai"):
        pytest.importorskip("openai", reason="needs the extra: pip install 'samespec[models]'")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert campaign("run", task, "--output", tmp_path / "c", *words) == 2
    err = capsys.readouterr().err
    assert said in err and "Traceback" not in err
    assert not (tmp_path / "c").exists()


def test_folders_that_will_not_do(task: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    full = tmp_path / "full"
    full.mkdir()
    (full / "something").touch()
    for words, said in (
        ((tmp_path / "nowhere", "--output", tmp_path / "c"), "no such folder"),
        ((tmp_path / "empty", "--output", tmp_path / "c"), "no tasks in it"),
        ((task, task, "--output", tmp_path / "c"), "several tasks are called"),
        ((task, "--output", full), "is not empty, and holds no report"),
    ):
        assert campaign("run", *words, "--provider", "solver") == 2
        assert said in capsys.readouterr().err


def test_records_that_will_not_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "text").write_text("no JSON\nat all\n")
    (tmp_path / "empty").mkdir()
    for name, said in (("text", "text:1: not JSON"), ("empty", "no records in it"), ("none", "cannot be read")):
        assert campaign("report", tmp_path / name, "--output", tmp_path / "r") == 2
        assert said in capsys.readouterr().err
    assert not (tmp_path / "r").exists()


def test_a_report_says_what_it_lacks(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    records = tmp_path / "r.jsonl"
    records.write_text(json.dumps(episode("t", "direct", 1, True)) + "\n")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert campaign("report", records, "--output", tmp_path / "r") == 2
    assert "pip install 'samespec[experiments]'" in capsys.readouterr().err
