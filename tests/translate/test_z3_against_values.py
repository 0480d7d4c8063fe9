"""Two readings of the same random terms, which share no code, must agree.

A random Bool term gets random values for its variables. If the concrete reading says what it is, then the Z3 reading, with the
variables held to these values, must not prove or find the opposite (it may not know). Recursive functions are read a few levels
deep only, so there a model can be wrong, but a proof cannot.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Literal

import pytest

from translate.readings.evaluate import EvaluationError, evaluate
from translate.readings.inhabitants import Inhabitants
from translate.readings.z3_reading import Reading
from translate.terms import (
    BOOL,
    CHAR,
    INT,
    NAT,
    ONE,
    USIZE,
    ZERO,
    FieldDecl,
    FnSym,
    RecursiveDef,
    Sort,
    Term,
    VariantDecl,
    and_,
    app,
    arith,
    bound,
    defined,
    eq,
    fn_sort,
    free_variables,
    int_sort,
    ite,
    lit,
    map_sort,
    mk,
    multiset_sort,
    quantify,
    recursive_group,
    seq_sort,
    set_sort,
    symbols,
    tuple_sort,
    var,
)
from translate.values import order_key

U8, I8, SEQ, SET, MS = int_sort("u8"), int_sort("i8"), seq_sort(INT), set_sort(INT), multiset_sort(INT)
VEC = Sort("boxed", "Vec", (INT,), view=SEQ)


def data(name: str, *variants: tuple[str, list[tuple[str, Sort]]], args: tuple[Sort, ...] = ()) -> Sort:
    sort = Sort("data", name, args, key="against values")
    if not sort.is_defined:
        sort.define(tuple(VariantDecl(v, tuple(FieldDecl(n, s) for n, s in fields)) for v, fields in variants), False)
    return sort


OPTION = data("Option", ("None", []), ("Some", [("0", INT)]), args=(INT,))
MIXED = data("Mixed", ("A", [("n", NAT)]), ("B", [("s", SEQ), ("b", BOOL)]), ("C", []))
TREE, ROSE = (Sort("data", name, key="against values") for name in ("ByteTree", "ByteRose"))
data("ByteTree", ("Leaf", []), ("Node", [("left", TREE), ("value", U8), ("right", TREE)]))
data("ByteRose", ("Rose", [("value", U8), ("children", seq_sort(ROSE))]))
SORTS = [
    BOOL, INT, INT, INT, NAT, U8, I8, CHAR, USIZE, SEQ, SEQ, seq_sort(U8), seq_sort(SEQ), SET, set_sort(SEQ), map_sort(INT, INT),
    map_sort(OPTION, SEQ), MS, OPTION, MIXED, tuple_sort((INT, BOOL)), VEC, fn_sort((INT,), INT), fn_sort((INT,), BOOL),
    TREE, ROSE,
]  # fmt: skip


def length(s: Term) -> Term:
    return mk("seq.len", (s,), NAT)


def recursive(name: str, param: Sort, result: Sort, body: Callable[[Term, Callable[[Term], Term]], Term]) -> FnSym:
    member = body(bound(0, param), lambda a: mk("rec", (a,), result, name))
    return recursive_group([RecursiveDef(name, (param,), result, member, None, (), False, name)])[name]


RECURSIVE = [
    recursive("sum", SEQ, INT, lambda s, call: ite(
        eq(length(s), ZERO), ZERO,
        arith("add", mk("seq.index", (s, ZERO), INT), call(mk("seq.subrange", (s, ONE, length(s)), SEQ))), INT)),
    recursive("copy", SEQ, SEQ, lambda s, call: ite(
        eq(length(s), ZERO), s,
        mk("seq.push", (call(mk("seq.subrange", (s, ZERO, arith("sub", length(s), ONE)), SEQ)),
                        mk("seq.index", (s, arith("sub", length(s), ONE)), INT)), SEQ), SEQ)),
    recursive("leaves", TREE, INT, lambda t, call: ite(
        mk("is", (t,), BOOL, 0), ONE,
        arith("add", call(mk("field", (t,), TREE, (1, 0))), call(mk("field", (t,), TREE, (1, 2)))), INT)),
]  # fmt: skip


def literal(value: Any, sort: Sort) -> Term:
    """The term of a concrete value (not of boxed sorts)."""
    match sort.kind:
        case "bool":
            return lit(bool(value))
        case "int":
            return mk("lit", (), CHAR if sort is CHAR else INT, int(value))
        case "seq":
            return mk("seq.lit", tuple(literal(e, sort.element) for e in value), sort)
        case "set":
            return mk("set.lit", tuple(literal(e, sort.element) for e in sorted(value, key=order_key)), sort)
        case "map":
            return mk(
                "map.lit", tuple(literal(e, s) for entry in value.items for e, s in zip(entry, sort.args, strict=True)), sort
            )
        case "multiset":
            return mk("multiset.lit", tuple(literal(e, sort.element) for e in value), sort)
        case "data":
            fields = sort.variants[value.variant].fields
            return mk("ctor", tuple(literal(e, f.sort) for e, f in zip(value.fields, fields, strict=True)), sort, value.variant)
    body = literal(value.default, sort.args[-1])
    for (argument,), result in value.table:
        test = eq(bound(0, sort.args[0]), literal(argument, sort.args[0]))
        body = mk("ite", (test, literal(result, sort.args[-1]), body), sort.args[-1])
    return quantify("lambda", sort.args[:-1], body)


def held(v: Term, value: Any) -> Term:
    if v.sort.view is not None:
        return eq(mk("view", (v,), v.sort.view), literal(value.view, v.sort.view))
    return eq(v, literal(value, v.sort))


class Terms:
    """Random well-sorted terms over some variables."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        kinds = rng.sample(list(dict.fromkeys(SORTS)), 5)
        self.variables = [var(f"v{k}", s) for k, s in enumerate([*kinds, INT, SEQ])]

    def leaf(self, sort: Sort, env: tuple[Sort, ...]) -> Term:
        known = [*self.variables, *(bound(len(env) - 1 - k, s) for k, s in enumerate(env))]
        usable = [t for t in known if t.sort is sort or (sort is INT and t.sort.is_integer and t.sort is not CHAR)]
        if sort.kind == "boxed" and not usable:
            return var("boxed", sort)
        if usable and (self.rng.random() < 0.8 or sort.kind == "boxed"):
            return self.rng.choice(usable)
        return literal(Inhabitants().random(sort, self.rng, 2), sort)

    def index(self, depth: int, env: tuple[Sort, ...]) -> Term:
        return lit(self.rng.randint(0, 2)) if self.rng.random() < 0.4 else self.term(INT, depth, env)

    def some(self, sort: Sort, depth: int, env: tuple[Sort, ...]) -> tuple[Term, ...]:
        return tuple(self.term(sort, depth, env) for _ in range(self.rng.randint(0, 3)))

    def term(self, sort: Sort, depth: int, env: tuple[Sort, ...] = ()) -> Term:
        if depth <= 0:
            return self.leaf(sort, env)
        options = [lambda: self.leaf(sort, env), lambda: mk("ite", (a(BOOL), a(sort), a(sort)), sort)]
        below = depth - 1

        def a(s: Sort) -> Term:
            return self.term(s, below, env)

        def binder(s: Sort, result: Sort) -> Term:
            return quantify("lambda", (s,), self.term(result, below, (*env, s)))

        def add(*makers: Callable[[], Term]) -> None:
            options.extend(makers)

        for s in SORTS:
            if s.kind == "seq" and s.element is sort:
                add(lambda s=s: mk("seq.index", (a(s), self.index(below, env)), sort))  # type: ignore[misc]
            if s.kind == "map" and s.args[1] is sort:
                add(lambda s=s: mk("map.index", (a(s), a(s.args[0])), sort))  # type: ignore[misc]
            if s.kind == "fn" and s.args[-1] is sort:
                add(lambda s=s: mk("apply", (a(s), a(s.args[0])), sort))  # type: ignore[misc]
            if s.view is sort:
                add(lambda s=s: mk("view", (self.leaf(s, env),), sort))  # type: ignore[misc]
            for v, variant in enumerate(s.variants if s.kind == "data" else ()):
                for k, f in enumerate(variant.fields):
                    if f.sort is sort:
                        add(lambda s=s, v=v, k=k: mk("field", (a(s),), sort, (v, k)))  # type: ignore[misc]
        for sym in RECURSIVE:
            if sym.result is sort and self.rng.random() < 0.5:
                add(lambda sym=sym: app(sym, (a(sym.params[0]),)))  # type: ignore[misc]
        if self.rng.random() < 0.1:
            param = self.rng.choice([INT, SEQ, OPTION, U8])
            symbol = defined("d", (param,), self.term(sort, below, (param,)), result=sort)
            add(lambda: app(symbol, (a(param),)))
        getattr(self, f"_{sort.kind}", lambda *_: None)(sort, a, binder, add, env, below)
        return self.rng.choice(options)()

    def _bool(self, sort: Sort, a: Any, binder: Any, add: Any, env: tuple[Sort, ...], below: int) -> None:
        def compare() -> Term:
            s = self.rng.choice(SORTS)
            return mk("eq", (a(s), a(s)), BOOL)

        def quantifier() -> Term:
            op = self.rng.choice(["forall", "exists"])
            s = self.rng.choice([INT, INT, INT, NAT, U8, SEQ, OPTION, BOOL, TREE])
            if not s.is_integer:
                return quantify(op, (s,), self.term(BOOL, below, (*env, s)))
            low = self.rng.choice([-1, 0, 1])
            high = length(self.term(SEQ, 1, (*env, s))) if self.rng.random() < 0.5 else lit(low + 3)
            guard = and_((arith("le", lit(low), bound(0, s)), arith("lt", bound(0, s), high)))
            body = self.term(BOOL, below, (*env, s))
            return quantify(op, (s,), mk("implies" if op == "forall" else "and", (guard, body), BOOL))

        def junction() -> Term:
            return mk(self.rng.choice(["and", "or", "implies"]), (a(BOOL), a(BOOL)), BOOL)

        add(compare, compare, compare, quantifier, quantifier, quantifier, junction, junction)
        add(lambda: mk("not", (a(BOOL),), BOOL), lambda: arith(self.rng.choice(["lt", "le"]), a(INT), a(INT)))
        add(
            lambda: mk("is", (a(MIXED),), BOOL, self.rng.randint(0, 2)),
            lambda: mk("is", (a(TREE),), BOOL, self.rng.randint(0, 1)),
        )
        add(lambda: mk("set.contains", (a(SET), a(INT)), BOOL), lambda: mk("set.contains", (a(set_sort(SEQ)), a(SEQ)), BOOL))
        add(lambda: mk("set.finite", (a(SET),), BOOL))

    def _int(self, sort: Sort, a: Any, binder: Any, add: Any, env: tuple[Sort, ...], below: int) -> None:
        if sort is INT:
            add(lambda: arith(self.rng.choice(["add", "sub"]), a(INT), a(INT)), lambda: mk("neg", (a(INT),), INT))
            add(lambda: arith(self.rng.choice(["mul", "div", "mod"]), a(INT), self.leaf(INT, env)))
            add(lambda: length(a(SEQ)), lambda: length(a(seq_sort(SEQ))), lambda: mk("set.len", (a(SET),), NAT))
            add(lambda: mk("multiset.count", (a(MS), a(INT)), NAT), lambda: mk("multiset.len", (a(MS),), NAT))
            add(lambda: a(self.rng.choice([U8, I8, NAT])))
        elif sort is CHAR:
            add(lambda: mk("cast", (a(U8),), CHAR))
        else:
            add(lambda: mk("cast", (a(INT),), sort))
        if sort in (U8, I8):
            add(lambda: mk(self.rng.choice(["bitand", "bitor", "bitxor"]), (a(sort), a(sort)), sort))
            add(lambda: mk(self.rng.choice(["shl", "shr"]), (a(sort), lit(self.rng.randint(0, 8))), sort))
            add(lambda: mk("shl", (a(sort), a(INT)), sort), lambda: mk("bitnot", (a(sort),), sort))

    def _seq(self, sort: Sort, a: Any, binder: Any, add: Any, env: tuple[Sort, ...], below: int) -> None:
        e = sort.element

        def i() -> Term:
            return self.index(below, env)

        add(lambda: mk("seq.push", (a(sort), a(e)), sort), lambda: mk("seq.update", (a(sort), i(), a(e)), sort))
        add(lambda: mk("seq.subrange", (a(sort), i(), i()), sort), lambda: mk("seq.add", (a(sort), a(sort)), sort))
        add(lambda: mk("seq.lit", self.some(e, below, env), sort), lambda: mk("seq.new", (i(), binder(INT, e)), sort))

    def _set(self, sort: Sort, a: Any, binder: Any, add: Any, env: tuple[Sort, ...], below: int) -> None:
        e = sort.element
        add(lambda: mk(self.rng.choice(["set.insert", "set.remove"]), (a(sort), a(e)), sort))
        add(lambda: mk(self.rng.choice(["set.union", "set.intersect", "set.difference"]), (a(sort), a(sort)), sort))
        add(lambda: mk("set.complement", (a(sort),), sort), lambda: mk("set.lit", self.some(e, below, env), sort))
        add(lambda: mk("set.new", (binder(e, BOOL),), sort))
        if e is INT:
            add(lambda: mk("map.dom", (a(map_sort(INT, INT)),), sort))

    def _map(self, sort: Sort, a: Any, binder: Any, add: Any, env: tuple[Sort, ...], below: int) -> None:
        k, v = sort.args
        add(lambda: mk("map.insert", (a(sort), a(k), a(v)), sort), lambda: mk("map.remove", (a(sort), a(k)), sort))
        add(lambda: mk("map.lit", (a(k), a(v)), sort), lambda: mk("map.new", (binder(k, BOOL), binder(k, v)), sort))

    def _multiset(self, sort: Sort, a: Any, binder: Any, add: Any, env: tuple[Sort, ...], below: int) -> None:
        add(lambda: mk(self.rng.choice(["multiset.add", "multiset.sub"]), (a(sort), a(sort)), sort))
        add(lambda: mk("multiset.lit", self.some(INT, below, env), sort), lambda: mk("seq.to_multiset", (a(SEQ),), sort))

    def _data(self, sort: Sort, a: Any, binder: Any, add: Any, env: tuple[Sort, ...], below: int) -> None:
        for v, variant in enumerate(sort.variants):
            add(lambda v=v, variant=variant: mk("ctor", tuple(a(f.sort) for f in variant.fields), sort, v))

    def _fn(self, sort: Sort, a: Any, binder: Any, add: Any, env: tuple[Sort, ...], below: int) -> None:
        add(lambda: binder(sort.args[0], sort.args[-1]))


