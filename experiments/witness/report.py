"""The report of a campaign: what was asked, what came out, how to read it.

In: the folder with its settings, and the rows. Out: tables, figures, `report.md`, `report.html`, `summary.json` in the folder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from experiments.report import drawing
from experiments.report.document import Document
from experiments.report.folder import ReportFolder, Row, dump
from experiments.report.table import Table, code, escape, p_value, percent
from experiments.statistics import RESAMPLES, Decomposition, Estimate, rate
from experiments.witness import downstream, figures, scores, tables
from experiments.witness.cells import Cell, cells_of
from experiments.witness.rows import EPISODE
from experiments.witness.scores import Contrast, Draws, Families, Lengths, Reading, Repeat, Score

TITLE = "Wrong programs that a contract admits: discovery policies compared"
#: What each policy does, for people.
POLICIES = {
    "direct": "three independent draws from one prompt; no call knows of another.",
    "phase": "as `direct`, in requests of its own; the answers are frozen, byte for byte, before anything judges them.",
    "masked": "each call sees the candidate before it, in the frame of `intentshield`, with “not evaluated” in the place of all "
    "feedback.",
    "intentshield": "each call sees the candidate before it, and what compiler, verifier and visible cases said about that.",
    "judgment": "each call sees the candidate before it, and is asked to assess it by itself first.",
    "solver": "no model: expressions by size, decided by samespec's own verifier.",
}
STRATA = {"residual": "residual contracts", "total": "total omissions"}
#: Rows of the longest tables that the text shows; the tables have them all.
LISTED = 60


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything that follows from the rows."""

    rows: Sequence[Row]
    cells: list[Cell]
    mended: list[Cell]
    scores: list[Score]
    contrasts: list[Contrast]
    strata: list[tuple[str, Contrast]]
    gap: tuple[Decomposition, dict[str, tuple[int, int]]] | None
    draws: Draws | None
    families: Families | None
    repeat: Repeat | None
    readings: list[Reading]
    lengths: list[Lengths]
    conditions: list[downstream.Condition]
    comparisons: list[downstream.Comparison]

    @property
    def primary(self) -> Contrast | None:
        return next((c for c in self.contrasts if (c.first, c.second) == scores.PRIMARY), None)


def find(rows: Sequence[Row], seed: int) -> Findings:
    """The statistics of the rows."""
    cells, mended = cells_of(rows), cells_of(rows, "mended")
    return Findings(
        rows,
        cells,
        mended,
        [scores.score(cells, p, seed) for p in scores.policies_in(cells)],
        scores.contrasts(cells, seed),
        _strata(cells, seed),
        scores.gap(cells),
        scores.draws_of(cells),
        scores.families(cells, seed),
        scores.repeat(cells),
        scores.readings(cells, mended),
        scores.lengths(cells),
        downstream.conditions_of(rows, seed),
        downstream.comparisons_of(rows, seed),
    )


def _strata(cells: Sequence[Cell], seed: int) -> list[tuple[str, Contrast]]:
    found = []
    for stratum, words in STRATA.items():
        made = scores.contrast([c for c in cells if c.stratum == stratum], *scores.PRIMARY, seed)
        if made is not None:
            found.append((words, made))
    return found


def write_report(folder: ReportFolder, rows: Sequence[Row]) -> dict[str, Any]:
    """Writes everything that follows from the rows, and gives the summary."""
    found = find(rows, folder.settings["seed"])
    made = _tables(found)
    for table in made.values():
        folder.write(f"tables/{table.name}.csv", table.csv())
        folder.write(f"tables/{table.name}.md", table.markdown())
    names = _draw(folder, found)
    document = _document(folder, found, made, names)
    folder.write("report.md", document.markdown())
    folder.write("report.html", document.html(lambda name: (folder.path / name).read_bytes()))
    summary = summary_of(folder.settings, found)
    folder.write("summary.json", dump(summary))
    folder.seal()
    return summary


def _tables(found: Findings) -> dict[str, Table]:
    made = [tables.policies(found.scores), tables.tasks(found.cells), tables.failed(found.cells), tables.withheld(found.scores)]
    caption = "One policy against another, task by task."
    made.append(tables.contrasts("contrasts", caption, [("all", c) for c in found.contrasts]))
    if found.strata:
        made.append(tables.contrasts("strata", "The primary contrast by what was omitted.", found.strata))
    if found.families is not None:
        made.append(tables.providers(found.families))
    if found.repeat is not None:
        made.append(tables.repeats(found.repeat))
    if found.readings:
        made.append(tables.readings(found.readings))
    if found.lengths:
        made.append(tables.lengths(found.lengths))
    if found.conditions:
        made += [tables.conditions(found.conditions), tables.comparisons(found.comparisons)]
        made += [tables.revisions(found.rows), tables.attempts(found.rows)]
    made += [tables.episodes(found.rows), tables.left_out(found.rows)]
    return {t.name: t for t in made}


