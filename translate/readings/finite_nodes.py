"""Scalars of the finite reading: numbers, truth values, and expressions over unknown ones.

In: Python numbers and truth values, and `Node`s. Out: the same, simplified as they are built: constants are folded, and every
integer expression knows an interval in which its value lies, so that most conditions on lengths and indices are decided here.
`Nodes.to_z3` gives the rest to Z3 as formulas without quantifiers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final, TypeAlias

#: A factor or divisor of so few values is taken case by case: what is left is linear.
_CASES: Final = 6


class Node:
    """An expression, interned in its `Nodes`. `lo` and `hi` bound an integer one (None: no bound); of a truth value they are
    None. `serial` is its place in the order of creation."""

    __slots__ = ("op", "args", "lo", "hi", "serial")

    def __init__(self, op: str, args: tuple[Any, ...], lo: int | None, hi: int | None, serial: int) -> None:
        self.op, self.args, self.lo, self.hi, self.serial = op, args, lo, hi, serial

    def __repr__(self) -> str:
        return f"{self.op}({', '.join(map(repr, self.args))})"


#: A known integer or truth value, or an expression.
Scalar: TypeAlias = "int | bool | Node"

Interval: TypeAlias = tuple["int | None", "int | None"]


class TooMuch(Exception):
    """The question is too large for the steps it may take."""


def interval(x: Scalar) -> Interval:
    """The least and the greatest value that an integer can have, as far as is known."""
    return (x.lo, x.hi) if isinstance(x, Node) else (int(x), int(x))


class Nodes:
    """Builds scalars within a number of `steps` (nodes built); raises TooMuch beyond."""

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.variables: list[Node] = []
        #: Whether there are products of unknowns, divisions by them, or bit operations: solvers are slow with those.
        self.hard = False
        self._table: dict[tuple[Any, ...], Node] = {}
        self._serial = 0

    def _new(self, op: str, args: tuple[Any, ...], lo: int | None = None, hi: int | None = None) -> Node:
        key = (op, args)
        found = self._table.get(key)
        if found is None:
            self.charge(1)
            self._serial += 1
            found = self._table[key] = Node(op, args, lo, hi, self._serial)
        return found

    def charge(self, cost: int) -> None:
        self.steps -= cost
        if self.steps < 0:
            raise TooMuch

    def forget(self) -> None:
        """Forgets all expressions but the variables: their intervals may rest on wider ones of the variables."""
        self._table.clear()
        self.hard = False

    # --- variables ---

    def integer(self, lo: int | None, hi: int | None) -> Scalar:
        if lo is not None and lo == hi:
            return lo
        self._serial += 1
        v = Node("int", (), lo, hi, self._serial)
        self.variables.append(v)
        return v

    def truth(self) -> Node:
        self._serial += 1
        v = Node("bool", (), None, None, self._serial)
        self.variables.append(v)
        return v

    # --- logic ---

    def not_(self, a: Scalar) -> Scalar:
        if not isinstance(a, Node):
            return not a
        if a.op == "not":
            inner: Scalar = a.args[0]
            return inner
        if a.op == "le":  # x <= y is false where y + 1 <= x
            return self.le(self.add(a.args[1], 1), a.args[0])
        return self._new("not", (a,))

    def and_(self, parts: Iterable[Scalar]) -> Scalar:
        return self._junction("and", parts)

    def or_(self, parts: Iterable[Scalar]) -> Scalar:
        return self._junction("or", parts)

    def implies(self, a: Scalar, b: Scalar) -> Scalar:
        return self.or_((self.not_(a), b))

    def _junction(self, op: str, parts: Iterable[Scalar]) -> Scalar:
        unit = op == "and"
        flat: dict[Node, None] = {}
        for p in parts:
            if not isinstance(p, Node):
                if bool(p) is not unit:
                    return not unit
            elif p.op == op:
                flat.update(dict.fromkeys(p.args))
            else:
                flat[p] = None
        for p in flat:
            if p.op == "not" and p.args[0] in flat:
                return not unit
        if not flat:
            return unit
        if len(flat) == 1:
            return next(iter(flat))
        self.charge(len(flat) >> 3)
        return self._new(op, tuple(sorted(flat, key=_serial)))

    def iff(self, a: Scalar, b: Scalar) -> Scalar:
        """Equality of truth values."""
        if not isinstance(a, Node):
            return b if a else self.not_(b)
        if not isinstance(b, Node):
            return a if b else self.not_(a)
        if a is b:
            return True
        if self.not_(a) is b:
            return False
        return self._new("iff", (a, b) if a.serial < b.serial else (b, a))

    def either(self, c: Scalar, a: Scalar, b: Scalar) -> Scalar:
        """`if c { a } else { b }` of truth values."""
        if not isinstance(c, Node):
            return a if c else b
        if a is b:
            return a
        return self.and_((self.implies(c, a), self.or_((c, b))))

    # --- integers ---

    def ite(self, c: Scalar, a: Scalar, b: Scalar) -> Scalar:
        """`if c { a } else { b }` of integers."""
        if not isinstance(c, Node):
            return a if c else b
        if a is b or (not isinstance(a, Node) and not isinstance(b, Node) and a == b):
            return a
        if c.op == "not":
            c, a, b = c.args[0], b, a
        if isinstance(b, Node) and b.op == "ite" and b.args[0] is c:
            b = b.args[2]
        if isinstance(a, Node) and a.op == "ite" and a.args[0] is c:
            a = a.args[1]
        (la, ha), (lb, hb) = interval(a), interval(b)
        lo = None if la is None or lb is None else min(la, lb)
        hi = None if ha is None or hb is None else max(ha, hb)
        return self._new("ite", (c, a, b), lo, hi)

    def add(self, a: Scalar, b: Scalar) -> Scalar:
        if not isinstance(b, Node):
            return self._offset(a, int(b)) if isinstance(a, Node) else int(a) + int(b)
        if not isinstance(a, Node):
            return self._offset(b, int(a))
        (x, m), (y, n) = _split(a), _split(b)
        if x.serial > y.serial:
            x, y = y, x
        if (x.op == "mul" and x.args == (-1, y)) or (y.op == "mul" and y.args == (-1, x)):
            return m + n
        lo, hi = _sum(x.lo, y.lo), _sum(x.hi, y.hi)
        return self._offset(self._new("add", (x, y), lo, hi), m + n)

    def _offset(self, a: Node, n: int) -> Scalar:
        x, m = _split(a)
        if m + n == 0:
            return x
        return self._new("add", (x, m + n), _sum(x.lo, m + n), _sum(x.hi, m + n))

    def neg(self, a: Scalar) -> Scalar:
        return self.mul(-1, a)

    def sub(self, a: Scalar, b: Scalar) -> Scalar:
        if a is b:
            return 0
        return self.add(a, self.neg(b))

    def mul(self, a: Scalar, b: Scalar) -> Scalar:
        if isinstance(a, Node) and not isinstance(b, Node):
            a, b = b, a
        if not isinstance(b, Node):
            return int(a) * int(b) if not isinstance(a, Node) else self.mul(b, a)
        if not isinstance(a, Node):
            if a in (0, 1):
                return b if a else 0
            if b.op == "mul" and not isinstance(b.args[0], Node):
                return self.mul(int(a) * b.args[0], b.args[1])
            x, m = _split(b)
            if m:
                return self.add(self.mul(a, x), int(a) * m)
            if b.op == "add":
                return self.add(self.mul(a, b.args[0]), self.mul(a, b.args[1]))
        elif a.serial > b.serial:
            a, b = b, a
        if isinstance(a, Node):
            for x, y in ((a, b), (b, a)):
                cases = self._by_cases(x, partial(self._times, y))
                if cases is not None:
                    return cases
        (la, ha), (lb, hb) = interval(a), interval(b)
        lo: int | None = None
        hi: int | None = None
        if la is not None and ha is not None and lb is not None and hb is not None:
            corners = (la * lb, la * hb, ha * lb, ha * hb)
            lo, hi = min(corners), max(corners)
        elif not isinstance(a, Node):
            ends = (None if lb is None else int(a) * lb, None if hb is None else int(a) * hb)
            lo, hi = ends if a > 0 else ends[::-1]
        elif la is not None and lb is not None and la >= 0 and lb >= 0:
            lo = la * lb
        self.hard = self.hard or isinstance(a, Node)
        return self._new("mul", (a, b), lo, hi)

    def _times(self, y: Node, k: int) -> Scalar:
        return self.mul(k, y)

    def _by_cases(self, x: Node, f: Callable[[int], Scalar]) -> Scalar | None:
        """`f` of an integer that can have a few values only."""
        if x.lo is None or x.hi is None or x.hi - x.lo >= _CASES:
            return None
        value = f(x.hi)
        for k in range(x.hi - 1, x.lo - 1, -1):
            value = self.ite(self.eq(x, k), f(k), value)
        return value

    def divide(self, op: str, a: Scalar, b: Scalar) -> Scalar:
        """`div` or `mod`, Euclidean; 0 for the divisor 0."""
        if b == 0:
            return 0
        if not isinstance(a, Node) and not isinstance(b, Node):
            rest = int(a) % abs(b)
            return rest if op == "mod" else (int(a) - rest) // b
        cases = self._by_cases(b, lambda k: self.divide(op, a, k)) if isinstance(b, Node) else None
        if cases is not None:
            return cases
        self.hard = self.hard or isinstance(b, Node)
        la, ha = interval(a)
        lb, hb = interval(b)
        if op == "mod":
            most = None if lb is None or hb is None else max(abs(lb), abs(hb)) - 1
            if la is not None and la >= 0 and ha is not None and lb is not None and ha < lb:
                return a
            if ha is not None and la is not None and la >= 0:
                most = ha if most is None else min(most, ha)
            return self._new("mod", (a, b), 0, most)
        if b == 1:
            return a
        if isinstance(b, Node) or b < 0 or la is None or ha is None:
            low = 0 if la is not None and la >= 0 and lb is not None and lb > 0 else None
            return self._new("div", (a, b), low, ha if low == 0 else None)
        if la // b == ha // b:
            return la // b
        return self._new("div", (a, b), la // b, ha // b)

    def bits(self, op: str, a: Scalar, b: Scalar, width: int, lo: int, hi: int) -> Scalar:
        """A bit operation on integers within `width` bits whose result lies between `lo` and `hi`."""
        self.hard = True
        return self._new(op, (a, b, width, lo < 0), lo, hi)

    # --- comparisons ---

    def le(self, a: Scalar, b: Scalar) -> Scalar:
        (la, ha), (lb, hb) = interval(a), interval(b)
        if ha is not None and lb is not None and ha <= lb:
            return True
        if la is not None and hb is not None and la > hb:
            return False
        (x, m), (y, n) = _parts(a), _parts(b)
        if x is y:
            return m <= n
        pushed = self._pushed(self.le, x, y, n - m)
        if pushed is not None:
            return pushed
        if x is None:
            return self._new("le", (m - n, y))
        return self._new("le", (x, n - m)) if y is None else self._new("le", (a, b))

    def lt(self, a: Scalar, b: Scalar) -> Scalar:
        return self.le(self.add(a, 1), b)

    def eq(self, a: Scalar, b: Scalar) -> Scalar:
        """Equality of integers."""
        (la, ha), (lb, hb) = interval(a), interval(b)
        if (ha is not None and lb is not None and ha < lb) or (hb is not None and la is not None and hb < la):
            return False
        (x, m), (y, n) = _parts(a), _parts(b)
        if x is y:
            return m == n
        pushed = self._pushed(self.eq, x, y, n - m)
        if pushed is not None:
            return pushed
        if x is None:
            return self._new("eq", (y, m - n))
        if y is None:
            return self._new("eq", (x, n - m))
        return self._new("eq", (a, b) if x.serial < y.serial else (b, a))

    def _pushed(self, compare: Any, x: Node | None, y: Node | None, n: int) -> Scalar | None:
        """A comparison of a conditional value with a number, as one of its cases where one of them is plain."""
        if x is not None and y is None and x.op == "ite":
            c, p, q = x.args
            if not isinstance(p, Node) or not isinstance(q, Node):
                return self.either(c, compare(p, n), compare(q, n))
        if y is not None and x is None and y.op == "ite":
            c, p, q = y.args
            if not isinstance(p, Node) or not isinstance(q, Node):
                return self.either(c, compare(-n, p), compare(-n, q))
        return None

    # --- Z3 ---

    def to_z3(self, roots: Iterable[Scalar], ctx: Any) -> tuple[list[Any], dict[Node, Any]]:
        """The scalars (truth values) as Z3 formulas, with the ranges of the variables in them; and the variables' constants."""
        import z3

        done: dict[Node, Any] = {}
        constants: dict[Node, Any] = {}
        ranges: list[Any] = []

        def get(x: Any, like_bool: bool = False) -> Any:
            if isinstance(x, Node):
                return done[x]
            return z3.BoolVal(x, ctx) if like_bool else z3.IntVal(int(x), ctx)

        def make(n: Node) -> Any:
            a = n.args
            match n.op:
                case "int":
                    c = constants[n] = z3.Int(f"x{n.serial}", ctx)
                    ranges.extend(([c >= n.lo] if n.lo is not None else []) + ([c <= n.hi] if n.hi is not None else []))
                    return c
                case "bool":
                    c = constants[n] = z3.Bool(f"b{n.serial}", ctx)
                    return c
                case "not":
                    return z3.Not(done[a[0]])
                case "and":
                    return z3.And(*map(get, a))
                case "or":
                    return z3.Or(*map(get, a))
                case "iff":
                    return done[a[0]] == done[a[1]]
                case "ite":
                    return z3.If(done[a[0]], get(a[1]), get(a[2]))
                case "add":
                    return get(a[0]) + get(a[1])
                case "mul":
                    return get(a[0]) * get(a[1])
                case "div":
                    return get(a[0]) / get(a[1])
                case "mod":
                    return get(a[0]) % get(a[1])
                case "le":
                    return get(a[0]) <= get(a[1])
                case "eq":
                    return get(a[0]) == get(a[1])
            return _bit_operation(n.op, get(a[0]), get(a[1]), a[2], a[3])

        formulas = []
        for root in roots:
            if not isinstance(root, Node):
                formulas.append(z3.BoolVal(bool(root), ctx))
                continue
            stack = [root]
            while stack:
                top = stack[-1]
                if top in done:
                    stack.pop()
                    continue
                missing = [a for a in top.args if isinstance(a, Node) and a not in done]
                if missing:
                    stack.extend(missing)
                    continue
                done[top] = make(top)
                stack.pop()
            formulas.append(done[root])
        return [*ranges, *formulas], constants


def _bit_operation(op: str, a: Any, b: Any, width: int, signed: bool) -> Any:
    import z3

    x, y = z3.Int2BV(a, width), z3.Int2BV(b, width)
    result = {
        "bitand": lambda: x & y,
        "bitor": lambda: x | y,
        "bitxor": lambda: x ^ y,
        "shl": lambda: x << y,
        "shr": lambda: x >> y if signed else z3.LShR(x, y),
    }[op]()
    return z3.BV2Int(result, signed)


def _serial(n: Node) -> int:
    return n.serial


def _sum(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _split(x: Node) -> tuple[Node, int]:
    """An integer expression as another one and a number to add."""
    if x.op == "add" and not isinstance(x.args[1], Node):
        return x.args[0], x.args[1]
    return x, 0


def _parts(x: Scalar) -> tuple[Node | None, int]:
    return _split(x) if isinstance(x, Node) else (None, int(x))
