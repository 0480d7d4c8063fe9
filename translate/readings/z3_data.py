"""Recursive datatypes in the Z3 reading.

In: data sorts that reach themselves through their fields. Out: their one leaf sort, and values over it.

A group of such sorts whose members occur as fields directly becomes native Z3 datatypes, fields flattened into leaves. Where a
member occurs inside a collection (`Node { children: Vec<Node> }`), the sort is uninterpreted, with functions for tag, selectors
and constructors and facts for those that are met: a native one would compare the junk in its arrays.

Native values can hold leaves that are no values (a `u8` field with 300). Variables are known to be well-formed by an
uninterpreted predicate; what it says about fields is added for each field that is read, so nothing unfolds without end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import z3

from translate.readings.z3_builder import Expr
from translate.readings.z3_generic import Values
from translate.readings.z3_values import DataV, Origin, Val
from translate.terms import Sort

_NOTHING = Origin(False, lambda: None)


@dataclass(slots=True)
class _Encoding:
    """Z3's side of one recursive datatype. `select[v][k]` has a selector for each leaf of the field."""

    leaf: Expr
    native: bool
    construct: list[Callable[..., Expr]] = field(default_factory=list)
    test: list[Callable[[Expr], Expr]] = field(default_factory=list)
    select: list[list[list[Callable[[Expr], Expr]]]] = field(default_factory=list)
    shaped: bool = False
    closed: bool = False


def _components(sort: Sort) -> list[Sort]:
    match sort.kind:
        case "data":
            return [f.sort for v in sort.variants for f in v.fields]
        case "boxed":
            return [] if sort.view is None else [sort.view]
        case "seq" | "set" | "map" | "multiset" | "fn":
            return list(sort.args)
    return []


def reachable(sort: Sort) -> set[Sort]:
    """The sorts that make up a sort; itself only if it is recursive."""
    found: set[Sort] = set()
    stack = _components(sort)
    while stack:
        s = stack.pop()
        if s not in found:
            found.add(s)
            stack.extend(_components(s))
    return found


