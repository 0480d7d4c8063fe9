"""What must hold of every reading of a term, and checks that ask it of random ones.

In: a seed. Out: an outcome, or an `AssertionError` that shows the term.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from random import Random
from typing import Any, Literal

import z3

from equiv.decide import Decider
from equiv.normal import Normalizer
from equiv.sized import Sized
from equiv.verdict import Answer
from tests.fuzz.generate import (
    BITS,
    BYTES,
    COLOR,
    LIST,
    NO_TERM,
    PROFILES,
    SEQ,
    STATE,
    TREE,
    U8,
    Generator,
    NoTerm,
    contains,
    option,
    premises,
    value_term,
    vec,
)
from translate.readings.evaluate import Context, compile, evaluate, in_range  # noqa: A004
from translate.readings.finite_nodes import Nodes, TooMuch
from translate.readings.finite_reading import FiniteReading
from translate.readings.finite_values import NoShape, Size
from translate.readings.outcomes import EvaluationError
from translate.readings.z3_bits import BitReading, NotBits
from translate.readings.z3_data import reachable
from translate.readings.z3_reading import Reading
from translate.terms import (
    BOOL,
    CHAR,
    INT,
    NAT,
    TRUE,
    USIZE,
    ZERO,
    Term,
    abstract,
    and_,
    app,
    bound,
    defined,
    eq,
    fn_sort,
    free_variables,
    implies,
    instantiate,
    int_sort,
    lit,
    map_sort,
    mk,
    multiset_sort,
    not_,
    or_,
    quantify,
    rewrite,
    seq_sort,
    set_sort,
    shift,
    subterms,
    symbols,
    tuple_sort,
    var,
    word_range,
)  # fmt: skip
from translate.values import DataValue, NotFinite

Junk = Literal["free", "canonical"]
RLIMIT = 250_000
CHEAP = 150_000
STEPS = 100_000

#: Operators of which the Z3 reading states only some facts: a model is no verdict.
INEXACT = frozenset(
    {"choose", "set.len", "set.finite", "multiset.len", "seq.to_multiset", "multiset.sub", "multiset.lit", "multiset.add"}
)


def cases(n: int) -> range:
    """The seeds of a test: `n` of them, or what SAMESPEC_FUZZ says, from SAMESPEC_FUZZ_FROM on."""
    first = int(os.environ.get("SAMESPEC_FUZZ_FROM", "0"))
    return range(first, first + int(os.environ.get("SAMESPEC_FUZZ", str(n))))


def everything(t: Term) -> list[Term]:
    """The subterms of a term and of the definitions that it uses."""
    found = list(subterms(t))
    for sym in symbols(t):
        for b in (sym.body, sym.when):
            if b is not None:
                found.extend(subterms(b))
    return found


def is_exact(t: Term) -> bool:
    return not any(s.op in INEXACT for s in everything(t)) and not any(f.kind == "recursive" for f in symbols(t))


def value_of(t: Term, values: dict[Term, Any], *, usize_bits: int = 64) -> Any:
    """The value of a term; None where there is none."""
    try:
        return evaluate(t, values, budget=STEPS, usize_bits=usize_bits)
    except EvaluationError:
        return None


# --- contexts: other ways to say the same of a term -----


def _generalised(goal: Term, rng: Random) -> Callable[[str], Term]:
    """The goal with some of its variables bound, to be closed by a quantifier, a lambda, or a function."""
    variables = free_variables(goal)
    chosen = tuple(rng.sample(variables, min(len(variables), rng.randrange(1, 3))))
    body = abstract(goal, chosen)
    sorts = tuple(v.sort for v in chosen)
    n = len(chosen)
    same = and_(eq(bound(n - 1 - k, v.sort), v) for k, v in enumerate(chosen))

    def close(how: str) -> Term:
        match how:
            case "forall":
                return quantify("forall", sorts, implies(same, body))
            case "exists":
                return quantify("exists", sorts, and_((same, body)))
            case "lambda":
                return mk("apply", (mk("lambda", (body,), fn_sort(sorts, BOOL), sorts), *chosen), BOOL)
            case "defined":
                function = defined("goal", tuple(v.sort for v in variables), abstract(goal, tuple(variables)))
                return app(function, variables)
        raise AssertionError(how)

    return close


CONTEXTS = ("plain", "forall", "exists", "lambda", "defined", "guard", "ite", "ite value", "or", "index", "seq.new")


def in_context(how: str, t: Term, v: Term, rng: Random) -> Term:
    """A formula that says `t == v` in one of many ways; the free Bool variable `other` is anything."""
    goal = eq(t, v)
    other = var("other", BOOL)
    match how:
        case "plain":
            return goal
        case "guard":
            return and_((implies(other, goal), implies(not_(other), goal)))
        case "or":
            return mk("or", (mk("and", (other, not_(other)), BOOL), goal), BOOL)
        case "ite":
            return mk("ite", (other, goal, goal if rng.random() < 0.5 else eq(v, t)), BOOL)
        case "ite value":
            return eq(mk("ite", (other, t, v), t.sort), v)
        case "index":
            pair = mk("seq.lit", (t, v), _seq(t))
            i = var("at", INT)
            inside = and_((mk("le", (ZERO, i), BOOL), mk("lt", (i, lit(2)), BOOL)))
            return implies(inside, eq(mk("seq.index", (pair, i), t.sort), v))
        case "seq.new":
            s = mk("seq.new", (lit(2), mk("lambda", (shift(t, 1),), fn_sort((INT,), t.sort), (INT,))), _seq(t))
            return eq(mk("seq.index", (s, lit(1)), t.sort), v)
    if not free_variables(goal):
        return goal
    return _generalised(goal, rng)(how)


def _seq(t: Term) -> Any:
    return seq_sort(t.sort)


# --- Z3 ----------------------------------------------------------------------------------------------------------------


class Asked:
    """One question: whether formulas can hold together."""

    def __init__(
        self,
        formulas: Sequence[Term],
        denied: Term | None = None,
        *,
        junk: Junk = "free",
        neutral: bool = False,
        unfold: int = 1,
        rlimit: int = RLIMIT,
    ) -> None:
        self.reading = r = Reading(junk=junk, unfold=unfold)
        for t in (*formulas, *([] if denied is None else [denied])):
            for v in free_variables(t):
                r.declare(v)
        asserted = [r.boolean(f) if neutral else r.assume(f) for f in formulas]
        if denied is not None:
            asserted.append(r.not_(r.boolean(denied)) if neutral else r.deny(denied))
        self.solver = r.solver(rlimit)
        self.solver.add(*asserted, *r.facts)
        self.answer = str(self.solver.check())
        if self.answer == "sat" and junk == "canonical":
            # Z3 can take a wrong model for one where functions are applied to lambdas; another seed mostly tells.
            again = r.solver(rlimit)
            again.set("random_seed", 1)
            again.add(*self.solver.assertions())
            if str(again.check()) == "unsat":
                self.answer = "unknown"


class Case:
    """A random term with the values of its variables and its own value."""

    def __init__(self, seed: int, depth: int | None = None, **options: Any) -> None:
        self.seed = seed
        self.rng = rng = Random(seed)
        g = Generator(rng, **options)
        sort = rng.choice([s for s in g.sorts if s.kind != "fn" and not contains(s, NO_TERM)])
        if rng.random() < 0.3:
            sort = BOOL
        self.term = g.term(sort, depth or rng.choice((2, 3, 3, 4, 4, 5)))
        used = free_variables(self.term)
        self.values = {v: x for v, x in g.values().items() if v in used}
        self.premises = premises(self.values)
        self.value = value_of(self.term, self.values)
        self.other = value_of(self.term, self.values, usize_bits=32)
        self.result: Term | None = None
        if self.value is not None and self.value == self.other:
            try:
                self.result = value_term(self.value, self.term.sort)
            except NoTerm:
                self.result = None
        if self.result is not None and self.result.size > 200:
            self.result = None

    def __str__(self) -> str:
        return f"seed {self.seed}: {self.term!r} of {self.term.sort}\nwith {self.values}\nis {self.value}"


def ground_agreement(seed: int, counts: Counter[str]) -> None:
    """What the evaluator computes, the Z3 reading must prove, and may not refute."""
    case = Case(seed)
    t, v, rng = case.term, case.result, case.rng
    counts["cases"] += 1
    if v is None:
        counts["no value"] += 1
        return
    counts.update(f"op {op}" for op in {s.op for s in everything(t)})
    how = rng.choice(CONTEXTS)
    junk: Junk = rng.choice(("free", "canonical"))
    neutral = rng.random() < 0.4
    unfold = 4 if any(f.kind == "recursive" for f in symbols(t)) else 1
    goal = in_context(how, t, v, rng)
    shown = f"{case}\ncontext {how}, junk {junk}, {'neutral' if neutral else 'polar'}, unfold {unfold}"
    try:
        wrong = Asked([*case.premises, goal], None, junk=junk, neutral=neutral, unfold=unfold)
    except Exception as problem:
        raise AssertionError(f"CRASH {problem!r}\n{shown}") from problem
    assert wrong.answer != "unsat", f"REFUTES THE VALUE\n{shown}"
    right = Asked(case.premises, goal, junk=junk, neutral=neutral, unfold=unfold)
    kind = "exact" if is_exact(t) else "inexact"
    counts[f"{kind} {right.answer}"] += 1
    counts[f"{how} {'proved' if right.answer == 'unsat' else 'open'}"] += 1
    if right.answer == "sat" and kind == "exact":
        raise AssertionError(f"MODEL AGAINST THE VALUE\n{shown}")


# --- the finite reading -----


def finite_agreement(seed: int, counts: Counter[str]) -> None:
    """Where the finite reading leaves nothing out, it says what the evaluator says."""
    case = Case(seed)
    counts["cases"] += 1
    if case.result is None:
        counts["no value"] += 1
        return
    goal = in_context(case.rng.choice(CONTEXTS), case.term, case.result, case.rng)
    reading = FiniteReading({}, Nodes(200_000), Size(3, 2, 2), 64)
    try:
        reading.variables = {v: reading.known(x, v.sort) for v, x in case.values.items()}
        for v in free_variables(goal):
            if v not in reading.variables:
                reading.variables[v] = reading.unknown(v.sort, reading.size)
        found = reading.formula(goal, case.rng.choice((0, 1)))
    except (NoShape, TooMuch) as problem:
        counts[type(problem).__name__] += 1
        return
    if reading.guessed or reading.nodes.or_(reading.exclusions) is not False:
        counts["something left out"] += 1
        return
    assert found is not False, f"THE FINITE READING CONTRADICTS THE VALUE\n{case}"
    counts["agrees" if found is True else "open"] += 1


def finite_candidates(seed: int, counts: Counter[str]) -> None:
    """Most candidates of the finite reading are what they should be."""
    q = Question(seed)
    counts["cases"] += 1
    sized = Sized(q.premises, q.goal, q.variables, 64, 300_000)
    found = next(sized.candidates(), None)
    if found is None:
        counts["none"] += 1
        return
    decider = Decider(300_000)
    right = decider.replays(q.premises, q.goal, found.values, found.chosen)
    counts[f"replays {right}"] += 1


# --- normal forms -----


def normal_form(seed: int, counts: Counter[str]) -> None:
    """A normal form has the same value, and Z3 takes both for the same."""
    rng = Random(seed)
    g = Generator(rng)
    t = g.term(BOOL, rng.choice((2, 3, 4, 5)))
    n = Normalizer().normal(t)
    counts["cases"] += 1
    counts["same term"] += n is t
    shown = f"seed {seed}: {t!r}\nnormal {n!r}"
    assert n.sort is BOOL and n.loose == 0, shown
    assert set(free_variables(n)) <= set(free_variables(t)), shown
    counts["not stable"] += Normalizer().normal(n) is not n
    one_sided = False
    for _ in range(6):
        values = g.values()
        bits = rng.choice((32, 64))
        a, b = value_of(t, values, usize_bits=bits), value_of(n, values, usize_bits=bits)
        assert a is None or b is None or a == b, f"{shown}\nwith {values}: {a} but {b}"
        counts[
            "values"
            if a is not None and b is not None
            else "lost a value"
            if b is None and a is not None
            else "won a value"
            if b is not None
            else "none"
        ] += 1
        one_sided |= a is not None and b is None
    if n is t or n.size > 400 or rng.random() < 0.5:
        return
    asked = Asked([], mk("eq", (t, n), BOOL), junk="canonical", neutral=rng.random() < 0.5)
    counts[f"Z3 {asked.answer}"] += 1
    # In Verus, an insertion changes no entry of another key, not even a missing one: the other readings do not say that.
    beyond = {"map.index", "map.insert"} <= {x.op for x in everything(t)}
    if asked.answer == "sat" and is_exact(t) and not beyond:
        raise AssertionError(f"NOT THE SAME FOR Z3\n{shown}")


# --- implications over small domains -----


def _small_domains() -> dict[Any, tuple[Callable[[Term], Term], list[Any]]]:
    """Sorts with few values, or few under a premise: the premise, and the values."""
    none = DataValue("Option", 0)

    def true(v: Term) -> Term:
        return TRUE

    def in_range(low: int, high: int) -> Callable[[Term], Term]:
        return lambda v: and_((mk("le", (lit(low), v), BOOL), mk("lt", (v, lit(high)), BOOL)))

    def short(v: Term) -> Term:
        return mk("le", (mk("seq.len", (v,), NAT), lit(2)), BOOL)

    colors = [DataValue("Color", k) for k in range(3)]
    bools = [False, True]
    some = [DataValue("Option", 1, (x,)) for x in bools]
    return {
        BOOL: (true, bools),
        U8: (in_range(0, 4), list(range(4))),
        INT: (in_range(-2, 3), list(range(-2, 3))),
        COLOR: (true, colors),
        option(BOOL): (true, [none, *some]),
        option(COLOR): (true, [none, *(DataValue("Option", 1, (c,)) for c in colors)]),
        BITS: (short, [tuple(p) for k in range(3) for p in product(bools, repeat=k)]),
        seq_sort(COLOR): (short, [tuple(p) for k in range(3) for p in product(colors, repeat=k)]),
        set_sort(BOOL): (true, [frozenset(), frozenset({False}), frozenset({True}), frozenset({False, True})]),
        tuple_sort((BOOL, COLOR)): (true, [DataValue("tuple", 0, (b, c)) for b in bools for c in colors]),
    }


class Question:
    """Premises and a goal over small domains, and what comes of trying all values."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.rng = rng = Random(seed)
        self.domains = domains = _small_domains()
        self.g = g = Generator(rng, variables=0, sorts=tuple(domains), recursion=False)
        g.variables = [var(f"v{k}", rng.choice(list(domains))) for k in range(rng.choice((1, 2, 2, 3)))]
        self.variables = list(g.variables)
        depth = rng.choice((2, 3, 3, 4))
        self.ranges = [domains[v.sort][0](v) for v in g.variables]
        p, q = g.term(BOOL, depth), g.term(BOOL, depth)
        match rng.randrange(4):
            case 0:
                self.premises, self.goal = [p], q
            case 1:
                self.premises, self.goal = [mk("and", (p, q), BOOL)], or_((q, g.term(BOOL, depth)))
            case 2:
                r = g.term(BOOL, depth)
                self.premises, self.goal = [mk("implies", (p, q), BOOL), mk("implies", (q, r), BOOL)], mk("implies", (p, r), BOOL)
            case _:
                self.premises, self.goal = [p, q], mutated(mk("and", (q, p), BOOL), rng)
        self.premises = [*[r for r in self.ranges if r is not TRUE], *self.premises]
        # What a definition or a leaf brought in besides has no small domain.
        self.small = all(v in self.variables for t in (*self.premises, self.goal) for v in free_variables(t))

    def __str__(self) -> str:
        return f"seed {self.seed}: {self.premises}\n==> {self.goal}"

    def try_all(self) -> tuple[dict[Term, Any] | None, bool]:
        """Values that make the premises true and the goal false; whether every value is certainly none of these."""
        context = Context(steps=10**9)
        codes = [compile(t, self.variables, context) for t in (*self.premises, self.goal)]
        certain = True
        for values in product(*(self.domains[v.sort][1] for v in self.variables)):
            context.steps = 10**6
            *given, goal = [c.holds(values) for c in codes]
            if False in given or goal is True:
                continue
            if all(given) and goal is False:
                return dict(zip(self.variables, values, strict=True)), False
            certain = False
        return None, certain


