"""What a reviewer has to look at, flattened: the layer below SARIF, JUnit, Markdown and annotations.

In: the reports of one check or of many (`samespec diff`), each with what was asked for besides the contracts. Out: one `Finding`
for every target that is not kept or not decided, for changed executable code, and for what a proof leans on, in the order of the
reports.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from equiv.verdict import CheckReport, Place, Reason, TargetReport, Verdict
from samespec.beside import Beside, joined
from samespec.render.text import folded, summary

ERROR, WARNING = "error", "warning"

#: What each rule says, for people who have never heard of samespec.
RULES = {
    "refines": "The contract is stronger than before, and only equivalent ones are accepted (--strict).",
    "weakened": "The contract accepts fewer inputs or promises less than before.",
    "vacuous": "The contract can never be called any more: its preconditions contradict each other.",
    "interface-changed": "Name, mode, parameter or result type, generics or ownership of a function with a contract differ.",
    "missing": "A function with a contract is gone, or is no longer verified code.",
    "undecided": "Nobody knows whether the contract was kept: it was neither proved nor refuted within the budget.",
    "unsupported": "The contract uses a construct that samespec does not translate.",
    "code-changed": "Executable code changed although only ghost code may (--mode proof).",
    "proof-hole": "The proof of a function leans on something that nobody proved.",
    "not-confirmed": "Verus did not confirm the result.",
}


@dataclass(frozen=True, slots=True)
class Reviewed:
    """One pair of files: the check's report, and what was asked for besides it."""

    report: CheckReport
    beside: tuple[Beside, ...] = ()

    def kept(self, *, strict: bool) -> bool | None:
        return joined([self.report.kept(strict=strict), *(b.answer for b in self.beside)])


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to look at. `rule` is a key of `RULES`, `level` `ERROR` (it is wrong) or `WARNING` (nobody knows).

    `place` is where to look in the submission (None: it is not there), `before` where in the original; `details` are lines.
    """

    rule: str
    level: str
    target: str
    message: str
    place: Place | None
    before: Place | None
    details: tuple[str, ...] = ()


def findings(reviewed: Sequence[Reviewed], *, strict: bool) -> list[Finding]:
    """Everything that is not kept or not decided."""
    return [f for r in reviewed for f in _of(r, strict)]


def _of(reviewed: Reviewed, strict: bool) -> Iterator[Finding]:
    for target in reviewed.report.targets:
        if target.verdict.kept(strict=strict) is not True:
            yield _contract(target, strict)
    for beside in reviewed.beside:
        match beside.key:
            case "code_changes":
                yield from map(_code, beside.value)
            case "audit":
                for target in beside.value:
                    yield from _holes(target)
            case _ if beside.answer is not True:
                level = WARNING if beside.answer is None else ERROR
                said = folded(beside.lines[-1])
                yield Finding("not-confirmed", level, reviewed.report.submitted, said, None, None, beside.lines)


def _contract(target: TargetReport, strict: bool) -> Finding:
    level = ERROR if target.verdict.kept(strict=strict) is False else WARNING
    first = folded(target.reasons[0].message) if target.reasons else RULES[target.verdict]
    message = f"{folded(target.target)}: {target.verdict}: {first}"
    place = next((c.place for r in target.reasons for c in r.clauses if c.side == "submitted"), None)
    before = next((c.place for r in target.reasons for c in r.clauses if c.side == "original"), None)
    details = tuple(line for reason in target.reasons for line in _reason(reason))[1:]  # the first one is in the message
    changed = tuple(f"{m.kind} {folded(m.name)} is defined otherwise" for m in target.meaning)
    return Finding(
        str(target.verdict),
        level,
        target.target,
        message,
        place or target.submitted_place,
        before or target.original_place,
        details + changed,
    )


def _reason(reason: Reason) -> Iterator[str]:
    yield folded(reason.message)
    for clause in reason.clauses:
        yield f"{clause.side}: {clause.kind} {folded(clause.text)}"
    example = reason.counterexample
    if example is not None:
        values = ", ".join(f"{folded(name)} = {folded(value)}" for name, value in example.bindings)
        yield f"with {values}" if values else "with no parameters"
        yield from map(folded, example.trace)
        yield f"{'replayed' if example.replayed else 'not replayed'}: {folded(example.replay)}"


def _code(change: dict[str, Any]) -> Finding:
    message = f"{folded(change['path'])}: {folded(change['what'])}"
    lines = (*(f"- {folded(x)}" for x in change["old"].splitlines()), *(f"+ {folded(x)}" for x in change["new"].splitlines()))
    return Finding(
        "code-changed", ERROR, change["path"], message, place_of(change["new_place"]), place_of(change["old_place"]), lines
    )


def _holes(target: dict[str, Any]) -> Iterator[Finding]:
    for found in target["findings"]:
        if found["class"] in ("escaped", "diverges", "unverified", "unresolved"):
            level = WARNING if found["class"] == "unresolved" else ERROR
            message = f"{folded(target['target'])} leans on {folded(found['node'])}: {folded(found['name'])} ({found['class']})"
            details = (folded(found["what"]), *filter(None, [folded(found["why"])]))
            yield Finding("proof-hole", level, target["target"], message, place_of(found["place"]), None, details)


def place_of(value: dict[str, Any] | str | None) -> Place | None:
    """A place as the JSON reports write it: an object, or `file:line:column`."""
    if value is None:
        return None
    if isinstance(value, str):
        file, line, column = value.rsplit(":", 2)
        return Place(file, int(line), int(column))
    return Place(value["file"], value["line"], value["column"])


def headline(reviewed: Sequence[Reviewed], *, strict: bool) -> str:
    """One line for all of it."""
    if len(reviewed) == 1 and not reviewed[0].beside:
        return summary(reviewed[0].report, strict=strict)
    targets = [t for r in reviewed for t in r.report.targets]
    answers = [t.verdict.kept(strict=strict) for t in targets]
    whole = joined([r.kept(strict=strict) for r in reviewed])
    word = {True: "kept", False: "not kept", None: "undecided"}[whole]
    words = ((False, "not kept"), (None, "undecided"), (True, "kept"))
    counts = [f"{answers.count(answer)} {said}" for answer, said in words if answer in answers] or ["none"]
    beside = sum(f.rule in ("code-changed", "proof-hole", "not-confirmed") for f in findings(reviewed, strict=strict))
    more = f"; {beside} other findings" if beside else ""
    return f"{word}: of {len(targets)} target{'' if len(targets) == 1 else 's'} {', '.join(counts)}{more}"


def ordered(targets: Sequence[TargetReport], *, strict: bool) -> list[TargetReport]:
    """The targets with those that need a look first: not kept, then open, then kept."""
    rank = {False: 0, None: 1, True: 2}
    return sorted(targets, key=lambda t: (rank[t.verdict.kept(strict=strict)], t.verdict is Verdict.EQUIVALENT))
