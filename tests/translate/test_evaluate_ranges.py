"""Ranges of quantifiers in the concrete reading: from which guards they come, and that they lose no instance."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from translate.readings.evaluate import (
    Context,
    EvaluationError,
    TooLarge,
    Unbounded,
    compile,  # noqa: A004
    evaluate,
)
from translate.terms import (
    BOOL,
    FALSE,
    INT,
    NAT,
    ONE,
    ZERO,
    FieldDecl,
    Sort,
    Term,
    VariantDecl,
    and_,
    app,
    arith,
    bound,
    defined,
    eq,
    implies,
    instantiate,
    int_sort,
    lit,
    map_sort,
    mk,
    multiset_sort,
    not_,
    opaque_sort,
    or_,
    quantify,
    seq_sort,
    set_sort,
    tuple_sort,
    var,
)
from translate.values import OpaqueValue, Value

U8 = int_sort("u8")
SEQ, SET, MAP, BAG = seq_sort(INT), set_sort(INT), map_sort(INT, INT), multiset_sort(INT)
OPTION = Sort("data", "Option", (INT,), "test_ranges")
OPTION.define((VariantDecl("None", ()), VariantDecl("Some", (FieldDecl("0", INT),))), False)
PAIR = tuple_sort((INT, INT))

x, y, n = var("x", INT), var("y", INT), var("n", INT)
s, t = var("s", SEQ), var("t", SEQ)


def b(index: int, sort: Sort = INT) -> Term:
    return bound(index, sort)


def length(seq: Term) -> Term:
    return mk("seq.len", (seq,), NAT)


def at(seq: Term, i: Term) -> Term:
    return mk("seq.index", (seq, i), seq.sort.args[0])


def le(a: Term, c: Term) -> Term:
    return arith("le", a, c)


def lt(a: Term, c: Term) -> Term:
    return arith("lt", a, c)


def inside(lo: Term, i: Term, hi: Term) -> Term:
    return and_([le(lo, i), lt(i, hi)])


def forall(sorts: tuple[Sort, ...], body: Term) -> Term:
    return quantify("forall", sorts, body)


def exists(sorts: tuple[Sort, ...], body: Term) -> Term:
    return quantify("exists", sorts, body)


def lam(body: Term, *sorts: Sort) -> Term:
    return quantify("lambda", sorts or (INT,), body)


def ev(term: Term, budget: int = 200_000, **values: Any) -> Value:
    names = {"s": s, "t": t, "x": x, "y": y, "n": n}
    return evaluate(term, {names[k]: value for k, value in values.items()}, budget=budget)


SMALL = lam(inside(ZERO, b(0), lit(4)))


i, j, k = b(0), b(1), b(2)
CONTAINS = defined(
    "contains", (SEQ, INT), exists((INT,), and_([inside(ZERO, b(0), length(b(2, SEQ))), eq(at(b(2, SEQ), b(0)), b(1))]))
)


def sorted_(seq: Term) -> Term:
    body = implies(and_([le(ZERO, j), lt(j, i), lt(i, length(seq))]), le(at(seq, j), at(seq, i)))
    return forall((INT, INT), body)


def test_chain_over_two_variables() -> None:
    assert ev(sorted_(s), s=(1, 2, 2)) is True
    assert ev(sorted_(s), s=(1, 3, 2)) is False
    nested = forall((INT,), forall((INT,), sorted_(s).args[0]))
    assert ev(nested, s=(1, 2, 2)) is True
    assert ev(nested, s=(1, 3, 2)) is False


@pytest.mark.parametrize(
    ("guard", "expected"),
    [
        (and_([le(ZERO, i), lt(i, n)]), {0, 1, 2, 3, 4}),
        (and_([lt(ZERO, i), le(i, n)]), {1, 2, 3, 4, 5}),
        (and_([le(x, arith("add", i, ONE)), lt(arith("add", i, ONE), n)]), {1, 2, 3}),
        (and_([le(ZERO, i), lt(arith("mul", lit(2), i), n)]), {0, 1, 2}),
        (and_([le(ZERO, i), lt(arith("mul", i, i), n)]), {0, 1, 2}),
        (lt(arith("mul", i, i), n), {-2, -1, 0, 1, 2}),
        (and_([lt(arith("sub", ZERO, i), x), not_(le(n, i))]), {-1, 0, 1, 2, 3, 4}),
        (eq(i, arith("add", n, ONE)), {6}),
        (eq(arith("mul", lit(3), i), arith("add", n, ONE)), {2}),
        (eq(arith("mul", lit(3), i), n), set()),
        (eq(arith("mul", x, i), lit(6)), {3}),
        (or_([eq(i, x), eq(n, i), inside(ZERO, i, lit(2))]), {0, 1, 2, 5}),
        (mk("set.contains", (mk("set.lit", (x, n), SET), i), BOOL), {2, 5}),
        (mk("set.contains", (mk("map.dom", (mk("map.lit", (x, n), MAP),), SET), i), BOOL), {2}),
        (lt(ZERO, mk("multiset.count", (mk("multiset.lit", (x, x, n), BAG), i), NAT)), {2, 5}),
        (app(CONTAINS, (mk("seq.lit", (x, n, x), SEQ), i)), {2, 5}),
        (eq(mk("ctor", (i,), OPTION, 1), mk("ctor", (x,), OPTION, 1)), {2}),
        (eq(mk("ctor", (i,), OPTION, 1), mk("ctor", (), OPTION, 0)), set()),
        (mk("ite", (lt(x, n), inside(x, i, n), FALSE), BOOL), {2, 3, 4}),
        (exists((INT,), and_([inside(ZERO, i, n), eq(j, arith("mul", i, i))])), {0, 1, 4, 9, 16}),
        (mk("set.contains", (mk("set.new", (SMALL,), SET), i), BOOL), {0, 1, 2, 3}),
        (mk("apply", (SMALL, i), BOOL), {0, 1, 2, 3}),
    ],
)
def test_range_from_guard(guard: Term, expected: set[int]) -> None:
    """The set of all solutions, which is exact only when the guard gives a finite range; the same as forall and exists."""
    values = {"n": 5, "x": 2}
    assert ev(mk("set.new", (lam(guard),), SET), **values) == frozenset(expected)
    allowed = or_([eq(i, lit(c)) for c in sorted(expected)])
    assert ev(forall((INT,), implies(guard, allowed)), **values) is True
    assert ev(exists((INT,), and_([guard, not_(allowed)])), **values) is False
    assert ev(forall((INT,), or_([not_(guard), FALSE, allowed])), **values) is True


def test_bounds_that_depend_on_other_variables() -> None:
    triangle = mk("set.len", (mk("set.new", (lam(_pairs(), PAIR),), set_sort(PAIR)),), NAT)
    assert ev(triangle, n=5) == 10


def _pairs() -> Term:
    first, second = mk("field", (b(0, PAIR),), INT, (0, 0)), mk("field", (b(0, PAIR),), INT, (0, 1))
    return and_([le(ZERO, first), lt(first, second), lt(second, n)])


def test_variables_are_bound_in_whatever_order_has_ranges() -> None:
    # i's range hangs on j, which is declared before and after it.
    for inner, outer in ((i, j), (j, i)):
        guard = and_([inside(ZERO, outer, n), inside(outer, inner, arith("mul", lit(2), outer))])
        assert ev(forall((INT, INT), implies(guard, lt(inner, lit(8)))), n=5) is True
        assert ev(forall((INT, INT), implies(guard, lt(inner, lit(7)))), n=5) is False


def test_membership_through_a_definition() -> None:
    subset = forall((INT,), implies(app(CONTAINS, (s, i)), app(CONTAINS, (t, i))))
    assert ev(subset, s=(1, 2, 3, 2), t=(3, 2, 1)) is True
    assert ev(subset, s=(1, 2, 3), t=(3, 2)) is False


def test_finite_sorts() -> None:
    u = b(0, U8)
    assert ev(forall((U8,), lt(u, lit(256)))) is True
    assert ev(exists((U8,), lt(lit(254), u))) is True
    assert ev(forall((U8,), lt(u, lit(255)))) is False
    assert ev(forall((BOOL,), or_([b(0, BOOL), not_(b(0, BOOL))]))) is True
    colour = Sort("data", "Colour", (), "test_evaluate")
    colour.define((VariantDecl("Red", ()), VariantDecl("Mixed", (FieldDecl("0", BOOL),))), False)
    c = b(0, colour)
    red, mixed = mk("is", (c,), BOOL, 0), mk("is", (c,), BOOL, 1)
    assert ev(forall((colour,), or_([red, mixed]))) is True
    assert ev(forall((colour,), red)) is False
    word = int_sort("u64")
    assert ev(forall((word,), le(ZERO, b(0, word)))) is True  # no instance can make it false
    assert ev(forall((word,), le(ZERO, arith("mod", b(0, word), lit(3))))) is True
    with pytest.raises(TooLarge):
        ev(forall((word,), lt(arith("mod", arith("mul", b(0, word), b(0, word)), lit(4)), lit(2))))


def test_without_a_range_candidates_can_still_decide() -> None:
    assert ev(exists((INT,), lt(x, i)), x=10**9) is True
    assert ev(forall((INT,), lt(i, x)), x=10**9) is False
    assert ev(exists((SEQ,), eq(length(b(0, SEQ)), ONE))) is True
    assert ev(forall((INT,), le(ZERO, arith("mul", arith("mul", i, i), arith("mul", i, i))))) is True
    with pytest.raises(Unbounded):
        ev(exists((INT,), eq(arith("mod", i, lit(1000)), lit(777))))


def test_sequences_as_long_as_an_unknown_number() -> None:
    """The length is known only as a range that is too long to go through: it is cut, or the answer stays open."""
    q = b(0, SEQ)
    natural = forall((INT,), implies(inside(ZERO, i, length(b(1, SEQ))), le(ZERO, at(b(1, SEQ), i))))
    of_length = and_([eq(length(q), b(1)), natural])
    some = implies(inside(ZERO, b(0), x), exists((SEQ,), of_length))
    for term in (forall((INT,), some), not_(exists((INT,), not_(some)))):
        try:
            assert ev(term, x=10**9) is True
        except EvaluationError:
            continue


def test_natural_variables_start_at_zero() -> None:
    q = b(0, NAT)
    assert ev(exists((NAT,), eq(arith("add", q, x), ZERO)), x=3) is False
    assert ev(exists((NAT,), eq(arith("add", q, x), ZERO)), x=-3) is True
    prime = forall((NAT,), implies(and_([lt(ONE, q), lt(q, x)]), not_(eq(arith("mod", x, q), ZERO))))
    assert [c for c in range(2, 30) if ev(prime, x=c)] == [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]


def test_a_universe_for_an_opaque_sort() -> None:
    kind = opaque_sort("T")
    universe = {kind: [OpaqueValue("T", 0), OpaqueValue("T", 1)]}
    two = exists((kind, kind), not_(eq(b(0, kind), b(1, kind))))
    three = exists((kind,) * 3, and_([not_(eq(b(c, kind), b(d, kind))) for c in range(3) for d in range(c)]))
    assert evaluate(two, {}, budget=1000, domain=universe) is True
    assert evaluate(three, {}, budget=1000, domain=universe) is False


# --- properties ------------------------------------------------------------------------------------------------------

sequences = st.lists(st.integers(-3, 3), max_size=6).map(tuple)


@given(sequences)
def test_quantifiers_agree_with_python(values: tuple[int, ...]) -> None:
    assert ev(sorted_(s), s=values) is (list(values) == sorted(values))
    for c in range(-3, 4):
        assert ev(app(CONTAINS, (s, x)), s=values, x=c) is (c in values)
    distinct = forall(
        (INT, INT), implies(and_([inside(ZERO, i, length(s)), inside(ZERO, j, length(s)), not_(eq(i, j))]),
                            not_(eq(at(s, i), at(s, j))))
    )  # fmt: skip
    assert ev(distinct, s=values) is (len(set(values)) == len(values))


def _formulas() -> st.SearchStrategy[Term]:
    """Formulas over two integers bound to small ranges, and free x, y."""
    atoms = st.sampled_from([b(0), b(1), x, y, ZERO, ONE, lit(2)])
    sums = st.tuples(atoms, atoms, st.sampled_from(["add", "sub", "mul"])).map(lambda q: arith(q[2], q[0], q[1]))
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
        ),
        max_leaves=6,
    )


@settings(max_examples=300)
@given(_formulas(), st.integers(-3, 3), st.integers(-3, 3))
def test_derived_ranges_lose_no_instance(body: Term, c: int, d: int) -> None:
    """Whatever range the guards give, the answer is that of all instances in a box, as far as the box can tell."""
    box = range(-12, 13)
    first, second = var("first", INT), var("second", INT)
    context = Context(steps=10**6)
    code = compile(instantiate(body, (first, second)), [first, second, x, y], context)
    truths = [code.run([a, e, c, d]) for a in box for e in box]
    for term, op in ((forall((INT, INT), body), all), (exists((INT, INT), body), any)):
        try:
            found = ev(term, x=c, y=d)
        except EvaluationError:
            continue
        if found is (op is all):  # a universal truth (or falsity of an existential) must hold in the box
            assert found is op(truths)
