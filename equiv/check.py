"""The check: every target of an original against a submission.

In: two source texts. Out: a `CheckReport` (or the answers of all contract tests side by side). This is where the rooms meet:
parsing, names, contracts as terms, the logical test, changed meanings.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from equiv.ast_test import ast, syntactic_sameness
from equiv.contract_text import ContractText
from equiv.decide import DEFAULT_BUDGET, Decider
from equiv.lemmas import LemmaHook, NoLemma, Premise, Side, comment, lemma
from equiv.logical import LogicalTest, interface_changes, uninterpreted_names
from equiv.meaning import definition_place, definition_text, meaning_changes, place
from equiv.remembered import Store
from equiv.second_opinion import SecondSolver
from equiv.subset import subset_naive, subset_strict
from equiv.targets import Lost, UnknownTarget, counterpart, targets_of
from equiv.textual import textual
from equiv.verdict import Answer, CheckReport, ClauseRef, MeaningChange, Reason, SpecChange, TargetReport, TestAnswer, Verdict
from translate import syntax as sx
from translate import terms as tm
from translate.elaborate.contracts import Clause, Contract, read_contract
from translate.elaborate.definitions import has_attr
from translate.elaborate.elaborator import Elaborator
from translate.elaborate.inference import Unsupported
from translate.elaborate.scope import Typed
from translate.names import Crate, Ref
from translate.parser import ParseFailure, parse_file
from translate.room import deep_stack
from translate.source import SourceText
from translate.vstd import library

__all__ = ["UnknownTarget", "check_sources", "compare_sources", "examine_sources", "read_crate", "spec_changes"]

def read_crate(source: SourceText, parse: Callable[[SourceText], sx.File] = parse_file) -> Crate:
    """A source text as a crate of names, over the vocabulary."""
    return Crate(source, parse(source), library())


def check_sources(
    original: SourceText,
    submitted: SourceText,
    *,
    targets: Sequence[str] | None = None,
    budget: int = DEFAULT_BUDGET,
    want_smt2: bool = False,
    want_lemmas: bool = False,
    second: SecondSolver | None = None,
    moved: Mapping[str, str] | None = None,
    store: Store | None = None,
    parse: Callable[[SourceText], sx.File] = parse_file,
) -> CheckReport:
    """Decides, for every target, whether the submission kept its contract.

    `targets` are paths of functions of the original (default: all with a contract); `budget` is in Z3 resource units an
    obligation. `moved` maps the full path of a target to that of the submission's function which answers for it, where that is
    another one. On request each obligation comes with its SMT-LIB script (`want_smt2`) and as a Verus file (`want_lemmas`), and
    is put to a second solver (`second`, see `equiv.second_opinion`). `store` keeps Z3's answers, `parse` may keep syntax trees;
    the report is the same with them and without. Raises `UnknownTarget`.
    """
    with deep_stack(), tm.own_terms():
        old, new = read_crate(original, parse), read_crate(submitted, parse)
        check = _Check(old, new, budget, want_smt2, want_lemmas, second, moved, store)
        chosen = targets_of(check.o.crate, None if targets is None else list(targets))
        reports = tuple(check.target(t) for t in chosen)
        if not targets:
            reports += tuple(check.unparsed())
        unreached = () if targets else tuple(check.unreached())
    return CheckReport(
        str(original.path), str(submitted.path), original.sha256, submitted.sha256, reports, unreached, tuple(check.notes())
    )


def spec_changes(original: SourceText, submitted: SourceText, *, budget: int = DEFAULT_BUDGET) -> tuple[SpecChange, ...]:
    """Every spec function of the original whose meaning changed, whoever uses it."""
    with deep_stack(), tm.own_terms():
        return tuple(_Check(read_crate(original), read_crate(submitted), budget, False).unreached())


def compare_sources(
    original: SourceText, submitted: SourceText, *, targets: Sequence[str] | None = None, budget: int = DEFAULT_BUDGET
) -> list[tuple[str, list[TestAnswer]]]:
    """The answers of all contract tests for every target: textual, subset (strict and naive), ast, logical."""
    return [(report.target, answers) for report, answers in examine_sources(original, submitted, targets=targets, budget=budget)]


def examine_sources(
    original: SourceText, submitted: SourceText, *, targets: Sequence[str] | None = None, budget: int = DEFAULT_BUDGET
) -> list[tuple[TargetReport, list[TestAnswer]]]:
    """As `compare_sources`, with the logical test's whole report on each target. Raises `UnknownTarget`."""
    with deep_stack(), tm.own_terms():
        check = _Check(read_crate(original), read_crate(submitted), budget, False)
        chosen = targets_of(check.o.crate, None if targets is None else list(targets))
        return [check.compare(t) for t in chosen]


