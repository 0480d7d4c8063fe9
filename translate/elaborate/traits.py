"""Traits as something to compare."""

from __future__ import annotations

from typing import NamedTuple

from translate import syntax as sx
from translate.names import Ref


class TraitName(NamedTuple):
    """A trait: its item, or its path where samespec does not see it."""

    item: int
    path: str


def trait_name(ref: Ref | None, path: sx.Path) -> TraitName:
    """The trait that a path was resolved to."""
    if ref is None:
        return TraitName(0, path.segments[-1].name)
    return TraitName(id(ref.item), "") if isinstance(ref.item, sx.Trait) else TraitName(0, ref.path)
