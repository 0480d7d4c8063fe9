"""How the concrete evaluator compiles each operator on sequences, sets, maps and multisets.

In: a term and the unit that compiles it. Out: a closure from the frame to the value; see
`translate.readings.operations`.
"""

from __future__ import annotations

from typing import Any, Final

from translate.readings.guards import Env
from translate.readings.operations import Case, Unit, constant, registrar
from translate.readings.outcomes import (
    MAX_ELEMENTS,
    Code,
    CofiniteSet,
    Frame,
    LazySet,
    TooLarge,
    Unbounded,
    Unspecified,
    call,
    counts_of,
    is_extensional,
    is_plain,
    set_complement,
    set_difference,
    set_has,
    set_intersect,
    set_of_function,
    set_union,
)
from translate.terms import Sort, Term, instantiate
from translate.values import MapValue, MultisetValue, order_key

CASES: Final[dict[str, Case]] = {}
case: Final = registrar(CASES)


# --- sequences ------------------------------------------------------------------------------------------------------


@case("seq.lit")
def _seq_lit(u: Unit, t: Term, env: Env, top: int) -> Code:
    parts = u.args(t, env, top)
    return lambda f: tuple([p(f) for p in parts])


@case("seq.new")
def _seq_new(u: Unit, t: Term, env: Env, top: int) -> Code:
    length = u.comp(t.args[0], env, top)
    fn = t.args[1]
    context = u.context
    if fn.op == "lambda":
        i: list[int] = [0]
        element = u.bind([lambda f: i[-1]], fn.args[0], env, top)

        def at(f: Frame, k: int) -> Any:
            i.append(k)  # a stack: an element can hold another `Seq::new` of the same text
            try:
                return element(f)
            finally:
                i.pop()
    else:
        function = u.comp(fn, env, top)

        def at(f: Frame, k: int) -> Any:
            return call(function(f), (k,))

    def new(f: Frame) -> tuple[Any, ...]:
        n = length(f)
        if n > MAX_ELEMENTS:
            raise TooLarge(t)
        context.charge(max(n, 0))
        return tuple([at(f, k) for k in range(n)])

    return new


@case("seq.len")
def _seq_len(u: Unit, t: Term, env: Env, top: int) -> Code:
    s = t.args[0]
    if s.op == "seq.new":
        n = u.comp(s.args[0], env, top)
        return lambda f: max(n(f), 0)
    if s.op == "seq.lit":
        return constant(len(s.args))
    a = u.comp(s, env, top)
    return lambda f: len(a(f))


@case("seq.index")
def _seq_index(u: Unit, t: Term, env: Env, top: int) -> Code:
    s = t.args[0]
    if s.op == "seq.new" and s.args[1].op == "lambda":
        length, i = u.comp(s.args[0], env, top), u.comp(t.args[1], env, top)
        element = u.bind([i], s.args[1].args[0], env, top)

        def computed(f: Frame) -> Any:
            if not 0 <= i(f) < length(f):
                raise Unspecified(t)
            return element(f)

        return computed
    a, b = u.args(t, env, top)
    kind = f"index {t.sort}"

    def index(f: Frame) -> Any:
        seq, k = a(f), b(f)
        if not 0 <= k < len(seq):
            return u.context.unspecified(t, kind, seq, k)
        return seq[k]

    return index


@case("seq.push", "seq.add")
def _seq_push(u: Unit, t: Term, env: Env, top: int) -> Code:
    a, b = u.args(t, env, top)
    context = u.context
    single = t.op == "seq.push"

    def push(f: Frame) -> tuple[Any, ...]:
        joined: tuple[Any, ...] = (*a(f), b(f)) if single else a(f) + b(f)
        if len(joined) > 16:
            if len(joined) > MAX_ELEMENTS:
                raise TooLarge(t)
            context.charge(len(joined) >> 4)
        return joined

    return push


@case("seq.update")
def _seq_update(u: Unit, t: Term, env: Env, top: int) -> Code:
    a, b, c = u.args(t, env, top)

    def update(f: Frame) -> tuple[Any, ...]:
        seq, k, v = a(f), b(f), c(f)
        if not 0 <= k < len(seq):
            raise Unspecified(t)
        return (*seq[:k], v, *seq[k + 1 :])

    return update


