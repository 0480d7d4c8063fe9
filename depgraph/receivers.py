"""Types as far as method calls need them: heads of types, and the methods of a crate by name and receiver.

In: types of signatures, fields and bindings, as they are written. Out: `Ty`, a resolved head with arguments; None where the type
is not known. Nothing here has to be complete: where a receiver's type is unknown, every method of that name in the crate is a
candidate, which is sound for an audit. What must hold is that a known head is right.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from depgraph.attributes import has_word
from translate import syntax as sx
from translate.names import Crate, Module, Ref, hidden_by_cfg, impl_name

PRIMITIVES = frozenset(
    "u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize int nat real bool char str f32 f64 {integer} {float}".split()
)
#: Wrappers that a method call looks through.
_TRANSPARENT = frozenset(("Box", "Rc", "Arc"))
GHOSTLY = frozenset(("Ghost", "Tracked"))
_SEQUENCES = frozenset(("Vec", "VecDeque", "Seq", "slice", "array", "LinkedList"))
_VIEWS = {"Vec": "Seq", "VecDeque": "Seq", "slice": "Seq", "array": "Seq", "HashMap": "Map", "BTreeMap": "Map",
          "HashSet": "Set", "BTreeSet": "Set"}  # fmt: skip
#: Methods of the standard library whose result is the receiver's type, its first argument's, or a fixed one.
_SAME = frozenset(
    "clone cloned to_owned borrow borrow_mut as_ref as_mut update push insert remove subrange take skip add".split()
)
_FIRST = frozenset("unwrap expect unwrap_or unwrap_or_default first last index get_unchecked".split())
_FIXED = {"len": "{integer}", "to_string": "String"}
_FIXED |= dict.fromkeys(("is_empty", "contains", "is_some", "is_none", "contains_key", "is_ok", "is_err"), "bool")


@dataclass(frozen=True, slots=True)
class Ty:
    """A type: `head` is the path of a type of the crate, the last name of a library's, a primitive, "tuple", "closure", "slice",
    "array", "param:T" or "dyn:…"; `bounds` are the traits of a parameter, as paths with the module to read them in."""

    head: str
    args: tuple[Ty | None, ...] = ()
    bounds: tuple[str, ...] = ()


BOOL, INT = Ty("bool"), Ty("{integer}")


@dataclass(slots=True)
class Env:
    """Where types and names are read: module, `Self`, generic parameters with the traits that bound them."""

    crate: Crate
    module: Module
    self_ty: Ty | None = None
    generics: dict[str, Ty] = field(default_factory=dict)
    #: traits that bound `Self` (inside a trait)
    self_bounds: tuple[str, ...] = ()


@dataclass(slots=True)
class Method:
    """A function of an impl block or of a trait. `head` is the receiver's: None for a trait's own declaration and for blanket
    implementations (`blanket`)."""

    ref: Ref
    item: sx.Fn | sx.Const
    owner: sx.Impl | sx.Trait
    head: str | None
    trait: str | None
    blanket: bool = False


def generics_env(env: Env, generics: sx.Generics) -> None:
    """Adds the type parameters of an item, with their bounds."""
    bounds: dict[str, list[str]] = {p.name: [] for p in generics.params if p.kind == "type"}
    for p in generics.params:
        if p.kind == "type":
            bounds[p.name] += bound_paths(env, p.bounds)
    for w in generics.where:
        if isinstance(w.type, sx.PathType) and w.type.path.text in bounds:
            bounds[w.type.path.text] += bound_paths(env, w.bounds)
    for name, paths in bounds.items():
        env.generics[name] = Ty(f"param:{name}", (), tuple(paths))


def bound_paths(env: Env, bounds: list[sx.Bound]) -> list[str]:
    """The traits of bounds, as full paths (as written, where they are not the crate's)."""
    out = []
    for b in bounds:
        if b.path is not None and b.path.segments:
            ref = env.crate.resolve([s.name for s in b.path.segments], env.module, "types")
            out.append(ref.path if ref is not None else b.path.text)
    return out


def read_type(t: sx.Type | None, env: Env, depth: int = 0) -> Ty | None:
    """A written type; None where it says nothing that a method call could use."""
    if t is None or depth > 12:
        return None
    match t:
        case sx.RefType() | sx.PtrType():
            return read_type(t.inner, env, depth + 1)
        case sx.SliceType():
            return Ty("slice", (read_type(t.elem, env, depth + 1),))
        case sx.ArrayType():
            return Ty("array", (read_type(t.elem, env, depth + 1),))
        case sx.TupleType():
            return Ty("tuple", tuple(read_type(e, env, depth + 1) for e in t.elems))
        case sx.BoundsType():
            return Ty("dyn:", (), tuple(bound_paths(env, t.bounds)))
        case sx.FnPtrType():
            return Ty("closure")
        case sx.PathType():
            return _path_type(t.path, env, depth)
    return None


def _path_type(path: sx.Path, env: Env, depth: int) -> Ty | None:
    if path.qself is not None or not path.segments:
        return None
    names = [s.name for s in path.segments]
    last = path.segments[-1]
    args = tuple(read_type(a, env, depth + 1) for a in _type_args(last))
    if len(names) == 1:
        if names[0] == "Self":
            return env.self_ty
        if names[0] in env.generics:
            return env.generics[names[0]]
        if names[0] in PRIMITIVES:
            ref = env.crate.resolve(names, env.module, "types")
            if ref is None or ref.crate is not env.crate:
                return Ty(names[0])
    elif names[0] == "Self" or names[0] in env.generics:
        return None  # an associated type
    if names[-1] in _TRANSPARENT and args:
        return args[0]
    ref = env.crate.resolve(names, env.module, "types")
    if ref is None:
        return Ty(names[-1], args)
    if isinstance(ref.item, sx.TypeAlias) and ref.crate is env.crate and ref.module is not None:
        inner = Env(env.crate, ref.module)
        for p, a in zip([p for p in ref.item.generics.params if p.kind == "type"], args, strict=False):
            if a is not None:
                inner.generics[p.name] = a
        return read_type(ref.item.type, inner, depth + 1)
    if ref.crate is env.crate and ref.item is not None:
        return Ty(ref.path, args)
    return Ty(ref.name, args)


def _type_args(segment: sx.PathSegment) -> list[sx.Type]:
    if segment.args is None:
        return []
    kinds = (sx.PathType, sx.RefType, sx.SliceType, sx.ArrayType, sx.TupleType, sx.BoundsType, sx.PtrType, sx.FnPtrType)
    return [a for a in segment.args.args if isinstance(a, kinds)]


def element(t: Ty | None) -> Ty | None:
    """What an index or an iteration gives."""
    if t is None:
        return None
    if t.head in ("Map", "HashMap", "BTreeMap") and len(t.args) == 2:
        return t.args[1]
    if t.head in _SEQUENCES or t.head in ("Range", "RangeInclusive", "Set"):
        return t.args[0] if t.args else None
    return None


def view(t: Ty | None) -> Ty | None:
    """The type of `e@`, for library types."""
    if t is None:
        return None
    if t.head in GHOSTLY:
        return t.args[0] if t.args else None
    if t.head in ("str", "String"):
        return Ty("Seq", (Ty("char"),))
    if t.head in _VIEWS:
        return Ty(_VIEWS[t.head], t.args)
    return None


def library_result(t: Ty | None, name: str) -> Ty | None:
    """The type of a library method's result, for the commonest ones."""
    if name in _FIXED:
        return Ty(_FIXED[name])
    if t is None:
        return None
    if t.head in GHOSTLY and name in ("borrow", "borrow_mut", "get"):
        return t.args[0] if t.args else None
    if name in _SAME:
        return t
    if name in _FIRST:
        return element(t) or (t.args[0] if t.head in ("Option", "Result") and t.args else None)
    return None


class Methods:
    """The methods of a crate, by name."""

    def __init__(self, crate: Crate) -> None:
        self.crate = crate
        self._table: dict[str, list[Method]] = {}
        self._impl_heads: dict[str, set[str]] = {}
        self._blanket_traits: set[str] = set()
        self._impls_read = 0
        self._size = (-1, -1, -1)
        self._traits_read: set[int] = set()
        self._traits: dict[str, Ref] = {}
        self.derefs: set[str] = set()
        self.drops: dict[str, Method] = {}
        #: traits that stand for one of the library: their methods are called through that one
        self._proxies: set[str] = set()
        self._foreign: list[Method] = []

    def named(self, name: str) -> list[Method]:
        """Every method of that name, those of impl blocks that function bodies declare included."""
        self._read()
        return self._table.get(name, [])

    def trait(self, path: str) -> Ref | None:
        self._read()
        return self._traits.get(path)

    def supertraits(self, paths: tuple[str, ...]) -> set[str]:
        """Traits with those that they require."""
        self._read()
        seen: set[str] = set()
        todo = list(paths)
        while todo:
            path = todo.pop()
            if path in seen:
                continue
            seen.add(path)
            ref = self._traits.get(path)
            if ref is not None and isinstance(ref.item, sx.Trait) and ref.module is not None:
                todo += bound_paths(Env(self.crate, ref.module), ref.item.supertraits)
        return seen

    def implemented(self, head: str) -> set[str]:
        """The crate's traits that a type implements (blanket implementations count for every type)."""
        self._read()
        return self._impl_heads.get(head, set()) | self._blanket_traits

    def candidates(self, name: str, t: Ty | None) -> tuple[list[Method], bool]:
        """The methods that `x.name(…)` may call for a receiver of type `t`, and whether the list is certain. An empty certain
        list means: a method of the library."""
        everything = self.named(name)
        if not everything:
            return [], True
        if t is None or t.head in self.derefs:
            return everything, False
        found, certain = self._by_type(everything, t)
        proxies = [m for m in everything if m.head is None and m.trait in self._proxies and m not in found]
        return [*found, *proxies], certain and not proxies

    def _by_type(self, everything: list[Method], t: Ty) -> tuple[list[Method], bool]:
        if t.head.startswith(("param:", "dyn:")):
            traits = self.supertraits(t.bounds)
            return [m for m in everything if m.blanket or (m.head is None and m.trait in traits)], True
        found = [m for m in everything if m.head is not None and same_head(m.head, t.head)]
        if found:
            return found, True
        traits = self.implemented(t.head) if "{" not in t.head else set().union(*self._impl_heads.values(), set())
        declared = [m for m in everything if m.blanket or (m.head is None and m.trait in traits)]
        return declared, not any(m.blanket for m in declared)

    def implicit(self) -> list[Method]:
        """Implementations of other crates' traits with a promise: code reaches them without naming them (`?`, `into`,
        `Default::default()`, a library's generic code, dereferences), by types that are not worked out here."""
        self._read()
        return [m for m in self._foreign if m.trait not in self._traits]

    def _read(self) -> None:
        crate = self.crate
        size = (len(crate.functions), len(crate.impls), len(crate.traits))
        if size == self._size:
            return
        self._size = size
        for refs in crate.traits.values():
            for ref in refs:
                if id(ref.item) not in self._traits_read:
                    self._traits_read.add(id(ref.item))
                    self._read_trait(ref)
        while self._impls_read < len(crate.impls):
            impl, module = crate.impls[self._impls_read]
            self._impls_read += 1
            if not hidden_by_cfg(impl.attrs):
                self._read_impl(impl, module)

    def _read_trait(self, ref: Ref) -> None:
        assert isinstance(ref.item, sx.Trait)
        self._traits[ref.path] = ref
        if has_word(ref.item.attrs, "external_trait_specification") or has_word(ref.item.attrs, "external_trait_extension"):
            self._proxies.add(ref.path)
        for item in ref.item.items:
            if isinstance(item, sx.Fn | sx.Const) and not hidden_by_cfg(item.attrs):
                member = Ref(f"{ref.path}::{item.name}", item, ref.module, self.crate, ref.item)
                self._table.setdefault(item.name, []).append(Method(member, item, ref.item, None, ref.path))

    def _read_impl(self, impl: sx.Impl, module: Module) -> None:
        env = Env(self.crate, module)
        generics_env(env, impl.generics)
        own = read_type(impl.self_type, env)
        head = "?" if own is None else own.head
        blanket = head.startswith("param:") or head == "?"
        trait: str | None = None
        if impl.trait is not None:
            ref = self.crate.resolve([s.name for s in impl.trait.segments], module, "types")
            trait = ref.path if ref is not None else impl.trait.text
            if blanket:
                self._blanket_traits.add(trait)
            else:
                self._impl_heads.setdefault(head, set()).add(trait)
            if trait.rsplit("::", 1)[-1] in ("Deref", "DerefMut"):
                self.derefs.add(head)
        base = f"{module.path}::{impl_name(impl)}"
        for item in impl.items:
            if isinstance(item, sx.Fn | sx.Const) and not hidden_by_cfg(item.attrs):
                member = Ref(f"{base}::{item.name}", item, module, self.crate, impl)
                method = Method(member, item, impl, None if blanket else head, trait, blanket)
                self._table.setdefault(item.name, []).append(method)
                if trait is not None and isinstance(item, sx.Fn) and item.mode == "exec" and promises(item.clauses):
                    self._foreign.append(method)
                if trait is not None and trait.rsplit("::", 1)[-1] == "Drop":
                    self.drops[head] = method


def promises(clauses: list[sx.Clause]) -> bool:
    """Whether clauses say anything that a caller may rely on."""
    return any(c.kind in ("ensures", "returns", "default_ensures") for c in clauses)


def same_head(a: str, b: str) -> bool:
    """Whether two heads may be the same type; an integer literal may have any integer type."""
    if a == b:
        return True
    numbers = {"{integer}": PRIMITIVES - {"bool", "char", "str", "f32", "f64"}, "{float}": {"f32", "f64", "real"}}
    return b in numbers and a in numbers[b]
