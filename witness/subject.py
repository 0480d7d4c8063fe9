"""A function to audit: its contract as terms, and when two of its outputs count as the same.

In: a source text, functions of it, what was declared about them. Out: a `Subject` for each.

A relation of the user's own is Verus text that names what the file defines, so it is read as a part of the file: it is put
behind the file's text, in a function of its own that nothing else sees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from equiv.check import read_crate
from equiv.meaning import definition_place, place
from equiv.targets import targets_of
from equiv.verdict import ClauseRef, Place
from translate import syntax as sx
from translate import terms as tm
from translate.elaborate.contracts import Clause, Contract, read_contract
from translate.elaborate.elaborator import Elaborator
from translate.elaborate.inference import Unsupported
from translate.elaborate.scope import Scope, Typed
from translate.names import Ref
from translate.parser import ParseFailure, body_of
from translate.source import SourceText
from translate.terms import FnSym, Sort, Term
from witness.contract import WitnessError
from witness.declared import RESULT, DeclarationError, Declared, declared_for
from witness.same_output import DoesNotApply, Relation, Sameness

_HOLDER = "samespec_declared_"


class NoOutput(WitnessError):
    """A function that returns nothing and changes no parameter: there is nothing to pin down."""


@dataclass(frozen=True, slots=True)
class Output:
    """One output of a function, in two copies: the result, or what a `&mut` parameter is on return. `declared` is the relation
    in the author's words, "same" without any."""

    first: Term
    second: Term
    sameness: Sameness
    declared: str

    @property
    def name(self) -> str:
        return str(self.first.data)

    @property
    def same(self) -> Term:
        """That the two copies count as the same."""
        return self.sameness.term(self.first, self.second)


@dataclass(frozen=True, slots=True)
class Subject:
    """A function with its contract. `refs` are the clauses for people, by identity; `doubts` what of the file was not read for
    certain: (where, what)."""

    path: str
    place: Place | None
    contract: Contract
    outputs: tuple[Output, ...]
    refs: Mapping[int, ClauseRef]
    doubts: tuple[tuple[Place, str], ...]

    def ref(self, clause: Clause) -> ClauseRef:
        return self.refs[id(clause)]


