"""Patterns: when a value matches, and what its parts are called.

In: a pattern and the value that it is held against. Out: the condition under which it matches, and the variables it binds, as
terms over the value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from translate import syntax as sx
from translate import terms as tm
from translate.elaborate.inference import Unsupported
from translate.elaborate.scope import Scope, Typed
from translate.terms import Sort, Term

if TYPE_CHECKING:
    from translate.elaborate.elaborator import Elaborator


def match_pattern(el: Elaborator, p: sx.Pattern, value: Typed, scope: Scope) -> tuple[Term, dict[str, Typed]]:
    """(condition, bindings) of a pattern against a value."""
    names: dict[str, Typed] = {}
    cond = _match(el, p, value, scope, names)
    return cond, names


def _match(el: Elaborator, p: sx.Pattern, value: Typed, scope: Scope, names: dict[str, Typed]) -> Term:
    crate = scope.types.crate
    match p:
        case sx.WildPat() | sx.RestPat():
            return tm.TRUE
        case sx.IdentPat():
            return _ident(el, p, value, scope, names)
        case sx.RefPat():
            return _match(el, p.inner, value, scope, names)
        case sx.TuplePat():
            sort = el.inference.resolve(value.sort)
            if sort.kind == "infer":
                sort = tm.tuple_sort(el.inference.hole() for _ in p.elems)
                el.inference.unify(value.sort, sort)
            fields = _spread(p.elems, len(sort.args), p, scope)
            return _fields(el, fields, value.term, sort, 0, scope, names)
        case sx.PathPat() if el.calls.is_unseen(p.path, value.sort, scope):
            return el.calls.unseen_variant(p.path, el.calls.known(value), scope)
        case sx.TupleStructPat() | sx.StructPat() if el.calls.is_unseen(p.path, value.sort, scope):
            return _unseen(el, p, el.calls.known(value), scope, names)
        case sx.PathPat():
            sort, variant = el.calls.variant_of_path(p.path, value.sort, scope)
            return is_variant(value.term, sort, variant)
        case sx.TupleStructPat():
            sort, variant = el.calls.variant_of_path(p.path, value.sort, scope)
            fields = _spread(p.elems, len(sort.variants[variant].fields), p, scope)
            here = is_variant(value.term, sort, variant)
            return tm.and_([here, _fields(el, fields, value.term, sort, variant, scope, names)])
        case sx.StructPat():
            sort, variant = el.calls.variant_of_path(p.path, value.sort, scope)
            index = {f.name: i for i, f in enumerate(sort.variants[variant].fields)}
            if any(name not in index for name, _ in p.fields):
                raise Unsupported("pattern names a field that the type does not have", p.span, crate)
            fields = [(index[name], sub) for name, sub in p.fields]
            here = is_variant(value.term, sort, variant)
            return tm.and_([here, _fields(el, fields, value.term, sort, variant, scope, names)])
        case sx.LitPat():
            lit = el.expr(p.value, scope, value.sort)
            return el.equal(value, lit, p.span, scope)
        case sx.RangePat():
            parts = []
            if p.low is not None:
                parts.append(tm.arith("le", el.expr(p.low, scope, value.sort).term, value.term))
            if p.high is not None:
                op = "le" if p.inclusive else "lt"
                parts.append(tm.arith(op, value.term, el.expr(p.high, scope, value.sort).term))
            return tm.and_(parts)
        case sx.OrPat():
            return _alternatives(el, p, value, scope, names)
    raise Unsupported(f"{type(p).__name__} pattern", p.span, crate)


def _unseen(
    el: Elaborator, p: sx.TupleStructPat | sx.StructPat, value: Typed, scope: Scope, names: dict[str, Typed]
) -> Term:
    """A pattern of a type that samespec has no text of: whether it matches, and its parts, are unknown functions of the value."""
    parts = [el.calls.unseen_variant(p.path, value, scope)]
    if isinstance(p, sx.StructPat):
        fields = p.fields
    else:
        rest = next((i for i, sub in enumerate(p.elems) if isinstance(sub, sx.RestPat)), None)
        fields = [(str(i) if rest is None or i < rest else f"-{len(p.elems) - i}", sub) for i, sub in enumerate(p.elems)]
    for name, sub in fields:
        if not isinstance(sub, sx.WildPat | sx.RestPat):
            parts.append(_match(el, sub, el.calls.unseen_field(p.path, name, value, scope), scope, names))
    return tm.and_(parts)


def is_variant(value: Term, sort: Sort, variant: int) -> Term:
    """`value is Variant`; always true of a struct."""
    if sort.is_struct or len(sort.variants) == 1:
        return tm.TRUE
    if value.op == "ctor":
        return tm.lit(value.data == variant)
    return tm.mk("is", (value,), tm.BOOL, variant)


def field_of(value: Term, sort: Sort, variant: int, index: int) -> Term:
    """A field's value; that of a constructor is its argument."""
    if value.op == "ctor" and value.data == variant:
        return value.args[index]
    return tm.mk("field", (value,), sort.variants[variant].fields[index].sort, (variant, index))


