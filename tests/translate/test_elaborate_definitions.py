"""Definitions, types and traits: identity by meaning, generics, dispatch, inherited contracts."""

# ruff: noqa: E501, ISC004 (programs as text)

from __future__ import annotations

import contextlib

import pytest

from tests.translate.elaboration import contract, kept, same_terms
from translate.elaborate.inference import Unsupported

#: Texts whose contract of `f` is the very same terms.
SAME: list[tuple[str, str, str]] = [
    (
        "names of spec functions",
        "spec fn a(x: int) -> int { x + 1 } proof fn f(x: int) ensures a(x) == 2 {}",
        "spec fn b(y: int) -> int { y + 1 } proof fn f(x: int) ensures b(x) == 2 {}",
    ),
    (
        "a recursive function under another name",
        "spec fn s(n: nat) -> nat decreases n { if n == 0 { 0 } else { n + s((n - 1) as nat) } } proof fn f(n: nat) ensures s(n) == 2 {}",
        "spec fn t(m: nat) -> nat decreases m { if m == 0 { 0 } else { m + t((m - 1) as nat) } } proof fn f(n: nat) ensures t(n) == 2 {}",
    ),
    (
        "mutual recursion in another order, entered elsewhere",
        "spec fn ev(n: nat) -> bool decreases n { if n == 0 { true } else { od((n - 1) as nat) } }"
        " spec fn od(n: nat) -> bool decreases n { if n == 0 { false } else { ev((n - 1) as nat) } }"
        " proof fn f(n: nat) ensures od(n), ev(n) {}",
        "proof fn f(n: nat) ensures q(n), p(n) {}"
        " spec fn q(n: nat) -> bool decreases n { if n == 0 { false } else { p((n - 1) as nat) } }"
        " spec fn p(n: nat) -> bool decreases n { if n == 0 { true } else { q((n - 1) as nat) } }",
    ),
    (
        "three functions in a ring, from another start",
        "spec fn a(n: nat) -> nat decreases n { if n == 0 { 1 } else { b((n - 1) as nat) } }"
        " spec fn b(n: nat) -> nat decreases n { if n == 0 { 2 } else { c((n - 1) as nat) } }"
        " spec fn c(n: nat) -> nat decreases n { if n == 0 { 3 } else { a((n - 1) as nat) } }"
        " proof fn f(n: nat) ensures a(n) == b(n), c(n) == 1 {}",
        "spec fn c(n: nat) -> nat decreases n { if n == 0 { 3 } else { a((n - 1) as nat) } }"
        " spec fn b(n: nat) -> nat decreases n { if n == 0 { 2 } else { c((n - 1) as nat) } }"
        " spec fn a(n: nat) -> nat decreases n { if n == 0 { 1 } else { b((n - 1) as nat) } }"
        " proof fn f(n: nat) ensures a(n) == b(n), c(n) == 1 {}",
    ),
    (
        "mutually recursive types in another order",
        "pub enum T { Leaf, Node(Box<Fo>) } pub enum Fo { Nil, Cons(Box<T>, Box<Fo>) } proof fn f(t: T, o: Fo) ensures t is Leaf, o is Nil {}",
        "pub enum Fo { Nil, Cons(Box<T>, Box<Fo>) } pub enum T { Leaf, Node(Box<Fo>) } proof fn f(t: T, o: Fo) ensures t is Leaf, o is Nil {}",
    ),
    (
        "type parameters under other names",
        "spec fn p<A>(s: Seq<A>) -> bool { s.len() > 0 } proof fn f<X>(s: Seq<X>) ensures p(s) {}",
        "spec fn p<B>(s: Seq<B>) -> bool { s.len() > 0 } proof fn f<Y>(s: Seq<Y>) ensures p(s) {}",
    ),
    (
        "const parameter under another name",
        "proof fn f<const N: usize>(a: [u8; N]) ensures a@.len() == N {}",
        "proof fn f<const M: usize>(a: [u8; M]) ensures a@.len() == M {}",
    ),
    ("alias", "type N = u8; proof fn f(x: N) ensures x < 9 {}", "proof fn f(x: u8) ensures x < 9 {}"),
    ("generic alias", "type V<T> = Seq<T>; proof fn f(x: V<u8>) ensures x.len() == 1 {}", "proof fn f(x: Seq<u8>) ensures x.len() == 1 {}"),
    (
        "associated constant",
        "pub struct P; impl P { const N: u64 = 5; } proof fn f(x: u64) ensures x == P::N {}",
        "pub struct P; proof fn f(x: u64) ensures x == 5 {}",
    ),
    (
        "`Self` in an impl block",
        "pub struct P { x: int } impl P { spec fn new(x: int) -> Self { Self { x } } proof fn f(self) ensures Self::new(3) == self {} }",
        "pub struct P { x: int } impl P { spec fn new(x: int) -> P { P { x: x } } proof fn f(self) ensures P::new(3) == self {} }",
    ),
    (
        "a method of a generic impl",
        "pub struct G<T> { t: T } impl<T> G<T> { spec fn get(self) -> T { self.t } } proof fn f(g: G<u8>) ensures g.get() == 3 {}",
        "pub struct G<T> { t: T } impl<S> G<S> { spec fn get(self) -> S { self.t } } proof fn f(g: G<u8>) ensures G::get(g) == 3 {}",
    ),
    (
        "a trait's method by its three names",
        "pub struct P { x: int } pub trait A { spec fn ok(&self) -> bool; } impl A for P { spec fn ok(&self) -> bool { self.x > 1 } }"
        " proof fn f(p: P) ensures p.ok() {}",
        "pub struct P { x: int } pub trait A { spec fn ok(&self) -> bool; } impl A for P { spec fn ok(&self) -> bool { self.x > 1 } }"
        " proof fn f(p: P) ensures <P as A>::ok(&p) {}",
    ),
    (
        "a supertrait's method through a bound",
        "pub trait A { spec fn ok(&self) -> bool; } pub trait B: A {} proof fn f<T: B>(t: T) ensures t.ok() {}",
        "pub trait A { spec fn ok(&self) -> bool; } pub trait B: A {} proof fn f<T: B>(t: T) ensures A::ok(&t) {}",
    ),
    (
        "a bound in a where clause",
        "pub trait A { spec fn ok(&self) -> bool; } proof fn f<T: A>(t: T) ensures t.ok() {}",
        "pub trait A { spec fn ok(&self) -> bool; } proof fn f<T>(t: T) where T: A ensures t.ok() {}",
    ),
    (
        "view of an own type",
        "pub struct P { x: int } impl View for P { type V = int; spec fn view(&self) -> int { self.x } } proof fn f(p: P) ensures p@ == 1 {}",
        "pub struct P { x: int } impl View for P { type V = int; spec fn view(&self) -> int { self.x } } proof fn f(p: P) ensures p.view() == 1 {}",
    ),
    (
        "`when_used_as_spec`",
        "pub struct P { x: int } impl P { spec fn s(&self) -> int { self.x } #[verifier::when_used_as_spec(s)] fn e(&self) -> int { 0 } }"
        " proof fn f(p: P) ensures p.e() == 1 {}",
        "pub struct P { x: int } impl P { spec fn s(&self) -> int { self.x } #[verifier::when_used_as_spec(s)] fn e(&self) -> int { 0 } }"
        " proof fn f(p: P) ensures p.s() == 1 {}",
    ),
    (
        "`allow_in_spec`",
        "#[verifier::allow_in_spec] fn e(x: u8) -> u8 returns x { x } proof fn f(p: u8) ensures e(p) == 1 {}",
        "proof fn f(p: u8) ensures p == 1 {}",
    ),
    (
        "a spec function as a value",
        "spec fn g(x: int) -> int { x + 1 } proof fn f(s: Seq<int>) ensures s.map_values(|x: int| g(x)) == s {}",
        "spec fn g(x: int) -> int { x + 1 } proof fn f(s: Seq<int>) ensures s.map_values(|y: int| g(y)) == s {}",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b"), [s[1:] for s in SAME], ids=[s[0] for s in SAME])
def test_the_very_same_terms(a: str, b: str) -> None:
    assert same_terms(a, b)


#: Texts whose contract of `f` means different things.
DIFFERENT: list[tuple[str, str, str]] = [
    (
        "a recursive body",
        "spec fn s(n: nat) -> nat decreases n { if n == 0 { 0 } else { n + s((n - 1) as nat) } } proof fn f(n: nat) ensures s(n) == 2 {}",
        "spec fn s(n: nat) -> nat decreases n { if n == 0 { 1 } else { n + s((n - 1) as nat) } } proof fn f(n: nat) ensures s(n) == 2 {}",
    ),
    (
        "which of two mutually recursive functions is called",
        "spec fn a(n: nat) -> nat decreases n { if n == 0 { 1 } else { b((n - 1) as nat) } }"
        " spec fn b(n: nat) -> nat decreases n { if n == 0 { 2 } else { a((n - 1) as nat) } } proof fn f(n: nat) ensures a(n) == 1 {}",
        "spec fn a(n: nat) -> nat decreases n { if n == 0 { 1 } else { a((n - 1) as nat) } }"
        " spec fn b(n: nat) -> nat decreases n { if n == 0 { 2 } else { a((n - 1) as nat) } } proof fn f(n: nat) ensures a(n) == 1 {}",
    ),
    (
        "`when` of a recursive function",
        "spec fn s(n: int) -> int decreases n when n > 0 { if n == 0 { 0 } else { s(n - 1) } } proof fn f(n: int) ensures s(n) == 2 {}",
        "spec fn s(n: int) -> int decreases n when n > 1 { if n == 0 { 0 } else { s(n - 1) } } proof fn f(n: int) ensures s(n) == 2 {}",
    ),
    (
        "instances of a generic function",
        "spec fn p<A>(s: Seq<A>) -> bool { s.len() > 0 } proof fn f(s: Seq<u8>, t: Seq<u16>) ensures p(s) {}",
        "spec fn p<A>(s: Seq<A>) -> bool { s.len() > 0 } proof fn f(s: Seq<u8>, t: Seq<u16>) ensures p(t) {}",
    ),
    (
        "uninterpreted functions",
        "uninterp spec fn u(x: int) -> int; uninterp spec fn v(x: int) -> int; proof fn f() ensures u(1) == 1 {}",
        "uninterp spec fn u(x: int) -> int; uninterp spec fn v(x: int) -> int; proof fn f() ensures v(1) == 1 {}",
    ),
    (
        "a body that nobody sees",
        "spec fn u(x: int) -> int { x } proof fn f() ensures u(1) == 1 {}",
        "#[verifier::external_body] spec fn u(x: int) -> int { x } proof fn f() ensures u(1) == 1 {}",
    ),
    (
        "associated function of two types",
        "pub struct A; pub struct B; impl A { spec fn n() -> int { 1 } } impl B { spec fn n() -> int { 2 } } proof fn f(x: int) ensures x == A::n() {}",
        "pub struct A; pub struct B; impl A { spec fn n() -> int { 1 } } impl B { spec fn n() -> int { 2 } } proof fn f(x: int) ensures x == B::n() {}",
    ),
    (
        "words of unknown width",
        "proof fn f(x: usize) ensures x == usize::MAX {}",
        "proof fn f(x: usize) ensures x == 0xffff_ffff_ffff_ffff {}",
    ),
    (
        "fields in another order",
        "pub struct P { a: u8, b: u8 } proof fn f(p: P) ensures p.a == 1 {}",
        "pub struct P { b: u8, a: u8 } proof fn f(p: P) ensures p.b == 1 {}",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b"), [s[1:] for s in DIFFERENT], ids=[s[0] for s in DIFFERENT])
def test_other_terms(a: str, b: str) -> None:
    assert not same_terms(a, b)


def test_two_traits_with_one_method_are_not_guessed() -> None:
    common = "pub struct P; pub trait A { spec fn ok(&self) -> bool; } pub trait B { spec fn ok(&self) -> bool; }"
    common += " impl A for P { spec fn ok(&self) -> bool { true } } impl B for P { spec fn ok(&self) -> bool { false } }"
    with pytest.raises(Unsupported, match="several implementations"):
        contract(common + " proof fn f(p: P) ensures p.ok() {}")


def test_bounds_of_one_function_do_not_reach_another() -> None:
    text = "pub trait A { spec fn ok(&self) -> bool; } pub trait B { spec fn ok(&self) -> bool; }"
    text += " proof fn g<T: A>(t: T) ensures t.ok() {} proof fn f<T: B>(t: T) ensures t.ok() {}"
    assert contract(text, "g").ensures[0].term is not contract(text, "f").ensures[0].term
    alone = text.replace("proof fn g<T: A>(t: T) ensures t.ok() {}", "")
    assert contract(text, "f").ensures[0].term is contract(alone, "f").ensures[0].term


def test_a_trait_contract_is_inherited() -> None:
    text = "pub struct P {{ x: u8 }} pub trait A {{ spec fn ok(&self) -> bool; fn f(&self, n: u8) -> (r: u8) requires self.ok(), ensures r {} n; }}"
    text += " impl A for P {{ spec fn ok(&self) -> bool {{ self.x > 1 }} fn f(&self, m: u8) -> (q: u8) {{ m }} }}"
    name = "<P as A>::f"
    assert kept(text.format("=="), text.format("=="), name) is True
    assert kept(text.format("=="), text.format(">="), name) is False


def test_a_default_of_a_trait_is_not_what_implementations_mean() -> None:
    text = "pub trait A {{ spec fn n(&self) -> int {{ 5 }} }} proof fn f<T: A>(t: T) ensures t.n() == {} {{}}"
    assert not same_terms(text.format("5"), text.format("t.n()"))


def test_generic_traits_know_their_argument_by_the_bound() -> None:
    text = "pub trait To<X> {{ spec fn to(&self) -> X; }} proof fn f<T: To<{}>>(t: T) ensures t.to() == t.to(), t.to() == 3 {{}}"
    u8, u16 = (contract(text.format(k)).ensures[1].term for k in ("u8", "u16"))
    assert u8 is not u16


@pytest.mark.parametrize(
    "text",
    [
        "spec fn p<T>(t: T) -> bool { p(Some(t)) } proof fn f(x: u8) ensures p(x) {}",  # instances that never end
        "type A = A; proof fn f(x: A) ensures true {}",
        "pub struct P<T> { t: Option<Box<P<Option<T>>>> } proof fn f(p: P<u8>) ensures p == p {}",
        "const K: int = K; proof fn f(x: int) ensures x == K {}",
        "macro_rules! m { () => { m!() } } proof fn f(x: int) ensures m!() {}",
        "pub trait A: A { spec fn ok(&self) -> bool; } proof fn f<T: A>(t: T) ensures t.ok() {}",
        "impl<T> A for T where T: A { } pub trait A { spec fn ok(&self) -> bool { true } } proof fn f(x: u8) ensures x.ok() {}",
    ],
)
def test_what_never_ends_is_refused_or_read(text: str) -> None:
    with contextlib.suppress(Unsupported):
        contract(text)
