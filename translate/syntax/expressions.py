"""Expressions and statements of the syntax tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from translate.syntax.base import Node

if TYPE_CHECKING:
    from translate.syntax.items import Attr, Clause, Item
    from translate.syntax.types import GenericArgs, Path, Pattern, Type
    from translate.tokens import Group

# --- expressions ---------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Literal(Node):
    """`kind` is "int", "float", "bool", "char", "byte", "str" or "bytestr" (C strings are "bytestr" too).

    `value` is the meaning: an int, a bool, a one-character string, a string, bytes; a float keeps its text.
    `suffix` is "" or a type name such as "u8".
    """

    kind: str
    value: int | bool | str | bytes
    suffix: str = ""


@dataclass(slots=True, eq=False)
class PathExpr(Node):
    path: Path


@dataclass(slots=True, eq=False)
class Unary(Node):
    """`op` is "!", "-" or "*"."""

    op: str
    operand: Expr


@dataclass(slots=True, eq=False)
class Borrow(Node):
    """`&e`, `&mut e`; `raw` for `&raw const e`, `&raw mut e`."""

    operand: Expr
    mutable: bool = False
    raw: bool = False


@dataclass(slots=True, eq=False)
class Binary(Node):
    """`op` as written: arithmetic, bits, `&&`, `||`, `==>`, `<==`, `<==>`, `==`, `!=`, `===`, `!==`, `=~=`, `!~=`, `=~~=`,
    `!~~=`, and a single comparison `<`, `<=`, `>`, `>=`."""

    op: str
    left: Expr
    right: Expr


@dataclass(slots=True, eq=False)
class Chain(Node):
    """A comparison chain of two or more links: `first ops[0] rest[0] ops[1] rest[1] …`, as in `0 <= i < n`."""

    first: Expr
    ops: list[str]
    rest: list[Expr]


@dataclass(slots=True, eq=False)
class BigOp(Node):
    """`&&& a &&& b` or `||| a ||| b`; `op` is "&&&" or "|||"."""

    op: str
    operands: list[Expr]


@dataclass(slots=True, eq=False)
class Assign(Node):
    """`l = r`, `l += r`, …"""

    op: str
    left: Expr
    right: Expr


@dataclass(slots=True, eq=False)
class Call(Node):
    func: Expr
    args: list[Expr]


@dataclass(slots=True, eq=False)
class AtomicCall(Node):
    """`call atomically [loop] |update| [-> (r: T)] clauses { body }`; `call` is a Call or MethodCall."""

    call: Expr
    binder: str
    looped: bool
    output_name: Pattern | None
    output: Type | None
    clauses: list[Clause]
    body: Block


@dataclass(slots=True, eq=False)
class MethodCall(Node):
    receiver: Expr
    name: str
    generics: GenericArgs | None
    args: list[Expr]


@dataclass(slots=True, eq=False)
class Field(Node):
    """`e.name`, `e.0`"""

    base: Expr
    name: str


@dataclass(slots=True, eq=False)
class Arrow(Node):
    """`e->name`, `e->0`, `e->Variant_0`: the field of whichever variant has it."""

    base: Expr
    name: str


@dataclass(slots=True, eq=False)
class View(Node):
    """`e@`"""

    base: Expr


@dataclass(slots=True, eq=False)
class Index(Node):
    base: Expr
    index: Expr


@dataclass(slots=True, eq=False)
class Range(Node):
    low: Expr | None
    high: Expr | None
    inclusive: bool


@dataclass(slots=True, eq=False)
class Cast(Node):
    operand: Expr
    type: Type


@dataclass(slots=True, eq=False)
class Is(Node):
    """`e is Variant`, `e !is Variant` (`negated`)."""

    operand: Expr
    path: Path
    negated: bool = False


@dataclass(slots=True, eq=False)
class Has(Node):
    """`s has x`, `s !has x` (`negated`)."""

    operand: Expr
    element: Expr
    negated: bool = False


@dataclass(slots=True, eq=False)
class Matches(Node):
    """`e matches PAT`. Its bindings are in scope to the right of a following `&&`, `&&&` or `==>`."""

    operand: Expr
    pattern: Pattern


@dataclass(slots=True, eq=False)
class TupleExpr(Node):
    elems: list[Expr]


@dataclass(slots=True, eq=False)
class ArrayExpr(Node):
    elems: list[Expr]


@dataclass(slots=True, eq=False)
class RepeatExpr(Node):
    """`[elem; count]`"""

    elem: Expr
    count: Expr


@dataclass(slots=True, eq=False)
class StructExpr(Node):
    """`P { a: e, b, ..base }`; a shorthand field has a PathExpr of its own name."""

    path: Path
    fields: list[tuple[str, Expr]]
    base: Expr | None


@dataclass(slots=True, eq=False)
class LetCond(Node):
    """`let PAT = e` as (part of) the condition of `if` or `while`."""

    pattern: Pattern
    operand: Expr


@dataclass(slots=True, eq=False)
class If(Node):
    cond: Expr
    then: Block
    orelse: Expr | None


@dataclass(slots=True, eq=False)
class Arm(Node):
    pattern: Pattern
    guard: Expr | None
    body: Expr
    attrs: list[Attr] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Match(Node):
    operand: Expr
    arms: list[Arm]


@dataclass(slots=True, eq=False)
class Block(Node):
    """`kind` is "", "unsafe", "proof", "const", "async" or "try"; `label` as in `'a: { … }`."""

    stmts: list[Stmt]
    tail: Expr | None
    kind: str = ""
    label: str | None = None


@dataclass(slots=True, eq=False)
class Binder(Node):
    """A bound variable of a quantifier or a parameter of a closure; `mode` is "", "ghost" or "tracked"."""

    pattern: Pattern
    type: Type | None
    mode: str = ""


@dataclass(slots=True, eq=False)
class Closure(Node):
    """`|x, y| body`; exec closures may have a contract. `kind` is "", "move", "proof", ..."""

    params: list[Binder]
    output: Type | None
    output_name: Pattern | None
    body: Expr
    kind: str = ""
    clauses: list[Clause] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Quantifier(Node):
    """`forall|x: T| body`, `exists|…|`, `choose|…|`. `triggers` are the `#![trigger …]` groups; `#[trigger] e` inside the
    body is an AttrExpr."""

    kind: str
    binders: list[Binder]
    triggers: list[list[Expr]]
    body: Expr
    attrs: list[Attr] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class AttrExpr(Node):
    """`#[attr] e`, as in `#[trigger] f(x)`."""

    attrs: list[Attr]
    operand: Expr


@dataclass(slots=True, eq=False)
class Assert(Node):
    """`assert(e)`, `assert(e) by (prover) requires … { body }`, `assert forall|…| e by { body }` (then `condition` is the
    quantifier, with the `implies` part folded in as `==>`)."""

    condition: Expr
    prover: str | None = None
    body: Block | None = None
    requires: list[Expr] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class MacroCall(Node):
    """`name!(tokens)`: not expanded here."""

    path: Path
    body: Group


@dataclass(slots=True, eq=False)
class Loop(Node):
    """`kind` is "while", "loop" or "for" (then `pattern` and `operand` are set, and `iter_name` is `x` of `for p in x: e`)."""

    kind: str
    cond: Expr | None
    pattern: Pattern | None
    operand: Expr | None
    iter_name: str | None
    clauses: list[Clause]
    body: Block
    label: str | None = None


@dataclass(slots=True, eq=False)
class Jump(Node):
    """`return e`, `break 'a e`, `continue 'a` (`kind`)."""

    kind: str
    label: str | None
    value: Expr | None


@dataclass(slots=True, eq=False)
class Try(Node):
    """`e?`"""

    operand: Expr


@dataclass(slots=True, eq=False)
class Await(Node):
    """`e.await`"""

    operand: Expr


@dataclass(slots=True, eq=False)
class Underscore(Node):
    """`_` on the left of an assignment."""


Expr = (
    Literal
    | PathExpr
    | Unary
    | Borrow
    | Binary
    | Chain
    | BigOp
    | Assign
    | Call
    | AtomicCall
    | MethodCall
    | Field
    | Arrow
    | View
    | Index
    | Range
    | Cast
    | Is
    | Has
    | Matches
    | TupleExpr
    | ArrayExpr
    | RepeatExpr
    | StructExpr
    | LetCond
    | If
    | Match
    | Block
    | Closure
    | Quantifier
    | AttrExpr
    | Assert
    | MacroCall
    | Loop
    | Jump
    | Try
    | Await
    | Underscore
)


# --- statements ----------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class LetStmt(Node):
    """`let [ghost|tracked] PAT: T = init else { … };` (`mode` is "", "ghost" or "tracked")."""

    pattern: Pattern
    type: Type | None
    init: Expr | None
    orelse: Block | None = None
    mode: str = ""
    attrs: list[Attr] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class ExprStmt(Node):
    expr: Expr
    semicolon: bool


@dataclass(slots=True, eq=False)
class ItemStmt(Node):
    """An item, a `broadcast use` or a `reveal` inside a block."""

    item: Item


Stmt = LetStmt | ExprStmt | ItemStmt
