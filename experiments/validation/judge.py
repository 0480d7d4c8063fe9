"""One edit: its label by every means there is.

In: a task, an edit, the tools of the run. Out: an `EditCheck` (see `experiments.validation.model`).

The verdict on each function that has a contract comes from samespec and its solver; beside it stand the second solver, the
replay of the solver's values, evaluation without a solver, the syntax trees, the audit, and the programs. What one of them says
against a label is an error; what none says for it is left to the person who wrote it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from corpus.tasks import KEPT_VERDICTS, Edit, Task
from equiv.check import check_sources, read_crate
from equiv.decide import DEFAULT_BUDGET
from equiv.logical import interface_changes
from equiv.second_opinion import AGREES, DISAGREES, SecondSolver
from equiv.targets import Lost, counterpart, targets_of
from equiv.verdict import Answer, CheckReport, Obligation, Question, TargetReport, Verdict
from experiments.validation.closures import Closures, closures, wrong_audit
from experiments.validation.enumeration import Examined, examine
from experiments.validation.model import EditCheck, Execution, Judged, Means
from experiments.validation.structure import Parsed, why_another_interface, why_missing, why_same
from translate import syntax as sx
from translate import terms as tm
from translate.elaborate.contracts import read_contract
from translate.elaborate.elaborator import Elaborator
from translate.elaborate.inference import Unsupported
from translate.parser import ParseFailure, parse_file
from translate.room import deep_stack
from translate.source import SourceText, from_text

MAIN = frozenset((Question.ACCEPTS, Question.PROMISES))
CONVERSES = frozenset((Question.ACCEPTS_NO_MORE, Question.PROMISES_NO_MORE))
#: The questions that a value settles, by label: for a kept one it is an error, for a broken one the confirmation.
WANTED = {
    "equivalent": MAIN | CONVERSES,
    "refines": MAIN,
    "weakened": MAIN,
    "vacuous": frozenset((Question.CALLABLE,)),
}
#: Ways to decide an obligation without a solver.
UNASKED = ("same terms", "normal form")


@dataclass(slots=True)
class _Pile:
    """What is collected about one function."""

    means: set[Means] = field(default_factory=set)
    evidence: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    compared: str = ""
    open: str = ""


def parse_problems(source: SourceText, file: sx.File) -> list[str]:
    """What of a file cannot be read, each with file, line and column."""
    return [f"{source.place(p.span.start)}: {p.construct}: {p.message}" for p in file.problems]


def judge(task: Task, edit: Edit, execution: Execution, second: SecondSolver | None, budget: int = DEFAULT_BUDGET) -> EditCheck:
    """The label of an edit by every means but Verus."""
    original, submitted = from_text(str(task.path), task.original), from_text(str(edit.path), edit.submitted)
    before, after = Parsed(original, parse_file(original)), Parsed(submitted, parse_file(submitted))
    report = check_sources(original, submitted, budget=budget, second=second)
    errors = parse_problems(submitted, after.file)
    known = {t.target.removeprefix("crate::") for t in report.targets}
    errors += [f"edit.toml: targets: the original has no function `{t}` with a contract" for t in edit.targets if t not in known]
    examined = _examined(original, submitted, edit)
    judged = []
    for target in report.targets:
        label = edit.targets.get(target.target.removeprefix("crate::"), "equivalent")
        pile = _judge_target(target, label, examined.get(target.target), second is not None)
        _structure(pile, before, after, target.target, label)
        errors += [f"`{target.target}`: {e}" for e in pile.errors]
        means = tuple(m for m in Means if m in pile.means)
        judged.append(
            Judged(target.target, label, target.verdict.value, means, tuple(pile.evidence), pile.compared, pile.open)
        )
    found = closures(task, edit)
    wrong = wrong_audit(edit, found)
    errors += wrong
    errors += _whole(edit, report, found)
    if edit.kept and execution.failed:
        errors.append(f"its code fails {execution.failed} of {execution.cases} cases: {execution.first}")
    if edit.kept and task.cases and execution.why and not execution.skipped:
        errors.append(f"its code was not run on the cases: {execution.why}")
    return EditCheck(
        f"{task.name}/{edit.name}",
        edit.kind,
        edit.verdict,
        edit.kept,
        edit.audit,
        edit.hatch,
        tuple(judged),
        found.audit,
        not wrong,
        execution,
        errors=tuple(errors),
    )


def _whole(edit: Edit, report: CheckReport, found: Closures) -> Iterator[str]:
    """The answer for the whole edit, as `samespec check --audit` gives it."""
    contracts = report.kept()
    if contracts is not None and contracts is not (edit.verdict in KEPT_VERDICTS):
        yield f"samespec says that the contracts are {'kept' if contracts else 'not kept'}, the label says {edit.verdict}"
    if contracts is True and found.answer is True and not edit.kept:
        yield "samespec check --audit accepts it, and the label says that it is broken"


# --- one function -----------------------------------------------------------------------------------------------------


def _judge_target(target: TargetReport, label: str, examined: Examined | None, asked_twice: bool) -> _Pile:
    pile = _Pile()
    _verdict(pile, target, label)
    if asked_twice:
        _second(pile, target, label)
    if label == "weakened":
        for r in target.reasons:
            if r.code in ("requires-strengthened", "ensures-weakened") and r.counterexample and r.counterexample.replayed:
                pile.means.add(Means.REPLAY)
    if examined is not None and not any(r.code == "trusts-more" for r in target.reasons):  # that rule compares no values
        _evaluation(pile, examined, label)
    return pile


def _verdict(pile: _Pile, target: TargetReport, label: str) -> None:
    """samespec's own verdict against the label."""
    said = target.verdict
    reasons = "; ".join(r.message.split(" (tried: ")[0] for r in target.reasons)
    if said.kept() is None:
        pile.open = f"samespec says {said}: {reasons}"
        return
    if said == label:
        if said is Verdict.REFINES and not any(o.answer is Answer.REFUTED for o in _about(target, CONVERSES)):
            pile.open = "samespec shows that it promises at least as much; that it promises more, it does not show"
            return
        asked = any(o.method not in UNASKED for o in target.obligations) or said is Verdict.VACUOUS
        pile.means.add(Means.Z3 if asked and target.obligations else Means.LOGICAL)
        return
    if said is Verdict.WEAKENED and label == "vacuous":
        pile.open = "samespec shows that it accepts less; that it accepts nothing, it does not show"
        return
    one_way = said is Verdict.REFINES and label == "equivalent"
    if one_way and not any(o.answer is Answer.REFUTED for o in _about(target, CONVERSES)):
        pile.open = "samespec shows one direction: that it promises at least as much"
        return
    pile.errors.append(f"samespec says {said}, the label {label}{f': {reasons}' if reasons else ''}")


