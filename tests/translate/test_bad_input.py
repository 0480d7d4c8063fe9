"""Bad input: unreadable files say what is wrong and where; pathological text ends quickly in one problem."""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path

import pytest

from translate.listing import FileListing, list_source
from translate.parser import parse_file
from translate.source import SourceError, from_text, read_source

# --- files -----------------------------------------------------------------------------------------------------------


def error(path: Path) -> str:
    with pytest.raises(SourceError) as caught:
        read_source(path)
    return str(caught.value)


def test_missing_file(tmp_path: Path) -> None:
    assert error(tmp_path / "no.rs") == f"{tmp_path}/no.rs: no such file; check the path"


def test_directory(tmp_path: Path) -> None:
    assert "is a directory" in error(tmp_path)


def test_empty_file(tmp_path: Path) -> None:
    (tmp_path / "a.rs").write_bytes(b"")
    assert "empty" in error(tmp_path / "a.rs")


def test_nul_byte(tmp_path: Path) -> None:
    (tmp_path / "a.rs").write_bytes(b"fn f\0() {}")
    assert "offset 4" in error(tmp_path / "a.rs")


def test_not_utf8(tmp_path: Path) -> None:
    (tmp_path / "a.rs").write_bytes("fn f() {}\n// é ".encode() + b"\xff")
    assert error(tmp_path / "a.rs").startswith(f"{tmp_path}/a.rs:2:6: byte 0xff at offset 16 is not UTF-8")


def test_too_large(tmp_path: Path) -> None:
    (tmp_path / "a.rs").write_bytes(b" " * (8 * 1024 * 1024 + 1))
    assert "8 MiB" in error(tmp_path / "a.rs")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable(tmp_path: Path) -> None:
    (tmp_path / "a.rs").write_text("fn f() {}")
    (tmp_path / "a.rs").chmod(0)
    assert "permission denied" in error(tmp_path / "a.rs")


def test_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    (tmp_path / "a.rs").write_bytes(b"\xef\xbb\xbffn f() {}")
    source = read_source(tmp_path / "a.rs")
    assert source.text == "fn f() {}"
    assert len(source.raw) == 12
    assert parse_file(source).problems == []


def test_places_count_characters() -> None:
    source = from_text("a.rs", "fn f() {}\r\n// äöü x\nlast")
    assert source.line_column(0) == (1, 1)
    assert source.line_column(source.data.index(b"x")) == (2, 8)
    assert source.line_column(len(source.data)) == (3, 5)
    assert source.line_column(10**6) == (3, 5)
    assert source.place(source.data.index(b"last")) == "a.rs:3:1"
    assert len(source.sha256) == 64


def test_windows_line_ends() -> None:
    assert parse_file(from_text("a.rs", "verus! {\r\n// c\r\nfn f()\r\n{ }\r\n}\r\n")).problems == []


# --- pathological text -----------------------------------------------------------------------------------------------

DEEP = 10_000
SPEC = "verus! {{ spec fn f() -> int {{ {} }} fn g() {{}} }}"

PATHOLOGICAL = {
    "parentheses": SPEC.format("(" * DEEP + "1" + ")" * DEEP),
    "parentheses in Rust": "fn f() { let x = " + "(" * DEEP + "1" + ")" * DEEP + "; }",
    "opening brackets": "[" * DEEP,
    "braces": "verus! " + "{" * DEEP + "}" * DEEP,
    "below the bracket limit": SPEC.format("(" * 900 + "1" + ")" * 900),
    "ten megabytes of opening brackets": "[" * 10_000_000,
    "ten megabytes of brackets": "[]" * 5_000_000,
    "not": SPEC.format("!" * DEEP + "a"),
    "minus": SPEC.format("- " * DEEP + "a"),
    "borrows": SPEC.format("& " * DEEP + "a"),
    "sum": SPEC.format("1 + " * DEEP + "1"),
    "sum in Rust": "fn f() { " + "1 + " * DEEP + "1 }",
    "implications": SPEC.format("a ==> " * DEEP + "a"),
    "chain": SPEC.format("a < " * DEEP + "a"),
    "matches": SPEC.format("a matches B && " * DEEP + "a"),
    "calls": SPEC.format("a" + ".b()" * DEEP),
    "views": SPEC.format("a" + "@" * DEEP),
    "casts": SPEC.format("a" + " as int" * DEEP),
    "quantifiers": SPEC.format("forall|x| " * DEEP + "a"),
    "closures": SPEC.format("|x| " * DEEP + "a"),
    "else if": SPEC.format("if a { 1 } else " * DEEP + "{ 2 }"),
    "blocks": SPEC.format("if a { " * 900 + "1" + "}" * 900),
    "generics": f"verus! {{ fn f(x: {'Vec<' * DEEP}u8{'>' * DEEP}) {{}} }}",
    "references": f"verus! {{ fn f(x: {'& ' * DEEP}u8) {{}} }}",
    "let conditions": SPEC.format("if " + "let x = " * DEEP + "1 { 1 }"),
    "returns": SPEC.format("return " * DEEP + "1"),
    "modules": "mod a {" * 900 + "}" * 900,
    "use": "use " + "a::{" * 900 + "b" + "}" * 900 + ";",
}


