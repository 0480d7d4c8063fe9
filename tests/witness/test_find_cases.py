"""Cases against a contract: what a person wrote down that must come out."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.tasks import load_tasks
from translate.source import from_text, read_source
from translate.values import render_rust
from witness.declared import from_words
from witness.determined import find
from witness.finding import Fit, Pinned
from witness.given_cases import CaseError, case_values, load_cases
from witness.subject import SubjectFile

DOUBLE = "fn f(x: u8) -> (r: u8) requires x < 100 ensures r >= 2 * x { x }"


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "cases.toml"
    file.write_text(text)
    return file


def source(text):
    return from_text("test.rs", "use vstd::prelude::*;\nverus! {\n" + text + "\n}")


def judged(tmp_path, text, cases, **more):
    [one] = find(source(text), ["f"], cases=load_cases(written(tmp_path, cases)), budget=1_000_000, **more)
    return one


def test_each_answer(tmp_path):
    found = judged(
        tmp_path,
        DOUBLE,
        """
        [[cases]]
        inputs = { x = 3 }
        output = 6
        [[cases]]
        inputs = { x = 3 }
        output = 5
        [[cases]]
        inputs = { x = 100 }
        output = 200
        """,
    )
    loose, forbidden, refused = found.cases
    assert loose.fit is Fit.LOOSE and dict(loose.other)["r"] != "6" and int(dict(loose.other)["r"]) >= 6
    assert forbidden.fit is Fit.FORBIDDEN and [c.text for c in forbidden.clauses] == ["r >= 2 * x"]
    assert refused.fit is Fit.REFUSED and [c.text for c in refused.clauses] == ["x < 100"]
    assert found.status == 1


def test_a_determined_contract_that_is_wrong_about_a_case_is_a_flaw(tmp_path):
    found = judged(tmp_path, DOUBLE.replace(">=", "=="), "[[cases]]\ninputs = { x = 3 }\noutput = 7\n")
    assert found.answer is Pinned.DETERMINED and found.cases[0].fit is Fit.FORBIDDEN and found.status == 1


def test_a_loose_contract_can_be_tight_at_a_case(tmp_path):
    text = "fn f(x: u8) -> (r: u8) ensures r <= x { x }"
    found = judged(tmp_path, text, "[[cases]]\ninputs = { x = 0 }\noutput = 0\n[[cases]]\ninputs = { x = 1 }\noutput = 1\n")
    assert [c.fit for c in found.cases] == [Fit.FITS, Fit.LOOSE]


def test_what_is_declared_holds_for_cases_too(tmp_path):
    text = "fn f(v: &[u8], x: u8) -> (r: Option<usize>) ensures r matches Some(k) ==> k < v.len() && v[k as int] == x { None }"
    cases = "[[cases]]\ninputs = { v = [7, 7], x = 7 }\noutput = { some = 0 }\n"
    assert dict(judged(tmp_path, text, cases).cases[0].other)["r"] in ("None", "Some(1)")
    [other] = judged(tmp_path, text, cases, everywhere=from_words(["index"], [])).cases
    assert dict(other.other)["r"] == "None"
    free = judged(tmp_path, text, cases, everywhere=from_words(["any"], []))
    assert free.cases[0].fit is Fit.FITS and free.answer is Pinned.DECLARED and free.status == 0
    wrong = judged(tmp_path, text, cases.replace("some = 0", "some = 2"), everywhere=from_words(["any"], []))
    assert wrong.cases[0].fit is Fit.FORBIDDEN and wrong.status == 1


def test_outputs_that_a_case_does_not_give(tmp_path):
    text = """
    fn f(v: &mut Vec<u8>, x: u8) -> (n: usize)
        ensures final(v)@.len() == n, n >= old(v)@.len(), n <= old(v)@.len() + 1 { 0 }
    """
    cases = """
    [[cases]]
    inputs = { v = [1], x = 2 }
    output = 2
    [[cases]]
    inputs = { v = [1], x = 2 }
    output = 3
    [[cases]]
    inputs = { v = [1], x = 2 }
    final = { v = [1, 2, 3] }
    """
    fits = [c.fit for c in judged(tmp_path, text, cases).cases]
    assert fits == [Fit.LOOSE, Fit.FORBIDDEN, Fit.FORBIDDEN]
    tight = text.replace("n >= old(v)@.len(), n <= old(v)@.len() + 1", "n == old(v)@.len() + 1")
    assert [c.fit for c in judged(tmp_path, tight, cases).cases] == [Fit.FITS, Fit.FORBIDDEN, Fit.FORBIDDEN]


def test_the_corpus_cases_fit_where_the_contract_is_determined():
    for name in ("meter", "scale", "pick", "lowercase"):
        [task] = [t for t in load_tasks() if t.name == name]
        reports = find(read_source(task.path), cases=load_cases(task.path.parent / "task.toml"), budget=1_000_000)
        assert sum(len(r.cases) for r in reports) == len(task.cases)
        assert all(c.fit is Fit.FITS for r in reports for c in r.cases), name


@pytest.mark.parametrize("task", [t for t in load_tasks() if t.cases], ids=lambda t: t.name)
def test_every_case_of_the_corpus_can_be_read(task):
    cases = load_cases(task.path.parent / "task.toml")
    file = SubjectFile(read_source(task.path), {})
    assert len(cases) == len(task.cases)
    for case, known in zip(cases, task.cases, strict=True):
        [ref] = file.targets([known.function])
        assert case.is_about(ref.path, True)
        values = case_values(case, file.subject(ref).contract)
        assert len(values) >= len(known.inputs)


VALUES = [
    ("x: u8", "3", "3"),
    ("x: bool", "true", "true"),
    ("x: char", '"ä"', "'ä'"),
    ("x: String", '"a\\"b"', '"a\\"b"'),
    ("x: &str", '"ab"', '"ab"'),
    ("x: Vec<Vec<i8>>", "[[1], []]", "vec![vec![1], vec![]]"),
    ("x: [u8; 2]", "[1, 2]", "[1, 2]"),
    ("x: (u8, bool)", "[1, true]", "(1, true)"),
    ("x: (u8,)", "[1]", "(1,)"),
    ("x: Option<u8>", "{ some = 3 }", "Some(3)"),
    ("x: Option<u8>", "{ none = true }", "None"),
    ("x: Result<u8, bool>", "{ err = false }", "Err(false)"),
    ("x: P", "{ a = 1, b = [2] }", "P { a: 1, b: vec![2] }"),
    ("x: E", "{ One = true }", "E::One"),
    ("x: E", "{ Two = { n = 3 } }", "E::Two { n: 3 }"),
    ("x: E", "{ Three = [1, 2] }", "E::Three(1, 2)"),
    ("x: E", "{ Four = 4 }", "E::Four(4)"),
    ("x: i128", "-170141183460469231731687303715884105728", "-170141183460469231731687303715884105728"),
]
TYPES = "pub struct P { a: u8, b: Vec<u8> }\npub enum E { One, Two { n: u8 }, Three(u8, u8), Four(u8) }\n"


def contract(parameter):
    file = SubjectFile(source(f"{TYPES}fn f({parameter}) -> (r: bool) ensures r {{ true }}"), {})
    return file.subject(file.targets(["f"])[0]).contract


@pytest.mark.parametrize(("parameter", "given", "shown"), VALUES)
def test_values(tmp_path, parameter, given, shown):
    [case] = load_cases(written(tmp_path, f"[[cases]]\ninputs = {{ x = {given} }}\noutput = true\n"))
    values = case_values(case, contract(parameter))
    [shown_value] = [render_rust(x, v.sort) for v, x in values.items() if v.data == "x"]
    assert shown_value == shown


@pytest.mark.parametrize(
    ("parameter", "case", "message"),
    [
        ("x: u8", "inputs = { x = 256 }\noutput = true", "inputs.x: 256 is no value of type `u8`"),
        ("x: u8", "inputs = { x = true }\noutput = true", "inputs.x: True is no value"),
        ("x: bool", "inputs = { x = 1 }\noutput = true", "inputs.x: 1 is no value"),
        ("x: char", 'inputs = { x = "ab" }\noutput = true', "inputs.x: 'ab' is no value"),
        ("x: [u8; 2]", "inputs = { x = [1] }\noutput = true", "inputs.x"),
        ("x: Vec<u8>", "inputs = { x = [1, 300] }\noutput = true", "inputs.x"),
        ("x: Vec<u8>", "inputs = { x = 3 }\noutput = true", "inputs.x: 3 is no value of type `Vec<u8>`"),
        ("x: E", "inputs = { x = { Five = true } }\noutput = true", "is no value of type `E`"),
        ("x: E", "inputs = { x = { Three = [1] } }\noutput = true", "is no value of `E`"),
        ("x: P", "inputs = { x = { a = 1 } }\noutput = true", "whose fields are: a, b"),
        ("x: u8", "inputs = { y = 1 }\noutput = true", "inputs.y: no such parameter; there are: x"),
        ("x: u8", "inputs = { }\noutput = true", "inputs.x: is missing"),
        ("x: u8", "inputs = { x = 1 }\nfinal = { z = 1 }", "final.z: no such `&mut` parameter"),
        ("x: u8", "inputs = { x = 1 }\nwrong = 2", "wrong: no such field"),
        ("x: u8", "inputs = 3\noutput = true", "inputs: must be a table"),
        ("x: u8", "fn = 3\ninputs = { x = 1 }\noutput = true", "fn: must be the path"),
    ],
)
def test_cases_that_cannot_be_used(tmp_path, parameter, case, message):
    file = written(tmp_path, f"[[cases]]\n{case}\n")
    with pytest.raises(CaseError) as raised:
        case_values(load_cases(file)[0], contract(parameter))
    assert str(raised.value).startswith(f"{file}: case 1: ") and message in str(raised.value)


@pytest.mark.parametrize(("text", "message"), [("a = 1", "has no [[cases]]"), ("[[cases", "is not TOML")])
def test_files_of_cases_that_cannot_be_used(tmp_path, text, message):
    with pytest.raises(CaseError) as raised:
        load_cases(written(tmp_path, text))
    assert message in str(raised.value)


def test_a_file_of_cases_that_is_not_there(tmp_path):
    with pytest.raises(CaseError, match=r"cannot be read \(No such file"):
        load_cases(tmp_path / "none.toml")


def test_values_of_a_type_parameter_are_known_by_equality(tmp_path):
    text = "fn f<T: Copy>(flag: bool, yes: T, no: T) -> (r: T) ensures flag ==> r == yes, !flag ==> r == no { yes }"
    cases = """
    [[cases]]
    inputs = { flag = true, yes = 1, no = 2 }
    output = 1
    [[cases]]
    inputs = { flag = true, yes = 1, no = 2 }
    output = 2
    """
    assert [c.fit for c in judged(tmp_path, text, cases).cases] == [Fit.FITS, Fit.FORBIDDEN]


def test_cases_name_their_function(tmp_path):
    text = DOUBLE + "\nfn g(x: u8) -> (r: u8) ensures r == x { x }"
    cases = load_cases(written(tmp_path, '[[cases]]\nfn = "g"\ninputs = { x = 1 }\noutput = 1\n'))
    first, second = find(source(text), [], cases=cases, budget=1_000_000)
    assert first.cases == () and len(second.cases) == 1
