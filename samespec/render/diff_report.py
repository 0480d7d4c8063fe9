"""The contracts that changed between two revisions, as text for people and as JSON (`samespec/diff/1`, see docs/json.md).

In: a `DiffReport`. Out: text. What is broken stands first.
"""

from __future__ import annotations

from collections.abc import Iterator

from equiv.verdict import TargetReport
from samespec.render.json_report import Json, dump, target_json, versions
from samespec.render.review import ordered
from samespec.render.text import INDENT, Paint, folded, mark, target_lines
from samespec.revisions.diff import DiffReport, FileReport

SCHEMA = "samespec/diff/1"


def diff_text(diff: DiffReport, *, strict: bool, verbose: bool, color: bool) -> str:
    """The report as `samespec diff` prints it; ends with a line break."""
    paint = Paint(color)
    homes = {id(t): f for f in diff.files for t in f.changed}
    lines: list[str] = []
    for target in ordered([t for f in diff.files for t in f.changed], strict=strict):
        file = homes[id(target)]
        lines.append(paint.faint(_where(file)))
        lines += [INDENT[:2] + line for line in target_lines(target, strict, verbose, paint)]
        if target.target in file.moved:
            lines.append(f"{INDENT}{INDENT[:2]}followed to {folded(str(file.moved[target.target]))}")
    for file in diff.files:
        for change in file.report.unreached:
            lines.append(f"{paint.open('!')} {_where(file)}: spec function {folded(change.name)}: {change.answer}")
        for name in file.fresh if verbose else ():
            lines.append(f"{paint.good('+')} {_where(file)}: new contract: {folded(name)}")
        lines += [f"note: {folded(note)}" for note in file.report.notes]
    lines.append(paint.answer(diff.kept(strict=strict), _summary(diff, strict)))
    return "\n".join(lines) + "\n"


def _where(file: FileReport) -> str:
    old, new = file.change.old, file.change.new
    return folded(old or new) + (f" → {folded(new)}" if old and new and old != new else "" if new else " (removed)")


def _summary(diff: DiffReport, strict: bool) -> str:
    targets = [t for f in diff.files for t in f.changed]
    fresh = sum(len(f.fresh) for f in diff.files)
    answers = [t.verdict.kept(strict=strict) for t in targets]
    counts = [(answers.count(False), "not kept"), (answers.count(None), "undecided"), (answers.count(True), "kept")]
    said = ", ".join(f"{n} {what}" for n, what in counts if n)
    changed = f"{len(targets)} contract{'' if len(targets) == 1 else 's'} changed{f' ({said})' if said else ''}"
    more = f", {fresh} new" if fresh else ""
    return f"{mark(diff.kept(strict=strict))} {diff.base} → {diff.head}: {changed}{more}"


def diff_json(diff: DiffReport, *, strict: bool, budget: int, exit_status: int) -> str:
    """The report as `samespec diff --format json` prints it."""
    return dump(
        {
            "schema": SCHEMA,
            "versions": versions(),
            "base": diff.base,
            "head": diff.head,
            "strict": strict,
            "budget": budget,
            "kept": diff.kept(strict=strict),
            "exit_status": exit_status,
            "confirmed": "not run",
            "files": list(_files(diff, strict)),
            "skipped_files": diff.skipped,
        }
    )


def _files(diff: DiffReport, strict: bool) -> Iterator[Json]:
    for file in diff.files:
        yield {
            "old_path": file.change.old or None,
            "new_path": file.change.new or None,
            "changed": [_target(t, file, strict) for t in ordered(file.changed, strict=strict)],
            "new_contracts": list(file.fresh),
            "unreached": [{"name": c.name, "answer": c.answer} for c in file.report.unreached],
            "notes": list(file.report.notes),
        }


def _target(target: TargetReport, file: FileReport, strict: bool) -> Json:
    moved = file.moved.get(target.target)
    return {**target_json(target, strict), "followed_to": None if moved is None else str(moved)}
