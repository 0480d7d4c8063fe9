"""The concrete reading: every operator, three-valued logic, ranges of quantifiers, budgets."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from translate.readings.evaluate import (
    CASES,
    Context,
    EvaluationError,
    OutOfBudget,
    TooLarge,
    Unbounded,
    Unspecified,
    compile,  # noqa: A004
    evaluate,
    in_range,
)
from translate.terms import (
    BOOL,
    CHAR,
    FALSE,
    INT,
    NAT,
    ONE,
    OPS,
    TRUE,
    USIZE,
    ZERO,
    FieldDecl,
    FnSym,
    RecursiveDef,
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
    quantify,
    recursive_group,
    seq_sort,
    set_sort,
    tuple_sort,
    uninterpreted,
    var,
)
from translate.values import Boxed, DataValue, FnValue, MapValue, MultisetValue, Value

U8, I8, I32 = int_sort("u8"), int_sort("i8"), int_sort("i32")
SEQ, SET, MAP, BAG = seq_sort(INT), set_sort(INT), map_sort(INT, INT), multiset_sort(INT)
VEC = Sort("boxed", "Vec", (I32,), "", seq_sort(I32))
PRED = fn_sort((INT,), BOOL)
FN = fn_sort((INT,), INT)
OPTION = Sort("data", "Option", (INT,), "test_evaluate")
OPTION.define((VariantDecl("None", ()), VariantDecl("Some", (FieldDecl("0", INT),))), False)
PAIR = tuple_sort((INT, INT))

x, y, n = var("x", INT), var("y", INT), var("n", INT)
s, t, a_set, m, bag, v = var("s", SEQ), var("t", SEQ), var("a", SET), var("m", MAP), var("bag", BAG), var("v", VEC)
o, f, p = var("o", OPTION), var("f", FN), var("p", BOOL)

UNKNOWN = mk("seq.index", (mk("seq.lit", (), SEQ), ZERO), INT)
UNKNOWN_TRUTH = arith("lt", UNKNOWN, ZERO)


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
    names = {"a": a_set, "m": m, "bag": bag, "v": v, "o": o, "f": f, "p": p, "s": s, "t": t, "x": x, "y": y, "n": n}
    return evaluate(term, {names[k]: value for k, value in values.items()}, budget=budget)


def some(value: Value) -> DataValue:
    return DataValue("Option", 1, (value,))


NONE = DataValue("Option", 0)
HALF = lam(arith("div", b(0), lit(2)))
SMALL = lam(inside(ZERO, b(0), lit(4)))
INC = defined("inc", (INT,), arith("add", b(0), ONE))


#: For each operator: a term, the values of its variables, its value (or the exception that it raises).
SAMPLES: list[tuple[str, Term, dict[str, Any], Any]] = [
    ("var", x, {"x": 7}, 7),
    ("var", x, {}, Unspecified),
    ("bound", forall((INT,), implies(eq(b(0), x), eq(b(0), lit(3)))), {"x": 3}, True),
    ("lit", lit(5), {}, 5),
    ("lit", char_lit("a"), {}, 97),
    ("word", mk("word", (), USIZE, "usize::MAX"), {}, 2**64 - 1),
    ("word", mk("word", (), INT, "isize::MIN"), {}, -(2**63)),
    ("word", mk("word", (), INT, "isize::MAX"), {}, 2**63 - 1),
    ("word", mk("word", (), INT, "usize::BITS"), {}, 64),
    ("not", not_(p), {"p": True}, False),
    ("and", mk("and", (p, eq(x, ONE)), BOOL), {"p": True, "x": 1}, True),
    ("or", mk("or", (p, eq(x, ONE)), BOOL), {"p": False, "x": 2}, False),
    ("implies", implies(p, eq(x, ONE)), {"p": True, "x": 2}, False),
    ("ite", ite(p, x, y), {"p": False, "x": 1, "y": 2}, 2),
    ("eq", eq(s, t), {"s": (1, 2), "t": (1, 2)}, True),
    ("eq", eq(v, var("w", VEC)), {"v": Boxed((1,))}, Unspecified),
    ("forall", forall((INT,), implies(inside(ZERO, b(0), n), lt(b(0), x))), {"n": 4, "x": 4}, True),
    ("exists", exists((INT,), and_([inside(ZERO, b(0), n), eq(b(0), x)])), {"n": 4, "x": 4}, False),
    ("choose", quantify("choose", (INT,), and_([inside(ZERO, b(0), n), lt(x, b(0))])), {"n": 4, "x": 2}, 3),
    ("choose", quantify("choose", (INT,), and_([inside(ZERO, b(0), n), lt(x, b(0))])), {"n": 4, "x": 1}, Unspecified),
    ("choose", quantify("choose", (INT,), and_([inside(ZERO, b(0), n), lt(x, b(0))])), {"n": 4, "x": 9}, Unspecified),
    (
        "choose",
        quantify("choose", (INT, INT), and_([eq(b(1), x), eq(b(0), arith("add", b(1), ONE))])),
        {"x": 4},
        DataValue("tuple", 0, (4, 5)),
    ),
    ("lambda", eq(lam(arith("add", b(0), x)), lam(arith("add", b(0), x))), {"x": 2}, True),
    ("apply", mk("apply", (f, x), INT), {"f": FnValue.of([((3,), 9)], 1), "x": 3}, 9),
    ("apply", mk("apply", (HALF, x), INT), {"x": 7}, 3),
    ("app", app(INC, (x,)), {"x": 7}, 8),
    ("add", arith("add", x, y), {"x": 2, "y": 3}, 5),
    ("sub", arith("sub", x, y), {"x": 2, "y": 3}, -1),
    ("mul", arith("mul", x, y), {"x": 2, "y": -3}, -6),
    ("neg", mk("neg", (x,), INT), {"x": 2}, -2),
    ("div", arith("div", x, y), {"x": -7, "y": 2}, -4),
    ("div", arith("div", x, y), {"x": 7, "y": -2}, -3),
    ("div", arith("div", x, y), {"x": 7, "y": 0}, Unspecified),
    ("mod", arith("mod", x, y), {"x": -7, "y": 2}, 1),
    ("mod", arith("mod", x, y), {"x": 7, "y": -2}, 1),
    ("mod", arith("mod", x, y), {"x": 7, "y": 0}, Unspecified),
    ("lt", lt(x, y), {"x": 1, "y": 1}, False),
    ("le", le(x, y), {"x": 1, "y": 1}, True),
    ("cast", mk("cast", (x,), U8), {"x": 255}, 255),
    ("cast", mk("cast", (x,), U8), {"x": 256}, Unspecified),
    ("cast", mk("cast", (x,), NAT), {"x": -1}, Unspecified),
    ("cast", mk("cast", (x,), CHAR), {"x": 0xD800}, Unspecified),
    ("cast", mk("cast", (x,), CHAR), {"x": 0xE000}, 0xE000),
    ("bitand", mk("bitand", (x, y), U8), {"x": 12, "y": 10}, 8),
    ("bitand", mk("bitand", (x, y), I8), {"x": -1, "y": 10}, 10),
    ("bitor", mk("bitor", (x, y), I8), {"x": -128, "y": 1}, -127),
    ("bitxor", mk("bitxor", (x, y), U8), {"x": 12, "y": 10}, 6),
    ("bitnot", mk("bitnot", (x,), U8), {"x": 1}, 254),
    ("bitnot", mk("bitnot", (x,), I8), {"x": 1}, -2),
    ("shl", mk("shl", (x, y), U8), {"x": 129, "y": 1}, 2),
    ("shl", mk("shl", (x, y), I8), {"x": 64, "y": 1}, -128),
    ("shl", mk("shl", (x, y), U8), {"x": 1, "y": 8}, Unspecified),
    ("shr", mk("shr", (x, y), I8), {"x": -3, "y": 1}, -2),
    ("shr", mk("shr", (x, y), U8), {"x": 129, "y": 1}, 64),
    ("shr", mk("shr", (x, y), U8), {"x": 129, "y": -1}, Unspecified),
    ("ctor", mk("ctor", (x,), OPTION, 1), {"x": 3}, some(3)),
    ("is", mk("is", (o,), BOOL, 1), {"o": NONE}, False),
    ("field", mk("field", (o,), INT, (1, 0)), {"o": some(3)}, 3),
    ("field", mk("field", (o,), INT, (1, 0)), {"o": NONE}, Unspecified),
    ("view", mk("view", (v,), seq_sort(I32)), {"v": Boxed((1, 2), 1)}, (1, 2)),
    ("seq.lit", mk("seq.lit", (x, y), SEQ), {"x": 1, "y": 2}, (1, 2)),
    ("seq.new", mk("seq.new", (n, HALF), SEQ), {"n": 5}, (0, 0, 1, 1, 2)),
    ("seq.new", mk("seq.new", (n, HALF), SEQ), {"n": -5}, ()),
    ("seq.new", mk("seq.new", (n, f), SEQ), {"n": 2, "f": FnValue.of([((1,), 5)], 0)}, (0, 5)),
    ("seq.len", length(s), {"s": (1, 2, 3)}, 3),
    ("seq.len", length(mk("seq.new", (n, lam(UNKNOWN)), SEQ)), {"n": 3}, 3),
    ("seq.index", at(s, x), {"s": (4, 5), "x": 1}, 5),
    ("seq.index", at(s, x), {"s": (4, 5), "x": 2}, Unspecified),
    ("seq.index", at(s, x), {"s": (4, 5), "x": -1}, Unspecified),
    ("seq.push", mk("seq.push", (s, x), SEQ), {"s": (1,), "x": 2}, (1, 2)),
    ("seq.update", mk("seq.update", (s, x, y), SEQ), {"s": (1, 2), "x": 0, "y": 9}, (9, 2)),
    ("seq.update", mk("seq.update", (s, x, y), SEQ), {"s": (1, 2), "x": 2, "y": 9}, Unspecified),
    ("seq.subrange", mk("seq.subrange", (s, x, y), SEQ), {"s": (1, 2, 3), "x": 1, "y": 3}, (2, 3)),
    ("seq.subrange", mk("seq.subrange", (s, x, y), SEQ), {"s": (1, 2, 3), "x": 2, "y": 1}, Unspecified),
    ("seq.add", mk("seq.add", (s, t), SEQ), {"s": (1,), "t": (2, 3)}, (1, 2, 3)),
    ("set.lit", mk("set.lit", (x, y, x), SET), {"x": 1, "y": 2}, frozenset({1, 2})),
    ("set.new", mk("set.new", (SMALL,), SET), {}, frozenset(range(4))),
    ("set.contains", mk("set.contains", (a_set, x), BOOL), {"a": frozenset({1}), "x": 1}, True),
    ("set.contains", mk("set.contains", (mk("set.new", (lam(lt(x, b(0))),), SET), y), BOOL), {"x": 5, "y": 9}, True),
    ("set.insert", mk("set.insert", (a_set, x), SET), {"a": frozenset({1}), "x": 2}, frozenset({1, 2})),
    ("set.remove", mk("set.remove", (a_set, x), SET), {"a": frozenset({1, 2}), "x": 2}, frozenset({1})),
    ("set.union", mk("set.union", (a_set, mk("set.lit", (x,), SET)), SET), {"a": frozenset(), "x": 2}, frozenset({2})),
    ("set.intersect", mk("set.intersect", (a_set, mk("set.new", (SMALL,), SET)), SET), {"a": frozenset({3, 9})},
     frozenset({3})),
    ("set.difference", mk("set.difference", (a_set, mk("set.new", (SMALL,), SET)), SET), {"a": frozenset({3, 9})},
     frozenset({9})),
    ("set.complement", mk("set.complement", (mk("set.complement", (a_set,), SET),), SET), {"a": frozenset({3})},
     frozenset({3})),
    ("set.finite", mk("set.finite", (a_set,), BOOL), {"a": frozenset({3})}, True),
    ("set.finite", mk("set.finite", (mk("set.complement", (a_set,), SET),), BOOL), {"a": frozenset({3})}, False),
    ("set.len", mk("set.len", (a_set,), NAT), {"a": frozenset({3, 4})}, 2),
    ("set.len", mk("set.len", (mk("set.complement", (a_set,), SET),), NAT), {"a": frozenset({3})}, Unspecified),
    ("map.lit", mk("map.lit", (ONE, x, ONE, y), MAP), {"x": 5, "y": 6}, MapValue.of([(1, 6)])),
    ("map.new", mk("map.new", (SMALL, HALF), MAP), {}, MapValue.of([(0, 0), (1, 0), (2, 1), (3, 1)])),
    ("map.new", mk("map.new", (lam(lt(x, b(0))), HALF), MAP), {"x": 0}, Unbounded),
    ("map.dom", mk("map.dom", (m,), SET), {"m": MapValue.of([(1, 6)])}, frozenset({1})),
    ("map.index", mk("map.index", (m, x), INT), {"m": MapValue.of([(1, 6)]), "x": 1}, 6),
    ("map.index", mk("map.index", (m, x), INT), {"m": MapValue.of([(1, 6)]), "x": 2}, Unspecified),
    ("map.index", mk("map.index", (mk("map.new", (lam(lt(x, b(0))), HALF), MAP), y), INT), {"x": 0, "y": 8}, 4),
    ("map.insert", mk("map.insert", (m, x, y), MAP), {"m": MapValue.of([(1, 6)]), "x": 1, "y": 2},
     MapValue.of([(1, 2)])),
    ("map.remove", mk("map.remove", (m, x), MAP), {"m": MapValue.of([(1, 6), (2, 2)]), "x": 1}, MapValue.of([(2, 2)])),
    ("multiset.lit", mk("multiset.lit", (x, y, x), BAG), {"x": 1, "y": 2}, MultisetValue.of([1, 1, 2])),
    ("multiset.count", mk("multiset.count", (bag, x), NAT), {"bag": MultisetValue.of([1, 1]), "x": 1}, 2),
    ("multiset.add", mk("multiset.add", (bag, bag), BAG), {"bag": MultisetValue.of([1])}, MultisetValue.of([1, 1])),
    ("multiset.sub", mk("multiset.sub", (bag, mk("multiset.lit", (x, x), BAG)), BAG),
     {"bag": MultisetValue.of([1, 2]), "x": 1}, MultisetValue.of([2])),
    ("multiset.len", mk("multiset.len", (bag,), NAT), {"bag": MultisetValue.of([1, 1, 2])}, 3),
    ("seq.to_multiset", mk("seq.to_multiset", (s,), BAG), {"s": (2, 1, 2)}, MultisetValue.of([1, 2, 2])),
]  # fmt: skip


@pytest.mark.parametrize(("op", "term", "values", "expected"), SAMPLES)
def test_operator(op: str, term: Term, values: dict[str, Any], expected: Any) -> None:
    if isinstance(expected, type):
        with pytest.raises(expected):
            ev(term, **values)
    else:
        found = ev(term, **values)
        assert found == expected
        assert type(found) is type(expected)


def test_every_operator_has_a_case_and_a_sample() -> None:
    assert set(CASES) == set(OPS)
    # `rec` occurs in no finished term.
    assert {op for op, *_ in SAMPLES} == set(OPS) - {"rec"}


def test_word_size() -> None:
    word = mk("word", (), USIZE, "usize::MAX")
    assert evaluate(word, {}, budget=10, usize_bits=32) == 2**32 - 1
    shifted = mk("shl", (x, lit(31)), USIZE)
    assert evaluate(shifted, {x: 3}, budget=10, usize_bits=32) == 2**31
    assert evaluate(mk("bitnot", (x,), USIZE), {x: 0}, budget=10, usize_bits=32) == 2**32 - 1
    assert evaluate(mk("bitnot", (x,), int_sort("isize")), {x: 0}, budget=10) == -1
    with pytest.raises(Unspecified):
        evaluate(mk("cast", (x,), USIZE), {x: 2**32}, budget=10, usize_bits=32)


# --- three-valued logic --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [True, False])
def test_one_part_decides_whatever_the_others_are(first: bool) -> None:
    def two(op: str, decisive: Term) -> Term:
        return mk(op, (decisive, UNKNOWN_TRUTH) if first else (UNKNOWN_TRUTH, decisive), BOOL)

    assert ev(two("and", FALSE)) is False
    assert ev(two("or", TRUE)) is True
    for op, neutral in (("and", TRUE), ("or", FALSE)):
        with pytest.raises(Unspecified):
            ev(two(op, neutral))


def test_implication_and_if() -> None:
    assert ev(mk("implies", (FALSE, UNKNOWN_TRUTH), BOOL)) is True
    assert ev(mk("implies", (UNKNOWN_TRUTH, TRUE), BOOL)) is True
    for args in ((TRUE, UNKNOWN_TRUTH), (UNKNOWN_TRUTH, FALSE)):
        with pytest.raises(Unspecified):
            ev(mk("implies", args, BOOL))
    assert ev(mk("ite", (UNKNOWN_TRUTH, x, lit(3)), INT), x=3) == 3
    assert ev(mk("ite", (TRUE, x, UNKNOWN), INT), x=3) == 3
    with pytest.raises(Unspecified):
        ev(mk("ite", (UNKNOWN_TRUTH, x, lit(3)), INT), x=4)
    with pytest.raises(Unspecified):
        ev(mk("ite", (TRUE, UNKNOWN, x), INT), x=4)


def test_equality_of_an_unspecified_value_with_itself() -> None:
    assert ev(mk("eq", (UNKNOWN, UNKNOWN), BOOL)) is True
    assert ev(mk("lt", (UNKNOWN, UNKNOWN), BOOL)) is False
    assert ev(eq(mk("ctor", (UNKNOWN,), OPTION, 1), mk("ctor", (), OPTION, 0))) is False
    pair = mk("ctor", (UNKNOWN, x), PAIR, 0)
    assert ev(eq(pair, mk("ctor", (ZERO, y), PAIR, 0)), x=1, y=2) is False
    assert ev(eq(pair, mk("ctor", (UNKNOWN, y), PAIR, 0)), x=2, y=2) is True


def test_a_deciding_instance_decides_a_quantifier() -> None:
    # s[i] is unknown for i = 2, 3.
    some_negative = exists((INT,), and_([inside(ZERO, b(0), lit(4)), lt(at(s, b(0)), ZERO)]))
    assert ev(some_negative, s=(1, -1)) is True
    with pytest.raises(Unspecified):
        ev(some_negative, s=(1, 1))
    all_positive = forall((INT,), implies(inside(ZERO, b(0), lit(4)), lt(ZERO, at(s, b(0)))))
    assert ev(all_positive, s=(1, -1)) is False
    with pytest.raises(Unspecified):
        ev(all_positive, s=(1, 1))


def test_what_is_raised_names_the_term() -> None:
    with pytest.raises(Unspecified) as caught:
        ev(arith("add", at(s, x), ONE), s=(), x=0)
    assert caught.value.term is at(s, x)


i, j, k = b(0), b(1), b(2)
CONTAINS = defined(
    "contains", (SEQ, INT), exists((INT,), and_([inside(ZERO, b(0), length(b(2, SEQ))), eq(at(b(2, SEQ), b(0)), b(1))]))
)


def sorted_(seq: Term) -> Term:
    body = implies(and_([le(ZERO, j), lt(j, i), lt(i, length(seq))]), le(at(seq, j), at(seq, i)))
    return forall((INT, INT), body)


# --- functions, sets ------------------------------------------------------------------------------------------------


def test_infinite_sets() -> None:
    above = mk("set.new", (lam(lt(x, i)),), SET)
    below = mk("set.new", (lam(le(i, x)),), SET)
    both = mk("set.intersect", (above, below), SET)
    assert ev(mk("set.contains", (both, y), BOOL), x=3, y=4) is False
    assert ev(mk("set.contains", (mk("set.union", (above, below), SET), y), BOOL), x=3, y=4) is True
    assert ev(mk("set.contains", (mk("set.difference", (above, below), SET), y), BOOL), x=3, y=4) is True
    with pytest.raises(Unbounded):
        ev(eq(above, below), x=3)
    with pytest.raises(Unbounded):
        ev(mk("set.finite", (above,), BOOL), x=3)
    assert ev(eq(mk("set.complement", (a_set,), SET), a_set), a=frozenset({1})) is False
    bools = set_sort(BOOL)
    falses = mk("set.complement", (mk("set.lit", (TRUE,), bools),), bools)
    assert ev(falses) == frozenset({False})
    bytes_ = set_sort(U8)
    assert ev(mk("set.len", (mk("set.complement", (mk("set.lit", (ONE,), bytes_),), bytes_),), NAT)) == 255


def test_equality_of_functions() -> None:
    double, twice = lam(arith("add", i, i)), lam(arith("mul", lit(2), i))
    with pytest.raises(Unbounded):
        ev(eq(double, twice))
    assert ev(eq(lam(b(0, BOOL), BOOL), lam(not_(not_(b(0, BOOL))), BOOL))) is True
    assert ev(eq(lam(b(0, BOOL), BOOL), lam(TRUE, BOOL))) is False
    assert evaluate(eq(f, double), {f: FnValue.of([((1,), 3)], 0)}, budget=100) is False


def test_boxed_values_with_equal_views_can_differ() -> None:
    w = var("w", VEC)
    assert evaluate(eq(v, w), {v: Boxed((1,), 0), w: Boxed((1,), 0)}, budget=10) is True
    assert evaluate(eq(v, w), {v: Boxed((1,), 0), w: Boxed((1,), 1)}, budget=10) is False
    assert evaluate(eq(v, w), {v: Boxed((1,), 0), w: Boxed((2,), 0)}, budget=10) is False


# --- symbols --------------------------------------------------------------------------------------------------------


def _group(name: str, params: tuple[Sort, ...], result: Sort, body: Term, when: Term | None = None) -> FnSym:
    return recursive_group([RecursiveDef(name, params, result, body, when, (), False, name)])[name]


def _factorial() -> FnSym:
    less = mk("cast", (arith("sub", b(0, NAT), ONE),), NAT)
    call = mk("rec", (less,), NAT, "fac")
    return _group("fac", (NAT,), NAT, ite(le(b(0, NAT), ZERO), ONE, arith("mul", b(0, NAT), call)))


def test_recursion() -> None:
    fac = _factorial()
    assert ev(app(fac, (x,)), x=6) == 720
    assert ev(eq(arith("mod", app(fac, (x,)), lit(7)), ZERO), x=300) is True
    fib = _group(
        "fib",
        (INT,),
        INT,
        ite(
            lt(b(0), lit(2)),
            b(0),
            arith("add", *(mk("rec", (arith("sub", b(0), lit(c)),), INT, "fib") for c in (1, 2))),
        ),
    )
    assert ev(app(fib, (x,)), x=90, budget=2000) == 2880067194370816120  # remembered calls: linear, not exponential


def test_endless_recursion_is_out_of_budget() -> None:
    before = sys.getrecursionlimit()
    endless = _group("endless", (INT,), INT, arith("add", ONE, mk("rec", (arith("add", b(0), ONE),), INT, "endless")))
    for budget in (10, 10**9):
        with pytest.raises(OutOfBudget):
            ev(app(endless, (x,)), x=0, budget=budget)
    through = _group(
        "through",
        (INT,),
        BOOL,
        exists((INT,), and_([eq(i, arith("add", b(1), ONE)), mk("rec", (i,), BOOL, "through")])),
    )
    with pytest.raises(OutOfBudget):
        ev(app(through, (x,)), x=0, budget=10**9)
    grows = _group("grows", (SEQ,), SEQ, mk("rec", (mk("seq.add", (b(0, SEQ), b(0, SEQ)), SEQ),), SEQ, "grows"))
    with pytest.raises(EvaluationError):
        ev(app(grows, (s,)), s=(1,), budget=10**9)
    assert sys.getrecursionlimit() == before


def test_outside_its_when_a_function_is_unspecified() -> None:
    half = _group("half", (INT,), INT, arith("div", b(0), lit(2)), when=le(ZERO, b(0)))
    assert ev(app(half, (x,)), x=5) == 2
    with pytest.raises(Unspecified):
        ev(app(half, (x,)), x=-5)


def test_uninterpreted_symbols() -> None:
    g = uninterpreted("g", (INT,), INT)
    with pytest.raises(Unspecified):
        ev(app(g, (x,)), x=1)
    given_ = {g: FnValue.of([((1,), 5)], 0)}
    assert evaluate(app(g, (x,)), {x: 1}, budget=10, interpretation=given_) == 5
    assert evaluate(app(g, (x,)), {x: 2}, budget=10, interpretation=given_) == 0


def test_a_function_as_argument() -> None:
    all_ = defined(
        "all",
        (SEQ, PRED),
        forall((INT,), implies(inside(ZERO, b(0), length(b(2, SEQ))), mk("apply", (b(1, PRED), at(b(2, SEQ), b(0))), BOOL))),
    )
    positive = app(all_, (s, lam(lt(x, b(0)))))
    assert ev(positive, s=(1, 2), x=0) is True
    assert ev(positive, s=(1, 2), x=1) is False


# --- budgets, size ---------------------------------------------------------------------------------------------------


def test_budget_is_exact_and_the_same_every_time() -> None:
    term, values = sorted_(s), {s: tuple(range(20))}
    context = Context(steps=10**6)
    compile(term, [s], context).run([values[s]])
    used = 10**6 - context.steps
    assert used >= 190
    for _ in range(2):
        assert evaluate(term, values, budget=used) is True
        with pytest.raises(OutOfBudget):
            evaluate(term, values, budget=used - 1)


def test_a_compiled_term_runs_many_times() -> None:
    context = Context(steps=10**6)
    code = compile(and_([sorted_(s), app(CONTAINS, (s, x))]), [s, x], context)
    assert code.run([(1, 2, 3), 2]) is True
    assert code.run([(3, 2), 2]) is False
    assert code.holds([(1, 2), 5]) is False
    assert compile(UNKNOWN_TRUTH, [], context).holds([]) is None


def test_shared_subterms_do_not_cost_twice() -> None:
    big = x
    for _ in range(200):
        big = arith("add", big, big)
    assert ev(arith("mod", big, lit(7)), x=1, budget=10**6) == pow(2, 200, 7)


def test_numbers_and_sequences_have_limits() -> None:
    square = x
    for _ in range(30):
        square = arith("mul", square, square)
    with pytest.raises(TooLarge):
        ev(square, x=3, budget=10**9)
    with pytest.raises(TooLarge):
        ev(mk("seq.new", (n, HALF), SEQ), n=10**9, budget=10**12)
    squares = lt(arith("mod", arith("mul", i, i), lit(4)), lit(2))
    with pytest.raises(TooLarge):
        ev(forall((INT,), implies(inside(ZERO, i, n), squares)), n=10**9, budget=10**12)


def test_in_range() -> None:
    assert in_range(255, U8)
    assert not in_range(256, U8)
    assert not in_range(True, U8)
    assert not in_range(0xD800, CHAR)
    assert in_range(2**40, USIZE)
    assert not in_range(2**40, USIZE, 32)
    assert in_range(Boxed((1, -1)), VEC)
    assert not in_range(Boxed((2**31,)), VEC)
    array = Sort("boxed", "array", (I32,), "", seq_sort(I32), 2)
    assert in_range(Boxed((1, 2)), array)
    assert not in_range(Boxed((1,)), array)
    assert in_range(some(3), OPTION)
    assert not in_range(DataValue("Option", 1, ()), OPTION)
    assert not in_range(DataValue("Option", 2, ()), OPTION)
    assert in_range(MapValue.of([(1, 2)]), MAP)
    assert not in_range(MapValue.of([(-1, 2)]), map_sort(NAT, INT))
    assert in_range(FnValue.of([((1,), 2)], 0), FN)
    assert not in_range(FnValue.of([((-1,), 2)], 0), fn_sort((NAT,), INT))


# --- properties ------------------------------------------------------------------------------------------------------

numbers = st.integers(-(2**70), 2**70)


@given(numbers, numbers)
def test_division_is_euclidean(a: int, c: int) -> None:
    if c == 0:
        return
    q, r = ev(arith("div", x, y), x=a, y=c), ev(arith("mod", x, y), x=a, y=c)
    assert isinstance(q, int)
    assert isinstance(r, int)
    assert a == q * c + r
    assert 0 <= r < abs(c)


@given(numbers, numbers)
def test_arithmetic_is_python_s(a: int, c: int) -> None:
    assert ev(arith("add", x, y), x=a, y=c) == a + c
    assert ev(arith("sub", x, y), x=a, y=c) == a - c
    assert ev(arith("mul", x, y), x=a, y=c) == a * c
    assert ev(lt(x, y), x=a, y=c) is (a < c)
    assert ev(le(x, y), x=a, y=c) is (a <= c)


@given(st.sampled_from(["i8", "u8", "i32", "u64", "i128"]), st.data())
def test_bits_are_those_of_two_s_complement(kind: str, data: st.DataObject) -> None:
    sort = int_sort(kind)
    bits = int(kind[1:])
    signed = kind[0] == "i"
    lo, hi = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    a, c = data.draw(st.integers(lo, hi)), data.draw(st.integers(lo, hi))
    by = data.draw(st.integers(0, bits - 1))

    def pattern(value: int) -> str:
        return format(value % 2**bits, f"0{bits}b")

    def result(term: Term, **values: int) -> str:
        value = ev(term, **values)
        assert isinstance(value, int)
        assert lo <= value <= hi
        return pattern(value)

    for op in ("bitand", "bitor", "bitxor"):
        expected = "".join(
            str(int({"bitand": d == e == "1", "bitor": "1" in (d, e), "bitxor": d != e}[op]))
            for d, e in zip(pattern(a), pattern(c), strict=True)
        )
        assert result(mk(op, (x, y), sort), x=a, y=c) == expected
    assert result(mk("bitnot", (x,), sort), x=a) == "".join("10"[int(d)] for d in pattern(a))
    assert result(mk("shl", (x, y), sort), x=a, y=by) == (pattern(a) + "0" * by)[by:]
    fill = pattern(a)[0] if signed else "0"
    assert result(mk("shr", (x, y), sort), x=a, y=by) == (fill * by + pattern(a))[:bits]
