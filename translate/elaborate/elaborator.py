"""Expressions to typed terms.

In: an expression of a specification, and the scope it stands in. Out: a `Typed` term. One `Elaborator` serves one file; it also
keeps what is learned on the way: which definitions each definition uses (so that a changed meaning can be named), and which
functions had no meaning that samespec knows.

Raises `Unsupported`, with the construct and its place, for everything that has no translation: never a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from translate import syntax as sx
from translate import terms as tm
from translate.elaborate import arithmetic
from translate.elaborate.calls import Calls
from translate.elaborate.definitions import Definitions
from translate.elaborate.inference import Inference, Unsupported, has_hole
from translate.elaborate.macros import expand_macro
from translate.elaborate.patterns import field_of, is_variant, match_pattern
from translate.elaborate.scope import Scope, Typed
from translate.elaborate.types import Types, TypeScope
from translate.names import Crate, Ref
from translate.terms import Sort, Term

EQUALITIES = frozenset({"==", "===", "=~=", "=~~="})
INEQUALITIES = frozenset({"!=", "!==", "!~=", "!~~=", "=!~=", "=!~~="})
COMPARISONS = frozenset({"<", "<=", ">", ">="})
FLOATS = frozenset({"real", "f16", "f32", "f64", "f128"})
ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "mod"}
BITS = {"&": "bitand", "|": "bitor", "^": "bitxor", "<<": "shl", ">>": "shr"}


class Elaborator:
    """The typed reading of one crate. `uses[p]` are the paths that the definition at path p names; `meanings[p]` what a path
    means: (kind, set of symbols/sorts/terms, item). `unknown` are functions that were taken as uninterpreted because nothing
    defines them."""

    def __init__(self, crate: Crate) -> None:
        self.crate = crate
        self.inference = Inference()
        self.types = Types(self)
        self.inference.instance = lambda s, args: self.types.data(self.types.item_of[s], args)
        self.calls = Calls(self)
        self.definitions = Definitions(self)
        self.uses: dict[str, dict[str, None]] = {}
        self.meanings: dict[str, tuple[str, dict[Any, None], Ref]] = {}
        self.unknown: dict[str, None] = {}
        self._reading: list[str] = []
        self._fresh = 0
        self._dispatch: dict[type, Callable[[Any, Scope, Sort | None], Typed]] = {
            sx.Literal: self._literal,
            sx.PathExpr: self.calls.path,
            sx.Unary: self._unary,
            sx.Borrow: lambda e, s, w: self.expr(e.operand, s, w),
            sx.Binary: self._binary,
            sx.Chain: self._chain,
            sx.BigOp: self._bool_only,
            sx.Call: self.calls.call,
            sx.MethodCall: self.calls.method,
            sx.Field: self._field,
            sx.Arrow: self._arrow,
            sx.View: lambda e, s, w: self.calls.view(self.expr(e.base, s), e.span, s),
            sx.Index: self._index,
            sx.Cast: self._cast,
            sx.Is: self._is,
            sx.Has: self._has,
            sx.Matches: self._bool_only,
            sx.LetCond: self._bool_only,
            sx.TupleExpr: self._tuple,
            sx.ArrayExpr: self._array,
            sx.StructExpr: self.calls.struct,
            sx.If: self._if,
            sx.Match: self._match,
            sx.Block: self._block,
            sx.Closure: self._closure,
            sx.Quantifier: self._quantifier,
            sx.AttrExpr: lambda e, s, w: self.expr(e.operand, s, w),
            sx.MacroCall: self._macro,
            sx.Range: self._range,
        }

    # --- bookkeeping -----------------------------------------------------------------------------------------------

    @contextmanager
    def reading(self, ref: Ref, kind: str) -> Iterator[None]:
        """While a definition is being read, what it names counts as its uses."""
        self._reading.append(ref.path)
        try:
            yield
        finally:
            self._reading.pop()

    def note_use(self, ref: Ref, kind: str, meaning: Any) -> None:
        """Records that what is being read names a definition, and what that means."""
        if self._reading and self._reading[-1] != ref.path:
            self.uses.setdefault(self._reading[-1], {})[ref.path] = None
        entry = self.meanings.setdefault(ref.path, (kind, {}, ref))
        entry[1][meaning] = None

    def closure_of(self, path: str) -> list[str]:
        """The definitions that a definition reaches, in order of first use."""
        seen: dict[str, None] = {}
        queue = [path]
        for p in queue:
            for q in self.uses.get(p, ()):
                if q not in seen:
                    seen[q] = None
                    queue.append(q)
        return list(seen)

    def fresh(self, sort: Sort) -> Term:
        """A variable that no source text can name; it is bound before anyone sees the term."""
        self._fresh += 1
        return tm.var(f"%{self._fresh}", sort)

    def scope_of(self, ref: Ref) -> TypeScope:
        """The type scope of an item, without generic parameters."""
        assert ref.crate is not None and ref.module is not None
        return TypeScope(ref.crate, ref.module)

    def source_text(self, crate: Crate, node: sx.Node) -> str:
        """A node's source text with white space folded."""
        return crate.source.folded(node.span)

    def constant_int(self, e: sx.Expr, scope: TypeScope) -> int | None:
        """The value of an integer constant expression such as an array length; None where it is not a literal value."""
        try:
            return arithmetic.fold(self.expr(e, Scope(scope), tm.USIZE).term)
        except Unsupported:
            return None

    def constant_key(self, e: sx.Expr, scope: TypeScope) -> str:
        """What a constant expression means, as text that two files agree on exactly when they mean the same."""
        return repr(self.finish(self.expr(e, Scope(scope), tm.USIZE).term))

    def finish(self, t: Term) -> Term:
        """The finished form of a term: no holes left."""
        return self.inference.zonk_term(t)

    def fail(self, construct: str, node: sx.Node | sx.Span, scope: Scope) -> Unsupported:
        span = node.span if isinstance(node, sx.Node) else node
        return Unsupported(construct, span, scope.types.crate)

    # --- entry -----------------------------------------------------------------------------------------------------

    def expr(self, e: sx.Expr, scope: Scope, want: Sort | None = None) -> Typed:
        """An expression. `want` is the type that its context expects, where it is known: a hint, checked by nobody."""
        handler = self._dispatch.get(type(e))
        if handler is None:
            raise self.fail(f"{type(e).__name__} expression in a specification", e, scope)
        return handler(e, scope, want)

    def boolean(self, e: sx.Expr, scope: Scope) -> Term:
        """A condition, without the names that it binds."""
        return self.condition(e, scope)[0]

    def condition(self, e: sx.Expr, scope: Scope) -> tuple[Term, Scope]:
        """A condition, and the scope in which its `matches` and `let` bindings are visible (where it holds)."""
        match e:
            case sx.Binary(op="&&"):
                left, inner = self.condition(e.left, scope)
                right, inner = self.condition(e.right, inner)
                return tm.and_([left, right]), inner
            case sx.BigOp(op="&&&"):
                parts = []
                for operand in e.operands:
                    part, scope = self.condition(operand, scope)
                    parts.append(part)
                return tm.and_(parts), scope
            case sx.BigOp():
                return tm.or_(self.boolean(o, scope) for o in e.operands), scope
            case sx.Binary(op="||"):
                return tm.or_([self.boolean(e.left, scope), self.boolean(e.right, scope)]), scope
            case sx.Binary(op="==>"):
                left, inner = self.condition(e.left, scope)
                return tm.implies(left, self.boolean(e.right, inner)), scope
            case sx.Binary(op="<=="):
                right, inner = self.condition(e.right, scope)
                return tm.implies(right, self.boolean(e.left, inner)), scope
            case sx.Binary(op="<==>"):
                return tm.eq(self.boolean(e.left, scope), self.boolean(e.right, scope)), scope
            case sx.Unary(op="!"):
                return tm.not_(self._as_bool(self.expr(e.operand, scope, tm.BOOL), e.operand, scope)), scope
            case sx.Matches() | sx.LetCond():
                value = self.expr(e.operand, scope)
                cond, names = match_pattern(self, e.pattern, value, scope)
                return cond, scope.bind(names)
            case sx.AttrExpr():
                return self.condition(e.operand, scope)
            case sx.Block() if not e.stmts and e.tail is not None:
                return self.boolean(e.tail, scope), scope
        return self._as_bool(self.expr(e, scope, tm.BOOL), e, scope), scope

    def _as_bool(self, value: Typed, e: sx.Node, scope: Scope) -> Term:
        if not self.inference.unify(value.sort, tm.BOOL):
            raise self.fail(f"condition of type {self.inference.zonk(value.sort)}", e, scope)
        return value.term

    def _bool_only(self, e: sx.Expr, scope: Scope, want: Sort | None) -> Typed:
        return Typed(self.boolean(e, scope), tm.BOOL)

    def equal(self, a: Typed, b: Typed, at: sx.Node | sx.Span, scope: Scope) -> Term:
        """`a == b` in Verus's sense."""
        if not self.inference.unify(a.sort, b.sort):
            raise self.fail(f"comparison of {self.inference.zonk(a.sort)} with {self.inference.zonk(b.sort)}", at, scope)
        return tm.eq(a.term, b.term)

    # --- literals and operators ------------------------------------------------------------------------------------

    def _literal(self, e: sx.Literal, scope: Scope, want: Sort | None) -> Typed:
        match e.kind:
            case "bool":
                return Typed(tm.lit(bool(e.value)), tm.BOOL)
            case "int":
                assert isinstance(e.value, int)
                if e.suffix in FLOATS:
                    return self._float(e, scope, want)
                if e.suffix in tm.INT_KINDS:
                    if not arithmetic.may_hold(e.value, tm.int_sort(e.suffix)):
                        raise self.fail(f"literal `{e.value}{e.suffix}` that its type does not hold", e, scope)
                    return Typed(tm.lit(e.value), tm.int_sort(e.suffix))
                want = None if want is None else self.inference.resolve(want)
                fits = want is not None and want.is_integer and arithmetic.may_hold(e.value, want)
                return Typed(tm.lit(e.value), want if want is not None and fits else tm.INT)
            case "float":
                return self._float(e, scope, want)
            case "char":
                return Typed(tm.char_lit(str(e.value)), tm.CHAR)
            case "byte":
                byte = e.value if isinstance(e.value, int) else e.value[0]
                return Typed(tm.lit(byte if isinstance(byte, int) else ord(byte)), tm.int_sort("u8"))
            case "str":
                sort = Sort("boxed", "str", (), view=tm.seq_sort(tm.CHAR))
                return Typed(
                    tm.app(tm.uninterpreted(f'"{e.value!s}"', (), sort, origin="vstd", key=f"str {e.value!s}"), ()), sort
                )
            case "bytestr":
                assert isinstance(e.value, bytes)
                return self._array_of([Typed(tm.lit(b), tm.int_sort("u8")) for b in e.value], tm.int_sort("u8"))
        raise self.fail(f"{e.kind} literal", e, scope)

    def _float(self, e: sx.Literal, scope: Scope, want: Sort | None) -> Typed:
        """A floating-point or real literal: a value of its own, of which nothing is known."""
        want = None if want is None else self.inference.resolve(want)
        name = e.suffix if e.suffix in FLOATS else want.name if want is not None and want.name in FLOATS else "real"
        sort = tm.opaque_sort(name)
        text = self.source_text(scope.types.crate, e).replace("_", "")
        return Typed(tm.app(tm.uninterpreted(text, (), sort, origin="vstd", key=f"float {text}"), ()), sort)

    def _unary(self, e: sx.Unary, scope: Scope, want: Sort | None) -> Typed:
        if e.op == "-":
            if isinstance(e.operand, sx.Literal) and e.operand.kind == "int" and e.operand.suffix in tm.INT_KINDS:
                assert isinstance(e.operand.value, int)
                sort = tm.int_sort(e.operand.suffix)
                if not arithmetic.may_hold(-e.operand.value, sort):
                    raise self.fail(f"literal `-{e.operand.value}{e.operand.suffix}` that its type does not hold", e, scope)
                return Typed(tm.lit(-e.operand.value), sort)
            value = self.expr(e.operand, scope, want)
            if value.term.op == "lit" and value.sort.is_integer:
                return Typed(tm.lit(-value.term.data), value.sort)
            if not self.inference.resolve(value.sort).is_integer:
                raise self.fail(f"negation of {value.sort}", e, scope)
            return Typed(tm.mk("neg", (value.term,), tm.INT), tm.INT)
        if e.op == "*":
            value = self.expr(e.operand, scope, want)
            return self.calls.through_pointer(value)
        value = self.expr(e.operand, scope, want)
        sort = self.inference.resolve(value.sort)
        if sort.is_integer and sort not in (tm.INT, tm.NAT):
            return Typed(tm.mk("bitnot", (value.term,), sort), sort)
        return Typed(tm.not_(self._as_bool(value, e.operand, scope)), tm.BOOL)

    def _binary(self, e: sx.Binary, scope: Scope, want: Sort | None) -> Typed:
        op = e.op
        if op in ("&&", "||", "==>", "<==", "<==>"):
            return Typed(self.boolean(e, scope), tm.BOOL)
        if op in EQUALITIES or op in INEQUALITIES:
            left, right = self.pair(e.left, e.right, scope)
            same = self.equal(left, right, e, scope)
            return Typed(tm.not_(same) if op in INEQUALITIES else same, tm.BOOL)
        if op in COMPARISONS:
            left, right = self.pair(e.left, e.right, scope)
            return Typed(self._compare(op, left, right, e, scope), tm.BOOL)
        if op in ARITHMETIC:
            return self._arithmetic(e, scope, want)
        if op in BITS:
            return self._bits(e, scope, want)
        raise self.fail(f"operator `{op}`", e, scope)

    def pair(self, a: sx.Expr, b: sx.Expr, scope: Scope, want: Sort | None = None) -> tuple[Typed, Typed]:
        """Two operands of one type: the one that says more about it is read first."""
        if isinstance(a, sx.Literal) and not isinstance(b, sx.Literal):
            right = self.expr(b, scope, want)
            return self.expr(a, scope, right.sort), right
        left = self.expr(a, scope, want)
        return left, self.expr(b, scope, left.sort)

    def _compare(self, op: str, a: Typed, b: Typed, e: sx.Node, scope: Scope) -> Term:
        for side in (a, b):
            sort = self.inference.resolve(side.sort)
            if sort.kind != "infer" and not sort.is_integer:  # an unknown type is fixed by its other uses, or is `int`
                return self.calls.overloaded_comparison(op, a, b, e, scope)
        if op in (">", ">="):
            a, b = b, a
        return tm.arith("lt" if op in ("<", ">") else "le", a.term, b.term)

    def _chain(self, e: sx.Chain, scope: Scope, want: Sort | None) -> Typed:
        values = [self.expr(x, scope) for x in (e.first, *e.rest)]
        parts = []
        for op, a, b in zip(e.ops, values, values[1:], strict=False):
            if op in COMPARISONS:
                parts.append(self._compare(op, a, b, e, scope))
            else:
                same = self.equal(a, b, e, scope)
                parts.append(tm.not_(same) if op in INEQUALITIES else same)
        return Typed(tm.and_(parts), tm.BOOL)

    def _arithmetic(self, e: sx.Binary, scope: Scope, want: Sort | None) -> Typed:
        left = self.expr(e.left, scope, want)
        sort = self.inference.resolve(left.sort)
        if not sort.is_integer and sort.kind != "infer":
            return self.calls.overloaded(e.op, left, e.right, e, scope)
        right = self.expr(e.right, scope, want)
        if self.inference.resolve(right.sort).kind not in ("int", "infer"):
            raise self.fail(f"operator `{e.op}` on {sort} and {right.sort}", e, scope)
        natural = e.op != "-" and all(self._never_negative(x) for x in (left, right))
        return Typed(tm.arith(ARITHMETIC[e.op], left.term, right.term), tm.NAT if natural else tm.INT)

    def _never_negative(self, x: Typed) -> bool:
        if x.term.op == "lit":
            return bool(x.term.data >= 0)
        return self.inference.resolve(x.sort).name == "nat"

    def _bits(self, e: sx.Binary, scope: Scope, want: Sort | None) -> Typed:
        shift = e.op in ("<<", ">>")
        left, right = (self.expr(e.left, scope, want), self.expr(e.right, scope)) if shift else self.pair(e.left, e.right, scope)
        sort = self.inference.resolve(left.sort)
        if sort is tm.BOOL:
            other = self._as_bool(right, e.right, scope)
            parts = [left.term, other]
            result = tm.and_(parts) if e.op == "&" else tm.or_(parts) if e.op == "|" else tm.not_(tm.eq(*parts))
            return Typed(result, tm.BOOL)
        if sort.kind in ("set", "map", "data", "opaque", "multiset"):
            return self.calls.overloaded(e.op, left, e.right, e, scope)
        if not shift and sort in (tm.INT, tm.NAT):
            sort = self.inference.resolve(right.sort)
        if sort in (tm.INT, tm.NAT) and want is not None and left.term.op == "lit":
            sort = self.inference.resolve(want)
        if not sort.is_integer or sort in (tm.INT, tm.NAT, tm.CHAR):
            raise self.fail(f"operator `{e.op}` on {sort}", e, scope)
        return Typed(tm.mk(BITS[e.op], (left.term, right.term), sort), sort)

    def _cast(self, e: sx.Cast, scope: Scope, want: Sort | None) -> Typed:
        target = self.types.sort(e.type, scope.types)
        value = self.expr(e.operand, scope)
        source = self.inference.resolve(value.sort)
        target = self.inference.resolve(target)
        if target.kind == "infer":
            return value
        if source.kind == "infer" and target.is_integer:
            self.inference.unify(source, tm.INT)
            source = tm.INT
        if source.is_integer and target.is_integer:
            return Typed(arithmetic.cast(value.term, source, target), target)
        if source is tm.BOOL and target.is_integer:
            return Typed(tm.ite(value.term, tm.ONE, tm.ZERO), target)
        if self.inference.unify(source, target):
            return Typed(value.term, target)
        if source.kind == "boxed" and target.kind == "boxed":  # `&v as &[T]`
            return self.calls.unknown(f"as {target}", [value], target, e.span, scope)
        if source.kind == "data" and target.is_integer and not source.is_struct:
            return Typed(self.calls.discriminant(value, source, e, scope), target)
        return self.calls.unknown(f"as {target}", [value], target, e.span, scope)

    # --- compound values -------------------------------------------------------------------------------------------

    def _tuple(self, e: sx.TupleExpr, scope: Scope, want: Sort | None) -> Typed:
        want = None if want is None else self.inference.resolve(want)
        wants: list[Sort | None] = [None] * len(e.elems)
        if want is not None and want.kind == "data" and want.name == "tuple" and len(want.args) == len(e.elems):
            wants = list(want.args)
        values = [self.expr(x, scope, w) for x, w in zip(e.elems, wants, strict=True)]
        sort = tm.tuple_sort(v.sort for v in values)
        return Typed(tm.mk("ctor", tuple(v.term for v in values), sort, 0), sort)

    def _array(self, e: sx.ArrayExpr, scope: Scope, want: Sort | None) -> Typed:
        elem = self.inference.hole()
        values = [self.expr(x, scope, elem) for x in e.elems]
        for v in values:
            self.inference.unify(elem, v.sort)
        return self._array_of(values, self.inference.zonk(elem))

    def _array_of(self, values: list[Typed], elem: Sort) -> Typed:
        """An array literal: a boxed value whose view is known (`Calls.view` reads it off the symbol's arguments)."""
        sort = Sort("boxed", "array", (elem,), view=tm.seq_sort(elem), length=len(values))
        sym = tm.uninterpreted("array", tuple(v.sort for v in values), sort, origin="vstd", key="array literal")
        return Typed(tm.app(sym, (v.term for v in values)), sort)

    def _range(self, e: sx.Range, scope: Scope, want: Sort | None) -> Typed:
        if e.low is None or e.high is None or e.inclusive:
            raise self.fail("half-open range as a value", e, scope)
        low, high = self.pair(e.low, e.high, scope)
        return self.calls.library_struct("Range", [low, high], e.span, scope)

    def _field(self, e: sx.Field, scope: Scope, want: Sort | None) -> Typed:
        base = self.expr(e.base, scope)
        return self.calls.field(base, e.name, e, scope)

    def _arrow(self, e: sx.Arrow, scope: Scope, want: Sort | None) -> Typed:
        base = self.calls.known(self.expr(e.base, scope))
        sort = self.inference.zonk(base.sort)
        if sort.kind == "data":
            for v, variant in enumerate(sort.variants):
                for i, f in enumerate(variant.fields):
                    if e.name in (f.name, f"{variant.name}_{f.name}"):
                        return Typed(field_of(base.term, sort, v, i), f.sort)
        if sort.kind == "opaque":
            return self.calls.unknown(f"->{e.name} of {sort}", [base], self.inference.hole(), e.span, scope)
        raise self.fail(f"`->{e.name}` on {sort}", e, scope)

    def _is(self, e: sx.Is, scope: Scope, want: Sort | None) -> Typed:
        base = self.expr(e.operand, scope)
        if self.calls.is_unseen(e.path, base.sort, scope):
            seen = self.calls.unseen_variant(e.path, self.calls.known(base), scope)
            return Typed(tm.not_(seen) if e.negated else seen, tm.BOOL)
        sort, variant = self.calls.variant_of_path(e.path, base.sort, scope)
        here = is_variant(base.term, sort, variant)
        return Typed(tm.not_(here) if e.negated else here, tm.BOOL)

    def _has(self, e: sx.Has, scope: Scope, want: Sort | None) -> Typed:
        base = self.expr(e.operand, scope)
        element = self.expr(e.element, scope)
        has = self.calls.method_on(base, "spec_has", [element], e.span, scope)
        return Typed(tm.not_(has.term) if e.negated else has.term, tm.BOOL)

    def _index(self, e: sx.Index, scope: Scope, want: Sort | None) -> Typed:
        base = self.expr(e.base, scope)
        sort = self.inference.resolve(base.sort)
        if sort.kind == "boxed" and sort.view is not None:
            base = self.calls.view(base, e.span, scope)
            sort = self.inference.resolve(base.sort)
        if sort.kind == "seq":
            if isinstance(e.index, sx.Range):
                raise self.fail("slice by a range", e, scope)
            index = self.expr(e.index, scope, tm.INT)
            if not self.inference.unify(index.sort, tm.INT):
                raise self.fail(f"index of type {index.sort}", e.index, scope)
            elem = self.inference.zonk(sort.element)
            return Typed(tm.mk("seq.index", (base.term, index.term), elem), elem)
        if sort.kind == "map":
            key, value = sort.args
            index = self.expr(e.index, scope, key)
            self.inference.unify(index.sort, key)
            value = self.inference.zonk(value)
            return Typed(tm.mk("map.index", (base.term, index.term), value), value)
        index = self.expr(e.index, scope)
        return self.calls.method_on(base, "spec_index", [index], e.span, scope)

    # --- control ---------------------------------------------------------------------------------------------------

    def _if(self, e: sx.If, scope: Scope, want: Sort | None) -> Typed:
        cond, inner = self.condition(e.cond, scope)
        then = self._block(e.then, inner, want)
        if e.orelse is None:
            raise self.fail("`if` without `else` in a specification", e, scope)
        other = self.expr(e.orelse, scope, want or then.sort)
        return self._join(cond, then, other, e, scope)

    def _join(self, cond: Term, a: Typed, b: Typed, e: sx.Node, scope: Scope) -> Typed:
        if not self.inference.unify(a.sort, b.sort):
            raise self.fail(f"branches of types {self.inference.zonk(a.sort)} and {self.inference.zonk(b.sort)}", e, scope)
        sort = tm.join_sorts(self.inference.zonk(a.sort), self.inference.zonk(b.sort))
        return Typed(tm.ite(cond, a.term, b.term, sort), sort)

    def _match(self, e: sx.Match, scope: Scope, want: Sort | None) -> Typed:
        value = self.expr(e.operand, scope)
        arms: list[tuple[Term, Typed]] = []
        for arm in e.arms:
            self._no_cfg(arm.attrs, arm, scope)
            cond, names = match_pattern(self, arm.pattern, value, scope)
            inner = scope.bind(names)
            if arm.guard is not None:
                guard, inner = self.condition(arm.guard, inner)
                cond = tm.and_([cond, guard])
            body = self.expr(arm.body, inner, want)
            want = want or body.sort
            arms.append((cond, body))
            if cond is tm.TRUE:
                break
        if not arms:
            raise self.fail("`match` without arms", e, scope)
        result = arms[-1][1]  # the arms are exhaustive, or Rust would not have it
        for cond, body in reversed(arms[:-1]):
            result = self._join(cond, body, result, e, scope)
        return result

    def _no_cfg(self, attrs: list[sx.Attr], node: sx.Node, scope: Scope) -> None:
        """Refuses a part that is there in some builds only."""
        if any(a.path in ("cfg", "cfg_attr") for a in attrs):
            raise self.fail("`cfg` inside an expression", node, scope)

    def _block(self, e: sx.Block, scope: Scope, want: Sort | None) -> Typed:
        if any(isinstance(s, sx.ItemStmt) for s in e.stmts):
            module = scope.types.crate.local_items(e, scope.types.module, f"{{{e.span.start}}}")
            scope = scope.in_types(scope.types.inside(module))
        for s in e.stmts:
            match s:
                case sx.LetStmt() if s.attrs:
                    self._no_cfg(s.attrs, s, scope)
                    raise self.fail("`let` with attributes", s, scope)
                case sx.LetStmt(init=None):
                    raise self.fail("`let` without a value", s, scope)
                case sx.LetStmt():
                    sort = None if s.type is None else self.types.sort(s.type, scope.types)
                    assert s.init is not None
                    value = self.expr(s.init, scope, sort)
                    if sort is not None:
                        self.inference.unify(sort, value.sort)
                        value = Typed(value.term, sort)
                    _, names = match_pattern(self, s.pattern, value, scope)
                    scope = scope.bind(names)
                case sx.ExprStmt():
                    if not self._is_hint(s.expr):
                        raise self.fail("statement in a specification", s, scope)
        if e.tail is None:
            return Typed(tm.mk("ctor", (), tm.UNIT, 0), tm.UNIT)
        return self.expr(e.tail, scope, want)

    def _is_hint(self, e: sx.Expr) -> bool:
        """Statements that only help the prover and mean nothing: `assert`, `reveal`, `broadcast use`, `let _ = …;`."""
        if isinstance(e, sx.Assert):
            return True
        if isinstance(e, sx.Call) and isinstance(e.func, sx.PathExpr):
            return e.func.path.segments[-1].name in ("reveal", "reveal_with_fuel", "hide", "reveal_strlit", "assert")
        return isinstance(e, sx.Block) and e.kind == "proof"

    def _binders(self, binders: list[sx.Binder], scope: Scope, wants: list[Sort | None]) -> tuple[list[Term], Scope]:
        """Fresh variables for bound ones, and the scope in which they are named."""
        variables: list[Term] = []
        names: dict[str, Typed] = {}
        for b, want in zip(binders, wants, strict=True):
            sort = want if b.type is None else self.types.sort(b.type, scope.types)
            v = self.fresh(sort or self.inference.hole())
            variables.append(v)
            cond, bound = match_pattern(self, b.pattern, Typed(v, v.sort), scope)
            if cond is not tm.TRUE:
                raise self.fail("refutable pattern for a bound variable", b, scope)
            names.update(bound)
        return variables, scope.bind(names)

    def _close(self, op: str, variables: list[Term], body: Term) -> Term:
        return tm.quantify(op, tuple(v.sort for v in variables), tm.abstract(body, tuple(variables)))

    def _quantifier(self, e: sx.Quantifier, scope: Scope, want: Sort | None) -> Typed:
        wants: list[Sort | None] = [None] * len(e.binders)
        if e.kind == "choose" and len(wants) == 1:
            wants = [want]
        variables, inner = self._binders(e.binders, scope, wants)
        body = self.boolean(e.body, inner)
        if any(has_hole(v.sort) for v in variables):
            sorts = [self.inference.zonk(v.sort, tm.INT) for v in variables]
            for v, s in zip(variables, sorts, strict=True):
                self.inference.unify(v.sort, s)
        if e.kind == "choose":
            sorts = [self.inference.zonk(v.sort) for v in variables]
            sort = sorts[0] if len(sorts) == 1 else tm.tuple_sort(sorts)
            body = tm.abstract(body, tuple(variables))
            return Typed(tm.quantify("choose", tuple(sorts), body, sort), sort)
        return Typed(self._close(e.kind, variables, body), tm.BOOL)

    def _closure(self, e: sx.Closure, scope: Scope, want: Sort | None) -> Typed:
        want = None if want is None else self.inference.resolve(want)
        wants: list[Sort | None] = [None] * len(e.params)
        result: Sort | None = None
        if want is not None and want.kind == "fn" and len(want.args) == len(e.params) + 1:
            *params, result = want.args
            wants = list(params)
        if e.clauses:
            raise self.fail("executable closure in a specification", e, scope)
        variables, inner = self._binders(e.params, scope, wants)
        body = self.expr(e.body, inner, result)
        if result is not None:
            self.inference.unify(result, body.sort)
        sorts = tuple(self.inference.zonk(v.sort) for v in variables)
        closed = tm.abstract(body.term, tuple(variables))
        sort = tm.fn_sort(sorts, body.sort)
        return Typed(tm.mk("lambda", (closed,), sort, sorts), sort)

    def _macro(self, e: sx.MacroCall, scope: Scope, want: Sort | None) -> Typed:
        return expand_macro(self, e, scope, want)
