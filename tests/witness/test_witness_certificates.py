"""Certificates: written, read, checked again; and what does not stand is found out."""

from __future__ import annotations

import importlib.resources
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.witness.witness_made import clamp_tasks, means, needs_rustc
from witness import certificate as certificates
from witness.certificate import SCHEMA, certify, read_certificate, recheck, to_record, why_not, write_certificate
from witness.contract import WitnessError
from witness.gates import Means, judge, read_candidate
from witness.model import Certificate, Task

JSON_SCHEMA = json.loads(importlib.resources.files("samespec").joinpath("schemas/witness-certificate-1.json").read_text())
GOOD = "if x <= TOP { x } else { 0 }"

pytestmark = needs_rustc


def task() -> Task:
    return next(t for t in clamp_tasks().values() if t.omission.clause == "x > TOP ==> r == TOP")


def certified(*expressions: str) -> Certificate:
    candidates = [read_candidate(task(), e, call=n) for n, e in enumerate(expressions, 1)]
    found = certify(task(), judge(task(), candidates, means()), means())
    assert found is not None
    return found


def test_only_the_selected_one_is_certified() -> None:
    found = certified("x.min(TOP)", GOOD, "9")
    assert found.certified and found.considered == 3
    assert found.judgement.candidate.call == 2
    assert found.hashes["task"] == task().sha256
    assert certify(task(), [], means()) is None


def test_a_certificate_says_why_not() -> None:
    found = certified("9")
    assert not found.certified
    assert (why_not(found.judgement) or "").startswith("gate 1 (admitted): fail: it does not verify")
    assert to_record(found)["why_not"] == why_not(found.judgement)


@pytest.mark.parametrize("expression", [GOOD, "9", "loop {}", "x.min(9)", "9 / x"])
def test_written_read_and_checked_again(tmp_path: Path, expression: str) -> None:
    found = certified(expression)
    record = to_record(found)
    jsonschema.validate(record, JSON_SCHEMA)
    write_certificate(tmp_path / "c", task(), found)
    there, again = read_certificate(tmp_path / "c")
    assert there == task() and to_record(again) == record
    checked = recheck(tmp_path / "c", means())
    assert checked.stands and len(checked.steps) >= 10, [s for s in checked.steps if not s.same]


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(JSON_SCHEMA)
    assert JSON_SCHEMA["properties"]["schema"]["const"] == SCHEMA == JSON_SCHEMA["$id"]


def swapped(record: dict[str, Any]) -> None:
    record["candidate"]["expression"] = record["candidate"]["text"] = "x.min(TOP)"


def flipped(record: dict[str, Any]) -> None:
    record["gates"][0]["outcome"] = "pass"
    record["certified"] = all(g["outcome"] == "pass" for g in record["gates"])


def counted(record: dict[str, Any]) -> None:
    record["divergences"] = 99


@pytest.mark.parametrize(("expression", "change"), [(GOOD, swapped), ("9", flipped), (GOOD, counted)])
def test_a_false_certificate_is_found_out(
    tmp_path: Path, expression: str, change: Callable[[dict[str, Any]], None]
) -> None:
    write_certificate(tmp_path, task(), certified(expression))
    file = tmp_path / certificates.FILE
    record = json.loads(file.read_text())
    change(record)
    file.write_text(json.dumps(record))
    checked = recheck(tmp_path, means())
    assert not checked.stands and not checked.undecided


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda r: r.update(certified=not r["certified"]), "what it says about `certified`"),
        (lambda r: r["gates"].pop(), "four gates"),
        (lambda r: r["gates"].reverse(), "four gates"),
        (lambda r: r.update(schema="x"), "the schema is"),
        (lambda r: r["gates"][1].update(outcome="maybe"), "not a certificate"),
        (lambda r: r.pop("hashes"), "not a certificate"),
    ],
)
def test_what_is_no_certificate(tmp_path: Path, change: Callable[[dict[str, Any]], None], words: str) -> None:
    write_certificate(tmp_path, task(), certified(GOOD))
    file = tmp_path / certificates.FILE
    record = json.loads(file.read_text())
    change(record)
    file.write_text(json.dumps(record))
    with pytest.raises(WitnessError) as caught:
        read_certificate(tmp_path)
    assert words in str(caught.value)


def test_a_task_that_was_changed_makes_it_unreadable(tmp_path: Path) -> None:
    write_certificate(tmp_path, task(), certified(GOOD))
    full = tmp_path / "task" / "full.rs"
    full.write_text(full.read_text().replace("x <= TOP ==> r == x", "x <= TOP ==> r <= x"))
    with pytest.raises(WitnessError, match="changed after it was fixed"):
        recheck(tmp_path, means())


def test_without_rustc_it_is_undecided_here(tmp_path: Path) -> None:
    write_certificate(tmp_path, task(), certified(GOOD))
    checked = recheck(tmp_path, Means(None))
    assert not checked.stands and checked.undecided


def test_nothing_else_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(WitnessError, match="something else is there"):
        write_certificate(tmp_path, task(), certified(GOOD))
