"""Concrete evaluation of terms: the reading that shares no code with a solver.

In: a term, values of its free variables. Out: its value, or an exception that says why it has none: `Unspecified`
(the result hangs on a value that Verus leaves unknown), `Unbounded` (a quantifier without a finite range),
`TooLarge`, `OutOfBudget`.

Logic is three-valued and lazy: a conjunction with one false part is false whatever becomes of the others, a
quantifier is decided by one deciding instance, `if` with an unknown condition has a value where both branches
agree. So a truth value that comes out is right for *every* choice of the unspecified values.

Terms are compiled once to Python closures over a frame, a list in which every variable has a fixed slot. The budget
counts instances of quantifiers, calls and elements built, so it is the same on every machine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

from translate.readings import collection_operations, operations
from translate.readings.guards import (
    Env,
    Scope,
    expand_products,
    facts,
    is_product,
    loose_indices,
    make_plan,
    merge_nested,
    slots_of,
)
from translate.readings.inhabitants import Domain, Inhabitants, in_range, literals
from translate.readings.outcomes import (
    Closure,
    Code,
    EvaluationError,
    Frame,
    LazySet,
    OutOfBudget,
    TooLarge,
    Unbounded,
    Undetermined,
    Undivided,
    Universe,
    Unspecified,
)
from translate.readings.ranging import ALL_CUTS, Ranger
from translate.readings.spans import Unhashable
from translate.terms import BINDERS, BOOL, FnSym, Sort, Term, bound, free_variables, instantiate, subterms
from translate.values import DataValue, FnValue, Value

__all__ = [
    "Compiled", "Context", "Domain", "EvaluationError", "OutOfBudget", "TooLarge", "Unbounded", "Undetermined",
    "Unspecified", "compile", "evaluate", "in_range",
]  # fmt: skip

#: One case for every operator.
CASES: Final = {**operations.CASES, **collection_operations.CASES}
#: The Python frames that nested calls may use together; each call counts the height of its body.
MAX_DEPTH: Final = 9_000
RECURSION_LIMIT: Final = 16_000
MAX_MEMO: Final = 200_000
#: Values of shared subterms that one frame keeps.
MAX_KEPT: Final = 1_000
_MISSING: Final = object()


class Context:
    """What the evaluation of several terms shares: the budget, compiled symbols and their remembered results.

    `steps` is what is left of the budget; set it before running. `usize_bits` is the word size, `domain` gives the
    whole universe of sorts that have none of their own, `interpretation` gives uninterpreted symbols a meaning. `chosen` gives
    values to what Verus leaves unspecified: to `("as u8", x)`, a cast that does not fit, `("div", x)` and `("mod", x)`, by 0, and
    `("index T", s, i)`, out of range in a sequence of T.
    """

    def __init__(
        self,
        *,
        usize_bits: int = 64,
        domain: Domain | None = None,
        interpretation: Mapping[FnSym, FnValue] | None = None,
        steps: int = 0,
        chosen: Mapping[tuple[Any, ...], Value] | None = None,
    ) -> None:
        self.usize_bits = usize_bits
        self.chosen: dict[tuple[Any, ...], Value] = dict(chosen or {})
        self.domain = domain
        self.interpretation = dict(interpretation or {})
        self.steps = steps
        self.cuts = ALL_CUTS
        self.peeks = False
        self.depth = 0
        self.world = Universe(usize_bits, domain)
        self.symbols: dict[FnSym, _Symbol] = {}
        self.remembered = 0

    def unspecified(self, term: Term, *key: Any) -> Value:
        """The value chosen for something unspecified; raises Unspecified where none was."""
        value = self.chosen.get(key)
        if value is None:
            raise Unspecified(term)
        return value

    def charge(self, cost: int) -> None:
        self.steps -= cost
        if self.steps < 0:
            raise OutOfBudget

    def tick(self) -> None:
        self.charge(1)

    def symbol(self, sym: FnSym) -> _Symbol:
        found = self.symbols.get(sym)
        if found is None:
            found = self.symbols[sym] = _Symbol(sym, self)
        return found


class Compiled:
    """A compiled term. `run(values)` evaluates it with values for its variables, in order, charging the context's
    budget."""

    __slots__ = ("term", "variables", "context", "_code", "_blank", "_cost", "_height")

    def __init__(self, term: Term, variables: Sequence[Term], context: Context) -> None:
        self.term, self.variables, self.context = term, tuple(variables), context
        with _DeepStack():
            unit = _Unit(context, {v: i for i, v in enumerate(self.variables)}, len(self.variables), term)
            self._code = unit.comp(term, (), unit.first_free)
        self._blank = unit.blank()
        self._cost = unit.cost
        self._height = height(term)

    def run(self, values: Sequence[Value]) -> Value:
        """The value; raises EvaluationError. `values` are legal inhabitants of the variables' sorts, in their
        order."""
        context = self.context
        context.charge(self._cost)
        if self._height > MAX_DEPTH:
            raise OutOfBudget(self.term)
        context.depth, context.cuts = self._height, ALL_CUTS
        frame = [*values, *self._blank]
        with _DeepStack():
            return cast(Value, self._code(frame))

    def holds(self, values: Sequence[Value]) -> bool | None:
        """Whether a Bool term is true; None where that is undetermined. Raises OutOfBudget."""
        try:
            return bool(self.run(values))
        except Undetermined:
            return None


class _DeepStack:
    """Room for deep recursion in Python; what still does not fit is out of budget."""

    def __enter__(self) -> None:
        self.old = sys.getrecursionlimit()
        if self.old < RECURSION_LIMIT:
            sys.setrecursionlimit(RECURSION_LIMIT)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if self.old < RECURSION_LIMIT:
            sys.setrecursionlimit(self.old)
        if isinstance(error, RecursionError):
            raise OutOfBudget from None


def compile(term: Term, variables: Sequence[Term], context: Context | None = None) -> Compiled:  # noqa: A001
    """Compiles a term over these free variables. A free variable that is not among them is unspecified."""
    return Compiled(term, variables, context if context is not None else Context())


def evaluate(
    term: Term,
    env: Mapping[Term, Value],
    *,
    budget: int,
    usize_bits: int = 64,
    domain: Domain | None = None,
    interpretation: Mapping[FnSym, FnValue] | None = None,
) -> Value:
    """The value of a term where the free variables have these values (legal inhabitants of their sorts).

    Raises Unspecified, Unbounded, TooLarge or OutOfBudget; `budget` is in steps (instances, calls, elements built).
    """
    context = Context(usize_bits=usize_bits, domain=domain, interpretation=interpretation, steps=budget)
    variables = [v for v in free_variables(term) if v in env]
    return Compiled(term, variables, context).run([env[v] for v in variables])


def _steps(work: int) -> int:
    """What evaluating so many nodes costs: small formulas one step."""
    return 1 + (work >> 6)


_height_memo: dict[Term, int] = {}


def height(term: Term) -> int:
    """How many Python frames the compiled term needs at most, nested calls not counted."""
    found = _height_memo.get(term)
    if found is None:
        for t in reversed(list(subterms(term))):  # arguments mostly before their parents; the rest by recursion
            if t not in _height_memo:
                own = 6 + 3 * len(t.data) if t.op in BINDERS else 3
                _height_memo[t] = own + max((height(a) for a in t.args), default=0)
        found = _height_memo[term]
    return found


class _Symbol:
    """A function symbol as something to call."""

    def __init__(self, sym: FnSym, context: Context) -> None:
        self.sym, self.context = sym, context
        self.memo: dict[tuple[Any, ...], Any] = {}
        self.given = context.interpretation.get(sym)
        self.code: Code | None = None
        self.when: Code | None = None
        self.blank: list[Any] = []
        self.cost = 1
        self.height = 0

    def prepare(self) -> None:
        sym = self.sym
        assert sym.body is not None
        n = len(sym.params)
        env = tuple(range(n))
        unit = _Unit(self.context, {}, n, sym.body, *(() if sym.when is None else (sym.when,)))
        when = None if sym.when is None else unit.comp(sym.when, env, unit.first_free)
        code = unit.comp(sym.body, env, unit.first_free)
        self.blank = unit.blank()
        self.cost = unit.cost
        self.height = 4 + max(height(sym.body), 0 if sym.when is None else height(sym.when))
        self.when, self.code = when, code

    def call(self, args: list[Any], term: Term) -> Any:
        sym, context = self.sym, self.context
        if sym.body is None:
            if self.given is None:
                raise Unspecified(term)
            return self.given(*args)
        if self.code is None:
            self.prepare()
        assert self.code is not None
        recursive = sym.kind == "recursive"
        key = tuple(args)
        if recursive:
            try:
                known = self.memo.get(key, _MISSING)
            except Unhashable:
                recursive, known = False, _MISSING
            if known is not _MISSING:
                if isinstance(known, Undetermined):
                    raise known.with_traceback(None)
                return known
        context.steps -= self.cost
        if context.steps < 0 or context.depth + self.height > MAX_DEPTH:
            raise OutOfBudget(term)
        context.depth += self.height
        frame = args + self.blank
        try:
            if self.when is not None and not self.when(frame):
                raise Unspecified(term)
            result = self.code(frame)
        except Undetermined as e:
            if recursive:
                self.remember(key, e)
            raise
        finally:
            context.depth -= self.height
        if recursive:
            self.remember(key, result)
        return result

    def remember(self, key: tuple[Any, ...], result: Any) -> None:
        context = self.context
        context.remembered += 1
        if context.remembered > MAX_MEMO:
            for s in context.symbols.values():
                s.memo.clear()
            context.remembered = 0
        self.memo[key] = result


class _Unit:
    """Compiles the terms that share one frame: a top-level term, or a symbol's definition.

    The frame holds the variables (or parameters), then the values of shared subterms that depend on nothing else,
    then the bound variables of binders by nesting.
    """

    def __init__(self, context: Context, variables: Mapping[Term, int], fixed: int, *roots: Term) -> None:
        self.context = context
        self.usize_bits, self.domain, self.world = context.usize_bits, context.domain, context.world
        self.variables, self.fixed = variables, fixed
        self.inhabitants = Inhabitants(literals(roots)[:24], usize_bits=context.usize_bits, domain=context.domain)
        self.memo: dict[tuple[Term, Env, int], Code] = {}
        self.cached: dict[tuple[Term, Env], int] = {}
        self.base = 0 if variables else fixed  # how many variables the environment of a root has
        parents: dict[Term, int] = {}
        for t in dict.fromkeys(t for root in roots for t in subterms(root)):
            for a in t.args:
                parents[a] = parents.get(a, 0) + 1
        self.shared = {t for t, n in parents.items() if n > 1}
        self.effort: dict[tuple[Term, int], int] = {}
        self.keeps: set[Term] = set()
        total = sum(self.work(root, 0) for root in roots)
        self.room = min(len(self.keeps), MAX_KEPT)
        self.first_free = fixed + self.room
        self.top = self.first_free
        self.cost = _steps(total)

    def work(self, term: Term, depth: int) -> int:
        """How many nodes one evaluation of a term under `depth` bound variables visits at most, quantifiers counted
        once. On the way, marks the terms whose value is worth keeping: those that can be wanted again and hang on
        nothing bound."""
        known = self.effort.get((term, depth))
        if known is None:
            inner = depth + len(term.data) if term.op in BINDERS else depth
            known = min(1 + sum(self.work(a, inner) for a in term.args), 1 << 60)
            if self.is_kept(term, depth):
                self.keeps.add(term)
                self.effort[term, depth] = 1
                return known
            self.effort[term, depth] = known
        return known

    def is_kept(self, term: Term, depth: int) -> bool:
        if term.size < 6 or (term.op in BINDERS and term.sort is not BOOL):
            return False
        return (term in self.shared or depth > 0) and all(i >= depth for i in loose_indices(term))

    def blank(self) -> list[Any]:
        """What a new frame holds after the variables."""
        return [_MISSING] * self.room + [None] * (self.top - self.first_free)

    def claim(self, top: int, n: int) -> int:
        """Marks `n` slots from `top` as used; the next free slot."""
        self.top = max(self.top, top + n)
        return top + n

    def comp(self, term: Term, env: Env, top: int) -> Code:
        own = env[len(env) - term.loose :] if term.loose else ()
        key = (term, own, top)
        code = self.memo.get(key)
        if code is None:
            code = CASES[term.op](self, term, env, top)
            code = self.memo[key] = self.keep(code, term, own)
        return code

    def keep(self, code: Code, term: Term, env: Env) -> Code:
        """The code, with its value kept in the frame where it can be wanted again."""
        if term not in self.keeps or any(s >= self.fixed for s in slots_of(term, env)):
            return code
        slot = self.cached.get((term, env))
        if slot is None:
            if len(self.cached) >= self.room:
                return code
            slot = self.cached[term, env] = self.fixed + len(self.cached)

        def kept(f: Frame) -> Any:
            value = f[slot]
            if value is _MISSING:
                value = f[slot] = code(f)
            return value

        return kept

    def args(self, term: Term, env: Env, top: int) -> list[Code]:
        return [self.comp(a, env, top) for a in term.args]

    # --- binders ---------------------------------------------------------------------------------------------------

    def instances(
        self, term: Term, sorts: tuple[Sort, ...], body: Term, positive: bool, env: Env, top: int, whole: bool = False
    ) -> tuple[Callable[[Callable[[Frame], bool]], Callable[[Frame], bool]], Code, list[Code], int, int | None]:
        """Code to visit the instances of a binder that can matter.

        The loops (given a visitor), the body's code, the bound variables' codes, the slot that notes
        incompleteness, and the slot for instances that were seen (None where they cannot repeat).
        """
        olds = tuple(bound(len(sorts) - 1 - i, s) for i, s in enumerate(sorts))
        for attempt in range(4):
            # Three slots of the binder's own (what is pending, seen, found), then its variables.
            scope = Scope(top + 3, self.usize_bits, self.domain)
            main = scope.allocate(sorts)
            inner = env + main
            plan = make_plan(list(facts(body, positive, inner, scope)), main, scope)
            stuck = any(is_product(s.sort) for s in plan.steps if not s.sources)
            if plan.complete or not stuck or attempt == 3:
                break
            sorts, body, new = expand_products(sorts, body)
            olds = tuple(instantiate(o, new) for o in olds)
        inside = self.claim(top, scope.next_slot - top)
        ranger = Ranger(self, term, body, inner, plan, top, inside, whole)
        code = self.comp(body, inner, inside)
        values = [self.comp(o, inner, inside) for o in olds]
        return ranger.loops, code, values, top, (top + 1 if plan.auxiliary else None)

    def quantifier(self, term: Term, env: Env, top: int) -> Code:
        wanted = term.op == "exists"
        sorts, body = merge_nested(term.op, term.data, term.args[0])
        loops, code, values, pending, seen = self.instances(term, sorts, body, wanted, env, top, whole=True)
        context = self.context
        cost = _steps(self.work(body, len(env) - self.base + len(sorts)))

        def visit(f: Frame) -> bool:
            context.steps -= cost
            if context.steps < 0:
                raise OutOfBudget(term)
            try:
                return bool(code(f)) is wanted
            except Undivided:
                raise
            except Undetermined as e:
                f[pending] = f[pending] or e
                return False

        loop = loops(_once(visit, values, seen))

        def quantifier(f: Frame) -> bool:
            f[pending] = None
            if seen is not None:
                f[seen] = set()
            if loop(f):
                return wanted
            if f[pending] is not None:
                raise f[pending].with_traceback(None)
            return not wanted

        return quantifier

    def collector(self, term: Term, lam: Term, env: Env, top: int) -> Callable[[Frame], tuple[list[Any], Undetermined | None]]:
        """Code for the list of all (tuples of) values for which a lambda holds, and what left it incomplete."""
        loops, code, values, pending, seen = self.instances(lam, lam.data, lam.args[0], True, env, top)
        context = self.context
        found_slot = top + 2

        def visit(f: Frame) -> bool:
            context.tick()
            try:
                if code(f):
                    f[found_slot].append(tuple(v(f) for v in values))
            except Undivided:
                raise
            except Undetermined as e:
                f[pending] = f[pending] or e
            return False

        loop = loops(_once(visit, values, seen))

        def collect(f: Frame) -> tuple[list[Any], Undetermined | None]:
            f[pending] = None
            if seen is not None:
                f[seen] = set()
            f[found_slot] = []
            loop(f)
            return f[found_slot], f[pending]

        return collect

    def comprehension(self, term: Term, lam: Term, env: Env, top: int) -> Code:
        """`Set::new` of a lambda: a finite set where its guards bound it, else a set with known membership."""
        collect = self.collector(term, lam, env, top)
        make = self.comp(lam, env, top)

        def comprehension(f: Frame) -> Any:
            found, pending = collect(f)
            if pending is None:
                return frozenset(v for (v,) in found)
            closure = make(f)
            return LazySet(("new", closure), lambda v: bool(closure.invoke((v,))))

        return comprehension

    def choose(self, term: Term, env: Env, top: int) -> Code:
        """The value, where exactly one value satisfies the condition."""
        collect = self.collector(term, term, env, top)
        single = len(term.data) == 1
        sort = term.sort

        def choose(f: Frame) -> Any:
            found, pending = collect(f)
            if len(found) > 1 or (not found and pending is None):
                raise Unspecified(term)
            if pending is not None:
                raise pending.with_traceback(None)
            return found[0][0] if single else DataValue(sort.name, 0, found[0])

        return choose

    def closure(self, term: Term, env: Env, top: int) -> Code:
        n = len(term.data)
        inner = env + tuple(range(top, top + n))
        body = self.comp(term.args[0], inner, self.claim(top, n))
        slots = sorted(slots_of(term, env))
        slots += [self.variables[v] for v in free_variables(term) if v in self.variables]
        context = self.context

        def closure(f: Frame) -> Closure:
            return Closure((term, tuple(f[s] for s in slots)), body, f[:], top, context.tick)

        return closure

    def bind(self, values: list[Code], body: Term, env: Env, top: int) -> Code:
        """A lambda applied on the spot: its arguments go into slots."""
        n = len(values)
        inner = env + tuple(range(top, top + n))
        after = self.claim(top, n)
        code = self.comp(body, inner, after)
        if n == 1:
            value = values[0]

            def bind_one(f: Frame) -> Any:
                f[top] = value(f)
                return code(f)

            return bind_one

        def bind(f: Frame) -> Any:
            f[top:after] = [v(f) for v in values]
            return code(f)

        return bind

    def call(self, term: Term, env: Env, top: int) -> Code:
        sym: FnSym = term.data
        if sym.kind == "defined" and sym.body is not None and sym not in self.context.interpretation:
            if any(a.op == "lambda" for a in term.args) and sym.body.size <= 400:
                return self.comp(instantiate(sym.body, term.args), env, top)
        symbol = self.context.symbol(sym)
        values = self.args(term, env, top)
        call = symbol.call
        if len(values) == 1:
            value = values[0]
            return lambda f: call([value(f)], term)
        if len(values) == 2:
            first, second = values
            return lambda f: call([first(f), second(f)], term)
        return lambda f: call([v(f) for v in values], term)


def _once(visit: Callable[[Frame], bool], values: list[Code], seen: int | None) -> Callable[[Frame], bool]:
    """The visitor, for the first time only that the variables have these values."""
    if seen is None:
        return visit

    def once(f: Frame) -> bool:
        instance = tuple(v(f) for v in values)
        try:
            if instance in f[seen]:
                return False
            f[seen].add(instance)
        except Unhashable:
            pass
        return visit(f)

    return once
