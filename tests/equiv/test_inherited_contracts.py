"""What a trait's clauses mean at an implementation: its names are the trait's, whatever the type defines beside it."""

from __future__ import annotations

import pytest

from equiv.check import check_sources
from equiv.verdict import Verdict
from translate.source import from_text

FILE = """use vstd::prelude::*;
verus! {
pub trait Shape {
    spec fn extent(&self) -> nat;
    fn measure(&self) -> (r: u64) ensures r == self.extent();
}
pub struct Bar { pub length: u32 }
BESIDE
impl Shape for Bar {
    open spec fn extent(&self) -> nat { EXTENT }
    fn measure(&self) -> (r: u64) { 1 }
}
}
"""
BESIDE = "impl Bar { pub open spec fn extent(&self) -> nat { 0 } }"


def verdict(before: tuple[str, str], after: tuple[str, str]) -> Verdict:
    original, submitted = (FILE.replace("BESIDE", beside).replace("EXTENT", extent) for beside, extent in (before, after))
    report = check_sources(from_text("original.rs", original), from_text("submitted.rs", submitted))
    return next(t.verdict for t in report.targets if t.target == "crate::<Bar as Shape>::measure")


def test_the_traits_function_is_what_its_contract_names() -> None:
    assert verdict(("", "self.length as nat"), ("", "1")) is Verdict.WEAKENED
    assert verdict(("", "self.length as nat"), ("", "0 + self.length as nat")) is Verdict.EQUIVALENT


@pytest.mark.parametrize("before", [BESIDE, ""])
def test_a_function_of_the_type_itself_does_not_stand_in_for_it(before: str) -> None:
    assert verdict((before, "self.length as nat"), (BESIDE, "1")).kept() is not True
    assert verdict((before, "self.length as nat"), (BESIDE, "self.length as nat")).kept() is not False
