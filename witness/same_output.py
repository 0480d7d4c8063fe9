"""When two outputs count as the same.

In: two terms of one sort (an output in two copies), and a relation that the author of a contract declared. Out: a term that says
that they count as the same; for proofs also its one-sided parts.

Without a declaration outputs are the same when Rust's values are: executable collections by their views (a `Vec` has a hidden
rest in Verus's logic, which no program sees), structs, enums and tuples part by part, the rest by equality. Floats are out of
scope.

| relation    | two outputs count as the same when                                                                  |
|-------------|-----------------------------------------------------------------------------------------------------|
| same        | they are equal                                                                                      |
| permutation | they are equal but for the order in their sequences                                                 |
| index       | they are equal but for their integers of type `usize`, `nat` and `int`: any position will do        |
| view        | the views (`x@`) of the parts whose type has one are equal: the representation does not matter       |
| any         | always: every output that satisfies the contract is fine                                            |
| own         | a relation in Verus says so: `|a, b| …`, or a spec function of two parameters                       |
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from translate import terms as tm
from translate.terms import Sort, Term
from translate.values import Boxed, DataValue, MapValue, MultisetValue, Value

#: Integer sorts that hold positions.
POSITIONS = frozenset({"usize", "nat", "int"})
FLOATS = frozenset({"real", "f16", "f32", "f64", "f128"})


class Relation(StrEnum):
    SAME = "same"
    PERMUTATION = "permutation"
    INDEX = "index"
    VIEW = "view"
    ANY = "any"
    OWN = "own"


class DoesNotApply(Exception):
    """A relation that changes nothing about an output: the message says why."""


@dataclass(frozen=True, slots=True)
class Sameness:
    """One relation. `view` gives `x@` of a term whose type has a `View` of its own, None for any other; `own` the user's relation
    of two terms."""

    relation: Relation
    view: Callable[[Term], Term | None] = lambda t: None
    own: Callable[[Term, Term], Term] | None = None

    def term(self, a: Term, b: Term) -> Term:
        """That the two count as the same."""
        if self.relation is Relation.ANY:
            return tm.TRUE
        if self.own is not None:
            return self.own(a, b)
        return self._same(a, b)

    def halves(self, a: Term, b: Term) -> list[Term]:
        """One-sided statements about (a, b): if all of them hold of (a, b) and of (b, a), the two count as the same.

        A proof needs them in one direction only, for two copies of one contract: what holds for any two outputs in this order
        holds for them in the other.
        """
        if self.relation is Relation.ANY or self.own is not None:
            return [self.term(a, b)]
        return self._halves(a, b)

    def check_applies(self, sort: Sort) -> None:
        """Raises `DoesNotApply` where declaring the relation of an output of this sort would change nothing."""
        match self.relation:
            case Relation.PERMUTATION if not _some(sort, lambda s: s.kind == "seq"):
                raise DoesNotApply(f"`{sort}` has no sequence whose order could differ")
            case Relation.INDEX if not _some(sort, _is_position):
                raise DoesNotApply(f"`{sort}` has no integer of type usize, nat or int")
            case Relation.VIEW if not _some(sort, lambda s: self.view(tm.var("%", s)) is not None):
                raise DoesNotApply(f"no type in `{sort}` has a `View` of its own")

    # --- the parts -------------------------------------------------------------------------------------------------

    def _leaf(self, a: Term, b: Term) -> Term | None:
        """What the relation says of two terms of a sort where it says something of its own."""
        sort = a.sort
        if self.relation is Relation.PERMUTATION and sort.kind == "seq":
            bag = tm.multiset_sort(sort.element)
            return tm.eq(tm.mk("seq.to_multiset", (a,), bag), tm.mk("seq.to_multiset", (b,), bag))
        if self.relation is Relation.INDEX and _is_position(sort):
            return tm.TRUE
        if self.relation is Relation.VIEW:
            left, right = self.view(a), self.view(b)
            if left is not None and right is not None:
                return self._same(left, right)
        return None

    def _special(self, sort: Sort) -> bool:
        """Whether equality is not the answer for values of a sort."""
        match sort.kind:
            case "boxed":
                return True
            case "seq":
                return self.relation is Relation.PERMUTATION
            case "int":
                return self.relation is Relation.INDEX and _is_position(sort)
            case "data" | "opaque":
                return self.relation is Relation.VIEW and self.view(tm.var("%", sort)) is not None
        return False

    def _plain(self, sort: Sort) -> bool:
        """Whether equality is the answer all through; for a type that contains itself it is taken as one (it is the stronger
        statement, so nothing is called the same that is not)."""
        return not _some(sort, self._special) or (sort.kind == "data" and _is_recursive(sort))

    def _same(self, a: Term, b: Term) -> Term:
        leaf = self._leaf(a, b)
        if leaf is not None:
            return leaf
        sort = a.sort
        if self._plain(sort):
            return tm.eq(a, b)
        match sort.kind:
            case "boxed":
                return self._same(_view(a), _view(b))
            case "seq":
                i = _index(a)
                inside = tm.and_([tm.arith("le", tm.ZERO, i), tm.arith("lt", i, _len(a))])
                each = tm.implies(inside, self._same(_at(a, i), _at(b, i)))
                return tm.and_([tm.eq(_len(a), _len(b)), tm.quantify("forall", (tm.INT,), tm.abstract(each, (i,)))])
            case "map":
                k = tm.var(f"%key{a.size}", sort.args[0])
                domain = [tm.mk("map.dom", (m,), tm.set_sort(sort.args[0])) for m in (a, b)]
                values = [tm.mk("map.index", (m, k), sort.args[1]) for m in (a, b)]
                there = tm.mk("set.contains", (domain[0], k), tm.BOOL)
                each = tm.implies(there, self._same(values[0], values[1]))
                return tm.and_([tm.eq(*domain), tm.quantify("forall", (k.sort,), tm.abstract(each, (k,)))])
            case "data":
                return tm.and_([*self._variants(a, b), *(tm.implies(c, self._same(x, y)) for c, x, y in _fields(a, b))])
        return tm.eq(a, b)  # sets and multisets of such values: the stronger statement

    def _variants(self, a: Term, b: Term) -> list[Term]:
        if len(a.sort.variants) < 2:
            return []
        return [tm.eq(_is(a, v), _is(b, v)) for v in range(len(a.sort.variants))]

    def _halves(self, a: Term, b: Term) -> list[Term]:
        if self.relation is Relation.VIEW:
            left, right = self.view(a), self.view(b)
            if left is not None and right is not None:
                return self._halves(left, right)
        leaf = self._leaf(a, b)
        if leaf is not None:
            return [leaf]
        sort = a.sort
        match sort.kind:
            case "bool":
                return [tm.implies(a, b)]
            case "int":
                return [tm.arith("le", b, a)]
            case "boxed":
                return self._halves(_view(a), _view(b))
            case "seq":
                i = _index(a)
                inside = tm.and_([tm.arith("le", tm.ZERO, i), tm.arith("lt", i, _len(a)), tm.arith("lt", i, _len(b))])
                each = [tm.implies(inside, h) for h in self._halves(_at(a, i), _at(b, i))]
                return [
                    tm.arith("le", _len(b), _len(a)),
                    *(tm.quantify("forall", (tm.INT,), tm.abstract(h, (i,))) for h in each),
                ]
            case "data" if not _is_recursive(sort):
                n = len(sort.variants)
                apart = [tm.not_(tm.and_([_is(a, i), _is(b, j)])) for i in range(n) for j in range(i + 1, n)]
                return apart + [tm.implies(c, h) for c, x, y in _fields(a, b) for h in self._halves(x, y)]
        return [self._same(a, b)]


def has_float(sort: Sort) -> bool:
    """Whether values of a sort contain a float."""
    return _some(sort, lambda s: s.kind == "opaque" and s.name in FLOATS)


def visible(value: Value) -> Value:
    """The value without the hidden rests of its executable collections: what a program can see of it."""
    match value:
        case tuple():
            return tuple(map(visible, value))
        case frozenset():
            return frozenset(map(visible, value))
        case MapValue():
            return MapValue.of((visible(k), visible(v)) for k, v in value.items)
        case MultisetValue():
            return MultisetValue.of(map(visible, value))
        case Boxed():
            return Boxed(visible(value.view))
        case DataValue():
            return DataValue(value.sort_name, value.variant, tuple(map(visible, value.fields)))
    return value


def sequences_in(a: Term, b: Term) -> list[tuple[Term, Term]]:
    """The sequences that two terms of one sort hold side by side: themselves, their views, their structs' fields."""
    sort = a.sort
    match sort.kind:
        case "seq":
            return [(a, b)]
        case "boxed":
            return sequences_in(_view(a), _view(b))
        case "data" if sort.is_struct and not _is_recursive(sort):
            return [pair for _, x, y in _fields(a, b) for pair in sequences_in(x, y)]
    return []


