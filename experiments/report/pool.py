"""Units of work on all cores.

In: a function of one unit, the units, and whom to tell of each result. Out: the results, as they come. The function must be a
module's own, and what it returns must not depend on which units were done before it in the same process.
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


class WorkerDied(Exception):
    """A worker process ended by itself; the message says what to do."""


def run_units(
    work: Callable[[U], list[Row]], units: Sequence[U], jobs: int, done: Callable[[U, list[Row], float], None]
) -> None:
    """Calls `done` with each unit, its rows and the seconds it took, in the order in which they finish. Raises `WorkerDied`."""
    if jobs <= 1 or len(units) <= 1:
        for unit in units:
            rows, seconds = _timed(work, unit)
            done(unit, rows, seconds)
        return
    size = UNITS_PER_WORKER * jobs
    for start in range(0, len(units), size):
        _batch(work, units[start : start + size], jobs, done)


def _batch(work: Callable[[U], list[Row]], units: Sequence[U], jobs: int, done: Callable[[U, list[Row], float], None]) -> None:
    # Spawned, not forked: a fork would copy the state of the solver's threads.
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(min(jobs, len(units)), mp_context=context, initializer=_quiet)
    try:
        futures: dict[Future[tuple[list[Row], float]], U] = {executor.submit(_timed, work, u): u for u in units}
        for future in as_completed(futures):
            rows, seconds = future.result()
            done(futures[future], rows, seconds)
    except BrokenProcessPool as error:
        message = "a worker process ended by itself (out of memory?); what was done is kept: run the same command again"
        raise WorkerDied(f"{message} to go on, with fewer --jobs") from error
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.terminate()
        raise
    executor.shutdown()


def _quiet() -> None:
    """An interrupt from the keyboard is the main process's to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _timed(work: Callable[[U], list[Row]], unit: U) -> tuple[list[Row], float]:
    started = time.perf_counter()
    rows = work(unit)
    return rows, time.perf_counter() - started
