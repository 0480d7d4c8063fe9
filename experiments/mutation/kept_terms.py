"""Rules that keep the meaning: comparisons, arithmetic, views, equalities, options and branches."""

from __future__ import annotations

from experiments.mutation.kept_logic import COMPARE, FLIPPED, OPPOSITE
from experiments.mutation.model import Proposal, Proposals, Rewrite, Rule, on_sites
from experiments.mutation.text import Edit
from experiments.mutation.tree import Opaque, binds_outwards, bound_names, free_words, is_opaque, occurrences
from experiments.mutation.work import Site, Work
from translate import syntax as sx
from translate.names import Ref
from translate.terms import Sort

VIEWED = frozenset({"Vec", "slice", "array"})


def _ints(work: Work, e: sx.Expr) -> bool:
    return isinstance(e, sx.Binary) and work.is_int(e.left) and work.is_int(e.right)


# --- comparisons -----------------------------------------------------------------------------------------------------


def _flipped(work: Work, site: Site) -> Rewrite:
    e = site.node
    if isinstance(e, sx.Binary) and not site.in_choose:
        if (e.op in COMPARE and _ints(work, e)) or e.op in ("==", "!="):
            yield f"{work.operand(e.right)} {FLIPPED[e.op]} {work.operand(e.left)}", "The sides change places with the sign."


def _negated_comparison(work: Work, site: Site) -> Rewrite:
    e = site.node
    if site.in_choose:
        return
    if isinstance(e, sx.Binary) and ((e.op in COMPARE and _ints(work, e)) or e.op in ("==", "!=")):
        yield (
            f"!({work.operand(e.left)} {OPPOSITE[e.op]} {work.operand(e.right)})",
            "A comparison is the negation of its opposite.",
        )
    if isinstance(e, sx.Unary) and e.op == "!" and isinstance(e.operand, sx.Binary):
        inner = e.operand
        if (inner.op in COMPARE and _ints(work, inner)) or inner.op in ("==", "!="):
            text = f"{work.operand(inner.left)} {OPPOSITE[inner.op]} {work.operand(inner.right)}"
            yield text, "A negated comparison is the opposite one."


def _strictness(work: Work, site: Site) -> Rewrite:
    e = site.node
    if not (isinstance(e, sx.Binary) and _ints(work, e)) or site.in_choose:
        return
    a, b = work.operand(e.left), work.operand(e.right)
    if e.op == "<=":
        yield f"{a} < {b} + 1", "Between integers `a <= b` is `a < b + 1`."
    elif e.op == "<":
        yield f"{a} + 1 <= {b}", "Between integers `a < b` is `a + 1 <= b`."
    elif e.op == ">=":
        yield f"{a} + 1 > {b}", "Between integers `a >= b` is `a + 1 > b`."


def _difference(work: Work, site: Site) -> Rewrite:
    e = site.node
    if isinstance(e, sx.Binary) and _ints(work, e) and e.op in ("==", *COMPARE) and not site.in_choose:
        yield f"{work.operand(e.left)} - {work.operand(e.right)} {e.op} 0", "Both sides minus the right one."


def _squeezed(work: Work, site: Site) -> Rewrite:
    e = site.node
    if isinstance(e, sx.Binary) and _ints(work, e) and e.op == "==" and not site.in_choose:
        a, b = work.operand(e.left), work.operand(e.right)
        yield (
            f"{a} <= {b} && {work.plain(e.left)} >= {work.plain(e.right)}",
            "Equal integers are at most and at least each other.",
        )


# --- arithmetic ------------------------------------------------------------------------------------------------------


def _commuted(work: Work, site: Site) -> Rewrite:
    e = site.node
    if isinstance(e, sx.Binary) and e.op in ("+", "*") and _ints(work, e) and not site.in_choose:
        yield f"{work.operand(e.right)} {e.op} {work.operand(e.left)}", f"`{e.op}` commutes."


def _distributed(work: Work, site: Site) -> Rewrite:
    e = site.node
    if not (isinstance(e, sx.Binary) and e.op == "*" and _ints(work, e)) or site.in_choose:
        return
    for factor, total, left in ((e.left, e.right, True), (e.right, e.left, False)):
        if isinstance(total, sx.Binary) and total.op in ("+", "-") and _ints(work, total):
            f, a, b = work.plain(factor), work.operand(total.left), work.operand(total.right)
            text = f"{f} * {a} {total.op} {f} * {b}" if left else f"{a} * {f} {total.op} {b} * {f}"
            yield text, "A product goes over a sum."


