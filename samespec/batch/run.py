"""A batch, from the first line of input to the last line of output.

In: a stream of JSON lines, workers, an output, a cache. Out: a result line for every item, in the order of the input or as
they are done, and a summary. The same items give the same lines whatever the engine, the number of workers, the cache, and
however often the batch was stopped and resumed; only what a limit of time or memory ends can differ.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from samespec.batch.engine import Pool, Task, Worker
from samespec.batch.items import BadLine, Id, read_items
from samespec.batch.judge import Job, Judged, failed
from samespec.batch.output import SCHEMA, Outcome, Output, mark_of
from samespec.cache import Cache
from samespec.fingerprint import fingerprint

#: Bytes of answers that a batch without a cache remembers, for pairs that come again.
_OWN_CACHE = 32 << 20
#: Results that may wait for an earlier one, where they are to come out in order.
_WAITING = 20_000


@dataclass(frozen=True, slots=True)
class Options:
    """What is asked of every item. `budget` is in Z3's resource units an obligation; `ordered`: results in the order of the
    input; `timings`: each with its seconds, and whether it came from the cache."""

    budget: int
    strict: bool = False
    audit: bool = False
    ordered: bool = True
    timings: bool = False


@dataclass(slots=True)
class Summary:
    """How a batch went. `kept`, `broken`, `undecided` and `errors` together are `items`; `resumed` of them stood in the
    output before, `cached` came from the cache."""

    items: int = 0
    kept: int = 0
    broken: int = 0
    undecided: int = 0
    errors: int = 0
    resumed: int = 0
    cached: int = 0
    by_error: dict[str, int] = field(default_factory=dict)

    def count(self, outcome: Outcome) -> None:
        self.items += 1
        if outcome.failed:
            self.errors += 1
        elif outcome.kept is None:
            self.undecided += 1
        elif outcome.kept:
            self.kept += 1
        else:
            self.broken += 1


@dataclass(slots=True)
class _Entry:
    """An item under way. `outcome` is set where its line stands in the output already."""

    id: Id | None
    key: str
    mark: bytes
    outcome: Outcome | None = None
    cached: bool = False
    #: numbers of items with the same key that wait for this one's answer
    twins: list[int] = field(default_factory=list)


def run_batch(
    stream: BinaryIO,
    folder: Path,
    workers: Sequence[Worker],
    output: Output,
    options: Options,
    *,
    cache: Cache | None = None,
    progress: Callable[[Summary], None] | None = None,
) -> Summary:
    """Judges every item of the stream and writes its result. `folder` is where the items' paths start. `progress` is called
    after each result."""
    batch = _Batch(stream, folder, output, options, Cache(None, _OWN_CACHE) if cache is None else cache)
    pool = Pool(workers)
    done = pool.run(batch.tasks())
    try:
        for number, judged in done:
            batch.take(number, judged)
            if progress is not None:
                progress(batch.summary)
    finally:
        done.close()  # type: ignore[attr-defined]
        if cache is None:
            batch.cache.close()
    output.finish(batch.order if options.ordered else None)
    return batch.summary


class _Batch:
    """The state of a run. `tasks` is read by the pool's own thread, `take` called by the caller's."""

    def __init__(self, stream: BinaryIO, folder: Path, output: Output, options: Options, cache: Cache) -> None:
        self.stream, self.folder, self.output, self.options, self.cache = stream, folder, output, options, cache
        self.summary = Summary()
        #: the marks of all items, in the order of the input
        self.order: list[bytes] = []
        self._entries: dict[int, _Entry] = {}
        self._leaders: dict[str, int] = {}
        self._lock = threading.Lock()
        self._room = threading.Semaphore(_WAITING)
        self._ready: dict[int, Judged] = {}
        self._next = 0
        self._versions = _versions()

    # --- input -----------------------------------------------------------------------------------------------------

    def tasks(self) -> Iterator[Task]:
        for number, item in enumerate(read_items(self.stream, self.folder)):
            self._room.acquire()
            if isinstance(item, BadLine):
                key = sha256(f"{item.digest} {fingerprint()}".encode()).hexdigest()
                answer = failed(item.kind, item.message, line=item.line, field=item.field)
                yield self._answered(number, item.id, key, Judged(answer, True))
                continue
            o = self.options
            job = Job(item.original, item.submitted, item.targets, item.mode, o.audit, o.strict, o.budget)
            yield from self._task(number, item.id, job)

    def _task(self, number: int, id_: Id, job: Job) -> Iterator[Task]:
        """The task of an item; none where its answer is on its way already."""
        key = job.key()
        before = self.output.done(mark_of(id_, key))
        if before is not None:
            yield self._answered(number, id_, key, Judged({}, True), before)
            return
        with self._lock:
            entry = self._enter(number, id_, key)
            leader = self._leaders.get(key)
            if leader is not None:
                self._entries[leader].twins.append(number)
                entry.cached = True
                return
            known = self.cache.get(key)
            if known is None:
                self._leaders[key] = number
            else:
                entry.cached = True
        if known is None:
            yield Task(number, sha256(job.original.encode()).hexdigest(), job)
        else:
            yield Task(number, "", None, Judged(known, True))

    def _answered(self, number: int, id_: Id | None, key: str, answer: Judged, before: Outcome | None = None) -> Task:
        with self._lock:
            entry = self._enter(number, id_, key)
            entry.outcome = self.output.done(entry.mark) if before is None else before
        return Task(number, "", None, answer)

    def _enter(self, number: int, id_: Id | None, key: str) -> _Entry:
        entry = self._entries[number] = _Entry(id_, key, mark_of(id_, key))
        self.order.append(entry.mark)
        return entry

    # --- output ----------------------------------------------------------------------------------------------------

    def take(self, number: int, judged: Judged) -> None:
        """Takes an answer, and writes what can be written now."""
        with self._lock:
            entry = self._entries[number]
            if self._leaders.get(entry.key) == number:
                if judged.lasting and judged.value["error"] is None:
                    self.cache.put(entry.key, judged.value)
                del self._leaders[entry.key]
            twins = entry.twins
        for n in (number, *twins):
            self._ready[n] = judged
            if not self.options.ordered:
                self._write(n)
        while self.options.ordered and self._next in self._ready:
            self._write(self._next)
            self._next += 1

    def _write(self, number: int) -> None:
        judged = self._ready.pop(number)
        with self._lock:
            entry = self._entries.pop(number)
        if entry.outcome is not None:
            self.summary.resumed += 1
            self.summary.count(entry.outcome)
        else:
            value = judged.value
            self.output.write(entry.mark, self._line(entry, judged))
            self.summary.cached += entry.cached
            self.summary.count(Outcome(value["kept"], value["error"] is not None))
            if value["error"] is not None:
                kind = value["error"]["kind"]
                self.summary.by_error[kind] = self.summary.by_error.get(kind, 0) + 1
        self._room.release()

    def _line(self, entry: _Entry, judged: Judged) -> bytes:
        record = {"schema": SCHEMA, "versions": self._versions, "id": entry.id, "input": entry.key, **judged.value}
        if self.options.timings:
            record["timing"] = {"seconds": 0.0 if entry.cached else round(judged.seconds, 3), "cached": entry.cached}
        return json.dumps(record, ensure_ascii=True).encode() + b"\n"


def _versions() -> dict[str, str]:
    from samespec.render.json_report import versions

    return versions()
