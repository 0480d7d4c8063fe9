"""The words in which the referee reports: what became of an attempt, and of its withheld tests.

In: nothing. Out: the classes of docs/referee.md. Acceptance and correctness are two columns that are never mixed.
"""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """What became of an attempt. Only PASS and FAIL (and SCREEN) speak about the submission."""

    PASS = "PASS"  # the referee accepted: screened, then verified by Verus
    FAIL = "FAIL"  # Verus rejected it
    SCREEN = "SCREEN"  # rejected before Verus saw it
    HALT = "HALT"  # a budget stop; the class it would have had is a diagnostic
    INEXPRESSIBLE = "INEXPRESSIBLE"  # the task cannot be stated for this arm: so the task itself says, frozen
    UNREACHED = "UNREACHED"  # nobody judged it: no Verus, or the campaign's cap came first
    ERROR = "ERROR"  # the referee's own trouble: says nothing about the submission

    @property
    def scored(self) -> bool:
        """Whether it belongs in the denominator of acceptance."""
        return self in (Outcome.PASS, Outcome.FAIL, Outcome.SCREEN)


class Correctness(StrEnum):
    """What the withheld tests said about the executable code; its own column."""

    PASSED = "passed"
    FAILED = "failed"
    UNSCORABLE = "unscorable"  # it could not be compiled or run: no statement
    NOT_RUN = "not run"  # nothing to run (a lemma, no cases, or the submission was not admitted)


#: What an agent may be told after a failure: these classes get another correction.
CORRECTABLE = frozenset({Outcome.FAIL, Outcome.SCREEN})
