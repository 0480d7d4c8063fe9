"""`samespec witness recheck`: everything in a certificate done again."""

from __future__ import annotations

from pathlib import Path

import click

from samespec.commands.options import color_option, wants_color
from samespec.commands.witness_options import means_of, verus_option, witness_errors

SAME, DIFFERENT, UNDECIDED = 0, 1, 3


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""
    \b
    Examples:
      samespec witness recheck certificate     one certificate
      samespec witness recheck found -v        every certificate below a folder, step by step
    """,
)
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
@click.option("-v", "--verbose", is_flag=True, help="Show every step, not only those that differ.")
@verus_option
@color_option
def recheck(directory: Path, verbose: bool, verus_path: str | None, color: bool | None) -> int:
    """Checks certificates again: the hashes, the reading of the expression, every gate, the numbers of wrong cases.

    Exit status: 0 everything came out as they say; 1 something did not; 3 a gate has no answer here (such as: no rustc);
    2 DIR holds no readable certificate.
    """
    from samespec.render.text import Paint
    from witness.certificate import certificates_in
    from witness.certificate import recheck as again
    from witness.contract import WitnessError

    paint = Paint(wants_color(color))
    different = undecided = 0
    with witness_errors():
        folders = certificates_in(directory)
        if not folders:
            raise WitnessError(f"{directory}: no certificates in it")
        means = means_of(verus_path, None)
        for folder in folders:
            found = again(folder, means)
            certificate = found.certificate
            said = "certified" if certificate.certified else "not certified"
            undecided += found.undecided
            different += not found.stands and not found.undecided
            answer = True if found.stands else None if found.undecided else False
            mark = {True: "=", None: "?", False: "≠"}[answer]
            expression = certificate.judgement.candidate.expression
            click.echo(paint.answer(answer, f"{mark} {certificate.task}: `{expression}`: {said}"), color=True)
            for step in found.steps:
                if verbose or not step.same:
                    line = f"    {step.what}: {step.expected}" + ("" if step.same else f" in the certificate, now {step.got}")
                    click.echo(line)
    if different:
        click.echo(paint.bad(f"different: {different} of {len(folders)} certificates came out differently"), color=True)
        return DIFFERENT
    if undecided:
        click.echo(f"undecided: {undecided} of {len(folders)} certificates could not be checked as a whole here")
        return UNDECIDED
    click.echo(paint.good(f"same: all {len(folders)} certificates came out as they say"), color=True)
    return SAME
