"""Rules that keep the meaning: connectives and quantifiers turned into what they are equivalent to.

A part that binds names to its right (`matches`) stays where it is, and the condition of a `choose` is left alone.
"""

from __future__ import annotations

from experiments.mutation.model import Proposal, Proposals, Rewrite, Rule, on_sites
from experiments.mutation.text import Edit
from experiments.mutation.tree import Opaque, binds_outwards, bound_names, free_words, occurrences
from experiments.mutation.work import Site, Work
from translate import syntax as sx
from translate.names import Ref

COMPARE = frozenset({"<", "<=", ">", ">="})
FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def free_to_move(site: Site) -> bool:
    return not site.in_choose and not binds_outwards(site.node)


def conjuncts(e: sx.Expr) -> list[sx.Expr]:
    """The operands of nested `&&` and `&&&`, from left to right (a block around `&&&` looked through)."""
    match e:
        case sx.Binary(op="&&"):
            return [*conjuncts(e.left), *conjuncts(e.right)]
        case sx.BigOp(op="&&&"):
            return [c for o in e.operands for c in conjuncts(o)]
        case sx.Block(stmts=[], kind="", label=None, tail=tail) if tail is not None:
            return conjuncts(tail)
    return [e]


def joined(work: Work, exprs: list[sx.Expr], op: str = "&&") -> str:
    return f" {op} ".join(work.operand(e) for e in exprs)


# --- connectives -----------------------------------------------------------------------------------------------------


def _contraposed(work: Work, site: Site) -> Rewrite:
    e = site.node
    if isinstance(e, sx.Binary) and e.op == "==>" and free_to_move(site):
        yield f"!{work.operand(e.right)} ==> !{work.operand(e.left)}", "`a ==> b` is `!b ==> !a`."


def _or_for_implies(work: Work, site: Site) -> Rewrite:
    e = site.node
    if isinstance(e, sx.Binary) and e.op == "==>" and free_to_move(site):
        yield f"!{work.operand(e.left)} || {work.operand(e.right)}", "`a ==> b` is `!a || b`."


def _arrow_turned(work: Work, site: Site) -> Rewrite:
    e = site.node
    if isinstance(e, sx.Binary) and e.op == "==>" and free_to_move(site):
        yield f"{work.operand(e.right)} <== {work.operand(e.left)}", "`a ==> b` is `b <== a`."


def _curried(work: Work, site: Site) -> Rewrite:
    e = site.node
    if not isinstance(e, sx.Binary) or e.op != "==>" or not free_to_move(site):
        return
    if isinstance(e.left, sx.Binary) and e.left.op == "&&":
        first, second = work.operand(e.left.left), work.operand(e.left.right)
        yield f"{first} ==> ({second} ==> {work.operand(e.right)})", "`a && b ==> c` is `a ==> (b ==> c)`."
    if isinstance(e.right, sx.Binary) and e.right.op == "==>":
        left, middle, right = work.operand(e.left), work.operand(e.right.left), work.operand(e.right.right)
        yield f"{left} && {middle} ==> {right}", "`a ==> (b ==> c)` is `a && b ==> c`."


def _iff(work: Work, site: Site) -> Rewrite:
    e = site.node
    if isinstance(e, sx.Binary) and e.op == "<==>" and free_to_move(site):
        a, b = work.operand(e.left), work.operand(e.right)
        yield f"({a} ==> {b}) && ({b} ==> {a})", "`a <==> b` is both implications."


def _iff_spelt(work: Work, site: Site) -> Rewrite:
    e = site.node
    if not isinstance(e, sx.Binary) or not free_to_move(site):
        return
    if e.op == "<==>":
        yield f"{work.operand(e.left)} == {work.operand(e.right)}", "Between truth values `<==>` is `==`."
    elif e.op == "==" and (sort := work.sort(e.left) or work.sort(e.right)) is not None and sort.kind == "bool":
        yield f"{work.operand(e.left)} <==> {work.operand(e.right)}", "Between truth values `==` is `<==>`."


