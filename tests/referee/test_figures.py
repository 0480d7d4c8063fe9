"""Intervals, pass@k, budgets, usage: numbers that reports show."""

from __future__ import annotations

import pytest

from referee.budget import Budget, Usage, reached, read_usage
from referee.statistics import clopper_pearson, pass_at_k


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # Closed forms at the ends: 1 - (a/2)^(1/n); tabulated values between (R: binom.test).
        (0, 10, 0.0, 0.3084971),
        (10, 10, 0.6915029, 1.0),
        (5, 10, 0.1870860, 0.8129140),
        (1, 20, 0.0012651, 0.2487328),
        (7, 9, 0.3999064, 0.9718550),
        (0, 1, 0.0, 0.975),
    ],
)
def test_clopper_pearson(successes: int, trials: int, low: float, high: float) -> None:
    assert clopper_pearson(successes, trials) == pytest.approx((low, high), abs=1e-6)


def test_clopper_pearson_is_symmetric_and_holds_the_proportion() -> None:
    for trials in (1, 7, 40, 200):
        for successes in range(0, trials + 1, max(1, trials // 5)):
            low, high = clopper_pearson(successes, trials)
            other = clopper_pearson(trials - successes, trials)
            assert 0 <= low <= successes / trials <= high <= 1
            assert (1 - high, 1 - low) == pytest.approx(other, abs=1e-9)
    assert clopper_pearson(0, 0) == (0.0, 1.0)


def test_pass_at_k() -> None:
    assert pass_at_k([(4, 1)], 1) == pytest.approx(0.25)
    assert pass_at_k([(4, 1)], 4) == 1.0
    assert pass_at_k([(4, 2), (4, 0)], 2) == pytest.approx((1 - 1 / 6) / 2)
    assert pass_at_k([(1, 1)], 2) is None


@pytest.mark.parametrize(
    "data",
    [None, b"", b"{", b"[]", b'{"tokens": "1", "dollars": 0}', b'{"tokens": -1, "dollars": 0}', b'{"tokens": true, "dollars": 0}',
     b'{"tokens": 1, "dollars": NaN}', b'{"tokens": 1, "dollars": 1e999}', b'{"tokens": 1}', b"\xff", b"[" * 100_000],
)  # fmt: skip
def test_a_usage_file_that_cannot_be_read_counts_as_none(data: bytes | None) -> None:
    assert read_usage(data, 2.0) == Usage(2.0, reported=False)


def test_usage_adds_up_and_budgets_are_reached() -> None:
    one = read_usage(b'{"tokens": 60, "dollars": 0.4}', 1.0)
    budget = Budget(wall=10, tokens=100, dollars=1.0)
    assert reached(budget, one) is None
    assert reached(budget, one.plus(one)) == "tokens: 120 of 100"
    assert reached(Budget(wall=10, dollars=0.8), one.plus(one)) == "dollars: 0.8000 of 0.8"
    assert reached(Budget(wall=2), one.plus(one)) == "wall time: 2.0 of 2 s"
    assert reached(budget, one, stopped="wall") == "wall time: 1.0 of 10 s"
