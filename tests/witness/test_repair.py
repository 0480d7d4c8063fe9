"""Repair: from a certified witness, a contract that rejects it.

The tasks here are made by hand, with their cases, so that no compiler is needed; the certificates say what the gates would say.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from equiv.check import check_sources
from equiv.verdict import Verdict
from translate.source import from_text
from witness.certificate import hashes
from witness.contract import WitnessError, open_function, working
from witness.embedded import Verifier
from witness.model import Candidate, Certificate, Gate, GateResult, Judgement, Omission, OmissionKind, Outcome, Task
from witness.repair import repair
from witness.repair_model import Keeps, Repair
from witness.store import read_case, sealed

FRAME = "use vstd::prelude::*;\nuse vstd::math::*;\nverus! {\n%s\nfn main() {}\n} // verus!\n"


def task(full: str, omitted: str, becomes: str, cases, withheld=(), examples=(), function="f", rest="") -> Task:
    """A task whose weakened contract has `becomes` in the place of `omitted`. A case is a dict with inputs, output, final."""
    weak = full.replace(omitted, becomes)
    assert weak != full
    texts = [FRAME % f"{rest}\n{t}" for t in (full, weak)]
    with working():
        opened = open_function("full.rs", texts[0], function)
        visible, kept = ([read_case(opened, c, "case") for c in group] for group in (cases, withheld))
        made = Task(
            name="test", description="", source="test", function=function, full=texts[0], weakened=texts[1],
            implementation=texts[0], omission=Omission(OmissionKind.RESIDUAL, "clause-dropped", omitted, becomes, 1, 1),
            parameters=opened.parameters(), result_type=opened.result_type, result_sort=opened.result_sort,
            visible=tuple(visible), withheld=tuple(kept), examples=tuple(examples),
        )  # fmt: skip
    return sealed(made)


def certificate(t: Task, expression: str, *, certified: bool = True) -> Certificate:
    outcome = Outcome.PASS if certified else Outcome.FAIL
    gates = tuple(GateResult(g, outcome, "embedded", "") for g in Gate)
    candidate = Candidate(expression, expression)
    return Certificate(t.name, Judgement(candidate, gates), 1, hashes(t, candidate), {})


def case(inputs, output=None, **final):
    return {"inputs": inputs, **({} if output is None else {"output": output}), "final": final}


GAP = "fn f(a: i32, b: i32) -> (g: u32) ensures g == abs(a - b), { if a > b { (a - b) as u32 } else { (b - a) as u32 } }"
PAIRS = [(3, -4), (-4, 3), (0, 0), (5, 5), (1, 9), (9, 1), (-7, -2), (100, -100)]
GAP_CASES = [case({"a": a, "b": b}, abs(a - b)) for a, b in PAIRS]

LARGEST = """fn f(v: &Vec<u8>) -> (r: u8) requires v.len() > 0,
    ensures
        forall|i: int| 0 <= i < v@.len() ==> v@[i] <= r,
        exists|i: int| 0 <= i < v@.len() && v@[i] == r,
{ v[0] }"""
LISTS = [[1], [0, 4, 2], [7, 7], [3, 9], [9, 3], [200, 1], [0, 0], [5, 6, 7]]
LARGEST_CASES = [case({"v": v}, max(v)) for v in LISTS]

SORT = """fn f(v: &mut Vec<u8>)
    ensures
        forall|i: int, j: int| 0 <= i < j < final(v)@.len() ==> final(v)@[i] <= final(v)@[j],
        final(v)@.to_multiset() == old(v)@.to_multiset(),
{ }"""
SORT_CASES = [case({"v": v}, None, v=sorted(v)) for v in ([3, 1, 2], [1, 2], [2, 1], [5, 5, 0], [9, 8, 7], [4], [2, 2, 1])]

EVEN = "fn f(n: u8) -> (b: bool) ensures b <==> n % 2 == 0, { n % 2 == 0 }"
EVEN_CASES = [case({"n": n}, n % 2 == 0) for n in (0, 1, 2, 7, 8, 9, 100, 255)]


def made(name: str) -> tuple[Task, str]:
    """A task and its witness."""
    return {
        "gap at most": (task(GAP, "g == abs(a - b)", "g <= abs(a - b)", GAP_CASES), "0"),
        "gap at least": (task(GAP, "g == abs(a - b)", "(g >= abs(a - b))", GAP_CASES), "u32::MAX"),
        "gap free": (task(GAP, "ensures g == abs(a - b),", "", GAP_CASES), "0"),
        "an upper bound": (task(LARGEST, "exists|i: int| 0 <= i < v@.len() && v@[i] == r,", "", LARGEST_CASES), "u8::MAX"),
        "an entry": (task(LARGEST, "forall|i: int| 0 <= i < v@.len() ==> v@[i] <= r,", "", LARGEST_CASES), "v[0]"),
        "not sorted": (
            task(SORT, "forall|i: int, j: int| 0 <= i < j < final(v)@.len() ==> final(v)@[i] <= final(v)@[j],", "", SORT_CASES),
            "()",
        ),
        "one way": (task(EVEN, "b <==> n % 2 == 0", "((b) ==> (n % 2 == 0))", EVEN_CASES), "false"),
    }[name]


NAMES = ["gap at most", "gap at least", "gap free", "an upper bound", "an entry", "not sorted", "one way"]
CLAUSES = {
    "gap at most": ["abs(a - b) <= g"],
    "gap at least": ["g <= abs(a - b)"],
    "gap free": ["g == (if a <= b { b - a } else { a - b })"],
    "an upper bound": ["exists|i: int| 0 <= i < v@.len() && v@[i] == r"],
    "an entry": ["forall|i: int| 0 <= i < v@.len() ==> v@[i] <= r"],
    "not sorted": ["forall|i: int, j: int| 0 <= i < j < final(v)@.len() ==> final(v)@[i] <= final(v)@[j]"],
    "one way": ["n % 2 == 0 ==> b"],
}


@pytest.fixture(scope="module")
def repairs() -> dict[tuple[str, bool], tuple[Task, Repair]]:
    found = {}
    for name in NAMES:
        t, expression = made(name)
        for known in (False, True):
            found[name, known] = (t, repair(t, certificate(t, expression), original_known=known))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_the_clause_that_is_missing_is_found_without_the_original(repairs, name):
    _, found = repairs[name, False]
    assert found.repaired and [c.text for c in found.clauses] == CLAUSES[name]
    assert all(c.keeps is Keeps.CASES for c in found.clauses)
    assert found.full_strength is None


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_it_rejects_the_witness_and_keeps_the_cases(repairs, name, known):
    t, found = repairs[name, known]
    assert found.repaired and found.witness_fails
    with working():
        verifier = Verifier(open_function("r.rs", found.text, t.function))
        for c in (*t.visible, *t.withheld):
            values = verifier.at(c.inputs, c.output, c.final)
            assert all(verifier.holds(q, values) is True for q in verifier.opened.ensures)
    witness = found.programs[0]
    assert witness.origin == "witness" and witness.clause is not None and witness.outputs


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_equiv_says_that_it_is_stronger_than_the_weakened_contract(repairs, name, known):
    t, found = repairs[name, known]
    report = check_sources(from_text("a.rs", t.weakened), from_text("b.rs", found.text), targets=[t.function], budget=1_000_000)
    assert report.targets[0].verdict is Verdict.REFINES


@pytest.mark.parametrize("name", NAMES)
def test_with_the_original_known_equiv_says_that_the_original_keeps_it(repairs, name):
    t, found = repairs[name, True]
    assert all(c.keeps is Keeps.PROVED for c in found.clauses)
    report = check_sources(from_text("a.rs", found.text), from_text("b.rs", t.full), targets=[t.function], budget=1_000_000)
    assert report.targets[0].verdict.kept() is True
    assert found.full_strength is True and report.targets[0].verdict is Verdict.EQUIVALENT


@pytest.mark.parametrize("name", NAMES)
def test_each_clause_is_needed(repairs, name):
    """Its example satisfies the weakened contract and not the clause: checked here by the verdict without it."""
    found = repairs[name, False][1]
    assert all(c.needed.values for c in found.clauses)
    assert all(c.needed.replayed for c in found.clauses)
    values = dict(found.clauses[0].needed.values)
    if name == "gap at most":
        assert abs(int(values["a"]) - int(values["b"])) > int(values["g"])


def test_the_dropped_clause_goes_first_where_the_original_is_known(repairs):
    _, found = repairs["not sorted", True]
    assert [c.kind for c in found.clauses] == ["dropped clause"]
    assert repairs["not sorted", False][1].clauses[0].kind == "sequence"


def test_the_text_is_the_file_with_the_clause(repairs):
    t, found = repairs["an upper bound", False]
    assert found.text.replace(",\n        exists|i: int| 0 <= i < v@.len() && v@[i] == r", "") == t.weakened
    assert found.signature.splitlines()[-1].strip() == "exists|i: int| 0 <= i < v@.len() && v@[i] == r,"


def test_wrong_programs_that_are_known_are_rejected_too():
    t = task(GAP, "ensures g == abs(a - b),", "", GAP_CASES, examples=["1", "a.unsigned_abs()", "a.abs_diff(b)"])
    others = [certificate(t, "u32::MAX"), certificate(t, "b.unsigned_abs()")]
    found = repair(t, certificate(t, "0"), others)
    named = {p.expression: p for p in found.programs if p.origin != "like"}
    assert set(named) == {"0", "u32::MAX", "b.unsigned_abs()", "1", "a.unsigned_abs()"}  # the correct one is no wrong program
    assert all(p.clause is not None for p in named.values())
    assert found.outputs_rejected == found.wrong_outputs > 0


def test_a_clause_that_breaks_a_withheld_case_is_not_proposed():
    """On the visible cases the result is never below a; a withheld case says otherwise."""
    text = "fn f(a: u8, b: u8) -> (r: u8) ensures r < 256, r == if a < 100 { a } else { b }, { a }"
    visible = [case({"a": a, "b": 200}, a) for a in (1, 2, 3, 4, 5, 6)]
    withheld = [case({"a": 150, "b": 7}, 7)]
    t = task(text, ", r == if a < 100 { a } else { b }", "", visible)
    before = repair(t, certificate(t, "0"))
    assert "r == a" in [c.text for c in before.clauses]
    t = task(text, ", r == if a < 100 { a } else { b }", "", visible, withheld)
    after = repair(t, certificate(t, "0"))
    assert "r == a" not in [c.text for c in after.clauses]


def test_what_makes_a_difference_at_one_case_only_is_not_enough():
    """`n == 0 ==> r == 7` and the like hold at the only case that says so."""
    text = "fn f(n: u8) -> (r: u8) ensures r <= 200, r == g(n), { 0 }"
    rest = "pub uninterp spec fn g(n: u8) -> u8;"
    rows = [(0, 7), (9, 3), (17, 190), (40, 42), (77, 11), (120, 88)]
    t = task(text, ", r == g(n)", "", [case({"n": n}, r) for n, r in rows], rest=rest)
    found = repair(t, certificate(t, "0"))
    assert all(c.support >= 3 for c in found.clauses)
    assert not any("== 7" in c.text for c in found.clauses)


def test_no_clause_is_an_answer():
    """Now the one, now the other, and nothing in the arguments says which."""
    text = "fn f<T: Copy>(x: T, y: T) -> (r: T) ensures r == x || r == y, r == g(x, y), { x }"
    rest = "pub uninterp spec fn g<T>(x: T, y: T) -> T;"
    rows = [(1, 2, 1), (1, 3, 3), (5, 6, 5), (7, 8, 8), (4, 4, 4)]
    t = task(text, " r == g(x, y),", "", [case({"x": x, "y": y}, r) for x, y, r in rows], rest=rest)
    found = repair(t, certificate(t, "x"))
    assert not found.repaired and "no clause that rejects the witness was found" in found.why_not
    assert not found.text and not found.clauses


def test_a_witness_that_computes_the_right_answers():
    t, _ = made("gap free")
    found = repair(t, certificate(t, "a.abs_diff(b)"))
    assert not found.repaired and "official output on every visible case" in found.why_not


def test_only_certified_witnesses_of_the_task():
    t, expression = made("gap free")
    with pytest.raises(WitnessError, match="is not certified"):
        repair(t, certificate(t, expression, certified=False))
    other = sealed(replace(t, description="another"))
    with pytest.raises(WitnessError, match="about another task"):
        repair(t, certificate(other, expression))
    with pytest.raises(WitnessError, match="about another task"):
        repair(t, certificate(t, expression), [certificate(other, expression)])


def test_the_same_repair_every_time():
    t, expression = made("an upper bound")
    assert repair(t, certificate(t, expression)) == repair(t, certificate(t, expression))


def test_a_definition_that_does_not_end_proves_nothing():
    """`loop_(n) == loop_(n) + 1` would prove every clause from the original."""
    text = "fn f(n: u8) -> (r: u8) ensures r <= 200, loop_(n as int) == 0, { 0 }"
    rest = "pub open spec fn loop_(n: int) -> int decreases n { loop_(n) + 1 }"
    t = task(text, " loop_(n as int) == 0,", "", [case({"n": n}, n) for n in (1, 2, 3, 4, 5)], rest=rest)
    found = repair(t, certificate(t, "0"), original_known=True)
    assert not found.repaired
