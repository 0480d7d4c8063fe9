"""The names of vstd in contracts: each is translated, and a contract that no longer says what it did is found out."""

# ruff: noqa: E501  (a table of programs)

from __future__ import annotations

import pytest

from equiv.check import check_sources
from equiv.verdict import Verdict
from translate.source import from_text

SEQ = "s: Seq<int>, t: Seq<int>, x: int, i: int"
SET = "a: Set<int>, b: Set<int>, x: int"
MAP = "m: Map<int, int>, n: Map<int, int>, k: int, v: int"
BAG = "p: Multiset<int>, q: Multiset<int>, x: int"
SUM = "o: Option<int>, w: Result<int, bool>, x: int"
TEXT = "s: String, c: char, u: &str"
NUMBERS = "x: int, y: int, a: u8, b: u8, n: nat, c: i32"
STD = "h: HashMap<u64, u64>, g: HashSet<u64>, d: VecDeque<u64>, e: Vec<u64>, z: &[u64], k: u64, arr: [u64; 3], bx: Box<u64>"
GHOST = "gh: Ghost<int>, tr: Tracked<int>, x: int, clos: spec_fn(int) -> bool"

#: parameters, a precondition, a type, and expressions of it
NAMES: list[tuple[str, str, str, str]] = [
    (
        SEQ,
        "0 < i < s.len()",
        "Seq<int>",
        "Seq::<int>::new(3, |k: int| k + x); Seq::<int>::empty(); s.push(x); s.update(i, x); s.insert(i, x); s.remove(i); s.subrange(1, i); s.take(i); s.skip(i); s.add(t); s + t; s.drop_first(); s.drop_last(); s.reverse(); s.map(|k: int, v: int| v + k); s.map_values(|v: int| v + 1); s.filter(|v: int| v > 0); seq![x, i, 3]; s.zip_with(t).map_values(|p: (int, int)| p.0); seq![s, t].flatten()",
    ),
    (
        SEQ,
        "0 < i < s.len()",
        "int",
        "s.len() as int; s.index(i); s[i]; s.first(); s.last(); s.index_of(x); s.fold_left(x, |a: int, v: int| a + v); s.fold_right(|v: int, a: int| a + v, x); s.min(); s.max(); s.to_multiset().count(x) as int",
    ),
    (
        SEQ,
        "0 < i < s.len()",
        "bool",
        "s.contains(x); s.no_duplicates(); s.is_prefix_of(t); s.is_suffix_of(t); s.all(|v: int| v > 0); s.any(|v: int| v > 0); s =~= t",
    ),
    (SEQ, "0 < i < s.len()", "Set<int>", "s.to_set()"),
    (
        SET,
        "true",
        "Set<int>",
        "Set::<int>::empty(); a.insert(x); a.remove(x); a.union(b); a + b; a.intersect(b); a * b; a.difference(b); a - b; a.filter(|v: int| v > x); set![1int, x]; a.map(|v: int| v + 1)",
    ),
    (SET, "true", "int", "a.len() as int; a.choose()"),
    (
        SET,
        "true",
        "bool",
        "a.contains(x); a.finite(); a.subset_of(b); a <= b; a.disjoint(b); a =~= b; a.is_empty(); a.is_singleton()",
    ),
    (
        MAP,
        "true",
        "Map<int, int>",
        "Map::<int, int>::empty(); Map::<int, int>::new(|j: int| 0 <= j < 3, |j: int| j + k); m.insert(k, v); m.remove(k); m.union_prefer_right(n); m.restrict(set![k]); map![k => v]; m.remove_keys(set![k]); m.map_values(|w: int| w + 1); m.map_entries(|j: int, w: int| w + j); m.invert()",
    ),
    (
        MAP,
        "true",
        "bool",
        "m.contains_key(k); m.contains_value(v); m.contains_pair(k, v); m.submap_of(n); m <= n; m.agrees(n); m =~= n; m.is_injective()",
    ),
    (MAP, "true", "int", "m[k]; m.len() as int"),
    (MAP, "true", "Set<int>", "m.dom(); m.values()"),
    (
        BAG,
        "true",
        "Multiset<int>",
        "Multiset::<int>::empty(); Multiset::<int>::singleton(x); p.insert(x); p.remove(x); p.add(q); p.sub(q); p.update(x, 3); p.intersection_with(q); p.difference_with(q)",
    ),
    (BAG, "true", "int", "p.count(x) as int; p.len() as int; p.choose()"),
    (BAG, "true", "bool", "p.contains(x); p.subset_of(q); p <= q; p =~= q; p.is_disjoint_from(q)"),
    (SUM, "true", "bool", "o.is_some(); o is Some; o.is_none(); w.is_ok(); w is Err; w.is_err(); o == Some(x)"),
    (SUM, "true", "int", "o.unwrap(); o->0; w.unwrap(); w->Ok_0; o.unwrap_or(x); match o { Some(y) => y, None => x }"),
    (SUM, "true", "Option<int>", "w.ok(); Some(x); None::<int>"),
    (
        TEXT,
        "true",
        "bool",
        "s@.len() > 2; s@ == u@; s@[0] == c; c == 'x'; u.is_ascii(); s.is_ascii(); s@ == \"ab\"@; c.is_ascii()",
    ),
    (
        NUMBERS,
        "y > 0, n < 5, b < 8",
        "int",
        "vstd::math::abs(x) as int; vstd::math::max(x, y); vstd::math::min(x, y); vstd::math::clip(x) as int; vstd::arithmetic::power::pow(x, n); vstd::arithmetic::power2::pow2(n) as int; x / y; x % y; x * y; x as u8 as int; c as u32 as int; u8::MAX as int; usize::MAX as int; u8::BITS as int; isize::MIN as int",
    ),
    (NUMBERS, "y > 0, n < 5, b < 8", "u8", "a & b; a | b; a ^ b; !a; a << b; a >> b; a & 0x0f"),
    (
        STD,
        "true",
        "bool",
        "h@.contains_key(k); h@[k] == 3; g@.contains(k); d@.len() > 2; d@[0] == k; e[0] == k; z[0] == k; arr[0] == k; *bx == k; e.deep_view() == seq![k as nat]; z.len() > 2; e@.contains(k)",
    ),
    (
        GHOST,
        "true",
        "bool",
        "gh@ == x; tr@ == x; clos(x); (choose|j: int| j == x + 1) == x; exists|j: int| j * j == x; forall|j: int| j > x ==> clos(j)",
    ),
]
CASES = [(p, r, t, e.strip()) for p, r, t, expressions in NAMES for e in expressions.split(";")]


@pytest.mark.parametrize(("parameters", "required", "result", "expression"), CASES, ids=[c[3] for c in CASES])
def test_a_contract_that_drops_it_is_weakened(parameters: str, required: str, result: str, expression: str) -> None:
    def text(ensures: str) -> str:
        return (
            "use vstd::prelude::*; use std::collections::*; verus! {"
            f" proof fn f({parameters}) -> (r: {result}) requires {required} ensures {ensures} {{ proof_from_false() }}"
            " } fn main() {}"
        )

    report = check_sources(from_text("a.rs", text(f"r == ({expression})")), from_text("b.rs", text("true")), budget=600_000)
    (target,) = report.targets
    assert target.verdict is Verdict.WEAKENED, target.reasons
    example = target.reasons[0].counterexample
    assert example is not None
    assert example.replayed, example.replay
