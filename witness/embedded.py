"""Gates 1 and 2 without Verus: samespec's own verifier for expressions.

In: a contract (opened), a candidate's expression. Out: `Verified`: proved, refuted with an input that shows it, or unknown,
clause by clause. The verification condition of `witness.weakest`

    P(x) ⇒ obligations(e)(x)        P(x) ∧ obligations(e)(x) ⇒ Q(x, e(x))

is put to the portfolio of `equiv.decide`. `&mut` parameters keep their values: the expression has no side effect. What recursive
specification functions say is used only where they are shown to end.

A refutation is an input that the contract allows and at which the expression, run as Rust runs it (`witness.run`), panics or
gives an output that the evaluator finds to break a clause. Nothing else counts as refuted: the solver's values are only where to
look.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from equiv.decide import RESERVE, Decider, Decision
from equiv.recursion import terminates
from equiv.replay import REPLAY_STEPS
from equiv.verdict import Answer
from translate import terms as tm
from translate.elaborate.contracts import Clause
from translate.readings.evaluate import Compiled, Context, compile  # noqa: A004
from translate.readings.outcomes import EvaluationError
from translate.terms import Term
from translate.values import Value, render_rust
from witness.contract import Opened
from witness.expressions import Node, nodes, to_rust
from witness.hints import Hints
from witness.numbers import CallsItself, Panic
from witness.run import run
from witness.weakest import Meaning, meaning_of

#: Z3's resource units for one obligation.
BUDGET: Final = 3_000_000
#: Parts that are left open for which one verifier tries lemmas and witnesses.
HELPS: Final = 12


@dataclass(frozen=True, slots=True)
class Point:
    """What happens at one input: `inputs` and `outputs` as (name, value in Rust syntax) pairs; `broken` says in words what is
    not met; `confirmed` who says so."""

    inputs: tuple[tuple[str, str], ...]
    outputs: tuple[tuple[str, str], ...]
    broken: str
    confirmed: str


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the verification condition: an obligation of the expression ("obligation"), or a clause ("ensures"); `text` is
    what it says, `method` what decided it, or what was tried."""

    kind: str
    text: str
    answer: Answer
    method: str
    rlimit: int = 0


@dataclass(frozen=True, slots=True)
class Verified:
    """The answer for a candidate under one contract: proved where every part is; refuted where `point` shows an input."""

    answer: Answer
    parts: tuple[Part, ...]
    point: Point | None = None
    #: why, where no part says it: recursion without a proof that it ends
    reason: str = ""
    #: the input of `point`
    inputs: tuple[Value, ...] | None = None


