"""A source text made ready for mutation: its targets, the places where a contract says something, and their types.

In: a `SourceText`. Out: `Work`, which the rules ask. Types come from the elaborator, as it meets the expressions of the
contracts; where it gives up, the rules that need a type simply find no place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from equiv.check import read_crate
from equiv.targets import targets_of
from experiments.mutation.text import Edit, Tokens
from experiments.mutation.tree import parts
from translate import syntax as sx
from translate.elaborate.contracts import read_contract
from translate.elaborate.definitions import has_attr
from translate.elaborate.elaborator import Elaborator
from translate.elaborate.inference import Unsupported
from translate.elaborate.scope import Scope, Typed
from translate.names import Ref
from translate.parser import ParseFailure, body_of
from translate.room import deep_stack
from translate.source import SourceText
from translate.syntax import Expr, Fn
from translate.terms import Sort

#: Clauses that are part of a contract, in the order in which rules look at them.
CONTRACT = ("requires", "ensures", "default_ensures", "returns")

_ATOMS = (
    sx.PathExpr
    | sx.Call
    | sx.MethodCall
    | sx.Index
    | sx.View
    | sx.Field
    | sx.Arrow
    | sx.TupleExpr
    | sx.ArrayExpr
    | sx.RepeatExpr
    | sx.Literal
    | sx.MacroCall
)


class Recorder(Elaborator):
    """An elaborator that remembers the type of each expression, and the variables in scope there."""

    def __init__(self, crate: object) -> None:
        super().__init__(crate)  # type: ignore[arg-type]
        self.seen: dict[int, list[tuple[Sort, Scope]]] = {}

    def expr(self, e: Expr, scope: Scope, want: Sort | None = None) -> Typed:
        value = super().expr(e, scope, want)
        self.seen.setdefault(id(e), []).append((value.sort, scope))
        return value


@dataclass(frozen=True, slots=True)
class Place:
    """An expression that is a part of a contract as a whole: a clause, or the value of a spec function.

    `kind` is a clause's keyword, or "definition"; `fn` the function whose text it stands in.
    """

    kind: str
    expr: Expr
    fn: Ref


@dataclass(frozen=True, slots=True)
class Site:
    """One expression in a place. `above` are the expressions around it, the nearest last."""

    node: Expr
    above: tuple[sx.Node, ...]
    place: Place

    @property
    def parent(self) -> sx.Node | None:
        return self.above[-1] if self.above else None

    @property
    def in_choose(self) -> bool:
        """Whether it decides what `choose` chooses: there, equivalent is not always the same."""
        return any(isinstance(n, sx.Quantifier) and n.kind == "choose" for n in self.above)

    def promised(self) -> bool | None:
        """Whether the clause promises more where this says more: True for positive places, False for negative ones, None where
        both or neither hold."""
        sign = True
        inner: sx.Node = self.node
        for outer in reversed(self.above):
            match outer:
                case sx.Unary(op="!"):
                    sign = not sign
                case sx.Binary(op="==>"):
                    sign = not sign if inner is outer.left else sign
                case sx.Binary(op="<=="):
                    sign = not sign if inner is outer.right else sign
                case (
                    sx.Binary(op="&&" | "||") | sx.BigOp() | sx.AttrExpr() | sx.Block() | sx.Quantifier(kind="forall" | "exists")
                ):
                    pass
                case _:
                    return None
            inner = outer
        return sign


class Work:
    """A source text with targets. Raises `UnknownTarget` when one of `wanted` is no function of it."""

    def __init__(self, source: SourceText, wanted: Sequence[str] | None = None) -> None:
        self.source = source
        with deep_stack():
            self.crate = read_crate(source)
            self.file = self.crate.file
            self.tokens = Tokens(source)
            self.targets = targets_of(self.crate, None if wanted is None else list(wanted))
            self._recorder = Recorder(self.crate)
            self._reached: dict[str, list[Ref]] = {}
            for target in self.targets:
                self._read(target)

    def _read(self, target: Ref) -> None:
        """Has the elaborator read a contract, for its types and for the definitions that it reaches."""
        with suppress(Unsupported, ParseFailure, RecursionError, AssertionError):
            read_contract(self._recorder, target)
        reached = set(self._recorder.closure_of(target.path))
        self._reached[target.path] = [r for r in self.crate.functions if r.path in reached and is_definition(r)]

    # --- text ------------------------------------------------------------------------------------------------------

    def text(self, node: sx.Node) -> str:
        return self.source.snippet(node.span)

    def operand(self, node: Expr) -> str:
        """The text of an expression, fit to stand beside any operator."""
        text = self.text(node)
        if isinstance(node, _ATOMS):
            return text
        if isinstance(node, sx.BigOp):
            return f"({{ {text} }})"
        return f"({text})"

    def plain(self, node: Expr) -> str:
        """As `operand`, without `#[trigger]`: for a second copy."""
        while isinstance(node, sx.AttrExpr):
            node = node.operand
        return self.operand(node)

    def element(self, node: Expr) -> str:
        """The text of an expression, fit to stand as a clause of its own."""
        if isinstance(node, sx.BigOp):
            return f"({{ {self.text(node)} }})"
        outer = self.tokens.with_parentheses(node.span)
        return f"({self.text(node)})" if outer != node.span else self.text(node)

    def instead(self, site: Site, text: str) -> Edit:
        """Puts a new expression in the place of an old one, in parentheses where it does not fill a pair of them."""
        node, parent = site.node, site.parent
        if isinstance(node, sx.Block) or (isinstance(parent, sx.If) and node is parent.orelse):
            return Edit(node.span, f"{{ {text} }}")
        before, after = self.tokens.around(node.span)
        alone = (before in ("(", "[", ",") and after in (")", "]", ",")) or parent is None
        alone = alone or (isinstance(parent, sx.Block) and node is parent.tail)
        return Edit(node.span, text if alone else f"({text})")

    # --- types -----------------------------------------------------------------------------------------------------

    def sort(self, node: sx.Node) -> Sort | None:
        """The sort of an expression, where it is known and the same wherever its definition is used."""
        seen = self._recorder.seen.get(id(node), [])
        sorts = {self._recorder.inference.zonk(s) for s, _ in seen}
        if len(sorts) != 1:
            return None
        found = sorts.pop()
        return None if found.kind == "infer" else found

    def is_int(self, node: Expr) -> bool:
        """Whether an expression is known to be an integer (a `char` is none)."""
        if isinstance(node, sx.AttrExpr):
            return self.is_int(node.operand)
        if isinstance(node, sx.Literal):
            return node.kind == "int"
        sort = self.sort(node)
        return sort is not None and sort.is_integer and sort.name != "char"

    def scope(self, node: sx.Node) -> dict[str, Sort]:
        """The variables in scope at an expression that the elaborator has met."""
        seen = self._recorder.seen.get(id(node), [])
        if not seen:
            return {}
        return {n: self._recorder.inference.zonk(v.sort) for n, v in seen[0][1].locals.items()}

    # --- places ----------------------------------------------------------------------------------------------------

    def definitions(self, target: Ref) -> list[Ref]:
        """The spec functions of this file, with a body, that the target's contract reaches."""
        return self._reached[target.path]

    def clauses(self, target: Ref) -> list[Place]:
        """The clauses of a contract one by one."""
        fn = function(target)
        return [Place(c.kind, e, target) for c in fn.clauses if c.kind in CONTRACT for e in c.exprs]

    def places(self, target: Ref) -> Iterator[Place]:
        """The clauses, then the values of the definitions that they reach."""
        yield from self.clauses(target)
        for ref in self.definitions(target):
            body = body_of(function(ref))
            if body is not None:
                yield Place("definition", body, ref)

    def sites(self, target: Ref) -> Iterator[Site]:
        """Every expression of every place."""
        for place in self.places(target):
            yield from self.below(Site(place.expr, (), place))

    def below(self, site: Site) -> Iterator[Site]:
        """A site and all sites in it."""
        yield site
        yield from self._below(site.node, (*site.above, site.node), site.place)

    def _below(self, node: sx.Node, above: tuple[sx.Node, ...], place: Place) -> Iterator[Site]:
        for part in parts(node):
            if isinstance(part, (sx.Path | sx.Attr | sx.Binder | sx.PathSegment, sx.Type | sx.Pattern)):
                continue
            if isinstance(node, sx.Quantifier) and part is not node.body:
                continue  # triggers
            if isinstance(part, sx.Stmt | sx.Arm):
                yield from self._below(part, above, place)
            elif isinstance(part, sx.Expr):
                yield Site(part, above, place)
                yield from self._below(part, (*above, part), place)

    @cached_property
    def declared(self) -> dict[str, int]:
        """How many declarations of any sort each name has in the file (functions, types, fields, variables, …), function bodies
        that were not asked for left out."""
        found: dict[str, int] = {}
        for item in self.file.items:
            for node in everything(item):
                for name in _declares(node):
                    found[name] = found.get(name, 0) + 1
        return found

    def library_knows(self, name: str) -> bool:
        """Whether the vocabulary has anything of that name."""
        library = self.crate.library
        return library is not None and (
            bool(library.by_method(name))
            or any(library.prelude(name, space) is not None for space in ("values", "types", "macros"))
        )


