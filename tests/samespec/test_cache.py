"""The store of answers: never a wrong one, never more than its bound, never somebody else's."""

from __future__ import annotations

import multiprocessing
import os
import random
import sqlite3
import threading
from pathlib import Path

import pytest

from samespec.cache import FILE, Cache, CacheError, directory_from


@pytest.fixture
def opened(tmp_path):
    made = []

    def open_(directory=tmp_path / "c", **more):
        made.append(Cache(directory, **more))
        return made[-1]

    yield open_
    for cache in made:
        cache.close()


def entry(tmp_path, statement, *values):
    with sqlite3.connect(tmp_path / "c" / FILE) as connection:
        connection.execute(statement, values)
    connection.close()


@pytest.mark.parametrize("where", ["disk", "memory"])
def test_what_was_put_comes_back(opened, where):
    cache = opened() if where == "disk" else opened(None)
    assert cache.get("k") is None
    value = {"verdict": "kept", "text": "ü\ud800", "list": [1, None, True]}
    cache.put("k", value)
    cache.put("other", {})
    assert cache.get("k") == value
    assert cache.get("other") == {}
    assert len(cache) == 2


def test_it_outlives_the_process_and_is_shared(opened):
    one, other = opened(), opened()
    one.put("k", {"a": 1})
    assert other.get("k") == {"a": 1}
    one.close()
    assert opened().get("k") == {"a": 1}


def test_an_entry_that_was_changed_is_dropped(opened, tmp_path):
    cache = opened()
    for key in "abcd":
        cache.put(key, {"kept": False, "key": key})
    entry(tmp_path, "UPDATE answers SET value = (SELECT value FROM answers WHERE key = 'b') WHERE key = 'a'")
    entry(tmp_path, "INSERT OR REPLACE INTO answers SELECT 'b', value, checksum, used FROM answers WHERE key = 'c'")
    entry(tmp_path, "UPDATE answers SET value = substr(value, 1, 5) WHERE key = 'c'")
    entry(tmp_path, "UPDATE answers SET value = 'text', checksum = 7 WHERE key = 'd'")
    assert [cache.get(key) for key in "abcd"] == [None] * 4
    assert len(cache) == 0


def test_what_is_no_answer_is_dropped_also_with_a_right_checksum(opened, tmp_path):
    import zlib

    from samespec.cache import _checksum

    cache = opened()
    bomb = zlib.compress(b"[" * (64 << 20))
    for key, packed in (("a", b"not packed"), ("b", zlib.compress(b"{")), ("c", zlib.compress(b"[1]")), ("d", bomb)):
        entry(tmp_path, "INSERT INTO answers VALUES (?, ?, ?, 1)", key, packed, _checksum(key, packed))
        assert cache.get(key) is None, key


