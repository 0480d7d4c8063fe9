"""The five probes: is the fence one? Each has a control run without the fence, which must fail: a probe that cannot tell is a
failed probe.

In: a fence, and the real paths that must stay hidden. Out: `ProbeResult`s. Network probes aim only at listeners and sockets
that the probe itself opens, on this machine's loopback, outside the fence.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from referee.fence import Job, Runner, Unfenced, python_runtime
from referee.process import Limits
from referee.toolchain import Toolchain
from referee.withheld import compile_job

NAMES = ("canary", "network", "hidden-files", "symlinked-build", "compile-path")
_LIMITS = Limits(wall=20, memory_mb=512, processes=32, disk_mb=8, file_mb=8)


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """`leaks` is what got through inside the fence, `control_leaks` what got through without it. A pass needs none of the
    first, and all of what was tried in the second."""

    name: str
    tried: tuple[str, ...]
    leaks: tuple[str, ...]
    control_leaks: tuple[str, ...]
    trouble: str = ""

    @property
    def control_failed(self) -> bool:
        return bool(self.tried) and set(self.control_leaks) == set(self.tried)

    @property
    def passed(self) -> bool:
        return not self.trouble and not self.leaks and self.control_failed

    @property
    def why(self) -> str:
        if self.trouble:
            return self.trouble
        if self.leaks:
            return f"got through the fence: {', '.join(self.leaks)}"
        if not self.control_failed:
            missed = sorted(set(self.tried) - set(self.control_leaks))
            return f"the control without the fence did not fail for: {', '.join(missed) or 'anything'}; this probe cannot tell"
        return "nothing got through; without the fence everything did"


def run_probes(
    fence: Runner,
    hidden: Sequence[Path],
    toolchain: Toolchain | None,
    programs: Sequence[dict[str, str]] | None = None,
    *,
    only: Sequence[str] = NAMES,
) -> list[ProbeResult]:
    """Runs probes. `hidden` are files and folders that must not be seen; `programs` is the list that a compilation may
    execute."""
    made: dict[str, Callable[[], ProbeResult]] = {
        "canary": lambda: _canary(fence),
        "network": lambda: _network(fence),
        "hidden-files": lambda: _hidden(fence, hidden),
        "symlinked-build": lambda: _symlink(fence),
        "compile-path": lambda: _compile_path(fence, toolchain, programs),
    }
    return [made[name]() for name in NAMES if name in only]


def _ask(runner: Runner, script: str, question: object) -> dict[str, bool]:
    """Runs a script in a runner; it gets the question as JSON on standard input, and prints what it could do."""
    program, needed = python_runtime()
    job = Job((program, "-I", "-c", script), _LIMITS, read_only=needed, stdin=json.dumps(question).encode())
    ran = runner.run(job)
    try:
        answers: dict[str, bool] = json.loads(ran.stdout)
    except ValueError as error:
        said = ran.stderr.decode(errors="replace").strip()[-300:]
        raise _Trouble(f"the probe itself did not run ({ran.stopped or ran.status}): {said or ran.note or error}") from error
    return answers


class _Trouble(Exception):
    """A probe that did not come to an answer."""


def _both(name: str, fence: Runner, attempt: Callable[[Runner], dict[str, bool]]) -> ProbeResult:
    try:
        inside, control = attempt(fence), attempt(Unfenced())
    except _Trouble as trouble:
        return ProbeResult(name, (), (), (), str(trouble))
    leaks = tuple(k for k, got in inside.items() if got)
    return ProbeResult(name, tuple(control), leaks, tuple(k for k, got in control.items() if got))


# --- canary -----------------------------------------------------------------------------------------------------------

_CANARY = """
import glob, json, os, sys
q = json.load(sys.stdin)
token, found = q["prefix"], {"file": False, "environment": False, "process": False}
try:
    found["file"] = token in open(q["file"]).read()
except OSError:
    pass
found["environment"] = any(token in v for v in os.environ.values())
for path in glob.glob("/proc/[0-9]*/cmdline"):
    try:
        found["process"] |= token in open(path).read()
    except OSError:
        pass
print(json.dumps(found))
"""


def _canary(fence: Runner) -> ProbeResult:
    """A token in a file, in the environment and in a process of the host: none may be seen inside."""
    prefix = f"canary-{secrets.token_hex(8)}"
    with tempfile.TemporaryDirectory(prefix="samespec-canary-", dir=fence.scratch) as folder:
        file = Path(folder) / "canary"
        file.write_text(prefix)
        os.environ["SAMESPEC_CANARY"] = prefix
        bird = subprocess.Popen([sys.executable, "-I", "-c", "import time; time.sleep(60)", prefix])
        try:
            return _both("canary", fence, lambda runner: _ask(runner, _CANARY, {"prefix": prefix, "file": str(file)}))
        finally:
            del os.environ["SAMESPEC_CANARY"]
            bird.kill()
            bird.wait()


# --- network ------------------------------------------------------------------------------------------------------------

_NETWORK = """
import json, socket, sys
q = json.load(sys.stdin)
def tried(go):
    try:
        return bool(go())
    except OSError:
        return False
