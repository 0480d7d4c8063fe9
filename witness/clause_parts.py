"""What a clause can speak of: the parts of a function's inputs and outputs, small terms over them, and conditions.

In: an opened contract. Out: a `Vocabulary`. Everything is a term over the contract's variables, in an order of its own that is
the same in every run: the parts that stand first in the signature come first, small terms before large ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Final

from translate import syntax as sx
from translate import terms as tm
from translate.terms import Sort, Term
from witness.contract import Opened
from witness.file_functions import applications

#: How many integers, sequences and conditions are combined with each other, and how deep a struct is taken apart.
INTEGERS: Final = 9
SEQUENCES: Final = 4
CONDITIONS: Final = 140
LITERALS: Final = 7
SUMMED: Final = 40
DEPTH: Final = 3
#: Literals of the contract beyond this are not of much use in another clause.
LARGEST_LITERAL: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a value, and the condition under which the value has it (`true`: always)."""

    term: Term
    guard: Term

    @property
    def is_number(self) -> bool:
        return is_number(self.term.sort)


@dataclass(slots=True)
class Vocabulary:
    """`outputs` are the parts of the outputs; the rest speaks of the inputs only: `integers` (numbers and lengths), `sums` (two
    of them combined), `sequences`, `others` (whole values that can only be compared), `conditions`. `words` are the
    file's own predicates of an output."""

    outputs: list[Part] = field(default_factory=list)
    integers: list[Term] = field(default_factory=list)
    sums: list[Term] = field(default_factory=list)
    sequences: list[Term] = field(default_factory=list)
    others: list[Term] = field(default_factory=list)
    conditions: list[Term] = field(default_factory=list)
    words: list[Term] = field(default_factory=list)
    has_bits: bool = False

    @property
    def numbers(self) -> list[Term]:
        return [*self.integers, *self.sums]


def vocabulary(opened: Opened) -> Vocabulary:
    """What clauses about a function can speak of."""
    v = Vocabulary()
    for output in opened.outputs:
        v.outputs += _with_lengths(parts(output))
    inputs = [p for x in opened.contract.inputs for p in _with_lengths(parts(x))]
    plain = [p.term for p in inputs if p.guard is tm.TRUE]
    literals = _literals(opened)
    chars = [tm.mk("cast", (t,), tm.int_sort("u32")) for t in plain if t.sort is tm.CHAR]
    v.integers = [*(t for t in plain if is_number(t.sort)), *chars][:INTEGERS] + literals
    v.has_bits = any(re.search(r"[&|^]|<<|>>", opened.source.folded(e.span)) for e in _expressions(opened))
    v.sequences = [t for t in plain if t.sort.kind == "seq"][:SEQUENCES]
    v.others = [t for t in plain if t.sort.kind in ("data", "opaque") or t.sort is tm.CHAR]
    _apply_functions(opened, v, [x for x in plain if x.sort is not tm.BOOL])
    v.sums += _sums(v.integers)
    v.sums += _longer(v)
    v.conditions = list(dict.fromkeys([*v.conditions, *_conditions(v, inputs)]))[:CONDITIONS]
    return v


def _apply_functions(opened: Opened, v: Vocabulary, inputs: list[Term]) -> None:
    """What the file's functions say of the inputs joins the terms of its kind; predicates of an output are clauses."""
    whole = [x for x in opened.contract.inputs if x.sort.kind == "boxed"]
    for t in applications(opened, [*whole, *inputs]):
        if t.sort is tm.BOOL:
            v.conditions.append(t)
        elif is_number(t.sort):
            v.sums.append(t)
        elif t.sort.kind == "seq":
            v.sequences.append(t)
        else:
            v.others.append(t)
    outputs = [p.term for p in v.outputs if p.guard is tm.TRUE and p.term.sort is not tm.BOOL]
    outputs += [x for x in opened.outputs if x.sort.kind == "boxed"]
    about = set(opened.outputs)
    for t in applications(opened, [*outputs, *whole, *inputs]):
        if t.sort is tm.BOOL and any(x in about for x in tm.free_variables(t)):
            v.words.append(t)


