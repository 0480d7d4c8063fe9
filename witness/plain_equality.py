"""Terms in the plain theory of equality: every function and collection unknown, only logic, integers and `==` as they are.

In: terms. Out: terms in which each operator on collections and datatypes, each function and each quantified formula is an unknown
function of its parts, and each sort but truth values and integers an unknown sort. What holds of the results holds of the terms,
as it holds whatever those functions are. There, `f(y) == t` and `f(y′) == t` give `f(y) == f(y′)` at once, where the full theory
has to go through the elements of sequences.
"""

from __future__ import annotations

from translate import terms as tm
from translate.terms import Sort, Term

#: Operators that keep their meaning.
_KEPT = frozenset({"lit", "not", "and", "or", "implies", "ite", "eq", "add", "sub", "mul", "neg", "lt", "le"})


class PlainEquality:
    """One translation; terms that are to be compared must go through the same one."""

    def __init__(self) -> None:
        self._sorts: dict[Sort, Sort] = {}
        self._done: dict[Term, Term] = {}
        self._names: dict[tuple[object, ...], str] = {}

    def plain(self, t: Term) -> Term:
        """A closed term in the plain theory."""
        done = self._done.get(t)
        if done is None:
            done = self._done[t] = self._plain(t)
        return done

    def _plain(self, t: Term) -> Term:
        if t.op == "var":
            return tm.var(t.data, self._sort(t.sort))
        if t.op in tm.BINDERS:
            # Two quantified formulas that differ in their free variables only are one function of these.
            variables = tuple(tm.free_variables(t))
            return self._unknown((t.op, tm.abstract(t, variables)), variables, t.sort)
        if t.op not in _KEPT:
            return self._unknown((t.op, t.data, t.sort), t.args, t.sort)
        return tm.mk(t.op, tuple(map(self.plain, t.args)), self._sort(t.sort), t.data)

    def _unknown(self, what: tuple[object, ...], args: tuple[Term, ...], sort: Sort) -> Term:
        plain = tuple(map(self.plain, args))
        ident = (*what, *(a.sort for a in args))
        name = self._names.setdefault(ident, f"unknown {len(self._names)}")
        sym = tm.uninterpreted(name, tuple(a.sort for a in plain), self._sort(sort), key=f"plain equality: {name}")
        return tm.app(sym, plain)

    def _sort(self, sort: Sort) -> Sort:
        if sort.kind in ("bool", "int"):
            return sort
        return self._sorts.setdefault(sort, tm.opaque_sort(f"values {len(self._sorts)}"))
