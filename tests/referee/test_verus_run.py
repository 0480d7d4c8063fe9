"""Running the verifier: found, limited, and nothing of it left.

What stands where Verus would is a player of recordings, which says so in its name: its results are used for the adapter's
mechanics only, and nothing is ever called confirmed by it.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from referee.fence import Fence, Unfenced
from referee.process import Limits
from referee.verus import Verus, VerusKind, find_verus
from tests.referee.conftest import RECORDINGS

CLEAN = (RECORDINGS / "clean.stdout.json").read_text()


def player(folder: Path, script: str) -> Verus:
    program = folder / "player-of-recordings"
    program.write_text(
        f"#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'a player of recordings, no Verus'; exit; fi\n{script}\n"
    )
    program.chmod(0o755)
    folder.chmod(0o755)
    return Verus(program)


def test_a_recorded_run_is_read(tmp_path: Path, fence: Fence) -> None:
    (tmp_path / "out.json").write_text(CLEAN)
    verus = player(tmp_path, f'cat {tmp_path}/out.json; echo "$@" >&2; pwd >&2')
    result = verus.verify("fn main() {}", fence, no_cheating=True, rlimit=5, stem="clean")
    assert (result.kind, result.verified, result.version) == (VerusKind.ACCEPTED, 3, "Unknown")
    assert result.raw_err.split() == "clean.rs --output-json --error-format=json --no-cheating --rlimit 5 /build".split()
    assert verus.version == "unknown"


def test_a_file_without_main_is_a_library(tmp_path: Path, fence: Fence) -> None:
    verus = player(tmp_path, 'echo "$@"')
    assert "--crate-type=lib" in verus.verify("fn f() {}", fence).raw_out
    assert "--crate-type=lib" not in verus.verify("fn main() {}", fence).raw_out


@pytest.mark.parametrize("fenced", [True, False])
def test_a_run_past_its_time_is_stopped_and_nothing_is_left(tmp_path: Path, fence: Fence, fenced: bool) -> None:
    mark = f"{97_000_000 + os.getpid()}{int(fenced)}"
    verus = player(tmp_path, f"(setsid sleep {mark} &) ; sleep {mark}")
    begin = time.monotonic()
    result = verus.verify("fn f() {}", fence if fenced else Unfenced(), limits=Limits(wall=0.5))
    assert (result.kind, result.why) == (VerusKind.STOPPED, "stopped by the limit on wall")
    assert time.monotonic() - begin < 10
    assert running(mark) == []


@pytest.mark.parametrize("fenced", [True, False])
def test_the_memory_of_the_whole_tree_is_limited(tmp_path: Path, fence: Fence, fenced: bool) -> None:
    hog = "import time; x = bytearray(60 << 20); time.sleep(30)"
    verus = player(tmp_path, "\n".join(f"/usr/bin/env python3 -c '{hog}' &" for _ in range(4)) + "\nwait")
    limits = Limits(wall=20, memory_mb=150, processes=64)
    result = verus.verify("fn f() {}", fence if fenced else Unfenced(), limits=limits)
    if result.kind is VerusKind.ERROR and not fenced:
        pytest.skip("no python3 on the search path")
    assert (result.kind, result.why) == (VerusKind.STOPPED, "stopped by the limit on memory")


def test_megabytes_of_diagnostics_end_the_run(tmp_path: Path, fence: Fence) -> None:
    verus = player(tmp_path, "yes 'note: on and on' | head -c 20000000 >&2")
    result = verus.verify("fn f() {}", fence)
    assert result.kind is VerusKind.ERROR
    assert "more output than the referee reads" in result.why
    assert len(result.raw_err) <= 4 << 20


def test_what_cannot_be_run_is_an_error(tmp_path: Path, fence: Fence) -> None:
    for runner in (fence, Unfenced()):
        assert Verus(tmp_path / "nothing").verify("fn f() {}", runner).kind is VerusKind.ERROR


def test_a_named_verus_that_is_not_there_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileNotFoundError, match="is not a program; get a release"):
        find_verus(str(tmp_path / "verus"))
    monkeypatch.setenv("VERUS", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="VERUS"):
        find_verus()
    monkeypatch.delenv("VERUS")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_verus() is None


def running(mark: str) -> list[str]:
    """The command lines of this machine that have a mark in them."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and entry.name != str(os.getpid()):
            try:
                line = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if mark.encode() in line and b"pytest" not in line:
                found.append(line.decode(errors="replace"))
    return found


@pytest.mark.verus
def test_the_real_verus_accepts_and_rejects(fence: Fence) -> None:
    verus = find_verus()
    assert verus is not None
    clean = verus.verify((RECORDINGS / "clean.rs").read_text(), fence, stem="clean")
    assert clean.accepts("f", (RECORDINGS / "clean.rs").read_text(), "clean"), clean
    failed = verus.verify((RECORDINGS / "post_fail.rs").read_text(), fence, stem="post_fail")
    assert failed.kind is VerusKind.REJECTED
