"""Experiment 1: what the tests say of edits whose answer is known, how it is counted, and that a run repeats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("scipy", reason="needs the extra: pip install 'samespec[experiments]'")
pytest.importorskip("matplotlib", reason="needs the extra: pip install 'samespec[experiments]'")

from corpus.tasks import load_tasks
from equiv.verdict import TestAnswer
from experiments.compare.closure import closure
from experiments.compare.judge import EMBEDDED, judge, whole
from experiments.compare.originals import OriginalsError, contract_targets, find_originals, mutant_pairs, seed_of
from experiments.compare.pairs import Pair, corpus_pairs
from experiments.compare.run import Options, run_compare, work
from experiments.compare.scores import contests, known, score
from experiments.compare.tables import overall
from experiments.compare.tools import LYNETTE, VERUS, find_tools
from experiments.mutation import CANDIDATE, KEPT
from experiments.report.folder import FolderError, Row
from tests.experiments.experiment_made import HEAD, TAIL, originals, tasks
from translate.source import from_text

BUDGET = 1_000_000


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pair]:
    made = corpus_pairs(load_tasks(tasks(tmp_path_factory.mktemp("tasks"))))
    return {p.name.split("/")[1]: p for p in made}


# --- one pair ----------------------------------------------------------------------------------------------------------

SAID = {  # textual, subset-strict, subset-naive, ast, logical, logical+audit
    "renamed": (False, False, False, False, True, True),
    "new_body": (True, True, True, True, True, True),
    "zero": (True, True, True, False, False, False),
    "never": (False, False, True, False, False, False),
    "dropped": (False, False, False, False, False, False),
    "assumed": (True, True, True, True, True, False),
    "assumed_here": (True, True, True, True, True, False),
}


@pytest.mark.parametrize("name", list(SAID))
def test_what_every_test_says(pairs: dict[str, Pair], name: str) -> None:
    found = judge(pairs[name], BUDGET)
    assert {t: a.kept for t, a in found.answers.items()} == dict(zip(EMBEDDED, SAID[name], strict=True))
    assert all(a.why for a in found.answers.values())


def test_one_answer_for_several_targets() -> None:
    def said(*kept: bool | None) -> bool | None:
        return whole([(f"f{i}", TestAnswer("t", k, "why")) for i, k in enumerate(kept)]).kept

    assert said(True, True) is True
    assert said(True, None) is None
    assert said(None, False, True) is False
    assert whole([]).kept is None
    assert whole([("f", TestAnswer("t", True, "")), ("g", TestAnswer("t", False, "gone"))]).why == "g: gone"


def test_depth_is_counted_from_the_edit_s_own_target(pairs: dict[str, Pair]) -> None:
    """The lemma has a contract, so it is a target too: its hole is at depth 0 of its own closure, at depth 1 of the edit's."""
    for name, depth, alone in (("assumed", 1, True), ("assumed_here", 0, False)):
        pair = pairs[name]
        found = closure(pair.original_source, pair.submitted_source, None, pair.target)
        assert (found.clean, found.depth, found.alone) == (False, depth, alone)
        assert found.holes[0].no_cheating == "rejects"
        assert pair.depth == depth


def test_a_hole_that_the_original_has_is_none_of_the_edit() -> None:
    lemma = "proof fn known(x: int) ensures x * 0 == 0 { assume(false); }\n"
    original = HEAD + lemma + "fn f(x: u8) -> (r: u8) ensures r == x { proof { known(x as int); } x }" + TAIL
    submitted = original.replace("} x }", "} x + 0 }")
    found = closure(from_text("o.rs", original), from_text("s.rs", submitted), ["f"], "f")
    assert (found.clean, found.holes) == (True, ())


def test_an_axiom_of_the_original_is_no_target() -> None:
    axiom = "uninterp spec fn d(x: int) -> int;\naxiom fn known(x: int) ensures d(x) >= 0;\n"
    original = HEAD + axiom + "proof fn f(x: int) ensures d(x) + d(x) >= 0 { known(x); }" + TAIL
    found = closure(from_text("o.rs", original), from_text("s.rs", original.replace("{ known", "{ known(x); known")))
    assert (found.clean, found.holes) == (True, ())
    dropped = from_text("s.rs", original.replace("ensures d(x) + d(x) >= 0 {", "ensures d(x) + d(x) >= 0 { admit();"))
    assert closure(from_text("o.rs", original), dropped).clean is False


