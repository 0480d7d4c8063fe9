"""A worker: a process that judges one job after another until its input ends.

In: frames on standard input, each four bytes of length (big-endian) and JSON: a job. Out: frames on standard output, the
first one when it is ready, then one for each job: `{"value": …, "lasting": …, "seconds": …, "grown": bytes}`, or `{"memory":
true}` where the memory limit was met. `samespec.batch.process` is the other end.

It ends as soon as its input does, in the midst of a job too: a worker never outlives the process that started it.
"""

from __future__ import annotations

import functools
import importlib
import json
import os
import queue
import struct
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, BinaryIO

from samespec.batch.judge import Job, Judged, job_from_json
from translate.source import SourceText
from translate.syntax import File

#: The exit status of a worker that has no memory left even for its answer.
OUT_OF_MEMORY = 77
#: How many syntax trees of originals a worker keeps.
KEPT_TREES = 32
#: A tree of more text than this is not kept: it would cost more memory than it saves time.
LARGEST_KEPT = 256 * 1024

Judge = Callable[[Job, Callable[[SourceText], File]], Judged]


class Trees:
    """Syntax trees of files that come again: the least recently used goes first. Trees are never changed
    (`translate.syntax`)."""

    def __init__(self, size: int = KEPT_TREES) -> None:
        self.size = size
        self._kept: OrderedDict[str, File] = OrderedDict()

    def parse(self, source: SourceText) -> File:
        """The tree of a file, as `translate.parser.parse_file` gives it."""
        from translate.parser import parse_file

        found = self._kept.pop(source.sha256, None)
        if found is None:
            found = parse_file(source)
        if len(source.data) <= LARGEST_KEPT:
            self._kept[source.sha256] = found
            if len(self._kept) > self.size:
                self._kept.popitem(last=False)
        return found


def main(entry: str, memory_mb: int, cache: str | None = None) -> None:
    """Serves until the input ends. `entry` names the function that judges, as in `samespec.batch.judge:judge`; `memory_mb` is
    what the process may take beyond what it has when it is ready (0: no limit); `cache` is the directory that keeps Z3's
    answers."""
    answers = os.fdopen(os.dup(1), "wb")
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)  # whatever prints to standard output must not end up between the frames
    if not os.environ.get("SAMESPEC_DEBUG"):
        os.dup2(silent, 2)
    jobs: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    judge = _ready(entry, cache)
    threading.Thread(target=_listen, args=(sys.stdin.buffer, jobs), daemon=True).start()
    start = address_space()
    if memory_mb and start:
        _limit(start + (memory_mb << 20))
    trees = Trees()
    write_frame(answers, b"{}")
    while True:
        try:
            judged = judge(job_from_json(json.loads(jobs.get())), trees.parse)
            reply = {"value": judged.value, "lasting": judged.lasting, "seconds": judged.seconds}
            reply["grown"] = max(0, address_space() - start)
            frame = json.dumps(reply).encode()
        except MemoryError:
            trees = Trees()
            frame = b'{"memory": true}'
        try:
            write_frame(answers, frame)
        except MemoryError:
            os._exit(OUT_OF_MEMORY)
        except OSError:
            os._exit(0)  # nobody listens any more


def _ready(entry: str, cache: str | None) -> Judge:
    """The function that judges, with what it needs loaded: the first job should take no longer than the others."""
    module, _, name = entry.partition(":")
    judge: Any = getattr(importlib.import_module(module), name)
    text = "verus! { spec fn p(x: int) -> bool { x > 0 } proof fn f(x: int) requires p(x), ensures x * x >= x { } }"
    weaker = text.replace("x * x >= x", "x * x >= 0")
    judge(Job(text, weaker, None, "contract", False, False, 10_000), Trees().parse)
    if cache is None:
        plain: Judge = judge
        return plain
    from samespec.batch.questions import questions_in

    return functools.partial(judge, store=questions_in(cache))


def _listen(stream: BinaryIO, jobs: queue.SimpleQueue[bytes]) -> None:
    try:
        while (frame := read_frame(stream)) is not None:
            jobs.put(frame)
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    os._exit(0)


def _limit(size: int) -> None:
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        size = min(size, hard)
    resource.setrlimit(resource.RLIMIT_AS, (size, hard))


def address_space() -> int:
    """The size of this process's address space in bytes; 0 where the system does not tell (then there is no memory limit)."""
    try:
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123  (on every job: no detour)
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


def write_frame(stream: BinaryIO, payload: bytes) -> None:
    stream.write(struct.pack(">I", len(payload)) + payload)
    stream.flush()


def read_frame(stream: BinaryIO) -> bytes | None:
    """The next frame; None at the end of the stream, also in the midst of one."""
    head = stream.read(4)
    if len(head) < 4:
        return None
    (length,) = struct.unpack(">I", head)
    payload = stream.read(length)
    return payload if len(payload) == length else None
