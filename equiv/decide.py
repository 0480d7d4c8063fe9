"""The portfolio: whether premises imply a goal.

In: premises, a goal, the variables they are about, a budget. Out: a `Decision`: proved (by which means), refuted (by
which values, replayed or not), or unknown (what was tried). Cheapest first: the same terms; normal forms; the premises at the
goal's own variables; Z3; a bounded search by the evaluator; values of bounded size, found without quantifiers; Z3 again with more
unfolding.

Two laws hold here. "Proved" needs an `unsat` from a solver whose facts are all sound, or syntactic identity. "Refuted" needs
values: either the evaluator, which shares no code with the Z3 reading, confirms that every premise holds and the goal fails, or
Z3 has a model of a formula that is translated exactly, and the decision says why it could not be replayed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from equiv.matching import matched
from equiv.normal import Normalizer
from equiv.remembered import Json, Store, json_value, question_key, value_json
from equiv.replay import REPLAY_STEPS, Replay, value_at
from equiv.sized import Sized
from equiv.verdict import Answer
from translate import terms as tm
from translate.readings.candidates import search, shrink
from translate.readings.outcomes import EvaluationError, TooLarge, Unbounded, Unspecified
from translate.readings.verus_text import to_verus
from translate.terms import FnSym, Term
from translate.values import NotFinite

if TYPE_CHECKING:
    from translate.readings.z3_reading import Reading

#: Z3 resource units for one obligation by default: about two seconds of Z3 on a machine of today.
DEFAULT_BUDGET = 3_000_000
#: A net below the budget, in processor time: some work of Z3 is not counted in its resource units. Above what a question takes
#: that is counted.
SAFETY_MILLISECONDS = 5_000
#: Steps of the evaluator that making the values of one refutation smaller may take.
SHRINK_STEPS = 4_000_000
#: Steps after which no more values of bounded size are replayed.
SIZED_STEPS = 600_000
#: What the undecided obligations of one target may use together, in budgets. One that nothing decides is enough to leave the
#: target undecided; the others can only refute it.
RESERVE = 2

#: Operators whose Z3 reading states sound facts but not all of them: a model that rests on them may be no counterexample.
INEXACT = frozenset(
    {"choose", "set.len", "set.finite", "multiset.len", "seq.to_multiset", "multiset.sub", "multiset.lit", "multiset.add"}
)

#: The first steps of the portfolio, which every obligation gets.
CHEAP_STEPS = 4


@dataclass(slots=True)
class Decision:
    """`values` assigns the variables of a refutation; `why_not` says why it was not replayed (None: it was).
    `tried` lists the means in order; `smt2` and `expected` are set on request."""

    answer: Answer
    method: str
    rlimit: int = 0
    values: dict[Term, Any] | None = None
    why_not: str | None = None
    tried: list[str] = field(default_factory=list)
    smt2: str | None = None
    expected: str | None = None
    partial: dict[Term, Any] = field(default_factory=dict)


class Decider:
    """Decides obligations under one budget (Z3 resource units an obligation). Deterministic."""

    def __init__(
        self, budget: int = DEFAULT_BUDGET, *, want_smt2: bool = False, word_bits: int = 64, store: Store | None = None
    ) -> None:
        """`store` keeps Z3's answers, so that the same question is not asked twice; scripts (`want_smt2`) need the question."""
        self.budget = budget
        self.store = None if want_smt2 else store
        self.want_smt2 = want_smt2
        self.word_bits = word_bits
        self.normalizer = Normalizer()
        #: Units that obligations may still use in vain; used up, the others get the cheap steps only.
        self.reserve = RESERVE * budget
        #: Recursive symbols whose equation must not be used: nobody showed that they end (see `equiv.recursion`).
        self.distrusted: set[FnSym] = set()
        #: Whether the values of a refutation are made small: nicer to read, and the larger part of what a refutation costs.
        self.shrinks = True

    def implied(self, premises: Sequence[Term], goal: Term, variables: Sequence[Term], title: str = "") -> Decision:
        """Whether the premises imply the goal, for all values of the variables (and of any other free variable)."""
        decision = self._implied(premises, goal, variables)
        if self.want_smt2:
            self._certify(decision, premises, goal, title)
        return decision

    def _implied(self, premises: Sequence[Term], goal: Term, variables: Sequence[Term]) -> Decision:
        if goal is tm.TRUE or goal in premises:
            return Decision(Answer.PROVED, "same terms")
        norm = self.normalizer
        given: dict[Term, None] = {}
        for p in premises:
            given.update(dict.fromkeys(norm.conjuncts(p)))
        if tm.FALSE in given:
            return Decision(Answer.PROVED, "normal form")
        weaker = [frozenset(p.args) for p in given if p.op == "or"]
        open_goals = [g for g in norm.conjuncts(goal) if not _stands_among(g, given, weaker)]
        if not open_goals:
            return Decision(Answer.PROVED, "normal form")
        decision = self._by_solver(list(given), tm.and_(open_goals), premises, goal, variables)
        unsure = decision.answer is Answer.PROVED or decision.why_not is not None
        if unsure and may_range_over_nothing([*premises, goal], variables):
            why = "a quantifier ranges over a type that may have no values, and Z3 takes every type to have one"
            return Decision(Answer.UNKNOWN, "; ".join([*decision.tried, why]), decision.rlimit, tried=[*decision.tried, why])
        return decision

    def _by_solver(
        self, given: list[Term], open_goal: Term, premises: Sequence[Term], goal: Term, variables: Sequence[Term]
    ) -> Decision:
        """Z3 and induction on the normal forms, the search on the clauses as they were written."""
        work = _Work(given, open_goal, premises, goal, variables)
        recursive = any(s.kind == "recursive" for t in (*given, open_goal) for s in tm.symbols(t))
        steps: list[Callable[[_Work], Decision | None]] = [
            lambda w: self._try_matched(w, 1 if recursive else 0),
            lambda w: self._try_z3(w, 1, 0.15),
            lambda w: self._try_search(w, 0.02),
            self._try_sized,
            # CHEAP_STEPS so far
            self._try_bits,
            self._try_tied,
            self._try_remainders,
            self._try_induction,
            lambda w: self._try_z3(w, 2 if recursive else 1, 0.4),
            lambda w: self._try_search(w, 0.04),
            lambda w: self._try_z3(w, 3, 0.5) if recursive else None,
        ]
        for k, step in enumerate(steps):
            if k >= CHEAP_STEPS and self.reserve <= 0:
                work.tried.append("the rest left out: other obligations have used up the budget")
                break
            decision = step(work)
            if decision is not None:
                return decision
        self.reserve -= work.spent
        return Decision(Answer.UNKNOWN, "; ".join(work.tried), work.spent, tried=work.tried)

    def _try_z3(self, work: _Work, unfold: int, share: float) -> Decision | None:
        """Z3 with recursive functions unfolded `unfold` levels; a model counts if the evaluator confirms it."""
        if work.stuck or (work.exact_model and share > 0.15):
            return None  # it has answered already, and nothing is left to unfold
        run = self._ask(work, work.given, work.open_goal, unfold, share)
        work.tried.append(f"Z3 (unfolding {unfold}, {int(self.budget * share)} units): {run.answer}")
        if run.answer == "unsat":
            return Decision(Answer.PROVED, "z3", work.spent, tried=work.tried, smt2=run.smt2)
        if run.answer == "sat":
            if run.values is not None and self.replays(work.premises, work.goal, run.values) is True:
                return self._refuted(run.values, "z3", work)
            work.exact_model = self.exact([*work.given, work.open_goal])
        return None

    def _try_matched(self, work: _Work, unfold: int) -> Decision | None:
        """The premises at the goal's own variables: no quantifier is left for Z3 to guess instances of."""
        goals = work.open_goal.args if work.open_goal.op == "and" else (work.open_goal,)
        left, asked = list(goals), 0
        script: str | None = None
        for g in goals:
            question = matched(work.given, g)
            if question is None:
                continue
            for depth in range(unfold + 1):
                asked += 1
                run = self._ask(work, question.given, question.goal, depth, 0.03, more=question.constants)
                if run.answer == "unsat":
                    left.remove(g)
                    script = run.smt2
                    break
        if not asked:
            return None
        work.tried.append(f"matching instances: {len(goals) - len(left)} of {len(goals)} goals")
        if not left:
            return Decision(Answer.PROVED, "z3", work.spent, tried=work.tried, smt2=script if len(goals) == 1 else None)
        work.open_goal = tm.and_(left)
        return None

    def _try_search(self, work: _Work, share: float) -> Decision | None:
        """The bounded search: small values, confirmed by the evaluator."""
        steps = int(self.budget * share)
        found = self._search(work.premises, work.goal, work.variables, steps)
        work.tried.append(f"bounded search ({steps} steps)")
        return None if found is None else self._refuted(found, "search", work)

    def _try_sized(self, work: _Work) -> Decision | None:
        """Values of a small size, found by Z3 without quantifiers and confirmed by the evaluator."""
        sized = Sized(work.premises, work.goal, work.variables, self.word_bits, self.budget)
        refuted: Decision | None = None
        spent = 0
        for c in sized.candidates():
            for chosen in (None, c.chosen) if c.chosen else (None,):
                replay = Replay(work.premises, work.goal, list(c.values), self.word_bits, chosen)
                replayed = replay.refutes(c.values)
                spent += replay.spent
                if replayed is not True:
                    continue
                if chosen is None:
                    refuted = self._refuted(c.values, "bounded sizes", work)
                else:
                    why = f"it rests on unspecified values: {chosen_in_words(chosen)}"
                    refuted = Decision(Answer.REFUTED, "bounded sizes", 0, c.values, why, work.tried)
                break
            if refuted is not None or spent > SIZED_STEPS:
                break
        work.spent += sized.spent
        work.tried.append(f"bounded sizes: {sized.outcome}")
        if refuted is not None:
            refuted.rlimit = work.spent
        return refuted

    def _try_tied(self, work: _Work) -> Decision | None:
        """Where Z3 has a model that the evaluator cannot follow: once more, with every unspecified value a function of its
        arguments, so that equal arguments have equal ones."""
        if not work.exact_model or work.stuck:
            return None
        run = self._ask(work, work.given, work.open_goal, 1, 0.5, "canonical")
        work.tried.append(f"Z3 (unspecified values as functions): {run.answer}")
        if run.answer == "unsat":
            return Decision(Answer.PROVED, "z3", work.spent, tried=work.tried, smt2=run.smt2)
        if run.answer != "sat":
            return None
        replayed = None if run.values is None else self.replays(work.premises, work.goal, run.values)
        if replayed is False:
            return None  # the evaluator contradicts the model: neither is believed
        if run.values is not None and replayed is True:
            return self._refuted(run.values, "z3", work)
        # Nobody replays this model, and Z3 has been seen to be wrong about one: it has to find one another way too.
        if not self._sat_again(work):
            return None
        if run.values is None:
            return Decision(Answer.REFUTED, "z3", work.spent, None, run.why_none, work.tried, run.smt2, partial=run.partial)
        why = self._why_not(work.premises, work.goal, run.values)
        return Decision(Answer.REFUTED, "z3", work.spent, run.values, why, work.tried, run.smt2)

    def _sat_again(self, work: _Work) -> bool:
        """Whether Z3 finds a model under another random seed too."""
        for seed in (1, 2, 3):
            run = self._ask(work, work.given, work.open_goal, 1, 0.5, "canonical", seed=seed)
            if run.answer in ("sat", "unsat"):
                return run.answer == "sat"
        return False

    def _try_induction(self, work: _Work) -> Decision | None:
        """Goals `forall|…, j: int, …| body` by strong induction on j, where Z3 left them open."""
        if work.exact_model or work.stuck:
            return None
        goals = work.open_goal.args if work.open_goal.op == "and" else (work.open_goal,)
        left = list(goals)
        for g in goals:
            if g.op == "forall" and self._by_induction(work, g):
                left.remove(g)
        if len(left) == len(goals):
            return None
        work.tried.append(f"induction: {len(goals) - len(left)} of {len(goals)} goals")
        if not left:
            return Decision(Answer.PROVED, "induction", work.spent, tried=work.tried, smt2=work.step_smt2)
        work.open_goal = tm.and_(left)
        return None

    def _try_bits(self, work: _Work) -> Decision | None:
        """Formulas over fixed-width integers with bit operations, as one circuit: complete both ways."""
        from translate.readings.z3_bits import BitReading, NotBits

        formulas = [*work.given, work.open_goal]
        if not any(s.op in BIT_OPERATIONS for t in formulas for s in tm.subterms(t)):
            return None
        try:
            reading = BitReading(formulas)
        except NotBits:
            return None
        assertions = [reading.read(t) for t in work.given]
        assertions.append(reading.read(tm.not_(work.open_goal)))
        solver = bit_solver(reading, int(self.budget * 0.5))
        solver.add(*assertions, *reading.facts)
        answer = str(solver.check())
        work.spent += _spent(solver)
        work.tried.append(f"bit-vectors of {reading.width} bits: {answer}")
        if answer == "unsat":
            return Decision(Answer.PROVED, "bit-vectors", work.spent, tried=work.tried)
        if answer == "sat":
            values = {v: reading.model_value(solver.model(), v) for v in work.variables if v.sort.is_integer or v.sort is tm.BOOL}
            if len(values) == len(work.variables) and self.replays(work.premises, work.goal, values) is True:
                return self._refuted(values, "bit-vectors", work)
        return None

    def _try_remainders(self, work: _Work) -> Decision | None:
        """A case split on the remainder of a variable: `n * (n + 1) / 2` is a polynomial in k for n = 2k and for n = 2k + 1."""
        if work.stuck:
            return None
        for v, d in _divided_variables([*work.given, work.open_goal]):
            quotient = tm.var(f"%{v.data} / {d}", tm.INT)
            for r in range(d):
                value = tm.arith("add", tm.arith("mul", tm.lit(d), quotient), tm.lit(r))
                here = tm.eq(v, value)

                def split(t: Term, v: Term = v, value: Term = value) -> Term:
                    return self.normalizer.normal(tm.rewrite(t, lambda s: value if s is v else None))

                given = [*(split(p) for p in work.given), here]
                run = self._ask(work, given, split(work.open_goal), 1, 0.2, more=(quotient,))
                if run.answer != "unsat":
                    break
            else:
                work.tried.append(f"case split on {v.data} modulo {d}")
                return Decision(Answer.PROVED, "case split", work.spent, tried=work.tried)
        return None

    def _by_induction(self, work: _Work, g: Term) -> bool:
        sorts: tuple[tm.Sort, ...] = g.data
        for k in reversed(range(len(sorts))):
            if not sorts[k].is_integer or sorts[k].name == "char":
                continue
            fixed, earlier = tm.var("%induction", sorts[k]), tm.var("%earlier", sorts[k])
            others = tuple(tm.var(f"%other{i}", s) for i, s in enumerate(sorts) if i != k)

            def at(v: Term, k: int = k, others: tuple[Term, ...] = others) -> Term:
                args = (*others[:k], v, *others[k:])
                body = tm.abstract(tm.instantiate(g.args[0], args), others)
                return tm.quantify("forall", tuple(o.sort for o in others), body)

            before = tm.and_([tm.arith("le", tm.ZERO, earlier), tm.arith("lt", earlier, fixed)])
            hypothesis = tm.implies(before, at(earlier))
            hypothesis = tm.quantify("forall", (sorts[k],), tm.abstract(hypothesis, (earlier,)))
            # The instances at the predecessor, which a step needs and Z3 does not think of.
            last = tm.arith("sub", fixed, tm.ONE)
            steps = [tm.implies(tm.arith("le", tm.ONE, fixed), at(last))]
            steps += [tm.instantiate(p.args[0], (last,)) for p in work.given if p.op == "forall" and p.data == (tm.INT,)]
            given = [*work.given, hypothesis, *steps]
            run = self._ask(work, given, at(fixed), 1, 0.2, more=(fixed,))
            if run.answer == "unsat":
                work.step_smt2 = run.smt2
                return True
        return False

    # --- refutation ------------------------------------------------------------------------------------------------

    def exact(self, ts: Sequence[Term]) -> bool:
        """Whether the Z3 reading says everything about the operators in these terms."""
        for t in ts:
            for sym in tm.symbols(t):
                if sym.kind == "recursive":
                    return False
                if sym.body is not None and any(s.op in INEXACT for s in tm.subterms(sym.body)):
                    return False
            if any(s.op in INEXACT for s in tm.subterms(t)):
                return False
        return True

    def replays(
        self, premises: Sequence[Term], goal: Term, values: dict[Term, Any], chosen: Mapping[tuple[Any, ...], Any] | None = None
    ) -> bool | None:
        """Whether the values make every premise true and the goal false: True, False, or None where the evaluator cannot tell.
        `chosen` gives values to what is unspecified."""
        return Replay(premises, goal, list(values), self.word_bits, chosen).refutes(values)

    def _why_not(self, premises: Sequence[Term], goal: Term, values: dict[Term, Any]) -> str:
        """Why the evaluator could not replay a model, in words."""
        for t in (*premises, goal):
            try:
                value_at(t, values, self.word_bits)
            except EvaluationError as problem:
                return in_words(problem)
        return "the evaluator could not decide it"

    def _refuted(self, values: dict[Term, Any], method: str, work: _Work) -> Decision:
        if self.shrinks:
            values = self._smaller(work.premises, work.goal, values)
        return Decision(Answer.REFUTED, method, work.spent, values, None, work.tried)

    def _smaller(self, premises: Sequence[Term], goal: Term, values: dict[Term, Any]) -> dict[Term, Any]:
        """The values made smaller, as far as they still refute, and as steps go."""
        replay = Replay(premises, goal, list(values), self.word_bits)

        def refutes(v: dict[Term, Any]) -> bool:
            left = SHRINK_STEPS - replay.spent
            return left > 0 and replay.refutes(v, min(REPLAY_STEPS, left)) is True

        return shrink(values, refutes)

    def _search(self, premises: Sequence[Term], goal: Term, variables: Sequence[Term], steps: int) -> dict[Term, Any] | None:
        names = list(dict.fromkeys([*variables, *(v for t in (*premises, goal) for v in tm.free_variables(t))]))
        if any(_is_huge(v.sort) for v in names):
            return None
        try:
            found = search(list(premises), tm.not_(goal), names, budget=steps, usize_bits=self.word_bits)
        except EvaluationError:
            return None
        if found is not None and self.replays(premises, goal, found) is not True:
            return None
        return found

    def find(self, conditions: Sequence[Term], variables: Sequence[Term]) -> dict[Term, Any] | None:
        """Values that make all conditions true (replayed), or None."""
        found = self._search(conditions, tm.FALSE, variables, int(self.budget * 0.05))
        if found is not None:
            return found
        run = self._ask_z3(list(conditions), tm.FALSE, variables, 1, self.budget, "free")
        if run.answer == "sat" and run.values is not None and self.replays(conditions, tm.FALSE, run.values) is True:
            return run.values
        return None

    def contradictory(self, conditions: Sequence[Term], variables: Sequence[Term]) -> bool:
        """Whether no values make all conditions true: proved, not guessed."""
        return self._implied(conditions, tm.FALSE, variables).answer is Answer.PROVED

    # --- Z3 --------------------------------------------------------------------------------------------------------

    def proved_by_z3(self, premises: Sequence[Term], goal: Term, variables: Sequence[Term], share: float) -> bool:
        """Whether Z3 proves an implication with recursive functions as unknown ones, within a share of the budget."""
        if may_range_over_nothing([*premises, goal], variables):
            return False
        given = [c for p in premises for c in self.normalizer.conjuncts(p)]
        run = self._ask_z3(given, self.normalizer.normal(goal), variables, 0, int(self.budget * share), "free")
        return run.answer == "unsat"

    def refute(self, premises: Sequence[Term], goal: Term, variables: Sequence[Term]) -> dict[Term, Any] | None:
        """Values, found by the bounded search alone, that make the premises true and the goal false."""
        found = self._search(premises, goal, variables, int(self.budget * 0.01))
        return None if found is None else self._smaller(premises, goal, found)

    def _trusted(self, t: Term) -> Term:
        """The term with distrusted functions, and those that rest on them, as unknown ones."""
        if not self.distrusted:
            return t

        def f(s: Term) -> Term | None:
            if s.op != "app" or s.data.body is None:
                return None
            if s.data in self.distrusted or any(d in self.distrusted for d in tm.symbols(s.data.body)):
                key = f"not shown to end: {s.data.name} {s.data.key!r}"
                return tm.app(tm.uninterpreted(s.data.name, s.data.params, s.data.result, key=key), s.args)
            return None

        return tm.rewrite(t, f)

    def _ask(
        self,
        work: _Work,
        given: Sequence[Term],
        goal: Term,
        unfold: int,
        share: float,
        junk: _Junk = "free",
        *,
        more: Sequence[Term] = (),
        seed: int = 0,
    ) -> _Run:
        """Z3 on a question that belongs to an obligation (with `more` variables than that has): what it costs is the
        obligation's, and once Z3 had to be stopped by the clock it is not asked again."""
        if work.stuck:
            return _Run("unknown (not asked again)", 0)
        run = self._ask_z3(given, goal, [*work.variables, *more], unfold, int(self.budget * share), junk, seed)
        work.spent += run.rlimit
        work.stuck = run.stuck
        return run

    def _ask_z3(
        self,
        given: Sequence[Term],
        goal: Term,
        variables: Sequence[Term],
        unfold: int,
        rlimit: int,
        junk: _Junk,
        seed: int = 0,
    ) -> _Run:
        from translate.readings.z3_reading import TooDeep

        try:
            return self._run_z3(given, goal, variables, unfold, rlimit, junk, seed)
        except TooDeep:
            return _Run("unknown (nested too deeply)", 0)

    def _run_z3(
        self,
        given: Sequence[Term],
        goal: Term,
        variables: Sequence[Term],
        unfold: int,
        rlimit: int,
        junk: _Junk,
        seed: int,
    ) -> _Run:
        names = list(dict.fromkeys([*variables, *(v for t in (*given, goal) for v in tm.free_variables(t))]))
        given, goal = [self._trusted(p) for p in given], self._trusted(goal)
        if self.store is None:
            return self._run_anew(given, goal, names, unfold, rlimit, junk, seed)
        key = question_key((*given, goal), names, (unfold, rlimit, junk, seed))
        run = _run_from(self.store.get(key), names)
        if run is None:
            run = self._run_anew(given, goal, names, unfold, rlimit, junk, seed)
            if not run.stuck:
                self.store.put(key, _run_json(run, names))
        return run

    def _run_anew(
        self, given: Sequence[Term], goal: Term, names: Sequence[Term], unfold: int, rlimit: int, junk: _Junk, seed: int
    ) -> _Run:
        from translate.readings.z3_check import MEMORY, check_within
        from translate.readings.z3_reading import Reading

        reading = Reading(unfold=unfold, junk=junk)
        for v in names:
            reading.declare(v)
        assertions = _assertions(reading, given, goal)
        solver = reading.solver(max(1, rlimit))  # 0 would mean no limit
        if seed:
            solver.set("random_seed", seed)
        solver.add(*assertions)
        answer, stopped = check_within(solver, SAFETY_MILLISECONDS / 1000)
        run = _Run(answer, _spent(solver))
        if stopped:
            limit = f"{SAFETY_MILLISECONDS // 1000} seconds or {MEMORY // 1_000_000_000} GB"
            run.answer = f"unknown (stopped at {limit}: Z3 does not count this work)"
            run.stuck = True
        if self.want_smt2:
            run.smt2 = self._text(assertions)
        if answer == "sat":
            model = solver.model()
            for v in names:
                try:
                    run.partial[v] = reading.model_value(model, v, limit=64)
                except NotFinite as problem:
                    run.why_none = f"{v.data} is too large to write down: {problem}"
            run.values = run.partial if run.why_none is None else None
        return run

    def _certify(self, decision: Decision, premises: Sequence[Term], goal: Term, title: str) -> None:
        """Gives the decision a script for other solvers: the very question that Z3 answered, or else the obligation as it
        stands, with the values that refute it."""
        expected = {Answer.PROVED: "unsat", Answer.REFUTED: "sat", Answer.UNKNOWN: "unknown"}
        decision.expected = expected[decision.answer]
        if decision.smt2 is None and decision.method != "statement":
            values = decision.values or {}
            pins = [p for v, x in values.items() for p in pinned(v, x)]
            decision.smt2 = self._script([*premises, *pins], goal)
        if decision.smt2 is not None:
            decision.smt2 = "".join(f"; {line}\n" for line in title.splitlines()) + decision.smt2

    def _script(self, given: Sequence[Term], goal: Term) -> str | None:
        """The question as a script; None where it cannot be written as one."""
        from translate.readings.z3_reading import Reading, TooDeep

        try:
            trusted = [self._trusted(p) for p in given]
            return self._text(_assertions(Reading(unfold=1, junk="canonical"), trusted, self._trusted(goal)))
        except TooDeep:
            return None

    def _text(self, assertions: Sequence[Any]) -> str | None:
        """Formulas as SMT-LIB text; None where some of them cannot be written portably."""
        from translate.readings import smtlib

        try:
            return smtlib.script(assertions, comments=[], rlimit=self.budget)
        except smtlib.NotPortable:
            return None


