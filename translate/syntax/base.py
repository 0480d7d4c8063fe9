"""What every node of the syntax tree has: a span."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Span(NamedTuple):
    """A half-open range of byte offsets into one source file."""

    start: int
    end: int


@dataclass(slots=True, eq=False)
class Node:
    """What all nodes have: the place of their text."""

    span: Span