def listing(text: str) -> FileListing:
    """The listing with all bodies; the recursion limit of the interpreter must be left as it was."""
    limit = sys.getrecursionlimit()
    started = time.perf_counter()
    result = list_source(from_text("t.rs", text), bodies=True)
    assert sys.getrecursionlimit() == limit
    assert time.perf_counter() - started < 10
    return result


@pytest.mark.parametrize("text", PATHOLOGICAL.values(), ids=PATHOLOGICAL.keys())
def test_depth_ends_in_one_problem(text: str) -> None:
    assert [problem.construct for problem in listing(text).problems] == ["nesting"]


def test_as_with_less_than_does_not_explode() -> None:
    assert len(listing(SPEC.format("a as T < {" * 150 + "1" + "}" * 150)).problems) <= 1
    assert len(listing(SPEC.format("#[a] {" * 150 + "1" + "}.x()" * 150)).problems) <= 1


def test_a_number_with_too_many_digits() -> None:
    assert [problem.construct for problem in listing(SPEC.format("1" * 100_000)).problems] == ["literal"]


@pytest.mark.parametrize(
    "text",
    ["fn " * 20_000, "pub " * 20_000, "#" * 20_000, ";" * 20_000, ")" * 20_000, "~" * 20_000, "@" * 20_000, "' " * 20_000],
)
def test_garbage_ends(text: str) -> None:
    for whole in (text, "verus! {" + text + "}"):
        assert len(listing(whole).problems) < 1_100


SAMPLE = """
use vstd::prelude::*;
verus! {
/// A queue.
pub struct Q<'a, T> { pub ghost a: Seq<T>, b: &'a [u8; 4] }
impl<'a, T> Q<'a, T> {
    pub open spec fn ok(&self) -> bool { &&& self.a.len() == 4 &&& forall|i: int| 0 <= i < 4 ==> #[trigger] self.a[i] =~= 'x' }
    fn push(&mut self, x: u64) -> (r: Result<u8, ()>)
        requires old(self).ok(), x as int * 2 < 0xffint,
        ensures match r { Ok(v) => v@ == x, Err(_) => self.a == old(self).a },
    {
        let mut i: usize = 0;
        while i < 10 invariant i <= 10, decreases 10 - i { i += 1; }
        assert(x !== 5) by (nonlinear_arith) requires x < 2;
        proof { assert forall|k: int| k > 0 implies f(k, r#"a(b"#) by { lemma(k); } }
        Ok(1)
    }
}
}
"""
_INSERTS = '( ) [ ] { } " \' /* */ // ~ < > | # ! r#" fn ==> &&& é \\ ` 0.1 verus!{ as forall| #[ @ .. ; , -> matches'.split()


@pytest.mark.parametrize("seed", range(40))
def test_damaged_text_never_crashes(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(5):
        text = SAMPLE
        for _ in range(chance.choice([1, 1, 3, 10])):
            at = chance.randrange(len(text))
            if chance.random() < 0.5:
                text = text[:at] + text[at + chance.randint(1, 4) :]
            else:
                text = text[:at] + chance.choice(_INSERTS) + text[at:]
        listing(text)


@pytest.mark.parametrize("cut", range(SAMPLE.index("{") + 1, len(SAMPLE) - 2, 37))
def test_truncated_text_has_a_problem(cut: int) -> None:
    assert listing(SAMPLE[:cut]).problems
