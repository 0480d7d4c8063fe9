"""Loops over the instances of a binder: a `Plan` of `translate.readings.guards` as Python closures.

In: a plan, and a compiler for the terms in it. Out: code that visits the instances that can matter, one after
another, until a visitor says that it has seen enough. Where a range is not finite, code visits a few likely
instances and notes in the frame that there are others.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Protocol, TypeAlias

from translate.readings.guards import (
    FINITE,
    Curve,
    Either,
    Elements,
    Env,
    Finite,
    Interval,
    Linear,
    Member,
    Pattern,
    Plan,
    Solved,
    Source,
    Step,
    open_subterms,
)
from translate.readings.inhabitants import Inhabitants, fits, int_range, universe
from translate.readings.outcomes import Code, Frame, TooLarge, Unbounded, Undetermined, Undivided
from translate.readings.spans import Region, Regions, Span, Straddle, Unknown
from translate.terms import Sort, Term
from translate.values import DataValue, MapValue, MultisetValue, order_key

#: A range of values, or None where the source gives none for this frame.
Range: TypeAlias = Callable[[Frame], "Iterable[Any] | None"]
Bounds: TypeAlias = Callable[[Frame], "tuple[int | None, int | None]"]

GUESSED_TERMS: Final = 10
GUESSED_VALUES: Final = 12
#: Longer ranges are decided piece by piece (see `translate.readings.spans`).
LISTED: Final = 64
#: What a cut costs, in steps: what was begun is thrown away.
CUT_STEPS: Final = 5
#: The cuts of one range, and of all ranges of one evaluation.
CUTS: Final = 64
#: Sequences up to this length are decided element by element.
LONG_COVERED: Final = 6
ALL_CUTS: Final = 20_000


class Cuts(Protocol):
    """What is left of ALL_CUTS, and of the steps."""

    cuts: int

    def charge(self, cost: int) -> None: ...


class Compiler(Protocol):
    context: Any
    usize_bits: int
    domain: Any
    inhabitants: Inhabitants

    def comp(self, term: Term, env: Env, top: int) -> Code: ...


class Ranger:
    """Compiles the steps of one plan. `pending` is the frame slot where incompleteness is noted, `top` the first
    free slot. With `whole`, long ranges of integers come as one `Region`: for a quantifier, which asks for no single values."""

    def __init__(
        self, compiler: Compiler, term: Term, body: Term, env: Env, plan: Plan, pending: int, top: int, whole: bool
    ) -> None:
        self.compiler, self.term, self.body, self.env = compiler, term, body, env
        self.plan, self.pending, self.top, self.whole = plan, pending, top, whole

    def loops(self, visit: Callable[[Frame], bool]) -> Callable[[Frame], bool]:
        """Code that binds the plan's slots in turn and visits each instance until `visit` gives True; whether it
        did."""
        code = visit
        open_slots: set[int] = set()
        for step in reversed(self.plan.steps):
            open_slots.add(step.slot)
            code = self._loop(step.slot, self.values(step, set(open_slots)), code)
        return code

    def _loop(
        self, slot: int, values: Callable[[Frame], Iterable[Any]], inner: Callable[[Frame], bool]
    ) -> Callable[[Frame], bool]:
        pending, term, left = self.pending, self.term, self.compiler.context

        def loop(f: Frame) -> bool:
            for v in values(f):
                if type(v) is Region:
                    if _cover(f, _Slot(f, slot), pending, v, inner, term, left):
                        return True
                    continue
                if type(v) is Regions:
                    if _cover_all(f, slot, pending, v, inner, term, left):
                        return True
                    continue
                f[slot] = v
                if inner(f):
                    return True
            return False

        return loop

    def values(self, step: Step, open_slots: set[int]) -> Callable[[Frame], Iterable[Any]]:
        bounds: Bounds | None = None
        ranges: list[Range] = []
        for s in step.sources:
            if isinstance(s, Interval):
                bounds = self.bounds(s, step.slot)
            ranges.append(self.source(s, step.slot, step.sort, bounds))
        guess = self.guesses(step, open_slots, bounds)
        if len(ranges) == 1:
            first = ranges[0]

            def single(f: Frame) -> Iterable[Any]:
                found = first(f)
                return guess(f) if found is None else found

            return single

        def values(f: Frame) -> Iterable[Any]:
            for r in ranges:
                found = r(f)
                if found is not None:
                    return found
            return guess(f)

        return values

    def source(self, s: Source, slot: int, sort: Sort, bounds: Bounds | None) -> Range:
        match s:
            case Interval():
                return _interval(bounds or self.bounds(s, slot), LISTED if self.whole and sort.name != "char" else FINITE)
            case Solved(term=t, env=env, pattern=pattern):
                return _filtered(sort, self.compiler.usize_bits, _solved(self.compiler.comp(t, env, self.top), pattern))
            case Member(term=t, env=env, pattern=pattern):
                return _filtered(sort, self.compiler.usize_bits, _member(self.compiler.comp(t, env, self.top), pattern))
            case Elements(length=t, env=env):
                return self.elements(self.compiler.comp(t, env, self.top), sort)
            case Finite():
                everything = universe(sort, FINITE, self.compiler.usize_bits, self.compiler.domain)
                return lambda f: everything
            case Either(alternatives=alternatives):
                branches = [[self.source(x, slot, sort, None) for x in sources] for sources in alternatives]
                return _either(branches)

    def elements(self, length: Code, sort: Sort) -> Range:
        """All sequences of a length, which is small."""
        lo, hi = int_range(sort.args[0], self.compiler.usize_bits)
        each = Region(-math.inf if lo is None else lo, math.inf if hi is None else hi)
        whole = self.whole and sort.args[0].name != "char"

        def elements(f: Frame) -> Iterable[Any] | None:
            try:
                n = operator.index(length(f))  # of a span: `Undivided`
            except Undivided:
                raise
            except Undetermined:
                return None
            return (Regions(max(n, 0), each),) if whole and n <= LONG_COVERED else None

        return elements

    def bounds(self, s: Interval, slot: int) -> Bounds:
        """The largest lower and the least upper bound, from the parts that have a value in this frame."""
        fixed: list[int | None] = [None, None]
        moving: tuple[list[tuple[int, Code]], list[tuple[int, Code]]] = ([], [])
        for side, parts in enumerate((s.lowers, s.uppers)):
            for k, c in parts:
                rest = self.number(c, slot)
                if isinstance(rest, int):
                    b = -rest // k if side else -(-rest // -k)
                    old = fixed[side]
                    fixed[side] = b if old is None else min(old, b) if side else max(old, b)
                else:
                    moving[side].append((k, rest))
        curves = [self.curve(c, slot) for c in s.curves]
        lo0, hi0 = fixed
        lowers, uppers = moving

        def bounds(f: Frame) -> tuple[int | None, int | None]:
            lo, hi = lo0, hi0
            for k, code in lowers:
                try:
                    number = _least(code(f))
                except Undivided:
                    raise
                except Undetermined:
                    continue
                if number is not None and (lo is None or -(-number // -k) > lo):
                    lo = -(-number // -k)
            for k, code in uppers:
                try:
                    number = _least(code(f))
                except Undivided:
                    raise
                except Undetermined:
                    continue
                if number is not None and (hi is None or -number // k < hi):
                    hi = -number // k
            for curve in curves:
                low, high = curve(f)
                if low is not None and (lo is None or low > lo):
                    lo = low
                if high is not None and (hi is None or high < hi):
                    hi = high
            return lo, hi

        return bounds

    def number(self, c: Linear, slot: int) -> int | Code:
        """The constraint's value without the slot's own part."""
        slots = [(k, s) for s, k in c.coeffs if s != slot]
        rest = [(k, self.compiler.comp(t, env, self.top)) for k, t, env in c.rest]
        const = c.const
        if not slots and not rest:
            return const
        if not slots and len(rest) == 1:
            k0, code0 = rest[0]
            return lambda f: const + k0 * code0(f)
        if len(slots) == 1 and not rest:
            k1, s1 = slots[0]
            return lambda f: const + k1 * f[s1]

        def number(f: Frame) -> int:
            total = const
            for k, s in slots:
                total += k * f[s]
            for k, code in rest:
                total += k * code(f)
            return total

        return number

    def curve(self, c: Curve, slot: int) -> Bounds:
        """Bounds from a polynomial in the slot, known by its values at 0, 1 and 2 (legal in every integer sort)."""
        left, right = (self.compiler.comp(t, c.env, self.top) for t in (c.left, c.right))
        relation = c.relation

        def curve(f: Frame) -> tuple[int | None, int | None]:
            at: list[int] = []
            try:
                for v in (0, 1, 2):
                    f[slot] = v
                    at.append(left(f) - right(f))
            except Undivided:
                raise
            except Undetermined:
                return None, None
            if any(isinstance(v, Span) for v in at):
                return None, None
            if relation == "lt":
                at = [v + 1 for v in at]
            # 2p(v) = a v² + b v + c
            a, c = at[2] - 2 * at[1] + at[0], 2 * at[0]
            b = 2 * (at[1] - at[0]) - a
            if a == 0:
                return _linear_bounds(b, c, relation == "eq")
            if a < 0:
                if relation != "eq":
                    return None, None
                a, b, c = -a, -b, -c
            square = b * b - 4 * a * c
            if square < 0:
                return 1, 0
            root = math.isqrt(square) + 1
            return (-b - root) // (2 * a), -((b - root) // (2 * a))

        return curve

    def guesses(self, step: Step, open_slots: set[int], bounds: Bounds | None) -> Callable[[Frame], Iterable[Any]]:
        """Likely instances where there is no range: the ends of what is known, small values, values of terms in the
        body."""
        compiler, sort, pending, term = self.compiler, step.sort, self.pending, self.term
        found = open_subterms(self.body, self.env, open_slots, GUESSED_TERMS * 4)
        if sort.is_integer:
            terms = [t for t in found if t.sort.is_integer or t.sort.kind in ("seq", "boxed", "set", "map")]
        else:
            terms = [t for t in found if t.sort is sort or sort in t.sort.args]
        codes: list[Code] | None = None
        top = self.top
        env = self.env
        whole = self.whole and sort.is_integer and sort.name != "char"

        def guess(f: Frame) -> Iterable[Any]:
            nonlocal codes
            if codes is None:
                codes = [compiler.comp(t, env, top) for t in terms[:GUESSED_TERMS]]
            lo, hi = bounds(f) if bounds is not None else (None, None)
            if whole:
                before, f[pending] = f[pending], None
                yield Region(-math.inf if lo is None else lo, math.inf if hi is None else hi)
                problem, f[pending] = f[pending], before or f[pending]
                if problem is None:
                    return
            f[pending] = f[pending] or (Unbounded(term) if lo is None or hi is None else TooLarge(term))
            values: list[Any] = []
            for code in codes:
                try:
                    values.append(code(f))
                except Undetermined:
                    continue
            if not sort.is_integer:
                near = [v for t, v in zip(terms, values, strict=False) if t.sort is sort]
                inside = [x for v in values if isinstance(v, (tuple, frozenset)) for x in _listed(v)]
                inside = inside if any(sort in t.sort.args for t in terms) else []
                yield from dict.fromkeys([*near, *inside, *compiler.inhabitants.smallest_first(sort, GUESSED_VALUES)])
                return
            yield from _integer_guesses(sort, values, lo, hi, compiler.usize_bits)

        return guess


def _least(number: Any) -> int | None:
    """The least value that a number can have; None where there is none."""
    if isinstance(number, Span):
        return None if number.lo == -math.inf else int(number.lo)
    least: int = number
    return least


class _Slot:
    """Where the values of a variable go."""

    def __init__(self, f: Frame, slot: int) -> None:
        self.f, self.slot = f, slot

    def put(self, v: Any) -> None:
        self.f[self.slot] = v


class _Element(_Slot):
    """Where the values of an element go."""

    def __init__(self, elements: list[Any], k: int) -> None:
        super().__init__(elements, k)


def _cover_all(
    f: Frame, slot: int, pending: int, regions: Regions, inner: Callable[[Frame], bool], term: Term, left: Cuts
) -> bool:
    """Visits the sequences of a length whose elements lie in a region, element by element."""
    elements: list[Any] = [None] * regions.length

    def at(k: int) -> Callable[[Frame], bool]:
        def visit(g: Frame) -> bool:
            if k == regions.length:
                g[slot] = tuple(elements)
                return inner(g)
            return _cover(g, _Element(elements, k), pending, regions.each, at(k + 1), term, left)

        return visit

    return at(0)(f)


def _cover(f: Frame, place: _Slot, pending: int, region: Region, inner: Callable[[Frame], bool], term: Term, left: Cuts) -> bool:
    """Visits a region piece by piece, each piece as one unknown integer, until every piece has an answer; what does not get one
    is gone through value by value where it is short, else left pending."""
    before, work, cuts = f[pending], [(region.low, region.high)], 0
    short = FINITE if region.high - region.low < FINITE else LISTED
    while work:
        low, high = work.pop()
        if low > high:
            continue
        unknown = Unknown(low, high)
        place.put(low if low == high else unknown.span())
        f[pending] = None
        try:
            if inner(f):
                return True
            problem = f[pending]
        except Straddle as e:
            if e.owner is not unknown:
                raise
            problem = e
        except Undetermined as e:
            problem = e
        if problem is None:
            continue
        if isinstance(problem, Straddle) and problem.owner is unknown and cuts < CUTS and left.cuts > 0:
            cuts += 1
            left.cuts -= 1
            left.charge(CUT_STEPS)
            work += [(problem.at + 1, high), (low, problem.at)]
            continue
        if low != high and high - low < short:
            f[pending] = None
            for v in range(int(low), int(high) + 1):
                place.put(v)
                if inner(f):
                    return True
            problem = f[pending]
        if isinstance(problem, Straddle) and problem.owner is unknown:
            problem = (Unbounded if math.inf in (-region.low, region.high) else TooLarge)(term)
        before = before or problem
    f[pending] = before
    return False


def _interval(bounds: Bounds, longest: int) -> Range:
    def interval(f: Frame) -> Iterable[Any] | None:
        lo, hi = bounds(f)
        if lo is None or hi is None:
            # An empty range is known by one end only where both are; a missing end leaves it open.
            return None
        return range(lo, hi + 1) if hi - lo < longest else None

    return interval


def along(value: Any, pattern: Pattern) -> Iterable[Any]:
    """The part of a value to which a pattern leads; nothing where it has other variants."""
    for variant, index in pattern.path:
        if not isinstance(value, DataValue) or value.variant != variant:
            return ()
        value = value.fields[index]
    return (value,)


def _solved(code: Code, pattern: Pattern) -> Range:
    def solved(f: Frame) -> Iterable[Any] | None:
        try:
            value = code(f)
        except Undivided:
            raise
        except Undetermined:
            return None
        return along(value, pattern) if pattern.path else (value,)

    return solved


def _listed(value: Any) -> Sequence[Any]:
    """The elements of a finite collection, in an order that is the same in every run."""
    if isinstance(value, frozenset):
        return sorted(value, key=order_key)
    if isinstance(value, MultisetValue):
        return [e for e, _ in value.items]
    return value if isinstance(value, tuple) else ()


def _member(code: Code, pattern: Pattern) -> Range:
    def member(f: Frame) -> Iterable[Any] | None:
        try:
            value = code(f)
        except Undivided:
            raise
        except Undetermined:
            return None
        if not isinstance(value, (frozenset, MultisetValue)):
            return None
        listed = _listed(value)
        return listed if not pattern.path else dict.fromkeys(x for v in listed for x in along(v, pattern))

    return member


def _filtered(sort: Sort, usize_bits: int, inner: Range) -> Range:
    """Only the values that are legal in the variable's own sort."""
    if not sort.is_integer or (sort.name != "char" and int_range(sort, usize_bits) == (None, None)):
        return inner

    def filtered(f: Frame) -> Iterable[Any] | None:
        found = inner(f)
        return None if found is None else [v for v in found if fits(v, sort, usize_bits)]

    return filtered