def _draw(folder: ReportFolder, found: Findings) -> set[str]:
    """The figures that these rows allow, by name."""
    with drawing.look():
        drawn = {}
        if found.scores:
            drawn["policies"] = figures.policies(found.scores)
            drawn["outcomes"] = figures.outcomes(found.cells)
        if found.primary is not None and len(found.primary.tasks) <= figures.MOST_TASKS:
            drawn["tasks"] = figures.tasks(found.cells, found.primary)
        if found.gap is not None:
            drawn["gap"] = figures.gap(*found.gap)
        if found.families is not None and len(found.families.contrasts) > 1:
            drawn["providers"] = figures.providers(found.families)
        if found.conditions:
            drawn["downstream"] = figures.downstream(found.conditions)
        for name, figure in drawn.items():
            folder.write(f"figures/{name}.svg", drawing.svg(figure))
            folder.write(f"figures/{name}.png", drawing.png(figure))
    return set(drawn)


# --- the text ----------------------------------------------------------------------------------------------------------------


def _document(folder: ReportFolder, found: Findings, made: dict[str, Table], names: set[str]) -> Document:
    doc = Document(TITLE)
    _question(doc, found)
    _results(doc, found, made, names)
    if found.primary is not None:
        _primary(doc, found.primary, found, made, names)
    if found.gap is not None:
        _gap(doc, found.gap, found, made, names)
    if found.repeat is not None:
        _repeat(doc, found.repeat, made)
    _robustness(doc, found, made)
    if found.conditions:
        _downstream(doc, found, made, names)
    if made["left_out"].rows:
        doc.heading("What could not be judged")
        doc.prose("These are in no count.")
        doc.table(made["left_out"], limit=20)
    doc.heading("One by one")
    doc.table(made["episodes"], limit=LISTED)
    _provenance(doc, folder)
    return doc


def _question(doc: Document, found: Findings) -> None:
    cells = found.cells
    tasks = {c.task: c.stratum for c in cells}
    residual = sum(s == "residual" for s in tasks.values())
    providers = sorted({c.provider for c in cells if c.policy != "solver"})
    doc.prose(
        """A contract can be verified and still be too weak. A *completeness witness* shows it: a program that verifies under a
        weakened contract, does not verify once the omitted postcondition is restored, compiles and runs, and gives a wrong
        output on an official case. This report compares ways of searching for such programs.""",
        f"{len(tasks)} tasks: in {residual} another constraint on the output remains (*residual*), in {len(tasks) - residual} "
        f"none does (*total omission*). "
        + (f"Providers: {', '.join(map(code, providers))}. " if providers else "")
        + "An episode is a few calls for one task; of its candidates one is selected (it parses; the weakened contract admits "
        "it; it compiles; on how many visible cases it differs; the earliest call), and only that one is certified.",
    )
    doc.bullets([f"{code(s.policy)}: {POLICIES.get(s.policy, 'a policy of its own.')}" for s in found.scores])


def _results(doc: Document, found: Findings, made: dict[str, Table], names: set[str]) -> None:
    doc.heading("What came out")
    if not found.scores:
        doc.prose("No episode could be judged.")
        return
    doc.table(made["policies"])
    if "policies" in names:
        doc.figure("policies", "The share of episodes with a certified witness, by policy.")
    if found.draws is not None:
        d = found.draws
        doc.prose(
            f"The first draw of {code('direct')} alone is a witness in {d.first} of {d.episodes} episodes "
            f"({percent(d.share)}). As an illustration: {d.calls} independent draws that each succeed with that chance would "
            f"give at least one success in {percent(d.illustrated)}; observed are {percent(d.observed)}. No model was fitted: "
            f"the chance differs from task to task, and one candidate is selected, not every draw certified."
        )
    if "outcomes" in names:
        doc.figure("outcomes", "What becomes of the selected candidates: certified, or the first gate that stops them.")
    doc.table(made["failures"])


