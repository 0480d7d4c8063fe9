"""Quantifiers over ranges too long to go through: what spans decide must be what going through a part of the range says."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from translate.readings.evaluate import Context, compile, evaluate  # noqa: A004
from translate.readings.outcomes import EvaluationError, Unbounded, Undivided
from translate.readings.spans import Span, Straddle, Unknown
from translate.terms import (
    BOOL,
    INT,
    ZERO,
    RecursiveDef,
    Term,
    and_,
    app,
    arith,
    bound,
    eq,
    implies,
    instantiate,
    int_sort,
    ite,
    lit,
    mk,
    not_,
    or_,
    quantify,
    recursive_group,
    seq_sort,
    var,
)

SEQ = seq_sort(INT)
I32 = int_sort("i32")
s, x, y = var("s", SEQ), var("x", INT), var("y", INT)


def ev(term: Term, **values: Any) -> Any:
    names = {"s": s, "x": x, "y": y}
    return evaluate(term, {names[k]: v for k, v in values.items()}, budget=200_000)


def b(index: int, sort: Any = INT) -> Term:
    return bound(index, sort)


def contains(element: Term) -> Term:
    """`exists|k| 0 <= k < s.len() && s[k] == element`"""
    inside = and_([arith("le", ZERO, b(0)), arith("lt", b(0), mk("seq.len", (s,), int_sort("nat")))])
    return quantify("exists", (INT,), and_([inside, eq(mk("seq.index", (s, b(0)), INT), element)]))


def _count() -> Any:
    """The number of elements of a sequence among the first n that are v."""
    n, v = b(1), b(0)
    seq = bound(2, SEQ)
    before = arith("sub", n, lit(1))
    here = eq(mk("seq.index", (seq, before), INT), v)
    rest = mk("rec", (seq, before, v), INT, "count")
    body = ite(arith("le", n, ZERO), ZERO, arith("add", rest, ite(here, lit(1), ZERO)))
    return recursive_group([RecursiveDef("count", (SEQ, INT, INT), INT, body, None, (n,), False, "count")])["count"]


def test_a_body_that_asks_where_the_variable_lies() -> None:
    two = (3, 3, -7)
    member = contains(b(1, I32))  # under the quantifier of `contains`
    assert ev(quantify("forall", (I32,), implies(member, arith("le", b(0, I32), lit(3)))), s=two) is True
    assert ev(quantify("forall", (I32,), implies(member, arith("le", b(0, I32), lit(2)))), s=two) is False
    assert ev(quantify("exists", (INT,), and_([not_(contains(b(1))), arith("lt", b(0), lit(-(10**12)))])), s=two) is True


def test_recursive_functions_of_an_endless_variable() -> None:
    count = _count()
    n = mk("seq.len", (s,), int_sort("nat"))
    at_most = quantify("forall", (INT,), arith("le", app(count, (s, n, b(0))), lit(2)))
    assert ev(at_most, s=(5, 5, 9)) is True
    assert ev(at_most, s=(5, 5, 5)) is False


def test_two_endless_variables() -> None:
    assert ev(quantify("forall", (INT, INT), implies(arith("lt", b(1), b(0)), not_(eq(b(0), b(1)))))) is True
    assert ev(quantify("exists", (INT, INT), and_([arith("lt", b(1), x), arith("lt", x, b(0))])), x=10**15) is True


def test_what_no_cut_decides_stays_open() -> None:
    with pytest.raises(Unbounded):
        ev(quantify("exists", (INT,), eq(arith("mod", arith("mul", b(0), b(0)), lit(4)), lit(3))))


def test_a_span_is_not_hashed_or_indexed() -> None:
    span = Unknown(0, 9).span()
    with pytest.raises(Undivided):
        range(span)
    with pytest.raises(EvaluationError):
        hash(span)


numbers = st.integers(-6, 6)


@given(st.integers(-9, 9), st.integers(0, 8), numbers, numbers, numbers, st.sampled_from(["lt", "le", "eq"]))
def test_comparisons_agree_with_every_integer_of_the_range(low: int, more: int, slope: int, offset: int, c: int, op: str) -> None:
    unknown = Unknown(low, low + more)
    value = unknown.span() * slope + offset
    compare = {"lt": lambda v: v < c, "le": lambda v: v <= c, "eq": lambda v: v == c}[op]
    answers = {compare(slope * k + offset) for k in range(low, low + more + 1)}
    if len(answers) == 1:
        try:
            assert compare(value) in answers
        except Straddle:
            assert more and op == "eq" and answers == {True}  # equal on the range, which not every span knows of itself
    elif more:
        with pytest.raises(Straddle) as cut:
            compare(value)
        assert low <= cut.value.at < low + more


@given(st.integers(-9, 9), st.integers(0, 8), numbers, st.integers(1, 5), st.sampled_from(["mod", "div", "square", "product"]))
def test_hulls_hold_every_value(low: int, more: int, offset: int, d: int, op: str) -> None:
    ways = {
        "mod": lambda v: (v + offset) % d,
        "div": lambda v: (v + offset) // d,
        "square": lambda v: v * v,
        "product": lambda v: (v + offset) * (v * d),
    }
    f = ways[op]
    try:
        value = f(Unknown(low, low + more).span())
    except Straddle:
        return
    for k in range(low, low + more + 1):
        if isinstance(value, Span):
            assert value.lo <= f(k) <= value.hi
        else:
            assert f(k) == value


def test_infinite_ends() -> None:
    span = Unknown(-math.inf, math.inf).span()
    with pytest.raises(Straddle) as cut:
        bool(span < 5)
    assert cut.value.at == 4
    assert (Unknown(5, math.inf).span() * -1 < 0) is True


def _formulas() -> st.SearchStrategy[Term]:
    """Formulas over one bound integer, x and y."""
    atoms = st.sampled_from([b(0), x, y, ZERO, lit(1), lit(3)])
    sums = st.tuples(atoms, atoms, st.sampled_from(["add", "sub", "mul", "mod", "div"])).map(lambda q: arith(q[2], q[0], q[1]))
    terms = atoms | sums
    compared = st.tuples(terms, terms, st.sampled_from(["lt", "le", "eq"])).map(
        lambda q: eq(q[0], q[1]) if q[2] == "eq" else arith(q[2], q[0], q[1])
    )
    return st.recursive(
        compared,
        lambda inner: (
            st.tuples(inner, inner).map(and_)
            | st.tuples(inner, inner).map(or_)
            | st.tuples(inner, inner).map(lambda q: implies(*q))
            | inner.map(not_)
            | st.tuples(inner, inner, inner).map(lambda q: mk("ite", q, BOOL))
        ),
        max_leaves=5,
    )


@settings(max_examples=80)
@given(_formulas(), st.integers(-4, 4), st.integers(-4, 4))
def test_a_long_range_is_decided_as_it_is_when_gone_through(body: Term, c: int, d: int) -> None:
    """Over -60 ≤ k < 60 (cut into pieces) as over the same integers one by one."""
    ends = range(-60, 60)
    inside = and_([arith("le", lit(ends.start), b(0)), arith("lt", b(0), lit(ends.stop))])
    k = var("k", INT)
    code = compile(instantiate(body, (k,)), [k, x, y], Context(steps=10**6))
    truths = {code.holds([n, c, d]) for n in ends}
    expected = False if False in truths else None if None in truths else True
    try:
        found = ev(quantify("forall", (INT,), implies(inside, body)), x=c, y=d)
    except EvaluationError:
        return
    assert found is expected