def _associated(work: Work, site: Site) -> Rewrite:
    e = site.node
    if not (isinstance(e, sx.Binary) and e.op in ("+", "*") and _ints(work, e)) or site.in_choose:
        return
    if isinstance(e.left, sx.Binary) and e.left.op == e.op and _ints(work, e.left):
        a, b, c = work.operand(e.left.left), work.operand(e.left.right), work.operand(e.right)
        yield f"{a} {e.op} ({b} {e.op} {c})", f"`{e.op}` associates."


def _doubled(work: Work, site: Site) -> Rewrite:
    e = site.node
    if isinstance(e, sx.Binary) and e.op == "*" and _ints(work, e) and not site.in_choose:
        for two, other in ((e.left, e.right), (e.right, e.left)):
            if isinstance(two, sx.Literal) and two.value == 2 and two.kind == "int":
                yield f"{work.operand(other)} + {work.plain(other)}", "Twice a number is the number plus itself."


def _subtracted(work: Work, site: Site) -> Rewrite:
    e = site.node
    if isinstance(e, sx.Binary) and e.op == "-" and _ints(work, e) and not site.in_choose:
        yield f"{work.operand(e.left)} + (-1) * {work.operand(e.right)}", "To subtract is to add the negative."


# --- views and lengths -----------------------------------------------------------------------------------------------


def _viewed(work: Work, e: sx.Expr) -> bool:
    sort = work.sort(e)
    return sort is not None and sort.kind == "boxed" and sort.name in VIEWED


def _index_view(work: Work, site: Site) -> Rewrite:
    e = site.node
    if not isinstance(e, sx.Index) or isinstance(e.index, sx.Range):
        return
    if _viewed(work, e.base):
        yield f"{work.operand(e.base)}@[{work.text(e.index)}]", "`a[i]` is `a@[i]`."
    elif isinstance(e.base, sx.View) and _viewed(work, e.base.base):
        yield f"{work.operand(e.base.base)}[{work.text(e.index)}]", "`a@[i]` is `a[i]`."


def _length_view(work: Work, site: Site) -> Rewrite:
    e = site.node
    if (
        not isinstance(e, sx.MethodCall)
        or e.name != "len"
        or e.args
        or not isinstance(site.parent, sx.Binary | sx.Chain | sx.Cast)
    ):
        return
    if _viewed(work, e.receiver):
        yield f"{work.operand(e.receiver)}@.len()", "`a.len()` is `a@.len()`."
    elif isinstance(e.receiver, sx.View) and _viewed(work, e.receiver.base):
        yield f"{work.operand(e.receiver.base)}.len()", "`a@.len()` is `a.len()`."


def _extensional(sort: Sort | None) -> bool:
    return sort is not None and sort.kind in ("seq", "set", "map", "multiset")


def _ext_equal(work: Work, site: Site) -> Rewrite:
    e = site.node
    if (
        isinstance(e, sx.Binary)
        and e.op in ("==", "=~=")
        and (_extensional(work.sort(e.left)) or _extensional(work.sort(e.right)))
    ):
        other = "=~=" if e.op == "==" else "=="
        yield f"{work.operand(e.left)} {other} {work.operand(e.right)}", f"Collections are `{e.op}` where they are `{other}`."


def _entry_by_entry(work: Work, site: Site) -> Rewrite:
    e = site.node
    if not (isinstance(e, sx.Binary) and e.op in ("==", "=~=")):
        return
    sort = work.sort(e.left)
    if is_opaque(e) or "Seq" in free_words(e):
        return  # an empty sequence may say too little of its type when it stands alone
    if sort is not None and sort.kind == "seq" and not site.in_choose:
        a, b, k = work.operand(e.left), work.operand(e.right), work.tokens.fresh("k")
        text = f"{a}.len() == {b}.len() && (forall|{k}: int| 0 <= {k} < {a}.len() ==> {a}[{k}] == {b}[{k}])"
        yield text, "Sequences are equal where their lengths and entries are."


# --- options, branches -----------------------------------------------------------------------------------------------


def _is_option(work: Work, e: sx.Expr) -> bool:
    sort = work.sort(e)
    return (
        sort is not None and sort.kind == "data" and sort.name.rpartition("::")[2] == "Option" and "Option" not in work.declared
    )