def _primary(doc: Document, primary: Contrast, found: Findings, made: dict[str, Table], names: set[str]) -> None:
    doc.heading(f"{primary.first} against {primary.second}")
    one, two, n = primary.counts
    s = primary.signs
    doc.prose(
        f"{code(primary.first)} certifies {one} of {n} episodes ({percent(rate(one, n))}), {code(primary.second)} {two} "
        f"({percent(rate(two, n))}). **The mean difference over {len(primary.tasks)} tasks is {_points(primary.estimate)}.** "
        f"{s.favour} tasks favour {code(primary.first)}, {s.against} {code(primary.second)}, {s.ties} neither: exact two-sided "
        f"sign test, p = {p_value(s.p)}.",
        """The task is the unit: episodes of one task are repeated samples, not independent observations. The interval comes
        from drawing whole tasks again, the sign test counts one sign for each task, and leaves ties out.""",
    )
    doc.table(made["contrasts"])
    if "strata" in made:
        doc.table(made["strata"])
    if "tasks" in names:
        doc.figure("tasks", f"Each task: the grey line joins {primary.second} and {primary.first}.")
    doc.table(made["tasks"], limit=LISTED)
    if found.families is not None and len(found.families.contrasts) > 1:
        doc.heading("By provider", 3)
        doc.table(made["providers"])
        f = found.families.signs
        doc.prose(
            f"{f.favour} of {len(found.families.contrasts)} providers favour {code(primary.first)}: one-sided sign test, "
            f"p = {p_value(f.p)}. That is exploratory; the inference is the one over tasks."
        )
        if "providers" in names:
            doc.figure("providers", "The primary contrast within each provider.")


def _gap(
    doc: Document,
    gap: tuple[Decomposition, dict[str, tuple[int, int]]],
    found: Findings,
    made: dict[str, Table],
    names: set[str],
) -> None:
    parts, _ = gap
    doc.heading("Where the gap lies")
    one_way = parts.lower_share is not None and 0 <= parts.lower_share <= 1  # else the two parts pull in different directions
    share = f" ({percent(parts.lower_share)} of it)" if one_way else ""
    doc.prose(
        f"The gap of {_signed(parts.total)} between {code('direct')} and {code('intentshield')}, split at {code('masked')}: "
        f"{_signed(parts.lower)}{share} lie between {code('masked')} and {code('intentshield')}, whose prompts differ in what "
        f"the feedback block says; {_signed(parts.upper)} between {code('direct')} and {code('masked')}, which differ in showing "
        f"the candidate before. A difference of observed rates, no analysis of causes."
    )
    if "gap" in names:
        doc.figure("gap", "The share of episodes with a certified witness, and the two parts of the gap.")
    if "prompts" in made:
        doc.table(made["prompts"])
        by_policy = {x.policy: x.characters for x in found.lengths}
        if "masked" in by_policy and "intentshield" in by_policy:
            ratio = by_policy["masked"] / by_policy["intentshield"] - 1
            doc.prose(
                f"For the same candidate the two prompts are equally long, to the character; the means differ by "
                f"{100 * ratio:+.1f}% because the candidates do."
            )


def _repeat(doc: Document, found: Repeat, made: dict[str, Table]) -> None:
    doc.heading("The same search twice")
    k = found.kappa
    identical = f"{found.identical} of {found.both} witnesses that both certify are the same text" if found.both else ""
    doc.prose(
        f"{code(found.first)} and {code(found.second)} search in the same way, with requests of their own. They agree on "
        f"{k.agreed} of {k.items} cells ({percent(k.agreement)}; Cohen's kappa {k.kappa:.2f}), and certify equally many episodes "
        f"of {found.tasks_equal} of {found.tasks} tasks. {identical + '. ' if identical else ''}Independent draws with each "
        f"cell's own rate (task and provider, estimated from both runs) would agree on {percent(found.expected)}."
    )
    doc.table(made["repeats"])


def _robustness(doc: Document, found: Findings, made: dict[str, Table]) -> None:
    doc.heading("Withheld cases, and what does not parse")
    doc.prose(
        """Some official cases are withheld: they have no say in selection or certification. A witness that disagrees on one of
        them too is wrong beyond the cases that it was selected by. One that does not is no less a witness."""
    )
    doc.table(made["withheld"])
    if "readings" in made:
        doc.prose(
            "Answers that do not parse stay in the count. The parser repair mends their syntax (brackets, semicolons, text "
            "around the expression) without a look at any outcome; selection and gates are then run anew. *parse-clean* counts "
            "only episodes whose selected candidate parses as it came."
        )
        doc.table(made["readings"])


def _downstream(doc: Document, found: Findings, made: dict[str, Table], names: set[str]) -> None:
    doc.heading("Downstream: contracts revised, and implemented")
    doc.prose(
        """Does a witness make a better contract? For each task the weakened contract is revised from a candidate (accepted only
        where the result is shown to be stronger, to reject the candidate, and to allow every official output), and
        implementations are written to each contract. A condition without a candidate, or whose revision was not accepted, keeps
        the weakened contract: a condition is the whole way, with what goes wrong on it.""",
        """An attempt *succeeds* if it verifies under the full contract, runs, and agrees with every visible case.""",
    )
    doc.table(made["downstream"])
    if "downstream" in names:
        doc.figure("downstream", "Attempts that verify under the contract that they were written to, and under the full one.")
    doc.table(made["downstream_contrasts"])
    doc.table(made["revisions"], limit=LISTED)


