"""`samespec witness find` as a user meets it: text, JSON, exit status, mistakes."""

from __future__ import annotations

import importlib.resources
import json
import subprocess
import sys

import jsonschema
import pytest

from samespec.main import run
from samespec.render.witness_find import ANSWER, FIND_SCHEMA, GOOD
from witness.finding import FindReport, Fit, Pinned, Weight

SCHEMA = json.loads(importlib.resources.files("samespec").joinpath("schemas/witness-find-1.json").read_text())
TEXT = """use vstd::prelude::*;
verus! {
fn at_most(x: u8) -> (r: u8)
    requires
        x < 100,
    ensures
        r <= x,
        r < 100,
{ x }
fn same(x: u8) -> (r: u8)
    ensures
        r == x,
{ x }
proof fn lemma(x: int)
    ensures
        x == x,
{ }
}
"""
CASES = """
[[cases]]
fn = "at_most"
inputs = { x = 0 }
output = 0

[[cases]]
fn = "at_most"
inputs = { x = 7 }
output = 7
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.rs").write_text(TEXT)
    (tmp_path / "cases.toml").write_text(CASES)
    return tmp_path


def find(capsys, *args):
    status = run(["witness", "find", *args])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_two_outputs(folder, capsys):
    status, out, _ = find(capsys, "a.rs", "--fn", "at_most", "--cases", "cases.toml")
    assert status == 1
    assert out.startswith("✗ crate::at_most: two outputs\n    with x = ")
    assert "      replayed: confirmed by the evaluator\n" in out
    assert "redundant: a.rs:8:9: ensures r < 100\n        it follows from the rest" in out
    assert "carries weight: a.rs:7:9: ensures r <= x\n        it alone forbids x = " in out
    assert "    cases: 1 of 2 fit\n      ✗ case 2: x = 7 gives r = 7\n" in out


def test_determined(folder, capsys):
    status, out, _ = find(capsys, "a.rs", "--fn", "crate::same")
    assert status == 0 and out.startswith("✓ crate::same: determined\n")


def test_all_functions_with_a_contract_and_an_output(folder, capsys):
    status, out, _ = find(capsys, "a.rs")
    assert status == 1 and "lemma" not in out
    assert out.splitlines()[-1] == "determined: 1 of 2; two outputs: 1 of 2"


def test_declared(folder, capsys):
    status, out, _ = find(capsys, "a.rs", "--fn", "at_most", "--any-of", "any")
    assert status == 0 and "declared free (`r` up to any)" in out
    (folder / "d.toml").write_text('[declared]\nat_most = "any"\n')
    assert find(capsys, "a.rs", "--fn", "at_most", "--declared", "d.toml")[0] == 0
    assert find(capsys, "a.rs", "--fn", "at_most", "--up-to", "|a, b| a == b")[0] == 1


def test_undecided(folder, capsys):
    text = "uninterp spec fn g(x: u8) -> bool;\nfn f(x: u8) -> (r: u8) ensures g(x) ==> r == 0 { 0 }"
    (folder / "u.rs").write_text(f"verus! {{ {text} }}")
    status, out, _ = find(capsys, "u.rs", "--budget", "100000")
    assert status == 3 and "? crate::f: undecided" in out and "tried: " in out


def test_nothing_to_look_at(folder, capsys):
    (folder / "n.rs").write_text("verus! { proof fn f(x: int) ensures x == x { } }")
    status, out, _ = find(capsys, "n.rs")
    assert status == 0 and out == "nothing to look at: no function of n.rs has a contract and an output\n"


def test_json_validates(folder, capsys):
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    (folder / "u.rs").write_text(TEXT.replace("r == x", "r == x, r > 3.0"))
    for args in (["a.rs", "--fn", "at_most", "--cases", "cases.toml"], ["a.rs"], ["u.rs"]):
        status, out, _ = find(capsys, *args, "--format", "json", "--budget", "300000")
        document = json.loads(out)
        jsonschema.Draft202012Validator(SCHEMA).validate(document)
        assert document["exit_status"] == status
        assert document["schema"] == FIND_SCHEMA == SCHEMA["$id"]


def test_json_is_the_same_twice(folder, capsys):
    args = ("a.rs", "--cases", "cases.toml", "--fn", "at_most", "--format", "json")
    assert find(capsys, *args)[1] == find(capsys, *args)[1]


def test_the_schema_knows_every_word():
    definitions = SCHEMA["$defs"]
    assert definitions["answer"]["enum"] == [str(p) for p in Pinned]
    assert definitions["clause_answer"]["properties"]["weight"]["enum"] == [str(w) for w in Weight]
    assert definitions["case"]["properties"]["fit"]["enum"] == [str(f) for f in Fit]
    assert set(ANSWER) == set(GOOD) == set(Pinned)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["none.rs"], "none.rs: no such file"),
        (["a.rs", "--fn", "nobody"], "no function `nobody` in a.rs; functions with a contract: "),
        (["a.rs", "--fn", "lemma"], "no output to pin down"),
        (["a.rs", "--any-of", "order"], "--any-of order: not one of same, permutation, index, view, any"),
        (["a.rs", "--fn", "same", "--any-of", "permutation"], "no sequence whose order could differ"),
        (["a.rs", "--up-to", "r > 3"], "neither a closure `|a, b| …` nor the path of a spec function"),
        (["a.rs", "--cases", "a.rs"], "a.rs: is not TOML"),
        (["a.rs", "--cases", "none.toml"], "none.toml: cannot be read (No such file or directory)"),
        (["a.rs", "--declared", "cases.toml"], "cases.toml: has no table [declared]"),
        (["a.rs", "--budget", "0"], "0 is not in the range x>=1"),
        ([], "Missing argument 'FILE'"),
    ],
)
def test_mistakes_get_one_message(folder, capsys, args, message):
    status, out, err = find(capsys, *args)
    assert status == 2 and not out and message in err and "Traceback" not in err


def test_what_a_file_says_cannot_repaint_the_terminal(folder, capsys):
    (folder / "e.rs").write_text('verus! { fn f(x: u8) -> (r: u8) ensures r <= x, "\x1b[2J\u202e"@.len() >= 0 { x } }')
    _, out, _ = find(capsys, "e.rs", "--no-color", "--budget", "100000")
    assert "\x1b" not in out and "\u202e" not in out


def test_statuses_of_reports():
    def status(answer):
        return FindReport("f", None, answer).status

    assert {a: status(a) for a in Pinned} == {
        Pinned.DETERMINED: 0,
        Pinned.DECLARED: 0,
        Pinned.TWO_OUTPUTS: 1,
        Pinned.CONTRADICTORY: 1,
        Pinned.UNDECIDED: 3,
        Pinned.UNSUPPORTED: 3,
    }


def test_help_does_not_load_a_solver():
    code = "import sys; from samespec.main import run; run(['witness', 'find', '--help']); sys.exit('z3' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=False).returncode == 0
