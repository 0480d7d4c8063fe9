"""The tables of experiment 2.

In: the rows of the results, by sense. Out: `Table` records.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from experiments.compare.judge import AUDITED, LOGICAL
from experiments.compare.tables import span
from experiments.report.folder import Row
from experiments.report.table import Cell, Column, Table
from experiments.statistics import clopper_pearson, rate
from experiments.subset_fooling.clauses import ADDED, DEFINITION, SIGNATURE, TYPE
from experiments.subset_fooling.ensures import ADMITS, CARRIES, IMPLIED, OPEN, REDUNDANT

MEANS = (ADDED, DEFINITION, TYPE, SIGNATURE)
UNSEEN = "not seen by the logical test"

# --- a subset of the clauses ---------------------------------------------------------------------------------------------


def means_of(row: Row) -> str:
    """By what means a contract whose clauses all stand was broken; where the logical test does not see it, that is said."""
    found: str | None = row.get("means")
    return UNSEEN if found is None else found


def clauses_by_kind(rows: Sequence[Row]) -> Table:
    """One line for each kind of broken contract."""
    columns = (
        Column("kind", "kind"),
        Column("edits", "broken edits", "number"),
        Column("naive", "all clauses stand", "number"),
        Column("share", "share", "share"),
        Column("interval", "95% interval"),
        Column("strict", "subset-strict accepts", "number"),
        Column("textual", "textual accepts", "number"),
        Column("logical", "logical rejects", "number"),
        Column("audited", "logical+audit rejects", "number"),
    )
    groups: dict[str, list[Row]] = defaultdict(list)
    for r in rows:
        groups[r["kind"]].append(r)
    lines: list[tuple[Cell, ...]] = [_kind_line(kind, chosen) for kind, chosen in sorted(groups.items())]
    lines.sort(key=lambda line: -int(line[2] or 0))
    if rows:
        lines.append(_kind_line("all kinds", rows))
    return Table("clauses_by_kind", "Broken contracts in which every original clause still stands, by kind.", columns, lines)


def _kind_line(kind: str, chosen: Sequence[Row]) -> tuple[Cell, ...]:
    standing = [r for r in chosen if r["stands"]]
    rejects = [sum(r["answers"].get(test) is False for r in standing) for test in (LOGICAL, AUDITED)]
    return (
        kind,
        len(chosen),
        len(standing),
        rate(len(standing), len(chosen)),
        span(clopper_pearson(len(standing), len(chosen))),
        sum(r["texts"]["subset-strict"] for r in standing),
        sum(r["texts"]["textual"] for r in standing),
        *rejects,
    )


def clauses_by_means(rows: Sequence[Row]) -> Table:
    """By what means contracts are broken although all clauses stand, each with an example."""
    columns = (
        Column("means", "by means of"),
        Column("edits", "edits", "number"),
        Column("example", "for example", "code"),
        Column("why", "what that edit does"),
        Column("values", "values that show it", "code"),
    )
    lines = []
    for means in (*MEANS, UNSEEN):
        chosen = [r for r in rows if r["stands"] and means_of(r) == means]
        if chosen:
            best = next((r for r in chosen if r.get("replayed")), chosen[0])
            lines.append((means, len(chosen), best["edit"], best["why"], _values(best)))
    return Table("clauses_by_means", "How a contract breaks although every clause stands.", columns, lines)


def clauses_edits(rows: Sequence[Row]) -> Table:
    """Every edit of the first sense."""
    columns = (
        Column("edit", "edit", "code"),
        Column("kind", "kind"),
        Column("means", "by means of"),
        Column("why", "what the edit does"),
        Column("verdict", "logical verdict"),
        Column("values", "values that show it", "code"),
    )
    lines = [
        (r["edit"], r["kind"], means_of(r), r["why"], r.get("verdict"), _values(r)) for r in rows if r["stands"]
    ]
    return Table("clauses_edits", "Every broken edit in which all original clauses stand.", columns, lines)


def _values(r: Row) -> str | None:
    return ", ".join(r["values"]) if r.get("values") else None


# --- a subset of the functions -------------------------------------------------------------------------------------------

DEPTH_TESTS = ("target alone", "--no-cheating, by the catalogue", "closure audit")


def accepted(row: Row) -> tuple[bool, bool | None, bool]:
    """Which of the three lets an edit with a hole through (None: nobody asked Verus about that hatch)."""
    audit = row["audit"]
    nearest = [h for h in audit["holes"] if h["depth"] is not None]
    said = {h["no_cheating"] for h in nearest}
    if "rejects" in said:
        catalogue: bool | None = False
    elif said and said <= {"accepts"}:
        catalogue = True
    else:
        catalogue = None
    return audit["alone"] is not False, catalogue, audit["clean"] is not False


def depth_of(row: Row) -> int | None:
    """How far from the target the nearest hole is: as it is written down, else as the audit finds it."""
    stated: int | None = row["depth"] if row["depth"] is not None else row["audit"]["depth"]
    return stated


def functions_by_depth(rows: Sequence[Row]) -> Table:
    """One line for each depth."""
    columns = (
        Column("depth", "depth of the hole", "number"),
        Column("edits", "edits", "number"),
        Column("alone", "target alone accepts", "number"),
        Column("share", "share", "share"),
        Column("interval", "95% interval"),
        Column("no_cheating", "--no-cheating accepts", "number"),
        Column("not_asked", "not known of", "number"),
        Column("audit", "closure audit accepts", "number"),
    )
    groups: dict[int, list[Row]] = defaultdict(list)
    for r in rows:
        depth = depth_of(r)
        if depth is not None:
            groups[depth].append(r)
    lines: list[tuple[Cell, ...]] = [(depth, *_depth_line(chosen)) for depth, chosen in sorted(groups.items())]
    caption = "Proofs with a hole: who accepts them, by how far the hole is from the target."
    return Table("functions_by_depth", caption, columns, lines)


def _depth_line(chosen: Sequence[Row]) -> tuple[Cell, ...]:
    said = [accepted(r) for r in chosen]
    alone = sum(a for a, _, _ in said)
    return (
        len(chosen),
        alone,
        rate(alone, len(chosen)),
        span(clopper_pearson(alone, len(chosen))),
        sum(c is True for _, c, _ in said),
        sum(c is None for _, c, _ in said),
        sum(a for _, _, a in said),
    )


def functions_by_hatch(rows: Sequence[Row]) -> Table:
    """One line for each hatch."""
    columns = (
        Column("hatch", "hatch", "code"),
        Column("edits", "edits", "number"),
        Column("alone", "target alone accepts", "number"),
        Column("no_cheating", "--no-cheating, by the catalogue"),
        Column("audit", "closure audit accepts", "number"),
    )
    groups: dict[str, list[Row]] = defaultdict(list)
    for r in rows:
        groups[r["hatch"] or (r["audit"]["holes"][0]["hatch"] if r["audit"]["holes"] else "not found")].append(r)
    lines = []
    for hatch, chosen in sorted(groups.items()):
        said = [accepted(r) for r in chosen]
        flags = {h["no_cheating"] for r in chosen for h in r["audit"]["holes"] if h["hatch"] == hatch}
        lines.append((hatch, len(chosen), sum(a for a, _, _ in said), ", ".join(sorted(flags)), sum(a for _, _, a in said)))
    return Table("functions_by_hatch", "The same by what the hole is.", columns, lines)


def functions_edits(rows: Sequence[Row]) -> Table:
    """Every edit of the second sense."""
    columns = (
        Column("edit", "edit", "code"),
        Column("hatch", "hatch", "code"),
        Column("depth", "depth", "number"),
        Column("why", "what the edit does"),
        Column("alone", "target alone accepts"),
        Column("no_cheating", "--no-cheating accepts"),
        Column("audit", "closure audit accepts"),
    )
    words = {True: "yes", False: "no", None: "not known"}
    lines = []
    for r in rows:
        alone, flag, audit = accepted(r)
        lines.append((r["edit"], r["hatch"], depth_of(r), r["why"], words[alone], words[flag], words[audit]))
    return Table("functions_edits", "Every edit whose contract stands and whose proof has a hole.", columns, lines)


# --- a subset of the postconditions ----------------------------------------------------------------------------------------


def ensures_by_size(rows: Sequence[Row]) -> Table:
    """One line for each number of postconditions left out."""
    columns = (
        Column("left_out", "left out", "number"),
        Column("sets", "sets", "number"),
        Column("admits", "the rest admits wrong behaviour", "number"),
        Column("share", "share", "share"),
        Column("interval", "95% interval"),
        Column("implied", "the rest implies them", "number"),
        Column("open", "undecided", "number"),
    )
    found: dict[int, Counter[str]] = defaultdict(Counter)
    for r in rows:
        for s in r["subsets"]:
            found[len(s["dropped"])][s["answer"]] += 1
    lines = []
    for size, c in sorted(found.items()):
        n = sum(c.values())
        lines.append((size, n, c[ADMITS], rate(c[ADMITS], n), span(clopper_pearson(c[ADMITS], n)), c[IMPLIED], c[OPEN]))
    return Table("ensures_by_size", "Sets of postconditions left out: what the rest of the contract is worth.", columns, lines)


def ensures_counts(rows: Sequence[Row]) -> Table:
    """Postconditions one by one: how many carry weight."""
    columns = (
        Column("of", "postconditions of"),
        Column("functions", "functions", "number"),
        Column("postconditions", "postconditions", "number"),
        Column("carries", CARRIES, "number"),
        Column("replayed", "shown by replayed values", "number"),
        Column("redundant", REDUNDANT, "number"),
        Column("open", "undecided", "number"),
    )
    lines = []
    for word, chosen in (
        ("executable functions, and proofs with results", [r for r in rows if not r["lemma"]]),
        ("lemmas, read as statements", [r for r in rows if r["lemma"]]),
        ("all", list(rows)),
    ):
        parts = [p for r in chosen for p in r["parts"]]
        c = Counter(p["answer"] for p in parts)
        shown = sum(p["replayed"] is True for p in parts)
        lines.append((word, len(chosen), len(parts), c[CARRIES], shown, c[REDUNDANT], c[OPEN]))
    return Table("ensures_counts", "Each postcondition left out by itself.", columns, lines)


def ensures_parts(rows: Sequence[Row]) -> Table:
    """Every postcondition, with what shows its answer."""
    columns = (
        Column("function", "function", "code"),
        Column("number", "no.", "number"),
        Column("postcondition", "postcondition", "code"),
        Column("answer", "answer"),
        Column("values", "without it, this is admitted", "code"),
        Column("replayed", "replayed"),
        Column("why", "why"),
    )
    lines = [
        (
            name_of(r),
            p["number"],
            p["text"],
            p["answer"],
            ", ".join(p["values"]) if p["values"] else None,
            {True: "yes", False: "no", None: None}[p["replayed"]],
            p["why"],
        )
        for r in rows
        for p in r["parts"]
    ]
    return Table("ensures_parts", "Every postcondition, and what shows its answer.", columns, lines)


def ensures_together(rows: Sequence[Row]) -> Table:
    """Sets that lose something although none of their members does so by itself."""
    columns = (
        Column("function", "function", "code"),
        Column("left_out", "left out together"),
        Column("answer", "answer"),
        Column("values", "this is admitted then", "code"),
    )
    lines = []
    for r in rows:
        texts = {p["number"]: p["text"] for p in r["parts"]}
        for s in r["subsets"]:
            if len(s["dropped"]) > 1 and s["answer"] == ADMITS and s["by"] is None:
                words = " · ".join(texts[n] for n in s["dropped"])
                lines.append((name_of(r), words, s["answer"], ", ".join(s["values"]) if s["values"] else None))
    return Table("ensures_together", "Postconditions that can be spared one at a time, and not together.", columns, lines)


def ensures_subsets(rows: Sequence[Row]) -> Table:
    """Every set that was asked about."""
    columns = (
        Column("function", "function", "code"),
        Column("left_out", "left out"),
        Column("answer", "answer"),
        Column("by", "by the values of"),
        Column("values", "values", "code"),
        Column("why", "why"),
    )
    lines = [
        (
            name_of(r),
            " ".join(map(str, s["dropped"])),
            s["answer"],
            None if s["by"] is None else " ".join(map(str, s["by"])),
            ", ".join(s["values"]) if s["values"] else None,
            s["why"],
        )
        for r in rows
        for s in r["subsets"]
    ]
    return Table("ensures_subsets", "Every set of postconditions.", columns, lines)


def name_of(row: Row) -> str:
    """`sort: sort`, the original and the function."""
    return f"{row['original']}: {row['target'].removeprefix('crate::')}"
