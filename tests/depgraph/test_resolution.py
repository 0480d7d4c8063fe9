# ruff: noqa: E501 (programs stand on one line each)
"""Calls are found by what names mean: every way to reach a function, and what only looks like one."""

from __future__ import annotations

import pytest

from tests.depgraph.helpers import HOLES, found, run

S = "pub struct S { pub x: u64 }\n"
M = f"pub mod m {{ use vstd::prelude::*; {HOLES} }}\n"

REACHED = {
    "full path": M + "fn f() { proof { crate::m::hole(); } }",
    "self path": M + "fn f() { proof { self::m::hole(); } }",
    "super": M + "pub mod n { pub fn f() { proof { super::m::hole(); } } }",
    "super of a nested module": HOLES + "pub mod n { pub mod k { pub fn f() { proof { super::super::hole(); } } } }",
    "use in the body": M + "fn f() { use crate::m::hole as h; proof { h(); } }",
    "use in an inner block over a variable": M + "fn f() { let h = 1u64; { use crate::m::exec_hole as h; let y = h(1); } }",
    "glob in an inner block over a variable": M + "fn f() { let exec_hole = 1u64; { use crate::m::*; let y = exec_hole(1); } }",
    "function in an inner block over a variable": (
        "fn f() { let h = 1u64; { #[verifier::external_body] fn h(x: u64) -> (r: u64) ensures r > x { x } let y = h(1); } }"
    ),
    "glob of a glob": M
    + "pub mod a { pub use crate::m::*; } pub mod b { pub use crate::a::*; } use b::*; fn f() { proof { hole(); } }",
    "re-export three deep": M
    + "pub mod a { pub use crate::m::hole as h1; } pub mod b { pub use crate::a::h1 as h2; } use b::h2 as h3; fn f() { proof { h3(); } }",
    "import cycle": M
    + "pub mod a { pub use crate::b::*; pub use crate::m::hole; } pub mod b { pub use crate::a::*; } fn f() { proof { b::hole(); } }",
    "module alias": M + "use m as k; fn f() { proof { k::hole(); } }",
    "function value": HOLES + "fn f() { let g = exec_hole; let y = g(1); }",
    "function argument": HOLES + "fn apply<F: Fn(u64) -> u64>(g: F) -> u64 { g(1) } fn f() { let y = apply(exec_hole); }",
    "constant": HOLES + "exec const X: u64 ensures X > 0 { exec_hole(0) } fn f() -> u64 { X }",
    "spec constant": "#[verifier::external_body] pub closed spec fn p() -> int { 1 } pub spec const X: int = p(); fn f() ensures X == X { }",
    "method": S + "impl S { #[verifier::external_body] pub fn go(&self) ensures false { } } fn f(s: S) { s.go(); }",
    "method by path": S + "impl S { #[verifier::external_body] pub fn go(&self) ensures false { } } fn f(s: S) { S::go(&s); }",
    "method through an alias of the type": S
    + "impl S { #[verifier::external_body] pub fn make() -> S ensures false { S { x: 1 } } } type T = S; fn f() { let s = T::make(); }",
    "Self": S + "impl S { #[verifier::external_body] fn go() ensures false { } pub fn f() { Self::go(); } }",
    "method of a field": S
    + "impl S { #[verifier::external_body] pub fn go(&self) ensures false { } } pub struct R { pub s: S } fn f(r: &R) { r.s.go(); }",
    "method of an element": S
    + "impl S { #[verifier::external_body] pub fn go(&self) ensures false { } } fn f(v: Vec<S>) requires v.len() > 0 { v[0].go(); }",
    "method of a pattern's variable": S
    + "impl S { #[verifier::external_body] pub fn go(&self) ensures false { } } fn f(o: Option<S>) { if let Some(s) = o { s.go(); } }",
    "method of a call's result": S
    + "impl S { #[verifier::external_body] pub fn go(&self) ensures false { } } fn mk() -> S { S { x: 1 } } fn f() { mk().go(); }",
    "method of an unknown receiver": S
    + "impl S { #[verifier::external_body] pub fn go(&self) ensures false { } } fn f(v: Vec<S>) { let s = v.iter().next().unwrap(); s.go(); }",
    "method of another type's mutual name": S
    + "pub struct R; impl R { pub fn go(&self) { } } impl S { #[verifier::external_body] pub fn go(&self) ensures false { } }"
    + " fn f(s: S) { s.go(); }",
    "trait method on a parameter": S
    + "pub trait G { fn go(&self) ensures false; } impl G for S { #[verifier::external_body] fn go(&self) { } } fn f<T: G>(t: T) { t.go(); }",
    "trait method by where": S
    + "pub trait G { fn go(&self) ensures false; } impl G for S { #[verifier::external_body] fn go(&self) { } }"
    + " fn f<T>(t: T) where T: G { t.go(); }",
    "trait method by path": S
    + "pub trait G { fn go(&self) ensures false; } impl G for S { #[verifier::external_body] fn go(&self) { } } fn f(s: S) { G::go(&s); }",
    "qualified path": S
    + "pub trait G { fn go(&self) ensures false; } impl G for S { #[verifier::external_body] fn go(&self) { } }"
    + " fn f(s: S) { <S as G>::go(&s); }",
    "impl Trait": S
    + "pub trait G { fn go(&self) ensures false; } impl G for S { #[verifier::external_body] fn go(&self) { } } fn f(t: impl G) { t.go(); }",
    "supertrait": S
    + "pub trait G { fn go(&self) ensures false; } pub trait H: G { } impl G for S { #[verifier::external_body] fn go(&self) { } }"
    + " fn f<T: H>(t: T) { t.go(); }",
    "default method": S + "pub trait G { fn go(&self) ensures true { assume(false); } } impl G for S { } fn f(s: S) { s.go(); }",
    "blanket implementation": S
    + "pub trait G { fn go(&self) ensures false; } impl<T> G for T { #[verifier::external_body] fn go(&self) { } } fn f(s: S) { s.go(); }",
    "trait method on a library type": (
        "pub trait G { fn go(&self) ensures false; } impl G for Vec<u64> { #[verifier::external_body] fn go(&self) { } }"
        " fn f(v: Vec<u64>) { v.go(); }"
    ),
    "trait method on an integer": (
        "pub trait G { fn go(&self) ensures false; } impl G for u64 { #[verifier::external_body] fn go(&self) { } } fn f(v: u64) { v.go(); }"
    ),
    "operator": S
    + "impl core::ops::Add for S { type Output = S; #[verifier::external_body] fn add(self, o: S) -> (r: S) ensures false { self } }"
    + " fn f(a: S, b: S) { let c = a + b; }",
    "index": S
    + "impl core::ops::Index<usize> for S { type Output = u64; #[verifier::external_body] fn index(&self, i: usize) -> &u64 { &self.x } }"
    + " fn f(a: S) { let c = a[0]; }",
    "view": S
    + "impl View for S { type V = int; #[verifier::external_body] closed spec fn view(&self) -> int { 1 } } fn f(a: S) requires a@ == 1 { }",
    "equality in code": S
    + "impl PartialEq for S { #[verifier::external_body] fn eq(&self, o: &S) -> (r: bool) ensures r { true } } fn f(a: S, b: S) -> bool { a == b }",
    "operator in a contract": S
    + "impl vstd::std_specs::ops::SpecAdd for S { #[verifier::external_body] spec fn spec_add(self, o: S) -> S { self } } fn f(a: S, b: S) requires a + b == a { }",
    "for loop": S
    + "impl Iterator for S { type Item = u64; #[verifier::external_body] fn next(&mut self) -> Option<u64> { None } }"
    + " fn f(s: S) { for x in s { } }",
    "contract": "#[verifier::external_body] pub closed spec fn p() -> bool { true } fn f() ensures p() { }",
    "trait's contract": S
    + "#[verifier::external_body] pub closed spec fn p() -> bool { true } pub trait G { fn f(&self) ensures p(); } impl G for S { fn f(&self) { } }",
    "loop invariant": "#[verifier::external_body] pub closed spec fn p() -> bool { true } fn f() { for i in 0..3 invariant p() { } }",
    "decreases": "#[verifier::external_body] pub closed spec fn p() -> int { 1 } proof fn f(n: int) decreases p() { if n > 0 { f(n - 1); } }",
    "quantifier": "#[verifier::external_body] pub closed spec fn p(i: int) -> bool { true } proof fn f() ensures forall|i: int| p(i) { }",
    "calc": HOLES + "proof fn f() { calc! { (==) 1int; { hole(); } 1int; } }",
    "module's broadcast use": "#[verifier::external_body] pub broadcast proof fn b(x: int) ensures #[trigger] (x * x) > 0 { } broadcast use b; proof fn f() { }",
    "when_used_as_spec": "#[verifier::external_body] pub closed spec fn p(x: u64) -> u64 { x }"
     " #[verifier::when_used_as_spec(p)] pub fn g(x: u64) -> u64 { x } fn f() ensures g(1) == 1 { }",
    "item macro": "mk!(hid); fn f() { proof { hid(); } }",
    "macro from another module": "pub mod k { macro_rules! go { () => { proof { crate::hole(); } } } pub(crate) use go; }"
    + HOLES
    + " fn f() { k::go!(); }",
    "older spelling": "#[verifier(external_body)] proof fn h() ensures false { } fn f() { proof { h(); } }",
    "newer spelling": "#[verus_verify(external_body)] fn h() { } fn f() { h(); }",
    "conditional attribute": "#[cfg_attr(verus_keep_ghost, verifier::external_body)] proof fn h() ensures false { } fn f() { proof { h(); } }",
    "proof closure": HOLES + "proof fn f() { let g = proof_fn |x: int| { hole(); }; g(1); }",
    "match arm": HOLES + "fn f(x: u64) { match x { 0 => { }, _ => { proof { hole(); } } } }",
    "let else": HOLES + "fn f(o: Option<u64>) { let Some(x) = o else { proof { hole(); } return; }; }",
    "struct expression": HOLES + S + "fn f() -> S { S { x: exec_hole(1) } }",
    "return": HOLES + "fn f() -> u64 { return exec_hole(1); }",
    "raw name": "#[verifier::external_body] proof fn r#try() ensures false { } fn f() { proof { r#try(); } }",
}
BEFORE = "macro_rules! mk { ($n:ident) => { #[verifier::external_body] pub proof fn $n() ensures false { } }; }"


