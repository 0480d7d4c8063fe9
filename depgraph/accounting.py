"""Counts with their own denominators: what of a closure is proved, and what of the original's axioms was proved since.

In: a classified closure. Out: `Count` records, in the order in which a report shows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from depgraph.hatches import catalogue
from depgraph.model import Count, Reported, Trust

if TYPE_CHECKING:
    from depgraph.graph import CallGraph

_ROLES = {"proof": "lemmas proved", "exec": "executable functions verified", "spec": "specification functions defined"}
_KINDS = ("fn", "const", "specification")
_AXIOMATIC = frozenset(("external-body", "axiom", "broadcast-axiom", "admit", "assume", "pervasive-assume", "builtin-assume"))


def counts(graph: CallGraph, order: Sequence[str], trust: dict[str, Trust], reported: Sequence[Reported]) -> list[Count]:
    """The counts of one closure: proved functions by role, each of its own kind; trusted ones apart."""
    out: list[Count] = []
    own = [k for k in order if graph.nodes[k].kind in _KINDS]
    for role, what in _ROLES.items():
        nodes = [k for k in own if graph.nodes[k].role == role]
        if nodes:
            out.append(Count(what, sum(trust[k] is Trust.PROVED for k in nodes), len(nodes)))
    for t, what in (
        (Trust.TRUSTED_ORIGINAL, "of the closure's own functions were trusted by the original"),
        (Trust.ESCAPED, "of the closure's own functions escape proof"),
        (Trust.DIVERGES, "of the closure's own functions may not terminate"),
        (Trust.UNVERIFIED, "of the closure's own functions are not verified"),
    ):
        part = sum(trust[k] is t for k in own)
        if part:
            out.append(Count(what.removeprefix("of the "), part, len(own)))
    library = sum(trust[k] is Trust.TRUSTED_VSTD for k in order)
    if library:
        out.append(Count("nodes of the closure are vstd's or std's", library, len(order)))
    return out


def lemma_count(old: CallGraph, new: CallGraph) -> list[Count]:
    """How many of the lemmas that the original leaves unproved the submission proves (the whole file, not one closure)."""
    records = catalogue()
    axioms = []
    for ref in old.crate.functions:
        info = old.node(ref)
        if info.role != "proof":
            continue
        old.out(info.key)
        if any(f.hatch in _AXIOMATIC and records[f.hatch].trust is Trust.ESCAPED for f in info.findings):
            axioms.append(ref.path)
    if not axioms:
        return []
    proved = 0
    now = {r.path: r for r in new.crate.functions}
    for path in axioms:
        found = now.get(path)
        if found is None:
            continue
        info = new.node(found)
        new.out(info.key)
        proved += not any(records[f.hatch].trust is not None for f in info.findings)
    return [Count("axiomatised lemmas proved", proved, len(axioms))]