_Junk = Literal["free", "canonical"]


@dataclass(slots=True)
class _Run:
    """One call of Z3. `values` are those of a model; None where it has none that can be written down (`why_none`)."""

    answer: str
    rlimit: int
    values: dict[Term, Any] | None = None
    why_none: str | None = None
    partial: dict[Term, Any] = field(default_factory=dict)
    smt2: str | None = None
    stuck: bool = False


def _assertions(reading: Reading, given: Sequence[Term], goal: Term) -> list[Any]:
    """Z3's formulas for a question: premises, negated goal, and the facts that come with them."""
    assertions = [reading.assume(p) for p in given]
    assertions.append(reading.deny(goal))
    return [*assertions, *reading.facts]


def _run_json(run: _Run, names: Sequence[Term]) -> Json:
    """What a store keeps of a call of Z3: a model's values in the order of the question's variables."""
    values = [[k, value_json(run.partial[v])] for k, v in enumerate(names) if v in run.partial]
    return {"answer": run.answer, "rlimit": run.rlimit, "why_none": run.why_none, "values": values}


def _run_from(found: Json | None, names: Sequence[Term]) -> _Run | None:
    """The call that was kept; None where nothing was, or not this."""
    if found is None:
        return None
    try:
        run = _Run(str(found["answer"]), int(found["rlimit"]), why_none=found["why_none"])
        run.partial = {names[k]: json_value(x) for k, x in found["values"]}
    except (KeyError, IndexError, TypeError, ValueError):
        return None
    if run.answer == "sat" and run.why_none is None:
        run.values = run.partial
    return run


