"""The contract tests on the corpus: how often each is fooled, and how often it is wrong about an honest edit.

In: a budget. Out: for every edit of the corpus what each test says, as a table for people or as JSON.

An edit that leaves the contract alone and leans on a hole in its proof is broken, too. No contract test can see that, so the
logical test answers a second time, together with the audit, as `samespec check --audit` does.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import click

from corpus.tasks import PROOF_KINDS, Task, load_tasks
from equiv.verdict import TestAnswer
from samespec.render.json_report import Json, dump, versions
from samespec.render.text import Paint
from translate.source import read_source

SCHEMA = "samespec/compare-corpus/1"
AUDITED = "logical+audit"
NAMED = 5  # edits that are named for each kind of mistake


@dataclass(frozen=True, slots=True)
class Judged:
    """One edit: its name, whether it is really kept, each test's answer for the whole submission, and whether it breaks
    nothing but the proof (`hole`)."""

    edit: str
    kept: bool
    answers: dict[str, bool | None]
    hole: bool = False


@dataclass(frozen=True, slots=True)
class Score:
    """The names of the edits by how one test did on them."""

    test: str
    fooled: tuple[str, ...]  # called kept, and broken
    wrong: tuple[str, ...]  # called not kept, and kept
    undecided: tuple[str, ...]
    right: tuple[str, ...]


def judge_corpus(budget: int, tasks: Sequence[Task] | None = None) -> list[Judged]:
    """Every test on every edit of the tasks (all by default).

    Shows its progress on standard error where that is a terminal.
    """
    from equiv.check import compare_sources
    from experiments.validation.closures import closures, joined

    pairs = [(task, edit) for task in (load_tasks() if tasks is None else tasks) for edit in task.edits]
    progress = _progress(len(pairs))
    judged = []
    for number, (task, edit) in enumerate(pairs):
        name = f"{task.name}/{edit.name}"
        progress(number, name)
        rows = compare_sources(read_source(task.path), read_source(edit.path), targets=None, budget=budget)
        answers = _whole(row for _, row in rows)
        found = closures(task, edit)
        answers[AUDITED] = joined([answers["logical"]] + ([] if found.gone and found.answer is None else [found.answer]))
        judged.append(Judged(name, edit.kept, answers, edit.kind in PROOF_KINDS))
    progress(len(pairs), "")
    return judged


def _progress(total: int) -> Callable[[int, str], None]:
    if not sys.stderr.isatty():
        return lambda number, name: None

    def show(number: int, name: str) -> None:
        click.echo(f"\r\x1b[K{number}/{total} {name}" if name else "\r\x1b[K", nl=False, err=True)

    return show


def _whole(rows: Iterable[Sequence[TestAnswer]]) -> dict[str, bool | None]:
    """Each test's answer for a submission: one broken target makes it not kept, else one open one undecided."""
    answers: dict[str, list[bool | None]] = {}
    for row in rows:
        for answer in row:
            answers.setdefault(answer.test, []).append(answer.kept)
    return {test: False if False in kept else None if None in kept else True for test, kept in answers.items()}


def scores(judged: Sequence[Judged]) -> list[Score]:
    """How each test did, in the order in which they answer."""
    tests = dict.fromkeys(test for j in judged for test in j.answers)

    def names(test: str, wanted: Callable[[Judged, bool | None], bool]) -> tuple[str, ...]:
        return tuple(j.edit for j in judged if test in j.answers and wanted(j, j.answers[test]))

    return [
        Score(
            test,
            fooled=names(test, lambda j, said: said is True and not j.kept),
            wrong=names(test, lambda j, said: said is False and j.kept),
            undecided=names(test, lambda j, said: said is None),
            right=names(test, lambda j, said: said is j.kept),
        )
        for test in tests
    ]


def corpus_text(judged: Sequence[Judged], *, color: bool) -> str:
    """The table, and below it some of the edits on which the tests went wrong (the JSON names them all)."""
    paint = Paint(color)
    honest = sum(j.kept for j in judged)
    holes = sum(j.hole for j in judged)
    broken = len(judged) - honest
    rows = scores(judged)
    width = max((len(r.test) for r in rows), default=0)
    lines = [
        f"{len(judged)} edits: {honest} keep the contract, {broken - holes} break it" + _only_proof(holes),
        "",
        f"{'':<{width}}  fooled by broken  wrong about honest  undecided  right",
    ]
    for r in rows:
        fooled = f"{len(r.fooled)}/{broken}".rjust(16)
        wrong = f"{len(r.wrong)}/{honest}".rjust(18)
        lines.append(
            f"{r.test:<{width}}  {paint.answer(not r.fooled, fooled)}  {paint.answer(not r.wrong, wrong)}  "
            f"{len(r.undecided):>9}  {len(r.right):>5}"
        )
    for r in rows:
        for what, edits in (("fooled by", r.fooled), ("wrong about", r.wrong), ("undecided on", r.undecided)):
            if edits:
                more = f" and {len(edits) - NAMED} more" if len(edits) > NAMED else ""
                lines += ["", f"{r.test}, {what}:", f"  {', '.join(edits[:NAMED])}{more}"]
    return "\n".join(lines) + "\n"


def _only_proof(holes: int) -> str:
    return f", {holes} keep{'s' if holes == 1 else ''} it and break{'s' if holes == 1 else ''} the proof" if holes else ""


def corpus_json(judged: Sequence[Judged]) -> str:
    """The same as data: see docs/json.md."""
    document: Json = {
        "schema": SCHEMA,
        "versions": versions(),
        "edits": {
            "kept": sum(j.kept for j in judged),
            "broken": sum(not j.kept for j in judged),
            "proof_holes": sum(j.hole for j in judged),
        },
        "tests": [
            {
                "test": r.test,
                "fooled": list(r.fooled),
                "wrong": list(r.wrong),
                "undecided": list(r.undecided),
                "right": list(r.right),
            }
            for r in scores(judged)
        ],
    }
    return dump(document)
