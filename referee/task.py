"""A task of the referee: what the agent gets, what it must not see, and what was predicted.

In: a folder. Out: `RefereeTask`. The folder holds

    task.toml        title, description, target, mode; inexpressible = "why" where it cannot be stated at all
    given.rs         the file that the agent starts from; its contracts are the task's
    withheld.toml    [[cases]] as in the corpus: runs that the agent never sees (optional)
    reference.rs     a solution, for the record (optional); never shown
    prediction.toml  what was expected before any outcome was read (optional)
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from corpus.tasks import Case, Task
from translate import syntax as sx
from translate.parser import parse_file
from translate.source import from_text

FILES = ("task.toml", "given.rs", "withheld.toml", "reference.rs", "prediction.toml")
MODES = ("contract", "proof")


class TaskError(ValueError):
    """A task folder that cannot be used; the message names the file and the field."""


@dataclass(frozen=True, slots=True)
class RefereeTask:
    name: str
    folder: Path
    title: str
    description: str
    target: str
    mode: str
    given: str
    cases: tuple[Case, ...] = ()
    inexpressible: str | None = None
    prediction: Mapping[str, Any] = field(default_factory=dict)


def load_task(folder: Path) -> RefereeTask:
    """Reads a task folder. Raises `TaskError`."""
    record = _toml(folder / "task.toml")
    for name in ("title", "description", "target"):
        if not isinstance(record.get(name), str) or not record[name].strip():
            raise TaskError(f"{folder / 'task.toml'}: {name}: must be a text that is not empty")
    unknown = set(record) - {"title", "description", "target", "mode", "inexpressible"}
    if unknown:
        raise TaskError(f"{folder / 'task.toml'}: {min(unknown)}: no such field")
    mode = record.get("mode", "contract")
    if mode not in MODES:
        raise TaskError(f"{folder / 'task.toml'}: mode: must be one of {', '.join(MODES)}")
    try:
        given = (folder / "given.rs").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TaskError(f"{folder / 'given.rs'}: {error}") from error
    withheld, prediction = folder / "withheld.toml", folder / "prediction.toml"
    return RefereeTask(
        folder.resolve().name,
        folder.resolve(),
        record["title"],
        record["description"],
        record["target"],
        mode,
        given,
        tuple(_cases(withheld, record["target"])) if withheld.exists() else (),
        record.get("inexpressible"),
        _toml(prediction) if prediction.exists() else {},
    )


def _toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise TaskError(f"{file}: {error}") from error


def _cases(file: Path, target: str) -> list[Case]:
    found = []
    for number, case in enumerate(_toml(file).get("cases", [])):
        if not isinstance(case, dict) or "inputs" not in case or not ({"output", "final"} & set(case)):
            raise TaskError(f"{file}: cases[{number}]: needs inputs, and output or final")
        found.append(Case(case.get("fn", target), case["inputs"], case.get("output"), case.get("final", {})))
    return found


# --- tasks from the corpus --------------------------------------------------------------------------------------------


def write_corpus_task(task: Task, folder: Path, *, prediction: str | None = None) -> Path:
    """A corpus task as a referee's: the target's body taken out, the corpus's own file as the hidden reference."""
    folder.mkdir(parents=True, exist_ok=True)
    toml = (task.path.parent / "task.toml").read_text(encoding="utf-8")
    head, mark, cases = toml.partition("[[cases]]")
    kept = [line for line in head.splitlines() if not line.startswith("field ")]
    (folder / "task.toml").write_text("\n".join(kept).strip() + "\n", encoding="utf-8")
    (folder / "given.rs").write_text(without_body(task.original, task.target), encoding="utf-8")
    (folder / "reference.rs").write_text(task.original, encoding="utf-8")
    if mark:
        (folder / "withheld.toml").write_text(mark + cases, encoding="utf-8")
    if prediction is not None:
        (folder / "prediction.toml").write_text(prediction, encoding="utf-8")
    return folder


def without_body(text: str, target: str) -> str:
    """The text with the target's body replaced: by nothing in a lemma, by `unimplemented!()` in code."""
    from referee.verus import functions_of  # late: it needs the fence, this module does not

    source = from_text("original.rs", text)
    for path, fn in functions_of(parse_file(source).items, ""):
        if path == target.removeprefix("crate::") and fn.body is not None:
            hole = "{\n}" if fn.mode == "proof" else "{\n    unimplemented!()\n}"
            return (source.data[: fn.body.start] + hole.encode() + source.data[fn.body.end :]).decode()
    raise TaskError(f"no function `{target}` with a body")


def is_lemma(task: RefereeTask) -> bool:
    """Whether the target is a proof function: nothing of it runs."""
    from referee.verus import functions_of

    found = [fn for path, fn in functions_of(parse_file(from_text("given.rs", task.given)).items, "") if path == task.target]
    return bool(found) and isinstance(found[0], sx.Fn) and found[0].mode == "proof"
