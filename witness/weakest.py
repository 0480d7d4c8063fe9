"""The weakest precondition of an expression: its value as a term, and what has to hold for it to have one.

In: a candidate's expression, the terms of the parameters. Out: `Meaning`: the result as a term; the obligations (no overflow, no
division by zero, indices in range, shift counts below the width, `unwrap` of Some, no recursion), each with the conditions under
which it is evaluated; and what is assumed of new collections (their views).

The result term is right where the obligations hold: it is mathematical, and nothing in it is cut to its type. `x as T` is read as
Verus reads it: x where it fits, else some value of T. That is weaker than Rust, which says which; so what is proved holds for
Rust. The calculus is Dijkstra's, on an expression language without assignment: wp(e, Q) = obligations(e) ∧ Q[result := term(e)].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from translate import terms as tm
from translate.elaborate import arithmetic
from translate.elaborate.patterns import field_of, is_variant
from translate.syntax import Span
from translate.terms import Sort, Term
from witness.expressions import Anything, Either, Exactly, Node, Pattern, Variant
from witness.methods import divide, divided, element_of, length_of


@dataclass(frozen=True, slots=True)
class Obligation:
    """`kind` says what must not happen, in words; `term` is a condition over the parameters; `at` the place in the candidate."""

    kind: str
    term: Term
    at: Span | None


@dataclass(slots=True)
class Meaning:
    """The result, what must hold for it to be one, what may be assumed."""

    result: Term
    obligations: list[Obligation] = field(default_factory=list)
    assumptions: list[Term] = field(default_factory=list)


def meaning_of(node: Node, parameters: Mapping[str, Term], word_bits: int | None) -> Meaning:
    """The meaning of an expression over the terms of its parameters. `word_bits`: the width of `usize` where it is fixed."""
    weakest = _Weakest(word_bits)
    result = weakest.term(node, dict(parameters))
    return Meaning(result, weakest.obligations, weakest.assumptions)


class _Weakest:
    def __init__(self, word_bits: int | None) -> None:
        self.word_bits = word_bits
        self.obligations: list[Obligation] = []
        self.assumptions: list[Term] = []
        self.path: list[Term] = []
        self.place: Span | None = None
        self.made = 0

    # --- what methods ask for -------------------------------------------------------------------------------------------

    def need(self, kind: str, condition: Term) -> None:
        term = tm.implies(tm.and_(self.path), condition)
        if term is not tm.TRUE:
            self.obligations.append(Obligation(kind, term, self.place))

    def low(self, sort: Sort) -> Term:
        return self._limit(sort, False)

    def high(self, sort: Sort) -> Term:
        return self._limit(sort, True)

    def _limit(self, sort: Sort, high: bool) -> Term:
        if sort.name in ("usize", "isize"):
            if self.word_bits is not None:
                limits = tm.word_range(f"{sort.name[0]}{self.word_bits}")
                return tm.lit(limits[high] or 0)
            if sort.name == "usize" and not high:
                return tm.ZERO
            return tm.mk("word", (), tm.INT, f"{sort.name}::{'MAX' if high else 'MIN'}")
        limit = tm.word_range(sort.name)[high]
        assert limit is not None
        return tm.lit(limit)

    def fresh_view(self, sort: Sort, view: Term) -> Term:
        new = self.fresh(sort)
        assert sort.view is not None
        self.assumptions.append(tm.eq(tm.mk("view", (new,), sort.view), view))
        return new

    def fresh(self, sort: Sort) -> Term:
        self.made += 1
        return tm.var(f"%new{self.made}", sort)

    # --- terms -----------------------------------------------------------------------------------------------------------

    def term(self, node: Node, env: dict[str, Term]) -> Term:
        match node.op:
            case "param" | "local":
                return env[node.data]
            case "lit":
                return tm.char_lit(chr(node.data)) if node.sort is tm.CHAR else tm.lit(node.data)
            case "const":
                found: Term = node.data.term
                return found
            case "and" | "or":
                left = self.term(node.args[0], env)
                right = self.under(left if node.op == "and" else tm.not_(left), node.args[1], env)
                return tm.and_([left, right]) if node.op == "and" else tm.or_([left, right])
            case "if":
                cond = self.term(node.args[0], env)
                then = self.under(cond, node.args[1], env)
                other = self.under(tm.not_(cond), node.args[2], env)
                return tm.ite(cond, then, other, node.sort)
            case "match":
                return self.matched(node, env)
        args = [self.term(a, env) for a in node.args]
        self.place = node.at
        return self.operated(node, args)

    def under(self, condition: Term, node: Node, env: dict[str, Term]) -> Term:
        """The term of what is evaluated only where a condition holds."""
        self.path.append(condition)
        try:
            return self.term(node, env)
        finally:
            self.path.pop()

    def matched(self, node: Node, env: dict[str, Term]) -> Term:
        subject = self.term(node.args[0], env)
        arms: list[tuple[Term, Term]] = []
        before: list[Term] = []
        for pattern, body in zip(node.data, node.args[1:], strict=True):
            bound: dict[str, Term] = {}
            here = condition_of(pattern, subject, bound)
            value = self.under(tm.and_([*map(tm.not_, before), here]), body, {**env, **bound})
            arms.append((here, value))
            before.append(here)
        result = arms[-1][1]  # patterns are exhaustive, or rustc refuses the candidate
        for here, value in reversed(arms[:-1]):
            result = tm.ite(here, value, result, node.sort)
        self.place = node.at
        self.need("a pattern matches", tm.or_(before))
        return result

    def operated(self, node: Node, args: list[Term]) -> Term:
        op, sort = node.op, node.sort
        match op:
            case "add" | "sub" | "mul":
                return self.exact(tm.arith(op, *args), sort)
            case "neg":
                return self.exact(tm.mk("neg", (args[0],), tm.INT), sort)
            case "div" | "rem":
                divide(sort, args[0], args[1], self)
                return divided("div" if op == "div" else "mod", sort, *args)
            case "bitand" | "bitor" | "bitxor" if sort is tm.BOOL:
                a, b = args
                return tm.and_([a, b]) if op == "bitand" else tm.or_([a, b]) if op == "bitor" else tm.not_(tm.eq(a, b))
            case "bitand" | "bitor" | "bitxor" | "bitnot":
                return tm.mk(op, tuple(args), sort)
            case "shl" | "shr":
                below = tm.arith("lt", args[1], self.width(sort))
                self.need("shift count out of range", tm.and_([tm.arith("le", tm.ZERO, args[1]), below]))
                return tm.mk(op, tuple(args), sort)
            case "not":
                return tm.not_(args[0])
            case "eq" | "ne":
                same = self.equal(node.args[0].sort, *args)
                return same if op == "eq" else tm.not_(same)
            case "lt" | "le":
                return tm.arith(op, *args)
            case "gt" | "ge":
                return tm.arith("lt" if op == "gt" else "le", args[1], args[0])
            case "ref" | "deref":
                return args[0]
            case "cast":
                source = node.args[0].sort
                if source is tm.BOOL:
                    return tm.ite(args[0], tm.ONE, tm.ZERO)
                return arithmetic.cast(args[0], source, sort)
            case "index":
                self.need("index out of range", tm.arith("lt", args[1], length_of(args[0])))
                return element_of(args[0], args[1])
            case "field":
                return field_of(args[0], node.args[0].sort, 0, node.data[0])
            case "ctor":
                return tm.mk("ctor", tuple(args), sort, node.data.variant)
            case "method":
                found: Term = node.data.term(node.args[0].sort, args, self)
                return found
            case "new":
                assert sort.view is not None
                return self.fresh_view(sort, tm.mk("seq.lit", (), sort.view))
            case "array":
                assert sort.view is not None
                return self.fresh_view(sort, tm.mk("seq.lit", tuple(args), sort.view))
            case "self":
                self.need("calls itself, and nothing shows that it ends", tm.FALSE)
                return self.fresh(sort)
        raise AssertionError(op)

    def exact(self, result: Term, sort: Sort) -> Term:
        """A mathematical result that has to fit into its type."""
        fits = []
        if not (sort.name[0] == "u" and result.op in ("add", "mul")):
            fits.append(tm.arith("le", self.low(sort), result))
        if not (sort.name[0] == "u" and result.op == "sub"):
            fits.append(tm.arith("le", result, self.high(sort)))
        self.need("overflow", tm.and_(fits))
        return result

    def width(self, sort: Sort) -> Term:
        if sort.name in ("usize", "isize"):
            return tm.mk("word", (), tm.INT, "usize::BITS") if self.word_bits is None else tm.lit(self.word_bits)
        return tm.lit(int(sort.name[1:]))

    def equal(self, sort: Sort, a: Term, b: Term) -> Term:
        """`==` of Rust: of collections, equal elements."""
        if sort.kind == "boxed" and sort.view is not None:
            return tm.eq(tm.mk("view", (a,), sort.view), tm.mk("view", (b,), b.sort.view or sort.view))
        return tm.eq(a, b)


def condition_of(pattern: Pattern, value: Term, bound: dict[str, Term]) -> Term:
    """When a value matches; what the pattern binds goes into `bound`."""
    match pattern:
        case Anything(name=name):
            if name:
                bound[name] = value
            return tm.TRUE
        case Exactly(low=low, high=high):
            if value.sort is tm.BOOL:
                return value if low else tm.not_(value)
            if low is not None and low == high:
                return tm.eq(value, tm.lit(low))
            parts = [] if low is None else [tm.arith("le", tm.lit(low), value)]
            return tm.and_([*parts, *([] if high is None else [tm.arith("le", value, tm.lit(high))])])
        case Variant(sort=sort, variant=variant, fields=fields):
            parts = [is_variant(value, sort, variant)]
            parts += [condition_of(p, field_of(value, sort, variant, i), bound) for i, p in fields]
            return tm.and_(parts)
        case Either(alternatives=alternatives):
            return tm.or_(condition_of(p, value, bound) for p in alternatives)
