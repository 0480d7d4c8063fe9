"""One meaning, three ways: what an expression computes (`run`), its term with its obligations (`weakest`), and rustc."""

from __future__ import annotations

import re
from pathlib import Path

from tests.witness.witness_made import file_with, machine, needs_rustc, opened
from translate import terms as tm
from translate.readings.evaluate import evaluate
from translate.readings.outcomes import EvaluationError
from translate.values import Boxed
from witness import methods
from witness.contract import Opened, working
from witness.data import from_json
from witness.expressions import Node
from witness.language import read_expression
from witness.methods import METHODS
from witness.numbers import Panic
from witness.program import run_expressions
from witness.run import run
from witness.weakest import Meaning, meaning_of

FILE = file_with(
    "pub fn f(a: i8, b: i8, u: u8, w: u8, n: usize, c: char, t: bool, o: Option<i8>, v: &Vec<i8>, s: &[u8], q: (u8, i8), d: Dial)"
    " -> (r: i64)",
    body="{ 0 }",
    before="""
#[derive(Clone, Copy)]
pub enum Dial { Off, At(u8), Between { low: i8, high: i8 } }
""",
)

INPUTS = [
    [0, 0, 0, 0, 0, "a", False, {"none": True}, [], [], [0, 0], {"Off": True}],
    [-128, -1, 255, 1, 1, "Z", True, {"some": -128}, [5], [7], [255, -1], {"At": 255}],
    [127, 1, 255, 255, 2, "9", True, {"some": 3}, [1, -2, 3], [1, 2, 3], [1, 127], {"Between": {"low": -3, "high": 4}}],
    [-7, 2, 7, 2, 18446744073709551615, "é", False, {"some": 0}, [-128, 127], [255], [2, 3], {"Between": {"low": 9, "high": -9}}],
    [7, -2, 1, 8, 3, "f", False, {"none": True}, [3, 3, 3, 3], [0, 0], [3, -128], {"At": 0}],
    [100, 100, 100, 200, 7, "0", True, {"some": 127}, [0], [9, 8, 7], [0, 100], {"Off": True}],
]

EXPRESSIONS = [
    *(f"(a {op} b) as i64" for op in "+ - * / % & | ^".split()),
    *(f"(u {op} w) as i64" for op in "+ - * / % & | ^ << >>".split()),
    *(f"(a {op} w) as i64" for op in ("<<", ">>")),
    *(f"(a {op} b) as i64" for op in "== != < <= > >=".split()),
    "(-a) as i64", "(!a) as i64", "(!u) as i64", "(!t) as i64", "(t & (a < b)) as i64", "(t ^ (a < b)) as i64",
    "(t && a / b > 0) as i64", "(t || a / b > 0) as i64",
    "a as u8 as i64", "u as i8 as i64", "n as u8 as i64", "n as i8 as i64", "a as usize as i64", "c as u8 as i64", "t as i64",
    "u as char as u32 as i64", "a as u64 as i64", "(n as i64) / 2",
    "v[n] as i64", "s[0] as i64", "[a, b, 3][n] as i64", "v[v.len() - 1] as i64",
    "q.0 as i64", "(q.1, q.0).0 as i64", "(a, (b, u)).1.1 as i64",
    "if t { a as i64 } else { b as i64 }", "if a < b { if t { 1 } else { 2 } } else { 3 }",
    "match o { Some(x) => x as i64, None => -1 }", "match o { Some(-128) => 1, Some(0..=3) => 2, Some(_) => 3, None => 4 }",
    "match d { Dial::Off => 0, Dial::At(x) => x as i64, Dial::Between { low, high } => low as i64 - high as i64 }",
    "match (t, o) { (true, Some(x)) => x as i64, (false, _) | (true, None) => 9 }",
    "match c { 'a'..='f' => 1, 'Z' | '9' => 2, _ => 3 }", "if let Dial::At(5..) = d { 1 } else { 0 }",
    "(o == Some(3)) as i64", "(v == v) as i64", "(q == (1, 127)) as i64", "*&a as i64",
    "n.checked_sub(1).unwrap_or(9) as i64", "n.wrapping_add(1) as i64", "n.saturating_add(1) as i64", "(n + 1) as i64",
    "(v.len() * 2) as i64",
]  # fmt: skip

#: How each method is called, and its result made an i64.
RECEIVERS = {"int": "a", "signed": "a", "byte": "u", "char": "c", "bool": "t", "option": "o", "seq": "v"}
ARGUMENTS = {"self": "b", "item": "a", "usize": "n", "any": "a"}


