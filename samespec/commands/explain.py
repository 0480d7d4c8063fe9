"""`samespec explain`: each open obligation, what was tried on it, and its text as a Verus file to paste."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from equiv.verdict import Answer, CheckReport, Obligation, TargetReport, Verdict
from samespec.commands.options import (
    budget_option,
    color_option,
    format_option,
    target_option,
    usage_errors,
    wants_color,
)

LONGEST_NAME = 120  # characters of a file name
OURS = re.compile(rb"// [^\n]*, obligation ")  # the first line of a file that this command wrote


@dataclass(frozen=True, slots=True)
class Explained:
    """A target and those of its obligations that are explained, each with the file that --output wrote."""

    target: TargetReport
    obligations: tuple[tuple[Obligation, str | None], ...]


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""
    \b
    Examples:
      samespec explain old.rs new.rs                          what is undecided, and why
      samespec explain old.rs new.rs --fn sort --all          every obligation of one function
      samespec explain old.rs new.rs --obligation promises-1  one obligation, whatever its answer
      samespec explain old.rs new.rs --output lemmas          a file for each: verus lemmas/crate.sort.promises-1.rs
    """,
)
@click.argument("original", type=click.Path())
@click.argument("submitted", type=click.Path())
@target_option
@click.option("--obligation", metavar="NAME", help="Only the obligations of that name (as in promises-1), decided or not.")
@click.option("--all", "everything", is_flag=True, help="Decided obligations too.")
@format_option
@click.option(
    "--output",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Also write each as a Verus file there, DIR/TARGET.NAME.rs.",
)
@budget_option
@color_option
def explain(
    original: str,
    submitted: str,
    fns: tuple[str, ...],
    obligation: str | None,
    everything: bool,
    output: str,
    folder: Path | None,
    budget: int | None,
    color: bool | None,
) -> int:
    """Why is it undecided? Shows each open obligation of ORIGINAL and SUBMITTED.

    For each: the question, the clause and its place, what was tried and how far that got, and the obligation as a
    complete Verus file, ready to paste: definitions of both files side by side, and a proof function that requires the
    premises and ensures the clause. Find a proof there, or values that break it.

    Exit status, as of `samespec check`: 0 all kept, 1 one is not kept, 3 one is undecided or unsupported, 2 wrong usage
    or unreadable input.
    """
    from samespec import api
    from samespec.commands.check import exit_status
    from samespec.render.explain import explain_json, explain_text

    with usage_errors():
        report = api.check(original, submitted, fns=fns or None, budget=budget, lemmas=True)
    chosen = _chosen(report, obligation, everything)
    explained = _written(chosen, folder)
    status = exit_status(report.kept())
    if output == "json":
        budget = api.default_budget() if budget is None else budget
        text = explain_json(report, explained, budget=budget, exit_status=status)
    else:
        text = explain_text(report, explained, everything=everything or obligation is not None, color=wants_color(color))
    click.echo(text, nl=False, color=True)
    return status


def _chosen(report: CheckReport, name: str | None, everything: bool) -> list[tuple[TargetReport, list[Obligation]]]:
    """The targets with something to explain."""
    known = list(dict.fromkeys(o.name for t in report.targets for o in t.obligations))
    if name is not None and name not in known:
        listed = ", ".join(known) or "none was asked"
        raise click.BadParameter(f"no obligation is called {name!r}; there are: {listed}", param_hint="--obligation")
    chosen = []
    for target in report.targets:
        if name is not None:
            wanted = [o for o in target.obligations if o.name == name]
        else:
            wanted = [o for o in target.obligations if everything or o.answer is Answer.UNKNOWN]
        open_ = name is None and target.verdict in (Verdict.UNDECIDED, Verdict.UNSUPPORTED)
        if wanted or open_ or (everything and name is None):
            chosen.append((target, wanted))
    return chosen


def _written(chosen: Sequence[tuple[TargetReport, list[Obligation]]], folder: Path | None) -> list[Explained]:
    """Writes the files, where a folder is given. What stands there already is replaced only if this command wrote it."""
    explained: list[Explained] = []
    taken: set[str] = set()
    for target, obligations in chosen:
        pairs: list[tuple[Obligation, str | None]] = []
        for o in obligations:
            path = None
            if folder is not None and o.lemma is not None:
                path = folder / _file_name(f"{target.target.replace('::', '.')}.{o.name}", taken)
                _write(path, o.lemma.encode())
            pairs.append((o, None if path is None else str(path)))
        explained.append(Explained(target, tuple(pairs)))
    return explained


def _write(path: Path, data: bytes) -> None:
    try:
        if path.is_symlink() or (path.exists() and not OURS.match(path.read_bytes())):
            raise click.ClickException(f"{path}: exists, and `samespec explain` did not write it; name another directory")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise click.ClickException(f"{path}: cannot be written: {error.strerror or error}") from error


def _file_name(name: str, taken: set[str]) -> str:
    """A file name for any name: plain characters only, not too long, and none twice (file systems may ignore case)."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", name).strip("._")[:LONGEST_NAME] or "obligation"
    candidate, n = plain, 2
    while candidate.lower() in taken:
        candidate, n = f"{plain}_{n}", n + 1
    taken.add(candidate.lower())
    return f"{candidate}.rs"
