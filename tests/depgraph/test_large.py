"""Size: a file of 10,000 functions, long chains, wide modules."""

from __future__ import annotations

import time

from depgraph.closure import audit
from depgraph.crate_loader import load_source
from depgraph.room import room
from tests.depgraph.figures import large
from tests.depgraph.helpers import found, run
from translate.source import from_text


def test_ten_thousand_functions() -> None:
    """Under 5 seconds on a machine of its own (see `figures`); the processor's time is what a busy one can promise."""
    text = large(10_000)
    started = time.process_time()
    with room():
        report = audit(load_source(from_text("large.rs", text)), "l0")
    assert time.process_time() - started < 10
    assert report.clean is True
    assert len(report.trust) == 10_000


def test_a_hole_at_the_end_of_a_long_chain() -> None:
    text = large(2_000).replace("proof fn l1999(x: int) { }", "proof fn l1999(x: int) ensures false { admit(); }")
    report = audit(load_source(from_text("large.rs", text)), "l0", solver=False)
    assert found(report) == {"admit"}
    assert len(report.reported[0].path) == 1_999


def test_deep_nesting_in_a_body() -> None:
    depth = 60
    body = "{ " * depth + "admit();" + " }" * depth
    assert found(run(f"proof fn f() {{ {body} }}")) == {"admit"}


def test_many_methods_of_one_name() -> None:
    types = "".join(f"pub struct S{i}; impl S{i} {{ pub fn go(&self) {{ }} }} " for i in range(300))
    assert run(types + "fn f(s: S7) { s.go(); }").clean is True
