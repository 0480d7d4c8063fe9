"""Every recording of Verus is read into the right result, and nothing else is an acceptance."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.judge import classify
from referee.outcome import Outcome
from referee.verus import VerusKind, VerusResult, function_at, read_diagnostics, read_output
from tests.referee.conftest import RECORDINGS

REJECTED = {
    "assert_fail": "assertion failed",
    "loop_forever_plain": "loop must have a decreases clause",
    "obligation_fails": "postcondition not satisfied",
    "overflow": "possible arithmetic underflow/overflow",
    "post_fail": "postcondition not satisfied",
    "pre_fail": "precondition not satisfied",
    "rlimit_hit": "assert_nonlinear_by: Resource limit (rlimit) exceeded; consider rerunning with --profile for more details",
    "syntax_error": "mismatched closing delimiter: `}`",
    "type_error": "mismatched types; types must be compatible to use == or !=",
    "unimplemented_target": "panic is not supported (if you used Rust's `assert!` macro, you may have meant to use Verus's "
    "`assert` function)",
}
#: Accepted files whose target `f` was not verified: it is external, in no verus! block, or called otherwise.
NOT_THE_TARGET = {"external_target", "outside_macro"}
OTHER_TARGETS = {
    "default_ensures": "A::g",
    "obligation_holds": "target__ensures_kept",
    "trait_impl_weaker": "A::g",
}
NAMES = sorted(path.name.removesuffix(".stdout.json") for path in RECORDINGS.glob("*.stdout.json"))


def recording(name: str) -> tuple[str, str, int]:
    stdout = (RECORDINGS / f"{name}.stdout.json").read_text()
    success = json.loads(stdout)["verification-results"]["success"]
    return stdout, (RECORDINGS / f"{name}.stderr.txt").read_text(), 0 if success else 1


def test_there_are_recordings() -> None:
    assert len(NAMES) >= 79


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_is_read_into_the_right_result(name: str) -> None:
    result = read_output(*recording(name))
    stem = name.split(".")[0]
    source = (RECORDINGS / f"{stem}.rs").read_text()
    target = OTHER_TARGETS.get(stem, "f")
    if name.endswith(".no-cheating"):
        assert result.kind is VerusKind.REJECTED
        assert "not allowed with --no-cheating" in result.why
        assert not result.accepts(target, source, stem)
    elif stem in REJECTED:
        assert (result.kind, result.why) == (VerusKind.REJECTED, REJECTED[stem])
        assert classify(result, target, source, stem)[0] is Outcome.FAIL
        assert result.rlimit_exceeded is (stem == "rlimit_hit")
    else:
        assert result.kind is VerusKind.ACCEPTED, result.why
        assert result.accepts(target, source, stem) is (stem not in NOT_THE_TARGET)
        expected = Outcome.FAIL if stem in NOT_THE_TARGET else Outcome.PASS
        assert classify(result, target, source, stem)[0] is expected


def test_success_with_nothing_verified_accepts_no_target() -> None:
    result = read_output(*recording("external_target"))
    assert (result.kind, result.verified, result.functions) == (VerusKind.ACCEPTED, 0, ())


def test_a_trusted_target_is_not_accepted_though_verus_names_it() -> None:
    result = read_output(*recording("external_body_exec"))
    source = "use vstd::prelude::*; verus! { #[verifier::external_body] fn f() ensures false, { } fn g() { f(); } }"
    assert not result.accepts("f", source, "external_body_exec")


# --- output that is not the known one ------------------------------------------------------------------------------------

CLEAN, CLEAN_ERR, _ = recording("clean")
FAILED, FAILED_ERR, _ = recording("post_fail")


def changed(change: Callable[[Any], object], text: str = CLEAN) -> str:
    data = json.loads(text)
    change(data)
    return json.dumps(data)


def fields(results: dict[str, object]) -> Callable[[Any], object]:
    return lambda data: data["verification-results"].update(results)


MALFORMED: dict[str, tuple[str, str, int]] = {
    "empty": ("", "", 0),
    "cut": (CLEAN[: len(CLEAN) // 2], CLEAN_ERR, 0),
    "cut by one brace": (CLEAN.rstrip()[:-1], CLEAN_ERR, 0),
    "twice": (CLEAN + CLEAN, CLEAN_ERR, 0),
    "text before": ("verification results:: 3 verified, 0 errors\n" + CLEAN, CLEAN_ERR, 0),
    "text behind": (CLEAN + "\nverified!\n", CLEAN_ERR, 0),
    "a list": ("[]", "", 0),
    "other exit status": (CLEAN, CLEAN_ERR, 1),
    "exit status of a crash": (CLEAN, CLEAN_ERR, 101),
    "killed": (CLEAN, CLEAN_ERR, -9),
    "failure with exit status 0": (FAILED, FAILED_ERR, 0),
    "failure with a crash": (FAILED, FAILED_ERR, 101),
    "failure without diagnostics": (FAILED, "", 1),
    "success with a diagnostic of level error": (CLEAN, "error: postcondition not satisfied\n", 0),
    "success with errors": (changed(fields({"errors": 1})), CLEAN_ERR, 0),
    "success that encountered an error": (changed(fields({"encountered-error": True})), CLEAN_ERR, 0),
    "success of a part": (changed(fields({"is-verifying-entire-crate": False})), CLEAN_ERR, 0),
    "a count as text": (changed(fields({"verified": "3"})), CLEAN_ERR, 0),
    "a count as truth": (changed(fields({"verified": True})), CLEAN_ERR, 0),
    "a negative count": (changed(fields({"verified": -1})), CLEAN_ERR, 0),
    "success as a number": (changed(fields({"success": 1})), CLEAN_ERR, 0),
    "an unknown field": (changed(fields({"cached": 2})), CLEAN_ERR, 0),
    "an unknown block": (changed(lambda d: d.update(smt={})), CLEAN_ERR, 0),
    "no version": (changed(lambda d: d["verus"].pop("version")), CLEAN_ERR, 0),
    "notes of another shape": (changed(lambda d: d["func-details"]["clean::f"].pop("failed_proof_notes")), CLEAN_ERR, 0),
    "failed notes in a success": (changed(lambda d: d["func-details"]["clean::f"]["failed_proof_notes"].append("x")), "", 0),
    "a key twice": (CLEAN.replace('"errors": 0', '"errors": 1, "errors": 0'), CLEAN_ERR, 0),
    "not a number": (CLEAN.replace('"errors": 0', '"errors": NaN'), CLEAN_ERR, 0),
    "a diagnostic that is cut": (FAILED, '{"$message_type":"diagnostic","message":"postcond', 1),
    "a diagnostic of another shape": (FAILED, '{"message": 3, "level": "error", "spans": [], "code": null}', 1),
    "nested without end": ("[" * 100_000, "", 0),
}
for block in ("func-details", "verification-results", "verus"):
    MALFORMED[f"no {block}"] = (changed(lambda d, b=block: d.pop(b)), CLEAN_ERR, 0)  # type: ignore[misc]
for name in json.loads(CLEAN)["verification-results"]:
    MALFORMED[f"no {name}"] = (changed(lambda d, n=name: d["verification-results"].pop(n)), CLEAN_ERR, 0)  # type: ignore[misc]


@pytest.mark.parametrize("name", sorted(MALFORMED))
def test_output_of_another_shape_is_an_error_with_the_text_kept(name: str) -> None:
    stdout, stderr, status = MALFORMED[name]
    result = read_output(stdout, stderr, status)
    assert result.kind is VerusKind.ERROR, result
    assert result.why
    assert (result.raw_out, result.raw_err, result.exit_status) == (stdout, stderr, status)
    assert classify(result, "f", "fn f() {}", "clean")[0] is Outcome.ERROR
    assert not result.accepts("f", "fn f() {}", "clean")


def test_megabytes_of_diagnostics_are_an_error() -> None:
    result = read_output(CLEAN, "note: on and on\n" * 1000, 0, stopped="output")
    assert result.kind is VerusKind.ERROR


def test_a_stop_by_a_limit_is_no_answer() -> None:
    result = read_output(CLEAN, "", -9, stopped="wall")
    assert result.kind is VerusKind.STOPPED
    assert classify(result, "f", "fn f() {}", "clean")[0] is Outcome.ERROR


def test_every_prefix_of_a_document_is_an_error() -> None:
    for end in range(0, len(CLEAN.rstrip()), 7):
        assert read_output(CLEAN[:end], "", 0).kind is VerusKind.ERROR


# --- diagnostics and names ----------------------------------------------------------------------------------------------


def test_json_diagnostics_have_their_place() -> None:
    text = (RECORDINGS / "obligation_fails.error-format-json.txt").read_text()
    first = read_diagnostics(text)[0]
    assert (first.level, first.message, first.line, first.column) == ("error", "postcondition not satisfied", 9, 9)
    assert first.label == "failed this postcondition"


def test_text_diagnostics_have_their_place() -> None:
    first = read_diagnostics((RECORDINGS / "assert_fail.stderr.txt").read_text())[0]
    assert (first.message, first.line, first.column) == ("assertion failed", 3, 29)
    assert function_at((RECORDINGS / "assert_fail.rs").read_text(), first.line) == "f"


def accepted(*functions: str) -> VerusResult:
    return VerusResult(VerusKind.ACCEPTED, verified=1, functions=functions)


METHODS = """use vstd::prelude::*; verus! {
struct A; struct B;
impl A { fn go(&self) {} }
impl B { fn go(&self) {} }
mod m { pub fn free() {} }
}"""


@pytest.mark.parametrize(
    ("target", "names", "ok"),
    [
        ("m::free", ("s::m::free",), True),
        ("crate::m::free", ("s::m::free",), True),
        ("free", ("s::m::free",), False),
        ("m::free", ("other::m::free",), False),
        ("A::go", ("s::impl&%0::go", "s::impl&%1::go"), True),
        ("A::go", ("s::impl&%0::go",), False),
        ("A::go", ("s::m::impl&%0::go", "s::m::impl&%1::go"), False),
        ("A::go", ("vstd::impl&%0::go", "vstd::impl&%1::go"), False),
        ("gone", ("s::gone",), False),
    ],
)
def test_a_target_must_be_among_the_functions(target: str, names: tuple[str, ...], ok: bool) -> None:
    assert accepted(*names).accepts(target, METHODS, "s") is ok


def test_the_recordings_are_those_of_the_project() -> None:
    shared = Path(__file__).resolve().parents[3] / "shared" / "verus-recordings"
    if not shared.is_dir():
        pytest.skip("the shared folder is not beside this repository")
    assert sorted(p.name for p in shared.iterdir()) == sorted(p.name for p in RECORDINGS.iterdir())
    assert all(p.read_bytes() == (RECORDINGS / p.name).read_bytes() for p in shared.iterdir())
