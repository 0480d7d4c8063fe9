"""Verdicts: the vocabulary in which every contract test answers.

In: nothing. Out: frozen records that the front door renders (terminal, JSON) and that tests compare. The words and their
meaning are those of docs/design.md, section 4.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Verdict(StrEnum):
    EQUIVALENT = "equivalent"
    REFINES = "refines"
    WEAKENED = "weakened"
    VACUOUS = "vacuous"
    INTERFACE_CHANGED = "interface-changed"
    MISSING = "missing"
    UNDECIDED = "undecided"
    UNSUPPORTED = "unsupported"

    def kept(self, *, strict: bool = False) -> bool | None:
        """True: the contract was kept; False: it was not; None: nobody knows. `strict` does not accept `refines`."""
        match self:
            case Verdict.EQUIVALENT:
                return True
            case Verdict.REFINES:
                return not strict
            case Verdict.UNDECIDED | Verdict.UNSUPPORTED:
                return None
            case _:
                return False


class Question(StrEnum):
    """The five questions of design section 4, for (P, Q) original and (P', Q') submitted."""

    ACCEPTS = "accepts every input it used to"  # P => P'
    PROMISES = "promises at least as much"  # P and Q' => Q
    ACCEPTS_NO_MORE = "accepts no more"  # P' => P
    PROMISES_NO_MORE = "promises no more"  # P' and Q => Q'
    CALLABLE = "can be called at all"  # P' satisfiable, where P is


class Answer(StrEnum):
    PROVED = "proved"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file: 1-based line and column (in characters)."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class ClauseRef:
    """One clause of a contract. `side` is "original" or "submitted"; `kind` "requires", "ensures", "returns", or "type" for the
    range of a type; `text` is the source text, white space folded."""

    side: str
    kind: str
    text: str
    place: Place | None


@dataclass(frozen=True, slots=True)
class Obligation:
    """One implication that was put to the decision procedures: the premises imply `clause`.

    `method` says what decided it: "same terms", "normal form", "z3", "case split", "induction", "search", …; for an unknown one
    it lists what was tried. `rlimit` is what the solver spent, in its own resource units (0: no solver was asked).
    `name` is unique in the target and names the file of the certificate.
    """

    name: str
    question: Question
    clause: ClauseRef | None
    answer: Answer
    method: str
    rlimit: int = 0
    detail: str = ""
    smt2: str | None = field(default=None, repr=False, compare=False)
    expected: str | None = None  # what a solver answers on `smt2`: "unsat", "sat" or "unknown"
    #: the obligation as a Verus file (see `equiv.lemmas`), on request
    lemma: str | None = field(default=None, repr=False, compare=False)
    #: what a second solver says: "agrees", "unsure", "disagrees"; None: it was not asked
    cross_check: str | None = None


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Concrete values in Rust syntax that refute an obligation, in the order of the parameters, the result last.

    `bindings` are (name, value) pairs; a `&mut` parameter has two, "old(x)" and "final(x)". `replayed` says whether the
    evaluator, which shares no code with the solver, confirmed it; `replay` how, or why it could not. `trace` tells what holds and
    what fails, line by line.
    """

    question: Question
    bindings: tuple[tuple[str, str], ...]
    replayed: bool
    replay: str
    trace: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MeaningChange:
    """A definition that the contract names and that differs between the two files (`new` or `old` is "" where it is absent)."""

    kind: (
        str  # "spec function", "constant", "type", "type alias", "View implementation", "trait implementation", "macro", "import"
    )
    name: str
    old: str
    new: str
    old_place: Place | None
    new_place: Place | None


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a verdict is what it is. `code` is a stable word: "requires-strengthened", "ensures-weakened", "vacuous",
    "parameter-type", "result-type", "mode", "generics", "parameter-count", "gone", "external", "outside-verus", "unsupported",
    "undecided", …; `message` one sentence for people; `clauses` the clauses it is about."""

    code: str
    message: str
    clauses: tuple[ClauseRef, ...] = ()
    counterexample: Counterexample | None = None


@dataclass(frozen=True, slots=True)
class TargetReport:
    """The verdict on one function.

    `same` is "text", "syntax" or "logic" for a kept contract: the first of the three that is the same.
    `core` is, for `vacuous`, a smallest set of submitted clauses that contradict each other.
    `uninterpreted` names the functions whose meaning was not known on both sides and that were taken to be the same function.
    """

    target: str
    verdict: Verdict
    reasons: tuple[Reason, ...] = ()
    same: str | None = None
    obligations: tuple[Obligation, ...] = ()
    core: tuple[ClauseRef, ...] = ()
    meaning: tuple[MeaningChange, ...] = ()
    uninterpreted: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    original_place: Place | None = None
    submitted_place: Place | None = None


@dataclass(frozen=True, slots=True)
class SpecChange:
    """A spec function of the original that no target's contract reaches, and whose meaning changed: reported, not decisive."""

    name: str
    change: MeaningChange
    answer: str  # "different", "not shown to be the same", "gone"


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The whole check of one submission. `targets` are in the order of the original file."""

    original: str
    submitted: str
    original_sha256: str
    submitted_sha256: str
    targets: tuple[TargetReport, ...]
    unreached: tuple[SpecChange, ...] = ()
    notes: tuple[str, ...] = ()

    def kept(self, *, strict: bool = False) -> bool | None:
        """One broken target makes the whole not kept; else one undecided makes it undecided. No targets: undecided."""
        answers = [t.verdict.kept(strict=strict) for t in self.targets]
        if any(a is False for a in answers):
            return False
        return None if not answers or any(a is None for a in answers) else True


@dataclass(frozen=True, slots=True)
class TestAnswer:
    """What one contract test says about one target: kept or not (None: it cannot say), and why in one sentence."""

    __test__ = False  # not a pytest class

    test: str  # "textual", "subset-strict", "subset-naive", "ast", "logical"
    kept: bool | None
    why: str
