"""Concrete values: equality, order, and their Rust text."""

from __future__ import annotations

import pytest

from translate.terms import (
    BOOL,
    CHAR,
    INT,
    UNIT,
    FieldDecl,
    Sort,
    VariantDecl,
    fn_sort,
    int_sort,
    map_sort,
    multiset_sort,
    opaque_sort,
    seq_sort,
    set_sort,
    tuple_sort,
)
from translate.values import Boxed, DataValue, FnValue, MapValue, MultisetValue, OpaqueValue, Value, order_key, render_rust

U8 = int_sort("u8")


def boxed(name: str, *args: Sort, view: Sort) -> Sort:
    return Sort("boxed", name, args, view=view)


def data(name: str, *variants: VariantDecl, struct: bool = False) -> Sort:
    sort = Sort("data", name, key="values")
    sort.define(variants, struct)
    return sort


OPTION = Sort("data", "core::option::Option", (INT,), key="values")
OPTION.define((VariantDecl("None", ()), VariantDecl("Some", (FieldDecl("0", INT),))), False)
POINT = data("geo::Point", VariantDecl("Point", (FieldDecl("x", INT), FieldDecl("y", INT))), struct=True)
WRAP = data("Wrap", VariantDecl("Wrap", (FieldDecl("0", U8),)), struct=True)
MARK = data("Mark", VariantDecl("Mark", ()), struct=True)
SHAPE = data("Shape", VariantDecl("Dot", ()), VariantDecl("Circle", (FieldDecl("r", INT),)))

SHOWN: list[tuple[Value, Sort, str]] = [
    (True, BOOL, "true"),
    (-7, INT, "-7"),
    (2**64 - 1, int_sort("u64"), "18446744073709551615"),
    (ord("a"), CHAR, "'a'"),
    (ord("'"), CHAR, r"'\''"),
    (ord("\n"), CHAR, r"'\n'"),
    (0x200B, CHAR, r"'\u{200b}'"),
    ((1, 2), seq_sort(INT), "seq![1, 2]"),
    ((), seq_sort(INT), "seq![]"),
    (frozenset({3, 1}), set_sort(INT), "set![1, 3]"),
    (MapValue.of([(2, True), (1, False)]), map_sort(INT, BOOL), "map![1 => false, 2 => true]"),
    (MultisetValue.of([2, 1, 2]), multiset_sort(INT), "multiset![1, 2, 2]"),
    (Boxed((3, 1)), boxed("Vec", INT, view=seq_sort(INT)), "vec![3, 1]"),
    (Boxed((1, 2)), boxed("array", U8, view=seq_sort(U8)), "[1, 2]"),
    (Boxed((1, 2)), boxed("slice", U8, view=seq_sort(U8)), "&[1, 2]"),
    (Boxed((), 5), boxed("slice", U8, view=seq_sort(U8)), "&[] /* another one, #5, with this view */"),
    (Boxed((ord("a"), ord('"'))), boxed("String", view=seq_sort(CHAR)), r'"a\""'),
    (Boxed((ord("'"),)), boxed("str", view=seq_sort(CHAR)), '"\'"'),
    (Boxed((1,)), boxed("std::collections::VecDeque", INT, view=seq_sort(INT)), "VecDeque::from([1])"),
    (Boxed(MapValue.of([(1, 2)])), boxed("HashMap", INT, INT, view=map_sort(INT, INT)), "HashMap::from([(1, 2)])"),
    (Boxed(frozenset({2})), boxed("HashSet", INT, view=set_sort(INT)), "HashSet::from([2])"),
    (DataValue("Option", 1, (2,)), OPTION, "Some(2)"),
    (DataValue("Option", 0), OPTION, "None"),
    (DataValue("Point", 0, (1, 2)), POINT, "Point { x: 1, y: 2 }"),
    (DataValue("Wrap", 0, (1,)), WRAP, "Wrap(1)"),
    (DataValue("Mark", 0), MARK, "Mark"),
    (DataValue("Shape", 0), SHAPE, "Shape::Dot"),
    (DataValue("Shape", 1, (4,)), SHAPE, "Shape::Circle { r: 4 }"),
    (DataValue("tuple", 0, (1, True)), tuple_sort((INT, BOOL)), "(1, true)"),
    (DataValue("tuple", 0, (1,)), tuple_sort((INT,)), "(1,)"),
    (DataValue("tuple", 0), UNIT, "()"),
    (OpaqueValue("T", 0), opaque_sort("T"), "T#0"),
    (FnValue.of([], 0), fn_sort((INT,), INT), "|x| 0"),
    (FnValue.of([((1,), 2)], 0), fn_sort((INT,), INT), "|x| match x { 1 => 2, _ => 0 }"),
    (FnValue.of([((1, 2), 3)], 0), fn_sort((INT, INT), INT), "|x0, x1| match (x0, x1) { (1, 2) => 3, _ => 0 }"),
]


@pytest.mark.parametrize(("value", "sort", "text"), SHOWN, ids=[t for _, _, t in SHOWN])
def test_render_rust(value: Value, sort: Sort, text: str) -> None:
    assert render_rust(value, sort) == text
    assert {value: 1}[value] == 1


def test_equal_contents_are_equal_values() -> None:
    assert MapValue.of([(1, 2), (3, 4)]) == MapValue.of([(3, 4), (1, 0), (1, 2)])
    assert MultisetValue.of([1, 2, 1]) == MultisetValue.counted([(2, 1), (1, 2), (5, 0)])
    assert FnValue.of([((1,), 0)], 0) == FnValue.of([], 0)
    assert Boxed((1,), 0) != Boxed((1,), 1)


def test_lookups() -> None:
    m = MapValue.of([(1, 2)])
    assert m.get(1) == 2
    assert m.get(9) is None
    assert m.domain == {1}
    ms = MultisetValue.of([5, 5, 4])
    assert ms.count(5) == 2
    assert ms.count(7) == 0
    assert len(ms) == 3
    assert list(ms) == [4, 5, 5]
    f = FnValue.of([((1,), 2)], 7)
    assert f(1) == 2
    assert f(3) == 7


def test_order_is_total_and_stable() -> None:
    values: list[Value] = [v for v, _, _ in SHOWN]
    keys = sorted(map(order_key, values))
    assert keys == sorted(map(order_key, reversed(values)))
