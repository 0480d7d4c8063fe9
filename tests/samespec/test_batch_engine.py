"""The pool: who does what, and what happens when a worker is lost."""

from __future__ import annotations

import threading
import time
from collections import Counter

import pytest

from samespec.batch.engine import AHEAD, MOST_LOST, Pool, Task, WorkerGone, WorkerLost
from samespec.batch.judge import Job, Judged


class Fake:
    """A worker in a thread. `faults` are what its next jobs raise (None: nothing); `gone` is how it fails to be prepared after so
    many losses."""

    def __init__(self, *faults, seconds=0.0, gone=None, after=0):
        self.faults, self.seconds, self.did, self.closed = list(faults), seconds, [], threading.Event()
        self.gone, self.after, self.prepared = gone, after, 0

    def prepare(self):
        if self.gone is not None and self.prepared >= self.after:
            raise WorkerGone(self.gone)
        self.prepared += 1

    def judge(self, job):
        if self.seconds:
            self.closed.wait(self.seconds)
        fault = self.faults.pop(0) if self.faults else None
        if fault is not None:
            raise fault
        self.did.append(job.submitted)
        return Judged({"text": job.submitted}, True)

    def close(self):
        self.closed.set()


def task(number, group=""):
    return Task(number, group, Job("", str(number), None, "contract", False, False, 1))


def answers(pool, tasks):
    found = dict(pool.run(iter(tasks)))
    return {n: j.value.get("text", j.value.get("error")) for n, j in found.items()}


def test_all_tasks_are_answered():
    workers = [Fake() for _ in range(3)]
    tasks = [Task(n, "", None, Judged({"text": "ready"}, True)) if n % 7 == 0 else task(n) for n in range(200)]
    found = answers(Pool(workers), tasks)
    assert found == {n: "ready" if n % 7 == 0 else str(n) for n in range(200)}
    assert sum(len(w.did) for w in workers) == sum(n % 7 != 0 for n in range(200))
    assert all(w.closed.is_set() for w in workers)
    assert answers(Pool([Fake()]), []) == {}


def test_one_original_goes_to_one_worker():
    workers = [Fake(seconds=0.002), Fake(seconds=0.002)]
    tasks = [task(10 * i + g, f"original {g}") for i in range(10) for g in range(2)]
    answers(Pool(workers), tasks)
    homes = [Counter(int(text) % 10 for text in w.did) for w in workers]
    at_home = sum(max(count[g] for count in homes) for g in range(2))
    assert at_home >= 16, "nearly all; at the end whoever is idle helps"


def test_an_idle_worker_takes_over():
    slow, quick = Fake(seconds=0.3), Fake()
    answers(Pool([slow, quick]), [task(n, "the same") for n in range(12)])
    assert len(slow.did) <= 2
    assert len(slow.did) + len(quick.did) == 12


def test_no_more_than_the_window_is_read_ahead():
    read = []

    def tasks():
        for n in range(1000):
            read.append(n)
            yield task(n)

    done = Pool([Fake()]).run(tasks())
    next(done)
    time.sleep(0.1)
    assert len(read) <= AHEAD + 3
    done.close()


def test_answers_come_while_input_is_awaited():
    more = threading.Event()

    def tasks():
        yield task(0)
        yield Task(1, "", None, Judged({"text": "ready"}, True))
        more.wait(60)
        yield task(2)

    done = Pool([Fake(), Fake()]).run(tasks())
    assert {next(done)[0], next(done)[0]} == {0, 1}
    more.set()
    assert [n for n, _ in done] == [2]


def test_a_lost_worker_costs_nothing():
    workers = [Fake(WorkerLost("a"), None, WorkerLost("b")), Fake(WorkerLost("c"), gone="c", after=1), Fake(gone="d")]
    assert answers(Pool(workers), [task(n) for n in range(30)]) == {n: str(n) for n in range(30)}
    assert [len(w.did) for w in workers[1:]] == [0, 0]


def test_what_comes_back_is_done_by_one_that_is_idle():
    both = threading.Barrier(2, timeout=60)

    class Late(Fake):
        def judge(self, job):
            both.wait()
            time.sleep(0.1)  # the other one has nothing to do by now
            raise WorkerLost("late")

    class Other(Fake):
        def judge(self, job):
            if not self.did:
                both.wait()
            return super().judge(job)

    assert answers(Pool([Late(gone="late", after=1), Other()]), [task(0), task(1)]) == {0: "0", 1: "1"}


def test_nobody_waits_for_a_worker_that_is_not_needed():
    class Slow(Fake):
        def prepare(self):
            self.closed.wait(600)

    started = time.monotonic()
    assert answers(Pool([Slow(), Fake()]), [task(n) for n in range(5)]) == {n: str(n) for n in range(5)}
    assert time.monotonic() - started < 60


def test_a_job_that_is_always_lost_is_given_up():
    found = answers(Pool([Fake(*[WorkerLost("x")] * MOST_LOST)]), [task(0), task(1)])
    assert found[0]["kind"] == "lost"
    assert found[1] == "1"


def test_the_last_worker_that_goes_ends_the_batch():
    with pytest.raises(WorkerGone, match="no room"):
        answers(Pool([Fake(gone="no room"), Fake(WorkerLost("x"), gone="no room", after=1)]), [task(n) for n in range(4)])


def test_an_error_of_the_input_or_of_a_worker_ends_the_batch():
    def tasks():
        yield task(0)
        raise OSError("disk")

    with pytest.raises(OSError, match="disk"):
        answers(Pool([Fake()]), tasks())
    with pytest.raises(ZeroDivisionError):
        answers(Pool([Fake(ZeroDivisionError())]), [task(0)])


def test_closing_ends_the_work():
    worker = Fake(seconds=600)
    done = Pool([worker]).run(iter([Task(0, "", None, Judged({}, True)), task(1)]))
    next(done)
    started = time.monotonic()
    done.close()
    assert worker.closed.is_set()
    assert time.monotonic() - started < 60
