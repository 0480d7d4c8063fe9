"""Every edit of the corpus gets the verdict that is written down for it.

A broken edit must never be kept, and a kept one never be called broken. The few that are still undecided are listed with the
reason; one that gets decided must leave the list.
"""

from __future__ import annotations

from functools import cache

import pytest

from corpus.tasks import Edit, Task, load_tasks
from equiv.check import check_sources
from equiv.verdict import CheckReport, Verdict
from translate.source import read_source

UNDECIDED = {
    "add_up/low_word_of_the_total": "an unspecified cast of a sum that takes a sequence with huge elements to show",
    "power_adds/nothing_added": "an instance of the theorem; that it is a weaker statement takes the theorem for all n",
    "sum_of_odds/at_least_n": "that the new theorem is weaker takes n * n >= n",
}

#: Edits that are kept, but for which only one direction is proved: `refines` instead of `equivalent`.
ONE_DIRECTION = {
    "first_at_least/neighbours_sorted": "neighbours in order implies all in order only by induction over the whole sequence",
}


@cache
def edits() -> dict[str, tuple[Task, Edit]]:
    return {f"{t.name}/{e.name}": (t, e) for t in load_tasks() for e in t.edits}


def report(name: str) -> CheckReport:
    task, edit = edits()[name]
    return check_sources(read_source(task.path), read_source(edit.path))


@pytest.mark.parametrize("name", [n for n in edits() if n not in UNDECIDED])
def test_verdict(name: str) -> None:
    _, edit = edits()[name]
    found = report(name)
    verdicts = {t.target.split("::", 1)[-1]: t.verdict for t in found.targets}
    assert found.kept() is edit.kept, verdicts
    for target, verdict in edit.targets.items():
        if name in ONE_DIRECTION:
            assert verdicts[target] in (Verdict(verdict), Verdict.REFINES)
        else:
            assert verdicts[target] == verdict, found


@pytest.mark.parametrize("name", list(UNDECIDED))
def test_still_undecided(name: str) -> None:
    found = report(name)
    assert found.kept() is None, "decided now: take it out of UNDECIDED"
    assert all(r.message for t in found.targets if t.verdict is Verdict.UNDECIDED for r in t.reasons)


def test_a_verdict_does_not_depend_on_what_was_checked_before() -> None:
    alone = report("has_cell/small_grids")
    report("has_cell/no_columns")
    report("power_adds/power_is_one")
    assert report("has_cell/small_grids") == alone


def test_at_most_one_in_twenty_is_undecided() -> None:
    assert len(UNDECIDED) <= len(edits()) * 0.05


def test_every_weakened_has_values_or_says_why_not() -> None:
    for name in ("sort/compared_with_itself", "door/any_code_opens", "odd_square/modulo_four"):
        for target in report(name).targets:
            if target.verdict is Verdict.WEAKENED:
                examples = [r.counterexample for r in target.reasons if r.counterexample is not None]
                assert examples, name
                assert all(c.bindings and (c.replayed or c.replay) for c in examples)
