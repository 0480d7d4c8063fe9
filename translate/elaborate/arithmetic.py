"""Integer casts and constants, decided on terms.

In: terms of integer sorts. Out: the term of a cast, without a node where the value cannot change; the value of a constant term.
"""

from __future__ import annotations

from translate import terms as tm
from translate.terms import Sort, Term


def fits(source: Sort, target: Sort) -> bool:
    """Whether every value of one integer type is a value of another (a word is 32 or 64 bits wide)."""
    if source is target or target is tm.INT:
        return True
    if target is tm.CHAR:
        return source.name == "u8"
    if target.name == "usize":
        return source.name in ("u8", "u16", "u32", "char")
    if target.name == "isize":
        return source.name in ("u8", "u16", "i8", "i16", "i32")
    s = {"usize": (0, 2**64 - 1), "isize": (-(2**63), 2**63 - 1)}.get(source.name) or tm.word_range(source.name)
    low, high = tm.word_range(target.name)
    below = low is None or (s[0] is not None and s[0] >= low)
    above = high is None or (s[1] is not None and s[1] <= high)
    return below and above


def cast(t: Term, source: Sort, target: Sort) -> Term:
    """`t as target` for a term of integer type `source`."""
    if fits(source, target):
        return t
    if t.op == "lit" and holds(t.data, target):
        return t
    if t.op in ("seq.len", "set.len", "multiset.len", "multiset.count") and target is tm.NAT:
        return t
    return tm.mk("cast", (t,), target)


def holds(value: int, sort: Sort) -> bool:
    """Whether a value certainly lies in an integer type (whatever the width of a word)."""
    if sort.name == "usize":
        return 0 <= value < 2**32
    if sort.name == "isize":
        return -(2**31) <= value < 2**31
    if sort is tm.CHAR:
        return 0 <= value <= 0x10FFFF and not 0xD800 <= value <= 0xDFFF
    low, high = tm.word_range(sort.name)
    return (low is None or low <= value) and (high is None or value <= high)


def may_hold(value: int, sort: Sort) -> bool:
    """Whether a value lies in an integer type for some width of a word."""
    if sort.name == "usize":
        return 0 <= value < 2**64
    if sort.name == "isize":
        return -(2**63) <= value < 2**63
    return holds(value, sort)


def fold(t: Term) -> int | None:
    """The value of an integer term without variables, for array lengths and shift counts; None where it is not plain."""
    if t.op == "lit" and not isinstance(t.data, bool):
        return int(t.data)
    args = [fold(a) for a in t.args]
    if any(a is None for a in args):
        return None
    match t.op, args:
        case "add", [int(a), int(b)]:
            return a + b
        case "sub", [int(a), int(b)]:
            return a - b
        case "mul", [int(a), int(b)]:
            return a * b
        case "neg", [int(a)]:
            return -a
        case "shl", [int(a), int(b)] if 0 <= b < 128 and holds(a << b, t.sort):
            return a << b
        case "div", [int(a), int(b)] if b > 0:
            return a // b
        case "mod", [int(a), int(b)] if b > 0:
            return a % b
        case "bitand", [int(a), int(b)]:
            return a & b
        case "bitor", [int(a), int(b)]:
            return a | b
        case "bitxor", [int(a), int(b)]:
            return a ^ b
        case "shr", [int(a), int(b)] if 0 <= b < 128:
            return a >> b
    return None
