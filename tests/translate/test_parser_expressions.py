"""Expressions: what binds to what, and where each node's text is."""

from __future__ import annotations

import pytest

from tests.translate.shapes import expr, expr_node, function, nodes, type_shape
from translate import syntax as sx
from translate.parser import ParseFailure, body_of, parse_expr_list, parse_map_entries
from translate.source import from_text

PRECEDENCE = [
    # implications
    ("a == b ==> c", "(==> (== a b) c)"),
    ("a ==> b ==> c", "(==> a (==> b c))"),
    ("a <== b <== c", "(<== (<== a b) c)"),
    ("a ==> b <== c", "(<== (==> a b) c)"),
    ("a <== b ==> c", "(<== a (==> b c))"),
    ("a <==> b ==> c", "(<==> a (==> b c))"),
    ("a || b && c ==> d", "(==> (|| a (&& b c)) d)"),
    ("(a ==> b) ==> c", "(==> (==> a b) c)"),
    # quantifiers take everything to their right
    ("a ==> forall|x: int| p(x) ==> q(x)", "(==> a (forall [x: int] (==> p(x) q(x))))"),
    ("a && forall|x| p || q", "(&& a (forall [x] (|| p q)))"),
    ("!forall|x| p ==> q", "(! (forall [x] (==> p q)))"),
    ("(forall|x| p) ==> q", "(==> (forall [x] p) q)"),
    ("exists|i, j: nat| i < j", "(exists [i, j: nat] (< i j))"),
    # comparisons and chains
    ("0 <= a < b <= c", "(chain 0 <= a < b <= c)"),
    ("a == b == c", "(chain a == b == c)"),
    ("(a < b) < c", "(< (< a b) c)"),
    ("a < (b < c)", "(< a (< b c))"),
    ("(a) < b < c", "(chain a < b < c)"),
    ("a < b != c", "(!= (< a b) c)"),
    ("a != b == c", "(== (!= a b) c)"),
    ("0 <= i < n && p(i)", "(&& (chain 0 <= i < n) p(i))"),
    ("s@ =~= t", "(=~= s@ t)"),
    ("a =~~= b", "(=~~= a b)"),
    ("a !~= b", "(!~= a b)"),
    ("a === b && c !== d", "(&& (=== a b) (!== c d))"),
    # arithmetic
    ("a | b ^ c & d << e + f * g", "(| a (^ b (& c (<< d (+ e (* f g))))))"),
    ("a - b - c", "(- (- a b) c)"),
    ("x & y == z", "(== (& x y) z)"),
    ("a << 2 >> 3", "(>> (<< a 2) 3)"),
    ("a<-b", "(< a (- b))"),
    ("-a * b", "(* (- a) b)"),
    ("-1", "(- 1)"),
    # casts
    ("x as int < y", "(< (as x int) y)"),
    ("x as int + 1 < y as int", "(< (+ (as x int) 1) (as y int))"),
    ("x as u8 as int", "(as (as x u8) int)"),
    ("x as T < b", "(< (as x T) b)"),
    ("x as Vec<T> == b", "(== (as x Vec<T>) b)"),
    ("x as u64 << 3", "(<< (as x u64) 3)"),
    ("*x as int", "(as (* x) int)"),
    # is, has, matches
    ("x is A && b", "(&& (is x A) b)"),
    ("x is A ==> y is B", "(==> (is x A) (is y B))"),
    ("a + x is A", "(+ a (is x A))"),
    ("-x is A", "(is (- x) A)"),
    ("x !is A", "(!is x A)"),
    ("s has x && t !has y", "(&& (has s x) (!has t y))"),
    ("x matches Some(y) && y > 0 ==> z", "(==> (&& (matches x Some(y)) (> y 0)) z)"),
    ("a && x matches Some(y) ==> y > 0", "(&& a (==> (matches x Some(y)) (> y 0)))"),
    ("a ==> x matches Some(y) && b && c", "(==> a (&& (matches x Some(y)) (&& b c)))"),
    # what follows an atom
    ("!x@.b", "(! x@.b)"),
    ("x.0.1.2.f()", "x.0.1.2.f()"),
    ("x.0(y)", "x.0(y)"),
    ("x->0", "x->0"),
    ("x->Some_0.len()", "x->Some_0.len()"),
    ("a@[i]@.len()", "a@[i]@.len()"),
    ("a.b::<T>(c)", "a.b<T>(c)"),
    ("a::<int>(b)", "a<int>(b)"),
    ("<T as Tr<U>>::f(x)", "<T as Tr<U>>::f(x)"),
    ("<[T]>::len(x)", "<SliceType(T)>::len(x)"),
    ("final(x)@.len()", "final(x)@.len()"),
    ("old(x).f", "old(x).f"),
    ("x?", "Try(x)"),
    ("x.await", "Await(x)"),
    ("#[trigger] f(x) == g(x)", "(== #[trigger]f(x) g(x))"),
    # borrows, ranges, assignments
    ("&&x", "(& (& x))"),
    ("&mut x.f", "(&mut x.f)"),
    ("a..b + 1", "(.. a (+ b 1))"),
    ("..=5", "(..= - 5)"),
    ("f(a.., ..)", "f((.. a -), (.. - -))"),
    ("a = b = c", "(= a (= b c))"),
    ("a += b", "(+= a b)"),
    # closures
    ("|x: int| x + 1", "(|x: int| (+ x 1))"),
    ("|| 5", "(|| 5)"),
    ("|a||b| c", "(|a| (|b| c))"),
    ("|when| when + 1", "(|when| (+ when 1))"),
    # blocks and lists of conditions
    ("{ &&& a ==> b &&& c }", "{(&&& (==> a b) c)}"),
    ("{ ||| a ||| b && c }", "{(||| a (&& b c))}"),
    ("{ &&& a &&& x matches P(q) &&& r }", "{(&&& a (matches x P(q)) r)}"),
    ("if a { b } else if c { d } else { e }", "If(a, {b}, If(c, {d}, {e}))"),
    ("if let Some(x) = y && z { a }", "If((&& LetCond(Some(x), y) z), {a})"),
    ("match x { A | B if c => 1, C(x) => { 2 } D => 3, }", "Match(x, [Arm(OrPat([A, B]), c, 1), Arm(C(x), {2}), Arm(D, 3)])"),
    ("match x { S { a, .. } => a }", "Match(x, [Arm(StructPat(S, [(a, a)], True), a)])"),
    ("if x == S { y } else { z }", "If((== x S), {y}, {z})"),
    ("if x == (S { y }) { z }", "If((== x StructExpr(S, [(y, y)])), {z})"),
    # constructors
    ("Foo { a: 1, b, ..c }", "StructExpr(Foo, [(a, 1), (b, b)], c)"),
    ("(a,)", "(a,)"),
    ("()", "()"),
    ("(a)", "a"),
    ("[a, b]", "ArrayExpr([a, b])"),
    ("[a; 5]", "RepeatExpr(a, 5)"),
    # jumps
    ("return a ==> b", "Jump(return, (==> a b))"),
    ("break 'a x", "Jump(break, 'a, x)"),
    ("{ if a { return } b }", "{If(a, {Jump(return)}); b}"),
    # words that are keywords only in their place
    ("open + spec * proof", "(+ open (* spec proof))"),
    ("x.matches(y)", "x.matches(y)"),
    ("is is is", "(is is is)"),
]