def _option_tests(work: Work, site: Site) -> Rewrite:
    e = site.node
    if isinstance(e, sx.Is) and e.path.text in ("Some", "None") and _is_option(work, e.operand):
        some = (e.path.text == "Some") != e.negated
        yield f"{work.operand(e.operand)}.{'is_some' if some else 'is_none'}()", "`is` and the methods of `Option` test the same."
        yield f"!({work.operand(e.operand)} is {'None' if some else 'Some'})", "An `Option` is `Some` or `None`."
    if isinstance(e, sx.MethodCall) and e.name in ("is_some", "is_none") and not e.args and _is_option(work, e.receiver):
        yield f"{work.operand(e.receiver)} is {'Some' if e.name == 'is_some' else 'None'}", "`is` and the methods test the same."


def _arrow_spelt(work: Work, site: Site) -> Rewrite:
    e = site.node
    if isinstance(e, sx.Arrow) and e.name in ("0", "Some_0") and _is_option(work, e.base):
        yield f"{work.operand(e.base)}->{'Some_0' if e.name == '0' else '0'}", "`->0` and `->Some_0` are the same field."


def _branches_swapped(work: Work, site: Site) -> Rewrite:
    e = site.node
    if not isinstance(e, sx.If) or e.orelse is None or site.in_choose or binds_outwards(e.cond):
        return
    other = work.text(e.orelse)
    if not isinstance(e.orelse, sx.Block):
        other = f"{{ {other} }}"
    yield f"if !({work.text(e.cond)}) {other} else {work.text(e.then)}", "The branches change places with the negated condition."


def _bool_if(work: Work, site: Site) -> Rewrite:
    """`if c { a } else { b }` of truth values as `(c && a) || (!c && b)`."""
    e = site.node
    if not isinstance(e, sx.If) or e.orelse is None or site.in_choose or binds_outwards(e):
        return
    sort = work.sort(e)
    if sort is not None and sort.kind == "bool":
        c = f"({work.text(e.cond)})"
        other = work.text(e.orelse) if isinstance(e.orelse, sx.Block) else f"{{ {work.text(e.orelse)} }}"
        yield f"({c} ==> ({work.text(e.then)})) && (!{c} ==> ({other}))", "A conditional truth value is two implications."


def _match_as_if(work: Work, target: Ref) -> Proposals:
    """`match o { Some(v) => a, None => b }` as `if o is Some { a with o->0 } else { b }`."""
    for site in work.sites(target):
        e = site.node
        if not isinstance(e, sx.Match) or len(e.arms) != 2 or site.in_choose or not _is_option(work, e.operand):
            continue
        if any(a.guard is not None or a.attrs for a in e.arms):
            continue
        first, second = e.arms
        pattern = first.pattern
        if not (isinstance(pattern, sx.TupleStructPat) and pattern.path.text == "Some" and len(pattern.elems) == 1):
            continue
        if not (_is_none(second.pattern) or isinstance(second.pattern, sx.WildPat)) or not isinstance(
            pattern.elems[0], sx.IdentPat
        ):
            continue
        name = pattern.elems[0].name
        if pattern.elems[0].sub is not None or bound_names(first.body) & free_words(e.operand) or binds_outwards(first.body):
            continue
        try:
            uses = occurrences(first.body, name)
        except Opaque:
            continue
        operand = f"({work.text(e.operand)})"
        start = first.body.span.start
        text = work.text(first.body).encode()
        for use in reversed(uses):
            text = text[: use.start - start] + f"({operand}->0)".encode() + text[use.end - start :]
        then, other = text.decode(), work.text(second.body)
        edit = work.instead(site, f"if {operand} is Some {{ {then} }} else {{ {other} }}")
        yield Proposal((edit,), "A match on an option is a test and its field.", None, site.place.kind)


def _is_none(pattern: sx.Pattern) -> bool:
    return (isinstance(pattern, sx.IdentPat) and pattern.name == "None") or (
        isinstance(pattern, sx.PathPat) and pattern.path.text == "None"
    )


# --- spelling --------------------------------------------------------------------------------------------------------


