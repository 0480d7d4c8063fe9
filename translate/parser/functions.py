"""Functions: parameters, results, signatures, and the contract in a `#[verus_spec(…)]` attribute."""

from __future__ import annotations

import re
from typing import Final

from translate.parser.clauses import Clauses
from translate.parser.cursor import KEYWORDS
from translate.syntax import (
    Attr,
    Clause,
    Fn,
    IdentPat,
    Param,
    Pattern,
    Span,
    TupleStructPat,
    Type,
    WildPat,
)
from translate.tokens import Group

_INNER_ATTR_AHEAD: Final = re.compile(rb"\{(?:\s|//[^\n]*\n)*(?:#!|/\*)")
_QUALIFIERS: Final = frozenset(("const", "unsafe", "async", "safe", "default"))


class Functions(Clauses):
    __slots__ = ()

    # --- parameters and results ---

    def params(self) -> tuple[list[Param], bool]:
        """`(a: A, tracked b: B, …)`, and whether it ends with `...`."""
        group = self.enter("(", "parameters")
        params: list[Param] = []
        variadic = False
        while self.tok.kind != "eof":
            if self.tok.text == "..." or (self.peek().text == ":" and self.peek(2).text == "..."):
                while self.tok.kind != "eof":
                    self.bump()
                variadic = True
                break
            params.append(self.param())
            if not self.eat(","):
                break
        self.leave(group, "parameters")
        return params, variadic

    def param(self) -> Param:
        start = self.tok.start
        attrs = self.outer_attrs()
        mode = ""
        if self.tok.text in ("tracked", "ghost") and self.peek().text != ":":
            mode = self.bump().text
        receiver = self.receiver(start, mode, attrs)
        if receiver is not None:
            return receiver
        pattern = self.pattern_single()
        self.expect(":", "parameter")
        of = self.type()
        return Param(self.span(start), pattern, param_name(pattern), of, mode, None, attrs)

    def receiver(self, start: int, mode: str, attrs: list[Attr]) -> Param | None:
        """`self`, `mut self`, `&'a mut self`, `self: T`."""
        ahead = 0
        if self.tok.text == "&":
            ahead = 2 if self.peek().kind == "lifetime" else 1
        if self.peek(ahead).text == "mut":
            ahead += 1
        if self.peek(ahead).text != "self" or self.peek(ahead + 1).text == "::":
            return None
        words = []
        for _ in range(ahead + 1):
            token = self.bump()
            if token.kind != "lifetime":
                words.append(token.text)
        kind = " ".join(words).replace("& ", "&")
        of: Type | None = self.type() if self.eat(":") else None
        return Param(self.span(start), None, "self", of, mode, kind, attrs)

    def return_type(self) -> tuple[Pattern | None, Type | None, str]:
        """`-> (r: T)`, `-> (tracked r: T)`, `-> tracked T`, `-> T`, or nothing: name, type and mode of the result."""
        if not self.eat("->"):
            return None, None, ""
        token = self.tok
        if isinstance(token, Group) and token.text == "(" and names_result(token):
            group = self.enter("(", "result")
            mode = self.bump().text if self.tok.text in ("tracked", "ghost") and self.peek().text != ":" else ""
            pattern = self.pattern_single()
            self.expect(":", "result")
            of = self.type()
            self.eat(",")
            self.leave(group, "result")
            return pattern, of, mode
        mode = self.arg_mode()
        return None, self.type(), mode

    # --- signatures ---

    def visibility(self) -> str:
        """`pub`, `pub(crate)`, `pub(in a::b)`, or nothing."""
        if not self.eat("pub"):
            return ""
        return "pub" + self.restriction()

    def restriction(self) -> str:
        """`(crate)`, `(super)`, `(in a::b)`, or nothing."""
        group = self.tok
        if not isinstance(group, Group) or group.text != "(":
            return ""
        first, second = group.tokens()[0], group.tokens()[1] if len(group.tokens()) > 1 else group.tokens()[0]
        if first.text == "in" or (first.text in ("crate", "super", "self") and second.kind == "eof"):
            self.bump()
            return "".join(group.source.snippet(Span(group.start, group.end)).split()).replace("(in", "(in ")
        return ""

    def function(self, attrs: list[Attr], start: int) -> Fn:
        vis = self.visibility()
        publish, mode, mode_text = "", "exec", ""
        open_in: str | None = None
        axiom = broadcast = False
        qualifiers: list[str] = []
        while self.tok.text != "fn":
            word = self.bump().text
            if word in ("open", "closed", "uninterp"):
                publish = word
                if word == "open":
                    open_in = self.restriction()[1:-1].removeprefix("in ") or None
            elif word == "extern":
                qualifiers.append(f"extern {self.bump().text}" if self.tok.kind == "str" else word)
            elif word == "broadcast":
                broadcast = True
            elif word in ("spec", "proof", "axiom", "exec"):
                mode = "proof" if word == "axiom" else word
                axiom = word == "axiom"
                mode_text = word
                if word == "spec" and self.tok.text == "(":
                    group = self.enter("(", "function")
                    self.expect("checked", "function")
                    self.leave(group, "function")
                    mode_text = "spec(checked)"
            elif word in _QUALIFIERS:
                qualifiers.append(word)
            else:
                self.fail("function", "expected `fn`")
        self.bump()
        name_token = self.tok
        name = self.name("function")
        generics = self.generics()
        params, variadic = self.params()
        ret_name, ret_type, ret_mode = self.return_type()
        self.where(generics)
        clauses = self.clauses(in_item=True)
        if self.tok.text == "where":
            self.where(generics)
            clauses.extend(self.clauses(in_item=True))
        in_verus = self.in_verus
        for attr in attrs:
            last = attr.path.rpartition("::")[2]
            if last == "verus_verify":
                in_verus = True
            elif last == "verus_spec":
                in_verus = True
                if attr.args is not None:
                    spec_name, spec_clauses = self.contract_attribute(attr.args)
                    ret_name = spec_name or ret_name
                    clauses.extend(spec_clauses)
        body: Group | None = None
        if not self.eat(";"):
            token = self.tok
            if token.text != "{" or not isinstance(token, Group):
                self.fail("function", "expected a clause, `;` or the body")
            body = token
            self.bump()
            attrs = attrs + self.body_attrs(body)
        return Fn(
            self.span(start),
            name,
            Span(name_token.start, name_token.end),
            attrs,
            vis,
            mode,
            mode_text,
            publish,
            open_in,
            axiom,
            broadcast,
            qualifiers,
            generics,
            params,
            ret_name,
            ret_type,
            ret_mode,
            clauses,
            body,
            in_verus,
            variadic,
        )

    def body_attrs(self, body: Group) -> list[Attr]:
        """The `#![…]` at the start of a body: they are attributes of the function."""
        if _INNER_ATTR_AHEAD.match(body.source.data, body.start, body.end) is None:
            return []
        inside = type(self)(body.tokens(), self.in_verus)
        return inside.inner_attrs()

    def contract_attribute(self, args: Group) -> tuple[Pattern | None, list[Clause]]:
        """What stands in `#[verus_spec(ret => requires …, ensures …)]`."""
        inside = type(self)(args.tokens(), True)
        name: Pattern | None = None
        after = inside.peek().text
        if after in ("=>", ":"):
            name = inside.pattern_single()
            if inside.eat(":"):
                inside.type()
            inside.expect("=>", "verus_spec")
        clauses = inside.clauses(in_item=True)
        if inside.tok.kind != "eof":
            inside.fail("verus_spec", "expected a clause")
        return name, clauses


def param_name(pattern: Pattern) -> str:
    """The name a parameter's pattern gives it: `x`, or the `x` of `Tracked(x)` and `Ghost(x)`; else ""."""
    if isinstance(pattern, IdentPat):
        return pattern.name
    if isinstance(pattern, WildPat):
        return "_"
    if isinstance(pattern, TupleStructPat) and pattern.path.segments[-1].name in ("Tracked", "Ghost") and pattern.elems:
        return param_name(pattern.elems[0])
    return ""


def names_result(group: Group) -> bool:
    """Whether the parentheses behind `->` hold `name: Type` (and not a type)."""
    tokens = group.tokens()
    at = 1 if tokens[0].text in ("tracked", "ghost") and len(tokens) > 2 and tokens[1].text != ":" else 0
    first = tokens[at]
    if first.kind == "eof" or tokens[at + 1].text != ":":
        return False
    return first.text == "(" or (first.kind == "ident" and (first.text not in KEYWORDS or first.text == "_"))