def mutated(t: Term, rng: Random) -> Term:
    """The term with one of its subterms changed a little."""
    places = [
        s
        for s in subterms(t)
        if s.op in ("lit", "lt", "le", "and", "or", "is", "forall", "exists", "add", "sub", "not") and s.size < t.size
    ]
    if not places:
        return t
    place = rng.choice(places)

    def change(s: Term) -> Term | None:
        if s is not place:
            return None
        match s.op:
            case "lit":
                return lit(not s.data) if s.sort is BOOL else mk("lit", (), s.sort, max(0, s.data + rng.choice((-1, 1))))
            case "is":
                return mk("is", s.args, BOOL, (s.data + 1) % len(s.args[0].sort.variants))
            case "not":
                return s.args[0]
        other = {
            "lt": "le",
            "le": "lt",
            "and": "or",
            "or": "and",
            "forall": "exists",
            "exists": "forall",
            "add": "sub",
            "sub": "add",
        }[s.op]
        return mk(other, s.args, s.sort, s.data)

    return rewrite(t, change)


BUDGET = 400_000


def implication(seed: int, counts: Counter[str]) -> None:
    """What the portfolio answers is what trying all values says."""
    question = Question(seed)
    counts["cases"] += 1
    if not question.small:
        counts["not small"] += 1
        return
    found, certain = question.try_all()
    decider = Decider(BUDGET, word_bits=64)
    decision = decider.implied(question.premises, question.goal, question.variables)
    truth = "fails" if found is not None else "holds" if certain else "open"
    counts[f"{truth}: {decision.answer.name}"] += 1
    shown = f"{question}\n{decision.answer.name} by {decision.method}: {decision.values} ({decision.why_not})"
    assert not (found is not None and decision.answer is Answer.PROVED), f"PROVED, BUT {found}\n{shown}"
    assert not (certain and decision.answer is Answer.REFUTED), f"REFUTED, BUT IT HOLDS\n{shown}"


