"""The report of experiment 2: three senses of "only a subset was checked", each with its table and picture.

In: the folder with its settings, and the rows. Out: tables, figures, `report.md`, `report.html`, `summary.json` in the folder.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from experiments.compare.judge import AUDITED, LOGICAL
from experiments.compare.tables import share
from experiments.report import drawing
from experiments.report.document import Document
from experiments.report.folder import ReportFolder, Row, dump
from experiments.report.sources import sources
from experiments.report.table import Column, Table, code
from experiments.subset_fooling import clauses, ensures, figures, holes, tables
from experiments.subset_fooling.ensures import ADMITS, CARRIES, IMPLIED, OPEN, REDUNDANT

TITLE = "What gets through when only a subset is checked"
SENSES = (clauses.SENSE, holes.SENSE, ensures.SENSE)
#: Rows of the longest tables that the text shows; the tables have them all.
LISTED = 60


def write_report(folder: ReportFolder, rows: Sequence[Row]) -> dict[str, Any]:
    """Writes everything that follows from the rows, and gives the summary."""
    by_sense = {s: [r for r in rows if r["sense"] == s and "skipped" not in r and "error" not in r] for s in SENSES}
    failed = [r for r in rows if "skipped" in r or "error" in r]
    first, second, third = (by_sense[s] for s in SENSES)
    made = [
        tables.clauses_by_kind(first),
        tables.clauses_by_means(first),
        tables.clauses_edits(first),
        tables.functions_by_depth(second),
        tables.functions_by_hatch(second),
        tables.functions_edits(second),
        tables.ensures_counts(third),
        tables.ensures_by_size(third),
        tables.ensures_together(third),
        tables.ensures_parts(third),
        tables.ensures_subsets(third),
        _inputs(rows),
        _failed(failed, folder.settings.get("passed_over", [])),
    ]
    for table in made:
        folder.write(f"tables/{table.name}.csv", table.csv())
        folder.write(f"tables/{table.name}.md", table.markdown())
    names = _draw(folder, first, second, third)
    document = _document(folder, by_sense, {t.name: t for t in made}, names)
    folder.write("report.md", document.markdown())
    folder.write("report.html", document.html(lambda name: (folder.path / name).read_bytes()))
    summary = _summary(folder, by_sense, failed)
    folder.write("summary.json", dump(summary))
    folder.seal()
    return summary


def _draw(folder: ReportFolder, first: Sequence[Row], second: Sequence[Row], third: Sequence[Row]) -> set[str]:
    """The figures that these rows allow, by name."""
    with drawing.look():
        drawn = {}
        if first:
            drawn["clauses"] = figures.clauses(first)
        if any(tables.depth_of(r) is not None for r in second):
            drawn["functions"] = figures.functions(second)
        if third:
            drawn["ensures_by_size"] = figures.sizes(third)
        if 0 < len(third) <= figures.MOST_FUNCTIONS:
            drawn["ensures_parts"] = figures.parts(third)
        for name, figure in drawn.items():
            folder.write(f"figures/{name}.svg", drawing.svg(figure))
            folder.write(f"figures/{name}.png", drawing.png(figure))
    return set(drawn)


def _inputs(rows: Sequence[Row]) -> Table:
    columns = (
        Column("item", "edit or original", "code"),
        Column("original", "original, SHA-256", "code"),
        Column("submitted", "edit, SHA-256", "code"),
    )
    found = {(r.get("edit") or r["original"]): r["sha256"] for r in rows if "sha256" in r}
    lines = [(name, sha["original"], sha.get("submitted")) for name, sha in found.items()]
    return Table("inputs", "The hash of every file that was looked at.", columns, lines)


def _failed(rows: Sequence[Row], passed: Sequence[str]) -> Table:
    columns = (Column("item", "edit or original", "code"), Column("sense", "sense"), Column("why", "why"))
    lines = [(r.get("edit") or r["original"], r["sense"], r.get("skipped") or r.get("error")) for r in rows]
    lines += [(name, "", why) for name, _, why in (p.partition(": ") for p in passed)]
    return Table("left_out", "What could not be looked at.", columns, lines)


# --- the text ----------------------------------------------------------------------------------------------------------


def _document(folder: ReportFolder, rows: dict[str, list[Row]], made: dict[str, Table], names: set[str]) -> Document:
    doc = Document(TITLE)
    outside = folder.settings["source"] == "originals"
    doc.prose(
        """A *contract* is what a verified function requires of its callers and ensures in return. When somebody edits a
        verified file, it is tempting to check only a part of what makes the result worth something. This report asks three
        times what gets through then.""",
    )
    doc.bullets(
        [
            "**A subset of the clauses**: every original clause still stands, word for word. Is the contract the same?",
            "**A subset of the functions**: the target's own proof is checked. Is what it leans on proved, too?",
            "**A subset of the postconditions**: some of them are checked. Does the rest keep wrong behaviour out?",
        ]
    )
    chosen = folder.settings["senses"]
    if clauses.SENSE in chosen:
        _clauses(doc, rows[clauses.SENSE], made, names, outside)
    if holes.SENSE in chosen:
        _functions(doc, rows[holes.SENSE], made, names, outside)
    if ensures.SENSE in chosen:
        _ensures(doc, folder, rows[ensures.SENSE], made, names)
    if made["left_out"].rows:
        doc.heading("What could not be looked at")
        doc.table(made["left_out"], limit=20)
    sources(doc, folder.settings, "subset-fooling")
    return doc


def _clauses(doc: Document, rows: Sequence[Row], made: dict[str, Table], names: set[str], outside: bool) -> None:
    doc.heading("A subset of the clauses")
    if not rows:
        doc.prose("There is no edit with a broken contract here.")
        return
    standing = [r for r in rows if r["stands"]]
    seen = sum(r["answers"].get(LOGICAL) is False for r in standing)
    what = (
        """The edits are mutants of the originals that keep every clause. One counts as broken where values show it (they were
        replayed by an evaluator that shares no code with the solver), or where its signature is another; the others are left
        out. So the solver rejects all of them by construction."""
        if outside
        else "The edits are those of the corpus whose contract is broken; holes in proofs are the next section's."
    )
    doc.prose(
        """A test that looks for the original clauses is content when it finds them. It does not see what was written beside them,
        nor that their words mean something else now.""",
        what,
        f"**In {share(len(standing), len(rows))} every original clause still stands.** The solver rejects {seen} of these "
        f"{len(standing)}.",
    )
    if "clauses" in names:
        doc.figure("clauses", "Broken contracts by kind of edit. Coloured: every original clause still stands all the same.")
    doc.table(made["clauses_by_means"])
    doc.table(made["clauses_by_kind"])
    doc.prose(
        f"""*All clauses stand*: the naive clause-subset test accepts. *subset-strict* and *textual* are stricter tests of
        texts: they also compare the signature and do not allow new preconditions; the columns say how many of the standing
        ones they accept all the same. {code(LOGICAL)} and {code(AUDITED)}: how many of the standing ones the solver, or the
        solver with the audit of the proof, rejects."""
    )
    doc.prose("One by one: `tables/clauses_edits.csv`.")


def _functions(doc: Document, rows: Sequence[Row], made: dict[str, Table], names: set[str], outside: bool) -> None:
    doc.heading("A subset of the functions")
    what = (
        """The edits were made here: in each original one function at each depth was given a hole (an assumption, an admission, or
        a body that is not verified), chosen by the seed."""
        if outside
        else "The edits are those of the corpus whose contract stands and whose proof has a hole."
    )
    doc.prose(
        """Verus can be told to verify one function (`--verify-function`). It then takes everything outside that function's own
        body as given: the contracts of what it calls, the lemmas, the definitions. That is modelled here, and was not run: **a
        hole in the target itself (depth 0) counts as seen** (by whoever reads the target, or by the flag `--no-cheating`),
        **one that is a step of the call graph away or more does not.** The depth is the number of steps on a shortest way from
        the target to the hole.""",
        """Beside it stand two ways of looking further. *--no-cheating, by the catalogue*: what Verus does with such a hole under
        that flag, over the whole file, according to samespec's catalogue of holes, docs/hatches.md (*not known*: nobody has put
        it to Verus). *Closure audit*: everything that the target leans on, by `samespec audit`.""",
        what,
    )
    if not rows:
        doc.prose("There is no such edit here.")
        return
    far = [r for r in rows if (tables.depth_of(r) or 0) > 0]
    through = sum(tables.accepted(r)[0] for r in far)
    caught = sum(tables.accepted(r)[2] is False for r in rows)
    doc.prose(
        f"**{share(len(far), len(rows))} of the holes are outside the target, and a look at the target alone accepts "
        f"{through} of them.** The closure audit finds {caught} of {len(rows)}."
    )
    if "functions" in names:
        caption = "Who accepts a proof with a hole, by how far the hole is from the target. n/k: not known for any of them."
        doc.figure("functions", caption)
    doc.table(made["functions_by_depth"])
    doc.table(made["functions_by_hatch"])
    doc.prose("One by one: `tables/functions_edits.csv`.")


def _ensures(doc: Document, folder: ReportFolder, rows: Sequence[Row], made: dict[str, Table], names: set[str]) -> None:
    doc.heading("A subset of the postconditions")
    if not rows:
        doc.prose("There is no function with a postcondition here.")
        return
    parts = [p for r in rows for p in r["parts"]]
    count = Counter(p["answer"] for p in parts)
    doc.prose(
        f"""For every function, every set of up to {folder.settings["largest"]} of its postconditions was left out, and the solver
        asked whether the rest still implies them. A clause that is a conjunction counts as several.""",
        """*Load-bearing*: the rest admits behaviour that the original forbids. Values show it: inputs that the function accepts,
        and an output that satisfies all that is left and breaks what was left out. A program that gives this output for these
        inputs keeps the shorter contract, and not the original.
        Values are replayed by an evaluator that shares no code with the solver, wherever it can follow them. *Redundant*: the
        rest implies it, and that is proved; leaving it out loses nothing. *Undecided*: neither, within the budget.""",
        """For a lemma there is no behaviour: what is lost is a statement, and the values show where the statements differ
        (products and recursive functions may stand there as unknown values).""",
        f"**Of {len(parts)} postconditions of {len(rows)} functions, {count[CARRIES]} are load-bearing, {count[REDUNDANT]} "
        f"redundant, {count[OPEN]} undecided.**",
    )
    doc.table(made["ensures_counts"])
    if "ensures_by_size" in names:
        doc.figure("ensures_by_size", "Sets of postconditions left out, by how many: whether the rest admits wrong behaviour.")
    doc.table(made["ensures_by_size"])
    if "ensures_parts" in names:
        caption = "Each function with its postconditions, from the first to the last. ∗: load-bearing, by values that could "
        doc.figure("ensures_parts", caption + "not be replayed.")
    doc.prose(
        """A postcondition can be spared by itself and still not be superfluous: two that say the same in other words can each be
        left out, and not both."""
    )
    doc.table(made["ensures_together"], limit=LISTED)
    doc.heading("Every postcondition", 3)
    doc.table(_shorter(made["ensures_parts"]), limit=LISTED if len(parts) > 500 else None)
    doc.prose("All sets, one by one: `tables/ensures_subsets.csv`.")


def _shorter(table: Table) -> Table:
    """Without the sentences that say why, which the CSV has."""
    keep = [i for i, c in enumerate(table.columns) if c.key != "why"]
    return Table(
        table.name, table.caption, tuple(table.columns[i] for i in keep), [tuple(row[i] for i in keep) for row in table.rows]
    )


# --- the summary -------------------------------------------------------------------------------------------------------


def _summary(folder: ReportFolder, rows: dict[str, list[Row]], failed: Sequence[Row]) -> dict[str, Any]:
    first, second, third = (rows[s] for s in SENSES)
    standing = [r for r in first if r["stands"]]
    parts = [p for r in third for p in r["parts"]]
    sets = [s for r in third for s in r["subsets"]]
    said = [tables.accepted(r) for r in second]
    depths = sorted({d for d in map(tables.depth_of, second) if d is not None})
    return {
        "schema": folder.settings["schema"],
        "settings": folder.settings,
        "left_out": len(failed),
        "clauses": {
            "broken": len(first),
            "all_clauses_stand": len(standing),
            "strict_accepts": sum(r["texts"]["subset-strict"] for r in standing),
            "textual_accepts": sum(r["texts"]["textual"] for r in standing),
            "logical_rejects": sum(r["answers"].get(LOGICAL) is False for r in standing),
            "audited_rejects": sum(r["answers"].get(AUDITED) is False for r in standing),
            "means": dict(sorted(Counter(tables.means_of(r) for r in standing).items())),
        },
        "functions": {
            "edits": len(second),
            "target_alone_accepts": sum(a for a, _, _ in said),
            "no_cheating_accepts": sum(c is True for _, c, _ in said),
            "no_cheating_not_known": sum(c is None for _, c, _ in said),
            "audit_accepts": sum(a for _, _, a in said),
            "by_depth": [
                {
                    "depth": depth,
                    "edits": sum(tables.depth_of(r) == depth for r in second),
                    "target_alone_accepts": sum(tables.accepted(r)[0] for r in second if tables.depth_of(r) == depth),
                    "audit_accepts": sum(tables.accepted(r)[2] for r in second if tables.depth_of(r) == depth),
                }
                for depth in depths
            ],
        },
        "ensures": {
            "functions": len(third),
            "postconditions": len(parts),
            "load_bearing": sum(p["answer"] == CARRIES for p in parts),
            "shown_by_replayed_values": sum(p["replayed"] is True for p in parts),
            "redundant": sum(p["answer"] == REDUNDANT for p in parts),
            "undecided": sum(p["answer"] == OPEN for p in parts),
            "sets": len(sets),
            "sets_that_admit_wrong_behaviour": sum(s["answer"] == ADMITS for s in sets),
            "sets_implied": sum(s["answer"] == IMPLIED for s in sets),
            "sets_undecided": sum(s["answer"] == OPEN for s in sets),
        },
    }