@pytest.mark.parametrize("name", list(REACHED))
def test_reached(name: str) -> None:
    target = {"super": "n::f", "super of a nested module": "k::f", "Self": "S::f", "trait's contract": "<S as G>::f"}
    report = run(REACHED[name], target.get(name, "crate::f"), before=BEFORE)
    assert found(report) & {"external-body", "assume", "broadcast-axiom"}, report.reported
    assert "unresolved-name" not in found(report), report.reported


NOT_REACHED = {
    "unused": HOLES + "fn f() { proof { fine(); } }",
    "a local variable": HOLES + "fn f() { let exec_hole = |x: u64| -> (r: u64) ensures r == x { x }; let y = exec_hole(1); }",
    "a parameter": HOLES + "proof fn f(hole: int) ensures hole == hole { }",
    "a closure's parameter": HOLES + "fn f() { let g = |exec_hole: u64| -> (r: u64) ensures r == exec_hole { exec_hole }; }",
    "a field": HOLES + "pub struct R { pub hole: u64 } fn f(r: R) -> u64 { r.hole }",
    "a named field in an expression": HOLES + "pub struct R { pub hole: u64 } fn f() -> R { R { hole: 1 } }",
    "another module's": M + "pub mod k { pub proof fn hole() { } } use k::hole; fn f() { proof { hole(); } }",
    "a local definition over a glob": M + "use m::*; proof fn hole() { } fn f() { proof { hole(); } }",
    "an import over a glob": M + "pub mod k { pub proof fn hole() { } } use m::*; use k::hole; fn f() { proof { hole(); } }",
    "a method of another type": S
    + "pub struct R; impl R { pub fn go(&self) { } } impl S { #[verifier::external_body] pub fn go(&self) ensures false { } }"
    + " fn f(r: R) { r.go(); }",
    "a method of another type, by inference": S
    + "pub struct R; impl R { pub fn new() -> R { R } pub fn go(&self) { } }"
    + " impl S { #[verifier::external_body] pub fn go(&self) ensures false { } } fn f() { let r = R::new(); r.go(); }",
    "a library method": S
    + "impl S { #[verifier::external_body] pub fn len(&self) -> usize { 0 } } fn f(v: Vec<u64>) -> usize { v.len() }",
    "a library operator": S
    + "impl core::ops::Add for S { type Output = S; #[verifier::external_body] fn add(self, o: S) -> S { self } } fn f(a: u8) { let b = a + 1; }",
    "a sibling implementation": S
    + "pub struct R; pub trait G { fn go(&self) ensures true; } impl G for S { #[verifier::external_body] fn go(&self) { } }"
    + " impl G for R { fn go(&self) { } } fn f(r: R) { r.go(); }",
    "another module's broadcast use": (
        "pub mod k { use vstd::prelude::*; #[verifier::external_body] pub broadcast proof fn b(x: int) ensures #[trigger] (x * x) > 0 { }"
        " broadcast use b; pub proof fn g() { } } proof fn f() { }"
    ),
    "the body of what is trusted by vstd": "fn f(v: &mut Vec<u64>) { v.push(1); }",
    "equality in a contract": S
    + "#[verifier::external] impl PartialEq for S { fn eq(&self, o: &S) -> bool { true } } fn f(a: S, b: S) requires a == b { proof { assert(a == b); } }",
    "a macro's name": "macro_rules! hole { () => { 1 } } fn f() -> u64 { hole!() }",
    "cfg(test)": HOLES + "#[cfg(test)] mod tests { fn f() { proof { super::hole(); } } } fn f() { }",
}


