"""Lemmas are read as statements: gutted ones are not kept, rewritten ones are."""

# ruff: noqa: E501  (tables of programs, a line each)

from __future__ import annotations

import pytest

from equiv.decide import DEFAULT_BUDGET
from equiv.verdict import Verdict
from tests.equiv.test_attacks import cases, explained, judge

INTS = "proof fn f(x: int, y: int, z: int)"
SUM = "spec fn s(n: nat) -> nat decreases n { if n == 0 { 0 } else { n + s((n - 1) as nat) } }"
NAT = f"{SUM} proof fn f(n: nat)"
WORDS = "proof fn f(x: u32, y: u32)"
SEQS = "proof fn f(a: Seq<int>, b: Seq<int>, c: Seq<int>, x: int)"
SETS = "proof fn f(a: Set<int>, b: Set<int>)"
FORMULA = "s(n) == n * (n + 1) / 2"

#: signature, old conclusion, new conclusion
GUTTED: list[tuple[str, str, str]] = [
    (INTS, "x * y == y * x", "true"),
    (INTS, "x * y == y * x", ""),
    (INTS, "x * y == y * x", "x * y == x * y"),
    (INTS, "x * y == y * x", "x * z == z * x"),
    (INTS, "x * y == y * x", "0 * y == y * 0"),
    (INTS, "x * y == y * x", "x > 0 ==> x * y == y * x"),
    (INTS, "x * (y + z) == x * y + x * z", "x * (y + z) == x * (y + z)"),
    (INTS, "forall|k: int| 0 <= k < x ==> k * k >= k", "forall|k: int| 0 < k < 0 ==> k * k >= k"),
    (INTS, "forall|k: int| 0 <= k < x ==> k * k >= k", "forall|k: int| 0 <= k < x - 1 ==> k * k >= k"),
    (INTS, "forall|k: int| k * k >= k", "forall|k: int| k > 3 ==> k * k >= k"),
    (INTS, "exists|k: int| k * k >= x", "exists|k: int| k * k >= x - 1"),
    (INTS, "x > 0 ==> x * x > 0", "x > 5 ==> x * x > 0"),
    (INTS, "x > 0 ==> x * x > 0", "x < 0 ==> x * x > 0"),
    (INTS, "x + y == y + x", "true"),
    (INTS, "x < x + 1", "x <= x"),
    (INTS, "x < x + 1", "0 < 1"),
    (INTS, "x * x >= 0, y * y >= 0", "x * x >= 0"),
    (INTS, "x * x >= 0, y * y >= 0", "x * x >= 0 || y * y >= 0"),
    (INTS, "x * x >= 0, y * y >= 0", "x * x >= 0, x * x >= 0"),
    (INTS, "x % 2 == 0 || x % 2 == 1", "true"),
    (INTS, "x % 2 == 0 || x % 2 == 1", "x % 2 <= 1"),
    (INTS, "x < y || x >= y", "true"),
    (NAT, FORMULA, "true"),
    (NAT, FORMULA, "s(n) >= n"),
    (NAT, FORMULA, "s(n) <= n * (n + 1) / 2"),
    (NAT, FORMULA, f"n < 1000 ==> {FORMULA}"),
    (NAT, FORMULA, f"{FORMULA} ==> {FORMULA}"),
    (NAT, FORMULA, f"n == n + 1 ==> {FORMULA}"),
    (WORDS, "x & 1 == x % 2", "x & 1 <= 1"),
    (WORDS, "x & y <= x", "true"),
    (WORDS, "x & y <= x", "x & y <= x || x == 0"),
    (SEQS, "(a + b) + c == a + (b + c)", "(a + b) + c == (a + b) + c"),
    (SEQS, "(a + b) + c == a + (b + c)", "((a + b) + c).len() == (a + (b + c)).len()"),
    (SEQS, "a.push(x).len() == a.len() + 1", "a.push(x).len() > a.len()"),
    (SETS, "a.union(b) == b.union(a)", "a.union(b) == a.union(b)"),
    (SETS, "a.subset_of(a.union(b))", "a.subset_of(a)"),
]  # fmt: skip

REWRITTEN: list[tuple[str, str, str]] = [
    (INTS, "x * y == y * x", "y * x == x * y"),
    (INTS, "x * (y + z) == x * y + x * z", "x * (z + y) == x * z + x * y"),
    (INTS, "x * (y + z) == x * y + x * z", "x * (y + z) - x * y == x * z"),
    (INTS, "forall|k: int| k * k >= k", "forall|m: int| m <= m * m"),
    (INTS, "x + y == y + x", "y + x == x + y"),
    (INTS, "x < x + 1", "x + 1 > x"),
    (INTS, "x < x + 1", "!(x >= x + 1)"),
    (INTS, "x * x >= 0, y * y >= 0", "x * x >= 0 && y * y >= 0"),
    (INTS, "x % 2 == 0 || x % 2 == 1", "x % 2 != 0 ==> x % 2 == 1"),
    (INTS, "x < y || x >= y", "x < y || y <= x"),
    (INTS, "x * x >= 0", "x * x < 0 ==> false"),
    (NAT, FORMULA, "n * (n + 1) / 2 == s(n)"),
    (NAT, FORMULA, "s(n) == (n + 1) * n / 2"),
    (NAT, FORMULA, "2 * s(n) == n * (n + 1)"),
    (WORDS, "(x & 1 == 1) <==> x % 2 == 1", "x % 2 == 1 <==> x & 1 == 1"),
    (WORDS, "x & y <= x", "y & x <= x"),
    (SEQS, "(a + b) + c == a + (b + c)", "a + (b + c) =~= (a + b) + c"),
    (SEQS, "a.push(x).len() == a.len() + 1", "a.len() + 1 == a.push(x).len()"),
    (SETS, "a.union(b) == b.union(a)", "b.union(a) == a.union(b)"),
    (SETS, "a.subset_of(a.union(b))", "a.subset_of(b.union(a))"),
]  # fmt: skip