def test_a_target_that_is_gone_has_no_closure() -> None:
    original = HEAD + "fn f(x: u8) -> (r: u8) ensures r == x { x }" + TAIL
    found = closure(from_text("o.rs", original), from_text("s.rs", HEAD + TAIL))
    assert (found.clean, found.alone, found.size) == (None, None, 0)


# --- counting ----------------------------------------------------------------------------------------------------------


def row(kept: bool | None, original: str = "a", **said: bool | None) -> Row:
    answers = {t.replace("_", "-"): {"kept": k, "why": ""} for t, k in said.items()}
    return {"edit": "e", "original": original, "kind": "k", "kept": kept, "contract_kept": kept, "why": "", "answers": answers}


ROWS = [
    row(False, textual=True, ast=False),
    row(False, textual=True, ast=True),
    row(False, "b", textual=True, ast=None),
    row(False, "b", textual=False, ast=False),
    row(True, textual=False, ast=True),
    row(True, "b", textual=True, ast=True),
    row(True, "b", textual=None, ast=False),
    row(None, textual=True, ast=True),
]


def test_mistakes_are_counted_against_their_own_denominators() -> None:
    s = score(known(ROWS), "textual", seed=0)
    assert (s.fooled, s.broken, s.open_broken) == (3, 4, 0)
    assert (s.wrong, s.honest, s.open_honest) == (1, 3, 1)
    assert s.right == 2
    s = score(known(ROWS), "ast")
    assert (s.fooled, s.open_broken, s.wrong, s.open_honest, s.right) == (1, 1, 1, 0, 4)


def test_an_error_of_samespec_s_own_is_no_answer() -> None:
    failed = {**row(True), "error": "KeyError: x"}
    s = score(known([*ROWS, failed]), "ast")
    assert (s.honest, s.open_honest, s.wrong) == (4, 1, 1)


def test_pairs_of_tests_count_the_edits_on_which_they_differ() -> None:
    found = {c.what: c for c in contests(known(ROWS), ["textual", "ast"], seed=0)}
    assert (found["fooled"].paired.only_first, found["fooled"].paired.only_second) == (2, 0)
    assert (found["wrong"].paired.only_first, found["wrong"].paired.only_second) == (1, 1)
    assert (found["right"].paired.only_first, found["right"].paired.only_second) == (0, 2)
    assert found["fooled"].paired.p == 0.5
    assert found["fooled"].adjusted == 1.0
    assert found["right"].difference is not None
    assert found["right"].difference.value == pytest.approx(-2 / 7)


def test_an_edit_whose_answer_is_not_known_has_no_say() -> None:
    assert len(known(ROWS)) == 7


def test_a_tool_that_is_not_there_has_a_line_that_says_so() -> None:
    table = overall([score(known(ROWS), "ast")], [(LYNETTE, "not installed")])
    assert table.rows[-1][0] == "lynette additions: not installed"
    assert set(table.rows[-1][1:]) == {None}


# --- other tools -------------------------------------------------------------------------------------------------------


def test_lynette_answers_where_it_is_installed(pairs: dict[str, Pair], tmp_path: Path) -> None:
    program = tmp_path / "lynette"
    program.write_text('#!/bin/sh\ngrep -q assume "$3" && exit 3\necho Disallowed changes detected; exit 1\n')
    program.chmod(0o755)
    tools = find_tools(str(program))
    assert LYNETTE in tools.present
    assert judge(pairs["zero"], BUDGET, tools, audit=False).answers[LYNETTE].kept is False
    assert judge(pairs["assumed"], BUDGET, tools, audit=False).answers[LYNETTE].kept is None  # 3 is nobody's verdict