# --- rewriting that keeps the meaning -----


def reworded(t: Term, rng: Random) -> Term:
    """An equivalent formula, said otherwise."""

    def change(s: Term) -> Term | None:
        if rng.random() < 0.5:
            return None
        return _otherwise(s, rng)

    return rewrite(t, change)


def _otherwise(s: Term, rng: Random) -> Term | None:
    a = s.args
    match s.op:
        case "and" | "or":
            if rng.random() < 0.4:
                return mk(s.op, tuple(rng.sample(a, len(a))), BOOL)
            other = "or" if s.op == "and" else "and"
            return mk("not", (mk(other, tuple(mk("not", (x,), BOOL) for x in a), BOOL),), BOOL)
        case "implies":
            return rng.choice(
                (
                    mk("implies", (mk("not", (a[1],), BOOL), mk("not", (a[0],), BOOL)), BOOL),
                    mk("or", (mk("not", (a[0],), BOOL), a[1]), BOOL),
                )
            )
        case "not" | "is" | "set.contains":
            return mk("not", (mk("not", (s,), BOOL),), BOOL)
        case "eq":
            return mk("eq", (a[1], a[0]), BOOL)
        case "lt":
            return rng.choice(
                (mk("le", (mk("add", (a[0], lit(1)), INT), a[1]), BOOL), mk("not", (mk("le", (a[1], a[0]), BOOL),), BOOL))
            )
        case "le":
            return rng.choice(
                (mk("lt", (a[0], mk("add", (a[1], lit(1)), INT)), BOOL), mk("not", (mk("lt", (a[1], a[0]), BOOL),), BOOL))
            )
        case "add":
            return mk("add", (a[1], a[0]), INT)
        case "sub":
            return mk("add", (a[0], mk("neg", (a[1],), INT)), INT)
        case "mul":
            if a[1].op in ("add", "sub"):
                return mk(a[1].op, (mk("mul", (a[0], a[1].args[0]), INT), mk("mul", (a[0], a[1].args[1]), INT)), INT)
            return mk("mul", (a[1], a[0]), INT)
        case "ite" if s.sort is BOOL:
            return and_((mk("implies", (a[0], a[1]), BOOL), mk("implies", (mk("not", (a[0],), BOOL), a[2]), BOOL)))
        case "ite":
            return mk("ite", (mk("not", (a[0],), BOOL), a[2], a[1]), s.sort)
        case "forall" | "exists":
            return _quantified_otherwise(s, rng)
        case "app" if s.data.kind == "defined":
            return instantiate(s.data.body, a)
        case "seq.push":
            return mk("seq.add", (a[0], mk("seq.lit", (a[1],), s.sort)), s.sort)
        case "set.insert":
            return mk("set.union", (mk("set.lit", (a[1],), s.sort), a[0]), s.sort)
        case "set.difference":
            return mk("set.intersect", (a[0], mk("set.complement", (a[1],), s.sort)), s.sort)
        case "set.remove":
            return mk("set.difference", (a[0], mk("set.lit", (a[1],), s.sort)), s.sort)
    return None