def stream(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as s:
        s.settimeout(2)
        s.connect(address)
        s.sendall(b"hello")
        return s.recv(5) == b"reply"
def datagram(family, address, message):
    with socket.socket(family, socket.SOCK_DGRAM) as s:
        s.settimeout(2)
        s.connect(address)
        s.send(message)
        return s.recv(512)
out = {"tcp": tried(lambda: stream(socket.AF_INET, ("127.0.0.1", q["tcp"])))}
out["udp"] = tried(lambda: datagram(socket.AF_INET, ("127.0.0.1", q["udp"]), b"hello"))
name = bytes.fromhex(q["query"])
out["name look-up"] = tried(lambda: datagram(socket.AF_INET, ("127.0.0.1", q["dns"]), name)[:2] == name[:2])
out["unix socket"] = tried(lambda: stream(socket.AF_UNIX, q["unix"]))
out["abstract socket"] = tried(lambda: stream(socket.AF_UNIX, "\\0" + q["abstract"]))
if "tcp6" in q:
    out["tcp over IPv6"] = tried(lambda: stream(socket.AF_INET6, ("::1", q["tcp6"])))
print(json.dumps(out))
"""


class _Listener(threading.Thread):
    """One socket of the probe's own; counts who came."""

    def __init__(self, kind: socket.SocketKind, family: socket.AddressFamily, address: Any) -> None:
        super().__init__(daemon=True)
        self.socket = socket.socket(family, kind)
        self.socket.bind(address)
        self.kind = kind
        self.came = 0
        self.socket.settimeout(0.1)
        if kind == socket.SOCK_STREAM:
            self.socket.listen(8)
        self.going = True
        self.start()

    @property
    def port(self) -> int:
        return int(self.socket.getsockname()[1])

    def run(self) -> None:
        while self.going:
            with contextlib.suppress(TimeoutError, OSError):
                if self.kind == socket.SOCK_STREAM:
                    peer, _ = self.socket.accept()
                    self.came += 1
                    with peer:
                        peer.settimeout(1)
                        peer.recv(5)
                        peer.sendall(b"reply")
                else:
                    message, sender = self.socket.recvfrom(512)
                    self.came += 1
                    self.socket.sendto(message, sender)

    def stop(self) -> None:
        self.going = False
        self.join(2)
        self.socket.close()


def _network(fence: Runner) -> ProbeResult:
    """Sockets of this probe's own on loopback: nothing inside may reach one, and none may see anyone come."""
    loopback, inet, unix = "127.0.0.1", socket.AF_INET, socket.AF_UNIX
    abstract = f"samespec-{secrets.token_hex(8)}"
    folder = tempfile.mkdtemp(prefix="samespec-net-")
    Path(folder).chmod(0o755)
    path = f"{folder}/socket"
    listeners: dict[str, _Listener] = {}
    try:
        listeners["tcp"] = _Listener(socket.SOCK_STREAM, inet, (loopback, 0))
        listeners["udp"] = _Listener(socket.SOCK_DGRAM, inet, (loopback, 0))
        listeners["dns"] = _Listener(socket.SOCK_DGRAM, inet, (loopback, 0))
        listeners["unix"] = _Listener(socket.SOCK_STREAM, unix, path)
        listeners["abstract"] = _Listener(socket.SOCK_STREAM, unix, "\0" + abstract)
        with contextlib.suppress(OSError):  # no IPv6 on this machine
            listeners["tcp6"] = _Listener(socket.SOCK_STREAM, socket.AF_INET6, ("::1", 0))
        query = b"\x5a\x5a\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x05probe\x07invalid\x00\x00\x01\x00\x01"
        question = {k: listeners[k].port for k in ("tcp", "udp", "dns", "tcp6") if k in listeners}
        question |= {"unix": path, "abstract": abstract, "query": query.hex()}  # type: ignore[dict-item]

        def attempt(runner: Runner) -> dict[str, bool]:
            before = {k: v.came for k, v in listeners.items()}
            answers = _ask(runner, _NETWORK, question)
            seen = [k for k, v in listeners.items() if v.came > before[k]]
            if runner is fence and seen:
                answers[f"seen from outside: {', '.join(seen)}"] = True
            return answers

        return _both("network", fence, attempt)
    finally:
        for listener in listeners.values():
            listener.stop()
        shutil.rmtree(folder, ignore_errors=True)


# --- hidden files -------------------------------------------------------------------------------------------------------

_HIDDEN = """
import json, os, sys
out = {}
for path in json.load(sys.stdin):
    try:
        out[path] = bool(os.listdir(path)) if os.path.isdir(path) else bool(open(path, "rb").read(1))
    except OSError:
        out[path] = False
print(json.dumps(out))
"""


def _hidden(fence: Runner, hidden: Sequence[Path]) -> ProbeResult:
    """The task's and the harness's own files, by their real paths."""
    paths = [str(p) for p in hidden if p.exists() and (p.is_dir() or p.stat().st_size)]
    return _both("hidden-files", fence, lambda runner: _ask(runner, _HIDDEN, paths))


# --- symlinks -----------------------------------------------------------------------------------------------------------

_SYMLINK = """
import json, os, sys
q = json.load(sys.stdin)
os.symlink(q["target"], "out")
os.symlink(q["secret"], "taken")
for name in ("out/written", "out/../" + os.path.basename(q["target"]) + "/climbed"):
    try:
        open(name, "w").write("x")
    except OSError:
        pass
try:
    shown = open("taken").read() != ""
except OSError:
    shown = False
print(json.dumps({"read through a link": shown}))
"""


def _symlink(fence: Runner) -> ProbeResult:
    """A link in the build folder that leads out of it: nothing may be written or read through it."""

    def attempt(runner: Runner) -> dict[str, bool]:
        with tempfile.TemporaryDirectory(prefix="samespec-link-", dir=fence.scratch) as folder:
            target, secret = Path(folder) / "target", Path(folder) / "secret"
            target.mkdir()
            target.chmod(0o777)
            Path(folder).chmod(0o755)
            secret.write_text("a secret")
            answers = _ask(runner, _SYMLINK, {"target": str(target), "secret": str(secret)})
            answers["written through a link"] = (target / "written").exists()
            answers["written by climbing"] = (target / "climbed").exists()
            return answers

    return _both("symlinked-build", fence, attempt)


# --- compile path -------------------------------------------------------------------------------------------------------

_PROGRAM = 'fn main() { println!("{}", 1 + 1); }\n'
_PLANTS = ("rustc", "cc", "gcc", "ld", "collect2", "sh", "cp", "head")


def traced_compile(runner: Runner, toolchain: Toolchain, *, planted_first: bool = False) -> list[dict[str, str]]:
    """Every program that compiling a small file executes, by tracing, each once, in order of path.

    Impostors lie in the build folder under the names of the programs; `planted_first` puts that folder first on the search
    path, as a careless harness does.
    """
    job = compile_job(_PROGRAM, toolchain, dict.fromkeys(_PLANTS, _impostor()))
    if planted_first:
        job = replace(job, command=("sh", "-c", 'PATH="$PWD:$PATH"; rustc -o program program.rs; cc program.rs; true'))
    with tempfile.TemporaryDirectory(prefix="samespec-trace-", dir=runner.scratch) as folder:
        listed = Path(folder) / "list"
        before = (sys.executable, "-I", str(Path(__file__).with_name("tracer.py")), str(listed))
        ran = runner.run(job, before)
        if not ran.ok:
            said = ran.stderr.decode(errors="replace").strip()[-300:]
            raise _Trouble(f"the traced compilation did not run ({ran.stopped or ran.status}): {said or ran.note}")
        if not listed.exists():
            raise _Trouble("the tracer wrote nothing: tracing is not allowed here")
        found = {line: json.loads(line) for line in listed.read_text().splitlines()}
    return sorted(found.values(), key=lambda entry: (entry["path"], entry["sha256"]))


def compile_list(runner: Runner, toolchain: Toolchain | None) -> list[dict[str, str]] | None:
    """The list that a manifest freezes: what a compilation executes. None where it cannot be traced."""
    if toolchain is None:
        return None
    try:
        return traced_compile(runner, toolchain)
    except _Trouble:
        return None


def _compile_path(fence: Runner, toolchain: Toolchain | None, programs: Sequence[dict[str, str]] | None) -> ProbeResult:
    """What a compilation executes is exactly the frozen list."""
    name = "compile-path"
    if toolchain is None:
        return ProbeResult(name, (), (), (), "no rustc on this machine: nothing is compiled, and nothing can be traced")
    if programs is None:
        return ProbeResult(name, (), (), (), "the manifest has no list of programs: tracing did not work when it was frozen")
    allowed = {(p["path"], p["sha256"]) for p in programs}
    try:
        inside = {(p["path"], p["sha256"]) for p in traced_compile(fence, toolchain)}
        control = {(p["path"], p["sha256"]) for p in traced_compile(Unfenced(), toolchain, planted_first=True)}
    except _Trouble as trouble:
        return ProbeResult(name, (), (), (), str(trouble))
    leaks = [f"{path} is not on the list" for path, _ in sorted(inside - allowed)]
    leaks += [f"{path} is on the list and was not executed" for path, _ in sorted(allowed - inside)]
    impostor = ("an impostor ran",) if any(Path(path).name in _PLANTS for path, _ in control - allowed) else ()
    return ProbeResult(name, ("an impostor ran",), tuple(leaks), impostor)


def _impostor() -> bytes:
    """A program that does nothing and says that all went well."""
    return Path(shutil.which("true", path="/usr/bin:/bin") or "/bin/true").read_bytes()
