"""Which clauses of a contract carry weight.

In: a subject, a decider. Out: for each clause whether it follows from the others (proved), or values that satisfy all others and
that it alone forbids (replayed).

A postcondition is measured against the preconditions and the other postconditions, a precondition against the other
preconditions. What follows from the types alone is redundant too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from equiv.decide import Decider
from equiv.verdict import Answer
from translate.elaborate.contracts import Clause
from translate.terms import Term
from translate.values import render_rust
from witness.finding import Bindings, ClauseAnswer, Weight
from witness.shares import share_of
from witness.subject import Subject
from witness.type_invariants import invariants, invariants_hold

#: What a question about one clause may cost, as a share of the budget.
SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Weights:
    """`removable` are redundant clauses that can be taken out together: leaving out one of them can make another one needed."""

    answers: tuple[ClauseAnswer, ...]
    removable: tuple[Clause, ...]


def weigh(subject: Subject, decider: Decider) -> Weights:
    """The weight of every clause, preconditions first, in the order of the text."""
    with share_of(decider, SHARE):
        return _weigh(subject, decider)


def _weigh(subject: Subject, decider: Decider) -> Weights:
    contract = subject.contract
    of_inputs = [t for v in contract.inputs for t in invariants(subject, v)]
    of_outputs = [t for o in subject.outputs for t in invariants(subject, o.first)]
    answers: list[ClauseAnswer] = []
    redundant: list[Clause] = []
    for clauses, given, variables in (
        (contract.requires, of_inputs, contract.inputs),
        (contract.ensures, [*(c.term for c in contract.requires), *of_inputs, *of_outputs], contract.variables),
    ):
        for clause in clauses:
            others = [c.term for c in clauses if c is not clause]
            answers.append(_weight(subject, decider, clause, [*given, *others], variables))
            if answers[-1].weight is Weight.REDUNDANT:
                redundant.append(clause)
    return Weights(tuple(answers), tuple(_together(subject, decider, redundant, of_inputs, of_outputs)))


def _weight(
    subject: Subject, decider: Decider, clause: Clause, premises: Sequence[Term], variables: Sequence[Term]
) -> ClauseAnswer:
    decision = decider.implied(premises, clause.term, variables)
    ref = subject.ref(clause)
    if decision.answer is Answer.PROVED:
        return ClauseAnswer(ref, Weight.REDUNDANT, decision.method)
    values = decision.values
    if decision.answer is Answer.REFUTED and values is not None and decision.why_not is None:
        known = [v for v in variables if v in values]
        if all(invariants_hold(subject, values[v], v.sort, decider.word_bits) for v in known):
            example: Bindings = tuple((str(v.data), render_rust(values[v], v.sort)) for v in known)
            return ClauseAnswer(ref, Weight.CARRIES, decision.method, example)
    if decision.answer is Answer.REFUTED and decision.why_not is not None:
        why = f"the solver says that it is needed, which cannot be replayed: {decision.why_not}"
        return ClauseAnswer(ref, Weight.UNDECIDED, why)
    return ClauseAnswer(ref, Weight.UNDECIDED, f"tried: {decision.method}")


def _together(
    subject: Subject, decider: Decider, redundant: Sequence[Clause], of_inputs: list[Term], of_outputs: list[Term]
) -> list[Clause]:
    """The redundant clauses that can go together: the last ones first, each only if what stays still implies it."""
    contract = subject.contract
    gone: list[Clause] = []
    for clause in reversed(redundant):
        is_pre = clause in contract.requires
        requires = [c.term for c in contract.requires if c is not clause and c not in gone]
        ensures = [] if is_pre else [c.term for c in contract.ensures if c is not clause and c not in gone]
        given = [*requires, *ensures, *of_inputs, *([] if is_pre else of_outputs)]
        variables = contract.inputs if is_pre else contract.variables
        if decider.implied(given, clause.term, variables).answer is Answer.PROVED:
            gone.append(clause)
    return gone[::-1]
