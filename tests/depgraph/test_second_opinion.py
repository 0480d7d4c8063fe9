"""Verus's own call graph, in the format that it logs, against ours."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from depgraph.crate_loader import load_source
from depgraph.graph import CallGraph
from depgraph.second_opinion import compare, parse_dot, second_opinion
from translate.source import SourceError, from_text

PROGRAM = """
use vstd::prelude::*;
verus! {
pub open spec fn big(x: int) -> bool { x > 3 }
proof fn low(x: int) requires big(x), ensures x > 2 { }
proof fn high(x: int) requires big(x), ensures x > 1 { low(x); }
pub struct S { pub x: u64 }
impl S { pub fn get(&self) -> (r: u64) { proof { high(5); } self.x } }
pub fn f(s: &S) -> u64 { s.get() }
}
"""
DOT = r"""digraph M {
  rankdir=LR;
  node [shape="box"];
  node_0 [margin=0.1, label="Crate\ncrate", shape="component"]
  node_1 [margin=0.1, label="Fun\ncrate::big", shape="cds"]
  node_2 [margin=0.1, label="Fun\ncrate::low", shape="cds"]
  node_3 [margin=0.1, label="Fun\ncrate::high", shape="cds"]
  node_4 [margin=0.1, label="Fun\ncrate::impl&%0::get", shape="cds"]
  node_5 [margin=0.1, label="Fun\ncrate::f", shape="cds"]
  node_6 [shape="point"]
  node_7 [margin=0.1, label="ModuleReveal\ncrate", shape="component"]
  node_8 [margin=0.1, label="Datatype\ncrate::S", shape="folder"]

  node_2 -> node_1
  node_3 -> node_6
  node_6 -> node_2
  node_3 -> node_1
  node_4 -> node_3
  node_4 -> node_8
  node_5 -> node_4
  node_5 -> node_7
  node_7 -> node_0
}
"""


def _graph(text: str = PROGRAM) -> CallGraph:
    return CallGraph(load_source(from_text("p.rs", text)))


def test_the_same_edges() -> None:
    verus = parse_dot(DOT)
    assert ("crate::high", "crate::low") in verus.edges, "points are stepped over"
    assert compare(_graph(), verus) == []


def test_edges_that_one_side_has() -> None:
    more = DOT.replace("  node_5 -> node_7\n", "  node_5 -> node_1\n").replace("  node_4 -> node_3\n", "")
    assert compare(_graph(), parse_dot(more)) == [
        "only Verus has: crate::f -> crate::big",
        "only samespec has: crate::impl::get -> crate::high (call, p.rs:8:50)",
    ]


def test_functions_that_only_verus_has() -> None:
    hidden = PROGRAM.replace("proof fn low", "#[cfg(test)] proof fn low")
    assert "only Verus has the function crate::low" in compare(_graph(hidden), parse_dot(DOT))


def test_nested_functions_stand_beside_theirs() -> None:
    text = "use vstd::prelude::*; verus! { pub fn f() { fn g() { } g(); } }"
    dot = DOT.split("  node_0")[0] + (
        '  node_1 [margin=0.1, label="Fun\\ncrate::f", shape="cds"]\n'
        '  node_2 [margin=0.1, label="Fun\\ncrate::f::g", shape="cds"]\n\n  node_1 -> node_2\n}\n'
    )
    assert compare(_graph(text), parse_dot(dot)) == []


def test_what_is_no_graph() -> None:
    with pytest.raises(SourceError):
        parse_dot("error: no such file")


def test_a_log_on_disk(tmp_path: Path) -> None:
    log = tmp_path / "crate-call-graph-nostd-initial.dot"
    log.write_text(DOT)
    source = tmp_path / "p.rs"
    source.write_text(PROGRAM)
    assert second_opinion(_graph().crate, source, str(log)) == []


@pytest.mark.verus
def test_verus_itself(tmp_path: Path) -> None:
    source = tmp_path / "p.rs"
    source.write_text(PROGRAM)
    assert second_opinion(_graph().crate, source, os.environ["VERUS"]) == []
