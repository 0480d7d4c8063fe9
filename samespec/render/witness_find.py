"""The reports of `samespec witness find`, as text for people and as JSON (`samespec/witness-find/1`, docs/json.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from equiv.verdict import ClauseRef
from samespec.render.json_report import Json, clause_json, dump, versions
from samespec.render.text import INDENT, LONG_CLAUSE, Paint, folded, visible
from witness.finding import (
    Bindings,
    CaseAnswer,
    ClauseAnswer,
    FindReport,
    Fit,
    OutputAnswer,
    Pinned,
    TwoOutputs,
    Weight,
)

FIND_SCHEMA = "samespec/witness-find/1"

#: The answers as words of a sentence.
ANSWER = {
    Pinned.DETERMINED: "determined",
    Pinned.TWO_OUTPUTS: "two outputs",
    Pinned.CONTRADICTORY: "contradictory",
    Pinned.DECLARED: "declared free",
    Pinned.UNDECIDED: "undecided",
    Pinned.UNSUPPORTED: "unsupported",
}
#: Whether an answer is good news; None where nobody knows.
GOOD = {
    Pinned.DETERMINED: True,
    Pinned.DECLARED: True,
    Pinned.TWO_OUTPUTS: False,
    Pinned.CONTRADICTORY: False,
    Pinned.UNDECIDED: None,
    Pinned.UNSUPPORTED: None,
}
MARK = {True: "✓", False: "✗", None: "?"}
FITTING = {Fit.FITS: True, Fit.UNDECIDED: None}


def find_text(reports: Sequence[FindReport], *, path: str, color: bool) -> str:
    """The reports, one function after another, and a summary where there are several; ends with a line break."""
    paint = Paint(color)
    lines: list[str] = []
    for report in reports:
        lines += _target(report, paint)
    if not reports:
        lines.append(f"nothing to look at: no function of {folded(path)} has a contract and an output")
    elif len(reports) > 1:
        counted = {a: sum(r.answer is a for r in reports) for a in Pinned}
        lines.append("; ".join(f"{ANSWER[a]}: {n} of {len(reports)}" for a, n in counted.items() if n))
    return "\n".join(lines) + "\n"


def _target(r: FindReport, paint: Paint) -> Iterator[str]:
    good = GOOD[r.answer]
    declared = [f"`{folded(o.name)}` up to {folded(o.relation)}" for o in r.outputs if o.relation != "same"]
    behind = f" ({', '.join(declared)})" if declared else ""
    yield paint.answer(good, f"{MARK[good]} {folded(r.target)}: {ANSWER[r.answer]}") + behind
    if r.why:
        yield f"{INDENT}{folded(r.why)}"
    if r.two is not None:
        yield from _indented(_two(r.two, paint))
    many = len(r.outputs) > 1
    for o in r.outputs:
        if o.answer is Pinned.UNDECIDED:
            yield from _indented(_undecided(o, paint))
        elif many and r.answer not in (Pinned.DETERMINED, Pinned.DECLARED):
            yield f"{INDENT}`{folded(o.name)}`: {ANSWER[o.answer]}"
    for note in r.notes:
        yield f"{INDENT}note: {folded(note)}"
    if r.clauses:
        yield from _indented(_clauses(r, paint))
    if r.cases:
        yield from _indented(_cases(r.cases, paint))


def _two(two: TwoOutputs, paint: Paint) -> Iterator[str]:
    yield f"{'with ' + paint.strong(_values(two.inputs)) if two.inputs else 'with no parameters'} the contract allows"
    yield f"  {paint.strong(_values(two.first))}"
    yield f"  {paint.strong(_values(two.second))}"
    yield paint.faint(f"  {'replayed' if two.replayed else 'not replayed'}: {folded(two.replay)}")


def _undecided(o: OutputAnswer, paint: Paint) -> Iterator[str]:
    yield f"`{folded(o.name)}`: neither proved nor refuted that it is determined"
    yield paint.faint(f"  tried: {folded(o.method)}")
    if o.found is not None:
        yield "  the solver suggests two outputs that the evaluator could not confirm:"
        yield from _indented(_two(o.found, paint), "  ")


def _clauses(r: FindReport, paint: Paint) -> Iterator[str]:
    yield "clauses:"
    for c in r.clauses:
        yield from _indented(_clause(c, paint), "  ")
    if r.removable and len(r.removable) < sum(c.weight is Weight.REDUNDANT for c in r.clauses):
        shown = ", ".join(f"`{_short(c.text)}`" for c in r.removable)
        yield f"  not all redundant clauses can go at once; these can: {shown}"


def _clause(c: ClauseAnswer, paint: Paint) -> Iterator[str]:
    where = "" if c.clause.place is None else paint.faint(visible(str(c.clause.place)) + ": ")
    text = f"{where}{c.clause.kind} {paint.strong(folded(c.clause.text))}"
    if c.weight is Weight.CARRIES:
        yield f"carries weight: {text}"
        yield f"  it alone forbids {_values(c.example)}"
    elif c.weight is Weight.REDUNDANT:
        yield f"{paint.open('redundant')}: {text}"
        yield f"  it follows from the rest ({folded(c.method)})"
    else:
        yield f"{paint.open('undecided')}: {text}"
        yield paint.faint(f"  {folded(c.method)}")


def _cases(cases: Sequence[CaseAnswer], paint: Paint) -> Iterator[str]:
    fitting = sum(c.fit is Fit.FITS for c in cases)
    yield f"cases: {fitting} of {len(cases)} fit"
    for c in cases:
        if c.fit is Fit.FITS:
            continue
        good = FITTING.get(c.fit, False)
        given = f"{_values(c.inputs) or 'no parameters'} gives {_values(c.expected) or 'nothing'}"
        yield f"  {paint.answer(good, f'{MARK[good]} case {c.number}')}: {given}"
        yield f"    {folded(c.why)}"
        if c.other:
            yield f"    another output: {paint.strong(_values(c.other))}"
        for clause in c.clauses:
            where = "" if clause.place is None else paint.faint(visible(str(clause.place)) + ": ")
            yield f"    {where}{clause.kind} {paint.strong(folded(clause.text))}"


def _values(bindings: Bindings) -> str:
    return ", ".join(f"{folded(name)} = {folded(value)}" for name, value in bindings)


def _short(text: str) -> str:
    return folded(text if len(text) <= LONG_CLAUSE else text[:LONG_CLAUSE].rstrip() + " …")


def _indented(lines: Iterator[str], by: str = INDENT) -> Iterator[str]:
    return (by + line for line in lines)


# --- JSON ------------------------------------------------------------------------------------------------------------


def find_json(reports: Sequence[FindReport], *, path: str, sha256: str, budget: int, exit_status: int) -> str:
    """The reports as `samespec witness find --format json` prints them; the same bytes in every run on the same input."""
    return dump(
        {
            "schema": FIND_SCHEMA,
            "versions": versions(),
            "file": {"path": path, "sha256": sha256},
            "budget": budget,
            "exit_status": exit_status,
            "targets": [_target_json(r) for r in reports],
        }
    )


def _target_json(r: FindReport) -> Json:
    place = r.place
    return {
        "target": r.target,
        "answer": str(r.answer),
        "place": None if place is None else {"file": place.file, "line": place.line, "column": place.column},
        "why": r.why,
        "two_outputs": None if r.two is None else _two_json(r.two),
        "outputs": [
            {
                "name": o.name,
                "type": o.type,
                "relation": o.relation,
                "answer": str(o.answer),
                "method": o.method,
                "found": None if o.found is None else _two_json(o.found),
            }
            for o in r.outputs
        ],
        "clauses": [
            {"clause": _clause_json(c.clause), "weight": str(c.weight), "method": c.method, "example": _bindings(c.example)}
            for c in r.clauses
        ],
        "removable": [_clause_json(c) for c in r.removable],
        "cases": [
            {
                "number": c.number,
                "inputs": _bindings(c.inputs),
                "expected": _bindings(c.expected),
                "fit": str(c.fit),
                "why": c.why,
                "clauses": [_clause_json(k) for k in c.clauses],
                "other": _bindings(c.other),
            }
            for c in r.cases
        ],
        "notes": list(r.notes),
    }


def _clause_json(clause: ClauseRef) -> Json:
    whole = clause_json(clause)
    return {k: whole[k] for k in ("kind", "text", "place")}


def _two_json(two: TwoOutputs) -> Json:
    return {
        "inputs": _bindings(two.inputs),
        "first": _bindings(two.first),
        "second": _bindings(two.second),
        "replayed": two.replayed,
        "replay": two.replay,
    }


def _bindings(bindings: Bindings) -> list[Json]:
    return [{"name": name, "value": value} for name, value in bindings]
