"""Tables: one set of rows, written as CSV for programs and as Markdown for people.

In: columns and rows. Out: text. A CSV has the plain values under the columns' keys; Markdown has the columns' titles, numbers to
the right, shares in per cent.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Cell = str | int | float | bool | None
Style = Literal["text", "code", "number", "share", "p"]

#: What Markdown would read as something else than text.
_SPECIAL = frozenset("\\`*_{}[]<>#|~&")
NONE = "–"


@dataclass(frozen=True, slots=True)
class Column:
    """`key` heads the column in CSV, `title` in Markdown. `style`: "text", "code" (set as code), "number", "share" (a number
    between 0 and 1, shown in per cent), "p" (a p-value)."""

    key: str
    title: str
    style: Style = "text"


@dataclass(frozen=True, slots=True)
class Table:
    """`name` is that of its files, `caption` one line of Markdown that says what is to be seen."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: Sequence[Sequence[Cell]]

    def csv(self) -> str:
        """With a line for the keys; shares and p-values with six digits, nothing for None."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([c.key for c in self.columns])
        for row in self.rows:
            writer.writerow([_plain(x) for x in row])
        return out.getvalue()

    def markdown(self, limit: int | None = None) -> str:
        """A table in GitHub's Markdown; at most `limit` rows."""
        marks = ["---:" if c.style in ("number", "share", "p") else ":---" for c in self.columns]
        lines = ["| " + " | ".join(escape(c.title) for c in self.columns) + " |", "| " + " | ".join(marks) + " |"]
        for row in self.rows if limit is None else self.rows[:limit]:
            lines.append("| " + " | ".join(_shown(x, c.style) for x, c in zip(row, self.columns, strict=True)) + " |")
        return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    """Text that Markdown leaves alone, on one line."""
    return "".join(f"\\{c}" if c in _SPECIAL else c for c in " ".join(text.split()))


def code(text: str, *, in_table: bool = False) -> str:
    """Text set as code, on one line, whatever backticks it has."""
    text = " ".join(text.split())
    if not text:
        return ""
    longest = max((len(run) for run in "".join(c if c == "`" else " " for c in text).split()), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{fence}{pad}{text.replace('|', chr(92) + '|') if in_table else text}{pad}{fence}"


def percent(share: float | None, digits: int = 1) -> str:
    """A share in per cent."""
    return NONE if share is None else f"{100 * share:.{digits}f}%"


def p_value(p: float | None) -> str:
    """A p-value with two digits that count, or its bound."""
    if p is None:
        return NONE
    if p < 0.0001:
        return "< 0.0001"
    return f"{p:.2g}" if p < 0.1 else f"{p:.2f}"


def _plain(x: Cell) -> str | int:
    if x is None:
        return ""
    if isinstance(x, bool):
        return str(x).lower()
    return f"{x:.6g}" if isinstance(x, float) else x


def _shown(x: Cell, style: Style) -> str:
    if x is None:
        return NONE
    if isinstance(x, bool):
        return "yes" if x else "no"
    if isinstance(x, int | float):
        if style == "share":
            return percent(x)
        if style == "p":
            return escape(p_value(x))
        return str(x) if isinstance(x, int) else f"{x:.3g}"
    return code(x, in_table=True) if style == "code" else escape(x)
