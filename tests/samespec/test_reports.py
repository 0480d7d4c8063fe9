"""Every report says what is broken and where, and text from a file cannot leave its place in it."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from click.testing import CliRunner

from samespec import api, beside
from samespec.main import cli
from samespec.render.reports import rendered
from samespec.render.review import RULES, Reviewed, findings

TASKS = Path(__file__).parents[2] / "corpus" / "tasks"
SORT, ATTACK = TASKS / "sort" / "original.rs", TASKS / "sort" / "edits" / "compared_with_itself" / "submitted.rs"

HEAD = "use vstd::prelude::*;\nverus! {\n"
#: A submission that tries to speak through the report.
NASTY = "`</details>|```::error::<script>%0A\u202e\u0001]]>&"


def reviewed(original: Path, submitted: Path, *, audit: bool = False) -> Reviewed:
    report = api.check(original, submitted)
    found = [beside.closure(original, submitted, [t.target for t in report.targets], color=False)] if audit else []
    return Reviewed(report, tuple(found))


def pair(folder: Path, original: str, submitted: str) -> tuple[Path, Path]:
    files = folder / "original.rs", folder / "submitted.rs"
    for file, text in zip(files, (original, submitted), strict=True):
        file.write_text(HEAD + text + "\n}\n", encoding="utf-8")
    return files


@pytest.fixture
def nasty(tmp_path: Path) -> Reviewed:
    clause = f'ensures r == "{NASTY}"@.len(),'
    submitted = "fn f() -> (r: u64) ensures r >= 0 { 0 }"
    found = reviewed(*pair(tmp_path, f"fn f() -> (r: u64) {clause} {{ 0 }}", submitted))
    assert "script" in str(found.report.targets)
    return found


# --- what is found ------------------------------------------------------------------------------------------------------


def test_a_broken_contract_is_one_error_with_both_places() -> None:
    (found,) = findings([reviewed(SORT, ATTACK)], strict=False)
    assert (found.rule, found.level, found.target) == ("weakened", "error", "crate::sort")
    assert found.place is not None and found.before is not None
    assert (found.place.file, found.before.file) == (str(ATTACK), str(SORT))
    assert any("vec![1, 0]" in line for line in found.details)


def test_a_kept_contract_is_no_finding() -> None:
    assert findings([reviewed(SORT, SORT)], strict=False) == []


def test_what_nobody_knows_is_a_warning(tmp_path: Path) -> None:
    files = pair(tmp_path, "fn f(x: u8) ensures x < 9 { }", "fn f(x: u8) ensures x < { 9 { }")
    (found,) = findings([reviewed(*files)], strict=False)
    assert (found.level, found.rule) in {("warning", "unsupported"), ("error", "missing")}


def test_a_proof_hole_is_found(tmp_path: Path) -> None:
    contract = "fn f(x: u8) -> (r: u8) ensures r == x"
    files = pair(tmp_path, f"{contract} {{ x }}", f"{contract} {{ proof {{ assume(false); }} 0 }}")
    (found,) = findings([reviewed(*files, audit=True)], strict=False)
    assert (found.rule, found.level) == ("proof-hole", "error")
    assert found.place is not None and found.place.line == 3


def test_every_verdict_has_a_rule() -> None:
    from equiv.verdict import Verdict

    assert {str(v) for v in Verdict if v.kept() is not True} <= set(RULES)


# --- SARIF --------------------------------------------------------------------------------------------------------------

#: The part of the standard (OASIS, SARIF 2.1.0) that these logs use, strictly. The whole schema is tried where a copy is named.
PLACE: dict[str, Any] = {
    "type": "object",
    "required": ["physicalLocation"],
    "properties": {
        "id": {"type": "integer", "minimum": 0},
        "message": {"type": "object", "required": ["text"]},
        "logicalLocations": {"type": "array", "items": {"type": "object", "required": ["fullyQualifiedName"]}},
        "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation", "region"],
            "additionalProperties": False,
            "properties": {
                "artifactLocation": {"type": "object", "required": ["uri"], "properties": {"uri": {"format": "uri-reference"}}},
                "region": {
                    "type": "object",
                    "properties": {n: {"type": "integer", "minimum": 1} for n in ("startLine", "startColumn")},
                },
            },
        },
    },
    "additionalProperties": False,
}
SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "properties": {
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "tool": {"type": "object", "required": ["driver"]},
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["message", "ruleId", "ruleIndex", "level"],
                            "properties": {
                                "level": {"enum": ["none", "note", "warning", "error"]},
                                "locations": {"type": "array", "items": PLACE},
                                "relatedLocations": {"type": "array", "items": PLACE},
                            },
                        },
                    },
                },
            },
        },
    },
}


def sarif(pairs: list[Reviewed]) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(rendered("sarif", pairs, strict=False, exit_status=1))
    jsonschema.validate(document, SARIF)
    return document


def test_sarif() -> None:
    document = sarif([reviewed(SORT, ATTACK), reviewed(SORT, SORT)])
    (run,) = document["runs"]
    (result,) = run["results"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "weakened"
    assert result["level"] == "error"
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 23


def test_sarif_places_are_uris(tmp_path: Path) -> None:
    folder = tmp_path / "a folder, ünïcode"
    folder.mkdir()
    document = sarif([reviewed(*pair(folder, "fn f(x: u8) ensures x < 9 { }", "fn f(x: u8) { }"))])
    uri = document["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.startswith("file:///") and re.fullmatch(r"[!-~]+", uri)


@pytest.mark.skipif("SAMESPEC_SARIF_SCHEMA" not in os.environ, reason="SAMESPEC_SARIF_SCHEMA names no copy of the schema")
def test_sarif_by_the_standards_own_schema(nasty: Reviewed) -> None:
    schema = json.loads(Path(os.environ["SAMESPEC_SARIF_SCHEMA"]).read_text(encoding="utf-8"))
    jsonschema.validate(sarif([reviewed(SORT, ATTACK, audit=True), nasty]), schema)


# --- JUnit --------------------------------------------------------------------------------------------------------------


def test_junit_counts_its_cases() -> None:
    root = ElementTree.fromstring(rendered("junit", [reviewed(SORT, ATTACK), reviewed(SORT, SORT)], strict=False, exit_status=1))
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("4", "1", "0")
    assert [len(suite) for suite in root] == [2, 2]
    (failure,) = root.iter("failure")
    assert "vec![1, 0]" in (failure.text or "")


def test_junit_survives_what_xml_cannot_hold(nasty: Reviewed) -> None:
    ElementTree.fromstring(rendered("junit", [nasty], strict=False, exit_status=1))


# --- Markdown -----------------------------------------------------------------------------------------------------------


def test_markdown_shows_the_values_in_a_table() -> None:
    text = rendered("markdown", [reviewed(SORT, ATTACK)], strict=False, exit_status=1)
    assert text.startswith("**samespec** not kept: 1 of 2 targets\n")
    assert "| `final(v)` | `vec![1, 0]` |" in text
    assert text.count("<details>") == text.count("</details>") == 1


def test_nothing_leaves_its_code_span(nasty: Reviewed) -> None:
    text = rendered("markdown", [nasty], strict=False, exit_status=1)
    outside = re.sub(r"(?ms)^(`{3,})\w*\n.*?^\1$", "", text)
    outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", outside)
    assert "script" not in outside and "::error" not in outside
    assert outside.count("</details>") == outside.count("<details>")


# --- annotations --------------------------------------------------------------------------------------------------------


def test_an_annotation_is_one_line_at_its_place() -> None:
    lines = rendered("github", [reviewed(SORT, ATTACK)], strict=False, exit_status=1).splitlines()
    assert lines[0].startswith(f"::error file={ATTACK},line=23,col=8,title=samespec%3A weakened::crate::sort: weakened")
    assert lines[1:] == ["not kept: 1 of 2 targets"]


def test_an_annotation_cannot_speak_twice(nasty: Reviewed) -> None:
    lines = rendered("github", [nasty], strict=False, exit_status=1).splitlines()
    assert sum(line.startswith("::") for line in lines) == 1


# --- the command --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("output", ["sarif", "junit", "markdown", "github"])
def test_the_command_prints_them(output: str) -> None:
    done = CliRunner().invoke(cli, ["check", str(SORT), str(ATTACK), "--format", output], standalone_mode=False)
    assert done.return_value == 1
    assert done.stdout == rendered(output, [reviewed(SORT, ATTACK)], strict=False, exit_status=1)


# --- the page -----------------------------------------------------------------------------------------------------------


class Outline(HTMLParser):
    """The elements of a page, and whether they nest."""

    VOID = frozenset({"meta", "br", "link", "img"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.tags if name == tag]


def page(original: Path, submitted: Path, *flags: str) -> str:
    arguments = ["check", str(original), str(submitted), "--format", "html", *flags]
    return CliRunner().invoke(cli, arguments, standalone_mode=False).stdout


def test_the_page_shows_contracts_values_and_what_differs() -> None:
    text = page(SORT, ATTACK, "--audit")
    outline = Outline(text)
    assert "<td>vec![1, 0]</td>" in text
    assert "<h4><code>ascending(final(v)@)</code> is no longer promised</h4>" in text
    assert "<del>j</del>" in text and "<ins>i</ins>" in text
    assert len(outline.all("svg")) == 2


def test_the_page_asks_for_nothing_and_runs_nothing() -> None:
    outline = Outline(page(SORT, ATTACK, "--audit"))
    assert not outline.all("script") and not outline.all("link") and not outline.all("img")
    assert all((a.get("href") or "").startswith(("data:", "file:", "#", "/")) for a in outline.all("a"))
    policy = next(m for m in outline.all("meta") if m.get("http-equiv") == "Content-Security-Policy")
    assert (policy["content"] or "").startswith("default-src 'none'")


def test_the_evidence_is_in_the_page() -> None:
    downloads = {a["download"]: a["href"] or "" for a in Outline(page(SORT, ATTACK)).all("a") if a.get("download")}
    report = json.loads(base64.b64decode((downloads["report.json"] or "").partition(",")[2]))
    assert report["kept"] is False and "timing" not in report
    files = {name: href for name, href in downloads.items() if (name or "").endswith(".smt2")}
    scripts = [base64.b64decode(href.partition(",")[2]).decode() for href in files.values()]
    assert scripts and all("(check-sat)" in s for s in scripts)


def test_the_page_is_the_same_in_every_run() -> None:
    assert page(SORT, ATTACK, "--audit") == page(SORT, ATTACK, "--audit")


def test_nothing_in_a_file_becomes_markup(tmp_path: Path) -> None:
    clause = f'ensures r == "{NASTY}"@.len(),'
    files = pair(tmp_path, f"fn f() -> (r: u64) {clause} {{ 0 }}", "fn f() -> (r: u64) ensures r >= 0 { 0 }")
    text = page(*files)
    assert "&lt;script&gt;" in text
    assert not Outline(text).all("script")


CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_the_page_in_a_browser(tmp_path: Path, width: int, scheme: Any) -> None:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install 'samespec[browser]'")
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    file = tmp_path / "page.html"
    file.write_text(page(SORT, ATTACK, "--audit"), encoding="utf-8")
    with sync_api.sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        tab = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme, offline=True).new_page()
        tab.goto(file.as_uri())
        assert tab.evaluate("document.documentElement.scrollWidth") <= width  # nothing sticks out
        found = axe.Axe().run(tab)
        browser.close()
    assert found.violations_count == 0, found.generate_report()
