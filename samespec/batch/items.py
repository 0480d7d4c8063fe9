"""The input of a batch: JSON lines, each a pair to judge.

In: a stream of bytes and the folder that its paths are relative to. Out: an `Item` or a `BadLine` for every line that is not
blank, in order. A bad line never ends the batch: what is wrong with it, in which line and field, is its result.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from translate.source import MAX_BYTES, SourceError, read_source

#: Bytes of one line: two texts of the largest size, with room for JSON's escapes.
MAX_LINE = 6 * MAX_BYTES
_CHUNK = 1 << 20

FIELDS = ("id", "original", "original_path", "submitted", "submitted_path", "targets", "mode")
MODES = ("contract", "proof")

#: An id is a string or an integer, and comes back as it was given.
Id = str | int


@dataclass(frozen=True, slots=True)
class Item:
    """One pair, both sides as text. `targets` None: all functions of the original that have a contract. `line` counts from
    1."""

    id: Id
    original: str
    submitted: str
    targets: tuple[str, ...] | None
    mode: str
    line: int


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no item. `kind` is "input" (the line itself) or "source" (a file or text that cannot be judged); `id` is
    None where the line does not give one; `digest` identifies the line's content."""

    id: Id | None
    kind: str
    message: str
    line: int
    field: str | None
    digest: str


class _Wrong(Exception):
    """What is wrong with a line; `field` names the culprit."""

    def __init__(self, message: str, field: str | None = None, kind: str = "input") -> None:
        super().__init__(message)
        self.field, self.kind = field, kind


def read_items(stream: BinaryIO, folder: Path) -> Iterator[Item | BadLine]:
    """The items of a stream. An id that was met before makes the later line a bad one."""
    seen: set[bytes] = set()
    for number, line in _lines(stream):
        if line is None:
            message = f"the line is longer than {MAX_LINE >> 20} MiB; give the files' paths instead of their text"
            yield BadLine(None, "input", message, number, None, f"{number}: too long")
            continue
        if not line.strip():
            continue
        known: Id | None = None
        try:
            record = _record(line)
            known = _id(record)
            mark = sha256(json.dumps(known).encode()).digest()
            if mark in seen:
                raise _Wrong(f"the id {json.dumps(known)} stands in an earlier line too; ids must be unique", "id")
            seen.add(mark)
            yield _item(record, known, number, folder)
        except _Wrong as wrong:
            digest = f"{number}: {sha256(line).hexdigest()} {wrong}"
            yield BadLine(known, wrong.kind, str(wrong), number, wrong.field, digest)


def count_lines(path: Path) -> int:
    """How many lines a file has: what the progress is measured against."""
    total, last = 0, b"\n"
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            total += chunk.count(b"\n")
            last = chunk[-1:]
    return total + (last != b"\n")


def _lines(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Lines with their numbers; None for one that is too long, which is never held as a whole."""
    number = 0
    while line := stream.readline(MAX_LINE + 1):
        number += 1
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if len(line) > MAX_LINE:
            while line and not line.endswith(b"\n"):
                line = stream.readline(_CHUNK)
            yield number, None
        else:
            yield number, line


def _record(line: bytes) -> dict[str, Any]:
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"byte 0x{line[error.start]:02x} at offset {error.start} of the line is not UTF-8; save the file as UTF-8"
        raise _Wrong(message) from None
    try:
        record = json.loads(text.rstrip("\r\n"), object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise _Wrong(f"not JSON: {error.msg}, column {error.colno}; each line is one JSON object") from None
    except RecursionError:
        raise _Wrong("not JSON that can be read: nested too deeply") from None
    except ValueError as error:  # an integer of more digits than Python converts
        raise _Wrong(f"not JSON that can be read: {error}") from None
    if not isinstance(record, dict):
        raise _Wrong(f"a JSON {_kind(record)}, not an object; each line is one object with the fields of docs/json.md")
    return record


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of which no field has two values: of two, nobody could say which was judged."""
    record = dict(pairs)
    if len(record) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _Wrong(f"the field `{twice}` is given twice", twice)
    return record


def _id(record: dict[str, Any]) -> Id:
    if "id" not in record:
        raise _Wrong("the field `id` is missing: a string or an integer", "id")
    value = record["id"]
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise _Wrong(f"`id` is a JSON {_kind(value)}; it must be a string or an integer", "id")
    return value


def _item(record: dict[str, Any], known: Id, number: int, folder: Path) -> Item:
    for name in record:
        if name not in FIELDS:
            close = difflib.get_close_matches(name, FIELDS, 1, 0.9)
            if close:
                raise _Wrong(f"the field `{name}` is not known; is `{close[0]}` meant?", name)
    targets = record.get("targets")
    if targets is not None:
        if not isinstance(targets, list) or not targets or not all(isinstance(t, str) and t for t in targets):
            raise _Wrong("`targets` must be a list of functions' paths, or absent for all with a contract", "targets")
        targets = tuple(targets)
    mode = record.get("mode")
    mode = "contract" if mode is None else mode
    if mode not in MODES:
        raise _Wrong(f"`mode` is {json.dumps(mode)[:80]}; it must be \"contract\" or \"proof\"", "mode")
    original = _side(record, "original", folder)
    submitted = _side(record, "submitted", folder)
    return Item(known, original, submitted, targets, mode, number)


def _side(record: dict[str, Any], side: str, folder: Path) -> str:
    """The text of one side, from the line or from the file that it names."""
    text, path = record.get(side), record.get(f"{side}_path")
    if text is not None and path is not None:
        raise _Wrong(f"both `{side}` and `{side}_path` are given; give one of them", f"{side}_path")
    if path is not None:
        return _file(path, f"{side}_path", folder)
    if text is None:
        raise _Wrong(f"neither `{side}` (the text) nor `{side}_path` (the file) is given", side)
    if not isinstance(text, str):
        raise _Wrong(f"`{side}` is a JSON {_kind(text)}; it must be a string: the text of a Rust file", side)
    problem = text_problem(text)
    if problem is not None:
        raise _Wrong(f"`{side}`: {problem}", side, "source")
    return text


def _file(path: Any, field: str, folder: Path) -> str:
    if not isinstance(path, str) or not path:
        raise _Wrong(f"`{field}` is {'empty' if path == '' else 'a JSON ' + _kind(path)}; it must be the path of a file", field)
    try:
        full = folder / path
        # A pipe or a device could keep the whole batch waiting.
        if full.exists() and not full.is_dir() and not full.is_file():
            raise _Wrong(f"`{field}`: {path}: is not a regular file; name a .rs file", field, "source")
        return read_source(full).text
    except SourceError as error:
        message = str(error).replace(str(full), path, 1)  # the folder is this machine's, the result is not
        raise _Wrong(f"`{field}`: {message}", field, "source") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _Wrong(f"`{field}`: cannot be read ({reason}); name a readable .rs file", field, "source") from None


def text_problem(text: str) -> str | None:
    """Why a text is no source text (the bounds are those of `translate.source.read_source`), or None."""
    if not text:
        return "the text is empty; give the text of a Rust source file"
    if len(text) > MAX_BYTES:
        return f"larger than {MAX_BYTES >> 20} MiB"
    nul = text.find("\0")
    if nul >= 0:
        return f"NUL at character {nul}, so this is not source text"
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError as error:
        return f"character {error.start} is half of a surrogate pair, which UTF-8 cannot hold"
    return f"larger than {MAX_BYTES >> 20} MiB" if size > MAX_BYTES else None


def _kind(value: Any) -> str:
    names = {dict: "object", list: "list", str: "string", bool: "truth value", type(None): "null"}
    return names.get(type(value), "number")
