"""Repair: from a certified witness, a contract that rejects it.

In: a task, the certificate of a witness for it, and what else is known to be wrong. Out: a `Repair`: the weakened contract with
one or a few clauses added, and for each the evidence, or why there is none.

A clause is added only if

1. it rejects: at a visible case the witness's output breaks the new contract, so the witness no longer verifies. Of *its like* it
   rejects what can be rejected: other certified witnesses, the task's known-wrong examples, small expressions and single outputs
   that the weakened contract admits on the visible cases and that are wrong there (`witness.wrong_outputs`);
2. it keeps the correct implementation: every official case satisfies it. Where the original contract is said to be known, it
   follows from that (proved); else no more is known, and the evidence says so;
3. it adds only what is necessary: the weakened contract and the other new clauses do not imply it (refuted, with values that are
   replayed wherever the evaluator can), and no candidate that does as much is strictly weaker (compared by `equiv`).

The candidates come from the dropped clause, if the original is known, and from `witness.clause_templates`. What the description
of the task says in words is out of reach here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from equiv.recursion import terminates
from equiv.verdict import Answer
from translate import terms as tm
from translate.terms import FnSym, Term
from translate.values import render_rust
from witness.clause_choice import Candidate, Compared, choose, rejected, weakest
from witness.clause_parts import vocabulary
from witness.clause_templates import Columns, Proposal, Templates
from witness.clause_text import clause_text, reads_back, signature_text, with_clauses
from witness.contract import Opened, WitnessError, open_function, working
from witness.embedded import Verifier
from witness.gates import in_words, open_full, open_weakened
from witness.language import read_expression
from witness.model import Certificate, Task
from witness.repair_model import Bindings, Keeps, Needed, NewClause, Rejection, Repair
from witness.subject import recursive_symbols
from witness.wrong_outputs import CERTIFIED, EXAMPLE, WITNESS, Bad, Wrongs

#: Z3's resource units for one obligation.
BUDGET: Final = 1_000_000
#: Visible cases at which a clause must make a difference.
SUPPORT: Final = 3


def repair(
    task: Task,
    certificate: Certificate,
    others: Sequence[Certificate] = (),
    *,
    original_known: bool = False,
    budget: int = BUDGET,
) -> Repair:
    """The repair of a task's weakened contract from a certified witness. `others` are further certificates of the task.

    Raises `WitnessError` where a certificate does not certify, or is about another task.
    """
    for each in (certificate, *others):
        if each.hashes.get("task") != task.sha256:
            raise WitnessError(f"{each.task}: the certificate is about another task than {task.name}")
        if not each.certified:
            raise WitnessError(f"{each.task}: `{each.judgement.candidate.expression}` is not certified: nothing to repair from")
    with working():
        return _Repair(task, certificate, others, original_known, budget).run()


class _Repair:
    def __init__(
        self, task: Task, certificate: Certificate, others: Sequence[Certificate], original_known: bool, budget: int
    ) -> None:
        self.task, self.original_known = task, original_known
        self.expression = certificate.judgement.candidate.expression
        self.named = [(WITNESS, self.expression), *((CERTIFIED, c.judgement.candidate.expression) for c in others)]
        self.named += [(EXAMPLE, e) for e in task.examples]
        self.weak = open_weakened(task)
        self.full: Opened | None = open_full(task) if original_known else None
        self.verifier = Verifier(self.weak, budget)
        self.decider = self.verifier.decider
        self.cases = [*task.visible, *task.withheld]
        self.given = [*self.weak.requires, *self.weak.ensures]
        self.variables = self.weak.contract.variables
        self.notes: list[str] = []
        self._judged: set[FnSym] = set()
        self._fitting: dict[Term, bool] = {}
        self._judge([] if self.full is None else self.full.ensures)

    def run(self) -> Repair:
        wrongs = Wrongs(self.weak, self.verifier, self.task.visible)
        programs = wrongs.programs(self.named)
        self.notes += wrongs.notes
        if not programs or programs[0].origin != WITNESS:
            return self._none(f"the witness `{self.expression}` gives the official output on every visible case")
        bads = [*programs, *wrongs.outputs()]
        candidates = self._candidates(bads)
        chosen = choose(candidates, len(bads), frozenset(range(len(programs))), self._fits)
        if not chosen:
            what = f"{len(candidates)} clauses that the official cases satisfy were weighed"
            return self._none(f"no clause that rejects the witness was found: {what}", len(candidates))
        return self._built(chosen, candidates, bads, len(programs))

    def _judge(self, terms: Sequence[Term]) -> None:
        """Recursive functions that are not shown to end are unknown ones in every proof from here on."""

        def prove(premises: Sequence[Term], goal: Term, variables: Sequence[Term]) -> bool:
            return self.decider.proved_by_z3(premises, goal, variables, 0.2)

        for sym in recursive_symbols(terms):
            if sym not in self._judged:
                self._judged.add(sym)
                if not terminates(sym, prove):
                    self.decider.distrusted.add(sym)

    def _none(self, why: str, candidates: int = 0) -> Repair:
        return Repair(
            self.task.name, self.task.function, self.expression, self.original_known, why,
            cases=len(self.cases), candidates=candidates, notes=tuple(self.notes),
        )  # fmt: skip

    # --- candidates --------------------------------------------------------------------------------------------------

    def _candidates(self, bads: Sequence[Bad]) -> list[Candidate]:
        """Clauses that the official cases satisfy and that reject something wrong; one that makes a difference at a case or two
        only may hold there by chance."""
        found = []
        enough = min(SUPPORT, len({n for bad in bads for n in bad.points}))
        for proposal, text in self._proposals():
            rejecting = [self._rejecting(proposal.term, bad) for bad in bads]
            rejects = frozenset(n for n, at in enumerate(rejecting) if at)
            support = len({n for at in rejecting for n in at})
            if rejects and (support >= enough or proposal.kind == "dropped clause"):
                self._judge([proposal.term])
                found.append(Candidate(proposal, rejects, support, text))
        return found

    def _proposals(self) -> Iterator[tuple[Proposal, str]]:
        official = [self.verifier.at(c.inputs, c.output, c.final) for c in self.cases]
        columns = Columns(official, self.weak.word)
        if self.full is not None:
            there = set(self.weak.ensures)
            for clause in self.full.contract.ensures:
                if clause.term in there or not columns.holds(clause.term):
                    continue
                written = self.full.source.folded(clause.expr.span)
                text = written if clause.kind == "ensures" else clause_text(self.weak, clause.term)
                yield Proposal(clause.term, "dropped clause"), text
        for proposal in Templates(self.weak, vocabulary(self.weak), columns).proposals():
            yield proposal, ""

    def _rejecting(self, clause: Term, bad: Bad) -> list[int]:
        """The numbers of the visible cases at which what is wrong breaks a clause for certain."""
        return [n for n, values in bad.points.items() if self.verifier.holds(clause, values) is False]

    def _fits(self, candidate: Candidate) -> bool:
        """Whether a candidate can stand in the contract: written down and read back as what it is; where the original is known,
        it follows from that; else it asks of no number to lie outside its type."""
        known = self._fitting.get(candidate.term)
        if known is None:
            if not candidate.text:
                candidate.text = clause_text(self.weak, candidate.term)
            known = reads_back(self.weak, candidate.term, candidate.text) and self._is_kept(candidate.term)
            self._fitting[candidate.term] = known
        return known

    def _is_kept(self, clause: Term) -> bool:
        if self.full is None:
            return self._can_be_met(clause)
        premises = [*self.full.requires, *self.full.ensures]
        return self.decider.implied(premises, clause, self.variables).answer is Answer.PROVED

    def _can_be_met(self, clause: Term) -> bool:
        """Whether what a number is to equal, or not to exceed or fall below, lies in its type, as far as nothing refutes it."""
        condition, bound = clause.args if clause.op == "implies" else (tm.TRUE, clause)
        outputs = set(self.weak.outputs)
        if bound.op not in ("eq", "le") or not all(a.sort.is_integer for a in bound.args):
            return True
        if any(v in outputs for v in tm.free_variables(condition)):
            return True  # another output than one that the condition is about may be given
        for side, other in (bound.args, bound.args[::-1]):
            speaks = [any(v in outputs for v in tm.free_variables(t)) for t in (side, other)]
            if speaks == [True, False] and side.sort.name != "int" and side.sort is not tm.CHAR:
                fits = tm.eq(tm.mk("cast", (other,), side.sort), other)
                decision = self.decider.implied([*self.weak.requires, condition], fits, self.variables)
                return decision.answer is not Answer.REFUTED
        return True

    # --- the result --------------------------------------------------------------------------------------------------

    def _built(self, chosen: list[Candidate], candidates: Sequence[Candidate], bads: Sequence[Bad], programs: int) -> Repair:
        compared: dict[Term, Compared] = {}
        for k, c in enumerate(chosen):
            needed = c.rejects - rejected([x for x in chosen if x is not c])
            chosen[k], found = weakest(c, needed, candidates, self.given, self.variables, self.decider, self._fits)
            compared[chosen[k].term] = found
        examples = [self._needed(c, [x for x in chosen if x is not c], bads) for c in chosen]
        kept = [(c, e) for c, e in zip(chosen, examples, strict=True) if e is not None]
        self.notes += [f"left out, as nothing shows that it is needed: {c.text}" for c in chosen if c not in [k for k, _ in kept]]
        if 0 not in rejected([c for c, _ in kept]):
            return self._none("nothing shows that the clauses which reject the witness add something", len(candidates))
        keeps = Keeps.CASES if self.full is None else Keeps.PROVED
        clauses = tuple(
            NewClause(c.text, c.proposal.kind, keeps, e, c.support, compared[c.term].compared, compared[c.term].undecided)
            for c, e in kept
        )
        text = with_clauses(self.weak, [c.text for c in clauses])
        repaired = open_function(f"{self.task.name}/repaired.rs", text, self.task.function)
        all_rejected = rejected([c for c, _ in kept])
        return Repair(
            self.task.name,
            self.task.function,
            self.expression,
            self.original_known,
            "",
            text,
            signature_text(repaired),
            clauses,
            tuple(self._rejection([c for c, _ in kept], bad) for bad in bads[:programs]),
            len(bads) - programs,
            sum(n >= programs for n in all_rejected),
            len(self.cases),
            len(candidates),
            self._full_strength([c.term for c, _ in kept]),
            self._witness_fails(repaired),
            tuple(self.notes),
        )

    def _needed(self, candidate: Candidate, rest: Sequence[Candidate], bads: Sequence[Bad]) -> Needed | None:
        """Values that satisfy the weakened contract and the other new clauses and that a clause forbids; None where nothing shows
        that there are some. Where a clause hangs on a value that Verus leaves unspecified (an index out of range), a wrong output
        that it forbids and the others do not is as much as can be shown."""
        decision = self.decider.implied([*self.given, *(c.term for c in rest)], candidate.term, self.variables)
        if decision.answer is Answer.PROVED:
            return None
        if decision.answer is Answer.REFUTED and decision.values is not None and decision.why_not is None:
            return Needed(self._bindings(decision.values), True)
        alone = candidate.rejects - rejected(rest)
        if not alone:
            return None
        bad = bads[min(alone)]
        return Needed(self._bindings(bad.points[self._rejecting(candidate.term, bad)[0]]), False)

    def _bindings(self, values: Mapping[Term, Any]) -> Bindings:
        return tuple((str(v.data), render_rust(values[v], v.sort)) for v in self.variables if v in values)

    def _rejection(self, kept: Sequence[Candidate], bad: Bad) -> Rejection:
        for number, c in enumerate(kept):
            at = self._rejecting(c.term, bad)
            if at:
                values = bad.points[at[0]]
                inputs, outputs = (
                    tuple((str(v.data), render_rust(values[v], v.sort)) for v in variables)
                    for variables in (self.weak.contract.inputs, self.weak.outputs)
                )
                return Rejection(bad.origin, bad.expression, number, inputs, outputs)
        return Rejection(bad.origin, bad.expression, None)

    def _full_strength(self, added: Sequence[Term]) -> bool | None:
        """Whether the repaired contract promises everything that the original does."""
        if self.full is None:
            return None
        premises = [*self.given, *added]
        answers = [self.decider.implied(premises, q, self.variables).answer for q in self.full.ensures]
        if all(a is Answer.PROVED for a in answers):
            return True
        return False if Answer.REFUTED in answers else None

    def _witness_fails(self, repaired: Opened) -> str:
        """Where the witness no longer verifies under the repaired contract."""
        verifier = Verifier(repaired, self.decider.budget)
        verified = verifier.verify(read_expression(self.expression, repaired), [c.inputs for c in self.task.visible])
        if verified.answer is not Answer.REFUTED or verified.point is None:
            raise WitnessError(f"{self.task.name}: the repaired contract does not refute the witness; please report the task")
        return in_words(verified.point)
