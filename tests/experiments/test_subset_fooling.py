"""Experiment 2: postconditions one by one, clauses that stand and no longer hold, holes at every depth."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest

pytest.importorskip("scipy", reason="needs the extra: pip install 'samespec[experiments]'")
pytest.importorskip("matplotlib", reason="needs the extra: pip install 'samespec[experiments]'")

from corpus.tasks import load_tasks
from equiv.check import check_sources, read_crate
from equiv.targets import targets_of
from experiments.compare.closure import closure
from experiments.compare.pairs import Pair, corpus_pairs
from experiments.subset_fooling.clauses import ADDED, DEFINITION, SIGNATURE, TYPE, clause_row, standing
from experiments.subset_fooling.ensures import ADMITS, CARRIES, IMPLIED, REDUNDANT, ensures_row, study
from experiments.subset_fooling.holes import holed
from experiments.subset_fooling.parts import Postconditions
from experiments.subset_fooling.run import Options, run_subset_fooling
from tests.experiments.experiment_made import HEAD, TAIL, originals, tasks
from translate.parser import parse_file
from translate.source import SourceText, from_text

BUDGET = 1_000_000


def file(text: str) -> SourceText:
    return from_text("f.rs", HEAD + text + TAIL)


# --- postconditions one by one -------------------------------------------------------------------------------------------


def test_conjunctions_count_as_several() -> None:
    found = Postconditions(
        file(
            "fn f(x: u8, o: Option<u8>) -> (r: u8)\n ensures r > 1 && (r > 2 && r > 3), ({ &&& r > 4 &&& r > 5 || r > 6 }), "
            "r > 7 && r > 8 ==> r > 9, o matches Some(y) && r > y,\n returns (x as int + 1) as u8\n{ x }"
        ),
        "f",
    )
    assert [(p.number, p.kind, p.text) for p in found.parts] == [
        (1, "ensures", "r > 1"),
        (2, "ensures", "r > 2"),
        (3, "ensures", "r > 3"),
        (4, "ensures", "r > 4"),
        (5, "ensures", "r > 5 || r > 6"),
        (6, "ensures", "r > 7 && r > 8 ==> r > 9"),
        (7, "ensures", "o matches Some(y) && r > y"),  # the second half needs what the first one binds
        (8, "returns", "(x as int + 1) as u8"),
    ]
    assert Postconditions(file("fn f(x: u8) requires x > 0 { }"), "f").parts == []


@pytest.mark.parametrize("task", load_tasks()[::9], ids=lambda t: t.name)
def test_every_set_can_be_left_out_of_the_corpus(task) -> None:  # type: ignore[no-untyped-def]
    """What is left is a file that parses, with exactly the other postconditions."""
    source = from_text("f.rs", task.original)
    for target in {r.path for r in targets_of(read_crate(source), None)}:
        found = Postconditions(source, target)
        numbers = [p.number for p in found.parts]
        for dropped in (d for size in range(min(3, len(numbers)) + 1) for d in combinations(numbers, size)):
            text = found.without(dropped)
            assert not parse_file(from_text("f.rs", text)).problems
            left = Postconditions(from_text("f.rs", text), target).parts
            assert [p.text for p in left] == [p.text for p in found.parts if p.number not in dropped]


def test_conjunctions_written_as_clauses_say_the_same() -> None:
    source = file("fn f(x: u8) -> (r: u8) ensures r > 1 && (r > 2 || x > 3), ({ &&& r > 4 &&& r < 6 }) { 5 }")
    split = from_text("f.rs", Postconditions(source, "f").without(()))
    assert str(check_sources(source, split).targets[0].verdict) == "equivalent"


TWINS = "fn f(x: u8) -> (r: u8) ensures r as int == x as int, x <= r && r <= x, r < 256 { x }"


def test_which_postconditions_carry_weight() -> None:
    """`r < 256` is so for any u8. The equation and the two bounds say the same: each can be spared, and not both."""
    source = file(TWINS)
    row = ensures_row(source, "f", largest=3, budget=BUDGET)
    assert row is not None
    assert not row["lemma"]
    assert [p["answer"] for p in row["parts"]] == [REDUNDANT] * 4
    answers = {tuple(s["dropped"]): (s["answer"], s["by"]) for s in row["subsets"]}
    assert answers[2, 3] == (IMPLIED, None)
    assert answers[1, 2] == (ADMITS, None)
    assert answers[1, 3] == (ADMITS, None)
    assert answers[1, 2, 4] == (ADMITS, [1, 2])  # shown by the values of the smaller set
    assert answers[2, 3, 4] == (IMPLIED, None)
    assert len(answers) == 4 + 6 + 4


def test_what_is_admitted_is_shown_by_values_that_replay() -> None:
    up = "spec fn up(x: int) -> int { x + 1 }\n"
    source = file(up + "fn f(x: u8) -> (r: u16) requires x > 7 ensures r >= x, r == up(x as int) { x as u16 + 1 }")
    subsets = study(Postconditions(source, "f"), "f.rs", "f", largest=2, budget=BUDGET)
    by = {s.dropped: s for s in subsets}
    assert by[1,].answer == IMPLIED
    shown = by[2,]
    assert (shown.answer, shown.replayed) == (ADMITS, True)
    assert shown.values is not None
    values = {name: int(value) for name, value in (v.split(" = ") for v in shown.values)}
    assert values["x"] > 7  # accepted
    assert values["r"] >= values["x"]  # allowed by what is left
    assert values["r"] != values["x"] + 1  # and forbidden by the original
    assert by[1, 2].by == (2,)


def test_a_larger_set_is_not_asked_about_when_a_smaller_one_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    from experiments.subset_fooling import ensures

    asked = []

    def counting(*args, **more):  # type: ignore[no-untyped-def]
        asked.append(args[1].text)
        return check_sources(*args, **more)

    monkeypatch.setattr(ensures, "check_sources", counting)
    source = file("fn f(x: u8) -> (r: (u8, u8, u8)) ensures r.0 == x, r.1 == x, r.2 == x { (x, x, x) }")
    assert len(study(Postconditions(source, "f"), "f.rs", "f", largest=3, budget=BUDGET)) == 7
    assert len(asked) == 3


def test_a_lemma_is_read_as_statements() -> None:
    source = file("proof fn l(a: int, b: int) ensures a * a >= 0, b * b >= 0 { }")
    row = ensures_row(source, "l", largest=2, budget=BUDGET)
    assert row is not None
    assert row["lemma"]
    assert [p["answer"] for p in row["parts"]] == [CARRIES, CARRIES]  # both are theorems, and yet something is lost


def test_an_untranslated_contract_is_undecided() -> None:
    source = file("fn f(x: u8) -> (r: u8) ensures unknown_thing!(r), r == x { x }")
    row = ensures_row(source, "f", largest=1, budget=BUDGET)
    assert row is not None
    assert {p["answer"] for p in row["parts"]} == {"undecided"}
    assert all(p["why"].startswith("unsupported") for p in row["parts"])


# --- clauses that stand ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pair]:
    made = corpus_pairs(load_tasks(tasks(tmp_path_factory.mktemp("tasks"))))
    return {p.name.split("/")[1]: p for p in made}


@pytest.mark.parametrize(
    ("name", "naive", "strict", "means"),
    [("zero", True, True, DEFINITION), ("never", True, False, ADDED), ("dropped", False, False, None)],
)
def test_by_what_means_a_contract_breaks(
    pairs: dict[str, Pair], name: str, naive: bool, strict: bool, means: str | None
) -> None:
    row = clause_row(pairs[name], BUDGET)
    assert row["stands"] is naive
    assert row["texts"]["subset-strict"] is strict
    assert row.get("means") == means
    if naive:
        assert row["answers"] == {"logical": False, "logical+audit": False}
        assert row["reason"]


def test_a_target_that_is_gone_has_no_clause_that_stands(pairs: dict[str, Pair]) -> None:
    gone = Pair(**{f: getattr(pairs["zero"], f) for f in Pair.__slots__} | {"submitted": HEAD + TAIL})
    assert standing(gone).said == {"subset-naive": False, "subset-strict": False, "textual": False}
    assert not standing(gone).stands


@pytest.mark.parametrize(
    ("old", "new", "means"),
    [
        ("(x: u8, y: u8)", "(y: u8, x: u8)", SIGNATURE),
        ("(x: u8, y: u8)", "(x: u8, y: u16)", TYPE),
        ("requires x < most()", "requires x < most(), y < 3", ADDED),
        ("{ 9 }", "{ 8 }", DEFINITION),
    ],
)
def test_means(old: str, new: str, means: str) -> None:
    original = HEAD + (
        "spec fn most() -> int { 9 }\nfn f(x: u8, y: u8) -> (r: u8) requires x < most(), ensures r == x { x }" + TAIL
    )
    assert old in original
    pair = Pair("p/e", "p", "k", False, False, "", "", original, original.replace(old, new))
    assert clause_row(pair, BUDGET)["means"] == means


# --- holes -------------------------------------------------------------------------------------------------------------


CHAIN = """proof fn deep(x: int) ensures x + 0 == x { }
spec fn same(x: int) -> int { x }
proof fn near(x: int) ensures same(x) == x { deep(x); }
proof fn other(x: int) ensures x == x { }
fn f(x: u8) -> (r: u8) ensures r == same(x as int) { proof { near(x as int); } x }
"""


def test_a_hole_at_every_depth_and_who_sees_it() -> None:
    source = file(CHAIN)
    for seed in range(6):
        found = holed(source, ["f"], seed)
        assert [(h.depth, h.node) for h in found] == [(0, "crate::f"), (1, "crate::near"), (2, "crate::deep")]
        for h in found:
            assert not parse_file(from_text("f.rs", h.text)).problems
            seen = closure(source, from_text("f.rs", h.text), ["f"])
            assert (seen.clean, seen.depth) == (False, h.depth), h
            assert h.hatch in [x.hatch for x in seen.holes]
            assert seen.alone is (h.depth > 0)  # the target alone is looked at: only a hole in itself is seen
    assert {h.hatch for seed in range(6) for h in holed(source, ["f"], seed)} == {"assume", "admit", "external-body"}


# --- whole runs --------------------------------------------------------------------------------------------------------


def options(output: Path, **more: object) -> Options:
    return Options(**{"output": output, "seed": 1, "jobs": 1, "budget": BUDGET, **more})  # type: ignore[arg-type]


def contents(folder: Path) -> dict[str, bytes]:
    files = (p for p in folder.rglob("*") if p.is_file() and p.name != "timings.json")
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in files}


def test_a_run_on_tasks(tmp_path: Path) -> None:
    made = tasks(tmp_path / "tasks")
    summary = run_subset_fooling(options(tmp_path / "one", tasks=made))
    c, f, e = summary["clauses"], summary["functions"], summary["ensures"]
    assert (c["broken"], c["all_clauses_stand"], c["logical_rejects"]) == (3, 2, 2)
    assert c["means"] == {ADDED: 1, DEFINITION: 1}
    assert (f["edits"], f["target_alone_accepts"], f["audit_accepts"], f["no_cheating_accepts"]) == (2, 1, 0, 0)
    assert [(d["depth"], d["target_alone_accepts"]) for d in f["by_depth"]] == [(0, 0), (1, 1)]
    assert (e["functions"], e["postconditions"], e["load_bearing"], e["redundant"]) == (2, 3, 2, 1)
    files = contents(tmp_path / "one")
    for name in ("clauses", "functions", "ensures_by_size", "ensures_parts"):
        assert {f"figures/{name}.svg", f"figures/{name}.png"} <= set(files)
    text = files["report.md"].decode()
    assert "**In 2 of 3 (66.7%) every original clause still stands.** The solver rejects 2 of these 2." in text
    run_subset_fooling(options(tmp_path / "two", tasks=made, jobs=2))
    assert contents(tmp_path / "two") == files


def test_one_sense_alone(tmp_path: Path) -> None:
    summary = run_subset_fooling(options(tmp_path / "out", tasks=tasks(tmp_path / "tasks", "zero"), senses=("ensures",)))
    assert summary["clauses"]["broken"] == 0
    assert summary["ensures"]["functions"] == 2
    text = (tmp_path / "out" / "report.md").read_text()
    assert "## A subset of the postconditions" in text
    assert "## A subset of the clauses" not in text


def test_a_run_on_originals(tmp_path: Path) -> None:
    summary = run_subset_fooling(options(tmp_path / "out", originals=originals(tmp_path / "own")))
    assert summary["ensures"]["functions"] == 1
    assert summary["ensures"]["postconditions"] == 3
    assert summary["ensures"]["redundant"] == 2  # both bounds follow from being the larger one
    assert [d["depth"] for d in summary["functions"]["by_depth"]] == [0, 1]
    assert summary["functions"]["target_alone_accepts"] == 1
    assert summary["functions"]["audit_accepts"] == 0
    assert summary["clauses"]["logical_rejects"] == summary["clauses"]["all_clauses_stand"] > 0
    rows = [json.loads(line) for line in (tmp_path / "out" / "results.jsonl").read_text().splitlines()]
    assert all(r["replayed"] for r in rows if r["sense"] == "clauses" and r["verdict"] == "weakened")
