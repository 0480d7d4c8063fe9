"""The freeze: what stands between discovery and everything that judges it.

In: a view and the draws of an episode. Out: a file that holds them byte for byte, and its SHA-256. Certification reads the draws
from that file, after it has compared the hash: what is judged is what was frozen. The file is written once; it is never replaced.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from witness.contract import WitnessError
from witness.policies.calls import Draw
from witness.policies.providers.base import Reply, Usage
from witness.policies.view import View

SCHEMA: Final = "samespec/witness-frozen/1"


@dataclass(frozen=True, slots=True)
class Frozen:
    """A freeze: where it lies, and its hash."""

    path: Path
    sha256: str


def freeze(path: Path, view: View, label: int, provider: str, draws: Sequence[Draw]) -> Frozen:
    """Writes the draws of an episode. A file that is there already must hold the same: an episode that was stopped behind its
    freeze goes on with it. Raises `WitnessError`."""
    data = frozen_bytes(view, label, provider, draws)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with path.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except FileExistsError:
            if path.read_bytes() != data:
                raise WitnessError(f"{path}: holds another freeze; a freeze is never replaced: name a new folder") from None
    except OSError as error:
        raise WitnessError(f"{path}: cannot be written ({error.strerror})") from error
    return Frozen(path, hashlib.sha256(data).hexdigest())


def frozen_bytes(view: View, label: int, provider: str, draws: Sequence[Draw]) -> bytes:
    """The bytes of a freeze: canonical JSON (sorted keys, no white space but a line end)."""
    record = {
        "schema": SCHEMA,
        "task": view.task,
        "task_sha256": view.sha256,
        "provider": provider,
        "label": label,
        "draws": [
            {
                "call": d.call,
                "prompt": d.prompt,
                "answer": d.reply.text,
                "candidate": d.candidate,
                "ended": d.reply.ended,
                "usage": None if d.reply.usage is None else list(d.reply.usage),
                "same_prompt": d.reply.same_prompt,
            }
            for d in draws
        ],
    }
    return (json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=True) + "\n").encode()


def thaw(frozen: Frozen) -> tuple[Draw, ...]:
    """The draws of a freeze. Raises `WitnessError` where the file is not what was frozen."""
    try:
        data = frozen.path.read_bytes()
    except OSError as error:
        raise WitnessError(f"{frozen.path}: cannot be read ({error.strerror})") from error
    if hashlib.sha256(data).hexdigest() != frozen.sha256:
        raise WitnessError(f"{frozen.path}: was changed after it was frozen: nothing in it is judged")
    return tuple(map(_draw, json.loads(data)["draws"]))


def _draw(record: dict[str, Any]) -> Draw:
    usage = None if record["usage"] is None else Usage(*record["usage"])
    reply = Reply(record["answer"], usage, record["ended"], record["same_prompt"])
    return Draw(record["call"], record["prompt"], reply, record["candidate"])
