"""The figures of a campaign's report.

In: cells, scores, contrasts. Out: matplotlib figures; to be drawn inside `drawing.look()`.
"""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from experiments.report import drawing
from experiments.statistics import Decomposition
from experiments.witness.cells import FAILURES, Cell
from experiments.witness.downstream import Condition
from experiments.witness.scores import Contrast, Families, Score, failures, of_policy, policies_in

#: How each policy is drawn: a colour and a mark of its own, so that neither alone has to tell them apart.
MARKS = {
    "direct": (drawing.BLUE, "o"),
    "phase": (drawing.GREEN, "D"),
    "masked": (drawing.ORANGE, "s"),
    "intentshield": (drawing.VERMILION, "^"),
    "judgment": (drawing.PURPLE, "v"),
    "solver": (drawing.BLACK, "*"),
}
_OTHER = (drawing.GREY, "X")
_FAILED = {
    "impossible": drawing.BLACK,
    "nothing": "#4D4D4D",
    "unparsed": drawing.GREY,
    "admitted fail": drawing.VERMILION,
    "admitted unknown": "#F2B48C",
    "rejected fail": drawing.ORANGE,
    "rejected unknown": "#F4D9A6",
    "runs fail": drawing.PURPLE,
    "runs unknown": "#E6CBDB",
    "disagrees fail": drawing.SKY,
    "disagrees unknown": "#CFE6F5",
}
_CERTIFIED = drawing.GREEN
#: Tasks that the picture of single tasks can show.
MOST_TASKS = 60
_ROW = 0.42
#: How far off the middle of its row a policy is drawn, so that equal shares do not hide each other.
_LANES = {"phase": -0.26, "masked": 0.26, "judgment": 0.42}


def policies(scores: Sequence[Score]) -> Figure:
    """The share of certified episodes, with its interval."""
    made = drawing.figure(7.4, 1.0 + 0.42 * len(scores))
    axes = made.subplots()
    for y, s in enumerate(scores):
        color, mark = MARKS.get(s.policy, _OTHER)
        share = s.certified / s.episodes
        if s.estimate is not None:
            low, high = s.estimate.interval.low, s.estimate.interval.high
            axes.plot([low, high], [y, y], color=color, linewidth=2.2, solid_capstyle="butt")
        axes.plot([share], [y], marker=mark, markersize=9, color=color, markeredgecolor="white", linestyle="none")
        axes.annotate(f"{s.certified} of {s.episodes}", (1.02, y), va="center", fontsize=8.5, annotation_clip=False)
    _rows(axes, [s.policy for s in scores])
    axes.set_xlim(-0.02, 1.02)
    drawing.per_cent_axis(axes, "x")
    axes.grid(axis="x", color=drawing.PALE, linewidth=0.8)
    axes.set_xlabel("episodes with a certified witness; the line is the 95% interval from drawing tasks again")
    return made


def tasks(cells: Sequence[Cell], primary: Contrast) -> Figure:
    """Task by task: the share of certified episodes of every policy, the two of the primary contrast joined by a line."""
    order = sorted(primary.tasks, key=lambda t: (t.stratum, -t.difference, t.task))
    made = drawing.figure(8.4, 1.3 + _ROW * len(order))
    axes = made.subplots()
    names = [p for p in policies_in(cells) if p != "solver"]
    for y, t in enumerate(order):
        first, second = t.first / t.episodes, t.second / t.episodes
        axes.plot([second, first], [y, y], color="#B8B8B8", linewidth=2.4, zorder=1, solid_capstyle="butt")
        for policy in names:
            chosen = [c for c in of_policy(cells, policy) if c.task == t.task]
            if not chosen:
                continue
            share = sum(c.certified for c in chosen) / len(chosen)
            color, mark = MARKS.get(policy, _OTHER)
            size = {primary.first: 10.5, primary.second: 7.0}.get(policy, 5.5)  # the second shows on top of the first
            axes.plot(
                [share], [y + _LANES.get(policy, 0.0)], marker=mark, markersize=size, color=color,
                markeredgecolor="white", markeredgewidth=0.7, linestyle="none", zorder=5 if policy == primary.second else 4,
            )  # fmt: skip
    _rows(axes, [f"{t.task} ({'r' if t.stratum == 'residual' else 't'})" for t in order])
    axes.set_xlim(-0.03, 1.03)
    drawing.per_cent_axis(axes, "x")
    axes.grid(axis="x", color=drawing.PALE, linewidth=0.8)
    axes.set_xlabel("episodes with a certified witness (r: residual contract, t: total omission)")
    keys = [
        Line2D([], [], color=MARKS.get(p, _OTHER)[0], marker=MARKS.get(p, _OTHER)[1], linestyle="none", markersize=7, label=p)
        for p in names
    ]
    made.legend(handles=keys, loc="outside upper left", ncols=len(keys))
    return made