def _either(branches: list[list[Range]]) -> Range:
    def either(f: Frame) -> Iterable[Any] | None:
        total: dict[Any, None] = {}
        for ranges in branches:
            found = next((r for r in (source(f) for source in ranges) if r is not None), None)
            if found is None:
                return None
            total.update(dict.fromkeys(found))
            if len(total) > FINITE:
                return None
        return total

    return either


def _linear_bounds(k: int, c: int, equal: bool) -> tuple[int | None, int | None]:
    """k v + c <= 0 (or = 0)."""
    if k == 0:
        return None, None
    low, high = -(c // k), (-c) // k  # ceil(-c / k), floor(-c / k)
    if equal:
        return low, high
    return (None, high) if k > 0 else (low, None)


def _integer_guesses(sort: Sort, values: list[Any], lo: int | None, hi: int | None, usize_bits: int) -> list[int]:
    found: dict[int, None] = {}
    if lo is not None:
        found.update(dict.fromkeys(range(lo, lo + 3)))
    if hi is not None:
        found.update(dict.fromkeys(range(hi, hi - 3, -1)))
    found.update(dict.fromkeys((0, 1, -1, 2, -2, 3)))
    for v in values:
        if isinstance(v, int):
            found.update(dict.fromkeys((int(v), v + 1, v - 1)))
            continue
        view = getattr(v, "view", v)
        if isinstance(view, (tuple, frozenset)):
            found[len(view)] = None
            found.update(dict.fromkeys(x for x in _listed(view)[:6] if isinstance(x, int) and not isinstance(x, bool)))
        elif isinstance(view, MapValue):
            found.update(dict.fromkeys(k for k, _ in view.items[:6] if isinstance(k, int) and not isinstance(k, bool)))
    return [
        c for c in found if (lo is None or c >= lo) and (hi is None or c <= hi) and fits(c, sort, usize_bits)
    ]  # fmt: skip
