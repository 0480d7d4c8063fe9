"""What a literal means: numbers with their suffixes, characters, strings and byte strings with their escapes."""

from __future__ import annotations

import re

_INT = re.compile(r"(0x[0-9a-fA-F_]+|0o[0-7_]+|0b[01_]+|[0-9][0-9_]*)([A-Za-z_][A-Za-z0-9_]*)?\Z")
_FLOAT = re.compile(r"([0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]+)?)([A-Za-z_][A-Za-z0-9_]*)?\Z")
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u\{([0-9a-fA-F_]{1,12})\}|\r?\n\s*|(.))", re.DOTALL)
_SIMPLE = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", "0": "\0", "'": "'", '"': '"'}


def integer(text: str) -> tuple[int | str, str] | None:
    """Value and suffix of an integer literal; a float's text where the suffix makes it one (`1f64`)."""
    match = _INT.match(text)
    if match is None:
        return None
    digits, suffix = match.group(1), match.group(2) or ""
    if suffix in ("f32", "f64", "real"):
        return digits, suffix
    bare = digits.replace("_", "")
    try:
        return int(bare, 10 if bare.isdigit() else 0), suffix
    except ValueError:  # `0x_`, or more digits than Python converts
        return None


def floating(text: str) -> tuple[str, str] | None:
    """Digits (as text) and suffix of a floating-point literal."""
    match = _FLOAT.match(text)
    return (match.group(1), match.group(2) or "") if match else None


def unescape(body: str) -> str | None:
    """The meaning of a quoted body, or None where an escape is malformed."""
    if "\\" not in body:
        return body
    bad = False

    def replace(match: re.Match[str]) -> str:
        nonlocal bad
        if match.group(1) is not None:
            return chr(int(match.group(1), 16))
        if match.group(2) is not None:
            code = int(match.group(2).replace("_", "") or "0", 16)
            if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
                bad = True
                return ""
            return chr(code)
        letter = match.group(3)
        if letter is None:
            return ""
        if letter not in _SIMPLE:
            bad = True
        return _SIMPLE.get(letter, "")

    result = _ESCAPE.sub(replace, body)
    return None if bad else result


def quoted(text: str) -> tuple[str, str | bytes] | None:
    """Kind ("str", "bytestr", "char", "byte") and value of a quoted literal, or None where it is malformed."""
    prefix = text[: re.search(r"[\"'#]", text).start()]  # type: ignore[union-attr]
    raw = "r" in prefix
    if raw:
        start = text.index('"')
        hashes = text[: start + 1].count("#")
        value: str | None = text[start + 1 : len(text) - 1 - hashes]
    else:
        value = unescape(text[len(prefix) + 1 : -1])
    if value is None:
        return None
    if text[len(prefix)] == "'":
        if len(value) != 1:
            return None
        return ("byte", value) if prefix else ("char", value)
    if "b" in prefix or "c" in prefix:
        return "bytestr", b"".join(_byte(char, prefix) for char in value)
    return "str", value


def _byte(char: str, prefix: str) -> bytes:
    code = ord(char)
    return bytes((code,)) if code < 256 and "b" in prefix else char.encode()
