"""The chained log: any change is found, a torn end is survived."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.log import GENESIS, Log, LogError, canonical, digest, verify


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    writer = Log(path)
    for n in range(6):
        writer.append("call", {"n": n, "text": "ä\n", "number": 1.5})
    writer.close()
    return path


def test_an_unchanged_log_verifies(log: Path) -> None:
    found = verify(log)
    assert (found.problem, len(found.records), found.torn) == (None, 6, 0)
    assert found.head == found.records[-1].hash != GENESIS


def test_every_change_of_a_byte_is_found(log: Path) -> None:
    data = log.read_bytes()
    for at in range(0, len(data) - 1, 3):
        changed = bytearray(data)
        changed[at] ^= 1
        log.write_bytes(changed)
        found = verify(log)
        assert found.problem is not None or found.head != verify_bytes(log, data)


def verify_bytes(log: Path, data: bytes) -> str:
    log.write_bytes(data)
    return verify(log).head


def test_removed_added_and_reordered_records_are_found(log: Path) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    for changed in (lines[:2] + lines[3:], lines[1:], [*lines[:2], lines[3], lines[2], *lines[4:]], [*lines, lines[-1]]):
        log.write_bytes(b"".join(changed))
        assert verify(log).problem is not None


def test_a_rewritten_record_with_a_hash_of_its_own_is_found(log: Path) -> None:
    lines = log.read_bytes().splitlines()
    entry = json.loads(lines[2])
    entry["body"]["n"] = 77
    entry.pop("hash")
    entry["hash"] = digest(entry)
    lines[2] = canonical(entry).encode()
    log.write_bytes(b"\n".join(lines) + b"\n")
    assert verify(log).problem == "line 4: the chain is broken: a record before this one was changed, removed or added"


def test_the_same_record_in_another_form_is_found(log: Path) -> None:
    lines = log.read_bytes().splitlines()
    lines[1] = json.dumps(json.loads(lines[1])).encode()
    log.write_bytes(b"\n".join(lines) + b"\n")
    assert verify(log).problem == "line 2: not in the form it was written in"


def test_a_log_that_stops_anywhere_in_its_last_record_goes_on(log: Path) -> None:
    whole = log.read_bytes()
    start = whole[:-1].rfind(b"\n") + 1
    for end in range(start, len(whole), 11):
        log.write_bytes(whole[:end])
        found = verify(log)
        assert (found.problem, len(found.records), found.torn) == (None, 5, end - start)
        writer = Log(log)
        writer.append("call", {"n": "again"})
        writer.close()
        after = verify(log)
        assert after.problem is None
        assert [r.kind for r in after.records[5:]] == (["torn", "call"] if end > start else ["call"])


def test_a_changed_log_is_not_continued(log: Path) -> None:
    log.write_bytes(log.read_bytes().replace(b'"n":3', b'"n":4', 1))
    with pytest.raises(LogError, match="not continued"):
        Log(log)


def test_one_writer_at_a_time(log: Path) -> None:
    first = Log(log)
    with pytest.raises(LogError, match="another run"):
        Log(log)
    first.close()
    Log(log).close()
