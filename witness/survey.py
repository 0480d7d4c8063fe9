"""A survey of a whole benchmark: what of it can be read as tasks, and what the solver finds.

In: sources of tasks, a machine. Out: one record a function, in JSON lines, and a summary of them. A function's weakenings are the
total omission and at most two residual ones of different rules; the search is smaller than that of a single task, and puts
nothing together from parts. What stands in the file already is not done again, so a survey can be stopped and taken up.
"""

from __future__ import annotations

import json
import multiprocessing
import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from translate import terms as tm
from translate.terms import Sort
from witness.contract import WitnessError, open_function, working
from witness.discover import Discovery, Effort, discover
from witness.gates import Means
from witness.model import OmissionKind
from witness.program import Machine, find_machine
from witness.tasks import NoTask, Source, make_tasks
from witness.weaken import Weakening

SCHEMA: Final = "samespec/witness-survey/1"
#: Z3's resource units for one obligation, and how far one search goes.
BUDGET: Final = 300_000
EFFORT: Final = Effort(built=5_000, largest=6, budget=150_000, asked=10, steps=1_000_000, by_cases=False)
RESIDUAL: Final = 2
#: Functions under way for each process: results come in the order of the sources.
_AHEAD: Final = 4
#: A process makes room for a new one after so many functions, so that what libraries keep in memory does not add up.
_FUNCTIONS: Final = 50

Record = dict[str, Any]


def survey(sources: Iterable[Source | NoTask], machine: Machine, file: Path, *, jobs: int = 1) -> Iterator[Record]:
    """The records of the sources, each written to the file as it is made; those that stand there come first, unchanged. With
    several `jobs`, processes that find the machine themselves. Raises `WitnessError`."""
    done = read(file) if file.exists() else []
    yield from done
    names = {r["name"] for r in done}
    new = (s for s in sources if s.name not in names)
    with file.open("a", encoding="utf-8") as out:
        for record in _by_many(new, jobs) if jobs > 1 else (look(s, machine) for s in new):
            out.write(json.dumps(record, ensure_ascii=False) + "\n")
            out.flush()
            yield record


def _by_many(sources: Iterator[Source | NoTask], jobs: int) -> Iterator[Record]:
    """The records in the order of the sources, made by several processes. A function that takes its process down, also by itself,
    has that as its record: a solver is a large program."""
    pool = _pool(jobs)
    waiting: deque[tuple[Source | NoTask, Future[Record]]] = deque()
    try:
        for source in sources:
            try:
                future = pool.submit(_look, source)
            except BrokenProcessPool:
                pool = _pool(jobs)
                future = pool.submit(_look, source)
            waiting.append((source, future))
            if len(waiting) >= _AHEAD * jobs:
                yield _result(*waiting.popleft())
        while waiting:
            yield _result(*waiting.popleft())
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _pool(jobs: int) -> ProcessPoolExecutor:
    # Spawned, not forked: a fork would copy the state of the solver's threads.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(jobs, mp_context=context, max_tasks_per_child=_FUNCTIONS)


def _result(source: Source | NoTask, future: Future[Record]) -> Record:
    try:
        return future.result()
    except BrokenProcessPool:
        pass
    with _pool(1) as alone:  # it may have been another that broke the pool
        try:
            return alone.submit(_look, source).result()
        except BrokenProcessPool:
            why = "its process ended by itself, twice (the solver crashed, or memory ran out)"
            return {"schema": SCHEMA, "name": source.name, "result": None, "why": why, "tasks": []}


def _look(source: Source | NoTask) -> Record:
    machine = _machine()
    if machine is None:
        raise WitnessError("no rustc is found any more")
    return look(source, machine)


@cache
def _machine() -> Machine | None:
    return find_machine()


def read(file: Path) -> list[Record]:
    """The records of a file. Raises `WitnessError`."""
    found = []
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise WitnessError(f"{file}: cannot be read: {getattr(problem, 'strerror', None) or problem}") from problem
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
            if record["schema"] != SCHEMA or not isinstance(record["name"], str):
                raise ValueError(f"not a record of schema {SCHEMA}")
        except (ValueError, KeyError, TypeError) as problem:
            raise WitnessError(f"{file}:{number}: {problem}; name the file of a survey, or a new one") from problem
        found.append(record)
    return found


