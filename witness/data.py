"""Values as JSON, in the form that the corpus uses.

In: a value and its sort, or JSON and a sort. Out: the other. The form is that of corpus/README.md: `{"some": 3}` and
`{"none": true}`, a list for Vec, slice, array and tuple, a text for `char`, `str` and `String`, a table for a struct, and
`{"Variant": …}` for an enum (with `true`, the field, or the fields). A compiled program prints it too (`referee.withheld`).
"""

from __future__ import annotations

from typing import Any

from translate import terms as tm
from translate.elaborate.arithmetic import may_hold
from translate.elaborate.elaborator import FLOATS
from translate.terms import Sort, VariantDecl
from translate.values import Boxed, DataValue, OpaqueValue, Value
from witness.contract import WitnessError
from witness.model import Json


def to_json(value: Any, sort: Sort) -> Json:
    """A value as JSON. Raises `WitnessError` for a value of a sort that cases cannot have."""
    if sort is tm.CHAR:
        return chr(value)
    if sort is tm.BOOL or sort.is_integer:
        plain: bool | int = value
        return plain
    if sort.kind == "boxed" and sort.view is not None and sort.view.kind == "seq":
        element = sort.view.element
        if sort.name in ("str", "String"):
            return "".join(map(chr, value.view))
        return [to_json(v, element) for v in value.view]
    if sort.kind == "data":
        return _data_to_json(value, sort)
    if is_type_parameter(sort):
        index: int = value.index
        return index
    raise WitnessError(f"a value of type `{sort}` cannot be written down in a case")


def is_type_parameter(sort: Sort) -> bool:
    """Whether a sort may be a type parameter: cases run a generic function at `i64`, so its values are told apart by numbers."""
    named = sort.kind == "opaque" and not sort.args and not sort.key and sort.name.isidentifier()
    return named and sort.name not in FLOATS


def _data_to_json(value: DataValue, sort: Sort) -> Json:
    variant = sort.variants[value.variant]
    fields = [to_json(v, f.sort) for v, f in zip(value.fields, variant.fields, strict=True)]
    if sort.name == "tuple":
        return fields if fields else None
    if sort.is_struct:
        return _fields_to_json(variant, fields)
    if sort.name in ("Option", "Result"):
        return {variant.name.lower(): fields[0] if fields else True}
    return {variant.name: _fields_to_json(variant, fields) if fields else True}


def _fields_to_json(variant: VariantDecl, fields: list[Json]) -> Json:
    if fields and variant.fields[0].name.isdigit():
        return fields[0] if len(fields) == 1 else fields
    return {f.name: v for f, v in zip(variant.fields, fields, strict=True)}


def from_json(data: Any, sort: Sort, at: str = "value") -> Value:
    """The value of a sort that JSON stands for; `at` names the place in messages. Raises `WitnessError`."""
    if sort is tm.CHAR:
        if isinstance(data, str) and len(data) == 1:
            return ord(data)
    elif sort is tm.BOOL:
        if isinstance(data, bool):
            return data
    elif sort.is_integer:
        if isinstance(data, int) and not isinstance(data, bool) and may_hold(data, sort):
            return data
    elif sort.kind == "boxed" and sort.view is not None and sort.view.kind == "seq":
        if sort.name in ("str", "String"):
            if isinstance(data, str):
                return Boxed(tuple(map(ord, data)))
        elif isinstance(data, list) and sort.length in (None, len(data)):
            return Boxed(tuple(from_json(x, sort.view.element, f"{at}[{i}]") for i, x in enumerate(data)))
    elif sort.kind == "data":
        return _data_from_json(data, sort, at)
    elif is_type_parameter(sort) and isinstance(data, int) and not isinstance(data, bool):
        return OpaqueValue(sort.name, data)
    raise WitnessError(f"{at}: {_shown(data)} is no value of type `{sort}`")


def _data_from_json(data: Any, sort: Sort, at: str) -> DataValue:
    if sort.name == "tuple":
        parts = [] if data is None else data
        fields = sort.variants[0].fields
        if isinstance(parts, list) and len(parts) == len(fields):
            values = tuple(from_json(x, f.sort, f"{at}.{i}") for i, (x, f) in enumerate(zip(parts, fields, strict=True)))
            return DataValue("tuple", 0, values)
    elif sort.is_struct:
        return DataValue(sort.name, 0, _fields_from_json(data, sort.variants[0], sort, at))
    elif isinstance(data, dict) and len(data) == 1:
        (name, inside), lower = next(iter(data.items())), sort.name in ("Option", "Result")
        for i, variant in enumerate(sort.variants):
            if name == (variant.name.lower() if lower else variant.name):
                if not variant.fields:
                    return DataValue(sort.name, i)
                return DataValue(sort.name, i, _fields_from_json(inside, variant, sort, f"{at}.{name}"))
    raise WitnessError(f"{at}: {_shown(data)} is no value of type `{sort}`")


def _fields_from_json(data: Any, variant: VariantDecl, sort: Sort, at: str) -> tuple[Value, ...]:
    fields = variant.fields
    if len(fields) == 1 and fields[0].name.isdigit():
        return (from_json(data, fields[0].sort, at),)
    if isinstance(data, list) and len(data) == len(fields):
        return tuple(from_json(x, f.sort, f"{at}.{f.name}") for x, f in zip(data, fields, strict=True))
    if not isinstance(data, dict) or set(data) != {f.name for f in fields}:
        names = ", ".join(f.name for f in fields) or "none"
        raise WitnessError(f"{at}: {_shown(data)} is no value of `{sort}`, whose fields are: {names}")
    return tuple(from_json(data[f.name], f.sort, f"{at}.{f.name}") for f in fields)


def _shown(data: Any) -> str:
    text = repr(data)
    return text if len(text) <= 60 else text[:60] + "…"
