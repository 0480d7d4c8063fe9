"""What an author may declare: outputs that count as the same although they differ."""

from __future__ import annotations

import pytest

from translate.source import from_text
from witness.declared import DeclarationError, declared_for, from_file, from_words
from witness.determined import find
from witness.finding import Pinned

SORT = """
fn f(v: Vec<u8>) -> (r: Vec<u8>) ensures r@.to_multiset() == v@.to_multiset() { v }
"""
INDEX = """
fn f(v: &[u8], x: u8) -> (r: Option<usize>)
    ensures match r { Some(k) => k < v.len() && v[k as int] == x, None => !v@.contains(x) } { None }
"""
QUEUE = """
pub struct Queue { front: Vec<u8>, back: Vec<u8> }
impl View for Queue { type V = Seq<u8>; closed spec fn view(&self) -> Seq<u8> { self.front@ + self.back@ } }
impl Queue { pub fn f(&mut self, x: u8) -> (n: u8) ensures final(self)@ == old(self)@.push(x), n <= 1 { 0 } }
"""
OWN = """
pub open spec fn congruent(a: u8, b: u8) -> bool { a % 3 == b % 3 }
fn f(x: u8) -> (r: u8) ensures r % 3 == x % 3 { x }
"""


def reports(text, any_of=(), up_to=(), fns=("f",), table=None):
    source = from_text("test.rs", "use vstd::prelude::*;\nverus! {\n" + text + "\n}")
    return find(source, fns, declared=table or {}, everywhere=from_words(any_of, up_to), budget=1_000_000)


def answer(text, any_of=(), up_to=(), **more):
    [one] = reports(text, any_of, up_to, **more)
    return one.answer


def outputs(text, any_of=(), up_to=()):
    [one] = reports(text, any_of, up_to)
    return {o.name: o.answer for o in one.outputs}


@pytest.mark.parametrize(
    ("text", "relation"),
    [(SORT, "permutation"), (INDEX, "index"), (SORT, "any"), (INDEX, "any")],
)
def test_a_relation_makes_the_output_determined(text, relation):
    [bare] = reports(text)
    assert bare.answer is Pinned.TWO_OUTPUTS
    expected = Pinned.DECLARED if relation == "any" else Pinned.DETERMINED
    [declared] = reports(text, [relation])
    assert declared.answer is expected and declared.status == 0


def test_what_is_declared_is_suggested():
    for text, relation in ((SORT, "permutation"), (INDEX, "index")):
        [one] = reports(text)
        assert any(f"--any-of {relation}" in n for n in one.notes)


def test_index_leaves_only_positions_open():
    loose = INDEX.replace("None => !v@.contains(x)", "None => true")
    assert answer(loose, ["index"]) is Pinned.TWO_OUTPUTS  # Some(0) or None


def test_permutation_keeps_the_entries():
    other_entries = SORT.replace("r@.to_multiset() == v@.to_multiset()", "r.len() == v.len()")
    assert answer(other_entries, ["permutation"]) is Pinned.TWO_OUTPUTS


def test_view_leaves_the_representation_open():
    assert outputs(QUEUE)["final(self)"] is Pinned.TWO_OUTPUTS
    assert outputs(QUEUE, ["self=view"]) == {"final(self)": Pinned.DETERMINED, "n": Pinned.TWO_OUTPUTS}
    assert outputs(QUEUE, ["view"]) == {"final(self)": Pinned.DETERMINED, "n": Pinned.TWO_OUTPUTS}
    [one] = reports(QUEUE.replace(", n <= 1", ", n == 1"), ["view"])
    assert one.answer is Pinned.DETERMINED


def test_one_output_of_its_own():
    text = "fn f(v: &mut Vec<u8>) -> (r: u8) ensures final(v)@.to_multiset() == old(v)@.to_multiset() { 0 }"
    assert outputs(text, ["v=permutation"]) == {"final(v)": Pinned.DETERMINED, "r": Pinned.TWO_OUTPUTS}
    assert outputs(text, ["v=permutation", "result=any"]) == {"final(v)": Pinned.DETERMINED, "r": Pinned.DECLARED}
    assert outputs(text, ["any", "r=same"]) == {"final(v)": Pinned.DECLARED, "r": Pinned.TWO_OUTPUTS}


@pytest.mark.parametrize("relation", ["congruent", "crate::congruent", "|a, b| a % 3 == b % 3", "|a: u8, b: u8| congruent(a, b)"])
def test_a_relation_of_ones_own(relation):
    assert answer(OWN) is Pinned.TWO_OUTPUTS
    assert answer(OWN, up_to=[relation]) is Pinned.DETERMINED
    assert answer(OWN, up_to=["r=" + relation]) is Pinned.DETERMINED


