"""The first sense: all original clauses still stand, word for word, and the contract is broken all the same.

In: pairs whose contract is broken. Out: for each a row: whether all its clauses stand, and if so, by what means it was broken and
what sees it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from equiv.check import read_crate
from equiv.contract_text import REQUIRES, ContractText
from equiv.subset import subset_naive, subset_strict
from equiv.targets import Lost, counterpart, targets_of
from equiv.textual import textual
from equiv.verdict import TargetReport, Verdict
from experiments.compare.judge import AUDITED, LOGICAL, Judgement, judge
from experiments.compare.pairs import Pair
from experiments.mutation.confirm import worst
from experiments.report.folder import Row
from translate import syntax as sx
from translate.names import Ref
from translate.room import deep_stack

SENSE = "clauses"
#: The tests that look at texts of clauses; the first says whether all clauses stand.
TEXTS = ("subset-naive", "subset-strict", "textual")
#: By what means a contract was broken although every clause stands.
ADDED, DEFINITION, TYPE, SIGNATURE = "an added clause", "a changed definition", "a changed type", "a changed signature"


@dataclass(frozen=True, slots=True)
class Standing:
    """What the texts of the contracts say, over all targets: the answers of the tests of texts, whether a precondition was added,
    and whether a signature's text differs. A target that is gone has no clause that stands."""

    said: dict[str, bool]
    added: bool = False
    signature: bool = False

    @property
    def stands(self) -> bool:
        """Whether every original clause still stands among the submitted ones."""
        return self.said[TEXTS[0]]


def standing(pair: Pair) -> Standing:
    """The texts of a pair's contracts, compared. Raises `UnknownTarget`."""
    with deep_stack():
        before, after = read_crate(pair.original_source), read_crate(pair.submitted_source)
        said = dict.fromkeys(TEXTS, True)
        added = signature = False
        for target in targets_of(before, None if pair.targets is None else list(pair.targets)):
            found = counterpart(after, target)
            if isinstance(found, Lost):
                return Standing(dict.fromkeys(TEXTS, False))
            a, b = _text(target), _text(found)
            for test in (subset_naive(a, b), subset_strict(a, b), textual(a, b)):
                said[test.test] = said[test.test] and test.kept is True
            old = a.clause_texts(*REQUIRES)
            added = added or any(clause not in old for clause in b.clause_texts(*REQUIRES))
            signature = signature or a.signature_text() != b.signature_text()
    return Standing(said, added, signature)


def _text(ref: Ref) -> ContractText:
    assert ref.crate is not None and isinstance(ref.item, sx.Fn)
    return ContractText(ref.crate.source, ref.item, ref.crate.file)


def clause_row(pair: Pair, budget: int, judged: Judgement | None = None) -> Row:
    """The row of a pair: what the tests of texts say, and where all clauses stand, what the solver and the audit say."""
    texts = standing(pair)
    row: Row = {"stands": texts.stands, "texts": texts.said}
    if not texts.stands:
        return row
    found = judge(pair, budget) if judged is None else judged
    broken = [t for t in found.targets if t.verdict.kept() is False]
    reason = next((r for t in broken for r in t.reasons), None)
    example = next((r.counterexample for t in broken for r in t.reasons if r.counterexample is not None), None)
    return row | {
        "means": means(found.targets, texts),
        "verdict": str(worst(found.report)),
        "answers": {t: found.answers[t].kept for t in (LOGICAL, AUDITED) if t in found.answers},
        "reason": None if reason is None else reason.message,
        "values": None if example is None else [f"{name} = {value}" for name, value in example.bindings],
        "replayed": None if example is None else example.replayed,
    }


def means(targets: Sequence[TargetReport], texts: Standing) -> str | None:
    """By what means contracts were broken whose clauses all stand, from the logical reports; None where none was.

    A type of the signature is another. Something more is required than was. A definition that the contract names is another.
    Parameters stand in another order, or have other names. And what is left: some word of a clause means something else.
    """
    broken = [t for t in targets if t.verdict.kept() is False]
    if not broken:
        return None
    changes = {c.kind for t in broken for c in t.meaning}
    if any(t.verdict is Verdict.INTERFACE_CHANGED for t in broken) or changes & {"type", "type alias"}:
        return TYPE
    if texts.added and any(r.code in ("requires-strengthened", "vacuous") for t in broken for r in t.reasons):
        return ADDED
    return SIGNATURE if texts.signature and not changes else DEFINITION
