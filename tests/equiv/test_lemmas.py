"""Obligations as Verus files: they parse, and read again they are the same obligations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import pytest

import equiv.check
from corpus.tasks import load_tasks
from equiv.check import check_sources, read_crate
from equiv.lemmas import Lemma, NoLemma, Premise, Side, comment, identifier, lemma
from equiv.normal import Normalizer
from tests.equiv.alike import Alike
from translate import syntax as sx
from translate.elaborate.contracts import Contract, read_contract
from translate.elaborate.elaborator import Elaborator
from translate.parser import parse_file
from translate.source import from_text
from translate.terms import Term


class Written(NamedTuple):
    where: str
    lemma: Lemma
    premises: list[Term]
    goal: Term


def lemmas_of(original: str, submitted: str, budget: int = 20_000, where: str = "") -> list[Written]:
    """The lemmas that a check of two texts writes, with the terms they were written from."""
    written: list[Written] = []

    def record(name, premises: Sequence[Premise], goal: Premise, variables, sides: Sequence[Side], comments=()) -> Lemma:
        made = lemma(name, premises, goal, variables, sides, comments)
        written.append(Written(f"{where}: {name}", made, [p.term for p in premises], goal.term))
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(equiv.check, "lemma", record)
        check_sources(from_text("original.rs", original), from_text("submitted.rs", submitted), budget=budget, want_lemmas=True)
    return written


def read_again(made: Lemma) -> Contract:
    """The proof function of a lemma's text as a contract."""
    source = from_text("lemma.rs", made.text)
    problems = parse_file(source).problems
    assert not problems, f"{problems[0].message}\n{made.text}"
    crate = read_crate(source)
    ref = next(r for r in crate.functions if r.name == made.name)
    assert isinstance(ref.item, sx.Fn)
    assert ref.item.mode == "proof"
    return read_contract(Elaborator(crate), ref)


def difference(w: Written) -> str:
    """How the obligation that a lemma's text states differs from the one it was written from; "" for not at all."""
    contract = read_again(w.lemma)
    alike = Alike({v.data: name for v, name in w.lemma.variables.items()})
    before = [*w.premises, w.goal]
    after = [c.term for c in (*contract.requires, *contract.ensures)]
    if len(before) != len(after):
        return f"{len(before)} clauses and {len(after)}"
    normal = Normalizer(arithmetic=False).normal
    for a, b in zip(before, after, strict=True):
        as_it_is, as_normal_form = alike.copy(), alike.copy()
        if as_it_is.terms(a, b):
            alike = as_it_is
        elif as_normal_form.terms(normal(a), normal(b)):
            alike = as_normal_form
        else:
            return as_it_is.why
    return ""


