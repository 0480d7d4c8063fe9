"""The audit of one target: its closure, the class of every node in it, what was found, and the counts.

In: the call graph of a submission, perhaps that of the original, and a target. Out: an `AuditReport`.

What the original already trusted stays apart: a hole at a node is `trusted-original` where the original had a hole at the same
path and the node's contract, with every definition that it names, reads the same. The target itself is what has to be proved: a
hole in it was never trusted. Code that may not terminate was there before only where the executable code is the same.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Sequence

import networkx as nx

from depgraph.accounting import counts, lemma_count
from depgraph.attributes import has_word
from depgraph.crate_loader import LoadedCrate
from depgraph.erasure import same_executable
from depgraph.graph import FOREIGN, LIBRARY, CallGraph
from depgraph.hatches import catalogue
from depgraph.items import inherited_word
from depgraph.model import AuditReport, Edge, Finding, NodeInfo, Reported, Step, Trust
from depgraph.room import room
from depgraph.vacuity import contradictions
from equiv.targets import UnknownTarget
from equiv.verdict import Place
from translate import syntax as sx
from translate.names import Ref

#: Holes that give a node its contract for nothing: one is worth another.
_CONTRACT_HOLES = frozenset(
    "assume admit builtin-assume pervasive-assume inline-air external-body axiom broadcast-axiom uninterp assume-specification "
    "external-fn-specification external-trait-specification assume-new".split()
)
#: Edges along which a contract means what it means.
_MEANING = frozenset(("contract", "type", "when-used-as-spec", "type-invariant"))


def audit(crate: LoadedCrate, target: str, *, solver: bool = True) -> AuditReport:
    """The audit of a target of one crate: everything that is not proved counts against it. Raises `UnknownTarget`."""
    return audit_submission(None, crate, target, solver=solver)


def audit_submission(
    original: LoadedCrate | None, submitted: LoadedCrate, target: str, *, solver: bool = True
) -> AuditReport:
    """The audit of a submission; `target` is a function's path or the end of one. `solver` False leaves out the question
    whether requirements can hold. Raises `UnknownTarget`."""
    return audit_targets(original, submitted, [target], solver=solver)[0]


def audit_targets(
    original: LoadedCrate | None, submitted: LoadedCrate, targets: Sequence[str], *, solver: bool = True
) -> list[AuditReport]:
    """The audits of several targets of one submission, over one graph."""
    with room():
        graph = CallGraph(submitted)
        old = None if original is None else CallGraph(original)
        return [_Audit(graph, old, find_target(submitted, t), solver).report() for t in targets]


def split_targets(original: LoadedCrate, targets: Sequence[str]) -> tuple[list[str], list[str]]:
    """Targets that nobody named one by one, apart: those to audit, and those that the original itself declares to be taken on
    trust (an axiom, a body that is not verified), which are no one's task to prove. Where all are of that kind, all are audited:
    then their proofs are what was asked for."""
    trusted = [t for t in targets if any(_declared_trust(r) for r in original.functions_at(t))]
    if len(trusted) == len(targets):
        return list(targets), []
    return [t for t in targets if t not in trusted], trusted


def _declared_trust(ref: Ref) -> bool:
    fn = ref.item
    return isinstance(fn, sx.Fn) and (fn.axiom or fn.publish == "uninterp" or has_word(fn.attrs, "external_body"))


def find_target(crate: LoadedCrate, name: str) -> Ref:
    """The function that a path, or the end of one, names."""
    known = [r for r in crate.functions if isinstance(r.item, sx.Fn)]
    found = [r for r in known if r.path == name] or [r for r in known if r.path.endswith("::" + name)]
    if not found:
        found = [r for r in crate.hidden if isinstance(r.item, sx.Fn) and (r.path == name or r.path.endswith("::" + name))]
        if found:
            raise UnknownTarget(f"`{name}` is hidden by `#[cfg(…)]` in {crate.source.path}: Verus does not see it")
        listed = ", ".join(r.path for r in known[:12]) + (", …" if len(known) > 12 else "")
        raise UnknownTarget(f"no function `{name}` in {crate.source.path}; its functions: {listed or 'none'}")
    if len({r.path for r in found}) > 1:
        paths = ", ".join(r.path for r in found[:12])
        raise UnknownTarget(f"`{name}` names several functions of {crate.source.path}: {paths}; give more of the path")
    return found[0]


class _Audit:
    def __init__(self, graph: CallGraph, old: CallGraph | None, target: Ref, solver: bool) -> None:
        self.graph, self.old, self.solver = graph, old, solver
        self.target = graph.node(target)
        self.parent: dict[str, Edge] = {}
        self.order: list[str] = []
        self.edges: list[Edge] = []
        self.extra: list[Finding] = []
        self.notes: list[str] = []
        self._unverified: list[str] | None = None

    def report(self) -> AuditReport:
        self._walk()
        self._termination()
        self._via()
        self._globals()
        self._vacuity()
        reported = self._classify()
        trust = {key: self._trust(key, reported) for key in self.order}
        nodes = {key: self.graph.nodes[key] for key in self.order}
        totals = counts(self.graph, self.order, trust, reported)
        if self.old is not None:
            totals += lemma_count(self.old, self.graph)
        reported.sort(key=lambda r: (-1 if r.trust is None else -r.trust.rank, len(r.path)))
        ordered = sorted(reported, key=lambda r: 0 if r.trust is None else -r.trust.rank)
        return AuditReport(
            self.target.key,
            self.target.place,
            str(self.graph.crate.source.path),
            None if self.old is None else str(self.old.crate.source.path),
            trust,
            nodes,
            tuple(self.edges),
            tuple(ordered),
            tuple(totals),
            tuple(self.notes),
        )

    # --- the closure -----------------------------------------------------------------------------------------------

    def _walk(self) -> None:
        """Breadth first, so that the way to each node is a shortest one; certain edges before uncertain ones."""
        seen = {self.target.key}
        queue = deque([self.target.key])
        while queue:
            key = queue.popleft()
            self.order.append(key)
            for edge in sorted(self.graph.out(key), key=lambda e: not e.certain):
                self.edges.append(edge)
                if edge.target not in seen:
                    seen.add(edge.target)
                    self.parent[edge.target] = edge
                    queue.append(edge.target)

    def path(self, key: str) -> tuple[Step, ...]:
        steps: list[Step] = []
        while key in self.parent:
            edge = self.parent[key]
            steps.append(Step(key, edge.kind, edge.place, edge.certain))
            key = edge.source
        return tuple(reversed(steps))

    # --- termination -----------------------------------------------------------------------------------------------

    def _termination(self) -> None:
        """Loops without a measure, and recursion without one."""
        calls: nx.DiGraph[str] = nx.DiGraph()
        for e in self.edges:
            if e.kind == "call" and e.certain and self._role(e.source) == self._role(e.target):
                calls.add_edge(e.source, e.target)
        recursive: set[str] = set()
        for group in nx.strongly_connected_components(calls):
            if len(group) > 1 or any(calls.has_edge(k, k) for k in group):
                recursive |= group
        for key in self.order:
            info = self.graph.nodes[key]
            unread = any(f.hatch in ("external", "outside-verus") for f in info.findings)
            if info.ref is None or not isinstance(info.item, sx.Fn) or unread:
                continue
            loops = info.open_loops if info.role == "exec" else []
            recurses = key in recursive and not info.has_decreases
            if not loops and not recurses and not info.open_fors:
                continue
            if info.role != "exec":
                what = f"{info.role} fn {info.name} calls itself without `decreases`"
                self._add(info, "unproved-termination", info.place, what)
                continue
            assumed = inherited_word(self.graph, info.ref, "assume_termination")
            allowed = inherited_word(self.graph, info.ref, "exec_allows_no_decreases_clause")
            if assumed is not None:
                continue
            if allowed is not None and info.role == "exec":
                loops = [*loops, *info.open_fors]
            hatch = "no-decreases" if allowed is not None else "missing-decreases"
            by = f", allowed by #[{allowed.attr.text}]" if allowed is not None else ""
            for place in loops:
                self._add(info, hatch, place, f"a loop of `{info.name}` without `decreases`{by}")
            if recurses:
                self._add(info, hatch, info.place, f"fn {info.name} calls itself without `decreases`{by}")

    def _role(self, key: str) -> str:
        return self.graph.nodes[key].role

    def _add(self, info: NodeInfo, hatch: str, place: Place | None, what: str) -> None:
        self.extra.append(Finding(hatch, info.key, place or Place(str(self.graph.crate.source.path), 1, 1), what, what))

    def _via(self) -> None:
        """Termination proofs that rest on a hole."""
        for e in [e for e in self.edges if e.kind == "via"]:
            reached = [self.graph.nodes[k] for k in self.graph.reachable(e.target)]
            holes = [f for i in reached for f in i.findings if f.hatch in _CONTRACT_HOLES]
            if holes:
                info = self.graph.nodes[e.source]
                what = f"the termination proof `{e.target}` of `{info.name}` has a hole: {holes[0].what} ({holes[0].place})"
                self._add(info, "via-hole", e.place, what)

    def _globals(self) -> None:
        for item in self.graph.crate.globals:
            source = self.graph.crate.source_of(item)
            line, column = source.line_column(item.span.start)
            self._add(self.target, "global-size-of", Place(str(source.path), line, column), f"global {item.text}")

    def _vacuity(self) -> None:
        """Requirements that can never hold."""
        if not self.solver:
            return
        functions = [self.graph.nodes[k] for k in self.order]
        found, left = contradictions(self.graph.crate, [i for i in functions if i.kind == "fn" and i.role != "spec"])
        for info in found:
            if info is self.target:
                self._add(info, "vacuous-target", info.place, f"the requirement of `{info.name}` can never hold")
            else:
                self._add(info, "vacuous-lemma", info.place, f"the requirement of `{info.name}` can never hold")
        if left:
            self.notes.append(f"whether the requirement can hold is not known for {left} function{'s' if left > 1 else ''}")

    # --- classes ---------------------------------------------------------------------------------------------------

    def _classify(self) -> list[Reported]:
        out: list[Reported] = []
        records = catalogue()
        for key in self.order:
            info = self.graph.nodes[key]
            for f in [*info.findings, *(x for x in self.extra if x.node == key)]:
                trust = records[f.hatch].trust
                why = ""
                if trust in (Trust.ESCAPED, Trust.DIVERGES) and self.old is not None:
                    before, why = self._before(info, f)
                    trust = Trust.TRUSTED_ORIGINAL if before else trust
                out.append(Reported(f, trust, self.path(key), why))
        return out

    def _before(self, info: NodeInfo, f: Finding) -> tuple[bool, str]:
        """Whether the original trusted the same, and why (not)."""
        assert self.old is not None
        old = self._old_node(info)
        if old is None:
            return False, ""
        self.old.out(old.key)
        if f.hatch in ("no-decreases", "missing-decreases", "assume-termination", "unproved-termination"):
            if not isinstance(old.item, sx.Fn) or not isinstance(info.item, sx.Fn):
                return False, ""
            may_loop = bool(old.open_loops) or not old.has_decreases
            if may_loop and old.ref and info.ref and self._same_code(old.ref, info.ref):
                return True, "the original's executable code is the same"
            return False, "the original's executable code is another" if may_loop else ""
        hatches = {x.hatch for x in old.findings}
        if f.hatch not in _CONTRACT_HOLES:
            same = any(x.hatch == f.hatch and x.mark == f.mark for x in old.findings)
            same = same and _text(self.old, old) == _text(self.graph, info)
            return same, "the original has the same" if same else ""
        if info is self.target:
            return False, "the original has a hole here too; a target has to be proved" if hatches & _CONTRACT_HOLES else ""
        if not hatches & _CONTRACT_HOLES:
            return False, ""
        if meaning(self.old, old) != meaning(self.graph, info):
            return False, "the original trusts another contract here"
        if info.role == "exec":
            if old.ref is None or info.ref is None or (info.kind == "fn" and not self._same_code(old.ref, info.ref)):
                return False, "the original trusts other code to keep this contract"
            changed = self._changed_unverified()
            if changed:
                return False, f"unverified code, which keeps such contracts, changed: `{changed[0]}`"
        return True, "the original trusts the same contract"

    def _same_code(self, old: Ref, new: Ref) -> bool:
        assert self.old is not None
        return same_executable(self.old.crate, old, self.graph.crate, new)

    def _changed_unverified(self) -> list[str]:
        """Functions that Verus does not verify and whose code is not the original's: trusted contracts may rest on them."""
        if self._unverified is None:
            assert self.old is not None
            new = {r.path: r for r in self.graph.crate.functions}
            self._unverified = []
            for ref in self.old.crate.functions:
                fn = ref.item
                if not isinstance(fn, sx.Fn) or fn.mode != "exec" or ref.path == "crate::main":
                    continue
                if fn.in_verus and not has_word(fn.attrs, "external") and not has_word(fn.attrs, "external_body"):
                    continue
                if ref.path not in new or not self._same_code(ref, new[ref.path]):
                    self._unverified.append(ref.path)
        return self._unverified

    def _old_node(self, info: NodeInfo) -> NodeInfo | None:
        assert self.old is not None
        if info.key in self.old.nodes:
            return self.old.nodes[info.key]
        crate = self.old.crate
        path = info.key.split("#")[0]
        for ref in crate.functions:
            if ref.path == path:
                return self.old.node(ref)
        for spec, module in crate.specifications:
            ref = self.old.specifications.ref(spec)
            if ref.path == path and module is not None:
                return self.old.node(ref)
        for ref in crate.all_refs():
            if ref.path == path:
                return self.old.node(ref)
        return None

    def _trust(self, key: str, reported: list[Reported]) -> Trust:
        info = self.graph.nodes[key]
        if info.kind == LIBRARY:
            return Trust.TRUSTED_VSTD
        worst = Trust.UNRESOLVED if info.kind == FOREIGN else Trust.PROVED
        for r in reported:
            if r.finding.node == key and r.trust is not None and r.trust.rank > worst.rank:
                worst = r.trust
        return worst


