"""A campaign: N independent attempts at each task, each with up to E corrections, every step in the log.

In: a campaign folder (`freeze` made it), an agent's command. Out: records in `log.jsonl`, what the agents wrote in
`artifacts/`. A campaign that was stopped at any moment, however hard, goes on where its log ends.
"""

from __future__ import annotations

import hashlib
import platform
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.budget import Budget, Usage, reached, read_usage
from referee.feedback import SOLUTION, USAGE, task_files
from referee.fence import Fence, Job, Runner, Unfenced, python_runtime
from referee.judge import Judgement, World, judge
from referee.log import Log
from referee.manifest import ManifestError, differences, read_manifest
from referee.outcome import CORRECTABLE, Outcome
from referee.probes import NAMES, ProbeResult, run_probes
from referee.process import Limits, Ran
from referee.task import RefereeTask, load_task
from referee.toolchain import find_rustc
from referee.verus import Verus

LOG, MANIFEST, ARTIFACTS, SCRATCH = "log.jsonl", "manifest.json", "artifacts", "scratch"
_MOST_SOLUTION, _MOST_USAGE, _KEPT_OUTPUT = 1 << 20, 1 << 16, 4000
_HARNESS = Path(__file__).resolve().parent.parent
#: The agents that need no model, by the name that stands for the command.
BUILT_IN = {"@replay": "replay.py", "@standard-proofs": "standard_proofs.py"}


class Refused(Exception):
    """The driver did not start; the message says why."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a campaign is run."""

    agent: tuple[str, ...]
    attempts: int
    corrections: int
    show: tuple[Path, ...] = ()
    gateway: Path | None = None


@dataclass(slots=True)
class _Attempt:
    """One trajectory while it runs."""

    task: RefereeTask
    number: int
    correction: int = 0
    solution: str = ""
    last: Judgement | None = None
    used: Usage = field(default_factory=Usage)


