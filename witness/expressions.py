"""Candidate expressions as typed trees, and their text as Rust.

In: nothing. Out: `Node`, the patterns of a `match`, `to_rust`. A node's `sort` is the Rust type it has, references taken off
(`&u64` and `u64` are one sort here: whether a reference fits is for rustc to say, at gate 3). Trees are built by
`witness.language` from text and by `witness.search` by enumeration; their meaning is given three times, independently:
`witness.run` computes values as Rust does, `witness.weakest` gives the term and the obligations, rustc compiles the text.

| op | arguments | data | |
|---|---|---|---|
| `param`, `local` | | name | a parameter; a variable that a pattern binds |
| `lit` | | the value | an integer, truth value or character |
| `const` | | `Constant` | a constant of the file, a limit such as `u64::MAX` |
| `neg`, `not`, `bitnot` | 1 | | `-x`; `!x` of a truth value; `!x` of an integer |
| `add` `sub` `mul` `div` `rem` | 2 | | arithmetic of the type: panics on overflow and on division by zero |
| `bitand` `bitor` `bitxor` `shl` `shr` | 2 | | bits; a shift panics unless its count is below the width |
| `eq` `ne` `lt` `le` `gt` `ge` | 2 | | comparison |
| `and` `or` | 2 | | `&&` and `\\|\\|`: the right side only where it matters |
| `if` | 3 | | |
| `cast` | 1 | | `x as T` where T is the node's sort |
| `index` | 2 | | `x[i]`: panics out of range |
| `field` | 1 | `(index, name)` | of a struct or tuple |
| `ctor` | fields | `Constructor` | a tuple, a struct, a variant |
| `match` | value, arms | patterns | the first pattern that matches |
| `method` | receiver, arguments | `witness.methods.Method` | |
| `new` | | the call | `Vec::new()`, `String::new()` |
| `array` | elements | | `[a, b]` |
| `self` | arguments | the path, or `.name` | the function itself: recursion |
| `ref`, `deref` | 1 | | `&x`, `*x` |
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from translate.syntax import Span
from translate.terms import CHAR, Sort, Term
from translate.values import Value, render_rust


class Constant(NamedTuple):
    """A constant: as it is written, what it means, its value."""

    text: str
    term: Term
    value: Value


class Constructor(NamedTuple):
    """`path` as it is written ("" for a tuple), the variant, and for a struct-like one the names of its fields."""

    path: str
    variant: int
    names: tuple[str, ...] = ()


# --- patterns ------------------------------------------------------------------------------------------------------------


class Anything(NamedTuple):
    """`_`, or a name that is bound."""

    name: str = ""


class Exactly(NamedTuple):
    """A literal or constant; its bounds are equal then. `low` or `high` is None where a range is open."""

    low: int | bool | None
    high: int | bool | None
    text: str


class Variant(NamedTuple):
    """A variant (struct, tuple: 0) whose fields at these positions match."""

    sort: Sort
    variant: int
    fields: tuple[tuple[int, Pattern], ...]
    text: str


class Either(NamedTuple):
    alternatives: tuple[Pattern, ...]


Pattern: TypeAlias = "Anything | Exactly | Variant | Either"


# --- nodes ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One node; `at` is the place in the candidate's text, None where there is none."""

    op: str
    args: tuple[Node, ...]
    sort: Sort
    data: Any = None
    at: Span | None = None


def size(node: Node) -> int:
    """The number of nodes; references count for nothing."""
    return (node.op not in ("ref", "deref")) + sum(map(size, node.args))


def nodes(node: Node) -> Iterator[Node]:
    """Every node, parents first."""
    yield node
    for a in node.args:
        yield from nodes(a)


# --- as Rust -------------------------------------------------------------------------------------------------------------

OPERATORS: Final = {
    "mul": ("*", 16), "div": ("/", 16), "rem": ("%", 16), "add": ("+", 15), "sub": ("-", 15), "shl": ("<<", 14),
    "shr": (">>", 14), "bitand": ("&", 13), "bitxor": ("^", 12), "bitor": ("|", 11), "eq": ("==", 10), "ne": ("!=", 10),
    "lt": ("<", 10), "le": ("<=", 10), "gt": (">", 10), "ge": (">=", 10), "and": ("&&", 9), "or": ("||", 8),
}  # fmt: skip
_CAST, _PREFIX, _POSTFIX, _ATOM, _LOW = 17, 18, 19, 20, 0
_COMPARISONS: Final = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})


def to_rust(node: Node) -> str:
    """The expression as Rust, on one line, with the parentheses that it needs."""
    return _text(node, _LOW, False)


