"""Reads the corpus: folders of an original, its edits and the right verdict for each go in, frozen records come out.

The shape of the folders, what a kind means and how values are written is in README.md beside this file.  A record that is
not right is refused with a ``ValueError`` that names the file and the field; nothing is skipped or guessed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

Value: TypeAlias = "bool | int | str | list[Value] | dict[str, Value]"

ROOT = Path(__file__).parent / "tasks"

KEPT_VERDICTS = frozenset({"equivalent", "refines"})
BROKEN_VERDICTS = frozenset({"weakened", "vacuous", "interface-changed", "missing"})
VERDICTS = KEPT_VERDICTS | BROKEN_VERDICTS

#: What the audit says of everything that the targets of an edit lean on: the worst class of the closure, of those that count.
AUDITS = frozenset({"clean", "escaped", "diverges", "unverified"})

KEPT_KINDS = frozenset(
    {
        "body-changed",
        "bound-var-renamed",
        "chain-split",
        "clause-merged",
        "clause-split",
        "contraposition",
        "de-morgan",
        "decreases-changed",
        "definition-extracted",
        "definition-inlined",
        "definition-renamed",
        "definition-rewritten",
        "ensures-strengthened",
        "equivalent-arithmetic",
        "ext-equality",
        "final-spelling",
        "formatting",
        "helper-added",
        "match-forms",
        "old-spelling",
        "param-renamed",
        "quantifier-rewritten",
        "redundant-clause",
        "reordered",
        "requires-weakened",
        "returns-form",
        "trigger-changed",
        "view-index",
        "visibility",
    }
)
BROKEN_KINDS = frozenset(
    {
        "alias-changed",
        "and-to-or",
        "clause-dropped",
        "const-changed",
        "contradiction-by-types",
        "contradiction-hidden",
        "contradiction-plain",
        "decoy-function",
        "generic-bound-changed",
        "hidden-by-cfg",
        "hidden-by-comment",
        "implication-reversed",
        "macro-changed",
        "mode-changed",
        "moved-to-recommends",
        "old-final-confused",
        "params-swapped",
        "precedence",
        "prelude-shadowed",
        "range-emptied",
        "range-shifted",
        "re-export-changed",
        "relation-loosened",
        "requires-strengthened",
        "returns-dropped",
        "spec-fn-changed",
        "spec-fn-shadowed",
        "target-external",
        "target-removed",
        "tautology",
        "trait-impl-changed",
        "type-changed",
        "type-narrowed",
        "view-changed",
    }
)
#: Kinds that leave the contract alone and break the proof: only an audit of what the proof leans on can see them.
PROOF_KINDS = frozenset({"proof-hole"})
KINDS = KEPT_KINDS | BROKEN_KINDS | PROOF_KINDS


@dataclass(frozen=True)
class Case:
    """One run of an executable function: what goes in, what must come out.

    ``inputs`` is in the order of the parameters.  ``output`` is ``None`` for a function without a result; ``final`` holds the
    values of ``&mut`` parameters after the call, by name.
    """

    function: str
    inputs: Mapping[str, Value]
    output: Value | None
    final: Mapping[str, Value]


@dataclass(frozen=True)
class Edit:
    """A complete edited file and what samespec must say about it.

    ``verdict`` is that of the contracts in the whole edit.  ``targets`` holds verdicts by function; a function of the original
    that has a contract and is not in it is ``equivalent``.  It is never empty: an ``edit.toml`` without it means the task's own
    target.

    ``audit`` is the worst class of what the targets lean on, one of ``AUDITS``; where it is not ``clean``, ``hatch`` may name
    the hole (an id of the catalogue in ``depgraph.hatches``) and ``depth`` how many steps of the call graph lead to it from the
    task's target (0: it is in the target itself).  ``kept`` means that the contracts are kept and the audit is clean.
    """

    name: str
    path: Path
    submitted: str
    kind: str
    verdict: str
    kept: bool
    why: str
    targets: Mapping[str, str]
    audit: str = "clean"
    hatch: str | None = None
    depth: int | None = None


@dataclass(frozen=True)
class Task:
    """An original file with a contract on ``target``, cases to run it on, and the edits made to it.

    ``proof`` is, for a lemma without a body, the text of the same file with a complete proof.
    """

    name: str
    path: Path
    original: str
    title: str
    description: str
    field: str
    target: str
    cases: tuple[Case, ...]
    edits: tuple[Edit, ...]
    proof: str | None = None


def load_tasks(root: Path | None = None) -> list[Task]:
    """All tasks below ``root`` (this package's own ``tasks`` folder if none is given), sorted by name, edits too.

    Raises ``ValueError`` with the file and the field when a record is incomplete, unknown or contradicts itself.
    """
    where = ROOT if root is None else root
    return [_task(folder) for folder in _folders(where)]


def _task(folder: Path) -> Task:
    file = folder / "task.toml"
    record = _record(file, {"title", "description", "field", "target"}, {"cases"})
    target = _text(file, record, "target")
    edits = folder / "edits"
    return Task(
        name=folder.name,
        path=folder / "original.rs",
        original=_source(folder / "original.rs"),
        title=_text(file, record, "title"),
        description=_text(file, record, "description"),
        field=_text(file, record, "field"),
        target=target,
        cases=tuple(_cases(file, record.get("cases", []), target)),
        edits=tuple(_edit(edit, target) for edit in _folders(edits)),
        proof=_source(folder / "proof.rs") if (folder / "proof.rs").exists() else None,
    )


def _cases(file: Path, cases: object, target: str) -> list[Case]:
    if not isinstance(cases, list):
        raise ValueError(f"{file}: cases: must be a list of tables")
    found = []
    for number, case in enumerate(cases):
        at = f"cases[{number}]"
        if not isinstance(case, dict):
            raise ValueError(f"{file}: {at}: must be a table")
        for field in case:
            if field not in {"fn", "inputs", "output", "final"}:
                raise ValueError(f"{file}: {at}.{field}: no such field")
        if "inputs" not in case:
            raise ValueError(f"{file}: {at}.inputs: is missing")
        if "output" not in case and "final" not in case:
            raise ValueError(f"{file}: {at}.output: is missing, and there is no final either")
        found.append(
            Case(
                function=_text(file, case, "fn", at + ".") if "fn" in case else target,
                inputs=_values(file, at + ".inputs", case["inputs"]),
                output=_value(file, at + ".output", case["output"]) if "output" in case else None,
                final=_values(file, at + ".final", case.get("final", {})),
            )
        )
    return found


def _edit(folder: Path, target: str) -> Edit:
    file = folder / "edit.toml"
    record = _record(file, {"kind", "verdict", "kept", "why"}, {"targets", "audit", "hatch", "depth"})
    kind = _text(file, record, "kind")
    if kind not in KINDS:
        raise ValueError(f"{file}: kind: {kind!r} is not a known kind")
    verdict = _text(file, record, "verdict")
    if verdict not in VERDICTS:
        raise ValueError(f"{file}: verdict: {verdict!r} is not a verdict")
    audit, hatch, depth = _audit(file, record, kind)
    kept = record["kept"]
    if not isinstance(kept, bool):
        raise ValueError(f"{file}: kept: must be true or false")
    if kept != (verdict in KEPT_VERDICTS and audit == "clean"):
        raise ValueError(f"{file}: kept: contradicts the verdict {verdict!r} with the audit {audit!r}")
    if kept != (kind in KEPT_KINDS):
        raise ValueError(f"{file}: kind: {kind!r} contradicts kept = {str(kept).lower()}")
    return Edit(
        name=folder.name,
        path=folder / "submitted.rs",
        submitted=_source(folder / "submitted.rs"),
        kind=kind,
        verdict=verdict,
        kept=kept,
        why=_text(file, record, "why"),
        targets=_targets(file, record.get("targets"), target, verdict),
        audit=audit,
        hatch=hatch,
        depth=depth,
    )


def _audit(file: Path, record: Mapping[str, object], kind: str) -> tuple[str, str | None, int | None]:
    """The fields ``audit``, ``hatch`` and ``depth``: a hole in the proof has a class and a name, and a name has a class."""
    if kind in PROOF_KINDS:
        for field in ("audit", "hatch"):
            if field not in record:
                raise ValueError(f"{file}: {field}: is missing, and the kind {kind!r} needs it")
    audit = _text(file, record, "audit") if "audit" in record else "clean"
    if audit not in AUDITS:
        raise ValueError(f"{file}: audit: {audit!r} is not one of {', '.join(sorted(AUDITS))}")
    hatch = _text(file, record, "hatch") if "hatch" in record else None
    depth = record.get("depth")
    if depth is not None and (not isinstance(depth, int) or isinstance(depth, bool) or depth < 0):
        raise ValueError(f"{file}: depth: must be an integer, 0 or more")
    if audit == "clean" and kind in PROOF_KINDS:
        raise ValueError(f"{file}: audit: 'clean' contradicts the kind {kind!r}")
    if audit == "clean" and hatch is not None:
        raise ValueError(f"{file}: hatch: contradicts the audit 'clean'")
    if hatch is None and depth is not None:
        raise ValueError(f"{file}: depth: of which hatch? the field hatch is missing")
    return audit, hatch, depth


def _targets(file: Path, named: object, target: str, verdict: str) -> dict[str, str]:
    if named is None:
        return {target: verdict}
    if not isinstance(named, dict):
        raise ValueError(f"{file}: targets: must be a table of verdicts")
    found: dict[str, str] = {}
    for function, said in sorted(named.items()):
        if not isinstance(said, str) or said not in VERDICTS:
            raise ValueError(f"{file}: targets.{function}: {said!r} is not a verdict")
        found[function] = said
    if verdict not in found.values():
        raise ValueError(f"{file}: targets: no function has the verdict {verdict!r} of the edit")
    if verdict in KEPT_VERDICTS and not KEPT_VERDICTS.issuperset(found.values()):
        raise ValueError(f"{file}: targets: a broken function in an edit that is kept")
    return found


def _folders(parent: Path) -> list[Path]:
    if not parent.is_dir():
        raise ValueError(f"{parent}: is not a folder")
    return sorted((path for path in parent.iterdir() if path.is_dir()), key=lambda path: path.name)


def _source(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise ValueError(f"{file}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{file}: is not UTF-8: {error.reason}") from error


def _record(file: Path, needed: set[str], optional: set[str]) -> dict[str, object]:
    try:
        record: dict[str, object] = tomllib.loads(_source(file))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{file}: is not TOML: {error}") from error
    for field in sorted(needed):
        if field not in record:
            raise ValueError(f"{file}: {field}: is missing")
    for field in record:
        if field not in needed | optional:
            raise ValueError(f"{file}: {field}: no such field")
    return record


def _text(file: Path, record: Mapping[str, object], field: str, at: str = "") -> str:
    text = record[field]
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"{file}: {at}{field}: must be a text that is not empty")
    return text


def _values(file: Path, at: str, values: object) -> dict[str, Value]:
    if not isinstance(values, dict):
        raise ValueError(f"{file}: {at}: must be a table by parameter name")
    return {name: _value(file, f"{at}.{name}", value) for name, value in values.items()}


def _value(file: Path, at: str, value: object) -> Value:
    if isinstance(value, bool | int | str):
        return value
    if isinstance(value, list):
        return [_value(file, f"{at}[{number}]", item) for number, item in enumerate(value)]
    if isinstance(value, dict):
        return _values(file, at, value)
    raise ValueError(f"{file}: {at}: {type(value).__name__} is not a value of a case")
