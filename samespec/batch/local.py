"""The local engine: worker processes on this machine."""

from __future__ import annotations

import os

from samespec.batch.process import ENTRY, Limits, WorkerProcess


def local_workers(count: int | None, limits: Limits, entry: str = ENTRY) -> list[WorkerProcess]:
    """So many workers; by default one for each processor that this process may use."""
    return [WorkerProcess(limits, entry) for _ in range(count or len(os.sched_getaffinity(0)))]
