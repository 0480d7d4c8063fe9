"""The downstream comparison: conditions, which candidate each revises the contract from, and its statistics.

In: rows. Out: the candidate of a condition; scores and contrasts of the conditions. The conditions are those of the study:

- `original`: the weakened contract as it is;
- `intentshield-revised`: revised from the highest-ranked candidate of that policy, certified or not;
- `direct-revised`, `phase-revised`: revised from the highest-ranked certified witness of the policy;
- `solver-revised`: from the witness that solver-backed discovery certified;
- `true-spec`: the full contract, as a reference.

A condition without a candidate, or whose revision was not accepted, leaves the weakened contract as it is: a condition is the
whole way from the search to the implementation, with what goes wrong on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from experiments.report.folder import Row
from experiments.statistics import Estimate, Interval, Signs, cluster_bootstrap, mean_difference, signs
from experiments.witness.rows import ATTEMPTS, EPISODE, REVISION

ORIGINAL, TRUE_SPEC = "original", "true-spec"
#: The policy that a condition's candidate comes from.
REVISED: Final = {
    "intentshield-revised": "intentshield",
    "direct-revised": "direct",
    "phase-revised": "phase",
    "solver-revised": "solver",
}
CONDITIONS: Final = (ORIGINAL, *REVISED, TRUE_SPEC)
#: The one whose candidate need not be certified.
_BEST_AVAILABLE: Final = "intentshield-revised"
#: The comparisons of the study, the first against the second.
PAIRS: Final = (
    ("phase-revised", "intentshield-revised"),
    ("direct-revised", "intentshield-revised"),
    ("phase-revised", "direct-revised"),
    ("phase-revised", ORIGINAL),
    ("solver-revised", ORIGINAL),
    (TRUE_SPEC, "phase-revised"),
    (TRUE_SPEC, "direct-revised"),
    (TRUE_SPEC, "solver-revised"),
)


def witness_for(condition: str, task: str, rows: Sequence[Row]) -> Row | None:
    """The candidate that a condition revises a task's contract from, and its episode; None where there is none."""
    policy = REVISED[condition]
    of_task = [r for r in rows if r["kind"] == EPISODE and r["task"] == task and r["policy"] == policy and r.get("raw")]
    fit = [r for r in of_task if r["raw"]["certified"] or condition == _BEST_AVAILABLE]
    best = max(fit, key=_rank, default=None)  # of equal ones the first: the rows come in the order of the units
    if best is None:
        return None
    raw = best["raw"]
    named = {k: best[k] for k in ("provider", "policy", "label", "frozen")}
    return {"expression": raw["expression"], "call": raw["call"], "certified": raw["certified"], **named}


def _rank(row: Row) -> tuple[bool, bool, bool, bool, int]:
    """The rank of `witness.select`, behind whether it is certified."""
    raw = row["raw"]
    accepted = raw["gates"]["admitted"] == "pass"
    return raw["certified"], raw["problem"] is None, accepted, raw["compiled"], raw["divergences"]


@dataclass(frozen=True, slots=True)
class Condition:
    """All attempts under a condition. `meets` verify under its contract, `succeeds` under the full one (and run, and agree with
    the visible cases); `open` were not decided under the full contract. `revised` of `tasks` have a revised contract."""

    name: str
    tasks: int
    attempts: int
    meets: int
    succeeds: int
    open: int
    unparsed: int
    revised: int
    interval: Interval | None


def conditions_of(rows: Sequence[Row], seed: int) -> list[Condition]:
    """The scores of the conditions that have attempts."""
    found = []
    for name in CONDITIONS:
        chosen = [r for r in rows if r["kind"] == ATTEMPTS and r["condition"] == name and "error" not in r]
        attempts = [a for r in chosen for a in r["attempts"]]
        if not attempts:
            continue
        won = [float(sum(a["succeeds"] for a in r["attempts"])) for r in chosen]
        estimate = cluster_bootstrap(won, [len(r["attempts"]) for r in chosen], seed=seed)
        found.append(
            Condition(
                name,
                len(chosen),
                len(attempts),
                sum(a["meets"] == "pass" for a in attempts),
                sum(a["succeeds"] for a in attempts),
                sum(a["correct"] == "unknown" for a in attempts),
                sum(a["problem"] is not None for a in attempts),
                sum(r["revised"] is True for r in chosen),
                None if estimate is None else estimate.interval,
            )
        )
    return found


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two conditions on the tasks that both have attempts at: the mean over tasks of the difference in shares of successful
    attempts, and the sign test of the differences."""

    first: str
    second: str
    estimate: Estimate | None
    signs: Signs


def comparisons_of(rows: Sequence[Row], seed: int) -> list[Comparison]:
    """The comparisons that the rows allow."""
    shares: dict[str, dict[str, float]] = {}
    for r in rows:
        if r["kind"] == ATTEMPTS and r.get("attempts"):
            share = sum(a["succeeds"] for a in r["attempts"]) / len(r["attempts"])
            shares.setdefault(r["condition"], {})[r["task"]] = share
    found = []
    for first, second in PAIRS:
        one, two = shares.get(first, {}), shares.get(second, {})
        tasks = [t for t in one if t in two]
        if tasks:
            a, b = [one[t] for t in tasks], [two[t] for t in tasks]
            estimate = mean_difference(a, b, seed=seed)
            found.append(Comparison(first, second, estimate, signs([x - y for x, y in zip(a, b, strict=True)])))
    return found


def revisions_of(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """For each condition that revises: of how many tasks there was a candidate, a certified one, an accepted revision, and why
    the others were not accepted."""
    found = []
    for name in REVISED:
        chosen = [r for r in rows if r["kind"] == REVISION and r["condition"] == name and "error" not in r]
        if chosen:
            found.append(
                {
                    "condition": name,
                    "tasks": len(chosen),
                    "candidates": sum(r["witness"] is not None for r in chosen),
                    "certified": sum(r["witness"] is not None and r["witness"]["certified"] for r in chosen),
                    "accepted": sum(r["accepted"] for r in chosen),
                    "implied": sum(r["implied"] is True for r in chosen),
                }
            )
    return found
