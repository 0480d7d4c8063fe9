"""Replaying a refutation: whether given values make every premise true and the goal false.

In: premises, a goal, the variables that get values. Out: the evaluator's answer for any number of assignments, within steps that
it counts. The evaluator shares no code with the Z3 reading: what Z3 claims, it confirms or not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from translate import terms as tm
from translate.readings.evaluate import Compiled, Context, compile, in_range  # noqa: A004
from translate.readings.outcomes import EvaluationError
from translate.terms import Term

#: Steps of the evaluator that one clause may take.
REPLAY_STEPS = 400_000


def value_at(t: Term, values: Mapping[Term, Any], word_bits: int) -> Any:
    """The value of a term at these values of its variables. Raises `EvaluationError`."""
    names = [v for v in tm.free_variables(t) if v in values]
    context = Context(usize_bits=word_bits, steps=REPLAY_STEPS)
    return compile(t, names, context).run([values[v] for v in names])


class Replay:
    """Clauses that are compiled once. `spent` counts the evaluator's steps."""

    def __init__(
        self,
        premises: Sequence[Term],
        goal: Term,
        variables: Sequence[Term],
        word_bits: int,
        chosen: Mapping[tuple[Any, ...], Any] | None = None,
    ) -> None:
        """`chosen` gives values to what is unspecified."""
        self.word_bits, self.chosen = word_bits, chosen
        self.spent = 0
        self._clauses = [_Clause(t, [v for v in tm.free_variables(t) if v in variables]) for t in (*premises, goal)]

    def refutes(self, values: Mapping[Term, Any], steps: int = REPLAY_STEPS) -> bool | None:
        """Whether every premise holds and the goal fails: True, False, or None where the evaluator cannot tell within so many
        steps for each of them. All variables have values."""
        if not all(in_range(x, v.sort, self.word_bits) for v, x in values.items()):
            return False
        sure = True
        for clause in self._clauses:
            found = self._holds(clause, values, steps)
            if found is (clause is self._clauses[-1]):
                return False
            sure = sure and found is not None
        return True if sure else None

    def _holds(self, clause: _Clause, values: Mapping[Term, Any], steps: int) -> bool | None:
        if clause.context is None:
            clause.context = Context(usize_bits=self.word_bits, chosen=self.chosen)
        clause.context.steps = steps
        try:
            if clause.code is None:
                clause.code = compile(clause.term, clause.variables, clause.context)
            return clause.code.holds([values[v] for v in clause.variables])
        except EvaluationError:
            return None
        finally:
            self.spent += steps - max(0, clause.context.steps)


@dataclass(slots=True)
class _Clause:
    term: Term
    variables: list[Term]
    context: Context | None = None
    code: Compiled | None = None
