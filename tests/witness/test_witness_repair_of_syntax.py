"""The parser-repair wrapper: what it mends, and that it leaves meaning alone."""

from __future__ import annotations

import pytest

from witness.parser_repair import repair


@pytest.mark.parametrize(
    ("text", "wanted", "done"),
    [
        ("x + 1", "x + 1", ()),
        ("  x + 1\n", "x + 1", ()),
        ("x + 1;", "x + 1", ("semicolons removed",)),
        ("x + 1 ; ;", "x + 1", ("semicolons removed",)),
        ("x.min(3", "x.min(3)", ("brackets closed",)),
        ("if x { [1, (2", "if x { [1, (2)]}", ("brackets closed",)),
        ("x.min(3))", "x.min(3)", ("unmatched closing brackets removed",)),
        ("(x]", "(x)", ("unmatched closing brackets removed", "brackets closed")),
        ("'('", "'('", ()),
        ("if c == '}' { 1 } else { 2", "if c == '}' { 1 } else { 2}", ("brackets closed",)),
        ("```\nx\n```", "x", ("surrounding text removed",)),
        ("First:\n```rust\ny\n```\nbetter:\n```rust\nx\n```\n", "x", ("surrounding text removed",)),
        ("The answer is `x`.", "x", ("surrounding text removed",)),
        ("Assessment: it was too strict.\nRevised Candidate: x + 1", "x + 1", ("surrounding text removed",)),
        ("Candidate:\nif a {\n    b\n} else {\n    c\n}", "if a {\n    b\n} else {\n    c\n}", ("surrounding text removed",)),
        ("return x", "x", ("`return` removed",)),
        ("", "", ()),
        (";", "", ("semicolons removed",)),
    ],
)
def test_repair(text: str, wanted: str, done: tuple[str, ...]) -> None:
    assert repair(text) == (wanted, done)
    assert repair(wanted) == (wanted, ()) or not wanted
