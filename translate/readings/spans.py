"""Integers that are known only to lie between two ends: how a quantifier is decided over a range too long to go through.

In: an unknown integer of a range. Out: arithmetic and comparisons on it that give the answer which holds for *every* integer of
the range, and raise `Straddle` where there is none; that says at which value to cut the range in two. So a body that depends on
where x lies among a few numbers is decided on a few pieces, whether the range has a hundred elements or no end.

A `Span` stands for `slope * x + offset` while it can (slope 0: something between `lo` and `hi` that hangs on x otherwise).
"""

from __future__ import annotations

import math
from typing import Any, Final, NoReturn, TypeAlias

from translate.readings.outcomes import Undetermined, Undivided

#: An integer or an infinity.
End: TypeAlias = "int | float"
#: Larger numbers are not compared with infinities.
_LARGE: Final = 1 << 900


class Region:
    """All integers from `low` to `high`, ends included, as one item among the values of a bound variable."""

    __slots__ = ("low", "high")

    def __init__(self, low: End, high: End) -> None:
        self.low, self.high = low, high


class Regions:
    """All sequences of a length whose elements lie in a region."""

    __slots__ = ("length", "each")

    def __init__(self, length: int, each: Region) -> None:
        self.length, self.each = length, each


class Straddle(Undivided):
    """The integers of a range do not all give one answer: `owner` is the unknown one, and the answer may change after `at`."""

    def __init__(self, owner: Unknown, at: int) -> None:
        super().__init__(None)
        self.owner, self.at = owner, at


class Unhashable(Undetermined):
    """A span cannot be looked up in a table."""


class Unknown:
    """An unknown integer of a range."""

    __slots__ = ("low", "high")

    def __init__(self, low: End, high: End) -> None:
        self.low, self.high = low, high

    def span(self) -> Span:
        return Span(self, 1, 0, self.low, self.high)

    def cut(self, at: End | None = None) -> Straddle:
        """The exception that says to cut the range after `at`; without it, somewhere in the middle."""
        low, high = self.low, self.high
        if at is None or abs(at) == math.inf or not low <= at < high:
            if low == -math.inf:
                at = -1 if high > -1 else 2 * high - 1
            elif high == math.inf:
                at = 1 if low < 1 else 2 * low + 1
            else:
                at = (int(low) + int(high)) // 2
        return Straddle(self, int(at))


