"""`samespec check`: two files in, verdicts out."""

from __future__ import annotations

import time
from pathlib import Path

import click

from equiv.verdict import CheckReport
from samespec.beside import Beside
from samespec.commands.options import (
    budget_option,
    color_option,
    report_option,
    target_option,
    usage_errors,
    wants_color,
)
from samespec.statuses import KEPT, NOT_KEPT, UNDECIDED


def exit_status(kept: bool | None) -> int:
    """The exit status of an answer: 0 kept, 1 not kept, 3 undecided or unsupported."""
    return UNDECIDED if kept is None else KEPT if kept else NOT_KEPT


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""
    \b
    Examples:
      samespec check original.rs submitted.rs
      samespec check original.rs submitted.rs --fn Queue::push --strict
      samespec check original.rs submitted.rs --mode proof --audit
      samespec check original.rs submitted.rs --format sarif > contracts.sarif
    """,
)
@click.argument("original", type=click.Path())
@click.argument("submitted", type=click.Path())
@target_option
@click.option("--strict", is_flag=True, help="Accept only equivalent contracts, none that is stronger.")
@report_option
@budget_option
@click.option(
    "--evidence",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write a certificate: every obligation as an .smt2 file, hashes, versions, answers; `samespec recheck` replays it.",
)
@click.option(
    "--cross-check",
    is_flag=True,
    help="Put every obligation to cvc5 as well (needs the Python package cvc5); a contradiction makes its target undecided.",
)
@click.option(
    "--mode",
    type=click.Choice(["contract", "proof"]),
    default="contract",
    show_default=True,
    help="proof: executable code must be the same too, once ghost code is erased.",
)
@click.option("--audit", is_flag=True, help="Audit what the targets' proofs lean on in SUBMITTED (see samespec audit).")
@click.option("--confirm", is_flag=True, help="Have Verus confirm (see samespec confirm); without Verus nothing is confirmed.")
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
    mode: str,
    audit: bool,
    confirm: bool,
    verbose: bool,
    color: bool | None,
) -> int:
    """Did the contracts of ORIGINAL survive in SUBMITTED?

    Prints a verdict for every target, and why: which clause, what changed, and values that show it.

    With --mode proof, --audit or --confirm, what these find counts as well: changed executable code, or a proof that leans on
    something nobody proved, is not kept.

    Exit status: 0 all kept, 1 one is not kept, 3 one is undecided or unsupported, 2 wrong usage or unreadable input.
    """
    from samespec import api, beside

    started = time.perf_counter()
    with usage_errors():
        report = api.check(
            original,
            submitted,
            fns=fns or None,
            budget=budget,
            evidence=evidence,
            scripts=output == "html",
            lemmas=confirm,
            cross_check=cross_check,
        )
    budget = api.default_budget() if budget is None else budget
    found: list[beside.Beside] = []
    with usage_errors():
        if mode == "proof":
            found.append(beside.code_changes(original, submitted))
        if audit:
            targets = [t.target for t in report.targets if "::" in t.target]
            paint = output == "text" and wants_color(color)
            found.append(beside.closure(original, submitted, targets, color=paint, named=bool(fns)))
        if confirm:
            try:
                found.append(beside.confirmation(report, submitted))
            except (FileNotFoundError, RuntimeError) as error:
                raise click.ClickException(str(error)) from error
    seconds = time.perf_counter() - started
    status = exit_status(beside.joined([report.kept(strict=strict), *(b.answer for b in found)]))
    click.echo(_rendered(report, output, strict, verbose, color, budget, status, seconds, found), nl=False, color=True)
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
    found: list[Beside],
) -> str:
    if output == "json":
        from samespec.render.json_report import check_json

        values = {b.key: b.value for b in found}
        return check_json(report, strict=strict, budget=budget, exit_status=status, seconds=seconds, beside=values)
    if output != "text":
        from samespec.render.review import Reviewed

        reviewed = Reviewed(report, tuple(found))
        if output == "html":
            from samespec.render.html_report import Page, html_report
            from translate.source import read_source

            page = Page(reviewed, read_source(report.original), read_source(report.submitted), budget)
            return html_report([page], strict=strict, exit_status=status)
        from samespec.render.reports import rendered

        return rendered(output, [reviewed], strict=strict, exit_status=status)
    from samespec.render.text import CONFIRMED, check_text

    confirmed = next((b.lines for b in found if b.key == "confirmation"), (CONFIRMED,))
    behind = [line for b in found if b.key != "confirmation" for line in b.lines]
    return check_text(report, strict=strict, verbose=verbose, color=wants_color(color), behind=behind, confirmed=confirmed)