@pytest.mark.parametrize("name", list(NOT_REACHED))
def test_not_reached(name: str) -> None:
    report = run(NOT_REACHED[name])
    assert report.clean is True, report.reported


CLEAN_VSTD = {
    "vector index": "fn f(v: &Vec<u64>) -> u64 requires v.len() > 0 { v[0] }",
    "vector methods": "fn f() { let mut v: Vec<u64> = Vec::new(); v.push(1); v.set(0, 2); let n = v.len(); let w = v.clone(); let x = v.pop(); }",
    "iterators": "fn f(v: Vec<u64>) { for x in iter: v.iter() invariant true { } for i in 0..v.len() { } let mut it = v.iter(); let a = it.next(); }",
    "hash map": (
        "use std::collections::HashMap; use vstd::std_specs::hash::*;"
        " fn f(m: &mut HashMap<u64, u64>) { broadcast use group_hash_axioms; m.insert(1, 2); let x = m.get(&1); let y = m.contains_key(&1); }"
    ),
    "hash set": "use std::collections::HashSet; fn f() { let mut s: HashSet<u64> = HashSet::new(); s.insert(1); }",
    "strings": 'fn f(s: &String) -> usize { let t = s.as_str(); proof { reveal_strlit("abc"); } t.unicode_len() }',
    "options": "fn f(o: Option<u64>) -> u64 { match o { Some(x) => x, None => 0 } }",
    "option methods": "fn f(o: Option<u64>) -> u64 requires o is Some { if o.is_some() { o.unwrap() } else { 0 } }",
    "slices": "use vstd::slice::*; fn f(s: &[u64]) -> u64 requires s.len() > 1 { let t = slice_subrange(s, 0, 1); s[0] }",
    "arrays": "fn f(a: [u64; 4]) -> u64 { a[3] }",
    "lemmas": "use vstd::arithmetic::mul::*; proof fn f(x: int) { lemma_mul_is_commutative(x, 3); vstd::arithmetic::div_mod::lemma_div_is_ordered(1, 2, 3); }",
    "sequences": "proof fn f(s: Seq<int>) { assert(s + Seq::empty() =~= s); broadcast use vstd::seq_lib::group_seq_properties; let m = s.to_multiset(); }",
    "macros": "proof fn f() { let s = seq![1int, 2]; let m = map![1int => 2int]; let t = set![1int]; assert_by_contradiction!(s.len() == 2, { }); }",
    "sets": "proof fn f(s: Set<int>) requires s.finite() { assert(s.subset_of(s)); let n = s.len(); vstd::set_lib::lemma_len_subset(s, s); }",
    "atomics": "use vstd::atomic::*; fn f(a: &PAtomicU64, Tracked(p): Tracked<&mut PermissionU64>) { let x = a.load(Tracked(p)); }",
    "pointers": "use vstd::simple_pptr::*; fn f() { let (p, Tracked(perm)) = PPtr::<u64>::new(5); let x = p.borrow(Tracked(&perm)); }",
    "ghost variables": "fn f() { let ghost mut g = 1int; proof { g = g + 1; } let tracked t = (); let x: Ghost<int> = Ghost(3); assert(x@ == 3); }",
    "unreachable": "fn f(x: u64) requires false { proof { vstd::pervasive::proof_from_false::<int>(); } vstd::pervasive::unreached::<()>() }",
    "closures": "fn f() { let g = |x: u64| -> (r: u64) requires x < 9 ensures r == x + 1 { x + 1 }; let y = g(3); assert(y == 4); }",
    "assertions": "proof fn f(x: u64) { assert(x & 1 <= 1) by (bit_vector); assert(x * 0 == 0) by (nonlinear_arith); assert(2 + 2 == 4) by (compute); }",
    "choose and reveal": "#[verifier::opaque] spec fn p(x: int) -> bool { x > 3 } proof fn f() { reveal(p); assert(p(4)); let y = choose|y: int| p(y); hide(p); }",
    "result and ?": "fn g() -> Result<u64, u64> { Ok(1) } fn f() -> Result<u64, u64> { let x = g()?; Ok(x) }",
    "derive": "#[derive(Clone, Copy, PartialEq, Eq, Structural)] pub struct P { pub x: u64 } fn f(p: P) -> P { let q = p.clone(); let b = p == q; q }",
}


