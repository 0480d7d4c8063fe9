"""Requirements that can never hold.

In: functions of a crate. Out: those whose `requires` clauses contradict each other, proved by the decider that `check` uses. A
contract that is not translated is not asked about. The question is asked of so many functions only, in the order in which the
audit reached them, so that an audit of a large crate stays quick.
"""

from __future__ import annotations

from collections.abc import Sequence

from depgraph.crate_loader import LoadedCrate
from depgraph.model import NodeInfo
from translate import syntax as sx

MOST = 30
BUDGET = 200_000


def contradictions(crate: LoadedCrate, functions: Sequence[NodeInfo]) -> tuple[list[NodeInfo], int]:
    """The functions whose requirement is contradictory, and of how many it is not known: untranslated, or too many."""
    asked = [i for i in functions if isinstance(i.item, sx.Fn) and i.item.in_verus and i.item.exprs("requires")]
    if not asked:
        return [], 0
    from equiv.decide import Decider
    from translate.elaborate.contracts import read_contract
    from translate.elaborate.elaborator import Elaborator
    from translate.elaborate.inference import Unsupported
    from translate.parser import ParseFailure

    elaborator = Elaborator(crate)
    decider = Decider(BUDGET, word_bits=crate.word_bits or 64)
    found, unknown = [], max(0, len(asked) - MOST)
    for info in asked[:MOST]:
        assert info.ref is not None
        if crate.source_of(info.item) is not crate.source:  # type: ignore[arg-type]
            unknown += 1  # the elaborator reads the root file
            continue
        try:
            contract = read_contract(elaborator, info.ref)
            if decider.contradictory([c.term for c in contract.requires], contract.variables):
                found.append(info)
        except (Unsupported, ParseFailure, RecursionError):
            unknown += 1
    return found, unknown
