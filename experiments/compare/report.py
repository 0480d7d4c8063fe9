"""The report of experiment 1: what was done, what came out, and how to read it.

In: the folder with its settings, and the rows. Out: tables, figures, `report.md`, `report.html`, `summary.json` in the folder.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from experiments.compare import figures, tables
from experiments.compare.judge import AUDITED, CONTRACT_TESTS, LOGICAL
from experiments.compare.pairs import DISCARDED, UNCONFIRMED
from experiments.compare.scores import Contest, Score, contests, fooled, known, score, tests_in, wrong
from experiments.compare.tables import share
from experiments.compare.tools import LYNETTE, VERUS
from experiments.report import drawing
from experiments.report.document import Document
from experiments.report.folder import ReportFolder, Row, dump
from experiments.report.sources import sources
from experiments.report.table import Column, Table, code, escape
from experiments.statistics import RESAMPLES, rate

TITLE = "Who gets fooled? Tests of contracts, compared"
#: What each test does, for people.
TESTS = {
    "textual": "Signature and clauses are the same text, in the same order; white space, comments, attributes and visibility "
    "aside.",
    "subset-strict": "The signature is the same text, the preconditions are the same set of texts, and every original "
    "postcondition stands word for word. More postconditions may be added.",
    "subset-naive": "Every original clause stands word for word among the submitted ones, whatever was added.",
    "ast": "The syntax trees of signature and clauses are equal, the order of clauses aside, and so are those of all definitions "
    "that they name.",
    LOGICAL: "A solver proves that the submitted contract accepts every input that the original accepts, and promises at least "
    "what it promises; each name means what it means in its own file.",
    AUDITED: "The logical test, and an audit of everything that the proof leans on: nothing may be taken on trust there that the "
    "original did not take on trust.",
    LYNETTE: "What the tool lynette says of the changes between the two files.",
    VERUS: "Verus verifies the submitted file with the flag `--no-cheating`, and every target is among the functions that it "
    "verified. It does not look at the original.",
}
#: Edits that are listed for each test; the tables have them all.
LISTED = 12


def write_report(folder: ReportFolder, rows: Sequence[Row], missing: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Writes everything that follows from the rows, and gives the summary."""
    edits = [r for r in rows if "skipped" not in r]
    skipped = [r for r in rows if "skipped" in r]
    counted = known(edits)
    tests = tests_in(counted)
    seed = folder.settings["seed"]
    scores = [score(counted, t, seed=seed) for t in tests]
    found = contests(counted, tests, seed=seed)
    made = [
        tables.overall(scores, missing),
        tables.what_is_broken(counted, tests),
        tables.by_task(scores),
        tables.by_kind(counted, tests),
        tables.counts(counted, tests),
        tables.paired(found),
        tables.mistakes(counted, tests),
        tables.kinds(counted),
        tables.labels(edits),
        _inputs(edits),
    ]
    if skipped or folder.settings.get("passed_over"):
        made.append(_skipped(skipped, folder.settings.get("passed_over", [])))
    for table in made:
        folder.write(f"tables/{table.name}.csv", table.csv())
        folder.write(f"tables/{table.name}.md", table.markdown())
    names = _draw(folder, counted, tests, scores)
    document = _document(folder, edits, counted, scores, found, {t.name: t for t in made}, names)
    folder.write("report.md", document.markdown())
    folder.write("report.html", document.html(lambda name: (folder.path / name).read_bytes()))
    summary = _summary(folder, edits, counted, scores, found, missing, skipped)
    folder.write("summary.json", dump(summary))
    folder.seal()
    return summary


def _draw(folder: ReportFolder, counted: Sequence[Row], tests: Sequence[str], scores: Sequence[Score]) -> list[str]:
    """The figures that these rows allow, by name."""
    names = []
    with drawing.look():
        drawn = {}
        if any(s.broken and s.honest for s in scores):
            drawn["mistakes"] = figures.scatter(scores)
        if counted:
            drawn["kinds"] = figures.heat_map(counted, tests)
        for name, figure in drawn.items():
            folder.write(f"figures/{name}.svg", drawing.svg(figure))
            folder.write(f"figures/{name}.png", drawing.png(figure))
            names.append(name)
    return names


