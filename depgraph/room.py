"""Room for large crates: deep trees, and no garbage collection while much is made that all stays."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from translate.room import deep_stack


@contextmanager
def room() -> Iterator[None]:
    collecting = gc.isenabled()
    gc.disable()
    try:
        with deep_stack():
            yield
    finally:
        if collecting:
            gc.enable()
