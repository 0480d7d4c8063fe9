"""A check's report, and a comparison's, as text for people.

In: the records of `equiv.verdict`. Out: lines of text, coloured or plain. Everything that comes from the user's files
is made harmless for a terminal first: a submission must not be able to repaint its own verdict.
"""

from __future__ import annotations

import difflib
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from equiv.verdict import (
    CheckReport,
    ClauseRef,
    Counterexample,
    MeaningChange,
    Obligation,
    Reason,
    TargetReport,
    TestAnswer,
    Verdict,
)

INDENT = "    "
SHORT_DEFINITION = 12  # lines: up to here old and new are shown whole, above it as a diff

LONG_CLAUSE = 60  # characters of a clause that is quoted in a sentence and stands in full on a line of its own
MOST_NOTES = 10  # a file that is no Rust at all has a parse problem in every line

# What "not confirmed" means, in the words of design section 6.
CONFIRMED = "confirmed: not run (samespec's embedded solver decided; Verus was not asked)"

SAME = {"text": "same text", "syntax": "same syntax tree", "logic": "same logic"}

# Characters that change what a terminal shows around them.
_DIRECTION = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def visible(text: str) -> str:
    """The text with control and direction characters written as escapes (line breaks and tabs stay)."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c in "\n\t" or not _hidden(c) else f"\\u{{{ord(c):x}}}" for c in text)


def _hidden(c: str) -> bool:
    return c in _DIRECTION or unicodedata.category(c) in ("Cc", "Cs")


def folded(text: str) -> str:
    """The text on one line."""
    return visible(" ".join(text.split()))


@dataclass(frozen=True, slots=True)
class Paint:
    """Colours, or none."""

    on: bool

    def _wrap(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.on else text

    def good(self, text: str) -> str:
        return self._wrap("32", text)

    def bad(self, text: str) -> str:
        return self._wrap("31", text)

    def open(self, text: str) -> str:
        return self._wrap("33", text)

    def strong(self, text: str) -> str:
        return self._wrap("1", text)

    def faint(self, text: str) -> str:
        return self._wrap("2", text)

    def answer(self, kept: bool | None, text: str) -> str:
        """The text in the colour of a verdict."""
        return self.open(text) if kept is None else self.good(text) if kept else self.bad(text)


def mark(kept: bool | None) -> str:
    return "?" if kept is None else "✓" if kept else "✗"


def check_text(
    report: CheckReport,
    *,
    strict: bool,
    verbose: bool,
    color: bool,
    behind: Sequence[str] = (),
    confirmed: Sequence[str] = (),
) -> str:
    """The report as `samespec check` prints it; ends with a line break. `behind` are lines, safe for a terminal, that follow
    the summary, `confirmed` what is said of Verus."""
    paint = Paint(color)
    lines: list[str] = []
    for target in report.targets:
        lines += target_lines(target, strict, verbose, paint)
    for change in report.unreached:
        what = f"{folded(change.name)}: {folded(change.answer)} (no target's contract reaches it)"
        lines.append(f"{paint.open('!')} {what}")
        lines += _indented(_meaning(change.change, paint))
    lines += [f"note: {folded(note)}" for note in report.notes[:MOST_NOTES]]
    if len(report.notes) > MOST_NOTES:
        lines.append(f"note: {len(report.notes) - MOST_NOTES} more (--format json has them all)")
    lines.append(paint.answer(report.kept(strict=strict), summary(report, strict=strict)))
    lines += behind
    lines += [paint.faint(line) for line in confirmed or (CONFIRMED,)]
    return "\n".join(lines) + "\n"


def summary(report: CheckReport, *, strict: bool) -> str:
    """One line: the answer for the whole submission, and how many targets it rests on."""
    total = len(report.targets)
    if not total:
        return f"undecided: nothing to check: no function of {folded(report.original)} has a contract"
    kept = [t.verdict.kept(strict=strict) for t in report.targets]
    broken, unknown = kept.count(False), kept.count(None)
    targets = f"{total} target" + ("s" if total > 1 else "")
    if broken:
        return f"not kept: {broken} of {targets}" + (f" ({unknown} more undecided)" if unknown else "")
    if unknown:
        return f"undecided: {unknown} of {targets}" + (" (the others are kept)" if unknown < total else "")
    return f"kept: {targets}" if total == 1 else f"kept: all {targets}"


def target_lines(target: TargetReport, strict: bool, verbose: bool, paint: Paint) -> Iterator[str]:
    """One target's verdict and its reasons, a line each."""
    kept = target.verdict.kept(strict=strict)
    yield paint.answer(kept, f"{mark(kept)} {folded(target.target)}: {target.verdict}") + _in_brackets(target, strict)
    for reason in target.reasons:
        yield from _indented(_reason(reason, paint))
    if target.core and not any(set(target.core) <= set(r.clauses) for r in target.reasons):
        yield f"{INDENT}these clauses contradict each other:"
        yield from _indented(_clauses(target.core, paint))
    for change in target.meaning:
        yield from _indented(_meaning(change, paint))
    if target.uninterpreted:
        names = ", ".join(f"`{folded(name)}`" for name in target.uninterpreted)
        yield f"{INDENT}note: taken as the same unknown function on both sides: {names}"
    for note in target.notes:
        yield f"{INDENT}note: {folded(note)}"
    if verbose:
        for place in (target.original_place, target.submitted_place):
            if place is not None:
                yield f"{INDENT}{paint.faint(visible(str(place)))}"
        for obligation in target.obligations:
            yield INDENT + paint.faint(_obligation(obligation))


