"""A closure in Graphviz's language, for those who lay out themselves.

In: audit reports. Out: one digraph; the nodes and folds are those of the other pictures.
"""

from __future__ import annotations

from collections.abc import Sequence

from depgraph.model import AuditReport, Trust
from samespec.render.audit_picture import picture
from samespec.render.text import visible

_FILL = {
    Trust.ESCAPED: ("#fdd9d7", "#c62828"),
    Trust.DIVERGES: ("#ffe0c2", "#d9660b"),
    Trust.UNVERIFIED: ("#f6d5ee", "#a3278f"),
    Trust.UNRESOLVED: ("#fff3bf", "#b08800"),
    Trust.TRUSTED_ORIGINAL: ("#e4e2f7", "#6e62c4"),
    Trust.TRUSTED_VSTD: ("#edf1f5", "#8493a3"),
    Trust.PROVED: ("#e3f4e5", "#3f9b54"),
}


def audit_dot(reports: Sequence[AuditReport]) -> str:
    """The closures of all targets as one digraph, each in a cluster."""
    out = ["digraph closure {", "  rankdir=LR;", '  node [shape=box, style="rounded,filled", fontname="monospace"];']
    for i, report in enumerate(reports):
        p = picture(report)
        out.append(f"  subgraph cluster_{i} {{")
        out.append(f"    label={_quoted(report.target)};")
        for box in sorted(p.boxes.values(), key=lambda b: -b.trust.rank):
            fill, line = _FILL[box.trust]
            width = 3 if box.target else 1
            label = r"\l".join(_escaped(line) for line in box.lines) + r"\l"
            place = "" if box.place is None else f', URL="{_escaped(box.place.file)}#L{box.place.line}"'
            tip = _quoted(box.tip)
            out.append(
                f'    {_quoted(f"{i} {box.key}")} [label="{label}", fillcolor="{fill}", color="{line}", penwidth={width}, '
                f"tooltip={tip}{place}];"
            )
        for a in p.arrows:
            style = "solid" if a.certain else "dashed"
            colour = ', color="#c62828", penwidth=2' if a.bad else ""
            out.append(
                f'    {_quoted(f"{i} {a.source}")} -> {_quoted(f"{i} {a.target}")} [style={style}, tooltip="{a.kind}"{colour}];'
            )
        out.append("  }")
    out.append("}")
    return "\n".join(out) + "\n"


def _escaped(text: str) -> str:
    return visible(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'
