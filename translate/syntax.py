"""The syntax tree of a Verus source file.

In: nothing. Out: the node classes that `translate.parser` builds and that every later stage reads.

One class per construct of the language, in the order of the Rust reference: paths, types, patterns, expressions,
statements, items. Every node carries the byte span of its source text. Nodes are treated as immutable once built; they
compare by identity (structural comparison is `equiv.ast_test`). Parentheses leave no node: the tree already says what
binds to what.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from translate.tokens import Group


class Span(NamedTuple):
    """A half-open range of byte offsets into one source file."""

    start: int
    end: int


@dataclass(slots=True, eq=False)
class Node:
    """What all nodes have: the place of their text."""

    span: Span


# --- paths and generic arguments -----------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class GenericArgs(Node):
    """`<A, 'a, N, Item = T>`, or `(A, B) -> R` after `Fn`, `FnSpec`, `spec_fn` (`parenthesised`).

    Lifetimes are left out. `Item: Bound` is a binding to an `impl Bound`. Only
    `proof_fn<…>[Options](tracked A) -> tracked R` uses the rest: `modes` are those of the arguments and, last, of the
    output (empty where none is written); `options` stand in the square brackets, `angle` before them.
    """

    args: list[Type | Expr]
    bindings: list[tuple[str, Type | Expr]] = field(default_factory=list)
    parenthesised: bool = False
    output: Type | None = None
    modes: list[str] = field(default_factory=list)
    options: list[Path] = field(default_factory=list)
    angle: GenericArgs | None = None


@dataclass(slots=True, eq=False)
class PathSegment(Node):
    name: str
    args: GenericArgs | None = None


@dataclass(slots=True, eq=False)
class Path(Node):
    """`a::b::<T>::c`, `::a` (`rooted`), `<T as Trait>::c` (`qself` is T, `qself_trait` is Trait)."""

    segments: list[PathSegment]
    rooted: bool = False
    qself: Type | None = None
    qself_trait: Path | None = None

    @property
    def text(self) -> str:
        """The path without generic arguments, as in `vstd::seq::Seq`."""
        return "::".join(s.name for s in self.segments)


# --- types ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class PathType(Node):
    path: Path


@dataclass(slots=True, eq=False)
class RefType(Node):
    """`&T`, `&mut T`, `&'a T`."""

    inner: Type
    mutable: bool = False


@dataclass(slots=True, eq=False)
class PtrType(Node):
    inner: Type
    mutable: bool = False


@dataclass(slots=True, eq=False)
class SliceType(Node):
    elem: Type


@dataclass(slots=True, eq=False)
class ArrayType(Node):
    elem: Type
    length: Expr


@dataclass(slots=True, eq=False)
class TupleType(Node):
    """`(A, B)`; the unit type is the empty tuple."""

    elems: list[Type]


@dataclass(slots=True, eq=False)
class FnPtrType(Node):
    params: list[Type]
    output: Type | None


@dataclass(slots=True, eq=False)
class BoundsType(Node):
    """`impl A + B` or `dyn A + B` (`keyword` says which)."""

    keyword: str
    bounds: list[Bound]


@dataclass(slots=True, eq=False)
class InferType(Node):
    """`_`"""


@dataclass(slots=True, eq=False)
class NeverType(Node):
    """`!`"""


@dataclass(slots=True, eq=False)
class MacroType(Node):
    path: Path
    body: Group


Type = (
    PathType | RefType | PtrType | SliceType | ArrayType | TupleType | FnPtrType | BoundsType | InferType | NeverType | MacroType
)


@dataclass(slots=True, eq=False)
class Bound(Node):
    """One bound: a trait path (`?Sized` has `maybe`), or a lifetime (`path` is None, `lifetime` its name)."""

    path: Path | None
    lifetime: str | None = None
    maybe: bool = False


@dataclass(slots=True, eq=False)
class GenericParam(Node):
    """`kind` is "type", "lifetime" or "const"; `type` is the type of a const parameter."""

    kind: str
    name: str
    bounds: list[Bound] = field(default_factory=list)
    type: Type | None = None
    default: Type | Expr | None = None


@dataclass(slots=True, eq=False)
class WherePredicate(Node):
    """`T: A + B`; a lifetime predicate has a `lifetime` instead of a `type`."""

    type: Type | None
    bounds: list[Bound]
    lifetime: str | None = None


@dataclass(slots=True, eq=False)
class Generics(Node):
    params: list[GenericParam] = field(default_factory=list)
    where: list[WherePredicate] = field(default_factory=list)


# --- patterns ------------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class WildPat(Node):
    """`_`"""


@dataclass(slots=True, eq=False)
class RestPat(Node):
    """`..` inside a tuple, tuple-struct or slice pattern."""


@dataclass(slots=True, eq=False)
class IdentPat(Node):
    """`x`, `mut x`, `ref x`, `x @ sub`. A bare name may turn out to be a constant or a unit variant."""

    name: str
    by_ref: bool = False
    mutable: bool = False
    sub: Pattern | None = None


@dataclass(slots=True, eq=False)
class PathPat(Node):
    path: Path


@dataclass(slots=True, eq=False)
class TupleStructPat(Node):
    path: Path
    elems: list[Pattern]


@dataclass(slots=True, eq=False)
class StructPat(Node):
    """`P { a, b: pat, .. }`; a shorthand field has an IdentPat of its own name."""

    path: Path
    fields: list[tuple[str, Pattern]]
    rest: bool


@dataclass(slots=True, eq=False)
class TuplePat(Node):
    elems: list[Pattern]


@dataclass(slots=True, eq=False)
class RefPat(Node):
    inner: Pattern


@dataclass(slots=True, eq=False)
class LitPat(Node):
    """A literal, or a literal with a minus sign."""

    value: Expr


@dataclass(slots=True, eq=False)
class RangePat(Node):
    low: Expr | None
    high: Expr | None
    inclusive: bool


@dataclass(slots=True, eq=False)
class OrPat(Node):
    alternatives: list[Pattern]


@dataclass(slots=True, eq=False)
class SlicePat(Node):
    elems: list[Pattern]


@dataclass(slots=True, eq=False)
class MacroPat(Node):
    path: Path
    body: Group


Pattern = (
    WildPat
    | RestPat
    | IdentPat
    | PathPat
    | TupleStructPat
    | StructPat
    | TuplePat
    | RefPat
    | LitPat
    | RangePat
    | OrPat
    | SlicePat
    | MacroPat
)


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


# --- items ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Attr(Node):
    """`#[path tokens]`, `#![…]` (`inner`). `path` is the text of the path; `args` the group behind it, `value` the literal
    of `#[path = "…"]`. `text` is the whole attribute without its brackets, white space folded."""

    path: str
    args: Group | None
    value: str | None
    text: str
    inner: bool = False


@dataclass(slots=True, eq=False)
class Clause(Node):
    """One clause of a signature or loop.

    `kind` is the keyword: "requires", "ensures", "returns", "recommends", "decreases", "default_ensures", "invariant",
    "invariant_except_break", "invariant_ensures", "opens_invariants", "no_unwind", "via", "when", "with", ….
    `exprs` are its expressions in order ("decreases" keeps `when` and `via` in clauses of their own; "no_unwind" has the
    condition of its `when`). `word` is "any", "none", "list" (`[a, b]`), "set" (an expression) or "except" (`any / [a]`)
    after `opens_invariants`, `outer_mask`, `inner_mask`; the prover of "by"; the binder of "atomically".
    `params` and `outputs` belong to "with"; `inner` are the clauses in the braces of "atomically", whose `params` and
    `outputs` are its old and new permissions. `attrs` are the `#![…]` in front of the expressions.
    """

    kind: str
    exprs: list[Expr]
    word: str | None = None
    params: list[Param] = field(default_factory=list)
    outputs: list[Param] = field(default_factory=list)
    inner: list[Clause] = field(default_factory=list)
    attrs: list[Attr] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Param(Node):
    """A parameter. `self` parameters have name "self", `type` None where it is implicit, and `self_kind` one of "self",
    "&self", "&mut self", "mut self". `mode` is "", "ghost" or "tracked"."""

    pattern: Pattern | None
    name: str
    type: Type | None
    mode: str = ""
    self_kind: str | None = None
    attrs: list[Attr] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Fn(Node):
    """A function or method, in any mode.

    `mode` is "exec", "spec" or "proof" (`axiom` is set as well for `axiom fn`, then `mode` is "proof"); `mode_text` keeps
    `spec(checked)` and the like. `publish` is "", "open", "closed" or "uninterp"; `open_in` the path of `open(in …)`.
    `qualifiers` are "const", "unsafe", "async", "extern" as written. `ret_name` is the pattern of `-> (r: T)`.
    `body` is the unparsed `{ … }` (None for a declaration): `translate.parser.body_of(fn)` parses it on demand.
    `in_verus` says whether Verus reads it as verified code: inside `verus!`, or with `#[verus_spec]`/`#[verus_verify]`.
    """

    name: str
    name_span: Span
    attrs: list[Attr]
    vis: str
    mode: str
    mode_text: str
    publish: str
    open_in: str | None
    axiom: bool
    broadcast: bool
    qualifiers: list[str]
    generics: Generics
    params: list[Param]
    ret_name: Pattern | None
    ret_type: Type | None
    ret_mode: str
    clauses: list[Clause]
    body: Group | None
    in_verus: bool
    variadic: bool = False
    parsed_body: Block | None = None

    def exprs(self, kind: str) -> list[Expr]:
        """The expressions of all clauses of that kind, in order."""
        return [e for c in self.clauses if c.kind == kind for e in c.exprs]


@dataclass(slots=True, eq=False)
class FieldDef(Node):
    """`name` is "0", "1", … in a tuple struct. `mode` is "", "ghost" or "tracked"."""

    name: str
    type: Type
    vis: str = ""
    mode: str = ""
    attrs: list[Attr] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Variant(Node):
    """`shape` is "unit", "tuple" or "struct"."""

    name: str
    fields: list[FieldDef]
    shape: str
    discriminant: Expr | None = None
    attrs: list[Attr] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Struct(Node):
    """A struct or (`union`) a union; `mode` is "", "ghost" or "tracked"."""

    name: str
    attrs: list[Attr]
    vis: str
    mode: str
    generics: Generics
    fields: list[FieldDef]
    shape: str
    in_verus: bool
    union: bool = False


@dataclass(slots=True, eq=False)
class Enum(Node):
    name: str
    attrs: list[Attr]
    vis: str
    mode: str
    generics: Generics
    variants: list[Variant]
    in_verus: bool


@dataclass(slots=True, eq=False)
class Impl(Node):
    attrs: list[Attr]
    generics: Generics
    trait: Path | None
    self_type: Type
    items: list[Item]
    in_verus: bool
    negative: bool = False


@dataclass(slots=True, eq=False)
class Trait(Node):
    name: str
    attrs: list[Attr]
    vis: str
    generics: Generics
    supertraits: list[Bound]
    items: list[Item]
    in_verus: bool
    is_alias: bool = False


@dataclass(slots=True, eq=False)
class TypeAlias(Node):
    """`type A<T> = …;` also as an associated type (`type` None in a trait without a default)."""

    name: str
    attrs: list[Attr]
    vis: str
    generics: Generics
    bounds: list[Bound]
    type: Type | None
    in_verus: bool


@dataclass(slots=True, eq=False)
class Const(Node):
    """A constant or (`static`) a static. In Verus it may have a mode, an `ensures`, and a block as its value."""

    name: str
    attrs: list[Attr]
    vis: str
    mode: str
    publish: str
    generics: Generics
    type: Type
    clauses: list[Clause]
    value: Expr | None
    in_verus: bool
    static: bool = False


@dataclass(slots=True, eq=False)
class UseTree(Node):
    """One leaf of a `use`: `path` are the full segments, `alias` the name it introduces (None for `as _`), `glob` for `::*`."""

    path: list[str]
    alias: str | None
    glob: bool = False


@dataclass(slots=True, eq=False)
class Use(Node):
    attrs: list[Attr]
    vis: str
    leaves: list[UseTree]
    in_verus: bool


@dataclass(slots=True, eq=False)
class Mod(Node):
    """`mod a { … }`, or `mod a;` (`items` None)."""

    name: str
    attrs: list[Attr]
    vis: str
    items: list[Item] | None
    in_verus: bool


@dataclass(slots=True, eq=False)
class MacroDef(Node):
    """`macro_rules! name { … }` or `macro name(…) { … }`."""

    name: str
    attrs: list[Attr]
    body: Group


@dataclass(slots=True, eq=False)
class MacroItem(Node):
    """A macro call in item position other than `verus!`, whose items stand in the tree directly."""

    attrs: list[Attr]
    path: Path
    body: Group
    in_verus: bool


@dataclass(slots=True, eq=False)
class BroadcastGroup(Node):
    name: str
    attrs: list[Attr]
    vis: str
    members: list[Path]


@dataclass(slots=True, eq=False)
class BroadcastUse(Node):
    attrs: list[Attr]
    paths: list[Path]


@dataclass(slots=True, eq=False)
class Global(Node):
    """`global size_of usize == 8;`, `global layout T is size == 8, align == 8;` (`text` is everything behind `global`)."""

    kind: str
    type: Type | None
    text: str
    size: int | None = None


@dataclass(slots=True, eq=False)
class AssumeSpecification(Node):
    """`assume_specification<T>[ path ](params) -> r clauses;` — `path` names the function that gets the contract."""

    attrs: list[Attr]
    vis: str
    generics: Generics
    path: Path
    params: list[Param]
    ret_name: Pattern | None
    ret_type: Type | None
    clauses: list[Clause]


@dataclass(slots=True, eq=False)
class OtherItem(Node):
    """Items that carry no contract: `extern crate`, `extern "C" { … }`, a stray `;`. `kind` names the construct."""

    kind: str
    attrs: list[Attr]


Item = (
    Fn
    | Struct
    | Enum
    | Impl
    | Trait
    | TypeAlias
    | Const
    | Use
    | Mod
    | MacroDef
    | MacroItem
    | BroadcastGroup
    | BroadcastUse
    | Global
    | AssumeSpecification
    | OtherItem
)


@dataclass(slots=True, eq=False)
class ParseProblem(Node):
    """What could not be parsed: `construct` names it in a word or two ("expression", "item", "nesting"), `message` says what
    was expected and found. The text from `span.start` to the next safe point was skipped."""

    construct: str
    message: str


@dataclass(slots=True, eq=False)
class File(Node):
    """A parsed source file: its items (those of `verus!` blocks in place, with `in_verus`), and every parse problem."""

    attrs: list[Attr]
    items: list[Item]
    problems: list[ParseProblem]
    verus_blocks: int
