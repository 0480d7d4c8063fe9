"""Premises at the goal's own variables: what is opened, and that nothing is proved that does not follow."""

from __future__ import annotations

import pytest

from equiv.decide import Decider
from equiv.matching import matched
from equiv.normal import Normalizer
from equiv.verdict import Answer
from tests.equiv.test_normal import prop
from translate import terms as tm

FOLLOWS = [
    ("forall|i: int| 0 <= i < x ==> s[i] > 0", "forall|i: int| 0 <= i < x ==> s[i] >= 0"),
    ("y == 0 ==> forall|i: int| g(i)", "forall|i: int| y != 0 || g(i)"),
    ("exists|i: int, j: int| i < j && s[i] == j", "exists|a: int, b: int| a <= b && s[a] == b"),
    ("exists|i: int| i > x && forall|k: int| k < i ==> g(k)", "exists|i: int| i >= x && forall|k: int| k < i ==> g(k)"),
    ("forall|i: int| g(i + 1)", "forall|i: int| g(i)"),
]

DOES_NOT_FOLLOW = [
    ("forall|i: int| 0 <= i < x ==> s[i] > 0", "forall|i: int| 0 <= i <= x ==> s[i] > 0"),
    ("exists|i: int| g(i)", "forall|i: int| g(i)"),
    ("exists|i: int, j: int| i < j && s[i] == j", "exists|a: int, b: int| a < b && s[b] == a"),
    ("y == 0 ==> forall|i: int| g(i)", "forall|i: int| g(i)"),
    ("forall|i: int| g(2 * i)", "forall|i: int| g(i)"),
]


def question(premise: str, goal: str) -> tuple[list[tm.Term], tm.Term]:
    normal = Normalizer()
    return normal.conjuncts(prop(premise)), normal.normal(prop(goal))


@pytest.mark.parametrize(("premise", "goal"), FOLLOWS)
def test_decides_without_quantifiers(premise: str, goal: str) -> None:
    found = matched(*question(premise, goal))
    assert found is not None
    assert not any(s.op in ("forall", "exists") for t in (*found.given, found.goal) for s in tm.subterms(t))
    decision = Decider().implied([prop(premise)], prop(goal), tm.free_variables(prop(premise)))
    assert decision.answer is Answer.PROVED


@pytest.mark.parametrize(("premise", "goal"), DOES_NOT_FOLLOW)
def test_proves_nothing_else(premise: str, goal: str) -> None:
    decision = Decider(600_000).implied([prop(premise)], prop(goal), tm.free_variables(prop(premise)))
    assert decision.answer is not Answer.PROVED


def test_nothing_to_match() -> None:
    assert matched(*question("x > 0", "y > 0")) is None
    assert matched(*question("forall|i: int| g(i)", "y > 0")) is None
