"""`samespec recheck`: does everything in a certificate again."""

from __future__ import annotations

from pathlib import Path

import click

from samespec.commands.options import color_option, usage_errors, wants_color

SAME, DIFFERENT = 0, 1


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--solver",
    default="z3-python",
    metavar="NAME",
    help="z3-python (default: the embedded Z3), z3, cvc5, or the path of a program that takes .smt2 files.",
)
@click.option("-v", "--verbose", is_flag=True, help="Show every step, not only those that differ.")
@color_option
def recheck(directory: Path, solver: str, verbose: bool, color: bool | None) -> int:
    """Replay the certificate that `samespec check --evidence DIR` wrote.

    Compares the hashes, asks a solver each .smt2 file again, and runs the check again on the copied inputs.

    Another solver may leave open what the certificate's decided, or the other way round: that is a difference, and the
    last line says how many of the differences are of that kind.

    Exit status: 0 everything came out the same, 1 something did not, 2 DIR holds no readable certificate.
    """
    from samespec import evidence
    from samespec.render.text import Paint, folded
    from samespec.solvers import NoSuchSolver, solver_named

    paint = Paint(wants_color(color))
    try:
        chosen = solver_named(solver)
    except NoSuchSolver as error:
        raise click.BadParameter(str(error), param_hint="--solver") from error
    total = different = left_open = 0
    with usage_errors():
        for step in evidence.recheck(directory, chosen):
            total += 1
            different += not step.same
            left_open += step.open
            if verbose or not step.same:
                line = f"{'=' if step.same else '?' if step.open else '≠'} {folded(step.what)}: {folded(step.expected)}"
                line += "" if step.same else f" in the certificate, now {folded(step.got)}"
                click.echo(paint.answer(None if step.open else step.same, line), color=True)
    if different:
        last = f"different: {different} of {total} steps came out differently ({chosen.name})"
        if left_open:
            last += f"; {left_open} of them because one side has no answer"
        click.echo(paint.bad(last), color=True)
        return DIFFERENT
    click.echo(paint.good(f"same: all {total} steps came out as the certificate says ({chosen.name})"), color=True)
    return SAME
