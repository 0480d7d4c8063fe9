"""Terms as Verus text: every operator, precedences, invented names, lines."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from translate.readings.verus_text import to_verus
from translate.terms import (
    BOOL,
    CHAR,
    FALSE,
    INT,
    NAT,
    ONE,
    OPS,
    TRUE,
    USIZE,
    ZERO,
    FieldDecl,
    Sort,
    Term,
    VariantDecl,
    and_,
    app,
    arith,
    bound,
    char_lit,
    defined,
    eq,
    fn_sort,
    implies,
    int_sort,
    ite,
    lit,
    map_sort,
    mk,
    multiset_sort,
    not_,
    opaque_sort,
    or_,
    quantify,
    seq_sort,
    set_sort,
    tuple_sort,
    uninterpreted,
    var,
)

U8 = int_sort("u8")
SEQ, SET, MAP, BAG = seq_sort(INT), set_sort(INT), map_sort(INT, INT), multiset_sort(INT)
VEC = Sort("boxed", "Vec", (U8,), "", seq_sort(U8))
OPTION = Sort("data", "Option", (INT,), "test_verus_text")
OPTION.define((VariantDecl("None", ()), VariantDecl("Some", (FieldDecl("0", INT),))), False)
SHAPE = Sort("data", "geometry::Shape", (), "test_verus_text")
SHAPE.define(
    (
        VariantDecl("Dot", ()),
        VariantDecl("Circle", (FieldDecl("radius", INT),)),
        VariantDecl("Square", (FieldDecl("side", INT), FieldDecl("0", INT))),
        VariantDecl("Cube", (FieldDecl("side", INT), FieldDecl("0", INT))),
    ),
    False,
)
POINT = Sort("data", "Point", (), "test_verus_text")
POINT.define((VariantDecl("Point", (FieldDecl("x", INT), FieldDecl("y", INT))),), True)
PAIR = tuple_sort((INT, BOOL))

x, y, n, k, u = var("x", INT), var("y", INT), var("n", INT), var("k", NAT), var("u", U8)
s, t, a, m, bag, v = var("s", SEQ), var("t", SEQ), var("a", SET), var("m", MAP), var("bag", BAG), var("v", VEC)
p, q, r, o = var("p", BOOL), var("q", BOOL), var("r", BOOL), var("o", OPTION)
shape, point, pair, f = var("shape", SHAPE), var("point", POINT), var("pair", PAIR), var("f", fn_sort((INT,), INT))
V = mk("view", (v,), seq_sort(U8))
i, j = bound(0, INT), bound(1, INT)
PLUS = quantify("lambda", (INT,), arith("add", i, x))
INSIDE = quantify("lambda", (INT,), and_([arith("le", ZERO, i), arith("lt", i, n)]))
SUM = defined("sum", (SEQ, NAT), ZERO)
PUT = uninterpreted("crate::Buffer::put", (VEC, U8), VEC, method=True)


def le(c: Term, d: Term) -> Term:
    return arith("le", c, d)


def lt(c: Term, d: Term) -> Term:
    return arith("lt", c, d)


def length(c: Term) -> Term:
    return mk("seq.len", (c,), NAT)


def at(c: Term, d: Term) -> Term:
    return mk("seq.index", (c, d), c.sort.args[0])


SAMPLES: list[tuple[str, Term, str]] = [
    ("var", x, "x"),
    ("bound", quantify("forall", (INT,), lt(i, x)), "forall|i: int| i < x"),
    ("lit", lit(3), "3"),
    ("lit", lit(-3), "-3"),
    ("lit", TRUE, "true"),
    ("lit", char_lit("a"), "'a'"),
    ("lit", char_lit("'"), "'\\''"),
    ("lit", char_lit("\n"), "'\\n'"),
    ("lit", mk("lit", (), CHAR, 0x200B), "'\\u{200b}'"),
    ("word", mk("word", (), USIZE, "usize::MAX"), "usize::MAX"),
    ("rec", mk("rec", (x,), INT, "fib"), "fib(x)"),
    ("not", not_(p), "!p"),
    ("not", not_(eq(x, y)), "x != y"),
    ("not", not_(eq(p, q)), "!(p <==> q)"),
    ("not", not_(lt(x, y)), "!(x < y)"),
    ("and", and_([p, q, r]), "p && q && r"),
    ("and", and_([le(ZERO, x), lt(x, y), le(y, n), p]), "0 <= x < y <= n && p"),
    ("and", and_([lt(x, y), lt(n, y)]), "x < y && n < y"),
    ("or", or_([p, and_([q, r])]), "p || q && r"),
    ("or", and_([p, or_([q, r])]), "p && (q || r)"),
    ("implies", implies(p, implies(q, r)), "p ==> q ==> r"),
    ("implies", implies(implies(p, q), r), "(p ==> q) ==> r"),
    ("implies", implies(p, quantify("exists", (INT,), lt(i, x))), "p ==> exists|i: int| i < x"),
    ("ite", ite(p, x, ite(q, y, n)), "if p { x } else if q { y } else { n }"),
    ("ite", arith("add", ite(p, x, y), ONE), "(if p { x } else { y }) + 1"),
    ("eq", eq(x, y), "x == y"),
    ("eq", eq(p, q), "p <==> q"),
    ("eq", eq(implies(p, q), r), "(p ==> q) <==> r"),
    ("eq", eq(s, t), "s =~= t"),
    ("eq", eq(v, var("w", VEC)), "v == w"),
    ("forall", quantify("forall", (INT, BOOL), or_([lt(j, x), bound(0, BOOL)])), "forall|i: int, p: bool| i < x || p"),
    ("forall", and_([quantify("forall", (INT,), lt(i, x)), p]), "(forall|i: int| i < x) && p"),
    ("exists", not_(quantify("exists", (SEQ,), eq(bound(0, SEQ), t))), "!(exists|s: Seq<int>| s =~= t)"),
    ("choose", quantify("choose", (INT,), lt(i, x)), "choose|i: int| i < x"),
    ("lambda", PLUS, "|i: int| i + x"),
    ("apply", mk("apply", (f, x), INT), "f(x)"),
    ("apply", mk("apply", (PLUS, ONE), INT), "(|i: int| i + x)(1)"),
    ("app", app(SUM, (s, k)), "sum(s, k)"),
    ("app", app(SUM, (s, x)), "sum(s, x as nat)"),
    ("app", app(PUT, (v, u)), "v.put(u)"),
    ("add", arith("add", arith("add", x, y), n), "x + y + n"),
    ("add", arith("add", x, arith("add", y, n)), "x + (y + n)"),
    ("sub", arith("sub", x, arith("sub", y, n)), "x - (y - n)"),
    ("mul", arith("mul", arith("add", x, y), n), "(x + y) * n"),
    ("neg", mk("neg", (x,), INT), "-x"),
    ("neg", mk("neg", (arith("add", x, y),), INT), "-(x + y)"),
    ("neg", mk("neg", (ONE,), INT), "-(1)"),
    ("div", arith("div", x, arith("mul", y, n)), "x / (y * n)"),
    ("mod", arith("mod", arith("mul", x, y), n), "x * y % n"),
    ("lt", lt(arith("add", x, y), n), "x + y < n"),
    ("le", le(x, mk("cast", (u,), INT)), "x <= (u as int)"),
    ("cast", mk("cast", (x,), U8), "x as u8"),
    ("cast", arith("mul", mk("cast", (x,), NAT), y), "(x as nat) * y"),
    ("bitand", mk("bitand", (u, mk("bitor", (u, lit(1)), U8)), U8), "u & (u | 1)"),
    ("bitor", mk("bitor", (u, mk("bitand", (u, lit(1)), U8)), U8), "u | u & 1"),
    ("bitxor", mk("bitxor", (u, x), U8), "u ^ (x as u8)"),
    ("bitnot", mk("bitnot", (u,), U8), "!u"),
    ("shl", mk("shl", (u, arith("add", x, ONE)), U8), "u << x + 1"),
    ("shr", arith("add", mk("shr", (u, x), U8), ONE), "(u >> x) + 1"),
    ("ctor", mk("ctor", (x,), OPTION, 1), "Some(x)"),
    ("ctor", mk("ctor", (), OPTION, 0), "None"),
    ("ctor", mk("ctor", (), SHAPE, 0), "Shape::Dot"),
    ("ctor", mk("ctor", (x,), SHAPE, 1), "Shape::Circle { radius: x }"),
    ("ctor", mk("ctor", (x, y), POINT, 0), "Point { x: x, y: y }"),
    ("ctor", mk("ctor", (x, p), PAIR, 0), "(x, p)"),
    ("ctor", mk("ctor", (x,), tuple_sort((INT,)), 0), "(x,)"),
    ("ctor", mk("ctor", (), tuple_sort(()), 0), "()"),
    ("is", mk("is", (o,), BOOL, 1), "o is Some"),
    ("is", not_(mk("is", (o,), BOOL, 1)), "!(o is Some)"),
    ("field", mk("field", (o,), INT, (1, 0)), "o->0"),
    ("field", mk("field", (shape,), INT, (1, 0)), "shape->radius"),
    ("field", mk("field", (shape,), INT, (2, 0)), "shape->Square_side"),
    ("field", mk("field", (shape,), INT, (3, 1)), "shape->Cube_0"),
    ("field", mk("field", (point,), INT, (0, 1)), "point.y"),
    ("field", mk("field", (pair,), INT, (0, 0)), "pair.0"),
    ("view", V, "v@"),
    ("seq.lit", mk("seq.lit", (x, y), SEQ), "seq![x, y]"),
    ("seq.lit", mk("seq.lit", (), SEQ), "Seq::<int>::empty()"),
    ("seq.new", mk("seq.new", (n, PLUS), SEQ), "Seq::new(n as nat, |i: int| i + x)"),
    ("seq.new", mk("seq.new", (k, PLUS), SEQ), "Seq::new(k, |i: int| i + x)"),
    ("seq.len", length(V), "v@.len()"),
    ("seq.index", at(s, arith("sub", x, ONE)), "s[x - 1]"),
    ("seq.index", at(V, k), "v@[k as int]"),
    ("seq.index", at(mk("seq.add", (s, t), SEQ), x), "(s + t)[x]"),
    ("seq.push", mk("seq.push", (s, x), SEQ), "s.push(x)"),
    ("seq.update", mk("seq.update", (s, k, x), SEQ), "s.update(k as int, x)"),
    ("seq.subrange", mk("seq.subrange", (s, ZERO, k), SEQ), "s.subrange(0, k as int)"),
    ("seq.add", mk("seq.add", (s, mk("seq.add", (t, s), SEQ)), SEQ), "s + (t + s)"),
    ("seq.to_multiset", mk("seq.to_multiset", (s,), BAG), "s.to_multiset()"),
    ("set.lit", mk("set.lit", (x,), SET), "set![x]"),
    ("set.lit", mk("set.lit", (), SET), "Set::<int>::empty()"),
    ("set.new", mk("set.new", (INSIDE,), SET), "Set::new(|i: int| 0 <= i < n)"),
    ("set.contains", mk("set.contains", (a, x), BOOL), "a.contains(x)"),
    ("set.insert", mk("set.insert", (a, x), SET), "a.insert(x)"),
    ("set.remove", mk("set.remove", (a, k), SET), "a.remove(k as int)"),
    ("set.union", mk("set.union", (a, a), SET), "a.union(a)"),
    ("set.intersect", mk("set.intersect", (a, a), SET), "a.intersect(a)"),
    ("set.difference", mk("set.difference", (a, a), SET), "a.difference(a)"),
    ("set.complement", mk("set.complement", (a,), SET), "a.complement()"),
    ("set.finite", mk("set.finite", (a,), BOOL), "a.finite()"),
    ("set.len", mk("set.len", (a,), NAT), "a.len()"),
    ("map.lit", mk("map.lit", (ONE, x, lit(2), y), MAP), "map![1 => x, 2 => y]"),
    ("map.lit", mk("map.lit", (), MAP), "Map::<int, int>::empty()"),
    ("map.new", mk("map.new", (INSIDE, PLUS), MAP), "Map::new(|i: int| 0 <= i < n, |i: int| i + x)"),
    ("map.dom", mk("map.dom", (m,), SET), "m.dom()"),
    ("map.index", mk("map.index", (m, x), INT), "m[x]"),
    ("map.insert", mk("map.insert", (m, x, y), MAP), "m.insert(x, y)"),
    ("map.remove", mk("map.remove", (m, x), MAP), "m.remove(x)"),
    ("multiset.lit", mk("multiset.lit", (x, y), BAG), "Multiset::<int>::empty().insert(x).insert(y)"),
    ("multiset.count", mk("multiset.count", (bag, x), NAT), "bag.count(x)"),
    ("multiset.add", mk("multiset.add", (bag, bag), BAG), "bag.add(bag)"),
    ("multiset.sub", mk("multiset.sub", (bag, bag), BAG), "bag.sub(bag)"),
    ("multiset.len", mk("multiset.len", (bag,), NAT), "bag.len()"),
]


@pytest.mark.parametrize(("op", "term", "expected"), SAMPLES)
def test_operator(op: str, term: Term, expected: str) -> None:
    assert to_verus(term) == expected


def test_every_operator_has_a_sample() -> None:
    assert {op for op, _, _ in SAMPLES} == set(OPS)


# --- names -----------------------------------------------------------------------------------------------------------


def test_nested_binders_get_different_names() -> None:
    inner = quantify("exists", (INT,), lt(j, i))
    assert to_verus(quantify("forall", (INT,), inner)) == "forall|i: int| exists|j: int| i < j"
    both = and_([quantify("forall", (INT,), lt(i, x)), quantify("exists", (INT,), lt(x, i))])
    assert to_verus(both) == "(forall|i: int| i < x) && (exists|i: int| x < i)"


def test_names_hide_no_free_variable_and_no_function() -> None:
    body = and_([lt(i, var("i", INT)), lt(i, app(uninterpreted("j", (INT,), INT), (i,)))])
    assert to_verus(quantify("forall", (INT,), body)) == "forall|k: int| k < i && k < j(k)"
    many = quantify("forall", (INT,) * 8, lt(bound(7, INT), i))
    assert to_verus(many) == ("forall|i: int, j: int, k: int, l: int, m: int, n: int, i1: int, j1: int| i < j1")


def test_names_by_sort() -> None:
    sorts: tuple[Sort, ...] = (U8, CHAR, SEQ, SET, MAP, VEC, OPTION, opaque_sort("T"), fn_sort((INT,), BOOL), BOOL)
    shown = to_verus(quantify("forall", sorts, TRUE))
    names = re.findall(r"(\w+): ", shown)
    assert names == ["i", "c", "s", "t", "m", "v", "x", "y", "f", "p"]


def test_a_term_with_loose_variables_still_prints() -> None:
    assert to_verus(lt(bound(1, INT), x)) == "#1 < x"


# --- braces, lines ---------------------------------------------------------------------------------------------------


def test_braces_in_a_condition_are_parenthesised() -> None:
    same = eq(point, mk("ctor", (x, y), POINT, 0))
    assert to_verus(ite(same, x, y)) == "if (point == Point { x: x, y: y }) { x } else { y }"


def test_lines() -> None:
    first = implies(p, and_([le(ZERO, x), lt(x, y)]))
    second = quantify("forall", (INT,), implies(and_([le(ZERO, i), lt(i, length(s))]), le(at(s, i), x)))
    whole = and_([first, second, implies(and_([p, q]), or_([eq(s, t), r]))])
    assert to_verus(whole, width=200) == to_verus(whole)
    assert to_verus(whole, width=48) == (
        "(p ==> 0 <= x < y)\n"
        "    && (forall|i: int|\n"
        "            0 <= i < s.len() ==> s[i] <= x)\n"
        "    && (p && q ==> s =~= t || r)"
    )


def test_a_term_that_is_huge_as_a_tree_is_cut_off() -> None:
    big = x
    for _ in range(60):
        big = arith("add", big, big)
    assert "…" in to_verus(big)
    assert len(to_verus(big, width=80)) < 10**6


# --- printing loses nothing ------------------------------------------------------------------------------------------

_TOKEN = re.compile(r"\s*(<==>|==>|=~=|==|!=|<=|<<|>>|&&|\|\||\w+|.)")


class _Reader:
    """Reads back what the printer writes for a small part of the language, by the table of the Verus guide (chapter
    "Operator Precedence"): an independent statement of the precedences, loosest first."""

    LEVELS = (("<==>",), ("==>",), ("||",), ("&&",), ("==", "!=", "<", "<="), ("|",), ("^",), ("&",), ("<<", ">>"), ("+", "-"),
              ("*", "/", "%"))  # fmt: skip

    def __init__(self, text: str) -> None:
        self.tokens = [*_TOKEN.findall(text.strip()), ""]
        self.at = 0

    def take(self) -> str:
        self.at += 1
        return str(self.tokens[self.at - 1])

    def level(self, depth: int) -> Any:
        if self.tokens[self.at] in ("forall", "exists"):
            return self.quantifier()
        if depth == len(self.LEVELS):
            return self.unary()
        signs = self.LEVELS[depth]
        left = self.level(depth + 1)
        if signs == ("==>",):
            return (self.take(), left, self.level(depth)) if self.tokens[self.at] == "==>" else left
        if "<" in signs:
            chain: list[Any] = []
            while self.tokens[self.at] in signs:
                sign, right = self.take(), self.level(depth + 1)
                chain.append((sign, left, right))
                left = right
            return ("&&", *chain) if len(chain) > 1 else chain[0] if chain else left
        while self.tokens[self.at] in signs:
            sign, right = self.take(), self.level(depth + 1)
            flat = sign in ("&&", "||") and isinstance(left, tuple) and left[0] == sign
            left = (*left, right) if flat else (sign, left, right)
        return left

    def quantifier(self) -> Any:
        word = self.take()
        assert self.take() == "|"
        name = self.take()
        while self.take() != "|":
            pass
        return (word, name, self.level(0))

    def unary(self) -> Any:
        token = self.take()
        if token in ("!", "-"):
            return (token, self.unary())
        if token == "(":
            inner = self.level(0)
            assert self.take() == ")"
            return inner
        return token


def _tree(t: Term, names: tuple[str, ...] = ()) -> Any:
    """The tree that the text of a term has to have."""
    if t.op in ("var", "lit"):
        return str(t.data).lower()
    if t.op == "bound":
        return names[-1 - t.data]
    if t.op in ("forall", "exists"):
        name = next(c for c in ("i", "j", "k", "l", "m", "n", "i1", "j1", "k1") if c not in names)
        return (t.op, name, _tree(t.args[0], (*names, name)))
    args = [_tree(c, names) for c in t.args]
    if t.op == "not":
        return ("!=", *args[0][1:]) if args[0][0] == "==" else ("!", *args)
    if t.op == "eq":
        return ("<==>" if t.args[0].sort is BOOL else "==", *args)
    if t.op == "and":
        return _conjunction(args)
    signs = {"or": "||", "implies": "==>", "lt": "<", "le": "<=", "neg": "-", "add": "+", "sub": "-", "mul": "*", "mod": "%",
             "bitand": "&", "bitor": "|", "bitxor": "^", "shl": "<<"}  # fmt: skip
    return (signs[t.op], *args)


def _conjunction(args: list[Any]) -> Any:
    """Chains are read back as conjunctions of their own."""
    groups: list[list[Any]] = []
    for c in args:
        last = groups[-1][-1] if groups else None
        if last is not None and last[0] in ("<", "<=") and c[0] in ("<", "<=") and last[2] == c[1]:
            groups[-1].append(c)
        else:
            groups.append([c])
    parts = [g[0] if len(g) == 1 else ("&&", *g) for g in groups]
    if len(parts) == 1:
        return parts[0]
    flat = parts[0][1:] if parts[0][0] == "&&" else (parts[0],)
    return ("&&", *flat, *parts[1:])


def _numbers() -> st.SearchStrategy[Term]:
    atoms = st.sampled_from([var("x", U8), var("y", U8), lit(1)])
    return st.recursive(
        atoms,
        lambda inner: (
            st.tuples(inner, inner, st.sampled_from(["add", "sub", "mul", "mod"])).map(lambda c: arith(c[2], c[0], c[1]))
            | inner.map(lambda c: mk("neg", (c,), INT))
            | st.tuples(atoms, atoms, st.sampled_from(["bitand", "bitor", "bitxor", "shl"])).map(
                lambda c: mk(c[2], (c[0], c[1]), U8)
            )
        ),
        max_leaves=5,
    )


def _formulas() -> st.SearchStrategy[Term]:
    numbers = _numbers()
    compared = st.tuples(numbers, numbers, st.sampled_from(["lt", "le", "eq"])).map(lambda c: mk(c[2], (c[0], c[1]), BOOL))
    leaves = compared | st.sampled_from([p, q, r])
    return st.recursive(
        leaves,
        lambda inner: (
            st.lists(inner, min_size=2, max_size=4).map(and_)
            | st.lists(inner, min_size=2, max_size=3).map(or_)
            | st.tuples(inner, inner, st.sampled_from(["implies", "eq"])).map(lambda c: mk(c[2], (c[0], c[1]), BOOL))
            | inner.map(not_)
            | st.tuples(inner, st.sampled_from(["forall", "exists"])).map(
                lambda c: quantify(c[1], (INT,), and_([lt(i, var("x", U8)), c[0]]))
            )
        ),
        max_leaves=8,
    )


@settings(max_examples=400)
@given(_formulas())
def test_text_reads_back_as_the_same_tree(term: Term) -> None:
    assert _Reader(to_verus(term)).level(0) == _tree(term)
    lines = to_verus(term, width=30)
    assert _Reader(lines).level(0) == _tree(term)


@settings(max_examples=200)
@given(_formulas(), _formulas())
def test_different_terms_have_different_texts(one: Term, other: Term) -> None:
    assert (to_verus(one) == to_verus(other)) == (_tree(one) == _tree(other))


def test_precedence_cases_that_must_differ() -> None:
    groups = [
        [implies(implies(p, q), r), implies(p, implies(q, r))],
        [and_([p, or_([q, r])]), or_([and_([p, q]), r])],
        [not_(and_([p, q])), and_([not_(p), q])],
        [eq(p, implies(q, r)), implies(mk("eq", (p, q), BOOL), r)],
        [arith("sub", x, arith("sub", y, n)), arith("sub", arith("sub", x, y), n)],
        [arith("mod", arith("mul", x, y), n), arith("mul", x, arith("mod", y, n))],
        [mk("neg", (arith("add", x, y),), INT), arith("add", mk("neg", (x,), INT), y)],
        [mk("neg", (ONE,), INT), lit(-1)],
        [mk("not", (mk("is", (o,), BOOL, 1),), BOOL), mk("is", (o,), BOOL, 1)],
        [at(mk("seq.add", (s, t), SEQ), x), mk("seq.add", (s, mk("seq.lit", (at(t, x),), SEQ)), SEQ)],
        [quantify("forall", (INT,), and_([lt(i, x), p])), and_([quantify("forall", (INT,), lt(i, x)), p])],
        [mk("bitand", (mk("shl", (u, lit(1)), U8), u), U8), mk("shl", (u, mk("bitand", (lit(1), u), U8)), U8)],
        [ite(p, x, arith("add", y, ONE)), arith("add", ite(p, x, y), ONE)],
        [FALSE, TRUE],
    ]
    for group in groups:
        texts = {to_verus(c) for c in group}
        assert len(texts) == len(group)
