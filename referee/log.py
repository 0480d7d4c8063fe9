"""The record of a campaign: one append-only JSONL file, each record with the hash of the one before.

In: records. Out: the file, and what `verify` finds in one. A record is {"n", "previous", "kind", "time", "body", "hash"};
`hash` is the SHA-256 of the record without it, as JSON with sorted keys and without white space. Whoever changes, removes, adds
or reorders a record breaks the chain from there on. The one thing a chain cannot show is a missing end: keep the last hash
somewhere else (`referee verify LOG --head HASH`). A torn last line (the machine stopped while it was written) is cut off when
the campaign goes on, and the next record says so.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

GENESIS = "0" * 64
_FIELDS = {"n", "previous", "kind", "time", "body", "hash"}


class LogError(Exception):
    """A log that cannot be continued; the message says where it breaks."""


@dataclass(frozen=True, slots=True)
class Record:
    n: int
    kind: str
    time: float
    body: dict[str, Any]
    hash: str


@dataclass(frozen=True, slots=True)
class Verified:
    """What a log holds: its good records, and the first problem (None: all of it is good). `torn` is the length of an
    unfinished last line, which is no problem of the records before it."""

    records: tuple[Record, ...]
    problem: str | None
    torn: int = 0

    @property
    def head(self) -> str:
        return self.records[-1].hash if self.records else GENESIS

    def of(self, kind: str) -> list[Record]:
        return [r for r in self.records if r.kind == kind]


def canonical(data: object) -> str:
    """JSON in the one form that is hashed."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def digest(data: object) -> str:
    return hashlib.sha256(canonical(data).encode()).hexdigest()


def verify(path: Path) -> Verified:
    """Reads a log up to its first problem."""
    records: list[Record] = []
    previous = GENESIS
    try:
        data = path.read_bytes()
    except OSError as error:
        return Verified((), f"{path}: {error.strerror}")
    lines = data.split(b"\n")
    torn = len(lines.pop())
    for number, line in enumerate(lines, 1):
        problem, record = _checked(line, len(records), previous)
        if record is None:
            return Verified(tuple(records), f"line {number}: {problem}", torn)
        records.append(record)
        previous = record.hash
    return Verified(tuple(records), None, torn)


def _checked(line: bytes, n: int, previous: str) -> tuple[str, Record | None]:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return "not JSON", None
    if not isinstance(entry, dict) or set(entry) != _FIELDS:
        return "not a record", None
    said = entry.pop("hash")
    if canonical({**entry, "hash": said}).encode() != line:
        return "not in the form it was written in", None
    if digest(entry) != said:
        return "the record was changed: its hash does not fit", None
    if entry["previous"] != previous:
        return "the chain is broken: a record before this one was changed, removed or added", None
    if entry["n"] != n:
        return f"record {entry['n']} where {n} was expected", None
    return "", Record(n, entry["kind"], entry["time"], entry["body"], said)


class Log:
    """A log that is being written; only one process at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self.fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self.fd)
            raise LogError(f"{path}: another run is writing it") from error
        found = verify(path)
        if found.problem is not None:
            os.close(self.fd)
            raise LogError(f"{path}: {found.problem}; a log that was changed is not continued")
        self.records = list(found.records)
        self.head = found.head
        if found.torn:
            whole = path.read_bytes()
            tail = whole[len(whole) - found.torn :]
            os.ftruncate(self.fd, len(whole) - found.torn)
            self.append("torn", {"bytes": found.torn, "sha256": hashlib.sha256(tail).hexdigest()})

    def append(self, kind: str, body: dict[str, Any]) -> Record:
        """Writes one record, and returns when it is on the disk."""
        entry: dict[str, Any] = {"n": len(self.records), "previous": self.head, "kind": kind, "body": body}
        entry["time"] = round(time.time(), 3)
        entry = json.loads(canonical(entry))  # what is hashed is what will be read
        said = digest(entry)
        line = canonical({**entry, "hash": said}).encode() + b"\n"
        at = 0
        while at < len(line):
            at += os.write(self.fd, line[at:])
        os.fsync(self.fd)
        record = Record(entry["n"], kind, entry["time"], entry["body"], said)
        self.records.append(record)
        self.head = said
        return record

    def of(self, kind: str) -> list[Record]:
        return [r for r in self.records if r.kind == kind]

    def close(self) -> None:
        os.close(self.fd)
