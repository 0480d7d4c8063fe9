"""A repair, as text for people and as JSON (`samespec/witness-repair/1`, docs/json.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from samespec.render.text import INDENT, Paint, folded, visible
from witness.repair_model import Bindings, NewClause, Repair

SCHEMA = "samespec/witness-repair/1"
#: What a wrong program is called, and several of them.
ORIGINS = {
    "certified": ("other certified witness", "other certified witnesses"),
    "example": ("known-wrong example", "known-wrong examples"),
    "like": ("small wrong program", "small wrong programs"),
}


def repair_text(r: Repair, *, color: bool) -> str:
    """The repaired signature, and under it the evidence; ends with a line break."""
    paint = Paint(color)
    lines: list[str] = []
    if not r.repaired:
        lines.append(paint.bad(f"✗ {folded(r.task)}: not repaired"))
        lines.append(f"{INDENT}{folded(r.why_not)}")
    else:
        lines.append(paint.good(f"✓ {folded(r.task)}: repaired"))
        lines += [f"{INDENT}{line}" for line in visible(r.signature).splitlines()]
        lines += _evidence(r, paint)
    lines += [f"{INDENT}note: {folded(n)}" for n in r.notes]
    lines.append(paint.faint("the description of the task was not read: clauses come from templates, cases and definitions"))
    return "\n".join(lines) + "\n"


def _evidence(r: Repair, paint: Paint) -> Iterator[str]:
    for clause in r.clauses:
        yield f"new: {paint.strong(folded(clause.text))}"
        yield from (INDENT + line for line in _clause(clause))
    yield f"the witness `{folded(r.witness)}` no longer verifies: {folded(r.witness_fails)}"
    rejected = Counter(p.origin for p in r.programs if p.clause is not None)
    every = Counter(p.origin for p in r.programs)
    for origin, (one, many) in ORIGINS.items():
        if every[origin]:
            what = one if every[origin] == 1 else many
            yield f"rejects {rejected[origin]} of {every[origin]} {what} that the weakened contract admits at the visible cases"
    left = [p.expression for p in r.programs if p.clause is None]
    if left:
        shown = ", ".join(f"`{folded(e)}`" for e in left[:5]) + (", …" if len(left) > 5 else "")
        yield f"{INDENT}{paint.open('not rejected')}: {shown}"
    if r.wrong_outputs:
        yield f"rejects {r.outputs_rejected} of {r.wrong_outputs} other outputs that it admits there"
    if r.original_known:
        strength = {True: "as strong as the full contract", False: "weaker than the full contract", None: "not decided"}
        yield f"keeps {r.cases} official cases; every new clause follows from the full contract (proved)"
        yield f"strength: {strength[r.full_strength]}"
    else:
        unknown = paint.open("nothing else is known")
        yield f"keeps {r.cases} official cases; {unknown} of the correct implementation (see --original-known)"


def _clause(c: NewClause) -> Iterator[str]:
    yield f"from: {c.kind}; it makes a difference at {c.support} visible cases"
    confirmed = "replayed" if c.needed.replayed else "it hangs on an unspecified value, so it cannot be replayed in full"
    yield f"needed: the rest admits {_values(c.needed.values)} ({confirmed})"
    left_open = f", {c.undecided} of these comparisons not decided" if c.undecided else ""
    if c.compared:
        yield f"minimal: none of {c.compared} other candidates that reject as much is strictly weaker{left_open}"
    else:
        yield "minimal: no other candidate rejects as much"


def _values(bindings: Bindings) -> str:
    return ", ".join(f"{folded(n)} = {folded(v)}" for n, v in bindings)


def repair_record(r: Repair) -> dict[str, Any]:
    """A repair as JSON."""
    return {
        "schema": SCHEMA,
        "task": r.task,
        "function": r.function,
        "witness": r.witness,
        "original_known": r.original_known,
        "repaired": r.repaired,
        "why_not": r.why_not,
        "signature": r.signature,
        "text": r.text,
        "clauses": [
            {
                "text": c.text,
                "kind": c.kind,
                "keeps": str(c.keeps),
                "needed": {"values": dict(c.needed.values), "replayed": c.needed.replayed},
                "support": c.support,
                "compared": c.compared,
                "undecided": c.undecided,
            }
            for c in r.clauses
        ],
        "programs": [
            {
                "origin": p.origin,
                "expression": p.expression,
                "clause": p.clause,
                "inputs": dict(p.inputs),
                "outputs": dict(p.outputs),
            }
            for p in r.programs
        ],
        "wrong_outputs": r.wrong_outputs,
        "outputs_rejected": r.outputs_rejected,
        "cases": r.cases,
        "candidates": r.candidates,
        "full_strength": r.full_strength,
        "witness_fails": r.witness_fails,
        "notes": list(r.notes),
    }