class _Check:
    """One pair of files."""

    def __init__(
        self,
        original: Crate,
        submitted: Crate,
        budget: int,
        want_smt2: bool,
        want_lemmas: bool = False,
        second: SecondSolver | None = None,
        moved: Mapping[str, str] | None = None,
        store: Store | None = None,
    ) -> None:
        self.want_lemmas, self.second, self.moved = want_lemmas, second, moved or {}
        self.o, self.s = Elaborator(original), Elaborator(submitted)
        scripts = want_smt2 or second is not None
        self.decider = Decider(budget, want_smt2=scripts, word_bits=original.word_bits or 64, store=store)
        self.reached: set[str] = set()
        self.reading_submitted: set[str] = set()

    def target(self, target: Ref) -> TargetReport:
        """The report on one function."""
        report = replace(self._guarded(target), original_place=definition_place(target))
        if report.verdict.kept() or report.verdict is Verdict.MISSING:
            return self._despite_gaps(report)
        return report

    def _despite_gaps(self, report: TargetReport) -> TargetReport:
        """A file that was not parsed as a whole may define, or hide, anything: then nothing is kept, and nothing is gone."""
        for crate in (self.s.crate, self.o.crate):
            for problem in self._gaps(crate):
                where = place(crate, problem.span.start)
                message = (
                    f"not read at {where} ({problem.construct}: {problem.message}); what stands there may change the contract"
                )
                reason = Reason("unsupported", message, (ClauseRef(_side(self, crate), "unsupported", problem.construct, where),))
                return replace(report, verdict=Verdict.UNSUPPORTED, reasons=(reason,), same=None)
        return report

    def _gaps(self, crate: Crate) -> list[sx.ParseProblem]:
        """What of a file was not read for certain; a gap that stands in both files, word for word, changes nothing."""
        gaps = list(crate.file.problems)
        other = self.o.crate if crate is self.s.crate else self.s.crate
        here = {crate.source.folded(g.span) for g in crate.gaps}
        there = {other.source.folded(g.span) for g in other.gaps}
        gaps += [g for g in crate.gaps if here != there and crate.source.folded(g.span) not in there]
        if crate is self.s.crate:
            known = {text for text, _ in self.o.crate.item_macros}
            for text, span in crate.item_macros:
                if text not in known:
                    gaps.append(sx.ParseProblem(span, "macro", "a macro call among items may define anything"))
        return gaps

    def unparsed(self) -> Iterator[TargetReport]:
        """What could not be parsed of the original, as targets: a contract may stand there."""
        crate = self.o.crate
        for problem in crate.file.problems:
            where = place(crate, problem.span.start)
            ref = ClauseRef("original", "unsupported", problem.construct, where)
            reason = Reason("unsupported", f"not parsed at {where}: {problem.construct}: {problem.message}", (ref,))
            yield TargetReport(f"line {where.line}", Verdict.UNSUPPORTED, (reason,), original_place=where)

    def _guarded(self, target: Ref) -> TargetReport:
        """The report on one function; an error of our own is this target's, and never a verdict."""
        try:
            return self._target(target)
        except Exception as error:
            if os.environ.get("SAMESPEC_DEBUG"):
                raise
            message = f"internal error ({type(error).__name__}: {error}); please report it with the two files"
            return TargetReport(target.path, Verdict.UNSUPPORTED, (Reason("internal-error", message[:400]),))

    def _target(self, target: Ref) -> TargetReport:
        found = counterpart(self.s.crate, target, self.moved.get(target.path))
        if isinstance(found, Lost):
            where = None if found.ref is None else definition_place(found.ref)
            return TargetReport(target.path, Verdict.MISSING, (Reason(found.code, found.message),), submitted_place=where)
        here = definition_place(found)
        try:
            original = read_contract(self.o, target)
            self.reached.update(self.o.closure_of(target.path))
            self.reading_submitted.add(target.path)
            submitted = read_contract(self.s, found, original)
        except (Unsupported, ParseFailure, RecursionError) as problem:
            report = self._unread(target, found, problem)
            return replace(report, submitted_place=here)
        meaning = tuple(meaning_changes(self.o, target.path, self.s, found.path))
        changed = interface_changes(original.interface, submitted.interface)
        changed += _effects(target, found)
        if self.o.crate.word_bits != self.s.crate.word_bits:
            changed.append(Reason("word-size", "`global size_of usize` is another: the files speak of different machines"))
        notes = tuple(_notes(target, found, self.moved))
        if changed:
            return TargetReport(
                target.path, Verdict.INTERFACE_CHANGED, tuple(changed), meaning=meaning, notes=notes, submitted_place=here
            )
        report = self._logical(target, found, original, submitted, meaning)
        report = replace(report, submitted_place=here, notes=(*notes, *report.notes))
        return _strictly(target, found, report)

    def _logical(
        self, target: Ref, found: Ref, original: Contract, submitted: Contract, meaning: tuple[MeaningChange, ...]
    ) -> TargetReport:
        refs = {id(c): _clause_ref("original", c) for c in (*original.requires, *original.ensures)}
        refs |= {id(c): _clause_ref("submitted", c) for c in (*submitted.requires, *submitted.ensures)}
        outcome = LogicalTest(original, submitted, refs, self.decider, self._lemmas(target), self.second).run()
        terms = [c.term for k in (original, submitted) for c in (*k.requires, *k.ensures)]
        same = None
        if outcome.verdict is Verdict.EQUIVALENT:
            same = syntactic_sameness(_text(target), _text(found)) or "logic"
            if all(o.method == "same terms" for o in outcome.obligations) and not outcome.notes:
                meaning = ()
        elif outcome.verdict is Verdict.REFINES:
            same = "logic"
        return TargetReport(
            target.path,
            outcome.verdict,
            tuple(outcome.reasons),
            same,
            tuple(outcome.obligations),
            outcome.core,
            meaning,
            tuple(uninterpreted_names(terms)),
            tuple(outcome.notes),
        )

    def _lemmas(self, target: Ref) -> LemmaHook | None:
        """What writes the obligations of a target as Verus files, where that is wanted."""
        if not self.want_lemmas:
            return None
        sides = (Side("original", self.o), Side("submitted", self.s))

        def write(name: str, premises: Sequence[Premise], goal: Premise, variables: Sequence[tm.Term]) -> str | None:
            title = f"{target.path}, obligation {name}: holds if every requires together imply the ensures"
            try:
                return lemma(f"{target.name}_{name}", premises, goal, variables, sides, [title]).text
            except NoLemma as problem:
                return comment(f"no text for {target.path}, obligation {name}: {problem}") + "\n"

        return write

    def _unread(self, target: Ref, found: Ref, problem: Exception) -> TargetReport:
        """The report for a contract that could not be read: what stood in the way, and where."""
        where = None
        side = "original" if target.path not in self.reading_submitted else "submitted"
        if isinstance(problem, Unsupported):
            construct = problem.construct
            if isinstance(problem.crate, Crate) and isinstance(problem.span, sx.Span):
                where = place(problem.crate, problem.span.start)
        elif isinstance(problem, ParseFailure):
            construct = f"{problem.construct}: {problem.message}"
            where = place(self.o.crate if side == "original" else self.s.crate, problem.span.start)
        else:
            construct = "an expression nested too deeply"
        at = "" if where is None else f" at {where}"
        ref = () if where is None else (ClauseRef(side, "unsupported", construct, where),)
        return TargetReport(target.path, Verdict.UNSUPPORTED, (Reason("unsupported", f"not translated: {construct}{at}", ref),))

    # --- the other tests -------------------------------------------------------------------------------------------

    def compare(self, target: Ref) -> tuple[TargetReport, list[TestAnswer]]:
        report = self.target(target)
        why = report.reasons[0].message if report.reasons else f"the {report.same} is the same" if report.same else ""
        logical = TestAnswer("logical", report.verdict.kept(), f"{report.verdict}{': ' if why else ''}{why}")
        found = counterpart(self.s.crate, target)
        if isinstance(found, Lost):
            tests = ("textual", "subset-strict", "subset-naive", "ast")
            return report, [*(TestAnswer(t, False, found.message) for t in tests), logical]
        a, b = _text(target), _text(found)
        return report, [textual(a, b), subset_strict(a, b), subset_naive(a, b), ast(a, b), logical]

    # --- the rest of the file --------------------------------------------------------------------------------------

    def unreached(self) -> Iterator[SpecChange]:
        """Spec functions of the original whose meaning changed, but those that a target's contract reaches."""
        for ref in self.o.crate.functions:
            fn = ref.item
            if not isinstance(fn, sx.Fn) or fn.mode != "spec" or ref.path in self.reached:
                continue
            new = next(iter(self.s.crate.functions_at(ref.path)), None)
            if new is None or not isinstance(new.item, sx.Fn):
                gone = MeaningChange("spec function", ref.path, definition_text(ref), "", definition_place(ref), None)
                yield SpecChange(ref.path, gone, "gone")
                continue
            answer = self._same_function(ref, new)
            if answer is not None:
                change = MeaningChange(
                    "spec function",
                    ref.path,
                    definition_text(ref),
                    definition_text(new),
                    definition_place(ref),
                    definition_place(new),
                )
                yield SpecChange(ref.path, change, answer)

    def _same_function(self, old: Ref, new: Ref) -> str | None:
        """None where two spec functions are the same; else "different" or "not shown to be the same"."""
        try:
            a = read_contract(self.o, old)
            b = read_contract(self.s, new, a)
            left, right = self._applied(self.o, old, a), self._applied(self.s, new, b)
        except (Unsupported, ParseFailure, RecursionError):
            return None if definition_text(old) == definition_text(new) else "not shown to be the same"
        if interface_changes(a.interface, b.interface):
            return "different"
        if left is right:
            return None
        answer = self.decider.implied([], tm.eq(left, right), a.inputs).answer
        return {Answer.PROVED: None, Answer.REFUTED: "different"}.get(answer, "not shown to be the same")

    def _applied(self, el: Elaborator, ref: Ref, contract: Contract) -> tm.Term:
        """The function applied to its own parameters."""
        fn = ref.item
        assert isinstance(fn, sx.Fn)
        ts = el.definitions.fn_scope(ref, contract.interface.sorts[0] if fn.params and fn.params[0].self_kind else None)
        names = [g.split(":")[0] for g in contract.interface.generics]
        for hole, name in zip(ts.generics.values(), names, strict=False):
            el.inference.unify(hole, tm.opaque_sort(name))
        values = [Typed(v, v.sort) for v in contract.inputs]
        result = contract.interface.result_sort or tm.UNIT
        from translate.elaborate.scope import Scope

        return el.finish(el.definitions.apply(ref, ts, values, result, Scope(ts), fn).term)

    def notes(self) -> Iterator[str]:
        """What concerns the whole submission."""
        for el in (self.o, self.s):
            for problem in el.crate.file.problems:
                yield f"not parsed: {place(el.crate, problem.span.start)}: {problem.construct}: {problem.message}"


