"""Does a contract pin the output down? Each answer here was judged by hand, by reading the contract."""

from __future__ import annotations

from functools import cache

import pytest

from corpus.tasks import load_tasks
from equiv.decide import Decider, Decision
from equiv.verdict import Answer
from translate import terms as tm
from translate.source import from_text, read_source
from witness.composition import Composer
from witness.counting import counters
from witness.determined import find
from witness.finding import FindReport, Pinned, Weight
from witness.subject import NoOutput, SubjectFile

#: Contracts of the corpus that admit two outputs, with why. A name with a slash is an edit of the task.
TWO_OUTPUTS = {
    "find_index": "any position of the byte will do",
    "withdraw": "where both refusals apply, either may be given",
    "winner": "of several entries with most votes any may win",
    "two_stack_queue:Queue::enqueue": "the contract speaks of the view, and one queue can be cut in two at several places",
    "ring_buffer:Ring::take": "slots that hold nothing may hold anything",
    "midpoint/somewhere_between": "both ends of the bracket are closed",
    "mirrored/a_palindrome": "any palindrome of the right length passes",
    "sort/entries_forgotten": "nothing ties the result to the input",
    "sort_three/outer_pair_only": "the middle number need not be in the middle",
    "order_pair/order_dropped": "the pair may stand as it was given, or turned round",
    "pack_word/payload_forgotten": "the payload need not be in the word",
    "scale/either_error": "a zero factor may be reported as either error",
    "starts_with/true_only": "false positives pass",
    "hex_value/others_free": "characters that are no digits may get any value",
    "split_units/rest_free": "zero units and everything as rest would pass",
    "root_exists/rounded_either_way": "for a square the root below it passes too",
    "to_percent/top_clause_dropped": "nothing is said of readings above the top but an upper bound",
    "meter/losses_unexplained": "something may be lost although there was room",
}

#: Contracts that do not.
DETERMINED = [
    "add_up", "bars", "bounded_stack:Stack::pop", "cursor", "door", "dot3", "first_at_least", "gap", "greatest_common",
    "has_cell", "hex_value", "is_even", "max_index", "meter", "midpoint", "mirrored", "order_pair", "pack_word", "pick",
    "root_exists", "running_max", "scale", "sort", "sort_three", "split_units", "starts_with", "swap_at", "to_percent",
    "two_entries",
    "order_pair/larger_first", "starts_with/from_the_second", "gap/own_abs_clips",
]  # fmt: skip


@cache
def corpus():
    return {t.name: t for t in load_tasks()}


def report(name: str, **more) -> FindReport:
    """The report on `task`, `task:function` or `task/edit`."""
    name, _, function = name.partition(":")
    task, _, edit = name.partition("/")
    found = corpus()[task]
    path = next(e.path for e in found.edits if e.name == edit) if edit else found.path
    [one] = find(read_source(path), [function or found.target], **more)
    return one


def audit(text: str, fn: str = "f", **more) -> FindReport:
    [one] = find(from_text("test.rs", "use vstd::prelude::*;\nverus! {\n" + text + "\n}"), [fn], **more)
    return one


@pytest.mark.parametrize("name", TWO_OUTPUTS)
def test_two_outputs_are_shown(name):
    found = report(name)
    assert found.answer is Pinned.TWO_OUTPUTS and found.status == 1
    assert found.two is not None and found.two.replayed
    assert found.two.first != found.two.second
    assert [n for n, _ in found.two.first] == [o.name for o in found.outputs]


@pytest.mark.parametrize("name", DETERMINED)
def test_determined_where_there_is_one(name):
    found = report(name)
    assert found.answer is Pinned.DETERMINED and found.status == 0, found
    assert found.two is None
    assert all(o.answer is Pinned.DETERMINED for o in found.outputs)


def test_enough_tasks_of_each_answer():
    tasks = [{n.split(":")[0].split("/")[0] for n in names} for names in (TWO_OUTPUTS, DETERMINED)]
    assert all(len(t) >= 10 for t in tasks)


def test_outputs_behind_mutable_references_are_told_apart():
    found = audit("fn f(v: &mut Vec<u8>, x: u8) -> (r: u8) ensures r == x, final(v)@.len() == old(v)@.len() { x }")
    assert {o.name: o.answer for o in found.outputs} == {"final(v)": Pinned.TWO_OUTPUTS, "r": Pinned.DETERMINED}


def test_vectors_with_equal_views_are_one_output():
    assert audit("fn f(v: &Vec<Vec<u8>>) -> (r: Vec<Vec<u8>>) ensures r.len() == v.len(),"
                 " forall|i: int| 0 <= i < v.len() ==> r[i]@ == v[i]@ { v.clone() }").answer is Pinned.DETERMINED  # fmt: skip


