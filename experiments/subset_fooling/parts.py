"""The postconditions of a function, one by one, and the file without some of them.

In: an original and one of its targets. Out: `Part` records, and texts. A clause that is a conjunction (`&&`, `&&&`, also nested)
counts as several parts; one that binds a name to its right (`matches`) stays whole.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from experiments.mutation.kept_logic import conjuncts
from experiments.mutation.text import Edit, apply_edits
from experiments.mutation.tree import binds_outwards
from experiments.mutation.work import Work, function
from translate import syntax as sx
from translate.names import Ref
from translate.source import SourceText

ENSURES = ("ensures", "returns", "default_ensures")


@dataclass(frozen=True, slots=True)
class Part:
    """One postcondition. `number` counts from 1 within the function; `kind` is the clause's keyword, `text` its own text on one
    line."""

    number: int
    kind: str
    text: str


class Postconditions:
    """The parts of one function's postconditions."""

    def __init__(self, source: SourceText, target: str) -> None:
        """Raises `UnknownTarget`."""
        self.work = Work(source, [target])
        self.target: Ref = self.work.targets[0]
        self._clauses: list[tuple[sx.Clause, list[tuple[sx.Expr, list[sx.Expr]]]]] = []
        self.parts: list[Part] = []
        for clause in function(self.target).clauses:
            if clause.kind not in ENSURES:
                continue
            split = [(e, [e] if binds_outwards(e) or clause.kind == "returns" else conjuncts(e)) for e in clause.exprs]
            self._clauses.append((clause, split))
            for _, pieces in split:
                self.parts += [Part(len(self.parts) + 1 + i, clause.kind, self._text(p)) for i, p in enumerate(pieces)]

    def _text(self, e: sx.Expr) -> str:
        return self.work.source.folded(e.span)

    def without(self, dropped: Collection[int]) -> str:
        """The file with each conjunction written as clauses of its own, and the parts of these numbers left out."""
        edits: list[Edit] = []
        number = 0
        for clause, split in self._clauses:
            left: list[tuple[sx.Expr, list[str]]] = []
            for e, pieces in split:
                kept = []
                for piece in pieces:
                    number += 1
                    if number not in dropped:
                        kept.append(self.work.element(piece))
                left.append((e, kept))
            edits += self._written(clause, left)
        return apply_edits(self.work.source, edits)

    def _written(self, clause: sx.Clause, left: Sequence[tuple[sx.Expr, list[str]]]) -> list[Edit]:
        if not any(kept for _, kept in left):
            return [Edit(clause.span, "")]
        tokens = self.work.tokens
        found = []
        for e, kept in left:
            span = tokens.with_parentheses(e.span)
            found.append(Edit(span, ", ".join(kept)) if kept else Edit(tokens.with_comma(span), ""))
        return found
