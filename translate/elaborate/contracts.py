"""A function's contract as terms.

In: a function of a file. Out: its `Interface` (what a caller sees of its types) and its `Contract` (each clause as a term
over the parameters' values on entry, the `&mut` parameters' values on return, and the result). Parameters are compared by
position: the submitted function's variables are given the original's names.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from translate import syntax as sx
from translate import terms as tm
from translate.elaborate.definitions import bounds_in
from translate.elaborate.elaborator import Elaborator
from translate.elaborate.inference import Unsupported
from translate.elaborate.laws import trait_text, type_invariants
from translate.elaborate.patterns import match_pattern
from translate.elaborate.scope import Scope, Typed
from translate.elaborate.types import TypeScope
from translate.names import Ref
from translate.terms import FnSym, Sort, Term


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause: `kind` is "requires", "ensures", "returns" or "default_ensures"; `inherited` names the trait it comes from.
    `ref` is the function whose text it stands in."""

    kind: str
    term: Term
    expr: sx.Expr
    ref: Ref
    inherited: str | None = None


@dataclass(frozen=True, slots=True)
class Interface:
    """What a caller depends on besides the clauses, as canonical text that two sides compare."""

    mode: str
    qualifiers: tuple[str, ...]
    generics: tuple[str, ...]
    bounds: tuple[str, ...]
    params: tuple[str, ...]
    sorts: tuple[Sort, ...]
    result: str
    result_sort: Sort | None
    ghost: tuple[str, ...]
    invariants: tuple[FnSym, ...]


@dataclass(slots=True)
class Contract:
    """A contract over named variables. `inputs` are the values on entry, in order of the parameters; `outputs` the values on
    return of `&mut` parameters; `result` the result (None for a function that returns nothing)."""

    ref: Ref
    interface: Interface
    inputs: list[Term]
    outputs: list[Term]
    result: Term | None
    requires: list[Clause] = field(default_factory=list)
    ensures: list[Clause] = field(default_factory=list)
    #: what stands in clauses of kinds without a meaning for the contract, for notes
    notes: list[str] = field(default_factory=list)

    @property
    def variables(self) -> list[Term]:
        return [*self.inputs, *self.outputs, *([] if self.result is None else [self.result])]


def has_contract(fn: sx.Fn) -> bool:
    """Whether a function states a contract of its own."""
    return any(c.kind in ("requires", "ensures", "returns", "default_ensures") for c in fn.clauses)


def trait_declaration(ref: Ref) -> Ref | None:
    """The trait's declaration of a method of a trait implementation, where the trait is in the same file."""
    if not isinstance(ref.owner, sx.Impl) or ref.owner.trait is None or ref.crate is None or ref.module is None:
        return None
    trait = ref.crate.resolve(ref.owner.trait.names, ref.module, "types")
    if trait is None or not isinstance(trait.item, sx.Trait) or trait.crate is not ref.crate:
        return None
    for item in trait.item.items:
        if isinstance(item, sx.Fn) and item.name == ref.name:
            return Ref(f"{trait.path}::{item.name}", item, trait.module, trait.crate, trait.item)
    return None


def read_contract(el: Elaborator, ref: Ref, names: Contract | None = None) -> Contract:
    """The contract of a function. With `names`, its variables are called as in that contract, by position.

    Raises `Unsupported` when a clause has no translation: a contract is read as a whole or not at all.
    """
    with el.reading(ref, "function"):
        return _Reader(el, ref, names).read()


