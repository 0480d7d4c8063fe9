"""Rules that keep the meaning: whole clauses reordered, split, merged, repeated, written otherwise; comments and triggers."""

from __future__ import annotations

from collections.abc import Iterator

from experiments.mutation.kept_logic import binder_text, chain_conjuncts, conjuncts
from experiments.mutation.model import Proposal, Proposals, Rule
from experiments.mutation.text import Edit
from experiments.mutation.tree import binds_outwards, free_words
from experiments.mutation.work import Work, function
from translate import syntax as sx
from translate.names import Ref
from translate.syntax import Span

LISTED = ("requires", "ensures")


def lists(target: Ref) -> Iterator[sx.Clause]:
    """The `requires` and `ensures` of a function that are lists without attributes in front of their elements."""
    for clause in function(target).clauses:
        if clause.kind in LISTED and clause.exprs and not clause.attrs:
            yield clause


def extent(work: Work, e: sx.Expr) -> Span:
    """A clause with its parentheses."""
    return work.tokens.with_parentheses(e.span)


def without(work: Work, clause: sx.Clause, e: sx.Expr) -> Edit:
    """Takes an element out of its list, and the keyword too where it was the only one."""
    if len(clause.exprs) == 1:
        return Edit(clause.span, "")
    return Edit(work.tokens.with_comma(extent(work, e)), "")


def mutable(target: Ref) -> set[str]:
    """The names of parameters that have a value before and one after (`&mut`): here, all that are not plain."""
    found = set()
    for p in function(target).params:
        if p.self_kind not in (None, "self", "&self") or (isinstance(p.type, sx.RefType) and p.type.mutable):
            found.add(p.name)
        if p.pattern is not None and not isinstance(p.pattern, sx.IdentPat):
            found |= {n.name for n in [p] if n.name}
        if isinstance(p.type, sx.PathType) and p.type.path.segments[-1].name in ("Tracked", "Ghost", "Box"):
            found.add(p.name)
    return found


def _swapped(work: Work, target: Ref) -> Proposals:
    for clause in lists(target):
        spans = [extent(work, e) for e in clause.exprs]
        for i in range(len(spans) - 1):
            for j in range(i + 1, len(spans)):
                a, b = spans[i], spans[j]
                edits = (Edit(a, work.source.snippet(b)), Edit(b, work.source.snippet(a)))
                yield Proposal(edits, f"Two `{clause.kind}` clauses change places.")


def _split(work: Work, target: Ref) -> Proposals:
    for clause in lists(target):
        for e in clause.exprs:
            if binds_outwards(e):
                continue
            parts = conjuncts(e)
            texts: list[str] = []
            if len(parts) > 1:
                texts = [work.element(p) for p in parts]
                why = "A clause that is a conjunction becomes one clause for each side."
            elif isinstance(e, sx.Chain):
                texts = chain_conjuncts(work, e)
                why = "A chain of comparisons becomes one clause for each link."
            elif isinstance(e, sx.Quantifier) and e.kind == "forall" and isinstance(e.body, sx.Binary) and e.body.op == "==>":
                ends = conjuncts(e.body.right)
                if len(ends) > 1:
                    guard = f"forall|{binder_text(work, e.binders)}| {work.operand(e.body.left)} ==>"
                    texts = [f"{guard} {work.operand(p)}" for p in ends]
                    why = "A quantified clause becomes one clause for each side of its conclusion."
            if texts:
                yield Proposal((Edit(extent(work, e), ", ".join(texts)),), why)


def _merged(work: Work, target: Ref) -> Proposals:
    for clause in lists(target):
        for a, b in zip(clause.exprs, clause.exprs[1:], strict=False):
            if not binds_outwards(a):
                span = Span(extent(work, a).start, extent(work, b).end)
                yield Proposal((Edit(span, f"{work.operand(a)} && {work.operand(b)}"),), "Two clauses become one conjunction.")


def _keyword_repeated(work: Work, target: Ref) -> Proposals:
    """`requires a, b` as `requires a, requires b`."""
    for clause in lists(target):
        for e in clause.exprs[1:]:
            start = extent(work, e).start
            yield Proposal((Edit(Span(start, start), f"{clause.kind} "),), f"The `{clause.kind}` list is written as two lists.")


def added(work: Work, target: Ref, kind: str, text: str) -> Edit | None:
    """Adds an element in front of the first list of a kind; a list of its own where there is none (and another is)."""
    for clause in lists(target):
        if clause.kind == kind:
            start = extent(work, clause.exprs[0]).start
            return Edit(Span(start, start), f"{text}, ")
    fn = function(target)
    for clause in fn.clauses:
        if clause.kind in LISTED:
            at = clause.span.start
            return Edit(Span(at, at), f"{kind} {text}, ")
    return None


def _duplicated(work: Work, target: Ref) -> Proposals:
    for clause in lists(target):
        for e in clause.exprs:
            edit = added(work, target, clause.kind, work.element(e))
            if edit is not None:
                yield Proposal((edit,), "A clause stands twice.")


def _true_added(work: Work, target: Ref) -> Proposals:
    for kind in LISTED:
        edit = added(work, target, kind, "true")
        if edit is not None:
            yield Proposal((edit,), f"`true` is added to `{kind}`: it says nothing.")


def _weaker_added(work: Work, target: Ref) -> Proposals:
    """A disjunction with one of the clauses follows from it."""
    for clause in lists(target):
        for e, other in zip(clause.exprs, [*clause.exprs[1:], clause.exprs[0]], strict=True):
            edit = added(work, target, clause.kind, f"({work.operand(e)}) || ({work.operand(other)})")
            if edit is not None and not binds_outwards(e):
                yield Proposal((edit,), "The added clause follows from the clause that is its left side.")