class Verifier:
    """One contract, for any number of candidates. `budget` is in Z3's resource units an obligation; `shrinks` makes the values of
    refutations small, for people; `steps` is what all concrete questions may cost together, in steps of the evaluator (None: no
    limit). Used up, it is not known what holds."""

    def __init__(self, opened: Opened, budget: int = BUDGET, *, shrinks: bool = True, steps: int | None = None) -> None:
        self.opened = opened
        self.steps = steps
        self.contract = opened.contract
        self.decider = Decider(budget, word_bits=opened.word)
        self.decider.shrinks = shrinks
        self.texts = {id(c): _words(opened, c) for c in (*self.contract.requires, *self.contract.ensures)}
        terms = [*opened.requires, *opened.ensures]
        for sym in {s: None for t in terms for s in tm.symbols(t)}:
            if sym.kind == "recursive" and not terminates(sym, self._proves):
                self.decider.distrusted.add(sym)
        self.hints = Hints(opened, self.decider)
        self.help_left = HELPS
        self.context = Context(usize_bits=opened.word)
        self.compiled: dict[Term, Compiled] = {}

    def _proves(self, premises: Sequence[Term], goal: Term, variables: Sequence[Term]) -> bool:
        return self.decider.proved_by_z3(premises, goal, variables, 0.2)

    # --- concrete questions ----------------------------------------------------------------------------------------------

    def holds(self, term: Term, values: Mapping[Term, Any]) -> bool | None:
        """Whether a condition holds where the contract's variables have these values; None where the evaluator cannot tell."""
        found = self.compiled.get(term)
        if found is None:
            names = tm.free_variables(term)
            found = self.compiled[term] = compile(term, names, self.context)
        if any(v not in values for v in found.variables):
            return None
        allowed = REPLAY_STEPS if self.steps is None else min(REPLAY_STEPS, self.steps)
        self.context.steps = allowed
        try:
            return found.holds([values[v] for v in found.variables])
        except EvaluationError:
            return None
        finally:
            if self.steps is not None:
                self.steps -= allowed - max(0, self.context.steps)

    def accepts(self, inputs: Sequence[Value]) -> bool:
        """Whether the contract certainly allows a call with these inputs."""
        values = dict(zip(self.contract.inputs, inputs, strict=True))
        return all(self.holds(t, values) is True for t in self.opened.requires)

    def at(self, inputs: Sequence[Value], output: Value | None, final: Sequence[Value] | None = None) -> dict[Term, Any]:
        """The values of all variables of the contract: inputs, `&mut` parameters on return (by default as on entry), result."""
        values: dict[Term, Any] = dict(zip(self.contract.inputs, inputs, strict=True))
        if final is None:
            final = [inputs[i] for i in self.opened.mutable]
        values.update(zip(self.contract.outputs, final, strict=False))
        if self.contract.result is not None:
            values[self.contract.result] = output
        return values

    def breaks(self, inputs: Sequence[Value], output: Value | None, final: Sequence[Value] | None = None) -> str | None:
        """The text of a clause that an output breaks for certain; None where there is none."""
        values = self.at(inputs, output, final)
        for clause in self.contract.ensures:
            if self.holds(clause.term, values) is False:
                return self.texts[id(clause)]
        return None

    def tried(self, node: Node, inputs: Sequence[Value]) -> Point | None:
        """What goes wrong where the candidate is run on inputs that the contract allows; None where nothing does."""
        names = [p.name for p in self.opened.parameters()]
        shown = self._shown(self.contract.inputs, inputs)
        try:
            output = run(node, dict(zip(names, inputs, strict=True)), self.opened.word)
        except CallsItself:
            return None
        except Panic as panic:
            return Point(shown, (), f"panics: {panic}", "run as Rust runs it")
        broken = self.breaks(inputs, output)
        if broken is None:
            return None
        values = self.at(inputs, output)
        variables = self.opened.outputs
        outputs = self._shown(variables, [values[v] for v in variables])
        return Point(shown, outputs, f"fails: {broken}", "run as Rust runs it; the clause by the evaluator")

    def _shown(self, variables: Sequence[Term], values: Sequence[Any]) -> tuple[tuple[str, str], ...]:
        return tuple((str(v.data), render_rust(x, v.sort)) for v, x in zip(variables, values, strict=True))

    # --- the verification condition --------------------------------------------------------------------------------------

    def verify(self, node: Node, inputs: Sequence[Sequence[Value]] = ()) -> Verified:
        """Whether a candidate meets the contract. `inputs` (allowed by the contract) are tried first: they cost nothing."""
        if any(n.op == "self" for n in nodes(node)):
            return self._recursive()
        for values in inputs:
            point = self.tried(node, values)
            if point is not None:
                part = Part("run", point.broken, Answer.REFUTED, "run")
                return Verified(Answer.REFUTED, (part,), point, inputs=tuple(values))
        self.decider.reserve = RESERVE * self.decider.budget  # no candidate pays for another
        meaning = self._meaning(node)
        parts: list[Part] = []
        premises = [*self.opened.requires, *meaning.assumptions]
        for obligation in meaning.obligations:
            text = f"{obligation.kind}: not in `{self._place(node, obligation.at)}`"
            decision = self._ask(parts, "obligation", text, premises, obligation.term, meaning.result)
            if (shown := self._refuted(node, parts, decision)) is not None:
                return Verified(Answer.REFUTED, tuple(parts), shown[0], inputs=shown[1])
            premises.append(obligation.term)
        for clause in self.contract.ensures:
            goal = self._instance(clause.term, meaning)
            decision = self._ask(parts, "ensures", self.texts[id(clause)], premises, goal, meaning.result)
            if (shown := self._refuted(node, parts, decision)) is not None:
                return Verified(Answer.REFUTED, tuple(parts), shown[0], inputs=shown[1])
        proved = all(p.answer is Answer.PROVED for p in parts)
        return Verified(Answer.PROVED if proved else Answer.UNKNOWN, tuple(parts))

    def _meaning(self, node: Node) -> Meaning:
        names = [p.name for p in self.opened.parameters()]
        return meaning_of(node, dict(zip(names, self.contract.inputs, strict=True)), self.opened.word_bits)

    def _instance(self, clause: Term, meaning: Meaning) -> Term:
        """A clause about the candidate's output."""
        to = dict(zip(self.contract.outputs, (self.contract.inputs[i] for i in self.opened.mutable), strict=False))
        if self.contract.result is not None:
            to[self.contract.result] = meaning.result
        return tm.rewrite(clause, to.get)

    def _ask(
        self, parts: list[Part], kind: str, text: str, premises: Sequence[Term], goal: Term, result: Term
    ) -> Decision:
        decision = self._by_lemmas(premises, goal)
        if decision is None:
            decision = self.decider.implied(premises, goal, self.contract.inputs)
        if decision.answer is Answer.UNKNOWN:
            decision = self._by_witness(premises, goal, result) or decision
        parts.append(Part(kind, text, decision.answer, decision.method, decision.rlimit))
        return decision

    def _by_lemmas(self, premises: Sequence[Term], goal: Term) -> Decision | None:
        """A goal about recursive functions, by what is proved about them by induction; None where that does not do."""
        if not any(s.kind == "recursive" for s in tm.symbols(goal)) or not self.hints.facts():
            return None
        if not self._proves(self._with_facts(premises, goal), goal, self.contract.inputs):
            return None
        return Decision(Answer.PROVED, f"z3, with lemmas by induction: {'; '.join(f.text for f in self.hints.facts())}")

    def _by_witness(self, premises: Sequence[Term], goal: Term, result: Term) -> Decision | None:
        """A goal that the portfolio left open, with small terms for what is to exist; None where that does not do."""
        if self.help_left <= 0:
            return None
        self.help_left -= 1
        given = self._with_facts(premises, goal)
        for instance in self.hints.instances(goal, result):
            if self._proves(given, instance, self.contract.inputs):
                return Decision(Answer.PROVED, "z3, with a term for what exists")
        return None

    def _with_facts(self, premises: Sequence[Term], goal: Term) -> list[Term]:
        facts = [f.term for f in self.hints.facts()]
        return [*premises, *facts, *self.hints.at_applications([*premises, goal])]

    def _refuted(self, node: Node, parts: list[Part], decision: Decision) -> tuple[Point, tuple[Value, ...]] | None:
        """Where the solver refutes a part: what happens at its values. If nothing goes wrong there, the part is unknown: the
        expression's meaning leaves something open that Rust decides."""
        if decision.answer is not Answer.REFUTED:
            return None
        values = decision.values or {}
        inputs = tuple(values[v] for v in self.contract.inputs if v in values)
        point = None
        if len(inputs) == len(self.contract.inputs) and self.accepts(inputs):
            point = self.tried(node, inputs)
        if point is None:
            open_ = "refuted by the solver's model only: at its values the program does nothing wrong, or they are not complete"
            parts[-1] = replace(parts[-1], answer=Answer.UNKNOWN, method=open_)
            return None
        return point, inputs

    def _recursive(self) -> Verified:
        """A candidate that calls the function: Verus wants a measure, and an expression has none."""
        text = "the candidate calls itself, and nothing shows that it ends"
        if self.opened.fn.exprs("decreases"):
            part = Part("obligation", text, Answer.UNKNOWN, "the function's `decreases` was not tried")
            return Verified(Answer.UNKNOWN, (part,), None, text)
        part = Part("obligation", text, Answer.REFUTED, "Verus refuses recursion without `decreases`")
        return Verified(Answer.REFUTED, (part,), None, text)

    def _place(self, node: Node, at: Any) -> str:
        for n in nodes(node):
            if at is not None and n.at == at:
                return to_rust(n)
        return to_rust(node)


def _words(opened: Opened, clause: Clause) -> str:
    """A clause as it is written."""
    text = opened.source.folded(clause.expr.span)
    return f"returns {text}" if clause.kind == "returns" else text