def _inputs(edits: Sequence[Row]) -> Table:
    columns = (
        Column("edit", "edit", "code"),
        Column("original", "original, SHA-256", "code"),
        Column("submitted", "edit, SHA-256", "code"),
    )
    rows = [(r["edit"], r["sha256"]["original"], r["sha256"]["submitted"]) for r in edits]
    return Table("inputs", "The hash of every file that was judged.", columns, rows)


def _skipped(skipped: Sequence[Row], passed: Sequence[str]) -> Table:
    columns = (Column("original", "original", "code"), Column("why", "why"))
    rows = [(r["original"], r["skipped"]) for r in skipped]
    rows += [(name, why) for name, _, why in (p.partition(": ") for p in passed)]
    return Table("skipped", "Originals that gave no edits, or not all of them.", columns, rows)


# --- the text ----------------------------------------------------------------------------------------------------------


def _document(
    folder: ReportFolder,
    edits: Sequence[Row],
    counted: Sequence[Row],
    scores: Sequence[Score],
    found: Sequence[Contest],
    made: dict[str, Table],
    names: Sequence[str],
) -> Document:
    doc = Document(TITLE)
    outside = folder.settings["source"] == "originals"
    _question(doc, counted, outside)
    _results(doc, counted, scores, made, names)
    if outside:
        _caution(doc, edits)
    _kinds(doc, made, names)
    _pairs(doc, found, made)
    _examples(doc, counted, scores)
    _method(doc, made)
    sources(doc, folder.settings, "compare")
    return doc


def _question(doc: Document, counted: Sequence[Row], outside: bool) -> None:
    originals = len({r["original"] for r in counted})
    broken = sum(r["kept"] is False for r in counted)
    holes = sum(r["kept"] is False and r["contract_kept"] is not False for r in counted)
    some = f": in {broken - holes} the contract is weaker or gone, in {holes} it stands and its proof has a hole"
    what = (
        "Each original is a file of a folder that the reader named; its edits were made by rules."
        if outside
        else "Each original is a small verified program; its edits were written by hand, and with each of them its right answer."
    )
    doc.prose(
        f"A *contract* is what a verified function requires of its callers and ensures in return. Somebody edits the file. "
        f"**Did the contract survive?** There are several tests for that, and this report compares them on {len(counted)} edits "
        f"of {originals} originals whose right answer is known.",
        what,
        f"{len(counted) - broken} of the edits are *honest*: the contract means the same, or promises more. {broken} are *broken*"
        + (f"{some}." if holes else "."),
        """A test can make two mistakes. It is **fooled** when it calls a broken edit kept. It is **wrong** when it calls an
        honest edit broken. A test that says neither gives no answer: that is counted by itself, and is not a mistake.""",
    )
    doc.heading("The tests")


def _results(
    doc: Document, counted: Sequence[Row], scores: Sequence[Score], made: dict[str, Table], names: Sequence[str]
) -> None:
    told = [*(s.test for s in scores), *(t for t in (LYNETTE, VERUS) if t not in {s.test for s in scores})]
    doc.bullets([f"**{escape(t)}**: {TESTS[t]}" for t in told])
    doc.heading("What came out")
    doc.table(made["overall"])
    doc.prose(*_sentences(counted, scores))
    if "mistakes" in names:
        caption = "The two mistakes of each test, with exact 95% intervals. A perfect test lies in the corner below left."
        doc.figure("mistakes", caption)
    if any(r[5] for r in made["what_is_broken"].rows):
        doc.heading("Broken contracts, and holes in the proof", 3)
        doc.prose(
            "A test that compares contracts cannot see a proof that leans on an assumption: the contract stands. So the broken "
            "edits are shown in two parts."
        )
        doc.table(made["what_is_broken"])


