"""Counts with their uncertainty: exact binomial intervals, pass@k.

In: counts. Out: intervals of Clopper and Pearson (Biometrika 26, 1934), the unbiased pass@k of Chen et al. (arXiv:2107.03374).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence


def clopper_pearson(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """The exact interval of a proportion; (0, 1) where there are no trials."""
    if trials == 0:
        return 0.0, 1.0
    half = (1 - confidence) / 2
    low = 0.0 if successes == 0 else _solve(lambda p: 1 - _cdf(successes - 1, trials, p) - half)
    high = 1.0 if successes == trials else _solve(lambda p: half - _cdf(successes, trials, p))
    return low, high


def _cdf(most: int, trials: int, p: float) -> float:
    """P(X <= most) of a binomial, by logarithms."""
    if p <= 0:
        return 1.0
    if p >= 1:
        return 1.0 if most >= trials else 0.0
    log_p, log_q = math.log(p), math.log1p(-p)
    whole = math.lgamma(trials + 1)
    terms = (whole - math.lgamma(k + 1) - math.lgamma(trials - k + 1) + k * log_p + (trials - k) * log_q for k in range(most + 1))
    return min(1.0, math.fsum(map(math.exp, terms)))


def _solve(rising: Callable[[float], float]) -> float:
    low, high = 0.0, 1.0
    for _ in range(100):
        middle = (low + high) / 2
        if rising(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def pass_at_k(attempts: Sequence[tuple[int, int]], k: int) -> float | None:
    """The mean over tasks of the chance that one of k attempts passes; `attempts` are (attempts, passes) of each task.
    Tasks with fewer than k attempts do not count; None where no task has k attempts.
    """
    usable = [(n, c) for n, c in attempts if n >= k]
    if not usable:
        return None
    return sum(1 - math.comb(n - c, k) / math.comb(n, k) for n, c in usable) / len(usable)