def _de_morgan(work: Work, site: Site) -> Rewrite:
    e = site.node
    if not free_to_move(site):
        return
    if isinstance(e, sx.Unary) and e.op == "!" and isinstance(e.operand, sx.Binary) and e.operand.op in ("&&", "||"):
        inner = e.operand
        other = "||" if inner.op == "&&" else "&&"
        yield f"!{work.operand(inner.left)} {other} !{work.operand(inner.right)}", "A negation goes to both sides by De Morgan."
    elif isinstance(e, sx.Binary) and e.op in ("&&", "||"):
        other = "||" if e.op == "&&" else "&&"
        why = f"`a {e.op} b` is `!(!a {other} !b)` by De Morgan."
        yield f"!(!{work.operand(e.left)} {other} !{work.operand(e.right)})", why


def _double_negation(work: Work, site: Site) -> Rewrite:
    e = site.node
    if not free_to_move(site):
        return
    if (isinstance(e, sx.Binary) and e.op in ("&&", "||", "==>", *COMPARE)) or isinstance(e, sx.Chain):
        yield f"!!({work.text(e)})", "Two negations cancel."


def _sides_swapped(work: Work, site: Site) -> Rewrite:
    e = site.node
    if isinstance(e, sx.Binary) and e.op in ("&&", "||") and free_to_move(site):
        yield f"{work.operand(e.right)} {e.op} {work.operand(e.left)}", f"The sides of `{e.op}` change places."


def _big_for_small(work: Work, site: Site) -> Rewrite:
    e = site.node
    if not free_to_move(site):
        return
    if isinstance(e, sx.BigOp) and isinstance(site.parent, sx.Block | sx.Quantifier | None):
        yield joined(work, e.operands, e.op[:2]), f"`{e.op}` is `{e.op[:2]}` that binds more loosely."


# --- comparisons as connectives --------------------------------------------------------------------------------------


def links(e: sx.Expr) -> list[tuple[sx.Expr, str, sx.Expr]]:
    """The links of a comparison or a chain of them."""
    if isinstance(e, sx.Chain):
        return list(zip([e.first, *e.rest[:-1]], e.ops, e.rest, strict=True))
    if isinstance(e, sx.Binary) and e.op in FLIPPED:
        return [(e.left, e.op, e.right)]
    return []


def chain_conjuncts(work: Work, e: sx.Chain) -> list[str]:
    """The links of a chain as texts; the second copy of an operand goes without its trigger."""
    return [f"{work.operand(a) if i == 0 else work.plain(a)} {op} {work.operand(b)}" for i, (a, op, b) in enumerate(links(e))]


def _chain_split(work: Work, site: Site) -> Rewrite:
    e = site.node
    if isinstance(e, sx.Chain) and free_to_move(site):
        yield " && ".join(chain_conjuncts(work, e)), "A chain is the conjunction of its links."


def _chain_made(work: Work, site: Site) -> Rewrite:
    e = site.node
    if not (isinstance(e, sx.Binary) and e.op == "&&" and free_to_move(site)):
        return
    left, right = e.left, e.right
    if isinstance(left, sx.Binary) and isinstance(right, sx.Binary) and left.op in ("<", "<=") and right.op in ("<", "<="):
        if work.plain(left.right) == work.plain(right.left):
            a, b, c = work.operand(left.left), work.operand(left.right), work.operand(right.right)
            yield f"{a} {left.op} {b} {right.op} {c}", "Two comparisons with a common middle are a chain."


# --- quantifiers -----------------------------------------------------------------------------------------------------


def _quantifier(site: Site) -> sx.Quantifier | None:
    e = site.node
    if isinstance(e, sx.Quantifier) and e.kind != "choose" and e.binders and not site.in_choose:
        return e
    return None


def binder_text(work: Work, binders: list[sx.Binder]) -> str:
    return ", ".join(work.text(b) for b in binders)


def _dual(work: Work, site: Site) -> Rewrite:
    q = _quantifier(site)
    if q is not None and not binds_outwards(q.body):
        other = "exists" if q.kind == "forall" else "forall"
        text = f"!({other}|{binder_text(work, q.binders)}| !{work.operand(q.body)})"
        yield text, f"`{q.kind}` is `!{other}` of the negation."


def _nested(work: Work, site: Site) -> Rewrite:
    q = _quantifier(site)
    if q is None:
        return
    if len(q.binders) > 1:
        head, tail = q.binders[:1], q.binders[1:]
        text = f"{q.kind}|{binder_text(work, head)}| {q.kind}|{binder_text(work, tail)}| {work.operand(q.body)}"
        yield text, "Several bound variables are nested quantifiers of the same sort."
    inner = q.body
    if isinstance(inner, sx.Quantifier) and inner.kind == q.kind and inner.binders:
        names = [n for b in (*q.binders, *inner.binders) for n in bound_names(b.pattern)]
        if len(set(names)) == len(names):
            text = f"{q.kind}|{binder_text(work, [*q.binders, *inner.binders])}| {work.operand(inner.body)}"
            yield text, "Nested quantifiers of the same sort are one with several variables."


