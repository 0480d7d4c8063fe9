"""`samespec corpus`: samespec's own corpus of edits, listed and validated."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from samespec.commands.options import budget_option, color_option, format_option, usage_errors, wants_color

if TYPE_CHECKING:
    from corpus.tasks import Task

HELP = {"help_option_names": ["-h", "--help"]}


def _tasks_option(command: Callable[..., int]) -> Callable[..., int]:
    command = click.option(
        "--task", "names", multiple=True, metavar="NAME", help="Only this task; may be repeated. Default: all."
    )(command)
    return click.option(
        "--tasks",
        "folder",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="A folder of tasks in the corpus's form (corpus/README.md). Default: samespec's own.",
    )(command)


@click.group(name="corpus", context_settings=HELP)
def corpus_group() -> None:
    """samespec's own corpus: originals, edits of them, and the right verdict for each."""


@corpus_group.command(
    name="list",
    context_settings=HELP,
    epilog="""
    \b
    Examples:
      samespec corpus list                       every task, and the counts by field and kind
      samespec corpus list --task sort --format json
    """,
)
@_tasks_option
@format_option
def list_command(folder: Path | None, names: tuple[str, ...], output: str) -> int:
    """The tasks, and how many edits there are of each kind.

    Exit status: 0, or 2 for a folder that is not in the corpus's form.
    """
    tasks, _ = _load(folder, names)
    from samespec.render.corpus_report import list_json, list_text

    click.echo(list_json(tasks) if output == "json" else list_text(tasks), nl=False)
    return 0


@corpus_group.command(
    name="check",
    context_settings=HELP,
    epilog="""
    \b
    Examples:
      samespec corpus check                              everything, on all cores (minutes)
      samespec corpus check --task sort --task gap       two tasks
      samespec corpus check --tasks my/tasks --format json --output checked.json
    """,
)
@_tasks_option
@format_option
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes to use. Default: one for each core.")
@click.option("--output", "path", type=click.Path(path_type=Path), metavar="FILE", help="Write the report there too.")
@click.option("--verus", metavar="PATH", help="The Verus to ask. Default: VERUS, then the search path; without one none is.")
@budget_option
@color_option
def check_command(
    folder: Path | None,
    names: tuple[str, ...],
    output: str,
    jobs: int | None,
    path: Path | None,
    verus: str | None,
    budget: int | None,
    color: bool | None,
) -> int:
    """Validate the corpus: check every label by every means there is.

    Every file is read and translated; the code of originals and kept edits is compiled and run on the cases of their
    tasks; every verdict is held against samespec's own, against cvc5, against evaluation on all values or on a bounded
    domain, against the syntax trees, the audit, and Verus. The report says by which means each label is confirmed
    (docs/corpus.md).

    Exit status: 0 nothing contradicts a label, 1 something does, 3 more labels than allowed are confirmed by nothing, 2
    wrong usage or a folder that is not in the corpus's form.
    """
    tasks, root = _load(folder, names)
    if path is not None:
        _writable(path)
    with usage_errors():
        from experiments.validation.run import Tools, has_second_solver, validate
        from referee.toolchain import find_rustc
        from referee.verus import find_verus
        from samespec.api import default_budget
        from samespec.render.corpus_report import check_json, check_text, exit_status

        try:
            installed = find_verus(verus)
        except FileNotFoundError as error:
            raise click.ClickException(str(error)) from error
        tools = Tools(has_second_solver(), find_rustc(), installed, default_budget() if budget is None else budget)
        found = validate(tasks, tools, root=root, jobs=jobs or os.cpu_count() or 1, progress=_progress())
    as_json = output == "json"
    if path is not None:
        path.write_text(check_json(found) if as_json else check_text(found, color=False), encoding="utf-8")
    if as_json and path is None:
        click.echo(check_json(found), nl=False)
    else:
        click.echo(check_text(found, color=wants_color(color)), nl=False, color=True)
    if path is not None:
        click.echo(f"written: {path}")
    return exit_status(found.passed)


def _writable(path: Path) -> None:
    """Whether the report can be written, before minutes are spent on it."""
    try:
        path.open("a", encoding="utf-8").close()
    except OSError as error:
        raise click.ClickException(f"{path}: cannot be written ({error.strerror})") from error


def _load(folder: Path | None, names: tuple[str, ...]) -> tuple[list[Task], str]:
    """The tasks that were asked for, and how the report calls their folder."""
    from corpus.tasks import ROOT, load_tasks

    root = ROOT if folder is None else folder
    try:
        tasks = load_tasks(root)
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    if not tasks:
        shape = "each is a folder with an original.rs and a task.toml (corpus/README.md)"
        raise click.ClickException(f"{root}: no tasks in it; {shape}")
    known = {t.name for t in tasks}
    unknown = [n for n in names if n not in known]
    if unknown:
        raise click.ClickException(f"no task `{unknown[0]}` in {root}; `samespec corpus list` lists them")
    here = Path.cwd()
    shown = root.relative_to(here) if root.is_absolute() and root.is_relative_to(here) else root
    return [t for t in tasks if not names or t.name in names], str(shown)


def _progress() -> Callable[[int, int, str], None] | None:
    """Progress on standard error, where that is a terminal."""
    if not sys.stderr.isatty():
        return None

    def show(done: int, total: int, name: str) -> None:
        click.echo(f"\r\x1b[K{done}/{total} {name}" if done < total else "\r\x1b[K", nl=False, err=True)

    return show
