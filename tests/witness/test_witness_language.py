"""The language of candidates: what is allowed, what is refused and how the refusal reads."""

from __future__ import annotations

import pytest

from tests.witness.witness_made import CLAMP, HEAD, TICK, file_with, opened
from witness.contract import working
from witness.expressions import size, to_rust
from witness.language import LONGEST, NotAllowed, explain, read_expression

ENUMS = file_with(
    "pub fn f(d: Door, o: Option<u8>, t: (u8, bool), p: &Point, c: char, v: &[u8]) -> (r: i64)",
    before="""
pub enum Door { Open, Shut(u8), Bolted { code: u16, twice: bool } }
pub struct Point { pub x: i32, pub y: i32 }
pub const LIMIT: u8 = 7;
pub spec const GHOSTLY: u8 = 7;
pub trait Odd { fn is_empty(&self) -> bool; }
pub spec fn twice(x: int) -> int { 2 * x }
""",
)


def read(expression: str, text: str = ENUMS, function: str = "f"):
    return read_expression(expression, opened(text, function))


def refused(expression: str, text: str = ENUMS, function: str = "f") -> str:
    with working(), pytest.raises(NotAllowed) as caught:
        read(expression, text, function)
    return explain(expression, caught.value)


@pytest.mark.parametrize(
    ("expression", "nodes"),
    [
        ("0", 1),
        ("-1", 1),
        ("(1 + 2 * 3)", 5),
        ("p.x as i64", 3),
        ("t.0 as i64", 3),
        ("v.len() as i64", 3),
        ("(v[0] as i64) << 2", 6),
        ("if t.1 { 1 } else { 0 }", 5),
        ("if let Some(x) = o { x as i64 } else { 0 }", 5),
        ("match o { Some(3) => 1, Some(_) => 2, None => 3 }", 5),
        ("match d { Door::Open => 0, Door::Shut(n) => n as i64, Door::Bolted { code, .. } => code as i64 }", 7),
        ("match c { 'a'..='f' => 1, 'x' | 'y' => 2, _ => 3 }", 5),
        ("match (o, t.1) { (Some(x), true) => x as i64, _ => 0 }", 8),
        ("LIMIT as i64", 2),
        ("u8::MAX as i64", 2),
        ("o.unwrap_or(0) as i64", 4),
        ("v.first().copied().is_some() as i64", 5),
        ("v.contains(&3) as i64", 4),
        ("c.is_ascii_digit() as i64", 3),
        ("1i64.max(2)", 3),
        ("(v.len() as i64).abs_diff(3) as i64", 6),
        ("p.x.checked_add(1).unwrap_or(0) as i64", 7),
        ("*&p.x as i64", 3),
        ("{ { 3 } }", 1),
        ("b'a' as i64", 2),
        ("'a' as u32 as i64", 3),
        ("(o == None) as i64", 4),
        ("(3 < v.len() && v[3] == 1) as i64", 11),
        ("0 // a remark", 1),
    ],
)
def test_allowed(expression: str, nodes: int) -> None:
    with working():
        tree = read(expression)
        assert size(tree) == nodes
        again = read(to_rust(tree))
        assert to_rust(again) == to_rust(tree)


