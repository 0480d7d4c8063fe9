"""The listing, and the `list` command on top of it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from samespec.commands.list_command import list_command
from translate.listing import list_source, rust_files
from translate.source import from_text

TEXT = """\
verus! {
mod m {
    pub struct T;
    impl T {
        pub fn f(&self) -> (r: u8)
            requires true, 1 < 2,
            ensures r > 0,
        { fn inner() {} 1 }
    }
    impl View for T { spec fn view(&self) -> int { 1 } }
    trait Tr { proof fn p() ensures true; }
}
broadcast axiom fn a() ensures true;
assume_specification[ std::f ](x: u8) ensures true;
}
fn main() {}
"""


def test_functions_with_paths_modes_and_clauses() -> None:
    found = list_source(from_text("t.rs", TEXT), bodies=False)
    rows = [(f.path, f.kind, f.mode, f.line, f.column, f.in_verus, f.clauses) for f in found.functions]
    assert rows == [
        ("crate::m::T::f", "function", "exec", 5, 16, True, {"requires": 2, "ensures": 1}),
        ("crate::m::<T as View>::view", "function", "spec", 10, 31, True, {}),
        ("crate::m::Tr::p", "function", "proof", 11, 25, True, {"ensures": 1}),
        ("crate::a", "function", "broadcast axiom", 13, 20, True, {"ensures": 1}),
        ("crate::std::f", "assume_specification", "exec", 14, 23, True, {"ensures": 1}),
        ("crate::main", "function", "exec", 16, 4, False, {}),
    ]
    assert found.items == {"mod": 1, "struct": 1, "impl": 2, "trait": 1}
    assert found.has_verus


def test_bodies_show_their_functions_and_problems() -> None:
    found = list_source(from_text("t.rs", TEXT), bodies=True)
    assert "crate::m::T::f::inner" in [f.path for f in found.functions]
    broken = list_source(from_text("t.rs", "verus! {\nfn f() {\n  let = 1;\n}\n}"), bodies=True)
    (problem,) = broken.problems
    assert (problem.line, problem.column, problem.construct) == (3, 7, "pattern")
    assert "body of f" in problem.message


def test_files_below_a_folder_are_sorted_and_unique(tmp_path: Path) -> None:
    for name in ("b.rs", "a.rs", "c.txt", "d/e.rs"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("fn f() {}")
    files = [str(path.relative_to(tmp_path)) for path in rust_files([tmp_path, tmp_path / "a.rs"])]
    assert files == ["a.rs", "b.rs", "d/e.rs"]


# --- the command -----------------------------------------------------------------------------------------------------


def run(*args: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(list_command, [str(arg) for arg in args], standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result.return_value, result.stdout, result.stderr


def test_list(tmp_path: Path) -> None:
    (tmp_path / "a.rs").write_text(TEXT)
    status, out, err = run(tmp_path / "a.rs")
    assert (status, err) == (0, "")
    assert "5:16  crate::m::T::f" in out
    assert "exec, requires 2, ensures 1" in out
    assert "exec (outside verus!)" in out


def test_summary_names_files_without_verus_and_every_problem(tmp_path: Path) -> None:
    (tmp_path / "a.rs").write_text(TEXT)
    (tmp_path / "b.rs").write_text("fn f() {}")
    (tmp_path / "c.rs").write_text("verus! {\nfn g() { a b }\n}")
    status, out, _ = run(tmp_path, "--summary")
    assert status == 0
    assert "files: 3 (0 unreadable)" in out
    assert f"{tmp_path}/b.rs: no verus! block" in out
    assert "parse problems: 1 in 1 files" in out
    assert f"{tmp_path}/c.rs:2:12: cannot parse (statement)" in out


def test_json(tmp_path: Path) -> None:
    (tmp_path / "a.rs").write_text(TEXT)
    status, out, _ = run(tmp_path / "a.rs", "--json")
    assert status == 0
    data = json.loads(out)
    assert data["totals"]["functions"] == 6
    assert data["files"][0]["functions"][0]["path"] == "crate::m::T::f"
    assert json.loads(run(tmp_path / "a.rs", "--json", "--summary")[1])["files"][0]["functions"] == 7


def test_unreadable_file_does_not_hide_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.rs").write_text(TEXT)
    status, out, err = run(tmp_path / "a.rs", tmp_path / "no.rs")
    assert status == 2
    assert "crate::m::T::f" in out
    assert "no.rs: no such file" in err


# --- outside corpora -------------------------------------------------------------------------------------------------


def corpus(variable: str, *parts: str) -> list[Path]:
    root = os.environ.get(variable)
    if not root:
        pytest.skip(f"set {variable} to a copy of that repository")
    return list(rust_files([Path(root, part) for part in parts]))


def problems_in(files: list[Path]) -> list[str]:
    found: list[str] = []
    for path in files:
        listing = list_source(from_text(str(path), path.read_text(encoding="utf-8")), bodies=True)
        found.extend(f"{path}:{p.line}:{p.column}: {p.construct}: {p.message}" for p in listing.problems)
    return found


def test_all_of_vericontest_parses() -> None:
    assert problems_in(corpus("SAMESPEC_VERICONTEST", "benchmark")) == []


def test_verus_examples_and_vstd_parse() -> None:
    assert problems_in(corpus("SAMESPEC_VERUS", "examples", "source/vstd")) == []
