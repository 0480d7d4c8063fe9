"""SIGKILL at any moment of a campaign: the log verifies up to there, the campaign goes on, and nothing is left running."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from referee.fence import Fence
from referee.log import verify
from tests.referee.conftest import Freeze, lemma_task, log_of
from tests.referee.test_verus_run import running

ROOT = Path(__file__).resolve().parents[2]
DRIVER = """
import sys
from pathlib import Path
from referee import manifest
from referee.fence import find_fence
from referee.loop import Campaign, Plan
manifest.harness_hash = lambda: sys.argv[3]  # the working tree may be edited meanwhile
campaign = Campaign(Path(sys.argv[1]), find_fence(), None)
campaign.run(Plan(("/bin/sh", sys.argv[2]), 4, 1, (Path(sys.argv[2]),)))
campaign.close()
"""
#: Seconds after the first new record of a run at which it is killed.
MOMENTS = (0.0, 0.07, 0.2, 0.4)


def test_a_killed_campaign_goes_on(tmp_path: Path, fence: Fence, freeze: Freeze, steady_harness: str) -> None:
    tmp_path.chmod(0o755)
    mark = str(99_000_000 + os.getpid())
    agent = tmp_path / "agent.sh"
    agent.write_text(
        f'(setsid sleep {mark} &)\nsleep 0.1\n[ "$SAMESPEC_CORRECTION" = 0 ] && [ "$SAMESPEC_ATTEMPT" != 4 ] && '
        "sed -i 's/x \\* x >= 0/true/' solution.rs || cp original.rs solution.rs\n"
        'echo \'{"tokens": 7, "dollars": 0}\' > usage.json\n'
    )
    campaign = freeze([lemma_task(tmp_path / "task")])
    command = [sys.executable, "-c", DRIVER, str(campaign), str(agent), steady_harness]
    seen = 0
    for moment in MOMENTS:
        driver = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        before = size(campaign)
        deadline = time.monotonic() + 30
        while size(campaign) == before and driver.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(moment)
        driver.send_signal(signal.SIGKILL)
        driver.wait()
        found = verify(log_of(campaign))
        assert found.problem is None
        assert len(found.records) >= seen, "a record that was written is lost"
        seen = len(found.records)
        gone(mark)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    gone(mark)
    found = verify(log_of(campaign))
    assert found.problem is None
    attempts = [(r.body["task"], r.body["attempt"]) for r in found.of("attempt")]
    assert attempts == [("task", n) for n in (1, 2, 3, 4)]
    calls = [(r.body["attempt"], r.body["correction"]) for r in found.of("call")]
    assert calls == [(1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1), (4, 0)]
    assert all(r.body["usage"]["tokens"] == (7 if r.body["attempt"] == 4 else 14) for r in found.of("attempt"))
    assert len(found.of("campaign")) == len(found.of("end")) == 1
    assert json.loads((campaign / "manifest.json").read_text())["id"] == found.of("campaign")[0].body["manifest"]
    assert not (campaign / "scratch").exists()


def size(campaign: Path) -> int:
    path = log_of(campaign)
    return path.stat().st_size if path.exists() else 0


def gone(mark: str) -> None:
    """The kernel ends a killed run's processes at once, but not before the next instruction of this one."""
    deadline = time.monotonic() + 5
    while running(mark) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert running(mark) == []
