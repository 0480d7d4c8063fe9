"""Recursive definitions: what ends, which two are one function, and what replacing one by the other gives."""

# ruff: noqa: E501  (tables of programs, a line each)

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from equiv.check import check_sources, read_crate
from equiv.decide import Decider
from equiv.normal import Normalizer
from equiv.recursion import calls_of, replace, same_function, same_group, terminates
from translate import terms as tm
from translate.elaborate.contracts import read_contract
from translate.elaborate.elaborator import Elaborator
from translate.elaborate.scope import Typed
from translate.readings.evaluate import Context, compile  # noqa: A004
from translate.source import from_text
from translate.terms import FnSym, Term

DECIDER = Decider()


def prove(premises: Sequence[Term], goal: Term, variables: Sequence[Term]) -> bool:
    return DECIDER.proved_by_z3(premises, goal, variables, 0.2)


def symbols(definitions: str, *names: str) -> list[FnSym]:
    """The symbols of spec functions, by name."""
    el = Elaborator(read_crate(from_text("t.rs", f"verus! {{ {definitions} }}")))
    found = []
    for name in names:
        ref = next(r for r in el.crate.functions if r.name == name)
        contract = read_contract(el, ref)
        typed = [Typed(v, v.sort) for v in contract.inputs]
        result = contract.interface.result_sort
        assert result is not None
        ts = el.definitions.fn_scope(ref, None)
        symbol = el.definitions.symbol(ref, ts, typed, result)
        assert isinstance(symbol, FnSym)
        found.append(symbol)
    return found


ENDS = {
    "count down": "spec fn f(n: nat) -> int decreases n { if n == 0 { 0 } else { f((n - 1) as nat) + 1 } }",
    "guarded int": "spec fn f(n: int) -> int decreases n { if n <= 0 { 0 } else { f(n - 1) } }",
    "halving": "spec fn f(n: nat) -> nat decreases n { if n == 0 { 0 } else { f(n / 2) + 1 } }",
    "and": "spec fn f(n: int) -> bool decreases n { n > 0 && f(n - 1) }",
    "or": "spec fn f(n: int) -> bool decreases n { n <= 0 || f(n - 1) }",
    "implies": "spec fn f(n: int) -> bool decreases n { n > 0 ==> f(n - 1) }",
    "upwards": "spec fn f(n: int, m: int) -> int decreases m - n { if n >= m { 0 } else { 1 + f(n + 1, m) } }",
    "lexicographic": "spec fn f(a: nat, b: nat) -> int decreases a, b { if b > 0 { f(a, (b - 1) as nat) } else if a > 0 { f((a - 1) as nat, a) } else { 0 } }",
    "sequence": "spec fn f(s: Seq<int>) -> int decreases s.len() { if s.len() == 0 { 0 } else { s.last() + f(s.drop_last()) } }",
    "when": "spec fn f(n: int) -> int decreases n when n >= 0 { if n == 0 { 0 } else { f(n - 1) } }",
    "under a quantifier": "spec fn f(n: int) -> bool decreases n { forall|k: int| 0 <= k < n ==> f(k) }",
}  # fmt: skip

DOES_NOT_END = {
    "same argument": "spec fn f(n: int) -> int decreases n { f(n) + 1 }",
    "negative numbers": "spec fn f(n: int) -> int decreases n { if n == 0 { 0 } else { f(n - 1) } }",
    "wrong measure": "spec fn f(n: int, m: int) -> int decreases n { if m <= 0 { 0 } else { f(n, m - 1) } }",
    "call in the condition": "spec fn f(n: int) -> int decreases n { if f(n) > 0 { 0 } else { 1 } }",
    "wrong order of and": "spec fn f(n: int) -> bool decreases n { f(n - 1) && n > 0 }",
    "unbounded quantifier": "spec fn f(n: int) -> bool decreases n { forall|k: int| k < n ==> f(k) }",
    "no measure": "spec fn f(n: int) -> int { if n <= 31 { 0 } else { f(n - 1) } }",
    "when that holds too often": "spec fn f(n: int) -> int decreases n when n >= -1 { if n == 0 { 0 } else { f(n - 1) } }",
    "pair": "spec fn f(n: int) -> int decreases n { g(n) } spec fn g(n: int) -> int decreases n { if n <= 0 { 0 } else { f(n - 1) } }",
    "inside a closure": "spec fn ap(h: spec_fn(int) -> int, n: int) -> int { h(n) } spec fn f(n: int) -> int decreases n { ap(|k: int| f(k), n) }",
    "zero is not below zero": "spec fn f(n: nat) -> int decreases n { f(n / 2) + 1 }",
}  # fmt: skip


