"""The tables of a campaign's report.

In: rows, scores, contrasts. Out: `Table`s.
"""

from __future__ import annotations

from collections.abc import Sequence

from experiments.report.folder import Row
from experiments.report.table import Cell as Entry
from experiments.report.table import Column, Table
from experiments.statistics import Interval, rate
from experiments.witness.cells import FAILURES, Cell
from experiments.witness.downstream import Comparison, Condition
from experiments.witness.rows import ATTEMPTS, EPISODE, REVISION
from experiments.witness.scores import Contrast, Families, Lengths, Reading, Repeat, Score, failures, of_policy, policies_in


def policies(scores: Sequence[Score]) -> Table:
    columns = (
        Column("policy", "policy", "code"),
        Column("episodes", "episodes", "number"),
        Column("certified", "certified", "number"),
        Column("share", "share", "share"),
        Column("low", "from", "share"),
        Column("high", "to", "share"),
        Column("first_call", "first call alone", "number"),
        Column("not_last", "not the last call", "number"),
        Column("unparsed_calls", "calls that do not parse", "number"),
        Column("calls", "of calls", "number"),
        Column("unparsed", "selected that do not parse", "number"),
    )
    rows: list[Sequence[Entry]] = []
    for s in scores:
        low, high = _bounds(None if s.estimate is None else s.estimate.interval)
        share = rate(s.certified, s.episodes)
        rows.append(
            (s.policy, s.episodes, s.certified, share, low, high, s.first, s.not_last, s.unparsed_calls, s.calls, s.unparsed)
        )
    caption = "Certified witnesses by policy. The interval is from drawing whole tasks again."
    return Table("policies", caption, columns, rows)


def contrasts(name: str, caption: str, found: Sequence[tuple[str, Contrast]]) -> Table:
    """`found` has a stratum (or another group) with each contrast."""
    columns = (
        Column("group", "tasks"),
        Column("first", "first", "code"),
        Column("second", "second", "code"),
        Column("first_certified", "certified, first", "number"),
        Column("second_certified", "certified, second", "number"),
        Column("episodes", "of", "number"),
        Column("difference", "difference", "share"),
        Column("low", "from", "share"),
        Column("high", "to", "share"),
        Column("favour", "tasks for the first", "number"),
        Column("against", "for the second", "number"),
        Column("ties", "ties", "number"),
        Column("p", "p", "p"),
    )
    rows: list[Sequence[Entry]] = []
    for group, c in found:
        low, high = _bounds(None if c.estimate is None else c.estimate.interval)
        difference = None if c.estimate is None else c.estimate.value
        s = c.signs
        rows.append((group, c.first, c.second, *c.counts, difference, low, high, s.favour, s.against, s.ties, s.p))
    return Table(name, caption, columns, rows)


def tasks(cells: Sequence[Cell]) -> Table:
    """Certified episodes of each task, by policy."""
    names = policies_in(cells)
    columns = (
        Column("task", "task", "code"),
        Column("stratum", "omission"),
        *(Column(p, p, "number") for p in names),
        Column("episodes", "episodes a policy, at most", "number"),
    )
    strata = {c.task: c.stratum for c in cells}
    rows: list[Sequence[Entry]] = []
    for task, stratum in strata.items():
        groups = [[c for c in of_policy(cells, p) if c.task == task] for p in names]
        counts = [sum(c.certified for c in g) if g else None for g in groups]
        rows.append((task, stratum, *counts, max(map(len, groups))))
    return Table("tasks", "Certified episodes by task.", columns, rows)


def providers(found: Families) -> Table:
    caption = "The primary contrast within each provider. The sign tests here go over tasks."
    return contrasts("providers", caption, list(found.contrasts.items()))


def repeats(found: Repeat) -> Table:
    columns = (Column("what", "what"), Column("cells", "cells", "number"), Column("share", "share of all", "share"))
    items = found.kappa.items
    counts = (
        (f"certified in {found.first} and in {found.second}", found.both),
        ("certified in neither", found.neither),
        (f"certified in {found.first} only", found.only_first),
        (f"certified in {found.second} only", found.only_second),
    )
    rows = [(what, n, n / items) for what, n in counts]
    caption = f"{found.first} and {found.second}, cell by cell (task, provider, repeat)."
    return Table("repeats", caption, columns, rows)


def withheld(scores: Sequence[Score]) -> Table:
    columns = (
        Column("policy", "policy", "code"),
        Column("certified", "certified, with withheld cases", "number"),
        Column("withheld", "disagree on a withheld case too", "number"),
        Column("share", "share", "share"),
    )
    rows = [(s.policy, s.asked, s.withheld, rate(s.withheld, s.asked)) for s in scores if s.asked]
    return Table("withheld", "Witnesses that the withheld cases show to be wrong as well.", columns, rows)


def readings(found: Sequence[Reading]) -> Table:
    columns = (
        Column("reading", "reading"),
        Column("first_certified", "direct, certified", "number"),
        Column("first_episodes", "of", "number"),
        Column("first_unparsed", "do not parse", "number"),
        Column("second_certified", "intentshield, certified", "number"),
        Column("second_episodes", "of", "number"),
        Column("second_unparsed", "do not parse", "number"),
        Column("difference", "difference of shares", "share"),
    )
    rows = [(r.reading, *r.first, r.first_unparsed, *r.second, r.second_unparsed, r.difference) for r in found]
    return Table("readings", "The primary contrast under three readings of the answers.", columns, rows)


