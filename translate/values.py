"""Concrete values: what a term denotes once its free variables have values.

In: sorts. Out: the representation that the evaluator computes with and that the Z3 reading extracts from a model, and its text
in Rust syntax.

| sort     | value                                                                   |
|----------|-------------------------------------------------------------------------|
| bool     | `bool`                                                                  |
| int      | `int` (every integer kind; of `char` the code)                          |
| seq      | `tuple` of elements                                                     |
| set      | `frozenset` of elements: finite sets only                               |
| map      | `MapValue`: finite maps only                                            |
| multiset | `MultisetValue`                                                         |
| boxed    | `Boxed(view, rest)`: the rest tells boxed values with equal views apart |
| data     | `DataValue(sort_name, variant, fields)`                                 |
| fn       | `FnValue`: a finite table and a default                                 |
| opaque   | `OpaqueValue(sort_name, index)`: equal indices, equal values            |

All of them are immutable and hashable, and `==` on two values of one sort is Verus's `==`. Build maps, multisets and functions
with the `of` constructors, which bring their entries into one order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias, Union

from translate.terms import Sort

Value: TypeAlias = Union[
    bool,
    int,
    "tuple[Value, ...]",
    "frozenset[Value]",
    "MapValue",
    "MultisetValue",
    "Boxed",
    "DataValue",
    "FnValue",
    "OpaqueValue",
]


class NotFinite(Exception):
    """A value that has no finite representation here: an infinite set, or a map with an infinite domain."""


@dataclass(frozen=True, slots=True)
class MapValue:
    """A finite map: (key, value) pairs in the order of `order_key` of their keys, each key once."""

    items: tuple[tuple[Value, Value], ...]

    @classmethod
    def of(cls, pairs: Iterable[tuple[Value, Value]]) -> MapValue:
        """The map of these pairs; of equal keys the later wins."""
        table = dict(pairs)
        return cls(tuple(sorted(table.items(), key=lambda kv: order_key(kv[0]))))

    @property
    def domain(self) -> frozenset[Value]:
        return frozenset(k for k, _ in self.items)

    def get(self, key: Value) -> Value | None:
        """The value of a key, None where it is missing (no value is None)."""
        return dict(self.items).get(key)


@dataclass(frozen=True, slots=True)
class MultisetValue:
    """A finite multiset: (element, multiplicity > 0) pairs in the order of `order_key`, each element once."""

    items: tuple[tuple[Value, int], ...]

    @classmethod
    def of(cls, elements: Iterable[Value]) -> MultisetValue:
        counts: dict[Value, int] = {}
        for e in elements:
            counts[e] = counts.get(e, 0) + 1
        return cls.counted(counts.items())

    @classmethod
    def counted(cls, counts: Iterable[tuple[Value, int]]) -> MultisetValue:
        """From (element, multiplicity) pairs of different elements; multiplicities below 1 are dropped."""
        return cls(tuple(sorted(((e, n) for e, n in counts if n > 0), key=lambda en: order_key(en[0]))))

    def count(self, element: Value) -> int:
        return dict(self.items).get(element, 0)

    def __len__(self) -> int:
        return sum(n for _, n in self.items)

    def __iter__(self) -> Iterator[Value]:
        """Every element as often as it occurs."""
        for e, n in self.items:
            yield from (e,) * n


@dataclass(frozen=True, slots=True)
class Boxed:
    view: Value
    rest: int = 0


@dataclass(frozen=True, slots=True)
class DataValue:
    sort_name: str
    variant: int
    fields: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class FnValue:
    """A function: (arguments, result) pairs in the order of `order_key`, none of whose results is the default."""

    table: tuple[tuple[tuple[Value, ...], Value], ...]
    default: Value

    @classmethod
    def of(cls, table: Iterable[tuple[tuple[Value, ...], Value]], default: Value) -> FnValue:
        """The function of this table (of equal arguments the later wins) that is `default` elsewhere. Two such functions
        over an infinite sort are `==` exactly when they agree everywhere."""
        kept = {args: result for args, result in dict(table).items() if result != default}
        return cls(tuple(sorted(kept.items(), key=lambda ar: order_key(ar[0]))), default)

    def __call__(self, *args: Value) -> Value:
        return dict(self.table).get(args, self.default)


@dataclass(frozen=True, slots=True)
class OpaqueValue:
    sort_name: str
    index: int


def order_key(value: Value) -> tuple[object, ...]:
    """A key that orders values of one sort totally, the same in every run."""
    match value:
        case bool() | int():
            return (0, int(value))
        case tuple():
            return (1, len(value), *map(order_key, value))
        case frozenset():
            return (2, len(value), *sorted(map(order_key, value)))
        case MapValue(items=items):
            return (3, len(items), *((order_key(k), order_key(v)) for k, v in items))
        case MultisetValue(items=counts):
            return (4, len(counts), *((order_key(e), n) for e, n in counts))
        case Boxed(view=view, rest=rest):
            return (5, order_key(view), rest)
        case DataValue(sort_name=name, variant=variant, fields=fields):
            return (6, name, variant, *map(order_key, fields))
        case FnValue(table=table, default=default):
            return (7, order_key(default), len(table), *((order_key(a), order_key(r)) for a, r in table))
        case OpaqueValue(sort_name=name, index=index):
            return (8, name, index)


# --- as Rust -------------------------------------------------------------------------------------------------------

_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\", "\0": "\\0"}
_PRELUDE_ENUMS = ("Option", "Result")


def render_rust(value: Value, sort: Sort) -> str:
    """The value as a Rust (for ghost collections: Verus) expression of that sort, on one line.

    Numbers are plain: they stand where their type is known. Opaque values print as `T#0`. Of boxed values with one view the
    first prints as that; another one says that it is another.
    """
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return _char(value) if sort.name == "char" else str(value)
        case tuple():
            return f"seq![{_elements(value, sort.element)}]"
        case frozenset():
            return f"set![{_elements(sorted(value, key=order_key), sort.element)}]"
        case MapValue():
            key, val = sort.args
            return f"map![{', '.join(f'{render_rust(k, key)} => {render_rust(v, val)}' for k, v in value.items)}]"
        case MultisetValue():
            return f"multiset![{_elements(value, sort.element)}]"
        case Boxed():
            return _boxed(value, sort)
        case DataValue():
            return _data(value, sort)
        case FnValue():
            return _function(value, sort)
        case OpaqueValue(sort_name=name, index=index):
            return f"{name}#{index}"


def _elements(values: Iterable[Value], sort: Sort) -> str:
    return ", ".join(render_rust(v, sort) for v in values)


def _escaped(code: int, quote: str) -> str:
    c = chr(code)
    if c == quote:
        return "\\" + c
    if c in _ESCAPES:
        return _ESCAPES[c]
    return c if c.isprintable() else f"\\u{{{code:x}}}"


def _char(code: int) -> str:
    return f"'{_escaped(code, chr(39))}'"


def _boxed(value: Boxed, sort: Sort) -> str:
    text = _boxed_view(value, sort)
    return f"{text} /* another one, #{value.rest}, with this view */" if value.rest else text


def _boxed_view(value: Boxed, sort: Sort) -> str:
    assert sort.view is not None
    view = value.view
    name = sort.name.rsplit("::", 1)[-1]
    if isinstance(view, tuple):
        element = sort.view.element
        if element.name == "char" and name in ("String", "str"):
            return '"' + "".join(_escaped(c, '"') for c in view if isinstance(c, int)) + '"'
        parts = [render_rust(v, element) for v in view]
        match name:
            case "Vec":
                return f"vec![{', '.join(parts)}]"
            case "array" | "slice":
                return ("&" if name == "slice" else "") + f"[{', '.join(parts)}]"
        return f"{name}::from([{', '.join(parts)}])"
    if isinstance(view, frozenset):
        return f"{name}::from([{_elements(sorted(view, key=order_key), sort.view.element)}])"
    if isinstance(view, MapValue):
        key, val = sort.view.args
        return f"{name}::from([{', '.join(f'({render_rust(k, key)}, {render_rust(v, val)})' for k, v in view.items)}])"
    return f"{name}({render_rust(view, sort.view)})"


def _data(value: DataValue, sort: Sort) -> str:
    variant = sort.variants[value.variant]
    fields = [(f.name, render_rust(v, f.sort)) for f, v in zip(variant.fields, value.fields, strict=True)]
    shown = [text for _, text in fields]
    name = sort.name.rsplit("::", 1)[-1]
    if name == "tuple":
        return f"({', '.join(shown)}{',' if len(shown) == 1 else ''})"
    head = name if sort.is_struct else variant.name if name in _PRELUDE_ENUMS else f"{name}::{variant.name}"
    if not fields:
        return head
    if fields[0][0].isdigit():
        return f"{head}({', '.join(shown)})"
    return f"{head} {{ {', '.join(f'{n}: {text}' for n, text in fields)} }}"


def _function(value: FnValue, sort: Sort) -> str:
    *params, result = sort.args
    names = [f"x{i}" for i in range(len(params))] if len(params) > 1 else ["x"] * len(params)
    default = render_rust(value.default, result)
    if not value.table:
        return f"|{', '.join(names)}| {default}"
    arms: list[str] = []
    for args, r in value.table:
        shown = [render_rust(a, s) for a, s in zip(args, params, strict=True)]
        pattern = shown[0] if len(shown) == 1 else f"({', '.join(shown)})"
        arms.append(f"{pattern} => {render_rust(r, result)}, ")
    subject = names[0] if len(names) == 1 else f"({', '.join(names)})"
    return f"|{', '.join(names)}| match {subject} {{ {''.join(arms)}_ => {default} }}"
