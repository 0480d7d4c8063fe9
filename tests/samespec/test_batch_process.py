"""Worker processes: what breaks a limit, or its worker, costs only itself."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

from samespec.batch.judge import Job
from samespec.batch.process import Limits, WorkerError, WorkerProcess

ENTRY = "tests.samespec.batch_poison:judge"
PATIENT = 60.0


def job(text: str) -> Job:
    return Job("", text, None, "contract", False, False, 1)


@pytest.fixture
def worker():
    made = WorkerProcess(Limits(PATIENT, 200), ENTRY)
    yield made
    made.close()


def asked(worker, text):
    value = worker.judge(job(text)).value
    return value["error"]["kind"] if value["error"] is not None else "fine"


def pid(worker):
    return worker.judge(job("x")).value["reason"]["pid"]


def test_a_process_is_reused_and_its_output_is_its_own(worker):
    first = pid(worker)
    assert asked(worker, "print") == "fine"
    assert pid(worker) == first == worker.pid


def test_time_limit(worker):
    before = pid(worker)
    worker.limits = Limits(0.2, 200)
    for text in ("hang", "spin"):
        value = worker.judge(job(text)).value
        assert value["error"] == {
            "kind": "time-limit", "message": "no verdict within 0.2 s; --timeout allows more", "line": None, "field": None
        }  # fmt: skip
        assert (value["verdict"], value["kept"]) == (None, None)
    worker.limits = Limits(PATIENT, 200)
    assert pid(worker) != before


def test_memory_limit(worker):
    value = worker.judge(job("eat 300")).value
    assert value["error"]["kind"] == "memory-limit"
    assert value["error"]["message"] == "took more than 200 MB; --memory allows more"
    assert asked(worker, "eat 100") == "fine"
    before = pid(worker)
    assert asked(worker, "grow 40") == "fine"
    assert pid(worker) == before
    assert asked(worker, "grow 40") == "fine"
    assert pid(worker) != before, "a worker that has grown is replaced"


def test_memory_limit_does_not_depend_on_what_came_before(worker):
    assert asked(worker, "grow 45") == "fine"
    assert asked(worker, "eat 180") == "fine"


def test_a_crash_is_tried_twice_and_is_then_the_answer(worker):
    value = worker.judge(job("die SIGSEGV")).value
    assert value["error"]["kind"] == "crash"
    assert "SIGSEGV" in value["error"]["message"]
    assert asked(worker, "exit 3") == "crash"
    assert asked(worker, "x") == "fine"


def test_a_process_that_was_killed_from_outside_is_made_anew(worker, tmp_path):
    assert asked(worker, f"die-once {tmp_path / 'mark'}") == "fine"
    assert (tmp_path / "mark").exists()
    os.kill(pid(worker), signal.SIGKILL)
    assert asked(worker, "x") == "fine"


def test_a_large_job_and_a_stopped_process(worker):
    worker.limits = Limits(PATIENT, 0)
    assert asked(worker, "x" * 5_000_000) == "fine"
    os.kill(pid(worker), signal.SIGSTOP)
    worker.limits = Limits(0.2, 0)
    assert asked(worker, "x" * 5_000_000) == "time-limit"


def test_close_ends_the_job_under_way(worker):
    before = pid(worker)
    outcome = []

    def work():
        try:
            worker.judge(job("hang"))
        except WorkerError as error:
            outcome.append(str(error))

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.2)
    worker.close()
    thread.join(PATIENT)
    assert outcome == ["this worker was ended"]
    with pytest.raises(ProcessLookupError):
        os.kill(before, 0)


def test_a_process_that_is_killed_while_it_starts_is_made_anew(worker, monkeypatch):
    spawned = WorkerProcess._spawned
    made = []

    def killed(self):
        made.append(spawned(self))
        if len(made) < 3:
            made[-1].kill()
        return made[-1]

    monkeypatch.setattr(WorkerProcess, "_spawned", killed)
    assert asked(worker, "x") == "fine"
    assert len(made) == 3


def test_a_worker_that_cannot_start():
    with pytest.raises(WorkerError, match="cannot be started"):
        WorkerProcess(Limits(PATIENT, 0), "tests.samespec.batch_poison:nothing").judge(job("x"))


def test_a_worker_ends_with_its_parent():
    program = textwrap.dedent(
        f"""
        import os, threading, time
        from samespec.batch.process import Limits, WorkerProcess
        from tests.samespec.test_batch_process import job
        worker = WorkerProcess(Limits(600, 0), {ENTRY!r})
        print(worker.judge(job("x")).value["reason"]["pid"], flush=True)
        threading.Thread(target=worker.judge, args=(job("hang"),), daemon=True).start()
        time.sleep(0.2)
        os.kill(os.getpid(), 9)
        """
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=env, timeout=PATIENT, check=False)
    child = int(run.stdout)
    for _ in range(200):
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    pytest.fail("the worker outlives its parent, in the midst of a job")
