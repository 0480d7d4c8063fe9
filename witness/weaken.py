"""Weakened contracts: one postcondition dropped or relaxed.

In: an opened contract. Out: `Weakening`s: the text of the file with less promised, what was done, and what still speaks of the
output. Each change is made where the clause stands in a positive place (below conjunctions, on the right of `==>`, under
quantifiers, in the arms of a `match`), so that what is left follows from what was there. Whether it is really less is for `equiv`
to say (`witness.tasks`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from translate import syntax as sx
from translate import terms as tm
from witness.contract import Opened, WitnessError, open_function
from witness.model import Omission, OmissionKind

#: The rules, in the order in which their tasks are made.
RULES: Final = {
    "output-relation-dropped": "every postcondition is dropped",
    "clause-dropped": "a postcondition is dropped",
    "extremality-dropped": "a postcondition that compares the output with all of something is dropped",
    "conjunct-dropped": "a conjunct inside a postcondition is dropped",
    "case-dropped": "a case of a `match` or `if` in a postcondition is dropped",
    "equivalence-to-implication": "`a <==> b` becomes `a ==> b`, or `b ==> a`",
    "equality-to-bound": "`a == b` of integers becomes `a <= b`, or `a >= b`",
    "equality-to-length": "`a == b` of sequences becomes `a.len() == b.len()`",
    "equality-to-variant": "`a == V(…)` of an enum becomes `a is V`",
    "equality-to-component": "`a == (x, y)` becomes `a.0 == x`, or `a.1 == y`",
    "link-dropped": "a link of a chain of comparisons is dropped",
}

_EQUALITIES: Final = frozenset({"==", "===", "=~=", "=~~="})
_COMPARISONS: Final = frozenset({"<", "<=", ">", ">="})


@dataclass(frozen=True, slots=True)
class Weakening:
    """A weakened file and what was done."""

    text: str
    omission: Omission


@dataclass(frozen=True, slots=True)
class _Change:
    """A span of the file and the text that takes its place; `what` is the part of the clause that is changed."""

    rule: str
    span: sx.Span
    new: str
    what: sx.Span


def weakenings(opened: Opened) -> Iterator[Weakening]:
    """Every weakening of a contract that reads as one, no two of them with the same text; the total omission first."""
    seen = {opened.source.text}
    for changes in _changes(opened):
        text = _applied(opened, changes)
        if text in seen:
            continue
        seen.add(text)
        weakened = _read(opened, text)
        if weakened is not None:
            yield Weakening(text, _omission(opened, weakened, changes))


def _changes(opened: Opened) -> Iterator[list[_Change]]:
    clauses = [c for c in opened.contract.ensures if c.inherited is None]
    speaking = [c for c in clauses if _speaks(opened, c.term)]
    if not speaking or any(c.inherited is not None and _speaks(opened, c.term) for c in opened.contract.ensures):
        return  # nothing to drop, or what a trait promises stays promised
    yield [_Change("output-relation-dropped", c.expr.span, "", c.expr.span) for c in clauses]
    for clause in speaking:
        rule = "extremality-dropped" if _is_extremal(clause.expr) else "clause-dropped"
        yield [_Change(rule, clause.expr.span, "", clause.expr.span)]
    for clause in speaking:
        if clause.kind == "ensures":
            for change in _Relaxing(opened).positive(clause.expr):
                yield [change]


def _speaks(opened: Opened, term: tm.Term) -> bool:
    """Whether a clause speaks of the output."""
    outputs = set(opened.outputs)
    return any(v in outputs for v in tm.free_variables(term))


def _is_extremal(e: sx.Expr) -> bool:
    """`forall|…| … ==> r <= …`: a comparison with all of something."""
    if not isinstance(e, sx.Quantifier) or e.kind != "forall":
        return False
    body: sx.Expr = e.body
    while isinstance(body, sx.AttrExpr) or (isinstance(body, sx.Binary) and body.op == "==>"):
        body = body.operand if isinstance(body, sx.AttrExpr) else body.right
    return (isinstance(body, sx.Binary) and body.op in _COMPARISONS) or isinstance(body, sx.Chain)


class _Relaxing:
    """The changes inside one clause."""

    def __init__(self, opened: Opened) -> None:
        self.source = opened.source

    def text(self, e: sx.Node) -> str:
        return self.source.snippet(e.span)

    def positive(self, e: sx.Expr) -> Iterator[_Change]:
        """Changes of an expression in a positive place that make it weaker."""
        match e:
            case sx.AttrExpr():
                yield from self.positive(e.operand)
            case sx.BigOp(op="&&&"):
                yield from self.conjuncts(e.operands)
            case sx.Binary(op="&&"):
                yield from self.conjuncts([e.left, e.right])
            case sx.Binary(op="||"):
                yield from self.positive(e.left)
                yield from self.positive(e.right)
            case sx.Binary(op="==>"):
                yield from self.positive(e.right)
            case sx.Binary(op="<=="):
                yield from self.positive(e.left)
            case sx.Binary(op="<==>"):
                yield from self.equivalence(e)
            case sx.Binary() if e.op in _EQUALITIES:
                yield from self.equality(e)
            case sx.Chain():
                yield from self.chain(e)
            case sx.Quantifier(kind="forall" | "exists"):
                yield from self.positive(e.body)
            case sx.Block() if e.tail is not None:
                yield from self.positive(e.tail)
            case sx.If() if e.orelse is not None:
                for branch in (e.then, e.orelse):
                    if isinstance(branch, sx.Block) and branch.tail is not None:
                        yield _Change("case-dropped", branch.tail.span, "true", branch.tail.span)
                    yield from self.positive(branch)
            case sx.Match():
                for arm in e.arms:
                    yield _Change("case-dropped", arm.body.span, "true", arm.body.span)
                    yield from self.positive(arm.body)

    def conjuncts(self, parts: list[sx.Expr]) -> Iterator[_Change]:
        for part in parts:
            if not (isinstance(part, sx.Binary) and part.op == "&&"):
                yield _Change("conjunct-dropped", part.span, "true", part.span)
            yield from self.positive(part)

    def equivalence(self, e: sx.Binary) -> Iterator[_Change]:
        left, right = self.text(e.left), self.text(e.right)
        for one, other in ((left, right), (right, left)):
            yield _Change("equivalence-to-implication", e.span, f"(({one}) ==> ({other}))", e.span)

    def equality(self, e: sx.Binary) -> Iterator[_Change]:
        """What an equality becomes depends on its type, which is not known here: what does not read as a contract is left out
        later."""
        left, right = self.text(e.left), self.text(e.right)
        for sign in ("<=", ">="):
            yield _Change("equality-to-bound", e.span, f"({left}) {sign} ({right})", e.span)
        yield from self.equivalence(e)
        yield _Change("equality-to-length", e.span, f"({left}).len() == ({right}).len()", e.span)
        variant = self.variant(e.right)
        if variant is not None:
            yield _Change("equality-to-variant", e.span, f"({left}) is {variant}", e.span)
        if isinstance(e.right, sx.TupleExpr):
            for i, part in enumerate(e.right.elems):
                yield _Change("equality-to-component", e.span, f"({left}).{i} == ({self.text(part)})", e.span)

    def variant(self, e: sx.Expr) -> str | None:
        """The name of the variant that an expression makes."""
        if isinstance(e, sx.Call) and isinstance(e.func, sx.PathExpr) and e.func.path.segments[-1].name[:1].isupper():
            return e.func.path.segments[-1].name
        if isinstance(e, sx.StructExpr) and len(e.path.segments) > 1:
            return e.path.segments[-1].name
        return None

    def chain(self, e: sx.Chain) -> Iterator[_Change]:
        operands = [e.first, *e.rest]
        first = sx.Span(e.span.start, operands[1].span.start)
        last = sx.Span(operands[-2].span.end, e.span.end)
        for cut in (first, last):
            kept = self.source.snippet((e.span.start, cut.start)) + self.source.snippet((cut.end, e.span.end))
            yield _Change("link-dropped", e.span, kept.strip(), e.span)


# --- texts ---------------------------------------------------------------------------------------------------------------


def _applied(opened: Opened, changes: list[_Change]) -> str:
    """The file's text with the changes; a clause that is gone takes its comma with it, and the last one its keyword."""
    edits: list[tuple[int, int, str]] = []
    dropped = {(c.span.start, c.span.end) for c in changes if not c.new}
    for clause in opened.fn.clauses:
        gone = [e for e in clause.exprs if tuple(e.span) in dropped]
        if gone and len(gone) == len(clause.exprs):
            cuts = [(clause.span.start, max(clause.span.end, gone[-1].span.end))]
        else:
            cuts = [(e.span.start, e.span.end) for e in gone]
        edits += [(*_line_of(opened, start, _behind_comma(opened, end)), "") for start, end in cuts]
    edits += [(c.span.start, c.span.end, c.new) for c in changes if c.new]
    data = opened.source.data
    for start, end, new in sorted(edits, reverse=True):
        data = data[:start] + new.encode() + data[end:]
    return data.decode()


