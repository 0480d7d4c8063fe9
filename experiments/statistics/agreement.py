"""Agreement of two runs on the same items, beyond what chance would give.

In: a two-by-two table. Out: a `Kappa`.

Source: Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological Measurement 20 (1960).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kappa:
    """`agreement` is the share of items on which both say the same, `chance` what two independent runs with the same totals
    would have, `kappa` where the first stands between chance (0) and full agreement (1)."""

    agreed: int
    items: int
    agreement: float
    chance: float
    kappa: float


def cohen_kappa(both: int, neither: int, only_first: int, only_second: int) -> Kappa:
    """Cohen's kappa of two yes-or-no runs. Where both say the same of every item, chance leaves nothing to gain, and kappa is 1.

    Raises `ValueError` for a negative count, or where there are no items.
    """
    counts = (both, neither, only_first, only_second)
    items = sum(counts)
    if min(counts) < 0 or items == 0:
        raise ValueError(f"{counts}: counts must not be negative, and there must be items")
    yes_first, yes_second = both + only_first, both + only_second
    by_chance = yes_first * yes_second + (items - yes_first) * (items - yes_second)
    agreement, chance = (both + neither) / items, by_chance / items**2
    kappa = 1.0 if by_chance == items**2 else (agreement - chance) / (1 - chance)
    return Kappa(both + neither, items, agreement, chance, kappa)
