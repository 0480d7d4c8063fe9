"""The textual test: blind for layout, and for nothing else."""

from __future__ import annotations

import pytest

from equiv.textual import textual
from tests.equiv.helpers import BASE, OTHER_TEXT, SAME_TEXT, contract


@pytest.mark.parametrize("name", SAME_TEXT)
def test_layout_does_not_matter(name):
    answer = textual(contract(BASE), contract(SAME_TEXT[name]))
    assert answer.kept is True, answer.why
    assert answer.test == "textual"


@pytest.mark.parametrize("name", OTHER_TEXT)
def test_every_word_matters(name):
    old, new = contract(BASE), contract(OTHER_TEXT[name])
    assert textual(old, new).kept is False
    assert textual(new, old).kept is False


@pytest.mark.parametrize(
    "text",
    [
        BASE.replace("x < 10", "(x < 10)").replace("requires", "requires (true) &&"),
        BASE.replace("x < 10", "x < 0xa"),
        BASE.replace("a.len() > 0, x < 10", "x < 10, a.len() > 0"),
    ],
)
def test_what_only_a_parser_can_see_is_a_difference(text):
    assert textual(contract(BASE), contract(text)).kept is False


def test_a_redefined_name_fools_it():
    """What text cannot tell: the contract stands, and a word in it means something else."""
    old = contract("spec fn g(x: int) -> bool { x > 0 } fn f(x: int) ensures g(x) { }")
    new = contract("spec fn g(x: int) -> bool { true } fn f(x: int) ensures g(x) { }")
    assert textual(old, new).kept is True


def test_a_comment_sign_in_a_string_is_no_comment():
    old = contract('fn f(s: &str) requires s == "a // b", true { }')
    new = contract('fn f(s: &str) requires s == "a // c", true { }')
    assert textual(old, new).kept is False


def test_the_reason_names_the_clause():
    answer = textual(contract("fn f(x: u8) requires x > 0 { }"), contract("fn f(x: u8) requires x>1 { }"))
    assert answer.why == "requires `x > 0` reads `x>1` now"
    answer = textual(contract("fn f(x: u8) { }"), contract("fn f(x: u8) requires x > 1 { }"))
    assert answer.why == "requires `x > 1` is new"


def test_attribute_style_contracts():
    text = "#[verus_spec(r => requires x > 0, ensures r > x)] fn f(x: u8) -> u8 { x }"
    assert textual(contract(text, bare=True), contract(text.replace("> 0,", ">0\n,"), bare=True)).kept is True
    assert textual(contract(text, bare=True), contract(text.replace("r > x", "r >= x"), bare=True)).kept is False
    swapped = text.replace("r =>", "x =>").replace("fn f(x", "fn f(r")
    assert textual(contract(text, bare=True), contract(swapped, bare=True)).kept is False
