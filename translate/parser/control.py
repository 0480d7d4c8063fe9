"""Expressions with keywords: control flow, quantifiers, closures, assertions, jumps."""

from __future__ import annotations

from typing import Final

from translate.parser.expressions import COMPARE, Expressions
from translate.syntax import (
    Arm,
    Assert,
    Attr,
    Binary,
    Binder,
    Block,
    Call,
    Closure,
    Expr,
    If,
    Jump,
    LetCond,
    Loop,
    Match,
    Path,
    PathExpr,
    PathSegment,
    Pattern,
    Quantifier,
    Type,
    Underscore,
)
from translate.tokens import Group

_CLOSURE_WORDS: Final = ("const", "static", "async", "move", "proof_fn")
_NO_VALUE: Final = frozenset(("=>", "=", ",", ";", ".", "?", ":", "==", "==>", "&&&", "|||"))


class Control(Expressions):
    __slots__ = ()

    def keyword_atom(self, text: str, start: int, struct: bool) -> Expr:
        after = self.peek().text
        if text in ("true", "false"):
            return self.literal()
        if text == "if":
            return self.if_expr()
        if text == "match":
            return self.match_expr()
        if text == "return" or text == "break" or text == "continue" or text == "yield" or text == "become":
            return self.jump(text, start, struct)
        if text == "let":
            return self.let_condition(start, struct)
        if text in ("while", "loop") or (text == "for" and after != "<"):
            return self.loop_expr(start, None)
        if text in ("unsafe", "const", "try") and after == "{":
            self.bump()
            return self.block(text, None, start)
        if text == "async" and (after == "{" or (after == "move" and self.peek(2).text == "{")):
            self.bump()
            self.eat("move")
            return self.block("async", None, start)
        if text in ("move", "async", "const", "static", "for"):
            return self.closure(start, struct)
        if text == "_":
            self.bump()
            return Underscore(self.span(start))
        if text == "final" and after == "(":
            self.bump()
            span = self.span(start)
            func = PathExpr(span, Path(span, [PathSegment(span, "final")]))
            args = self.call_args()
            return Call(self.span(start), func, args)
        raise self.failure("expression", "expected an expression")

    def special_atom(self, text: str, start: int, struct: bool) -> Expr | None:
        """Atoms that begin with a word which is a keyword only in Verus, and only where the next token says so."""
        if text == "assert":
            after = self.peek().text
            if after == "(":
                return self.assert_expr(start)
            if after == "forall":
                return self.assert_forall(start)
        elif text == "proof":
            if self.peek().text == "{":
                self.bump()
                return self.block("proof", None, start)
        elif text == "proof_fn" and self.peek().text in ("|", "||", "["):
            return self.closure(start, struct)
        return None

    # --- branches ---

    def if_expr(self) -> Expr:
        start = self.bump().start
        cond = self.expr(struct=False)
        then = self.block()
        orelse: Expr | None = None
        if self.eat("else"):
            if self.tok.text == "if":
                self.deeper()
                orelse = self.if_expr()
                self.depth -= 1
                self.height += 1
            else:
                orelse = self.block()
        return If(self.span(start), cond, then, orelse)

    def let_condition(self, start: int, struct: bool) -> Expr:
        self.bump()
        pattern = self.pattern()
        self.expect("=", "let condition")
        operand_start = self.tok.start
        self.deeper()
        operand = self.binary(self.unary(struct), operand_start, struct, COMPARE)
        self.depth -= 1
        self.height += 1
        return LetCond(self.span(start), pattern, operand)

    def match_expr(self) -> Expr:
        start = self.bump().start
        operand = self.expr(struct=False)
        group = self.enter("{", "match")
        self.inner_attrs()
        arms: list[Arm] = []
        while self.tok.kind != "eof":
            arm_start = self.tok.start
            attrs = self.outer_attrs()
            pattern = self.pattern()
            guard = self.expr() if self.eat("if") else None
            self.expect("=>", "match arm")
            body, block_like = self.boundary_expr()
            arms.append(Arm(self.span(arm_start), pattern, guard, body, attrs))
            if not self.eat(",") and not block_like and self.tok.kind != "eof":
                self.fail("match arm", "expected `,`")
        self.leave(group, "match")
        return Match(self.span(start), operand, arms)

    # --- expressions that end where their block ends ---

    def boundary_expr(self) -> tuple[Expr, bool]:
        """An expression as a statement or a match arm has it: `if`, a loop, a block … ends with its brace, unless a
        method call follows. Also says whether it ended so."""
        start = self.tok.start
        outer = self.height
        self.height = 0
        block = self.block_like()
        if block is None:
            result, ended = self.expr(), False
        elif self.goes_on(block):
            result, ended = self.binary(self.trailer(block, start), start, True, 0), False
        else:
            result, ended = block, True
        self.height = max(outer, self.height + 1)
        return result, ended

    def goes_on(self, block: Expr) -> bool:
        """Whether a block-like expression is only the first part of its statement."""
        if isinstance(block, Assert) and block.body is None:
            return True
        return self.tok.text in (".", "?", "->")

    def block_like(self) -> Expr | None:
        """An expression that may end a statement without a semicolon (or an `assert`), if one begins here."""
        token = self.tok
        text = token.text
        if text == "{":
            return self.block()
        if token.kind == "lifetime":
            return self.labelled(token.start)
        if token.kind != "ident":
            return None
        if text in ("if", "match", "while", "loop"):
            return self.keyword_atom(text, token.start, True)
        if text == "for":
            return None if self.peek().text == "<" else self.loop_expr(token.start, None)
        after = self.peek().text
        if text in ("unsafe", "const", "try", "proof"):
            if after == "{":
                self.bump()
                return self.block(text, None, token.start)
        elif text == "assert":
            if after == "forall":
                return self.assert_forall(token.start)
            if after == "(":
                return self.assert_expr(token.start)
        return None

    # --- loops and jumps ---

    def labelled(self, start: int) -> Expr:
        label = self.bump().text
        self.expect(":", "label")
        if self.tok.text == "{":
            return self.block("", label, start)
        if self.tok.text not in ("while", "loop", "for"):
            self.fail("label", "expected a loop or a block")
        return self.loop_expr(start, label)

    def loop_expr(self, start: int, label: str | None) -> Expr:
        kind = self.bump().text
        cond: Expr | None = None
        pattern: Pattern | None = None
        operand: Expr | None = None
        iter_name: str | None = None
        if kind == "while":
            cond = self.expr(struct=False)
        elif kind == "for":
            pattern = self.pattern()
            self.expect("in", "for loop")
            if self.at_name() and self.peek().text == ":":
                iter_name = self.name("for loop")
                self.bump()
            operand = self.expr(struct=False)
        clauses = self.clauses(False)
        body = self.block()
        return Loop(self.span(start), kind, cond, pattern, operand, iter_name, clauses, body, label)

    def jump(self, kind: str, start: int, struct: bool) -> Expr:
        self.bump()
        label: str | None = None
        value: Expr | None = None
        if self.tok.kind == "lifetime" and kind != "return" and not (kind == "break" and self.peek().text == ":"):
            label = self.bump().text
        token = self.tok
        valued = kind != "continue" and token.kind != "eof" and token.text not in _NO_VALUE
        if valued and token.kind == "ident" and token.text in ("as", "else", "in"):
            valued = False
        if valued and token.text == "{" and not struct:
            valued = False
        if valued:
            value = self.expr(struct)
        return Jump(self.span(start), kind, label, value)

    # --- quantifiers and closures ---

    def binders(self) -> list[Binder]:
        """`|x, tracked y: T|`"""
        result: list[Binder] = []
        if self.eat("||"):
            return result
        self.expect("|", "parameters")
        while not (self.tok.kind == "punct" and self.tok.text.startswith("|")):
            self.drop_attrs()
            start = self.tok.start
            mode = ""
            if self.tok.text in ("tracked", "ghost") and self.peek().text not in (",", ":", "|", "||"):
                mode = self.bump().text
            pattern = self.pattern_single()
            of: Type | None = self.type() if self.eat(":") else None
            result.append(Binder(self.span(start), pattern, of, mode))
            if not self.eat(","):
                break
        if not self.eat_prefix("|"):
            self.fail("parameters", "expected `|`")
        return result

    def triggers(self) -> tuple[list[list[Expr]], list[Attr]]:
        """`#![trigger a, b]` groups, and the other inner attributes."""
        groups: list[list[Expr]] = []
        attrs: list[Attr] = []
        while self.tok.text == "#" and self.peek().text == "!":
            body = self.peek(2)
            if isinstance(body, Group) and body.text == "[" and body.tokens()[0].text == "trigger":
                self.bump()
                self.bump()
                group = self.enter("[", "trigger")
                self.bump()
                groups.append(self.expr_list())
                self.leave(group, "trigger")
            else:
                attrs.extend(self.inner_attrs_once())
        return groups, attrs

    def inner_attrs_once(self) -> list[Attr]:
        raise NotImplementedError

    def quantifier(self, struct: bool) -> Expr:
        start = self.tok.start
        kind = self.bump().text
        binders = self.binders()
        triggers, attrs = self.triggers()
        body = self.expr(struct)
        return Quantifier(self.span(start), kind, binders, triggers, body, attrs)

    def closure(self, start: int, struct: bool) -> Expr:
        if self.tok.text == "for":
            self.skip_binder()
        words: list[str] = []
        while self.tok.text in _CLOSURE_WORDS:
            word = self.bump().text
            words.append(word)
            if word == "proof_fn" and self.tok.text == "[":
                self.take_group("closure")
        params = self.binders()
        kind = " ".join(words)
        if self.tok.text in ("->", "requires", "ensures"):
            output_name, output, _ = self.return_type()
            clauses = self.clauses(False)
            self.inner_attrs()
            body: Expr = self.block()
            return Closure(self.span(start), params, output, output_name, body, kind, clauses)
        self.triggers()
        body = self.expr(struct)
        return Closure(self.span(start), params, None, None, body, kind)

    # --- assertions ---

    def assert_expr(self, start: int) -> Expr:
        self.bump()
        group = self.enter("(", "assert")
        condition = self.expr()
        self.eat(",")
        self.leave(group, "assert")
        if self.tok.text != "by":
            return Assert(self.span(start), condition)
        self.bump()
        prover = self.prover()
        requires: list[Expr] = []
        body: Block | None = None
        if prover is not None or self.tok.text == "requires":
            requires = [e for clause in self.clauses(False) for e in clause.exprs]
        if self.tok.text == "{":
            body = self.block()
        elif prover is None:
            self.fail("assert", "expected `(` or `{` behind `by`")
        return Assert(self.span(start), condition, prover, body, requires)

    def prover(self) -> str | None:
        if self.tok.text != "(":
            return None
        group = self.enter("(", "prover")
        name = self.name("prover")
        if self.tok.text == "(":  # options of a prover
            self.take_group("prover")
        self.leave(group, "prover")
        return name

    def assert_forall(self, start: int) -> Expr:
        self.bump()
        quantifier_start = self.bump().start
        binders = self.binders()
        triggers, attrs = self.triggers()
        body_start = self.tok.start
        body = self.expr()
        if self.eat("implies"):
            conclusion = self.expr()
            body = Binary(self.span(body_start), "==>", body, conclusion)
        condition = Quantifier(self.span(quantifier_start), "forall", binders, triggers, body, attrs)
        self.expect("by", "assert forall")
        prover = self.prover()
        proof = self.block()
        return Assert(self.span(start), condition, prover, proof)
