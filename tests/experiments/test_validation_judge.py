"""Labels: a right one is confirmed by what can say something about it, a wrong one is contradicted."""

from __future__ import annotations

from pathlib import Path

import pytest

from equiv.second_opinion import SecondSolver, cvc5_solver
from experiments.validation.judge import judge
from experiments.validation.model import EditCheck, Execution, Means, OriginalCheck
from experiments.validation.originals import check_original
from tests.experiments.tasks_made import edit, make, only

ORIGINAL = "fn f(a: u8, b: bool) -> (r: bool) requires a < 100 ensures r == (a % 2 == 0) { a % 2 == 0 }"
EQUIVALENT = ORIGINAL.replace("a < 100", "a < 100 || (a < 50 && b)")
REFINES = ORIGINAL.replace("requires a < 100", "requires a < 101")
WEAKENED = ORIGINAL.replace("r == (a % 2 == 0)", "r ==> (a % 2 == 0)")
VACUOUS = ORIGINAL.replace("a < 100", "a < 100, a > 99")
WIDER = ORIGINAL.replace("b: bool", "b: u8")
GONE = "fn g() { }"
TEXTS = {
    "equivalent": EQUIVALENT,
    "refines": REFINES,
    "weakened": WEAKENED,
    "vacuous": VACUOUS,
    "interface-changed": WIDER,
    "missing": GONE,
}
KINDS = {"equivalent": "equivalent-arithmetic", "refines": "requires-weakened"}
CASE = "[[cases]]\ninputs = { a = 4, b = true }\noutput = true\n"


def checked(
    tmp_path: Path,
    label: str,
    text: str,
    *,
    kind: str | None = None,
    more: str = "",
    targets: str = "",
    original: str = ORIGINAL,
    execution: Execution | None = None,
    second: SecondSolver | None = None,
) -> EditCheck:
    kind = kind or KINDS.get(label, "clause-dropped")
    root = make(tmp_path, "task", original, {"edit": edit(kind, label, text, more=more, targets=targets)}, cases=CASE)
    task = only(root)
    return judge(task, task.edits[0], execution or Execution(1), second)


@pytest.mark.parametrize(
    ("label", "means"),
    [
        ("equivalent", {Means.Z3, Means.CVC5, Means.EXHAUSTIVE}),
        ("same", {Means.CVC5, Means.STRUCTURE}),
        ("refines", {Means.Z3, Means.CVC5, Means.EXHAUSTIVE}),
        ("weakened", {Means.Z3, Means.CVC5, Means.REPLAY, Means.VALUE}),
        ("vacuous", {Means.Z3, Means.CVC5, Means.EXHAUSTIVE}),
        ("interface-changed", {Means.LOGICAL, Means.STRUCTURE}),
        ("missing", {Means.LOGICAL, Means.STRUCTURE}),
    ],
)
def test_a_right_label_is_confirmed(tmp_path: Path, label: str, means: set[Means]) -> None:
    text = ORIGINAL.replace("{ a % 2 == 0 }", "{ !(a % 2 == 1) }") if label == "same" else TEXTS[label]
    found = checked(tmp_path, "equivalent" if label == "same" else label, text, second=cvc5_solver())
    assert not found.errors
    assert found.confirmed
    assert set(found.means) - {Means.LOGICAL} == means - {Means.LOGICAL}
    assert found.audit_found in ("clean", "escaped" if label == "vacuous" else "clean")


@pytest.mark.parametrize("label", list(TEXTS))
@pytest.mark.parametrize("text", list(TEXTS))
def test_a_wrong_label_is_contradicted(tmp_path: Path, label: str, text: str) -> None:
    found = checked(tmp_path, label, TEXTS[text])
    assert bool(found.errors) is (label != text), found.errors
    assert found.confirmed is (label == text)


def test_evaluation_alone_contradicts_a_label(tmp_path: Path) -> None:
    """Whatever the solver said: values that separate a kept edit are an error, and none for a broken one."""
    kept = checked(tmp_path / "1", "equivalent", WEAKENED)
    assert any("values that separate the contracts (promises at least as much): a = 0, r = false" in e for e in kept.errors)
    broken = checked(tmp_path / "2", "weakened", EQUIVALENT)
    assert any("evaluation on every value finds nothing promised less" in e for e in broken.errors)
    callable_ = checked(tmp_path / "3", "vacuous", EQUIVALENT)
    assert any("the submission can be called: a = 0" in e for e in callable_.errors)
    same = checked(tmp_path / "4", "weakened", ORIGINAL)
    assert any("the same terms, and the label says weakened" in e for e in same.errors)
    refines = checked(tmp_path / "5", "refines", EQUIVALENT)
    assert any("finds the contracts the same, and the label says refines" in e for e in refines.errors)