def _quantified_otherwise(s: Term, rng: Random) -> Term:
    body, sorts = s.args[0], s.data
    n = len(sorts)
    match rng.randrange(3):
        case 0:  # shifted range: the variable is another one plus 1
            if sorts[-1] is INT:
                moved = tuple(bound(n - 1 - k, x) for k, x in enumerate(sorts[:-1]))
                return mk(s.op, (instantiate(_deeper(body, n), (*moved, mk("add", (bound(0, INT), lit(1)), INT))),), BOOL, sorts)
        case 1:  # variables swapped
            if n == 2:
                swapped = (bound(0, sorts[0]), bound(1, sorts[1]))
                return mk(s.op, (instantiate(_deeper(body, n), swapped),), BOOL, (sorts[1], sorts[0]))
        case 2:  # conjunctions under a universal quantifier apart
            if s.op == "forall" and body.op == "implies" and body.args[1].op == "and":
                return mk(
                    "and",
                    tuple(mk("forall", (mk("implies", (body.args[0], c), BOOL),), BOOL, sorts) for c in body.args[1].args),
                    BOOL,
                )
    other = "exists" if s.op == "forall" else "forall"
    return mk("not", (mk(other, (mk("not", (body,), BOOL),), BOOL, sorts),), BOOL)


def _deeper(body: Term, n: int) -> Term:
    """The body of n variables, under n more binders between it and what is around."""
    return shift(body, n, n)


