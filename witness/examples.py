"""Known-wrong mutation examples: expressions that are certainly wrong, to show what wrong looks like.

In: an opened function with its cases. Out: at most eight expressions. The rule: where the correct body is one expression of
the language, it is mutated (an operator exchanged, a number one off, the branches of an `if` exchanged); then the small
expressions of the result's type follow, by size; of one kind or size at most three, unless there are no others. An expression
is taken if, run as Rust runs it, it panics on no visible case, gives a wrong output on at least one, and gives other outputs than
the examples before it. Whether the weakened contract admits it is not looked at: an example guides, it certifies nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from translate import syntax as sx
from translate.parser import ParseFailure, body_of
from translate.values import Value
from witness.contract import Opened
from witness.expressions import Node, to_rust
from witness.language import NotAllowed, read_expression
from witness.model import EXAMPLES, Case
from witness.numbers import Panic, in_bounds
from witness.run import run
from witness.search import Search

_LARGEST: Final = 6
_BUILT: Final = 3_000
#: Of one size or kind of mutation at most so many, so that the examples are of several.
_OF_A_SIZE: Final = 3
_EXCHANGED: Final = {
    "add": ("sub", "mul"), "sub": ("add",), "mul": ("add",), "div": ("rem", "mul"), "rem": ("div",), "lt": ("le", "ge"),
    "le": ("lt", "gt"), "gt": ("ge", "le"), "ge": ("gt", "lt"), "eq": ("ne",), "ne": ("eq",), "and": ("or",), "or": ("and",),
    "bitand": ("bitor",), "bitor": ("bitand", "bitxor"), "bitxor": ("bitor",), "shl": ("shr",), "shr": ("shl",),
}  # fmt: skip


def examples(opened: Opened, visible: Sequence[Case]) -> tuple[str, ...]:
    """The examples for a function, of an original whose body is right."""
    names = [p.name for p in opened.parameters()]
    seen: set[tuple[object, ...]] = set()
    found: list[str] = []
    more: list[str] = []
    counts: dict[str, int] = {}
    for group, text, node in _wrong(opened, visible):
        outputs = _outputs(opened, node, names, visible)
        if outputs is None or outputs in seen or _right(opened, outputs, visible):
            continue
        seen.add(outputs)
        counts[group] = counts.get(group, 0) + 1
        (found if counts[group] <= _OF_A_SIZE else more).append(text)
        if len(found) == EXAMPLES:
            break
    return tuple([*found, *more][:EXAMPLES])


def _wrong(opened: Opened, visible: Sequence[Case]) -> Iterator[tuple[str, str, Node]]:
    """Expressions to try, each with the group it is counted in."""
    body = _body(opened)
    if body is not None:
        for mutant in _mutants(body):
            try:
                text = to_rust(mutant)
                yield f"mutant {mutant.op}", text, read_expression(text, opened)
            except NotAllowed:
                continue
    search = Search(opened, [c.inputs for c in visible], _BUILT)
    for size in range(1, _LARGEST + 1):
        for entry in [] if search.is_full else search.level(size):
            yield f"size {size}", to_rust(entry.node), entry.node


def _body(opened: Opened) -> Node | None:
    """The correct body where it is one expression of the language."""
    try:
        body = body_of(opened.fn)
    except ParseFailure:
        return None
    if body is None or body.tail is None or any(not _is_ghost(s) for s in body.stmts):
        return None
    try:
        return read_expression(opened.source.snippet(body.tail.span), opened)
    except NotAllowed:
        return None


def _is_ghost(stmt: sx.Stmt) -> bool:
    return isinstance(stmt, sx.ExprStmt) and (
        isinstance(stmt.expr, sx.Assert) or (isinstance(stmt.expr, sx.Block) and stmt.expr.kind == "proof")
    )


def _mutants(node: Node) -> Iterator[Node]:
    """The tree with one place changed, outer places first."""
    for op in _EXCHANGED.get(node.op, ()):
        yield Node(op, node.args, node.sort, node.data)
    if node.op == "if":
        yield Node("if", (node.args[0], node.args[2], node.args[1]), node.sort)
    if node.op == "lit" and isinstance(node.data, int) and not isinstance(node.data, bool) and node.sort.name != "char":
        yield from (Node("lit", (), node.sort, n) for n in (node.data + 1, node.data - 1) if in_bounds(n, node.sort, 64))
    for i, arg in enumerate(node.args):
        for changed in _mutants(arg):
            yield Node(node.op, (*node.args[:i], changed, *node.args[i + 1 :]), node.sort, node.data)


def _outputs(opened: Opened, node: Node, names: Sequence[str], visible: Sequence[Case]) -> tuple[Value, ...] | None:
    try:
        return tuple(run(node, dict(zip(names, c.inputs, strict=True)), opened.word) for c in visible)
    except Panic:
        return None


def _right(opened: Opened, outputs: Sequence[Value], visible: Sequence[Case]) -> bool:
    """Whether the outputs are the official ones on every case; `&mut` parameters keep their values."""
    mutable = opened.mutable
    for case, output in zip(visible, outputs, strict=True):
        if tuple(case.inputs[i] for i in mutable) != case.final or (opened.result_sort is not None and output != case.output):
            return False
    return True
