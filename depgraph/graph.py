"""The call graph of a crate, built where it is asked for.

In: a `LoadedCrate`. Out: a `CallGraph`: a networkx `MultiDiGraph` of `NodeInfo` and `Edge`. A node is expanded when an audit
reaches it; `expand_all` does it for the whole crate. Calls are resolved by names (`translate.names`) and, for methods, by the
receiver's type where that is known; where it is not, every method of that name in the crate is a callee (`certain` False).

The argument for names that nothing in the crate defines: rustc found them, so they come from a glob or a prelude. Where the only
foreign names in scope are those of vstd and std, and no text of the crate was left unread, they are the library's; else they
are unresolved.
"""

from __future__ import annotations

import networkx as nx

from depgraph.attributes import depends_on_verus
from depgraph.crate_loader import LoadedCrate
from depgraph.hatches import library_hatch
from depgraph.items import expand
from depgraph.model import Edge, Finding, NodeInfo
from depgraph.receivers import PRIMITIVES, Env, Method, Methods, Ty, bound_paths, library_result, read_type
from depgraph.specifications import Specifications
from depgraph.walker import Walker
from equiv.verdict import Place
from translate import configuration
from translate import syntax as sx
from translate.names import LIBRARY_ROOTS, Module, Ref
from translate.source import SourceText

FOREIGN, LIBRARY, UNRESOLVED = "foreign", "library", "unresolved"


