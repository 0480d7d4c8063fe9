"""A campaign from beginning to end, or on from where it was stopped.

In: `Options`. Out: the campaign's folder, and its summary. Three stages, each when the one before it is done: episodes of all
policies; contracts revised from what they found; implementations of the contracts. Every answer of a provider is written to
`transcript.jsonl` as it comes, so that nothing that was paid for is lost.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from experiments.report.folder import RESULTS, UNFINISHED, UNIT, ReportFolder, Row
from experiments.report.pool import run_units
from experiments.report.provenance import text_sha256
from experiments.witness.cells import read_records
from experiments.witness.downstream import CONDITIONS, ORIGINAL, REVISED, TRUE_SPEC, witness_for
from experiments.witness.options import SCHEMA, SOLVER, CampaignError, Options, TaskFolder, settings_of, slug
from experiments.witness.report import write_report
from experiments.witness.units import (
    CERTIFICATES,
    FROZEN,
    TRANSCRIPT,
    UNANSWERED,
    AttemptsUnit,
    Common,
    EpisodeUnit,
    RevisionUnit,
    SolverUnit,
    Unit,
    work,
)
from witness.contract import WitnessError
from witness.policies.providers import Source
from witness.policies.providers.base import Kind
from witness.policies.providers.transcript import mend, read_transcript, write_transcript
from witness.store import folders_of_tasks, read_task

#: Says how far a run is: units done, units of the stage, the name of the last one.
Progress = Callable[[int, int, str], None]
_SHOWN: Final = 3


class Unanswered(Exception):
    """Some calls got no answer for the moment; what was answered is kept."""


def find_tasks(folders: Sequence[Path]) -> tuple[TaskFolder, ...]:
    """The tasks of folders that `samespec witness tasks` wrote. Raises `WitnessError`."""
    found = []
    for folder in folders:
        below = folders_of_tasks(folder)
        if not below:
            raise WitnessError(f"{folder}: no tasks in it; write some with `samespec witness tasks --output {folder}`")
        found += [(read_task(path), path) for path in below]
    doubled = [name for name, n in Counter(t.name for t, _ in found).items() if n > 1]
    if doubled:
        raise WitnessError(f"several tasks are called {', '.join(sorted(doubled)[:_SHOWN])}; a campaign needs names of their own")
    return tuple(TaskFolder(t.name, path.resolve(), t.sha256) for t, path in found)


def run_campaign(options: Options, progress: Progress = lambda done, total, name: None) -> dict[str, Any]:
    """Runs a campaign, and gives its summary (what `summary.json` holds).

    Raises `Unanswered` where some calls got no answer, `CampaignError`, `ProviderError`, `FolderError`, `WorkerDied`,
    `WitnessError`.
    """
    _check(options)
    folder = ReportFolder(options.output, settings_of(options))
    mend(folder.path / TRANSCRIPT)
    started, before = time.perf_counter(), len(folder.rows)
    common = Common(folder.path.resolve(), options.verus, options.budget, options.calls, options.parser_repair)
    names = _stage(folder, list(_episodes(options, common)), options.jobs, progress)
    if options.attempts:
        episodes = [row for name in names for row in folder.rows[name]]
        names += _stage(folder, list(_revisions(options, common, episodes)), options.jobs, progress)
        names += _stage(folder, list(_attempts(options, common, folder)), options.jobs, progress)
    wall = time.perf_counter() - started if len(folder.rows) > before else 0.0
    rows = folder.finish(names, wall, options.jobs)
    _seal_files(folder)
    return write_report(folder, rows)


def _check(options: Options) -> None:
    """What is wrong with the options, before anything is asked."""
    if not options.tasks:
        raise CampaignError("no tasks")
    if not options.sources and not options.solver:
        raise CampaignError("no provider")
    slugs = Counter(slug(n) for n in [*(s.name for s in options.sources), *([SOLVER] if options.solver else [])])
    if doubled := [s for s, n in slugs.items() if n > 1]:
        raise CampaignError(f"two providers are called {doubled[0]}; give them names of their own")
    known = {s.name for s in options.sources} | {SOLVER}
    for name in (options.synthesizer, options.repairer):
        if options.attempts and name not in known:
            raise CampaignError(f"no provider is called {name}; there are: {', '.join(sorted(known))}")


# --- the stages ----------------------------------------------------------------------------------------------------------


def _stage(folder: ReportFolder, units: Sequence[Unit], jobs: int, progress: Progress) -> list[str]:
    """Does what is not done yet, and gives the names of all units. Raises `Unanswered`."""
    todo = [u for u in units if u.name not in folder.rows]
    unanswered: list[str] = []
    done_already = len(units) - len(todo)
    progress(done_already, len(units), "")
    finished = 0

    def done(unit: Unit, rows: list[Row], seconds: float) -> None:
        nonlocal finished
        finished += 1
        if UNANSWERED in rows[0]:
            unanswered.append(rows[0][UNANSWERED])
        else:
            folder.add(unit.name, rows, seconds)
        progress(done_already + finished, len(units), unit.name)

    run_units(work, todo, jobs, done)
    if unanswered:
        reasons = "; ".join(list(dict.fromkeys(unanswered))[:_SHOWN])
        raise Unanswered(
            f"{len(unanswered)} of {len(units)} units got no answer ({reasons}); what was answered is kept: run the same command "
            f"again to go on"
        )
    return [u.name for u in units]


def _episodes(options: Options, common: Common) -> Iterator[Unit]:
    for task in options.tasks:
        for source in options.sources:
            for policy in options.policies:
                for label in options.labels:
                    yield EpisodeUnit(task, source, policy, label, common)
        if options.solver:
            yield SolverUnit(task, common)


def _conditions(options: Options) -> list[str]:
    """The conditions that this campaign has the episodes for."""
    there = {p.value for p in options.policies} if options.sources else set()
    there |= {SOLVER} if options.solver else set()
    return [c for c in CONDITIONS if c not in REVISED or REVISED[c] in there]


def _revisions(options: Options, common: Common, episodes: Sequence[Row]) -> Iterator[Unit]:
    for task in options.tasks:
        for condition in _conditions(options):
            if condition in REVISED:
                witness = witness_for(condition, task.name, episodes)
                yield RevisionUnit(task, condition, _source(options, options.repairer), witness, common)


def _attempts(options: Options, common: Common, folder: ReportFolder) -> Iterator[Unit]:
    source = _source(options, options.synthesizer)
    for task in options.tasks:
        read = read_task(task.path)
        for condition in _conditions(options):
            contract, revised = read.weakened, None
            if condition == TRUE_SPEC:
                contract = read.full
            elif condition != ORIGINAL:
                row = folder.rows[f"revision/{task.name}/{condition}"][0]
                revised = bool(row.get("accepted"))
                contract = row["text"] if revised else read.weakened
            yield AttemptsUnit(task, condition, contract, revised, source, 1 if source is None else options.attempts, common)


def _source(options: Options, name: str | None) -> Source | None:
    """The source of that name; None for the solver."""
    return next((s for s in options.sources if s.name == name), None)


# --- files ---------------------------------------------------------------------------------------------------------------


def _seal_files(folder: ReportFolder) -> None:
    """Puts the calls in their order, and has all files beside the report hashed with it."""
    transcript = folder.path / TRANSCRIPT
    if transcript.exists():
        folder.write(TRANSCRIPT, write_transcript(read_transcript(transcript)))
    for name in (CERTIFICATES, FROZEN):
        below = (folder.path / name).rglob("*")
        folder.written |= {p.relative_to(folder.path).as_posix() for p in below if p.is_file()}


def report_records(records: Sequence[Path], output: Path, seed: int) -> dict[str, Any]:
    """A report from records alone. Raises `CampaignError`, `FolderError`."""
    rows: list[Row] = []
    hashes: dict[str, str] = {}
    for path in records:
        file = _records_of(path)
        hashes[str(path)] = text_sha256(file.read_bytes()) if file.is_file() else ""
        rows += read_records(file)
    seen = Counter((r["kind"], r["task"], *(r.get(k) for k in ("provider", "policy", "label", "condition"))) for r in rows)
    doubled = [key for key, n in seen.items() if n > 1]
    if doubled:
        named = ", ".join(str(k) for k in doubled[0] if k is not None)
        raise CampaignError(f"the records have the same thing more than once: {named}")
    folder = ReportFolder(output, {"schema": SCHEMA, "experiment": "witness-report", "seed": seed, "records": hashes})
    folder.rows = {str(n): [{UNIT: str(n), **row}] for n, row in enumerate(rows)}
    return write_report(folder, folder.finish([str(n) for n in range(len(rows))], 0.0, 1))


def _records_of(path: Path) -> Path:
    """The file of records: of a campaign's folder, its results, or what there is of them."""
    if not path.is_dir():
        return path
    found = [path / name for name in (RESULTS, UNFINISHED) if (path / name).is_file()]
    if not found:
        raise CampaignError(f"{path}: no records in it; name a campaign's folder, or a file of records")
    return found[0]


def transcript_sources(path: Path, names: Sequence[str]) -> list[Source]:
    """A source for each provider that a transcript has answers of."""
    return [Source(Kind.TRANSCRIPT, name, str(path.resolve())) for name in names]
