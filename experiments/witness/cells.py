"""The rows of episodes as what the statistics need: a cell is one episode, seen raw or mended.

In: rows. Out: `Cell`s; what is wrong with a file of rows, by line.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from experiments.report.folder import Row
from experiments.witness.options import CampaignError
from experiments.witness.rows import ATTEMPTS, EPISODE, REVISION

View: TypeAlias = Literal["raw", "mended"]
GATES: Final = ("admitted", "rejected", "runs", "disagrees")
#: How solver-backed discovery ends where it proves that there is nothing to find.
_PROVED: Final = ("determined", "must change", "inexpressible")
#: What a gate's answer means where it is the first that does not let the selected candidate pass.
FAILURES: Final = {
    "impossible": "none exists: proved",
    "nothing": "none was found",
    "unparsed": "does not parse",
    "admitted fail": "not admitted by the weakened contract",
    "admitted unknown": "admission not decided",
    "rejected fail": "meets the full contract too",
    "rejected unknown": "rejection not decided",
    "runs fail": "does not compile, or does not run to an end",
    "runs unknown": "was not run",
    "disagrees fail": "agrees with every visible case",
    "disagrees unknown": "no disagreement was seen",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """One episode. `failed` is a key of `FAILURES` where the selected candidate is not certified, else None; `withheld` on how
    many withheld cases it disagrees (None: there are none, or it was not run). `call_parses` and `call_certified` go by call;
    `call_prompts` are lengths of prompts in characters, `call_tokens` the same in tokens where the provider counts them."""

    task: str
    stratum: str
    provider: str
    policy: str
    label: int
    certified: bool
    call: int
    expression: str
    failed: str | None
    withheld: int | None
    call_parses: tuple[bool, ...]
    call_certified: tuple[bool, ...]
    call_prompts: tuple[int, ...]
    call_tokens: tuple[int | None, ...]

    @property
    def place(self) -> tuple[str, str, int]:
        """Task, provider and repeat: what episodes of different policies have in common."""
        return self.task, self.provider, self.label

    @property
    def parses(self) -> bool:
        return self.failed != "unparsed"


def cells_of(rows: Sequence[Row], view: View = "raw") -> list[Cell]:
    """The cells of the episodes that were judged; `mended` gives those that were judged with the parser repair as well."""
    found = []
    for r in rows:
        if r["kind"] == EPISODE and "error" not in r:
            if r.get(view) is not None:
                found.append(_cell(r, r[view], view))
            elif view == "raw":
                found.append(_empty(r))
    return found


def _empty(row: Row) -> Cell:
    """An episode without a candidate."""
    failed = "impossible" if row.get("found") in _PROVED else "nothing"
    head = (row["task"], row["stratum"], row["provider"], row["policy"], row["label"])
    return Cell(*head, False, 0, "", failed, None, (), (), (), ())


def _cell(row: Row, outcome: dict[str, Any], view: View) -> Cell:
    calls = row["calls"] if view == "raw" else outcome["calls"]
    asked = row["calls"]
    withheld = outcome["withheld_divergences"] if row["withheld"] else None
    return Cell(
        row["task"],
        row["stratum"],
        row["provider"],
        row["policy"],
        row["label"],
        outcome["certified"],
        outcome["call"],
        outcome["expression"],
        _failed(outcome),
        withheld,
        tuple(c["problem"] is None for c in calls),
        tuple(c["certified"] for c in calls),
        tuple(c.get("prompt_chars", 0) for c in asked),
        tuple(None if c.get("usage") is None else c["usage"]["prompt"] for c in asked),
    )


def _failed(outcome: dict[str, Any]) -> str | None:
    if outcome["problem"] is not None:
        return "unparsed"
    for gate in GATES:
        if outcome["gates"][gate] != "pass":
            return f"{gate} {outcome['gates'][gate]}"
    return None


# --- records on disk -----------------------------------------------------------------------------------------------------


def read_records(path: Path) -> list[Row]:
    """The rows of a file of results: `results.jsonl`, or `unfinished.jsonl` of a campaign that was not ended.

    Raises `CampaignError`, which names the line.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CampaignError(f"{path}: cannot be read ({error.strerror})") from error
    found: list[Row] = []
    lines = data.split(b"\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            if number == len(lines):
                break  # the last line of a run that was stopped has no end
            raise CampaignError(f"{path}:{number}: not JSON: {error}") from error
        inside = record.get("rows") if isinstance(record, dict) else None
        for row in inside if isinstance(inside, list) else [record]:
            problem = _problem(row)
            if problem is not None:
                raise CampaignError(f"{path}:{number}: not a record of a campaign: {problem}")
            found.append(row)
    if not found:
        raise CampaignError(f"{path}: no records in it")
    return found


_EPISODE: Final[dict[str, type | tuple[type, ...]]] = {
    "stratum": str, "visible": int, "withheld": int, "provider": str, "policy": str, "label": int, "calls": list,
}  # fmt: skip
_OUTCOME: Final[dict[str, type | tuple[type, ...]]] = {
    "call": int, "expression": str, "problem": (str, type(None)), "gates": dict, "compiled": bool, "certified": bool,
    "divergences": int, "withheld_divergences": (int, type(None)),
}  # fmt: skip
_CALL: Final[dict[str, type | tuple[type, ...]]] = {"problem": (str, type(None)), "certified": bool}
_WANTED: Final[dict[str, dict[str, type | tuple[type, ...]]]] = {
    EPISODE: _EPISODE,
    REVISION: {"condition": str, "accepted": bool, "witness": (dict, type(None))},
    ATTEMPTS: {"condition": str, "attempts": list},
}


def _problem(row: Any) -> str | None:
    """What a row lacks; None where it can be counted."""
    if not isinstance(row, dict) or row.get("kind") not in _WANTED or not isinstance(row.get("task"), str):
        return f'it needs "kind" ({", ".join(_WANTED)}) and "task"'
    if "error" in row:
        return None
    problem = _lacks(row, _WANTED[row["kind"]], "")
    if problem is not None or row["kind"] != EPISODE:
        return problem
    for view in ("raw", "mended"):
        outcome = row.get(view)
        if outcome is None:
            continue
        if not isinstance(outcome, dict):
            return f'"{view}" must be an object'
        problem = _lacks(outcome, _OUTCOME, f"{view}.")
        if problem is None and not all(outcome["gates"].get(g) in ("pass", "fail", "unknown") for g in GATES):
            problem = f'"{view}.gates" must say pass, fail or unknown for {", ".join(GATES)}'
        if problem is None and outcome["certified"] is not (_failed(outcome) is None):
            problem = f'"{view}.certified" contradicts the gates'
        if problem is not None:
            return problem
    for number, call in enumerate(row["calls"]):
        problem = _lacks(call, _CALL, f"calls[{number}].") if isinstance(call, dict) else f'"calls[{number}]" must be an object'
        if problem is not None:
            return problem
    return None


def _lacks(data: dict[str, Any], wanted: dict[str, type | tuple[type, ...]], at: str) -> str | None:
    for key, kind in wanted.items():
        if key not in data or not isinstance(data[key], kind):
            return f'"{at}{key}" is missing, or not of its type'
    return None
