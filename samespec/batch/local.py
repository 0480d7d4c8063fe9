"""The local engine: worker processes on this machine."""

from __future__ import annotations

import os
from pathlib import Path

from samespec.batch.process import ENTRY, Limits, WorkerProcess


def local_workers(count: int | None, limits: Limits, entry: str = ENTRY, cache: Path | None = None) -> list[WorkerProcess]:
    """So many workers; by default one for each processor that this process may use. `cache`: the directory of the cache."""
    return [WorkerProcess(limits, entry, cache) for _ in range(count or len(os.sched_getaffinity(0)))]
