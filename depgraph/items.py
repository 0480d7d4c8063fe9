"""Items: what a function, constant, type, group or specification of the crate leans on, and what it hides.

In: a node that an audit reached. Out: its edges (through the walker) and its own findings: attributes of the item, its impl
block, its modules and the crate; what stands in place of a proof (`axiom`, `uninterp`, no body).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from depgraph.attributes import Word, depends_on_verus, has_word, words
from depgraph.hatches import by_attribute
from depgraph.model import Finding, NodeInfo
from depgraph.receivers import Env, Ty, bound_paths, generics_env, read_type
from depgraph.walker import Walker
from equiv.verdict import Place
from translate import syntax as sx
from translate.names import Module, Ref
from translate.parser import ParseFailure, body_of
from translate.source import SourceText

if TYPE_CHECKING:
    from depgraph.graph import CallGraph

#: Clauses that say what a function means; the others (`decreases`, `when`, …) only say that it ends.
_CONTRACT = frozenset("requires ensures returns default_ensures recommends opens_invariants with atomically".split())


def env_of(graph: CallGraph, ref: Ref) -> Env:
    """Where a definition's own types and names are read."""
    assert ref.module is not None
    env = Env(graph.crate, ref.module)
    owner = ref.owner
    if isinstance(owner, sx.Impl):
        generics_env(env, owner.generics)
        env.self_ty = read_type(owner.self_type, env)
    elif isinstance(owner, sx.Trait):
        generics_env(env, owner.generics)
        trait = ref.path.rsplit("::", 1)[0]
        env.self_ty = Ty("param:Self", (), (trait, *bound_paths(env, owner.supertraits)))
    generics = getattr(ref.item, "generics", None)
    if isinstance(generics, sx.Generics):
        generics_env(env, generics)
    return env


def expand(graph: CallGraph, info: NodeInfo) -> None:
    """Adds the edges and findings of a node."""
    item, ref = info.item, info.ref
    if item is None or ref is None or ref.module is None:
        return
    source = graph.crate.source_of(item)
    env = env_of(graph, ref)
    match item:
        case sx.Fn():
            _Function(graph, info, item, ref, env, source).expand()
        case sx.Const():
            _constant(graph, info, item, ref, env, source)
        case sx.Struct() | sx.Enum():
            _type(graph, info, item, ref, env, source)
        case sx.BroadcastGroup():
            w = Walker(graph, info, env, source, True)
            for path in item.members:
                w.path(path, path, "group-member")
        case sx.AssumeSpecification():
            w = Walker(graph, info, env, source, True)
            _note(info, "assume-specification", _place(source, item.span), f"assume_specification[{item.path.text}]")
            _bind_params(w, item.params, item.ret_name, item.ret_type)
            _clauses(w, item.clauses)


def _place(source: SourceText, span: sx.Span) -> Place:
    line, column = source.line_column(span.start)
    return Place(str(source.path), line, column)


def _note(info: NodeInfo, hatch: str, place: Place, what: str, mark: str = "") -> None:
    finding = Finding(hatch, info.key, place, what, mark or what)
    if finding not in info.findings:
        info.findings.append(finding)


def _bind_params(w: Walker, params: list[sx.Param], ret_name: sx.Pattern | None, ret_type: sx.Type | None) -> None:
    for p in params:
        if p.type is not None:
            w.graph.type_edge(w, p.type)
        t = read_type(p.type, w.env) if p.type is not None else w.env.self_ty
        if p.pattern is not None:
            w.pattern(p.pattern, t)
        if p.name:
            w.bind(p.name, t if p.pattern is None or isinstance(p.pattern, sx.IdentPat) else w.local_type(p.name))
    if ret_type is not None:
        w.graph.type_edge(w, ret_type)
    if ret_name is not None:
        with_result = read_type(ret_type, w.env)
        w.pattern(ret_name, with_result)


def _clauses(w: Walker, clauses: list[sx.Clause]) -> None:
    for c in clauses:
        kind = "via" if c.kind == "via" else "contract" if c.kind in _CONTRACT else "decreases"
        for p in [*c.params, *c.outputs]:
            if p.name:
                w.bind(p.name, read_type(p.type, w.env))
        with w.edges(kind):
            w.exprs(c.exprs)
            _clauses(w, c.inner)


