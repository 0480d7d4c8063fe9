# ruff: noqa: E501 (programs stand on one line each)
"""`samespec audit`: options, exit statuses, formats, pictures."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest

from samespec.main import run
from samespec.render.audit_picture import picture
from tests.depgraph.helpers import found, verus
from tests.depgraph.helpers import run as run_audit

SCHEMA = json.loads((Path(__file__).parents[2] / "samespec/schemas/audit-1.json").read_text(encoding="utf-8"))
BAD = "proof fn deep() ensures false { assume(false); } proof fn h() ensures false { deep(); } proof fn g() { } fn f() ensures true { proof { h(); g(); } }"
CLEAN = "proof fn g() ensures true { } fn f() ensures true { proof { g(); } }"
UNSEEN = "use others::lemma; fn f() ensures true { proof { lemma(); } }"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("bad", BAD), ("clean", CLEAN), ("unseen", UNSEEN)):
        (tmp_path / f"{name}.rs").write_text(verus(text))
    return tmp_path


@pytest.mark.parametrize(("name", "status"), [("bad", 1), ("clean", 0), ("unseen", 3)])
def test_exit_status(files: Path, name: str, status: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", f"{name}.rs", "--target", "f"]) == status
    assert capsys.readouterr().out.startswith({0: "✓", 1: "✗", 3: "?"}[status])


@pytest.mark.parametrize(
    "args",
    [
        ["missing.rs", "--target", "f"],
        ["clean.rs", "--target", "nobody"],
        ["clean.rs", "--target", "f", "--original", "missing.rs"],
        ["clean.rs", "--target", "f", "--verus", "/nowhere/verus"],
        ["clean.rs", "--target", "f", "--format", "png"],
        ["clean.rs", "--target", "f", "--output", "no/such/folder/x.svg"],
    ],
)
def test_wrong_usage(files: Path, args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", *args]) == 2
    assert "rror" in capsys.readouterr().err


def test_text(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["audit", "bad.rs", "--target", "f"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "✗ crate::f: not clean: 1 escaped"
    assert lines[1] == "    bad.rs:4:33: escaped: `assume(e)`: assume(false)"
    assert lines[2] == "        the target calls `crate::h` (line 4), which calls `crate::deep` (line 4)"


def test_the_targets_are_those_with_a_contract(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["audit", "clean.rs", "--format", "json"])
    assert [t["target"] for t in json.loads(capsys.readouterr().out)["targets"]] == ["crate::g", "crate::f"]


def test_json(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("bad", "clean", "unseen"):
        status = run(["audit", f"{name}.rs", "--format", "json"])
        first = capsys.readouterr().out
        data = json.loads(first)
        jsonschema.validate(data, SCHEMA)
        assert data["exit_status"] == status
        run(["audit", f"{name}.rs", "--format", "json"])
        assert capsys.readouterr().out == first


def test_the_original_is_named(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["audit", "bad.rs", "--target", "f", "--original", "bad.rs", "--format", "json"])
    data = json.loads(capsys.readouterr().out)
    jsonschema.validate(data, SCHEMA)
    assert data["original"] == "bad.rs"
    assert data["targets"][0]["findings"][0]["class"] == "trusted-original"
    assert data["clean"] is True


def test_second_opinion_from_a_log(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "log.dot").write_text(
        'digraph M {\n  node_0 [margin=0.1, label="Fun\\ncrate::f", shape="cds"]\n'
        '  node_1 [margin=0.1, label="Fun\\ncrate::g", shape="cds"]\n\n  node_1 -> node_0\n}\n'
    )
    run(["audit", "clean.rs", "--target", "f", "--verus", "log.dot"])
    out = capsys.readouterr().out
    assert "second opinion: only Verus has: crate::g -> crate::f" in out
    assert "second opinion: only samespec has: crate::f -> crate::g (call, clean.rs:4:61)" in out


def test_output_file(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", "bad.rs", "--target", "f", "--format", "svg", "--output", "f.svg"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("✗ crate::f")
    assert out.endswith("written: f.svg\n")
    assert (files / "f.svg").read_text().startswith("<svg")


@pytest.mark.parametrize("name", ["bad", "clean", "unseen"])
def test_svg_is_xml(files: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(["audit", f"{name}.rs", "--format", "svg"])
    tree = ElementTree.fromstring(capsys.readouterr().out)
    assert tree.tag.endswith("svg")


def test_svg_shows_the_hole_first(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["audit", "bad.rs", "--target", "f", "--format", "svg"])
    out = capsys.readouterr().out
    assert 'class="escaped"' in out
    assert 'href="bad.rs#L4"' in out
    assert "prefers-color-scheme: dark" in out
    p = picture(run_audit(BAD))
    layers = sorted((b.layer, b.y, b.key) for b in p.boxes.values())
    assert next(key for layer, _, key in layers if layer == 1) == "crate::h", "the way to the hole comes first"


def test_html_is_self_contained(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["audit", "bad.rs", "--target", "f", "--format", "html"])
    out = capsys.readouterr().out
    assert "<script" not in out
    assert not re.search(r'(src|href)="https?:', out)
    assert "<svg" in out
    assert "prefers-color-scheme: dark" in out
    assert "The expression counts as true" in out


def test_dot(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["audit", "bad.rs", "--target", "f", "--format", "dot"])
    out = capsys.readouterr().out
    assert out.startswith("digraph closure {")
    assert '"0 crate::f" -> "0 crate::h"' in out
    assert out.count("{") == out.count("}")


def test_nothing_from_a_file_gets_into_markup(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "evil<b>.rs").write_text(verus('fn f() ensures true { assume("</text><script>alert(1)</script>" == "\x1b[2J"); }'))
    for output in ("svg", "html", "dot", "text"):
        run(["audit", "evil<b>.rs", "--target", "f", "--format", output, "--no-color"])
        out = capsys.readouterr().out
        assert output in ("dot", "text") or "<script>" not in out
        assert "\x1b" not in out
        if output == "svg":
            ElementTree.fromstring(out)


def test_trusted_parts_are_folded() -> None:
    body = "".join(f"l{i}(); " for i in range(60))
    lemmas = "".join(f"proof fn l{i}() {{ }} " for i in range(60))
    report = run_audit(f"{lemmas} proof fn bad() {{ admit(); }} fn f(v: Vec<u64>) {{ proof {{ {body} bad(); }} v.len(); v.is_empty(); }}")
    p = picture(report)
    assert found(report) == {"admit"}
    assert sorted(len(b.folded) for b in p.boxes.values()) == [0, 0, 2, 60]
    assert all(b.width > 0 for b in p.boxes.values())


def test_boxes_do_not_overlap() -> None:
    report = run_audit(BAD + " pub open spec fn p() -> bool { q() } pub open spec fn q() -> bool { true } proof fn k() ensures p() { h(); }", "k")
    boxes = list(picture(report).boxes.values())
    for i, a in enumerate(boxes):
        for b in boxes[i + 1 :]:
            apart = a.x + a.width <= b.x or b.x + b.width <= a.x or a.y + a.height <= b.y or b.y + b.height <= a.y
            assert apart, (a.key, b.key)


def test_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    run(["audit", "--help"])
    out = capsys.readouterr().out
    assert "samespec audit submitted.rs --target sort --original original.rs" in out
    assert "Exit status" in out
