"""Rules that keep the meaning: names changed, definitions put in the place of their names, and names made for formulas.

A new name is one that does not occur in the file at all, so that nothing is captured. Where a name is bound twice, hidden in
a macro or abbreviates a field, the rule does not apply.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from experiments.mutation.model import Proposal, Proposals, Rule
from experiments.mutation.text import Edit
from experiments.mutation.tree import Opaque, binds_outwards, bound_names, free_words, is_opaque, occurrences, walk
from experiments.mutation.work import Site, Work, function, is_definition
from translate import syntax as sx
from translate.names import Ref
from translate.parser import ParseFailure, body_of
from translate.syntax import Span

INTEGERS = frozenset("int nat u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize".split())


def name_span(work: Work, pattern: sx.Pattern | None) -> Span | None:
    """Where a plain pattern has its name (`x`, `mut x`)."""
    if not isinstance(pattern, sx.IdentPat) or pattern.sub is not None:
        return None
    span = Span(pattern.span.end - len(pattern.name.encode()), pattern.span.end)
    return span if work.source.snippet(span) == pattern.name else None


# --- variables -------------------------------------------------------------------------------------------------------


def _bound_renamed(work: Work, target: Ref) -> Proposals:
    for site in work.sites(target):
        e = site.node
        if not isinstance(e, sx.Quantifier | sx.Closure):
            continue
        binders = e.binders if isinstance(e, sx.Quantifier) else e.params
        scope: list[sx.Node] = [e.body]
        if isinstance(e, sx.Quantifier):
            scope += (t for group in e.triggers for t in group)
        names = [n for b in binders for n in bound_names(b.pattern)]
        for b in binders:
            place = name_span(work, b.pattern)
            if place is None or not isinstance(b.pattern, sx.IdentPat) or names.count(b.pattern.name) > 1:
                continue
            edits = _renamed(work, place, scope, b.pattern.name)
            if edits is not None:
                yield Proposal(edits, f"The bound variable `{b.pattern.name}` has another name.", None, site.place.kind)


def _renamed(work: Work, place: Span, scope: list[sx.Node], name: str, base: str | None = None) -> tuple[Edit, ...] | None:
    try:
        uses = [s for n in scope for s in occurrences(n, name)]
    except Opaque:
        return None
    new = work.tokens.fresh(base or name)
    return (Edit(place, new), *(Edit(s, new) for s in uses))


def _everywhere(fn: sx.Fn) -> list[sx.Node] | None:
    """All that a function's parameters are seen in."""
    try:
        body = body_of(fn)
    except ParseFailure:
        return None
    return [*fn.clauses, *([] if body is None else [body])]


def _param_renamed(work: Work, target: Ref) -> Proposals:
    yield from _params_of(work, target, None)
    for ref in work.definitions(target):
        yield from _params_of(work, ref, "definition-rewritten")


def _params_of(work: Work, ref: Ref, kind: str | None) -> Proposals:
    fn = function(ref)
    scope = _everywhere(fn)
    if scope is None:
        return
    result = set() if fn.ret_name is None else bound_names(fn.ret_name)
    for p in fn.params:
        place = name_span(work, p.pattern)
        if place is None or p.name == "_" or p.name in result or [q.name for q in fn.params].count(p.name) > 1:
            continue
        edits = _renamed(work, place, scope, p.name)
        if edits is not None:
            yield Proposal(
                edits, f"The parameter `{p.name}` of `{fn.name}` has another name.", kind, "definition" if kind else ""
            )


def _result_renamed(work: Work, target: Ref) -> Proposals:
    fn = function(target)
    place = name_span(work, fn.ret_name)
    if place is None or not isinstance(fn.ret_name, sx.IdentPat) or fn.ret_name.name in {p.name for p in fn.params}:
        return
    scope: list[sx.Node] = [c for c in fn.clauses if c.kind in ("ensures", "default_ensures")]
    edits = _renamed(work, place, scope, fn.ret_name.name)
    if edits is not None:
        yield Proposal(edits, f"The result `{fn.ret_name.name}` has another name.", "param-renamed")


# --- spec functions --------------------------------------------------------------------------------------------------


def _spec_renamed(work: Work, target: Ref) -> Proposals:
    for ref in work.definitions(target):
        fn = function(ref)
        if isinstance(ref.owner, sx.Trait) or (isinstance(ref.owner, sx.Impl) and ref.owner.trait is not None):
            continue
        if work.declared.get(fn.name) != 1 or work.library_knows(fn.name) or fn.name == "main":
            continue
        if any(fn.name in t.text for t in work.tokens.all if t.kind == "str"):
            continue
        new = work.tokens.fresh(fn.name)
        edits = tuple(Edit(Span(t.start, t.end), new) for t in work.tokens.named(fn.name))
        yield Proposal(edits, f"The spec function `{fn.name}` has another name everywhere.")


