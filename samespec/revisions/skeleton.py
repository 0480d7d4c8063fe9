"""What of a file a contract can depend on: everything but the bodies of code and proofs.

In: a source text. Out: its text with those bodies cut out. Two files with one skeleton have the same contracts, word for word,
over the same definitions: none of them changed, and no solver has to say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from translate import syntax as sx
from translate.parser import parse_file
from translate.source import SourceText

#: A body with one of these may hold what counts outside it: implementations hold in the whole file.
_SPEAKS_OUTSIDE = re.compile(rb"\b(impl|trait|macro_rules|macro)\b")


def skeleton(source: SourceText) -> bytes | None:
    """The skeleton; None for a file that is not parsed as a whole."""
    file = parse_file(source)
    if file.problems:
        return None
    parts, at = [], 0
    for start, end in sorted(bodies(file.items)):
        if start >= at:
            parts.append(source.data[at:start])
            at = end
    return b"{}".join([*parts, source.data[at:]])


def may_have_contracts(data: bytes) -> bool:
    """Whether a file can hold anything that Verus verifies: its macros and attributes all have this in their names."""
    return b"verus" in data


def bodies(items: Sequence[sx.Item]) -> Iterator[tuple[int, int]]:
    """The byte ranges of bodies that say nothing outside themselves."""
    for item in items:
        match item:
            case sx.Fn() if item.body is not None and item.mode in ("exec", "proof"):
                if not _SPEAKS_OUTSIDE.search(item.body.source.data, item.body.start, item.body.end):
                    yield item.body.start, item.body.end
            case sx.Mod() | sx.Impl() | sx.Trait() if item.items is not None:
                yield from bodies(item.items)
            case _:
                pass