def parts(t: Term, guard: Term = tm.TRUE, depth: int = 0) -> Iterator[Part]:
    """The parts of a value, itself first: fields, the variant and what that holds, the view of an executable collection."""
    sort = t.sort
    if sort.kind == "boxed":
        if sort.view is not None and sort.view.kind == "seq":
            yield Part(tm.mk("view", (t,), sort.view), guard)
        return
    if sort.kind in ("int", "bool", "seq", "opaque"):
        yield Part(t, guard)
        return
    if sort.kind != "data":
        return
    yield Part(t, guard)
    if depth == DEPTH:
        return
    variants = sort.variants
    for k, variant in enumerate(variants):
        here = guard
        if len(variants) > 1:
            is_it = tm.mk("is", (t,), tm.BOOL, k)
            if k or len(variants) > 2:
                yield Part(is_it, guard)
            here = tm.and_([guard, is_it])
        for i, f in enumerate(variant.fields):
            yield from parts(tm.mk("field", (t,), f.sort, (k, i)), here, depth + 1)


def _with_lengths(found: Iterator[Part]) -> Iterator[Part]:
    for part in found:
        yield part
        if part.term.sort.kind == "seq":
            yield Part(length(part.term), part.guard)


def _literals(opened: Opened) -> list[Term]:
    """Zero, one, the numbers that the contract names, and the constants of the file."""
    terms = [*opened.requires, *opened.ensures]
    named = {s.data for t in terms for s in tm.subterms(t) if s.op == "lit" and s.sort is tm.INT}
    named |= set(_constants(opened))
    return [tm.lit(n) for n in dict.fromkeys((0, 1, *sorted(n for n in named if abs(n) <= LARGEST_LITERAL)))][:LITERALS]


def _constants(opened: Opened) -> Iterator[int]:
    """The values of the file's integer constants, where they are plain numbers."""
    el, module = opened.elaborator, opened.types
    for item in opened.crate.file.items:
        inside = item.items if isinstance(item, sx.Mod) and item.items is not None else [item]
        for const in inside:
            if isinstance(const, sx.Const) and const.value is not None:
                value = el.constant_int(const.value, module)
                if value is not None:
                    yield value


def _expressions(opened: Opened) -> list[sx.Expr]:
    return [e for c in opened.fn.clauses for e in c.exprs]


def _longer(v: Vocabulary) -> Iterator[Term]:
    """Products, quotients and differences with one more summand."""
    products = [t for t in v.sums if t.op in ("mul", "sub", "div")]
    for t in products[:SUMMED]:
        for x in v.integers:
            if x is not tm.ZERO and x not in t.args:
                yield tm.arith("add", t, x)
                if x.op != "lit":
                    yield tm.arith("sub", t, x)


def _sums(integers: list[Term]) -> Iterator[Term]:
    """Two integers combined: by arithmetic, and as the smaller, the larger, how far they are apart; halves and doubles."""
    two = tm.lit(2)
    for a in integers:
        if a.op != "lit":
            yield tm.arith("mod", a, two)
            yield tm.arith("div", a, two)
            yield tm.arith("mul", two, a)
    for a, b in combinations(integers, 2):
        if a.op == "lit" and b.op == "lit":
            continue
        yield tm.arith("add", a, b)
        yield tm.arith("sub", a, b)
        if a.op != "lit":
            yield tm.arith("sub", b, a)
        if tm.ZERO in (a, b) or tm.ONE in (a, b):
            continue
        if a.op != "lit" and b.op != "lit":
            yield tm.arith("div", tm.arith("add", a, b), two)
        yield tm.arith("mul", a, b)
        for x, y in ((a, b), (b, a)):
            if x.op != "lit":
                yield tm.arith("div", x, y)
                yield tm.arith("mod", x, y)
        if a.op != "lit":
            before = tm.arith("le", a, b)
            yield tm.ite(before, a, b)
            yield tm.ite(before, b, a)
            yield tm.ite(before, tm.arith("sub", b, a), tm.arith("sub", a, b))


def _conditions(v: Vocabulary, inputs: list[Part]) -> Iterator[Term]:
    for part in inputs:
        if part.term.sort is tm.BOOL:
            yield tm.and_([part.guard, part.term])
    yield from comparisons(v.integers)
    for a, b in combinations(v.others, 2):
        if a.sort is b.sort:
            yield tm.eq(a, b)
    for s in v.sequences:
        yield from _of_sequence(v, s)
    for s, t in product(v.sequences, repeat=2):
        if s is not t and s.sort is t.sort:
            i = tm.var("%i", tm.INT)
            yield tm.eq(s, t)
            same = tm.eq(at(s, i), at(t, i))
            yield tm.and_([tm.arith("le", length(s), length(t)), for_all(i, inside(i, s), same)])
    for t in v.sums:
        if t.op == "mod":
            yield tm.eq(t, tm.ZERO)