class Span:
    __slots__ = ("of", "slope", "offset", "lo", "hi")

    def __init__(self, of: Unknown, slope: int, offset: int, lo: End, hi: End) -> None:
        self.of, self.slope, self.offset, self.lo, self.hi = of, slope, offset, lo, hi

    # --- arithmetic ---

    def _affine(self, slope: int, offset: int) -> Any:
        if slope == 0:
            return offset
        if max(abs(slope), abs(offset)) > _LARGE:
            raise self.of.cut()
        ends = slope * self.of.low + offset, slope * self.of.high + offset
        return Span(self.of, slope, offset, min(ends), max(ends))

    def _hull(self, lo: End, hi: End) -> Any:
        return lo if lo == hi else Span(self.of, 0, 0, lo, hi)

    def __neg__(self) -> Any:
        return self * -1

    def __add__(self, other: Any) -> Any:
        lo, hi = _ends(other)
        if self.slope:
            if isinstance(other, int):
                return self._affine(self.slope, self.offset + other)
            if other.slope and other.of is self.of:
                return self._affine(self.slope + other.slope, self.offset + other.offset)
        return self._hull(self.lo + lo, self.hi + hi)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self + other * -1

    def __rsub__(self, other: Any) -> Any:
        return self * -1 + other

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, int):
            if self.slope or other == 0:
                return self._affine(self.slope * other, self.offset * other)
        lo, hi = _ends(other)
        corners = [_product(x, y) for x in (self.lo, self.hi) for y in (lo, hi)]
        return self._hull(min(corners), max(corners))

    __rmul__ = __mul__

    def __mod__(self, other: Any) -> Any:
        lo, hi = self.lo, self.hi
        if not isinstance(other, int) or other <= 0:
            raise self.of.cut()
        if abs(lo) != math.inf and abs(hi) != math.inf and lo // other == hi // other:
            return self - int(lo // other) * other
        return self._hull(0, other - 1)

    def __rmod__(self, other: int) -> Any:
        if self.lo > other >= 0:
            return other
        if self.lo > 0 and other >= 0:
            return self._hull(0, min(other, self.hi - 1))
        raise self.of.cut()

    def __floordiv__(self, other: Any) -> Any:
        lo, hi = _ends(other)
        if lo <= 0 or math.inf in (abs(self.lo), abs(self.hi), abs(hi)):
            raise self.of.cut()
        corners = [x // y for x in (self.lo, self.hi) for y in (lo, hi)]
        return self._hull(min(corners), max(corners))

    def __rfloordiv__(self, other: int) -> Any:
        if self.lo <= 0 or self.hi == math.inf:
            raise self.of.cut()
        corners = [other // y for y in (self.lo, self.hi)]
        return self._hull(min(corners), max(corners))

    def __abs__(self) -> Any:
        if self.lo >= 0:
            return self
        if self.hi <= 0:
            return -self
        raise self._cut_at(0, strict=True)

    def __invert__(self) -> Any:
        return self * -1 - 1

    def __index__(self) -> int:
        raise self.of.cut(self.of.low)

    __int__ = __index__

    def bit_length(self) -> int:
        largest = max(abs(self.lo), abs(self.hi))
        return 0 if largest == math.inf else int(largest).bit_length()  # asked to keep numbers within limits: there is none

    def _opaque(self, *_: Any) -> NoReturn:
        raise self.of.cut()

    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _opaque
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = __pow__ = __rpow__ = _opaque

    # --- comparisons ---

    def _cut_at(self, number: int, *, strict: bool) -> Straddle:
        """Where `self < number` (or `<=`, not `strict`) changes."""
        if not self.slope:
            return self.of.cut()
        gap = number - self.offset
        if self.slope > 0:  # x < gap / slope
            at = -(-gap // self.slope) - 1 if strict else gap // self.slope
        else:  # true beyond
            at = gap // self.slope if strict else -(-gap // self.slope) - 1
        return self.of.cut(at)

    def _below(self, other: Any, *, strict: bool) -> bool:
        """`self < other`, or `self <= other`."""
        if isinstance(other, Span) and self.slope and other.slope and other.of is self.of:
            difference = self - other
            return _number_below(difference, 0, strict) if isinstance(difference, int) else difference._below(0, strict=strict)
        lo, hi = _ends(other)
        if self.hi < lo or (not strict and self.hi <= lo):
            return True
        if self.lo > hi or (strict and self.lo >= hi):
            return False
        raise self._cut_at(other, strict=strict) if isinstance(other, int) else self._wider(other)

    def _wider(self, other: Span) -> Straddle:
        """A cut through one of two unknown integers."""
        mine, its = self.of.high - self.of.low, other.of.high - other.of.low
        return (other if its > mine else self).of.cut()

    def __lt__(self, other: Any) -> bool:
        return self._below(other, strict=True)

    def __le__(self, other: Any) -> bool:
        return self._below(other, strict=False)

    def __gt__(self, other: Any) -> bool:
        return not self._below(other, strict=False)

    def __ge__(self, other: Any) -> bool:
        return not self._below(other, strict=True)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, (int, Span)):
            return False
        if isinstance(other, Span) and self.slope and other.slope and other.of is self.of:
            difference = self - other
            return bool(difference == 0)
        lo, hi = _ends(other)
        if self.hi < lo or self.lo > hi:
            return False
        if not isinstance(other, int):
            raise self._wider(other)
        if not self.slope:
            raise self.of.cut()
        x, rest = divmod(other - self.offset, self.slope)
        if rest:
            return False
        raise self.of.cut(x - 1 if self.of.low < x else x)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        raise Unhashable

    def __repr__(self) -> str:
        return f"{self.lo}..={self.hi}"


def _ends(x: Any) -> tuple[End, End]:
    if isinstance(x, Span):
        return x.lo, x.hi
    if abs(x) > _LARGE:
        raise Undetermined
    return x, x


def _number_below(a: int, b: int, strict: bool) -> bool:
    return a < b if strict else a <= b


def _product(x: End, y: End) -> End:
    return 0 if x == 0 or y == 0 else x * y