def _sentences(counted: Sequence[Row], scores: Sequence[Score]) -> list[str]:
    """The figures in words."""
    lines = []
    never = [s for s in scores if s.broken and not s.fooled]
    if never:
        least = never[0].fooled_interval.high
        names = _listed([code(s.test) for s in never])
        lines.append(
            f"Fooled by none of the {never[0].broken} broken edits: {names}. (None of {never[0].broken} does not mean never: the "
            f"exact interval reaches to {100 * least:.1f}%.)"
        )
    worst = sorted((s for s in scores if s.fooled), key=lambda s: -s.fooled)
    if worst:
        told = [f"{code(s.test)} by {share(s.fooled, s.broken)}" for s in worst]
        lines.append(f"Fooled, from the most to the least: {_listed(told)}.")
    blind = [s for s in worst if all(r["contract_kept"] is not False for r in counted if fooled(r, s.test))]
    if blind:
        names = _listed([code(s.test) for s in blind])
        lines.append(f"What fooled {names} are holes in the proof alone, which no test of contracts can see.")
    unfair = sorted((s for s in scores if s.wrong), key=lambda s: -s.wrong)
    if unfair:
        told = [f"{code(s.test)} about {share(s.wrong, s.honest)}" for s in unfair]
        lines.append(f"Wrong about honest edits: {_listed(told)}.")
    fair = [s for s in scores if s.honest and not s.wrong]
    if fair:
        names = _listed([code(s.test) for s in fair])
        reach = f"(the exact interval reaches to {100 * fair[0].wrong_interval.high:.1f}%)"
        lines.append(f"Wrong about none of the {fair[0].honest} honest edits: {names} {reach}.")
    silent = [s for s in scores if s.open_broken + s.open_honest]
    if silent:
        told = [f"{code(s.test)} on {s.open_broken + s.open_honest}" for s in silent]
        lines.append(f"No answer: {_listed(told)}.")
    return lines


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _caution(doc: Document, edits: Sequence[Row]) -> None:
    """What mutants can show, and what not."""
    open_ = sum(r["label"] in (DISCARDED, UNCONFIRMED) for r in edits)
    doc.heading("How to read these figures", 3)
    doc.prose(
        f"""Honest edits are honest by construction, whatever any test says. A candidate for a broken edit counts as broken only
        where values show it (they were replayed by an evaluator that shares no code with the solver), or where its signature
        is another. {open_} candidates were proved to be kept after all, or not decided, and are left out.""",
        f"""**So {code(LOGICAL)} cannot be fooled here**: what it is not able to tell broken is not counted as broken. Its column
        of fooled is no evidence. That of the other tests is, and so is every test's column of wrong. The candidates that were
        left out say where {code(LOGICAL)} gives no answer.""",
    )


def _kinds(doc: Document, made: dict[str, Table], names: Sequence[str]) -> None:
    doc.heading("By kind of edit")
    if "kinds" in names:
        doc.figure(
            "kinds",
            "Mistakes of each test on each kind of edit. The number behind a kind says how many edits there are, the number in a "
            "cell how many of them the test gets wrong; ?n: no answer on n of them; an empty cell: no mistake.",
        )
    doc.prose("What the kinds mean, by an example of each:")
    doc.table(made["kinds"])
    doc.prose(
        "The shares over all kinds depend on how many edits there are of each kind, and so do their intervals: with other kinds "
        "in other numbers they would be others. The shares within a kind do not. They stand, with exact intervals, in "
        "`tables/by_kind.csv`."
    )


def _pairs(doc: Document, found: Sequence[Contest], made: dict[str, Table]) -> None:
    doc.heading("The tests against each other")
    doc.prose(
        """All tests judged the same edits, so they can be compared in pairs: only the edits count on which one of the two makes
        the mistake and the other does not. The exact McNemar test asks how likely a split so uneven would be if each of these
        edits were as likely to go either way. *Adjusted* p-values allow for the number of comparisons (Holm). The difference
        of the two shares has an interval from drawing whole originals again."""
    )
    decided = [c for c in found if c.paired.only_first + c.paired.only_second]
    table = made["paired"]
    rows = [r for r, c in zip(table.rows, found, strict=True) if c in decided]
    doc.table(Table(table.name, table.caption, table.columns, rows))
    if len(decided) < len(found):
        doc.prose(f"{len(found) - len(decided)} comparisons in which the two tests never differ are left out here.")


