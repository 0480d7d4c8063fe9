"""Clauses as Verus text, and a contract's text with clauses added.

In: an opened contract, clauses as terms or as text. Out: the text of the file with the clauses among the function's `ensures`;
the text of its signature.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from translate.readings.verus_text import Naming, to_verus
from translate.terms import Term
from witness.contract import Opened, WitnessError, open_function

#: Columns of a clause on one line.
WIDTH: Final = 100
INDENT: Final = "        "

#: Clauses of a signature that stand behind `ensures`.
_BEHIND: Final = frozenset({"returns", "decreases", "opens_invariants", "no_unwind", "default_ensures", "when", "via"})


class _FileNames(Naming):
    """Names as in the file, and every literal with the type that its place wants: the text is to be compiled."""

    exact = True

    def __init__(self, opened: Opened) -> None:
        self._taken = {p.name for p in opened.parameters()} | {opened.fn.name}

    def taken(self) -> set[str]:
        return self._taken


def clause_text(opened: Opened, term: Term) -> str:
    """A clause as Verus text, on one line or broken to a width."""
    text = to_verus(term, names=_FileNames(opened))
    if len(text) > WIDTH:
        text = to_verus(term, WIDTH, names=_FileNames(opened), indent=len(INDENT))
    return text


def with_clauses(opened: Opened, clauses: Sequence[str]) -> str:
    """The file's text with clauses at the end of the function's `ensures`."""
    fn, data = opened.fn, opened.source.data
    lines = [f"\n{INDENT}{c}" for c in clauses]
    edits: list[tuple[int, int, str]] = []  # where, which comes first of two at one place, what
    ensures = [c for c in fn.clauses if c.kind == "ensures" and c.exprs]
    if ensures:
        end = _behind_parentheses(data, ensures[-1].exprs[-1].span.end)
        edits.append((end, 1, "".join("," + line for line in lines)))
    else:
        assert fn.body is not None
        behind = [c.span.start for c in fn.clauses if c.kind in _BEHIND]
        before = data[: min([*behind, fn.body.start])].rstrip()
        comma = "," if fn.clauses and not behind and not before.endswith(b",") else ""
        edits.append((len(before), 1, f"{comma}\n    ensures" + ",".join(lines) + ","))
    if fn.ret_name is None and fn.ret_type is not None and opened.contract.result is not None:
        edits.append((fn.ret_type.span.start, 0, f"({opened.contract.result.data}: "))
        edits.append((fn.ret_type.span.end, 0, ")"))
    for at, _, new in sorted(edits, reverse=True):
        data = data[:at] + new.encode() + data[at:]
    return data.decode()


def _behind_parentheses(data: bytes, at: int) -> int:
    """The place behind the parentheses that close around an expression: they are no part of its span."""
    end = at
    while end < len(data) and (data[end : end + 1].isspace() or data[end : end + 1] == b")"):
        end += 1
        if data[end - 1 : end] == b")":
            at = end
    return at


def reads_back(opened: Opened, term: Term, text: str) -> bool:
    """Whether the text, put into the contract, is read as that very term."""
    try:
        again = open_function(opened.source.path, with_clauses(opened, [text]), opened.ref.path)
    except WitnessError:
        return False
    return bool(again.ensures) and _last_ensures(again) is term


def _last_ensures(opened: Opened) -> Term | None:
    own = [c.term for c in opened.contract.ensures if c.kind == "ensures" and c.inherited is None]
    return own[-1] if own else None


def signature_text(opened: Opened) -> str:
    """The function's signature with its clauses, without attributes and body, as it stands in the file but for empty lines."""
    fn = opened.fn
    assert fn.body is not None
    start = max([fn.span.start, *(a.span.end for a in fn.attrs)])
    text = opened.source.snippet((start, fn.body.start)).strip("\n").rstrip()
    lines = [line.rstrip() for line in text.lstrip().splitlines() if line.strip()]
    margin = min((len(line) - len(line.lstrip()) for line in lines[1:]), default=0)
    shown = [lines[0]]
    for line in lines[1:]:
        first_of_list = shown[-1].strip() in ("requires", "ensures", "returns")  # a clause that is gone may leave its indentation
        shown.append(INDENT + line.lstrip() if first_of_list else line[max(0, margin - 4) :])
    return "\n".join(shown)
