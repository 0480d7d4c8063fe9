"""Paths, generic arguments and parameters, bounds, and types."""

from __future__ import annotations

from translate.parser.cursor import KEYWORDS, Cursor, ParseFailure, plain
from translate.syntax import (
    ArrayType,
    Bound,
    BoundsType,
    Expr,
    FnPtrType,
    GenericArgs,
    GenericParam,
    Generics,
    InferType,
    MacroType,
    NeverType,
    Path,
    PathExpr,
    PathSegment,
    PathType,
    PtrType,
    RefType,
    SliceType,
    Span,
    TupleType,
    Type,
    WherePredicate,
)
from translate.tokens import Group

PATH_WORDS = frozenset(("self", "Self", "super", "crate"))
PRIMITIVES = frozenset("int nat real bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64".split())


class PathsTypes(Cursor):
    __slots__ = ()

    # --- paths ---

    def at_path(self) -> bool:
        token = self.tok
        if token.kind == "ident":
            return token.text not in KEYWORDS or token.text in PATH_WORDS
        return token.text in ("::", "<") or token.text.startswith("<<")

    def segment(self, expr_style: bool) -> PathSegment:
        token = self.tok
        if token.kind != "ident" or (token.text in KEYWORDS and token.text not in PATH_WORDS):
            self.fail("path", "expected a name")
        self.bump()
        text = self.tok.text
        args: GenericArgs | None = None
        if text == "::" and self.peek().text.startswith("<") and self.peek().kind == "punct":
            self.bump()
            args = self.generic_args()
        elif not expr_style:
            if text and text[0] == "<" and text not in ("<=", "<<=", "<==", "<==>") and self.tok.kind == "punct":
                args = self.generic_args()
            elif text == "(" and token.text not in PATH_WORDS:
                args = self.parenthesised_args()
            elif text == "::" and self.peek().text == "(":
                self.bump()
                args = self.parenthesised_args()
        return PathSegment(self.span(token.start), plain(token.text), args)

    def path(self, expr_style: bool) -> Path:
        """A path, also a qualified one (`<T as Trait>::f`). In expression style generic arguments need `::<`."""
        start = self.tok.start
        if self.tok.text.startswith("<") and self.tok.kind == "punct":
            self.split(1)
            qself = self.type()
            trait = self.path(False) if self.eat("as") else None
            self.close_angle("path")
            self.expect("::", "path")
            segments = [self.segment(expr_style)]
            self.more_segments(segments, expr_style)
            return Path(self.span(start), segments, False, qself, trait)
        rooted = self.eat("::")
        segments = [self.segment(expr_style)]
        if self.tok.text == "::":
            self.more_segments(segments, expr_style)
        return Path(self.span(start), segments, rooted)

    def more_segments(self, segments: list[PathSegment], expr_style: bool) -> None:
        while self.tok.text == "::" and self.peek().kind == "ident":
            self.bump()
            segments.append(self.segment(expr_style))

    def plain_path(self, construct: str) -> Path:
        """A path without generic arguments, as in a macro call or an attribute; any word may be a segment."""
        start = self.tok.start
        rooted = self.eat("::")
        segments: list[PathSegment] = []
        while True:
            token = self.tok
            if token.kind != "ident":
                self.fail(construct, "expected a name")
            self.bump()
            segments.append(PathSegment(self.span(token.start), plain(token.text)))
            if not (self.tok.text == "::" and self.peek().kind == "ident"):
                return Path(self.span(start), segments, rooted)
            self.bump()

    # --- generic arguments ---

    def close_angle(self, construct: str) -> None:
        if not self.eat_prefix(">"):
            self.fail(construct, "expected `>`")

    def at_close_angle(self) -> bool:
        return self.tok.text.startswith(">") and self.tok.kind == "punct"

    def generic_args(self) -> GenericArgs:
        start = self.tok.start
        self.split(1)  # `<`, perhaps of `<<`
        args: list[Type | Expr] = []
        bindings: list[tuple[str, Type | Expr]] = []
        while not self.at_close_angle():
            token = self.tok
            if token.kind == "lifetime":
                self.bump()
            elif token.kind == "ident" and self.peek().text in ("=", ":", "==") and token.text not in KEYWORDS:
                name = self.name("generic argument")
                bindings.append((name, self.binding()))
            elif token.text in ("-", "{", "true", "false") or token.kind in ("int", "char", "str", "float"):
                args.append(self.const_arg())
            else:
                arg = self.type()
                if self.tok.text in ("=", ":") and isinstance(arg, PathType):  # `Item<'a> = T`
                    bindings.append((arg.path.segments[-1].name, self.binding()))
                else:
                    args.append(arg)
            if not self.eat(","):
                break
        self.close_angle("generic arguments")
        return GenericArgs(self.span(start), args, bindings)

    def binding(self) -> Type | Expr:
        start = self.tok.start
        if self.eat(":"):
            return BoundsType(self.span(start), "impl", self.bounds())
        self.expect("=", "generic argument")
        if self.tok.text in ("-", "{", "true", "false") or self.tok.kind in ("int", "char", "str", "float"):
            return self.const_arg()
        return self.type()

    def const_arg(self) -> Expr:
        return self.block() if self.tok.text == "{" else self.literal()

    def parenthesised_args(self) -> GenericArgs:
        """`(A, B) -> R` behind `Fn`, `FnSpec`, `spec_fn`, `proof_fn`."""
        start = self.tok.start
        args, modes = self.type_list()
        output: Type | None = None
        output_mode = ""
        if self.eat("->"):
            output_mode = self.arg_mode()
            output = self.type(plus=False)
        result = GenericArgs(self.span(start), list(args), [], True, output)
        if any(modes) or output_mode:
            result.modes = [*modes, output_mode]
        return result

    def type_list(self) -> tuple[list[Type], list[str]]:
        """`(A, name: B, tracked C, …)`: types and their modes; parameter names carry no meaning."""
        group = self.enter("(", "type")
        types: list[Type] = []
        modes: list[str] = []
        while self.tok.kind != "eof":
            self.drop_attrs()
            if self.tok.text == "...":
                self.bump()
                break
            modes.append(self.arg_mode())
            if self.tok.kind == "ident" and self.peek().text == ":":
                self.bump()
                self.bump()
            types.append(self.type())
            if not self.eat(","):
                break
        self.leave(group, "type")
        return types, modes

    def arg_mode(self) -> str:
        word = self.tok.text
        if word in ("tracked", "ghost") and self.peek().text not in (",", "", "::", "<", ":", ">"):
            self.bump()
            return word
        return ""

    # --- types ---

    def type(self, plus: bool = True) -> Type:
        self.deeper()
        result = self.type_inner(plus)
        self.depth -= 1
        return result

    def type_inner(self, plus: bool) -> Type:
        token = self.tok
        start = token.start
        text = token.text
        if token.kind == "ident":
            if text in ("impl", "dyn"):
                self.bump()
                bounds = self.bounds(plus)
                return BoundsType(self.span(start), text, bounds)
            if text == "_":
                self.bump()
                return InferType(self.span(start))
            if text == "for":
                self.skip_binder()
                return self.type_inner(plus)
            if text in ("fn", "unsafe", "extern"):
                return self.fn_pointer(start)
            if text == "proof_fn":
                return self.proof_fn_type(start)
            if text not in KEYWORDS or text in PATH_WORDS:
                path = self.path(False)
                if self.tok.text == "!" and isinstance(self.peek(), Group):
                    self.bump()
                    body = self.take_group("type")
                    return MacroType(self.span(start), path, body)
                return PathType(self.span(start), path)
            self.fail("type", "expected a type")
        if text == "(":
            return self.paren_type(start)
        if text == "[":
            return self.bracket_type(start)
        if text == "&&":
            self.split(1)
            inner = self.type_inner(plus)
            return RefType(self.span(start), inner)
        if text == "&":
            self.bump()
            static = self.tok.text == "'static"
            if self.tok.kind == "lifetime":
                self.bump()
            mutable = self.eat("mut")
            inner = self.type(plus=False)
            return RefType(self.span(start), inner, mutable, static)
        if text == "*":
            self.bump()
            mutable = self.tok.text == "mut"
            if not mutable and self.tok.text != "const":
                self.fail("type", "expected `const` or `mut` behind `*`")
            self.bump()
            inner = self.type(plus=False)
            return PtrType(self.span(start), inner, mutable)
        if text == "!":
            self.bump()
            return NeverType(self.span(start))
        if text == "::" or (token.kind == "punct" and text[0] == "<" and text not in ("<=", "<==", "<==>")):
            path = self.path(False)
            return PathType(self.span(start), path)
        if token.kind == "lifetime" or text == "?":  # a bare trait object of old Rust
            bounds = self.bounds(plus)
            return BoundsType(self.span(start), "dyn", bounds)
        raise self.failure("type", "expected a type")

    def paren_type(self, start: int) -> Type:
        group = self.enter("(", "type")
        elems: list[Type] = []
        comma = False
        while self.tok.kind != "eof":
            elems.append(self.type())
            comma = self.eat(",")
            if not comma:
                break
        self.leave(group, "type")
        if len(elems) == 1 and not comma:
            return elems[0]
        return TupleType(self.span(start), elems)

    def bracket_type(self, start: int) -> Type:
        group = self.enter("[", "type")
        elem = self.type()
        length: Expr | None = None
        if self.eat(";"):
            length = self.expr()
        self.leave(group, "type")
        if length is None:
            return SliceType(self.span(start), elem)
        return ArrayType(self.span(start), elem, length)

    def fn_pointer(self, start: int) -> Type:
        self.eat("unsafe")
        if self.eat("extern") and self.tok.kind == "str":
            self.bump()
        self.expect("fn", "type")
        params, _ = self.type_list()
        output = self.type(plus=False) if self.eat("->") else None
        return FnPtrType(self.span(start), params, output)

    def proof_fn_type(self, start: int) -> Type:
        """`proof_fn<'a, F>[Options](tracked A) -> tracked B`."""
        self.bump()
        angle = self.generic_args() if self.tok.text == "<" else None
        options: list[Path] = []
        if self.tok.text == "[":
            group = self.enter("[", "type")
            while self.tok.kind != "eof":
                options.append(self.path(False))
                if not self.eat(","):
                    break
            self.leave(group, "type")
        args = self.parenthesised_args()
        args.options = options
        args.angle = angle
        segment = PathSegment(self.span(start), "proof_fn", args)
        return PathType(self.span(start), Path(self.span(start), [segment]))

    # --- bounds and generic parameters ---

    def skip_binder(self) -> None:
        """`for<'a>`"""
        self.expect("for", "lifetime binder")
        self.generic_params()

    def bounds(self, plus: bool = True) -> list[Bound]:
        result: list[Bound] = []
        while True:
            token = self.tok
            if token.kind == "lifetime":
                self.bump()
                result.append(Bound(self.span(token.start), None, token.text))
            elif token.text == "use" and self.peek().text == "<":  # precise capturing: no meaning for contracts
                self.bump()
                self.generic_args()
            elif token.text == "(":
                group = self.enter("(", "bound")
                result.append(self.trait_bound())
                self.leave(group, "bound")
            elif token.text in ("?", "for", "~", "const", "async", "!") or self.at_path():
                result.append(self.trait_bound())
            else:
                break
            if not (plus and self.eat("+")):
                break
        return result

    def trait_bound(self) -> Bound:
        start = self.tok.start
        maybe = False
        while True:
            text = self.tok.text
            if text == "?":
                maybe = True
                self.bump()
            elif text == "for":
                self.skip_binder()
            elif text in ("~", "const", "async", "!"):
                self.bump()
            else:
                break
        path = self.path(False)
        return Bound(self.span(start), path, None, maybe)

    def generic_params(self) -> list[GenericParam]:
        """`<'a: 'b, T: A + B = D, const N: usize = 5>`, or nothing."""
        params: list[GenericParam] = []
        if self.tok.text != "<":
            return params
        self.bump()
        while not self.at_close_angle():
            self.drop_attrs()
            start = self.tok.start
            bounds: list[Bound] = []
            default: Type | Expr | None = None
            if self.tok.kind == "lifetime":
                name = self.bump().text
                if self.eat(":"):
                    bounds = self.bounds()
                params.append(GenericParam(self.span(start), "lifetime", name, bounds))
            elif self.eat("const"):
                name = self.name("const parameter")
                self.expect(":", "const parameter")
                of = self.type()
                if self.eat("="):
                    constant = self.tok.text in ("{", "-", "true", "false") or self.tok.kind in ("int", "char")
                    default = self.const_arg() if constant else self.type()
                params.append(GenericParam(self.span(start), "const", name, [], of, default))
            else:
                name = self.name("generic parameter")
                if self.eat(":"):
                    bounds = self.bounds()
                if self.eat("="):
                    default = self.type()
                params.append(GenericParam(self.span(start), "type", name, bounds, None, default))
            if not self.eat(","):
                break
        self.close_angle("generic parameters")
        return params

    def generics(self) -> Generics:
        start = self.tok.start
        if self.tok.text != "<":
            return Generics(Span(self.last, self.last))
        params = self.generic_params()
        return Generics(self.span(start), params)

    def where(self, generics: Generics) -> None:
        """`where …`, if it stands here, is added to the generics."""
        if not self.eat("where"):
            return
        while self.tok.kind == "lifetime" or self.at_type_start():
            start = self.tok.start
            if self.tok.kind == "lifetime":
                name = self.bump().text
                self.expect(":", "where clause")
                bounds = self.bounds()
                generics.where.append(WherePredicate(self.span(start), None, bounds, name))
            else:
                if self.tok.text == "for":
                    self.skip_binder()
                of = self.type()
                self.expect(":", "where clause")
                bounds = self.bounds()
                generics.where.append(WherePredicate(self.span(start), of, bounds))
            if not self.eat(","):
                break

    def at_type_start(self) -> bool:
        token = self.tok
        if token.kind == "ident":
            return not self.at_clause() and (
                token.text not in KEYWORDS or token.text in PATH_WORDS or token.text in ("for", "impl", "dyn", "fn")
            )
        return token.text in ("(", "[", "&", "*", "<", "::", "!")

    def cast_type(self) -> Type:
        """The type behind `as`. A `<` behind a type that takes no arguments is less-than; behind another one it is
        tried as generic arguments first, as Rust reads it."""
        token = self.tok
        if token.text in PRIMITIVES and self.peek().text != "::":
            self.bump()
            span = self.span(token.start)
            return PathType(span, Path(span, [PathSegment(span, token.text)]))
        if token.start not in self.less_than:
            state = self.save()
            try:
                return self.type(plus=False)
            except ParseFailure:
                self.restore(state)
                if not self.at_path():
                    raise
                self.less_than.add(token.start)  # so that nested attempts are not repeated
        return self.less_than_type()

    def less_than_type(self) -> Type:
        path = self.path(True)
        return PathType(path.span, path)

    def path_expr(self) -> PathExpr:
        path = self.path(True)
        return PathExpr(path.span, path)
