"""Discovery by the solver: witnesses, proofs that there is none, reasons; and the enumeration under it."""

from __future__ import annotations

from functools import cache

import pytest

from tests.witness.witness_made import (
    CLAMP,
    clamp_tasks,
    file_with,
    machine,
    means,
    needs_rustc,
    opened,
    smallest_tasks,
    tick_tasks,
)
from witness.cases_apart import CasesApart, Part, undominated
from witness.contract import working
from witness.discover import Discovery, Effort, Found, discover
from witness.expressions import Node, size, to_rust
from witness.language import read_expression
from witness.model import Task
from witness.numbers import Panic
from witness.run import run
from witness.search import PANICS, Search
from witness.sources import corpus_sources
from witness.tasks import NoTask, make_tasks

SMALL = Effort(built=6_000, largest=6)


@cache
def of_corpus(name: str) -> dict[str, Task]:
    source = next(s for s in corpus_sources() if s.name == name and not isinstance(s, NoTask))
    return {t.name.removeprefix(f"{name}."): t for t in make_tasks(source, machine()).tasks}


def found(task: Task) -> Discovery:
    return discover(task, means(), SMALL)


@needs_rustc
def test_a_witness_is_certified() -> None:
    task = next(t for t in clamp_tasks().values() if t.omission.clause == "x > TOP ==> r == TOP")
    result = found(task)
    assert result.certified and result.judgement is not None
    assert all(g.passed for g in result.judgement.gates) and result.judgement.candidate.origin == "solver"
    assert result.judgement.divergences > 0
    assert result == found(task)  # the same each time


@needs_rustc
@pytest.mark.parametrize(
    ("name", "largest"), [("output-relation-dropped", 1), ("equality-to-bound-1", 2), ("equality-to-bound-2", 2)]
)
def test_small_witnesses_are_small(name: str, largest: int) -> None:
    result = found(of_corpus("gap")[name])
    assert result.certified and result.size <= largest


@needs_rustc
def test_sequences_and_options() -> None:
    for name in ("extremality-dropped", "clause-dropped"):
        result = found(smallest_tasks()[name])
        assert result.certified, result.reason
    options = of_corpus("find_index")
    assert found(options["case-dropped-2"]).judgement.candidate.expression == "None"
    result = found(options["conjunct-dropped-2"])
    assert result.certified and result.size >= 4


@needs_rustc
def test_conditionals_that_no_size_reaches() -> None:
    task = of_corpus("hex_value")["clause-dropped-1"]
    result = found(task)
    assert result.certified and result.size > SMALL.largest
    assert result.judgement is not None and result.judgement.candidate.expression.startswith("if ")


@needs_rustc
def test_no_expression_can_change_a_parameter() -> None:
    tasks = tick_tasks()
    result = found(next(t for t in tasks.values() if t.omission.clause == "before == *old(n)"))
    assert result.found is Found.UNCHANGED and "proved for visible case" in result.reason
    total = found(tasks["output-relation-dropped"])
    assert total.certified  # any value will do, and the parameter stays as it is, which is wrong
    changed = next(t for t in tasks.values() if t.omission.clause == "*final(n) == *old(n) + 1" and not t.omission.becomes)
    result = found(changed)
    assert result.certified and result.judgement is not None and result.judgement.candidate.expression == "*n"


@needs_rustc
def test_where_none_was_found_it_says_what_was_searched() -> None:
    result = found(of_corpus("find_index")["equality-to-bound-1"])
    assert result.found is Found.NOT_FOUND and result.judgement is None
    assert "no expression of up to" in result.reason and "break the weakened contract" in result.reason


@needs_rustc
def test_what_evaluation_may_cost_is_bounded() -> None:
    """Used up, nothing is known by evaluation: fewer expressions are refused, and the gates certify as before."""
    task = next(t for t in clamp_tasks().values() if t.omission.clause == "x > TOP ==> r == TOP")
    result = discover(task, means(), Effort(built=6_000, largest=6, steps=0))
    assert not result.certified or all(g.passed for g in result.judgement.gates)
    nothing = next(t for t in of_corpus("find_index").values() if t.omission.rule == "equality-to-bound")
    few = discover(nothing, means(), Effort(built=300, largest=3, asked=2, steps=50))
    assert few.found is Found.NOT_FOUND
    assert "the limit on" in few.reason


@needs_rustc
def test_a_contract_that_determines_its_output_has_no_witness() -> None:
    task = clamp_tasks()["output-relation-dropped"]
    from dataclasses import replace

    whole = replace(task, weakened=task.full)  # nothing is omitted
    result = found(whole)
    assert result.found is Found.DETERMINED and "self-composition" in result.reason


# --- the enumeration -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lean", [False, True])
@pytest.mark.parametrize(
    ("text", "function", "inputs"),
    [
        (CLAMP, "clamp", [(0,), (5,), (9,), (10,), (2**32 - 1,)]),
        (
            file_with(
                "pub fn f(d: Dial, o: Option<u8>, a: i8, b: i8) -> (r: Option<Dial>)",
                "    ensures r is Some ==> a & 7 == 3,",
                before="pub enum Dial { Off, At(u8), On { low: i8 } }",
            ),
            "f",
            None,
        ),
    ],
)  # fmt: skip
def test_every_expression_reads_back_and_gives_its_column(text: str, function: str, inputs, lean: bool) -> None:
    from witness.embedded import Verifier
    from witness.inputs import more_inputs

    with working():
        o = opened(text, function)
        inputs = inputs or more_inputs(Verifier(o), [], 8)
        names = [p.name for p in o.parameters()]
        search = Search(o, inputs, 4_000, lean=lean)
        columns = set()
        for nodes in range(1, 8):
            if search.is_full:
                break
            for entry in search.level(nodes):
                assert size(entry.node) == nodes
                assert entry.column not in columns  # nothing twice
                columns.add(entry.column)
                tree = read_expression(to_rust(entry.node), o)
                for values, output in zip(inputs, entry.column, strict=True):
                    assert computed(tree, dict(zip(names, values, strict=True))) == output
        assert len(columns) > (3 if lean else 20)


def computed(tree: Node, values: dict[str, object]) -> object:
    try:
        return run(tree, values, 64)
    except Panic:
        return PANICS


def test_the_limit_is_kept() -> None:
    with working():
        search = Search(opened(CLAMP, "clamp"), [(0,), (5,), (77,)], 500)
        for nodes in range(1, 9):
            search.level(nodes)
            if search.is_full:
                break
        assert search.is_full and search.built == 500 and search.complete == nodes - 1


def test_conditionals_from_parts() -> None:
    def part(name: str, points: int) -> Part:
        with working():
            return Part(read_expression(name, opened(CLAMP, "clamp")), points, len(name))

    with working():
        condition = [
            Part(Node("param", (), read_expression("x", opened(CLAMP, "clamp")).sort, n), p, 1)
            for n, p in (("low", 0b0011), ("even", 0b0101))
        ]
    leaves = [part("0", 0b0001), part("1", 0b0010), part("2", 0b1100), part("3", 0b0100)]
    assert [to_rust(p.node) for p in undominated(leaves)] == ["0", "1", "2"]
    tree = CasesApart(leaves, condition).tree(0b1111)
    assert tree is not None
    assert to_rust(tree.node) == "if low { if even { 0 } else { 1 } } else { 2 }"
    assert CasesApart(leaves, condition[:1]).tree(0b1111) is None
    assert CasesApart(leaves, condition).tree(0b1100).node is leaves[2].node
