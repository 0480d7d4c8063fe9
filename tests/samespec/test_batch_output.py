"""The result file: what is taken over, what is cut, what is refused."""

from __future__ import annotations

import json

import pytest

from samespec.batch.output import SCHEMA, OutputError, ResultFile, mark_of


def line(id_, key="k", kept=True, error=None):
    return json.dumps({"schema": SCHEMA, "id": id_, "input": key, "kept": kept, "error": error}).encode() + b"\n"


def mark(id_, key="k"):
    return mark_of(id_, key)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "out.jsonl"


def resumed(path):
    return ResultFile(path, resume=True)


def test_a_new_file(path):
    out = ResultFile(path, resume=False)
    out.write(mark(1), line(1))
    assert path.read_bytes() == line(1), "a line is there as soon as it is written"
    out.write(mark(2), line(2))
    out.finish([mark(1), mark(2)])
    out.close()
    assert path.read_bytes() == line(1) + line(2)


def test_a_file_that_exists_needs_resume(path):
    path.write_bytes(line(1))
    with pytest.raises(OutputError, match="exists; --resume goes on with it"):
        ResultFile(path, resume=False)
    assert path.read_bytes() == line(1)


@pytest.mark.parametrize("cut", [1, 5, 30, len(line(2)) - 1])
def test_a_torn_line_is_cut(path, cut):
    path.write_bytes(line(1, kept=None) + line(2)[:cut])
    out = resumed(path)
    assert out.done(mark(1)).kept is None
    assert out.done(mark(2)) is None
    out.write(mark(2), line(2))
    out.finish([mark(1), mark(2)])
    out.close()
    assert path.read_bytes() == line(1, kept=None) + line(2)


@pytest.mark.parametrize(
    "content", [b"my notes", b"my notes\nmore\n", b'{"schema": "other"}\n', line(1).replace(b"batch", b"check")]
)
def test_a_file_of_something_else_is_left_alone(path, content):
    path.write_bytes(content)
    with pytest.raises(OutputError, match="is no file of batch results"):
        resumed(path)
    assert path.read_bytes() == content


def test_other_input_is_no_result(path):
    path.write_bytes(line(1) + line(2, key="old") + line(3, error={"kind": "crash"}))
    out = resumed(path)
    assert out.done(mark(1)).kept is True
    assert out.done(mark(2)) is None
    assert out.done(mark(3)).failed
    out.write(mark(2), line(2))
    out.finish([mark(1), mark(2), mark(3)])
    out.close()
    assert path.read_bytes() == line(1) + line(2) + line(3, error={"kind": "crash"})
    assert list(path.parent.iterdir()) == [path]


def test_lines_of_no_item_go_and_garbage_goes(path):
    path.write_bytes(line(1) + line(1) + b"garbage\n" + line(9) + line(2))
    out = resumed(path)
    assert out.done(mark(1))
    assert out.done(mark(2))
    out.finish(None)
    out.write(mark(3), line(3))
    out.close()
    assert path.read_bytes() == line(1) + line(2) + line(3)


def test_a_file_in_order_is_not_written_again(path):
    path.write_bytes(line(1))
    before = path.stat().st_ino
    out = resumed(path)
    out.done(mark(1))
    out.write(mark(2), line(2))
    out.finish([mark(1), mark(2)])
    out.close()
    assert path.stat().st_ino == before


def test_what_a_killed_rewriting_left_is_removed(path):
    path.write_bytes(line(2) + line(1))
    part = path.with_name(".out.jsonl.part")
    part.write_bytes(line(1)[:20])
    out = resumed(path)
    assert not part.exists()
    assert out.done(mark(2))
    assert out.done(mark(1))
    out.finish([mark(1), mark(2)])
    out.close()
    assert path.read_bytes() == line(1) + line(2)


def test_two_batches_do_not_share_a_file(path):
    out = ResultFile(path, resume=False)
    with pytest.raises(OutputError, match="another samespec batch is writing it"):
        resumed(path)
    out.close()
    resumed(path).close()


def test_files_that_cannot_be_written(tmp_path):
    with pytest.raises(OutputError, match="cannot be written"):
        ResultFile(tmp_path / "no" / "out.jsonl", resume=False)
    with pytest.raises(OutputError, match="cannot be written"):
        ResultFile(tmp_path, resume=False)
    with pytest.raises(OutputError, match="is not a regular file"):
        ResultFile(type(tmp_path)("/dev/null"), resume=False)


def test_ids_of_different_kinds_are_different(path):
    path.write_bytes(line(1))
    out = resumed(path)
    assert out.done(mark("1")) is None
    assert out.done(mark(1)) is not None
    out.close()