def scopes_of(graph: CallGraph, module: Module | None) -> list[list[sx.Attr]]:
    """The attributes of the modules around an item, innermost first, and of the crate."""
    out = []
    while module is not None:
        out.append(graph.crate.module_attrs.get(module.path, []))
        module = module.parent
    return out


def inherited_word(graph: CallGraph, ref: Ref, name: str) -> Word | None:
    """A verifier attribute in force on a function: its own, its impl block's, a module's around it, or the crate's."""
    groups = [getattr(ref.item, "attrs", []), getattr(ref.owner, "attrs", []), *scopes_of(graph, ref.module)]
    for attrs in groups:
        if not attrs:
            continue
        for w in words(attrs):
            if w.name == name:
                return w
    return None


class _Function:
    def __init__(self, graph: CallGraph, info: NodeInfo, fn: sx.Fn, ref: Ref, env: Env, source: SourceText) -> None:
        self.graph, self.info, self.fn, self.ref, self.source = graph, info, fn, ref, source
        self.words = words(fn.attrs)
        self.w = Walker(graph, info, env, source, fn.in_verus)
        self.w.ghost = fn.mode != "exec"
        self.place = graph.place_of(fn)

    def note(self, hatch: str, what: str, place: Place | None = None, mark: str = "") -> None:
        _note(self.info, hatch, place or self.place, what, mark)

    def has(self, name: str) -> bool:
        return any(w.name == name for w in self.words)

    def expand(self) -> None:
        fn, w, graph = self.fn, self.w, self.graph
        label = f"{'axiom' if fn.axiom else fn.mode} fn {fn.name}"
        self.configuration()
        for owner_attrs in [getattr(self.ref.owner, "attrs", []), *scopes_of(graph, self.ref.module)]:
            if has_word(owner_attrs, "external"):
                self.note("external", f"{label}, in an external block or module")
                return
        self.attributes()
        if self.has("external"):
            return
        if not fn.in_verus and not self.has("verify"):
            self.note("outside-verus", f"{label} stands outside `verus!`")
            return
        _bind_params(w, fn.params, fn.ret_name, fn.ret_type)
        _clauses(w, fn.clauses)
        self.info.has_decreases = any(c.kind == "decreases" for c in fn.clauses)
        if any(c.kind == "by" and c.word == "integer_ring" for c in fn.clauses):
            self.note("integer-ring", f"{label} by (integer_ring)")
        self.inherit()
        if any(x.name == "external_fn_specification" for x in self.words):
            return
        if self.assumed(label):
            return
        self.redirects()
        if fn.body is not None:
            try:
                body = body_of(fn)
            except (ParseFailure, RecursionError) as problem:
                graph.unresolved(w, "unread-text", fn, f"the body of `{fn.name}` cannot be read: {problem}")
                body = None
            if body is not None:
                w.expr(body)
                if fn.mode == "exec":
                    self.implicit()
        for use in graph.crate.broadcast_uses.get(self.ref.module.path if self.ref.module else "", ()):
            for path in use.paths:
                w.path(path, path, "broadcast-use")
        if isinstance(self.ref.owner, sx.Trait):
            self.implementations(self.ref.owner)

    def implicit(self) -> None:
        for ref in self.graph.implicit():
            if ref.item is not self.fn:
                self.graph.edge(self.info, self.graph.node(ref), "implicit", self.place, False)

    def assumed(self, label: str) -> bool:
        """Whether Verus takes the function on trust; then its body is not part of the proof."""
        fn = self.fn
        external_body = self.has("external_body")
        if external_body or fn.axiom:
            if fn.broadcast or self.has("broadcast_forall"):
                self.note("broadcast-axiom", f"{label}: a broadcast fact that nobody proves")
            elif fn.axiom:
                self.note("axiom", label)
            else:
                self.note("external-body", f"{label}: its body is not verified")
            return True
        if fn.publish == "uninterp" or (fn.mode == "spec" and fn.body is None and not isinstance(self.ref.owner, sx.Trait)):
            self.note("uninterp", label)
            return True
        if has_word(getattr(self.ref.owner, "attrs", []), "external_trait_specification"):
            if fn.body is None and fn.mode != "spec" and any(c.kind in ("ensures", "returns") for c in fn.clauses):
                self.note("external-trait-specification", f"{label} of an external trait")
        if fn.body is None and fn.mode == "proof":
            if isinstance(self.ref.owner, sx.Trait):
                self.note("trait-proof", f"{label} of a trait: each implementation has to prove it")
            else:
                self.note("axiom", f"{label} without a body")
        return False

    def attributes(self) -> None:
        """Hatches that are attributes, by the catalogue: on the function, its owner, its modules, the crate."""
        groups: list[tuple[str, list[Word]]] = [("fn", self.words)]
        owner = getattr(self.ref.owner, "attrs", [])
        if owner:
            groups.append(("impl", words(owner)))
        for attrs in scopes_of(self.graph, self.ref.module):
            if attrs:
                groups.append(("mod", words(attrs)))
        table = by_attribute()
        for level, found in groups:
            for x in found:
                for h in [*table.get(x.name, ()), *(table.get(x.text, ()) if x.text != x.name else ())]:
                    if level in h.on:
                        self.note(h.id, f"#[{x.attr.text}]", _place(self.source, x.attr.span) if level == "fn" else None)

    def configuration(self) -> None:
        """Definitions that Verus and the compiler choose differently."""
        twins = [t for t in self.graph.twins(self.ref) if t.item is not self.fn]
        for twin in twins:
            place = self.graph.place_of(twin.item) if isinstance(twin.item, sx.Node) else None
            cfgs = [*self.graph.cfgs_of(twin), *self.graph.cfgs_of(self.ref)]
            if any(depends_on_verus(a.text) for a in cfgs):
                where = f"the other one is at {place}" if place else "there is another one"
                what = f"what Verus reads of `{self.fn.name}` is not what a plain compiler does: {where}"
                self.note("cfg-twin", what, mark=self.fn.name)
            elif cfgs:
                self.note("cfg-other", f"another definition of `{self.fn.name}` under #[{cfgs[0].text}]: {place}")
        for a in self.graph.crate.conditional_attrs.get(id(self.fn), ()):
            self.note("cfg-attr", f"#[{a.text}]")

    def inherit(self) -> None:
        """The clauses of the trait's declaration are part of an implementation's contract."""
        owner = self.ref.owner
        if not isinstance(owner, sx.Impl) or owner.trait is None or self.ref.module is None:
            return
        trait = self.graph.crate.resolve([s.name for s in owner.trait.segments], self.ref.module, "types")
        if trait is None or not isinstance(trait.item, sx.Trait) or trait.crate is not self.graph.crate:
            return
        for item in trait.item.items:
            if isinstance(item, sx.Fn) and item.name == self.fn.name and item.clauses and trait.module is not None:
                env = env_of(self.graph, Ref(f"{trait.path}::{item.name}", item, trait.module, trait.crate, trait.item))
                env.self_ty = self.w.env.self_ty or env.self_ty
                w = Walker(self.graph, self.info, env, self.graph.crate.source_of(item), item.in_verus)
                _bind_params(w, item.params, item.ret_name, item.ret_type)
                _clauses(w, item.clauses)
                self.info.has_decreases |= any(c.kind == "decreases" for c in item.clauses)

    def redirects(self) -> None:
        """`when_used_as_spec`."""
        for x in self.words:
            if x.name == "when_used_as_spec" and "(" in x.text:
                name = x.text[x.text.index("(") + 1 :].rstrip(")")
                span = x.attr.span
                path = sx.Path(span, [sx.PathSegment(span, s) for s in name.split("::")])
                if isinstance(self.ref.owner, sx.Impl) and self.graph.methods.named(name):
                    path = sx.Path(span, [sx.PathSegment(span, "Self"), *path.segments])
                self.w.path(path, path, "when-used-as-spec")

    def implementations(self, trait: sx.Trait) -> None:
        path = self.ref.path.rsplit("::", 1)[0]
        for m in self.graph.methods.named(self.fn.name):
            if m.trait == path and isinstance(m.owner, sx.Impl):
                self.graph.edge(self.info, self.graph.node(m.ref), "implements", self.graph.place_of(m.item))


