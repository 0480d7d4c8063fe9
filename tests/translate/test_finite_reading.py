"""The finite reading's parts: scalars that know their range, values of bounded shape, and a case for every operator.

That whole terms mean what the evaluator says is asked of random ones in tests/fuzz.
"""

from __future__ import annotations

from typing import Any

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from translate.readings.finite_nodes import Node, Nodes, Scalar, TooMuch, interval
from translate.readings.finite_reading import OPERATORS, FiniteReading
from translate.readings.finite_values import BoxF, DataF, Evaluator, NoShape, SeqF, Size, Values
from translate.terms import BOOL, INT, OPS, Sort, Term, bound, fn_sort, int_sort, lit, mk, quantify, seq_sort, set_sort, var
from translate.values import Boxed, Value

SEQ = seq_sort(INT)
U8 = int_sort("u8")
VEC = Sort("boxed", "Vec", (U8,), "", seq_sort(U8))


def test_every_operator_has_a_case() -> None:
    assert frozenset(OPS) == OPERATORS


def _expressions() -> st.SearchStrategy[Any]:
    """Expressions over the integers 0 (in 0..=5) and 1 (in -3..=3) and the truth value 2, as nested tuples."""
    leaves = st.sampled_from([("v", 0), ("v", 1), *(("n", k) for k in range(-3, 4))])

    def more(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        truth = st.tuples(st.sampled_from(["le", "lt", "eq"]), inner, inner) | st.just(("v", 2))
        return (
            st.tuples(st.sampled_from(["add", "sub", "mul", "div", "mod"]), inner, inner)
            | st.tuples(st.just("ite"), truth, inner, inner)
            | st.tuples(st.just("ite"), st.tuples(st.just("not"), truth), inner, inner)
        )

    return st.recursive(leaves, more, max_leaves=8)


def build(n: Nodes, e: Any, variables: list[Scalar]) -> Scalar:
    head, *args = e
    if head == "v":
        return variables[args[0]]
    if head == "n":
        return int(args[0])
    parts = [build(n, a, variables) for a in args]
    match head:
        case "div" | "mod":
            return n.ite(n.eq(parts[1], 0), 7, n.divide(head, parts[0], parts[1]))
        case "not":
            return n.not_(parts[0])
        case "ite":
            return n.ite(parts[0], parts[1], parts[2])
    found: Scalar = getattr(n, head)(*parts)
    return found


def compute(e: Any, values: list[Any]) -> Any:
    head, *args = e
    if head == "v":
        return values[args[0]]
    if head == "n":
        return args[0]
    x = [compute(a, values) for a in args]
    match head:
        case "add":
            return x[0] + x[1]
        case "sub":
            return x[0] - x[1]
        case "mul":
            return x[0] * x[1]
        case "div":
            return 7 if x[1] == 0 else (x[0] - x[0] % abs(x[1])) // x[1]
        case "mod":
            return 7 if x[1] == 0 else x[0] % abs(x[1])
        case "le":
            return x[0] <= x[1]
        case "lt":
            return x[0] < x[1]
        case "eq":
            return x[0] == x[1]
        case "not":
            return not x[0]
    return x[1] if x[0] else x[2]


@settings(max_examples=300)
@given(_expressions(), st.integers(0, 5), st.integers(-3, 3), st.booleans())
def test_scalars_have_the_value_and_the_range_that_they_say(e: Any, a: int, b: int, c: bool) -> None:
    n = Nodes(100_000)
    variables: list[Scalar] = [n.integer(0, 5), n.integer(-3, 3), n.truth()]
    built = build(n, e, variables)
    known = {v: x for v, x in zip(variables, (a, b, c), strict=True) if isinstance(v, Node)}
    expected = compute(e, [a, b, c])
    assert Evaluator(known).value(built) == expected
    lo, hi = interval(built)
    assert (lo is None or lo <= expected) and (hi is None or expected <= hi)


@settings(max_examples=60)
@given(_expressions(), st.integers(0, 5), st.integers(-3, 3), st.booleans())
def test_z3_reads_scalars_as_they_are(e: Any, a: int, b: int, c: bool) -> None:
    n = Nodes(100_000)
    v: list[Scalar] = [n.integer(0, 5), n.integer(-3, 3), n.truth()]
    wrong = n.not_(n.eq(build(n, e, v), compute(e, [a, b, c])))
    here = [n.eq(v[0], a), n.eq(v[1], b), n.iff(v[2], c)]
    ctx = z3.Context()
    formulas, _ = n.to_z3([*here, wrong], ctx)
    solver = z3.Solver(ctx=ctx)
    solver.add(*formulas)
    assert str(solver.check()) == "unsat"


def test_steps_are_limited() -> None:
    n = Nodes(10)
    x = n.integer(None, None)

    def power(k: int) -> Scalar:
        return x if k == 0 else n.mul(n.add(x, k), power(k - 1))

    assert isinstance(power(3), Node)
    with pytest.raises(TooMuch):
        power(20)


VALUES: list[tuple[Value, Sort]] = [
    ((1, 2, 3), SEQ),
    (Boxed((4, 5), 1), VEC),
    (frozenset({1, 7}), set_sort(INT)),
    (((1,), ()), seq_sort(SEQ)),
]


@pytest.mark.parametrize(("value", "sort"), VALUES)
def test_known_values_are_themselves(value: Value, sort: Sort) -> None:
    values = Values(Nodes(1_000), 64)
    shape = values.known(value, sort)
    assert values.concrete(shape, sort, {}) == value
    assert values.equal(shape, values.known(value, sort), sort) is True


def test_unknown_values_have_their_size() -> None:
    values = Values(Nodes(1_000), 64, {SEQ: 5})
    found = values.unknown(SEQ, Size(2, 1, 1))
    assert isinstance(found, SeqF)
    assert len(found.elems) == 5
    boxed = values.unknown(VEC, Size(2, 1, 1))
    assert isinstance(boxed, BoxF)
    assert len(boxed.view.elems) == 2
    with pytest.raises(NoShape):
        values.unknown(fn_sort((INT,), INT), Size(2, 1, 1))


def test_a_choice_between_variants_keeps_both() -> None:
    values = Values(Nodes(1_000), 64)
    c = values.nodes.truth()
    some, none = DataF(0, ((3,), None)), DataF(1, (None, ()))
    both = values.choose(c, some, none)
    assert both.fields == ((3,), ())
    assert Evaluator({c: False}).value(both.tag) == 1


def _reading() -> FiniteReading:
    return FiniteReading({}, Nodes(100_000), Size(3, 2, 2), 64)


def test_a_quantifier_over_a_known_range_is_written_out() -> None:
    reading = _reading()
    s = var("s", SEQ)
    reading.variables[s] = reading.known((3, 1, 2), SEQ)
    i = bound(0, INT)
    inside = mk("and", (mk("le", (lit(0), i), BOOL), mk("lt", (i, mk("seq.len", (s,), int_sort("nat"))), BOOL)), BOOL)
    element = mk("seq.index", (s, i), INT)

    def every(limit: int) -> Term:
        return quantify("forall", (INT,), mk("implies", (inside, mk("lt", (element, lit(limit)), BOOL)), BOOL))

    assert reading.formula(every(4), 1) is True
    assert reading.formula(every(3), 1) is False
    assert not reading.guessed
    assert reading.nodes.or_(reading.exclusions) is False


def test_an_index_out_of_range_is_left_out() -> None:
    reading = _reading()
    s, k = var("s", SEQ), var("k", INT)
    reading.variables = {s: reading.known((3,), SEQ), k: reading.nodes.integer(0, 4)}
    reading.formula(mk("eq", (mk("seq.index", (s, k), INT), lit(3)), BOOL), 1)
    left_out = reading.nodes.or_(reading.exclusions)
    for at in range(5):
        assert Evaluator({reading.variables[k]: at}).value(left_out) is (at > 0)
