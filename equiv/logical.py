"""The logical contract test: the obligations of design section 4, for one target.

In: the contracts of a target in both files. Out: a `TargetReport`. Every clause of one side becomes one obligation, so that a
verdict can name the clause; the obligations are decided by `equiv.decide`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from equiv.alignment import align
from equiv.decide import RESERVE, Decider, Decision
from equiv.lemmas import LemmaHook, Premise
from equiv.second_opinion import DISAGREES, SecondSolver, second_opinion
from equiv.statements import Statements
from equiv.verdict import Answer, ClauseRef, Counterexample, Obligation, Question, Reason, Verdict
from translate import terms as tm
from translate.elaborate.contracts import Clause, Contract, Interface
from translate.terms import Term
from translate.values import render_rust

#: What a converse question may cost, as a share of the budget.
CONVERSE_SHARE = 0.4


@dataclass(slots=True)
class Outcome:
    """What the logical test found, before the report is put together."""

    verdict: Verdict
    reasons: list[Reason] = field(default_factory=list)
    obligations: list[Obligation] = field(default_factory=list)
    core: tuple[ClauseRef, ...] = ()
    notes: list[str] = field(default_factory=list)


def interface_changes(a: Interface, b: Interface) -> list[Reason]:
    """What a caller sees differently, one reason each."""
    reasons: list[Reason] = []

    def differ(code: str, what: str, old: object, new: object) -> None:
        if old != new:
            reasons.append(Reason(code, f"{what} was `{old}` and is `{new}`"))

    differ("mode", "the mode", a.mode, b.mode)
    differ("qualifiers", "the qualifier", " ".join(a.qualifiers) or "none", " ".join(b.qualifiers) or "none")
    if len(a.params) != len(b.params):
        differ("parameter-count", "the parameter list", f"({', '.join(a.params)})", f"({', '.join(b.params)})")
    else:
        for i, (old, new) in enumerate(zip(a.params, b.params, strict=True)):
            differ("parameter-type", f"the type of parameter {i + 1}", old, new)
            if old == new and a.sorts[i] is not b.sorts[i]:
                reasons.append(Reason("parameter-type", f"the type of parameter {i + 1}, `{old}`, is defined differently"))
        differ("ghost", "the ghost or tracked mode of the parameters", a.ghost, b.ghost)
    differ("result-type", "the result type", a.result, b.result)
    if a.result == b.result and a.result_sort is not b.result_sort:
        reasons.append(Reason("result-type", f"the result type `{a.result}` is defined differently"))
    if len(a.generics) != len(b.generics) or [g.split(":")[1:] for g in a.generics] != [g.split(":")[1:] for g in b.generics]:
        differ("generics", "the generic parameters", f"<{', '.join(a.generics)}>", f"<{', '.join(b.generics)}>")
    elif set(a.invariants) != set(b.invariants):
        reasons.append(
            Reason(
                "type-invariant", "the invariant of a type in the signature is another, and every value is assumed to satisfy it"
            )
        )
    elif a.bounds != b.bounds:
        differ("generics", "the bounds", ", ".join(a.bounds) or "none", ", ".join(b.bounds) or "none")
    return reasons


class LogicalTest:
    """One target's obligations. `original` and `submitted` are over the same variables."""

    def __init__(
        self,
        original: Contract,
        submitted: Contract,
        refs: dict[int, ClauseRef],
        decider: Decider,
        lemma: LemmaHook | None = None,
        second: SecondSolver | None = None,
    ) -> None:
        self.o, self.s, self.refs, self.decider, self.lemma, self.second = original, submitted, refs, decider, lemma, second
        self.inputs = original.inputs
        self.variables = original.variables
        self.p = [c.term for c in original.requires]
        self.q = [c.term for c in original.ensures]
        aligned = align([*self.p, *self.q], [c.term for c in (*submitted.requires, *submitted.ensures)], decider)
        self.aligned = aligned
        self.p2 = [aligned.terms[c.term] for c in submitted.requires]
        self.q2 = [aligned.terms[c.term] for c in submitted.ensures]
        #: A proof function without outputs concludes a statement; see `equiv.statements`.
        self.is_lemma = original.interface.mode == "proof" and original.result is None and not original.outputs
        self.statements = Statements(decider, aligned.differ)
        decider.reserve = RESERVE * decider.budget
        self.obligations: list[Obligation] = []
        self.decisions: dict[str, Decision] = {}

    def run(self) -> Outcome:
        outcome = self._run()
        contradicted = [o for o in self.obligations if o.cross_check == DISAGREES]
        return self._disagreement(contradicted) if contradicted else outcome

    def _disagreement(self, contradicted: list[Obligation]) -> Outcome:
        """Two solvers that contradict each other: one of them is wrong, and nothing is said until somebody knows which."""
        reasons = []
        for o in contradicted:
            words = "" if o.clause is None else f": {o.clause.side} clause `{o.clause.text}`"
            message = f"two solvers contradict each other on {o.name} ({o.question.value}{words}); {o.method}"
            reasons.append(Reason("disagreement", message, () if o.clause is None else (o.clause,)))
        return Outcome(Verdict.UNDECIDED, reasons, self.obligations)

    def _run(self) -> Outcome:
        accepts = self._ask(Question.ACCEPTS, self.p, self.s.requires, self.inputs)
        promises = self._ask(Question.PROMISES, [*self.p, *self.q2], self.o.ensures, self.variables)
        failed_in = [o for o in accepts if o.answer is Answer.REFUTED]
        failed_out = [o for o in promises if o.answer is Answer.REFUTED]
        open_ = [o for o in (*accepts, *promises) if o.answer is Answer.UNKNOWN]
        if any(o.answer is not Answer.PROVED for o in accepts):
            vacuous = self._vacuous()
            if vacuous is not None:
                return vacuous
        if failed_in or failed_out:
            reasons = [self._reason(o) for o in (*failed_in, *failed_out)]
            return Outcome(Verdict.WEAKENED, reasons, self.obligations)
        if open_:
            return self._undecided(open_)
        return self._kept()

    def _ask(self, question: Question, premises: list[Term], goals: list[Clause], variables: list[Term]) -> list[Obligation]:
        asked = []
        states = self.is_lemma and question in (Question.PROMISES, Question.PROMISES_NO_MORE)
        for i, clause in enumerate(goals):
            name = f"{question.name.lower().replace('_', '-')}-{i + 1}"
            ref = self.refs.get(id(clause))
            title = f"{self.o.ref.path}: {question.value}: {'' if ref is None else ref.text}"
            if states:
                given, others = (self.p, self.q) if question is Question.PROMISES else (self.p2, self.q2)
                decision = self.statements.stated(given, premises[len(given) :], self._term(clause), others, title)
            elif self.is_lemma and question is Question.ACCEPTS:
                decision = self.statements.asked(premises, self.p2, self._term(clause), self.q, title)
            else:
                decision = self.decider.implied([*premises, *self.aligned.lemmas], self._term(clause), variables, title)
            self.decisions[name] = decision
            opinion = self._cross_check(decision, [*premises, clause.term])
            obligation = Obligation(
                name,
                question,
                ref,
                decision.answer,
                decision.method,
                decision.rlimit,
                "; ".join(decision.tried),
                decision.smt2,
                decision.expected,
                self._lemma(name, question, clause, variables),
                opinion,
            )
            self.obligations.append(obligation)
            asked.append(obligation)
        return asked

    def _cross_check(self, decision: Decision, terms: list[Term]) -> str | None:
        """What the second solver says, where there is one; a decision that it contradicts becomes unknown."""
        if self.second is None:
            return None
        exact = self.decider.exact([*terms, *self.aligned.terms.values()])
        return second_opinion(decision, self.second, self.decider.budget, exact=exact)

    def _lemma(self, name: str, question: Question, clause: Clause, variables: list[Term]) -> str | None:
        """The obligation as a Verus file, from the clauses as they were written."""
        if self.lemma is None:
            return None
        given = self.o.requires if question in (Question.ACCEPTS, Question.PROMISES) else self.s.requires
        promised = {Question.PROMISES: self.s.ensures, Question.PROMISES_NO_MORE: self.o.ensures}.get(question, [])
        premises = [Premise(c.term, self._words(c)) for c in (*given, *promised)]
        words = self._words(clause)
        if self.is_lemma and promised:
            words += " (samespec also asks that it follows from what is stated, not only that it is true)"
        return self.lemma(name, premises, Premise(clause.term, words), variables)

    def _words(self, clause: Clause) -> str:
        ref = self.refs.get(id(clause))
        return "" if ref is None else f"{ref.side} {ref.kind} {ref.text}"

    def _term(self, clause: Clause) -> Term:
        """A clause's term, the submission's in its aligned form."""
        return self.aligned.terms.get(clause.term, clause.term)

    def _kept(self) -> Outcome:
        notes = list(self.aligned.notes)
        # The converses only tell `equivalent` from `refines`: they get a smaller part of the budget.
        full, self.decider.budget = self.decider.budget, int(self.decider.budget * CONVERSE_SHARE)
        try:
            return self._converses(notes)
        finally:
            self.decider.budget = full

    def _converses(self, notes: list[str]) -> Outcome:
        no_more = self._ask(Question.ACCEPTS_NO_MORE, self.p2, self.o.requires, self.inputs)
        accepts_more = [o for o in no_more if o.answer is not Answer.PROVED]
        promised = self._ask(Question.PROMISES_NO_MORE, [*self.p2, *self.q], self.s.ensures, self.variables)
        promises_more = [o for o in promised if o.answer is not Answer.PROVED]
        unknown = [o for o in (*accepts_more, *promises_more) if o.answer is Answer.UNKNOWN]
        reasons = [self._reason(o) for o in (*accepts_more, *promises_more) if o.answer is Answer.REFUTED]
        if self.is_lemma and self.aligned.closed:
            # A lemma about a recursive function is no lemma any more when the definition says what it was to show.
            names = ", ".join(f"`{n}`" for n in self.aligned.closed)
            message = f"{names} no longer recurs: the definition may contain what this lemma was to show"
            return Outcome(Verdict.UNDECIDED, [Reason("definition-changed", message)], self.obligations, notes=notes)
        if not accepts_more and not promises_more:
            return Outcome(Verdict.EQUIVALENT, [], self.obligations, notes=notes)
        if unknown and not reasons:
            notes.append("the contract is at least as strong; whether it is the same was not decided")
        return Outcome(Verdict.REFINES, reasons, self.obligations, notes=notes)

    def _undecided(self, open_: list[Obligation]) -> Outcome:
        reasons = []
        for o in open_:
            assert o.clause is not None
            side = "the submitted clause" if o.clause.side == "submitted" else "the original clause"
            message = f"neither proved nor refuted that it {o.question.value}: {side} `{o.clause.text}` (tried: {o.method})"
            reasons.append(Reason("undecided", message, (o.clause,)))
        return Outcome(Verdict.UNDECIDED, reasons, self.obligations)

    # --- vacuity ---------------------------------------------------------------------------------------------------

    def _vacuous(self) -> Outcome | None:
        """`vacuous` where the submitted precondition can never hold and the original's can; None where that is not shown."""
        decision = self.decider.implied(self.p2, tm.FALSE, self.inputs, f"{self.o.ref.path}: {Question.CALLABLE.value}")
        if decision.answer is not Answer.PROVED:
            return None
        opinion = self._cross_check(decision, self.p2)
        witness = self.decider.find(self.p, self.inputs)
        if witness is None:
            return None
        core = self._core()
        refs = [r for c in core if (r := self.refs.get(id(c))) is not None]
        by_types = self._needs_types(core)
        shown = " and ".join(f"`{r.text}`" for r in refs)
        if by_types:
            refs += [ClauseRef("submitted", "type", f"{v.data}: {v.sort}", None) for v in by_types]
            shown += " with " + ", ".join(f"`{v.data}: {v.sort}`" for v in by_types)
        verb = "can never hold" if len(core) <= 1 else "can never hold together"
        bindings = tuple((str(v.data), render_rust(witness[v], v.sort)) for v in self.inputs if v in witness)
        example = Counterexample(
            Question.CALLABLE, bindings, True, "the original accepts these inputs, by the evaluator",
            ("the original requires hold", "the submitted requires hold for no input at all"),
        )  # fmt: skip
        answer = Answer.UNKNOWN if opinion == DISAGREES else Answer.REFUTED
        method = decision.method if opinion == DISAGREES else "z3"
        detail = "the submitted requires are contradictory"
        callable_ = Obligation(
            "callable", Question.CALLABLE, None, answer, method, decision.rlimit, detail, decision.smt2, decision.expected,
            cross_check=opinion,
        )  # fmt: skip
        self.obligations.append(callable_)
        reason = Reason("vacuous", f"{shown} {verb}: the function cannot be called", tuple(refs), example)
        return Outcome(Verdict.VACUOUS, [reason], self.obligations, tuple(refs))

    def _core(self) -> list[Clause]:
        """A smallest set (no clause can be left out) of submitted `requires` that contradict each other."""
        core = list(self.s.requires)
        for clause in list(core):
            rest = [c for c in core if c is not clause]
            if self.decider.contradictory([self._term(c) for c in rest], self.inputs):
                core = rest
        return core

    def _needs_types(self, core: list[Clause]) -> list[Term]:
        """The variables whose type's range the contradiction needs: none if the clauses contradict each other over `int`."""
        used = list(
            dict.fromkeys(v for c in core for v in tm.free_variables(self._term(c)) if v.sort.is_integer and v.sort is not tm.INT)
        )
        wide = {v: tm.var(v.data, tm.INT) for v in used}
        terms = [tm.rewrite(self._term(c), wide.get) for c in core]
        if not used or self.decider.contradictory(terms, [wide.get(v, v) for v in self.inputs]):
            return []
        return used

    # --- reasons ---------------------------------------------------------------------------------------------------

    def _reason(self, o: Obligation) -> Reason:
        decision = self.decisions[o.name]
        clause = o.clause
        assert clause is not None
        example = self._counterexample(o, decision)
        match o.question:
            case Question.ACCEPTS:
                code, message = (
                    "requires-strengthened",
                    f"`{clause.text}` is required now, and the original accepts inputs without it",
                )
            case Question.PROMISES:
                code, message = "ensures-weakened", f"`{clause.text}` is no longer promised"
            case Question.ACCEPTS_NO_MORE:
                code, message = "requires-weakened", f"`{clause.text}` is no longer required"
            case _:
                code, message = "ensures-strengthened", f"`{clause.text}` is promised in addition"
        return Reason(code, message, (clause,), example)

    def _counterexample(self, o: Obligation, decision: Decision) -> Counterexample | None:
        if decision.values is None and decision.why_not is not None:
            small = tuple((str(v.data), render_rust(x, v.sort)) for v, x in decision.partial.items() if v in self.variables)
            return Counterexample(o.question, small, False, str(decision.why_not), self._trace(o))
        if decision.values is None:
            return None
        if decision.method == "statement":
            return self._difference(o, decision)
        mentioned = {v for t in (*self.p, *self.q, *self.p2, *self.q2) for v in tm.free_variables(t)}
        about_inputs = o.question in (Question.ACCEPTS, Question.ACCEPTS_NO_MORE)
        shown = tuple(
            (str(v.data), render_rust(decision.values[v], v.sort))
            for v in self.variables
            if v in decision.values and (v in self.inputs or (v in mentioned and not about_inputs))
        )
        how = "confirmed by the evaluator" if decision.why_not is None else str(decision.why_not)
        return Counterexample(o.question, shown, decision.why_not is None, how, self._trace(o))

    def _difference(self, o: Obligation, decision: Decision) -> Counterexample:
        """How two statements differ: values, also of terms that are taken as unknown, for which one holds and the other fails."""
        assert decision.values is not None and o.clause is not None
        known = set(self.variables)
        ordered = [v for v in self.variables if v in decision.values] + [v for v in decision.values if v not in known]
        bindings = tuple((str(v.data), render_rust(decision.values[v], v.sort)) for v in ordered)
        side = "submitted" if o.question is Question.PROMISES else "original"
        if any(str(v.data).startswith("argument ") for v in decision.values):
            trace: tuple[str, ...] = (decision.tried[-1],)
        else:
            trace = (
                f"every {side} ensures holds as a statement",
                f"fails: {o.clause.text}",
                "products and recursive functions are taken as unknown values",
            )
        how = "confirmed by the evaluator" if decision.why_not is None else str(decision.why_not)
        return Counterexample(o.question, bindings, decision.why_not is None, how, trace)

    def _trace(self, o: Obligation) -> tuple[str, ...]:
        assert o.clause is not None
        fails = f"fails: {o.clause.text}"
        match o.question:
            case Question.ACCEPTS:
                return ("every original requires holds", fails)
            case Question.PROMISES:
                return ("every original requires and every submitted ensures holds", fails)
            case Question.ACCEPTS_NO_MORE:
                return ("every submitted requires holds", fails)
            case _:
                return ("every submitted requires and every original ensures holds", fails)


def uninterpreted_names(terms: list[Term]) -> list[str]:
    """The functions in terms whose meaning nobody told, by name."""
    names: dict[str, None] = {}
    for t in terms:
        for sym in tm.symbols(t):
            if sym.kind == "uninterpreted" and not sym.name.startswith('"') and sym.name != "array":
                names[sym.name] = None
    return list(names)