@case("seq.subrange")
def _seq_subrange(u: Unit, t: Term, env: Env, top: int) -> Code:
    a, b, c = u.args(t, env, top)

    def subrange(f: Frame) -> Any:
        seq, start, end = a(f), b(f), c(f)
        if not 0 <= start <= end <= len(seq):
            raise Unspecified(t)
        return seq[start:end]

    return subrange


# --- sets -----------------------------------------------------------------------------------------------------------


def _finite_part(u: Unit, code: Code, sort: Sort, t: Term) -> Code:
    """The code, for a value that goes into a set, a multiset or a map's keys: it must have a finite representation."""
    if is_plain(sort):
        return code

    def checked(f: Frame) -> Any:
        value = code(f)
        if not is_extensional(value):
            raise Unbounded(t)
        return value

    return checked


def _parts(u: Unit, t: Term, env: Env, top: int) -> list[Code]:
    return [_finite_part(u, u.comp(a, env, top), a.sort, t) for a in t.args]


@case("set.lit")
def _set_lit(u: Unit, t: Term, env: Env, top: int) -> Code:
    parts = _parts(u, t, env, top)
    return lambda f: frozenset([p(f) for p in parts])


@case("set.new")
def _set_new(u: Unit, t: Term, env: Env, top: int) -> Code:
    fn = t.args[0]
    if fn.op == "lambda":
        return u.comprehension(t, fn, env, top)
    function = u.comp(fn, env, top)
    element, world = t.sort.args[0], u.world
    return lambda f: set_of_function(function(f), element, t, world)


@case("set.contains")
def _set_contains(u: Unit, t: Term, env: Env, top: int) -> Code:
    s, x = t.args
    value = u.comp(x, env, top)
    if s.op == "set.new" and s.args[0].op == "lambda":
        return u.bind([value], s.args[0].args[0], env, top)
    if s.op == "map.dom" and s.args[0].op == "map.new":
        domain = s.args[0].args[0]
        if domain.op == "lambda":
            return u.bind([value], domain.args[0], env, top)
    collection = u.comp(s, env, top)
    return lambda f: set_has(collection(f), value(f), t)


@case("set.insert", "set.remove")
def _set_change(u: Unit, t: Term, env: Env, top: int) -> Code:
    a, b = u.comp(t.args[0], env, top), _finite_part(u, u.comp(t.args[1], env, top), t.args[1].sort, t)
    if t.op == "set.insert":
        return lambda f: set_union(a(f), frozenset((b(f),)), t)
    return lambda f: set_difference(a(f), frozenset((b(f),)), t)


@case("set.union", "set.intersect", "set.difference")
def _set_join(u: Unit, t: Term, env: Env, top: int) -> Code:
    a, b = u.args(t, env, top)
    op = {"set.union": set_union, "set.intersect": set_intersect, "set.difference": set_difference}[t.op]
    return lambda f: op(a(f), b(f), t)


@case("set.complement")
def _set_complement(u: Unit, t: Term, env: Env, top: int) -> Code:
    a = u.comp(t.args[0], env, top)
    element, world = t.sort.args[0], u.world
    return lambda f: set_complement(a(f), element, t, world)


@case("set.finite", "set.len")
def _set_size(u: Unit, t: Term, env: Env, top: int) -> Code:
    a = u.comp(t.args[0], env, top)
    whole = u.world.size(t.args[0].sort.args[0])
    if t.op == "set.finite":

        def finite(f: Frame) -> bool:
            s = a(f)
            if isinstance(s, LazySet) and whole is None:
                raise Unbounded(t)
            return isinstance(s, frozenset) or whole is not None

        return finite

    def size(f: Frame) -> int:
        s = a(f)
        if isinstance(s, frozenset):
            return len(s)
        if isinstance(s, CofiniteSet):
            if whole is None:
                raise Unspecified(t)
            return whole - len(s.missing)
        raise Unbounded(t)

    return size


# --- maps -----------------------------------------------------------------------------------------------------------


