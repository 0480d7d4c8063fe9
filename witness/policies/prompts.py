"""The prompts.

In: a view of the task, and what a call is told besides. Out: text. One message a call, no conversation: what a call knows of an
earlier one stands in its prompt. The wording is samespec's own, for the roles of the study that `witness.policies` names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from witness.policies.view import View

#: The longest previous candidate that a prompt repeats, in characters.
LONGEST: Final = 1_000

_ROLE = """\
You look for holes in formal specifications. Below, a function is described in words, and then by a Verus contract. The contract \
promises less than the words do. Show the hole: write a program that Verus accepts for this contract and that does not do what \
the words say. A correct implementation is of no use here; a wrong one that passes is."""

_RULES = """\
Rules for the expression:
- one Rust expression of type `{result}` over the parameters, without side effects: no statements, loops, closures, `unsafe`, \
input or output, and no macros;
- it always gives the same result for the same arguments, and parses as Rust just as you write it;
- for every argument that `requires` allows it ends without a panic, an overflow or a division by zero, and its result meets the \
contract;
- the shorter, the better."""

_GOAL = """\
We want a program that the contract lets through and the words do not. If your expression was refused by the compiler or by the \
verifier, change it so that both accept it. If the contract lets it through and it is wrong on some case, consider keeping what \
is wrong about it."""

_ASSESS = """\
Assess your expression first:
1. Does it verify under the contract?
2. Does it do something else than the words say?
3. Does it show, then, that the contract is incomplete?
Then revise it, if that is needed. Answer in this form:

Assessment: what you found
Revised Candidate: the expression"""

_STRENGTHEN = """\
Propose the smallest change of the contract that rejects this program and others that are wrong in the same way, and that keeps \
every implementation that does what the words say. Add postconditions that are needed, and nothing else; leave the name, the \
parameters, the types and `requires` as they are."""

_IMPLEMENT = """\
Write one Rust expression of type `{result}` over the parameters, without side effects, that satisfies the contract and gives \
the expected output on every case."""


def discovery(view: View, label: int) -> str:
    """The prompt of a draw that knows nothing of any other."""
    return "\n\n".join(
        [
            _ROLE,
            _task(view),
            "Expressions that are known to be wrong (whether the contract lets them through was not checked; they show where to "
            "look):\n" + _listed(view.examples),
            _RULES.format(result=view.result_type),
            f"Tracking label: {label}",
            "Answer with the expression, and with nothing else.",
        ]
    )


def revision(view: View, label: int, previous: str, feedback: str) -> str:
    """The prompt of a call that is shown the candidate before it, and a block about that."""
    return "\n\n".join(
        [
            _task(view),
            _previous(previous),
            "What happened to it (every row has a fixed width; what is too long for it is cut):\n" + feedback,
            _GOAL,
            f"Tracking label: {label}",
            "Answer with the revised expression.",
        ]
    )


def assessment(view: View, label: int, previous: str) -> str:
    """The prompt of a call that is to judge the candidate before it by itself."""
    return "\n\n".join([_task(view), _previous(previous), f"Tracking label: {label}", _ASSESS])


def repair(view: View, witness: str, inputs: str, expected: str, output: str) -> str:
    """The prompt that asks for a stronger contract. `inputs`, `expected` and `output` are one official case on which the witness
    is wrong."""
    return "\n\n".join(
        [
            "The contract below admits a program that does not do what the words say. Strengthen it.",
            _task(view),
            f"The program that it admits, as the function's body:\n{_code(witness)}",
            f"Where that program is wrong:\n- input: {inputs}\n- expected: {expected}\n- its output: {output}",
            _STRENGTHEN,
            "Answer with the function's whole signature and its clauses, as Verus, without a body.",
        ]
    )


def synthesis(description: str, contract: str, cases: Sequence[str], result_type: str) -> str:
    """The prompt that asks for an implementation. `cases` are visible ones, as text."""
    return "\n\n".join(
        [
            "Implement a function that is described in words and by a Verus contract.",
            f"In words:\n{description.strip()}",
            f"The contract:\n```rust\n{contract}\n```",
            "Official cases:\n" + "\n".join(f"- {c}" for c in cases),
            _IMPLEMENT.format(result=result_type),
            "Answer with the expression, and with nothing else.",
        ]
    )


def _task(view: View) -> str:
    contract = f"The contract, weaker than the words on purpose:\n```rust\n{view.contract}\n```"
    return f"In words:\n{view.description.strip()}\n\n{contract}"


def _previous(previous: str) -> str:
    shown = previous if len(previous) <= LONGEST else previous[: LONGEST - 1] + "…"
    return f"Your expression of the round before:\n{_code(shown)}"


def _code(text: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}rust\n{text}\n{fence}"


def _listed(examples: Sequence[str]) -> str:
    return "\n".join(f"- `{e}`" for e in examples) if examples else "- none"