class Campaign:
    """An open campaign folder."""

    def __init__(self, folder: Path, runner: Runner, verus: Verus | None, say: Callable[[str], None] = lambda _: None) -> None:
        self.folder = folder.resolve()
        self.runner, self.verus, self.say = runner, verus, say
        self.manifest = read_manifest(self.folder / MANIFEST)
        self.budget = Budget(**self.manifest["budget"])
        self.log = Log(self.folder / LOG)
        scratch = self.folder / SCRATCH
        shutil.rmtree(scratch, ignore_errors=True)  # what a killed run left
        scratch.mkdir()
        (self.folder / ARTIFACTS).mkdir(exist_ok=True)
        self.runner.scratch = scratch
        self.world = World(runner, verus, find_rustc(), self.budget.solver, self.budget.verus_rlimit)

    def close(self) -> None:
        self.runner.scratch = None
        shutil.rmtree(self.folder / SCRATCH, ignore_errors=True)
        self.log.close()

    @property
    def fenced(self) -> bool:
        return isinstance(self.runner, Fence)

    # --- before the driver starts --------------------------------------------------------------------------------------

    def check_world(self) -> None:
        """Refuses where anything differs from the frozen world."""
        found = differences(self.manifest, verus=self.verus, runner=self.runner)
        if found:
            self.log.append("refused", {"manifest": self.manifest["id"], "differences": found})
            raise ManifestError("the world is not the frozen one: " + "; ".join(found), found)

    def hidden(self) -> tuple[Path, ...]:
        """What no command may see: tasks, campaign, harness."""
        folders = [Path(entry["folder"]) for entry in self.manifest["tasks"].values()]
        return (self.folder, *folders, *(_HARNESS / p for p in ("referee", "corpus", "equiv", "depgraph", "translate", "tests")))

    def hidden_files(self) -> tuple[Path, ...]:
        """The files whose reading the probe tries, by their real paths."""
        found = [self.folder / MANIFEST, self.folder / LOG, Path(__file__).resolve()]
        for entry in self.manifest["tasks"].values():
            found += [Path(entry["folder"]) / name for name in entry["files"]]
        return tuple(found)

    def probe(self, only: Sequence[str] = NAMES) -> list[ProbeResult]:
        """Runs probes and records each verdict."""
        programs = self.manifest["compiler_executes"]
        results = run_probes(self.runner, self.hidden_files(), self.world.toolchain, programs, only=only)
        for result in results:
            body = {
                "manifest": self.manifest["id"],
                "name": result.name,
                "passed": result.passed,
                "why": result.why,
                "tried": list(result.tried),
                "leaks": list(result.leaks),
                "control_leaks": list(result.control_leaks),
                "fence": self.runner.describe(),
            }
            self.log.append("probe", body)
            self.say(f"probe {result.name}: {'pass' if result.passed else 'FAIL'} ({result.why})")
        return results

    def last_verdicts(self) -> dict[str, bool]:
        """The last verdict of every probe, for this manifest and this fence."""
        found: dict[str, bool] = {}
        for record in self.log.of("probe"):
            if record.body["manifest"] == self.manifest["id"] and record.body["fence"] == self.runner.describe():
                found[record.body["name"]] = record.body["passed"]
        return found

    def require_probes(self) -> None:
        """Runs what has no verdict yet, and refuses unless the last verdict of every probe is a pass."""
        missing = [name for name in NAMES if name not in self.last_verdicts()]
        if missing:
            self.probe(missing)
        failed = [name for name in NAMES if not self.last_verdicts().get(name)]
        if failed:
            self.log.append("refused", {"manifest": self.manifest["id"], "probes": failed})
            raise Refused(f"the last verdict of these probes is not a pass: {', '.join(failed)}; see `samespec referee probe`")

    # --- the driver ----------------------------------------------------------------------------------------------------

    def run(self, plan: Plan) -> None:
        """Runs, or goes on with, the campaign. Raises `ManifestError` or `Refused` before anything is scored."""
        self.check_world()
        self._header(plan)
        if self.fenced:
            self.require_probes()
        else:
            self.say("NOT FENCED: the agent runs with this user's rights, and every record says so")
        for name, entry in self.manifest["tasks"].items():
            task = load_task(Path(entry["folder"]))
            for number in range(1, plan.attempts + 1):
                if not self._finished(name, number):
                    self._attempt(self._resumed(task, number), plan)
        self.log.append("end", {"attempts": len(self.log.of("attempt"))})

    def _header(self, plan: Plan) -> None:
        body = {
            "manifest": self.manifest["id"],
            "agent": list(plan.agent),
            "attempts": plan.attempts,
            "corrections": plan.corrections,
            "shown": [str(p) for p in plan.show],
            "gateway": None if plan.gateway is None else str(plan.gateway),
            "fenced": self.fenced,
            "verus": None if self.verus is None else self.verus.version,
        }
        starts = self.log.of("campaign")
        if starts and {k: starts[0].body.get(k) for k in body} != body:
            raise Refused("this campaign was begun in another way (agent, attempts, corrections or fence); begin a new one")
        machine = {"machine": platform.machine(), "system": platform.system(), "fence": self.runner.describe()}
        self.log.append("resumed" if starts else "campaign", {**body, **machine})

    def _finished(self, name: str, number: int) -> bool:
        return any(r.body["task"] == name and r.body["attempt"] == number for r in self.log.of("attempt"))

    def _resumed(self, task: RefereeTask, number: int) -> _Attempt:
        """An attempt as its records left it. A judgement is made again where the next step needs one."""
        attempt = _Attempt(task, number, solution=task.given)
        left: bytes | None = None
        for record in self.log.of("call"):
            body = record.body
            if body["task"] != task.name or body["attempt"] != number:
                continue
            attempt.correction = body["correction"] + 1
            attempt.used = attempt.used.plus(Usage.from_json(body["usage"]))
            left = self._artifact(body["submission"])
            if left is not None:
                attempt.solution = left.decode("utf-8", errors="replace")
        if attempt.correction:
            attempt.last = judge(task, left, self.world)
        return attempt

    def _attempt(self, attempt: _Attempt, plan: Plan) -> None:
        task = attempt.task
        if task.inexpressible is not None:
            self._finish(attempt, Outcome.INEXPRESSIBLE, task.inexpressible)
            return
        cap, spent = self.budget.campaign_dollars, self._spent()
        if cap is not None and spent >= cap and attempt.correction == 0:
            self._finish(attempt, Outcome.UNREACHED, f"the campaign's cap was reached: {spent:.4f} of {cap:g} dollars")
            return
        if attempt.last is not None:  # the campaign was stopped in the middle of this attempt
            attempt.correction -= 1
            step = self._next(attempt, attempt.last, plan, self._stopped(attempt))
            attempt.correction += 1
            if step is not None:
                self._finish(attempt, *step)
                return
        while True:
            judgement, stopped = self._call(attempt, plan)
            step = self._next(attempt, judgement, plan, stopped)
            attempt.last = judgement
            attempt.correction += 1
            if step is not None:
                self._finish(attempt, *step)
                return

    def _stopped(self, attempt: _Attempt) -> str | None:
        """What stopped the agent in the last recorded call of an attempt."""
        mine = [r.body for r in self.log.of("call") if (r.body["task"], r.body["attempt"]) == (attempt.task.name, attempt.number)]
        return mine[-1]["agent"]["stopped"] if mine else None

    def _next(
        self, attempt: _Attempt, judgement: Judgement, plan: Plan, stopped: str | None
    ) -> tuple[Outcome, str, Judgement] | None:
        """How the attempt ends after a call, None where another correction follows."""
        halted = reached(self.budget, attempt.used, stopped=stopped)
        if halted is not None:
            return Outcome.HALT, halted, judgement
        metered = self.budget.tokens is not None or self.budget.dollars is not None or self.budget.campaign_dollars is not None
        if metered and not attempt.used.reported:
            return Outcome.ERROR, "there is a budget of tokens or dollars, and no usage file that can be read", judgement
        last = attempt.correction >= plan.corrections
        if judgement.outcome in CORRECTABLE and not last:
            return None
        return judgement.outcome, judgement.why, judgement

    def _spent(self) -> float:
        return sum(float(r.body["usage"]["dollars"]) for r in self.log.of("call"))

    def _call(self, attempt: _Attempt, plan: Plan) -> tuple[Judgement, str | None]:
        """One call of the agent and its judgement, recorded."""
        task, budget = attempt.task, self.budget
        files = task_files(task, attempt.solution, attempt=attempt.number, correction=attempt.correction, last=attempt.last)
        left_wall = max(0.1, budget.wall - attempt.used.wall)
        limits = Limits(
            left_wall, budget.memory_mb, budget.processes, budget.output_kb << 10, budget.disk_mb, file_mb=budget.disk_mb
        )
        ran = self.runner.run(self._job(task, attempt, plan, files, limits))
        usage = read_usage(ran.exports.get(USAGE), min(ran.wall, left_wall) if ran.stopped == "wall" else ran.wall)
        attempt.used = attempt.used.plus(usage)
        left = ran.exports.get(SOLUTION)
        judgement = judge(task, left, self.world)
        if left is not None:
            attempt.solution = left.decode("utf-8", errors="replace")
        body = {
            "task": task.name,
            "attempt": attempt.number,
            "correction": attempt.correction,
            "submission": self._keep(left),
            "usage": usage.as_json(),
            "agent": _ran_json(ran),
            "agent_output": self._keep(_output(ran)),
            "fenced": self.fenced,
            "contract_restated": True,
            **judgement.as_json(),
        }
        for name, result in (("verus_raw", judgement.verus), ("verus_no_cheating_raw", judgement.no_cheating)):
            if result is not None:
                body[name] = self._keep(f"{result.raw_out}\n--- standard error ---\n{result.raw_err}".encode())
        self.log.append("call", body)
        return judgement, ran.stopped

    def _job(self, task: RefereeTask, attempt: _Attempt, plan: Plan, files: dict[str, bytes], limits: Limits) -> Job:
        command, show = plan.agent, list(plan.show)
        if command[0] in BUILT_IN:
            script = (Path(__file__).parent / "agents" / BUILT_IN[command[0]]).read_bytes()
            program, needed = python_runtime()
            files = {**files, ".agent.py": script}
            command = (program, "-I", ".agent.py", *command[1:])
            show += needed
        path: tuple[Path, ...] = ()
        if self.world.toolchain is not None:
            show += self.world.toolchain.read_only
            path = (self.world.toolchain.sysroot / "bin",)
        if self.verus is not None:
            show.append(self.verus.program.parent)
            path = (*path, self.verus.program.parent)
        env = {"SAMESPEC_TASK": task.name, "SAMESPEC_ATTEMPT": str(attempt.number)}
        env["SAMESPEC_CORRECTION"] = str(attempt.correction)
        exports = {SOLUTION: _MOST_SOLUTION, USAGE: _MOST_USAGE}
        return Job(command, limits, files, exports, tuple(show), self.hidden(), env, path, gateway=plan.gateway)

    def _finish(self, attempt: _Attempt, outcome: Outcome, why: str, judgement: Judgement | None = None) -> None:
        halted = outcome is Outcome.HALT
        body = {
            "task": attempt.task.name,
            "attempt": attempt.number,
            "outcome": str(outcome),
            "why": why,
            "would_be": str(judgement.outcome) if halted and judgement is not None else None,
            "would_be_why": judgement.why if halted and judgement is not None else None,
            "correctness": str(judgement.tested.verdict) if judgement is not None else "not run",
            "calls": attempt.correction,
            "usage": attempt.used.as_json(),
            "fenced": self.fenced,
        }
        self.log.append("attempt", body)
        diagnostic = f" (would have been {body['would_be']})" if halted else ""
        self.say(f"{attempt.task.name} attempt {attempt.number}: {outcome}{diagnostic}: {why}")

    # --- artifacts -----------------------------------------------------------------------------------------------------

    def _keep(self, data: bytes | None) -> str | None:
        """Stores bytes under their hash; the record that names it vouches for it."""
        if data is None:
            return None
        name = hashlib.sha256(data).hexdigest()
        path = self.folder / ARTIFACTS / name
        if not path.exists() or path.stat().st_size != len(data):
            part = path.with_suffix(".part")
            part.write_bytes(data)
            part.replace(path)
        return name

    def _artifact(self, name: str | None) -> bytes | None:
        if name is None:
            return None
        data = (self.folder / ARTIFACTS / name).read_bytes()
        if hashlib.sha256(data).hexdigest() != name:
            raise Refused(f"artifact {name} was changed: its hash does not fit")
        return data