JUNK: tuple[Literal["free", "canonical"], ...] = ("free", "canonical")


@pytest.mark.parametrize("seed", range(60))
def test_the_readings_agree(seed: int) -> None:
    rng = random.Random(seed)
    term = Terms(rng).term(BOOL, rng.randint(2, 3))
    values = {v: Inhabitants().random(v.sort, rng, 3) for v in free_variables(term)}
    try:
        truth = bool(evaluate(term, values, budget=100_000))
    except EvaluationError:
        truth = None
    exact = not any(f.kind == "recursive" for f in symbols(term))
    for junk in JUNK:
        for how in ("assume", "deny", "boolean"):
            r = Reading(junk=junk, unfold=rng.choice([1, 2, 4]))
            formulas = [r.assume(held(v, x)) for v, x in values.items()]
            formulas.append(r.assume(eq(mk("word", (), USIZE, "usize::MAX"), lit(2**64 - 1))))
            formulas.append(getattr(r, how)(term))
            solver = r.solver(200_000, preprocess=rng.random() < 0.7)
            solver.add(*formulas, *r.facts)
            answer = str(solver.check())
            if truth is not None:
                asserted = truth != (how == "deny")
                assert answer != ("unsat" if asserted else "sat") or (answer == "sat" and not exact), (junk, how, term, values)
