"""Exhaustive evaluation: what separates two contracts, and when not finding anything means something."""

from __future__ import annotations

import pytest

from equiv.check import read_crate
from equiv.targets import counterpart, targets_of
from equiv.verdict import Question
from experiments.validation.domains import LEVELS, Domains
from experiments.validation.enumeration import Examined, examine
from tests.experiments.tasks_made import file
from translate import terms as tm
from translate.elaborate.contracts import read_contract
from translate.elaborate.elaborator import Elaborator
from translate.names import Ref
from translate.source import from_text

ALL = frozenset(Question) - {Question.CALLABLE}


def compared(original: str, submitted: str, wanted: frozenset[Question] = ALL) -> Examined:
    with tm.own_terms():
        ours, theirs = (Elaborator(read_crate(from_text("f.rs", file(text)))) for text in (original, submitted))
        (target,) = targets_of(ours.crate, None)
        other = counterpart(theirs.crate, target)
        assert isinstance(other, Ref)
        contract = read_contract(ours, target)
        return examine(contract, read_contract(theirs, other, contract), wanted)


def exec_fn(requires: str, ensures: str, signature: str = "a: u8, b: u8) -> (r: bool") -> str:
    return f"fn f({signature}) requires {requires} ensures {ensures} {{ unimplemented!() }}"


def questions(found: Examined) -> set[Question]:
    return {s.question for s in found.separations}


def test_the_same_terms_need_no_values() -> None:
    found = compared(exec_fn("a < b", "r == (a == 0)"), exec_fn("b > a", "r == (0 == a)"))
    assert compared(exec_fn("a < b", "r"), exec_fn("a < b", "r")).same
    assert not found.separations


def test_a_small_domain_is_taken_as_a_whole() -> None:
    found = compared(exec_fn("a < b", "r == (a % 2 == 0)"), exec_fn("a + 1 <= b", "r != (a % 2 == 1)"))
    assert found.whole
    assert found.level is None
    assert found.accepted == 255 * 256 // 2
    assert not found.separations


@pytest.mark.parametrize(
    ("after", "question"),
    [
        (exec_fn("a + 1 < b", "r == (a % 2 == 0)"), Question.ACCEPTS),
        (exec_fn("a <= b", "r == (a % 2 == 0)"), Question.ACCEPTS_NO_MORE),
        (exec_fn("a < b", "r ==> (a % 2 == 0)"), Question.PROMISES),
        (exec_fn("a < b", "r == (a % 2 == 0), r ==> b != 7"), Question.PROMISES_NO_MORE),
    ],
)
def test_each_question_has_its_value(after: str, question: Question) -> None:
    found = compared(exec_fn("a < b", "r == (a % 2 == 0)"), after)
    assert question in questions(found)
    assert not any(s.stated for s in found.separations)
    assert found.separates(question) is not None


def test_values_are_in_rust_syntax() -> None:
    found = compared(exec_fn("true", "r == (a < b)"), exec_fn("true", "r ==> a < b"), frozenset((Question.PROMISES,)))
    shown = str(found.separates(Question.PROMISES))
    assert shown == "a = 0, b = 1, r = false"


def test_a_determined_result_does_not_count_to_the_domain() -> None:
    wide = "a: u8) -> (r: u64"
    same = compared(exec_fn("true", "r == a + 1", wide), exec_fn("true", "1 + a == r", wide))
    assert same.whole
    assert same.met == 256
    at_one_place = "r == a + (if a == 254u8 { 2int } else { 1 })"
    (separation,) = compared(exec_fn("true", "r == a + 1", wide), exec_fn("true", at_one_place, wide)).separations
    assert separation.bindings[0] == ("a", "254")


def test_a_large_domain_is_bounded() -> None:
    wide = "a: u64, b: u64) -> (r: u64"
    found = compared(exec_fn("a + b < 1000", "r == a + b", wide), exec_fn("b + a < 1000", "r == b + a + 0", wide))
    assert not found.whole
    assert found.level == len(LEVELS) - 1 or found.values
    assert found.accepted and found.met
    assert not found.separations


