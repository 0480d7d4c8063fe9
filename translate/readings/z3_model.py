"""Concrete values from a Z3 model.

In: a model and leaves. Out: values (`translate.values`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import z3

from translate.readings.z3_builder import Expr
from translate.readings.z3_collections import is_finite
from translate.readings.z3_data import RecursiveData
from translate.readings.z3_values import Origin
from translate.terms import Sort, word_range
from translate.values import Boxed, DataValue, FnValue, MapValue, MultisetValue, NotFinite, OpaqueValue, Value

Entries = tuple[list[tuple[tuple[Expr, ...], Expr]], Expr]

#: A finite sort with at most so many values is enumerated where a model gives an infinite-looking set.
_ENUMERATED = 256
_DEPTH = 40
#: Resource units for a formula that a model gives as a truth value.
_DECIDE = 200_000


class ModelReader:
    def __init__(self, reading: RecursiveData, model: Any, limit: int, elements: dict[tuple[Sort, str], int]) -> None:
        """`elements` numbers the elements of opaque sorts; sharing it, all variables of a model have one numbering."""
        self.reading, self.model, self.limit, self.elements = reading, model, limit, elements
        self.depth = 0

    def eval(self, e: Expr) -> Expr:
        return self.model.eval(e, model_completion=True)

    def truth(self, e: Expr) -> bool:
        """The truth value of a formula. A model can give a variable a closed quantifier as its value: Z3 decides that."""
        e = self.eval(e)
        if not z3.is_true(e) and not z3.is_false(e):
            solver = z3.Solver(ctx=self.reading.ctx)
            solver.set("rlimit", _DECIDE)
            solver.add(e)
            answer = str(solver.check())
            if answer == "unknown":
                raise NotFinite(f"no truth value: {e}")
            return answer == "sat"
        return bool(z3.is_true(e))

    def value(self, sort: Sort, leaves: Sequence[Expr]) -> Value:
        """The value with these leaves; raises NotFinite."""
        match sort.kind:
            case "bool":
                return self.truth(leaves[0])
            case "int":
                number = self.eval(leaves[0])
                if not z3.is_int_value(number):
                    raise NotFinite(f"no number: {number}")
                return int(number.as_long())
            case "opaque":
                ident = sort, str(self.eval(leaves[0]))
                return OpaqueValue(str(sort), self.elements.setdefault(ident, sum(s is sort for s, _ in self.elements)))
            case "seq":
                length = self.value(_INT, leaves[:1])
                assert isinstance(length, int)
                if length > self.limit:
                    raise NotFinite(f"a sequence of length {length}")
                ctx = self.reading.ctx
                arrays = [self.eval(a) for a in leaves[1:]]
                at: Callable[[int], list[Expr]] = lambda i: [z3.Select(a, z3.IntVal(i, ctx)) for a in arrays]  # noqa: E731
                return tuple(self.value(sort.element, at(i)) for i in range(length))
            case "set":
                keys = self.support(leaves[0], sort.args)
                return frozenset(self.index(sort.args, k)[0] for k, v in keys if self.truth(v))
            case "map":
                key, val = sort.args
                pairs = []
                for k, v in self.support(leaves[0], [key]):
                    if self.truth(v):
                        found = [self.reading.select(a, k) for a in leaves[1:]]
                        pairs.append((self.index([key], k)[0], self.value(val, found)))
                return MapValue.of(pairs)
            case "multiset":
                entries, default = self.entries(leaves[0], len(self.reading.leaf_sorts(sort.args[0])))
                if not z3.is_int_value(default) or default.as_long() != 0:
                    raise NotFinite("a multiset with infinitely many elements")
                counts = {self.index(sort.args, k)[0]: v.as_long() for k, v in entries}
                return MultisetValue.counted(counts.items())
            case "fn":
                return self.function(sort, leaves)
            case "boxed":
                assert sort.view is not None
                rest = self.value(_INT, leaves[-1:])
                assert isinstance(rest, int)
                return Boxed(self.value(sort.view, leaves[:-1]), rest)
        return self.data(sort, leaves)

    def data(self, sort: Sort, leaves: Sequence[Expr]) -> Value:
        if self.reading.is_recursive(sort):
            encoding = self.reading._encoding(sort)
            self.reading._complete(sort, encoding)
            leaf = self.eval(leaves[0])
            self.depth += 1
            if self.depth > _DEPTH:
                self.depth = 0
                raise NotFinite("a datatype value that contains itself")
            for v, variant in enumerate(sort.variants):
                if z3.is_true(self.eval(encoding.test[v](leaf))) or v == len(sort.variants) - 1:
                    fields = tuple(
                        self.value(f.sort, [s(leaf) for s in selectors])
                        for f, selectors in zip(variant.fields, encoding.select[v], strict=True)
                    )
                    self.depth -= 1
                    return DataValue(sort.name, v, fields)
        value = self.reading.from_leaves(sort, leaves, Origin(False))
        v = value.variant
        at = 0
        if v is None:
            tag = self.value(_INT, leaves[:1])
            if not isinstance(tag, int) or not 0 <= tag < len(sort.variants):  # in a part of a value that nothing asks about
                raise NotFinite(f"no variant of {sort}: {tag}")
            v, at = tag, 1
        fields_of: list[Value] = []
        for w, variant in enumerate(sort.variants):
            for f in variant.fields:
                n = len(self.reading.leaf_sorts(f.sort))
                if w == v:
                    fields_of.append(self.value(f.sort, leaves[at : at + n]))
                at += n
        return DataValue(sort.name, v, tuple(fields_of))

    def function(self, sort: Sort, leaves: Sequence[Expr]) -> Value:
        *params, result = sort.args
        arity = sum(len(self.reading.leaf_sorts(p)) for p in params)
        points: dict[tuple[str, ...], tuple[Expr, ...]] = {}
        defaults = []
        for a in leaves:
            entries, default = self.entries(a, arity)
            defaults.append(default)
            points.update((tuple(map(str, k)), k) for k, _ in entries)
        table = []
        for k in points.values():
            table.append((self.index(params, k), self.value(result, [self.reading.select(a, k) for a in leaves])))
        return FnValue.of(table, self.value(result, defaults))

    def index(self, sorts: Sequence[Sort], leaves: Sequence[Expr]) -> tuple[Value, ...]:
        """The values whose leaves make up an index."""
        values = []
        at = 0
        for s in sorts:
            n = len(self.reading.leaf_sorts(s))
            values.append(self.value(s, leaves[at : at + n]))
            at += n
        return tuple(values)

    def support(self, array: Expr, sorts: Sequence[Sort]) -> list[tuple[tuple[Expr, ...], Expr]]:
        """The entries of a characteristic function that are not false."""
        entries, default = self.entries(array, sum(len(self.reading.leaf_sorts(s)) for s in sorts))
        if not self.truth(default):
            return entries
        everything = self.everything(sorts[0]) if len(sorts) == 1 else None
        if everything is None:
            raise NotFinite("a set with infinitely many elements")
        return [((k,), self.eval(self.reading.select(array, (k,)))) for k in everything]

    def everything(self, sort: Sort) -> list[Expr] | None:
        """All leaves of a small finite sort with one leaf."""
        if sort.kind == "bool":
            return [self.reading.false, self.reading.true]
        if sort.is_integer and is_finite(sort) and sort.name not in ("char", "usize", "isize"):
            low, high = word_range(sort.name)
            if low is not None and high is not None and high - low < _ENUMERATED:
                return [self.reading.number(n) for n in range(low, high + 1)]
        return None

    def entries(self, array: Expr, arity: int) -> Entries:
        """A (curried) array of a model as a list of (index, leaf) with every index once, and the leaf everywhere else."""
        array = self.eval(array)
        if arity == 0:
            return [], array
        rows, default = self.rows(array)
        if arity == 1:
            return [((k,), v) for k, v in rows], default
        inner, last = self.entries(default, arity - 1)
        if inner:
            raise NotFinite("a set or function with infinitely many entries")
        found = []
        for k, row in rows:
            entries, other = self.entries(row, arity - 1)
            if not other.eq(last):
                raise NotFinite("a set or function with infinitely many entries")
            found += [((k, *rest), v) for rest, v in entries]
        return found, last

    def rows(self, array: Expr) -> tuple[list[tuple[Expr, Expr]], Expr]:
        stores: dict[str, tuple[Expr, Expr]] = {}
        while True:
            if z3.is_store(array):
                stores.setdefault(str(array.arg(1)), (array.arg(1), array.arg(2)))
                array = array.arg(0)
            elif z3.is_const_array(array) or z3.is_K(array):
                return list(stores.values()), array.arg(0)
            elif z3.is_as_array(array):
                interpretation = self.model[z3.get_as_array_func(array)]
                for n in range(interpretation.num_entries()):
                    entry = interpretation.entry(n)
                    stores.setdefault(str(entry.arg_value(0)), (entry.arg_value(0), entry.value()))
                return list(stores.values()), self.eval(interpretation.else_value())
            elif z3.is_quantifier(array):
                return self.lambda_rows(array, stores)
            else:
                raise NotFinite(f"no table: {array}")

    def lambda_rows(self, array: Expr, stores: dict[str, tuple[Expr, Expr]]) -> tuple[list[tuple[Expr, Expr]], Expr]:
        """A lambda of a model as a table, if it compares its argument with values and does nothing else with it."""
        body = array.body()
        points: dict[str, Expr] = {}
        if not _compares(body, points):
            raise NotFinite(f"a function without a table: {array}")
        ctx = self.reading.ctx
        for name, point in points.items():
            if name not in stores:
                stores[name] = point, self.eval(z3.substitute_vars(body, point))
        tests = [(t, z3.BoolVal(False, ctx)) for t in _comparisons(body)]
        return list(stores.values()), self.eval(z3.substitute(body, *tests))


_INT = Sort("int", "int")


def _is_comparison(e: Expr) -> bool:
    return z3.is_eq(e) and any(map(z3.is_var, e.children())) and not all(map(z3.is_var, e.children()))


def _comparisons(e: Expr) -> list[Expr]:
    return [e] if _is_comparison(e) else [t for c in e.children() for t in _comparisons(c)]


def _compares(e: Expr, points: dict[str, Expr]) -> bool:
    """Whether variables occur only in equations with values; collects these."""
    if z3.is_var(e) or z3.is_quantifier(e):
        return False
    if _is_comparison(e):
        point = next(c for c in e.children() if not z3.is_var(c))
        points[str(point)] = point
        return True
    return all(_compares(c, points) for c in e.children())
