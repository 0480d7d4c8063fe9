"""The command line: finds the subcommand, and ends every run with one of the promised exit statuses.

In: the arguments. Out: an exit status: 0 kept, 1 not kept, 2 wrong usage or unreadable input (and samespec's own
errors), 3 undecided or unsupported; 130 and 141 as usual for an interrupt and a closed pipe.

Subcommands are imported when they are asked for, so that `samespec --help` does not wait for a solver to load.
"""

from __future__ import annotations

import importlib
import io
import os
import signal
import sys
import threading
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn

import click

from samespec import __version__
from samespec.statuses import BROKEN_PIPE, INTERRUPTED, UNDECIDED, USAGE


@dataclass(frozen=True, slots=True)
class Subcommand:
    """Where a subcommand lives, and its line in the list of commands."""

    module: str
    attribute: str
    help: str


SUBCOMMANDS = {
    "check": Subcommand("samespec.commands.check", "check", "Did the contracts of ORIGINAL survive in SUBMITTED?"),
    "audit": Subcommand("samespec.commands.audit", "audit", "What does the proof of a function lean on?"),
    "batch": Subcommand("samespec.commands.batch", "batch", "Many pairs: JSON lines in, a verdict a line out."),
    "compare": Subcommand("samespec.commands.compare", "compare", "What each contract test says, side by side."),
    "confirm": Subcommand("samespec.commands.confirm", "confirm_command", "Has Verus confirm what the embedded solver decided."),
    "corpus": Subcommand("samespec.commands.corpus", "corpus_group", "samespec's own corpus: listed, and every label checked."),
    "diff": Subcommand("samespec.commands.diff", "diff_command", "Which contracts changed between two revisions in git?"),
    "experiment": Subcommand(
        "samespec.commands.experiment", "experiment_group", "Who gets fooled? Measurements, with a report."
    ),
    "explain": Subcommand("samespec.commands.explain", "explain", "Why undecided? Each open obligation as a Verus file."),
    "list": Subcommand("samespec.commands.list_command", "list_command", "The functions of files and folders."),
    "mutate": Subcommand("samespec.commands.mutate", "mutate_command", "Edits of a file's contracts, each with its label."),
    "serve": Subcommand("samespec.commands.serve", "serve", "Check, audit and batch over HTTP, and a page for people."),
    "recheck": Subcommand("samespec.commands.recheck", "recheck", "Replay the certificate that --evidence wrote."),
    "referee": Subcommand("samespec.commands.referee", "referee_group", "Agents judged by Verus, behind a fence that is tested."),
    "witness": Subcommand("samespec.commands.witness", "witness_group", "Wrong programs that a contract admits: is it complete?"),
}


#: The subcommands that ask the solver in the process that was started.
SOLVING = ("check", "compare", "confirm", "explain", "diff", "mutate", "recheck", "witness")
#: The signals of a program that did what it must not.
CRASHES = tuple(s for n in ("SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGABRT") if (s := getattr(signal, n, None)) is not None)


class LazyGroup(click.Group):
    """A group whose subcommands are named in `subcommands` and imported on demand."""

    subcommands: Mapping[str, Subcommand] = SUBCOMMANDS

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.subcommands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = self.subcommands.get(cmd_name)
        if entry is None:
            return None
        command = getattr(importlib.import_module(entry.module), entry.attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, from the table: click would import each of them for its help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in self.subcommands.items()])


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="samespec")
def cli() -> None:
    """Did the contract survive the edit?

    samespec compares the requires and ensures clauses of Verus functions before and after an edit, and decides with a
    solver whether each contract is still the same, stronger, or weaker.

    Exit status: 0 kept, 1 not kept, 3 undecided or unsupported, 2 wrong usage or unreadable input.
    """


def main() -> NoReturn:
    """The entry point of the console script."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal without ✗ gets an escape, not a crash
    alone = not hasattr(os, "fork") or os.environ.get("SAMESPEC_DEBUG") or not set(SOLVING).intersection(sys.argv[1:2])
    sys.exit(run() if alone else _run_guarded())


def _run_guarded() -> int:
    """Runs the command line in a child: where the solver crashes, somebody is left to say so."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(writing)
        threading.Thread(target=_end_with, args=(reading,), daemon=True).start()
        return run()
    os.close(reading)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal tells the child too, and the child says how it ended
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, lambda received, _: os.kill(child, received))
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        return os.WEXITSTATUS(status)
    ended = os.WTERMSIG(status)
    if ended in CRASHES:
        name = signal.Signals(ended).name
        click.echo(f"the solver crashed ({name}), so there is no verdict; another --budget may get past the place", err=True)
        click.echo("please report it with the files", err=True)
        return UNDECIDED
    if ended != signal.SIGKILL:
        signal.signal(ended, signal.SIG_DFL)
    os.kill(os.getpid(), ended)
    return 128 + ended


def _end_with(reading: int) -> None:
    """Ends this process when the one at the other end of a pipe is gone."""
    os.read(reading, 1)
    os._exit(INTERRUPTED)


def run(args: list[str] | None = None) -> int:
    """Runs the command line (`args`: those of the process by default) and returns the exit status."""
    try:
        status = cli.main(args=args, prog_name="samespec", standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except click.ClickException as error:
        error.show()
        return USAGE  # some of click's exceptions carry a 1, which is a verdict here
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except SystemExit:
        return BROKEN_PIPE  # click exits with 1 when it meets a closed pipe, and for nothing else in this mode
    except BrokenPipeError:
        # Python would complain once more when it flushes standard output on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except Exception as error:
        if os.environ.get("SAMESPEC_DEBUG"):
            traceback.print_exc()
            return USAGE
        what = " ".join(str(error).split())[:300]
        click.echo(f"internal error: {type(error).__name__}: {what}", err=True)
        click.echo("please report it with both files (SAMESPEC_DEBUG=1 shows where it happened)", err=True)
        return USAGE


if __name__ == "__main__":
    main()
