"""The Z3 reading of terms.

In: terms. Out: Z3 formulas, side facts to assert with them, and values of the variables in a model.

A `Reading` serves one obligation and has its own Z3 context. Terms are read into structural values (`z3_values`), so what
reaches Z3 is near linear arithmetic with arrays and bounded quantifiers. Recursive functions are never axioms: their equation
is given for the applications that are met, `unfold` levels deep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, Literal

import z3

from translate.readings.z3_builder import Expr
from translate.readings.z3_integers import Integers
from translate.readings.z3_model import ModelReader
from translate.readings.z3_values import DataV, FnV, Val
from translate.room import deep_stack
from translate.terms import BINDERS, FnSym, Sort, Term, abstract, free_variables, quantify
from translate.values import Value

Env = tuple[Val, ...]


#: Terms read for one obligation.
MAX_READS: Final = 300_000


class TooDeep(Exception):
    """A term is nested too deeply to be read (more than about a thousand levels)."""


_RECURSION_LIMIT: Final = 16_000


def new_solver(rlimit: int, ctx: Any = None, *, preprocess: bool = True) -> Any:
    """A Z3 solver that gives the same answer to the same assertions in every run, within `rlimit` resource units.

    Ask it once: it preprocesses what the first `check` is about. That finds more models; a few proofs are found without.
    """
    solver = z3.Solver(ctx=ctx) if preprocess else z3.SimpleSolver(ctx=ctx)
    for name, value in {**SETTINGS, "rlimit": rlimit}.items():
        solver.set(name, value)
    return solver


#: Chosen by trying the questions of tests/translate/test_z3_reading.py.
SETTINGS: Final[dict[str, Any]] = {"auto_config": False, "mbqi": True, "random_seed": 0}


class Reading(Integers):
    """Reads the terms of one obligation.

    `facts` are to be asserted with what was read (they grow while reading). `uninterpreted` lists the function symbols met of
    which nothing is known. `used_unspecified` says that something was read that may have an unspecified value, so a refutation
    found with `junk="free"` should be confirmed with `junk="canonical"`.
    """

    def __init__(self, *, unfold: int = 1, junk: Literal["free", "canonical"] = "free") -> None:
        super().__init__(junk)
        self.unfold = unfold
        self.uninterpreted: list[FnSym] = []
        self.variables: dict[Term, tuple[Val, list[Expr]]] = {}
        self._variable_names: set[str] = set()
        self._elements: dict[tuple[Sort, str], int] = {}
        self._depth = 0
        self._reads = 0
        self._fuelless = False
        self._symbol_names: dict[FnSym, str] = {}
        self._choices: dict[Term, str] = {}

    # --- what callers use ---------------------------------------------------------------------------------------------

    def declare(self, v: Term) -> None:
        """Takes a free variable into the problem, with the facts that its value is well-formed."""
        if v not in self.variables:
            name: str = v.data
            while name in self._variable_names:  # two variables that differ in their sorts only
                name = self.fresh(v.data)
            self._variable_names.add(name)
            with self.unguarded(closed=True):
                self.variables[v] = self.free(name, v.sort)

    def boolean(self, t: Term) -> Expr:
        """The formula of a Bool term without loose bound variables."""
        with _deep_stack():
            formula: Expr = self.read(t, ())
        return formula

    def assume(self, t: Term) -> Expr:
        """The formula of a term that will be asserted: equivalent to `boolean` for satisfiability, with witnesses for its
        existential quantifiers. What is read later may rely on it, so it must be asserted."""
        with _deep_stack():
            formula = self.prop(t, (), 1)
        self.know(formula)
        return formula

    def deny(self, t: Term) -> Expr:
        """The formula to assert in order to refute the term: its negation, with witnesses for universal quantifiers."""
        with _deep_stack():
            formula = self.not_(self.prop(t, (), -1))
        self.know(formula)
        return formula

    def model_value(self, model: Any, v: Term, *, limit: int = 64) -> Value:
        """The value of a free variable in a model of the facts.

        Raises `translate.values.NotFinite` if that is an infinite set or map, or a sequence of more than `limit` elements.
        """
        self.declare(v)
        return ModelReader(self, model, limit, self._elements).value(v.sort, self.variables[v][1])

    def solver(self, rlimit: int, *, preprocess: bool = True) -> Any:
        """A new solver for this reading's formulas (see `new_solver`)."""
        return new_solver(rlimit, self.ctx, preprocess=preprocess)

    # --- terms --------------------------------------------------------------------------------------------------------

    def _env_key(self, t: Term, env: Env) -> tuple[tuple[int, int], ...]:
        return tuple(self.key(v) for v in env[len(env) - t.loose :]) if t.loose else ()

    def read(self, t: Term, env: Env) -> Val:
        """The value of a term; loose bound variable k is `env[-1 - k]`."""
        if t.op == "bound":
            return env[-1 - t.data]
        self._reads += 1
        if self._reads > MAX_READS:  # definitions can unfold to exponentially many calls
            raise TooDeep
        key = (t, self._env_key(t, env))
        return self.remember(key, lambda: (self._read(t, env), env))[0]

    def _read(self, t: Term, env: Env) -> Val:
        special = _BINDING.get(t.op)
        if special is not None:
            return special(self, t, env)
        args = [self.read(a, env) for a in t.args]
        return _STRICT[t.op](self, t, *args)

    def prop(self, t: Term, env: Env, polarity: int) -> Expr:
        """A Bool term that is asserted (polarity 1) or denied (-1), or occurs somehow (0). Existential quantifiers in positive
        and universal ones in negative position get witnesses, new free variables."""
        if polarity == 0 or t.op not in _PROPOSITIONAL or (t.op == "app" and t.data.kind != "defined"):
            formula: Expr = self.read(t, env)
            return formula
        key = (t, polarity, self._env_key(t, env))
        found: tuple[Expr, Env] = self.remember(key, lambda: (self._prop(t, env, polarity), env))
        return found[0]

    def _prop(self, t: Term, env: Env, polarity: int) -> Expr:
        match t.op:
            case "not":
                return self.not_(self.prop(t.args[0], env, -polarity))
            case "and":
                return self._sequence(t.args, env, polarity, self.and_, lambda e: e)
            case "or":
                return self._sequence(t.args, env, polarity, self.or_, self.not_)
            case "implies":
                left = self.prop(t.args[0], env, -polarity)
                with self.frame(left):
                    right = self.prop(t.args[1], env, polarity)
                return self.implies(left, right)
            case "app":
                return self.prop(t.data.body, tuple(self.read(a, env) for a in t.args), polarity)
            case "forall" | "exists":
                if self.binders or (t.op == "forall") == (polarity == 1):
                    return self._quantifier(t, env)
                witnesses = tuple(self.free(self.fresh("witness"), s)[0] for s in t.data)
                return self.prop(t.args[0], env + witnesses, polarity)
        raise AssertionError(t.op)

    def _sequence(
        self, parts: Sequence[Term], env: Env, polarity: int, join: Callable[[list[Expr]], Expr], guard: Callable[[Expr], Expr]
    ) -> Expr:
        """A conjunction or disjunction: each part is read knowing that it matters (those before are true, or false)."""
        done: list[Expr] = []

        def go(k: int) -> None:
            if k == len(parts):
                return
            done.append(self.prop(parts[k], env, polarity))
            with self.frame(guard(done[-1])):
                go(k + 1)

        if len(parts) <= 64:
            go(0)
        else:
            done = [self.prop(p, env, polarity) for p in parts]
        return join(done)

    def _connective(self, t: Term, env: Env) -> Expr:
        if t.op == "and":
            return self._sequence(t.args, env, 0, self.and_, lambda e: e)
        if t.op == "or":
            return self._sequence(t.args, env, 0, self.or_, self.not_)
        left = self.read(t.args[0], env)
        with self.frame(left):
            right = self.read(t.args[1], env)
        return self.implies(left, right)

    def _ite(self, t: Term, env: Env) -> Val:
        c = self.read(t.args[0], env)
        if self.known(c):
            return self.read(t.args[1], env)
        if self.known(self.not_(c)):
            return self.read(t.args[2], env)
        with self.frame(c):
            a = self.read(t.args[1], env)
            relied = self.relied
        with self.frame(self.not_(c)):
            b = self.read(t.args[2], env)
            relied = relied or self.relied
        return self.choose_value(c, a, b, relied)

    def _quantifier(self, t: Term, env: Env) -> Expr:
        with self.bind(t.data) as bound:
            body = self.read(t.args[0], env + tuple(bound.values))
            guard = self.and_(bound.guards)
            if t.op == "forall":
                return self.forall(bound.consts, self.implies(guard, body))
            return self.exists(bound.consts, self.and_((guard, body)))

    def _lambda(self, t: Term, env: Env) -> Val:
        return FnV(t.sort, lambda args: self.read(t.args[0], env + tuple(args)))

    def _choose(self, t: Term, env: Env) -> Val:
        """A function of everything that the predicate mentions, by value: equal predicates have equal choices."""
        variables = free_variables(t)
        shape = abstract(t, tuple(variables))
        name = self._choices.get(shape)
        if name is None:
            name = self._choices[shape] = self.fresh("choose")
        args: list[Expr] = []
        for v in variables:
            args += self.canonical(self.read(v, ()), v.sort)
        for k in range(t.loose):
            sort = _sort_of(t, k)
            if sort is not None:
                args += self.canonical(env[-1 - k], sort)
        chosen = self.apply_symbol(name, args, t.sort)
        sorts = t.data
        values = (chosen,) if len(sorts) == 1 else tuple(chosen.raw(0, k) for k in range(len(sorts)))
        with self.unguarded():
            some = self._quantifier(_as_exists(t), env)
            holds = self.read(t.args[0], env + values)
        self.fact(self.implies(some, holds), everywhere=False)
        return chosen

    # --- functions ----------------------------------------------------------------------------------------------------

    def _app(self, t: Term, env: Env) -> Val:
        sym: FnSym = t.data
        args = tuple(self.read(a, env) for a in t.args)
        if sym.kind == "defined":
            assert sym.body is not None
            return self.read(sym.body, args)
        if sym.kind == "uninterpreted" and sym not in self.uninterpreted:
            self.uninterpreted.append(sym)
        leaves = [e for a, s in zip(args, sym.params, strict=True) for e in self.canonical(a, s)]
        name = self._symbol_name(sym)
        if sym.kind == "recursive" and self._fuelless:
            return self._without_fuel(sym, name, leaves)
        value = self.apply_symbol(name, leaves, sym.result)
        if sym.kind == "recursive":
            self._unfold(sym, args, leaves, value)
        return value

    def _symbol_name(self, sym: FnSym) -> str:
        """A name of the symbol's own; with parentheses, because a function without arguments is no variable."""
        name = self._symbol_names.get(sym)
        if name is None:
            taken = set(self._symbol_names.values())
            name = shown = sym.name if sym.params else f"{sym.name}()"
            while name in taken:
                name = self.fresh(shown)
            self._symbol_names[sym] = name
        return name

    def _unfold(self, sym: FnSym, args: Env, leaves: list[Expr], value: Val) -> None:
        """The equation of a recursive function for these arguments."""
        if self._depth >= self.unfold:
            return
        key = ("unfold", sym, *(e.get_id() for e in leaves))
        bound = bool(self.binders) and any(self.occurring(e) for e in leaves)
        if bound and self._depth > 0:
            return

        def equation() -> bool:
            saved = self._depth, self._fuelless
            self._depth, self._fuelless = self._depth + 1, bound
            try:
                with self.unguarded():
                    assert sym.body is not None
                    when = self.true if sym.when is None else self.read(sym.when, args)
                    with self.frame(when):
                        body = self.read(sym.body, args)
                    holds = self.implies(when, self.equal(value, body))
            finally:
                self._depth, self._fuelless = saved
            self.fact(holds, self.canonical(value, sym.result) if bound else (), everywhere=False)
            return True

        self.remember(key, equation)

    def _without_fuel(self, sym: FnSym, name: str, leaves: list[Expr]) -> Val:
        """A call inside an equation under a quantifier. It has its own symbol, which is the function's wherever the function
        is applied to the same arguments anyway, so that the equation does not call for itself without end."""
        own = self.apply_symbol(f"{name} again", leaves, sym.result)
        same = self.apply_symbol(name, leaves, sym.result)
        x, y = self.canonical(own, sym.result), self.canonical(same, sym.result)
        triggers = list(zip(x, y, strict=True))
        self.fact(self.and_(self.eq(p, q) for p, q in triggers), triggers)
        return own

    # --- operators with nothing to them -------------------------------------------------------------------------------

    def _variable(self, t: Term) -> Val:
        self.declare(t)
        return self.variables[t][0]

    def _word_constant(self, t: Term) -> Expr:
        match t.data:
            case "usize::MAX":
                return self.usize_max
            case "usize::BITS":
                return self.ite(self.word_is_32, self.number(32), self.number(64))
            case "isize::MAX":
                return self.isize_max
            case "isize::MIN":
                return self.sub(self.number(-1), self.isize_max)
        raise AssertionError(t.data)

    def _is(self, t: Term, d: DataV) -> Expr:
        test = d.test(t.data)
        return self.true if self.known(test) else test

    def _field(self, t: Term, d: DataV) -> Val:
        v, k = t.data
        test = d.test(v)
        if d.variant == v or (self.known(test) and not self.is_false(test)):  # false is known where guards contradict each other
            return d.raw(v, k)
        if d.exposed:
            self.used_unspecified = True
            return d.raw(v, k)
        junk = self.unspecified(f"field {v} {k}", d, t.sort)
        if self.is_false(test):
            return junk
        with self.frame(test):
            value = d.raw(v, k)
            relied = self.relied
        return self.choose_value(test, value, junk, relied)

    def _rec(self, t: Term) -> Val:
        raise AssertionError("a recursive group that is still being built has no meaning")


