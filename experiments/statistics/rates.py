"""Rates: shares of counts, the chance of at least one success, a gap in two parts.

In: counts. Out: shares between 0 and 1, and differences of them.
"""

from __future__ import annotations

from dataclasses import dataclass


def rate(successes: int, trials: int) -> float | None:
    """The share of successes; None where there are no trials."""
    return successes / trials if trials else None


def at_least_once(p: float, k: int) -> float:
    """The chance that at least one of `k` independent draws, each with probability `p`, succeeds: 1 - (1 - p)^k.

    An illustration of pass at k, not a model: real draws differ in their probabilities and need not be independent.
    Raises `ValueError` for a probability outside [0, 1] or a negative `k`.
    """
    if not 0 <= p <= 1 or k < 0:
        raise ValueError(f"p = {p}, k = {k}: p must lie between 0 and 1, and k must not be negative")
    return 1.0 - (1.0 - p) ** k


@dataclass(frozen=True, slots=True)
class Decomposition:
    """A gap between two rates by way of a third: `total` = `upper` + `lower`, all of them differences of shares."""

    total: float
    upper: float  # the higher condition against the one between
    lower: float  # the one between against the lower condition

    @property
    def lower_share(self) -> float | None:
        """What part of the gap lies below the condition between; None where there is no gap."""
        return self.lower / self.total if self.total else None


def decompose(high: tuple[int, int], between: tuple[int, int], low: tuple[int, int]) -> Decomposition:
    """The gap between two observed rates, split at a third; each is (successes, trials).

    A difference of observed rates, no analysis of causes. Raises `ValueError` where a condition has no trials.
    """
    if not (high[1] and between[1] and low[1]):
        raise ValueError("every condition needs trials")
    h, b, w = (successes / trials for successes, trials in (high, between, low))
    return Decomposition(h - w, h - b, b - w)
