"""What a candidate computes: its value, as Rust computes it.

In: an expression, values of the parameters. Out: the value, or `Panic`. Shares no code with `witness.weakest`, so that either can
check the other; rustc's answer is compared with this one at gate 3. `operate` is one strict operator on values: the enumeration
(`witness.search`) calls it on whole columns.

Source: the Rust reference, "Expressions".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from translate.terms import BOOL, CHAR, Sort
from translate.values import Boxed, DataValue, Value
from witness.expressions import Anything, Either, Exactly, Node, Pattern, Variant
from witness.numbers import CallsItself, Panic, in_bounds, truncated_division, truncated_remainder, width, wrap

#: Levels of the tree that a run may go down.
DEEPEST: Final = 2_000


def run(node: Node, values: Mapping[str, Value], word: int) -> Value:
    """The value of an expression where the parameters have these values. Raises `Panic`, and `CallsItself` where it
    comes to a call of the function itself."""
    match node.op:
        case "param" | "local":
            return values[node.data]
        case "and":
            return bool(run(node.args[0], values, word)) and bool(run(node.args[1], values, word))
        case "or":
            return bool(run(node.args[0], values, word)) or bool(run(node.args[1], values, word))
        case "if":
            return run(node.args[1] if run(node.args[0], values, word) else node.args[2], values, word)
        case "match":
            subject = run(node.args[0], values, word)
            for pattern, body in zip(node.data, node.args[1:], strict=True):
                bound: dict[str, Value] = {}
                if matches(pattern, subject, bound):
                    return run(body, {**values, **bound}, word)
            raise Panic("no pattern matches")
    value: Value = operate(node, [run(a, values, word) for a in node.args], word)
    return value


def matches(pattern: Pattern, value: Any, bound: dict[str, Value]) -> bool:
    """Whether a value matches; what the pattern binds goes into `bound`."""
    match pattern:
        case Anything(name=name):
            if name:
                bound[name] = value
            return True
        case Exactly(low=low, high=high):
            return (low is None or low <= value) and (high is None or value <= high)
        case Variant(variant=variant, fields=fields):
            return bool(value.variant == variant) and all(matches(p, value.fields[i], bound) for i, p in fields)
        case Either(alternatives=alternatives):
            return any(matches(p, value, bound) for p in alternatives)


def operate(node: Node, values: Sequence[Any], word: int) -> Any:
    """The value of a node whose arguments have these values; for every operator but `and`, `or`, `if`, `match`."""
    simple = _SIMPLE.get(node.op)
    if simple is not None:
        return simple(*values)
    match node.op:
        case "lit":
            return node.data
        case "const":
            return node.data.value
        case "add" | "sub" | "mul" | "neg":
            return _arithmetic(node.op, values, node.sort, word)
        case "div" | "rem":
            return _divide(node.op, values[0], values[1], node.sort, word)
        case "bitnot":
            return wrap(~values[0], node.sort, word)
        case "shl" | "shr":
            if not 0 <= values[1] < width(node.sort, word):
                raise Panic("shift count out of range")
            return wrap(values[0] << values[1], node.sort, word) if node.op == "shl" else values[0] >> values[1]
        case "cast":
            return cast(values[0], node.args[0].sort, node.sort, word)
        case "index":
            if values[1] >= len(values[0].view):
                raise Panic("index out of range")
            return values[0].view[values[1]]
        case "field":
            return values[0].fields[node.data[0]]
        case "ctor":
            return DataValue(node.sort.name, node.data.variant, tuple(values))
        case "method":
            return node.data.value(node.args[0].sort, values, word)
        case "new":
            return Boxed(())
        case "array":
            return Boxed(tuple(values))
        case "self":
            raise CallsItself("calls itself")
    raise AssertionError(node.op)


_SIMPLE: Final[dict[str, Callable[..., Any]]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "not": lambda a: not a,
    "bitand": lambda a, b: a & b,
    "bitor": lambda a, b: a | b,
    "bitxor": lambda a, b: a ^ b,
    "ref": lambda a: a,
    "deref": lambda a: a,
}


def _arithmetic(op: str, values: Sequence[Any], sort: Sort, word: int) -> int:
    if op == "neg":
        result = -values[0]
    else:
        a, b = values
        result = a + b if op == "add" else a - b if op == "sub" else a * b
    if not in_bounds(result, sort, word):
        raise Panic("overflow")
    return int(result)


def _divide(op: str, a: int, b: int, sort: Sort, word: int) -> int:
    if b == 0:
        raise Panic("division by zero")
    quotient = truncated_division(a, b)
    if not in_bounds(quotient, sort, word):
        raise Panic("overflow")
    return quotient if op == "div" else truncated_remainder(a, b)


def cast(value: Any, source: Sort, target: Sort, word: int) -> Value:
    """`value as target`: integers wrap, `true` is 1."""
    if source is BOOL:
        return int(value)
    return int(value) if target is CHAR else wrap(value, target, word)
