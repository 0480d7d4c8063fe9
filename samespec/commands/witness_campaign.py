"""`samespec witness campaign`: discovery policies compared, with models, commands, records or the solver."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from samespec.commands.options import budget_option
from samespec.commands.witness_options import NO_RUSTC, format_choice, verus_option, witness_errors

if TYPE_CHECKING:
    from witness.policies.providers import Source

_FOLDER = click.Path(path_type=Path)
_HELP = {"help_option_names": ["-h", "--help"]}
_POLICIES = ["direct", "intentshield", "masked", "judgment", "phase"]
#: What the report needs besides samespec itself, by the name of its module.
_NEEDED = ("numpy", "scipy", "matplotlib", "markdown_it")
_INSTALL = "pip install 'samespec[experiments]'"
_PROVIDER = re.compile(r"(?:(?P<name>[\w.-]+)=)?(?P<kind>openai|command|transcript):(?P<what>.+)", re.DOTALL)
UNFINISHED = 3


@click.group(name="campaign", context_settings=_HELP)
def campaign_group() -> None:
    """Who finds the wrong program that a contract admits, and who is told it away?

    Discovery policies on many tasks: every call recorded, every candidate judged at the four gates, a certificate for each
    episode, statistics whose unit is the task, and a report. docs/witness-campaign.md says what each policy is told.
    """


@campaign_group.command(
    "run",
    context_settings=_HELP,
    short_help="Run a campaign, or go on where one was stopped.",
    epilog="""
    \b
    Examples:
      samespec witness tasks --corpus --only gap --only find_index --output tasks
      samespec witness campaign run tasks --provider solver --output solver
      OPENAI_API_KEY=… samespec witness campaign run tasks --provider openai:MODEL --output campaign
      samespec witness campaign run tasks --provider transcript:campaign/transcript.jsonl --output again
      samespec witness campaign run tasks --provider 'mine=command:python agent.py' --attempts 3 --output campaign
    """,
)
@click.argument("folders", nargs=-1, required=True, metavar="TASKS...", type=_FOLDER)
@click.option("--output", type=_FOLDER, required=True, metavar="DIR", help="A new folder, or one to go on with.")
@click.option(
    "--provider",
    "providers",
    multiple=True,
    required=True,
    metavar="[NAME=]PROVIDER",
    help="Who is asked: openai:MODEL (see OPENAI_API_KEY, OPENAI_BASE_URL), command:COMMAND, transcript:FILE, or solver; may be "
    "repeated.",
)
@click.option(
    "--policy", "policies", multiple=True, type=click.Choice(_POLICIES), help="Only this policy; may be repeated (default: all)."
)
@click.option("--labels", default="17,43,101", show_default=True, metavar="N,N,…", help="Tracking labels: one repeat for each.")
@click.option("--calls", type=click.IntRange(1, 20), default=3, show_default=True, help="Calls of an episode.")
@click.option("--parser-repair", is_flag=True, help="Judge answers that do not parse a second time, with their syntax mended.")
@click.option(
    "--attempts",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Downstream comparison: revise contracts from what was found, and write N implementations to each.",
)
@click.option("--synthesizer", metavar="NAME", help="Who writes implementations (default: the first provider).")
@click.option("--repairer", metavar="NAME", help="Who revises contracts (default: the first provider).")
@click.option(
    "--parameter",
    "parameters",
    multiple=True,
    metavar="NAME=JSON",
    help="Sent with each request to a model, as in temperature=0.7; may be repeated (default: none: the endpoint's own values).",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=600.0,
    show_default=True,
    help="Of one request to a model, or of one call of a command.",
)
@click.option("--retries", type=click.IntRange(min=0), default=6, show_default=True, help="Of a request that failed.")
@click.option("--output-bytes", type=click.IntRange(min=1), default=1 << 20, show_default=True, help="That a command may print.")
@click.option("--fence", is_flag=True, help="Run commands behind the referee's fence: no network, no files of yours.")
@click.option("--json-requests", is_flag=True, help="Give commands the whole request as JSON, and read JSON answers.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes (default: one for each core).")
@click.option("--seed", type=int, default=0, show_default=True, help="For the intervals.")
@budget_option
@verus_option
@format_choice
def run_command(
    folders: tuple[Path, ...],
    output: Path,
    providers: tuple[str, ...],
    policies: tuple[str, ...],
    labels: str,
    calls: int,
    parser_repair: bool,
    attempts: int,
    synthesizer: str | None,
    repairer: str | None,
    parameters: tuple[str, ...],
    seconds: float,
    retries: int,
    output_bytes: int,
    fence: bool,
    json_requests: bool,
    jobs: int | None,
    seed: int,
    budget: int | None,
    verus_path: str | None,
    form: str,
) -> int:
    """Run a campaign over TASKS (folders that `samespec witness tasks` wrote), or go on where one was stopped.

    Episodes = tasks × providers × policies × labels; the solver adds one a task. Every answer is recorded at once in
    transcript.jsonl, which is a provider for other runs.

    Exit status: 0 done, with a report; 3 some calls got no answer for now (run it again); 2 wrong usage or unreadable input.
    """
    _check()
    from experiments.witness.options import CampaignError, Options
    from experiments.witness.run import Unanswered, find_tasks, run_campaign
    from witness.embedded import BUDGET
    from witness.policies.calls import Policy
    from witness.policies.providers.base import ProviderError
    from witness.program import find_machine

    if find_machine() is None:
        raise click.ClickException(NO_RUSTC)
    common = {
        "parameters": _parameters(parameters),
        "seconds": seconds,
        "retries": retries,
        "output_bytes": output_bytes,
        "fenced": fence,
        "as_json": json_requests,
    }
    with witness_errors(), _campaign_errors(), _progress() as progress:
        try:
            sources, solver = _sources(providers, common)
            first = sources[0].name if sources else "solver"
            options = Options(
                output=output,
                tasks=find_tasks(folders),
                sources=tuple(sources),
                solver=solver,
                policies=tuple(Policy(p) for p in _POLICIES if not policies or p in policies),
                labels=_labels(labels),
                calls=calls,
                parser_repair=parser_repair,
                attempts=attempts,
                synthesizer=(synthesizer or first) if attempts else None,
                repairer=(repairer or first) if attempts else None,
                budget=BUDGET if budget is None else budget,
                verus=verus_path,
                seed=seed,
                jobs=jobs or os.cpu_count() or 1,
            )
            summary = run_campaign(options, progress)
        except Unanswered as error:
            click.echo(f"not ended: {error}", err=True)
            return UNFINISHED
        except (CampaignError, ProviderError) as error:
            raise click.ClickException(str(error)) from error
    click.echo(json.dumps(summary, indent=2, ensure_ascii=False) if form == "json" else _text(summary, output))
    return 0


@campaign_group.command(
    "report",
    context_settings=_HELP,
    short_help="Statistics and report from records alone.",
    epilog="""
    \b
    Examples:
      samespec witness campaign report campaign --output report
      samespec witness campaign report first/results.jsonl second/results.jsonl --output both
    """,
)
@click.argument("records", nargs=-1, required=True, metavar="RECORDS...", type=_FOLDER)
@click.option("--output", type=_FOLDER, required=True, metavar="DIR", help="The report's folder: a new one.")
@click.option("--seed", type=int, default=0, show_default=True, help="For the intervals.")
@format_choice
def report_command(records: tuple[Path, ...], output: Path, seed: int, form: str) -> int:
    """Statistics and report from RECORDS alone: campaign folders (ended or not), or files of records.

    Exit status: 0; 2 wrong usage or unreadable input.
    """
    _check()
    from experiments.witness.options import CampaignError
    from experiments.witness.run import report_records

    with witness_errors(), _campaign_errors():
        try:
            summary = report_records(records, output, seed)
        except CampaignError as error:
            raise click.ClickException(str(error)) from error
    click.echo(json.dumps(summary, indent=2, ensure_ascii=False) if form == "json" else _text(summary, output))
    return 0


# --- options -----------------------------------------------------------------------------------------------------------------


def _check() -> None:
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        names = ", ".join("markdown-it-py" if name == "markdown_it" else name for name in missing)
        raise click.ClickException(f"the campaign's report needs {names}, which is not installed: {_INSTALL}")


def _sources(specs: tuple[str, ...], common: dict[str, Any]) -> tuple[list[Source], bool]:
    """The providers, and whether the solver is among them."""
    from experiments.witness.run import transcript_sources
    from witness.policies.providers.base import Kind, Source, open_source
    from witness.policies.providers.transcript import providers_in

    found: list[Source] = []
    for spec in specs:
        if spec == "solver":
            continue
        match = _PROVIDER.fullmatch(spec)
        if match is None:
            raise click.UsageError(f"--provider {spec}: write openai:MODEL, command:COMMAND, transcript:FILE or solver")
        kind, what, name = Kind(match["kind"]), match["what"], match["name"]
        if kind is Kind.TRANSCRIPT:
            if name is not None:
                raise click.UsageError(f"--provider {spec}: a transcript keeps the names of the providers that it recorded")
            found += transcript_sources(Path(what), providers_in(Path(what)))
            continue
        default = what if kind is Kind.OPENAI else Path(what.split()[0] if what.split() else "command").name
        source = Source(kind, name or default, what, **common)
        open_source(source)  # what is wrong with it shows before anything is asked
        found.append(source)
    return found, "solver" in specs


def _labels(text: str) -> tuple[int, ...]:
    words = [w.strip() for w in text.split(",") if w.strip()]
    if not words or not all(re.fullmatch(r"\d+", w) for w in words):
        raise click.UsageError(f"--labels {text}: write whole numbers with commas between them, as in 17,43,101")
    labels = tuple(map(int, words))
    if len(set(labels)) < len(labels):
        raise click.UsageError(f"--labels {text}: every repeat needs a label of its own")
    return labels


def _parameters(given: tuple[str, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for item in given:
        name, mark, value = item.partition("=")
        if not mark or not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise click.UsageError(f"--parameter {item}: write NAME=JSON, as in temperature=0.7")
        if name in ("messages", "model", "stream", "n"):
            raise click.UsageError(f"--parameter {item}: samespec sets {name!r} itself")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found


@contextmanager
def _campaign_errors() -> Iterator[None]:
    """What a person can set right is one message and exit status 2."""
    from experiments.report.folder import FolderError
    from experiments.report.pool import WorkerDied

    try:
        yield
    except (FolderError, WorkerDied, FileNotFoundError) as error:
        raise click.ClickException(str(error)) from error


@contextmanager
def _progress() -> Iterator[Callable[[int, int, str], None]]:
    """A line on standard error that is written over, where somebody watches."""
    stream = sys.stderr
    if not stream.isatty():
        yield lambda done, total, name: None
        return

    def show(done: int, total: int, name: str) -> None:
        click.echo(f"\r\033[K{done} of {total}  {name[:60]}", err=True, nl=False)

    try:
        yield show
    finally:
        click.echo("\r\033[K", err=True, nl=False)


# --- for people --------------------------------------------------------------------------------------------------------------


def _text(summary: dict[str, Any], output: Path) -> str:
    from experiments.report.table import percent

    lines = []
    width = max((len(p["policy"]) for p in summary["policies"]), default=0)
    for p in summary["policies"]:
        lines.append(
            f"{p['policy']:{width}}  {p['certified']} of {p['episodes']} episodes certified "
            f"({percent(p['estimate'])}{_interval(p)}); {p['unparsed_calls']} of {p['calls']} calls do not parse"
        )
    for c in summary["contrasts"][:1]:
        s = c["signs"]
        lines.append(
            f"{c['first']} − {c['second']}: {100 * (c['difference'] or 0):.1f} points{_interval(c)}, "
            f"tasks {s['favour']}:{s['against']} ({s['ties']} ties), p = {s['p']:.3g}"
        )
    for c in summary["downstream"]["conditions"]:
        lines.append(
            f"{c['name']}: {c['meets']} of {c['attempts']} implementations meet its contract, {c['succeeds']} the full one"
        )
    if summary["episodes"]["errors"]:
        lines.append(f"{summary['episodes']['errors']} could not be judged: see tables/left_out.csv")
    lines += ["", f"report: {output / 'report.html'} (also report.md, summary.json, tables/, figures/)"]
    return "\n".join(lines)


def _interval(record: dict[str, Any]) -> str:
    return "" if record["interval"] is None else f" [{100 * record['interval'][0]:.1f}, {100 * record['interval'][1]:.1f}]"
