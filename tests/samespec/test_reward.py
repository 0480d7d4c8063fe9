"""`samespec.reward`: what a submission earns, from any thread and process."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import samespec
from samespec import Reward, rewards
from samespec.batch.judge import Job, judge
from samespec.batch.process import WorkerProcess
from samespec.batch.shared import SharedPool
from translate.source import MAX_BYTES

ORIGINAL = """
use vstd::prelude::*;
verus! {
    spec fn ordered(s: Seq<int>) -> bool { forall|i: int, j: int| 0 <= i < j < s.len() ==> s[i] <= s[j] }
    proof fn short(s: Seq<int>) -> (t: Seq<int>)
        requires s.len() < 9,
        ensures ordered(t), t.len() == s.len(),
    { s }
    fn larger(a: u8, b: u8) -> (r: u8) ensures r >= a, r >= b { if a > b { a } else { b } }
}
"""
EDITS = {
    "same": ORIGINAL,
    "renamed": ORIGINAL.replace("|i: int, j: int|", "|j: int, i: int|").replace("i < j", "j < i").replace("s[i] <=", "s[i] >="),
    "weaker": ORIGINAL.replace("r >= b", "r >= a"),
    "hollow": ORIGINAL.replace("s[i] <= s[j]", "s[i] <= s[i]"),
    "assumed": ORIGINAL.replace("{ if a", "{ assume(false); if a"),
    "gone": ORIGINAL.replace("larger", "smaller"),
    "other code": ORIGINAL.replace("if a > b", "if b < a"),
    "unreadable contract": ORIGINAL.replace("r >= b", "r >= my_macro!(b)"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.delenv("SAMESPEC_CACHE", raising=False)


@pytest.mark.parametrize(
    ("edit", "value", "code"),
    [
        ("same", 1.0, ""),
        ("renamed", 1.0, ""),
        ("weaker", 0.0, "ensures-weakened"),
        ("hollow", 0.0, "ensures-weakened"),
        ("assumed", 0.0, "assume"),
        ("gone", 0.0, "gone"),
        ("other code", 1.0, ""),
        ("unreadable contract", None, "unsupported"),
    ],
)
def test_what_edits_are_worth(edit, value, code):
    found = samespec.reward(ORIGINAL, EDITS[edit])
    assert isinstance(found, Reward)
    assert (found.value, found.kept) == (value, None if value is None else bool(value))
    assert found.code == code
    assert bool(found.reason) is (value != 1.0)
    assert found.evidence["kept"] is found.kept


def test_evidence():
    found = samespec.reward(ORIGINAL, EDITS["weaker"])
    (broken,) = (t for t in found.evidence["targets"] if not t["kept"])
    assert broken["target"] == "crate::larger"
    assert broken["counterexample"]["replayed"] is True
    assert found.reason == "`r >= b` is no longer promised"


def test_what_is_asked_counts():
    assert samespec.reward(ORIGINAL, EDITS["assumed"], audit=False).value == 1.0
    assert samespec.reward(ORIGINAL, EDITS["assumed"], ["short"]).value == 1.0
    assert samespec.reward(ORIGINAL, EDITS["other code"], mode="proof").code == "code-changed"
    stronger = ORIGINAL.replace("r >= a, ", "r >= a, r == a || r == b, ")
    assert samespec.reward(ORIGINAL, stronger).value == 1.0
    assert samespec.reward(ORIGINAL, stronger, strict=True).value == 0.0


def test_undecided_is_worth_what_the_caller_says():
    found = samespec.reward(ORIGINAL, EDITS["unreadable contract"])
    with pytest.raises(ValueError, match="undecided, so without a value"):
        float(found)
    assert float(samespec.reward(ORIGINAL, EDITS["unreadable contract"], undecided=0.25)) == 0.25
    assert float(samespec.reward(ORIGINAL, EDITS["same"], undecided=0.25)) == 1.0


def test_files(tmp_path):
    (tmp_path / "o.rs").write_text(ORIGINAL)
    (tmp_path / "s.rs").write_text(EDITS["weaker"])
    assert samespec.reward(tmp_path / "o.rs", tmp_path / "s.rs") == samespec.reward(ORIGINAL, EDITS["weaker"])
    (tmp_path / "s.rs").write_bytes(b"\xff\xfe")
    assert samespec.reward(tmp_path / "o.rs", tmp_path / "s.rs").code == "unreadable"
    with pytest.raises(FileNotFoundError):
        samespec.reward(tmp_path / "no.rs", ORIGINAL)


def test_submissions_that_are_no_text():
    for text in ("", "a\0b", "a\ud800"):
        found = samespec.reward(ORIGINAL, text)
        assert (found.value, found.kept, found.code) == (0.0, False, "unreadable")
    found = samespec.reward(ORIGINAL, ORIGINAL + " " * MAX_BYTES)
    assert (found.value, found.kept, found.code) == (None, None, "unreadable"), "it may be a Rust file all the same"


def test_what_only_the_caller_can_set_right():
    for arguments in (
        {"mode": "both"},
        {"targets": []},
        {"targets": "larger"},
        {"targets": ["largest"]},
        {"original": ""},
    ):
        with pytest.raises(ValueError, match=r"mode|targets|no function `largest`|original: the text is empty"):
            samespec.reward(**{"original": ORIGINAL, "submitted": ORIGINAL, **arguments})


def test_limits_are_undecided(monkeypatch):
    def poisoned(limits, cache):
        return WorkerProcess(limits, "tests.samespec.batch_poison:judge", cache)

    monkeypatch.setattr(rewards, "_POOL", SharedPool())
    monkeypatch.setattr("samespec.batch.process.WorkerProcess", poisoned)
    found = samespec.reward(ORIGINAL, "hang", timeout=0.2, undecided=0.0)
    assert (found.value, found.kept, found.code) == (0.0, None, "time-limit")
    assert samespec.reward(ORIGINAL, "die SIGSEGV").code == "crash"
    assert samespec.reward(ORIGINAL, "eat 300", memory_mb=100).code == "memory-limit"
    rewards._POOL.close()


def test_many_threads_say_what_one_says():
    alone = {name: judge(Job(ORIGINAL, text, None, "contract", True, False, 3_000_000)).value for name, text in EDITS.items()}
    names = [name for _ in range(4) for name in EDITS]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda name: samespec.reward(ORIGINAL, EDITS[name]), names))
    assert [f.evidence for f in found] == [alone[name] for name in names]
    assert len(rewards._POOL._idle) <= len(os.sched_getaffinity(0)), "threads share the workers"


def test_a_forked_process_has_workers_of_its_own():
    samespec.reward(ORIGINAL, ORIGINAL)
    ours = {w.pid for w in rewards._POOL._idle}
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            value = samespec.reward(ORIGINAL, EDITS["weaker"]).value
            theirs = {w.pid for w in rewards._POOL._idle}
            os.write(write, f"{value} {ours.isdisjoint(theirs)}".encode())
            rewards._POOL.close()
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert os.read(read, 100) == b"0.0 True"
    assert samespec.reward(ORIGINAL, EDITS["weaker"]).value == 0.0


def test_the_cache_of_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("SAMESPEC_CACHE", str(tmp_path / "c"))
    monkeypatch.setattr(rewards, "_POOL", SharedPool())
    first = samespec.reward(ORIGINAL, EDITS["weaker"])
    monkeypatch.setattr(WorkerProcess, "judge", lambda self, job: pytest.fail("judged again"))
    assert samespec.reward(ORIGINAL, EDITS["weaker"]) == first
    rewards._POOL.close()


def test_a_script_needs_no_main_guard_and_import_is_light(tmp_path):
    script = tmp_path / "train.py"
    script.write_text(
        "import sys, samespec\n"
        "assert not {'z3', 'click', 'equiv', 'translate'} & set(sys.modules), 'import samespec must load nothing'\n"
        f"print(samespec.reward({ORIGINAL!r}, {ORIGINAL!r}).value)\n"
        "assert 'z3' not in sys.modules, 'the solver lives in the workers'\n"
    )
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=False)
    assert (run.stdout, run.stderr) == ("1.0\n", "")
