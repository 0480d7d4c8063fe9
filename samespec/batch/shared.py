"""Worker processes that many threads share: each job has one to itself, and they are kept.

In: jobs, from any thread. Out: answers. Used by `samespec.reward` and by the service. The cache is the one that the environment
variable SAMESPEC_CACHE names.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from samespec.batch.judge import Job
    from samespec.batch.process import Limits, WorkerProcess
    from samespec.cache import Cache


class SharedPool:
    """The worker processes of this process: at most `most`, by default one for each processor."""

    def __init__(self, most: int | None = None) -> None:
        self._room = threading.Semaphore(most or len(os.sched_getaffinity(0)))
        self._lock = threading.Lock()
        self._idle: list[WorkerProcess] = []
        self._cache: Cache | None = None
        self._cache_directory: Path | None = None

    def judge(self, job: Job, limits: Limits) -> dict[str, Any]:
        """The answer to a job, as `samespec.batch.judge` makes it. Waits for a worker."""
        from samespec.batch.process import WorkerProcess

        cache = self._opened_cache()
        key = "" if cache is None else job.key()
        found = None if cache is None else cache.get(key)
        if found is not None:
            return found
        with self._room:
            with self._lock:
                directory = self._cache_directory
                fitting = [w for w in self._idle if (w.limits.memory_mb, w.cache) == (limits.memory_mb, directory)]
                worker = fitting[-1] if fitting else None
                if worker is not None:
                    self._idle.remove(worker)
            if worker is None:
                worker = WorkerProcess(limits, cache=directory)
            worker.limits = limits
            try:
                judged = worker.judge(job)
            except BaseException:
                worker.close()
                raise
            with self._lock:
                self._idle.append(worker)
        if cache is not None and judged.lasting and judged.value["error"] is None:
            cache.put(key, judged.value)
        return judged.value

    def close(self) -> None:
        """Ends the workers that are idle."""
        with self._lock:
            workers, self._idle = self._idle, []
        for worker in workers:
            worker.close()

    def _opened_cache(self) -> Cache | None:
        from samespec.cache import Cache, directory_from

        directory = directory_from(None)
        with self._lock:
            if directory != self._cache_directory:
                self._cache = None if directory is None else Cache(directory)
                self._cache_directory = directory
            return self._cache