@dataclass(slots=True)
class _Work:
    """One obligation on its way: the normal forms still open, the clauses as written, what was tried."""

    given: list[Term]
    open_goal: Term
    premises: Sequence[Term]
    goal: Term
    variables: Sequence[Term]
    tried: list[str] = field(default_factory=list)
    spent: int = 0
    #: Z3 has a model of a formula whose translation leaves nothing out
    exact_model: bool = False
    #: Z3 was stopped by the clock: it is not asked again
    stuck: bool = False
    #: the last induction step, as a script
    step_smt2: str | None = None


def _stands_among(goal: Term, given: dict[Term, None], weaker: Sequence[frozenset[Term]]) -> bool:
    """Whether a goal in normal form follows from premises as they stand: it is one; all its parts are, or one of its alternatives
    is; or all alternatives of a premise (`weaker`) are among its own."""
    if goal in given:
        return True
    if goal.op == "and":
        return all(_stands_among(g, given, weaker) for g in goal.args)
    if goal.op == "or":
        own = set(goal.args)
        return any(w <= own for w in weaker) or any(_stands_among(g, given, weaker) for g in goal.args)
    return False


def pinned(v: Term, x: Any) -> list[Term]:
    """Equations that say which value a term has, where the term language can say it (an executable collection is pinned by its
    view; opaque values and functions not at all)."""
    sort = v.sort
    if sort.kind == "boxed" and sort.view is not None:
        return pinned(tm.mk("view", (v,), sort.view), x.view)
    if sort.kind == "data":
        here = [tm.mk("is", (v,), tm.BOOL, x.variant)] if len(sort.variants) > 1 else []
        fields = sort.variants[x.variant].fields
        parts = [(tm.mk("field", (v,), f.sort, (x.variant, i)), x.fields[i]) for i, f in enumerate(fields)]
        return here + [p for term, value in parts for p in pinned(term, value)]
    if sort.kind == "seq":
        length = tm.eq(tm.mk("seq.len", (v,), tm.NAT), tm.lit(len(x)))
        elements = [tm.mk("seq.index", (v, tm.lit(i)), sort.element) for i in range(len(x))]
        return [length, *(p for term, value in zip(elements, x, strict=True) for p in pinned(term, value))]
    if sort.is_integer or sort is tm.BOOL:
        return [tm.eq(v, tm.lit(x))]
    return []