def _about(target: TargetReport, questions: frozenset[Question]) -> list[Obligation]:
    return [o for o in target.obligations if o.question in questions]


def _second(pile: _Pile, target: TargetReport, label: str) -> None:
    """cvc5: on a kept contract it has to agree with every proof that needed a solver, on a broken one with a refutation."""
    against = [o for o in target.obligations if o.cross_check == DISAGREES]
    if against:
        names = ", ".join(o.name for o in against)
        pile.errors.append(f"the two solvers contradict each other on {names}")
        return
    if target.verdict != label:
        return
    refuted = [o for o in target.obligations if o.answer is Answer.REFUTED]
    main = _about(target, MAIN)
    if label in ("equivalent", "refines"):
        rest = _about(target, CONVERSES)
        needed = [*main, *rest] if label == "equivalent" else main
        agreed = all(o.cross_check == AGREES for o in needed if o.method not in UNASKED)
        some = any(o.cross_check == AGREES for o in needed)
        more = label == "equivalent" or any(o.cross_check == AGREES for o in rest if o.answer is Answer.REFUTED)
        if agreed and some and more:
            pile.means.add(Means.CVC5)
    elif any(o.cross_check == AGREES for o in refuted):
        pile.means.add(Means.CVC5)


def _structure(pile: _Pile, before: Parsed, after: Parsed, target: str, label: str) -> None:
    why = None
    if label == "equivalent":
        why = why_same(before, after)
    elif label == "missing":
        why = why_missing(after, target)
    elif label == "interface-changed":
        why = why_another_interface(before, after, target)
    if why is not None:
        pile.means.add(Means.STRUCTURE)
        pile.evidence.append(why)


