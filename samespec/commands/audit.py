"""`samespec audit`: what the proof of a function leans on."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from samespec.commands.options import color_option, usage_errors, wants_color

if TYPE_CHECKING:
    from depgraph.model import AuditReport

CLEAN, NOT_CLEAN, UNRESOLVED = 0, 1, 3
FORMATS = ["text", "json", "dot", "svg", "html"]


def exit_status(clean: bool | None) -> int:
    """The exit status of an answer: 0 clean, 1 something got through, 3 something cannot be seen."""
    return UNRESOLVED if clean is None else CLEAN if clean else NOT_CLEAN


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""
    \b
    Examples:
      samespec audit src/lib.rs --target queue::Queue::push
      samespec audit submitted.rs --target sort --original original.rs
      samespec audit src/lib.rs --target sort --format html --output sort.html
      samespec audit src/lib.rs --target sort --verus ~/verus/verus
    """,
)
@click.argument("file", type=click.Path())
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="PATH",
    help="A function, as in `crate::Solution::find` or the end of that; may be repeated. "
    "Default: the functions of FILE (of the original, where one is given) that have a contract, but not those that the "
    "original itself takes on trust.",
)
@click.option(
    "--original",
    type=click.Path(),
    metavar="FILE",
    help="The file before the edit: what it trusted already is told apart from what the submission brought in.",
)
@click.option("--format", "output", type=click.Choice(FORMATS), default="text", help="Text (default), JSON, or a picture.")
@click.option("--output", "path", type=click.Path(path_type=Path), metavar="FILE", help="Write there, not to standard output.")
@click.option(
    "--verus",
    type=click.Path(),
    metavar="PATH",
    help="Compare the graph with the one that this Verus logs (or with a .dot file that it logged before).",
)
@click.option("-v", "--verbose", is_flag=True, help="Show every finding and every node of the closure.")
@color_option
def audit(
    file: str,
    targets: tuple[str, ...],
    original: str | None,
    output: str,
    path: Path | None,
    verus: str | None,
    verbose: bool,
    color: bool | None,
) -> int:
    """What does the proof of a function of FILE lean on?

    Follows every dependency of the target, in code, proofs and contracts, over all files of the crate whose root is FILE, and
    reports what is believed without a proof: assumptions, axioms, unverified bodies, code that may not terminate.

    Exit status: 0 clean, 1 something escapes proof, may not terminate or is not verified, 3 something cannot be seen, 2 wrong
    usage or unreadable input.
    """
    with usage_errors():
        reports, second = _audit(file, targets, original, verus)
    status = _status(reports)
    text = _rendered(reports, second, output, verbose, wants_color(color) and path is None, status)
    if path is None:
        click.echo(text, nl=False, color=True)
    else:
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise click.ClickException(f"{path}: cannot be written ({error.strerror})") from error
        if output != "text":
            from samespec.render.audit_text import audit_text

            click.echo(audit_text(reports, verbose=False, color=wants_color(color)), nl=False, color=True, file=sys.stdout)
        click.echo(f"written: {path}")
    return status


def _audit(
    file: str, targets: tuple[str, ...], original: str | None, verus: str | None
) -> tuple[list[AuditReport], list[str] | None]:
    from depgraph.closure import audit_targets, split_targets
    from depgraph.crate_loader import load_crate
    from equiv.targets import UnknownTarget, targets_of

    submitted = load_crate(file)
    before = None if original is None else load_crate(original)
    chosen = list(targets)
    if not chosen:
        chosen = list(dict.fromkeys(r.path for r in targets_of(before or submitted, None)))
        if before is not None:
            chosen, _ = split_targets(before, chosen)
        if not chosen:
            raise UnknownTarget(f"no function of {original or file} has a contract; name one with --target")
    reports = audit_targets(before, submitted, chosen)
    second = None
    if verus is not None:
        from depgraph.second_opinion import second_opinion

        second = second_opinion(submitted, Path(file), verus)
    return reports, second


def _status(reports: list[AuditReport]) -> int:
    answers = [r.clean for r in reports]
    return exit_status(False if False in answers else None if None in answers else True)


def _rendered(
    reports: list[AuditReport], second: list[str] | None, output: str, verbose: bool, color: bool, status: int
) -> str:
    if output == "json":
        from samespec.render.audit_json import audit_json

        return audit_json(reports, second, exit_status=status)
    if output == "dot":
        from samespec.render.audit_dot import audit_dot

        return audit_dot(reports)
    if output == "svg":
        from samespec.render.audit_svg import audit_svg

        return audit_svg(reports)
    if output == "html":
        from samespec.render.audit_html import audit_html

        return audit_html(reports)
    from samespec.render.audit_text import audit_text, second_text

    text = audit_text(reports, verbose=verbose, color=color)
    return text if second is None else text + second_text(second)
