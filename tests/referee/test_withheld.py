"""Withheld tests: ghost code erased, run on unseen cases; what is expected never enters the fence."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from corpus.tasks import Case, Task
from referee.erase import EraseError, erase, executable_tokens
from referee.fence import Fence
from referee.outcome import Correctness
from referee.toolchain import Toolchain
from referee.withheld import program_text, same
from referee.withheld import test_submission as run_cases

GHOSTLY = """
use vstd::prelude::*;
use vstd::seq::*;

verus! {

spec const LIMIT: int = 10;
pub const STEP: u64 = 2;

pub open spec fn inside(s: Seq<u64>) -> bool { forall|i: int| 0 <= i < s.len() ==> s[i] < LIMIT }

proof fn lemma(x: int) ensures x == x { }

broadcast proof fn known(x: int) ensures #[trigger] (x + 0) == x { }

#[derive(Structural, PartialEq, Eq, Clone)]
pub struct Pair { pub a: u64, pub ghost b: int, pub c: Ghost<int> }

impl View for Pair { type V = int; open spec fn view(&self) -> int { self.a as int } }

pub trait Shape { spec fn area(&self) -> int; fn side(&self) -> (r: u64) ensures r >= 0; }
impl Shape for Pair {
    spec fn area(&self) -> int { self.a * self.a }
    fn side(&self) -> (r: u64) { self.a }
}

fn sum(v: &Vec<u64>, Ghost(start): Ghost<int>, Tracked(t): Tracked<int>) -> (total: u64)
    requires
        inside(v@),
        v.len() < 100,
    ensures total >= 0,
{
    let ghost before = v@;
    let mut total: u64 = 0;
    let mut at: usize = 0;
    proof { lemma(3); }
    while at < v.len()
        invariant at <= v.len(), inside(v@),
        decreases v.len() - at,
    {
        assert(at < v.len());
        assert(at >= 0) by { lemma(4); }
        assume(total < 1000);
        total = total + v[at];
        at = at + 1;
    }
    for x in iter: v.iter()
        invariant total >= 0,
    {
        broadcast use known;
        reveal(inside);
        total = total + *x * 0;
    }
    let f = |y: u64| -> (r: u64) requires y < 5 ensures r == y { y };
    calc! { (==) 1int; {} 1int; }
    total + f(1) - 1
}

pub fn go(v: Vec<u64>) -> (r: u64) { sum(&v, Ghost(3int), Tracked(4)) * STEP }

#[cfg(verus_keep_ghost)]
fn twin() -> u64 { 1 }
#[cfg(not(verus_keep_ghost))]
fn twin() -> u64 { 2 }
pub fn what_runs() -> u64 { twin() }

fn main() { }

} // verus!
"""


def test_ghost_code_is_gone_and_the_rest_runs(fence: Fence, toolchain: Toolchain) -> None:
    text = erase(GHOSTLY, prelude=False)
    for word in (
        "lemma",
        "Seq",
        "invariant",
        "decreases",
        "ensures",
        "assert",
        "assume",
        "proof",
        "LIMIT",
        "known",
        "calc",
        "before",
    ):
        assert word not in text, text
    cases = [Case("go", {"v": [1, 2, 3]}, 12, {}), Case("what_runs", {}, 2, {})]
    tested = run_cases(GHOSTLY, cases, toolchain, fence)
    assert tested.verdict is Correctness.PASSED, tested


def test_erasure_ignores_proofs_and_sees_code() -> None:
    assert executable_tokens(GHOSTLY) == executable_tokens(GHOSTLY.replace("proof { lemma(3); }", "assert(true);"))
    assert executable_tokens(GHOSTLY) != executable_tokens(GHOSTLY.replace("at = at + 1", "at = at + 2"))


def test_what_cannot_be_parsed_is_not_erased() -> None:
    with pytest.raises(EraseError):
        erase("verus! { fn f( }")


@pytest.mark.parametrize("name", ["meter", "door", "hex_value", "swap_at", "cursor", "starts_with"])
def test_corpus_solutions_pass_their_cases(corpus: dict[str, Task], fence: Fence, toolchain: Toolchain, name: str) -> None:
    tested = run_cases(corpus[name].original, corpus[name].cases, toolchain, fence)
    assert tested.verdict is Correctness.PASSED, tested
    assert len(tested.cases) == len(corpus[name].cases)


def test_every_corpus_program_with_cases_can_be_written(corpus: dict[str, Task], toolchain: Toolchain, tmp_path: Path) -> None:
    for task in corpus.values():
        if task.cases:
            (tmp_path / f"{task.name}.rs").write_text(program_text(task.original, task.cases))
    sample = sorted(tmp_path.glob("*.rs"))[::6]
    for path in sample:
        command: list[str | Path] = [toolchain.rustc, "--edition=2021", "--emit=metadata", "-o", tmp_path / "out", path]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (path.name, done.stderr[:800])


def subject(code: str) -> str:
    return f"use vstd::prelude::*; verus! {{ pub fn f(x: u32) -> (r: u32) ensures r == x + 1 {{ {code} }} }}"


CASES = [Case("f", {"x": 1}, 2, {}), Case("f", {"x": 41}, 42, {})]


@pytest.mark.parametrize(
    ("code", "verdict", "why"),
    [
        ("x + 1", Correctness.PASSED, ""),
        ("x", Correctness.FAILED, "result 1, expected 2"),
        ("loop { }", Correctness.FAILED, "stopped by the limit on wall"),
        ("panic!()", Correctness.FAILED, "exit status 101"),
        ("0 - x", Correctness.FAILED, "exit status 101"),
        ("std::process::exit(0)", Correctness.FAILED, "something else than one line"),
        ('println!("{{\\"result\\":2,\\"final\\":[null]}}"); std::process::exit(0)', Correctness.FAILED, "result 2, expected 42"),
        ('println!("test result: ok. 2 passed"); x + 1', Correctness.FAILED, "something else than one line"),
        ("let v: u32 = x.nonsense(); v", Correctness.UNSCORABLE, "not compiled"),
    ],
)
def test_the_column_says_what_happened(
    fence: Fence, toolchain: Toolchain, monkeypatch: pytest.MonkeyPatch, code: str, verdict: Correctness, why: str
) -> None:
    from referee import withheld
    from referee.process import Limits

    monkeypatch.setattr(
        withheld, "RUN_LIMITS", Limits(wall=3, memory_mb=256, processes=16, output_bytes=4096, disk_mb=8, file_mb=8)
    )
    cases = CASES[:1] if "loop" in code else CASES
    tested = run_cases(subject(code), cases, toolchain, fence)
    assert tested.verdict is verdict, tested
    assert why in " ".join([tested.why, *(c.why for c in tested.cases)])


def test_code_that_looks_around_finds_no_expected_values(fence: Fence, toolchain: Toolchain) -> None:
    code = (
        'for p in ["/given/withheld.toml", "program.rs", "/given/program.rs"] { if std::fs::read(p).is_ok() { return 7; } } x + 1'
    )
    assert run_cases(subject(code), CASES, toolchain, fence).verdict is Correctness.PASSED
    cases = [Case("f", {"x": 1}, 987_654_321, {"x": 123_456_789})]
    text = program_text(subject("x + 1"), cases)
    assert "987654321" not in text
    assert "123456789" not in text


def test_without_cases_or_compiler_nothing_is_said(fence: Fence, toolchain: Toolchain) -> None:
    assert run_cases(subject("x + 1"), [], toolchain, fence).verdict is Correctness.NOT_RUN
    assert run_cases(subject("x + 1"), CASES, None, fence).verdict is Correctness.NOT_RUN
    assert run_cases(subject("x + 1"), [Case("g", {}, 1, {})], toolchain, fence).verdict is Correctness.UNSCORABLE


def test_values_are_compared_by_kind() -> None:
    assert same({"some": [1, "ä"]}, {"some": [1, "ä"]})
    assert not same(True, 1)
    assert not same([1], [1, 2])
    assert not same({"none": True}, {"some": 1})
