"""The task-cluster bootstrap: whole tasks are drawn again, because items of one task are not independent.

In: a sum and a size for each task, and a seed. Out: an `Estimate`: the pooled rate, and the percentile interval over resamples of
the tasks. With all sizes 1 it is the mean over tasks of one number each.

Sources: Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 13 (percentile intervals); Davison and
Hinkley, "Bootstrap Methods and their Application" (1997), section 3.8 (resampling of whole clusters).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from experiments.statistics.intervals import Interval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: How many resamples are drawn.
RESAMPLES = 10_000
#: Resamples drawn at a time: a matrix of so many rows has to fit in memory, whatever the number of tasks.
_AT_ONCE = 500
_MOST_TASKS = 65_535  # what a count of 16 bits can say


@dataclass(frozen=True, slots=True)
class Estimate:
    """`value` is the estimate from all tasks; `interval` what resampling says of it; `tasks` how many had a say."""

    value: float
    interval: Interval
    tasks: int
    resamples: int
    seed: int


def cluster_bootstrap(
    sums: Sequence[float],
    sizes: Sequence[int] | None = None,
    *,
    seed: int,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
) -> Estimate | None:
    """The rate sum(sums) / sum(sizes), with a percentile interval from resampling the tasks.

    `sums` and `sizes` have one entry for each task (`sizes`: 1 each by default); tasks of size 0 have no say. None where no task
    has. The same numbers and seed give the same interval. Raises `ValueError` for lists of different lengths.
    """
    import numpy as np

    counts = [1] * len(sums) if sizes is None else list(sizes)
    if len(counts) != len(sums):
        raise ValueError(f"{len(sums)} sums, but {len(counts)} sizes")
    kept = [(s, n) for s, n in zip(sums, counts, strict=True) if n > 0]
    if not kept:
        return None
    top = np.array([s for s, _ in kept], dtype=float)
    bottom = np.array([n for _, n in kept], dtype=float)
    rates = [(drawn @ top) / (drawn @ bottom) for drawn in _drawn(len(kept), seed, resamples)]
    half = (1 - confidence) / 2
    low, high = np.quantile(np.concatenate(rates), [half, 1 - half])
    value = float(top.sum() / bottom.sum())
    return Estimate(value, Interval(float(low), float(high), confidence), len(kept), resamples, seed)


@lru_cache(maxsize=4)
def _drawn(tasks: int, seed: int, resamples: int) -> tuple[NDArray[np.uint16], ...]:
    """How often each task is in each resample, a row for each resample. The same for every statistic of as many tasks, so that
    two of them are compared on the same resamples."""
    import numpy as np

    if tasks > _MOST_TASKS:
        raise ValueError(f"{tasks} tasks are more than {_MOST_TASKS}")
    rng = np.random.Generator(np.random.PCG64(seed))
    shares = np.full(tasks, 1 / tasks)
    sizes = [min(_AT_ONCE, resamples - start) for start in range(0, resamples, _AT_ONCE)]
    return tuple(rng.multinomial(tasks, shares, size=size).astype(np.uint16) for size in sizes)


def mean_difference(
    first: Sequence[float], second: Sequence[float], *, seed: int, resamples: int = RESAMPLES, confidence: float = 0.95
) -> Estimate | None:
    """The mean over tasks of first minus second (one number for each task on either side, in the same order)."""
    differences = [a - b for a, b in zip(first, second, strict=True)]
    return cluster_bootstrap(differences, seed=seed, resamples=resamples, confidence=confidence)
