"""Drawing: one look for all figures, and the same bytes for the same figure.

In: what to draw, on a matplotlib `Figure`. Out: SVG and PNG. Nothing of the user's matplotlib settings has a say; letters are
drawn as outlines, so that a figure looks the same wherever it is opened; there is no date in the files.

Colours: Okabe and Ito, "Color Universal Design" (2008), which people with any colour vision can tell apart.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
BLUE, VERMILION, PURPLE = "#0072B2", "#D55E00", "#CC79A7"
GREY, PALE = "#8A8A8A", "#E6E6E6"

_LOOK: dict[Any, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib
    "font.size": 9.0,
    "axes.titlesize": 10.0,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": False,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "svg.hashsalt": "samespec",
    "svg.fonttype": "path",
}


@contextmanager
def look() -> Iterator[None]:
    """The look of all figures; to be drawn and saved inside."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_LOOK)
        yield


def figure(width: float, height: float) -> Figure:
    """An empty figure of so many inches, whose parts find their places by themselves."""
    made = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(made)
    return made


def svg(made: Figure) -> bytes:
    """The figure as SVG."""
    out = io.BytesIO()
    made.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return out.getvalue()


def png(made: Figure) -> bytes:
    """The figure as PNG, 150 points to the inch."""
    out = io.BytesIO()
    made.savefig(out, format="png", dpi=150, metadata={"Software": None})
    return out.getvalue()


def per_cent_axis(axes: Axes, which: str) -> None:
    """An axis of shares, marked in per cent."""
    from matplotlib.ticker import PercentFormatter

    axis = axes.xaxis if which == "x" else axes.yaxis
    axis.set_major_formatter(PercentFormatter(xmax=1.0, decimals=0, symbol="%"))