def calls() -> list[str]:
    """Every method of the table, called."""
    found = []
    for (family, name), method in sorted(METHODS.items()):
        receiver = RECEIVERS[family]
        args = [ARGUMENTS[p] for p in method.params]
        if name == "clamp":
            args = ["b", "100"]
        if name == "contains":
            args = ["&a"]
        call = f"{receiver}.{name}({', '.join(args)})"
        if method.result == "?item" and family == "seq":
            call = f"{call}.copied()"
        if family == "seq" and name in ("clone", "to_vec"):
            call = f"{call}.len()"
        optional = method.result[0] == "?" or name in ("copied", "cloned")
        if name == "copied" or name == "cloned":
            call = f"v.first().{name}()"
        found.append(f"({call}.unwrap_or(77)) as i64" if optional else _as_number(call, family, method.result))
    return found


def _as_number(call: str, family: str, result: str) -> str:
    return f"{call} as u32 as i64" if family == "char" and result == "self" else f"{call} as i64"


ALL = [*EXPRESSIONS, *calls()]


def outcome(tree: Node, values: dict[str, object]) -> object:
    try:
        return run(tree, values, 64)
    except Panic:
        return "panics"


def values(o: Opened) -> list[list[object]]:
    sorts = [p.sort for p in o.parameters()]
    return [[from_json(x, s) for x, s in zip(row, sorts, strict=True)] for row in INPUTS]


def test_every_method_is_called() -> None:
    assert len(calls()) == len(METHODS) > 50


def test_run_and_term_agree() -> None:
    with working():
        o = opened(FILE, "f")
        names = [p.name for p in o.parameters()]
        for expression in ALL:
            tree = read_expression(expression, o)
            meaning = meaning_of(tree, dict(zip(names, o.contract.inputs, strict=True)), None)
            compared = [agrees(expression, meaning, o, dict(zip(names, row, strict=True)), tree) for row in values(o)]
            assert any(compared), expression


def agrees(expression: str, meaning: Meaning, o: Opened, row: dict[str, object], tree: Node) -> bool:
    """Whether the term's value is the computed one; False where the term leaves open what Rust decides (a cast that does not
    fit), or there is none. The obligations hold exactly where nothing panics."""
    env = dict(zip(o.contract.inputs, row.values(), strict=True))
    for assumed in meaning.assumptions:  # the view of a new collection
        view, content = assumed.args
        env[view.args[0]] = Boxed(evaluate(content, env, budget=10_000))
    holds = all(evaluate(ob.term, env, budget=10_000) for ob in meaning.obligations)
    result = outcome(tree, row)
    assert holds is (result != "panics"), (expression, row)
    if not holds:
        return False
    try:
        by_term = evaluate(meaning.result, env, budget=10_000)
    except EvaluationError:
        return False
    assert by_term == result, (expression, row)
    return True


@needs_rustc
def test_rustc_agrees() -> None:
    with working():
        o = opened(FILE, "f")
        trees = [read_expression(e, o) for e in ALL]
        names = [p.name for p in o.parameters()]
        rans = run_expressions(FILE, "f", o.parameters(), list(zip(ALL, trees, strict=True)), INPUTS, machine())
        for expression, tree, ran in zip(ALL, trees, rans, strict=True):
            assert ran.compiled, (expression, ran.message)
            assert not ran.stopped
            for row, answer in zip(values(o), ran.answers, strict=True):
                mine = outcome(tree, dict(zip(names, row, strict=True)))
                theirs = "panics" if answer.panic is not None else answer.result
                assert theirs == mine, (expression, row, answer.panic)


def test_methods_belong_to_families() -> None:
    with working():
        o = opened(FILE, "f")
        sorts = {p.name: p.sort for p in o.parameters()}
        assert methods.families(sorts["o"]) == ("option",)
        assert methods.families(sorts["d"]) == ()
        assert methods.find(sorts["u"], "abs") is None
        assert methods.find(sorts["a"], "abs") is not None
        assert methods.named(sorts["a"], "unsigned") is tm.int_sort("u8")


def test_the_page_lists_every_method() -> None:
    page = (Path(__file__).parents[2] / "docs" / "witness.md").read_text()
    table = page[page.index("| on | methods |") : page.index("A trait of the file with a method of the same name")]
    listed = re.findall(r"`(\w+)`", table.split("|---|---|")[1])
    kinds = {"char", "u8", "bool", "Option", "Vec"}  # what the rows are about
    assert {n for n in listed if n not in kinds} == {name for _, name in METHODS}
