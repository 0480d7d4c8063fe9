# ruff: noqa: E501 (programs stand on one line each)
"""What Verus reads and what is built: every way to tell them apart is found, and honest configuration is not."""

from __future__ import annotations

import pytest

from tests.depgraph.helpers import found, run

S = "pub struct S { pub x: u64 } "
GHOST, PLAIN = "#[cfg(verus_keep_ghost)]", "#[cfg(not(verus_keep_ghost))]"
SWAPPED = {
    "functions": f"{GHOST} fn g() -> u64 {{ 1 }} {PLAIN} fn g() -> u64 {{ 2 }} fn f() {{ g(); }}",
    "nested predicates": "#[cfg(all(verus_keep_ghost, not(any())))] fn g() -> u64 { 1 } #[cfg(not(all(verus_keep_ghost)))] fn g() -> u64 { 2 } fn f() { g(); }",
    "methods": S + f"impl S {{ {GHOST} fn g(&self) -> u64 {{ 1 }} {PLAIN} fn g(&self) -> u64 {{ 2 }} }} fn f(s: S) {{ s.g(); }}",
    "impl blocks": S + f"{GHOST} impl S {{ fn g(&self) -> u64 {{ 1 }} }} {PLAIN} impl S {{ fn g(&self) -> u64 {{ 2 }} }} fn f(s: S) {{ s.g(); }}",
    "modules": f"{GHOST} mod m {{ pub fn g() -> u64 {{ 1 }} }} {PLAIN} mod m {{ pub fn g() -> u64 {{ 2 }} }} fn f() {{ m::g(); }}",
    "imports": f"mod a {{ pub fn g() {{ }} }} mod b {{ pub fn g() {{ }} }} {GHOST} use a::g; {PLAIN} use b::g; fn f() {{ g(); }}",
    "aliases": f"mod a {{ pub fn g() {{ }} pub fn h() {{ }} }} {GHOST} use a::g as k; {PLAIN} use a::h as k; fn f() {{ k(); }}",
    "globs": f"mod a {{ pub fn g() {{ }} }} mod b {{ pub fn g() {{ }} }} {GHOST} use a::*; {PLAIN} use b::*; fn f() {{ g(); }}",
    "constants": f"{GHOST} const N: u64 = 1; {PLAIN} const N: u64 = 2; fn f() -> u64 {{ N }}",
    "types": f"{GHOST} pub struct T {{ pub x: u64 }} {PLAIN} pub struct T {{ pub x: u8 }} fn f(t: T) {{ }}",
    "macros": f"{GHOST} macro_rules! m {{ () => {{ 1 }} }} {PLAIN} macro_rules! m {{ () => {{ 2 }} }} fn f() -> u64 {{ m!() }}",
    "statements": f"fn f() {{ let x = 1u64; {PLAIN} let x = 2u64; }}",
    "blocks": f"fn f() {{ {PLAIN} {{ let x = 2u64; }} }}",
    "arms": f"fn f(x: u64) -> u64 {{ match x {{ {PLAIN} 3 => 4, _ => 5 }} }}",
    "cfg!": "fn f() -> u64 { if cfg!(verus_keep_ghost) { 1 } else { 2 } }",
    "debug assertions": "#[cfg(debug_assertions)] fn g() -> u64 { 1 } #[cfg(not(debug_assertions))] fn g() -> u64 { 2 } fn f() { g(); }",
}


@pytest.mark.parametrize("name", list(SWAPPED))
def test_swapped(name: str) -> None:
    report = run(SWAPPED[name])
    assert found(report) & {"cfg-twin", "cfg-code"}, report.reported
    assert report.clean is False


HONEST = {
    "tests": "fn f() { } #[cfg(test)] mod tests { fn f() { } }",
    "ghost imports": f"{GHOST} use vstd::arithmetic::mul::*; fn f() {{ }}",
    "ghost functions": f"{GHOST} proof fn l() {{ }} fn f() {{ proof {{ l(); }} }}",
    "switched off by a name that nobody sets": "#[cfg(FALSE)] fn g() { assume(false); } fn f() { }",
    "features": '#[cfg(feature = "x")] fn extra() { } fn f() { }',
    "a feature's other definition": '#[cfg(feature = "x")] fn g() { } #[cfg(not(feature = "x"))] fn g() { } fn f() { g(); }',
    "platforms": "#[cfg(unix)] fn g() { } #[cfg(not(unix))] fn g() { } fn f() { g(); }",
    "another path": f"{GHOST} mod a {{ pub fn g() {{ }} }} {PLAIN} mod b {{ pub fn g() {{ }} }} fn f() {{ a::g(); }}",
}


@pytest.mark.parametrize("name", list(HONEST))
def test_honest(name: str) -> None:
    report = run(HONEST[name])
    assert report.clean is True, report.reported


def test_both_definitions_of_a_platform_are_audited() -> None:
    report = run("#[cfg(unix)] fn g() { } #[cfg(not(unix))] fn g() { assume(false); } fn f() { g(); }")
    assert found(report) == {"assume"}
