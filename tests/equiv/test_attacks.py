"""Attacks: submissions whose contract is not the original's, and what they exploit. None may be called kept.

Each attack is a pair of texts. `OPEN` names those that still fool samespec, with the reason: a fixed one must leave the list.
"""

# ruff: noqa: E501  (tables of programs, a line each)

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

from equiv.check import check_sources
from equiv.verdict import CheckReport
from translate.source import from_text

#: Attacks that succeed today.
OPEN: dict[str, str] = {}

#: Z3 resource units for attacks that end undecided: enough for every attack that is refuted.
BUDGET = 600_000


def judge(original: str, submitted: str, *, bare: bool = False, budget: int = BUDGET) -> CheckReport:
    """The report on two texts, which are put into `verus!` unless they are `bare`."""
    texts = [t if bare else f"use vstd::prelude::*;\nverus! {{\n{t}\n}}\nfn main() {{}}\n" for t in (original, submitted)]
    return check_sources(from_text("original.rs", texts[0]), from_text("submitted.rs", texts[1]), budget=budget)


def explained(report: CheckReport) -> str:
    """What a report says, for a failing assertion."""
    return "\n".join(f"{t.target}: {t.verdict}: {[r.message for r in t.reasons]}" for t in report.targets)


def cases(table: Iterable[str], open_ones: Mapping[str, str]) -> list[object]:
    """The names of a table as parameters; those that are open are expected to fail."""
    return [
        pytest.param(n, marks=pytest.mark.xfail(reason=open_ones[n], strict=True)) if n in open_ones else n for n in table
    ]


F = "fn f(x: u64) -> (r: bool)"
BIG = f"{F} ensures r == (x > 5) {{ x > 5 }}"
TAIL = f"{F} ensures r == p(x) {{ true }}"  # the contract that names a spec function p
P = "spec fn p(x: u64) -> bool { x > 5 }"
TRUE = "spec fn p(x: u64) -> bool { true }"


def spec(definitions: str) -> tuple[str, str]:
    """The definition of p in the contract changes."""
    return f"{P} {TAIL}", f"{definitions} {TAIL}"


def generic(old: str, new: str, fn: str = "fn f<T: Law>(a: T) -> (r: bool) ensures r == a.ok() { true }") -> tuple[str, str]:
    """The trait behind a generic function changes."""
    return f"{old} {fn}", f"{new} {fn}"


LAW = "trait Law: Sized { spec fn ok(self) -> bool; proof fn law(a: Self) ensures a.ok(); %s }"

