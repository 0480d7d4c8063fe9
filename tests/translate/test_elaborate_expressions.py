"""Expressions: what each form means, as the term that a plainer spelling gives, and what is refused, with its place."""

# ruff: noqa: E501 (programs as text)

from __future__ import annotations

import pytest

from tests.translate.elaboration import contract, ensures, kept, same_terms
from translate import terms as tm
from translate.elaborate.inference import Unsupported

SAME: list[tuple[str, str]] = [
    ("0 <= x < y <= 9", "0 <= x && x < y && y <= 9"),
    ("x == y < 5", "x == y && y < 5"),
    ("x > y", "y < x"),
    ("(y == 1) <== (x == 1)", "x == 1 ==> y == 1"),
    ("x == 1 ==> y == 1 ==> x == y", "x == 1 ==> (y == 1 ==> x == y)"),
    ("({ &&& x == 1 &&& y == 2 })", "x == 1 && y == 2"),
    ("({ ||| x == 1 ||| y == 2 })", "x == 1 || y == 2"),
    ("!(x == y)", "x != y"),
    ("x =~= y", "x == y"),
    ("s =~= t", "s == t"),
    ("!(s =~= t)", "s !~= t"),
    ("s === t", "s == t"),
    ("({ let z = x; z == y })", "x == y"),
    ("({ let (a, b) = (x, y); a == b })", "x == y"),
    ("({ let a = y; let a = x; a == y })", "x == y"),  # shadowing
    ("(x, y).0 == 1", "x == 1"),
    ("(|a: int| a + 1)(x) == y", "x + 1 == y"),
    ("(|a: int| |b: int| a + b)(x)(y) == 3", "x + y == 3"),
    ("(|a: int, b: int| a - b)(y, x) == 3", "y - x == 3"),
    ("(if x == 1 { y } else { x }) == 2", "(match x { 1 => y, _ => x }) == 2"),
    ("(if let Some(k) = o { k } else { 0 }) == x", "(match o { Some(k) => k, None => 0 }) == x"),
    ("o matches Some(k) && k > 3", "o is Some && o->0 > 3"),
    ("o matches Some(k) ==> k > 3", "o is Some ==> o->Some_0 > 3"),
    ("matches!(o, Some(k) if k > 3)", "o is Some && o->0 > 3"),
    ("o.is_Some()", "o is Some"),
    ("o.get_Some_0() == 1", "o->0 == 1"),
    ("o.is_none()", "o is None"),
    ("o !is Some", "!(o is Some)"),
    ("o.unwrap() == 1", "o->0 == 1"),
    ("(match o { Some(k) if k > 3 => true, _ => false })", "o is Some && o->0 > 3"),
    ("(match x { 1 | 2 => true, _ => false })", "x == 1 || x == 2"),
    ("(match x { 1..=3 => true, _ => false })", "1 <= x && x <= 3"),
    ("(match x { a @ 1..=3 => a == y, _ => false })", "1 <= x && x <= 3 && x == y"),
    ("s has x", "s.contains(x)"),
    ("m has x", "m.dom().contains(x)"),
    ("v[0] == 1", "v@[0] == 1"),
    ("v.len() == 3", "v@.len() == 3"),
    ("w[0][1] == 1", "w@[0]@[1] == 1"),
    ("(3u8 as int) == x", "3 == x"),
    ("0x10 == x", "16 == x"),
    ("1_000 == x", "1000 == x"),
    ("x == 'a' as int", "x == 97"),
    ("b'a' == 97u8", "97u8 == 97u8"),
    ("b as int == x", "(if b { 1int } else { 0 }) == x"),
    ("exists|k: int| k == x + k", "exists|j: int| j == x + j"),
    ("forall|k: int| #![trigger s[k]] s[k] == 0", "forall|k: int| s[k] == 0"),
    ("forall|i: int, j: int| i < j", "forall|a: int, b: int| a < b"),
    ("forall|k| s[k] == 0", "forall|k: int| s[k] == 0"),
    ("Seq::new(3, |i| i) == s", "Seq::new(3, |i: int| i) == s"),
    ("Box::new(x) == 3", "x == 3"),
    ("*(&x) == 3", "x == 3"),
    ("g@ == x", "g.view() == x"),
    ("s.take(2) == t", "s.subrange(0, 2) == t"),
    ("call_requires(h, (x,))", "h.requires((x,))"),
    ("call_ensures(h, (x,), y)", "h.ensures((x,), y)"),
    ("(P { a: x, b: y }).a == 1", "x == 1"),
    ("(P { a: 3, ..p }).b == 1", "p.b == 1"),
    ("p.a == 1", "(match p { P { a, .. } => a }) == 1"),
    ("K == x", "5 == x"),
    ("L == x", "5 + 1 == x"),
    ("E::A is A", "true"),
]


