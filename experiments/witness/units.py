"""The pieces of work of a campaign, each by itself: what a worker process is given, and what it gives back.

In: a unit. Out: its rows. A unit that a provider gave no answer to for the moment (the network, a limit on requests) gives one
row with `unanswered`, which is not kept: the next run asks again. What cannot be judged gives a row with `error`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

from experiments.report.folder import Row
from experiments.witness import rows
from experiments.witness.options import SOLVER, CampaignError, TaskFolder, slug
from referee.verus import find_verus
from witness.certificate import certify, read_certificate, write_certificate
from witness.contract import WitnessError
from witness.discover import discover
from witness.gates import Means, read_candidate
from witness.model import Candidate, Task
from witness.policies.calls import Policy
from witness.policies.episodes import Outcome, run_episode
from witness.policies.freeze import Frozen, thaw
from witness.policies.providers import Provider, ProviderError, Source, open_source
from witness.policies.providers.base import Kind
from witness.policies.providers.transcript import Recorder
from witness.policies.revision import Revision, ask_for_revision, check_revision
from witness.policies.synthesis import ask_for_implementation, judge_attempts, missing_attempt, smallest_admitted
from witness.program import find_machine
from witness.repair import repair
from witness.store import read_task

TRANSCRIPT: Final = "transcript.jsonl"
CERTIFICATES, FROZEN = "certificates", "frozen"
UNANSWERED: Final = "unanswered"


@dataclass(frozen=True, slots=True)
class Common:
    """What all units of a campaign share; `folder` is the campaign's."""

    folder: Path
    verus: str | None
    budget: int
    calls: int
    parser_repair: bool


def place_of(provider: str, task: str, policy: str, label: int) -> str:
    """Where the files of an episode lie, below the folders of certificates and freezes."""
    return f"{slug(provider)}/{slug(task)}/{policy}-{label}"


@dataclass(frozen=True, slots=True)
class EpisodeUnit:
    task: TaskFolder
    source: Source
    policy: Policy
    label: int
    common: Common

    @property
    def name(self) -> str:
        return f"episode/{self.source.name}/{self.task.name}/{self.policy}/{self.label}"

    @property
    def place(self) -> str:
        return place_of(self.source.name, self.task.name, self.policy, self.label)


@dataclass(frozen=True, slots=True)
class SolverUnit:
    task: TaskFolder
    common: Common

    @property
    def name(self) -> str:
        return f"episode/{SOLVER}/{self.task.name}/{SOLVER}/0"

    @property
    def place(self) -> str:
        return place_of(SOLVER, self.task.name, SOLVER, 0)


@dataclass(frozen=True, slots=True)
class RevisionUnit:
    """`witness` is None where the condition has no candidate for this task, else what names it: `expression` and its episode."""

    task: TaskFolder
    condition: str
    source: Source | None
    witness: Row | None
    common: Common

    @property
    def name(self) -> str:
        return f"revision/{self.task.name}/{self.condition}"


@dataclass(frozen=True, slots=True)
class AttemptsUnit:
    """`contract` is the text of the file whose contract is implemented; `source` is None for the solver, which writes one
    implementation: it would write the same again."""

    task: TaskFolder
    condition: str
    contract: str
    revised: bool | None
    source: Source | None
    attempts: int
    common: Common

    @property
    def name(self) -> str:
        return f"attempts/{self.task.name}/{self.condition}"


Unit: TypeAlias = EpisodeUnit | SolverUnit | RevisionUnit | AttemptsUnit


def work(unit: Unit) -> list[Row]:
    """The rows of a unit. Raises `ProviderError` for what asking again will not help, and `CampaignError`."""
    try:
        task = _task(unit.task)
        match unit:
            case EpisodeUnit():
                return [_episode(unit, task)]
            case SolverUnit():
                return [_solver(unit, task)]
            case RevisionUnit():
                return [_revision(unit, task)]
            case AttemptsUnit():
                return [_attempts(unit, task)]
    except ProviderError as error:
        if error.lasting:
            raise
        return [{UNANSWERED: str(error)}]
    except CampaignError:
        raise
    except Exception as error:  # of one unit: the others can still be done, and the report says so
        return [_failed(unit, error)]


