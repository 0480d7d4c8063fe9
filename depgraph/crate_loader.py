"""A whole crate: the files of its modules, read into one `Crate` of names.

In: the path of the crate's root file, or its text. Out: a `LoadedCrate`: the syntax tree with the items of every `mod x;` file
(also `#[path]`) and every `include!` in place, names collected over all of them, items that the crate's own macros expand to
included, and each node's own source. What cannot be read is in `unread`, with its place; it never disappears.

Source: the Rust reference, "Modules" (module source file names, the path attribute) and "Macros by example" (scoping).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from depgraph.room import room
from equiv.verdict import Place
from translate import syntax as sx
from translate.names import Crate, Module, Ref, hidden_by_cfg, impl_name
from translate.parser import ParseFailure, parse_file, parse_items
from translate.parser.macro_rules import ExpansionError, expansion
from translate.source import SourceError, SourceText, read_source
from translate.vstd import library

#: Item macros whose meaning is known to define no function that a proof could call.
_QUIET_MACROS = frozenset(("thread_local", "compile_error", "assert_not_impl_any", "const_assert"))
_MAX_EXPANSIONS = 2_000


@dataclass(frozen=True, slots=True)
class Gap:
    """Text that was not read: names may be defined there. `kind` is "parse", "file" or "macro"."""

    kind: str
    place: Place
    message: str


class LoadedCrate(Crate):
    """A crate of several files."""

    def __init__(self, source: SourceText, file: sx.File, sources: dict[int, SourceText], unread: list[Gap]) -> None:
        self.sources = sources
        self.unread = unread
        #: broadcast uses, groups and assumed specifications, with the module they stand in
        self.broadcast_uses: dict[str, list[sx.BroadcastUse]] = {}
        self.groups: list[tuple[sx.BroadcastGroup, Module]] = []
        self.specifications: list[tuple[sx.AssumeSpecification, Module]] = []
        self.globals: list[sx.Global] = []
        self.module_attrs: dict[str, list[sx.Attr]] = {source_root(): file.attrs}
        #: the `cfg_attr`s of items, which the name tables replace by what they bring
        self.conditional_attrs: dict[int, list[sx.Attr]] = {}
        #: for items that Verus does not see, the `cfg`s that hide them; and the hidden imports of each module
        self.hiding: dict[int, list[sx.Attr]] = {}
        self.hidden_uses: dict[str, list[tuple[sx.UseTree, list[sx.Attr]]]] = {}
        self._macro_items: list[tuple[sx.MacroItem, Module, list[sx.Attr]]] = []
        super().__init__(source, file, library())
        self._expand_macro_items()
        self._cache.clear()  # names that macros define were not known before

    # --- sources ---------------------------------------------------------------------------------------------------

    def source_of(self, node: sx.Node) -> SourceText:
        """The file that an item stands in."""
        return self.sources.get(id(node), self.source)

    def adopt(self, items: list[sx.Item], source: SourceText) -> None:
        """Remembers that items, and those inside them, stand in another file than the root."""
        if source is self.source:
            return
        for item in items:
            self.sources[id(item)] = source
            inner = getattr(item, "items", None)
            if isinstance(inner, list):
                self.adopt([i for i in inner if id(i) not in self.sources], source)

    # --- names -----------------------------------------------------------------------------------------------------

    def _collect(self, items: list[sx.Item], module: Module, inherited: list[sx.Attr]) -> None:
        for item in items:
            conditional = [a for a in getattr(item, "attrs", []) if a.path == "cfg_attr"]
            if conditional:
                self.conditional_attrs.setdefault(id(item), conditional)
        super()._collect(items, module, inherited)
        for item in items:
            if hidden_by_cfg(getattr(item, "attrs", [])):
                self._hide(item, module.path, module, [a for a in getattr(item, "attrs", []) if a.path == "cfg"])
                continue
            match item:
                case sx.BroadcastUse():
                    self.broadcast_uses.setdefault(module.path, []).append(item)
                case sx.BroadcastGroup():
                    self.groups.append((item, module))
                    module.values.setdefault(item.name, Ref(f"{module.path}::{item.name}", item, module, self))
                case sx.AssumeSpecification():
                    self.specifications.append((item, module))
                case sx.Global():
                    self.globals.append(item)
                case sx.MacroItem():
                    self._macro_items.append((item, module, inherited))
                case sx.Mod():
                    self.module_attrs.setdefault(f"{module.path}::{item.name}", []).extend(item.attrs)
                case sx.OtherItem() if item.kind == "extern crate":
                    self._extern_crate(item, module)

    def _hide(self, item: sx.Item, path: str, module: Module, cfgs: list[sx.Attr]) -> None:
        """What stands inside an item that Verus does not see: another definition of the same path may be what is built."""
        self.hiding[id(item)] = cfgs
        if isinstance(item, sx.Use):
            self.hidden_uses.setdefault(module.path, []).extend((leaf, cfgs) for leaf in item.leaves)
        if isinstance(item, sx.Impl):
            inside = f"{path}::{impl_name(item)}"
        elif isinstance(item, sx.Mod):
            inside = f"{path}::{item.name}"
        else:
            return
        for inner in item.items or []:
            name = getattr(inner, "name", None)
            if name is not None:
                owner = item if isinstance(item, sx.Impl) else None
                self.hidden.append(Ref(f"{inside}::{name}", inner, module, self, owner))
            self._hide(inner, inside, module, cfgs)

    def _extern_crate(self, item: sx.OtherItem, module: Module) -> None:
        words = self.source_of(item).snippet(item.span).rstrip(";").split()
        if "as" in words:
            module.imports[words[-1]] = [words[words.index("as") - 1]]

    def _expand_macro_items(self) -> None:
        """Items that calls of the crate's own macros stand for; what is left is a gap."""
        rounds = 0
        while self._macro_items:
            item, module, inherited = self._macro_items.pop(0)
            rounds += 1
            name = item.path.segments[-1].name
            source = self.source_of(item)
            ref = self.resolve([s.name for s in item.path.segments], module, "macros")
            if ref is not None and isinstance(ref.item, sx.MacroDef) and rounds <= _MAX_EXPANSIONS:
                try:
                    file = parse_items(expansion(ref.item, item.body), item.in_verus)
                except (ExpansionError, ParseFailure) as problem:
                    self._macro_gap(item, source, f"macro `{name}!` cannot be expanded: {problem}")
                    continue
                if file.problems:
                    self._macro_gap(item, source, f"what macro `{name}!` expands to cannot be read: {file.problems[0].message}")
                for made in file.items:
                    self.adopt([made], self.source_of(ref.item))
                self._collect(file.items, module, inherited)
            elif name not in _QUIET_MACROS:
                self._macro_gap(item, source, f"macro `{name}!` is not defined in this crate: what it defines is not seen")

    def _macro_gap(self, item: sx.MacroItem, source: SourceText, message: str) -> None:
        line, column = source.line_column(item.span.start)
        self.unread.append(Gap("macro", Place(str(source.path), line, column), message))


