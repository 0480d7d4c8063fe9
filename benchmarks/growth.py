"""How the cost of a check grows: with clauses, quantifiers, file length, functions, and the size of a batch.

    python benchmarks/growth.py [--rounds N] [--output DIR] [--lynette PATH] [--verus PATH]

Pairs are made to size; the submission says the same in other words, so that each clause has to be translated, compared and, where
the words differ too much for normal forms, proved. Side by side in one run, as ratios of our own time: `lynette additions` on the
same two files, and Verus on the same obligations, written as its own lemmas, where these are installed.

The tables also give the exponent between the two largest sizes: 1 is a cost that grows in proportion, 2 with the square. Times
vary with the machine and what else runs on it; sizes take turns. `--output` writes the table as CSV, and a plot as SVG and PNG.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from batch import Configuration  # the script beside this one

from equiv.check import check_sources
from equiv.decide import DEFAULT_BUDGET
from experiments.compare.tools import LYNETTE, VERUS, Tools, find_tools
from referee.fence import find_fence
from referee.lynette import additions
from referee.verus import Verus
from samespec.batch.process import ENTRY
from samespec.batch.run import Options
from translate.source import from_text

Pair = tuple[str, str]
WORKERS = 2


# --- pairs of a size -----------------------------------------------------------------------------------------------------


def _file(parameters: str, result: str, clauses: list[str], more: str = "", name: str = "f") -> str:
    ensures = "".join(f"        {c},\n" for c in clauses)
    return f"{more}pub fn {name}({parameters}) -> (r: {result})\n    ensures\n{ensures}{{\n    r0()\n}}\n"


def _whole(items: str) -> str:
    return f"use vstd::prelude::*;\n\nverus! {{\n\n{items}\n}} // verus!\n\nfn main() {{}}\n"


def clauses(n: int) -> Pair:
    """n clauses, in another order and with their sides exchanged."""
    plain = [f"a as int + {k} <= r as int + b as int * {k + 1}" for k in range(n)]
    other = [f"b as int * {k + 1} + r as int >= {k} + a as int" for k in reversed(range(n))]
    return _whole(_file("a: u32, b: u32", "u64", plain)), _whole(_file("a: u32, b: u32", "u64", other))


def quantifiers(n: int) -> Pair:
    """n clauses, each a quantifier over two indices, with the guard contraposed."""
    plain = [f"forall|i: int, j: int| 0 <= i < j < v.len() && v[i] < v[j] ==> r[i] + {k} <= r[j]" for k in range(n)]
    other = [f"forall|j: int, i: int| !(r@[i] + {k} <= r@[j]) && 0 <= i && i < j < v@.len() ==> v@[j] <= v@[i]" for k in range(n)]
    return _whole(_file("v: Vec<i32>", "Vec<i64>", plain)), _whole(_file("v: Vec<i32>", "Vec<i64>", other))


def lines(n: int) -> Pair:
    """One contract at the end of a file of about n lines."""
    filler = "".join(
        f"pub fn step_{k}(x: u64) -> (y: u64)\n    requires\n        x < {k + 9},\n    ensures\n        y == x + {k},\n"
        f"{{\n    let z = x;\n    z + {k}\n}}\n\n"
        for k in range(n // 9)
    )
    return tuple(_whole(_file("a: u32", "u64", [c], filler, "target")) for c in ("r > a as int * 2", "a as int + a < r"))  # type: ignore[return-value]


def functions(n: int) -> Pair:
    """n functions with a contract, all of them targets."""
    sides = ("r as int >= a as int + {k} * b", "b * {k} + a <= r")
    made = ["".join(_file("a: u32, b: u32", "u64", [s.format(k=k)], name=f"f{k}") + "\n" for k in range(n)) for s in sides]
    return _whole(made[0]), _whole(made[1])


# --- measuring -----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Series:
    """One way to grow. `ours` are the seconds of each round for each size; `others` those of other tools, in one round."""

    name: str
    unit: str
    sizes: list[int]
    make: Callable[[int], Pair]
    targets: list[str] | None = None
    ours: dict[int, list[float]] = field(default_factory=dict)
    others: dict[str, dict[int, float]] = field(default_factory=dict)

    def seconds(self, size: int) -> float:
        return statistics.median(self.ours[size])

    @property
    def exponent(self) -> float:
        """Of the growth between the two largest sizes."""
        a, b = self.sizes[-2:]
        return math.log(self.seconds(b) / self.seconds(a)) / math.log(b / a)


SERIES = [
    Series("clauses", "clauses", [5, 10, 20, 40, 80], clauses),
    Series("quantifiers", "quantified clauses", [2, 4, 8, 16, 32], quantifiers),
    Series("file length", "lines", [500, 1_000, 2_000, 4_000, 8_000], lines, ["target"]),
    Series("functions", "targets", [10, 20, 40, 80, 160], functions),
]
BATCH = [50, 100, 200, 400, 800]


def check(pair: Pair, targets: list[str] | None) -> float:
    """The seconds of one check; what is to be kept has to be."""
    old, new = from_text("original.rs", pair[0]), from_text("submitted.rs", pair[1])
    started = time.perf_counter()
    report = check_sources(old, new, targets=targets)
    took = time.perf_counter() - started
    if report.kept() is not True:
        sys.exit(f"not kept: {[(t.target, str(t.verdict)) for t in report.targets if not t.verdict.kept()][:3]}")
    return took


def batch(pairs: list[Pair]) -> float:
    """The seconds of a batch on warm workers."""
    records = [{"id": k, "original": a, "submitted": b} for k, (a, b) in enumerate(pairs)]
    data = "\n".join(json.dumps(r) for r in records).encode()
    workers = Configuration("growth", WORKERS, ENTRY)
    workers.run(data, Options(DEFAULT_BUDGET))
    return len(pairs) / workers.rates[0]


def batch_pairs(size: int) -> list[Pair]:
    """Pairs that are all different, ten submissions for each original."""
    return [(a, b + f"// {k}\n") for k in range(size) for a, b in [clauses(3 + k // 10 % 7)]]


def by_lynette(pair: Pair, program: str) -> float:
    started = time.perf_counter()
    additions(*pair, program)
    return time.perf_counter() - started


def by_verus(pair: Pair, targets: list[str] | None, verus: Verus) -> float:
    """Verus on the obligations of a pair, each a file with its lemma."""
    old, new = from_text("original.rs", pair[0]), from_text("submitted.rs", pair[1])
    report = check_sources(old, new, targets=targets, want_lemmas=True)
    texts = [o.lemma for t in report.targets for o in t.obligations if o.lemma is not None]
    runner = find_fence()
    started = time.perf_counter()
    for text in texts:
        verus.verify(text, runner)
    return time.perf_counter() - started


def measure(series: list[Series], rounds: int, tools: Tools) -> None:
    verus = None if tools.verus is None else Verus(Path(tools.verus))
    for _ in range(rounds):
        for s in series:
            for size in s.sizes:
                s.ours.setdefault(size, []).append(check(s.make(size), s.targets))
    for s in series:
        for size in s.sizes[:2]:
            if tools.lynette is not None:
                s.others.setdefault(LYNETTE, {})[size] = by_lynette(s.make(size), tools.lynette)
            if verus is not None:
                s.others.setdefault(VERUS, {})[size] = by_verus(s.make(size), s.targets, verus)


# --- showing -------------------------------------------------------------------------------------------------------------


def table(series: list[Series]) -> Iterator[str]:
    for s in series:
        yield f"{s.name}: grows with exponent {s.exponent:.2f}"
        for size in s.sizes:
            ratios = "".join(
                f"   {tool} {found[size] / s.seconds(size):.1f}×" for tool, found in s.others.items() if size in found
            )
            per = s.seconds(size) / size
            yield f"  {size:>6} {s.unit:<20} {s.seconds(size) * 1000:>9.1f} ms {per * 1000:>8.2f} ms each{ratios}"


def draw(series: list[Series], folder: Path) -> None:
    from experiments.report import drawing

    folder.mkdir(parents=True, exist_ok=True)
    with drawing.look():
        made = drawing.figure(7.2, 4.2)
        axes = made.add_subplot()
        colours = (drawing.BLUE, drawing.ORANGE, drawing.GREEN, drawing.VERMILION, drawing.PURPLE)
        for s, colour, mark in zip(series, colours, "osD^v", strict=True):
            first = s.seconds(s.sizes[0])
            xs = [n / s.sizes[0] for n in s.sizes]
            label = f"{s.name} (from {s.sizes[0]} {s.unit}, {first * 1000:.0f} ms; exponent {s.exponent:.2f})"
            axes.plot(xs, [s.seconds(n) / first for n in s.sizes], color=colour, marker=mark, label=label)
        top = max(s.sizes[-1] / s.sizes[0] for s in series)
        axes.plot([1, top], [1, top], color=drawing.GREY, linestyle="--", label="in proportion")
        axes.set(xscale="log", yscale="log", xlabel="size, as a multiple of the smallest", ylabel="time, as a multiple")
        ticks = [1, 2, 4, 8, 16]
        axes.set_xticks(ticks, [f"{t}×" for t in ticks])
        axes.set_yticks(ticks, [f"{t}×" for t in ticks])
        axes.minorticks_off()
        axes.grid(visible=True, color=drawing.PALE)
        axes.legend(loc="upper left")
        (folder / "growth.svg").write_bytes(drawing.svg(made))
        (folder / "growth.png").write_bytes(drawing.png(made))
    with (folder / "growth.csv").open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["series", "unit", "size", "seconds", *(f"{t}_seconds" for t in (LYNETTE, VERUS))])
        for s in series:
            for n in s.sizes:
                others = [s.others.get(t, {}).get(n, "") for t in (LYNETTE, VERUS)]
                rows.writerow([s.name, s.unit, n, f"{s.seconds(n):.6f}", *others])


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures how the cost of a check grows.")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--output", type=Path, help="a folder for the table and the plot")
    parser.add_argument("--lynette", help="the tool lynette (default: on the search path)")
    parser.add_argument("--verus", help="Verus (default: the environment variable VERUS, else on the search path)")
    asked = parser.parse_args()
    try:
        tools = find_tools(asked.lynette, asked.verus)
    except FileNotFoundError as error:
        parser.error(str(error))
    check(clauses(3), None)  # what is loaded once is not measured
    series = list(SERIES)
    measure(series, asked.rounds, tools)
    pairs = Series("batch", "pairs", BATCH, clauses)
    for _ in range(asked.rounds):
        for size in BATCH:
            pairs.ours.setdefault(size, []).append(batch(batch_pairs(size)))
    series.append(pairs)
    print("\n".join(table(series)))
    for tool, why in tools.missing:
        print(f"{tool}: {why}")
    if asked.output is not None:
        draw(series, asked.output)
        print(f"table and plot: {asked.output}")


if __name__ == "__main__":
    main()