# Texts with everything that has to be declared or renamed: (original, submitted).
PAIRS = {
    "redefined": (
        r"""
        spec fn power(b: int, e: nat) -> int decreases e { if e == 0 { 1 } else { b * power(b, (e - 1) as nat) } }
        proof fn f(b: int, e: nat)
        ensures power(b, e) >= 0 { }
        """,
        r"""
        spec fn power(b: int, e: nat) -> int decreases e { if e == 0 { 0 } else { b * power(b, (e - 1) as nat) } }
        proof fn f(b: int, e: nat)
        ensures power(b, e) >= 0 { }
        """,
    ),
    "types": (
        r"""
        enum List { Nil, Cons { head: u8, tail: Box<List> } }
        struct Pair<A>(A, Option<A>);
        spec fn size(l: List) -> nat decreases l { match l { List::Nil => 0, List::Cons { head, tail } => 1 + size(*tail) } }
        fn f(l: List, p: Pair<u8>) -> (r: bool)
        ensures r == (size(l) > p.0), p.1 == Some(p.0) { true }
        """,
        r"""
        enum List { Nil, Cons { head: u8, tail: Box<List> } }
        struct Pair<A>(A, Option<A>);
        spec fn size(l: List) -> nat decreases l { match l { List::Nil => 0, List::Cons { head, tail } => size(*tail) + 1 } }
        fn f(l: List, p: Pair<u8>) -> (r: bool)
        ensures r == (size(l) > p.0) { true }
        """,
    ),
    "a type redefined": (
        r"""
        struct P { x: u8 }
        spec fn ok(p: P) -> bool { p.x < 9 }
        fn f(x: u8) -> (r: bool)
        ensures r == ok(P { x }) { true }
        """,
        r"""
        struct P { x: u16 }
        spec fn ok(p: P) -> bool { p.x < 9 }
        fn f(x: u8) -> (r: bool)
        ensures r == ok(P { x: 1 }) { true }
        """,
    ),
    "generics": (
        r"""
        trait Size { spec fn size(&self) -> nat; }
        uninterp spec fn weight<A>(a: A) -> int;
        fn f<T: Size, const N: usize>(a: [T; N], t: &T) -> (r: bool)
        ensures r ==> t.size() > weight(a[0]), N > 3 { true }
        """,
        r"""
        trait Size { spec fn size(&self) -> nat; }
        uninterp spec fn weight<A>(a: A) -> int;
        fn f<T: Size, const N: usize>(a: [T; N], t: &T) -> (r: bool)
        ensures r ==> t.size() >= weight(a[0]) { true }
        """,
    ),
    "names": (
        r"""
        mod m { pub open spec fn has(x: int) -> bool { x > 0 } }
        spec fn has(x: int) -> bool { x > 1 }
        fn f(has_: &mut Vec<u8>, seq: &[u8], s: &str) -> (is_: usize)
        requires m::has(old(has_)@.len() as int)
        ensures has(final(has_)@.len() - seq@.len()), is_ < usize::MAX, s@ == "a\"b\n"@ { 0 }
        """,
        r"""
        mod m { pub open spec fn has(x: int) -> bool { x > 0 } }
        spec fn has(x: int) -> bool { x > 1 }
        fn f(has_: &mut Vec<u8>, seq: &[u8], s: &str) -> (is_: usize)
        requires m::has(old(has_)@.len() as int)
        ensures has(final(has_)@.len() - seq@.len()) { 0 }
        """,
    ),
    "literals": (
        r"""
        fn f(x: u8, s: Vec<u16>) -> (r: u8)
        ensures
            r == (1u8 << x) | !0u8, s@ =~= seq![1u16, 2], s@.to_multiset().count(3) == 0,
            Set::<u8>::empty().insert(1).contains(r), map![1u8 => 2u8].dom().contains(r),
        { 0 }
        """,
        r"""
        fn f(x: u8, s: Vec<u16>) -> (r: u8)
        ensures r == 1u8 << x { 0 }
        """,
    ),
    "vocabulary": (
        r"""
        use std::collections::HashMap;
        fn f(s: Vec<i32>, m: HashMap<u8, i32>) -> (r: i32)
        ensures
            s@.filter(|x: i32| x > 0).len() > 1,
            s@.map(|i: int, x: i32| x as int).fold_left(0, |a: int, b: int| a + b) == r,
            vstd::math::abs(r as int) == 3, m@.dom().finite(), s@.sort_by(|a: i32, b: i32| a <= b)[0] == r,
        { 0 }
        """,
        r"""
        use std::collections::HashMap;
        fn f(s: Vec<i32>, m: HashMap<u8, i32>) -> (r: i32)
        ensures true { 0 }
        """,
    ),
}


def pair(name: str) -> list[Written]:
    original, submitted = (f"use vstd::prelude::*; verus! {{ {text} }}" for text in PAIRS[name])
    return lemmas_of(original, submitted, where=name)


@pytest.mark.parametrize("name", PAIRS)
def test_reads_again_as_the_same_obligation(name: str) -> None:
    written = pair(name)
    assert written
    for w in written:
        assert difference(w) == "", f"{w.where}\n{w.lemma.text}"


def test_another_obligation_would_be_noticed() -> None:
    written = pair("types")[0]
    for old, new in (("p.0 <", "p.0 <="), ("{ 0 }", "{ 2 }"), ("head: u8", "head: u16"), ("r: bool", "r: bool, extra: bool")):
        assert old in written.lemma.text
        changed = replace(written.lemma, text=written.lemma.text.replace(old, new))
        same = difference(written._replace(lemma=changed)) == ""
        assert same == (new.endswith("extra: bool"))


