"""Tasks: made by rule from a file with a correct implementation, and fixed before any candidate is seen.

In: a contract's file, the implementation, given cases. Out: `Task`s, and for what makes none the reason. The rule:

- The function is executable, `requires` holds on every given case, and there are at least three cases.
- The oracle is the correct implementation, compiled. It is run on the given cases, whose outputs have to be its own, and on
  generated inputs (`witness.inputs`). An output that the contract rejects makes no task: then the implementation is wrong.
- Each weakening of `witness.weaken` is a task if `equiv` decides that it is weaker: the counterexample is replayed, and the full
  contract is shown to keep everything that the weakened one promises.
- The cases are the function's, the same for all its tasks: ordered by a hash of their inputs, given before generated; the last of
  them are withheld (at least two).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from equiv.check import check_sources
from equiv.verdict import CheckReport, Verdict
from translate.source import from_text
from translate.values import Value
from witness.contract import Opened, WitnessError, open_function, working
from witness.data import from_json, to_json
from witness.embedded import Verifier
from witness.examples import examples
from witness.inputs import check_writable, more_inputs, text_of
from witness.model import VISIBLE, WITHHELD, Case, Task
from witness.program import Machine, run_function
from witness.store import sealed, sha256
from witness.weaken import Weakening, weakenings

#: Official cases of a function, and the fewest with which it makes tasks.
CASES: Final = VISIBLE + WITHHELD
FEWEST: Final = 3
#: Z3's resource units for the question whether a weakening is weaker.
BUDGET: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Source:
    """What tasks are made from. `name` begins their names; `path` is shown as their source; `full` is the file with the full
    contract and the correct body, `implementation` what is compiled; `given` are cases that are known, in JSON's form
    (`witness.store.read_case`)."""

    name: str
    path: str
    description: str
    function: str
    full: str
    implementation: str
    given: tuple[dict[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class NoTask:
    """Why a function, or one of its weakenings, makes no task."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Made:
    tasks: tuple[Task, ...]
    refused: tuple[NoTask, ...]


def make_tasks(
    source: Source, machine: Machine, *, budget: int = BUDGET, wanted: Callable[[Weakening], bool] = lambda w: True
) -> Made:
    """The tasks of one function; `wanted` may leave weakenings out before they are looked at."""
    try:
        with working():
            opened = open_function(source.path, source.full, source.function)
            verifier = Verifier(opened, budget)
            cases = official_cases(verifier, source, machine)
            kept = len(cases) - _withheld(len(cases))
            split = (cases[:kept][:VISIBLE], cases[kept:])
            shown = examples(opened, split[0])
            found = [w for w in weakenings(opened) if wanted(w)]
            records = [_record(source, opened, w, split, shown) for w in found]
    except WitnessError as problem:
        return Made((), (NoTask(source.name, str(problem)),))
    if not records:
        return Made((), (NoTask(source.name, "the contract has no postcondition about the output that could be weakened"),))
    tasks, refused = [], []
    for task in _named(records, source.name):
        why = _not_weaker(task, budget)
        if why is None:
            tasks.append(sealed(task))
        else:
            refused.append(NoTask(task.name, why))
    return Made(tuple(tasks), tuple(refused))


def _record(
    source: Source, opened: Opened, weakening: Weakening, split: tuple[Sequence[Case], Sequence[Case]], shown: tuple[str, ...]
) -> Task:
    return Task(
        name=source.name,
        description=source.description,
        source=source.path,
        function=opened.ref.path.removeprefix("crate::"),
        full=source.full,
        weakened=weakening.text,
        implementation=source.implementation,
        omission=weakening.omission,
        parameters=opened.parameters(),
        result_type=opened.result_type,
        result_sort=opened.result_sort,
        visible=tuple(split[0]),
        withheld=tuple(split[1]),
        examples=shown,
    )


def _named(tasks: Sequence[Task], name: str) -> list[Task]:
    """The tasks under names of their own: the source's name, the rule, and a number where the rule made several."""
    many = Counter(t.omission.rule for t in tasks)
    met: Counter[str] = Counter()
    named = []
    for task in tasks:
        rule = task.omission.rule
        met[rule] += 1
        named.append(replace(task, name=f"{name}.{rule}" + (f"-{met[rule]}" if many[rule] > 1 else "")))
    return named


# --- cases ---------------------------------------------------------------------------------------------------------------