def gap(found: Decomposition, counts: dict[str, tuple[int, int]]) -> Figure:
    """The gap between direct and intentshield, split at masked."""
    shares = {p: n / of for p, (n, of) in counts.items()}
    made = drawing.figure(7.4, 2.6)
    axes = made.subplots()
    for y, policy in enumerate(counts):
        axes.barh(y, shares[policy], color=MARKS[policy][0], height=0.56)
        axes.annotate(
            f"{counts[policy][0]} of {counts[policy][1]}", (shares[policy], y), (5, 0), textcoords="offset points", va="center",
            fontsize=8.5,
        )  # fmt: skip
    low, mid, high = shares["intentshield"], shares["masked"], shares["direct"]
    for start, end, text, at in ((low, mid, found.lower, 1.5), (mid, high, found.upper, 0.5)):
        axes.annotate("", (end, at), (start, at), arrowprops={"arrowstyle": "<->", "color": drawing.BLACK, "linewidth": 1.1})
        label = f"{100 * text:+.1f} points"
        axes.annotate(label, (max(start, end), at), (6, 0), textcoords="offset points", va="center", fontsize=8.5)
    _rows(axes, list(counts))
    axes.set_xlim(0, min(1.0, max(shares.values()) * 1.3 + 0.05))
    drawing.per_cent_axis(axes, "x")
    axes.set_xlabel("episodes with a certified witness")
    return made


def outcomes(cells: Sequence[Cell]) -> Figure:
    """Where selected candidates end, by policy."""
    names = policies_in(cells)
    made = drawing.figure(8.4, 1.5 + 0.42 * len(names))
    axes = made.subplots()
    used: list[str] = []
    for y, policy in enumerate(names):
        chosen = of_policy(cells, policy)
        certified = sum(c.certified for c in chosen)
        failed = failures(cells, policy)
        left = 0.0
        for key, n in (("", certified), *((k, failed[k]) for k in FAILURES)):
            if n:
                color = _FAILED[key] if key else _CERTIFIED
                axes.barh(y, n / len(chosen), left=left, color=color, height=0.72, edgecolor="white", linewidth=0.8)
                if n / len(chosen) > 0.04:
                    shade = "white" if key in ("impossible", "nothing") else "black"
                    axes.text(left + n / len(chosen) / 2, y, str(n), ha="center", va="center", fontsize=8, color=shade)
                left += n / len(chosen)
                used.append(key)
    _rows(axes, names)
    axes.set_xlim(0, 1)
    drawing.per_cent_axis(axes, "x")
    axes.set_xlabel("episodes, by what becomes of the selected candidate")
    handles = [Patch(color=_CERTIFIED, label="certified")]
    handles += [Patch(color=_FAILED[k], label=what) for k, what in FAILURES.items() if k in used]
    made.legend(handles=handles, loc="outside upper left", ncols=2)
    return made


def providers(found: Families) -> Figure:
    """The primary contrast within each provider."""
    names = list(found.contrasts)
    made = drawing.figure(7.4, 1.3 + 0.44 * len(names))
    axes = made.subplots()
    for y, c in enumerate(found.contrasts.values()):
        one, two, n = c.counts
        axes.plot([two / n, one / n], [y, y], color="#B8B8B8", linewidth=2.4, solid_capstyle="butt", zorder=1)
        for policy, share, size in ((c.first, one / n, 11), (c.second, two / n, 8)):
            color, mark = MARKS.get(policy, _OTHER)
            axes.plot([share], [y], marker=mark, markersize=size, color=color, markeredgecolor="white", linestyle="none")
        axes.annotate(f"{one} and {two} of {n}", (1.02, y), va="center", fontsize=8.5, annotation_clip=False)
    _rows(axes, names)
    axes.set_xlim(-0.02, 1.02)
    drawing.per_cent_axis(axes, "x")
    axes.grid(axis="x", color=drawing.PALE, linewidth=0.8)
    axes.set_xlabel("episodes with a certified witness")
    first = next(iter(found.contrasts.values()))
    keys = [
        Line2D([], [], color=MARKS.get(p, _OTHER)[0], marker=MARKS.get(p, _OTHER)[1], linestyle="none", markersize=7, label=p)
        for p in (first.first, first.second)
    ]
    made.legend(handles=keys, loc="outside upper left", ncols=2)
    return made


def downstream(found: Sequence[Condition]) -> Figure:
    """For each condition: attempts that verify under its contract, and under the full one."""
    made = drawing.figure(7.6, 1.4 + 0.55 * len(found))
    axes = made.subplots()
    for y, c in enumerate(found):
        axes.barh(y - 0.19, c.meets / c.attempts, height=0.36, color=drawing.SKY)
        axes.barh(y + 0.19, c.succeeds / c.attempts, height=0.36, color=drawing.BLUE)
        for shift, n in ((-0.19, c.meets), (0.19, c.succeeds)):
            axes.annotate(
                f"{n} of {c.attempts}", (n / c.attempts, y + shift), (4, 0), textcoords="offset points", va="center", fontsize=8
            )
    _rows(axes, [c.name for c in found])
    axes.set_xlim(0, 1.14)
    axes.xaxis.set_major_locator(MaxNLocator(6))
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1.0])
    drawing.per_cent_axis(axes, "x")
    axes.set_xlabel("attempts")
    handles = [
        Patch(color=drawing.SKY, label="verify under the condition's contract"),
        Patch(color=drawing.BLUE, label="verify under the full contract"),
    ]
    made.legend(handles=handles, loc="outside upper left", ncols=2)
    return made


def _rows(axes: Axes, labels: Sequence[str]) -> None:
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
