"""What each call is told: no more than its policy says, and in prompts of the same length where they are to be compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from tests.witness.campaign_made import LARGER, made_tasks
from witness.contract import WitnessError, open_function, working
from witness.model import Candidate, Case, Gate, GateResult, Judgement, Outcome, Task
from witness.policies import answers, calls, prompts
from witness.policies.block import HIDDEN, hidden, rows_of
from witness.policies.calls import Draw, Policy
from witness.policies.feedback import told
from witness.policies.providers.base import Reply
from witness.policies.view import View, shown_contract, view_of
from witness.sources import corpus_sources
from witness.store import read_case
from witness.tasks import NoTask
from witness.weaken import weakenings


@cache
def many() -> tuple[Task, ...]:
    """A task for every function of the corpus that needs no compiler for it: its first weakening, with the given cases."""
    return tuple(_corpus_tasks())


def _corpus_tasks() -> Iterator[Task]:
    for source in corpus_sources():
        if isinstance(source, NoTask):
            continue
        with working():
            opened = open_function(source.path, source.full, source.function)
            weakening = next(weakenings(opened), None)
            if weakening is None:
                continue
            try:
                cases = [read_case(opened, {**data, "origin": "given"}, "case") for data in source.given]
            except WitnessError:
                continue  # a case that leaves a final value out
            yield Task(
                name=source.name,
                description=source.description,
                source=source.path,
                function=opened.ref.path.removeprefix("crate::"),
                full=source.full,
                weakened=weakening.text,
                implementation=source.implementation,
                omission=weakening.omission,
                parameters=opened.parameters(),
                result_type=opened.result_type,
                result_sort=opened.result_sort,
                visible=tuple(_padded(cases)),
                withheld=(),
                examples=("0", "1"),
            )


def _padded(cases: list[Case]) -> list[Case]:
    """Sixteen cases, as a task has them where that many can be made."""
    return [cases[n % len(cases)] for n in range(16)]


def judgement(words: str, outcome: Outcome = Outcome.FAIL, *, problem: str | None = None, compiled: bool = True) -> Judgement:
    """What gates might say, in so many words."""
    evidence = {"compiled": compiled, "message": words}
    runs = GateResult(Gate.RUNS, Outcome.PASS if compiled else Outcome.FAIL, "rustc", words, evidence)
    gates = (
        GateResult(Gate.ADMITTED, outcome, "embedded", words),
        GateResult(Gate.REJECTED, outcome, "embedded", words),
        runs,
        GateResult(Gate.DISAGREES, outcome, "cases", words),
    )
    return Judgement(Candidate("0", "nothing that parses", problem=problem or "1:1: no"), gates)


def ask(texts: list[str], seen: list[str]) -> calls.Ask:
    def answer(call: int, prompt: str) -> Reply:
        seen.append(prompt)
        return Reply(texts[call - 1])

    return answer


# --- lengths -------------------------------------------------------------------------------------------------------------


def test_masked_prompts_are_as_long_as_told_ones_whatever_happened() -> None:
    assert len(many()) >= 40
    widest = 0.0
    for task in many():
        view = view_of(task)
        masked = prompts.revision(view, 17, "a + 1", hidden(view.rows))
        for said in ("", "short", "x" * 5_000, "a line\n" * 400, "“quoted” → ∀x"):
            for outcome in Outcome:
                block = told(task, judgement(said, outcome, problem=said or None))
                shown = prompts.revision(view, 17, "a + 1", block)
                widest = max(widest, abs(len(masked) / len(shown) - 1))
                assert len(masked) == len(shown), task.name
    assert widest <= 0.03


def test_lengths_differ_where_a_row_is_wider() -> None:
    """The comparison above can fail: the layout is the task's, and another one is noticed."""
    task = many()[0]
    rows = rows_of(task)
    wider = [r._replace(width=r.width + 40) for r in rows]
    assert abs(len(hidden(wider)) / len(told(task, judgement("no"))) - 1) > 0.03


def test_a_masked_prompt_says_nothing_of_the_cases() -> None:
    for task in many():
        lines = hidden(rows_of(task)).splitlines()
        for line in lines:
            _, _, text, _ = line.split("|")
            assert set(text.replace(HIDDEN, "").strip()) <= {";", " "}
            assert HIDDEN in text


