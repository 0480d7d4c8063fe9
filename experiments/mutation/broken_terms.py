"""Rules that should break a contract: one expression in it says something else.

They are candidates. The corpus has a kind for most of them; a negation lost and a variable taken for another count as
`relation-loosened`, `forall` that became `exists` as `and-to-or`, as that is what a quantifier is over a finite range.
"""

from __future__ import annotations

from experiments.mutation.kept_logic import COMPARE, binder_text, conjuncts, joined
from experiments.mutation.model import Proposal, Proposals, Rewrite, Rule, on_sites
from experiments.mutation.text import Edit
from experiments.mutation.tree import Opaque, binds_outwards, free_words, occurrences
from experiments.mutation.work import Site, Work, function
from translate import syntax as sx
from translate.names import Ref


def _counts(work: Work, site: Site) -> bool:
    """Whether a change here can break the contract: in a precondition, only what asks for more does."""
    sign = site.promised()
    return sign is None or sign == (site.place.kind != "requires")


def _ints(work: Work, e: sx.Binary) -> bool:
    return work.is_int(e.left) and work.is_int(e.right)


# --- ranges ----------------------------------------------------------------------------------------------------------


def guard_of(site: Site) -> list[tuple[sx.Chain, str]]:
    """The chains `lo <= x < hi` that guard a quantifier over x."""
    q = site.node
    if not isinstance(q, sx.Quantifier) or q.kind == "choose":
        return []
    body = q.body
    if q.kind == "forall" and not (isinstance(body, sx.Binary) and body.op == "==>"):
        return []
    guards = conjuncts(body.left) if isinstance(body, sx.Binary) and body.op == "==>" else conjuncts(body)
    names = {b.pattern.name for b in q.binders if isinstance(b.pattern, sx.IdentPat)}
    found = []
    for g in guards:
        if isinstance(g, sx.Chain) and set(g.ops) <= {"<", "<="}:
            for middle in g.rest[:-1]:
                if isinstance(middle, sx.PathExpr) and middle.path.text in names:
                    found.append((g, middle.path.text))
                    break
    return found


def _bound_moved(work: Work, target: Ref) -> Proposals:
    for site in work.sites(target):
        for chain, name in guard_of(site):
            low, high = chain.first, chain.rest[-1]
            text, why = f"{work.operand(low)} + 1", f"The range of `{name}` begins one later."
            yield Proposal((Edit(low.span, text),), why, at=site.place.kind)
            text, why = f"{work.operand(high)} - 1", f"The range of `{name}` ends one earlier."
            yield Proposal((Edit(high.span, text),), why, at=site.place.kind)


def _emptied(work: Work, target: Ref) -> Proposals:
    for site in work.sites(target):
        for chain, name in guard_of(site):
            if chain.ops[-1] == "<" and not free_words(chain.rest[-1]) & {name}:
                edits = (Edit(chain.rest[-1].span, work.plain(chain.first)),)
                yield Proposal(edits, f"The range of `{name}` is empty.", at=site.place.kind)


def _comparison_moved(work: Work, site: Site) -> Rewrite:
    e = site.node
    if isinstance(e, sx.Binary) and e.op in (*COMPARE, "==") and _ints(work, e):
        yield f"{work.operand(e.left)} {e.op} {work.operand(e.right)} + 1", "One side of a comparison is one higher."
        yield f"{work.operand(e.left)} {e.op} {work.operand(e.right)} - 1", "One side of a comparison is one lower."


# --- relations -------------------------------------------------------------------------------------------------------


def _equality_loosened(work: Work, site: Site) -> Rewrite:
    e = site.node
    if isinstance(e, sx.Binary) and e.op == "==" and _ints(work, e) and _counts(work, site):
        for op in ("<=", ">="):
            yield f"{work.operand(e.left)} {op} {work.operand(e.right)}", f"`==` is only `{op}`."


def _strict_loosened(work: Work, site: Site) -> Rewrite:
    e = site.node
    if isinstance(e, sx.Binary) and e.op in ("<", ">") and _ints(work, e):
        yield f"{work.operand(e.left)} {e.op}= {work.operand(e.right)}", f"`{e.op}` is `{e.op}=`."