def test_a_tool_that_was_named_and_is_not_there_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileNotFoundError, match="lynette"):
        find_tools(str(tmp_path / "lynette"))
    with pytest.raises(FileNotFoundError, match="verus"):
        find_tools(None, str(tmp_path / "verus"))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("VERUS", raising=False)
    assert dict(find_tools().missing) == {LYNETTE: "not installed", VERUS: "not installed"}


# --- whole runs --------------------------------------------------------------------------------------------------------


def options(output: Path, **more: object) -> Options:
    return Options(**{"output": output, "seed": 1, "jobs": 1, "budget": BUDGET, **more})  # type: ignore[arg-type]


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a report but the times."""
    files = (p for p in folder.rglob("*") if p.is_file() and p.name != "timings.json")
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in files}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A folder of tasks, and the report on it."""
    root = tmp_path_factory.mktemp("compare")
    made = tasks(root / "tasks")
    run_compare(options(root / "first", tasks=made))
    return made, root / "first"


def test_the_figures_of_a_run(report: tuple[Path, Path]) -> None:
    summary = json.loads((report[1] / "summary.json").read_text())
    said = {t["test"]: (t["fooled"], t["wrong"]) for t in summary["tests"]}
    assert said["textual"] == said["subset-strict"] == (3, 1)
    assert said["subset-naive"] == (4, 1)
    assert said["ast"] == (2, 1)
    assert said["logical"] == (2, 0)
    assert said["logical+audit"] == (0, 0)
    assert summary["edits"] == {
        "judged": 7, "counted": 7, "broken": 5, "broken_contracts": 3, "honest": 2, "errors": 0, "originals": 1, "skipped": 0,
    }  # fmt: skip


def test_the_files_of_a_report(report: tuple[Path, Path]) -> None:
    files = contents(report[1])
    for name in ("results.jsonl", "summary.json", "report.md", "report.html", "SHA256SUMS", "run.json"):
        assert files[name], name
    for name in ("kinds", "mistakes"):
        assert {f"figures/{name}.svg", f"figures/{name}.png"} <= set(files)
    for name in ("overall", "by_kind", "paired", "mistakes", "inputs", "labels"):
        assert {f"tables/{name}.csv", f"tables/{name}.md"} <= set(files)
    text = files["report.md"].decode()
    assert "Fooled by none of the 5 broken edits: `logical+audit`" in text
    assert "`double/zero` (spec-fn-changed): It is zero." in text
    assert str(report[0]) not in text  # no path of this machine
    assert str(report[0]).encode() not in b"".join(files.values())


def test_the_same_run_writes_the_same_bytes_on_any_number_of_processes(report: tuple[Path, Path], tmp_path: Path) -> None:
    run_compare(options(tmp_path / "again", tasks=report[0], jobs=2))
    assert contents(tmp_path / "again") == contents(report[1])


