"""Every edit of the corpus gets the verdict that is written down for it, and the audit finds the holes that are.

A broken edit must never be kept, and a kept one never be called broken. The few that are still undecided are listed with the
reason; one that gets decided must leave the list.
"""

from __future__ import annotations

from functools import cache

import pytest

from corpus.tasks import KEPT_VERDICTS, Edit, Task, load_tasks
from equiv.check import check_sources
from equiv.verdict import CheckReport, Verdict
from experiments.validation.closures import closures, wrong_audit
from translate.source import read_source

UNDECIDED = {
    "common_divisor/zero_is_a_multiple_too": "the premise that was added is a theorem, but not a plain one",
    "cube_less_itself/difference_first": "two theorems about remainders, and neither contains the other as written",
    "cubes_add_up/nothing_is_added": "both functions that the theorem is about are others now",
    "diagonal_sum/result_of_returns": "that the trace fits in a u64 takes an induction over the matrix",
    "equal_steps/first_two": "the first two entries are plain: 0 * d and 1 * d",
    "power_adds/nothing_added": "an instance of the theorem; that it is a weaker statement takes the theorem for all n",
    "ring_buffer/one_after_the_other": "the view of a ring entry by entry, through a remainder",
    "sum_of_odds/at_least_n": "that the new theorem is weaker takes n * n >= n",
    "two_stack_queue/head_and_tail": "a sequence as its head and tail, over a view that reverses",
}

#: Edits that are kept, but for which only one direction is proved: `refines` instead of `equivalent`.
ONE_DIRECTION = {
    "first_at_least/neighbours_sorted": "neighbours in order implies all in order only by induction over the whole sequence",
    "registry/key_by_key": "a map as its domain and values, over a view built by recursion",
}

#: Edits that are `vacuous`, where only `weakened` is shown.
ACCEPTS_LESS = {
    "additive_is_linear/not_zero_at_zero": "that an additive function is 0 at 0 takes an instance that no trigger finds",
}

#: Targets that are not translated in an edit, with the reason (the edit is judged by its others).
UNREAD = {
    ("bars/inherent_extent", "<Bar as Shape>::measure"): "the trait's clauses name a method that the type has of its own, too",
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
    assert found.kept() is (edit.verdict in KEPT_VERDICTS), verdicts
    assert set(edit.targets) <= set(verdicts)
    for target, said in verdicts.items():
        labelled = Verdict(edit.targets.get(target, "equivalent"))
        if (name, target) in UNREAD:
            assert said is Verdict.UNSUPPORTED, "translated now: take it out of UNREAD"
        elif name in ACCEPTS_LESS:
            assert said is Verdict.WEAKENED, "shown to be vacuous now: take it out of ACCEPTS_LESS"
        elif name in ONE_DIRECTION:
            assert said in (labelled, Verdict.REFINES)
        else:
            assert said is labelled, (target, found)


@pytest.mark.parametrize("name", list(edits()))
def test_audit(name: str) -> None:
    task, edit = edits()[name]
    found = closures(task, edit)
    assert not wrong_audit(edit, found)
    assert (edit.verdict in KEPT_VERDICTS and found.answer is True) is edit.kept, found


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
