"""Normal forms keep the meaning of a term, and bring together what differs in form only."""

from __future__ import annotations

from random import Random

import pytest

from equiv.check import read_crate
from equiv.normal import Normalizer
from translate import terms as tm
from translate.elaborate.contracts import read_contract
from translate.elaborate.elaborator import Elaborator
from translate.readings.evaluate import Context, EvaluationError, compile  # noqa: A004
from translate.source import from_text
from translate.terms import Term

SIGNATURE = "x: int, y: int, z: int, p: bool, q: bool, s: Seq<int>, o: Option<int>, u: u8"
DEFINITIONS = "spec fn twice(a: int) -> int { a + a } uninterp spec fn g(a: int) -> bool; pub enum V { }"


def prop(text: str) -> Term:
    """A condition over SIGNATURE's variables as a term."""
    crate = read_crate(from_text("t.rs", f"verus! {{ {DEFINITIONS} proof fn f({SIGNATURE}) requires {text} {{ }} }}"))
    assert not crate.file.problems
    (clause,) = read_contract(Elaborator(crate), next(r for r in crate.functions if r.name == "f")).requires
    return clause.term


SAME = [
    ("p && q", "q && p"),
    ("p && (q && p)", "q && p"),
    ("!(p && q)", "!p || !q"),
    ("p ==> q", "!q ==> !p"),
    ("p ==> q ==> x > 0", "p && q ==> x > 0"),
    ("p ==> (q && x > 0)", "(p ==> q) && (p ==> x > 0)"),
    ("if p { q } else { x > 0 }", "(p ==> q) && (!p ==> x > 0)"),
    ("x < y", "!(y <= x)"),
    ("x < y", "x + 1 <= y"),
    ("2 * x < 2 * y + 1", "x <= y"),
    ("x - y == z", "x == z + y"),
    ("x == y", "y == x"),
    ("(x + y) * (x - y) == z", "x * x - y * y == z"),
    ("twice(x) > 4", "x > 2"),
    ("0 <= x < y", "x >= 0 && y > x"),
    ("s.len() > 0", "0 < s.len()"),
    ("s.push(x).len() == 3", "s.len() == 2"),
    ("seq![x, y].len() == 2", "true"),
    ("forall|k: int| k > x && g(k)", "(forall|k: int| k > x) && (forall|m: int| g(m))"),
    ("forall|i: int, j: int| g(i) || g(j)", "forall|j: int, i: int| g(i) || g(j)"),
    ("forall|i: int| g(i) ==> forall|j: int| g(j)", "forall|i: int, j: int| g(i) ==> g(j)"),
    ("!(exists|k: int| g(k))", "forall|k: int| !g(k)"),
    ("exists|i: int, j: int| g(i)", "exists|i: int| g(i)"),
    ("p == !q", "!p == q"),
    ("p == true", "p"),
    ("(|a: int| a + 1)(x) == y", "x + 1 == y"),
    ("Some(x) == o", "o == Some(x)"),
    ("Some(x)->0 > 3", "x > 3"),
    ("p || !p", "true"),
    ("x <= y && y <= x", "x == y"),
    ("x < y || y < x", "x != y"),
    ("x + 1 <= y && p && y < x + 2", "y == x + 1 && p"),
    ("p && (p || q)", "p"),
    ("p || (p && q)", "p"),
    ("q ==> (forall|k: int| g(k))", "forall|k: int| q ==> g(k)"),
    ("exists|k: int| q && g(k)", "q && (exists|k: int| g(k))"),
    ("exists|i: int, j: int| i < j && s[i] < s[j]", "exists|j: int, i: int| i < j && s[i] < s[j]"),
    ("forall|a: int, b: int, c: int| s[a] + b < c", "forall|c: int, a: int, b: int| s[a] + b < c"),
    ("(if x < y { z } else { 1 }) == 2", "(if y <= x { 1 } else { z }) == 2"),
    ("x == x + 1", "false"),
]  # fmt: skip