# What names mean: the text of the contract stands, or nearly, and means something else.
NAMES: dict[str, tuple[str, str]] = {
    "definition changed": spec(TRUE),
    "definition in an inner function": spec("spec fn h(x: u64) -> bool { x > 5 } spec fn p(x: u64) -> bool { spec fn h(x: u64) -> bool { true } h(x) }"),
    "definition by an inner import": spec("mod e { pub open spec fn h(x: u64) -> bool { true } } spec fn p(x: u64) -> bool { use e::h; h(x) }"),
    "definition by an inner glob": spec("mod e { pub open spec fn h(x: u64) -> bool { true } } spec fn p(x: u64) -> bool { use e::*; h(x) }"),
    "inner constant": (
        f"const K: u64 = 5; spec fn p(x: u64) -> bool {{ x > K }} {TAIL}",
        f"const K: u64 = 5; spec fn p(x: u64) -> bool {{ const K: u64 = 0; x > K }} {TAIL}",
    ),
    "import renamed": (
        f"mod a {{ pub open spec fn p(x: u64) -> bool {{ x > 5 }} pub open spec fn q(x: u64) -> bool {{ true }} }} use a::p; {TAIL}",
        f"mod a {{ pub open spec fn p(x: u64) -> bool {{ x > 5 }} pub open spec fn q(x: u64) -> bool {{ true }} }} use a::q as p; {TAIL}",
    ),
    "glob of another module that nobody sees": (
        f"mod specs; use specs::*; {F} ensures r == okay(x) {{ true }}",
        f"mod specs; mod evil; use evil::*; {F} ensures r == okay(x) {{ true }}",
    ),
    "another crate of a module's name": (
        f"mod ev {{ pub open spec fn p(x: u64) -> bool {{ x > 5 }} }} {F} ensures r == ev::p(x) {{ true }}",
        f"mod ev {{ pub open spec fn p(x: u64) -> bool {{ x > 5 }} }} {F} ensures r == ::ev::p(x) {{ true }}",
    ),
    "another crate called vstd": (
        "fn f(x: u64) -> (r: u64) ensures r == vstd::math::max(x as int, 3) { 0 }",
        "extern crate evil as vstd; fn f(x: u64) -> (r: u64) ensures r == vstd::math::max(x as int, 3) { 0 }",
    ),
    "raw identifier": (f"{P} {F} ensures r == r#p(x) {{ true }}", f"{TRUE} {F} ensures r == r#p(x) {{ true }}"),
    "two spellings of one character": (
        f"spec fn caf\u00e9(x: u64) -> bool {{ x > 5 }} {F} ensures r == cafe\u0301(x) {{ true }}",
        f"spec fn caf\u00e9(x: u64) -> bool {{ true }} {F} ensures r == cafe\u0301(x) {{ true }}",
    ),
    "letter of another alphabet": (BIG, f"{F} ensures r == (\u0445 > 5) {{ true }}"),
    "lower-case constant in a pattern": (
        f"const zero: u64 = 0; spec fn p(x: u64) -> bool {{ match x {{ zero => true, _ => false }} }} {TAIL}",
        f"spec fn p(x: u64) -> bool {{ match x {{ zero => true, _ => false }} }} {TAIL}",
    ),
    "lower-case variant in a pattern": (
        "pub enum E { a, b } use E::*; fn f(x: E) -> (r: bool) ensures r == match x { a => true, b => false } { true }",
        "pub enum E { a, b } fn f(x: E) -> (r: bool) ensures r == match x { a => true, b => false } { true }",
    ),
    "variable where a variant was": (
        "pub enum E { Aa, Bb } fn f(x: E) -> (r: bool) ensures r == match x { E::Aa => true, E::Bb => false } { true }",
        "pub enum E { Aa, Bb } fn f(x: E) -> (r: bool) ensures r == match x { Aa => true, E::Bb => false } { true }",
    ),
    "parameter called like a constant": (
        "const K: u64 = 5; fn f(x: u64, k: u64) -> (r: bool) ensures r == (x >= K) { true }",
        "const K: u64 = 5; fn f(x: u64, K: u64) -> (r: bool) ensures r == (x >= K) { true }",
    ),
    "type parameter called int": ("fn f<T>(x: u64, y: int) -> (r: bool) ensures r { true }", "fn f<int>(x: u64, y: int) -> (r: bool) ensures r { true }"),
    "let hides a parameter": (BIG, f"{F} ensures ({{ let x = 9u64; let r = true; r == (x > 5) }}) {{ true }}"),
    "own Seq": (
        "fn f(v: Ghost<Seq<u64>>) -> (r: bool) ensures r == (v@.len() > 5) { true }",
        "pub struct Seq<T> { t: T } impl<T> Seq<T> { pub open spec fn len(self) -> nat { 0 } } fn f(v: Ghost<Seq<u64>>) -> (r: bool) ensures r == (v@.len() > 5) { true }",
    ),
    "own seq!": (
        f"{F} ensures r == (seq![x, x].len() == 2) {{ true }}",
        f"macro_rules! seq {{ ($($t:tt)*) => {{ Seq::<u64>::empty() }} }} {F} ensures r == (seq![x, x].len() == 2) {{ true }}",
    ),
    "type of the same content in another module": (
        "mod a { pub struct S { pub x: u64 } impl S { pub open spec fn ok(self) -> bool { self.x > 5 } } } use a::S; fn f(s: S) -> (r: bool) ensures r == s.ok() { true }",
        ("mod a { pub struct S { pub x: u64 } impl S { pub open spec fn ok(self) -> bool { self.x > 5 } } }"
        " mod b { pub struct S { pub x: u64 } impl S { pub open spec fn ok(self) -> bool { true } } } use b::S; fn f(s: S) -> (r: bool) ensures r == s.ok() { true }"),
    ),
    "another trait in scope": tuple(
        "mod a { pub trait A { spec fn ok(&self) -> bool; } impl A for u64 { open spec fn ok(&self) -> bool { *self > 5 } } }"
        " mod b { pub trait B { spec fn ok(&self) -> bool; } impl B for u64 { open spec fn ok(&self) -> bool { true } } }"
        f" use {t}; {F} ensures r == x.ok() {{ true }}"
        for t in ("a::A", "b::B")
    ),
    "inherent function before the trait's": (
        "pub struct A { x: u64 } impl View for A { type V = int; spec fn view(&self) -> int { self.x as int } } fn f(x: A) -> (r: bool) ensures r == (x@ > 5) { true }",
        ("pub struct A { x: u64 } impl A { spec fn view(&self) -> int { 0 } } impl View for A { type V = int; spec fn view(&self) -> int { self.x as int } }"
        " fn f(x: A) -> (r: bool) ensures r == (x@ > 5) { true }"),
    ),
    "view changed": (
        "pub struct A { x: u64 } impl View for A { type V = int; spec fn view(&self) -> int { self.x as int } } fn f(x: A) -> (r: bool) ensures r == (x@ > 5) { true }",
        "pub struct A { x: u64 } impl View for A { type V = int; spec fn view(&self) -> int { 0 } } fn f(x: A) -> (r: bool) ensures r == (x@ > 5) { true }",
    ),
    "operator changed": (
        "pub struct A { x: u64 } impl A { spec fn spec_lt(self, o: A) -> bool { self.x < o.x } } fn f(x: A, y: A) -> (r: bool) ensures r == (x < y) { true }",
        "pub struct A { x: u64 } impl A { spec fn spec_lt(self, o: A) -> bool { true } } fn f(x: A, y: A) -> (r: bool) ensures r == (x < y) { true }",
    ),
    "when_used_as_spec of another type": (
        ("pub struct A { x: u64 } pub struct B { x: u64, y: u64 } impl B { spec fn g(self) -> bool { self.x > 5 } }"
        " impl A { spec fn g(self) -> bool { self.x > 5 } #[verifier::when_used_as_spec(g)] fn ok(self) -> bool { true } } fn f(x: A) -> (r: bool) ensures r == x.ok() { true }"),
        ("pub struct A { x: u64 } pub struct B { x: u64, y: u64 } impl B { spec fn g(self) -> bool { self.x > 5 } }"
        " impl A { spec fn g(self) -> bool { true } #[verifier::when_used_as_spec(g)] fn ok(self) -> bool { true } } fn f(x: A) -> (r: bool) ensures r == x.ok() { true }"),
    ),
    "typed addition": ("fn f(x: u64, y: u64) -> (r: u64) ensures r == x + y { 0 }", "fn f(x: u64, y: u64) -> (r: u64) ensures r == add(x, y) { 0 }"),
    "constant with an ensures": (
        "exec const K: u64 ensures K == 5 { 5 } fn f(x: u64) -> (r: bool) ensures r == (x > K) { true }",
        "exec const K: u64 ensures true { 5 } fn f(x: u64) -> (r: bool) ensures r == (x > K) { true }",
    ),
    "static": (
        "exec static K: u64 ensures K == 5 { 5 } fn f(x: u64) -> (r: bool) ensures r == (x > K) { true }",
        "exec static K: u64 ensures K == 6 { 6 } fn f(x: u64) -> (r: bool) ensures r == (x > K) { true }",
    ),
    "constant with a believed value": (
        "#[verifier::external_body] const K: u64 = 5; fn f(x: u64) -> (r: bool) ensures r == (x > K) { true }",
        "#[verifier::external_body] const K: u64 = 6; fn f(x: u64) -> (r: bool) ensures r == (x > K) { true }",
    ),
}  # fmt: skip

