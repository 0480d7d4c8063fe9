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

    ``verdict`` is the one of the whole edit.  ``targets`` holds verdicts by function; a function of the original that has a
    contract and is not in it is ``equivalent``.  It is never empty: an ``edit.toml`` without it means the task's own target.
    """

    name: str
    path: Path
    submitted: str
    kind: str
    verdict: str
    kept: bool
    why: str
    targets: Mapping[str, str]


@dataclass(frozen=True)
class Task:
    """An original file with a contract on ``target``, cases to run it on, and the edits made to it."""

    name: str
    path: Path
    original: str
    title: str
    description: str
    field: str
    target: str
    cases: tuple[Case, ...]
    edits: tuple[Edit, ...]


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
    record = _record(file, {"kind", "verdict", "kept", "why"}, {"targets"})
    kind = _text(file, record, "kind")
    if kind not in KEPT_KINDS | BROKEN_KINDS:
        raise ValueError(f"{file}: kind: {kind!r} is not a known kind")
    verdict = _text(file, record, "verdict")
    if verdict not in VERDICTS:
        raise ValueError(f"{file}: verdict: {verdict!r} is not a verdict")
    kept = record["kept"]
    if not isinstance(kept, bool):
        raise ValueError(f"{file}: kept: must be true or false")
    if kept != (verdict in KEPT_VERDICTS):
        raise ValueError(f"{file}: kept: contradicts the verdict {verdict!r}")
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
    )


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