def _binders_swapped(work: Work, site: Site) -> Rewrite:
    q = _quantifier(site)
    if q is not None and len(q.binders) > 1:
        text = f"{q.kind}|{binder_text(work, q.binders[::-1])}| {work.operand(q.body)}"
        yield text, "The order of variables bound together means nothing."


def _split(work: Work, site: Site) -> Rewrite:
    q = _quantifier(site)
    if q is None or binds_outwards(q.body):
        return
    bind = f"{q.kind}|{binder_text(work, q.binders)}|"
    body = q.body
    if q.kind == "forall":
        parts = conjuncts(body)
        if len(parts) > 1:
            text = " && ".join(f"({bind} {work.operand(p)})" for p in parts)
            yield text, "A universal quantifier goes over a conjunction."
        if isinstance(body, sx.Binary) and body.op == "==>" and len(parts := conjuncts(body.right)) > 1:
            left = work.operand(body.left)
            text = " && ".join(f"({bind} {left} ==> {work.operand(p)})" for p in parts)
            yield text, "A universal quantifier and its guard go over a conjunction."
    elif isinstance(body, sx.Binary) and body.op == "||":
        text = f"({bind} {work.operand(body.left)}) || ({bind} {work.operand(body.right)})"
        yield text, "An existential quantifier goes over a disjunction."


def _guard_moved(work: Work, site: Site) -> Rewrite:
    """`forall|x| a && b ==> c` with `a` free of x: `a ==> forall|x| b ==> c`."""
    q = _quantifier(site)
    if q is None or q.kind != "forall" or not isinstance(q.body, sx.Binary) or q.body.op != "==>" or binds_outwards(q.body):
        return
    names = {n for b in q.binders for n in bound_names(b.pattern)}
    parts = conjuncts(q.body.left)
    outside = [p for p in parts if not names & free_words(p)]
    inside = [p for p in parts if names & free_words(p)]
    if outside and inside:
        text = (
            f"{joined(work, outside)} ==> (forall|{binder_text(work, q.binders)}| "
            f"({joined(work, inside)}) ==> {work.operand(q.body.right)})"
        )
        yield text, "A part of the guard that does not mention the bound variables stands before the quantifier."


def _guard_entered(work: Work, site: Site) -> Rewrite:
    """`a ==> forall|x| p` as `forall|x| a ==> p`, `a && exists|x| p` as `exists|x| a && p`."""
    e = site.node
    if not isinstance(e, sx.Binary) or not free_to_move(site) or not isinstance(e.right, sx.Quantifier):
        return
    q = e.right
    if {n for b in q.binders for n in bound_names(b.pattern)} & free_words(e.left) or not q.binders:
        return
    if (e.op, q.kind) in (("==>", "forall"), ("&&", "exists")):
        text = f"{q.kind}|{binder_text(work, q.binders)}| {work.operand(e.left)} {e.op} {work.operand(q.body)}"
        yield text, "What does not mention the bound variables may stand behind the quantifier."


def _shifted(work: Work, target: Ref) -> Proposals:
    """`forall|i: int| lo <= i < hi ==> p(i)` as `forall|i: int| lo + 1 <= i < hi + 1 ==> p(i - 1)`."""
    for site in work.sites(target):
        q = _quantifier(site)
        if (
            q is None
            or len(q.binders) != 1
            or not isinstance(q.binders[0].pattern, sx.IdentPat)
            or not _is_int_binder(q.binders[0])
        ):
            continue
        name = q.binders[0].pattern.name
        body = q.body
        guards = conjuncts(body.left) if isinstance(body, sx.Binary) and body.op == "==>" else conjuncts(body)
        for chain in guards:
            if not isinstance(chain, sx.Chain) or len(chain.ops) != 2 or not set(chain.ops) <= {"<", "<="}:
                continue
            low, middle, high = chain.first, chain.rest[0], chain.rest[1]
            if not (isinstance(middle, sx.PathExpr) and middle.path.text == name):
                continue
            if name in free_words(low) | free_words(high):
                continue
            try:
                uses = [s for t in (q.body, *(e for group in q.triggers for e in group)) for s in occurrences(t, name)]
            except Opaque:
                continue
            edits = [
                Edit(low.span, f"{_sum(work, low)} + 1"),
                Edit(high.span, f"{_sum(work, high)} + 1"),
                *(substitution(work, s, f"{name} - 1") for s in uses if s != middle.span),
            ]
            yield Proposal(
                tuple(edits),
                f"`{name}` runs one higher, and stands one lower wherever it is used.",
                None,
                site.place.kind,
            )


