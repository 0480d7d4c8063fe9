"""`samespec compare`: every contract test side by side, on two files or on the whole corpus."""

from __future__ import annotations

import click

from samespec.commands.options import (
    budget_option,
    color_option,
    format_option,
    target_option,
    usage_errors,
    wants_color,
)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("original", type=click.Path(), required=False)
@click.argument("submitted", type=click.Path(), required=False)
@click.option("--corpus", is_flag=True, help="Compare the tests on samespec's own corpus instead of two files.")
@target_option
@format_option
@budget_option
@color_option
def compare(
    original: str | None,
    submitted: str | None,
    corpus: bool,
    fns: tuple[str, ...],
    output: str,
    budget: int | None,
    color: bool | None,
) -> int:
    """What each contract test says about ORIGINAL and SUBMITTED, side by side.

    The tests: textual (the clauses as text), subset-strict and subset-naive (every original clause still stands), ast
    (syntax trees), and logical (what `samespec check` decides).

    With --corpus, no files are given: each test judges every edit of the corpus, and the table shows how often it was
    fooled by a broken contract, and how often it was wrong about an honest edit.

    Exit status: 0 whatever the tests say, 2 wrong usage or unreadable input.
    """
    from samespec.api import default_budget

    budget = default_budget() if budget is None else budget
    if corpus:
        if original is not None or fns:
            raise click.UsageError("--corpus judges the whole corpus: give no files and no --fn with it")
        text = _corpus(output, budget, color)
    elif original is None or submitted is None:
        raise click.UsageError("two files are needed, ORIGINAL and SUBMITTED (or --corpus)")
    else:
        text = _pair(original, submitted, fns, output, budget, color)
    click.echo(text, nl=False, color=True)
    return 0


def _pair(original: str, submitted: str, fns: tuple[str, ...], output: str, budget: int, color: bool | None) -> str:
    from translate.source import read_source

    with usage_errors():
        first, second = read_source(original), read_source(submitted)
        from equiv.check import compare_sources

        rows = compare_sources(first, second, targets=fns or None, budget=budget)
    if output == "json":
        from samespec.render.json_report import compare_json

        return compare_json(rows, original, submitted)
    from samespec.render.text import compare_text

    return compare_text(rows, color=wants_color(color))


def _corpus(output: str, budget: int, color: bool | None) -> str:
    from samespec.corpus_table import corpus_json, corpus_text, judge_corpus

    judged = judge_corpus(budget)
    return corpus_json(judged) if output == "json" else corpus_text(judged, color=wants_color(color))
