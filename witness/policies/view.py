"""What discovery may see of a task.

In: a task. Out: a `View`: the description, the weakened contract without any body, known-wrong examples, and the widths of the
feedback's rows. No case is in it, nothing of the full contract, and no implementation: a policy that is given a view alone cannot
be told what it must not know.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from translate import syntax as sx
from translate.names import Crate
from translate.parser import parse_file
from translate.source import from_text
from translate.vstd import library
from witness.contract import find_function, working
from witness.model import Task
from witness.policies.block import Row, rows_of

BODY = "{\n    /* one expression */\n}"
_OTHER_BODY = "{ /* not shown */ }"


@dataclass(frozen=True, slots=True)
class View:
    """`task` and `sha256` name the task and its hash; `contract` is a file as `shown_contract` gives it; `rows` is the layout of
    the feedback block: labels and widths, which depend on the task and on no candidate."""

    task: str
    sha256: str
    description: str
    contract: str
    result_type: str
    examples: tuple[str, ...]
    rows: tuple[Row, ...]


def view_of(task: Task) -> View:
    """What discovery may see of a task."""
    return View(
        task.name,
        task.sha256,
        task.description,
        shown_contract(task.weakened, task.function),
        task.result_type or "()",
        task.examples,
        rows_of(task),
    )


def shown_contract(text: str, function: str) -> str:
    """A file as a contract: the function's body is a blank to fill in, those of other executable functions are left out, and so
    are `main` and lemmas, with the comments above them (what a lemma states may be the omitted postcondition)."""
    with working():
        source = from_text("contract.rs", text)
        crate = Crate(source, parse_file(source), library())
        target = find_function(crate, function).item
        edits: list[tuple[int, int, str]] = []
        for ref in crate.functions:
            fn = ref.item
            if not isinstance(fn, sx.Fn) or ref.crate is not crate:
                continue
            if fn is target and fn.body is not None:
                edits.append((fn.body.start, fn.body.end, BODY))
            elif fn.mode == "proof" or ref.path == "crate::main":
                edits.append((_above(source.data, fn.span.start), fn.span.end, ""))
            elif fn.mode == "exec" and fn.body is not None:
                edits.append((fn.body.start, fn.body.end, _OTHER_BODY))
        data = source.data
    for start, end, new in sorted(edits, reverse=True):
        data = data[:start] + new.encode() + data[end:]
    return re.sub(r"\n[ \t]*(\n[ \t]*)+\n", "\n\n", data.decode()).strip()


def _above(data: bytes, at: int) -> int:
    """Where the comment lines begin that stand directly above a place."""
    start = data.rfind(b"\n", 0, at) + 1
    if data[start:at].strip():
        return at
    while start > 0:
        line = data.rfind(b"\n", 0, start - 1) + 1
        if not data[line:start].strip().startswith(b"//"):
            break
        start = line
    return start
