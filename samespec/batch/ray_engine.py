"""The Ray engine: workers on the nodes of a Ray cluster (`pip install 'samespec[ray]'`).

In: the cluster's address. Out: workers for `samespec.batch.engine.Pool`. Each is an actor that holds a worker process on its
node, with the same limits as a local one: so a job ends there as it would end here. Texts travel with the jobs; the nodes
need no files, but the very same samespec. Where a worker is lost (its process, its node, the way to it) its job goes to
another, and a new worker is made wherever the cluster has room.
"""

from __future__ import annotations

import importlib.util
import logging
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from samespec.batch.engine import WorkerGone, WorkerLost
from samespec.batch.judge import Job, Judged, job_from_json
from samespec.batch.process import ENTRY, START_SECONDS, Limits, WorkerProcess
from samespec.fingerprint import fingerprint

#: The cluster must give a worker after so many seconds, the first time (it may have to start a node) and later.
PLACE_SECONDS = 300.0
PLACE_AGAIN_SECONDS = 30.0
REACH_SECONDS = 10.0
_ATTEMPTS = 3
_PAUSE = 1.0


class RayError(Exception):
    """Ray is missing, the cluster cannot be reached, or its nodes are not fit; the message says what to do."""


@contextmanager
def connected(address: str) -> Iterator[int]:
    """A connection to a cluster ("auto", "HOST:PORT", "ray://HOST:PORT"); gives the number of its CPUs. Raises `RayError`."""
    if importlib.util.find_spec("ray") is None:
        raise RayError("Ray is not installed: pip install 'samespec[ray]'")
    _reach(address)
    import ray

    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError, AssertionError) as error:
        first = (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
        raise RayError(f"no Ray cluster at {address}: {first} (`ray start --head` starts one here)") from None
    try:
        yield int(ray.cluster_resources().get("CPU", 0))
    finally:
        ray.shutdown()


def _reach(address: str) -> None:
    """Whether anybody listens at HOST:PORT: Ray itself would go on asking for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdecimal():
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=REACH_SECONDS).close()
        except (OSError, OverflowError) as error:
            raise RayError(f"no Ray cluster at {address}: {error} (`ray start --head` starts one here)") from None


def ray_workers(count: int, limits: Limits, entry: str = ENTRY) -> list[RayWorker]:
    """So many workers, one CPU each; the cluster places them when they are prepared."""
    return [RayWorker(limits, entry) for _ in range(count)]


class _Host:
    """What runs on a node: one worker process."""

    def __init__(self, limits: Limits, entry: str) -> None:
        self._worker = WorkerProcess(limits, entry)

    def fingerprint(self) -> str:
        return fingerprint()

    def judge(self, job: dict[str, Any]) -> tuple[dict[str, Any], bool, float]:
        judged = self._worker.judge(job_from_json(job))
        return judged.value, judged.lasting, judged.seconds


class RayWorker:
    """One worker of a cluster."""

    def __init__(self, limits: Limits, entry: str) -> None:
        self.limits, self.entry = limits, entry
        self._actor: Any = None
        self._placed_before = False
        self._closed = False

    def prepare(self) -> None:
        """Has the cluster place the worker. Raises `WorkerGone`, and `RayError` for a node that would decide otherwise."""
        if self._actor is None:
            self._actor = self._place()

    def judge(self, job: Job) -> Judged:
        """The answer to a job. Raises `WorkerLost`, and `RayError` for a node that cannot judge."""
        import ray

        # A job may be tried twice, each time on a process that has to start.
        longest = 2 * (self.limits.seconds + START_SECONDS) + PLACE_AGAIN_SECONDS
        try:
            return Judged(*ray.get(self._actor.judge.remote(job.to_json()), timeout=longest))
        except ray.exceptions.RayTaskError as error:
            raise RayError(f"a node cannot judge: {error.cause}") from None
        except ray.exceptions.RayError as error:
            self._drop()
            raise WorkerLost(_line(error)) from error

    def close(self) -> None:
        self._closed = True
        self._drop()

    def _place(self) -> Any:
        """A new actor, on any node with room."""
        import ray

        seconds = PLACE_AGAIN_SECONDS if self._placed_before else PLACE_SECONDS
        problem = f"the cluster has had no room for {seconds:g} s; are all its CPUs taken?"
        for _ in range(_ATTEMPTS):
            if self._closed:
                break
            host = ray.remote(_Host).options(num_cpus=1, max_restarts=0, scheduling_strategy="SPREAD")
            actor = host.remote(self.limits, self.entry)
            try:
                found = ray.get(actor.fingerprint.remote(), timeout=seconds)
            except ray.exceptions.GetTimeoutError:
                ray.kill(actor)
                break
            except ray.exceptions.RayError as error:
                problem = f"a node cannot run samespec: {_line(error)}"
                time.sleep(_PAUSE)
                continue
            if found != fingerprint():
                message = "another samespec, or other libraries, than here: verdicts could differ; install the same on all nodes"
                raise RayError(f"a node of the cluster has {message}")
            self._placed_before = True
            return actor
        raise WorkerGone(problem)

    def _drop(self) -> None:
        import ray

        actor, self._actor = self._actor, None
        if actor is not None and ray.is_initialized():
            ray.kill(actor)


def _line(error: Exception) -> str:
    """The last line of what Ray says: the cause stands there."""
    lines = str(error).strip().splitlines()
    return lines[-1][:300] if lines else type(error).__name__
