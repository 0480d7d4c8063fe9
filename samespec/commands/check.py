"""`samespec check`: two files in, verdicts out."""

from __future__ import annotations

import time
from pathlib import Path

import click

from equiv.verdict import CheckReport
from samespec.commands.options import (
    budget_option,
    color_option,
    format_option,
    target_option,
    usage_errors,
    wants_color,
)

KEPT, NOT_KEPT, UNDECIDED = 0, 1, 3


def exit_status(kept: bool | None) -> int:
    """The exit status of an answer: 0 kept, 1 not kept, 3 undecided or unsupported."""
    return UNDECIDED if kept is None else KEPT if kept else NOT_KEPT


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("original", type=click.Path())
@click.argument("submitted", type=click.Path())
@target_option
@click.option("--strict", is_flag=True, help="Accept only equivalent contracts, none that is stronger.")
@format_option
@budget_option
@click.option(
    "--evidence",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write a certificate: every obligation as an .smt2 file, hashes, versions, answers; "
    "`samespec recheck` replays it.",
)
@click.option(
    "--cross-check",
    is_flag=True,
    help="Put every obligation to cvc5 as well (needs the Python package cvc5); a contradiction makes its target undecided.",
)
@click.option("-v", "--verbose", is_flag=True, help="Show every obligation and what decided it.")
@color_option
def check(
    original: str,
    submitted: str,
    fns: tuple[str, ...],
    strict: bool,
    output: str,
    budget: int | None,
    evidence: Path | None,
    cross_check: bool,
    verbose: bool,
    color: bool | None,
) -> int:
    """Did the contracts of ORIGINAL survive in SUBMITTED?

    Prints a verdict for every target, and why: which clause, what changed, and values that show it.

    Exit status: 0 all kept, 1 one is not kept, 3 one is undecided or unsupported, 2 wrong usage or unreadable input.
    """
    from samespec import api

    started = time.perf_counter()
    with usage_errors():
        report = api.check(original, submitted, fns=fns or None, budget=budget, evidence=evidence, cross_check=cross_check)
    budget = api.default_budget() if budget is None else budget
    seconds = time.perf_counter() - started
    status = exit_status(report.kept(strict=strict))
    click.echo(_rendered(report, output, strict, verbose, color, budget, status, seconds), nl=False, color=True)
    if evidence is not None and output == "text":
        click.echo(f"evidence: {evidence} (samespec recheck {evidence} replays it)")
    return status


def _rendered(
    report: CheckReport,
    output: str,
    strict: bool,
    verbose: bool,
    color: bool | None,
    budget: int,
    status: int,
    seconds: float,
) -> str:
    if output == "json":
        from samespec.render.json_report import check_json

        return check_json(report, strict=strict, budget=budget, exit_status=status, seconds=seconds)
    from samespec.render.text import check_text

    return check_text(report, strict=strict, verbose=verbose, color=wants_color(color))