@pytest.mark.parametrize(("text", "expected"), PRECEDENCE, ids=[text for text, _ in PRECEDENCE])
def test_what_binds_to_what(text: str, expected: str) -> None:
    assert expr(text) == expected


LITERALS: list[tuple[str, str, object, str]] = [
    ("5", "int", 5, ""),
    ("1_000u64", "int", 1000, "u64"),
    ("5int", "int", 5, "int"),
    ("0xff_u8", "int", 255, "u8"),
    ("0b101", "int", 5, ""),
    ("0o17nat", "int", 15, "nat"),
    ("007", "int", 7, ""),
    ("1.5e3", "float", "1.5e3", ""),
    ("2f64", "float", "2", "f64"),
    ("true", "bool", True, ""),
    ("'a'", "char", "a", ""),
    (r"'\u{1F600}'", "char", "\U0001f600", ""),
    (r"'\''", "char", "'", ""),
    (r"b'\n'", "byte", "\n", ""),
    (r'"a\tb\x41"', "str", "a\tbA", ""),
    ('"a\\\n   b"', "str", "ab", ""),
    ('r#"a\\n"b"#', "str", 'a\\n"b', ""),
    (r'b"\xff\\"', "bytestr", b"\xff\\", ""),
    ('c"x"', "bytestr", b"x", ""),
]


