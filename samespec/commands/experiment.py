"""`samespec experiment`: measurements of contract tests, each written as a report that can be read by itself."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])
_FOLDER = click.Path(path_type=Path)
_HELP = {"help_option_names": ["-h", "--help"]}
#: What the experiments need besides samespec itself, by the name of its module.
_NEEDED = ("numpy", "scipy", "matplotlib", "markdown_it")
_INSTALL = "pip install 'samespec[experiments]'"
#: Budgets in Z3 resource units an obligation: that of `samespec check` for the corpus, less for a large folder.
_OUTSIDE_BUDGET = 1_000_000


def _common(command: F) -> F:
    """The options that the experiments share."""
    options = [
        click.option("--output", type=_FOLDER, required=True, metavar="DIR", help="The report's folder: new, or to go on with."),
        click.option("--tasks", type=_FOLDER, metavar="DIR", help="Tasks of your own, in the corpus's layout."),
        click.option(
            "--originals",
            type=_FOLDER,
            metavar="DIR",
            help="Originals of your own: folders with spec.rs and verified.rs, at any depth (VeriContest's layout).",
        ),
        click.option("--sample", type=click.IntRange(min=1), metavar="N", help="So many of --originals, chosen by the seed."),
        click.option("--seed", type=int, default=0, show_default=True, help="For whatever is chosen or drawn at random."),
        click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes (default: one for each core)."),
        click.option(
            "--budget",
            type=click.IntRange(min=1),
            metavar="N",
            help="Work that one obligation may cost, in Z3's resource units "
            f"(default: that of `samespec check`; {_OUTSIDE_BUDGET} with --originals).",
        ),
        click.option("--format", "said", type=click.Choice(["text", "json"]), default="text", help="Text (default) or JSON."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@click.group(name="experiment", context_settings=_HELP)
def experiment_group() -> None:
    """Measurements of contract tests: who gets fooled, and by what?

    Each writes a folder: report.html (and report.md) to read, figures, tables, every single result, hashes. The same input and
    seed give the same bytes; a run that was stopped goes on when the same command is given again.
    """


@experiment_group.command(
    "compare",
    short_help="Who gets fooled, and who is wrong about honest edits?",
    context_settings=_HELP,
    epilog="""
    \b
    Examples:
      samespec experiment compare --output compare                    the corpus
      samespec experiment compare --output mine --originals ~/VeriContest --sample 50
      samespec experiment compare --output mine --originals ~/VeriContest --mutants 8 --seed 7
    """,
)
@_common
@click.option(
    "--mutants",
    type=click.IntRange(min=0),
    metavar="N",
    help="With --originals: mutants of each, half of them honest (default: 4).",
)
@click.option("--lynette", metavar="PATH", help="The tool lynette (default: the one on the search path).")
@click.option("--verus", metavar="PATH", help="Verus (default: the environment variable VERUS, then the search path).")
def compare(
    output: Path,
    tasks: Path | None,
    originals: Path | None,
    sample: int | None,
    seed: int,
    jobs: int | None,
    budget: int | None,
    said: str,
    mutants: int | None,
    lynette: str | None,
    verus: str | None,
) -> int:
    """How often is each contract test fooled, and how often wrong about an honest edit?

    Textual, clause-subset, syntax-tree and logical test, the logical test with the audit of the proof, and, where they are
    installed, lynette and Verus, on the corpus or on mutants of originals of your own. With exact intervals and paired
    comparisons, overall and by kind of edit.

    Exit status: 0 the report is written, 2 wrong usage or unreadable input.
    """
    _check(tasks, originals, {"--sample": sample, "--mutants": mutants})
    from experiments.compare.run import MUTANTS, Options, run_compare

    options = Options(
        output,
        seed,
        jobs or os.cpu_count() or 1,
        _budget(budget, originals),
        tasks,
        originals,
        MUTANTS if mutants is None else mutants,
        sample,
        lynette,
        verus,
    )
    with _errors(), _progress("judging edits") as progress:
        summary = run_compare(options, progress)
    click.echo(json.dumps(summary, indent=2) if said == "json" else _compare_text(summary, output))
    return 0


@experiment_group.command(
    "subset-fooling",
    context_settings=_HELP,
    epilog="""
    \b
    Examples:
      samespec experiment subset-fooling --output subsets
      samespec experiment subset-fooling --output subsets --sense ensures --largest 2
      samespec experiment subset-fooling --output mine --originals ~/VeriContest --sample 50
    """,
)
@_common
@click.option(
    "--sense",
    "senses",
    multiple=True,
    type=click.Choice(["clauses", "functions", "ensures"]),
    help="Only this sense of a subset; may be repeated.",
)
@click.option(
    "--largest",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    metavar="N",
    help="Postconditions that are left out together, at most.",
)
@click.option(
    "--mutants",
    type=click.IntRange(min=0),
    metavar="N",
    help="With --originals: mutants of each that keep every clause, at most (default: 2).",
)
def subset_fooling(
    output: Path,
    tasks: Path | None,
    originals: Path | None,
    sample: int | None,
    seed: int,
    jobs: int | None,
    budget: int | None,
    said: str,
    senses: tuple[str, ...],
    largest: int,
    mutants: int | None,
) -> int:
    """What gets through when only a subset is checked?

    Three senses: every original clause still stands, and the contract is broken; the target alone is verified, and what it
    leans on is not proved; some postconditions are checked, and the rest admits wrong behaviour.

    Exit status: 0 the report is written, 2 wrong usage or unreadable input.
    """
    _check(tasks, originals, {"--sample": sample, "--mutants": mutants})
    from experiments.subset_fooling.report import SENSES
    from experiments.subset_fooling.run import MUTANTS, Options, run_subset_fooling

    options = Options(
        output,
        seed,
        jobs or os.cpu_count() or 1,
        _budget(budget, originals),
        tasks,
        originals,
        MUTANTS if mutants is None else mutants,
        sample,
        largest,
        tuple(s for s in SENSES if s in senses) if senses else SENSES,
    )
    with _errors(), _progress("looking at subsets") as progress:
        summary = run_subset_fooling(options, progress)
    click.echo(json.dumps(summary, indent=2) if said == "json" else _subset_text(summary, output))
    return 0


# --- what both need ------------------------------------------------------------------------------------------------------


def _check(tasks: Path | None, originals: Path | None, outside_only: dict[str, int | None]) -> None:
    """Wrong usage, and what is not installed, before anything is loaded."""
    if tasks is not None and originals is not None:
        raise click.UsageError("--tasks and --originals exclude each other: give one of them")
    for option, value in outside_only.items():
        if value is not None and originals is None:
            raise click.UsageError(f"{option} is for --originals: give a folder of originals too, or leave it out")
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        names = ", ".join("markdown-it-py" if name == "markdown_it" else name for name in missing)
        raise click.ClickException(f"the experiments need {names}, which is not installed: {_INSTALL}")


def _budget(budget: int | None, originals: Path | None) -> int:
    from samespec.api import default_budget

    if budget is not None:
        return budget
    return default_budget() if originals is None else _OUTSIDE_BUDGET


@contextmanager
def _errors() -> Iterator[None]:
    """What a person can set right is one message and exit status 2."""
    from experiments.compare.originals import OriginalsError
    from experiments.report.folder import FolderError
    from experiments.report.pool import WorkerDied
    from translate.source import SourceError

    try:
        yield
    except (FolderError, OriginalsError, WorkerDied, SourceError, FileNotFoundError, ValueError) as error:
        raise click.ClickException(str(error)) from error


@contextmanager
def _progress(label: str) -> Iterator[Callable[[int, int, str], None]]:
    """A bar on standard error, where somebody watches."""
    stream = sys.stderr
    if not stream.isatty():
        yield lambda done, total, name: None
        return
    bars: list[Any] = []

    def show(done: int, total: int, name: str) -> None:
        if not bars:
            bar: Any = click.progressbar(length=total, label=label, file=stream, item_show_func=lambda n: n or "")
            bars.append(bar.__enter__())
        bars[0].update(done - bars[0].pos, name)

    try:
        yield show
    finally:
        for bar in bars:
            bar.render_finish()


# --- for people ------------------------------------------------------------------------------------------------------------


def _compare_text(summary: dict[str, Any], output: Path) -> str:
    edits = summary["edits"]
    proof = edits["broken"] - edits["broken_contracts"]
    head = f"{edits['counted']} edits of {edits['originals']} originals: {edits['honest']} honest, {edits['broken']} broken"
    lines = [head + (f" ({proof} of these in the proof alone)" if proof else ""), ""]
    width = max([len(t["test"]) for t in summary["tests"]] + [len(t) for t in summary["not_run"]], default=0)
    lines.append(f"{'':{width}}  fooled by broken            wrong about honest          no answer")
    for t in summary["tests"]:
        open_ = t["undecided_broken"] + t["undecided_honest"]
        fooled = _share(t["fooled"], t["broken"], t["fooled_interval"])
        wrong = _share(t["wrong"], t["honest"], t["wrong_interval"])
        lines.append(f"{t['test']:{width}}  {fooled:26}  {wrong:26}  {open_:>9}")
    lines += [f"{tool:{width}}  {why}" for tool, why in summary["not_run"].items()]
    if edits["judged"] > edits["counted"]:
        lines.append(f"{edits['judged'] - edits['counted']} mutants whose answer is not known are left out")
    if edits["errors"]:
        lines.append(f"{edits['errors']} edits could not be judged: see results.jsonl")
    return "\n".join([*lines, "", _where(output)])


def _share(part: int, whole: int, interval: list[float]) -> str:
    if not whole:
        return "–"
    return f"{part}/{whole} [{100 * interval[0]:.1f}, {100 * interval[1]:.1f}]%"


def _subset_text(summary: dict[str, Any], output: Path) -> str:
    c, f, e = summary["clauses"], summary["functions"], summary["ensures"]
    senses = summary["settings"]["senses"]
    lines = []
    if "clauses" in senses:
        lines.append(
            f"clauses:   {c['all_clauses_stand']} of {c['broken']} broken contracts keep every clause; "
            f"the solver rejects {c['logical_rejects']} of them"
        )
    if "functions" in senses:
        lines.append(
            f"functions: {f['target_alone_accepts']} of {f['edits']} proofs with a hole are accepted by a look at the target "
            f"alone, {f['audit_accepts']} by the closure audit"
        )
    if "ensures" in senses:
        lines.append(
            f"ensures:   of {e['postconditions']} postconditions of {e['functions']} functions, {e['load_bearing']} are "
            f"load-bearing, {e['redundant']} redundant, {e['undecided']} undecided"
        )
    if summary["left_out"]:
        lines.append(f"{summary['left_out']} could not be looked at: see tables/left_out.csv")
    return "\n".join([*lines, "", _where(output)])


def _where(output: Path) -> str:
    return f"report: {output / 'report.html'} (also report.md, summary.json, tables/, figures/)"
