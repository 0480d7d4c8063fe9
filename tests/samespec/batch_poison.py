"""A judge for tests of workers: texts are commands to misbehave."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from samespec.batch.judge import Judged, failed


def answer(text: str) -> dict:
    return {**failed("target", text), "verdict": "equivalent", "kept": True, "error": None}


def judge(job, parse):
    word, _, rest = job.submitted.partition(" ")
    match word:
        case "hang":
            time.sleep(600)
        case "spin":  # in C, without giving way to other threads
            sum(range(10**12))
        case "die":
            os.kill(os.getpid(), getattr(signal, rest))
        case "die-once":
            if not Path(rest).exists():
                Path(rest).touch()
                os.kill(os.getpid(), signal.SIGKILL)
        case "exit":
            os._exit(int(rest))
        case "eat":
            bytearray(int(rest) << 20)
        case "grow":  # and stay so
            _GROWN.append(bytearray(int(rest) << 20))
        case "print":
            print("not a frame")
            os.write(1, b"\0\0\0\1x")
    return Judged({**answer(job.submitted), "reason": {"pid": os.getpid()}}, True)


_GROWN: list[bytearray] = []
