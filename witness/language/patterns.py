"""`match` and `if let` in candidates.

In: the syntax of arms and patterns. Out: typed nodes, or `NotAllowed`.
"""

from __future__ import annotations

from collections.abc import Sequence

from translate import syntax as sx
from translate.terms import Sort
from witness.expressions import Anything, Either, Exactly, Node, Pattern, Variant
from witness.language.base import Locals
from witness.language.names import Names

#: Pattern, guard, body, attributes.
Arm = tuple[sx.Pattern, sx.Expr | None, sx.Expr, list[sx.Attr]]


class Patterns(Names):
    # --- match -----------------------------------------------------------------------------------------------------------

    def matched(
        self,
        operand: sx.Expr,
        arms: Sequence[tuple[sx.Pattern, sx.Expr | None, sx.Expr, list[sx.Attr]]],
        at: sx.Node,
        want: Sort | None,
        env: Locals,
    ) -> Node:
        subject = self.expr(operand, None, env)
        patterns: list[Pattern] = []
        bodies: list[Node] = []
        for pattern, guard, body, attrs in arms:
            if guard is not None or attrs:
                raise self.problem("a guard or an attribute of an arm is not allowed in a candidate", guard or attrs[0])
            bound: Locals = {}
            patterns.append(self.pattern(pattern, subject.sort, bound))
            inner = want or next((b.sort for b in bodies), None)
            bodies.append(self.expr(body, inner, {**env, **bound}))
            if bodies[-1].sort is not bodies[0].sort:
                raise self.problem(f"the arms have two types, `{bodies[0].sort}` and `{bodies[-1].sort}`", body)
        if not bodies:
            raise self.problem("`match` without arms", at)
        return Node("match", (subject, *bodies), bodies[0].sort, tuple(patterns), at.span)

    def pattern(self, p: sx.Pattern, sort: Sort, bound: Locals) -> Pattern:
        text = self.shown(p)
        match p:
            case sx.WildPat():
                return Anything()
            case sx.RefPat():
                return self.pattern(p.inner, sort, bound)
            case sx.IdentPat():
                return self.name_pattern(p, sort, bound)
            case sx.LitPat():
                value = self.bound(p.value, sort)
                return Exactly(value, value, text)
            case sx.RangePat():
                high = None if p.high is None else self.bound(p.high, sort)
                if high is not None and not p.inclusive:
                    high -= 1
                return Exactly(None if p.low is None else self.bound(p.low, sort), high, text)
            case sx.OrPat():
                alternatives: list[Pattern] = []
                for a in p.alternatives:
                    inner: Locals = {}
                    alternatives.append(self.pattern(a, sort, inner))
                    if inner:
                        raise self.problem("a name bound in one of several alternatives is not allowed in a candidate", a)
                return Either(tuple(alternatives))
            case sx.TuplePat():
                if sort.kind != "data" or sort.name != "tuple":
                    raise self.problem(f"a tuple pattern for a value of type `{sort}`", p)
                return Variant(sort, 0, self.positions(p.elems, sort, 0, p, bound), text)
            case sx.PathPat():
                sort, variant = self.variant_pattern(p.path, sort, p)
                return Variant(sort, variant, (), text)
            case sx.TupleStructPat():
                sort, variant = self.variant_pattern(p.path, sort, p)
                return Variant(sort, variant, self.positions(p.elems, sort, variant, p, bound), text)
            case sx.StructPat():
                sort, variant = self.variant_pattern(p.path, sort, p)
                fields = sort.variants[variant].fields
                place = {f.name: i for i, f in enumerate(fields)}
                if any(n not in place for n, _ in p.fields):
                    raise self.problem(f"a pattern with a field that `{p.path.text}` does not have", p)
                subs = tuple((place[n], self.pattern(q, fields[place[n]].sort, bound)) for n, q in p.fields)
                return Variant(sort, variant, subs, text)
        raise self.problem("this kind of pattern is not allowed in a candidate", p)

    def name_pattern(self, p: sx.IdentPat, sort: Sort, bound: Locals) -> Pattern:
        if p.sub is not None or p.mutable or p.by_ref:
            raise self.problem("`@`, `mut` and `ref` in a pattern are not allowed in a candidate", p)
        ref = self.opened.crate.resolve([p.name], self.opened.types.module, "values")
        if ref is not None and isinstance(ref.item, sx.Variant | sx.Struct):
            sort, variant = self.variant_pattern(sx.Path(p.span, [sx.PathSegment(p.span, p.name)]), sort, p)
            return Variant(sort, variant, (), p.name)
        if ref is not None and isinstance(ref.item, sx.Const):
            raise self.problem("a constant as a pattern is not allowed in a candidate: write its value", p)
        bound[p.name] = sort
        return Anything(p.name)

    def variant_pattern(self, path: sx.Path, sort: Sort, at: sx.Node) -> tuple[Sort, int]:
        found, variant = self.variant(path, sort, at)
        if found is not sort:
            raise self.problem(f"the pattern `{path.text}` for a value of type `{sort}`", at)
        return found, variant

    def positions(
        self, elems: Sequence[sx.Pattern], sort: Sort, variant: int, at: sx.Node, bound: Locals
    ) -> tuple[tuple[int, Pattern], ...]:
        fields = sort.variants[variant].fields
        rest = next((i for i, e in enumerate(elems) if isinstance(e, sx.RestPat)), None)
        if rest is None and len(elems) != len(fields):
            raise self.problem(f"a pattern of {len(elems)} parts for {len(fields)}", at)
        if rest is not None and len(elems) - 1 > len(fields):
            raise self.problem(f"a pattern of more parts than there are ({len(fields)})", at)
        if rest is None:
            places = list(enumerate(elems))
        else:
            after = len(elems) - rest - 1
            places = [*enumerate(elems[:rest]), *((len(fields) - after + i, e) for i, e in enumerate(elems[rest + 1 :]))]
        return tuple((i, self.pattern(q, fields[i].sort, bound)) for i, q in places)

    def bound(self, e: sx.Expr, sort: Sort) -> int:
        """The value of a literal in a pattern."""
        node = self.expr(e, sort, {})
        if node.op not in ("lit", "const") or node.sort is not sort:
            raise self.problem(f"a literal of type `{sort}` is wanted in this pattern", e)
        value = node.data if node.op == "lit" else node.data.value
        assert isinstance(value, int)
        return value
