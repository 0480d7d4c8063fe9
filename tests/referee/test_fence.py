"""The fence holds what it says, the probes can tell, and every control fails without it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from referee import fence as fence_module
from referee.fence import Fence, FenceError, Job, Unfenced, find_fence, python_runtime
from referee.probes import NAMES, ProbeResult, compile_list, run_probes
from referee.process import Limits
from referee.seccomp import filter_program
from referee.toolchain import Toolchain

ROOT = Path(__file__).resolve().parents[2]
SMALL = Limits(wall=20, memory_mb=512, processes=64, disk_mb=16, file_mb=16)


def shell(fence: Fence, script: str, limits: Limits = SMALL, **more: object) -> str:
    ran = fence.run(Job(("sh", "-c", script), limits, **more))  # type: ignore[arg-type]
    return ran.stdout.decode() + ran.stderr.decode()


def test_files_go_in_and_out(fence: Fence) -> None:
    job = Job(("sh", "-c", "tr a-z A-Z < in/word > out; echo said"), files={"in/word": b"hello"}, exports={"out": 10, "none": 10})
    ran = fence.run(job)
    assert (ran.status, ran.stdout, ran.exports) == (0, b"said\n", {"out": b"HELLO"})


def test_the_system_is_read_only_and_the_rest_is_not_there(fence: Fence) -> None:
    said = shell(fence, f"touch /usr/x /etc/x /x /given/x /dev/x /proc/x 2>&1; ls {ROOT} /root /home /var /work 2>&1; ls -A /tmp")
    assert said.count("cannot touch") == 6
    assert said.count("No such file") + said.count("cannot access") >= 5


def test_it_has_no_privileges_and_cannot_get_any(fence: Fence) -> None:
    said = shell(fence, "id -u; grep CapEff /proc/self/status; grep NoNewPrivs /proc/self/status; unshare -Ur true")
    assert "CapEff:\t0000000000000000" in said
    assert "NoNewPrivs:\t1" in said
    assert "Operation not permitted" in said
    assert said.split()[0] != "0"


def test_every_writable_place_has_a_size(fence: Fence) -> None:
    said = shell(
        fence, "for d in /build /tmp /dev/shm; do head -c 64000000 /dev/zero > $d/big; wc -c < $d/big; rm -f $d/big; done"
    )
    sizes = [int(word) for word in said.split() if word.isdigit()]
    assert len(sizes) == 3
    assert max(sizes) <= 16 << 20


def test_processes_are_counted(fence: Fence) -> None:
    program, needed = python_runtime()
    lines = ("import os, time", "n = 0", "try:", "  while n < 500:", "    if os.fork() == 0: time.sleep(30)", "    n += 1")
    script = "\n".join((*lines, "except OSError: print(n)"))
    ran = fence.run(Job((program, "-I", "-c", script), Limits(wall=20, processes=40), read_only=needed))
    assert 0 < int(ran.stdout) < 40
    assert ran.left_behind == int(ran.stdout)


def test_memory_that_belongs_to_no_process_is_refused(fence: Fence) -> None:
    if filter_program() is None:
        pytest.skip("no filter of system calls for this machine")
    program, needed = python_runtime()
    script = "import os\ntry:\n  os.memfd_create('x')\nexcept OSError as e: print(e.errno)"
    assert fence.run(Job((program, "-I", "-c", script), SMALL, read_only=needed)).stdout == b"1\n"


def test_exports_are_regular_files_of_a_permitted_size(fence: Fence) -> None:
    script = "ln -s /etc/passwd link; mkfifo pipe; mkdir dir; head -c 2000 /dev/zero > large"
    ran = fence.run(Job(("sh", "-c", script), SMALL, exports={"link": 1000, "pipe": 1000, "dir": 1000, "large": 1000}))
    assert ran.exports == {}
    assert "large is larger than 1000 bytes" in ran.note


def test_what_is_hidden_stays_hidden_below_what_is_shown(fence: Fence, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "open").write_text("open")
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "file").write_text("secret")
    job = Job(("sh", "-c", f"cat {tmp_path}/open {secret}/file"), SMALL, read_only=(tmp_path,), hidden=(secret,))
    ran = fence.run(job)
    assert ran.stdout == b"open"


def test_a_command_that_ends_its_supervisor_hands_nothing_out(fence: Fence) -> None:
    ran = fence.run(Job(("sh", "-c", "echo x > out; kill -9 $PPID; kill -9 $(ps -o ppid= $PPID)"), SMALL, exports={"out": 10}))
    ran2 = fence.run(Job(("sh", "-c", "echo x > out; kill -9 -1"), SMALL, exports={"out": 10}))
    assert ran2.exports == {}
    assert "did not report" in ran2.note
    assert ran.status != 0 or ran.exports == {"out": b"x\n"}


def test_without_a_working_fence_there_is_advice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2; exit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(fence_module, "_candidates", lambda: iter([("test", broken)]))
    with pytest.raises(FenceError, match=r"uid map: Permission denied.*apt-get install bubblewrap.*--unfenced"):
        find_fence()
    monkeypatch.setattr(fence_module, "_candidates", lambda: iter([]))
    with pytest.raises(FenceError, match="bubblewrap is not installed"):
        find_fence()


def test_an_ordinary_user_has_the_same_fence(fence: Fence) -> None:
    python = shutil.which("python3", path="/usr/bin:/bin")
    if os.geteuid() != 0 or python is None:
        pytest.skip("this is an ordinary user's run already, or there is no system Python to try another one with")
    script = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from referee.fence import *\n"
        "ran = find_fence().run(Job(('sh', '-c', 'id -u; touch /usr/x; echo x > out'), exports={'out': 9}))\n"
        "print(ran.status, ran.stdout, ran.exports)\n"
    )
    command = ["setpriv", "--reuid=12345", "--regid=12345", "--clear-groups", python, "-B", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if "ModuleNotFoundError" in done.stderr or "PermissionError" in done.stderr:
        pytest.skip("another user cannot read this repository")
    if "FenceError" in done.stderr:
        pytest.skip(f"user namespaces are not allowed to ordinary users here: {done.stderr[-200:]}")
    assert done.stdout == "0 b'1000\\n' {'out': b'x\\n'}\n", done.stderr


# --- the probes -----------------------------------------------------------------------------------------------------------


def test_the_probes_pass_and_every_control_fails(fence: Fence, toolchain: Toolchain, tmp_path: Path) -> None:
    secret = tmp_path / "manifest.json"
    secret.write_text("{}")
    programs = compile_list(fence, toolchain)
    results = run_probes(fence, [secret, ROOT / "referee"], toolchain, programs)
    assert [r.name for r in results] == list(NAMES)
    for result in results:
        assert result.passed, (result.name, result.why)
        assert result.control_failed
        assert not result.leaks


def test_without_a_fence_every_probe_fails(toolchain: Toolchain, tmp_path: Path) -> None:
    secret = tmp_path / "manifest.json"
    secret.write_text("{}")
    for result in run_probes(Unfenced(), [secret], toolchain, [], only=NAMES):
        assert not result.passed, result.name
        assert result.leaks


def test_the_compile_path_notices_one_program_more_and_one_less(fence: Fence, toolchain: Toolchain) -> None:
    programs = compile_list(fence, toolchain)
    assert programs is not None
    assert {Path(p["path"]).name for p in programs} >= {"rustc"}
    for changed in (programs[1:], [*programs, {"path": "/usr/bin/extra", "sha256": "0"}]):
        (result,) = run_probes(fence, [], toolchain, changed, only=["compile-path"])
        assert not result.passed
        assert "list" in result.why


def test_a_probe_whose_control_does_not_fail_is_no_pass() -> None:
    assert not ProbeResult("canary", ("file", "process"), (), ("file",)).passed
    assert "cannot tell" in ProbeResult("canary", ("file", "process"), (), ("file",)).why
    assert not ProbeResult("canary", (), (), ()).passed
    assert not ProbeResult("canary", ("file",), ("file",), ("file",)).passed
    assert not ProbeResult("canary", ("file",), (), ("file",), "trouble").passed
    assert ProbeResult("canary", ("file",), (), ("file",)).passed
