"""The Python API: `check` two files, get a `CheckReport`.

>>> from samespec.api import check
>>> report = check("original.rs", "submitted.rs", fns=["max"])
>>> report.kept()
True

Raises `translate.source.SourceError` for a file that cannot be read, `equiv.check.UnknownTarget` for a name in `fns`
that is no function of the original, `samespec.evidence.EvidenceError` for a directory that cannot take the certificate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from equiv.verdict import CheckReport
from translate.source import SourceText, read_source

if TYPE_CHECKING:
    from equiv.second_opinion import SecondSolver


def check(
    original_path: str | Path,
    submitted_path: str | Path,
    *,
    fns: Sequence[str] | None = None,
    budget: int | None = None,
    evidence: str | Path | None = None,
    scripts: bool = False,
    lemmas: bool = False,
    cross_check: bool = False,
) -> CheckReport:
    """Decides for each target whether its contract survived.

    `fns` names the targets (paths such as `crate::Solution::find`, or as much of their end as is unique); by default
    they are the functions of the original that have a contract. `budget` is the work one obligation may cost, in Z3's
    resource units (default: `default_budget()`). `evidence` is a directory for the certificate: new, empty, or one with
    an earlier certificate, which is replaced. `scripts` gives each obligation its SMT-LIB script (`smt2`),
    `lemmas` its text as a Verus file (`lemma`), and `cross_check` puts each to cvc5 as well (raises
    `equiv.second_opinion.NotInstalled` where that is not installed).
    """
    if evidence is not None:
        from samespec.evidence import refuse_foreign

        refuse_foreign(Path(evidence))
    original, submitted = read_source(original_path), read_source(submitted_path)

    from equiv.check import check_sources  # late: what cannot be read is refused before a solver is loaded

    budget = default_budget() if budget is None else budget
    second = second_solver() if cross_check else None
    report = check_sources(
        original,
        submitted,
        targets=fns,
        budget=budget,
        want_smt2=scripts or evidence is not None,
        want_lemmas=lemmas,
        second=second,
    )
    if second is not None:
        report = replace(report, notes=(*report.notes, _agreement(report, second.name)))
    if not report.targets:
        report = replace(report, notes=(*report.notes, *_why_no_targets(original)))
    if evidence is not None:
        from samespec.evidence import write_certificate

        write_certificate(Path(evidence), report, original, submitted, targets=fns, budget=budget)
    return report


def second_solver() -> SecondSolver:
    """The solver of `cross_check`: cvc5. Raises `equiv.second_opinion.NotInstalled`."""
    from equiv.second_opinion import cvc5_solver

    return cvc5_solver()


def _agreement(report: CheckReport, name: str) -> str:
    """How far the second solver agreed, in one line."""
    said = [o.cross_check for t in report.targets for o in t.obligations if o.cross_check is not None]
    counts = {word: said.count(word) for word in ("agrees", "unsure", "disagrees")}
    against = f", contradicts {counts['disagrees']}" if counts["disagrees"] else ""
    total = f"{len(said)} obligation" + ("" if len(said) == 1 else "s")
    return f"second opinion: {name} agrees on {counts['agrees']} of {total}, leaves {counts['unsure']} open{against}"


def default_budget() -> int:
    """What one obligation may cost by default, in Z3's resource units: they measure work, not time."""
    from equiv.decide import DEFAULT_BUDGET

    return DEFAULT_BUDGET


def _why_no_targets(original: SourceText) -> Iterator[str]:
    """What in the original may be the reason that no contract was found in it, besides its parse problems."""
    from translate.parser import parse_file

    if not parse_file(original).verus_blocks:
        yield f"{original.path} has no `verus!` block"