def body(clause: str) -> str:
    return (
        "pub struct P { pub a: int, pub b: int } pub enum E { A, B(u8) } const K: u64 = 5; const L: u64 = K + 1;"
        " proof fn f<H: Fn(int) -> int>(x: int, y: int, s: Seq<int>, t: Seq<int>, o: Option<int>, v: Vec<u8>, w: Vec<Vec<u8>>,"
        " m: Map<int, int>, b: bool, g: Ghost<int>, h: H, p: P) ensures "
        + clause
        + ", {}"
    )


@pytest.mark.parametrize(("left", "right"), SAME)
def test_two_spellings_of_one_term(left: str, right: str) -> None:
    if not same_terms(body(left), body(right)):  # or at least what the check takes for the same
        assert kept(body(left), body(right)) is True and kept(body(right), body(left)) is True


DIFFERENT: list[tuple[str, str]] = [
    ("x / 2 == y", "x % 2 == y"),
    ("x as u8 == y", "x as u16 == y"),
    ("x as u8 == x", "true"),
    ("(256 as u8) as int == 256", "true"),
    ("o matches Some(k) && k > 3", "o matches Some(k) ==> k > 3"),
    ("forall|i: int, j: int| i < j ==> s[i] == t[j]", "forall|i: int, j: int| i < j ==> s[j] == t[i]"),
    ("forall|k: u8| k < 256", "forall|k: int| k < 256"),
    ("v == v", "v@ == w[0]@"),
    ("s[7] == t[7]", "s[8] == t[8]"),
    ("m[1] == 2", "m.contains_key(1) && m[1] == 2"),
    ("o->0 == 1", "o == Some(1int)"),
    ("(1u8 << 3) == 8u8", "(1u8 << 3) == 9u8"),
    ("(200u8 << 1) == 400", "true"),  # a shift stays in its type
    ("(1u8 & 3u16 as u8) == 1", "(2u8 & 3u16 as u8) == 1"),
    ("x == 1 ==> y == 1", "x == 1 <==> y == 1"),
    ("(if x > 0 { 1int } else { 2 }) == y", "(if x >= 0 { 1int } else { 2 }) == y"),
    ("(choose|k: int| k > x) == y", "(choose|k: int| k > y) == y"),
]


@pytest.mark.parametrize(("left", "right"), DIFFERENT)
def test_two_meanings(left: str, right: str) -> None:
    assert not (kept(body(left), body(right)) is True and kept(body(right), body(left)) is True)


UNSUPPORTED = [
    ("loop", "({ loop {} })", "loop"),
    ("if without else", "({ if x == 1 { true } })", "if x"),
    ("asm", "unknown_macro!(x)", "unknown_macro"),
    ("method of an unknown type", "forall|z| z.len() == 0", "z.len"),
    ("executable function", "run(x)", "run(x)"),
    ("old of a local", "({ let q = x; old(q) == x })", "old(q)"),
    ("literal out of range", "x == 300u8", "300u8"),
    ("slice by a range", "v[1..2]@.len() == 1", "v[1..2]"),
]


@pytest.mark.parametrize(("name", "clause", "place"), UNSUPPORTED, ids=[u[0] for u in UNSUPPORTED])
def test_what_is_refused_says_where(name: str, clause: str, place: str) -> None:
    text = f"fn run(x: int) -> bool {{ true }} proof fn f(x: int, v: Vec<u8>) ensures {clause}, {{}}"
    with pytest.raises(Unsupported) as caught:
        contract(text)
    span, crate = caught.value.span, caught.value.crate
    found = crate.source.data[span.start : span.end].decode()  # type: ignore[attr-defined]
    assert found in clause or clause in found or place in found


