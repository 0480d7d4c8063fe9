"""Mutants as folders, in the shape of the corpus's edits.

In: mutants, with or without a confirmation. Out: DIR/NUMBER-KIND/{submitted.rs, edit.toml}, and DIR/original.rs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from experiments.mutation.confirm import CONFIRMED, DISCARDED, Confirmation
from experiments.mutation.model import KEPT, Mutant
from translate.source import SourceText


class FolderError(Exception):
    """A folder that cannot take the mutants; the message says why and what to do."""


def prepare(folder: Path, original: SourceText) -> None:
    """Makes the folder, with a copy of the original. Raises `FolderError` where something stands there already."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise FolderError(f"{folder}: is there already; name a new folder, or an empty one")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "original.rs").write_bytes(original.raw)
    except OSError as error:
        raise FolderError(f"{folder}: cannot be written ({error.strerror}); name a folder that can") from error


def write(folder: Path, number: int, mutant: Mutant, confirmation: Confirmation | None) -> Path:
    """Writes one mutant, and returns its folder. Raises `FolderError`."""
    place = folder / "edits" / f"{number:04}-{mutant.kind}"
    try:
        place.mkdir(parents=True)
        (place / "submitted.rs").write_text(mutant.text, encoding="utf-8")
        text = "".join(f"{key} = {_toml(value)}\n" for key, value in record(mutant, confirmation).items())
        (place / "edit.toml").write_text(text, encoding="utf-8")
    except OSError as error:
        raise FolderError(f"{place}: cannot be written ({error.strerror})") from error
    return place


def record(mutant: Mutant, confirmation: Confirmation | None) -> dict[str, object]:
    """What edit.toml says. `verdict` and `kept` stand there where they are known: by construction, or by the checker."""
    found: dict[str, object] = {"kind": mutant.kind, "label": mutant.label}
    if mutant.label == KEPT:
        found |= {"verdict": "equivalent", "kept": True}
    elif confirmation is not None and confirmation.status in (CONFIRMED, DISCARDED):
        found |= {"verdict": str(confirmation.verdict), "kept": confirmation.status == DISCARDED}
    found |= {"why": mutant.why, "target": mutant.target, "rules": list(mutant.rules)}
    if confirmation is not None:
        found |= {"confirmation": confirmation.status, "checked": str(confirmation.verdict), "replayed": confirmation.replayed}
    return found


def _toml(value: object) -> str:
    """A value in TOML: for these types JSON writes it the same way, but for one character that TOML wants escaped."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def kinds_table() -> Iterator[tuple[str, str, str, str]]:
    """The rules as rows: kind, label, name, what they do."""
    from experiments.mutation.engine import RULES

    for rule in sorted(RULES, key=lambda r: (not r.kept, r.kind)):
        yield rule.kind, rule.label, rule.name, rule.what
