"""Functions that count: `f(s, x)` is how often x occurs in the sequence s.

In: recursive symbols, a prover. Out: those that count. Many contracts say "a permutation" by such a function of their own; two
sequences whose counts agree for every x have the same multiset.

f counts if it ends, f(s, x) is 0 for an empty s, and for any other s it is f of s without its last (or its first) entry, and one
more where that entry is x: by induction on the length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from equiv.recursion import Prover, terminates
from translate import terms as tm
from translate.terms import FnSym, Term


@dataclass(frozen=True, slots=True)
class Counter:
    """A counting function; `sequence` is the position of its sequence (the other parameter is the element)."""

    symbol: FnSym
    sequence: int

    def at(self, s: Term, x: Term) -> Term:
        """How often x occurs in s, in the words of the function."""
        return tm.app(self.symbol, (s, x) if self.sequence == 0 else (x, s))


def counters(symbols: Sequence[FnSym], prove: Prover) -> list[Counter]:
    """The counting functions among some symbols."""
    return [c for sym in symbols if (c := _counter(sym)) is not None and _counts(c, prove)]


def _counter(sym: FnSym) -> Counter | None:
    """A symbol of the right shape: a sequence and one of its elements, to an integer."""
    if sym.kind != "recursive" or sym.body is None or sym.when is not None or len(sym.params) != 2 or not sym.result.is_integer:
        return None
    for k in (0, 1):
        if sym.params[k].kind == "seq" and sym.params[k].element is sym.params[1 - k]:
            return Counter(sym, k)
    return None


def _counts(c: Counter, prove: Prover) -> bool:
    sym = c.symbol
    assert sym.body is not None
    s, x = tm.var("%s", sym.params[c.sequence]), tm.var("%x", sym.params[1 - c.sequence])
    if not terminates(sym, prove):
        return False
    call = c.at(s, x)
    equation = tm.eq(call, tm.instantiate(sym.body, call.args))
    length = tm.mk("seq.len", (s,), tm.NAT)
    empty = tm.eq(length, tm.ZERO)
    if not prove([equation, empty], tm.eq(call, tm.ZERO), (s, x)):
        return False
    last = tm.arith("sub", length, tm.ONE)
    for start, end, place in ((tm.ZERO, last, last), (tm.ONE, length, tm.ZERO)):
        rest = tm.mk("seq.subrange", (s, start, end), s.sort)
        here = tm.eq(tm.mk("seq.index", (s, place), s.sort.element), x)
        step = tm.eq(call, tm.arith("add", c.at(rest, x), tm.ite(here, tm.ONE, tm.ZERO)))
        if prove([equation, tm.not_(empty)], step, (s, x)):
            return True
    return False