OTHER = [
    ("x < y", "x <= y"),
    ("2 * x < 2 * y + 1", "x < y"),
    ("x / 2 == y", "x == 2 * y"),
    ("x % 2 == 0", "x == 0"),
    ("s[0] == s[1]", "true"),
    ("(x as u8) == x", "true"),
    ("x / 0 == 0", "true"),
    ("forall|k: int| g(k)", "exists|k: int| g(k)"),
    ("forall|i: int| exists|j: int| i < j", "exists|j: int| forall|i: int| i < j"),
    ("exists|k: int| g(k) && k > 0", "(exists|k: int| g(k)) && (exists|k: int| k > 0)"),
    ("forall|k: int| g(k) || k > 0", "(forall|k: int| g(k)) || (forall|k: int| k > 0)"),
    ("exists|v: V| true", "true"),  # a type without values
    ("forall|v: V| false", "false"),
    ("o->0 == o->0 + 1 || o is None", "true"),
    ("p ==> q", "q ==> p"),
    ("u + 1 == 256", "false"),
    ("s.subrange(0, 2).len() == 2", "true"),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b"), SAME)
def test_same_normal_form(a: str, b: str) -> None:
    norm = Normalizer()
    assert norm.normal(prop(a)) is norm.normal(prop(b))


@pytest.mark.parametrize(("a", "b"), OTHER)
def test_other_normal_form(a: str, b: str) -> None:
    norm = Normalizer()
    assert norm.normal(prop(a)) is not norm.normal(prop(b))


@pytest.mark.parametrize("text", dict.fromkeys(t for pair in SAME + OTHER for t in pair))
def test_normal_forms_are_stable(text: str) -> None:
    for arithmetic in (True, False):
        norm = Normalizer(arithmetic=arithmetic)
        once = norm.normal(prop(text))
        assert norm.normal(once) is once


def test_without_arithmetic_a_theorem_keeps_its_shape() -> None:
    t = prop("x * (y + z) == x * y + x * z")
    assert Normalizer().normal(t) is tm.TRUE
    assert Normalizer(arithmetic=False).normal(t) is not tm.TRUE


def test_a_large_term_is_left_alone() -> None:
    body: Term = tm.bound(0, tm.INT)
    symbol = tm.defined("f0", (tm.INT,), tm.arith("mul", body, body))
    for i in range(1, 40):
        call = tm.app(symbol, (tm.app(symbol, (body,)),))
        symbol = tm.defined(f"f{i}", (tm.INT,), tm.arith("add", call, tm.app(symbol, (tm.arith("add", body, tm.lit(i)),))))
    t = tm.eq(tm.app(symbol, (tm.var("x", tm.INT),)), tm.ZERO)
    assert Normalizer().normal(t) is t


# --- random terms ------------------------------------------------------------------------------------------------------

INTS = tuple(tm.var(n, tm.INT) for n in "xyz")
BOOLS = tuple(tm.var(n, tm.BOOL) for n in "pq")
SEQ = tm.var("s", tm.seq_sort(tm.INT))
OPTION = next(v for v in prop("o is Some").args if v.op == "var")
VARIABLES = [*INTS, *BOOLS, SEQ, OPTION]


class Terms:
    """Random conditions over VARIABLES."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.fresh = 0

    def integer(self, depth: int, bound: tuple[Term, ...]) -> Term:
        pick = self.rng.randrange(6 if depth <= 0 else 15)
        sub = depth - 1
        if pick < 3:
            return self.rng.choice((*INTS, *bound))
        if pick < 5:
            return tm.lit(self.rng.randrange(-3, 4))
        if pick == 5:
            return tm.mk("seq.len", (SEQ,), tm.NAT)
        if pick < 12:
            op = self.rng.choice(("add", "add", "sub", "sub", "mul", "div", "mod"))
            return tm.arith(op, self.integer(sub, bound), self.integer(sub, bound))
        if pick == 12:
            return tm.mk("neg", (self.integer(sub, bound),), tm.INT)
        if pick == 13:
            return tm.ite(self.condition(sub, bound), self.integer(sub, bound), self.integer(sub, bound))
        return tm.mk("seq.index", (SEQ, self.integer(sub, bound)), tm.INT)

    def condition(self, depth: int, bound: tuple[Term, ...] = ()) -> Term:
        pick = self.rng.randrange(4 if depth <= 0 else 16)
        sub = depth - 1
        if pick < 2:
            return self.rng.choice(BOOLS)
        if pick < 4:
            return tm.arith(self.rng.choice(("lt", "le")), self.integer(sub, bound), self.integer(sub, bound))
        if pick < 6:
            return tm.eq(self.integer(sub, bound), self.integer(sub, bound))
        if pick < 8:
            return tm.and_([self.condition(sub, bound) for _ in range(self.rng.randrange(2, 4))])
        if pick < 10:
            return tm.or_([self.condition(sub, bound) for _ in range(self.rng.randrange(2, 4))])
        if pick == 10:
            return tm.not_(self.condition(sub, bound))
        if pick == 11:
            return tm.implies(self.condition(sub, bound), self.condition(sub, bound))
        if pick == 12:
            return tm.eq(self.condition(sub, bound), self.condition(sub, bound))
        if pick == 13:
            return tm.ite(self.condition(sub, bound), self.condition(sub, bound), self.condition(sub, bound))
        return self.quantified(sub, bound)

    def quantified(self, depth: int, bound: tuple[Term, ...]) -> Term:
        count = self.rng.randrange(1, 3)
        variables = tuple(tm.var(f"k{self.fresh + i}", tm.INT) for i in range(count))
        self.fresh += count
        inside = tm.and_([tm.arith(op, a, b) for v in variables for op, a, b in (("le", tm.ZERO, v), ("lt", v, tm.lit(3)))])
        body = self.condition(depth, (*bound, *variables))
        op = self.rng.choice(("forall", "exists"))
        body = tm.implies(inside, body) if op == "forall" else tm.and_([inside, body])
        return tm.quantify(op, (tm.INT,) * count, tm.abstract(body, variables))

    def values(self) -> list[object]:
        r = self.rng
        sequence = tuple(r.randrange(-2, 3) for _ in range(r.randrange(3)))
        numbers: list[object] = [r.randrange(-4, 5) for _ in INTS]
        return [*numbers, *(r.random() < 0.5 for _ in BOOLS), sequence]


def outcome(t: Term, values: list[object]) -> object:
    """The value of a term; None where it has none that the evaluator can tell."""
    try:
        return compile(t, VARIABLES[:-1], Context(steps=20_000)).run(values)
    except EvaluationError:
        return None


@pytest.mark.parametrize("arithmetic", [True, False])
@pytest.mark.parametrize("seed", range(12))
def test_normal_forms_keep_values(seed: int, arithmetic: bool) -> None:
    terms = Terms(seed)
    norm = Normalizer(arithmetic=arithmetic)
    told = 0
    for _ in range(40):
        t = terms.condition(4)
        n = norm.normal(t)
        for _ in range(6):
            values = terms.values()
            before, after = outcome(t, values), outcome(n, values)
            if before is not None and after is not None:
                told += 1
                assert before == after, (t, n, values)
    assert told > 60
