"""`samespec witness find`: does a contract pin the output down?"""

from __future__ import annotations

from pathlib import Path

import click

from samespec.commands.options import budget_option, color_option, format_option, wants_color
from samespec.commands.witness_options import witness_errors

DETERMINED, FLAWED, UNDECIDED = 0, 1, 3


@click.command(
    name="find",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""
    \b
    Examples:
      samespec witness find queue.rs --fn Queue::pop
      samespec witness find search.rs --fn find_index --any-of index
      samespec witness find sort.rs --fn sort_by_key --cases cases.toml
      samespec witness find graph.rs --fn component --up-to '|a, b| a@.to_set() == b@.to_set()'
      samespec witness find queue.rs --fn Queue::push --any-of self=view
    """,
)
@click.argument("file", type=click.Path())
@click.option(
    "--fn",
    "fns",
    multiple=True,
    metavar="PATH",
    help="A function, as in `crate::Solution::find` or the end of that; may be repeated. "
    "Default: the functions of FILE that have a contract and an output.",
)
@click.option(
    "--any-of",
    "any_of",
    multiple=True,
    metavar="[OUTPUT=]RELATION",
    help="Outputs that count as the same: permutation (in any order), index (any position), view (any representation with that "
    "view), any (every output that satisfies the contract). OUTPUT is `result` or a `&mut` parameter.",
)
@click.option(
    "--up-to",
    "up_to",
    multiple=True,
    metavar="[OUTPUT=]EXPR",
    help="Outputs that count as the same, in Verus: a closure `|a, b| …`, or a spec function of two values.",
)
@click.option(
    "--declared",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help='The same for many functions: a TOML file with a table [declared], as in "crate::sort" = "permutation".',
)
@click.option(
    "--cases",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A TOML file with [[cases]] (inputs, output, final): each expected output must satisfy the contract, and no other may.",
)
@format_option
@budget_option
@color_option
def find_command(
    file: str,
    fns: tuple[str, ...],
    any_of: tuple[str, ...],
    up_to: tuple[str, ...],
    declared: Path | None,
    cases: Path | None,
    output: str,
    budget: int | None,
    color: bool | None,
) -> int:
    """Does the contract of a function of FILE pin its output down?

    Shows an input and two outputs that both satisfy the contract, where there are two, confirmed by the evaluator; says
    "determined" only where that is proved. Also: which clauses are redundant, which carry weight and what each alone
    forbids, and, with --cases, whether the contract says what was expected of it.

    Exit status: 0 determined, 1 two outputs (or a contradictory contract, or one that is wrong about a case), 3 undecided
    or unsupported, 2 wrong usage or unreadable input.
    """
    from equiv.decide import DEFAULT_BUDGET
    from translate.source import read_source
    from witness.declared import from_file, from_words
    from witness.determined import find
    from witness.given_cases import load_cases

    budget = DEFAULT_BUDGET if budget is None else budget
    with witness_errors():
        source = read_source(file)
        reports = find(
            source,
            fns,
            declared={} if declared is None else from_file(declared),
            everywhere=from_words(any_of, up_to),
            cases=[] if cases is None else load_cases(cases),
            budget=budget,
        )
    statuses = [r.status for r in reports]
    status = FLAWED if FLAWED in statuses else UNDECIDED if UNDECIDED in statuses else DETERMINED
    from samespec.render.witness_find import find_json, find_text

    if output == "json":
        text = find_json(reports, path=file, sha256=source.sha256, budget=budget, exit_status=status)
    else:
        text = find_text(reports, path=file, color=wants_color(color))
    click.echo(text, nl=False, color=True)
    return status