def _text(node: Node, level: int, typed: bool) -> str:
    """The text of a node where an operator of a level stands around it; `typed` says that nothing else tells the type of its
    literals."""
    text, own = _written(node, typed)
    return f"({text})" if own < level else text


def _written(node: Node, typed: bool) -> tuple[str, int]:
    args = node.args
    match node.op:
        case "param" | "local":
            return str(node.data), _ATOM
        case "const":
            return node.data.text, _ATOM
        case "lit":
            return literal(node.data, node.sort, typed)
        case "neg" | "not" | "bitnot":
            return ("-" if node.op == "neg" else "!") + _text(args[0], _PREFIX, typed), _PREFIX
        case "ref" | "deref":
            return ("&" if node.op == "ref" else "*") + _text(args[0], _PREFIX, typed), _PREFIX
        case "cast":
            return f"{_text(args[0], _CAST, True)} as {node.sort}", _CAST
        case "index":
            return f"{_text(args[0], _POSTFIX, True)}[{_text(args[1], _LOW, False)}]", _POSTFIX
        case "field":
            return f"{_text(args[0], _POSTFIX, True)}.{node.data[1]}", _POSTFIX
        case "method":
            inside = ", ".join(_text(a, _LOW, False) for a in args[1:])
            return f"{_text(args[0], _POSTFIX, True)}.{node.data.name}({inside})", _POSTFIX
        case "new":
            return str(node.data), _ATOM
        case "self":
            head, rest = str(node.data), args
            if head.startswith("."):
                head, rest = _text(args[0], _POSTFIX, True) + head, args[1:]
            return f"{head}({', '.join(_text(a, _LOW, False) for a in rest)})", _POSTFIX
        case "array":
            return f"[{', '.join(_text(a, _LOW, typed) for a in args)}]", _ATOM
        case "ctor":
            return _constructed(node, typed), _ATOM
        case "if":
            cond, then, other = _text(args[0], _LOW, False), _text(args[1], _LOW, typed), _text(args[2], _LOW, typed)
            chain = other if args[2].op == "if" else f"{{ {other} }}"
            return f"if {cond} {{ {then} }} else {chain}", _LOW + 1
        case "match":
            arms = ", ".join(f"{_pattern(p)} => {_text(a, _LOW, typed)}" for p, a in zip(node.data, args[1:], strict=True))
            return f"match {_text(args[0], _POSTFIX, True)} {{ {arms} }}", _LOW + 1
    return _operated(node, typed)


def _operated(node: Node, typed: bool) -> tuple[str, int]:
    sign, level = OPERATORS[node.op]
    left, right = node.args
    compares = node.op in _COMPARISONS
    typed = (typed or compares) and _is_open(left) and _is_open(right)
    first = _text(left, level + compares, typed or node.op in ("shl", "shr"))
    if left.op == "cast" and sign in ("<", "<<") and not first.startswith("("):
        first = f"({first})"  # `x as u8 < y` would open generic arguments
    return f"{first} {sign} {_text(right, level + 1, typed and node.op not in ('shl', 'shr'))}", level


def _is_open(node: Node) -> bool:
    """Whether nothing in an expression says which integer type it has."""
    if node.op == "if":
        return _is_open(node.args[1]) and _is_open(node.args[2])
    return node.op == "lit" or (node.op in ("neg", "bitnot", *OPERATORS) and all(map(_is_open, node.args)))


def literal(value: Value, sort: Sort, typed: bool) -> tuple[str, int]:
    """A literal and how tight it binds; integers with their type where `typed`."""
    if isinstance(value, bool) or sort is CHAR:
        return render_rust(value, sort), _ATOM
    suffix = f"{sort.name}" if typed else ""
    assert isinstance(value, int)
    return f"{value}{suffix}", _ATOM if value >= 0 else _PREFIX


def _constructed(node: Node, typed: bool) -> str:
    made: Constructor = node.data
    inside = [_text(a, _LOW, typed) for a in node.args]
    if made.names:
        return f"{made.path} {{ {', '.join(f'{n}: {t}' for n, t in zip(made.names, inside, strict=True))} }}"
    if not made.path:
        return f"({', '.join(inside)}{',' if len(inside) == 1 else ''})"
    return f"{made.path}({', '.join(inside)})" if inside else made.path


def _pattern(p: Pattern) -> str:
    match p:
        case Anything(name=name):
            return name or "_"
        case Exactly(text=text) | Variant(text=text):
            return text
        case Either(alternatives=alternatives):
            return " | ".join(map(_pattern, alternatives))
