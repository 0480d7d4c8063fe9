"""Ghost code erased: a Verus file as the plain Rust that runs.

In: a source text. Out: Rust text for a plain compiler, with what only Verus reads left out: specification and proof functions,
clauses, `proof` blocks, assertions, ghost variables; `Ghost<T>` and `Tracked<T>` become a type without content. `cfg`
attributes stay: the compiler decides them as it does for the program that runs. What this module does not know stays as it is,
and the compiler then refuses it: a file is never silently turned into another program.

`executable_tokens` is the same text as a list of tokens, for `--mode proof`: only ghost code may have changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields

from translate import syntax as sx
from translate.parser import ParseFailure, body_of, parse_file
from translate.source import SourceText, from_text
from translate.tokens import Group, Token, tokenize

GHOST = "__Ghost"

#: What the erased text leans on.
PRELUDE = """\
#![allow(warnings)]
pub mod __vstd {
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct __Ghost;
    pub trait View {}
    impl<T: ?Sized> View for T {}
    pub trait __VecFns<T> {
        fn set(&mut self, i: usize, value: T);
        fn set_and_swap(&mut self, i: usize, value: &mut T);
    }
    impl<T> __VecFns<T> for Vec<T> {
        fn set(&mut self, i: usize, value: T) { self[i] = value; }
        fn set_and_swap(&mut self, i: usize, value: &mut T) { core::mem::swap(&mut self[i], value); }
    }
    pub fn slice_index_get<T>(slice: &[T], i: usize) -> &T { &slice[i] }
    pub fn slice_subrange<T>(slice: &[T], i: usize, j: usize) -> &[T] { &slice[i..j] }
    pub fn unreached<A>() -> A { panic!("unreached") }
}
"""
USE_PRELUDE = "use crate::__vstd::*;\n"

_GHOST_TYPES = {"Ghost", "Tracked"}
_SPEC_TYPES = {"int", "nat", "real", "Seq", "Set", "ISet", "Map", "IMap", "Multiset", "FnSpec", "spec_fn", "proof_fn"}
_GHOST_CALLS = {"assume", "admit", "assert", "reveal", "reveal_with_fuel", "hide", "reveal_strlit"}
_GHOST_MACROS = {"proof", "proof_decl", "calc", "assert_by", "assert_by_contradiction", "assert_seqs_equal", "assert_sets_equal"}
_GHOST_MACROS |= {"assert_maps_equal", "assert_forall_by", "reveal", "reveal_with_fuel", "hide"}
_LIBRARY_ROOTS = {"vstd", "builtin", "builtin_macros", "verus_builtin", "verus_builtin_macros"}
_GHOST_DERIVES = {"Structural", "StructuralEq"}
_KEPT_ATTRIBUTES = {"cfg", "cfg_attr", "derive", "repr", "inline", "must_use", "allow", "path", "macro_use", "macro_export"}


class EraseError(Exception):
    """Text that cannot be erased, because it cannot be parsed; the message has the place."""


def erase(text: str, *, after_type: Callable[[sx.Struct | sx.Enum], str] | None = None, prelude: bool = True) -> str:
    """The executable program. `after_type` adds text behind each struct and enum. `fn main` of the file is left out."""
    source = from_text("submitted", text)
    file = parse_file(source)
    if file.problems:
        problem = file.problems[0]
        raise EraseError(f"{source.place(problem.span.start)}: {problem.construct}: {problem.message}")
    eraser = _Eraser(source, file, after_type)
    try:
        items = eraser.items([i for i in file.items if not (isinstance(i, sx.Fn) and i.name == "main")])
    except ParseFailure as failure:
        raise EraseError(f"{source.place(failure.span.start)}: {failure.construct}: {failure.message}") from failure
    return (PRELUDE + USE_PRELUDE if prelude else "") + items


def executable_tokens(text: str) -> list[str]:
    """The tokens of the executable program, without comments and white space."""
    return token_texts(erase(text, prelude=False))


def token_texts(text: str) -> list[str]:
    """All tokens of a text, brackets opened."""
    return _flat(tokenize(from_text("text", text))[0])


def _flat(tokens: Sequence[Token]) -> list[str]:
    out: list[str] = []
    for token in tokens:
        if isinstance(token, Group):
            out.append(token.text)
            out += _flat(token.children)
            out.append({"(": ")", "[": "]", "{": "}"}[token.text])
        elif token.kind != "eof":
            out.append(token.text)
    return out


class _Eraser:
    def __init__(self, source: SourceText, file: sx.File, after_type: Callable[[sx.Struct | sx.Enum], str] | None) -> None:
        self.source = source
        self.after_type = after_type
        self.edits: list[tuple[int, int, str]] = []
        ghost, code = set[str](), set[str]()
        _names(file.items, ghost, code)
        self.ghost_names = ghost - code
        self.own_code = code

    def is_ghost(self, node: object) -> bool:
        """Whether an expression is there for Verus alone."""
        return _ghost_expr(node, self.own_code)

    # --- text with edits ---------------------------------------------------------------------------------------------

    def text(self, start: int, end: int) -> str:
        """The text of a range with the edits in it applied; of nested edits the outermost counts."""
        out: list[bytes] = []
        at = start
        for first, last, new in sorted((e for e in self.edits if start <= e[0] and e[1] <= end), key=lambda e: (e[0], -e[1])):
            if first < at:
                continue
            out += [self.source.data[at:first], new.encode()]
            at = last
        out.append(self.source.data[at:end])
        return b"".join(out).decode("utf-8", errors="replace")

    def edit(self, span: sx.Span, new: str) -> None:
        self.edits.append((span.start, span.end, new))

    # --- items -------------------------------------------------------------------------------------------------------

    def items(self, items: Sequence[sx.Item]) -> str:
        return "".join(filter(None, (self.item(i) for i in items)))

    def item(self, item: sx.Item) -> str:
        """One item as Rust, "" where nothing of it runs."""
        match item:
            case sx.Fn():
                return self.fn(item) if item.mode == "exec" else ""
            case sx.Struct() | sx.Enum():
                return self.type_item(item)
            case sx.Impl():
                return self.impl(item)
            case sx.Trait():
                return self.trait(item)
            case sx.Mod() if item.items is not None:
                inside = USE_PRELUDE + self.items(item.items)
                return f"{self.attrs(item.attrs)}{item.vis} mod {item.name} {{\n{inside}}}\n"
            case sx.Use():
                return "".join(self.use(item, leaf) for leaf in item.leaves)
            case sx.Const():
                return self.const(item)
            case sx.TypeAlias():
                if item.type is None or _mentions(item.type, _SPEC_TYPES):
                    return "" if item.type is not None else self.plain(item, item.attrs)
                self.types(item.type)
                return self.plain(item, item.attrs)
            case sx.BroadcastGroup() | sx.BroadcastUse() | sx.Global() | sx.AssumeSpecification():
                return ""
            case sx.MacroItem() if item.path.segments[-1].name in _GHOST_MACROS:
                return ""
            case sx.OtherItem() if any(r in self.source.snippet(item.span) for r in _LIBRARY_ROOTS):
                return ""
            case _:
                return self.source.snippet(item.span) + "\n"

    def attrs(self, attrs: Sequence[sx.Attr]) -> str:
        return "".join(self.attr(a) for a in attrs if not a.inner)

    def attr(self, attr: sx.Attr) -> str:
        if attr.path not in _KEPT_ATTRIBUTES:
            return ""
        if attr.path == "derive" and attr.args is not None:
            traits = [t.strip() for t in attr.text[attr.text.index("(") + 1 : attr.text.rindex(")")].split(",")]
            kept = [t for t in traits if t and t.split("::")[-1] not in _GHOST_DERIVES]
            return f"#[derive({', '.join(kept)})]\n" if kept else ""
        return f"#[{attr.text}]\n"

    def plain(self, item: sx.Node, attrs: Sequence[sx.Attr]) -> str:
        """The item's own text behind its attributes."""
        start = max([item.span.start, *(a.span.end for a in attrs if not a.inner)])
        return self.attrs(attrs) + self.text(start, item.span.end).lstrip() + "\n"

    def type_item(self, item: sx.Struct | sx.Enum) -> str:
        if item.mode in ("ghost", "tracked"):
            return ""
        members = item.fields if isinstance(item, sx.Struct) else [f for v in item.variants for f in v.fields]
        for member in members:
            self.field(member)
        for variant in item.variants if isinstance(item, sx.Enum) else ():
            for attr in variant.attrs:
                self.edit(attr.span, self.attr(attr))
        extra = self.after_type(item) if self.after_type is not None else ""
        return self.plain(item, item.attrs) + extra

    def field(self, member: sx.FieldDef) -> None:
        for attr in member.attrs:
            self.edit(attr.span, "")
        if member.mode in ("ghost", "tracked"):
            name = "" if member.name.isdigit() else f"{member.name}: "
            self.edit(member.span, f"{member.vis} {name}{GHOST}")
        else:
            self.types(member.type)

    def impl(self, item: sx.Impl) -> str:
        body = self.items(item.items)
        if item.trait is not None and item.items and all(_is_ghost(i) or isinstance(i, sx.TypeAlias) for i in item.items):
            return ""
        if item.trait is not None and item.trait.segments[-1].name in ("Structural", "View", "DeepView"):
            return ""
        self.generics(item.generics)
        end = max([item.self_type.span.end, *(w.span.end for w in item.generics.where)])
        start = max([item.span.start, *(a.span.end for a in item.attrs if not a.inner)])
        return f"{self.attrs(item.attrs)}{self.text(start, end).lstrip()} {{\n{body}}}\n"

    def trait(self, item: sx.Trait) -> str:
        body = self.items(item.items)
        supers = [self.source.snippet(b.span) for b in item.supertraits if not (b.path and b.path.segments[-1].name == "View")]
        where = ", ".join(self.source.snippet(w.span) for w in item.generics.where)
        head = f"{item.vis} trait {item.name}{self.parameters(item.generics)}"
        head += (": " + " + ".join(supers) if supers else "") + (f" where {where}" if where else "")
        return f"{self.attrs(item.attrs)}{head} {{\n{body}}}\n"

    def use(self, item: sx.Use, leaf: sx.UseTree) -> str:
        parts = [p for p in leaf.path if p]
        if not parts or parts[0] in _LIBRARY_ROOTS or (not leaf.glob and parts[-1] in self.ghost_names):
            return ""
        last = "::*" if leaf.glob else "" if leaf.alias == parts[-1] else f" as {leaf.alias or '_'}"
        return f"{self.attrs(item.attrs)}{item.vis} use {'::'.join(parts)}{last};\n"

    def const(self, item: sx.Const) -> str:
        if item.mode in ("spec", "proof") or item.value is None:
            return ""
        self.expr(item.value)
        self.types(item.type)
        word = "static" if item.static else "const"
        kind, value = self.text(*item.type.span), self.text(*item.value.span)
        return f"{self.attrs(item.attrs)}{item.vis} {word} {item.name}: {kind} = {value};\n"

    # --- functions ---------------------------------------------------------------------------------------------------

    def fn(self, fn: sx.Fn) -> str:
        params = [self.param(p) for p in fn.params if p.mode not in ("ghost", "tracked")]
        result = ""
        if fn.ret_type is not None:
            self.types(fn.ret_type)
            result = f" -> {self.text(*fn.ret_type.span)}"
        where = ", ".join(self.source.snippet(w.span) for w in fn.generics.where)
        words = " ".join([fn.vis, *fn.qualifiers]).strip()
        head = f"{self.attrs(fn.attrs)}{words} fn {fn.name}{self.parameters(fn.generics)}({', '.join(params)}){result}"
        head += f" where {where}" if where else ""
        if fn.body is None:
            return head + ";\n"
        body = body_of(fn)
        assert body is not None
        self.block(body)
        return f"{head} {self.text(fn.body.start, fn.body.end)}\n"

    def param(self, param: sx.Param) -> str:
        if param.type is not None:
            self.types(param.type)
        if param.self_kind is not None:
            return self.text(*param.span)
        if param.type is None:
            return self.source.snippet(param.span)
        self.pattern(param.pattern)
        pattern = "_" if param.pattern is None else self.text(*param.pattern.span)
        return f"{pattern}: {self.text(*param.type.span)}"

    def parameters(self, generics: sx.Generics) -> str:
        if not generics.params:
            return ""
        self.generics(generics)
        return "<" + ", ".join(self.text(*p.span) for p in generics.params) + ">"

    def generics(self, generics: sx.Generics) -> None:
        for param in generics.params:
            if param.type is not None:
                self.types(param.type)

    def types(self, node: object) -> None:
        """`Ghost<T>` and `Tracked<T>` anywhere in a type."""
        if isinstance(node, sx.PathType) and node.path.segments[-1].name in _GHOST_TYPES:
            self.edit(node.span, GHOST)
            return
        for child in _children(node):
            self.types(child)

    def pattern(self, node: object) -> None:
        if isinstance(node, sx.TupleStructPat) and node.path.segments[-1].name in _GHOST_TYPES:
            self.edit(node.span, "_")
            return
        for child in _children(node):
            self.pattern(child)

    # --- bodies ------------------------------------------------------------------------------------------------------

    def block(self, block: sx.Block) -> None:
        for stmt in block.stmts:
            self.stmt(stmt)
        if block.tail is not None:
            self.expr(block.tail)

    def stmt(self, stmt: sx.Stmt) -> None:
        match stmt:
            case sx.LetStmt():
                if stmt.mode in ("ghost", "tracked"):
                    self.edit(stmt.span, "")
                    return
                for attr in stmt.attrs:
                    self.edit(attr.span, self.attr(attr))
                self.pattern(stmt.pattern)
                if stmt.type is not None:
                    self.types(stmt.type)
                if stmt.init is not None:
                    self.expr(stmt.init)
                if stmt.orelse is not None:
                    self.block(stmt.orelse)
            case sx.ExprStmt():
                if self.is_ghost(stmt.expr):
                    self.edit(stmt.span, "")
                else:
                    self.expr(stmt.expr)
            case sx.ItemStmt():
                self.edit(stmt.span, self.item(stmt.item))

    def expr(self, node: object) -> None:
        """Edits for everything ghost below an executable expression."""
        if isinstance(node, sx.Node) and self.is_ghost(node):
            self.edit(node.span, GHOST if _is_wrapper(node) else "()")
            return
        match node:
            case sx.Block():
                self.block(node)
                return
            case sx.Loop():
                if node.clauses:
                    self.edit(sx.Span(node.clauses[0].span.start, node.body.span.start), "")
                if node.iter_name is not None and node.pattern is not None and node.operand is not None:
                    self.edit(sx.Span(node.pattern.span.end, node.operand.span.start), " in ")
                self.pattern(node.pattern)
                for part in (node.cond, node.operand, node.body):
                    self.expr(part)
                return
            case sx.Closure():
                if node.output is not None and (node.output_name is not None or node.clauses):
                    start = max([b.span.end for b in node.params], default=node.span.start)
                    bar = self.source.data.index(b"|", start) + 1
                    self.edit(sx.Span(bar, node.body.span.start), f" -> {self.source.snippet(node.output.span)} ")
                elif node.clauses:
                    self.edit(sx.Span(node.clauses[0].span.start, node.body.span.start), "")
                self.expr(node.body)
                return
            case sx.AttrExpr():
                for attr in node.attrs:
                    self.edit(attr.span, self.attr(attr))
                self.expr(node.operand)
                return
            case sx.Is():
                self.expr(node.operand)
                no = "!" if node.negated else ""
                operand, path = self.text(*node.operand.span), self.source.snippet(node.path.span)
                self.edit(node.span, f"({no}matches!({operand}, {path} {{ .. }}))")
                return
            case sx.Cast():
                self.types(node.type)
            case sx.Arm():
                self.pattern(node.pattern)
            case _:
                pass
        for child in _children(node):
            self.expr(child)


