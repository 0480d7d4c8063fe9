"""The finite reading: a formula over values of bounded size, as a formula without quantifiers.

In: a Bool term, and values of bounded shape (`finite_values`) for its variables. Out: a scalar (`finite_nodes`) for a solver.

Recursive functions are unfolded as far as their arguments go, quantifiers are written out over the ranges that their guards
give, and what has to hold for some value gets an unknown one. Where that does not come to an end (an endless range, a value that
Verus leaves unspecified, a call nested too deeply), the case is left out: `exclusions` says when it arises, and who asks has to
deny it. So what a solver finds here is a *candidate*: some instances of a quantifier may be missing, and only the evaluator says
whether the values do what they should. Nothing is ever proved with this reading.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from translate.readings import guards
from translate.readings.finite_nodes import Node, Nodes, Scalar, interval
from translate.readings.finite_operations import OPERATIONS
from translate.readings.finite_values import BagF, BoxF, DataF, FnF, MapF, NoShape, SeqF, SetF, Size, Val, Values
from translate.readings.inhabitants import int_range, universe
from translate.terms import BOOL, Sort, Term

Env = tuple[Val, ...]

#: Instances of a quantifier that an unknown value could stand for, and of others.
WITNESSED: Final = 24
EXPANDED: Final = 300
#: Values tried where a range has no ends or is too long.
GUESSED: Final = 24
#: Calls of one recursive function nested in each other, under conditions that nothing decides.
OPEN_DEPTH: Final = 7
#: All calls nested in each other.
DEPTH: Final = 120
#: Unspecified values that are chosen.
CHOSEN: Final = 12


class FiniteReading(Values):
    """Reads terms over the values of `variables`."""

    def __init__(
        self,
        variables: dict[Term, Val],
        nodes: Nodes,
        size: Size,
        word_bits: int,
        needed: dict[Sort, int] | None = None,
        *,
        choose: bool = False,
    ) -> None:
        super().__init__(nodes, word_bits, needed)
        self.variables, self.size = variables, size
        #: Whether unspecified values are chosen; and those that were: what they are values of, and the value.
        self.choosing = choose
        self.chosen: list[tuple[str, tuple[tuple[Val, Sort], ...], Val, Sort]] = []
        #: Whether some unspecified value was left out; whether instances of a quantifier were.
        self.met_unspecified = False
        self.guessed = False
        #: When something is left out; relative to the call that is being read.
        self.exclusions: list[Scalar] = []
        self._here: Scalar = True
        self._calls: dict[tuple[Any, ...], tuple[Val, Scalar]] = {}
        self._open: dict[Any, int] = {}
        self._depth = 0
        self._plans: dict[tuple[Term, bool], tuple[guards.Plan, Term, int]] = {}
        self._hints: list[Node] | None = None

    # --- what callers use ---

    def formula(self, t: Term, polarity: int) -> Scalar:
        """A Bool term that is to be true (polarity 1) or false (-1)."""
        found: Scalar = self.read(t, (), polarity)
        return found

    def forget(self) -> None:
        """Forgets what was read so far, but not the variables: the ranges of their scalars became narrower."""
        self.nodes.forget()
        self.exclusions.clear()
        self.chosen.clear()
        self._calls.clear()

    # --- paths and exclusions ---

    @contextmanager
    def under(self, c: Scalar) -> Iterator[None]:
        saved = self._here
        self._here = self.nodes.and_((saved, c))
        try:
            yield
        finally:
            self._here = saved

    def exclude(self, c: Scalar = True) -> None:
        """Leaves out the case that c holds here."""
        when = self.nodes.and_((self._here, c))
        if when is not False:
            self.exclusions.append(when)

    def unspecified(self, kind: str, args: tuple[tuple[Val, Sort], ...], sort: Sort, when: Scalar) -> Val:
        """The value that Verus leaves unspecified for these arguments, in the case `when`: left out, or some value, the same for
        equal arguments."""
        when = self.nodes.and_((self._here, when))
        if when is False:
            return self.default(sort)
        self.met_unspecified = True
        if not self.choosing or len(self.chosen) >= CHOSEN or not sort.is_integer:
            self.exclude(when)
            return self.default(sort)
        value = self.unknown(sort, self.size)
        for other, theirs, known, known_sort in self.chosen:
            if other == kind and known_sort is sort and len(theirs) == len(args):
                same = self.nodes.and_(self.equal(x, y, s) for (x, s), (y, _) in zip(args, theirs, strict=True))
                self.conditions.append(self.nodes.implies(same, self.nodes.eq(value, known)))
        self.chosen.append((kind, args, value, sort))
        return value

    def nothing(self, sort: Sort) -> Val:
        """Some value of a sort, whose case is left out."""
        self.exclude()
        return self.default(sort)

    # --- terms ---

    def read(self, t: Term, env: Env, polarity: int = 0) -> Val:
        self.nodes.charge(1)
        match t.op:
            case "bound":
                return env[-1 - t.data]
            case "lit":
                return t.data
            case "var":
                return self.variables[t] if t in self.variables else self.nothing(t.sort)
            case "not":
                return self.nodes.not_(self.read(t.args[0], env, -polarity))
            case "and" | "or":
                return self._junction(t, env, polarity)
            case "implies":
                a = self.read(t.args[0], env, -polarity)
                if a is False:
                    return True
                with self.under(a):
                    return self.nodes.implies(a, self.read(t.args[1], env, polarity))
            case "ite":
                return self._ite(t, env, polarity)
            case "eq":
                return self._eq(t, env, polarity)
            case "forall" | "exists":
                return self._quantifier(t, env, polarity)
            case "choose":
                return self._choose(t, env)
            case "lambda":
                return FnF(t, env[len(env) - t.loose :] if t.loose else ())
            case "apply":
                return self.call(self.read(t.args[0], env), [self.read(a, env) for a in t.args[1:]], t.sort, polarity)
            case "app":
                return self._app(t, env, polarity)
            case "rec":
                raise ValueError(f"unfinished recursive group: {t!r}")
        return OPERATIONS[t.op](self, t, *(self.read(a, env) for a in t.args))

    def _junction(self, t: Term, env: Env, polarity: int) -> Scalar:
        n = self.nodes
        conjunction = t.op == "and"
        done: list[Scalar] = []
        saved = self._here
        try:
            for a in t.args:
                part = self.read(a, env, polarity)
                if part is (not conjunction):
                    return part
                done.append(part)
                self._here = n.and_((self._here, part if conjunction else n.not_(part)))
        finally:
            self._here = saved
        return n.and_(done) if conjunction else n.or_(done)

    def _ite(self, t: Term, env: Env, polarity: int) -> Val:
        c = self.read(t.args[0], env, 0)
        if not isinstance(c, Node):
            return self.read(t.args[1] if c else t.args[2], env, polarity)
        with self.under(c):
            if self._here is False:
                a = None
            else:
                a = self.read(t.args[1], env, polarity)
        with self.under(self.nodes.not_(c)):
            b = None if self._here is False else self.read(t.args[2], env, polarity)
        if a is None or b is None:
            return self.default(t.sort) if a is None and b is None else b if a is None else a
        return self.choose(c, a, b)

    def _eq(self, t: Term, env: Env, polarity: int) -> Scalar:
        x, y = t.args
        if x.sort is BOOL and polarity and (guards.has_binder(x) or guards.has_binder(y) or x.op == "app" or y.op == "app"):
            n = self.nodes
            there = n.implies(self.read(x, env, -polarity), self.read(y, env, polarity))
            return n.and_((there, n.implies(self.read(y, env, -polarity), self.read(x, env, polarity))))
        return self.equal(self.read(x, env), self.read(y, env), x.sort)

    def call(self, f: Val, args: list[Val], sort: Sort, polarity: int = 0) -> Val:
        """A function value applied; its result is of that sort."""
        if not isinstance(f, FnF):
            return self.nothing(sort)
        return self.read(f.term.args[0], (*f.env, *args), polarity)

    # --- functions ---

    def _app(self, t: Term, env: Env, polarity: int) -> Val:
        sym = t.data
        args = tuple(self.read(a, env) for a in t.args)
        if sym.body is None:
            return self.nothing(t.sort)
        key = (sym, args, polarity if t.sort is BOOL else 0)
        found = self._calls.get(key)
        if found is None:
            if self._depth >= DEPTH:
                return self.nothing(t.sort)
            is_open = isinstance(self._here, Node) and sym.kind == "recursive"
            nested = self._open.get(sym, 0)
            if is_open and nested >= OPEN_DEPTH:
                return self.nothing(t.sort)
            saved = self.exclusions, self._here
            self.exclusions, self._here = [], True
            self._open[sym] = nested + is_open
            self._depth += 1
            try:
                if sym.when is not None:
                    when = self.read(sym.when, args)
                    self.exclude(self.nodes.not_(when))
                value = self.read(sym.body, args, polarity)
                excluded = self.nodes.or_(self.exclusions)
            finally:
                self.exclusions, self._here = saved
                self._open[sym] = nested
                self._depth -= 1
            found = value, excluded
            if not (is_open and nested):  # what an open call leaves out hangs on how deep it is
                self._calls[key] = found
        value, excluded = found
        self.exclude(excluded)
        return value

    # --- quantifiers ---

    def _quantifier(self, t: Term, env: Env, polarity: int) -> Scalar:
        n = self.nodes
        exists = t.op == "exists"
        sorts, body = guards.merge_nested(t.op, t.data, t.args[0])
        own = env[len(env) - t.loose :] if t.loose else ()
        witnessed = polarity == (1 if exists else -1)
        instances = self._instances(t, sorts, body, exists, own, WITNESSED if witnessed else EXPANDED, witnessed)
        if instances is None:
            try:
                values = [tuple(self.unknown(s, self.size) for s in sorts)]
            except NoShape:
                values = list(self._guesses(sorts, GUESSED))
        else:
            values = instances
        done: list[Scalar] = []
        seen: set[tuple[Val, ...]] = set()
        for v in values:
            if v in seen:
                continue
            seen.add(v)
            part = self.read(body, (*own, *v), polarity)
            if part is exists:
                return part
            done.append(part)
        return n.or_(done) if exists else n.and_(done)

    def _instances(
        self, t: Term, sorts: tuple[Sort, ...], body: Term, wanted: bool, env: Env, limit: int, witnessed: bool
    ) -> list[tuple[Val, ...]] | None:
        """Values of the bound variables that include all that can matter, if they are at most `limit`; None otherwise where an
        unknown value can stand for them; else likely ones."""
        plan = self._plan(t, sorts, body, wanted, len(env))
        frame: dict[int, Val] = dict(enumerate(env))
        first = len(env)
        found: dict[tuple[Val, ...], None] = {}

        def go(k: int) -> bool:
            if k == len(plan.steps):
                found[tuple(frame[first + i] for i in range(len(sorts)))] = None
                return len(found) <= (limit if witnessed else 8 * limit)
            step = plan.steps[k]
            values = self._range(step, frame, witnessed, limit)
            if values is None:
                return False
            for v in values:
                frame[step.slot] = v
                self.nodes.charge(1)
                if not go(k + 1):
                    return False
            return True

        if go(0):
            return list(found)
        if witnessed:
            return None
        self.guessed = True
        return _spread(list(found), limit)

    def _plan(self, t: Term, sorts: tuple[Sort, ...], body: Term, wanted: bool, depth: int) -> guards.Plan:
        key = t, wanted
        found = self._plans.get(key)
        if found is None:
            scope = guards.Scope(depth, self.word_bits, None)
            main = scope.allocate(sorts)
            inner = (*range(depth), *main)
            plan = guards.make_plan(list(guards.facts(body, wanted, inner, scope)), main, scope)
            found = self._plans[key] = plan, t, depth
        return found[0]

    def _range(self, step: guards.Step, frame: dict[int, Val], witnessed: bool, limit: int) -> list[Val] | None:
        for source in step.sources:
            try:
                values = self._source(source, step, frame, limit)
            except (NoShape, KeyError, IndexError):
                continue
            if values is not None:
                return values
        if witnessed:
            return None
        return [v for (v,) in self._guesses((step.sort,), GUESSED)]

    def _source(self, source: guards.Source, step: guards.Step, frame: dict[int, Val], limit: int) -> list[Val] | None:
        match source:
            case guards.Interval():
                return self._interval(source, step, frame, limit)
            case guards.Solved(term=t, env=env, pattern=pattern):
                return self._along([self._aside(t, env, frame)], pattern)
            case guards.Member(term=t, env=env, pattern=pattern):
                whole = self._aside(t, env, frame)
                if not isinstance(whole, (SetF, BagF)) or (isinstance(whole, SetF) and whole.complement):
                    return None
                return self._along([x for g, x in whole.items if g is not False and g != 0], pattern)
            case guards.Elements():
                return None
            case guards.Finite():
                values = universe(step.sort, 64, self.word_bits, None)
                if values is None:
                    return None
                return [self.known(v, step.sort) for v in values]
            case guards.Either(alternatives=alternatives):
                found: dict[Val, None] = {}
                for sources in alternatives:
                    values_ = next((r for s in sources if (r := self._source(s, step, frame, limit)) is not None), None)
                    if values_ is None:
                        return None
                    found.update(dict.fromkeys(values_))
                return list(found)

    def _along(self, values: list[Val], pattern: guards.Pattern) -> list[Val] | None:
        found = []
        for v in values:
            for variant, index in pattern.path:
                fields = v.fields[variant] if isinstance(v, DataF) else None
                if fields is None:
                    break
                v = fields[index]
            else:
                found.append(v)
        return found

    def _aside(self, t: Term, env: guards.Env, frame: dict[int, Val]) -> Val:
        """The value of a term in a guard, without regard to what it leaves out."""
        saved, self.exclusions = self.exclusions, []
        try:
            return self.read(t, tuple(frame.get(s, 0) for s in env))
        finally:
            self.exclusions = saved

    def _interval(self, source: guards.Interval, step: guards.Step, frame: dict[int, Val], limit: int) -> list[Val] | None:
        lo: int | None = None
        hi: int | None = None
        n = self.nodes
        uppers: list[tuple[int, Scalar]] = []
        for side, parts in enumerate((source.lowers, source.uppers)):
            for k, c in parts:
                total: Scalar = c.const
                for s, coefficient in c.coeffs:
                    if s != step.slot:
                        total = n.add(total, n.mul(coefficient, frame[s]))
                for coefficient, t, env in c.rest:
                    total = n.add(total, n.mul(coefficient, self._aside(t, env, frame)))
                least, _ = interval(total)
                if side:
                    uppers.append((k, total))
                if least is None:
                    continue
                if side:
                    bound = -least // k
                    hi = bound if hi is None else min(hi, bound)
                else:
                    bound = -(-least // -k)
                    lo = bound if lo is None else max(lo, bound)
        if lo is None and hi is None:
            return None
        if lo is not None and hi is not None and hi - lo < limit:
            return list(range(lo, hi + 1))
        moving = [(k, u) for k, u in uppers if isinstance(u, Node)]
        if lo is not None and moving:
            # The end is not known: only the case that it is near.
            end = lo + self.size.outer + 2
            near = [n.lt(0, n.add(n.mul(k, end + 1), u)) for k, u in moving]
            self.exclude(n.not_(n.or_(near)))
            return list(range(lo, end + 1))
        ends = [*(() if lo is None else (lo, lo + 1)), *(() if hi is None else (hi, hi - 1))]
        return list(dict.fromkeys([*ends, *(v for (v,) in self._guesses((step.sort,), GUESSED))]))

    def _guesses(self, sorts: tuple[Sort, ...], limit: int) -> Iterator[tuple[Val, ...]]:
        """Likely values of the sorts: what the variables are made of, and small numbers."""
        self.guessed = True
        yield from itertools.islice(itertools.product(*(self._guess(s) for s in sorts)), limit * 4)

    def _guess(self, sort: Sort) -> list[Val]:
        if sort.is_integer:
            lo, hi = int_range(sort, self.word_bits)
            if self._hints is None:
                self._hints = list(dict.fromkeys(x for v, x in self._parts() if v.is_integer and isinstance(x, Node)))
            numbers = [x for x in (0, 1, -1, 2) if (lo is None or x >= lo) and (hi is None or x <= hi)]
            return [*self._hints[:GUESSED], *numbers]
        if sort.kind == "bool":
            return [False, True]
        found: list[Val] = [x for v, x in self._parts() if v is sort][:GUESSED]
        if sort.kind == "seq":
            found += [x.view for v, x in self._parts() if v.view is sort][:6]
            found += [SeqF(0, ())]
        if sort.kind == "data" and len(sort.variants) == 1:
            parts = [self._guess(f.sort)[:6] for f in sort.variants[0].fields]
            found += [DataF(0, (fields,)) for fields in itertools.islice(itertools.product(*parts), GUESSED)]
        return found

    def _parts(self) -> Iterator[tuple[Sort, Val]]:
        """The values that the variables are made of, with their sorts."""
        queue: list[tuple[Sort, Val]] = [(v.sort, x) for v, x in self.variables.items()]
        for sort, x in queue:
            yield sort, x
            if len(queue) > 400:
                continue
            match x:
                case SeqF():
                    queue.extend((sort.args[0], e) for e in x.elems)
                case BoxF():
                    assert sort.view is not None
                    queue.append((sort.view, x.view))
                case DataF():
                    for fields, variant in zip(x.fields, sort.variants, strict=True):
                        queue.extend((f.sort, e) for f, e in zip(variant.fields, fields or (), strict=False))
                case SetF() | BagF():
                    queue.extend((sort.args[0], e) for _, e in x.items)
                case MapF():
                    queue.extend((s, e) for _, k, v in x.items for s, e in zip(sort.args, (k, v), strict=True))

    def _choose(self, t: Term, env: Env) -> Val:
        """An unknown value for which the condition holds."""
        sorts = t.data
        try:
            values = tuple(self.unknown(s, self.size) for s in sorts)
        except NoShape:
            return self.nothing(t.sort)
        self.exclude(self.nodes.not_(self.read(t.args[0], (*env, *values), 1)))
        return values[0] if len(sorts) == 1 else DataF(0, (values,))

    # --- comprehensions ---

    def members(self, f: Val, sort: Sort) -> tuple[tuple[Scalar, Val], ...] | None:
        """The candidates for which a predicate may hold, with that condition; None where they are not finitely many."""
        if not isinstance(f, FnF):
            return None
        body, env = f.term.args[0], f.env
        values = self._instances(f.term, (sort,), body, True, env, 200, True)
        if values is None:
            return None
        found = []
        for v in values:
            holds = self.read(body, (*env, *v))
            if holds is not False:
                found.append((holds, v[0]))
        return tuple(found)


def _spread(values: list[Any], limit: int) -> list[Any]:
    """At most `limit` of the values, from all over the list."""
    step = max(1, -(-len(values) // limit))
    return values[::step]


#: The operators that this reading has a case for.
OPERATORS: Final = frozenset(OPERATIONS) | {
    "var", "bound", "lit", "rec", "not", "and", "or", "implies", "ite", "eq", "forall", "exists", "choose", "lambda", "apply",
    "app",
}  # fmt: skip
