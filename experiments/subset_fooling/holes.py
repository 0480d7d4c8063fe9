"""Holes put into a verified file, at every depth of its target's closure: for originals that bring no such edits of their own.

In: an original's text, its targets, a seed. Out: edited texts, one for each depth at which a function with a body stands, each
with a hole there: an assumption, an admission, or a body that is not verified.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from depgraph.closure import audit_targets
from depgraph.crate_loader import load_source
from depgraph.model import NodeInfo
from experiments.mutation.text import Edit, apply_edits
from translate import syntax as sx
from translate import terms as tm
from translate.source import SourceText
from translate.syntax import Span

SENSE = "functions"
_WHAT = {
    "assume": "assumes `false`",
    "admit": "admits the rest of its proof",
    "external-body": "has a body that nobody verifies",
}


@dataclass(frozen=True, slots=True)
class Holed:
    """An edit with a hole: which hatch, in which function, how many steps of the call graph from the target."""

    hatch: str
    depth: int
    node: str
    text: str

    @property
    def why(self) -> str:
        return f"`{self.node}` {_WHAT[self.hatch]}."


def holed(source: SourceText, targets: Sequence[str], seed: int) -> list[Holed]:
    """One edit for each depth, the nearest first. Raises `UnknownTarget`."""
    with tm.own_terms():
        crate = load_source(source)
        reports = audit_targets(None, crate, targets, solver=False)
    depths: dict[str, int] = {}
    nodes: dict[str, NodeInfo] = {}
    for report in reports:
        nodes |= report.nodes
        for key, depth in _depths(report.target, [(e.source, e.target) for e in report.edges]).items():
            depths[key] = min(depth, depths.get(key, depth))
    by_depth: dict[int, list[NodeInfo]] = {}
    for key, depth in sorted(depths.items()):
        if _can_have_one(nodes[key]):
            by_depth.setdefault(depth, []).append(nodes[key])
    found = []
    for depth, there in sorted(by_depth.items()):
        rng = Random(f"{seed}:{depth}")
        info = rng.choice(there)
        hatch = rng.choice(tuple(_WHAT))
        found.append(Holed(hatch, depth, info.key, _with_hole(source, info, hatch)))
    return found


def _depths(target: str, edges: Sequence[tuple[str, str]]) -> dict[str, int]:
    """Steps from the target to each node, by a shortest way."""
    out: dict[str, list[str]] = {}
    for a, b in edges:
        out.setdefault(a, []).append(b)
    found = {target: 0}
    queue = deque([target])
    while queue:
        key = queue.popleft()
        for other in out.get(key, ()):
            if other not in found:
                found[other] = found[key] + 1
                queue.append(other)
    return found


def _can_have_one(info: NodeInfo) -> bool:
    """Whether a node is a function of the file with a body that Verus verifies, and without a hole so far."""
    fn = info.item
    if not isinstance(fn, sx.Fn) or info.kind != "fn" or info.role not in ("exec", "proof"):
        return False
    return fn.body is not None and fn.in_verus and not info.findings and not fn.axiom


def _with_hole(source: SourceText, info: NodeInfo, hatch: str) -> str:
    fn = info.item
    assert isinstance(fn, sx.Fn) and fn.body is not None
    if hatch == "external-body":
        start = fn.span.start
        return apply_edits(source, [Edit(Span(start, start), "#[verifier::external_body]\n")])
    inside = {"assume": "assume(false);", "admit": "admit();"}[hatch]
    text = f" proof {{ {inside} }} " if info.role == "exec" else f" {inside} "
    at = fn.body.start + 1
    return apply_edits(source, [Edit(Span(at, at), text)])
