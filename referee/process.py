"""One command with limits on its whole process tree: wall time, memory, number of processes, output.

In: a command that confines its own descendants (bubblewrap, or `reaper.py`), limits, pipes to read. Out: `Ran`. Which limit
stopped it is read off this module's own bookkeeping, never guessed from an exit status.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import selectors
import signal
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_POLL = 0.04
_GRACE = 5.0
_HAS_CHILDREN = Path(f"/proc/self/task/{os.getpid()}/children").exists()


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may use. `processes` counts tasks; `disk_mb` is the size of each writable place in the fence."""

    wall: float = 60.0
    memory_mb: int = 2048
    processes: int = 64
    output_bytes: int = 1 << 20
    disk_mb: int = 64
    file_mb: int = 64


@dataclass(slots=True)
class Ran:
    """What happened. `status` is an exit status, negative for a signal; `stopped` names the limit that ended it."""

    status: int
    stdout: bytes
    stderr: bytes
    wall: float
    stopped: str | None = None
    peak_memory_mb: int = 0
    peak_processes: int = 0
    exports: dict[str, bytes] = field(default_factory=dict)
    left_behind: int = 0
    note: str = ""

    @property
    def ok(self) -> bool:
        return self.status == 0 and self.stopped is None


class Child:
    """A started process: what `subprocess.Popen` would be, with exact descriptor numbers and nothing else inherited."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str], descriptors: Mapping[int, int]) -> None:
        # Sources are moved out of the way first: a source must not be overwritten by an earlier move.
        high = {number: fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 64) for number, fd in descriptors.items()}
        actions = [(os.POSIX_SPAWN_DUP2, fd, number) for number, fd in high.items()]
        try:
            self.pid = os.posix_spawnp(command[0], list(command), dict(env), file_actions=actions, setsid=True)
        finally:
            for fd in high.values():
                os.close(fd)
        self.status: int | None = None

    def poll(self) -> int | None:
        """The exit status once it is known, negative for a signal."""
        if self.status is None:
            pid, how = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(how)
        return self.status

    def wait(self, seconds: float | None = None) -> int | None:
        deadline = None if seconds is None else time.monotonic() + seconds
        while self.poll() is None and (deadline is None or time.monotonic() < deadline):
            time.sleep(0.005)
        return self.status

    def signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)


def run(
    command: Sequence[str],
    limits: Limits,
    *,
    env: Mapping[str, str],
    stdin: bytes = b"",
    exports: Mapping[int, tuple[str, int]] | None = None,
    inputs: Mapping[int, int] | None = None,
    gentle: bool = False,
) -> Ran:
    """Runs `command` until it ends or a limit does.

    `exports` are pipes to read besides standard output and error: the command's descriptor to (name, most bytes). `inputs` are
    open descriptors that it gets (its number to ours), closed here. `gentle` sends SIGTERM before SIGKILL (for `reaper.py`).
    """
    begin = time.monotonic()
    pump = _Pump(limits.output_bytes)
    given: dict[int, int] = dict(inputs or {})
    given[0] = _filled(stdin)
    for number, name, most in [(1, "stdout", None), (2, "stderr", None), *((n, *e) for n, e in (exports or {}).items())]:
        reading, given[number] = os.pipe()
        pump.add(name, reading, most)
    try:
        child = Child(command, env, given)
    except OSError as error:
        pump.close()
        return Ran(127, b"", f"{command[0]}: {error.strerror}\n".encode(), 0.0, note="could not be started")
    finally:
        for fd in given.values():
            os.close(fd)
    ran = Ran(0, b"", b"", 0.0)
    try:
        _watch(child, pump, limits, ran, begin)
    finally:
        end(child, gentle=gentle)
        pump.drain(0.5)
        pump.close()
    assert child.status is not None
    ran.status = child.status
    ran.wall = time.monotonic() - begin
    ran.stdout, ran.stderr = pump.data.pop("stdout"), pump.data.pop("stderr")
    ran.exports = pump.data
    return ran


def _filled(data: bytes) -> int:
    """A descriptor to read `data` from."""
    if not data:
        return os.open(os.devnull, os.O_RDONLY)
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.flush()
        file.seek(0)
        return os.dup(file.fileno())


def _watch(child: Child, pump: _Pump, limits: Limits, ran: Ran, begin: float) -> None:
    next_look = 0.0
    while True:
        pump.read(_POLL)
        now = time.monotonic()
        if pump.over:
            ran.stopped = "output"
        elif now - begin > limits.wall:
            ran.stopped = "wall"
        elif now >= next_look:
            memory, tasks = usage(child.pid)
            next_look = now + max(_POLL, (time.monotonic() - now) * 4)
            ran.peak_memory_mb = max(ran.peak_memory_mb, memory >> 20)
            ran.peak_processes = max(ran.peak_processes, tasks)
            if memory > limits.memory_mb << 20:
                ran.stopped = "memory"
        if ran.stopped is not None or child.poll() is not None:
            return


def end(child: Child, *, gentle: bool = False) -> None:
    """Ends the command and every descendant; returns when the command is gone."""
    if child.poll() is None and gentle:
        child.signal(signal.SIGTERM)
        child.wait(_GRACE)
    if child.poll() is None:
        below = descendants(child.pid)
        child.signal(signal.SIGKILL)
        for pid in below:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
    child.wait()


class _Pump:
    """Reads several pipes, each up to a limit; standard output and error share one."""

    def __init__(self, most: int) -> None:
        self.selector = selectors.DefaultSelector()
        self.data: dict[str, bytes] = {}
        self.caps: dict[str, int | None] = {}
        self.most = most
        self.over = False

    def add(self, name: str, fd: int, cap: int | None) -> None:
        os.set_blocking(fd, False)
        self.selector.register(fd, selectors.EVENT_READ, name)
        self.data[name] = b""
        self.caps[name] = cap

    def read(self, timeout: float) -> bool:
        """Reads what is there; False when every pipe is at its end."""
        if not self.selector.get_map():
            time.sleep(timeout)
            return False
        for key, _ in self.selector.select(timeout):
            name, fd = str(key.data), key.fd
            try:
                chunk = os.read(fd, 1 << 16)
            except BlockingIOError:
                continue
            if not chunk:
                self.selector.unregister(fd)
                os.close(fd)
                continue
            self._take(name, chunk)
        return True

    def _take(self, name: str, chunk: bytes) -> None:
        cap = self.caps[name]
        room = self.most - len(self.data["stdout"]) - len(self.data["stderr"]) if cap is None else cap - len(self.data[name])
        if len(chunk) > room:
            self.over = True
        self.data[name] += chunk[: max(0, room)]

    def drain(self, seconds: float) -> None:
        """What is still in the pipes; a pipe that something else holds open is given up."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and self.selector.get_map():
            self.read(0.02)

    def close(self) -> None:
        for key in list(self.selector.get_map().values()):
            os.close(key.fd)
        self.selector.close()


