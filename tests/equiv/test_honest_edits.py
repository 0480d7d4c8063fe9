"""Honest edits: the same contract in other words, or one that promises more or asks less. All must be called kept.

`OPEN` names those that samespec does not see through today, with the reason: a fixed one must leave the list.
"""

# ruff: noqa: E501  (tables of programs, a line each)

from __future__ import annotations

import pytest

from equiv.decide import DEFAULT_BUDGET
from tests.equiv.test_attacks import cases, explained, judge

#: Edits that are called broken, undecided or unsupported today.
OPEN: dict[str, str] = {}


def clauses(signature: str, *pairs: tuple[str, str], requires: str = "true", definitions: str = "") -> dict[str, tuple[str, str]]:
    """Pairs of postconditions of one function, each named by its second form."""
    fn = f"{definitions} {signature} requires {requires} ensures %s {{ todo!() }}"
    return {new: (fn % old, fn % new) for old, new in pairs}


VEC = clauses(
    "fn f(v: &Vec<u64>, k: u64) -> (r: Option<usize>)",
    ("r matches Some(i) ==> 0 <= i < v.len() && v[i as int] == k", "r matches Some(i) ==> 0 <= i < v.len(), r matches Some(i) ==> v[i as int] == k"),
    (
        "match r { Some(i) => i < v.len() && v[i as int] == k, None => forall|j: int| 0 <= j < v.len() ==> v[j] != k }",
        "r is Some ==> r->0 < v@.len() && v@[r->0 as int] == k, r is None ==> !v@.contains(k)",
    ),
    ("r is None ==> forall|j: int| 0 <= j < v.len() ==> v[j] != k", "r is None ==> !(exists|j: int| 0 <= j < v.len() && v[j] == k)"),
    ("r is None ==> !v@.contains(k)", "v@.contains(k) ==> r is Some"),
    ("!(r is None && v@.contains(k))", "r is Some || !v@.contains(k)"),
    ("forall|j: int| 0 <= j < v.len() ==> v[j] != k", "forall|j: int| 1 <= j <= v.len() ==> v[j - 1] != k"),
    (
        "forall|i: int, j: int| 0 <= i < j < v.len() ==> v[i] <= v[j]",
        "forall|i: int| 0 <= i < v.len() ==> forall|j: int| i < j < v.len() ==> v[i] <= v[j]",
    ),
    (
        "forall|i: int, j: int| 0 <= i < j < v.len() ==> v[i] <= v[j]",
        "forall|j: int, i: int| 0 <= i && i < j && j < v.len() ==> v[j] >= v[i]",
    ),
    ("forall|i: int, j: int| 0 <= i < j < v.len() ==> v[i] <= v[j]", "forall|i: int| 0 <= i < v.len() - 1 ==> v[i] <= v[i + 1]"),
    ("v@.no_duplicates()", "forall|i: int, j: int| 0 <= i < j < v.len() ==> v[i] != v[j]"),
    ("v@ == seq![1u64, 2u64]", "v.len() == 2 && v[0] == 1 && v[1] == 2"),
    ("v@ =~= seq![1u64, 2u64]", "v@ == seq![1u64, 2u64]"),
    ("v@.subrange(0, v.len() as int) == seq![k]", "v@ == seq![k]"),
    ("v@ == seq![k].push(k)", "v@ == seq![k] + seq![k]"),
    ("(v@ + v@) + v@ == v@.push(k)", "v@ + (v@ + v@) == v@.push(k)"),
    ("v.len() > 0 ==> v@.last() == k", "v.len() > 0 ==> v[v.len() - 1] == k"),
    ("v@.to_multiset().count(k) == 1", "v@.to_multiset().count(k) < 2 && v@.to_multiset().count(k) > 0"),
    ("v@.to_multiset() == seq![k].to_multiset()", "seq![k].to_multiset() =~= v@.to_multiset()"),
    ("r is None ==> forall|i: int| 0 <= i < v.len() ==> #[trigger] v[i] > 0", "r is None ==> forall|i: int| #![trigger v@[i]] 0 <= i < v.len() ==> v[i] > 0"),
) | clauses(
    "fn f(v: &Vec<u64>, k: u64) -> (r: Option<usize>)",
    ("v@.subrange(0, 3) == seq![k, k, k]", "v@.take(3) =~= seq![k, k, k]"),
    ("v@.drop_last().push(k) == v@", "v@.last() == k"),
    requires="v.len() >= 3",
)  # fmt: skip

