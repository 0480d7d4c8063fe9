"""An audit as text for people: one line a finding, where and what, and the way to it from the target.

In: `depgraph.model.AuditReport`. Out: lines of text, coloured or plain, harmless for a terminal whatever the file holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from depgraph.hatches import catalogue
from depgraph.model import AuditReport, Reported, Trust
from samespec.render.text import INDENT, Paint, folded, mark

NOT_RUN = "confirmed: not run (the audit reads; that what is left is proved is for Verus to say)"
MOST = 40  # findings of one class in one report

HEADINGS = {
    Trust.ESCAPED: "escaped",
    Trust.DIVERGES: "may not terminate",
    Trust.UNVERIFIED: "not verified",
    Trust.UNRESOLVED: "cannot be seen",
    Trust.TRUSTED_ORIGINAL: "trusted by the original too",
}


def audit_text(reports: Sequence[AuditReport], *, verbose: bool, color: bool) -> str:
    """The report as `samespec audit` prints it; ends with a line break."""
    paint = Paint(color)
    lines: list[str] = []
    for report in reports:
        lines += _target(report, verbose, paint)
    lines.append(paint.faint(NOT_RUN))
    return "\n".join(lines) + "\n"


def verdict(report: AuditReport) -> str:
    """The answer for one target, in a few words."""
    if report.clean:
        before = len({r.finding.node for r in report.of(Trust.TRUSTED_ORIGINAL)})
        return "clean" + (f", apart from what the original trusted ({before})" if before else "")
    parts = []
    for trust, name in HEADINGS.items():
        count = len({r.finding.node for r in report.of(trust)})
        if count and trust is not Trust.TRUSTED_ORIGINAL:
            parts.append(f"{count} {name}")
    return "not clean: " + ", ".join(parts) if report.clean is False else "unresolved: " + ", ".join(parts)


def _target(report: AuditReport, verbose: bool, paint: Paint) -> Iterator[str]:
    yield paint.answer(report.clean, f"{mark(report.clean)} {folded(report.target)}: {verdict(report)}")
    for trust in (*HEADINGS, None):
        found = report.of(trust)
        for r in found[: None if verbose else MOST]:
            yield from _finding(r, paint)
        if not verbose and len(found) > MOST:
            yield f"{INDENT}{len(found) - MOST} more of this kind (--verbose shows all)"
    for count in report.counts:
        yield paint.faint(f"{INDENT}{count}")
    for note in report.notes:
        yield paint.faint(f"{INDENT}note: {folded(note)}")
    if verbose:
        for key, trust in report.trust.items():
            place = report.nodes[key].place
            yield paint.faint(f"{INDENT}{trust:<16} {folded(key)}" + (f" ({place})" if place else ""))


def _finding(r: Reported, paint: Paint) -> Iterator[str]:
    hatch = catalogue()[r.finding.hatch]
    label = "note" if r.trust is None else str(r.trust)
    line = f"{INDENT}{folded(str(r.finding.place))}: {label}: {folded(hatch.name)}: {folded(r.finding.what)}"
    fatal = r.trust is not None and r.trust.fatal
    yield paint.bad(line) if fatal else paint.open(line) if r.trust is Trust.UNRESOLVED else paint.faint(line)
    if r.path:
        yield f"{INDENT}{INDENT}" + way(r)
    if fatal or r.trust is Trust.UNRESOLVED:
        yield paint.faint(f"{INDENT}{INDENT}{folded(hatch.lets_through)}")
    if r.why:
        yield paint.faint(f"{INDENT}{INDENT}{folded(r.why)}")


def way(r: Reported) -> str:
    """The way from the target to a finding, as in `the target calls a (f.rs:3:5), which calls b (f.rs:9:1)`."""
    parts = []
    for i, step in enumerate(r.path):
        verb, after_may = VERBS[step.kind]
        said = verb if step.certain else f"may {after_may}"
        start = "the target" if i == 0 else "which"
        where = step.place if step.place.file != r.finding.place.file else f"line {step.place.line}"
        parts.append(f"{start} {said} `{folded(step.node)}` ({folded(str(where))})")
    return ", ".join(parts)


#: For each kind of edge: a verb, and the verb after "may".
VERBS = {
    "call": ("calls", "call"),
    "mention": ("names", "name"),
    "contract": ("says in its contract", "say in its contract"),
    "decreases": ("measures by", "measure by"),
    "via": ("ends because of", "end because of"),
    "broadcast-use": ("uses the facts of", "use the facts of"),
    "group-member": ("has the member", "have the member"),
    "when-used-as-spec": ("means in specifications", "mean in specifications"),
    "implements": ("is implemented by", "be implemented by"),
    "type": ("uses the type", "use the type"),
    "type-invariant": ("has the invariant", "have the invariant"),
    "drop": ("is dropped by", "be dropped by"),
    "implicit": ("implicitly calls", "implicitly call"),
    "specified-by": ("calls what is specified by", "call what is specified by"),
    "macro": ("expands", "expand"),
}


def second_text(differences: Sequence[str]) -> str:
    """What Verus's own call graph says otherwise."""
    if not differences:
        return "second opinion: Verus's call graph has the same edges\n"
    return "".join(f"second opinion: {folded(d)}\n" for d in differences)
