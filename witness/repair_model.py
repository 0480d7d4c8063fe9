"""What a repair is: the records.

In: nothing. Out: frozen records, plain data. Values are in Rust syntax; a binding is (name, value).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

Bindings: TypeAlias = "tuple[tuple[str, str], ...]"


class Keeps(StrEnum):
    """What is known about the correct implementation under a new clause."""

    PROVED = "proved"  # the clause follows from the original contract
    CASES = "cases"  # the official cases satisfy it; nothing else is known


@dataclass(frozen=True, slots=True)
class Rejection:
    """A wrong program, and a visible case at which its output breaks a new clause: the clause's number from 0 (None: no new
    clause rejects it), inputs and output. `origin` is "witness", "certified", "example" or "like"."""

    origin: str
    expression: str
    clause: int | None
    inputs: Bindings = ()
    outputs: Bindings = ()


@dataclass(frozen=True, slots=True)
class Needed:
    """Values that satisfy the weakened contract and the other new clauses, and that a clause forbids. `replayed`: the evaluator
    confirms all of it; else only that the clause forbids them and that no other forbids them for certain (they hang on a value
    that Verus leaves unspecified)."""

    values: Bindings
    replayed: bool


@dataclass(frozen=True, slots=True)
class NewClause:
    """An added clause. `kind` is the template it comes from, or "dropped clause". At `support` visible cases it rejects something
    that the weakened contract admits. `compared` candidates that reject as much were compared with it by the solver, and
    `undecided` of these comparisons were left open; none of the rest is strictly weaker."""

    text: str
    kind: str
    keeps: Keeps
    needed: Needed
    support: int
    compared: int
    undecided: int


@dataclass(frozen=True, slots=True)
class Repair:
    """What came out. Where `why_not` is not "", there is no repair and it says why; `text` and `signature` are "" then.

    `text` is the whole file with the repaired contract, `signature` the function's part of it. `programs` are the wrong programs
    that count; of `wrong_outputs` outputs that the weakened contract admits at visible cases besides the official one, the
    repaired contract rejects `outputs_rejected`. `cases` official cases satisfy the new clauses; `candidates` clauses were
    weighed.
    `full_strength`: whether the repaired contract promises all that the original does (None: not decided, or the original is not
    known). `witness_fails` says at which input the witness no longer verifies.
    """

    task: str
    function: str
    witness: str
    original_known: bool
    why_not: str = ""
    text: str = ""
    signature: str = ""
    clauses: tuple[NewClause, ...] = ()
    programs: tuple[Rejection, ...] = ()
    wrong_outputs: int = 0
    outputs_rejected: int = 0
    cases: int = 0
    candidates: int = 0
    full_strength: bool | None = None
    witness_fails: str = ""
    notes: tuple[str, ...] = ()

    @property
    def repaired(self) -> bool:
        return not self.why_not
