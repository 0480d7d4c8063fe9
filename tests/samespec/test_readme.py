"""The README's sessions are what samespec prints today."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from corpus.tasks import KEPT_VERDICTS, load_tasks
from samespec.main import SUBCOMMANDS, run

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SESSIONS = [
    step.split("\n", 1)
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
]


@pytest.mark.parametrize(("command", "printed"), SESSIONS, ids=[command for command, _ in SESSIONS])
def test_session(command, printed, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    program, *args = command.split()
    assert program == "samespec"
    run(args)
    assert capsys.readouterr().out == printed


def test_there_are_sessions():
    assert len(SESSIONS) >= 3


def test_every_subcommand_is_named():
    for name in SUBCOMMANDS:
        assert f"samespec {name} " in README


def test_the_figures_are_of_the_corpus_as_it_is():
    """Where this fails, the whole table is to be made anew: `samespec experiment compare`."""
    tasks = load_tasks()
    edits = [e for t in tasks for e in t.edits]
    honest = sum(e.kept for e in edits)
    holes = sum(e.verdict in KEPT_VERDICTS and not e.kept for e in edits)
    broken = f"{len(edits) - honest} broken, {holes} of these by a hole in the proof"
    assert f"{len(tasks)} originals and {len(edits)} edits of them ({broken}; {honest} honest)" in " ".join(README.split())


def test_links_lead_somewhere():
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
