"""Refutation by size: a candidate counterexample among values of bounded size, found by Z3 without quantifiers.

In: premises, a goal, the variables. Out: candidates: values under which, as far as the finite reading goes, every premise holds
and the goal does not. The caller has the evaluator confirm them; nothing here proves anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isqrt
from typing import Any, Final, NamedTuple

from translate import terms as tm
from translate.readings.candidates import split
from translate.readings.finite_nodes import Node, Nodes, Scalar, TooMuch, interval
from translate.readings.finite_reading import FiniteReading
from translate.readings.finite_values import NoShape, Size
from translate.room import deep_stack
from translate.terms import Sort, Term

#: Sizes to try in turn.
SIZES: Final = (Size(2, 2, 1), Size(4, 3, 2), Size(9, 4, 3))
#: Nodes that one size may build.
STEPS: Final = 100_000
#: Seconds of processor time that Z3 may take at most for one size.
NET: Final = 2.0
#: A unit of Z3 takes so much less time on formulas without quantifiers and arrays, if they are linear.
PLAIN: Final = 5
#: Longer sequences are not asked for, whatever the premises say.
LONGEST_NEEDED: Final = 64
_RECURSION: Final = 16_000
_WHY: Final = {NoShape: "not expressible", TooMuch: "too large", RecursionError: "nested too deeply"}
_WORDS: Final = {"sat": "a candidate", "unsat": "none"}


class Candidate(NamedTuple):
    """Values of the variables, and those chosen for what is unspecified (see `translate.readings.evaluate.Context`)."""

    values: dict[Term, Any]
    chosen: dict[tuple[Any, ...], Any]


class Sized:
    """The search for one obligation, within `rlimit` units of Z3 a size."""

    def __init__(self, premises: Sequence[Term], goal: Term, variables: Sequence[Term], word_bits: int, rlimit: int) -> None:
        self.premises, self.goal, self.word_bits = premises, goal, word_bits
        self.rlimit = rlimit
        self.variables = list(dict.fromkeys([*variables, *(v for t in (*premises, goal) for v in tm.free_variables(t))]))
        self.conjuncts = [c for p in premises for c in split(p, True)] + split(goal, False)
        self.needed = needed_lengths(self.conjuncts)
        self.spent = 0
        self.log: list[str] = []
        self._unspecified = False
        #: A size was too much for Z3: so are the larger ones.
        self._stuck = False

    @property
    def outcome(self) -> str:
        """What was found, size by size, in words."""
        return ", ".join(self.log)

    def candidates(self) -> Iterator[Candidate]:
        """Candidates of growing size; then such that rest on unspecified values, where some are met."""
        for choose in (False, True):
            for size in SIZES:
                if (choose and not self._unspecified) or self._stuck:
                    return
                try:
                    with deep_stack(_RECURSION):
                        found = self._at(size, choose)
                except (NoShape, TooMuch, RecursionError) as problem:
                    self._note(size, choose, _WHY[type(problem)])
                    continue
                if found is not None:
                    yield found

    def _note(self, size: Size, choose: bool, what: str) -> None:
        self.log.append(f"up to {size.outer} elements{', unspecified values chosen' if choose else ''}: {what}")

    def _at(self, size: Size, choose: bool) -> Candidate | None:
        nodes = Nodes(STEPS)
        reading = FiniteReading({}, nodes, size, self.word_bits, self.needed, choose=choose)
        for v in self.variables:
            reading.variables[v] = reading.unknown(v.sort, size)
        self._tighten(reading)
        asked: list[Scalar] = []
        for c in self.conjuncts:
            asked.append(reading.formula(c, 1))
        self._unspecified = reading.met_unspecified
        whole = nodes.and_([*asked, *reading.conditions, nodes.not_(nodes.or_(reading.exclusions))])
        answer, known = ("unsat", None) if whole is False else self._solve(nodes, whole)
        self._note(size, choose, _WORDS.get(answer, answer))
        self._stuck = answer == "unknown"
        if known is None:
            return None
        values = {v: reading.concrete(reading.variables[v], v.sort, known) for v in self.variables}
        chosen: dict[tuple[Any, ...], Any] = {}
        for kind, args, value, sort in reading.chosen:
            key = (kind, *(reading.concrete(x, s, known) for x, s in args))
            chosen.setdefault(key, reading.concrete(value, sort, known))
        return Candidate(values, chosen)

    def _tighten(self, reading: FiniteReading) -> None:
        """Narrows the ranges of the unknown numbers by conjuncts that compare one of them with something known."""
        nodes = reading.nodes
        simple = [c for c in self.conjuncts if _is_comparison(c)]
        for _ in range(3):
            changed = False
            for c in simple:
                op, (left, right) = (
                    (c.op, c.args) if c.op != "not" else ("lt" if c.args[0].op == "le" else "le", c.args[0].args[::-1])
                )
                a, b = reading.read(left, ()), reading.read(right, ())
                less = 1 if op == "lt" else 0
                changed |= _at_most(a, _moved(interval(b)[1], -less))
                changed |= _at_least(b, _moved(interval(a)[0], less))
                if op == "eq":
                    changed |= _at_least(a, interval(b)[0])
                    changed |= _at_most(b, interval(a)[1])
            nodes.forget()
            reading.forget()
            if not changed:
                break

    def _solve(self, nodes: Nodes, whole: Scalar) -> tuple[str, dict[Node, Any] | None]:
        import z3

        from translate.readings.z3_check import check_within

        ctx = z3.Context()
        formulas, constants = nodes.to_z3([whole], ctx)
        solver = z3.Solver(ctx=ctx)
        solver.set("rlimit", self.rlimit if nodes.hard else PLAIN * self.rlimit)
        solver.set("random_seed", 0)
        solver.add(*formulas)
        answer, _ = check_within(solver, NET)
        used = next((int(v) for k, v in solver.statistics() if k == "rlimit count"), 0)
        self.spent += used if nodes.hard else used // PLAIN
        if answer != "sat":
            return answer, None
        model = solver.model()
        known: dict[Node, Any] = {}
        for n, c in constants.items():
            value = model.eval(c, model_completion=True)
            known[n] = value.as_long() if n.op == "int" else z3.is_true(value)
        return answer, known


def _is_comparison(c: Term) -> bool:
    if c.op == "not":
        return c.args[0].op in ("le", "lt") and _is_simple(c.args[0])
    return c.op in ("le", "lt", "eq") and c.args[0].sort.is_integer and _is_simple(c)


def _is_simple(t: Term) -> bool:
    return t.size < 60 and not any(s.op in ("app", "choose", "lambda", "forall", "exists") for s in tm.subterms(t))


def _moved(bound: int | None, by: int) -> int | None:
    return None if bound is None else bound + by


def _at_most(x: Scalar, bound: int | None) -> bool:
    """Narrows the unknown number that an expression hangs on, if the expression is at most that; whether it did."""
    if not isinstance(x, Node) or bound is None:
        return False
    match x.op, x.args:
        case "int", _ if (x.hi is None or bound < x.hi) and (x.lo is None or x.lo <= bound):
            x.hi = bound
            return True
        case "add", (y, int(n)):
            return _at_most(y, bound - n)
        case "mul", (int(n), y) if n > 0:
            return _at_most(y, bound // n)
        case "mul", (int(n), y) if n < 0:
            return _at_least(y, -(bound // -n))
        case "mul", (y, z) if y is z and bound >= 0 and (interval(y)[0] or 0) >= 0:
            return _at_most(y, isqrt(bound))
    return False


def _at_least(x: Scalar, bound: int | None) -> bool:
    """As `_at_most`, from below."""
    if not isinstance(x, Node) or bound is None:
        return False
    match x.op, x.args:
        case "int", _ if (x.lo is None or x.lo < bound) and (x.hi is None or bound <= x.hi):
            x.lo = bound
            return True
        case "add", (y, int(n)):
            return _at_least(y, bound - n)
        case "mul", (int(n), y) if n > 0:
            return _at_least(y, -(-bound // n))
        case "mul", (int(n), y) if n < 0:
            return _at_most(y, -bound // -n)
    return False


def needed_lengths(ts: Sequence[Term]) -> dict[Sort, int]:
    """For sorts of sequences, the greatest number that a comparison in the terms says to be a least length."""
    found: dict[Sort, int] = {}
    for t in ts:
        for s in tm.subterms(t):
            if s.op in ("le", "lt", "eq"):
                pairs = [s.args, s.args[::-1]] if s.op == "eq" else [s.args]
                for number, length in pairs:
                    if number.op == "lit" and length.op == "seq.len":
                        least = number.data + (s.op == "lt")
                        sort = length.args[0].sort
                        if found.get(sort, 0) < least <= LONGEST_NEEDED:
                            found[sort] = least
    return found
