"""`samespec batch`: many pairs, JSON lines in and out."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from samespec.commands.options import budget_option
from samespec.statuses import KEPT, NOT_KEPT, UNDECIDED

if TYPE_CHECKING:
    from samespec.batch.engine import Worker
    from samespec.batch.output import Output
    from samespec.batch.process import Limits
    from samespec.batch.run import Summary


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""
    \b
    Examples:
      samespec batch pairs.jsonl --output results.jsonl --audit
      samespec batch pairs.jsonl --output results.jsonl --audit --resume   go on where it was stopped
      generate | samespec batch - --as-finished | consume
      samespec batch pairs.jsonl --output results.jsonl --engine ray --address auto

    \b
    A line of input (docs/json.md has all fields):
      {"id": "a1", "original": "verus! { … }", "submitted": "verus! { … }"}
      {"id": "a2", "original_path": "a/spec.rs", "submitted_path": "a/answer.rs", "targets": ["max"], "mode": "proof"}
    """,
)
@click.argument("input_", metavar="INPUT", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--output", type=click.Path(path_type=Path), metavar="FILE", help="Where results go (default: standard output).")
@click.option("--resume", is_flag=True, help="Go on with FILE: keep its results of this input and these options.")
@click.option("--ordered/--as-finished", default=True, help="Results in the order of INPUT (default), or as they are done.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Workers (default: one for each processor).")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=120.0,
    show_default=True,
    metavar="S",
    help="Seconds that one pair may take; then that is its result.",
)
@click.option(
    "--memory",
    type=click.IntRange(min=0),
    default=2048,
    show_default=True,
    metavar="MB",
    help="Memory that one pair may take (0: no limit); then that is its result.",
)
@budget_option
@click.option("--strict", is_flag=True, help="Accept only equivalent contracts, none that is stronger.")
@click.option("--audit", is_flag=True, help="What the targets' proofs lean on must be sound too (see samespec audit).")
@click.option(
    "--cache",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Keep answers in DIR, and take them from there (default: the environment variable SAMESPEC_CACHE, else no cache).",
)
@click.option("--timings", is_flag=True, help="Add to each result what it took.")
@click.option("--engine", type=click.Choice(["local", "ray"]), default="local", show_default=True, help="Where the work is done.")
@click.option("--address", metavar="ADDRESS", help="The Ray cluster: auto (default), HOST:PORT or ray://HOST:PORT.")
def batch(
    input_: Path,
    output: Path | None,
    resume: bool,
    ordered: bool,
    jobs: int | None,
    timeout: float,
    memory: int,
    budget: int | None,
    strict: bool,
    audit: bool,
    cache: Path | None,
    timings: bool,
    engine: str,
    address: str | None,
) -> int:
    """Did the contracts of many pairs survive?

    INPUT has a JSON object in each line (- is standard input); each gives one line of output. A line that cannot be read, and
    a pair that takes too much time or memory, or takes its worker down, has that as its result: the batch goes on.

    Exit status: 0 all kept, 1 one is not kept, 3 one is undecided or has no verdict, 2 wrong usage or unreadable input.
    """
    if resume and output is None:
        raise click.UsageError("--resume needs the --output FILE to go on with")
    if address is not None and engine != "ray":
        raise click.UsageError("--address goes with --engine ray")
    from samespec.api import default_budget
    from samespec.batch.process import Limits
    from samespec.batch.run import Options, run_batch
    from samespec.cache import Cache, CacheError, directory_from

    options = Options(default_budget() if budget is None else budget, strict, audit, ordered, timings)
    limits = Limits(timeout, memory)
    started = time.monotonic()
    with ExitStack() as open_:
        stream, folder, total = _opened(input_, open_)
        try:
            directory = directory_from(cache)
            store = None if directory is None else Cache(directory)
        except CacheError as error:
            raise click.ClickException(str(error)) from error
        if store is not None:
            open_.callback(store.close)
        sink = _sink(output, resume)
        open_.callback(sink.close)
        workers = _workers(engine, address, jobs, limits, directory, open_)
        with _errors(output), _progress(total) as progress:
            summary = run_batch(stream, folder, workers, sink, options, cache=store, progress=progress)
    click.echo(_summary(summary, time.monotonic() - started), err=True)
    return NOT_KEPT if summary.broken else UNDECIDED if summary.kept < summary.items or not summary.items else KEPT


