"""How the finite reading reads each operator on numbers, datatypes and collections.

In: the reading, a term, and the values of its arguments. Out: the term's value (`OPERATIONS`). What has no value here is left
out: see `translate.readings.finite_reading`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from translate.readings.finite_nodes import Node, Scalar, interval
from translate.readings.finite_values import BagF, DataF, MapF, NoShape, SeqF, SetF, Val
from translate.readings.inhabitants import int_range, universe
from translate.terms import BOOL, INT, Sort, Term

if TYPE_CHECKING:
    from translate.readings.finite_reading import FiniteReading

#: Longer sequences are not made.
LONGEST: Final = 80
#: Bit operations on more bits are left out.
WIDEST: Final = 1_024
#: A sort with at most so many values has finite complements of sets.
SMALL: Final = 64


def _cast(r: FiniteReading, t: Term, a: Scalar) -> Val:
    if t.args[0].sort is BOOL:
        return r.nodes.ite(a, 1, 0) if isinstance(a, Node) else int(a)
    lo, hi = int_range(t.sort, r.word_bits)
    low = True if lo is None else r.nodes.le(lo, a)
    high = True if hi is None else r.nodes.le(a, hi)
    fits = r.nodes.and_((low, high))
    if fits is True:
        return a
    other = r.unspecified(f"as {t.sort}", ((a, t.args[0].sort),), t.sort, r.nodes.not_(fits))
    return r.nodes.ite(fits, a, other)


def _divide(r: FiniteReading, t: Term, a: Scalar, b: Scalar) -> Scalar:
    zero = r.nodes.eq(b, 0)
    if zero is False:
        return r.nodes.divide(t.op, a, b)
    other: Scalar = r.unspecified(t.op, ((a, INT),), INT, zero)
    return other if zero is True else r.nodes.ite(zero, other, r.nodes.divide(t.op, a, b))


def _bits(r: FiniteReading, t: Term, a: Scalar, b: Scalar) -> Val:
    lo, hi = int_range(t.sort, r.word_bits)
    (la, ha), (lb, hb) = interval(a), interval(b)
    n = r.nodes
    if lo is None or hi is None:  # int and nat: within a width that holds both
        if None in (la, ha, lb, hb):
            return r.nothing(t.sort)
        lo, hi = min(la, lb, 0), max(ha, hb)  # type: ignore[type-var]
        assert lo is not None and hi is not None
        width = max(lo.bit_length(), hi.bit_length()) + 1
        lo, hi = (-(1 << width - 1), (1 << width - 1) - 1) if lo < 0 else (0, (1 << width) - 1)
    else:
        width = hi.bit_length() + (lo < 0)
    if width > WIDEST:
        return r.nothing(t.sort)
    shift = t.op in ("shl", "shr")
    inside = n.and_((n.le(lo, a), n.le(a, hi), n.le(0, b) if shift else n.le(lo, b), n.lt(b, width) if shift else n.le(b, hi)))
    r.exclude(n.not_(inside))
    if inside is False:
        return r.default(t.sort)
    if not isinstance(a, Node) and not isinstance(b, Node):
        return _computed(t.op, int(a), int(b), width, lo, hi)
    if la is not None and ha is not None and la >= 0:
        if t.op == "bitand" and lb is not None and hb is not None and lb >= 0:
            if not isinstance(b, Node) and (int(b) & (int(b) + 1)) == 0:
                return n.divide("mod", a, int(b) + 1)
            return n.bits(t.op, a, b, width, 0, min(ha, hb))
        if t.op == "shr" and not isinstance(b, Node):
            return n.divide("div", a, 1 << int(b))
        if t.op == "shl" and not isinstance(b, Node) and (ha << int(b)) <= hi:
            return n.mul(a, 1 << int(b))
    if t.op == "shl" and not isinstance(a, Node) and int(a) > 0 and hb is not None and hb <= 64 and lb is not None and lb >= 0:
        chain: Scalar = _computed("shl", int(a), hb, width, lo, hi)
        for k in range(hb - 1, max(lb, 0) - 1, -1):
            chain = n.ite(n.eq(b, k), _computed("shl", int(a), k, width, lo, hi), chain)
        return chain
    return n.bits(t.op, a, b, width, lo, hi)


def _computed(op: str, a: int, b: int, width: int, lo: int, hi: int) -> int:
    value = {
        "bitand": a & b,
        "bitor": a | b,
        "bitxor": a ^ b,
        "shl": a << b if op == "shl" else 0,
        "shr": a >> b if op == "shr" else 0,
    }[op]
    value &= (1 << width) - 1
    return value - (1 << width) if lo < 0 and value > hi else value


def _bitnot(r: FiniteReading, t: Term, a: Scalar) -> Val:
    lo, hi = int_range(t.sort, r.word_bits)
    if lo is None or hi is None or lo < 0:
        return r.nodes.sub(-1, a)
    return r.nodes.sub(hi, a)


def _is(r: FiniteReading, t: Term, d: DataF) -> Scalar:
    return r.nodes.eq(d.tag, t.data)


def _field(r: FiniteReading, t: Term, d: DataF) -> Val:
    v, k = t.data
    r.exclude(r.nodes.not_(r.nodes.eq(d.tag, v)))
    fields = d.fields[v]
    return r.default(t.sort) if fields is None else fields[k]


def _ctor(r: FiniteReading, t: Term, *args: Val) -> DataF:
    return DataF(t.data, tuple(args if k == t.data else None for k in range(len(t.sort.variants))))


def _word(r: FiniteReading, t: Term) -> int:
    if t.data == "usize::BITS":
        return r.word_bits
    kind, end = t.data.split("::")
    found = int_range(Sort("int", kind), r.word_bits)[end == "MAX"]
    assert found is not None
    return found


# sequences


def _at(r: FiniteReading, s: SeqF, i: Scalar, sort: Sort) -> Val:
    """The element at an index in range."""
    if not isinstance(i, Node):
        return s.elems[int(i)] if 0 <= i < len(s.elems) else r.default(sort)
    lo, hi = interval(i)
    first = 0 if lo is None or lo < 0 else lo
    last = len(s.elems) - 1 if hi is None else min(hi, len(s.elems) - 1)
    if first > last:
        return r.default(sort)
    value = s.elems[last]
    for k in range(last - 1, first - 1, -1):
        value = r.choose(r.nodes.eq(i, k), s.elems[k], value)
    return value


def _inside(r: FiniteReading, i: Scalar, length: Scalar) -> Scalar:
    return r.nodes.and_((r.nodes.le(0, i), r.nodes.lt(i, length)))


def _seq_index(r: FiniteReading, t: Term, s: SeqF, i: Scalar) -> Val:
    inside = _inside(r, i, s.len)
    if inside is True:
        return _at(r, s, i, t.sort)
    other = r.unspecified(f"index {t.sort}", ((s, t.args[0].sort), (i, INT)), t.sort, r.nodes.not_(inside))
    return r.choose(inside, _at(r, s, i, t.sort), other)


def _seq_new(r: FiniteReading, t: Term, length: Scalar, f: Val) -> SeqF:
    n = r.nodes
    _, most = interval(length)
    end = min(LONGEST, most) if most is not None and most <= LONGEST else r.size.outer + 2
    r.exclude(n.lt(end, length))
    elements = []
    for k in range(end):
        inside = n.lt(k, length)
        if inside is False:
            break
        with r.under(inside):
            elements.append(r.call(f, [k], t.sort.args[0]))
    return SeqF(n.ite(n.le(0, length), length, 0), tuple(elements))


def _seq_push(r: FiniteReading, t: Term, s: SeqF, x: Val) -> SeqF:
    return _placed(r, s, s.len, (x,), 1, t.sort.args[0])


def _seq_add(r: FiniteReading, t: Term, a: SeqF, b: SeqF) -> SeqF:
    return _placed(r, a, a.len, b.elems, b.len, t.sort.args[0])


def _placed(r: FiniteReading, a: SeqF, at: Scalar, more: tuple[Val, ...], length: Scalar, sort: Sort) -> SeqF:
    """`a` with other elements after it."""
    n = r.nodes
    total = n.add(at, length)
    if not isinstance(at, Node):
        return SeqF(total, (*a.elems[: int(at)], *more))
    lo, hi = interval(at)
    low, high = max(lo or 0, 0), min(len(a.elems) if hi is None else hi, len(a.elems))
    most = high + len(more)
    if most > LONGEST:
        raise NoShape("a long sequence")
    elements: list[Val] = list(a.elems[:low])
    for k in range(low, most):
        value: Val | None = None
        for start in range(max(low, k - len(more) + 1), min(high, k) + 1):
            own = more[k - start]
            value = own if value is None else r.choose(n.eq(at, start), own, value)
        if k < len(a.elems):
            value = a.elems[k] if value is None else r.choose(n.lt(k, at), a.elems[k], value)
        elements.append(r.default(sort) if value is None else value)
    return SeqF(total, tuple(elements))


def _seq_update(r: FiniteReading, t: Term, s: SeqF, i: Scalar, x: Val) -> SeqF:
    r.exclude(r.nodes.not_(_inside(r, i, s.len)))
    elements = tuple(r.choose(r.nodes.eq(i, k), x, e) for k, e in enumerate(s.elems))
    return SeqF(s.len, elements)


def _seq_subrange(r: FiniteReading, t: Term, s: SeqF, start: Scalar, end: Scalar) -> SeqF:
    n = r.nodes
    r.exclude(n.not_(n.and_((n.le(0, start), n.le(start, end), n.le(end, s.len)))))
    length = n.sub(end, start)
    lo, _ = interval(start)
    _, last = interval(end)
    first = max(lo or 0, 0)
    stop = len(s.elems) if last is None else min(last, len(s.elems))
    if not isinstance(start, Node):
        return SeqF(length, s.elems[first : max(stop, first)])
    most = max(0, stop - first)
    sort = t.sort.args[0]
    return SeqF(length, tuple(_at(r, s, n.add(start, k), sort) for k in range(most)))


# sets


def _set_new(r: FiniteReading, t: Term, f: Val) -> Val:
    items = r.members(f, t.sort.args[0])
    if items is None:
        return r.nothing(t.sort)
    return SetF(items)


def _set_contains(r: FiniteReading, t: Term, s: SetF, x: Val) -> Scalar:
    inside = r.member(s.items, x, t.args[1].sort)
    return r.nodes.not_(inside) if s.complement else inside


def _set_insert(r: FiniteReading, t: Term, s: SetF, x: Val) -> SetF:
    if s.complement:
        return SetF(_without(r, s.items, x, t.args[1].sort), True)
    return SetF((*s.items, (True, x)))


def _set_remove(r: FiniteReading, t: Term, s: SetF, x: Val) -> SetF:
    if s.complement:
        return SetF((*s.items, (True, x)), True)
    return SetF(_without(r, s.items, x, t.args[1].sort))


def _without(r: FiniteReading, items: Iterable[tuple[Scalar, Val]], x: Val, sort: Sort) -> tuple[tuple[Scalar, Val], ...]:
    n = r.nodes
    return tuple((n.and_((g, n.not_(r.equal(y, x, sort)))), y) for g, y in items)


def _filtered(
    r: FiniteReading, items: Iterable[tuple[Scalar, Val]], keep: Callable[[Val], Scalar]
) -> tuple[tuple[Scalar, Val], ...]:
    return tuple((n, y) for g, y in items if (n := r.nodes.and_((g, keep(y)))) is not False)


def _set_combine(r: FiniteReading, t: Term, a: SetF, b: SetF) -> SetF:
    """Union, intersection and difference, of complements too: a set is `items`, or all but these."""
    sort = t.sort.args[0]
    n = r.nodes

    def union(x: SetF, y: SetF) -> SetF:
        if not x.complement and not y.complement:
            return SetF((*x.items, *y.items))
        if x.complement and y.complement:
            return SetF(_filtered(r, x.items, lambda v: r.member(y.items, v, sort)), True)
        whole, part = (x, y) if x.complement else (y, x)
        return SetF(_filtered(r, whole.items, lambda v: n.not_(r.member(part.items, v, sort))), True)

    def other(x: SetF) -> SetF:
        return SetF(x.items, not x.complement)

    if t.op == "set.union":
        return union(a, b)
    if t.op == "set.intersect":
        return other(union(other(a), other(b)))
    return other(union(other(a), b))


def _set_complement(r: FiniteReading, t: Term, s: SetF) -> SetF:
    element = t.sort.args[0]
    everything = universe(element, SMALL, r.word_bits, None)
    if everything is None or s.complement:
        return SetF(s.items, not s.complement)
    values = [r.known(v, element) for v in everything]
    return SetF(tuple((r.nodes.not_(r.member(s.items, x, element)), x) for x in values))


def _set_finite(r: FiniteReading, t: Term, s: SetF) -> Scalar:
    return not s.complement


def _set_len(r: FiniteReading, t: Term, s: SetF) -> Val:
    if s.complement:
        return r.nothing(t.sort)
    total: Scalar = 0
    for g in r.distinct(s.items, t.args[0].sort.args[0]):
        total = r.nodes.add(total, r.nodes.ite(g, 1, 0))
    return total


# maps


def _map_lit(r: FiniteReading, t: Term, *args: Val) -> MapF:
    return MapF(tuple((True, k, v) for k, v in zip(args[::2], args[1::2], strict=True)))


def _map_new(r: FiniteReading, t: Term, dom: Val, f: Val) -> Val:
    key, value = t.sort.args
    items = r.members(dom, key)
    if items is None:
        return r.nothing(t.sort)
    found = []
    for g, k in items:
        with r.under(g):
            found.append((g, k, r.call(f, [k], value)))
    return MapF(tuple(found))


def _map_index(r: FiniteReading, t: Term, m: MapF, k: Val) -> Val:
    has, value = r.lookup(m, k, t.args[1].sort)
    r.exclude(r.nodes.not_(has))
    return r.default(t.sort) if value is None else value


def _map_insert(r: FiniteReading, t: Term, m: MapF, k: Val, v: Val) -> MapF:
    return MapF((*m.items, (True, k, v)))


def _map_remove(r: FiniteReading, t: Term, m: MapF, k: Val) -> MapF:
    n = r.nodes
    key = t.args[1].sort
    return MapF(tuple((n.and_((g, n.not_(r.equal(own, k, key)))), own, v) for g, own, v in m.items))


# multisets


def _bag_sub(r: FiniteReading, t: Term, a: BagF, b: BagF) -> BagF:
    n = r.nodes
    sort = t.sort.args[0]
    first = r.distinct([(True, x) for _, x in a.items], sort)
    found = []
    for g, (_, x) in zip(first, a.items, strict=True):
        left = n.sub(r.count(a, x, sort), r.count(b, x, sort))
        found.append((n.ite(n.and_((g, n.le(0, left))), left, 0), x))
    return BagF(tuple(found))


def _bag_len(r: FiniteReading, t: Term, m: BagF) -> Scalar:
    total: Scalar = 0
    for many, _ in m.items:
        total = r.nodes.add(total, many)
    return total


def _to_bag(r: FiniteReading, t: Term, s: SeqF) -> BagF:
    return BagF(tuple((r.nodes.ite(r.nodes.lt(k, s.len), 1, 0), x) for k, x in enumerate(s.elems)))


def _lit_set(r: FiniteReading, t: Term, *args: Val) -> SetF:
    return SetF(tuple((True, x) for x in args))


OPERATIONS: Final[dict[str, Callable[..., Val]]] = {
    "word": _word,
    "add": lambda r, t, a, b: r.nodes.add(a, b),
    "sub": lambda r, t, a, b: r.nodes.sub(a, b),
    "mul": lambda r, t, a, b: r.nodes.mul(a, b),
    "neg": lambda r, t, a: r.nodes.neg(a),
    "div": _divide,
    "mod": _divide,
    "lt": lambda r, t, a, b: r.nodes.lt(a, b),
    "le": lambda r, t, a, b: r.nodes.le(a, b),
    "cast": _cast,
    "bitand": _bits,
    "bitor": _bits,
    "bitxor": _bits,
    "bitnot": _bitnot,
    "shl": _bits,
    "shr": _bits,
    "ctor": _ctor,
    "is": _is,
    "field": _field,
    "view": lambda r, t, a: a.view,
    "seq.lit": lambda r, t, *args: SeqF(len(args), args),
    "seq.new": _seq_new,
    "seq.len": lambda r, t, s: s.len,
    "seq.index": _seq_index,
    "seq.push": _seq_push,
    "seq.update": _seq_update,
    "seq.subrange": _seq_subrange,
    "seq.add": _seq_add,
    "set.lit": _lit_set,
    "set.new": _set_new,
    "set.contains": _set_contains,
    "set.insert": _set_insert,
    "set.remove": _set_remove,
    "set.union": _set_combine,
    "set.intersect": _set_combine,
    "set.difference": _set_combine,
    "set.complement": _set_complement,
    "set.finite": _set_finite,
    "set.len": _set_len,
    "map.lit": _map_lit,
    "map.new": _map_new,
    "map.dom": lambda r, t, m: SetF(tuple((g, k) for g, k, _ in m.items)),
    "map.index": _map_index,
    "map.insert": _map_insert,
    "map.remove": _map_remove,
    "multiset.lit": lambda r, t, *args: BagF(tuple((1, x) for x in args)),
    "multiset.count": lambda r, t, m, x: r.count(m, x, t.args[1].sort),
    "multiset.add": lambda r, t, a, b: BagF((*a.items, *b.items)),
    "multiset.sub": _bag_sub,
    "multiset.len": _bag_len,
    "seq.to_multiset": _to_bag,
}
