"""The tables of experiment 1.

In: the rows of the results. Out: `Table` records.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from experiments.compare.scores import Contest, Score, answer, fooled, score, wrong
from experiments.report.folder import Row
from experiments.report.table import Column, Table, percent
from experiments.statistics import Estimate, Interval, rate


def span(interval: Interval | None) -> str | None:
    """An interval in words, in per cent."""
    return None if interval is None else f"{100 * interval.low:.1f}–{100 * interval.high:.1f}%"


def overall(scores: Sequence[Score], missing: Sequence[tuple[str, str]]) -> Table:
    """One line for each test; tools that are not there have one too, which says so."""
    columns = (
        Column("test", "test"),
        Column("fooled", "fooled", "number"),
        Column("broken", "of broken", "number"),
        Column("fooled_share", "share", "share"),
        Column("fooled_interval", "95% interval"),
        Column("wrong", "wrong", "number"),
        Column("honest", "of honest", "number"),
        Column("wrong_share", "share", "share"),
        Column("wrong_interval", "95% interval"),
        Column("undecided", "no answer", "number"),
        Column("right", "right", "number"),
    )
    rows = [
        (
            s.test,
            s.fooled,
            s.broken,
            rate(s.fooled, s.broken),
            span(s.fooled_interval),
            s.wrong,
            s.honest,
            rate(s.wrong, s.honest),
            span(s.wrong_interval),
            s.open_broken + s.open_honest,
            s.right,
        )
        for s in scores
    ]
    absent = [(f"{tool}: {why}", *([None] * 10)) for tool, why in missing]
    caption = "Mistakes of each test: fooled by broken edits, wrong about honest ones, with exact intervals."
    return Table("overall", caption, columns, [*rows, *absent])


def by_task(scores: Sequence[Score]) -> Table:
    """The same shares with intervals that do not take the edits of one original to be independent."""
    columns = (
        Column("test", "test"),
        Column("fooled_share", "fooled", "share"),
        Column("fooled_interval", "95% interval"),
        Column("wrong_share", "wrong", "share"),
        Column("wrong_interval", "95% interval"),
        Column("originals", "originals", "number"),
    )

    def parts(e: Estimate | None) -> tuple[float | None, str | None]:
        return (None, None) if e is None else (e.value, span(e.interval))

    rows = []
    for s in scores:
        tasks = max((e.tasks for e in (s.fooled_by_task, s.wrong_by_task) if e is not None), default=0)
        rows.append((s.test, *parts(s.fooled_by_task), *parts(s.wrong_by_task), tasks))
    return Table("by_task", "The same shares, with intervals from drawing whole originals again.", columns, rows)


def what_is_broken(rows: Sequence[Row], tests: Sequence[str]) -> Table:
    """Broken contracts and holes in the proof apart: a test of contracts cannot see the latter."""
    columns = (
        Column("test", "test"),
        Column("contract_fooled", "fooled by a broken contract", "number"),
        Column("contract", "of", "number"),
        Column("contract_share", "share", "share"),
        Column("contract_interval", "95% interval"),
        Column("proof_fooled", "fooled by a hole in the proof", "number"),
        Column("proof", "of", "number"),
        Column("proof_share", "share", "share"),
        Column("proof_interval", "95% interval"),
    )
    contract = [r for r in rows if r["kept"] is False and r["contract_kept"] is False]
    proof = [r for r in rows if r["kept"] is False and r["contract_kept"] is not False]
    lines = []
    for test in tests:
        cells: list[int | float | str | None] = []
        for chosen in (contract, proof):
            s = score(chosen, test)
            interval = span(s.fooled_interval) if s.broken else None
            cells += [s.fooled, s.broken, rate(s.fooled, s.broken), interval]
        lines.append((test, *cells))
    return Table("what_is_broken", "Broken contracts, and contracts that stand while the proof has a hole.", columns, lines)


def by_kind(rows: Sequence[Row], tests: Sequence[str]) -> Table:
    """One line for each kind and test: mistakes, no answer, right, with the exact interval of the share of mistakes."""
    columns = (
        Column("honest", "edits are", "text"),
        Column("kind", "kind"),
        Column("test", "test"),
        Column("edits", "edits", "number"),
        Column("mistakes", "mistakes", "number"),
        Column("share", "share", "share"),
        Column("interval", "95% interval"),
        Column("undecided", "no answer", "number"),
    )
    lines = []
    for honest, kind, chosen in kinds_in(rows):
        for test in tests:
            s = score(chosen, test)
            mistakes, interval = (s.wrong, s.wrong_interval) if honest else (s.fooled, s.fooled_interval)
            undecided = s.open_honest if honest else s.open_broken
            word = "honest" if honest else "broken"
            lines.append((word, kind, test, len(chosen), mistakes, rate(mistakes, len(chosen)), span(interval), undecided))
    return Table("by_kind", "Mistakes of each test on each kind of edit.", columns, lines)


def kinds_in(rows: Sequence[Row]) -> list[tuple[bool, str, list[Row]]]:
    """The edits by kind: broken kinds first, each part in the order of the alphabet."""
    found: dict[tuple[bool, str], list[Row]] = defaultdict(list)
    for r in rows:
        found[r["kept"], r["kind"]].append(r)
    return [(honest, kind, found[honest, kind]) for honest, kind in sorted(found)]


def counts(rows: Sequence[Row], tests: Sequence[str]) -> Table:
    """One line for each kind: how many edits, and how many of them each test gets wrong."""
    columns = (
        Column("honest", "edits are"),
        Column("kind", "kind"),
        Column("edits", "edits", "number"),
        *(Column(t, t, "number") for t in tests),
    )
    lines = []
    for honest, kind, chosen in kinds_in(rows):
        mistakes = [sum(wrong(r, t) if honest else fooled(r, t) for r in chosen) for t in tests]
        lines.append(("honest" if honest else "broken", kind, len(chosen), *mistakes))
    return Table("counts", "How many edits of each kind, and how many of them each test gets wrong.", columns, lines)


WHAT = {"fooled": "fooled", "wrong": "wrong about honest", "right": "right"}


def paired(found: Sequence[Contest]) -> Table:
    """The paired comparisons."""
    columns = (
        Column("what", "which is"),
        Column("first", "first test"),
        Column("second", "second test"),
        Column("edits", "edits", "number"),
        Column("only_first", "only the first", "number"),
        Column("only_second", "only the second", "number"),
        Column("p", "exact p", "p"),
        Column("p_holm", "adjusted", "p"),
        Column("difference", "difference"),
        Column("difference_interval", "95% interval"),
    )
    rows = []
    for c in found:
        d = c.difference
        shown = (None, None) if d is None else (f"{100 * d.value:+.1f} points", points(d.interval))
        rows.append(
            (WHAT[c.what], c.first, c.second, c.edits, c.paired.only_first, c.paired.only_second, c.paired.p, c.adjusted, *shown)
        )
    return Table("paired", "Every two tests on the same edits: exact McNemar tests.", columns, rows)


def points(interval: Interval) -> str:
    return f"{100 * interval.low:+.1f} to {100 * interval.high:+.1f}"


def mistakes(rows: Sequence[Row], tests: Sequence[str]) -> Table:
    """Every mistake, and every answer that was not given."""
    columns = (
        Column("test", "test"),
        Column("mistake", "mistake"),
        Column("edit", "edit", "code"),
        Column("kind", "kind"),
        Column("why", "what the edit does"),
        Column("said", "what the test said"),
    )
    lines = []
    for test in tests:
        for r in rows:
            word = (
                "fooled"
                if fooled(r, test)
                else "wrong"
                if wrong(r, test)
                else "no answer"
                if answer(r, test) is None
                else None
            )
            if word is not None:
                said = r["answers"].get(test, {}).get("why") or r.get("error", "")
                lines.append((test, word, r["edit"], r["kind"], r["why"], said))
    return Table("mistakes", "Every mistake, and every answer that was not given.", columns, lines)


def kinds(rows: Sequence[Row]) -> Table:
    """Each kind with an example."""
    columns = (
        Column("honest", "edits are"),
        Column("kind", "kind"),
        Column("edits", "edits", "number"),
        Column("example", "for example", "code"),
        Column("why", "what that edit does"),
    )
    lines = [
        ("honest" if honest else "broken", kind, len(chosen), chosen[0]["edit"], chosen[0]["why"])
        for honest, kind, chosen in kinds_in(rows)
    ]
    return Table("kinds", "The kinds of edits, each with an example.", columns, lines)


def labels(rows: Sequence[Row]) -> Table:
    """How the right answer is known."""
    found: dict[tuple[str, str], int] = defaultdict(int)
    for r in rows:
        word = {True: "honest", False: "broken", None: "not counted"}[r["kept"]]
        found[word, r["label"]] += 1
    columns = (Column("answer", "edits are"), Column("label", "how that is known"), Column("edits", "edits", "number"))
    return Table("labels", "How the right answers are known.", columns, [(*k, n) for k, n in sorted(found.items())])


def share(part: int, whole: int) -> str:
    """`3 of 8 (37.5%)`."""
    return f"{part} of {whole} ({percent(rate(part, whole))})"
