"""Questions to Z3 that were asked before: a key for each, and values as JSON.

In: a question (premises, goal, variables, and how it is to be asked), or a value of a model. Out: a hash that is the same for the
same question in any process, and the value in a form that a store can keep (see `Store`; `equiv.decide` uses it).

The key covers everything that Z3's answer depends on: the terms as a graph with their sorts and the definitions that they reach,
the names (Z3 orders by them), the order in which the question mentions its parts. What is taken from a store is no more than an
answer of Z3: values are replayed by the evaluator as if Z3 had given them now.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from translate.terms import FnSym, Sort, Term
from translate.values import Boxed, DataValue, FnValue, MapValue, MultisetValue, OpaqueValue, Value, order_key

Json = dict[str, Any]


class Store(Protocol):
    """What keeps answers. It must give back what was put under the very same key, or None; any trouble is None."""

    def get(self, key: str) -> Json | None: ...

    def put(self, key: str, value: Json) -> None: ...


def question_key(terms: Iterable[Term], variables: Sequence[Term], how: Sequence[object]) -> str:
    """The key of a question: premises and goal in order, the variables in order, and what says how it is asked."""
    graph = _Graph()
    roots = [graph.term(t) for t in terms]
    names = [graph.term(v) for v in variables]
    return hashlib.sha256(repr((graph.rows, roots, names, list(how))).encode()).hexdigest()


class _Graph:
    """Terms, sorts and symbols as rows that name one another by number, in the order in which they are met."""

    def __init__(self) -> None:
        self.rows: list[tuple[object, ...]] = []
        self._known: dict[int, int] = {}
        self._kept: list[object] = []  # so that no id is given twice

    def _new(self, thing: object) -> int:
        number = self._known[id(thing)] = len(self.rows)
        self.rows.append(())
        self._kept.append(thing)
        return number

    def term(self, t: Term) -> int:
        found = self._known.get(id(t))
        if found is None:
            args = tuple(self.term(a) for a in t.args)
            found = self._new(t)
            self.rows[found] = ("t", t.op, args, self.sort(t.sort), self._data(t.data))
        return found

    def sort(self, s: Sort) -> int:
        found = self._known.get(id(s))
        if found is None:
            found = self._new(s)  # before its parts: a datatype may contain itself
            args = tuple(self.sort(a) for a in s.args)
            view = None if s.view is None else self.sort(s.view)
            variants = None
            if s.kind == "data" and s.is_defined:
                variants = tuple((v.name, tuple((f.name, self.sort(f.sort)) for f in v.fields)) for v in s.variants)
            self.rows[found] = ("s", s.kind, s.name, args, s.key, view, s.length, s.is_struct, variants)
        return found

    def _symbol(self, f: FnSym) -> int:
        found = self._known.get(id(f))
        if found is None:
            found = self._new(f)  # before its definition: that may call it
            params = tuple(self.sort(s) for s in f.params)
            parts = (f.body, f.when, *f.decreases)
            defined = tuple(None if p is None else self.term(p) for p in parts)
            named = f.key[1] if f.kind == "uninterpreted" else None
            self.rows[found] = ("f", f.name, params, self.sort(f.result), f.kind, f.origin, f.method, named, defined)
        return found

    def _data(self, data: object) -> object:
        if isinstance(data, FnSym):
            return ("f", self._symbol(data))
        if isinstance(data, Sort):
            return ("s", self.sort(data))
        if isinstance(data, tuple):
            return ("l", tuple(self._data(d) for d in data))
        assert data is None or isinstance(data, str | int | bool), data
        return data


# --- values ----------------------------------------------------------------------------------------------------------


def value_json(value: Value) -> Any:
    """A value as JSON: see `json_value`."""
    match value:
        case bool() | int():
            return value
        case tuple():
            return ["seq", [value_json(v) for v in value]]
        case frozenset():
            return ["set", [value_json(v) for v in sorted(value, key=order_key)]]
        case MapValue():
            return ["map", [[value_json(k), value_json(v)] for k, v in value.items]]
        case MultisetValue():
            return ["multiset", [[value_json(e), n] for e, n in value.items]]
        case Boxed():
            return ["boxed", value_json(value.view), value.rest]
        case DataValue():
            return ["data", value.sort_name, value.variant, [value_json(f) for f in value.fields]]
        case FnValue():
            return ["fn", [[[value_json(a) for a in args], value_json(r)] for args, r in value.table], value_json(value.default)]
        case OpaqueValue():
            return ["opaque", value.sort_name, value.index]


def json_value(found: Any) -> Value:
    """The value that `value_json` wrote. Raises `ValueError` for anything else."""
    match found:
        case bool() | int():
            return found
        case ["seq", [*elements]]:
            return tuple(json_value(e) for e in elements)
        case ["set", [*elements]]:
            return frozenset(json_value(e) for e in elements)
        case ["map", [*pairs]]:
            return MapValue(tuple((json_value(k), json_value(v)) for k, v in pairs))
        case ["multiset", [*pairs]]:
            return MultisetValue(tuple((json_value(e), int(n)) for e, n in pairs))
        case ["boxed", view, int(rest)]:
            return Boxed(json_value(view), rest)
        case ["data", str(name), int(variant), [*fields]]:
            return DataValue(name, variant, tuple(json_value(f) for f in fields))
        case ["fn", [*table], default]:
            rows = tuple((tuple(json_value(a) for a in args), json_value(r)) for args, r in table)
            return FnValue(rows, json_value(default))
        case ["opaque", str(name), int(index)]:
            return OpaqueValue(name, index)
    raise ValueError("not a value")
