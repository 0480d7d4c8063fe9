"""Runs one command and leaves nothing of it behind: `python -I reaper.py FOLDER COMMAND…`.

Everything the command starts becomes a descendant of this process (it is a "child subreaper"), also what detaches itself;
when the command ends, or on SIGTERM, or when the process that started this one dies, all of it is killed. Standard library only:
it runs by its path, outside any environment.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from pathlib import Path

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36


def _stop(_signal: int, _frame: object) -> None:
    raise SystemExit(143)


def _sweep() -> None:
    """Kills descendants until there are none: what a dying process leaves is handed to this one."""
    me = os.getpid()
    while True:
        for pid in _below(me):
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                continue
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _below(root: int) -> list[int]:
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents.setdefault(int(fields[1]), []).append(int(entry.name))
    found, todo = [], [root]
    while todo:
        children = parents.get(todo.pop(), [])
        found += children
        todo += children
    return found


def main() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGTERM, _stop)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    status = 127
    try:
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            try:
                os.chdir(sys.argv[1])
                os.execvp(sys.argv[2], sys.argv[2:])
            except OSError as error:
                os.write(2, f"{sys.argv[2]}: {error.strerror}\n".encode())
                os._exit(127)
        while True:
            pid, how = os.waitpid(-1, 0)
            if pid == child:
                status = os.waitstatus_to_exitcode(how)
                break
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        _sweep()
    os._exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main()