def _is_position(sort: Sort) -> bool:
    return sort.kind == "int" and sort.name in POSITIONS


def _parts(sort: Sort) -> list[Sort]:
    """What values of a sort are made of, one step down."""
    if sort.kind == "boxed":
        assert sort.view is not None
        return [sort.view]
    if sort.kind == "data":
        return [f.sort for v in sort.variants for f in v.fields] if sort.is_defined else []
    return list(sort.args)


def _some(sort: Sort, holds: Callable[[Sort], bool]) -> bool:
    """Whether a sort, or one that its values are made of, satisfies a condition."""
    seen = {sort}
    queue = [sort]
    for s in queue:
        if holds(s):
            return True
        for part in _parts(s):
            if part not in seen:
                seen.add(part)
                queue.append(part)
    return False


def _is_recursive(sort: Sort) -> bool:
    return any(part is sort or _some(part, lambda s: s is sort) for part in _parts(sort))


def _view(t: Term) -> Term:
    assert t.sort.view is not None
    return tm.mk("view", (t,), t.sort.view)


def _len(t: Term) -> Term:
    return tm.mk("seq.len", (t,), tm.NAT)


def _index(t: Term) -> Term:
    """A variable for positions in a sequence; those in the sequences that it holds get another (a part is a larger term)."""
    return tm.var(f"%at{t.size}", tm.INT)


def _at(t: Term, i: Term) -> Term:
    return tm.mk("seq.index", (t, i), t.sort.element)


def _is(t: Term, variant: int) -> Term:
    return tm.mk("is", (t,), tm.BOOL, variant)


def _fields(a: Term, b: Term) -> list[tuple[Term, Term, Term]]:
    """The fields of two values of one datatype side by side, each with the condition under which both have it."""
    variants = a.sort.variants
    rows = []
    for v, variant in enumerate(variants):
        there = tm.TRUE if len(variants) == 1 else tm.and_([_is(a, v), _is(b, v)])
        for k, f in enumerate(variant.fields):
            rows.append((there, tm.mk("field", (a,), f.sort, (v, k)), tm.mk("field", (b,), f.sort, (v, k))))
    return rows
