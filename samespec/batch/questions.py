"""Z3's answers in the cache of a batch: a question that came up in another pair is not asked again.

In: keys that `equiv.remembered` made, and answers. Out: the answers again, if the same code and libraries put them there. What
the pairs themselves were found to be stands in the same store under other keys.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from samespec.cache import Cache, CacheError
from samespec.fingerprint import fingerprint

Json = dict[str, object]
#: Answers that took less work than this, in Z3's resource units, are as quickly found anew.
WORTH_KEEPING = 2_000


class Questions:
    """A cache as `equiv.remembered.Store`."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache

    def get(self, key: str) -> Json | None:
        return self._cache.get(_key(key))

    def put(self, key: str, value: Json) -> None:
        work = value["rlimit"]
        if isinstance(work, int) and work >= WORTH_KEEPING:
            self._cache.put(_key(key), value)


def questions_in(directory: str | Path) -> Questions | None:
    """The answers in a cache's directory; None where it cannot be used: whoever asked for the cache is told of that."""
    try:
        return Questions(Cache(Path(directory)))
    except CacheError:
        return None


def _key(question: str) -> str:
    return hashlib.sha256(f"question {question} {fingerprint()}".encode()).hexdigest()
