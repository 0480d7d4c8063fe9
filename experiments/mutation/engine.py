"""The engine: rules applied to a source text, all of them or a seeded choice.

In: a `SourceText` or a `Work`, kinds, a seed. Out: mutants in a fixed order: the same text and seed give the same mutants.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random

from experiments.mutation import broken_clauses, broken_terms, kept_clauses, kept_definitions, kept_logic, kept_names, kept_terms
from experiments.mutation.model import CANDIDATE, KEPT, Mutant, Proposal, Rule
from experiments.mutation.text import apply_edits
from experiments.mutation.work import Work
from translate.names import Ref
from translate.parser import parse_file
from translate.room import deep_stack
from translate.source import SourceText, from_text

RULES: tuple[Rule, ...] = (
    *kept_clauses.RULES,
    *kept_names.RULES,
    *kept_definitions.RULES,
    *kept_logic.RULES,
    *kept_terms.RULES,
    *broken_clauses.RULES,
    *broken_terms.RULES,
)
#: Kinds under which a rule's mutants appear when it was applied inside a spec function.
IN_DEFINITION = {KEPT: "definition-rewritten", CANDIDATE: "spec-fn-changed"}
#: These keep their own kind there too.
_OWN_KIND = frozenset({"formatting", "trigger-changed", "bound-var-renamed", "const-changed", "type-narrowed", "reordered"})


class EngineError(Exception):
    """A mutant that does not parse: an error of a rule."""


def rules_of(names: Iterable[str] | None = None, label: str | None = None) -> list[Rule]:
    """The rules with one of these kinds or names (default: all), and this label. Raises `ValueError` for an unknown one."""
    chosen = [r for r in RULES if label is None or r.label == label]
    if names is None:
        return chosen
    wanted = set(names)
    unknown = wanted - {r.kind for r in RULES} - {r.name for r in RULES} - set(IN_DEFINITION.values())
    if unknown:
        raise ValueError(f"unknown kind {', '.join(map(repr, sorted(unknown)))}")
    return [r for r in chosen if r.kind in wanted or r.name in wanted or IN_DEFINITION[r.label] in wanted]


def made(work: Work, target: Ref, rule: Rule, proposal: Proposal) -> Mutant:
    """The mutant of a proposal. Raises `EngineError` when it has parse problems that the text did not have."""
    text = apply_edits(work.source, proposal.edits)
    kind = proposal.kind or rule.kind
    if proposal.at == "definition" and proposal.kind is None and kind not in _OWN_KIND:
        kind = IN_DEFINITION[rule.label]
    before = len(work.file.problems)
    after = parse_file(from_text(work.source.path, text)).problems
    if len(after) > before:
        raise EngineError(f"{rule.name} on {work.source.path}: {after[0].message} at byte {after[0].span.start}")
    return Mutant(target.path, kind, rule.label, (rule.name,), proposal.why, text)


def proposals(work: Work, rule: Rule, targets: Sequence[Ref] | None = None) -> list[tuple[Ref, Proposal]]:
    """All applications of a rule that change the text, each edit of the text once."""
    found: list[tuple[Ref, Proposal]] = []
    seen: set[frozenset[object]] = set()
    with deep_stack():
        for target in work.targets if targets is None else targets:
            for p in rule.propose(work, target):
                if frozenset(p.edits) not in seen and any(work.source.snippet(e.span) != e.text for e in p.edits):
                    seen.add(frozenset(p.edits))
                    found.append((target, p))
    return found


def mutants(
    source: SourceText,
    *,
    targets: Sequence[str] | None = None,
    kinds: Iterable[str] | None = None,
    label: str | None = None,
    seed: int = 0,
    count: int | None = None,
) -> Iterator[Mutant]:
    """All mutants of a text, rule by rule; with `count`, so many of them, chosen by the seed: the rules take turns, so that each
    has its share. `kinds` are kinds of the corpus or names of rules. Raises `UnknownTarget`, `ValueError`."""
    rules = rules_of(kinds, label)
    wanted = None if kinds is None else set(kinds)
    work = Work(source, targets)
    queues: list[list[tuple[Rule, Ref, Proposal]]] = []
    for rule in rules:
        queue = [(rule, t, p) for t, p in proposals(work, rule)]
        if wanted is not None and rule.name not in wanted:
            queue = [(r, t, p) for r, t, p in queue if made(work, t, r, p).kind in wanted]
        if count is not None:
            Random(f"{seed}:{rule.name}").shuffle(queue)
        queues.append(queue)
    if count is not None:
        Random(f"{seed}").shuffle(queues)
        turns = max(map(len, queues), default=0)
        flat = [q[i] for i in range(turns) for q in queues if i < len(q)][:count]
    else:
        flat = [entry for q in queues for entry in q]
    for rule, target, proposal in flat:
        yield made(work, target, rule, proposal)


def pick(
    work: Work, rule: Rule, rng: Random, targets: Sequence[Ref] | None = None, prefer: Sequence[tuple[str, ...]] = ()
) -> Mutant | None:
    """One application of a rule, chosen at random; None where it has none.

    `prefer` are groups of places (`Proposal.at`): the first group that has applications is taken, all places where none has.
    """
    found = proposals(work, rule, targets)
    if not found:
        return None
    chosen = next((some for places in prefer if (some := [(t, p) for t, p in found if p.at in places])), found)
    target, proposal = rng.choice(chosen)
    return made(work, target, rule, proposal)


def combined(work: Work, rules: Sequence[Rule], rng: Random, times: int, targets: Sequence[str] | None = None) -> Mutant | None:
    """Several rules one after the other, each on what the last one left; None where not even two of them apply."""
    applied: list[Mutant] = []
    current = work
    for rule in rng.sample(list(rules), len(rules)):
        mutant = pick(current, rule, rng)
        if mutant is None or mutant.text == current.source.text:
            continue
        applied.append(mutant)
        if len(applied) == times:
            break
        current = Work(from_text(work.source.path, mutant.text), targets)
    if len(applied) < 2:
        return None
    why = " ".join(m.why for m in applied)
    names = tuple(m.rules[0] for m in applied)
    return Mutant(applied[0].target, applied[-1].kind, applied[0].label, names, why, applied[-1].text)
