"""Items of the syntax tree: functions with their clauses, types, implementations, modules, macros, the file itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from translate.syntax.base import Node, Span

if TYPE_CHECKING:
    from translate.syntax.expressions import Block, Expr
    from translate.syntax.types import Bound, Generics, Path, Pattern, Type
    from translate.tokens import Group


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
