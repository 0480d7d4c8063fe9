"""The exact interval of a proportion.

In: successes and trials. Out: an `Interval`.

Source: Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial", Biometrika 26
(1934), by way of `scipy.stats.binomtest`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Interval:
    """From `low` to `high`, both between 0 and 1 for a proportion (between -1 and 1 for a difference of two)."""

    low: float
    high: float
    confidence: float = 0.95


def clopper_pearson(successes: int, trials: int, confidence: float = 0.95) -> Interval:
    """The two-sided exact interval of a proportion; from 0 to 1 where there are no trials.

    Raises `ValueError` for counts that cannot be, or a confidence outside (0, 1).
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials cannot be")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence}: must lie between 0 and 1")
    if trials == 0:
        return Interval(0.0, 1.0, confidence)
    from scipy.stats import binomtest

    found = binomtest(successes, trials).proportion_ci(confidence, method="exact")
    return Interval(float(found.low), float(found.high), confidence)
