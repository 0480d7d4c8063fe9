"""Expressions by size: every one of the language's small expressions over a function's parameters, once.

In: an opened function, inputs, a limit. Out: level by level (size 1, 2, …) the expressions of the result's type. Two expressions
that give the same on every input are one (observational equivalence, on columns of outputs, panics included): the first, and so a
smallest, stands for all. Typed, deterministic, without a solver.

What is built: parameters, fields, elements; the numbers of the contract and small ones; arithmetic, comparison, logic, casts, and
the methods named below; constructors of the result's type; `if` at the top (a conditional further down can be moved up). Bit
operations only where the contract has some.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from translate import terms as tm
from translate.elaborate.laws import type_invariants
from translate.terms import BOOL, CHAR, USIZE, Sort
from translate.values import Value
from witness import methods
from witness.contract import Opened
from witness.expressions import Anything, Constant, Constructor, Node, Variant
from witness.language.base import has_hole, is_comparable, is_number, is_plain
from witness.library import option_of
from witness.numbers import Panic, bounds, in_bounds, unsigned_of
from witness.run import matches, operate

#: Expressions that are built at most, levels that are gone through at most.
BUILT: Final = 20_000
LARGEST: Final = 9
LARGEST_LEAN: Final = 14
#: A lean enumeration leaves out pairs of two sizes where there are more than so many.
_LEAN_PAIRS: Final = 600
_NUMBERS: Final = 8
_ARITHMETIC: Final = ("add", "sub", "mul", "div", "rem")
_BITS: Final = ("bitand", "bitor", "bitxor")
_BIT_TERMS: Final = frozenset({"bitand", "bitor", "bitxor", "bitnot", "shl", "shr"})
_COMMUTES: Final = frozenset(
    {"add", "mul", "bitand", "bitor", "bitxor", "eq", "ne", "and", "or", "min", "max", "abs_diff", "saturating_add"}
    | {"wrapping_add", "wrapping_mul", "checked_add", "checked_mul"}
)
_CHOICES: Final = ("min", "max")
_INTEGER_METHODS: Final = (
    "saturating_sub", "saturating_add", "wrapping_add", "wrapping_sub", "wrapping_mul", "checked_add", "checked_sub",
    "checked_mul",
)  # fmt: skip


class _Panics:
    """The output of an expression that panics."""

    def __repr__(self) -> str:
        return "panics"


PANICS: Final = _Panics()


@dataclass(frozen=True, slots=True)
class Entry:
    """An expression and what it gives on every input, in their order (`PANICS` where it panics)."""

    node: Node
    column: tuple[Any, ...]

    @property
    def panics(self) -> bool:
        return any(x is PANICS for x in self.column)


class _Full(Exception):
    """The limit on built expressions is reached."""


class Search:
    """The enumeration for one function. `built` counts expressions, `kept` those that are different; `complete` is the size up to
    which all were built, `is_full` says that the limit ended it. A `lean` one builds no bits, no casts, and of arithmetic only
    neighbours (`x + 1`, and those of the contract's numbers): it chooses, compares and puts together, and so goes further."""

    def __init__(
        self, opened: Opened, inputs: Sequence[Sequence[Value]], limit: int = BUILT, *, lean: bool = False
    ) -> None:
        self.opened, self.inputs, self.limit, self.lean = opened, [tuple(i) for i in inputs], limit, lean
        self.complete, self.is_full = 0, False
        self.word = opened.word
        self.want = opened.result_sort or tm.UNIT
        self.table: dict[Sort, dict[int, list[Entry]]] = {}
        self.seen: dict[tuple[Sort, bool], set[tuple[Any, ...]]] = {}
        self.built = self.kept = 0
        terms = _all_terms([*opened.requires, *opened.ensures])
        self.numbers = _numbers(terms)
        self.has_bits = any(t.op in _BIT_TERMS for t in terms)
        self.parts = list(_parts(self.want, ()))
        self.referenced = {p.name for p in opened.parameters() if p.type.startswith("&")}

    def level(self, size: int) -> list[Entry]:
        """The new expressions of the result's type with so many nodes, as many as the limit lets be built. Levels are asked for
        in order, from 1."""
        self.found: list[Entry] = []
        try:
            for node, args in self._candidates(size):
                self._add(node, args, size)
            self.complete = size
        except _Full:
            self.is_full = True
        return self.found

    def small(self, sort: Sort, count: int) -> list[Entry]:
        """The smallest expressions of a sort that may be returned, at most `count`."""
        levels = self.table.get(sort, {})
        found = [e for k in sorted(levels) for e in levels[k] if e.node.op != "if" and self._can_be_returned(e.node)]
        return found[:count]

    def _add(self, node: Node, args: Sequence[Entry], size: int) -> None:
        if self.built >= self.limit:
            raise _Full
        self.built += 1
        column = self._column(node, args)
        if all(x is PANICS for x in column):
            return
        returnable = self._can_be_returned(node)
        seen = self.seen.setdefault((node.sort, returnable), set())
        if column in seen:
            return
        seen.add(column)
        self.kept += 1
        entry = Entry(node, column)
        self.table.setdefault(node.sort, {}).setdefault(size, []).append(entry)
        if node.sort is self.want and returnable:
            self.found.append(entry)

    def _can_be_returned(self, node: Node) -> bool:
        """Whether the value is the expression's to give away, and does not stand behind a reference, to be copied on purpose."""
        if is_plain(node.sort):
            return True
        base = node
        while base.op in ("field", "index"):
            base = base.args[0]
        return base.op != "param" or (base is node and base.data not in self.referenced)

    def _column(self, node: Node, args: Sequence[Entry]) -> tuple[Any, ...]:
        match node.op:
            case "deref" if not args:
                return self._column(node.args[0], ())
            case "param":
                place = [p.name for p in self.opened.parameters()].index(node.data)
                return tuple(i[place] for i in self.inputs)
            case "if":
                cond, then, other = (a.column for a in args)
                return tuple(PANICS if c is PANICS else t if c else o for c, t, o in zip(cond, then, other, strict=True))
            case "and" | "or":
                stop = node.op == "or"
                left, right = (a.column for a in args)
                return tuple(a if a is PANICS or a is stop else b for a, b in zip(left, right, strict=True))
            case "match":
                return tuple(PANICS if x is PANICS else _matched(node, x) for x in args[0].column)
        word = self.word
        if not args:
            value = operate(node, (), word)
            return (value,) * len(self.inputs)
        found = []
        for values in zip(*(a.column for a in args), strict=True):
            if any(v is PANICS for v in values):
                found.append(PANICS)
                continue
            try:
                found.append(operate(node, values, word))
            except Panic:
                found.append(PANICS)
        return tuple(found)

    # --- what is built -----------------------------------------------------------------------------------------------

    def _candidates(self, size: int) -> Iterator[tuple[Node, Sequence[Entry]]]:
        if size == 1:
            yield from ((n, ()) for n in self._leaves())
        else:
            yield from self._unary(size)
            yield from self._binary(size)
            if self.lean and size >= 3:
                yield from self._neighbours(size)
        yield from self._constructed(size)
        if not self.lean:
            yield from self._conditional(size)

    def _of(self, sort: Sort, size: int) -> list[Entry]:
        return list(self.table.get(sort, {}).get(size, ()))

    def _sorts(self) -> list[Sort]:
        return list(self.table)

    def _pairs(self, a: Sort, b: Sort, size: int) -> Iterator[tuple[Entry, Entry]]:
        """Arguments whose sizes and the operator's make up `size`."""
        for left in range(1, size - 1):
            yield from product(self._of(a, left), self._of(b, size - 1 - left))

    def _leaves(self) -> Iterator[Node]:
        sorts = {BOOL: None, **dict.fromkeys(p.sort for p in self.opened.parameters()), **dict.fromkeys(self.parts)}
        for p in self.opened.parameters():
            param = Node("param", (), p.sort, p.name)
            yield Node("deref", (param,), p.sort) if p.type.startswith("&") and is_plain(p.sort) else param
        reachable = [s for sort in list(sorts) for s in _parts(sort, ())]
        if any(s.kind == "boxed" for s in reachable):
            reachable.append(USIZE)
        for sort in dict.fromkeys((*self.parts, *reachable)):
            if is_number(sort):
                yield from self._literals(sort)
            elif sort is CHAR:
                yield from (Node("lit", (), CHAR, c) for c in dict.fromkeys((*self.numbers, 97, 48, 32)) if _is_char(c))
        for value in (False, True):
            yield Node("lit", (), BOOL, value)
        for sort in dict.fromkeys(self.parts):
            if sort.kind == "boxed" and sort.name in ("Vec", "String"):
                yield Node("new", (), sort, f"{sort.name}::new()")

    def _literals(self, sort: Sort) -> Iterator[Node]:
        low, high = bounds(sort, self.word)
        around = [m for n in self.numbers for m in (n - 1, n + 1)] if self.lean else []
        wanted = [0, 1, *([-1] if low < 0 and not self.lean else []), *self.numbers, *around]
        for n in dict.fromkeys(n for n in wanted if in_bounds(n, sort, self.word)):
            yield Node("lit", (), sort, n)
        for name, value in (("MAX", high), ("MIN", low)):
            if self.lean or value == 0 or (sort is not self.want and sort not in self.parts):
                continue
            term = tm.mk("word", (), tm.INT, f"{sort.name}::{name}") if sort.name in ("usize", "isize") else tm.lit(value)
            if self.opened.word_bits is not None:
                term = tm.lit(value)
            yield Node("const", (), sort, Constant(f"{sort.name}::{name}", term, value))

    def _unary(self, size: int) -> Iterator[tuple[Node, Sequence[Entry]]]:
        for sort in self._sorts():
            for x in self._of(sort, size - 1):
                for node in self._on_one(sort, x.node):
                    yield node, (x,)
        for sort in self._sorts():
            if sort.kind == "boxed" and size >= 3:  # `x.first().copied()` counts two
                for x in self._of(sort, size - 2):
                    if is_plain(sort.element) and sort.name in ("Vec", "slice", "array"):
                        yield from self._ends(sort, x)
            if sort.kind == "data" and not sort.is_struct and size >= 4:
                for x in self._of(sort, size - 3):
                    yield from ((n, (x,)) for n in _taken_apart(sort, x.node))

    def _ends(self, sort: Sort, x: Entry) -> Iterator[tuple[Node, Sequence[Entry]]]:
        option = option_of(sort.element)
        copied = methods.find(option, "copied")
        for name in ("first", "last"):
            end = methods.find(sort, name)
            inner = Node("method", (x.node,), option, end)
            yield Node("method", (inner,), option, copied), (Entry(inner, self._column(inner, (x,))),)

    def _on_one(self, sort: Sort, x: Node) -> Iterator[Node]:
        literal = x.op in ("lit", "const")
        if sort is BOOL and not literal:
            yield Node("not", (x,), BOOL)
        if sort.is_integer and not literal:
            yield from self._on_number(sort, x)
        if sort.kind == "data" and sort.is_struct and x.op != "ctor":
            for i, f in enumerate(sort.variants[0].fields):
                if f.sort.name not in ("int", "nat", "Ghost", "Tracked") and f.sort.kind in ("int", "bool", "data", "boxed"):
                    yield Node("field", (x,), f.sort, (i, f.name))
        if sort.kind == "boxed" and sort.name in ("Vec", "slice", "array"):
            for name in ("len", "is_empty"):
                yield self._method(x, name)
            if sort is self.want and is_plain(sort.element) and sort.name == "Vec" and x.op != "new":
                yield self._method(x, "clone")
            if sort.name != "Vec" and methods.vec_of(sort.element) is self.want and is_plain(sort.element):
                yield self._method(x, "to_vec")
        if sort.kind == "data" and methods.families(sort) == ("option",) and x.op != "ctor":
            yield self._method(x, "is_some")
            yield self._method(x, "unwrap")

    def _on_number(self, sort: Sort, x: Node) -> Iterator[Node]:
        if self.lean:
            return
        if is_number(sort) and sort.name[0] == "i":
            yield Node("neg", (x,), sort)
            for name in ("unsigned_abs", "abs"):
                yield self._method(x, name)
        if self.has_bits and is_number(sort):
            yield Node("bitnot", (x,), sort)
        if x.op != "cast":
            targets = [s for s in (*self.parts, *(p.sort for p in self.opened.parameters())) if is_number(s)]
            for target in dict.fromkeys([*targets, *([USIZE] if self._has_sequences() else [])]):
                if target is not sort:
                    yield Node("cast", (x,), target)
        if sort is CHAR:
            for name in ("is_ascii_digit", "is_ascii_lowercase", "is_ascii_uppercase"):
                yield self._method(x, name)

    def _has_sequences(self) -> bool:
        return any(s.kind == "boxed" for s in self.table)

    def _method(self, x: Node, name: str, *args: Node) -> Node:
        found = methods.find(x.sort, name)
        assert found is not None
        return Node("method", (x, *args), methods.named(x.sort, found.result), found)

    def _binary(self, size: int) -> Iterator[tuple[Node, Sequence[Entry]]]:
        for sort in self._sorts():
            if is_number(sort):
                yield from self._arithmetic(sort, size)
            if sort.is_integer:
                yield from self._compared(sort, size)
            if sort is BOOL and not self.lean:
                for op in ("and", "or", "eq"):
                    yield from self._combined(op, BOOL, BOOL, size)
            if sort.kind == "boxed" and sort.name in ("Vec", "slice", "array"):
                for x, i in self._pairs(sort, USIZE, size):
                    yield Node("index", (x.node, i.node), sort.element), (x, i)
                if is_comparable(sort.element):
                    contains = methods.find(sort, "contains")
                    for x, y in self._pairs(sort, sort.element, size):
                        yield Node("method", (x.node, Node("ref", (y.node,), y.node.sort)), BOOL, contains), (x, y)
            if methods.families(sort) == ("option",):
                for x, y in self._pairs(sort, sort.args[0], size):
                    if x.node.op != "ctor":
                        yield self._method(x.node, "unwrap_or", y.node), (x, y)

    def _arithmetic(self, sort: Sort, size: int) -> Iterator[tuple[Node, Sequence[Entry]]]:
        for op in () if self.lean else (*_ARITHMETIC, *(_BITS if self.has_bits else ())):
            yield from self._combined(op, sort, sort, size)
        for name in _CHOICES if self.lean else (*_CHOICES, *_INTEGER_METHODS):
            for x, y in self._ordered(name, sort, size):
                if not (self.lean and any(n.op in ("lit", "const", "add", "sub") for n in (x.node, y.node))):
                    yield self._method(x.node, name, y.node), (x, y)
        if self.lean:
            return
        if self.want.name[:1] == "u" and is_number(self.want) and unsigned_of(sort) is self.want:
            for x, y in self._ordered("abs_diff", sort, size):
                yield self._method(x.node, "abs_diff", y.node), (x, y)
        if self.has_bits:
            counts = tm.int_sort("u32")
            for op in ("shl", "shr"):
                for x, y in self._pairs(sort, sort if sort is not counts else counts, size):
                    if y.node.op == "lit" and x.node.op != "lit":
                        yield Node(op, (x.node, y.node), sort), (x, y)

    def _neighbours(self, size: int) -> Iterator[tuple[Node, Sequence[Entry]]]:
        """`x + 1` and `x - 1`: the arithmetic of a lean enumeration."""
        for sort in self._sorts():
            one = next((e for e in self._of(sort, 1) if e.node.op == "lit" and e.node.data == 1), None)
            if not is_number(sort) or one is None:
                continue
            for x in self._of(sort, size - 2):
                if x.node.op not in ("lit", "const", "add", "sub"):
                    yield from ((Node(op, (x.node, one.node), sort), (x, one)) for op in ("add", "sub"))

    def _compared(self, sort: Sort, size: int) -> Iterator[tuple[Node, Sequence[Entry]]]:
        for op in ("lt", "le", "eq", "ne"):
            yield from self._combined(op, sort, BOOL, size)

    def _ordered(self, op: str, sort: Sort, size: int) -> Iterator[tuple[Entry, Entry]]:
        """Pairs of one sort, without those that say nothing new: two literals, the same twice, both orders of what commutes."""
        for left in range(1, size - 1):
            right = size - 1 - left
            if op in _COMMUTES and left > right:
                continue
            if self.lean and len(self._of(sort, left)) * len(self._of(sort, right)) > _LEAN_PAIRS:
                continue
            for i, x in enumerate(self._of(sort, left)):
                for j, y in enumerate(self._of(sort, right)):
                    constant = x.node.op in ("lit", "const") and y.node.op in ("lit", "const")
                    if constant or x is y or (op in _COMMUTES and left == right and i > j):
                        continue
                    turned = op in _COMMUTES and x.node.op in ("lit", "const")
                    yield (y, x) if turned else (x, y)

    def _combined(self, op: str, sort: Sort, result: Sort, size: int) -> Iterator[tuple[Node, Sequence[Entry]]]:
        for x, y in self._ordered(op, sort, size):
            yield Node(op, (x.node, y.node), result), (x, y)

    # --- the result's type -------------------------------------------------------------------------------------------

    def _constructed(self, size: int) -> Iterator[tuple[Node, Sequence[Entry]]]:
        """Values of the data types and arrays that the result is made of."""
        for sort in self.parts:
            if sort.kind == "data" and not type_invariants(self.opened.elaborator, [sort]):
                for v, variant in enumerate(sort.variants):
                    made = _constructor(sort, v)
                    for args in self._filled([f.sort for f in variant.fields], size - 1):
                        if not all(self._can_be_returned(a.node) for a in args):
                            continue
                        yield Node("ctor", tuple(a.node for a in args), sort, made), args
            if sort is self.want and sort.kind == "boxed" and sort.name == "Vec" and is_plain(sort.element):
                for n in range(1, min(4, size - 2)):
                    for args in self._filled([sort.element] * n, size - 2):
                        yield from self._listed(sort, args)

    def _listed(self, sort: Sort, args: tuple[Entry, ...]) -> Iterator[tuple[Node, Sequence[Entry]]]:
        array = Sort("boxed", "array", (sort.element,), view=tm.seq_sort(sort.element), length=len(args))
        inner = Node("array", tuple(a.node for a in args), array)
        yield Node("method", (inner,), sort, methods.find(array, "to_vec")), (Entry(inner, self._column(inner, args)),)

    def _filled(self, sorts: Sequence[Sort], size: int) -> Iterator[tuple[Entry, ...]]:
        """Arguments of these sorts whose sizes add up to `size`."""
        if not sorts:
            if size == 0:
                yield ()
            return
        for first in range(1, size - len(sorts) + 2):
            rest = list(self._filled(sorts[1:], size - first))
            if rest:
                for x in self._of(sorts[0], first):
                    yield from ((x, *r) for r in rest)

    def _conditional(self, size: int) -> Iterator[tuple[Node, Sequence[Entry]]]:
        if size < 4:
            return
        for c in range(1, size - 2):
            conditions = [e for e in self._of(BOOL, c) if len({*map(id, map(bool, e.column))}) > 1 and not e.panics]
            for t in range(1, size - 1 - c):
                thens, others = (
                    [e for e in self._of(self.want, n) if self._can_be_returned(e.node)] for n in (t, size - 1 - c - t)
                )
                for cond, then, other in product(conditions, thens, others):
                    if then is not other:
                        yield Node("if", (cond.node, then.node, other.node), self.want), (cond, then, other)


# --- helpers -------------------------------------------------------------------------------------------------------------


def _all_terms(clauses: Sequence[tm.Term]) -> list[tm.Term]:
    """The subterms of clauses and of the definitions that they name."""
    bodies = {b: None for c in clauses for sym in tm.symbols(c) if (b := sym.body) is not None}
    return [t for term in (*clauses, *bodies) for t in tm.subterms(term)]


def _numbers(terms: Iterable[tm.Term]) -> list[int]:
    """The integer literals in terms, small ones first."""
    found = {t.data for t in terms if t.op == "lit" and not isinstance(t.data, bool)}
    return sorted(found, key=lambda n: (abs(n), n))[:_NUMBERS]


def _is_char(code: int) -> bool:
    return 0 <= code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF


def _parts(sort: Sort, inside: tuple[Sort, ...]) -> Iterator[Sort]:
    """A sort and the executable sorts that its values are made of."""
    if sort in inside or has_hole(sort) or sort.name in ("int", "nat", "Ghost", "Tracked"):
        return
    yield sort
    if sort.kind == "boxed" and sort.view is not None and sort.view.kind == "seq":
        yield from _parts(sort.view.element, (*inside, sort))
    if sort.kind == "data":
        for variant in sort.variants:
            for f in variant.fields:
                yield from _parts(f.sort, (*inside, sort))


def _variant_text(sort: Sort, variant: int) -> str:
    """A pattern for any value of a variant."""
    found = sort.variants[variant]
    name = found.name if sort.name in ("Option", "Result") else f"{sort.name}::{found.name}"
    if not found.fields:
        return name
    return f"{name}(..)" if found.fields[0].name.isdigit() else f"{name} {{ .. }}"


def _constructor(sort: Sort, variant: int) -> Constructor:
    found = sort.variants[variant]
    if sort.name == "tuple":
        return Constructor("", 0)
    name = sort.name if sort.is_struct else found.name if sort.name in ("Option", "Result") else f"{sort.name}::{found.name}"
    by_name = bool(found.fields) and not found.fields[0].name.isdigit()
    return Constructor(name, variant, tuple(f.name for f in found.fields) if by_name else ())


def _taken_apart(sort: Sort, x: Node) -> Iterator[Node]:
    """Whether an enum's value is of a variant, and what a variant holds, or 0 (`false`) for the others:
    `match x { V { .. } => true, _ => false }`, `match x { V { f } => f, _ => 0 }`."""
    if x.op == "ctor" or methods.families(sort) == ("option",):
        return
    for v, variant in enumerate(sort.variants):
        here = Variant(sort, v, (), _variant_text(sort, v))
        yield Node("match", (x, Node("lit", (), BOOL, True), Node("lit", (), BOOL, False)), BOOL, (here, Anything()))
        for i, f in enumerate(variant.fields):
            if not (is_number(f.sort) or f.sort is BOOL):
                continue
            head = _variant_text(sort, v)
            if f.name.isdigit():
                inside = ", ".join("x" if k == i else "_" for k in range(len(variant.fields)))
                text = head.replace("(..)", f"({inside})")
            else:
                text = head.replace("{ .. }", f"{{ {f.name}: x, .. }}")
            pattern = Variant(sort, v, ((i, Anything("x")),), text)
            local = Node("local", (), f.sort, "x")
            default = Node("lit", (), f.sort, False if f.sort is BOOL else 0)
            yield Node("match", (x, local, default), f.sort, (pattern, Anything()))


def _matched(node: Node, value: Any) -> Any:
    """The value of a `match` built here: its arms are literals or what the pattern binds."""
    for pattern, body in zip(node.data, node.args[1:], strict=True):
        bound: dict[str, Value] = {}
        if matches(pattern, value, bound):
            return bound[body.data] if body.op == "local" else body.data
    return PANICS
