"""What a signature brings along without saying it: the traits of its bounds, and the invariants of its types.

In: a function's signature. Out: canonical text and symbols that two files agree on exactly when they bring the same. A trait that
gains a method nobody can implement makes every function over its implementers unreachable; a type invariant is assumed of every
argument. Both change a contract whose own text stands.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from translate import syntax as sx
from translate.elaborate.definitions import has_attr
from translate.elaborate.inference import Unsupported
from translate.names import Crate, Module, Ref
from translate.terms import FnSym, Sort

if TYPE_CHECKING:
    from translate.elaborate.elaborator import Elaborator


def trait_text(crate: Crate, path: sx.Path, module: Module, seen: frozenset[str] = frozenset()) -> str:
    """A trait of the file as text: its supertraits, and what its implementers must give (names, modes, signatures). The contracts
    of its methods are not part of it: they are targets of their own. "" for a trait of another crate."""
    ref = crate.resolve(path.names, module, "types")
    if ref is None or not isinstance(ref.item, sx.Trait) or ref.crate is not crate or ref.path in seen:
        return ""
    assert ref.module is not None
    above = [
        f"{b.path.text}{trait_text(crate, b.path, ref.module, seen | {ref.path})}"
        for b in ref.item.supertraits
        if b.path is not None
    ]
    members = sorted(_member_text(crate, i) for i in ref.item.items)
    return f" where {' + '.join(sorted(above))} {{ {'; '.join(m for m in members if m)} }}"


def _member_text(crate: Crate, item: sx.Item) -> str:
    match item:
        case sx.Fn():
            params = ", ".join(p.self_kind or "_" if p.type is None else _words(crate, p.type) for p in item.params)
            result = "" if item.ret_type is None else f" -> {_words(crate, item.ret_type)}"
            given = " given" if item.body is not None else ""
            return f"{'axiom ' if item.axiom else ''}{item.mode} fn {item.name}({params}){result}{given}"
        case sx.TypeAlias():
            return f"type {item.name}: {' + '.join(sorted(_words(crate, b) for b in item.bounds))}"
        case sx.Const():
            return f"const {item.name}: {_words(crate, item.type)}"
    return ""


def _words(crate: Crate, node: sx.Node) -> str:
    return crate.source.tight(node.span)


def type_invariants(el: Elaborator, sorts: Iterable[Sort]) -> tuple[FnSym, ...]:
    """The `#[verifier::type_invariant]` functions of the datatypes in some sorts, by meaning."""
    found: dict[FnSym, None] = {}
    queue = list(sorts)
    seen = set(queue)
    for s in queue:
        parts = [*s.args]
        if s.kind == "data" and s.is_defined:
            parts += [f.sort for v in s.variants for f in v.fields]
            for sym in _invariants_of(el, s):
                found[sym] = None
        for part in parts:
            if part not in seen:
                seen.add(part)
                queue.append(part)
    return tuple(found)


def _invariants_of(el: Elaborator, sort: Sort) -> list[FnSym]:
    item = el.types.item_of.get(sort)
    if item is None or item.crate is not el.crate:
        return []
    syms = []
    for impl, module in el.crate.impls:
        for fn in impl.items:
            if isinstance(fn, sx.Fn) and has_attr(fn.attrs, "type_invariant"):
                pattern, _ = el.definitions.impl_self(impl, module, el.crate)
                if pattern.kind == sort.kind and pattern.name == sort.name and pattern.key == sort.key:
                    ref = Ref(f"{item.path}::{fn.name}", fn, module, el.crate, impl)
                    syms.append(_symbol(el, ref, sort))
    return syms


def _symbol(el: Elaborator, ref: Ref, sort: Sort) -> FnSym:
    assert isinstance(ref.item, sx.Fn)
    ts = el.definitions.fn_scope(ref, sort)
    result = el.types.sort(ref.item.ret_type, ts) if ref.item.ret_type is not None else None
    if result is None:
        raise Unsupported("type invariant without a result", ref.item.name_span, ref.crate)
    sym = el.definitions.symbol(ref, ts, [], result)
    if isinstance(sym, str):
        raise Unsupported("type invariant that recurs through its type", ref.item.name_span, ref.crate)
    return sym