def _respelt(work: Work, site: Site) -> Rewrite:
    e = site.node
    if not isinstance(e, sx.Literal) or e.kind != "int" or not isinstance(e.value, int):
        return
    digits = work.text(e).removesuffix(e.suffix) if e.suffix else work.text(e)
    if digits.isdigit() and len(digits) > 3:
        yield f"{e.value:_}{e.suffix}", "Underscores in a number mean nothing."
    elif "_" in digits and digits.replace("_", "").isdigit():
        yield f"{e.value}{e.suffix}", "Underscores in a number mean nothing."
    elif digits.isdigit() and not (e.suffix.startswith("f") or "e" in e.suffix):
        yield f"{e.value:#x}{'_' if e.suffix else ''}{e.suffix}", "Hexadecimal digits write the same number."


def respelt(work: Work, target: Ref) -> Proposals:
    for site in work.sites(target):
        for text, why in _respelt(work, site):
            yield Proposal((Edit(site.node.span, text),), why, "formatting")


def _final_spelt(work: Work, target: Ref) -> Proposals:
    """`final(x)` as bare `x`, in postconditions."""
    for site in work.sites(target):
        e = site.node
        if site.place.kind != "ensures" or not isinstance(e, sx.Call) or not isinstance(e.func, sx.PathExpr) or len(e.args) != 1:
            continue
        arg = e.args[0]
        if e.func.path.text == "final" and isinstance(arg, sx.PathExpr) and len(arg.path.segments) == 1:
            if any(n.op == "*" for n in site.above if isinstance(n, sx.Unary)):
                continue
            yield Proposal((Edit(e.span, work.text(arg)),), "In a postcondition a bare `&mut` parameter has its final value.")


RULES = [
    Rule("comparison-flipped", "reordered", True, "`a < b` to `b > a`, `a == b` to `b == a`", on_sites(_flipped)),
    Rule("comparison-negated", "de-morgan", True, "`a < b` to `!(a >= b)`, and back", on_sites(_negated_comparison)),
    Rule("strictness-changed", "equivalent-arithmetic", True, "`a < b` to `a + 1 <= b`, and back", on_sites(_strictness)),
    Rule("compared-with-zero", "equivalent-arithmetic", True, "`a < b` to `a - b < 0`", on_sites(_difference)),
    Rule("equality-squeezed", "equivalent-arithmetic", True, "`a == b` to `a <= b && a >= b`, for integers", on_sites(_squeezed)),
    Rule("commuted", "equivalent-arithmetic", True, "`a + b` to `b + a`, `a * b` to `b * a`", on_sites(_commuted)),
    Rule("distributed", "equivalent-arithmetic", True, "`a * (b + c)` to `a * b + a * c`", on_sites(_distributed)),
    Rule("associated", "equivalent-arithmetic", True, "`a + b + c` to `a + (b + c)`", on_sites(_associated)),
    Rule("doubled", "equivalent-arithmetic", True, "`2 * a` to `a + a`", on_sites(_doubled)),
    Rule("subtraction-added", "equivalent-arithmetic", True, "`a - b` to `a + (-1) * b`", on_sites(_subtracted)),
    Rule("index-view", "view-index", True, "`a[i]` to `a@[i]`, and back, on vectors, slices, arrays", on_sites(_index_view)),
    Rule("length-view", "view-index", True, "`a.len()` to `a@.len()`, and back", on_sites(_length_view)),
    Rule("extensional-equality", "ext-equality", True, "`==` to `=~=` on collections, and back", on_sites(_ext_equal)),
    Rule("entry-by-entry", "ext-equality", True, "`s == t` of sequences to lengths and entries", on_sites(_entry_by_entry)),
    Rule("option-test", "match-forms", True, "`o is Some`, `o.is_some()`, `!(o is None)`", on_sites(_option_tests)),
    Rule("arrow-spelling", "match-forms", True, "`o->0` and `o->Some_0`", on_sites(_arrow_spelt)),
    Rule(
        "branches-swapped",
        "match-forms",
        True,
        "`if c { a } else { b }` to `if !c { b } else { a }`",
        on_sites(_branches_swapped),
    ),
    Rule(
        "branches-as-implications",
        "match-forms",
        True,
        "`if c { a } else { b }` to `(c ==> a) && (!c ==> b)`",
        on_sites(_bool_if),
    ),
    Rule("match-as-if", "match-forms", True, "`match o { Some(v) => a, None => b }` to `if o is Some …`", _match_as_if),
    Rule("literal-respelt", "formatting", True, "`100000` to `100_000`, and back; small numbers in hexadecimal", respelt),
    Rule("final-spelling", "final-spelling", True, "`final(x)` to `x` in postconditions", _final_spelt),
]