def test_a_run_that_was_stopped_goes_on_and_ends_the_same(
    report: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def stop(done: int, total: int, name: str) -> None:
        seen.append(name)
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_compare(options(tmp_path / "out", tasks=report[0]), stop)
    again: list[str] = []
    run_compare(options(tmp_path / "out", tasks=report[0]), lambda done, total, name: again.append(name))
    assert not set(seen[1:]) & set(again[1:])  # nothing was done twice
    assert contents(tmp_path / "out") == contents(report[1])
    run_compare(options(tmp_path / "out", tasks=report[0]), lambda done, total, name: again.append(name))
    assert contents(tmp_path / "out") == contents(report[1])


def test_another_seed_or_other_edits_need_another_folder(report: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(FolderError, match="seed was 1 and is 2"):
        run_compare(options(report[1], tasks=report[0], seed=2))
    with pytest.raises(FolderError, match="edits have changed"):
        run_compare(options(report[1], tasks=tasks(tmp_path, "zero", *("renamed", "never", "dropped", "new_body", "assumed"))))


# --- a reader's own originals ------------------------------------------------------------------------------------------


def test_originals_are_found_at_any_depth(tmp_path: Path) -> None:
    found, passed = find_originals(originals(tmp_path))
    assert [o.name for o in found] == ["benchmark/easy/p1"]
    assert passed == ["benchmark/easy/p2: has spec.rs, and no verified.rs beside it"]
    assert contract_targets(found[0]) == ("crate::Solution::larger",)


def test_a_folder_without_originals_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OriginalsError, match="holds no originals; it should have folders that each hold"):
        find_originals(tmp_path)
    with pytest.raises(OriginalsError, match="is not a folder"):
        find_originals(tmp_path / "nowhere")


def test_a_sample_is_chosen_by_the_seed(tmp_path: Path) -> None:
    for n in range(9):
        originals(tmp_path / str(n))
    first, second, third = ([o.name for o in find_originals(tmp_path, 3, seed)[0]] for seed in (0, 0, 1))
    assert len(first) == 3
    assert first == second == sorted(first)
    assert first != third
    assert seed_of(0, "a", "kept") != seed_of(0, "b", "kept")


def test_mutants_of_an_original_do_not_touch_lemmas_that_its_contract_does_not_name(tmp_path: Path) -> None:
    (original,), _ = find_originals(originals(tmp_path))
    targets = contract_targets(original)
    for label, kept in ((KEPT, True), (CANDIDATE, None)):
        made = list(mutant_pairs(original, targets, label=label, seed=5, count=6))
        assert len(made) == 6
        assert made == list(mutant_pairs(original, targets, label=label, seed=5, count=6))
        assert all(p.kept is kept and p.submitted != p.original and p.targets == targets for p in made)
        assert all("ensures a >= b || b >= a" in p.submitted for p in made)


def test_a_run_on_originals(tmp_path: Path) -> None:
    folder = originals(tmp_path / "own")
    summary = run_compare(options(tmp_path / "out", originals=folder, mutants=6))
    tests = {t["test"]: t for t in summary["tests"]}
    assert summary["edits"]["originals"] == 1
    assert summary["edits"]["honest"] == 4  # three mutants, and spec.rs to verified.rs
    assert tests["logical"]["wrong"] == tests["logical+audit"]["wrong"] == 0
    assert tests["logical"]["undecided_honest"] == 0
    assert tests["logical"]["fooled"] == 0  # by construction, and the report says so
    text = (tmp_path / "out" / "report.md").read_text()
    assert "cannot be fooled here" in text
    assert "has spec.rs, and no verified.rs beside it" in text.replace("\\", "")
    rows = [json.loads(line) for line in (tmp_path / "out" / "results.jsonl").read_text().splitlines()]
    assert rows[0]["kind"] == "body-changed"
    assert {r["label"] for r in rows if r["kept"] is False} == {"broken, shown by values or the signature"}


def test_a_verified_file_that_takes_something_on_trust_is_not_counted(tmp_path: Path) -> None:
    folder = originals(tmp_path / "own")
    file = folder / "benchmark" / "easy" / "p1" / "verified.rs"
    file.write_text(file.read_text().replace("b >= a,\n{", "b >= a,\n{ admit();"))
    summary = run_compare(options(tmp_path / "out", originals=folder, mutants=0))
    assert (summary["edits"]["judged"], summary["edits"]["counted"]) == (1, 0)
    assert "takes something on trust" in (tmp_path / "out" / "tables" / "labels.csv").read_text()


def test_an_original_that_cannot_be_read_is_a_row_and_no_crash(tmp_path: Path) -> None:
    folder = originals(tmp_path / "own")
    (folder / "benchmark" / "easy" / "p1" / "spec.rs").write_text("fn main() {}\n")
    summary = run_compare(options(tmp_path / "out", originals=folder))
    assert summary["edits"]["skipped"] == 1
    assert summary["edits"]["judged"] == 0
    assert "no function of spec.rs has a contract" in (tmp_path / "out" / "tables" / "skipped.csv").read_text()


def test_an_error_in_a_worker_is_a_row_and_no_crash(pairs: dict[str, Pair], monkeypatch: pytest.MonkeyPatch) -> None:
    from experiments.compare import run

    def fails(*_: object) -> None:
        raise KeyError("inside")

    monkeypatch.setattr(run, "judge", fails)
    unit = run.Unit("double/zero", pairs["zero"], BUDGET, find_tools(), 0, 0)
    (found,) = work(unit)
    assert found["error"] == "KeyError: 'inside'"
    assert found["kept"] is False
