"""`samespec witness repair` as a user meets it."""

from __future__ import annotations

import importlib.resources
import json

import jsonschema
import pytest

from samespec.main import run
from samespec.render.witness_repair import SCHEMA as NAME
from tests.witness.test_repair import certificate, made
from witness.certificate import write_certificate
from witness.contract import open_function, working

SCHEMA = json.loads(importlib.resources.files("samespec").joinpath("schemas/witness-repair-1.json").read_text())


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    t, expression = made("an upper bound")
    write_certificate(tmp_path / "found", t, certificate(t, expression))
    write_certificate(tmp_path / "more" / "one", t, certificate(t, "v[0].max(201)"))
    other, expression = made("one way")
    write_certificate(tmp_path / "more" / "two", other, certificate(other, expression))
    write_certificate(tmp_path / "none", t, certificate(t, "v[0]", certified=False))
    return tmp_path


def repair(capsys, *args):
    status = run(["witness", "repair", *args])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_text(folder, capsys):
    status, out, _ = repair(capsys, "found", "--no-color")
    assert status == 0 and out.startswith("✓ test: repaired\n    fn f(v: &Vec<u8>) -> (r: u8)")
    assert "new: exists|i: int| 0 <= i < v@.len() && v@[i] == r\n" in out
    assert "    needed: the rest admits v = " in out and "(replayed)" in out and "    minimal: " in out
    assert "the witness `u8::MAX` no longer verifies: with v = vec![1] it gives r = 255, and fails: exists" in out
    assert "keeps 8 official cases; nothing else is known of the correct implementation" in out
    assert "the description of the task was not read" in out


def test_with_the_original(folder, capsys):
    status, out, _ = repair(capsys, "found", "--original-known", "--no-color")
    assert status == 0 and "from: dropped clause" in out
    assert "every new clause follows from the full contract (proved)\nstrength: as strong as the full contract" in out


def test_its_like(folder, capsys):
    _, out, _ = repair(capsys, "found", "--like", "more", "--no-color")
    assert "rejects 1 of 1 other certified witness that the weakened contract admits at the visible cases" in out


def test_the_file_that_is_written(folder, capsys):
    status, out, _ = repair(capsys, "found", "--output", "repaired.rs")
    assert status == 0 and out.endswith("written: repaired.rs\n")
    with working():
        assert len(open_function("r.rs", (folder / "repaired.rs").read_text(), "f").ensures) == 2


@pytest.mark.parametrize("more", [[], ["--original-known"]])
def test_json(folder, capsys, more):
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    status, out, _ = repair(capsys, "found", "--format", "json", *more)
    document = json.loads(out)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert status == 0 and document["schema"] == NAME == SCHEMA["$id"]
    assert document["repaired"] and document["clauses"][0]["keeps"] == ("proved" if more else "cases")
    assert repair(capsys, "found", "--format", "json", *more)[1] == out


def test_no_repair(folder, capsys):
    t, _ = made("an upper bound")
    write_certificate(folder / "right", t, certificate(t, "if v[0] > 5 { 9 } else { 9 }"))
    t, _ = made("gap free")
    write_certificate(folder / "same", t, certificate(t, "a.abs_diff(b)"))
    status, out, _ = repair(capsys, "same", "--no-color")
    assert status == 1 and out.startswith("✗ test: not repaired\n    the witness `a.abs_diff(b)` gives the official output")
    assert repair(capsys, "same", "--output", "o.rs")[0] == 1 and not (folder / "o.rs").exists()
    document = json.loads(repair(capsys, "same", "--format", "json")[1])
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert not document["repaired"] and document["why_not"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["nowhere"], "nowhere/certificate.json: no such file"),
        (["none"], "`v[0]` is not certified: nothing to repair from"),
        (["found", "--like", "nowhere"], "nowhere: no such folder"),
        (["found", "--output", "no/such/folder.rs"], "no/such/folder.rs: cannot be written"),
        ([], "Missing argument 'CERTIFICATE'"),
    ],
)
def test_mistakes_get_one_message(folder, capsys, args, message):
    status, _, err = repair(capsys, *args)
    assert status == 2 and message in err and "Traceback" not in err


def test_a_certificate_whose_task_was_changed(folder, capsys):
    file = folder / "found" / "task" / "weakened.rs"
    file.write_text(file.read_text().replace("v[0]", "v[0 ]"))
    status, _, err = repair(capsys, "found")
    assert status == 2 and "was changed after it was fixed" in err
