"""The closure of an edit's targets: what was found there, how far from the target, and what a look at it alone would see.

In: an original, an edit, targets. Out: a `Closure`. What the original trusted already is no hole of the edit, and a function that
the original itself declares to be taken on trust is no target.

Verifying the target alone (`--verify-function`) takes everything outside the target's own body as given. So it sees a hole
at depth 0, in the target itself, and none that is one step of the call graph away or more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from depgraph.closure import audit_targets, split_targets
from depgraph.crate_loader import load_source
from depgraph.hatches import catalogue
from depgraph.model import AuditReport
from equiv.targets import Lost, counterpart, targets_of
from translate import terms as tm
from translate.source import SourceText


@dataclass(frozen=True, slots=True)
class Hole:
    """Something in the closure that takes more on trust than the original did.

    `depth` counts the steps of the call graph from the edit's own target (0: in the target itself; None: only the closure of
    another function with a contract has it); `no_cheating` is what Verus does with it under that flag, by the catalogue of
    hatches.
    """

    hatch: str
    trust: str
    depth: int | None
    node: str
    no_cheating: str


@dataclass(frozen=True, slots=True)
class Closure:
    """`clean`: True, False, or None where something cannot be seen (or no target is left to audit). `alone` is what a look at the
    edit's own target alone says. `size` counts the nodes of the closures."""

    clean: bool | None
    alone: bool | None
    holes: tuple[Hole, ...]
    size: int

    @property
    def depth(self) -> int | None:
        """The depth of the nearest hole."""
        return min((h.depth for h in self.holes if h.depth is not None), default=None)

    def as_row(self) -> dict[str, Any]:
        holes = [
            {"hatch": h.hatch, "class": h.trust, "depth": h.depth, "at": h.node, "no_cheating": h.no_cheating} for h in self.holes
        ]
        return {"clean": self.clean, "alone": self.alone, "depth": self.depth, "nodes": self.size, "holes": holes}


def closure(
    original: SourceText, submitted: SourceText, targets: Sequence[str] | None = None, own: str | None = None
) -> Closure:
    """Audits the submission's functions that answer for the targets of the original; `own` is the one that depths are counted
    from (None: any of them). Raises `UnknownTarget`."""
    with tm.own_terms():
        before, after = load_source(original), load_source(submitted)
        there = {r.path for r in after.functions}
        mine = None if own is None else {r.path for r in targets_of(before, [own])}
        found: dict[str, bool] = {}
        wanted = targets_of(before, None if targets is None else list(targets))
        chosen, _ = split_targets(before, [r.path for r in wanted])
        for target in (r for r in wanted if r.path in chosen):
            other = counterpart(after, target)
            path = target.path if isinstance(other, Lost) else other.path
            if path in there:
                found[path] = mine is None or target.path in mine
        reports = audit_targets(before, after, list(found)) if found else []
    return _joined(list(zip(reports, found.values(), strict=True)))


def _joined(reports: Sequence[tuple[AuditReport, bool]]) -> Closure:
    """All reports as one; the flags say from which of them depths are counted."""
    if not reports:
        return Closure(None, None, (), 0)
    records = catalogue()
    nearest: dict[tuple[str, str], Hole] = {}
    for report, own in reports:
        for r in report.reported:
            if r.trust is None or not r.trust.fatal:
                continue
            key, depth = (r.finding.hatch, r.finding.node), len(r.path) if own else None
            known = nearest.get(key)
            if known is None or (depth is not None and (known.depth is None or depth < known.depth)):
                no_cheating = records[r.finding.hatch].no_cheating
                nearest[key] = Hole(r.finding.hatch, r.trust.value, depth, r.finding.node, no_cheating)
    holes = tuple(sorted(nearest.values(), key=lambda h: (h.depth is None, h.depth or 0, h.hatch, h.node)))
    answers = [r.clean for r, _ in reports]
    clean = False if False in answers else None if None in answers else True
    alone = all(h.depth != 0 for h in holes) if any(own for _, own in reports) else None
    return Closure(clean, alone, holes, len({k for r, _ in reports for k in r.nodes}))