def _ident(el: Elaborator, p: sx.IdentPat, value: Typed, scope: Scope, names: dict[str, Typed]) -> Term:
    if p.sub is None and not p.by_ref and not p.mutable:
        ref = scope.types.crate.resolve([p.name], scope.types.module, "values")
        if ref is not None and isinstance(ref.item, sx.Variant | sx.Struct):
            path = sx.Path(p.span, [sx.PathSegment(p.span, p.name)])
            sort, variant = el.calls.variant_of_path(path, value.sort, scope)
            return is_variant(value.term, sort, variant)
        if ref is not None and isinstance(ref.item, sx.Const):
            path = sx.Path(p.span, [sx.PathSegment(p.span, p.name)])
            return el.equal(value, el.expr(sx.PathExpr(p.span, path), scope), p.span, scope)
    names[p.name] = value
    return tm.TRUE if p.sub is None else _match(el, p.sub, value, scope, names)


def _spread(elems: list[sx.Pattern], count: int, p: sx.Pattern, scope: Scope) -> list[tuple[int, sx.Pattern]]:
    """Positions of the element patterns, with `..` standing for as many as are missing."""
    rest = [i for i, e in enumerate(elems) if isinstance(e, sx.RestPat)]
    if not rest:
        if len(elems) != count:
            raise Unsupported("pattern of another length than its type", p.span, scope.types.crate)
        return list(enumerate(elems))
    k = rest[0]
    tail = len(elems) - k - 1
    if k + tail > count:
        raise Unsupported("pattern longer than its type", p.span, scope.types.crate)
    return [*enumerate(elems[:k]), *((count - tail + i, e) for i, e in enumerate(elems[k + 1 :]))]


def _fields(
    el: Elaborator,
    fields: list[tuple[int, sx.Pattern]],
    value: Term,
    sort: Sort,
    variant: int,
    scope: Scope,
    names: dict[str, Typed],
) -> Term:
    parts = []
    for i, sub in fields:
        if not isinstance(sub, sx.WildPat):
            part = field_of(value, sort, variant, i)
            parts.append(_match(el, sub, Typed(part, sort.variants[variant].fields[i].sort), scope, names))
    return tm.and_(parts)


def _alternatives(el: Elaborator, p: sx.OrPat, value: Typed, scope: Scope, names: dict[str, Typed]) -> Term:
    """`A(x) | B(x)`: a variable is the part of whichever alternative matches first."""
    conds: list[Term] = []
    bound: list[dict[str, Typed]] = []
    for alt in p.alternatives:
        inner: dict[str, Typed] = {}
        conds.append(_match(el, alt, value, scope, inner))
        bound.append(inner)
    for name in bound[0]:
        result = bound[-1][name].term
        for cond, inner in reversed(list(zip(conds[:-1], bound[:-1], strict=True))):
            result = tm.ite(cond, inner[name].term, result)
        names[name] = Typed(result, bound[0][name].sort)
    return tm.or_(conds)
