"""Inputs that a contract allows, made by rule.

In: a contract's verifier (for `requires`), inputs that are known. Out: more inputs, in a fixed order: neighbours of the known
ones (one parameter at a time takes a value from around: the other cases' values, small numbers, the limits of its type, the
numbers of the contract; a number that is a sequence's length changes with it), small values and a seeded random tail
(`translate.readings.candidates.enumerate_inputs`), and where these are few, what a search for the precondition finds. Every input
is checked by the evaluator: `requires` certainly holds.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from translate import terms as tm
from translate.readings.candidates import enumerate_inputs, search
from translate.readings.evaluate import in_range
from translate.terms import CHAR, Sort
from translate.values import Boxed, DataValue, Value
from witness.contract import WitnessError
from witness.data import is_type_parameter, to_json
from witness.embedded import Verifier
from witness.numbers import bounds
from witness.store import sha256

#: Inputs of the enumeration that are looked at; neighbours of one input; with fewer inputs the precondition is searched.
ENUMERATED: Final = 1_500
NEIGHBOURS: Final = 300
FEW: Final = 12
#: The longest sequence in an input.
LONGEST: Final = 12
SEARCH_STEPS: Final = 60_000


def more_inputs(verifier: Verifier, known: Sequence[tuple[Value, ...]], count: int) -> list[tuple[Value, ...]]:
    """At most `count` inputs that are not among the known ones. The choice among what is found goes by a hash of the values, so
    that it favours nothing; neighbours of the known inputs and others take turns."""
    enough = 8 * count
    seen = set(known)
    far = _allowed(verifier, _enumerated(verifier), seen, enough)
    if len(known) + len(far) < FEW:
        far += _allowed(verifier, _searched(verifier), seen, enough)
    near: list[tuple[Value, ...]] = []
    seeds: Sequence[tuple[Value, ...]] = [*known, *far[:FEW]]
    while seeds and len(near) < enough:
        seeds = _allowed(verifier, _neighbours(verifier, seeds), seen, enough - len(near))
        near += seeds
    sorts = [v.sort for v in verifier.contract.inputs]
    near, far = (sorted(found, key=lambda values: sha256(text_of(values, sorts))) for found in (near, far))
    chosen: list[tuple[Value, ...]] = []
    for i in range(max(len(near), len(far))):
        chosen += [found[i] for found in (far, near) if i < len(found)]
    return chosen[:count]


def text_of(values: Sequence[Value], sorts: Sequence[Sort]) -> str:
    """Values as one line of JSON, the same for equal values."""
    return json.dumps([to_json(x, s) for x, s in zip(values, sorts, strict=True)], sort_keys=True)


def _allowed(
    verifier: Verifier, inputs: Iterable[tuple[Value, ...]], seen: set[tuple[Value, ...]], limit: int
) -> list[tuple[Value, ...]]:
    found = []
    for values in inputs:
        if values in seen or not all(map(_is_small, values)):
            continue
        if not all(in_range(x, v.sort, verifier.opened.word) for x, v in zip(values, verifier.contract.inputs, strict=True)):
            continue
        seen.add(values)
        if verifier.accepts(values):
            found.append(values)
            if len(found) >= limit:
                break
    return found


def _is_small(value: Any) -> bool:
    """Whether a value is short enough to be written into a case."""
    if isinstance(value, Boxed):
        view = value.view
        return isinstance(view, tuple) and len(view) <= LONGEST and value.rest == 0 and all(map(_is_small, view))
    return all(map(_is_small, value.fields)) if isinstance(value, DataValue) else True


def _enumerated(verifier: Verifier) -> Iterator[tuple[Value, ...]]:
    contract = verifier.contract
    hints = [*verifier.opened.requires, *verifier.opened.ensures]
    if any(not can_be_written(v.sort) for v in contract.inputs):
        return
    yield from enumerate_inputs(list(contract.inputs), hints, ENUMERATED, usize_bits=verifier.opened.word)


def _searched(verifier: Verifier) -> Iterator[tuple[Value, ...]]:
    """What the bounded search finds for the precondition, at most three inputs: each excludes the ones before by its first
    parameter of a plain type."""
    contract = verifier.contract
    excluded: list[tm.Term] = []
    for _ in range(3):
        found = search(
            [*verifier.opened.requires, *excluded], tm.TRUE, list(contract.inputs), budget=SEARCH_STEPS,
            usize_bits=verifier.opened.word,
        )  # fmt: skip
        if found is None or any(v not in found for v in contract.inputs):
            return
        yield tuple(found[v] for v in contract.inputs)
        plain = [tm.eq(v, tm.lit(x)) for v in contract.inputs if isinstance(x := found[v], int) and v.sort is not CHAR]
        if not plain:
            return
        excluded.append(tm.not_(tm.and_(plain)))


def can_be_written(sort: Sort) -> bool:
    """Whether values of a sort can be written into a case."""
    if sort.is_integer:
        return sort.name not in ("int", "nat")
    if sort.kind == "boxed":
        return sort.view is not None and sort.view.kind == "seq" and can_be_written(sort.view.element)
    if sort.kind == "data":
        return all(can_be_written(f.sort) for v in sort.variants for f in v.fields)
    return sort is tm.BOOL or is_type_parameter(sort)


def _neighbours(verifier: Verifier, known: Sequence[tuple[Value, ...]]) -> Iterator[tuple[Value, ...]]:
    """Known inputs with one of their parts changed."""
    contract = verifier.contract
    numbers = sorted(
        {t.data for term in (*verifier.opened.requires, *verifier.opened.ensures) for t in tm.subterms(term)
         if t.op == "lit" and not isinstance(t.data, bool)},
        key=lambda n: (abs(n), n),
    )[:8]  # fmt: skip
    for values in known:
        made = 0
        for i, v in enumerate(contract.inputs):
            for other in _around(values[i], v.sort, [k[i] for k in known[:FEW]], numbers, verifier.opened.word):
                changed = (*values[:i], other, *values[i + 1 :])
                yield changed
                yield from _with_lengths(changed, values, i)
                made += 1
                if made >= NEIGHBOURS:
                    break
            if made >= NEIGHBOURS:
                break


def _with_lengths(changed: tuple[Value, ...], before: tuple[Value, ...], position: int) -> Iterator[tuple[Value, ...]]:
    """The input with a new length also where a number was the old one: `n` and a sequence of `n` elements change together."""
    old, new = before[position], changed[position]
    if not (isinstance(old, Boxed) and isinstance(new, Boxed) and isinstance(old.view, tuple) and isinstance(new.view, tuple)):
        return
    if len(old.view) == len(new.view):
        return
    for k, x in enumerate(before):
        if isinstance(x, int) and not isinstance(x, bool) and x == len(old.view):
            yield (*changed[:k], len(new.view), *changed[k + 1 :])


def _around(value: Any, sort: Sort, others: Sequence[Any], numbers: Sequence[int], word: int) -> Iterator[Any]:
    """Values near a value: those of other cases, and for numbers neighbours, limits and the numbers of the contract; sequences
    with an element more, less, changed, exchanged."""
    yield from others
    if sort is tm.BOOL:
        yield not value
    elif sort is CHAR:
        yield from (value + 1, value - 1, ord("a"), ord("Z"), ord("0"), ord(" "))
    elif sort.is_integer:
        low, high = bounds(sort, word)
        wanted = (value + 1, value - 1, -value, 2 * value, 0, 1, high, low, high - 1, *numbers, *(n + 1 for n in numbers))
        yield from (n for n in wanted if low <= n <= high)
    elif sort.kind == "boxed" and isinstance(value.view, tuple):
        yield from (Boxed(view) for view in _sequences(value.view, sort, numbers, word) if sort.length in (None, len(view)))
    elif sort.kind == "data":
        fields = sort.variants[value.variant].fields
        for i, f in enumerate(fields):
            for other in _around(value.fields[i], f.sort, (), numbers, word):
                yield DataValue(value.sort_name, value.variant, (*value.fields[:i], other, *value.fields[i + 1 :]))


def _sequences(view: tuple[Any, ...], sort: Sort, numbers: Sequence[int], word: int) -> Iterator[tuple[Any, ...]]:
    yield view[::-1]
    for i, x in enumerate(view):
        yield view[:i] + view[i + 1 :]
        yield (*view[: i + 1], x, *view[i + 1 :])
        for other in list(_around(x, sort.element, (), numbers, word))[:6]:
            yield (*view[:i], other, *view[i + 1 :])
    yield tuple(sorted(view)) if all(isinstance(x, int) for x in view) else view


def check_writable(verifier: Verifier) -> None:
    """Raises `WitnessError` where a parameter or the result has a type that cases cannot have."""
    opened = verifier.opened
    for p in opened.parameters():
        if not can_be_written(p.sort):
            raise WitnessError(f"`{opened.fn.name}`: a parameter of type `{p.type}` cannot be written down in a case")
    if opened.result_sort is not None and not can_be_written(opened.result_sort):
        raise WitnessError(f"`{opened.fn.name}`: a result of type `{opened.result_type}` cannot be written down in a case")
