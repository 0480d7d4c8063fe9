"""Rules that keep the meaning: spec functions with their parameters in another order, `let` written out, functions added."""

from __future__ import annotations

from collections.abc import Iterator

from experiments.mutation.kept_names import INTEGERS, item_start, name_span
from experiments.mutation.model import Proposal, Proposals, Rule
from experiments.mutation.text import Edit
from experiments.mutation.tree import Opaque, binds_outwards, bound_names, free_words, is_opaque, occurrences, walk
from experiments.mutation.work import Work, everything, function
from translate import syntax as sx
from translate.names import Ref
from translate.syntax import Span


def _parameters_swapped(work: Work, target: Ref) -> Proposals:
    for ref in work.definitions(target):
        fn = function(ref)
        params = [p for p in fn.params if p.self_kind is None]
        if len(params) < 2 or len(params) != len(fn.params) or work.declared.get(fn.name) != 1 or work.library_knows(fn.name):
            continue
        if isinstance(ref.owner, sx.Trait) or (isinstance(ref.owner, sx.Impl) and ref.owner.trait is not None):
            continue
        calls = list(_calls(work, fn.name))
        # Every other mention (as a value, in an attribute, in a macro) would have to change in a way of its own.
        if len(work.tokens.named(fn.name)) != len(calls) + 1 or any(len(c.args) != len(params) for c in calls):
            continue
        for i in range(len(params) - 1):
            edits = [*_exchanged(work, params[i].span, params[i + 1].span)]
            nested = False
            for call in calls:
                a, b = call.args[i], call.args[i + 1]
                nested = nested or _mentions(a, fn.name) or _mentions(b, fn.name)
                edits += _exchanged(work, a.span, b.span)
            if not nested:
                names = f"`{params[i].name}` and `{params[i + 1].name}`"
                yield Proposal(
                    tuple(edits), f"The parameters {names} of `{fn.name}` change places, in all calls too.", at="definition"
                )


def _calls(work: Work, name: str) -> Iterator[sx.Call]:
    for item in work.file.items:
        for node in everything(item):
            if isinstance(node, sx.Call) and isinstance(node.func, sx.PathExpr) and node.func.path.segments[-1].name == name:
                yield node


def _mentions(node: sx.Node, name: str) -> bool:
    return is_opaque(node) or any(isinstance(n, sx.PathSegment) and n.name == name for n in walk(node))


def _exchanged(work: Work, a: Span, b: Span) -> tuple[Edit, Edit]:
    return Edit(a, work.source.snippet(b)), Edit(b, work.source.snippet(a))


def _let_inlined(work: Work, target: Ref) -> Proposals:
    """`{ let x = e; … }` with `(e)` wherever `x` stands."""
    for site in work.sites(target):
        block = site.node
        if not isinstance(block, sx.Block) or block.tail is None or not block.stmts or site.in_choose:
            continue
        let = block.stmts[-1]
        if not isinstance(let, sx.LetStmt) or let.init is None or let.mode or let.orelse is not None:
            continue
        if not isinstance(let.pattern, sx.IdentPat) or name_span(work, let.pattern) is None:
            continue
        if bound_names(block.tail) & free_words(let.init) or is_opaque(let.init) or binds_outwards(let.init):
            continue
        try:
            uses = occurrences(block.tail, let.pattern.name)
        except Opaque:
            continue
        text = f"({work.text(let.init)})"
        if isinstance(let.type, sx.PathType) and let.type.path.text in INTEGERS:
            text = f"({text} as {let.type.path.text})"
        elif let.type is not None and not isinstance(let.init, sx.PathExpr | sx.Index | sx.Call | sx.MethodCall | sx.Cast):
            continue
        edits = (Edit(let.span, ""), *(Edit(s, text) for s in uses))
        yield Proposal(edits, f"The value of `{let.pattern.name}` stands where its name stood.", at=site.place.kind)


def _helper_added(work: Work, target: Ref) -> Proposals:
    at = item_start(work, target)
    if at is not None:
        name = work.tokens.fresh("helper")
        text = f"pub open spec fn {name}(x: int) -> bool {{\n    x > 0\n}}\n\n"
        yield Proposal((Edit(Span(at, at), text),), "A function is added that nothing uses.")


RULES = [
    Rule(
        "spec-parameters-swapped",
        "definition-rewritten",
        True,
        "two parameters of a spec function change places, in all calls too",
        _parameters_swapped,
    ),
    Rule("let-inlined", "definition-inlined", True, "`let x = e; b(x)` to `b(e)`", _let_inlined),
    Rule("helper-added", "helper-added", True, "a spec function that nothing uses", _helper_added),
]
