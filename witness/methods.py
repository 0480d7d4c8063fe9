"""The pure methods of std that a candidate may call, each with its meaning twice: as a value and as a term.

In: a method's name and its receiver's sort. Out: `Method`. A method is in the table only if it has no side effect and its meaning
is that of the documentation of the Rust standard library (https://doc.rust-lang.org/std): a trait or type of the file that gives
a built-in type a method of the same name takes it out (`witness.language` looks).

Kinds of types, in signatures: `self` (the receiver's), `unsigned` (the unsigned type of its width), `item` (the element of a
sequence, the content of an Option), `usize`, `u32`, `bool`, `?x` (Option of x).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from translate import terms as tm
from translate.terms import Sort, Term
from translate.values import Boxed, DataValue, Value
from witness.library import option_of
from witness.numbers import Panic, bounds, in_bounds, truncated_division, truncated_remainder, unsigned_of, wrap, wrapped


class Building(Protocol):
    """What a meaning as a term may ask of `witness.weakest`."""

    def need(self, kind: str, condition: Term) -> None:
        """An obligation where the method is called."""

    def low(self, sort: Sort) -> Term:
        """The smallest value of an integer type."""

    def high(self, sort: Sort) -> Term:
        """The largest value of an integer type."""

    def fresh_view(self, sort: Sort, view: Term) -> Term:
        """A new executable collection with this view."""


@dataclass(frozen=True, slots=True)
class Method:
    """`family` is the receiver's (see `families`). `value` gets the receiver's sort, the values, and the width of a word; `term`
    the receiver's sort, the terms, and the builder."""

    name: str
    family: str
    params: tuple[str, ...]
    result: str
    meaning: str
    value: Callable[[Sort, Sequence[Any], int], Any]
    term: Callable[[Sort, Sequence[Term], Building], Term]


NONE: Final = DataValue("Option", 0)


def some(value: Value) -> DataValue:
    return DataValue("Option", 1, (value,))


def some_term(value: Term, item: Sort) -> Term:
    return tm.mk("ctor", (value,), option_of(item), 1)


def none_term(item: Sort) -> Term:
    return tm.mk("ctor", (), option_of(item), 0)


# --- integers ------------------------------------------------------------------------------------------------------------


def _ar(op: str, a: Term, b: Term) -> Term:
    return tm.arith(op, a, b)


def _le(a: Term, b: Term) -> Term:
    return tm.arith("le", a, b)


def _lt(a: Term, b: Term) -> Term:
    return tm.arith("lt", a, b)


def _fits(t: Term, sort: Sort, b: Building) -> Term:
    return tm.and_([_le(b.low(sort), t), _le(t, b.high(sort))])