@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_file_gives_no_wrong_answer(opened, tmp_path, seed):
    rng = random.Random(seed)
    cache = opened()
    values = {f"{i:064x}": {"number": i, "pad": "x" * rng.randrange(300)} for i in range(200)}
    for key, value in values.items():
        cache.put(key, value)
    cache.close()
    file = tmp_path / "c" / FILE
    data = bytearray(file.read_bytes())
    for _ in range(40):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    file.write_bytes(data[: rng.randrange(len(data) // 2, len(data))])
    again = opened()
    for key, value in values.items():
        assert again.get(key) in (None, value)
        again.put(key, value)
    assert all(again.get(key) in (None, value) for key, value in values.items())


def test_a_file_of_something_else_is_replaced(opened, tmp_path):
    (tmp_path / "c").mkdir(mode=0o700)
    (tmp_path / "c" / FILE).write_bytes(b"my notes" * 1000)
    cache = opened()
    cache.put("k", {"a": 1})
    assert cache.get("k") == {"a": 1}


def test_it_stays_within_its_bound_and_keeps_what_is_used(tmp_path):
    rng = random.Random(0)
    bound = 400_000
    for _ in range(3):
        cache = Cache(tmp_path / "c", bound=bound)
        cache.put("dear", {"a": 1})
        for i in range(1500):
            cache.put(f"{rng.random()}", {"noise": rng.randbytes(300).hex()})
            if i % 100 == 0:
                assert cache.get("dear") == {"a": 1}
        cache.close()
    files = list((tmp_path / "c").iterdir())
    assert sum(f.stat().st_size for f in files) < 2 * bound
    again = Cache(tmp_path / "c", bound=bound)
    assert again.get("dear") == {"a": 1}
    assert 200 < len(again) < 2000
    again.close()


def test_the_directory_must_be_the_users_alone(tmp_path):
    for mode in (0o770, 0o707):
        directory = tmp_path / f"{mode:o}"
        directory.mkdir()
        directory.chmod(mode)
        with pytest.raises(CacheError, match="others can write there"):
            Cache(directory)
    (tmp_path / "file").touch()
    with pytest.raises(CacheError, match=r"cannot be made|not a directory"):
        Cache(tmp_path / "file")
    with pytest.raises(CacheError, match="cannot be made"):
        Cache(tmp_path / "file" / "below")


def test_a_directory_of_somebody_else_is_refused(tmp_path, monkeypatch):
    Cache(tmp_path / "c").close()
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    with pytest.raises(CacheError, match="belongs to another user"):
        Cache(tmp_path / "c")


def test_a_store_that_others_can_write_or_that_is_elsewhere_is_refused(tmp_path):
    Cache(tmp_path / "c").close()
    file = tmp_path / "c" / FILE
    file.chmod(0o666)
    with pytest.raises(CacheError, match="not a file of yours alone"):
        Cache(tmp_path / "c")
    file.rename(tmp_path / "moved")
    (tmp_path / "moved").chmod(0o600)
    file.symlink_to(tmp_path / "moved")
    with pytest.raises(CacheError, match="not a file of yours alone"):
        Cache(tmp_path / "c")


def test_a_new_directory_is_private(tmp_path):
    Cache(tmp_path / "a" / "c").close()
    assert (tmp_path / "a" / "c").stat().st_mode & 0o077 == 0


def test_a_busy_store_is_no_error(opened, tmp_path, monkeypatch):
    monkeypatch.setattr("samespec.cache._BUSY_SECONDS", 0.05)
    cache = opened()
    other = sqlite3.connect(tmp_path / "c" / FILE, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    cache.put("k", {"a": 1})
    assert cache.get("k") is None
    other.execute("COMMIT")
    other.close()
    cache.put("k", {"a": 1})
    assert cache.get("k") == {"a": 1}


def test_the_environment_names_a_directory(monkeypatch, tmp_path):
    monkeypatch.delenv("SAMESPEC_CACHE", raising=False)
    assert directory_from(None) is None
    monkeypatch.setenv("SAMESPEC_CACHE", str(tmp_path))
    assert directory_from(None) == tmp_path
    assert directory_from("x") == Path("x")
    monkeypatch.setenv("SAMESPEC_CACHE", "")
    assert directory_from(None) is None


def _hammer(directory, seed):
    cache = Cache(directory, bound=100_000)
    rng = random.Random(seed)
    for _ in range(300):
        key = str(rng.randrange(100))
        found = cache.get(key)
        assert found is None or found == {"key": key, "pad": "x" * 500}
        cache.put(key, {"key": key, "pad": "x" * 500})
    cache.close()


def test_many_threads_and_processes(tmp_path):
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=_hammer, args=(tmp_path / "c", seed)) for seed in range(3)]
    for p in processes:
        p.start()
    cache = Cache(tmp_path / "c")
    failures = []

    def work(seed):
        rng = random.Random(seed)
        for _ in range(200):
            key = str(rng.randrange(100))
            found = cache.get(key)
            if found not in (None, {"key": key, "pad": "x" * 500}):
                failures.append(found)
            cache.put(key, {"key": key, "pad": "x" * 500})

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for t in threads:
        t.start()
    for t in (*threads, *processes):
        t.join(60)
    cache.close()
    assert not failures
    assert [p.exitcode for p in processes] == [0, 0, 0]
