"""Choosing among candidate clauses.

In: clauses that the official cases satisfy, with what each rejects; what the solver says about them. Out: a few that together
reject what can be rejected, none of which can be left out or replaced by a weaker one.

The first must reject the witness. Of the clauses that reject nearly as much as the best, the most believable kind is taken: a
clause that was there, turned round, is more likely meant than an equality that happens to hold under a condition on the inputs.
Then the shortest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from equiv.decide import Decider
from equiv.verdict import Answer
from translate.terms import Term
from witness.clause_templates import ONE_WAY, PARTIAL, Proposal

#: What counts as rejecting nearly as much as the best, as a share of that.
NEARLY: Final = 0.75
#: Clauses that are added at most; a further one has to reject that share of all that is wrong, once no program is left.
ADDED: Final = 4
WORTH: Final = 0.08
#: Candidates that one clause is compared with.
COMPARED: Final = 24

#: Kinds of clauses, the most believable first.
KINDS: Final = (
    "dropped clause", "clause turned round", "word of the file", "sequence", "bound over a sequence", "membership", "position",
    "equality", "entry by entry", "place by place", "bits", "condition", "sum of outputs", "bound", ONE_WAY, PARTIAL,
)  # fmt: skip


@dataclass(slots=True)
class Candidate:
    """A clause, the numbers of what it rejects, at how many visible cases it rejects something, its text once that is known to be
    read as the clause."""

    proposal: Proposal
    rejects: frozenset[int]
    support: int
    text: str = ""

    @property
    def term(self) -> Term:
        return self.proposal.term

    @property
    def rank(self) -> tuple[int, int]:
        return KINDS.index(self.proposal.kind), self.term.size


@dataclass(frozen=True, slots=True)
class Compared:
    """How a clause came out of the comparison with others that reject as much."""

    compared: int
    undecided: int


def choose(
    candidates: Sequence[Candidate], wrong: int, programs: frozenset[int], fits: Callable[[Candidate], bool]
) -> list[Candidate]:
    """A few candidates that together reject as much of what is wrong as pays; number 0 is the witness. `programs` are the numbers
    of wrong programs, `wrong` is how many numbers there are; `fits` says whether a candidate can stand in the contract."""
    chosen: list[Candidate] = []
    left = frozenset(range(wrong))
    while left and len(chosen) < ADDED:
        pool = [c for c in candidates if c.rejects & left and (chosen or 0 in c.rejects)]
        best = _best(pool, left, fits)
        if best is None:
            break
        gain = best.rejects & left
        if chosen and not gain & programs and len(gain) < WORTH * wrong:
            break
        chosen.append(best)
        left -= best.rejects
    for c in sorted(chosen, key=lambda c: len(c.rejects)):
        rest = [x for x in chosen if x is not c]
        if rest and c.rejects <= rejected(rest):
            chosen = rest
    return chosen


def _best(pool: list[Candidate], left: frozenset[int], fits: Callable[[Candidate], bool]) -> Candidate | None:
    """The most believable of the fitting candidates that reject nearly as much of `left` as the best fitting one."""
    by_gain = sorted(pool, key=lambda c: (-len(c.rejects & left), c.rank))
    most = next((c for c in by_gain if fits(c)), None)
    if most is None:
        return None
    enough = NEARLY * len(most.rejects & left)
    near = [c for c in pool if len(c.rejects & left) >= enough]
    return next((c for c in sorted(near, key=lambda c: (c.rank[0], -len(c.rejects & left), c.rank[1])) if fits(c)), most)


def rejected(clauses: Sequence[Candidate]) -> frozenset[int]:
    """What some clauses reject together."""
    return frozenset[int]().union(*(c.rejects for c in clauses))


def weakest(
    candidate: Candidate,
    needed: frozenset[int],
    candidates: Sequence[Candidate],
    given: Sequence[Term],
    variables: Sequence[Term],
    decider: Decider,
    fits: Callable[[Candidate], bool],
) -> tuple[Candidate, Compared]:
    """A candidate that rejects what is `needed` and follows from the given one, and than which none that was compared is strictly
    weaker, or as strong and shorter. `given` are the premises of all comparisons. An equality under a condition on the inputs is
    no weaker form of a clause without one: it only says nothing of other inputs."""
    compared = undecided = 0
    partial = candidate.proposal.kind == PARTIAL
    pool = [c for c in candidates if c is not candidate and needed <= c.rejects and (c.proposal.kind != PARTIAL or partial)]
    for other in sorted(pool, key=lambda c: c.rank)[:COMPARED]:
        compared += 1
        implied = decider.implied([*given, candidate.term], other.term, variables)
        if implied.answer is Answer.UNKNOWN:
            undecided += 1
        if implied.answer is not Answer.PROVED:
            continue
        back = decider.implied([*given, other.term], candidate.term, variables)
        weaker = back.answer is Answer.REFUTED and back.why_not is None
        shorter = back.answer is Answer.PROVED and other.term.size < candidate.term.size
        if (weaker or shorter) and fits(other):
            candidate = other
        elif not weaker and back.answer is not Answer.PROVED:
            undecided += 1
    return candidate, Compared(compared, undecided)