def test_redefined_functions_stand_side_by_side() -> None:
    text = pair("redefined")[0].lemma.text
    assert "spec fn power_original(b: int, e: nat) -> int\n    decreases e," in text
    assert "0 <= power_submitted(b, e),\n    ensures" in text
    assert "0 <= power_original(b, e),\n{" in text


def test_redefined_types_stand_side_by_side() -> None:
    text = pair("a type redefined")[0].lemma.text
    assert "struct P_original {\n    x: u8,\n}" in text
    assert "struct P_submitted {\n    x: u16,\n}" in text


def test_pointers_of_recursive_types_stay() -> None:
    text = next(w.lemma.text for w in pair("types") if "promises-1" in w.where)
    assert "Cons {\n        head: u8,\n        tail: Box<List>,\n    }," in text
    assert "size(*l->tail)" in text.replace("_original", "").replace("_submitted", "")
    assert "struct Pair<A>(A, Option<A>);" in text


def test_type_parameters_and_trait_functions_are_declared() -> None:
    text = pair("generics")[0].lemma.text
    assert "<T, const N: usize>(a: [T; N], t: T, r: bool)" in text
    assert "uninterp spec fn weight<T>(a: T) -> int;" in text
    assert "uninterp spec fn Size_size<T>(a0: T) -> nat;" in text or "uninterp spec fn Size_size<T>(self_: T) -> nat;" in text


def test_every_name_is_legal_and_means_one_thing() -> None:
    text = pair("names")[-1].lemma.text
    for p in ("old_has: Vec<u8>,", "seq_: &[u8],", "s: &str,", "final_has: Vec<u8>,", "is_: usize,"):
        assert f"\n    {p}\n" in text
    assert "spec fn m_has(x: int) -> bool" in text
    assert "spec fn has_(x: int) -> bool" in text
    assert "s@ =~= seq!['a', '\"', 'b', '\\n']," in text


def test_a_quantifier_over_arithmetic_gets_a_trigger() -> None:
    even = "use vstd::prelude::*; verus! {{ fn f(n: i32, s: &[i32]) -> (b: bool) ensures {}, {} {{ true }} }}"
    exists = "b <==> exists|k: int| n == #[trigger] (2 * k)"
    made = lemmas_of(even.format(exists, "forall|i: int| 0 <= i < s.len() ==> s[i] + i > 0"), even.format("b", "b"))
    assert "b <==> (exists|i: int| n == #[trigger] (2 * i))," in made[0].lemma.text
    assert "#[trigger]" not in made[1].lemma.text  # `s[i]` is one
    assert [difference(w) for w in made] == [""] * len(made)


def test_identifiers() -> None:
    assert identifier("old(v)") == "old_v"
    assert identifier("r#type") == "r_type"
    assert identifier("match") == "match_"
    assert identifier("Seq") == "Seq_"
    assert identifier("3d") == "x3d"
    assert identifier("'") == "x"


def test_a_comment_ends_where_its_line_does() -> None:
    assert comment("a\n} fn evil() {}\u2028 b\u202ec") == "// a } fn evil() {} b\\u{202e}c"


def test_what_is_too_large_has_no_text() -> None:
    from translate import terms as tm

    x = tm.var("x", tm.INT)
    big = x
    for _ in range(20):
        big = tm.arith("add", big, big)
    with pytest.raises(NoLemma, match="too large"):
        lemma("big", [], Premise(tm.eq(big, x)), [x], ())


@cache
def corpus() -> dict[str, tuple[str, str]]:
    return {f"{t.name}/{e.name}": (t.original, e.submitted) for t in load_tasks() for e in t.edits}


def test_the_corpus_reads_again() -> None:
    """A share of the corpus: all of it takes half a minute."""
    chosen = sorted(corpus())[::6]
    written = [w for name in chosen for w in lemmas_of(*corpus()[name], budget=2_000, where=name)]
    different = [w.where for w in written if difference(w)]
    assert len(written) > 150
    assert len(different) <= len(written) * 0.05, different
