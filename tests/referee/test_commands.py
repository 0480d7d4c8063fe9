"""The command line: `samespec referee …`, from a task of the corpus to the report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.fence import Fence
from samespec.commands.referee import referee_group


def samespec(*arguments: object) -> Result:
    return CliRunner().invoke(referee_group, [str(a) for a in arguments], standalone_mode=False)


def test_from_a_task_to_a_report(tmp_path: Path, fence: Fence, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o755)
    monkeypatch.delenv("VERUS", raising=False)
    task, campaign = tmp_path / "tasks" / "odd_square", tmp_path / "campaign"
    assert samespec("task", "odd_square", task).return_value == 0
    frozen = samespec("freeze", task, "--out", campaign, "--wall", 30)
    assert frozen.return_value == 0, frozen.output
    assert "frozen: 1 tasks, manifest " in frozen.output
    probed = samespec("probe", campaign)
    assert probed.return_value == 0, probed.output
    assert probed.output.count(": pass (") == 5
    ran = samespec("run", campaign, "--attempts", 2, "--", "@standard-proofs")
    assert ran.return_value == 0, (ran.output, ran.exception)
    assert "odd_square attempt 2: UNREACHED: no Verus" in ran.output
    log = campaign / "log.jsonl"
    assert samespec("verify", log).return_value == 0
    head = samespec("verify", log).output.split("head ")[1].split()[0]
    assert samespec("verify", log, "--head", head).return_value == 0
    exported = tmp_path / "recording.json"
    assert samespec("export", campaign, exported).return_value == 0
    assert set(json.loads(exported.read_text())) == {"odd_square/1/0", "odd_square/2/0"}
    report = samespec("report", log)
    assert "Nobody checked" in report.output
    data = json.loads(samespec("report", log, "--format", "json").output)
    assert (data["attempts"], data["log"]["ended"]) == (2, True)
    # a second start has nothing left to do; a changed world stops it
    assert samespec("run", campaign, "--attempts", 2, "--", "@standard-proofs").return_value == 0
    (task / "prediction.toml").write_text("pass = 1\n")
    refused = samespec("run", campaign, "--attempts", 2, "--", "@standard-proofs")
    assert refused.return_value == 1
    assert "not started: the world is not the frozen one: task odd_square: prediction.toml was added" in refused.output
    # a shortened log still chains: only its head tells
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:-1]))
    assert samespec("verify", log).return_value == 0
    assert samespec("verify", log, "--head", head).return_value == 1
    log.write_bytes(b"".join(lines).replace(b"UNREACHED", b"PASS", 1))
    assert samespec("verify", log).return_value == 1
    assert samespec("report", log).return_value == 1


def test_usage(tmp_path: Path) -> None:
    assert "the corpus has no task" in str(samespec("task", "nonesuch", tmp_path / "t").exception)
    assert "no manifest" in str(samespec("probe", tmp_path).exception)
    assert "No such file" in str(samespec("report", tmp_path / "none.jsonl").exception)
