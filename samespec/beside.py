"""What `samespec check` does beside the contracts, on request: proof mode, the audit of the closure, Verus's word.

In: the two files and the targets. Out: a `Beside`: lines for people, values for JSON, and an answer that joins the contracts'
own: True is fine, False is not, None is open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from equiv.verdict import CheckReport

if TYPE_CHECKING:
    from depgraph.crate_loader import LoadedCrate
    from depgraph.model import AuditReport


@dataclass(frozen=True, slots=True)
class Beside:
    """`key` names it in the JSON report; `lines` come behind the contracts in the text report."""

    key: str
    lines: tuple[str, ...]
    value: Any
    answer: bool | None
    audits: tuple[AuditReport, ...] = ()  # what the pictures of a page are made of


def joined(answers: Sequence[bool | None]) -> bool | None:
    """One answer of several: not fine if one is not, open if one is open."""
    return False if False in answers else None if None in answers else True


def code_changes(original: str | Path, submitted: str | Path) -> Beside:
    """Proof mode: executable code must be the same after ghost code is erased."""
    from depgraph.crate_loader import load_crate
    from depgraph.erasure import executable_changes
    from samespec.render.text import visible

    changes = executable_changes(load_crate(str(original)), load_crate(str(submitted)))
    lines = []
    for c in changes:
        where = c.new_place or c.old_place
        lines.append(f"✗ {c.path}: executable code changed: {c.what}" + ("" if where is None else f" ({where})"))
        lines += [f"      - {line}" for line in c.old.splitlines()[:8]]
        lines += [f"      + {line}" for line in c.new.splitlines()[:8]]
    lines = [visible(line) for line in lines]
    if not changes:
        lines = ["✓ executable code: the same after ghost code is erased"]
    value = [
        {
            "path": c.path,
            "what": c.what,
            "old": c.old,
            "new": c.new,
            "old_place": None if c.old_place is None else str(c.old_place),
            "new_place": None if c.new_place is None else str(c.new_place),
        }
        for c in changes
    ]
    return Beside("code_changes", tuple(lines), value, not changes)


def closure(
    original: str | Path, submitted: str | Path, targets: Sequence[str], *, color: bool, named: bool = False
) -> Beside:
    """The audit: what the targets' proofs lean on in the submission, and what of it the original trusted already. `named` says
    that somebody named the targets: else those that the original declares to be taken on trust are left out."""
    import json

    from depgraph.closure import split_targets
    from depgraph.crate_loader import load_crate
    from samespec.render.audit_json import audit_json
    from samespec.render.audit_text import audit_text
    from samespec.render.text import visible

    before, after = load_crate(str(original)), load_crate(str(submitted))
    chosen, trusted = (targets, []) if named else split_targets(before, targets)
    found = audits(before, after, chosen)
    reports = [a for _, a in found if not isinstance(a, str)]
    answer = joined([None if isinstance(a, str) else a.clean for _, a in found]) if found else None
    text = audit_text(reports, verbose=False, color=color).splitlines()[:-1]
    lines = ["audit:", *(f"  {line}" for line in text)]
    lines += [visible(f"  ? {t}: not audited: {a}") for t, a in found if isinstance(a, str)]
    lines += [f"  - {t}: taken on trust in the original already" for t in trusted]
    values = json.loads(audit_json(reports, None, exit_status=0))["targets"]
    return Beside("audit", tuple(lines), values, answer, tuple(reports))


def audits(
    original: LoadedCrate | None, submitted: LoadedCrate, targets: Sequence[str]
) -> list[tuple[str, AuditReport | str]]:
    """The audit of each target, where it stands in the submission now; or why there is none, which is never "clean"."""
    from depgraph.closure import audit_targets
    from equiv.targets import UnknownTarget

    places: dict[str, str] = {}
    problems: dict[str, str] = {}
    for target in targets:
        try:
            places[target] = _standing(original, submitted, target)
        except UnknownTarget as problem:
            problems[target] = str(problem)
    reports = dict(zip(places, audit_targets(original, submitted, list(places.values())) if places else [], strict=True))
    return [(t, reports[t] if t in reports else problems[t]) for t in dict.fromkeys(targets)]


def _standing(original: LoadedCrate | None, submitted: LoadedCrate, target: str) -> str:
    """The path of the submission's function that answers for a target. Raises `UnknownTarget` where none does, or several do."""
    from depgraph.closure import find_target
    from equiv.targets import Lost, UnknownTarget, counterpart

    ref = find_target(submitted if original is None else original, target)
    if original is not None:
        found = counterpart(submitted, ref)
        if isinstance(found, Lost):
            raise UnknownTarget(found.message)
        ref = found
    if len(submitted.functions_at(ref.path)) > 1:
        raise UnknownTarget(f"`{ref.path}` is defined more than once, and nothing tells which is meant")
    return ref.path


def confirmation(report: CheckReport, submitted: str | Path) -> Beside:
    """Verus's word on a report that was made with `lemmas`: each obligation, then the submission, plain and with
    `--no-cheating`. Raises `FileNotFoundError` or `referee.fence.FenceError`, with what is missing and how to get it."""
    from referee.confirm import confirm_report, confirmation_json, confirmation_lines
    from referee.fence import Unfenced, find_fence
    from referee.verus import find_verus
    from translate.source import read_source

    verus = find_verus(None)
    runner = Unfenced() if verus is None else find_fence()
    found = confirm_report(report, read_source(submitted), verus=verus, runner=runner)
    return Beside("confirmation", tuple(confirmation_lines(found)), confirmation_json(found), found.confirmed)
