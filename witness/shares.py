"""A smaller budget for a while.

In: a decider, a share of its budget. Out: a context in which each of its questions may cost only that share.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from equiv.decide import Decider


@contextmanager
def share_of(decider: Decider, share: float) -> Iterator[None]:
    """Within it, one question of the decider costs at most `share` of what it may cost outside."""
    full, decider.budget = decider.budget, max(1, int(decider.budget * share))
    try:
        yield
    finally:
        decider.budget = full
