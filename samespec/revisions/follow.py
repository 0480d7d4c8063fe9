"""Functions that moved or were renamed: where the contract of one that is gone stands now.

In: the functions that are gone and those that are new, over all files of a change. Out: pairs, each by a rule that a person can
check. What no rule pairs, or a rule pairs with several, is not followed: it stays gone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from equiv.contract_text import ENSURES, REQUIRES, ContractText, text_of
from translate import syntax as sx
from translate.names import Ref


@dataclass(frozen=True, slots=True)
class Place:
    """A function in one of the files of a change: the file's number, and the function."""

    file: int
    ref: Ref

    @property
    def fn(self) -> sx.Fn:
        assert isinstance(self.ref.item, sx.Fn)
        return self.ref.item

    @property
    def text(self) -> ContractText:
        assert self.ref.crate is not None
        return ContractText(self.ref.crate.source, self.fn, self.ref.crate.file)


def _tail(place: Place) -> list[str]:
    """The name, and of a method its type's: what stays when a function moves to another module."""
    names = place.ref.path.split("::")
    return names[-2:] if place.ref.owner is not None else names[-1:]


def _clauses(place: Place) -> list[str]:
    return [str(c.key) for c in place.text.clause_texts(*REQUIRES, *ENSURES)]


def _types(place: Place) -> list[str]:
    source = place.text.source
    listed = [*(p.type for p in place.fn.params), place.fn.ret_type]
    return [place.fn.mode, *("" if t is None else text_of(source, t.span) for t in listed)]


def _body(place: Place) -> str:
    body = place.fn.body
    return "" if body is None else text_of(place.text.source, sx.Span(body.start, body.end))


def _same_body(a: Place, b: Place) -> bool:
    return len(_body(a)) > len("{}") and _body(a) == _body(b)


#: Tried in this order; each may pair a function only where it finds exactly one.
_RULES: tuple[Callable[[Place, Place], bool], ...] = (
    lambda a, b: _tail(a) == _tail(b) and a.file == b.file,
    lambda a, b: _tail(a) == _tail(b),
    lambda a, b: a.file == b.file and _types(a) == _types(b) and _same_body(a, b),
    lambda a, b: a.file == b.file and _types(a) == _types(b) and _clauses(a) == _clauses(b),
    lambda a, b: _types(a) == _types(b) and _clauses(a) == _clauses(b) and _same_body(a, b),
)


def follow(gone: Sequence[Place], fresh: Sequence[Place]) -> list[tuple[Place, Place]]:
    """Pairs of a function that is gone and the one that took its place."""
    pairs: list[tuple[Place, Place]] = []
    left, free = list(gone), list(fresh)
    for rule in _RULES:
        claims = [(a, [b for b in free if rule(a, b)]) for a in left]
        for a, found in claims:
            if len(found) == 1 and sum(found[0] in others for _, others in claims) == 1:
                pairs.append((a, found[0]))
                left.remove(a)
                free.remove(found[0])
    return pairs
