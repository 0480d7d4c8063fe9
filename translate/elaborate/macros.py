"""Macros in specifications.

In: a macro call. Out: the term of its expansion. `seq!`, `set!`, `map!`, `matches!` have a meaning of their own; a `macro_rules!`
of the file is expanded (`translate.macro_rules`) and then read like any other expression, so that a changed macro is a changed
contract.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from translate import syntax as sx
from translate import terms as tm
from translate.elaborate.patterns import match_pattern
from translate.elaborate.scope import Scope, Typed
from translate.parser import parse_expr_from, parse_expr_list, parse_map_entries, parse_matches
from translate.parser.macro_rules import ExpansionError, expand
from translate.terms import Sort

if TYPE_CHECKING:
    from translate.elaborate.elaborator import Elaborator

MAX_DEPTH = 32


def expand_macro(el: Elaborator, e: sx.MacroCall, scope: Scope, want: Sort | None) -> Typed:
    """The value of `name!(…)`."""
    ts = scope.types
    names = e.path.names
    ref = ts.crate.resolve(names, ts.module, "macros")
    if ref is not None and isinstance(ref.item, sx.MacroDef):
        depth = sum(p == ref.path for p in el._reading)
        if depth > MAX_DEPTH:
            raise el.fail(f"macro `{names[-1]}!` that expands for ever", e, scope)
        el.note_use(ref, "macro", el.source_text(ts.crate, ref.item))
        try:
            expanded = expand(ref.item, e.body, frozenset(scope.locals))
        except ExpansionError as problem:
            raise el.fail(f"macro `{names[-1]}!`: {problem}", e, scope) from None
        with el.reading(ref, "macro"):
            return el.expr(expanded, scope, want)
    match names[-1]:
        case "seq":
            return _literal(el, "seq", parse_expr_list(e.body), scope, want)
        case "set" | "iset":
            return _literal(el, "set", parse_expr_list(e.body), scope, want)
        case "map" | "imap":
            return _map(el, e, scope, want)
        case "verus_proof_expr" | "verus_proof_macro_exprs" | "verus_exec_macro_exprs" | "verus_exec_expr":
            return el.expr(parse_expr_from([t for t in e.body.children if t.kind != "eof"]), scope, want)
        case "matches":
            operand, pattern, guard = parse_matches(e.body)
            value = el.expr(operand, scope)
            cond, bound = match_pattern(el, pattern, value, scope)
            parts = [cond] if guard is None else [cond, el.boolean(guard, scope.bind(bound))]
            return Typed(tm.and_(parts), tm.BOOL)
    raise el.fail(f"macro `{e.path.text}!`", e, scope)


def _literal(el: Elaborator, kind: str, elems: list[sx.Expr], scope: Scope, want: Sort | None) -> Typed:
    elem = el.inference.hole()
    if want is not None and el.inference.resolve(want).kind == kind:
        el.inference.unify(elem, el.inference.resolve(want).args[0])
    values = [el.expr(x, scope, elem) for x in elems]
    for v in values:
        el.inference.unify(elem, v.sort)
    sort = Sort(kind, "", (el.inference.zonk(elem),))
    return Typed(tm.mk(f"{kind}.lit", tuple(v.term for v in values), sort), sort)


def _map(el: Elaborator, e: sx.MacroCall, scope: Scope, want: Sort | None) -> Typed:
    key, value = el.inference.hole(), el.inference.hole()
    parts: list[tm.Term] = []
    for k, v in parse_map_entries(e.body):
        for hole, x in ((key, k), (value, v)):
            typed = el.expr(x, scope, hole)
            el.inference.unify(hole, typed.sort)
            parts.append(typed.term)
    sort = tm.map_sort(el.inference.zonk(key), el.inference.zonk(value))
    return Typed(tm.mk("map.lit", tuple(parts), sort), sort)