def test_a_long_candidate_is_cut_in_both_prompts() -> None:
    view = view_of(many()[0])
    shown = prompts.revision(view, 17, "9" * 5_000, hidden(view.rows))
    assert "9" * prompts.LONGEST not in shown and "9" * (prompts.LONGEST - 1) + "…" in shown


# --- what is told --------------------------------------------------------------------------------------------------------


def test_feedback_says_what_happened() -> None:
    task = made_tasks()[LARGER]
    counterexample = {"inputs": {"a": "1", "b": "2"}, "outputs": {"r": "1"}, "broken": "fails: r >= b", "confirmed": "run"}
    gates = (
        GateResult(Gate.ADMITTED, Outcome.FAIL, "embedded", "…", {"counterexample": dict(counterexample)}),
        GateResult(Gate.REJECTED, Outcome.PASS, "embedded", "…"),
        GateResult(Gate.RUNS, Outcome.PASS, "rustc", "…", {"compiled": True}),
        GateResult(Gate.DISAGREES, Outcome.PASS, "cases", "…"),
    )
    block = told(task, Judgement(Candidate("a", "a"), gates))
    rows = dict(line.strip("| ").split("|", 1) for line in block.splitlines())
    rows = {k.strip(): v.strip() for k, v in rows.items()}
    assert rows["compilation"] == "it compiles"
    assert rows["verification"] == "it does not verify: fails: r >= b; with a = 1, b = 2 it gives r = 1"
    agreeing = sum(c.output == c.inputs[0] for c in task.visible)
    assert rows["tests"] == f"{agreeing} of {len(task.visible)} agree, {len(task.visible) - agreeing} differ"
    for n, case in enumerate(task.visible, 1):
        verdict = "agrees" if case.output == case.inputs[0] else "differs"
        given = f"a = {case.inputs[0]}, b = {case.inputs[1]}"
        assert rows[f"case {n}"] == f"{given}: expected {case.output}, the candidate gives {case.inputs[0]}: {verdict}"


def test_feedback_names_what_the_compiler_and_verus_say() -> None:
    task = made_tasks()[LARGER]
    refused = judgement("mismatched types", compiled=False)
    block = told(task, replace(refused, candidate=Candidate("a", "a")))
    assert "rustc refuses it: mismatched types" in block and "0 of 16 agree, 0 differ, 16 without an output" in block
    errors = {"errors": [{"message": "postcondition not satisfied", "line": 9, "column": 3}]}
    verus = GateResult(Gate.ADMITTED, Outcome.FAIL, "verus", "…", dict(errors))
    block = told(task, replace(refused, candidate=Candidate("a", "a"), gates=(verus, *refused.gates[1:])))
    assert "it does not verify: postcondition not satisfied" in block


def test_a_view_holds_neither_cases_nor_the_full_contract_nor_an_implementation() -> None:
    task = made_tasks()[LARGER]
    text = prompts.discovery(view_of(task), 17)
    assert task.omission.clause not in text  # not in the contract, and not in the lemma that repeats it
    assert "if a > b { a } else { b }" not in text.replace("`if a > b { b } else { a }`", "")
    assert "proof fn" not in text and "lemma" not in text and "fn main" not in text
    assert "r >= a," in text and "r >= b," in text and task.description in text
    fields = set(View.__dataclass_fields__)
    assert fields == {"task", "sha256", "description", "contract", "result_type", "examples", "rows"}


def test_the_contract_is_shown_without_bodies() -> None:
    text = """use vstd::prelude::*;
verus! {
spec fn good(x: u8) -> bool { x > 3 }
// What a lemma says,
// at length.
proof fn lemma(x: u8) ensures x > 4 {}
fn helper(x: u8) -> (y: u8) ensures y == x { let secret = x; secret }
fn f(x: u8) -> (y: u8) ensures good(y) { let body = 7; body }
fn main() { f(1); }
}
"""
    shown = shown_contract(text, "f")
    assert "x > 3" in shown and "ensures good(y)" in shown and "ensures y == x" in shown
    for gone in ("lemma", "at length", "secret", "body = 7", "main"):
        assert gone not in shown