def comparisons(integers: list[Term]) -> Iterator[Term]:
    """How two integers stand to each other."""
    for a, b in combinations(integers, 2):
        if a.op == "lit" and b.op == "lit":
            continue
        yield tm.arith("le", a, b)
        yield tm.arith("lt", a, b)
        yield tm.arith("le", b, a)
        yield tm.arith("lt", b, a)
        yield tm.eq(a, b)


def _of_sequence(v: Vocabulary, s: Term) -> Iterator[Term]:
    i, j = tm.var("%i", tm.INT), tm.var("%j", tm.INT)
    element = s.sort.element
    like = elements_like(v, element)
    if element.kind == "boxed" and element.view is not None and element.view.kind == "seq":
        rows = tm.mk("view", (at(s, i),), element.view)
        where = tm.and_([inside(i, s), inside(j, rows)])
        for x in v.integers + v.others:
            if x.sort is element.view.element:
                there = tm.and_([where, tm.eq(at(rows, j), x)])
                yield tm.quantify("exists", (tm.INT, tm.INT), tm.abstract(there, (i, j)))
    for x in like:
        yield there_is(i, inside(i, s), tm.eq(at(s, i), x))
        yield for_all(i, inside(i, s), tm.eq(at(s, i), x))
        if is_number(element):
            yield for_all(i, inside(i, s), tm.arith("le", at(s, i), x))
            yield for_all(i, inside(i, s), tm.arith("le", x, at(s, i)))
    pair = tm.and_([tm.arith("le", tm.ZERO, i), tm.arith("lt", i, j), tm.arith("lt", j, length(s))])
    same = tm.and_([pair, tm.eq(at(s, i), at(s, j))])
    yield tm.quantify("exists", (tm.INT, tm.INT), tm.abstract(same, (i, j)))
    if is_number(element):
        yield pairs_in_order(s)
    mirrored = tm.arith("sub", tm.arith("sub", length(s), tm.ONE), i)
    yield for_all(i, inside(i, s), tm.eq(at(s, i), at(s, mirrored)))


def is_number(sort: Sort) -> bool:
    """Whether values of a sort are numbers: a `char` is none."""
    return sort.is_integer and sort is not tm.CHAR


def elements_like(v: Vocabulary, element: Sort) -> list[Term]:
    """What the elements of a sequence can be compared with."""
    return [x for x in (*v.integers, *v.others) if x.sort is element or (x.op == "lit" and is_number(element))]


# --- building --------------------------------------------------------------------------------------------------------


def length(s: Term) -> Term:
    return tm.mk("seq.len", (s,), tm.NAT)


def at(s: Term, i: Term) -> Term:
    return tm.mk("seq.index", (s, i), s.sort.element)


def inside(i: Term, s: Term) -> Term:
    """`0 <= i < s.len()`"""
    return tm.and_([tm.arith("le", tm.ZERO, i), tm.arith("lt", i, length(s))])


def for_all(i: Term, where: Term, holds: Term) -> Term:
    """`forall|i: int| where ==> holds`"""
    return tm.quantify("forall", (i.sort,), tm.abstract(tm.implies(where, holds), (i,)))


def there_is(i: Term, where: Term, holds: Term) -> Term:
    """`exists|i: int| where && holds`"""
    return tm.quantify("exists", (i.sort,), tm.abstract(tm.and_([where, holds]), (i,)))


def pairs_in_order(s: Term, relation: str = "le", *, down: bool = False) -> Term:
    """`forall|i: int, j: int| 0 <= i < j < s.len() ==> s[i] <= s[j]`; `lt` for strict order, `down` for the other direction."""
    i, j = tm.var("%i", tm.INT), tm.var("%j", tm.INT)
    pair = tm.and_([tm.arith("le", tm.ZERO, i), tm.arith("lt", i, j), tm.arith("lt", j, length(s))])
    first, second = (at(s, j), at(s, i)) if down else (at(s, i), at(s, j))
    body = tm.implies(pair, tm.arith(relation, first, second))
    return tm.quantify("forall", (tm.INT, tm.INT), tm.abstract(body, (i, j)))
