"""The vocabulary: every library function has the value that vstd gives it, on concrete arguments; the unknown stay unknown."""

# ruff: noqa: E501 (programs as text)

from __future__ import annotations

import pytest

from equiv.decide import Decider
from equiv.verdict import Answer
from tests.translate.elaboration import contract, kept
from translate import syntax as sx
from translate.readings.evaluate import EvaluationError, evaluate
from translate.terms import Term, symbols
from translate.vstd import library

#: Ground facts; the parts of vstd that they use are imported below.
FACTS = """
seq![1int, 2, 3].len() == 3
Seq::<int>::empty().len() == 0
Seq::new(3, |i: int| i * 2) == seq![0int, 2, 4]
seq![1int, 2].push(3) == seq![1int, 2, 3]
seq![1int, 2, 3].update(1, 9) == seq![1int, 9, 3]
seq![1int, 2, 3, 4].subrange(1, 3) == seq![2int, 3]
seq![1int, 2, 3].take(2) == seq![1int, 2]
seq![1int, 2, 3].skip(2) == seq![3int]
seq![1int] + seq![2int] == seq![1int, 2]
seq![1int].add(seq![2int]) == seq![1int, 2]
seq![1int, 2, 3].first() == 1 && seq![1int, 2, 3].last() == 3
seq![1int, 2, 3].drop_first() == seq![2int, 3] && seq![1int, 2, 3].drop_last() == seq![1int, 2]
seq![1int, 3].insert(1, 2) == seq![1int, 2, 3]
seq![1int, 2, 3].remove(1) == seq![1int, 3]
seq![1int, 2].contains(2) && !seq![1int, 2].contains(3)
seq![5int, 6, 5].index_of_first(5) == Some(0int) && seq![5int, 6, 5].index_of_last(5) == Some(2int)
seq![5int].index_of_first(6) == None::<int>
seq![5int, 6].index_of(6) == 1
seq![1int, 2, 3].reverse() == seq![3int, 2, 1]
seq![1int, 2].map(|i: int, x: int| i + x) == seq![1int, 3]
seq![1int, 2].map_values(|x: int| x * x) == seq![1int, 4]
seq![1int, 2, 3, 4].filter(|x: int| x % 2 == 0) == seq![2int, 4]
seq![1int, 2, 3].fold_left(0int, |a: int, x: int| a * 10 + x) == 123
seq![1int, 2, 3].fold_left_alt(0int, |a: int, x: int| a * 10 + x) == 123
seq![1int, 2, 3].fold_right(|x: int, a: int| a * 10 + x, 0int) == 321
seq![1int, 2, 3].fold_right_alt(|x: int, a: int| a * 10 + x, 0int) == 321
seq![seq![1int], seq![2int, 3]].flatten() == seq![1int, 2, 3]
seq![seq![1int], seq![2int, 3]].flatten_alt() == seq![1int, 2, 3]
seq![1int, 2].to_set().contains(2) && !seq![1int, 2].to_set().contains(3)
seq![1int, 1, 2].to_multiset().count(1) == 2
seq![1int, 2].no_duplicates() && !seq![1int, 1].no_duplicates()
seq![1int].is_prefix_of(seq![1int, 2]) && !seq![2int].is_prefix_of(seq![1int, 2])
seq![2int].is_suffix_of(seq![1int, 2]) && !seq![1int].is_suffix_of(seq![1int, 2])
seq![3int, 9, 4].max() == 9 && seq![3int, 9, 4].min() == 3 && Seq::<int>::empty().max() == 0
seq![1int, 2].all(|x: int| x > 0) && !seq![1int, 2].all(|x: int| x > 1) && seq![1int, 2].any(|x: int| x > 1)
seq![1int, 2].zip_with(seq![3int, 4]) == seq![(1int, 3int), (2int, 4int)]
seq![1int, 2].zip_with(seq![3int]).len() == 0
seq![1int, 2, 1].remove_value(1) == seq![2int, 1]
seq![1int, 2, 3].update_subrange_with(1, seq![8int, 9]) == seq![1int, 8, 9]
seq![1int, 2, 1].remove_duplicates(Seq::empty()) == seq![1int, 2]
seq![1int, 2, 3].filter_map(|x: int| if x > 1 { Some(x * 10) } else { None }) == seq![20int, 30]
seq![1int, 5, 2].max_via(|a: int, b: int| a <= b) == 5 && seq![4int, 1, 2].min_via(|a: int, b: int| a <= b) == 1
seq![(1int, 2int), (3int, 4int)].unzip().1 == seq![2int, 4]
seq![1int, 2].flat_map(|x: int| seq![x, x]) == seq![1int, 1, 2, 2]
seq![1int].disjoint(seq![2int]) && !seq![1int].disjoint(seq![1int])
seq![1int, 2].exactly_one(|x: int| x == 2)
set![1int, 2, 1].len() == 2 && set![1int].contains(1) && !set![1int].contains(2)
set![1int].insert(2) == set![1int, 2] && set![1int, 2].remove(2) == set![1int]
set![1int].union(set![2int]) == set![1int, 2] && set![1int] + set![2int] == set![1int, 2]
set![1int, 2].intersect(set![2int, 3]) == set![2int] && set![1int, 2] * set![2int, 3] == set![2int]
set![1int, 2].difference(set![2int]) == set![1int] && set![1int, 2] - set![2int] == set![1int]
set![1int].subset_of(set![1int, 2]) && set![1int] <= set![1int, 2] && !set![3int].subset_of(set![1int, 2])
set![1int].disjoint(set![2int]) && !set![1int].disjoint(set![1int])
set![1int, 2, 3].filter(|x: int| x > 1) == set![2int, 3]
set![1int, 2].map(|x: int| x * 2) == set![2int, 4]
set![1int].is_singleton() && !set![1int, 2].is_singleton()
set![set![1int], set![2int]].flatten() == set![1int, 2]
set![3int, 1].has_least(|a: int, b: int| a <= b, 1) && set![3int, 1].has_greatest(|a: int, b: int| a <= b, 3)
map![1int => 2int][1] == 2 && map![1int => 2int].dom() == set![1int]
Map::<int, int>::empty().insert(1, 2) == map![1int => 2int]
map![1int => 2int, 3 => 4].remove(3) == map![1int => 2int]
map![1int => 2int].contains_key(1) && map![1int => 2int].contains_value(2) && map![1int => 2int].contains_pair(1, 2)
map![1int => 2int].union_prefer_right(map![1int => 3int]) == map![1int => 3int]
map![1int => 2int, 3 => 4].restrict(set![3int]) == map![3int => 4int]
map![1int => 2int, 3 => 4].remove_keys(set![3int]) == map![1int => 2int]
map![1int => 2int].submap_of(map![1int => 2int, 3 => 4]) && map![1int => 2int] <= map![1int => 2int, 3 => 4]
map![1int => 2int].agrees(map![3int => 4int]) && !map![1int => 2int].agrees(map![1int => 3int])
map![1int => 2int].map_values(|v: int| v + 1) == map![1int => 3int]
map![1int => 2int].map_entries(|k: int, v: int| k + v) == map![1int => 3int]
map![1int => 2int].get(1) == Some(2int) && map![1int => 2int].get(2) == None::<int>
map![1int => 2int].index_opt(1) == Some(2int)
map![1int => 2int].values() == set![2int]
map![1int => 2int].kv_pairs() == set![(1int, 2int)]
map![1int => 2int, 3 => 4].filter_keys(|k: int| k > 1) == map![3int => 4int]
map![1int => 2int, 3 => 4].is_injective() && !map![1int => 2int, 3 => 2].is_injective()
Map::new(set![1int], |k: int| k + 1) == map![1int => 2int]
Map::new(|k: int| k == 1, |k: int| k + 1) == map![1int => 2int]
Multiset::<int>::empty().insert(1).insert(1).count(1) == 2
Multiset::singleton(1int).add(Multiset::singleton(1)).len() == 2
Multiset::singleton(1int).sub(Multiset::singleton(1)).count(1) == 0
Multiset::singleton(1int).contains(1) && Multiset::singleton(1int) <= Multiset::singleton(1int).insert(2)
Some(3int).is_some() && None::<int>.is_none() && Some(3int).unwrap() == 3 && None.unwrap_or(4int) == 4
Some(3int).ok_or(5int) == Ok::<int, int>(3) && None::<int>.ok_or(5int) == Err::<int, int>(5)
Ok::<int, int>(3).is_ok() && Err::<int, int>(3).is_err() && Ok::<int, int>(3).unwrap() == 3
Ok::<int, int>(3).ok() == Some(3int) && Err::<int, int>(3).err() == Some(3int) && Err::<int, int>(4).unwrap_err() == 4
abs(-3) == 3 && min(2, 3) == 2 && max(2, 3) == 3 && max3(1, 5, 2) == 5 && clip(-3) == 0 && clip(3) == 3
math::add(2, 3) == 5 && math::sub(2, 3) == -1 && math::div(-7, 2) == -4
pow(2, 5) == 32 && pow(-3, 3) == -27 && pow(7, 0) == 1 && pow2(6) == 64 && is_pow2(8) && !is_pow2(6)
log(2, 8) == 3 && log(10, 99) == 1 && log(10, 100) == 2
rust_div(-7, 2) == -3 && rust_rem(-7, 2) == -1 && rust_div(7, 2) == 3 && is_mod_equivalent(5, 8, 3)
low_bits_mask(4) == 15
sorted_by(seq![1int, 2, 2], |a: int, b: int| a <= b) && !sorted_by(seq![2int, 1], |a: int, b: int| a <= b)
255u8.wrapping_add(2) == 1 && 1u8.wrapping_sub(2) == 255 && 16u8.wrapping_mul(17) == 16
127i8.wrapping_add(1) == -128 && (-128i8).wrapping_sub(1) == 127 && 64i8.wrapping_mul(2) == -128
"ab"@ == seq!['a', 'b'] && "ab"@.len() == 2 && 'a'.is_ascii()
[1u8, 2]@ == seq![1u8, 2] && [1u8, 2].len() == 2
true@ == true && 3u8@ == 3 && 'a'@ == 'a' && Some(3u8)@ == Some(3u8) && (3u8, true)@ == (3u8, true)
Ghost(3int)@ == 3 && Tracked(3int)@ == 3 && Box::new(3int) == 3
""".strip().splitlines()