# Macros.
GOOD = "macro_rules! good { ($r:expr, $x:expr) => { $r == ($x > 5) } }"
LAX = "macro_rules! good { ($r:expr, $x:expr) => { $r || !$r } }"
USE = f"{F} ensures good!(r, x) {{ true }}"
MACROS: dict[str, tuple[str, str]] = {
    "macro changed": (f"{GOOD} {USE}", f"{LAX} {USE}"),
    "macro defined again below": (f"{GOOD} {USE}", f"{LAX} {USE} {GOOD}"),
    "macro of which one form is hidden": (f"{GOOD} {USE}", f"#[cfg(any())] {GOOD} #[cfg(all())] {LAX} {USE}"),
    "order of a macro's arms": (
        f"macro_rules! g {{ (x) => {{ x > 5 }}; ($a:expr) => {{ true }} }} {F} ensures r == g!(x) {{ true }}",
        f"macro_rules! g {{ ($a:expr) => {{ true }}; (x) => {{ x > 5 }} }} {F} ensures r == g!(x) {{ true }}",
    ),
    "macro of a macro_use module": (f"{GOOD} {USE}", f"{GOOD} #[macro_use] mod n {{ {LAX} }} {USE}"),
    "macro of a module before the use": (f"pub mod n {{ {GOOD} pub {USE} }}", f"{GOOD} pub mod n {{ {LAX} pub {USE} }}"),
    "name that a macro takes from the call": (
        "macro_rules! m { ($k:ident) => { $k > 5 } } fn f(k: u64) -> (r: bool) requires m!(k) ensures r { true }",
        "macro_rules! m { ($k:ident) => { k > 5 } } fn f(k: u64) -> (r: bool) requires m!(k) ensures r { true }",
    ),
    "name that a macro binds": (
        "macro_rules! lt { ($e:expr) => { forall|i: int| 0 <= i < 10 ==> $e > i } } fn f(i: u64) -> (r: bool) requires lt!(i) ensures r { true }",
        "fn f(i: u64) -> (r: bool) requires (forall|i: int| 0 <= i < 10 ==> i > i) ensures r { true }",
    ),
}  # fmt: skip

