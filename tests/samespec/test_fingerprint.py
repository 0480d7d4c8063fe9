"""What decides: the hash covers the code that verdicts are made of, wherever it was imported from."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from samespec.fingerprint import ROOMS, fingerprint

ROOT = Path(__file__).parents[2]
PROGRAM = "from samespec.fingerprint import fingerprint; print(fingerprint())"


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A copy of what is hashed, with a way to hash it."""
    place = tmp_path_factory.mktemp("copy")
    for room in (*ROOMS, "samespec/__init__.py", "samespec/fingerprint.py"):
        source, target = ROOT / room, place / room
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    return place


def hashed(place):
    env = {**os.environ, "PYTHONPATH": str(place)}
    command = [sys.executable, "-P", "-c", PROGRAM]
    return subprocess.run(command, capture_output=True, text=True, env=env, check=True).stdout.strip()


def test_a_copy_has_the_same(copied):
    first = hashed(copied)
    (copied / "equiv" / "notes.txt").write_text("no code")
    assert hashed(copied) == first
    assert len(first) == len(fingerprint()) == 64


@pytest.mark.parametrize(
    "changed",
    ["equiv/decide.py", "translate/vstd/values.rs", "samespec/batch/judge.py", "samespec/beside.py", "samespec/__init__.py"],
)
def test_a_change_of_what_decides_has_another(copied, changed):
    before = hashed(copied)
    path = copied / changed
    text = path.read_text()
    if changed == "samespec/__init__.py":
        path.write_text(text.replace('__version__ = "', '__version__ = "9'))
    else:
        path.write_text(text + "\n")
    after = hashed(copied)
    path.write_text(text)
    assert after != before