@pytest.mark.parametrize(("text", "kind", "value", "suffix"), LITERALS, ids=[case[0] for case in LITERALS])
def test_literal_means(text: str, kind: str, value: object, suffix: str) -> None:
    node = expr_node(text)
    assert isinstance(node, sx.Literal)
    assert (node.kind, node.value, node.suffix) == (kind, value, suffix)


@pytest.mark.parametrize("text", [r"'\q'", r'"\u{110000}"', "0x_", "9" * 5000])
def test_malformed_literal(text: str) -> None:
    with pytest.raises(ParseFailure, match="malformed"):
        expr_node(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a <==> b <==> c", "parentheses"),
        ("a && &&& b", "leading `&&&`"),
        ("x as int.f()", "parentheses"),
        ("a +", "expected an expression, found the end"),
        ("f(a b)", r"expected `\)`, found `b`"),
        ("a b", "expected the end of the text, found `b`"),
        ("match x { A => 1 B => 2 }", "expected `,`"),
        ("{ a b }", "expected `;`"),
    ],
)
def test_what_the_grammar_refuses(text: str, message: str) -> None:
    with pytest.raises(ParseFailure, match=message):
        expr_node(text)


def test_quantifier_with_triggers_and_attributes() -> None:
    node = expr_node("forall|i: int, j: int| #![trigger f(i), g(j)] #![trigger h(i, j)] #![auto] p")
    assert isinstance(node, sx.Quantifier)
    assert [len(group) for group in node.triggers] == [2, 1]
    assert [attr.path for attr in node.attrs] == ["auto"]
    assert expr("choose|x: T| #[trigger] p(x)") == "(choose [x: T] #[trigger]p(x))"


def test_closure_with_a_contract() -> None:
    node = expr_node("move |x: u64| -> (r: u64) requires x < 5, ensures r == x { x }")
    assert isinstance(node, sx.Closure)
    assert node.kind == "move"
    assert isinstance(node.output_name, sx.IdentPat)
    assert [clause.kind for clause in node.clauses] == ["requires", "ensures"]
    assert isinstance(node.body, sx.Block)


def test_spans_are_the_text_of_the_node() -> None:
    text = "verus! { spec fn f() -> bool { (a + é) * 2 < b && c.d()@ is Some } }"
    source = from_text("t.rs", text)
    from translate.parser import parse_file

    (fn,) = parse_file(source).items
    assert isinstance(fn, sx.Fn)
    body = body_of(fn)
    assert body is not None
    found = {(type(node).__name__, source.snippet(node.span)) for node in nodes(body.tail)}
    assert ("Binary", "(a + é) * 2 < b && c.d()@ is Some") in found
    assert ("Binary", "(a + é) * 2") in found
    assert ("Binary", "a + é") in found
    assert ("Is", "c.d()@ is Some") in found
    assert ("View", "c.d()@") in found
    assert ("MethodCall", "c.d()") in found


def test_macro_arguments_parse_on_demand() -> None:
    call = expr_node("seq![a, b + 1, |x| x]")
    assert isinstance(call, sx.MacroCall)
    assert [type(e).__name__ for e in parse_expr_list(call.body)] == ["PathExpr", "Binary", "Closure"]
    table = expr_node("map![k => v, 1int => |x: int| x,]")
    assert isinstance(table, sx.MacroCall)
    assert len(parse_map_entries(table.body)) == 2


def test_verus_proof_expr_is_transparent() -> None:
    assert expr("verus_proof_expr!((a ==> b))") == "(==> a b)"
    assert expr("verus_proof_expr!{ a ==> b }") == "{(==> a b)}"


def test_raw_borrow() -> None:
    node = expr_node("&raw mut x.f")
    assert isinstance(node, sx.Borrow)
    assert (node.raw, node.mutable) == (True, True)
    plain = expr_node("&raw")
    assert isinstance(plain, sx.Borrow)
    assert not plain.raw


