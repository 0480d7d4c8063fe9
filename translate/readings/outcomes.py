"""What concrete evaluation can end in besides a value, and the values that have no finite representation.

In: nothing. Out: the exceptions of `translate.readings.evaluate`; `Closure`, `CofiniteSet` and `LazySet`, which
stand for functions and infinite sets while a term is being evaluated (they never come in from outside); equality
and set operations over both kinds of values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from translate.readings.inhabitants import Domain, cardinality, universe
from translate.terms import Sort, Term
from translate.values import Boxed, DataValue, FnValue, MapValue, MultisetValue, order_key

#: The largest number of elements of one collection.
MAX_ELEMENTS: Final = 20_000
#: The largest integer, in bits.
MAX_BITS: Final = 8_192


class EvaluationError(Exception):
    """Evaluation ended without a value."""

    def __init__(self, term: Term | None = None) -> None:
        super().__init__(term)
        self.term = term

    def __str__(self) -> str:
        return type(self).__name__ if self.term is None else f"{type(self).__name__}: {self.term!r}"


class Undetermined(EvaluationError):
    """This part has no known value; a formula around it may still be decided by its other parts."""


class Unspecified(Undetermined):
    """The value is fixed but unknown in Verus: division by zero, an index out of range, an uninterpreted function,
    …"""


class Unbounded(Undetermined):
    """A quantifier without a finite range, or a question about an infinite value that no finite evaluation answers."""


class TooLarge(Undetermined):
    """A range, a collection or a number beyond the fixed limits."""


class Undivided(Undetermined):
    """The answer is not one for all the integers that are looked at together: they have to be taken apart (see
    `translate.readings.spans`). Other parts of the formula are not asked first: they will be, for fewer integers."""


class OutOfBudget(EvaluationError):
    """The step budget is used up, or calls nest too deeply."""


Frame: TypeAlias = list[Any]
Code: TypeAlias = Callable[[Frame], Any]


class Closure:
    """A spec_fn made by a lambda: its code and the frame it was made in. Two are `==` when they are the same lambda
    over the same captured values, which makes equal functions of them, but different ones need not be different
    functions."""

    __slots__ = ("key", "code", "frame", "slot", "enter")

    def __init__(self, key: tuple[Any, ...], code: Code, frame: Frame, slot: int, enter: Callable[[], None]) -> None:
        self.key, self.code, self.frame, self.slot, self.enter = key, code, frame, slot, enter

    def invoke(self, args: tuple[Any, ...]) -> Any:
        self.enter()
        frame = self.frame[:]
        frame[self.slot : self.slot + len(args)] = args
        return self.code(frame)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Closure) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@dataclass(frozen=True, slots=True)
class CofiniteSet:
    """All values of the element sort but these (only where the sort is not enumerated)."""

    missing: frozenset[Any]


@dataclass(frozen=True, slots=True)
class LazySet:
    """A set of which only membership is known; `key` identifies it."""

    key: tuple[Any, ...]
    contains: Callable[[Any], bool] = field(compare=False)


AnySet: TypeAlias = "frozenset[Any] | CofiniteSet | LazySet"


def call(fn: Any, args: tuple[Any, ...]) -> Any:
    """A function value applied."""
    return fn.invoke(args) if type(fn) is Closure else fn(*args)


_plain_memo: dict[Sort, bool] = {}


def is_plain(sort: Sort) -> bool:
    """Whether no value of the sort can contain a function or a set: then `==` on values is equality."""
    found = _plain_memo.get(sort)
    if found is None:
        _plain_memo[sort] = True  # a recursive datatype is plain unless something else in it is not
        parts = list(sort.args) if sort.kind in ("seq", "multiset", "boxed") else []
        if sort.view is not None:
            parts.append(sort.view)
        if sort.kind == "data":
            if not sort.is_defined:
                del _plain_memo[sort]
                return False
            parts.extend(f.sort for v in sort.variants for f in v.fields)
        found = sort.kind not in ("set", "map", "fn") and all(is_plain(p) for p in parts)
        _plain_memo[sort] = found
    return found


def is_extensional(value: Any) -> bool:
    """Whether the value has a finite representation, all through."""
    match value:
        case bool() | int():
            return True
        case tuple() | frozenset():
            return all(map(is_extensional, value))
        case Boxed(view=view):
            return is_extensional(view)
        case DataValue(fields=fields):
            return all(map(is_extensional, fields))
        case MapValue(items=items):
            return all(is_extensional(k) and is_extensional(v) for k, v in items)
        case Closure() | CofiniteSet() | LazySet():
            return False
    return True


@dataclass(frozen=True, slots=True)
class Universe:
    """What equality and complements need to know about sorts."""

    usize_bits: int
    domain: Domain | None
    limit: int = 300

    def all_of(self, sort: Sort) -> Any:
        return universe(sort, self.limit, self.usize_bits, self.domain)

    def size(self, sort: Sort) -> int | None:
        return cardinality(sort, self.usize_bits, self.domain)


def same(a: Any, b: Any, sort: Sort, term: Term, world: Universe) -> bool:
    """Verus's equality of two values of a sort. Raises Unbounded where infinite values leave it open."""
    kind = sort.kind
    if kind in ("bool", "int", "opaque") or is_plain(sort):
        return bool(a == b)
    if a is b or a == b:
        return True
    if kind == "seq":
        return len(a) == len(b) and _all_same([(x, y, sort.args[0]) for x, y in zip(a, b, strict=True)], term, world)
    if kind == "boxed":
        assert sort.view is not None
        return bool(a.rest == b.rest) and same(a.view, b.view, sort.view, term, world)
    if kind == "data":
        if a.variant != b.variant:
            return False
        fields = sort.variants[a.variant].fields
        return _all_same([(x, y, f.sort) for x, y, f in zip(a.fields, b.fields, fields, strict=True)], term, world)
    if kind == "set":
        return _same_sets(a, b, sort.args[0], term, world)
    if kind == "map":
        key, value = sort.args
        if not _same_sets(a.domain, b.domain, key, term, world):
            return False
        return _all_same([(v, b.get(k), value) for k, v in a.items], term, world)
    if kind == "fn":
        return _same_functions(a, b, sort, term, world)
    return bool(a == b)


