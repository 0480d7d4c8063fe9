"""Expressions: literals, operators with Verus's precedences, and everything that follows an atom.

The precedences and the corners of the grammar are those of Verus's own fork of `syn` (its `Precedence` table,
`parse_expr`, `parse_matches`): from loose to tight assignment, range, `<==>` (no associativity), `<==`, `==>` (right),
`||`, `&&`, comparisons and equalities (left; `<`, `<=`, `>`, `>=` and `==` make chains), `|`, `^`, `&`, shifts, sums,
products, `as`, and `is`/`has`/`matches`. Prefix operators bind tighter than all of them, and a quantifier or closure,
which is a prefix too, takes everything to its right.
"""

from __future__ import annotations

from typing import Final

from translate.parser import literals
from translate.parser.cursor import KEYWORDS
from translate.parser.paths_types import PATH_WORDS
from translate.parser.patterns import Patterns
from translate.syntax import (
    ArrayExpr,
    Arrow,
    Assign,
    AtomicCall,
    AttrExpr,
    Await,
    BigOp,
    Binary,
    Borrow,
    Call,
    Cast,
    Chain,
    Expr,
    Field,
    GenericArgs,
    Has,
    Index,
    Is,
    Literal,
    MacroCall,
    Matches,
    MethodCall,
    Path,
    PathExpr,
    PathSegment,
    Range,
    RepeatExpr,
    Span,
    StructExpr,
    Try,
    TupleExpr,
    Unary,
    View,
)
from translate.tokens import Group

(
    ASSIGN, RANGE, EQUIV, EXPLY, IMPLY, OR, AND, COMPARE, BIT_OR, BIT_XOR, BIT_AND, SHIFT, SUM, PRODUCT, CAST, HAS_IS
) = range(1, 17)  # fmt: skip
PRECEDENCE: Final[dict[str, int]] = {
    **dict.fromkeys(("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="), ASSIGN),
    **dict.fromkeys(("..", "..="), RANGE),
    "<==>": EQUIV,
    "<==": EXPLY,
    "==>": IMPLY,
    "||": OR,
    "&&": AND,
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">=", "===", "!==", "=~=", "!~=", "=~~=", "!~~="), COMPARE),
    "|": BIT_OR,
    "^": BIT_XOR,
    "&": BIT_AND,
    "<<": SHIFT,
    ">>": SHIFT,
    "+": SUM,
    "-": SUM,
    "*": PRODUCT,
    "/": PRODUCT,
    "%": PRODUCT,
    "as": CAST,
    "is": HAS_IS,
    "has": HAS_IS,
    "matches": HAS_IS,
}
_CHAINING: Final = frozenset(("<", "<=", ">", ">=", "=="))
_LITERAL_KINDS: Final = frozenset(("int", "float", "str", "char"))
_QUANTIFIERS: Final = frozenset(("forall", "exists", "choose"))
# Macros of Verus that only switch to its expression syntax: their content stands in the tree directly.
_EXPR_MACROS: Final = frozenset(
    ("verus_proof_expr", "verus_exec_expr", "verus_exec_expr_keep_ghost", "verus_exec_expr_erase_ghost")
)
_NO_OPERAND: Final = frozenset(
    "as is has matches else in where by implies requires ensures invariant invariant_except_break decreases".split()
)


