"""Bounded search: enumeration, counterexamples of typical contracts, shrinking."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from translate.readings.candidates import enumerate_inputs, search, shrink
from translate.readings.evaluate import evaluate, in_range
from translate.readings.inhabitants import Inhabitants, literals
from translate.readings.shrinking import weight
from translate.terms import (
    BOOL,
    CHAR,
    INT,
    NAT,
    ONE,
    TRUE,
    USIZE,
    ZERO,
    FieldDecl,
    Sort,
    Term,
    VariantDecl,
    and_,
    app,
    arith,
    bound,
    char_lit,
    defined,
    eq,
    fn_sort,
    implies,
    int_sort,
    ite,
    lit,
    map_sort,
    mk,
    multiset_sort,
    not_,
    opaque_sort,
    quantify,
    seq_sort,
    set_sort,
    tuple_sort,
    var,
)
from translate.values import Boxed, DataValue, MapValue, Value

U8, I32, U64 = int_sort("u8"), int_sort("i32"), int_sort("u64")


def vec(element: Sort) -> Sort:
    return Sort("boxed", "Vec", (element,), "", seq_sort(element))


VEC = vec(I32)
STRING = Sort("boxed", "String", (), "", seq_sort(CHAR))
ARRAY = Sort("boxed", "array", (I32,), "", seq_sort(I32), 3)
OPTION = Sort("data", "Option", (USIZE,), "test_candidates")
OPTION.define((VariantDecl("None", ()), VariantDecl("Some", (FieldDecl("0", USIZE),))), False)
TREE = Sort("data", "Tree", (), "test_candidates")
TREE.define(
    (
        VariantDecl("Leaf", ()),
        VariantDecl("Node", (FieldDecl("left", TREE), FieldDecl("value", INT), FieldDecl("right", TREE))),
    ),
    False,
)

v, w, r = var("v", VEC), var("w", VEC), var("r", VEC)
x, y, z, k = var("x", I32), var("y", I32), var("z", I32), var("k", USIZE)
o, arr, text, tree = var("o", OPTION), var("arr", ARRAY), var("text", STRING), var("tree", TREE)
i, j = bound(0, INT), bound(1, INT)


def view(t: Term) -> Term:
    assert t.sort.view is not None
    return mk("view", (t,), t.sort.view)


V, W, R = view(v), view(w), view(r)


def length(s: Term) -> Term:
    return mk("seq.len", (s,), NAT)


def at(s: Term, index: Term) -> Term:
    return mk("seq.index", (s, index), s.sort.args[0])


def le(a: Term, b: Term) -> Term:
    return arith("le", a, b)


def lt(a: Term, b: Term) -> Term:
    return arith("lt", a, b)


def inside(lo: Term, a: Term, hi: Term) -> Term:
    return and_([le(lo, a), lt(a, hi)])


def every(s: Term, body: Term, *, up_to: Term | None = None) -> Term:
    return quantify("forall", (INT,), implies(inside(ZERO, i, up_to or length(s)), body))


def sorted_(s: Term) -> Term:
    body = implies(and_([le(ZERO, j), lt(j, i), lt(i, length(s))]), le(at(s, j), at(s, i)))
    return quantify("forall", (INT, INT), body)


def bag(s: Term) -> Term:
    return mk("seq.to_multiset", (s,), multiset_sort(I32))


def some(t: Term) -> Term:
    return mk("field", (t,), USIZE, (1, 0))


def is_(t: Term, variant: int) -> Term:
    return mk("is", (t,), BOOL, variant)


def pointwise(offset: int) -> Term:
    summed = arith("add", arith("mul", at(V, i), lit(37)), arith("add", at(W, i), lit(offset)))
    return every(R, eq(at(R, i), summed))


MAXIMUM = every(V, le(at(V, i), x))
ATTAINED = quantify("exists", (INT,), and_([inside(ZERO, i, length(V)), eq(at(V, i), x)]))
MAPS = map_sort(INT, INT)
m1, m2, key = var("m1", MAPS), var("m2", MAPS), var("key", INT)
LONG = [eq(length(V), lit(5)), eq(length(V), length(W)), eq(length(R), length(V)), pointwise(1000)]
SUB = mk("seq.subrange", (V, ZERO, k), V.sort)
ADJACENT = every(V, le(at(V, i), at(V, arith("add", i, ONE))), up_to=arith("sub", length(V), ONE))
FOUND = implies(is_(o, 1), and_([lt(some(o), length(V)), eq(at(V, some(o)), x)]))
ABSENT = implies(is_(o, 0), every(V, not_(eq(at(V, i), x))))
ABS = eq(mk("cast", (y,), INT), ite(lt(x, ZERO), mk("neg", (x,), INT), x))

#: What is assumed, what does not follow, and over which variables.
REFUTABLE: dict[str, tuple[list[Term], Term, list[Term]]] = {
    "an unsorted vector": ([], sorted_(V), [v]),
    "binary search, nothing said about None": ([sorted_(V), FOUND], ABSENT, [v, x, o]),
    "binary search, nothing said about Some": ([sorted_(V), ABSENT], FOUND, [v, x, o]),
    "maximum not attained": ([lt(ZERO, length(V)), MAXIMUM], ATTAINED, [v, x]),
    "maximum of all but the last": (
        [lt(ZERO, length(V)), every(V, le(at(V, i), x), up_to=arith("sub", length(V), ONE)), ATTAINED],
        MAXIMUM,
        [v, x],
    ),
    "sorting, order lost": ([eq(bag(R), bag(V))], sorted_(R), [v, r]),
    "sorting, permutation lost": ([sorted_(R), eq(length(R), length(V))], eq(bag(R), bag(V)), [v, r]),
    "pointwise, other constant": (
        [eq(length(V), length(W)), eq(length(R), length(V)), pointwise(1000)],
        pointwise(1001),
        [v, w, r],
    ),
    "pointwise on five elements": (LONG, lt(at(R, lit(3)), lit(1500)), [v, w, r]),
    "a bound on an absolute value": ([ABS], le(y, lit(100)), [x, y]),
    "the least i32": ([], lt(lit(-(2**31)), x), [x]),
    "the greatest sum of bytes": ([], le(arith("add", var("a", U8), var("b", U8)), lit(509)), [var("a", U8), var("b", U8)]),
    "equations between integers": ([lt(x, y), lt(y, z), eq(arith("add", x, y), z)], lt(z, lit(5)), [x, y, z]),
    "equal views, different vectors": ([eq(V, W)], eq(v, w), [v, w]),
    "push changes the length": ([eq(V, mk("seq.push", (W, x), W.sort))], eq(length(V), length(W)), [v, w, x]),
    "subrange changes the length": ([le(k, length(V)), eq(R, SUB)], eq(length(R), length(V)), [v, k, r]),
    "a certain letter": ([lt(lit(2), length(view(text)))], not_(eq(at(view(text), ONE), char_lit("x"))), [text]),
    "insert changes a map": ([eq(m2, mk("map.insert", (m1, key, lit(42)), MAPS))], eq(m2, m1), [m1, m2, key]),
    "a sorted array is not constant": ([sorted_(view(arr))], eq(at(view(arr), ZERO), at(view(arr), lit(2))), [arr]),
    "a remainder": ([eq(arith("mod", x, lit(1000)), lit(777))], lt(x, lit(1000)), [x]),
    "twice a number": ([eq(arith("mul", lit(2), x), arith("add", y, lit(100)))], lt(x, lit(60)), [x, y]),
    "a tree with a child": ([is_(tree, 1)], is_(mk("field", (tree,), TREE, (1, 0)), 0), [tree]),
}  # fmt: skip

#: What does follow: no counterexample may come out.
VALID: dict[str, tuple[list[Term], Term, list[Term]]] = {
    "itself": ([MAXIMUM, ATTAINED], and_([MAXIMUM, ATTAINED]), [v, x]),
    "sorted by neighbours": ([ADJACENT], sorted_(V), [v]),
    "contradiction": ([lt(x, y), lt(y, x)], lt(x, x), [x, y]),
    "no variables": ([], TRUE, []),
}


def definitely(assumptions: list[Term], goal: Term, found: dict[Term, Value]) -> bool:
    return evaluate(and_([*assumptions, not_(goal)]), found, budget=10**6) is True


@pytest.mark.parametrize("name", REFUTABLE)
def test_search_finds_a_counterexample(name: str) -> None:
    assumptions, goal, variables = REFUTABLE[name]
    found = search(assumptions, not_(goal), variables, budget=200_000)
    assert found is not None
    assert set(found) == set(variables)
    assert all(in_range(value, variable.sort) for variable, value in found.items())
    assert definitely(assumptions, goal, found)
    smaller = shrink(found, lambda a: definitely(assumptions, goal, a))
    assert definitely(assumptions, goal, smaller)


@pytest.mark.parametrize("name", VALID)
def test_search_finds_nothing_where_nothing_is(name: str) -> None:
    assumptions, goal, variables = VALID[name]
    assert search(assumptions, not_(goal), variables, budget=20_000) is None


def test_search_without_variables() -> None:
    assert search([TRUE], lt(ZERO, ONE), [], budget=100) == {}
    assert search([], lt(ONE, ZERO), [], budget=100) is None


def test_search_is_deterministic_and_keeps_its_budget() -> None:
    assumptions, goal, variables = REFUTABLE["pointwise on five elements"]
    assert search(assumptions, not_(goal), variables, budget=50) is None
    first = search(assumptions, not_(goal), variables, budget=200_000)
    assert first == search(assumptions, not_(goal), variables, budget=200_000)


def test_search_never_uses_an_unspecified_value() -> None:
    # v[0] >= 0 is not refuted by the empty vector, only by a negative element.
    found = search([], not_(le(ZERO, at(V, ZERO))), [v], budget=10_000)
    assert found is not None
    assert seq(found[v])[0] < 0


def test_search_in_a_smaller_word() -> None:
    top = mk("word", (), USIZE, "usize::MAX")
    found = search([], not_(lt(k, top)), [k], budget=10_000, usize_bits=32)
    assert found == {k: 2**32 - 1}


def test_search_uses_definitions() -> None:
    ordered = defined("ordered", (V.sort,), quantify("forall", (INT, INT), _ordered_body()))
    both = defined("both", (V.sort, V.sort), and_([eq(bound(1, V.sort), bound(0, V.sort)), app(ordered, (bound(0, V.sort),))]))
    found = search([app(both, (R, V))], not_(lt(length(R), lit(3))), [v, r], budget=100_000)
    assert found is not None
    assert seq(found[r]) == seq(found[v])


def _ordered_body() -> Term:
    s = bound(2, V.sort)
    return implies(and_([le(ZERO, j), lt(j, i), lt(i, length(s))]), le(at(s, j), at(s, i)))


def seq(value: Value) -> Any:
    """The elements of a boxed sequence."""
    assert isinstance(value, Boxed)
    assert isinstance(value.view, tuple)
    return value.view


# --- enumeration -----------------------------------------------------------------------------------------------------

SORTS = [
    BOOL, INT, NAT, U8, I32, U64, USIZE, CHAR, seq_sort(INT), set_sort(U8), map_sort(INT, BOOL), multiset_sort(INT), VEC,
    STRING, ARRAY, OPTION, TREE, tuple_sort((INT, BOOL)), tuple_sort(()), opaque_sort("T"), fn_sort((INT,), BOOL),
    fn_sort((INT, INT), INT), vec(VEC), seq_sort(OPTION), vec(opaque_sort("T")),
]  # fmt: skip


@pytest.mark.parametrize("sort", SORTS, ids=str)
def test_enumerated_values_are_legal_and_different(sort: Sort) -> None:
    found = [values[0] for values in enumerate_inputs([var("q", sort)], [lit(77)], 120)]
    assert len(found) == len(set(found))
    assert all(in_range(value, sort) for value in found)
    few = {"bool": 2, "int": 10, "opaque": 4, "data": 1}.get(sort.kind, 60)
    assert len(found) >= few
    assert found == [values[0] for values in enumerate_inputs([var("q", sort)], [lit(77)], 120)]


def test_enumeration_starts_small_and_meets_literals_and_limits() -> None:
    first = next(iter(enumerate_inputs([v, x], [], 10)))
    assert first == (Boxed(()), 0)
    bytes_ = {values[0] for values in enumerate_inputs([var("a", U8)], [lit(77)], 60)}
    assert {0, 1, 76, 77, 78, 254, 255} <= bytes_
    lengths = [len(seq(values[0])) for values in enumerate_inputs([v], [], 300)]
    assert {0, 1, 2, 3, 4} <= set(lengths)
    assert len(list(enumerate_inputs([v, w, x], [], 300))) == 300
    pairs = list(enumerate_inputs([x, y], [], 60))
    assert {(0, 0), (0, 1), (1, 0), (1, 1), (-1, 1)} <= set(pairs)  # fair: neither variable stands still
    assert list(enumerate_inputs([], [], 10)) == [()]


def test_literals_are_harvested_through_definitions() -> None:
    ten = defined("ten", (INT,), arith("add", bound(0, INT), lit(10)))
    assert set(literals([app(ten, (x,)), eq(x, lit(-5))])) == {9, 10, 11, -4, -5, -6}


def test_a_given_universe() -> None:
    kind = opaque_sort("T")
    inhabitants = Inhabitants(domain={kind: [DataValue("only", 0)]})
    assert list(inhabitants.smallest_first(kind, 5)) == [DataValue("only", 0)]


# --- shrinking -------------------------------------------------------------------------------------------------------


def shrunk(assignment: dict[Term, Value], check: Callable[[dict[Term, Any]], Any]) -> dict[Term, Value]:
    return shrink(assignment, lambda a: bool(check(a)))


def test_shrinking_lists_and_numbers() -> None:
    start: dict[Term, Value] = {v: Boxed((5, -7, 100, 3), 1), x: -1000}
    assert shrunk(start, lambda a: True) == {v: Boxed((), 0), x: 0}
    found = shrunk(start, lambda a: any(e > 10 for e in a[v].view))
    assert found == {v: Boxed((11,), 0), x: 0}
    assert shrunk(start, lambda a: a[x] < -10) == {v: Boxed(()), x: -11}
    assert shrunk(start, lambda a: a[v].rest == 1) == {v: Boxed((), 1), x: 0}


def test_shrinking_several_variables_at_once() -> None:
    start: dict[Term, Value] = {v: Boxed((5, 7, 9)), w: Boxed((1, 2, 3)), k: 3}
    found = shrunk(start, lambda a: len(a[v].view) == len(a[w].view) == a[k] and a[k] > 0)
    assert found == {v: Boxed((0,)), w: Boxed((0,)), k: 1}
    equal: dict[Term, Value] = {x: 500, y: 500}
    assert shrunk(equal, lambda a: a[x] == a[y] and a[x] > 2) == {x: 3, y: 3}
    apart: dict[Term, Value] = {x: 500, y: 501}
    assert shrunk(apart, lambda a: a[y] - a[x] == 1 and a[x] > 2) == {x: 3, y: 4}


def test_shrinking_data_maps_and_text() -> None:
    leaf = DataValue("Tree", 0)
    big = DataValue("Tree", 1, (DataValue("Tree", 1, (leaf, 9, leaf)), 7, leaf))
    assert shrunk({tree: big}, lambda a: a[tree].variant == 1) == {tree: DataValue("Tree", 1, (leaf, 0, leaf))}
    assert shrunk({tree: big}, lambda a: True) == {tree: leaf}
    assert shrunk({o: DataValue("Option", 1, (9,))}, lambda a: True) == {o: DataValue("Option", 0)}
    start = MapValue.of([(5, 5), (3, 9)])
    assert shrunk({m1: start}, lambda a: a[m1].items) == {m1: MapValue.of([(0, 0)])}
    word = Boxed(tuple(map(ord, "hello")))
    assert shrunk({text: word}, lambda a: len(a[text].view) > 1) == {text: Boxed((97, 97))}


def test_shrinking_keeps_values_legal() -> None:
    byte = var("byte", U8)
    seen: list[Value] = []

    def note(a: dict[Term, Value]) -> bool:
        seen.extend(a.values())
        return False

    shrink({byte: 200, arr: Boxed((4, 5, 6))}, note)
    assert all(in_range(value, U8) or in_range(value, ARRAY) for value in seen)


def test_shrinking_stops_after_its_checks() -> None:
    calls: list[dict[Term, Value]] = []

    def note(a: dict[Term, Value]) -> bool:
        calls.append(a)
        return False

    shrink({v: Boxed(tuple(range(50)))}, note, max_checks=17)
    assert len(calls) == 17


values_ = st.lists(st.integers(-(2**31), 2**31 - 1), max_size=6).map(lambda e: Boxed(tuple(e)))
properties = st.sampled_from(
    [
        lambda a: sum(a[v].view) % 3 == 1,
        lambda a: len(a[v].view) >= 2,
        lambda a: a[x] in a[v].view,
        lambda a: any(e < -5 for e in a[v].view),
        lambda a: a[x] % 10 == 7,
        lambda a: list(a[v].view) != sorted(a[v].view),
        lambda a: len(a[v].view) * 3 > a[x],
    ]
)


@settings(max_examples=150)
@given(values_, st.integers(-(2**31), 2**31 - 1), properties)
def test_shrinking_keeps_the_property_and_never_grows(
    value: Boxed, number: int, holds: Callable[[dict[Term, Any]], bool]
) -> None:
    start: dict[Term, Value] = {v: value, x: number}
    if not holds(start):
        return
    found = shrink(start, holds)
    assert holds(found)
    assert sum(weight(a, q.sort) for q, a in found.items()) <= sum(weight(a, q.sort) for q, a in start.items())
    assert shrink(found, holds) == found  # nothing is left to shrink
