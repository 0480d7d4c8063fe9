"""Recorded answers: a transcript is replayed as a provider, and every run of another provider writes one.

In: JSON lines, or a provider to record. Out: answers. A line has

    schema   "samespec/witness-transcript/1"
    provider, task, purpose, label, call     the key of the call (`witness.policies.providers.base.Key`)
    answer   the text, byte for byte
    prompt_sha256, usage {"prompt", "answer"}, ended     optional; the recorder writes them

A recorded answer is given whatever the prompt is: a compiler's words in the feedback change with its version. Where the record
has the hash of its prompt, the reply says whether it was this one.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from witness.policies.providers.base import Key, Provider, ProviderError, Reply, Request, Source, Usage, clean

SCHEMA: Final = "samespec/witness-transcript/1"


def prompt_sha256(prompt: str) -> str:
    return hashlib.sha256(prompt.encode()).hexdigest()


class Entry:
    """One line: the reply, and the hash of the prompt that it answered (None where the record does not have it)."""

    __slots__ = ("reply", "sha256")

    def __init__(self, reply: Reply, sha256: str | None) -> None:
        self.reply, self.sha256 = reply, sha256


class TranscriptProvider:
    """The answers that one provider gave in a recorded run; `source.what` is the file, `source.name` the provider."""

    def __init__(self, source: Source) -> None:
        self._source = source
        found = read_transcript(Path(source.what))
        self._entries = {k: e for k, e in found.items() if k.provider == source.name}

    @property
    def name(self) -> str:
        return self._source.name

    def ask(self, request: Request) -> Reply:
        entry = self._entries.get(request.key)
        if entry is None:
            raise ProviderError(f"{self._source.what}: no answer is recorded for {request.key}", lasting=True)
        return _given(entry, request)


class Recorder:
    """A provider whose answers are kept in a file, at once. What the file has already for the same key and the same prompt is not
    asked again: a run that was stopped goes on there. Several processes may write to one file."""

    def __init__(self, provider: Provider, path: Path) -> None:
        self._provider, self._path = provider, path
        found = read_transcript(path) if path.exists() else {}
        self._known = {k: e for k, e in found.items() if k.provider == provider.name}

    @property
    def name(self) -> str:
        return self._provider.name

    def ask(self, request: Request) -> Reply:
        known = self._known.get(request.key)
        if known is not None and known.sha256 == prompt_sha256(request.prompt):
            return known.reply
        reply = self._provider.ask(request)
        self._append(line_of(request, reply))
        self._known[request.key] = Entry(reply, prompt_sha256(request.prompt))
        return reply

    def _append(self, line: str) -> None:
        try:
            with self._path.open("ab") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                file.write(line.encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise ProviderError(f"{self._path}: cannot be written ({error.strerror})", lasting=True) from error


def line_of(request: Request, reply: Reply) -> str:
    """The line of one call, with its line end."""
    return _line(request.key, reply, prompt_sha256(request.prompt))


def _line(key: Key, reply: Reply, sha256: str | None) -> str:
    record: dict[str, Any] = {"schema": SCHEMA, **key._asdict(), "answer": reply.text}
    if sha256 is not None:
        record["prompt_sha256"] = sha256
    if reply.usage is not None:
        record["usage"] = reply.usage._asdict()
    if reply.ended:
        record["ended"] = reply.ended
    return json.dumps(record, ensure_ascii=False) + "\n"


def mend(path: Path) -> None:
    """Takes off a last line without an end, which a stopped run left: the next one would be written into it."""
    if path.exists():
        data = path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if whole != data:
            path.write_bytes(whole)


def write_transcript(entries: Mapping[Key, Entry]) -> str:
    """The lines of a transcript, in the order of their keys."""
    return "".join(_line(key, entries[key].reply, entries[key].sha256) for key in sorted(entries))


def _given(entry: Entry, request: Request) -> Reply:
    same = None if entry.sha256 is None else entry.sha256 == prompt_sha256(request.prompt)
    return Reply(entry.reply.text, entry.reply.usage, entry.reply.ended, same)


def providers_in(path: Path) -> list[str]:
    """The providers whose answers a transcript holds, in the order in which they appear. Raises `ProviderError`."""
    return list(dict.fromkeys(k.provider for k in read_transcript(path)))


def read_transcript(path: Path) -> dict[Key, Entry]:
    """The calls of a transcript; of one that was asked twice, the later answer. Raises `ProviderError`, which names the line."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ProviderError(f"{path}: cannot be read ({error.strerror})", lasting=True) from error
    found: dict[Key, Entry] = {}
    for number, record in _records(path, data):
        key, entry = _entry(record, f"{path}:{number}")
        found[key] = entry
    return found


def _records(path: Path, data: bytes) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            raise ProviderError(f"{path}:{number}: not JSON: {error}", lasting=True) from error
        if not isinstance(record, dict) or record.get("schema") != SCHEMA:
            raise ProviderError(f'{path}:{number}: not a line of a transcript: "schema" must be "{SCHEMA}"', lasting=True)
        yield number, record


def _entry(record: Mapping[str, Any], at: str) -> tuple[Key, Entry]:
    wanted: dict[str, type] = {"provider": str, "task": str, "purpose": str, "label": int, "call": int, "answer": str}
    for name, kind in wanted.items():
        value = record.get(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            what = "a text" if kind is str else "a whole number"
            raise ProviderError(f'{at}: "{name}" must be {what}', lasting=True)
    key = Key(*(record[n] for n in Key._fields))
    used = record.get("usage")
    usage = None
    if used is not None:
        try:
            usage = Usage(int(used["prompt"]), int(used["answer"]))
        except (KeyError, TypeError, ValueError):
            raise ProviderError(f'{at}: "usage" must have whole numbers "prompt" and "answer"', lasting=True) from None
    sha = record.get("prompt_sha256")
    return key, Entry(Reply(clean(record["answer"]), usage, str(record.get("ended", ""))), sha if isinstance(sha, str) else None)