def _opened(path: Path, open_: ExitStack) -> tuple[BinaryIO, Path, int | None]:
    """The input, the folder that its paths start from, and how many lines it has (None: not known, or nobody asks)."""
    from samespec.batch.items import count_lines

    if str(path) == "-":
        # A copy, and never closed: a thread may wait for input until this process ends, and it holds the stream's lock.
        return os.fdopen(os.dup(0), "rb"), Path(), None
    try:
        stream = open_.enter_context(path.open("rb"))
        return stream, path.parent, count_lines(path) if sys.stderr.isatty() and path.is_file() else None
    except OSError as error:
        raise click.ClickException(f"{path}: cannot be read ({error.strerror}); name a file of JSON lines, or -") from None


def _sink(path: Path | None, resume: bool) -> Output:
    from samespec.batch.output import OutputError, ResultFile, Stream

    if path is None:
        return Stream(sys.stdout.buffer)
    try:
        return ResultFile(path, resume=resume)
    except OutputError as error:
        raise click.ClickException(str(error)) from error


def _workers(
    engine: str, address: str | None, jobs: int | None, limits: Limits, cache: Path | None, open_: ExitStack
) -> Sequence[Worker]:
    if engine == "local":
        from samespec.batch.local import local_workers

        return local_workers(jobs, limits, cache=cache)
    from samespec.batch.ray_engine import RayError, connected, ray_workers

    try:
        cpus = open_.enter_context(connected(address or os.environ.get("RAY_ADDRESS") or "auto"))
    except RayError as error:
        raise click.ClickException(str(error)) from error
    return ray_workers(jobs or max(1, cpus), limits)


@contextmanager
def _errors(output: Path | None) -> Iterator[None]:
    """What ends a batch is one message; what was written stands."""
    from samespec.batch.engine import WorkerGone
    from samespec.batch.process import WorkerError
    from samespec.batch.ray_engine import RayError

    later = "" if output is None else "; --resume goes on from here"
    try:
        yield
    except (WorkerError, WorkerGone, RayError) as error:
        raise click.ClickException(f"{error}{later}") from error
    except BrokenPipeError:
        raise
    except OSError as error:
        raise click.ClickException(f"the results cannot be written ({error.strerror or error}){later}") from error
    except KeyboardInterrupt:
        if later:
            click.echo(f"stopped{later}", err=True)
        raise


@contextmanager
def _progress(total: int | None) -> Iterator[Callable[[Summary], None] | None]:
    """A bar with rate and remaining time on standard error, where that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    started = time.monotonic()
    # A generator has no length: then the bar shows no end.
    length: Any = {"iterable": (part for part in list[int]())} if total is None else {"length": total}
    bar = click.progressbar(**length, file=sys.stderr, show_pos=True, item_show_func=lambda text: text)
    done = 0

    def show(summary: Summary) -> None:
        nonlocal done
        rate = (summary.items - summary.resumed) / max(time.monotonic() - started, 1e-3)
        bar.update(summary.items - done, f"{rate:.1f}/s")
        done = summary.items

    with bar:
        yield show


def _summary(summary: Summary, seconds: float) -> str:
    """One line: how the batch went."""
    parts = [f"{summary.items} item" + ("" if summary.items == 1 else "s")]
    counts = (("kept", summary.kept), ("not kept", summary.broken), ("undecided", summary.undecided))
    parts.append(", ".join(f"{count} {word}" for word, count in counts))
    if summary.errors:
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(summary.by_error.items()))
        parts.append(f"{summary.errors} without a verdict" + (f" ({kinds})" if kinds else ""))
    beside = (("resumed", summary.resumed), ("from the cache", summary.cached))
    if any(count for _, count in beside):
        parts.append(", ".join(f"{count} {word}" for word, count in beside if count))
    judged = summary.items - summary.resumed
    return "; ".join(parts) + f" ({seconds:.1f} s, {judged / max(seconds, 1e-3):.1f}/s)"
