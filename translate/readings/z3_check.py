"""Asking a Z3 solver, with a net below its budget.

In: a solver and seconds of processor time. Out: its answer, and whether it had to be stopped: it took longer, or more memory.

A budget in Z3's resource units gives the same answer on every machine, but Z3 does some work that it does not count. The net
catches that. It is in processor time of the asking thread, so that it does not depend on what else the machine does.
"""

from __future__ import annotations

import mmap
import threading
import time
from pathlib import Path
from typing import Any, Final

#: Seconds between two looks at the clock.
_LOOK: Final = 0.05
#: Bytes that one question may add to the process.
MEMORY: Final = 1_000_000_000


def check_within(solver: Any, seconds: float) -> tuple[str, bool]:
    """`sat`, `unsat` or `unknown`, and whether it is unknown because the solver was stopped."""
    if not hasattr(time, "pthread_getcpuclockid"):  # Windows: by the wall clock
        solver.set("timeout", int(1000 * seconds))
        answer = str(solver.check())
        return answer, answer == "unknown" and solver.reason_unknown() == "timeout"
    clock = time.pthread_getcpuclockid(threading.get_ident())
    end = time.clock_gettime(clock) + seconds
    largest = _resident() + MEMORY
    done, stopped = threading.Event(), threading.Event()

    def watch() -> None:
        while not done.wait(_LOOK):
            if time.clock_gettime(clock) > end or _resident() > largest:
                stopped.set()
                solver.ctx.interrupt()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        answer = str(solver.check())
    finally:
        done.set()
        watcher.join()
    return answer, answer == "unknown" and stopped.is_set()


def _resident() -> int:
    """The bytes of memory that the process occupies; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * mmap.PAGESIZE
    except OSError:
        return 0
