"""The cursor: one position in a lazy token tree, and the small steps every parser module is made of.

The grammar is spread over a chain of classes, one file each (paths and types, patterns, expressions, control flow,
statements, clauses, attributes, functions, items); `Cursor` is their root and declares what they call in each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NoReturn

from translate.syntax import Attr, Block, Clause, Expr, Item, Pattern, Span, Type
from translate.tokens import CLOSER, Group, Token

if TYPE_CHECKING:
    from translate.syntax import Param

MAX_DEPTH: Final = 400

# Words that are never names; Verus's own keywords (`requires`, `spec`, `is`) are names wherever the grammar lets them.
KEYWORDS: Final = frozenset(
    "_ abstract as async await become box break const continue crate do dyn else enum extern false final fn for if impl "
    "in let loop macro match mod move mut override priv pub ref return Self self static struct super trait true try "
    "type typeof unsafe unsized use virtual where while yield".split()
)


class ParseFailure(Exception):
    """Text that the grammar does not allow: where, in which construct, what was expected and found."""

    def __init__(self, span: Span, construct: str, message: str) -> None:
        super().__init__(message)
        self.span = span
        self.construct = construct
        self.message = message


State = tuple[list[Token], int, Token, int, int, int, int]


class Cursor:
    """A position in a token list, and a stack of the enclosing groups' positions.

    `tok` is the current token; at the end of a group it is an "eof" token, which no step passes. `last` is the end
    offset of the token before it. Splitting an operator replaces `tok` only, never the list, so that `restore` undoes
    it. `depth` is how deep the descent is, `height` how tall the expression just read is: both bound the tree.
    """

    __slots__ = ("depth", "height", "i", "in_verus", "last", "less_than", "stack", "tok", "toks")

    def __init__(self, tokens: list[Token], in_verus: bool) -> None:
        self.toks = tokens
        self.i = 0
        self.tok = tokens[0]
        self.last = tokens[0].start
        self.stack: list[tuple[list[Token], int]] = []
        self.in_verus = in_verus
        self.depth = 0
        self.height = 0
        self.less_than: set[int] = set()  # offsets of types behind `as` where `<` turned out to be less-than

    # --- steps ---

    def bump(self) -> Token:
        token = self.tok
        self.last = token.end
        self.i += 1
        self.tok = self.toks[self.i]
        return token

    def peek(self, ahead: int = 1) -> Token:
        """The token `ahead` places behind the current one; "eof" beyond the end."""
        index = self.i + ahead
        return self.toks[index] if index < len(self.toks) else self.toks[-1]

    def save(self) -> State:
        return self.toks, self.i, self.tok, self.last, len(self.stack), self.depth, self.height

    def restore(self, state: State) -> None:
        self.toks, self.i, self.tok, self.last, nested, self.depth, self.height = state
        del self.stack[nested:]

    def eat(self, text: str) -> bool:
        if self.tok.text == text:
            self.bump()
            return True
        return False

    def expect(self, text: str, construct: str) -> Token:
        if self.tok.text != text:
            self.fail(construct, f"expected `{text}`")
        return self.bump()

    def split(self, length: int) -> None:
        """Consumes the first `length` characters of the current operator."""
        token = self.tok
        if len(token.text) == length:
            self.bump()
            return
        self.last = token.start + length
        self.tok = Token("punct", token.text[length:], self.last, token.end)

    def eat_prefix(self, text: str) -> bool:
        """Consumes `text` where the current operator starts with it: the first `>` of `>>`."""
        token = self.tok
        if token.kind == "punct" and token.text.startswith(text):
            self.split(len(text))
            return True
        return False

    # --- groups ---

    def enter(self, delim: str, construct: str) -> Group:
        group = self.tok
        if group.text != delim or not isinstance(group, Group):
            self.fail(construct, f"expected `{delim}`")
        if len(self.stack) >= MAX_DEPTH:
            raise ParseFailure(Span(group.start, group.end), "nesting", f"brackets nested deeper than {MAX_DEPTH}")
        self.stack.append((self.toks, self.i))
        self.toks = group.tokens()
        self.i = 0
        self.tok = self.toks[0]
        self.last = group.start + 1
        return group

    def leave(self, group: Group, construct: str) -> None:
        if self.tok.kind != "eof":
            self.fail(construct, f"expected `{CLOSER[group.text]}`")
        self.toks, self.i = self.stack.pop()
        self.i += 1
        self.tok = self.toks[self.i]
        self.last = group.end

    def take_group(self, construct: str) -> Group:
        """Steps over a group of any kind without looking inside."""
        token = self.tok
        if not isinstance(token, Group):
            self.fail(construct, "expected `(`, `[` or `{`")
        self.bump()
        return token

    # --- names ---

    def at_name(self) -> bool:
        return self.tok.kind == "ident" and self.tok.text not in KEYWORDS

    def name(self, construct: str) -> str:
        """A name; a raw identifier loses its `r#`."""
        token = self.tok
        if token.kind != "ident" or token.text in KEYWORDS:
            self.fail(construct, "expected a name")
        self.bump()
        return plain(token.text)

    # --- failure and spans ---

    def span(self, start: int) -> Span:
        return Span(start, self.last)

    def fail(self, construct: str, message: str) -> NoReturn:
        raise self.failure(construct, message)

    def failure(self, construct: str, message: str) -> ParseFailure:
        """What is wrong at the current token: `message`, and what stands there instead."""
        token = self.tok
        if token.kind == "eof":
            found = "the end of the enclosing brackets" if self.stack else "the end of the text"
        elif isinstance(token, Group):
            found = f"`{token.text}`"
        else:
            found = f"`{token.text[:40]}`"
        return ParseFailure(Span(token.start, token.end), construct, f"{message}, found {found}")

    def deeper(self) -> None:
        """Counts one level of recursion; whoever calls it counts back when done."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ParseFailure(Span(self.tok.start, self.tok.end), "nesting", f"nested deeper than {MAX_DEPTH} levels")

    def taller(self) -> None:
        """Counts one level of a tree that grows to the left without recursion: `a + b + c`, `a.b().c()`."""
        self.height += 1
        if self.height > MAX_DEPTH:
            raise ParseFailure(Span(self.tok.start, self.tok.end), "nesting", f"a chain of more than {MAX_DEPTH} links")

    # --- what the grammar's modules call in each other ---

    def type(self, plus: bool = True) -> Type:
        raise NotImplementedError

    def pattern(self) -> Pattern:
        raise NotImplementedError

    def pattern_single(self) -> Pattern:
        raise NotImplementedError

    def expr(self, struct: bool = True) -> Expr:
        raise NotImplementedError

    def literal(self) -> Expr:
        raise NotImplementedError

    def block(self, kind: str = "", label: str | None = None, start: int | None = None) -> Block:
        raise NotImplementedError

    def outer_attrs(self) -> list[Attr]:
        raise NotImplementedError

    def drop_attrs(self) -> None:
        raise NotImplementedError

    def inner_attrs(self) -> list[Attr]:
        raise NotImplementedError

    def at_clause(self) -> bool:
        raise NotImplementedError

    def clauses(self, in_item: bool) -> list[Clause]:
        raise NotImplementedError

    def params(self) -> tuple[list[Param], bool]:
        raise NotImplementedError

    def return_type(self) -> tuple[Pattern | None, Type | None, str]:
        raise NotImplementedError

    def at_item(self) -> bool:
        raise NotImplementedError

    def items_here(self) -> list[Item]:
        raise NotImplementedError


def plain(name: str) -> str:
    """A name without the `r#` of a raw identifier."""
    return name[2:] if name.startswith("r#") else name
