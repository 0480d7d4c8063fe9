"""A solver that crashes takes a check with it, and somebody is left to say so."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

ACTS = """
import os, signal, sys, time
import samespec.main as m
def act(how):
    if how.startswith("SIG"):
        os.kill(os.getpid(), getattr(signal, how))
    if how == "wait":
        print(os.getpid(), flush=True)
        time.sleep(600)
    return int(how)
how = sys.argv.pop()
m.run = lambda args=None: act(how)
m.main()
"""


def ran(how: str, command: str = "check", **more: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, **more}
    return subprocess.run(
        [sys.executable, "-c", ACTS, command, how], capture_output=True, text=True, timeout=60, env=env, check=False
    )


@pytest.mark.parametrize("how", ["SIGSEGV", "SIGABRT"])
def test_a_crash_is_no_verdict(how: str) -> None:
    done = ran(how)
    assert done.returncode == 3
    assert f"the solver crashed ({how})" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("status", ["0", "1", "2", "3", "130"])
def test_every_other_end_is_its_own(status: str) -> None:
    assert ran(status).returncode == int(status)
    assert ran(status, "list").returncode == int(status)
    assert ran(status, SAMESPEC_DEBUG="1").returncode == int(status)


def test_a_signal_ends_it_as_if_it_were_alone() -> None:
    assert ran("SIGKILL").returncode == -signal.SIGKILL
    for sent in (signal.SIGTERM, signal.SIGKILL):
        process = subprocess.Popen([sys.executable, "-c", ACTS, "check", "wait"], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        child = int(process.stdout.readline())
        assert child != process.pid
        process.send_signal(sent)
        assert process.wait(60) == -sent
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and _lives(child):
            time.sleep(0.01)
        assert not _lives(child)
        process.stdout.close()


def _lives(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:  # noqa: PTH123
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
