"""The JSON of `samespec check`: valid in its schema, and the same bytes twice."""

from __future__ import annotations

import importlib.resources
import json

import jsonschema
import pytest

from equiv.verdict import Answer, Question, SpecChange, Verdict
from samespec.main import run
from samespec.render.json_report import CHECK_SCHEMA, QUESTION
from tests.samespec.conftest import CHANGE

SCHEMA = json.loads(importlib.resources.files("samespec").joinpath("schemas/check-1.json").read_text())


def printed(capsys, *args):
    run(["check", *args, "--format", "json"])
    return capsys.readouterr().out


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["properties"]["schema"]["const"] == CHECK_SCHEMA == SCHEMA["$id"]


def test_the_schema_knows_every_word():
    definitions = SCHEMA["$defs"]
    assert definitions["verdict"]["enum"] == [str(v) for v in Verdict]
    assert definitions["question"]["enum"] == [QUESTION[q] for q in Question]
    assert definitions["obligation"]["properties"]["answer"]["enum"] == [str(a) for a in Answer]


@pytest.mark.parametrize("strict", [[], ["--strict"]])
@pytest.mark.parametrize("verdict", [*Verdict, None])
def test_output_validates(fake, pair, capsys, verdict, strict):
    fake.verdicts = [] if verdict is None else [verdict]
    fake.unreached = (SpecChange("sorted", CHANGE, "different"),)
    fake.notes = ("a note",)
    document = json.loads(printed(capsys, *pair, *strict))
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert document["exit_status"] == {True: 0, False: 1, None: 3}[document["kept"]]


def test_keys_stand_in_the_order_of_the_schema(fake, pair, capsys):
    fake.verdicts = [Verdict.WEAKENED]
    document = json.loads(printed(capsys, *pair))

    def check_order(value, schema):
        schema = SCHEMA["$defs"][schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else schema
        if isinstance(value, dict) and "properties" in schema:
            assert list(value) == [k for k in schema["properties"] if k in value]
            for key, part in value.items():
                check_order(part, schema["properties"][key])
        elif isinstance(value, list):
            for part in value:
                check_order(part, schema["items"])

    check_order(document, SCHEMA)


def test_the_same_bytes_twice_but_for_the_timing(fake, pair, capsys):
    fake.verdicts = list(Verdict)
    texts = [printed(capsys, *pair) for _ in range(2)]
    assert texts[0].isascii()
    cut = [t[: t.index('"timing"')] for t in texts]
    assert cut[0] == cut[1]


def test_values(fake, pair, capsys):
    fake.verdicts = [Verdict.WEAKENED]
    target = json.loads(printed(capsys, *pair))["targets"][0]
    assert target["reasons"][0]["code"] == "ensures-weakened"
    assert target["reasons"][0]["counterexample"]["bindings"][0] == {"name": "a", "value": "vec![3, 1]"}
    assert target["obligations"][0]["question"] == "accepts"
    assert target["original_place"] == {"file": "original.rs", "line": 1, "column": 13}
