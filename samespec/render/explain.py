"""What `samespec explain` prints: open obligations, as text for people and as JSON.

In: a report whose obligations carry their Verus text, and which of them are explained. Out: text, in which the Verus files stand
unindented, ready to paste; or JSON in the schema `samespec/explain/1` (docs/json.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from equiv.verdict import Answer, CheckReport, Obligation, TargetReport, Verdict
from samespec.render.json_report import QUESTION, clause_json, dump, versions
from samespec.render.text import INDENT, Paint, folded, mark, summary, visible

if TYPE_CHECKING:
    from samespec.commands.explain import Explained

EXPLAIN_SCHEMA = "samespec/explain/1"


def tried(obligation: Obligation) -> list[str]:
    """What was tried, step by step; the last one decided it, if it was decided."""
    steps = [s for s in (obligation.detail or obligation.method).split("; ") if s]
    if obligation.answer is not Answer.UNKNOWN and obligation.method not in steps:
        steps.append(f"decided by: {obligation.method}")
    return steps


def explain_text(report: CheckReport, explained: Sequence[Explained], *, everything: bool, color: bool) -> str:
    """The explanation for people; ends with a line break."""
    paint = Paint(color)
    lines: list[str] = []
    for entry in explained:
        lines += _target(entry, paint)
    if not any(e.obligations for e in explained) and not everything:
        lines.append("no obligation is open (--all shows the decided ones too)")
    lines.append(paint.answer(report.kept(), summary(report, strict=False)))
    return "\n".join(lines) + "\n"


def _target(entry: Explained, paint: Paint) -> Iterator[str]:
    target = entry.target
    kept = target.verdict.kept()
    yield paint.answer(kept, f"{mark(kept)} {folded(target.target)}: {target.verdict}")
    if not entry.obligations:
        yield from _why_none(target)
    for obligation, file in entry.obligations:
        yield from _obligation(obligation, file, paint)


def _why_none(target: TargetReport) -> Iterator[str]:
    for reason in target.reasons:
        yield INDENT + folded(reason.message)
    if not target.reasons:
        yield f"{INDENT}no obligation was asked"


def _obligation(o: Obligation, file: str | None, paint: Paint) -> Iterator[str]:
    known = {Answer.PROVED: True, Answer.REFUTED: False, Answer.UNKNOWN: None}[o.answer]
    yield f"{INDENT}{paint.strong(folded(o.name))}: {paint.answer(known, str(o.answer))}: {o.question}"
    if o.clause is not None:
        where = o.clause.side if o.clause.place is None else visible(str(o.clause.place))
        yield f"{INDENT}  {paint.faint(where + ':')} {o.clause.kind} {folded(o.clause.text)}"
    spent = f" ({o.rlimit} of Z3's resource units in all)" if o.rlimit else ""
    yield f"{INDENT}  tried{spent}:"
    for step in tried(o):
        yield f"{INDENT}    {folded(step)}"
    if file is not None:
        yield f"{INDENT}  written to {visible(file)}"
    elif o.lemma is not None:
        yield f"{INDENT}  as a Verus file:"
        yield ""
        yield visible(o.lemma)


def explain_json(report: CheckReport, explained: Sequence[Explained], *, budget: int, exit_status: int) -> str:
    """The explanation for programs."""
    return dump(
        {
            "schema": EXPLAIN_SCHEMA,
            "versions": versions(),
            "original": {"path": report.original, "sha256": report.original_sha256},
            "submitted": {"path": report.submitted, "sha256": report.submitted_sha256},
            "budget": budget,
            "kept": report.kept(),
            "exit_status": exit_status,
            "targets": [
                {
                    "target": e.target.target,
                    "verdict": str(e.target.verdict),
                    "reasons": [r.message for r in e.target.reasons] if _is_open(e.target) else [],
                    "obligations": [
                        {
                            "name": o.name,
                            "question": QUESTION[o.question],
                            "clause": None if o.clause is None else clause_json(o.clause),
                            "answer": str(o.answer),
                            "method": o.method,
                            "rlimit": o.rlimit,
                            "tried": tried(o),
                            "lemma": o.lemma,
                            "file": file,
                        }
                        for o, file in e.obligations
                    ],
                }
                for e in explained
            ],
        }
    )


def _is_open(target: TargetReport) -> bool:
    return target.verdict in (Verdict.UNDECIDED, Verdict.UNSUPPORTED)
