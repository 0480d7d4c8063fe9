"""The validation of the corpus as text and as JSON, and the list of its tasks.

In: a `Validation`, or tasks. Out: text, a table by kind and then whatever needs a person; JSON in the schemas
`samespec/corpus-check/1` (samespec/schemas/corpus-check-1.json) and `samespec/corpus-list/1` that docs/json.md describes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from corpus.tasks import BROKEN_KINDS, KEPT_KINDS, KINDS, PROOF_KINDS, Task
from experiments.validation.model import ALLOWANCE, ALONE, CONFIRMING, MEANS, EditCheck, Execution, Judged, Means, Validation
from samespec.render.json_report import Json, dump, versions
from samespec.render.text import Paint, mark, visible

CHECK_SCHEMA = "samespec/corpus-check/1"
LIST_SCHEMA = "samespec/corpus-list/1"
GROUPS = (("kept", KEPT_KINDS), ("broken", BROKEN_KINDS), ("proof broken", PROOF_KINDS))
STATUS = {True: 0, False: 1, None: 3}


def exit_status(passed: bool | None) -> int:
    """0: every label stands; 1: something contradicts one; 3: too many are confirmed by nothing."""
    return STATUS[passed]


# --- counts -----------------------------------------------------------------------------------------------------------


def _row(edits: Sequence[EditCheck]) -> dict[str, int]:
    """How many edits there are, how many each means confirms, how many only samespec's own verdict, and how many none."""
    counts = {"edits": len(edits)}
    counts |= {str(m): sum(m in e.means for e in edits) for m in Means}
    counts["alone"] = sum(_alone(e) for e in edits)
    counts["unconfirmed"] = sum(not e.confirmed for e in edits)
    return counts


def _alone(edit: EditCheck) -> bool:
    found = set(edit.means) & CONFIRMING
    return bool(found) and found <= ALONE


def _kinds(edits: Sequence[EditCheck]) -> dict[str, list[EditCheck]]:
    by_kind: dict[str, list[EditCheck]] = {}
    for edit in edits:
        by_kind.setdefault(edit.kind, []).append(edit)
    return dict(sorted(by_kind.items()))


def _programs(v: Validation) -> dict[str, tuple[int, int]]:
    """By group of files: how many were run on the cases, and how many failed one."""
    groups: dict[str, list[Execution]] = {
        "originals": [o.execution for o in v.originals],
        "kept": [e.execution for e in v.edits if e.kept],
        "broken": [e.execution for e in v.edits if not e.kept],
    }
    return {name: (sum(x.cases > 0 for x in found), sum(x.failed > 0 for x in found)) for name, found in groups.items()}


# --- text -------------------------------------------------------------------------------------------------------------


def check_text(v: Validation, *, color: bool) -> str:
    """The report as `samespec corpus check` prints it; ends with a line break."""
    paint = Paint(color)
    lines = [f"{visible(v.root)}: {_some(len(v.originals), 'original')}, {_some(len(v.edits), 'edit')}", ""]
    lines += _table(v, paint)
    lines += ["", *_legend()]
    lines += ["", *_beside(v)]
    lines += _listed(
        "not decided, or only in part, by samespec itself:",
        [f"{e.name}: {t.open}" for e in v.edits for t in e.targets if t.open],
    )
    lines += _listed("confirmed by nothing but the word of who wrote the label:", [_unconfirmed(e) for e in v.unconfirmed])
    lines += _listed("contradicted:", v.errors)
    lines += ["", paint.answer(v.passed, _verdict(v))]
    return "\n".join(lines) + "\n"


def _table(v: Validation, paint: Paint) -> list[str]:
    rows: list[tuple[str, dict[str, int] | None]] = []
    for title, kinds in GROUPS:
        group = [e for e in v.edits if e.kind in kinds]
        if group:
            rows.append((title, None))
            rows += [(f"  {kind}", _row(edits)) for kind, edits in _kinds(group).items()]
    rows.append(("all", _row(v.edits)))
    names = list(_row([]))
    width = max(len(name) for name, _ in rows)
    sizes = {n: max(len(n), 4) for n in names}
    lines = [" " * width + "".join("  " + n.rjust(sizes[n]) for n in names)]
    for name, counts in rows:
        if counts is None:
            lines.append(paint.strong(name))
            continue
        cells = "".join("  " + (str(counts[n]) if counts[n] else "·").rjust(sizes[n]) for n in names)
        lines.append(name.ljust(width) + cells)
    return lines


def _legend() -> Iterator[str]:
    width = max(len(m) for m in Means)
    for means, what in MEANS.items():
        yield f"{means:<{width}}  {what}"
    yield f"{'alone':<{width}}  by samespec's own verdict and nothing else"


def _beside(v: Validation) -> Iterator[str]:
    for name, (ran, failed) in _programs(v).items():
        word = {"originals": "originals", "kept": "kept edits", "broken": "broken edits"}[name]
        shows = " (their code shows what the label says)" if name == "broken" and failed else ""
        yield f"programs: {ran} {word} run on the cases of their tasks, {failed} of them fail one{shows}"
    proved = [o.name for o in v.originals if o.proof.startswith("proof.rs")]
    bare = [o.name for o in v.originals if o.proof.startswith("none")]
    if proved or bare:
        yield f"lemmas without a proof in original.rs: {len(proved)} have one in proof.rs, {len(bare)} have none"
    for name, what in v.tools.items():
        yield f"{name}: {visible(what)}"
    for o in v.originals:
        yield from (f"note: {o.name} {visible(n)}" for n in o.notes)


