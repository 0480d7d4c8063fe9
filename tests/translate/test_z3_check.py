"""The net below Z3's budget."""

from __future__ import annotations

import time

import z3

from translate.readings.z3_check import check_within


def hard() -> z3.Solver:
    """A question that Z3 would work on for hours: fifteen pigeons in fourteen holes."""
    ctx = z3.Context()
    solver = z3.Solver(ctx=ctx)
    sits = [[z3.Bool(f"sits_{p}_{h}", ctx) for h in range(14)] for p in range(15)]
    solver.add(z3.Or(row) for row in sits)
    for hole in zip(*sits, strict=True):
        solver.add(z3.Or(z3.Not(a), z3.Not(b)) for i, a in enumerate(hole) for b in hole[:i])
    return solver


def test_an_answer_in_time_is_given() -> None:
    solver = z3.Solver(ctx=z3.Context())
    x = z3.Int("x", solver.ctx)
    solver.add(x > 3)
    assert check_within(solver, 5.0) == ("sat", False)
    solver.add(x < 3)
    assert check_within(solver, 5.0) == ("unsat", False)


def test_an_endless_question_is_stopped() -> None:
    began = time.process_time()
    solver = hard()
    assert check_within(solver, 0.3) == ("unknown", True), solver.reason_unknown()
    assert time.process_time() - began < 5


def test_a_budget_that_is_used_up_is_no_stop() -> None:
    solver = hard()
    solver.set("rlimit", 10_000)
    assert check_within(solver, 20.0) == ("unknown", False)
