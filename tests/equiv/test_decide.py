"""The portfolio: each means, the budget, and the two laws (nothing proved without a proof, nothing refuted without values)."""

# ruff: noqa: E501  (tables of programs, a line each)

from __future__ import annotations

import pytest

from equiv.check import check_sources
from equiv.decide import DEFAULT_BUDGET, Decider, Decision
from equiv.verdict import Answer
from tests.equiv.test_normal import prop
from translate import terms as tm
from translate.source import from_text

X, Y, Z = (tm.var(n, tm.INT) for n in "xyz")


def decide(premise: str, goal: str, budget: int = DEFAULT_BUDGET) -> Decision:
    premises = [] if premise == "true" else [prop(premise)]
    variables = list(dict.fromkeys(v for t in (*premises, prop(goal)) for v in tm.free_variables(t)))
    return Decider(budget).implied(premises, prop(goal), variables)


PROVED = [
    ("x > 0", "x > 0", "same terms"),
    ("x > 0", "true", "same terms"),
    ("x > 0 && p", "p && 0 < x", "normal form"),
    ("false", "x > 0", "normal form"),
    ("x > 3", "x > 2", "z3"),
    ("x > 0 && y > 0", "x * y > 0", "z3"),
    ("forall|k: int| 0 <= k < s.len() - 1 ==> s[k] <= s[k + 1]", "forall|i: int, j: int| 0 <= i < j < s.len() ==> s[i] <= s[j]", "induction"),
]  # fmt: skip

REFUTED = [
    ("x > 2", "x > 3"),
    ("true", "x / 2 * 2 == x"),
    ("true", "s.len() < 11"),
    ("x * x == y", "x < 1000"),
    ("o is Some", "o->0 > 0"),
    ("true", "u < 255"),
    ("s.len() > 0", "s[0] == 0"),
]  # fmt: skip

OPEN = [
    ("x > 2 && y > 0 && z > 0", "x * x * x + y * y * y != z * z * z"),
    ("true", "exists|k: int| k > x && g(k)"),
]  # fmt: skip


@pytest.mark.parametrize(("premise", "goal", "method"), PROVED)
def test_proved_by_its_means(premise: str, goal: str, method: str) -> None:
    decision = decide(premise, goal)
    assert (decision.answer, decision.method) == (Answer.PROVED, method)
    assert decision.values is None
    assert (decision.rlimit > 0) == (method in ("z3", "induction"))


@pytest.mark.parametrize(("premise", "goal"), REFUTED)
def test_refuted_by_values_that_replay(premise: str, goal: str) -> None:
    decision = decide(premise, goal)
    assert decision.answer is Answer.REFUTED
    assert decision.why_not is None
    assert decision.values is not None
    assert Decider().replays([prop(premise)], prop(goal), decision.values) is True


@pytest.mark.parametrize(("premise", "goal"), OPEN)
def test_neither_is_never_kept_nor_refuted_without_values(premise: str, goal: str) -> None:
    decision = decide(premise, goal, 300_000)
    assert decision.answer is not Answer.PROVED
    if decision.answer is Answer.REFUTED:
        assert decision.values is not None or decision.why_not


def test_unspecified_values_are_refuted_with_a_reason() -> None:
    decision = decide("true", "x / 0 == 0")
    assert decision.answer is Answer.REFUTED
    assert decision.why_not


@pytest.mark.parametrize("goal", ["s[7] == s[7] + 0", "x / 0 == (x + 0) / 0", "(x as u8) <= 255", "(300int as u8) == (299 + 1int) as u8"])
def test_unspecified_values_are_values(goal: str) -> None:
    assert decide("true", goal).answer is Answer.PROVED


def test_more_budget_never_turns_an_answer_round() -> None:
    for premise, goal in [(p, g) for p, g, _ in PROVED] + REFUTED:
        answers = {decide(premise, goal, b).answer for b in (20_000, 300_000, DEFAULT_BUDGET)}
        assert not {Answer.PROVED, Answer.REFUTED} <= answers