@contextmanager
def _deep_stack() -> Iterator[None]:
    """Room for deeply nested terms in Python."""
    try:
        with deep_stack(_RECURSION_LIMIT):
            yield
    except RecursionError:
        raise TooDeep from None


def _sort_of(t: Term, index: int) -> Sort | None:
    """The sort of a loose bound variable of a term; None where the term does not mention it."""
    stack = [(t, 0)]
    while stack:
        t, depth = stack.pop()
        if t.op == "bound" and t.data == index + depth:
            return t.sort
        inner = depth + len(t.data) if t.op in BINDERS else depth
        stack.extend((a, inner) for a in t.args if a.loose > inner)
    return None


def _as_exists(t: Term) -> Term:
    return quantify("exists", t.data, t.args[0])


_PROPOSITIONAL: Final = frozenset({"not", "and", "or", "implies", "app", "forall", "exists"})

#: Operators that bind, guard, or expand: they read their arguments themselves.
_BINDING: Final[dict[str, Callable[[Reading, Term, Env], Val]]] = {
    "and": Reading._connective,
    "or": Reading._connective,
    "implies": Reading._connective,
    "ite": Reading._ite,
    "forall": Reading._quantifier,
    "exists": Reading._quantifier,
    "choose": Reading._choose,
    "lambda": Reading._lambda,
    "app": Reading._app,
}


