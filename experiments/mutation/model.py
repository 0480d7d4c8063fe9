"""What a mutation is: rules, their proposals, and the mutants made of them.

A rule has a name of its own (`bound-moved`), one of the corpus's kinds (`range-shifted`), and says whether it keeps the
meaning by construction. Rules for expressions work in clauses and in spec functions alike; in a spec function their
mutants are of kind `definition-rewritten` or `spec-fn-changed`, as the corpus has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from experiments.mutation.text import Edit
from experiments.mutation.work import Site, Work
from translate.names import Ref

KEPT, CANDIDATE = "kept", "candidate-broken"


@dataclass(frozen=True, slots=True)
class Proposal:
    """One possible application of a rule. `why` is one sentence; `kind` where it is not the rule's own; `at` says where it is
    made: in a clause, by its keyword, in a "definition", or somewhere else ("")."""

    edits: tuple[Edit, ...]
    why: str
    kind: str | None = None
    at: str = ""


Proposals = Iterator[Proposal]


@dataclass(frozen=True, slots=True)
class Rule:
    """A mutation rule. `propose` gives all its applications to one target's contract."""

    name: str
    kind: str
    kept: bool
    what: str
    propose: Callable[[Work, Ref], Proposals]

    @property
    def label(self) -> str:
        return KEPT if self.kept else CANDIDATE


@dataclass(frozen=True, slots=True)
class Mutant:
    """An edited text. `rules` are the rules applied, in order; `kind` is the kind of the last one."""

    target: str
    kind: str
    label: str
    rules: tuple[str, ...]
    why: str
    text: str

    @property
    def name(self) -> str:
        return "+".join(self.rules)


Rewrite = Iterator[tuple[str, str]]


def on_sites(find: Callable[[Work, Site], Rewrite]) -> Callable[[Work, Ref], Proposals]:
    """A rule that replaces one expression by another text: `find` gives (text, why) for a site."""

    def propose(work: Work, target: Ref) -> Proposals:
        for site in work.sites(target):
            for text, why in find(work, site):
                yield Proposal((work.instead(site, text),), why, at=site.place.kind)

    return propose
