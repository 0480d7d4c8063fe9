"""What Verus says about a contract and a submission, beside what the embedded solver said.

In: two files. Out: `Confirmation`: each obligation as a Verus lemma with both answers, then the submission itself, plain and with
`--no-cheating`. Without Verus nothing is confirmed, and nothing stands in for it.

Verus proves or does not prove; it never refutes. So a lemma that Verus does not prove speaks against the embedded solver only
where that solver claims a proof, and then it is "Verus unsure"; a lemma that Verus proves and the embedded solver refuted is a
disagreement: one of the two is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from equiv.check import check_sources
from equiv.decide import DEFAULT_BUDGET
from equiv.verdict import Answer, CheckReport, Obligation, TargetReport
from referee.fence import Runner
from referee.verus import GET_VERUS, Verus, VerusKind, VerusResult, functions_of
from translate.parser import parse_file
from translate.source import SourceText, from_text

NOT_RUN = f"confirmed: not run (no Verus here; {GET_VERUS})"
_STEM = "obligation"


class Agreement(StrEnum):
    AGREE = "agree"  # both prove it, or the solver refutes it and Verus does not prove it
    VERUS_ALONE = "Verus alone"  # the solver left it open, Verus proves it
    UNSURE = "Verus unsure"  # the solver proves it, Verus does not
    OPEN = "open"  # neither
    DISAGREE = "DISAGREE"  # the solver refutes it, Verus proves it
    NOT_ASKED = "not asked"  # it has no Verus text, or Verus's answer was not understood


@dataclass(frozen=True, slots=True)
class Compared:
    """One obligation, twice answered."""

    target: str
    obligation: Obligation
    agreement: Agreement
    why: str
    result: VerusResult | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Confirmation:
    """`confirmed`: True where the contract is kept, Verus disagrees nowhere, and accepts the submission both ways; False where it
    disagrees or rejects; None where something stays open. `ran` is False without Verus."""

    report: CheckReport
    ran: bool
    compared: tuple[Compared, ...] = ()
    plain: VerusResult | None = None
    no_cheating: VerusResult | None = None
    accepted: tuple[tuple[str, bool], ...] = ()
    verus: str = ""
    fence: str = ""

    @property
    def disagreements(self) -> list[Compared]:
        return [c for c in self.compared if c.agreement is Agreement.DISAGREE]

    @property
    def confirmed(self) -> bool | None:
        if not self.ran or self.plain is None or self.no_cheating is None:
            return None
        rejected = VerusKind.REJECTED in (self.plain.kind, self.no_cheating.kind)
        if self.disagreements or rejected or self.report.kept() is False:
            return False
        accepted = self.plain.kind is self.no_cheating.kind is VerusKind.ACCEPTED
        if accepted and not all(ok for _, ok in self.accepted):
            return False
        steady = all(c.agreement in (Agreement.AGREE, Agreement.VERUS_ALONE) for c in self.compared)
        return True if accepted and steady and self.report.kept() is True else None


def compare(answer: Answer, result: VerusResult, lemma: str, text: str) -> tuple[Agreement, str]:
    """The embedded solver's answer beside Verus's result on the lemma's file."""
    if result.kind is VerusKind.ACCEPTED and not result.accepts(lemma, text, _STEM):
        return Agreement.NOT_ASKED, f"the file verifies, but `{lemma}` is not among the functions that were verified"
    if result.kind in (VerusKind.ERROR, VerusKind.STOPPED):
        return Agreement.NOT_ASKED, result.why
    if result.kind is VerusKind.REJECTED and result.before_verifying:
        return Agreement.NOT_ASKED, f"Verus does not read the lemma: {result.why}"
    proved = result.kind is VerusKind.ACCEPTED
    table = {
        (Answer.PROVED, True): Agreement.AGREE,
        (Answer.PROVED, False): Agreement.UNSURE,
        (Answer.REFUTED, True): Agreement.DISAGREE,
        (Answer.REFUTED, False): Agreement.AGREE,
        (Answer.UNKNOWN, True): Agreement.VERUS_ALONE,
        (Answer.UNKNOWN, False): Agreement.OPEN,
    }
    return table[answer, proved], "Verus proves it" if proved else f"Verus does not prove it: {result.why}"


