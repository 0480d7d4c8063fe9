"""The pool: workers that are kept busy, whatever they are.

In: tasks, lazily, from an iterator. Out: pairs of a task's number and its answer, in the order in which they are done. Each
worker is driven by a thread of its own, so a worker is anything that answers a job: a process here (`samespec.batch.process`)
or one somewhere in a cluster (`samespec.batch.ray_engine`). Tasks with the same original go to the same worker, which then
parses it once; a worker without work takes over from the others.

Tasks are read by a thread too: what is done comes out while the next line of input is still awaited. No more than a window of
them is under way at any time, so that a batch of any length fits into memory.
"""

from __future__ import annotations

import queue
import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from samespec.batch.judge import LOST, Job, Judged, failed

#: Tasks under way for each worker: enough to keep all of them busy, and to bring those of one original together.
AHEAD = 16
#: How often a task may lose its worker.
MOST_LOST = 5
#: Originals of which it is known which worker has them.
_HOMES = 4096


@dataclass(frozen=True, slots=True)
class Task:
    """A job with its place in the batch, or an answer that is there already. `group` is the same for tasks that gain from
    being done by the same worker."""

    number: int
    group: str
    job: Job | None = None
    answer: Judged | None = None


class WorkerLost(Exception):
    """A worker was lost in the midst of a job, which is not to blame: it is done again. The worker can be prepared again."""


class WorkerGone(Exception):
    """There is no worker, and there will be none in its place."""


class Worker(Protocol):
    """Answers one job at a time. Whatever a job does to it is that job's answer; what it raises, but `WorkerLost`, ends the
    batch."""

    def prepare(self) -> None:
        """Called before the first job, and after a loss: what takes long should not take a job with it. May raise
        `WorkerGone`."""

    def judge(self, job: Job) -> Judged: ...

    def close(self) -> None:
        """Ends the worker, also in the midst of a job: `judge` raises then."""


class Pool:
    """Workers at work. Used for one batch."""

    def __init__(self, workers: Sequence[Worker]) -> None:
        self.workers = workers
        self._lines: list[deque[Task]] = [deque() for _ in workers]
        self._homes: OrderedDict[str, int] = OrderedDict()
        self._changed = threading.Condition()
        self._window = threading.Semaphore(AHEAD * len(workers))
        self._left = len(workers)
        self._losses: Counter[int] = Counter()
        self._stopped = False
        #: answers; how many tasks there are, when all have been read; or what a thread died of
        self._out: queue.SimpleQueue[tuple[int, Judged] | int | BaseException] = queue.SimpleQueue()

    def run(self, tasks: Iterator[Task]) -> Iterator[tuple[int, Judged]]:
        """The answers to all tasks. Closing the iterator, or an interrupt, ends the workers."""
        threading.Thread(target=self._feed, args=(tasks,), daemon=True).start()
        for index in range(len(self.workers)):
            threading.Thread(target=self._serve, args=(index,), daemon=True).start()
        answered, total = 0, None
        try:
            while total is None or answered < total:
                done = self._out.get()
                if isinstance(done, BaseException):
                    raise done
                if isinstance(done, int):
                    total = done
                    continue
                answered += 1
                self._window.release()
                yield done
        finally:
            self.close()

    def close(self) -> None:
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        for worker in self.workers:
            worker.close()

    def _feed(self, tasks: Iterator[Task]) -> None:
        total = 0
        try:
            for task in tasks:
                self._window.acquire()
                if self._stopped:
                    return
                total += 1
                if task.answer is not None:
                    self._out.put((task.number, task.answer))
                    continue
                with self._changed:
                    self._lines[self._home(task.group)].append(task)
                    self._changed.notify_all()
            self._out.put(total)
        except BaseException as error:
            self._out.put(error)

    def _home(self, group: str) -> int:
        """The worker for a group: the one that has it, unless others have much less to do."""
        lengths = [len(line) for line in self._lines]
        shortest = lengths.index(min(lengths))
        found = self._homes.pop(group, shortest)
        if lengths[found] - lengths[shortest] > AHEAD // 2:
            found = shortest
        self._homes[group] = found
        if len(self._homes) > _HOMES:
            self._homes.popitem(last=False)
        return found

    def _serve(self, index: int) -> None:
        worker = self.workers[index]
        try:
            worker.prepare()
            while (task := self._next(index)) is not None:
                assert task.job is not None
                try:
                    self._out.put((task.number, worker.judge(task.job)))
                except WorkerLost:
                    self._again(index, task)
                    worker.prepare()
        except WorkerGone as loss:
            with self._changed:
                self._left -= 1
                if not self._left:
                    self._out.put(loss)
        except BaseException as error:
            self._out.put(error)

    def _again(self, index: int, task: Task) -> None:
        """Puts a task back whose worker was lost, unless that happened to it too often."""
        with self._changed:
            self._losses[task.number] += 1
            if self._losses[task.number] < MOST_LOST:
                self._lines[index].appendleft(task)
                self._changed.notify_all()
                return
        message = f"the worker of this pair was lost {MOST_LOST} times; the cluster's logs may say why"
        self._out.put((task.number, Judged(failed(LOST, message), False)))

    def _next(self, index: int) -> Task | None:
        """The next task of a worker: its own, else the last one of whoever has most; None at the end."""
        with self._changed:
            while not self._stopped:
                line = self._lines[index] or max(self._lines, key=len)
                if line:
                    return line.popleft() if line is self._lines[index] else line.pop()
                self._changed.wait()
            return None
