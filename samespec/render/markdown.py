"""Verdicts as Markdown, for a comment on a pull request.

In: reviewed pairs. Out: GitHub-flavoured Markdown: one line that says it all, a table of the targets, and for each finding the
clause and the values that show it, folded away. Text from the files stands in code spans and blocks only, which nothing in it can
leave.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from equiv.verdict import Counterexample, MeaningChange, Reason, TargetReport
from samespec.render.review import Finding, Reviewed, findings, headline, ordered
from samespec.render.text import folded, mark, visible

_MOST_KEPT = 20  # kept targets that the table names; more are counted


def markdown(reviewed: Sequence[Reviewed], *, strict: bool) -> str:
    """The comment; ends with a line break."""
    lines = [f"**samespec** {headline(reviewed, strict=strict)}", ""]
    lines += _table(reviewed, strict)
    for pair in reviewed:
        for target in ordered(pair.report.targets, strict=strict):
            if target.verdict.kept(strict=strict) is not True:
                lines += _target(target)
    others = [f for f in findings(reviewed, strict=strict) if f.rule in ("code-changed", "proof-hole", "not-confirmed")]
    for found in others:
        lines += _other(found)
    lines += ["", "<sub>Decided by samespec's embedded solver; a proof of the code itself is Verus's to give.</sub>"]
    return "\n".join(lines) + "\n"


def _table(reviewed: Sequence[Reviewed], strict: bool) -> Iterator[str]:
    rows = [(pair.report.submitted, t) for pair in reviewed for t in ordered(pair.report.targets, strict=strict)]
    shown, kept = [], 0
    for file, target in rows:
        answer = target.verdict.kept(strict=strict)
        kept += answer is True
        if answer is not True or kept <= _MOST_KEPT:
            shown.append(f"| {mark(answer)} | {_cell(target.target)} | {target.verdict} | {_cell(file)} |")
    if shown:
        yield from ("| | function | verdict | file |", "|-|-|-|-|", *shown)
        if kept > _MOST_KEPT:
            yield f"\n… and {kept - _MOST_KEPT} more that are kept."


def _target(target: TargetReport) -> Iterator[str]:
    reasons = ", ".join(dict.fromkeys(r.code for r in target.reasons)) or str(target.verdict)
    yield f"\n<details><summary>{_escaped(folded(target.target))}: {target.verdict} ({_escaped(reasons)})</summary>\n"
    for reason in target.reasons:
        yield from _reason(reason)
    for change in target.meaning:
        yield from _meaning(change)
    yield "\n</details>"


def _reason(reason: Reason) -> Iterator[str]:
    yield from _block([reason.message])
    for clause in reason.clauses:
        where = "" if clause.place is None else f" at {span(str(clause.place))}"
        yield f"- {clause.side} {clause.kind}{where}: {span(clause.text)}"
    if reason.counterexample is not None:
        yield from _example(reason.counterexample)


def _example(example: Counterexample) -> Iterator[str]:
    if example.bindings:
        yield from ("", "| | value |", "|-|-|")
        yield from (f"| {_cell(name)} | {_cell(value)} |" for name, value in example.bindings)
    yield from _block([*example.trace, f"{'replayed' if example.replayed else 'not replayed'}: {example.replay}"])


def _meaning(change: MeaningChange) -> Iterator[str]:
    yield f"\n{change.kind} {span(change.name)} is defined otherwise:\n"
    old = [f"- {line}" for line in visible(change.old).splitlines()]
    new = [f"+ {line}" for line in visible(change.new).splitlines()]
    yield from _block([*old, *new], "diff")


def _other(found: Finding) -> Iterator[str]:
    where = "" if found.place is None else f" at {span(str(found.place))}"
    yield f"\n- **{found.rule}**{where}: {span(found.message)}"
    if found.details:
        yield from _block(found.details)


def _block(lines: Sequence[str], language: str = "text") -> list[str]:
    """A code block that its content cannot end."""
    text = "\n".join(visible(line) for line in lines)
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return ["", f"{fence}{language}", text, fence, ""]


def span(text: str) -> str:
    """A code span that its content cannot end."""
    inner = folded(text)
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", inner)), default=0))
    pad = " " if inner.startswith("`") or inner.endswith("`") or not inner else ""
    return fence + pad + inner + pad + fence


def _cell(text: str) -> str:
    """A code span in a table: there a bar ends the cell, even inside the span."""
    return span(text).replace("|", "\\|")


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
