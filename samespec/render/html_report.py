"""Verdicts as one self-contained page: readable on a phone, in the dark, without a network, and without scripts.

In: reviewed pairs with their sources. Out: HTML. Whatever comes from a file is text there: the template escapes it, and the
page's own policy forbids scripts and everything from elsewhere.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from equiv.verdict import MeaningChange, TargetReport
from samespec import __version__
from samespec.render.json_report import check_json
from samespec.render.review import Finding, Reviewed, findings, headline, ordered
from samespec.render.side_by_side import Piece, contract_source, marked
from samespec.render.text import CONFIRMED, SAME, mark, visible
from translate.source import SourceText

if TYPE_CHECKING:
    from jinja2 import Template

_TONE = {True: "good", False: "bad", None: "open"}
_COUNTED = (("not kept", "bad", False), ("undecided", "open", None), ("kept", "good", True))


@dataclass(frozen=True, slots=True)
class Page:
    """One pair of files for the page: what was found, and the two texts (None: the file is not there). `moved` says of targets
    that were followed in which text they stand now, and at which path."""

    reviewed: Reviewed
    original: SourceText | None
    submitted: SourceText | None
    budget: int
    moved: dict[str, tuple[SourceText, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Download:
    name: str
    about: str
    data: str


@dataclass(frozen=True, slots=True)
class _Target:
    """One target as the template shows it."""

    report: TargetReport
    tone: str
    sign: str
    word: str
    old: list[Piece]
    new: list[Piece]
    meaning: list[tuple[MeaningChange, list[Piece], list[Piece]]]
    downloads: list[_Download]


def html_report(pages: Sequence[Page], *, strict: bool, exit_status: int) -> str:
    """The page."""
    reviewed = [p.reviewed for p in pages]
    answers = [t.verdict.kept(strict=strict) for r in reviewed for t in r.report.targets]
    files = [_file(page, strict, exit_status) for page in pages]
    tone = {0: "good", 1: "bad"}.get(exit_status, "open")
    return (
        _template().render(
            headline=headline(reviewed, strict=strict),
            tone=tone,
            counts=[(word, tone, answers.count(kept)) for word, tone, kept in _COUNTED],
            files=files,
            confirmed=CONFIRMED,
            version=__version__,
        )
        + "\n"
    )


def _file(page: Page, strict: bool, exit_status: int) -> dict[str, Any]:
    report = page.reviewed.report
    others = [f for f in findings([page.reviewed], strict=strict) if f.rule in ("code-changed", "proof-hole", "not-confirmed")]
    return {
        "original": report.original,
        "submitted": report.submitted,
        "hashes": (report.original_sha256, report.submitted_sha256),
        "targets": [_target(t, page, strict) for t in ordered(report.targets, strict=strict)],
        "unreached": report.unreached,
        "notes": report.notes,
        "others": [_other(f) for f in others],
        "pictures": list(_pictures(page.reviewed)),
        "download": _Download("report.json", "the report as JSON", _json(page, strict, exit_status)),
    }


def _target(target: TargetReport, page: Page, strict: bool) -> _Target:
    kept = target.verdict.kept(strict=strict)
    name = target.target.replace("::", "-")
    now = contract_source(*page.moved.get(target.target, (page.submitted, target.target)))
    old, new = marked(visible(contract_source(page.original, target.target)), visible(now))
    word = SAME.get(target.same or "", "") if kept else ", ".join(dict.fromkeys(r.code for r in target.reasons))
    return _Target(
        target,
        _TONE[kept],
        mark(kept),
        word,
        old,
        new,
        [(c, *marked(visible(c.old), visible(c.new))) for c in target.meaning],
        [
            _Download(f"{name}-{o.name}.smt2", f"{o.name} ({o.answer} by {o.method})", _data("text/plain", o.smt2))
            for o in target.obligations
            if o.smt2 is not None
        ],
    )


def _other(found: Finding) -> dict[str, Any]:
    return {"rule": found.rule, "message": found.message, "place": found.place, "details": found.details, "tone": found.level}


def _pictures(reviewed: Reviewed) -> Iterable[dict[str, str]]:
    """The closures that were audited, as SVG made by `audit_svg`, which escapes what it shows."""
    from markupsafe import Markup

    from samespec.render.audit_picture import picture
    from samespec.render.audit_svg import drawing
    from samespec.render.audit_text import verdict

    for number, report in enumerate(a for b in reviewed.beside for a in b.audits):
        p = picture(report)
        paper = '<rect class="paper" width="100%" height="100%"/>'
        about = f"what the proof of {report.target} leans on: {verdict(report)}"
        size = f'width="{p.width:g}" height="{p.height:g}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" class="closure" {size} role="group" aria-label="{Markup.escape(about)}">'
        yield {"about": about, "tone": _TONE[report.clean], "svg": Markup(f"{head}{paper}{drawing(p, number)}</svg>")}


def _json(page: Page, strict: bool, exit_status: int) -> str:
    """The report for programs; without the time it took, so that the page is the same in every run."""
    beside = {b.key: b.value for b in page.reviewed.beside}
    text = check_json(
        page.reviewed.report, strict=strict, budget=page.budget, exit_status=exit_status, seconds=0.0, beside=beside
    )
    document = json.loads(text)
    del document["timing"]
    return _data("application/json", json.dumps(document, indent=2))


def _data(kind: str, text: str) -> str:
    return f"data:{kind};base64,{base64.b64encode(text.encode()).decode()}"


def _quoted(text: str) -> str:
    """A sentence whose words between backticks are code."""
    from markupsafe import Markup

    escaped = str(Markup.escape(visible(text)))  # as a plain text: a `Markup` would escape the tags that come in
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", escaped))


@cache
def _template() -> Template:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    from samespec.render.audit_svg import STYLE

    folder = Path(__file__).with_name("templates")
    environment = Environment(
        loader=FileSystemLoader(folder), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.globals["picture_style"] = Markup(STYLE)
    environment.filters["visible"] = visible
    environment.filters["quoted"] = _quoted
    return environment.get_template("report.html.j2")
