"""A closure as SVG, for a page or a file of its own.

In: audit reports. Out: one SVG document; classes are colours, boxes link to their places, colours follow the reader's dark mode.
Nothing from the files gets in unescaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from urllib.parse import quote

from depgraph.model import AuditReport, Trust
from equiv.verdict import Place
from samespec.render.audit_picture import LINE, PAD, Arrow, Box, Picture, picture
from samespec.render.audit_text import HEADINGS
from samespec.render.text import visible

#: For each class: fill and line in a light and in a dark surrounding.
PAINT = {
    "escaped": ("#fdd9d7", "#c62828", "#5a1d1a", "#ff7b72"),
    "diverges": ("#ffe0c2", "#d9660b", "#55300f", "#ffa657"),
    "unverified": ("#f6d5ee", "#a3278f", "#4d1c46", "#f778d4"),
    "unresolved": ("#fff3bf", "#b08800", "#453a0b", "#e3b341"),
    "trusted-original": ("#e4e2f7", "#6e62c4", "#2c2852", "#a89cf5"),
    "trusted-vstd": ("#edf1f5", "#8493a3", "#262d35", "#7d8a98"),
    "proved": ("#e3f4e5", "#3f9b54", "#16361d", "#4fb466"),
}
_INK = ("#1b1f24", "#5f6973", "#ffffff", "#9aa4af", "#c62828")  # text, faint text, paper, arrows, bad arrows
_DARK_INK = ("#e6edf3", "#9da7b1", "#14181d", "#69737d", "#ff7b72")


def _colours(dark: bool) -> str:
    ink, faint, paper, line, bad = _DARK_INK if dark else _INK
    rules = [f".closure .{name} rect {{ fill: {p[2 * dark]}; stroke: {p[2 * dark + 1]}; }}" for name, p in PAINT.items()]
    rules += [
        f".closure .paper {{ fill: {paper}; }}",
        f".closure text {{ fill: {ink}; }} .closure text.more {{ fill: {faint}; }}",
        f".closure text.kind {{ fill: {faint}; }}",
        f".closure path.arrow {{ stroke: {line}; }} .closure path.arrow.bad {{ stroke: {bad}; }}",
        f".closure path.head {{ fill: {line}; }} .closure path.head.bad {{ fill: {bad}; }}",
    ]
    return "\n".join(rules)


#: Plain CSS, without variables: not every program that shows SVG knows them.
STYLE = f"""
.closure {{ font: 13px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }}
.closure .title {{ font-size: 16px; font-weight: bold; }}
.closure .name {{ font-weight: bold; }}
.closure rect {{ stroke-width: 1.4; }}
.closure .escaped rect, .closure .diverges rect, .closure .unverified rect {{ stroke-width: 2.4; }}
.closure .unresolved rect {{ stroke-width: 2; stroke-dasharray: 5 3; }}
.closure .target rect {{ stroke-width: 3.4; }}
.closure path.arrow {{ fill: none; stroke-width: 1.2; }}
.closure path.arrow.bad {{ stroke-width: 2.2; }}
.closure path.arrow.unsure {{ stroke-dasharray: 5 4; }}
.closure text.kind {{ font-size: 11px; }}
{_colours(False)}
@media (prefers-color-scheme: dark) {{
{_colours(True)}
}}
"""


def audit_svg(reports: Sequence[AuditReport]) -> str:
    """One SVG document with the closures of all targets, one below the other."""
    parts: list[str] = []
    width = y = 0.0
    for i, report in enumerate(reports):
        p = picture(report)
        parts.append(f'<g transform="translate(0 {y:g})">{drawing(p, i)}</g>')
        width, y = max(width, p.width), y + p.height + LINE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="closure" viewBox="0 0 {width:g} {y:g}" width="{width:g}" '
        f'height="{y:g}" role="img">\n<style>{STYLE}</style>\n<rect class="paper" width="100%" height="100%"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def drawing(p: Picture, number: int) -> str:
    """The boxes and arrows of one picture."""
    out = ["<defs>"]
    for name, kind, size in (("tip", "head", 8), ("bad", "head bad", 6)):
        box = f'viewBox="0 0 8 8" refX="7" refY="4" markerWidth="{size}" markerHeight="{size}" orient="auto"'
        out.append(f'<marker id="{name}{number}" {box}><path class="{kind}" d="M0 0L8 4L0 8z"/></marker>')
    out += ["</defs>", f'<text class="title" x="{PAD * 2}" y="30">{clean(p.title)}</text>']
    out += [_arrow(a, p, number) for a in sorted(p.arrows, key=lambda a: a.bad)]
    out += [_box(b) for b in p.boxes.values()]
    out += [_label(a, p) for a in p.arrows if a.bad and a.kind not in ("call",)]
    return "\n".join(out)


def clean(text: str) -> str:
    """Text made safe for markup: no tags, no control or direction characters."""
    return escape(visible(text))


def link(place: Place) -> str:
    """A link to a file; the line is in the fragment, which editors and viewers of code understand."""
    return f"{quote(Path(place.file).as_posix())}#L{place.line}"


def _box(b: Box) -> str:
    lines = []
    for i, line in enumerate(b.lines):
        kind = "name" if i == 0 else "more" if i in (1, len(b.lines) - 1) else "what"
        lines.append(f'<text class="{kind}" x="{b.x + PAD:g}" y="{b.y + PAD + LINE * i + 10:g}">{clean(line)}</text>')
    shape = f'<rect rx="6" x="{b.x:g}" y="{b.y:g}" width="{b.width:g}" height="{b.height:g}"/>'
    body = f"<title>{clean(b.tip)}</title>{shape}{''.join(lines)}"
    if b.place is not None:
        body = f'<a href="{escape(link(b.place))}">{body}</a>'
    return f'<g class="{b.trust}{" target" if b.target else ""}">{body}</g>'


def _ends(a: Arrow, p: Picture) -> tuple[float, float, float, float]:
    s, t = p.boxes[a.source], p.boxes[a.target]
    return s.x + s.width, s.y + s.height / 2, t.x, t.y + t.height / 2


def _arrow(a: Arrow, p: Picture, number: int) -> str:
    s, t = p.boxes[a.source], p.boxes[a.target]
    x1, y1, x2, y2 = _ends(a, p)
    if t.layer > s.layer:
        bend = max(30.0, (x2 - s.edge) / 2)
        path = f"M{x1:g} {y1:g}H{s.edge:g}C{s.edge + bend:g} {y1:g} {x2 - bend:g} {y2:g} {x2 - 2:g} {y2:g}"
    else:  # back to the left, or within a layer: around the right side
        x2 = t.x + t.width
        out = max(x1, x2) + 34 + 4 * abs(t.layer - s.layer)
        path = f"M{x1:g} {y1:g}C{out:g} {y1:g} {out:g} {y2:g} {x2 + 2:g} {y2:g}"
    kind = "arrow" + (" bad" if a.bad else "") + ("" if a.certain else " unsure")
    marker = f"url(#{'bad' if a.bad else 'tip'}{number})"
    return f'<path class="{kind}" d="{path}" marker-end="{marker}"><title>{clean(a.kind)}</title></path>'


def _label(a: Arrow, p: Picture) -> str:
    """The kind of a dependency that is no plain call, where the arrow comes in."""
    _, _, x2, y2 = _ends(a, p)
    return f'<text class="kind" x="{x2 - 12:g}" y="{y2 - 11:g}" text-anchor="end">{clean(a.kind)}</text>'


def legend() -> list[tuple[str, str]]:
    """The classes in the order of their weight, with the words for people."""
    names = {str(t): n for t, n in HEADINGS.items()}
    names |= {str(Trust.TRUSTED_VSTD): "vstd and std", str(Trust.PROVED): "nothing taken on trust"}
    return list(names.items())
