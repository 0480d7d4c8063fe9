"""`samespec explain` and `samespec check --cross-check`, from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from equiv.second_opinion import NotInstalled, SecondSolver
from samespec.main import run
from samespec.render.explain import EXPLAIN_SCHEMA
from translate.parser import parse_file
from translate.source import from_text

CORPUS = Path(__file__).parents[2] / "corpus/tasks"
OPEN = [str(CORPUS / "power_adds/original.rs"), str(CORPUS / "power_adds/edits/nothing_added/submitted.rs")]
BROKEN = [str(CORPUS / "order_pair/original.rs"), str(CORPUS / "order_pair/edits/larger_first/submitted.rs")]
BUDGET = ["--budget", "100000"]


def explain(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str]:
    status = run(["explain", *args, "--no-color"])
    return status, capsys.readouterr().out


def test_an_open_obligation_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    status, out = explain(capsys, *OPEN, *BUDGET)
    assert status == 3
    assert "promises-1: unknown: promises at least as much" in out
    assert "original.rs:17:9: ensures power(b, m + n) == power(b, m) * power(b, n)" in out
    assert "        Z3 (unfolding 1, " in out
    start, end = out.index("use vstd::prelude::*;"), out.index("fn main() {}")
    assert not parse_file(from_text("pasted.rs", out[start:end])).problems


def test_nothing_is_open(capsys: pytest.CaptureFixture[str]) -> None:
    status, out = explain(capsys, *BROKEN, *BUDGET)
    assert status == 1
    assert "no obligation is open" in out
    assert "use vstd" not in out


def test_all_and_one(capsys: pytest.CaptureFixture[str]) -> None:
    _, everything = explain(capsys, *BROKEN, *BUDGET, "--all")
    assert everything.count("fn main() {}") >= 2
    status, one = explain(capsys, *BROKEN, *BUDGET, "--obligation", "promises-1")
    assert status == 1
    assert one.count("fn main() {}") == 1


def test_an_obligation_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", *BROKEN, *BUDGET, "--obligation", "nonsense"]) == 2
    assert "promises-1" in capsys.readouterr().err


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    status, out = explain(capsys, *OPEN, *BUDGET, "--format", "json")
    document = json.loads(out)
    assert document["schema"] == EXPLAIN_SCHEMA
    assert document["exit_status"] == status == 3
    (target,) = document["targets"]
    (obligation,) = target["obligations"]
    assert obligation["name"] == "promises-1"
    assert obligation["answer"] == "unknown"
    assert obligation["clause"]["place"]["line"] == 17
    assert len(obligation["tried"]) > 1
    assert "proof fn obligation_power_adds_promises_1" in obligation["lemma"]
    assert obligation["file"] is None


def test_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "lemmas"
    for _ in range(2):  # what it wrote it may write again
        status, out = explain(capsys, *OPEN, *BUDGET, "--output", str(folder))
        assert status == 3
        (file,) = folder.iterdir()
        assert file.name == "crate.power_adds.promises-1.rs"
        assert str(file) in out
        assert "use vstd" not in out
    assert not parse_file(from_text(file.name, file.read_text())).problems


def test_a_file_of_somebody_else_stays(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "crate.power_adds.promises-1.rs"
    file.write_text("precious")
    assert run(["explain", *OPEN, *BUDGET, "--output", str(tmp_path)]) == 2
    assert file.read_text() == "precious"
    assert "did not write it" in capsys.readouterr().err


def test_files_that_cannot_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "nowhere.rs", "nowhere.rs"]) == 2
    assert "nowhere.rs" in capsys.readouterr().err


def test_cross_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", *BROKEN, *BUDGET, "--cross-check", "-v", "--no-color"]) == 1
    out = capsys.readouterr().out
    assert "second solver: agrees" in out
    assert "second opinion: cvc5" in out


def test_a_contradiction_in_text_and_json(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("equiv.second_opinion.cvc5_solver", lambda: SecondSolver("liar 1.0", lambda script, budget: "unsat"))
    assert run(["check", *BROKEN, *BUDGET, "--cross-check", "--no-color"]) == 3
    out = capsys.readouterr().out
    assert "undecided (disagreement)" in out
    assert "refuted (sat), liar 1.0: unsat" in out
    assert "contradicts" in out
    assert run(["check", *BROKEN, *BUDGET, "--cross-check", "--format", "json"]) == 3
    (target,) = json.loads(capsys.readouterr().out)["targets"]
    assert target["verdict"] == "undecided"
    assert {r["code"] for r in target["reasons"]} == {"disagreement"}
    assert "disagrees" in {o["cross_check"] for o in target["obligations"]}


def test_without_cvc5(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> SecondSolver:
        raise NotInstalled("cvc5 is not installed; …")

    monkeypatch.setattr("equiv.second_opinion.cvc5_solver", missing)
    assert run(["check", *BROKEN, "--cross-check"]) == 2
    assert "cvc5 is not installed" in capsys.readouterr().err