def test_a_bounded_domain_is_evidence_and_no_confirmation(tmp_path: Path) -> None:
    wide = ORIGINAL.replace("u8", "u64")
    found = checked(tmp_path, "equivalent", EQUIVALENT.replace("u8", "u64"), original=wide)
    assert Means.BOUNDED in found.means
    assert Means.EXHAUSTIVE not in found.means
    assert "a bounded domain" in found.targets[0].compared


# --- the audit ---------------------------------------------------------------------------------------------------------

HOLE = 'audit = "escaped"\nhatch = "assume"\n'
ASSUMED = ORIGINAL.replace("{ a % 2 == 0 }", "{ assume(false); a % 2 == 0 }")
HELPER = "proof fn h() ensures false { assume(false); } " + ORIGINAL.replace("{ a % 2 == 0 }", "{ proof { h(); } a % 2 == 0 }")


def test_a_hole_in_the_proof(tmp_path: Path) -> None:
    found = checked(tmp_path / "1", "equivalent", ASSUMED, kind="proof-hole", more=HOLE + "depth = 0\n")
    assert not found.errors
    assert Means.AUDIT in found.means
    deeper = checked(tmp_path / "2", "equivalent", HELPER, kind="proof-hole", more=HOLE + "depth = 1\n")
    assert not deeper.errors


@pytest.mark.parametrize(
    ("text", "more", "error"),
    [
        (ORIGINAL, HOLE, "the audit says clean, the label escaped"),
        (ORIGINAL, HOLE, "samespec check --audit accepts it"),
        (ASSUMED, HOLE.replace('"assume"', '"admit"'), "the audit finds no admit; it finds assume"),
        (ASSUMED, HOLE.replace("escaped", "diverges"), "the audit says escaped, the label diverges"),
        (ASSUMED, HOLE.replace('"assume"', '"assumes"'), "the hatch 'assumes' is not in the catalogue"),
        (HELPER, HOLE + "depth = 0\n", "assume is 1 steps away from the target, the label says 0"),
    ],
)
def test_a_wrong_hole(tmp_path: Path, text: str, more: str, error: str) -> None:
    found = checked(tmp_path, "equivalent", text, kind="proof-hole", more=more)
    assert any(error in e for e in found.errors), found.errors
    assert not found.confirmed


def test_a_hole_that_no_label_names(tmp_path: Path) -> None:
    found = checked(tmp_path, "equivalent", ASSUMED, kind="body-changed")
    assert any("the audit says escaped, the label clean" in e for e in found.errors)


# --- the rest ----------------------------------------------------------------------------------------------------------


def test_code_that_fails_a_case(tmp_path: Path) -> None:
    fails = Execution(3, 1, "case 2: result 1, expected 2")
    kept = checked(tmp_path / "1", "equivalent", EQUIVALENT, execution=fails)
    assert kept.errors == ("its code fails 1 of 3 cases: case 2: result 1, expected 2",)
    assert not checked(tmp_path / "2", "weakened", WEAKENED, execution=fails).errors
    not_compiled = checked(tmp_path / "3", "equivalent", EQUIVALENT, execution=Execution(why="not compiled (1): error"))
    assert not_compiled.errors == ("its code was not run on the cases: not compiled (1): error",)
    no_compiler = Execution(why="no rustc", skipped=True)
    assert not checked(tmp_path / "4", "equivalent", EQUIVALENT, execution=no_compiler).errors


def test_a_file_that_does_not_parse(tmp_path: Path) -> None:
    found = checked(tmp_path, "equivalent", EQUIVALENT.replace("ensures", "ensures ]"))
    assert any("submitted.rs:3:" in e for e in found.errors), found.errors


def test_targets_have_to_exist(tmp_path: Path) -> None:
    found = checked(tmp_path, "weakened", WEAKENED, targets='"f" = "weakened"\n"nobody" = "equivalent"')
    assert "edit.toml: targets: the original has no function `nobody` with a contract" in found.errors


