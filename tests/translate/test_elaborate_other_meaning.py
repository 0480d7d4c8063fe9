"""Attacks: the contract's text stands, and means something else. None of these may ever be "kept"."""

# ruff: noqa: E501, ISC004 (programs as text)

from __future__ import annotations

import pytest

from tests.translate.elaboration import kept

#: (what was changed, common text, the original's part, the submission's part)
ATTACKS: list[tuple[str, str, str, str]] = [
    (
        "trait named by UFCS",
        "pub struct P { x: int } pub trait A { spec fn ok(&self) -> bool; } pub trait B { spec fn ok(&self) -> bool; }"
        " impl A for P { spec fn ok(&self) -> bool { self.x > 5 } } impl B for P { spec fn ok(&self) -> bool { true } }",
        "fn f(p: P) ensures A::ok(&p) {}",
        "fn f(p: P) ensures B::ok(&p) {}",
    ),
    (
        "trait named by a qualified path",
        "pub struct P { x: int } pub trait A { spec fn ok(&self) -> bool; } pub trait B { spec fn ok(&self) -> bool; }"
        " impl A for P { spec fn ok(&self) -> bool { self.x > 5 } } impl B for P { spec fn ok(&self) -> bool { true } }",
        "fn f(p: P) ensures <P as A>::ok(&p) {}",
        "fn f(p: P) ensures <P as B>::ok(&p) {}",
    ),
    (
        "trait constant named by a qualified path",
        "pub struct P; pub trait A { const N: u64; } pub trait B { const N: u64; }"
        " impl A for P { const N: u64 = 5; } impl B for P { const N: u64 = 6; }",
        "fn f() -> (r: u64) ensures r == <P as A>::N { 5 }",
        "fn f() -> (r: u64) ensures r == <P as B>::N { 6 }",
    ),
    (
        "trait function without a receiver, of two type parameters",
        "pub trait Z { spec fn zero() -> int; }",
        "fn f<T: Z, U: Z>(x: u8) -> (r: u8) ensures r == T::zero() { x }",
        "fn f<T: Z, U: Z>(x: u8) -> (r: u8) ensures r == U::zero() { x }",
    ),
    (
        "associated constant of two type parameters",
        "pub trait Z { const N: u64; }",
        "fn f<T: Z, U: Z>() -> (r: u64) ensures r == T::N { T::N }",
        "fn f<T: Z, U: Z>() -> (r: u64) ensures r == U::N { U::N }",
    ),
    (
        "default of an associated constant, which implementations replace",
        "pub trait Z { const N: u64 = 5; }",
        "fn f<T: Z>() -> (r: u64) ensures r == T::N { T::N }",
        "fn f<T: Z>() -> (r: u64) ensures r == 5 { 5 }",
    ),
    (
        "traits in scope",
        "pub mod a { pub trait T { spec fn ok(self) -> bool; } impl T for u64 { spec fn ok(self) -> bool { self > 9 } } }"
        " pub mod b { pub trait T { spec fn ok(self) -> bool; } impl T for u64 { spec fn ok(self) -> bool { true } } }",
        "use a::T; fn f(x: u64) ensures x.ok() {}",
        "use b::T; fn f(x: u64) ensures x.ok() {}",
    ),
    (
        "two types of one name and content",
        "pub mod a { pub struct P { pub x: u64 } impl P { pub open spec fn ok(self) -> bool { self.x > 9 } } }"
        " pub mod b { pub struct P { pub x: u64 } impl P { pub open spec fn ok(self) -> bool { true } } }",
        "fn f(x: a::P) ensures x.ok() {}",
        "fn f(x: b::P) ensures x.ok() {}",
    ),
    (
        "inherent function hidden in a function's body",
        "pub struct P { x: u64 } pub trait A { spec fn ok(&self) -> bool; }"
        " impl A for P { spec fn ok(&self) -> bool { self.x > 9 } } fn f(p: P) ensures p.ok() {}",
        "fn main() {}",
        "fn main() { impl P { spec fn ok(&self) -> bool { true } } }",
    ),
    (
        "const argument of a spec function",
        "spec fn less<const N: usize>(x: int) -> bool { x < N }",
        "fn f(x: u64) requires less::<4>(x as int) {}",
        "fn f(x: u64) requires less::<3>(x as int) {}",
    ),
    (
        "length of an array inside a spec function",
        "spec fn big<const N: usize>(a: [u8; N]) -> bool { N > 3 }",
        "fn f(a: [u8; 3], b: [u8; 5]) ensures big(a) {}",
        "fn f(a: [u8; 3], b: [u8; 5]) ensures big(b) {}",
    ),
    (
        "placeholder among the generic arguments",
        "uninterp spec fn u<A, B>(a: A) -> int;",
        "fn f(x: u8) requires u::<_, u16>(x) == 0 {}",
        "fn f(x: u8) requires u::<_, u32>(x) == 0 {}",
    ),
    (
        "uninterpreted function at two types of one name",
        "pub mod a { pub struct P { pub x: u64 } } pub mod b { pub struct P { pub x: u64 } } uninterp spec fn size<T>() -> nat;",
        "fn f(x: u8) requires size::<a::P>() == 1 {}",
        "fn f(x: u8) requires size::<b::P>() == 1 {}",
    ),
    ("super inside a block", "spec fn g() -> int { 1 } pub mod m { pub open spec fn g() -> int { 2 } }",
     "pub mod m2 { pub open spec fn g() -> int { 3 } pub fn f(x: u8) requires ({ use super::g; x == g() }) {} }",
     "pub mod m2 { pub open spec fn g() -> int { 3 } pub fn f(x: u8) requires ({ use self::g; x == g() }) {} }"),
    (
        "alias of a mutable reference",
        "type M<'a> = &'a mut Vec<u8>;",
        "fn f(x: M) ensures final(x)@ == old(x)@.push(1) {}",
        "fn f(x: M) ensures final(x)@ == old(x)@.push(2) {}",
    ),
    (
        "final value of a returned reference",
        "",
        "fn f(x: &mut u8) -> (r: &mut u8) ensures *final(x) == *final(r) { x }",
        "fn f(x: &mut u8) -> (r: &mut u8) ensures *final(x) == *r { x }",
    ),
    (
        "opaque struct",
        "",
        "#[verifier::external_body] pub struct P {} fn f(a: P, b: P) ensures a == b {}",
        "#[verifier::external_body] pub struct P {} fn f(a: P, b: P) ensures true {}",
    ),
    (
        "external types of one name",
        "",
        "use one::Thing; fn f(x: Thing) ensures true {}",
        "use two::Thing; fn f(x: Thing) ensures true {}",
    ),
    (
        "external spec functions of one name",
        "",
        "use one::good; fn f(x: u8) requires good(x) {}",
        "use two::good; fn f(x: u8) requires good(x) {}",
    ),
    (
        "external function replaced by an uninterpreted one of that path",
        "",
        "fn f(x: u8) requires ext::good(x) {}",
        "pub mod ext { pub uninterp spec fn good(x: u8) -> bool; } fn f(x: u8) requires ext::good(x) {}",
    ),
    (
        "old of somebody else",
        "",
        "fn f(x: &mut u8) requires *old(x) > 3 {}",
        "use other::old; fn f(x: &mut u8) requires *old(x) > 3 {}",
    ),
    (
        "constant of an exec const",
        "",
        "exec const K: u64 ensures K == 5 { 5 } fn f(x: u64) requires x == K {}",
        "exec const K: u64 ensures K == 6 { 6 } fn f(x: u64) requires x == K {}",
    ),
    (
        "lower-case constant in a pattern",
        "",
        "const zero: u64 = 0; fn f(x: u64) ensures (match x { zero => true, _ => false }) {}",
        "fn f(x: u64) ensures (match x { zero => true, _ => false }) {}",
    ),
    (
        "function of another type under `when_used_as_spec`",
        "",
        "pub struct A; impl A { spec fn g(&self) -> bool { false } #[verifier::when_used_as_spec(g)] fn ok(&self) -> bool { false } }"
        " fn f(a: A) ensures a.ok() {}",
        "pub struct A; pub struct B; impl B { spec fn g(&self) -> bool { true } }"
        " impl A { spec fn g(&self) -> bool { true } #[verifier::when_used_as_spec(g)] fn ok(&self) -> bool { false } }"
        " fn f(a: A) ensures a.ok() {}",
    ),
    (
        "two functions named `min`",
        "",
        "use vstd::math::min; fn f(x: u8) -> (r: u8) ensures r == min(x as int, 3) { x }",
        "spec fn min(a: int, b: int) -> int { if a <= b { b } else { a } }"
        " fn f(x: u8) -> (r: u8) ensures r == min(x as int, 3) { x }",
    ),
    ("clipped sum of the prelude", "", "fn f(x: u8) -> (r: int) ensures r == x + 1 { 0 }", "fn f(x: u8) -> (r: int) ensures r == add(x, 1) { 0 }"),
    (
        "length of a hash map whose keys may not obey the hashing model",
        "pub struct K { k: u8 } use std::collections::HashMap;",
        "fn f(m: HashMap<K, u8>) -> (r: usize) ensures r == m@.len() { 0 }",
        "fn f(m: HashMap<K, u8>) -> (r: usize) ensures r == m.len() { 0 }",
    ),
    (
        "integer literal of a real",
        "",
        "fn f(x: real) requires x == 1real {}",
        "fn f(x: real) requires x == 2real {}",
    ),
    ("local option", "", "fn f(x: Option<u8>) ensures x is None {}", "pub enum Option<T> { None, Some(T) } fn f(x: Option<u8>) ensures x is None {}")
    ,
    (
        "local `seq!`",
        "",
        "fn f(x: Seq<int>) requires x == seq![1int] {}",
        "macro_rules! seq { ($($e:expr),*) => { Seq::<int>::empty() } } fn f(x: Seq<int>) requires x == seq![1int] {}",
    ),
    (
        "view of the type's own",
        "pub struct P { x: int } impl View for P { type V = int; spec fn view(&self) -> int { self.x } } fn f(p: P) ensures p@ == 3 {}",
        "fn main() {}",
        "impl P { spec fn view(&self) -> int { 3 } }",
    ),
    (
        "operator of the type's own",
        "pub struct P { x: int }",
        "impl P { spec fn spec_add(self, o: P) -> int { self.x + o.x } } fn f(p: P, q: P) ensures p + q == 3 {}",
        "impl P { spec fn spec_add(self, o: P) -> int { 3 } } fn f(p: P, q: P) ensures p + q == 3 {}",
    ),
    (
        "alias of another width",
        "",
        "type N = u8; fn f(x: int) requires x as N == 3 {}",
        "type N = u16; fn f(x: int) requires x as N == 3 {}",
    ),
    (
        "field of a type's content",
        "",
        "pub struct P { x: u8 } fn f(x: Seq<P>) requires x.len() > 0 {}",
        "pub struct P { x: u16 } fn f(x: Seq<P>) requires x.len() > 0 {}",
    ),
    (
        "implementation for another instance",
        "pub struct G<T> { t: T } pub trait A { spec fn ok(&self) -> bool; }",
        "impl A for G<u8> { spec fn ok(&self) -> bool { self.t > 3 } } impl A for G<u16> { spec fn ok(&self) -> bool { true } }"
        " fn f(g: G<u8>) ensures g.ok() {}",
        "impl A for G<u8> { spec fn ok(&self) -> bool { true } } impl A for G<u16> { spec fn ok(&self) -> bool { self.t > 3 } }"
        " fn f(g: G<u8>) ensures g.ok() {}",
    ),
    (
        "default method of a trait",
        "pub struct P { x: int }",
        "pub trait A { spec fn x(&self) -> int; spec fn ok(&self) -> bool { self.x() > 3 } }"
        " impl A for P { spec fn x(&self) -> int { self.x } } fn f(p: P) ensures p.ok() {}",
        "pub trait A { spec fn x(&self) -> int; spec fn ok(&self) -> bool { true } }"
        " impl A for P { spec fn x(&self) -> int { self.x } } fn f(p: P) ensures p.ok() {}",
    ),
    (
        "associated type",
        "pub struct P { x: u8 } pub trait A { type N; spec fn n(&self) -> Self::N; }",
        "impl A for P { type N = u8; spec fn n(&self) -> u8 { self.x } } fn f(p: P, y: int) requires y as <P as A>::N == 3 {}",
        "impl A for P { type N = u16; spec fn n(&self) -> u16 { 0 } } fn f(p: P, y: int) requires y as <P as A>::N == 3 {}",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("common", "original", "submitted"), [a[1:] for a in ATTACKS], ids=[a[0] for a in ATTACKS])
def test_another_meaning_is_never_kept(common: str, original: str, submitted: str) -> None:
    assert kept(f"{common}\n{original}", f"{common}\n{submitted}") is not True


@pytest.mark.parametrize(("common", "original"), [a[1:3] for a in ATTACKS], ids=[a[0] for a in ATTACKS])
def test_the_original_itself_is_never_broken(common: str, original: str) -> None:
    assert kept(f"{common}\n{original}", f"{common}\n{original}") is not False
