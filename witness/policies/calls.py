"""The policies: who is asked what, three times.

In: a view of the task, a tracking label, someone to ask; for `corrected` alone, someone who tells. Out: `Draw`s. The functions
that must not know what compiler, verifier or cases say have no way to: they get none of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from witness.policies import answers, prompts
from witness.policies.block import hidden
from witness.policies.providers.base import Reply
from witness.policies.view import View

#: Calls of an episode.
CALLS: Final = 3


class Policy(StrEnum):
    DIRECT = "direct"
    INTENTSHIELD = "intentshield"
    MASKED = "masked"
    JUDGMENT = "judgment"
    PHASE = "phase"


#: Policies whose calls are told nothing that compiler, verifier or cases said.
UNTOLD: Final = frozenset({Policy.DIRECT, Policy.MASKED, Policy.JUDGMENT, Policy.PHASE})


@dataclass(frozen=True, slots=True)
class Draw:
    """One call: its number from 1, what was asked, what came, and the text that is taken for the candidate."""

    call: int
    prompt: str
    reply: Reply
    candidate: str


#: Asks the number of a call and a prompt. Raises `ProviderError`.
Ask: TypeAlias = Callable[[int, str], Reply]
#: Says what happened to a draw's candidate: the feedback block.
Tell: TypeAlias = Callable[[Draw], str]


def independent(view: View, label: int, ask: Ask, calls: int = CALLS) -> tuple[Draw, ...]:
    """`direct` and `phase`: independent draws from the same prompt, byte for byte."""
    prompt = prompts.discovery(view, label)
    return tuple(_draw(n, prompt, ask) for n in range(1, calls + 1))


def masked(view: View, label: int, ask: Ask, calls: int = CALLS) -> tuple[Draw, ...]:
    """`masked`: each call sees the candidate before it, in the frame of `corrected`, and a block that says nothing."""
    return _iterated(view, label, ask, lambda draw: hidden(view.rows), calls)


def corrected(view: View, label: int, ask: Ask, tell: Tell, calls: int = CALLS) -> tuple[Draw, ...]:
    """`intentshield`: each call sees the candidate before it, and what happened to it."""
    return _iterated(view, label, ask, tell, calls)


def assessed(view: View, label: int, ask: Ask, calls: int = CALLS) -> tuple[Draw, ...]:
    """`judgment`: each call sees the candidate before it, and assesses it by itself."""
    draws = [_draw(1, prompts.discovery(view, label), ask)]
    for n in range(2, calls + 1):
        prompt = prompts.assessment(view, label, draws[-1].candidate)
        reply = ask(n, prompt)
        draws.append(Draw(n, prompt, reply, answers.revised(reply.text)))
    return tuple(draws)


def _iterated(view: View, label: int, ask: Ask, tell: Tell, calls: int) -> tuple[Draw, ...]:
    draws = [_draw(1, prompts.discovery(view, label), ask)]
    for n in range(2, calls + 1):
        before = draws[-1]
        draws.append(_draw(n, prompts.revision(view, label, before.candidate, tell(before)), ask))
    return tuple(draws)


def _draw(call: int, prompt: str, ask: Ask) -> Draw:
    reply = ask(call, prompt)
    return Draw(call, prompt, reply, answers.plain(reply.text))


def untold(policy: Policy, view: View, label: int, ask: Ask, calls: int = CALLS) -> tuple[Draw, ...]:
    """The draws of a policy that is told nothing."""
    match policy:
        case Policy.MASKED:
            return masked(view, label, ask, calls)
        case Policy.JUDGMENT:
            return assessed(view, label, ask, calls)
        case Policy.DIRECT | Policy.PHASE:
            return independent(view, label, ask, calls)
    raise ValueError(f"{policy} is told what happened: use `corrected`")