# Traits and type parameters.
TRAITS: dict[str, tuple[str, str]] = {
    "law that nobody can keep": generic(LAW % "", LAW % "proof fn absurd() ensures false;"),
    "law strengthened": generic(LAW % "", (LAW % "").replace("a.ok();", "a.ok(), false;")),
    "supertrait": generic(
        "trait Imp { proof fn no() ensures false; } " + LAW % "",
        "trait Imp { proof fn no() ensures false; } " + (LAW % "").replace("Sized", "Sized + Imp"),
    ),
    "default body of a spec function": generic(
        LAW % "spec fn good(self) -> bool { self.ok() }",
        LAW % "spec fn good(self) -> bool { true }",
        "fn f<T: Law>(a: T) -> (r: bool) ensures r == a.good() { true }",
    ),
    "function of another type parameter": (
        "trait Sz { spec fn n() -> nat; } fn f<T: Sz, U: Sz>(x: u64) -> (r: u64) ensures r == T::n() { 0 }",
        "trait Sz { spec fn n() -> nat; } fn f<T: Sz, U: Sz>(x: u64) -> (r: u64) ensures r == U::n() { 0 }",
    ),
    "constant of another type parameter": (
        "trait Sz { const N: u64; } fn f<T: Sz, U: Sz>(x: u64) -> (r: u64) ensures r == T::N { 0 }",
        "trait Sz { const N: u64; } fn f<T: Sz, U: Sz>(x: u64) -> (r: u64) ensures r == U::N { 0 }",
    ),
    "type parameters swapped": (
        "trait Sz { const N: u64; } fn f<T: Sz, U: Sz>(x: u64) -> (r: u64) ensures r == T::N { 0 }",
        "trait Sz { const N: u64; } fn f<U: Sz, T: Sz>(x: u64) -> (r: u64) ensures r == T::N { 0 }",
    ),
    "trait's ensures loosened": (
        ("trait Sh { spec fn a(&self) -> int; fn get(&self) -> (r: u64) ensures r == self.a(); } pub struct Q { s: u64 }"
        " impl Sh for Q { spec fn a(&self) -> int { self.s * self.s } fn get(&self) -> u64 { 0 } }"),
        ("trait Sh { spec fn a(&self) -> int; fn get(&self) -> (r: u64) ensures r <= self.a(); } pub struct Q { s: u64 }"
        " impl Sh for Q { spec fn a(&self) -> int { self.s * self.s } fn get(&self) -> u64 { 0 } }"),
    ),
    "implementation's spec function changed": (
        ("trait Sh { spec fn a(&self) -> int; fn get(&self) -> (r: u64) ensures r == self.a(); } pub struct Q { s: u64 }"
        " impl Sh for Q { spec fn a(&self) -> int { self.s * self.s } fn get(&self) -> u64 { 0 } }"),
        ("trait Sh { spec fn a(&self) -> int; fn get(&self) -> (r: u64) ensures r == self.a(); } pub struct Q { s: u64 }"
        " impl Sh for Q { spec fn a(&self) -> int { 0 } fn get(&self) -> u64 { 0 } }"),
    ),
    "one of two implementations of a generic type": (
        "pub struct W<T> { t: T } impl W<u8> { fn g(x: u64) -> (r: u64) ensures r == x { x } } impl W<u16> { fn g(x: u64) -> (r: u64) ensures r == x { x } }",
        "pub struct W<T> { t: T } impl W<u8> { fn g(x: u64) -> (r: u64) ensures r == x { x } } impl W<u16> { fn g(x: u64) -> (r: u64) ensures true { 0 } }",
    ),
    "law of an impl parameter": generic(
        LAW % "", LAW % "proof fn absurd() ensures false;", "fn f(a: impl Law) -> (r: bool) ensures r == a.ok() { true }",
    ),
    "law of an associated type": generic(
        "trait In { proof fn q() ensures true; } trait Law: Sized { type A: In; spec fn ok(self) -> bool; }",
        "trait In { proof fn q() ensures false; } trait Law: Sized { type A: In; spec fn ok(self) -> bool; }",
    ),
    "law in the bound of a type": generic(
        "pub struct W<T> { t: T }", "trait Imp { proof fn no() ensures false; } pub struct W<T: Imp> { t: T }",
        "fn f<T>(w: W<T>) -> (r: bool) ensures r { true }",
    ),
    "same name in two traits of a bound": (
        "trait A { spec fn n() -> nat; } trait B { spec fn n() -> nat; } fn f<T: A + B>(x: u64) -> (r: u64) ensures r == <T as A>::n() { 0 }",
        "trait A { spec fn n() -> nat; } trait B { spec fn n() -> nat; } fn f<T: A + B>(x: u64) -> (r: u64) ensures r == <T as B>::n() { 0 }",
    ),
    "axiom that promises more": (
        "uninterp spec fn p(x: int) -> bool; axiom fn ax(x: int) requires x > 3 ensures p(x);",
        "uninterp spec fn p(x: int) -> bool; axiom fn ax(x: int) requires x > 3 ensures p(x), false;",
    ),
}  # fmt: skip

