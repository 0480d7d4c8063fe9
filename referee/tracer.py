"""Runs a command and writes down every program that it and its descendants execute: `python -I tracer.py LIST COMMAND…`.

By ptrace, at each exec: the path that the kernel ran, and the hash of that very file (read through /proc, so no name can stand
for another file). LIST gets one JSON object a line. Standard library only; it follows forks, threads and namespaces.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import signal
import sys

_TRACEME, _CONT, _SETOPTIONS = 0, 7, 0x4200
_OPTIONS = 0x00100000 | 2 | 4 | 8 | 16  # EXITKILL, TRACEFORK, TRACEVFORK, TRACECLONE, TRACEEXEC
_EXEC = 4
_WALL = 0x40000000
_PR_SET_PDEATHSIG = 1

_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.argtypes = (ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p)
_libc.ptrace.restype = ctypes.c_long


def _note(pid: int, out: int) -> None:
    try:
        path = os.readlink(f"/proc/{pid}/exe")  # noqa: PTH115
        with open(f"/proc/{pid}/exe", "rb") as file:  # noqa: PTH123
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        path, digest = f"unreadable: {error.strerror}", ""
    os.write(out, json.dumps({"path": path, "sha256": digest}).encode() + b"\n")


def main() -> None:
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)  # whoever asked is gone: so is what is traced
    out = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    root = os.fork()
    if root == 0:
        _libc.ptrace(_TRACEME, 0, None, None)
        try:
            os.execvp(sys.argv[2], sys.argv[2:])
        finally:
            os._exit(127)
    status, known = 127, set[int]()
    while True:
        try:
            pid, how = os.waitpid(-1, _WALL)
        except ChildProcessError:
            break
        if os.WIFEXITED(how) or os.WIFSIGNALED(how):
            if pid == root:
                status = os.waitstatus_to_exitcode(how)
            continue
        number = os.WSTOPSIG(how)
        event = how >> 16
        first = pid not in known
        known.add(pid)
        if pid == root and first:
            _note(pid, out)
            _libc.ptrace(_SETOPTIONS, pid, None, _OPTIONS)
            number = 0
        elif event:
            if event == _EXEC:
                _note(pid, out)
            number = 0
        elif first and number == signal.SIGSTOP:
            number = 0  # how a new descendant announces itself
        _libc.ptrace(_CONT, pid, None, number)
    os._exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main()
