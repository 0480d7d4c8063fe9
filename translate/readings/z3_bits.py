"""The bit-vector reading: a whole formula over fixed-width integers, exactly, without quantifiers.

In: Bool terms whose integers are variables of fixed-width types, literals, sums, products, quotients by literals, bit
operations and shifts. Out: Z3 formulas over signed bit-vectors wide enough that nothing overflows, which Z3 decides completely;
values of the variables from a model. Masks and shifts against arithmetic (`x ^ y == (x | y) - (x & y)`) are out of reach when
each bit operation is a bridge from integers; here they are one circuit.

Raises `NotBits` for a term that has no such reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import z3

from translate.terms import BOOL, Sort, Term, word_range

#: The widest intermediate value, in bits: beyond it multipliers get too large to be worth asking.
MAX_BITS: Final = 160

Range = tuple[int, int]


class NotBits(Exception):
    """The term has no bit-vector reading."""


def limits(sort: Sort) -> Range:
    """The range of a fixed-width type; raises NotBits for the others."""
    if sort.name in ("int", "nat", "usize", "isize", "char") or not sort.is_integer:
        raise NotBits(str(sort))
    low, high = word_range(sort.name)
    assert low is not None and high is not None
    return low, high


def _bits(r: Range) -> int:
    """The width of a signed bit-vector that holds every value of a range."""
    return max(r[0].bit_length() if r[0] >= 0 else (-r[0] - 1).bit_length(), r[1].bit_length()) + 1


class BitReading:
    """Reads formulas. `width` is the common width of all values, found by a first pass over the formulas' ranges."""

    def __init__(self, formulas: Sequence[Term]) -> None:
        self.ctx: Any = z3.Context()
        self._ranges: dict[Term, Range] = {}
        self.variables: dict[Term, Any] = {}
        self.has_bit_operations = False
        self.width = 2
        for t in formulas:
            self._scan(t)
        if self.width > MAX_BITS:
            raise NotBits(f"values of {self.width} bits")
        self._done: dict[Term, Any] = {}
        self.facts: list[Any] = []

    # --- ranges ----------------------------------------------------------------------------------------------------

    def _scan(self, t: Term) -> None:
        if t.loose or t.op in ("forall", "exists", "choose", "lambda"):
            raise NotBits("a quantifier")
        if t.sort.is_integer:
            self._range(t)
            return
        if t.sort is not BOOL or t.op not in ("not", "and", "or", "implies", "ite", "eq", "le", "lt", "lit", "var"):
            raise NotBits(t.op)
        for a in t.args:
            self._scan(a)

    def _range(self, t: Term) -> Range:
        found = self._ranges.get(t)
        if found is None:
            found = self._ranges[t] = self._compute(t)
            self.width = max(self.width, _bits(found))
        return found

    def _compute(self, t: Term) -> Range:
        match t.op:
            case "lit":
                return t.data, t.data
            case "var":
                return limits(t.sort)
            case "ite":
                self._scan(t.args[0])
                a, b = self._range(t.args[1]), self._range(t.args[2])
                return min(a[0], b[0]), max(a[1], b[1])
            case "neg":
                a = self._range(t.args[0])
                return -a[1], -a[0]
            case "add" | "sub" | "mul":
                a, b = self._range(t.args[0]), self._range(t.args[1])
                if t.op == "add":
                    return a[0] + b[0], a[1] + b[1]
                if t.op == "sub":
                    return a[0] - b[1], a[1] - b[0]
                corners = [x * y for x in a for y in b]
                return min(corners), max(corners)
            case "div" | "mod" if t.args[1].op == "lit" and t.args[1].data > 0:
                a, d = self._range(t.args[0]), t.args[1].data
                self._range(t.args[1])
                if t.op == "div":  # the multiple of d that is divided can lie below what it comes from
                    self.width = max(self.width, _bits((a[0] // d * d, a[1])))
                return (a[0] // d, a[1] // d) if t.op == "div" else (0, d - 1)
            case "cast":
                a, (low, high) = self._range(t.args[0]), limits(t.sort)
                if low <= a[0] and a[1] <= high:
                    return a
            case "bitand" | "bitor" | "bitxor" | "bitnot" | "shl" | "shr":
                self.has_bit_operations = True
                own = limits(t.sort)
                operands = [self._range(x) for x in t.args]
                if t.op in ("shl", "shr"):
                    count = operands.pop()
                    if count[0] < 0 or count[1] >= own[1].bit_length() + (own[0] < 0):
                        raise NotBits("a shift that may be too wide")
                if any(r[0] < own[0] or r[1] > own[1] for r in operands):
                    raise NotBits("a bit operation on a value outside its type")
                return own
        raise NotBits(t.op)

    # --- formulas --------------------------------------------------------------------------------------------------

    def read(self, t: Term) -> Any:
        """The formula of a Bool term, or the bit-vector of an integer one."""
        done = self._done.get(t)
        if done is None:
            done = self._done[t] = self._read(t)
        return done

    def _number(self, n: int) -> Any:
        return z3.BitVecVal(n, self.width, self.ctx)

    def _read(self, t: Term) -> Any:
        if t.op == "lit":
            return z3.BoolVal(t.data, self.ctx) if t.sort is BOOL else self._number(t.data)
        if t.op == "var":
            return self._variable(t)
        a = [self.read(x) for x in t.args]
        match t.op:
            case "not":
                return z3.Not(a[0])
            case "and":
                return z3.And(*a)
            case "or":
                return z3.Or(*a)
            case "implies":
                return z3.Implies(a[0], a[1])
            case "ite":
                return z3.If(a[0], a[1], a[2])
            case "eq":
                return a[0] == a[1]
            case "le":
                return a[0] <= a[1]
            case "lt":
                return a[0] < a[1]
            case "add":
                return a[0] + a[1]
            case "sub":
                return a[0] - a[1]
            case "mul":
                return a[0] * a[1]
            case "neg":
                return -a[0]
            case "cast":
                return a[0]
            case "div" | "mod":
                return self._divide(t, a[0], t.args[1].data)
        return self._bit_operation(t, a)

    def _variable(self, v: Term) -> Any:
        found = self.variables.get(v)
        if found is None:
            name = f"{v.data}#{len(self.variables)}"  # two variables can share a name, and differ in their sorts only
            if v.sort is BOOL:
                found = z3.Bool(name, self.ctx)
            else:
                found = z3.BitVec(name, self.width, self.ctx)
                low, high = limits(v.sort)
                self.facts += [found >= self._number(low), found <= self._number(high)]
            self.variables[v] = found
        return found

    def _divide(self, t: Term, a: Any, d: int) -> Any:
        """Euclidean: the remainder is never negative (`%` of bit-vectors in z3py is smod, which has the divisor's sign)."""
        remainder = a % self._number(d)
        return remainder if t.op == "mod" else (a - remainder) / self._number(d)

    def _bit_operation(self, t: Term, a: list[Any]) -> Any:
        # Values lie in the type's range, so the wide two's complement is the narrow one, extended by its sign (or by zeros).
        low, high = limits(t.sort)
        match t.op:
            case "bitand":
                return a[0] & a[1]
            case "bitor":
                return a[0] | a[1]
            case "bitxor":
                return a[0] ^ a[1]
            case "bitnot":
                return ~a[0] if low < 0 else self._number(high) - a[0]
            case "shr":
                return a[0] >> a[1]
        n = high.bit_length() + (low < 0)
        low_bits = z3.Extract(n - 1, 0, a[0] << a[1]) if self.width > n else a[0] << a[1]
        if self.width <= n:
            return low_bits
        return z3.SignExt(self.width - n, low_bits) if low < 0 else z3.ZeroExt(self.width - n, low_bits)

    def model_value(self, model: Any, v: Term) -> int | bool:
        """The value of a variable in a model."""
        found = model.eval(self._variable(v), model_completion=True)
        return bool(z3.is_true(found)) if v.sort is BOOL else int(found.as_signed_long())