def _children(node: object) -> list[object]:
    """The nodes directly below a node, through lists and tuples."""
    if isinstance(node, list | tuple) and not isinstance(node, sx.Span):
        return list(node)
    if not isinstance(node, sx.Node):
        return []
    return [getattr(node, f.name) for f in fields(node) if f.name not in ("span", "parsed_body")]


def _mentions(node: object, names: set[str]) -> bool:
    if isinstance(node, sx.PathType) and node.path.segments[-1].name in names:
        return True
    return any(_mentions(child, names) for child in _children(node))


def _is_ghost(item: sx.Item) -> bool:
    return isinstance(item, sx.Fn | sx.Const) and item.mode in ("spec", "proof")


def _called(node: object) -> str:
    """The last name of the path that is called, "" for anything else; `Ghost::new` counts as `Ghost`."""
    if isinstance(node, sx.Call) and isinstance(node.func, sx.PathExpr):
        names = [s.name for s in node.func.path.segments]
        return names[-2] if len(names) > 1 and names[-2] in _GHOST_TYPES else names[-1]
    return ""


def _is_wrapper(node: object) -> bool:
    return _called(node) in _GHOST_TYPES


def _ghost_expr(node: object, own_code: set[str]) -> bool:
    match node:
        case sx.Assert():
            return True
        case sx.Block():
            return node.kind == "proof"
        case sx.MacroCall():
            return node.path.segments[-1].name in _GHOST_MACROS
        case sx.AttrExpr():
            return _ghost_expr(node.operand, own_code)
        case sx.Call():
            # `assume` is a keyword of Verus; the other words are names, and a function of the file may have one of them.
            return _called(node) in _GHOST_CALLS - (own_code - {"assume"}) | _GHOST_TYPES
        case _:
            return False


def _names(items: Sequence[sx.Item], ghost: set[str], code: set[str]) -> None:
    """The names of functions and constants, apart by whether they run."""
    for item in items:
        match item:
            case sx.Fn() | sx.Const():
                (ghost if item.mode in ("spec", "proof") else code).add(item.name)
            case sx.BroadcastGroup():
                ghost.add(item.name)
            case sx.Struct() | sx.Enum() if item.mode in ("ghost", "tracked"):
                ghost.add(item.name)
            case sx.Struct() | sx.Enum() | sx.Trait():
                code.add(item.name)
            case sx.Mod() if item.items is not None:
                _names(item.items, ghost, code)
            case _:
                pass
