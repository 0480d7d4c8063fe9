"""Names: scopes, imports, shadowing, blocks, the library; a path means what Rust says it means."""

# ruff: noqa: E501 (programs as text)

from __future__ import annotations

import pytest

from tests.translate.elaboration import crate_of, ensures, kept, same_terms


def value(crate_text: str, path: str, module: str = "crate") -> str | None:
    """The full path of what a path names among values in a module."""
    crate = crate_of(crate_text)
    ref = crate.resolve(path.split("::"), crate.modules[module], "values")
    return None if ref is None else ref.path


MODULES = """
spec fn top() -> int { 0 }
pub mod a { pub open spec fn x() -> int { 1 } pub mod b { pub open spec fn y() -> int { 2 } } }
"""


@pytest.mark.parametrize(
    ("path", "module", "found"),
    [
        ("top", "crate", "crate::top"),
        ("a::x", "crate", "crate::a::x"),
        ("a::b::y", "crate", "crate::a::b::y"),
        ("crate::a::x", "crate::a::b", "crate::a::x"),
        ("self::x", "crate::a", "crate::a::x"),
        ("super::x", "crate::a::b", "crate::a::x"),
        ("super::super::top", "crate::a::b", "crate::top"),
        ("b::y", "crate::a", "crate::a::b::y"),
        ("top", "crate::a", None),  # a module does not see what stands around it
        ("x", "crate", None),
    ],
)
def test_modules(path: str, module: str, found: str | None) -> None:
    assert value(MODULES, path, module) == found


@pytest.mark.parametrize(
    ("use", "path", "found"),
    [
        ("use a::x;", "x", "crate::a::x"),
        ("use a::x as z;", "z", "crate::a::x"),
        ("use a::x as z;", "x", None),
        ("use a::*;", "x", "crate::a::x"),
        ("use a::*;", "b::y", "crate::a::b::y"),
        ("use a::{self, b::y};", "y", "crate::a::b::y"),
        ("use a::b; use b::y;", "y", "crate::a::b::y"),
        ("use a::*; use b::y;", "y", "crate::a::b::y"),
        ("pub mod r { pub use crate::a::*; } use r::*;", "x", "crate::a::x"),
        ("pub mod r { pub use crate::a::x as q; } use r::q;", "q", "crate::a::x"),
        ("use a::*; spec fn x() -> int { 9 }", "x", "crate::x"),  # a definition shadows a glob
        ("pub mod c { pub open spec fn x() -> int { 3 } } use a::*; use c::x;", "x", "crate::c::x"),  # so does an import
    ],
)
def test_imports(use: str, path: str, found: str | None) -> None:
    assert value(MODULES + use, path) == found


def test_cycles_of_imports_end() -> None:
    text = "pub mod a { pub use super::b::*; pub use super::c::*; } pub mod b { pub use super::a::*; pub use super::c::*; }"
    text += " pub mod c { pub use super::a::*; pub use super::b::*; pub open spec fn deep() -> int { 1 } } use a::*; use b::*; use c::*;"
    assert value(text, "deep") == "crate::c::deep"
    assert value(text, "nothing") is None
    assert value("use self::x as x; use crate::y as x;", "x") is None


def test_many_globs_that_import_each_other_are_searched_once() -> None:
    names = [f"m{i}" for i in range(12)]
    text = "".join(f"pub mod {n} {{ {' '.join(f'pub use super::{o}::*;' for o in names if o != n)} }}" for n in names)
    assert value(text + "use m0::*;", "nothing") is None


def test_variants() -> None:
    text = "pub enum E { A, B } pub mod m { pub use super::E::*; } use m::*;"
    assert value(text, "E::A") == "crate::E::A"
    assert value(text, "A") == "crate::E::A"


def test_items_of_a_block_shadow_and_see_what_stands_around() -> None:
    text = "spec fn g() -> int {{ 1 }} spec fn h() -> int {{ 5 }} proof fn f() ensures ({}) {{}}"
    assert ensures(text.format("{ spec fn g() -> int { 2 } g() + h() == 7 }")) == "g() + h() == 7"
    inner, outer = "{ spec fn g() -> int { 2 } g() == 2 }", "{ g() == 2 }"
    assert not same_terms(text.format(inner), text.format(outer))


def test_super_inside_a_block_is_that_of_its_module() -> None:
    text = "spec fn g() -> int {{ 1 }} pub mod m {{ pub open spec fn g() -> int {{ 2 }} proof fn f() ensures ({{ use {}; g() == 1 }}) {{}} }}"
    assert same_terms(text.format("super::g"), text.format("crate::g"))
    assert not same_terms(text.format("super::g"), text.format("self::g"))


def test_what_the_library_exports_under_several_paths() -> None:
    for use in ("use std::option::Option;", "use core::option::Option;", "use vstd::seq::*;", "use vstd::std_specs::option::*;", ""):
        assert same_terms(use + "fn f(x: Option<u8>) requires x is Some {}", "fn f(x: Option<u8>) requires x is Some {}")


def test_a_definition_of_the_file_shadows_the_library() -> None:
    common = "fn f(s: Seq<int>) ensures len(s) == 1 {}"
    assert kept("spec fn len(s: Seq<int>) -> nat { s.len() }" + common, "spec fn len(s: Seq<int>) -> nat { 1 }" + common) is not True
    library, own = "fn f(v: Vec<u8>) ensures true {}", "pub struct Vec<T> { t: T } fn f(v: Vec<u8>) ensures true {}"
    assert kept(library, own) is False


def test_unknown_names_are_told_apart_by_where_they_may_come_from() -> None:
    body = "fn f(x: u8) ensures good(x) {}"
    assert same_terms("use one::*;" + body, "use one::*;" + body)
    assert not same_terms("use one::*;" + body, "use two::*;" + body)
    assert not same_terms("use one::good;" + body, "use two::good;" + body)
    assert same_terms("use one::good;" + body, "fn f(x: u8) ensures one::good(x) {}")


def test_a_module_in_another_file_is_unknown_by_its_path() -> None:
    assert same_terms("mod m; fn f(x: u8) ensures m::good(x) {}", "mod m; use m::good; fn f(x: u8) ensures good(x) {}")


def test_impls_of_one_type_at_several_arguments_have_paths_of_their_own() -> None:
    paths = [r.path for r in crate_of("pub struct P; pub struct G<T> { t: T } impl G<u8> { fn a() {} } impl<T> G<T> { fn b() {} }").functions]
    assert paths[-1] == "crate::G::b"