def failed(cells: Sequence[Cell]) -> Table:
    names = policies_in(cells)
    columns = (Column("failure", "the selected candidate"), *(Column(p, p, "number") for p in names))
    by_policy = {p: failures(cells, p) for p in names}
    rows: list[Sequence[Entry]] = [("is certified", *(sum(c.certified for c in of_policy(cells, p)) for p in names))]
    rows += [
        (what, *(by_policy[p][key] for p in names)) for key, what in FAILURES.items() if any(by_policy[p][key] for p in names)
    ]
    return Table("failures", "Where the selected candidates end: the first gate that does not let them pass.", columns, rows)


def lengths(found: Sequence[Lengths]) -> Table:
    columns = (
        Column("policy", "policy", "code"),
        Column("prompts", "prompts behind the first call", "number"),
        Column("characters", "characters (mean)", "number"),
        Column("tokens", "tokens (mean)", "number"),
    )
    rows = [(x.policy, x.prompts, round(x.characters), None if x.tokens is None else round(x.tokens)) for x in found]
    return Table("prompts", "How long the prompts were.", columns, rows)


# --- downstream ----------------------------------------------------------------------------------------------------------


def conditions(found: Sequence[Condition]) -> Table:
    columns = (
        Column("condition", "condition", "code"),
        Column("tasks", "tasks", "number"),
        Column("revised", "revised", "number"),
        Column("attempts", "attempts", "number"),
        Column("meets", "verify under its contract", "number"),
        Column("succeeds", "verify under the full contract", "number"),
        Column("share", "share", "share"),
        Column("low", "from", "share"),
        Column("high", "to", "share"),
        Column("open", "not decided", "number"),
        Column("unparsed", "no expression", "number"),
    )
    rows = [
        (
            c.name, c.tasks, c.revised, c.attempts, c.meets, c.succeeds, rate(c.succeeds, c.attempts), *_bounds(c.interval),
            c.open, c.unparsed,
        )
        for c in found
    ]  # fmt: skip
    return Table("downstream", "Implementations written to each contract.", columns, rows)


def comparisons(found: Sequence[Comparison]) -> Table:
    columns = (
        Column("first", "first", "code"),
        Column("second", "second", "code"),
        Column("difference", "difference", "share"),
        Column("low", "from", "share"),
        Column("high", "to", "share"),
        Column("favour", "tasks for the first", "number"),
        Column("against", "for the second", "number"),
        Column("ties", "ties", "number"),
        Column("p", "p", "p"),
    )
    rows: list[Sequence[Entry]] = []
    for c in found:
        value = None if c.estimate is None else c.estimate.value
        low, high = _bounds(None if c.estimate is None else c.estimate.interval)
        rows.append((c.first, c.second, value, low, high, c.signs.favour, c.signs.against, c.signs.ties, c.signs.p))
    return Table("downstream_contrasts", "Successful attempts: one condition against another, task by task.", columns, rows)


def revisions(rows: Sequence[Row]) -> Table:
    columns = (
        Column("task", "task", "code"),
        Column("condition", "condition", "code"),
        Column("witness", "from", "code"),
        Column("certified", "certified"),
        Column("accepted", "accepted"),
        Column("implied", "full contract promises it"),
        Column("why", "why"),
    )
    found = [r for r in rows if r["kind"] == REVISION and "error" not in r]
    lines: list[Sequence[Entry]] = []
    for r in found:
        witness = r["witness"]
        expression, certified = (None, None) if witness is None else (witness["expression"], witness["certified"])
        lines.append((r["task"], r["condition"], expression, certified, r["accepted"], r.get("implied"), r.get("why", "")))
    return Table("revisions", "Revised contracts, one by one.", columns, lines)


# --- one by one ----------------------------------------------------------------------------------------------------------


def episodes(rows: Sequence[Row]) -> Table:
    columns = (
        Column("task", "task", "code"),
        Column("provider", "provider"),
        Column("policy", "policy", "code"),
        Column("label", "label", "number"),
        Column("call", "selected call", "number"),
        Column("certified", "certified"),
        Column("expression", "candidate", "code"),
        Column("why_not", "why not"),
        Column("divergences", "visible cases that differ", "number"),
        Column("withheld_divergences", "withheld cases that differ", "number"),
    )
    lines: list[Sequence[Entry]] = []
    for r in rows:
        if r["kind"] != EPISODE or "error" in r:
            continue
        head = (r["task"], r["provider"], r["policy"], r["label"])
        raw = r["raw"]
        if raw is None:
            lines.append((*head, None, False, None, r.get("reason", ""), None, None))
        else:
            rest = (raw["expression"], raw.get("why_not"), raw["divergences"], raw["withheld_divergences"])
            lines.append((*head, raw["call"], raw["certified"], *rest))
    return Table("episodes", "Every episode, with its selected candidate.", columns, lines)


def attempts(rows: Sequence[Row]) -> Table:
    columns = (
        Column("task", "task", "code"),
        Column("condition", "condition", "code"),
        Column("answer", "answer", "code"),
        Column("meets", "under its contract"),
        Column("correct", "under the full contract"),
        Column("succeeds", "success"),
    )
    lines = [
        (r["task"], r["condition"], a["answer"][:200], a["meets"], a["correct"], a["succeeds"])
        for r in rows
        if r["kind"] == ATTEMPTS and "error" not in r
        for a in r["attempts"]
    ]
    return Table("attempts", "Every implementation.", columns, lines)


def left_out(rows: Sequence[Row]) -> Table:
    columns = (Column("item", "what", "code"), Column("why", "why"))
    lines = []
    for r in rows:
        if "error" in r:
            about = [r["kind"], r["task"], *(str(r[k]) for k in ("provider", "policy", "label", "condition") if k in r)]
            lines.append((" ".join(about), r["error"]))
    return Table("left_out", "What could not be judged.", columns, lines)


def _bounds(interval: Interval | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval.low, interval.high)
