"""The clause-subset test, strict and naive."""

from __future__ import annotations

import pytest

from equiv.subset import subset_naive, subset_strict
from tests.equiv.helpers import BASE, SAME_TEXT, contract

TEXT = "fn f(x: u8) -> (r: u8) requires x > 0, x < 9 ensures r > 1, r < 7 { 2 }"


@pytest.mark.parametrize("name", SAME_TEXT)
def test_layout_does_not_matter(name):
    old, new = contract(BASE), contract(SAME_TEXT[name])
    assert subset_strict(old, new).kept is True
    assert subset_naive(old, new).kept is True


@pytest.mark.parametrize(
    ("change", "strict", "naive"),
    [
        (("r < 7", "r < 7, r != 3"), True, True),  # more is promised
        (("r > 1, r < 7", "r < 7, r > 1"), True, True),
        (("x > 0, x < 9", "x < 9, x > 0, x < 9"), True, True),  # as sets
        (("r > 1, ", ""), False, False),
        (("r > 1", "r >= 2"), False, False),  # the same in other words: not verbatim
        (("x > 0, ", ""), False, False),  # accepts more
        (("x < 9", "x < 9, x < 1"), False, True),  # never callable: fools the naive form
        (("x < 9", "x < 9, false"), False, True),
        (("x: u8", "x: u16"), False, True),  # the naive form does not look at the signature
        (("ensures r > 1", "requires r > 1 ensures true"), False, True),  # nor at the kind of the clause
        (("ensures r > 1, r < 7", ""), False, False),
    ],
)
def test_changes(change, strict, naive):
    assert change[0] in TEXT
    old, new = contract(TEXT), contract(TEXT.replace(*change))
    assert subset_strict(old, new).kept is strict
    assert subset_naive(old, new).kept is naive


def test_returns_is_no_ensures():
    old, new = contract("fn f() -> bool returns true { true }"), contract("fn f() -> bool ensures true { true }")
    assert subset_strict(old, new).kept is False
    assert subset_naive(old, new).kept is False


def test_reasons_and_names():
    old = contract(TEXT)
    answer = subset_strict(old, contract(TEXT.replace("x < 9", "x < 9, false")))
    assert (answer.test, answer.why) == ("subset-strict", "requires `false` is new")
    answer = subset_naive(old, contract(TEXT.replace("r > 1, ", "")))
    assert (answer.test, answer.why) == ("subset-naive", "`r > 1` no longer stands")