def _constant(graph: CallGraph, info: NodeInfo, item: sx.Const, ref: Ref, env: Env, source: SourceText) -> None:
    w = Walker(graph, info, env, source, item.in_verus)
    place = _place(source, item.span)
    found = words(item.attrs)
    if any(x.name == "external" for x in found):
        _note(info, "external", place, f"const {item.name}")
        return
    if not item.in_verus:
        _note(info, "outside-verus", place, f"const {item.name} stands outside `verus!`")
        return
    for twin in graph.twins(ref):
        if twin.item is item:
            continue
        _twin(graph, info, twin, ref, place)
    graph.type_edge(w, item.type)
    w.bind(item.name, read_type(item.type, env))
    _clauses(w, item.clauses)
    w.scopes[-1].clear()
    if any(x.name == "external_body" for x in found):
        _note(info, "external-body", place, f"const {item.name}: its value is not verified")
        return
    if item.publish == "uninterp" or (item.mode == "spec" and item.value is None):
        _note(info, "uninterp", place, f"spec const {item.name}")
        return
    if item.value is not None:
        with w.ghostly(item.mode == "spec"):
            w.expr(item.value)


def _twin(graph: CallGraph, info: NodeInfo, twin: Ref, ref: Ref, place: Place) -> None:
    """Another definition of a constant or type."""
    cfgs = [*graph.cfgs_of(twin), *graph.cfgs_of(ref)]
    hatch = "cfg-twin" if any(depends_on_verus(a.text) for a in cfgs) else "cfg-other"
    _note(info, hatch, place, f"another definition of `{ref.name}` under #[{cfgs[0].text}]")


