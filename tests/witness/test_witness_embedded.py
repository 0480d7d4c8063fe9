"""The embedded verifier: what it proves, what it refutes and with what, and what it leaves open."""

from __future__ import annotations

import pytest

from equiv.verdict import Answer
from tests.witness.witness_made import CLAMP, HEAD, TICK, file_with, opened
from witness.contract import WitnessError, open_function, working
from witness.embedded import Verifier
from witness.language import read_expression

SUM = file_with(
    "pub fn sum(v: &Vec<u8>) -> (r: u64)",
    "    requires v@.len() <= 0xffff_ffff,\n    ensures r {} total(v@),",
    before="""
pub open spec fn total(s: Seq<u8>) -> int
    decreases s.len(),
{
    if s.len() == 0 { 0 } else { total(s.drop_last()) + s.last() }
}
""",
)


def verified(text: str, function: str, expression: str, budget: int = 600_000):
    with working():
        o = opened(text, function)
        return Verifier(o, budget).verify(read_expression(expression, o))


@pytest.mark.parametrize(
    "expression",
    [
        "if x <= TOP { x } else { TOP }",
        "x.min(9)",
        "if x > 9 { 9 } else { x }",
        "x.clamp(0, TOP)",
        "match x { 0..=8 => x, _ => 9 }",
    ],
)
def test_right_expressions_are_proved(expression: str) -> None:
    found = verified(CLAMP, "clamp", expression)
    assert found.answer is Answer.PROVED
    assert [p.kind for p in found.parts].count("ensures") == 3


@pytest.mark.parametrize(
    ("expression", "broken"),
    [
        ("9", "fails: x <= TOP ==> r == x"),
        ("x", "fails: r <= TOP"),
        ("0", "fails: x <= TOP ==> r == x"),
        ("x + 1", "panics: overflow"),
        ("9 / x", "panics: division by zero"),
        ("x.checked_sub(1).unwrap()", "panics: unwrap of None"),
        ("1 << x", "panics: shift count out of range"),
        ("x as u8 as u32", "fails: r <= TOP"),
        ("x.clamp(x, 3)", "panics: clamp"),
    ],
)
def test_a_refutation_is_an_input_and_what_happens_there(expression: str, broken: str) -> None:
    found = verified(CLAMP, "clamp", expression)
    assert found.answer is Answer.REFUTED
    assert found.point is not None and found.inputs is not None
    assert found.point.broken.startswith(broken)
    assert [name for name, _ in found.point.inputs] == ["x"]


def test_what_rust_decides_and_verus_does_not_is_refuted_by_running() -> None:
    # `300 as u8` is 44 in Rust; to Verus it is some u8. The run shows a clause broken, whatever the solver's model says.
    found = verified(CLAMP, "clamp", "(x as u8).min(9) as u32")
    assert found.answer is Answer.REFUTED
    assert found.point is not None and "run as Rust runs it" in found.point.confirmed


def test_a_cast_that_does_not_fit_proves_nothing() -> None:
    text = file_with("pub fn f(x: u32) -> (r: u8)", "    ensures x < 300 ==> r == x % 256,")
    found = verified(text, "f", "x as u8")
    assert found.answer is Answer.UNKNOWN  # true of Rust; Verus leaves the value open, so nothing is refuted either
    narrow = file_with("pub fn f(x: u32) -> (r: u8)", "    requires x < 256,\n    ensures r == x,")
    assert verified(narrow, "f", "x as u8").answer is Answer.PROVED


def test_the_precondition_counts() -> None:
    assert verified(HEAD, "smallest", "v[0]").point is not None
    indexed = file_with("pub fn f(v: &Vec<u8>) -> (r: u8)", "    requires v@.len() > 2,\n    ensures r == v@[2],")
    assert verified(indexed, "f", "v[2]").answer is Answer.PROVED
    found = verified(indexed, "f", "v[3]")
    assert found.answer is Answer.REFUTED and found.point is not None and "index" in found.point.broken


def test_mutable_parameters_keep_their_values() -> None:
    found = verified(TICK, "tick", "*n")
    assert found.answer is Answer.REFUTED
    assert found.point is not None and found.point.broken == "fails: *final(n) == *old(n) + 1"
    same = file_with("pub fn f(v: &mut Vec<u8>)", "    ensures final(v)@.len() == old(v)@.len(),")
    assert verified(same, "f", "()").answer is Answer.PROVED


def test_recursion_is_refused() -> None:
    found = verified(CLAMP, "clamp", "clamp(x)")
    assert found.answer is Answer.REFUTED and "calls itself" in found.reason
    measured = CLAMP.replace("        x > TOP ==> r == TOP,\n", "        x > TOP ==> r == TOP,\n    decreases x,\n")
    assert verified(measured, "clamp", "clamp(x)").answer is Answer.UNKNOWN


