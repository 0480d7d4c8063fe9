"""The records of the room: what a task, a candidate, a gate's answer and a certificate are.

In: nothing. Out: frozen records. All of them are plain data: no solver term is kept in them, so they live across pieces of work
(`translate.terms.own_terms`), and two that are equal mean the same.

The words, after "When Correctness Feedback Erases Evidence: Phase-Separated Completeness Auditing in Verus":

- A **task** has a full contract S and a weakened one S⁻, in which one postcondition is dropped or relaxed. S⁻ really promises
  less: a counterexample that the evaluator confirmed says so when the task is made.
- A **candidate** is a side-effect-free Rust expression over the parameters.
- A candidate is a certified **witness** when it passes four gates: it verifies under S⁻; with the omitted postcondition restored
  it does not; it compiles and runs; it disagrees with at least one official case.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

from translate.terms import Sort
from translate.values import Value

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"

#: Cases that may guide a search and decide gate 4, cases that are kept from both, examples of wrong expressions: at most so many.
VISIBLE: Final = 16
WITHHELD: Final = 8
EXAMPLES: Final = 8


class OmissionKind(StrEnum):
    """What S⁻ still says about the output. Read off the structure of the contract, never off what a search finds."""

    RESIDUAL = "residual"  # a postcondition remains that speaks of the result, or of a `&mut` parameter's value on return
    TOTAL = "total"  # none does: every output of the right type is admitted


@dataclass(frozen=True, slots=True)
class Omission:
    """What S⁻ lacks. `rule` is a name in `witness.weaken.RULES`; `clause` is the text in S, `becomes` what stands in its place in
    S⁻ ("" where nothing does); `line` and `column` count from 1 in the file of S."""

    kind: OmissionKind
    rule: str
    clause: str
    becomes: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Parameter:
    """`type` is the text in the file; `sort` the type's logical sort, references taken off; `mutable` says that it is `&mut`."""

    name: str
    type: str
    sort: Sort
    mutable: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """One run of the correct implementation. `inputs` are in the order of the parameters; `output` is the result (`None` for a
    function without one); `final` the values of the `&mut` parameters on return, in their order.

    `origin` is "given" (written beside the task by hand) or "generated" (made by rule, see `witness.cases`; what comes out is
    what the correct implementation computed). Both are official: the oracle is the correct implementation.
    """

    inputs: tuple[Value, ...]
    output: Value | None
    final: tuple[Value, ...] = ()
    origin: str = "given"


@dataclass(frozen=True, slots=True)
class Task:
    """A task, fixed before any candidate is seen.

    `full` and `weakened` are the texts of whole files, equal but for the contract of `function` (its path in the file, without
    `crate::`), with the correct implementation as its body. `implementation` is a text that rustc compiles and that gave the
    cases their outputs (the same file for a task of the corpus, `code.rs` for one in VeriContest's layout).
    `result_type` is "" and `result_sort` None for a function that returns nothing. `examples` are known-wrong expressions: each
    gives a wrong output on a visible case; nobody asked whether S⁻ admits them.
    `sha256` is the hash of everything else here (`witness.store.task_hash`).
    """

    name: str
    description: str
    source: str
    function: str
    full: str
    weakened: str
    implementation: str
    omission: Omission
    parameters: tuple[Parameter, ...]
    result_type: str
    result_sort: Sort | None
    visible: tuple[Case, ...]
    withheld: tuple[Case, ...]
    examples: tuple[str, ...]
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that claims to be a witness.

    `text` is what came, byte for byte; `expression` what is judged: the same without surrounding white space, or what the
    parser repair made of it (then `repairs` says what was done). `problem` is None where the expression is in the language of
    `witness.language`, else it says what is not allowed and where. `call` is the number of the call in its episode, from 1;
    `origin` names the source ("solver", "given", a provider).
    """

    text: str
    expression: str
    problem: str | None = None
    repairs: tuple[str, ...] = ()
    call: int = 1
    origin: str = "given"

    @property
    def parses(self) -> bool:
        return self.problem is None


class Outcome(StrEnum):
    """A gate's answer. `UNKNOWN` is neither of the others: nobody showed that the candidate passes, nor that it fails."""

    PASS = "pass"
    FAIL = "fail"
    UNKNOWN = "unknown"


class Gate(StrEnum):
    """The four gates, in their order."""

    ADMITTED = "admitted"  # 1: the candidate verifies under S⁻
    REJECTED = "rejected"  # 2: with the omitted postcondition restored, verification fails
    RUNS = "runs"  # 3: it compiles, and runs to an end on every visible case
    DISAGREES = "disagrees"  # 4: on a visible case its output is not the official one


@dataclass(frozen=True, slots=True)
class GateResult:
    """What one gate said. `checker` is who said it: "embedded" (samespec's verifier for expressions), "verus", "rustc", "cases"
    (the outputs of the compiled candidate), "" where nobody was asked. `reason` is one sentence for people; `evidence` is what a
    program or a person can check again: obligations, counterexamples, outputs case by case, messages."""

    gate: Gate
    outcome: Outcome
    checker: str
    reason: str
    evidence: Mapping[str, Json] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        return self.outcome is Outcome.PASS


@dataclass(frozen=True, slots=True)
class Judgement:
    """A candidate and what the gates said about it (all four, in order; a candidate that is not in the language has four answers
    `fail` that say so). `divergences` is the number of visible cases on which it disagrees; `withheld` the same for the withheld
    ones, None where that was not asked: it decides nothing."""

    candidate: Candidate
    gates: tuple[GateResult, ...]
    divergences: int = 0
    withheld: int | None = None

    def gate(self, gate: Gate) -> GateResult:
        return next(g for g in self.gates if g.gate is gate)

    @property
    def certified(self) -> bool:
        """Whether all four gates passed: then, and only then, the candidate is a witness."""
        return len(self.gates) == len(Gate) and all(g.passed for g in self.gates)


@dataclass(frozen=True, slots=True)
class Certificate:
    """The judgement of a selected candidate, with what it rests on. `considered` is how many candidates the selection had;
    `versions` names programs and libraries with their versions; `hashes` are SHA-256 sums: "task", "full", "weakened",
    "implementation", "expression". It says "certified" only where `judgement.certified`."""

    task: str
    judgement: Judgement
    considered: int
    hashes: Mapping[str, str]
    versions: Mapping[str, str]

    @property
    def certified(self) -> bool:
        return self.judgement.certified
