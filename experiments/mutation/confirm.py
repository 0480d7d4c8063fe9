"""Whether a mutant is what its label says: the checker is asked.

In: the original and a mutant. Out: a `Confirmation`. A candidate is confirmed where its contract is not kept and the reason was
replayed by the evaluator, or is of a kind that needs no values (the target is gone, its interface is another, nothing can call
it); discarded where it is proved to be kept; else unconfirmed. A kept mutant is confirmed where it is proved to be kept, and
contradicted where it is not kept: then the rule or the checker has an error.
"""

from __future__ import annotations

from dataclasses import dataclass

from equiv.check import check_sources
from equiv.decide import DEFAULT_BUDGET
from equiv.verdict import CheckReport, Verdict
from experiments.mutation.model import KEPT, Mutant
from translate.source import SourceText, from_text

CONFIRMED, DISCARDED, UNCONFIRMED, CONTRADICTED = "confirmed", "discarded", "unconfirmed", "contradicted"
_WORST = (
    Verdict.MISSING,
    Verdict.INTERFACE_CHANGED,
    Verdict.VACUOUS,
    Verdict.WEAKENED,
    Verdict.UNSUPPORTED,
    Verdict.UNDECIDED,
    Verdict.REFINES,
    Verdict.EQUIVALENT,
)


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What the checker said of a mutant: the worst verdict of its targets, whether a counterexample was replayed, and what
    follows for the label."""

    status: str
    verdict: Verdict
    replayed: bool
    message: str


def worst(report: CheckReport) -> Verdict:
    """The worst verdict of a report (undecided where there are no targets)."""
    found = {t.verdict for t in report.targets}
    return next((v for v in _WORST if v in found), Verdict.UNDECIDED)


def confirm(original: SourceText, mutant: Mutant, *, budget: int = DEFAULT_BUDGET) -> Confirmation:
    """Asks the checker about a mutant: all targets of the original, since a definition may serve several."""
    report = check_sources(original, from_text("mutant.rs", mutant.text), budget=budget)
    return judged(report, mutant.label)


def judged(report: CheckReport, label: str) -> Confirmation:
    """What a report says about a mutant of this label."""
    verdict = worst(report)
    reasons = [r for t in report.targets if t.verdict is verdict for r in t.reasons]
    replayed = any(r.counterexample is not None and r.counterexample.replayed for r in reasons)
    message = reasons[0].message if reasons else ""
    kept = verdict.kept()
    if kept is None or (label != KEPT and verdict is Verdict.WEAKENED and not replayed):
        status = UNCONFIRMED
    elif label == KEPT:
        status = CONFIRMED if kept else CONTRADICTED
    else:
        status = DISCARDED if kept else CONFIRMED
    return Confirmation(status, verdict, replayed, message)
