"""Executable code after ghost code is erased, and where two versions of it differ (`check --mode proof`).

In: two crates. Out: `CodeChange` records; none where only ghost code was added, changed or taken away.

Erased are: contracts, invariants and measures; `proof` blocks, assertions, assumptions, reveals; ghost and tracked variables,
parameters, fields and arguments; spec and proof functions; attributes that only Verus reads. Everything else stays, with names
resolved in each crate on its own: code that reads the same and calls something else has changed. Bodies of `external_body` and
`external` functions, and code outside `verus!`, run too, and are compared. Sources: the guide, "Erasure" and "Modes".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from equiv.verdict import Place
from translate import syntax as sx
from translate.names import LIBRARY_ROOTS, Crate, Module, Ref, impl_name
from translate.parser import ParseFailure, body_of
from translate.source import SourceText
from translate.tokens import Group

#: Attributes that do not change what runs.
_QUIET = ("verifier", "verus", "doc", "allow", "warn", "deny", "forbid", "expect", "inline", "cold", "must_use", "deprecated",
          "rustfmt", "clippy", "via_fn", "trigger", "auto", "all_triggers", "proof_note")  # fmt: skip
_GHOST_CALLS = frozenset("assume admit reveal hide reveal_with_fuel reveal_strlit assert_by assume_ use_type_invariant".split())
_GHOST_MACROS = frozenset(
    "proof proof_decl proof_with assert_by_contradiction calc assert_seqs_equal assert_maps_equal assert_sets_equal "
    "assert_multisets_equal assert_bitvector reveal hide open_local_invariant_in_proof".split()
)
_WRAPPERS = frozenset(("Ghost", "Tracked"))
_BLOCK_LIKE = (sx.If, sx.Match, sx.Loop, sx.Block)


@dataclass(frozen=True, slots=True)
class CodeChange:
    """One difference in executable code. `what` is for people; the texts are "" and the places None on the side that lacks it."""

    path: str
    what: str
    old: str
    new: str
    old_place: Place | None
    new_place: Place | None


@dataclass(slots=True, eq=False)
class _Tree:
    """Erased code: a kind, parts that are trees or words, and the node it comes from."""

    tag: str
    parts: list[_Tree | str]
    node: sx.Node | None

    def same(self, other: _Tree) -> bool:
        if self.tag != other.tag or len(self.parts) != len(other.parts):
            return False
        return all(
            a.same(b) if isinstance(a, _Tree) and isinstance(b, _Tree) else a == b
            for a, b in zip(self.parts, other.parts, strict=True)
        )


def executable_changes(original: Crate, submitted: Crate) -> list[CodeChange]:
    """Where executable code differs, in the order of the original, additions last."""
    old, new = _Code(original), _Code(submitted)
    changes: list[CodeChange] = []
    for key, (ref, item) in old.items.items():
        found = new.items.get(key)
        if found is None:
            changes.append(CodeChange(key, f"{_label(item)} is gone", old.text(item, item), "", old.place(item, item), None))
            continue
        changes += _differences(key, old, old.tree(ref, item), item, new, new.tree(*found), found[1])
    for key, (_, item) in new.items.items():
        if key not in old.items:
            what = f"{_label(item)} was added, and is executable"
            changes.append(CodeChange(key, what, "", new.text(item, item), None, new.place(item, item)))
    return changes


def same_executable(old: Crate, old_ref: Ref, new: Crate, new_ref: Ref) -> bool:
    """Whether the executable code of two functions is the same."""
    if not isinstance(old_ref.item, sx.Fn) or not isinstance(new_ref.item, sx.Fn):
        return False
    return _Eraser(old, old_ref.module).item(old_ref.item).same(_Eraser(new, new_ref.module).item(new_ref.item))


# --- what is compared ------------------------------------------------------------------------------------------------


class _Code:
    """The executable items of a crate, by path."""

    def __init__(self, crate: Crate) -> None:
        self.crate = crate
        self.items: dict[str, tuple[Ref, sx.Node]] = {}
        for ref in [*crate.functions, *crate.hidden]:
            if isinstance(ref.item, sx.Fn) and ref.item.mode == "exec" and not _in_trait_of_ghosts(ref.item):
                self._add(ref.path, ref, ref.item)
        for ref in [*crate.all_refs(), *crate.hidden]:
            ghost = ("ghost", "tracked", "spec", "proof")
            if isinstance(ref.item, sx.Struct | sx.Enum | sx.Const) and ref.item.mode not in ghost:
                self._add(ref.path, ref, ref.item)
        for impl, module in crate.impls:
            if impl.trait is not None and not _ghost_impl(impl):
                path = f"{module.path}::{impl_name(impl)}"
                self._add(path, Ref(path, impl, module, crate), impl)

    def _add(self, path: str, ref: Ref, item: sx.Node) -> None:
        n, key = 2, path
        while key in self.items:
            if self.items[key][1] is item:
                return
            key, n = f"{path}#{n}", n + 1
        self.items[key] = (ref, item)

    def tree(self, ref: Ref, item: sx.Node) -> _Tree:
        return _Eraser(self.crate, ref.module).item(item)

    def source(self, item: sx.Node) -> SourceText:
        if isinstance(item, sx.Fn) and item.body is not None:
            return item.body.source
        sources: dict[int, SourceText] = getattr(self.crate, "sources", {})
        return sources.get(id(item), self.crate.source)

    def place(self, item: sx.Node, node: sx.Node | None) -> Place:
        source = self.source(item)
        span = getattr(node or item, "name_span", (node or item).span)
        line, column = source.line_column(span.start)
        return Place(str(source.path), line, column)

    def text(self, item: sx.Node, node: sx.Node | None) -> str:
        return self.source(item).snippet((node or item).span)


def _in_trait_of_ghosts(fn: sx.Fn) -> bool:
    return any(a.text.replace(" ", "").startswith("verifier::external_fn_specification") for a in fn.attrs)


def _ghost_impl(impl: sx.Impl) -> bool:
    """Whether an implementation has only ghost members, as one of `View` has."""
    fns = [i for i in impl.items if isinstance(i, sx.Fn)]
    return bool(fns) and all(f.mode != "exec" for f in fns)


def _label(item: sx.Node) -> str:
    match item:
        case sx.Fn():
            return f"fn {item.name}"
        case sx.Struct():
            return f"struct {item.name}"
        case sx.Enum():
            return f"enum {item.name}"
        case sx.Const():
            return f"{'static' if item.static else 'const'} {item.name}"
        case sx.Impl():
            return f"impl {impl_name(item)}"
    return "an item"


def _differences(
    key: str, old: _Code, a: _Tree, old_item: sx.Node, new: _Code, b: _Tree, new_item: sx.Node
) -> Iterator[CodeChange]:
    """The smallest trees that differ."""
    if a.tag != b.tag or len(a.parts) != len(b.parts) or (a.tag == "words" and a.parts != b.parts):
        yield _change(key, old, a, old_item, new, b, new_item)
        return
    for x, y in zip(a.parts, b.parts, strict=True):
        if isinstance(x, _Tree) and isinstance(y, _Tree):
            below = _below(x, a), _below(y, b)
            yield from _differences(key, old, below[0], old_item, new, below[1], new_item)
        elif x != y:
            yield _change(key, old, a, old_item, new, b, new_item)
            return


def _below(tree: _Tree, parent: _Tree) -> _Tree:
    if tree.node is None:
        tree.node = parent.node
    return tree


def _change(key: str, old: _Code, a: _Tree, old_item: sx.Node, new: _Code, b: _Tree, new_item: sx.Node) -> CodeChange:
    return CodeChange(
        key,
        f"executable code of {_label(new_item)} changed",
        old.text(old_item, a.node),
        new.text(new_item, b.node),
        old.place(old_item, a.node),
        new.place(new_item, b.node),
    )


# --- erasing ---------------------------------------------------------------------------------------------------------

_FIELDS: dict[type, tuple[str, ...]] = {}
#: Fields of nodes that hold ghost code, or nothing that runs.
_DROPPED = frozenset(
    "span name_span clauses mode mode_text publish open_in axiom broadcast vis ret_name ret_mode in_verus parsed_body iter_name "
    "output_name".split()
)


class _Eraser:
    def __init__(self, crate: Crate, module: Module | None) -> None:
        self.crate, self.module = crate, module or crate.root
        self.in_verus = True
        self._aliases: list[int] = []

    def item(self, item: sx.Node) -> _Tree:
        """An item without its ghost parts; of an implementation only its header and its non-function items."""
        if isinstance(item, sx.Fn):
            return self._function(item)
        if isinstance(item, sx.Impl):
            head = _Tree("impl", [str(item.negative)], item)
            head.parts += [t for t in (self.erase(item.trait), self.erase(item.self_type), self.erase(item.generics)) if t]
            head.parts.append(self._attrs(item.attrs, item))
            head.parts += [t for i in item.items if isinstance(i, sx.TypeAlias | sx.Const) and (t := self.erase(i))]
            return head
        return self.erase(item) or _Tree("nothing", [], item)

    def _function(self, fn: sx.Fn) -> _Tree:
        outer, self.in_verus = self.in_verus, fn.in_verus
        try:
            return self._verified_or_not(fn)
        finally:
            self.in_verus = outer

    def _verified_or_not(self, fn: sx.Fn) -> _Tree:
        params = [
            _Tree("param", [p.self_kind or "", self.erase(p.pattern) or "", self.erase(p.type) or ""], p)
            for p in fn.params
            if not p.mode and not self._ghost_type(p.type)
        ]
        parts: list[_Tree | str] = [
            _Tree("words", [fn.name, *fn.qualifiers], fn),
            self._attrs(fn.attrs, fn),
            self.erase(fn.generics) or "",
            _Tree("params", list(params), fn),
            self.erase(fn.ret_type) or "",
        ]
        if fn.body is not None:
            try:
                body = body_of(fn)
                parts.append((self.erase(body) if body is not None else None) or _Tree("Block", [], fn))
            except ParseFailure:
                parts.append(_Tree("words", list(_words(fn.body)), fn))
        return _Tree("fn", parts, fn)

    def _attrs(self, attrs: list[sx.Attr], at: sx.Node) -> _Tree:
        kept = ["".join(a.text.split()) for a in attrs if not a.path.split("::")[0].startswith(_QUIET)]
        return _Tree("words", list(kept), at)

    def erase(self, node: object) -> _Tree | None:
        """A node's executable part; None where there is none."""
        match node:
            case None:
                return None
            case sx.Path():
                return self._path(node)
            case sx.Block():
                return self._block(node)
            case sx.Assert() | sx.Quantifier():
                return None
            case sx.AttrExpr():
                return self._attributed(node)
            case sx.MacroCall():
                return self._macro(node)
            case sx.Call():
                return self._call(node)
            case sx.AtomicCall():
                return self.erase(node.call)
            case sx.Closure():
                body = node.body
                while isinstance(body, sx.Block) and not (body.stmts or body.kind or body.label) and body.tail is not None:
                    body = body.tail
                params = [t for b in node.params if not b.mode and (t := self.erase(b.pattern))]
                return _Tree("closure", [node.kind, _Tree("params", list(params), node), self.erase(body) or "()"], node)
            case sx.If():
                orelse = self.erase(node.orelse)
                if orelse is not None and orelse.tag == "Block" and orelse.parts == ["", ""]:
                    orelse = None  # an `else` with nothing but ghost code in it
                then = self.erase(node.then) or _Tree("Block", ["", ""], node.then)
                return _Tree("If", [self.erase(node.cond) or "", then, orelse or ""], node)
            case sx.LetStmt():
                if node.mode or self._ghost_type(node.type) or self._ghost_value(node.init):
                    return None
            case sx.Assign():
                if self._ghost_value(node.right):
                    return None
            case sx.FieldDef():
                if node.mode or self._ghost_type(node.type):
                    return None
            case sx.ExprStmt():
                inner = self.erase(node.expr)
                if inner is None:
                    return None
                if isinstance(self._quiet(node.expr), _BLOCK_LIKE):
                    return inner
                return _Tree("stmt", [str(node.semicolon), inner], node)
            case sx.ItemStmt():
                if isinstance(node.item, sx.BroadcastUse | sx.Use) or getattr(node.item, "mode", "exec") in ("spec", "proof"):
                    return None
                return self.item(node.item)
            case sx.TupleStructPat() if self._wraps(node.path, "values"):
                return _Tree("WildPat", [], node)
            case sx.Literal():
                return _Tree("Literal", [f"{node.kind} {node.value!r} {node.suffix}"], node)
        assert isinstance(node, sx.Node)
        return self._generic(node)

    def _generic(self, node: sx.Node) -> _Tree:
        kind = type(node)
        fields = _FIELDS.get(kind)
        if fields is None:
            names = [s for c in kind.__mro__ for s in getattr(c, "__slots__", ())]
            fields = _FIELDS[kind] = tuple(n for n in names if n not in _DROPPED)
        parts: list[_Tree | str] = []
        for name in fields:
            value = getattr(node, name)
            if name == "attrs":
                parts.append(self._attrs(value, node))
            else:
                parts.append(self._value(value, node))
        return _Tree(kind.__name__, parts, node)

    def _value(self, value: object, at: sx.Node) -> _Tree | str:
        if isinstance(value, sx.Node):
            return self.erase(value) or ""
        if isinstance(value, Group):
            return _Tree("words", list(_words(value)), at)
        if isinstance(value, list | tuple):
            pairs = [v for v in value if not (isinstance(v, tuple) and len(v) == 2 and self._ghost_value(v[1]))]
            inner = [self._value(v, at) for v in pairs if not self._ghost_value(v)]
            return _Tree("list", [i for i in inner if i != ""], None)
        return "" if value is None else str(value)

    def _block(self, b: sx.Block) -> _Tree | None:
        if b.kind == "proof":
            return None
        parts: list[_Tree | str] = [b.kind, b.label or ""]
        parts += [t for s in b.stmts if (t := self.erase(s)) is not None]
        tail = self.erase(b.tail)
        if tail is not None:
            parts.append(tail if isinstance(self._quiet(b.tail), _BLOCK_LIKE) else _Tree("tail", [tail], b.tail))
        return _Tree("Block", parts, b)

    def _attributed(self, e: sx.AttrExpr) -> _Tree | None:
        inner = self.erase(e.operand)
        attrs = self._attrs(e.attrs, e)
        if inner is None or not attrs.parts:
            return inner
        return _Tree("attributed", [attrs, inner], e)

    def _macro(self, e: sx.MacroCall) -> _Tree | None:
        names = [s.name for s in e.path.segments]
        ref = self.crate.resolve(names, self.module, "macros")
        if ref is not None and isinstance(ref.item, sx.MacroDef) and ref.crate is self.crate:
            return _Tree("macro", [names[-1], *_words(ref.item.body), "!", *_words(e.body)], e)
        if names[-1] in _GHOST_MACROS:
            return None
        return _Tree("macro", [e.path.text, "!", *_words(e.body)], e)

    def _call(self, e: sx.Call) -> _Tree | None:
        if isinstance(e.func, sx.PathExpr):
            name = e.func.path.segments[-1].name if e.func.path.segments else ""
            if name in _GHOST_CALLS and self._is_ghost(e.func.path):
                return None
        return self._generic(e)

    def _is_ghost(self, path: sx.Path) -> bool:
        """Whether a path is a ghost function of Verus's, and not one of the crate's own of the same name."""
        names = [s.name for s in path.segments]
        ref = self.crate.resolve(names, self.module, "values")
        if names == ["assume"] and self.in_verus:
            return True
        return ref is None or (ref.crate is not self.crate and ref.path.split("::")[0] in LIBRARY_ROOTS)

    def _wraps(self, path: sx.Path, space: str) -> bool:
        """Whether a path is Verus's `Ghost` or `Tracked`, and not a name of the crate's own."""
        if not path.segments or path.segments[-1].name not in _WRAPPERS:
            return False
        ref = self.crate.resolve([s.name for s in path.segments], self.module, space)
        return ref is None or ref.crate is not self.crate

    def _ghost_type(self, t: sx.Type | None) -> bool:
        return isinstance(t, sx.PathType) and self._wraps(t.path, "types")

    def _ghost_value(self, e: object) -> bool:
        if isinstance(e, sx.Borrow):
            return self._ghost_value(e.operand)
        return isinstance(e, sx.Call) and isinstance(e.func, sx.PathExpr) and self._wraps(e.func.path, "values")

    def _quiet(self, e: object) -> object:
        """An expression without the attributes that only Verus reads."""
        while isinstance(e, sx.AttrExpr) and not self._attrs(e.attrs, e).parts:
            e = e.operand
        return e

    def _path(self, p: sx.Path) -> _Tree:
        names = [s.name for s in p.segments]
        shown, alias = p.text, None
        for space in ("values", "types"):
            ref = self.crate.resolve(names, self.module, space) if names and p.qself is None else None
            if ref is not None:
                shown = ref.path
                alias = self._alias(ref)
                break
        else:
            if len(names) > 1 and p.qself is None:
                prefix = self.crate.resolve(names[:-1], self.module, "types")
                shown = f"{prefix.path}::{names[-1]}" if prefix is not None else shown
        parts: list[_Tree | str] = [shown]
        parts += [alias] if alias is not None else []
        parts += [t for x in (p.qself, p.qself_trait) if (t := self.erase(x)) is not None]
        for s in p.segments:
            if s.args is not None:
                parts.append(self._generic(s.args))
        return _Tree("Path", parts, p)

    def _alias(self, ref: Ref) -> _Tree | None:
        """What a type alias of the crate stands for."""
        if not isinstance(ref.item, sx.TypeAlias) or ref.crate is not self.crate or id(ref.item) in self._aliases:
            return None
        self._aliases.append(id(ref.item))
        outer, self.module = self.module, ref.module or self.module
        try:
            return self.erase(ref.item.type)
        finally:
            self.module = outer
            self._aliases.pop()


def _words(group: Group) -> list[str]:
    """The tokens of a group as words; comments are none."""
    out: list[str] = []
    for t in group.children:
        if isinstance(t, Group):
            out += [t.text, *_words(t), f"end {t.text}"]
        else:
            out.append(t.text)
    return out