def _type(graph: CallGraph, info: NodeInfo, item: sx.Struct | sx.Enum, ref: Ref, env: Env, source: SourceText) -> None:
    w = Walker(graph, info, env, source, item.in_verus)
    place = graph.place_of(item)
    table = by_attribute()
    found = words(item.attrs)
    names = {x.name for x in found}
    for twin in graph.twins(ref):
        if twin.item is not item:
            _twin(graph, info, twin, ref, place)
    outside = not item.in_verus or "external" in names or "external_body" in names
    for x in found:
        for h in table.get(x.name, ()):
            if "type" in h.on:
                _note(info, h.id, place, f"#[{x.attr.text}] {item.name}")
    if "external_body" in names and names & {"accept_recursive_types", "strictly_positive"}:
        _note(info, "assumed-positivity", place, f"{item.name}: that recursion through it is well-founded is not checked")
    if graph.crate.library is not None and ref.module is not None and _is_prelude(graph, ref):
        _note(info, "shadowed-prelude", place, f"`{item.name}` of the crate hides the prelude's")
    fields = item.fields if isinstance(item, sx.Struct) else [f for v in item.variants for f in v.fields]
    if "external_body" not in names and "external" not in names:
        for f in fields:
            graph.type_edge(w, f.type)
    for name in _invariants(graph, ref.path):
        graph.edge(info, name, "type-invariant", name.place or place)
        if outside:
            _note(info, "type-invariant-external", place, f"`{name.name}` is the invariant of a type whose code is not verified")
    drop = graph.methods.drops.get(ref.path)
    if drop is not None:
        graph.edge(info, graph.node(drop.ref), "drop", graph.place_of(drop.item))


def _invariants(graph: CallGraph, head: str) -> list[NodeInfo]:
    table: dict[str, list[NodeInfo]] | None = graph.invariants
    if table is None:
        table = graph.invariants = {}
        for impl, _ in graph.crate.impls:
            for item in impl.items:
                if isinstance(item, sx.Fn) and has_word(item.attrs, "type_invariant"):
                    found = [m for m in graph.methods.named(item.name) if m.item is item and m.head is not None]
                    for m in found:
                        assert m.head is not None
                        table.setdefault(m.head, []).append(graph.node(m.ref))
        for ref in graph.crate.functions:
            if not isinstance(ref.item, sx.Fn) or ref.owner is not None or not ref.item.params:
                continue
            if has_word(ref.item.attrs, "type_invariant"):
                t = read_type(ref.item.params[0].type, env_of(graph, ref))
                if t is not None:
                    table.setdefault(t.head, []).append(graph.node(ref))
    return table.get(head, [])


def _is_prelude(graph: CallGraph, ref: Ref) -> bool:
    """Whether a type of the crate has the name of one that every Verus file sees."""
    return ref.name in _PRELUDE_TYPES


_PRELUDE_TYPES = frozenset(
    "Option Result Vec String Box Seq Set Map ISet IMap Multiset Ghost Tracked int nat real View DeepView FnSpec".split()
)