def _effects(target: Ref, found: Ref) -> list[Reason]:
    """Promises besides the clauses: that a function does not unwind, and which invariants it opens."""
    reasons = []
    for kind, worse in (
        ("no_unwind", "the function may unwind now"),
        ("opens_invariants", "the invariants that it opens are others"),
    ):
        old, new = _clause_texts(target, kind), _clause_texts(found, kind)
        if old != new and not (kind == "no_unwind" and not old):
            reasons.append(Reason("effects", f"{worse}: `{kind}` was `{old or 'not stated'}` and is `{new or 'not stated'}`"))
    return reasons


def _strictly(target: Ref, found: Ref, report: TargetReport) -> TargetReport:
    """Where a stronger contract is no gain: a trait's declaration (its implementers must meet it), and a function that nobody
    proves (an axiom that says more is a bigger hole)."""
    if report.verdict is not Verdict.REFINES:
        return report
    fn = found.item
    assert isinstance(fn, sx.Fn)
    if isinstance(found.owner, sx.Trait):
        reason = Reason("trait-contract", "a trait declares another contract: its implementations must meet that one now")
        return replace(report, verdict=Verdict.INTERFACE_CHANGED, reasons=(reason, *report.reasons), same=None)
    if fn.axiom or has_attr(fn.attrs, "external_body") or fn.body is None:
        reason = Reason("trusts-more", "nobody proves this function, and it promises more than the original: a bigger hole")
        return replace(report, verdict=Verdict.WEAKENED, reasons=(reason, *report.reasons), same=None)
    return report