def test_arithmetic_is_mathematical_and_casts_have_nodes_where_the_value_can_change() -> None:
    text = "fn f(x: u8, y: usize, z: u64, c: char, i: i8) -> (r: int) ensures r == {} {{ 0 }}"
    for plain in ("x as u16", "x as int", "x as usize", "c as u32", "i as i16", "y as u64", "y as int"):
        (clause,) = contract(text.format(plain)).ensures
        assert not any(t.op == "cast" for t in tm.subterms(clause.term)), plain
    for narrow in ("x as i8", "y as u32", "z as usize", "z as u8", "i as u8", "(x + 1) as u8", "i as nat", "(x as int) as char"):
        (clause,) = contract(text.format(narrow)).ensures
        assert any(t.op == "cast" for t in tm.subterms(clause.term)), narrow


def test_bits_keep_the_type_of_their_operands() -> None:
    (clause,) = contract("fn f(x: u8, y: u8) ensures (x & y) == (x | 3) {}").ensures
    assert {t.sort.name for t in tm.subterms(clause.term) if t.op.startswith("bit")} == {"u8"}


def test_old_and_final() -> None:
    text = "fn f(x: &mut u8, y: u8) ensures {} {{}}"
    assert ensures(text.format("*x == *old(x) + y")) == ensures(text.format("*final(x) == *old(x) + y"))
    assert ensures(text.format("*old(x) == *final(x)")) != ensures(text.format("*old(x) == *old(x)"))
    assert same_terms(text.format("forall|x: u8| x >= 0"), text.format("forall|z: u8| z >= 0"))
    (clause,) = contract("fn f(x: &mut u8) requires *x > 3 {}").requires
    assert [v.data for v in tm.free_variables(clause.term)] == ["old(x)"]


def test_mutable_self_tracked_and_aliases() -> None:
    common = "pub struct C { n: u8 } type M<'a> = &'a mut C; impl C {{ fn f({}) ensures {} {{}} }}".replace("{ n", "{{ n").replace("u8 }", "u8 }}")
    reference = contract(common.format("&mut self", "self.n == old(self).n"))
    assert len(reference.outputs) == 1
    for params, clause in (("Tracked(x): Tracked<&mut C>", "x.n == old(x).n"), ("x: M", "x.n == old(x).n"), ("x: &mut C", "final(x).n == old(x).n")):
        c = contract(common.format(params, clause))
        assert len(c.outputs) == 1
        (clause_,) = c.ensures
        assert len(tm.free_variables(clause_.term)) == 2


def test_parameter_patterns_and_results() -> None:
    assert same_terms("fn f((a, b): (u8, u8)) requires a < b {}", "fn f(p: (u8, u8)) requires p.0 < p.1 {}")
    assert same_terms("fn f(x: u8) -> (r: (u8, u8)) ensures r.0 < r.1 { (1, 2) }",
                      "fn f(y: u8) -> (q: (u8, u8)) ensures q.0 < q.1 { (1, 2) }")
    assert same_terms("fn f(x: u8) -> u8 returns x { x }", "fn f(x: u8) -> u8 returns (x) { x }")
    assert kept("fn f(x: u8) -> u8 returns x { x }", "fn f(x: u8) -> (r: u8) ensures r == x { x }") is True
    assert kept("fn f(result: u8, x: u8) -> u8 requires result == x, returns x { x }", "fn f(result: u8, x: u8) -> u8 requires result == x { x }") is False


def test_bindings_of_matches_reach_no_further_than_their_conjunction() -> None:
    assert same_terms(body("(o matches Some(k) && k > 3) || x > 3"), body("(o matches Some(z) && z > 3) || x > 3"))
    with_shadow = body("({ let k = x; (o matches Some(k) && k > 3) || k > 3 })")
    assert same_terms(with_shadow, body("(o matches Some(q) && q > 3) || x > 3"))


def test_comparison_does_not_fix_the_type_of_a_bound_variable() -> None:
    """`k` is a `u8` by its use, however early it is compared."""
    text = "uninterp spec fn p(k: u8) -> bool; proof fn f(n: int) ensures {} {{}}"
    assert same_terms(text.format("forall|k| k < n ==> p(k)"), text.format("forall|k: u8| k < n ==> p(k)"))