def lemma(signature: str, ensures: str, requires: str = "") -> str:
    return f"{signature} {f'requires {requires}' if requires else ''} {f'ensures {ensures}' if ensures else ''} {{ }}"


def label(case: tuple[str, str, str]) -> str:
    return f"{case[1]} -> {case[2] or 'nothing'}"


GUTTED_BY_NAME = {label(c): c for c in GUTTED}
REWRITTEN_BY_NAME = {label(c): c for c in REWRITTEN}
OPEN: dict[str, str] = {}


@pytest.mark.parametrize("name", cases(GUTTED_BY_NAME, OPEN))
def test_gutted_lemma_is_not_kept(name: str) -> None:
    signature, old, new = GUTTED_BY_NAME[name]
    report = judge(lemma(signature, old), lemma(signature, new))
    assert report.kept() is not True, explained(report)


@pytest.mark.parametrize("name", cases(REWRITTEN_BY_NAME, OPEN))
def test_rewritten_lemma_is_kept(name: str) -> None:
    signature, old, new = REWRITTEN_BY_NAME[name]
    report = judge(lemma(signature, old), lemma(signature, new), budget=DEFAULT_BUDGET)
    assert report.kept() is True, explained(report)


def test_stating_nothing_is_refuted_with_that_reason() -> None:
    report = judge(lemma(INTS, "x * y == y * x"), lemma(INTS, "true"))
    (target,) = report.targets
    assert target.verdict is Verdict.WEAKENED
    assert [r.code for r in target.reasons] == ["ensures-weakened"]
    assert [o.method for o in target.obligations if o.clause and o.clause.side == "original"] == ["statement"]


@pytest.mark.parametrize(("old", "new"), [("x < y, z > 0", "x < y, z > 1"), ("x < y, z > 0", "x < y, z > 0, x == y")])
def test_a_lemma_that_asks_more_is_not_kept(old: str, new: str) -> None:
    report = judge(lemma(INTS, "x * z < y * z", old), lemma(INTS, "x * z < y * z", new))
    assert report.kept() is False, explained(report)


SQUARES = "x * x == y * y"


@pytest.mark.parametrize(
    ("ensures", "requires"),
    [
        ("x == y || x == -y", f"{SQUARES}, x == y || x == -y"),  # what was to be shown is asked for
        (SQUARES, "x == y || x == -y"),  # premise and conclusion have changed places
    ],
)
def test_a_lemma_that_asks_for_what_it_was_to_show_is_weakened(ensures: str, requires: str) -> None:
    report = judge(lemma(INTS, "x == y || x == -y", SQUARES), lemma(INTS, ensures, requires), budget=DEFAULT_BUDGET)
    assert report.kept() is False, explained(report)


def test_a_premise_that_is_a_theorem_is_not_kept_for_that() -> None:
    report = judge(lemma(INTS, "x * y == y * x"), lemma(INTS, "x * y == y * x", "x * y == y * x"))
    assert report.kept() is False, explained(report)


@pytest.mark.parametrize("requires", ["y > x, z > 0", "x < y, z >= 1", "z > 0 && x < y", "!(x >= y), z > 0, z != 0"])
def test_premises_in_other_words_are_kept(requires: str) -> None:
    report = judge(lemma(INTS, "x * z < y * z", "x < y, z > 0"), lemma(INTS, "x * z < y * z", requires))
    assert report.kept() is True, explained(report)


@pytest.mark.parametrize(
    "definition",
    ["spec fn ok(n: nat) -> bool { true }", "spec fn ok(n: nat) -> bool decreases n { if n == 0 { true } else { ok((n - 1) as nat) } }"],
)
def test_a_conclusion_hidden_behind_a_definition_that_says_nothing(definition: str) -> None:
    report = judge(lemma(NAT, "s(n) <= n * n + 1"), lemma(f"{definition} {NAT}", "ok(n)"))
    assert report.kept() is not True, explained(report)


def test_a_conclusion_behind_its_definition_is_stated() -> None:
    report = judge(lemma(NAT, "s(n) <= n * n + 1"), lemma(f"spec fn ok(n: nat) -> bool {{ s(n) <= n * n + 1 }} {NAT}", "ok(n)"))
    assert report.kept() is True, explained(report)


def test_a_result_makes_it_a_witness_and_no_statement() -> None:
    report = judge("proof fn f(x: int) -> (r: int) ensures r * 2 == x + x { x }", "proof fn f(x: int) -> (r: int) ensures r == x { x }")
    assert report.kept() is True, explained(report)
