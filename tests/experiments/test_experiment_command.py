"""`samespec experiment`: its help, its messages, and what it prints."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("scipy", reason="needs the extra: pip install 'samespec[experiments]'")
pytest.importorskip("matplotlib", reason="needs the extra: pip install 'samespec[experiments]'")

from samespec.main import run
from tests.experiments.experiment_made import originals, tasks


def test_help_names_both_experiments(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["experiment", "--help"]) == 0
    text = capsys.readouterr().out
    assert "compare" in text
    assert "subset-fooling" in text
    for name in ("compare", "subset-fooling"):
        assert run(["experiment", name, "--help"]) == 0
        assert "Examples:" in capsys.readouterr().out


def test_help_loads_nothing_heavy() -> None:
    program = "import sys; from samespec.main import run; run(['experiment', 'compare', '--help']); print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = done.stdout.rsplit("[", 1)[1]
    for name in ("numpy", "scipy", "matplotlib", "markdown_it", "z3"):
        assert f"'{name}'" not in loaded


def test_compare(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = tasks(tmp_path / "tasks", "renamed", "zero", "assumed")
    args = ["experiment", "compare", "--output", str(tmp_path / "out"), "--tasks", str(made), "--jobs", "1"]
    assert run(args) == 0
    out = capsys.readouterr()
    assert "3 edits of 1 originals: 1 honest, 2 broken (1 of these in the proof alone)" in out.out
    assert "logical+audit" in out.out
    assert f"report: {tmp_path / 'out' / 'report.html'}" in out.out
    assert out.err == ""  # no progress where nobody watches
    assert run([*args, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["schema"] == "samespec/experiment-compare/1"
    assert run([*args, "--seed", "9"]) == 2
    assert "holds a run with other settings (seed was 0 and is 9); name a new folder" in capsys.readouterr().err


def test_subset_fooling(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = tasks(tmp_path / "tasks", "zero", "assumed")
    args = ["experiment", "subset-fooling", "--output", str(tmp_path / "out"), "--tasks", str(made), "--jobs", "1"]
    assert run([*args, "--sense", "functions", "--sense", "clauses"]) == 0
    out = capsys.readouterr().out
    assert "clauses:   1 of 1 broken contracts keep every clause; the solver rejects 1 of them" in out
    assert "functions: 1 of 1 proofs with a hole are accepted by a look at the target alone, 0 by the closure audit" in out
    assert "ensures:" not in out
    assert run([*args, "--sense", "clauses", "--format", "json"]) == 2  # other senses are another run
    assert "senses was" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["compare"], "Missing option '--output'"),
        (["compare", "--output", "OUT", "--tasks", "X", "--originals", "Y"], "--tasks and --originals exclude each other"),
        (["compare", "--output", "OUT", "--mutants", "3"], "--mutants is for --originals"),
        (["subset-fooling", "--output", "OUT", "--sample", "3"], "--sample is for --originals"),
        (["compare", "--output", "OUT", "--tasks", "nowhere"], "nowhere: is not a folder"),
        (["compare", "--output", "OUT", "--originals", "nowhere"], "nowhere: is not a folder; name one with folders"),
        (["compare", "--output", "OUT", "--originals", "."], "holds no originals"),
        (["compare", "--output", "OUT", "--verus", "nowhere"], "--verus: nowhere is not a program"),
        (["compare", "--output", "OUT", "--lynette", "nowhere"], "--lynette: nowhere is not a program"),
        (["compare", "--output", "FILE"], "is a file; name a folder"),
        (["compare", "--output", "FULL"], "is not empty, and holds no report"),
        (["subset-fooling", "--output", "OUT", "--jobs", "0"], "0 is not in the range x>=1"),
    ],
)
def test_wrong_usage_is_one_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], args: list[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "FILE").write_text("")
    (tmp_path / "FULL").mkdir()
    (tmp_path / "FULL" / "notes.txt").write_text("")
    assert run(["experiment", *args]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert "Traceback" not in error
    assert not (tmp_path / "OUT").exists()


def test_a_missing_extra_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    real = importlib.util.find_spec
    gone = ("scipy", "markdown_it")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *a: None if name in gone else real(name, *a))
    assert run(["experiment", "compare", "--output", "out"]) == 2
    error = capsys.readouterr().err
    assert "the experiments need scipy, markdown-it-py" in error
    assert "pip install 'samespec[experiments]'" in error


def test_originals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(originals(tmp_path / "own"))
    args = ["experiment", "compare", "--output", str(tmp_path / "out"), "--originals", folder, "--mutants", "0", "--jobs", "1"]
    assert run(args) == 0
    assert "1 edits of 1 originals: 1 honest, 0 broken" in capsys.readouterr().out
