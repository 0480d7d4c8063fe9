"""Random typed terms, random values, and values as terms.

In: a seed. Out: sorts of every kind, well-sorted terms over every operator of the term language, concrete values of their
variables, and the formulas that say that a variable has its value.

Everything is strictly typed, as the elaborator's terms are (an integer literal may stand for any integer type that holds it), and
the same in every run for one seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from translate.readings.inhabitants import Inhabitants
from translate.readings.outcomes import CofiniteSet
from translate.terms import (
    BOOL,
    CHAR,
    FALSE,
    INT,
    NAT,
    ONE,
    TRUE,
    UNIT,
    USIZE,
    ZERO,
    FieldDecl,
    FnSym,
    RecursiveDef,
    Sort,
    Term,
    VariantDecl,
    and_,
    app,
    arith,
    bound,
    char_lit,
    defined,
    eq,
    fn_sort,
    implies,
    int_sort,
    ite,
    lit,
    map_sort,
    mk,
    multiset_sort,
    not_,
    opaque_sort,
    or_,
    quantify,
    recursive_group,
    seq_sort,
    set_sort,
    shift,
    tuple_sort,
    uninterpreted,
    var,
)
from translate.values import Boxed, DataValue, FnValue, MapValue, MultisetValue, order_key

# --- sorts -----------------------------------------------------------------------------------------------------------


def data_sort(name: str, *variants: tuple[str, tuple[Sort, ...]], args: tuple[Sort, ...] = (), struct: bool = False) -> Sort:
    sort = Sort("data", name, args, "fuzz")
    if not sort.is_defined:
        declared = (VariantDecl(v, tuple(FieldDecl(str(i), s) for i, s in enumerate(fields))) for v, fields in variants)
        sort.define(tuple(declared), struct)
    return sort


def option(sort: Sort) -> Sort:
    return data_sort("Option", ("None", ()), ("Some", (sort,)), args=(sort,))


def vec(sort: Sort) -> Sort:
    return Sort("boxed", "Vec", (sort,), view=seq_sort(sort))


def array(sort: Sort, length: int) -> Sort:
    return Sort("boxed", "array", (sort,), view=seq_sort(sort), length=length)


U8, I8, U32, U64, I32 = (int_sort(k) for k in ("u8", "i8", "u32", "u64", "i32"))
SEQ, BITS, BYTES = seq_sort(INT), seq_sort(BOOL), seq_sort(U8)
COLOR = data_sort("Color", ("Red", ()), ("Green", ()), ("Blue", ()))
STATE = data_sort("State", ("Idle", ()), ("Busy", (U8, COLOR)), ("Done", (SEQ,)), ("Failed", (option(INT),)))
POINT = data_sort("Point", ("Point", (INT, BOOL)), struct=True)
TREE = Sort("data", "Tree", (), "fuzz")
LIST = Sort("data", "List", (), "fuzz")
ROSE = Sort("data", "Rose", (), "fuzz")
if not TREE.is_defined:
    data_sort("Tree", ("Leaf", ()), ("Node", (TREE, INT, TREE)))
    data_sort("List", ("Nil", ()), ("One", (COLOR,)), ("Cons", (U8, LIST)))
    data_sort("Rose", ("Rose", (INT, seq_sort(ROSE))), struct=True)
VEC, BYTE_VEC, VEC2 = vec(INT), vec(U8), vec(vec(INT))
STRING = Sort("boxed", "String", view=seq_sort(CHAR))
HASH_MAP = Sort("boxed", "HashMap", (INT, BOOL), view=map_sort(INT, BOOL))
OPAQUE = opaque_sort("T")

INTEGERS = tuple(map(int_sort, ("int", "nat", "u8", "i8", "u16", "i32", "u32", "u64", "u128", "i64", "usize", "isize", "char")))
SEQS = (
    SEQ,
    SEQ,
    BITS,
    BYTES,
    seq_sort(SEQ),
    seq_sort(COLOR),
    seq_sort(option(INT)),
    seq_sort(STATE),
    seq_sort(TREE),
    seq_sort(CHAR),
)
SETS = (set_sort(INT), set_sort(INT), set_sort(COLOR), set_sort(BOOL), set_sort(U8), set_sort(BITS), set_sort(option(INT)))
MAPS = (map_sort(INT, INT), map_sort(INT, INT), map_sort(COLOR, SEQ), map_sort(U8, option(INT)), map_sort(BITS, STATE))
MULTISETS = (multiset_sort(INT), multiset_sort(COLOR), multiset_sort(SEQ), multiset_sort(BOOL))
DATA = (
    COLOR, COLOR, STATE, STATE, POINT, option(INT), option(option(BOOL)), option(COLOR), option(SEQ), tuple_sort((INT, BOOL)),
    tuple_sort((COLOR, BYTES)), UNIT, TREE, LIST, ROSE,
)  # fmt: skip
BOXED = (VEC, VEC, BYTE_VEC, VEC2, array(U8, 3), array(COLOR, 2), STRING, HASH_MAP)
FNS = (fn_sort((INT,), INT), fn_sort((INT,), BOOL), fn_sort((COLOR,), INT), fn_sort((INT, BOOL), INT), fn_sort((BITS,), COLOR))
ALL_SORTS = (BOOL, OPAQUE, *INTEGERS, *SEQS, *SETS, *MAPS, *MULTISETS, *DATA, *BOXED, *FNS)


#: Families of sorts: a term over few sorts says more about each than a term over all.
PROFILES: tuple[tuple[Sort, ...], ...] = (
    ALL_SORTS,
    (BOOL, INT, INT, U8, NAT, I32, USIZE, CHAR, *INTEGERS),
    (BOOL, INT, SEQ, SEQ, BITS, seq_sort(SEQ)),
    (
        BOOL,
        COLOR,
        STATE,
        option(option(BOOL)),
        option(COLOR),
        seq_sort(COLOR),
        seq_sort(STATE),
        seq_sort(option(INT)),
        tuple_sort((INT, BOOL)),
        POINT,
    ),
    (BOOL, INT, TREE, LIST, ROSE, seq_sort(TREE), BYTES),
    (BOOL, INT, SEQ, *SETS, MAPS[0]),
    (BOOL, INT, COLOR, *MAPS, set_sort(INT), STATE),
    (BOOL, INT, SEQ, *MULTISETS, seq_sort(COLOR)),
    (BOOL, INT, SEQ, *BOXED, set_sort(INT)),
    (BOOL, INT, COLOR, *FNS, SEQ, seq_sort(COLOR)),
    (BOOL, INT, U8, SEQ, option(SEQ), COLOR, OPAQUE, seq_sort(SEQ)),
)


def contains(sort: Sort, kinds: frozenset[str], seen: frozenset[Sort] = frozenset()) -> bool:
    """Whether a value of the sort can contain one of these kinds."""
    if sort.kind in kinds:
        return True
    if sort in seen:
        return False
    inner = [*sort.args, *([sort.view] if sort.view else [])]
    if sort.kind == "data":
        inner = [f.sort for v in sort.variants for f in v.fields]
    return any(contains(s, kinds, seen | {sort}) for s in inner)


NO_TERM = frozenset({"boxed", "opaque"})

# --- functions that call themselves -----------------------------------------------------------------------------------


def _length(s: Term) -> Term:
    return mk("seq.len", (s,), NAT)


def _rec(name: str, result: Sort, *args: Term) -> Term:
    return mk("rec", args, result, name)


def _recursive() -> dict[str, FnSym]:
    s, n, tree, chain, rose = bound(0, SEQ), bound(0, INT), bound(0, TREE), bound(0, LIST), bound(0, ROSE)
    last = arith("sub", _length(s), ONE)
    front = mk("seq.subrange", (s, ZERO, last), SEQ)
    total = ite(eq(_length(s), ZERO), ZERO, arith("add", _rec("total", INT, front), mk("seq.index", (s, last), INT)), INT)
    found = recursive_group([RecursiveDef("total", (SEQ,), INT, total, None, (), False, "total")])
    down = ite(arith("le", n, ZERO), ZERO, arith("add", lit(2), _rec("down", INT, arith("sub", n, ONE))), INT)
    found |= recursive_group([RecursiveDef("down", (INT,), INT, down, None, (), False, "down")])
    fact = ite(eq(n, ZERO), ONE, arith("mul", n, _rec("fact", INT, arith("sub", n, ONE))), INT)
    found |= recursive_group([RecursiveDef("fact", (INT,), INT, fact, arith("le", ZERO, n), (), False, "fact")])
    kids = [mk("field", (tree,), s, (1, k)) for k, s in enumerate((TREE, INT, TREE))]
    size = ite(
        mk("is", (tree,), BOOL, 1), arith("add", ONE, arith("add", _rec("size", NAT, kids[0]), _rec("size", NAT, kids[2]))), ZERO
    )
    found |= recursive_group([RecursiveDef("size", (TREE,), NAT, size, None, (), False, "size")])
    less, positive = arith("sub", n, ONE), arith("lt", ZERO, n)
    even = or_((eq(n, ZERO), and_((positive, _rec("odd", BOOL, less)))))
    odd = and_((positive, _rec("even", BOOL, less)))
    both = [RecursiveDef(name, (INT,), BOOL, body, None, (), False, name) for name, body in (("even", even), ("odd", odd))]
    found |= recursive_group(both)
    head, rest = mk("field", (chain,), U8, (2, 0)), mk("field", (chain,), LIST, (2, 1))
    longer = mk("seq.add", (mk("seq.lit", (head,), BYTES), _rec("flat", BYTES, rest)), BYTES)
    flat = ite(mk("is", (chain,), BOOL, 2), longer, mk("seq.lit", (), BYTES))
    found |= recursive_group([RecursiveDef("flat", (LIST,), BYTES, flat, None, (), False, "flat")])
    more = mk("field", (rose,), seq_sort(ROSE), (0, 1))
    first = _rec("depth", NAT, mk("seq.index", (more, ZERO), ROSE))
    depth = ite(eq(_length(more), ZERO), ZERO, arith("add", ONE, first), INT)
    found |= recursive_group([RecursiveDef("depth", (ROSE,), NAT, depth, None, (), False, "depth")])
    return found


RECURSIVE = _recursive()

# --- values as terms --------------------------------------------------------------------------------------------------


class NoTerm(Exception):
    """A value that no term denotes: a boxed or opaque one."""


def value_term(value: Any, sort: Sort) -> Term:
    """A closed term for a value."""
    match sort.kind:
        case "bool":
            return lit(bool(value))
        case "int":
            return mk("lit", (), CHAR, value) if sort is CHAR else lit(value)
        case "seq":
            return mk("seq.lit", tuple(value_term(v, sort.args[0]) for v in value), sort)
        case "set":
            if isinstance(value, CofiniteSet):
                return mk("set.complement", (value_term(value.missing, sort),), sort)
            if not isinstance(value, frozenset):
                raise NoTerm
            return mk("set.lit", tuple(value_term(v, sort.args[0]) for v in sorted(value, key=order_key)), sort)
        case "map":
            parts = [value_term(x, s) for kv in value.items for x, s in zip(kv, sort.args, strict=True)]
            return mk("map.lit", tuple(parts), sort)
        case "multiset":
            return mk("multiset.lit", tuple(value_term(v, sort.args[0]) for v in value), sort)
        case "data":
            fields = sort.variants[value.variant].fields
            args = tuple(value_term(v, f.sort) for v, f in zip(value.fields, fields, strict=True))
            return mk("ctor", args, sort, value.variant)
        case "fn" if isinstance(value, FnValue):
            *params, result = sort.args
            n = len(params)
            body = value_term(value.default, result)
            for args, r in reversed(value.table):
                here = and_(eq(bound(n - 1 - k, s), value_term(a, s)) for k, (a, s) in enumerate(zip(args, params, strict=True)))
                body = ite(here, value_term(r, result), body, result)
            return mk("lambda", (body,), sort, tuple(params))
    raise NoTerm


def describe(t: Term, value: Any) -> Iterator[Term]:
    """Formulas that say that a term has a value, but for the hidden rests of boxed values and opaque identities."""
    sort = t.sort
    if not contains(sort, NO_TERM):
        yield eq(t, value_term(value, sort))
    elif sort.kind == "boxed":
        yield from describe(mk("view", (t,), sort.view or sort), value.view)
    elif sort.kind == "seq":
        yield eq(_length(t), lit(len(value)))
        for i, v in enumerate(value):
            yield from describe(mk("seq.index", (t, lit(i)), sort.args[0]), v)
    elif sort.kind == "data":
        yield mk("is", (t,), BOOL, value.variant)
        for k, (f, v) in enumerate(zip(sort.variants[value.variant].fields, value.fields, strict=True)):
            yield from describe(mk("field", (t,), f.sort, (value.variant, k)), v)
    elif sort.kind != "opaque":
        raise NoTerm


def hidden(t: Term, value: Any) -> Iterator[tuple[Term, Any]]:
    """The parts of a described value that are boxed or opaque, with their values."""
    sort = t.sort
    if sort.kind in NO_TERM:
        yield t, value
    if sort.kind == "boxed":
        yield from hidden(mk("view", (t,), sort.view or sort), value.view)
    elif sort.kind == "seq" and contains(sort, NO_TERM):
        for i, v in enumerate(value):
            yield from hidden(mk("seq.index", (t, lit(i)), sort.args[0]), v)
    elif sort.kind == "data":
        for k, (f, v) in enumerate(zip(sort.variants[value.variant].fields, value.fields, strict=True)):
            yield from hidden(mk("field", (t,), f.sort, (value.variant, k)), v)


def premises(values: dict[Term, Any]) -> list[Term]:
    """Formulas that hold exactly for these values of the variables, as far as terms can tell."""
    found = [p for v, x in values.items() for p in describe(v, x)]
    places = [place for v, x in values.items() for place in hidden(v, x)]
    for k, (t, x) in enumerate(places):
        for u, y in places[:k]:
            if t.sort is u.sort and (x == y or t.sort.kind == "opaque" or x.view == y.view):
                found.append(eq(u, t) if x == y else not_(eq(u, t)))
    return found


class Small(Inhabitants):
    """Small values, also of structs that contain sequences of themselves."""

    def random(self, sort: Sort, rng: Random, length: int = 3, numbers: Sequence[int] = (0, 1, 2, 3, -1)) -> Any:
        return super().random(sort, rng, max(0, length), numbers)


# --- terms -------------------------------------------------------------------------------------------------------------

Scope = tuple[Sort, ...]

#: What variables are called: also like the reading's own constants and the leaves of others.
NAMES = ("x", "y", "a", "witness", "choose", "len", "at", "usize_max", "f0", "u0", "tag", "v")


class Generator:
    """Random terms over fixed variables. `scope` is the sorts of the bound variables, the innermost last."""

    def __init__(
        self, rng: Random, *, variables: int = 4, quantifiers: bool = True, recursion: bool = True, sorts: tuple[Sort, ...] = ()
    ) -> None:
        self.rng = rng
        self.quantifiers, self.recursion = quantifiers, recursion
        self.sorts = sorts = sorts or rng.choice(PROFILES)
        self.inhabitants = Small((0, 1, 2, 3), ends=False)
        kinds: dict[str, list[Sort]] = {}
        for s in sorts:
            kinds.setdefault(s.kind, []).append(s)
        chosen = [rng.choice(kinds[rng.choice(sorted(kinds))]) for _ in range(variables)]
        if chosen and rng.random() < 0.3:
            chosen[-1] = chosen[0]
        self.names = rng.sample(NAMES, len(NAMES))
        fields = [k for k, s in enumerate(chosen) if s.kind == "data" and s.is_struct and s.variants[0].fields]
        if fields:  # the leaves of a tuple x are called x.0, x.1, …
            at = self.names.index("x")
            self.names[at], self.names[fields[0]] = self.names[fields[0]], "x"
        self.variables = [var(self.names[k], s) for k, s in enumerate(chosen)]
        self.made: list[Term] = []
        self.closed = False
        self.functions: list[FnSym] = []

    # --- values

    def value(self, sort: Sort) -> Any:
        rng = self.rng
        if sort.is_integer and sort.name not in ("char",) and rng.random() < 0.06:
            return Small((0,)).random(sort, rng)
        return self.inhabitants.random(sort, rng)

    def values(self) -> dict[Term, Any]:
        return {v: self.value(v.sort) for v in self.variables}

    # --- terms of any sort

    def term(self, sort: Sort, depth: int, scope: Scope = ()) -> Term:
        rng = self.rng
        if depth <= 0:
            return self.leaf(sort, scope)
        if rng.random() < 0.12:
            again = [t for t in self.made if t.sort is sort and not (self.closed)]
            if again:
                return rng.choice(again)
        if rng.random() < 0.15:
            return self.leaf(sort, scope)
        makers: list[tuple[int, Callable[[], Term | None]]] = [
            (6, lambda: self.of_kind(sort, depth, scope)),
            (2, lambda: self.conditional(sort, depth, scope)),
            (2, lambda: self.selected(sort, depth, scope)),
            (1, lambda: self.called(sort, depth, scope)),
            (1, lambda: self.guarded(sort, depth, scope)),
        ]
        maker = rng.choices([m for _, m in makers], [w for w, _ in makers])[0]
        t = maker() or self.of_kind(sort, depth, scope)
        if t.loose == 0 and not self.closed and t.sort is sort and t.op not in ("lit", "var"):
            self.made.append(t)
        return t

    def leaf(self, sort: Sort, scope: Scope) -> Term:
        rng = self.rng
        names: list[Term] = [bound(len(scope) - 1 - k, s) for k, s in enumerate(scope) if s is sort]
        if not self.closed:
            names += [v for v in self.variables if v.sort is sort]
        if sort is INT:
            names += [bound(len(scope) - 1 - k, s) for k, s in enumerate(scope) if s.is_integer and s is not CHAR]
            names += [] if self.closed else [v for v in self.variables if v.sort.is_integer and v.sort is not CHAR]
        for v in [] if self.closed else self.variables:
            if v.sort.kind == "data" and v.sort.is_struct:
                fields = v.sort.variants[0].fields
                names += [mk("field", (v,), sort, (0, k)) for k, f in enumerate(fields) if f.sort is sort]
        if names and rng.random() < 0.75:
            return rng.choice(names)
        if contains(sort, NO_TERM) and sort.kind != "data":
            if not names:
                if self.closed:
                    return self.made_up(sort)
                k = len(self.variables)
                self.variables.append(var(self.names[k] if k < len(NAMES) else f"v{k}", sort))
                return self.variables[-1]
            return rng.choice(names)
        try:
            return value_term(self.inhabitants.random(sort, rng, 2), sort)
        except NoTerm:
            return self.made_up(sort)

    def made_up(self, sort: Sort) -> Term:
        """A closed term without a known value, of a sort that has no literal."""
        return app(uninterpreted(f"some {sort}", (), sort), ())

    def conditional(self, sort: Sort, depth: int, scope: Scope) -> Term:
        rng = self.rng
        subject_sorts = [s for s in self.sorts if s.kind == "data" and len(s.variants) > 1]
        if rng.random() < 0.5 and subject_sorts:  # a match
            subject_sort = rng.choice(subject_sorts)
            known = [s for s in scope if s in subject_sorts] + [
                v.sort for v in self.variables if v.sort in subject_sorts and not self.closed
            ]
            if known:
                subject_sort = rng.choice(known)
            subject = self.term(subject_sort, depth - 2, scope)
            variants = list(range(len(subject_sort.variants)))
            if rng.random() < 0.3:
                rng.shuffle(variants)
            result = self.arm(subject, variants[-1], sort, depth - 1, scope)
            for v in reversed(variants[:-1]):
                result = ite(mk("is", (subject,), BOOL, v), self.arm(subject, v, sort, depth - 1, scope), result, sort)
            return result
        return ite(self.term(BOOL, depth - 1, scope), self.term(sort, depth - 1, scope), self.term(sort, depth - 1, scope), sort)

    def guarded(self, sort: Sort, depth: int, scope: Scope) -> Term | None:
        """`if legal { f(part) } else { … }`: what is known of the part must not be used elsewhere."""
        rng = self.rng
        seqs = [s for s in self.sorts if s.kind == "seq"]
        maps = [s for s in self.sorts if s.kind == "map"]
        if depth < 3 or not (seqs or maps):
            return None
        whole_sort = rng.choice(seqs + maps)
        whole = self.term(whole_sort, depth - 2, scope)
        if whole_sort.kind == "map":
            k = self.term(whole_sort.args[0], depth - 3, scope)
            legal = mk("set.contains", (mk("map.dom", (whole,), set_sort(whole_sort.args[0])), k), BOOL)
            part = mk("map.index", (whole, k), whole_sort.args[1])
        elif rng.random() < 0.3:
            i = self.term(INT, depth - 3, scope)
            legal = and_((arith("le", ZERO, i), arith("lt", i, _length(whole))))
            part = mk("seq.index", (whole, i), whole_sort.args[0])
        else:
            low, high = self.leaf(INT, scope), self.term(INT, depth - 3, scope)
            legal = and_((arith("le", ZERO, low), arith("le", low, high), arith("le", high, _length(whole))))
            part = mk("seq.subrange", (whole, low, high), whole_sort)
        self.closed, was = True, self.closed
        body = self.term(sort, depth - 1, (part.sort,))
        if part.sort.kind == "seq" and rng.random() < 0.6:
            counted = mk("seq.to_multiset", (bound(1, part.sort),), multiset_sort(part.sort.args[0]))
            sizes = mk("lambda", (mk("multiset.len", (counted,), NAT),), fn_sort((INT,), INT), (INT,))
            if sort.kind == "seq" and sort.args[0] is INT:
                body = mk("seq.new", (lit(2), sizes), sort)
            elif sort is INT:
                body = mk("apply", (sizes, ZERO), INT)
        self.closed = was
        inside = app(defined("part", (part.sort,), body, result=sort), (part,))
        other = self.term(sort, depth - 2, scope)
        return ite(legal, inside, other, sort) if rng.random() < 0.7 else ite(not_(legal), other, inside, sort)

    def arm(self, subject: Term, variant: int, sort: Sort, depth: int, scope: Scope) -> Term:
        fields = subject.sort.variants[variant].fields
        for k, f in enumerate(fields):
            if self.rng.random() < 0.6:
                field = mk("field", (subject,), f.sort, (variant, k))
                if f.sort is sort:
                    return field
                if sort.is_integer and f.sort.kind == "seq":
                    return self.as_kind(_length(field), sort)
                if sort is BOOL:
                    return eq(field, self.term(f.sort, depth - 1, scope))
        return self.term(sort, depth - 1, scope)

    def selected(self, sort: Sort, depth: int, scope: Scope) -> Term | None:
        """A part of a larger value: an element, a field, a map's value, a result, a view."""
        rng = self.rng
        options: list[Callable[[], Term]] = []
        for s in dict.fromkeys(self.sorts):
            if s.kind == "seq" and s.args[0] is sort:
                options.append(lambda s=s: self.index(self.term(s, depth - 1, scope), depth, scope))
            elif s.kind == "data" and s.is_defined:
                for v, variant in enumerate(s.variants):
                    for k, f in enumerate(variant.fields):
                        if f.sort is sort:
                            options.append(lambda s=s, v=v, k=k: mk("field", (self.term(s, depth - 1, scope),), sort, (v, k)))
            elif s.kind == "map" and s.args[1] is sort:
                options.append(
                    lambda s=s: mk("map.index", (self.term(s, depth - 1, scope), self.term(s.args[0], depth - 2, scope)), sort)
                )
            elif s.kind == "fn" and s.args[-1] is sort:
                options.append(
                    lambda s=s: mk(
                        "apply", (self.term(s, depth - 1, scope), *(self.term(p, depth - 2, scope) for p in s.args[:-1])), sort
                    )
                )
            elif s.kind == "boxed" and s.view is sort:
                options.append(lambda s=s: mk("view", (self.term(s, depth - 2, scope),), sort))
            elif s.kind == "boxed" and s.view and s.view.kind == "seq" and s.view.args[0] is sort:
                options.append(lambda s=s: self.index(mk("view", (self.term(s, depth - 2, scope),), s.view), depth, scope))
        return rng.choice(options)() if options else None

    def index(self, s: Term, depth: int, scope: Scope) -> Term:
        i = self.term(INT, depth - 2, scope)
        if self.rng.random() < 0.3:
            i = mk("mod", (i, _length(s)), INT)
        if self.rng.random() < 0.2:
            i = arith("sub", _length(s), ONE)
        return mk("seq.index", (s, i), s.sort.args[0])

    def called(self, sort: Sort, depth: int, scope: Scope) -> Term | None:
        rng = self.rng
        if self.recursion and rng.random() < 0.4:
            fitting = [f for f in RECURSIVE.values() if f.result is sort or (sort is INT and f.result is NAT)]
            if fitting:
                f = rng.choice(fitting)
                return app(f, [self.term(p, min(depth - 1, 2), scope) for p in f.params])
        fitting = [f for f in self.functions if f.result is sort]
        if fitting and rng.random() < 0.5:
            f = rng.choice(fitting)
        elif self.closed or depth < 2:
            return None
        else:
            params = tuple(rng.choice(self.sorts) for _ in range(rng.randrange(1, 3)))
            if rng.random() < 0.5 and self.variables:
                params = (rng.choice(self.variables).sort, *params[1:])
            if rng.random() < 0.1:
                f = uninterpreted(f"u{len(self.functions)}", params, sort)
            else:
                self.closed, was = True, self.closed
                body = self.term(sort, depth - 1, params)
                self.closed = was
                f = defined(f"f{len(self.functions)}", params, body, result=sort)
            self.functions.append(f)
        return app(f, [self.term(p, depth - 1, scope) for p in f.params])

    def of_kind(self, sort: Sort, depth: int, scope: Scope) -> Term:
        return getattr(self, f"_{sort.kind}")(sort, depth, scope)

    # --- kind by kind

    def as_kind(self, t: Term, sort: Sort) -> Term:
        return t if t.sort is sort or sort is INT else mk("cast", (t,), sort)

    def _int(self, sort: Sort, depth: int, scope: Scope) -> Term:
        rng = self.rng

        def go(s: Sort = INT) -> Term:
            return self.term(s, depth - 1, scope)

        if sort is CHAR:
            return mk("cast", (go(rng.choice((U8, U32))),), CHAR) if rng.random() < 0.5 else char_lit(rng.choice("ab\0"))
        if sort is not INT:
            if sort.name[1:].isdigit() or sort.name in ("usize", "isize"):
                if rng.random() < 0.45:
                    op = rng.choice(("bitand", "bitor", "bitxor", "bitnot", "shl", "shr"))
                    if op == "bitnot":
                        return mk(op, (go(sort),), sort)
                    if op in ("shl", "shr"):
                        return mk(
                            op,
                            (go(sort), rng.choice((lit(rng.randrange(9)), self.term(rng.choice((U8, INT)), depth - 2, scope)))),
                            sort,
                        )
                    mask = lit(rng.choice((1, 3, 6, 7, 8, 15, 21, 85, 127)))
                    return mk(op, (go(sort), mask if rng.random() < 0.4 else go(sort)), sort)
            if sort is NAT and rng.random() < 0.5:
                return self.count(depth, scope) or _length(self.any_seq(depth, scope))
            source = rng.choice((INT, INT, U8, I8, NAT, USIZE, U64, CHAR, BOOL))
            return go(sort) if source is sort else mk("cast", (go(source),), sort)
        pick = rng.randrange(14)
        if pick < 2:  # linear combinations: what cancels
            a, b = self.term(INT, depth - 2, scope), self.leaf(INT, scope)
            parts = [a if rng.random() < 0.3 else b, mk("mul", (lit(rng.choice((-2, -1, 2, 3))), b), INT)]
            rng.shuffle(parts)
            return mk(rng.choice(("add", "sub")), tuple(parts), INT)
        if pick < 5:
            op = rng.choice(("add", "sub", "mul", "add", "sub", "neg", "div", "mod", "div", "mod"))
            if op == "neg":
                return mk("neg", (go(),), INT)
            right = lit(rng.choice((1, 2, 3, -2, -3))) if op in ("div", "mod", "mul") and rng.random() < 0.6 else go()
            return mk(op, (go(), right), INT)
        if pick < 7:
            return self.term(rng.choice([s for s in INTEGERS if s not in (INT, CHAR)]), depth - 1, scope)
        if pick < 9:
            return _length(self.any_seq(depth, scope))
        if pick < 11:
            return self.count(depth, scope) or lit(1)
        if pick == 11:
            return mk("word", (), INT, rng.choice(("usize::MAX", "usize::BITS", "isize::MAX", "isize::MIN")))
        if pick == 12 and self.quantifiers:
            return self.chosen(depth, scope)
        return mk("cast", (go(rng.choice((CHAR, BOOL, U8))),), INT)

    def count(self, depth: int, scope: Scope) -> Term | None:
        rng = self.rng
        sets = [s for s in self.sorts if s.kind == "set"]
        multisets = [s for s in self.sorts if s.kind == "multiset"]
        pick = rng.randrange(3)
        if pick == 0 and sets:
            return mk("set.len", (self.term(rng.choice(sets), depth - 1, scope),), NAT)
        if multisets:
            s = rng.choice(multisets)
            m = self.term(s, depth - 1, scope)
            return (
                mk("multiset.len", (m,), NAT)
                if pick == 1
                else mk("multiset.count", (m, self.term(s.args[0], depth - 2, scope)), NAT)
            )
        return None

    def chosen(self, depth: int, scope: Scope) -> Term:
        """`choose` where exactly one value fits."""
        if self.rng.random() < 0.3:
            pair = mk(
                "choose",
                (and_((eq(bound(1, INT), lit(self.rng.randrange(3))), eq(bound(0, INT), lit(7)))),),
                tuple_sort((INT, INT)),
                (INT, INT),
            )
            return mk("field", (pair,), INT, (0, self.rng.randrange(2)))
        e = _lifted(self.term(INT, depth - 2, scope))
        return mk("choose", (eq(bound(0, INT), e),), INT, (INT,))

    def any_seq(self, depth: int, scope: Scope) -> Term:
        rng = self.rng
        if rng.random() < 0.3:
            s = rng.choice([s for s in self.sorts if s.view and s.view.kind == "seq"] or [VEC])
            return mk("view", (self.term(s, depth - 2, scope),), s.view or s)
        known = [v.sort for v in self.variables if v.sort.kind == "seq"]
        return self.term(
            rng.choice(known if known and rng.random() < 0.6 else [s for s in self.sorts if s.kind == "seq"] or [SEQ]),
            depth - 1,
            scope,
        )

    def _seq(self, sort: Sort, depth: int, scope: Scope) -> Term:
        rng = self.rng
        e = sort.args[0]

        def go(s: Sort = sort, less: int = 1) -> Term:
            return self.term(s, depth - less, scope)

        match rng.randrange(8):
            case 0:
                return mk("seq.lit", tuple(go(e) for _ in range(rng.randrange(4))), sort)
            case 1:
                n = lit(rng.randrange(4)) if rng.random() < 0.5 else self.term(rng.choice((NAT, INT)), depth - 2, scope)
                return mk(
                    "seq.new", (n, mk("lambda", (self.term(e, depth - 1, (*scope, INT)),), fn_sort((INT,), e), (INT,))), sort
                )
            case 2:
                return mk("seq.push", (go(), go(e)), sort)
            case 3:
                return mk("seq.update", (go(), go(INT, 2), go(e)), sort)
            case 4 | 5:
                s = go()
                n = _length(s)
                low, high = rng.choice(
                    ((ZERO, go(INT, 2)), (go(INT, 2), n), (ZERO, arith("sub", n, ONE)), (ONE, n), (go(INT, 2), go(INT, 2)))
                )
                return mk("seq.subrange", (s, low, high), sort)
        return mk("seq.add", (go(), go()), sort)

    def _set(self, sort: Sort, depth: int, scope: Scope) -> Term:
        rng = self.rng
        e = sort.args[0]

        def go(s: Sort = sort) -> Term:
            return self.term(s, depth - 1, scope)

        match rng.randrange(9):
            case 0:
                return mk("set.lit", tuple(go(e) for _ in range(rng.randrange(4))), sort)
            case 1:
                body = self.term(BOOL, depth - 1, (*scope, e))
                if e is INT:
                    body = and_((arith("le", ZERO, bound(0, INT)), arith("lt", bound(0, INT), lit(3)), body))
                return mk("set.new", (mk("lambda", (body,), fn_sort((e,), BOOL), (e,)),), sort)
            case 2 | 3:
                return mk(rng.choice(("set.insert", "set.remove")), (go(), go(e)), sort)
            case 4:
                return mk("set.complement", (go(),), sort)
            case 5:
                maps = [m for m in self.sorts if m.kind == "map" and m.args[0] is e]
                if maps:
                    return mk("map.dom", (self.term(rng.choice(maps), depth - 1, scope),), sort)
        return mk(rng.choice(("set.union", "set.intersect", "set.difference")), (go(), go()), sort)

    def _map(self, sort: Sort, depth: int, scope: Scope) -> Term:
        rng = self.rng
        k, v = sort.args

        def go(s: Sort = sort) -> Term:
            return self.term(s, depth - 1, scope)

        match rng.randrange(5):
            case 0:
                return mk("map.lit", tuple(go(s) for _ in range(rng.randrange(3)) for s in (k, v)), sort)
            case 1:
                domain = self.term(set_sort(k), depth - 1, scope)
                inside = mk("set.contains", (_lifted(domain), bound(0, k)), BOOL)
                value = self.term(v, depth - 1, (*scope, k))
                return mk(
                    "map.new",
                    (mk("lambda", (inside,), fn_sort((k,), BOOL), (k,)), mk("lambda", (value,), fn_sort((k,), v), (k,))),
                    sort,
                )
            case 2:
                return mk("map.remove", (go(), go(k)), sort)
        return mk("map.insert", (go(), go(k), go(v)), sort)

    def _multiset(self, sort: Sort, depth: int, scope: Scope) -> Term:
        rng = self.rng
        e = sort.args[0]

        def go(s: Sort = sort) -> Term:
            return self.term(s, depth - 1, scope)

        match rng.randrange(4):
            case 0:
                return mk("multiset.lit", tuple(go(e) for _ in range(rng.randrange(4))), sort)
            case 1:
                return mk("seq.to_multiset", (self.term(seq_sort(e), depth - 1, scope),), sort)
        return mk(rng.choice(("multiset.add", "multiset.sub")), (go(), go()), sort)

    def _data(self, sort: Sort, depth: int, scope: Scope) -> Term:
        v = self.rng.randrange(len(sort.variants))
        return mk("ctor", tuple(self.term(f.sort, depth - 1, scope) for f in sort.variants[v].fields), sort, v)

    def _boxed(self, sort: Sort, depth: int, scope: Scope) -> Term:
        return self.leaf(sort, scope)

    def _opaque(self, sort: Sort, depth: int, scope: Scope) -> Term:
        return self.leaf(sort, scope)

    def _fn(self, sort: Sort, depth: int, scope: Scope) -> Term:
        *params, result = sort.args
        return mk("lambda", (self.term(result, depth - 1, (*scope, *params)),), sort, tuple(params))

    def _bool(self, sort: Sort, depth: int, scope: Scope) -> Term:
        rng = self.rng

        def go(s: Sort = BOOL, less: int = 1) -> Term:
            return self.term(s, depth - less, scope)

        pick = rng.randrange(20)
        if pick < 2:
            return mk("not", (go(),), BOOL)
        if pick < 5:
            return mk(rng.choice(("and", "or")), tuple(go() for _ in range(rng.choice((2, 2, 3)))), BOOL)
        if pick == 5:
            return mk("implies", (go(), go()), BOOL)
        if pick < 8:
            return mk(rng.choice(("lt", "le")), (go(INT), go(INT)), BOOL)
        if pick < 11:
            candidates = [s for s in self.sorts if s.kind != "fn" or rng.random() < 0.3]
            known = [v.sort for v in self.variables] + list(scope)
            s = rng.choice(known) if known and rng.random() < 0.5 else rng.choice(candidates)
            return mk("eq", (go(s), go(s)), BOOL)
        if pick < 13:
            s = rng.choice([s for s in self.sorts if s.kind == "data" and len(s.variants) > 1] or [BOOL])
            return go() if s is BOOL else mk("is", (go(s),), BOOL, rng.randrange(len(s.variants)))
        if pick < 15:
            sets = [s for s in self.sorts if s.kind == "set"]
            if sets:
                s = rng.choice(sets)
                return (
                    mk("set.finite", (go(s),), BOOL)
                    if rng.random() < 0.2
                    else mk("set.contains", (go(s), go(s.args[0], 2)), BOOL)
                )
        if pick < 19 and self.quantifiers:
            return self.quantified(depth, scope)
        return mk("eq", (go(), go()), BOOL)

    def quantified(self, depth: int, scope: Scope) -> Term:
        """A bounded quantifier."""
        rng = self.rng
        op = rng.choice(("forall", "exists"))

        def guarded(guard: Term, body: Term) -> Term:
            return implies(guard, body) if op == "forall" else and_((guard, body))

        match rng.randrange(5):
            case 0:
                sort = rng.choice((COLOR, BOOL, option(BOOL), option(COLOR), COLOR))
                return quantify(op, (sort,), self.term(BOOL, depth - 1, (*scope, sort)))
            case 1:
                s = _lifted(self.any_seq(depth - 1, scope))
                i = bound(0, INT)
                element = mk("seq.index", (s, i), s.sort.args[0])
                body = self.term(BOOL, depth - 1, (*scope, INT))
                if rng.random() < 0.7:
                    own = eq(element, self.term(element.sort, depth - 2, (*scope, INT)))
                    body = mk(rng.choice(("and", "or")), (own, body), BOOL)
                return quantify(op, (INT,), guarded(and_((arith("le", ZERO, i), arith("lt", i, _length(s)))), body))
            case 2:
                i, j = bound(1, INT), bound(0, INT)
                guard = and_(
                    (arith("le", ZERO, i), arith(rng.choice(("lt", "le")), i, j), arith("lt", j, lit(rng.randrange(1, 4))))
                )
                return quantify(op, (INT, INT), guarded(guard, self.term(BOOL, depth - 1, (*scope, INT, INT))))
            case 3:
                s = self.term(set_sort(INT), depth - 2, scope)
                inside = mk("set.contains", (_lifted(s), bound(0, INT)), BOOL)
                return quantify(op, (INT,), guarded(inside, self.term(BOOL, depth - 1, (*scope, INT))))
        kind = rng.choice((INT, NAT, I32, U8, I8))
        i = bound(0, kind)
        guard = and_((arith("le", lit(rng.randrange(-1, 2)), i), arith("lt", i, lit(rng.randrange(1, 4)))))
        return quantify(op, (kind,), guarded(guard, self.term(BOOL, depth - 1, (*scope, kind))))


def _lifted(t: Term) -> Term:
    """The term under one more binder."""
    return shift(t, 1)


__all__ = ["FALSE", "TRUE", "Boxed", "DataValue", "Generator", "MapValue", "MultisetValue", "NoTerm", "premises", "value_term"]
