"""Pairs: an original, an edit of it, and what is known about the edit.

In: the corpus's tasks. Out: `Pair` records, which a worker process can be given. Texts carry names of their own
(`sort/original.rs`), so that no path of this machine gets into a result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corpus.tasks import KEPT_VERDICTS, Task
from translate.source import SourceText, from_text

#: How an edit's answer is known.
BY_HAND, BY_LAYOUT = "written down with the edit", "the two files of one original"
BY_CONSTRUCTION, BY_VALUES = "kept by construction", "broken, shown by values or the signature"
ON_TRUST = "the two files of one original, whose proof takes something on trust"
DISCARDED, UNCONFIRMED = "a candidate that was proved to be kept", "a candidate that was not decided"


@dataclass(frozen=True, slots=True)
class Pair:
    """An edit. `kept` is the right answer for the whole edit (None: not known); `contract_kept` that for its contracts alone,
    which are kept where only the proof has a hole. `label` says how it is known.

    `group` is the original's name: edits of one group are not independent. `targets` are the functions that the tests look at
    (None: all that have a contract in the original); `target` is the one from which the depth of a hole is counted (None: any
    of them). `hatch` and `depth` are those of a hole, where they are written down.
    """

    name: str
    group: str
    kind: str
    kept: bool | None
    contract_kept: bool | None
    label: str
    why: str
    original: str
    submitted: str
    target: str | None = None
    targets: tuple[str, ...] | None = None
    hatch: str | None = None
    depth: int | None = None

    @property
    def original_source(self) -> SourceText:
        return from_text(f"{self.group}/original.rs", self.original)

    @property
    def submitted_source(self) -> SourceText:
        return from_text(f"{self.name}/submitted.rs", self.submitted)


def corpus_pairs(tasks: Sequence[Task]) -> list[Pair]:
    """Every edit of the tasks, in their order."""
    return [
        Pair(
            name=f"{task.name}/{edit.name}",
            group=task.name,
            kind=edit.kind,
            kept=edit.kept,
            contract_kept=edit.verdict in KEPT_VERDICTS,
            label=BY_HAND,
            why=edit.why,
            original=task.original,
            submitted=edit.submitted,
            target=task.target,
            hatch=edit.hatch,
            depth=edit.depth,
        )
        for task in tasks
        for edit in task.edits
    ]
