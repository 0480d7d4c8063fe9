"""Tasks on disk, and their hashes.

In: tasks, or a folder. Out: the other. A task's folder holds `task.json`, `full.rs` (S), `weakened.rs` (S⁻), and
`implementation.rs` where the program that gave the outputs is another text than S. Values are written as `witness.data` does. The
hash is SHA-256 over the canonical JSON (sorted keys, no white space) of everything in the task; what is read is checked against
it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from witness.contract import Opened, WitnessError, open_function, working
from witness.data import from_json, to_json
from witness.model import Case, Json, Omission, OmissionKind, Task

SCHEMA: Final = "samespec/witness-task/1"
_FULL, _WEAKENED, _IMPLEMENTATION = "full.rs", "weakened.rs", "implementation.rs"


def sha256(text: str) -> str:
    """The SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def task_hash(task: Task) -> str:
    """The hash of everything in a task but the hash."""
    record = {**_record(task), "full": task.full, "weakened": task.weakened, "implementation": task.implementation}
    return sha256(json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=True))


def sealed(task: Task) -> Task:
    """The task with its hash: from then on it is fixed."""
    return replace(task, sha256=task_hash(task))


def _record(task: Task) -> dict[str, Json]:
    omission = task.omission
    return {
        "schema": SCHEMA,
        "name": task.name,
        "description": task.description,
        "source": task.source,
        "function": task.function,
        "omission": {
            "kind": str(omission.kind),
            "rule": omission.rule,
            "clause": omission.clause,
            "becomes": omission.becomes,
            "line": omission.line,
            "column": omission.column,
        },
        "visible": [_case(task, c) for c in task.visible],
        "withheld": [_case(task, c) for c in task.withheld],
        "examples": list(task.examples),
    }


def _case(task: Task, case: Case) -> Json:
    inputs: dict[str, Json] = {p.name: to_json(x, p.sort) for p, x in zip(task.parameters, case.inputs, strict=True)}
    mutable = [p for p in task.parameters if p.mutable]
    record: dict[str, Json] = {"inputs": inputs, "origin": case.origin}
    if task.result_sort is not None and case.output is not None:
        record["output"] = to_json(case.output, task.result_sort)
    if mutable:
        record["final"] = {p.name: to_json(x, p.sort) for p, x in zip(mutable, case.final, strict=True)}
    return record


def write_task(folder: Path, task: Task) -> None:
    """Writes a task into a folder of its own, which is made. Raises `WitnessError`."""
    record = {**_record(task), "sha256": task.sha256}
    texts = {"task.json": json.dumps(record, indent=2, ensure_ascii=False) + "\n", _FULL: task.full, _WEAKENED: task.weakened}
    if task.implementation != task.full:
        texts[_IMPLEMENTATION] = task.implementation
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as problem:
        raise WitnessError(f"{folder}: cannot be written: {problem.strerror}") from problem


def read_task(folder: Path) -> Task:
    """The task of a folder, checked against its hash. Raises `WitnessError`."""
    file = folder / "task.json"
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
        full = (folder / _FULL).read_text(encoding="utf-8")
        weakened = (folder / _WEAKENED).read_text(encoding="utf-8")
        other = folder / _IMPLEMENTATION
        implementation = other.read_text(encoding="utf-8") if other.exists() else full
    except FileNotFoundError as problem:
        raise WitnessError(f"{problem.filename}: no such file; a task's folder is what `samespec witness tasks` wrote") from None
    except (OSError, UnicodeDecodeError, ValueError) as problem:
        raise WitnessError(f"{file}: cannot be read: {problem}") from problem
    try:
        task = _task(record, full, weakened, implementation)
    except (KeyError, TypeError, ValueError) as problem:
        raise WitnessError(f"{file}: not a task of schema {SCHEMA}: {type(problem).__name__}: {problem}") from problem
    if task.sha256 != task_hash(task):
        raise WitnessError(f"{folder}: the task was changed after it was fixed: its hash is another; write it again")
    return task


def _task(record: Mapping[str, Any], full: str, weakened: str, implementation: str) -> Task:
    if record["schema"] != SCHEMA:
        raise ValueError(f"the schema is {record['schema']!r}")
    omission = record["omission"]
    with working():
        opened = open_function(f"{record['name']}/{_FULL}", full, record["function"])
        return Task(
            name=record["name"],
            description=record["description"],
            source=record["source"],
            function=record["function"],
            full=full,
            weakened=weakened,
            implementation=implementation,
            omission=Omission(**{**omission, "kind": OmissionKind(omission["kind"])}),
            parameters=opened.parameters(),
            result_type=opened.result_type,
            result_sort=opened.result_sort,
            visible=tuple(read_case(opened, c, f"visible[{i}]") for i, c in enumerate(record["visible"])),
            withheld=tuple(read_case(opened, c, f"withheld[{i}]") for i, c in enumerate(record["withheld"])),
            examples=tuple(map(str, record["examples"])),
            sha256=record["sha256"],
        )


def read_case(opened: Opened, data: Mapping[str, Any], at: str) -> Case:
    """A case from JSON: `inputs` by name in the order of the parameters, `output`, `final` by name, `origin`.

    Raises `WitnessError` where a value is not of its parameter's type.
    """
    parameters = opened.parameters()
    given = data["inputs"]
    if len(given) != len(parameters):
        raise WitnessError(f"{at}: {len(given)} inputs for {len(parameters)} parameters of `{opened.fn.name}`")
    inputs = tuple(from_json(x, p.sort, f"{at}.{n}") for (n, x), p in zip(given.items(), parameters, strict=True))
    output = None
    if opened.result_sort is not None:
        if "output" not in data:
            raise WitnessError(f"{at}: no output, and `{opened.fn.name}` returns a value")
        output = from_json(data["output"], opened.result_sort, f"{at}.output")
    final_of = data.get("final", {})
    final = tuple(_final(final_of, given, i, p.sort, f"{at}.final") for i, p in enumerate(parameters) if p.mutable)
    return Case(inputs, output, final, str(data.get("origin", "given")))


def _final(final: Mapping[str, Any], given: Mapping[str, Any], position: int, sort: Any, at: str) -> Any:
    name = list(given)[position]
    if name not in final:
        raise WitnessError(f"{at}: no value of `{name}`, which the function may change")
    return from_json(final[name], sort, f"{at}.{name}")


def folders_of_tasks(folder: Path) -> Sequence[Path]:
    """The folders of tasks below a folder, by name; the folder itself where it is one."""
    if (folder / "task.json").exists():
        return [folder]
    if not folder.is_dir():
        raise WitnessError(f"{folder}: no such folder")
    return sorted((p.parent for p in folder.glob("*/task.json")), key=lambda p: p.name)
