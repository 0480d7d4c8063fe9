"""Budgets: wall time, tokens and dollars of one attempt, dollars of a whole campaign.

In: the agent's usage file, which is taken at its word and recorded as such. Out: which budget was reached, if any. Reaching one
is a HALT: neither a pass nor a failure.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Budget:
    """Of one attempt with all its corrections: `wall` seconds of the agent's, `tokens`, `dollars` (None: no such budget). The
    campaign's `campaign_dollars` leaves later attempts unreached. `solver` is the work of one contract obligation (None: the
    default)."""

    wall: float = 600.0
    tokens: int | None = None
    dollars: float | None = None
    campaign_dollars: float | None = None
    solver: int | None = None
    verus_rlimit: float | None = None
    memory_mb: int = 2048
    processes: int = 64
    disk_mb: int = 64
    output_kb: int = 1024

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Usage:
    """What was used. `reported` says whether the agent wrote a usage file that could be read."""

    wall: float = 0.0
    tokens: int = 0
    dollars: float = 0.0
    reported: bool = True

    def plus(self, other: Usage) -> Usage:
        return Usage(
            self.wall + other.wall, self.tokens + other.tokens, self.dollars + other.dollars, self.reported and other.reported
        )

    def as_json(self) -> dict[str, Any]:
        return {"wall": round(self.wall, 3), "tokens": self.tokens, "dollars": round(self.dollars, 6), "reported": self.reported}

    @staticmethod
    def from_json(data: dict[str, Any]) -> Usage:
        return Usage(data["wall"], data["tokens"], data["dollars"], data["reported"])


def read_usage(data: bytes | None, wall: float) -> Usage:
    """The usage file of one call: `{"tokens": N, "dollars": X}`. Anything else counts as not reported."""
    if data is None:
        return Usage(wall, reported=False)
    try:
        record = json.loads(data)
        tokens, dollars = record["tokens"], record["dollars"]
        if type(tokens) is not int or isinstance(dollars, bool) or not isinstance(dollars, int | float):
            raise TypeError
        if tokens < 0 or not math.isfinite(dollars) or dollars < 0:
            raise ValueError
    except (ValueError, KeyError, TypeError, RecursionError):
        return Usage(wall, reported=False)
    return Usage(wall, tokens, float(dollars))


def reached(budget: Budget, used: Usage, *, stopped: str | None = None) -> str | None:
    """The budget that is used up, in words; None while there is some left."""
    if stopped == "wall" or used.wall >= budget.wall:
        return f"wall time: {used.wall:.1f} of {budget.wall:g} s"
    if budget.tokens is not None and used.tokens >= budget.tokens:
        return f"tokens: {used.tokens} of {budget.tokens}"
    if budget.dollars is not None and used.dollars >= budget.dollars:
        return f"dollars: {used.dollars:.4f} of {budget.dollars:g}"
    return None
