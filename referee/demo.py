"""A demonstration: tasks of the corpus, two campaigns, the two agents that need no model.

In: a folder. Out: two campaigns in it. The first is run by @standard-proofs. The second replays a recording made from the
corpus: attempt 1 begins with an edit that weakens the contract and corrects it to a good solution, attempt 2 hands in the good
solution.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from corpus.tasks import Task, load_tasks
from referee.budget import Budget
from referee.fence import Runner
from referee.log import verify
from referee.loop import LOG, MANIFEST, Campaign, Plan
from referee.manifest import make_manifest, write_manifest
from referee.report import report_text
from referee.task import write_corpus_task
from referee.verus import Verus

TASKS = ("door", "hex_value", "meter", "midpoint", "odd_square", "power_adds", "sort", "swap_at")
_PREDICTION = 'expected = "@standard-proofs solves no executable task; without Verus nothing is accepted"\n'


def run_demo(
    folder: Path,
    runner: Runner,
    verus: Verus | None,
    say: Callable[[str], None],
    *,
    tasks: Sequence[str] = TASKS,
    attempts: int = 2,
    corrections: int = 1,
) -> list[Path]:
    """Runs both campaigns and says their reports. Returns the logs."""
    chosen = [t for t in load_tasks() if t.name in tasks]
    folder = folder.resolve()
    (folder / "tasks").mkdir(parents=True, exist_ok=True)
    folders = [write_corpus_task(t, folder / "tasks" / t.name, prediction=_PREDICTION) for t in chosen]
    recording = folder / "recording.json"
    recording.write_text(json.dumps(recorded(chosen), indent=1), encoding="utf-8")
    budget = Budget(wall=60.0, tokens=100_000, dollars=1.0)
    logs = []
    for name, agent, show in (
        ("standard-proofs", ("@standard-proofs",), ()),
        ("replay", ("@replay", str(recording)), (recording,)),
    ):
        campaign_folder = folder / name
        campaign_folder.mkdir(exist_ok=True)
        if not (campaign_folder / MANIFEST).exists():
            manifest = make_manifest(folders, verus=verus, budget=budget, runner=runner)
            write_manifest(manifest, campaign_folder / MANIFEST)
        say(f"--- campaign {name}: {len(folders)} tasks, {attempts} attempts, {corrections} corrections")
        campaign = Campaign(campaign_folder, runner, verus, say)
        try:
            campaign.run(Plan(agent, attempts, corrections, show))
        finally:
            campaign.close()
        logs.append(campaign_folder / LOG)
        say("")
        say(report_text(verify(logs[-1])))
    return logs


def recorded(tasks: Sequence[Task]) -> dict[str, object]:
    """A recording for the replay agent: a weakening edit, then the corpus's own solution."""
    found: dict[str, object] = {}
    for task in tasks:
        broken = next((e for e in task.edits if not e.kept), None)
        good = {"solution": task.original, "usage": {"tokens": 1200, "dollars": 0.01}}
        first = good if broken is None else {"solution": broken.submitted, "usage": {"tokens": 800, "dollars": 0.006}}
        found[f"{task.name}/1/0"], found[f"{task.name}/1/1"], found[f"{task.name}/2/0"] = first, good, good
    return found
