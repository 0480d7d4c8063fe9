"""`samespec witness survey`: tasks and discovery over a whole benchmark."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from samespec.commands.witness_options import NO_RUSTC, witness_errors


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""
    \b
    Examples:
      samespec witness survey benchmark --output survey.jsonl             on all cores; goes on where it was stopped
      samespec witness survey benchmark --output survey.jsonl --limit 20  twenty functions more
      samespec witness survey --output survey.jsonl                       the summary of what is there
    """,
)
@click.argument("folder", required=False, metavar="[DIR]", type=click.Path(path_type=Path))
@click.option("--output", required=True, type=click.Path(path_type=Path), metavar="FILE", help="The records, a JSON line each.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Stop after so many new functions.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes (default: one for each core).")
def survey(folder: Path | None, output: Path, limit: int | None, jobs: int | None) -> int:
    """Reads every folder of DIR in VeriContest's layout as a function, weakens its contract, and looks for witnesses.

    For each function: the total omission and up to two residual ones. The summary counts functions by what they return, those
    that make tasks, and those for which a witness was certified; and says why functions make none.

    Exit status: 0; 2 wrong usage or unreadable input.
    """
    from witness import survey as surveys
    from witness.program import find_machine
    from witness.sources import folder_sources

    with witness_errors():
        if folder is None:
            records = surveys.read(output)
        else:
            if not folder.is_dir():
                raise click.ClickException(f"{folder}: no such folder")
            machine = find_machine()
            if machine is None:
                raise click.ClickException(NO_RUSTC)
            known = len(surveys.read(output)) if output.exists() else 0
            records = []
            cores = jobs or len(os.sched_getaffinity(0))
            for record in surveys.survey(folder_sources(folder), machine, output, jobs=cores):
                records.append(record)
                new = len(records) - known
                if new > 0 and sys.stderr.isatty():
                    click.echo(f"\r{len(records)} functions", nl=False, err=True)
                if limit is not None and new >= limit:
                    break
    click.echo(_summary(records))
    return 0


def _summary(records: list[dict[str, Any]]) -> str:
    from witness import survey as surveys

    lines = [f"{len(records)} functions", ""]
    lines.append("result     functions  with tasks  certified  residual tasks  residual certified")
    for r in surveys.rows(records):
        lines.append(
            f"{r.result:<10}{r.functions:>10}{r.with_tasks:>12}{r.certified:>11}{r.residual_tasks:>16}{r.residual_certified:>20}"
        )
    for kind in ("total", "residual"):
        ends = ", ".join(f"{n} {what}" for what, n in surveys.outcomes(records, kind))
        lines.append(f"\n{kind} omissions: {ends or 'none'}")
    reasons = surveys.reasons(records)
    if reasons:
        lines.append("\nno task:")
        lines += [f"{n:>6}  {why}" for why, n in reasons[:20]]
    return "\n".join(lines)
