"""Exhaustive evaluation: two contracts on every value of a domain, by the evaluator, without a solver.

In: the contracts of a target in both files, over the same variables. Out: an `Examined`: on how many values they were compared,
whether those are all there are, and for each question of design section 4 a value that answers it with no, where one was found.

The whole domain is taken where it is small (`bool`, `u8` twice, a small enum); else windows that grow level by level
(`experiments.validation.domains`), as long as the work fits. To the window of a result or final value come, for each input, the
values that the clauses compute for it (`r == e`), and their neighbours: so a bounded domain has results that meet the contract.

A lemma is compared as a statement, as in `equiv.statements`: if it is true, no value makes it false, and so products, bit
operations and recursive functions are taken as variables of their own. A spec function of one name that is defined otherwise in
the submission is compared with the original's first, on values of its parameters.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from equiv.decide import Decider
from equiv.recursion import replace
from equiv.statements import Statements
from equiv.verdict import Question
from experiments.validation.domains import LEVELS, Domains
from translate import terms as tm
from translate.elaborate.contracts import Contract
from translate.readings.candidates import split
from translate.readings.evaluate import Compiled, Context, compile  # noqa: A004
from translate.readings.guards import Pattern, path_to
from translate.readings.inhabitants import in_range, literals
from translate.readings.outcomes import EvaluationError
from translate.readings.ranging import along
from translate.terms import FnSym, Term
from translate.values import Boxed, DataValue, Value, render_rust

#: A domain of so many values of all variables together is taken as a whole.
WHOLE = 1 << 17
#: A window of more values of all variables together is not tried.
WINDOW = 60_000
#: Evaluator steps for one target, over all levels, and for one evaluation; each evaluation also costs some by itself.
STEPS = 400_000
WHOLE_STEPS = 4_000_000  # for a whole domain: it confirms what a window cannot
EVALUATION_STEPS = 5_000
EVALUATION_COST = 8

STATED = "read as statements, with products, bit operations and recursive functions as unknown values"

Binding = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Separation:
    """Values for which a question is answered with no (`callable`: with yes). `stated` tells that lemmas were compared as
    statements: then `what` says how."""

    question: Question
    bindings: tuple[Binding, ...]
    stated: bool = False
    what: str = ""

    def __str__(self) -> str:
        values = ", ".join(f"{name} = {value}" for name, value in self.bindings)
        return f"{values}{'; ' if self.what and values else ''}{self.what}"


@dataclass(frozen=True, slots=True)
class Examined:
    """What was compared.

    `same`: the contracts are the same terms, and nothing was evaluated. `values` counts the value tuples that both were evaluated
    on, `accepted` those inputs that the original accepts, `called` those that the submission does, `met` the tuples that meet
    either contract's promises; `promises` tells whether these were compared. `whole`: these are all values of the variables, and
    each evaluation had an answer; `undetermined` counts those that had none. `level` is the last level that was gone through,
    None for the whole domain, and where nothing was.
    """

    target: str
    same: bool = False
    values: int = 0
    accepted: int = 0
    called: int = 0
    met: int = 0
    promises: bool = False
    undetermined: int = 0
    whole: bool = False
    level: int | None = None
    separations: tuple[Separation, ...] = ()
    notes: tuple[str, ...] = ()

    def separates(self, question: Question) -> Separation | None:
        return next((s for s in self.separations if s.question is question), None)


class _OutOfSteps(Exception):
    """The target's steps are used up."""


def examine(original: Contract, submitted: Contract, wanted: frozenset[Question], usize_bits: int = 64) -> Examined:
    """Compares two contracts over the same variables. Stops as soon as one of the `wanted` questions is settled by a value. Where
    `callable` is wanted, only the preconditions are compared."""
    return _Examination(original, submitted, wanted, usize_bits).run()


