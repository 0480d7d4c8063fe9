"""Structs, enums, unions, type aliases and `use` declarations."""

from __future__ import annotations

from translate.parser.cursor import plain
from translate.parser.functions import Functions
from translate.syntax import (
    Attr,
    Bound,
    Enum,
    Expr,
    FieldDef,
    Struct,
    TypeAlias,
    Use,
    UseTree,
    Variant,
)


class TypeItems(Functions):
    __slots__ = ()

    def data_mode(self) -> str:
        """`ghost`, `tracked` or `exec` before `struct`, `enum` or a field."""
        word = self.tok.text
        if word in ("ghost", "tracked", "exec") and self.peek().text not in (":", ",", "", "::", "<", "(", "{"):
            self.bump()
            return "" if word == "exec" else word
        return ""

    def struct(self, attrs: list[Attr], start: int) -> Struct:
        vis = self.visibility()
        mode = self.data_mode()
        union = self.bump().text == "union"
        name = self.name("struct")
        generics = self.generics()
        self.where(generics)
        fields: list[FieldDef] = []
        shape = "unit"
        if self.tok.text == "{":
            shape = "struct"
            fields = self.named_fields()
        else:
            if self.tok.text == "(":
                shape = "tuple"
                fields = self.tuple_fields()
                self.where(generics)
            self.expect(";", "struct")
        return Struct(self.span(start), name, attrs, vis, mode, generics, fields, shape, self.in_verus or marked(attrs), union)

    def named_fields(self) -> list[FieldDef]:
        group = self.enter("{", "fields")
        fields: list[FieldDef] = []
        while self.tok.kind != "eof":
            start = self.tok.start
            attrs = self.outer_attrs()
            vis = self.visibility()
            mode = self.data_mode()
            name = "_" if self.eat("_") else self.name("field")
            self.expect(":", "field")
            of = self.type()
            fields.append(FieldDef(self.span(start), name, of, vis, mode, attrs))
            if not self.eat(","):
                break
        self.leave(group, "fields")
        return fields

    def tuple_fields(self) -> list[FieldDef]:
        group = self.enter("(", "fields")
        fields: list[FieldDef] = []
        while self.tok.kind != "eof":
            start = self.tok.start
            attrs = self.outer_attrs()
            vis = self.visibility()
            mode = self.data_mode()
            of = self.type()
            fields.append(FieldDef(self.span(start), str(len(fields)), of, vis, mode, attrs))
            if not self.eat(","):
                break
        self.leave(group, "fields")
        return fields

    def enum(self, attrs: list[Attr], start: int) -> Enum:
        vis = self.visibility()
        mode = self.data_mode()
        self.expect("enum", "enum")
        name = self.name("enum")
        generics = self.generics()
        self.where(generics)
        group = self.enter("{", "enum")
        variants: list[Variant] = []
        while self.tok.kind != "eof":
            variants.append(self.variant())
            if not self.eat(","):
                break
        self.leave(group, "enum")
        return Enum(self.span(start), name, attrs, vis, mode, generics, variants, self.in_verus or marked(attrs))

    def variant(self) -> Variant:
        start = self.tok.start
        attrs = self.outer_attrs()
        self.visibility()
        name = self.name("variant")
        fields: list[FieldDef] = []
        shape = "unit"
        if self.tok.text == "{":
            shape = "struct"
            fields = self.named_fields()
        elif self.tok.text == "(":
            shape = "tuple"
            fields = self.tuple_fields()
        discriminant: Expr | None = self.expr() if self.eat("=") else None
        return Variant(self.span(start), name, fields, shape, discriminant, attrs)

    def type_alias(self, attrs: list[Attr], start: int) -> TypeAlias:
        vis = self.visibility()
        self.eat("default")
        self.expect("type", "type alias")
        name = self.name("type alias")
        generics = self.generics()
        bounds: list[Bound] = self.bounds() if self.eat(":") else []
        self.where(generics)
        of = self.type() if self.eat("=") else None
        self.where(generics)
        self.expect(";", "type alias")
        return TypeAlias(self.span(start), name, attrs, vis, generics, bounds, of, self.in_verus)

    def use(self, attrs: list[Attr], start: int) -> Use:
        vis = self.visibility()
        self.expect("use", "use")
        leaves: list[UseTree] = []
        self.use_tree([], leaves)
        self.expect(";", "use")
        return Use(self.span(start), attrs, vis, leaves, self.in_verus)

    def use_tree(self, prefix: list[str], leaves: list[UseTree]) -> None:
        """Adds the leaves of one use tree; a leading `::` is an empty first segment."""
        self.deeper()
        start = self.tok.start
        path = list(prefix)
        if self.eat("::") and not path:
            path.append("")
        while True:
            token = self.tok
            if token.text == "{":
                group = self.enter("{", "use")
                while self.tok.kind != "eof":
                    self.use_tree(path, leaves)
                    if not self.eat(","):
                        break
                self.leave(group, "use")
                break
            if token.text == "*":
                self.bump()
                leaves.append(UseTree(self.span(start), path, None, True))
                break
            if token.kind != "ident":
                self.fail("use", "expected a name, `{` or `*`")
            self.bump()
            path = [*path, plain(token.text)]
            if self.eat("::"):
                continue
            alias: str | None = path[-1]
            if alias == "self":  # `a::{self}` introduces `a`
                path = path[:-1] or path
                alias = path[-1]
            if self.eat("as"):
                alias = None if self.eat("_") else self.name("use")
            leaves.append(UseTree(self.span(start), path, alias))
            break
        self.depth -= 1


def marked(attrs: list[Attr]) -> bool:
    """Whether attributes make an item outside `verus!` verified code."""
    return any(attr.path.rpartition("::")[2] in ("verus_verify", "verus_spec") for attr in attrs)