def _line_of(opened: Opened, start: int, end: int) -> tuple[int, int]:
    """A cut, with what stands before it on its line where it takes the rest of the line and only white space is left."""
    data = opened.source.data
    line = data.rfind(b"\n", 0, start) + 1
    whole = data[end - 1 : end] == b"\n" and not data[line:start].strip()
    return (line if whole else start), end


def _behind_comma(opened: Opened, at: int) -> int:
    """The place behind the comma that follows, and behind the rest of its line if that is empty."""
    data = opened.source.data
    end = at
    while end < len(data) and data[end : end + 1].isspace():
        end += 1
    if data[end : end + 1] != b",":
        return at
    end += 1
    line = end
    while line < len(data) and data[line : line + 1] in (b" ", b"\t"):
        line += 1
    return line + 1 if data[line : line + 1] == b"\n" else end


def _read(opened: Opened, text: str) -> Opened | None:
    """The weakened contract, or None where the text is none: another type than the rule is for, or names that mean nothing."""
    try:
        weakened = open_function(opened.source.path, text, opened.ref.path)
    except WitnessError:
        return None
    known = _unknown_names(opened)
    return weakened if _unknown_names(weakened) <= known else None


def _unknown_names(opened: Opened) -> set[str]:
    terms = [*opened.requires, *opened.ensures]
    return {s.name for t in terms for s in tm.symbols(t) if s.kind == "uninterpreted"}


def _omission(opened: Opened, weakened: Opened, changes: list[_Change]) -> Omission:
    rest = any(_speaks(weakened, t) for t in weakened.ensures)
    source = opened.source
    line, column = source.line_column(changes[0].what.start)
    return Omission(
        kind=OmissionKind.RESIDUAL if rest else OmissionKind.TOTAL,
        rule=changes[0].rule,
        clause="; ".join(source.folded(c.what) for c in changes),
        becomes="; ".join(" ".join(c.new.split()) for c in changes if c.new),
        line=line,
        column=column,
    )
