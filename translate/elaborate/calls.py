"""Names in expressions: paths, calls, methods, fields, constructors.

In: a path, call or method call with its scope. Out: the typed term of what it means. A name is resolved by `translate.names`; a
method by the type of its receiver: inherent functions of the file, then the vocabulary's, then trait implementations, then the
bounds of a type parameter. What nothing defines becomes an uninterpreted symbol, and `Elaborator.unknown` says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from translate import syntax as sx
from translate import terms as tm
from translate.elaborate import arithmetic
from translate.elaborate.inference import has_hole
from translate.elaborate.methods import Method, Methods
from translate.elaborate.patterns import field_of, is_variant
from translate.elaborate.scope import Scope, Typed
from translate.elaborate.traits import TraitName
from translate.elaborate.types import TRANSPARENT, exact_text
from translate.names import LIBRARY_ROOTS, Module, Ref
from translate.terms import Sort, Term

if TYPE_CHECKING:
    from translate.elaborate.elaborator import Elaborator

OPERATOR_METHODS = {
    "+": "spec_add", "-": "spec_sub", "*": "spec_mul", "/": "spec_euclidean_or_real_div", "%": "spec_euclidean_mod",
    "&": "spec_bitand", "|": "spec_bitor", "^": "spec_bitxor", "<<": "spec_shl", ">>": "spec_shr",
    "<": "spec_lt", "<=": "spec_le", ">": "spec_gt", ">=": "spec_ge",
}  # fmt: skip


class Calls:
    def __init__(self, elaborator: Elaborator) -> None:
        self.el = elaborator
        self.methods = Methods(elaborator)

    # --- paths -----------------------------------------------------------------------------------------------------

    def path(self, e: sx.PathExpr, scope: Scope, want: Sort | None) -> Typed:
        """A path as a value: variable, constant, unit variant, or a function passed as a value."""
        p = e.path
        names = p.names
        if len(names) == 1 and p.qself is None and names[0] in scope.locals:
            return scope.locals[names[0]]
        if len(names) == 1 and p.qself is None and names[0] in scope.types.generics:
            return self._const_parameter(scope.types.generics[names[0]])
        found = self._value_ref(p, scope)
        if isinstance(found, Method):
            item = found.ref.item
            if isinstance(item, sx.Const):
                return self.el.definitions.constant(found.ref, found.self_sort)
            if isinstance(item, sx.Fn):
                return self._function_value(found.ref, found.self_sort, p, scope, want)
        if isinstance(found, Typed):
            return found
        if isinstance(found, Ref):
            match found.item:
                case sx.Const():
                    return self.el.definitions.constant(found, None)
                case sx.Variant() | sx.Struct():
                    sort, variant = self.variant_of_path(p, want, scope)
                    fields = sort.variants[variant].fields
                    if not fields:
                        return Typed(tm.mk("ctor", (), sort, variant), sort)
                    vs = tuple(self.el.fresh(f.sort) for f in fields)
                    body = tm.abstract(tm.mk("ctor", vs, sort, variant), vs)
                    fn = tm.fn_sort((f.sort for f in fields), sort)
                    return Typed(tm.mk("lambda", (body,), fn, tuple(f.sort for f in fields)), fn)
                case sx.Fn():
                    return self._function_value(found, None, p, scope, want)
        if names == ["Self"] and scope.types.self_sort is not None:
            sort, variant = self.variant_of_path(p, want, scope)
            return Typed(tm.mk("ctor", (), sort, variant), sort)
        sort = want or self.el.inference.hole()
        name = p.text
        if names[0] in scope.types.generics or names[0] == "Self":  # called by the type, not by what the file calls it
            base = scope.types.self_sort if names[0] == "Self" else scope.types.generics[names[0]]
            name = "::".join([str(base and self.el.inference.zonk(base)), *names[1:]])
        return self.unknown(name, [], sort, p.span, scope)

    def _const_parameter(self, sort: Sort) -> Typed:
        """A const parameter as a value: the number it is used at, or a variable of its name."""
        sort = self.el.inference.resolve(sort)
        if sort.kind == "opaque" and sort.name.isdigit():
            return Typed(tm.lit(int(sort.name)), tm.USIZE)
        return Typed(tm.var(sort.name, tm.USIZE), tm.USIZE)

    def _value_ref(self, p: sx.Path, scope: Scope) -> Ref | Method | Typed | None:
        """What a path names among values: an item, an associated item of a type, or a built-in constant."""
        ts = scope.types
        names = p.names
        if p.qself is not None:
            trait = None if p.qself_trait is None else self.methods.named(p.qself_trait, ts)
            return self._associated(self.el.types.sort(p.qself, ts), names[-1], trait, p, scope)
        ref = None
        if names[0] not in ts.generics and names[0] != "Self":
            ref = ts.crate.resolve(names, ts.module, "values")
            if ref is not None and ref.item is not None:
                return ref
        if len(names) < 2:
            return ref
        prefix = sx.Path(p.span, p.segments[:-1], p.rooted)
        tref = ts.crate.resolve(names[:-1], ts.module, "types") if names[0] not in ts.generics and names[0] != "Self" else None
        if tref is not None and isinstance(tref.item, sx.Trait):
            for item in tref.item.items:
                if isinstance(item, sx.Fn | sx.Const) and item.name == names[-1]:
                    return Ref(f"{tref.path}::{item.name}", item, tref.module, tref.crate, tref.item)
            return ref
        if tref is not None and (isinstance(tref.item, Module)):
            return ref
        known = tref is not None and tref.item is not None
        if known or names[0] in ts.generics or names[0] == "Self" or names[0] in tm.INT_KINDS or names[0] in ("bool", "str"):
            return self._associated(self.el.types.path_sort(prefix, ts), names[-1], None, p, scope)
        return ref

    def _associated(
        self, base: Sort, name: str, trait: TraitName | None, p: sx.Path, scope: Scope
    ) -> Ref | Method | Typed | None:
        """`T::name` for a sort: an enum's variant, a function or constant of its impls, or a limit of an integer type."""
        base = self.el.inference.resolve(base)
        if base.is_integer and name in ("MAX", "MIN", "BITS"):
            return self._limit(base, name, scope)
        item = self.el.types.item_of.get(base)
        if item is not None and isinstance(item.item, sx.Enum):
            variant = item.crate._variant(item, name) if item.crate is not None else None
            if variant is not None:
                return variant
        found = self.methods.find(base, name, scope, p, trait)
        if found is None:
            shown = f"<{base} as {trait.path}>::{name}" if trait is not None else f"{base}::{name}"
            return Ref(shown, None, None, None, None)
        return found

    def _limit(self, sort: Sort, name: str, scope: Scope) -> Typed | None:
        result = tm.int_sort("u32") if name == "BITS" else sort
        bits = {"usize": scope.types.crate.word_bits, "isize": scope.types.crate.word_bits}.get(sort.name)
        if sort.name in ("usize", "isize") and bits is None:
            if sort.name == "usize" and name == "MIN":
                return Typed(tm.ZERO, result)
            which = "usize::BITS" if name == "BITS" else f"{sort.name}::{name}"
            return Typed(tm.mk("word", (), tm.INT, which), result)
        if sort.name in ("int", "nat", "char"):
            return Typed(tm.lit(0x10FFFF), result) if sort is tm.CHAR and name == "MAX" else None
        kind = f"{sort.name[0]}{bits}" if bits else sort.name
        low, high = tm.word_range(kind)
        value = int(kind[1:]) if name == "BITS" else low if name == "MIN" else high
        assert value is not None
        return Typed(tm.lit(value), result)

    def variant_of_path(self, p: sx.Path, hint: Sort | None, scope: Scope) -> tuple[Sort, int]:
        """The data sort and variant that a constructor path names; `hint` is the expected sort."""
        ts = scope.types
        names = p.names
        hint = None if hint is None else self.el.inference.resolve(hint)
        if names[0] in ("Self", *ts.generics):
            base = self.el.types.path_sort(sx.Path(p.span, p.segments[:1]), ts)
            return self._variant_named(base, names[-1] if len(names) > 1 else None, p, scope)
        ref = ts.crate.resolve(names, ts.module, "values")
        if ref is None or ref.item is None:
            ref = ts.crate.resolve(names, ts.module, "types")
        if ref is not None and isinstance(ref.item, sx.Variant):
            assert isinstance(ref.owner, sx.Enum)
            enum = Ref(ref.path.rsplit("::", 1)[0], ref.owner, ref.module, ref.crate)
            sort = self._data_sort(enum, p.segments[-2:], hint, scope)
            return self._variant_named(sort, ref.item.name, p, scope)
        if ref is not None and isinstance(ref.item, sx.Struct):
            return self._data_sort(ref, p.segments[-1:], hint, scope), 0
        if ref is not None and isinstance(ref.item, sx.TypeAlias):
            base = self.el.types.path_sort(p, ts)
            return self._variant_named(base, None, p, scope)
        if len(names) > 1:
            prefix = ts.crate.resolve(names[:-1], ts.module, "types")
            if prefix is not None and isinstance(prefix.item, sx.TypeAlias):
                base = self.el.types.path_sort(sx.Path(p.span, p.segments[:-1]), ts)
                return self._variant_named(base, names[-1], p, scope)
        if hint is not None and hint.kind == "data":  # `e is Variant` needs no path
            return self._variant_named(hint, names[-1], p, scope)
        raise self.el.fail(f"constructor `{p.text}`, which is defined nowhere that samespec sees", p, scope)

    def unseen_path(self, p: sx.Path, scope: Scope) -> str:
        """The full path of a constructor that samespec does not see, with where its name may come from."""
        ts = scope.types
        names = p.names
        ref = ts.crate.resolve(names, ts.module, "values") or ts.crate.resolve(names, ts.module, "types")
        globs = ts.crate.unseen_globs(ts.module) if ref is None else []
        return (p.text if ref is None else ref.path) + (f" through {globs}" if globs else "")

    def is_unseen(self, p: sx.Path, hint: Sort | None, scope: Scope) -> bool:
        """Whether a constructor belongs to a type that samespec has no text of."""
        ts = scope.types
        names = p.names
        hint = None if hint is None else self.el.inference.resolve(hint)
        if names[0] in ("Self", *ts.generics) or (hint is not None and hint.kind not in ("opaque", "infer")):
            return False
        ref = ts.crate.resolve(names, ts.module, "values")
        if ref is None or ref.item is None:
            ref = ts.crate.resolve(names, ts.module, "types")
        if ref is not None and ref.item is not None:
            return False
        owner = ts.crate.resolve(names[:-1], ts.module, "types") if len(names) > 1 else None
        return owner is None or owner.item is None

    def unseen_variant(self, p: sx.Path, value: Typed, scope: Scope) -> Term:
        """`x is V` of a type that samespec has no text of."""
        return self.unknown(f"is {self.unseen_path(p, scope)}", [value], tm.BOOL, p.span, scope).term

    def unseen_field(self, p: sx.Path, name: str, value: Typed, scope: Scope) -> Typed:
        """A field of a variant of such a type."""
        hole = self.el.inference.hole()
        return self.unknown(f"{self.unseen_path(p, scope)}.{name}", [value], hole, p.span, scope)

    def _data_sort(self, ref: Ref, segments: list[sx.PathSegment], hint: Sort | None, scope: Scope) -> Sort:
        args = next((s.args for s in reversed(segments) if s.args is not None), None)
        sort = self.el.types.ref_sort(ref, args, sx.Path(segments[0].span, segments), scope.types)
        if hint is not None:
            self.el.inference.unify(sort, hint)
        return self.el.inference.zonk(sort)

    def _variant_named(self, sort: Sort, name: str | None, p: sx.Path, scope: Scope) -> tuple[Sort, int]:
        sort = self.el.inference.zonk(sort)
        if sort.kind == "data":
            if name is None or (sort.is_struct and name == sort.name):
                return sort, 0
            for i, v in enumerate(sort.variants):
                if v.name == name:
                    return sort, i
        raise self.el.fail(f"`{p.text}` is no variant of {sort}", p, scope)

    # --- calls -----------------------------------------------------------------------------------------------------

    def call(self, e: sx.Call, scope: Scope, want: Sort | None) -> Typed:
        f = e.func
        if not isinstance(f, sx.PathExpr):
            return self.apply(self.el.expr(f, scope), e.args, e, scope)
        p = f.path
        names = p.names
        if len(names) == 1 and p.qself is None and names[0] in scope.locals:
            return self.apply(scope.locals[names[0]], e.args, e, scope)
        found = self._value_ref(p, scope)
        if names[-1] == "new" and len(e.args) == 1 and self._is_transparent(p, scope):
            return self.el.expr(e.args[0], scope, want)
        if (isinstance(found, Ref) and found.item is None and found.crate is None) or found is None:
            special = self._special(names if found is None else found.path.split("::"), e, scope, want)
            if special is not None:
                return special
        explicit = p.segments[-1].args
        match found:
            case Method(ref=ref, self_sort=self_sort) if isinstance(ref.item, sx.Fn):
                return self.invoke(ref, self_sort, explicit, e.args, [], scope, want, e)
            case Ref(item=sx.Fn()):
                return self._plain_function(found, explicit, e, scope, want)
            case Ref(item=sx.Variant() | sx.Struct()):
                return self._construct(p, e, scope, want)
            case Method() | Typed():
                return self.apply(self.path(f, scope, None), e.args, e, scope)
        if names == ["Self"]:
            return self._construct(p, e, scope, want)
        args = [self.el.expr(a, scope) for a in e.args]
        path = found.path if isinstance(found, Ref) else p.text
        return self.unknown(path, args, want or self.el.inference.hole(), e.span, scope)

    def _is_transparent(self, p: sx.Path, scope: Scope) -> bool:
        """Whether a path leads into `Box`, `Rc` or `Arc`, which a specification sees through."""
        if len(p.segments) < 2 or p.qself is not None:
            return False
        ref = scope.types.crate.resolve([s.name for s in p.segments[:-1]], scope.types.module, "types")
        return ref is not None and ref.name in TRANSPARENT and ref.crate is not None and ref.crate.name == "vstd"

    def _plain_function(self, ref: Ref, explicit: sx.GenericArgs | None, e: sx.Call, scope: Scope, want: Sort | None) -> Typed:
        if isinstance(ref.owner, sx.Trait) and e.args:  # `Trait::f(x, …)`: the receiver says whose
            assert isinstance(ref.item, sx.Fn)
            if not ref.item.params or ref.item.params[0].self_kind is None:
                raise self.el.fail(f"`{ref.path}` without the type that it is of", e, scope)
            recv = self.el.expr(e.args[0], scope)
            found = self.methods.find(recv.sort, ref.name, scope, e, TraitName(id(ref.owner), ""))
            if found is not None:
                return self.invoke(found.ref, found.self_sort, explicit, e.args[1:], [recv], scope, want, e)
            return self.invoke(ref, recv.sort, explicit, e.args[1:], [recv], scope, want, e)
        return self.invoke(ref, None, explicit, e.args, [], scope, want, e)

    def _special(self, names: list[str], e: sx.Call, scope: Scope, want: Sort | None) -> Typed | None:
        """What is syntax rather than a function: `old(x)`, `final(x)`, `spec_affirm(b)`, …"""
        if len(names) > 1 and names[0] not in LIBRARY_ROOTS:
            return None
        match names[-1], e.args:
            case "old", [x]:
                if _parameter(x, scope) is None:
                    raise self.el.fail("`old` of something other than a parameter", e, scope)
                return self.el.expr(x, scope.before(), want)
            case "final", [x]:
                name = _parameter(x, scope)
                if name is not None and scope.pre[name] != scope.post.get(name):
                    return self.el.expr(x, scope.after(), want)
                return self._prophecy(x, e, scope, want)
            case (("call_requires" | "call_ensures"), [f, *args]):
                name = names[-1].removeprefix("call_")
                return self._method(self.el.expr(f, scope), name, None, args, [], e, scope, tm.BOOL)
            case (("add" | "sub" | "mul"), [a, b]):
                return self._clipped(names[-1], a, b, scope)
            case (("spec_affirm" | "inline_air_stmt" | "recommends_by"), _):
                return None
            case (("ext_equal" | "equal" | "ext_equal_deep"), [a, b]):
                left = self.el.expr(a, scope)
                return Typed(self.el.equal(left, self.el.expr(b, scope, left.sort), e, scope), tm.BOOL)
            case (("imply" | "implies"), [a, b]):
                return Typed(tm.implies(self.el.boolean(a, scope), self.el.boolean(b, scope)), tm.BOOL)
        return None

    def _prophecy(self, x: sx.Expr, e: sx.Expr, scope: Scope, want: Sort | None) -> Typed:
        """`final(r)` of a mutable reference that is no parameter, but part of one or of the result: what it will hold when its
        borrow ends. Nothing is known of that, but that the same reference holds the same."""
        value = self.el.expr(x, scope, want)
        if value.term.loose or any(str(v.data).startswith("%") for v in tm.free_variables(value.term)):
            raise self.el.fail("`final` of a bound variable", e, scope)
        sort = self.el.inference.zonk(value.sort)
        shown = f"final({self.el.source_text(scope.types.crate, x)})"
        return Typed(tm.app(tm.uninterpreted(shown, (), sort, origin="unknown", key=f"final {value.term!r}"), ()), sort)

    def known(self, value: Typed) -> Typed:
        """A value whose type nothing says, because it comes from an unknown function: its type is unknown, but a type."""
        sort = self.el.inference.zonk(value.sort)
        if sort.kind == "infer" and value.term.op == "app" and value.term.data.origin == "unknown":
            sym = value.term.data
            exact = [exact_text(s) for s in sym.params]
            opaque = Sort("opaque", f"typeof({sym.name})", (), key=f"result of {sym.key[1]} {exact}")
            self.el.inference.unify(sort, opaque)
            sort = opaque
        return Typed(value.term, sort)

    def _clipped(self, op: str, a: sx.Expr, b: sx.Expr, scope: Scope) -> Typed:
        """`add(a, b)` of the prelude: the sum in the operands' own type, clipped to it."""
        left, right = self.el.pair(a, b, scope)
        sort = self.el.inference.resolve(left.sort)
        if sort in (tm.INT, tm.NAT):
            sort = self.el.inference.resolve(right.sort)
        if not sort.is_integer:
            raise self.el.fail(f"`{op}` of {sort}", a, scope)
        result = tm.arith(op, left.term, right.term)
        return Typed(arithmetic.cast(result, tm.INT, sort), sort)

    def apply(self, f: Typed, args: list[sx.Expr], e: sx.Expr, scope: Scope) -> Typed:
        """A value of function type applied to arguments."""
        sort = self.el.inference.resolve(f.sort)
        if sort.kind == "infer":
            values = [self.el.expr(a, scope) for a in args]
            result = self.el.inference.hole()
            self.el.inference.unify(sort, tm.fn_sort((v.sort for v in values), result))
            return Typed(tm.mk("apply", (f.term, *(v.term for v in values)), result), result)
        if sort.kind != "fn" or len(sort.args) != len(args) + 1:
            raise self.el.fail(f"call of a value of type {self.el.inference.zonk(sort)}", e, scope)
        values = [self.el.expr(a, scope, s) for a, s in zip(args, sort.args, strict=False)]
        for v, s in zip(values, sort.args, strict=False):
            self.el.inference.unify(v.sort, s)
        result = self.el.inference.zonk(sort.args[-1])
        if f.term.op == "lambda":
            return Typed(tm.instantiate(f.term.args[0], tuple(v.term for v in values)), result)
        return Typed(tm.mk("apply", (f.term, *(v.term for v in values)), result), result)

    def _construct(self, p: sx.Path, e: sx.Call, scope: Scope, want: Sort | None) -> Typed:
        sort, variant = self.variant_of_path(p, want, scope)
        fields = sort.variants[variant].fields
        if len(fields) != len(e.args):
            raise self.el.fail(f"`{p.text}` has {len(fields)} fields, not {len(e.args)}", e, scope)
        values = [self.el.expr(a, scope, f.sort) for a, f in zip(e.args, fields, strict=True)]
        for v, f in zip(values, fields, strict=True):
            self.el.inference.unify(f.sort, v.sort)
        sort = self.el.inference.zonk(sort)
        return Typed(tm.mk("ctor", tuple(v.term for v in values), sort, variant), sort)

    def struct(self, e: sx.StructExpr, scope: Scope, want: Sort | None) -> Typed:
        """`P { a: x, ..base }`"""
        if self.is_unseen(e.path, want, scope):
            values = [self.el.expr(v, scope) for _, v in e.fields] + ([] if e.base is None else [self.el.expr(e.base, scope)])
            names = ", ".join([n for n, _ in e.fields] + ([] if e.base is None else [".."]))
            shown = f"{self.unseen_path(e.path, scope)} {{ {names} }}"
            return self.unknown(shown, values, want or self.el.inference.hole(), e.span, scope)
        sort, variant = self.variant_of_path(e.path, want, scope)
        given: dict[str, Term] = {}
        fields = sort.variants[variant].fields
        decl = {f.name: f.sort for f in fields}
        for name, value in e.fields:
            if name not in decl:
                raise self.el.fail(f"{sort} has no field `{name}`", e, scope)
            v = self.el.expr(value, scope, decl[name])
            self.el.inference.unify(decl[name], v.sort)
            given[name] = v.term
        if e.base is not None:
            base = self.el.expr(e.base, scope, sort)
            self.el.inference.unify(sort, base.sort)
            for i, f in enumerate(fields):
                given.setdefault(f.name, field_of(base.term, sort, variant, i))
        if len(given) != len(fields):
            raise self.el.fail(f"fields of {sort} are missing", e, scope)
        sort = self.el.inference.zonk(sort)
        return Typed(tm.mk("ctor", tuple(given[f.name] for f in fields), sort, variant), sort)

    def library_struct(self, name: str, values: list[Typed], span: sx.Span, scope: Scope) -> Typed:
        """A struct of the vocabulary, such as `Range`, with one type parameter."""
        library = self.el.crate.library
        ref = None if library is None else library.prelude(name, "types")
        if ref is None:
            raise self.el.fail(f"value of type {name}", span, scope)
        sort = self.el.types.data(ref, (self.el.inference.zonk(values[0].sort),))
        return Typed(tm.mk("ctor", tuple(v.term for v in values), sort, 0), sort)

    def invoke(
        self,
        ref: Ref,
        self_sort: Sort | None,
        explicit: sx.GenericArgs | None,
        args: list[sx.Expr],
        given: list[Typed],
        scope: Scope,
        want: Sort | None,
        at: sx.Node,
    ) -> Typed:
        """A resolved function applied: `given` are arguments that are already typed (a receiver), `args` the others."""
        fn = ref.item
        assert isinstance(fn, sx.Fn)
        el = self.el
        ts = el.definitions.fn_scope(ref, self_sort)
        if isinstance(ref.owner, sx.Trait) and self_sort is not None:
            self.methods.bind_arguments(ref, ref.owner, self_sort, ts, scope.types)
        names = [g.name for g in fn.generics.params if g.kind != "lifetime"]
        if explicit is not None:
            for name, a in zip(names, explicit.args, strict=False):
                el.inference.unify(ts.generics[name], el.types.argument(a, scope.types))
        if fn.name == "new" and ts.crate.name == "vstd" and args and not given:  # `Map::new` of a set, in newer versions
            first = el.expr(args[0], scope, el.definitions.param_sort(fn.params[0], ts))
            other = ref.crate.by_method("new__set") if ref.crate is not None else []
            if el.inference.resolve(first.sort).kind == "set":
                for candidate in (c for c in other if c.impl is ref.owner):
                    return self.invoke(candidate.ref, self_sort, explicit, args[1:], [first], scope, want, at)
            given, args = [first], args[1:]
        if len(fn.params) != len(args) + len(given):
            raise el.fail(f"`{fn.name}` takes {len(fn.params)} arguments, not {len(args) + len(given)}", at, scope)
        values: list[Typed] = []
        for i, param in enumerate(fn.params):
            sort = el.definitions.param_sort(param, ts)
            value = given[i] if i < len(given) else el.expr(args[i - len(given)], scope, sort)
            if not el.inference.unify(sort, value.sort) and not self._coerces(value.sort, sort):
                shown = f"{el.inference.zonk(value.sort)} for {el.inference.zonk(sort)}"
                raise el.fail(f"argument of `{fn.name}` of type {shown}", at, scope)
            values.append(value)
        result = tm.UNIT if fn.ret_type is None else el.types.sort(fn.ret_type, ts)
        if want is not None and has_hole(el.inference.zonk(result)):
            el.inference.unify(result, want)
        if isinstance(ref.owner, sx.Trait):
            for g in ref.owner.generics.params:
                if g.kind != "lifetime" and has_hole(el.inference.zonk(ts.generics[g.name])):
                    raise el.fail(f"`{fn.name}` of a trait whose argument `{g.name}` is not known", at, scope)
        return el.definitions.apply(ref, ts, values, result, scope, at)

    def _coerces(self, source: Sort, target: Sort) -> bool:
        """`&Vec<T>` where a slice is wanted: not a value of that type in the term language."""
        return False

    # --- methods ---------------------------------------------------------------------------------------------------

    def method(self, e: sx.MethodCall, scope: Scope, want: Sort | None) -> Typed:
        recv = self.el.expr(e.receiver, scope)
        return self._method(recv, e.name, e.generics, e.args, [], e, scope, want)

    def method_on(self, recv: Typed, name: str, values: list[Typed], span: sx.Span, scope: Scope) -> Typed:
        """A method applied to arguments that are already typed."""
        return self._method(recv, name, None, [], values, sx.Node(span), scope, None)

    def _method(
        self,
        recv: Typed,
        name: str,
        generics: sx.GenericArgs | None,
        args: list[sx.Expr],
        values: list[Typed],
        at: sx.Node,
        scope: Scope,
        want: Sort | None,
    ) -> Typed:
        el = self.el
        recv = self.known(recv)
        sort = recv.sort
        if sort.kind == "infer":
            raise el.fail(f"method `{name}` on a value whose type is not known", at, scope)
        if name == "view" and not args and not values:
            return self.view(recv, at.span, scope)
        found = self.methods.find(sort, name, scope, at)
        if found is not None:
            return self.invoke(found.ref, found.self_sort, generics, args, [recv, *values], scope, want, at)
        if sort.kind == "data":
            special = self._variant_method(recv, sort, name)
            if special is not None:
                return special
            inner = self.through_pointer(recv)
            if inner.sort is not sort:
                return self._method(inner, name, generics, args, values, at, scope, want)
        typed = [*values, *(el.expr(a, scope) for a in args)]
        result = want
        if sort.kind in ("opaque", "fn") and name in ("requires", "ensures"):
            result = tm.BOOL
        return self.unknown(f"{_head(sort)}::{name}", [recv, *typed], result or el.inference.hole(), at.span, scope, method=True)

    def _variant_method(self, recv: Typed, sort: Sort, name: str) -> Typed | None:
        """`x.is_Some()`, `x.get_Some_0()`, `x.arrow_0()`: older spellings of `is` and `->`."""
        for v, variant in enumerate(sort.variants):
            if name == f"is_{variant.name}":
                return Typed(is_variant(recv.term, sort, v), tm.BOOL)
            for i, f in enumerate(variant.fields):
                if name in (f"get_{variant.name}_{f.name}", f"arrow_{f.name}", f"arrow_{variant.name}_{f.name}"):
                    return Typed(field_of(recv.term, sort, v, i), f.sort)
        return None

    # --- views and fields ------------------------------------------------------------------------------------------

    def view(self, base: Typed, span: sx.Span, scope: Scope) -> Typed:
        """`x@`"""
        el = self.el
        base = self.known(base)
        term, sort = base
        inner = self.through_pointer(base)
        if inner.sort is not sort:  # what is viewed of a `Ghost` is what it holds
            return inner
        if sort.kind == "boxed" and sort.view is not None:
            if term.op == "app" and term.data.origin == "vstd" and term.data.kind == "uninterpreted":
                if sort.name == "str" and term.data.name.startswith('"'):
                    text = term.data.name[1:-1]
                    chars = tuple(tm.char_lit(c) for c in text)
                    return Typed(tm.mk("seq.lit", chars, sort.view), sort.view)
                if term.data.name == "array":
                    return Typed(tm.mk("seq.lit", term.args, sort.view), sort.view)
            return Typed(tm.mk("view", (term,), sort.view), sort.view)
        if sort.kind == "infer":
            raise el.fail("`@` on a value whose type is not known", span, scope)
        found = self.methods.find(sort, "view", scope, sx.Node(span))
        if found is not None:
            return self.invoke(found.ref, found.self_sort, None, [], [base], scope, None, sx.Node(span))
        if sort.kind in ("seq", "set", "map", "multiset", "fn"):
            return base
        # The view of a type that samespec has no text of has the type that its use needs; that of a type parameter is its own.
        unseen = sort.kind == "opaque" and sort.key.startswith(("external", "result of"))
        result = el.inference.hole() if unseen else Sort("opaque", f"<{sort} as View>::V", (), key=f"view of {exact_text(sort)}")
        return self.unknown(f"{_head(sort)}::view", [base], result, span, scope, method=True)

    def through_pointer(self, value: Typed) -> Typed:
        """`*x`: what a `Ghost`, `Tracked` or other wrapper of the vocabulary holds; any other value is its own target."""
        sort = self.el.inference.zonk(value.sort)
        if sort.kind == "data" and sort.is_struct and sort.name in ("Ghost", "Tracked") and len(sort.args) == 1:
            return Typed(field_of(value.term, sort, 0, 0), sort.args[0])
        return value

    def field(self, base: Typed, name: str, e: sx.Node, scope: Scope) -> Typed:
        """`x.name`"""
        base = self.known(base)
        sort = base.sort
        if sort.kind == "data" and sort.is_struct:
            for i, f in enumerate(sort.variants[0].fields):
                if f.name == name:
                    return Typed(field_of(base.term, sort, 0, i), f.sort)
            inner = self.through_pointer(base)
            if inner.sort is not sort:
                return self.field(inner, name, e, scope)
        if sort.kind == "opaque":
            return self.unknown(f"{_head(sort)}.{name}", [base], self.el.inference.hole(), e.span, scope)
        raise self.el.fail(f"field `{name}` of {sort}", e, scope)

    # --- operators of other types ----------------------------------------------------------------------------------

    def overloaded(self, op: str, left: Typed, right: sx.Expr | Typed, e: sx.Node, scope: Scope) -> Typed:
        """`a + b` and the like on values that are not integers."""
        sort = self.el.inference.zonk(left.sort)
        value = right if isinstance(right, Typed) else self.el.expr(right, scope, sort)
        if sort.kind == "seq" and op == "+":
            if not self.el.inference.unify(sort, value.sort):
                raise self.el.fail(f"`+` of {sort} and {value.sort}", e, scope)
            sort = self.el.inference.zonk(sort)
            return Typed(tm.mk("seq.add", (left.term, value.term), sort), sort)
        return self.method_on(Typed(left.term, sort), OPERATOR_METHODS[op], [value], e.span, scope)

    def overloaded_comparison(self, op: str, a: Typed, b: Typed, e: sx.Node, scope: Scope) -> Term:
        result = self.method_on(a, OPERATOR_METHODS[op], [b], e.span, scope)
        if not self.el.inference.unify(result.sort, tm.BOOL):
            raise self.el.fail(f"`{op}` on {a.sort}", e, scope)
        return result.term

    def discriminant(self, value: Typed, sort: Sort, e: sx.Node, scope: Scope) -> Term:
        """`e as int` of an enum without fields."""
        ref = self.el.types.item_of.get(sort)
        if ref is None or not isinstance(ref.item, sx.Enum) or any(v.fields for v in ref.item.variants):
            raise self.el.fail(f"cast of {sort} to an integer", e, scope)
        number, numbers = -1, []
        for v in ref.item.variants:
            given = None if v.discriminant is None else self.el.constant_int(v.discriminant, self.el.scope_of(ref))
            if v.discriminant is not None and given is None:
                raise self.el.fail(f"discriminant of {sort} that is not a literal", e, scope)
            number = number + 1 if given is None else given
            numbers.append(number)
        result = tm.lit(numbers[-1])
        for i in range(len(numbers) - 2, -1, -1):
            result = tm.ite(is_variant(value.term, sort, i), tm.lit(numbers[i]), result)
        return result

    # --- unknown ---------------------------------------------------------------------------------------------------

    def unknown(self, name: str, args: list[Typed], result: Sort, span: sx.Span, scope: Scope, *, method: bool = False) -> Typed:
        """A function that nothing defines, as an uninterpreted symbol of its full name and the types of its arguments."""
        self.el.unknown[name] = None
        key = ""
        if not method and "::" not in name:  # which function of that name is meant depends on what is imported
            globs = scope.types.crate.unseen_globs(scope.types.module)
            key = f"{name} through {globs}" if globs else ""
        sorts = tuple(self.el.inference.zonk(a.sort) for a in args)
        sym = tm.uninterpreted(name, sorts, result, origin="unknown", method=method, key=key)
        return Typed(tm.app(sym, (a.term for a in args)), result)

    def _function_value(self, ref: Ref, self_sort: Sort | None, p: sx.Path, scope: Scope, want: Sort | None) -> Typed:
        """A spec function passed as a value: `|x| f(x)`."""
        fn = ref.item
        assert isinstance(fn, sx.Fn)
        if fn.mode != "spec" and ref.crate is self.el.crate:  # its contract is what it means: a contract inside a contract
            raise self.el.fail(f"{fn.mode} function `{fn.name}` as a value in a specification", p, scope)
        if fn.mode != "spec":
            return self.unknown(f"fn {ref.path}", [], tm.opaque_sort(f"fn {ref.path}"), p.span, scope)
        ts = self.el.definitions.fn_scope(ref, self_sort)
        sorts = [self.el.definitions.param_sort(q, ts) for q in fn.params]
        result = tm.UNIT if fn.ret_type is None else self.el.types.sort(fn.ret_type, ts)
        if want is not None:
            self.el.inference.unify(tm.fn_sort(sorts, result), want)
        variables = tuple(self.el.fresh(self.el.inference.zonk(s, tm.INT)) for s in sorts)
        body = self.el.definitions.apply(ref, ts, [Typed(v, v.sort) for v in variables], result, scope, p)
        sort = tm.fn_sort((v.sort for v in variables), body.sort)
        return Typed(tm.mk("lambda", (tm.abstract(body.term, variables),), sort, tuple(v.sort for v in variables)), sort)


def _head(sort: Sort) -> str:
    return {"seq": "Seq", "set": "Set", "map": "Map", "multiset": "Multiset"}.get(sort.kind, sort.name or sort.kind)


def _parameter(x: sx.Expr, scope: Scope) -> str | None:
    """The parameter that an expression is, or is a part of, where no inner variable hides it."""
    while isinstance(x, sx.Field | sx.Unary | sx.Borrow):
        x = x.base if isinstance(x, sx.Field) else x.operand
    if not isinstance(x, sx.PathExpr) or len(x.path.segments) != 1:
        return None
    name = x.path.segments[0].name
    return name if scope.is_parameter(name) else None
