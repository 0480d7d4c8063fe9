"""The syntax-tree contract test: signature, clauses, and the definitions that they name, compared as trees.

As good as a test can be that knows the grammar and no meaning. Aside are, besides white space and comments:
parentheses that change nothing, trailing commas, blocks around a single expression, the spelling of literals (`0x10`,
`1_000`), triggers, visibility, attributes that mean nothing to a contract and the older spelling of those that do, the
order of the kinds of clauses and of the clauses of one kind (they are a conjunction; in another order it says the
same).

A contract means what its names mean. So the definitions that it names, and those that these name, are compared too:
spec functions, constants, types, aliases, macros, and `use … as` of the same plain name. Names are not resolved: that
is what the logical test does, and where this one is fooled (a glob import, a trait's other implementation) or wrong (a
definition of the same name elsewhere in the file, a bound variable renamed).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any

from equiv.contract_text import ENSURES, KINDS, REQUIRES, ContractText, place_of, shown
from equiv.trees import decisive, same_tree, token_texts, unmatched
from equiv.verdict import TestAnswer
from translate import syntax as s
from translate.parser import ParseFailure, body_of
from translate.tokens import Group

TEST = "ast"


def ast(original: ContractText, submitted: ContractText) -> TestAnswer:
    """Kept: the trees of signature and clauses are equal, and so are those of the definitions they name."""
    difference = _contract_difference(original, submitted)
    if difference is None and original.file is not None and submitted.file is not None:
        difference = _definitions_difference(original, submitted)
    if difference is not None:
        return TestAnswer(TEST, False, difference)
    return TestAnswer(TEST, True, "the syntax trees of the contract and of the definitions it names are equal")


def syntactic_sameness(original: ContractText, submitted: ContractText) -> str | None:
    """ "text" where signature and clauses are the same text, "syntax" where they are the same trees, else None.

    The definitions that the contracts name are not looked at.
    """
    if original.written() == submitted.written():
        return "text"  # byte for byte: no need to look at its tokens
    texts = ((side.signature_text(), side.clause_texts(*REQUIRES), side.clause_texts(*ENSURES)) for side in (original, submitted))
    if next(texts) == next(texts):
        return "text"
    trees = ([side.signature_parts(), *(side.exprs(kind) for kind in KINDS)] for side in (original, submitted))
    return "syntax" if same_tree(next(trees), next(trees)) else None


def _contract_difference(original: ContractText, submitted: ContractText) -> str | None:
    """The first difference of signature and clauses, as a sentence; None where there is none."""
    if not same_tree(original.signature_parts(), submitted.signature_parts()):
        return "the signature's syntax tree differs"
    for kind in KINDS:
        old, new = original.exprs(kind), submitted.exprs(kind)
        odd = unmatched(old, new)
        if odd is not None:
            side, what = (original, "has no counterpart") if odd in old else (submitted, "is new or changed")
            return f"{kind} `{shown(side.source, odd.span)}` {what}"
    return None


# --- the definitions that a contract names ---------------------------------------------------------------------------

Definition = s.Fn | s.Const | s.Struct | s.Enum | s.TypeAlias | s.MacroDef | s.UseTree


def _definitions_difference(original: ContractText, submitted: ContractText) -> str | None:
    """The first definition reachable by name from the contract that differs between the two files."""
    assert original.file is not None
    assert submitted.file is not None
    old_index, new_index = _index(original.file), _index(submitted.file)
    waiting = sorted(_names(_contract_parts(original.fn)) | _names(_contract_parts(submitted.fn)))
    seen = set(waiting)
    while waiting:
        name = waiting.pop()
        old, new = old_index.get(name, []), new_index.get(name, [])
        if unmatched([_meaning(d) for d in old], [_meaning(d) for d in new]) is not None:
            where = f", at {place_of(submitted.source, new[0])}" if new else ""
            what = "is defined anew" if not old else "is no longer defined" if not new else "is defined otherwise"
            return f"`{name}` {what} in the submitted file{where}"
        for definition in (*old, *new):
            found = _names([_meaning(definition)]) - seen
            seen |= found
            waiting += sorted(found)
    return None


def _contract_parts(fn: s.Fn) -> list[object]:
    clauses = [e for kind in KINDS for e in fn.exprs(kind)]
    return [fn.generics, fn.params, fn.ret_type, clauses]


@dataclasses.dataclass(slots=True, eq=False)
class _Meaning(s.Node):
    """The parts of a definition that decide what it means, as a node that `same_tree` compares."""

    parts: list[object]


def _meaning(d: Definition) -> s.Node:
    match d:
        case s.Fn():
            body = _body(d)
            when = [e for c in d.clauses if c.kind == "when" for e in c.exprs]
            return _Meaning(d.span, [d.mode, d.generics, d.params, d.ret_type, when, decisive(d.attrs), body])
        case s.Const():
            return _Meaning(d.span, [d.mode, d.type, d.value, [c for c in d.clauses if c.kind in KINDS]])
        case s.TypeAlias():
            return _Meaning(d.span, [d.generics, d.type])
        case s.MacroDef():
            return _Meaning(d.span, [d.body])
        case _:
            return d


def _body(fn: s.Fn) -> s.Block | Group | None:
    """The body's tree; its tokens where it cannot be parsed."""
    try:
        return body_of(fn)
    except ParseFailure:
        return fn.body


def _index(file: s.File) -> dict[str, list[Definition]]:
    """The definitions of a file by their plain name, wherever they stand."""
    index: dict[str, list[Definition]] = {}

    def put(name: str, definition: Definition) -> None:
        index.setdefault(name, []).append(definition)

    for item in _items(file.items):
        match item:
            case s.Fn(mode="spec") | s.Const() | s.Struct() | s.Enum() | s.TypeAlias() | s.MacroDef():
                put(item.name, item)
                if isinstance(item, s.Enum):
                    for variant in item.variants:
                        put(variant.name, item)
            case s.Use():
                for leaf in item.leaves:
                    if leaf.alias is not None and not leaf.glob and leaf.path[-1:] != [leaf.alias]:
                        put(leaf.alias, leaf)
    return index


def _items(items: Iterable[s.Item]) -> Iterator[s.Item]:
    """All items, those inside modules, traits and implementations too."""
    stack = list(items)
    while stack:
        item = stack.pop()
        yield item
        if isinstance(item, s.Mod | s.Impl | s.Trait):
            stack += item.items or []


def _names(parts: Iterable[object]) -> set[str]:
    """Every plain name that occurs: path segments, methods, macros; `view` where `@` stands, `spec_index` for `[…]`."""
    names: set[str] = set()
    stack: list[Any] = list(parts)
    while stack:
        node = stack.pop()
        match node:
            case s.PathSegment() | s.MethodCall() | s.IdentPat():
                names.add(node.name)
            case s.View():
                names.add("view")
            case s.Index():
                names.add("spec_index")
        if isinstance(node, s.Node):
            stack += [getattr(node, f.name) for f in dataclasses.fields(node)]
        elif isinstance(node, list | tuple):
            stack += node
        elif isinstance(node, Group):
            names.update(t for t in token_texts(node) if t.isidentifier())
    return names
