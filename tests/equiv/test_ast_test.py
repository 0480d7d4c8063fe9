"""The syntax-tree test: what it may not mind, what it must mind, and what it cannot know."""

from __future__ import annotations

import pytest

from equiv.ast_test import ast, syntactic_sameness
from equiv.trees import same_tree
from tests.equiv.helpers import BASE, OTHER_TEXT, SAME_TEXT, contract
from translate import syntax

DEFS = """
    spec fn g(x: u8, n: int) -> bool { h(x) && n < LIMIT }
    spec fn h(x: u8) -> bool { x < 10 }
    spec const LIMIT: int = 16;
    struct S { v: u8 }
    impl View for S { type V = int; spec fn view(&self) -> int { self.v as int } }
    type Small = u8;
    enum Colour { Red, Green }
    macro_rules! big { () => { 100 } }
    spec fn idle() -> int { 1 }
    fn f(x: Small, s: S) -> (r: bool)
        requires g(x, 1), s@ > 0, Colour::Red == Colour::Red, x < big!()
        ensures r
    { true }
"""

SAME_TREE = {
    **SAME_TEXT,
    "parentheses": BASE.replace("x < 10", "((x) < (10))"),
    "a block": BASE.replace("x < 10", "{ { x < 10 } }"),
    "literals": BASE.replace("x < 10", "x < 0x0_a"),
    "a trigger": BASE.replace("0 <= i < a.len() && g(x, 1)", "#![auto] 0 <= i < a.len() && #[trigger] g(x, 1)"),
    "trigger groups": BASE.replace("0 <= i", "#![trigger g(x, 1)] 0 <= i"),
    "ensures first": BASE.replace("requires a.len() > 0, x < 10,", "").replace(
        "!r,", "!r, requires a.len() > 0, x < 10"
    ),
    "clauses in another order": BASE.replace("a.len() > 0, x < 10", "x < 10, a.len() > 0"),
}


@pytest.mark.parametrize("name", SAME_TREE)
def test_same_trees(name):
    answer = ast(contract(BASE), contract(SAME_TREE[name]))
    assert answer.kept is True, answer.why
    assert answer.test == "ast"


@pytest.mark.parametrize("name", OTHER_TEXT)
def test_other_trees(name):
    old, new = contract(BASE), contract(OTHER_TEXT[name])
    assert ast(old, new).kept is False
    assert ast(new, old).kept is False


@pytest.mark.parametrize(
    "change",
    [
        ("x < 10 }", "true }"),
        ("= 16;", "= 17;"),
        ("self.v as int", "1"),
        ("Small = u8", "Small = u16"),
        ("Red, Green", "Red, Green, Blue"),
        ("{ 100 }", "{ 200 }"),
        ("struct S { v: u8 }", "struct S { v: u8, w: u8 }"),
        ("spec fn h(x: u8) -> bool { x < 10 }", "uninterp spec fn h(x: u8) -> bool;"),
        ("spec fn h", "#[verifier::external_body] spec fn h"),
        ("spec fn h(x: u8)", "mod m { spec fn h(x: u8) -> bool { true } } spec fn h(x: u8)"),
        ("spec fn h(x: u8)", "use crate::m::other as h; spec fn k(x: u8)"),
    ],
)
def test_definitions_that_the_contract_reaches(change):
    assert change[0] in DEFS
    old, new = contract(DEFS), contract(DEFS.replace(*change))
    assert ast(old, new).kept is False
    assert ast(new, old).kept is False


@pytest.mark.parametrize(
    "change",
    [
        ("{ x < 10 }", "recommends true decreases x { (x) < 0b1010 }"),
        ("= 16;", "= 0x10;"),
        ("spec fn h", "pub open spec fn h"),
        ("idle() -> int { 1 }", "idle() -> int { 2 }"),
        ("spec fn idle", "proof fn h2() { } spec fn idle"),
        ("struct S", "#[derive(Debug)] pub struct S"),
    ],
)
def test_what_does_not_matter_in_definitions(change):
    assert change[0] in DEFS
    answer = ast(contract(DEFS), contract(DEFS.replace(*change)))
    assert answer.kept is True, answer.why


def test_the_reason_names_the_definition_and_its_place():
    answer = ast(contract(DEFS), contract(DEFS.replace("= 16;", "= 17;")))
    assert answer.why == "`LIMIT` is defined otherwise in the submitted file, at test.rs:4:5"


@pytest.mark.parametrize("spelling", ["#[verifier::external]", "#[verifier(external)]", "#[cfg(any())]"])
def test_attributes_that_take_the_function_away(spelling):
    assert ast(contract(BASE), contract(spelling + BASE)).kept is False


def test_both_spellings_of_an_attribute_are_one():
    old, new = contract("#[verifier::external_body]" + BASE), contract("#[verifier(external_body)]" + BASE)
    assert ast(old, new).kept is True


def test_outside_verus_is_another_interface():
    assert ast(contract("fn f() { }"), contract("fn f() { }", bare=True)).kept is False


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("fn f(x: int) requires x + 1 > 0 { }", "fn f(x: int) requires 1 + x > 0 { }"),
        ("fn f(x: int) requires !(x > 0) { }", "fn f(x: int) requires x <= 0 { }"),
        ("fn f(x: int) requires forall|i: int| i > x { }", "fn f(x: int) requires forall|j: int| j > x { }"),
    ],
)
def test_what_needs_logic_is_beyond_it(old, new):
    assert ast(contract(old), contract(new)).kept is False


def test_deep_trees():
    """The comparison does not recurse: it goes as deep as any tree."""

    def deep(value: int) -> syntax.Expr:
        expr: syntax.Expr = syntax.Literal(syntax.Span(0, 1), "int", value)
        for n in range(50_000):
            expr = syntax.Unary(syntax.Span(n, n + 1), "!", expr)
        return expr

    assert same_tree(deep(1), deep(1))
    assert not same_tree(deep(1), deep(2))


def test_same_tree_on_parts():
    fn = contract(BASE).fn
    assert same_tree(fn, contract(SAME_TREE["parentheses"]).fn.params) is False
    assert same_tree(fn.params, contract(SAME_TREE["parentheses"]).fn.params)
    assert same_tree(None, None)
    assert not same_tree(fn.params, [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SAME_TREE["comments"], "text"),
        (SAME_TREE["parentheses"], "syntax"),
        (SAME_TREE["a trigger"], "syntax"),
        (SAME_TREE["clauses in another order"], None),
        (OTHER_TEXT["requires changed"], None),
    ],
)
def test_syntactic_sameness(text, expected):
    assert syntactic_sameness(contract(BASE), contract(text)) == expected


def test_syntactic_sameness_is_about_the_contract_alone():
    assert syntactic_sameness(contract(DEFS), contract(DEFS.replace("= 16;", "= 17;"))) == "text"
