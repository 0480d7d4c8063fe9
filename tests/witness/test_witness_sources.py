"""Folders in VeriContest's layout, and the survey of a benchmark."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.witness.witness_made import machine, needs_rustc
from witness import survey as surveys
from witness.contract import WitnessError
from witness.sources import folder_source, folder_sources
from witness.tasks import NoTask, Source, make_tasks

SPEC = """use vstd::prelude::*;

fn main() {}

verus! {

pub struct Solution;

pub enum Side { Left, Right }

impl Solution {
    pub open spec fn near(a: int, b: int) -> bool {
        a - b < 5
    }

    pub fn larger(a: i32, b: i32) -> (res: i32)
        requires
            Self::near(a as int, b as int),
        ensures
            res >= a,
            res >= b,
            res == a || res == b,
    {
    }
}

}
"""

CODE = """impl Solution {
    pub fn larger(a: i32, b: i32) -> i32 {
        if a > b {
            a
        } else {
            b
        }
    }
}
"""


def folder(where: Path, spec: str = SPEC, code: str = CODE) -> Path:
    where.mkdir(parents=True, exist_ok=True)
    (where / "description.md").write_text("# The larger one\n\nGives the larger of two numbers.\n")
    (where / "spec.rs").write_text(spec)
    (where / "code.rs").write_text(code)
    return where


def test_contract_and_program_are_joined(tmp_path: Path) -> None:
    source = folder_source(folder(tmp_path / "cf1A"))
    assert isinstance(source, Source)
    assert (source.name, source.function) == ("cf1A", "Solution::larger")
    assert source.description.startswith("# The larger one")
    assert "res >= a" in source.full and "if a > b" in source.full
    assert source.implementation.startswith("pub struct Solution;") and "enum Side" in source.implementation


@needs_rustc
def test_it_makes_tasks(tmp_path: Path) -> None:
    source = folder_source(folder(tmp_path / "cf1A"))
    assert isinstance(source, Source)
    made = make_tasks(source, machine())
    assert len(made.tasks) == 6, made.refused
    for task in made.tasks:
        for case in (*task.visible, *task.withheld):
            assert case.output == max(case.inputs) and case.inputs[0] - case.inputs[1] < 5
            assert case.origin == "generated"


@pytest.mark.parametrize(
    ("spec", "code", "words"),
    [
        (SPEC.replace("{\n    }\n}", "{\n    ?}\n}"), CODE, ""),
        (SPEC, CODE.replace("larger", "smaller"), "no function with a contract in spec.rs that code.rs implements"),
        (SPEC.replace("ensures", "ensures +"), CODE, "spec.rs:"),
        (SPEC, CODE.replace("if a", "if if a"), ""),
    ],
)
def test_what_is_no_source(tmp_path: Path, spec: str, code: str, words: str) -> None:
    source = folder_source(folder(tmp_path / "bad", spec, code))
    if words:
        assert isinstance(source, NoTask) and words in source.why


def test_folders_of_folders(tmp_path: Path) -> None:
    folder(tmp_path / "a" / "cf2")
    folder(tmp_path / "b" / "cf1")
    (tmp_path / "b" / "cf3").mkdir()
    assert [s.name for s in folder_sources(tmp_path)] == ["cf2", "cf1"]
    assert [s.name for s in folder_sources(tmp_path / "b" / "cf1")] == ["cf1"]
    with pytest.raises(WitnessError, match="no folder in it has"):
        list(folder_sources(tmp_path / "b" / "cf3"))
    with pytest.raises(WitnessError, match="no such folder"):
        list(folder_sources(tmp_path / "nowhere"))


@needs_rustc
def test_a_survey_goes_on_where_it_was(tmp_path: Path) -> None:
    folder(tmp_path / "in" / "cf1")
    file = tmp_path / "survey.jsonl"
    first = list(surveys.survey(folder_sources(tmp_path / "in"), machine(), file))
    folder(tmp_path / "in" / "cf2", SPEC, CODE.replace("larger", "other"))
    both = list(surveys.survey(folder_sources(tmp_path / "in"), machine(), file))
    assert both[:1] == first and [r["name"] for r in both] == ["cf1", "cf2"]
    assert [json.loads(line) for line in file.read_text().splitlines()] == both
    assert {t["found"] for t in first[0]["tasks"]} == {"certified"} and len(first[0]["tasks"]) == 2
    assert [(r.result, r.functions, r.with_tasks, r.certified) for r in surveys.rows(both)] == [
        ("integer", 1, 1, 1), ("not read", 1, 0, 0),
    ]  # fmt: skip
    assert surveys.outcomes(both, "residual") == [("certified", 1)]
    ((why, count),) = surveys.reasons(both)
    assert count == 1 and why.startswith("no function with a contract")


@needs_rustc
def test_a_survey_by_several_processes(tmp_path: Path) -> None:
    for name in ("cf1", "cf2", "cf3"):
        folder(tmp_path / "in" / name)
    sources = list(folder_sources(tmp_path / "in"))
    alone = list(surveys.survey(iter(sources), machine(), tmp_path / "a.jsonl"))
    assert list(surveys.survey(iter(sources), machine(), tmp_path / "b.jsonl", jobs=2)) == alone
    assert (tmp_path / "b.jsonl").read_bytes() == (tmp_path / "a.jsonl").read_bytes()


@needs_rustc
def test_a_function_that_takes_its_process_down_costs_only_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("cf1", "cf2", "cf3"):
        folder(tmp_path / "in" / name)
    monkeypatch.setattr(surveys, "_look", dies_on_cf2)
    found = list(surveys.survey(folder_sources(tmp_path / "in"), machine(), tmp_path / "a.jsonl", jobs=2))
    assert [(r["name"], r["why"]) for r in found if "ended by itself" in str(r["why"])] == [("cf2", found[1]["why"])]
    assert [r["name"] for r in found] == ["cf1", "cf2", "cf3"]


def dies_on_cf2(source: Source | NoTask) -> surveys.Record:
    if source.name == "cf2":
        os._exit(9)
    return surveys.look(source, machine())


def test_a_file_that_is_no_survey(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"schema": "other"}\n')
    with pytest.raises(WitnessError, match=r"x\.jsonl:1: "):
        surveys.read(tmp_path / "x.jsonl")


@needs_rustc
@pytest.mark.skipif("SAMESPEC_VERICONTEST" not in os.environ, reason="SAMESPEC_VERICONTEST names no copy of VeriContest")
def test_functions_of_vericontest() -> None:
    root = Path(os.environ["SAMESPEC_VERICONTEST"]) / "benchmark" / "codeforces"
    for name in ("cf1118B", "cf1200C"):
        record = surveys.look(folder_source(root / name), machine())
        assert record["tasks"] and all(t["found"] == "certified" for t in record["tasks"] if t["kind"] == "total")