class RecursiveData(Values):
    def __init__(self, junk: Any = "free") -> None:
        super().__init__(junk)
        self._recursive: dict[Sort, bool] = {}
        self._decomposing = False
        self._encodings: dict[Sort, _Encoding] = {}

    def is_recursive(self, sort: Sort) -> bool:
        found = self._recursive.get(sort)
        if found is None:
            found = self._recursive[sort] = sort.kind == "data" and sort in reachable(sort)
        return found

    def recursive_leaf_sort(self, sort: Sort) -> Expr:
        return self._encoding(sort).leaf

    def recursive_has_shape(self, sort: Sort) -> bool:
        return self._encoding(sort).shaped

    def recursive_shape(self, sort: Sort, leaf: Expr) -> Expr:
        if not self._encoding(sort).shaped:
            return self.true
        if self.occurring(leaf):
            self._well_formed_values(sort)
        return self._well_formed_predicate(sort)(leaf)

    def _well_formed_predicate(self, sort: Sort) -> Callable[[Expr], Expr]:
        return self.function(f"well-formed {self.sort_name(sort)}", [self._encoding(sort).leaf], self.bool_sort)

    def _well_formed_values(self, sort: Sort) -> None:
        """What constructors make of well-formed fields is well-formed: "for some value" needs this."""
        e = self._encoding(sort)
        if e.closed:
            return
        e.closed = True
        for v, variant in enumerate(sort.variants):
            with self.unguarded(), self.bind([f.sort for f in variant.fields], canonical=True) as bound:
                made = self.keep(e.construct[v](*bound.consts))
                holds = self.implies(self.and_(bound.guards), self._well_formed_predicate(sort)(made))
                axiom = self.forall(bound.consts, holds, [made])
            self.fact(axiom)

    def _encoding(self, sort: Sort) -> _Encoding:
        if sort not in self._encodings:
            group = _ordered_group(sort)
            members = set(group)
            direct = all(f in members or not (reachable(f) & members) for s in group for f in _components(s))
            if direct and _inhabited(members):
                self._make_native(group)
            else:
                for s in group:
                    if s not in self._encodings:
                        self._encodings[s] = _Encoding(z3.DeclareSort(self.sort_name(s), self.ctx), False)
        return self._encodings[sort]

    # --- native -------------------------------------------------------------------------------------------------------

    def _make_native(self, group: list[Sort]) -> None:
        types = {s: z3.Datatype(self.sort_name(s), self.ctx) for s in group}
        for s, t in types.items():
            for v in s.variants:
                fields = []
                for f in v.fields:
                    name = f"{self.sort_name(s)}::{v.name}.{f.name}"
                    if f.sort in types:
                        fields.append((name, types[f.sort]))
                    else:
                        names = self.leaf_names(f.sort)
                        fields += [(f"{name}.{n}" if n else name, x) for n, x in zip(names, self.leaf_sorts(f.sort), strict=True)]
                t.declare(f"{self.sort_name(s)}::{v.name}", *fields)
        made = z3.CreateDatatypes(*types.values())
        fields_sorts = [f.sort for s in group for v in s.variants for f in v.fields if f.sort not in types]
        shaped = any(self.has_shape(f, c) for f in fields_sorts for c in (False, True))
        for s, z in zip(group, made, strict=True):
            e = self._encodings[s] = _Encoding(z, True, shaped=shaped)
            for w, variant in enumerate(s.variants):
                e.construct.append(z.constructor(w))
                e.test.append(z.recognizer(w))
                at = 0
                selectors = []
                for f in variant.fields:
                    n = 1 if f.sort in types else len(self.leaf_sorts(f.sort))
                    selectors.append([z.accessor(w, at + k) for k in range(n)])
                    at += n
                e.select.append(selectors)

    # --- uninterpreted ------------------------------------------------------------------------------------------------

    def _complete(self, sort: Sort, e: _Encoding) -> None:
        """Declares the functions of an uninterpreted encoding (its leaf sort must be known to all members before)."""
        if e.native or e.construct or not sort.variants:
            return
        tag = self.function(f"{self.sort_name(sort)}::tag", [e.leaf], self.int_sort)
        for v, variant in enumerate(sort.variants):
            e.test.append(self._tag_is(tag, v))
            domain: list[Expr] = []
            selectors: list[list[Callable[[Expr], Expr]]] = []
            for f in variant.fields:
                sorts = self.leaf_sorts(f.sort)
                names = self.leaf_names(f.sort)
                domain += sorts
                name = f"{self.sort_name(sort)}::{variant.name}.{f.name}"
                selectors.append([self.function(f"{name}.{n}", [e.leaf], s) for n, s in zip(names, sorts, strict=True)])
            e.select.append(selectors)
            e.construct.append(self.function(f"{self.sort_name(sort)}::{variant.name}", domain, e.leaf))

    def _tag_is(self, tag: Callable[[Expr], Expr], v: int) -> Callable[[Expr], Expr]:
        return lambda d: self.eq(tag(d), self.number(v))

    def _decompose(self, sort: Sort, e: _Encoding, d: DataV, leaf: Expr) -> DataV:
        """A value is what the constructor of its variant makes of its fields. Fields of fields come up when they are compared."""
        if self._decomposing:
            return d
        self._decomposing = True
        try:
            with self.unguarded():
                for v, variant in enumerate(sort.variants):
                    leaves = [x for k, f in enumerate(variant.fields) for x in self.canonical(d.raw(v, k), f.sort)]
                    tag = self.function(f"{self.sort_name(sort)}::tag", [e.leaf], self.int_sort)(leaf)
                    made = self.keep(e.construct[v](*leaves))
                    self.fact(self.implies(e.test[v](leaf), self.eq(leaf, made)), [tag], everywhere=False)
        finally:
            self._decomposing = False
        return d

    # --- values -------------------------------------------------------------------------------------------------------

    def recursive_value(self, sort: Sort, leaf: Expr) -> DataV:
        e = self._encoding(sort)
        self._complete(sort, e)
        n = len(sort.variants)

        def test(v: int) -> Expr:
            found = e.test[v](leaf)
            if not e.native and not self.known(found):
                tag = self.function(f"{self.sort_name(sort)}::tag", [e.leaf], self.int_sort)(leaf)
                self.fact(self.within(self.number(0), tag, self.number(n)), [tag])
            return self.true if n == 1 else self.variant_test(found, leaf, v, n)

        def raw(v: int, k: int) -> Val:
            f = sort.variants[v].fields[k].sort
            leaves = [self.keep(s(leaf)) for s in e.select[v][k]]
            if not e.native:
                return self.result(f, leaves)
            if e.shaped:
                legal = self.and_((self.well_formed(f, leaves), self.is_canonical(f, leaves)))
                self.fact(self.implies(test(v), legal), leaves, everywhere=False)
            return self.from_leaves(f, leaves, _NOTHING)

        d = DataV(sort, 0 if n == 1 else None, test, raw, self.scope)

        def canonical_leaf() -> Expr:
            if not e.native:
                self.remember(("decompose", id(d), self._decomposing), lambda: self._decompose(sort, e, d, leaf))
            return leaf

        d.leaf = canonical_leaf
        return d

    def construct(self, sort: Sort, v: int, fields: Sequence[Val]) -> DataV:
        """A value of variant v of a datatype."""
        plain = self.data(sort, v, fields)
        if not self.is_recursive(sort):
            return plain
        e = self._encoding(sort)
        self._complete(sort, e)

        def make() -> Expr:
            leaves = [x for f, value in zip(sort.variants[v].fields, fields, strict=True) for x in self.canonical(value, f.sort)]
            made = self.keep(e.construct[v](*leaves))
            if e.shaped:
                self.fact(self.recursive_shape(sort, made), [made], everywhere=False)
            if not e.native:
                selected = [s(made) for selectors in e.select[v] for s in selectors]
                parts = [self.eq(s, x) for s, x in zip(selected, leaves, strict=True)]
                self.fact(self.and_((e.test[v](made), *parts)), [made], everywhere=False)
            return made

        def leaf() -> Expr:
            return self.remember(("construct", id(plain)), lambda: (plain, make()))[1]

        plain.leaf, plain.built = leaf, True
        return plain


def _ordered_group(sort: Sort) -> list[Sort]:
    """The data sorts that reach `sort` and are reached by it, in order of appearance."""
    group: list[Sort] = []
    seen: set[Sort] = set()
    stack = [sort]
    while stack:
        s = stack.pop()
        if s in seen:
            continue
        seen.add(s)
        if s is not sort and sort not in reachable(s):
            continue
        if s.kind == "data":
            group.append(s)
        stack.extend(reversed(_components(s)))
    return group


def _inhabited(members: set[Sort]) -> bool:
    """Whether every member has values: some variant whose fields have."""
    known: set[Sort] = set()
    while True:
        new = {s for s in members if any(all(f.sort in known or f.sort not in members for f in v.fields) for v in s.variants)}
        if new == known:
            return new == members
        known = new
