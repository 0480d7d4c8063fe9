"""The figures of experiment 2, one or two for each sense.

In: rows of the results. Out: matplotlib figures; to be drawn inside `drawing.look()`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import ceil

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import MaxNLocator

from experiments.report import drawing
from experiments.report.folder import Row
from experiments.subset_fooling.clauses import ADDED, DEFINITION, SIGNATURE, TYPE
from experiments.subset_fooling.ensures import ADMITS, CARRIES, IMPLIED, OPEN, REDUNDANT
from experiments.subset_fooling.tables import DEPTH_TESTS, MEANS, UNSEEN, accepted, depth_of, means_of, name_of

_MEANS = {
    ADDED: drawing.BLUE,
    DEFINITION: drawing.ORANGE,
    TYPE: drawing.GREEN,
    SIGNATURE: drawing.PURPLE,
    UNSEEN: drawing.BLACK,
}
_ANSWERS = {ADMITS: drawing.VERMILION, IMPLIED: drawing.SKY, OPEN: drawing.PALE}
_PARTS = {CARRIES: drawing.VERMILION, REDUNDANT: drawing.SKY, OPEN: drawing.PALE}
#: Functions that the picture of single postconditions can show.
MOST_FUNCTIONS = 240
_PER_COLUMN = 44


def clauses(rows: Sequence[Row]) -> Figure:
    """By kind: broken contracts whose clauses all stand, coloured by means, and those in which a clause does not."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for r in rows:
        groups[r["kind"]].append(r)
    order = sorted(groups, key=lambda k: (-sum(r["stands"] for r in groups[k]), k))
    made = drawing.figure(8.6, 1.3 + 0.23 * len(order))
    axes = made.subplots()
    used: list[str] = []
    for y, kind in enumerate(order):
        left = 0
        found = Counter(means_of(r) for r in groups[kind] if r["stands"])
        for means in (*MEANS, UNSEEN):
            if found[means]:
                axes.barh(y, found[means], left=left, color=_MEANS[means], height=0.74, edgecolor="white", linewidth=0.6)
                left += found[means]
                used.append(means)
        rest = sum(not r["stands"] for r in groups[kind])
        if rest:
            axes.barh(y, rest, left=left, color=drawing.PALE, height=0.74, edgecolor="white", linewidth=0.6)
        axes.annotate(
            f"{left} of {len(groups[kind])}", (left + rest, y), (4, 0), textcoords="offset points", va="center", fontsize=8
        )
    axes.set_yticks(range(len(order)), order)
    axes.set_ylim(len(order) - 0.4, -0.6)
    axes.set_xlim(0, 1.12 * max(len(g) for g in groups.values()))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    axes.set_xlabel("broken edits")
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    handles = [Patch(color=_MEANS[m], label=m) for m in (*MEANS, UNSEEN) if m in used]
    handles.append(Patch(color=drawing.PALE, label="some clause does not stand"))
    made.legend(
        handles=handles, loc="outside upper left", ncols=3, title="every clause stands, and the contract is broken by",
        alignment="left",
    )  # fmt: skip
    return made


def functions(rows: Sequence[Row]) -> Figure:
    """By depth of the hole: the share that each way of looking accepts."""
    groups: dict[int, list[Row]] = defaultdict(list)
    for r in rows:
        depth = depth_of(r)
        if depth is not None:
            groups[depth].append(r)
    depths = sorted(groups)
    made = drawing.figure(max(6.4, 1.8 + 1.25 * len(depths)), 4.0)
    axes = made.subplots()
    colors = (drawing.VERMILION, drawing.ORANGE, drawing.GREEN)
    width = 0.26
    for i, (test, color) in enumerate(zip(DEPTH_TESTS, colors, strict=True)):
        for x, depth in enumerate(depths):
            said = [accepted(r)[i] for r in groups[depth]]
            told = [s for s in said if s is not None]
            at = x + (i - 1) * width
            if not told:
                axes.text(at, 0.015, "n/k", ha="center", fontsize=7.5, color=drawing.GREY)
                continue
            share = sum(told) / len(told)
            axes.bar(at, share, width=width * 0.92, color=color, label=test if x == 0 else None)
            axes.text(at, share + 0.015, f"{sum(told)}/{len(told)}", ha="center", fontsize=7.5)
    axes.set_xticks(range(len(depths)), [f"{d}\n(n = {len(groups[d])})" for d in depths])
    axes.set_xlabel("steps of the call graph from the target to the hole")
    axes.set_ylabel("accepted, though broken")
    axes.set_ylim(0, 1.08)
    drawing.per_cent_axis(axes, "y")
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1.0])
    handles = [Patch(color=c, label=t) for t, c in zip(DEPTH_TESTS, colors, strict=True)]
    made.legend(handles=handles, loc="outside upper left", ncols=3)
    return made


