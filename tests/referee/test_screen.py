"""Screening: what is screened out, by which layer, and that honest work passes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corpus.tasks import Task
from referee.screen import screen

GIVEN = """\
use vstd::prelude::*;

verus! {

pub open spec fn double(x: int) -> int {
    x + x
}

// admit, assume(false) and external_body stand here in a comment
pub fn twice(x: u8) -> (r: u16)
    ensures
        r == double(x as int),
{
    unimplemented!()
}

} // verus!
"""
GOOD = GIVEN.replace("unimplemented!()", "let r = x as u16 + x as u16;\n    r")


def codes(submitted: str, given: str = GIVEN, mode: str = "contract") -> set[tuple[int, str]]:
    return {(f.layer, f.code) for f in screen(given, submitted, targets=["twice"], mode=mode).findings}


def body(text: str) -> str:
    return GIVEN.replace("unimplemented!()", text)


def test_honest_work_passes() -> None:
    assert screen(GIVEN, GOOD, targets=["twice"]).passed
    words = body('let assume_role = "admit(); external_body"; /* assume(false) */ let r = x as u16 * 2; r')
    assert codes(words) == set()


@pytest.mark.parametrize(
    "text",
    [
        "proof { assume(false); } 0",
        "proof { admit(); } 0",
        "assert(false) by { assume(false); } 0",
        "let f = |y: u8| { proof { vstd::pervasive::assume(false); } y }; 0",
        "proof { verus_builtin::assume_(false); } 0",
        "proof { let tracked t: int = Tracked::assume_new(); } 0",
        'include!("other.rs")',
        "unsafe { core::mem::zeroed() }",
    ],
)
def test_forbidden_constructs_in_a_body(text: str) -> None:
    assert (1, "forbidden-construct") in codes(body(text))
    assert (2, "count-guard") in codes(body(text))


@pytest.mark.parametrize(
    "item",
    [
        "#[verifier::external_body] proof fn lie() ensures false { }",
        "axiom fn lie() ensures false;",
        "pub assume_specification[ u8::leading_zeros ](x: u8) -> (r: u32) ensures false;",
        "uninterp spec fn anything() -> int;",
        "use vstd::pervasive::assume as given;",
        "macro_rules! sure { ($e:expr) => { assume($e) }; }",
        "#[verifier::exec_allows_no_decreases_clause] fn spin() -> u16 { loop { } }",
    ],
)
def test_forbidden_constructs_in_a_helper(item: str) -> None:
    assert (1, "forbidden-construct") in codes(GOOD.replace("pub fn twice", f"{item}\n\npub fn twice"))


def test_a_trusted_item_that_was_there_stays_and_does_not_multiply() -> None:
    trusted = "#[verifier::external_body]\nproof fn known()\n    ensures true,\n{\n}\n\n"
    given, good = (text.replace("pub fn twice", trusted + "pub fn twice") for text in (GIVEN, GOOD))
    assert screen(given, good, targets=["twice"]).passed
    twice = good.replace(
        "pub fn twice", trusted.replace("known", "other").replace("ensures true", "ensures false") + "pub fn twice"
    )
    assert {(1, "forbidden-construct"), (2, "count-guard")} <= codes(twice, given)
    # the same words, moved: the count is the same, the region is the agent's
    moved = GOOD.replace("pub fn twice", trusted.replace("ensures true", "ensures false") + "pub fn twice")
    assert codes(moved, given) == {(1, "forbidden-construct")}


def test_a_changed_contract() -> None:
    weaker = GOOD.replace("r == double(x as int)", "r >= x")
    assert codes(weaker) == {(3, "contract-changed")}
    redefined = GOOD.replace("x + x", "x")
    assert codes(redefined.replace("x as u16 + x as u16", "x as u16")) == {(3, "contract-changed")}
    assert (3, "contract-changed") in codes(GOOD.replace("fn twice", "fn thrice"))


def test_a_stronger_contract_is_kept() -> None:
    assert codes(GOOD.replace("r == double(x as int),", "r == double(x as int), r <= 510,")) == set()


def test_proof_mode_compares_what_runs() -> None:
    given = GOOD
    with_proof = given.replace("    r\n", "    assert(r == x + x);\n    r\n")
    other_code = given.replace("x as u16 + x as u16", "2 * (x as u16)")
    assert codes(with_proof, given, "proof") == set()
    assert codes(other_code, given, "contract") == set()
    assert {code for _, code in codes(other_code, given, "proof")} == {"code-changed"}


@pytest.mark.parametrize("text", ["fn f( {", "verus! { fn", "}}}}", "verus! { fn twice() ensures { } }"])
def test_what_cannot_be_read_is_screened_out(text: str) -> None:
    assert not screen(GIVEN, text, targets=["twice"]).passed


def test_corpus_edits_are_screened_as_labelled(corpus: dict[str, Task]) -> None:
    for name in ("midpoint", "odd_square", "door"):
        task = corpus[name]
        for edit in task.edits:
            screening = screen(task.original, edit.submitted, targets=[task.target])
            if not edit.kept:
                assert not screening.passed, (name, edit.name)
            # The screen is strict on purpose: honest edits may not use words of the catalogue either.
            reasons = {f.code for f in screening.findings}
            assert not edit.kept or reasons <= {"forbidden-construct", "count-guard"}, (name, edit.name, screening.findings)


def test_lynette_has_a_say_where_it_is_installed(tmp_path: Path) -> None:
    def lynette(script: str) -> str:
        program = tmp_path / "lynette"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        return str(program)

    def screened(script: str) -> tuple[list[str], tuple[str, ...]]:
        found = screen(GIVEN, GOOD, targets=["twice"], lynette=lynette(script))
        return [f.code for f in found.findings], found.notes

    assert screened('[ "$1" = additions ] && cmp -s "$2" "$2"') == ([], ("lynette additions: allowed",))
    assert screened("echo Disallowed changes detected; exit 1") == (["lynette"], ())
    assert screened("echo panicked; exit 101")[0] == []
    assert "no verdict" in screened("exit 1")[1][0]


def test_findings_are_data() -> None:
    finding = screen(GIVEN, body("proof { admit(); } 0"), targets=["twice"]).findings[0]
    assert json.dumps([finding.layer, finding.code, finding.message, finding.line])
    assert finding.line == 14
