"""Experiment 1 from beginning to end.

In: `Options`. Out: the folder of the report, and its summary. A run that was stopped goes on where it was when it is started
again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus.tasks import load_tasks
from experiments.compare.judge import failed_row, judge, row_of
from experiments.compare.originals import (
    Original,
    contract_targets,
    find_originals,
    labelled,
    mutant_pairs,
    pair_of_files,
    skipped,
)
from experiments.compare.pairs import Pair, corpus_pairs
from experiments.compare.report import write_report
from experiments.compare.tools import Tools, describe, find_tools
from experiments.mutation import CANDIDATE, KEPT
from experiments.report.folder import ReportFolder, Row
from experiments.report.pool import LOST, WorkerDied, run_units
from experiments.report.provenance import code_sha256, digest_of, text_sha256, versions

SCHEMA = "samespec/experiment-compare/1"
#: Mutants of each original, half of them honest.
MUTANTS = 4

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Options:
    """What a run is asked for. `tasks` and `originals` are folders, at most one of them (None: samespec's own corpus); `mutants`
    and `sample` are for `originals`; `budget` is in Z3 resource units an obligation."""

    output: Path
    seed: int
    jobs: int
    budget: int
    tasks: Path | None = None
    originals: Path | None = None
    mutants: int = MUTANTS
    sample: int | None = None
    lynette: str | None = None
    verus: str | None = None


@dataclass(frozen=True, slots=True)
class Unit:
    """What one worker is given at a time: a pair, or an original to make pairs of."""

    name: str
    item: Pair | Original
    budget: int
    tools: Tools
    seed: int
    mutants: int


def run_compare(options: Options, progress: Progress = lambda done, total, name: None) -> dict[str, Any]:
    """Runs the experiment, and gives its summary (what `summary.json` holds).

    Raises `FolderError`, `OriginalsError`, `ValueError` (a task of the corpus that is not right), `FileNotFoundError` (a tool
    that was named and is not there).
    """
    tools = find_tools(options.lynette, options.verus)
    units, passed = units_of(options, tools)
    folder = ReportFolder(options.output, settings_of(options, tools, units, passed))
    todo = [u for u in units if u.name not in folder.rows]
    progress(len(units) - len(todo), len(units), "")
    started = time.perf_counter()

    def done(unit: Unit, rows: list[Row], seconds: float) -> None:
        folder.add(unit.name, rows, seconds)
        progress(len(folder.rows), len(units), unit.name)

    run_units(work, todo, options.jobs, done, lost)
    wall = time.perf_counter() - started if todo else 0.0
    rows = folder.finish([u.name for u in units], wall, options.jobs)
    return write_report(folder, rows, tools.missing)


def units_of(options: Options, tools: Tools) -> tuple[list[Unit], list[str]]:
    """The units of a run, and which originals were passed over."""
    passed: list[str] = []
    items: Sequence[Pair | Original]
    if options.originals is not None:
        items, passed = find_originals(options.originals, options.sample, options.seed)
    else:
        items = corpus_pairs(load_tasks(options.tasks))
    return [Unit(i.name, i, options.budget, tools, options.seed, options.mutants) for i in items], passed


def settings_of(options: Options, tools: Tools, units: Sequence[Unit], passed: Sequence[str]) -> dict[str, Any]:
    """What the results depend on, and nothing else: not the folder's name, not the number of processes."""
    outside = options.originals is not None
    settings: dict[str, Any] = {
        "schema": SCHEMA,
        "experiment": "compare",
        "source": "originals" if outside else "corpus" if options.tasks is None else "tasks",
        "units": len(units),
        "seed": options.seed,
        "budget": options.budget,
    }
    if outside:
        settings |= {"mutants": options.mutants, "sample": options.sample, "passed_over": list(passed)}
    return settings | {
        "tools": describe(tools),
        "versions": versions(),
        "code_sha256": code_sha256(),
        "inputs_sha256": digest_of(_fingerprint(u.item) for u in units),
    }


def _fingerprint(item: Pair | Original) -> str:
    if isinstance(item, Original):
        return f"{item.name} {text_sha256(item.spec)} {text_sha256(item.verified)}"
    said = repr((item.kind, item.kept, item.contract_kept, item.why, item.target, item.hatch, item.depth))
    return f"{item.name} {text_sha256(item.original)} {text_sha256(item.submitted)} {said}"


# --- what a worker does ------------------------------------------------------------------------------------------------


def work(unit: Unit) -> list[Row]:
    """The rows of one unit."""
    if isinstance(unit.item, Pair):
        return [_judged(unit.item, unit)]
    return _original(unit.item, unit)


def lost(unit: Unit) -> list[Row]:
    """The rows of a unit that took its process down."""
    if isinstance(unit.item, Pair):
        return [failed_row(unit.item, WorkerDied(LOST))]
    return [{"original": unit.item.name, "skipped": f"WorkerDied: {LOST}"}]


def _original(original: Original, unit: Unit) -> list[Row]:
    """The files of an original against each other, and its mutants. What cannot be read is said in a row without an answer."""
    rows: list[Row] = []
    try:
        targets = contract_targets(original)
        why = skipped(original, targets)
        if why is not None:
            return [{"original": original.name, "skipped": why}]
        rows.append(_judged(pair_of_files(original, targets), unit))
        honest = unit.mutants // 2
        for label, count in ((KEPT, honest), (CANDIDATE, unit.mutants - honest)):
            if count:
                pairs = mutant_pairs(original, targets, label=label, seed=unit.seed, count=count)
                rows += [_judged(pair, unit) for pair in pairs]
    except Exception as error:
        rows.append({"original": original.name, "skipped": f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"})
    return rows


def _judged(pair: Pair, unit: Unit) -> Row:
    try:
        found = judge(pair, unit.budget, unit.tools)
    except Exception as error:  # of samespec's own: the other edits can still be judged, and the report says so
        return failed_row(pair, error)
    return row_of(labelled(pair, found), found)