class _Examination:
    def __init__(self, original: Contract, submitted: Contract, wanted: frozenset[Question], usize_bits: int) -> None:
        self.target = original.ref.path
        self.wanted = wanted
        self.context = Context(usize_bits=usize_bits)
        self.steps = STEPS
        self.notes: list[str] = []
        self.partly = False  # a definition was compared on some values only
        self.found: dict[Question, Separation] = {}
        self.p, self.q = _all(c.term for c in original.requires), _all(c.term for c in original.ensures)
        self.p2, self.q2 = _all(c.term for c in submitted.requires), _all(c.term for c in submitted.ensures)
        self.inputs = list(original.inputs)
        self.outputs = [*original.outputs, *([] if original.result is None else [original.result])]
        self.lemma = original.interface.mode == "proof" and not self.outputs
        self.same = self.p is self.p2 and self.q is self.q2
        self.domains = Domains(literals((self.p, self.q, self.p2, self.q2)), usize_bits)

    def run(self) -> Examined:
        if self.same:
            return Examined(self.target, same=True)
        if self.lemma:
            self._as_statement()
        best = Examined(self.target, notes=tuple(self.notes))
        if self.found:
            return self._with(best)
        whole = self._whole()
        if whole is not None:
            self.steps = WHOLE_STEPS
            try:
                return self._with(self._go(whole, None))
            except _OutOfSteps:
                self.found.clear()
            self.steps = STEPS
        for level in range(len(LEVELS)):
            windows: dict[Term, Sequence[Value]] = {v: self.domains.window(v.sort, level) for v in self._mentioned()}
            size = 1
            for values in windows.values():
                size *= len(values)
            if level and size > WINDOW:
                break
            kept = dict(self.found)
            try:
                best = self._go(windows, level)
            except _OutOfSteps:
                if self.found:  # a value is a value, however far the rest came
                    return self._with(best)
                self.found = kept
                break
            if self._settled():
                break
        return self._with(best)

    def _settled(self) -> bool:
        """Whether a value settles what is asked. Of statements both directions are wanted."""
        return any(q in self.wanted and not s.stated for q, s in self.found.items())

    def _with(self, best: Examined) -> Examined:
        fields = {s: getattr(best, s) for s in Examined.__slots__}
        return Examined(**{**fields, "separations": tuple(self.found.values()), "notes": tuple(self.notes)})

    def _mentioned(self) -> list[Term]:
        """The variables that any clause names: the others make no difference."""
        named = {v for t in (self.p, self.q, self.p2, self.q2) for v in tm.free_variables(t)}
        known = [v for v in (*self.inputs, *self.outputs) if v in named]
        return known + sorted(named - set(known), key=lambda v: str(v.data))

    def _whole(self) -> dict[Term, Sequence[Value]] | None:
        found: dict[Term, Sequence[Value]] = {}
        left = WHOLE
        ins = [v for v in self._mentioned() if v in set(self.inputs)]
        for v in self._mentioned():
            if v not in set(ins) and _Computed(v, ins, (self.q, self.q2), self.context).exact:
                found[v] = ()  # its value is computed for each input, and no other one can make a difference
                continue
            values = self.domains.whole(v.sort, left)
            if values is None:
                return None
            found[v] = values
            left //= max(len(values), 1)
        return found

    # --- lemmas ------------------------------------------------------------------------------------------------------

    def _as_statement(self) -> None:
        """Conclusions in the plain theory; redefined functions first."""
        theirs = [g for g in tm.symbols(self.q2) if g.body is not None]
        for f in tm.symbols(self.q):
            for g in theirs:
                if f is g or f.body is None or (f.name, f.params, f.result) != (g.name, g.params, g.result):
                    continue
                count, at = self._compared(f, g)
                if at is not None:
                    what = f"`{f.name}`, which the lemma is about, is another function: it differs at these arguments"
                    self.found[Question.PROMISES] = Separation(Question.PROMISES, at, True, what)
                    return
                if count:
                    self.partly = True
                    self.q2 = replace(self.q2, g, f, tuple(range(len(f.params))), {})
                    self.notes.append(f"`{f.name}` is defined otherwise, with the same values at {count} arguments")
        plain = Statements(Decider(), []).plain
        self.q, self.q2 = plain(self.q), plain(self.q2)
        self.domains = Domains(literals((self.p, self.q, self.p2, self.q2)), self.context.usize_bits)

    def _compared(self, f: FnSym, g: FnSym) -> tuple[int, tuple[Binding, ...] | None]:
        """On how many arguments two functions were compared, and the first at which they differ."""
        x = [tm.var(f"argument {i + 1}", s) for i, s in enumerate(f.params)]
        left, right = (compile(tm.app(h, x), x, self.context) for h in (f, g))
        domains = Domains(literals(t for t in (f.body, g.body) if t is not None), self.context.usize_bits)
        count = 0
        for values in itertools.islice(itertools.product(*(domains.window(v.sort, 3) for v in x)), 400):
            a, b = self.value(left, values), self.value(right, values)
            if a is None or b is None:
                continue
            count += 1
            if a != b:
                return count, tuple((str(v.data), render_rust(w, v.sort)) for v, w in zip(x, values, strict=True))
        return count, None

    # --- the loop ----------------------------------------------------------------------------------------------------

    def _go(self, windows: dict[Term, Sequence[Value]], level: int | None) -> Examined:
        """One pass over a domain; `level` None: over the whole one."""
        ins = [v for v in windows if v in set(self.inputs)]
        outs = [v for v in windows if v not in set(ins)]
        p, p2 = (compile(t, ins, self.context) for t in (self.p, self.p2))
        both = [*ins, *outs]
        q, q2 = (compile(t, both, self.context) for t in (self.q, self.q2))
        promises = self.q is not self.q2 and Question.CALLABLE not in self.wanted
        hints = [_Computed(v, ins, (self.q, self.q2), self.context) for v in outs]
        values = accepted = called = met = undetermined = 0
        for given in itertools.product(*(windows[v] for v in ins)):
            values += 1
            a, a2 = self._holds(p, given), self._holds(p2, given)
            undetermined += (a is None) + (a2 is None)
            accepted += a is True
            called += a2 is True
            if a is True and a2 is False:
                self._note(Question.ACCEPTS, ins, given)
            if a is False and a2 is True:
                self._note(Question.ACCEPTS_NO_MORE, ins, given)
            if a2 is True and Question.CALLABLE in self.wanted:
                self._note(Question.CALLABLE, ins, given)
            if self._settled():
                break
            if not promises or not (self.lemma or a is True or a2 is True):
                continue
            choices = [self._choices(h, given, windows[h.v], level) for h in hints]
            if any(c is None for c in choices):
                undetermined += 1
                continue
            for returned in itertools.product(*(c for c in choices if c is not None)):
                values += 1
                row = (*given, *returned)
                b, b2 = self._holds(q, row), self._holds(q2, row)
                undetermined += (b is None) + (b2 is None)
                met += b is True or b2 is True
                # A lemma's conclusions are compared for themselves: what it requires is known to whoever calls it.
                if b is False and b2 is True and (self.lemma or a is True):
                    self._note(Question.PROMISES, both, row)
                if b is True and b2 is False and (self.lemma or a2 is True):
                    self._note(Question.PROMISES_NO_MORE, both, row)
                if self._settled():
                    break
            if self._settled():
                break
        whole = level is None and not undetermined and not self.partly
        return Examined(self.target, False, values, accepted, called, met, promises, undetermined, whole, level)

    def _choices(
        self, hint: _Computed, given: Sequence[Value], window: Sequence[Value], level: int | None
    ) -> Sequence[Value] | None:
        """The values of an output to try with these inputs; None where they should be computed and cannot be."""
        bits, sort = self.context.usize_bits, hint.v.sort
        exact = hint.exactly(given, self)
        if exact is not None:
            return [w for w in dict.fromkeys(exact) if in_range(w, sort, bits)]
        if level is None:
            return None if hint.exact else window
        made = [w for w in hint.values(given, self) if in_range(w, sort, bits)]
        return list(dict.fromkeys([*made, *window])) if made else window

    def _note(self, question: Question, variables: Sequence[Term], values: Sequence[Value]) -> None:
        if question not in self.found:
            shown = tuple((str(v.data), render_rust(w, v.sort)) for v, w in zip(variables, values, strict=True))
            stated = self.lemma and question in (Question.PROMISES, Question.PROMISES_NO_MORE)
            self.found[question] = Separation(question, shown, stated, STATED if stated else "")

    def _spend(self, code: Compiled, values: Sequence[Value]) -> Value:
        self.context.steps = EVALUATION_STEPS
        try:
            return code.run(values)
        finally:
            self.steps -= EVALUATION_STEPS - max(self.context.steps, 0) + EVALUATION_COST
            if self.steps < 0:
                raise _OutOfSteps

    def _holds(self, code: Compiled, values: Sequence[Value]) -> bool | None:
        try:
            return bool(self._spend(code, values))
        except EvaluationError:
            return None

    def value(self, code: Compiled, values: Sequence[Value]) -> Value | None:
        try:
            return self._spend(code, values)
        except EvaluationError:
            return None


