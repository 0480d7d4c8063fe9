"""Random terms against everything that reads terms: the evaluator, Z3, the normal forms, the portfolio.

A few hundred cases of each kind, the same in every run. SAMESPEC_FUZZ=N runs N of each, SAMESPEC_FUZZ_FROM=K starts at seed K.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable

import pytest

from tests.fuzz import checks
from translate.terms import OPS

MANY = "SAMESPEC_FUZZ" in os.environ


def run(check: Callable[[int, Counter[str]], None], n: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for seed in checks.cases(n):
        check(seed, counts)
    print(dict(sorted(counts.items())))
    return counts


@pytest.mark.parametrize("part", range(4))
def test_ground_terms(part: int) -> None:
    """What the evaluator computes, Z3 proves, in every context, and refutes nowhere."""
    counts = run(lambda seed, found: checks.ground_agreement(seed + 1_000_000 * part, found), 200)
    valued = counts["cases"] - counts["no value"]
    proved = counts["exact unsat"] + counts["inexact unsat"]
    assert valued > 0.6 * counts["cases"] and proved > 0.9 * valued


def test_every_operator_comes_up() -> None:
    found = {s.op for seed in range(900) for s in checks.everything(checks.Case(seed).term)}
    assert set(OPS) - {"rec"} <= found


def test_finite_reading() -> None:
    counts = run(checks.finite_agreement, 400)
    assert counts["agrees"] >= 0.4 * counts["cases"]


def test_finite_candidates() -> None:
    counts = run(checks.finite_candidates, 100)
    assert counts["replays True"] >= 0.6 * (counts["cases"] - counts["none"])


def test_normal_forms() -> None:
    run(checks.normal_form, 300)


def test_implications() -> None:
    counts = run(checks.implication, 250)
    open_ = sum(n for k, n in counts.items() if k.endswith("UNKNOWN") and not k.startswith("open"))
    assert open_ <= 0.03 * counts["cases"]


def test_rewording() -> None:
    counts = run(checks.rewording, 250)
    assert counts["PROVED"] >= 0.95 * counts["cases"]


def test_unspecified_values() -> None:
    counts = run(checks.unspecified, 60)
    assert counts["congruent unsat"] >= 0.8 * counts["cases"]


def test_models() -> None:
    counts = run(checks.model_replay, 200)
    assert counts["model True"] >= 0.6 * counts["sat"]


def test_bit_vectors() -> None:
    counts = run(checks.bit_agreement, 500)
    assert counts["not bits"] <= 0.7 * counts["cases"]


def test_arithmetic() -> None:
    run(checks.arithmetic_agreement, 700)


def test_guards() -> None:
    run(checks.guards_stay, 60)