def _lit(r: Reading, t: Term) -> Expr:
    return (r.true if t.data else r.false) if t.sort.kind == "bool" else r.number(t.data)


def _neg(r: Reading, t: Term, a: Expr) -> Expr:
    return r.sub(r.number(0), a)


#: All others: a function of the reading, the term, and the values of its arguments.
_STRICT: Final[dict[str, Callable[..., Val]]] = {
    "var": Reading._variable,
    "lit": _lit,
    "rec": Reading._rec,
    "word": Reading._word_constant,
    "not": lambda r, t, a: r.not_(a),
    "eq": lambda r, t, a, b: r.equal(a, b),
    "apply": lambda r, t, f, *args: f.call(list(args)),
    "add": lambda r, t, a, b: r.add(a, b),
    "sub": lambda r, t, a, b: r.sub(a, b),
    "mul": lambda r, t, a, b: r.mul(a, b),
    "neg": _neg,
    "div": lambda r, t, a, b: r.divide("div", a, b),
    "mod": lambda r, t, a, b: r.divide("mod", a, b),
    "lt": lambda r, t, a, b: r.lt(a, b),
    "le": lambda r, t, a, b: r.le(a, b),
    "cast": lambda r, t, a: r.cast(a, t.args[0].sort, t.sort),
    "bitand": lambda r, t, a, b: r.bitwise("bitand", a, b, t.sort),
    "bitor": lambda r, t, a, b: r.bitwise("bitor", a, b, t.sort),
    "bitxor": lambda r, t, a, b: r.bitwise("bitxor", a, b, t.sort),
    "bitnot": lambda r, t, a: r.bitnot(a, t.sort),
    "shl": lambda r, t, a, b: r.shift("shl", a, b, t.sort),
    "shr": lambda r, t, a, b: r.shift("shr", a, b, t.sort),
    "ctor": lambda r, t, *args: r.construct(t.sort, t.data, args),
    "is": Reading._is,
    "field": Reading._field,
    "view": lambda r, t, a: a.view,
    "seq.lit": lambda r, t, *args: r.seq_lit(t.sort, args),
    "seq.new": lambda r, t, n, f: r.seq_new(t.sort, n, f),
    "seq.len": lambda r, t, s: s.len,
    "seq.index": lambda r, t, s, i: r.seq_index(s, i),
    "seq.push": lambda r, t, s, x: r.seq_push(s, x),
    "seq.update": lambda r, t, s, i, x: r.seq_update(s, i, x),
    "seq.subrange": lambda r, t, s, i, j: r.seq_subrange(s, i, j),
    "seq.add": lambda r, t, a, b: r.seq_add(a, b),
    "set.lit": lambda r, t, *args: r.set_lit(t.sort, args),
    "set.new": lambda r, t, f: r.set_new(t.sort, f),
    "set.contains": lambda r, t, s, x: s.has(x),
    "set.insert": lambda r, t, s, x: r.set_insert(s, x),
    "set.remove": lambda r, t, s, x: r.set_insert(s, x, False),
    "set.union": lambda r, t, a, b: r.set_combine("union", a, b),
    "set.intersect": lambda r, t, a, b: r.set_combine("intersect", a, b),
    "set.difference": lambda r, t, a, b: r.set_combine("difference", a, b),
    "set.complement": lambda r, t, s: r.set_complement(s),
    "set.finite": lambda r, t, s: r.set_finite(s),
    "set.len": lambda r, t, s: r.set_len(s),
    "map.lit": lambda r, t, *args: r.map_lit(t.sort, args),
    "map.new": lambda r, t, d, f: r.map_new(t.sort, d, f),
    "map.dom": lambda r, t, m: r.map_dom(m),
    "map.index": lambda r, t, m, k: r.map_index(m, k),
    "map.insert": lambda r, t, m, k, v: r.map_insert(m, k, v),
    "map.remove": lambda r, t, m, k: r.map_remove(m, k),
    "multiset.lit": lambda r, t, *args: r.multiset_lit(t.sort, args),
    "multiset.count": lambda r, t, m, x: m.count(x),
    "multiset.add": lambda r, t, a, b: r.multiset_add(a, b),
    "multiset.sub": lambda r, t, a, b: r.multiset_sub(a, b),
    "multiset.len": lambda r, t, m: r.multiset_len(m),
    "seq.to_multiset": lambda r, t, s: r.seq_to_multiset(s),
}

OPERATORS: Final = frozenset(_BINDING) | frozenset(_STRICT) | {"bound"}