def rewording(seed: int, counts: Counter[str]) -> None:
    """Two ways to say the same are never told apart, and mostly proved the same."""
    rng = Random(seed)
    g = Generator(rng, variables=3, recursion=rng.random() < 0.2)
    t = g.term(BOOL, rng.choice((3, 4, 4, 5)))
    other = reworded(t, rng)
    if other is t:
        return
    counts["cases"] += 1
    a, b = (t, other) if rng.random() < 0.5 else (other, t)
    decision = Decider(BUDGET).implied([a], b, free_variables(t))
    counts[decision.answer.name] += 1
    counts[f"by {decision.method if decision.answer is not Answer.UNKNOWN else 'none'}"] += 1
    assert decision.answer is not Answer.REFUTED, f"seed {seed}: {a!r}\n==> {b!r}\n{decision.values} {decision.why_not}"


# --- unspecified values -----


def _broken(rng: Random, g: Generator) -> tuple[Term, dict[Term, Any]]:
    """An operation where it has no value, over variables with these values."""
    v = {}

    def named(name: str, sort: Any, value: Any) -> Term:
        t = var(name, sort)
        v[t] = value
        return t

    pick = rng.randrange(10)
    if pick < 4:
        s = rng.choice((SEQ, BITS, BYTES, seq_sort(COLOR), seq_sort(SEQ), seq_sort(STATE), vec(INT), vec(U8)))
        x = named("s", s, g.value(s))
        n = len(v[x].view if s.kind == "boxed" else v[x])
        x = mk("view", (x,), s.view) if s.kind == "boxed" else x
        i = named("i", INT, rng.choice((-1, n, n + 1, -3)))
        if rng.random() < 0.3:
            x = mk("seq.push", (x, g.leaf(x.sort.args[0], ())), x.sort)
            v[i] = rng.choice((-1, n + 1))
        match pick:
            case 0 | 1:
                return mk("seq.index", (x, i), x.sort.args[0]), v
            case 2:
                return mk("seq.update", (x, i, named("e", x.sort.args[0], g.value(x.sort.args[0]))), x.sort), v
        v[i] = rng.choice((-1, n + 3))
        return mk("seq.subrange", (x, i, mk("seq.len", (x,), NAT)), x.sort), v
    if pick == 4:
        return mk(rng.choice(("div", "mod")), (named("x", INT, g.value(INT)), named("y", INT, 0)), INT), v
    if pick == 5:
        target, value = rng.choice(
            ((U8, 256), (U8, -1), (NAT, -2), (CHAR, 0xD800), (int_sort("i8"), 128), (USIZE, -1), (int_sort("u64"), 2**64))
        )
        return mk("cast", (named("x", INT, value),), target), v
    if pick == 6:
        m = rng.choice((map_sort(INT, INT), map_sort(COLOR, SEQ), map_sort(U8, option(INT))))
        x = named("m", m, g.value(m))
        free = [k for k in (g.value(m.args[0]) for _ in range(200)) if v[x].get(k) is None]
        if not free:
            return _broken(rng, g)
        return mk("map.index", (x, named("k", m.args[0], free[0])), m.args[1]), v
    if pick < 9:
        o = rng.choice((STATE, option(INT), option(option(BOOL)), option(SEQ), TREE, LIST))
        full = [k for k, x in enumerate(o.variants) if x.fields]
        k = rng.choice(full)
        x = named("o", o, next(w for w in iter(lambda: g.value(o), None) if w.variant != k))
        f = rng.randrange(len(o.variants[k].fields))
        return mk("field", (x,), o.variants[k].fields[f].sort, (k, f)), v
    return mk(rng.choice(("shl", "shr")), (named("x", U8, g.value(U8)), named("k", INT, rng.choice((-1, 8, 9)))), U8), v


