"""The parser-repair wrapper: a candidate's syntax mended, its meaning left alone.

In: a text. Out: the text with what surrounds the expression taken off, semicolons removed and brackets closed, and what was done.
It sees the text and nothing else: no verifier, no compiler, no test has a say, so it cannot choose between behaviours.
"""

from __future__ import annotations

import re
from typing import Final

_FENCE: Final = re.compile(r"```[A-Za-z0-9_-]*\n(.*?)```", re.DOTALL)
_LABEL: Final = re.compile(r"^(?:revised |final |my )?(?:candidate|answer|expression|witness)(?: expression)?\s*:\s*", re.I)
_OPEN: Final = {"(": ")", "[": "]", "{": "}"}
_CLOSE: Final = frozenset(_OPEN.values())


def repair(text: str) -> tuple[str, tuple[str, ...]]:
    """The mended text, and a word for each thing that was done to it (none: it is the text without white space around)."""
    done: list[str] = []
    mended = _extracted(text.strip(), done)
    if (without := mended.rstrip("; \t\r\n")) != mended.rstrip():
        mended = without
        done.append("semicolons removed")
    mended = _closed(mended, done)
    return mended, tuple(done)


def _extracted(text: str, done: list[str]) -> str:
    """The expression out of the text around it: the last code block, what stands in single backquotes, behind a label, or behind
    `return`."""
    blocks = _FENCE.findall(text)
    if blocks:
        done.append("surrounding text removed")
        text = blocks[-1].strip()
    elif text.count("`") == 2:
        done.append("surrounding text removed")
        text = text.split("`")[1].strip()
    lines = [line for line in text.splitlines() if line.strip()]
    for i, line in enumerate(lines):
        if _LABEL.match(line.strip()):
            rest = [_LABEL.sub("", line.strip()), *lines[i + 1 :]]
            done.append("surrounding text removed")
            text = "\n".join(r for r in rest if r).strip()
            break
    if re.match(r"return\b", text):
        done.append("`return` removed")
        text = text[6:].strip()
    return text


def _closed(text: str, done: list[str]) -> str:
    """The text with brackets that are not closed closed at its end, and those that close nothing removed. Literals of characters
    and texts are stepped over."""
    stack: list[str] = []
    kept: list[str] = []
    removed = False
    at = 0
    while at < len(text):
        literal = re.match(r"""'(?:\\.[^']*|[^'\\])'|"(?:\\.|[^"\\])*\"""", text[at:])
        if literal:
            kept.append(literal[0])
            at += len(literal[0])
            continue
        c = text[at]
        at += 1
        if c in _OPEN:
            stack.append(_OPEN[c])
        elif c in _CLOSE:
            if not stack or stack[-1] != c:
                removed = True
                continue
            stack.pop()
        kept.append(c)
    if removed:
        done.append("unmatched closing brackets removed")
    if stack:
        done.append("brackets closed")
    return "".join(kept).rstrip() + "".join(reversed(stack))