def _negation_lost(work: Work, site: Site) -> Rewrite:
    e = site.node
    sort = work.sort(e)
    if isinstance(e, sx.Unary) and e.op == "!" and not (sort is not None and sort.is_integer):
        yield work.operand(e.operand), "A negation is gone."
    elif isinstance(e, sx.Binary) and e.op == "!=":
        yield f"{work.operand(e.left)} == {work.operand(e.right)}", "`!=` is `==`."


# --- connectives -----------------------------------------------------------------------------------------------------


def _or_for_and(work: Work, site: Site) -> Rewrite:
    e = site.node
    if isinstance(e, sx.Binary) and e.op == "&&" and not binds_outwards(e):
        yield f"{work.operand(e.left)} || {work.operand(e.right)}", "One of the two is enough."
    if isinstance(e, sx.Block):
        parts = conjuncts(e)
        if len(parts) > 1 and not e.stmts and not binds_outwards(e):
            yield joined(work, parts, "||"), "One of them is enough."


def _arrow_reversed(work: Work, site: Site) -> Rewrite:
    e = site.node
    if isinstance(e, sx.Binary) and e.op == "==>" and not binds_outwards(e):
        yield f"{work.operand(e.right)} ==> {work.operand(e.left)}", "The implication is turned round."


def _premise_strengthened(work: Work, site: Site) -> Rewrite:
    e = site.node
    if isinstance(e, sx.Binary) and e.op == "==>" and not binds_outwards(e) and _counts(work, site):
        yield (
            f"{work.operand(e.left)} && {work.operand(e.right)} ==> {work.operand(e.right)}",
            "The conclusion is its own premise.",
        )


def _grouped_otherwise(work: Work, site: Site) -> Rewrite:
    e = site.node
    if isinstance(e, sx.Binary) and e.op == "==>" and isinstance(e.left, sx.Binary) and not binds_outwards(e):
        if e.left.op in ("&&", "||"):
            left, middle, right = work.operand(e.left.left), work.operand(e.left.right), work.operand(e.right)
            yield f"{left} {e.left.op} ({middle} ==> {right})", "Parentheses group otherwise."


def _exists_for_forall(work: Work, site: Site) -> Rewrite:
    e = site.node
    if isinstance(e, sx.Quantifier) and e.kind == "forall" and site.place.kind != "requires" and _counts(work, site):
        yield f"exists|{binder_text(work, e.binders)}| {work.operand(e.body)}", "`forall` is only `exists`."


# --- terms -----------------------------------------------------------------------------------------------------------


def _literal_changed(work: Work, site: Site) -> Rewrite:
    e = site.node
    if isinstance(e, sx.Literal) and e.kind == "int" and isinstance(e.value, int):
        yield f"{e.value + 1}{e.suffix}", f"{e.value} is {e.value + 1}."


def _term_moved(work: Work, site: Site) -> Rewrite:
    e = site.node
    if isinstance(e, sx.Call | sx.MethodCall | sx.Index) and work.is_int(e) and isinstance(site.parent, sx.Binary | sx.Chain):
        yield f"{work.operand(e)} + 1", "One is added to a term."
        yield f"{work.operand(e)} - 1", "One is taken from a term."


def _variable_swapped(work: Work, site: Site) -> Rewrite:
    e = site.node
    if not isinstance(e, sx.PathExpr) or len(e.path.segments) != 1:
        return
    name = e.path.text
    scope = work.scope(e)
    if name not in scope:
        return
    for other, sort in sorted(scope.items()):
        if other != name and sort is scope[name] and not other.startswith("%"):
            yield other, f"`{other}` stands where `{name}` belongs."


