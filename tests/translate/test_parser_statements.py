"""Bodies: statements, loops with their clauses, proofs."""

from __future__ import annotations

import pytest

from tests.translate.shapes import function, shape
from translate import syntax as sx
from translate.parser import ParseFailure, body_of, parse_block


def body(text: str) -> sx.Block:
    block = body_of(function(f"fn f() {{ {text} }}"))
    assert block is not None
    return block


def statement(text: str) -> sx.Stmt:
    (stmt,) = body(text).stmts
    return stmt


def expression(text: str) -> sx.Expr:
    """The one expression in the body, with or without a semicolon."""
    block = body(text)
    if block.tail is not None:
        assert block.stmts == []
        return block.tail
    (stmt,) = block.stmts
    assert isinstance(stmt, sx.ExprStmt)
    return stmt.expr


def test_body_is_parsed_once_and_on_demand() -> None:
    fn = function("spec fn f() -> int { 1 + 2 }")
    assert fn.parsed_body is None
    first = body_of(fn)
    assert first is not None
    assert shape(first) == "{(+ 1 2)}"
    assert body_of(fn) is first
    assert body_of(function("spec fn f() -> int;")) is None


def test_failing_body_raises_with_its_place() -> None:
    fn = function("fn f() { let x = ; }")
    with pytest.raises(ParseFailure) as caught:
        body_of(fn)
    assert caught.value.construct == "expression"
    assert fn.parsed_body is None


@pytest.mark.parametrize(
    ("text", "mode", "pattern"),
    [
        ("let x: u8 = 1;", "", "x"),
        ("let ghost x = 1;", "ghost", "x"),
        ("let ghost mut x = 1;", "ghost", "mut x"),
        ("let tracked (a, b) = t;", "tracked", "(a, b,)"),
        ("let ghost = 1;", "", "ghost"),
        ("let Tracked(x) = t;", "", "Tracked(x)"),
        ("let (a, mut b);", "", "(a, mut b,)"),
    ],
)
def test_let(text: str, mode: str, pattern: str) -> None:
    stmt = statement(text)
    assert isinstance(stmt, sx.LetStmt)
    assert (stmt.mode, shape(stmt.pattern)) == (mode, pattern)


def test_let_else() -> None:
    stmt = statement("let Some(x) = o else { return };")
    assert isinstance(stmt, sx.LetStmt)
    assert shape(stmt.orelse) == "{Jump(return)}"


def test_block_like_statements_end_with_their_brace() -> None:
    block = body("if a { b } else { c } -d")
    assert (len(block.stmts), shape(block.tail)) == (1, "(- d)")
    assert shape(body("match x { _ => 1 }.f()").tail) == "Match(x, [Arm(_, 1)]).f()"
    assert shape(body("let x = if a { b } else { c } + 1; x").stmts[0]).endswith("(+ If(a, {b}, {c}) 1))")


def test_while_with_every_clause() -> None:
    loop = expression(
        """
        while i < n && x
            invariant_except_break a,
            invariant 0 <= i <= n, v@.len() == n,
            ensures i == n,
            decreases n - i
        { i += 1; }
        """
    )
    assert isinstance(loop, sx.Loop)
    assert [(clause.kind, len(clause.exprs)) for clause in loop.clauses] == [
        ("invariant_except_break", 1),
        ("invariant", 2),
        ("ensures", 1),
        ("decreases", 1),
    ]
    assert len(loop.body.stmts) == 1


def test_for_with_iterator_name() -> None:
    loop = expression("for x in it: 0..n invariant it.cur <= n { }")
    assert isinstance(loop, sx.Loop)
    assert (loop.kind, loop.iter_name, shape(loop.pattern), shape(loop.operand)) == ("for", "it", "x", "(.. 0 n)")
    plain = expression("for (a, b) in v.iter() { }")
    assert isinstance(plain, sx.Loop)
    assert (plain.iter_name, shape(plain.operand)) == (None, "v.iter()")


