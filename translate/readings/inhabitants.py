"""The inhabitants of a sort as concrete values: which values are legal, which sorts are finite, and small values
first.

In: sorts. Out: `in_range` (is this value one of the sort's?), `universe` (all values of a small finite sort), and
`Inhabitants`, the enumeration of values by size and at random that bounded search and witness guessing draw from.

Everything here is deterministic: the enumeration has one order, and random values come from the caller's seeded
generator.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from translate.terms import Sort, Term, subterms, word_range
from translate.values import Boxed, DataValue, FnValue, MapValue, MultisetValue, OpaqueValue, Value, order_key

#: The whole universe of some sorts, for sorts that have no universe of their own (type parameters in a solver's model).
Domain = Mapping[Sort, Sequence[Value]]

SURROGATES: Final = range(0xD800, 0xE000)
#: Opaque sorts are enumerated with so many different elements.
OPAQUE_ELEMENTS: Final = 4
#: Of one size, a sort has at most so many values in the enumeration.
MAX_OF_SIZE: Final = 3_000
#: Longer arrays are enumerated with few different elements.
LONG_ARRAY: Final = 12


def int_range(sort: Sort, usize_bits: int = 64) -> tuple[int | None, int | None]:
    """The inclusive bounds of an integer sort when `usize` has that many bits; None where there is none."""
    if sort.name == "usize":
        return 0, 2**usize_bits - 1
    if sort.name == "isize":
        return -(2 ** (usize_bits - 1)), 2 ** (usize_bits - 1) - 1
    return word_range(sort.name)


def fits(value: int, sort: Sort, usize_bits: int = 64) -> bool:
    """Whether an integer is a legal value of an integer sort."""
    lo, hi = int_range(sort, usize_bits)
    if (lo is not None and value < lo) or (hi is not None and value > hi):
        return False
    return not (sort.name == "char" and value in SURROGATES)


def in_range(value: Any, sort: Sort, usize_bits: int = 64) -> bool:
    """Whether the value is a legal inhabitant of the sort: of its shape, every integer in its type's range, no
    surrogate as a `char`, an array of its length, a `Vec` or slice not longer than `usize::MAX`."""
    match sort.kind:
        case "bool":
            return isinstance(value, bool)
        case "int":
            return isinstance(value, int) and not isinstance(value, bool) and fits(value, sort, usize_bits)
        case "seq":
            return isinstance(value, tuple) and all(in_range(v, sort.args[0], usize_bits) for v in value)
        case "set":
            return isinstance(value, frozenset) and all(in_range(v, sort.args[0], usize_bits) for v in value)
        case "map":
            return isinstance(value, MapValue) and all(
                in_range(k, sort.args[0], usize_bits) and in_range(v, sort.args[1], usize_bits) for k, v in value.items
            )
        case "multiset":
            return isinstance(value, MultisetValue) and all(in_range(e, sort.args[0], usize_bits) for e in value)
        case "boxed":
            assert sort.view is not None
            if not isinstance(value, Boxed) or not in_range(value.view, sort.view, usize_bits):
                return False
            if isinstance(value.view, tuple):
                if sort.length is not None and len(value.view) != sort.length:
                    return False
                return len(value.view) < (1 << usize_bits)
            return True
        case "data":
            if not isinstance(value, DataValue) or not 0 <= value.variant < len(sort.variants):
                return False
            fields = sort.variants[value.variant].fields
            return (
                value.sort_name == sort.name
                and len(fields) == len(value.fields)
                and all(in_range(v, f.sort, usize_bits) for v, f in zip(value.fields, fields, strict=True))
            )
        case "fn":
            if not isinstance(value, FnValue):
                return False
            *params, result = sort.args
            return in_range(value.default, result, usize_bits) and all(
                len(a) == len(params)
                and all(in_range(v, s, usize_bits) for v, s in zip(a, params, strict=True))
                and in_range(r, result, usize_bits)
                for a, r in value.table
            )
    return isinstance(value, OpaqueValue) and value.sort_name == sort.name


def cardinality(sort: Sort, usize_bits: int = 64, domain: Domain | None = None, _open: tuple[Sort, ...] = ()) -> int | None:
    """How many values a sort has; None where it is infinite or not known."""
    if domain is not None and sort in domain:
        return len(domain[sort])
    if sort.kind == "bool":
        return 2
    if sort.kind == "int":
        lo, hi = int_range(sort, usize_bits)
        if lo is None or hi is None:
            return None
        return hi - lo + 1 - (len(SURROGATES) if sort.name == "char" else 0)
    if sort.kind == "data" and sort not in _open and sort.is_defined:
        total = 0
        for variant in sort.variants:
            product = 1
            for f in variant.fields:
                n = cardinality(f.sort, usize_bits, domain, (*_open, sort))
                if n is None:
                    return None
                product *= n
            total += product
        return total
    if sort.kind == "set":
        n = cardinality(sort.args[0], usize_bits, domain, _open)
        return 2**n if n is not None and n <= 64 else None
    return None


def universe(sort: Sort, limit: int, usize_bits: int = 64, domain: Domain | None = None) -> Sequence[Value] | None:
    """All values of a sort that has at most `limit`, in a fixed order; None for the others."""
    n = cardinality(sort, usize_bits, domain)
    if n is None or n > limit:
        return None
    if domain is not None and sort in domain:
        return domain[sort]
    if sort.kind == "bool":
        return (False, True)
    if sort.kind == "int":
        lo, hi = int_range(sort, usize_bits)
        assert lo is not None and hi is not None
        if sort.name == "char":
            return [*range(lo, SURROGATES.start), *range(SURROGATES.stop, hi + 1)]
        return range(lo, hi + 1)
    if sort.kind == "set":
        elements = universe(sort.args[0], limit, usize_bits, domain)
        assert elements is not None
        subsets = (itertools.combinations(elements, k) for k in range(len(elements) + 1))
        return [frozenset(c) for c in itertools.chain.from_iterable(subsets)]
    found: list[Value] = []
    for i, variant in enumerate(sort.variants):
        parts = [universe(f.sort, limit, usize_bits, domain) for f in variant.fields]
        known = [p for p in parts if p is not None]
        assert len(known) == len(parts)
        found.extend(DataValue(sort.name, i, fields) for fields in itertools.product(*known))
    return found


def literals(hints: Iterable[Term]) -> list[int]:
    """The integers c-1, c, c+1 of every integer literal c in the terms (through definitions), smallest magnitude
    first."""
    found: set[int] = set()
    seen: set[Term] = set()
    queue = list(hints)
    while queue:
        term = queue.pop()
        if term in seen:
            continue
        seen.add(term)
        for t in subterms(term):
            if t.op == "lit" and not isinstance(t.data, bool):
                found.update((t.data - 1, t.data, t.data + 1))
            elif t.op == "app":
                queue.extend(b for b in (t.data.body, t.data.when) if b is not None)
    return sorted(found, key=lambda c: (abs(c), c < 0))


class Inhabitants:
    """Values of sorts by size and at random, over a pool of integers.

    The size of an integer is its place in the pool, that of a collection its length and its elements' sizes:
    `of_size` lists all values of exactly one size, so size by size every value over the pool comes once, small ones
    first. Without `ends` the pool leaves out what is near the ends of a type's range.
    """

    def __init__(
        self, hints: Iterable[int] = (), *, usize_bits: int = 64, domain: Domain | None = None, ends: bool = True
    ) -> None:
        self.ends = ends
        self.usize_bits = usize_bits
        self.domain = domain or {}
        self._hints = list(hints)
        self._pools: dict[Sort, list[int]] = {}
        self._sized: dict[tuple[Sort, int], list[Value]] = {}
        self._pairs: dict[tuple[Sort, Sort], Sort] = {}

    def pool(self, sort: Sort) -> list[int]:
        """The integers that stand for an integer sort: 0, 1, -1, 2, the hints, small ones, the ends of its range."""
        found = self._pools.get(sort)
        if found is None:
            lo, hi = int_range(sort, self.usize_bits)
            first = [97, 98, 48, 32, 65, 122] if sort.name == "char" else [0, 1, -1, 2]
            ends = [e for e in (hi, lo) if e is not None and self.ends]
            inner = [e for end in ends for e in (end - 1, end + 1)]
            small = [3, -2, 4, 5, -3, 7, 10, 100]
            ordered = dict.fromkeys((*first, *self._hints[:6], *ends, *small[:3], *self._hints[6:], *inner, *small))
            found = self._pools[sort] = [c for c in ordered if fits(c, sort, self.usize_bits)]
        return found

    def of_size(self, sort: Sort, size: int) -> list[Value]:
        """All values of that size."""
        key = (sort, size)
        found = self._sized.get(key)
        if found is None:
            self._sized[key] = []  # what a malformed sort without finite values would ask for again
            found = self._sized[key] = list(itertools.islice(self._build(sort, size), MAX_OF_SIZE))
        return found

    def smallest_first(self, sort: Sort, limit: int) -> Iterator[Value]:
        """The first `limit` values, by size."""
        count = 0
        empty = 0
        for size in itertools.count():
            values = self.of_size(sort, size)
            # Sizes can have gaps (a variant that needs larger fields), but a long gap means that the pool is used up.
            empty = empty + 1 if not values else 0
            for v in values:
                if count >= limit:
                    return
                count += 1
                yield v
            if empty > 12:
                return

    def _split(self, sorts: tuple[Sort, ...], size: int) -> Iterator[tuple[Value, ...]]:
        if not sorts:
            if size == 0:
                yield ()
            return
        if len(sorts) == 1:
            yield from ((v,) for v in self.of_size(sorts[0], size))
            return
        for n in range(size + 1):
            for h in self.of_size(sorts[0], n):
                yield from ((h, *t) for t in self._split(sorts[1:], size - n))

    def tuples(self, sorts: tuple[Sort, ...], size: int) -> Iterator[tuple[Value, ...]]:
        """All tuples of values of these sorts whose sizes add up to `size`."""
        return self._split(sorts, size)

    def _build(self, sort: Sort, size: int) -> Iterable[Value]:
        if sort in self.domain:
            return self.domain[sort][size : size + 1]
        match sort.kind:
            case "bool":
                return ((False,), (True,), ())[min(size, 2)]
            case "int":
                return self.pool(sort)[size : size + 1]
            case "opaque":
                return (OpaqueValue(sort.name, size),) if size < OPAQUE_ELEMENTS else ()
            case "seq":
                return self._sequences(sort, size)
            case "set":
                seqs = self._sequences(Sort("seq", "", sort.args), size)
                return (frozenset(s) for s in seqs if _increasing(s, strict=True))
            case "multiset":
                seqs = self._sequences(Sort("seq", "", sort.args), size)
                return (MultisetValue.of(s) for s in seqs if _increasing(s, strict=False))
            case "map":
                return (MapValue.of(pairs) for pairs in self._tables(sort.args[0], sort.args[1], size))
            case "boxed":
                return self._boxed(sort, size)
            case "data":
                return self._data(sort, size)
        return self._functions(sort, size)

    def _sequences(self, sort: Sort, size: int) -> Iterator[tuple[Value, ...]]:
        if size == 0:
            yield ()
        for n in range(size):
            heads = self.of_size(sort.args[0], n)
            if heads:
                tails = self.of_size(Sort("seq", "", sort.args), size - 1 - n)
                yield from ((h, *t) for h in heads for t in tails if isinstance(t, tuple))

    def _tables(self, key: Sort, value: Sort, size: int) -> Iterator[list[tuple[Value, Value]]]:
        """Lists of (key, value) pairs with increasing keys; each pair costs 1 and its parts."""
        if size == 0:
            yield []
            return
        for n in range(size):
            for k, v in self._split((key, value), n):
                for rest in self._tables(key, value, size - 1 - n):
                    if not rest or order_key(k) < order_key(rest[0][0]):
                        yield [(k, v), *rest]

    def _boxed(self, sort: Sort, size: int) -> Iterator[Value]:
        assert sort.view is not None
        views: Iterable[Value]
        others: Iterable[Value] = ()
        if sort.length is not None:
            views = self._arrays(sort.view.element, sort.length, size)
            if size >= 2:
                others = self._arrays(sort.view.element, sort.length, size - 2)
        else:
            views = self.of_size(sort.view, size)
            if size >= 2:
                others = self.of_size(sort.view, size - 2)
        yield from (Boxed(v, 0) for v in views)
        yield from (Boxed(v, 1) for v in others)

    def _arrays(self, element: Sort, length: int, size: int) -> Iterator[tuple[Value, ...]]:
        if length <= LONG_ARRAY:
            yield from self._split((element,) * length, size)
            return
        base = next(self.smallest_first(element, 1), None)
        for v in self.of_size(element, size) if base is not None else ():
            yield (v,) * length
            if v != base and base is not None:
                for i in (0, 1, length - 1):
                    yield (*(base,) * i, v, *(base,) * (length - i - 1))

    def _data(self, sort: Sort, size: int) -> Iterator[Value]:
        several = len(sort.variants) > 1
        plain = 0
        for i, variant in enumerate(sort.variants):
            if not variant.fields:
                cost = plain
                plain += 1
            else:
                cost = 1 if several or _mentions(sort, sort) else 0
            if size >= cost:
                fields = tuple(f.sort for f in variant.fields)
                yield from (DataValue(sort.name, i, f) for f in self._split(fields, size - cost))

    def _functions(self, sort: Sort, size: int) -> Iterator[Value]:
        *params, result = sort.args
        for n in range(size + 1):
            for default in self.of_size(result, n):
                if n == size:
                    yield FnValue.of((), default)
                elif len(params) == 1:
                    for pairs in self._tables(params[0], result, size - n):
                        value = FnValue.of((((k,), v) for k, v in pairs), default)
                        if len(value.table) == len(pairs):
                            yield value
                elif params:
                    for *args, v in self._split((*params, result), size - n - 1):
                        if v != default:
                            yield FnValue.of([(tuple(args), v)], default)

    def random(self, sort: Sort, rng: Random, length: int = 4, numbers: Sequence[int] = ()) -> Value:
        """A random value: collections up to `length`, integers from `numbers` (those that fit), the pool or a small
        range."""
        if sort in self.domain:
            return rng.choice(list(self.domain[sort]))
        match sort.kind:
            case "bool":
                return rng.random() < 0.5
            case "int":
                return self._random_int(sort, rng, numbers)
            case "opaque":
                return OpaqueValue(sort.name, rng.randrange(OPAQUE_ELEMENTS))
            case "seq":
                return self._random_seq(sort.args[0], rng, rng.randrange(length + 1), length, numbers)
            case "set":
                return frozenset(self._random_seq(sort.args[0], rng, rng.randrange(length + 1), length, numbers))
            case "multiset":
                return MultisetValue.of(self._random_seq(sort.args[0], rng, rng.randrange(length + 1), length, numbers))
            case "map":
                keys = self._random_seq(sort.args[0], rng, rng.randrange(length + 1), length, numbers)
                return MapValue.of([(k, self.random(sort.args[1], rng, length - 1, numbers)) for k in keys])
            case "boxed":
                assert sort.view is not None
                rest = int(rng.random() < 0.15)
                if sort.length is not None:
                    return Boxed(self._random_seq(sort.view.element, rng, sort.length, length, numbers), rest)
                return Boxed(self.random(sort.view, rng, length, numbers), rest)
            case "data":
                choices = list(range(len(sort.variants)))
                if length <= 0:  # deep enough: the variants with the fewest fields, so that recursive types end
                    fewest = min(len(v.fields) for v in sort.variants)
                    choices = [i for i in choices if len(sort.variants[i].fields) == fewest]
                i = rng.choice(choices)
                deeper = length - 1 if _mentions(sort, sort) else length
                return DataValue(sort.name, i, tuple(self.random(f.sort, rng, deeper, numbers) for f in sort.variants[i].fields))
        *params, result = sort.args
        table = [
            (
                tuple(self.random(p, rng, length - 1, numbers) for p in params),
                self.random(result, rng, length - 1, numbers),
            )
            for _ in range(rng.randrange(3))
        ]
        return FnValue.of(table, self.random(result, rng, length - 1, numbers))

    def _random_seq(self, element: Sort, rng: Random, n: int, length: int, numbers: Sequence[int]) -> tuple[Value, ...]:
        return tuple(self.random(element, rng, max(0, length - 1), numbers) for _ in range(n))

    def _random_int(self, sort: Sort, rng: Random, numbers: Sequence[int]) -> int:
        for _ in range(8):
            kind = rng.random()
            if kind < 0.35 and numbers:
                c = rng.choice(numbers)
            elif kind < 0.65:
                c = rng.choice(self.pool(sort))
            elif kind < 0.95:
                c = rng.randrange(97, 103) if sort.name == "char" else rng.randrange(-4, 12)
            else:
                c = rng.randrange(-(2**16), 2**16)
            if fits(c, sort, self.usize_bits):
                return c
        return self.pool(sort)[0]


def _increasing(values: tuple[Value, ...], *, strict: bool) -> bool:
    keys = [order_key(v) for v in values]
    return all(a < b or (not strict and a == b) for a, b in itertools.pairwise(keys))


_mention_memo: dict[tuple[Sort, Sort], bool] = {}


def _mentions(sort: Sort, target: Sort) -> bool:
    """Whether a data sort is recursive: whether `target` occurs inside `sort` (below its top)."""
    known = _mention_memo.get((sort, target))
    if known is None:
        seen: set[Sort] = set()
        queue = [sort]
        known = False
        for s in queue:
            inside = [*s.args] + ([s.view] if s.view is not None else [])
            if s.kind == "data" and s.is_defined:
                inside += [f.sort for v in s.variants for f in v.fields]
            for i in inside:
                known = known or i is target
                if i not in seen:
                    seen.add(i)
                    queue.append(i)
        _mention_memo[sort, target] = known
    return known
