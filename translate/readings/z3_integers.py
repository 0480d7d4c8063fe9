"""Casts and bit operations on integers in the Z3 reading.

In: Z3 Ints. Out: Z3 Ints. An operation with a literal mask or shift is arithmetic; any other goes to bit-vectors and back at
once, so that the rest of the problem stays in linear arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable

import z3

from translate.readings.z3_builder import Expr
from translate.readings.z3_collections import Collections
from translate.terms import Sort, word_range

#: A literal mask with at most so many runs of ones is read arithmetically.
_MAX_RUNS = 4


def is_signed(kind: str) -> bool:
    return kind[0] == "i"


def _extent(kind: str) -> tuple[int | None, int | None, int | None, int | None]:
    """(low is at least, low is at most, high is at least, high is at most) of a type whose bounds may depend on the word."""
    if kind == "usize":
        return 0, 0, 2**32 - 1, 2**64 - 1
    if kind == "isize":
        return -(2**63), -(2**31), 2**31 - 1, 2**63 - 1
    low, high = word_range(kind)
    return low, low, high, high


def always_fits(source: str, target: str) -> bool:
    """Whether every value of one integer type is one of the other, whatever the word size."""
    if source == target or target == "int":
        return True
    if target == "char":
        return source == "u8"
    low, _, _, high = _extent(source)
    _, target_low, target_high, _ = _extent(target)
    return (target_low is None or (low is not None and low >= target_low)) and (
        target_high is None or (high is not None and high <= target_high)
    )


class Integers(Collections):
    def cast(self, x: Expr, source: Sort, target: Sort) -> Expr:
        """`x as target`."""
        if source.kind == "bool":
            return self.ite(x, self.number(1), self.number(0))
        if always_fits(source.name, target.name):
            return x
        fits = self.in_range(target.name, x)
        if self.known(fits):
            return x
        self.used_unspecified = True
        other = self.apply_symbol(f"cast to {target.name}", [x], target)
        return self.ite(fits, x, other)

    def divide(self, op: str, x: Expr, y: Expr) -> Expr:
        """`div` or `mod`, Euclidean; what Z3 gives for divisor 0 is an unknown function of x, as it should be."""
        n, d = self.value(x), self.value(y)
        if d == 0 or (d is None and not (self.known(self.lt(self.number(0), y)) or self.known(self.lt(y, self.number(0))))):
            if not self.known(self.not_(self.eq(y, self.number(0)))):
                self.used_unspecified = True
        if n is not None and d:
            remainder = n % abs(d)
            return self.number(remainder if op == "mod" else (n - remainder) // d)
        if d == 1:
            return x if op == "div" else self.number(0)
        return self.keep(x / y if op == "div" else x % y)

    # --- bits ---------------------------------------------------------------------------------------------------------

    def bitwise(self, op: str, x: Expr, y: Expr, sort: Sort) -> Expr:
        """`bitand`, `bitor` or `bitxor`."""
        kind = sort.name
        width = _width(kind)
        if width is None:
            return self.apply_symbol(f"{op} {kind}", [x, y], sort)
        for a, b in ((x, y), (y, x)):
            mask = self.value(b)
            if mask is not None:
                found = self._masked(op, a, mask, kind)
                if found is not None:
                    return found
        if x.get_id() == y.get_id():
            return self.number(0) if op == "bitxor" else x
        a, b = z3.Int2BV(x, width), z3.Int2BV(y, width)
        combined = a & b if op == "bitand" else a | b if op == "bitor" else a ^ b
        r = self.keep(z3.BV2Int(combined, is_signed(kind)))
        parts = [self.in_range(kind, r)]
        if not is_signed(kind):
            match op:
                case "bitand":
                    parts += [self.le(r, x), self.le(r, y)]
                case "bitor":
                    parts += [self.le(x, r), self.le(y, r), self.le(r, self.add(x, y))]
                case _:
                    parts.append(self.le(r, self.add(x, y)))
        legal = self.and_((self.in_range(kind, x), self.in_range(kind, y)))
        self.fact(self.implies(legal, self.and_(parts)), [r])
        return r

    def _masked(self, op: str, x: Expr, mask: int, kind: str) -> Expr | None:
        """The operation with a literal: `x & m` run by run, `x | m` is `x + m - (x & m)`, `x ^ m` is `x + m - 2(x & m)`."""
        if mask == -1 and is_signed(kind):
            return {"bitand": x, "bitor": self.number(-1)}.get(op)
        if mask < 0:
            return None
        runs = _runs(mask)
        if len(runs) > _MAX_RUNS:
            return None
        both = self.number(0)
        for low, length in runs:
            part = self.divide("mod", self.divide("div", x, self.number(2**low)), self.number(2**length))
            both = self.add(both, self.mul(part, self.number(2**low)))
        if op == "bitand":
            return both
        return self.sub(self.add(x, self.number(mask)), both if op == "bitor" else self.mul(self.number(2), both))

    def bitnot(self, x: Expr, sort: Sort) -> Expr:
        kind = sort.name
        if is_signed(kind):
            return self.sub(self.number(-1), x)
        if kind == "usize":
            return self.sub(self.usize_max, x)
        width = _width(kind)
        if width is None:
            return self.apply_symbol(f"bitnot {kind}", [x], sort)
        return self.sub(self.number(2**width - 1), x)

    def shift(self, op: str, x: Expr, k: Expr, sort: Sort) -> Expr:
        """`shl` or `shr`; unspecified for a shift outside 0..width."""
        kind = sort.name
        width = _width(kind)
        if width is None:
            return self.apply_symbol(f"{op} {kind}", [x, k], sort)
        word = kind in ("usize", "isize")
        bits = self.ite(self.word_is_32, self.number(32), self.number(64)) if word else self.number(width)
        amount = self.value(k)
        if word and amount is not None:
            legal = self.true if 0 <= amount < 32 else self.false if not 0 <= amount < 64 else self.not_(self.word_is_32)
        else:
            legal = self.within(self.number(0), k, bits)
        if self.is_false(legal):
            self.used_unspecified = True
            return self.apply_symbol(f"{op} {kind}", [x, k], sort)
        if op == "shl" and word:
            shifted = self.ite(self.word_is_32, self._shl(x, k, 32, is_signed(kind)), self._shl(x, k, 64, is_signed(kind)))
        elif op == "shl":
            shifted = self._shl(x, k, width, is_signed(kind))
        else:
            shifted = self._shr(x, k, width, is_signed(kind))
        if not self.known(legal):
            self.used_unspecified = True
            shifted = self.ite(legal, shifted, self.apply_symbol(f"{op} {kind}", [x, k], sort))
        return shifted

    def _shl(self, x: Expr, k: Expr, width: int, signed: bool) -> Expr:
        amount = self.value(k)
        if amount is None:
            return self._through_bits(lambda a, b: a << b, x, k, width, signed)
        product = self.mul(x, self.number(2**amount))
        low, high = (-(2 ** (width - 1)), 2 ** (width - 1)) if signed else (0, 2**width)
        if self.known(self.within(self.number(low), product, self.number(high))):
            return product
        wrapped = self.divide("mod", self.sub(product, self.number(low)), self.number(2**width))
        return self.add(wrapped, self.number(low))

    def _shr(self, x: Expr, k: Expr, width: int, signed: bool) -> Expr:
        amount = self.value(k)
        if amount is not None:
            return self.divide("div", x, self.number(2**amount))
        r = self._through_bits((lambda a, b: a >> b) if signed else z3.LShR, x, k, width, signed)
        if not signed:
            self.fact(self.implies(self.le(self.number(0), x), self.and_((self.le(self.number(0), r), self.le(r, x)))), [r])
        return r

    def _through_bits(self, op: Callable[[Expr, Expr], Expr], x: Expr, k: Expr, width: int, signed: bool) -> Expr:
        return self.keep(z3.BV2Int(op(z3.Int2BV(x, width), z3.Int2BV(k, width)), signed))


def _width(kind: str) -> int | None:
    """The bits in which a type's operations are computed; of a word, the larger possibility (results extend to it)."""
    if kind in ("usize", "isize"):
        return 64
    return int(kind[1:]) if kind[1:].isdigit() else None


def _runs(mask: int) -> list[tuple[int, int]]:
    """The runs of ones in a non-negative number as (lowest bit, length)."""
    runs = []
    at = 0
    while mask:
        zeros = (mask & -mask).bit_length() - 1
        mask >>= zeros
        at += zeros
        ones = (~mask & (mask + 1)).bit_length() - 1
        runs.append((at, ones))
        mask >>= ones
        at += ones
    return runs
