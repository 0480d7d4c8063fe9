"""Sources of tasks: the corpus, and folders in VeriContest's layout.

In: a folder. Out: `witness.tasks.Source`s, or why there is none. The corpus gives one for each function that its cases run (three
cases at least). In VeriContest's layout a task is a folder with `description.md`, `spec.rs` (the contract, with an empty body)
and `code.rs` (the program, without a contract); there are no cases beside it, so all of them are generated.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from corpus.tasks import Case, load_tasks
from equiv.targets import targets_of
from translate import syntax as sx
from translate.names import Crate, Ref
from translate.parser import parse_file
from translate.source import from_text
from translate.vstd import library
from witness.contract import WitnessError
from witness.tasks import FEWEST, NoTask, Source

FILES = ("description.md", "spec.rs", "code.rs")


def corpus_sources(root: Path | None = None) -> Iterator[Source | NoTask]:
    """One source for each function that a task of the corpus has cases of."""
    for task in load_tasks(root):
        for function in dict.fromkeys(c.function for c in task.cases):
            name = task.name if function == task.target else f"{task.name}.{function.rsplit('::', 1)[-1]}"
            cases = [c for c in task.cases if c.function == function]
            if len(cases) < FEWEST:
                yield NoTask(name, f"`{function}` has {len(cases)} cases, and {FEWEST} are needed")
                continue
            given = tuple(_given(c) for c in cases)
            path = f"corpus/tasks/{task.name}/original.rs"
            yield Source(name, path, task.description, function, task.original, task.original, given)


def _given(case: Case) -> dict[str, object]:
    record: dict[str, object] = {"inputs": dict(case.inputs), "final": dict(case.final)}
    return record if case.output is None else {**record, "output": case.output}


def folder_sources(folder: Path) -> Iterator[Source | NoTask]:
    """The sources in a folder: the folder itself, or every folder below it that has the three files."""
    if not folder.is_dir():
        raise WitnessError(f"{folder}: no such folder")
    if all((folder / name).is_file() for name in FILES):
        yield folder_source(folder)
        return
    found = sorted({p.parent for p in folder.rglob("spec.rs") if all((p.parent / n).is_file() for n in FILES)})
    if not found:
        raise WitnessError(f"{folder}: no folder in it has {', '.join(FILES)}")
    for each in found:
        yield folder_source(each)


def folder_source(folder: Path) -> Source | NoTask:
    """The source that one folder is."""
    try:
        texts = {name: (folder / name).read_text(encoding="utf-8") for name in FILES}
        return _joined(folder.name, str(folder), texts["description.md"].strip(), texts["spec.rs"], texts["code.rs"])
    except (OSError, UnicodeDecodeError) as problem:
        return NoTask(folder.name, f"{folder}: cannot be read: {problem}")
    except WitnessError as problem:
        return NoTask(folder.name, str(problem))


def _joined(name: str, path: str, description: str, spec: str, code: str) -> Source:
    """The contract with the program's body, and the program with the types that only the contract's file has."""
    shown, program = _crate(f"{path}/spec.rs", spec), _crate(f"{path}/code.rs", code)
    targets = [r for r in targets_of(shown, None) if isinstance(r.item, sx.Fn) and r.item.mode == "exec"]
    written = {r.path: r for r in program.functions}
    targets = [t for t in targets if t.path in written]
    if len(targets) != 1:
        what = "no function with a contract" if not targets else "several functions with contracts"
        raise WitnessError(f"{path}: {what} in spec.rs that code.rs implements")
    target, body = targets[0], _body(written[targets[0].path])
    assert isinstance(target.item, sx.Fn)
    if body is None or target.item.body is None:
        raise WitnessError(f"{path}: `{target.name}` has no body")
    text = program.source.snippet((body.start, body.end))
    data = shown.source.data
    full = data[: target.item.body.start] + text.encode() + data[target.item.body.end :]
    missing = "".join(_missing_types(shown, program))
    return Source(name, path, description, target.path.removeprefix("crate::"), full.decode(), missing + code)


def _crate(path: str, text: str) -> Crate:
    source = from_text(path, text)
    file = parse_file(source)
    for problem in file.problems:
        raise WitnessError(f"{source.place(problem.span.start)}: {problem.construct}: {problem.message}")
    return Crate(source, file, library())


def _body(ref: Ref) -> sx.Span | None:
    assert isinstance(ref.item, sx.Fn)
    return None if ref.item.body is None else sx.Span(ref.item.body.start, ref.item.body.end)


def _missing_types(shown: Crate, program: Crate) -> Iterator[str]:
    """The executable types, aliases and constants of the contract's file that the program's file does not have."""
    there = {*program.root.types, *program.root.values}
    for name, ref in {**shown.root.types, **shown.root.values}.items():
        item = ref.item
        if name in there or ref.crate is not shown:
            continue
        if isinstance(item, sx.Struct | sx.Enum | sx.TypeAlias) or (isinstance(item, sx.Const) and item.mode == "exec"):
            if getattr(item, "mode", "") not in ("ghost", "tracked", "spec", "proof"):
                yield shown.source.snippet(item.span) + "\n"
