"""Attributes, and the contract an attribute may hold."""

from __future__ import annotations

from translate.parser.cursor import ParseFailure, plain
from translate.parser.statements import Statements
from translate.syntax import Attr, Span
from translate.tokens import Group


class Attributes(Statements):
    __slots__ = ()

    def outer_attrs(self) -> list[Attr]:
        """`#[…]`, any number."""
        attrs: list[Attr] = []
        while self.tok.text == "#" and self.peek().text == "[":
            start = self.bump().start
            attrs.append(self.attribute(start, inner=False))
        return attrs

    def drop_attrs(self) -> None:
        """Attributes where the tree has no place for them. Conditional compilation must not vanish there."""
        if self.tok.text != "#":
            return
        for attr in self.outer_attrs():
            if attr.path in ("cfg", "cfg_attr"):
                raise ParseFailure(attr.span, "attribute", f"`{attr.path}` is not supported at this place")

    def inner_attrs(self) -> list[Attr]:
        """`#![…]`, any number."""
        attrs: list[Attr] = []
        while self.tok.text == "#" and self.peek().text == "!" and self.peek(2).text == "[":
            attrs.extend(self.inner_attrs_once())
        return attrs

    def inner_attrs_once(self) -> list[Attr]:
        start = self.bump().start
        self.expect("!", "attribute")
        return [self.attribute(start, inner=True)]

    def attribute(self, start: int, inner: bool) -> Attr:
        group = self.take_group("attribute")
        if group.text != "[":
            self.fail("attribute", "expected `[`")
        tokens = group.tokens()
        words: list[str] = []
        at = 0
        while tokens[at].kind == "ident":
            words.append(plain(tokens[at].text))
            at += 1
            if tokens[at].text != "::":
                break
            at += 1
        after = tokens[at]
        if not words or after.text == ":":
            raise ParseFailure(Span(after.start, after.end), "attribute", f"malformed attribute at `{after.text}`")
        args = after if isinstance(after, Group) else None
        value: str | None = None
        if after.text == "=":
            value = group.source.snippet(Span(tokens[at + 1].start, tokens[-1].start)).strip()
            if tokens[at + 1].kind == "str" and value.startswith('"'):
                value = value[1:-1]
        text = " ".join(group.source.snippet(Span(group.start + 1, group.end - 1)).split())
        return Attr(self.span(start), "::".join(words), args, value, text, inner)
