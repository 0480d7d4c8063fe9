"""Instances of premises at the goal's own variables: what a proof about `forall|i| …` from `forall|i| …` mostly needs.

In: premises and one goal, in normal form. Out: the goal for new constants, and the premises at these constants, as a question
without the quantifiers that were opened; whoever proves that has proved the goal.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, permutations, product
from typing import Final, NamedTuple

from translate import terms as tm
from translate.terms import Sort, Term

#: Instances of one quantifier, and of all.
EACH: Final = 12
ALL: Final = 80


class Matched(NamedTuple):
    """`given` implies `goal` only if the original premises imply the original goal; `constants` are new variables in them."""

    given: list[Term]
    goal: Term
    constants: list[Term]


def matched(given: Sequence[Term], goal: Term) -> Matched | None:
    """The question with quantifiers opened and matched; None where there is nothing to match."""
    constants: list[Term] = []
    plain: list[Term] = []
    universal: list[Term] = []
    for p in given:
        for q in _opened(p, "exists", constants):
            (universal if _quantified(q, "forall") is not None else plain).append(q)
    parts = _alternatives(_goal(goal, constants))
    existential = [q for q in parts if q.op == "exists"]
    if not constants or not (universal or existential):
        return None
    left = ALL
    goals = [q for q in parts if q.op != "exists"]
    for q in existential:
        found = _instances(q, "exists", constants, left)
        left -= len(found)
        goals += (_conjunction(g, constants) for g in found)
    for q in universal:
        found = _instances(q, "forall", constants, left)
        left -= len(found)
        plain += found
    return Matched(plain, tm.or_(goals), constants)


def _alternatives(t: Term) -> Sequence[Term]:
    return t.args if t.op == "or" else (t,)


def _conjunction(goal: Term, constants: list[Term]) -> Term:
    """A goal with the universal quantifiers among its conjuncts at new constants."""
    if goal.op != "and":
        return goal
    return tm.and_(tm.instantiate(q.args[0], _fresh(q.data, constants)) if q.op == "forall" else q for q in goal.args)


def _goal(goal: Term, constants: list[Term]) -> Term:
    """The goal with its outer universal quantifier at new constants."""
    opened = []
    for q in _alternatives(goal):
        opened.append(tm.instantiate(q.args[0], _fresh(q.data, constants)) if q.op == "forall" else q)
    return tm.or_(opened)


def _opened(t: Term, op: str, constants: list[Term]) -> list[Term]:
    """The conjuncts of a premise, an existential quantifier at new constants."""
    if t.op != op:
        return [t]
    body = tm.instantiate(t.args[0], _fresh(t.data, constants))
    return list(body.args) if body.op == "and" else [body]


def _fresh(sorts: tuple[Sort, ...], constants: list[Term]) -> tuple[Term, ...]:
    made = tuple(tm.var(f"%match{len(constants) + k}", s) for k, s in enumerate(sorts))
    constants.extend(made)
    return made


def _quantified(t: Term, op: str) -> Term | None:
    """The quantifier of a premise: itself, or the only one among its alternatives."""
    parts = [q for q in _alternatives(t) if q.op == op]
    return parts[0] if len(parts) == 1 else None


def _instances(t: Term, op: str, constants: Sequence[Term], limit: int) -> list[Term]:
    """The formula at constants of its variables' sorts."""
    q = _quantified(t, op)
    assert q is not None
    others = [p for p in t.args if p is not q] if q is not t else []
    sorts: tuple[Sort, ...] = q.data
    fitting = [[c for c in constants if c.sort is s] for s in sorts]
    tuples: dict[tuple[Term, ...], None] = {}
    for group in islice(permutations(constants, len(sorts)), 2 * EACH):
        if all(c.sort is s for c, s in zip(group, sorts, strict=True)):
            tuples[group] = None
    for group in islice(product(*fitting), EACH):
        tuples[group] = None
    if sorts == (tm.INT,):
        for (c,) in list(tuples):
            tuples[tm.arith("add", c, tm.ONE),] = None
            tuples[tm.arith("sub", c, tm.ONE),] = None
    return [tm.or_([*others, tm.instantiate(q.args[0], args)]) for args in islice(tuples, min(EACH, max(limit, 0)))]
