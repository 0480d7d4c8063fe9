"""What a campaign is asked for, and what its results depend on.

In: options. Out: `Options`; the settings that `run.json` holds, in which no key and no folder's name has a place.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from experiments.report.provenance import ROOMS, code_sha256, digest_of, text_sha256, versions
from referee.verus import find_verus
from witness.embedded import BUDGET
from witness.policies.calls import CALLS, Policy
from witness.policies.providers import Source
from witness.policies.providers.base import Kind
from witness.program import find_machine

SCHEMA: Final = "samespec/witness-campaign/1"
#: The tracking labels of the study.
LABELS: Final = (17, 43, 101)
#: Implementations for each task and condition of the downstream comparison.
ATTEMPTS: Final = 3
#: The provider that needs no model: `witness.discover`, in one episode a task, under the policy of the same name.
SOLVER: Final = "solver"


class CampaignError(Exception):
    """A campaign that cannot be run, or not ended; the message says what to do."""


@dataclass(frozen=True, slots=True)
class TaskFolder:
    """A task on disk: the worker reads it again and compares the hash."""

    name: str
    path: Path
    sha256: str


@dataclass(frozen=True, slots=True)
class Options:
    """`sources` are asked under every policy; `solver` adds solver-backed discovery. `attempts` is 0 where there is no downstream
    comparison; `synthesizer` and `repairer` name a source, or the solver. `budget` is in Z3's resource units for one obligation
    at a gate; `verus` is a path, None for what is installed."""

    output: Path
    tasks: tuple[TaskFolder, ...]
    sources: tuple[Source, ...]
    solver: bool = False
    policies: tuple[Policy, ...] = tuple(Policy)
    labels: tuple[int, ...] = LABELS
    calls: int = CALLS
    parser_repair: bool = False
    attempts: int = 0
    synthesizer: str | None = None
    repairer: str | None = None
    budget: int = BUDGET
    verus: str | None = None
    seed: int = 0
    jobs: int = 1


def settings_of(options: Options) -> dict[str, Any]:
    """What the results depend on, and nothing else."""
    verus = find_verus(options.verus)
    machine = find_machine()
    programs = {} if machine is None else machine.versions
    return {
        "schema": SCHEMA,
        "experiment": "witness-campaign",
        "tasks": {t.name: t.sha256 for t in options.tasks},
        "providers": [_described(s) for s in options.sources],
        "solver": options.solver,
        "policies": [p.value for p in options.policies],
        "labels": list(options.labels),
        "calls": options.calls,
        "parser_repair": options.parser_repair,
        "downstream": _downstream(options),
        "budget": options.budget,
        "seed": options.seed,
        "versions": {**versions(), **_client(options.sources), **programs, "verus": None if verus is None else verus.version},
        "code_sha256": code_sha256((*ROOMS, "witness")),
        "tasks_sha256": digest_of(f"{t.name} {t.sha256}" for t in options.tasks),
    }


def _downstream(options: Options) -> dict[str, Any] | None:
    if not options.attempts:
        return None
    return {"attempts": options.attempts, "synthesizer": options.synthesizer, "repairer": options.repairer}


def _described(source: Source) -> dict[str, Any]:
    found: dict[str, Any] = {"name": source.name, "kind": source.kind.value}
    match source.kind:
        case Kind.OPENAI:
            return found | {"model": source.what, "address": _address(), "parameters": dict(source.parameters)}
        case Kind.COMMAND:
            limits = {"seconds": source.seconds, "output_bytes": source.output_bytes}
            return found | {"command": source.what, **limits, "fenced": source.fenced, "as_json": source.as_json}
        case Kind.TRANSCRIPT:
            return found | {"sha256": text_sha256(Path(source.what).read_bytes())}


def _address() -> str:
    """The endpoint, without what may be secret in its address."""
    return re.sub(r"^(\w+://)(?:[^/@]*@)?([^?#]*).*$", r"\1\2", os.environ.get("OPENAI_BASE_URL") or "https://api.openai.com/v1")


def _client(sources: Sequence[Source]) -> dict[str, str]:
    if not any(s.kind is Kind.OPENAI for s in sources):
        return {}
    try:
        return {"openai": importlib.metadata.version("openai")}
    except importlib.metadata.PackageNotFoundError:
        return {"openai": "not installed"}


def slug(text: str) -> str:
    """A name as a part of a path."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip(".-") or "-"