# Conditional compilation and what Verus does not read.
HIDING: dict[str, tuple[str, str]] = {
    **{
        f"cfg({c})": spec(f"#[cfg(not({c}))] {P} #[cfg({c})] {TRUE}")
        for c in ("unix", 'target_pointer_width = "64"', "true", 'target_os = "linux"', 'panic = "unwind"')
    },
    "cfg_attr external": (BIG, f"#[cfg_attr(all(), verifier::external)] {BIG}"),
    "cfg_attr cfg on the target": (BIG, f"#[cfg_attr(all(), cfg(any()))] {BIG}"),
    "cfg_attr cfg on a definition": spec(f"#[cfg_attr(all(), cfg(any()))] {P} #[cfg(not(any()))] {TRUE}"),
    "external module": (f"pub mod m {{ {BIG} }}", f"#[verifier::external] pub mod m {{ {BIG} }}"),
    "cfg on a module": (f"pub mod m {{ {BIG} }}", f"#[cfg(any())] pub mod m {{ {BIG} }}"),
    "cfg inside a module": (f"pub mod m {{ {BIG} }}", f"pub mod m {{ #![cfg(any())] {BIG} }}"),
    "cfg on a variant": (
        "pub enum E { A, C, B } fn f(x: E) -> (r: bool) ensures r == (x is A) { true }",
        "pub enum E { A, #[cfg(any())] C, B } fn f(x: E) -> (r: bool) ensures r == (x is A) { true }",
    ),
    "cfg on a field": (
        "pub struct S { a: u64, b: u64 } fn f(x: S) -> (r: bool) ensures r == (x.a > 5) { true }",
        "pub struct S { a: u64, #[cfg(any())] b: u64 } fn f(x: S) -> (r: bool) ensures r == (x.a > 5) { true }",
    ),
    "cfg on a match arm": (
        "pub enum E { A, B } fn f(x: E) -> (r: bool) ensures r == match x { E::A => true, _ => false } { true }",
        "pub enum E { A, B } fn f(x: E) -> (r: bool) ensures r == match x { #[cfg(any())] E::A => true, _ => false } { true }",
    ),
    "cfg on a parameter": (
        "fn f(x: u64, y: u64) -> (r: bool) ensures r == (x > 5) { true }",
        "fn f(x: u64, #[cfg(any())] y: u64) -> (r: bool) ensures r == (x > 5) { true }",
    ),
    "cfg on a let": (
        f"spec fn p(x: u64) -> bool {{ let b = true; let b = x > 5; b }} {TAIL}",
        f"spec fn p(x: u64) -> bool {{ let b = true; #[cfg(any())] let b = x > 5; b }} {TAIL}",
    ),
    "cfg on an import": tuple(
        "mod a { pub open spec fn p(x: u64) -> bool { x > 5 } } mod b { pub open spec fn p(x: u64) -> bool { true } }"
        f" #[cfg({c})] use b::p; #[cfg({d})] use a::p; {TAIL}"
        for c, d in (("any()", "all()"), ("all()", "any()"))
    ),
    "cfg on two imports": tuple(
        "mod a { pub open spec fn p(x: u64) -> bool { x > 5 } } mod b { pub open spec fn p(x: u64) -> bool { true } }"
        f" {uses} {TAIL}"
        for uses in ("use a::p;", "#[cfg(unix)] use b::p; #[cfg(not(unix))] use a::p;")
    ),
    "cfg on two modules": (
        f"mod a {{ pub open spec fn p(x: u64) -> bool {{ x > 5 }} }} use a::p; {TAIL}",
        ("#[cfg(unix)] mod a { pub open spec fn p(x: u64) -> bool { true } } #[cfg(not(unix))] mod a { pub open spec fn p(x: u64) -> bool { x > 5 } }"
        f" use a::p; {TAIL}"),
    ),
    "attribute macro on the target": (BIG, f"#[evil::rewrite] {BIG}"),
    "nested comment": (BIG, f"{F} ensures /* /* */ r == (x > 5), */ true {{ true }}"),
    "line comment with a bidi override": (BIG, f"{F} ensures // \u202e r == (x > 5)\n true {{ true }}"),
    "clause in a string": (BIG, f'{F} ensures "r == (x > 5)"@.len() >= 0 {{ true }}'),
    "clause in a doc comment": (BIG, f"/// ensures r == (x > 5)\n{F} {{ true }}"),
    "moved to recommends": (BIG, f"{F} recommends r == (x > 5) {{ true }}"),
    "decoy in a module": (BIG, f"mod n {{ {BIG} }} {F} {{ true }}"),
    "weaker function re-exported": (BIG, f"mod n {{ pub {F} ensures true {{ true }} }} pub use n::f;"),
}  # fmt: skip

