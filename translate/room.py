"""Room for deep trees: Python's own recursion limit is no bound on what a file may nest; the parser's is.

In: how many frames are wanted. Out: a context in which at least so many may be used.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

#: Python frames for working on the deepest tree that the parser lets through.
FRAMES = 30_000


@contextmanager
def deep_stack(frames: int = FRAMES) -> Iterator[None]:
    """Raises the recursion limit to `frames` where it is lower, and puts it back."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, frames))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