def _in_brackets(target: TargetReport, strict: bool) -> str:
    """What stands behind the verdict in the headline: the reasons' codes, or what is the same."""
    words = list(dict.fromkeys(r.code for r in target.reasons if r.code != target.verdict))
    if target.same is not None and target.verdict is Verdict.EQUIVALENT:
        words.append(SAME.get(target.same, target.same) + (", other definitions" if target.meaning else ""))
    if strict and target.verdict is Verdict.REFINES:
        words.append("not accepted with --strict")
    return f" ({', '.join(words)})" if words else ""


def _reason(reason: Reason, paint: Paint) -> Iterator[str]:
    """The reason's sentence, its clauses in full, its counterexample; elsewhere long clauses are cut short."""
    yield _cut(reason.message, reason.clauses)
    yield from _indented(_clauses(reason.clauses, paint), "  ")
    if reason.counterexample is not None:
        yield from _counterexample(reason.counterexample, reason.clauses, paint)


def _cut(sentence: str, clauses: Iterable[ClauseRef]) -> str:
    for clause in clauses:
        if len(clause.text) > LONG_CLAUSE:
            sentence = sentence.replace(clause.text, clause.text[:LONG_CLAUSE].rstrip() + " …")
    return folded(sentence)


def _clauses(clauses: Iterable[ClauseRef], paint: Paint) -> Iterator[str]:
    for clause in clauses:
        where = visible(str(clause.place)) if clause.place is not None else clause.side
        yield (paint.faint(where + ": ") if where else "") + f"{clause.kind} {paint.strong(folded(clause.text))}"


def _counterexample(example: Counterexample, clauses: Sequence[ClauseRef], paint: Paint) -> Iterator[str]:
    values = ", ".join(f"{folded(name)} = {folded(value)}" for name, value in example.bindings)
    none = "with no parameters:" if example.replayed else "with values too large to write down:"
    yield f"with {paint.strong(values)}:" if values else none
    for line in example.trace:
        yield f"  {_cut(line, clauses)}"
    yield paint.faint(f"  {'replayed' if example.replayed else 'not replayed'}: {folded(example.replay)}")


def _meaning(change: MeaningChange, paint: Paint) -> Iterator[str]:
    what = f"{change.kind} `{folded(change.name)}`"
    if not change.old:
        yield f"{what} is new:"
    elif not change.new:
        yield f"{what} is gone:"
    else:
        yield f"{what} is defined otherwise:"
    old = textwrap.dedent(visible(change.old)).splitlines()
    new = textwrap.dedent(visible(change.new)).splitlines()
    if old and new and max(len(old), len(new)) > SHORT_DEFINITION:
        where = " → ".join(visible(str(p)) for p in (change.old_place, change.new_place) if p is not None)
        if where:
            yield f"  {paint.faint(where)}"
        for line in list(difflib.unified_diff(old, new, lineterm="", n=2))[2:]:
            yield "  " + (paint.bad(line) if line[0] == "-" else paint.good(line) if line[0] == "+" else line)
        return
    for sign, colour, text, place in (
        ("-", paint.bad, old, change.old_place),
        ("+", paint.good, new, change.new_place),
    ):
        if text and place is not None:
            yield f"  {paint.faint(visible(str(place)) + ':')}"
        for line in text:
            yield f"  {colour(f'{sign} {line}')}"


def _obligation(obligation: Obligation) -> str:
    clause = "" if obligation.clause is None else f": {obligation.clause.kind} {folded(obligation.clause.text)}"
    spent = f", {obligation.rlimit} units" if obligation.rlimit else ""
    detail = f"; {folded(obligation.detail)}" if obligation.detail else ""
    second = f"; second solver: {obligation.cross_check}" if obligation.cross_check else ""
    return f"[{obligation.answer}] {obligation.question}{clause} ({folded(obligation.method)}{spent}{detail}{second})"


def _indented(lines: Iterable[str], by: str = INDENT) -> Iterator[str]:
    return (by + line for line in lines)


ANSWER = {True: "kept", False: "not kept", None: "cannot say"}


def compare_text(rows: Sequence[tuple[str, Sequence[TestAnswer]]], *, color: bool) -> str:
    """A table of targets and tests, and why each test says what it says."""
    paint = Paint(color)
    if not rows:
        return "nothing to compare: no function of the original has a contract\n"
    width = max(len(a.test) for _, answers in rows for a in answers)
    lines: list[str] = []
    for target, answers in rows:
        lines.append(paint.strong(folded(target)))
        for a in answers:
            said = paint.answer(a.kept, f"{mark(a.kept)} {ANSWER[a.kept]:<10}")
            lines.append(f"  {a.test:<{width}}  {said}  {folded(a.why)}")
    return "\n".join(lines) + "\n"