def test_an_enum_with_vectors_inside():
    text = """
    pub enum E { None, Some(Vec<u8>) }
    fn f(v: Vec<u8>) -> (r: E) ensures match r { E::None => v.len() == 0, E::Some(w) => w@ == v@ && v.len() > 0 } { E::None }
    """
    assert audit(text).answer is Pinned.DETERMINED
    assert audit(text.replace("v.len() > 0 }", "true }")).answer is Pinned.TWO_OUTPUTS


def test_a_type_invariant_holds_of_every_output():
    text = """
    pub struct Half { pub n: u8 }
    impl Half { #[verifier::type_invariant] spec fn inv(self) -> bool { self.n == 7 } }
    fn f(x: u8) -> (h: Half) ensures BOUND { Half { n: 7 } }
    """
    assert audit(text.replace("BOUND", "true")).answer is Pinned.DETERMINED
    assert audit(text.replace("self.n == 7", "self.n <= 1").replace("BOUND", "true")).two.second[0][1] in (
        "Half { n: 0 }", "Half { n: 1 }",
    )  # fmt: skip


def test_an_invariant_of_a_part_holds_too():
    text = """
    pub struct Half { pub n: u8 }
    impl Half { #[verifier::type_invariant] spec fn inv(self) -> bool { self.n == 7 } }
    fn f(x: u8) -> (h: Vec<Half>) ensures h.len() == 1 { Vec::new() }
    """
    assert audit(text).answer is not Pinned.TWO_OUTPUTS


def test_contradictions_are_not_called_determined():
    no_input = audit("fn f(x: u8) -> (r: u8) requires x > 5, x < 5 ensures r == x { x }")
    assert no_input.answer is Pinned.CONTRADICTORY and no_input.status == 1 and "cannot be called" in no_input.why
    no_output = audit("fn f(x: u8) -> (r: u8) ensures r > x, r < x { x }")
    assert no_output.answer is Pinned.CONTRADICTORY and "cannot be implemented" in no_output.why


def test_no_ensures_leaves_everything_open():
    assert audit("fn f(x: u8) -> (r: bool) requires x > 0 { true }").answer is Pinned.TWO_OUTPUTS
    assert audit("fn f(x: u8) -> (r: ()) requires x > 0 { }").answer is Pinned.DETERMINED


def test_an_unspecified_value_is_one_value():
    """`300 as u8` is a fixed value that nobody knows: determined, though no value can be shown."""
    assert audit("fn f(x: u32) -> (r: u8) ensures r == x as u8 { 0 }").answer is Pinned.DETERMINED


def test_what_hangs_on_an_unknown_function_is_not_shown_as_two_outputs():
    text = "uninterp spec fn g(x: u8) -> bool;\nfn f(x: u8) -> (r: u8) ensures g(x) ==> r == 0 { 0 }"
    found = audit(text, budget=300_000)
    assert found.answer is Pinned.UNDECIDED and found.status == 3
    assert found.outputs[0].found is None or not found.outputs[0].found.replayed


def test_a_function_without_an_output():
    with pytest.raises(NoOutput, match="no output to pin down"):
        audit("proof fn f(x: int) requires x > 0 ensures x >= 1 { }")
    assert find(from_text("a.rs", "verus! { proof fn f(x: int) ensures x == x { } }")) == []


def test_floats_are_out_of_scope():
    assert audit("fn f(x: f64) -> (r: f64) ensures r == x { x }").answer is Pinned.UNSUPPORTED


def test_a_file_that_is_not_read_for_certain():
    broken = "spec fn 3g(x: u8) -> bool { true }\nfn f(x: u8) -> (r: u8) ensures r == x { x }"
    found = audit(broken)
    assert found.answer is Pinned.UNSUPPORTED and "not read at" in found.why


def test_a_definition_that_does_not_end_proves_nothing():
    loop = "spec fn g(x: int) -> int decreases x { g(x) + 1 }\nfn f(x: u8) -> (r: u8) ensures g(x as int) < 0 || r < 9 { 0 }"
    assert audit(loop, budget=100_000).answer is not Pinned.DETERMINED


COUNTED = """
pub open spec fn times(s: Seq<u8>, x: u8) -> nat decreases s.len() {
    if s.len() == 0 { 0nat } else { STEP }
}
fn f(v: &Vec<u8>) -> (r: Vec<u8>)
    ensures
        forall|i: int, j: int| 0 <= i < j < r@.len() ==> r@[i] <= r@[j],
        forall|x: u8| times(r@, x) == times(v@, x),
{ v.clone() }
"""
LAST = "times(s.drop_last(), x) + (if s.last() == x { 1nat } else { 0nat })"
COUNTING = {
    LAST: True,
    "if s[0] == x { 1 + times(s.skip(1), x) } else { times(s.skip(1), x) }": True,
    LAST.replace("== x", "== x && x > 3"): False,
    LAST.replace("s.last()", "s[0]"): False,
    LAST.replace("1nat", "2nat"): False,
    LAST.replace("s.drop_last()", "s"): False,
    "times(s.skip(2), x) + (if s[0] == x { 1nat } else { 0nat })": False,
}


