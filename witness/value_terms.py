"""Values as terms.

In: a value and its sort. Out: a term that denotes it. Executable collections have a hidden rest and so no term of their own: they
get names, and equations say what their views are.
"""

from __future__ import annotations

from translate import terms as tm
from translate.terms import Sort, Term
from translate.values import Boxed, DataValue, MapValue, MultisetValue, Value, order_key


def literal_sort(sort: Sort, seen: frozenset[Sort] = frozenset()) -> bool:
    """Whether every value of a sort can be written as a term (with names for executable collections)."""
    if sort in seen:
        return True
    match sort.kind:
        case "bool" | "int":
            return True
        case "seq" | "set" | "map" | "multiset":
            return all(literal_sort(s, seen) for s in sort.args)
        case "boxed":
            return sort.view is not None and literal_sort(sort.view, seen)
        case "data":
            return all(literal_sort(f.sort, seen | {sort}) for v in sort.variants for f in v.fields)
    return False


def literal(value: Value, sort: Sort, pins: list[Term], fresh: list[Term], name: Term | None = None) -> Term:
    """A value as a term. An executable collection has no term of its own: it gets a name (`name` at the top), which goes to
    `fresh`, and `pins` says what its view is."""

    def inner(x: Value, s: Sort) -> Term:
        return literal(x, s, pins, fresh)

    match value:
        case Boxed(view=view):
            assert sort.view is not None
            name = name or tm.var(f"%value{len(fresh)}", sort)
            fresh.append(name)
            pins.append(tm.mk("eq", (tm.mk("view", (name,), sort.view), inner(view, sort.view)), tm.BOOL))
            return name
        case bool():
            return tm.lit(value)
        case int():
            return tm.mk("lit", (), tm.CHAR if sort is tm.CHAR else tm.INT, value)
        case tuple():
            return tm.mk("seq.lit", tuple(inner(x, sort.element) for x in value), sort)
        case frozenset():
            return tm.mk("set.lit", tuple(inner(x, sort.element) for x in sorted(value, key=order_key)), sort)
        case MultisetValue():
            return tm.mk("multiset.lit", tuple(inner(x, sort.element) for x in value), sort)
        case MapValue(items=items):
            return tm.mk("map.lit", tuple(inner(x, s) for item in items for x, s in zip(item, sort.args, strict=True)), sort)
        case DataValue(variant=variant, fields=fields):
            decls = sort.variants[variant].fields
            return tm.mk("ctor", tuple(inner(x, f.sort) for x, f in zip(fields, decls, strict=True)), sort, variant)
    raise ValueError(f"no term for a value of `{sort}`")
