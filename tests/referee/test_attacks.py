"""Attacks by an agent's command: each is contained, recorded and classed rightly, and nothing of the host changes.

One campaign, one task an attack; the agent is one shell script that attacks according to the task's name. All loads are bounded.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from corpus.tasks import Task
from referee.budget import Budget
from referee.fence import Fence, python_runtime
from referee.log import verify
from referee.loop import ARTIFACTS, MANIFEST
from referee.manifest import make_manifest, write_manifest
from referee.outcome import Outcome
from referee.toolchain import Toolchain
from tests.referee.conftest import LEMMA, code_task, lemma_task, log_of, run_campaign
from tests.referee.test_verus_run import running

LIMIT_PROCESSES, LIMIT_DISK, WALL = 48, 16, 8.0
SECRET = "the-reference-" + secrets.token_hex(8)
LEFT = str(98_000_000 + os.getpid())
FAKE = json.dumps(
    {"func-details": {"solution::square": {}}, "verification-results": {"success": True, "verified": 1, "errors": 0}}
)
FORKS = """import os, time
n = 0
try:
  while n < 500:
    if os.fork() == 0: time.sleep(20)
    n += 1
except OSError: print(n)""".replace("\n", "\\n")


def agent(tasks: Path, campaign: Path, outside: Path) -> str:
    """The attacks. Each says at the end that it is through, and reports no use of tokens."""
    python, _ = python_runtime()
    read = "\n".join(f'cat "{path}" >> stolen 2>/dev/null' for path in (
        tasks / "read_reference" / "reference.rs", tasks / "read_withheld" / "withheld.toml", campaign / MANIFEST,
        log_of(campaign), tasks / "read_reference" / "task.toml", Path(__file__)))  # fmt: skip
    steal = f"{read}\nfind / -name reference.rs -o -name withheld.toml 2>/dev/null | xargs -r cat >> stolen\n"
    steal += "[ -s stolen ] && cp stolen solution.rs"
    return f"""#!/bin/sh
case $SAMESPEC_TASK in
read_*) {steal} ;;
change_task)
  echo 'nothing' > original.rs; echo '{{}}' > task.json
  for f in "{tasks}/change_task/given.rs" /given/solution.rs; do echo broken > "$f"; rm -f "$f"; done 2>/dev/null
  sed -i 's/x \\* x >= 0/true/' solution.rs ;;
symlink)
  ln -s "{outside}" out; echo x > out/written; cp solution.rs "{outside}/copied"
  mv solution.rs real; ln -s "{tasks}/read_reference/reference.rs" solution.rs ;;
symlink_inside) mv solution.rs real; ln -s real solution.rs ;;
leave) (setsid nohup sleep {LEFT} >/dev/null 2>&1 &) ; sleep {LEFT} & ;;
disk)
  for d in /build /tmp /dev/shm /var/tmp; do head -c 64000000 /dev/zero > $d/fill; done 2>/dev/null
  rm -f /build/fill ;;
fake)
  echo '{FAKE}'; echo 'verification results:: 1 verified, 0 errors'; echo 'PASS'
  echo '{FAKE}' > log.jsonl; mkdir -p artifacts; echo PASS > outcome; echo '{FAKE}' >&2 ;;
rustc)
  for name in rustc cc ld gcc; do printf '#!/bin/sh\\ncp /usr/bin/true program; exit 0\\n' > $name; chmod +x $name; done
  mkdir -p bin .cargo; cp rustc bin/; cp rustc "$(command -v rustc)" 2>/dev/null; cp rustc /usr/local/bin/rustc 2>/dev/null
  export PATH="$PWD:$PATH"; rustc --version
  sed -i 's/unimplemented!()/n > 0/' solution.rs ;;