IMPORTS = (
    "use vstd::math; use vstd::math::*; use vstd::arithmetic::power::*; use vstd::arithmetic::power2::*; use vstd::multiset::*;"
    " use vstd::arithmetic::logarithm::*; use vstd::arithmetic::div_mod::*; use vstd::bits::*; use vstd::relations::*;"
    " use vstd::string::*;"
)


def computed(term: Term) -> bool:
    """Whether the evaluator finds the fact true; False where it has no value for it."""
    try:
        value = evaluate(term, {}, budget=50_000)
    except EvaluationError:
        return False
    assert value is True
    return True


@pytest.mark.parametrize("fact", FACTS)
def test_a_ground_fact(fact: str) -> None:
    c = contract(f"{IMPORTS} proof fn f() ensures {fact} {{}}")
    (clause,) = c.ensures
    if not computed(clause.term):
        assert Decider().implied([], clause.term, []).answer is Answer.PROVED
    assert not [s.name for s in symbols(clause.term) if s.kind == "uninterpreted" and s.origin == "unknown"]


@pytest.mark.parametrize("fact", ["min(2, 3) == 3", "pow(2, 3) == 9", "seq![1int, 2].reverse() == seq![1int, 2]", "clip(-3) == 3"])
def test_a_wrong_fact(fact: str) -> None:
    (clause,) = contract(f"{IMPORTS} proof fn f() ensures {fact} {{}}").ensures
    assert Decider().implied([], clause.term, []).answer is not Answer.PROVED


