# ruff: noqa: E501 (programs stand on one line each)
"""What the original trusted already, apart from what the submission brought in; and the counts."""

from __future__ import annotations

from depgraph.closure import audit_submission
from depgraph.model import AuditReport, Trust
from tests.depgraph.helpers import crate, found, pair, run, verus

AXIOM = "pub axiom fn trusted(x: int) requires x > 0, ensures p(x); "
SPEC = "pub open spec fn p(x: int) -> bool { x > 0 } "
USE = "proof fn f(x: int) requires x > 0, ensures p(x) { trusted(x); }"


def trusts(report: AuditReport) -> dict[str, Trust]:
    return report.trust


def test_an_axiom_of_the_original() -> None:
    report = pair(
        SPEC + AXIOM + USE, SPEC + AXIOM + "proof fn f(x: int) requires x > 0, ensures p(x) { assert(true); trusted(x); }"
    )
    assert report.clean is True
    assert trusts(report)["crate::trusted"] is Trust.TRUSTED_ORIGINAL


def test_the_same_axiom_written_over_more_lines() -> None:
    spread = AXIOM.replace(", ensures", ",\n    // said here\n    ensures").replace("; ", "\n;\n")
    assert pair(SPEC + AXIOM + USE, SPEC + spread.replace("    // said here\n", "") + USE).clean is True


def test_a_new_axiom() -> None:
    report = pair(SPEC + "proof fn trusted(x: int) requires x > 0, ensures p(x) { } " + USE, SPEC + AXIOM + USE)
    assert report.clean is False
    assert trusts(report)["crate::trusted"] is Trust.ESCAPED


def test_an_axiom_that_says_more_now() -> None:
    report = pair(SPEC + AXIOM + USE, SPEC + AXIOM.replace("ensures p(x)", "ensures p(x), false") + USE)
    assert report.clean is False
    assert "another contract" in report.reported[0].why


def test_an_axiom_that_asks_less_now() -> None:
    assert pair(SPEC + AXIOM + USE, SPEC + AXIOM.replace("requires x > 0,", "") + USE).clean is False


def test_an_axiom_whose_words_mean_something_else_now() -> None:
    other = SPEC.replace("x > 0 }", "x > 1000 }")
    assert pair(SPEC + AXIOM + USE, other + AXIOM + USE).clean is False


def test_words_two_deep() -> None:
    deep = "pub open spec fn q(x: int) -> bool { x > 0 } pub open spec fn p(x: int) -> bool { q(x) } "
    assert pair(deep + AXIOM + USE, deep + AXIOM + USE).clean is True
    assert pair(deep + AXIOM + USE, deep.replace("x > 0", "x > 5") + AXIOM + USE).clean is False


def test_a_type_in_an_axiom() -> None:
    text = "pub struct S { pub x: int } impl S { pub open spec fn ok(self) -> bool { self.x > 0 } } "
    text += "pub axiom fn trusted(s: S) ensures s.ok(); proof fn f(s: S) ensures s.ok() { trusted(s); }"
    assert pair(text, text).clean is True
    assert pair(text, text.replace("self.x > 0", "false")).clean is False


def test_external_body_instead_of_an_axiom_is_the_same_trust() -> None:
    body = "#[verifier::external_body] pub proof fn trusted(x: int) requires x > 0, ensures p(x) { } "
    report = pair(SPEC + AXIOM + USE, SPEC + body + USE)
    assert report.clean is True


def test_a_hole_in_the_target_was_never_trusted() -> None:
    text = "proof fn f(x: int) ensures x == 3 { admit(); }"
    report = pair(text, text)
    assert report.clean is False
    assert "a target has to be proved" in report.reported[0].why


def test_a_hole_moved_into_a_proved_lemma() -> None:
    before = "proof fn h(x: int) requires x > 3 ensures x > 2 { } proof fn f(x: int) requires x > 3 ensures x > 2 { h(x); }"
    assert pair(before, before.replace("ensures x > 2 { } proof", "ensures x > 2 { assume(false); } proof")).clean is False


def test_a_loop_that_could_run_for_ever_before() -> None:
    loop = "#[verifier::exec_allows_no_decreases_clause] fn f(n: u64) -> (r: u64) ensures r == n { let mut i = 0; while i < n invariant i <= n { i += 1; } i }"
    report = pair(
        loop, loop.replace("invariant i <= n", "invariant i <= n, true").replace("i += 1;", "proof { assert(i < n); } i += 1;")
    )
    assert report.clean is True
    assert report.reported[0].trust is Trust.TRUSTED_ORIGINAL
    assert pair(loop, loop.replace("let mut i = 0; while i < n invariant i <= n { i += 1; } i", "loop { }")).clean is False