def test_atomic_call() -> None:
    node = expr_node("f(x) atomically |update| { update(y); }")
    assert isinstance(node, sx.AtomicCall)
    assert (node.binder, node.looped) == ("update", False)


TYPES = [
    ("&'a mut Vec<Option<u8>>", "&mut Vec<Option<u8>>"),
    ("&&T", "&&T"),
    ("[u8; N]", "ArrayType(u8, N)"),
    ("[T]", "SliceType(T)"),
    ("(A, B,)", "(A, B,)"),
    ("(A)", "A"),
    ("spec_fn(int, nat) -> bool", "spec_fn(int, nat) -> bool"),
    ("FnSpec(A) -> B", "FnSpec(A) -> B"),
    ("Map<K, spec_fn(V) -> bool>", "Map<K, spec_fn(V) -> bool>"),
    ("<T as Tr>::Out", "<T as Tr>::Out"),
    ("Vec<<T as Tr>::Out>", "Vec<<T as Tr>::Out>"),
    ("Iter<Item = u8, 'a>", "Iter<Item = u8>"),
    ("A<{ N + 1 }, 5, -3>", "A<{(+ N 1)}, 5, (- 3)>"),
    ("*const T", "PtrType(T)"),
    ("fn(x: A, B) -> C", "FnPtrType([A, B], C)"),
    ("for<'a> fn(&'a A)", "FnPtrType([&A])"),
    ("impl Fn(A) -> B + 'a", "BoundsType(impl, [Bound(Fn(A) -> B), Bound('a)])"),
    ("dyn for<'a> Tr<'a> + Send", "BoundsType(dyn, [Bound(Tr<>), Bound(Send)])"),
    ("!", "NeverType()"),
    ("_", "_"),
    ("::std::vec::Vec<T>", "::std::vec::Vec<T>"),
    ("m!(x)", "MacroType(m, Group('(', 10, 13))"),
]


@pytest.mark.parametrize(("text", "expected"), TYPES, ids=[text for text, _ in TYPES])
def test_types(text: str, expected: str) -> None:
    assert type_shape(text) == expected


def test_proof_fn_type_keeps_modes_and_options() -> None:
    fn = function("proof fn f(tracked g: proof_fn<'a>[Once, Send](tracked A, b: B) -> tracked C) {}")
    (param,) = fn.params
    assert param.mode == "tracked"
    assert isinstance(param.type, sx.PathType)
    args = param.type.path.segments[0].args
    assert args is not None
    assert args.modes == ["tracked", "", "tracked"]
    assert [path.text for path in args.options] == ["Once", "Send"]


PATTERNS = [
    ("x", "x"),
    ("mut x", "mut x"),
    ("ref mut x", "ref mut x"),
    ("x @ Some(_)", "x @ Some(_)"),
    ("Tracked(x)", "Tracked(x)"),
    ("(a, .., b)", "(a, .., b,)"),
    ("A::B", "A::B"),
    ("S { x: Some(y), z, .. }", "StructPat(S, [(x, Some(y)), (z, z)], True)"),
    ("&x", "RefPat(x)"),
    ("-1", "LitPat((- 1))"),
    ("[a, b @ ..]", "SlicePat([a, b @ ..])"),
    ("(A | B)", "OrPat([A, B])"),
]


@pytest.mark.parametrize(("text", "expected"), PATTERNS, ids=[text for text, _ in PATTERNS])
def test_patterns(text: str, expected: str) -> None:
    assert expr(f"x matches {text}") == f"(matches x {expected})"


@pytest.mark.parametrize(
    ("text", "low", "high", "inclusive"),
    [("0..=9", True, True, True), ("..5", False, True, False), ("5..", True, False, False), ("'a'..='z'", True, True, True)],
)
def test_range_patterns(text: str, low: bool, high: bool, inclusive: bool) -> None:
    node = expr_node(f"match x {{ {text} => a, _ => b }}")
    assert isinstance(node, sx.Match)
    pattern = node.arms[0].pattern
    assert isinstance(pattern, sx.RangePat)
    assert (pattern.low is not None, pattern.high is not None, pattern.inclusive) == (low, high, inclusive)
