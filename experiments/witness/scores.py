"""The statistics of a campaign: the task is the unit.

In: cells. Out: scores of policies, contrasts of two policies, the gap in two parts, the agreement of two runs, what the withheld
cases say, how candidates fail.

Source of the design: "When Correctness Feedback Erases Evidence", sections 3.4 and 4. Episodes of one task are repeated samples,
not independent observations: intervals come from drawing whole tasks again, tests count one sign for each task.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from experiments.statistics import (
    Decomposition,
    Estimate,
    Kappa,
    Sides,
    Signs,
    at_least_once,
    cluster_bootstrap,
    cohen_kappa,
    decompose,
    mean_difference,
    rate,
    sign_test,
    signs,
)
from experiments.witness.cells import Cell

#: The policies in the order in which they are shown.
ORDER: Final = ("direct", "phase", "masked", "intentshield", "judgment", "solver")
#: The contrasts, the primary one first.
PAIRS: Final = (
    ("direct", "intentshield"),
    ("masked", "intentshield"),
    ("direct", "masked"),
    ("direct", "judgment"),
    ("phase", "intentshield"),
    ("phase", "direct"),
)
PRIMARY: Final = PAIRS[0]


def of_policy(cells: Iterable[Cell], policy: str) -> list[Cell]:
    return [c for c in cells if c.policy == policy]


def policies_in(cells: Sequence[Cell]) -> list[str]:
    there = {c.policy for c in cells}
    return [p for p in ORDER if p in there] + sorted(there - set(ORDER))


# --- one policy ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Score:
    """One policy. `estimate` is the share of certified episodes with its interval from drawing tasks again. Of the certified
    ones, `not_last` were not the last call, `withheld` of `asked` disagree on a withheld case too. `unparsed_calls` of `calls`
    are no expressions, and so are the selected candidates of `unparsed` episodes. `first` counts first calls that are witnesses
    by themselves."""

    policy: str
    episodes: int
    certified: int
    estimate: Estimate | None
    not_last: int
    withheld: int
    asked: int
    calls: int
    unparsed_calls: int
    unparsed: int
    first: int


def score(cells: Sequence[Cell], policy: str, seed: int) -> Score:
    chosen = of_policy(cells, policy)
    certified = [c for c in chosen if c.certified]
    by_task = _by_task(chosen)
    estimate = cluster_bootstrap(
        [float(sum(c.certified for c in group)) for group in by_task.values()], [len(g) for g in by_task.values()], seed=seed
    )
    return Score(
        policy,
        len(chosen),
        len(certified),
        estimate,
        sum(c.call < len(c.call_parses) for c in certified),
        sum(bool(c.withheld) for c in certified),
        sum(c.withheld is not None for c in certified),
        sum(len(c.call_parses) for c in chosen),
        sum(not p for c in chosen for p in c.call_parses),
        sum(not c.parses for c in chosen),
        sum(c.call_certified[:1] == (True,) for c in chosen),
    )


def _by_task(cells: Iterable[Cell]) -> dict[str, list[Cell]]:
    found: dict[str, list[Cell]] = defaultdict(list)
    for c in cells:
        found[c.task].append(c)
    return found


@dataclass(frozen=True, slots=True)
class Draws:
    """First calls against whole episodes: `share` of first calls are witnesses; if `calls` draws were independent and equally
    likely, `illustrated` is the chance that at least one is; `observed` is the share of certified episodes."""

    first: int
    episodes: int
    calls: int
    share: float
    illustrated: float
    observed: float


def draws_of(cells: Sequence[Cell], policy: str = "direct") -> Draws | None:
    """The illustration for a policy; None without episodes."""
    chosen = [c for c in of_policy(cells, policy) if c.call_certified]
    if not chosen:
        return None
    calls = max(len(c.call_certified) for c in chosen)
    first = sum(c.call_certified[0] for c in chosen)
    share = first / len(chosen)
    return Draws(first, len(chosen), calls, share, at_least_once(share, calls), sum(c.certified for c in chosen) / len(chosen))


# --- two policies --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TaskDifference:
    """One task: certified and all episodes on either side."""

    task: str
    stratum: str
    first: int
    second: int
    episodes: int

    @property
    def difference(self) -> float:
        return (self.first - self.second) / self.episodes


@dataclass(frozen=True, slots=True)
class Contrast:
    """The first policy against the second, on the cells that both have. `estimate` is the mean over tasks of the difference in
    shares, `signs` the sign test of the tasks."""

    first: str
    second: str
    tasks: tuple[TaskDifference, ...]
    estimate: Estimate | None
    signs: Signs

    @property
    def counts(self) -> tuple[int, int, int]:
        """Certified on the first side, on the second, episodes on either."""
        return sum(t.first for t in self.tasks), sum(t.second for t in self.tasks), sum(t.episodes for t in self.tasks)


def contrast(cells: Sequence[Cell], first: str, second: str, seed: int, *, sides: Sides = "two-sided") -> Contrast | None:
    """The contrast of two policies; None where they have no cell in common."""
    one, two = ({c.place: c for c in of_policy(cells, p)} for p in (first, second))
    both = [p for p in one if p in two]
    if not both:
        return None
    groups: dict[str, list[tuple[Cell, Cell]]] = defaultdict(list)
    for place in both:
        groups[place[0]].append((one[place], two[place]))
    tasks = tuple(
        TaskDifference(
            task, pairs[0][0].stratum, sum(a.certified for a, _ in pairs), sum(b.certified for _, b in pairs), len(pairs)
        )
        for task, pairs in groups.items()
    )
    estimate = mean_difference([t.first / t.episodes for t in tasks], [t.second / t.episodes for t in tasks], seed=seed)
    return Contrast(first, second, tasks, estimate, signs([t.difference for t in tasks], sides=sides))


def contrasts(cells: Sequence[Cell], seed: int) -> list[Contrast]:
    """Those of `PAIRS` that the cells allow."""
    found = (contrast(cells, a, b, seed) for a, b in PAIRS)
    return [c for c in found if c is not None]


def gap(cells: Sequence[Cell]) -> tuple[Decomposition, dict[str, tuple[int, int]]] | None:
    """The gap between direct and intentshield by way of masked, with the counts; None unless all three have episodes. A
    difference of observed rates, no analysis of causes."""
    names = ("direct", "masked", "intentshield")
    counts = {p: (sum(c.certified for c in of_policy(cells, p)), len(of_policy(cells, p))) for p in names}
    if not all(n for _, n in counts.values()):
        return None
    return decompose(*(counts[p] for p in names)), counts


@dataclass(frozen=True, slots=True)
class Families:
    """The primary contrast within each provider, and the sign test over providers (one-sided, exploratory)."""

    contrasts: dict[str, Contrast]
    signs: Signs


def families(cells: Sequence[Cell], seed: int, pair: tuple[str, str] = PRIMARY) -> Families | None:
    """None where no provider has both policies."""
    found: dict[str, Contrast] = {}
    for provider in dict.fromkeys(c.provider for c in cells):
        made = contrast([c for c in cells if c.provider == provider], *pair, seed)
        if made is not None:
            found[provider] = made
    if not found:
        return None
    gaps = [a - b for a, b, _ in (c.counts for c in found.values())]
    favour, against = sum(g > 0 for g in gaps), sum(g < 0 for g in gaps)
    return Families(found, sign_test(favour, against, ties=len(gaps) - favour - against, sides="one-sided"))


# --- two runs ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Repeat:
    """Two runs of the same discovery, cell by cell. `identical` of `both` certified pairs are the same text. `expected` is the
    agreement that independent draws would give with each cell's own probability (task and provider, estimated from both runs)."""

    first: str
    second: str
    both: int
    neither: int
    only_first: int
    only_second: int
    kappa: Kappa
    identical: int
    expected: float
    tasks_equal: int
    tasks: int


