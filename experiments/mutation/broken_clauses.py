"""Rules that should break a contract: whole clauses dropped, emptied, contradicted, moved; signatures changed.

They are candidates: whether a mutant is broken depends on the rest of the contract (a dropped clause may follow from the others).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from experiments.mutation.kept_clauses import added, extent, lists, without
from experiments.mutation.model import Proposal, Proposals, Rule
from experiments.mutation.text import Edit
from experiments.mutation.tree import binds_outwards
from experiments.mutation.work import Work, function
from translate import syntax as sx
from translate.names import Ref
from translate.parser import body_of
from translate.syntax import Span

UNSIGNED = frozenset({"u8", "u16", "u32", "u64", "u128", "usize", "nat"})
SIGNED = frozenset({"i8", "i16", "i32", "i64", "i128", "isize", "int"})


def _dropped(work: Work, target: Ref) -> Proposals:
    for clause in lists(target):
        if clause.kind == "ensures":
            for e in clause.exprs:
                yield Proposal((without(work, clause, e),), f"The promise `{_short(work, e)}` is gone.")


def _short(work: Work, e: sx.Expr) -> str:
    text = " ".join(work.text(e).split())
    return text if len(text) <= 60 else text[:57] + "…"


def _made_true(work: Work, target: Ref) -> Proposals:
    for clause in lists(target):
        if clause.kind == "ensures":
            for e in clause.exprs:
                yield Proposal((Edit(extent(work, e), "true"),), f"`true` stands where `{_short(work, e)}` was promised.")


def _made_itself(work: Work, target: Ref) -> Proposals:
    for clause in lists(target):
        if clause.kind == "ensures":
            for e in clause.exprs:
                if not binds_outwards(e):
                    text = f"{work.operand(e)} ==> {work.operand(e)}"
                    yield Proposal((Edit(extent(work, e), text),), "A promise is only made where it holds anyway.")


def _recommended(work: Work, target: Ref) -> Proposals:
    for clause in lists(target):
        if clause.kind == "ensures":
            for e in clause.exprs:
                at = clause.span.start
                edits = (Edit(Span(at, at), f"recommends {work.element(e)}, "), without(work, clause, e))
                yield Proposal(edits, "What was promised is only recommended.")


def _commented_out(work: Work, target: Ref) -> Proposals:
    for clause in lists(target):
        if clause.kind == "ensures" and len(clause.exprs) > 1:
            for e in clause.exprs:
                span = work.tokens.with_comma(extent(work, e))
                text = work.source.snippet(span)
                if "*/" not in text and "/*" not in text:
                    yield Proposal((Edit(span, f"/* {text} */"),), "A promise stands in a comment.")


def _returns_dropped(work: Work, target: Ref) -> Proposals:
    for clause in function(target).clauses:
        if clause.kind == "returns":
            yield Proposal((Edit(clause.span, ""),), "The `returns` clause is gone.")


def _parameters(target: Ref) -> Iterator[tuple[str, str]]:
    """Plain parameters of a named type."""
    for p in function(target).params:
        if isinstance(p.pattern, sx.IdentPat) and isinstance(p.type, sx.PathType) and not p.mode:
            yield p.name, p.type.path.text


def _required(work: Work, target: Ref, text: str, why: str) -> Proposals:
    edit = added(work, target, "requires", text)
    if edit is not None:
        yield Proposal((edit,), why)


def _bounded(work: Work, target: Ref) -> Proposals:
    for name, of in _parameters(target):
        if of in UNSIGNED | SIGNED:
            yield from _required(work, target, f"{name} < 7", f"Only small values of `{name}` are accepted any more.")
            yield from _required(work, target, f"{name} != 3", f"`{name} == 3` is not accepted any more.")
        elif of == "Vec" and "Vec" not in work.declared:
            yield from _required(work, target, f"{name}.len() < 4", f"Only a short `{name}` is accepted any more.")
            yield from _required(work, target, f"{name}.len() != 2", f"A `{name}` of length 2 is not accepted any more.")


def _false_required(work: Work, target: Ref) -> Proposals:
    yield from _required(work, target, "false", "Nothing is accepted any more: `requires false`.")


def _contradiction(work: Work, target: Ref) -> Proposals:
    for name, of in _parameters(target):
        if of in UNSIGNED | SIGNED:
            yield from _required(work, target, f"{name} < 5, {name} > 5", f"`{name}` would be below and above 5.")
        elif of == "Vec" and "Vec" not in work.declared:
            yield from _required(work, target, f"{name}.len() > {name}@.len()", "A length above itself is required.")


def _type_contradiction(work: Work, target: Ref) -> Proposals:
    for name, of in _parameters(target):
        if of in UNSIGNED:
            yield from _required(work, target, f"{name} < 0", f"`{name}` is unsigned and never below 0.")
        elif of in SIGNED - {"int", "isize", "i128"}:
            yield from _required(work, target, f"{name} > {of}::MAX", f"`{name}` is never above the largest `{of}`.")
        elif of == "Vec" and "Vec" not in work.declared:
            yield from _required(work, target, f"{name}.len() < 0", "A length is never below 0.")


def _params_swapped(work: Work, target: Ref) -> Proposals:
    params = [p for p in function(target).params if isinstance(p.pattern, sx.IdentPat) and p.type is not None and not p.mode]
    for a, b in itertools.pairwise(params):
        assert a.pattern is not None and b.pattern is not None and a.type is not None and b.type is not None
        if work.text(a.type) == work.text(b.type):
            edits = (Edit(a.pattern.span, work.text(b.pattern)), Edit(b.pattern.span, work.text(a.pattern)))
            yield Proposal(edits, f"The parameters `{a.name}` and `{b.name}` change places.")


def _external(work: Work, target: Ref) -> Proposals:
    fn = function(target)
    if fn.in_verus:
        start = fn.span.start
        yield Proposal((Edit(Span(start, start), "#[verifier::external]\n"),), "The target is external: Verus does not check it.")


def _body_replaced(work: Work, target: Ref) -> Proposals:
    for ref in work.definitions(target):
        fn = function(ref)
        body = body_of(fn)
        if body is None or not isinstance(fn.ret_type, sx.PathType):
            continue
        of = fn.ret_type.path.text
        value = "true" if of == "bool" else "0" if of in UNSIGNED | SIGNED else None
        if value is not None and body.tail is not None:
            why = f"The spec function `{fn.name}` is `{value}` whatever its parameters are."
            yield Proposal((Edit(body.span, f"{{ {value} }}"),), why, at="definition")


def _constant_changed(work: Work, target: Ref) -> Proposals:
    words = {t.text for place in work.places(target) for t in work.tokens.inside(place.expr.span) if t.kind == "ident"}
    for item in work.file.items:
        if isinstance(item, sx.Const) and item.name in words and isinstance(item.value, sx.Literal):
            if item.value.kind == "int" and isinstance(item.value.value, int):
                text = f"{item.value.value + 1}{item.value.suffix}"
                yield Proposal((Edit(item.value.span, text),), f"The constant `{item.name}` is one higher.", at="definition")


RULES = [
    Rule("clause-dropped", "clause-dropped", False, "a postcondition is gone", _dropped),
    Rule("clause-true", "tautology", False, "`true` where a postcondition stood", _made_true),
    Rule("clause-implies-itself", "tautology", False, "`a ==> a` where `a` was promised", _made_itself),
    Rule("moved-to-recommends", "moved-to-recommends", False, "a postcondition is only recommended", _recommended),
    Rule("commented-out", "hidden-by-comment", False, "a postcondition stands in a comment", _commented_out),
    Rule("returns-dropped", "returns-dropped", False, "the `returns` clause is gone", _returns_dropped),
    Rule("bound-required", "requires-strengthened", False, "an extra bound is required of a parameter", _bounded),
    Rule("false-required", "contradiction-plain", False, "`requires false`", _false_required),
    Rule("contradiction-required", "contradiction-hidden", False, "`requires x < 5, x > 5`", _contradiction),
    Rule(
        "impossible-for-type", "contradiction-by-types", False, "`requires n < 0` of an unsigned parameter", _type_contradiction
    ),
    Rule("parameters-swapped", "params-swapped", False, "two parameters of one type change places", _params_swapped),
    Rule("target-external", "target-external", False, "`#[verifier::external]` on the target", _external),
    Rule("body-replaced", "spec-fn-changed", False, "a spec function is `true`, or 0", _body_replaced),
    Rule("constant-changed", "const-changed", False, "a constant is one higher", _constant_changed),
]