class _Computed:
    """What an output may well be: what the clauses say (for `r == e` the value of `e`), an input of its sort, and what is near.

    `exact` where both sides say outright what it is: then no other value meets either, and there is nothing else to try.
    """

    def __init__(self, v: Term, inputs: list[Term], clauses: Sequence[Term], context: Context) -> None:
        self.v, self.inputs, self.context = v, inputs, context
        self.alike = [i for i, w in enumerate(inputs) if w.sort is v.sort]
        equations = [[e for c in split(t, True) for e in self._equations(c, exactly=True)] for t in clauses]
        self.exact = all(equations)
        found = [e for own in equations for e in own[:1]] if self.exact else []
        found = found or [e for t in clauses for c in _facts(t) for e in self._equations(c, exactly=False)]
        self.codes = [(compile(other, inputs, context), path) for other, path in dict.fromkeys(found)]

    def _equations(self, c: Term, *, exactly: bool) -> Iterator[tuple[Term, Pattern]]:
        """What an equation says that the output is, and where in that the output stands."""
        if c.op != "eq":
            return
        for side, other in (c.args, c.args[::-1]):
            if not set(tm.free_variables(other)) <= set(self.inputs):
                continue
            path = path_to(tm.abstract(side, (self.v,)), 0, (0,), self.context.usize_bits)
            if path is None and not exactly and side.op == "view" and side.args[0] is self.v:
                path = Pattern(())
            if path is not None:
                yield other, path

    def exactly(self, given: Sequence[Value], work: _Examination) -> list[Value] | None:
        """All values that can meet either side; None where that is not known for these inputs."""
        found: list[Value] = []
        for code, path in self.codes if self.exact else ():
            value = work.value(code, given)
            if value is None:
                return None
            found += along(value, path)
        return found if self.exact else None

    def values(self, given: Sequence[Value], work: _Examination) -> Iterator[Value]:
        """Values that may meet one."""
        for i in self.alike:
            yield from _near(given[i])
        for code, path in self.codes:
            value = work.value(code, given)
            if value is None:
                continue
            for w in along(value, path):
                for near in _near(w):
                    yield Boxed(near, 0) if self.v.sort.kind == "boxed" and not isinstance(near, Boxed) else near


