"""Items, and how parsing goes on after an item that cannot be parsed."""

from __future__ import annotations

from typing import Final

from translate.parser.cursor import ParseFailure, State, plain
from translate.parser.statements import VERUS_MACROS
from translate.parser.type_items import TypeItems, marked
from translate.syntax import (
    AssumeSpecification,
    Attr,
    Bound,
    BroadcastGroup,
    BroadcastUse,
    Clause,
    Const,
    Expr,
    Global,
    Impl,
    Item,
    Literal,
    MacroDef,
    MacroItem,
    Mod,
    OtherItem,
    Param,
    ParseProblem,
    Path,
    PathType,
    Trait,
)
from translate.tokens import Group, Token

_DIRECT: Final = frozenset(("fn", "struct", "enum", "trait", "impl", "mod", "use", "type"))
_PREFIXES: Final = frozenset("open closed uninterp async unsafe spec proof axiom exec default ghost tracked safe auto".split())
_MAX_PROBLEMS: Final = 1_000


class Items(TypeItems):
    """The whole grammar. `problems` collects what could not be parsed; `verus_blocks` counts `verus!` blocks."""

    __slots__ = ("problems", "verus_blocks")

    def __init__(self, tokens: list[Token], in_verus: bool, problems: list[ParseProblem] | None = None) -> None:
        super().__init__(tokens, in_verus)
        self.problems: list[ParseProblem] = [] if problems is None else problems
        self.verus_blocks = 0

    # --- which item ---

    def item_keyword(self) -> str:
        """The word that decides what item begins at the cursor; "" where none does. Verus's words count only where a
        keyword of Rust follows them, so that a variable may be called `open` or `spec`."""
        toks = self.toks
        i = self.i
        if toks[i].text == "pub":
            i += 1
            if toks[i].text == "(":
                i += 1
        while toks[i].kind == "ident":
            word = toks[i].text
            after = toks[i + 1]
            if word in _DIRECT:
                return word
            if word in _PREFIXES:
                if after.text == "(" and word in ("open", "spec"):
                    i += 1
            elif word == "const":
                if after.kind != "ident" or after.text == "move":
                    return ""
                if toks[i + 2].text in (":", "=", "<"):
                    return "const"
            elif word == "static":
                return "static" if after.kind == "ident" and after.text != "move" else ""
            elif word == "broadcast":
                if after.text in ("use", "group"):
                    return f"broadcast {after.text}"
            elif word == "extern":
                if after.text == "crate":
                    return "extern crate"
                if after.text == "{" or (after.kind == "str" and toks[i + 2].text == "{"):
                    return "extern block"
                if after.kind == "str":
                    i += 1
            elif word == "union":
                return "union" if after.kind == "ident" else ""
            elif word == "global":
                return "global" if after.text in ("size_of", "layout") else ""
            elif word == "assume_specification":
                return word if after.text in ("[", "<") else ""
            elif word == "macro_rules":
                return word if after.text == "!" else ""
            elif word == "macro":
                return word if after.kind == "ident" else ""
            else:
                return ""
            i += 1
        return ""

    def at_item(self) -> bool:
        return self.item_keyword() != ""

    # --- lists of items ---

    def items(self) -> list[Item]:
        """Items up to the end of the group; one that fails becomes a problem, and parsing goes on at the next."""
        result: list[Item] = []
        while self.tok.kind != "eof":
            state = self.save()
            try:
                result.extend(self.items_here())
            except ParseFailure as failure:
                self.recover(state, failure)
        return result

    def recover(self, state: State, failure: ParseFailure) -> None:
        """Records the failure and moves to the next place behind it where an item can begin."""
        nested = state[4]
        reached = self.stack[nested][1] if len(self.stack) > nested else self.i
        start = state[1]
        self.restore(state)
        label = self.label()
        message = f"{failure.message} (in {label})" if label else failure.message
        self.problems.append(ParseProblem(failure.span, failure.construct, message))
        toks = self.toks
        i = max(reached, start)
        if len(self.problems) >= _MAX_PROBLEMS:
            self.problems.append(ParseProblem(failure.span, "item", "too many problems; the rest was not read"))
            i = len(toks) - 1
        while toks[i].kind != "eof":
            before = toks[i - 1].text if i > start else ""
            self.i = i
            self.tok = toks[i]
            boundary = before in (";", "{") or (i == reached and i > start)
            if boundary and (self.item_keyword() or (toks[i].text == "#" and toks[i + 1].text == "[")):
                break
            i += 1
        self.i = i
        self.tok = toks[i]
        self.last = toks[i - 1].end if i else self.last

    def label(self) -> str:
        """`fn name`, `struct Name`, … of the item at the cursor, for messages."""
        toks = self.toks
        for i in range(self.i, min(self.i + 40, len(toks) - 1)):
            word = toks[i].text
            if word in ("fn", "struct", "enum", "union", "trait", "mod", "type", "const", "static"):
                if toks[i + 1].kind == "ident" and toks[i + 1].text not in ("fn", "unsafe"):
                    return f"{word} {plain(toks[i + 1].text)}"
            elif word == "impl":
                return word
            elif word in (";", "{"):
                break
        return ""

    def items_here(self) -> list[Item]:
        """The item at the cursor; several where it is a `verus! { … }` block."""
        start = self.tok.start
        attrs = self.outer_attrs()
        keyword = self.item_keyword()
        if keyword:
            return [self.item(keyword, attrs, start)]
        if self.tok.text == ";":
            self.bump()
            return [OtherItem(self.span(start), ";", attrs)]
        if (self.tok.kind == "ident" or self.tok.text == "::") and self.macro_name() is not None:
            return self.macro_item(attrs, start)
        raise self.failure("item", "expected an item")

    def macro_item(self, attrs: list[Attr], start: int) -> list[Item]:
        path = self.plain_path("macro call")
        self.expect("!", "macro call")
        name = path.segments[-1].name
        if name in VERUS_MACROS and isinstance(self.tok, Group):
            return self.verus_block(attrs, self.tok)
        if self.tok.kind == "ident":
            self.bump()
        body = self.take_group("macro call")
        self.eat(";")
        return [MacroItem(self.span(start), attrs, path, body, self.in_verus)]

    def verus_block(self, attrs: list[Attr], block: Group) -> list[Item]:
        """The items inside `verus! { … }`; each carries the attributes of the block too (a `#[cfg]` holds for all)."""
        group = self.enter(block.text, "verus block")
        outer = self.in_verus
        self.in_verus = True
        self.verus_blocks += 1
        attrs = attrs + self.inner_attrs()
        items = self.items()
        if attrs:
            for item in items:
                if not isinstance(item, Global):
                    item.attrs = attrs + item.attrs
        self.in_verus = outer
        self.leave(group, "verus block")
        self.eat(";")
        return items

    # --- one item ---

    def item(self, keyword: str, attrs: list[Attr], start: int) -> Item:
        if keyword == "fn":
            return self.function(attrs, start)
        if keyword in ("struct", "union"):
            return self.struct(attrs, start)
        if keyword == "enum":
            return self.enum(attrs, start)
        if keyword == "impl":
            return self.impl(attrs, start)
        if keyword == "trait":
            return self.trait(attrs, start)
        if keyword == "mod":
            return self.module(attrs, start)
        if keyword == "use":
            return self.use(attrs, start)
        if keyword == "type":
            return self.type_alias(attrs, start)
        if keyword in ("const", "static"):
            return self.const(attrs, start)
        if keyword == "broadcast group":
            return self.broadcast_group(attrs, start)
        if keyword == "broadcast use":
            return self.broadcast_use(attrs, start)
        if keyword == "global":
            return self.global_item(start)
        if keyword == "assume_specification":
            return self.assume_specification(attrs, start)
        if keyword in ("macro", "macro_rules"):
            return self.macro_definition(attrs, start)
        return self.other_item(keyword, attrs, start)

    def skip_to(self, word: str, construct: str) -> list[str]:
        """Steps over the words before an item's keyword, and over the keyword itself."""
        words: list[str] = []
        while self.tok.text != word:
            if self.tok.kind != "ident":
                self.fail(construct, f"expected `{word}`")
            words.append(self.bump().text)
        self.bump()
        return words

    def module(self, attrs: list[Attr], start: int) -> Item:
        vis = self.visibility()
        self.skip_to("mod", "module")
        name = self.name("module")
        if self.eat(";"):
            return Mod(self.span(start), name, attrs, vis, None, self.in_verus)
        group = self.enter("{", "module")
        attrs = attrs + self.inner_attrs()
        outer = self.in_verus
        self.in_verus = outer or marked(attrs)
        items = self.items()
        self.leave(group, "module")
        result = Mod(self.span(start), name, attrs, vis, items, self.in_verus)
        self.in_verus = outer
        return result

    def impl(self, attrs: list[Attr], start: int) -> Item:
        self.skip_to("impl", "impl")
        generics = self.generics()
        self.eat("const")
        negative = self.tok.text == "!" and self.peek().text != "{" and self.eat("!")
        self_type = self.type()
        trait: Path | None = None
        if self.eat("for"):
            if not isinstance(self_type, PathType):
                self.fail("impl", "expected a trait before `for`")
            trait = self_type.path
            self_type = self.type()
        self.where(generics)
        items, attrs, in_verus = self.members("impl", attrs)
        return Impl(self.span(start), attrs, generics, trait, self_type, items, in_verus, negative)

    def members(self, construct: str, attrs: list[Attr]) -> tuple[list[Item], list[Attr], bool]:
        group = self.enter("{", construct)
        attrs = attrs + self.inner_attrs()
        outer = self.in_verus
        in_verus = self.in_verus = outer or marked(attrs)
        items = self.items()
        self.in_verus = outer
        self.leave(group, construct)
        return items, attrs, in_verus

    def trait(self, attrs: list[Attr], start: int) -> Item:
        vis = self.visibility()
        self.skip_to("trait", "trait")
        name = self.name("trait")
        generics = self.generics()
        supertraits: list[Bound] = self.bounds() if self.eat(":") else []
        if self.eat("="):
            supertraits = self.bounds()
            self.where(generics)
            self.expect(";", "trait")
            return Trait(self.span(start), name, attrs, vis, generics, supertraits, [], self.in_verus, True)
        self.where(generics)
        items, attrs, in_verus = self.members("trait", attrs)
        return Trait(self.span(start), name, attrs, vis, generics, supertraits, items, in_verus)

    def const(self, attrs: list[Attr], start: int) -> Item:
        vis = self.visibility()
        mode, publish = "", ""
        while self.tok.text not in ("const", "static"):
            word = self.bump().text
            if word in ("open", "closed", "uninterp"):
                publish = word
                self.restriction()
            elif word in ("spec", "proof", "exec"):
                mode = word
                if self.tok.text == "(":
                    self.take_group("constant")
        static = self.bump().text == "static"
        self.eat("mut")
        name = "_" if self.eat("_") else self.name("constant")
        generics = self.generics()
        self.expect(":", "constant")
        of = self.type()
        self.where(generics)
        value: Expr | None = self.expr() if self.eat("=") else None
        self.where(generics)
        clauses: list[Clause] = self.clauses(in_item=True)
        if value is None and self.tok.text == "{":
            value = self.block()
            self.eat(";")
        else:
            self.expect(";", "constant")
        in_verus = self.in_verus
        for attr in attrs:
            if attr.path.rpartition("::")[2] == "verus_spec":
                in_verus = True
                if attr.args is not None:
                    clauses.extend(self.contract_attribute(attr.args)[1])
        return Const(
            self.span(start),
            name,
            attrs,
            vis,
            mode,
            publish,
            generics,
            of,
            clauses,
            value,
            in_verus or marked(attrs),
            static,
        )

    def path_list(self) -> list[Path]:
        paths: list[Path] = []
        while self.tok.kind != "eof" and self.tok.text != ";":
            if not self.eat(","):
                self.outer_attrs()
                paths.append(self.path(True))
        return paths

    def broadcast_group(self, attrs: list[Attr], start: int) -> Item:
        vis = self.visibility()
        self.bump()
        self.bump()
        name = self.name("broadcast group")
        group = self.enter("{", "broadcast group")
        attrs = attrs + self.inner_attrs()
        members = self.path_list()
        self.leave(group, "broadcast group")
        return BroadcastGroup(self.span(start), name, attrs, vis, members)

    def broadcast_use(self, attrs: list[Attr], start: int) -> Item:
        self.visibility()
        self.bump()
        self.bump()
        if self.tok.text == "{":
            group = self.enter("{", "broadcast use")
            paths = self.path_list()
            self.leave(group, "broadcast use")
        else:
            paths = self.path_list()
        self.expect(";", "broadcast use")
        return BroadcastUse(self.span(start), attrs, paths)

    def global_item(self, start: int) -> Item:
        self.expect("global", "global")
        text_start = self.tok
        kind = self.bump().text
        of = self.type()
        if kind == "layout":
            self.expect("is", "global")
            if self.tok.text != "size":
                self.fail("global", "expected `size`")
            self.bump()
        self.expect("==", "global")
        literal = self.literal()
        size = literal.value if isinstance(literal, Literal) and isinstance(literal.value, int) else None
        if self.eat(","):
            if self.tok.text != "align":
                self.fail("global", "expected `align`")
            self.bump()
            self.expect("==", "global")
            self.literal()
        end = self.last
        self.expect(";", "global")
        return Global(self.span(start), kind, of, self.words(text_start.start, end), size)

    def words(self, start: int, end: int) -> str:
        """The tokens between two offsets of the current list, with a space between them."""
        return " ".join(t.text for t in self.toks if start <= t.start < end)

    def assume_specification(self, attrs: list[Attr], start: int) -> Item:
        vis = self.visibility()
        self.bump()
        generics = self.generics()
        group = self.enter("[", "assume_specification")
        path = self.path(True)
        self.leave(group, "assume_specification")
        params: list[Param] = self.params()[0] if self.tok.text == "(" else []
        ret_name, ret_type, _ = self.return_type()
        self.where(generics)
        clauses = self.clauses(in_item=True)
        self.where(generics)
        self.expect(";", "assume_specification")
        return AssumeSpecification(self.span(start), attrs, vis, generics, path, params, ret_name, ret_type, clauses)

    def macro_definition(self, attrs: list[Attr], start: int) -> Item:
        self.visibility()
        if self.bump().text == "macro_rules":
            self.expect("!", "macro definition")
        token = self.tok
        if token.kind != "ident":
            self.fail("macro definition", "expected a name")
        self.bump()
        body = self.take_group("macro definition")
        if isinstance(self.tok, Group) and body.text == "(":
            body = self.take_group("macro definition")
        self.eat(";")
        return MacroDef(self.span(start), plain(token.text), attrs, body)

    def other_item(self, keyword: str, attrs: list[Attr], start: int) -> Item:
        self.visibility()
        if keyword == "extern crate":
            while self.tok.kind != "eof" and self.tok.text != ";":
                self.bump()
            self.expect(";", keyword)
        else:
            while self.tok.text != "{":
                self.bump()
            self.take_group(keyword)
        return OtherItem(self.span(start), keyword, attrs)
