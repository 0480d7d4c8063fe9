"""Units of work on all cores.

In: a function of one unit, the units, and whom to tell of each result. Out: the results, as they come. The function must be a
module's own, and what it returns must not depend on which units were done before it in the same process.

A unit may take its process down with it: a solver is a large program. Which one did is found out by doing those that were under
way once more, each in a process of its own.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from experiments.report.folder import Row

U = TypeVar("U")
#: A worker makes room for a new one after so many units, so that what libraries keep in memory does not add up.
UNITS_PER_WORKER = 300


#: Why there is nothing on a unit that took its process down, also by itself.
LOST = "its process ended by itself, twice (the solver crashed, or memory ran out)"


class WorkerDied(Exception):
    """A worker process ended by itself; the message says what to do."""


def run_units(
    work: Callable[[U], list[Row]],
    units: Sequence[U],
    jobs: int,
    done: Callable[[U, list[Row], float], None],
    lost: Callable[[U], list[Row]] | None = None,
) -> None:
    """Calls `done` with each unit, its rows and the seconds it took, in the order in which they finish. `lost` gives the rows of
    a unit that takes its process down (they should say `LOST`); without it, that raises `WorkerDied`."""
    if jobs <= 1 or len(units) <= 1:
        for unit in units:
            rows, seconds = _timed(work, unit)
            done(unit, rows, seconds)
        return
    size = UNITS_PER_WORKER * jobs
    for start in range(0, len(units), size):
        left = list(units[start : start + size])
        while left:
            left = _batch(work, left, jobs, done)
            # Units are handed out in order: the one that did it is among the first that are left.
            for unit in left[: 2 * jobs + 1]:
                if _batch(work, [unit], 1, done):
                    if lost is None:
                        message = "a worker process ended by itself (out of memory?); what was done is kept: run the same"
                        raise WorkerDied(f"{message} command again to go on, with fewer --jobs")
                    done(unit, lost(unit), 0.0)
            left = left[2 * jobs + 1 :]


def _batch(
    work: Callable[[U], list[Row]], units: Sequence[U], jobs: int, done: Callable[[U, list[Row], float], None]
) -> list[U]:
    """The units that were not done because a process ended by itself."""
    # Spawned, not forked: a fork would copy the state of the solver's threads.
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(min(jobs, len(units)), mp_context=context, initializer=_quiet)
    futures: dict[Future[tuple[list[Row], float]], U] = {}
    finished: set[Future[tuple[list[Row], float]]] = set()
    try:
        for unit in units:
            futures[executor.submit(_timed, work, unit)] = unit
        for future in as_completed(futures):
            rows, seconds = future.result()
            finished.add(future)
            done(futures[future], rows, seconds)
    except BrokenProcessPool:
        executor.shutdown()
        # Others may have ended before the break, and not be told of yet.
        for future, unit in futures.items():
            if future not in finished and future.done() and future.exception() is None:
                finished.add(future)
                done(unit, *future.result())
        return [u for f, u in futures.items() if f not in finished] + list(units[len(futures) :])
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.terminate()
        raise
    executor.shutdown()
    return []


def _quiet() -> None:
    """An interrupt from the keyboard is the main process's to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _timed(work: Callable[[U], list[Row]], unit: U) -> tuple[list[Row], float]:
    started = time.perf_counter()
    rows = work(unit)
    return rows, time.perf_counter() - started