ARITHMETIC = clauses(
    "fn f(x: u64, y: u64) -> (r: u64)",
    ("r == 2 * (x + y)", "r == x + x + y + y"),
    ("r as int == (x + y) * (x - y)", "r == x * x - y * y"),
    ("r == (x + y) / 2", "2 * r <= x + y < 2 * r + 2"),
    ("r == x % 2", "r == x - 2 * (x / 2)"),
    ("r == x & 1", "r == x % 2 "),
    ("r == x >> 1", "r == x / 2"),
    ("r == x & 0xff", "r == x % 256"),
    ("r == 1u64 << 3", "r == 8"),
    ("r == 1 <==> x % 2 == 0", "r == 1 <==> exists|k: int| x == 2 * k"),
    ("r == if x >= y { x - y } else { y - x }", "(x >= y ==> r == x - y) && (x < y ==> r == y - x)"),
    ("r == if x >= y { x } else { y }", "r >= x && r >= y && (r == x || r == y)"),
    ("r == vstd::math::max(x as int, y as int)", "r >= x, r >= y, r == x || r == y"),
    ("({ let s = x + y; r == s * s })", "r == (x + y) * (x + y)"),
    ("x <= r <= y", "x <= r && r <= y"),
    ("!(r == x)", "r < x || r > x"),
    ("r as int == x as int", "r == x"),
    ("r == (x > y) as u64", "r == if x > y { 1int } else { 0 }"),
    ("r == u64::MAX", "r == 0xffff_ffff_ffff_ffff"),
    ("r == x", "r == x, r <= x, r >= 0"),
    ("r >= x", "r == x + 1"),
    ("r == 1u64 << 1 + 2", "r == 8 "),
    ("r == 0 ==> x == 0 ==> y == 0", "r == 0 && x == 0 ==> y == 0"),
    ("r == 0 <==> x == 0 ==> y == 0", "(r == 0) <==> (x == 0 ==> y == 0)"),
    ("r == 0 ==> x == 0 <==> y == 0", "(r == 0 ==> x == 0) <==> y == 0"),
    ("x == 0 || y == 0 ==> r == 0", "(x == 0 ==> r == 0) && (y == 0 ==> r == 0)"),
    ("forall|i: int| 0 <= i < 3 ==> i < x && r == 0", "(forall|i: int| 0 <= i < 3 ==> i < x) && r == 0"),
    ("r == x - y - 1", "r == x - (y + 1)"),
    ("if x > y { r == 1 } else { r == 0 }", "(x > y ==> r == 1) && (x <= y ==> r == 0)"),
    ("match x { 0..=9 => r == 1, _ => r == 0 }", "if x < 10 { r == 1 } else { r == 0 }"),
    ("match x { n @ 0..=9 => r == n, _ => r == 0 }", "if x < 10 { r == x } else { r == 0 }"),
    ("forall|i: u8| i <= x", "x >= 255"),
    ("exists|i: nat| i + r == x", "r <= x"),
    ("forall|c: char| c as u32 <= x", "x >= 0x10ffff"),
    ("forall|o: Option<u8>| o is Some ==> o->0 <= x", "x >= 0xff"),
    ("({ &&& x > 3 &&& r == 0 })", "x > 3, r == 0"),
    ('"a\\n"@.len() == 2 ==> r == 0', "r == 0"),
    ("r == b'a'", "r == 97"),
    ("r == 0 ==> -128i8 < x", "true"),
    ("usize::MAX >= 0xffff_ffff ==> r == x", "r == x  "),
)  # fmt: skip

OPTIONS = clauses(
    "fn f(o: Option<u64>, p: Option<Option<u64>>, x: u64) -> (r: u64)",
    ("r == o.unwrap_or(x)", "r == match o { Some(v) => v, None => x }"),
    ("p == Some(None::<u64>) ==> r == 0", "(p is Some && p->0 is None) ==> r == 0"),
    ("o matches Some(x) ==> r == x", "o is Some ==> r == o->0"),
    ("!(o matches Some(v) && v > 3) ==> r == 0", "(o is None || o->0 <= 3) ==> r == 0"),
    ("match o { Some(v) if v > 3 => r == v, Some(v) => r == 0, None => r == 1 }", "match o { Some(v) => if v > 3 { r == v } else { r == 0 }, None => r == 1 }"),
    ("match o { Some(1) | Some(2) => r == 1, _ => r == 0 }", "if o == Some(1u64) || o == Some(2u64) { r == 1 } else { r == 0 }"),
    ("o == Some(o->0) ==> r == 0", "o is Some ==> r == 0"),
)  # fmt: skip

