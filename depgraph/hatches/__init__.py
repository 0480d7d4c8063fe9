"""The catalogue of escape hatches: one record a hatch, one file a record.

In: the `.toml` files of this package. Out: `Hatch` records. A record says what a hatch lets through, what Verus and its
`--no-cheating` say about it, gives an example, and says how it is found:

- `[detect] call`: library functions, by the end of their path;
- `[detect] attribute`: verifier attributes, on the items in `on`;
- `[detect] code`: the name of what the graph notices itself (see `depgraph.graph` and `depgraph.closure`).

Adding a hatch of the first two kinds is adding a record and its test pair (tests/depgraph/hatches/<id>/).
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from depgraph.model import Trust

_CLASSES = {"escaped", "diverges", "unverified", "unresolved", "note"}


@dataclass(frozen=True, slots=True)
class Hatch:
    """One escape hatch.

    `trust` is the class of a node that has it; None for a note, which is shown and decides nothing. `verus` and `no_cheating`
    are "accepts", "rejects", "not asked" or "n/a", as seen with the release in docs/verus-facts.md. `item` and `use` are the
    example: an item of the file (may be empty), and a statement of the target's body that leans on it (may be empty).
    """

    id: str
    name: str
    lets_through: str
    verus: str
    no_cheating: str
    trust: Trust | None
    reference: str
    item: str
    use: str
    call: tuple[str, ...] = ()
    attribute: tuple[str, ...] = ()
    on: tuple[str, ...] = ()
    code: str = ""
    positions: bool = False


@cache
def catalogue() -> dict[str, Hatch]:
    """All records, by id, in alphabetical order."""
    found: dict[str, Hatch] = {}
    for path in sorted((p for p in files(__package__).iterdir() if p.name.endswith(".toml")), key=lambda p: p.name):
        record = tomllib.loads(path.read_text(encoding="utf-8"))
        hatch = _hatch(record, path.name)
        found[hatch.id] = hatch
    return found


def _hatch(record: dict[str, Any], file: str) -> Hatch:
    if record["class"] not in _CLASSES or record["id"] + ".toml" != file:
        raise ValueError(f"{file}: its class is unknown, or its name is not its id")
    detect = record["detect"]
    example = record.get("example", {})
    return Hatch(
        record["id"],
        record["name"],
        record["lets_through"],
        record["verus"],
        record["no_cheating"],
        None if record["class"] == "note" else Trust(record["class"]),
        record["reference"],
        example.get("item", ""),
        example.get("use", ""),
        tuple(detect.get("call", ())),
        tuple(detect.get("attribute", ())),
        tuple(detect.get("on", ())),
        detect.get("code", ""),
        bool(example.get("positions", False)),
    )


@cache
def by_call() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """Hatches that are library functions: last name to the segments that the path must end with, and the id."""
    table: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for h in catalogue().values():
        for path in h.call:
            segments = tuple(path.split("::"))
            table.setdefault(segments[-1], []).append((segments, h.id))
    for entries in table.values():
        entries.sort(key=lambda e: -len(e[0]))
    return table


@cache
def by_attribute() -> dict[str, list[Hatch]]:
    """Hatches that are attributes, by the attribute's name (with its argument, where the record gives one)."""
    table: dict[str, list[Hatch]] = {}
    for h in catalogue().values():
        for name in h.attribute:
            table.setdefault(name, []).append(h)
    return table


def library_hatch(path: str) -> str | None:
    """The hatch that a library function is, by its full path."""
    segments = tuple(path.split("::"))
    for wanted, hatch in by_call().get(segments[-1], ()):
        if segments[-len(wanted) :] == wanted:
            return hatch
    return None