def _failed(unit: Unit, error: Exception) -> Row:
    about: Row = {"task": unit.task.name}
    match unit:
        case EpisodeUnit():
            about |= {"provider": unit.source.name, "policy": unit.policy.value, "label": unit.label}
        case SolverUnit():
            about |= {"provider": SOLVER, "policy": SOLVER, "label": 0}
        case RevisionUnit() | AttemptsUnit():
            about |= {"condition": unit.condition}
    kind = unit.name.partition("/")[0]
    return {"kind": kind, **about, "error": f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"}


def _episode(unit: EpisodeUnit, task: Task) -> Row:
    common = unit.common
    means = _means(common.verus, common.budget)
    file = f"{FROZEN}/{unit.place}.json" if unit.policy is Policy.PHASE else None
    found = run_episode(
        task,
        unit.policy,
        unit.label,
        _provider(unit.source, common.folder),
        means,
        freeze_at=None if file is None else common.folder / file,
        calls=common.calls,
        parser_repair=common.parser_repair,
    )
    write_certificate(common.folder / CERTIFICATES / unit.place, task, found.raw.certificate)
    return rows.episode_row(task, unit.source.name, found, file)


def _solver(unit: SolverUnit, task: Task) -> Row:
    means = _means(unit.common.verus, unit.common.budget)
    found = discover(task, means)
    outcome = None
    if found.judgement is not None:
        certificate = certify(task, [found.judgement], means)
        assert certificate is not None
        write_certificate(unit.common.folder / CERTIFICATES / unit.place, task, certificate)
        outcome = Outcome((found.judgement,), certificate)
    return rows.solver_row(task, SOLVER, found, outcome)


def _revision(unit: RevisionUnit, task: Task) -> Row:
    by = SOLVER if unit.source is None else unit.source.name
    if unit.witness is None:
        revision = Revision(None, "there is no candidate to revise the contract from")
    else:
        frozen = unit.witness["frozen"]
        witness = read_candidate(task, unit.witness["expression"] if frozen is None else _frozen_candidate(unit, frozen))
        if unit.source is None:
            place = place_of(unit.witness["provider"], task.name, unit.witness["policy"], unit.witness["label"])
            revision = _solver_revision(task, witness, unit.common.folder / CERTIFICATES / place)
        else:
            revision = ask_for_revision(task, witness, _provider(unit.source, unit.common.folder), unit.condition)
    return rows.revision_row(task, unit.condition, by, unit.witness, revision)


def _solver_revision(task: Task, witness: Candidate, folder: Path) -> Revision:
    """A revision without a model: from the certificate of the witness, without a look at the full contract."""
    try:
        found = repair(task, read_certificate(folder)[1])
    except WitnessError as problem:  # it is not certified: there is no evidence to start from
        return Revision(None, str(problem))
    if not found.repaired:
        return Revision(None, found.why_not)
    return check_revision(task, found.text, found.signature, witness)


def _frozen_candidate(unit: RevisionUnit, frozen: Row) -> str:
    """The text of a candidate as it stands in its freeze. Raises `WitnessError` where the freeze was changed."""
    assert unit.witness is not None
    draws = thaw(Frozen(unit.common.folder / frozen["file"], frozen["sha256"]))
    return next(d.candidate.strip() for d in draws if d.call == unit.witness["call"])


def _attempts(unit: AttemptsUnit, task: Task) -> Row:
    common = unit.common
    if unit.source is None:
        found = smallest_admitted(task, unit.contract)
        by, given = SOLVER, [] if found is None else [found]
    else:
        provider = _provider(unit.source, common.folder)
        by = provider.name
        numbers = range(1, unit.attempts + 1)
        given = [ask_for_implementation(task, unit.contract, provider, unit.condition, n).text for n in numbers]
    attempts = judge_attempts(task, unit.contract, given, _means(common.verus, common.budget), by) if given else []
    attempts += [missing_attempt()] * (unit.attempts - len(given))
    return rows.attempts_row(task, unit.condition, by, unit.revised, attempts)


# --- what a process opens once -----------------------------------------------------------------------------------------------


@cache
def _means(verus: str | None, budget: int) -> Means:
    return Means(find_machine(), find_verus(verus), budget)


@cache
def _read(folder: Path) -> Task:
    return read_task(folder)


def _task(given: TaskFolder) -> Task:
    task = _read(given.path)
    if task.sha256 != given.sha256:
        raise CampaignError(f"{given.path}: the task was changed while the campaign ran; start again in a new folder")
    return task


_PROVIDERS: dict[tuple[str, str, Path], Provider] = {}


def _provider(source: Source, folder: Path) -> Provider:
    """The provider of a source. What is not a record already is recorded."""
    key = (source.kind.value, source.name, folder)
    if key not in _PROVIDERS:
        provider = open_source(source)
        _PROVIDERS[key] = provider if source.kind is Kind.TRANSCRIPT else Recorder(provider, folder / TRANSCRIPT)
    return _PROVIDERS[key]