def confirm(
    original: SourceText,
    submitted: SourceText,
    *,
    verus: Verus | None,
    runner: Runner,
    targets: Sequence[str] | None = None,
    budget: int = DEFAULT_BUDGET,
    rlimit: float | None = None,
) -> Confirmation:
    """Checks, and has Verus confirm. Raises `UnknownTarget`."""
    report = check_sources(original, submitted, targets=targets, budget=budget, want_lemmas=verus is not None)
    return confirm_report(report, submitted, verus=verus, runner=runner, rlimit=rlimit)


def confirm_report(
    report: CheckReport, submitted: SourceText, *, verus: Verus | None, runner: Runner, rlimit: float | None = None
) -> Confirmation:
    """Has Verus confirm a report whose obligations have their text as Verus files (`want_lemmas`)."""
    if verus is None:
        return Confirmation(report, False)
    compared = [_asked(t, o, verus, runner, rlimit) for t in report.targets for o in t.obligations]
    plain = verus.verify(submitted.text, runner, rlimit=rlimit)
    strict = verus.verify(submitted.text, runner, rlimit=rlimit, no_cheating=True)
    accepted = tuple((t.target, plain.accepts(t.target, submitted.text, "submitted")) for t in report.targets)
    return Confirmation(report, True, tuple(compared), plain, strict, accepted, verus.version, runner.describe())


def _asked(target: TargetReport, obligation: Obligation, verus: Verus, runner: Runner, rlimit: float | None) -> Compared:
    text = obligation.lemma
    if text is None:
        return Compared(target.target, obligation, Agreement.NOT_ASKED, "it has no text in Verus")
    proofs = [path for path, fn in functions_of(parse_file(from_text("lemma.rs", text)).items, "") if fn.mode == "proof"]
    if not proofs:
        return Compared(target.target, obligation, Agreement.NOT_ASKED, "its text has no lemma")
    result = verus.verify(text, runner, rlimit=rlimit, stem=_STEM)
    return Compared(target.target, obligation, *compare(obligation.answer, result, proofs[-1], text), result)


# --- for people and programs --------------------------------------------------------------------------------------------


def confirmation_lines(c: Confirmation) -> list[str]:
    """The confirmation in lines of text."""
    if not c.ran:
        return [NOT_RUN]
    lines = []
    for one in c.compared:
        mark = (
            "‼"
            if one.agreement is Agreement.DISAGREE
            else "✓"
            if one.agreement in (Agreement.AGREE, Agreement.VERUS_ALONE)
            else "?"
        )
        solver = str(one.obligation.answer)
        lines.append(f"{mark} {one.target} {one.obligation.name}: {one.agreement} (embedded solver: {solver}; {one.why})")
    for one in c.disagreements:
        lines.append(
            f"DISAGREEMENT on {one.target} {one.obligation.name}: the embedded solver refutes what Verus proves. "
            "One of the two is wrong: please report it with both files."
        )
    for name, result in (("plain", c.plain), ("--no-cheating", c.no_cheating)):
        if result is not None:
            counts = f", {result.verified} verified, {result.errors} errors" if result.kind is not VerusKind.ERROR else ""
            lines.append(f"submission, {name}: {result.kind}{counts}{f': {result.why}' if result.why else ''}")
    lines += [f"  {target} is not among the verified functions" for target, ok in c.accepted if not ok]
    word = {True: "the referee accepted", False: "NO", None: "not decided"}[c.confirmed]
    lines.append(f"confirmed: {word} (Verus {c.verus}; {c.fence}); Verus emits no proof object that could be checked again")
    return lines


def confirmation_json(c: Confirmation) -> dict[str, Any]:
    """The confirmation as data."""
    if not c.ran:
        return {"confirmed": "not run", "why": f"no Verus here; {GET_VERUS}"}

    def one(result: VerusResult | None) -> dict[str, Any] | None:
        if result is None:
            return None
        measured = ("wall", "peak_memory_mb")  # these change from run to run, and a report does not
        said = {name: value for name, value in result.summary().items() if name not in measured}
        return {**said, "stdout": result.raw_out, "stderr": result.raw_err}

    return {
        "confirmed": {True: "accepted", False: "no", None: "undecided"}[c.confirmed],
        "verus": c.verus,
        "fence": c.fence,
        "obligations": [
            {
                "target": o.target,
                "name": o.obligation.name,
                "embedded": str(o.obligation.answer),
                "agreement": str(o.agreement),
                "why": o.why,
                "lemma": o.obligation.lemma,
                "verus": one(o.result),
            }
            for o in c.compared
        ],
        "submission": {"plain": one(c.plain), "no_cheating": one(c.no_cheating)},
        "accepted_targets": dict(c.accepted),
    }
