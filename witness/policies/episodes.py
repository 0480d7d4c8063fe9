"""One episode from beginning to end: discovery, selection, certification.

In: a task, a policy, a tracking label, a provider, the means of judging. Out: an `Episode`. Discovery is given a view of the task
(`witness.policies.view`) and, under `intentshield` alone, what the gates say about the candidate before. Under `phase` the draws
are frozen to a file before anything is judged, and what is judged is read from that file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from witness.certificate import certify
from witness.gates import Means, judge, read_candidate
from witness.model import Certificate, Judgement, Task
from witness.policies import calls as policies
from witness.policies.calls import CALLS, Draw, Policy
from witness.policies.feedback import told
from witness.policies.freeze import Frozen, freeze, thaw
from witness.policies.providers.base import Key, Provider, Reply, Request
from witness.policies.view import view_of


@dataclass(frozen=True, slots=True)
class Outcome:
    """The judgements of an episode's candidates, and the certificate of the selected one."""

    judgements: tuple[Judgement, ...]
    certificate: Certificate

    @property
    def selected(self) -> Judgement:
        return self.certificate.judgement

    @property
    def certified(self) -> bool:
        return self.certificate.certified


@dataclass(frozen=True, slots=True)
class Episode:
    """What came out. `raw` judges the answers as they came; `mended` the same with the parser repair applied to what does not
    parse, None where that was not asked. `frozen` is the freeze of `phase`."""

    policy: Policy
    label: int
    draws: tuple[Draw, ...]
    raw: Outcome
    mended: Outcome | None = None
    frozen: Frozen | None = None


def run_episode(
    task: Task,
    policy: Policy,
    label: int,
    provider: Provider,
    means: Means,
    *,
    freeze_at: Path | None = None,
    calls: int = CALLS,
    parser_repair: bool = False,
) -> Episode:
    """Runs an episode. `freeze_at` is the file of the freeze, which `phase` needs.

    Raises `ProviderError`, and `WitnessError` where the task cannot be judged or the freeze cannot be written.
    """
    if policy is Policy.PHASE and freeze_at is None:
        raise ValueError("phase needs a file for its freeze")
    view = view_of(task)

    def ask(call: int, prompt: str) -> Reply:
        return provider.ask(Request(Key(provider.name, task.name, policy.value, label, call), prompt))

    judged: dict[int, Judgement] = {}
    frozen = None
    if policy is Policy.INTENTSHIELD:
        draws = policies.corrected(view, label, ask, _teller(task, means, provider.name, judged), calls)
    else:
        draws = policies.untold(policy, view, label, ask, calls)
    if policy is Policy.PHASE and freeze_at is not None:
        frozen = freeze(freeze_at, view, label, provider.name, draws)
        draws = thaw(frozen)
    raw = _outcome(task, _judge(task, draws, means, provider.name, judged), means)
    mended = _mended(task, draws, raw, means, provider.name) if parser_repair else None
    return Episode(policy, label, draws, raw, mended, frozen)


def _teller(task: Task, means: Means, origin: str, judged: dict[int, Judgement]) -> policies.Tell:
    """Judges each candidate as it comes, and says what happened to it; what was judged is kept."""

    def tell(draw: Draw) -> str:
        candidate = read_candidate(task, draw.candidate, call=draw.call, origin=origin)
        judged[draw.call] = judge(task, [candidate], means)[0]
        return told(task, judged[draw.call])

    return tell


def _judge(task: Task, draws: Sequence[Draw], means: Means, origin: str, judged: dict[int, Judgement]) -> list[Judgement]:
    """The judgements of all draws; those that are not known yet in one go."""
    rest = [d for d in draws if d.call not in judged]
    found = judge(task, [read_candidate(task, d.candidate, call=d.call, origin=origin) for d in rest], means) if rest else []
    judged.update({d.call: j for d, j in zip(rest, found, strict=True)})
    return [judged[d.call] for d in draws]


def _mended(task: Task, draws: Sequence[Draw], raw: Outcome, means: Means, origin: str) -> Outcome:
    """The episode again with mended candidates: selection and gates anew. What parses as it came is left as it is."""
    again = [
        read_candidate(task, d.candidate, call=d.call, origin=origin, parser_repair=True)
        for d, j in zip(draws, raw.judgements, strict=True)
        if not j.candidate.parses
    ]
    found = {j.candidate.call: j for j in judge(task, again, means)} if again else {}
    return _outcome(task, [found.get(j.candidate.call, j) for j in raw.judgements], means)


def _outcome(task: Task, judgements: Sequence[Judgement], means: Means) -> Outcome:
    certificate = certify(task, judgements, means)
    assert certificate is not None  # there is a candidate for every call
    return Outcome(tuple(judgements), certificate)