def _listed(title: str, items: Sequence[str]) -> list[str]:
    return ["", title, *(f"  {visible(i)}" for i in items)] if items else []


def _unconfirmed(edit: EditCheck) -> str:
    targets = [t for t in edit.targets if not t.confirmed]
    what = "; ".join(f"`{t.target}` is {t.label}{f' ({t.compared})' if t.compared else ''}" for t in targets)
    return f"{edit.name} ({edit.kind}): {what}"


def _verdict(v: Validation) -> str:
    left = len(v.unconfirmed)
    by_hand = f"{left} of {len(v.edits)} labels confirmed by nothing; {v.allowed} may be ({ALLOWANCE:.0%})"
    if v.passed is False:
        return f"{mark(False)} {_some(len(v.errors), 'contradiction')}; {by_hand}"
    return f"{mark(v.passed)} nothing contradicts a label; {by_hand}"


def _some(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


# --- JSON -------------------------------------------------------------------------------------------------------------


def check_json(v: Validation) -> str:
    """The same as data, with every edit."""
    document: Json = {
        "schema": CHECK_SCHEMA,
        "versions": versions(),
        "tools": dict(v.tools),
        "root": v.root,
        "passed": v.passed,
        "exit_status": exit_status(v.passed),
        "allowed": v.allowed,
        "total": _row(v.edits),
        "kinds": [{"kind": kind, "group": _group(kind), **_row(edits)} for kind, edits in _kinds(v.edits).items()],
        "programs": {name: {"run": ran, "failed": failed} for name, (ran, failed) in _programs(v).items()},
        "errors": v.errors,
        "unconfirmed": [e.name for e in v.unconfirmed],
        "originals": [
            {
                "name": o.name,
                "field": o.field,
                "targets": list(o.targets),
                "execution": _execution(o.execution),
                "proof": o.proof,
                "verus": o.verus,
                "notes": list(o.notes),
                "errors": list(o.errors),
            }
            for o in v.originals
        ],
        "edits": [
            {
                "name": e.name,
                "kind": e.kind,
                "verdict": e.verdict,
                "kept": e.kept,
                "audit": e.audit,
                "hatch": e.hatch,
                "confirmed": e.confirmed,
                "means": [str(m) for m in e.means],
                "targets": [_judged(t) for t in e.targets],
                "audit_found": e.audit_found,
                "audit_confirmed": e.audit_confirmed,
                "execution": _execution(e.execution),
                "verus": e.verus,
                "errors": list(e.errors),
            }
            for e in v.edits
        ],
    }
    return dump(document)


def _judged(t: Judged) -> Json:
    return {
        "target": t.target,
        "label": t.label,
        "verdict": t.verdict,
        "confirmed": t.confirmed,
        "means": [str(m) for m in t.means],
        "evidence": list(t.evidence),
        "compared": t.compared,
        "open": t.open,
    }


def _execution(x: Execution) -> Json:
    return {"cases": x.cases, "failed": x.failed, "first": x.first, "why": x.why}


def _group(kind: str) -> str:
    return next(title for title, kinds in GROUPS if kind in kinds)


# --- the list ---------------------------------------------------------------------------------------------------------


def list_text(tasks: Sequence[Task]) -> str:
    """Every task with its edits counted, then the counts by field and by kind."""
    edits = [e for t in tasks for e in t.edits]
    width = max((len(t.name) for t in tasks), default=0)
    fields = max((len(t.field) for t in tasks), default=0)
    lines = [f"{_some(len(tasks), 'original')}, {_some(len(edits), 'edit')}: {_shares(tasks)}", ""]
    for t in tasks:
        lines.append(f"{t.name:<{width}}  {t.field:<{fields}}  {_some(len(t.edits), 'edit'):>9}  {t.title}")
    lines += ["", *_counted("field", Counter(t.field for t in tasks), "original")]
    for title, kinds in GROUPS:
        counts = Counter(e.kind for e in edits if e.kind in kinds)
        lines += ["", *_counted(title, counts, "edit")] if counts else []
    unused = sorted(KINDS - {e.kind for e in edits})
    if unused and tasks:
        lines += ["", f"kinds without an edit: {', '.join(unused)}"]
    return visible("\n".join(lines)) + "\n"


def _shares(tasks: Sequence[Task]) -> str:
    edits = [e for t in tasks for e in t.edits]
    holes = sum(e.kind in PROOF_KINDS for e in edits)
    kept = sum(e.kept for e in edits)
    return f"{kept} kept, {len(edits) - kept - holes} broken, {holes} with a broken proof"


def _counted(title: str, counts: Counter[str], what: str) -> Iterable[str]:
    width = max(map(len, counts), default=0)
    yield f"{title}: {_some(sum(counts.values()), what)}"
    for name, count in sorted(counts.items()):
        yield f"  {name:<{width}}  {count:>4}"


def list_json(tasks: Sequence[Task]) -> str:
    """The same as data."""
    edits = [e for t in tasks for e in t.edits]
    document: Json = {
        "schema": LIST_SCHEMA,
        "versions": versions(),
        "tasks": [
            {
                "name": t.name,
                "title": t.title,
                "field": t.field,
                "target": t.target,
                "cases": len(t.cases),
                "edits": [
                    {"name": e.name, "kind": e.kind, "verdict": e.verdict, "kept": e.kept, "audit": e.audit, "hatch": e.hatch}
                    for e in t.edits
                ],
            }
            for t in tasks
        ],
        "fields": dict(sorted(Counter(t.field for t in tasks).items())),
        "kinds": dict(sorted(Counter(e.kind for e in edits).items())),
    }
    return dump(document)