# Values, casts, names of variables.
REQ = "fn f(x: u64, y: u64) -> (r: u64) requires %s ensures r == x { x }"
INT = "proof fn f(x: int, y: int) -> (r: int) requires %s ensures r == x { x }"
VALUES: dict[str, tuple[str, str]] = {
    "parameter called result": (
        "fn f(result: u64, x: u64) -> u64 requires result == x, returns x { x }",
        "fn f(result: u64, x: u64) -> u64 requires result == x { 0 }",
    ),
    **{
        f"requires {c}": (REQ % "true", REQ % c)
        for c in (
            "(256 as u8) as int == 256", "256 as u8 == 256", "(300int as u8) == 44", "(x as usize) == x", "x << 64 == 0",
            "x << 1 == 2 * x", "1usize << 40 == 0x100_0000_0000", "!0usize == 0xffff_ffff_ffff_ffff", "usize::MAX == 0xffff_ffff_ffff_ffff",
            "x + 1 <= u64::MAX", "(x + 1) as u64 == x + 1", "exists|k: nat| k < 0", "exists|k: u8| k > 255", "(-128i8 as u8) == 128",
        )
    },
    **{
        f"requires {c}": (INT % "true", INT % c)
        for c in (
            "x / 0 == 0", "seq![1int][5] == 1", "(None::<int>)->0 == 0", "((-1int) as nat) == 0", "(-1 as nat) == 0",
            "Map::<int, int>::empty()[3] == 0", "(-7int) / 2 == -3", "(choose|k: int| k == 3 && k == 4) != 5",
            "forall|k: int| 0 <= k < 1000000 ==> x != k", "Seq::<int>::empty().take(3).len() == 3",
        )
    },
    "wrong at i64::MIN only": (
        "fn f(x: i64) -> (r: i64) ensures r == x { x }", "fn f(x: i64) -> (r: i64) ensures r == x || x == i64::MIN { x }",
    ),
    "wrong from length 11 on": (
        "fn f(v: Vec<u64>) -> (r: bool) ensures r == (v@.len() > 0) { true }",
        "fn f(v: Vec<u64>) -> (r: bool) ensures v@.len() <= 10 ==> r == (v@.len() > 0) { true }",
    ),
    "sorted up to 50": (
        "fn f() -> (v: Vec<u64>) ensures forall|i: int, j: int| 0 <= i < j < v@.len() ==> v[i] <= v[j] { vec![] }",
        "fn f() -> (v: Vec<u64>) ensures forall|i: int, j: int| 0 <= i < j < v@.len() && j < 50 ==> v[i] <= v[j] { vec![] }",
    ),
    "old where final belongs": (
        "fn f(x: &mut u64) requires *old(x) < 10 ensures *final(x) == *old(x) + 1 { }",
        "fn f(x: &mut u64) requires *old(x) < 10 ensures *old(x) + 1 > *old(x) { }",
    ),
    "old and final swapped": (
        "fn f(x: &mut u64) requires *old(x) < 10 ensures *final(x) == *old(x) + 1 { }",
        "fn f(x: &mut u64) requires *old(x) < 10 ensures *old(x) == *final(x) + 1 { }",
    ),
    "same multiset of other lengths": (
        "proof fn f(s: Seq<int>, t: Seq<int>) -> (r: bool) ensures s.to_multiset() == t.to_multiset() { true }",
        "proof fn f(s: Seq<int>, t: Seq<int>) -> (r: bool) ensures s.to_set() == t.to_set(), s.len() == t.len() { true }",
    ),
    "maps of the same domain": (
        "proof fn f(m: Map<int, int>, n: Map<int, int>) -> (r: bool) ensures m == n { true }",
        "proof fn f(m: Map<int, int>, n: Map<int, int>) -> (r: bool) ensures m.dom() == n.dom() { true }",
    ),
}  # fmt: skip

