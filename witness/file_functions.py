"""The specification functions of a file, applied to the parts of a function's inputs and outputs.

In: an opened contract, parts of values. Out: terms. What a file defines is what its author had words for, so a clause is likely
to be said in these words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Final

from translate import syntax as sx
from translate import terms as tm
from translate.elaborate.inference import Unsupported
from translate.elaborate.scope import Scope, Typed
from translate.names import Ref
from translate.parser import ParseFailure
from translate.terms import Sort, Term
from witness.contract import Opened

#: Functions that are looked at, parameters of one, applications of one.
FUNCTIONS: Final = 24
PARAMETERS: Final = 3
APPLICATIONS: Final = 40


def applications(opened: Opened, values: Sequence[Term]) -> Iterator[Term]:
    """Every specification function of the file (without type parameters) applied to those of the values that have the types of
    its parameters, no value twice."""
    refs = [r for r in opened.crate.functions if isinstance(r.item, sx.Fn) and r.item.mode == "spec"]
    for ref in refs[:FUNCTIONS]:
        try:
            yield from _applied(opened, ref, values)
        except (Unsupported, ParseFailure):
            continue


def _applied(opened: Opened, ref: Ref, values: Sequence[Term]) -> Iterator[Term]:
    el, fn = opened.elaborator, ref.item
    assert isinstance(fn, sx.Fn)
    if fn.generics.params or not 1 <= len(fn.params) <= PARAMETERS or fn.ret_type is None:
        return
    for self_sort in _receivers(fn, values):
        ts = el.definitions.fn_scope(ref, self_sort)
        sorts = [el.inference.zonk(el.definitions.param_sort(p, ts), tm.INT) for p in fn.params]
        result = el.types.sort(fn.ret_type, ts)
        fitting = [[v for v in values if _takes(s, v)] for s in sorts]
        for args in islice((a for a in product(*fitting) if len(set(a)) == len(a)), APPLICATIONS):
            typed = [Typed(_as(v, s), s) for v, s in zip(args, sorts, strict=True)]
            yield el.finish(el.definitions.apply(ref, ts, typed, result, Scope(ts), fn).term)


def _receivers(fn: sx.Fn, values: Sequence[Term]) -> list[Sort | None]:
    """The types that a method is tried on: those of the values; a function without `self` needs none."""
    if not fn.params[0].self_kind:
        return [None]
    return list(dict.fromkeys(v.sort for v in values if v.sort.kind == "data"))


def _takes(sort: Sort, value: Term) -> bool:
    """Whether a parameter takes a value, as it is or (a specification's integer, another integer) with a cast."""
    if sort is value.sort:
        return True
    return sort.is_integer and value.sort.is_integer and sort is not tm.CHAR and value.sort is not tm.CHAR


def _as(value: Term, sort: Sort) -> Term:
    """An argument as its parameter's type: `x as nat`."""
    if value.sort is sort or not sort.is_integer or sort is tm.INT:
        return value
    return tm.mk("cast", (value,), sort)
