"""What the subcommands of `samespec witness` share: options, how errors are shown, who judges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from samespec.commands.options import usage_errors

if TYPE_CHECKING:
    from witness.gates import Means
    from witness.model import Task

F = TypeVar("F", bound=Callable[..., Any])

NO_RUSTC = "no rustc on this machine: gates 3 and 4 need it; install Rust (https://rustup.rs), or name it with RUSTC"


def format_choice(command: F) -> F:
    return click.option(
        "--format", "form", type=click.Choice(["text", "json"]), default="text", help="Text (default) or JSON."
    )(command)


def verus_option(command: F) -> F:
    return click.option(
        "--verus",
        "verus_path",
        metavar="PATH",
        help="Verus for gates 1 and 2 (default: VERUS, then the search path, else the embedded verifier).",
    )(command)


@contextmanager
def witness_errors() -> Iterator[None]:
    """What the room cannot work with is an error of usage: one message, exit status 2."""
    with usage_errors():
        try:
            yield
        except Exception as error:
            from witness.contract import WitnessError

            if isinstance(error, WitnessError):
                raise click.ClickException(str(error)) from error
            raise


def means_of(verus_path: str | None, budget: int | None, *, need_rustc: bool = False) -> Means:
    """Who judges here."""
    from referee.verus import find_verus
    from witness.embedded import BUDGET
    from witness.gates import Means
    from witness.program import find_machine

    machine = find_machine()
    if machine is None and need_rustc:
        raise click.ClickException(NO_RUSTC)
    try:
        verus = find_verus(verus_path)
    except FileNotFoundError as error:
        raise click.ClickException(str(error)) from error
    return Means(machine, verus, BUDGET if budget is None else budget)


def tasks_at(folders: tuple[Path, ...]) -> list[Task]:
    """The tasks in folders that `samespec witness tasks` wrote. Raises `WitnessError`."""
    from witness.contract import WitnessError
    from witness.store import folders_of_tasks, read_task

    found = [read_task(each) for folder in folders for each in folders_of_tasks(folder)]
    if not found:
        raise WitnessError(f"{folders[0]}: no tasks in it; write some with `samespec witness tasks --output {folders[0]}`")
    return found
