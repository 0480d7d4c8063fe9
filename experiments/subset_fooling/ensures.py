"""The third sense: some of the postconditions are checked, and the others are not.

In: an original and one of its functions. Out: for every set of its postconditions, up to a size, whether the rest of the contract
admits behaviour that the original forbids. Where it does, values show it: they satisfy the preconditions and the rest, and break
a postcondition that was left out. Where the rest implies what was left out, nothing is lost, and that is proved.

What one set admits, every larger one admits too, by the same values: those sets need no question.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

from equiv.check import check_sources, read_crate
from equiv.targets import targets_of
from equiv.verdict import TargetReport, Verdict
from experiments.report.folder import Row
from experiments.subset_fooling.parts import Postconditions
from translate.room import deep_stack
from translate.source import SourceText, from_text

SENSE = "ensures"
ADMITS, IMPLIED, OPEN = "admits wrong behaviour", "implied by the rest", "undecided"
#: Of one postcondition by itself.
CARRIES, REDUNDANT = "load-bearing", "redundant"
WORD = {ADMITS: CARRIES, IMPLIED: REDUNDANT, OPEN: OPEN}
#: Sets of more postconditions than this are not asked about, by default.
LARGEST = 3


@dataclass(frozen=True, slots=True)
class Subset:
    """A set of postconditions left out. `by` is the smaller set whose values show it, where this one was not asked about."""

    dropped: tuple[int, ...]
    answer: str
    by: tuple[int, ...] | None
    why: str
    values: tuple[str, ...] | None
    replayed: bool | None

    def as_row(self) -> dict[str, Any]:
        return {
            "dropped": list(self.dropped),
            "answer": self.answer,
            "by": None if self.by is None else list(self.by),
            "why": self.why,
            "values": None if self.values is None else list(self.values),
            "replayed": self.replayed,
        }


def functions_of(source: SourceText) -> list[str]:
    """The paths of the functions with a contract."""
    with deep_stack():
        return list(dict.fromkeys(r.path for r in targets_of(read_crate(source), None)))


def ensures_row(source: SourceText, target: str, *, largest: int, budget: int) -> Row | None:
    """The row of one function; None where it has no postconditions of its own. Raises `UnknownTarget`."""
    found = Postconditions(source, target)
    if not found.parts:
        return None
    subsets = study(found, source.path, target, largest=largest, budget=budget)
    alone = {s.dropped[0]: s for s in subsets if len(s.dropped) == 1}
    parts = []
    for part in found.parts:
        s = alone[part.number]
        parts.append(
            {
                "number": part.number,
                "kind": part.kind,
                "text": part.text,
                "answer": WORD[s.answer],
                "why": s.why,
                "values": None if s.values is None else list(s.values),
                "replayed": s.replayed,
            }
        )
    fn = found.target.item
    lemma = getattr(fn, "mode", "") == "proof" and getattr(fn, "ret_type", None) is None
    return {"target": target, "lemma": lemma, "parts": parts, "subsets": [s.as_row() for s in subsets]}


def study(found: Postconditions, path: str, target: str, *, largest: int, budget: int) -> list[Subset]:
    """Every set of at most `largest` postconditions, the smaller ones first."""
    whole = from_text(path, found.without(()))
    numbers = [p.number for p in found.parts]
    admitted: list[Subset] = []
    subsets: list[Subset] = []
    for size in range(1, min(largest, len(numbers)) + 1):
        for dropped in itertools.combinations(numbers, size):
            smaller = next((s for s in admitted if set(s.dropped) < set(dropped)), None)
            if smaller is not None:
                subset = Subset(dropped, ADMITS, smaller.dropped, smaller.why, smaller.values, smaller.replayed)
            else:
                less = from_text(path, found.without(dropped))
                report = check_sources(whole, less, targets=[target], budget=budget).targets[0]
                subset = _read(dropped, report)
                if subset.answer == ADMITS:
                    admitted.append(subset)
            subsets.append(subset)
    return subsets


def _read(dropped: tuple[int, ...], report: TargetReport) -> Subset:
    """What the logical test's report on the shorter contract says."""
    kept = report.verdict.kept()
    if kept:
        method = next((o.method for o in report.obligations if o.method != "same terms"), "same terms")
        return Subset(dropped, IMPLIED, None, f"proved ({method})", None, None)
    reason = report.reasons[0] if report.reasons else None
    why = "" if reason is None else reason.message
    if kept is False and report.verdict is Verdict.WEAKENED:
        example = next((r.counterexample for r in report.reasons if r.counterexample is not None), None)
        if example is None:
            return Subset(dropped, ADMITS, None, why, None, None)
        values = tuple(f"{name} = {value}" for name, value in example.bindings)
        return Subset(dropped, ADMITS, None, why if example.replayed else f"{why}; {example.replay}", values, example.replayed)
    return Subset(dropped, OPEN, None, f"{report.verdict}: {why}", None, None)