class CallGraph:
    """The nodes and edges of a crate that have been looked at so far."""

    def __init__(self, crate: LoadedCrate) -> None:
        self.crate = crate
        self.nodes: dict[str, NodeInfo] = {}
        self.edges: dict[str, list[Edge]] = {}
        self.methods = Methods(crate)
        self._by_path: dict[str, list[Ref]] | None = None
        self._keys: dict[int, str] = {}
        self._seen: dict[str, set[tuple[str, str]]] = {}
        self._blocks: dict[int, Module] = {}
        #: type invariants by the type's path, filled when the first type is reached
        self.invariants: dict[str, list[NodeInfo]] | None = None
        self.specifications = Specifications(self)
        self._implicit: list[Ref] | None = None

    # --- nodes -----------------------------------------------------------------------------------------------------

    def node(self, ref: Ref) -> NodeInfo:
        """The node of an item of the crate."""
        item = ref.item
        assert isinstance(item, sx.Node)
        key = self._keys.get(id(item))
        if key is None:
            key = ref.path
            n = 2
            while key in self.nodes:
                key = f"{ref.path}#{n}"
                n += 1
            self._keys[id(item)] = key
            kind, role = _kind(item)
            self._add(NodeInfo(key, kind, role, self.place_of(item), ref, item))
        return self.nodes[key]

    def outside(self, path: str, kind: str) -> NodeInfo:
        """A node for a name that is not the crate's."""
        found = self.nodes.get(path)
        if found is None:
            found = NodeInfo(path, kind, "other", None, expanded=True)
            self._add(found)
        return found

    def _add(self, info: NodeInfo) -> None:
        self.nodes[info.key] = info

    def place_of(self, item: sx.Node) -> Place:
        source = self.crate.source_of(item)
        span: sx.Span = getattr(item, "name_span", item.span)
        line, column = source.line_column(span.start)
        return Place(str(source.path), line, column)

    def edge(self, source: NodeInfo, target: NodeInfo, kind: str, place: Place, certain: bool = True) -> None:
        """Adds an edge; of several of one kind between two nodes the first stays."""
        seen = self._seen.setdefault(source.key, set())
        if (target.key, kind) in seen:
            return
        seen.add((target.key, kind))
        edge = Edge(source.key, target.key, kind, place, certain)
        self.edges.setdefault(source.key, []).append(edge)

    def out(self, key: str) -> list[Edge]:
        """The edges from a node, in the order of the text."""
        info = self.nodes[key]
        if not info.expanded:
            info.expanded = True
            expand(self, info)
        return self.edges.get(key, [])

    @property
    def graph(self) -> nx.MultiDiGraph[str]:
        """What has been built so far, for networkx: nodes with their `info`, edges with `kind` as key, place and certainty."""
        out: nx.MultiDiGraph[str] = nx.MultiDiGraph()
        for key, info in self.nodes.items():
            out.add_node(key, info=info)
        for edges in self.edges.values():
            for e in edges:
                out.add_edge(e.source, e.target, key=e.kind, place=e.place, certain=e.certain)
        return out

    def reachable(self, key: str) -> list[str]:
        """The nodes that a node leans on, itself first, breadth first; expands what it meets."""
        order = [key]
        seen = {key}
        for k in order:
            for e in self.out(k):
                if e.target not in seen:
                    seen.add(e.target)
                    order.append(e.target)
        return order

    def expand_all(self) -> None:
        """Builds the graph of the whole crate."""
        for ref in list(self.crate.functions):
            self.node(ref)
        for group, module in self.crate.groups:
            self.node(Ref(f"{module.path}::{group.name}", group, module, self.crate))
        for spec, _ in self.crate.specifications:
            self.node(self.specifications.ref(spec))
        for ref in list(self.crate.all_refs()):
            if isinstance(ref.item, sx.Const | sx.Struct | sx.Enum | sx.Trait):
                self.node(ref)
        todo = list(self.nodes)
        while todo:
            key = todo.pop()
            if not self.nodes[key].expanded:
                before = len(self.nodes)
                self.out(key)
                todo += list(self.nodes)[before:]

    def twins(self, ref: Ref) -> list[Ref]:
        """The definitions at a path that configuration chooses from, hidden ones too; none where there is only one."""
        if self._by_path is None:
            self._by_path = {}
            others = [r for r in self.crate.all_refs() if isinstance(r.item, sx.Const | sx.Struct | sx.Enum)]
            for r in {id(r.item): r for r in [*self.crate.functions, *self.crate.hidden, *others]}.values():
                self._by_path.setdefault(r.path, []).append(r)
        found = [r for r in self._by_path.get(ref.path, ()) if type(r.item) is type(ref.item)]
        return found if len(found) > 1 and any(self.cfgs_of(r) for r in found) else []

    def cfgs_of(self, ref: Ref) -> list[sx.Attr]:
        """The `cfg`s that an item depends on: its own, its impl block's, those of what hides it."""
        attrs = [*getattr(ref.item, "attrs", []), *getattr(ref.owner, "attrs", [])]
        return [a for a in attrs if a.path == "cfg"] + self.crate.hiding.get(id(ref.item), [])

    def hidden_import(self, name: str, module: Module) -> str | None:
        """What a hidden `use` gives a name to in a plain build, where it is not what Verus sees; as text."""
        scope: Module | None = module
        while scope is not None:
            for leaf, cfgs in self.crate.hidden_uses.get(scope.path, ()):
                if not any(depends_on_verus(a.text) for a in cfgs):
                    continue
                if not leaf.glob and leaf.alias == name:
                    return "::".join(leaf.path)
                base = self.crate.resolve(leaf.path, scope, "types") if leaf.glob else None
                own = base is not None and base.crate is self.crate
                if own and base is not None and isinstance(base.item, Module) and self.defines(base.item, name):
                    return "::".join([*leaf.path, name])
            scope = scope.parent if "{" in scope.path.rsplit("::", 1)[-1] else None
        return None

    def implicit(self) -> list[Ref]:
        """What executable code may call without naming it."""
        if self._implicit is None:
            self._implicit = [m.ref for m in self.methods.implicit()]
            self._implicit += [self.specifications.ref(item) for item in self.specifications.implicit]
        return self._implicit

    # --- what the walker asks --------------------------------------------------------------------------------------

    def keyword(self, w: Walker, hatch: str, at: sx.Node) -> None:
        """`assume(…)`: a keyword of Verus's own, found at once."""
        self.find(w, hatch, at, w.text(at))

    def find(self, w: Walker, hatch: str, at: sx.Node, what: str, mark: str = "") -> None:
        finding = Finding(hatch, w.node.key, w.place(at), what, mark or what)
        if finding not in w.node.findings:
            w.node.findings.append(finding)

    def unresolved(self, w: Walker, hatch: str, at: sx.Node, what: str) -> None:
        """Something that the graph cannot see, noted at the node that needs it."""
        self.find(w, hatch, at, what)

    def value(self, w: Walker, path: sx.Path, at: sx.Node, kind: str, called: bool) -> Ty | None:
        """A path in value position: adds its edge, and says the type of the value, or of the result where it is called."""
        if path.qself is not None:
            return self._qualified(w, path, at, kind)
        names = [s.name for s in path.segments]
        crate, env = self.crate, w.env
        if crate.hidden_uses:
            other = self.hidden_import(names[0], env.module)
            if other is not None:
                self.find(w, "cfg-twin", at, f"in a plain build `{names[0]}` is `{other}`")
        if len(names) > 1 and (names[0] == "Self" or names[0] in env.generics):
            return self._associated(w, env.self_ty if names[0] == "Self" else env.generics[names[0]], names, at, kind)
        if names == ["Self"]:
            return env.self_ty
        ref = crate.resolve(names, env.module, "values")
        if ref is None and len(names) > 1:
            prefix = crate.resolve(names[:-1], env.module, "types")
            if prefix is not None and (prefix.item is None or not isinstance(prefix.item, Module)):
                return self._member_of(w, path, prefix, names, at, kind)
        if ref is None:
            return self._unknown(w, names, at, kind, called)
        if ref.item is None or ref.crate is not crate:
            written = self._written(names, env.module) or ref.path
            self._external(w, written, at, kind)
            return _library_value(names)
        if isinstance(ref.item, sx.Variant) and isinstance(ref.owner, sx.Enum):
            owner = Ref(ref.path.rsplit("::", 1)[0], ref.owner, ref.module, crate)
            self.edge(w.node, self.node(owner), "type", w.place(at))
            return Ty(owner.path)
        if isinstance(ref.item, sx.Struct | sx.Enum):
            self.edge(w.node, self.node(ref), "type", w.place(at))
            return Ty(ref.path)
        if isinstance(ref.item, sx.Fn | sx.Const | sx.BroadcastGroup):
            self._to(w, ref, kind, at, True)
            return self._result(ref, called)
        return None

    def _to(self, w: Walker, ref: Ref, kind: str, at: sx.Node, certain: bool) -> None:
        """An edge to a function of the crate, or to the specification that an external one was given."""
        given = self.specifications.of_item(ref.item) if isinstance(ref.item, sx.Fn) else None
        if given is not None and given is not w.node.item:
            self.edge(w.node, self.node(self.specifications.ref(given)), "specified-by", w.place(at), certain)
        elif given is None:
            self.edge(w.node, self.node(ref), kind, w.place(at), certain)
            for twin in self.twins(ref):  # which of them is built depends on the build: all count
                if twin.item is not ref.item and configuration.presence(getattr(twin.item, "attrs", [])) is not False:
                    self.edge(w.node, self.node(twin), kind, w.place(at), False)

    def _result(self, ref: Ref, called: bool) -> Ty | None:
        item = ref.item
        if isinstance(item, sx.Const):
            return read_type(item.type, self.env_of(ref))
        if isinstance(item, sx.Fn) and called:
            t = read_type(item.ret_type, self.env_of(ref))
            return None if t is not None and t.head.startswith("param:") else t
        return None

    def env_of(self, ref: Ref) -> Env:
        """Where a definition's own types are read."""
        from depgraph.items import env_of

        return env_of(self, ref)

    def _written(self, names: list[str], module: Module) -> str | None:
        """The full path of a library name as the file gives it, imports followed: `given` is `vstd::pervasive::assume`."""
        seen = 0
        while seen < 8:
            seen += 1
            if names[0] in LIBRARY_ROOTS:
                return "::".join(names)
            scope: Module | None = module
            target: list[str] | None = None
            while scope is not None and target is None:
                target = scope.imports.get(names[0])
                scope = scope.parent if "{" in scope.path.rsplit("::", 1)[-1] else None
            if target is None or target == [names[0]]:
                return None
            names = [*target, *names[1:]]
        return None

    def is_library(self, path: str) -> bool:
        return path.split("::", 1)[0] in LIBRARY_ROOTS

    def _external(self, w: Walker, path: str, at: sx.Node, kind: str) -> None:
        """A name of another crate: vstd and std are trusted, apart from their own holes; others are not seen."""
        given = self.specifications.of_path(path)
        if given is not None:
            self.edge(w.node, self.node(self.specifications.ref(given)), "specified-by", w.place(at))
            return
        if self.is_library(path):
            hatch = library_hatch(path)
            if hatch is not None:
                self.find(w, hatch, at, w.text(at))
            else:
                self.edge(w.node, self.outside(path, LIBRARY), kind, w.place(at))
            return
        if path.startswith("crate::"):
            gap = next((g for g in self.crate.unread if g.kind == "file"), None)
            where = f": {gap.message} ({gap.place})" if gap is not None else ""
            self.unresolved(w, "unresolved-name", at, f"`{path}` is not among what was read{where}")
            return
        self.edge(w.node, self.outside(path, FOREIGN), kind, w.place(at))
        self.unresolved(w, "foreign-crate", at, f"`{path}` is another crate's: what it proves, and how, is not seen")

    def _unknown(self, w: Walker, names: list[str], at: sx.Node, kind: str, called: bool) -> Ty | None:
        """A name that nothing in the crate defines."""
        name = "::".join(names)
        given = self.specifications.of_unknown(names[-1])
        for item in given:
            self.edge(w.node, self.node(self.specifications.ref(item)), "specified-by", w.place(at), len(given) == 1)
        if given:
            return None
        library, foreign = self.globs(w.env.module)
        home = self.crate.resolve(names[:-1], w.env.module, "types") if len(names) > 1 else None
        if home is not None and isinstance(home.item, Module) and home.crate is not self.crate:
            self._external(w, self._written(names, w.env.module) or f"{home.path}::{names[-1]}", at, kind)
            return None
        if home is not None and isinstance(home.item, Module):  # only what that module imports can give it the name
            library, foreign = self.globs(home.item)
            name = names[-1]
        for glob in library:
            hatch = library_hatch(f"{glob}::{name}")
            if hatch is not None:
                self.find(w, hatch, at, w.text(at))
                return None
        if len(names) > 1 and names[0] in PRIMITIVES:
            return self._named_member(w, Ty(names[0]), names[-1], at, kind)
        if name in _SYNTAX and (library or self.crate.unread):
            self.edge(w.node, self.outside(f"verus_builtin::{name}", LIBRARY), kind, w.place(at))
            return None
        if not called and len(names) == 1:
            return None  # a variable of a macro, or a constant of the library's prelude
        if foreign:
            what = f"`{name}` may be a name of {', '.join(f'`{g}::*`' for g in foreign)}: another crate's"
            self.unresolved(w, "foreign-crate", at, what)
        elif names[0] in ("crate", "super", "self"):
            self.unresolved(w, "unresolved-name", at, f"nothing defines `{name}`; is this file the root of its crate?")
        elif self.crate.unread:
            gap = self.crate.unread[0]
            what = f"nothing that was read defines `{name}`; it may stand in what was not read: {gap.message} ({gap.place})"
            self.unresolved(w, "unresolved-name", at, what)
        elif library or (len(names) > 1 and names[0][:1].isupper()) or names[0] in _STD_PRELUDE:
            self._external(w, f"{library[0] if library else 'std'}::{name}", at, kind)
        else:
            self.unresolved(w, "unresolved-name", at, f"nothing in the crate defines `{name}`, and no library is imported here")
        return None

    def globs(self, module: Module) -> tuple[list[str], list[str]]:
        """The paths of the library's and of other crates' modules whose names are in scope by `::*`, globs of globs included."""
        library: list[str] = []
        foreign: list[str] = []
        seen: set[str] = set()
        todo: list[Module] = [module]
        while todo:
            scope = todo.pop()
            if scope.path in seen:
                continue
            seen.add(scope.path)
            for glob in scope.globs:
                ref = self.crate.resolve(glob, scope, "types")
                if ref is not None and isinstance(ref.item, Module) and ref.crate is self.crate:
                    todo.append(ref.item)
                elif ref is None or ref.item is None or ref.crate is not self.crate:
                    path = self._written(glob, scope) or ("::".join(glob) if ref is None else ref.path)
                    if ref is None and glob[-1] == "verus_builtin":  # vstd's own name for it
                        path = glob[-1]
                    (library if self.is_library(path) else foreign).append(path)
            if "{" in scope.path.rsplit("::", 1)[-1] and scope.parent is not None:
                todo.append(scope.parent)
        return library, foreign

    # --- types and their members -----------------------------------------------------------------------------------

    def _qualified(self, w: Walker, path: sx.Path, at: sx.Node, kind: str) -> Ty | None:
        """`<T>::f`, `<T as Trait>::f`."""
        t = read_type(path.qself, w.env)
        name = path.segments[-1].name
        if path.qself_trait is not None:
            trait = self.crate.resolve([s.name for s in path.qself_trait.segments], w.env.module, "types")
            if trait is not None and trait.crate is not self.crate:
                found = [m for m in self.methods.candidates(name, t)[0] if m.trait == trait.path]
                return self._members(w, found, True, t, at, kind) if found else self._library_method(w, t, name, at, kind)
        return self._named_member(w, t, name, at, kind)

    def _associated(self, w: Walker, t: Ty | None, names: list[str], at: sx.Node, kind: str) -> Ty | None:
        if len(names) > 2:  # `Self::Assoc::f`
            return self._named_member(w, None, names[-1], at, kind)
        if t is not None and not t.head.startswith("param:"):
            ref = self._type_ref(t)
            if ref is not None and isinstance(ref.item, sx.Enum) and any(v.name == names[-1] for v in ref.item.variants):
                return t
        return self._named_member(w, t, names[-1], at, kind)

    def _member_of(self, w: Walker, path: sx.Path, prefix: Ref, names: list[str], at: sx.Node, kind: str) -> Ty | None:
        """`Type::f`, `Trait::f`, `Module::f` with a known prefix."""
        if isinstance(prefix.item, sx.Trait) and prefix.crate is self.crate:
            found = [m for m in self.methods.named(names[-1]) if m.head is None and m.trait == prefix.path and not m.blanket]
            return self._members(w, found, True, None, at, kind)
        t = read_type(sx.PathType(path.span, sx.Path(path.span, path.segments[:-1])), w.env)
        if prefix.crate is not self.crate:
            written = self._written(names, w.env.module) or f"{prefix.path}::{names[-1]}"
            if library_hatch(written) is not None or not self.is_library(written):
                self._external(w, written, at, kind)
                return None
        return self._named_member(w, t, names[-1], at, kind)

    def _named_member(self, w: Walker, t: Ty | None, name: str, at: sx.Node, kind: str) -> Ty | None:
        found, certain = self.methods.candidates(name, t)
        if not found:
            return self._library_method(w, t, name, at, kind)
        return self._members(w, found, certain, t, at, kind)

    def method(self, w: Walker, name: str, t: Ty | None, at: sx.Node, kind: str, operator: bool = False) -> Ty | None:
        """`x.name(…)`: adds edges to everything it may call."""
        found, certain = self.methods.candidates(name, t)
        given = self.specifications.of_method(t, name)
        for item in given:
            if item is not w.node.item:
                self.edge(w.node, self.node(self.specifications.ref(item)), "specified-by", w.place(at), t is not None)
        if not found:
            if operator or given:
                return None
            return self._library_method(w, t, name, at, kind)
        return self._members(w, found, certain, t, at, kind) or library_result(t, name)

    def _members(
        self, w: Walker, found: list[Method], certain: bool, t: Ty | None, at: sx.Node, kind: str
    ) -> Ty | None:
        results: set[Ty | None] = set()
        for m in found:
            self._to(w, m.ref, kind, at, certain and len(found) == 1)
            if isinstance(m.item, sx.Fn):
                env = self.env_of(m.ref)
                if t is not None and isinstance(m.owner, sx.Trait):
                    env.self_ty = t
                results.add(read_type(m.item.ret_type, env))
            else:
                results.add(read_type(m.item.type, self.env_of(m.ref)))
        if len(results) != 1:
            return None
        result = results.pop()
        return None if result is not None and result.head.startswith("param:") else result

    def _library_method(self, w: Walker, t: Ty | None, name: str, at: sx.Node, kind: str) -> Ty | None:
        head = "_" if t is None else t.head
        if head.startswith("crate::") and any(g.kind == "macro" for g in self.crate.unread):
            gap = next(g for g in self.crate.unread if g.kind == "macro")
            self.unresolved(w, "unresolved-name", at, f"`{head}::{name}` may be defined where {gap.message} ({gap.place})")
            return None
        if head.startswith(("crate::", "param:", "dyn:", "{", "closure")):
            head = "_"
        for root in ("vstd", "std"):
            hatch = library_hatch(f"{root}::{head}::{name}")
            if hatch is not None:
                self.find(w, hatch, at, w.text(at))
                return None
        given = self.specifications.of_path(f"std::{head}::{name}")
        if given is not None:
            self.edge(w.node, self.node(self.specifications.ref(given)), "specified-by", w.place(at))
        else:
            self.edge(w.node, self.outside(f"vstd::{head}::{name}", LIBRARY), kind, w.place(at))
        return library_result(t, name) or (t if name in ("new", "empty", "with_capacity") else None)

    def type_edge(self, w: Walker, t: sx.Type | None) -> None:
        """The crate's types that a written type names."""
        match t:
            case sx.RefType() | sx.PtrType():
                self.type_edge(w, t.inner)
            case sx.SliceType() | sx.ArrayType():
                self.type_edge(w, t.elem)
            case sx.TupleType():
                for e in t.elems:
                    self.type_edge(w, e)
            case sx.PathType() if t.path.segments and t.path.qself is None:
                for s in t.path.segments:
                    if s.args is not None:
                        w.generic_args(s.args)
                names = [s.name for s in t.path.segments]
                if names == ["Self"] or names[0] in w.env.generics:
                    return
                ref = self.crate.resolve(names, w.env.module, "types")
                self._type_ref_edge(w, ref, t)

    def _type_ref_edge(self, w: Walker, ref: Ref | None, at: sx.Node) -> None:
        if ref is None or ref.item is None:
            given = None if ref is None else self.specifications.of_type(ref.name)
            if given is not None:
                self.edge(w.node, self.node(given), "type", w.place(at))
            return
        if ref.crate is not self.crate:
            return
        if isinstance(ref.item, sx.Struct | sx.Enum):
            self.edge(w.node, self.node(ref), "type", w.place(at))
        elif isinstance(ref.item, sx.TypeAlias) and ref.module is not None:
            outer = w.env.module
            w.env.module = ref.module
            if not w.local("{alias}"):
                w.bind("{alias}", None)
                self.type_edge(w, ref.item.type)
                w.scopes[-1].pop("{alias}", None)
            w.env.module = outer

    def _type_ref(self, t: Ty) -> Ref | None:
        if not t.head.startswith("crate::"):
            return None
        return self.crate.resolve(t.head.split("::"), self.crate.root, "types")

    def constructed(self, w: Walker, path: sx.Path, at: sx.Node) -> Ty | None:
        """The type of `Path { … }`."""
        names = [s.name for s in path.segments]
        if names and names[0] == "Self":
            return w.env.self_ty
        ref = self.crate.resolve(names, w.env.module, "types")
        if ref is None and len(names) > 1:
            ref = self.crate.resolve(names[:-1], w.env.module, "types")
        if ref is not None and ref.item is None:
            return None
        if ref is not None and isinstance(ref.item, sx.Variant) and isinstance(ref.owner, sx.Enum):
            ref = Ref(ref.path.rsplit("::", 1)[0], ref.owner, ref.module, ref.crate)
        if ref is None:
            return None
        self._type_ref_edge(w, ref, at)
        return read_type(sx.PathType(path.span, path), w.env) if isinstance(ref.item, sx.TypeAlias) else Ty(ref.path)

    def field_type(self, w: Walker, t: Ty | None, name: str) -> Ty | None:
        if t is None:
            return None
        ref = self._type_ref(t)
        if ref is None or not isinstance(ref.item, sx.Struct):
            return None
        for f in ref.item.fields:
            if f.name == name:
                return read_type(f.type, self._env_at(ref, t))
        return None

    def variant_fields(self, w: Walker, path: sx.Path, t: Ty | None, count: int) -> list[Ty | None] | None:
        """The types of a tuple variant's or tuple struct's fields; also adds the edge to its type."""
        names = [s.name for s in path.segments]
        ref = self.crate.resolve(names, w.env.module, "values")
        if ref is None or ref.crate is not self.crate or ref.module is None:
            return None
        if isinstance(ref.item, sx.Variant) and isinstance(ref.owner, sx.Enum):
            owner = Ref(ref.path.rsplit("::", 1)[0], ref.owner, ref.module, self.crate)
            self.edge(w.node, self.node(owner), "type", w.place(path))
            return [read_type(f.type, self._env_at(owner, t)) for f in ref.item.fields]
        if isinstance(ref.item, sx.Struct):
            return [read_type(f.type, self._env_at(ref, t)) for f in ref.item.fields]
        return None

    def _env_at(self, ref: Ref, t: Ty | None) -> Env:
        assert ref.module is not None and isinstance(ref.item, sx.Struct | sx.Enum)
        env = Env(self.crate, ref.module, t)
        params = [p for p in ref.item.generics.params if p.kind == "type"]
        for i, p in enumerate(params):
            arg = t.args[i] if t is not None and i < len(t.args) else None
            env.generics[p.name] = arg or Ty(f"param:{p.name}", (), tuple(bound_paths(env, p.bounds)))
        return env

    def constant_pattern(self, w: Walker, p: sx.IdentPat) -> None:
        """A name in a pattern that is a constant or a unit variant."""
        ref = self.crate.resolve([p.name], w.env.module, "values")
        if ref is not None and ref.crate is self.crate and isinstance(ref.item, sx.Const):
            self._to(w, ref, "mention", p, True)

    # --- modules, macros -------------------------------------------------------------------------------------------

    def defines(self, module: Module, name: str) -> bool:
        """Whether a block's own items, imports or globs define a value of that name."""
        return self._defines(module, name, set())

    def _defines(self, module: Module, name: str, seen: set[int]) -> bool:
        if name in module.values or name in module.imports:
            return True
        seen.add(id(module))
        for glob in module.globs:
            base = self.crate.resolve(glob, module, "types")
            if base is not None and isinstance(base.item, Module) and id(base.item) not in seen:
                if self._defines(base.item, name, seen):
                    return True
        return False

    def block_module(self, block: sx.Block, module: Module, source: SourceText) -> Module:
        """The scope of a block that declares items."""
        found = self._blocks.get(id(block))
        if found is None:
            items = [s.item for s in block.stmts if isinstance(s, sx.ItemStmt)]
            self.crate.adopt(items, source)
            found = self._blocks[id(block)] = self.crate.local_items(block, module, f"{{{block.span.start}}}")
        return found

    def macro_edge(self, w: Walker, e: sx.MacroCall, path: str, macro: sx.MacroDef) -> None:
        key = f"{path}!"
        info = self.nodes.get(key)
        if info is None:
            info = NodeInfo(key, "macro", "other", self.place_of(macro), None, macro, expanded=True)
            self._add(info)
            if macro.name in _PRELUDE_MACROS:
                what = f"macro `{macro.name}!` of the crate hides the library's"
                info.findings.append(Finding("shadowed-macro", key, self.place_of(macro), what, what))
        self.edge(w.node, info, "macro", w.place(e))


_PRELUDE_MACROS = frozenset("seq set map assert_by_contradiction calc matches vec proof assert panic unreachable assume".split())
#: Names that are part of Verus's syntax, or say nothing that a proof could lean on.
_SYNTAX = frozenset(
    "old final reveal hide reveal_with_fuel reveal_strlit use_type_invariant call_requires call_ensures has_resolved".split()
)
_STD_PRELUDE = frozenset("drop Some None Ok Err Box Vec String".split())


def _library_value(names: list[str]) -> Ty | None:
    """The head of a library constructor's value, for the commonest ones."""
    if names[-1] in ("Some", "Ok", "Ghost", "Tracked"):
        return Ty(names[-1])
    return None


def _kind(item: sx.Node) -> tuple[str, str]:
    match item:
        case sx.Fn():
            return "fn", item.mode
        case sx.Const():
            return "const", "spec" if item.mode == "spec" else "exec"
        case sx.Struct() | sx.Enum():
            return "type", "type"
        case sx.Trait():
            return "trait", "other"
        case sx.BroadcastGroup():
            return "group", "other"
        case sx.AssumeSpecification():
            return "specification", "exec"
    return "other", "other"