class SubjectFile:
    """One file. `declared` are the relations by function path (see `witness.declared`); `everywhere` those of the command line,
    for every function. Raises `DeclarationError` for a relation that is no Verus."""

    def __init__(self, source: SourceText, declared: Mapping[str, list[Declared]], everywhere: Sequence[Declared] = ()) -> None:
        self.declared, self.everywhere = declared, list(everywhere)
        #: why a declaration of the command line did not fit a function, where it fitted none so far
        self.misfits: dict[Declared, str] = {}
        self._fitted: set[Declared] = set()
        every = [*self.everywhere, *(d for ds in declared.values() for d in ds)]
        self._closures = list(dict.fromkeys(d.closure for d in every if d.closure))
        self.source = _with_closures(source, self._closures)
        self.crate = read_crate(self.source)
        self._end = len(source.data)
        self.elaborator = Elaborator(self.crate)
        self._parsed: dict[str, sx.Closure] = {}
        for d in every:
            if d.closure:
                self._parsed[d.closure] = self._closure(d)

    def targets(self, fns: Sequence[str]) -> list[Ref]:
        """The functions named, or all with a contract. Raises `equiv.targets.UnknownTarget`."""
        found = targets_of(self.crate, list(fns) or None)
        return [r for r in found if not r.name.startswith(_HOLDER)]

    def subject(self, ref: Ref) -> Subject:
        """One function, read. Raises `Unsupported` or `ParseFailure` for what cannot be translated, `NoOutput`, and
        `DeclarationError` for a declaration that does not fit."""
        contract = read_contract(self.elaborator, ref)
        variables = [*contract.outputs, *([] if contract.result is None else [contract.result])]
        if not variables:
            raise NoOutput(f"`{ref.path}` returns nothing and changes no parameter: its contract has no output to pin down")
        chosen = self._chosen(ref, contract, variables)
        outputs = tuple(
            Output(v, tm.var(f"{v.data}′", v.sort), sameness, text)
            for v, (sameness, text) in zip(variables, chosen, strict=True)
        )
        refs = {id(c): self._clause_ref(c) for c in (*contract.requires, *contract.ensures)}
        return Subject(ref.path, definition_place(ref), contract, outputs, refs, tuple(self._doubts()))

    # --- declarations ----------------------------------------------------------------------------------------------

    def _chosen(self, ref: Ref, contract: Contract, variables: Sequence[Term]) -> list[tuple[Sameness, str]]:
        """The relation of each output, with its words."""
        plain = Sameness(Relation.SAME, view=self._view_of(ref))
        chosen: list[tuple[Sameness, str]] = [(plain, Relation.SAME.value)] * len(variables)
        for d in (*_general_first(declared_for(self.declared, ref.path)), *_general_first(self.everywhere)):
            sameness = self._sameness(ref, d)
            places = [i for i, v in enumerate(variables) if _is_called(v, d.output, contract)]
            problems = []
            for i in places:
                try:
                    sameness.check_applies(variables[i].sort)
                    if sameness.own is not None:
                        sameness.own(variables[i], variables[i])
                except DoesNotApply as problem:
                    problems.append(str(problem))
                else:
                    chosen[i] = (sameness, d.text)
            if not places:
                names = ", ".join(_callname(v, contract) for v in variables)
                self._misfit(d, f"`{ref.path}` has no output `{d.output}`; its outputs are: {names}")
            elif len(problems) == len(places):
                self._misfit(d, f"`{d.text}` cannot be declared of `{ref.path}`: {'; '.join(problems)}")
            else:
                self._fitted.add(d)
                self.misfits.pop(d, None)
        return chosen

    def _misfit(self, d: Declared, why: str) -> None:
        """A declaration in a table must fit its function; one of the command line must fit one of the functions looked at."""
        if d not in self.everywhere:
            raise DeclarationError(why)
        if d not in self._fitted:
            self.misfits.setdefault(d, why)

    def _sameness(self, ref: Ref, d: Declared) -> Sameness:
        if d.closure:
            return Sameness(Relation.OWN, own=self._own(ref, d))
        return Sameness(d.relation, view=self._view_of(ref))

    def _view_of(self, ref: Ref) -> Callable[[Term], Term | None]:
        """`x@` for terms of types that have a `View` in the file."""
        el, scope = self.elaborator, Scope(self.elaborator.scope_of(ref))
        has: dict[Sort, bool] = {}

        def view(t: Term) -> Term | None:
            if t.sort.kind not in ("data", "opaque"):
                return None
            if t.sort not in has:
                method = el.calls.methods.find(t.sort, "view", scope, sx.Node(sx.Span(0, 0)))
                has[t.sort] = method is not None and method.ref.crate is el.crate
            if not has[t.sort]:
                return None
            return el.finish(el.calls.view(Typed(t, t.sort), sx.Span(0, 0), scope).term)

        return view

    def _own(self, ref: Ref, d: Declared) -> Callable[[Term, Term], Term]:
        """The user's relation as a function of two terms."""
        closure = self._parsed[d.closure]

        def own(a: Term, b: Term) -> Term:
            el = self.elaborator
            try:
                typed = el.expr(closure, Scope(el.scope_of(ref)), tm.fn_sort((a.sort, b.sort), tm.BOOL))
                term = el.finish(typed.term)
            except (Unsupported, ParseFailure) as problem:
                what = problem.construct if isinstance(problem, Unsupported) else problem.message
                if a.sort.kind == "boxed" and not d.text.startswith("|"):
                    what += f"; of what they hold, write `|a, b| {d.text}(a@, b@)`"
                raise DoesNotApply(f"as a relation of two values of type `{a.sort}`: {what}") from None
            if [p.kind for p in term.data] != [a.sort.kind, b.sort.kind] or term.args[0].sort is not tm.BOOL:
                raise DoesNotApply(f"it is no relation of two values of type `{a.sort}`")
            unknown = [sym.name for sym in tm.symbols(term) if sym.origin == "unknown"]
            if unknown:
                raise DoesNotApply(f"`{unknown[0]}` is defined nowhere that samespec sees")
            return tm.instantiate(term.args[0], (a, b))

        return own

    def _closure(self, d: Declared) -> sx.Closure:
        name = f"{_HOLDER}{self._closures.index(d.closure)}"
        refs = self.crate.functions_at(f"crate::{name}")
        what = "it is no expression"
        if refs and isinstance(refs[0].item, sx.Fn):
            try:
                body = body_of(refs[0].item)
            except ParseFailure as failure:
                what = failure.message
            else:
                tail = None if body is None or body.stmts else body.tail
                whole = tail is not None and self.source.snippet(tail.span).strip() == d.closure.strip()
                if isinstance(tail, sx.Closure) and len(tail.params) == 2 and whole:
                    return tail
                what = "it is no closure of two parameters"
        raise DeclarationError(f"`{d.text}` cannot be read as a relation: {what}; write `|a, b| …` or a spec function's path")

    # --- the rest --------------------------------------------------------------------------------------------------

    def _clause_ref(self, clause: Clause) -> ClauseRef:
        crate = clause.ref.crate
        assert crate is not None
        kind = clause.kind if clause.inherited is None else f"{clause.kind} (of trait {clause.inherited})"
        return ClauseRef("", kind, crate.source.folded(clause.expr.span), place(crate, clause.expr.span.start))

    def _doubts(self) -> Iterable[tuple[Place, str]]:
        """What stands in the file and was not read for certain: it may define anything."""
        for problem in (*self.crate.file.problems, *self.crate.gaps):
            if problem.span.start < self._end:
                yield place(self.crate, problem.span.start), f"{problem.construct}: {problem.message}"
        for _, span in self.crate.item_macros:
            yield place(self.crate, span.start), "macro: a macro call among items may define anything"


def _general_first(declared: Sequence[Declared]) -> list[Declared]:
    """One output's own word goes before that for all of them."""
    return sorted(declared, key=lambda d: d.output is not None)


def recursive_symbols(terms: Iterable[Term]) -> list[FnSym]:
    """The recursive functions that terms reach, in order of appearance."""
    return list(dict.fromkeys(s for t in terms for s in tm.symbols(t) if s.kind == "recursive"))


def _callname(v: Term, contract: Contract) -> str:
    """What an output is called in a declaration: `result`, or the parameter's name."""
    return RESULT if v is contract.result else str(v.data).removeprefix("final(").removesuffix(")")


def _is_called(v: Term, name: str | None, contract: Contract) -> bool:
    return name is None or name in (_callname(v, contract), str(v.data))


def _with_closures(source: SourceText, closures: Sequence[str]) -> SourceText:
    """The file's text with the user's relations behind it. Places in the file stay what they are."""
    if not closures:
        return source
    holders = "".join(f"spec fn {_HOLDER}{i}() -> bool {{\n{c}\n}}\n" for i, c in enumerate(closures))
    return SourceText(source.path, source.raw + f"\nverus! {{\n{holders}}}\n".encode())
