
"""Crates of several files: where modules lie, what is included, what macros define, what is missing."""

from __future__ import annotations

from pathlib import Path

from depgraph.closure import audit
from depgraph.crate_loader import load_crate
from tests.depgraph.helpers import found

HEAD = "use vstd::prelude::*;\n"
HOLE = HEAD + "verus! {\n#[verifier::external_body]\npub proof fn hole() ensures false { }\n}\n"


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder / next(iter(files))


def lib(call: str, before: str) -> str:
    return f"{HEAD}{before}\nverus! {{\nproof fn f() {{ {call} }}\n}}\n"


def places(root: Path) -> set[str]:
    report = audit(load_crate(root), "crate::f", solver=False)
    assert "external-body" in found(report), report.reported
    assert "unresolved-name" not in found(report), report.reported
    return {f"{Path(r.finding.place.file).name}:{r.finding.place.line}:{r.finding.place.column}" for r in report.reported}


def test_a_file_beside_the_root(tmp_path: Path) -> None:
    assert places(write(tmp_path, {"lib.rs": lib("a::hole();", "mod a;"), "a.rs": HOLE})) == {"a.rs:4:14"}


def test_mod_rs(tmp_path: Path) -> None:
    assert places(write(tmp_path, {"lib.rs": lib("a::hole();", "mod a;"), "a/mod.rs": HOLE})) == {"mod.rs:4:14"}


def test_modules_of_modules(tmp_path: Path) -> None:
    files = {"lib.rs": lib("a::b::c::hole();", "mod a;"), "a.rs": "pub mod b;", "a/b/mod.rs": "pub mod c;", "a/b/c.rs": HOLE}
    assert places(write(tmp_path, files)) == {"c.rs:4:14"}


def test_a_module_inside_an_inline_module(tmp_path: Path) -> None:
    files = {"lib.rs": lib("a::b::hole();", "mod a { pub mod b; }"), "a/b.rs": HOLE}
    assert places(write(tmp_path, files)) == {"b.rs:4:14"}


def test_path_attributes(tmp_path: Path) -> None:
    files = {"lib.rs": lib("a::hole();", '#[path = "deep/other.rs"] mod a;'), "deep/other.rs": HOLE}
    assert places(write(tmp_path, files)) == {"other.rs:4:14"}


def test_a_path_attribute_decides_where_children_lie(tmp_path: Path) -> None:
    files = {"lib.rs": lib("a::b::hole();", '#[path = "x/y.rs"] mod a;'), "x/y.rs": "pub mod b;", "x/b.rs": HOLE}
    assert places(write(tmp_path, files)) == {"b.rs:4:14"}


def test_modules_inside_verus(tmp_path: Path) -> None:
    files = {"lib.rs": HEAD + "verus! { mod a; proof fn f() { a::hole(); } }", "a.rs": HOLE}
    assert places(write(tmp_path, files)) == {"a.rs:4:14"}


def test_names_across_files(tmp_path: Path) -> None:
    files = {
        "lib.rs": lib("g();", "mod a; mod b; use a::*;"),
        "a.rs": HEAD + "pub use super::b::hole as h;\nverus! { pub proof fn g() { h(); } }",
        "b.rs": HOLE,
    }
    assert places(write(tmp_path, files)) == {"b.rs:4:14"}


def test_an_implementation_in_a_body_of_another_file(tmp_path: Path) -> None:
    inner = "impl crate::S { pub proof fn m(self) { crate::a::hole(); } }"
    a = HOLE + f"verus! {{\n// {'-' * 200}\nfn outer() {{ {inner} }}\n}}\n"
    root = f"{HEAD}mod a;\nverus! {{ pub struct S; proof fn f(s: S) {{ s.m(); }} }}\n"
    assert places(write(tmp_path, {"lib.rs": root, "a.rs": a})) == {"a.rs:4:14"}


