"""A store of answers that outlives the process: asked twice, decided once.

In: keys that hash everything an answer depends on (`samespec.batch.judge.Job.key`), and answers. Out: the answers again. It
lives in one SQLite file in a directory of the user's own; any number of processes share it; when it grows beyond its bound,
what was used least recently goes.

It never makes an answer wrong. What does not match its checksum is dropped and decided again, a file that is no store is
replaced, and any trouble with the store means that it does not know. A directory in which somebody else could write is
refused: an entry there would be somebody else's verdict.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import sqlite3
import stat
import threading
import zlib
from pathlib import Path
from typing import Any

Json = dict[str, Any]

VARIABLE = "SAMESPEC_CACHE"
FILE = "answers.sqlite3"
#: Bytes of answers that are kept by default: some hundred thousand of them.
BOUND = 256 * 1024 * 1024
#: After that many new answers it is looked whether the store is too large; then as many go as bring it to this share.
_EVERY = 256
_SHARE = 0.8
#: Of one answer: far above any; what claims to be larger is no answer.
_LARGEST = 16 * 1024 * 1024
_BUSY_SECONDS = 10.0
_LAYOUT = """
PRAGMA auto_vacuum = INCREMENTAL;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, value BLOB NOT NULL, checksum BLOB NOT NULL, used INTEGER NOT NULL)
    WITHOUT ROWID;
"""


class CacheError(Exception):
    """A directory that cannot be used for a store; the message says why, and what to do."""


def directory_from(option: str | Path | None) -> Path | None:
    """The store's directory: the one given, else the one that the environment names; None: no store."""
    named = option or os.environ.get(VARIABLE)
    return Path(named).expanduser() if named else None


class Cache:
    """A store in a directory, or in memory (None). Used from any thread; every process opens its own."""

    def __init__(self, directory: Path | None, bound: int = BOUND) -> None:
        """Raises `CacheError` for a directory that is not the user's alone, or cannot be written."""
        self.bound = bound
        self._lock = threading.Lock()
        self._fresh = 0
        self._used: set[str] = set()
        self._file: Path | None = None if directory is None else _prepared(directory) / FILE
        self._connection = self._open()
        self._now = self._generation()

    def get(self, key: str) -> Json | None:
        """The answer under a key; None where there is none that can be trusted."""
        with self._lock:
            try:
                row = self._connection.execute("SELECT value, checksum FROM answers WHERE key = ?", (key,)).fetchone()
                if row is None:
                    return None
                found = _unpacked(key, *row)
                if found is None:
                    self._connection.execute("DELETE FROM answers WHERE key = ?", (key,))
                else:
                    self._used.add(key)
                return found
            except sqlite3.Error as error:
                self._trouble(error)
                return None

    def put(self, key: str, value: Json) -> None:
        """Keeps an answer."""
        packed = zlib.compress(json.dumps(value).encode(), 6)
        row = (key, packed, _checksum(key, packed), self._now)
        with self._lock:
            try:
                self._connection.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", row)
                self._fresh += 1
                if self._fresh % _EVERY == 0:
                    self._shrink()
            except sqlite3.Error as error:
                self._trouble(error)

    def close(self) -> None:
        """Notes what was used, brings the store within its bound, and lets go of it."""
        with self._lock:
            with contextlib.suppress(sqlite3.Error):
                self._shrink()
            self._connection.close()

    def __len__(self) -> int:
        with self._lock:
            return int(self._connection.execute("SELECT count(*) FROM answers").fetchone()[0])

    def _open(self) -> sqlite3.Connection:
        try:
            try:
                return self._connected()
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError):
                    raise
                self._remove()  # no store, or one that is broken: a new one takes its place
                return self._connected()
        except sqlite3.Error as error:
            raise CacheError(f"{self._file}: cannot be used as a cache: {error}; name another directory") from None

    def _connected(self) -> sqlite3.Connection:
        name = ":memory:" if self._file is None else str(self._file)
        if self._file is not None:
            _refuse_foreign(self._file)
        connection = sqlite3.connect(name, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            connection.executescript(_LAYOUT)
            connection.execute("SELECT key, value, checksum, used FROM answers LIMIT 1").fetchone()
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _remove(self) -> None:
        if self._file is not None:
            for suffix in ("", "-wal", "-shm"):
                with contextlib.suppress(OSError):
                    Path(f"{self._file}{suffix}").unlink()

    def _generation(self) -> int:
        """The time of use: it counts the processes that opened the store, no clock."""
        try:
            return int(self._connection.execute("SELECT coalesce(max(used), 0) + 1 FROM answers").fetchone()[0])
        except sqlite3.Error as error:
            self._trouble(error)
            return 1

    def _shrink(self) -> None:
        """Notes what was used, and deletes what was used least recently where the store is too large."""
        self._connection.executemany("UPDATE answers SET used = ? WHERE key = ?", [(self._now, k) for k in sorted(self._used)])
        self._used.clear()
        size = self._size()
        if size <= self.bound:
            return
        count = self._connection.execute("SELECT count(*) FROM answers").fetchone()[0]
        surplus = math.ceil(count * (1 - _SHARE * self.bound / size))
        oldest = "SELECT key FROM answers ORDER BY used, key LIMIT ?"
        self._connection.execute(f"DELETE FROM answers WHERE key IN ({oldest})", (surplus,))
        self._connection.execute("PRAGMA incremental_vacuum").fetchall()

    def _size(self) -> int:
        """Bytes of the store that are in use."""
        ask = self._connection.execute
        pages = int(ask("PRAGMA page_count").fetchone()[0]) - int(ask("PRAGMA freelist_count").fetchone()[0])
        return pages * int(ask("PRAGMA page_size").fetchone()[0])

    def _trouble(self, error: sqlite3.Error) -> None:
        """A store that is broken is replaced; one that is busy, or on a full disk, is left alone."""
        if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
            self._connection.close()
            self._remove()
            try:
                self._connection = self._connected()
            except (sqlite3.Error, CacheError):
                self._file = None
                self._connection = self._connected()


def _prepared(directory: Path) -> Path:
    """The directory, made where it is missing. Raises `CacheError` unless it is the user's alone."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = directory.stat()
    except OSError as error:
        raise CacheError(f"{directory}: cannot be made or read ({error.strerror}); name another directory") from None
    if not stat.S_ISDIR(found.st_mode):
        raise CacheError(f"{directory}: is not a directory; name one")
    if found.st_uid != os.geteuid():
        raise CacheError(f"{directory}: belongs to another user, who could write verdicts there; name a directory of your own")
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise CacheError(f"{directory}: others can write there, verdicts too; `chmod go-w` it, or name another directory")
    return directory


def _refuse_foreign(file: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path = Path(f"{file}{suffix}")
        try:
            found = path.lstat()
        except FileNotFoundError:
            continue
        except OSError as error:
            raise CacheError(f"{path}: cannot be read ({error.strerror}); name another directory") from None
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise CacheError(f"{path}: is not a file of yours alone; remove it, or name another directory")


def _checksum(key: str, packed: bytes) -> bytes:
    return hashlib.sha256(b"samespec answer\n" + key.encode() + b"\n" + packed).digest()


def _unpacked(key: str, packed: Any, checksum: Any) -> Json | None:
    if not isinstance(packed, bytes) or checksum != _checksum(key, packed):
        return None
    try:
        text = zlib.decompressobj().decompress(packed, _LARGEST)
        value = json.loads(text)
    except (zlib.error, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