class Expressions(Patterns):
    __slots__ = ()

    # --- entry points ---

    def expr(self, struct: bool = True) -> Expr:
        """A whole expression. Without `struct`, a `{` behind a path is left alone: it opens the body of an `if`."""
        self.deeper()
        outer = self.height
        self.height = 0
        start = self.tok.start
        if self.tok.text == "&&&" or self.tok.text == "|||":
            result: Expr = self.big_op()
        else:
            result = self.binary(self.unary(struct), start, struct, 0)
        self.height = max(outer, self.height + 1)
        self.depth -= 1
        return result

    def big_op(self) -> Expr:
        start = self.tok.start
        op = self.tok.text
        operands: list[Expr] = []
        while self.eat(op):
            operands.append(self.expr())
        return BigOp(self.span(start), op, operands)

    # --- operators ---

    def precedence(self) -> int:
        """How tightly the operator at the cursor binds; 0 where there is none."""
        token = self.tok
        found = PRECEDENCE.get(token.text, 0)
        if not found and token.text == "!":
            after = self.peek()
            if after.text in ("is", "has") and after.start == token.end:
                return HAS_IS
        return found

    def binary(self, left: Expr, start: int, struct: bool, base: int) -> Expr:
        """Operators at least as tight as `base` behind `left`, whose text starts at `start`."""
        while True:
            text = self.tok.text
            level = self.precedence()
            if level == 0 or level < base:
                return left
            if isinstance(left, Range) and left.span.start == start:  # no operator may follow an open range
                return left
            if level == CAST:
                self.bump()
                of = self.cast_type()
                left = Cast(self.span(start), left, of)
                if self.tok.text in (".", "?", "[", "("):
                    self.fail("cast", "a cast must be put in parentheses before what follows")
                self.taller()
            elif level == HAS_IS:
                left = self.has_is_matches(left, start, struct)
                self.taller()
            elif level == RANGE:
                inclusive = self.bump().text == "..="
                high = self.range_end(struct)
                left = Range(self.span(start), left, high, inclusive)
            else:
                self.bump()
                right = self.right_operand(struct, level)
                span = self.span(start)
                if level == COMPARE and text in _CHAINING:
                    left = self.comparison(text, left, right, start, span)
                elif level == ASSIGN:
                    left = Assign(span, text, left, right)
                else:
                    left = Binary(span, text, left, right)

    def right_operand(self, struct: bool, level: int) -> Expr:
        left_height = self.height
        self.height = 0
        start = self.tok.start
        right = self.unary(struct)
        while True:
            following = self.precedence()
            if following > level or (following == level and level in (ASSIGN, IMPLY)):
                index = self.i
                self.deeper()
                right = self.binary(right, start, struct, following)
                self.depth -= 1
                if self.i == index:
                    break
            elif following == level == EQUIV:
                self.fail("expression", "`<==>` has no associativity: put parentheses around one of them")
            else:
                break
        self.height = max(left_height, self.height)
        self.taller()
        return right

    def comparison(self, op: str, left: Expr, right: Expr, start: int, span: Span) -> Expr:
        """A link of a comparison chain; a parenthesised left side, whose span starts later, is no part of the chain."""
        if left.span.start == start:
            if isinstance(left, Chain):
                return Chain(span, left.first, [*left.ops, op], [*left.rest, right])
            if isinstance(left, Binary) and left.op in _CHAINING:
                return Chain(span, left.left, [left.op, op], [left.right, right])
        return Binary(span, op, left, right)

    def has_is_matches(self, left: Expr, start: int, struct: bool) -> Expr:
        negated = self.eat("!")
        word = self.bump().text
        if word == "is":
            path = self.variant_path()
            return Is(self.span(start), left, path, negated)
        if word == "has":
            left_height = self.height
            element = self.unary(struct)
            self.height = max(left_height, self.height)
            return Has(self.span(start), left, element, negated)
        pattern = self.pattern_single()
        result: Expr = Matches(self.span(start), left, pattern)
        op = self.tok.text
        if op in ("==>", "&&"):
            # Verus takes the operator behind a pattern at once, however tight the one before the pattern was, because
            # the pattern's bindings must reach everything to the right: `x && e matches P ==> q` is `x && (… ==> q)`.
            self.bump()
            level = IMPLY if op == "==>" else AND
            left_height = self.height
            self.height = 0
            self.deeper()
            right_start = self.tok.start
            right = self.unary(struct)
            while (following := self.precedence()) >= level:
                index = self.i
                right = self.binary(right, right_start, struct, following)
                if self.i == index:
                    break
            self.depth -= 1
            self.height = max(left_height, self.height)
            result = Binary(self.span(start), op, result, right)
        return result

    def variant_path(self) -> Path:
        """The variant behind `is`: one name in Verus; a longer path is let through for later stages to judge."""
        return self.path(True)

    def range_end(self, struct: bool) -> Expr | None:
        token = self.tok
        if token.kind == "ident":
            if token.text in _NO_OPERAND or self.at_clause():
                return None
        elif token.kind in ("eof", "punct"):
            if token.text not in ("-", "*", "!", "&", "&&", "|", "||", "<", "::"):
                return None
        elif token.text == "{" and not struct:
            return None
        return self.right_operand(struct, RANGE)

    # --- prefix operators ---

    def unary(self, struct: bool) -> Expr:
        token = self.tok
        text = token.text
        start = token.start
        if token.kind == "punct":
            if text in ("!", "-", "*"):
                self.bump()
                self.deeper()
                operand = self.unary(struct)
                self.depth -= 1
                self.height += 1
                return Unary(self.span(start), text, operand)
            if text == "&" or text == "&&":
                return self.borrow(start, struct)
            if text == "#":
                attrs = self.outer_attrs()
                self.deeper()
                operand = self.unary(struct)
                self.depth -= 1
                self.height += 1
                return AttrExpr(self.span(start), attrs, operand)
            if text == "&&&" or text == "|||":
                self.fail("expression", f"a leading `{text}` must stand first in a block")
        elif token.kind == "ident" and text in _QUANTIFIERS and self.peek().text in ("|", "||"):
            return self.quantifier(struct)
        return self.trailer(self.atom(struct), start)

    def borrow(self, start: int, struct: bool) -> Expr:
        self.split(1)
        self.deeper()
        if self.tok.text == "&":  # the second half of `&&`
            operand = self.borrow(self.tok.start, struct)
            mutable = raw = False
        else:
            raw = self.tok.text == "raw" and self.peek().text in ("mut", "const")
            if raw:
                self.bump()
                self.eat("const")
            mutable = self.eat("mut")
            operand = self.unary(struct)
        self.depth -= 1
        self.height += 1
        return Borrow(self.span(start), operand, mutable, raw)

    # --- what follows an atom ---

    def trailer(self, base: Expr, start: int) -> Expr:
        while True:
            token = self.tok
            text = token.text
            if text == "(":
                args = self.call_args()
                base = self.atomically(Call(self.span(start), base, args), start)
            elif text == ".":
                self.bump()
                base = self.dot(base, start)
            elif text == "[":
                group = self.enter("[", "index")
                index = self.expr()
                self.leave(group, "index")
                base = Index(self.span(start), base, index)
            elif text == "@":
                self.bump()
                base = View(self.span(start), base)
            elif text == "->":
                self.bump()
                member = self.member()
                base = Arrow(self.span(start), base, member)
            elif text == "?":
                self.bump()
                base = Try(self.span(start), base)
            else:
                return base
            self.taller()

    def member(self) -> str:
        token = self.tok
        if token.kind == "int":
            self.bump()
            return token.text
        return self.name("field")

    def dot(self, base: Expr, start: int) -> Expr:
        token = self.tok
        if token.kind == "float":  # `x.0.1`
            self.bump()
            first, _, second = token.text.partition(".")
            middle = Span(start, token.start + len(first))
            base = Field(middle, base, first)
            return Field(self.span(start), base, second) if second else self.dot(base, start)  # `x.0.` before a method
        if token.text == "await":
            self.bump()
            return Await(self.span(start), base)
        name = self.member()
        if token.kind == "int":  # `x.0(y)` calls what the field holds
            return Field(self.span(start), base, name)
        generics: GenericArgs | None = None
        if self.tok.text == "::":
            self.bump()
            generics = self.generic_args()
        if generics is not None or self.tok.text == "(":
            args = self.call_args()
            return self.atomically(MethodCall(self.span(start), base, name, generics, args), start)
        return Field(self.span(start), base, name)

    def call_args(self) -> list[Expr]:
        group = self.enter("(", "arguments")
        args = self.expr_list()
        self.leave(group, "arguments")
        return args

    def expr_list(self) -> list[Expr]:
        """Expressions between commas up to the end of the group."""
        exprs: list[Expr] = []
        while self.tok.kind != "eof":
            exprs.append(self.expr())
            if not self.eat(","):
                break
        return exprs

    def atomically(self, call: Expr, start: int) -> Expr:
        """`f(x) atomically [loop] |update| [-> (r: T)] invariants { … }`"""
        token = self.tok
        if token.text != "atomically" or self.peek().text not in ("|", "loop"):
            return call
        self.bump()
        looped = self.eat("loop")
        self.expect("|", "atomically")
        binder = self.name("atomically")
        self.eat(",")
        self.expect("|", "atomically")
        output_name, output, _ = self.return_type()
        clauses = self.clauses(False)
        body = self.block()
        return AtomicCall(self.span(start), call, binder, looped, output_name, output, clauses, body)

    # --- atoms ---

    def atom(self, struct: bool) -> Expr:
        token = self.tok
        kind = token.kind
        text = token.text
        start = token.start
        if kind == "ident":
            if text in KEYWORDS and text not in PATH_WORDS:
                return self.keyword_atom(text, start, struct)
            special = self.special_atom(text, start, struct)
            if special is not None:
                return special
            return self.path_atom(start, struct)
        if kind in _LITERAL_KINDS:
            return self.literal()
        if text == "(":
            return self.paren_atom(start)
        if text == "[":
            return self.bracket_atom(start)
        if text == "{":
            return self.block()
        if text == "|" or text == "||":
            return self.closure(start, struct)
        if text == ".." or text == "..=":
            self.bump()
            high = self.range_end(struct)
            return Range(self.span(start), None, high, text == "..=")
        if kind == "lifetime":
            return self.labelled(start)
        if text == "::" or text == "<" or text == "<<":
            return self.path_atom(start, struct)
        raise self.failure("expression", "expected an expression")

    def keyword_atom(self, text: str, start: int, struct: bool) -> Expr:
        raise NotImplementedError

    def special_atom(self, text: str, start: int, struct: bool) -> Expr | None:
        raise NotImplementedError

    def quantifier(self, struct: bool) -> Expr:
        raise NotImplementedError

    def closure(self, start: int, struct: bool) -> Expr:
        raise NotImplementedError

    def labelled(self, start: int) -> Expr:
        raise NotImplementedError

    def path_atom(self, start: int, struct: bool) -> Expr:
        path = self.path(True)
        text = self.tok.text
        if text == "!" and path.qself is None:
            after = self.peek()
            if isinstance(after, Group):
                self.bump()
                if path.segments[-1].name in _EXPR_MACROS:
                    return self.expr_macro(after)
                body = self.take_group("macro call")
                return MacroCall(self.span(start), path, body)
        if text == "{" and struct:
            return self.struct_expr(start, path)
        return PathExpr(path.span, path)

    def expr_macro(self, group: Group) -> Expr:
        """The expression inside `verus_proof_expr!{ … }`; with statements before it, a block."""
        outer = self.in_verus
        self.in_verus = True
        result: Expr = self.block() if group.text == "{" else self.paren_atom(group.start)
        self.in_verus = outer
        return result

    def struct_expr(self, start: int, path: Path) -> Expr:
        group = self.enter("{", "struct expression")
        fields: list[tuple[str, Expr]] = []
        base: Expr | None = None
        while self.tok.kind != "eof":
            attrs = self.outer_attrs()
            if self.eat(".."):
                if self.tok.kind != "eof":
                    base = self.expr()
                break
            token = self.tok
            if self.peek().text == ":":
                if token.kind == "int":
                    self.bump()
                    name = token.text
                else:
                    name = self.name("struct expression")
                self.bump()
                value = self.expr()
            else:
                name = self.name("struct expression")
                span = self.span(token.start)
                value = PathExpr(span, Path(span, [PathSegment(span, name)]))
            if attrs:
                value = AttrExpr(self.span(attrs[0].span.start), attrs, value)
            fields.append((name, value))
            if not self.eat(","):
                break
        self.leave(group, "struct expression")
        return StructExpr(self.span(start), path, fields, base)

    def paren_atom(self, start: int) -> Expr:
        group = self.enter("(", "expression")
        elems: list[Expr] = []
        comma = False
        while self.tok.kind != "eof":
            elems.append(self.expr())
            comma = self.eat(",")
            if not comma:
                break
        self.leave(group, "expression")
        if len(elems) == 1 and not comma:
            return elems[0]
        return TupleExpr(self.span(start), elems)

    def bracket_atom(self, start: int) -> Expr:
        group = self.enter("[", "array")
        elems: list[Expr] = []
        count: Expr | None = None
        while self.tok.kind != "eof":
            elems.append(self.expr())
            if len(elems) == 1 and self.eat(";"):
                count = self.expr()
                break
            if not self.eat(","):
                break
        self.leave(group, "array")
        if count is not None:
            return RepeatExpr(self.span(start), elems[0], count)
        return ArrayExpr(self.span(start), elems)

    def literal(self) -> Expr:
        """A literal, or a number with a minus sign."""
        token = self.tok
        start = token.start
        if token.text == "-":
            self.bump()
            operand = self.literal()
            return Unary(self.span(start), "-", operand)
        if token.kind == "ident" and token.text in ("true", "false"):
            self.bump()
            return Literal(self.span(start), "bool", token.text == "true")
        if token.kind == "int":
            number = literals.integer(token.text)
            if number is None:
                self.fail("literal", "malformed number")
            self.bump()
            return Literal(self.span(start), "int" if isinstance(number[0], int) else "float", *number)
        if token.kind == "float":
            real = literals.floating(token.text)
            if real is None:
                self.fail("literal", "malformed number")
            self.bump()
            return Literal(self.span(start), "float", *real)
        if token.kind in ("str", "char"):
            value = literals.quoted(token.text)
            if value is None:
                self.fail("literal", "malformed literal")
            self.bump()
            return Literal(self.span(start), *value)
        raise self.failure("literal", "expected a literal")
