"""Lemmas are read as statements.

In: the premises and conclusions of a lemma in both files. Out: whether the new conclusion still states the old clause.

A proof function without outputs concludes something about its parameters alone. If it is true, its conclusion is a theorem, and a
theorem follows from anything: `P and Q' => q` holds even for `ensures true`, as soon as the solver can prove the theorem by
itself. So for lemmas "promises at least as much" asks more: q must follow *from what is stated*.

What counts as following from a statement is measured in a plain theory, in which products of variables, bit operations, divisions
by variables and recursive functions are unknown values: there, a theorem of arithmetic or of induction is no theorem. A clause is
stated when

1. it stands among the submitted conclusions, up to renaming, unfolding of definitions and reordering; or
2. it follows from the submitted conclusions in the plain theory, without the premises or with them, but not without
   the conclusions; or
3. it follows from the submitted conclusions in the full theory, and the solver cannot prove it without them.

It is refuted where the obligation itself is; where the submitted conclusion follows from the original one in the plain theory and
does not imply the clause there (then the values of the unknown terms show how they differ); and where the submission states
nothing. What is left, two theorems neither of which contains the other as written, is undecided.

Premises are read the same way: whoever uses the lemma has to show them. A submitted premise asks for no more where it stands
among the original ones, or follows from them in the plain theory. Where it follows only in the full theory, it may be the very
thing that the lemma was to show: it asks for more where, with it, an original conclusion follows in the plain theory that did not
follow from the original premises; else that is undecided.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from equiv.decide import Decider, Decision
from equiv.normal import Normalizer
from equiv.recursion import replace
from equiv.verdict import Answer
from translate import terms as tm
from translate.readings.verus_text import to_verus
from translate.terms import FnSym, Term

ASKED = "whoever uses the lemma has to show this first, and it follows only because the theorem is true"
JUDGED = "a lemma is judged by what it states: what follows only because it is true is not stated"


class Statements:
    """The lemma rule on top of a decider. `redefined` are functions of one name that differ between the files, with arguments at
    which they do."""

    def __init__(self, decider: Decider, redefined: Sequence[tuple[FnSym, FnSym, dict[Term, Any]]]) -> None:
        self.decider = decider
        self.redefined = redefined
        self.shape = Normalizer(arithmetic=False)
        self._plain_terms: dict[Term, Term] = {}
        self._named: dict[str, object] = {}

    def stated(
        self, given: Sequence[Term], concluded: Sequence[Term], clause: Term, others: Sequence[Term], title: str
    ) -> Decision:
        """Whether `clause` is still stated by a lemma that concludes `concluded` from `given`; `others` are all conclusions
        of the lemma that `clause` belongs to."""
        if clause is tm.TRUE or clause in concluded or clause in given:
            return Decision(Answer.PROVED, "same terms")
        if self._among(concluded, clause):
            return Decision(Answer.PROVED, "normal form")
        plain = self._plainly(given, concluded, clause, others)
        if plain is not None:
            return plain
        other = self._about_another(concluded, clause)
        if other is not None:
            return other
        variables = list(dict.fromkeys(v for t in (*given, *concluded, clause) for v in tm.free_variables(t)))
        full = self.decider.implied([*given, *concluded], clause, variables, title)
        if full.answer is not Answer.PROVED:
            return full
        if self.decider.implied(given, clause, variables).answer is not Answer.PROVED:
            return full
        alone = self.decider.implied(concluded, clause, variables, title)
        if alone.answer is Answer.REFUTED:
            alone.method = "statement"
            alone.tried = [*alone.tried, f"requires set aside; {JUDGED}"]
            return alone
        if alone.answer is Answer.PROVED and self.decider.implied([], clause, variables).answer is not Answer.PROVED:
            return alone
        return Decision(Answer.UNKNOWN, f"both are theorems, and neither contains the other as written; {JUDGED}", full.rlimit)

    def asked(
        self, given: Sequence[Term], asks: Sequence[Term], clause: Term, conclusions: Sequence[Term], title: str
    ) -> Decision:
        """Whether a lemma that asks for `asks` asks, with `clause` among them, for no more than `given`; `conclusions` are those
        of the lemma that `given` belongs to."""
        if clause is tm.TRUE or clause in given:
            return Decision(Answer.PROVED, "same terms")
        if self._among(given, clause):
            return Decision(Answer.PROVED, "normal form")
        if not self.shape.conjuncts(clause) and oriented(clause) in {oriented(q) for q in conclusions}:
            # True by its shape alone, like the law that the lemma states: no theory is plain enough to tell them apart.
            return Decision(Answer.REFUTED, "statement", 0, None, None, [f"the conclusion itself is asked for; {ASKED}"])
        p, p2, goal = [self.plain(t) for t in given], [self.plain(t) for t in asks], self.plain(clause)
        shown = [self.plain(t) for t in conclusions]
        variables = list(dict.fromkeys(v for t in (*p, *p2, goal, *shown) for v in tm.free_variables(t)))
        implied = self.decider.implied
        plain = implied(p, goal, variables, title)
        if plain.answer is Answer.PROVED:
            return plain
        full = implied(given, clause, list(dict.fromkeys(v for t in (*given, clause) for v in tm.free_variables(t))), title)
        if full.answer is not Answer.PROVED:
            return full
        for q in shown:
            if implied(p2, q, variables).answer is Answer.PROVED and implied(p, q, variables).answer is not Answer.PROVED:
                if plain.answer is Answer.REFUTED:
                    plain.method = "statement"
                    plain.tried = [*plain.tried, ASKED]
                    return plain
                break
        return Decision(Answer.UNKNOWN, f"it follows, but not plainly; {ASKED}", full.rlimit)

    def _about_another(self, concluded: Sequence[Term], clause: Term) -> Decision | None:
        """The same words about another function: with a redefined function put back the clause would stand, and there are
        arguments at which the two definitions differ."""
        for f, g, values in self.redefined:
            order = tuple(range(len(f.params)))
            for a, b in ((g, f), (f, g)):
                restored = [replace(t, a, b, order, {}) for t in concluded]
                if self._among(restored, clause):
                    why = f"`{f.name}` is another function now: the definitions differ at these arguments; {JUDGED}"
                    return Decision(Answer.REFUTED, "statement", 0, values, None, [why])
        return None

    def _among(self, concluded: Sequence[Term], clause: Term) -> bool:
        """Whether every conjunct of the clause is a conjunct of the conclusions: as written, or with its arithmetic collected
        where that does not make it plainly true."""
        full = self.decider.normalizer
        there = {c for q in concluded for c in self.shape.conjuncts(q)}
        collected = {c for q in concluded for c in full.conjuncts(q)}

        def stands(c: Term) -> bool:
            parts = full.conjuncts(c)
            return c in there or (bool(parts) and all(x in collected for x in parts))

        wanted = self.shape.conjuncts(clause)
        if not wanted:  # true by its shape alone: then only the same words state it
            return oriented(clause) in {oriented(q) for q in concluded}
        return all(map(stands, wanted))

    def _plainly(self, given: Sequence[Term], concluded: Sequence[Term], clause: Term, others: Sequence[Term]) -> Decision | None:
        """The decision in the plain theory, where it gives one."""
        p, q2, q = ([self.plain(t) for t in ts] for ts in (given, concluded, [clause]))
        goal = q[0]
        variables = list(dict.fromkeys(v for t in (*p, *q2, goal) for v in tm.free_variables(t)))
        implied = self.decider.implied
        alone = implied(q2, goal, variables)
        from_nothing = implied([], goal, variables)
        if alone.answer is Answer.PROVED and from_nothing.answer is not Answer.PROVED:
            return alone
        together = implied([*p, *q2], goal, variables)
        if together.answer is Answer.PROVED and implied(p, goal, variables).answer is not Answer.PROVED:
            return together
        empty = all(t is tm.TRUE for t in concluded)
        refuted = alone.answer is Answer.REFUTED
        weaker = empty or (
            refuted and all(implied([self.plain(t) for t in others], t, variables).answer is Answer.PROVED for t in q2)
        )
        if weaker and (refuted or from_nothing.answer is Answer.PROVED):
            what = "the submission states nothing" if empty else "the submission states less"
            if not refuted:  # nothing is stated: there is no question that a solver could answer
                alone.smt2 = alone.expected = None
            alone.answer, alone.method = Answer.REFUTED, "statement"
            alone.tried = [*alone.tried, f"{what}; {JUDGED}"]
            return alone
        return None

    def plain(self, t: Term) -> Term:
        """A term in the plain theory: unknown values become variables that are called like the terms they stand for."""
        return self._opaque(self.shape.normal(t))

    def _opaque(self, t: Term) -> Term:
        done = self._plain_terms.get(t)
        if done is None:
            args = tuple(map(self._opaque, t.args))
            if not _is_unknown(t):
                done = t if args == t.args else tm.mk(t.op, args, t.sort, t.data)
            elif t.loose == 0:
                done = tm.var(self._name(t), t.sort)
            else:
                name = f"unknown {t.op}" if t.op != "app" else f"unknown {self._name(t)}"
                key = f"{name} {t.data.key if t.op == 'app' else ''}"
                done = tm.app(tm.uninterpreted(name, tuple(a.sort for a in args), t.sort, key=key), args)
            self._plain_terms[t] = done
        return done

    def _name(self, t: Term) -> str:
        """The text of a term; a prime tells apart terms that read alike but mean different functions of the two files."""
        name = to_verus(t) if t.loose == 0 else t.data.name
        while self._named.setdefault(name, t if t.loose == 0 else t.data) is not (t if t.loose == 0 else t.data):
            name += "\u2032"
        return name


def oriented(t: Term) -> Term:
    """A term with the sides of equations, and the parts of sums, products, conjunctions and disjunctions, in one order: nothing
    is computed, so a theorem keeps its shape."""

    def f(s: Term) -> Term | None:
        if s.op in ("eq", "add", "mul", "and", "or") and list(s.args) != sorted(s.args, key=lambda a: a.tag):
            return tm.mk(s.op, tuple(sorted(s.args, key=lambda a: a.tag)), s.sort, s.data)
        return None

    return tm.rewrite(t, f)


def _is_unknown(t: Term) -> bool:
    match t.op:
        case "mul":
            return all(a.op != "lit" for a in t.args)
        case "div" | "mod":
            return t.args[1].op != "lit" or t.args[1].data == 0
        case "bitand" | "bitor" | "bitxor" | "bitnot" | "shl" | "shr":
            return True
        case "app":
            return bool(t.data.kind == "recursive")
    return False
