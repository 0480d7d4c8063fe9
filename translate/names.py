"""Names: the modules of a crate, its `use` declarations, and what a path means in a given module.

In: the syntax tree of one file (`syntax.File`). Out: a `Crate` whose `resolve` turns a path into the item it names, by Rust's
rules: a local definition shadows an explicit import of another scope's name, an explicit import shadows a glob, and both shadow
the prelude. Names that the file does not define are looked up in the library (`translate.vstd`, itself a crate written in
Verus), and what is not there either is external: known by its full path only.

Sources: the Rust reference, "Name resolution" and "Preludes"; docs/design.md section 2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from translate import configuration
from translate import syntax as sx
from translate.parser import ParseFailure, body_of
from translate.source import SourceText

#: Crates whose paths lead into the library.
LIBRARY_ROOTS = frozenset({"vstd", "std", "core", "alloc", "builtin", "verus_builtin", "builtin_macros", "verus_builtin_macros"})

#: Globs that bring nothing into scope but what every Verus file sees, or names without a meaning in specifications.
_PRELUDES = frozenset({"vstd::prelude", "builtin", "verus_builtin", "builtin_macros", "verus_builtin_macros", "vstd"})

_IMPL = re.compile(rb"\bimpl\b")

#: Macros whose contents Verus reads; one of these names that is somebody else's hides everything in it.
VERUS_MACROS = frozenset({"verus", "verus_", "verus_proof_expr", "verus_proof_macro_exprs", "proof", "proof_decl"})

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

    @property
    def is_block(self) -> bool:
        """Whether it is the inside of a block, which sees the names around it (a real module does not)."""
        return "{" in self.path.rsplit("::", 1)[-1]

    def nearest(self) -> Module:
        """The real module that this one is, or stands in: what `self` names."""
        module = self
        while module.is_block and module.parent is not None:
            module = module.parent
        return module


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
    """Whether `#[cfg(…)]` certainly takes an item out of what Verus reads."""
    return configuration.presence(attrs) is False


#: What one search has looked for already: None also while it is being looked for.
_Seen = dict[tuple[str, int, str], "Ref | None"]


class Crate:
    """All names of one file. `library` is the vocabulary crate (None inside the library itself)."""

    def __init__(self, source: SourceText, file: sx.File, library: Crate | None, name: str = "crate") -> None:
        self.source, self.file, self.library, self.name = source, file, library, name
        self.root = Module(name, None)
        self.modules: dict[str, Module] = {name: self.root}
        self.impls: list[tuple[sx.Impl, Module]] = []
        self.traits: dict[str, list[Ref]] = {}
        self.functions: list[Ref] = []
        self._by_path: dict[str, list[Ref]] = {}
        self._indexed = 0
        self.hidden: list[Ref] = []
        self.word_bits: int | None = None
        self._by_method: dict[str, list[ImplFn]] | None = None
        self._by_method_of: dict[tuple[str, str], list[ImplFn]] = {}
        #: Places where what is verified depends on the build: an item of several definitions under `cfg`, an unclear `cfg_attr`.
        self.gaps: list[sx.ParseProblem] = []
        #: Calls of macros in item position, which may define anything: (text with the macro's own definition, place).
        self.item_macros: list[tuple[str, sx.Span]] = []
        self._blocks: dict[int, Module] = {}
        self._cache: dict[tuple[tuple[str, ...], int, str], Ref | None] = {}
        self._visible: dict[int, set[int]] = {}
        self._homed: set[str] | None = None
        self._conditional: dict[tuple[str, str], list[sx.Node]] = {}
        if configuration.presence(file.attrs) is not True:
            self._gap("cfg", "whether this file is there depends on the build", file.attrs[0])
        self._collect(file.items, self.root, [])
        self._note_conditional()
        self._collect_from_bodies()

    # --- building --------------------------------------------------------------------------------------------------

    def _collect(self, items: list[sx.Item], module: Module, inherited: list[sx.Attr]) -> None:
        """`inherited` are attributes of enclosing modules that hold for everything inside, such as `verifier::external`."""
        for item in items:
            attrs = self._attributes(item, inherited)
            path = f"{module.path}::{getattr(item, 'name', '')}"
            ref = Ref(path, item, module, self)
            present = configuration.presence(attrs)
            if present is False:
                self.hidden.append(ref)
                continue
            name = getattr(item, "name", None)
            if name is not None and not isinstance(item, sx.MacroDef):
                self._conditional.setdefault((path, type(item).__name__), []).append(item)
            match item:
                case sx.Fn():
                    module.values.setdefault(item.name, ref)
                    self.functions.append(ref)
                    self._check_parts(item, [p.attrs for p in item.params])
                case sx.Const():
                    module.values.setdefault(item.name, ref)
                case sx.Struct():
                    module.types.setdefault(item.name, ref)
                    if item.shape != "struct":
                        module.values.setdefault(item.name, ref)
                    self._check_parts(item, [f.attrs for f in item.fields])
                case sx.Enum():
                    module.types.setdefault(item.name, ref)
                    self._check_parts(item, [v.attrs for v in item.variants])
                    self._check_parts(item, [f.attrs for v in item.variants for f in v.fields])
                case sx.TypeAlias():
                    module.types.setdefault(item.name, ref)
                case sx.Trait():
                    module.types.setdefault(item.name, ref)
                    self.traits.setdefault(item.name, []).append(ref)
                    self._collect_members(item, item.items, path, module, attrs)
                case sx.Impl():
                    self.impls.append((item, module))
                    self._collect_members(item, item.items, f"{module.path}::{impl_name(item)}", module, attrs)
                case sx.Mod():
                    if item.items is None:  # in another file
                        module.types.setdefault(item.name, Ref(path, None, None, None))
                    else:
                        child = module if module.path == path else self.modules.get(path) or Module(path, module)
                        self.modules[path] = child
                        module.types.setdefault(item.name, Ref(path, child, module, self))
                        self._collect(item.items, child, [*inherited, *(a for a in attrs if _reaches_inside(a))])
                case sx.MacroDef() if item.name in VERUS_MACROS:
                    self._gap("macro", f"`{item.name}!` is redefined: what stands in it is not what Verus reads", item)
                case sx.MacroDef():
                    if item.name in module.macros:
                        self._gap(
                            "macro",
                            f"`{item.name}!` is defined more than once: which definition a use means depends on its place",
                            item,
                        )
                    module.macros[item.name] = ref
                case sx.MacroItem():
                    self._note_item_macro(item, module)
                case sx.Use():
                    if present is None:
                        self._gap("cfg", "what this imports depends on the build", item)
                    for leaf in item.leaves:
                        if leaf.alias in VERUS_MACROS and leaf.path[0] not in LIBRARY_ROOTS:
                            self._gap("macro", f"`{leaf.alias}` is imported from elsewhere: it may not be Verus's", item)
                        if leaf.glob:
                            module.globs.append(leaf.path)
                        elif leaf.alias is None:
                            module.anonymous.append(leaf.path)
                        else:
                            module.imports[leaf.alias] = leaf.path
                case sx.OtherItem(kind="extern crate"):
                    if " as " in self.source_of(item).folded(item.span):
                        self._gap("extern crate", "another crate goes by this name", item)
                case sx.Global():
                    if item.kind == "size_of" and item.size in (4, 8) and "usize" in item.text:
                        self.word_bits = item.size * 8

    def _collect_members(
        self, owner: sx.Impl | sx.Trait, items: list[sx.Item], path: str, module: Module, inherited: list[sx.Attr]
    ) -> None:
        reaching = [a for a in inherited if _reaches_inside(a)]
        for item in items:
            attrs = self._attributes(item, reaching)
            if isinstance(item, sx.Fn):
                self._check_parts(item, [p.attrs for p in item.params])
                ref = Ref(f"{path}::{item.name}", item, module, self, owner)
                (self.hidden if hidden_by_cfg(attrs) or hidden_by_cfg(owner.attrs) else self.functions).append(ref)
            if configuration.presence(attrs) is None:
                self._gap("cfg", "whether this is there depends on the build", item)

    def _attributes(self, item: sx.Item, inherited: list[sx.Attr]) -> list[sx.Attr]:
        """An item's attributes with `cfg_attr` expanded and those of enclosing modules added; they replace the item's own."""
        own: list[sx.Attr] | None = getattr(item, "attrs", None)
        if own is None:
            return []
        for a in own:
            if not configuration.is_known(a):
                self._gap("attribute", f"`#[{a.path}]` may be a macro that rewrites what it stands on", a)
        if any(a.path == "cfg_attr" for a in own):
            own, unclear = configuration.expand(own)
            for a in unclear:
                if not _is_harmless(a):
                    self._gap("cfg_attr", f"whether `#[{a.text}]` holds depends on the build", a)
            item.attrs = own  # type: ignore[union-attr]
        added = [a for a in inherited if all(a is not b for b in own)]
        if added:
            own = [*own, *added]
            item.attrs = own  # type: ignore[union-attr]
        return own

    def _check_parts(self, item: sx.Item, parts: list[list[sx.Attr]]) -> None:
        """Parts of an item (fields, variants, parameters) that are there in some builds only."""
        if any(a.path in ("cfg", "cfg_attr") and not _is_harmless_part(a) for attrs in parts for a in attrs):
            self._gap("cfg", "a part of this is there in some builds only", item)

    def _gap(self, construct: str, message: str, node: sx.Node) -> None:
        self.gaps.append(sx.ParseProblem(node.span, construct, message))

    def _note_conditional(self) -> None:
        """An item with several definitions, one of which depends on the build: nobody knows which is meant. The same for a macro
        that several modules define: which one a use means depends on the order of the text."""
        macros: dict[str, list[Ref]] = {}
        for m in self.modules.values():
            for name, ref in m.macros.items():
                macros.setdefault(name, []).append(ref)
        for name, refs in macros.items():
            if len(refs) > 1 and isinstance(refs[1].item, sx.Node):
                self._gap("macro", f"`{name}!` is defined in several modules", refs[1].item)
        for (path, _), items in self._conditional.items():
            if len(items) > 1:
                for item in items:
                    if configuration.presence(getattr(item, "attrs", [])) is None:
                        self._gap("cfg", f"which definition of `{path}` holds depends on the build", item)

    def source_of(self, node: sx.Node) -> SourceText:
        """The file that an item stands in: here the only one."""
        return self.source

    def _note_item_macro(self, item: sx.MacroItem, module: Module) -> None:
        text = self.source_of(item).folded(item.span)
        ref = self.resolve(item.path.names, module, "macros")
        if ref is not None and isinstance(ref.item, sx.MacroDef):
            text += " by " + self.source_of(ref.item).folded(ref.item.span)
        self.item_macros.append((text, item.span))

    def functions_at(self, path: str) -> list[Ref]:
        """The functions at a path, in order; more than one where several impl blocks of a type have one of that name."""
        if self._indexed != len(self.functions):  # reading a body adds the functions that stand in it
            self._by_path = {}
            for ref in self.functions:
                self._by_path.setdefault(ref.path, []).append(ref)
            self._indexed = len(self.functions)
        return self._by_path.get(path, [])

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

    def by_method_of(self, name: str, type_name: str) -> list[ImplFn]:
        """Those of `by_method` whose impl block may be for a type of that name (in small letters). For the vocabulary alone,
        where none is for an alias; the same few are asked for again and again."""
        key = (name, type_name)
        found = self._by_method_of.get(key)
        if found is None:
            found = [c for c in self.by_method(name) if isinstance(c.impl, sx.Impl) and may_be_for(c.impl, type_name)]
            self._by_method_of[key] = found
        return found

    def local_items(self, block: sx.Block, module: Module, label: str) -> Module:
        """A module for the items that a block declares inside a function (its names shadow the surrounding module's)."""
        child = self._blocks.get(id(block))
        if child is None:
            child = self._blocks[id(block)] = Module(f"{module.path}::{label}", module)
            known = len(self.functions)
            self._collect([s.item for s in block.stmts if isinstance(s, sx.ItemStmt)], child, [])
            del self.functions[known:]  # nobody calls them from outside
            self._by_method = None
        return child

    def _collect_from_bodies(self) -> None:
        """Implementations that stand inside a function's body: they hold in the whole file."""
        for ref in [] if self.name == "vstd" else list(self.functions):
            fn = ref.item
            assert isinstance(fn, sx.Fn) and ref.module is not None
            if fn.body is None or _IMPL.search(fn.body.source.data, fn.body.start, fn.body.end) is None:
                continue
            try:
                body = body_of(fn)
            except ParseFailure as failure:
                self.gaps.append(sx.ParseProblem(failure.span, failure.construct, failure.message))
                continue
            for block in _blocks_in(body):
                if any(isinstance(s, sx.ItemStmt) and isinstance(s.item, sx.Impl | sx.Trait) for s in block.stmts):
                    self.local_items(block, ref.module, f"{{{block.span.start}}}")

    # --- looking up ------------------------------------------------------------------------------------------------

    def resolve(self, segments: list[str], module: Module, space: str) -> Ref | None:
        """What a path (without generic arguments) names in `module`, in name space "types", "values" or "macros". An empty first
        segment is a leading `::`.

        None means: nothing of that name is in scope at all. A path into a crate that samespec has no text of gives a `Ref` with
        `item` None. Enum variants are reached through their enum; members of types and traits are not (the elaborator does that
        with types at hand): for `Type::f` resolve the prefix.
        """
        key = (tuple(segments), id(module), space)
        if key not in self._cache:
            self._cache[key] = self._resolve(segments, module, space, {})
        return self._cache[key]

    def _resolve(self, segments: list[str], module: Module, space: str, seen: _Seen) -> Ref | None:
        first, rest = segments[0], segments[1:]
        if not first:  # `::a::b`: another crate, whatever is called `a` here
            return self._library_path(rest, space)
        if first in ("crate", "$crate"):
            return self._descend(Ref(self.root.path, self.root, None, self), rest, space, seen)
        if first == "self":
            home = module.nearest()
            return self._descend(Ref(home.path, home, None, self), rest, space, seen)
        if first == "super":
            parent = module.nearest().parent or self.root
            return self._resolve(["self", *rest], parent, space, seen)
        base = self._lookup(first, module, "types" if rest else space, seen)
        if base is None and (first in LIBRARY_ROOTS or (rest and first == self.name)):
            return self._library_path(segments, space)
        if base is None:
            return None
        return self._descend(base, rest, space, seen)

    def _lookup(self, name: str, module: Module, space: str, seen: _Seen) -> Ref | None:
        """One name as seen from inside a module (function-local modules fall through to the enclosing one)."""
        scope: Module | None = module
        while scope is not None:
            found = self._in_module(name, scope, space, seen)
            if found is not None:
                return found
            # Only blocks see the names around them; real modules do not.
            scope = scope.parent if scope.is_block else None
        if space == "macros":  # macro_rules are in scope below their definition, whatever the module
            for m in self.modules.values():
                if name in m.macros:
                    return m.macros[name]
        if self.library is not None:
            return self.library.prelude(name, space)
        return self.prelude(name, space) if self.name == "vstd" else None

    def _in_module(self, name: str, module: Module, space: str, seen: _Seen) -> Ref | None:
        table = {"types": module.types, "values": module.values, "macros": module.macros}[space]
        if name in table:
            return table[name]
        key = (name, id(module), space)
        if key in seen:  # a cycle of imports names nothing
            return seen[key]
        seen[key] = None
        seen[key] = found = self._imported(name, module, space, seen)
        return found

    def _imported(self, name: str, module: Module, space: str, seen: _Seen) -> Ref | None:
        target = module.imports.get(name)
        if target is not None and target != [name]:
            found = self._import(target, module, space, seen)
            if found is not None:
                return found
        for glob in module.globs:
            found = self._through_glob(glob, name, module, space, seen)
            if found is not None:
                return found
        return None

    def _import(self, target: list[str], module: Module, space: str, seen: _Seen) -> Ref | None:
        head = target[0]
        if head in ("", "crate", "self", "super") or head in module.types or head in module.imports:
            return self._resolve(target, module, space, seen)
        if head in self.root.types:
            return self._resolve(["crate", *target], module, space, seen)
        if head not in LIBRARY_ROOTS:
            scope: Module | None = module
            while scope is not None:  # a name that a glob or an enclosing block brings into scope
                base = self._in_module(head, scope, "types", seen)
                if base is not None and base.item is not None:
                    return self._descend(base, target[1:], space, seen)
                scope = scope.parent if scope.is_block else None
        return self._library_path(target, space)

    def _glob_base(self, glob: list[str], module: Module, seen: _Seen) -> Ref | None:
        """The module or enum that a glob leads to; None, or a `Ref` without item, where its text is not seen."""
        if glob[0] in LIBRARY_ROOTS and glob[0] not in module.types:
            return self._library_path(glob, "types")
        return self._resolve(glob, module, "types", seen)

    def _through_glob(self, glob: list[str], name: str, module: Module, space: str, seen: _Seen) -> Ref | None:
        base = self._glob_base(glob, module, seen)
        if base is None:
            return None
        if isinstance(base.item, Module):
            return None if base.item is module else (base.crate or self)._in_module(name, base.item, space, seen)
        if isinstance(base.item, sx.Enum):
            return (base.crate or self)._variant(base, name)
        return None

    def _descend(self, base: Ref, rest: list[str], space: str, seen: _Seen) -> Ref | None:
        for i, name in enumerate(rest):
            last = i == len(rest) - 1
            inside = base.item
            if isinstance(inside, Module):
                if name == "super":
                    parent = inside.parent or self.root
                    base = Ref(parent.path, parent, None, self)
                    continue
                owner = base.crate or self
                found = owner._in_module(name, inside, space if last else "types", seen)
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
        """A path into vstd or std: what stands there in the library (whose root holds what Verus and Rust export under several
        paths, and whose modules hold what is meant under its own path only), else an external name."""
        lib = self.library or self
        if segments[0] in ("alloc", "core"):
            segments = ["std", *segments[1:]]
        if lib.name == "vstd" and segments[0] in LIBRARY_ROOTS:
            *way, last = segments[1:] or [""]
            at = lib.root
            for i, name in enumerate(way):
                inner = at.types.get(name) or lib.root.types.get(name)
                if inner is not None and isinstance(inner.item, Module):
                    at = inner.item
                elif inner is not None and isinstance(inner.item, sx.Enum) and i == len(way) - 1:
                    return lib._variant(inner, last)
            found = lib._in_module(last, at, space, {})
            if found is None and last not in lib.homed:
                found = lib.prelude(last, space)
            if found is not None and found.item is not None:
                return found
            if segments in (["vstd"], ["verus_builtin"], ["builtin"]):
                return Ref("vstd", lib.root, None, lib)
        return Ref("::".join(segments), None, None, None)

    @property
    def homed(self) -> set[str]:
        """The names in this crate's inner modules."""
        if self._homed is None:
            self._homed = {n for m in self.modules.values() if m is not self.root for t in (m.types, m.values) for n in t}
        return self._homed

    def prelude(self, name: str, space: str) -> Ref | None:
        """A name of this crate's root (used on the library: what every Verus file sees, under many paths)."""
        found = {"types": self.root.types, "values": self.root.values, "macros": self.root.macros}[space].get(name)
        if found is not None and not isinstance(found.item, Module):
            return found
        if space == "values" and name in ("Some", "None", "Ok", "Err"):
            enum = self.prelude("Option" if name in ("Some", "None") else "Result", "types")
            return None if enum is None else self._variant(enum, name)
        return None

    def visible_traits(self, module: Module) -> set[int]:
        """The ids of the trait items whose methods can be called in a module: those defined or imported there."""
        found = self._visible.get(id(module))
        if found is None:
            found = self._visible[id(module)] = set()
            self._add_traits(module, found, set())
        return found

    def _add_traits(self, module: Module, found: set[int], done: set[int]) -> None:
        if id(module) in done:
            return
        done.add(id(module))
        found |= {id(r.item) for r in module.types.values() if isinstance(r.item, sx.Trait)}
        for path in [*module.imports.values(), *module.anonymous]:
            ref = self._import(path, module, "types", {})
            if ref is not None and isinstance(ref.item, sx.Trait):
                found.add(id(ref.item))
        for glob in module.globs:
            base = self._glob_base(glob, module, {})
            if base is not None and isinstance(base.item, Module):
                (base.crate or self)._add_traits(base.item, found, done)
        if module.is_block and module.parent is not None:
            self._add_traits(module.parent, found, done)

    def unseen_globs(self, module: Module) -> list[str]:
        """The glob imports around a module that lead where samespec sees nothing."""
        found: set[str] = set()
        scope: Module | None = module
        while scope is not None:
            for glob in scope.globs:
                base = self._glob_base(glob, scope, {})
                if (base is None or base.item is None) and "::".join(glob) not in _PRELUDES:
                    found.add("::".join(glob))
            scope = scope.parent if scope.is_block else None
        return sorted(found)

    def all_refs(self) -> Iterator[Ref]:
        """Every named item of the crate, module by module."""
        for m in self.modules.values():
            for table in (m.types, m.values):
                for ref in table.values():
                    if not isinstance(ref.item, Module):
                        yield ref


def _reaches_inside(a: sx.Attr) -> bool:
    """Whether an attribute of a module or impl block holds for everything inside it."""
    text = a.text.replace(" ", "")
    return text in ("verifier::external", "verifier(external)", "verifier::external_body", "verifier(external_body)")


def _is_harmless_part(a: sx.Attr) -> bool:
    return a.path == "cfg_attr" and _is_harmless(a)


def _is_harmless(a: sx.Attr) -> bool:
    """A `cfg_attr` that only brings what Verus does not read: documentation, lints, derives of other crates."""
    _, *brought = configuration.split(a.text[a.text.index("(") + 1 : a.text.rindex(")")])
    return all(
        b.split("(")[0].split("=")[0].strip() in ("doc", "allow", "warn", "deny", "inline", "must_use", "rustfmt::skip")
        for b in brought
    )


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


def may_be_for(impl: sx.Impl, type_name: str) -> bool:
    """Whether an impl block's self type may be one of that name (in small letters): it has it, has none, or is a parameter."""
    if not isinstance(impl.self_type, sx.PathType):
        return True
    name = impl.self_type.path.segments[-1].name
    return name.lower() == type_name or any(name == g.name for g in impl.generics.params)


def impl_name(impl: sx.Impl) -> str:
    """The path segment of an impl block's members: `Type`, or `<Type as Trait>`."""
    name = type_name(impl.self_type)
    return f"<{name} as {impl.trait.segments[-1].name}>" if impl.trait is not None else name


def _blocks_in(node: object) -> Iterator[sx.Block]:
    """Every block of a syntax tree."""
    stack = [node]
    while stack:
        n = stack.pop()
        if isinstance(n, list | tuple):
            stack.extend(n)
        elif isinstance(n, sx.Node):
            if isinstance(n, sx.Block):
                yield n
            stack.extend(getattr(n, name, None) for c in type(n).__mro__ for name in getattr(c, "__slots__", ()))
