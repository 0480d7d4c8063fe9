"""A worker process seen from outside: one job in, one answer out, within limits.

In: jobs, one at a time. Out: for each an answer (a JSON object as `samespec.batch.judge` makes it); a job that breaks a
limit, or takes its process down, has that as its answer. The process is started when it is needed and started anew after such
a job.

It is a process of its own, not one of `multiprocessing`: it does not import the program that asks (no `__main__` guard is
needed in a training loop), it can be started from any thread or actor, and it may be killed at any moment.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import struct
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from samespec.batch.judge import CRASH, MEMORY, TIME, Job, Judged, failed
from samespec.batch.worker import OUT_OF_MEMORY

ENTRY = "samespec.batch.judge:judge"
#: A worker must be ready after so many seconds, on a busy machine too.
START_SECONDS = 120.0
#: A worker that has grown by more than this share of its memory limit is replaced, so that a job has what its limit says.
_GROWN = 0.25
#: So often a worker may die while it starts, as when somebody kills it.
_STARTS = 3
_CHUNK = 1 << 16


class WorkerError(Exception):
    """A worker cannot be started, or was ended by `close`: nothing can be judged."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one job may take. `seconds` of wall-clock time, from when an idle worker gets it; `memory_mb`: what the worker may
    take beyond what it has when it is ready (0: no limit; only where there is /proc)."""

    seconds: float = 120.0
    memory_mb: int = 2048


class WorkerProcess:
    """One process, used by one thread at a time; `close` may be called from any."""

    def __init__(self, limits: Limits, entry: str = ENTRY, cache: Path | None = None) -> None:
        """`cache` is the directory that keeps Z3's answers (see `samespec.batch.questions`)."""
        self.limits, self.entry, self.cache = limits, entry, cache
        self._process: subprocess.Popen[bytes] | None = None
        self._buffer = bytearray()
        self._done = 0  # jobs since the process was started
        self._closed = False

    def prepare(self) -> None:
        """Nothing: the process is started by the first job, and not at all where there is none."""

    def judge(self, job: Job) -> Judged:
        """The answer to a job. A process that dies for no known reason is tried once more, on a new one: it may have been
        killed from outside. So is a job that met the memory limit in a process that others had used before. Raises
        `WorkerError`."""
        payload = json.dumps(job.to_json()).encode()
        deaths = 0
        while True:
            fresh = self._done == 0 or self._process is None
            answer = self._once(payload)
            if isinstance(answer, Judged):
                return answer
            if answer == "time":
                return Judged(failed(TIME, f"no verdict within {self.limits.seconds:g} s; --timeout allows more"), False)
            if answer == "memory":
                if not fresh:
                    continue
                return Judged(failed(MEMORY, f"took more than {self.limits.memory_mb} MB; --memory allows more"), False)
            deaths += 1
            if deaths == 2:
                message = f"the worker died twice on this pair ({answer}); please report it with the two texts"
                return Judged(failed(CRASH, message), False)

    def close(self) -> None:
        """Ends the process, whatever it is doing, for good."""
        self._closed = True
        process = self._process
        if process is not None:
            process.kill()

    @property
    def pid(self) -> int | None:
        """The process that is running; None where there is none."""
        return None if self._process is None else self._process.pid

    def _once(self, payload: bytes) -> Judged | str:
        """The answer; or "time", "memory", or how the process died. Afterwards there is a process that can go on, or none."""
        self._start()
        deadline = time.monotonic() + self.limits.seconds
        try:
            self._send(payload, deadline)
            frame = self._receive(deadline)
        except TimeoutError:
            self._end()
            return "time"
        except (EOFError, OSError):
            return self._died()
        self._done += 1
        reply = json.loads(frame)
        if "memory" in reply:
            self._end()
            return "memory"
        if self.limits.memory_mb and reply["grown"] > _GROWN * (self.limits.memory_mb << 20):
            self._end()
        return Judged(reply["value"], reply["lasting"], reply["seconds"])

    def _end(self) -> None:
        """Ends the process and forgets it; the next job starts another."""
        process, self._process = self._process, None
        self._buffer.clear()
        self._done = 0
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()

    def _start(self) -> None:
        """Makes sure that there is a process that is ready. Raises `WorkerError`."""
        how = ""
        for _ in range(_STARTS if self._process is None else 0):
            if self._closed:
                break
            try:
                self._process = self._spawned()
                self._receive(time.monotonic() + START_SECONDS)
                break
            except (TimeoutError, EOFError):
                how = self._died()
            except OSError as error:
                how = error.strerror or str(error)
                self._end()
        if self._closed:
            self._end()
            raise WorkerError("this worker was ended")
        if self._process is None:
            raise WorkerError(f"a worker process cannot be started ({how}); SAMESPEC_DEBUG=1 shows what it says")

    def _spawned(self) -> subprocess.Popen[bytes]:
        # The same places to import from as here, and none of the current directory's.
        start = f"import sys; sys.path[:] = {sys.path!r}; from samespec.batch.worker import main; "
        cache = None if self.cache is None else str(self.cache.absolute())
        start += f"main({self.entry!r}, {self.limits.memory_mb}, {cache!r})"
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", start],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # an interrupt at the terminal is for the one that started it
        )
        assert process.stdin is not None
        os.set_blocking(process.stdin.fileno(), False)
        return process

    def _send(self, payload: bytes, deadline: float) -> None:
        """Sends a frame. Raises `TimeoutError` where nobody takes it."""
        assert self._process is not None and self._process.stdin is not None
        fd = self._process.stdin.fileno()
        poll = select.poll()
        poll.register(fd, select.POLLOUT)
        rest = memoryview(struct.pack(">I", len(payload)) + payload)
        while rest:
            if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
                raise TimeoutError
            rest = rest[os.write(fd, rest[:_CHUNK]) :]

    def _receive(self, deadline: float) -> bytes:
        """The next frame. Raises `TimeoutError`, and `EOFError` where the process ended."""
        assert self._process is not None and self._process.stdout is not None
        fd = self._process.stdout.fileno()
        poll = select.poll()
        poll.register(fd, select.POLLIN)
        while True:
            if len(self._buffer) >= 4:
                (length,) = struct.unpack(">I", self._buffer[:4])
                if len(self._buffer) >= 4 + length:
                    frame = bytes(self._buffer[4 : 4 + length])
                    del self._buffer[: 4 + length]
                    return frame
            left = deadline - time.monotonic()
            # What is there already counts, however late it is read: this process may have been stopped for a while.
            if not poll.poll(max(0.0, left) * 1000):
                raise TimeoutError
            chunk = os.read(fd, _CHUNK)
            if not chunk:
                raise EOFError
            self._buffer += chunk

    def _died(self) -> str:
        """How a process ended that was not asked to: "memory", or for people."""
        process = self._process
        assert process is not None
        try:
            status = process.wait(1.0)
        except subprocess.TimeoutExpired:
            status = None
        self._end()
        if status == OUT_OF_MEMORY:
            return "memory"
        if status is None:
            return "it closed its output"
        if status < 0:
            try:
                return signal.Signals(-status).name
            except ValueError:
                return f"signal {-status}"
        return f"exit status {status}"
