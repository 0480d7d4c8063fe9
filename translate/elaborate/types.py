"""Types to sorts.

In: type syntax, with the module and generic parameters that it stands under. Out: a `Sort`. References, boxes and other
transparent pointers vanish (a specification sees through them); type aliases are replaced by what they name; a struct or enum
becomes a data sort whose key is the content of its definition, so that two files agree on it exactly when they define it alike.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from translate import syntax as sx
from translate import terms as tm
from translate.elaborate.inference import Unsupported, array_length
from translate.elaborate.traits import TraitName
from translate.names import Crate, Module, Ref, type_name
from translate.terms import Sort

if TYPE_CHECKING:
    from translate.elaborate.elaborator import Elaborator

#: Pointers that a specification sees through: their value is the value behind them.
TRANSPARENT = frozenset({"Box", "Rc", "Arc", "ManuallyDrop", "Cow"})


@dataclass(slots=True)
class TypeScope:
    """Where a type or expression stands: crate and module, generic parameters in scope, `Self`."""

    crate: Crate
    module: Module
    generics: dict[str, Sort] = field(default_factory=dict)
    self_sort: Sort | None = None
    bounds: dict[Sort, list[sx.Path]] = field(default_factory=dict)
    bound_scopes: dict[Sort, TypeScope] = field(default_factory=dict)
    self_trait: Ref | None = None
    self_path: tuple[Ref, tuple[Sort, ...]] | None = None  # inside a type's own definition: the type

    def inside(self, module: Module) -> TypeScope:
        return TypeScope(self.crate, module, self.generics, self.self_sort, self.bounds, self.bound_scopes, self.self_trait)


class Types:
    """The sorts of one elaboration."""

    def __init__(self, elaborator: Elaborator) -> None:
        self.el = elaborator
        self._keys: dict[int, str] = {}
        self._open: set[int] = set()
        self._cut: set[int] = set()
        self._depth = 0
        self.item_of: dict[Sort, Ref] = {}

    def sort(self, t: sx.Type, scope: TypeScope) -> Sort:
        """The sort of a type."""
        match t:
            case sx.PathType():
                return self.path_sort(t.path, scope)
            case sx.RefType():
                return self.sort(t.inner, scope)
            case sx.TupleType():
                return tm.tuple_sort(self.sort(e, scope) for e in t.elems)
            case sx.SliceType():
                elem = self.sort(t.elem, scope)
                return Sort("boxed", "slice", (elem,), view=tm.seq_sort(elem))
            case sx.ArrayType():
                elem = self.sort(t.elem, scope)
                length, key = self._length(t.length, scope)
                return Sort("boxed", "array", (elem,), key=key, view=tm.seq_sort(elem), length=length)
            case sx.InferType():
                return self.el.inference.hole()
            case sx.BoundsType():
                fn = self._fn_bound(t.bounds, scope)
                return fn if fn is not None else tm.opaque_sort(self._bounds_text(t, scope))
            case sx.PtrType():
                return tm.opaque_sort("*mut" if t.mutable else "*const", (self.sort(t.inner, scope),))
            case sx.NeverType():
                return tm.opaque_sort("!")
            case sx.FnPtrType():
                result = tm.UNIT if t.output is None else self.sort(t.output, scope)
                return tm.opaque_sort("fn", (*(self.sort(p, scope) for p in t.params), result))
        raise Unsupported("macro in a type", t.span, scope.crate)

    def _length(self, e: sx.Expr, scope: TypeScope) -> tuple[int | None, str]:
        """An array's length: a number, or what tells it apart (a const parameter, which may still be found out, or a term)."""
        if isinstance(e, sx.PathExpr) and len(e.path.segments) == 1 and e.path.segments[0].name in scope.generics:
            return array_length(self.el.inference.resolve(scope.generics[e.path.segments[0].name]))
        length = self.el.constant_int(e, scope)
        return length, "" if length is not None else self.el.constant_key(e, scope)

    def argument(self, a: sx.Type | sx.Expr, scope: TypeScope) -> Sort:
        """A generic argument; a constant is a sort of its value."""
        return self.sort(a, scope) if isinstance(a, sx.Type) else self._const_arg(a, scope)

    def _fn_bound(self, bounds: list[sx.Bound], scope: TypeScope) -> Sort | None:
        """`impl Fn(A) -> B`: an executable closure, known by its `requires` and `ensures` only."""
        for b in bounds:
            if b.path is not None and b.path.segments[-1].name in ("Fn", "FnMut", "FnOnce"):
                return tm.opaque_sort("impl " + self.path_text(b.path, scope))
        return None

    def _bounds_text(self, t: sx.BoundsType, scope: TypeScope) -> str:
        return t.keyword + " " + " + ".join(self.path_text(b.path, scope) for b in t.bounds if b.path is not None)

    def path_text(self, p: sx.Path, scope: TypeScope) -> str:
        """A path with its arguments as canonical text: for keys and comparisons, not for people's eyes alone."""
        ref = scope.crate.resolve(p.names, scope.module, "types") if p.segments else None
        head = ref.path if ref is not None else p.text
        args = p.segments[-1].args if p.segments else None
        if args is None:
            return head
        inner = [self.arg_text(a, scope) for a in args.args]
        inner += [f"{n} = {self.arg_text(b, scope)}" for n, b in args.bindings]
        if args.parenthesised:
            out = "" if args.output is None else f" -> {self.sort(args.output, scope)}"
            return f"{head}({', '.join(inner)}){out}"
        return f"{head}<{', '.join(inner)}>" if inner else head

    def arg_text(self, a: sx.Type | sx.Expr, scope: TypeScope) -> str:
        if isinstance(a, sx.Type):
            return str(self.sort(a, scope))
        return self.el.constant_key(a, scope)

    def path_sort(self, p: sx.Path, scope: TypeScope) -> Sort:
        """The sort that a path names in the name space of types."""
        if p.qself is not None:
            return self._projection(self.sort(p.qself, scope), p.qself_trait, p.segments[-1].name, p, scope)
        names = p.names
        args = p.segments[-1].args
        head = names[0]
        if head == "Self" and scope.self_path is not None:
            return self.data(*scope.self_path)
        if head == "Self" and scope.self_sort is not None:
            return scope.self_sort if len(names) == 1 else self._projection(scope.self_sort, None, names[1], p, scope)
        if head in scope.generics:
            found = scope.generics[head]
            return found if len(names) == 1 else self._projection(found, None, names[1], p, scope)
        ref = scope.crate.resolve(names, scope.module, "types")
        if ref is None or ref.item is None:
            if len(names) == 1 and head in tm.INT_KINDS:
                return tm.int_sort(head)
            if len(names) == 1 and head == "bool":
                return tm.BOOL
            if len(names) == 1 and head in ("real", "f16", "f32", "f64", "f128"):
                return tm.opaque_sort(head)
            if len(names) == 1 and head == "str":
                return Sort("boxed", "str", (), view=tm.seq_sort(tm.CHAR))
            if head == "Self":
                return tm.opaque_sort("Self")
            if len(names) > 1:
                try:
                    base = self.path_sort(sx.Path(p.span, p.segments[:-1]), scope)
                except Unsupported:
                    base = None
                if base is not None and base.kind == "data":
                    return self._projection(base, None, names[-1], p, scope)
            return self._special(names[-1], args, scope) or self._external(ref, names, args, scope)
        return self.ref_sort(ref, args, p, scope)

    def _external(self, ref: Ref | None, names: list[str], args: sx.GenericArgs | None, scope: TypeScope) -> Sort:
        """A type that samespec has no text of, known by its full path (or by its name and where that may come from)."""
        globs = scope.crate.unseen_globs(scope.module) if ref is None else []
        path = ref.path if ref is not None else "::".join(names)
        return Sort("opaque", "::".join(names), self._args(args, scope), key=f"external {path}{globs or ''}")

    def _args(self, args: sx.GenericArgs | None, scope: TypeScope) -> tuple[Sort, ...]:
        if args is None:
            return ()
        return tuple(self.argument(a, scope) for a in args.args)

    def _const_arg(self, e: sx.Expr, scope: TypeScope) -> Sort:
        value = self.el.constant_int(e, scope)
        return tm.opaque_sort(str(value) if value is not None else self.el.constant_key(e, scope))

    def _special(self, name: str, args: sx.GenericArgs | None, scope: TypeScope) -> Sort | None:
        """`spec_fn(A) -> B`, `FnSpec(A) -> B`: the types that are syntax rather than names."""
        if name in ("spec_fn", "FnSpec") and args is not None and args.parenthesised:
            result = tm.UNIT if args.output is None else self.sort(args.output, scope)
            return tm.fn_sort(self._args(args, scope), result)
        return None

    def ref_sort(self, ref: Ref, args: sx.GenericArgs | None, p: sx.Path, scope: TypeScope) -> Sort:
        """The sort of a resolved type item applied to generic arguments."""
        item = ref.item
        if isinstance(item, sx.TypeAlias):
            return self._alias(ref, item, args, scope)
        if isinstance(item, sx.Struct | sx.Enum):
            params = [g for g in item.generics.params if g.kind != "lifetime"]
            given = list(self._args(args, scope))
            inner = self.el.scope_of(ref)
            for g in params[len(given) :]:
                if isinstance(g.default, sx.Type):
                    given.append(self.sort(g.default, inner))
                else:
                    given.append(self.el.inference.hole())
            return self.data(ref, tuple(given[: len(params)]))
        if isinstance(item, sx.Trait):
            return tm.opaque_sort(f"dyn {ref.path}", self._args(args, scope))
        raise Unsupported(f"`{p.text}` is not a type", p.span, scope.crate)

    def _alias(self, ref: Ref, item: sx.TypeAlias, args: sx.GenericArgs | None, scope: TypeScope) -> Sort:
        if item.type is None:
            return tm.opaque_sort(ref.path)
        self._depth += 1
        if self._depth > 60:
            raise Unsupported(f"type alias `{item.name}` that names itself", item.span, ref.crate)
        try:
            inner = self.el.scope_of(ref)
            given = self._args(args, scope)
            self._open_alias(item, given, inner)
            with self.el.reading(ref, "type alias"):
                result = self.sort(item.type, inner)
            self.el.note_use(ref, "type alias", result)
            return result
        finally:
            self._depth -= 1

    def _open_alias(self, item: sx.TypeAlias, given: tuple[Sort, ...], inner: TypeScope) -> None:
        """An alias's parameters: the arguments, then defaults, then what inference finds."""
        for i, g in enumerate(g for g in item.generics.params if g.kind != "lifetime"):
            if i < len(given):
                inner.generics[g.name] = given[i]
            else:
                default = self.sort(g.default, inner) if isinstance(g.default, sx.Type) else None
                inner.generics[g.name] = default or self.el.inference.hole()

    def data(self, ref: Ref, args: tuple[Sort, ...]) -> Sort:
        """The data (or primitive) sort of a struct or enum at the given type arguments."""
        item = ref.item
        assert isinstance(item, sx.Struct | sx.Enum) and ref.crate is not None
        if ref.crate.name == "vstd":
            builtin = self._primitive(item, args)
            if builtin is not None:
                return builtin
        if item.name in TRANSPARENT and ref.crate.name == "vstd":
            return args[0]
        if hides_content(item):
            if ref.crate.name != "vstd":
                self.el.note_use(ref, "type", self.el.source_text(ref.crate, item))
            return Sort("opaque", item.name, args, key=f"{ref.crate.name} {ref.path}")
        sort = Sort("data", item.name, args, self._key(ref, item))
        if not self._open and not sort.is_defined:
            if len(str(sort)) > 2000:
                raise Unsupported(f"type `{item.name}` whose instances never end", item.span, ref.crate)
            struct = isinstance(item, sx.Struct)
            sort.define((), struct)  # so that recursion through the fields finds a defined sort
            sort.define(self._variants(ref, item, args), struct)
        self.item_of.setdefault(sort, ref)
        if ref.crate.name != "vstd":
            self.el.note_use(ref, "type", sort)
        return sort

    def _key(self, ref: Ref, item: sx.Struct | sx.Enum) -> str:
        """What identifies a type's definition: its content, and its path where the file has another type of the same name and
        content (whose methods could be others)."""
        known = self._keys.get(id(item))
        if known is not None:
            return known
        key = self._content(ref, item)
        if ref.crate is not None and ref.crate.name == "vstd":
            key = f"vstd {key}"  # a type of the file is another one, however alike
        if not self._cut and not self._open:
            if self._has_twin(ref, item, key):
                key += f" at {ref.path}"
            self._keys[id(item)] = key
        return key

    def _content(self, ref: Ref, item: sx.Struct | sx.Enum) -> str:
        """The content of a type's definition, cut where it meets itself again, as a short hash: so it depends neither on the
        order of a file nor on which of several mutually recursive types is met first. Type parameters count by position."""
        if id(item) in self._open:
            self._cut.add(id(item))
            return "recursive " + ref.path
        self._open.add(id(item))
        try:
            with self.el.reading(ref, "type"):
                count = sum(g.kind != "lifetime" for g in item.generics.params)
                variants = self._variants(ref, item, tuple(tm.opaque_sort(f"#{i}") for i in range(count)))
        finally:
            self._open.discard(id(item))
        self._cut.discard(id(item))
        parts = [item.fields] if isinstance(item, sx.Struct) else [v.fields for v in item.variants]
        inner = self.el.scope_of(ref)
        behind = [[(f.mode, self._pointers(f.type, inner)) for f in fields] for fields in parts]
        text = repr(
            ([(v.name, [(f.name, exact_text(f.sort)) for f in v.fields]) for v in variants], behind, self._laws(ref, item))
        )
        return hashlib.sha1(text.encode()).hexdigest()[:16]

    def _laws(self, ref: Ref, item: sx.Struct | sx.Enum) -> list[str]:
        """The bounds of a type's own parameters, with what their traits ask: a type that nobody can make has no values."""
        from translate.elaborate.laws import trait_text

        assert ref.crate is not None and ref.module is not None
        bounds = [(g.name, b) for g in item.generics.params for b in g.bounds]
        bounds += [("where", b) for w in item.generics.where for b in w.bounds]
        return sorted(f"{n}: {b.path.text}{trait_text(ref.crate, b.path, ref.module)}" for n, b in bounds if b.path is not None)

    def _pointers(self, t: sx.Type, scope: TypeScope, depth: int = 0) -> str:
        """The references and boxes of a type, which its sort does not show: what can be copied or moved out depends on them."""
        if depth > 20:
            return "…"
        match t:
            case sx.RefType():
                return ("&mut " if t.mutable else "&") + self._pointers(t.inner, scope, depth + 1)
            case sx.TupleType():
                return ",".join(self._pointers(e, scope, depth + 1) for e in t.elems).strip(",")
            case sx.SliceType() | sx.ArrayType():
                return self._pointers(t.elem, scope, depth + 1)
            case sx.PathType() if t.path.segments:
                alias = self.alias_of(t, scope)
                if alias is not None:
                    return self._pointers(*alias, depth + 1)
                last = t.path.segments[-1]
                args = [] if last.args is None else [a for a in last.args.args if isinstance(a, sx.Type)]
                inside = ",".join(self._pointers(a, scope, depth + 1) for a in args).strip(",")
                return f"{last.name}<{inside}>" if last.name in TRANSPARENT else inside
        return ""

    def _has_twin(self, ref: Ref, item: sx.Struct | sx.Enum, key: str) -> bool:
        assert ref.crate is not None
        for other in ref.crate.all_refs():
            if other.item is not item and isinstance(other.item, sx.Struct | sx.Enum) and other.item.name == item.name:
                if Types(self.el)._content(other, other.item) == key:
                    return True
        return False

    def _variants(self, ref: Ref, item: sx.Struct | sx.Enum, args: tuple[Sort, ...]) -> tuple[tm.VariantDecl, ...]:
        inner = self.el.scope_of(ref)
        names = [g.name for g in item.generics.params if g.kind != "lifetime"]
        inner.generics = dict(zip(names, args, strict=False))
        inner.self_path = (ref, args)
        if isinstance(item, sx.Struct):
            return (tm.VariantDecl(item.name, tuple(tm.FieldDecl(f.name, self.sort(f.type, inner)) for f in item.fields)),)
        return tuple(
            tm.VariantDecl(v.name, tuple(tm.FieldDecl(f.name, self.sort(f.type, inner)) for f in v.fields)) for v in item.variants
        )

    def _primitive(self, item: sx.Struct | sx.Enum, args: tuple[Sort, ...]) -> Sort | None:
        """Library types that are sorts of their own: marked `#[sort(seq)]`, `#[boxed(Seq<T>)]` in the vocabulary."""
        for a in item.attrs:
            if a.path == "sort":
                kind = a.text[a.text.index("(") + 1 : -1].strip()
                return Sort(kind, "", args)
            if a.path == "boxed":
                view_text = a.text[a.text.index("(") + 1 : -1].replace(" ", "")
                return Sort("boxed", item.name, args, view=_view_sort(view_text, args))
        return None

    def _projection(self, base: Sort, trait: sx.Path | None, name: str, p: sx.Path, scope: TypeScope) -> Sort:
        """An associated type `T::name` of a sort: that of its implementation, or an opaque sort for a type parameter."""
        base = self.el.inference.zonk(base)
        if base.kind == "infer":  # a type parameter that is not known yet: its use says what this is
            return self.el.inference.hole()
        methods = self.el.calls.methods
        of = None if trait is None else methods.named(trait, scope)
        if of is None:
            for ref in methods.bounds(base, scope):
                assert isinstance(ref.item, sx.Trait)
                if any(isinstance(i, sx.TypeAlias) and i.name == name for i in ref.item.items):
                    of = TraitName(id(ref.item), "")
                    break
        found = methods.associated_type(base, name, of)
        if found is not None:
            return found
        return Sort(
            "opaque",
            f"<{base} as {self._trait_shown(of, trait)}>::{name}" if of is not None else f"{base}::{name}",
            (),
            key=f"{exact_text(base)} {self._trait_path(of)}",
        )

    def _trait_path(self, of: TraitName | None) -> str:
        if of is None:
            return ""
        for crate in self.el.calls.methods.crates:
            for ref in (r for refs in crate.traits.values() for r in refs):
                if id(ref.item) == of.item:
                    return f"{crate.name} {ref.path}"
        return of.path

    def _trait_shown(self, of: TraitName, trait: sx.Path | None) -> str:
        return trait.segments[-1].name if trait is not None else self._trait_path(of).rsplit("::", 1)[-1]

    def alias_of(self, t: sx.Type, scope: TypeScope) -> tuple[sx.Type, TypeScope] | None:
        """The type that an alias names, and where it stands; None for a type that is no alias."""
        if not isinstance(t, sx.PathType) or t.path.qself is not None or t.path.segments[0].name in ("Self", *scope.generics):
            return None
        ref = scope.crate.resolve(t.path.names, scope.module, "types")
        if ref is None or not isinstance(ref.item, sx.TypeAlias) or ref.item.type is None:
            return None
        inner = self.el.scope_of(ref)
        given = self._args(t.path.segments[-1].args, scope)
        self._open_alias(ref.item, given, inner)
        self.el.note_use(ref, "type alias", self.sort(t, scope))
        return ref.item.type, inner

    def shape(self, t: sx.Type | None, scope: TypeScope) -> str:
        """A type as the interface sees it: its sort, with references, boxes and mutability, and of the lifetimes only `'static`,
        which not every caller can give."""
        match t:
            case None:
                return "()"
            case sx.RefType():
                return "&" + "'static " * t.static + "mut " * t.mutable + self.shape(t.inner, scope)
            case sx.TupleType():
                return "(" + ", ".join(self.shape(e, scope) for e in t.elems) + ")"
            case sx.SliceType():
                return f"[{self.shape(t.elem, scope)}]"
            case sx.PathType() if (alias := self.alias_of(t, scope)) is not None:
                return self.shape(*alias)
            case sx.PathType() if (
                t.path.qself is None and t.path.segments[-1].args is not None and not t.path.segments[-1].args.parenthesised
            ):
                ref = scope.crate.resolve(t.path.names, scope.module, "types")
                if ref is not None and isinstance(ref.item, sx.TypeAlias):
                    return str(self.sort(t, scope))
                args = t.path.segments[-1].args
                inner = ", ".join(self.shape(a, scope) if isinstance(a, sx.Type) else self.arg_text(a, scope) for a in args.args)
                name = type_name(t)
                return f"{name}<{inner}>"
        return str(self.sort(t, scope))


def hides_content(item: sx.Struct | sx.Enum) -> bool:
    """Whether Verus does not look into a type (`#[verifier::external_body]`)."""
    return any(
        a.text.replace(" ", "") in ("verifier::external_body", "verifier(external_body)", "verifier::external")
        for a in item.attrs
    )


def exact_text(s: Sort) -> str:
    """A sort as text that says everything: datatypes with the key of their definition."""
    inner = ",".join(map(exact_text, s.args))
    return f"{s.kind} {s.name}[{inner}]{s.key}{'' if s.length is None else s.length}"


def _view_sort(text: str, args: tuple[Sort, ...]) -> Sort:
    """`Seq<0>`, `Map<0,1>`, `Set<0>`, `Seq<char>`: numbers are type arguments."""
    head, inner = text[:-1].split("<", 1)
    parts = [tm.CHAR if p == "char" else args[int(p)] for p in inner.split(",")]
    return Sort(head.lower(), "", tuple(parts))