def test_include(tmp_path: Path) -> None:
    files = {"lib.rs": lib("hole();", 'include!("part.rs");'), "part.rs": HOLE}
    assert places(write(tmp_path, files)) == {"part.rs:4:14"}


def test_attributes_of_a_module_file(tmp_path: Path) -> None:
    files = {
        "lib.rs": HEAD + "mod a;\nverus! { fn f() { a::spin(); } }",
        "a.rs": "#![verifier::exec_allows_no_decreases_clause]\n" + HEAD + "verus! { pub fn spin() { loop { } } }",
    }
    report = audit(load_crate(write(tmp_path, files)), "crate::f", solver=False)
    assert found(report) == {"no-decreases"}


def test_attributes_of_the_crate(tmp_path: Path) -> None:
    text = "#![verifier::exec_allows_no_decreases_clause]\n" + HEAD + "verus! { fn f() { loop { } } }"
    assert found(audit(load_crate(write(tmp_path, {"lib.rs": text})), "crate::f", solver=False)) == {"no-decreases"}


def test_a_missing_file(tmp_path: Path) -> None:
    crate = load_crate(write(tmp_path, {"lib.rs": lib("a::hole();", "mod a;")}))
    assert [g.kind for g in crate.unread] == ["file"]
    report = audit(crate, "crate::f", solver=False)
    assert report.clean is None
    assert "module `a`: no file" in report.reported[0].finding.what


def test_a_missing_file_that_nobody_needs(tmp_path: Path) -> None:
    report = audit(
        load_crate(write(tmp_path, {"lib.rs": lib("vstd::arithmetic::mul::lemma_mul_basics(1);", "mod a;")})), "f", solver=False
    )
    assert report.clean is True


def test_a_file_that_includes_itself(tmp_path: Path) -> None:
    crate = load_crate(write(tmp_path, {"lib.rs": lib("", 'include!("part.rs");'), "part.rs": 'include!("part.rs");'}))
    assert [g.kind for g in crate.unread] == ["file"]


def test_a_file_that_is_not_there_under_test_only(tmp_path: Path) -> None:
    assert not load_crate(write(tmp_path, {"lib.rs": lib("", "#[cfg(test)] mod tests;")})).unread


def test_a_parse_problem_in_a_module(tmp_path: Path) -> None:
    files = {"lib.rs": lib("a::lost();", "mod a;"), "a.rs": HEAD + "verus! { pub proof fn lost( ensures false { } }"}
    crate = load_crate(write(tmp_path, files))
    assert crate.unread
    assert Path(crate.unread[0].place.file).name == "a.rs"
    assert audit(crate, "crate::f", solver=False).clean is None


def test_extern_crate_under_another_name(tmp_path: Path) -> None:
    text = "extern crate vstd as v;\n" + HEAD + "verus! { fn f() { proof { v::pervasive::assume(false); } } }"
    assert found(audit(load_crate(write(tmp_path, {"lib.rs": text})), "crate::f", solver=False)) == {"pervasive-assume"}


def test_macros_that_define_items(tmp_path: Path) -> None:
    macro = "macro_rules! lemma { ($n:ident, $($b:tt)*) => { verus! { pub proof fn $n() ensures false { $($b)* } } }; }\n"
    text = HEAD + macro + "lemma!(given, admit(););\nverus! { proof fn f() { given(); } }"
    assert found(audit(load_crate(write(tmp_path, {"lib.rs": text})), "crate::f", solver=False)) == {"admit"}


def test_a_foreign_macro_that_may_define_what_is_called(tmp_path: Path) -> None:
    text = HEAD + "others::make!(lemma);\nverus! { proof fn f() { lemma(); } proof fn g() { vstd::pervasive::affirm(true); } }"
    crate = load_crate(write(tmp_path, {"lib.rs": text}))
    assert audit(crate, "crate::f", solver=False).clean is None
    assert audit(crate, "crate::g", solver=False).clean is True