def repeat(cells: Sequence[Cell], first: str = "direct", second: str = "phase") -> Repeat | None:
    """The agreement of two policies that search in the same way; None where they have no cell in common."""
    one, two = ({c.place: c for c in of_policy(cells, p)} for p in (first, second))
    pairs = [(one[p], two[p]) for p in one if p in two]
    if not pairs:
        return None
    table = Counter((a.certified, b.certified) for a, b in pairs)
    both, neither = table[True, True], table[False, False]
    only_first, only_second = table[True, False], table[False, True]
    groups: dict[tuple[str, str], list[bool]] = defaultdict(list)
    totals: dict[str, int] = defaultdict(int)
    for a, b in pairs:
        groups[a.task, a.provider] += [a.certified, b.certified]
        totals[a.task] += a.certified - b.certified
    shares = {k: sum(v) / len(v) for k, v in groups.items()}
    expected = sum(shares[a.task, a.provider] ** 2 + (1 - shares[a.task, a.provider]) ** 2 for a, _ in pairs) / len(pairs)
    return Repeat(
        first,
        second,
        both,
        neither,
        only_first,
        only_second,
        cohen_kappa(both, neither, only_first, only_second),
        sum(a.certified and b.certified and a.expression == b.expression for a, b in pairs),
        expected,
        sum(n == 0 for n in totals.values()),
        len(totals),
    )


# --- how it fails --------------------------------------------------------------------------------------------------------


def failures(cells: Sequence[Cell], policy: str) -> Counter[str]:
    """How often each failure is the first, among the selected candidates that are not certified."""
    return Counter(c.failed for c in of_policy(cells, policy) if c.failed is not None)


@dataclass(frozen=True, slots=True)
class Reading:
    """The primary contrast under one reading of the answers: raw, mended by the parser repair, or only the episodes whose
    selected candidate parses as it came."""

    reading: str
    first: tuple[int, int]
    second: tuple[int, int]
    first_unparsed: int
    second_unparsed: int

    @property
    def difference(self) -> float | None:
        a, b = rate(*self.first), rate(*self.second)
        return None if a is None or b is None else a - b


def readings(raw: Sequence[Cell], mended: Sequence[Cell], pair: tuple[str, str] = PRIMARY) -> list[Reading]:
    """The readings that there are."""
    clean = [c for c in raw if c.parses]
    found = []
    for name, cells in (("raw", raw), ("parser-repaired", mended), ("parse-clean", clean)):
        sides = [of_policy(cells, p) for p in pair]
        if all(sides):
            counts = [(sum(c.certified for c in s), len(s)) for s in sides]
            unparsed = [sum(not c.parses for c in s) for s in sides]
            found.append(Reading(name, counts[0], counts[1], unparsed[0], unparsed[1]))
    return found


@dataclass(frozen=True, slots=True)
class Lengths:
    """Mean lengths of the prompts of a policy, of calls behind the first, in characters and (where they are counted) tokens."""

    policy: str
    prompts: int
    characters: float
    tokens: float | None


def lengths(cells: Sequence[Cell]) -> list[Lengths]:
    """For every policy that has a second call with a known prompt."""
    found = []
    for policy in policies_in(cells):
        pairs = [p for c in of_policy(cells, policy) for p in zip(c.call_prompts[1:], c.call_tokens[1:], strict=True) if p[0]]
        if pairs:
            counted = [t for _, t in pairs if t is not None]
            tokens = sum(counted) / len(counted) if counted else None
            found.append(Lengths(policy, len(pairs), sum(n for n, _ in pairs) / len(pairs), tokens))
    return found
