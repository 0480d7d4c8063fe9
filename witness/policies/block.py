"""The block that tells what happened to a candidate, and the layout that it shares with the block that does not.

In: a task, or the rows alone. Out: rows, text. Every row has a width of its own that the task fixes before there is a candidate:
what is longer is cut (and ends in `…`), what is shorter is filled up. So the two blocks are equally long whatever happened, and
nothing about it shows in the length of the block that does not say. `witness.policies.feedback` writes the one that does.

    | compilation  | it compiles                                          |     | compilation  | not evaluated; not evaluated …
    | case 1       | x = 3: expected 9, the candidate gives 6: differs     |     | case 1       | not evaluated; not evaluated …
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from translate.values import Value, render_rust
from witness.model import Case, Task

HIDDEN: Final = "not evaluated"
#: Widths, in characters: of a compiler's message, of what the verifier says, of the inputs of a case, of an output.
_COMPILATION: Final = 120
_VERIFICATION: Final = (160, 320)
_INPUTS: Final = 120
_OUTPUT: Final = (12, 48)
_TESTS: Final = 60
_LABEL: Final = 12


class Row(NamedTuple):
    """A row of the block: what it is about, and how many characters it has for that."""

    label: str
    width: int


def rows_of(task: Task) -> tuple[Row, ...]:
    """The layout of a task's block."""
    inputs, expected = [inputs_of(task, c) for c in task.visible], [expected_of(task, c) for c in task.visible]
    output = min(_OUTPUT[1], max([_OUTPUT[0], *map(len, expected)]))
    verification = min(_VERIFICATION[1], _VERIFICATION[0] + max(map(len, inputs), default=0))
    rows = [Row("compilation", _COMPILATION), Row("verification", verification), Row("tests", _TESTS)]
    for n, (given, wanted) in enumerate(zip(inputs, expected, strict=True), 1):
        rows.append(Row(f"case {n}", len(case_text(given, wanted, "x" * output, "differs"))))
    return tuple(rows)


def hidden(rows: Sequence[Row]) -> str:
    """The block that says nothing: "not evaluated" in every row, as often as it fits."""
    return block(rows, ["; ".join([HIDDEN] * max(1, (r.width + 2) // (len(HIDDEN) + 2))) for r in rows])


def block(rows: Sequence[Row], texts: Sequence[str]) -> str:
    """The rows with these texts, each exactly as wide as its row."""
    pairs = zip(rows, (" ".join(t.split()) for t in texts), strict=True)
    return "\n".join(f"| {r.label:<{_LABEL}} | {clip(t, r.width):<{r.width}} |" for r, t in pairs)


def clip(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


# --- cases -------------------------------------------------------------------------------------------------------------------


def case_text(inputs: str, expected: str, said: str, verdict: str) -> str:
    return f"{inputs}: expected {expected}, the candidate gives {said}: {verdict}"


def inputs_of(task: Task, case: Case, width: int = _INPUTS) -> str:
    """The inputs of a case in Rust syntax, by name."""
    pairs = zip(task.parameters, case.inputs, strict=True)
    return clip(", ".join(f"{p.name} = {render_rust(x, p.sort)}" for p, x in pairs) or "no inputs", width)


def expected_of(task: Task, case: Case, width: int = _OUTPUT[1]) -> str:
    """The official output of a case."""
    return output_of(task, case.output, case.final, width)


def output_of(task: Task, output: Value | None, final: Sequence[Value], width: int = _OUTPUT[1]) -> str:
    """An output in Rust syntax: the result, and by name the values of `&mut` parameters on return."""
    parts = [] if task.result_sort is None or output is None else [render_rust(output, task.result_sort)]
    mutable = [p for p in task.parameters if p.mutable]
    parts += [f"{p.name} = {render_rust(x, p.sort)}" for p, x in zip(mutable, final, strict=True)]
    return clip(", ".join(parts) or "()", width)