def recursive(work: Work, ref: Ref) -> bool:
    """Whether a spec function may reach itself, judged by the words in bodies."""
    by_name: dict[str, list[Ref]] = {}
    for r in work.crate.functions:
        by_name.setdefault(r.name, []).append(r)
    seen: set[str] = set()
    queue = [ref]
    while queue:
        body = body_of(function(queue.pop()))
        if body is None:
            continue
        for name in _called(body):
            if name == ref.name:
                return True
            if name not in seen:
                seen.add(name)
                queue += by_name.get(name, [])
    return False


def _called(node: sx.Node) -> Iterator[str]:
    for n in walk(node):
        if isinstance(n, sx.MethodCall):
            yield n.name
        elif isinstance(n, sx.Path) and n.segments:
            yield n.segments[-1].name
        elif isinstance(n, sx.MacroCall):
            yield from free_words(n)


def _callee(work: Work, site: Site, target: Ref) -> Ref | None:
    """The definition that a call names, where that is beyond doubt and its text may stand where the call is."""
    e = site.node
    if not isinstance(e, sx.Call) or not isinstance(e.func, sx.PathExpr) or any(s.args for s in e.func.path.segments):
        return None
    path = e.func.path
    if path.rooted or path.qself is not None or (len(path.segments) > 1 and path.segments[0].name != "Self"):
        return None
    name = path.segments[-1].name
    found = [r for r in work.definitions(target) if r.name == name]
    if len(found) != 1 or work.declared.get(name) != 1:
        return None
    ref, here = found[0], site.place.fn
    fn = function(ref)
    if ref.module is not here.module or fn.generics.params or len(fn.params) != len(e.args):
        return None
    if any(c.kind in ("when", "decreases") for c in fn.clauses):
        return None
    if ref.owner is not here.owner and ref.owner is not None:
        return None
    if (ref.owner is None) != (len(path.segments) == 1):
        return None
    return ref if is_definition(ref) else None


def _inlined(work: Work, target: Ref) -> Proposals:
    for site in work.sites(target):
        ref = _callee(work, site, target)
        if ref is None or not isinstance(site.node, sx.Call):
            continue
        fn = function(ref)
        body = body_of(fn)
        if body is None or body.tail is None or body.stmts or is_opaque(body) or recursive(work, ref):
            continue
        taken = bound_names(body)
        args = site.node.args
        if any(taken & free_words(a) or is_opaque(a) for a in args):
            continue
        own = taken | {p.name for p in fn.params}
        if _visible(site) & (free_words(body.tail) - own):
            continue
        edits: list[Edit] = []
        try:
            for p, arg in zip(fn.params, args, strict=True):
                if name_span(work, p.pattern) is None:
                    raise Opaque("a pattern")
                text = f"({work.text(arg)})"
                if isinstance(p.type, sx.PathType) and p.type.path.text in INTEGERS and not isinstance(arg, sx.PathExpr):
                    text = f"(({work.text(arg)}) as {p.type.path.text})"
                edits += (Edit(s, text) for s in occurrences(body.tail, p.name))
        except Opaque:
            continue
        start = body.tail.span.start
        data = work.text(body.tail).encode()
        for edit in sorted(edits, reverse=True):
            data = data[: edit.span.start - start] + edit.text.encode() + data[edit.span.end - start :]
        text = data.decode()
        if isinstance(body.tail, sx.BigOp):
            text = f"{{ {text} }}"
        yield Proposal((work.instead(site, f"({text})"),), f"`{fn.name}` is written out.", "definition-inlined")


def _visible(site: Site) -> set[str]:
    """The names of the variables that may be in scope at a site."""
    fn = function(site.place.fn)
    result = set() if fn.ret_name is None else bound_names(fn.ret_name)
    return result | {p.name for p in fn.params} | bound_names(site.place.expr)


def _constant_inlined(work: Work, target: Ref) -> Proposals:
    consts = {i.name: i for i in _consts(work.file.items) if work.declared.get(i.name) == 1}
    for site in work.sites(target):
        e = site.node
        if isinstance(e, sx.PathExpr) and (c := consts.get(e.path.text)) is not None and c.value is not None:
            if isinstance(c.value, sx.Literal) and isinstance(c.value.value, int) and isinstance(c.type, sx.PathType):
                name = c.type.path.text
                if name in INTEGERS and not c.generics.params:
                    yield Proposal(
                        (work.instead(site, f"{c.value.value}{name}"),), f"`{c.name}` is written out.", "definition-inlined"
                    )


