"""What the pieces of a campaign found, as rows of JSON.

In: episodes, discoveries, revisions, attempts. Out: rows; their keys are those of docs/witness-campaign.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from experiments.report.folder import Row
from witness.certificate import why_not
from witness.discover import Discovery
from witness.model import Gate, Judgement, Task
from witness.policies.calls import Draw
from witness.policies.episodes import Episode, Outcome
from witness.policies.providers.transcript import prompt_sha256
from witness.policies.revision import Revision
from witness.policies.synthesis import Attempt

EPISODE, REVISION, ATTEMPTS = "episode", "revision", "attempts"


def head(kind: str, task: Task) -> Row:
    """What every row says about its task."""
    return {
        "kind": kind,
        "task": task.name,
        "stratum": task.omission.kind.value,
        "task_sha256": task.sha256,
        "visible": len(task.visible),
        "withheld": len(task.withheld),
    }


def episode_row(task: Task, provider: str, episode: Episode, frozen: str | None) -> Row:
    """The row of an episode; `frozen` is the file of its freeze, relative to the campaign's folder."""
    row: Row = head(EPISODE, task)
    row |= {"provider": provider, "policy": episode.policy.value, "label": episode.label}
    row["calls"] = [_call(d, j) for d, j in zip(episode.draws, episode.raw.judgements, strict=True)]
    row["raw"] = _outcome(episode.raw)
    row["mended"] = None if episode.mended is None else _mended(episode.mended)
    row["frozen"] = None
    if episode.frozen is not None:
        row["frozen"] = {"file": frozen, "sha256": episode.frozen.sha256}
    return row


def solver_row(task: Task, provider: str, found: Discovery, outcome: Outcome | None) -> Row:
    """The row of solver-backed discovery: an episode of one call at most. `found` and `reason` say how it ended."""
    row: Row = head(EPISODE, task)
    row |= {"provider": provider, "policy": provider, "label": 0, "found": found.found.value, "reason": found.reason}
    row["calls"] = [] if outcome is None else [_gates(outcome.selected)]
    row["raw"] = None if outcome is None else _outcome(outcome)
    row |= {"mended": None, "frozen": None}
    return row


def _call(draw: Draw, judgement: Judgement) -> dict[str, Any]:
    reply = draw.reply
    return {
        **_gates(judgement),
        "answer": reply.text,
        "ended": reply.ended,
        "prompt_sha256": prompt_sha256(draw.prompt),
        "prompt_chars": len(draw.prompt),
        "usage": None if reply.usage is None else reply.usage._asdict(),
        "same_prompt": reply.same_prompt,
    }


def _gates(judgement: Judgement) -> dict[str, Any]:
    candidate = judgement.candidate
    return {
        "call": candidate.call,
        "expression": candidate.expression,
        "problem": candidate.problem,
        "gates": {g.gate.value: g.outcome.value for g in judgement.gates},
        "compiled": judgement.gate(Gate.RUNS).evidence.get("compiled") is True,
        "certified": judgement.certified,
        "divergences": judgement.divergences,
        "withheld_divergences": judgement.withheld,
    }


def _outcome(outcome: Outcome) -> dict[str, Any]:
    selected = outcome.selected
    checkers = {g.gate.value: g.checker for g in selected.gates if g.checker}
    return {**_gates(selected), "checkers": checkers, "why_not": why_not(selected)}


def _mended(outcome: Outcome) -> dict[str, Any]:
    calls = [{**_gates(j), "repairs": list(j.candidate.repairs)} for j in outcome.judgements]
    return {**_outcome(outcome), "calls": calls}


def revision_row(task: Task, condition: str, by: str, witness: Row | None, revision: Revision) -> Row:
    """The row of a revised contract. `witness` says which episode's candidate it is from; None: there is none."""
    row: Row = head(REVISION, task)
    row |= {"condition": condition, "by": by, "witness": witness, "accepted": revision.accepted, "why": revision.why}
    row |= {"signature": revision.signature, "implied": revision.implied, "text": revision.text}
    return row


def attempts_row(task: Task, condition: str, by: str, revised: bool | None, attempts: Sequence[Attempt]) -> Row:
    """The row of all attempts at a task under a condition. `revised` says whether the contract is a revised one (None for the
    conditions that revise nothing)."""
    row: Row = head(ATTEMPTS, task)
    row |= {"condition": condition, "by": by, "revised": revised, "attempts": [_attempt(a) for a in attempts]}
    return row


def _attempt(attempt: Attempt) -> dict[str, Any]:
    return {
        "answer": attempt.answer,
        "problem": attempt.problem,
        "meets": attempt.meets.value,
        "correct": attempt.correct.value,
        "runs": attempt.runs.value,
        "agrees": attempt.agrees,
        "withheld_agrees": attempt.withheld,
        "succeeds": attempt.succeeds,
    }
