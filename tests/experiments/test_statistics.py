"""The statistics: figures from the literature, exact values by hand, and what must not be accepted."""

from __future__ import annotations

from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("scipy", reason="needs the extra: pip install 'samespec[experiments]'")

from experiments.statistics import (
    at_least_once,
    clopper_pearson,
    cluster_bootstrap,
    cohen_kappa,
    decompose,
    holm,
    mcnemar,
    mean_difference,
    rate,
    sign_test,
    signs,
)

# --- published figures ("When Correctness Feedback Erases Evidence", sections 4.2 to 4.6) ------------------------------


@pytest.mark.parametrize(
    ("favour", "against", "p"),
    [(11, 1, "0.00635"), (13, 0, "0.000244"), (9, 0, "0.003906")],
)
def test_two_sided_sign_tests(favour: int, against: int, p: str) -> None:
    digits = len(p) - 2
    assert f"{sign_test(favour, against).p:.{digits}f}" == p


def test_one_sided_sign_test() -> None:
    assert sign_test(4, 0, sides="one-sided").p == pytest.approx(0.0625, abs=1e-12)


def test_three_draws_at_the_rate_of_one() -> None:
    assert f"{at_least_once(38 / 144, 3):.1%}" == "60.1%"


def test_agreement_of_two_runs() -> None:
    k = cohen_kappa(both=74, neither=48, only_first=11, only_second=11)
    assert (k.agreed, k.items) == (122, 144)
    assert f"{k.agreement:.1%}" == "84.7%"
    assert f"{k.kappa:.2f}" == "0.68"


def test_gap_in_two_parts() -> None:
    gap = decompose((85, 144), (71, 144), (39, 144))
    assert (f"{gap.total:.1%}", f"{gap.lower:.1%}", f"{gap.upper:.1%}") == ("31.9%", "22.2%", "9.7%")
    assert gap.lower_share is not None
    assert f"{gap.lower_share:.1%}" == "69.6%"


# --- exact values ------------------------------------------------------------------------------------------------------


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_the_binomial_sum(a: int, b: int) -> None:
    n, tail = a + b, min(a, b)
    by_hand = min(1.0, 2 * sum(comb(n, i) for i in range(tail + 1)) / 2**n)
    assert mcnemar(a, b).p == pytest.approx(by_hand, abs=1e-12)
    assert mcnemar(a, b).p == mcnemar(b, a).p


def test_one_sided_asks_for_the_first_side() -> None:
    assert sign_test(0, 4, sides="one-sided").p == 1.0
    assert sign_test(3, 1, sides="one-sided").p == pytest.approx(5 / 16)


def test_signs_of_differences() -> None:
    found = signs([0.5, -0.25, 0.0, 2.0])
    assert (found.favour, found.against, found.ties) == (2, 1, 1)
    assert signs([]).p == 1.0


@settings(max_examples=60)
@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_clopper_pearson_has_its_defining_tails(counts: tuple[int, int]) -> None:
    k, n = counts
    found = clopper_pearson(k, n)

    def tail(p: float, ks: range) -> float:
        return sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in ks)

    assert found.low <= k / n <= found.high
    if k > 0:
        assert tail(found.low, range(k, n + 1)) == pytest.approx(0.025, abs=1e-6)
    else:
        assert found.low == 0.0
    if k < n:
        assert tail(found.high, range(k + 1)) == pytest.approx(0.025, abs=1e-6)
    else:
        assert found.high == 1.0


def test_clopper_pearson_against_printed_values() -> None:
    found = clopper_pearson(0, 20)
    assert (found.low, round(found.high, 4)) == (0.0, 0.1684)
    found = clopper_pearson(10, 20)
    assert (round(found.low, 4), round(found.high, 4)) == (0.272, 0.728)
    assert clopper_pearson(0, 0) == clopper_pearson(0, 0, 0.95)
    assert (clopper_pearson(0, 0).low, clopper_pearson(0, 0).high) == (0.0, 1.0)


def test_holm() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_kappa_at_its_ends() -> None:
    assert cohen_kappa(5, 5, 0, 0).kappa == 1.0
    assert cohen_kappa(5, 0, 0, 0).kappa == 1.0
    assert cohen_kappa(5, 5, 5, 5).kappa == 0.0
    assert cohen_kappa(0, 0, 3, 3).kappa == -1.0


# --- resampling --------------------------------------------------------------------------------------------------------


def test_bootstrap_is_seeded() -> None:
    sums, sizes = [i % 7 for i in range(40)], [7 + i % 5 for i in range(40)]
    a, b, c = (cluster_bootstrap(sums, sizes, seed=s) for s in (1, 1, 2))
    assert a is not None
    assert c is not None
    assert a == b
    assert a.interval != c.interval
    assert a.value == c.value == sum(sums) / sum(sizes)


def test_bootstrap_resamples_tasks_and_not_items() -> None:
    """Two tasks that disagree altogether: a resample has both, or one of them twice, whatever their size."""
    found = cluster_bootstrap([0, 50], [50, 50], seed=0)
    assert found is not None
    assert (found.interval.low, found.interval.high) == (0.0, 1.0)


def test_bootstrap_covers_its_value_and_narrows() -> None:
    few, many = (cluster_bootstrap([i % 2 for i in range(n)], seed=0) for n in (10, 1000))
    assert few is not None
    assert many is not None
    for found in (few, many):
        assert found.interval.low < found.value == 0.5 < found.interval.high
    assert many.interval.high - many.interval.low < (few.interval.high - few.interval.low) / 5
    # the standard error of a mean of 1000 coins is 0.0158: the interval is 1.96 of them on either side
    assert many.interval.high - many.interval.low == pytest.approx(2 * 1.96 * 0.0158, rel=0.1)


def test_tasks_without_items_have_no_say() -> None:
    assert cluster_bootstrap([0, 1], [0, 2], seed=0) == cluster_bootstrap([1], [2], seed=0)
    assert cluster_bootstrap([0], [0], seed=0) is None
    assert cluster_bootstrap([], seed=0) is None


def test_mean_difference() -> None:
    found = mean_difference([0.5, 1.0], [0.25, 0.5], seed=3)
    assert found is not None
    assert found.value == 0.375
    assert (found.interval.low, found.interval.high) == (0.25, 0.5)


# --- what cannot be ----------------------------------------------------------------------------------------------------


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot be"):
        clopper_pearson(3, 2)
    with pytest.raises(ValueError, match="confidence"):
        clopper_pearson(1, 2, 1.5)
    with pytest.raises(ValueError, match="negative"):
        mcnemar(-1, 2)
    with pytest.raises(ValueError, match="items"):
        cohen_kappa(0, 0, 0, 0)
    with pytest.raises(ValueError, match="p must"):
        at_least_once(1.5, 2)
    with pytest.raises(ValueError, match="trials"):
        decompose((1, 0), (1, 2), (1, 2))
    with pytest.raises(ValueError, match="sizes"):
        cluster_bootstrap([1, 2], [1], seed=0)
    assert rate(0, 0) is None
