"""Screening before Verus, in three layers. What is screened out never reaches Verus.

In: the task's original and a submission, as texts. Out: `Screening`: findings, each with its layer, a stable code, a sentence
and a place.

1. forbidden constructs in the agent's regions (every item that is not, token by token, one of the original's), by name and by
   the closure audit of `depgraph`, which follows aliases and helpers;
2. the count guard: no forbidden construct may stand in the whole file more often than in the original;
3. the comparison: the contract must be kept (`equiv`), in proof mode also the executable code; `lynette additions`
   where installed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from depgraph.closure import audit_targets
from depgraph.crate_loader import load_source
from depgraph.erasure import executable_changes
from depgraph.hatches import catalogue
from equiv.check import check_sources
from equiv.decide import DEFAULT_BUDGET
from equiv.targets import UnknownTarget
from equiv.verdict import CheckReport
from referee.lynette import additions, find_lynette
from translate import syntax as sx
from translate.names import Crate
from translate.parser import parse_file
from translate.source import SourceText, from_text
from translate.tokens import Group, Token, tokenize
from translate.vstd import library

#: Words that no submission needs, besides what the catalogue of `depgraph` names: attributes, keywords, doors out of the file.
_WORDS = """assume admit assume_ assume_new assume_new_fallback assume_specification assume_termination axiom uninterp external
external_body external_fn_specification external_type_specification external_trait_specification external_trait_extension
exec_allows_no_decreases_clause when_used_as_spec type_invariant include include_str include_bytes asm global_asm env
option_env rustc_diagnostic_item inline_air_stmt verus_keep_ghost unsafe extern""".split()
_SOURCE = "submitted.rs"


@dataclass(frozen=True, slots=True)
class Finding:
    """One reason to screen out. `code` is a stable word; `layer` 1, 2 or 3 (0: it could not be read at all)."""

    layer: int
    code: str
    message: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Screening:
    """What the three layers say. `notes` tell what was not looked at."""

    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    report: CheckReport | None = field(default=None, repr=False, compare=False)

    @property
    def passed(self) -> bool:
        return not self.findings


def screen(
    original: str,
    submitted: str,
    *,
    targets: Sequence[str],
    mode: str = "contract",
    budget: int | None = None,
    lynette: str | None = None,
) -> Screening:
    """Screens a submission. `mode` is "contract" or "proof"; `targets` are functions of the original."""
    try:
        old, new = from_text("original.rs", original), from_text(_SOURCE, submitted)
    except UnicodeEncodeError as error:
        return Screening((Finding(0, "unreadable", f"not text: {error.reason}"),))
    file = parse_file(new)
    if file.problems:
        problem = file.problems[0]
        line = new.line_column(problem.span.start)[0]
        return Screening((Finding(0, "unreadable", f"{problem.construct}: {problem.message}", line),))
    findings = list(_in_regions(old, new, file))
    findings += _counts(old, new)
    if any(f.layer in (1, 2) for f in findings):
        return Screening(tuple(findings))  # the dearer questions need not be asked
    findings += _closure(old, new, targets)
    contract, report = _contract(old, new, targets, budget)
    findings += contract
    if mode == "proof":
        findings += _code(old, new)
    more, notes = _lynette(original, submitted, lynette)
    return Screening((*findings, *more), notes, report)


# --- layer 1 ----------------------------------------------------------------------------------------------------------


@cache
def forbidden_words() -> frozenset[str]:
    """The words by which a forbidden construct is recognised."""
    found = set(_WORDS)
    for hatch in catalogue().values():
        if hatch.trust is not None:
            found |= {name.split("::")[-1] for name in hatch.call}
            found |= {re.split(r"[(=]", name)[0] for name in hatch.attribute}
    return frozenset(found - {"internal", "size_of"})


def _leaves(items: Sequence[sx.Item]) -> Iterator[sx.Item]:
    for item in items:
        inner = item.items if isinstance(item, sx.Mod | sx.Impl | sx.Trait) else None
        if inner is not None:
            yield from _leaves(inner)
        else:
            yield item


def _tokens(source: SourceText, span: sx.Span) -> list[tuple[str, int]]:
    """The tokens of a range with their offsets, brackets opened; comments and strings' insides are not among them."""
    found: list[tuple[str, int]] = []

    def walk(tokens: Sequence[Token]) -> None:
        for token in tokens:
            if token.end <= span.start or token.start >= span.end:
                continue
            if token.kind != "eof" and span.start <= token.start:
                found.append((token.text, token.start))
            if isinstance(token, Group):
                walk(token.children)

    walk(_all_tokens(source))
    return found


