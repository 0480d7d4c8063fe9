"""`macro_rules!` in specifications: expansion, repetition, nesting, hygiene, and what is refused."""



from __future__ import annotations

import pytest

from tests.translate.elaboration import contract, same_terms
from translate.elaborate.inference import Unsupported


@pytest.mark.parametrize(
    ("macro", "call", "meaning"),
    [
        ("($a:expr, $b:expr) => { $a + $b }", "m!(x, 2)", "x + 2"),
        ("($a:expr) => { $a * 2 }", "m!(x + 1)", "(x + 1) * 2"),  # an expression stays one
        ("($($a:expr),*) => { true $(&& $a > 0)* }", "m!(x, x + 1)", "true && x > 0 && x + 1 > 0"),
        ("($($a:expr),* $(,)?) => { [$($a),*]@.len() }", "m!(x, x,)", "[x, x]@.len()"),
        ("(zero) => { 0 }; (one) => { 1 }", "m!(one)", "1"),
        ("($a:ident) => { $a + 1 }", "m!(x)", "x + 1"),
        ("($t:ty, $a:expr) => { $a as $t }", "m!(u8, x)", "x as u8"),
        ("($a:literal) => { $a }", "m!(7)", "7"),
        ("($($k:expr => $v:expr);*) => { map![$($k => $v),*][1] }", "m!(1int => 2int; 3 => 4)", "map![1int => 2int, 3 => 4][1]"),
        ("($a:expr) => { forall|i: int| 0 <= i < $a ==> i < 9 }", "m!(x)", "forall|i: int| 0 <= i < x ==> i < 9"),
        ("($a:tt) => { $a }", "m!((x + 1))", "(x + 1)"),
    ],
)
def test_expansion(macro: str, call: str, meaning: str) -> None:
    text = "uninterp spec fn p<T>(t: T) -> bool; macro_rules! m {{ {} }} proof fn f(x: int) ensures p({}) {{}}"
    assert same_terms(text.format(macro, call), text.format(macro, meaning))


def test_macros_that_call_macros() -> None:
    text = "macro_rules! two {{ ($a:expr) => {{ $a + $a }} }} macro_rules! four {{ ($a:expr) => {{ two!(two!($a)) }} }}"
    text += " proof fn f(x: int) ensures {} == 4 {{}}"
    assert same_terms(text.format("four!(x)"), text.format("((x + x) + (x + x))"))


@pytest.mark.parametrize(
    ("macro", "call"),
    [
        ("($e:expr) => { forall|i: int| 0 <= i < 10 ==> $e > i }", "m!(i)"),  # the macro's `i` would capture the argument
        ("($e:expr) => { $e > i }", "m!(3)"),  # the macro's `i` is not the parameter
        ("($e:expr) => { { let i = 3int; $e > 2 } }", "m!(i)"),
        ("($e:expr) => { match Some(3int) { Some(i) => $e > 2, None => true } }", "m!(i)"),
        ("($e:expr) => { m!($e) }", "m!(3)"),  # for ever
        ("($a:expr, $b:expr) => { $a }", "m!(3)"),  # no rule fits
        ("($e:expr) => { $x }", "m!(3)"),
        ("($e:block) => { true }", "m!({ true })"),
    ],
)
def test_what_is_refused(macro: str, call: str) -> None:
    text = f"macro_rules! m {{ {macro} }} proof fn f(i: int) ensures {call} {{}}"
    with pytest.raises(Unsupported) as caught:
        contract(text)
    assert "macro" in caught.value.construct or "m!" in caught.value.construct


def test_a_changed_macro_is_a_changed_contract() -> None:
    text = "macro_rules! m {{ ($a:expr) => {{ $a > {} }} }} proof fn f(x: int) ensures m!(x) {{}}"
    assert same_terms(text.format(3), text.format(3))
    assert not same_terms(text.format(3), text.format(4))


def test_a_macro_of_an_unknown_crate_is_refused() -> None:
    with pytest.raises(Unsupported, match="macro `other!`"):
        contract("proof fn f(x: int) ensures other!(x) {}")


def test_verus_macros_around_an_expression_are_read_through() -> None:
    assert same_terms("proof fn f(x: int) ensures verus_proof_expr!{ x > 3 } {}", "proof fn f(x: int) ensures x > 3 {}")
