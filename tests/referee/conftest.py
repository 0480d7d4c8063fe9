"""What the referee's tests share: a fence where this machine has one, task folders, campaigns."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from corpus.tasks import Task, load_tasks
from referee import manifest as manifest_module
from referee.budget import Budget
from referee.fence import Fence, FenceError, Runner, find_fence
from referee.log import Log
from referee.loop import LOG, MANIFEST, Campaign, Plan
from referee.manifest import make_manifest, write_manifest
from referee.probes import NAMES, compile_list
from referee.task import write_corpus_task
from referee.toolchain import Toolchain, find_rustc

RECORDINGS = Path(__file__).resolve().parent.parent / "verus-recordings"
NEEDED_WALL = 20.0


@pytest.fixture(scope="session")
def fence() -> Fence:
    """The fence; tests that need it are skipped, with the reason, where none works."""
    try:
        return find_fence()
    except FenceError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def toolchain() -> Toolchain:
    found = find_rustc()
    if found is None:
        pytest.skip("no rustc on this machine: what needs a compiler is not tested")
    return found


@pytest.fixture(scope="session")
def corpus() -> dict[str, Task]:
    return {task.name: task for task in load_tasks()}


LEMMA_TASK = """\
title = "A small lemma"
description = "The square of a number is not negative."
target = "square"
"""
LEMMA = """\
use vstd::prelude::*;

verus! {

proof fn square(x: int)
    ensures
        x * x >= 0,
{
}

} // verus!
"""


def lemma_task(folder: Path, **files: str) -> Path:
    """A task of a few lines, without withheld cases: it needs no compiler."""
    folder.mkdir(parents=True)
    for name, text in {"task.toml": LEMMA_TASK, "given.rs": LEMMA, "reference.rs": LEMMA + "// the reference\n", **files}.items():
        (folder / name).write_text(text)
    return folder


def code_task(folder: Path, task: Task) -> Path:
    return write_corpus_task(task, folder)


Freeze = Callable[..., Path]


@pytest.fixture(scope="session", autouse=True)
def steady_harness() -> Iterator[str]:
    """The harness as it was when the tests began: a working tree may be edited while they run."""
    once = manifest_module.harness_hash()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_module, "harness_hash", lambda: once)
        yield once


@pytest.fixture(scope="session")
def programs(fence: Fence) -> list[dict[str, str]] | None:
    """What a compilation executes, traced once for all campaigns."""
    return compile_list(fence, find_rustc())


@pytest.fixture
def freeze(tmp_path: Path, fence: Fence, programs: list[dict[str, str]] | None, monkeypatch: pytest.MonkeyPatch) -> Freeze:
    """Freezes task folders into a new campaign folder. Its log begins with verdicts of the probes, which are really taken in
    test_fence.py, test_attacks.py and the demo; `probed=False` leaves them out."""

    monkeypatch.setattr(manifest_module, "compile_list", lambda *_: programs)

    def made(
        folders: Sequence[Path], name: str = "campaign", runner: Runner | None = None, probed: bool = True, **budget: Any
    ) -> Path:
        out = tmp_path / name
        out.mkdir()
        limits = Budget(**{"wall": NEEDED_WALL, **budget})
        manifest = make_manifest(folders, verus=None, budget=limits, runner=runner or fence)
        write_manifest(manifest, out / MANIFEST)
        if probed and runner is None:
            log = Log(out / LOG)
            for probe in NAMES:
                log.append("probe", {"manifest": manifest["id"], "name": probe, "passed": True, "fence": fence.describe()})
            log.close()
        return out

    return made


@pytest.fixture(scope="session")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder that an agent may read."""
    folder = tmp_path_factory.mktemp("shown")
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def run_campaign(
    folder: Path, runner: Runner, agent: Sequence[str], attempts: int = 1, corrections: int = 0, show: Sequence[Path] = ()
) -> Campaign:
    """Runs a campaign without Verus, and closes it."""
    campaign = Campaign(folder, runner, None)
    try:
        campaign.run(Plan(tuple(agent), attempts, corrections, tuple(show)))
    finally:
        campaign.close()
    return campaign


def log_of(folder: Path) -> Path:
    return folder / LOG
