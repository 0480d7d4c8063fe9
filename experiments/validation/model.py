"""What the validation records: by which means each label was confirmed, and what contradicts one.

In: nothing. Out: frozen records that are rendered as text and as JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

#: The share of the edits that may be confirmed by no means, so that only the person who wrote the label vouches for it.
ALLOWANCE = 0.02


class Means(StrEnum):
    """By what a label is confirmed."""

    LOGICAL = "logical"
    Z3 = "z3"
    CVC5 = "cvc5"
    REPLAY = "replay"
    VALUE = "value"
    EXHAUSTIVE = "exhaustive"
    BOUNDED = "bounded"
    STRUCTURE = "structure"
    AUDIT = "audit"
    VERUS = "verus"


#: What each means says, for people.
MEANS = {
    Means.LOGICAL: "samespec's verdict, without a solver: the same terms or normal forms, other types, a function that is gone",
    Means.Z3: "samespec's verdict, with Z3",
    Means.CVC5: "cvc5 gives Z3's answer to every question that the verdict rests on",
    Means.REPLAY: "the solver's values for a broken contract, replayed by the evaluator",
    Means.VALUE: "values that separate the contracts, found by evaluation without a solver",
    Means.EXHAUSTIVE: "evaluation on every value that there is",
    Means.BOUNDED: "evaluation on the values of a bounded domain: evidence, no confirmation",
    Means.STRUCTURE: "the syntax trees alone show that it is gone, has another interface, or is plainly the same",
    Means.AUDIT: "the audit finds the hole that the label names",
    Means.VERUS: "Verus accepts the file, and its answers to the questions are the solver's",
}
#: Those that rest on samespec's own verdict and nothing else.
ALONE = frozenset((Means.LOGICAL, Means.Z3))
#: Those that confirm; `bounded` is evidence.
CONFIRMING = frozenset(Means) - {Means.BOUNDED}


@dataclass(frozen=True, slots=True)
class Judged:
    """One function with a contract, in one edit: what the label says, what samespec says, and by which means the label holds.

    `compared` tells what evaluation went through, `open` why samespec did not decide, or only in part.
    """

    target: str
    label: str
    verdict: str
    means: tuple[Means, ...]
    evidence: tuple[str, ...] = ()
    compared: str = ""
    open: str = ""

    @property
    def confirmed(self) -> bool:
        return any(m in CONFIRMING for m in self.means)


@dataclass(frozen=True, slots=True)
class Execution:
    """The file's executable code on the task's cases: how many were run, how many failed, and how the first one did. `why` tells
    why none was run; `skipped` that it lies at the machine, which has no compiler."""

    cases: int = 0
    failed: int = 0
    first: str = ""
    why: str = ""
    skipped: bool = False


@dataclass(frozen=True, slots=True)
class EditCheck:
    """One edit. `errors` contradict its label, or make it impossible to check."""

    name: str
    kind: str
    verdict: str
    kept: bool
    audit: str
    hatch: str | None
    targets: tuple[Judged, ...]
    audit_found: str
    audit_confirmed: bool
    execution: Execution
    verus: str = ""
    errors: tuple[str, ...] = ()

    @property
    def means(self) -> tuple[Means, ...]:
        """By what the main claim is confirmed: the verdict of the edit at the functions that have it, and a hole by the audit."""
        found = {m for t in self.targets if t.label == self.verdict for m in t.means}
        if self.audit != "clean" and self.audit_confirmed:
            found.add(Means.AUDIT)
        return tuple(m for m in Means if m in found)

    @property
    def unconfirmed(self) -> tuple[str, ...]:
        """The functions whose label no means confirms."""
        return tuple(t.target for t in self.targets if not t.confirmed)

    @property
    def confirmed(self) -> bool:
        return not self.unconfirmed and not self.errors and (self.audit == "clean" or self.audit_confirmed)


@dataclass(frozen=True, slots=True)
class OriginalCheck:
    """One original. `proof` tells what is known about the proof of a lemma that the original leaves without one."""

    name: str
    field: str
    targets: tuple[str, ...]
    execution: Execution
    proof: str = ""
    verus: str = ""
    notes: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Validation:
    """The whole run. `tools` names the programs that took part, or says which were not there."""

    root: str
    originals: tuple[OriginalCheck, ...]
    edits: tuple[EditCheck, ...]
    tools: Mapping[str, str]

    @property
    def errors(self) -> list[str]:
        found = [f"{o.name}: {e}" for o in self.originals for e in o.errors]
        return found + [f"{c.name}: {e}" for c in self.edits for e in c.errors]

    @property
    def unconfirmed(self) -> list[EditCheck]:
        return [e for e in self.edits if not e.confirmed and not e.errors]

    @property
    def allowed(self) -> int:
        """How many edits may be without confirmation."""
        return int(len(self.edits) * ALLOWANCE)

    @property
    def passed(self) -> bool | None:
        """False: something contradicts a label; None: more than the allowance is confirmed by nothing; else True."""
        if self.errors:
            return False
        return True if len(self.unconfirmed) <= self.allowed else None
