"""Tokens: source text as a lazy token tree, on top of tree-sitter-rust.

In: a `SourceText`. Out: a list of `Token`s that ends with an "eof" token, in which every bracketed region is one
`Group` whose own tokens are made when somebody asks for them. A function body nobody looks at costs one node.

Inside `verus! { … }` tree-sitter delivers token trees, outside real Rust syntax; both are flattened to the same
tokens. Comments are dropped. Adjacent punctuation is joined into Verus's operators (`==>`, `=~=`, `&&&`); the parser
splits them again where the grammar needs it (`>>` closing two generics). Where tree-sitter is lost (an ERROR or MISSING
node other than a tilde, which it does not know), the region is read by the plain scanner at the end of this file, so
that no byte disappears and every unbalanced bracket is reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import accumulate
from typing import Final
from unicodedata import normalize

import tree_sitter_rust
from tree_sitter import Language, Node, Parser, Query, QueryCursor

from translate.source import MAX_BYTES, SourceText
from translate.syntax import ParseProblem, Span

MAX_BRACKET_DEPTH: Final = 1_000
MAX_BRACKETS: Final = 1_000_000
_MAX_LISTED: Final = 20

CLOSER: Final = {"(": ")", "[": "]", "{": "}"}

OPERATORS: Final = frozenset(
    "<==> ==> <== === !== =~= =~~= !~= !~~= &&& ||| -> => :: ..= ... .. <= >= == != && || << >> <<= >>= += -= *= /= %= "
    "^= &= |= + - * / % ^ ! & | = < > @ . , ; : # $ ? ~ '".split()
)
_LONGEST: Final = 4


class Token:
    """One token. `kind` is "ident" (keywords too), "lifetime", "punct", "int", "float", "str", "char" (with their byte
    and C variants), "group" or "eof"; `text` is as written, for a group its opening bracket."""

    __slots__ = ("end", "kind", "start", "text")

    def __init__(self, kind: str, text: str, start: int, end: int) -> None:
        self.kind = kind
        self.text = text
        self.start = start
        self.end = end

    def __repr__(self) -> str:
        return f"Token({self.kind}, {self.text!r}, {self.start}, {self.end})"


class Group(Token):
    """A bracketed region; `delim` is its opening bracket. The span includes both brackets."""

    __slots__ = ("_node", "_tokens", "lexer")

    def __init__(
        self, delim: str, start: int, end: int, lexer: Lexer, node: Node | None, tokens: list[Token] | None = None
    ) -> None:
        self.kind = "group"
        self.text = delim
        self.start = start
        self.end = end
        self.lexer = lexer
        self._node = node
        self._tokens = tokens

    def __repr__(self) -> str:
        return f"Group({self.text!r}, {self.start}, {self.end})"

    @property
    def delim(self) -> str:
        return self.text

    @property
    def source(self) -> SourceText:
        return self.lexer.source

    def tokens(self) -> list[Token]:
        """The tokens between the brackets, and an "eof" token at the closing bracket."""
        if self._tokens is None:
            node = self._node
            assert node is not None
            close = self.end - 1
            tokens = self.lexer.lex(node.children[1:-1], self.start + 1, close)
            tokens.append(Token("eof", "", close, close))
            self._tokens = tokens
            self._node = None
        return self._tokens

    @property
    def children(self) -> list[Token]:
        """The tokens between the brackets."""
        return self.tokens()[:-1]


# --- classes of tree-sitter nodes -----------------------------------------------------------------------------------

_WORD, _FIXED_WORD, _PUNCT, _QUOTE, _OPEN, _CLOSE, _ERROR, _GROUP, _COMPOSITE, _RESCAN, _COMMENT = range(11)
_LITERAL: Final = 20  # and the literal kinds behind it
_LITERAL_KINDS: Final = ["str", "char", "int", "float", "lifetime"]
_STR, _CHAR, _INT, _FLOAT, _LIFETIME = range(_LITERAL, _LITERAL + 5)

_NAMED_CLASSES: Final = {
    "line_comment": _COMMENT,
    "block_comment": _COMMENT,
    "shebang": _COMMENT,
    "string_literal": _STR,
    "raw_string_literal": _STR,
    "char_literal": _CHAR,
    "integer_literal": _INT,
    "float_literal": _FLOAT,
    "lifetime": _LIFETIME,
    "label": _LIFETIME,
    "boolean_literal": _WORD,
    "metavariable": _RESCAN,
    "token_tree": _GROUP,
    "block": _GROUP,
}


def _classes(language: Language) -> tuple[dict[int, int], dict[int, str]]:
    """For each node kind of the grammar its class, and the text of those whose text is fixed."""
    classes: dict[int, int] = {65535: _ERROR}
    texts: dict[int, str] = {}
    for kind in range(language.node_kind_count):
        name = language.node_kind_for_id(kind)
        if name is None or not language.node_kind_is_visible(kind):
            continue
        if language.node_kind_is_named(kind):
            classes[kind] = _NAMED_CLASSES.get(name, _COMPOSITE)
        elif name == "'":
            classes[kind] = _QUOTE
        elif name in "([{":
            classes[kind] = _OPEN
        elif name in ")]}":
            classes[kind] = _CLOSE
        elif name.isidentifier():
            classes[kind] = _FIXED_WORD
        elif name in OPERATORS:
            classes[kind] = _PUNCT
        else:
            classes[kind] = _RESCAN
        texts[kind] = name
    return classes, texts


_LANGUAGE: Final = Language(tree_sitter_rust.language())
_CLASS, _TEXT = _classes(_LANGUAGE)
_ERRORS: Final = Query(_LANGUAGE, "(MISSING) @missing (ERROR) @error")


class _Lost(Exception):
    """tree-sitter's tree cannot be trusted for this region."""


