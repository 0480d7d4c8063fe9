"""Small tasks for tests of the validation: folders in the corpus's form."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from corpus.tasks import Task, load_tasks

HEAD = "use vstd::prelude::*;\nverus! {\n"
TAIL = "\n} // verus!\n"


def file(body: str) -> str:
    return f"{HEAD}{body}{TAIL}"


def edit(kind: str, verdict: str, text: str, *, more: str = "", targets: str = "") -> dict[str, str]:
    kept = str(verdict in ("equivalent", "refines") and "audit" not in more).lower()
    toml = f'kind = "{kind}"\nverdict = "{verdict}"\nkept = {kept}\nwhy = "w"\n{more}\n'
    return {"submitted.rs": file(text), "edit.toml": toml + (f"[targets]\n{targets}\n" if targets else "")}


def make(
    root: Path,
    name: str,
    original: str,
    edits: Mapping[str, dict[str, str]],
    *,
    target: str = "f",
    cases: str = "",
    proof: str = "",
) -> Path:
    """Writes one task below `root`."""
    task = root / name
    (task / "edits").mkdir(parents=True)
    (task / "original.rs").write_text(file(original))
    (task / "task.toml").write_text(f'title = "t"\ndescription = "d"\nfield = "made"\ntarget = "{target}"\n{cases}')
    if proof:
        (task / "proof.rs").write_text(file(proof))
    for edit_name, files in edits.items():
        (task / "edits" / edit_name).mkdir()
        for file_name, text in files.items():
            (task / "edits" / edit_name / file_name).write_text(text)
    return root


def only(root: Path) -> Task:
    (task,) = load_tasks(root)
    return task
