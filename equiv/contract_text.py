"""A function's contract as text: what the syntactic contract tests read.

In: a source text, a function of its syntax tree, and the tree. Out: the texts of the signature and of each clause, in
which white space, comments and trailing commas have gone. Texts are read from tokens, so that nothing inside a string
literal is taken for a comment, and `a&&b` reads like `a && b`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from equiv.trees import decisive
from translate.source import SourceText
from translate.syntax import Expr, File, Fn, Node, Span
from translate.tokens import CLOSER, Group, Lexer, Token

# The clauses that make up a contract. `recommends`, `decreases` and their company do not change what a contract means.
REQUIRES = ("requires",)
ENSURES = ("ensures", "default_ensures", "returns")
KINDS = (*REQUIRES, *ENSURES)
# Clauses that belong to the interface: ghost parameters, invariants that may be opened, unwinding.
INTERFACE = ("with", "atomically", "opens_invariants", "no_unwind")

# Words that may stand before a parenthesis which is no argument list: `(x,)` is a tuple there, and keeps its comma.
_BEFORE_TUPLE = frozenset(
    "as by else ensures has if implies in is let match matches mut ref requires return returns while".split()
)


@dataclass(frozen=True, slots=True)
class ClauseText:
    """A clause: `key` is what is compared, `shown` what is quoted in a sentence."""

    key: str
    shown: str = field(compare=False)

    def __str__(self) -> str:
        return self.shown


@dataclass(frozen=True, slots=True)
class ContractText:
    """One side of a comparison. `file` is the tree that `fn` stands in: the definitions that its contract may name."""

    source: SourceText
    fn: Fn
    file: File | None = None

    def exprs(self, *kinds: str) -> list[Expr]:
        """The clauses of those kinds, in order."""
        return [e for c in self.fn.clauses if c.kind in kinds for e in c.exprs]

    def clause_texts(self, *kinds: str) -> list[ClauseText]:
        """Their texts, in order. A `returns` clause is marked as one: it says something else than `ensures`."""
        return [
            ClauseText(
                ("returns " if kind == "returns" else "") + text_of(self.source, expr.span),
                shown(self.source, expr.span),
            )
            for kind, expr in ((c.kind, e) for c in self.fn.clauses if c.kind in kinds for e in c.exprs)
        ]

    def written(self) -> bytes:
        """Everything before the body, or all where there is none, as it stands in the file."""
        fn = self.fn
        return self.source.data[fn.span.start : fn.span.end if fn.body is None else fn.body.start]

    def signature_text(self) -> str:
        """From the qualifiers to the `where` clause, and the interface clauses; no attributes, no visibility."""
        fn = self.fn
        attrs = [a.span for a in fn.attrs]
        body = fn.body
        end = fn.span.end if body is None else body.start
        # With `#[verus_spec(r => …)]` the clauses and the result's name stand inside an attribute.
        outside = [c.span for c in fn.clauses if not _within(c.span, attrs)]
        end = min([end, *(c.start for c in outside if c.start > fn.name_span.end)])
        text = texts_between(self.source, fn.span.start, end, attrs)
        words = text.split(" ")
        while words and words[0] in ("pub", "open", "closed", "uninterp"):
            words = words[_past_parentheses(words, 1) :]
        if words and words[-1] in (";", ","):
            words.pop()
        if fn.ret_name is not None and _within(fn.ret_name.span, attrs):
            words += ["result", text_of(self.source, fn.ret_name.span)]
        return " ".join([*words, *(text_of(self.source, c.span) for c in fn.clauses if c.kind in INTERFACE)])

    def signature_parts(self) -> list[object]:
        """The parts of the function's tree that make up its interface, for `same_tree`."""
        fn = self.fn
        return [
            fn.name,
            fn.mode,
            fn.mode_text,
            fn.axiom,
            fn.qualifiers,
            fn.generics,
            fn.params,
            fn.ret_name,
            fn.ret_type,
            fn.ret_mode,
            fn.in_verus,
            fn.variadic,
            decisive(fn.attrs),
            [c for c in fn.clauses if c.kind in INTERFACE],
        ]


def _within(span: Span, others: Iterable[Span]) -> bool:
    return any(o.start <= span.start and span.end <= o.end for o in others)


def _past_parentheses(words: list[str], at: int) -> int:
    """The place behind `( … )` where one starts at `at`, else `at` itself."""
    if words[at : at + 1] != ["("]:
        return at
    return words.index(")", at) + 1 if ")" in words[at:] else at


def text_of(source: SourceText, span: Span) -> str:
    """The tokens of a span, a space between each two; comments and trailing commas are left out."""
    return texts_between(source, span.start, span.end, ())


def texts_between(source: SourceText, start: int, end: int, without: Iterable[Span]) -> str:
    """The tokens between two offsets, except those inside the spans of `without`."""
    tokens = [t for t in Lexer(source).scan(start, end) if not _within(Span(t.start, t.end), without)]
    out: list[str] = []
    _put(tokens, out)
    if out and out[-1] == ",":
        out.pop()
    return " ".join(out)


def _put(tokens: list[Token], out: list[str]) -> None:
    """Appends the tokens' texts. Iterative: brackets nest as deep as the file's author likes."""
    stack = [iter(tokens)]
    closers: list[tuple[str, bool]] = []
    while stack:
        token = next(stack[-1], None)
        if token is None:
            stack.pop()
            if closers:
                closer, drop = closers.pop()
                if drop and out[-1] == ",":
                    out.pop()
                out.append(closer)
        elif isinstance(token, Group):
            children = token.children
            commas = sum(t.text == "," for t in children)
            closers.append((CLOSER[token.text], token.text != "(" or commas > 1 or _takes_arguments(out)))
            out.append(token.text)
            stack.append(iter(children))
        elif token.text in (">>", ">>="):
            out += token.text  # `Vec<Vec<T>>` reads like `Vec<Vec<T> >`
        elif token.kind != "eof":
            out.append(token.text)


def _takes_arguments(out: list[str]) -> bool:
    """Whether a parenthesis that follows these tokens holds arguments, so that its trailing comma means nothing."""
    if not out:
        return False
    last = out[-1]
    return last in (")", "]", ">") or (last.replace("#", "_").isidentifier() and last not in _BEFORE_TUPLE)


def place_of(source: SourceText, node: Node) -> str:
    """Where a node stands, for a message."""
    return source.place(node.span.start)


def shown(source: SourceText, span: Span, limit: int = 100) -> str:
    """The source text of a span for a sentence: on one line, and not too long."""
    text = " ".join(source.snippet(span).split())
    return text if len(text) <= limit else text[: limit - 1] + "…"