@pytest.mark.parametrize("name", list(ENDS))
def test_shown_to_end(name: str) -> None:
    (f,) = symbols(ENDS[name], "f")
    assert terminates(f, prove)


@pytest.mark.parametrize("name", list(DOES_NOT_END))
def test_not_shown_to_end(name: str) -> None:
    (f,) = symbols(DOES_NOT_END[name], "f")
    assert f.kind != "recursive" or not terminates(f, prove)


SAME = {
    "branches turned": (
        "spec fn f(n: nat) -> int decreases n { if n == 0 { 0 } else { n + f((n - 1) as nat) } }",
        "spec fn g(n: nat) -> int decreases n { if n > 0 { g((n - 1) as nat) + n } else { 0 } }",
        (0,),
    ),
    "closed form": (
        "spec fn f(n: int) -> int decreases n { if n <= 0 { 0 } else { 2 + f(n - 1) } }", "spec fn g(n: int) -> int { if n <= 0 { 0 } else { 2 * n } }", (0,),
    ),
    "parameters swapped": (
        "spec fn f(b: int, e: nat) -> int decreases e { if e == 0 { 1 } else { b * f(b, (e - 1) as nat) } }",
        "spec fn g(e: nat, b: int) -> int decreases e { if e == 0 { 1 } else { g((e - 1) as nat, b) * b } }",
        (1, 0),
    ),
    "one condition": (
        "spec fn f(n: int) -> int decreases n when n >= 0 { if n == 0 { 0 } else { n + f(n - 1) } }",
        "spec fn g(n: int) -> int decreases n when 0 <= n { if n != 0 { g(n - 1) + n } else { 0 } }",
        (0,),
    ),
    "two of many parameters swapped": (
        "spec fn f(a: int, b: int, c: int, d: int, e: int, n: nat) -> int decreases n { if n == 0 { a - b + 2 * c - d * e } else { f(a + 1, b, c, d, e, (n - 1) as nat) } }",
        "spec fn g(a: int, d: int, c: int, b: int, e: int, n: nat) -> int decreases n { if n == 0 { a - b + 2 * c - d * e } else { g(a + 1, d, c, b, e, (n - 1) as nat) } }",
        (0, 3, 2, 1, 4, 5),
    ),
}  # fmt: skip
OTHER = {
    "another base": (
        "spec fn f(n: nat) -> int decreases n { if n == 0 { 0 } else { n + f((n - 1) as nat) } }",
        "spec fn g(n: nat) -> int decreases n { if n == 0 { 1 } else { n + g((n - 1) as nat) } }",
    ),
    "only for small numbers": (
        "spec fn f(n: nat) -> int decreases n { if n == 0 { 0 } else { n + f((n - 1) as nat) } }",
        "spec fn g(n: nat) -> int decreases n { if n == 0 { 0 } else if n == 100000 { 3 } else { n + g((n - 1) as nat) } }",
    ),
    "another type": ("spec fn f(n: nat) -> int decreases n { if n == 0 { 0 } else { f((n - 1) as nat) } }", "spec fn g(n: int) -> int { 0 }"),
}  # fmt: skip


@pytest.mark.parametrize("name", list(SAME))
def test_same_function(name: str) -> None:
    old, new, order = SAME[name]
    f, g = symbols(f"{old} {new}", "f", "g")
    found = same_function(f, g, g.kind != "recursive" or terminates(g, prove), prove, Normalizer().normal)
    assert found is not None
    assert found.order == order
    assert found.condition is None or (found.of_one_text and name == "one condition")


