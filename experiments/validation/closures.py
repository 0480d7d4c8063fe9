"""The audit of an edit's targets, held against its label.

In: a task and one of its edits. Out: a `Closures`: what the proofs lean on, over all functions of the original that have a
contract and a proof (what the original declares to be taken on trust is nobody's task to prove); and where that is not what the
label says.

A requirement that can never hold is a finding of the audit too, but it is the contract that is broken: where the label's verdict
is `vacuous`, it needs no label of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from corpus.tasks import Edit, Task
from depgraph.closure import audit_targets, split_targets
from depgraph.crate_loader import load_source
from depgraph.hatches import catalogue
from depgraph.model import AuditReport, Trust
from equiv.targets import Lost, counterpart, targets_of
from equiv.verdict import Place
from translate.source import from_text

CLEAN = "clean"
VACUOUS_TARGET = "vacuous-target"  # the hatch: a target whose requirement can never hold


@dataclass(frozen=True, slots=True)
class Hole:
    """One finding that counts: the hatch, its class, and the steps from the task's target (None: not in that one's closure)."""

    hatch: str
    trust: str
    depth: int | None
    place: Place
    what: str

    def __str__(self) -> str:
        return f"{self.hatch} ({self.trust}) at {self.place}: {self.what}"


@dataclass(frozen=True, slots=True)
class Closures:
    """The closures of all targets together. `answer` is as in `AuditReport.clean`; `gone` are the targets that the edit does not
    have, so that nothing could be audited."""

    answer: bool | None
    holes: tuple[Hole, ...]
    gone: tuple[str, ...]

    @property
    def audit(self) -> str:
        """The worst class of what counts; `clean` where there is none."""
        classes = [Trust(h.trust) for h in self.holes]
        return max(classes, key=lambda t: t.rank).value if classes else CLEAN


def closures(task: Task, edit: Edit) -> Closures:
    """Audits the edit's functions that answer for the targets of the original."""
    before, after = load_source(from_text(str(task.path), task.original)), load_source(from_text(str(edit.path), edit.submitted))
    there = {r.path for r in after.functions}
    found: list[str] = []
    gone: list[str] = []
    targets = {r.path: r for r in targets_of(before, None)}
    for target in (targets[path] for path in split_targets(before, list(targets))[0]):
        other = counterpart(after, target)
        path = target.path if isinstance(other, Lost) else other.path
        (found if path in there else gone).append(path)
    reports = audit_targets(before, after, list(dict.fromkeys(found))) if found else []
    return Closures(joined([r.clean for r in reports]) if reports else None, tuple(_holes(reports, task.target)), tuple(gone))


def joined(answers: list[bool | None]) -> bool | None:
    """One answer of several: not clean if one is not, open if one is open."""
    return False if False in answers else None if None in answers else True


def _holes(reports: list[AuditReport], target: str) -> Iterator[Hole]:
    found: dict[tuple[str, Place, str], Hole] = {}
    for report in reports:
        own = report.target == f"crate::{target.removeprefix('crate::')}"
        for r in report.reported:
            if r.trust is None or not (r.trust.fatal or r.trust is Trust.UNRESOLVED):
                continue
            f = r.finding
            key = (f.hatch, f.place, f.what)
            if own or key not in found:
                found[key] = Hole(f.hatch, r.trust.value, len(r.path) if own else None, f.place, f.what)
    yield from sorted(found.values(), key=lambda h: (h.place.file, h.place.line, h.place.column, h.hatch, h.what))


def wrong_audit(edit: Edit, found: Closures) -> list[str]:
    """Where the audit is not what the label says, in sentences; none where it is."""
    if edit.hatch is not None and edit.hatch not in catalogue():
        return [f"the hatch {edit.hatch!r} is not in the catalogue of hatches"]
    holes = [h for h in found.holes if not (h.hatch == VACUOUS_TARGET and edit.verdict == "vacuous" and edit.hatch != h.hatch)]
    said = Closures(found.answer, tuple(holes), found.gone).audit
    problems = []
    if said != edit.audit:
        problems.append(f"the audit says {said}, the label {edit.audit}" + "".join(f"; {h}" for h in holes))
    if edit.hatch is not None:
        same = [h for h in holes if h.hatch == edit.hatch]
        depths = [h.depth for h in same if h.depth is not None]
        if not same:
            others = ", ".join(sorted({h.hatch for h in holes})) or "none"
            problems.append(f"the audit finds no {edit.hatch}; it finds {others}")
        elif edit.depth is not None and min(depths, default=None) != edit.depth:
            nearest = f"{min(depths)} steps away from the target" if depths else "not in the closure of the target"
            problems.append(f"{edit.hatch} is {nearest}, the label says {edit.depth}")
    return problems
