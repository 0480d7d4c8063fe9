"""How each test did: counts, exact intervals, whole tasks drawn again, and the tests against each other.

In: the rows of the results. Out: `Score` and `Contest` records. A row whose right answer is not known has no say.

Two mistakes are counted, each against its own denominator: *fooled*, the test says kept and the edit is broken; *wrong*, it
says not kept and the edit is honest. A test that gives no answer makes neither mistake: that is a column of its own.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from experiments.compare.judge import CONTRACT_TESTS, EMBEDDED
from experiments.compare.tools import OUTSIDE
from experiments.report.folder import Row
from experiments.statistics import Estimate, Interval, Paired, clopper_pearson, cluster_bootstrap, holm, mcnemar

__all__ = ["CONTRACT_TESTS", "Contest", "Score", "answer", "contests", "fooled", "known", "right", "score", "tests_in", "wrong"]


@dataclass(frozen=True, slots=True)
class Score:
    """One test on some edits. `fooled` of `broken`, `wrong` of `honest`; `open_broken` and `open_honest` got no answer. The
    intervals are exact ones of Clopper and Pearson, the estimates have intervals from drawing whole tasks again."""

    test: str
    broken: int
    fooled: int
    open_broken: int
    honest: int
    wrong: int
    open_honest: int
    fooled_interval: Interval
    wrong_interval: Interval
    fooled_by_task: Estimate | None
    wrong_by_task: Estimate | None

    @property
    def right(self) -> int:
        return self.broken + self.honest - self.fooled - self.wrong - self.open_broken - self.open_honest


@dataclass(frozen=True, slots=True)
class Contest:
    """Two tests on the same edits. `what` is the mistake (or "right"); `adjusted` is Holm's p-value over all contests;
    `difference` the first one's rate minus the second's, with whole tasks drawn again."""

    what: str
    first: str
    second: str
    edits: int
    paired: Paired
    adjusted: float
    difference: Estimate | None


def answer(row: Row, test: str) -> bool | None:
    """What a test says in a row."""
    said: bool | None = row["answers"].get(test, {}).get("kept")
    return said


def fooled(row: Row, test: str) -> bool:
    """Whether a test calls a broken edit kept."""
    return row["kept"] is False and answer(row, test) is True


def wrong(row: Row, test: str) -> bool:
    """Whether a test calls an honest edit broken."""
    return row["kept"] is True and answer(row, test) is False


def right(row: Row, test: str) -> bool:
    """Whether a test gives the right answer."""
    return row["kept"] is not None and answer(row, test) is row["kept"]


def known(rows: Iterable[Row]) -> list[Row]:
    """The rows whose right answer is known, errors of samespec's own among them: there the tests have no answer."""
    return [r for r in rows if r.get("kept") is not None]


def tests_in(rows: Sequence[Row]) -> list[str]:
    """The tests that answered in any row, in the order in which they are always named."""
    seen = {t for r in rows for t in r.get("answers", {})}
    return [t for t in (*EMBEDDED, *OUTSIDE) if t in seen]


def score(rows: Sequence[Row], test: str, *, seed: int | None = None) -> Score:
    """How a test did on these rows; with a seed, with intervals from drawing whole tasks again."""
    broken = [r for r in rows if r["kept"] is False]
    honest = [r for r in rows if r["kept"] is True]
    bad = sum(fooled(r, test) for r in broken)
    unfair = sum(wrong(r, test) for r in honest)
    return Score(
        test,
        len(broken),
        bad,
        sum(answer(r, test) is None for r in broken),
        len(honest),
        unfair,
        sum(answer(r, test) is None for r in honest),
        clopper_pearson(bad, len(broken)),
        clopper_pearson(unfair, len(honest)),
        None if seed is None else _by_task(broken, lambda r: fooled(r, test), seed),
        None if seed is None else _by_task(honest, lambda r: wrong(r, test), seed),
    )


def _by_task(rows: Sequence[Row], value: Callable[[Row], float], seed: int) -> Estimate | None:
    sums: dict[str, float] = {}
    sizes: dict[str, int] = {}
    for r in rows:
        sums[r["original"]] = sums.get(r["original"], 0) + value(r)
        sizes[r["original"]] = sizes.get(r["original"], 0) + 1
    return cluster_bootstrap(list(sums.values()), list(sizes.values()), seed=seed)


def contests(rows: Sequence[Row], tests: Sequence[str], *, seed: int) -> list[Contest]:
    """Every two tests against each other, on both mistakes and on right answers. The p-values are adjusted over all of them."""
    broken = [r for r in rows if r["kept"] is False]
    honest = [r for r in rows if r["kept"] is True]
    found: list[tuple[str, str, str, int, Paired, Estimate | None]] = []
    for what, chosen, has in (("fooled", broken, fooled), ("wrong", honest, wrong), ("right", list(rows), right)):
        if not chosen:
            continue
        for a, b in itertools.combinations(tests, 2):
            only_a = sum(has(r, a) and not has(r, b) for r in chosen)
            only_b = sum(has(r, b) and not has(r, a) for r in chosen)

            def more(r: Row, has: Callable[[Row, str], bool] = has, a: str = a, b: str = b) -> float:
                return has(r, a) - has(r, b)

            found.append((what, a, b, len(chosen), mcnemar(only_a, only_b), _by_task(chosen, more, seed)))
    adjusted = holm([paired.p for *_, paired, _ in found])
    return [Contest(w, a, b, n, paired, p, d) for (w, a, b, n, paired, d), p in zip(found, adjusted, strict=True)]
