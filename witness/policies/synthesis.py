"""Implementations written to a contract, judged by that contract, by the full one and by the official cases.

In: a task, the text of a file with a contract of the same function, answers of a provider or the solver. Out: `Attempt`s. The
solver writes one implementation, the smallest expression that the contract is shown to admit: it looks at the contract alone. A
provider is shown the visible cases as well (`prompts.synthesis`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from equiv.verdict import Answer
from translate.values import Value
from witness.contract import open_function, working
from witness.embedded import Verifier
from witness.expressions import to_rust
from witness.gates import Means, judge, read_candidate
from witness.inputs import more_inputs
from witness.model import Candidate, Gate, Outcome, Task
from witness.policies import answers, prompts
from witness.policies.block import expected_of, inputs_of
from witness.policies.providers.base import Key, Provider, Reply, Request
from witness.policies.view import shown_contract
from witness.search import Entry, Search

PURPOSE: Final = "synthesis"
SOLVER: Final = "solver"
#: What the solver's attempt may cost: expressions built, their largest size, inputs besides the visible cases, questions about
#: one expression, and the budget of one question in Z3's resource units.
BUILT: Final = 8_000
LARGEST: Final = 7
PROBES: Final = 20
ASKED: Final = 24
BUDGET: Final = 600_000


@dataclass(frozen=True, slots=True)
class Attempt:
    """One implementation. `meets` says whether it verifies under the contract that it was written to, `correct` under the full
    one; `agrees` and `withheld` on how many visible and withheld cases it gives the official output (None where it was not run).
    `problem` says why an answer is no expression."""

    answer: str
    problem: str | None
    meets: Outcome
    correct: Outcome
    runs: Outcome
    visible: int
    agrees: int | None
    withheld: int | None

    @property
    def succeeds(self) -> bool:
        """Whether it verifies under the full contract, runs, and shows no wrong output on a visible case."""
        return self.correct is Outcome.PASS and self.runs is Outcome.PASS and self.agrees == self.visible


def missing_attempt() -> Attempt:
    """An attempt of the solver's that came to nothing: it stays in the count."""
    problem = f"no expression of up to {LARGEST} nodes was shown to meet the contract, as far as the limits let the search go"
    return Attempt("", problem, Outcome.UNKNOWN, Outcome.UNKNOWN, Outcome.UNKNOWN, 0, None, None)


def ask_for_implementation(task: Task, contract: str, provider: Provider, condition: str, attempt: int) -> Reply:
    """One fresh call. Raises `ProviderError`."""
    cases = [f"{inputs_of(task, c)}: {expected_of(task, c)}" for c in task.visible]
    shown = shown_contract(contract, task.function)
    prompt = prompts.synthesis(task.description, shown, cases, task.result_type or "()")
    return provider.ask(Request(Key(provider.name, task.name, f"{PURPOSE}:{condition}", attempt, 1), prompt))


def smallest_admitted(task: Task, contract: str) -> str | None:
    """The solver's implementation: the smallest expression that is shown to meet the contract; None where none was found."""
    with working():
        verifier = Verifier(open_function("contract.rs", contract, task.function), BUDGET)
        known = [c.inputs for c in task.visible]
        inputs = [*known, *more_inputs(verifier, known, PROBES)]
        search = Search(verifier.opened, inputs, BUILT)
        asked = 0
        for size in range(1, LARGEST + 1):
            written = [(to_rust(e.node), e) for e in search.level(size) if not e.panics]
            for text, entry in sorted(written, key=lambda w: (len(w[0]), w[0])):
                if _breaks(verifier, inputs, entry):
                    continue
                if verifier.verify(entry.node).answer is Answer.PROVED:
                    return text
                asked += 1
                if asked == ASKED:
                    return None
            if search.is_full:
                return None
        return None


def _breaks(verifier: Verifier, inputs: Sequence[Sequence[Value]], entry: Entry) -> bool:
    returns = verifier.contract.result is not None
    pairs = zip(inputs, entry.column, strict=True)
    return any(verifier.breaks(i, o if returns else None) is not None for i, o in pairs)


def judge_attempts(task: Task, contract: str, given: Sequence[str], means: Means, origin: str) -> list[Attempt]:
    """What the gates say about implementations: gate 1 with the contract in the weakened one's place."""
    there = replace(task, weakened=contract)
    read = [read_candidate(there, answers.plain(text), call=n, origin=origin) for n, text in enumerate(given, 1)]
    found = []
    for answer, judgement in zip(given, judge(there, read, means), strict=True):
        candidate = judgement.candidate
        rejected, runs = judgement.gate(Gate.REJECTED), judgement.gate(Gate.RUNS)
        ran = candidate.parses and runs.evidence.get("compiled") is True
        agrees = len(task.visible) - judgement.divergences if ran and runs.passed else None
        withheld = None if judgement.withheld is None else len(task.withheld) - judgement.withheld
        meets, correct = judgement.gate(Gate.ADMITTED).outcome, _opposite(rejected.outcome, candidate)
        found.append(Attempt(answer, candidate.problem, meets, correct, runs.outcome, len(task.visible), agrees, withheld))
    return found


def _opposite(rejected: Outcome, candidate: Candidate) -> Outcome:
    """Whether it verifies under the full contract, from gate 2, which asks whether it does not."""
    if not candidate.parses:
        return Outcome.FAIL
    return {Outcome.PASS: Outcome.FAIL, Outcome.FAIL: Outcome.PASS}.get(rejected, Outcome.UNKNOWN)
