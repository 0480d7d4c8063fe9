"""Both experiments on a sample of VeriContest, where a copy is named: they end, and no honest edit is called broken."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

pytest.importorskip("scipy", reason="needs the extra: pip install 'samespec[experiments]'")
pytest.importorskip("matplotlib", reason="needs the extra: pip install 'samespec[experiments]'")

from experiments.compare import run as compare
from experiments.subset_fooling import run as subsets

COPY = os.environ.get("SAMESPEC_VERICONTEST")
pytestmark = pytest.mark.skipif(COPY is None, reason="needs a copy of VeriContest: set SAMESPEC_VERICONTEST to its path")


def test_compare(tmp_path: Path) -> None:
    summary = compare.run_compare(
        compare.Options(tmp_path / "out", seed=1, jobs=2, budget=300_000, originals=Path(str(COPY)), mutants=2, sample=6)
    )
    assert summary["edits"]["errors"] == summary["edits"]["skipped"] == 0
    tests = {t["test"]: t for t in summary["tests"]}
    assert tests["logical"]["wrong"] == 0
    assert tests["logical"]["honest"] > 6  # the mutants, and the pairs whose proofs take nothing on trust


def test_subset_fooling(tmp_path: Path) -> None:
    subsets.run_subset_fooling(
        subsets.Options(tmp_path / "out", seed=1, jobs=2, budget=300_000, originals=Path(str(COPY)), sample=4, largest=2)
    )
    rows = [json.loads(line) for line in (tmp_path / "out" / "results.jsonl").read_text().splitlines()]
    assert not [r for r in rows if "error" in r]
    assert {r["sense"] for r in rows} == {"clauses", "functions", "ensures"}