def unspecified(seed: int, counts: Counter[str]) -> None:
    """Nothing is known of an unspecified value but that equal arguments give equal ones."""
    rng = Random(seed)
    g = Generator(rng, variables=0, sorts=PROFILES[0])
    t, values = _broken(rng, g)
    counts["cases"] += 1
    counts[f"op {t.op}"] += 1
    assert value_of(t, values) is None
    v = value_term(g.value(t.sort), t.sort) if rng.random() < 0.7 else var("any", t.sort)
    how = rng.choice(CONTEXTS)
    junk: Junk = rng.choice(("free", "canonical"))
    neutral = rng.random() < 0.4
    goal = in_context(how, t, v, rng)
    known = premises(values)
    shown = f"seed {seed}: {t!r} with {values} against {v!r}\ncontext {how}, junk {junk}, {'neutral' if neutral else 'polar'}"
    equal = Asked([*known, goal], junk=junk, neutral=neutral, rlimit=CHEAP)
    assert equal.answer != "unsat", f"PROVED DIFFERENT\n{shown}"
    different = Asked(known, goal, junk=junk, neutral=neutral, rlimit=CHEAP)
    assert different.answer != "unsat", f"PROVED EQUAL\n{shown}"
    counts[f"equal {equal.answer}"] += 1
    counts[f"different {different.answer}"] += 1
    assert different.reading.used_unspecified, f"NOT NOTICED\n{shown}"
    # Equal arguments, equal values.
    twin = {x: var(f"{x.data}_", x.sort) for x in values}
    u = abstract(t, tuple(twin))
    same = [eq(x, y) for x, y in twin.items()]
    again = in_context(rng.choice(CONTEXTS[:5]), t, instantiate(u, tuple(twin.values())), rng)
    given = known if rng.random() < 0.5 else []
    congruent = Asked([*given, *same], again, junk="canonical", neutral=neutral, rlimit=CHEAP)
    counts[f"congruent {congruent.answer}"] += 1
    assert congruent.answer != "sat", f"NOT CONGRUENT\n{shown}"


# --- models ----------------------------------------------------------------------------------------------


def model_replay(seed: int, counts: Counter[str]) -> None:
    """The values that a model gives to the variables satisfy the formula."""
    rng = Random(seed)
    g = Generator(rng, quantifiers=rng.random() < 0.4, recursion=False)
    t = g.term(BOOL, rng.choice((2, 3, 4, 5)))
    junk: Junk = rng.choice(("free", "canonical"))
    if rng.random() < 0.4:
        t = mk("not", (t,), BOOL)
    counts["cases"] += 1
    asked = Asked([t], junk=junk, neutral=rng.random() < 0.3)
    counts[asked.answer] += 1
    shown = f"seed {seed}: {t!r}, junk {junk}"
    values: dict[Term, Any] = {}
    names = free_variables(t)
    if asked.answer == "unsat":
        for _ in range(8):
            values = {v: g.value(v.sort) for v in names}
            assert value_of(t, values) is not True, f"UNSAT, BUT {values}\n{shown}"
    if asked.answer != "sat":
        return
    model = asked.solver.model()
    try:
        values = {v: asked.reading.model_value(model, v) for v in names}
        bits = 32 if any(x.op == "word" for x in everything(t)) and _word_is_32(asked, model) else 64
    except NotFinite:
        counts["no finite model"] += 1
        return
    wrong = [v for v, x in values.items() if not in_range(x, v.sort, 64)]
    if any(asked.reading.is_recursive(s) for v in wrong for s in _sorts(v.sort)):
        counts["ill-formed part that nothing asks about"] += 1
        return
    assert not wrong, f"ILLEGAL VALUE OF {wrong}: {values}\n{shown}"
    value = value_of(t, values, usize_bits=bits)
    counts[f"model {value}"] += 1
    assert value is not False or not is_exact(t) or _depends_on_word(t), f"MODEL {values} IS NONE\n{shown}"


