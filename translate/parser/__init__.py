"""The parser: a hand-written recursive descent over the lazy token tree, for all of Verus.

In: a `SourceText`, or token groups that were left unparsed. Out: the nodes of `translate.syntax`. `parse_file` reads
items and signatures and steps over bodies; `body_of` parses a body when somebody asks. A macro's arguments stay a token
group until `parse_expr_list`, `parse_map_entries` or `parse_expr_from` is called on them.

What cannot be parsed never disappears: an item becomes a `ParseProblem` in `File.problems`, and parsing goes on behind
it; the functions that parse one thing raise `ParseFailure`, which has the place.
"""

from __future__ import annotations

from translate.parser.cursor import MAX_DEPTH, ParseFailure
from translate.parser.items import Items
from translate.room import deep_stack
from translate.source import SourceText
from translate.syntax import Attr, Block, Expr, File, Fn, Item, Pattern, Span, Type
from translate.tokens import Group, Token, tokenize

__all__ = [
    "MAX_DEPTH",
    "ParseFailure",
    "body_of",
    "parse_block",
    "parse_expr_from",
    "parse_expr_list",
    "parse_file",
    "parse_items",
    "parse_map_entries",
    "parse_matches",
    "parse_type_from",
]

# One level of nesting in the source takes at most about ten frames of the descent; `MAX_DEPTH` bounds the nesting.
_FRAMES = 12 * MAX_DEPTH + 1000


def parse_file(source: SourceText) -> File:
    """The items of a file, inside and outside `verus!`, and every parse problem. Never raises on any text."""
    tokens, problems = tokenize(source)
    parser = Items(tokens, False, problems)
    attrs: list[Attr] = []
    items: list[Item] = []
    with deep_stack(_FRAMES):
        try:
            attrs = parser.inner_attrs()
        except ParseFailure as failure:
            parser.recover(parser.save(), failure)
        items = parser.items()
    return File(Span(0, len(source.data)), attrs, items, problems, parser.verus_blocks)


def body_of(fn: Fn) -> Block | None:
    """The body of a function, parsed at the first call; None for a declaration. Raises `ParseFailure`."""
    if fn.parsed_body is None and fn.body is not None:
        fn.parsed_body = parse_block(fn.body, fn.in_verus)
    return fn.parsed_body


def parse_block(group: Group, in_verus: bool = True) -> Block:
    """The statements inside any group as a block, as in `proof! { … }`. Raises `ParseFailure`."""
    parser = Items(group.tokens(), in_verus)
    with deep_stack(_FRAMES):
        parser.inner_attrs()
        stmts, tail = parser.statements()
    _finish(parser)
    return Block(Span(group.start, group.end), stmts, tail)


def parse_expr_list(group: Group) -> list[Expr]:
    """Expressions between commas, as in `seq![a, b]`. Raises `ParseFailure`."""
    parser = Items(group.tokens(), True)
    with deep_stack(_FRAMES):
        exprs = parser.expr_list()
    _finish(parser)
    return exprs


def parse_map_entries(group: Group) -> list[tuple[Expr, Expr]]:
    """`key => value` pairs between commas, as in `map![k => v]`. Raises `ParseFailure`."""
    parser = Items(group.tokens(), True)
    entries: list[tuple[Expr, Expr]] = []
    with deep_stack(_FRAMES):
        while parser.tok.kind != "eof":
            key = parser.expr()
            parser.expect("=>", "map entry")
            entries.append((key, parser.expr()))
            if not parser.eat(","):
                break
    _finish(parser)
    return entries


def parse_matches(group: Group) -> tuple[Expr, Pattern, Expr | None]:
    """The arguments of `matches!(e, pattern if guard)`. Raises `ParseFailure`."""
    parser = Items(group.tokens(), True)
    with deep_stack(_FRAMES):
        operand = parser.expr()
        parser.expect(",", "matches!")
        pattern = parser.pattern()
        guard = parser.expr() if parser.eat("if") else None
        parser.eat(",")
    _finish(parser)
    return operand, pattern, guard


def parse_expr_from(tokens: list[Token]) -> Expr:
    """One expression made of all the tokens (such as a part of `group.children`). Raises `ParseFailure`."""
    parser = _over(tokens)
    with deep_stack(_FRAMES):
        expr = parser.expr()
    _finish(parser)
    return expr


def parse_type_from(tokens: list[Token]) -> Type:
    """One type made of all the tokens. Raises `ParseFailure`."""
    parser = _over(tokens)
    with deep_stack(_FRAMES):
        result = parser.type()
    _finish(parser)
    return result


def parse_items(group: Group, in_verus: bool = True) -> File:
    """The items inside a group, as in a macro of the user's that wraps Verus code; problems as in `parse_file`."""
    parser = Items(group.tokens(), in_verus)
    with deep_stack(_FRAMES):
        items = parser.items()
    return File(Span(group.start, group.end), [], items, parser.problems, parser.verus_blocks)


def _over(tokens: list[Token]) -> Items:
    end = tokens[-1].end if tokens else 0
    return Items([*tokens, Token("eof", "", end, end)], True)


def _finish(parser: Items) -> None:
    if parser.tok.kind != "eof":
        parser.fail("expression", "expected the end of the text")