@pytest.mark.parametrize(
    ("expression", "place", "words"),
    [
        ("", "1:1", "empty"),
        ("loop {}", "1:1", "a loop"),
        ("while t.1 { }", "1:1", "a loop"),
        ("return 0", "1:1", "a jump"),
        ("{ let x = 1; x }", "1:3", "statements"),
        ("let x = 1; x", "1:10", "one expression and nothing else"),
        ("0;", "1:2", "one expression and nothing else"),
        ("unsafe { 0 }", "1:1", "`unsafe`"),
        ('println!("x")', "1:1", "a macro"),
        ("vec![1].len() as i64", "1:1", "a macro"),
        ("panic!()", "1:1", "a macro"),
        ("|x| x", "1:1", "a closure"),
        ("t.0 = 1", "1:1", "an assignment"),
        ("&mut 3", "1:1", "borrow for change"),
        ("o?", "1:1", "`?`"),
        ("v[0..1].len() as i64", "1:3", "a range"),
        ("v@.len() as i64", "1:1", "specification only"),
        ("forall|i: int| i > 0", "1:1", "specification only"),
        ("(o is Some) as i64", "1:2", "specification only"),
        ("(0 < 1 < 2) as i64", "1:2", "a < b && b < c"),
        ("twice(1)", "1:1", "a call of `twice`"),
        ("std::process::exit(0)", "1:1", "a call of `std::process::exit`"),
        ("v.swap(0, 1)", "1:1", "the method `swap`"),
        ("v.iter().sum()", "1:1", "the method `iter`"),
        ("v.is_empty() as i64", "1:1", "by a trait"),
        ("GHOSTLY as i64", "1:1", "spec item"),
        ("nowhere", "1:1", "no parameter and no constant"),
        ("1.5 as i64", "1:1", "literal"),
        ('"x".len() as i64', "1:1", "literal"),
        ("3000u8 as i64", "1:1", "out of the range of `u8`"),
        ("9223372036854775808", "1:1", "out of the range of `i64`"),
        ("t.0 + p.x", "1:1", "two types"),
        ("true", "1:1", "the function returns `i64`"),
        ("if t.1 { 1 }", "1:1", "without `else`"),
        ("if 1 { 1 } else { 2 }", "1:4", "the condition has type"),
        ("(d == Door::Open) as i64", "1:2", "use `match`"),
        ("v[0u8] as i64", "1:3", "the index has type `u8`"),
        ("p.z as i64", "1:1", "no field `z`"),
        ("o.unwrap_or(0, 1) as i64", "1:1", "takes 1 argument"),
        ("match o { Some(x) if x > 1 => 1, _ => 0 }", "1:22", "a guard"),
        ("match d { Door::Open(1) => 1, _ => 0 }", "1:11", "a pattern of 1 parts"),
        ("'a' + 'b'", "1:1", "values of type `char`"),
        ("t.1 as char as i64", "1:1", "as `char`"),
        ("(1 +", "1:1", ""),
        ("1 + \u201c", "1:5", ""),
    ],
)
def test_refused(expression: str, place: str, words: str) -> None:
    said = refused(expression)
    assert words in said
    assert said.startswith(f"{place}: ")


def test_a_file_may_take_a_method_out() -> None:
    taken = ENUMS.replace("fn is_empty(&self)", "fn len(&self)")
    assert "by a trait" in refused("v.len() as i64", taken)
    with working():
        assert to_rust(read("v.is_empty() as i64", taken)) == "v.is_empty() as i64"


def test_recursion_is_read_and_seen() -> None:
    with working():
        assert read("clamp(x)", CLAMP, "clamp").op == "self"
        assert read("crate::clamp(x - 1)", CLAMP, "clamp").op == "self"
        assert read("0", TICK, "tick").op == "lit"


def test_the_result_needs_no_literal_suffix_and_may_have_one() -> None:
    with working():
        for text in ("0", "0i32", "v[0]", "*v.first().unwrap()", "i32::MIN"):
            assert read(text, HEAD, "smallest").sort.name == "i32"


def test_length_and_depth_have_limits() -> None:
    assert "longer than" in refused("1 + " * LONGEST + "1")
    assert "nest" in refused("(" * 1000 + "1" + ")" * 1000) or "deep" in refused("(" * 1000 + "1" + ")" * 1000)


def test_generic_values_can_be_passed_on_and_not_looked_into() -> None:
    text = file_with("pub fn pick<T>(first: bool, a: T, b: T) -> (r: T)")
    with working():
        assert to_rust(read("if first { b } else { a }", text, "pick")) == "if first { b } else { a }"
    assert "use `match`" in refused("if a == b { a } else { b }", text, "pick")