def _facts(t: Term) -> Iterator[Term]:
    """The equations among the parts of a clause, also those that hold only under a condition."""
    for c in split(t, True):
        if c.op == "implies":
            yield from _facts(c.args[1])
        elif c.op == "ite":
            yield from (f for a in c.args[1:] for f in _facts(a))
        elif c.op == "or":
            yield from (f for a in c.args for f in _facts(a))
        else:
            yield c


def _near(value: Value) -> Iterator[Value]:
    """A value and some that differ from it a little."""
    yield value
    match value:
        case bool():
            yield not value
        case int():
            yield value + 1
            yield value - 1
        case tuple() if value:
            yield value[:-1]
            yield (*value, value[0])
            yield value[::-1]
            yield from ((n, *value[1:]) for n in itertools.islice(_near(value[0]), 1, None))
        case Boxed():
            yield Boxed(value.view, value.rest + 1)
            yield from (Boxed(view, value.rest) for view in itertools.islice(_near(value.view), 1, None))
        case DataValue():
            for i, part in enumerate(value.fields):
                for other in itertools.islice(_near(part), 1, None):
                    yield DataValue(value.sort_name, value.variant, (*value.fields[:i], other, *value.fields[i + 1 :]))


def _all(terms: Iterable[Term]) -> Term:
    return tm.and_(list(terms))
