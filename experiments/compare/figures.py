"""The figures of experiment 1: mistakes by test and kind, and the two mistakes against each other.

In: scores and rows. Out: matplotlib figures; to be drawn inside `drawing.look()`.
"""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from experiments.compare.scores import Score, answer, fooled, wrong
from experiments.compare.tables import kinds_in
from experiments.report import drawing
from experiments.report.folder import Row

#: From no mistakes to nothing but mistakes; dark means bad.
MISTAKES = LinearSegmentedColormap.from_list("mistakes", ["#FFFFFF", "#F4C9A8", drawing.VERMILION, "#7A2E00"])
#: How each test is drawn: a colour and a mark of its own, so that neither alone has to tell them apart.
MARKS = {
    "textual": (drawing.SKY, "s"),
    "subset-strict": (drawing.BLUE, "D"),
    "subset-naive": (drawing.PURPLE, "v"),
    "ast": (drawing.ORANGE, "^"),
    "logical": (drawing.BLACK, "o"),
    "logical+audit": (drawing.GREEN, "*"),
    "lynette additions": (drawing.VERMILION, "P"),
    "verus --no-cheating": (drawing.GREY, "X"),
}


def scatter(scores: Sequence[Score]) -> Figure:
    """Fooled against wrong, each test a point with its exact intervals."""
    made = drawing.figure(7.6, 5.2)
    axes = made.subplots()
    places = [(s.fooled / s.broken, s.wrong / s.honest) for s in scores if s.broken and s.honest]
    for i, (s, (x, y)) in enumerate(zip([s for s in scores if s.broken and s.honest], places, strict=True)):
        over = places[i + 1 :].count((x, y))  # those that lie on the same spot: the ones below are larger
        color, mark = MARKS[s.test]
        across = [[x - s.fooled_interval.low], [s.fooled_interval.high - x]]
        up = [[y - s.wrong_interval.low], [s.wrong_interval.high - y]]
        size = (12 if mark == "*" else 8) + 5 * over
        axes.errorbar(
            [x], [y], xerr=across, yerr=up, color=color, marker=mark, markersize=size, markeredgecolor="white",
            markeredgewidth=0.8, elinewidth=1.4 + 1.6 * over, capsize=3, linestyle="none", label=s.test, zorder=4 + i,
        )  # fmt: skip
    axes.set_xlim(-0.03, 1.03)
    axes.set_ylim(-0.03, 1.03)
    for which in ("x", "y"):
        drawing.per_cent_axis(axes, which)
    axes.grid(color=drawing.PALE, linewidth=0.8)
    axes.set_xlabel("broken edits that it calls kept (fooled)")
    axes.set_ylabel("honest edits that it calls broken (wrong)")
    keys = [
        Line2D([], [], color=MARKS[s.test][0], marker=MARKS[s.test][1], markersize=8, linestyle="none", label=s.test)
        for s in scores
        if s.broken and s.honest
    ]
    made.legend(handles=keys, loc="outside right upper", title="test", alignment="left")
    return made


def heat_map(rows: Sequence[Row], tests: Sequence[str]) -> Figure:
    """Every test on every kind: broken kinds on the left (fooled), honest ones on the right (wrong)."""
    parts = [[(kind, chosen) for honest, kind, chosen in kinds_in(rows) if honest is side] for side in (False, True)]
    longest = max(len(p) for p in parts)
    made = drawing.figure(1.2 + 2 * (2.0 + 0.46 * len(tests)), 1.7 + 0.235 * longest)
    axes = made.subplots(1, 2, squeeze=False)[0]
    for side, (part, title) in enumerate(zip(parts, ("broken edits: fooled", "honest edits: wrong"), strict=True)):
        _panel(axes[side], part, tests, title, longest, honest=bool(side))
    scale = ScalarMappable(Normalize(0, 1), MISTAKES)
    bar = made.colorbar(scale, ax=list(axes), orientation="horizontal", shrink=0.35, aspect=30, label="share of mistakes")
    drawing.per_cent_axis(bar.ax, "x")
    return made


def _panel(
    axes: Axes, part: list[tuple[str, list[Row]]], tests: Sequence[str], title: str, longest: int, *, honest: bool
) -> None:
    axes.set_title(f"{title} ({sum(len(chosen) for _, chosen in part)})")
    for y, (_, chosen) in enumerate(part):
        for x, test in enumerate(tests):
            bad = sum(wrong(r, test) if honest else fooled(r, test) for r in chosen)
            unknown = sum(answer(r, test) is None for r in chosen)
            share = bad / len(chosen)
            axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=MISTAKES(share), edgecolor="#D0D0D0", linewidth=0.6))
            text = (str(bad) if bad else "") + (f" ?{unknown}" if unknown else "")
            shade = "white" if share > 0.55 else "black"
            axes.text(x, y, text.strip(), ha="center", va="center_baseline", fontsize=7.5, color=shade)
    axes.set_xlim(-0.5, len(tests) - 0.5)
    axes.set_ylim(longest - 0.5, -0.5)  # as many rows on both sides, so that rows are equally high
    axes.set_xticks(range(len(tests)), tests, rotation=55, ha="left", rotation_mode="anchor")
    axes.xaxis.tick_top()
    axes.set_yticks(range(len(part)), [f"{kind} ({len(chosen)})" for kind, chosen in part])
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


