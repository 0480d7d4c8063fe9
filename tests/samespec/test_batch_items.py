"""The input of a batch: what a line may be, and what is said of one that may not."""

from __future__ import annotations

import io
import json
import os

import pytest

from samespec.batch import items
from samespec.batch.items import BadLine, Item, count_lines, read_items


def read(data, folder):
    if isinstance(data, list):
        data = "\n".join(d if isinstance(d, str) else json.dumps(d) for d in data)
    return list(read_items(io.BytesIO(data.encode() if isinstance(data, str) else data), folder))


def test_texts_and_paths(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "o.rs").write_bytes(b"\xef\xbb\xbforiginal")
    found = read(
        [
            {"id": "t", "original": "o", "submitted": "s"},
            {"id": 7, "original_path": "a/o.rs", "submitted": "s", "targets": ["f", "g"], "mode": "proof", "model": "any"},
            {"id": "7", "original": "o", "submitted_path": str(tmp_path / "a" / "o.rs"), "targets": None, "mode": None},
        ],
        tmp_path,
    )
    assert found == [
        Item("t", "o", "s", None, "contract", 1),
        Item(7, "original", "s", ("f", "g"), "proof", 2),
        Item("7", "o", "original", None, "contract", 3),
    ]


def test_blank_lines_and_line_ends(tmp_path):
    line = json.dumps({"id": 1, "original": "o", "submitted": "s"})
    found = read(f"\ufeff{line}\r\n\n  \n{line.replace('1', '2', 1)}", tmp_path)
    assert [(i.id, i.line) for i in found] == [(1, 1), (2, 4)]
    assert read(b"", tmp_path) == []


FINE = {"id": "i", "original": "o", "submitted": "s"}


@pytest.mark.parametrize(
    ("line", "id_", "kind", "field", "says"),
    [
        ("{", None, "input", None, "not JSON: Expecting property name enclosed in double quotes, column 2"),
        ("[" * 100_000, None, "input", None, "nested too deeply"),
        ("1" * 5000, None, "input", None, "not JSON that can be read"),
        ("[1]", None, "input", None, "a JSON list, not an object"),
        ("null", None, "input", None, "a JSON null, not an object"),
        ('{"id": 1, "id": 2}', None, "input", "id", "the field `id` is given twice"),
        ({"original": "o", "submitted": "s"}, None, "input", "id", "the field `id` is missing"),
        ({**FINE, "id": True}, None, "input", "id", "`id` is a JSON truth value"),
        ({**FINE, "id": 1.5}, None, "input", "id", "`id` is a JSON number"),
        ({**FINE, "target": ["f"]}, "i", "input", "target", "is `targets` meant?"),
        ({**FINE, "targets": "f"}, "i", "input", "targets", "must be a list"),
        ({**FINE, "targets": []}, "i", "input", "targets", "must be a list"),
        ({**FINE, "targets": [1]}, "i", "input", "targets", "must be a list"),
        ({**FINE, "mode": "both"}, "i", "input", "mode", '`mode` is "both"; it must be "contract" or "proof"'),
        ({"id": "i", "submitted": "s"}, "i", "input", "original", "neither `original` (the text) nor `original_path`"),
        ({"id": "i", "original": "o"}, "i", "input", "submitted", "neither `submitted`"),
        ({**FINE, "submitted_path": "x.rs"}, "i", "input", "submitted_path", "both `submitted` and `submitted_path`"),
        ({**FINE, "submitted": 3}, "i", "input", "submitted", "`submitted` is a JSON number"),
        ({**FINE, "submitted": ""}, "i", "source", "submitted", "the text is empty"),
        ({**FINE, "submitted": "a\0b"}, "i", "source", "submitted", "NUL at character 1"),
        ({**FINE, "submitted": "a\ud800"}, "i", "source", "submitted", "half of a surrogate pair"),
        ({"id": "i", "original": "o", "submitted_path": "no.rs"}, "i", "source", "submitted_path", "no.rs: no such file"),
        ({"id": "i", "original": "o", "submitted_path": ""}, "i", "input", "submitted_path", "is empty"),
        ({"id": "i", "original": "o", "submitted_path": 1}, "i", "input", "submitted_path", "a JSON number"),
        ({"id": "i", "original": "o", "submitted_path": "a\0"}, "i", "source", "submitted_path", "null byte"),
        ({"id": "i", "original": "o", "submitted_path": "."}, "i", "source", "submitted_path", "is a directory"),
        ({"id": "i", "original": "o", "submitted_path": "x" * 300}, "i", "source", "submitted_path", "name too long"),
        (b'{"id": "\xff"}', None, "input", None, "byte 0xff at offset 8 of the line is not UTF-8"),
    ],
)
def test_bad_lines(tmp_path, line, id_, kind, field, says):
    good = json.dumps({**FINE, "id": "after"}).encode()
    raw = line if isinstance(line, bytes) else (line if isinstance(line, str) else json.dumps(line)).encode()
    bad, after = read(raw + b"\n" + good, tmp_path)
    assert isinstance(bad, BadLine)
    assert (bad.id, bad.kind, bad.field, bad.line) == (id_, kind, field, 1)
    assert says.lower() in bad.message.lower()
    assert str(tmp_path) not in bad.message, "a result must not depend on where the files lie"
    assert after == Item("after", "o", "s", None, "contract", 2)


def test_an_id_that_comes_again(tmp_path):
    first, second, other = read([FINE, {**FINE, "submitted": "t"}, {**FINE, "id": 1}], tmp_path)
    assert isinstance(first, Item)
    assert isinstance(other, Item)
    assert (second.id, second.field, second.line) == ("i", "id", 2)
    assert 'the id "i" stands in an earlier line too' in second.message


def test_a_line_and_a_file_that_are_too_large_are_not_held(tmp_path, monkeypatch):
    monkeypatch.setattr(items, "MAX_LINE", 100)
    monkeypatch.setattr(items, "_CHUNK", 7)
    with (tmp_path / "large.rs").open("wb") as file:
        file.truncate(50 << 20)
    lines = [{**FINE, "submitted": "x" * 1000}, {"id": 2, "original": "o", "submitted_path": "large.rs"}, {**FINE, "id": 3}]
    long, large, fine = read(lines, tmp_path)
    assert (long.id, long.line) == (None, 1)
    assert "the line is longer than" in long.message
    assert large.message == "`submitted_path`: large.rs: larger than 8 MiB; split it, or name the module you mean"
    assert fine.id == 3


def test_a_pipe_does_not_keep_the_batch_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (bad,) = read([{"id": 1, "original": "o", "submitted_path": "pipe"}], tmp_path)
    assert "is not a regular file" in bad.message


def test_what_a_bad_line_is_known_by(tmp_path):
    one, other = (read([text], tmp_path)[0].digest for text in ("{", "[}"))
    assert one != other
    first, second = read(["{", "{"], tmp_path)
    assert first.digest != second.digest


@pytest.mark.parametrize(("data", "lines"), [(b"", 0), (b"a", 1), (b"a\n", 1), (b"a\nb", 2), (b"\n\n", 2)])
def test_count_lines(tmp_path, data, lines):
    (tmp_path / "f").write_bytes(data)
    assert count_lines(tmp_path / "f") == lines