def _old_for_final(work: Work, target: Ref) -> Proposals:
    mutables = {
        p.name
        for p in function(target).params
        if p.self_kind == "&mut self" or (isinstance(p.type, sx.RefType) and p.type.mutable)
    }
    for site in work.sites(target):
        e = site.node
        if site.place.kind != "ensures" or site.place.fn is not target:
            continue
        if (
            isinstance(e, sx.Call)
            and isinstance(e.func, sx.PathExpr)
            and e.func.path.text in ("old", "final")
            and len(e.args) == 1
        ):
            other = "final" if e.func.path.text == "old" else "old"
            yield Proposal((Edit(e.func.span, other),), f"`{other}` stands where `{e.func.path.text}` belongs.")
        elif isinstance(e, sx.PathExpr) and e.path.text in mutables:
            parent = site.parent
            if isinstance(parent, sx.Call) and isinstance(parent.func, sx.PathExpr) and parent.func.path.text in ("old", "final"):
                continue
            if not any(e.path.text in _bound_in(n) for n in site.above):
                yield Proposal((Edit(e.span, f"old({e.path.text})"),), "The value before stands where the one after belongs.")


def _bound_in(node: sx.Node) -> set[str]:
    if isinstance(node, sx.Quantifier):
        return {b.pattern.name for b in node.binders if isinstance(b.pattern, sx.IdentPat)}
    return set()


def _binder_narrowed(work: Work, target: Ref) -> Proposals:
    for site in work.sites(target):
        q = site.node
        if not isinstance(q, sx.Quantifier) or q.kind == "choose":
            continue
        for b in q.binders:
            if not (isinstance(b.pattern, sx.IdentPat) and isinstance(b.type, sx.PathType)):
                continue
            of, name = b.type.path.text, b.pattern.name
            if of not in ("int", "nat"):
                continue
            try:
                uses = [s for t in (q.body, *(e for group in q.triggers for e in group)) for s in occurrences(t, name)]
            except Opaque:
                continue
            edits = (Edit(b.type.span, "u8"), *(Edit(s, f"({name} as {of})") for s in uses))
            yield Proposal(edits, f"`{name}` runs over `u8` only.", at=site.place.kind)


RULES = [
    Rule("bound-moved", "range-shifted", False, "`lo <= i < hi` of a quantifier one shorter", _bound_moved),
    Rule("guard-emptied", "range-emptied", False, "`lo <= i < hi` of a quantifier to `lo <= i < lo`", _emptied),
    Rule("comparison-moved", "range-shifted", False, "`a < b` to `a < b + 1` or `a < b - 1`", on_sites(_comparison_moved)),
    Rule("equality-loosened", "relation-loosened", False, "`==` of integers to `<=` or `>=`", on_sites(_equality_loosened)),
    Rule("strict-loosened", "relation-loosened", False, "`<` to `<=`", on_sites(_strict_loosened)),
    Rule("negation-lost", "relation-loosened", False, "`!a` to `a`, `!=` to `==`", on_sites(_negation_lost)),
    Rule("or-for-and", "and-to-or", False, "`a && b` to `a || b`", on_sites(_or_for_and)),
    Rule("exists-for-forall", "and-to-or", False, "`forall` to `exists` in a postcondition", on_sites(_exists_for_forall)),
    Rule("implication-reversed", "implication-reversed", False, "`a ==> b` to `b ==> a`", on_sites(_arrow_reversed)),
    Rule("premise-strengthened", "tautology", False, "`a ==> b` to `a && b ==> b`", on_sites(_premise_strengthened)),
    Rule("grouped-otherwise", "precedence", False, "`a && b ==> c` to `a && (b ==> c)`", on_sites(_grouped_otherwise)),
    Rule(
        "literal-changed",
        "range-shifted",
        False,
        "a number in a clause or spec function is one higher",
        on_sites(_literal_changed),
    ),
    Rule("term-moved", "range-shifted", False, "one added to a term, or taken from it", on_sites(_term_moved)),
    Rule("variable-swapped", "relation-loosened", False, "a variable for another of its type", on_sites(_variable_swapped)),
    Rule("old-final-swapped", "old-final-confused", False, "`old(x)` for `final(x)`, and the other way round", _old_for_final),
    Rule("binder-narrowed", "type-narrowed", False, "a quantifier over `u8` instead of `int`", _binder_narrowed),
]
