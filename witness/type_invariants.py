"""Type invariants: what Verus assumes of every executable value of a type, and what therefore holds of every input and output.

In: a subject, variables or values. Out: the invariants as terms; whether the evaluator confirms them of a value.

Verus does not enforce type invariants for ghost values, so the parameters and results of proof functions have none.
"""

from __future__ import annotations

from equiv.replay import value_at
from translate import terms as tm
from translate.readings.outcomes import EvaluationError
from translate.terms import FnSym, Sort, Term
from translate.values import Boxed, DataValue, MapValue, MultisetValue, Value
from witness.subject import Subject


def invariants(subject: Subject, v: Term) -> list[Term]:
    """The type invariants of an executable value as a whole (those of its parts are not named)."""
    interface = subject.contract.interface
    if interface.mode != "exec":
        return []
    return [tm.app(i, (v,)) for i in interface.invariants if i.params == (v.sort,)]


def invariants_hold(subject: Subject, value: Value, sort: Sort, word_bits: int) -> bool:
    """Whether the evaluator confirms the type invariant of every part of an executable value."""
    interface = subject.contract.interface
    if interface.mode != "exec" or not interface.invariants:
        return True
    by_sort: dict[Sort, list[FnSym]] = {}
    for i in interface.invariants:
        if len(i.params) == 1:
            by_sort.setdefault(i.params[0], []).append(i)

    def holds(x: Value, s: Sort) -> bool:
        for i in by_sort.get(s, ()):
            v = tm.var("%self", s)
            try:
                if value_at(tm.app(i, (v,)), {v: x}, word_bits) is not True:
                    return False
            except EvaluationError:
                return False
        match x:
            case Boxed(view=view):
                return s.view is None or holds(view, s.view)
            case tuple() | frozenset():
                return all(holds(e, s.element) for e in x)
            case MultisetValue():
                return all(holds(e, s.element) for e, _ in x.items)
            case MapValue(items=items):
                return all(holds(k, s.args[0]) and holds(e, s.args[1]) for k, e in items)
            case DataValue(variant=variant, fields=fields):
                return all(holds(e, f.sort) for e, f in zip(fields, s.variants[variant].fields, strict=True))
        return True

    return holds(value, sort)
