
"""What the audit's tests share."""

from __future__ import annotations

from depgraph.closure import audit, audit_submission
from depgraph.crate_loader import LoadedCrate, load_source
from depgraph.model import AuditReport
from translate.source import from_text

#: A lemma and a function with holes, and honest ones.
HOLES = """
#[verifier::external_body] pub proof fn hole() ensures false { }
#[verifier::external_body] pub fn exec_hole(x: u64) -> (r: u64) ensures r > x { x }
pub proof fn fine() ensures true { }
pub fn exec_fine(x: u64) -> (r: u64) ensures r == x { x }
"""


def crate(text: str, name: str = "f.rs") -> LoadedCrate:
    return load_source(from_text(name, text))


def verus(text: str, before: str = "") -> str:
    return f"use vstd::prelude::*;\n{before}\nverus! {{\n{text}\n}}\n"


def run(text: str, target: str = "crate::f", *, before: str = "", solver: bool = False) -> AuditReport:
    """The audit of the inside of a `verus!` block."""
    return audit(crate(verus(text, before)), target, solver=solver)


def found(report: AuditReport) -> set[str]:
    """The hatches that decide something."""
    return {r.finding.hatch for r in report.reported if r.trust is not None}


def pair(original: str, submitted: str, target: str = "crate::f", *, solver: bool = False) -> AuditReport:
    """The audit of a submission against an original, each the inside of a `verus!` block."""
    return audit_submission(crate(verus(original), "o.rs"), crate(verus(submitted), "s.rs"), target, solver=solver)
