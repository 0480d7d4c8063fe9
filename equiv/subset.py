"""The clause-subset contract test: every original clause still stands, and more may be added.

This is the rule of the validator of MiniF2F-Dafny, for Verus, in two forms:

- strict, as that validator applies it: the signature and the preconditions must match exactly (as a set of clause
  texts); every original postcondition must stand verbatim; further postconditions may be added.
- naive, as it is often written down in a hurry: every original clause occurs somewhere among the submitted clauses.

White space, comments and trailing commas are aside.
"""

from __future__ import annotations

from equiv.contract_text import ENSURES, KINDS, REQUIRES, ContractText
from equiv.verdict import TestAnswer

STRICT = "subset-strict"
NAIVE = "subset-naive"


def subset_strict(original: ContractText, submitted: ContractText) -> TestAnswer:
    """Kept: same signature, same set of preconditions, every original postcondition verbatim."""
    if original.signature_text() != submitted.signature_text():
        return TestAnswer(STRICT, False, "the signature's text differs")
    old, new = original.clause_texts(*REQUIRES), submitted.clause_texts(*REQUIRES)
    for clause in new:
        if clause not in old:
            return TestAnswer(STRICT, False, f"requires `{clause}` is new")
    for clause in old:
        if clause not in new:
            return TestAnswer(STRICT, False, f"requires `{clause}` is gone")
    standing = submitted.clause_texts(*ENSURES)
    for clause in original.clause_texts(*ENSURES):
        if clause not in standing:
            return TestAnswer(STRICT, False, f"ensures `{clause}` no longer stands")
    return TestAnswer(STRICT, True, "same preconditions, and every original postcondition stands")


def subset_naive(original: ContractText, submitted: ContractText) -> TestAnswer:
    """Kept: every original clause occurs among the submitted clauses, whatever their kind and whatever was added."""
    standing = submitted.clause_texts(*KINDS)
    for clause in original.clause_texts(*KINDS):
        if clause not in standing:
            return TestAnswer(NAIVE, False, f"`{clause}` no longer stands")
    return TestAnswer(NAIVE, True, "every original clause still stands")
