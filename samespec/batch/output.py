"""The result file of a batch: the only thing that a batch that was killed leaves behind, and all that it needs to go on.

In: result lines. Out: a file of lines, each written whole or (where the process was killed in the midst of one) cut off when
the batch is resumed. A line is known by its item's id and by `input`, the hash of everything that it depends on: a result of
other input, other options or another samespec is not taken over.

Killed at any moment, also while it is put in order, the file is one from which the batch can go on.
"""

from __future__ import annotations

import fcntl
import json
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Protocol

from samespec.batch.items import Id

SCHEMA = "samespec/batch/1"
#: How every result line starts.
_START = json.dumps({"schema": SCHEMA})[:-1].encode()
_CHUNK = 1 << 20


class OutputError(Exception):
    """A file that cannot take the results; the message says why, and what to do."""


class Output(Protocol):
    def done(self, mark: bytes) -> Outcome | None:
        """How an item ended of which there is a line already; None where there is none."""

    def write(self, mark: bytes, line: bytes) -> None:
        """Takes a line, which ends with a line break."""

    def finish(self, order: Sequence[bytes] | None) -> None:
        """The end: with `order`, the lines stand in that order of marks from now on."""

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a summary counts: `kept`, or `failed` where there is no verdict."""

    kept: bool | None
    failed: bool


def mark_of(id_: Id | None, key: str) -> bytes:
    """What a line is known by, in sixteen bytes."""
    return blake2b(json.dumps([id_, key]).encode(), digest_size=16).digest()


class Stream:
    """Results that go to a stream, such as standard output: nothing can be taken up again."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def done(self, mark: bytes) -> Outcome | None:
        return None

    def write(self, mark: bytes, line: bytes) -> None:
        self._stream.write(line)
        self._stream.flush()

    def finish(self, order: Sequence[bytes] | None) -> None:
        self._stream.flush()

    def close(self) -> None:
        pass


@dataclass(frozen=True, slots=True)
class _Line:
    offset: int
    length: int
    outcome: Outcome


class ResultFile:
    """A file of results, held against other processes as long as it is open."""

    def __init__(self, path: Path, *, resume: bool) -> None:
        """Raises `OutputError` for a file that cannot be written, is in use, has other contents, or exists without
        `resume`."""
        self.path = path
        self._lines: dict[bytes, _Line] = {}
        #: lines of this batch in the order in which they stand in the file; whether others stand between them
        self._standing: list[bytes] = []
        self._claimed: set[bytes] = set()
        self._stale = False
        try:
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise OutputError(f"{path}: cannot be written ({error.strerror}); name another file") from None
        try:
            self._take(resume)
        except BaseException:
            os.close(self._fd)
            raise

    @property
    def resumed(self) -> int:
        """How many lines there were."""
        return len(self._lines)

    def done(self, mark: bytes) -> Outcome | None:
        found = self._lines.get(mark)
        if found is None:
            return None
        self._claimed.add(mark)
        return found.outcome

    def write(self, mark: bytes, line: bytes) -> None:
        while line:
            line = line[os.write(self._fd, line) :]
        self._standing.append(mark)
        self._claimed.add(mark)

    def finish(self, order: Sequence[bytes] | None) -> None:
        """With `order`, brings the lines into it where they are not; lines of no item of this batch go."""
        wanted = [m for m in self._standing if m in self._claimed] if order is None else list(order)
        if self._stale or wanted != self._standing:
            self._rewrite(wanted)
        os.fsync(self._fd)

    def close(self) -> None:
        os.close(self._fd)

    def _take(self, resume: bool) -> None:
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise OutputError(f"{self.path}: another samespec batch is writing it; wait for that, or name another file") from None
        found = os.fstat(self._fd)
        if not stat.S_ISREG(found.st_mode):
            raise OutputError(f"{self.path}: is not a regular file; without --output the results go to standard output")
        size = found.st_size
        if size and not resume:
            raise OutputError(f"{self.path}: exists; --resume goes on with it, or name another file")
        self._work().unlink(missing_ok=True)
        end = self._index() if size else 0
        os.ftruncate(self._fd, end)
        os.lseek(self._fd, end, os.SEEK_SET)

    def _work(self) -> Path:
        """Where the file is put in order. Whoever holds the file may remove what an earlier process left there."""
        return self.path.with_name(f".{self.path.name}.part")

    def _index(self) -> int:
        """Reads which results there are; gives the end of the last whole line."""
        end = 0
        for offset, line in self._whole_lines():
            end = offset + len(line)
            found = _read(line)
            if found is None:
                self._stale = True
                continue
            mark, outcome = found
            if mark in self._lines:
                self._stale = True
                continue
            self._lines[mark] = _Line(offset, len(line), outcome)
            self._standing.append(mark)
        torn = os.pread(self._fd, len(_START), end)
        if not self._standing and not (torn == _START or (torn and _START.startswith(torn))):
            raise OutputError(f"{self.path}: is no file of batch results; name another file")
        return end

    def _whole_lines(self) -> Iterator[tuple[int, bytes]]:
        offset, rest = 0, b""
        position = 0
        while chunk := os.pread(self._fd, _CHUNK, position):
            position += len(chunk)
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                yield offset, line + b"\n"
                offset += len(line) + 1

    def _rewrite(self, wanted: Sequence[bytes]) -> None:
        """The file anew, with these lines; it takes the place of the old one when it is whole."""
        places: dict[bytes, tuple[int, int]] = {}
        for offset, line in self._whole_lines():
            found = _read(line)
            if found is not None:
                places.setdefault(found[0], (offset, len(line)))
        work = self._work()
        new = os.open(work, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, os.fstat(self._fd).st_mode & 0o777)
        try:
            fcntl.flock(new, fcntl.LOCK_EX)
            with os.fdopen(os.dup(new), "wb") as file:
                for mark in wanted:
                    offset, length = places[mark]
                    file.write(os.pread(self._fd, length, offset))
            os.fsync(new)
            os.replace(work, self.path)  # noqa: PTH105  (the same as Path.replace, beside os.open)
        except BaseException:
            os.close(new)
            work.unlink(missing_ok=True)
            raise
        os.close(self._fd)
        self._fd = new


def _read(line: bytes) -> tuple[bytes, Outcome] | None:
    """The mark and outcome of a result line; None for anything else."""
    try:
        value = json.loads(line)
    except ValueError:
        return None
    if not isinstance(value, dict) or value.get("schema") != SCHEMA or not isinstance(value.get("input"), str):
        return None
    return mark_of(value.get("id"), value["input"]), Outcome(value.get("kept"), value.get("error") is not None)