def test_a_new_definition_under_cfg() -> None:
    twin = "#[cfg(verus_keep_ghost)] fn g() -> u64 { 1 } #[cfg(not(verus_keep_ghost))] fn g() -> u64 { 2 } "
    assert pair(twin + "fn f() { g(); }", twin + "fn f() { g(); }").clean is True
    assert pair("fn g() -> u64 { 1 } fn f() { g(); }", twin + "fn f() { g(); }").clean is False


def test_lemmas_proved_since() -> None:
    n = 5
    axioms = "".join(f"pub axiom fn l{i}(x: int) requires x > {i}, ensures x > {i} - 1; " for i in range(n))
    proved = "".join(f"pub proof fn l{i}(x: int) requires x > {i}, ensures x > {i} - 1 {{ }} " for i in range(3)) + "".join(
        f"pub axiom fn l{i}(x: int) requires x > {i}, ensures x > {i} - 1; " for i in range(3, n)
    )
    use = "proof fn f(x: int) requires x > 9 { l0(x); l4(x); }"
    report = pair(axioms + use, proved + use)
    assert report.clean is True
    assert "3 of 5 axiomatised lemmas proved" in {str(c) for c in report.counts}
    assert "2 of 3 lemmas proved" in {str(c) for c in report.counts}, "the closure's count has its own denominator"


def test_counts_do_not_mix() -> None:
    report = run(
        "pub open spec fn p(x: int) -> bool { x > 0 } proof fn l1() { } axiom fn l2() ensures p(1); "
        "fn g(v: &Vec<u64>) -> usize { v.len() } fn f(v: &Vec<u64>) ensures p(1) { proof { l1(); l2(); } g(v); }"
    )
    assert [str(c) for c in report.counts] == [
        "1 of 2 lemmas proved",
        "2 of 2 executable functions verified",
        "1 of 1 specification functions defined",
        "1 of 5 closure's own functions escape proof",
        "1 of 6 nodes of the closure are vstd's or std's",
    ]


def test_every_node_has_one_class() -> None:
    report = run("fn g() { } fn f(x: Vec<u64>) { g(); let n = x.len(); }")
    assert set(report.trust) == set(report.nodes)


def test_recursion_and_cycles_end() -> None:
    text = "pub mod a { pub use super::b::*; pub fn g(n: u64) decreases n { if n > 0 { super::b::h(n - 1); } } } "
    text += "pub mod b { pub use super::a::*; pub fn h(n: u64) decreases n { if n > 0 { super::a::g(n - 1); } } } fn f() { a::g(3); b::g(2); }"
    assert run(text).clean is True


def test_mutual_recursion_without_a_measure() -> None:
    assert found(run("proof fn g() { f(); } proof fn f() { g(); }")) == {"unproved-termination"}


def test_a_trait_method_that_calls_its_like_is_no_recursion() -> None:
    text = "pub trait G { fn go(&self); } pub struct A; pub struct B { pub a: A } impl G for A { fn go(&self) { } } "
    text += "impl G for B { fn go(&self) { self.a.go(); } } fn f(b: B) { b.go(); }"
    assert run(text).clean is True


def test_vacuous_requirements_that_the_original_had() -> None:
    text = "fn f(x: u64) requires x < 3, x > 5 { }"
    assert pair(text, text, solver=True).clean is False


def test_several_targets_share_a_graph() -> None:
    from depgraph.closure import audit_targets

    reports = audit_targets(
        None, crate(verus("fn g() { } fn f() { g(); } proof fn h() { admit(); }")), ["f", "g", "h"], solver=False
    )
    assert [r.clean for r in reports] == [True, True, False]


def test_without_an_original_everything_counts() -> None:
    assert audit_submission(None, crate(verus(SPEC + AXIOM + USE)), "f", solver=False).clean is False


EXEC = "#[verifier::external_body] fn given(x: u64) -> (r: u64) ensures r == x { CODE } fn f() { let y = given(1); }"


def test_trusted_code_that_changed() -> None:
    assert pair(EXEC.replace("CODE", "x"), EXEC.replace("CODE", "x")).clean is True
    report = pair(EXEC.replace("CODE", "x"), EXEC.replace("CODE", "x + 1"))
    assert report.clean is False
    assert "other code" in report.reported[0].why


def test_code_behind_an_assumed_specification_that_changed() -> None:
    text = "#[verifier::external] fn ext(x: u64) -> u64 { CODE } assume_specification[ ext ](x: u64) -> (r: u64) ensures r == x; "
    text += "fn f() { let y = ext(1); }"
    assert pair(text.replace("CODE", "x"), text.replace("CODE", "x")).clean is True
    assert pair(text.replace("CODE", "x"), text.replace("CODE", "x + 1")).clean is False
