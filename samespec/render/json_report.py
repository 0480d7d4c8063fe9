"""A check's report, and a comparison's, as JSON.

In: the records of `equiv.verdict`. Out: text in the schemas that docs/json.md describes: `samespec/check/1` (also as a
JSON schema, samespec/schemas/check-1.json) and `samespec/compare/1`. Keys stand in the order of the schema; apart from
`timing` the text is the same, byte for byte, in every run on the same input.
"""

from __future__ import annotations

import importlib.metadata
import json
from collections.abc import Mapping, Sequence
from typing import Any

from equiv.verdict import (
    CheckReport,
    ClauseRef,
    Counterexample,
    MeaningChange,
    Obligation,
    Place,
    Question,
    Reason,
    TargetReport,
    TestAnswer,
)
from samespec import __version__

CHECK_SCHEMA = "samespec/check/1"
COMPARE_SCHEMA = "samespec/compare/1"

Json = dict[str, Any]

# The questions as stable words: their long form is for people and may be reworded.
QUESTION = {
    Question.ACCEPTS: "accepts",
    Question.PROMISES: "promises",
    Question.ACCEPTS_NO_MORE: "accepts-no-more",
    Question.PROMISES_NO_MORE: "promises-no-more",
    Question.CALLABLE: "callable",
}


def versions() -> Json:
    """What decided: samespec and the two libraries that a verdict depends on."""
    return {
        "samespec": __version__,
        "z3-solver": importlib.metadata.version("z3-solver"),
        "tree-sitter-rust": importlib.metadata.version("tree-sitter-rust"),
    }


def check_json(
    report: CheckReport,
    *,
    strict: bool,
    budget: int,
    exit_status: int,
    seconds: float,
    beside: Mapping[str, Any] | None = None,
) -> str:
    """The report as `samespec check --format json` prints it; ends with a line break. `beside` holds what was asked for besides
    the contracts: "code_changes", "audit", "confirmation"."""
    return dump(
        {
            "schema": CHECK_SCHEMA,
            "versions": versions(),
            "original": {"path": report.original, "sha256": report.original_sha256},
            "submitted": {"path": report.submitted, "sha256": report.submitted_sha256},
            "strict": strict,
            "budget": budget,
            "kept": report.kept(strict=strict),
            "exit_status": exit_status,
            "confirmed": "not run",
            "targets": [target_json(t, strict) for t in report.targets],
            "unreached": [{"name": c.name, "answer": c.answer, "change": _meaning(c.change)} for c in report.unreached],
            "notes": list(report.notes),
            **(beside or {}),
            "timing": {"seconds": round(seconds, 3)},
        }
    )


def compare_json(rows: Sequence[tuple[str, Sequence[TestAnswer]]], original: str, submitted: str) -> str:
    """The table as `samespec compare --format json` prints it."""
    return dump(
        {
            "schema": COMPARE_SCHEMA,
            "versions": versions(),
            "original": original,
            "submitted": submitted,
            "targets": [
                {"target": target, "answers": [{"test": a.test, "kept": a.kept, "why": a.why} for a in answers]}
                for target, answers in rows
            ],
        }
    )


def dump(value: Json) -> str:
    """JSON in ASCII: whatever a source file holds, the text prints everywhere and hides no control character."""
    return json.dumps(value, indent=2, ensure_ascii=True) + "\n"


def target_json(t: TargetReport, strict: bool) -> Json:
    """One target, as in `samespec/check/1`."""
    return {
        "target": t.target,
        "verdict": str(t.verdict),
        "kept": t.verdict.kept(strict=strict),
        "same": t.same,
        "original_place": _place(t.original_place),
        "submitted_place": _place(t.submitted_place),
        "reasons": [_reason(r) for r in t.reasons],
        "core": [clause_json(c) for c in t.core],
        "meaning": [_meaning(m) for m in t.meaning],
        "uninterpreted": list(t.uninterpreted),
        "obligations": [_obligation(o) for o in t.obligations],
        "notes": list(t.notes),
    }


def _place(place: Place | None) -> Json | None:
    return None if place is None else {"file": place.file, "line": place.line, "column": place.column}


def clause_json(clause: ClauseRef) -> Json:
    return {"side": clause.side, "kind": clause.kind, "text": clause.text, "place": _place(clause.place)}


def _reason(reason: Reason) -> Json:
    example = reason.counterexample
    return {
        "code": reason.code,
        "message": reason.message,
        "clauses": [clause_json(c) for c in reason.clauses],
        "counterexample": None if example is None else counterexample_json(example),
    }


def counterexample_json(example: Counterexample) -> Json:
    return {
        "question": QUESTION[example.question],
        "bindings": [{"name": name, "value": value} for name, value in example.bindings],
        "replayed": example.replayed,
        "replay": example.replay,
        "trace": list(example.trace),
    }


def _meaning(change: MeaningChange) -> Json:
    return {
        "kind": change.kind,
        "name": change.name,
        "old": change.old,
        "new": change.new,
        "old_place": _place(change.old_place),
        "new_place": _place(change.new_place),
    }


def _obligation(o: Obligation) -> Json:
    return {
        "name": o.name,
        "question": QUESTION[o.question],
        "clause": None if o.clause is None else clause_json(o.clause),
        "answer": str(o.answer),
        "method": o.method,
        "rlimit": o.rlimit,
        "detail": o.detail,
        "cross_check": o.cross_check,
    }
