"""Bounded search for concrete values: inputs of a contract, and counterexamples.

In: variables, and terms over them. Out: `enumerate_inputs`, small value tuples first, then a seeded random tail;
`search`, an assignment that makes assumptions and a negated goal definitely true; `shrink`, a smaller assignment
that still passes a check.

The search assigns one variable after another and evaluates each conjunct as soon as its variables have values. A
variable that a conjunct determines (`r == e`, `v@ == e`, `v.len() == e`, `forall|i| … ==> v[i] == e`, equal
multisets) is computed instead of guessed. Everything is deterministic: orders are fixed, budgets are in evaluation
steps, random numbers have a seed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from translate.readings.evaluate import Compiled, Context, compile  # noqa: A004
from translate.readings.guards import Pattern, degree, has_binder, path_to
from translate.readings.inhabitants import Domain, Inhabitants, fits, in_range, literals
from translate.readings.outcomes import EvaluationError, OutOfBudget
from translate.readings.ranging import along
from translate.readings.shrinking import shrink
from translate.terms import (
    INT,
    FnSym,
    Sort,
    Term,
    abstract,
    and_,
    free_variables,
    instantiate,
    mk,
    not_,
    rewrite,
    subterms,
    var,
)
from translate.values import Boxed, DataValue, FnValue, Value, order_key

__all__ = ["enumerate_inputs", "search", "shrink"]

SEED: Final = 20_261_130
#: The steps that one conjunct may take on one assignment.
EVALUATION_STEPS: Final = 20_000
LEVELS: Final = 7
RANDOM_TRIES: Final = 40_000
MAX_OPTIONS: Final = 400


def enumerate_inputs(
    variables: list[Term],
    hints: Iterable[Term],
    limit: int,
    *,
    usize_bits: int = 64,
    domain: Domain | None = None,
) -> Iterator[tuple[Value, ...]]:
    """At most `limit` different tuples of legal values for the variables: two thirds by total size, smallest first,
    the rest at random. The literals of the hints, and their neighbours, are among the integers."""
    numbers = literals(hints)
    inhabitants = Inhabitants(numbers, usize_bits=usize_bits, domain=domain)
    sorts = tuple(v.sort for v in variables)
    seen: set[tuple[Value, ...]] = set()
    quota = limit - limit // 3
    empty = 0
    for size in itertools.count():
        before = len(seen)
        for values in inhabitants.tuples(sorts, size):
            if len(seen) >= quota:
                break
            if values not in seen:
                seen.add(values)
                yield values
        empty = empty + 1 if len(seen) == before else 0
        if len(seen) >= quota or empty > 12 or not sorts:
            break
    rng = Random(SEED)
    misses = 0
    while len(seen) < limit and misses < 200:
        length = 2 + rng.randrange(4)
        values = tuple(inhabitants.random(s, rng, length, numbers) for s in sorts)
        if values in seen:
            misses += 1
            continue
        misses = 0
        seen.add(values)
        yield values


# --- search ---------------------------------------------------------------------------------------------------------


def search(
    assumptions: list[Term],
    goal_negated: Term,
    variables: list[Term],
    *,
    budget: int,
    usize_bits: int = 64,
    domain: Domain | None = None,
    interpretation: Mapping[FnSym, FnValue] | None = None,
) -> dict[Term, Value] | None:
    """An assignment of legal values to the variables under which all assumptions and the negated goal are
    definitely true (whatever the unspecified values are), or None if the budget (in steps) ends first or nothing is
    left to try."""
    context = Context(usize_bits=usize_bits, domain=domain, interpretation=interpretation)
    conjuncts = [c for t in (*assumptions, goal_negated) for c in split(t, True)]
    unique = list(dict.fromkeys(conjuncts))
    try:
        return _Search(unique, variables, context, budget).run()
    except OutOfBudget:
        return None


def split(term: Term, positive: bool, depth: int = 0) -> list[Term]:
    """The conjuncts of a formula (of its negation where not `positive`), through definitions that are conjunctions."""
    op, args = term.op, term.args
    if op == "not":
        return split(args[0], not positive, depth)
    if op == ("and" if positive else "or"):
        return [c for a in args for c in split(a, positive, depth)]
    if op == "implies" and not positive:
        return split(args[0], True, depth) + split(args[1], False, depth)
    if op == "app" and term.data.kind == "defined" and term.data.body is not None and depth < 6:
        inner = split(instantiate(term.data.body, args), positive, depth + 1)
        if len(inner) > 1 or inner[0].op in ("eq", "forall", "le", "lt"):
            return inner
    return [term if positive else not_(term)]


class _Spent(Exception):
    """The share of the budget for this part of the search is used up."""


class _Search:
    def __init__(self, conjuncts: list[Term], variables: list[Term], context: Context, budget: int) -> None:
        self.context = context
        self.left = budget  # the whole budget
        self.share = budget  # of that, what the present part may use
        self.numbers = literals(conjuncts)
        self.inhabitants = Inhabitants(self.numbers, usize_bits=context.usize_bits, domain=context.domain)
        self.calm = Inhabitants(self.numbers, usize_bits=context.usize_bits, domain=context.domain, ends=False)
        known = set(variables)
        mentions = {c: {v for v in free_variables(c) if v in known} for c in conjuncts}
        self.order = _order(variables, conjuncts, mentions, context.usize_bits)
        self.steps: list[_Variable] = []
        placed: list[Term] = []
        for i, v in enumerate(self.order):
            before = set(placed)
            placed.append(v)
            ready = [c for c in conjuncts if mentions[c] <= set(placed) and not (mentions[c] <= before)]
            ready.sort(key=lambda c: c.size)
            checks = [compile(c, placed, context) for c in ready]
            self.steps.append(_Variable(self, v, self.order, i, conjuncts, checks))
        self.ground = [compile(c, [], context) for c in conjuncts if not mentions[c]]

    # --- budget ---

    def spend(self, cost: int) -> None:
        self.left -= cost
        self.share -= cost
        if self.left < 0 or self.share < 0:
            raise _Spent

    def value(self, code: Compiled, values: Sequence[Value]) -> Any:
        """Runs within the budget; raises EvaluationError as `Compiled.run` does."""
        given = self.context.steps = max(min(self.left, self.share, EVALUATION_STEPS), 0)
        try:
            return code.run(values)
        finally:
            self.spend(given - max(self.context.steps, 0) + 1)

    def holds(self, code: Compiled, values: Sequence[Value]) -> bool:
        try:
            return self.value(code, values) is True
        except EvaluationError:
            return False

    # --- the two parts ---

    def run(self) -> dict[Term, Value] | None:
        try:
            if not all(self.holds(c, []) for c in self.ground):
                return None
        except _Spent:
            return None
        if not self.order:
            return {}
        previous = -1
        reserve = self.left * 2 // 5  # for the random part
        for level in range(LEVELS):
            self.share = (self.left - reserve) // 3
            start = self.left
            try:
                found = self.descend(0, [], level)
            except _Spent:
                continue
            if found is not None:
                return found
            if start - self.left == previous and level > 3:
                break  # nothing new at this level: the values are used up
            previous = start - self.left
        self.share = self.left
        try:
            return self.at_random()
        except _Spent:
            return None

    def descend(self, i: int, values: list[Value], level: int) -> dict[Term, Value] | None:
        if i == len(self.steps):
            return self.result(values)
        step = self.steps[i]
        for v in step.options(values, level):
            self.spend(1)
            values.append(v)
            if all(self.holds(c, values) for c in step.checks):
                found = self.descend(i + 1, values, level)
                if found is not None:
                    return found
            values.pop()
        return None

    def at_random(self) -> dict[Term, Value] | None:
        rng = Random(SEED)
        wild = self.inhabitants
        for _ in range(RANDOM_TRIES):
            # Mostly without the ends of types: a sum or product of them seldom fits.
            self.inhabitants = self.calm if rng.random() < 0.7 else wild
            values: list[Value] = []
            length = 1 + rng.randrange(5)
            for step in self.steps:
                for v in step.random_options(values, rng, length):
                    self.spend(1)
                    values.append(v)
                    if all(self.holds(c, values) for c in step.checks):
                        break
                    values.pop()
                else:
                    break
            else:
                return self.result(values)
        return None

    def result(self, values: list[Value]) -> dict[Term, Value]:
        assert all(step.legal(v) for step, v in zip(self.steps, values, strict=True))
        return dict(zip(self.order, values, strict=True))


def _sides(c: Term) -> Iterator[tuple[Term, Term]]:
    if c.op == "eq":
        yield c.args[0], c.args[1]
        yield c.args[1], c.args[0]


def _is_view_of(t: Term, v: Term) -> bool:
    return t is v or (t.op == "view" and t.args[0] is v)


def _exact_path(side: Term, v: Term, usize_bits: int) -> Pattern | None:
    """Where in the value of `side` the variable (or its view) stands, if it stands there unchanged."""
    if _is_view_of(side, v):
        return Pattern(())
    return path_to(abstract(side, (v,)), 0, (0,), usize_bits)


def _is_linear(c: Term, v: Term, usize_bits: int) -> bool:
    """Whether an equation between integers is one of degree 1 in an integer variable."""
    if c.op != "eq" or not c.args[0].sort.is_integer or not v.sort.is_integer:
        return False
    degrees = [degree(abstract(a, (v,)), 0, (0,), usize_bits) for a in c.args]
    return max(degrees) == 1


#: How well a conjunct determines a variable, best first.
EXACT, POINTWISE, PERMUTED, LENGTH, FREE = range(5)


def _determines(c: Term, v: Term, usize_bits: int) -> tuple[int, set[Term]] | None:
    """From which other variables the conjunct determines v, or something of it, and how well."""
    others = set(free_variables(c)) - {v}
    if c.op == "forall":
        return None if _pointwise(c, v) is None else (POINTWISE, others)
    for side, other in _sides(c):
        if v in free_variables(other):
            continue
        if _exact_path(side, v, usize_bits) is not None:
            return EXACT, others
        if side.op in ("seq.len", "seq.to_multiset") and _is_view_of(side.args[0], v):
            return (LENGTH if side.op == "seq.len" else PERMUTED), others
    return (EXACT, others) if _is_linear(c, v, usize_bits) else None


def _order(variables: list[Term], conjuncts: list[Term], mentions: dict[Term, set[Term]], usize_bits: int) -> list[Term]:
    """The variables in an order in which those that others determine come after them."""
    definers = {v: [d for c in conjuncts if (d := _determines(c, v, usize_bits)) is not None] for v in variables}
    order: list[Term] = []
    waiting = list(variables)
    while waiting:
        placed = set(order)

        def rank(v: Term, placed: set[Term] = placed) -> tuple[int, int]:
            now = min((k for k, d in definers[v] if d <= placed), default=FREE)
            later = min((k for k, d in definers[v] if not d <= placed), default=FREE)
            prunes = sum(v in m and m <= placed | {v} for m in mentions.values())
            return (now if now <= later else FREE + 1 + now), -prunes

        best = min(waiting, key=rank)
        order.append(best)
        waiting.remove(best)
    return order


def _pointwise(c: Term, v: Term) -> tuple[Term, Term, Sort] | None:
    """`forall|i| A ==> v[i] == e` as (A, e) over the bound variable, e not mentioning v; A may mention only v's
    length."""
    if len(c.data) != 1 or not c.data[0].is_integer:
        return None
    body = c.args[0]
    guard, equation = body.args if body.op == "implies" else (None, body)
    if guard is None:
        return None
    for side, other in _sides(equation):
        if side.op != "seq.index" or not _is_view_of(side.args[0], v) or v in free_variables(other):
            continue
        index = side.args[1]
        while index.op == "cast":
            index = index.args[0]
        if index.op == "bound" and index.data == 0:
            return guard, other, c.data[0]
    return None


_LENGTH: Final = var("%length", INT)
_INDEX: Final = var("%index", INT)


class _Variable:
    """One variable of the search: the conjuncts to check once it has a value, and where its values come from."""

    def __init__(
        self, owner: _Search, v: Term, order: list[Term], place: int, conjuncts: list[Term], checks: list[Compiled]
    ) -> None:
        self.owner, self.variable, self.sort, self.checks = owner, v, v.sort, checks
        context = owner.context
        self.before = order[:place]
        earlier = set(self.before)
        self.exact: list[tuple[Compiled, Pattern]] = []
        self.linear: list[Compiled] = []
        self.lengths: list[Compiled] = []
        self.permuted: list[Compiled] = []
        self.points: list[tuple[Compiled, Compiled]] = []
        for c in conjuncts:
            if v not in free_variables(c):
                continue
            found = _pointwise(c, v) if c.op == "forall" else None
            if found is not None:
                self._add_pointwise(found, v, earlier)
            for side, other in _sides(c):
                if not set(free_variables(other)) <= earlier:
                    continue
                path = _exact_path(side, v, context.usize_bits)
                if path is not None:
                    self.exact.append((compile(other, self.before, context), path))
                elif side.op == "seq.len" and _is_view_of(side.args[0], v):
                    self.lengths.append(compile(other, self.before, context))
                elif side.op == "seq.to_multiset" and _is_view_of(side.args[0], v) and other.op == side.op:
                    self.permuted.append(compile(other.args[0], self.before, context))
            if set(free_variables(c)) <= earlier | {v} and _is_linear(c, v, context.usize_bits):
                difference = mk("sub", c.args, INT)
                self.linear.append(compile(difference, [*self.before, v], context))
        self.ranges = self._ranges(v, conjuncts)
        self.near = [compile(t, self.before, context) for t in self._neighbours(conjuncts, earlier)]

    def _add_pointwise(self, found: tuple[Term, Term, Sort], v: Term, earlier: set[Term]) -> None:
        guard, value, _ = found

        def open_length(t: Term) -> Term | None:
            return _LENGTH if t.op == "seq.len" and _is_view_of(t.args[0], v) else None

        guard = rewrite(instantiate(guard, (_INDEX,)), open_length)
        value = instantiate(value, (_INDEX,))
        names = [*self.before, _LENGTH, _INDEX]
        if set(free_variables(guard)) | set(free_variables(value)) <= earlier | {_LENGTH, _INDEX}:
            context = self.owner.context
            self.points.append((compile(guard, names, context), compile(value, names, context)))

    def _ranges(self, v: Term, conjuncts: list[Term]) -> list[Compiled]:
        """Terms whose values bound an integer variable: (lower, upper) interleaved is not needed, the checks prune."""
        if not v.sort.is_integer and v.sort.kind != "data":
            return []
        earlier = set(self.before)
        bounds: dict[Term, None] = {}
        body = abstract(and_([c for c in conjuncts if v in free_variables(c)]), (v,))
        for t in subterms(body):
            if t.op in ("le", "lt", "eq") and t.args[0].sort.is_integer:
                for a in t.args:
                    if a.loose == 0 and a.op != "lit" and set(free_variables(a)) <= earlier and not has_binder(a):
                        bounds[a] = None
        return [compile(t, self.before, self.owner.context) for t in list(bounds)[:8]]

    def _neighbours(self, conjuncts: list[Term], earlier: set[Term]) -> list[Term]:
        """Terms over earlier variables whose values are likely ones for this variable, or for what it is made of."""
        wanted = _parts(self.sort)
        found: dict[Term, None] = {}
        for v in self.before:
            if v.sort in wanted or _parts(v.sort) & wanted:
                found[v] = None
        for c in conjuncts:
            for t in subterms(c):
                if len(found) > 16:
                    break
                fitting = t.sort in wanted or (t.sort.is_integer and any(w.is_integer for w in wanted))
                if t.loose or t.op in ("lit", "var") or not fitting or has_binder(t):
                    continue
                names = set(free_variables(t))
                if names and names <= earlier:
                    found[t] = None
        return list(found)

    # --- values ---

    def legal(self, v: Value) -> bool:
        return in_range(v, self.sort, self.owner.context.usize_bits)

    def wrap(self, view: Value) -> Iterator[Value]:
        if self.sort.kind == "boxed" and not isinstance(view, Boxed):
            yield Boxed(view, 0)
            yield Boxed(view, 1)
        else:
            yield view

    def computed(self, codes: list[Compiled], values: list[Value]) -> list[Any]:
        found: list[Any] = []
        for code in codes:
            try:
                found.append(self.owner.value(code, values))
            except EvaluationError:
                continue
        return found

    def solved(self, values: list[Value]) -> list[Value] | None:
        """The only values that a conjunct leaves; None where none determines the variable."""
        for code, pattern in self.exact:
            try:
                found = along(self.owner.value(code, values), pattern)
            except EvaluationError:
                continue
            return [w for v in found for w in self.wrap(v) if self.legal(w)]
        for code in self.linear:
            try:
                at0, at1 = (self.owner.value(code, [*values, n]) for n in (0, 1))
            except EvaluationError:
                continue
            if at1 != at0:
                v, remainder = divmod(-at0, at1 - at0)
                return [v] if remainder == 0 and self.legal(v) else []
        return None

    def options(self, values: list[Value], level: int) -> Iterable[Value]:
        solved = self.solved(values)
        if solved is not None:
            return solved
        numbers, material = self._material(values)
        found: list[Value] = list(self._constructed(values, level, numbers))
        if not (found and self.lengths and level < 3):
            found += self._generic(self.sort, level, numbers, material)
        return itertools.islice((v for v in dict.fromkeys(found) if self.legal(v)), MAX_OPTIONS)

    def random_options(self, values: list[Value], rng: Random, length: int) -> Iterator[Value]:
        solved = self.solved(values)
        if solved is not None:
            yield from solved
            return
        numbers, material = self._material(values)
        pool = numbers + self.owner.numbers if rng.random() < 0.7 else self.owner.numbers
        lengths = [n for n in self.computed(self.lengths, values) if isinstance(n, int)]
        for n in range(6):
            if n % 2 == 0:
                made = [v for v in self._constructed(values, 2 + length // 2, numbers, rng) if self.legal(v)]
                if made:
                    yield rng.choice(made)
            if n == 1 and material:
                v = rng.choice(material)
                if self.legal(v):
                    yield v
            v = self.owner.inhabitants.random(self.sort, rng, length, pool)
            if lengths:
                v = self._of_length(v, lengths[0], rng, pool)
            if self.legal(v):
                yield v

    def _of_length(self, v: Value, n: int, rng: Random, pool: list[int]) -> Value:
        seq = v.view if isinstance(v, Boxed) else v
        if not isinstance(seq, tuple) or not 0 <= n <= 64:
            return v
        element = self.sort.element
        more = tuple(self.owner.inhabitants.random(element, rng, 2, pool) for _ in range(n - len(seq)))
        seq = (*seq, *more)[:n]
        return Boxed(seq, v.rest) if isinstance(v, Boxed) else seq

    def _material(self, values: list[Value]) -> tuple[list[int], list[Value]]:
        """Integers and values of the variable's sort that the earlier variables suggest."""
        numbers: dict[int, None] = {}
        material: dict[Value, None] = {}
        for v in self.computed(self.ranges, values) + self.computed(self.near, values):
            if isinstance(v, int) and not isinstance(v, bool):
                numbers.update(dict.fromkeys((v, v + 1, v - 1)))
                continue
            view = v.view if isinstance(v, Boxed) else v
            if isinstance(view, tuple):
                numbers.update(dict.fromkeys((len(view), len(view) - 1)))
                for e in view[:6]:
                    if isinstance(e, int) and not isinstance(e, bool):
                        numbers.update(dict.fromkeys((e, e + 1, e - 1)))
                    else:
                        material[e] = None
                variants = [view, view[:-1], view[1:], view + view[:1], view[::-1], tuple(sorted(view, key=order_key))]
                for w in variants:
                    material.update(dict.fromkeys(self.wrap(w) if self.sort.kind == "boxed" else (w,)))
            elif isinstance(view, frozenset):
                material.update(dict.fromkeys(sorted(view, key=order_key)[:6]))
            material[v] = None
        return list(numbers)[:40], [m for m in material if self.legal(m)]

    def _constructed(self, values: list[Value], level: int, numbers: list[int], rng: Random | None = None) -> Iterator[Value]:
        """Sequences that a conjunct on their length, elements or multiset determines in part; random ones with
        `rng`."""
        for seq in self.computed(self.permuted, values):
            if isinstance(seq, tuple) and len(seq) <= 5:
                ordered = sorted(seq, key=order_key)
                for p in dict.fromkeys(itertools.permutations(ordered)):
                    yield from self.wrap(p)
        if not (self.lengths or self.points):
            return
        lengths = [n for n in self.computed(self.lengths, values) if isinstance(n, int)] or list(range(level + 1))
        element = self.sort.element if self.sort.kind in ("seq", "boxed") else None
        if element is None:
            return
        for n in lengths[:4]:
            if not 0 <= n <= 12:
                continue
            choices = [self._element_options(values, n, i, element, level, numbers) for i in range(n)]
            picked = _varied(choices, 200) if rng is None else [tuple(map(rng.choice, choices)) for _ in range(8)]
            for seq in picked:
                yield from self.wrap(seq)

    def _element_options(self, values: list[Value], n: int, i: int, element: Sort, level: int, numbers: list[int]) -> list[Value]:
        for guard, value in self.points:
            try:
                if self.owner.value(guard, [*values, n, i]):
                    return [self.owner.value(value, [*values, n, i])]
            except EvaluationError:
                continue
        return self._generic(element, max(level - 1, 0), numbers[: 4 + level], [])[: 3 + 2 * level]

    def _generic(self, sort: Sort, level: int, numbers: list[int], material: list[Value]) -> list[Value]:
        """Values of a sort without regard to conjuncts, more of them at each level."""
        inhabitants = self.owner.inhabitants
        bits = self.owner.context.usize_bits
        if sort in inhabitants.domain:
            return list(inhabitants.domain[sort])
        match sort.kind:
            case "bool":
                return [False, True]
            case "int":
                pool = inhabitants.pool(sort)[: 4 + 4 * level]
                found = dict.fromkeys([*pool[:3], *(n for n in numbers if fits(n, sort, bits)), *pool])
                return list(found)
            case "data":
                made: dict[Value, None] = dict.fromkeys(material)
                for i, variant in enumerate(sort.variants):
                    if any(sort in _parts(f.sort) for f in variant.fields):
                        continue
                    parts = [
                        self._generic(f.sort, level, numbers, material)[: 3 + 12 // len(variant.fields)] for f in variant.fields
                    ]
                    tuples = itertools.islice(itertools.product(*parts), 80)
                    made.update(dict.fromkeys(DataValue(sort.name, i, fields) for fields in tuples))
                for size in range(level + 2):
                    made.update(dict.fromkeys(inhabitants.of_size(sort, size)))
                return list(made)
        found_values: dict[Value, None] = {}
        for size in range(level + 1):
            found_values.update(dict.fromkeys(inhabitants.of_size(sort, size)))
        found_values.update(dict.fromkeys(m for m in material if in_range(m, sort, bits)))
        if level and sort.kind in ("seq", "boxed") and sort.length is None and sort.element.is_integer:
            if sort.kind == "seq" or (sort.view is not None and sort.view.kind == "seq"):
                singles = [(n,) for n in numbers[:8] if fits(n, sort.element, bits)]
                found_values.update(dict.fromkeys(Boxed(s) if sort.kind == "boxed" else s for s in singles))
        return list(found_values)


def _varied(choices: list[list[Value]], limit: int) -> Iterator[tuple[Value, ...]]:
    """Tuples with one choice for each place, at most `limit`: all places alike first, then one that differs, then
    all."""
    if not all(choices):
        return
    for k in range(max(map(len, choices), default=1)):
        yield tuple([c[min(k, len(c) - 1)] for c in choices])
    base = tuple([c[0] for c in choices])
    for i, c in enumerate(choices):
        for x in c[1:]:
            yield (*base[:i], x, *base[i + 1 :])
    yield from itertools.islice(itertools.product(*choices), limit)


def _parts(sort: Sort) -> set[Sort]:
    """The sort and those that its values are made of (one datatype deep)."""
    found = {sort, *sort.args}
    if sort.view is not None:
        found |= {sort.view, *sort.view.args}
    if sort.kind == "data" and sort.is_defined:
        found |= {f.sort for v in sort.variants for f in v.fields}
    return found