def _examples(doc: Document, counted: Sequence[Row], scores: Sequence[Score]) -> None:
    doc.heading("What fooled whom")
    for s in scores:
        fooled_by = [r for r in counted if fooled(r, s.test)]
        wrong_about = [r for r in counted if wrong(r, s.test)]
        open_ = [r for r in counted if r["answers"].get(s.test, {}).get("kept") is None]
        if not (fooled_by or wrong_about or open_):
            continue
        doc.heading(escape(s.test), 3)
        for words, chosen in (("Fooled by", fooled_by), ("Wrong about", wrong_about), ("No answer on", open_)):
            if chosen:
                doc.prose(f"{words} {len(chosen)}{', one of each kind' if len(chosen) > LISTED else ''}:")
                doc.bullets([f"{code(r['edit'])} ({r['kind']}): {escape(r['why'])}" for r in _various(chosen)])
    doc.prose("Every mistake, with what the test said: `tables/mistakes.csv`.")


def _various(rows: Sequence[Row]) -> list[Row]:
    """At most `LISTED` rows: all, or one of each kind."""
    if len(rows) <= LISTED:
        return list(rows)
    first: dict[str, Row] = {}
    for r in rows:
        first.setdefault(r["kind"], r)
    return list(first.values())[:LISTED]


def _method(doc: Document, made: dict[str, Table]) -> None:
    doc.heading("How it was counted")
    doc.bullets(
        [
            """An edit's answer is one for the whole file: a test says kept where it says so of every function with a contract,
            and not kept where it says so of one.""",
            f"""Intervals are the exact ones of Clopper and Pearson, at 95%. They take the edits to be independent, which edits
            of one original are not; the table below has intervals from drawing whole originals again ({RESAMPLES} times).""",
            """The solver works within a budget that is counted in its own units, not in seconds: the same files give the same
            answers on any machine.""",
        ]
    )
    doc.table(made["by_task"])
    doc.table(made["labels"])
    if "skipped" in made:
        doc.table(made["skipped"], limit=20)


# --- the summary -------------------------------------------------------------------------------------------------------


def _summary(
    folder: ReportFolder,
    edits: Sequence[Row],
    counted: Sequence[Row],
    scores: Sequence[Score],
    found: Sequence[Contest],
    missing: Sequence[tuple[str, str]],
    skipped: Sequence[Row],
) -> dict[str, Any]:
    return {
        "schema": folder.settings["schema"],
        "settings": folder.settings,
        "edits": {
            "judged": len(edits),
            "counted": len(counted),
            "broken": sum(r["kept"] is False for r in counted),
            "broken_contracts": sum(r["kept"] is False and r["contract_kept"] is False for r in counted),
            "honest": sum(r["kept"] is True for r in counted),
            "errors": sum("error" in r for r in edits),
            "originals": len({r["original"] for r in counted}),
            "skipped": len(skipped),
        },
        "tests": [_score(s) for s in scores],
        "not_run": dict(missing),
        "kinds": [
            {
                "kind": kind,
                "honest": honest,
                "edits": len(chosen),
                "mistakes": {s.test: sum(wrong(r, s.test) or fooled(r, s.test) for r in chosen) for s in scores},
            }
            for honest, kind, chosen in tables.kinds_in(counted)
        ],
        "paired": [
            {
                "what": c.what,
                "first": c.first,
                "second": c.second,
                "only_first": c.paired.only_first,
                "only_second": c.paired.only_second,
                "p": c.paired.p,
                "p_holm": c.adjusted,
                "difference": None if c.difference is None else c.difference.value,
                "interval": None if c.difference is None else [c.difference.interval.low, c.difference.interval.high],
            }
            for c in found
        ],
    }


def _score(s: Score) -> dict[str, Any]:
    return {
        "test": s.test,
        "kind": "contract" if s.test in CONTRACT_TESTS else "contract and proof" if s.test == AUDITED else "another tool",
        "fooled": s.fooled,
        "broken": s.broken,
        "fooled_share": rate(s.fooled, s.broken),
        "fooled_interval": [s.fooled_interval.low, s.fooled_interval.high],
        "wrong": s.wrong,
        "honest": s.honest,
        "wrong_share": rate(s.wrong, s.honest),
        "wrong_interval": [s.wrong_interval.low, s.wrong_interval.high],
        "undecided_broken": s.open_broken,
        "undecided_honest": s.open_honest,
        "right": s.right,
    }
