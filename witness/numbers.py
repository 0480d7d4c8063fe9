"""Integers of Rust: ranges, wrapping, division, and the one way in which a concrete run ends without a value.

In: sorts of integer types, the width of a word. Out: numbers; terms for wrapping. Source: the Rust reference, "Operator
expressions" (overflow, shifts, `as`).
"""

from __future__ import annotations

from translate import terms as tm
from translate.terms import Sort, Term


class Panic(Exception):
    """The program panics here; the text says why."""


class CallsItself(Panic):
    """The expression calls the function itself: what that gives is not computed here."""


def width(sort: Sort, word: int) -> int:
    """The width of an integer type in bits; `word` is that of `usize`."""
    return word if sort.name in ("usize", "isize") else int(sort.name[1:])


def bounds(sort: Sort, word: int) -> tuple[int, int]:
    """The smallest and the largest value of an integer type (of `char`: of its codes)."""
    if sort is tm.CHAR:
        return 0, 0x10FFFF
    bits = width(sort, word)
    return (0, (1 << bits) - 1) if sort.name[0] == "u" else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)


def in_bounds(value: int, sort: Sort, word: int) -> bool:
    low, high = bounds(sort, word)
    return low <= value <= high


def wrap(value: int, sort: Sort, word: int) -> int:
    """The value of the type that is equal modulo 2 to its width: what wrapping operations and `as` give."""
    low, _ = bounds(sort, word)
    return (value - low) % (1 << width(sort, word)) + low


def wrapped(value: Term, low: Term, high: Term) -> Term:
    """The same as a term."""
    span = tm.arith("add", tm.arith("sub", high, low), tm.ONE)
    return tm.arith("add", tm.arith("mod", tm.arith("sub", value, low), span), low)


def unsigned_of(sort: Sort) -> Sort:
    """The unsigned type of the same width."""
    return tm.int_sort("u" + sort.name[1:])


def truncated_division(a: int, b: int) -> int:
    """`a / b`, towards zero."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def truncated_remainder(a: int, b: int) -> int:
    """`a % b`, with the sign of a."""
    return a - b * truncated_division(a, b)
