"""Conditionals that no enumeration by size reaches: expressions put together from small parts, case by case.

In: for every point (an input) which small expressions are acceptable there, and what small conditions say there. Out: a nested
`if` that is acceptable everywhere and wrong at one point that is named, or None. Sets of points are bit masks. The search is for
short decision lists first: one condition with a leaf on either side, then a condition with a leaf on one side and the same again
on the other.

After "Scaling Enumerative Program Synthesis via Divide and Conquer" (Alur, Radhakrishna, Udupa, 2017).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from witness.expressions import Node, size

#: Conditions that one branching may use, and how many `if` stand inside each other at most.
WIDTH: Final = 8
DEPTH: Final = 5


@dataclass(frozen=True, slots=True)
class Part:
    """A small expression with the points at which it is acceptable (a leaf), or true (a condition)."""

    node: Node
    points: int
    cost: int


@dataclass(slots=True)
class Tree:
    node: Node
    cost: int


def undominated(parts: Sequence[Part]) -> list[Part]:
    """The parts that are acceptable somewhere where no cheaper one is, cheapest first."""
    kept: list[Part] = []
    for part in sorted(parts, key=lambda p: p.cost):
        if part.points and not any(part.points | k.points == k.points for k in kept):
            kept.append(part)
    return kept


@dataclass(slots=True)
class CasesApart:
    """One question: `leaves` and `conditions` in the order of their cost."""

    leaves: Sequence[Part]
    conditions: Sequence[Part]
    memo: dict[tuple[int, int], Tree | None] = field(default_factory=dict)

    def tree(self, points: int) -> Tree | None:
        """A conditional that is acceptable at all of these points, one with as few `if` inside each other as there are."""
        return next((t for depth in range(DEPTH + 1) if (t := self.within(points, depth)) is not None), None)

    def within(self, points: int, depth: int) -> Tree | None:
        """A conditional with at most so many `if` inside each other."""
        key = (points, depth)
        if key not in self.memo:
            self.memo[key] = self._tree(points, depth)
        return self.memo[key]

    def leaf(self, points: int) -> Tree | None:
        for part in self.leaves:
            if part.points & points == points:
                return Tree(part.node, part.cost)
        return None

    def _tree(self, points: int, depth: int) -> Tree | None:
        leaf = self.leaf(points)
        if leaf is not None or depth == 0:
            return leaf
        best: Tree | None = None
        halves: list[tuple[int, int, Part, Tree, bool]] = []
        seen: set[int] = set()
        for condition in self.conditions:
            here = points & condition.points
            if here in (0, points) or here in seen or points ^ here in seen:
                continue
            seen.add(here)
            then, other = self.leaf(here), self.leaf(points ^ here)
            if then is not None and other is not None:
                made = _joined(condition, then, other)
                best = made if best is None or made.cost < best.cost else best
            elif then is not None or other is not None:
                side = then or other
                assert side is not None
                covered = here if then is not None else points ^ here
                halves.append((-covered.bit_count(), condition.cost, condition, side, then is not None))
        if best is not None or depth == 1:
            return best
        halves.sort(key=lambda h: (h[0], h[1]))
        for _, _, condition, side, is_then in halves[:WIDTH]:
            here = points & condition.points
            rest = self.within(points ^ here if is_then else here, depth - 1)
            if rest is not None:
                made = _joined(condition, side, rest) if is_then else _joined(condition, rest, side)
                best = made if best is None or made.cost < best.cost else best
        return best


def _joined(condition: Part, then: Tree, other: Tree) -> Tree:
    node = Node("if", (condition.node, then.node, other.node), then.node.sort)
    return Tree(node, size(node))
