"""A second solver: agreement is noted, and a contradiction believes neither."""

from __future__ import annotations

import builtins

import pytest

from corpus.tasks import load_tasks
from equiv.check import check_sources
from equiv.decide import Decision
from equiv.second_opinion import NotInstalled, SecondSolver, cvc5_solver, second_opinion
from equiv.verdict import Answer, CheckReport, Verdict
from translate.source import from_text, read_source

TEXT = "use vstd::prelude::*; verus! {{ fn f(x: u8) -> (r: u8) requires {} ensures {} {{ 0 }} }}"


def check(original: tuple[str, str], submitted: tuple[str, str], second: SecondSolver) -> CheckReport:
    return check_sources(
        from_text("original.rs", TEXT.format(*original)), from_text("submitted.rs", TEXT.format(*submitted)), second=second
    )


def always(word: str) -> SecondSolver:
    return SecondSolver("a parrot", lambda script, budget: word)


LIAR = SecondSolver(
    "a liar", lambda script, budget: {"unsat": "sat", "sat": "unsat"}.get(cvc5_solver().answer(script, budget), "unknown")
)
SAME = ("x < 100", "r > x"), ("x <= 99", "x + 1 <= r")
WEAKER = ("x < 100", "r > x"), ("x < 100", "r >= x")
VACUOUS = ("x < 100", "r > x"), ("x < 100, x > 200", "r > x")


def test_cvc5_answers_a_script() -> None:
    answer = cvc5_solver().answer
    script = "(set-logic ALL)(declare-const x Int)(assert (> x 0)){}(check-sat)"
    assert answer(script.format(""), 10_000) == "sat"
    assert answer(script.format("(assert (< x 0))"), 10_000) == "unsat"
    assert answer("(assert (> y 0))", 10_000).startswith("error: ")
    assert answer("", 10_000) == "error: no (check-sat)"


def test_cvc5_stops_at_its_budget_and_always_at_the_same_place() -> None:
    hard = (
        "(set-logic ALL)(declare-const x Int)(declare-const y Int)(declare-const z Int)"
        "(assert (= (+ (* x x x) (* y y y) (* z z z)) 42))(check-sat)"
    )
    assert [cvc5_solver().answer(hard, 100_000) for _ in range(2)] == ["unknown", "unknown"]


@pytest.mark.parametrize("pair", [SAME, WEAKER, VACUOUS])
def test_agreement_is_noted_and_changes_nothing(pair: tuple[tuple[str, str], tuple[str, str]]) -> None:
    alone = check_sources(*(from_text(f"{n}.rs", TEXT.format(*c)) for n, c in zip(("original", "submitted"), pair, strict=True)))
    target = check(*pair, cvc5_solver()).targets[0]
    assert target.verdict == alone.targets[0].verdict
    assert {o.cross_check for o in target.obligations} == {"agrees"}
    assert {o.cross_check for o in alone.targets[0].obligations} == {None}


@pytest.mark.parametrize("pair", [SAME, WEAKER, VACUOUS])
def test_a_contradiction_is_loud(pair: tuple[tuple[str, str], tuple[str, str]]) -> None:
    target = check(*pair, LIAR).targets[0]
    assert target.verdict is Verdict.UNDECIDED
    assert target.reasons
    assert {r.code for r in target.reasons} == {"disagreement"}
    contradicted = [o for o in target.obligations if o.cross_check == "disagrees"]
    assert contradicted
    for o in contradicted:
        assert o.answer is Answer.UNKNOWN
        assert o.method.startswith("disagreement: ")
        assert "a liar: " in o.method
        assert "sat)" in o.method


def test_a_solver_without_an_answer_changes_nothing() -> None:
    for word in ("unknown", "error: out of memory"):
        target = check(*SAME, always(word)).targets[0]
        assert target.verdict is Verdict.EQUIVALENT
        assert {o.cross_check for o in target.obligations} == {"unsure"}


def decision(answer: Answer, method: str, smt2: str | None = "(check-sat)", expected: str | None = None) -> Decision:
    return Decision(
        answer, method, smt2=smt2, expected=expected or {"proved": "unsat", "refuted": "sat"}.get(str(answer), "unknown")
    )


@pytest.mark.parametrize(
    ("made", "said", "exact", "opinion"),
    [
        (decision(Answer.PROVED, "z3"), "unsat", False, "agrees"),
        (decision(Answer.PROVED, "z3"), "sat", False, "disagrees"),
        (decision(Answer.PROVED, "induction"), "sat", False, "disagrees"),
        # Z3 was not asked this script, and the script may say too little:
        (decision(Answer.PROVED, "normal form"), "sat", False, "unsure"),
        (decision(Answer.PROVED, "normal form"), "sat", True, "disagrees"),
        (decision(Answer.REFUTED, "search"), "sat", False, "agrees"),
        (decision(Answer.REFUTED, "search"), "unsat", False, "disagrees"),
        (decision(Answer.UNKNOWN, "z3"), "unsat", True, "unsure"),
        (decision(Answer.PROVED, "same terms", smt2=None), "sat", True, "unsure"),
        (decision(Answer.REFUTED, "statement", expected="unsat"), "unsat", True, "unsure"),
    ],
)
def test_what_counts_as_a_contradiction(made: Decision, said: str, exact: bool, opinion: str) -> None:
    before = made.answer
    assert second_opinion(made, always(said), 1, exact=exact) == opinion
    assert made.answer is (Answer.UNKNOWN if opinion == "disagrees" else before)


def test_without_cvc5_there_is_a_clear_message(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *rest: object, **more: object) -> object:
        if name == "cvc5":
            raise ImportError(name)
        return real(name, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(NotInstalled, match="pip install"):
        cvc5_solver()


def test_no_disagreement_on_the_corpus() -> None:
    """A share of it: all of it takes two minutes. What cvc5 leaves open are mostly lemmas by induction."""
    edits = sorted(((t, e) for t in load_tasks() for e in t.edits), key=lambda te: (te[0].name, te[1].name))
    opinions = []
    for task, edit in edits[3::20]:
        report = check_sources(read_source(task.path), read_source(edit.path), budget=500_000, second=cvc5_solver())
        opinions += [o.cross_check for t in report.targets for o in t.obligations]
    assert "disagrees" not in opinions
    assert opinions.count("agrees") > 0.75 * len(opinions) > 20


def test_the_budget_is_the_one_that_is_given() -> None:
    """A script states Z3's budget, in other units: it must not take the place of the second solver's."""
    products = "(declare-fun a () Int) (declare-fun d () Int) (declare-fun w () Int) (assert (= a (* d w)))"
    hard = f"{products}\n(assert (not (exists ((x Int)) (= a (* d x)))))\n(check-sat)\n"
    solver = cvc5_solver()
    stated = "(set-option :rlimit 2000000000)\n(set-logic ALL)\n" + hard
    assert solver.answer(stated, 50_000) == solver.answer("(set-logic ALL)\n" + hard, 50_000) == "unknown"
