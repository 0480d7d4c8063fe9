"""Definitions: spec functions to function symbols, constants to terms.

In: an item and the types it is used at. Out: its meaning, computed once per instance. A spec function that ends is a "defined"
symbol; one that calls itself, directly or through others, becomes a member of a recursive group (Tarjan's algorithm on the calls,
as they are met); one without a body that Verus believes (`uninterp`, `external_body`, a trait's declaration) is uninterpreted.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from translate import syntax as sx
from translate import terms as tm
from translate.elaborate.inference import Unsupported
from translate.elaborate.patterns import match_pattern
from translate.elaborate.scope import Scope, Typed
from translate.elaborate.types import TypeScope
from translate.elaborate.types import exact_text as tm_text
from translate.names import Crate, Module, Ref
from translate.parser import body_of
from translate.terms import FnSym, Sort, Term

if TYPE_CHECKING:
    from translate.elaborate.elaborator import Elaborator

#: More instances of generic functions than this in one file: a recursion through ever larger types.
MAX_INSTANCES = 4000


class BoundAt(NamedTuple):
    """A trait bound of a type parameter, and where its path is to be resolved."""

    path: sx.Path
    crate: Crate
    module: Module
    scope: TypeScope


@dataclass(slots=True)
class _Frame:
    """A spec function whose body is being read: `low` is the lowest frame that it calls back into."""

    name: str
    depth: int
    low: int
    members: list[tm.RecursiveDef] = field(default_factory=list)
    self_recursive: bool = False


def has_attr(attrs: list[sx.Attr], *names: str) -> bool:
    """Whether an attribute `#[verifier::name]`, `#[verifier(name)]`, `#[verus_verify(name)]` or `#[name]` is there."""
    for a in attrs:
        text = a.text.replace(" ", "")
        head, _, inner = text.partition("(")
        words = set(inner.rstrip(")").split(",")) if head in ("verifier", "verus_verify", "verifier::verify") else set()
        for n in names:
            if text in (n, f"verifier::{n}") or n in words or text.startswith((f"verifier::{n}(", f"{n}(")):
                return True
    return False


def kind_of(ref: Ref) -> str:
    """What a definition is called in a report."""
    if isinstance(ref.owner, sx.Impl) and ref.owner.trait is not None:
        name = ref.owner.trait.segments[-1].name
        return f"{name} implementation" if name in ("View", "DeepView") else "trait implementation"
    if isinstance(ref.item, sx.Const):
        return "constant"
    return "spec function"


class Definitions:
    def __init__(self, elaborator: Elaborator) -> None:
        self.el = elaborator
        self._symbols: dict[tuple[object, ...], FnSym] = {}
        self._frames: dict[str, _Frame] = {}
        self._pending: dict[str, int] = {}
        self._names: dict[tuple[object, ...], str] = {}
        self._constants: dict[tuple[int, Sort | None], Typed] = {}
        self._patterns: dict[int, tuple[Sort, TypeScope]] = {}
        self._bounds: dict[Sort, list[BoundAt]] = {}

    # --- scopes ----------------------------------------------------------------------------------------------------

    def impl_self(self, impl: sx.Impl, module: Module, crate: Crate) -> tuple[Sort, TypeScope]:
        """An impl block's self type, with holes for its parameters: for matching only, never to be unified."""
        found = self._patterns.get(id(impl))
        if found is None:
            found = self._patterns[id(impl)] = self.impl_scope(impl, module, crate)
        return found

    def impl_scope(self, impl: sx.Impl, module: Module, crate: Crate) -> tuple[Sort, TypeScope]:
        """An impl block's self type and scope, with fresh holes for its parameters."""
        ts = TypeScope(crate, module)
        self._open_generics(impl.generics, ts)
        try:
            ts.self_sort = self.el.types.sort(impl.self_type, ts)
        except Unsupported:
            ts.self_sort = tm.opaque_sort(f"impl at {impl.span.start}")
        return ts.self_sort, ts

    def _open_generics(self, generics: sx.Generics, ts: TypeScope) -> None:
        for g in generics.params:
            if g.kind != "lifetime":
                ts.generics[g.name] = self.el.inference.hole()
        self._note_bounds(generics, ts)

    def _note_bounds(self, generics: sx.Generics, ts: TypeScope) -> None:
        for sort, bounds in bounds_in(self.el, generics, ts):
            ts.bounds.setdefault(sort, []).extend(b.path for b in bounds if b.path is not None)

    def fn_scope(self, ref: Ref, self_sort: Sort | None) -> TypeScope:
        """The scope of a function's signature and body, with fresh holes for every type parameter."""
        assert ref.crate is not None and ref.module is not None
        ts = TypeScope(ref.crate, ref.module)
        if isinstance(ref.owner, sx.Impl):
            pattern, ts = self.impl_scope(ref.owner, ref.module, ref.crate)
            if self_sort is not None:
                self.el.inference.unify(pattern, self_sort)
        elif isinstance(ref.owner, sx.Trait):
            self._open_generics(ref.owner.generics, ts)
            ts.self_sort = self_sort or self.el.inference.hole()
            ts.self_trait = Ref(ref.path.rsplit("::", 1)[0], ref.owner, ref.module, ref.crate)
        if isinstance(ref.item, sx.Fn):
            self._open_generics(ref.item.generics, ts)
        return ts

    def declare_bounds(self, generics: sx.Generics, ts: TypeScope) -> None:
        """Remembers the bounds of opaque type parameters, for methods called on their values anywhere."""
        for sort, bounds in bounds_in(self.el, generics, ts):
            known = self._bounds.setdefault(sort, [])
            known.extend(BoundAt(b.path, ts.crate, ts.module, ts) for b in bounds if b.path is not None)

    def declare_self(self, trait: Ref, sort: Sort) -> None:
        """`Self` of a trait has the trait itself as a bound."""
        assert trait.crate is not None and trait.module is not None
        path = sx.Path(sx.Span(0, 0), [sx.PathSegment(sx.Span(0, 0), trait.name)])
        self._bounds.setdefault(sort, []).append(BoundAt(path, trait.crate, trait.module, TypeScope(trait.crate, trait.module)))

    def bounds_of(self, sort: Sort) -> list[BoundAt]:
        return self._bounds.get(sort, [])

    def forget_bounds(self) -> None:
        """Another contract begins: its type parameters are others, whatever they are called."""
        self._bounds.clear()

    def param_sort(self, p: sx.Param, ts: TypeScope) -> Sort:
        """The sort of a declared parameter; an untyped `self` has `Self`."""
        if p.type is None:
            return ts.self_sort or self.el.inference.hole()
        return self.el.types.sort(p.type, ts)

    # --- functions -------------------------------------------------------------------------------------------------

    def apply(self, ref: Ref, ts: TypeScope, values: list[Typed], result: Sort, scope: Scope, at: sx.Node) -> Typed:
        """A spec function applied to typed arguments."""
        fn = ref.item
        assert isinstance(fn, sx.Fn)
        args = tuple(v.term for v in values)
        for a in fn.attrs:
            if a.path == "term" and ts.crate.name == "vstd":
                op = a.text[a.text.index("(") + 1 : a.text.rindex(")")].replace(" ", "")
                if op == "identity":
                    return values[0]
                result = self.el.inference.zonk(result)
                return Typed(self._primitive(op, args, result), result)
        if fn.mode != "spec":
            twin = self._used_as_spec(ref)
            if twin is not None:
                inner = self.fn_scope(twin, ts.self_sort if isinstance(ref.owner, sx.Impl) else None)
                for p, v in zip(twin.item.params, values, strict=True):  # type: ignore[union-attr]
                    self.el.inference.unify(self.param_sort(p, inner), v.sort)
                return self.apply(twin, inner, values, result, scope, at)
            return self._executed(ref, fn, ts, values, result, at, scope)
        result = self.el.inference.zonk(result, tm.INT)
        sym = self.symbol(ref, ts, values, result)
        if isinstance(sym, str):
            return Typed(tm.mk("rec", args, result, sym), result)
        if ts.crate.name == "vstd" and sym.body is not None and any(a.path == "inline" for a in fn.attrs):
            return Typed(tm.instantiate(sym.body, args), result)
        return Typed(tm.app(sym, args), result)

    def _executed(
        self, ref: Ref, fn: sx.Fn, ts: TypeScope, values: list[Typed], result: Sort, at: sx.Node, scope: Scope
    ) -> Typed:
        """An executable function in a specification: what it `returns`, where it is allowed there at all."""
        returned = fn.exprs("returns")
        if not has_attr(fn.attrs, "allow_in_spec") or len(returned) != 1:
            raise self.el.fail(f"{fn.mode} function `{fn.name}` in a specification", at, scope)
        if len(self._frames) + sum(p == ref.path for p in self.el._reading) > 100:
            raise self.el.fail(f"function `{fn.name}` whose `returns` names itself", at, scope)
        inner = Scope(ts)
        names: dict[str, Typed] = {}
        for p, v in zip(fn.params, values, strict=True):
            names.update({p.name: v} if p.pattern is None else match_pattern(self.el, p.pattern, v, inner)[1])
        with self.el.reading(ref, kind_of(ref)):
            value = self.el.expr(returned[0], inner.bind(names), result)
        self.el.note_use(ref, kind_of(ref), value.term)
        return value

    def _primitive(self, op: str, args: tuple[Term, ...], result: Sort) -> Term:
        if op == "multiset.len" and args[0].op == "seq.to_multiset":
            return tm.mk("seq.len", args[0].args, tm.NAT)
        data: object = None
        return tm.mk(op, args, result, data)

    def _used_as_spec(self, ref: Ref) -> Ref | None:
        """The spec function that an executable one stands for in specifications (`#[verifier::when_used_as_spec(f)]`)."""
        assert isinstance(ref.item, sx.Fn) and ref.crate is not None and ref.module is not None
        for a in ref.item.attrs:
            text = a.text.replace(" ", "")
            if "when_used_as_spec(" in text:
                name = text[text.index("when_used_as_spec(") + 18 :].rstrip(")")
                if isinstance(ref.owner, sx.Impl):
                    mine, _ = self.impl_self(ref.owner, ref.module, ref.crate)
                    for candidate in ref.crate.by_method(name.rsplit("::", 1)[-1]):
                        assert isinstance(candidate.impl, sx.Impl)
                        theirs, _ = self.impl_self(candidate.impl, candidate.module, ref.crate)
                        alike = (mine.kind, mine.name, mine.key) == (theirs.kind, theirs.name, theirs.key)
                        if candidate.impl is ref.owner or alike:
                            return candidate.ref
                return ref.crate.resolve(name.split("::"), ref.module, "values")
        return None

    def symbol(self, ref: Ref, ts: TypeScope, values: list[Typed], result: Sort) -> FnSym | str:
        """The symbol of a spec function at the types of a scope; its name in the group while that is being built."""
        fn = ref.item
        assert isinstance(fn, sx.Fn)
        el = self.el
        generics = {n: el.inference.zonk(s, tm.INT) for n, s in ts.generics.items()}
        self_sort = None if ts.self_sort is None else el.inference.zonk(ts.self_sort, tm.INT)
        ident = (id(fn), tuple(generics.values()), self_sort)
        found = self._symbols.get(ident)
        if found is not None:
            el.note_use(ref, kind_of(ref), found)
            return found
        name = self._names.setdefault(ident, f"{ref.path}#{len(self._names)}")
        caller = next(reversed(self._frames.values())) if self._frames else None
        if name in self._frames or name in self._pending:
            callee_low = self._frames[name].depth if name in self._frames else self._pending[name]
            assert caller is not None
            caller.low = min(caller.low, callee_low)
            if caller.name == name:
                caller.self_recursive = True
            el.note_use(ref, kind_of(ref), name)
            return name
        if len(self._symbols) > MAX_INSTANCES or len(self._frames) > 200:
            raise Unsupported(f"spec function `{fn.name}` whose instances never end", fn.name_span, ref.crate)
        bounds: dict[Sort, list[sx.Path]] = {}
        for s, paths in ts.bounds.items():
            bounds.setdefault(el.inference.zonk(s, tm.INT), []).extend(paths)
        inner = TypeScope(ts.crate, ts.module, generics, self_sort, bounds, self_trait=ts.self_trait)
        params = tuple(el.inference.zonk(self.param_sort(p, inner), tm.INT) for p in fn.params)
        shown = ref.path.split("::", 1)[-1]
        if ts.crate.name == "vstd":  # the modules are an address, no part of the name
            *way, last = shown.split("::")
            shown = "::".join([*(w for w in way if not w.islower()), last])
        shown = "::".join(s for s in shown.split("::") if "{" not in s)  # nor is the place of a block
        method = bool(fn.params) and fn.params[0].self_kind is not None
        opaque_self = isinstance(ref.owner, sx.Trait) and (self_sort is None or self_sort.kind == "opaque")
        body = None if opaque_self or has_attr(fn.attrs, "external_body") else body_of(fn)
        if body is None or fn.publish == "uninterp":
            generic = "" if not generics else f"<{', '.join(map(str, generics.values()))}>"
            exact = ", ".join(map(tm_text, generics.values()))
            origin = "vstd" if ts.crate.name == "vstd" else "file"
            # `T::f` and `U::f` are different functions, although they have one name and signature.
            key = f"{origin} spec fn {ref.path}<{exact}>"
            if ref.owner is not None:
                key += f" of {'' if self_sort is None else tm_text(self_sort)}"
            if opaque_self:
                key += f" by default {self._default_body(ref, fn)}"
            sym = tm.uninterpreted(shown + generic, params, result, origin=origin, method=method, key=key)
            self._symbols[ident] = sym
            el.note_use(ref, kind_of(ref), sym)
            return sym
        return self._define(ref, fn, inner, params, result, body, ident, name, shown, method)

    def _default_body(self, ref: Ref, fn: sx.Fn) -> str:
        """A trait's own body of a method, as text: implementations may replace it, but a changed one is a changed trait."""
        assert ref.crate is not None
        if fn.body is None:
            return ""
        return ref.crate.source.folded((fn.body.start, fn.body.end))

    def _define(
        self,
        ref: Ref,
        fn: sx.Fn,
        inner: TypeScope,
        params: tuple[Sort, ...],
        result: Sort,
        body: sx.Block,
        ident: tuple[object, ...],
        name: str,
        shown: str,
        method: bool,
    ) -> FnSym | str:
        el = self.el
        depth = len(self._frames)
        frame = self._frames[name] = _Frame(name, depth, depth)
        try:
            with el.reading(ref, kind_of(ref)):
                variables = tuple(el.fresh(s) for s in params)
                scope = Scope(inner, self._parameters(fn, variables, Scope(inner)))
                value = el.expr(body, scope, result)
                if not el.inference.unify(value.sort, result):
                    raise Unsupported(f"body of `{fn.name}` of another type than its result", fn.name_span, ref.crate)
                whens = [el.boolean(e, scope) for e in fn.exprs("when")]
                measures = tuple(el.expr(e, scope).term for e in fn.exprs("decreases"))
        finally:
            del self._frames[name]
        term = tm.abstract(el.finish(value.term), variables)
        when = tm.abstract(el.finish(tm.and_(whens)), variables) if whens else None
        measures = tuple(tm.abstract(el.finish(m), variables) for m in measures)
        me = tm.RecursiveDef(name, params, result, term, when, measures, method, shown)
        frame.members.insert(0, me)
        idents = {name: ident}
        if frame.low < depth:  # part of a group whose first member is still being read
            parent = next(reversed(self._frames.values()))
            parent.low = min(parent.low, frame.low)
            parent.members.extend(frame.members)
            for m in frame.members:
                self._pending[m.name] = frame.low
            el.note_use(ref, kind_of(ref), name)
            return name
        if len(frame.members) == 1 and not frame.self_recursive:
            # A function that never calls itself may still have a `when`: it means nothing without recursion.
            origin = "vstd" if inner.crate.name == "vstd" else "file"
            sym = tm.defined(shown, params, term, origin=origin, method=method, result=result)
            self._symbols[ident] = sym
        else:
            group = tm.recursive_group(frame.members)
            by_name = {n: i for i, n in self._names.items()}
            for m in frame.members:
                self._pending.pop(m.name, None)
                self._symbols[by_name[m.name]] = group[m.name]
            sym = group[name]
        assert idents[name] == ident
        el.note_use(ref, kind_of(ref), sym)
        return sym

    def _parameters(self, fn: sx.Fn, variables: tuple[Term, ...], scope: Scope) -> dict[str, Typed]:
        names: dict[str, Typed] = {}
        for p, v in zip(fn.params, variables, strict=True):
            if p.pattern is None or isinstance(p.pattern, sx.IdentPat):
                names[p.name] = Typed(v, v.sort)
            else:
                names.update(match_pattern(self.el, p.pattern, Typed(v, v.sort), scope)[1])
        return names

    # --- constants -------------------------------------------------------------------------------------------------

    def constant(self, ref: Ref, self_sort: Sort | None) -> Typed:
        """The value of a constant: its defining expression, or an unknown value of its type for one without (a static, an
        `external_body` constant, an associated constant of a type parameter)."""
        const = ref.item
        assert isinstance(const, sx.Const)
        ident = (id(const), self_sort)
        found = self._constants.get(ident)
        if found is None:
            found = self._constants[ident] = self._constant(ref, const, self_sort)
        self.el.note_use(ref, kind_of(ref), found.term)
        return found

    def _constant(self, ref: Ref, const: sx.Const, self_sort: Sort | None) -> Typed:
        el = self.el
        ts = self.fn_scope(ref, self_sort)
        if ts.self_sort is None:
            ts.self_sort = self_sort
        sort = el.inference.zonk(el.types.sort(const.type, ts), tm.INT)
        name = ref.path.split("::", 1)[-1]
        text = el.source_text(ref.crate, const) if ref.crate is not None else ""
        key = f"constant {name} of {'' if ts.self_sort is None else tm_text(el.inference.zonk(ts.self_sort))}: {text}"
        unknown = Typed(tm.app(tm.uninterpreted(name, (), sort, key=key), ()), sort)
        me = None if ts.self_sort is None else el.inference.zonk(ts.self_sort)
        opaque = isinstance(ref.owner, sx.Trait) and (const.value is None or me is None or me.kind in ("opaque", "infer"))
        if const.value is None or const.static or opaque or const.mode == "exec" or has_attr(const.attrs, "external_body"):
            return unknown
        self._constants[id(const), self_sort] = unknown  # a constant that names itself
        with el.reading(ref, "constant"):
            value = el.expr(const.value, Scope(ts), sort)
        el.inference.unify(sort, value.sort)
        return Typed(el.finish(value.term), sort)


def bounds_in(el: Elaborator, generics: sx.Generics, ts: TypeScope) -> list[tuple[Sort, list[sx.Bound]]]:
    """The bounds that a generics list and its `where` clause put on types, by sort."""
    found: list[tuple[Sort, list[sx.Bound]]] = []
    for g in generics.params:
        if g.kind == "type" and g.bounds and g.name in ts.generics:
            found.append((ts.generics[g.name], g.bounds))
    for w in generics.where:
        if w.type is not None and w.bounds:
            try:
                found.append((el.types.sort(w.type, ts), w.bounds))
            except Unsupported:
                continue
    return found
