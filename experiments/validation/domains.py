"""Domains: the values that exhaustive evaluation goes through.

In: a sort and a level. Out: the values of a window of the sort, and whether that is all of them. Windows grow with the level,
each has one order, and what is in them does not depend on what ran before.

An integer's window is a piece of the pool of `translate.readings.inhabitants`: 0, 1, -1, 2, the literals of the contract and
their neighbours, the ends of the type, small numbers. A character's begins with the characters that the contract names. A
sequence's are those up to a length over the first few values of its elements' window; of a `Vec` and its like, the short ones
also come as a second value with the same view. A struct's or enum's are made of its fields'.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

from translate.readings.inhabitants import Inhabitants, in_range, universe
from translate.terms import Sort
from translate.values import Boxed, DataValue, Value

#: By level: how many integers; the longest sequence, and over how many values; how many values of a struct or enum, and of other
#: sorts.
LEVELS = (
    (3, 1, 2, 8, 4),
    (5, 2, 2, 16, 8),
    (7, 2, 3, 32, 12),
    (10, 3, 2, 64, 16),
    (14, 3, 3, 128, 24),
    (20, 3, 4, 256, 40),
    (32, 4, 3, 512, 64),
)
#: The second values with the same view are those of sequences up to this length.
TWIN_LENGTH = 1
SPACE = 32  # what lies below names no character in a contract


class Domains:
    """The windows of sorts, over a pool of integers that has these literals."""

    def __init__(self, literals: Sequence[int], usize_bits: int) -> None:
        self.usize_bits = usize_bits
        self.inhabitants = Inhabitants(literals, usize_bits=usize_bits)
        around = set(literals)  # each literal comes with its neighbours
        self.characters = [n for n in literals if n >= SPACE and {n - 1, n + 1} <= around]
        self._windows: dict[tuple[Sort, int], list[Value]] = {}

    def whole(self, sort: Sort, limit: int) -> Sequence[Value] | None:
        """All values of a sort that has at most `limit`, else None. Collections have no such: theirs may be of any length."""
        return universe(sort, limit, self.usize_bits)

    def window(self, sort: Sort, level: int) -> list[Value]:
        """The values of a sort at a level, from 0 to `len(LEVELS) - 1`."""
        key = (sort, level)
        found = self._windows.get(key)
        if found is None:
            self._windows[key] = []  # of a type inside itself: the window's own shape then has no such part
            values = dict.fromkeys(self._window(sort, level))
            found = self._windows[key] = [v for v in values if in_range(v, sort, self.usize_bits)]
        return found

    def _window(self, sort: Sort, level: int) -> Iterable[Value]:
        integers, length, elements, products, others = LEVELS[level]
        match sort.kind:
            case "bool":
                return (False, True)
            case "int":
                return self._integers(sort, integers)
            case "seq":
                return self._sequences(sort, length, elements, level)
            case "boxed" if sort.view is not None and sort.view.kind == "seq" and sort.length is None:
                return self._boxes(sort.view, length, elements, level)
            case "data" if not _recursive(sort):
                return itertools.islice(self._data(sort, level), products)
        return self.inhabitants.smallest_first(sort, others)

    def _integers(self, sort: Sort, count: int) -> Iterator[int]:
        pool = self.inhabitants.pool(sort)
        if sort.name == "char":
            pool = list(dict.fromkeys([*self.characters, *pool]))
        yield from pool[:count]
        for n in itertools.count(len(pool)):
            if n >= count:
                return
            yield n

    def _sequences(self, sort: Sort, length: int, elements: int, level: int) -> Iterator[tuple[Value, ...]]:
        parts = self.window(sort.element, min(level, 3))[:elements]
        for n in range(length + 1):
            yield from itertools.product(parts, repeat=n)

    def _boxes(self, view: Sort, length: int, elements: int, level: int) -> Iterator[Value]:
        yield from (Boxed(v, 0) for v in self._sequences(view, length, elements, level))
        if level:
            yield from (Boxed(v, 1) for v in self._sequences(view, TWIN_LENGTH, elements, level))

    def _data(self, sort: Sort, level: int) -> Iterator[Value]:
        """Variant by variant in turns, so that a short piece has some of each."""
        per_field = LEVELS[level][0]

        def of_variant(i: int) -> Iterator[Value]:
            fields = sort.variants[i].fields
            parts = [self.window(f.sort, level)[: max(2, per_field // len(fields))] for f in fields]
            yield from (DataValue(sort.name, i, values) for values in itertools.product(*parts))

        turns = [of_variant(i) for i in range(len(sort.variants))]
        while turns:
            for turn in list(turns):
                value = next(turn, None)
                if value is None:
                    turns.remove(turn)
                else:
                    yield value


def _recursive(sort: Sort, of: tuple[Sort, ...] = ()) -> bool:
    """Whether a value of a datatype can be inside a value of it, or of its parts."""
    if sort in of:
        return True
    parts = list(sort.args) + ([] if sort.view is None else [sort.view])
    if sort.kind == "data":
        if not sort.is_defined:
            return True
        parts += [f.sort for v in sort.variants for f in v.fields]
        of = (*of, sort)
    return any(_recursive(p, of) for p in parts)
