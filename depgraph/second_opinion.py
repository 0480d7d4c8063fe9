"""A second opinion: the graph of the audit against the one that Verus logs.

In: a crate, and either a Verus to run with `--log call-graph` or a `.dot` file that one has logged. Out: a line for each edge
between two functions of the crate that only one of the two has. Verus's points (`SpanInfo`) and module nodes stand between a
function and what it depends on; they are stepped over. Verus numbers impl blocks where samespec names them: both become `impl`.

Source: docs/verus-facts.md, section 3; vir/src/context.rs and vir/src/scc.rs for the format.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from depgraph.crate_loader import LoadedCrate
from depgraph.graph import CallGraph
from depgraph.model import NodeInfo
from translate import syntax as sx
from translate.source import SourceError

LOGGED = "crate-call-graph-nostd-initial.dot"
TIMEOUT = 300  # seconds; Verus is another program, and only its log is wanted

_NODE = re.compile(r'\s*node_(\d+) \[(?:margin=[\d.]+, )?(?:label="((?:[^"\\]|\\.)*)")?.*\]')
_EDGE = re.compile(r"\s*node_(\d+) -> node_(\d+)")
#: Kinds of edges that Verus's graph between functions does not have, or has through other nodes.
_OURS_ALONE = frozenset(("type", "type-invariant", "drop", "implements", "macro"))


@dataclass(slots=True)
class VerusGraph:
    """The functions of a logged call graph, and the edges between them."""

    functions: set[str] = field(default_factory=set)
    edges: set[tuple[str, str]] = field(default_factory=set)


def parse_dot(text: str) -> VerusGraph:
    """Reads a call graph as Verus logs it. Raises `SourceError` where the text is none."""
    if "digraph" not in text:
        raise SourceError("Verus's log: this is no .dot file")
    names: dict[str, str | None] = {}
    stepped: set[str] = set()
    following: dict[str, list[str]] = {}
    for line in text.splitlines():
        edge = _EDGE.match(line)
        if edge:
            following.setdefault(edge.group(1), []).append(edge.group(2))
            continue
        node = _NODE.match(line)
        if node is None:
            continue
        kind, _, path = (node.group(2) or "").partition("\\n")
        names[node.group(1)] = path.replace('\\"', '"') if kind == "Fun" else None
        if kind in ("", "ModuleReveal"):
            stepped.add(node.group(1))
    graph = VerusGraph()
    functions = {n for n in names.values() if n is not None}
    readable = {n: _verus_name(n, functions) for n in functions}
    graph.functions = set(readable.values())
    for number, name in names.items():
        if name is None:
            continue
        todo, seen = list(following.get(number, ())), set[str]()
        while todo:
            n = todo.pop()
            target = names.get(n)
            if target is not None:
                graph.edges.add((readable[name], readable[target]))
            elif n in stepped and n not in seen:
                seen.add(n)
                todo += following.get(n, ())
    return graph


def _verus_name(path: str, functions: set[str]) -> str:
    """Verus's path with its impl numbers dropped; a function inside a function stands beside it."""
    head, _, last = path.rpartition("::")
    if head in functions:
        path = f"{head.rpartition('::')[0]}::{last}"
    path = re.sub(r"impl&%\d+", "impl", path)
    return "crate::" + path.split("::", 1)[1] if "::" in path else path


def our_name(info: NodeInfo) -> str:
    """A node's path as `_verus_name` writes it."""
    assert info.ref is not None and info.ref.module is not None
    module = "::".join(p for p in info.ref.module.path.split("::") if not p.startswith("{"))
    if isinstance(info.ref.owner, sx.Impl):
        return f"{module}::impl::{info.ref.name}"
    if isinstance(info.ref.owner, sx.Trait):
        return f"{module}::{info.ref.owner.name}::{info.ref.name}"
    return f"{module}::{info.ref.name}"


def compare(graph: CallGraph, verus: VerusGraph) -> list[str]:
    """The edges that only one side has. `graph` is expanded as a whole."""
    graph.expand_all()
    names = {k: our_name(i) for k, i in graph.nodes.items() if i.kind in ("fn", "const", "group") and i.ref is not None}
    ours: dict[tuple[str, str], str] = {}
    for edges in list(graph.edges.values()):
        for e in edges:
            if e.source in names and e.target in names and e.kind not in _OURS_ALONE:
                ours.setdefault((names[e.source], names[e.target]), f"{e.kind}, {e.place}")
    known = set(names.values())
    out = [f"only Verus has: {a} -> {b}" for a, b in sorted(verus.edges - ours.keys()) if {a, b} <= known]
    out += [f"only Verus has the function {f}" for f in sorted(verus.functions - known)]
    for (a, b), how in sorted(ours.items()):
        if (a, b) not in verus.edges and a in verus.functions and b in verus.functions:
            out.append(f"only samespec has: {a} -> {b} ({how})")
    return out


def second_opinion(crate: LoadedCrate, file: Path, verus: str) -> list[str]:
    """Runs a Verus (or reads its log, where `verus` is a `.dot` file) and compares. Raises `SourceError` where that fails."""
    text = _read(Path(verus)) if verus.endswith(".dot") else run_verus(verus, file, _has_main(crate))
    return compare(CallGraph(crate), parse_dot(text))


def _has_main(crate: LoadedCrate) -> bool:
    return any(r.path == "crate::main" for r in crate.functions)


def run_verus(verus: str, file: Path, has_main: bool) -> str:
    """The call graph that a Verus logs for a file."""
    with tempfile.TemporaryDirectory(prefix="samespec-") as folder:
        command = [verus, str(file), "--no-verify", "--log", "call-graph", "--log-dir", folder]
        if not has_main:
            command.append("--crate-type=lib")
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise SourceError(f"{verus}: cannot be run ({error})") from None
        logged = sorted(Path(folder).rglob("*" + LOGGED.removeprefix("crate")))
        if not logged:
            said = _last_lines((done.stderr or done.stdout).splitlines())
            raise SourceError(f"{verus} logged no call graph (exit status {done.returncode}): {said}")
        return _read(logged[0])


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror})") from None


def _last_lines(lines: Iterable[str]) -> str:
    return " / ".join([line.strip() for line in lines if line.strip()][-3:])
