"""Alignment: the recursive functions of the submission that are functions of the original.

In: the terms of both contracts. Out: the submission's terms in which every recursive function that was shown to be one of the
original's is written as that one; the functions that may not be unfolded, because nobody showed that they end; and the pairs of
one name that were shown to differ, with arguments at which they do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from equiv.decide import Decider
from equiv.recursion import Normal, Prover, SameFunction, SameMember, group_of, replace, same_function, same_group, terminates
from translate import terms as tm
from translate.terms import FnSym, Term

#: Share of the budget for one induction step or one termination check.
SHARE = 0.2


@dataclass(slots=True)
class Alignment:
    """`terms` maps each submitted term to its aligned form. `lemmas` are proved equations between functions of the two sides that
    hold only where both are defined (`when`): premises for everything else. `notes` say in words what was shown."""

    terms: dict[Term, Term] = field(default_factory=dict)
    lemmas: list[Term] = field(default_factory=list)
    differ: list[tuple[FnSym, FnSym, dict[Term, Any]]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    #: functions that recur in the original and are given without recursion in the submission
    closed: list[str] = field(default_factory=list)


def align(original: Sequence[Term], submitted: Sequence[Term], decider: Decider) -> Alignment:
    """Aligns the recursive functions of `submitted` with those of `original`; marks in the decider those that may not be
    unfolded."""
    result = Alignment({t: t for t in submitted})
    if set(submitted) <= set(original):
        return result
    ours = _symbols(original)
    known = set(ours)

    normal = decider.normalizer.normal

    def prove(premises: Sequence[Term], goal: Term, variables: Sequence[Term]) -> bool:
        return decider.proved_by_z3(premises, goal, variables, SHARE)

    tried: set[FnSym] = set()
    while True:
        theirs = [s for s in _symbols(result.terms.values()) if s not in known and s not in tried]
        new = [s for s in theirs if s.kind == "recursive"]
        if not new:
            break
        ready = next((g for g in new if not any(s in new for s in _symbols_in(g) if s is not g)), new[0])  # callees first
        tried.add(ready)
        members = _match_group(ready, ours, prove, normal)
        present = set(_symbols(result.terms.values()))
        if members is not None and not any(m.f.when is not None and m.f in present for m in members):
            for m in members:
                _rename(result, m.g, m.f, m.order)
                tried.add(m.g)
                result.notes.append(f"`{m.g.name}` is shown to be the original's `{m.f.name}` by induction")
            continue
        ends = terminates(ready, prove)
        match = _match(ready, ends, ours, prove, normal)
        if match is not None:
            f, same = match
            # Where neither has an equation, g takes f's place, as two functions of one text do; but two that stand side by side
            # are not the same there.
            if same.condition is None or (same.of_one_text and f not in present):
                _rename(result, ready, f, same.order)
            else:
                result.lemmas.append(_lemma(f, ready, same))
            result.notes.append(f"`{ready.name}` is shown to be the original's `{f.name}` by induction")
        elif not ends:
            decider.distrusted.add(ready)
    _closed_forms(result, ours, known, prove, normal)
    result.differ = list(_differing(result, ours, known, decider))
    return result


def _symbols_in(g: FnSym) -> list[FnSym]:
    return [] if g.body is None else tm.symbols(g.body)


def _symbols(terms: Iterable[Term]) -> list[FnSym]:
    return list(dict.fromkeys(s for t in terms for s in tm.symbols(t)))


def _match_group(g: FnSym, ours: list[FnSym], prove: Prover, normal: Normal) -> list[SameMember] | None:
    """The original's functions that those of a group of the submission are."""
    if len(group_of(g)) == 1:
        return None
    for f in sorted(ours, key=lambda f: f.name != g.name):
        if f.kind == "recursive" and f.result is g.result and len(f.params) == len(g.params):
            members = same_group(f, g, prove, normal)
            if members is not None:
                return members
    return None


def _match(g: FnSym, ends: bool, ours: list[FnSym], prove: Prover, normal: Normal) -> tuple[FnSym, SameFunction] | None:
    """The original's function that a recursive one of the submission is."""
    for f in sorted(ours, key=lambda f: f.name != g.name):
        same = None
        if f.kind == "recursive":
            same = same_function(f, g, ends, prove, normal)
        elif f.kind == "defined" and ends and f.params == g.params and f.name == g.name:
            same = same_function(g, f, True, prove, normal)  # the original has a closed form: induction on g
            if same is not None and same.condition is not None:
                same = None
        if same is not None:
            return f, same
    return None


def _lemma(f: FnSym, g: FnSym, same: SameFunction) -> Term:
    """`forall|x| condition ==> g(x) == f(x)`"""
    n = len(f.params)
    x = tuple(tm.bound(n - 1 - k, s) for k, s in enumerate(f.params))
    equation = tm.eq(tm.app(g, (x[i] for i in same.order)), tm.app(f, x))
    assert same.condition is not None
    return tm.quantify("forall", f.params, tm.implies(same.condition, equation))


def _rename(result: Alignment, old: FnSym, new: FnSym, order: tuple[int, ...]) -> None:
    memo: dict[FnSym, FnSym] = {}
    result.terms = {t: replace(now, old, new, order, memo) for t, now in result.terms.items()}


def _closed_forms(result: Alignment, ours: list[FnSym], known: set[FnSym], prove: Prover, normal: Normal) -> None:
    """A function of the same name that recurs in the original and does not in the submission."""
    for g in _symbols(result.terms.values()):
        if g in known or g.kind != "defined":
            continue
        for f in ours:
            if f.kind == "recursive" and f.name == g.name and f.params == g.params:
                same = same_function(f, g, True, prove, normal)
                if same is not None and same.condition is None:
                    _rename(result, g, f, same.order)
                    result.closed.append(g.name)
                    result.notes.append(f"`{g.name}` is shown to be the original's function by induction")


def _differing(
    result: Alignment, ours: list[FnSym], known: set[FnSym], decider: Decider
) -> Iterable[tuple[FnSym, FnSym, dict[Term, Any]]]:
    """Functions of one name and signature that give different values somewhere."""
    for g in _symbols(result.terms.values()):
        if g in known or g.body is None:
            continue
        for f in ours:
            if f.name == g.name and f.params == g.params and f.result is g.result and f.body is not None:
                x = tuple(tm.var(f"argument {i + 1}", s) for i, s in enumerate(f.params))
                found = decider.refute([], tm.eq(tm.app(f, x), tm.app(g, x)), x)
                if found is not None:
                    yield f, g, found
