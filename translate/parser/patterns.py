"""Patterns."""

from __future__ import annotations

from translate.parser.cursor import KEYWORDS, plain
from translate.parser.paths_types import PATH_WORDS, PathsTypes
from translate.syntax import (
    Expr,
    IdentPat,
    LitPat,
    MacroPat,
    OrPat,
    Path,
    PathExpr,
    PathPat,
    PathSegment,
    Pattern,
    RangePat,
    RefPat,
    RestPat,
    SlicePat,
    StructPat,
    TuplePat,
    TupleStructPat,
    WildPat,
)
from translate.tokens import Group

_LITERAL_KINDS = frozenset(("int", "float", "str", "char"))
_RANGES = ("..=", "..", "...")


class Patterns(PathsTypes):
    __slots__ = ()

    def pattern(self) -> Pattern:
        """A pattern with alternatives: `A | B`, also with a leading `|`."""
        start = self.tok.start
        self.eat("|")
        first = self.pattern_single()
        if self.tok.text != "|":
            return first
        alternatives = [first]
        while self.eat("|"):
            alternatives.append(self.pattern_single())
        return OrPat(self.span(start), alternatives)

    def pattern_single(self) -> Pattern:
        self.deeper()
        result = self.pattern_inner()
        self.depth -= 1
        return result

    def pattern_inner(self) -> Pattern:
        token = self.tok
        start = token.start
        text = token.text
        if token.kind == "ident":
            if text == "_":
                self.bump()
                return WildPat(self.span(start))
            if text in ("true", "false"):
                value = self.literal()
                return LitPat(value.span, value)
            if text == "box":
                return self.box_pattern(start)
            if text in ("ref", "mut"):
                return self.binding_pattern(start)
            if text == "const" and self.peek().text == "{":
                self.bump()
                value = self.block("const", None, start)
                return LitPat(self.span(start), value)
            if text not in KEYWORDS or text in PATH_WORDS:
                after = self.peek().text
                if text not in PATH_WORDS and after not in ("::", "!", "{", "(", "..", "..=", "..."):
                    return self.binding_pattern(start)
                return self.path_pattern(start)
            self.fail("pattern", "expected a pattern")
        if token.kind in _LITERAL_KINDS or text == "-":
            return self.literal_pattern(start)
        if text == "(":
            return self.paren_pattern(start)
        if text == "[":
            elems = self.pattern_list("[")
            return SlicePat(self.span(start), elems)
        if text == "&" or text == "&&":
            self.split(1)
            self.eat("mut")
            inner = self.pattern_single()
            return RefPat(self.span(start), inner)
        if text in _RANGES:
            self.bump()
            if text == ".." and not self.at_range_bound():
                return RestPat(self.span(start))
            high = self.range_bound()
            return RangePat(self.span(start), None, high, text != "..")
        if text == "::" or text.startswith("<"):
            return self.path_pattern(start)
        raise self.failure("pattern", "expected a pattern")

    def box_pattern(self, start: int) -> Pattern:
        """`box P` of unstable Rust, as a pattern of the constructor `box`."""
        self.bump()
        span = self.span(start)
        inner = self.pattern_single()
        return TupleStructPat(self.span(start), Path(span, [PathSegment(span, "box")]), [inner])

    def binding_pattern(self, start: int) -> Pattern:
        """`x`, `mut x`, `ref mut x`, `x @ sub`."""
        by_ref = self.eat("ref")
        mutable = self.eat("mut")
        if self.tok.text == "self":
            self.bump()
            return IdentPat(self.span(start), "self", by_ref, mutable)
        name = self.name("pattern")
        sub = self.pattern_single() if self.eat("@") else None
        return IdentPat(self.span(start), name, by_ref, mutable, sub)

    def literal_pattern(self, start: int) -> Pattern:
        value = self.literal()
        if self.tok.text not in _RANGES:
            return LitPat(self.span(start), value)
        return self.range_pattern(start, value)

    def range_pattern(self, start: int, low: Expr) -> Pattern:
        inclusive = self.bump().text != ".."
        high = self.range_bound() if self.at_range_bound() else None
        return RangePat(self.span(start), low, high, inclusive)

    def at_range_bound(self) -> bool:
        token = self.tok
        if token.kind in _LITERAL_KINDS or token.text in ("-", "::", "<"):
            return True
        return token.kind == "ident" and token.text != "if" and (token.text not in KEYWORDS or token.text in PATH_WORDS)

    def range_bound(self) -> Expr:
        if self.tok.kind in _LITERAL_KINDS or self.tok.text == "-":
            return self.literal()
        return self.path_expr()

    def path_pattern(self, start: int) -> Pattern:
        path = self.path(True)
        text = self.tok.text
        if text == "(":
            elems = self.pattern_list("(")
            return TupleStructPat(self.span(start), path, elems)
        if text == "{":
            return self.struct_pattern(start, path)
        if text == "!" and isinstance(self.peek(), Group):
            self.bump()
            body = self.take_group("pattern")
            return MacroPat(self.span(start), path, body)
        if text in _RANGES:
            return self.range_pattern(start, PathExpr(path.span, path))
        return PathPat(path.span, path)

    def pattern_list(self, delim: str) -> list[Pattern]:
        group = self.enter(delim, "pattern")
        elems: list[Pattern] = []
        while self.tok.kind != "eof":
            self.drop_attrs()
            elems.append(self.pattern())
            if not self.eat(","):
                break
        self.leave(group, "pattern")
        return elems

    def paren_pattern(self, start: int) -> Pattern:
        group = self.enter("(", "pattern")
        elems: list[Pattern] = []
        comma = False
        while self.tok.kind != "eof":
            self.drop_attrs()
            elems.append(self.pattern())
            comma = self.eat(",")
            if not comma:
                break
        self.leave(group, "pattern")
        if len(elems) == 1 and not comma and not isinstance(elems[0], RestPat):
            return elems[0]
        return TuplePat(self.span(start), elems)

    def struct_pattern(self, start: int, path: Path) -> Pattern:
        group = self.enter("{", "pattern")
        fields: list[tuple[str, Pattern]] = []
        rest = False
        while self.tok.kind != "eof":
            self.drop_attrs()
            if self.eat(".."):
                rest = True
                break
            token = self.tok
            if token.kind in ("ident", "int") and self.peek().text == ":":
                self.bump()
                self.bump()
                fields.append((plain(token.text), self.pattern()))
            else:
                field = self.binding_pattern(token.start)
                assert isinstance(field, IdentPat)
                fields.append((field.name, field))
            if not self.eat(","):
                break
        self.leave(group, "pattern")
        return StructPat(self.span(start), path, fields, rest)