def test_windows_have_the_literals_of_the_contracts() -> None:
    wide = "a: u64) -> (r: bool"
    found = compared(exec_fn("a <= 123456", "r", wide), exec_fn("a < 123456", "r", wide))
    separation = found.separates(Question.ACCEPTS)
    assert separation is not None
    assert separation.bindings[0] == ("a", "123456")


def test_final_values_are_tried_near_the_old_ones() -> None:
    rest = "v: &mut Vec<u64>, i: usize"
    kept = "final(v)@ == old(v)@.update(i as int, 0)"
    less = "final(v).len() == old(v).len(), final(v)[i as int] == 0"
    found = compared(exec_fn("i < old(v).len()", kept, rest), exec_fn("i < old(v).len()", less, rest))
    assert Question.PROMISES in questions(found)


def test_a_contradiction_leaves_no_input() -> None:
    callable_ = frozenset((Question.CALLABLE,))
    found = compared(exec_fn("a < b", "r"), exec_fn("a < b, b < a", "r"), callable_)
    assert found.whole
    assert (found.called, found.accepted > 0) == (0, True)
    assert Question.CALLABLE in questions(compared(exec_fn("a < b", "r"), exec_fn("a < b, b < 2", "r"), callable_))


def test_what_has_no_answer_makes_no_domain_whole() -> None:
    unbounded = "r == (exists|n: nat| n * n == #[trigger] (a * n) + b + 1)"
    found = compared(exec_fn("true", unbounded), exec_fn("true", unbounded + ", true || r"))
    assert found.same or (not found.whole and found.undetermined)


# --- lemmas ------------------------------------------------------------------------------------------------------------


def lemma(conclusion: str, requires: str = "x >= 0", beside: str = "") -> str:
    return f"{beside} proof fn f(x: int) requires {requires} ensures {conclusion} {{ }}"


def test_a_theorem_is_compared_as_a_statement() -> None:
    found = compared(lemma("x * x >= 0, x * x >= x"), lemma("x * x >= 0"))
    separation = found.separates(Question.PROMISES)
    assert separation is not None
    assert separation.stated
    assert not found.separates(Question.PROMISES_NO_MORE)
    assert "x * x" in str(separation)


def test_a_lemma_about_another_function() -> None:
    before = "spec fn twice(n: int) -> int { n + n }"
    after = "spec fn twice(n: int) -> int { n }"
    found = compared(lemma("twice(x) >= x", beside=before), lemma("twice(x) >= x", beside=after))
    separation = found.separates(Question.PROMISES)
    assert separation is not None
    assert "`twice`, which the lemma is about, is another function" in str(separation)
    doubled = "spec fn twice(n: int) -> int { 2 * n }"
    same = compared(lemma("twice(x) >= x", beside=before), lemma("twice(x) >= x", beside=doubled))
    assert not same.separates(Question.PROMISES)
    assert not same.whole


# --- windows -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sort",
    [tm.BOOL, tm.INT, tm.int_sort("u8"), tm.int_sort("char"), tm.seq_sort(tm.int_sort("u8")), tm.set_sort(tm.BOOL),
     tm.map_sort(tm.BOOL, tm.INT), tm.tuple_sort((tm.BOOL, tm.INT)), tm.opaque_sort("T")],
    ids=str,
)  # fmt: skip
def test_windows_grow_and_repeat_themselves(sort: tm.Sort) -> None:
    one, other = (Domains([7, 8], 64) for _ in range(2))
    sizes = []
    for level in range(len(LEVELS)):
        values = one.window(sort, level)
        assert values == other.window(sort, level)
        assert values
        assert len(values) == len(set(values))
        sizes.append(len(values))
    assert sizes == sorted(sizes)


def test_a_vec_comes_twice_with_one_view() -> None:
    with tm.own_terms():
        reader = Elaborator(read_crate(from_text("f.rs", file("fn f(v: Vec<u8>) requires v.len() > 0 { }"))))
        (target,) = targets_of(reader.crate, None)
        (v,) = read_contract(reader, target).inputs
        values = Domains([], 64).window(v.sort, 2)
    views = [x.view for x in values]  # type: ignore[union-attr]
    assert len(views) > len(set(views))