def _all_same(pairs: list[tuple[Any, Any, Sort]], term: Term, world: Universe) -> bool:
    pending: Undetermined | None = None
    for x, y, sort in pairs:
        try:
            if not same(x, y, sort, term, world):
                return False
        except Undetermined as e:
            pending = pending or e
    if pending is not None:
        raise pending
    return True


def _same_sets(a: AnySet, b: AnySet, element: Sort, term: Term, world: Universe) -> bool:
    if isinstance(a, frozenset) and isinstance(b, frozenset):
        return a == b
    everything = world.all_of(element)
    if everything is not None:
        return _all_same([(set_has(a, v, term), set_has(b, v, term), _BOOL) for v in everything], term, world)
    if isinstance(a, LazySet) or isinstance(b, LazySet):
        # No finite list of questions proves them equal, but one element can tell them apart.
        for probe in (a, b):
            for v in probe if isinstance(probe, frozenset) else probe.missing if isinstance(probe, CofiniteSet) else ():
                if set_has(a, v, term) != set_has(b, v, term):
                    return False
        raise Unbounded(term)
    return a == b  # a finite and a cofinite set of an endless sort differ


_BOOL: Final = Sort("bool")


def _same_functions(a: Any, b: Any, sort: Sort, term: Term, world: Universe) -> bool:
    *params, result = sort.args
    if len(params) == 1:
        everything = world.all_of(params[0])
        if everything is not None:
            return _all_same([(call(a, (v,)), call(b, (v,)), result) for v in everything], term, world)
    tables = [f.table for f in (a, b) if isinstance(f, FnValue)]
    for args in (args for table in tables for args, _ in table):
        if not same(call(a, args), call(b, args), result, term, world):
            return False
    if len(tables) == 2 and all(world.size(p) is None for p in params):
        return same(a.default, b.default, result, term, world)
    raise Unbounded(term)


# --- sets -----------------------------------------------------------------------------------------------------------


def set_has(s: AnySet, v: Any, term: Term) -> bool:
    if isinstance(s, LazySet):
        return s.contains(v)
    if not is_extensional(v):
        raise Unbounded(term)
    return v in s if isinstance(s, frozenset) else v not in s.missing


def set_union(a: AnySet, b: AnySet, term: Term) -> AnySet:
    if isinstance(a, frozenset) and isinstance(b, frozenset):
        return a | b
    if isinstance(a, LazySet) or isinstance(b, LazySet):
        return LazySet(("union", a, b), lambda v: _either(a, b, v, term))
    if isinstance(a, CofiniteSet):
        return CofiniteSet(a.missing - b if isinstance(b, frozenset) else a.missing & b.missing)
    return set_union(b, a, term)


def _either(a: AnySet, b: AnySet, v: Any, term: Term) -> bool:
    try:
        if set_has(a, v, term):
            return True
    except Undetermined:
        if set_has(b, v, term):
            return True
        raise
    return set_has(b, v, term)


def set_complement(a: AnySet, element: Sort, term: Term, world: Universe) -> AnySet:
    everything = world.all_of(element)
    if everything is not None:
        return frozenset(v for v in everything if not set_has(a, v, term))
    if isinstance(a, CofiniteSet):
        return a.missing
    if isinstance(a, frozenset):
        return CofiniteSet(a)
    return LazySet(("complement", a), lambda v: not set_has(a, v, term))


def set_intersect(a: AnySet, b: AnySet, term: Term) -> AnySet:
    if isinstance(a, frozenset):
        return a & b if isinstance(b, frozenset) else frozenset(v for v in sorted(a, key=order_key) if set_has(b, v, term))
    if isinstance(b, frozenset):
        return set_intersect(b, a, term)
    if isinstance(a, CofiniteSet) and isinstance(b, CofiniteSet):
        return CofiniteSet(a.missing | b.missing)
    return LazySet(("intersect", a, b), lambda v: not _either(_Not(a, term), _Not(b, term), v, term))


def set_difference(a: AnySet, b: AnySet, term: Term) -> AnySet:
    if isinstance(a, frozenset):
        return a - b if isinstance(b, frozenset) else frozenset(v for v in sorted(a, key=order_key) if not set_has(b, v, term))
    if isinstance(b, CofiniteSet):
        return set_intersect(a, b.missing, term)
    if isinstance(a, CofiniteSet) and isinstance(b, frozenset):
        return CofiniteSet(a.missing | b)
    return LazySet(("difference", a, b), lambda v: not _either(_Not(a, term), b, v, term))


def _Not(a: AnySet, term: Term) -> LazySet:
    return LazySet(("complement", a), lambda v: not set_has(a, v, term))


def set_of_function(fn: Any, element: Sort, term: Term, world: Universe) -> AnySet:
    """The set of the elements for which a predicate value holds."""
    everything = world.all_of(element)
    if everything is not None:
        return frozenset(v for v in everything if call(fn, (v,)))
    if isinstance(fn, FnValue):
        listed = frozenset(args[0] for args, _ in fn.table)
        return CofiniteSet(listed) if fn.default else listed
    return LazySet(("new", fn), lambda v: bool(call(fn, (v,))))


def counts_of(m: MultisetValue) -> dict[Any, int]:
    return dict(m.items)