COLLECTIONS = clauses(
    "proof fn f(m: Map<int, int>, n: Map<int, int>, a: Set<int>, b: Set<int>, s: Seq<int>, t: Seq<int>, k: int) -> (r: bool)",
    ("r == (m.dom().contains(3) && m[3] == 4)", "r == (m.contains_key(3) && m[3] == 4)"),
    ("r == m.contains_pair(3, 4)", "r == (m.dom().contains(3) && m[3] == 4)"),
    ("n == m.insert(1, 2)", "n.dom() == m.dom().insert(1), forall|i: int| n.dom().contains(i) ==> n[i] == if i == 1 { 2 } else { m[i] }"),
    ("k != 1 ==> r == (m.insert(1, 2)[k] == m[k])", "k != 1 ==> r"),
    ("r == a.subset_of(b)", "r == forall|x: int| a.contains(x) ==> b.contains(x)"),
    ("r == a.contains(3)", "r == (a has 3)"),
    ("r == a.disjoint(b)", "r == (a.intersect(b) == Set::<int>::empty())"),
    ("s == Seq::new(3, |i: int| i * 2)", "s == seq![0, 2, 4int]"),
    ("t == s.map_values(|x: int| x + 1)", "t.len() == s.len() && forall|i: int| 0 <= i < s.len() ==> t[i] == s[i] + 1"),
    ("t == s.filter(|x: int| x > 0)", "t == s.filter(|y: int| 0 < y)"),
    ("r == (s.fold_left(0, |a: int, x: int| a + x) == k)", "r == (s.fold_left(0, |b: int, y: int| y + b) == k)"),
    ("s.to_multiset() == t.to_multiset()", "forall|x: int| s.to_multiset().count(x) == t.to_multiset().count(x)"),
    ("r == ((choose|i: int| i == k) == k)", "r"),
)  # fmt: skip

F = "fn f(x: u64) -> (r: bool)"
SUM = "spec fn s(n: nat) -> nat decreases n { if n == 0 { 0 } else { n + s((n - 1) as nat) } }"
USES_SUM = f"{F} ensures r == (s(x as nat) > 5) {{ true }}"
PAIR = "pub struct P { x: i64, y: i64 }"
IMPLS = (
    "pub struct X { pub v: u64 } trait Fr<T>: Sized { fn fr(t: T) -> (r: Self); }"
    " impl Fr<u8> for X { fn fr(t: u8) -> (r: X) ensures r.v == t { X { v: t as u64 } } }"
    " impl Fr<u16> for X { fn fr(t: u16) -> (r: X) ensures r.v == t { X { v: t as u64 } } }"
)
CLOSURE = "fn f<F: Fn(u64) -> u64>(g: F) -> (r: u64) requires {} ensures {} {{ g(3) }}"
ENUM = "pub enum St { Op, Cl { code: u64 } } fn f(s: St) -> (r: bool) ensures"

