"""Names: the modules of a crate, its `use` declarations, and what a path means in a given module.

In: the syntax tree of one file (`syntax.File`). Out: a `Crate` whose `resolve` turns a path into the item it names, by Rust's
rules: a local definition shadows an explicit import of another scope's name, an explicit import shadows a glob, and both shadow
the prelude. Names that the file does not define are looked up in the library (`translate.vstd`, itself a crate written in
Verus), and what is not there either is external: known by its full path only.

Sources: the Rust reference, "Name resolution" and "Preludes"; docs/design.md section 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from translate import syntax as sx
from translate.source import SourceText

#: Crates whose paths lead into the library.
LIBRARY_ROOTS = frozenset({"vstd", "std", "core", "alloc", "builtin", "verus_builtin", "builtin_macros"})

TYPE_ITEMS = (sx.Struct, sx.Enum, sx.Trait, sx.TypeAlias)


@dataclass(eq=False, slots=True)
class Module:
    """One module: its items by namespace. `path` starts with "crate" ("vstd" in the library)."""

    path: str
    parent: Module | None
    types: dict[str, Ref] = field(default_factory=dict)
    values: dict[str, Ref] = field(default_factory=dict)
    macros: dict[str, Ref] = field(default_factory=dict)
    imports: dict[str, list[str]] = field(default_factory=dict)
    globs: list[list[str]] = field(default_factory=list)
    anonymous: list[list[str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Ref:
    """What a name refers to: an item of a crate, with the place where it stands.

    `item` is the syntax node: an item, a `Variant` (then `owner` is its enum), a `Module`, or None for something external.
    `owner` is the `Impl`, `Trait` or `Enum` that the item belongs to. `path` is the full path for people and for matching the two
    sides' definitions. `crate` is the crate that defines it (None: external).
    """

    path: str
    item: sx.Node | Module | None
    module: Module | None
    crate: Crate | None
    owner: sx.Impl | sx.Trait | sx.Enum | None = None

    @property
    def name(self) -> str:
        return self.path.rsplit("::", 1)[-1]


@dataclass(frozen=True, slots=True)
class ImplFn:
    """A function, constant or associated type of an `impl` block, or of a trait."""

    ref: Ref
    item: sx.Fn | sx.Const | sx.TypeAlias
    impl: sx.Impl | sx.Trait
    module: Module


def hidden_by_cfg(attrs: list[sx.Attr]) -> bool:
    """Whether `#[cfg(…)]` takes an item out of what Verus reads. Verus sets `verus_keep_ghost` and `verus_only`; tests are off.
    Other configuration predicates are taken as not set, and under `not(…)` as set."""
    for a in attrs:
        if a.path == "cfg" and a.args is not None:
            inner = a.text[a.text.index("(") + 1 : a.text.rindex(")")]
            if not _cfg_holds(inner):
                return True
    return False


def _cfg_holds(text: str) -> bool:
    text = text.replace(" ", "")
    for word, combine in (("all", all), ("any", any)):
        if text.startswith(word + "(") and text.endswith(")"):
            return combine(_cfg_holds(part) for part in _split_commas(text[len(word) + 1 : -1]))
    if text.startswith("not(") and text.endswith(")"):
        return not _cfg_holds(text[4:-1])
    return text in ("verus_keep_ghost", "verus_only", "verus_keep_ghost_body", "debug_assertions")


def _split_commas(text: str) -> list[str]:
    parts, depth, current = [], 0, ""
    for c in text:
        depth += {"(": 1, ")": -1}.get(c, 0)
        if c == "," and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += c
    return [p for p in [*parts, current] if p]


class Crate:
    """All names of one file. `library` is the vocabulary crate (None inside the library itself)."""

    def __init__(self, source: SourceText, file: sx.File, library: Crate | None, name: str = "crate") -> None:
        self.source, self.file, self.library, self.name = source, file, library, name
        self.root = Module(name, None)
        self.modules: dict[str, Module] = {name: self.root}
        self.impls: list[tuple[sx.Impl, Module]] = []
        self.traits: dict[str, list[Ref]] = {}
        self.functions: list[Ref] = []
        self.hidden: list[Ref] = []
        self.word_bits: int | None = None
        self._by_method: dict[str, list[ImplFn]] | None = None
        self._collect(file.items, self.root)

    # --- building --------------------------------------------------------------------------------------------------

    def _collect(self, items: list[sx.Item], module: Module) -> None:
        for item in items:
            attrs: list[sx.Attr] = getattr(item, "attrs", [])
            path = f"{module.path}::{getattr(item, 'name', '')}"
            ref = Ref(path, item, module, self)
            if attrs and hidden_by_cfg(attrs):
                self.hidden.append(ref)
                continue
            match item:
                case sx.Fn():
                    module.values.setdefault(item.name, ref)
                    self.functions.append(ref)
                case sx.Const():
                    module.values.setdefault(item.name, ref)
                case sx.Struct():
                    module.types.setdefault(item.name, ref)
                    if item.shape != "struct":
                        module.values.setdefault(item.name, ref)
                case sx.Enum() | sx.TypeAlias():
                    module.types.setdefault(item.name, ref)
                case sx.Trait():
                    module.types.setdefault(item.name, ref)
                    self.traits.setdefault(item.name, []).append(ref)
                    self._collect_members(item, item.items, path, module)
                case sx.Impl():
                    self.impls.append((item, module))
                    self._collect_members(item, item.items, f"{module.path}::{impl_name(item)}", module)
                case sx.Mod():
                    if item.items is not None:
                        child = module if module.path == path else self.modules.get(path) or Module(path, module)
                        self.modules[path] = child
                        module.types.setdefault(item.name, Ref(path, child, module, self))
                        self._collect(item.items, child)
                case sx.MacroDef():
                    module.macros[item.name] = ref
                case sx.Use():
                    for leaf in item.leaves:
                        if leaf.glob:
                            module.globs.append(leaf.path)
                        elif leaf.alias is None:
                            module.anonymous.append(leaf.path)
                        else:
                            module.imports[leaf.alias] = leaf.path
                case sx.Global():
                    if item.kind == "size_of" and item.size in (4, 8) and "usize" in item.text:
                        self.word_bits = item.size * 8

    def _collect_members(self, owner: sx.Impl | sx.Trait, items: list[sx.Item], path: str, module: Module) -> None:
        for item in items:
            if isinstance(item, sx.Fn):
                ref = Ref(f"{path}::{item.name}", item, module, self, owner)
                (self.hidden if hidden_by_cfg(item.attrs) or hidden_by_cfg(owner.attrs) else self.functions).append(ref)

    def by_method(self, name: str) -> list[ImplFn]:
        """The functions and constants of that name in the crate's impl blocks (inherent ones first), in order."""
        if self._by_method is None:
            table: dict[str, list[ImplFn]] = {}
            for want_trait in (False, True):
                for impl, module in self.impls:
                    if (impl.trait is not None) != want_trait or hidden_by_cfg(impl.attrs):
                        continue
                    base = f"{module.path}::{impl_name(impl)}"
                    for item in impl.items:
                        if isinstance(item, sx.Fn | sx.Const | sx.TypeAlias) and not hidden_by_cfg(item.attrs):
                            ref = Ref(f"{base}::{item.name}", item, module, self, impl)
                            table.setdefault(item.name, []).append(ImplFn(ref, item, impl, module))
            self._by_method = table
        return self._by_method.get(name, [])

    def local_items(self, block: sx.Block, module: Module, label: str) -> Module:
        """A module for the items that a block declares inside a function (its names shadow the surrounding module's)."""
        items = [s.item for s in block.stmts if isinstance(s, sx.ItemStmt)]
        child = Module(f"{module.path}::{label}", module)
        self._collect(items, child)
        return child

    # --- looking up ------------------------------------------------------------------------------------------------

    def resolve(self, segments: list[str], module: Module, space: str, _depth: int = 0) -> Ref | None:
        """What a path (without generic arguments) names in `module`, in name space "types", "values" or "macros".

        None means: nothing of that name is in scope at all. A path into a crate that samespec has no text of gives a `Ref` with
        `item` None. Enum variants are reached through their enum; members of types and traits are not (the elaborator does that
        with types at hand): for `Type::f` resolve the prefix.
        """
        if _depth > 24:  # a cycle of imports names nothing
            return None
        first, rest = segments[0], segments[1:]
        if first == "crate" or (first == "$crate"):
            return self._descend(Ref(self.root.path, self.root, None, self), rest, space, _depth)
        if first == "self":
            return self._descend(Ref(module.path, module, None, self), rest, space, _depth)
        if first == "super":
            parent = module.parent or self.root
            return self.resolve(["self", *rest], parent, space, _depth + 1)
        base = self._lookup(first, module, "types" if rest else space, _depth)
        if base is None and (first in LIBRARY_ROOTS or (rest and first == self.name)):
            return self._library_path(segments, space)
        if base is None:
            return None
        return self._descend(base, rest, space, _depth)

    def _lookup(self, name: str, module: Module, space: str, depth: int) -> Ref | None:
        """One name as seen from inside a module (function-local modules fall through to the enclosing one)."""
        scope: Module | None = module
        while scope is not None:
            found = self._in_module(name, scope, space, depth)
            if found is not None:
                return found
            # Only blocks see the names around them; real modules do not.
            scope = scope.parent if "{" in scope.path.rsplit("::", 1)[-1] else None
        if space == "macros":  # macro_rules are in scope below their definition, whatever the module
            for m in self.modules.values():
                if name in m.macros:
                    return m.macros[name]
        if self.library is not None:
            return self.library.prelude(name, space)
        return self.prelude(name, space) if self.name == "vstd" else None

    def _in_module(self, name: str, module: Module, space: str, depth: int) -> Ref | None:
        table = {"types": module.types, "values": module.values, "macros": module.macros}[space]
        if name in table:
            return table[name]
        target = module.imports.get(name)
        if target is not None and target != [name]:
            found = self._import(target, module, space, depth)
            if found is not None:
                return found
        for glob in module.globs:
            found = self._through_glob(glob, name, module, space, depth)
            if found is not None:
                return found
        return None

    def _import(self, target: list[str], module: Module, space: str, depth: int) -> Ref | None:
        if target[0] in ("crate", "self", "super") or target[0] in module.types or target[0] in module.imports:
            return self.resolve(target, module, space, depth + 1)
        if target[0] in self.root.types:
            return self.resolve(["crate", *target], module, space, depth + 1)
        return self._library_path(target, space)

    def _through_glob(self, glob: list[str], name: str, module: Module, space: str, depth: int) -> Ref | None:
        if glob[0] in LIBRARY_ROOTS and glob[0] not in module.types:
            # Everything in the library is in reach anyway; what is not there is unknown, not imported.
            return None
        if depth > 16:
            return None
        base = self.resolve(glob, module, "types", depth + 1)
        if base is None:
            return None
        if isinstance(base.item, Module):
            return None if base.item is module else self._in_module(name, base.item, space, depth + 1)
        if isinstance(base.item, sx.Enum):
            return self._variant(base, name)
        return None

    def _descend(self, base: Ref, rest: list[str], space: str, depth: int) -> Ref | None:
        for i, name in enumerate(rest):
            last = i == len(rest) - 1
            inside = base.item
            if isinstance(inside, Module):
                if name == "super":
                    parent = inside.parent or self.root
                    base = Ref(parent.path, parent, None, self)
                    continue
                owner = base.crate or self
                found = owner._in_module(name, inside, space if last else "types", depth + 1)
            elif isinstance(base.item, sx.Enum) and last:
                found = (base.crate or self)._variant(base, name)
            elif base.item is None:
                found = Ref(f"{base.path}::{name}", None, None, None)
            else:
                found = None
            if found is None:
                return None
            base = found
        return base

    def _variant(self, enum: Ref, name: str) -> Ref | None:
        assert isinstance(enum.item, sx.Enum)
        for v in enum.item.variants:
            if v.name == name:
                return Ref(f"{enum.path}::{name}", v, enum.module, enum.crate, enum.item)
        return None

    def _library_path(self, segments: list[str], space: str) -> Ref | None:
        """A path into vstd or std: the library's item of that last name, else an external name."""
        lib = self.library or self
        if lib.name == "vstd" and segments[0] in LIBRARY_ROOTS:
            if len(segments) >= 2:
                enum = lib.prelude(segments[-2], "types")
                if enum is not None and isinstance(enum.item, sx.Enum):
                    return lib._variant(enum, segments[-1])
            found = lib.prelude(segments[-1], space)
            if found is not None and len(segments) >= 2:
                return found
        return Ref("::".join(segments), None, None, None)

    def prelude(self, name: str, space: str) -> Ref | None:
        """A name of this crate, whatever module it stands in (used on the library: Verus programs see it through globs and the
        standard prelude, under many paths)."""
        for m in self.modules.values():
            table = {"types": m.types, "values": m.values, "macros": m.macros}[space]
            found = table.get(name)
            if found is not None and not isinstance(found.item, Module):
                return found
        if space == "values" and name in ("Some", "None", "Ok", "Err"):
            enum = self.prelude("Option" if name in ("Some", "None") else "Result", "types")
            return None if enum is None else self._variant(enum, name)
        return None

    def all_refs(self) -> Iterator[Ref]:
        """Every named item of the crate, module by module."""
        for m in self.modules.values():
            for table in (m.types, m.values):
                for ref in table.values():
                    if not isinstance(ref.item, Module):
                        yield ref


def type_name(t: sx.Type) -> str:
    """A short name for a type, as it stands in paths of functions: `Vec`, `&T` gives `T`, `(A, B)` gives `(A, B)`."""
    match t:
        case sx.PathType():
            return t.path.segments[-1].name if t.path.segments else "_"
        case sx.RefType() | sx.PtrType():
            return type_name(t.inner)
        case sx.SliceType():
            return f"[{type_name(t.elem)}]"
        case sx.ArrayType():
            return f"[{type_name(t.elem)}; _]"
        case sx.TupleType():
            return f"({', '.join(type_name(e) for e in t.elems)})"
    return "_"


def impl_name(impl: sx.Impl) -> str:
    """The path segment of an impl block's members: `Type`, or `<Type as Trait>`."""
    name = type_name(impl.self_type)
    return f"<{name} as {impl.trait.segments[-1].name}>" if impl.trait is not None else name
