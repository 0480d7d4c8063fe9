"""What every sort has in the Z3 reading: variables, functions, choice, equality, and unspecified values.

In: structural values. Out: structural values and formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from translate.readings.z3_builder import Binder, Expr
from translate.readings.z3_leaves import Leaves
from translate.readings.z3_values import Bound, BoxedV, DataV, FnV, MapV, MultisetV, Origin, SeqV, SetV, Val
from translate.terms import Sort


class Values(Leaves):
    def free(self, name: str, sort: Sort) -> tuple[Val, list[Expr]]:
        """A variable of the whole problem, and its leaves."""
        sorts = self.leaf_sorts(sort)
        names = [name] if len(sorts) == 1 else [f"{name}.{n}" for n in self.leaf_names(sort)]
        leaves = [self.const(n, s) for n, s in zip(names, sorts, strict=True)]
        return self._settle(sort, leaves, self.junk == "free"), leaves

    def result(self, sort: Sort, leaves: list[Expr]) -> Val:
        """The value that a function gave."""
        return self._settle(sort, leaves, False)

    def named(self, hint: str, e: Expr) -> Expr:
        """A name for an expression without bound variables, which can be part of a pattern where lambdas cannot. It is a
        function's value, because Z3 would put its definition in the place of a constant."""
        if self.occurring(e):
            return e
        name = self.function(hint, [self.int_sort], e.sort())(self.number(len(self.facts)))
        self.fact(self.eq(name, e))
        return name

    def _settle(self, sort: Sort, leaves: list[Expr], exposed: bool) -> Val:
        self.fact(self.well_formed(sort, leaves), leaves)
        if exposed:
            return self.from_leaves(sort, leaves, Origin(True))
        return self.from_leaves(sort, leaves, Origin(exposed))

    # --- operations of all sorts ----------------------------------------------------------------------------------------

    def choose_value(self, c: Expr, a: Val, b: Val, relied: bool = False) -> Val:
        """`if c { a } else { b }`. With `relied`, the alternatives were built knowing c or its negation: what is asked of them
        later is asked under that guard again, so that no fact about them comes up without it."""
        if self.is_true(c) or a is b:
            return a
        if self.is_false(c):
            return b

        def pick(x: Callable[[], Val], y: Callable[[], Val]) -> Val:
            return self._cases(c, x, y) if relied else self.choose_value(c, x(), y())

        match a:
            case SeqV():
                return SeqV(a.sort, self.ite(c, a.len, b.len), lambda i: pick(lambda: a.elem(i), lambda: b.elem(i)), self.scope,
                            a.exposed and b.exposed, self._pick_arrays(c, a, b, relied), ("ite", c, a, b))  # fmt: skip
            case SetV():
                return SetV(a.sort, lambda x: pick(lambda: a.has(x), lambda: b.has(x)), made=("ite", c, a, b))
            case MapV():
                return MapV(a.sort, lambda k: pick(lambda: a.has(k), lambda: b.has(k)),
                            lambda k: pick(lambda: a.get(k), lambda: b.get(k)),
                            self.scope, a.exposed and b.exposed, self._pick_arrays(c, a, b, relied))  # fmt: skip
            case MultisetV():
                return MultisetV(a.sort, lambda x: pick(lambda: a.count(x), lambda: b.count(x)), made=("ite", c, a, b))
            case FnV():
                return FnV(a.sort, lambda xs: pick(lambda: a.call(xs), lambda: b.call(xs)), self._pick_arrays(c, a, b, relied))
            case BoxedV():
                return BoxedV(a.sort, self.choose_value(c, a.view, b.view, relied), self.ite(c, a.rest, b.rest))
            case DataV():
                return self._choose_data(c, a, b, relied)
        return self.ite(c, a, b)

    def by_case(self, c: Expr, a: Callable[[], Val], b: Callable[[], Val]) -> Val:
        """`if c { a() } else { b() }`, where what a() gives need not make sense unless c holds."""
        return self._cases(c, a, b)

    def _cases(self, c: Expr, a: Callable[[], Val], b: Callable[[], Val]) -> Val:
        if self.known(c):
            return a()
        if self.known(self.not_(c)):
            return b()
        left, right = self._both(c, a, b)
        return self.choose_value(c, left, right, True)

    def _both(self, c: Expr, a: Callable[[], Val], b: Callable[[], Val]) -> tuple[Val, Val]:
        """`a()` as it is where c holds, and `b()` as it is where it does not."""
        with self.frame(c):
            self._rely()
            left = a()
        with self.frame(self.not_(c)):
            self._rely()
            right = b()
        return left, right

    def _pick_arrays(self, c: Expr, a: Val, b: Val, relied: bool) -> Callable[[], list[Expr]] | None:
        left, right = a.arrays, b.arrays
        if left is None or right is None:
            return None

        def arrays() -> list[Expr]:
            cases = self._both(c, left, right) if relied else (left(), right())
            return [self.ite(c, x, y) for x, y in zip(*cases, strict=True)]

        return arrays

    def _choose_data(self, c: Expr, a: DataV, b: DataV, relied: bool) -> DataV:
        def raw(v: int, k: int) -> Val:
            if relied:
                return self._cases(c, lambda: a.raw(v, k), lambda: b.raw(v, k))
            if a.variant is not None and a.variant != v:
                return b.raw(v, k)
            if b.variant is not None and b.variant != v:
                return a.raw(v, k)
            return self.choose_value(c, a.raw(v, k), b.raw(v, k))

        la, lb = a.leaf, b.leaf
        leaf = None if la is None or lb is None else lambda: self.ite(c, *(self._both(c, la, lb) if relied else (la(), lb())))
        variant = a.variant if a.variant == b.variant else None
        if variant is not None:
            return DataV(a.sort, variant, a.test, raw, self.scope, a.exposed and b.exposed, leaf, a.built or b.built)
        if leaf is None:
            tag = self.ite(c, self.tag(a), self.tag(b))
            return DataV(a.sort, None, lambda v: self.tag_test(a.sort, tag, v), raw, self.scope, a.exposed and b.exposed)
        return DataV(a.sort, None, lambda v: self.ite(c, a.test(v), b.test(v)), raw, self.scope, False, leaf, a.built or b.built)

    def equal(self, a: Val, b: Val) -> Expr:
        """Equality as Verus means it: extensional on collections and functions."""
        if a is b:
            return self.true
        match a:
            case SeqV():
                return self._equal_seqs(a, b)
            case SetV() | MultisetV() if a.array and b.array and not self._indexed(a.sort.args):
                return self.eq(a.array(), b.array())
            case SetV():
                with self.bind(a.sort.args) as bound:
                    return self._every(bound, lambda x: self.eq(a.has(x[0]), b.has(x[0])))
            case MultisetV():
                with self.bind(a.sort.args) as bound:
                    return self._every(bound, lambda x: self.eq(a.count(x[0]), b.count(x[0])))
            case MapV():
                with self.bind(a.sort.args[:1]) as bound:
                    entries = self._every(bound, lambda x: self._equal_entries(a, b, x[0]))
                return entries if a.dom is None or b.dom is None else self.and_((self.equal(a.dom, b.dom), entries))
            case FnV():
                with self.bind(a.sort.args[:-1]) as bound:
                    return self._every(bound, lambda x: self.equal(a.call(x), b.call(x)))
            case BoxedV():
                return self.and_((self.eq(a.rest, b.rest), self.equal(a.view, b.view)))
            case DataV():
                return self._equal_data(a, b)
        return self.eq(a, b)

    def _every(self, bound: Bound, f: Callable[[list[Val]], Expr]) -> Expr:
        body = f(bound.values)
        return self.forall(bound.consts, self.implies(self.and_(bound.guards), body))

    def _equal_entries(self, a: MapV, b: MapV, k: Val) -> Expr:
        ha, hb = a.has(k), b.has(k)
        with self.frame(ha, hb):
            values = self.equal(a.get(k), b.get(k))
        return self.and_((self.eq(ha, hb), self.implies(ha, values)))

    def _equal_seqs(self, a: SeqV, b: SeqV) -> Expr:
        lengths = self.eq(a.len, b.len)
        if self.is_false(lengths):
            return lengths
        length = self.value(a.len)
        if length is None:
            length = self.value(b.len)
        if length is not None and length <= 8:
            with self.frame(lengths):
                return self.and_(
                    (lengths, *(self.equal(self.elem(a, self.number(i)), self.elem(b, self.number(i))) for i in range(length)))
                )
        binder = Binder([self.bound_const(self.int_sort)])
        with self.binding([binder]):
            i = binder.consts[0]
            inside = self.within(self.number(0), i, a.len)
            with self.frame(lengths, inside):
                elements = self.equal(self.elem(a, i), self.elem(b, i))
        return self.and_((lengths, self.forall([i], self.implies(inside, elements))))

    def _equal_data(self, a: DataV, b: DataV) -> Expr:
        if a.leaf is not None and b.leaf is not None and not a.built and not b.built:
            return self.eq(a.leaf(), b.leaf())
        parts: list[Expr] = []
        for v, variant in enumerate(a.sort.variants):
            ta, tb = a.test(v), b.test(v)
            parts.append(self.eq(ta, tb))
            if self.is_false(ta) or self.is_false(tb) or not variant.fields:
                continue
            with self.frame(ta, tb):
                fields = [self.equal(a.raw(v, k), b.raw(v, k)) for k in range(len(variant.fields))]
            parts.append(self.implies(self.and_((ta, tb)), self.and_(fields)))
        return self.and_(parts)

    def unspecified(self, kind: str, owner: Val, sort: Sort, args: Sequence[Expr] = ()) -> Val:
        """The fixed but unknown value of type `sort` that stands where an operation on `owner` has none.

        It depends on `args` and on the owner: with canonical junk on the owner's leaves, so that equal owners have equal
        unspecified values; with free junk on which owner it is, and on the bound variables where that was made.
        """
        self.used_unspecified = True
        if self.junk == "canonical":
            name = f"{kind} {self.sort_name(owner.sort)} {self.sort_name(sort)}"
            args = [*self.canonical(owner, owner.sort), *args]
        else:
            name = self._unspecified.get((kind, id(owner)), "")
            if not name:
                name = self._unspecified[kind, id(owner)] = self.fresh(kind)
                self.keep(owner)
            args = [*owner.scope, *args]
        return self.apply_symbol(name, args, sort)

    def apply_symbol(self, name: str, args: Sequence[Expr], sort: Sort) -> Val:
        """An uninterpreted function with a result of that sort: one Z3 function for each leaf."""
        sorts = self.leaf_sorts(sort)
        names = [name] if len(sorts) == 1 else [f"{name}.{n}" for n in self.leaf_names(sort)]
        domain = [a.sort() for a in args]
        leaves = [self.function(n, domain, s)(*args) for n, s in zip(names, sorts, strict=True)]
        key = ("apply", name, sort, *(e.get_id() for e in leaves))
        return self.remember(key, lambda: self.result(sort, leaves))
