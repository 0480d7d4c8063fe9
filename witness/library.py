"""Sorts of the standard library that no source text needs to name.

In: sorts. Out: the sort `Option<T>` exactly as a file's contract has it.
"""

from __future__ import annotations

from functools import cache

from translate.elaborate.elaborator import Elaborator
from translate.names import Crate, Ref
from translate.parser import parse_file
from translate.source import from_text
from translate.terms import Sort
from translate.vstd import library


@cache
def _option() -> tuple[Elaborator, Ref]:
    source = from_text("nothing", "")
    shelf = library()
    ref = shelf.prelude("Option", "types")
    assert ref is not None
    return Elaborator(Crate(source, parse_file(source), shelf)), ref


@cache
def option_of(sort: Sort) -> Sort:
    """`Option<sort>` of std."""
    elaborator, ref = _option()
    return elaborator.types.data(ref, (sort,))
