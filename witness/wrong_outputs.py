"""What a contract should reject: wrong programs, and wrong outputs at single cases.

In: a task's weakened contract, opened, its cases, expressions that are known to be wrong. Out: `Bad`s: what each gives at which
visible case, as values of the contract's variables. Nothing is among them that the weakened contract rejects already, and nothing
that is not wrong: each gives, at a visible case at least, another output than the official one.

The wrong programs are the witness, other certified witnesses, the task's known-wrong examples, and small expressions. The wrong
outputs are neighbours of the official one (a number one off, an entry more or less, another variant), the official outputs of
other cases, and what the small expressions give.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from translate.readings.inhabitants import in_range
from translate.terms import Sort, Term
from translate.values import Boxed, DataValue, Value, order_key
from witness.contract import Opened
from witness.embedded import Verifier
from witness.expressions import Node, to_rust
from witness.language import NotAllowed, read_expression
from witness.model import Case
from witness.numbers import Panic
from witness.run import run
from witness.search import Search

#: Small expressions that are built, those of them that count as wrong programs, and their largest size.
BUILT: Final = 2_500
SMALL: Final = 40
LARGEST: Final = 5
#: Wrong outputs at one case.
OF_A_CASE: Final = 10

WITNESS, CERTIFIED, EXAMPLE, LIKE, OUTPUT = "witness", "certified", "example", "like", "output"


@dataclass(frozen=True, slots=True)
class Bad:
    """Something wrong. `origin` is one of the words above; `expression` is "" for a wrong output; `points` has by case number
    (from 0) what comes out there, as values of the contract's variables."""

    origin: str
    expression: str
    points: Mapping[int, Mapping[Term, Any]]

    @property
    def is_program(self) -> bool:
        return self.origin != OUTPUT


class Wrongs:
    """What is wrong at the visible cases of a contract."""

    def __init__(self, opened: Opened, verifier: Verifier, visible: Sequence[Case]) -> None:
        self.opened, self.verifier, self.visible = opened, verifier, visible
        self.names = [p.name for p in opened.parameters()]
        self.official = [verifier.at(c.inputs, c.output, c.final) for c in visible]
        self.notes: list[str] = []
        self._small: list[tuple[Node, tuple[Value | None, ...]]] | None = None

    def programs(self, named: Sequence[tuple[str, str]]) -> list[Bad]:
        """Wrong programs: those named, as (origin, expression), then small expressions. The witness is always the first, where it
        is wrong."""
        found: list[Bad] = []
        seen: set[tuple[Value | None, ...]] = set()
        for origin, expression in named:
            try:
                node = read_expression(expression, self.opened)
            except NotAllowed as problem:
                self.notes.append(f"`{expression}` is not in the language of candidates: {problem}")
                continue
            outputs = self._outputs(node)
            if outputs is not None and outputs not in seen and self._counts(outputs, known=origin in (WITNESS, CERTIFIED)):
                seen.add(outputs)
                found.append(Bad(origin, expression, self._points(outputs)))
        for node, outputs in self.small():
            if sum(b.origin == LIKE for b in found) == SMALL:
                break
            if outputs not in seen and self._counts(outputs, known=False):
                seen.add(outputs)
                found.append(Bad(LIKE, to_rust(node), self._points(outputs)))
        return found

    def outputs(self) -> list[Bad]:
        """Wrong outputs at single cases that the weakened contract admits there."""
        found = []
        variables = self.opened.outputs
        for n, (case, right) in enumerate(zip(self.visible, self.official, strict=True)):
            count = 0
            seen: set[tuple[Value, ...]] = {tuple(right[v] for v in variables)}
            for values in self._other_outputs(n, case):
                key = tuple(values[x] for x in variables)
                if key in seen or not all(in_range(values[v], v.sort, self.opened.word) for v in variables):
                    continue
                seen.add(key)
                if all(self.verifier.holds(t, values) is True for t in self.opened.ensures):
                    found.append(Bad(OUTPUT, "", {n: values}))
                    count += 1
                    if count == OF_A_CASE:
                        break
        return found

    def small(self) -> list[tuple[Node, tuple[Value | None, ...]]]:
        """Small expressions of the result's type with what they give, by size; none that panics at a visible case."""
        if self._small is None:
            search = Search(self.opened, [c.inputs for c in self.visible], BUILT)
            self._small = []
            for size in range(1, LARGEST + 1):
                for entry in search.level(size):
                    outputs = None if entry.panics else self._outputs(entry.node)
                    if outputs is not None:
                        self._small.append((entry.node, outputs))
                if search.is_full:
                    break
        return self._small

    # --- programs ----------------------------------------------------------------------------------------------------

    def _outputs(self, node: Node) -> tuple[Value | None, ...] | None:
        """What a program gives at the visible cases; None where it panics at one."""
        try:
            return tuple(run(node, dict(zip(self.names, c.inputs, strict=True)), self.opened.word) for c in self.visible)
        except Panic:
            return None

    def _points(self, outputs: Sequence[Value | None]) -> dict[int, dict[Term, Any]]:
        """Where a program is wrong; its `&mut` parameters keep their values."""
        points = {n: self.verifier.at(c.inputs, o) for n, (c, o) in enumerate(zip(self.visible, outputs, strict=True))}
        return {n: values for n, values in points.items() if values != self.official[n]}

    def _counts(self, outputs: Sequence[Value | None], *, known: bool) -> bool:
        """Whether a program is wrong somewhere and, unless that is known, the weakened contract admits what it gives."""
        if not self._points(outputs):
            return False
        return known or all(self.verifier.breaks(c.inputs, o) is None for c, o in zip(self.visible, outputs, strict=True))

    # --- outputs -----------------------------------------------------------------------------------------------------

    def _other_outputs(self, n: int, case: Case) -> Iterator[dict[Term, Any]]:
        """Other outputs at a case: the official one, and that with `&mut` parameters as they were, with one value exchanged."""
        right = self.official[n]
        unchanged = dict(zip(self.opened.contract.outputs, (case.inputs[i] for i in self.opened.mutable), strict=False))
        bases = [right, {**right, **unchanged}] if unchanged else [right]
        yield from bases[1:]
        streams = [self._other_values(n, case) for _ in bases]
        while streams:
            for base, stream in list(zip(bases, streams, strict=True)):
                pair = next(stream, None)
                if pair is None:
                    return
                yield {**base, pair[0]: pair[1]}

    def _other_values(self, n: int, case: Case) -> Iterator[tuple[Term, Value]]:
        """Other values for one output variable at a case, the near ones first."""
        right = self.official[n]
        result = self.opened.contract.result
        near = [(v, neighbours(right[v], v.sort)) for v in self.opened.outputs]
        yield from _by_turns(near)
        if result is not None:
            yield from ((result, outputs[n]) for _, outputs in self.small()[:200] if outputs[n] is not None)  # type: ignore[misc]
        for v in self.opened.outputs:
            yield from ((v, other[v]) for other in self.official)
        for v, i in zip(self.opened.contract.outputs, self.opened.mutable, strict=False):
            yield v, case.inputs[i]