# --- policies ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def view() -> View:
    return view_of(many()[0])


def test_independent_draws_have_one_prompt(view: View) -> None:
    seen: list[str] = []
    draws = calls.independent(view, 17, ask(["1", " 2\n", "3"], seen))
    assert len(set(seen)) == 1 and "17" in seen[0]
    assert [d.candidate for d in draws] == ["1", "2", "3"]
    assert [d.reply.text for d in draws] == ["1", " 2\n", "3"]


def test_every_policy_begins_with_the_same_prompt(view: View) -> None:
    firsts = set()
    for policy in Policy:
        seen: list[str] = []
        if policy is Policy.INTENTSHIELD:
            calls.corrected(view, 17, ask(["1", "2", "3"], seen), lambda draw: "told")
        else:
            calls.untold(policy, view, 17, ask(["1", "2", "3"], seen))
        firsts.add(seen[0])
    assert len(firsts) == 1


def test_corrected_and_masked_calls_differ_in_the_block_alone(view: View) -> None:
    told_seen: list[str] = []
    masked_seen: list[str] = []
    happened = "| compilation  | it compiles |"
    calls.corrected(view, 17, ask(["1", "2", "3"], told_seen), lambda draw: happened)
    calls.masked(view, 17, ask(["1", "2", "3"], masked_seen))
    for shown, without in zip(told_seen[1:], masked_seen[1:], strict=True):
        assert happened in shown and HIDDEN not in shown
        assert shown.replace(happened, hidden(view.rows)) == without
    assert "\n1\n" in told_seen[1] and "\n2\n" in told_seen[2]


def test_a_tell_is_asked_for_every_candidate_but_the_last(view: View) -> None:
    asked: list[Draw] = []

    def tell(draw: Draw) -> str:
        asked.append(draw)
        return "told"

    calls.corrected(view, 17, ask(["1", "2", "3"], []), tell)
    assert [d.candidate for d in asked] == ["1", "2"]


def test_an_untold_policy_cannot_be_intentshield(view: View) -> None:
    with pytest.raises(ValueError, match="corrected"):
        calls.untold(Policy.INTENTSHIELD, view, 17, ask([], []))


def test_assessments_are_asked_for_and_read(view: View) -> None:
    seen: list[str] = []
    said = ["0", "Assessment: it fits.\n\nRevised Candidate: 1", "I think so."]
    draws = calls.assessed(view, 17, ask(said, seen))
    assert [d.candidate for d in draws] == ["0", "1", "I think so."]
    assert "Assessment:" in seen[1] and HIDDEN not in seen[1] and "\n1\n" in seen[2]


@pytest.mark.parametrize(
    ("answer", "candidate"),
    [
        ("Assessment: yes.\nRevised Candidate: a + b", "a + b"),
        ("assessment: no\nrevised candidate:\na + b\n", "a + b"),
        ("**Assessment:** fine\n\n**Revised Candidate:** a", "a"),
        ("### Revised Candidate: a", "a"),
        ("Revised Candidate: first\nand then\nRevised Expression: second", "second"),
        ("Assessment: no `Revised Candidate` here", "Assessment: no `Revised Candidate` here"),
        ("Revised Candidate:", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_the_revised_candidate(answer: str, candidate: str) -> None:
    assert answers.revised(answer) == candidate


def test_plain_answers_are_not_mended() -> None:
    assert answers.plain(" ```rust\na\n```\n") == "```rust\na\n```"


def test_prompts_of_the_downstream_comparison() -> None:
    task = made_tasks()[LARGER]
    text = prompts.repair(view_of(task), "255", "a = 1, b = 2", "2", "255")
    for part in ("\n255\n", "input: a = 1, b = 2", "expected: 2", "output: 255", "without a body"):
        assert part in text
    assert task.omission.clause not in text
    text = prompts.synthesis(task.description, "fn f()", ["a = 1: 2"], "u8")
    assert "- a = 1: 2" in text and "fn f()" in text and "`u8`" in text
