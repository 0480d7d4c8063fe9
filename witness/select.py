"""Selection: which of an episode's candidates is put forward.

In: judgements. Out: one of them, or None. Lexicographic: it parses; it is accepted under the weakened contract; it compiles; on
how many visible cases it disagrees; the earliest call. Only the selected one is certified, whatever the others are.
"""

from __future__ import annotations

from collections.abc import Sequence

from witness.model import Gate, Judgement


def select(judgements: Sequence[Judgement]) -> Judgement | None:
    """The selected candidate's judgement; None where there are no candidates."""
    return max(judgements, key=rank, default=None)


def rank(judgement: Judgement) -> tuple[bool, bool, bool, int, int]:
    """A candidate's rank: the larger, the better."""
    compiled = judgement.gate(Gate.RUNS).evidence.get("compiled") is True
    accepted = judgement.gate(Gate.ADMITTED).passed
    return judgement.candidate.parses, accepted, compiled, judgement.divergences, -judgement.candidate.call