class _Reader:
    def __init__(self, el: Elaborator, ref: Ref, names: Contract | None) -> None:
        assert isinstance(ref.item, sx.Fn)
        self.el, self.ref, self.fn, self.names = el, ref, ref.item, names

    def read(self) -> Contract:
        fn, el = self.fn, self.el
        ts, generic_names = self._type_scope()
        scope = Scope(ts)
        interface = self._interface(ts, generic_names)
        contract = Contract(self.ref, interface, [], [], None)
        scope = self._bind_parameters(contract, scope)
        before = scope.before()
        after = self._bind_result(contract, scope.after())
        self._clauses(contract, fn, self.ref, before, after, None)
        declared = trait_declaration(self.ref)
        if declared is not None:
            self._inherit(contract, declared, ts)
        el.definitions.declare_bounds(fn.generics, ts)
        return contract

    # --- signature -------------------------------------------------------------------------------------------------

    def _type_scope(self) -> tuple[TypeScope, list[str]]:
        """The scope of the signature: type parameters are opaque sorts, named by the original's parameters."""
        ref, el = self.ref, self.el
        assert ref.crate is not None and ref.module is not None
        ts = TypeScope(ref.crate, ref.module)
        el.definitions.forget_bounds()
        wanted = [] if self.names is None else list(self.names.interface.generics)
        names: list[str] = []

        def open_params(generics: sx.Generics) -> None:
            for g in generics.params:
                if g.kind == "lifetime":
                    continue
                name = wanted[len(names)].split(":")[0] if len(names) < len(wanted) else g.name
                names.append(name)
                ts.generics[g.name] = tm.opaque_sort(name)
            for sort, bounds in bounds_in(el, generics, ts):
                ts.bounds.setdefault(sort, []).extend(b.path for b in bounds if b.path is not None)
            el.definitions.declare_bounds(generics, ts)

        if isinstance(ref.owner, sx.Impl):
            open_params(ref.owner.generics)
            ts.self_sort = el.types.sort(ref.owner.self_type, ts)
        elif isinstance(ref.owner, sx.Trait):
            open_params(ref.owner.generics)
            ts.self_sort = tm.opaque_sort("Self")
            trait = ts.self_trait = Ref(ref.path.rsplit("::", 1)[0], ref.owner, ref.module, ref.crate)
            el.definitions.declare_self(trait, ts.self_sort)
        open_params(self.fn.generics)
        return ts, names

    def _interface(self, ts: TypeScope, names: list[str]) -> Interface:
        fn, el = self.fn, self.el
        kinds = [g for owner in self._generic_owners() for g in owner.params if g.kind != "lifetime"]
        generics = tuple(
            n if g.kind == "type" else f"{n}: {el.types.shape(g.type, ts)}" for n, g in zip(names, kinds, strict=True)
        )
        bounds: set[str] = set()
        for owner in self._generic_owners():
            for sort, bs in bounds_in(el, owner, ts):
                for b in bs:
                    if b.path is not None:
                        law = trait_text(ts.crate, b.path, ts.module)
                        bounds.add(f"{sort}: {'?' if b.maybe else ''}{el.types.path_text(b.path, ts)}{law}")
        if isinstance(self.ref.owner, sx.Trait):
            here = sx.Path(self.ref.owner.span, [sx.PathSegment(self.ref.owner.span, self.ref.owner.name)])
            bounds.add(f"Self: {self.ref.owner.name}{trait_text(ts.crate, here, ts.module)}")
        sorts = tuple(el.inference.zonk(el.definitions.param_sort(p, ts), tm.INT) for p in fn.params)
        params = tuple(self._shape(p, ts) for p in fn.params)
        result_sort = None if fn.ret_type is None else el.inference.zonk(el.types.sort(fn.ret_type, ts), tm.INT)
        return Interface(
            mode=fn.mode,
            qualifiers=tuple(q for q in fn.qualifiers if q in ("unsafe", "async", "const")),
            generics=generics,
            bounds=tuple(sorted(bounds)),
            params=params,
            sorts=sorts,
            result=el.types.shape(fn.ret_type, ts),
            result_sort=result_sort,
            ghost=(*(p.mode for p in fn.params), fn.ret_mode),
            invariants=type_invariants(el, [*sorts, *([] if result_sort is None else [result_sort])]),
        )

    def _generic_owners(self) -> list[sx.Generics]:
        owner = self.ref.owner
        return [*([owner.generics] if isinstance(owner, sx.Impl | sx.Trait) else []), self.fn.generics]

    def _shape(self, p: sx.Param, ts: TypeScope) -> str:
        if p.type is None:
            by = {"&self": "&", "&mut self": "&mut "}.get(p.self_kind or "self", "")
            return f"{by}{ts.self_sort}"
        return self.el.types.shape(p.type, ts)

    # --- variables -------------------------------------------------------------------------------------------------

    def _bind_parameters(self, contract: Contract, scope: Scope) -> Scope:
        fn, el = self.fn, self.el
        pre: dict[str, Typed] = {}
        post: dict[str, Typed] = {}
        taken: set[str] = set()
        k_out = 0
        for i, p in enumerate(fn.params):
            sort = contract.interface.sorts[i]
            mutable = _is_mutable(el, p, scope.types)
            name = _unique(p.name or f"arg{i}", taken)
            taken.add(name)
            if self.names is not None and i < len(self.names.inputs):
                entry = tm.var(self.names.inputs[i].data, sort)
            else:
                entry = tm.var(f"old({name})" if mutable else name, sort)
            contract.inputs.append(entry)
            exit_ = entry
            if mutable:
                if self.names is not None and k_out < len(self.names.outputs):
                    exit_ = tm.var(self.names.outputs[k_out].data, sort)
                else:
                    exit_ = tm.var(f"final({name})", sort)
                k_out += 1
                contract.outputs.append(exit_)
            for table, value in ((pre, entry), (post, exit_)):
                if p.pattern is None or isinstance(p.pattern, sx.IdentPat):
                    table[p.name] = Typed(value, sort)
                else:
                    table.update(match_pattern(el, p.pattern, Typed(value, sort), scope)[1])
        for g in (g for o in self._generic_owners() for g in o.params if g.kind == "const"):
            size = tm.var(scope.types.generics[g.name].name, tm.USIZE)
            pre[g.name] = post[g.name] = Typed(size, tm.USIZE)
        scope.pre, scope.post = pre, post
        return scope.bind(pre)

    def _bind_result(self, contract: Contract, scope: Scope) -> Scope:
        fn = self.fn
        sort = contract.interface.result_sort
        if sort is None or (sort is tm.UNIT and fn.ret_name is None):
            return scope
        name = fn.ret_name.name if isinstance(fn.ret_name, sx.IdentPat) else "result"
        if self.names is not None and self.names.result is not None:
            name = self.names.result.data
        else:
            name = _unique(name, {str(v.data) for v in (*contract.inputs, *contract.outputs)})
        contract.result = tm.var(name, sort)
        value = Typed(contract.result, sort)
        later = None
        if isinstance(fn.ret_type, sx.RefType) and fn.ret_type.mutable:  # what the caller makes of the place it points to
            k = len(contract.outputs)
            given = self.names.outputs[k].data if self.names is not None and k < len(self.names.outputs) else f"final({name})"
            later = Typed(tm.var(given, sort), sort)
            contract.outputs.append(later.term)
        if fn.ret_name is None:
            return scope
        if later is not None and isinstance(fn.ret_name, sx.IdentPat):
            scope.pre = {**scope.pre, fn.ret_name.name: value}
            scope.post = {**scope.post, fn.ret_name.name: later}
        return scope.bind(match_pattern(self.el, fn.ret_name, value, scope)[1])

    # --- clauses ---------------------------------------------------------------------------------------------------

    def _clauses(self, contract: Contract, fn: sx.Fn, ref: Ref, before: Scope, after: Scope, inherited: str | None) -> None:
        el = self.el
        for e in fn.exprs("requires"):
            contract.requires.append(Clause("requires", self._term(e, before), e, ref, inherited))
        for e in fn.exprs("ensures"):
            contract.ensures.append(Clause("ensures", self._term(e, after), e, ref, inherited))
        for e in fn.exprs("default_ensures"):
            contract.ensures.append(Clause("default_ensures", self._term(e, after), e, ref, inherited))
        for e in fn.exprs("returns"):
            if contract.result is None:
                raise Unsupported("`returns` of a function without a result", e.span, ref.crate)
            value = el.expr(e, before, contract.result.sort)
            same = el.equal(Typed(contract.result, contract.result.sort), value, e, after)
            contract.ensures.append(Clause("returns", el.finish(same), e, ref, inherited))

    def _term(self, e: sx.Expr, scope: Scope) -> Term:
        return self.el.finish(self.el.boolean(e, scope))

    def _inherit(self, contract: Contract, declared: Ref, ts: TypeScope) -> None:
        """The trait's clauses, over this implementation's variables."""
        fn = declared.item
        assert isinstance(fn, sx.Fn) and declared.crate is not None and declared.module is not None
        assert isinstance(declared.owner, sx.Trait)
        trait = Ref(declared.path.rsplit("::", 1)[0], declared.owner, declared.module, declared.crate)
        inner = TypeScope(declared.crate, declared.module, self_sort=ts.self_sort, self_trait=trait)
        trait_args = self._trait_arguments(ts)
        params = [g.name for g in declared.owner.generics.params if g.kind != "lifetime"]
        inner.generics = dict(zip(params, trait_args, strict=False))
        own = [g.name for g in self.fn.generics.params if g.kind != "lifetime"]
        theirs = [g.name for g in fn.generics.params if g.kind != "lifetime"]
        inner.generics.update({t: ts.generics[o] for t, o in zip(theirs, own, strict=False)})
        scope = Scope(inner)
        outputs = iter(contract.outputs)
        if len(fn.params) != len(self.fn.params):
            raise Unsupported("method with other parameters than its trait declares", self.fn.name_span, self.ref.crate)
        for p, mine, entry in zip(fn.params, self.fn.params, contract.inputs, strict=True):
            exit_ = next(outputs) if _is_mutable(self.el, mine, ts) else entry
            for table, value in ((scope.pre, entry), (scope.post, exit_)):
                if p.pattern is None or isinstance(p.pattern, sx.IdentPat):
                    table[p.name] = Typed(value, value.sort)
                else:
                    table.update(match_pattern(self.el, p.pattern, Typed(value, value.sort), scope)[1])
        scope = scope.bind(scope.pre)
        after = scope.after()
        if contract.result is not None and fn.ret_name is not None:
            result = Typed(contract.result, contract.result.sort)
            after = after.bind(match_pattern(self.el, fn.ret_name, result, after)[1])
        with self.el.reading(declared, "trait"):
            inherited = declared.path.rsplit("::", 1)[0]
            has_default = any(c.kind == "default_ensures" for c in fn.clauses)
            clauses = [c for c in fn.clauses if c.kind != "default_ensures"] if has_default else fn.clauses
            plain = sx.Fn(**{**{s: getattr(fn, s) for s in sx.Fn.__slots__}, "span": fn.span, "clauses": clauses})
            self._clauses(contract, plain, declared, scope, after, inherited)
        self.el.note_use(declared, "trait contract", declared.path)

    def _trait_arguments(self, ts: TypeScope) -> list[Sort]:
        assert isinstance(self.ref.owner, sx.Impl) and self.ref.owner.trait is not None
        args = self.ref.owner.trait.segments[-1].args
        if args is None:
            return []
        return [self.el.types.sort(a, ts) for a in args.args if isinstance(a, sx.Type)]


def _is_mutable(el: Elaborator, p: sx.Param, scope: TypeScope) -> bool:
    """Whether a parameter has a value on return of its own: `&mut T`, `&mut self`, `Tracked<&mut T>`, or an alias of one."""
    if p.self_kind is not None and p.type is None:
        return p.self_kind == "&mut self"
    t = p.type
    while isinstance(t, sx.PathType):
        alias = el.types.alias_of(t, scope)
        if alias is not None:
            t, scope = alias
            continue
        args = t.path.segments[-1].args
        wrapper = t.path.segments[-1].name in ("Tracked", "Ghost", "Box")
        if not wrapper or args is None or not args.args or not isinstance(args.args[0], sx.Type):
            return False
        t = args.args[0]
    return isinstance(t, sx.RefType) and t.mutable


def _unique(name: str, taken: set[str]) -> str:
    while name in taken or not name:
        name += "_"
    return name
