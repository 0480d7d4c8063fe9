"""`samespec confirm`: Verus's answer beside the embedded solver's."""

from __future__ import annotations

import json

import click

from samespec.commands.options import budget_option, format_option, target_option, usage_errors

CONFIRMED, NOT_CONFIRMED, OPEN = 0, 1, 3


@click.command(name="confirm", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("original", type=click.Path())
@click.argument("submitted", type=click.Path())
@target_option
@format_option
@budget_option
@click.option("--verus", "verus_path", metavar="PATH", help="Verus (default: VERUS, then the search path).")
@click.option("--rlimit", type=float, metavar="N", help="Verus's own resource limit (about seconds; its default is 10).")
@click.option("--unfenced", is_flag=True, help="Run Verus without a fence where none works.")
def confirm_command(
    original: str,
    submitted: str,
    fns: tuple[str, ...],
    output: str,
    budget: int | None,
    verus_path: str | None,
    rlimit: float | None,
    unfenced: bool,
) -> int:
    """Have Verus confirm what the embedded solver says.

    Every contract obligation is written as a Verus lemma and given to Verus; then the submission itself, plain and with
    --no-cheating. Without Verus nothing is confirmed, and the answer is `confirmed: not run`.

    Exit status: 0 the referee accepted, 1 it rejected or disagrees (or a contract is not kept), 3 not run or not decided,
    2 wrong usage or unreadable input.
    """
    from equiv.decide import DEFAULT_BUDGET
    from referee.confirm import confirm, confirmation_json, confirmation_lines
    from referee.fence import FenceError, Unfenced, find_fence
    from referee.verus import find_verus
    from translate.source import read_source

    with usage_errors():
        old, new = read_source(original), read_source(submitted)
        try:
            verus = find_verus(verus_path)
            runner = Unfenced() if unfenced or verus is None else find_fence()
        except (FileNotFoundError, FenceError) as error:
            raise click.ClickException(str(error)) from error
        found = confirm(old, new, verus=verus, runner=runner, targets=fns or None, budget=budget or DEFAULT_BUDGET, rlimit=rlimit)
    kept = found.report.kept()
    if output == "json":
        verdicts = {t.target: str(t.verdict) for t in found.report.targets}
        click.echo(json.dumps({"kept": kept, "verdicts": verdicts, **confirmation_json(found)}, indent=2, ensure_ascii=False))
    else:
        for target in found.report.targets:
            click.echo(f"{target.target}: {target.verdict} (embedded solver)")
        for line in confirmation_lines(found):
            click.echo(line)
    if kept is False or found.confirmed is False:
        return NOT_CONFIRMED
    return CONFIRMED if found.confirmed else OPEN
