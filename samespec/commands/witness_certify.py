"""`samespec witness certify`: expressions judged at the four gates, the selected one certified."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from samespec.commands.options import budget_option, color_option, wants_color
from samespec.commands.witness_options import format_choice, means_of, verus_option, witness_errors

if TYPE_CHECKING:
    from samespec.render.text import Paint
    from witness.model import Certificate, Judgement

CERTIFIED, NOT_CERTIFIED, UNDECIDED = 0, 1, 3


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""
    \b
    Examples:
      samespec witness certify tasks/gap.equality-to-bound-1 --candidate 0
      samespec witness certify tasks/gap.equality-to-bound-1 --candidate 'a.abs_diff(b)' --candidate 0 --output certificate
      samespec witness certify tasks/gap.equality-to-bound-1 --candidate answer.txt --parser-repair
    """,
)
@click.argument("folder", metavar="TASK", type=click.Path(path_type=Path))
@click.option(
    "--candidate",
    "candidates",
    multiple=True,
    required=True,
    metavar="EXPR|FILE",
    help="An expression, or a file that holds one; several are the calls of one episode, in their order.",
)
@click.option("--parser-repair", is_flag=True, help="Mend a candidate's syntax first (brackets, semicolons, text around it).")
@click.option("--output", type=click.Path(path_type=Path), metavar="DIR", help="Write the certificate.")
@budget_option
@verus_option
@format_choice
@color_option
def certify(
    folder: Path,
    candidates: tuple[str, ...],
    parser_repair: bool,
    output: Path | None,
    budget: int | None,
    verus_path: str | None,
    form: str,
    color: bool | None,
) -> int:
    """Judges candidates of a task at the four gates, selects one, and certifies that one.

    Selection: it parses, it is accepted under the weakened contract, it compiles, the number of visible cases on which it
    disagrees, the earliest call. What is not certified gets a certificate too, which says why.

    Exit status: 0 certified; 1 a gate fails; 3 none fails, and one is not decided; 2 wrong usage or unreadable input.
    """
    from samespec.render.text import Paint
    from witness import certificate as certificates
    from witness.gates import judge, read_candidate
    from witness.model import Outcome
    from witness.store import read_task

    paint = Paint(wants_color(color))
    with witness_errors():
        task = read_task(folder)
        if output is not None:
            certificates.refuse_foreign(output)
        means = means_of(verus_path, budget)
        texts = [_text(c) for c in candidates]
        read = [read_candidate(task, t, call=n, parser_repair=parser_repair) for n, t in enumerate(texts, 1)]
        judgements = judge(task, read, means)
        certificate = certificates.certify(task, judgements, means)
        assert certificate is not None
        if output is not None:
            certificates.write_certificate(output, task, certificate)
    if form == "json":
        click.echo(json.dumps(certificates.to_record(certificate), indent=2, ensure_ascii=False))
    else:
        _show(certificate, judgements, paint)
    if certificate.certified:
        return CERTIFIED
    fails = any(g.outcome is Outcome.FAIL for g in certificate.judgement.gates)
    return NOT_CERTIFIED if fails else UNDECIDED


def _text(candidate: str) -> str:
    """The candidate, or what the file of that name holds."""
    path = Path(candidate)
    try:
        is_file = path.is_file()
    except OSError:  # an expression that no file name could be
        return candidate
    if not is_file:
        return candidate
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise click.ClickException(f"{candidate}: cannot be read: {error}") from error


def _show(certificate: Certificate, judgements: list[Judgement], paint: Paint) -> None:
    selected = certificate.judgement
    if len(judgements) > 1:
        for judgement in judgements:
            chosen = "selected" if judgement is selected else "        "
            outcomes = ", ".join(f"{g.gate} {g.outcome}" for g in judgement.gates)
            click.echo(f"{chosen}  call {judgement.candidate.call}: {outcomes}; {judgement.divergences} divergences")
    candidate = selected.candidate
    click.echo(f"{certificate.task}: `{candidate.expression}`")
    for repair in candidate.repairs:
        click.echo(f"    parser repair: {repair}")
    from witness.model import Outcome

    if candidate.problem is not None:
        click.echo(paint.answer(False, f"  ✗ not a candidate: {candidate.problem}"), color=True)
        click.echo("not certified")
        return
    for number, gate in enumerate(selected.gates, 1):
        mark = {Outcome.PASS: "✓", Outcome.FAIL: "✗", Outcome.UNKNOWN: "?"}[gate.outcome]
        answer = {Outcome.PASS: True, Outcome.FAIL: False, Outcome.UNKNOWN: None}[gate.outcome]
        by = f" [{gate.checker}]" if gate.checker else ""
        click.echo(paint.answer(answer, f"  {mark} {number} {gate.gate}: {gate.reason}{by}"), color=True)
    if selected.withheld is not None:
        click.echo(f"    withheld cases on which it disagrees: {selected.withheld} (they decide nothing)")
    click.echo("certified: a completeness witness" if certificate.certified else "not certified")
