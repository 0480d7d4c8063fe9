"""The language of candidates: which Rust expressions are allowed, and what type they have.

In: a text, and the function whose body it would be. Out: a typed tree (`witness.expressions.Node`), or `NotAllowed`, which says
what is not allowed, where, and what is. The text is read by the project's own parser, and every kind of node is refused unless it
is handled in this package: no statements, loops, `unsafe`, input or output, macros, assignments, closures, borrowing for change,
specification syntax, and no calls but of constructors, of the methods in `witness.methods`, and of the function itself (which
gate 1 then refuses: nothing shows that it ends).
"""

from __future__ import annotations

from typing import Final

from translate import syntax as sx
from translate import terms as tm
from translate.parser import ParseFailure, parse_expr_from
from translate.source import from_text
from translate.tokens import tokenize
from witness.contract import Opened
from witness.expressions import Node
from witness.language.base import NotAllowed
from witness.language.operators import Operators

__all__ = ["LONGEST", "NotAllowed", "explain", "read_expression"]

#: The longest text of a candidate, in characters.
LONGEST: Final = 4_096


def read_expression(text: str, opened: Opened) -> Node:
    """The typed tree of a candidate's text as the body of a function. Raises `NotAllowed`."""
    if len(text) > LONGEST:
        raise NotAllowed(f"longer than {LONGEST} characters: a witness is a concise expression", sx.Span(0, 1))
    if not text.strip():
        raise NotAllowed("empty: write an expression over the parameters", sx.Span(0, 0))
    if "\0" in text:
        raise NotAllowed("a NUL character: this is no source text", sx.Span(text.index("\0"), text.index("\0") + 1))
    tokens, problems = tokenize(from_text("candidate", text))
    for problem in problems:
        raise NotAllowed(problem.message, problem.span)
    try:
        tree = parse_expr_from([t for t in tokens if t.kind != "eof"])
    except ParseFailure as failure:
        message = f"{failure.message} ({failure.construct}); write one expression and nothing else"
        raise NotAllowed(message, failure.span) from None
    want = opened.result_sort or tm.UNIT
    node = Operators(opened, text).expr(tree, want, {})
    if node.sort is not want:
        raise NotAllowed(f"has type `{node.sort}`, and the function returns `{want}`", tree.span)
    return node


def explain(text: str, problem: NotAllowed) -> str:
    """The problem with its place in the candidate: line and column from 1."""
    line, column = from_text("candidate", text).line_column(problem.span.start)
    return f"{line}:{column}: {problem.message}"
