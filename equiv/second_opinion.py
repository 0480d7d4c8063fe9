"""A second opinion: another solver on the very script that an obligation's answer rests on.

In: a decision with its SMT-LIB script, and a solver that reads only that text (cvc5's Python package, an optional dependency).
Out: whether the two agree. Where one says `unsat` and the other `sat`, neither is believed: the obligation is unknown, with both
answers.

What is compared is the last step of an obligation. Small proofs on the way to it (that a recursive function ends, that two of
them are the same) are Z3's alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from equiv.decide import Decision
from equiv.verdict import Answer

AGREES, UNSURE, DISAGREES = "agrees", "unsure", "disagrees"

#: cvc5's resource units for one of Z3's: with the default budget, cvc5 gives up on a hard question after some two seconds.
RATE = 0.1
#: The script's own budget is in Z3's units, and would replace the one that is given here.
_Z3_BUDGET = re.compile(r"^\(set-option :rlimit \d+\)$", re.MULTILINE)
#: A safety net far above that; cvc5 counts resources, and a machine may be slow.
TIMEOUT_SECONDS = 120


class NotInstalled(Exception):
    """The second solver is not there."""


@dataclass(frozen=True, slots=True)
class SecondSolver:
    """A solver under a name. `answer` takes a script and a budget in Z3's resource units, and gives "sat", "unsat", "unknown" or
    "error: …"; the same every time."""

    name: str
    answer: Callable[[str, int], str]


def cvc5_solver() -> SecondSolver:
    """cvc5, by its Python package. Raises `NotInstalled`."""
    try:
        import cvc5
    except ImportError:
        raise NotInstalled("cvc5 is not installed; `pip install 'samespec[cvc5]'` (or `pip install cvc5`) brings it") from None

    def answer(script: str, budget: int) -> str:
        solver = cvc5.Solver(cvc5.TermManager())
        solver.setOption("rlimit", str(max(1, int(budget * RATE))))
        solver.setOption("tlimit-per", str(TIMEOUT_SECONDS * 1000))
        parser = cvc5.InputParser(solver)
        try:
            parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, _Z3_BUDGET.sub("", script), "obligation")
            symbols = parser.getSymbolManager()
            while True:
                command = parser.nextCommand()
                if command.isNull():
                    return "error: no (check-sat)"
                said = str(command.invoke(solver, symbols)).strip()
                if said.startswith("(error"):
                    return "error: " + " ".join(said.split())[:200]
                word = said.split(" ")[0]
                if word in ("sat", "unsat", "unknown"):
                    return word
        except RuntimeError as error:
            return "error: " + " ".join(str(error).split())[:200]

    return SecondSolver(f"cvc5 {cvc5.__version__}", answer)


#: The answer of a solver that a decision rests on.
CLAIMS = {Answer.PROVED: "unsat", Answer.REFUTED: "sat"}
#: Means whose script is the very question that Z3 answered.
BY_Z3 = ("z3", "induction")


def second_opinion(decision: Decision, solver: SecondSolver, budget: int, *, exact: bool) -> str:
    """What another solver says about a decision: "agrees", "unsure" or "disagrees"; one that it contradicts becomes unknown.

    `exact` says whether the script leaves nothing out: then a model of it is one of the obligation.
    """
    claim = CLAIMS.get(decision.answer)
    if decision.smt2 is None or claim is None or decision.expected != claim:
        return UNSURE
    said = solver.answer(decision.smt2, budget)
    if said == claim:
        return AGREES
    if said not in ("sat", "unsat") or (claim == "unsat" and decision.method not in BY_Z3 and not exact):
        return UNSURE
    both = f"{decision.method}: {decision.answer} ({claim}), {solver.name}: {said}"
    decision.tried = [*decision.tried, both]
    decision.answer, decision.method, decision.expected = Answer.UNKNOWN, f"disagreement: {both}", "unknown"
    decision.values = None
    return DISAGREES
