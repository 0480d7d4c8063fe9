"""Options that several subcommands share, and how they turn errors into click's."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from translate.source import SourceError

F = TypeVar("F", bound=Callable[..., Any])

BUDGET_HELP = "Work that one obligation may cost, in Z3's resource units (default: some two seconds' worth)."


#: How findings can be said, and to whom.
REPORTS = ["text", "json", "html", "sarif", "junit", "markdown", "github"]


def format_option(command: F) -> F:
    return click.option(
        "--format", "output", type=click.Choice(["text", "json"]), default="text", help="Text (default) or JSON."
    )(command)


def report_option(command: F) -> F:
    return click.option(
        "--format",
        "output",
        type=click.Choice(REPORTS),
        default="text",
        help="Text (default), JSON, an HTML page, SARIF 2.1.0, JUnit XML, Markdown for a pull request, or GitHub annotations.",
    )(command)


def budget_option(command: F) -> F:
    return click.option("--budget", type=click.IntRange(min=1), metavar="N", help=BUDGET_HELP)(command)


def target_option(command: F) -> F:
    return click.option(
        "--fn",
        "fns",
        multiple=True,
        metavar="PATH",
        help="A target, as in `crate::Solution::find` or the end of that; may be repeated. "
        "Default: the functions of ORIGINAL that have a contract.",
    )(command)


def color_option(command: F) -> F:
    return click.option(
        "--color/--no-color", default=None, help="Colours (default: on a terminal, unless NO_COLOR is set)."
    )(command)


def wants_color(choice: bool | None) -> bool:
    """Whether to colour standard output; https://no-color.org says that an empty NO_COLOR counts as unset."""
    if choice is not None:
        return choice
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


@contextmanager
def usage_errors() -> Iterator[None]:
    """Unreadable input, an unknown target and an unusable directory are errors of usage: one message, exit status 2."""
    try:
        yield
    except SourceError as error:
        raise click.ClickException(str(error)) from error
    except Exception as error:
        # Imported only now: a run without an error need not load what it does not use.
        from equiv.check import UnknownTarget
        from equiv.second_opinion import NotInstalled
        from samespec.evidence import EvidenceError

        if isinstance(error, UnknownTarget | EvidenceError | NotInstalled):
            raise click.ClickException(str(error)) from error
        raise