@pytest.mark.parametrize("name", list(CLEAN_VSTD))
def test_what_merely_uses_vstd_is_clean(name: str) -> None:
    report = run(CLEAN_VSTD[name])
    assert report.clean is True, report.reported


WORDS = {
    "identifiers": "fn assume_role(admit_one: u64) -> (external_body: u64) ensures external_body == admit_one { admit_one } fn f() { let assume_ = assume_role(1); }",
    "strings": 'fn f() -> &\'static str { "admit(); assume(false); #[verifier::external_body]" }',
    "raw strings": 'fn f() -> &\'static str { r#"assume(false)"# }',
    "comments": "// assume(false); external_body\n/* admit(); /* axiom fn */ */ fn f() { /* vstd::pervasive::assume(false) */ }",
    "documentation": "/// `#[verifier::external_body]` and `admit()`\nfn f() { }",
    "fields and methods": "pub struct R { pub assume: u64, pub admit: u64 } impl R { fn admit(&self) -> u64 { self.admit } } fn f(r: R) -> u64 { r.admit() + r.assume }",
    "modules and types": "pub mod assume { pub proof fn admit() { } } pub struct Axiom; fn f(a: Axiom) { proof { assume::admit(); } }",
    "lints": '#[allow(unused_assume)] #[doc = "external_body"] fn f() { }',
    "a variable called loop_forever": "fn f() { let loop_forever = 1u64; let decreases_by = loop_forever; }",
    "macro tokens in a string": 'macro_rules! say { ($e:expr) => { $e }; } fn f() { let s = say!("assume(false)"); }',
}


@pytest.mark.parametrize("name", list(WORDS))
def test_words_raise_nothing(name: str) -> None:
    report = run(WORDS[name])
    assert report.clean is True, report.reported
    assert not report.reported


def test_verus_spec_with() -> None:
    """`#[verus_spec(with …)]` outside `verus!`: Verus's own guard has called such code cheating."""
    text = "#[verus_spec(r => with Tracked(t): Tracked<int> requires x < 10, ensures r == x + 1)] fn f(x: u64) -> u64 { x + 1 }"
    report = run("", before=text)
    assert report.clean is True, report.reported
