"""Tasks: made by rule, with an oracle, fixed by a hash, written and read again."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.witness.witness_made import CLAMP, HEAD, TICK, clamp_tasks, made, needs_rustc, opened, smallest_tasks, tick_tasks
from witness.contract import WitnessError, working
from witness.data import from_json, to_json
from witness.embedded import Verifier
from witness.inputs import more_inputs
from witness.model import VISIBLE, WITHHELD, OmissionKind
from witness.sources import corpus_sources
from witness.store import read_task, task_hash, write_task
from witness.tasks import NoTask, Source
from witness.weaken import weakenings

pytestmark = needs_rustc


def test_one_function_makes_total_and_residual_tasks() -> None:
    kinds = [t.omission.kind for t in clamp_tasks().values()]
    assert kinds.count(OmissionKind.TOTAL) == 1
    assert kinds.count(OmissionKind.RESIDUAL) >= 4
    assert all(t.name.startswith("clamp.") for t in clamp_tasks().values())


def test_what_is_not_weaker_makes_no_task() -> None:
    refused = {n.name: n.why for n in made("clamp", CLAMP, "clamp", ("{inputs = {x = 3}, output = 3}",)).refused}
    assert "equiv says `equivalent`" in refused["clamp.clause-dropped-1"]  # `r <= TOP` follows from the other two


def test_cases_are_the_oracles() -> None:
    task = clamp_tasks()["output-relation-dropped"]
    assert len(task.visible) == VISIBLE and len(task.withheld) == WITHHELD
    cases = [*task.visible, *task.withheld]
    assert len({c.inputs for c in cases}) == len(cases)
    for case in cases:
        (x,) = case.inputs
        assert isinstance(x, int) and case.output == min(x, 9)
    assert [c.inputs for c in cases if c.origin == "given"] and {c.origin for c in cases} == {"given", "generated"}


def test_all_tasks_of_a_function_have_the_same_cases() -> None:
    tasks = list(smallest_tasks().values())
    assert len({(t.visible, t.withheld, t.examples) for t in tasks}) == 1
    for case in tasks[0].visible:
        values = case.inputs[0].view
        assert values and case.output == min(values)


def test_mutable_parameters_have_final_values() -> None:
    task = tick_tasks()["output-relation-dropped"]
    for case in task.visible:
        assert case.output == case.inputs[0] and case.final == (case.inputs[0] + 1,)


def test_examples_are_wrong_and_different() -> None:
    task = clamp_tasks()["output-relation-dropped"]
    assert len(task.examples) == 8
    assert "if x <= TOP { TOP } else { x }" in task.examples  # a mutant of the body
    assert "x.min(9)" not in task.examples


def test_a_hash_over_everything() -> None:
    task = clamp_tasks()["clause-dropped-2"]
    assert task.sha256 == task_hash(task)
    changed = [
        replace(task, weakened=task.weakened + " "),
        replace(task, visible=task.visible[:-1]),
        replace(task, description="another"),
        replace(task, examples=()),
        replace(task, omission=replace(task.omission, clause="")),
        replace(task, implementation=""),
    ]
    assert len({task_hash(t) for t in changed} | {task.sha256}) == len(changed) + 1
    again = {t.name: t for t in made.__wrapped__("clamp", CLAMP, "clamp", ("{inputs = {x = 3}, output = 3}",)).tasks}
    other = {t.name: t for t in made.__wrapped__("clamp", CLAMP, "clamp", ("{inputs = {x = 3}, output = 3}",)).tasks}
    assert {n: t.sha256 for n, t in again.items()} == {n: t.sha256 for n, t in other.items()}


@pytest.mark.parametrize("name", ["clause-dropped-2", "output-relation-dropped"])
def test_written_and_read(tmp_path: Path, name: str) -> None:
    task = clamp_tasks()[name]
    write_task(tmp_path / "t", task)
    assert read_task(tmp_path / "t") == task


def test_a_task_that_was_changed_is_refused(tmp_path: Path) -> None:
    write_task(tmp_path, clamp_tasks()["clause-dropped-2"])
    weakened = tmp_path / "weakened.rs"
    weakened.write_text(weakened.read_text().replace("r <= TOP", "r <= TOP + 1"))
    with pytest.raises(WitnessError, match="changed after it was fixed"):
        read_task(tmp_path)


@pytest.mark.parametrize(
    ("file", "change", "words"),
    [
        ("task.json", lambda t: re.sub(r'"x": \d+', '"x": "three"', t), "no value of type `u32`"),
        ("task.json", lambda t: t.replace("samespec/witness-task/1", "something/2"), "the schema is"),
        ("task.json", lambda t: t[: len(t) // 2], "cannot be read"),
        ("task.json", lambda t: t.replace('"function": "clamp"', '"function": "gone"'), "no function `gone`"),
        ("task.json", lambda t: json.dumps({k: v for k, v in json.loads(t).items() if k != "omission"}), "not a task"),
    ],
)
def test_bad_tasks(tmp_path: Path, file: str, change, words: str) -> None:
    write_task(tmp_path, clamp_tasks()["clause-dropped-2"])
    path = tmp_path / file
    path.write_text(change(path.read_text()))
    with pytest.raises(WitnessError) as caught:
        read_task(tmp_path)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("text", "given", "words"),
    [
        (CLAMP.replace("{ x } else", "{ 0 } else"), (), "breaks `x <= TOP ==> r == x`"),
        (CLAMP.replace("{ x } else", "{ true } else"), (), "does not compile"),
        (CLAMP.replace("{ x } else", "{ 9 - x / (x - x) } else"), (), "panics at"),
        (CLAMP, ("{inputs = {x = 3}, output = 4}",), "case 1 of `clamp` has another output than the implementation"),
        (CLAMP, ("{inputs = {y = 3, z = 4}, output = 4}",), "2 inputs for 1 parameters"),
        (CLAMP, ("{inputs = {x = -3}, output = 4}",), "case 1.x: -3 is no value of type `u32`"),
        (HEAD, ("{inputs = {v = []}, output = 4}",), "`requires` does not hold"),
        (TICK.replace("< 200", "< 5"), (), ""),
        (TICK.replace("*old(n) < 200", "*old(n) < 1"), (), "inputs of `tick` meet `requires`"),
        (CLAMP.replace("x: u32) ->", "x: u32, z: f64) ->"), (), "cannot be written down in a case"),
    ],
)
def test_no_task(text: str, given: tuple[str, ...], words: str) -> None:
    function = "clamp" if "fn clamp" in text else "smallest" if "fn smallest" in text else "tick"
    found = made("bad", text, function, given)
    if words:
        assert not found.tasks
        assert words in found.refused[0].why
    else:
        assert found.tasks


def test_inputs_meet_the_precondition_and_are_the_same_each_time() -> None:
    text = HEAD.replace("v@.len() > 0,", "v@.len() == n,\n        n > 1,\n        forall|i: int| 0 <= i < n ==> v@[i] > 3,")
    text = text.replace("v: &Vec<i32>", "v: &Vec<i32>, n: usize")
    with working():
        first = more_inputs(Verifier(opened(text, "smallest")), [], 20)
    with working():
        assert more_inputs(Verifier(opened(text, "smallest")), [], 20) == first
    assert len(first) == 20
    for v, n in first:
        assert len(v.view) == n > 1 and min(v.view) > 3
    assert len({len(v.view) for v, _ in first}) > 1


def test_values_as_json() -> None:
    types = "pub enum Dial { Off, At(u8), On { a: u8 } }\npub struct Pair { pub a: u8, pub b: Vec<i8> }\n"
    text = CLAMP.replace("/// The nearest", f"{types}/// The nearest").replace(
        "x: u32", "x: u32, o: Option<(u8, char)>, d: Dial, s: &str, e: Result<bool, Pair>"
    )
    with working():
        sorts = [p.sort for p in opened(text, "clamp").parameters()]
        rows = [
            [7, {"some": [3, "x"]}, {"At": 4}, "hé", {"ok": True}],
            [0, {"none": True}, {"On": {"a": 2}}, "", {"err": {"a": 1, "b": [-1]}}],
            [1, {"none": True}, {"Off": True}, "x", {"ok": False}],
        ]
        for row in rows:
            values = [from_json(x, s) for x, s in zip(row, sorts, strict=True)]
            assert [to_json(v, s) for v, s in zip(values, sorts, strict=True)] == row
        for bad, sort in (([3], sorts[0]), ({"some": 3}, sorts[1]), ({"Of": True}, sorts[2]), ({"a": 1}, sorts[4])):
            with pytest.raises(WitnessError, match="no value of"):
                from_json(bad, sort)


def test_the_corpus_makes_forty_tasks_and_half_of_them_residual() -> None:
    # Weakenings that read as contracts; `samespec witness tasks --corpus` asks equiv about each (a few minutes).
    total = residual = functions = 0
    for source in corpus_sources():
        if isinstance(source, NoTask):
            continue
        functions += 1
        with working():
            kinds = [w.omission.kind for w in weakenings(opened(source.full, source.function))]
        total += kinds.count(OmissionKind.TOTAL)
        residual += kinds.count(OmissionKind.RESIDUAL)
    assert functions >= 40
    assert total >= 40 and residual >= 40 and residual >= total


def test_a_source_says_where_it_comes_from() -> None:
    sources = {s.name: s for s in corpus_sources() if isinstance(s, Source)}
    assert sources["gap"].path == "corpus/tasks/gap/original.rs"
    assert sources["gap"].given[0] == {"inputs": {"a": 3, "b": -4}, "final": {}, "output": 7}

