"""The programs that were given to Verus itself: each gets the answer that is written down for it, with the reason."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from depgraph.closure import audit
from depgraph.crate_loader import load_crate
from equiv.targets import UnknownTarget

HERE = Path(__file__).parent
PROGRAMS = HERE.parent / "verus-recordings"
EXPECTED = tomllib.loads((HERE / "recordings.toml").read_text(encoding="utf-8"))


def test_every_recording_has_an_expectation() -> None:
    assert sorted(EXPECTED) == sorted(p.stem for p in PROGRAMS.glob("*.rs"))


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_recording(name: str) -> None:
    want = EXPECTED[name]
    crate = load_crate(PROGRAMS / f"{name}.rs")
    if want["clean"] == "no target":
        with pytest.raises(UnknownTarget):
            audit(crate, want["target"])
        return
    target = "<A as T>::g" if want["target"] == "g" else want["target"]
    report = audit(crate, target)
    assert sorted({r.finding.hatch for r in report.reported}) == sorted(want["hatches"]), want["why"]
    assert report.clean is want["clean"], want["why"]


def test_what_verus_rejects_without_cheating_is_never_clean() -> None:
    """`--no-cheating` is Verus's own guard: where it objects, so does the audit."""
    for path in PROGRAMS.glob("*.no-cheating.stdout.json"):
        assert EXPECTED[path.name.split(".")[0]]["clean"] is False, path.name