def _ran_json(ran: Ran) -> dict[str, Any]:
    return {
        "status": ran.status,
        "stopped": ran.stopped,
        "wall": round(ran.wall, 3),
        "peak_memory_mb": ran.peak_memory_mb,
        "peak_processes": ran.peak_processes,
        "left_behind": ran.left_behind,
        "note": ran.note,
    }


def _output(ran: Ran) -> bytes | None:
    """The end of what the agent printed: kept for people, read by nobody."""
    if not ran.stdout and not ran.stderr:
        return None
    return ran.stdout[-_KEPT_OUTPUT:] + b"\n--- standard error ---\n" + ran.stderr[-_KEPT_OUTPUT:]


def replay_file(folder: Path, records: Sequence[Any]) -> dict[str, Any]:
    """A campaign's submissions as the replay agent reads them: {"task/attempt/correction": text}."""
    found: dict[str, Any] = {}
    for record in records:
        body = record.body
        if record.kind == "call" and body["submission"] is not None:
            text = (folder / ARTIFACTS / body["submission"]).read_bytes().decode("utf-8", errors="replace")
            key = f"{body['task']}/{body['attempt']}/{body['correction']}"
            found[key] = {"solution": text, "usage": {"tokens": body["usage"]["tokens"], "dollars": body["usage"]["dollars"]}}
    return found


def open_runner(unfenced: bool) -> Runner:
    """The fence, or none where that is wished. Raises `FenceError`."""
    from referee.fence import find_fence

    return Unfenced() if unfenced else find_fence()
