"""What `samespec witness find` says: the records of its report.

In: nothing. Out: frozen records that the front door renders. Values are in Rust syntax. A binding is (name, value); inputs stand
in the order of the parameters, outputs with the `&mut` parameters first and the result last.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from equiv.verdict import ClauseRef, Place

Bindings: TypeAlias = "tuple[tuple[str, str], ...]"


class Pinned(StrEnum):
    """The answer for a function, or for one of its outputs."""

    DETERMINED = "determined"  # proved: one input, one output
    TWO_OUTPUTS = "two-outputs"  # an input with two outputs, replayed
    CONTRADICTORY = "contradictory"  # proved: no input is accepted, or no output satisfies the contract
    DECLARED = "declared-free"  # every output that satisfies the contract was declared to be fine
    UNDECIDED = "undecided"
    UNSUPPORTED = "unsupported"


class Weight(StrEnum):
    """What one clause does in its contract."""

    CARRIES = "carries-weight"  # values that satisfy all other clauses and not this one, replayed
    REDUNDANT = "redundant"  # proved: it follows from the other clauses
    UNDECIDED = "undecided"


class Fit(StrEnum):
    """How a contract takes a case."""

    FITS = "fits"  # the expected output satisfies the contract, and no other does
    LOOSE = "another-output"  # the expected output satisfies it, and so does another one
    REFUSED = "input-refused"  # the input does not satisfy the preconditions
    FORBIDDEN = "output-forbidden"  # the expected output does not satisfy the postconditions
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class TwoOutputs:
    """An input and two outputs for it. `replay` says how it was confirmed, or why it could not be; it counts only where
    `replayed`."""

    inputs: Bindings
    first: Bindings
    second: Bindings
    replayed: bool
    replay: str


@dataclass(frozen=True, slots=True)
class OutputAnswer:
    """One output: `relation` is what was declared of it ("same": nothing). `method` says what decided it; for an undecided one
    what was tried, and `found` is a model that nobody could replay."""

    name: str
    type: str
    relation: str
    answer: Pinned
    method: str
    found: TwoOutputs | None = None


@dataclass(frozen=True, slots=True)
class ClauseAnswer:
    """One clause. `example` are, for one that carries weight, values that it alone forbids; for one that is redundant `method`
    says what proved it."""

    clause: ClauseRef
    weight: Weight
    method: str
    example: Bindings = ()


@dataclass(frozen=True, slots=True)
class CaseAnswer:
    """One case of `--cases`. `clauses` are those that refuse its input or forbid its output; `other` another output that the
    contract admits at its input."""

    number: int
    inputs: Bindings
    expected: Bindings
    fit: Fit
    why: str
    clauses: tuple[ClauseRef, ...] = ()
    other: Bindings = ()


@dataclass(frozen=True, slots=True)
class FindReport:
    """The answer for one function. `removable` are redundant clauses that can go together. `why` is one sentence where the answer
    is neither `determined` nor `two-outputs`."""

    target: str
    place: Place | None
    answer: Pinned
    why: str = ""
    two: TwoOutputs | None = None
    outputs: tuple[OutputAnswer, ...] = ()
    clauses: tuple[ClauseAnswer, ...] = ()
    removable: tuple[ClauseRef, ...] = ()
    cases: tuple[CaseAnswer, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def status(self) -> int:
        """The exit status: 0 determined (or declared free), 1 a flaw is shown, 3 nobody knows."""
        flawed = self.answer in (Pinned.TWO_OUTPUTS, Pinned.CONTRADICTORY)
        if flawed or any(c.fit in (Fit.LOOSE, Fit.REFUSED, Fit.FORBIDDEN) for c in self.cases):
            return 1
        sure = self.answer in (Pinned.DETERMINED, Pinned.DECLARED)
        return 0 if sure and all(c.fit is Fit.FITS for c in self.cases) else 3