def test_collections() -> None:
    pair = file_with("pub fn f(a: u8, b: u8) -> (r: Vec<u8>)", "    ensures r@ == seq![a, b],")
    assert verified(pair, "f", "[a, b].to_vec()").answer is Answer.PROVED
    assert verified(pair, "f", "[b, a].to_vec()").answer is Answer.REFUTED
    assert verified(pair, "f", "Vec::new()").answer is Answer.REFUTED
    copy = file_with("pub fn f(v: &Vec<u8>) -> (r: Vec<u8>)", "    ensures r@ == v@,")
    assert verified(copy, "f", "v.clone()").answer is Answer.PROVED
    equal = file_with("pub fn f(v: &Vec<u8>) -> (r: Vec<u8>)", "    ensures r == *v,")
    assert verified(equal, "f", "v.clone()").answer is Answer.UNKNOWN  # a Vec has a hidden rest in Verus's logic


@pytest.mark.parametrize(("relation", "expression"), [("<=", "0"), (">=", "u64::MAX"), (">=", "v.len() as u64 * 255")])
def test_lemmas_by_induction(relation: str, expression: str) -> None:
    found = verified(SUM.replace("{}", relation, 1), "sum", expression)
    assert found.answer is Answer.PROVED
    assert any("lemmas by induction" in p.method and "total" in p.method for p in found.parts)


def test_a_lemma_is_proved_before_it_is_used() -> None:
    signed = SUM.replace("{}", "<=", 1).replace("Vec<u8>", "Vec<i8>").replace("Seq<u8>", "Seq<i8>").replace("u64", "i64")
    assert verified(signed, "sum", "0").answer is Answer.REFUTED
    assert verified(signed, "sum", "v.len() as i64 * -128").answer is Answer.PROVED


def test_what_is_not_shown_to_end_proves_nothing() -> None:
    bad = file_with(
        "pub fn f(x: u8) -> (r: u8)",
        "    ensures r == x + 1 || odd(x as int) == 0,",
        before="pub open spec fn odd(n: int) -> int\n    decreases n,\n{\n    odd(n) + 1\n}\n",
    )
    with working():
        verifier = Verifier(opened(bad, "f"), 300_000)
        assert [s.name for s in verifier.decider.distrusted] == ["odd"]
    assert verified(bad, "f", "x").answer is not Answer.PROVED


def test_terms_for_what_exists() -> None:
    text = file_with(
        "pub fn f(v: &Vec<u8>) -> (r: u8)",
        "    requires v@.len() > 0,\n"
        "    ensures exists|i: int, j: int| 0 <= i <= j < v@.len() && r == v@[i] && #[trigger] near(i, j),",
        before="pub open spec fn near(i: int, j: int) -> bool {\n    j - i < 2\n}\n",
    )
    assert verified(text, "f", "v[0]").answer is Answer.PROVED


def test_a_word_is_32_or_64_bits() -> None:
    text = file_with("pub fn f(n: usize) -> (r: u64)", "    ensures r == n,")
    assert verified(text, "f", "n as u64").answer is Answer.PROVED
    sum_ = file_with("pub fn f(n: u32) -> (r: usize)", "    ensures r == n + 1,")
    assert verified(sum_, "f", "n as usize + 1").answer is not Answer.PROVED  # u32::MAX + 1 does not fit into 32 bits
    fixed = sum_.replace("verus! {", "verus! {\n\nglobal size_of usize == 8;\n", 1)
    assert verified(fixed, "f", "n as usize + 1").answer is Answer.PROVED


def test_answers_do_not_depend_on_what_ran_before() -> None:
    first = verified(HEAD, "smallest", "v[0]")
    verified(CLAMP, "clamp", "x")
    assert verified(HEAD, "smallest", "v[0]") == first


@pytest.mark.parametrize(
    ("text", "function", "words"),
    [
        (CLAMP, "nothing", "no function `nothing`; executable functions: clamp, main"),
        (CLAMP.replace("pub fn clamp", "pub proof fn clamp"), "clamp", "a witness is a program"),
        (CLAMP.replace("{\n    if x <= TOP { x } else { TOP }\n}", ";"), "clamp", "no body"),
        (CLAMP.replace("r <= TOP,", "r <= TOP +,", 1), "clamp", "made.rs:10:"),
        (CLAMP.replace("r <= TOP,", "r <= |x: u8|,", 1), "clamp", "made.rs:10:"),
    ],
)
def test_files_that_cannot_be_opened(text: str, function: str, words: str) -> None:
    with working(), pytest.raises(WitnessError, match=r"made\.rs") as caught:
        open_function("made.rs", text, function)
    assert words in str(caught.value)
