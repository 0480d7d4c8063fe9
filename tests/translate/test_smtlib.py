"""SMT-LIB text: Z3 reads it back with the same answer, cvc5 accepts it and agrees, and it does not blow up."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import z3

from translate.readings.smtlib import NotPortable, script
from translate.readings.z3_reading import Reading
from translate.terms import (
    INT,
    NAT,
    TRUE,
    Term,
    and_,
    arith,
    eq,
    implies,
    lit,
    mk,
    not_,
    opaque_sort,
    quantify,
    seq_sort,
    uninterpreted,
    var,
)

cvc5: Any = pytest.importorskip("cvc5")
RLIMIT = 2_000_000


def load(name: str) -> ModuleType:
    """The questions by hand of another test module (tests are no package)."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


Q = load("test_z3_reading")


def assertions(goal: Term, *hypotheses: Term, junk: Any = "canonical", unfold: int = 1) -> list[Any]:
    r = Reading(junk=junk, unfold=unfold)
    formulas = [r.assume(h) for h in hypotheses]
    formulas.append(r.deny(goal))
    return [*formulas, *r.facts]


def by_z3(text: str) -> str:
    solver = z3.Solver(ctx=z3.Context())
    solver.set("rlimit", RLIMIT)
    solver.from_string(re.sub(r"\(check-sat\)|\(set-option :rlimit \d+\)", "", text))  # options hold process-wide
    return str(solver.check())


def by_cvc5(text: str) -> str:
    solver = cvc5.Solver()
    solver.setOption("rlimit", "40000")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "script")
    answer = ""
    while not (command := parser.nextCommand()).isNull():
        out = str(command.invoke(solver, parser.getSymbolManager())).strip()
        assert "error" not in out, out + "\n" + text
        answer = out or answer
    return answer


QUESTIONS = [(row[0], row[1], row[2], row[3]) for row in [*Q.TABLE, *Q.FACTS]]


@pytest.mark.parametrize(("holds", "goal", "hypotheses"), [q[1:] for q in QUESTIONS], ids=[q[0] for q in QUESTIONS])
def test_both_solvers_accept_it(holds: bool | None, goal: Term, hypotheses: list[Term]) -> None:
    text = script(assertions(goal, *hypotheses))
    wrong = "unsat" if holds is False else "sat"
    assert by_z3(text) != wrong
    assert by_cvc5(text) != wrong


def test_cvc5_proves_most_of_what_holds() -> None:
    holds = [q for q in QUESTIONS if q[1]]
    proved = [q for q in holds if by_cvc5(script(assertions(q[2], *q[3]))) == "unsat"]
    assert len(proved) >= 0.9 * len(holds), [q[0] for q in holds if q not in proved]


def test_lambdas_and_constant_arrays_are_written_otherwise() -> None:
    f = uninterpreted("f", (seq_sort(INT),), INT)
    s = var("s", seq_sort(INT))
    x = mk("bound", (), NAT, 0)
    sums = quantify("lambda", (INT,), arith("add", mk("bound", (), INT, 0), mk("bound", (), NAT, 1)))
    under = quantify("forall", (NAT,), eq(mk("app", (mk("seq.new", (x, sums), s.sort),), INT, f), x))
    text = script(assertions(not_(under), eq(mk("app", (s,), INT, f), lit(3)), eq(s, mk("seq.lit", (lit(1),), s.sort))))
    assert "lambda" not in text
    assert "as const" not in text
    assert by_z3(text) != "unsat"
    assert by_cvc5(text) != "unsat"


@pytest.mark.parametrize("element", ["u8", "seq"])
def test_datatypes_and_bits(element: str) -> None:
    sort = Q.tree(Q.U8 if element == "u8" else Q.SEQ, "Tree")
    a, b = var("a", sort), var("b", sort)
    same = and_([eq(Q.field(a, 1, j), Q.field(b, 1, j)) for j in range(3)])
    text = script(assertions(eq(a, b), Q.is_(a, 1), Q.is_(b, 1), same))
    assert by_z3(text) == "unsat"
    assert by_cvc5(text) != "sat"
    p, q = var("p", Q.I32), var("q", Q.I32)
    bits = eq(mk("bitor", (p, q), Q.I32), mk("bitor", (q, p), Q.I32))
    text = script(assertions(bits))
    assert by_z3(text) == "unsat"
    assert by_cvc5(text) != "sat"


def test_names() -> None:
    t = opaque_sort("Vec::<T|U>")
    goals = []
    for name in ("select", "and", "a b", "ünïcode", "x|y", "@x", ".x", "let1", "x0", "5", ""):
        v = var(name, t)
        goals.append(not_(eq(mk("app", (v,), INT, uninterpreted(name, (t,), INT)), lit(0))))
    text = script(assertions(not_(and_(goals))), comments=["what is asked", "two\nlines"], rlimit=100_000)
    assert text.startswith("; what is asked\n; two\n; lines\n(set-option :rlimit 100000)\n(set-logic ALL)\n")
    assert by_z3(text) == "sat"
    assert by_cvc5(text) == "sat"


def test_the_text_is_the_same_every_time() -> None:
    def text() -> str:
        return script(assertions(*[Q.TABLE[3][2], Q.pairwise]))

    assert text() == text()
    assert "!" not in text().replace("(! ", "")


def test_sharing_keeps_the_text_small() -> None:
    x = var("x", INT)
    for _ in range(60):
        x = arith("mul", arith("add", x, lit(1)), x)
    assert len(script(assertions(implies(TRUE, eq(x, lit(1)))))) < 20_000


def test_what_it_cannot_write_is_an_error() -> None:
    with pytest.raises(NotPortable):
        script([z3.Real("r") > 0])
