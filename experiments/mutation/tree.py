"""Questions about syntax trees: parts, names bound and used.

In: nodes of `translate.syntax`. Out: nodes, names, spans. Where a tree hides something (tokens of a macro), the answer is
the careful one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from translate import syntax as sx
from translate.parser import ParseFailure, parse_expr_list
from translate.syntax import Node, Span
from translate.tokens import Group, Token

#: Macros whose arguments are plain expressions.
_LISTS = frozenset({"seq", "set", "vec", "assert", "assert_eq"})


class Opaque(Exception):
    """Something that cannot be seen through stands in the way of an answer."""


#: The fields of each class of nodes that may hold nodes or tokens.
_FIELDS: dict[str, tuple[str, ...]] = {}


def _field_names(kind: type[Node]) -> tuple[str, ...]:
    found = _FIELDS.get(kind.__name__)
    if found is None:
        left_out = ("span", "name_span", "parsed_body", "kind", "op", "word")
        found = _FIELDS[kind.__name__] = tuple(f.name for f in fields(kind) if f.name not in left_out)
    return found


def parts(node: Node) -> Iterator[Node]:
    """The nodes directly below one, in the order of the text as far as the class has it."""
    for name in _field_names(type(node)):
        yield from _nodes(getattr(node, name))


def _nodes(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _nodes(item)


def walk(node: Node) -> Iterator[Node]:
    """A node and everything below it."""
    yield node
    for part in parts(node):
        yield from walk(part)


def binds_outwards(node: Node) -> bool:
    """Whether names bound in an expression may be seen to its right (`matches`, `if let`): then its parts must stay put."""
    return any(isinstance(n, sx.Matches | sx.LetCond) for n in walk(node))


def bound_names(node: Node) -> set[str]:
    """Every name that a pattern in the tree binds."""
    return {n.name for n in walk(node) if isinstance(n, sx.IdentPat)}


def words(group: Group) -> Iterator[Token]:
    """The tokens of a group at any depth."""
    for token in group.children:
        yield token
        if isinstance(token, Group):
            yield from words(token)


def _hidden_groups(node: Node) -> Iterator[Group]:
    for name in _field_names(type(node)):
        value = getattr(node, name)
        if isinstance(value, Group):
            yield value


def occurrences(node: Node, name: str) -> list[Span]:
    """Where a local variable is used in a tree. Raises `Opaque` where the tree binds the name again, abbreviates with it
    (`P { name }`) or hides it in a macro."""
    found: list[Span] = []
    _occurrences(node, name, found)
    return found


def _occurrences(node: Node, name: str, found: list[Span]) -> None:
    match node:
        case sx.PathExpr(path=sx.Path(segments=[sx.PathSegment(name=first, args=None, span=span)], rooted=False, qself=None)):
            if first == name:
                found.append(span)
            return
        case sx.IdentPat():
            if node.name == name:
                raise Opaque(f"`{name}` is bound again")
        case sx.StructExpr():
            for field, value in node.fields:
                if field == name and isinstance(value, sx.PathExpr) and value.path.text == name:
                    raise Opaque(f"`{name}` may be an abbreviated field")
        case sx.Loop(iter_name=str() as bound) | sx.AtomicCall(binder=bound) if bound == name:
            raise Opaque(f"`{name}` is bound again")
        case sx.MacroCall(path=path, body=body):
            if path.text.rpartition("::")[2] in _LISTS:
                try:
                    exprs = parse_expr_list(body)
                except ParseFailure:
                    pass
                else:
                    for e in exprs:
                        _occurrences(e, name, found)
                    return
    for group in _hidden_groups(node):
        for token in words(group):
            if token.text == name or (token.kind == "str" and name in token.text):
                raise Opaque(f"`{name}` may occur in a macro")
    for part in parts(node):
        _occurrences(part, name, found)


def free_words(node: Node) -> set[str]:
    """The first names of all paths in a tree, and all words in macros: more than its free variables, never fewer."""
    found: set[str] = set()
    for n in walk(node):
        if isinstance(n, sx.Path) and n.segments:
            found.add(n.segments[0].name)
        for group in _hidden_groups(n):
            found.update(t.text for t in words(group) if t.kind == "ident")
    return found


def is_opaque(node: Node) -> bool:
    """Whether a tree has a macro call, whose text is not part of the tree."""
    return any(isinstance(n, sx.MacroCall | sx.MacroType | sx.MacroPat) for n in walk(node))
