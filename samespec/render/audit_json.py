"""An audit as JSON: schema `samespec/audit/1` (samespec/schemas/audit-1.json, docs/json.md).

In: the records of `depgraph.model`. Out: text; the same, byte for byte, in every run on the same input.
"""

from __future__ import annotations

from collections.abc import Sequence

from depgraph.hatches import catalogue
from depgraph.model import AuditReport, Reported, Trust
from equiv.verdict import Place
from samespec.render.json_report import Json, dump, versions

AUDIT_SCHEMA = "samespec/audit/1"


def audit_json(reports: Sequence[AuditReport], second_opinion: Sequence[str] | None, *, exit_status: int) -> str:
    """The reports as `samespec audit --format json` prints them; ends with a line break."""
    answers = [r.clean for r in reports]
    return dump(
        {
            "schema": AUDIT_SCHEMA,
            "versions": versions(),
            "file": reports[0].file if reports else "",
            "original": reports[0].original if reports else None,
            "clean": False if False in answers else None if None in answers else True,
            "exit_status": exit_status,
            "confirmed": "not run",
            "targets": [_target(r) for r in reports],
            "second_opinion": None if second_opinion is None else list(second_opinion),
        }
    )


def _place(place: Place | None) -> Json | None:
    return None if place is None else {"file": place.file, "line": place.line, "column": place.column}


def _target(report: AuditReport) -> Json:
    classes = list(report.trust.values())
    return {
        "target": report.target,
        "place": _place(report.place),
        "clean": report.clean,
        "classes": {str(t): classes.count(t) for t in Trust},
        "findings": [_finding(r) for r in report.reported],
        "counts": [{"what": c.what, "part": c.part, "whole": c.whole} for c in report.counts],
        "nodes": [
            {"path": key, "class": str(trust), "kind": report.nodes[key].kind, "role": report.nodes[key].role,
             "place": _place(report.nodes[key].place)}
            for key, trust in report.trust.items()
        ],
        "edges": [
            {"from": e.source, "to": e.target, "kind": e.kind, "certain": e.certain, "place": _place(e.place)}
            for e in report.edges
        ],
        "notes": list(report.notes),
    }  # fmt: skip


def _finding(r: Reported) -> Json:
    hatch = catalogue()[r.finding.hatch]
    return {
        "hatch": hatch.id,
        "name": hatch.name,
        "class": "note" if r.trust is None else str(r.trust),
        "node": r.finding.node,
        "place": _place(r.finding.place),
        "what": r.finding.what,
        "why": r.why,
        "path": [{"node": s.node, "kind": s.kind, "certain": s.certain, "place": _place(s.place)} for s in r.path],
    }
