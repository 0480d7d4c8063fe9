"""Programs of the corpus: many in one compilation, each with its own outcome."""

from __future__ import annotations

import shutil

import pytest

from corpus.tasks import Case
from experiments.validation.programs import Program, crate_text, program_of, rooted, run_programs
from referee.fence import Unfenced
from referee.toolchain import find_rustc
from tests.experiments.tasks_made import file

CASES = [Case("f", {"x": 1}, 2, {}), Case("f", {"x": 7}, 8, {}), Case("f", {"x": 3}, 4, {})]
GOOD = "fn f(x: u8) -> (r: u8) requires x < 255 ensures r == x + 1 { x + 1 }"
NO_RUSTC = "no rustc on this machine: what needs a compiler is not tested"
needs_rustc = pytest.mark.skipif(shutil.which("rustc") is None, reason=NO_RUSTC)


def program(text: str, cases: list[Case] = CASES) -> Program:
    made = program_of(file(text), cases)
    assert isinstance(made, Program), made
    return made


def test_ghost_code_does_not_make_another_program() -> None:
    other = GOOD.replace("ensures r == x + 1", "ensures r > x").replace("{ x + 1 }", "{ assert(x < 255); x  +  1 }")
    assert program(GOOD).key == program(other).key
    assert program(GOOD).key != program(GOOD.replace("{ x + 1 }", "{ x + 2 }")).key
    assert program(GOOD).key != program(GOOD, CASES[:2]).key


@pytest.mark.parametrize(
    ("text", "cases", "why"),
    [
        (GOOD, [], "the task has no executable cases"),
        ("fn g() {}", CASES, "the submission has no function `f`"),
        ("proof fn f(x: u8) {}", CASES, "`f` is not executable"),
        ("fn f( {", CASES, "submitted"),
    ],
)
def test_why_there_is_no_program(text: str, cases: list[Case], why: str) -> None:
    made = program_of(file(text), cases)
    assert isinstance(made, str)
    assert why in made


def test_every_module_is_its_own_crate() -> None:
    text = 'use crate::a::B; pub(crate) fn g() -> u8 { crate::h(); "crate::x"; self::h() } // crate::c'
    assert rooted(text, "m3") == (
        'use crate::m3::a::B; pub(crate) fn g() -> u8 { crate::m3::h(); "crate::x"; self::h() } // crate::c'
    )
    one = crate_text([program(GOOD), program(GOOD.replace("{ x + 1 }", "{ x }"))])
    assert "mod m0 {" in one and "mod m1 {" in one
    assert one.count("pub trait __Show") == 1


@needs_rustc
def test_each_program_has_its_own_outcome() -> None:
    toolchain = find_rustc()
    assert toolchain is not None
    texts = {
        "good": GOOD,
        "modules": "mod m { use super::*; pub fn g(x: u8) -> u8 { crate::one() + x } } fn one() -> u8 { 1 }"
        " fn f(x: u8) -> u8 { crate::m::g(x) }",
        "macro": "macro_rules! inc { ($e:expr) => { $e + 1 } } fn f(x: u8) -> u8 { inc!(x) }",
        "wrong at seven": "fn f(x: u8) -> u8 { if x == 7 { 0 } else { x + 1 } }",
        "panics": 'fn f(x: u8) -> u8 { if x == 7 { unreached() } else { x + 1 } } fn unreached() -> u8 { panic!("no way") }',
        "overflows": "fn f(x: u8) -> u8 { if x == 7 { x * 200 } else { x + 1 } }",
        "endless": "fn f(x: u8) -> u8 { if x == 7 { loop { } } x + 1 }",
        "deep": "fn f(x: u8) -> u8 { if x == 7 { down(0) as u8 } else { x + 1 } } fn down(n: u64) -> u64 { 1 + down(n + 1) }",
        "exits": "fn f(x: u8) -> u8 { if x == 7 { std::process::exit(0) } x + 1 }",
        "no types": "fn f(x: u8) -> u8 { x.nonsense() }",
    }
    programs = {name: program(text) for name, text in texts.items()}
    found = run_programs(programs.values(), toolchain, Unfenced(), jobs=2)
    outcome = {}
    for name, p in programs.items():
        ran = found[p.key]
        results = [] if ran.why else ran.judged(CASES)
        outcome[name] = ran.why or "; ".join(r.why for r in results if not r.passed)
        assert ran.why or [r.passed for r in results[::2]] == [True, True], name  # the cases around the one that goes wrong
    assert outcome["good"] == outcome["modules"] == outcome["macro"] == ""
    assert outcome["wrong at seven"] == "result 0, expected 8"
    assert outcome["panics"] == "it panics: no way"
    assert "overflow" in outcome["overflows"]
    assert outcome["endless"] == "no end within 2 seconds"
    assert outcome["deep"].startswith("it is stopped: exit status")
    assert outcome["exits"].startswith("it is stopped: exit status 0")
    assert outcome["no types"].startswith("not compiled (1): error[E0599]")


@needs_rustc
def test_final_values_and_structs() -> None:
    toolchain = find_rustc()
    assert toolchain is not None
    text = "pub struct S { pub a: u8 } impl S { pub fn add(&mut self, n: u8) -> (r: bool) { self.a = self.a + n; true } }"
    cases = [Case("S::add", {"self": {"a": 1}, "n": 2}, True, {"self": {"a": a}}) for a in (3, 4)]
    made = program_of(file(text), cases)
    assert isinstance(made, Program)
    results = run_programs([made], toolchain, Unfenced())[made.key].judged(cases)
    assert [r.passed for r in results] == [True, False]
    assert results[1].why == 'final self {"a": 3}, expected {"a": 4}'