def _sorts(sort: Any) -> set[Any]:
    return reachable(sort) | {sort}


def _word_is_32(asked: Asked, model: Any) -> bool:
    return bool(z3.is_true(model.eval(asked.reading.word_is_32, model_completion=True)))


def _depends_on_word(t: Term) -> bool:
    return any(s.op == "word" or s.sort.name in ("usize", "isize") or s.sort.kind == "boxed" for s in everything(t))


# --- bit-vectors -----

WORDS = tuple(map(int_sort, ("u8", "i8", "u16", "i16", "i32", "u64")))


def _word_term(rng: Random, variables: list[Term], depth: int) -> Term:
    """An integer over variables of fixed-width types, bit operations in types that hold their operands."""
    if depth == 0 or rng.random() < 0.15:
        v = rng.choice(variables)
        return v if rng.random() < 0.75 else lit(rng.choice((0, 1, 2, 3, 7, 85, 127, -1, -128)))
    match rng.randrange(8):
        case 0 | 1:
            return mk(
                rng.choice(("add", "sub", "mul")),
                (_word_term(rng, variables, depth - 1), _word_term(rng, variables, depth - 1)),
                INT,
            )
        case 2:
            return mk("neg", (_word_term(rng, variables, depth - 1),), INT)
        case 3 | 4:
            return mk(
                rng.choice(("div", "mod")), (_word_term(rng, variables, depth - 1), lit(rng.choice((1, 2, 3, 5, 7, 128)))), INT
            )
        case 5:
            return mk(
                "ite", (_word_formula(rng, variables, 1), _word_term(rng, variables, depth - 1), rng.choice(variables)), INT
            )
    sort = rng.choice(variables).sort
    return _bit_term(rng, [v for v in variables if v.sort is sort], depth)


def _bit_term(rng: Random, own: list[Term], depth: int) -> Term:
    sort = own[0].sort
    if depth <= 0:
        return rng.choice(own) if rng.random() < 0.7 else lit(rng.choice((0, 1, 3, 85, 127)))
    a, b = _bit_term(rng, own, depth - 1), _bit_term(rng, own, depth - 1)
    match rng.choice(("bitand", "bitor", "bitxor", "bitnot", "shl", "shr")):
        case "bitnot":
            return mk("bitnot", (a,), sort)
        case "shl" | "shr" as op:
            return mk(op, (a, lit(rng.randrange(8))), sort)
        case op:
            return mk(op, (a, b), sort)


def _word_formula(rng: Random, variables: list[Term], depth: int) -> Term:
    a, b = (_word_term(rng, variables, depth) for _ in range(2))
    return mk(rng.choice(("eq", "le", "lt")), (a, b), BOOL)


def bit_agreement(seed: int, counts: Counter[str]) -> None:
    """The bit-vector reading has the evaluator's value."""
    rng = Random(seed)
    variables = [var("x", s) for s in rng.sample(WORDS, 2)] + [var("y", rng.choice(WORDS))]
    t = _word_formula(rng, variables, rng.choice((1, 2, 3)))
    if rng.random() < 0.3:  # nothing else that would make the vectors wide
        v = rng.choice(variables)
        t = mk(
            "lt",
            (
                mk(rng.choice(("div", "mod")), (v, lit(rng.choice((2, 3, 5, 7)))), INT),
                rng.choice((ZERO, v, mk("neg", (v,), INT))),
            ),
            BOOL,
        )
    used = free_variables(t)
    values = {v: rng.choice(_corners(v.sort, rng)) for v in used}
    value = value_of(t, values)
    counts["cases"] += 1
    if value is None:
        counts["no value"] += 1
        return
    try:
        reading = BitReading([t])
    except NotBits:
        counts["not bits"] += 1
        return
    formula = z3.And(reading.read(t), *reading.facts)
    places = [(reading.variables[v], z3.BitVecVal(x, reading.width, reading.ctx)) for v, x in values.items()]
    found = z3.simplify(z3.substitute(formula, *places))
    assert z3.is_true(found) if value else z3.is_false(found), f"seed {seed}: {t!r} with {values} is {value}, but {found}"


def _corners(sort: Any, rng: Random) -> list[int]:
    low, high = word_range(sort.name)
    assert low is not None and high is not None
    return [low, low + 1, high, high - 1, 0, 1, rng.randrange(low, high + 1)]


# --- arithmetic alone -----