def _by_turns(streams: Sequence[tuple[Term, Iterator[Value]]]) -> Iterator[tuple[Term, Value]]:
    """One value for each variable in turn."""
    left = list(streams)
    while left:
        for v, stream in list(left):
            value = next(stream, None)
            if value is None:
                left.remove((v, stream))
            else:
                yield v, value


def neighbours(value: Value, sort: Sort) -> Iterator[Value]:
    """Values that differ little from a value; some may lie outside the sort's range."""
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1, 0)
        case Boxed(view=view) if sort.view is not None:
            yield from (Boxed(x) for x in neighbours(view, sort.view))
        case tuple():
            yield from _near_sequences(value, sort)
        case DataValue(variant=variant, fields=fields):
            for i, f in enumerate(sort.variants[variant].fields):
                for x in neighbours(fields[i], f.sort):
                    yield DataValue(value.sort_name, variant, (*fields[:i], x, *fields[i + 1 :]))
            sorts = [f.sort for f in sort.variants[variant].fields]
            for i, j in combinations(range(len(fields)), 2):
                if sorts[i] is sorts[j]:
                    swapped = list(fields)
                    swapped[i], swapped[j] = fields[j], fields[i]
                    yield DataValue(value.sort_name, variant, tuple(swapped))
            for k, other in enumerate(sort.variants):
                if k != variant and not other.fields:
                    yield DataValue(value.sort_name, k)
                elif k != variant and all(f.sort.is_integer for f in other.fields):
                    yield DataValue(value.sort_name, k, (0,) * len(other.fields))


def _near_sequences(value: tuple[Value, ...], sort: Sort) -> Iterator[Value]:
    if len(value) > 1:
        yield (value[1], value[0], *value[2:])
        yield value[::-1]
        yield tuple(sorted(value, key=order_key))
    for i, x in enumerate(value[:2]):
        for y in neighbours(x, sort.element):
            yield (*value[:i], y, *value[i + 1 :])
    if value:
        yield value[:-1]
        yield (*value, value[0])
    elif sort.element.is_integer:
        yield (0,)
    elif sort.element.kind == "bool":
        yield (False,)
