"""The vocabulary of the audit: classes, edges, findings, reports.

In: nothing. Out: the records that the graph, the audit and the renderers share. The classes are those of docs/design.md,
section 5; every node of a closure has exactly one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from equiv.verdict import Place
from translate import syntax as sx
from translate.names import Ref


class Trust(StrEnum):
    """What a node of a closure is, from harmless to fatal (`rank`)."""

    PROVED = "proved"
    TRUSTED_VSTD = "trusted-vstd"
    TRUSTED_ORIGINAL = "trusted-original"
    UNRESOLVED = "unresolved"
    UNVERIFIED = "unverified"
    DIVERGES = "diverges"
    ESCAPED = "escaped"

    @property
    def rank(self) -> int:
        return list(Trust).index(self)

    @property
    def fatal(self) -> bool:
        return self in (Trust.ESCAPED, Trust.DIVERGES, Trust.UNVERIFIED)


#: The kinds of edges: what makes the first node lean on the second.
EDGE_KINDS = {
    "call": "calls it",
    "mention": "names it as a value",
    "contract": "names it in its contract",
    "decreases": "names it in a `decreases` or `when` clause",
    "via": "its termination is proved by it",
    "broadcast-use": "uses its broadcast facts",
    "group-member": "has it as a member",
    "when-used-as-spec": "stands for it in specifications",
    "implements": "may be this implementation",
    "type": "uses the type",
    "type-invariant": "has it as its invariant",
    "drop": "is dropped by it",
    "implicit": "may call it without naming it",
    "specified-by": "gets its contract from it",
    "macro": "expands it",
}


@dataclass(frozen=True, slots=True)
class Edge:
    """One dependency. `certain` is False where the receiver's type is not known and the callee is one of several methods of
    that name: an audit then follows them all."""

    source: str
    target: str
    kind: str
    place: Place
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Finding:
    """A hatch at a place. `what` is what stands there, on one line; `mark` tells two findings of one hatch at one node apart
    by content and not by position, so that a finding can be found again in another version of the file."""

    hatch: str
    node: str
    place: Place
    what: str
    mark: str = ""


@dataclass(slots=True)
class NodeInfo:
    """One node of the graph.

    `kind` is "fn", "const", "type", "trait", "group", "specification" (`assume_specification`), "library" (vstd and std),
    "foreign" (another crate), or "unresolved". `role` is what the accounting counts it as: "proof", "exec", "spec",
    "type", "other". `findings` are those of the node itself.
    """

    key: str
    kind: str
    role: str
    place: Place | None
    ref: Ref | None = None
    item: sx.Node | None = None
    findings: list[Finding] = field(default_factory=list)
    expanded: bool = False
    #: loops of executable code without a `decreases` clause
    open_loops: list[Place] = field(default_factory=list)
    #: `for` loops of executable code over something that may have no end; Verus asks for a measure, unless it is told not to
    open_fors: list[Place] = field(default_factory=list)
    has_decreases: bool = False

    @property
    def name(self) -> str:
        return self.key.rsplit("::", 1)[-1]


@dataclass(frozen=True, slots=True)
class Step:
    """One edge of the way from a target to a finding."""

    node: str
    kind: str
    place: Place
    certain: bool


@dataclass(frozen=True, slots=True)
class Reported:
    """A finding with its class, and the shortest way to it from the target."""

    finding: Finding
    trust: Trust | None  # None: a note, which decides nothing
    path: tuple[Step, ...]
    #: for `trusted-original`, and where something that looks like it was trusted before: why
    why: str = ""


@dataclass(frozen=True, slots=True)
class Count:
    """So many of so many: each count keeps its own denominator."""

    what: str
    part: int
    whole: int

    def __str__(self) -> str:
        return f"{self.part} of {self.whole} {self.what}"


@dataclass(frozen=True, slots=True)
class AuditReport:
    """The audit of one target."""

    target: str
    place: Place | None
    file: str
    original: str | None
    trust: dict[str, Trust]
    nodes: dict[str, NodeInfo]
    edges: tuple[Edge, ...]
    reported: tuple[Reported, ...]
    counts: tuple[Count, ...]
    notes: tuple[str, ...] = ()

    @property
    def clean(self) -> bool | None:
        """True: everything is proved or was trusted before; False: something got through; None: something cannot be seen."""
        found = {r.trust for r in self.reported if r.trust is not None} | set(self.trust.values())
        if any(t.fatal for t in found):
            return False
        return None if Trust.UNRESOLVED in found else True

    def of(self, trust: Trust | None) -> list[Reported]:
        return [r for r in self.reported if r.trust is trust]
