"""`samespec referee`: campaigns with agents, judged outside their reach."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from referee.loop import Campaign

OK, REFUSED = 0, 1
_HELP = {"help_option_names": ["-h", "--help"]}
_campaign_argument = click.argument("campaign", type=click.Path(path_type=Path))
_verus_option = click.option(
    "--verus", "verus_path", metavar="PATH", help="Verus (default: the environment variable VERUS, then the search path)."
)
_unfenced_option = click.option("--unfenced", is_flag=True, help="Run without a fence; every record then shows it.")


@contextmanager
def _errors() -> Iterator[None]:
    """What a person can set right is one message and exit status 2."""
    from corpus.tasks import Task  # noqa: F401  (the corpus must be there: cases are written in its form)
    from referee.fence import FenceError
    from referee.log import LogError
    from referee.task import TaskError

    try:
        yield
    except (FenceError, LogError, TaskError, FileNotFoundError) as error:
        raise click.ClickException(str(error)) from error


@contextmanager
def _opened(folder: Path, verus_path: str | None, unfenced: bool) -> Iterator[Campaign]:
    from referee.loop import Campaign, open_runner
    from referee.verus import find_verus

    campaign = Campaign(folder, open_runner(unfenced), find_verus(verus_path), lambda line: click.echo(line))
    try:
        yield campaign
    finally:
        campaign.close()


@click.group(name="referee", context_settings=_HELP)
def referee_group() -> None:
    """Campaigns: agents work behind a fence, Verus has the last word, every step is recorded.

    \b
    samespec referee task sort TASKS/sort          a task from the corpus (or write your own folder)
    samespec referee freeze TASKS/* --out CAMPAIGN
    samespec referee probe CAMPAIGN
    samespec referee run CAMPAIGN --attempts 4 --corrections 3 -- AGENT…
    samespec referee report CAMPAIGN/log.jsonl
    """


@referee_group.command("task", context_settings=_HELP)
@click.argument("name")
@click.argument("folder", type=click.Path(path_type=Path))
def task_command(name: str, folder: Path) -> int:
    """Write the corpus task NAME as a task of the referee: its target without a body."""
    from corpus.tasks import load_tasks
    from referee.task import write_corpus_task

    with _errors():
        found = [t for t in load_tasks() if t.name == name]
        if not found:
            raise click.ClickException(f"the corpus has no task {name!r}; see corpus/tasks")
        click.echo(f"wrote {write_corpus_task(found[0], folder)}")
    return OK


@referee_group.command("freeze", context_settings=_HELP)
@click.argument("tasks", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--out", "out", required=True, type=click.Path(path_type=Path), metavar="CAMPAIGN", help="The campaign's folder.")
@_verus_option
@_unfenced_option
@click.option("--wall", default=600.0, show_default=True, help="Seconds of the agent's in one attempt.")
@click.option("--tokens", type=int, help="Tokens in one attempt.")
@click.option("--dollars", type=float, help="Dollars in one attempt.")
@click.option("--campaign-dollars", type=float, help="Dollars of the whole campaign: what comes after is UNREACHED.")
@click.option("--memory-mb", default=2048, show_default=True, help="Memory of the agent's process tree.")
@click.option("--processes", default=64, show_default=True, help="Processes of the agent.")
@click.option("--disk-mb", default=64, show_default=True, help="Size of each place that the agent can write to.")
@click.option("--solver", type=int, help="Work of one contract obligation, in Z3's resource units.")
@click.option("--rlimit", type=float, help="Verus's own resource limit.")
def freeze_command(
    tasks: tuple[Path, ...],
    out: Path,
    verus_path: str | None,
    unfenced: bool,
    wall: float,
    tokens: int | None,
    dollars: float | None,
    campaign_dollars: float | None,
    memory_mb: int,
    processes: int,
    disk_mb: int,
    solver: int | None,
    rlimit: float | None,
) -> int:
    """Freeze TASKS, tools, predictions, budget and scoring rules into CAMPAIGN/manifest.json."""
    from referee.budget import Budget
    from referee.loop import LOG, MANIFEST, open_runner
    from referee.manifest import ManifestError, make_manifest, write_manifest
    from referee.verus import GET_VERUS, find_verus

    with _errors():
        if (out / LOG).exists():
            raise click.ClickException(f"{out} is a campaign that was begun; freeze into a new folder")
        budget = Budget(wall, tokens, dollars, campaign_dollars, solver, rlimit, memory_mb, processes, disk_mb)
        try:
            verus = find_verus(verus_path)
            manifest = make_manifest(tasks, verus=verus, budget=budget, runner=open_runner(unfenced))
        except ManifestError as error:
            raise click.ClickException(str(error)) from error
        out.mkdir(parents=True, exist_ok=True)
        write_manifest(manifest, out / MANIFEST)
    click.echo(f"frozen: {len(manifest['tasks'])} tasks, manifest {manifest['id']}")
    if verus is None:
        click.echo(f"without Verus: no attempt can be accepted; {GET_VERUS}")
    return OK


@referee_group.command("probe", context_settings=_HELP)
@_campaign_argument
@_verus_option
def probe_command(campaign: Path, verus_path: str | None) -> int:
    """Try the fence: five probes, each with a control run without it that must fail.

    Exit status: 0 all pass, 1 one does not.
    """
    from referee.manifest import ManifestError

    with _errors():
        try:
            with _opened(campaign, verus_path, False) as opened:
                return OK if all(r.passed for r in opened.probe()) else REFUSED
        except ManifestError as error:
            raise click.ClickException(str(error)) from error


@referee_group.command("run", context_settings={**_HELP, "ignore_unknown_options": True})
@_campaign_argument
@click.option("--attempts", default=1, show_default=True, type=click.IntRange(1), help="Independent attempts at each task.")
@click.option("--corrections", default=0, show_default=True, type=click.IntRange(0), help="Corrections after the first answer.")
@click.option("--show", multiple=True, type=click.Path(path_type=Path, exists=True), help="A path that the agent may read.")
@click.option(
    "--gateway", type=click.Path(path_type=Path, exists=True), help="A Unix socket shown to the agent as /gateway.sock."
)
@_verus_option
@_unfenced_option
@click.argument("agent", nargs=-1, required=True, type=click.UNPROCESSED)
def run_command(
    campaign: Path,
    attempts: int,
    corrections: int,
    show: tuple[Path, ...],
    gateway: Path | None,
    verus_path: str | None,
    unfenced: bool,
    agent: tuple[str, ...],
) -> int:
    """Run AGENT… on every task, or go on where the campaign was stopped.

    AGENT is any command; it works in its build folder, which holds task.json, original.rs, solution.rs and, after a failure,
    feedback.json. Two agents need no model: @standard-proofs, and @replay FILE (see `referee export`).

    Exit status: 0 the campaign ended, 1 it did not start: the world differs from the frozen one, or a probe does not pass.
    """
    from referee.loop import LOG, Plan, Refused
    from referee.manifest import ManifestError

    shown = [p.resolve() for p in show]
    words = list(agent)
    if words[0] == "@replay" and len(words) > 1:
        words[1] = str(Path(words[1]).resolve())
        shown.append(Path(words[1]))
    with _errors():
        try:
            with _opened(campaign, verus_path, unfenced) as opened:
                plan = Plan(tuple(words), attempts, corrections, tuple(shown), None if gateway is None else gateway.resolve())
                opened.run(plan)
        except (ManifestError, Refused) as error:
            click.echo(f"not started: {error}", err=True)
            return REFUSED
    click.echo(f"ended; samespec referee report {campaign / LOG}")
    return OK


@referee_group.command("verify", context_settings=_HELP)
@click.argument("log", type=click.Path(path_type=Path))
@click.option("--head", metavar="HASH", help="The last hash, as you kept it elsewhere: shows a missing end too.")
def verify_command(log: Path, head: str | None) -> int:
    """Find any change in a campaign's LOG.

    Exit status: 0 unchanged, 1 changed.
    """
    from referee.log import verify

    found = verify(log)
    if found.problem is not None:
        click.echo(f"changed: {found.problem}; the {len(found.records)} records before it verify")
        return REFUSED
    if head is not None and head not in {r.hash for r in found.records[-1:]}:
        click.echo(f"changed: the last record has the hash {found.head}, not {head}")
        return REFUSED
    torn = f"; {found.torn} bytes of an unfinished last record" if found.torn else ""
    click.echo(f"unchanged: {len(found.records)} records, head {found.head}{torn}")
    return OK


@referee_group.command("report", context_settings=_HELP)
@click.argument("log", type=click.Path(path_type=Path))
@click.option("--format", "output", type=click.Choice(["text", "json"]), default="text", help="Text (default) or JSON.")
def report_command(log: Path, output: str) -> int:
    """Acceptance, correctness, cost and censoring of a campaign, each apart, and what nobody checked.

    Exit status: 0, or 1 where the LOG does not verify.
    """
    from referee.log import verify
    from referee.report import report_data, report_text

    found = verify(log)
    if not found.records:
        raise click.ClickException(found.problem or f"{log}: no records")
    text = json.dumps(report_data(found), indent=2) + "\n" if output == "json" else report_text(found)
    click.echo(text, nl=False)
    return OK if found.problem is None else REFUSED


@referee_group.command("export", context_settings=_HELP)
@_campaign_argument
@click.argument("out", type=click.Path(path_type=Path))
def export_command(campaign: Path, out: Path) -> int:
    """Write a campaign's submissions to OUT, for the agent `@replay OUT`."""
    from referee.log import verify
    from referee.loop import LOG, replay_file

    with _errors():
        found = verify(campaign / LOG)
        if found.problem is not None:
            raise click.ClickException(found.problem)
        data = replay_file(campaign, found.records)
        out.write_text(json.dumps(data, indent=1), encoding="utf-8")
    click.echo(f"wrote {len(data)} submissions to {out}")
    return OK


@referee_group.command("demo", context_settings=_HELP)
@click.argument("folder", type=click.Path(path_type=Path))
@_verus_option
@_unfenced_option
def demo_command(folder: Path, verus_path: str | None, unfenced: bool) -> int:
    """Two small campaigns over corpus tasks in FOLDER, with the two agents that need no model; prints their reports."""
    from referee.demo import run_demo
    from referee.loop import Refused, open_runner
    from referee.manifest import ManifestError
    from referee.verus import find_verus

    with _errors():
        try:
            run_demo(folder, open_runner(unfenced), find_verus(verus_path), click.echo)
        except (ManifestError, Refused) as error:
            click.echo(f"not started: {error}", err=True)
            return REFUSED
    return OK
