"""The textual contract test: signature and clauses, compared as text.

Fair in what does not matter: white space, comments, trailing commas, attributes and visibility are aside. Everything
else has to stand as it stood, in the same order, and nothing is known about what the words mean.
"""

from __future__ import annotations

from equiv.contract_text import ENSURES, REQUIRES, ContractText
from equiv.verdict import TestAnswer

TEST = "textual"


def textual(original: ContractText, submitted: ContractText) -> TestAnswer:
    """Kept: signature, preconditions and postconditions are the same text, clause by clause."""
    if original.signature_text() != submitted.signature_text():
        return TestAnswer(TEST, False, "the signature's text differs")
    for name, kinds in (("requires", REQUIRES), ("ensures", ENSURES)):
        old, new = original.clause_texts(*kinds), submitted.clause_texts(*kinds)
        for a, b in zip(old, new, strict=False):
            if a != b:
                return TestAnswer(TEST, False, f"{name} `{a}` reads `{b}` now")
        if len(old) != len(new):
            more = (old if len(old) > len(new) else new)[min(len(old), len(new))]
            what = "is gone" if len(old) > len(new) else "is new"
            return TestAnswer(TEST, False, f"{name} `{more}` {what}")
    return TestAnswer(TEST, True, "signature and clauses are the same text")