def _consts(items: list[sx.Item]) -> Iterator[sx.Const]:
    for item in items:
        if isinstance(item, sx.Const) and not item.static and not item.attrs:
            yield item


def _extracted(work: Work, target: Ref) -> Proposals:
    """A condition over parameters, result and bound variables as a new spec function in front of the item."""
    fn = function(target)
    if fn.generics.params or (
        target.owner is not None and (not isinstance(target.owner, sx.Impl) or target.owner.generics.params)
    ):
        return
    types = {p.name: p.type for p in fn.params if isinstance(p.pattern, sx.IdentPat) and p.type is not None and not p.mode}
    if isinstance(fn.ret_name, sx.IdentPat) and fn.ret_type is not None:
        types[fn.ret_name.name] = fn.ret_type
    changing = {n for n, t in types.items() if isinstance(t, sx.RefType) and t.mutable}
    variables = {p.name for p in fn.params} | set(types)
    for site in work.sites(target):
        e = site.node
        if site.place.kind not in ("requires", "ensures") or binds_outwards(e) or is_opaque(e) or site.in_choose:
            continue
        if not (isinstance(e, sx.Chain | sx.Quantifier) and getattr(e, "kind", "") != "choose") and not _is_condition(e):
            continue
        words = free_words(e)
        if words & {"self", "Self", "old", "final"} or words & changing:
            continue
        known = dict(types)
        for outer in site.above:
            for b in outer.binders if isinstance(outer, sx.Quantifier) else []:
                for name in bound_names(b.pattern):
                    variables.add(name)
                    known.pop(name, None)
                    if b.type is not None and isinstance(b.pattern, sx.IdentPat):
                        known[name] = b.type
        if any(isinstance(n, sx.Closure | sx.Match | sx.Block) for n in site.above):
            continue
        used = sorted(words & variables)
        if (_bound_outside(site) - set(known)) & words:
            continue
        if not all(n in known for n in used) or any(_has_lifetime(work, known[n]) for n in used):
            continue
        name = work.tokens.fresh(f"{fn.name}_part")
        params = ", ".join(f"{n}: {work.source.snippet(known[n].span)}" for n in used)
        definition = f"pub open spec fn {name}({params}) -> bool {{\n    {work.text(e)}\n}}\n\n"
        at = item_start(work, target)
        if at is not None:
            call = work.instead(site, f"{name}({', '.join(used)})")
            yield Proposal((Edit(Span(at, at), definition), call), "A part of a clause has a name of its own.")


def _bound_outside(site: Site) -> set[str]:
    """The names that the place binds outside of the site."""
    everywhere = Counter(n.name for n in walk(site.place.expr) if isinstance(n, sx.IdentPat))
    inside = Counter(n.name for n in walk(site.node) if isinstance(n, sx.IdentPat))
    return {name for name, count in everywhere.items() if count > inside[name]}


def _is_condition(e: sx.Expr) -> bool:
    if isinstance(e, sx.Unary):
        return e.op == "!"
    return isinstance(e, sx.Binary) and e.op in ("&&", "||", "==>", "<==>", "==", "!=", "<", "<=", ">", ">=")


def _has_lifetime(work: Work, t: sx.Type) -> bool:
    kinds = (sx.BoundsType, sx.InferType, sx.MacroType, sx.FnPtrType)
    if any(isinstance(n, kinds) or (isinstance(n, sx.Path) and "Self" in n.text) for n in walk(t)):
        return True
    return any(token.kind == "lifetime" for token in work.tokens.inside(t.span))


def item_start(work: Work, target: Ref) -> int | None:
    """Where the item begins that the target stands in, with its attributes."""
    item: sx.Node | None = target.owner if target.owner is not None else function(target)
    if not isinstance(item, sx.Fn | sx.Impl) or not function(target).in_verus:
        return None
    return min([item.span.start, *(a.span.start for a in item.attrs if not a.inner)])


RULES = [
    Rule("bound-variable-renamed", "bound-var-renamed", True, "a quantified variable has a new name", _bound_renamed),
    Rule("parameter-renamed", "param-renamed", True, "a parameter has a new name, in clauses and body", _param_renamed),
    Rule("result-renamed", "param-renamed", True, "the result has a new name", _result_renamed),
    Rule(
        "spec-function-renamed", "definition-renamed", True, "a spec function has a new name, wherever it is used", _spec_renamed
    ),
    Rule("spec-function-inlined", "definition-inlined", True, "a call of a spec function that ends is written out", _inlined),
    Rule("constant-inlined", "definition-inlined", True, "a constant is written out", _constant_inlined),
    Rule("condition-extracted", "definition-extracted", True, "a part of a clause becomes a spec function", _extracted),
]