def meaning(graph: CallGraph, info: NodeInfo) -> str:
    """A digest of a node's contract and of every definition of the crate that it names, directly or not."""
    seen: set[str] = set()
    todo = [info.key]
    parts: list[str] = []
    while todo:
        key = todo.pop()
        if key in seen:
            continue
        seen.add(key)
        node = graph.nodes[key]
        first = key == info.key
        parts.append(f"{key.split('#')[0]}\0{_declaration(graph, node) if first and node.role != 'spec' else _text(graph, node)}")
        for e in graph.out(key):
            follow = e.kind in _MEANING or (not first and e.kind in ("call", "mention")) or (first and node.role == "spec")
            if follow and graph.nodes[e.target].role in ("spec", "type", "other", "exec"):
                todo.append(e.target)
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()


def _declaration(graph: CallGraph, info: NodeInfo) -> str:
    """The text of a function up to its body, white space folded, without attributes."""
    item = info.item
    if not isinstance(item, sx.Fn):
        return _text(graph, info)
    end = item.body.start if item.body is not None else item.span.end
    text = graph.crate.source_of(item).snippet((item.name_span.start, end)).rstrip().rstrip(";")
    return f"{item.mode} {' '.join(text.split()).rstrip(',').rstrip()}"


def _text(graph: CallGraph, info: NodeInfo) -> str:
    if info.item is None:
        return ""
    span = info.item.span
    start = info.item.name_span.start if isinstance(info.item, sx.Fn) else span.start
    return " ".join(graph.crate.source_of(info.item).snippet((start, span.end)).split())