# Recursive definitions.
SUM = "spec fn s(n: int) -> int decreases n { if n <= 0 { 0 } else { n + s(n - 1) } }"


def recursive(definition: str, ensures: str = "r == s(x)", old: str = SUM) -> tuple[str, str]:
    fn = "proof fn f(x: int) -> (r: int) ensures %s { 0 }"
    return f"{old} {fn % 'r == s(x)'}", f"{definition} {fn % ensures}"


RECURSION: dict[str, tuple[str, str]] = {
    "other value for negative numbers": recursive("spec fn s(n: int) -> int decreases n { if n == 0 { 0 } else if n < 0 { 1 } else { n + s(n - 1) } }"),
    "other value at 1000": recursive("spec fn s(n: int) -> int decreases n { if n <= 0 { 0 } else if n == 1000 { 7 } else { n + s(n - 1) } }"),
    "contradictory": recursive("spec fn s(n: int) -> int decreases n { s(n) + 1 }"),
    "contradictory, used as a hypothesis": recursive("spec fn b(n: int) -> bool decreases n { !b(n) }", "b(x) || !b(x)"),
    "contradictory pair": recursive("spec fn a(n: int) -> int decreases n { b(n) + 1 } spec fn b(n: int) -> int decreases n { a(n) + 1 }", "r == a(x)"),
    "contradictory through a closure": recursive(
        "spec fn ap(g: spec_fn(int) -> int, n: int) -> int { g(n) } spec fn s(n: int) -> int decreases n { 1 + ap(|k: int| s(k), n) }"
    ),
    "contradictory through a quantifier": recursive(SUM + " spec fn b(n: int) -> bool decreases n { !(forall|k: int| b(k)) }", "b(0)"),
    "when": recursive(
        "spec fn s(n: int) -> int decreases n when n >= 0 { if n == 0 { 0 } else { s(n - 1) + 1 } }",
        old="spec fn s(n: int) -> int decreases n { if n == 0 { 0 } else { s(n - 1) + 1 } }",
    ),
    "when false": recursive("spec fn s(n: int) -> int decreases n when false { if n <= 0 { 0 } else { n + s(n - 1) } }"),
}  # fmt: skip