@cache
def _all_tokens(source: SourceText) -> list[Token]:
    return tokenize(source)[0]


def _in_regions(old: SourceText, new: SourceText, file: sx.File) -> Iterator[Finding]:
    known = Counter(_text(old, i.span) for i in _leaves(parse_file(old).items))
    for item in _leaves(file.items):
        text = _text(new, item.span)
        if known[text] > 0:
            known[text] -= 1
            continue
        for word, offset in _tokens(new, item.span):
            if word in forbidden_words():
                yield Finding(1, "forbidden-construct", f"`{word}` in the agent's part of the file", new.line_column(offset)[0])


def _text(source: SourceText, span: sx.Span) -> str:
    return " ".join(text for text, _ in _tokens(source, span))


def _closure(old: SourceText, new: SourceText, targets: Sequence[str]) -> Iterator[Finding]:
    """What the proof of a target leans on, and did not lean on before."""
    try:
        reports = audit_targets(load_source(old), load_source(new), list(targets), solver=False)
    except UnknownTarget:
        return  # the comparison says that it is missing
    for report in reports:
        for reported in report.reported:
            trust = reported.trust
            if trust is not None and (trust.fatal or trust.value == "unresolved"):
                finding = reported.finding
                message = f"{report.target} leans on `{finding.node}`: {finding.hatch} ({trust.value}): {finding.what}"
                yield Finding(1, "closure-audit", message, finding.place.line)


# --- layer 2 ----------------------------------------------------------------------------------------------------------


def counts(source: SourceText) -> Counter[str]:
    """How often each forbidden word stands in a file, as a token."""
    words = forbidden_words()
    return Counter(text for text, _ in _tokens(source, sx.Span(0, len(source.data))) if text in words)


def _counts(old: SourceText, new: SourceText) -> Iterator[Finding]:
    before, after = counts(old), counts(new)
    for word in sorted(after):
        if after[word] > before[word]:
            yield Finding(2, "count-guard", f"`{word}` stands {after[word]} times, {before[word]} in the original")


# --- layer 3 ----------------------------------------------------------------------------------------------------------


def _contract(
    old: SourceText, new: SourceText, targets: Sequence[str], budget: int | None
) -> tuple[list[Finding], CheckReport | None]:
    try:
        report = check_sources(old, new, budget=DEFAULT_BUDGET if budget is None else budget)
    except UnknownTarget as error:
        return [Finding(3, "contract", str(error))], None
    found = []
    wanted = {t.removeprefix("crate::") for t in targets}
    seen = {t.target.removeprefix("crate::") for t in report.targets}
    for name in sorted(wanted - seen):
        found.append(Finding(3, "contract-missing", f"{name} has no contract that is compared"))
    for target in report.targets:
        kept = target.verdict.kept()
        if kept is True:
            continue
        why = target.reasons[0].message if target.reasons else "no reason given"
        line = target.submitted_place.line if target.submitted_place is not None else 0
        code = "contract-undecided" if kept is None else "contract-changed"
        found.append(Finding(3, code, f"{target.target}: {target.verdict}: {why}", line))
    return found, report


def _code(old: SourceText, new: SourceText) -> Iterator[Finding]:
    crates = [Crate(source, parse_file(source), library()) for source in (old, new)]
    for change in executable_changes(*crates):
        line = 0 if change.new_place is None else change.new_place.line
        yield Finding(3, "code-changed", f"{change.path}: {change.what}", line)


def _lynette(original: str, submitted: str, named: str | None) -> tuple[list[Finding], tuple[str, ...]]:
    """What `lynette additions` says, where it is installed."""
    program = named or find_lynette()
    if program is None:
        return [], ("lynette is not installed: its comparison was not made",)
    allowed, why = additions(original, submitted, program)
    if allowed is None:
        return [], (f"{why}: its comparison was not made",)
    return ([], (f"lynette additions: {why}",)) if allowed else ([Finding(3, "lynette", f"lynette additions: {why}")], ())
