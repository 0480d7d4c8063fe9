"""Two contracts side by side: their texts, with what differs marked.

In: two source texts and a function's path. Out: pieces, each of which says whether the other side has it too. Differences are
found between tokens, not lines: a clause that moved by one character is not a changed contract.
"""

from __future__ import annotations

import difflib
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from translate import syntax as sx
from translate.names import Crate
from translate.parser import parse_file
from translate.source import SourceText
from translate.vstd import library

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text. `differs`: the other side does not have it."""

    text: str
    differs: bool


def contract_source(source: SourceText | None, path: str) -> str:
    """The signature and clauses of a function as they stand in the file, without its body; "" where it is not there."""
    if source is None:
        return ""
    found = Crate(source, parse_file(source), library()).functions_at(path)
    if not found or not isinstance(found[0].item, sx.Fn):
        return ""
    fn = found[0].item
    end = fn.span.end if fn.body is None else fn.body.start
    start = source.data.rfind(b"\n", 0, fn.span.start) + 1
    indent = source.data[start : fn.span.start]
    lead = indent.decode("utf-8", errors="replace") if not indent.strip() else ""
    return textwrap.dedent(lead + source.snippet((fn.span.start, end))).rstrip()


def marked(old: str, new: str) -> tuple[list[Piece], list[Piece]]:
    """Both texts in pieces. White space never differs."""
    a, b = _TOKEN.findall(old), _TOKEN.findall(new)
    words_a, words_b = [t for t in a if not t.isspace()], [t for t in b if not t.isspace()]
    kept_a, kept_b = [False] * len(words_a), [False] * len(words_b)
    for block in difflib.SequenceMatcher(None, words_a, words_b, autojunk=False).get_matching_blocks():
        for i in range(block.size):
            kept_a[block.a + i] = kept_b[block.b + i] = True
    return _pieces(a, kept_a), _pieces(b, kept_b)


def _pieces(tokens: Sequence[str], kept: Sequence[bool]) -> list[Piece]:
    """The tokens joined into stretches; white space between two that differ belongs to them."""
    found: list[Piece] = []
    at = 0
    for token in tokens:
        if token.isspace():
            inside = 0 < at < len(kept) and not kept[at - 1] and not kept[at] and "\n" not in token
            differs = inside
        else:
            differs = not kept[at]
            at += 1
        if found and found[-1].differs == differs:
            found[-1] = Piece(found[-1].text + token, differs)
        else:
            found.append(Piece(token, differs))
    return found
