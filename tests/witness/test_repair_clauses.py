"""The parts of a repair: where clauses are put, which are proposed, which is the weakest."""

from __future__ import annotations

import pytest

from translate import terms as tm
from translate.values import Boxed, DataValue
from witness.clause_choice import KINDS, Candidate, choose, weakest
from witness.clause_parts import parts, vocabulary
from witness.clause_templates import Columns, Proposal, Templates, turned
from witness.clause_text import clause_text, reads_back, with_clauses
from witness.contract import open_function, working
from witness.embedded import Verifier
from witness.wrong_outputs import neighbours

FRAME = "use vstd::prelude::*;\nverus! {\n%s\n}\n"


@pytest.fixture(autouse=True)
def own_work():
    with working():
        yield


def opened(text, function="f"):
    return open_function("test.rs", FRAME % text, function)


SIGNATURES = {
    "behind the last ensures": ("fn f(a: u8) -> (r: u8) ensures r <= a { a }", "ensures r <= a,\n        r >= a {"),
    "before its comma": ("fn f(a: u8) -> (r: u8)\n    ensures\n        r <= a,\n{ a }", "        r <= a,\n        r >= a,\n{"),
    "behind its parentheses": ("fn f(a: u8) -> (r: u8) ensures ((r <= a)), { a }", "((r <= a)),\n        r >= a,"),
    "after requires": ("fn f(a: u8) -> (r: u8) requires a > 1 { a }", "requires a > 1,\n    ensures\n        r >= a, {"),
    "after requires with a comma": ("fn f(a: u8) -> (r: u8) requires a > 1, { a }", "a > 1,\n    ensures\n        r >= a, {"),
    "without any clause": ("fn f(a: u8) -> (r: u8) { a }", "-> (r: u8)\n    ensures\n        r >= a, {"),
    "before decreases": ("fn f(a: u8) -> (r: u8) decreases a { a }", "-> (r: u8)\n    ensures\n        r >= a, decreases a"),
    "before returns": ("fn f(a: u8) -> (r: u8) returns a { a }", "-> (r: u8)\n    ensures\n        r >= a, returns a"),
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_where_clauses_go(name):
    text, expected = SIGNATURES[name]
    o = opened(text)
    assert expected in with_clauses(o, ["r >= a"])
    a, r = o.contract.inputs[0], o.contract.result
    term = tm.arith("le", a, r)
    assert reads_back(o, term, clause_text(o, term))
    again = open_function("again.rs", with_clauses(o, ["r >= a", "r == a"]), "f")
    assert len(again.ensures) == len(o.ensures) + 2


def test_a_result_without_a_name_gets_one():
    o = opened("fn f(a: u8) -> u8 returns a { a }")
    text = with_clauses(o, ["result >= a"])
    assert "-> (result: u8)\n    ensures\n        result >= a, returns a" in text
    assert len(open_function("again.rs", text, "f").ensures) == 2


def test_a_text_that_is_read_as_something_else_does_not_read_back():
    o = opened("fn f(a: u8) -> (r: u8) ensures r <= a { a }")
    a, r = o.contract.inputs[0], o.contract.result
    assert not reads_back(o, tm.arith("le", a, r), "r <= a")
    assert not reads_back(o, tm.arith("le", a, r), "nonsense(((")


def proposals(text, points, function="f"):
    """The texts of the proposals, with their kinds, at the official cases: each a list of values for the contract's variables."""
    o = opened(text, function)
    at = [dict(zip(o.contract.variables, row, strict=True)) for row in points]
    found = Templates(o, vocabulary(o), Columns(at, o.word)).proposals()
    return {clause_text(o, p.term): p.kind for p in found}


def vec(*values):
    return Boxed(values)


def some(x):
    return DataValue("Option", 1, (x,))


def test_bounds_must_be_attained():
    found = proposals("fn f(a: u8) -> (r: u8) ensures true { a }", [(1, 1), (5, 5), (7, 9), (9, 20)])
    assert found["a <= r"] == "bound"
    far = proposals("fn f(a: u8) -> (r: u8) ensures true { a }", [(1, 101), (5, 111), (7, 90), (9, 200)])
    assert "a <= r" not in far


def test_what_the_cases_break_is_not_proposed():
    found = proposals("fn f(a: u8, b: u8) -> (r: u8) ensures true { a }", [(1, 2, 2), (4, 3, 4), (5, 5, 5), (0, 9, 9)])
    assert "r == (if a <= b { b } else { a })" in found and found["a <= r"] == "bound"
    assert "r == a" not in found and "r == a + b" not in found


def test_membership_positions_and_order():
    found = proposals(
        "fn f(v: &Vec<u8>, x: u8) -> (r: Option<usize>) ensures true { None }",
        [(vec(3, 1), 1, some(1)), (vec(5), 5, some(0)), (vec(2, 2), 2, some(0)), (vec(), 4, DataValue("Option", 0))],
    )
    assert found["r is Some ==> v@[r->0 as int] == x"] == "position"
    assert found["r is Some <==> (exists|i: int| 0 <= i < v@.len() && v@[i] == x)"] == "condition"
    rows = [(vec(3, 1, 2), vec(1, 2, 3)), (vec(9, 8), vec(8, 9)), (vec(), vec())]
    found = proposals("fn f(v: &mut Vec<u8>) ensures true { }", rows)
    assert found["final(v)@.to_multiset() =~= old(v)@.to_multiset()"] == "sequence"
    assert "forall|i: int, j: int| 0 <= i < j < final(v)@.len() ==> final(v)@[i] <= final(v)@[j]" in found
    assert "forall|i: int, j: int| 0 <= i < j < final(v)@.len() ==> final(v)@[j] <= final(v)@[i]" not in found


def test_the_files_own_words():
    text = """
    pub open spec fn total(s: Seq<u8>) -> int decreases s.len() { if s.len() == 0 { 0 } else { total(s.drop_last()) + s.last() } }
    pub open spec fn odd(n: u8) -> bool { n % 2 == 1 }
    fn f(v: &Vec<u8>) -> (r: u8) ensures true { 0 }
    """
    found = proposals(text, [(vec(1, 2), 3), (vec(5), 5), (vec(4, 4, 1), 9)])
    assert found["r == total(v@)"] == "equality" and found["odd(r)"] == "word of the file"


def test_char_elements_are_no_numbers():
    text = "fn f(v: &Vec<char>) -> (r: bool) ensures r ==> v@.len() > 0 { true }"
    found = proposals(text, [(vec(97), True), (vec(98, 97), True)])
    assert not any("<= v@[" in t or "] <= " in t for t in found)


def test_clauses_turned_round():
    o = opened("fn f(a: u8, b: bool) -> (r: u8) ensures r <= a, b ==> r < 9, a == 1 || r == 1 { a }")
    texts = {clause_text(o, t) for q in o.ensures for t in turned(q)}
    assert {"a <= r", "r == a", "r < a", "r < 9 ==> b", "r == 1"} <= texts


def candidate(kind, term, rejects, text="text"):
    return Candidate(Proposal(term, kind), frozenset(rejects), 5, text)


def test_the_weakest_that_does_the_job():
    o = opened("fn f(a: u8) -> (r: u8) requires a < 200 ensures r <= a { a }")
    (a,), r = o.contract.inputs, o.contract.result
    equal, near = tm.eq(r, tm.arith("sub", a, tm.ZERO)), tm.arith("le", tm.arith("sub", a, tm.ONE), r)
    above = tm.arith("le", a, r)
    wanted = [candidate("equality", equal, {0, 1}), candidate("bound", above, {0, 1}), candidate("bound", near, {0})]
    decider = Verifier(o, 500_000).decider
    given, variables = [*o.requires, *o.ensures], o.contract.variables

    def best(needed):
        return weakest(wanted[0], frozenset(needed), wanted, given, variables, decider, lambda c: True)[0].term

    assert best({0}) is near  # strictly weaker, and enough
    assert best({0, 1}) is above  # as strong as the equality under `r <= a`, and shorter
    assert weakest(wanted[0], frozenset({0}), wanted, given, variables, decider, lambda c: c is wanted[0])[0] is wanted[0]


def test_an_equality_under_a_condition_is_no_weaker_form():
    o = opened("fn f(a: u8) -> (r: u8) ensures true { a }")
    (a,), r = o.contract.inputs, o.contract.result
    whole, partial = tm.eq(r, a), tm.implies(tm.arith("lt", a, tm.lit(9)), tm.eq(r, a))
    two = [candidate("equality", whole, {0}), candidate("equality under a condition", partial, {0})]
    decider = Verifier(o, 500_000).decider
    found, _ = weakest(two[0], frozenset({0}), two, [], o.contract.variables, decider, lambda c: True)
    assert found is two[0]


def test_choice_rejects_the_witness_first_and_prefers_what_is_believable():
    a, b, c, d = (tm.var(n, tm.BOOL) for n in "abcd")
    strong = candidate("equality under a condition", a, {0, 1, 2, 3})
    plain = candidate("clause turned round", b, {0, 1, 2})
    others = candidate("membership", c, {1, 2, 3})
    last = candidate("bound", d, {3})
    programs = frozenset({0, 1, 2, 3})
    chosen = choose([strong, plain, others, last], 4, programs, lambda x: True)
    assert chosen[0] is plain and all(x is not strong for x in chosen)
    assert frozenset().union(*(x.rejects for x in chosen)) == programs
    assert choose([others, last], 4, programs, lambda x: True) == []  # nothing rejects the witness
    assert choose([plain, strong], 4, programs, lambda x: x is strong) == [strong]
    assert choose([plain], 4, programs, lambda x: False) == []


def test_what_the_others_reject_is_left_out():
    a, b = tm.var("a", tm.BOOL), tm.var("b", tm.BOOL)
    small, large = candidate("membership", a, {0, 1}), candidate("bound", b, {0, 1, 2, 3, 4, 5})
    assert choose([small, large], 6, frozenset({0}), lambda x: True) == [large]


def test_every_kind_has_a_rank():
    text = """
    pub open spec fn odd(n: u8) -> bool { n % 2 == 1 }
    fn f(v: &mut Vec<u8>, i: usize, x: u8, m: u8) -> (r: u8) ensures r <= x, m & 3u8 == 1u8 { x }
    """
    row = (vec(1, 3), 1, 3, 1, vec(1, 3), 3)
    o = opened(text)
    at = [dict(zip(o.contract.variables, row, strict=True))] * 3
    kinds = {p.kind for p in Templates(o, vocabulary(o), Columns(at, o.word)).proposals()}
    assert kinds <= set(KINDS) and len(kinds) >= 8


def test_parts_of_an_enum_know_when_they_are_there():
    o = opened("fn f(x: Option<(u8, bool)>) -> (r: bool) ensures r { true }")
    found = [(clause_text(o, p.term), clause_text(o, p.guard)) for p in parts(o.contract.inputs[0])]
    assert ("x is Some", "true") in found and ("(x->0).0", "x is Some") in found


def test_neighbours_are_near_and_never_the_value():
    option = opened("fn f() -> (r: Option<u8>) ensures r is Some { None }").contract.result.sort
    near = list(neighbours(some(5), option))
    assert some(6) in near and some(4) in near and DataValue("Option", 0) in near and some(5) not in near
    pair = opened("fn g() -> (r: (u8, u8)) ensures r.0 == 1 { (1, 2) }", "g").contract.result.sort
    assert DataValue("tuple", 0, (2, 1)) in list(neighbours(DataValue("tuple", 0, (1, 2)), pair))