def _side(check: _Check, crate: Crate) -> str:
    return "original" if crate is check.o.crate else "submitted"


def _text(ref: Ref) -> ContractText:
    assert ref.crate is not None and isinstance(ref.item, sx.Fn)
    return ContractText(ref.crate.source, ref.item, ref.crate.file)


def _clause_ref(side: str, clause: Clause) -> ClauseRef:
    crate = clause.ref.crate
    assert crate is not None
    text = crate.source.folded(clause.expr.span)
    kind = clause.kind if clause.inherited is None else f"{clause.kind} (of trait {clause.inherited})"
    return ClauseRef(side, kind, text, place(crate, clause.expr.span.start))


def _notes(target: Ref, found: Ref, moved: Mapping[str, str]) -> Iterator[str]:
    """Changes that do not change what the contract means."""
    a, b = target.item, found.item
    assert isinstance(a, sx.Fn) and isinstance(b, sx.Fn) and found.crate is not None and target.crate is not None
    if found.path != target.path:
        how = "" if target.path in moved else " and is re-exported"
        yield f"the function stands at `{found.path}` now{how}"
    if a.vis != b.vis:
        yield f"visibility changed from `{a.vis or 'private'}` to `{b.vis or 'private'}`"
    for kind in ("decreases", "recommends"):
        old, new = (_clause_texts(r, kind) for r in (target, found))
        if old != new:
            yield f"`{kind}` changed from `{old or 'none'}` to `{new or 'none'}`"
    for name in ("external_body", "exec_allows_no_decreases_clause"):
        if has_attr(b.attrs, name) and not has_attr(a.attrs, name):
            yield f"`{name}` was added: Verus believes the body"


def _clause_texts(ref: Ref, kind: str) -> str:
    assert isinstance(ref.item, sx.Fn) and ref.crate is not None
    return ", ".join(ref.crate.source.folded(c.span) for c in ref.item.clauses if c.kind == kind)
