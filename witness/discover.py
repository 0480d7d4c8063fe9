"""Solver-backed discovery: a witness without a model, or why there is none.

In: a task. Out: `Discovery`: the certified witness, or the reason. Deterministic, no network. The search goes by size
(`witness.search`), over the visible cases and further inputs that `requires` allows. An expression of the result's type is

1. passed over where it panics on an input, gives the official output on every visible case, or breaks S⁻ on an input (by the
   evaluator): such an expression is no witness;
2. put to the embedded verifier: under S⁻, where Z3 has to prove every obligation and clause, and under S, where an input has to
   be found at which a clause fails. An input at which S⁻ is refuted is from then on an input of the search.

A lean enumeration (hardly any arithmetic) goes further than a full one. Of one size those that disagree on most visible cases
come first; the first that passes is judged at all four gates, and certified if it passes there too. What no size reaches is put
together from parts (`witness.cases_apart`): small conditions, and small expressions that are acceptable on either side, one
visible case with an output that S rejects. Where there is none:

- S⁻ determines the outputs (proved by self-composition): then no other program meets it;
- S⁻ wants a `&mut` parameter to change (proved, for one case): then no expression without side effects meets it;
- the result has a type that no expression of the language has;
- else: what was searched, and what was left open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from equiv.decide import pinned
from equiv.verdict import Answer
from translate import terms as tm
from translate.terms import Sort, Term
from translate.values import Value
from witness.cases_apart import CasesApart, Part, undominated
from witness.contract import working
from witness.embedded import Verifier
from witness.expressions import Node, to_rust
from witness.expressions import size as size_of
from witness.gates import Means, judge, open_full, open_weakened
from witness.inputs import can_be_written, more_inputs
from witness.model import Candidate, Case, Judgement, Task
from witness.numbers import Panic
from witness.run import run
from witness.search import BUILT, LARGEST, LARGEST_LEAN, PANICS, Entry, Search

#: Z3's resource units for one obligation during the search (the gates have their own).
BUDGET: Final = 600_000
#: Inputs besides the visible cases, expressions of one size that the solver is asked about, and in all.
PROBES: Final = 24
ASKED_OF_A_SIZE: Final = 12
ASKED: Final = 40
#: The evaluator's steps, for each of the two contracts.
STEPS: Final = 100_000_000
ORIGIN: Final = "solver"
#: The sizes that come before the lean enumeration; how often the search starts again with the inputs that refuted something.
FIRST: Final = 4
RESTARTS: Final = 3
#: Conditionals over parts: how many small expressions and conditions, cases that may be the wrong one, rounds.
LEAVES: Final = 500
CONDITIONS: Final = 400
WRONG_CASES: Final = 8
ROUNDS: Final = 4
#: Points besides the inputs of the enumeration, conditionals that are tried in one round.
MORE_POINTS: Final = 60
TREES: Final = 3


class Found(StrEnum):
    """How a discovery ended."""

    CERTIFIED = "certified"  # a witness passed all four gates
    UNCERTIFIED = "not certified"  # one was found, and a gate did not let it pass, or was not decided
    DETERMINED = "determined"  # S⁻ determines the outputs: there is no witness
    UNCHANGED = "must change"  # S⁻ asks for a change of a `&mut` parameter: no expression without side effects meets it
    INEXPRESSIBLE = "inexpressible"  # no expression of the language has the result's type
    NOT_FOUND = "not found"  # searched up to a limit; `reason` says what was searched and what was left open


@dataclass(frozen=True, slots=True)
class Discovery:
    """What came out for one task. `judgement` is that of the witness, or of the best that was found; `size` its size;
    `built` counts expressions, `asked` those that the solver was asked about; `open` are expressions that met S⁻ on every input
    and that the solver left open."""

    task: str
    found: Found
    reason: str
    judgement: Judgement | None = None
    size: int = 0
    built: int = 0
    asked: int = 0
    open: tuple[str, ...] = ()

    @property
    def certified(self) -> bool:
        return self.found is Found.CERTIFIED


@dataclass(frozen=True, slots=True)
class Effort:
    """How far the search goes."""

    built: int = BUILT
    largest: int = LARGEST
    budget: int = BUDGET
    asked: int = ASKED
    #: what the evaluator may spend on each of the two contracts, in its steps
    steps: int = STEPS
    #: whether what no size reaches is put together from parts
    by_cases: bool = True


def discover(task: Task, means: Means, effort: Effort | None = None) -> Discovery:
    """Looks for a witness for a task."""
    with working():
        search = _Discovery(task, means, effort or Effort())
        impossible = search.impossible()
        if impossible is not None:
            return impossible
        return search.run()


class _Discovery:
    def __init__(self, task: Task, means: Means, effort: Effort) -> None:
        self.task, self.means, self.effort = task, means, effort
        self.weak = Verifier(open_weakened(task), effort.budget, shrinks=False, steps=effort.steps)
        self.full = Verifier(open_full(task), effort.budget, shrinks=False, steps=effort.steps)
        known = [c.inputs for c in task.visible]
        self.inputs = [*known, *more_inputs(self.weak, known, PROBES)]
        self.counter: list[tuple[Value, ...]] = []  # inputs that refuted something
        self.search, self.lean = self._new_searches()
        self.known: dict[tuple[bool, tuple[Value, ...], Value], bool] = {}
        self.asked = self.built_before = self.right = self.panicked = self.refused = self.same = 0
        self.open: list[str] = []
        self.failed: Judgement | None = None

    # --- no witness at all -------------------------------------------------------------------------------------------

    def impossible(self) -> Discovery | None:
        """Why there can be no witness; None where nothing says so."""
        task = self.task
        if task.result_sort is not None and not can_be_written(task.result_sort):
            return self._none(Found.INEXPRESSIBLE, f"no expression of the language has the type `{task.result_type}`")
        for number, case in enumerate(task.visible, 1):
            if self._must_change(case):
                reason = "the weakened contract asks for a `&mut` parameter to change, and an expression has no side effects"
                return self._none(Found.UNCHANGED, f"{reason} (proved for visible case {number}: no result meets it there)")
        return None

    def _must_change(self, case: Case) -> bool:
        """Whether no result meets S⁻ at the inputs of a case while the `&mut` parameters stay as they are."""
        opened = self.weak.opened
        mutable = opened.mutable
        if not mutable or tuple(case.inputs[i] for i in mutable) == case.final:
            return False
        if opened.contract.result is None:
            return self.weak.breaks(case.inputs, None) is not None
        stays = dict(zip(opened.contract.outputs, (opened.contract.inputs[i] for i in mutable), strict=False))
        premises = [tm.rewrite(t, stays.get) for t in opened.ensures]
        for v, x in zip(opened.contract.inputs, case.inputs, strict=True):
            premises += pinned(v, x)
        return self.weak.decider.contradictory(premises, [*opened.contract.inputs, opened.contract.result])

    def _determined(self) -> bool:
        """Whether any two outputs that meet S⁻ are equal."""
        opened = self.weak.opened
        first = opened.outputs
        if not first:
            return True
        second = [tm.var(f"{v.data}′", v.sort) for v in first]
        other = dict(zip(first, second, strict=True))
        premises = [*opened.requires, *opened.ensures, *(tm.rewrite(t, other.get) for t in opened.ensures)]
        same = tm.and_(_same_output(a, b) for a, b in zip(first, second, strict=True))
        decision = self.weak.decider.implied(premises, same, [*opened.contract.inputs, *first, *second])
        return decision.answer is Answer.PROVED

    # --- the search --------------------------------------------------------------------------------------------------

    def run(self) -> Discovery:
        for _ in range(RESTARTS):
            before = len(self.counter)
            found = self._once()
            if found is not None:
                return found
            if len(self.counter) == before or self.asked >= self.effort.asked:
                break
            self.inputs += self.counter[before:]  # they tell apart what looked the same
            self.built_before = self.built
            self.search, self.lean = self._new_searches()
        return self._nothing()

    def _once(self) -> Discovery | None:
        self.right = self.panicked = self.refused = self.same = 0
        found = self._through(self.search, 1, FIRST) or self._through(self.lean, 1, LARGEST_LEAN)
        found = found or self._through(self.search, FIRST + 1, self.effort.largest)
        return found or (self._by_cases() if self.effort.by_cases else None)

    def _new_searches(self) -> tuple[Search, Search]:
        """A full and a lean enumeration over the inputs that are known by now."""
        opened, limit = self.weak.opened, self.effort.built
        return Search(opened, self.inputs, limit), Search(opened, self.inputs, limit, lean=True)

    @property
    def built(self) -> int:
        """Expressions built so far."""
        return self.built_before + self.search.built + self.lean.built

    def _parts(self, sort: Sort, count: int) -> list[Entry]:
        """Small expressions of a sort, of both enumerations, each once."""
        found: dict[tuple[Any, ...], Entry] = {}
        for entry in (*self.search.small(sort, count), *self.lean.small(sort, count)):
            found.setdefault(entry.column, entry)
        return list(found.values())

    def _through(self, search: Search, first: int, last: int) -> Discovery | None:
        """One enumeration from a size to another, as far as the limits let it go."""
        for size in range(first, last + 1):
            if search.is_full or self.asked >= self.effort.asked:
                return None
            for entry in self._promising(search.level(size)):
                found = self._try(entry.node)
                if found is not None:
                    return found
        return None

    def _promising(self, level: Sequence[Entry]) -> Iterator[Entry]:
        """The expressions of one size that may be witnesses, those that disagree most first."""
        ranked = []
        for entry in level:
            if entry.panics:
                self.panicked += 1
                continue
            wrong = self._divergences(entry)
            if wrong == 0:
                self.right += 1
            elif self._breaks(entry):
                self.refused += 1
            else:
                ranked.append((-wrong, to_rust(entry.node), entry))
        ranked.sort(key=lambda r: (r[0], len(r[1]), r[1]))
        yield from (entry for _, _, entry in ranked[:ASKED_OF_A_SIZE])

    def _divergences(self, entry: Entry) -> int:
        mutable = self.weak.opened.mutable
        wrong = 0
        for case, output in zip(self.task.visible, entry.column, strict=False):
            stays = tuple(case.inputs[i] for i in mutable)
            wrong += stays != case.final or (self.task.result_sort is not None and output != case.output)
        return wrong

    def _breaks(self, entry: Entry) -> bool:
        return not all(self._admits(i, o) for i, o in zip(self.inputs, entry.column, strict=True))

    # --- put together from parts -------------------------------------------------------------------------------------

    def _by_cases(self) -> Discovery | None:
        """Conditionals over small parts; every input that refutes one is a point of the next round."""
        if self.task.result_sort is None:
            return None
        more = more_inputs(self.weak, self.inputs, MORE_POINTS)
        first = len(self.counter)
        columns: dict[int, list[Any]] = {}
        for _ in range(ROUNDS):
            before = len(self.counter)
            for node in self._trees([*self.inputs, *more, *self.counter[first:]], columns)[:TREES]:
                found = self._try(node)
                if found is not None:
                    return found
            if len(self.counter) == before or self.asked >= self.effort.asked:
                return None
        return None

    def _trees(self, points: Sequence[tuple[Value, ...]], columns: dict[int, list[Any]]) -> list[Node]:
        """Conditionals that meet S⁻ at every point and have an output that S rejects at one visible case: for each such case the
        smallest that was found, the smallest first. `columns` remembers what parts give at points."""
        leaves, wrong = self._leaves(points, columns)
        conditions = self._conditions(points, columns)
        everywhere = (1 << len(points)) - 1
        found: dict[str, Node] = {}
        for case in range(min(len(self.task.visible), WRONG_CASES)):
            bit = 1 << case
            if not any(w & bit for w in wrong):
                continue
            parts = [
                Part(p.node, p.points if w & bit else p.points & ~bit, p.cost) for p, w in zip(leaves, wrong, strict=True)
            ]
            tree = CasesApart(undominated(parts), conditions).tree(everywhere)
            if tree is not None:
                found.setdefault(to_rust(tree.node), tree.node)
        return sorted(found.values(), key=lambda n: (size_of(n), to_rust(n)))

    def _leaves(
        self, points: Sequence[tuple[Value, ...]], columns: dict[int, list[Any]]
    ) -> tuple[list[Part], list[int]]:
        """Small expressions with the points at which S⁻ lets them pass, and for each the visible cases at which S rejects it."""
        parts, wrong = [], []
        for entry in self._parts(self.search.want, LEAVES):
            fits = misses = 0
            for i, output in enumerate(self._column(entry, points, columns)):
                if output is not PANICS and self._admits(points[i], output):
                    fits |= 1 << i
                    if i < len(self.task.visible) and self._rejects(points[i], output):
                        misses |= 1 << i
            if fits:
                parts.append(Part(entry.node, fits, size_of(entry.node)))
                wrong.append(misses)
        return parts, wrong

    def _conditions(self, points: Sequence[tuple[Value, ...]], columns: dict[int, list[Any]]) -> list[Part]:
        found: dict[int, Part] = {}
        for entry in self._parts(tm.BOOL, CONDITIONS):
            column = self._column(entry, points, columns)
            if all(x is not PANICS for x in column):
                true = sum(1 << i for i, x in enumerate(column) if x)
                found.setdefault(true, Part(entry.node, true, size_of(entry.node)))
        return list(found.values())

    def _column(self, entry: Entry, points: Sequence[tuple[Value, ...]], columns: dict[int, list[Any]]) -> list[Any]:
        """What an expression gives at every point: known for the inputs of the search, computed for the others."""
        names = [p.name for p in self.task.parameters]
        column = columns.setdefault(id(entry), list(entry.column))
        for values in points[len(column) :]:
            try:
                column.append(run(entry.node, dict(zip(names, values, strict=True)), self.weak.opened.word))
            except Panic:
                column.append(PANICS)
        return column

    def _admits(self, inputs: tuple[Value, ...], output: Value) -> bool:
        """Whether an output breaks no clause of S⁻ for certain."""
        return self._known(self.weak, inputs, output)

    def _rejects(self, inputs: tuple[Value, ...], output: Value) -> bool:
        """Whether an output breaks a clause of S for certain."""
        return not self._known(self.full, inputs, output)

    def _known(self, verifier: Verifier, inputs: tuple[Value, ...], output: Value) -> bool:
        key = (verifier is self.weak, inputs, output)
        if key not in self.known:
            shown = None if self.task.result_sort is None else output
            self.known[key] = verifier.breaks(inputs, shown) is None
        return self.known[key]

    # --- one expression ----------------------------------------------------------------------------------------------

    def _try(self, node: Node) -> Discovery | None:
        """One expression at the solver, and at the gates where that lets it pass."""
        if self.asked >= self.effort.asked:
            return None
        if any(self.weak.tried(node, values) is not None for values in self.counter):
            self.refused += 1
            return None
        self.asked += 1
        under_weak = self.weak.verify(node)
        if under_weak.answer is Answer.REFUTED:
            self.refused += 1
            if under_weak.inputs is not None:
                self.counter.append(under_weak.inputs)
            return None
        if under_weak.answer is Answer.UNKNOWN:
            self.open.append(to_rust(node))
            return None
        under_full = self.full.verify(node, self.inputs)
        if under_full.answer is not Answer.REFUTED:
            if under_full.answer is Answer.PROVED:
                self.same += 1
            else:
                self.open.append(to_rust(node))
            return None
        text = to_rust(node)
        judgement = judge(self.task, [Candidate(text, text, origin=ORIGIN)], self.means)[0]
        if judgement.certified:
            return replace(self._end(Found.CERTIFIED, f"`{text}` passes all four gates", judgement), size=size_of(node))
        if self.failed is None:
            self.failed = judgement
        return None

    # --- ends --------------------------------------------------------------------------------------------------------

    def _nothing(self) -> Discovery:
        if self.failed is not None:
            gate = next(g for g in self.failed.gates if not g.passed)
            reason = f"`{self.failed.candidate.expression}` was found, and gate `{gate.gate}` says: {gate.reason}"
            return self._end(Found.UNCERTIFIED, reason, self.failed)
        if self._determined():
            return self._none(Found.DETERMINED, "the weakened contract determines the outputs (proved by self-composition)")
        counts = [
            (self.panicked, "panic on an input"),
            (self.right, "give the official output on every visible case"),
            (self.refused, "break the weakened contract"),
            (self.same, "meet the full contract too"),
            (len(self.open), "were left open by the solver"),
        ]
        said = ", ".join(f"{n} {what}" for n, what in counts if n)
        stop = ""
        if self.asked >= self.effort.asked:
            stop = " (the limit on questions to the solver was reached there)"
        elif self.search.is_full:
            stop = " (the limit on expressions was reached there)"
        elif self.weak.steps == 0 or self.full.steps == 0:
            stop = " (the limit on evaluation was reached there)"
        size = self.search.complete
        reason = f"no expression of up to {size} nodes is a witness{stop}: of those of its type, {said or 'none is left'}"
        return self._end(Found.NOT_FOUND, reason, None)

    def _none(self, found: Found, reason: str) -> Discovery:
        return Discovery(self.task.name, found, reason)

    def _end(self, found: Found, reason: str, judgement: Judgement | None) -> Discovery:
        return Discovery(
            self.task.name,
            found,
            reason,
            judgement,
            0,
            self.built,
            self.asked,
            tuple(self.open),
        )


def _same_output(a: Term, b: Term) -> Term:
    """That two outputs are the same for a program: executable collections by their views."""
    if a.sort.kind == "boxed" and a.sort.view is not None:
        return tm.eq(tm.mk("view", (a,), a.sort.view), tm.mk("view", (b,), a.sort.view))
    return tm.eq(a, b)
