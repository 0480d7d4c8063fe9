"""The catalogue: each hatch has a pair of programs, with it and without, and its record says what the documentation shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from depgraph.closure import audit
from depgraph.crate_loader import load_crate
from depgraph.hatches import catalogue
from depgraph.model import Trust

PAIRS = Path(__file__).parent / "hatches"
#: Hatches whose honest neighbour cannot be clean for another reason.
IDS = list(catalogue())


def test_every_record_has_its_pair() -> None:
    assert sorted(p.name for p in PAIRS.iterdir()) == sorted(IDS)


@pytest.mark.parametrize("hatch", IDS)
def test_with(hatch: str) -> None:
    report = audit(load_crate(PAIRS / hatch / "with.rs"), "crate::f")
    found = {r.finding.hatch: r.trust for r in report.reported}
    assert hatch in found, report.reported
    trust = catalogue()[hatch].trust
    assert found[hatch] is trust
    expected = True if trust is None else None if trust is Trust.UNRESOLVED else False
    assert report.clean is expected


@pytest.mark.parametrize("hatch", IDS)
def test_without(hatch: str) -> None:
    report = audit(load_crate(PAIRS / hatch / "without.rs"), "crate::f")
    assert hatch not in {r.finding.hatch for r in report.reported}
    assert report.clean is True, report.reported


@pytest.mark.parametrize("hatch", IDS)
def test_record(hatch: str) -> None:
    record = catalogue()[hatch]
    assert record.verus in ("accepts", "rejects", "not asked", "n/a")
    assert record.no_cheating in ("accepts", "rejects", "not asked", "n/a")
    assert record.lets_through.endswith(".")
    assert record.call or record.attribute or record.code, "nothing finds it"
    assert record.item or record.use or not record.positions


def test_the_page_is_made_from_the_records() -> None:
    from depgraph.hatches.document import document

    page = Path(__file__).parents[2] / "docs" / "hatches.md"
    assert page.read_text(encoding="utf-8") == document(), "run: python -m depgraph.hatches.document > docs/hatches.md"
