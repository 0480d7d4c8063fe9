"""Blocks and statements."""

from __future__ import annotations

from translate.parser.control import Control
from translate.syntax import (
    Attr,
    AttrExpr,
    Block,
    Expr,
    ExprStmt,
    ItemStmt,
    LetStmt,
    MacroCall,
    Stmt,
)
from translate.tokens import Group, Token

VERUS_MACROS = frozenset(("verus", "verus_", "verus_impl", "verus_trait_impl", "verus_keep_ghost", "verus_erase_ghost"))


class Statements(Control):
    __slots__ = ()

    def block(self, kind: str = "", label: str | None = None, start: int | None = None) -> Block:
        """`{ statements; tail }`, with the cursor at the brace."""
        group = self.enter("{", "block")
        self.deeper()
        height = self.height
        self.inner_attrs()
        stmts, tail = self.statements()
        self.height = max(height, self.height + 1)
        self.depth -= 1
        self.leave(group, "block")
        return Block(self.span(group.start if start is None else start), stmts, tail, kind, label)

    def statements(self) -> tuple[list[Stmt], Expr | None]:
        """Statements up to the end of the group; an expression without a semicolon at the end is the block's value."""
        stmts: list[Stmt] = []
        height = 0
        while True:
            while self.eat(";"):
                pass
            if self.tok.kind == "eof":
                self.height = height
                return stmts, None
            start = self.tok.start
            self.height = 0
            attrs_at = self.i
            attrs = self.outer_attrs() if self.tok.text == "#" else []
            if self.tok.text == "let":
                stmts.append(self.let_statement(start, attrs))
            elif self.at_item() or self.at_verus_block():
                if attrs:
                    self.seek(attrs_at)
                stmts.extend(ItemStmt(item.span, item) for item in self.items_here())
            else:
                expr, block_like = self.statement_expr(attrs, attrs_at)
                semicolon = self.eat(";")
                if not semicolon:
                    if self.tok.kind == "eof":
                        self.height = max(height, self.height)
                        return stmts, expr
                    if not block_like:
                        self.fail("statement", "expected `;`")
                stmts.append(ExprStmt(self.span(start), expr, semicolon))
            height = max(height, self.height)

    def seek(self, index: int) -> None:
        self.i = index
        self.tok = self.toks[index]

    def macro_name(self) -> tuple[Token, Token] | None:
        """For a macro call at the cursor: the last name of its path, and the token behind its `!`."""
        toks = self.toks
        i = self.i
        if toks[i].text == "::":
            i += 1
        while toks[i].kind == "ident":
            after = toks[i + 1].text
            if after == "!":
                return toks[i], toks[i + 2]
            if after != "::":
                return None
            i += 2
        return None

    def at_verus_block(self) -> bool:
        """Whether a `verus! { … }` block stands among statements: its items become statements."""
        found = self.macro_name()
        return found is not None and found[0].text in VERUS_MACROS and isinstance(found[1], Group)

    def statement_expr(self, attrs: list[Attr], attrs_at: int) -> tuple[Expr, bool]:
        """An expression statement; also says whether it may stand without a semicolon."""
        start = attrs[0].span.start if attrs else self.tok.start
        found = self.macro_name()
        if found is not None and found[1].text == "{":
            macro_start = self.tok.start
            path = self.plain_path("macro call")
            after = self.peek(2)
            if after.text not in (".", "?") and path.segments[-1].name not in ("verus_proof_expr", "verus_exec_expr"):
                self.bump()
                body = self.take_group("macro call")
                call: Expr = MacroCall(self.span(macro_start), path, body)
                return (AttrExpr(self.span(start), attrs, call) if attrs else call), True
            self.seek(attrs_at)
            return self.expr(), False
        if not attrs:
            return self.boundary_expr()
        block_start = self.tok.start
        block = self.block_like()
        if block is None:
            self.seek(attrs_at)
            return self.expr(), False
        if not self.goes_on(block):
            return AttrExpr(self.span(start), attrs, block), True
        base = self.trailer(block, block_start)
        return self.binary(AttrExpr(self.span(start), attrs, base), start, True, 0), False

    def let_statement(self, start: int, attrs: list[Attr]) -> Stmt:
        self.bump()
        mode = ""
        if self.tok.text in ("ghost", "tracked") and self.peek().text not in (":", "=", ";", "|"):
            mode = self.bump().text
        pattern = self.pattern()
        of = self.type() if self.eat(":") else None
        init: Expr | None = None
        orelse: Block | None = None
        if self.eat("="):
            init = self.expr()
            if self.eat("else"):
                orelse = self.block()
        self.expect(";", "let statement")
        return LetStmt(self.span(start), pattern, of, init, orelse, mode, attrs)
