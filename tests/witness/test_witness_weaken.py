"""Weakened contracts: each rule, the text it leaves, and what still speaks of the output."""

from __future__ import annotations

import pytest

from tests.witness.witness_made import CLAMP, file_with, opened
from witness.contract import working
from witness.model import OmissionKind
from witness.weaken import RULES, Weakening, weakenings


def made(signature: str, ensures: str, before: str = "") -> list[Weakening]:
    text = file_with(signature, f"    ensures\n        {ensures},", before)
    with working():
        return list(weakenings(opened(text, "f")))


def changes(found: list[Weakening], rule: str) -> list[tuple[str, str]]:
    return [(w.omission.clause, w.omission.becomes) for w in found if w.omission.rule == rule]


@pytest.mark.parametrize(
    ("signature", "ensures", "rule", "wanted"),
    [
        ("pub fn f(x: u8) -> (r: u8)", "r == x", "equality-to-bound", [("r == x", "(r) <= (x)"), ("r == x", "(r) >= (x)")]),
        (
            "pub fn f(x: u8) -> (r: bool)",
            "r <==> x > 1",
            "equivalence-to-implication",
            [("r <==> x > 1", "((r) ==> (x > 1))"), ("r <==> x > 1", "((x > 1) ==> (r))")],
        ),
        (
            "pub fn f(x: u8) -> (r: bool)",
            "r == (x > 1)",
            "equivalence-to-implication",
            [("r == (x > 1)", "((r) ==> (x > 1))"), ("r == (x > 1)", "((x > 1) ==> (r))")],
        ),
        (
            "pub fn f(x: u8) -> (r: Vec<u8>)",
            "r@ == seq![x]",
            "equality-to-length",
            [("r@ == seq![x]", "(r@).len() == (seq![x]).len()")],
        ),
        ("pub fn f(x: u8) -> (r: Option<u8>)", "r == Some(x)", "equality-to-variant", [("r == Some(x)", "(r) is Some")]),
        (
            "pub fn f(x: u8) -> (r: (u8, u8))",
            "r == (x, x)",
            "equality-to-component",
            [("r == (x, x)", "(r).0 == (x)"), ("r == (x, x)", "(r).1 == (x)")],
        ),
        ("pub fn f(x: u8) -> (r: u8)", "1 <= r <= x", "link-dropped", [("1 <= r <= x", "r <= x"), ("1 <= r <= x", "1 <= r")]),
        ("pub fn f(x: u8) -> (r: u8)", "r > 1 && r < x", "conjunct-dropped", [("r > 1", "true"), ("r < x", "true")]),
        ("pub fn f(x: u8) -> (r: u8)", "({ &&& r > 1 &&& r < x })", "conjunct-dropped", [("r > 1", "true"), ("r < x", "true")]),
        (
            "pub fn f(x: u8) -> (r: Option<u8>)",
            "match r { Some(y) => y < x, None => x == 0 }",
            "case-dropped",
            [("y < x", "true"), ("x == 0", "true")],
        ),
        (
            "pub fn f(x: u8) -> (r: u8)",
            "if x > 1 { r > 0 } else { r == 0 }",
            "case-dropped",
            [("r > 0", "true"), ("r == 0", "true")],
        ),
        (
            "pub fn f(v: &Vec<u8>) -> (r: u8)",
            "r > 0, forall|i: int| 0 <= i < v@.len() ==> r <= v@[i]",
            "extremality-dropped",
            [("forall|i: int| 0 <= i < v@.len() ==> r <= v@[i]", "")],
        ),
        ("pub fn f(x: u8) -> (r: u8)", "r > 0, r < x", "clause-dropped", [("r > 0", ""), ("r < x", "")]),
    ],
)  # fmt: skip
def test_rules(signature: str, ensures: str, rule: str, wanted: list[tuple[str, str]]) -> None:
    assert changes(made(signature, ensures), rule) == wanted


def test_every_rule_is_named() -> None:
    found = {w.omission.rule for w in made("pub fn f(x: u8) -> (r: (u8, bool))", "r.0 == x, r.1 <==> x > 1 && r.0 < 9")}
    assert found <= set(RULES)


@pytest.mark.parametrize("op", ["||", "!"])
def test_negative_places_are_left_alone(op: str) -> None:
    clause = "!(r > 1 && r < x)" if op == "!" else "(r > 1 && r < x) ==> x == 3"
    assert changes(made("pub fn f(x: u8) -> (r: u8)", clause), "conjunct-dropped") == []


def test_below_quantifiers_and_implications() -> None:
    clause = "x > 1 ==> forall|i: u8| i < r ==> exists|k: u8| k == i && k < x"
    assert changes(made("pub fn f(x: u8) -> (r: u8)", clause), "conjunct-dropped") == [("k == i", "true"), ("k < x", "true")]


def test_kinds_are_read_off_the_contract() -> None:
    found = made("pub fn f(x: u8) -> (r: u8)", "r > 0, r < x, x > 1")
    kinds = {(w.omission.rule, w.omission.clause): w.omission.kind for w in found}
    assert kinds["output-relation-dropped", "r > 0; r < x; x > 1"] is OmissionKind.TOTAL
    assert kinds["clause-dropped", "r > 0"] is OmissionKind.RESIDUAL
    only = made("pub fn f(x: u8) -> (r: u8)", "r > 0, x > 1")
    assert next(w for w in only if w.omission.rule == "clause-dropped").omission.kind is OmissionKind.TOTAL


def test_texts_differ_in_the_contract_only() -> None:
    with working():
        o = opened(CLAMP, "clamp")
        found = {w.omission.clause: w.text for w in weakenings(o) if w.omission.rule == "clause-dropped"}
    assert found["x <= TOP ==> r == x"] == CLAMP.replace("        x <= TOP ==> r == x,\n", "")
    assert found["r <= TOP"] == CLAMP.replace("        r <= TOP,\n", "")


def test_the_last_clause_takes_its_keyword_along() -> None:
    text = file_with("pub fn f(x: u8) -> (r: u8)", "    ensures\n        r == x,")
    with working():
        total = next(weakenings(opened(text, "f")))
    assert "ensures" not in total.text
    assert total.text.replace(" ", "").replace("\n", "") == text.replace("ensures", "").replace("r == x,", "").replace(
        " ", ""
    ).replace("\n", "")


def test_returns_is_a_clause_too() -> None:
    text = file_with("pub fn f(x: u8) -> u8", "    returns\n        x,")
    with working():
        (total,) = list(weakenings(opened(text, "f")))
    assert total.omission.kind is OmissionKind.TOTAL and "returns" not in total.text


def test_no_postcondition_no_weakening() -> None:
    with working():
        assert list(weakenings(opened(file_with("pub fn f(x: u8) -> (r: u8)"), "f"))) == []
        only_inputs = file_with("pub fn f(x: u8) -> (r: u8)", "    ensures x >= 0,")
        assert list(weakenings(opened(only_inputs, "f"))) == []


def test_what_another_type_would_need_is_left_out() -> None:
    found = made("pub fn f(x: u8) -> (r: u8)", "r == x")
    assert {w.omission.rule for w in found} == {"output-relation-dropped", "equality-to-bound"}