def _sum(work: Work, e: sx.Expr) -> str:
    if isinstance(e, sx.Binary) and e.op in ("+", "-"):
        return work.text(e) if work.tokens.with_parentheses(e.span) == e.span else f"({work.text(e)})"
    return work.operand(e)


def substitution(work: Work, span: sx.Span, text: str) -> Edit:
    """Puts an expression in the place of a variable."""
    before, after = work.tokens.around(span)
    alone = before in ("(", "[", ",") and after in (")", "]", ",")
    return Edit(span, text if alone else f"({text})")


def _is_int_binder(b: sx.Binder) -> bool:
    return isinstance(b.type, sx.PathType) and b.type.path.text == "int"


RULES = [
    Rule("implication-contraposed", "contraposition", True, "`a ==> b` to `!b ==> !a`", on_sites(_contraposed)),
    Rule("implication-as-or", "contraposition", True, "`a ==> b` to `!a || b`", on_sites(_or_for_implies)),
    Rule("implication-from-right", "contraposition", True, "`a ==> b` to `b <== a`", on_sites(_arrow_turned)),
    Rule("implication-curried", "contraposition", True, "`a && b ==> c` to `a ==> (b ==> c)`, and back", on_sites(_curried)),
    Rule("equivalence-unfolded", "contraposition", True, "`a <==> b` to `(a ==> b) && (b ==> a)`", on_sites(_iff)),
    Rule("equivalence-spelt", "contraposition", True, "`a <==> b` to `a == b`, and back", on_sites(_iff_spelt)),
    Rule("de-morgan", "de-morgan", True, "`a && b` to `!(!a || !b)`, and back", on_sites(_de_morgan)),
    Rule("double-negation", "de-morgan", True, "`a` to `!!(a)`", on_sites(_double_negation)),
    Rule("sides-swapped", "reordered", True, "`a && b` to `b && a`, `a || b` to `b || a`", on_sites(_sides_swapped)),
    Rule("big-operator", "formatting", True, "`&&& a &&& b` to `a && b`", on_sites(_big_for_small)),
    Rule("chain-split", "chain-split", True, "`a <= b < c` to `a <= b && b < c`", on_sites(_chain_split)),
    Rule("chain-made", "chain-split", True, "`a <= b && b < c` to `a <= b < c`", on_sites(_chain_made)),
    Rule("quantifier-dual", "quantifier-rewritten", True, "`forall|x| p` to `!(exists|x| !p)`, and back", on_sites(_dual)),
    Rule(
        "quantifier-nested",
        "quantifier-rewritten",
        True,
        "`forall|x, y| p` to `forall|x| forall|y| p`, and back",
        on_sites(_nested),
    ),
    Rule("binders-swapped", "quantifier-rewritten", True, "`forall|x, y| p` to `forall|y, x| p`", on_sites(_binders_swapped)),
    Rule(
        "quantifier-split",
        "quantifier-rewritten",
        True,
        "`forall|x| p && q` to `(forall|x| p) && (forall|x| q)`",
        on_sites(_split),
    ),
    Rule(
        "guard-moved",
        "quantifier-rewritten",
        True,
        "`forall|x| a && b(x) ==> c(x)` to `a ==> forall|x| b(x) ==> c(x)`",
        on_sites(_guard_moved),
    ),
    Rule(
        "guard-entered",
        "quantifier-rewritten",
        True,
        "`a ==> forall|x| p(x)` to `forall|x| a ==> p(x)`, `a && exists|x| p(x)` likewise",
        on_sites(_guard_entered),
    ),
    Rule("range-moved-along", "quantifier-rewritten", True, "`forall|i| lo <= i < hi ==> p(i)` to the same one higher", _shifted),
]