def official_cases(verifier: Verifier, source: Source, machine: Machine) -> list[Case]:
    """The official cases of a function: the given ones and generated ones, with the outputs of the implementation.

    Raises `WitnessError` where there are too few, or where implementation, given outputs and contract contradict each other.
    """
    check_writable(verifier)
    opened = verifier.opened
    parameters = opened.parameters()
    given = [_given_inputs(opened, data, f"case {n}") for n, data in enumerate(source.given, 1)]
    for n, values in enumerate(given, 1):
        if not verifier.accepts(values):
            raise WitnessError(f"{source.path}: case {n} of `{source.function}`: `requires` does not hold there for certain")
    given = list(dict.fromkeys(given))
    inputs = given + more_inputs(verifier, given, max(0, CASES - len(given)))
    if len(inputs) < FEWEST:
        raise WitnessError(f"{source.path}: {len(inputs)} inputs of `{source.function}` meet `requires`; {FEWEST} are needed")
    sorts = [p.sort for p in parameters]
    rows = [[to_json(x, s) for x, s in zip(values, sorts, strict=True)] for values in inputs]
    ran = run_function(source.implementation, source.function, parameters, rows, machine)
    if ran.stopped:
        raise WitnessError(f"{source.path}: the implementation of `{source.function}` does not run to an end: {ran.stopped}")
    cases = []
    for n, (values, answer) in enumerate(zip(inputs, ran.answers, strict=True)):
        if answer.panic is not None:
            raise WitnessError(f"{source.path}: the implementation of `{source.function}` panics at {rows[n]}: {answer.panic}")
        output = None if opened.result_sort is None else from_json(answer.result, opened.result_sort, "result")
        final = tuple(from_json(answer.final[i], parameters[i].sort, "final") for i in opened.mutable)
        broken = verifier.breaks(values, output, final)
        if broken is not None:
            raise WitnessError(f"{source.path}: the implementation of `{source.function}` breaks `{broken}` at {rows[n]}")
        cases.append(Case(values, output, final, "given" if n < len(given) else "generated"))
    _agree(opened, source, cases)
    return _ordered(cases, opened)


def _given_inputs(opened: Opened, data: dict[str, object], at: str) -> tuple[Value, ...]:
    given = data["inputs"]
    parameters = opened.parameters()
    assert isinstance(given, dict)
    if len(given) != len(parameters):
        raise WitnessError(f"{at}: {len(given)} inputs for {len(parameters)} parameters of `{opened.fn.name}`")
    return tuple(from_json(x, p.sort, f"{at}.{n}") for (n, x), p in zip(given.items(), parameters, strict=True))


def _agree(opened: Opened, source: Source, cases: Sequence[Case]) -> None:
    """The given outputs have to be those of the implementation."""
    by_inputs = {c.inputs: c for c in cases}
    for n, data in enumerate(source.given, 1):
        case = by_inputs[_given_inputs(opened, data, f"case {n}")]
        if not _said_so(opened, data, case, f"case {n}"):
            raise WitnessError(f"{source.path}: case {n} of `{source.function}` has another output than the implementation")


def _said_so(opened: Opened, data: dict[str, object], case: Case, at: str) -> bool:
    """Whether a case's outputs are those of a given one, as far as that tells them."""
    if opened.result_sort is not None and "output" in data:
        if from_json(data["output"], opened.result_sort, f"{at}.output") != case.output:
            return False
    inputs, final = data["inputs"], data.get("final", {})
    assert isinstance(inputs, dict) and isinstance(final, dict)
    names = [list(inputs)[i] for i in opened.mutable]
    sorts = [opened.contract.inputs[i].sort for i in opened.mutable]
    return all(
        n not in final or from_json(final[n], s, f"{at}.final.{n}") == x for n, s, x in zip(names, sorts, case.final, strict=True)
    )


def _ordered(cases: Sequence[Case], opened: Opened) -> list[Case]:
    """Given cases first, each group in the order of a hash of the inputs; the two last of the given ones at the very end, so that
    withheld cases are of both kinds."""
    sorts = [p.sort for p in opened.parameters()]
    given, made = (
        sorted((c for c in cases if c.origin == origin), key=lambda c: sha256(text_of(c.inputs, sorts)))
        for origin in ("given", "generated")
    )
    kept = max(FEWEST, len(given) - 2)
    return [*given[:kept], *made, *given[kept:]]


def _withheld(count: int) -> int:
    """How many of so many cases are withheld."""
    return max(1, min(WITHHELD, max(2, count // 3), count - FEWEST)) if count > FEWEST else 0


# --- weaker --------------------------------------------------------------------------------------------------------------


def _not_weaker(task: Task, budget: int) -> str | None:
    """Why `equiv` does not call the weakened contract weaker; None where it does."""
    full, weakened = from_text("full.rs", task.full), from_text("weakened.rs", task.weakened)
    target = f"crate::{task.function}"
    report = check_sources(full, weakened, targets=[target], budget=budget)
    verdict = _verdict(report)
    if verdict is not Verdict.WEAKENED:
        return f"the weakened contract is not shown to be weaker: equiv says `{verdict}`"
    shown = [r.counterexample for r in report.targets[0].reasons if r.counterexample is not None]
    if not any(c.replayed for c in shown):
        return "the weakened contract is called weaker, and no counterexample was replayed"
    back = _verdict(check_sources(weakened, full, targets=[target], budget=budget))
    if not back.kept():
        return f"the full contract is not shown to promise all that the weakened one does: equiv says `{back}`"
    return None


def _verdict(report: CheckReport) -> Verdict:
    return report.targets[0].verdict