FILES: dict[str, tuple[str, str]] = {
    "definition inlined": (f"spec fn p(x: u64) -> bool {{ x > 5 }} {F} ensures r == p(x) {{ true }}", f"{F} ensures r == (x > 5) {{ true }}"),
    "definition extracted": (
        f"{F} ensures r == (x > 5 && x < 10) {{ true }}", f"spec fn gt(x: u64, k: int) -> bool {{ x > k }} {F} ensures r == (gt(x, 5) && !gt(x, 9)) {{ true }}",
    ),
    "definition renamed": (
        f"spec fn p(x: u64) -> bool {{ x > 5 }} {F} ensures r == p(x) {{ true }}", f"spec fn is_big(v: u64) -> bool {{ 5 < v }} {F} ensures r == is_big(x) {{ true }}",
    ),
    "definition moved to a module": (
        f"spec fn p(x: u64) -> bool {{ x > 5 }} {F} ensures r == p(x) {{ true }}",
        f"mod specs {{ pub open spec fn p(x: u64) -> bool {{ x > 5 }} }} use specs::p; {F} ensures r == p(x) {{ true }}",
    ),
    "definition behind cfg(verus_keep_ghost)": (
        f"spec fn p(x: u64) -> bool {{ x > 5 }} {F} ensures r == p(x) {{ true }}",
        f"#[cfg(verus_keep_ghost)] spec fn p(x: u64) -> bool {{ x > 5 }} {F} ensures r == p(x) {{ true }}",
    ),
    "test module added": (
        f"{F} ensures r == (x > 5) {{ true }}", f"{F} ensures r == (x > 5) {{ true }} #[cfg(test)] mod tests {{ fn t() {{}} }}",
    ),
    "attributes added": (
        f"{F} ensures r == (x > 5) {{ true }}", f"#[inline] #[verifier::loop_isolation(false)] #[cfg_attr(feature = \"x\", inline)] {F} ensures r == (x > 5) {{ true }}",
    ),
    "recursive function renamed": (f"{SUM} {USES_SUM}", f"{SUM} {USES_SUM}".replace("s(", "total(")),
    "recursive function turned round": (
        f"{SUM} {USES_SUM}", f"spec fn s(n: nat) -> nat decreases n {{ if n > 0 {{ s((n - 1) as nat) + n }} else {{ 0 }} }} {USES_SUM}",
    ),
    "recursive function in closed form": (f"{SUM} {USES_SUM}", f"spec fn s(n: nat) -> nat {{ (n * (n + 1) / 2) as nat }} {USES_SUM}"),
    "recursive function with its parameters swapped": (
        "spec fn pw(b: int, e: nat) -> int decreases e { if e == 0 { 1 } else { b * pw(b, (e - 1) as nat) } } fn f(x: u64, y: u64) -> (r: u64) ensures r == pw(x as int, y as nat) { 0 }",
        "spec fn pw(e: nat, b: int) -> int decreases e { if e == 0 { 1 } else { pw((e - 1) as nat, b) * b } } fn f(x: u64, y: u64) -> (r: u64) ensures r == pw(y as nat, x as int) { 0 }",
    ),
    "recursion over a sequence": (
        "spec fn sum(s: Seq<u64>) -> int decreases s.len() { if s.len() == 0 { 0 } else { sum(s.drop_last()) + s.last() } } fn f(v: &Vec<u64>) -> (r: u64) ensures r == sum(v@) { 0 }",
        ("spec fn sum(s: Seq<u64>) -> int decreases s.len() { if s.len() > 0 { s[s.len() - 1] + sum(s.subrange(0, s.len() - 1)) } else { 0 } }"
        " fn f(v: &Vec<u64>) -> (r: u64) ensures r == sum(v@) { 0 }"),
    ),
    "pair of recursive functions renamed": tuple(
        f"spec fn {a}(n: nat) -> bool decreases n {{ if n == 0 {{ true }} else {{ {b}((n - 1) as nat) }} }}"
        f" spec fn {b}(n: nat) -> bool decreases n {{ if n == 0 {{ false }} else {{ {a}((n - 1) as nat) }} }} {F} ensures r == {a}(x as nat) {{ true }}"
        for a, b in (("even", "odd"), ("ev", "od"))
    ),
    "constant extracted": (f"{F} ensures r == (x > 5) {{ true }}", f"const LIMIT: u64 = 5; {F} ensures r == (x > LIMIT) {{ true }}"),
    "alias used": (f"{F} ensures r == (x > 5) {{ true }}", f"type Amount = u64; {F.replace('u64', 'Amount')} ensures r == (x > 5) {{ true }}"),
    "array length by a constant": ("fn f(a: [u64; 3]) -> (r: bool) ensures r { true }", "const N: usize = 3; fn f(a: [u64; N]) -> (r: bool) ensures r { true }"),
    "method extracted": (
        f"{PAIR} fn f(p: P) -> (r: bool) ensures r == (p.x * p.x + p.y * p.y > 4) {{ true }}",
        f"{PAIR} impl P {{ spec fn n2(self) -> int {{ self.x * self.x + self.y * self.y }} }} fn f(p: P) -> (r: bool) ensures r == (p.n2() > 4) {{ true }}",
    ),
    "view extracted": (
        "pub struct P { x: Vec<u64> } impl P { fn f(&self) -> (r: bool) ensures r == (self.x@.len() > 4) { true } }",
        "pub struct P { x: Vec<u64> } impl View for P { type V = Seq<u64>; closed spec fn view(&self) -> Seq<u64> { self.x@ } } impl P { fn f(&self) -> (r: bool) ensures r == (self@.len() > 4) { true } }",
    ),
    "macro for a definition": (
        "fn f(x: u64) -> (r: bool) ensures r == (2 * (x + 1) > 5) { true }",
        "macro_rules! tw { ($e:expr) => { 2 * $e } } fn f(x: u64) -> (r: bool) ensures r == (tw!(x + 1) > 5) { true }",
    ),
    "two implementations of a generic trait": (IMPLS, IMPLS.replace("r.v == t", "t == r.v")),
    "parameters renamed": (
        "fn f(x: u64, y: u64) -> (r: u64) requires x < y ensures r == y - x { y - x }", "fn f(lo: u64, hi: u64) -> (out: u64) requires lo < hi ensures out == hi - lo { hi - lo }",
    ),
    "type parameter renamed": (
        "fn f<T>(x: Seq<T>, y: Ghost<T>) -> (r: bool) ensures r == x.contains(y@) { true }",
        "fn f<E>(x: Seq<E>, y: Ghost<E>) -> (r: bool) ensures r == exists|i: int| 0 <= i < x.len() && x[i] == y@ { true }",
    ),
    "type parameter with a constant renamed": tuple(
        f"trait Sz {{ const N: u64; spec fn n() -> nat; }} fn f<{t}: Sz>(x: u64) -> (r: u64) ensures r == {t}::N + {t}::n() {{ 0 }}" for t in "TA"
    ),
    "constant parameter renamed": tuple(f"fn f<const {n}: usize>(a: [u64; {n}]) -> (r: bool) ensures r == ({n} > 3) {{ true }}" for n in "NM"),
    "bound in a where clause": (
        "fn get<T: Copy>(x: &T) -> (r: T) ensures r == *x { *x }", "fn get<T>(x: &T) -> (r: T) where T: Copy ensures r == *x { *x }",
    ),
    "returns": ("fn f(x: u64) -> u64 returns x { x }", "fn f(x: u64) -> (r: u64) ensures r == x { x }"),
    "final without a word": (
        "fn f(x: &mut u64) requires *old(x) < 10 ensures *final(x) == *old(x) + 1 { }", "fn f(x: &mut u64) requires *x < 10 ensures *x == *old(x) + 1 { }",
    ),
    "fields one by one": (
        "pub struct C { n: u64, m: u64 } impl C { fn inc(&mut self) ensures final(self).n == 1, final(self).m == old(self).m { } }",
        "pub struct C { n: u64, m: u64 } impl C { fn inc(&mut self) ensures *final(self) == (C { n: 1, ..*old(self) }) { } }",
    ),
    "push, element by element": (
        "fn f(v: &mut Vec<u64>) ensures v@ == old(v)@.push(3) { }",
        "fn f(v: &mut Vec<u64>) ensures v@.len() == old(v)@.len() + 1, v@.last() == 3, forall|i: int| 0 <= i < old(v)@.len() ==> v@[i] == old(v)@[i] { }",
    ),
    "typed self": (
        "pub struct C { n: u64 } impl C { fn get(&self) -> (r: u64) ensures r == self.n { self.n } }",
        "pub struct C { n: u64 } impl C { fn get(self: &Self) -> (r: u64) ensures r == self.n { self.n } }",
    ),
    "ghost parameter opened": ("fn f(x: Ghost<int>) -> (r: bool) ensures r == (x@ > 3) { true }", "fn f(Ghost(x): Ghost<int>) -> (r: bool) ensures r == (x > 3) { true }"),
    "closure's requires and ensures": (
        CLOSURE.format("g.requires((3u64,))", "g.ensures((3u64,), r)"), CLOSURE.format("call_requires(g, (3u64,))", "call_ensures(g, (3u64,), r)"),
    ),
    "requires weakened": ("fn f(x: u64) -> (r: u64) requires x < 10 ensures r >= x { x }", "fn f(x: u64) -> (r: u64) requires x < 100 ensures r >= x { x }"),
    "requires implied": ("fn f(x: u64, y: u64) requires x < 10, y < x ensures true { }", "fn f(x: u64, y: u64) requires x < 10, y < x, y < 9 ensures true { }"),
    "enum by is and arrow": (
        f"{ENUM} r == match s {{ St::Op => true, St::Cl {{ code }} => code > 3 }} {{ true }}", f"{ENUM} s is Op ==> r, s is Cl ==> r == (s->code > 3) {{ true }}",
    ),
    "matrix": (
        "fn f(m: &Vec<Vec<u64>>) -> (r: bool) ensures r == forall|i: int, j: int| 0 <= i < m.len() && 0 <= j < m[i].len() ==> m[i][j] == 0 { true }",
        "fn f(m: &Vec<Vec<u64>>) -> (r: bool) ensures r == forall|i: int| 0 <= i < m@.len() ==> forall|j: int| 0 <= j < m@[i]@.len() ==> m@[i]@[j] == 0 { true }",
    ),
    "text": ('fn f(s: &str) -> (r: bool) ensures r == (s@ == seq![\'a\', \'b\']) { true }', 'fn f(s: &str) -> (r: bool) ensures r == (s@ == "ab"@) { true }'),
    "digits": (
        "fn f(c: char) -> (r: bool) ensures r == ('0' <= c <= '9') { true }", "fn f(c: char) -> (r: bool) ensures r == (48 <= c as int && c as u32 <= 57) { true }",
    ),
    "ring buffer without division": tuple(
        "pub struct R { b: Vec<u64>, h: usize, n: usize } impl R { spec fn wf(self) -> bool { self.h < self.b.len() && self.n <= self.b.len() }"
        f" spec fn at(self, i: int) -> u64 {{ {at} }} fn pk(&self, i: usize) -> (r: u64) requires self.wf(), i < self.n ensures r == self.at(i as int) {{ todo!() }} }}"
        for at in ("self.b[(self.h + i) % (self.b.len() as int)]", "let k = self.h + i; if k < self.b.len() { self.b@[k] } else { self.b@[k - self.b.len()] }")
    ),
    "binary search": (
        ("fn bs(v: &Vec<u64>, k: u64) -> (r: Result<usize, usize>) requires forall|i: int, j: int| 0 <= i <= j < v.len() ==> v[i] <= v[j] ensures match r {"
        " Ok(i) => i < v.len() && v[i as int] == k, Err(i) => i <= v.len() && (forall|j: int| 0 <= j < i ==> v[j] < k) && (forall|j: int| i <= j < v.len() ==> v[j] > k) } { todo!() }"),
        ("spec fn sorted(s: Seq<u64>) -> bool { forall|i: int, j: int| 0 <= i < j < s.len() ==> s[i] <= s[j] } fn bs(v: &Vec<u64>, k: u64) -> (r: Result<usize, usize>) requires sorted(v@)"
        " ensures r is Ok ==> r->Ok_0 < v@.len() && v@[r->Ok_0 as int] == k, r is Err ==> r->Err_0 <= v@.len(),"
        " r is Err ==> forall|j: int| 0 <= j < v@.len() ==> (if j < r->Err_0 { v@[j] < k } else { k < v@[j] }) { todo!() }"),
    ),
}  # fmt: skip

HONEST = {f"{g}: {n}": p for g, t in (("vec", VEC), ("arithmetic", ARITHMETIC), ("options", OPTIONS), ("collections", COLLECTIONS), ("files", FILES)) for n, p in t.items()}  # fmt: skip


@pytest.mark.parametrize("name", cases(HONEST, OPEN))
def test_honest_edit_is_kept(name: str) -> None:
    report = judge(*HONEST[name], budget=DEFAULT_BUDGET)
    assert report.kept() is True, explained(report)


@pytest.mark.parametrize("name", list(FILES))
def test_a_file_keeps_its_own_contracts(name: str) -> None:
    for text in FILES[name]:
        report = judge(text, text)
        assert report.kept() is True, explained(report)
        assert all(t.same == "text" for t in report.targets)


def test_the_list_of_open_edits_names_edits() -> None:
    assert set(OPEN) <= set(HONEST)
