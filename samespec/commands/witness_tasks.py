"""`samespec witness tasks`: weakened contracts with cases, made by rule."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from samespec.commands.witness_options import NO_RUSTC, format_choice, witness_errors

if TYPE_CHECKING:
    from witness.model import Task
    from witness.tasks import Made, NoTask, Source


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""
    \b
    Examples:
      samespec witness tasks --corpus                            the tasks of samespec's own corpus, listed
      samespec witness tasks --corpus --only gap --output tasks  those of one function, written into folders
      samespec witness tasks --folder benchmark --output tasks   from folders with description.md, spec.rs, code.rs
      samespec witness tasks --rules                             what is done to a contract
    """,
)
@click.option("--corpus", "use_corpus", is_flag=True, help="From samespec's own corpus.")
@click.option(
    "--folder", type=click.Path(path_type=Path), metavar="DIR", help="From a folder in VeriContest's layout, or of such folders."
)
@click.option("--only", multiple=True, metavar="NAME", help="Only the source of this name; may be repeated.")
@click.option("--output", type=click.Path(path_type=Path), metavar="DIR", help="Write a folder for each task.")
@click.option("--rules", "list_rules", is_flag=True, help="List the rules that weaken a contract, and do nothing else.")
@click.option("-v", "--verbose", is_flag=True, help="Show too what makes no task, and why.")
@format_choice
def tasks(
    use_corpus: bool,
    folder: Path | None,
    only: tuple[str, ...],
    output: Path | None,
    list_rules: bool,
    verbose: bool,
    form: str,
) -> int:
    """Makes tasks: a full contract, a weakened one, official cases, known-wrong examples, and a hash over all of it.

    A postcondition is dropped or relaxed by rule; equiv decides that what is left is weaker. The cases are what the correct
    implementation computes (it is compiled: rustc is needed) on the inputs given with it and on more that requires allows.

    Exit status: 0; 1 if no task could be made; 2 wrong usage or unreadable input.
    """
    if list_rules:
        from witness.weaken import RULES

        for name, what in RULES.items():
            click.echo(f"{name:<28}{what}")
        return 0
    if use_corpus == (folder is not None):
        raise click.UsageError("one of --corpus and --folder DIR says where tasks come from")
    from witness.program import find_machine
    from witness.store import write_task

    if find_machine() is None:
        raise click.ClickException(NO_RUSTC)
    made: list[Task] = []
    refused: list[NoTask] = []
    with witness_errors():
        for result in make(folder, only):
            made += result.tasks
            refused += result.refused
            for task in result.tasks:
                if output is not None:
                    write_task(output / task.name, task)
                if form == "text":
                    click.echo(_line(task))
            if form == "text" and verbose:
                for no in result.refused:
                    click.echo(f"no task: {no.name}: {no.why}")
    if form == "json":
        click.echo(json.dumps(_record(made, refused), indent=2, ensure_ascii=False))
    else:
        click.echo(_summary(made, refused))
    return 0 if made else 1


def make(folder: Path | None, only: tuple[str, ...]) -> Iterator[Made]:
    """The tasks of the corpus (`folder` None) or of a folder, source by source; `only` names sources. Raises `WitnessError`."""
    from witness.contract import WitnessError
    from witness.program import find_machine
    from witness.sources import corpus_sources, folder_sources
    from witness.tasks import Made, NoTask, make_tasks

    machine = find_machine()
    assert machine is not None
    left = set(only)
    sources: Iterator[Source | NoTask] = corpus_sources() if folder is None else folder_sources(folder)
    for source in sources:
        if only and source.name not in only:
            continue
        left.discard(source.name)
        yield Made((), (source,)) if isinstance(source, NoTask) else make_tasks(source, machine)
    if left:
        raise WitnessError(f"no source of tasks is called {', '.join(sorted(left))}; without --only all are listed")


def _line(task: Task) -> str:
    omission = task.omission
    change = f"`{omission.clause}` dropped" if not omission.becomes else f"`{omission.clause}` becomes `{omission.becomes}`"
    cases = f"{len(task.visible)} visible, {len(task.withheld)} withheld"
    return f"{task.name}  {omission.kind}\n    {task.source}:{omission.line}:{omission.column}: {change}\n    cases: {cases}"


def _summary(made: list[Task], refused: list[NoTask]) -> str:
    kinds = Counter(str(t.omission.kind) for t in made)
    counts = ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items()))
    functions = len({(t.source, t.function) for t in made})
    text = f"{len(made)} tasks{f' ({counts})' if counts else ''} of {functions} functions"
    return text + (f"; {len(refused)} weakenings or functions make none (-v says why)" if refused else "")


def _record(made: list[Task], refused: list[NoTask]) -> dict[str, object]:
    return {
        "schema": "samespec/witness-tasks/1",
        "tasks": [
            {
                "task": t.name,
                "kind": str(t.omission.kind),
                "rule": t.omission.rule,
                "clause": t.omission.clause,
                "becomes": t.omission.becomes,
                "source": t.source,
                "line": t.omission.line,
                "column": t.omission.column,
                "function": t.function,
                "visible": len(t.visible),
                "withheld": len(t.withheld),
                "examples": list(t.examples),
                "sha256": t.sha256,
            }
            for t in made
        ],
        "no_task": [{"name": n.name, "why": n.why} for n in refused],
    }