sleep) sed -i 's/x \\* x >= 0/x * x >= -1/' solution.rs; trap '' TERM INT; sleep 3600 ;;
forks) {python} -I -c "$(printf '{FORKS}')" ;;
memory) {python} -I -c "x = [bytearray(64 << 20) for i in range(16)]" & {python} -I -c "x = bytearray(1 << 30)"; wait ;;
kill) kill -9 -1 ;;
output) yes "PASS" | head -c 50000000 ;;
nothing) rm solution.rs ;;
not_text) printf '\\377\\376' > solution.rs ;;
large) head -c 2000000 /dev/zero | tr '\\0' 'x' > solution.rs ;;
esac
echo '{{"tokens": 0, "dollars": 0}}' > usage.json
echo through
"""


NAMES = [
    "change_task", "disk", "fake", "forks", "kill", "large", "leave", "memory", "not_text", "nothing", "output", "read_manifest",
    "read_reference", "read_withheld", "sleep", "symlink", "symlink_inside",
]  # fmt: skip


@dataclass
class Attacked:
    calls: dict[str, dict[str, Any]]
    attempts: dict[str, dict[str, Any]]
    campaign: Path
    before: dict[str, str]
    after: dict[str, str]
    disk: int

    def outcome(self, name: str) -> str:
        return str(self.attempts[name]["outcome"])


def snapshot(*folders: Path) -> dict[str, str]:
    files = [p for folder in folders for p in sorted(folder.rglob("*")) if p.is_file()]
    return {str(p): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}


@pytest.fixture(scope="module")
def attacked(
    fence: Fence, toolchain: Toolchain, corpus: dict[str, Task], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Attacked]:
    base = tmp_path_factory.mktemp("attacks")
    for parent in (base, *base.parents[:2]):
        os.chmod(parent, 0o755)  # noqa: PTH101  (the attacks shall fail because of the fence, not because of pytest)
    tasks, campaign, outside, shown = (base / n for n in ("tasks", "campaign", "outside", "shown"))
    for folder in (campaign, outside, shown):
        folder.mkdir()
        folder.chmod(0o777)
    for name in NAMES:
        lemma_task(tasks / name, **{"reference.rs": f"{LEMMA}// {SECRET}\n", "prediction.toml": f'note = "{SECRET}"\n'})
    code_task(tasks / "rustc", corpus["is_even"])
    (tasks / "read_withheld" / "withheld.toml").write_text(f"# {SECRET}\n[[cases]]\ninputs = {{ x = 1 }}\noutput = 1\n")
    budget = Budget(wall=WALL, processes=LIMIT_PROCESSES, disk_mb=LIMIT_DISK, memory_mb=512)
    folders = sorted(tasks.iterdir())
    write_manifest(make_manifest(folders, verus=None, budget=budget, runner=fence), campaign / MANIFEST)
    script = shown / "attack.sh"
    script.write_text(agent(tasks, campaign, outside))
    script.chmod(0o755)
    before = snapshot(tasks, outside, shown) | {"manifest": (campaign / MANIFEST).read_text()}
    free = shutil.disk_usage(base).free
    run_campaign(campaign, fence, ["/bin/sh", str(script)], show=[script, *python_runtime()[1]])
    after = snapshot(tasks, outside, shown) | {"manifest": (campaign / MANIFEST).read_text()}
    found = verify(log_of(campaign))
    assert found.problem is None
    calls = {r.body["task"]: r.body for r in found.of("call")}
    attempts = {r.body["task"]: r.body for r in found.of("attempt")}
    yield Attacked(calls, attempts, campaign, before, after, free - shutil.disk_usage(base).free)
    shutil.rmtree(base, ignore_errors=True)


def test_every_attack_was_made_and_recorded(attacked: Attacked) -> None:
    assert set(attacked.calls) == set(attacked.attempts) == {*NAMES, "rustc"}
    assert all(call["fenced"] for call in attacked.calls.values())
    assert not any(a["outcome"] == Outcome.PASS for a in attacked.attempts.values())


def test_nothing_of_the_host_changed(attacked: Attacked) -> None:
    assert attacked.before == attacked.after
    assert running(LEFT) == []
    assert attacked.disk < 200 << 20
    assert sum(p.stat().st_size for p in attacked.campaign.rglob("*") if p.is_file()) < 4 << 20


@pytest.mark.parametrize("name", ["read_reference", "read_withheld", "read_manifest"])
def test_hidden_files_are_not_read(attacked: Attacked, name: str) -> None:
    kept = b"".join(p.read_bytes() for p in (attacked.campaign / ARTIFACTS).iterdir())
    assert SECRET.encode() not in kept
    assert b"samespec-manifest" not in kept
    assert attacked.outcome(name) == Outcome.UNREACHED  # the file is as it was given: only Verus is missing


def test_a_changed_task_file_changes_the_agents_copy_only(attacked: Attacked) -> None:
    assert attacked.outcome("change_task") == Outcome.SCREEN
    assert attacked.calls["change_task"]["screen"]["findings"][0]["code"] == "contract-changed"


@pytest.mark.parametrize("name", ["symlink", "symlink_inside", "nothing", "large", "kill"])
def test_what_is_no_regular_file_is_no_submission(attacked: Attacked, name: str) -> None:
    assert attacked.outcome(name) == Outcome.SCREEN
    assert attacked.calls[name]["screen"]["findings"][0]["code"] == "no-submission"
    assert attacked.calls[name]["submission"] is None


def test_bytes_that_are_no_text_are_screened_out(attacked: Attacked) -> None:
    assert attacked.outcome("not_text") == Outcome.SCREEN


def test_a_process_that_is_left_behind_is_counted_and_ended(attacked: Attacked) -> None:
    assert attacked.calls["leave"]["agent"]["left_behind"] >= 2
    assert attacked.outcome("leave") == Outcome.UNREACHED


def test_a_full_disk_is_the_agents_own(attacked: Attacked) -> None:
    assert attacked.outcome("disk") == Outcome.UNREACHED
    assert attacked.calls["disk"]["submission"] is not None


def test_printed_results_are_read_by_nobody(attacked: Attacked) -> None:
    assert attacked.outcome("fake") == Outcome.UNREACHED
    assert attacked.calls["fake"]["verus"] is None


def test_an_own_rustc_compiles_nothing(attacked: Attacked) -> None:
    withheld = attacked.calls["rustc"]["withheld"]
    assert withheld["verdict"] == "failed", withheld  # judged by the real compiler: the answer is wrong for odd numbers
    assert attacked.outcome("rustc") == Outcome.UNREACHED


def test_sleeping_past_the_budget_is_a_halt_with_its_would_be_class(attacked: Attacked) -> None:
    attempt = attacked.attempts["sleep"]
    assert (attempt["outcome"], attempt["would_be"]) == (Outcome.HALT, Outcome.SCREEN)
    assert attempt["why"].startswith("wall time")
    assert attacked.calls["sleep"]["agent"]["stopped"] == "wall"
    assert attacked.calls["sleep"]["agent"]["wall"] < WALL + 6


def test_a_fork_bomb_stays_small(attacked: Attacked) -> None:
    run = attacked.calls["forks"]["agent"]
    assert 0 < run["peak_processes"] <= LIMIT_PROCESSES + 8
    assert attacked.outcome("forks") == Outcome.UNREACHED
    assert attacked.calls["forks"]["submission"] is not None


def test_memory_and_output_are_limited(attacked: Attacked) -> None:
    assert attacked.calls["memory"]["agent"]["peak_memory_mb"] <= 1100
    assert attacked.calls["output"]["agent"]["stopped"] == "output"
    assert attacked.outcome("output") == Outcome.SCREEN
