"""Room for large crates: deep trees, and no garbage collection while much is made that all stays."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

#: Python frames for the deepest tree that the parser lets through.
_FRAMES = 30_000


@contextmanager
def room() -> Iterator[None]:
    limit, collecting = sys.getrecursionlimit(), gc.isenabled()
    sys.setrecursionlimit(max(limit, _FRAMES))
    gc.disable()
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        if collecting:
            gc.enable()