#: Arrays longer than this are not written out, neither by the search nor from a model.
LONGEST_ARRAY = 2_000


def _is_huge(sort: tm.Sort, seen: frozenset[tm.Sort] = frozenset()) -> bool:
    """Whether every value of a sort has more elements than anyone wants to see."""
    if sort in seen:
        return False
    if sort.length is not None and sort.length > LONGEST_ARRAY:
        return True
    fields = [f.sort for v in sort.variants for f in v.fields] if sort.kind == "data" and sort.is_struct else []
    return any(_is_huge(s, seen | {sort}) for s in (*sort.args, *fields))


def may_range_over_nothing(ts: Sequence[Term], variables: Sequence[Term]) -> bool:
    """Whether a quantifier or `choose` in terms, or in the definitions they reach, binds a variable of a sort that may be empty:
    a type parameter or unknown type of which no variable is a value, an enum without variants, or what contains one of these."""
    seen: dict[Term, None] = dict.fromkeys(ts)
    for t in ts:
        for sym in tm.symbols(t):
            seen.update(dict.fromkeys(b for b in (sym.body, sym.when) if b is not None))
    present = {v.sort for v in variables}
    binders = {s for t in seen for b in tm.subterms(t) if b.op in ("forall", "exists", "choose") for s in b.data}
    return any(_may_be_empty(s, present, frozenset()) for s in binders)


