"""Operations on sequences, sets, maps and multisets in the Z3 reading.

In: structural values. Out: structural values: each operation is a function on them, expanded in place, not a symbol with axioms.
Only what counts elements (`len` of sets and multisets, finiteness, the multiset of a sequence) is a symbol, over canonical
leaves, with facts for the values that were met.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import z3

from translate.readings.z3_builder import Expr
from translate.readings.z3_data import RecursiveData
from translate.readings.z3_values import FnV, MapV, MultisetV, Origin, SeqV, SetV, Val
from translate.terms import Sort, multiset_sort, set_sort

#: Concatenation with a literal of at most so many elements is read as that many pushes.
_SHORT = 8

Counted = TypeVar("Counted", SetV, MultisetV)


class Collections(RecursiveData):
    def __init__(self, junk: Any = "free") -> None:
        super().__init__(junk)
        self._counted: set[Sort] = set()
        self._ground: list[SetV | MultisetV] = []

    def _stored(self, v: Val, sorts: Sequence[Sort], at: Sequence[Val], values: Sequence[Expr]) -> list[Expr]:
        """The canonical arrays `values` with one entry changed: `v` at index `at`. `values` are (array, new leaf) in turn."""
        index = [e for a, s in zip(at, sorts, strict=True) for e in self.canonical(a, s)]

        def store(array: Expr, indices: list[Expr], leaf: Expr) -> Expr:
            if not indices:
                return leaf
            inner = leaf if len(indices) == 1 else store(z3.Select(array, indices[0]), indices[1:], leaf)
            return z3.Store(array, indices[0], inner)

        return [self.keep(store(a, index, leaf)) for a, leaf in zip(v, values, strict=True)]

    # --- sequences ----------------------------------------------------------------------------------------------------

    def seq_lit(self, sort: Sort, elements: Sequence[Val]) -> SeqV:
        def elem(i: Expr) -> Val:
            n = self.value(i)
            if n is not None and 0 <= n < len(elements):
                return elements[n]
            if not elements:
                return self.from_leaves(sort.element, self.default(sort.element), Origin(False, lambda: None))
            v = elements[-1]
            for k in reversed(range(len(elements) - 1)):
                v = self.choose_value(self.eq(i, self.number(k)), elements[k], v)
            return v

        def arrays() -> list[Expr]:
            found = self.default(sort)[1:]
            for k, e in enumerate(elements):
                found = [self.keep(z3.Store(a, k, x)) for a, x in zip(found, self.canonical(e, sort.element), strict=True)]
            return found

        return SeqV(sort, self.number(len(elements)), elem, self.scope, False, arrays, ("lit", *elements))

    def seq_new(self, sort: Sort, n: Expr, f: FnV) -> SeqV:
        zero = self.number(0)
        length = n if self.known(self.le(zero, n)) else self.ite(self.le(zero, n), n, zero)
        return SeqV(sort, length, lambda i: f.call([i]), self.scope)

    def seq_index(self, s: SeqV, i: Expr) -> Val:
        inside = self.within(self.number(0), i, s.len)
        if self.known(inside):
            return self.elem(s, i)
        if s.exposed:
            self.used_unspecified = True
            return self.elem(s, i)
        junk = self.unspecified("out of range", s, s.sort.element, [i])
        if self.is_false(inside):
            return junk
        with self.frame(inside):
            element = self.elem(s, i)
            relied = self.relied
        return self.choose_value(inside, element, junk, relied)

    def seq_push(self, s: SeqV, x: Val) -> SeqV:
        def elem(i: Expr) -> Val:
            last = self.eq(i, s.len)
            if self.is_true(last):
                return x
            if self.is_false(last) or self.known(self.lt(i, s.len)):
                return self.elem(s, i)
            return self.choose_value(last, x, self.elem(s, i))

        def arrays() -> list[Expr]:
            return self._stored(self.canonical(s, s.sort)[1:], [_INDEX], [s.len], self.canonical(x, s.sort.element))

        if s.made[0] == "lit":
            return self.seq_lit(s.sort, (*s.made[1:], x))
        return SeqV(s.sort, self.add(s.len, self.number(1)), elem, self.scope, False, arrays, ("push", s, x))

    def seq_update(self, s: SeqV, i: Expr, x: Val) -> SeqV:
        def elem(j: Expr) -> Val:
            here = self.eq(j, i)
            if self.is_true(here):
                return x
            if self.is_false(here) or self.known(self.lt(j, i)) or self.known(self.lt(i, j)):
                return self.elem(s, j)
            return self.choose_value(here, x, self.elem(s, j))

        def arrays() -> list[Expr]:
            return self._stored(self.canonical(s, s.sort)[1:], [_INDEX], [i], self.canonical(x, s.sort.element))

        updated = SeqV(s.sort, s.len, elem, self.scope, False, arrays, ("update", s, i, x))
        key = [i, *self.canonical(x, s.sort.element)] if self.junk == "canonical" else []
        return self._where(self.within(self.number(0), i, s.len), updated, "update out of range", s, key)

    def seq_subrange(self, s: SeqV, start: Expr, end: Expr) -> SeqV:
        zero = self.number(0)
        length = self.sub(end, start)
        at_start = self.value(start) == 0

        def elem(i: Expr) -> Val:
            return self.elem(s, i if at_start else self.add(i, start))

        legal = self.and_((self.le(zero, start), self.le(start, end), self.le(end, s.len)))
        part = SeqV(s.sort, length, elem, self.scope, False, None, ("subrange", s, start, end))
        if at_start and self.is_true(self.eq(end, s.len)):
            return s
        key = [start, end] if self.junk == "canonical" else []
        return self._where(legal, part, "subrange out of range", s, key)

    def _where(self, legal: Expr, v: SeqV, kind: str, owner: SeqV, args: list[Expr]) -> SeqV:
        """`v` where the arguments are legal, an unspecified sequence elsewhere."""
        if self.known(legal):
            return v
        if self.junk == "free":
            owner = v  # its scope has all that the arguments depend on
        junk: SeqV = self.unspecified(kind, owner, v.sort, args)
        if self.is_false(legal):
            return junk

        def elem(i: Expr) -> Val:
            return self.by_case(legal, lambda: self.elem(v, i), lambda: self.elem(junk, i))

        def arrays() -> list[Expr]:
            cases = self.canonical(v, v.sort)[1:], self.canonical(junk, v.sort)[1:]
            return [self.ite(legal, x, y) for x, y in zip(*cases, strict=True)]

        length = self.ite(legal, v.len, junk.len)
        return SeqV(v.sort, length, elem, self.scope, False, arrays if v.arrays else None, ("ite", legal, v, junk))

    def seq_add(self, a: SeqV, b: SeqV) -> SeqV:
        if self.value(b.len) == 0:
            return a
        if self.value(a.len) == 0:
            return b
        if b.made[0] == "lit" and len(b.made) - 1 <= _SHORT:
            for x in b.made[1:]:
                a = self.seq_push(a, x)
            return a

        def elem(i: Expr) -> Val:
            first = self.lt(i, a.len)
            if self.known(first):
                return self.elem(a, i)
            second = self.sub(i, a.len)
            if self.is_false(first) or self.known(self.le(a.len, i)):
                return self.elem(b, second)
            with self.frame(first):
                left = self.elem(a, i)
                relied = self.relied
            with self.frame(self.not_(first)):
                right = self.elem(b, second)
                relied = relied or self.relied
            return self.choose_value(first, left, right, relied)

        return SeqV(a.sort, self.add(a.len, b.len), elem, self.scope, False, None, ("add", a, b))

    # --- sets ---------------------------------------------------------------------------------------------------------

    def set_lit(self, sort: Sort, elements: Sequence[Val]) -> SetV:
        def has(x: Val) -> Expr:
            return self.or_(self.equal(x, e) for e in elements)

        def array() -> Expr:
            found = self.default(sort)
            for e in elements:
                found = self._stored(found, sort.args, [e], [self.true])
            return found[0]

        return self._mentioned(SetV(sort, has, array, ("lit", *elements)))

    def set_new(self, sort: Sort, f: FnV) -> SetV:
        return SetV(sort, lambda x: f.call([x]), made=("new",))

    def set_insert(self, s: SetV, x: Val, inside: bool = True) -> SetV:
        def has(y: Val) -> Expr:
            same = self.equal(x, y)
            return self.or_((same, s.has(y))) if inside else self.and_((self.not_(same), s.has(y)))

        def array() -> Expr:
            return self._stored(self.canonical(s, s.sort), s.sort.args, [x], [self.true if inside else self.false])[0]

        return self._mentioned(SetV(s.sort, has, array, ("insert" if inside else "remove", s, x)))

    def set_combine(self, op: str, a: SetV, b: SetV) -> SetV:
        """`union`, `intersect` or `difference`."""

        def has(x: Val) -> Expr:
            if op == "union":
                return self.or_((a.has(x), b.has(x)))
            return self.and_((a.has(x), b.has(x) if op == "intersect" else self.not_(b.has(x))))

        return self._mentioned(SetV(a.sort, has, None, (op, a, b)))

    def set_complement(self, s: SetV) -> SetV:
        return SetV(s.sort, lambda x: self.not_(s.has(x)), None, ("complement", s))

    def set_len(self, s: SetV) -> Expr:
        self._start_counting(s.sort)
        if s.made[0] == "ite":
            _, c, a, b = s.made
            size: Expr = self.by_case(c, lambda: self.set_len(a), lambda: self.set_len(b))
            return size
        return self._count_facts(s)

    def set_finite(self, s: SetV) -> Expr:
        self._start_counting(s.sort)
        return self._finite(s)

    def _start_counting(self, sort: Sort) -> None:
        """From now on, also ground values that are merely mentioned count: they may equal those that are asked about."""
        if sort not in self._counted:
            self._counted.add(sort)
            with self.unguarded(closed=True):
                for v in self._ground[-12:]:
                    if v.sort is sort:
                        self._count(v)

    def _mentioned(self, v: Counted) -> Counted:
        """Notes a set or multiset that was built without bound variables and guards."""
        if not self.binders and not self._frame_guards:
            self._ground.append(v)
            if v.sort in self._counted:
                self._count(v)
        return v

    def _count(self, v: SetV | MultisetV) -> None:
        if isinstance(v, SetV):
            self._finite(v)
            self._count_facts(v)
        else:
            self.multiset_len(v)

    def _finite(self, s: SetV) -> Expr:
        if is_finite(s.sort.element):
            return self.true
        match s.made:
            case ("ite", c, a, b):
                found: Expr = self.by_case(c, lambda: self._finite(a), lambda: self._finite(b))
                return found
            case ("lit", *_):
                own = self.true
            case ("insert" | "remove", base, _):
                own = self._finite(base)
            case ("union", a, b):
                own = self.and_((self._finite(a), self._finite(b)))
            case _:
                own = None
        arrays = self.canonical(s, s.sort)
        symbol = self.function(f"finite {self.sort_name(s.sort)}", [arrays[0].sort()], self.bool_sort)(*arrays)
        if own is not None:
            self.fact(self.eq(symbol, own), [symbol], everywhere=False)
            return own
        match s.made:
            case ("intersect", a, b):
                known = self.implies(self.or_((self._finite(a), self._finite(b))), symbol)
            case ("difference", a, b):
                known = self.and_(
                    (self.implies(self._finite(a), symbol), self.implies(self.and_((symbol, self._finite(b))), self._finite(a)))
                )
            case ("complement", a):
                known = self.implies(self._finite(a), self.not_(symbol))
            case _:
                known = self.true
        self.fact(known, [symbol], everywhere=False)
        return symbol

    def _count_facts(self, s: SetV) -> Expr:
        """The cardinality of a set, with what is known about it."""
        found: tuple[SetV, Expr] = self.remember(("cardinality", id(s)), lambda: (s, self._make_count(s)))
        return found[1]

    def _make_count(self, s: SetV) -> Expr:
        arrays = self.canonical(s, s.sort)
        size = self.function(f"cardinality {self.sort_name(s.sort)}", [arrays[0].sort()], self.int_sort)(*arrays)
        zero = self.number(0)
        parts = []
        match s.made:
            case ("lit", *elements):
                total = zero
                for k, e in enumerate(elements):
                    new = self.and_(self.not_(self.equal(e, d)) for d in elements[:k])
                    total = self.add(total, self.ite(new, self.number(1), zero))
                parts.append(self.eq(size, total))
            case ("insert", base, x):
                more = self.ite(base.has(x), zero, self.number(1))
                parts.append(self.eq(size, self.add(self.set_len(base), more)))
            case ("remove", base, x):
                less = self.ite(base.has(x), self.number(1), zero)
                parts.append(self.eq(size, self.sub(self.set_len(base), less)))
            case ("union", a, b):
                na, nb = self.set_len(a), self.set_len(b)
                parts += [self.le(na, size), self.le(nb, size), self.le(size, self.add(na, nb))]
            case ("intersect", a, b):
                for part in (a, b):
                    self.fact(self.implies(self._finite(part), self.le(size, self.set_len(part))), [size], everywhere=False)
            case ("difference", a, b):
                parts.append(self.le(size, self.set_len(a)))
                both = self.and_((self._finite(a), self._finite(b)))
                low = self.sub(self.set_len(a), self.set_len(b))
                self.fact(self.implies(both, self.le(low, size)), [size], everywhere=False)
        base_finite = [self._finite(v) for v in s.made[1:] if isinstance(v, SetV)]
        if s.made[0] in ("insert", "remove", "union"):
            parts = [self.implies(self.and_(base_finite), self.and_(parts))]
        elif s.made[0] == "difference":
            parts = [self.implies(base_finite[0], self.and_(parts))]
        if s.made[0] != "lit":
            with self.bind(s.sort.args) as bound:
                none = self._every(bound, lambda x: self.not_(s.has(x[0])))
            parts.append(self.implies(self._finite(s), self.eq(self.eq(size, zero), none)))
        self.fact(self.le(zero, size), [size])
        self.fact(self.and_(parts), [size], everywhere=False)
        return size

    # --- maps ---------------------------------------------------------------------------------------------------------

    def map_lit(self, sort: Sort, entries: Sequence[Val]) -> MapV:
        key = sort.args[0]
        nothing = self.default(sort)
        empty = self.set_lit(set_sort(key), ())
        m: MapV = self.from_leaves(sort, nothing, Origin(False, lambda: None))
        m.has, m.dom = (lambda _: self.false), empty
        for k, v in zip(entries[::2], entries[1::2], strict=True):
            m = self.map_insert(m, k, v)
        return m

    def map_new(self, sort: Sort, dom: FnV, values: FnV) -> MapV:
        return MapV(sort, lambda k: dom.call([k]), lambda k: values.call([k]), self.scope)

    def map_dom(self, m: MapV) -> SetV:
        if m.dom is not None:
            return m.dom
        arrays = m.arrays
        m.dom = SetV(set_sort(m.sort.args[0]), m.has, None if arrays is None else lambda: arrays()[0], ("dom", m))
        return m.dom

    def map_index(self, m: MapV, k: Val) -> Val:
        """The value of a key. Of a map with another key inserted or removed, that of the map itself, missing or not."""
        if m.made[0] not in ("insert", "remove"):
            return self._own_index(m, k)
        _, base, key, *value = m.made
        here = self.equal(k, key)
        if self.is_false(here) or self.known(self.not_(here)):
            return self.map_index(base, k)
        own = value[0] if value else self._own_index(m, k)
        if self.is_true(here) or self.known(here):
            return own
        with self.frame(self.not_(here)):
            other = self.map_index(base, k)
            relied = self.relied
        return self.choose_value(here, own, other, relied)

    def _own_index(self, m: MapV, k: Val) -> Val:
        has = m.has(k)
        if self.known(has):
            return m.get(k)
        if m.exposed:
            self.used_unspecified = True
            return m.get(k)
        junk = self.unspecified("missing key", m, m.sort.args[1], self.canonical(k, m.sort.args[0]))
        if self.is_false(has):
            return junk
        with self.frame(has):
            value = m.get(k)
            relied = self.relied
        return self.choose_value(has, value, junk, relied)

    def map_insert(self, m: MapV, k: Val, v: Val) -> MapV:
        def has(j: Val) -> Expr:
            return self.or_((self.equal(j, k), m.has(j)))

        def get(j: Val) -> Val:
            here = self.equal(j, k)
            if self.is_true(here):
                return v
            return m.get(j) if self.is_false(here) else self.choose_value(here, v, m.get(j))

        def arrays() -> list[Expr]:
            leaves = [self.true, *self.canonical(v, m.sort.args[1])]
            return self._stored(self.canonical(m, m.sort), m.sort.args[:1], [k], leaves)

        dom = self.set_insert(self.map_dom(m), k)
        return MapV(m.sort, has, get, self.scope, False, arrays, dom, ("insert", m, k, v))

    def map_remove(self, m: MapV, k: Val) -> MapV:
        def has(j: Val) -> Expr:
            return self.and_((self.not_(self.equal(j, k)), m.has(j)))

        def arrays() -> list[Expr]:
            leaves = [self.false, *self.default(m.sort.args[1])]
            return self._stored(self.canonical(m, m.sort), m.sort.args[:1], [k], leaves)

        dom = self.set_insert(self.map_dom(m), k, False)
        return MapV(m.sort, has, m.get, self.scope, False, arrays, dom, ("remove", m, k))

    # --- multisets ----------------------------------------------------------------------------------------------------

    def multiset_lit(self, sort: Sort, elements: Sequence[Val]) -> MultisetV:
        return self._mentioned(MultisetV(sort, lambda x: self._occurrences(x, elements), None, ("lit", *elements)))

    def _occurrences(self, x: Val, elements: Sequence[Val]) -> Expr:
        total = self.number(0)
        for e in elements:
            total = self.add(total, self._indicator(x, e))
        return total

    def _indicator(self, x: Val, y: Val) -> Expr:
        return self.ite(self.equal(x, y), self.number(1), self.number(0))

    def multiset_add(self, a: MultisetV, b: MultisetV) -> MultisetV:
        return self._mentioned(MultisetV(a.sort, lambda x: self.add(a.count(x), b.count(x)), None, ("add", a, b)))

    def multiset_sub(self, a: MultisetV, b: MultisetV) -> MultisetV:
        def count(x: Val) -> Expr:
            na, nb = a.count(x), b.count(x)
            return self.ite(self.le(nb, na), self.sub(na, nb), self.number(0))

        return self._mentioned(MultisetV(a.sort, count, None, ("sub", a, b)))

    def multiset_len(self, m: MultisetV) -> Expr:
        if m.made[0] == "ite":
            _, c, a, b = m.made
            size: Expr = self.by_case(c, lambda: self.multiset_len(a), lambda: self.multiset_len(b))
            return size
        self._start_counting(m.sort)
        found: tuple[MultisetV, Expr] = self.remember(("multiset size", id(m)), lambda: (m, self._make_size(m)))
        return found[1]

    def _make_size(self, m: MultisetV) -> Expr:
        arrays = self.canonical(m, m.sort)
        size = self.function(f"size {self.sort_name(m.sort)}", [arrays[0].sort()], self.int_sort)(*arrays)
        zero = self.number(0)
        parts = []
        match m.made:
            case ("lit", *elements):
                parts.append(self.eq(size, self.number(len(elements))))
            case ("add", a, b):
                parts.append(self.eq(size, self.add(self.multiset_len(a), self.multiset_len(b))))
            case ("sub", a, b):
                na, nb = self.multiset_len(a), self.multiset_len(b)
                parts += [self.le(size, na), self.le(self.sub(na, nb), size)]
            case ("seq", s):
                parts.append(self.eq(size, s.len))
        with self.bind(m.sort.args) as bound:
            none = self._every(bound, lambda x: self.eq(m.count(x[0]), zero))
        parts.append(self.eq(self.eq(size, zero), none))
        self.fact(self.le(zero, size), [size])
        self.fact(self.and_(parts), [size], everywhere=False)
        return size

    def seq_to_multiset(self, s: SeqV) -> MultisetV:
        if s.made[0] == "ite":
            _, c, a, b = s.made
            m: MultisetV = self.by_case(c, lambda: self.seq_to_multiset(a), lambda: self.seq_to_multiset(b))
            return m
        found: tuple[SeqV, MultisetV] = self.remember(("multiset", id(s)), lambda: (s, self._make_multiset(s)))
        return found[1]

    def _make_multiset(self, s: SeqV) -> MultisetV:
        element = s.sort.element
        sort = multiset_sort(element)
        leaves = self.canonical(s, s.sort)
        array_sort = self.leaf_sorts(sort)[0]
        array = self.function(f"multiset of {self.sort_name(s.sort)}", [e.sort() for e in leaves], array_sort)(*leaves)
        m: MultisetV = self.result(sort, [self.named(f"multiset {self.sort_name(s.sort)}", array)])
        m.made = ("seq", s)
        self.multiset_len(m)
        count = self._count_by_parts(s)
        with self.bind([element]) as bound:
            x = bound.values[0]
            n = m.count(x)
            if count is not None:
                here = self.eq(n, count(x))
            else:
                with self.bind([_INDEX]) as position:
                    i = position.values[0]
                    inside = self.within(self.number(0), i, s.len)
                    with self.frame(inside):
                        found = self.and_((inside, self.equal(self.elem(s, i), x)))
                    some = self.exists(position.consts, found)
                here = self.eq(self.lt(self.number(0), n), some)
            self.fact(here, [n], everywhere=False)
        if count is None:
            with self.bind([_INDEX]) as position:
                i = position.values[0]
                inside = self.within(self.number(0), i, s.len)
                with self.frame(inside):
                    n = m.count(self.elem(s, i))
                elements = self.canonical(self.elem(s, i), element)
                self.fact(self.implies(inside, self.lt(self.number(0), n)), elements, everywhere=False)
        return m

    def _count_by_parts(self, s: SeqV) -> Callable[[Val], Expr] | None:
        """How often an element occurs in a sequence, from the sequences that it was made of."""
        match s.made:
            case ("lit", *elements):
                return lambda x: self._occurrences(x, elements)
            case ("push", base, y):
                m = self.seq_to_multiset(base)
                return lambda x: self.add(m.count(x), self._indicator(x, y))
            case ("update", base, i, y):
                m = self.seq_to_multiset(base)
                old = self.elem(base, i)
                return lambda x: self.add(self.sub(m.count(x), self._indicator(x, old)), self._indicator(x, y))
            case ("add", a, b):
                ma, mb = self.seq_to_multiset(a), self.seq_to_multiset(b)
                return lambda x: self.add(ma.count(x), mb.count(x))
        return None


_INDEX = Sort("int", "int")


def is_finite(sort: Sort) -> bool:
    """Whether a sort has finitely many values (False where it is not known)."""
    match sort.kind:
        case "bool":
            return True
        case "int":
            return sort.name not in ("int", "nat")
        case "set":
            return is_finite(sort.args[0])
        case "data":
            if sort.is_defined and sort.args == () and not sort.variants:
                return True
            return _plain(sort, set())
    return False


def _plain(sort: Sort, seen: set[Sort]) -> bool:
    if sort in seen:
        return False
    if sort.kind != "data":
        return is_finite(sort)
    return all(_plain(f.sort, seen | {sort}) for v in sort.variants for f in v.fields)
