"""Literals, operators, conditionals, indices, fields, tuples in candidates: the whole of an expression.

In: the syntax of an expression. Out: typed nodes, or `NotAllowed`: every kind of node is refused unless it is handled here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from translate import syntax as sx
from translate import terms as tm
from translate.elaborate.inference import Unsupported
from translate.terms import BOOL, CHAR, USIZE, Sort
from witness.expressions import Constructor, Node
from witness.language.base import Locals, is_comparable, is_number
from witness.language.patterns import Patterns
from witness.numbers import in_bounds

_BINARY: Final = {
    "+": "add", "-": "sub", "*": "mul", "/": "div", "%": "rem", "&": "bitand", "|": "bitor", "^": "bitxor", "<<": "shl",
    ">>": "shr", "==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge", "&&": "and", "||": "or",
}  # fmt: skip
_COMPARISONS: Final = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})
_REFUSED: Final[dict[type, str]] = {
    sx.Loop: "a loop", sx.Jump: "a jump (`return`, `break`, `continue`)", sx.MacroCall: "a macro", sx.Assign: "an assignment",
    sx.Closure: "a closure", sx.Try: "the operator `?`", sx.Await: "`await`", sx.Assert: "an assertion", sx.Range: "a range",
    sx.View: "a view (`x@`, specification only)", sx.Quantifier: "a quantifier (specification only)",
    sx.Arrow: "`->` (specification only)", sx.Is: "`is` (specification only; write `match`)",
    sx.Has: "`has` (specification only)",
    sx.Matches: "`matches` (specification only; write `match`)", sx.BigOp: "`&&&` or `|||` (specification only)",
    sx.Chain: "a chain of comparisons (specification only; write `a < b && b < c`)", sx.AttrExpr: "an attribute",
    sx.AtomicCall: "an atomic call", sx.RepeatExpr: "an array by repetition (write the elements)", sx.Underscore: "`_`",
}  # fmt: skip


class Operators(Patterns):
    # --- expressions -----------------------------------------------------------------------------------------------------

    def expr(self, e: sx.Expr, want: Sort | None, env: Locals) -> Node:
        refused = _REFUSED.get(type(e))
        if refused is not None:
            raise self.problem(f"{refused} is not allowed in a candidate: write an expression without side effects", e)
        match e:
            case sx.Literal():
                return self.literal(e, want)
            case sx.PathExpr():
                return self.path(e, want, env)
            case sx.Unary():
                return self.unary(e, want, env)
            case sx.Borrow():
                if e.mutable or e.raw:
                    raise self.problem("a borrow for change is not allowed in a candidate", e)
                inner = self.expr(e.operand, want, env)
                return Node("ref", (inner,), inner.sort, None, e.span)
            case sx.Binary():
                return self.binary(e, want, env)
            case sx.Cast():
                return self.cast(e, env)
            case sx.If():
                return self.conditional(e, want, env)
            case sx.Match():
                return self.matched(e.operand, [(a.pattern, a.guard, a.body, a.attrs) for a in e.arms], e, want, env)
            case sx.Block():
                return self.block(e, want, env)
            case sx.Index():
                return self.index(e, env)
            case sx.Field():
                return self.field(e, env)
            case sx.TupleExpr():
                return self.tuple(e, want, env)
            case sx.ArrayExpr():
                return self.array(e, want, env)
            case sx.Call():
                return self.call(e, want, env)
            case sx.MethodCall():
                return self.method(e, want, env)
            case sx.StructExpr():
                return self.struct(e, want, env)
        raise self.problem(f"{type(e).__name__} is not allowed in a candidate", e)

    def block(self, e: sx.Block, want: Sort | None, env: Locals) -> Node:
        if e.kind:
            raise self.problem(f"a block marked `{e.kind}` is not allowed in a candidate", e)
        if e.label is not None or e.stmts:
            at = e.stmts[0] if e.stmts else e
            raise self.problem("statements are not allowed in a candidate: a block holds one expression", at)
        if e.tail is None:
            return Node("ctor", (), tm.UNIT, Constructor("", 0), e.span)
        return self.expr(e.tail, want, env)

    def literal(self, e: sx.Literal, want: Sort | None) -> Node:
        match e.kind, e.value:
            case "bool", bool(value):
                return Node("lit", (), BOOL, value, e.span)
            case "char", str(value):
                return Node("lit", (), CHAR, ord(value), e.span)
            case "byte", value:
                code = value if isinstance(value, int) else ord(value) if isinstance(value, str) else value[0]
                return Node("lit", (), tm.int_sort("u8"), code, e.span)
            case "int", int(value):
                return Node("lit", (), self.number(e, value, want), value, e.span)
        raise self.problem(f"a literal of kind `{e.kind}` is not allowed in a candidate: integers, bool and char are", e)

    def number(self, e: sx.Literal, value: int, want: Sort | None, at: sx.Node | None = None) -> Sort:
        """The type of an integer literal: its suffix, what is wanted there, or Rust's default."""
        sort = want if want is not None and want.is_integer and want is not CHAR else tm.int_sort("i32")
        if e.suffix:
            if e.suffix not in tm.INT_KINDS or e.suffix in ("int", "nat", "char"):
                raise self.problem(f"a literal of type `{e.suffix}` is not allowed in a candidate", e)
            sort = tm.int_sort(e.suffix)
        if not in_bounds(value, sort, self.opened.word):
            raise self.problem(f"`{value}` is out of the range of `{sort}`", at or e)
        return sort

    def unary(self, e: sx.Unary, want: Sort | None, env: Locals) -> Node:
        if e.op == "-" and isinstance(e.operand, sx.Literal) and e.operand.kind == "int" and isinstance(e.operand.value, int):
            sort = self.number(e.operand, -e.operand.value, want, e)
            if sort.name[0] != "i":
                raise self.problem(f"`-` of a value of type `{sort}`", e)
            return Node("lit", (), sort, -e.operand.value, e.span)
        inner = self.expr(e.operand, want, env)
        if e.op == "*":
            return Node("deref", (inner,), inner.sort, None, e.span)
        if e.op == "-":
            if not is_number(inner.sort) or inner.sort.name[0] != "i":
                raise self.problem(f"`-` of a value of type `{inner.sort}`", e)
            return Node("neg", (inner,), inner.sort, None, e.span)
        if inner.sort is BOOL:
            return Node("not", (inner,), BOOL, None, e.span)
        if not is_number(inner.sort):
            raise self.problem(f"`!` of a value of type `{inner.sort}`", e)
        return Node("bitnot", (inner,), inner.sort, None, e.span)

    def binary(self, e: sx.Binary, want: Sort | None, env: Locals) -> Node:
        op = _BINARY.get(e.op)
        if op is None:
            raise self.problem(f"the operator `{e.op}` is not allowed in a candidate", e)
        if op in ("and", "or"):
            left = self.typed(e.left, BOOL, env, f"the left of `{e.op}`")
            right = self.typed(e.right, BOOL, env, f"the right of `{e.op}`")
            return Node(op, (left, right), BOOL, None, e.span)
        if op in ("shl", "shr"):
            left, right = self.expr(e.left, want, env), self.expr(e.right, None, env)
            if not is_number(left.sort) or not is_number(right.sort):
                raise self.problem(f"`{e.op}` of `{left.sort}` and `{right.sort}`", e)
            return Node(op, (left, right), left.sort, None, e.span)
        left, right = self.pair(e.left, e.right, None if op in _COMPARISONS else want, env)
        if left.sort is not right.sort:
            raise self.problem(f"`{e.op}` of two types, `{left.sort}` and `{right.sort}`: cast one with `as`", e)
        if op in ("eq", "ne"):
            if not is_comparable(left.sort):
                raise self.problem(f"`{e.op}` of values of type `{left.sort}` is not allowed in a candidate: use `match`", e)
            return Node(op, (left, right), BOOL, None, e.span)
        if op in _COMPARISONS:
            if not left.sort.is_integer:
                raise self.problem(f"`{e.op}` of values of type `{left.sort}` is not allowed in a candidate", e)
            return Node(op, (left, right), BOOL, None, e.span)
        if op in ("bitand", "bitor", "bitxor") and left.sort is BOOL:
            return Node(op, (left, right), BOOL, None, e.span)
        if not is_number(left.sort):
            raise self.problem(f"`{e.op}` of values of type `{left.sort}`", e)
        return Node(op, (left, right), left.sort, None, e.span)

    def pair(self, a: sx.Expr, b: sx.Expr, want: Sort | None, env: Locals) -> tuple[Node, Node]:
        """Two operands of one type: the one that tells its type is read first."""
        if self.is_open(a) and not self.is_open(b):
            right = self.expr(b, want, env)
            return self.expr(a, right.sort, env), right
        left = self.expr(a, want, env)
        return left, self.expr(b, left.sort, env)

    def is_open(self, e: sx.Expr) -> bool:
        """Whether an expression takes its type from around it."""
        match e:
            case sx.Literal():
                return e.kind == "int" and not e.suffix
            case sx.Unary():
                return self.is_open(e.operand)
            case sx.Binary():
                return _BINARY.get(e.op) not in (*_COMPARISONS, "and", "or") and self.is_open(e.left) and self.is_open(e.right)
            case sx.If():
                other = e.orelse is None or self.is_open(e.orelse)
                return e.then.tail is not None and self.is_open(e.then.tail) and other
            case sx.Block():
                return e.tail is not None and self.is_open(e.tail)
            case sx.PathExpr():
                return e.path.segments[-1].name == "None"
        return False

    def cast(self, e: sx.Cast, env: Locals) -> Node:
        target = self.type(e.type)
        inner = self.expr(e.operand, target if is_number(target) and self.is_open(e.operand) else None, env)
        source = inner.sort
        number = is_number(source)
        if not ((is_number(target) and (number or source in (BOOL, CHAR))) or (target is CHAR and source.name == "u8")):
            raise self.problem(f"`{source}` as `{target}` is not allowed in a candidate: integers, bool and char can be cast", e)
        return Node("cast", (inner,), target, None, e.span)

    def type(self, t: sx.Type) -> Sort:
        try:
            return self.el.types.sort(t, self.opened.types)
        except Unsupported as problem:
            raise self.problem(f"type not known: {problem.construct}", t) from None

    def conditional(self, e: sx.If, want: Sort | None, env: Locals) -> Node:
        if e.orelse is None:
            raise self.problem("`if` without `else` is a statement: give both values", e)
        if isinstance(e.cond, sx.LetCond):
            arms: list[tuple[sx.Pattern, sx.Expr | None, sx.Expr, list[sx.Attr]]]
            arms = [(e.cond.pattern, None, e.then, []), (sx.WildPat(e.span), None, e.orelse, [])]
            return self.matched(e.cond.operand, arms, e, want, env)
        cond = self.typed(e.cond, BOOL, env, "the condition")
        if want is None and self.is_open(e.then):
            other = self.expr(e.orelse, None, env)
            then = self.expr(e.then, other.sort, env)
        else:
            then = self.expr(e.then, want, env)
            other = self.expr(e.orelse, want or then.sort, env)
        if then.sort is not other.sort:
            raise self.problem(f"the branches have two types, `{then.sort}` and `{other.sort}`", e)
        return Node("if", (cond, then, other), then.sort, None, e.span)

    def index(self, e: sx.Index, env: Locals) -> Node:
        base = self.expr(e.base, None, env)
        if base.sort.kind != "boxed" or base.sort.name not in ("Vec", "slice", "array"):
            raise self.problem(f"an index of a value of type `{base.sort}` is not allowed in a candidate", e)
        return Node("index", (base, self.typed(e.index, USIZE, env, "the index")), base.sort.element, None, e.span)

    def field(self, e: sx.Field, env: Locals) -> Node:
        base = self.expr(e.base, None, env)
        if base.sort.kind == "data" and base.sort.is_struct:
            for i, f in enumerate(base.sort.variants[0].fields):
                if f.name == e.name:
                    self.executable(f.sort, e)
                    return Node("field", (base,), f.sort, (i, f.name), e.span)
        raise self.problem(f"`{base.sort}` has no field `{e.name}`", e)

    def tuple(self, e: sx.TupleExpr, want: Sort | None, env: Locals) -> Node:
        wants: Sequence[Sort | None] = [None] * len(e.elems)
        if want is not None and want.kind == "data" and want.name == "tuple" and len(want.args) == len(e.elems):
            wants = want.args
        parts = tuple(self.expr(x, w, env) for x, w in zip(e.elems, wants, strict=True))
        return Node("ctor", parts, tm.tuple_sort(p.sort for p in parts), Constructor("", 0), e.span)

    def array(self, e: sx.ArrayExpr, want: Sort | None, env: Locals) -> Node:
        element = want.element if want is not None and want.kind == "boxed" and want.name in ("array", "slice") else None
        if not e.elems:
            raise self.problem("an empty array is not allowed in a candidate: write `Vec::new()`", e)
        first = self.expr(e.elems[0], element, env)
        rest = [self.typed(x, first.sort, env, "the element") for x in e.elems[1:]]
        sort = Sort("boxed", "array", (first.sort,), view=tm.seq_sort(first.sort), length=len(e.elems))
        return Node("array", (first, *rest), sort, None, e.span)