def look(source: Source | NoTask, machine: Machine) -> Record:
    """One function: its tasks, and what the solver finds for each."""
    record: Record = {"schema": SCHEMA, "name": source.name, "result": None, "why": None, "tasks": []}
    if isinstance(source, NoTask):
        return {**record, "why": source.why}
    try:
        record["result"] = result_kind(source)
    except WitnessError as problem:
        return {**record, "why": str(problem)}
    made = make_tasks(source, machine, budget=BUDGET, wanted=_some())
    record["refused"] = [{"name": n.name, "why": n.why} for n in made.refused]
    if not made.tasks:
        record["why"] = made.refused[0].why if made.refused else "no weakening"
    means = Means(machine, None, BUDGET)
    record["tasks"] = [_found(discover(task, means, EFFORT), str(task.omission.kind), task.omission.rule) for task in made.tasks]
    return record


def result_kind(source: Source) -> str:
    """What a function returns: "integer", "bool", "option", "nothing" (it changes a parameter), or "other"."""
    with working():
        opened = open_function(source.path, source.full, source.function)
        return _kind(opened.result_sort)


def _kind(sort: Sort | None) -> str:
    if sort is None:
        return "nothing"
    if sort is tm.BOOL:
        return "bool"
    if sort.is_integer and sort is not tm.CHAR:
        return "integer"
    return "option" if sort.kind == "data" and sort.name == "Option" else "other"


def _some() -> Callable[[Weakening], bool]:
    """Lets the total omission and some residual ones pass, each of another rule."""
    met: list[str] = []

    def wanted(weakening: Weakening) -> bool:
        omission = weakening.omission
        group = "total" if omission.kind is OmissionKind.TOTAL else omission.rule
        residual = [g for g in met if g != "total"]
        if group in met or (group != "total" and len(residual) >= RESIDUAL):
            return False
        met.append(group)
        return True

    return wanted


def _found(found: Discovery, kind: str, rule: str) -> Record:
    judgement = found.judgement
    return {
        "task": found.task,
        "kind": kind,
        "rule": rule,
        "found": str(found.found),
        "reason": found.reason,
        "expression": None if judgement is None else judgement.candidate.expression,
        "size": found.size,
        "open": list(found.open),
    }


# --- summary -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """Functions with one kind of result: how many, with tasks, with a certified witness for some task, for a residual one."""

    result: str
    functions: int
    with_tasks: int
    certified: int
    residual_tasks: int
    residual_certified: int


def rows(records: Sequence[Mapping[str, Any]]) -> list[Row]:
    """The summary by kind of result."""
    found = []
    for result in ("integer", "bool", "option", "nothing", "other", None):
        here = [r for r in records if r["result"] == result]
        if not here:
            continue
        residual = [[t for t in r["tasks"] if t["kind"] == "residual"] for r in here]
        found.append(
            Row(
                result or "not read",
                len(here),
                sum(bool(r["tasks"]) for r in here),
                sum(any(t["found"] == "certified" for t in r["tasks"]) for r in here),
                sum(bool(ts) for ts in residual),
                sum(any(t["found"] == "certified" for t in ts) for ts in residual),
            )
        )
    return found


def reasons(records: Sequence[Mapping[str, Any]]) -> list[tuple[str, int]]:
    """Why functions make no task, most frequent first: the reasons without the names and values in them."""
    counts = Counter(_bare(str(r["why"])) for r in records if not r["tasks"])
    return counts.most_common()


def outcomes(records: Sequence[Mapping[str, Any]], kind: str) -> list[tuple[str, int]]:
    """How the searches for tasks of one kind of omission ended."""
    return Counter(str(t["found"]) for r in records for t in r["tasks"] if t["kind"] == kind).most_common()


def _bare(why: str) -> str:
    """A reason as one of few: what is quoted, places and numbers are taken out."""
    why = re.sub(r"^\S+?:(?:\d+:\d+:)? ", "", why)
    why = re.sub(r"`[^`]*`", "…", why)
    why = re.sub(r"\[.*\]", "[…]", why)
    return re.sub(r"\d+", "N", why)[:110]
