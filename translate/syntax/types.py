"""Paths, generic arguments, types and patterns of the syntax tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from translate.syntax.base import Node

if TYPE_CHECKING:
    from translate.syntax.expressions import Expr
    from translate.tokens import Group

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
    def names(self) -> list[str]:
        """The names of the segments, as name resolution takes them: a rooted path has an empty first one."""
        return [*([""] if self.rooted else []), *(s.name for s in self.segments)]

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
    """`&T`, `&mut T`, `&'a T`; `static` is whether the lifetime is `'static`."""

    inner: Type
    mutable: bool = False
    static: bool = False


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
