"""Methods and associated items: which definition `x.f(…)`, `T::f` and `<T as Trait>::f` mean.

In: a type, a name, the scope of the use, and the trait where one is named. Out: the function, constant or type, with what `Self`
is there. Rust's order: inherent items first, then those of traits; several traits are told apart by which of them are in scope.
Where that does not leave exactly one, the use is refused: never the first that happens to fit.

Sources: the Rust reference, "Method-call expressions" and "Associated items".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from translate import syntax as sx
from translate.elaborate.inference import has_hole
from translate.elaborate.scope import Scope
from translate.elaborate.traits import TraitName, trait_name
from translate.elaborate.types import TypeScope
from translate.names import Crate, ImplFn, Module, Ref, hidden_by_cfg, may_be_for
from translate.terms import Sort

if TYPE_CHECKING:
    from translate.elaborate.elaborator import Elaborator


class Method(NamedTuple):
    """A function or constant found for a type: where it is, and what `Self` is."""

    ref: Ref
    self_sort: Sort


class Methods:
    def __init__(self, elaborator: Elaborator) -> None:
        self.el = elaborator
        self._trait_of: dict[int, TraitName] = {}
        self._implemented: dict[tuple[Sort, TraitName], bool] = {}

    @property
    def crates(self) -> list[Crate]:
        library = self.el.crate.library
        return [self.el.crate] if library is None else [self.el.crate, library]

    def trait_of(self, impl: sx.Impl, module: Module, crate: Crate) -> TraitName:
        """The trait that an impl block implements."""
        known = self._trait_of.get(id(impl))
        if known is None:
            assert impl.trait is not None
            ref = crate.resolve(impl.trait.names, module, "types")
            known = self._trait_of[id(impl)] = trait_name(ref, impl.trait)
        return known

    def named(self, path: sx.Path, ts: TypeScope) -> TraitName:
        """The trait that a path names."""
        return trait_name(ts.crate.resolve(path.names, ts.module, "types"), path)

    # --- functions and constants -----------------------------------------------------------------------------------

    def find(self, sort: Sort, name: str, scope: Scope, at: sx.Node, trait: TraitName | None = None) -> Method | None:
        """The function or constant `name` of a type; None where nothing defines one."""
        sort = self.el.inference.zonk(sort)
        if sort.kind == "infer":
            return None
        inherent = None if trait is not None else self._inherent(sort, name, scope, at)
        if inherent is not None and not self._by_parameter(sort, name, scope):
            return inherent
        found = self._of_traits(sort, name, scope, trait)
        if inherent is not None:
            if found:  # a generic body means the trait's method, whatever its instance defines beside it
                raise self.el.fail(f"`{name}`, which {sort} has of its own and of a trait", at, scope)
            return inherent
        if len(found) > 1:
            visible = scope.types.crate.visible_traits(scope.types.module)
            found = {t: m for t, m in found.items() if t.item in visible or self._everywhere(m[0])} or found
        candidates = [m for several in found.values() for m in several]
        if len(candidates) > 1:
            raise self.el.fail(f"`{name}`, which several implementations for {sort} define", at, scope)
        return candidates[0] if candidates else None

    def _everywhere(self, method: Method) -> bool:
        """Whether a trait is in scope in every file: those of the vocabulary's root, which the preludes export."""
        return method.ref.crate is not self.el.crate

    def _inherent(self, sort: Sort, name: str, scope: Scope, at: sx.Node) -> Method | None:
        for crate in self.crates if scope.types.crate is self.el.crate else self.crates[1:] or self.crates:
            found = [c for c in self._candidates(crate, name, sort) if _trait_path(c) is None and self.matches(c, sort)]
            found = [c for c in found if not self._is_blanket(c)] or found
            if len(found) > 1 and crate.name == "vstd":  # the vocabulary says more of some instances than of all
                found = found[-1:] if has_hole(sort) else found[:1]
            if len(found) > 1:
                raise self.el.fail(f"`{name}`, which several implementations for {sort} define", at, scope)
            if found:
                return Method(found[0].ref, sort)
        return None

    def _by_parameter(self, sort: Sort, name: str, scope: Scope) -> bool:
        """Whether the type may stand for a type parameter here whose bounds have such a method (or for a trait's `Self`)."""
        ts = scope.types
        if ts.self_trait is not None and ts.self_sort is sort and self._in_trait(ts.self_trait, name):
            return True
        return sort in ts.bounds and any(True for _ in self._bound_methods(sort, name, scope))

    def _of_traits(self, sort: Sort, name: str, scope: Scope, trait: TraitName | None) -> dict[TraitName, list[Method]]:
        """What traits give the type under that name, by trait."""
        found: dict[TraitName, list[Method]] = {}
        for method, of in self._bound_methods(sort, name, scope):
            if sort.kind == "opaque" and (trait is None or of == trait):
                found.setdefault(of, [method])
        for crate in self.crates:
            impls: dict[TraitName, list[ImplFn]] = {}
            for c in self._candidates(crate, name, sort):
                assert isinstance(c.impl, sx.Impl)
                if c.impl.trait is None or isinstance(c.item, sx.TypeAlias):
                    continue
                of = self.trait_of(c.impl, c.module, crate)
                if of not in found and (trait is None or of == trait) and self.matches(c, sort):
                    impls.setdefault(of, []).append(c)
            for of, several in impls.items():
                several = [c for c in several if not self._is_blanket(c)] or several
                found[of] = [Method(c.ref, sort) for c in several]
        if sort.kind != "opaque":
            for crate in self.crates:
                for tref in (r for refs in crate.traits.values() for r in refs):
                    of = TraitName(id(tref.item), "")
                    item = None if of in found or (trait is not None and of != trait) else self._in_trait(tref, name)
                    given = item is not None and (item.body if isinstance(item, sx.Fn) else item.value) is not None
                    if item is not None and given and self.implements(sort, of):
                        found[of] = [Method(Ref(f"{tref.path}::{name}", item, tref.module, crate, tref.item), sort)]  # type: ignore[arg-type]
        return found

    def _in_trait(self, trait: Ref, name: str) -> sx.Fn | sx.Const | None:
        assert isinstance(trait.item, sx.Trait)
        return next((i for i in trait.item.items if isinstance(i, sx.Fn | sx.Const) and i.name == name), None)

    def _bound_methods(self, sort: Sort, name: str, scope: Scope) -> list[tuple[Method, TraitName]]:
        """What a type parameter has by its bounds (or `Self` inside a trait), with the traits above them."""
        found = []
        for ref in self.bounds(sort, scope.types):
            item = self._in_trait(ref, name)
            if item is not None:
                assert isinstance(ref.item, sx.Trait)
                method = Method(Ref(f"{ref.path}::{name}", item, ref.module, ref.crate, ref.item), sort)
                found.append((method, TraitName(id(ref.item), "")))
        return found

    def _paths(self, sort: Sort, ts: TypeScope) -> list[sx.Path]:
        """The bounds that a scope states of a type, also where it is what a type parameter turned out to be."""
        if not ts.bounds:
            return []
        zonk = self.el.inference.zonk
        return [p for s, paths in ts.bounds.items() if s is sort or (s.kind == "infer" and zonk(s) is sort) for p in paths]

    def bounds(self, sort: Sort, ts: TypeScope) -> list[Ref]:
        """The traits that bound a type in a scope, and the traits above them."""
        queue: list[tuple[list[str], Crate, Module]] = []
        for path in self._paths(sort, ts):
            queue.append((path.names, ts.crate, ts.module))
        for b in self.el.definitions.bounds_of(sort):
            queue.append((b.path.names, b.crate, b.module))
        found: dict[int, Ref] = {}
        for names, crate, module in queue:
            ref = crate.resolve(names, module, "types")
            if ref is None or not isinstance(ref.item, sx.Trait) or id(ref.item) in found:
                continue
            found[id(ref.item)] = ref
            assert ref.crate is not None and ref.module is not None
            for sup in ref.item.supertraits:
                if sup.path is not None:
                    queue.append((sup.path.names, ref.crate, ref.module))
        return list(found.values())

    def bind_arguments(self, ref: Ref, trait: sx.Trait, sort: Sort, inner: TypeScope, outer: TypeScope) -> None:
        """The trait's own parameters at a call on a type: as the type's bound gives them, or its implementation."""
        names = [g.name for g in trait.generics.params if g.kind != "lifetime"]
        if not names:
            return
        paths = [(p, outer) for p in self._paths(sort, outer)]
        paths += [(b.path, b.scope) for b in self.el.definitions.bounds_of(sort)]
        for crate in self.crates:
            for impl, module in crate.impls:
                if impl.trait is not None and self.trait_of(impl, module, crate).item == id(trait):
                    if sort.kind != "opaque" and self._is_for(impl, module, crate, sort):
                        pattern, ts = self.el.definitions.impl_scope(impl, module, crate)
                        self.el.inference.unify(pattern, sort)
                        paths.append((impl.trait, ts))
        if inner.self_trait is not None and outer.self_trait is not None and outer.self_sort is sort:
            if outer.self_trait.item is trait:  # inside the trait itself
                for name in names:
                    if name in outer.generics:
                        self.el.inference.unify(inner.generics[name], outer.generics[name])
                return
        found: set[tuple[Sort, ...]] = set()
        for path, ts in paths:
            tref = ts.crate.resolve(path.names, ts.module, "types")
            if tref is not None and tref.item is trait and path.segments[-1].args is not None:
                args = path.segments[-1].args.args
                found.add(tuple(self.el.inference.zonk(self.el.types.argument(a, ts)) for a in args))
        if len(found) == 1:
            for name, s in zip(names, found.pop(), strict=False):
                self.el.inference.unify(inner.generics[name], s)

    # --- implementations -------------------------------------------------------------------------------------------

    def _candidates(self, crate: Crate, name: str, sort: Sort) -> list[ImplFn]:
        """The functions and constants of a name in impl blocks that may be for a type."""
        if crate.library is None and sort.kind != "infer":
            return crate.by_method_of(name, _type_name(sort))
        return crate.by_method(name)

    def matches(self, candidate: ImplFn, sort: Sort) -> bool:
        """Whether an impl block can be one of that type."""
        assert isinstance(candidate.impl, sx.Impl)
        return self._is_for(candidate.impl, candidate.module, candidate.ref.crate or self.el.crate, sort)

    def _is_for(self, impl: sx.Impl, module: Module, crate: Crate, sort: Sort) -> bool:
        if crate.library is None and sort.kind != "infer" and not may_be_for(impl, _type_name(sort)):
            return False  # plainly another type of the vocabulary: cheaper than working out the self type
        pattern, ts = self.el.definitions.impl_self(impl, module, crate)
        holes = set(ts.generics.values())
        if pattern in holes:  # a blanket implementation: for everything that has its bounds
            return self._satisfies(sort, ts.bounds.get(pattern, []), ts)
        return could_be(pattern, sort, holes)

    def _is_blanket(self, candidate: ImplFn) -> bool:
        assert isinstance(candidate.impl, sx.Impl)
        pattern, ts = self.el.definitions.impl_self(candidate.impl, candidate.module, candidate.ref.crate or self.el.crate)
        return pattern in set(ts.generics.values())

    def _satisfies(self, sort: Sort, bounds: list[sx.Path], ts: TypeScope) -> bool:
        for b in bounds:
            ref = ts.crate.resolve(b.names, ts.module, "types")
            if ref is not None and isinstance(ref.item, sx.Trait) and not self.implements(sort, TraitName(id(ref.item), "")):
                return False
        return True

    def implements(self, sort: Sort, trait: TraitName) -> bool:
        """Whether a type has an implementation of a trait."""
        if sort.kind == "opaque" and any(
            id(r.item) == trait.item for r in self.bounds(sort, TypeScope(self.el.crate, self.el.crate.root))
        ):
            return True
        key = (sort, trait)
        if key not in self._implemented:
            self._implemented[key] = False  # while its own bounds are being looked at
            self._implemented[key] = any(
                self._is_for(impl, module, crate, sort)
                for crate in self.crates
                for impl, module in crate.impls
                if impl.trait is not None and not hidden_by_cfg(impl.attrs) and self.trait_of(impl, module, crate) == trait
            )
        return self._implemented[key]

    # --- associated types ------------------------------------------------------------------------------------------

    def associated_type(self, base: Sort, name: str, trait: TraitName | None) -> Sort | None:
        """`<base as Trait>::name` from an implementation of the file or the vocabulary (`trait` None: whichever has it)."""
        el = self.el
        view = self.view_trait()
        if base.kind == "boxed" and name == "V" and (trait is None or trait == view):
            return base.view
        found: list[tuple[ImplFn, Crate]] = []
        for crate in self.crates:
            for c in crate.by_method(name):
                if not isinstance(c.item, sx.TypeAlias) or c.item.type is None:
                    continue
                assert isinstance(c.impl, sx.Impl)
                of = None if c.impl.trait is None else self.trait_of(c.impl, c.module, crate)
                if (trait is None or of == trait) and self.matches(c, base):
                    found.append((c, crate))
        found = [(c, k) for c, k in found if not self._is_blanket(c)] or found
        if len(found) > 1:
            return None
        for c, crate in found:
            assert isinstance(c.impl, sx.Impl) and isinstance(c.item, sx.TypeAlias) and c.item.type is not None
            pattern, ts = el.definitions.impl_scope(c.impl, c.module, crate)
            el.inference.unify(pattern, base)
            ts.self_sort = base
            el.note_use(c.ref, "associated type", name)
            return el.inference.zonk(el.types.sort(c.item.type, ts))
        return None

    def view_trait(self) -> TraitName | None:
        library = self.el.crate.library or self.el.crate
        ref = library.prelude("View", "types")
        return None if ref is None else TraitName(id(ref.item), "")


def _trait_path(candidate: ImplFn) -> sx.Path | None:
    assert isinstance(candidate.impl, sx.Impl)
    return candidate.impl.trait


def _type_name(sort: Sort) -> str:
    """What the vocabulary calls a type, in small letters: kinds of sorts that have no name are called as their kind is."""
    return (sort.name or sort.kind).lower()


def could_be(pattern: Sort, sort: Sort, holes: set[Sort]) -> bool:
    """Whether an impl's self type can be that sort: its type parameters are `holes`, and integer types must agree exactly."""
    if pattern is sort or pattern in holes or sort.kind == "infer":
        return True
    if pattern.kind == "infer":
        return True
    if pattern.kind != sort.kind or pattern.name != sort.name or pattern.key != sort.key or len(pattern.args) != len(sort.args):
        if not (pattern.name == sort.name == "array"):
            return False
    if pattern.kind == "boxed" and pattern.length is not None and pattern.length != sort.length:
        return False
    if not pattern.args:
        return pattern.kind != "int" or pattern.name == sort.name
    return all(could_be(a, b, holes) for a, b in zip(pattern.args, sort.args, strict=True))