@pytest.mark.parametrize("name", list(OTHER))
def test_not_the_same_function(name: str) -> None:
    f, g = symbols(" ".join(OTHER[name]), "f", "g")
    assert same_function(f, g, True, prove, Normalizer().normal) is None


def test_same_only_where_both_are_defined() -> None:
    f, g = symbols(
        "spec fn f(n: int) -> int decreases n { if n <= 0 { 0 } else { 2 + f(n - 1) } }"
        " spec fn g(n: int) -> int decreases n when n >= 0 { if n == 0 { 0 } else { g(n - 1) + 2 } }",
        "f",
        "g",
    )
    found = same_function(f, g, terminates(g, prove), prove, Normalizer().normal)
    assert found is not None
    assert found.condition is not None
    n = tm.var("n", tm.INT)
    holds = compile(tm.instantiate(found.condition, (n,)), [n], Context(steps=1000))
    assert [holds.run([v]) for v in (-1, 0, 5)] == [False, True, True]


UNENDING = {
    "says nothing": "spec fn g(n: int) -> int decreases n { g(n) }",
    "contradiction": "spec fn g(n: int) -> int decreases n { g(n) + 1 }",
    "no base": "spec fn g(n: int) -> int decreases n { g(n - 1) + 2 }",
    "contradiction for negative numbers": "spec fn g(n: int) -> int decreases n { if n < 0 { g(n) + 1 } else if n == 0 { 0 } else { g(n - 1) + 2 } }",
}  # fmt: skip


@pytest.mark.parametrize("name", list(UNENDING))
def test_an_equation_without_an_end_proves_nothing(name: str) -> None:
    f, g = symbols(f"spec fn f(n: int) -> int decreases n {{ if n <= 0 {{ 0 }} else {{ 2 + f(n - 1) }} }} {UNENDING[name]}", "f", "g")
    assert not terminates(g, prove)
    assert same_function(f, g, False, prove, Normalizer().normal) is None


def test_an_equation_where_the_original_has_none_is_not_used() -> None:
    """f says nothing of negative numbers, and g contradicts itself there: a premise that mentions g(-1) must prove nothing."""
    definitions = (
        "spec fn f(n: int) -> int decreases n when n >= 0 { if n == 0 { 0 } else { f(n - 1) + 1 } }"
        " spec fn g(n: int) -> int decreases n { if n < 0 { g(n) + 1 } else if n == 0 { 0 } else { g(n - 1) + 1 } }"
    )
    f, g = symbols(definitions, "f", "g")
    assert same_function(f, g, terminates(g, prove), prove, Normalizer().normal) is None
    file = "use vstd::prelude::*; verus! {{ {} fn t(x: u64) -> (r: u64) ensures {} {{ x }} }} fn main() {{}}".format
    old = from_text("a.rs", file(definitions, "r == f(x as int)"))
    new = from_text("b.rs", file(definitions, "r == g(x as int) || g(-1) == 3"))
    assert check_sources(old, new, targets=["t"]).kept() is not True


def test_two_copies_side_by_side_are_not_the_same_where_nothing_is_said() -> None:
    """One copy may take the place of the original's function; of two, each has values of its own outside its `when`."""
    ends = "(n: int) -> int decreases n when n >= 0 { if n == 0 { 0 } else { n + %s(n - 1) } }"
    old = from_text("old.rs", "verus! { spec fn f" + ends % "f" + " fn t(x: i32) -> (r: i32) ensures r == f(x as int) { 0 } }")
    renamed = from_text("new.rs", old.text.replace("f(", "g("))
    assert check_sources(old, renamed, targets=["t"]).kept() is True
    both = "verus! { spec fn g" + ends % "g" + " spec fn h" + ends % "h"
    for copy in ("h", "g"):
        beside = f"{both} fn t(x: i32) -> (r: i32) requires g(x as int) == {copy}(x as int), ensures r == g(x as int) {{ 0 }} }}"
        assert (check_sources(old, from_text("new.rs", beside), targets=["t"]).kept() is True) == (copy == "g")


