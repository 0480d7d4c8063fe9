"""The clauses of signatures, loops and closures."""

from __future__ import annotations

from typing import Final

from translate.parser.attributes import Attributes
from translate.syntax import Attr, Clause, Expr, Param

_EXPR_CLAUSES: Final = frozenset(
    "requires ensures returns recommends decreases default_ensures invariant invariant_except_break invariant_ensures".split()
)
_MASKS: Final = frozenset(("opens_invariants", "outer_mask", "inner_mask"))
# The words that end a list of conditions. `with`, `by` and `atomically` stand before all conditions and do not.
_CLAUSE_WORDS: Final = _EXPR_CLAUSES | _MASKS | frozenset(("via", "when", "no_unwind"))


class Clauses(Attributes):
    __slots__ = ()

    def at_clause(self) -> bool:
        return self.tok.kind == "ident" and self.tok.text in _CLAUSE_WORDS

    def clauses(self, in_item: bool) -> list[Clause]:
        """Clauses in any order. In an item a condition may be a bare block if a comma follows it; elsewhere a `{` is
        the body."""
        result: list[Clause] = []
        while self.tok.kind == "ident":
            start = self.tok.start
            word = self.tok.text
            if word in _EXPR_CLAUSES:
                self.bump()
                attrs: list[Attr] = []
                exprs = self.conditions(in_item, attrs)
                result.append(Clause(self.span(start), word, exprs, attrs=attrs))
            elif word in ("when", "via"):
                self.bump()
                expr = self.expr(struct=False)
                self.eat(",")
                result.append(Clause(self.span(start), word, [expr]))
            elif word == "no_unwind":
                self.bump()
                exprs = [self.expr(struct=False)] if self.eat("when") else []
                self.eat(",")
                result.append(Clause(self.span(start), word, exprs))
            elif word in _MASKS:
                result.append(self.mask())
            elif word == "by" and in_item:
                self.bump()
                prover = self.prover()
                if prover is None:
                    self.fail("signature", "expected `(` behind `by`")
                result.append(Clause(self.span(start), word, [], prover))
            elif word == "with" and in_item:
                result.append(self.with_clause())
            elif word == "atomically" and in_item:
                result.append(self.atomic_clause())
            else:
                break
        return result

    def conditions(self, in_item: bool, attrs: list[Attr]) -> list[Expr]:
        exprs: list[Expr] = []
        while self.tok.kind != "eof":
            text = self.tok.text
            if text in (",", ";", "where") or self.at_clause():
                break
            if text == "{" and not (in_item and self.peek().text == ","):
                break
            attrs.extend(self.inner_attrs())
            exprs.append(self.expr(struct=False))
            if not self.eat(","):
                break
        return exprs

    def mask(self) -> Clause:
        """`opens_invariants any`, `none`, `any / [a]`, `[a, b]`, or a set."""
        start = self.tok.start
        kind = self.bump().text
        exprs: list[Expr] = []
        word = self.tok.text
        if word in ("any", "none") and self.peek().text not in ("(", "::", "."):
            self.bump()
            if self.eat("/"):
                word = "except"
        elif word != "[":
            word = "set"
        if word in ("[", "except"):
            group = self.enter("[", kind)
            exprs = self.expr_list()
            self.leave(group, kind)
            word = "list" if word == "[" else word
        elif word == "set":
            exprs = [self.expr(struct=False)]
        self.eat(",")
        return Clause(self.span(start), kind, exprs, word)

    def with_clause(self) -> Clause:
        """`with Tracked(x): T, … -> y: U, …`"""
        start = self.bump().start
        params = self.typed_names()
        outputs = self.typed_names() if self.eat("->") else []
        return Clause(self.span(start), "with", [], None, params, outputs)

    def typed_names(self) -> list[Param]:
        result: list[Param] = []
        while self.tok.kind != "eof" and self.tok.text not in ("->", "{", ";", "atomically") and not self.at_clause():
            result.append(self.param())
            if not self.eat(","):
                break
        return result

    def param(self) -> Param:
        raise NotImplementedError

    def atomic_clause(self) -> Clause:
        """`atomically (au) { type T, (old: A) -> (new: B), requires …, ensures …, outer_mask …, inner_mask … }`"""
        start = self.bump().start
        group = self.enter("(", "atomically")
        binder = self.name("atomically")
        self.leave(group, "atomically")
        braces = self.enter("{", "atomically")
        if self.eat("type"):
            self.name("atomically")
            self.eat(",")
        params: list[Param] = []
        outputs: list[Param] = []
        if self.tok.text == "(":
            params = self.params()[0]
            if self.eat("->"):
                outputs = self.params()[0]
            self.eat(",")
        inner = self.clauses(in_item=False)
        self.leave(braces, "atomically")
        self.eat(",")
        return Clause(self.span(start), "atomically", [], binder, params, outputs, inner)