@case("map.lit")
def _map_lit(u: Unit, t: Term, env: Env, top: int) -> Code:
    keys = [_finite_part(u, u.comp(k, env, top), k.sort, t) for k in t.args[::2]]
    values = [u.comp(v, env, top) for v in t.args[1::2]]
    return lambda f: MapValue.of([(k(f), v(f)) for k, v in zip(keys, values, strict=True)])


@case("map.new")
def _map_new(u: Unit, t: Term, env: Env, top: int) -> Code:
    values = t.args[1]
    dom_sort = Sort("set", "", (t.sort.args[0],))
    whole = _map_domain(u, t, dom_sort, env, top)
    function = u.comp(values, env, top)

    def new(f: Frame) -> MapValue:
        keys = whole(f)
        if not isinstance(keys, frozenset):
            raise Unbounded(t)
        fn = function(f)
        return MapValue.of([(k, call(fn, (k,))) for k in sorted(keys, key=order_key)])

    return new


def _map_domain(u: Unit, t: Term, sort: Sort, env: Env, top: int) -> Code:
    domain = t.args[0]
    if domain.op == "lambda":
        return u.comprehension(t, domain, env, top)
    function = u.comp(domain, env, top)
    world, element = u.world, sort.args[0]
    return lambda f: set_of_function(function(f), element, t, world)


@case("map.dom")
def _map_dom(u: Unit, t: Term, env: Env, top: int) -> Code:
    if t.args[0].op == "map.new":
        return _map_domain(u, t.args[0], t.sort, env, top)
    a = u.comp(t.args[0], env, top)
    return lambda f: a(f).domain


@case("map.index")
def _map_index(u: Unit, t: Term, env: Env, top: int) -> Code:
    m, key = t.args
    if m.op == "map.new" and m.args[0].op == m.args[1].op == "lambda":
        inside = u.comp(instantiate(m.args[0].args[0], (key,)), env, top)
        value = u.bind([u.comp(key, env, top)], m.args[1].args[0], env, top)

        def computed(f: Frame) -> Any:
            if not inside(f):
                raise Unspecified(t)
            return value(f)

        return computed
    a, b = u.args(t, env, top)

    def index(f: Frame) -> Any:
        found = a(f).get(b(f))
        if found is None:
            raise Unspecified(t)
        return found

    return index


@case("map.insert")
def _map_insert(u: Unit, t: Term, env: Env, top: int) -> Code:
    a, b, c = u.args(t, env, top)
    key = _finite_part(u, b, t.args[1].sort, t)
    return lambda f: MapValue.of([*a(f).items, (key(f), c(f))])


@case("map.remove")
def _map_remove(u: Unit, t: Term, env: Env, top: int) -> Code:
    a, b = u.args(t, env, top)

    def remove(f: Frame) -> MapValue:
        m, key = a(f), b(f)
        return MapValue(tuple([kv for kv in m.items if kv[0] != key]))

    return remove


# --- multisets ------------------------------------------------------------------------------------------------------


@case("multiset.lit")
def _multiset_lit(u: Unit, t: Term, env: Env, top: int) -> Code:
    parts = _parts(u, t, env, top)
    return lambda f: MultisetValue.of([p(f) for p in parts])


@case("multiset.count")
def _multiset_count(u: Unit, t: Term, env: Env, top: int) -> Code:
    a, b = u.args(t, env, top)
    return lambda f: a(f).count(b(f))


@case("multiset.len")
def _multiset_len(u: Unit, t: Term, env: Env, top: int) -> Code:
    a = u.comp(t.args[0], env, top)
    return lambda f: len(a(f))


@case("multiset.add", "multiset.sub")
def _multiset_join(u: Unit, t: Term, env: Env, top: int) -> Code:
    a, b = u.args(t, env, top)
    sign = 1 if t.op == "multiset.add" else -1

    def join(f: Frame) -> MultisetValue:
        counts = counts_of(a(f))
        for e, n in b(f).items:
            counts[e] = counts.get(e, 0) + sign * n
        return MultisetValue.counted(counts.items())

    return join


@case("seq.to_multiset")
def _to_multiset(u: Unit, t: Term, env: Env, top: int) -> Code:
    a = _finite_part(u, u.comp(t.args[0], env, top), t.args[0].sort, t)
    return lambda f: MultisetValue.of(a(f))
