"""Findings as workflow commands of GitHub Actions: one line each, shown at their place in a pull request.

In: reviewed pairs. Out: lines. Source: GitHub's documentation, "Workflow commands for GitHub Actions".
"""

from __future__ import annotations

from collections.abc import Sequence

from samespec.render.review import Finding, Reviewed, findings, headline


def github(reviewed: Sequence[Reviewed], *, strict: bool) -> str:
    """One command for each finding, and the headline as plain text behind them."""
    lines = [_command(f) for f in findings(reviewed, strict=strict)]
    return "\n".join([*lines, headline(reviewed, strict=strict)]) + "\n"


def _command(found: Finding) -> str:
    fields = {"title": f"samespec: {found.rule}"}
    place = found.place or found.before
    if place is not None:
        fields = {"file": place.file, "line": str(place.line), "col": str(place.column), **fields}
    said = ",".join(f"{name}={_property(value)}" for name, value in fields.items())
    return f"::{found.level} {said}::{_data(chr(10).join([found.message, *found.details]))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
