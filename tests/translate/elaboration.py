"""What the tests of names and elaboration share: contracts as terms, and verdicts on two small texts."""

from __future__ import annotations

import sys

from equiv.check import check_sources
from equiv.verdict import CheckReport
from translate.elaborate.contracts import Contract, read_contract
from translate.elaborate.elaborator import Elaborator
from translate.names import Crate, Ref
from translate.parser import parse_file
from translate.readings.verus_text import to_verus
from translate.source import from_text
from translate.terms import Term
from translate.vstd import library


def crate_of(text: str, *, whole: bool = False) -> Crate:
    """A crate of names; the text stands inside `verus!` unless it is a whole file."""
    source = from_text("test.rs", text if whole else f"use vstd::prelude::*;\nverus! {{\n{text}\n}}\n")
    return Crate(source, parse_file(source), library())


def function(crate: Crate, name: str) -> Ref:
    return next(r for r in crate.functions if r.name == name)


def contract(text: str, name: str = "f", names: Contract | None = None) -> Contract:
    """The contract of a function of a text; with `names`, over the variables of that other contract."""
    crate = crate_of(text)
    sys.setrecursionlimit(30_000)  # as the check does
    return read_contract(Elaborator(crate), function(crate, name), names)


def ensures(text: str, name: str = "f") -> str:
    """The last `ensures` of a function as Verus text."""
    return to_verus(contract(text, name).ensures[-1].term)


def requires(text: str, name: str = "f") -> str:
    """The last `requires` of a function as Verus text."""
    return to_verus(contract(text, name).requires[-1].term)


def clauses(c: Contract) -> list[Term]:
    return [x.term for x in (*c.requires, *c.ensures)]


def same_terms(a: str, b: str, name: str = "f") -> bool:
    """Whether a function's clauses are the very same terms in two texts."""
    first = contract(a, name)
    return clauses(first) == clauses(contract(b, name, first))


def check(original: str, submitted: str, target: str = "f") -> CheckReport:
    texts = [f"use vstd::prelude::*;\nverus! {{\n{t}\n}}\n" for t in (original, submitted)]
    return check_sources(from_text("o.rs", texts[0]), from_text("s.rs", texts[1]), targets=[target], budget=60_000)


def kept(original: str, submitted: str, target: str = "f") -> bool | None:
    """Whether the submission kept the contract: True, False, or None where that stays open."""
    return check(original, submitted, target).kept()
