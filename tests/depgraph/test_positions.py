"""Every hatch is found wherever a target's proof reaches it."""

from __future__ import annotations

import pytest

from depgraph.closure import audit
from depgraph.crate_loader import load_source
from depgraph.hatches import catalogue
from tests.depgraph.positions import POSITIONS, program
from translate.source import from_text

HATCHES = [h for h in catalogue().values() if h.positions]
CASES = [(h.id, p) for h in HATCHES for p in POSITIONS if program(h, p) is not None]


@pytest.mark.parametrize(("hatch", "position"), CASES, ids=[f"{h}, {p}" for h, p in CASES])
def test_found(hatch: str, position: str) -> None:
    text = program(catalogue()[hatch], position)
    assert text is not None
    crate = load_source(from_text("f.rs", text))
    assert not crate.unread, text
    report = audit(crate, "crate::f", solver=False)
    found = {r.finding.hatch for r in report.reported if r.trust is not None and r.trust.fatal}
    assert hatch in found, f"{text}\n{report.reported}"
    assert report.clean is False
    unresolved = [r for r in report.reported if r.trust is not None and not r.trust.fatal]
    assert not unresolved, f"{text}\n{unresolved}"


def test_most_combinations_make_sense() -> None:
    assert len(CASES) > 0.8 * len(HATCHES) * len(POSITIONS)