def test_conditions_of_a_call() -> None:
    (f,) = symbols(ENDS["guarded int"], "f")
    assert f.body is not None
    (call,) = calls_of(f, tm.instantiate(f.body, (tm.var("n", tm.INT),)))
    n = tm.var("n", tm.INT)
    assert call.guard is tm.not_(tm.arith("le", n, tm.ZERO))
    assert call.args == (tm.arith("sub", n, tm.ONE),)


def test_replace_keeps_values() -> None:
    old, new, order = SAME["parameters swapped"]
    f, g = symbols(f"{old} {new}", "f", "g")
    e, b = tm.var("e", tm.NAT), tm.var("b", tm.INT)
    inner = tm.defined("twice", (tm.NAT, tm.INT), tm.arith("add", *[tm.app(g, (tm.bound(1, tm.NAT), tm.bound(0, tm.INT)))] * 2))
    before = tm.arith("add", tm.app(g, (e, b)), tm.app(inner, (e, b)))
    after = replace(before, g, f, order, {})
    assert g not in tm.symbols(after)
    rng = Random(7)
    for _ in range(20):
        values = [rng.randrange(5), rng.randrange(-3, 4)]
        results = {compile(t, [e, b], Context(steps=10_000)).run(values) for t in (before, after)}
        assert len(results) == 1


# --- functions that call each other ------------------------------------------------------------------------------------------

EVEN_ODD = (
    "spec fn even(n: nat, k: int) -> bool decreases n { if n == 0 { k == 0 } else { odd((n - 1) as nat, k) } }"
    " spec fn odd(n: nat, k: int) -> bool decreases n { if n == 0 { k == 1 } else { even((n - 1) as nat, k) } }"
)
GROUPS = {
    "branches turned": "spec fn even2(n: nat, k: int) -> bool decreases n { if n > 0 { odd2((n - 1) as nat, k) } else { 0 == k } } spec fn odd2(n: nat, k: int) -> bool decreases n { if n != 0 { even2((n - 1) as nat, k) } else { k == 1 } }",
    "parameters of one swapped": "spec fn even2(k: int, n: nat) -> bool decreases n { if n == 0 { k == 0 } else { odd2((n - 1) as nat, k) } } spec fn odd2(n: nat, k: int) -> bool decreases n { if n == 0 { k == 1 } else { even2(k, (n - 1) as nat) } }",
    "by induction": "spec fn even2(n: nat, k: int) -> bool decreases n { if n == 0 { k * k == 0 } else { odd2((n - 1) as nat, k) } } spec fn odd2(n: nat, k: int) -> bool decreases n { if n == 0 { k == 1 } else { even2((n - 1) as nat, k) } }",
}  # fmt: skip
OTHER_GROUPS = {
    "another end": GROUPS["branches turned"].replace("k == 1", "k == 2"),
    "one does not end": GROUPS["branches turned"].replace("even2((n - 1) as nat, k)", "even2(n, k)"),
    "one skips": GROUPS["branches turned"].replace("even2((n - 1) as nat, k)", "odd2((n - 1) as nat, k)"),
}


@pytest.mark.parametrize("name", list(GROUPS))
def test_same_group(name: str) -> None:
    f, g = symbols(f"{EVEN_ODD} {GROUPS[name]}", "even", "even2")
    found = same_group(f, g, prove, Normalizer().normal)
    assert found is not None
    assert {(m.f.name, m.g.name) for m in found} == {("even", "even2"), ("odd", "odd2")}


@pytest.mark.parametrize("name", list(OTHER_GROUPS))
def test_not_the_same_group(name: str) -> None:
    f, g = symbols(f"{EVEN_ODD} {OTHER_GROUPS[name]}", "even", "even2")
    assert same_group(f, g, prove, Normalizer().normal) is None
