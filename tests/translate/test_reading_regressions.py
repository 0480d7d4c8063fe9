"""Faults that random testing found in the readings of terms, each with the smallest term that shows it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
import z3

from equiv.decide import Decider
from equiv.verdict import Answer
from translate.readings.evaluate import evaluate
from translate.readings.inhabitants import Inhabitants, in_range
from translate.readings.z3_bits import BitReading
from translate.readings.z3_reading import Reading
from translate.terms import (
    BOOL,
    FALSE,
    INT,
    NAT,
    TRUE,
    ZERO,
    FieldDecl,
    RecursiveDef,
    Sort,
    Term,
    VariantDecl,
    and_,
    app,
    arith,
    bound,
    defined,
    eq,
    fn_sort,
    implies,
    int_sort,
    ite,
    lit,
    mk,
    multiset_sort,
    quantify,
    recursive_group,
    seq_sort,
    tuple_sort,
    uninterpreted,
    var,
)

SEQ = seq_sort(INT)
s, i, j, k, x = var("s", SEQ), var("i", INT), var("j", INT), var("k", INT), var("x", INT)


def answer(*formulas: Term, junk: Any = "free", unfold: int = 1, neutral: bool = False) -> str:
    r = Reading(junk=junk, unfold=unfold)
    asserted = [r.boolean(f) if neutral else r.assume(f) for f in formulas]
    solver = r.solver(1_000_000)
    solver.add(*asserted, *r.facts)
    return str(solver.check())


def proves(goal: Term, **options: Any) -> bool:
    return answer(mk("not", (goal,), BOOL), **options) == "unsat"


def length(t: Term) -> Term:
    return mk("seq.len", (t,), NAT)


def part(a: Term, b: Term) -> Term:
    return mk("seq.subrange", (s, a, b), SEQ)


def elements(t: Term) -> Term:
    return mk("multiset.len", (mk("seq.to_multiset", (t,), multiset_sort(INT)),), NAT)


def option(sort: Sort) -> Sort:
    found = Sort("data", "Option", (sort,), "regressions")
    if not found.is_defined:
        found.define((VariantDecl("None", ()), VariantDecl("Some", (FieldDecl("0", sort),))), False)
    return found


def test_difference_of_multiples() -> None:
    """`2 * x - x` was read as `2 * x`: the shortcut for adding 0 looked at the variable, not at its factor."""
    twice = mk("mul", (lit(2), x), INT)
    minus = mk("neg", (x,), INT)
    for t in (arith("sub", twice, x), arith("add", minus, twice), arith("add", twice, minus)):
        assert proves(eq(t, x))
        assert not proves(eq(t, twice))
        assert not proves(eq(t, minus))
    assert proves(eq(arith("add", x, ZERO), x)) and proves(eq(arith("sub", ZERO, twice), mk("mul", (lit(-2), x), INT)))


def test_variant_tag_with_the_number_first() -> None:
    """Z3 turned `tag == 1` around, and a match on an enum became constant."""
    color = Sort("data", "Color", (), "regressions")
    if not color.is_defined:
        color.define(tuple(VariantDecl(n, ()) for n in ("Red", "Green", "Blue")), False)
    c = var("c", color)
    chosen = ite(mk("is", (c,), BOOL, 0), c, mk("ctor", (), color, 1), color)
    code = ite(mk("is", (chosen,), BOOL, 0), ZERO, ite(mk("is", (chosen,), BOOL, 1), lit(1), lit(2), INT), INT)
    for junk in ("free", "canonical"):
        assert not proves(eq(code, ZERO), junk=junk)
        assert not proves(eq(code, lit(1)), junk=junk)
        assert proves(mk("le", (code, lit(1)), BOOL), junk=junk)
        same = app(defined("same", (color,), bound(0, color)), (c,))
        assert proves(eq(same, c), junk=junk) and not proves(eq(same, mk("ctor", (), color, 2)), junk=junk)


def test_field_of_another_variant_under_a_contradiction() -> None:
    """`false && None->0 == 1` took a field that the constructor does not have."""
    nothing = mk("ctor", (), option(INT), 0)
    inside = mk("field", (nothing,), INT, (1, 0))
    for t in (
        mk("and", (FALSE, eq(inside, lit(1))), BOOL),
        mk("and", (mk("is", (nothing,), BOOL, 1), eq(inside, lit(1))), BOOL),
        quantify(
            "exists", (INT,), and_((eq(bound(0, INT), ZERO), ite(mk("is", (nothing,), BOOL, 1), eq(inside, lit(1)), FALSE, BOOL)))
        ),
    ):
        for neutral in (False, True):
            assert answer(t, neutral=neutral) == "unsat"


def test_pattern_that_is_a_variable() -> None:
    """The elements of `Seq::new(n, |i| i)` are the variable itself, which is no pattern."""
    t = mk("seq.new", (lit(2), mk("lambda", (bound(0, INT),), fn_sort((INT,), INT), (INT,))), SEQ)
    assert proves(eq(elements(t), lit(2)))


def _sizes(of: Term) -> Term:
    """`Seq::new(2, |i| of.to_multiset().len())` as a call: the argument is built before its elements are asked for."""
    size = elements(bound(1, SEQ))
    body = mk("seq.new", (lit(2), mk("lambda", (size,), fn_sort((INT,), NAT), (INT,))), seq_sort(NAT))
    return app(defined("sizes", (SEQ,), body), (of,))


@pytest.mark.parametrize("junk", ["free", "canonical"])
@pytest.mark.parametrize("neutral", [False, True])
def test_what_was_built_under_a_guard_keeps_it(junk: str, neutral: bool) -> None:
    """`if 0 <= i <= j <= s.len() { f(s.subrange(i, j)) } else { … }`: facts about the subsequence that came up once the branch
    was left (its elements were asked for later) were stated without the condition, and `i <= j` became provable."""
    legal = and_((arith("le", ZERO, i), arith("le", i, j), arith("le", j, length(s))))
    sizes = _sizes(part(i, j))
    zeros = mk("seq.lit", (ZERO, ZERO), sizes.sort)
    either = ite(legal, sizes, zeros, sizes.sort)
    some = option(sizes.sort)
    wrapped = ite(legal, mk("ctor", (sizes,), some, 1), mk("ctor", (zeros,), some, 1), some)
    unwrapped = mk("field", (wrapped,), sizes.sort, (1, 0))
    for t in (either, unwrapped):
        element = mk("seq.index", (t, ZERO), NAT)
        assert answer(arith("lt", j, i), eq(element, ZERO), junk=junk, neutral=neutral) == "sat"
        assert answer(arith("lt", j, i), eq(element, lit(1)), junk=junk, neutral=neutral) == "unsat"


def test_facts_of_an_unfolded_call_keep_the_guard() -> None:
    """The body of a recursive function speaks about its argument, which was built under a guard."""
    a = bound(0, SEQ)
    front = mk("seq.subrange", (a, ZERO, arith("sub", length(a), lit(1))), SEQ)
    body = ite(eq(length(a), ZERO), ZERO, arith("add", elements(a), mk("rec", (front,), INT, "f")), INT)
    f = recursive_group([RecursiveDef("f", (SEQ,), INT, body, None, (), False, "f")])["f"]
    legal = and_((arith("le", ZERO, i), arith("le", i, j), arith("le", j, length(s))))
    guarded = implies(legal, arith("le", ZERO, app(f, (part(i, j),))))
    for neutral in (False, True):
        assert answer(arith("lt", j, i), guarded, unfold=2, neutral=neutral) == "sat"


def test_truth_value_as_integer_in_a_normal_form() -> None:
    """`true as int` became the truth value `true`, in the place of a number."""
    one = mk("cast", (TRUE,), INT)
    assert Decider(200_000).implied([], eq(one, lit(1)), []).answer is Answer.PROVED
    assert Decider(200_000).implied([], eq(one, lit(2)), []).answer is not Answer.PROVED
    assert Decider(200_000).implied([], eq(mk("cast", (FALSE,), INT), x), [x]).answer is Answer.REFUTED


def test_random_value_of_a_struct_that_contains_itself() -> None:
    """A struct with a sequence of itself ran out of depth and asked for a negative length."""
    rose = Sort("data", "Rose", (), "regressions")
    if not rose.is_defined:
        rose.define((VariantDecl("Rose", (FieldDecl("n", INT), FieldDecl("kids", seq_sort(rose)))),), True)
    pool = Inhabitants()
    for seed in range(60):
        value = pool.random(rose, Random(seed), 3)
        assert in_range(value, rose)
        v = var("v", rose)
        assert evaluate(eq(v, v), {v: value}, budget=100) is True


@pytest.mark.parametrize("junk", ["free", "canonical"])
def test_bound_variables_have_names_of_their_own(junk: str) -> None:
    """The bound variable of `forall|i| i == x.0` was called as the first leaf of a tuple x, and captured it."""
    pair = tuple_sort((INT, INT))
    names = ("x", "y", "witness", "choose", "at", "?", "x#0")
    for name in names:
        first = mk("field", (var(name, pair),), INT, (0, 0))
        every = quantify("forall", (INT,), eq(bound(0, INT), first))
        assert answer(every, junk=junk, neutral=True) == "unsat"
        assert answer(every, junk=junk) == "unsat"
        assert not proves(every, junk=junk, neutral=True)
        some = quantify(
            "exists", (INT,), and_((arith("lt", first, bound(0, INT)), arith("lt", bound(0, INT), arith("add", first, lit(2)))))
        )
        assert proves(some, junk=junk, neutral=True)


def test_namesakes_are_not_the_same() -> None:
    """Variables and functions that share a name, or whose leaves might, are different."""
    pair = tuple_sort((INT, INT))
    a = mk("field", (var("a", pair),), INT, (0, 0))
    b, c = var("a", INT), var("a", NAT)
    for p, q in ((a, b), (a, c), (b, c)):
        assert not proves(eq(p, q))
    f = uninterpreted("f", (INT,), pair)
    g, h = (uninterpreted("f", (INT,), INT, key=key) for key in ("one", "two"))
    calls = [mk("field", (app(f, (x,)),), INT, (0, 0)), app(g, (x,)), app(h, (x,)), app(uninterpreted("x", (), INT), ()), x]
    for n, p in enumerate(calls):
        for q in calls[:n]:
            assert not proves(eq(p, q))


def test_dividend_of_a_quotient_in_bits() -> None:
    """`x / 3` of an i8 -128 overflowed eight bits on the way, and came out as 42."""
    small = int_sort("i8")
    b, y = var("b", small), var("y", small)
    lowest = [arith("lt", b, lit(-127)), eq(mk("bitand", (b, y), small), y)]
    third = mk("div", (b, lit(3)), INT)
    for right, goal in ((False, eq(third, lit(42))), (True, eq(third, lit(-43)))):
        reading = BitReading([*lowest, goal])
        solver = z3.Solver(ctx=reading.ctx)
        solver.add(*(reading.read(t) for t in lowest), z3.Not(reading.read(goal)), *reading.facts)
        assert str(solver.check()) == ("unsat" if right else "sat")
        answer = Decider(300_000).implied(lowest, goal, [b, y]).answer
        assert answer is (Answer.PROVED if right else Answer.REFUTED)


def test_truth_value_that_is_a_quantifier() -> None:
    """A model gave a Bool variable the value `exists …`, which was taken for false."""
    n, b = bound(0, NAT), var("b", BOOL)
    some = quantify("exists", (NAT,), and_((arith("le", lit(-1), n), arith("lt", n, lit(2)))))
    r = Reading()
    r.declare(b)
    solver = r.solver(1_000_000)
    solver.add(r.boolean(eq(some, b)), *r.facts)
    assert str(solver.check()) == "sat"
    assert r.model_value(solver.model(), b) is True
