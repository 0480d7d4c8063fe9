"""Values of bounded shape over unknown scalars, and what every sort of them can do.

In: sorts and scalars (`finite_nodes`). Out: values; unknown values of a sort; choice between two values; equality; the concrete
value once the scalars are known.

| sort         | value                                                                                          |
|--------------|------------------------------------------------------------------------------------------------|
| bool, int    | a scalar                                                                                       |
| opaque       | a scalar: the number of the element                                                            |
| seq          | `SeqF`: a length, and one element for each index that it can have                              |
| set          | `SetF`: candidates with the condition under which each is in it, or not in it (`complement`)   |
| map          | `MapF`: entries with the condition under which each is there; later ones win                   |
| multiset     | `BagF`: elements with a number of occurrences each                                             |
| boxed        | `BoxF`: the view, and a number for the hidden rest                                             |
| data         | `DataF`: the number of the variant, and fields for the variants that it can have               |
| fn           | `FnF`: a lambda and the values that it captured                                                |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from translate.readings.finite_nodes import Node, Nodes, Scalar
from translate.readings.inhabitants import SURROGATES, int_range
from translate.terms import Sort, Term
from translate.values import Boxed, DataValue, MapValue, MultisetValue, OpaqueValue, Value, order_key

Val: TypeAlias = Any  # Scalar | SeqF | SetF | MapF | BagF | BoxF | DataF | FnF

#: Elements of a sort about which nothing is known.
OPAQUE: Final = 4
#: How deep values of recursive datatypes are unknown.
DATA_DEPTH: Final = 3


class NoShape(Exception):
    """A value of this sort, or an operation on it, has no bounded shape here."""


class SeqF(NamedTuple):
    len: Scalar
    elems: tuple[Val, ...]


class SetF(NamedTuple):
    items: tuple[tuple[Scalar, Val], ...]
    complement: bool = False


class MapF(NamedTuple):
    items: tuple[tuple[Scalar, Val, Val], ...]


class BagF(NamedTuple):
    items: tuple[tuple[Scalar, Val], ...]


class BoxF(NamedTuple):
    view: Val
    rest: Scalar


class DataF(NamedTuple):
    """`fields` has the fields of variant v at v, None for a variant that it cannot have."""

    tag: Scalar
    fields: tuple[tuple[Val, ...] | None, ...]


class FnF(NamedTuple):
    term: Term
    env: tuple[Val, ...]


@dataclass(frozen=True, slots=True)
class Size:
    """How large unknown values are: the longest sequence, the longest one inside another, the most elements of a set, map or
    multiset."""

    outer: int
    inner: int
    others: int

    def inside(self) -> Size:
        return Size(self.inner, self.inner, min(self.others, 2))


class Values:
    """Operations on values, over one `Nodes`. `conditions` collects what unknown values have to satisfy."""

    def __init__(self, nodes: Nodes, word_bits: int, needed: dict[Sort, int] | None = None) -> None:
        """`needed`: lengths that sequences of some sorts have to be able to have, whatever the size asked for."""
        self.nodes, self.word_bits, self.needed = nodes, word_bits, needed or {}
        self.conditions: list[Scalar] = []

    # --- unknown values ---

    def unknown(self, sort: Sort, size: Size, depth: int = DATA_DEPTH) -> Val:
        """A value of the sort of which nothing is known but its size; raises NoShape."""
        n = self.nodes
        match sort.kind:
            case "bool":
                return n.truth()
            case "int":
                v = n.integer(*int_range(sort, self.word_bits))
                if sort.name == "char":
                    self.conditions.append(n.or_((n.lt(v, SURROGATES.start), n.le(SURROGATES.stop, v))))
                return v
            case "opaque":
                return n.integer(0, OPAQUE - 1)
            case "seq":
                most = max(size.outer, self.needed.get(sort, 0))
                return self.sequence(sort, n.integer(0, most), most, size)
            case "set":
                inside = size.inside()
                return SetF(tuple((n.truth(), self.unknown(sort.args[0], inside, depth)) for _ in range(size.others)))
            case "map":
                key, value = sort.args
                inside = size.inside()
                entries = (
                    (n.truth(), self.unknown(key, inside, depth), self.unknown(value, inside, depth)) for _ in range(size.others)
                )
                return MapF(tuple(entries))
            case "multiset":
                inside = size.inside()
                return BagF(tuple((n.integer(0, 3), self.unknown(sort.args[0], inside, depth)) for _ in range(size.others)))
            case "boxed":
                assert sort.view is not None
                if sort.length is not None:
                    return BoxF(self.sequence(sort.view, sort.length, sort.length, size), n.integer(0, 1))
                return BoxF(self.unknown(sort.view, size, depth), n.integer(0, 1))
            case "data":
                return self._unknown_data(sort, size, depth)
        raise NoShape(f"an unknown value of {sort}")

    def sequence(self, sort: Sort, length: Scalar, most: int, size: Size) -> SeqF:
        """A sequence of that length, at most `most`, with unknown elements."""
        if most > 64:
            raise NoShape(f"{most} elements")
        inside = size.inside()
        return SeqF(length, tuple(self.unknown(sort.args[0], inside) for _ in range(most)))

    def _unknown_data(self, sort: Sort, size: Size, depth: int) -> DataF:
        n = self.nodes
        variants: list[tuple[Val, ...] | None] = []
        for v in sort.variants:
            if depth <= 0 and v.fields:
                variants.append(None)
                continue
            try:
                variants.append(tuple(self.unknown(f.sort, size, depth - 1) for f in v.fields))
            except NoShape:
                variants.append(None)
        there = [i for i, fields in enumerate(variants) if fields is not None]
        if not there:
            raise NoShape(f"a value of {sort}")
        tag = n.integer(there[0], there[-1])
        self.conditions.extend(n.not_(n.eq(tag, i)) for i in range(there[0], there[-1]) if i not in there)
        return DataF(tag, tuple(variants))

    # --- known values ---

    def known(self, v: Value, sort: Sort) -> Val:
        """A concrete value; raises NoShape for a function."""
        match sort.kind:
            case "bool" | "int":
                return v
            case "opaque":
                assert isinstance(v, OpaqueValue)
                return v.index
            case "seq":
                assert isinstance(v, tuple)
                return SeqF(len(v), tuple(self.known(x, sort.args[0]) for x in v))
            case "set":
                assert isinstance(v, frozenset)
                return SetF(tuple((True, self.known(x, sort.args[0])) for x in sorted(v, key=order_key)))
            case "map":
                assert isinstance(v, MapValue)
                key, value = sort.args
                return MapF(tuple((True, self.known(k, key), self.known(x, value)) for k, x in v.items))
            case "multiset":
                assert isinstance(v, MultisetValue)
                return BagF(tuple((many, self.known(x, sort.args[0])) for x, many in v.items))
            case "boxed":
                assert isinstance(v, Boxed) and sort.view is not None
                return BoxF(self.known(v.view, sort.view), v.rest)
            case "data":
                assert isinstance(v, DataValue)
                declared = sort.variants[v.variant].fields
                fields = tuple(self.known(x, f.sort) for x, f in zip(v.fields, declared, strict=True))
                return DataF(v.variant, tuple(fields if k == v.variant else None for k in range(len(sort.variants))))
        raise NoShape(f"a value of {sort}")

    # --- some value, where it does not matter which ---

    def default(self, sort: Sort) -> Val:
        match sort.kind:
            case "bool":
                return False
            case "int" | "opaque":
                return 0
            case "seq":
                return SeqF(0, ())
            case "set":
                return SetF(())
            case "map":
                return MapF(())
            case "multiset":
                return BagF(())
            case "boxed":
                assert sort.view is not None
                return BoxF(self.default(sort.view), 0)
            case "data":
                for i, v in enumerate(sort.variants):
                    if all(f.sort is not sort for f in v.fields):
                        fields = tuple(self.default(f.sort) for f in v.fields)
                        return DataF(i, tuple(fields if k == i else None for k in range(len(sort.variants))))
        raise NoShape(f"a value of {sort}")

    # --- choice ---

    def choose(self, c: Scalar, a: Val, b: Val) -> Val:
        """`if c { a } else { b }`."""
        if not isinstance(c, Node):
            return a if c else b
        if a is b or (type(a) is type(b) and not isinstance(a, Node) and a == b):
            return a
        n = self.nodes
        n.charge(1)
        match a:
            case SeqF():
                return SeqF(n.ite(c, a.len, b.len), self._together(c, a.elems, b.elems))
            case BoxF():
                return BoxF(self.choose(c, a.view, b.view), n.ite(c, a.rest, b.rest))
            case DataF():
                fields = tuple(
                    y if x is None else x if y is None else self._together(c, x, y)
                    for x, y in zip(a.fields, b.fields, strict=True)
                )
                return DataF(n.ite(c, a.tag, b.tag), fields)
            case SetF():
                if a.complement != b.complement:
                    raise NoShape("a choice between a finite set and the complement of one")
                return SetF(self._guarded(c, a.items, b.items), a.complement)
            case MapF():
                mine = tuple((n.and_((c, g)), k, v) for g, k, v in a.items)
                others = tuple((n.and_((n.not_(c), g)), k, v) for g, k, v in b.items)
                return MapF(tuple(e for e in (*mine, *others) if e[0] is not False))
            case BagF():
                mine_ = tuple((n.ite(c, m, 0), x) for m, x in a.items)
                return BagF((*mine_, *((n.ite(c, 0, m), x) for m, x in b.items)))
            case FnF():
                raise NoShape("a choice between functions")
        if isinstance(a, bool) or (isinstance(a, Node) and is_truth(a)) or isinstance(b, bool):
            return n.either(c, a, b)
        return n.ite(c, a, b)

    def _together(self, c: Scalar, a: tuple[Val, ...], b: tuple[Val, ...]) -> tuple[Val, ...]:
        both = min(len(a), len(b))
        return (*(self.choose(c, x, y) for x, y in zip(a[:both], b[:both], strict=True)), *a[both:], *b[both:])

    def _guarded(
        self, c: Scalar, a: tuple[tuple[Scalar, Val], ...], b: tuple[tuple[Scalar, Val], ...]
    ) -> tuple[tuple[Scalar, Val], ...]:
        n = self.nodes
        mine = tuple((n.and_((c, g)), x) for g, x in a)
        return tuple(i for i in (*mine, *((n.and_((n.not_(c), g)), x) for g, x in b)) if i[0] is not False)

    # --- equality ---

    def equal(self, a: Val, b: Val, sort: Sort) -> Scalar:
        """Verus's equality of two values of a sort."""
        if a is b:
            return True
        n = self.nodes
        n.charge(1)
        match sort.kind:
            case "bool":
                return n.iff(a, b)
            case "int" | "opaque":
                return n.eq(a, b)
            case "seq":
                return self._equal_sequences(a, b, sort.args[0])
            case "boxed":
                assert sort.view is not None
                return n.and_((n.eq(a.rest, b.rest), self.equal(a.view, b.view, sort.view)))
            case "data":
                parts = [n.eq(a.tag, b.tag)]
                if parts[0] is False:
                    return False
                for v, variant in enumerate(sort.variants):
                    x, y = a.fields[v], b.fields[v]
                    if x is None or y is None or not variant.fields:
                        continue
                    here = n.eq(a.tag, v)
                    if here is not False:
                        same = n.and_(self.equal(p, q, f.sort) for p, q, f in zip(x, y, variant.fields, strict=True))
                        parts.append(n.implies(here, same))
                return n.and_(parts)
            case "set":
                if a.complement != b.complement:
                    return False  # one of them is finite, the other is not (small sorts are left out)
                element = sort.args[0]
                inside = [n.implies(g, self.member(b.items, x, element)) for g, x in a.items]
                inside += [n.implies(g, self.member(a.items, x, element)) for g, x in b.items]
                return n.and_(inside)
            case "map":
                key, value = sort.args
                found = []
                for m, other in ((a, b), (b, a)):
                    for g, k, _ in m.items:
                        has, at = self.lookup(other, k, key)
                        _, own = self.lookup(m, k, key)
                        same = True if at is None else self.equal(own, at, value)
                        found.append(n.implies(g, n.and_((has, same))))
                return n.and_(found)
            case "multiset":
                element = sort.args[0]
                everyone = [x for _, x in (*a.items, *b.items)]
                return n.and_(n.eq(self.count(a, x, element), self.count(b, x, element)) for x in everyone)
        raise NoShape(f"equality of {sort}")

    def _equal_sequences(self, a: SeqF, b: SeqF, element: Sort) -> Scalar:
        n = self.nodes
        parts = [n.eq(a.len, b.len)]
        if parts[0] is False:
            return False
        for k, (x, y) in enumerate(zip(a.elems, b.elems, strict=False)):
            inside = n.and_((n.lt(k, a.len), n.lt(k, b.len)))
            if inside is False:
                break
            parts.append(n.implies(inside, self.equal(x, y, element)))
        shorter = min(len(a.elems), len(b.elems))
        parts.append(n.le(a.len, shorter))
        return n.and_(parts)

    # --- what collections hold ---

    def member(self, items: Sequence[tuple[Scalar, Val]], x: Val, element: Sort) -> Scalar:
        n = self.nodes
        return n.or_(n.and_((g, self.equal(y, x, element))) for g, y in items)

    def lookup(self, m: MapF, k: Val, key: Sort) -> tuple[Scalar, Val | None]:
        """Whether the map has the key, and the value there (any value where it has not; None where it never has)."""
        n = self.nodes
        has: Scalar = False
        value: Val | None = None
        for g, own, v in m.items:
            here = n.and_((g, self.equal(own, k, key)))
            if here is False:
                continue
            has = n.or_((has, here))
            value = v if value is None else self.choose(here, v, value)
        return has, value

    def count(self, m: BagF, x: Val, element: Sort) -> Scalar:
        n = self.nodes
        total: Scalar = 0
        for many, y in m.items:
            total = n.add(total, n.ite(self.equal(x, y, element), many, 0))
        return total

    def distinct(self, items: Sequence[tuple[Scalar, Val]], element: Sort) -> list[Scalar]:
        """For each candidate of a set, whether it is in it and no earlier one is the same."""
        n = self.nodes
        found = []
        for i, (g, x) in enumerate(items):
            again = (n.and_((h, self.equal(y, x, element))) for h, y in items[:i])
            found.append(n.and_((g, n.not_(n.or_(again)))))
        return found

    # --- concrete values ---

    def concrete(self, v: Val, sort: Sort, known: dict[Node, Any]) -> Value:
        """The value, once the variables are known."""
        return self._concrete(v, sort, Evaluator(known).value)

    def _concrete(self, v: Val, sort: Sort, at: Any) -> Value:
        match sort.kind:
            case "bool":
                return bool(at(v))
            case "int":
                return int(at(v))
            case "opaque":
                return OpaqueValue(str(sort), int(at(v)))
            case "seq":
                return tuple(self._concrete(x, sort.args[0], at) for x in v.elems[: int(at(v.len))])
            case "set":
                if v.complement:
                    raise NoShape("an infinite set")
                return frozenset(self._concrete(x, sort.args[0], at) for g, x in v.items if at(g))
            case "map":
                key, value = sort.args
                return MapValue.of((self._concrete(k, key, at), self._concrete(x, value, at)) for g, k, x in v.items if at(g))
            case "multiset":
                elements = [self._concrete(x, sort.args[0], at) for m, x in v.items for _ in range(int(at(m)))]
                return MultisetValue.of(elements)
            case "boxed":
                assert sort.view is not None
                return Boxed(self._concrete(v.view, sort.view, at), int(at(v.rest)))
            case "data":
                tag = int(at(v.tag))
                fields = v.fields[tag]
                if fields is None:
                    raise NoShape(f"variant {tag} of {sort}")
                parts = zip(fields, sort.variants[tag].fields, strict=True)
                return DataValue(sort.name, tag, tuple(self._concrete(x, f.sort, at) for x, f in parts))
        raise NoShape(f"a value of {sort}")