def test_a_small_budget_ends_undecided() -> None:
    premise, goal = "x > 2 && y > 0 && z > 0", "x * x * x + y * y * y != z * z * z"
    decision = decide(premise, goal, 5_000)
    assert decision.answer is Answer.UNKNOWN
    assert decision.tried


def test_the_same_question_has_the_same_answer() -> None:
    for premise, goal in REFUTED:
        a, b = decide(premise, goal), decide(premise, goal)
        assert (a.answer, a.method, a.values, a.rlimit) == (b.answer, b.method, b.values, b.rlimit)


def test_a_distrusted_function_proves_nothing() -> None:
    hole = "bad"
    body = tm.not_(tm.mk("rec", (tm.bound(0, tm.INT),), tm.BOOL, hole))
    bad = tm.recursive_group([tm.RecursiveDef(hole, (tm.INT,), tm.BOOL, body, None, (), False, "bad")])[hole]
    decider = Decider(300_000)
    decider.distrusted.add(bad)
    call = tm.app(bad, (X,))
    assert decider.implied([], tm.FALSE, [X]).answer is not Answer.PROVED
    assert decider.implied([tm.or_([call, tm.not_(call)])], tm.eq(X, tm.ZERO), [X]).answer is not Answer.PROVED
    wrapped = tm.defined("wrapped", (tm.INT,), tm.app(bad, (tm.bound(0, tm.INT),)))
    assert decider.implied([tm.app(wrapped, (X,))], tm.eq(X, tm.ZERO), [X]).answer is not Answer.PROVED


def test_contradictory_needs_a_proof() -> None:
    decider = Decider(300_000)
    assert decider.contradictory([prop("x > 3 && x < 4")], [X])
    assert not decider.contradictory([prop("x > 3 && x < 5")], [X])
    assert not decider.contradictory([prop("x / 0 == 1")], [X])


def test_find_gives_values_that_hold() -> None:
    found = Decider().find([prop("x > 3"), prop("x % 7 == 2")], [X])
    assert found is not None
    assert found[X] > 3
    assert found[X] % 7 == 2


def test_a_certificate_says_what_a_solver_answers() -> None:
    decider = Decider(want_smt2=True)
    proved = decider.implied([prop("x > 3")], prop("x > 2"), [X], "title")
    refuted = decider.implied([prop("x > 2")], prop("x > 3"), [X], "title")
    assert (proved.expected, refuted.expected) == ("unsat", "sat")
    assert proved.smt2 is not None
    assert "title" in proved.smt2
    assert "(check-sat)" in proved.smt2


EMPTY = "pub enum Void {{}} fn f<T>(x: u64, t: Ghost<Seq<T>>{0}) -> (r: u64) {1} ensures r == x {{ x }}"


@pytest.mark.parametrize("sort", ["Void", "T", "(u8, T)", "[Void; 2]"])
def test_a_type_may_have_no_values(sort: str) -> None:
    """`exists|v: T| true` is false for a type without values, so it is a requirement that the original did not have."""
    wrap = "use vstd::prelude::*; verus! {{ {} }} fn main() {{}}".format
    old = from_text("a.rs", wrap(EMPTY.format("", "")))
    new = from_text("b.rs", wrap(EMPTY.format("", f"requires exists|v: {sort}| true,")))
    assert check_sources(old, new).kept() is not True


def test_a_value_at_hand_shows_that_a_type_has_one() -> None:
    wrap = "use vstd::prelude::*; verus! {{ {} }} fn main() {{}}".format
    old = from_text("a.rs", wrap(EMPTY.format(", u: T", "")))
    new = from_text("b.rs", wrap(EMPTY.format(", u: T", "requires exists|v: T| v == u,")))
    assert check_sources(old, new).kept() is True