def test_labels_and_jumps() -> None:
    loop = expression("'a: loop invariant x { if y { continue 'a } break 'a z; }")
    assert isinstance(loop, sx.Loop)
    assert loop.label == "'a"
    assert "Jump(continue, 'a)" in shape(loop)
    assert "Jump(break, 'a, z)" in shape(loop)
    block = body("'b: { 1 }").tail
    assert isinstance(block, sx.Block)
    assert block.label == "'b"


def test_while_let_and_chains() -> None:
    loop = expression("while let Some(x) = v.pop() && x > 0 { }")
    assert isinstance(loop, sx.Loop)
    assert shape(loop.cond) == "(&& LetCond(Some(x), v.pop()) (> x 0))"


def test_attributes_on_statements() -> None:
    loop = expression("#[verifier::loop_isolation(false)] while a { }")
    assert isinstance(loop, sx.AttrExpr)
    assert isinstance(loop.operand, sx.Loop)
    let = statement("#[verifier::truncate] let x = y as u8;")
    assert isinstance(let, sx.LetStmt)
    assert let.attrs[0].path == "verifier::truncate"


def test_assert_by_prover() -> None:
    node = expression("assert(x & y == z) by (bit_vector) requires x < 5, y < 5;")
    assert isinstance(node, sx.Assert)
    assert (node.prover, len(node.requires), node.body) == ("bit_vector", 2, None)


def test_assert_by_block_and_forall() -> None:
    node = body("assert(a) by { lemma(); } b").stmts[0]
    assert isinstance(node, sx.ExprStmt)
    assert isinstance(node.expr, sx.Assert)
    assert node.expr.body is not None
    forall = expression("assert forall|i: int| #![trigger p(i)] 0 <= i implies p(i) by { lemma(i); }")
    assert isinstance(forall, sx.Assert)
    assert shape(forall.condition) == "(forall [i: int] trigger[p(i)] (==> (<= 0 i) p(i)))"
    assert forall.body is not None


def test_proof_and_unsafe_blocks() -> None:
    block = body("proof { assume(a); reveal(f::<T>); reveal_with_fuel(g, 3); hide(h) } unsafe { x }")
    first = block.stmts[0]
    assert isinstance(first, sx.ExprStmt)
    assert isinstance(first.expr, sx.Block)
    assert first.expr.kind == "proof"
    assert [shape(stmt) for stmt in first.expr.stmts] == ["assume(a)", "reveal(f<T>)", "reveal_with_fuel(g, 3)"]
    assert shape(block.tail) == "unsafe{x}"


def test_macros_as_statements() -> None:
    block = body('calc!{ (==) a; {} b; } vec![1, 2].len(); m!{} ; println!("{}", x)')
    kinds = [type(stmt.expr).__name__ for stmt in block.stmts if isinstance(stmt, sx.ExprStmt)]
    assert kinds == ["MacroCall", "MethodCall", "MacroCall"]
    assert isinstance(block.tail, sx.MacroCall)


def test_items_inside_a_body() -> None:
    block = body("fn g() {} use a::b; const C: u8 = 1; broadcast use x; proof fn h() {} 1")
    assert [type(stmt.item).__name__ for stmt in block.stmts if isinstance(stmt, sx.ItemStmt)] == [
        "Fn",
        "Use",
        "Const",
        "BroadcastUse",
        "Fn",
    ]


def test_closures_and_ghost_calls() -> None:
    text = "let g = |x: u8| -> (r: u8) requires x < 9 ensures r == x { x }; f(Ghost(a + 1), Tracked(&mut t));"
    assert len(body(text).stmts) == 2


def test_block_of_a_macro() -> None:
    stmt = expression("proof!{ let x = 1; lemma(x); }")
    assert isinstance(stmt, sx.MacroCall)
    assert len(parse_block(stmt.body).stmts) == 2


def test_empty_statements_and_trailing_semicolon() -> None:
    block = body(";; a; ;")
    assert (len(block.stmts), block.tail) == (1, None)