def everything(node: sx.Node) -> Iterator[sx.Node]:
    """A node and everything below it, bodies of functions too."""
    yield node
    if isinstance(node, Fn) and node.body is not None:
        try:
            body = body_of(node)
        except ParseFailure:
            body = None
        if body is not None:
            yield from everything(body)
    for part in parts(node):
        yield from everything(part)


def _declares(node: sx.Node) -> Iterator[str]:
    match node:
        case sx.IdentPat() | Fn() | sx.Struct() | sx.Enum() | sx.Variant() | sx.Trait() | sx.TypeAlias() | sx.Const() | sx.Mod():
            yield node.name
        case sx.GenericParam() | sx.FieldDef() | sx.MacroDef() | sx.BroadcastGroup():
            yield node.name
        case sx.Use():
            for leaf in node.leaves:
                if leaf.alias is not None:
                    yield leaf.alias
        case sx.Loop(iter_name=str() as name):
            yield name


def function(ref: Ref) -> Fn:
    assert isinstance(ref.item, Fn)
    return ref.item


def is_definition(ref: Ref) -> bool:
    """Whether a function is a spec function whose body says what it means."""
    fn = ref.item
    if not isinstance(fn, Fn) or fn.mode != "spec" or fn.body is None or fn.publish == "uninterp":
        return False
    return not has_attr(fn.attrs, "external_body")
