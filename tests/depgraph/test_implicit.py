# ruff: noqa: E501 (programs stand on one line each)
"""What code calls without naming it: contracts of library traits' methods, of functions of other languages, of slices behind vectors."""

from __future__ import annotations

import pytest

from depgraph.closure import audit_targets, split_targets
from depgraph.crate_loader import load_source
from tests.depgraph.helpers import found, run
from translate.source import from_text

S = "pub struct S { pub v: u64 } "
LIE = "#[verifier::external_body]"
HOLES = {
    "a default by the type of a variable": (S + f"impl Default for S {{ {LIE} fn default() -> (r: S) ensures false {{ S {{ v: 0 }} }} }} fn f() {{ let s: S = Default::default(); }}", "external-body"),
    "a default inside the library": (S + f"impl Default for S {{ {LIE} fn default() -> (r: S) ensures false {{ S {{ v: 0 }} }} }} fn f(o: Option<S>) {{ let s = o.unwrap_or_default(); }}", "external-body"),
    "a clone inside the library": (S + f"impl Clone for S {{ {LIE} fn clone(&self) -> (r: S) ensures false {{ S {{ v: 0 }} }} }} fn f(v: &Vec<S>) {{ let w = v.clone(); }}", "external-body"),
    "into": (S + f"impl From<u64> for S {{ {LIE} fn from(e: u64) -> (r: S) ensures false {{ S {{ v: e }} }} }} fn f(x: u64) {{ let s: S = x.into(); }}", "external-body"),
    "a question mark": (S + f"impl From<u64> for S {{ {LIE} fn from(e: u64) -> (r: S) ensures false {{ S {{ v: e }} }} }} fn g() -> Result<u64, u64> {{ Err(1) }} fn f() -> Result<u64, S> {{ let y = g()?; Ok(y) }}", "external-body"),
    "a dereference": (S + "impl S { fn open(&self) { } } " + f"pub struct T {{ pub s: S }} impl core::ops::Deref for T {{ type Target = S; {LIE} fn deref(&self) -> (r: &S) ensures false {{ &self.s }} }} fn f(t: T) {{ t.open(); }}", "external-body"),
    "an assumption in the body": (S + "impl Default for S { fn default() -> (r: S) ensures false { assume(false); S { v: 0 } } } fn f() { let s: S = Default::default(); }", "assume"),
    "a method of a slice on a vector": ("assume_specification<T: PartialOrd>[ <[T]>::is_sorted ](s: &[T]) -> (b: bool) ensures false; fn f(v: &Vec<i64>) { let b = v.is_sorted(); }", "assume-specification"),
    "a trait's method specified for a type": (S + "assume_specification[ <S as Clone>::clone ](s: &S) -> (r: S) ensures false; fn f(v: &Vec<S>) { let w = v.clone(); }", "assume-specification"),
    "another language": ('extern "C" { fn g(x: u64) -> u64; } assume_specification[ g ](x: u64) -> (r: u64) ensures false; fn f() { unsafe { g(1); } }', "assume-specification"),
    "a trait of the library": ("#[verifier::external_trait_specification] pub trait ExAsRef<T: ?Sized> { type ExternalTraitSpecificationFor: core::convert::AsRef<T>; fn as_ref(&self) -> (r: &T) ensures false; } fn f<N: core::convert::AsRef<str>>(n: &N) { let t: &str = n.as_ref(); }", "external-trait-specification"),
    "a loop without an end, by permission": ("#[verifier::exec_allows_no_decreases_clause] fn f() { for i in 0.. { } }", "no-decreases"),
}  # fmt: skip


@pytest.mark.parametrize("name", list(HOLES))
def test_a_hole_behind_what_is_not_named(name: str) -> None:
    program, hatch = HOLES[name]
    report = run(program)
    assert hatch in found(report), report.reported
    assert report.clean is False


@pytest.mark.parametrize(
    "program",
    [
        "proof fn f(x: int) ensures x * 2 == x + x { assert(x * 2 == x + x) by (integer_ring); }",
        "proof fn f(x: int) by (integer_ring) ensures x * 2 == x + x { }",
    ],
)
def test_another_prover_is_noted(program: str) -> None:
    report = run(program)
    assert "integer-ring" in {r.finding.hatch for r in report.of(None)}
    assert report.clean is True


HONEST = {
    "a default that is proved": S + "impl Default for S { fn default() -> (r: S) ensures r.v == 0 { S { v: 0 } } } fn f() { let s: S = Default::default(); }",
    "an implementation that promises nothing": S + f"impl core::fmt::Debug for S {{ {LIE} fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {{ Ok(()) }} }} fn f() {{ }}",
    "a dereference that is proved": S + "impl core::ops::Deref for S { type Target = u64; fn deref(&self) -> (r: &u64) ensures *r == self.v { &self.v } } fn f(s: S) { }",
    "a loop with two ends, by permission": "#[verifier::exec_allows_no_decreases_clause] fn f(v: &Vec<u8>) { for i in 0..v.len() { } for x in v.iter() { } }",
    "a loop over an iterator of its own": "struct I { n: u8 } fn f(i: I) { for x in i { } }",
}  # fmt: skip


@pytest.mark.parametrize("name", list(HONEST))
def test_no_hole(name: str) -> None:
    report = run(HONEST[name])
    assert report.clean is True, report.reported


TRUSTS = "use vstd::prelude::*; verus! { axiom fn law(x: int) ensures x * 0 == 0; fn f(x: u8) -> (r: u8) ensures r == x { x } }"


def test_what_the_original_declares_to_be_trusted_is_no_task() -> None:
    original = load_source(from_text("original.rs", TRUSTS))
    assert split_targets(original, ["crate::law", "crate::f"]) == (["crate::f"], ["crate::law"])
    assert split_targets(original, ["crate::law"]) == (["crate::law"], [])  # somebody wants just that
    (report,) = audit_targets(original, original, ["crate::law"])
    assert report.clean is False