#: What vstd says too little of to be computed: two different ones, or one and a likely guess, are never the same.
UNKNOWN = [
    ("s.sort()", "s"),
    ("s.sort_by(|a: int, b: int| a <= b)", "s"),
    ("s.to_set().to_seq()", "s"),
    ("arbitrary::<Seq<int>>()", "Seq::<int>::empty()"),
    ("s.to_set().fold(s, |b: Seq<int>, a: int| b.push(a))", "s"),
]


@pytest.mark.parametrize(("unknown", "guess"), UNKNOWN)
def test_the_unknown_is_not_guessed(unknown: str, guess: str) -> None:
    common = "uninterp spec fn p(s: Seq<int>) -> bool; proof fn f(s: Seq<int>)"
    assert kept(f"{common} ensures p({unknown}) {{}}", f"{common} ensures p({guess}) {{}}") is not True


def test_names_in_modules_need_their_import() -> None:
    """`max` of vstd::math is not in scope by itself: without its import the name means nothing that samespec knows."""
    common = "proof fn f(x: int)"
    assert kept(f"use vstd::math::max; {common} ensures max(x, 3) >= 3 {{}}", f"{common} ensures max(x, 3) >= 3 {{}}") is not True


def test_the_ordering_of_atomics_is_another_type() -> None:
    common = "fn f(x: Ordering) ensures true {}"
    assert kept(f"use std::cmp::Ordering; {common}", f"use std::sync::atomic::Ordering; {common}") is False


def test_the_vocabulary_has_no_gaps() -> None:
    """Every function of the vocabulary either has a body, is an operator, or says that nothing is known of it."""
    for ref in library().functions:
        fn = ref.item
        attrs = {a.path for a in fn.attrs}  # type: ignore[union-attr]
        in_trait = type(ref.owner).__name__ == "Trait"
        assert fn.body is not None or fn.publish == "uninterp" or "term" in attrs or in_trait, ref.path  # type: ignore[union-attr]


def test_no_implementation_of_the_vocabulary_is_for_an_alias() -> None:
    """Its implementations are looked up by the name of the type (`Crate.by_method_of`)."""
    crate = library()
    for impl, module in crate.impls:
        if isinstance(impl.self_type, sx.PathType):
            path = impl.self_type.path
            assert len(path.segments) == 1
            found = crate.resolve(path.names, module, "types")
            assert found is None or not isinstance(found.item, sx.TypeAlias)
