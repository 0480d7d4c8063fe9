"""Structural values: what a term of each sort is read into, and the operations that every sort has.

In: sorts and Z3 expressions. Out: values.

| sort                     | value                                                                    |
|--------------------------|--------------------------------------------------------------------------|
| bool, int, opaque        | a Z3 expression (every integer kind is a Z3 Int)                         |
| seq                      | `SeqV`: length, and index -> element                                     |
| set, map, multiset, fn   | `SetV`, `MapV`, `MultisetV`, `FnV`: functions of the element, key, arguments |
| boxed                    | `BoxedV`: the view and the hidden rest                                   |
| data                     | `DataV`: which variant, and the fields of each                           |

A value *flattens* into leaves, Z3 expressions of the sorts `leaf_sorts`: a free variable is made from leaf constants, a
quantifier binds leaves, and functions take and give leaves. A seq's leaves are its length and an array for each leaf of its
element; an enum's are its tag and the leaves of all variants' fields; arrays with several index leaves are curried.

**Junk.** Leaves hold more than the value: array elements past the length, fields of other variants. `canonical` leaves hold
defaults there, so that equal values have equal leaves; functions are only ever applied to canonical leaves. Elements out of
range are *unspecified*: an unknown function of the value (`unspecified`). With `junk="free"` a free variable shows its own junk
there, which is as unknown, and cheaper; what is proved that way is true, but a refutation may rest on the difference. A bound
variable never shows its junk: "for all s" must not range over it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from translate.readings.z3_builder import Binder, Expr
from translate.terms import Sort

Val: TypeAlias = Any  # Expr | SeqV | SetV | MapV | MultisetV | FnV | BoxedV | DataV


@dataclass(slots=True, eq=False)
class SeqV:
    """`elem(i)` is the element for i in range, and meaningless elsewhere unless `exposed`. `made` says how the sequence was
    built: operator and arguments, for those who know facts about it."""

    sort: Sort
    len: Expr
    elem: Callable[[Expr], Val]
    scope: tuple[Expr, ...] = ()
    exposed: bool = False
    arrays: Callable[[], list[Expr]] | None = None
    made: tuple[Any, ...] = ("",)


@dataclass(slots=True, eq=False)
class SetV:
    sort: Sort
    has: Callable[[Val], Expr]
    array: Callable[[], Expr] | None = None
    made: tuple[Any, ...] = ("",)


@dataclass(slots=True, eq=False)
class MapV:
    """`get(k)` is the value of a key in the domain, and meaningless elsewhere unless `exposed`. `made` says of which map it is
    one with a key inserted or removed."""

    sort: Sort
    has: Callable[[Val], Expr]
    get: Callable[[Val], Val]
    scope: tuple[Expr, ...] = ()
    exposed: bool = False
    arrays: Callable[[], list[Expr]] | None = None
    dom: SetV | None = None
    made: tuple[Any, ...] = ("",)


@dataclass(slots=True, eq=False)
class MultisetV:
    sort: Sort
    count: Callable[[Val], Expr]
    array: Callable[[], Expr] | None = None
    made: tuple[Any, ...] = ("",)


@dataclass(slots=True, eq=False)
class FnV:
    sort: Sort
    call: Callable[[list[Val]], Val]
    arrays: Callable[[], list[Expr]] | None = None


@dataclass(slots=True, eq=False)
class BoxedV:
    sort: Sort
    view: Val
    rest: Expr


@dataclass(slots=True, eq=False)
class DataV:
    """`raw(v, k)` is field k for a value of variant v, and meaningless for others unless `exposed`. `variant` is set where it
    is plain; `leaf` makes the one leaf of a recursive datatype's value, which was `built` where a constructor shows."""

    sort: Sort
    variant: int | None
    test: Callable[[int], Expr]
    raw: Callable[[int, int], Val]
    scope: tuple[Expr, ...] = ()
    exposed: bool = False
    leaf: Callable[[], Expr] | None = None
    built: bool = False


@dataclass(slots=True, eq=False)
class Origin:
    """Where leaves come from: whether junk is shown, and how to make them canonical (None: they are not)."""

    exposed: bool
    request: Callable[[], None] | None = None


@dataclass(slots=True, eq=False)
class Bound:
    """Bound variables in scope: their values, one after the other, and their leaf constants."""

    binders: list[Binder]
    values: list[Val]

    @property
    def consts(self) -> list[Expr]:
        return [c for b in self.binders for c in b.consts]

    @property
    def guards(self) -> list[Expr]:
        """That the leaves make up well-formed values. Ask once the body is translated: it can add to them."""
        return [g for b in self.binders for g in b.guards]