def _requires_repeated(work: Work, target: Ref) -> Proposals:
    """A precondition over parameters that cannot change, as a postcondition too."""
    fn = function(target)
    result = {n.name for n in [fn.ret_name] if isinstance(n, sx.IdentPat)}
    changing = mutable(target) | result
    if fn.ret_name is not None and not result:
        return
    for e in fn.exprs("requires"):
        if not changing & free_words(e):
            edit = added(work, target, "ensures", work.element(e))
            if edit is not None:
                yield Proposal(
                    (edit,), "A postcondition repeats a precondition, which still holds at the end.", "ensures-strengthened"
                )


def _range_stated(work: Work, target: Ref) -> Proposals:
    """What the type of a parameter says anyway."""
    for p in function(target).params:
        if not isinstance(p.pattern, sx.IdentPat) or p.mode:
            continue
        text = None
        if isinstance(p.type, sx.PathType):
            name = p.type.path.text
            if name in ("u8", "u16", "u32", "u64", "u128", "usize", "nat"):
                text = f"{p.name} >= 0"
            elif name in ("i8", "i16", "i32", "i64"):
                text = f"{p.name} <= {name}::MAX"
            elif name == "Vec" and "Vec" not in work.declared:
                text = f"{p.name}.len() <= usize::MAX"
        if text is not None and p.name not in mutable(target):
            edit = added(work, target, "requires", text)
            if edit is not None:
                yield Proposal((edit,), "The added precondition is what the type of the parameter says.")


def _returns_form(work: Work, target: Ref) -> Proposals:
    """`ensures r == e` as `returns e`."""
    fn = function(target)
    if not isinstance(fn.ret_name, sx.IdentPat) or mutable(target) or any(c.kind == "returns" for c in fn.clauses):
        return
    name = fn.ret_name.name
    for clause in lists(target):
        for e in clause.exprs if clause.kind == "ensures" else []:
            if not (isinstance(e, sx.Binary) and e.op == "==" and isinstance(e.left, sx.PathExpr) and e.left.path.text == name):
                continue
            same = work.sort(e.left) is work.sort(e.right) and work.sort(e.left) is not None
            if same and name not in free_words(e.right) and not binds_outwards(e.right):
                at = clause.span.start
                edits = (Edit(Span(at, at), f"returns {work.operand(e.right)}, "), without(work, clause, e))
                yield Proposal(edits, "`returns e` is `ensures r == e`.")


def _commented(work: Work, target: Ref) -> Proposals:
    for place in work.clauses(target):
        tokens = work.tokens.inside(place.expr.span)
        for token in tokens[:: max(1, len(tokens) // 3)]:
            at = Span(token.start, token.start)
            yield Proposal((Edit(at, "/* checked, see below */ "),), "A comment means nothing.")
            yield Proposal((Edit(at, "\n\n        "),), "White space means nothing.")


def _triggers_removed(work: Work, target: Ref) -> Proposals:
    for site in work.sites(target):
        e = site.node
        if isinstance(e, sx.AttrExpr) and all(a.path == "trigger" for a in e.attrs):
            edits = tuple(Edit(a.span, "") for a in e.attrs)
            yield Proposal(edits, "A trigger helps the prover and means nothing.", None, site.place.kind)


def _triggers_all_removed(work: Work, target: Ref) -> Proposals:
    edits: list[Edit] = []
    for site in work.sites(target):
        e = site.node
        if (isinstance(e, sx.AttrExpr) and all(a.path == "trigger" for a in e.attrs)) or isinstance(e, sx.Quantifier):
            edits += (Edit(a.span, "") for a in e.attrs)
    if len(edits) > 1:
        yield Proposal(tuple(edits), "Triggers help the prover and mean nothing.")


def _parenthesised(work: Work, target: Ref) -> Proposals:
    for site in work.sites(target):
        e = site.node
        if isinstance(e, sx.Binary | sx.Chain | sx.Quantifier) and not binds_outwards(e):
            yield Proposal(
                (Edit(e.span, f"({work.text(e)})"),),
                "Parentheses around what belongs together.",
                None,
                site.place.kind,
            )


RULES = [
    Rule("clauses-swapped", "reordered", True, "two clauses of a list change places", _swapped),
    Rule("clause-split", "clause-split", True, "`a && b` as `a, b`; chains and quantified conjunctions too", _split),
    Rule("clauses-merged", "clause-merged", True, "`a, b` as `a && b`", _merged),
    Rule("keyword-repeated", "clause-split", True, "`requires a, b` as `requires a, requires b`", _keyword_repeated),
    Rule("clause-repeated", "redundant-clause", True, "a clause stands twice", _duplicated),
    Rule("true-added", "redundant-clause", True, "`true` as one more clause", _true_added),
    Rule("weaker-clause-added", "redundant-clause", True, "`a || b` beside `a`", _weaker_added),
    Rule("type-range-stated", "redundant-clause", True, "`n >= 0` for an unsigned parameter", _range_stated),
    Rule(
        "precondition-repeated",
        "ensures-strengthened",
        True,
        "a precondition over fixed values as a postcondition too",
        _requires_repeated,
    ),
    Rule("returns-form", "returns-form", True, "`ensures r == e` as `returns e`", _returns_form),
    Rule("comment-or-space", "formatting", True, "a comment or white space in a clause", _commented),
    Rule("parentheses", "formatting", True, "parentheses around what belongs together anyway", _parenthesised),
    Rule("trigger-removed", "trigger-changed", True, "one `#[trigger]` taken away", _triggers_removed),
    Rule("triggers-removed", "trigger-changed", True, "all `#[trigger]` taken away", _triggers_all_removed),
]