def _arithmetic(rng: Random, variables: list[Term], depth: int) -> Term:
    if depth == 0 or rng.random() < 0.1:
        return rng.choice(variables) if rng.random() < 0.7 else lit(rng.randrange(-9, 10))
    match rng.randrange(7):
        case 0 | 1 | 2:
            return mk(
                rng.choice(("add", "sub")), (_arithmetic(rng, variables, depth - 1), _arithmetic(rng, variables, depth - 1)), INT
            )
        case 3:
            return mk("neg", (_arithmetic(rng, variables, depth - 1),), INT)
        case 4 | 5:
            parts = [_arithmetic(rng, variables, depth - 1), lit(rng.choice((-2, -1, 0, 1, 2, 3)))]
            rng.shuffle(parts)
            return mk("mul", tuple(parts), INT)
    return mk(rng.choice(("div", "mod")), (_arithmetic(rng, variables, depth - 1), lit(rng.choice((-3, -2, -1, 1, 2, 3)))), INT)


def arithmetic_agreement(seed: int, counts: Counter[str]) -> None:
    """The Z3 reading of sums, products and quotients has the evaluator's value: what it folds and shortens is exact."""
    rng = Random(seed)
    variables = [var("x", INT), var("y", INT)][: rng.choice((1, 2))]
    t = _arithmetic(rng, variables, rng.choice((2, 3, 4)))
    values = {v: rng.randrange(-9, 10) for v in variables}
    reading = Reading()
    for v in variables:
        reading.declare(v)
    places = [(reading.variables[v][0], z3.IntVal(x, reading.ctx)) for v, x in values.items()]
    found = z3.simplify(z3.substitute(reading.read(t, ()), *places))
    counts["cases"] += 1
    expected = value_of(t, values)
    assert found.as_long() == expected, f"seed {seed}: {t!r} with {values} is {expected}, but {found}"
    normal = Normalizer().normal(t)
    assert value_of(normal, values) == expected, f"seed {seed}: {t!r} with {values} is {expected}; normal {normal!r}"


# --- guards ----------------------------------------------------------------------------------------------


def guards_stay(seed: int, counts: Counter[str]) -> None:
    """`if legal { f(part) } else { … }`, asked about later: nothing follows from it where the guard is false."""
    rng = Random(seed)
    s, i, j = var("s", SEQ), var("i", INT), var("j", INT)
    length = mk("seq.len", (s,), NAT)
    part = mk("seq.subrange", (s, i, j), SEQ)
    legal = and_((mk("le", (ZERO, i), BOOL), mk("le", (i, j), BOOL), mk("le", (j, length), BOOL)))
    own = bound(1, SEQ)
    size = mk("multiset.len", (mk("seq.to_multiset", (own,), multiset_sort(INT)),), NAT)
    body = rng.choice(
        (size, mk("add", (size, bound(0, INT)), INT), mk("seq.push", (own, size), SEQ), mk("seq.lit", (size, size), SEQ))
    )
    result = body.sort
    many = mk("lambda", (body,), fn_sort((INT,), result), (INT,))
    wrapped, unwrap = rng.choice(_wrappers(many, result))
    function = defined("f", (SEQ,), wrapped)
    inside = app(function, (part,))
    other = app(function, (mk("seq.lit", (), SEQ),))
    for _ in range(rng.randrange(3)):  # in an Option, which is opened again
        some = option(inside.sort)
        inside, other = (mk("ctor", (x,), some, 1) for x in (inside, other))
    chosen = mk("ite", (legal, inside, other), inside.sort)
    while chosen.sort is not wrapped.sort:
        chosen = mk("field", (chosen,), chosen.sort.args[0], (1, 0))
    found = unwrap(chosen)
    if result is SEQ:
        found = mk("seq.index", (found, ZERO), INT)
    claim = mk("le", (found, lit(100)), BOOL)
    if rng.random() < 0.5:
        claim = mk("implies", (mk("lt", (ZERO, found), BOOL), claim), BOOL)
    junk: Junk = rng.choice(("free", "canonical"))
    neutral = rng.random() < 0.5
    counts["cases"] += 1
    for wrong in (mk("lt", (j, i), BOOL), mk("lt", (i, ZERO), BOOL), mk("lt", (length, j), BOOL)):
        asked = Asked([wrong, claim], junk=junk, neutral=neutral, rlimit=CHEAP)
        counts[asked.answer] += 1
        assert asked.answer != "unsat", f"seed {seed}: {claim!r} excludes {wrong!r}, junk {junk}, neutral {neutral}"


def _wrappers(many: Term, result: Any) -> list[tuple[Term, Callable[[Term], Term]]]:
    """Ways to keep a function's values for later, and to ask for one of them."""
    keys = mk("lambda", (mk("le", (ZERO, bound(0, INT)), BOOL),), fn_sort((INT,), BOOL), (INT,))
    return [
        (mk("seq.new", (lit(2), many), seq_sort(result)), lambda c: mk("seq.index", (c, ZERO), result)),
        (many, lambda c: mk("apply", (c, ZERO), result)),
        (mk("map.new", (keys, many), map_sort(INT, result)), lambda c: mk("map.index", (c, ZERO), result)),
    ]
