"""Making a counterexample smaller without losing what it shows.

In: an assignment and a check. Out: a smaller assignment that still passes: shorter collections, numbers nearer to
0, earlier variants, equal boxed values without a hidden rest. Greedy, one variable at a time and then several
together (variables of one length lose an element at once, equal numbers change alike), until nothing smaller
passes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeVar

from translate.readings.inhabitants import Inhabitants, in_range
from translate.terms import Sort, Term
from translate.values import Boxed, DataValue, FnValue, MapValue, MultisetValue, OpaqueValue, Value, order_key

MAX_CHECKS: Final = 3_000
#: Longer sequences are first cut to at most so many elements.
_FEW: Final = 4

Item = TypeVar("Item")


def shrink(
    assignment: Mapping[Term, Value],
    check: Callable[[dict[Term, Value]], bool],
    *,
    usize_bits: int = 64,
    max_checks: int = MAX_CHECKS,
) -> dict[Term, Value]:
    """A smaller assignment for which `check` holds, as it does for the given one. `check` is called at most
    `max_checks` times, with legal values only."""
    current = dict(assignment)
    weight = _weights(current)
    left = max_checks
    progress = True
    while progress:
        progress = False
        for candidate in _smaller_assignments(current):
            smaller = _weights(candidate)
            if smaller >= weight or not all(in_range(x, v.sort, usize_bits) for v, x in candidate.items()):
                continue
            if left <= 0:
                return current
            left -= 1
            if check(candidate):
                current, weight, progress = candidate, smaller, True
                break
    return current


def _weights(assignment: Mapping[Term, Value]) -> tuple[int, ...]:
    """What shrinking lowers: the total, then the variables one by one."""
    parts = [weight(x, v.sort) for v, x in assignment.items()]
    return (sum(parts), *parts)


#: What an element of a collection weighs beside its own value.
_ELEMENT: Final = 1 << 70
_SHOWN_FIRST: Final = "ab0 "


def weight(value: Value, sort: Sort) -> int:
    """The size of a value: collections count more than the numbers in them, negative numbers more than positive
    ones."""
    match value:
        case bool():
            return int(value)
        case int() if sort.name == "char":
            place = _SHOWN_FIRST.find(chr(value))
            return place if place >= 0 else value + 10 if value >= 32 else value + 1000
        case int():
            return min(2 * abs(value) + (value < 0), _ELEMENT << 100)
        case tuple() | frozenset() | MultisetValue():
            return sum(_ELEMENT + weight(e, sort.args[0]) for e in value)
        case MapValue(items=items):
            return sum(_ELEMENT + weight(k, sort.args[0]) + weight(v, sort.args[1]) for k, v in items)
        case Boxed(view=view, rest=rest):
            assert sort.view is not None
            return weight(view, sort.view) + rest
        case DataValue(variant=variant, fields=fields):
            declared = sort.variants[variant].fields
            parts = sum(weight(x, f.sort) for x, f in zip(fields, declared, strict=True))
            return 4 * variant + len(fields) + parts
        case FnValue(table=table, default=default):
            *params, result = sort.args
            total = weight(default, result)
            for args, r in table:
                total += _ELEMENT + weight(r, result) + sum(map(weight, args, params))
            return total
        case OpaqueValue(index=index):
            return index


def _smaller_assignments(current: Mapping[Term, Value]) -> Iterator[dict[Term, Value]]:
    yield from _joint_beginnings(current)
    for v, x in current.items():
        for y in dict.fromkeys(smaller(x, v.sort)):
            yield {**current, v: y}
    yield from _joint_elements(current)
    yield from _joint_numbers(current)


def _sequence(value: Value) -> tuple[Value, ...] | None:
    view = value.view if isinstance(value, Boxed) else value
    return view if isinstance(view, tuple) else None


def _with_sequence(value: Value, seq: tuple[Value, ...]) -> Value:
    return Boxed(seq, value.rest) if isinstance(value, Boxed) else seq


def _joint_beginnings(current: Mapping[Term, Value]) -> Iterator[dict[Term, Value]]:
    """Only the first few elements of all sequences of one length, where they are many; also with numbers that equal the length
    made equal to the new one."""
    lengths = {v: len(s) for v, x in current.items() if (s := _sequence(x)) is not None}
    for n in sorted({n for n in lengths.values() if n > _FEW}, reverse=True):
        same = [v for v, length in lengths.items() if length == n]
        numbers = [v for v, x in current.items() if isinstance(x, int) and not isinstance(x, bool) and x == n]
        for m in (*range(_FEW + 1), n // 2):
            cut: dict[Term, Value] = {v: _with_sequence(current[v], (_sequence(current[v]) or ())[:m]) for v in same}
            if numbers:
                yield {**current, **cut, **dict.fromkeys(numbers, m)}
            yield {**current, **cut}


def _joint_elements(current: Mapping[Term, Value]) -> Iterator[dict[Term, Value]]:
    """One element less in all sequences that are long enough; also with numbers that equal the length one less."""
    lengths = {v: len(s) for v, x in current.items() if (s := _sequence(x)) is not None}
    for n in sorted(set(lengths.values()), reverse=True):
        for k in range(n):
            for exact in (True, False):
                cut: dict[Term, Value] = {}
                for v, length in lengths.items():
                    s = _sequence(current[v])
                    if s is not None and (length == n if exact else k < length):
                        cut[v] = _with_sequence(current[v], s[:k] + s[k + 1 :])
                yield {**current, **cut}
                numbers = {
                    v: x - 1
                    for v, x in current.items()
                    if isinstance(x, int) and not isinstance(x, bool) and n >= x > 0 and x >= k
                }
                if numbers:
                    yield {**current, **cut, **numbers}


def _joint_numbers(current: Mapping[Term, Value]) -> Iterator[dict[Term, Value]]:
    """Numbers that change together, wherever in the assignment they stand: each value replaced by a smaller one,
    and all numbers moved towards 0 by the same amount."""
    found = sorted({n for x in current.values() for n in _numbers(x)}, key=lambda n: (-abs(n), n))
    for n in found[:12]:
        for m in dict.fromkeys(_smaller_numbers(n)):
            yield {v: _replace(x, {n: m}) for v, x in current.items()}
    for a, b in ((a, b) for a in found[:8] for b in found[:8] if a != b and a * b > 0):
        step = min(abs(a), abs(b))
        while step:
            by = step if a > 0 else -step
            yield {v: _replace(x, {a: a - by, b: b - by}) for v, x in current.items()}
            step //= 2
    if len(found) > 1:
        for by in (2, 3, 10):
            yield {v: _replace(x, {n: n // by for n in found}) for v, x in current.items()}
        for base in (min(found, key=abs), min(found), 1):
            yield {v: _replace(x, {n: n - base for n in found}) for v, x in current.items()}


def _numbers(value: Value) -> Iterator[int]:
    match value:
        case bool():
            return
        case int():
            yield value
        case tuple() | frozenset():
            for e in sorted(value, key=order_key):
                yield from _numbers(e)
        case Boxed(view=view):
            yield from _numbers(view)
        case DataValue(fields=fields):
            for e in fields:
                yield from _numbers(e)


def _replace(value: Value, numbers: Mapping[int, int]) -> Value:
    match value:
        case bool():
            return value
        case int():
            return numbers.get(value, value)
        case tuple():
            return tuple([_replace(e, numbers) for e in value])
        case frozenset():
            return frozenset([_replace(e, numbers) for e in value])
        case Boxed(view=view, rest=rest):
            return Boxed(_replace(view, numbers), rest)
        case DataValue(sort_name=name, variant=variant, fields=fields):
            return DataValue(name, variant, tuple([_replace(e, numbers) for e in fields]))
    return value


def _smaller_numbers(n: int) -> Iterator[int]:
    if n == 0:
        return
    sign = 1 if n > 0 else -1
    yield from range(min(abs(n), 10))
    if n < 0:
        yield -n
        yield from range(-1, -min(abs(n), 10), -1)
    step = abs(n) // 2
    while step:
        yield n - sign * step
        step //= 2
    # Steps of powers of ten keep what depends on the last digits.
    step = 10
    while step < abs(n):
        yield n - sign * (abs(n) - abs(n) % step)
        yield n - sign * step
        step *= 10


_inhabitants: Final = Inhabitants()


def _simplest(sort: Sort) -> Value | None:
    """The first value of a sort, for a field that did not exist before."""
    return next(_inhabitants.smallest_first(sort, 1), None)


def smaller(value: Value, sort: Sort) -> Iterator[Value]:
    """Smaller values of the same sort, the boldest first. Not all are legal (an array must keep its length)."""
    match value:
        case bool():
            if value:
                yield False
        case int():
            if sort.name == "char":
                yield from (ord(c) for c in _SHOWN_FIRST if ord(c) != value)
            yield from _smaller_numbers(value)
        case tuple():
            yield from _smaller_sequences(value, sort.args[0])
        case frozenset():
            ordered = tuple(sorted(value, key=order_key))
            yield from (frozenset(s) for s in _smaller_sequences(ordered, sort.args[0]))
        case MultisetValue():
            yield from (MultisetValue.of(s) for s in _smaller_sequences(tuple(value), sort.args[0]))
        case MapValue(items=items):
            yield from (MapValue(part) for part in _shorter(items))
            for k, (key, x) in enumerate(items):
                yield from (MapValue.of([*items[:k], (y, x), *items[k + 1 :]]) for y in smaller(key, sort.args[0]))
                yield from (MapValue.of([*items[:k], (key, y), *items[k + 1 :]]) for y in smaller(x, sort.args[1]))
        case Boxed(view=view, rest=rest):
            assert sort.view is not None
            if rest:
                yield Boxed(view, 0)
            yield from (Boxed(w, rest) for w in smaller(view, sort.view))
        case DataValue():
            yield from _smaller_data(value, sort)
        case FnValue(table=table, default=default):
            *params, result = sort.args
            yield from (FnValue(table[:k] + table[k + 1 :], default) for k in range(len(table)))
            yield from (FnValue.of(table, d) for d in smaller(default, result))
            for k, (args, r) in enumerate(table):
                yield from (FnValue.of([*table[:k], (args, y), *table[k + 1 :]], default) for y in smaller(r, result))
                for i, p in enumerate(params):
                    for y in smaller(args[i], p):
                        moved = (*args[:i], y, *args[i + 1 :])
                        yield FnValue.of([*table[:k], (moved, r), *table[k + 1 :]], default)
        case OpaqueValue(sort_name=name, index=index):
            yield from (OpaqueValue(name, i) for i in range(index))


def _smaller_sequences(value: tuple[Value, ...], element: Sort) -> Iterator[tuple[Value, ...]]:
    yield from _shorter(value)
    for k, e in enumerate(value):
        for y in smaller(e, element):
            yield (*value[:k], y, *value[k + 1 :])


def _shorter(value: tuple[Item, ...]) -> Iterator[tuple[Item, ...]]:
    """Parts of a tuple: nothing, without a half, a quarter, and so on, without one."""
    n = len(value)
    if n:
        yield ()
    size = n // 2
    while size > 1:
        for k in range(0, n, size):
            yield value[:k] + value[k + size :]
        size //= 2
    if n > 1:
        for k in range(n):
            yield value[:k] + value[k + 1 :]


def _smaller_data(value: DataValue, sort: Sort) -> Iterator[Value]:
    for i, variant in enumerate(sort.variants[: value.variant]):
        fields: list[Value] = []
        for k, f in enumerate(variant.fields):
            old = sort.variants[value.variant].fields
            keeps = k < len(old) and old[k].sort is f.sort
            x = value.fields[k] if keeps else _simplest(f.sort)
            if x is not None:
                fields.append(x)
        if len(fields) == len(variant.fields):
            yield DataValue(value.sort_name, i, tuple(fields))
    declared = sort.variants[value.variant].fields
    for k, (x, f) in enumerate(zip(value.fields, declared, strict=True)):
        if isinstance(x, DataValue) and f.sort is sort:
            yield x  # a recursive type: the part for the whole
        for y in smaller(x, f.sort):
            yield DataValue(value.sort_name, value.variant, (*value.fields[:k], y, *value.fields[k + 1 :]))