def source_root() -> str:
    """The path of a crate's root module."""
    return "crate"


def load_crate(path: str | Path) -> LoadedCrate:
    """The crate whose root file is `path`. Raises `SourceError` where the root cannot be read."""
    return load_source(read_source(path))


def load_source(source: SourceText, *, follow: bool = True) -> LoadedCrate:
    """The crate of a root file's text; files of modules are looked for beside its path. Without `follow` no file is read,
    whatever the text names: for a text from somebody else."""
    with room():
        return _Loader(source, follow).load()


class _Loader:
    def __init__(self, source: SourceText, follow: bool) -> None:
        self.root, self.follow = source, follow
        self.sources: dict[int, SourceText] = {}
        self.unread: list[Gap] = []
        self.active: list[Path] = []

    def load(self) -> LoadedCrate:
        path = Path(str(self.root.path))
        file = parse_file(self.root)
        self._problems(file, self.root)
        self.active.append(path.resolve() if self.follow and path.exists() else path)
        file.items = self._splice(file.items, self.root, path.parent, path.parent)
        return LoadedCrate(self.root, file, self.sources, self.unread)

    def _problems(self, file: sx.File, source: SourceText) -> None:
        for p in file.problems:
            self.unread.append(Gap("parse", _place(source, p.span), f"{p.construct}: {p.message}"))

    def _splice(self, items: list[sx.Item], source: SourceText, here: Path, below: Path) -> list[sx.Item]:
        """The items with those of other files in place. `here` is the folder that `#[path]` is relative to, `below` the one
        where files of child modules lie."""
        out: list[sx.Item] = []
        for item in items:
            if source is not self.root:
                self.sources[id(item)] = source
            if isinstance(item, sx.Impl | sx.Trait) and source is not self.root:
                self.sources.update((id(i), source) for i in item.items)
            if isinstance(item, sx.Mod) and not hidden_by_cfg(item.attrs):
                if item.items is not None:
                    inline = below / item.name
                    item.items = self._splice(item.items, source, inline, inline)
                else:
                    self._module_file(item, source, here, below)
            if isinstance(item, sx.MacroItem) and item.path.segments[-1].name == "include":
                out += self._included(item, source, here, below)
                continue
            out.append(item)
        return out

    def _module_file(self, item: sx.Mod, source: SourceText, here: Path, below: Path) -> None:
        if not self.follow:
            self.unread.append(Gap("file", _place(source, item.span), f"module `{item.name}` stands in another file: not read"))
            return
        named = next((a.value for a in item.attrs if a.path == "path" and a.value is not None), None)
        candidates = [here / named] if named else [below / f"{item.name}.rs", below / item.name / "mod.rs"]
        found = next((c for c in candidates if c.is_file()), None)
        if found is None:
            listed = " or ".join(str(c) for c in candidates)
            self.unread.append(Gap("file", _place(source, item.span), f"module `{item.name}`: no file {listed}"))
            return
        inside = found.parent if named or found.name == "mod.rs" else below / item.name
        read = self._read(found, item.span, source)
        if read is None:
            return
        text, file = read
        self.active.append(found.resolve())
        item.attrs = [*item.attrs, *file.attrs]
        item.items = self._splice(file.items, text, found.parent, inside)
        self.active.pop()

    def _included(self, item: sx.MacroItem, source: SourceText, here: Path, below: Path) -> list[sx.Item]:
        if not self.follow:
            self.unread.append(Gap("file", _place(source, item.span), "`include!` of another file: not read"))
            return []
        tokens = item.body.children
        folder = Path(str(source.path)).parent
        if len(tokens) != 1 or tokens[0].kind != "str":
            self.unread.append(Gap("file", _place(source, item.span), "`include!` of a file whose name is computed"))
            return []
        path = folder / tokens[0].text.strip('"')
        if not path.is_file():
            self.unread.append(Gap("file", _place(source, item.span), f"`include!`: no file {path}"))
            return []
        read = self._read(path, item.span, source)
        if read is None:
            return []
        text, file = read
        self.active.append(path.resolve())
        items = self._splice(file.items, text, here, below)
        self.active.pop()
        return items

    def _read(self, path: Path, at: sx.Span, source: SourceText) -> tuple[SourceText, sx.File] | None:
        if path.resolve() in self.active:
            self.unread.append(Gap("file", _place(source, at), f"{path} includes itself"))
            return None
        try:
            text = read_source(path)
        except SourceError as problem:
            self.unread.append(Gap("file", _place(source, at), str(problem)))
            return None
        file = parse_file(text)
        self._problems(file, text)
        return text, file


def _place(source: SourceText, span: sx.Span) -> Place:
    line, column = source.line_column(span.start)
    return Place(str(source.path), line, column)
