"""The tests of other tools, where these are installed: `lynette additions` and `verus --no-cheating`.

In: a pair. Out: an answer for each tool that is there; no answer stands in for a tool that is not. What a tool says that is
neither its yes nor its no is undecided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from equiv.verdict import TestAnswer
from experiments.compare.pairs import Pair
from referee.fence import FenceError, Runner, find_fence
from referee.lynette import additions, find_lynette
from referee.verus import Verus, VerusKind, find_verus, sha256

LYNETTE, VERUS = "lynette additions", "verus --no-cheating"
OUTSIDE = (LYNETTE, VERUS)


@dataclass(frozen=True, slots=True)
class Tools:
    """The programs that are there, by path, and for each tool that is not, why."""

    lynette: str | None
    verus: str | None
    missing: tuple[tuple[str, str], ...]

    @property
    def present(self) -> tuple[str, ...]:
        return tuple(t for t in OUTSIDE if t not in dict(self.missing))


def find_tools(lynette: str | None = None, verus: str | None = None) -> Tools:
    """What is installed: by the names given, by the environment variable VERUS, or on the search path. Raises `FileNotFoundError`
    where one was named and is not there."""
    missing = []
    program = find_lynette(lynette)
    if program is None:
        missing.append((LYNETTE, "not installed"))
    found = find_verus(verus)
    path = None if found is None else str(found.program)
    if found is None:
        missing.append((VERUS, "not installed"))
    else:
        try:
            find_fence()
        except FenceError as error:
            missing.append((VERUS, f"not run: {error}"))
            path = None
    return Tools(program, path, tuple(missing))


def describe(tools: Tools) -> dict[str, Any]:
    """What `run.json` says about the tools."""
    said: dict[str, Any] = dict(tools.missing)
    if tools.lynette is not None:
        said[LYNETTE] = {"sha256": sha256(Path(tools.lynette))}
    if tools.verus is not None:
        verus = Verus(Path(tools.verus))
        said[VERUS] = {"version": verus.version, "sha256": sha256(Path(tools.verus))}
    return said


def ask_tools(tools: Tools, pair: Pair, targets: Sequence[str]) -> dict[str, TestAnswer]:
    """The answers of the tools that are there."""
    answers = {}
    if tools.lynette is not None:
        allowed, why = additions(pair.original, pair.submitted, tools.lynette)
        answers[LYNETTE] = TestAnswer(LYNETTE, allowed, why)
    if tools.verus is not None:
        answers[VERUS] = _verified(tools.verus, pair, targets)
    return answers


@cache
def _installed(path: str) -> tuple[Verus, Runner]:
    found = find_verus(path)
    assert found is not None
    return found, find_fence()


def _verified(path: str, pair: Pair, targets: Sequence[str]) -> TestAnswer:
    """Kept: the whole file verifies without cheating, and every target is among the functions that Verus verified."""
    verus, runner = _installed(path)
    result = verus.verify(pair.submitted, runner, no_cheating=True)
    if result.kind is VerusKind.ACCEPTED:
        lost = [t for t in targets if not result.accepts(t, pair.submitted, "submitted")]
        why = f"it verifies, but {lost[0]} is not among the functions that were verified" if lost else "it verifies"
        return TestAnswer(VERUS, not lost, why)
    return TestAnswer(VERUS, False if result.kind is VerusKind.REJECTED else None, result.why)
