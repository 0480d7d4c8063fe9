"""Refutation by size: what it finds, that it proves nothing, and what it says of unspecified values."""

# ruff: noqa: E501  (tables of programs, a line each)

from __future__ import annotations

import pytest

from equiv.decide import Decider, chosen_in_words
from equiv.sized import Sized, needed_lengths
from equiv.verdict import Verdict
from tests.equiv.test_attacks import judge
from tests.equiv.test_normal import prop
from translate import terms as tm

COUNT = (
    "spec fn count(s: Seq<i32>, x: i32) -> nat decreases s.len() {"
    " if s.len() == 0 { 0 } else { count(s.drop_last(), x) + if s.last() == x { 1nat } else { 0 } } }"
)
SUM = "spec fn sum(s: Seq<u32>) -> int decreases s.len() { if s.len() == 0 { 0 } else { sum(s.drop_last()) + s.last() } }"

#: Functions, and the clause of each that is dropped: only values that satisfy the rest show it.
DROPPED = {
    "the only element that occurs once": (
        COUNT
        + " fn f(v: Vec<i32>) -> (r: Vec<i32>) requires 2 <= v.len() <= 9, exists|a: i32| count(v@, a) == 1 ensures {} count(v@, r[0]) == 1 {{ v }}",
        "r.len() == 2,",
    ),
    "a matrix of one width": (
        "fn f(m: Vec<Vec<i32>>) -> (r: Vec<i32>) requires 1 <= m.len(), forall|i: int| 0 <= i < m.len() ==> #[trigger] m[i].len() == m[0].len(), m[0].len() >= 2 ensures {} forall|j: int| 0 <= j < r.len() ==> r[j] == m[m.len() - 1][j] {{ vec![] }}",
        "r.len() == m[0].len(),",
    ),
    "a permutation": (
        "fn f(v: Vec<u8>) -> (r: Vec<u8>) requires v.len() >= 3 ensures {} v@.to_multiset() =~= r@.to_multiset() {{ v }}",
        "forall|i: int| 0 <= i < r.len() - 1 ==> r[i] <= r[i + 1],",
    ),
    "a sum": (
        SUM + " fn f(v: Vec<u32>, t: u32) -> (r: Vec<u32>) requires sum(v@) == t + 3, t > 40 ensures {} sum(r@) == sum(v@) {{ v }}",
        "r.len() == v.len(),",
    ),
    "a board": (
        "fn f(b: Vec<u8>, n: usize) -> (r: usize) requires 3 <= n <= 9, b.len() == n * n, forall|k: int| 0 <= k < b.len() ==> b[k] <= 1 ensures r < n, {} r != 1 {{ 0 }}",
        "forall|c: int| 0 <= c < n ==> b[r * n + c] == 1,",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", list(DROPPED))
def test_a_dropped_clause_is_missed(name: str) -> None:
    text, clause = DROPPED[name]
    report = judge(text.replace("{}", clause).replace("{{", "{").replace("}}", "}"), text.replace("{}", "").replace("{{", "{").replace("}}", "}"))
    (target,) = report.targets
    assert target.verdict is Verdict.WEAKENED
    example = target.reasons[0].counterexample
    assert example is not None
    assert example.replayed


def test_a_cast_that_does_not_fit_is_named() -> None:
    total = "spec fn total(n: nat) -> int decreases n { if n == 0 { 0 } else { n + total((n - 1) as nat) } }"
    fn = "fn f(x: i32) -> (r: i32) ensures {} total(r as nat) >= x {{ 0 }}".format
    report = judge(total + fn("r >= 0,"), total + fn(""))
    (target,) = report.targets
    assert target.verdict is Verdict.WEAKENED
    example = target.reasons[0].counterexample
    assert example is not None
    assert not example.replayed
    assert "unspecified" in example.replay
    assert "as nat` is" in example.replay


def test_equal_arguments_have_one_unspecified_value() -> None:
    """Chosen values are a function: no candidate may give `x / 0` two values."""
    zero = prop("x / 0 == 3 && y / 0 == 4 && x == y")
    sized = Sized([zero], tm.FALSE, tm.free_variables(zero), 64, 300_000)
    assert list(sized.candidates()) == []
    two = prop("x / 0 == 3 && y / 0 == 4")
    (found, *_) = Sized([two], tm.FALSE, tm.free_variables(two), 64, 300_000).candidates()
    assert Decider().replays([two], tm.FALSE, found.values) is None
    assert Decider().replays([two], tm.FALSE, found.values, found.chosen) is True


def test_candidates_only_where_they_are_counterexamples() -> None:
    for premise, goal in (("x > 3", "x > 2"), ("s.len() == 2 && s[0] <= s[1]", "forall|i: int, j: int| 0 <= i < j < s.len() ==> s[i] <= s[j]")):
        names = tm.free_variables(prop(premise))
        assert list(Sized([prop(premise)], prop(goal), names, 64, 300_000).candidates()) == []


def test_lengths_that_the_premises_ask_for() -> None:
    found = needed_lengths([prop("s.len() >= 26"), prop("s.len() == 7"), prop("s.len() <= 40")])
    assert list(found.values()) == [26]


def test_words_for_what_was_chosen() -> None:
    chosen = {("as nat", -1): 3, ("div", 7): 0, ("index int", (4, 5), 2): 9}
    assert chosen_in_words(chosen) == "`-1 as nat` is 3, `7 / 0` is 0, `seq![4, 5][2]` is 9"
