"""The four gates: what passes them, and what each of the wrong candidates is told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.process import Limits
from referee.verus import read_output
from tests.witness.witness_made import CLAMP, clamp_tasks, machine, means, needs_rustc, smallest_tasks, tick_tasks
from witness import gates, verus_gates
from witness.gates import Means, judge, read_candidate
from witness.model import Candidate, Gate, GateResult, Judgement, Outcome, Task
from witness.select import rank, select

RECORDINGS = Path(__file__).parent.parent / "verus-recordings"


def judged(task: Task, *expressions: str, by: Means | None = None) -> list[Judgement]:
    return judge(task, [read_candidate(task, e, call=n) for n, e in enumerate(expressions, 1)], by or means())


def outcomes(judgement: Judgement) -> str:
    """The four outcomes as letters: p, f, u."""
    return "".join(g.outcome.value[0] for g in judgement.gates)


def x_above() -> Task:
    """`x > TOP ==> r == TOP` is dropped: a small value has to come back, a large one may be anything up to nine."""
    return next(t for t in clamp_tasks().values() if t.omission.clause == "x > TOP ==> r == TOP")


@needs_rustc
def test_a_witness_and_what_is_none() -> None:
    task = x_above()
    found = dict(
        zip(
            ("witness", "right", "only gate 2", "panics", "overflows", "loops", "no expression", "another type"),
            judged(
                task,
                "if x <= TOP { x } else { 0 }",
                "x.min(TOP)",
                "0",
                "if x <= TOP { x } else { 9 / (x - x) }",
                "if x <= TOP { x } else { (x + (u32::MAX - TOP)).min(0) }",
                "clamp(x)",
                "loop {}",
                "x as u64",
            ),
            strict=True,
        )
    )
    assert [name for name, j in found.items() if j.certified] == ["witness"]
    assert outcomes(found["witness"]) == "pppp"

    right = found["right"]
    assert outcomes(right) == "pfpf"
    assert "it verifies under the full contract too" in right.gate(Gate.REJECTED).reason
    assert "it computes the official output on all 16 visible cases" in right.gate(Gate.DISAGREES).reason

    assert outcomes(found["only gate 2"]) == "fppp"
    assert "fails: x <= TOP ==> r == x" in found["only gate 2"].gate(Gate.ADMITTED).reason

    panics = found["panics"]
    assert not panics.gate(Gate.ADMITTED).passed and not panics.gate(Gate.RUNS).passed
    assert "panics: division by zero" in panics.gate(Gate.ADMITTED).reason
    assert "attempt to divide by zero" in panics.gate(Gate.RUNS).reason

    overflows = found["overflows"]
    assert "panics: overflow" in overflows.gate(Gate.ADMITTED).reason
    assert "attempt to add with overflow" in overflows.gate(Gate.RUNS).reason

    loops = found["loops"]
    assert "calls itself, and nothing shows that it ends" in loops.gate(Gate.ADMITTED).reason
    assert "its stack overflowed on case 1" in loops.gate(Gate.RUNS).reason
    assert loops.gate(Gate.DISAGREES).outcome is Outcome.UNKNOWN

    for name, words in (("no expression", "a loop is not allowed"), ("another type", "the function returns `u32`")):
        assert outcomes(found[name]) == "ffff"
        assert all(words in g.reason for g in found[name].gates)


@needs_rustc
def test_recursion_that_ends_runs_and_is_not_verified() -> None:
    (found,) = judged(x_above(), "if x <= TOP { x } else { clamp(TOP - 9) }")
    assert outcomes(found) == "fppp"
    assert "nothing shows that it ends" in found.gate(Gate.ADMITTED).reason


@needs_rustc
def test_every_gate_has_evidence() -> None:
    (found,) = judged(x_above(), "if x <= TOP { x } else { 0 }")
    one, two, three, four = found.gates
    assert [p["answer"] for p in one.evidence["parts"]] == ["proved", "proved"]
    point = two.evidence["counterexample"]
    assert set(point) == {"inputs", "outputs", "broken", "confirmed"} and point["outputs"] == {"r": "0"}
    assert three.evidence == {"compiled": True, "ran": 24}
    first = four.evidence["first"]
    assert first["expected"] == {"result": "9"} and first["output"] == {"result": "0"}
    assert len(four.evidence["disagrees"]) == found.divergences > 0
    assert found.withheld is not None and 0 < found.withheld <= 8
    assert [g.checker for g in found.gates] == ["embedded", "embedded", "rustc", "cases"]


@needs_rustc
def test_a_call_that_never_returns_is_stopped() -> None:
    quick = replace(machine(), limits=Limits(wall=1.5, memory_mb=512, processes=16, output_bytes=1 << 20))
    (found,) = judged(x_above(), "clamp(x) / 2 + clamp(x / 2)", by=Means(quick, None, 100_000))
    reason = found.gate(Gate.RUNS).reason
    assert "stack overflowed" in reason or "limit of 1.5 seconds" in reason
    assert not found.certified


@needs_rustc
def test_what_rustc_refuses_does_not_hurt_the_others() -> None:
    task = smallest_tasks()["output-relation-dropped"]
    moved, fine = judged(task, "v.clone()[0] - *v.first().unwrap_or(0)", "i32::MIN")
    assert outcomes(fine) == "pppp"
    assert not moved.gate(Gate.RUNS).passed
    assert moved.gate(Gate.RUNS).evidence["compiled"] is False
    assert "rustc refuses it: mismatched types" in moved.gate(Gate.RUNS).reason


@needs_rustc
def test_parameters_that_change() -> None:
    tasks = tick_tasks()
    (found,) = judged(tasks["output-relation-dropped"], "*n")
    assert outcomes(found) == "pppp"
    assert found.gate(Gate.DISAGREES).evidence["first"]["output"].keys() == {"result", "final(n)"}
    kept = next(t for t in tasks.values() if t.omission.clause == "before == *old(n)")
    (found,) = judged(kept, "*n")
    assert "fails: *final(n) == *old(n) + 1" in found.gate(Gate.ADMITTED).reason


@needs_rustc
def test_without_rustc_two_gates_are_unknown() -> None:
    (found,) = judged(x_above(), "if x <= TOP { x } else { 0 }", by=Means(None))
    assert outcomes(found) == "ppuu"
    assert not found.certified and "install Rust" in found.gate(Gate.RUNS).reason


@needs_rustc
def test_an_unknown_is_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    (found,) = judged(x_above(), "if x <= TOP { x } else { 0 }", by=Means(machine(), None, 1))
    assert found.gate(Gate.REJECTED).passed  # a case shows it
    if found.gate(Gate.ADMITTED).outcome is Outcome.UNKNOWN:
        assert not found.certified
        assert "neither proved nor refuted" in found.gate(Gate.ADMITTED).reason


@needs_rustc
def test_a_wrong_reading_of_an_expression_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gates, "run", lambda tree, values, word: 8)
    (found,) = judged(x_above(), "if x <= TOP { x } else { 0 }")
    assert outcomes(found) == "uupp"
    assert "compute different values" in found.gate(Gate.ADMITTED).reason
    assert not found.certified


# --- candidates, selection -----------------------------------------------------------------------------------------------


@needs_rustc
def test_reading_a_candidate() -> None:
    task = x_above()
    plain = read_candidate(task, "  x.min(3)\n", call=2, origin="somebody")
    assert plain == Candidate("  x.min(3)\n", "x.min(3)", None, (), 2, "somebody")
    wrapped = "Here it is:\n```rust\nx.min(3;\n```\nDone."
    assert not read_candidate(task, wrapped).parses
    mended = read_candidate(task, wrapped, parser_repair=True)
    assert mended.parses and mended.expression == "x.min(3)" and mended.text == wrapped
    assert mended.repairs == ("surrounding text removed", "semicolons removed", "brackets closed")
    untouched = read_candidate(task, "x.min(3)", parser_repair=True)
    assert untouched.repairs == ()


def fake(parses: bool, accepted: Outcome, compiled: bool, divergences: int, call: int) -> Judgement:
    def gate(which: Gate) -> GateResult:
        if which is Gate.ADMITTED:
            return GateResult(which, accepted, "embedded", "")
        return GateResult(which, Outcome.PASS, "", "", {"compiled": compiled})

    candidate = Candidate("x", "x", None if parses else "no", call=call)
    return Judgement(candidate, tuple(map(gate, Gate)), divergences)


def test_selection_is_lexicographic() -> None:
    pass_, fail, unknown = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN
    worst_first = [
        fake(False, fail, False, 16, 1),
        fake(True, fail, False, 16, 1),
        fake(True, unknown, True, 16, 1),
        fake(True, pass_, False, 16, 1),
        fake(True, pass_, True, 3, 1),
        fake(True, pass_, True, 4, 3),
        fake(True, pass_, True, 4, 2),
    ]
    assert sorted(worst_first, key=rank) == worst_first
    for n in range(1, len(worst_first) + 1):
        assert select(worst_first[:n]) is worst_first[n - 1]
    assert select([]) is None


# --- Verus's answers -----------------------------------------------------------------------------------------------------


def recorded(name: str):
    source = (RECORDINGS / f"{name}.rs").read_text()
    out, err = ((RECORDINGS / f"{name}.{end}").read_text() for end in ("stdout.json", "stderr.txt"))
    return source, read_output(out, err, 0 if '"success": true' in out else 1)


def test_verus_accepts() -> None:
    source, result = recorded("clean")
    function = next(f.split("::", 1)[1] for f in result.functions)
    renamed = replace(result, functions=tuple(f"candidate::{f.split('::', 1)[1]}" for f in result.functions))
    assert verus_gates.admitted(source, function, renamed).outcome is Outcome.PASS
    assert verus_gates.rejected(source, function, renamed).outcome is Outcome.FAIL
    assert verus_gates.admitted(source, function, result).outcome is Outcome.UNKNOWN  # another crate's functions are named


@pytest.mark.parametrize("name", ["post_fail", "overflow"])
def test_verus_rejects(name: str) -> None:
    source, result = recorded(name)
    line = next(d.line for d in result.diagnostics if d.line)
    from referee.verus import function_at

    function = function_at(source, line)
    assert function is not None
    one, two = verus_gates.admitted(source, function, result), verus_gates.rejected(source, function, result)
    assert one.outcome is Outcome.FAIL and two.outcome is Outcome.PASS
    assert "no counterexample" in two.reason and one.checker == two.checker == "verus"
    assert one.evidence["errors"]
    elsewhere = verus_gates.rejected(source, "another", result)
    assert elsewhere.outcome is Outcome.UNKNOWN and "another part of the file" in elsewhere.reason


def test_verus_gives_no_answer() -> None:
    source, result = recorded("rlimit_hit")
    for gate in (verus_gates.admitted, verus_gates.rejected):
        assert gate(source, "f", result).outcome is Outcome.UNKNOWN
    broken = read_output("", "", 101)
    assert verus_gates.admitted(CLAMP, "clamp", broken).outcome is Outcome.UNKNOWN
