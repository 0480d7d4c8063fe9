"""Source text: a file's bytes, its text, and the way from a byte offset to a place a person can find.

In: a path, or a name and a text. Out: `SourceText`, or a `SourceError` that says which file, where in it, and what to
do about it.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from functools import cached_property
from pathlib import Path

from translate.syntax import Span

MAX_BYTES = 8 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"
#: White space that does not stand between two words.
_LOOSE = re.compile(r"(?<!\w) | (?!\w)")


class SourceError(Exception):
    """A source file that cannot be read; the message names the file, the place where there is one, and the remedy."""


class SourceText:
    """One source file. Offsets are byte offsets into `data`; a byte order mark is not part of `data` or `text`."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.raw = data
        self.data = data.removeprefix(_BOM)
        self.text = self.data.decode("utf-8")
        self.ascii = len(self.text) == len(self.data)

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the file as it lies on disk, in hexadecimal."""
        return hashlib.sha256(self.raw).hexdigest()

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        position = self.data.find(b"\n")
        while position >= 0:
            starts.append(position + 1)
            position = self.data.find(b"\n", position + 1)
        return starts

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column of a byte offset, both from 1; the column counts characters. Offsets outside are clamped."""
        offset = max(0, min(offset, len(self.data)))
        line = bisect_right(self._line_starts, offset)
        start = self._line_starts[line - 1]
        return line, len(self.data[start:offset].decode("utf-8", errors="ignore")) + 1

    def place(self, offset: int) -> str:
        """`path:line:column` of a byte offset."""
        line, column = self.line_column(offset)
        return f"{self.path}:{line}:{column}"

    def snippet(self, span: Span | tuple[int, int]) -> str:
        """The text of a span."""
        if self.ascii:
            return self.text[span[0] : span[1]]
        return self.data[span[0] : span[1]].decode("utf-8", errors="replace")

    def folded(self, span: Span | tuple[int, int]) -> str:
        """The text of a span on one line: white space folded."""
        return " ".join(self.snippet(span).split())

    def tight(self, span: Span | tuple[int, int]) -> str:
        """The text of a span without the white space that separates no words, so that `A<B, C>` and `A<B,C>` agree."""
        return _LOOSE.sub("", self.folded(span))


def from_text(name: str, text: str) -> SourceText:
    """A source text that is not a file on disk; `name` stands where its path would."""
    return SourceText(name, text.encode("utf-8"))


def read_source(path: str | Path) -> SourceText:
    """Reads a Rust source file of at most 8 MiB.

    Raises `SourceError` for a file that is missing, unreadable, a directory, empty, too large, or not UTF-8 text.
    """
    name = str(path)
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise SourceError(f"{name}: no such file; check the path") from None
    except IsADirectoryError:
        raise SourceError(f"{name}: is a directory; name a .rs file in it") from None
    except PermissionError:
        raise SourceError(f"{name}: permission denied; make the file readable for this user") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SourceError(f"{name}: cannot be read ({reason}); name a readable .rs file") from None
    return source_of_bytes(name, data)


def source_of_bytes(name: str, data: bytes) -> SourceText:
    """The bytes of a file that was read elsewhere; raises `SourceError` as `read_source` does for what they hold."""
    if not data:
        raise SourceError(f"{name}: the file is empty; name a Rust source file")
    if len(data) > MAX_BYTES:
        raise SourceError(f"{name}: larger than {MAX_BYTES >> 20} MiB; split it, or name the module you mean")
    nul = data.find(b"\0")
    if nul >= 0:
        raise SourceError(f"{name}: NUL byte at offset {nul}, so this is not source text; name a Rust source file")
    try:
        return SourceText(name, data)
    except UnicodeDecodeError as error:
        offset = error.start + (len(_BOM) if data.startswith(_BOM) else 0)
        line = data.count(b"\n", 0, offset) + 1
        column = len(data[data.rfind(b"\n", 0, offset) + 1 : offset].decode("utf-8", errors="replace")) + 1
        raise SourceError(
            f"{name}:{line}:{column}: byte 0x{data[offset]:02x} at offset {offset} is not UTF-8; save the file as UTF-8"
        ) from None
