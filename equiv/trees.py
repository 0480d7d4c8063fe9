"""Syntax trees, compared: equal up to what carries no meaning.

In: parts of two trees. Out: whether they are the same. Aside are spans, blocks around a single expression, triggers,
visibility, and attributes that mean nothing to a contract; parentheses and the spelling of literals never were in the
tree.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

from translate import syntax as s
from translate.tokens import Group, Token

# Attributes that decide whether Verus reads an item, or its body, at all. The last word of the path names them in both
# spellings, `#[verifier::external]` and `#[verifier(external)]`.
DECISIVE = {
    "external",
    "external_body",
    "external_fn_specification",
    "external_type_specification",
    "external_trait_specification",
    "ext_equal",
    "cfg",
    "cfg_attr",
    "prophetic",
}
_TRIGGERS = {"trigger", "auto", "all_triggers", "verifier::auto", "verifier::all_triggers"}

_SKIPPED = {"span", "name_span", "parsed_body", "triggers", "vis"}
_FIELDS: dict[type, tuple[str, ...]] = {}


def _fields(cls: type) -> tuple[str, ...]:
    names = _FIELDS.get(cls)
    if names is None:
        names = tuple(f.name for f in dataclasses.fields(cls) if f.name not in _SKIPPED)
        _FIELDS[cls] = names
    return names


def same_tree(a: object, b: object) -> bool:
    """Whether two parts of syntax trees (nodes, lists of nodes, None) are equal up to what carries no meaning.

    Iterative: a tree may be as deep as its author likes.
    """
    stack: list[tuple[Any, Any]] = [(a, b)]
    while stack:
        x, y = stack.pop()
        x, y = _peeled(x), _peeled(y)
        if x is y:
            continue
        if type(x) is not type(y):
            return False
        if isinstance(x, s.Node):
            for name in _fields(type(x)):
                stack.append((getattr(x, name), getattr(y, name)))
        elif isinstance(x, list | tuple):
            if len(x) != len(y):
                return False
            stack.extend(zip(x, y, strict=True))
        elif isinstance(x, Group):
            if token_texts(x) != token_texts(y):
                return False
        elif x != y:
            return False
    return True


def _peeled(node: Any) -> Any:
    """The node without the layers that mean nothing: a block around an expression, triggers, idle attributes."""
    while True:
        if isinstance(node, s.Block) and not node.stmts and node.tail is not None and not node.kind and not node.label:
            node = node.tail
        elif isinstance(node, s.AttrExpr) and all(a.path in _TRIGGERS for a in node.attrs):
            node = node.operand
        elif isinstance(node, list) and node and isinstance(node[0], s.Attr):
            return decisive(node)
        else:
            return node


def decisive(attrs: Iterable[s.Attr]) -> list[str]:
    """Those attributes that matter, in one spelling and order."""
    out: list[str] = []
    for attr in attrs:
        if attr.path in ("verifier", "verus") and attr.args is not None:
            words = [t.text for t in attr.args.children if t.kind == "ident"]
        else:
            words = [attr.path.rsplit("::", 1)[-1]]
        out += [attr.text if word.startswith("cfg") else word for word in words if word in DECISIVE]
    return sorted(out)


def token_texts(group: Group) -> list[str]:
    """The tokens of a group that was not parsed (the body of a macro), in one list."""
    out: list[str] = []
    stack: list[Token | str] = [group]
    while stack:
        token = stack.pop()
        if isinstance(token, str):
            out.append(token)
        elif isinstance(token, Group):
            out.append(token.text)
            stack.append("end")
            stack.extend(reversed(token.children))
        else:
            out.append(token.text)
    return out


def unmatched(old: Sequence[s.Node], new: Sequence[s.Node]) -> s.Node | None:
    """A node of either list without a partner in the other; None where both hold the same trees in any order."""
    left = list(new)
    for node in old:
        partner = next((i for i, other in enumerate(left) if same_tree(node, other)), None)
        if partner is None:
            return node
        del left[partner]
    return left[0] if left else None