_TRUTH: Final = frozenset({"bool", "not", "and", "or", "iff", "le", "eq"})


def is_truth(n: Node) -> bool:
    return n.op in _TRUTH


class Evaluator:
    """The values of scalars under values of the variables."""

    def __init__(self, known: dict[Node, Any]) -> None:
        self.known = dict(known)

    def value(self, x: Scalar) -> Any:
        if not isinstance(x, Node):
            return x
        stack = [x]
        while stack:
            top = stack[-1]
            if top in self.known:
                stack.pop()
                continue
            missing = [a for a in top.args if isinstance(a, Node) and a not in self.known]
            if missing:
                stack.extend(missing)
                continue
            self.known[top] = self._computed(top)
            stack.pop()
        return self.known[x]

    def _computed(self, n: Node) -> Any:
        a = [self.known[x] if isinstance(x, Node) else x for x in n.args]
        match n.op:
            case "int":  # in no formula: any value will do
                return n.lo if n.lo is not None and n.lo > 0 else n.hi if n.hi is not None and n.hi < 0 else 0
            case "bool":
                return False
            case "not":
                return not a[0]
            case "and":
                return all(a)
            case "or":
                return any(a)
            case "iff" | "eq":
                return a[0] == a[1]
            case "ite":
                return a[1] if a[0] else a[2]
            case "add":
                return a[0] + a[1]
            case "mul":
                return a[0] * a[1]
            case "le":
                return a[0] <= a[1]
            case "mod":
                return a[0] % abs(a[1]) if a[1] else 0
            case "div":
                return (a[0] - a[0] % abs(a[1])) // a[1] if a[1] else 0
        raise NoShape(f"the value of `{n.op}`")
