"""What the readers of candidates share: the refusal, the function they read for, what types allow.

In: nothing. Out: `NotAllowed`, `Base`, predicates on sorts.
"""

from __future__ import annotations

from translate import syntax as sx
from translate.elaborate.scope import Scope
from translate.source import from_text
from translate.terms import BOOL, CHAR, Sort
from witness.contract import Opened
from witness.expressions import Node
from witness.library import option_of

#: What a name in a candidate that a pattern binds stands for.
Locals = dict[str, Sort]


class NotAllowed(Exception):
    """A text that is no candidate. `span` is the place in it."""

    def __init__(self, message: str, span: sx.Span) -> None:
        super().__init__(message)
        self.message, self.span = message, span


class Base:
    """Types one candidate as the body of a function. The modules of this package are a chain of classes below this one."""

    def __init__(self, opened: Opened, text: str) -> None:
        self.opened, self.text = opened, text
        self.el = opened.elaborator
        self.scope = Scope(opened.types)
        self.params = {p.name: p.sort for p in opened.parameters()}

    def problem(self, message: str, at: sx.Node) -> NotAllowed:
        return NotAllowed(message, at.span)

    def shown(self, at: sx.Node) -> str:
        """The text of a node, on one line."""
        return from_text("candidate", self.text).folded(at.span)

    def expr(self, e: sx.Expr, want: Sort | None, env: Locals) -> Node:
        """An expression; `want` is the type that its context expects, None where nothing does."""
        raise NotImplementedError

    def typed(self, e: sx.Expr, want: Sort, env: Locals, what: str) -> Node:
        """An expression that has to have a type."""
        node = self.expr(e, want, env)
        if node.sort is not want:
            raise self.problem(f"{what} has type `{node.sort}`, where `{want}` is wanted", e)
        return node

    def executable(self, sort: Sort, at: sx.Node) -> None:
        """Refuses values that exist in proofs only."""
        if sort.name in ("int", "nat", "Ghost", "Tracked") or sort.kind in ("seq", "set", "map", "multiset", "fn"):
            raise self.problem(f"a value of type `{sort}` exists in proofs only", at)


def is_number(sort: Sort) -> bool:
    return sort.is_integer and sort.name not in ("char", "int", "nat")


def has_hole(sort: Sort) -> bool:
    return sort.kind == "infer" or any(map(has_hole, sort.args))


def is_plain(sort: Sort) -> bool:
    """Whether values of a type are copied by `clone` as they are: numbers, truth values, characters, and what is made of them."""
    if sort is BOOL or sort is CHAR or is_number(sort):
        return True
    return sort.kind == "data" and sort.name in ("tuple", "Option") and _of_std(sort) and all(map(is_plain, sort.args))


def _of_std(sort: Sort) -> bool:
    return sort.name == "tuple" or sort is option_of(sort.args[0])


def is_comparable(sort: Sort) -> bool:
    """Whether `==` of a type is std's: of plain values, and of sequences of them."""
    if sort.kind == "boxed" and sort.name in ("Vec", "slice", "array", "String", "str"):
        return sort.name in ("String", "str") or is_plain(sort.element)
    return is_plain(sort)