# --- the process tree -------------------------------------------------------------------------------------------------


def descendants(root: int) -> list[int]:
    """The processes below `root`, without it."""
    found: list[int] = []
    todo = [root]
    while todo:
        children = _children(todo.pop())
        found += children
        todo += children
    return found


def _children(pid: int) -> list[int]:
    if not _HAS_CHILDREN:
        return _children_by_scan(pid)
    found: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208  (names only, many times a second)
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:  # noqa: PTH123
                found += [int(word) for word in file.read().split()]
    except OSError:
        return found
    return found


def _children_by_scan(parent: int) -> list[int]:
    """The same on a kernel that keeps no list of children."""
    found: list[int] = []
    for name in os.listdir("/proc"):  # noqa: PTH208
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as file:  # noqa: PTH123
                    if int(file.read().rpartition(")")[2].split()[1]) == parent:
                        found.append(int(name))
            except OSError:
                continue
    return found


def usage(root: int) -> tuple[int, int]:
    """Resident bytes (anonymous and shared memory) and tasks of the tree, `root` included."""
    memory = tasks = 0
    for pid in [root, *descendants(root)]:
        try:
            with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:  # noqa: PTH123
                status = file.read()
        except OSError:
            continue
        for line in status.splitlines():
            if line.startswith(("RssAnon:", "RssShmem:")):
                memory += int(line.split()[1]) << 10
            elif line.startswith("Threads:"):
                tasks += int(line.split()[1])
    return memory, tasks
