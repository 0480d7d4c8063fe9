"""Edits of a source text by byte spans, and its tokens in one flat row.

In: a `SourceText` and spans of its syntax tree. Out: edited texts. Nothing here looks at characters: what stands around a
span is asked of the tokens.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import NamedTuple

from translate.source import SourceText
from translate.syntax import Span
from translate.tokens import CLOSER, Group, Token, tokenize


class Edit(NamedTuple):
    """Puts `text` where `span` stands."""

    span: Span
    text: str


def apply_edits(source: SourceText, edits: Iterable[Edit]) -> str:
    """The text after all edits. Raises `ValueError` where two of them overlap or one is outside the text.

    Edits that insert at the same place keep their order.
    """
    data = source.data
    ordered = sorted(edits, key=lambda e: (e.span.start, e.span.end))
    pieces: list[bytes] = []
    at = 0
    for edit in ordered:
        start, end = edit.span
        if start < at or end < start or end > len(data):
            raise ValueError(f"edit at bytes {start}..{end} overlaps another one or leaves the text")
        pieces += (data[at:start], edit.text.encode("utf-8"))
        at = end
    pieces.append(data[at:])
    return b"".join(pieces).decode("utf-8")


class Tokens:
    """All tokens of a text in order, brackets as tokens of their own; comments are no tokens."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self.all: list[Token] = []
        self._flatten(tokenize(source)[0])
        self._starts = [t.start for t in self.all]
        self._ends = [t.end for t in self.all]
        self.names = {t.text for t in self.all if t.kind in ("ident", "lifetime")}

    def _flatten(self, tokens: list[Token]) -> None:
        for token in tokens:
            if isinstance(token, Group):
                self.all.append(Token("punct", token.text, token.start, token.start + 1))
                self._flatten(token.tokens())
                self.all.append(Token("punct", CLOSER[token.text], token.end - 1, token.end))
            elif token.kind != "eof":
                self.all.append(token)

    def before(self, offset: int) -> Token | None:
        """The last token that ends at or before an offset."""
        at = bisect_left(self._starts, offset) - 1
        return self.all[at] if at >= 0 else None

    def after(self, offset: int) -> Token | None:
        """The first token that starts at or behind an offset."""
        at = bisect_left(self._starts, offset)
        return self.all[at] if at < len(self.all) else None

    def inside(self, span: Span) -> list[Token]:
        """The tokens that start in a span."""
        return self.all[bisect_left(self._starts, span.start) : bisect_left(self._starts, span.end)]

    def around(self, span: Span) -> tuple[str, str]:
        """The texts of the tokens just before and just behind a span."""
        before, after = self.before(span.start), self.after(span.end)
        return ("" if before is None else before.text, "" if after is None else after.text)

    def with_parentheses(self, span: Span) -> Span:
        """A span with all the parentheses that stand directly around it. Only for an expression whose surroundings are a list
        or a block: the parentheses of a call would count too."""
        while True:
            before, after = self.before(span.start), self.after(span.end)
            if before is None or after is None or (before.text, after.text) != ("(", ")"):
                return span
            span = Span(before.start, after.end)

    def with_comma(self, span: Span) -> Span:
        """A span with the comma behind it, if there is one."""
        after = self.after(span.end)
        return Span(span.start, after.end) if after is not None and after.text == "," else span

    def fresh(self, base: str) -> str:
        """A name that does not occur in the text, made from `base`."""
        base = base.strip("_") or "x"
        number = 1
        while f"{base}_{number}" in self.names:
            number += 1
        return f"{base}_{number}"

    def named(self, name: str) -> list[Token]:
        """The tokens that are this identifier."""
        return [t for t in self.all if t.kind == "ident" and t.text == name]
