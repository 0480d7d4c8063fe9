"""The bit-vector reading against the evaluator: both read the same formula, and share no code."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
import z3

from translate import terms as tm
from translate.readings.evaluate import evaluate
from translate.readings.z3_bits import BitReading, NotBits
from translate.terms import Term

SORTS = [tm.int_sort("u8"), tm.int_sort("i8")]


def random_term(rng: Random, sort: tm.Sort, variables: list[Term], depth: int) -> Term:
    """An integer term whose value lies in `sort`'s range wherever a bit operation needs that."""
    if depth == 0:
        return rng.choice([*variables, tm.lit(rng.randrange(0, 8))])
    a, b = (random_term(rng, sort, variables, depth - 1) for _ in range(2))
    kind = rng.randrange(4)
    if kind == 0:
        return tm.arith(rng.choice(["add", "sub", "mul"]), a, b)
    if kind == 1:
        return tm.arith(rng.choice(["div", "mod"]), a, tm.lit(rng.randrange(1, 6)))
    a, b = rng.choice(variables), rng.choice(variables)
    if kind == 2:
        return tm.mk(rng.choice(["bitand", "bitor", "bitxor"]), (a, b), sort)
    return tm.mk(rng.choice(["shl", "shr"]), (a, tm.lit(rng.randrange(0, 7))), sort)


@pytest.mark.parametrize("seed", range(60))
def test_agrees_with_the_evaluator(seed: int) -> None:
    rng = Random(seed)
    sort = SORTS[seed % 2]
    x, y = tm.var("x", sort), tm.var("y", sort)
    term = random_term(rng, sort, [x, y], 2)
    low, high = (0, 255) if sort.name == "u8" else (-128, 127)
    for _ in range(4):
        values = {x: rng.randint(low, high), y: rng.randint(low, high)}
        expected = evaluate(term, values, budget=10_000)
        given = [tm.eq(v, tm.lit(n)) for v, n in values.items()]
        for claim, answer in ((tm.eq(term, tm.lit(expected)), "unsat"), (tm.not_(tm.eq(term, tm.lit(expected))), "sat")):
            reading = BitReading([*given, claim])
            formulas = [reading.read(t) for t in (*given, tm.not_(claim))]
            solver = z3.SolverFor("QF_BV", ctx=reading.ctx)
            solver.add(*formulas, *reading.facts)
            assert str(solver.check()) == answer, (term, values, expected)


def test_every_byte_shifts_as_the_evaluator_says() -> None:
    for sort, count in product(SORTS, range(8)):
        x = tm.var("x", sort)
        for op in ("shl", "shr"):
            term = tm.mk(op, (x, tm.lit(count)), sort)
            low, high = (0, 255) if sort.name == "u8" else (-128, 127)
            for n in (low, -1 if low else 1, 77, high):
                claim = tm.eq(term, tm.lit(evaluate(term, {x: n}, budget=1000)))
                reading = BitReading([tm.eq(x, tm.lit(n)), claim])
                formulas = [reading.read(tm.eq(x, tm.lit(n))), reading.read(tm.not_(claim))]
                solver = z3.SolverFor("QF_BV", ctx=reading.ctx)
                solver.add(*formulas, *reading.facts)
                assert str(solver.check()) == "unsat", (op, sort, count, n)


@pytest.mark.parametrize(
    "term",
    [
        tm.eq(tm.mk("shl", (tm.var("x", SORTS[0]), tm.var("y", SORTS[0])), SORTS[0]), tm.ZERO),  # shifts of 8 and more
        tm.eq(tm.mk("bitand", (tm.var("n", tm.INT), tm.ONE), SORTS[0]), tm.ZERO),  # a value outside the type
        tm.eq(tm.mk("cast", (tm.arith("add", tm.var("x", SORTS[0]), tm.ONE),), SORTS[0]), tm.ZERO),  # may not fit
        tm.quantify("forall", (tm.INT,), tm.arith("le", tm.bound(0, tm.INT), tm.ZERO)),
        tm.eq(tm.mk("bitand", (tm.var("w", tm.USIZE), tm.ONE), tm.USIZE), tm.ZERO),  # unknown width
    ],
)
def test_what_it_does_not_read(term: Term) -> None:
    with pytest.raises(NotBits):
        BitReading([term])