def test_a_permutation_told_by_a_function_that_counts():
    assert audit(COUNTED.replace("STEP", LAST)).answer is Pinned.DETERMINED


@pytest.mark.parametrize("step", COUNTING)
def test_only_a_function_that_counts_tells_a_permutation(step):
    with tm.own_terms():
        file = SubjectFile(from_text("a.rs", "use vstd::prelude::*; verus! {" + COUNTED.replace("STEP", step) + "}"), {})
        terms = [c.term for c in file.subject(file.targets(["f"])[0]).contract.ensures]
        symbols = [s for t in terms for s in tm.symbols(t)]
        decider = Decider(300_000)
        found = counters(symbols, lambda p, g, v: decider.proved_by_z3(p, g, v, 1.0))
    assert bool(found) is COUNTING[step]


def test_descending_arrangements_too():
    text = "fn f(v: &mut Vec<i32>) ensures forall|i: int, j: int| 0 <= i < j < final(v)@.len() ==> final(v)@[i] >= final(v)@[j],"
    text += " final(v)@.to_multiset() == old(v)@.to_multiset() { }"
    assert audit(text).answer is Pinned.DETERMINED
    every_second = text.replace("0 <= i < j < final(v)@.len()", "0 <= i < j < final(v)@.len() && j == i + 2")
    assert audit(every_second, budget=100_000).answer is not Pinned.DETERMINED


def test_a_champion_is_one_by_its_rivals():
    """Each of two outputs put into what the other says of all."""
    text = """
    spec fn wins(g: Seq<u8>, n: nat, a: int, b: int) -> bool { g[a * n + b] == 1 }
    fn f(g: &Vec<u8>, n: usize) -> (r: usize)
        requires
            forall|i: int, j: int| 0 <= i < n && 0 <= j < n && i != j ==> !(wins(g@, n as nat, i, j) && wins(g@, n as nat, j, i)),
        ensures
            r < n,
            forall|j: int| 0 <= j < n && j != r ==> wins(g@, n as nat, r as int, j),
    { 0 }
    """
    assert audit(text).answer is Pinned.DETERMINED


def test_the_same_answer_every_time():
    assert report("find_index") == report("find_index")


# --- the two laws ----------------------------------------------------------------------------------------------------


def test_never_determined_without_a_proof(monkeypatch):
    monkeypatch.setattr(Decider, "implied", lambda *a, **k: Decision(Answer.UNKNOWN, "nothing"))
    monkeypatch.setattr(Decider, "proved_by_z3", lambda *a, **k: False)
    found = report("midpoint")
    assert found.answer is Pinned.UNDECIDED and found.status == 3
    assert all(c.weight is Weight.UNDECIDED for c in found.clauses)


def test_never_two_outputs_without_a_replay(monkeypatch):
    monkeypatch.setattr(Composer, "objection_to", lambda self, t, values: "the evaluator says no")
    found = report("find_index", budget=300_000)
    assert found.answer is Pinned.UNDECIDED and found.two is None
    assert found.outputs[0].found is not None and not found.outputs[0].found.replayed


# --- clauses ---------------------------------------------------------------------------------------------------------


def weights(found: FindReport) -> dict[str, Weight]:
    return {c.clause.text: c.weight for c in found.clauses}


def test_redundant_clauses_and_those_that_carry_weight():
    found = report("minute_of_day")
    assert weights(found) == {
        "h < hours!()": Weight.CARRIES,
        "m < 60": Weight.CARRIES,
        "t == h * 60 + m": Weight.CARRIES,
        "t < 1440": Weight.REDUNDANT,
    }
    assert [c.text for c in found.removable] == ["t < 1440"]
    [example] = [c.example for c in found.clauses if c.clause.text == "t == h * 60 + m"]
    values = {n: int(v) for n, v in example}
    assert values["h"] < 24 and values["m"] < 60 and values["t"] < 1440
    assert values["t"] != values["h"] * 60 + values["m"]


def test_clauses_that_imply_each_other_cannot_both_go():
    found = audit("fn f(x: u8) -> (r: u8) ensures r == x, x == r, r <= x, r < 200 || x >= 200 { x }")
    assert set(weights(found).values()) == {Weight.REDUNDANT}
    assert [c.text for c in found.removable] == ["x == r", "r <= x", "r < 200 || x >= 200"]


def test_a_clause_whose_weight_cannot_be_replayed_is_undecided():
    found = report("add_up")
    [clause] = [c for c in found.clauses if c.clause.text == "v@.len() <= 0xffff_ffff"]
    assert clause.weight is Weight.UNDECIDED and not clause.example
    assert "cannot be replayed" in clause.method
