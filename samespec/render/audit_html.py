"""An audit as one self-contained page: the pictures, then every finding in words.

In: audit reports. Out: HTML without scripts and without anything from elsewhere; dark where the reader's system is.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from depgraph.hatches import catalogue
from depgraph.model import AuditReport, Reported, Step
from samespec.render.audit_picture import picture
from samespec.render.audit_svg import STYLE, clean, drawing, legend, link
from samespec.render.audit_text import HEADINGS, NOT_RUN, VERBS, verdict

_PAGE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 1200px; padding: 0 1rem; }
body { background: #fff; color: #1b1f24; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; } code { font-family: ui-monospace, monospace; }
.bad { color: #c62828; } .open { color: #8a6d00; } .good { color: #2a7d3c; } .faint { color: #6a737d; }
.picture { overflow-x: auto; border: 1px solid #d0d7de; border-radius: 8px; }
ul.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; }
ul.legend svg { vertical-align: -3px; }
li.finding { margin-bottom: .8rem; }
@media (prefers-color-scheme: dark) {
  body { background: #14181d; color: #e6edf3; } .bad { color: #ff7b72; } .open { color: #e3b341; } .good { color: #4fb466; }
  .faint { color: #9da7b1; } .picture { border-color: #30363d; } a { color: #79b8ff; }
}
"""


def audit_html(reports: Sequence[AuditReport]) -> str:
    """The page as `samespec audit --format html` writes it."""
    title = f"audit of {clean(reports[0].file)}" if reports else "audit"
    body = [f"<h1>{title}</h1>", _legend()]
    for i, report in enumerate(reports):
        body += _target(report, i)
    body.append(f'<p class="faint">{clean(NOT_RUN)}</p>')
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>samespec: {title}</title>\n<style>{_PAGE}{STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )


def _legend() -> str:
    items = []
    for name, words in legend():
        square = '<rect rx="3" x="2" y="2" width="12" height="12"/>'
        swatch = f'<svg class="closure" width="16" height="16"><g class="{name}">{square}</g></svg>'
        items.append(f"<li>{swatch} {clean(words)}</li>")
    return f'<ul class="legend">{"".join(items)}</ul>'


def _target(report: AuditReport, number: int) -> list[str]:
    p = picture(report)
    tone = {True: "good", False: "bad", None: "open"}[report.clean]
    size = f'width="{p.width:g}" height="{p.height:g}"'
    paper = '<rect class="paper" width="100%" height="100%"/>'
    label = f'role="group" aria-label="{clean(verdict(report))}"'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" class="closure" {size} {label}>{paper}{drawing(p, number)}</svg>'
    out = [
        f'<h2><code>{clean(report.target)}</code>: <span class="{tone}">{clean(verdict(report))}</span></h2>',
        f'<div class="picture">{svg}</div>',
    ]
    for trust in (*HEADINGS, None):
        found = report.of(trust)
        if found:
            name = "notes" if trust is None else HEADINGS[trust]
            out.append(f"<h3>{clean(name)}</h3>\n<ul>{''.join(_finding(r) for r in found)}</ul>")
    out.append("<ul>" + "".join(f'<li class="faint">{clean(str(c))}</li>' for c in report.counts) + "</ul>")
    out += [f'<p class="faint">note: {clean(n)}</p>' for n in report.notes]
    return out


def _finding(r: Reported) -> str:
    hatch = catalogue()[r.finding.hatch]
    place = r.finding.place
    where = f'<a href="{escape(link(place))}">{clean(str(place))}</a>'
    parts = [
        f"{where}: <b>{clean(hatch.name)}</b>: <code>{clean(r.finding.what)}</code>",
        f'<br><span class="faint">{clean(hatch.lets_through)}</span>',
    ]
    if r.path:
        parts.append(f"<br>{' → '.join(['the target', *(_step(s) for s in r.path)])}")
    if r.why:
        parts.append(f'<br><span class="faint">{clean(r.why)}</span>')
    return f'<li class="finding">{"".join(parts)}</li>'


def _step(s: Step) -> str:
    verb, after_may = VERBS[s.kind]
    said = verb if s.certain else f"may {after_may}"
    return f'{clean(said)} <a href="{escape(link(s.place))}"><code>{clean(s.node)}</code></a>'
