"""What an agent is given: the task's files, and after a failure structured feedback.

In: a task, the judgement of the last correction. Out: files for the build folder. docs/referee.md documents them. Nothing of
the withheld tests is ever in them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from equiv.verdict import CheckReport
from referee.judge import Judgement
from referee.task import RefereeTask
from referee.verus import functions_of
from translate import syntax as sx
from translate.parser import parse_file
from translate.source import from_text

SOLUTION, ORIGINAL, TASK, FEEDBACK, USAGE = "solution.rs", "original.rs", "task.json", "feedback.json", "usage.json"
TASK_FORMAT, FEEDBACK_FORMAT = "samespec-task-1", "samespec-feedback-1"
_MOST = 20


def contract_of(text: str, target: str) -> dict[str, Any]:
    """The contract of a function as its file words it: signature and clauses."""
    source = from_text("original.rs", text)
    for path, fn in functions_of(parse_file(source).items, ""):
        if path == target.removeprefix("crate::"):
            clauses = [{"kind": c.kind, "text": _folded(source.snippet(e.span))} for c in fn.clauses for e in c.exprs]
            ends = [c.span.start for c in fn.clauses] + ([fn.body.start] if fn.body is not None else [])
            start = max([fn.span.start, *(a.span.end for a in fn.attrs if not a.inner)])
            signature = _folded(source.snippet(sx.Span(start, min(ends, default=fn.span.end))))
            return {"function": path, "mode": fn.mode, "signature": signature, "clauses": clauses}
    return {"function": target, "mode": "", "signature": "", "clauses": []}


def _folded(text: str) -> str:
    return " ".join(text.split())


def task_files(task: RefereeTask, solution: str, *, attempt: int, correction: int, last: Judgement | None) -> dict[str, bytes]:
    """The files of one call of the agent. The contract is restated each time."""
    statement = {
        "format": TASK_FORMAT,
        "task": task.name,
        "title": task.title,
        "description": task.description,
        "mode": task.mode,
        "target": task.target,
        "contract": contract_of(task.given, task.target),
        "attempt": attempt,
        "correction": correction,
        "write": SOLUTION,
        "rules": [
            f"Edit {SOLUTION}: implement and prove the target. {ORIGINAL} is for reference.",
            "Keep every contract, and what its words mean; a stronger contract is kept too.",
            "In mode `proof` executable code must not change either."
            if task.mode == "proof"
            else "Bodies and proofs are yours; contracts are not.",
            "assume, admit, axioms, external bodies and their kin are screened out before Verus sees the file.",
            f'Write what you used to {USAGE}: {{"tokens": N, "dollars": X}}.',
        ],
    }
    files = {SOLUTION: solution.encode(), ORIGINAL: task.given.encode(), TASK: _json(statement)}
    if last is not None:
        files[FEEDBACK] = _json(feedback(task, last, attempt=attempt, correction=correction))
    return files


def _json(data: object) -> bytes:
    return (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode()


def feedback(task: RefereeTask, last: Judgement, *, attempt: int, correction: int) -> dict[str, Any]:
    """Why the last correction was not accepted: modified clauses, unsound constructs, the verifier's diagnostics."""
    screening, verus = last.screening, last.verus
    findings = screening.findings if screening is not None else ()
    return {
        "format": FEEDBACK_FORMAT,
        "task": task.name,
        "attempt": attempt,
        "correction": correction,
        "outcome": str(last.outcome),
        "why": last.why,
        "modified_clauses": list(_modified(screening.report if screening is not None else None))[:_MOST],
        "unsound_constructs": [
            {"layer": f.layer, "code": f.code, "message": f.message, "line": f.line} for f in findings if f.layer in (1, 2)
        ][:_MOST],
        "other_findings": [{"code": f.code, "message": f.message, "line": f.line} for f in findings if f.layer not in (1, 2)][
            :_MOST
        ],
        "diagnostics": [
            {"level": d.level, "message": d.message, "label": d.label, "line": d.line, "column": d.column}
            for d in (verus.diagnostics if verus is not None else ())
            if d.level == "error"
        ][:_MOST],
        "resource_limit": bool(verus is not None and verus.rlimit_exceeded),
        "contract": contract_of(task.given, task.target),
    }


def _modified(report: CheckReport | None) -> Iterator[dict[str, Any]]:
    if report is None:
        return
    for target in report.targets:
        if target.verdict.kept() is True:
            continue
        for reason in target.reasons:
            yield {
                "function": target.target,
                "verdict": str(target.verdict),
                "code": reason.code,
                "message": reason.message,
                "clauses": [{"side": c.side, "kind": c.kind, "text": c.text} for c in reason.clauses],
                "counterexample": []
                if reason.counterexample is None
                else [f"{name} = {value}" for name, value in reason.counterexample.bindings],
            }
