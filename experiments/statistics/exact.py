"""Exact tests on pairs: McNemar's, the sign test, and Holm's correction for several tests at once.

In: how often one side won and how often the other. Out: records with the p-value.

Sources: McNemar, Psychometrika 12 (1947), in its exact form: of the pairs in which the two differ, each is as likely to fall on
one side as on the other, so their number is binomial with probability 1/2. Holm, Scandinavian Journal of Statistics 6 (1979).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Sides = Literal["two-sided", "one-sided"]


@dataclass(frozen=True, slots=True)
class Paired:
    """McNemar's test of two methods on the same items: the items on which only the first, or only the second, has the property
    in question."""

    only_first: int
    only_second: int
    p: float


@dataclass(frozen=True, slots=True)
class Signs:
    """A sign test: tasks that favour the first side, the second, neither (ties have no say)."""

    favour: int
    against: int
    ties: int
    sides: Sides
    p: float


def mcnemar(only_first: int, only_second: int) -> Paired:
    """The exact two-sided test; p is 1 where the two never differ. Raises `ValueError` for a negative count."""
    return Paired(only_first, only_second, _binomial(only_first, only_second, "two-sided"))


def sign_test(favour: int, against: int, *, ties: int = 0, sides: Sides = "two-sided") -> Signs:
    """The exact sign test. One-sided, it asks whether the first side is favoured. Raises `ValueError` for a negative count."""
    return Signs(favour, against, ties, sides, _binomial(favour, against, sides))


def signs(differences: Sequence[float], *, sides: Sides = "two-sided") -> Signs:
    """The sign test of numbers, one for each task: positive ones favour the first side, zeros are ties."""
    favour = sum(d > 0 for d in differences)
    against = sum(d < 0 for d in differences)
    return sign_test(favour, against, ties=len(differences) - favour - against, sides=sides)


def _binomial(a: int, b: int, sides: Sides) -> float:
    if a < 0 or b < 0:
        raise ValueError(f"{a} against {b}: counts must not be negative")
    if a + b == 0:
        return 1.0
    from scipy.stats import binomtest

    return float(binomtest(a, a + b, 0.5, alternative="greater" if sides == "one-sided" else "two-sided").pvalue)


def holm(ps: Sequence[float]) -> list[float]:
    """The p-values adjusted by Holm's step-down method, in the order given."""
    adjusted = [0.0] * len(ps)
    worst = 0.0
    for rank, i in enumerate(sorted(range(len(ps)), key=lambda i: ps[i])):
        worst = max(worst, min(1.0, (len(ps) - rank) * ps[i]))
        adjusted[i] = worst
    return adjusted