def _exact(op: str) -> Callable[[int, int], int]:
    return {"add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y}[op]


def _checked(op: str) -> tuple[Any, Any]:
    exact = _exact(op)

    def value(s: Sort, v: Sequence[Any], word: int) -> Any:
        r = exact(v[0], v[1])
        return some(r) if in_bounds(r, s, word) else NONE

    def term(s: Sort, t: Sequence[Term], b: Building) -> Term:
        r = _ar(op, t[0], t[1])
        return tm.ite(_fits(r, s, b), some_term(r, s), none_term(s), option_of(s))

    return value, term


def _saturating(op: str) -> tuple[Any, Any]:
    exact = _exact(op)

    def value(s: Sort, v: Sequence[Any], word: int) -> Any:
        low, high = bounds(s, word)
        return max(low, min(high, exact(v[0], v[1])))

    def term(s: Sort, t: Sequence[Term], b: Building) -> Term:
        r = _ar(op, t[0], t[1])
        return tm.ite(_lt(r, b.low(s)), b.low(s), tm.ite(_lt(b.high(s), r), b.high(s), r))

    return value, term


def _wrapping(op: str) -> tuple[Any, Any]:
    exact = _exact(op)

    def value(s: Sort, v: Sequence[Any], word: int) -> Any:
        return wrap(exact(v[0], v[1]), s, word)

    def term(s: Sort, t: Sequence[Term], b: Building) -> Term:
        r = _ar(op, t[0], t[1])
        if op == "mul":
            return wrapped(r, b.low(s), b.high(s))
        span = _ar("add", _ar("sub", b.high(s), b.low(s)), tm.ONE)
        return tm.ite(_lt(r, b.low(s)), _ar("add", r, span), tm.ite(_lt(b.high(s), r), _ar("sub", r, span), r))

    return value, term


def _divides(op: str, euclid: bool) -> tuple[Any, Any]:
    """Quotient or remainder, Euclidean or towards zero; panics on a zero divisor and where the quotient does not fit."""

    def value(s: Sort, v: Sequence[Any], word: int) -> Any:
        a, d = v
        if d == 0:
            raise Panic("division by zero")
        quotient = truncated_division(a, d)
        rest = truncated_remainder(a, d)
        if euclid and rest < 0:
            quotient, rest = (quotient - 1, rest + d) if d > 0 else (quotient + 1, rest - d)
        if not in_bounds(truncated_division(a, d), s, word):
            raise Panic("overflow")
        return quotient if op == "div" else rest

    def term(s: Sort, t: Sequence[Term], b: Building) -> Term:
        a, d = t
        divide(s, a, d, b)
        return _ar(op, a, d) if euclid else divided(op, s, a, d)

    return value, term


def divide(s: Sort, a: Term, d: Term, b: Building) -> None:
    """The obligations of a division: the divisor is not zero, and the quotient fits (only MIN / -1 does not)."""
    b.need("division by zero", tm.not_(tm.eq(d, tm.ZERO)))
    if s.name[0] == "i":
        b.need("overflow", tm.not_(tm.and_([tm.eq(a, b.low(s)), tm.eq(d, tm.lit(-1))])))


def divided(op: str, s: Sort, a: Term, d: Term) -> Term:
    """`a / d` or `a % d` as Rust computes it, towards zero, from the Euclidean operators of the term language."""
    if s.name[0] == "u":
        return _ar(op, a, d)
    negative = tm.mk("neg", (_ar(op, tm.mk("neg", (a,), tm.INT), d),), tm.INT)
    return tm.ite(_le(tm.ZERO, a), _ar(op, a, d), negative)


def _checked_division(op: str) -> tuple[Any, Any]:
    def value(s: Sort, v: Sequence[Any], word: int) -> Any:
        a, d = v
        if d == 0 or not in_bounds(truncated_division(a, d), s, word):
            return NONE
        return some(truncated_division(a, d) if op == "div" else truncated_remainder(a, d))

    def term(s: Sort, t: Sequence[Term], b: Building) -> Term:
        a, d = t
        bad = [tm.eq(d, tm.ZERO)]
        if s.name[0] == "i":
            bad.append(tm.and_([tm.eq(a, b.low(s)), tm.eq(d, tm.lit(-1))]))
        return tm.ite(tm.or_(bad), none_term(s), some_term(divided("div" if op == "div" else "mod", s, a, d), s), option_of(s))

    return value, term


def _extreme(larger: bool) -> tuple[Any, Any]:
    def value(s: Sort, v: Sequence[Any], word: int) -> Any:
        return max(v) if larger else min(v)

    def term(s: Sort, t: Sequence[Term], b: Building) -> Term:
        return tm.ite(_le(t[0], t[1]), t[1] if larger else t[0], t[0] if larger else t[1])

    return value, term


def _clamp(s: Sort, v: Sequence[Any], word: int) -> Any:
    x, low, high = v
    if low > high:
        raise Panic("clamp: the lower bound is above the upper one")
    return max(low, min(high, x))


def _clamp_term(s: Sort, t: Sequence[Term], b: Building) -> Term:
    b.need("clamp: the lower bound is not above the upper one", _le(t[1], t[2]))
    return tm.ite(_lt(t[0], t[1]), t[1], tm.ite(_lt(t[2], t[0]), t[2], t[0]))


def _difference(s: Sort, v: Sequence[Any], word: int) -> Any:
    return abs(v[0] - v[1])


def _difference_term(s: Sort, t: Sequence[Term], b: Building) -> Term:
    return tm.ite(_le(t[1], t[0]), _ar("sub", t[0], t[1]), _ar("sub", t[1], t[0]))


def _magnitude(t: Term) -> Term:
    return tm.ite(_le(tm.ZERO, t), t, tm.mk("neg", (t,), tm.INT))


def _abs(s: Sort, v: Sequence[Any], word: int) -> Any:
    if not in_bounds(abs(v[0]), s, word):
        raise Panic("overflow")
    return abs(v[0])


def _abs_term(s: Sort, t: Sequence[Term], b: Building) -> Term:
    b.need("overflow", tm.not_(tm.eq(t[0], b.low(s))))
    return _magnitude(t[0])


def _signum_term(s: Sort, t: Sequence[Term], b: Building) -> Term:
    return tm.ite(_lt(t[0], tm.ZERO), tm.lit(-1), tm.ite(tm.eq(t[0], tm.ZERO), tm.ZERO, tm.ONE))


def _wrapping_neg_term(s: Sort, t: Sequence[Term], b: Building) -> Term:
    if s.name[0] == "u":
        return tm.ite(tm.eq(t[0], tm.ZERO), tm.ZERO, _ar("sub", _ar("add", b.high(s), tm.ONE), t[0]))
    return tm.ite(tm.eq(t[0], b.low(s)), t[0], tm.mk("neg", (t[0],), tm.INT))


# --- characters, truth values --------------------------------------------------------------------------------------------


def _within(*ranges: tuple[str, str]) -> tuple[Any, Any]:
    pairs = [(ord(a), ord(z)) for a, z in ranges]

    def value(s: Sort, v: Sequence[Any], word: int) -> Any:
        return any(a <= v[0] <= z for a, z in pairs)

    def term(s: Sort, t: Sequence[Term], b: Building) -> Term:
        return tm.or_(tm.and_([_le(tm.lit(a), t[0]), _le(t[0], tm.lit(z))]) for a, z in pairs)

    return value, term


# --- options -------------------------------------------------------------------------------------------------------------


def _content(t: Term) -> Term:
    if t.op == "ctor" and t.data == 1:
        return t.args[0]
    return tm.mk("field", (t,), t.sort.variants[1].fields[0].sort, (1, 0))


def _is_some(t: Term) -> Term:
    if t.op == "ctor":
        return tm.lit(t.data == 1)
    return tm.mk("is", (t,), tm.BOOL, 1)


def _unwrap(s: Sort, v: Sequence[Any], word: int) -> Any:
    if v[0].variant == 0:
        raise Panic("unwrap of None")
    return v[0].fields[0]


def _unwrap_term(s: Sort, t: Sequence[Term], b: Building) -> Term:
    b.need("unwrap: the value is Some", _is_some(t[0]))
    return _content(t[0])


def _unwrap_or_term(s: Sort, t: Sequence[Term], b: Building) -> Term:
    return tm.ite(_is_some(t[0]), _content(t[0]), t[1], s.args[0])


# --- sequences -----------------------------------------------------------------------------------------------------------


def view_of(t: Term) -> Term:
    """The view of a sequence-like executable collection."""
    assert t.sort.view is not None
    return tm.mk("view", (t,), t.sort.view)


def length_of(t: Term) -> Term:
    return tm.mk("seq.len", (view_of(t),), tm.NAT)


def element_of(t: Term, index: Term) -> Term:
    return tm.mk("seq.index", (view_of(t), index), t.sort.element)


def _at_end(last: bool) -> tuple[Any, Any]:
    def value(s: Sort, v: Sequence[Any], word: int) -> Any:
        return some(v[0].view[-1 if last else 0]) if v[0].view else NONE

    def term(s: Sort, t: Sequence[Term], b: Building) -> Term:
        n = length_of(t[0])
        index = _ar("sub", n, tm.ONE) if last else tm.ZERO
        found = some_term(element_of(t[0], index), s.element)
        return tm.ite(tm.eq(n, tm.ZERO), none_term(s.element), found, option_of(s.element))

    return value, term


def _get(s: Sort, v: Sequence[Any], word: int) -> Any:
    return some(v[0].view[v[1]]) if v[1] < len(v[0].view) else NONE


def _get_term(s: Sort, t: Sequence[Term], b: Building) -> Term:
    found = some_term(element_of(t[0], t[1]), s.element)
    return tm.ite(_lt(t[1], length_of(t[0])), found, none_term(s.element), option_of(s.element))


def _contains_term(s: Sort, t: Sequence[Term], b: Building) -> Term:
    i = tm.bound(0, tm.INT)
    view, wanted = tm.shift(view_of(t[0]), 1), tm.shift(t[1], 1)
    inside = tm.and_([_le(tm.ZERO, i), _lt(i, tm.mk("seq.len", (view,), tm.NAT))])
    here = tm.eq(tm.mk("seq.index", (view, i), s.element), wanted)
    return tm.quantify("exists", (tm.INT,), tm.and_([inside, here]))


def _copy_term(s: Sort, t: Sequence[Term], b: Building) -> Term:
    return b.fresh_view(s, view_of(t[0]))


def _to_vec_term(s: Sort, t: Sequence[Term], b: Building) -> Term:
    return b.fresh_view(vec_of(s.element), view_of(t[0]))


def vec_of(element: Sort) -> Sort:
    """The sort `Vec<element>`."""
    return Sort("boxed", "Vec", (element,), view=tm.seq_sort(element))


def _swap_case(upper: bool) -> tuple[Any, Any]:
    a, z, by = (ord("a"), ord("z"), -32) if upper else (ord("A"), ord("Z"), 32)

    def value(s: Sort, v: Sequence[Any], word: int) -> Any:
        return v[0] + by if a <= v[0] <= z else v[0]

    def term(s: Sort, t: Sequence[Term], b: Building) -> Term:
        inside = tm.and_([_le(tm.lit(a), t[0]), _le(t[0], tm.lit(z))])
        return tm.ite(inside, _ar("add", t[0], tm.lit(by)), t[0])

    return value, term


def _table() -> dict[tuple[str, str], Method]:
    found: dict[tuple[str, str], Method] = {}

    def add(family: str, name: str, params: str, result: str, meaning: str, both: tuple[Any, Any]) -> None:
        found[family, name] = Method(name, family, tuple(params.split()), result, meaning, *both)

    for op, sign in (("add", "+"), ("sub", "-"), ("mul", "*")):
        add("int", f"checked_{op}", "self", "?self", f"`Some(x {sign} y)`, None where that does not fit", _checked(op))
        add("int", f"saturating_{op}", "self", "self", f"`x {sign} y`, or the limit that it passes", _saturating(op))
        add("int", f"wrapping_{op}", "self", "self", f"`x {sign} y` modulo 2 to the width", _wrapping(op))
    for op, sign in (("div", "/"), ("rem", "%")):
        why = f"`Some(x {sign} y)`, None for y = 0 and where the quotient does not fit"
        add("int", f"checked_{op}", "self", "?self", why, _checked_division(op))
        euclid = "div" if op == "div" else "mod"
        why = f"Euclidean {'quotient' if op == 'div' else 'remainder'}; panics for y = 0 and where the quotient does not fit"
        add("int", f"{op}_euclid", "self", "self", why, _divides(euclid, True))
    add("int", "min", "self", "self", "the smaller", _extreme(False))
    add("int", "max", "self", "self", "the larger", _extreme(True))
    add("int", "clamp", "self self", "self", "the nearest value between two; panics if they are the wrong way round",
        (_clamp, _clamp_term))  # fmt: skip
    add("int", "abs_diff", "self", "unsigned", "the distance", (_difference, _difference_term))
    add("int", "wrapping_neg", "", "self", "`-x` modulo 2 to the width",
        (lambda s, v, w: wrap(-v[0], s, w), _wrapping_neg_term))  # fmt: skip
    add("signed", "abs", "", "self", "the absolute value; panics for the smallest value", (_abs, _abs_term))
    add("signed", "unsigned_abs", "", "unsigned", "the absolute value",
        (lambda s, v, w: abs(v[0]), lambda s, t, b: _magnitude(t[0])))  # fmt: skip
    add("signed", "signum", "", "self", "-1, 0 or 1", (lambda s, v, w: (v[0] > 0) - (v[0] < 0), _signum_term))
    add("signed", "is_negative", "", "bool", "x < 0", (lambda s, v, w: v[0] < 0, lambda s, t, b: _lt(t[0], tm.ZERO)))
    add("signed", "is_positive", "", "bool", "x > 0", (lambda s, v, w: v[0] > 0, lambda s, t, b: _lt(tm.ZERO, t[0])))
    for name, ranges in (
        ("digit", [("0", "9")]), ("lowercase", [("a", "z")]), ("uppercase", [("A", "Z")]),
        ("alphabetic", [("a", "z"), ("A", "Z")]), ("alphanumeric", [("0", "9"), ("a", "z"), ("A", "Z")]),
        ("hexdigit", [("0", "9"), ("a", "f"), ("A", "F")]),
    ):  # fmt: skip
        shown = ", ".join(f"`{a}` to `{z}`" for a, z in ranges)
        for family in ("char", "byte"):
            add(family, f"is_ascii_{name}", "", "bool", f"{shown}", _within(*ranges))
    for family in ("char", "byte"):
        add(family, "to_ascii_uppercase", "", "self", "`a` to `z` become `A` to `Z`", _swap_case(True))
        add(family, "to_ascii_lowercase", "", "self", "`A` to `Z` become `a` to `z`", _swap_case(False))
    add("bool", "then_some", "any", "?any", "`Some(y)` if true, else None", (
        lambda s, v, w: some(v[1]) if v[0] else NONE,
        lambda s, t, b: tm.ite(t[0], some_term(t[1], t[1].sort), none_term(t[1].sort)),
    ))  # fmt: skip
    add("option", "is_some", "", "bool", "whether it is Some",
        (lambda s, v, w: v[0].variant == 1, lambda s, t, b: _is_some(t[0])))  # fmt: skip
    add("option", "is_none", "", "bool", "whether it is None",
        (lambda s, v, w: v[0].variant == 0, lambda s, t, b: tm.not_(_is_some(t[0]))))  # fmt: skip
    add("option", "unwrap", "", "item", "the content; panics for None", (_unwrap, _unwrap_term))
    add("option", "unwrap_or", "item", "item", "the content, or y for None",
        (lambda s, v, w: v[0].fields[0] if v[0].variant else v[1], _unwrap_or_term))  # fmt: skip
    for name in ("copied", "cloned"):
        add("option", name, "", "self", "the Option of a value, from one of a reference",
            (lambda s, v, w: v[0], lambda s, t, b: t[0]))  # fmt: skip
    add("seq", "len", "", "usize", "the number of elements", (lambda s, v, w: len(v[0].view), lambda s, t, b: length_of(t[0])))
    add("seq", "is_empty", "", "bool", "whether there are none",
        (lambda s, v, w: not v[0].view, lambda s, t, b: tm.eq(length_of(t[0]), tm.ZERO)))  # fmt: skip
    add("seq", "first", "", "?item", "the first element, None where there is none", _at_end(False))
    add("seq", "last", "", "?item", "the last element, None where there is none", _at_end(True))
    add("seq", "get", "usize", "?item", "the element at an index, None out of range", (_get, _get_term))
    add("seq", "contains", "item", "bool", "whether an element is equal to y",
        (lambda s, v, w: v[1] in v[0].view, _contains_term))  # fmt: skip
    add("seq", "clone", "", "self", "a copy with the same elements", (lambda s, v, w: Boxed(v[0].view), _copy_term))
    add("seq", "to_vec", "", "vec", "a Vec with the same elements", (lambda s, v, w: Boxed(v[0].view), _to_vec_term))
    return found


METHODS: Final = _table()


def families(sort: Sort) -> tuple[str, ...]:
    """The families whose methods a receiver of this sort has."""
    if sort is tm.CHAR:
        return ("char",)
    if sort.is_integer:
        return ("int", "signed") if sort.name[0] == "i" else ("int", "byte") if sort.name == "u8" else ("int",)
    if sort is tm.BOOL:
        return ("bool",)
    if sort.kind == "data" and sort.name == "Option" and sort is option_of(sort.args[0]):
        return ("option",)
    if sort.kind == "boxed" and sort.name in ("Vec", "slice", "array"):
        return ("seq",)
    return ()


def find(sort: Sort, name: str) -> Method | None:
    """The method of that name on receivers of this sort."""
    for family in families(sort):
        found = METHODS.get((family, name))
        if found is not None:
            return found
    return None


def named(sort: Sort, kind: str, given: Sort | None = None) -> Sort:
    """The sort that a word of a signature means for a receiver; `given` is that of the argument, for `any`."""
    if kind[0] == "?":
        return option_of(named(sort, kind[1:], given))
    match kind:
        case "self":
            return sort
        case "unsigned":
            return unsigned_of(sort)
        case "item":
            return sort.element if sort.kind == "boxed" else sort.args[0]
        case "vec":
            return vec_of(sort.element)
        case "bool":
            return tm.BOOL
        case "any":
            assert given is not None
            return given
    return tm.int_sort(kind)
