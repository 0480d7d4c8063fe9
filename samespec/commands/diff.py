"""`samespec diff`: the contracts that changed between two revisions of a git repository."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from samespec.commands.check import exit_status
from samespec.commands.options import budget_option, color_option, report_option, usage_errors, wants_color

if TYPE_CHECKING:
    from samespec.revisions.diff import DiffReport
    from samespec.revisions.git import Repository, Sides


@click.command(
    name="diff",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""
    \b
    Examples:
      samespec diff                            the working tree against the last commit
      samespec diff --staged                   what is about to be committed (as a pre-commit hook)
      samespec diff main                       the working tree against main
      samespec diff origin/main...HEAD src     what a branch changed below src since it left main
      samespec diff v1.0 v2.0 --format sarif > contracts.sarif
    """,
)
@click.argument("arguments", nargs=-1, metavar="[BASE [HEAD]] [PATH]…")
@click.option("--staged", is_flag=True, help="Compare the index, not the working tree.")
@click.option("--strict", is_flag=True, help="Accept only equivalent contracts, none that is stronger.")
@click.option("-C", "folder", type=click.Path(path_type=Path, exists=True, file_okay=False), default=Path(), metavar="DIR",
              help="A folder of the repository (default: this one).")  # fmt: skip
@report_option
@budget_option
@click.option("-v", "--verbose", is_flag=True, help="Show every obligation, and functions with a new contract.")
@color_option
def diff_command(
    arguments: tuple[str, ...],
    staged: bool,
    strict: bool,
    folder: Path,
    output: str,
    budget: int | None,
    verbose: bool,
    color: bool | None,
) -> int:
    """Which contracts changed between two revisions, and did they survive?

    BASE is HEAD by default. Without HEAD the working tree is compared. `A..B` and `A...B` (since they parted) are understood as
    by git. Functions that moved or were renamed are followed; files whose changes cannot touch a contract are skipped.

    Each file is read by itself: a contract that names a definition which changed in another file is undecided.

    Exit status: 0 every changed contract is kept, 1 one is not, 3 one is undecided or unsupported, 2 wrong usage, no repository.
    """
    from samespec import api
    from samespec.revisions.git import GitError, Repository

    budget = api.default_budget() if budget is None else budget
    with usage_errors():
        try:
            repository = Repository(folder)
            sides, paths = _sides(repository, folder, list(arguments), staged)
            diff = _diff(repository, sides, paths, budget)
        except GitError as error:
            raise click.ClickException(str(error)) from error
    status = exit_status(diff.kept(strict=strict))
    click.echo(_rendered(diff, output, strict, verbose, color, budget, status), nl=False, color=True)
    return status


def _sides(repository: Repository, folder: Path, arguments: list[str], staged: bool) -> tuple[Sides, list[str]]:
    """What is compared, and the paths. An argument is a revision where git knows it as one."""
    from samespec.revisions.git import Sides

    revisions: list[str] = []
    while arguments and len(revisions) < 2:
        word = arguments[0]
        for dots in ("...", ".."):
            a, found, b = word.partition(dots)
            ends = [repository.commit(a or "HEAD"), repository.commit(b or "HEAD")]
            if found and not revisions and None not in ends:
                revisions = [ends[0] or "", ends[1] or ""]
                if dots == "...":
                    revisions[0] = repository.merge_base(*revisions)
                break
        else:
            commit = repository.commit(word)
            if commit is None:
                if not (folder / word).exists():
                    shallow = " (is that part of the history fetched?)" if ".." in word else ""
                    raise click.UsageError(f"{word}: neither a revision nor a file{shallow}")
                break
            if (folder / word).exists():
                raise click.UsageError(f"{word}: both a revision and a file; write ./{word} for the file")
            revisions.append(commit)
        arguments = arguments[1:]
    if staged and len(revisions) == 2:
        raise click.UsageError("--staged compares with the index: give one revision at most")
    if not revisions:
        head = repository.commit("HEAD")
        if head is None:
            raise click.ClickException("the repository has no commit yet: there is nothing to compare with")
        revisions = [head]
    return Sides(revisions[0], revisions[1] if len(revisions) == 2 else "", staged), arguments


def _diff(repository: Repository, sides: Sides, paths: list[str], budget: int) -> DiffReport:
    from samespec.revisions.diff import diff_contracts

    terminal = sys.stderr.isatty()

    def say(done: int, of: int, name: str) -> None:
        if terminal:
            click.echo(f"\r\x1b[K{done}/{of} {name}", nl=False, err=True)

    try:
        return diff_contracts(repository, sides, paths, budget=budget, say=say)
    finally:
        if terminal:
            click.echo("\r\x1b[K", nl=False, err=True)


def _rendered(
    diff: DiffReport, output: str, strict: bool, verbose: bool, color: bool | None, budget: int, status: int
) -> str:
    from samespec.render.diff_report import diff_json, diff_text

    if output == "text":
        return diff_text(diff, strict=strict, verbose=verbose, color=wants_color(color))
    if output == "json":
        return diff_json(diff, strict=strict, budget=budget, exit_status=status)
    from dataclasses import replace

    from samespec.render.review import Reviewed

    changed = [(f, Reviewed(replace(f.report, targets=tuple(f.changed)))) for f in diff.files if f.changed]
    if output == "html":
        from samespec.render.html_report import Page, html_report

        pages = [
            Page(r, f.old, f.new, budget, {t: (m.source, m.path) for t, m in f.moved.items()}) for f, r in changed
        ]
        return html_report(pages, strict=strict, exit_status=status)
    from samespec.render.reports import rendered

    return rendered(output, [r for _, r in changed], strict=strict, exit_status=status)
