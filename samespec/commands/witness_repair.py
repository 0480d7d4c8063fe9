"""`samespec witness repair`: from a certified witness, a contract that rejects it."""

from __future__ import annotations

import json
from pathlib import Path

import click

from samespec.commands.options import budget_option, color_option, wants_color
from samespec.commands.witness_options import format_choice, witness_errors

REPAIRED, NONE = 0, 1


@click.command(
    name="repair",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""
    \b
    Examples:
      samespec witness repair found/gap.equality-to-bound-1
      samespec witness repair found/sort.clause-dropped-1 --original-known
      samespec witness repair found/sort.clause-dropped-1 --like more/ --output repaired.rs
    """,
)
@click.argument("folder", metavar="CERTIFICATE", type=click.Path(path_type=Path))
@click.option(
    "--original-known",
    is_flag=True,
    help="The full contract may be used: its dropped clauses are candidates, and every new clause is proved from it.",
)
@click.option(
    "--like",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A further certificate of the same task, or a folder of certificates (those of other tasks are passed over).",
)
@click.option("--output", type=click.Path(path_type=Path), metavar="FILE", help="Write the whole repaired file there.")
@budget_option
@format_choice
@color_option
def repair_command(
    folder: Path,
    original_known: bool,
    like: tuple[Path, ...],
    output: Path | None,
    budget: int | None,
    form: str,
    color: bool | None,
) -> int:
    """Proposes a strengthened contract from the certified witness in CERTIFICATE, with the evidence.

    A clause is added only if it rejects the witness, keeps the official cases (with --original-known: follows from the full
    contract), and adds something that no weaker candidate adds. Clauses come from templates over the parameters, the
    weakened contract and the definitions of the file; what the description says in words is out of reach.

    Exit status: 0 repaired, 1 no clause was found, 2 wrong usage or unreadable input.
    """
    from samespec.render.witness_repair import repair_record, repair_text
    from witness.certificate import certificates_in, read_certificate
    from witness.repair import BUDGET, repair

    with witness_errors():
        task, certificate = read_certificate(folder)
        others = [read_certificate(f)[1] for given in like for f in certificates_in(given) if f.resolve() != folder.resolve()]
        others = [c for c in others if c.hashes.get("task") == task.sha256 and c.certified]
        found = repair(
            task, certificate, others, original_known=original_known, budget=BUDGET if budget is None else budget
        )
    if output is not None and found.repaired:
        try:
            output.write_text(found.text, encoding="utf-8")
        except OSError as error:
            raise click.ClickException(f"{output}: cannot be written: {error.strerror}") from error
    if form == "json":
        click.echo(json.dumps(repair_record(found), indent=2, ensure_ascii=False))
    else:
        click.echo(repair_text(found, color=wants_color(color)), nl=False, color=True)
        if output is not None and found.repaired:
            click.echo(f"written: {output}")
    return REPAIRED if found.repaired else NONE