def test_a_function_that_no_label_names_is_equivalent(tmp_path: Path) -> None:
    two = ORIGINAL + " fn g(n: u8) -> (r: u8) ensures r == n { n }"
    found = checked(tmp_path, "weakened", WEAKENED + " fn g(n: u8) -> (r: u8) ensures r <= n { n }", original=two)
    assert any(e.startswith("`crate::g`: samespec says weakened, the label equivalent") for e in found.errors)


def test_what_samespec_does_not_decide_is_listed(tmp_path: Path) -> None:
    wide = ORIGINAL.replace("u8", "u64")
    for name, text, whole in (("wide", wide, False), ("small", ORIGINAL, True)):
        same = text.replace("a < 100", "a < 100 || (a < 50 && b)")
        root = make(tmp_path / name, "task", text, {"edit": edit("equivalent-arithmetic", "equivalent", same)}, cases=CASE)
        task = only(root)
        found = judge(task, task.edits[0], Execution(1), None, budget=1)  # too little for one of the questions
        (target,) = found.targets
        assert target.open == "samespec shows one direction: that it promises at least as much"
        assert target.means == (Means.EXHAUSTIVE if whole else Means.BOUNDED,)
        assert found.unconfirmed == (() if whole else ("crate::f",))
        assert found.confirmed is whole
        assert not found.errors


# --- originals ---------------------------------------------------------------------------------------------------------


def original(tmp_path: Path, text: str, *, cases: str = CASE, target: str = "f", proof: str = "") -> OriginalCheck:
    task = only(make(tmp_path, "task", text, {}, cases=cases, target=target, proof=proof))
    return check_original(task, Execution(1) if cases else Execution(why="the task has no executable cases"))


LEMMA = "proof fn f(x: int) ensures x * x >= 0 BODY"
BARE = LEMMA.replace("BODY", "{ }")
#: A contract that is not translated: the type has a function of its own under the name that the trait's clause uses.
TWO_NAMES = """ struct B; impl B { spec fn e(&self) -> int { 0 } }
trait T { spec fn e(&self) -> int; fn m(&self) requires self.e() > 0; }
impl T for B { spec fn e(&self) -> int { 1 } fn m(&self) { } }"""


def test_an_original(tmp_path: Path) -> None:
    found = original(tmp_path, ORIGINAL)
    assert found.errors == ()
    assert found.targets == ("crate::f",)


@pytest.mark.parametrize(
    ("text", "extra", "error"),
    [
        (ORIGINAL, {"target": "g"}, "task.toml: target: the original has no function `g` with a contract"),
        (ORIGINAL, {"cases": ""}, "task.toml: cases: there are none"),
        (ORIGINAL.replace("a < 100", "a <"), {}, "original.rs:3:"),
        (ORIGINAL + TWO_NAMES, {}, "original.rs:4:57: "),
        (ORIGINAL + TWO_NAMES, {}, "not translated: `e`"),
        (BARE, {"cases": "", "proof": LEMMA.replace("BODY", "{ assume(false); }")}, "takes on trust: assume"),
        (BARE, {"cases": "", "proof": BARE.replace(">= 0", ">= 1")}, "proof.rs: `crate::f` is"),
    ],
)
def test_what_is_wrong_with_an_original(tmp_path: Path, text: str, extra: dict[str, str], error: str) -> None:
    found = original(tmp_path, text, **extra)
    assert any(error in e for e in found.errors), found.errors


def test_the_proof_of_a_lemma(tmp_path: Path) -> None:
    by_hand = LEMMA.replace("BODY", "{ assert(x * x >= 0) by (nonlinear_arith); }")
    proved = original(tmp_path / "1", BARE, cases="", proof=by_hand)
    assert proved.errors == ()
    assert proved.proof == "proof.rs: the same contracts, and nothing taken on trust that original.rs does not trust"
    assert original(tmp_path / "2", BARE, cases="").proof == "none in the corpus: crate::f"
    assert original(tmp_path / "3", LEMMA.replace("BODY", "{ assert(true); }"), cases="").proof == ""


def test_what_an_original_takes_on_trust_is_told(tmp_path: Path) -> None:
    found = original(tmp_path, "#[verifier::external_body] " + ORIGINAL)
    assert found.errors == ()
    assert "external-body" in found.notes[0]
