
"""Proof mode: only ghost additions pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from depgraph.erasure import CodeChange, executable_changes
from tests.depgraph.helpers import crate, verus

CODE = """
pub struct S { pub x: u64 }
impl S { pub fn get(&self) -> u64 { self.x } }
pub fn helper(x: u64) -> u64 requires x < 100 { x + 1 }
pub fn sum(v: &Vec<u64>, n: usize) -> u64 {
    let mut i: usize = 0;
    let mut s: u64 = 0;
    while i < n {
        s = s + v[i];
        i = i + 1;
    }
    if s > 3 { s } else { helper(s) }
}
pub fn run() { let g = |y: u64| { y + 1 }; let z = g(2); }
"""


def changes(old: str, new: str, before: str = "") -> list[CodeChange]:
    return executable_changes(crate(verus(old, before), "o.rs"), crate(verus(new, before), "s.rs"))


GHOST = {
    "nothing": lambda t: t,
    "a contract": lambda t: t.replace("n: usize) -> u64 {", "n: usize) -> (r: u64) requires n <= v.len() ensures r >= 0 {"),
    "an invariant": lambda t: t.replace("while i < n {", "while i < n invariant i <= n decreases n - i {"),
    "assertions": lambda t: t.replace("i = i + 1;", "assert(i < n) by { assert(true); } i = i + 1; assert(i <= n);"),
    "a proof block": lambda t: t.replace("i = i + 1;", "proof { lemma(1); } i = i + 1;").replace(
        "pub fn run", "proof fn lemma(x: int) { } pub fn run"
    ),
    "a proof block at the end of a loop": lambda t: t.replace("i = i + 1;\n", "i = i + 1;\n proof { assert(true); }\n"),
    "a proof block at the end of a body": lambda t: t.replace("let z = g(2);", "let z = g(2); proof { assert(true); }"),
    "ghost variables": lambda t: t.replace(
        "let mut s", "let ghost g = 3int; let tracked t = (); let gg = Ghost(3int); let mut s"
    ),
    "lemmas and specifications": lambda t: t + "spec fn p(x: int) -> bool { x > 0 } proof fn q() ensures p(1) { }",
    "assumptions": lambda t: t.replace("i = i + 1;", "assume(i < 10); i = i + 1;"),
    "reveals": lambda t: t.replace("let mut s", "reveal(p); broadcast use group; let mut s"),
    "a closure's contract": lambda t: t.replace("|y: u64| {", "|y: u64| -> (r: u64) requires y < 9 ensures r == y + 1 {"),
    "verifier attributes": lambda t: t.replace(
        "pub fn sum", "#[verifier::loop_isolation(false)] #[verifier::rlimit(30)] pub fn sum"
    ),
    "verifier attributes on loops": lambda t: t.replace("while i < n", "#[verifier::loop_isolation(false)] while i < n"),
    "white space and comments": lambda t: t.replace("i = i + 1;", "// one more\n        i = i + 1 /* step */ ;"),
    "parentheses": lambda t: t.replace("s = s + v[i];", "s = (s + (v[i]));"),
    "documentation": lambda t: t.replace("pub fn sum", "/// adds up\n#[allow(unused)] pub fn sum"),
    "visibility": lambda t: t.replace("pub fn helper", "fn helper"),
    "a view": lambda t: t + "impl View for S { type V = int; closed spec fn view(&self) -> int { 1 } }",
    "a lemma macro of vstd": lambda t: t.replace("i = i + 1;", "assert_by_contradiction!(i < n, { }); i = i + 1;"),
    "an import": lambda t: "use vstd::arithmetic::mul::*;" + t,
    "ghost parameters": lambda t: t.replace("(x: u64) -> u64 requires", "(x: u64, Ghost(g): Ghost<int>) -> u64 requires").replace(
        "helper(s)", "helper(s, Ghost(1))"
    ),
}


@pytest.mark.parametrize("name", list(GHOST))
def test_ghost_changes_pass(name: str) -> None:
    new = GHOST[name](CODE)
    assert changes(CODE, new) == []
    assert changes(new, CODE) == [], "and so does taking ghost code away"


EXEC = {
    "an operator": ("i = i + 1;", "i = i + 2;"),
    "a condition": ("while i < n", "while i <= n"),
    "a statement less": ("s = s + v[i];", ""),
    "a statement more": ("i = i + 1;", "i = i + 1; s = 0;"),
    "order": ("s = s + v[i];\n        i = i + 1;", "i = i + 1;\n        s = s + v[i];"),
    "another function": ("helper(s)", "other(s)"),
    "a type": ("let mut s: u64 = 0;", "let mut s: u32 = 0;"),
    "a parameter's type": ("n: usize)", "n: u32)"),
    "a result's type": ("n: usize) -> u64", "n: usize) -> u32"),
    "a field": ("pub struct S { pub x: u64 }", "pub struct S { pub x: u64, pub y: u64 }"),
    "a derive": ("pub struct S", "#[derive(Clone)] pub struct S"),
    "a repr": ("pub struct S", "#[repr(C)] pub struct S"),
    "a method": ("self.x }", "self.x + 1 }"),
    "a closure's body": ("{ y + 1 }", "{ y + 2 }"),
    "unsafe": ("pub fn sum", "pub unsafe fn sum"),
    "configuration": ("i = i + 1;", "#[cfg(not(verus_keep_ghost))] { i = i + 1; }"),
    "a configured function": ("pub fn sum", '#[cfg(feature = "x")] pub fn sum'),
    "an early return": ("let mut s: u64 = 0;", "let mut s: u64 = 0; if n == 3 { return 0; }"),
    "a new function": ("pub fn run()", "pub fn more() { } pub fn run()"),
    "a missing function": ("pub fn run() { let g = |y: u64| { y + 1 }; let z = g(2); }", ""),
    "a new implementation": ("pub fn run()", "impl Clone for S { fn clone(&self) -> S { S { x: 0 } } } pub fn run()"),
    "external_body's code": (
        "pub fn helper(x: u64) -> u64 requires x < 100 { x + 1 }",
        "#[verifier::external_body] pub fn helper(x: u64) -> u64 requires x < 100 { x }",
    ),
    "a print": ("i = i + 1;", 'println!("{}", i); i = i + 1;'),
    "a literal": ("let mut s: u64 = 0;", "let mut s: u64 = 1;"),
    "mutability of a borrow": ("v: &Vec<u64>", "v: &mut Vec<u64>"),
}


@pytest.mark.parametrize("name", list(EXEC))
def test_executable_changes_are_shown(name: str) -> None:
    old, new = EXEC[name]
    assert old in CODE
    found = changes(CODE, CODE.replace(old, new))
    assert found, name
    for c in found:
        assert c.old_place is not None or c.new_place is not None


def test_an_else_with_nothing_but_ghost_code() -> None:
    old = "fn f(x: u64) { if x == 2 { g(); } } fn g() { }"
    assert changes(old, old.replace("g(); } }", "g(); } else { proof { assert(x != 2); } } }")) == []
    assert changes(old, old.replace("g(); } }", "g(); } else { g(); } }"))


def test_the_smallest_difference_is_shown() -> None:
    (change,) = changes(CODE, CODE.replace("i = i + 1;", "i = i + 2;"))
    assert (change.old, change.new) == ("1", "2")
    assert str(change.new_place) == "s.rs:13:17"
    assert change.path == "crate::sum"


def test_code_that_reads_the_same_and_calls_something_else() -> None:
    old = "pub mod a { pub fn go() { } } pub mod b { pub fn go() { } } use a::go; fn f() { go(); }"
    (change,) = changes(old, old.replace("use a::go", "use b::go"))
    assert change.path == "crate::f"


def test_a_type_alias_that_means_something_else() -> None:
    old = "type N = u64; fn f(x: N) -> N { x }"
    assert changes(old, old.replace("type N = u64", "type N = u32"))


def test_a_constant() -> None:
    old = "pub const N: u64 = 3; spec const M: int = 3; fn f() -> u64 { N }"
    assert changes(old, old.replace("M: int = 3", "M: int = 4")) == []
    (change,) = changes(old, old.replace("N: u64 = 3", "N: u64 = 4"))
    assert change.path == "crate::N"


def test_a_macro_that_expands_to_something_else() -> None:
    old = "fn f() -> u64 { one!() }"
    before = "macro_rules! one { () => { 1 }; }"
    found = executable_changes(crate(verus(old, before)), crate(verus(old, before.replace("1", "2"))))
    assert [c.path for c in found] == ["crate::f"]


def test_code_outside_verus_counts() -> None:
    found = executable_changes(
        crate("fn main() { print(1); } fn print(x: u64) { }"), crate("fn main() { print(2); } fn print(x: u64) { }")
    )
    assert [c.path for c in found] == ["crate::main"]


def test_every_corpus_file_is_its_own_equal() -> None:
    from depgraph.crate_loader import load_crate

    for path in sorted(Path("corpus/tasks").glob("*/original.rs")):
        assert executable_changes(load_crate(path), load_crate(path)) == []
