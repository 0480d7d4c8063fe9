"""`samespec witness discover`: a witness for a task, found by enumeration and the solver."""

from __future__ import annotations

import json
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from samespec.commands.options import budget_option, color_option, wants_color
from samespec.commands.witness_options import format_choice, means_of, tasks_at, verus_option, witness_errors
from samespec.statuses import UNDECIDED

if TYPE_CHECKING:
    from witness.discover import Discovery
    from witness.model import Task


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""
    \b
    Examples:
      samespec witness discover tasks/gap.equality-to-bound-1              one task
      samespec witness discover tasks --output found                       every task in a folder, certificates written
      samespec witness discover --all --output found                       every task of samespec's own corpus
    """,
)
@click.argument("folders", nargs=-1, metavar="[TASK]...", type=click.Path(path_type=Path))
@click.option("--all", "use_all", is_flag=True, help="Every task of samespec's own corpus.")
@click.option("--output", type=click.Path(path_type=Path), metavar="DIR", help="Write a certificate for each witness.")
@budget_option
@verus_option
@format_choice
@color_option
def discover(
    folders: tuple[Path, ...],
    use_all: bool,
    output: Path | None,
    budget: int | None,
    verus_path: str | None,
    form: str,
    color: bool | None,
) -> int:
    """Looks for a completeness witness, without a model: expressions by size, decided by the solver, certified at the gates.

    TASK is the folder of a task, or a folder of such folders (samespec witness tasks writes them). Where there is no witness,
    the reason is stated, or proved.

    Exit status: 0 each task has a certified witness, or a proof that it has none; 3 some were not found; 2 wrong usage.
    """
    if use_all == bool(folders):
        raise click.UsageError("name tasks (folders), or give --all")
    from samespec.render.text import Paint
    from witness.certificate import certify, write_certificate
    from witness.discover import discover as look

    paint = Paint(wants_color(color))
    if output is not None:
        try:
            output.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise click.ClickException(f"{output}: cannot be made: {error.strerror}") from error
    found: list[Discovery] = []
    seconds: list[float] = []
    with witness_errors():
        means = means_of(verus_path, budget, need_rustc=True)
        for task in _tasks(folders):
            begin = time.monotonic()
            result = look(task, means)
            seconds.append(time.monotonic() - begin)
            found.append(result)
            if output is not None and result.judgement is not None and result.certified:
                certificate = certify(task, [result.judgement], means)
                assert certificate is not None
                write_certificate(output / task.name, task, certificate)
            if form == "text":
                click.echo(paint.answer(_answer(result), _line(result, task)), color=True)
    record = {"schema": "samespec/witness-discovery/1", "tasks": [to_record(d) for d in found]}
    text = json.dumps(record, indent=2, ensure_ascii=False)
    if output is not None:
        try:
            (output / "discovery.json").write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise click.ClickException(f"{output}: cannot be written: {error.strerror}") from error
    click.echo(text if form == "json" else _summary(found))
    click.echo(f"{sum(seconds):.1f} s in all, {statistics.median(seconds):.1f} s a task (median)", err=True)
    return 0 if all(_answer(d) is not None for d in found) else UNDECIDED


def _tasks(folders: tuple[Path, ...]) -> Iterator[Task]:
    if folders:
        yield from tasks_at(folders)
        return
    from samespec.commands.witness_tasks import make

    for made in make(None, ()):
        yield from made.tasks


def _answer(found: Discovery) -> bool | None:
    """True for a witness, False for a proof that there is none, None for neither."""
    from witness.discover import Found

    if found.certified:
        return True
    return False if found.found in (Found.DETERMINED, Found.UNCHANGED, Found.INEXPRESSIBLE) else None


def _line(found: Discovery, task: Task) -> str:
    mark = {True: "✓", False: "–", None: "?"}[_answer(found)]
    if not found.certified or found.judgement is None:
        return f"{mark} {found.task}: {found.found}: {found.reason}"
    judgement = found.judgement
    wrong = f"wrong on {judgement.divergences} of {len(task.visible)} visible"
    if judgement.withheld is not None:
        wrong += f" and {judgement.withheld} of {len(task.withheld)} withheld"
    nodes = "1 node" if found.size == 1 else f"{found.size} nodes"
    return f"{mark} {found.task}: `{judgement.candidate.expression}` ({nodes}), {wrong} cases"


def _summary(found: list[Discovery]) -> str:
    counts = Counter(str(d.found) for d in found)
    return f"{len(found)} tasks: " + ", ".join(f"{n} {what}" for what, n in counts.most_common())


def to_record(found: Discovery) -> dict[str, object]:
    """A discovery as JSON."""
    judgement = found.judgement
    return {
        "task": found.task,
        "found": str(found.found),
        "reason": found.reason,
        "expression": None if judgement is None else judgement.candidate.expression,
        "size": found.size,
        "divergences": None if judgement is None else judgement.divergences,
        "withheld": None if judgement is None else judgement.withheld,
        "built": found.built,
        "asked": found.asked,
        "open": list(found.open),
    }