def _may_be_empty(sort: tm.Sort, present: set[tm.Sort], open_: frozenset[tm.Sort]) -> bool:
    if sort in present:
        return False
    if sort.kind == "opaque" or sort in open_:
        return True
    if sort.kind == "fn":
        return _may_be_empty(sort.args[-1], present, open_)
    if sort.kind == "boxed":  # a Vec may be empty; an array has its elements
        return sort.name == "array" and sort.length != 0 and _may_be_empty(sort.args[0], present, open_)
    if sort.kind != "data":
        return False
    inside = open_ | {sort}
    return not any(all(not _may_be_empty(f.sort, present, inside) for f in v.fields) for v in sort.variants)


BIT_OPERATIONS = frozenset({"bitand", "bitor", "bitxor", "bitnot", "shl", "shr"})


def _divided_variables(ts: Sequence[Term]) -> list[tuple[Term, int]]:
    """Integer variables in a quotient or remainder by a small literal, with the literal: at most three."""
    found: dict[tuple[Term, int], None] = {}
    for t in ts:
        for s in tm.subterms(t):
            if s.op in ("div", "mod") and s.args[1].op == "lit" and 2 <= s.args[1].data <= 8 and s.args[0].loose == 0:
                if s.args[0].op in ("add", "mul"):
                    for v in tm.free_variables(s.args[0]):
                        if v.sort.is_integer:
                            found[v, s.args[1].data] = None
    return list(found)[:3]


