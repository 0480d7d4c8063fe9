"""`samespec corpus`: the whole run, its reports and its exit statuses."""

from __future__ import annotations

import importlib.resources
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from corpus.tasks import load_tasks
from experiments.validation.model import MEANS, EditCheck, Execution, Judged, Means, OriginalCheck, Validation
from experiments.validation.run import Tools, validate
from referee.fence import Unfenced
from samespec.main import run
from samespec.render.corpus_report import CHECK_SCHEMA, check_json, check_text, list_json, list_text
from tests.experiments.tasks_made import edit, make

SCHEMA = json.loads(importlib.resources.files("samespec").joinpath("schemas/corpus-check-1.json").read_text())
ORIGINAL = "fn f(a: u8) -> (r: u8) requires a < 100 ensures r == a + 1 { a + 1 }"
CASE = "[[cases]]\ninputs = { a = 4 }\noutput = 5\n"
ASSUMED = ORIGINAL.replace("{ a + 1 }", "{ assume(false); a + 2 }")
LOOSENED = ORIGINAL.replace("r == a + 1", "r >= a + 1")
EDITS = {
    "sum_turned": edit("equivalent-arithmetic", "equivalent", ORIGINAL.replace("r == a + 1", "r == 1 + a")),
    "at_least": edit("relation-loosened", "weakened", LOOSENED.replace("{ a + 1 }", "{ 255 }")),
    "assumed": edit("proof-hole", "equivalent", ASSUMED, more='audit = "escaped"\nhatch = "assume"\ndepth = 0'),
}
WRONG = {"at_least": edit("equivalent-arithmetic", "equivalent", LOOSENED)}
QUICK = Tools(second=False, toolchain=None, verus=None)


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    return make(tmp_path / "tasks", "next", ORIGINAL, EDITS, cases=CASE)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a compiler and without cvc5: what a test of the front door has no need of."""
    monkeypatch.setattr("referee.toolchain.find_rustc", lambda: None)
    monkeypatch.setattr("experiments.validation.run.has_second_solver", lambda: False)
    monkeypatch.delenv("VERUS", raising=False)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")


def printed(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str]:
    status = run(["corpus", *args])
    return status, capsys.readouterr().out


def test_the_report(tasks: Path, quick: None, capsys: pytest.CaptureFixture[str]) -> None:
    status, out = printed(capsys, "check", "--tasks", str(tasks), "--jobs", "1")
    assert status == 0, out
    assert f"{tasks}: 1 original, 3 edits" in out
    rows = {line.split()[0]: line.split()[1:] for line in out.splitlines() if line.startswith("  ")}
    names = next(line.split() for line in out.splitlines() if line.split()[:1] == ["edits"])
    row = dict(zip(names, rows["relation-loosened"], strict=True))
    assert (row["edits"], row["z3"], row["replay"], row["value"], row["unconfirmed"]) == ("1", "1", "1", "1", "·")
    assert dict(zip(names, rows["proof-hole"], strict=True))["audit"] == "1"
    assert "cvc5: not run: cvc5 is not installed" in out
    assert "rustc: not run: no rustc on the search path" in out
    assert "verus: not run: no Verus here" in out
    assert out.endswith("✓ nothing contradicts a label; 0 of 3 labels confirmed by nothing; 0 may be (2%)\n")


def test_a_contradiction(tmp_path: Path, quick: None, capsys: pytest.CaptureFixture[str]) -> None:
    root = make(tmp_path, "next", ORIGINAL, WRONG, cases=CASE)
    status, out = printed(capsys, "check", "--tasks", str(root), "--jobs", "1")
    assert status == 1
    listed = out[out.index("contradicted:") :]
    assert "next/at_least: `crate::f`: samespec says weakened, the label equivalent" in listed
    assert "✗ 3 contradictions" in listed


def test_too_many_without_confirmation(tmp_path: Path, quick: None, capsys: pytest.CaptureFixture[str]) -> None:
    wide = ORIGINAL.replace("u8", "u64")
    same = edit("equivalent-arithmetic", "equivalent", wide.replace("a < 100", "a < 100 || (a < 50 && a != 7)"))
    root = make(tmp_path, "next", wide, {"sum_turned": same}, cases=CASE)
    status, out = printed(capsys, "check", "--tasks", str(root), "--jobs", "1", "--budget", "1")
    assert status == 3
    assert "next/sum_turned: samespec shows one direction" in out
    assert "confirmed by nothing but the word of who wrote the label:\n  next/sum_turned (equivalent-arithmetic)" in out
    assert out.endswith("? nothing contradicts a label; 1 of 1 labels confirmed by nothing; 0 may be (2%)\n")


def test_json_in_the_schema(tasks: Path, quick: None, capsys: pytest.CaptureFixture[str]) -> None:
    status, out = printed(capsys, "check", "--tasks", str(tasks), "--jobs", "1", "--format", "json")
    document = json.loads(out)
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert document["schema"] == CHECK_SCHEMA == SCHEMA["$id"]
    assert (document["exit_status"], document["passed"], status) == (0, True, 0)
    assert SCHEMA["$defs"]["means"]["enum"] == [str(m) for m in Means] == [str(m) for m in MEANS]
    by_name = {e["name"]: e for e in document["edits"]}
    loosened = by_name["next/at_least"]["targets"][0]
    assert loosened["evidence"] == ["promises at least as much? no: a = 0, r = 2"]
    assert by_name["next/assumed"]["audit_found"] == "escaped"
    assert sum(k["edits"] for k in document["kinds"]) == document["total"]["edits"] == 3
    keys = list(SCHEMA["properties"])
    assert list(document) == keys


def test_the_same_bytes_with_several_processes(tasks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("experiments.validation.run.find_fence", Unfenced)
    made = load_tasks(tasks)
    seen: list[tuple[int, int, str]] = []
    one = validate(made, QUICK, root="tasks", jobs=1, progress=lambda *p: seen.append(p))
    two = validate(made, QUICK, root="tasks", jobs=2)
    assert check_json(one) == check_json(two)
    assert check_text(one, color=False) == check_text(two, color=False)
    assert seen == [
        (0, 4, "compiling and running the programs"),
        (1, 4, "next"),
        (2, 4, "next/assumed"),
        (3, 4, "next/at_least"),
        (4, 4, "next/sum_turned"),
    ]


def test_the_programs_take_part(tasks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from referee.toolchain import find_rustc

    toolchain = find_rustc()
    if toolchain is None:
        pytest.skip("no rustc on this machine: what needs a compiler is not tested")
    monkeypatch.setattr("experiments.validation.run.find_fence", Unfenced)
    found = validate(load_tasks(tasks), replace(QUICK, toolchain=toolchain), root="tasks")
    assert found.originals[0].execution == Execution(1)
    by_name = {e.name: e.execution for e in found.edits}
    assert by_name["next/sum_turned"] == Execution(1)
    assert by_name["next/at_least"] == Execution(1, 1, "case 1: result 255, expected 5")
    assert by_name["next/assumed"] == Execution(1, 1, "case 1: result 6, expected 5")
    assert not found.errors
    text = check_text(found, color=False)
    assert "programs: 1 originals run on the cases of their tasks, 0 of them fail one\n" in text
    assert "programs: 2 broken edits run on the cases of their tasks, 2 of them fail one (their code shows what" in text


def test_output_goes_into_a_file(tasks: Path, quick: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "report.json"
    args = ("check", "--tasks", str(tasks), "--jobs", "1", "--task", "next", "--format", "json", "--output", str(file))
    status, out = printed(capsys, *args)
    assert status == 0
    assert json.loads(file.read_text())["passed"] is True
    assert "nothing contradicts a label" in out
    assert out.endswith(f"written: {file}\n")


@pytest.mark.parametrize("command", ["check", "list"])
@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (lambda t: ["--tasks", str(t / "none")], "is not a folder"),
        (lambda t: ["--tasks", str(t)], "task.toml: cannot be read: No such file or directory"),
        (lambda t: ["--task", "no_such_task"], "no task `no_such_task` in "),
    ],
)
def test_usage_errors(
    tasks: Path, command: str, args: Callable[[Path], list[str]], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["corpus", command, *args(tasks.parent)]) == 2
    assert complaint in capsys.readouterr().err


def test_an_output_that_cannot_be_written_is_refused_at_once(tasks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["corpus", "check", "--tasks", str(tasks), "--output", str(tasks)]) == 2
    assert "cannot be written (Is a directory)" in capsys.readouterr().err


def test_a_folder_without_tasks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["corpus", "list", "--tasks", str(tmp_path)]) == 2
    assert "no tasks in it; each is a folder with an original.rs" in capsys.readouterr().err


# --- the records ---------------------------------------------------------------------------------------------------------


def record(name: str, means: tuple[Means, ...], **more: Any) -> EditCheck:
    target = Judged("crate::f", "weakened", "weakened", means)
    plain = EditCheck(name, "clause-dropped", "weakened", False, "clean", None, (target,), "clean", True, Execution())
    return replace(plain, **more)


def validation(*edits: EditCheck, **more: Any) -> Validation:
    tools = {"cvc5": "c", "rustc": "r", "fence": "f", "verus": "v"}
    return replace(Validation("root", (OriginalCheck("task", "field", ("crate::f",), Execution()),), edits, tools), **more)


def test_the_allowance_is_a_share() -> None:
    sure = [record(f"t/{n}", (Means.Z3,)) for n in range(98)]
    unsure = [record(f"u/{n}", (Means.BOUNDED,)) for n in range(3)]
    assert validation(*sure, *unsure[:2]).passed is True
    assert validation(*sure, *unsure).passed is None
    assert validation(*sure, record("e/1", (Means.Z3,), errors=("wrong",))).passed is False


def test_what_counts_as_confirmed() -> None:
    assert record("a", (Means.REPLAY,)).confirmed
    assert not record("a", (Means.BOUNDED,)).confirmed
    assert not record("a", ()).confirmed
    assert not record("a", (Means.Z3,), audit="escaped", audit_confirmed=False).confirmed
    hole = record("a", (Means.Z3,), audit="escaped", audit_found="escaped")
    assert hole.means == (Means.Z3, Means.AUDIT)
    other = Judged("crate::g", "equivalent", "undecided", (), open="why")
    assert not record("a", (Means.Z3,), targets=(*record("a", (Means.Z3,)).targets, other)).confirmed


def test_the_table_counts_each_means() -> None:
    edits = [record("a/1", (Means.Z3, Means.CVC5)), record("a/2", (Means.Z3,)), record("a/3", (Means.BOUNDED,))]
    document = json.loads(check_json(validation(*edits)))
    counts = {"edits": 3, "z3": 2, "cvc5": 1, "bounded": 1, "alone": 1, "unconfirmed": 1}
    assert {k: document["total"][k] for k in counts} == counts
    jsonschema.Draft202012Validator(SCHEMA).validate(document)


def test_colour_only_where_it_is_wanted() -> None:
    assert "\x1b[" not in check_text(validation(record("a", (Means.Z3,))), color=False)
    assert "\x1b[32m✓" in check_text(validation(record("a", (Means.Z3,))), color=True)


# --- the list ------------------------------------------------------------------------------------------------------------


def test_the_list(tasks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = load_tasks(tasks)
    text = list_text(made)
    assert text.startswith("1 original, 3 edits: 1 kept, 1 broken, 1 with a broken proof\n\nnext  made    3 edits  t\n")
    assert "field: 1 original\n  made     1\n" in text
    assert "proof broken: 1 edit\n  proof-hole     1\n" in text
    document = json.loads(list_json(made))
    assert document["schema"] == "samespec/corpus-list/1"
    assert document["kinds"] == {"equivalent-arithmetic": 1, "proof-hole": 1, "relation-loosened": 1}
    assert document["tasks"][0]["edits"][0] == {
        "name": "assumed", "kind": "proof-hole", "verdict": "equivalent", "kept": False, "audit": "escaped", "hatch": "assume",
    }  # fmt: skip
    assert run(["corpus", "list", "--tasks", str(tasks)]) == 0
    assert capsys.readouterr().out == text


def test_the_corpus_itself_has_what_it_should() -> None:
    tasks = load_tasks()
    edits = [e for t in tasks for e in t.edits]
    assert len(tasks) >= 60
    assert len(edits) >= 600
    lemmas = [t for t in tasks if "proof fn" in t.original and not t.cases]
    assert len(lemmas) >= 12
    kept = sum(e.kept for e in edits)
    assert kept >= len(edits) // 3
    assert len(edits) - kept >= len(edits) // 3
