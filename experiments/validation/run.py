"""The whole validation: all originals and edits of a folder of tasks, on several cores.

In: tasks, and what may take part. Out: a `Validation`. First the programs are compiled and run in batches, then each original and
each edit is judged by itself. The record is the same however many processes made it.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace

from corpus.tasks import Edit, Task
from equiv.decide import DEFAULT_BUDGET
from equiv.second_opinion import NotInstalled, SecondSolver, cvc5_solver
from experiments.validation.judge import judge
from experiments.validation.model import EditCheck, Execution, Means, OriginalCheck, Validation
from experiments.validation.originals import check_original
from experiments.validation.programs import Program, Ran, program_of, run_programs
from experiments.validation.verus_word import confirm_edit, verify_original
from referee.fence import FenceError, Runner, Unfenced, find_fence
from referee.toolchain import Toolchain
from referee.verus import Verus

#: What a question may cost cvc5, as a share of what it may cost Z3.
SECOND_SHARE = 0.25
#: (how many are done, how many there are, the name of the one that is done)
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Tools:
    """What takes part. `second`: put every question to cvc5 too; `toolchain`, `verus`: None where there is none."""

    second: bool
    toolchain: Toolchain | None
    verus: Verus | None
    budget: int = DEFAULT_BUDGET


@dataclass(frozen=True, slots=True)
class _Work:
    """One original (`edit` None) or one edit; the task comes without its edits."""

    task: Task
    edit: Edit | None
    execution: Execution
    tools: Tools
    runner: Runner | None

    @property
    def name(self) -> str:
        return self.task.name if self.edit is None else f"{self.task.name}/{self.edit.name}"


def validate(tasks: Sequence[Task], tools: Tools, *, root: str, jobs: int = 1, progress: Progress | None = None) -> Validation:
    """Checks every original and every edit of the tasks, with `jobs` processes. `root` is how the record calls their folder."""
    runner = _runner() if tools.toolchain is not None or tools.verus is not None else None
    total = len(tasks) + sum(len(t.edits) for t in tasks)
    if progress is not None:
        progress(0, total, "compiling and running the programs")
    executions = _executions(tasks, tools, runner, jobs)
    work = []
    for task in tasks:
        bare = replace(task, edits=())
        for edit in (None, *task.edits):
            name = task.name if edit is None else f"{task.name}/{edit.name}"
            work.append(_Work(bare, edit, executions[name], tools, runner if tools.verus is not None else None))
    done: list[OriginalCheck | EditCheck] = []
    with _mapped(work, jobs) as results:
        for one, result in zip(work, results, strict=True):
            done.append(result)
            if progress is not None:
                progress(len(done), total, one.name)
    originals = tuple(r for r in done if isinstance(r, OriginalCheck))
    edits = tuple(r for r in done if isinstance(r, EditCheck))
    return Validation(root, originals, edits, _named(tools, runner))


@contextmanager
def _mapped(work: Sequence[_Work], jobs: int) -> Iterator[Iterator[OriginalCheck | EditCheck]]:
    """The results, in order, as they come."""
    if jobs <= 1:
        yield map(_check, work)
        return
    # Started afresh: a process that shares the memory of another one may share a solver with it.
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        try:
            yield pool.map(_check, work, chunksize=2)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _check(work: _Work) -> OriginalCheck | EditCheck:
    tools = work.tools
    if work.edit is None:
        original = check_original(work.task, work.execution)
        if tools.verus is None or work.runner is None:
            return original
        said, wrong = verify_original(work.task, tools.verus, work.runner)
        return replace(original, verus=said, errors=(*original.errors, *wrong))
    checked = judge(work.task, work.edit, work.execution, _second(tools), tools.budget)
    if tools.verus is None or work.runner is None:
        return checked
    said, confirms, wrong = confirm_edit(work.task, work.edit, tools.verus, work.runner, tools.budget)
    targets = tuple(replace(t, means=(*t.means, Means.VERUS)) if confirms else t for t in checked.targets)
    return replace(checked, targets=targets, verus=said, errors=(*checked.errors, *wrong))


def _second(tools: Tools) -> SecondSolver | None:
    """cvc5, with less to spend than `check --cross-check` gives it: what it answers at all it mostly answers at once."""
    if not tools.second:
        return None
    solver = cvc5_solver()
    return SecondSolver(solver.name, lambda script, budget: solver.answer(script, int(budget * SECOND_SHARE)))


def has_second_solver() -> bool:
    """Whether cvc5 is installed."""
    try:
        cvc5_solver()
    except NotInstalled:
        return False
    return True


def _runner() -> Runner:
    try:
        return find_fence()
    except FenceError:
        return Unfenced()


def _named(tools: Tools, runner: Runner | None) -> dict[str, str]:
    """The tools by name and version, or that they were not there."""
    return {
        "cvc5": cvc5_solver().name if tools.second else "not run: cvc5 is not installed",
        "rustc": tools.toolchain.version if tools.toolchain is not None else "not run: no rustc on the search path",
        "fence": runner.describe() if runner is not None and tools.toolchain is not None else "not needed",
        "verus": tools.verus.version if tools.verus is not None else "not run: no Verus here",
    }


# --- programs ----------------------------------------------------------------------------------------------------------


def _executions(tasks: Sequence[Task], tools: Tools, runner: Runner | None, jobs: int) -> dict[str, Execution]:
    """What became of every original and edit on the cases of its task, by name."""
    texts = [(t.name, t.original, t) for t in tasks]
    texts += [(f"{t.name}/{e.name}", e.submitted, t) for t in tasks for e in t.edits]
    if tools.toolchain is None or runner is None:
        return {name: Execution(why="no rustc on the search path", skipped=True) for name, _, _ in texts}
    programs = {name: program_of(text, task.cases) for name, text, task in texts}
    ran = run_programs((p for p in programs.values() if isinstance(p, Program)), tools.toolchain, runner, jobs)
    return {name: _execution(programs[name], ran, task) for name, _, task in texts}


def _execution(program: Program | str, ran: dict[str, Ran], task: Task) -> Execution:
    if isinstance(program, str):
        return Execution(why=program)
    result = ran[program.key]
    if result.why:
        return Execution(why=result.why)
    failed = [r for r in result.judged(task.cases) if not r.passed]
    first = f"case {failed[0].number + 1}: {failed[0].why}" if failed else ""
    return Execution(len(task.cases), len(failed), first)
