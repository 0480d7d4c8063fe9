"""The Ray engine on a cluster of two nodes on this machine: the same bytes as the local one, whatever is lost on the way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.samespec.test_batch_command import records
from tests.samespec.test_reward import EDITS, ORIGINAL

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'samespec[ray]'")

PATIENT = 300
COMMAND = [sys.executable, "-P", "-c", "from samespec.main import main; main()", "batch"]
ITEMS = [
    *records(*((f"{name} {i}", text + f"// {i}\n") for i in range(4) for name, text in EDITS.items())),
    {"id": "target", "original": ORIGINAL, "submitted": ORIGINAL, "targets": ["nobody"]},
    "not JSON",
    *records(("last", EDITS["weaker"])),
]
ARGUMENTS = ["--audit"]


@pytest.fixture(scope="module")
def cluster():
    """Two nodes of one CPU each; the second one may be taken away."""
    from ray.cluster_utils import Cluster

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    yield made
    made.shutdown()


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    path = tmp_path_factory.mktemp("ray") / "pairs.jsonl"
    path.write_text("".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in ITEMS))
    return path


def started(*arguments):
    env = {k: v for k, v in os.environ.items() if k not in ("SAMESPEC_CACHE", "RAY_ADDRESS")}
    command = [*COMMAND, *map(str, arguments), *ARGUMENTS]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)


@pytest.fixture(scope="module")
def local(pairs):
    out, _ = started(pairs).communicate(timeout=PATIENT)
    assert len(out.splitlines()) == len(ITEMS)
    return out


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def test_the_same_bytes_although_workers_and_a_node_are_lost(cluster, pairs, local, tmp_path):
    node = cluster.add_node(num_cpus=1)
    out = tmp_path / "out"
    process = started(pairs, "--engine", "ray", "--address", cluster.address, "--as-finished", "--output", out)
    deadline = time.monotonic() + PATIENT
    losses = [(3, "actor"), (9, "node")]
    while losses and process.poll() is None and time.monotonic() < deadline:
        if lines(out) >= losses[0][0]:
            if losses.pop(0)[1] == "node":
                cluster.remove_node(node, allow_graceful=True)  # noticed at once, not after half a minute
            else:
                found = subprocess.run(["pgrep", "-f", "ray::_Host"], capture_output=True, text=True, check=False).stdout
                os.kill(int(found.split()[0]), 9)
        time.sleep(0.01)
    _, err = process.communicate(timeout=PATIENT)
    assert not losses, err.decode()
    assert process.returncode == 1
    assert sorted(out.read_bytes().splitlines()) == sorted(local.splitlines())


def test_the_same_order(cluster, pairs, local):
    out, err = started(pairs, "--engine", "ray", "--address", cluster.address).communicate(timeout=PATIENT)
    assert out == local
    assert err.decode().startswith(f"{len(ITEMS)} items; ")


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:99999"])
def test_no_cluster(address):
    process = started(os.devnull, "--engine", "ray", "--address", address)
    out, err = process.communicate(timeout=PATIENT)
    assert (process.returncode, out) == (2, b"")
    assert err.decode().startswith(f"Error: no Ray cluster at {address}: ")
    assert len(err.splitlines()) == 1
