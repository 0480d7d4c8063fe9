"""Experiment 2 from beginning to end.

In: `Options`. Out: the folder of the report, and its summary. A run that was stopped goes on where it was when it is started
again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from corpus.tasks import Task, load_tasks
from experiments.compare.closure import closure
from experiments.compare.judge import head, judge
from experiments.compare.originals import Original, contract_targets, find_originals, labelled, mutant_pairs, seed_of
from experiments.compare.pairs import BY_CONSTRUCTION, BY_VALUES, Pair, corpus_pairs
from experiments.mutation import CANDIDATE
from experiments.report.folder import ReportFolder, Row
from experiments.report.pool import LOST, run_units
from experiments.report.provenance import code_sha256, digest_of, text_sha256, versions
from experiments.subset_fooling import clauses, ensures, holes
from experiments.subset_fooling.report import SENSES, write_report
from translate.source import SourceText, from_text

SCHEMA = "samespec/experiment-subset-fooling/1"
#: Candidates that are made of each original for the first sense; those whose clauses all stand are judged, up to `MUTANTS`.
CANDIDATES = 12
MUTANTS = 2

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Options:
    """What a run is asked for. `tasks` and `originals` are folders, at most one of them (None: samespec's own corpus); `mutants`
    and `sample` are for `originals`; `largest` bounds the sets of postconditions that are left out; `budget` is in Z3 resource
    units an obligation."""

    output: Path
    seed: int
    jobs: int
    budget: int
    tasks: Path | None = None
    originals: Path | None = None
    mutants: int = MUTANTS
    sample: int | None = None
    largest: int = ensures.LARGEST
    senses: tuple[str, ...] = SENSES


@dataclass(frozen=True, slots=True)
class Whole:
    """An original of the corpus, for the third sense."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Unit:
    """What one worker is given at a time: one sense of one item."""

    name: str
    sense: str
    item: Pair | Whole | Original
    budget: int
    seed: int
    mutants: int
    largest: int


def run_subset_fooling(options: Options, progress: Progress = lambda done, total, name: None) -> dict[str, Any]:
    """Runs the experiment, and gives its summary (what `summary.json` holds).

    Raises `FolderError`, `OriginalsError`, `ValueError` (a task of the corpus that is not right).
    """
    units, passed = units_of(options)
    folder = ReportFolder(options.output, settings_of(options, units, passed))
    todo = [u for u in units if u.name not in folder.rows]
    progress(len(units) - len(todo), len(units), "")
    started = time.perf_counter()

    def done(unit: Unit, rows: list[Row], seconds: float) -> None:
        folder.add(unit.name, [{"sense": unit.sense, **row} for row in rows], seconds)
        progress(len(folder.rows), len(units), unit.name)

    run_units(work, todo, options.jobs, done, lost)
    wall = time.perf_counter() - started if todo else 0.0
    return write_report(folder, folder.finish([u.name for u in units], wall, options.jobs))


def units_of(options: Options) -> tuple[list[Unit], list[str]]:
    """The units of a run, in the order of the senses, and which originals were passed over."""
    passed: list[str] = []
    items: list[tuple[str, Pair | Whole | Original]] = []
    if options.originals is not None:
        found, passed = find_originals(options.originals, options.sample, options.seed)
        items = [(sense, o) for sense in SENSES for o in found]
    else:
        tasks = load_tasks(options.tasks)
        items = [*_pairs(tasks), *((ensures.SENSE, Whole(t.name, t.original)) for t in tasks)]
    return [
        Unit(f"{sense}:{item.name}", sense, item, options.budget, options.seed, options.mutants, options.largest)
        for sense, item in items
        if sense in options.senses
    ], passed


def _pairs(tasks: Sequence[Task]) -> Iterator[tuple[str, Pair]]:
    """Broken contracts for the first sense; contracts that stand over a proof with a hole for the second."""
    pairs = corpus_pairs(tasks)
    yield from ((clauses.SENSE, p) for p in pairs if p.contract_kept is False)
    yield from ((holes.SENSE, p) for p in pairs if p.contract_kept and p.kept is False)


def settings_of(options: Options, units: Sequence[Unit], passed: Sequence[str]) -> dict[str, Any]:
    """What the results depend on, and nothing else: not the folder's name, not the number of processes."""
    outside = options.originals is not None
    settings: dict[str, Any] = {
        "schema": SCHEMA,
        "experiment": "subset-fooling",
        "source": "originals" if outside else "corpus" if options.tasks is None else "tasks",
        "senses": list(options.senses),
        "units": len(units),
        "seed": options.seed,
        "budget": options.budget,
        "largest": options.largest,
    }
    if outside:
        settings |= {"mutants": options.mutants, "sample": options.sample, "passed_over": list(passed)}
    return settings | {
        "versions": versions(),
        "code_sha256": code_sha256(),
        "inputs_sha256": digest_of(f"{u.name} {_fingerprint(u.item)}" for u in units),
    }


def _fingerprint(item: Pair | Whole | Original) -> str:
    match item:
        case Whole():
            return text_sha256(item.text)
        case Original():
            return f"{text_sha256(item.spec)} {text_sha256(item.verified)}"
        case Pair():
            said = repr((item.kind, item.kept, item.contract_kept, item.why, item.target, item.hatch, item.depth))
            return f"{text_sha256(item.original)} {text_sha256(item.submitted)} {said}"


# --- what a worker does ------------------------------------------------------------------------------------------------


def work(unit: Unit) -> list[Row]:
    """The rows of one unit. What fails is said in a row of its own."""
    rows: list[Row] = []
    try:
        rows.extend(_rows(unit))
    except Exception as error:  # of samespec's own: the rest can still be looked at, and the report says so
        rows.append(_failed(unit, f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"))
    return rows or [{"original": unit.item.name, "skipped": _nothing(unit.sense)}]


def lost(unit: Unit) -> list[Row]:
    """The rows of a unit that took its process down."""
    return [_failed(unit, f"WorkerDied: {LOST}")]


def _failed(unit: Unit, why: str) -> Row:
    name = unit.item.group if isinstance(unit.item, Pair) else unit.item.name
    about = {"edit": unit.item.name} if isinstance(unit.item, Pair) else {}
    return {"original": name, **about, "error": why}


def _nothing(sense: str) -> str:
    return {
        clauses.SENSE: "no candidate that keeps every clause was shown to be broken",
        holes.SENSE: "no function with a body that could be given a hole",
        ensures.SENSE: "no function has a postcondition",
    }[sense]


def _rows(unit: Unit) -> Iterator[Row]:
    item = unit.item
    match item:
        case Pair() if unit.sense == clauses.SENSE:
            yield head(item) | clauses.clause_row(item, unit.budget)
        case Pair():
            yield head(item) | {"audit": closure(item.original_source, item.submitted_source, None, item.target).as_row()}
        case Whole():
            yield from _postconditions(item.name, from_text(f"{item.name}/original.rs", item.text), None, unit)
        case Original():
            targets = contract_targets(item)
            if unit.sense == clauses.SENSE:
                yield from _standing(item, targets, unit)
            elif unit.sense == holes.SENSE:
                yield from _holed(item, targets, unit)
            else:
                yield from _postconditions(item.name, item.spec_source, targets, unit)


def _postconditions(name: str, source: SourceText, targets: Sequence[str] | None, unit: Unit) -> Iterator[Row]:
    for target in ensures.functions_of(source) if targets is None else targets:
        row = ensures.ensures_row(source, target, largest=unit.largest, budget=unit.budget)
        if row is not None:
            yield {"original": name, "sha256": {"original": source.sha256}, **row}


def _standing(original: Original, targets: tuple[str, ...], unit: Unit) -> Iterator[Row]:
    """Candidates whose clauses all stand, judged: those that are shown to be broken."""
    judged = 0
    for pair in mutant_pairs(original, targets, label=CANDIDATE, seed=unit.seed, count=CANDIDATES):
        if judged == unit.mutants:
            return
        if not clauses.standing(pair).stands:
            continue
        judged += 1
        found = judge(pair, unit.budget)
        known = labelled(pair, found)
        if known.label == BY_VALUES:
            yield head(known) | clauses.clause_row(known, unit.budget, found)


def _holed(original: Original, targets: tuple[str, ...], unit: Unit) -> Iterator[Row]:
    for hole in holes.holed(original.verified_source, targets, seed_of(unit.seed, original.name, holes.SENSE)):
        pair = Pair(
            name=f"{original.name}/hole-at-depth-{hole.depth}",
            group=original.name,
            kind="proof-hole",
            kept=False,
            contract_kept=True,
            label=BY_CONSTRUCTION,
            why=hole.why,
            original=original.verified,
            submitted=hole.text,
            targets=targets,
            hatch=hole.hatch,
            depth=hole.depth,
        )
        pair = replace(pair, label="a hole that was put there")
        yield head(pair) | {"audit": closure(pair.original_source, pair.submitted_source, targets).as_row()}
