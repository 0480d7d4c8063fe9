"""Building blocks of the Z3 reading: one Z3 context with simplifying constructors, guards, binders and side facts.

In: Z3 expressions. Out: Z3 expressions, and the list of side facts that must be asserted with them.

Three things are kept here because everything else rests on them:

- *Guards.* While the consequent of `g ==> e` is translated, `g` is known, so `s[i]` under `0 <= i < s.len()` needs no case
  for an index out of range. Linear consequences of the known guards decide that (`entails`). What was translated under a
  guard is remembered in that guard's frame only.
- *Binders.* A bound variable is a Z3 constant while its scope is translated, and is abstracted at the end. Constants are named
  by depth, so translating a term twice gives the same expression.
- *Facts* (definitions of symbols, ranges of results) hold for all values of the variables in them. A fact that mentions bound
  constants is closed over them, under the guards that make these well-formed.

Every `Builder` has a Z3 context of its own, so that a query does not depend on what the process did before.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

import z3

Expr: TypeAlias = Any  # z3.ExprRef
Linear: TypeAlias = tuple[dict[int, int], int]  # coefficients by expression id, constant

T = TypeVar("T")

#: How many of the latest guards `entails` combines, and how many at once.
_GUARD_WINDOW = 48
_GUARD_DEPTH = 3


@dataclass(slots=True)
class Binder:
    """One bound variable of some sort: its leaf constants, and what is known of them in scope."""

    consts: list[Expr]
    guards: list[Expr] = field(default_factory=list)


class Builder:
    def __init__(self) -> None:
        self.ctx = z3.Context()
        self.facts: list[Expr] = []
        self._fact_ids: set[int] = set()
        self._alive: list[Expr] = []
        self._numbers: dict[int, Expr] = {}
        self._values: dict[int, int] = {}
        self._linear: dict[int, Linear] = {}
        self._atoms: dict[int, Linear] = {}
        self._parts: dict[int, list[Expr]] = {}
        self._implied: dict[int, list[Expr]] = {}
        self._negations: dict[int, Expr] = {}
        self._variant_tests: dict[int, tuple[int, int, int]] = {}
        self._always: dict[int, list[Linear]] = {}
        self._known: list[Linear] = []
        self._known_ids: list[int] = []
        self._excluded: list[tuple[int, int, int]] = []
        self._lasting = (0, 0, 0)
        self._frames: list[dict[Hashable, Any]] = [{}]
        self._frame_guards: list[list[Any]] = []  # per inner frame: its guards, and whether something relied on guards
        self._disjuncts: dict[int, list[Expr]] = {}
        self.binders: list[Binder] = []
        self._binder_ids: set[int] = set()
        self._occurring: dict[int, frozenset[int]] = {}
        self._names: dict[str, int] = {}
        self.true = self.keep(z3.BoolVal(True, self.ctx))
        self.false = self.keep(z3.BoolVal(False, self.ctx))
        self._true_id: int = self.true.get_id()
        self._false_id: int = self.false.get_id()
        self.int_sort = z3.IntSort(self.ctx)
        self.bool_sort = z3.BoolSort(self.ctx)

    def keep(self, e: Expr) -> Expr:
        """Keeps an expression alive, so that its id stays its own."""
        self._alive.append(e)
        return e

    def fresh(self, hint: str) -> str:
        """A name that this builder has not given before; the same in every run. The mark in it keeps it apart from `x.0`, the
        first field of a variable x."""
        n = self._names.get(hint, -1) + 1
        self._names[hint] = n
        return f"{hint}#{n}"

    # --- logic ------------------------------------------------------------------------------------------------------

    def is_true(self, e: Expr) -> bool:
        return bool(e.get_id() == self._true_id)

    def is_false(self, e: Expr) -> bool:
        return bool(e.get_id() == self._false_id)

    def and_(self, parts: Iterable[Expr]) -> Expr:
        flat: dict[int, Expr] = {}
        for p in parts:
            i = p.get_id()
            if i == self._true_id:
                continue
            if i == self._false_id:
                return self.false
            for q in self._parts.get(i, (p,)):
                flat.setdefault(q.get_id(), q)
        if len(flat) < 2:
            return next(iter(flat.values()), self.true)
        e = self.keep(z3.And(*flat.values()))
        self._parts[e.get_id()] = list(flat.values())
        return e

    def or_(self, parts: Iterable[Expr]) -> Expr:
        flat: dict[int, Expr] = {}
        for p in parts:
            i = p.get_id()
            if i == self._false_id:
                continue
            if i == self._true_id:
                return self.true
            flat.setdefault(i, p)
        if len(flat) < 2:
            return next(iter(flat.values()), self.false)
        e = self.keep(z3.Or(*flat.values()))
        self._disjuncts[e.get_id()] = list(flat.values())
        self._parts_of_negation(e, list(flat.values()))
        return e

    def not_(self, e: Expr) -> Expr:
        if self.is_true(e):
            return self.false
        if self.is_false(e):
            return self.true
        found = self._negations.get(e.get_id())
        if found is None:
            found = self.keep(z3.Not(e))
            self._negations[e.get_id()] = found
            self._negations[found.get_id()] = e
            atom = self._atoms.get(e.get_id())
            if atom is not None:
                terms, constant = atom
                self._atoms[found.get_id()] = ({k: -v for k, v in terms.items()}, -constant - 1)
        return found

    def _parts_of_negation(self, e: Expr, disjuncts: list[Expr]) -> None:
        negated = self.not_(e)
        self._parts[negated.get_id()] = [self.not_(d) for d in disjuncts]

    def implies(self, a: Expr, b: Expr) -> Expr:
        if self.is_true(a):
            return b
        if self.is_false(a) or self.is_true(b):
            return self.true
        if self.is_false(b):
            return self.not_(a)
        return self.keep(z3.Implies(a, b))

    def ite(self, c: Expr, a: Expr, b: Expr) -> Expr:
        if self.is_true(c) or a.get_id() == b.get_id():
            return a
        if self.is_false(c):
            return b
        if self.is_true(a) and self.is_false(b):
            return c
        return self.keep(z3.If(c, a, b))

    def eq(self, a: Expr, b: Expr) -> Expr:
        """Equality of two expressions of one Z3 sort."""
        ia, ib = a.get_id(), b.get_id()
        if ia == ib:
            return self.true
        if ia in self._values and ib in self._values:
            return self.true if self._values[ia] == self._values[ib] else self.false
        if ia in (self._true_id, self._false_id):
            a, b, ia, ib = b, a, ib, ia
        if ib == self._true_id:
            return a
        if ib == self._false_id:
            return self.not_(a)
        e = self.keep(a == b)
        if e.get_id() not in self._implied and a.sort().eq(self.int_sort):
            self._implied[e.get_id()] = [self.le(a, b), self.le(b, a)]
        return e

    # --- integers ---------------------------------------------------------------------------------------------------

    def number(self, n: int) -> Expr:
        e = self._numbers.get(n)
        if e is None:
            e = self._numbers[n] = self.keep(z3.IntVal(n, self.ctx))
            self._values[e.get_id()] = n
            self._linear[e.get_id()] = ({}, n)
        return e

    def value(self, e: Expr) -> int | None:
        """The number of a numeral."""
        return self._values.get(e.get_id())

    def linear(self, e: Expr) -> Linear:
        i = e.get_id()
        form = self._linear.get(i)
        if form is None:
            self.keep(e)
            form = self._linear[i] = ({i: 1}, 0)
        return form

    def _combine(self, a: Expr, b: Expr, sign: int, build: Callable[[], Expr]) -> Expr:
        (ta, ca), (tb, cb) = self.linear(a), self.linear(b)
        terms = _plus(ta, tb, sign)
        constant = ca + sign * cb
        if not terms:
            return self.number(constant)
        if constant == ca and terms == ta:
            return a
        if sign == 1 and constant == cb and terms == tb:
            return b
        e = self.keep(build())
        self._linear[e.get_id()] = (terms, constant)
        return e

    def add(self, a: Expr, b: Expr) -> Expr:
        return self._combine(a, b, 1, lambda: a + b)

    def sub(self, a: Expr, b: Expr) -> Expr:
        return self._combine(a, b, -1, lambda: a - b)

    def mul(self, a: Expr, b: Expr) -> Expr:
        for x, y in ((a, b), (b, a)):
            n = self.value(x)
            if n is not None:
                if n == 0 or n == 1:
                    return y if n else x
                terms, constant = self.linear(y)
                if not terms:
                    return self.number(n * constant)
                e = self.keep(x * y)
                self._linear[e.get_id()] = ({k: n * v for k, v in terms.items()}, n * constant)
                return e
        return self.keep(a * b)

    def le(self, a: Expr, b: Expr) -> Expr:
        (ta, ca), (tb, cb) = self.linear(a), self.linear(b)
        terms = _plus(tb, ta, -1)
        if not terms:
            return self.true if cb - ca >= 0 else self.false
        e = self.keep(a <= b)
        self._atoms[e.get_id()] = (terms, cb - ca)
        return e

    def lt(self, a: Expr, b: Expr) -> Expr:
        (ta, ca), (tb, cb) = self.linear(a), self.linear(b)
        terms = _plus(tb, ta, -1)
        if not terms:
            return self.true if cb - ca > 0 else self.false
        e = self.keep(a < b)
        self._atoms[e.get_id()] = (terms, cb - ca - 1)
        return e

    def within(self, low: Expr, e: Expr, high: Expr) -> Expr:
        """low <= e < high."""
        return self.and_((self.le(low, e), self.lt(e, high)))

    # --- constants, arrays, quantifiers -----------------------------------------------------------------------------

    def const(self, name: str, sort: Expr) -> Expr:
        return self.keep(z3.Const(name, sort))

    def function(self, name: str, params: Sequence[Expr], result: Expr) -> Callable[..., Expr]:
        """A Z3 function as a Python one; without parameters, a constant."""
        if not params:
            constant = self.const(name, result)
            return lambda: constant
        f = z3.Function(name, *params, result)
        return lambda *args: self.keep(f(*args))

    def select(self, array: Expr, indices: Iterable[Expr]) -> Expr:
        """Element of an array of arrays."""
        for i in indices:
            array = z3.Select(array, i)
        return self.keep(array)

    def forall(self, consts: Sequence[Expr], body: Expr, patterns: Sequence[Any] = ()) -> Expr:
        if not consts or self.is_true(body) or self.is_false(body):
            return body  # every sort is inhabited
        return self.keep(z3.ForAll(list(consts), body, patterns=[p for p in patterns if not z3.is_expr(p) or _is_trigger(p)]))

    def exists(self, consts: Sequence[Expr], body: Expr) -> Expr:
        if not consts or self.is_true(body) or self.is_false(body):
            return body
        return self.keep(z3.Exists(list(consts), body))

    def array(self, consts: Sequence[Expr], body: Expr) -> Expr:
        """The array of arrays with `body` at the indices `consts`."""
        for c in reversed(consts):
            if c.get_id() not in self.occurring(body, {c.get_id()}):
                body = z3.K(c.sort(), body)
            elif z3.is_select(body) and body.arg(1).eq(c) and not self.occurring(body.arg(0), {c.get_id()}):
                body = body.arg(0)
            else:
                body = z3.Lambda([c], body)
        return self.keep(body)

    # --- guards and memory ------------------------------------------------------------------------------------------

    @contextmanager
    def frame(self, *guards: Expr) -> Iterator[None]:
        """A scope in which the guards are known."""
        marks = len(self._known), len(self._known_ids), len(self._excluded)
        self._frames.append({})
        self._frame_guards.append([guards, False])
        for g in guards:
            self.know(g)
        try:
            yield
        finally:
            self._frames.pop()
            self._frame_guards.pop()
            del self._known[marks[0] :], self._known_ids[marks[1] :], self._excluded[marks[2] :]

    @contextmanager
    def unguarded(self, *, closed: bool = False) -> Iterator[None]:
        """A scope without the guards of the scopes around it: facts hold regardless of where they came up. Values from around
        may make sense only under those guards, so facts about them keep these as their condition; with `closed`, no such value
        is used."""
        saved = self._known, self._known_ids, self._excluded, self._frames, self._frame_guards
        known, ids, excluded = self._lasting
        self._known, self._known_ids, self._excluded = self._known[:known], self._known_ids[:ids], self._excluded[:excluded]
        if not closed and any(relied for _, relied in self._frame_guards):
            around = tuple(g for guards, _ in self._frame_guards for g in guards)
            self._frames, self._frame_guards = [self._frames[0], {}], [[around, True]]
        else:
            self._frames, self._frame_guards = self._frames[:1], []
        try:
            yield
        finally:
            self._known, self._known_ids, self._excluded, self._frames, self._frame_guards = saved

    def know(self, guard: Expr) -> None:
        """Takes a guard as known in the innermost frame; in the outermost, for good."""
        self._know(guard)
        if len(self._frames) == 1:
            self._lasting = len(self._known), len(self._known_ids), len(self._excluded)

    def _know(self, guard: Expr) -> None:
        i = guard.get_id()
        parts = self._parts.get(i)
        if parts is not None:
            for p in parts:
                self._know(p)
        for p in self._implied.get(i, ()):
            self._know(p)
        self._known_ids.append(i)
        atom = self._atoms.get(i)
        if atom is not None:
            self._known.append(atom)
        negated = self._negations.get(i)
        if negated is not None:
            test = self._variant_tests.get(negated.get_id())
            if test is not None:
                self._excluded.append(test)

    def always(self, e: Expr) -> None:
        """Takes what a fact says about integers as known everywhere."""
        for p in (*self._parts.get(e.get_id(), (e,)), *self._implied.get(e.get_id(), ())):
            atom = self._atoms.get(p.get_id())
            if atom is not None:
                for k in atom[0]:
                    known = self._always.setdefault(k, [])
                    if atom not in known:
                        known.append(atom)

    def variant_test(self, test: Expr, subject: Expr, variant: int, variants: int) -> Expr:
        """Notes that `test` says that the datatype value `subject` is of that variant, one of `variants`."""
        self.keep(subject)
        self._variant_tests[test.get_id()] = (subject.get_id(), variant, variants)
        return test

    def known(self, e: Expr) -> bool:
        """Whether the guards say that `e` holds, or it is plainly true."""
        i = e.get_id()
        if i == self._true_id:
            return True
        if i in self._known_ids:
            if i not in self._known_ids[: self._lasting[1]]:
                self._rely()
            return True
        test = self._variant_tests.get(i)
        if test is not None:
            subject, variant, variants = test
            others = {v for s, v, _ in self._excluded if s == subject}
            if len(others - {variant}) == variants - 1:
                self._rely()
                return True
        parts = self._parts.get(i) or self._implied.get(i)
        if parts is not None:
            return all(self.known(p) for p in parts)
        if i in self._disjuncts:
            return any(self.known(p) for p in self._disjuncts[i])
        atom = self._atoms.get(i)
        if atom is None:
            return False
        if self._entails(atom, _GUARD_DEPTH, self._known[: self._lasting[0]]):
            return True
        if self._entails(atom, _GUARD_DEPTH, self._known[-_GUARD_WINDOW:]):
            self._rely()
            return True
        return False

    def _rely(self) -> None:
        """Notes that what is translated now holds only under the guards: facts that come up get them as a condition."""
        for g in self._frame_guards:
            g[1] = True

    @property
    def relied(self) -> bool:
        """Whether something in the innermost frame relied on guards."""
        return bool(self._frame_guards) and bool(self._frame_guards[-1][1])

    def _entails(self, goal: Linear, depth: int, guards: list[Linear]) -> bool:
        terms, constant = goal
        if not terms:
            return constant >= 0
        if depth == 0:
            return False
        always = [atom for k in terms for atom in self._always.get(k, ())]
        for guard_terms, guard_constant in [*reversed(guards), *always]:
            if any(v * terms.get(k, 0) > 0 for k, v in guard_terms.items()):
                rest = _plus(terms, guard_terms, -1)
                if len(rest) <= len(terms) + 1 and self._entails((rest, constant - guard_constant), depth - 1, guards):
                    return True
        return False

    def remember(self, key: Hashable, compute: Callable[[], T]) -> T:
        """The result of `compute` under the present guards, computed once a frame."""
        for frame in reversed(self._frames):
            if key in frame:
                found: T = frame[key]
                return found
        frame = self._frames[-1]
        result = compute()
        frame[key] = result
        return result

    # --- binders and facts ------------------------------------------------------------------------------------------

    def bound_const(self, sort: Expr) -> Expr:
        """A constant for a bound variable, named by its depth as nothing else can be: one that had the name of a free variable's
        leaf (`x.0` of a tuple x) would capture it."""
        depth = sum(len(b.consts) for b in self.binders)
        c = self.const(f"?{depth}", sort)
        self._binder_ids.add(c.get_id())
        return c

    @property
    def scope(self) -> tuple[Expr, ...]:
        """The bound constants in scope."""
        return tuple(c for b in self.binders for c in b.consts)

    def occurring(self, e: Expr, ids: set[int] | None = None) -> frozenset[int]:
        """The ids of bound constants in an expression."""
        found = self._occurring.get(e.get_id())
        if found is None:
            stack = [e]
            while stack:
                top = stack[-1]
                i = top.get_id()
                if i in self._occurring:
                    stack.pop()
                    continue
                children = top.children()
                missing = [c for c in children if c.get_id() not in self._occurring]
                if missing:
                    stack.extend(missing)
                    continue
                own = frozenset((i,)) if i in self._binder_ids else frozenset()
                self._occurring[i] = own.union(*(self._occurring[c.get_id()] for c in children))
                self.keep(top)
                stack.pop()
            found = self._occurring[e.get_id()]
        return found if ids is None else found & ids

    def fact(self, e: Expr, patterns: Sequence[Expr | tuple[Expr, ...]] = (), *, everywhere: bool = True) -> None:
        """Adds a fact, closed over the bound constants in it. `patterns` are alternative triggers for the closed form (a tuple
        is a trigger of several terms). A fact that does not hold `everywhere` is about values that may make sense only under
        the guards, and gets those as its condition."""
        if self.is_true(e):
            return
        if not everywhere and any(relied for _, relied in self._frame_guards):
            e = self.implies(self.and_(g for guards, _ in self._frame_guards for g in guards), e)
        if not self.binders or not self.occurring(e):
            self.always(e)
        if self.binders:
            used = self.occurring(e)
            if used:
                binders = [b for b in self.binders if any(c.get_id() in used for c in b.consts)]
                consts = [c for b in binders for c in b.consts]
                guard = self.and_(g for b in binders for g in b.guards)
                usable = []
                for p in patterns:
                    terms = p if isinstance(p, tuple) else (p,)
                    inside = frozenset().union(*map(self.occurring, terms))
                    if all(c.get_id() in inside for c in consts) and all(map(_is_trigger, terms)):
                        usable.append(z3.MultiPattern(*terms))
                e = self.forall(consts, self.implies(guard, e), usable)
        if e.get_id() not in self._fact_ids:
            self._fact_ids.add(e.get_id())
            self.facts.append(self.keep(e))


def _is_trigger(e: Expr) -> bool:
    """Whether Z3 takes the expression as a pattern: not a variable alone, no binders and no logic inside."""
    if not z3.is_app(e) or not e.num_args():
        return False
    stack = [e]
    while stack:
        e = stack.pop()
        if not z3.is_app(e):
            return False
        plain = e.decl().kind() in (z3.Z3_OP_UNINTERPRETED, z3.Z3_OP_SELECT)
        if e.num_args() and not plain and (z3.is_bool(e) or z3.is_bool(e.arg(0))):
            return False
        stack.extend(e.children())
    return True


def _plus(a: dict[int, int], b: dict[int, int], sign: int) -> dict[int, int]:
    out = dict(a)
    for k, v in b.items():
        n = out.get(k, 0) + sign * v
        if n:
            out[k] = n
        else:
            out.pop(k, None)
    return out