def test_a_relation_of_ones_own_that_is_too_fine():
    [one] = reports(OWN, up_to=["|a, b| a % 6 == b % 6"])
    assert one.answer is Pinned.TWO_OUTPUTS
    first, second = (int(o[0][1]) for o in (one.two.first, one.two.second))
    assert first % 3 == second % 3 and first % 6 != second % 6


SETS = """
pub open spec fn same_set(a: Seq<u8>, b: Seq<u8>) -> bool { a.to_set() == b.to_set() }
fn f(v: &Vec<u8>) -> (r: Vec<u8>) ensures same_set(r@, v@) { Vec::new() }
"""


def test_a_spec_function_of_what_vectors_hold():
    assert answer(SETS, up_to=["|a, b| same_set(a@, b@)"]) is Pinned.DETERMINED
    with pytest.raises(DeclarationError, match=r"of what they hold, write `\|a, b\| same_set\(a@, b@\)`"):
        reports(SETS, up_to=["same_set"])


def test_closures_see_vstd_and_views():
    text = "fn f(v: Vec<u8>) -> (r: Vec<u8>) ensures r@.to_set() == v@.to_set() { v }"
    assert answer(text, up_to=["|a, b| a@.to_set() == b@.to_set()"]) is Pinned.DETERMINED


@pytest.mark.parametrize(
    ("any_of", "up_to", "message"),
    [
        (["sorted"], [], "not one of same, permutation, index, view, any"),
        ([], ["a % 3"], "neither a closure"),
        ([], ["|a| a"], "no closure of two parameters"),
        ([], ["|a, b| a +"], "cannot be read as a relation"),
        ([], ["|a, b| a }"], "cannot be read as a relation"),
        ([], ["nobody"], "`nobody` is defined nowhere"),
        ([], ["|a, b| a + b"], "cannot be declared of `crate::f`"),
        (["x=any"], [], "has no output `x`; its outputs are: result"),
        (["permutation"], [], "no sequence whose order could differ"),
        (["index"], [], "no integer of type usize"),
        (["view"], [], "no type in `u8` has a `View`"),
    ],
)
def test_declarations_that_do_not_fit(any_of, up_to, message):
    with pytest.raises(DeclarationError, match=message.replace("(", r"\(").replace("[", r"\[")):
        reports(OWN, any_of, up_to)


def test_a_declaration_for_all_needs_to_fit_one():
    found = reports(SORT + "fn g(x: u8) -> (r: u8) ensures r == x { x }", ["permutation"], fns=())
    assert [r.answer for r in found] == [Pinned.DETERMINED, Pinned.DETERMINED]


def test_a_file_of_declarations(tmp_path):
    file = tmp_path / "declared.toml"
    file.write_text('[declared]\n"f" = "permutation"\n"crate::other" = "index"\n"Queue::f" = { self = "view", result = "any" }\n')
    table = from_file(file)
    assert [d.relation.value for d in declared_for(table, "crate::f")] == ["permutation"]
    assert [(d.output, d.relation.value) for d in declared_for(table, "crate::Queue::f")] == [("self", "view"), ("result", "any")]
    assert declared_for(table, "crate::g") == []
    assert answer(SORT, table=table) is Pinned.DETERMINED
    [queue] = reports(QUEUE, fns=("Queue::f",), table=table)
    assert queue.answer is Pinned.DETERMINED
    file.write_text('[declared]\n"f" = "|a, b| a@.len() == b@.len()"\n')
    assert answer(SORT, table=from_file(file)) is Pinned.DETERMINED


@pytest.mark.parametrize(
    ("text", "message"),
    [("x = 1", r"no table \[declared\]"), ('[declared]\nf = 3', "must be a relation"), ("[declared", "is not TOML")],
)
def test_files_of_declarations_that_cannot_be_used(tmp_path, text, message):
    file = tmp_path / "declared.toml"
    file.write_text(text)
    with pytest.raises(DeclarationError, match=message):
        from_file(file)


def test_the_users_text_keeps_its_places():
    """A relation is read as a part of the file, behind its text: nothing moves."""
    [plain], [own] = reports(OWN), reports(OWN, up_to=["congruent"])
    assert [c.clause.place for c in own.clauses] == [c.clause.place for c in plain.clauses]
    assert own.place == plain.place