def bit_solver(reading: Any, rlimit: int) -> Any:
    """A Z3 solver for bit-vectors, deterministic and within a budget."""
    import z3

    solver = z3.SolverFor("QF_BV", ctx=reading.ctx)
    solver.set("rlimit", rlimit)
    return solver


def in_words(problem: EvaluationError) -> str:
    """Why the evaluator has no answer, for people."""
    if problem.term is None:
        return "the evaluator could not decide it"
    text = re.sub(r"#\d+", "_", to_verus(problem.term)) if problem.term.size <= 200 else f"{problem.term.op} …"
    text = text if len(text) <= 100 else text[:100].rstrip() + " …"
    match problem:
        case Unspecified():
            return f"`{text}` is unspecified: it has one value, and nothing says which"
        case Unbounded():
            return f"`{text}` ranges over more values than can be tried"
        case TooLarge():
            return f"`{text}` is too large to work out"
    return f"working out `{text}` takes too many steps"


def chosen_in_words(chosen: Mapping[tuple[Any, ...], Any]) -> str:
    """Values chosen for what is unspecified, for people."""
    parts = []
    for (kind, *args), value in chosen.items():
        match kind.split(" ")[0], args:
            case "as", [x]:
                parts.append(f"`{x} {kind}` is {value}")
            case "div" | "mod", [x]:
                parts.append(f"`{x} {'/' if kind == 'div' else '%'} 0` is {value}")
            case _, [s, i]:
                shown = ", ".join(map(str, s))
                parts.append(f"`seq![{shown}][{i}]` is {value}")
    return ", ".join(parts[:4])


def _spent(solver: Any) -> int:
    """What a solver has used so far, in its resource units."""
    for name, value in solver.statistics():
        if name == "rlimit count":
            return int(value)
    return 0