def sizes(rows: Sequence[Row]) -> Figure:
    """By the number of postconditions left out: what the rest is worth."""
    found: dict[int, Counter[str]] = defaultdict(Counter)
    for r in rows:
        for s in r["subsets"]:
            found[len(s["dropped"])][s["answer"]] += 1
    order = sorted(found)
    made = drawing.figure(7.4, 1.25 + 0.42 * len(order))
    axes = made.subplots()
    for y, size in enumerate(order):
        left = 0.0
        whole = sum(found[size].values())
        for answer, color in _ANSWERS.items():
            n = found[size][answer]
            if not n:
                continue
            axes.barh(y, n / whole, left=left, color=color, height=0.7, edgecolor="white", linewidth=0.8)
            if n / whole > 0.045:
                shade = "white" if answer == ADMITS else "black"
                axes.text(left + n / whole / 2, y, str(n), ha="center", va="center", fontsize=8.5, color=shade)
            left += n / whole
    axes.set_yticks(range(len(order)), [f"{size} left out ({sum(found[size].values())} sets)" for size in order])
    axes.set_ylim(len(order) - 0.45, -0.55)
    axes.set_xlim(0, 1)
    drawing.per_cent_axis(axes, "x")
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    words = {ADMITS: "the rest admits wrong behaviour", IMPLIED: "the rest implies them", OPEN: "undecided"}
    made.legend(handles=[Patch(color=c, label=words[a]) for a, c in _ANSWERS.items()], loc="outside upper left", ncols=3)
    return made


def parts(rows: Sequence[Row]) -> Figure:
    """Every function with its postconditions in a row, each coloured by what it is worth."""
    columns = ceil(len(rows) / _PER_COLUMN)
    height = ceil(len(rows) / columns)
    most = max(len(r["parts"]) for r in rows)
    made = drawing.figure(max(6.0, columns * (2.7 + 0.17 * most)), 1.1 + 0.2 * height)
    for i, axes in enumerate(made.subplots(1, columns, squeeze=False)[0]):
        _strip(axes, rows[i * height : (i + 1) * height], height, most)
    words = {CARRIES: "load-bearing: without it, wrong behaviour is admitted", REDUNDANT: "redundant: the rest implies it"}
    handles = [Patch(facecolor=c, edgecolor=drawing.GREY, label=words.get(a, a)) for a, c in _PARTS.items()]
    made.legend(handles=handles, loc="outside upper left", ncols=3 if columns > 1 else 1)
    return made


def _strip(axes: Axes, rows: Sequence[Row], height: int, most: int) -> None:
    for y, r in enumerate(rows):
        for x, p in enumerate(r["parts"]):
            color = _PARTS[p["answer"]]
            axes.add_patch(Rectangle((x, y - 0.4), 0.86, 0.8, facecolor=color, edgecolor=drawing.GREY, linewidth=0.5))
            if p["answer"] == CARRIES and p["replayed"] is not True:
                axes.text(x + 0.43, y, "∗", ha="center", va="center", fontsize=8, color="white")
    axes.set_xlim(-0.1, most + 0.1)
    axes.set_ylim(height - 0.4, -0.6)
    axes.set_xticks([])
    axes.set_yticks(range(len(rows)), [name_of(r) for r in rows], fontsize=7.5)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
