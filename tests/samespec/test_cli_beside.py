"""`samespec check` with --mode proof, --audit and --confirm: what these find counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from samespec.main import cli

HONEST = """use vstd::prelude::*;
verus! {
pub proof fn helper(x: int) requires x > 1 ensures x * x > x { assert(x * x > x) by (nonlinear_arith) requires x > 1; }
pub fn double(x: u8) -> (r: u16)
    ensures r == 2 * x,
{
    x as u16 * 2
}
fn main() {}
}
"""
CASES = {
    "ghost only": ("    x as u16 * 2", "    proof { helper(3); }\n    x as u16 * 2", 0, 0),
    "an assumption": ("    x as u16 * 2", "    proof { assume(false); }\n    x as u16 * 2", 0, 1),
    "other code": ("    x as u16 * 2", "    x as u16 + x as u16", 1, 0),
    "a hole one call away": ("{ assert(x * x > x) by (nonlinear_arith) requires x > 1; }", "{ admit(); }", 0, 0),
    "a hole that is called": (
        "    x as u16 * 2\n}",
        "    proof { gone(); }\n    x as u16 * 2\n}\nproof fn gone() ensures false { admit(); }",
        0,
        1,
    ),
}


def run(tmp_path: Path, submitted: str, *flags: str) -> tuple[int, str]:
    (tmp_path / "a.rs").write_text(HONEST)
    (tmp_path / "b.rs").write_text(submitted)
    result = CliRunner().invoke(
        cli, ["check", str(tmp_path / "a.rs"), str(tmp_path / "b.rs"), "--fn", "double", *flags], standalone_mode=False
    )
    assert result.exception is None, result.exception
    return int(result.return_value), result.output


@pytest.mark.parametrize("name", list(CASES))
def test_proof_mode_and_audit(tmp_path: Path, name: str) -> None:
    old, new, code, audit = CASES[name]
    submitted = HONEST.replace(old, new)
    assert submitted != HONEST
    assert run(tmp_path, submitted)[0] == 0, "the contract stands"
    status, text = run(tmp_path, submitted, "--mode", "proof")
    assert status == code, text
    assert ("executable code changed" in text) is bool(code)
    status, text = run(tmp_path, submitted, "--audit")
    assert status == audit, text
    assert ("escaped" in text) is bool(audit)


def test_json_holds_what_was_asked_for(tmp_path: Path) -> None:
    submitted = HONEST.replace("    x as u16 * 2", "    proof { assume(false); }\n    x as u16 * 2")
    status, text = run(tmp_path, submitted, "--audit", "--mode", "proof", "--format", "json")
    report = json.loads(text)
    assert status == report["exit_status"] == 1
    assert report["kept"] is True
    assert report["code_changes"] == []
    assert [f["hatch"] for t in report["audit"] for f in t["findings"] if f["class"] == "escaped"] == ["assume"]


def test_without_verus_nothing_is_confirmed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VERUS", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    status, text = run(tmp_path, HONEST, "--confirm")
    assert status == 3
    assert "confirmed: not run" in text
    assert "VERUS" in text, "how to get it"


TWO = """use vstd::prelude::*;
verus! {
pub struct A<T> { t: T }
impl A<u8> { pub fn f(x: u8) -> (r: u8) ensures r >= x { x } }
impl A<u16> { pub fn f(x: u8) -> (r: u8) ensures r >= x { x } }
pub fn g(x: u8) -> (r: u8) ensures r >= x { x }
}
"""
G = "pub fn g(x: u8) -> (r: u8) ensures r >= x { x }"
MOVED = "mod m { use vstd::prelude::*; pub fn g(x: u8) -> (r: u8) ensures r >= x { BODY } } pub use m::g;"


@pytest.mark.parametrize(
    ("old", "new", "targets", "status", "says"),
    [
        (G, MOVED.replace("BODY", "x"), ["g"], 0, "crate::m::g: clean"),
        (G, MOVED.replace("BODY", "assume(false); 0"), ["g"], 1, "crate::m::g: not clean"),
        ("impl A<u16> { pub fn f(x: u8) -> (r: u8) ensures r >= x { x }", "the second one", [], 3, "defined more than once"),
        (G, "pub fn g(x: u8) -> (r: u8) ensures r >= x { assume(false); 0 }", ["g"], 1, "crate::g: not clean"),
        (G, "", ["g"], 1, "crate::g: not audited: `crate::g` is gone"),
    ],
)
def test_a_target_is_audited_where_it_stands_now_or_is_not_clean(tmp_path, old, new, targets, status, says):
    """A hole in a target that moved, or whose path several functions have, must not pass because nobody looked there."""
    new = old.replace("{ x }", "{ assume(false); 0 }") if new == "the second one" else new
    (tmp_path / "a.rs").write_text(TWO)
    (tmp_path / "b.rs").write_text(TWO.replace(old, new))
    named = [word for t in targets for word in ("--fn", t)]
    result = CliRunner().invoke(
        cli, ["check", str(tmp_path / "a.rs"), str(tmp_path / "b.rs"), "--audit", *named], standalone_mode=False
    )
    assert (result.return_value, says in result.output) == (status, True), result.output