def _provenance(doc: Document, folder: ReportFolder) -> None:
    s = folder.settings
    doc.heading("Where this comes from")
    lines = [f"seed {s['seed']}; {RESAMPLES} resamples of the tasks for each interval"]
    lines += [f"{escape(name)} {escape(version)}" for name, version in s.get("versions", {}).items() if version]
    if "budget" in s:
        lines.append(f"budget {s['budget']} Z3 resource units for one obligation at a gate")
        lines.append(f"samespec's code: SHA-256 {code(s['code_sha256'])}")
        lines.append(f"the tasks, together: SHA-256 {code(s['tasks_sha256'])} (one by one: `run.json`)")
    for name, sha in s.get("records", {}).items():
        lines.append(f"records {code(name)}: SHA-256 {code(sha)}")
    doc.bullets(lines)
    more = (
        " Every call with its answer: `transcript.jsonl`; a certificate for each episode: `certificates/` (`samespec witness "
        "recheck` does all of it again)."
        if "budget" in s
        else ""
    )
    doc.prose(
        f"""Every episode, one a line: `results.jsonl`.{more} The figures of this report for programs: `summary.json`. The hash of
        every file: `SHA256SUMS` (`sha256sum --check SHA256SUMS`)."""
    )


def _points(estimate: Estimate | None) -> str:
    if estimate is None:
        return "not known"
    low, high = estimate.interval.low, estimate.interval.high
    return f"{_signed(estimate.value)} [{100 * low:.1f}, {100 * high:.1f}]"


def _signed(share: float) -> str:
    return f"{100 * share:.1f} points"


# --- the summary ---------------------------------------------------------------------------------------------------------


def summary_of(settings: dict[str, Any], found: Findings) -> dict[str, Any]:
    """The figures of the report for programs."""
    return {
        "schema": settings["schema"],
        "settings": settings,
        "episodes": {
            "judged": len(found.cells),
            "without_a_candidate": sum(r["kind"] == EPISODE and "error" not in r and r["raw"] is None for r in found.rows),
            "errors": sum("error" in r for r in found.rows),
            "tasks": len({c.task for c in found.cells}),
        },
        "policies": [_score(s) for s in found.scores],
        "contrasts": [_contrast("all", c) for c in found.contrasts],
        "strata": [_contrast(name, c) for name, c in found.strata],
        "providers": None if found.families is None else _families(found.families),
        "gap": None if found.gap is None else _gap_record(found.gap[0]),
        "first_draws": None if found.draws is None else _plain(found.draws),
        "repeat": None if found.repeat is None else _repeat_record(found.repeat),
        "readings": [{**_plain(r), "difference": r.difference} for r in found.readings],
        "prompts": [_plain(x) for x in found.lengths],
        "downstream": {
            "conditions": [{**_plain(c), "interval": _interval(c.interval)} for c in found.conditions],
            "contrasts": [
                {"first": c.first, "second": c.second, **_estimate(c.estimate), "signs": _plain(c.signs)}
                for c in found.comparisons
            ],
            "revisions": downstream.revisions_of(found.rows),
        },
    }


def _plain(record: Any) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__dataclass_fields__}


def _interval(interval: Any) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]


def _estimate(estimate: Estimate | None) -> dict[str, Any]:
    if estimate is None:
        return {"difference": None, "interval": None}
    return {"difference": estimate.value, "interval": _interval(estimate.interval)}


def _score(s: Score) -> dict[str, Any]:
    interval = None if s.estimate is None else _interval(s.estimate.interval)
    return {**_plain(s), "estimate": rate(s.certified, s.episodes), "interval": interval}


def _contrast(group: str, c: Contrast) -> dict[str, Any]:
    one, two, n = c.counts
    head = {"tasks": group, "first": c.first, "second": c.second, "certified": [one, two], "episodes": n}
    return {**head, **_estimate(c.estimate), "signs": _plain(c.signs)}


def _families(found: Families) -> dict[str, Any]:
    return {"contrasts": [_contrast(p, c) for p, c in found.contrasts.items()], "signs": _plain(found.signs)}


def _gap_record(parts: Decomposition) -> dict[str, Any]:
    return {**_plain(parts), "lower_share": parts.lower_share}


def _repeat_record(found: Repeat) -> dict[str, Any]:
    return {**_plain(found), "kappa": found.kappa.kappa, "agreement": found.kappa.agreement}