# Types and the rest of the interface.
INTERFACE: dict[str, tuple[str, str]] = {
    "array length by a constant": tuple(
        f"const N: usize = {v}; fn f(a: [u8; N]) -> (r: u8) ensures r == a@[0] {{ a[0] }}" for v in ("6 & 7", "2 & 7")
    ),
    "alias of a mutable reference": tuple(
        f"type P = {v}; fn f(x: P) -> (r: bool) ensures r {{ true }}" for v in ("u64", "&'static mut u64")
    ),
    "reference inside a type": tuple(
        f"pub struct A {{ q: {q} }} fn f(a: A) -> (r: bool) ensures r {{ true }}" for q in ("u64", "&'static mut u64")
    ),
    "alias of a box": (
        "type P = u64; fn f(x: P) -> (r: bool) ensures r { true }", "type P = Box<u64>; fn f(x: P) -> (r: bool) ensures r { true }",
    ),
    "type invariant": (
        "pub struct S { x: u64 } impl S { spec fn v(self) -> u64 { self.x } fn f(self) -> (r: bool) ensures r == (self.v() > 5) { true } }",
        ("pub struct S { x: u64 } impl S { #[verifier::type_invariant] spec fn inv(self) -> bool { false } spec fn v(self) -> u64 { self.x }"
        " fn f(self) -> (r: bool) ensures r == (self.v() > 5) { true } }"),
    ),
    "static lifetime": (
        "fn f(x: &u64) -> (r: bool) ensures r == (*x > 3) { true }", "fn f(x: &'static u64) -> (r: bool) ensures r == (*x > 3) { true }",
    ),
    "const fn": (f"const {BIG}", BIG),
    "no_unwind": ("fn f(x: u64) -> (r: bool) ensures r no_unwind { true }", "fn f(x: u64) -> (r: bool) ensures r { true }"),
    "opens_invariants": (
        "fn f(x: u64) -> (r: bool) ensures r opens_invariants none { true }", "fn f(x: u64) -> (r: bool) ensures r opens_invariants any { true }",
    ),
    "mode of a field": (
        "pub struct C { n: u64, ghost m: int } fn f(c: C) -> (r: bool) ensures r == (c.m > 3) { true }",
        "pub struct C { n: u64, tracked m: int } fn f(c: C) -> (r: bool) ensures r == (c.m > 3) { true }",
    ),
    "size of usize": tuple(
        f"global size_of usize == {n}; fn f(x: usize) -> (r: bool) ensures r == (x < 0x1_0000_0000) {{ true }}" for n in (8, 4)
    ),
    "ghost to tracked": (
        "fn f(x: Ghost<int>) -> (r: bool) ensures r == (x@ > 3) { true }", "fn f(x: Tracked<int>) -> (r: bool) ensures r == (x@ > 3) { true }",
    ),
    "bound": ("fn f<T: Clone>(x: &T) -> (r: T) ensures r == *x { todo!() }", "fn f<T: Copy>(x: &T) -> (r: T) ensures r == *x { *x }"),
    "recursive types": (
        "pub struct A { b: Option<Box<B>> } pub struct B { a: Option<Box<A>>, k: u8 } fn f(c: A) -> (r: bool) ensures r == (c.b is None) { true }",
        "pub struct B { a: Option<Box<A>>, k: u16 } pub struct A { b: Option<Box<B>> } fn f(c: A) -> (r: bool) ensures r == (c.b is None) { true }",
    ),
}  # fmt: skip

ATTACKS = {
    f"{group}: {name}": pair
    for group, table in {
        "names": NAMES, "macros": MACROS, "traits": TRAITS, "hiding": HIDING, "values": VALUES, "recursion": RECURSION,
        "interface": INTERFACE,
    }.items()
    for name, pair in table.items()
}  # fmt: skip


@pytest.mark.parametrize("name", cases(ATTACKS, OPEN))
def test_attack_is_not_kept(name: str) -> None:
    report = judge(*ATTACKS[name])
    assert report.kept() is not True, explained(report)


USE_VSTD = "use vstd::prelude::*; "
BARE: dict[str, str] = {
    "own verus!": "macro_rules! verus { ($($t:tt)*) => { fn f(x: u64) -> bool { true } } } verus! { %s }",
    "verus! of a module": "mod k { macro_rules! verus { ($($t:tt)*) => { } } pub(crate) use verus; } use k::verus; verus! { %s }",
    "cfg on the block": "#[cfg(any())] verus! { %s }",
    "cfg on the file": "#![cfg(any())] verus! { %s }",
    "macro that is never called": "macro_rules! unused { () => { verus! { %s } } }",
    "outside": "fn f(x: u64) -> bool { true } verus! { mod q { %s } }",
    "item macro": "macro_rules! mk { () => { verus! { pub enum Option<T> { Some(T), None } } } } mk! {} verus! { %s }",
    "attribute macro on the block": "#[evil::rewrite] verus! { %s }",
    "external beside verus_spec": "#[verus_verify(external)] #[verus_spec(r => ensures r == (x > 5))] fn f(x: u64) -> bool { true }",
}  # fmt: skip
OPEN_BARE: dict[str, str] = {}


@pytest.mark.parametrize("name", cases(BARE, OPEN_BARE))
def test_attack_on_the_block_is_not_kept(name: str) -> None:
    contract = BIG.replace("x > 5)", "x > 5 || Some(x) is None)") if name == "item macro" else BIG
    attack = BARE[name] % contract if "%s" in BARE[name] else BARE[name]
    report = judge(f"{USE_VSTD} verus! {{ {contract} }}", USE_VSTD + attack, bare=True)
    assert report.kept() is not True, explained(report)


def test_the_lists_of_open_attacks_name_attacks() -> None:
    assert set(OPEN) <= set(ATTACKS)
    assert set(OPEN_BARE) <= set(BARE)