# --- evaluation --------------------------------------------------------------------------------------------------------


def _examined(original: SourceText, submitted: SourceText, edit: Edit) -> dict[str, Examined]:
    """The contracts of all functions that have the same interface in both files, evaluated side by side."""
    found: dict[str, Examined] = {}
    with deep_stack(), tm.own_terms():
        ours, theirs = Elaborator(read_crate(original)), Elaborator(read_crate(submitted))
        for target in targets_of(ours.crate, None):
            wanted = WANTED.get(edit.targets.get(target.path.removeprefix("crate::"), "equivalent"))
            other = counterpart(theirs.crate, target)
            if wanted is None or isinstance(other, Lost):
                continue
            try:
                a = read_contract(ours, target)
                b = read_contract(theirs, other, a)
            except (Unsupported, ParseFailure, RecursionError):
                continue  # samespec's verdict says so, with the place
            if not interface_changes(a.interface, b.interface):
                found[target.path] = examine(a, b, wanted, ours.crate.word_bits or 64)
    return found


def _evaluation(pile: _Pile, found: Examined, label: str) -> None:
    """What evaluation says for or against a label."""
    pile.compared = in_words(found)
    if label not in WANTED or found.same:
        if found.same and label != "equivalent" and label in WANTED:
            pile.errors.append(f"the contracts are the same terms, and the label says {label}")
        return
    plain = {s.question: s for s in found.separations if not s.stated}
    if label in ("equivalent", "refines"):
        against = [s for q, s in plain.items() if q in WANTED[label]]
        if against:
            pile.errors.append(f"values that separate the contracts ({against[0].question}): {against[0]}")
        elif found.separations and any(s.stated for s in found.separations):
            pile.compared += "; read as statements they differ, which says nothing where both are theorems"
        elif label == "refines" and not CONVERSES & set(plain):
            if found.whole:
                pile.errors.append("evaluation on every value finds the contracts the same, and the label says refines")
        elif _telling(found):
            pile.means.add(Means.EXHAUSTIVE if found.whole else Means.BOUNDED)
        return
    if label == "vacuous":
        value = plain.get(Question.CALLABLE)
        if value is not None:
            pile.errors.append(f"the submission can be called: {value}")
        elif found.accepted and not found.undetermined:
            pile.means.add(Means.EXHAUSTIVE if found.whole else Means.BOUNDED)
        return
    broken = [s for q, s in plain.items() if q in MAIN]
    if not broken and found.separates(Question.PROMISES) and not found.separates(Question.PROMISES_NO_MORE):
        broken = [s for s in found.separations if s.question is Question.PROMISES]
    if broken:
        pile.means.add(Means.VALUE)
        pile.evidence.append(f"{broken[0].question}? no: {broken[0]}")
    elif found.whole:
        pile.errors.append("evaluation on every value finds nothing promised less, and the label says weakened")


def _telling(found: Examined) -> bool:
    """Whether finding no difference means something: the values met the preconditions, and the promises where they differ."""
    return bool(found.accepted or found.called) and (not found.promises or found.met > 0)


def in_words(found: Examined) -> str:
    """What was gone through."""
    if found.same:
        return "the same terms"
    if not found.values:
        return "no value could be tried" if not found.separations else ""
    domain = "every value there is" if found.whole else "a bounded domain"
    text = f"{found.values} values, {domain}: the original accepts {found.accepted} inputs"
    if found.promises:
        text += f", {found.met} meet a promise"
    if found.undetermined:
        text += f", {found.undetermined} evaluations have no answer"
    return "; ".join([text, *found.notes])