def split_operators(run: str) -> list[str]:
    """Cuts a run of adjacent punctuation into operators, longest first."""
    parts: list[str] = []
    at = 0
    while at < len(run):
        for length in range(min(_LONGEST, len(run) - at), 0, -1):
            part = run[at : at + length]
            if length == 1 or part in OPERATORS:
                parts.append(part)
                at += length
                break
    return parts


class Lexer:
    """Makes tokens of one source text, and collects what is wrong with its brackets and tokens in `problems`."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self.problems: list[ParseProblem] = []
        self._runs: dict[str, list[str]] = {}
        self._found = 0

    def file_tokens(self) -> list[Token]:
        """The tokens of the whole file; empty, with one problem, where its brackets exceed every reasonable measure."""
        size = len(self.source.data)
        excess = self._excess()
        if excess is not None:
            self.problems.append(excess)
            tokens = []
        else:
            root = Parser(_LANGUAGE).parse(self.source.data).root_node
            tokens = self.scan(0, size) if self._damaged(root) else self.lex(root.children, 0, size)
        tokens.append(Token("eof", "", size, size))
        return tokens

    def _damaged(self, root: Node) -> bool:
        """Whether tree-sitter met anything but tildes that it could not read. Then the whole file is scanned at once: a
        bracket that nobody closes must be reported although it may stand in a body that is never opened."""
        if not root.has_error:
            return False
        found = QueryCursor(_ERRORS).captures(root)
        data = self.source.data
        return "missing" in found or any(data[node.start_byte : node.end_byte].strip(b"~") for node in found.get("error", []))

    def _excess(self) -> ParseProblem | None:
        data = self.source.data
        if len(data) > 2 * MAX_BYTES:
            return ParseProblem(Span(0, len(data)), "size", f"the text is larger than {2 * MAX_BYTES >> 20} MiB")
        opening = data.count(b"(") + data.count(b"[") + data.count(b"{")
        if opening <= MAX_BRACKET_DEPTH:
            return None
        closers = {ord(")"): 0, ord("]"): 0, ord("}"): 0}
        steps = bytes(closers.get(byte, 2) for byte in range(256))
        others = bytes(byte for byte in range(256) if chr(byte) not in "()[]{}")
        depth = 0
        for depth in accumulate(step - 1 for step in data.translate(steps, others)):
            if depth > MAX_BRACKET_DEPTH:
                break
        if depth > MAX_BRACKET_DEPTH or opening > MAX_BRACKETS:
            at = next(match.start() for match in re.finditer(rb"[(\[{]", data))
            limit = f"nested deeper than {MAX_BRACKET_DEPTH:,}" if depth > MAX_BRACKET_DEPTH else f"{opening:,} of them"
            return ParseProblem(Span(at, len(data)), "nesting", f"too many brackets ({limit}); the file was not read")
        return None

    # --- from tree-sitter's nodes ---

    def lex(self, nodes: list[Node], start: int, end: int) -> list[Token]:
        """The tokens of sibling nodes that cover the bytes from `start` to `end`."""
        try:
            return self._lex(nodes, start, end)
        except _Lost:
            return self.scan(start, end)

    def _lex(self, nodes: list[Node], start: int, end: int) -> list[Token]:
        out: list[Token] = []
        append = out.append
        source = self.source
        data = source.data
        text = source.text if source.ascii else None
        classes = _CLASS
        texts = _TEXT
        nodes.reverse()
        pop = nodes.pop
        position = start
        run = ""
        run_start = run_end = -1
        brackets = False
        while nodes:
            node = pop()
            kind_id = node.kind_id
            kind = classes.get(kind_id, _COMPOSITE)
            first = node.start_byte
            last = node.end_byte
            if first != position:
                if first < position or not data[position:first].isspace():
                    raise _Lost
                position = first
            if kind == _COMPOSITE:
                count = node.child_count
                if count:
                    open_node = node.child(0)
                    close_node = node.child(count - 1)
                    if (
                        open_node is not None
                        and close_node is not None
                        and classes.get(open_node.kind_id) == _OPEN
                        and classes.get(close_node.kind_id) == _CLOSE
                        and CLOSER[texts[open_node.kind_id]] == texts[close_node.kind_id]
                    ):
                        kind = _GROUP
                    else:
                        nodes.extend(reversed(node.children))
                        continue
                else:
                    kind = _WORD
            if kind == _PUNCT:
                if run and first == run_end:
                    run += texts[kind_id]
                else:
                    if run:
                        self._flush(append, run, run_start)
                    run = texts[kind_id]
                    run_start = first
                run_end = position = last
                continue
            if kind == _ERROR:
                if data[first:last].strip(b"~"):
                    raise _Lost
                tildes = "~" * (last - first)
                if run and first == run_end:
                    run += tildes
                else:
                    if run:
                        self._flush(append, run, run_start)
                    run = tildes
                    run_start = first
                run_end = position = last
                continue
            if run:
                self._flush(append, run, run_start)
                run = ""
            if first == last:
                raise _Lost
            position = last
            if kind <= _FIXED_WORD:
                if kind == _FIXED_WORD:
                    word = texts[kind_id]
                else:
                    word = text[first:last] if text else data[first:last].decode()
                if out and out[-1].end == first and out[-1].kind in ("int", "float"):
                    number = out[-1]
                    number.text += word
                    number.end = last
                else:
                    append(Token("ident", word if word.isascii() else normalize("NFC", word), first, last))
            elif kind == _GROUP:
                delim = chr(data[first])
                if delim not in CLOSER or data[last - 1] != ord(CLOSER[delim]):
                    raise _Lost
                if node.has_error:
                    close = node.child(node.child_count - 1)
                    if close is None or close.is_missing:
                        raise _Lost
                append(Group(delim, first, last, self, node))
            elif kind >= _LITERAL:
                word = text[first:last] if text else data[first:last].decode()
                append(Token(_LITERAL_KINDS[kind - _LITERAL], word, first, last))
            elif kind == _QUOTE:
                word_node = nodes.pop() if nodes else None
                if word_node is None or word_node.start_byte != last or word_node.child_count:
                    raise _Lost
                position = word_node.end_byte
                append(Token("lifetime", data[first:position].decode(), first, position))
            elif kind in (_OPEN, _CLOSE):
                brackets = True
                append(Token("open" if kind == _OPEN else "close", texts[kind_id], first, last))
            elif kind == _RESCAN:
                out.extend(self._scan_flat(first, last))
        if run:
            self._flush(append, run, run_start)
        if position != end and data[position:end].strip():
            raise _Lost
        return self._match(out, end) if brackets else out

    def _flush(self, add: Callable[[Token], None], run: str, start: int) -> None:
        if run in OPERATORS:
            add(Token("punct", run, start, start + len(run)))
            return
        parts = self._runs.get(run)
        if parts is None:
            parts = self._runs[run] = split_operators(run)
        for part in parts:
            add(Token("punct", part, start, start + len(part)))
            start += len(part)

    # --- brackets ---

    def _match(self, flat: list[Token], end: int) -> list[Token]:
        """Folds "open" and "close" tokens into groups; each bracket without its partner is a problem and is dropped."""
        out: list[Token] = []
        stack: list[tuple[Token, list[Token]]] = []
        awaited = dict.fromkeys(CLOSER.values(), 0)

        def close_top(close_start: int, close_end: int) -> None:
            nonlocal out
            opening, outer = stack.pop()
            awaited[CLOSER[opening.text]] -= 1
            out.append(Token("eof", "", close_start, close_start))
            outer.append(Group(opening.text, opening.start, close_end, self, None, out))
            out = outer

        for token in flat:
            if token.kind == "open":
                stack.append((token, out))
                awaited[CLOSER[token.text]] += 1
                out = []
            elif token.kind == "close":
                if not awaited[token.text]:
                    self._problem(token.start, token.end, "bracket", f"`{token.text}` has no opening bracket")
                    continue
                while CLOSER[stack[-1][0].text] != token.text:
                    opening = stack[-1][0]
                    self._problem(opening.start, opening.end, "bracket", f"`{opening.text}` is never closed")
                    close_top(token.start, token.start)
                close_top(token.start, token.end)
            else:
                out.append(token)
        if stack:
            opening = stack[0][0]
            inside = f" (nor are {len(stack) - 1} brackets inside it)" if len(stack) > 1 else ""
            self._problem(opening.start, opening.end, "bracket", f"`{opening.text}` is never closed{inside}")
        while stack:
            close_top(end, end)
        return out

    def _problem(self, start: int, end: int, construct: str, message: str) -> None:
        self._found += 1
        if self._found > _MAX_LISTED:
            return
        if self._found == _MAX_LISTED:
            message += "; further problems with brackets and tokens are not listed"
        self.problems.append(ParseProblem(Span(start, end), construct, message))

    # --- the plain scanner ---

    def scan(self, start: int, end: int) -> list[Token]:
        """The tokens between two offsets, read without tree-sitter."""
        return self._match(self._scan_flat(start, end), end)

    def _scan_flat(self, start: int, end: int) -> list[Token]:
        data = self.source.data
        out: list[Token] = []
        position = start
        while position < end:
            match = _SCANNER.match(data, position, end)
            if match is None:
                self._problem(position, position + 1, "token", "a character that starts no token")
                position += 1
                continue
            kind = match.lastgroup
            last = match.end()
            if kind == "block_comment":
                last = self._comment_end(position, end)
            elif kind == "raw":
                last = self._raw_string_end(position, last, end)
                out.append(Token("str", data[position:last].decode("utf-8", "replace"), position, last))
            elif kind == "punct":
                self._flush(out.append, match.group().decode(), position)
            elif kind == "unclosed":
                self._problem(position, end, "token", "a string literal that is never closed")
                last = end
            elif kind != "blank":
                assert kind is not None
                out.append(Token(kind, match.group().decode("utf-8", "replace"), position, last))
            position = last
        return out

    def _comment_end(self, start: int, end: int) -> int:
        depth = 0
        for match in _COMMENT_MARKS.finditer(self.source.data, start, end):
            depth += 1 if match.group() == b"/*" else -1
            if depth == 0:
                return match.end()
        self._problem(start, end, "token", "a block comment that is never closed")
        return end

    def _raw_string_end(self, start: int, body: int, end: int) -> int:
        hashes = self.source.data[start:body].count(b"#")
        close = self.source.data.find(b'"' + b"#" * hashes, body, end)
        if close < 0:
            self._problem(start, end, "token", "a raw string literal that is never closed")
            return end
        return close + 1 + hashes


_SCANNER: Final = re.compile(
    rb"""
    (?P<blank>\s+|//[^\n]*)
  | (?P<block_comment>/\*)
  | (?P<raw>(?:b|c)?r\#*")
  | (?P<str>[bc]?"(?:[^"\\]|\\.)*")
  | (?P<unclosed>[bc]?")
  | (?P<char>b?'(?:[^'\\\n\x80-\xff]|[\xc0-\xff][\x80-\xbf]+|\\x[0-9a-fA-F]{2}|\\u\{[^}']*\}|\\.)')
  | (?P<lifetime>'(?:r\#)?[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*)
  | (?P<ident>(?:r\#)?[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*)
  | (?P<float>[0-9][0-9_]*(?:\.[0-9][0-9_]*(?:[eE][+-]?[0-9][0-9_]*)?|[eE][+-]?[0-9][0-9_]*)[A-Za-z0-9_]*
      |[0-9][0-9_]*\.(?![.A-Za-z_\x80-\xff]))
  | (?P<int>[0-9][A-Za-z0-9_]*)
  | (?P<open>[(\[{])
  | (?P<close>[)\]}])
  | (?P<punct>(?:[-+*%^!&|=<>@.,;:\#$?~]|/(?![/*]))+)
    """,
    re.VERBOSE | re.DOTALL,
)
_COMMENT_MARKS: Final = re.compile(rb"/\*|\*/")


def tokenize(source: SourceText) -> tuple[list[Token], list[ParseProblem]]:
    """The tokens of a file (with a final "eof"), and the list to which problems are added as its groups are opened."""
    lexer = Lexer(source)
    return lexer.file_tokens(), lexer.problems
