"""`missing` and `interface-changed` by the syntax trees alone."""

from __future__ import annotations

import pytest

from experiments.validation.structure import Parsed, why_another_interface, why_missing, why_same
from tests.experiments.tasks_made import file
from translate.parser import parse_file
from translate.source import from_text

ORIGINAL = "pub type Word = u8; pub struct Pair { a: u8, b: Word } pub fn f(p: Pair, n: u8) -> (r: u8) ensures r == n { n }"


def parsed(text: str) -> Parsed:
    source = from_text("f.rs", text)
    return Parsed(source, parse_file(source))


def another(text: str, before: str = ORIGINAL, path: str = "crate::f") -> str | None:
    return why_another_interface(parsed(file(before)), parsed(file(text)), path)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("n: u8)", "n: u16)", "parameter 2 was `u8` and is `u16`"),
        ("r: u8)", "r: u16)", "the result type was `u8` and is `u16`"),
        ("fn f(", "fn f<T>(", "the generics was `none` and is `T`"),
        ("n: u8)", "n: u8, m: u8)", "the number of parameters was `2` and is `3`"),
        ("pub fn f", "pub proof fn f", "the mode was `exec` and is `proof`"),
        ("n: u8)", "Ghost(n): Ghost<u8>)", "parameter 2 was `u8` and is `Ghost<u8>`"),
        ("b: Word", "b: u16", "`Pair`, which the interface names, is defined otherwise"),
        ("Word = u8", "Word = u16", "`Word`, which the interface names, is defined otherwise"),
    ],
)
def test_another_interface(old: str, new: str, why: str) -> None:
    assert old in ORIGINAL
    assert another(ORIGINAL.replace(old, new)) == why


@pytest.mark.parametrize(
    ("old", "new"),
    [("n: u8)", "m: u8)"), ("(r: u8)", "(out: u8)"), ("r == n", "true"), ("p: Pair,", "p : Pair ,"), ("pub fn", "pub(crate) fn")],
)
def test_the_same_interface(old: str, new: str) -> None:
    assert another(ORIGINAL.replace(old, new)) is None


def test_a_trait_that_declares_another_contract() -> None:
    trait = "pub trait T { fn f(&self) -> (r: u8) ensures r > 1; }"
    assert another(trait.replace("r > 1", "r > 2"), trait, "crate::T::f") == (
        "it declares a contract of a trait, and that reads otherwise"
    )
    assert another(trait.replace("r > 1", "r>1"), trait, "crate::T::f") is None


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("{ n }", "{ assume(false); 0 }", True),
        ("{ n }", "{ n } /* a comment */", True),
        ("(r: u8) ensures", "(r: u8)\n    ensures", True),
        ("r == n", "n == r", False),
        ("Word = u8", "Word = u16", False),
        ("{ n }", "{ n } spec fn helper() -> int { 1 }", False),
        ("n + 1", "n + 2", False),
        ("pub fn f", "#[verifier::external] pub fn f", False),
    ],
)
def test_plainly_the_same(old: str, new: str, same: bool) -> None:
    text = ORIGINAL + " pub open spec fn next(n: int) -> int { n + 1 } mod m { pub proof fn l() ensures true { } }"
    assert old in text
    assert (why_same(parsed(file(text)), parsed(file(text.replace(old, new)))) is not None) is same


def missing(text: str, path: str = "crate::f") -> str | None:
    return why_missing(parsed(text), path)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (file("fn g() {}"), "no function stands at `crate::f`"),
        (file("mod m { use super::*; pub fn f() {} }"), "no function stands at `crate::f`"),
        (file("#[verifier::external] fn f() {}"), "`crate::f` is marked #[verifier::external]"),
        (file("#[verifier(external)] fn f() {}"), "`crate::f` is marked #[verifier(external)]"),
        (file('#[cfg(feature = "x")] fn f() {}'), '`crate::f` is behind #[cfg(feature = "x")]'),
        (file("") + "fn f() {}", "`crate::f` is outside `verus!`"),
        (file("fn f() {}"), None),
        (file("#[verifier::external_body] fn f() {}"), None),
        (file('#[cfg(feature = "x")] fn f() {} #[cfg(not(feature = "x"))] fn f() {}'), None),
        (file("mod m { pub fn f() {} } pub use m::f;"), None),
        (file("mod m { pub fn f() {} } pub use m::*;"), None),
    ],
)
def test_missing(text: str, why: str | None) -> None:
    found = missing(text)
    if why is None and found is not None:
        assert "cfg" in text  # a pair of twins: each of them is behind a `cfg`, and the label says which one is built
        return
    assert found == why


def test_methods_by_type_and_trait() -> None:
    text = file("struct S; trait T { fn f(&self); } impl T for S { fn f(&self) {} } impl S { fn g(&self) {} }")
    assert missing(text, "crate::<S as T>::f") is None
    assert missing(text, "crate::S::g") is None
    assert missing(text, "crate::S::f") == "no function stands at `crate::S::f`"
