"""Leaves: what structural values are made from, and flattened into.

In: sorts, and Z3 expressions of their leaf sorts. Out: structural values, their canonical leaves, and what leaves must satisfy
to make up a value of the sort. `z3_values` says what leaves are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

import z3

from translate.readings.z3_builder import Binder, Builder, Expr
from translate.readings.z3_values import Bound, BoxedV, DataV, FnV, MapV, MultisetV, Origin, SeqV, SetV, Val
from translate.terms import Sort, set_sort, word_range

_CANONICAL = Origin(False, lambda: None)


class Leaves(Builder):
    """Leaf sorts, values from leaves, canonical leaves, well-formedness."""

    def __init__(self, junk: Literal["free", "canonical"] = "free") -> None:
        super().__init__()
        self.junk = junk
        self.used_unspecified = False
        self._leaf_sorts: dict[Sort, list[Expr]] = {}
        self._sort_names: dict[Sort, str] = {}
        self._defaults: dict[Sort, list[Expr]] = {}
        self._opaque: dict[Sort, Expr] = {}
        self._word: tuple[Expr, Expr] | None = None
        self._has_shape: dict[tuple[Sort, bool], bool] = {}
        self._unspecified: dict[tuple[str, int], str] = {}

    # --- recursive datatypes: see z3_data -----------------------------------------------------------------------------

    def is_recursive(self, sort: Sort) -> bool:
        raise NotImplementedError

    def recursive_leaf_sort(self, sort: Sort) -> Expr:
        raise NotImplementedError

    def recursive_value(self, sort: Sort, leaf: Expr) -> DataV:
        raise NotImplementedError

    def recursive_shape(self, sort: Sort, leaf: Expr) -> Expr:
        raise NotImplementedError

    def recursive_has_shape(self, sort: Sort) -> bool:
        raise NotImplementedError

    # --- integers of a type -------------------------------------------------------------------------------------------

    @property
    def usize_max(self) -> Expr:
        return self._word_constants()[0]

    @property
    def isize_max(self) -> Expr:
        return self._word_constants()[1]

    @property
    def word_is_32(self) -> Expr:
        return self.eq(self.usize_max, self.number(2**32 - 1))

    def _word_constants(self) -> tuple[Expr, Expr]:
        if self._word is None:
            u, i = self._word = self.const("usize::MAX", self.int_sort), self.const("isize::MAX", self.int_sort)
            cases = [self.and_((self.eq(u, self.number(2**n - 1)), self.eq(i, self.number(2 ** (n - 1) - 1)))) for n in (32, 64)]
            self.fact(self.or_(cases))
            for e, low, high in ((u, 2**32 - 1, 2**64 - 1), (i, 2**31 - 1, 2**63 - 1)):
                self.always(self.and_((self.le(self.number(low), e), self.le(e, self.number(high)))))
        return self._word

    def in_range(self, kind: str, e: Expr) -> Expr:
        """That an integer lies in the range of that integer type."""
        if kind == "usize":
            return self.and_((self.le(self.number(0), e), self.le(e, self.usize_max)))
        if kind == "isize":
            return self.and_((self.le(self.sub(self.number(-1), self.isize_max), e), self.le(e, self.isize_max)))
        low, high = word_range(kind)
        parts = [] if low is None else [self.le(self.number(low), e)]
        if high is not None:
            parts.append(self.le(e, self.number(high)))
        if kind == "char":
            parts.append(self.or_((self.lt(e, self.number(0xD800)), self.lt(self.number(0xDFFF), e))))
        return self.and_(parts)

    # --- leaves -------------------------------------------------------------------------------------------------------

    def leaf_sorts(self, sort: Sort) -> list[Expr]:
        found = self._leaf_sorts.get(sort)
        if found is None:
            found = self._leaf_sorts[sort] = self._make_leaf_sorts(sort)
        return found

    def _make_leaf_sorts(self, sort: Sort) -> list[Expr]:
        match sort.kind:
            case "bool":
                return [self.bool_sort]
            case "int":
                return [self.int_sort]
            case "opaque":
                if sort not in self._opaque:
                    self._opaque[sort] = z3.DeclareSort(self.sort_name(sort), self.ctx)
                return [self._opaque[sort]]
            case "seq":
                return [self.int_sort, *(z3.ArraySort(self.int_sort, s) for s in self.leaf_sorts(sort.element))]
            case "set":
                return [self.array_sort(sort.args, self.bool_sort)]
            case "multiset":
                return [self.array_sort(sort.args, self.int_sort)]
            case "map":
                domain = self.array_sort(sort.args[:1], self.bool_sort)
                return [domain, *(self.array_sort(sort.args[:1], s) for s in self.leaf_sorts(sort.args[1]))]
            case "fn":
                return [self.array_sort(sort.args[:-1], s) for s in self.leaf_sorts(sort.args[-1])]
            case "boxed":
                assert sort.view is not None
                return [*self.leaf_sorts(sort.view), self.int_sort]
            case "data":
                if self.is_recursive(sort):
                    return [self.recursive_leaf_sort(sort)]
                tag = [self.int_sort] if len(sort.variants) != 1 else []
                return tag + [s for v in sort.variants for f in v.fields for s in self.leaf_sorts(f.sort)]
        raise AssertionError(sort.kind)

    def array_sort(self, indices: Sequence[Sort], result: Expr) -> Expr:
        for s in reversed([s for i in indices for s in self.leaf_sorts(i)]):
            result = z3.ArraySort(s, result)
        return result

    def sort_name(self, sort: Sort) -> str:
        """The sort as a Verus type; of several with the same text, only the first in this reading is called so."""
        name = self._sort_names.get(sort)
        if name is None:
            taken = set(self._sort_names.values())
            name = str(sort)
            while name in taken:
                name = self.fresh(f"{sort}")
            self._sort_names[sort] = name
        return name

    def from_leaves(self, sort: Sort, leaves: Sequence[Expr], origin: Origin) -> Val:
        """The value with these leaves."""
        scope = self.scope
        match sort.kind:
            case "bool" | "int" | "opaque":
                return leaves[0]
            case "seq":
                arrays = list(leaves[1:])

                def elem(i: Expr) -> Val:
                    return self.from_leaves(sort.element, [self.select(a, (i,)) for a in arrays], origin)

                return SeqV(sort, leaves[0], elem, scope, origin.exposed, self._requested(origin, sort, arrays))
            case "set" | "multiset":
                array = leaves[0]
                wanted = self._requested(origin, sort, [array])
                first = None if wanted is None else _first(wanted)

                def at(x: Val) -> Expr:
                    return self.select(array, self.canonical(x, sort.element))

                return SetV(sort, at, first) if sort.kind == "set" else MultisetV(sort, at, first)
            case "map":
                key, val = sort.args

                def has(k: Val) -> Expr:
                    return self.select(leaves[0], self.canonical(k, key))

                def get(k: Val) -> Val:
                    index = self.canonical(k, key)
                    return self.from_leaves(val, [self.select(a, index) for a in leaves[1:]], origin)

                wanted = self._requested(origin, sort, list(leaves))
                dom = SetV(set_sort(key), has, None, ("dom",))
                if wanted is not None:
                    dom.array = _first(wanted)
                elif not self._indexed([key]):
                    dom.array = lambda: leaves[0]
                return MapV(sort, has, get, scope, origin.exposed, wanted, dom)
            case "fn":
                *params, result = sort.args

                def call(args: list[Val]) -> Val:
                    index = [e for a, s in zip(args, params, strict=True) for e in self.canonical(a, s)]
                    return self.from_leaves(result, [self.select(a, index) for a in leaves], origin)

                return FnV(sort, call, self._requested(origin, sort, list(leaves)))
            case "boxed":
                assert sort.view is not None
                return BoxedV(sort, self.from_leaves(sort.view, leaves[:-1], origin), leaves[-1])
            case "data":
                if self.is_recursive(sort):
                    return self.recursive_value(sort, leaves[0])
                places: dict[tuple[int, int], tuple[int, int]] = {}
                one = len(sort.variants) == 1
                at_leaf = 0 if one else 1
                for v, variant in enumerate(sort.variants):
                    for k, f in enumerate(variant.fields):
                        n = len(self.leaf_sorts(f.sort))
                        places[v, k] = at_leaf, at_leaf + n
                        at_leaf += n

                def raw(v: int, k: int) -> Val:
                    start, end = places[v, k]
                    return self.from_leaves(sort.variants[v].fields[k].sort, leaves[start:end], origin)

                if one:
                    return DataV(sort, 0, lambda v: self.true, raw, scope, origin.exposed)
                return DataV(sort, None, lambda v: self.tag_test(sort, leaves[0], v), raw, scope, origin.exposed)
        raise AssertionError(sort.kind)

    def _requested(self, origin: Origin, sort: Sort, arrays: list[Expr]) -> Callable[[], list[Expr]] | None:
        if not self.has_shape(sort, True):
            return lambda: arrays
        request = origin.request
        if request is None:
            return None

        def canonical_arrays() -> list[Expr]:
            request()
            return arrays

        return canonical_arrays

    def tag_test(self, sort: Sort, tag: Expr, v: int) -> Expr:
        return self.variant_test(self.eq(tag, self.number(v)), tag, v, len(sort.variants))

    def data(self, sort: Sort, v: int, fields: Sequence[Val]) -> DataV:
        """A value of variant v of a datatype that is not recursive."""

        def raw(w: int, k: int) -> Val:
            if w == v:
                return fields[k]
            other = sort.variants[w].fields[k].sort
            return self.from_leaves(other, self.default(other), _CANONICAL)

        return DataV(sort, v, lambda w: self.true if w == v else self.false, raw, self.scope)

    def default(self, sort: Sort) -> list[Expr]:
        """The leaves of one well-formed, canonical value of the sort."""
        found = self._defaults.get(sort)
        if found is not None:
            return found
        leaves: list[Expr]
        sorts = self.leaf_sorts(sort)
        match sort.kind:
            case "bool":
                leaves = [self.false]
            case "int":
                leaves = [self.number(0)]
            case "seq":
                leaves = [
                    self.number(0),
                    *(self._constant_array(s, d) for s, d in zip(sorts[1:], self.default(sort.element), strict=True)),
                ]
            case "set":
                leaves = [self._constant_array(sorts[0], self.false)]
            case "multiset":
                leaves = [self._constant_array(sorts[0], self.number(0))]
            case "map":
                elements = self.default(sort.args[1])
                leaves = [self._constant_array(s, d) for s, d in zip(sorts, [self.false, *elements], strict=True)]
            case "fn":
                leaves = [self._constant_array(s, d) for s, d in zip(sorts, self.default(sort.args[-1]), strict=True)]
            case "boxed":
                assert sort.view is not None
                leaves = [*self.default(sort.view), self.number(0)]
                if sort.length is not None:
                    leaves[0] = self.number(sort.length)
            case "data" if not self.is_recursive(sort):
                leaves = [] if len(sort.variants) == 1 else [self.number(0)]
                leaves += [e for v in sort.variants for f in v.fields for e in self.default(f.sort)]
            case _:
                leaves = [self.const(f"default {self.sort_name(sort)}", sorts[0])]
                self._defaults[sort] = leaves
                if sort.kind == "data":
                    self.fact(self.recursive_shape(sort, leaves[0]))
        self._defaults[sort] = leaves
        return leaves

    def _constant_array(self, array_sort: Expr, element: Expr) -> Expr:
        """The array of that (possibly curried) sort with `element` everywhere."""
        domains = []
        while not array_sort.eq(element.sort()):
            domains.append(array_sort.domain())
            array_sort = array_sort.range()
        for d in reversed(domains):
            element = z3.K(d, element)
        return self.keep(element)

    def leaf_names(self, sort: Sort) -> list[str]:
        """Names for the leaves of a sort with several, for people who read the problem."""
        match sort.kind:
            case "seq":
                return ["len", *_below("at", self.leaf_names(sort.element))]
            case "map":
                return ["dom", *_below("get", self.leaf_names(sort.args[1]))]
            case "fn":
                return self.leaf_names(sort.args[-1])
            case "boxed":
                assert sort.view is not None
                return [*self.leaf_names(sort.view), "rest"]
            case "data" if not self.is_recursive(sort):
                names = [] if len(sort.variants) == 1 else ["tag"]
                for v in sort.variants:
                    for f in v.fields:
                        head = f.name if len(sort.variants) == 1 else f"{v.name}.{f.name}"
                        names += _below(head, self.leaf_names(f.sort))
                return names
        return [""]

    # --- canonical leaves ---------------------------------------------------------------------------------------------

    def key(self, v: Val) -> tuple[int, int]:
        """A dictionary key that tells values apart; equal Z3 expressions have one key."""
        return (0, v.get_id()) if isinstance(v, z3.AstRef) else (1, id(v))

    def canonical(self, v: Val, sort: Sort) -> list[Expr]:
        """Leaves that are equal exactly for equal values."""
        if isinstance(v, z3.AstRef):
            return [v]
        found: tuple[Val, list[Expr]] = self.remember(("canonical", id(v)), lambda: (v, self._make_canonical(v)))
        return found[1]

    def _make_canonical(self, v: Val) -> list[Expr]:
        match v:
            case SeqV():
                return [v.len, *(v.arrays() if v.arrays else self._tabulate_seq(v))]
            case SetV():
                return [v.array()] if v.array else self._tabulate(v.sort.args, lambda x: [v.has(x[0])], [self.false])
            case MultisetV():
                return [v.array()] if v.array else self._tabulate(v.sort.args, lambda x: [v.count(x[0])], [self.number(0)])
            case MapV():
                return v.arrays() if v.arrays else self._tabulate_map(v)
            case FnV():
                if v.arrays:
                    return v.arrays()
                *params, result = v.sort.args
                return self._tabulate(params, lambda x: self.canonical(v.call(x), result), self.default(result))
            case BoxedV():
                assert v.sort.view is not None
                return [*self.canonical(v.view, v.sort.view), v.rest]
            case DataV():
                return self._canonical_data(v)
        raise AssertionError(v)

    def elem(self, s: SeqV, i: Expr) -> Val:
        """Element i, which is in range."""
        return self.remember(("elem", id(s), i.get_id()), lambda: (s, i, s.elem(i)))[2]

    def _tabulate_seq(self, v: SeqV) -> list[Expr]:
        binder = Binder([self.bound_const(self.int_sort)])
        with self.binding([binder]):
            i = binder.consts[0]
            inside = self.within(self.number(0), i, v.len)
            with self.frame(inside):
                leaves = self.canonical(self.elem(v, i), v.sort.element)
            default = self.default(v.sort.element)
            return [self.array([i], self.ite(inside, e, d)) for e, d in zip(leaves, default, strict=True)]

    def _tabulate(self, sorts: Sequence[Sort], f: Callable[[list[Val]], list[Expr]], default: list[Expr]) -> list[Expr]:
        """The arrays with the leaves `f(x)` at the leaves of every well-formed x, the default elsewhere."""
        with self.bind(sorts) as bound:
            leaves = f(bound.values)
            legal = self.and_(bound.guards)
            return [self.array(bound.consts, self.ite(legal, e, d)) for e, d in zip(leaves, default, strict=True)]

    def _tabulate_map(self, v: MapV) -> list[Expr]:
        key, val = v.sort.args

        def entry(x: list[Val]) -> list[Expr]:
            has = v.has(x[0])
            with self.frame(has):
                leaves = self.canonical(v.get(x[0]), val)
            return [has, *(self.ite(has, e, d) for e, d in zip(leaves, self.default(val), strict=True))]

        return self._tabulate([key], entry, [self.false, *self.default(val)])

    def _canonical_data(self, v: DataV) -> list[Expr]:
        if v.leaf is not None:
            return [v.leaf()]
        variants = v.sort.variants
        leaves = [] if len(variants) == 1 else [self.tag(v)]
        for w, variant in enumerate(variants):
            test = v.test(w)
            for k, f in enumerate(variant.fields):
                default = self.default(f.sort)
                if self.is_false(test):
                    leaves += default
                    continue
                with self.frame(test):
                    own = self.canonical(v.raw(w, k), f.sort)
                leaves += [self.ite(test, e, d) for e, d in zip(own, default, strict=True)]
        return leaves

    def tag(self, v: DataV) -> Expr:
        """The number of the value's variant."""
        if v.variant is not None:
            return self.number(v.variant)
        tag = self.number(len(v.sort.variants) - 1)
        for w in reversed(range(len(v.sort.variants) - 1)):
            test = v.test(w)
            if w == len(v.sort.variants) - 2 and z3.is_eq(test) and test.arg(0).sort().eq(self.int_sort):
                # Z3 may turn an equation around: the tag is the side that is no number.
                tag = test.arg(1) if z3.is_int_value(test.arg(0)) else test.arg(0)
                break
            tag = self.ite(test, self.number(w), tag)
        return tag

    # --- well-formedness ----------------------------------------------------------------------------------------------

    def has_shape(self, sort: Sort, canonical: bool) -> bool:
        """Whether some leaves of the sort are not well-formed (or not canonical)."""
        ident = sort, canonical
        if ident not in self._has_shape:
            match sort.kind:
                case "bool" | "opaque":
                    found = False
                case "int":
                    found = not canonical and sort.name != "int"
                case "seq":
                    found = True
                case "set" | "multiset":
                    found = self._indexed(sort.args) if canonical else sort.kind == "multiset"
                case "map":
                    found = canonical or self.has_shape(sort.args[1], False)
                case "fn":
                    *params, result = sort.args
                    found = self.has_shape(result, canonical) or (canonical and self._indexed(params))
                case "boxed":
                    assert sort.view is not None
                    found = self.has_shape(sort.view, canonical) or (not canonical and sort.view.kind == "seq")
                case _ if self.is_recursive(sort):
                    found = not canonical and self.recursive_has_shape(sort)
                case _:
                    fields = [f.sort for v in sort.variants for f in v.fields]
                    found = any(self.has_shape(s, canonical) for s in fields) or (
                        len(sort.variants) != 1 and (bool(fields) or not canonical)
                    )
            self._has_shape[ident] = found
        return self._has_shape[ident]

    def _indexed(self, sorts: Sequence[Sort]) -> bool:
        return any(self.has_shape(s, c) for s in sorts for c in (False, True))

    def well_formed(self, sort: Sort, leaves: Sequence[Expr]) -> Expr:
        """That the leaves lie in the sort's ranges (junk as well: an unspecified value is a value of its type)."""
        return self._shape(sort, leaves, False)

    def is_canonical(self, sort: Sort, leaves: Sequence[Expr]) -> Expr:
        """That the leaves hold the default wherever they are junk."""
        return self._shape(sort, leaves, True)

    def _shape(self, sort: Sort, leaves: Sequence[Expr], canonical: bool) -> Expr:
        if not self.has_shape(sort, canonical):
            return self.true
        match sort.kind:
            case "int":
                return self.in_range(sort.name, leaves[0])
            case "seq":
                return self._seq_shape(sort, leaves, canonical)
            case "set" | "multiset" | "fn":
                return self._array_shape(sort, leaves, canonical)
            case "map":
                return self._map_shape(sort, leaves, canonical)
            case "boxed":
                assert sort.view is not None
                parts = [self._shape(sort.view, leaves[:-1], canonical)]
                if sort.view.kind == "seq" and not canonical:
                    if sort.length is not None:
                        parts.append(self.eq(leaves[0], self.number(sort.length)))
                    else:
                        parts.append(self.le(leaves[0], self.usize_max))
                return self.and_(parts)
        if self.is_recursive(sort):
            return self.recursive_shape(sort, leaves[0])
        parts = []
        one = len(sort.variants) == 1
        if not one and not canonical:
            parts.append(self.within(self.number(0), leaves[0], self.number(max(1, len(sort.variants)))))
        at_leaf = 0 if one else 1
        for v, variant in enumerate(sort.variants):
            for f in variant.fields:
                n = len(self.leaf_sorts(f.sort))
                own = leaves[at_leaf : at_leaf + n]
                at_leaf += n
                inner = self._shape(f.sort, own, canonical)
                if canonical and not one:
                    test = self.tag_test(sort, leaves[0], v)
                    parts.append(self.implies(test, inner))
                    parts.append(self.implies(self.not_(test), self._are_default(f.sort, own)))
                else:
                    parts.append(inner)
        return self.and_(parts)

    def _are_default(self, sort: Sort, leaves: Sequence[Expr]) -> Expr:
        return self.and_(self.eq(e, d) for e, d in zip(leaves, self.default(sort), strict=True))

    def _seq_shape(self, sort: Sort, leaves: Sequence[Expr], canonical: bool) -> Expr:
        binder = Binder([self.bound_const(self.int_sort)])
        with self.binding([binder]):
            i = binder.consts[0]
            elements = [self.select(a, (i,)) for a in leaves[1:]]
            inner = self._shape(sort.element, elements, canonical)
            if canonical:
                inside = self.within(self.number(0), i, leaves[0])
                inner = self.and_(
                    (self.implies(inside, inner), self.implies(self.not_(inside), self._are_default(sort.element, elements)))
                )
        every = self.forall([i], inner, elements)
        return every if canonical else self.and_((self.le(self.number(0), leaves[0]), every))

    def _array_shape(self, sort: Sort, leaves: Sequence[Expr], canonical: bool) -> Expr:
        params = sort.args[:-1] if sort.kind == "fn" else sort.args
        with self.bind(params, canonical=canonical) as bound:
            elements = [self.select(a, bound.consts) for a in leaves]
            legal = self.and_(bound.guards)
            if sort.kind == "fn":
                inner = self._shape(sort.args[-1], elements, canonical)
                default = self._are_default(sort.args[-1], elements)
            else:
                inner = self.true if canonical or sort.kind == "set" else self.le(self.number(0), elements[0])
                default = self.eq(elements[0], self.false if sort.kind == "set" else self.number(0))
            if canonical:
                inner = self.and_((self.implies(legal, inner), self.implies(self.not_(legal), default)))
            return self.forall(bound.consts, inner, elements)

    def _map_shape(self, sort: Sort, leaves: Sequence[Expr], canonical: bool) -> Expr:
        key, val = sort.args
        with self.bind([key], canonical=canonical) as bound:
            has, *elements = (self.select(a, bound.consts) for a in leaves)
            inner = self._shape(val, elements, canonical)
            if canonical:
                default = self._are_default(val, elements)
                inner = self.and_(
                    (
                        self.implies(self.not_(self.and_(bound.guards)), self.not_(has)),
                        self.implies(has, inner),
                        self.implies(self.not_(has), default),
                    )
                )
            return self.forall(bound.consts, inner, [has, *elements] if canonical else elements)

    @contextmanager
    def binding(self, binders: list[Binder]) -> Iterator[None]:
        """The scope of binders whose constants are made already."""
        self.binders.extend(binders)
        try:
            with self.frame(*(g for b in binders for g in b.guards)):
                yield
        finally:
            del self.binders[len(self.binders) - len(binders) :]

    @contextmanager
    def bind(self, sorts: Sequence[Sort], *, canonical: bool = False) -> Iterator[Bound]:
        """The scope of bound variables of these sorts. With `canonical`, their leaves are canonical from the start."""
        bound = Bound([], [])
        depth = len(self.binders)
        try:
            for sort in sorts:
                binder = Binder([])
                self.binders.append(binder)
                for s in self.leaf_sorts(sort):
                    binder.consts.append(self.bound_const(s))
                binder.guards.append(self.well_formed(sort, binder.consts))
                bound.binders.append(binder)
                request = self._request_guard(sort, binder)
                if canonical:
                    request()
                bound.values.append(self.from_leaves(sort, binder.consts, Origin(False, request)))
            with self.frame(*bound.guards):
                yield bound
        finally:
            del self.binders[depth:]

    def _request_guard(self, sort: Sort, binder: Binder) -> Callable[[], None]:
        done = False

        def request() -> None:
            nonlocal done
            if not done:
                done = True
                binder.guards.append(self.is_canonical(sort, binder.consts))

        return request


def _first(arrays: Callable[[], list[Expr]]) -> Callable[[], Expr]:
    return lambda: arrays()[0]


def _below(head: str, names: list[str]) -> list[str]:
    return [f"{head}.{n}" if n else head for n in names]
