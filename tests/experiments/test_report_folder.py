"""The folder of a report: it goes on where it was, refuses what is not its own, and seals what it wrote."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from pathlib import Path

import pytest

from experiments.report.folder import FolderError, ReportFolder, Row
from experiments.report.pool import LOST, WorkerDied, run_units
from experiments.report.provenance import code_sha256, versions

SETTINGS = {"schema": "test/1", "seed": 3, "code_sha256": "a", "inputs_sha256": "b"}


def filled(path: Path, *units: str) -> ReportFolder:
    folder = ReportFolder(path, SETTINGS)
    for u in units:
        folder.add(u, [{"value": u.upper()}], 0.5)
    return folder


def test_rows_stand_in_the_order_of_the_units_and_not_of_their_end(tmp_path: Path) -> None:
    folder = filled(tmp_path / "out", "b", "a")
    rows = folder.finish(["a", "b"], 1.0, 2)
    assert [r["value"] for r in rows] == ["A", "B"]
    lines = (tmp_path / "out" / "results.jsonl").read_text().splitlines()
    assert [json.loads(line)["unit"] for line in lines] == ["a", "b"]
    assert not (tmp_path / "out" / "unfinished.jsonl").exists()
    assert json.loads((tmp_path / "out" / "timings.json").read_text())["units"] == {"a": 0.5, "b": 0.5}


def test_a_stopped_run_goes_on(tmp_path: Path) -> None:
    filled(tmp_path, "a", "b")
    with (tmp_path / "unfinished.jsonl").open("a") as file:
        file.write('{"unit": "c", "rows": [{"va')  # killed in the middle of a line
    again = ReportFolder(tmp_path, SETTINGS)
    assert sorted(again.rows) == ["a", "b"]
    again.add("c", [{"value": "C"}], 0.1)
    assert sorted(ReportFolder(tmp_path, SETTINGS).rows) == ["a", "b", "c"]
    assert [r["value"] for r in again.finish(["a", "b", "c"], 1.0, 1)] == ["A", "B", "C"]


def test_a_finished_run_is_read_again(tmp_path: Path) -> None:
    filled(tmp_path, "a").finish(["a"], 1.0, 1)
    before = (tmp_path / "timings.json").read_bytes()
    again = ReportFolder(tmp_path, SETTINGS)
    assert again.rows == {"a": [{"unit": "a", "value": "A"}]}
    again.finish(["a"], 0.0, 4)
    assert (tmp_path / "timings.json").read_bytes() == before  # nothing was done, so nothing took time


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 4}, "seed was 3 and is 4"),
        ({"code_sha256": "x"}, "samespec's code has changed"),
        ({"inputs_sha256": "x"}, "the originals or edits have changed"),
        ({"new": True}, "new was null and is true"),
    ],
)
def test_another_run_s_folder_is_refused(tmp_path: Path, change: Row, words: str) -> None:
    filled(tmp_path, "a")
    with pytest.raises(FolderError, match=words):
        ReportFolder(tmp_path, SETTINGS | change)


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("…")
    with pytest.raises(FolderError, match="holds no report"):
        ReportFolder(tmp_path, SETTINGS)
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.tex"]
    with pytest.raises(FolderError, match="is a file"):
        ReportFolder(tmp_path / "thesis.tex", SETTINGS)
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(FolderError, match="is not JSON"):
        ReportFolder(tmp_path, SETTINGS)


@pytest.mark.parametrize("name", ["results.jsonl", "unfinished.jsonl"])
def test_results_that_somebody_changed_are_refused(tmp_path: Path, name: str) -> None:
    filled(tmp_path, "a")
    (tmp_path / name).write_text("[1]\n{not json\n")
    with pytest.raises(FolderError, match="not what this program wrote"):
        ReportFolder(tmp_path, SETTINGS)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(FolderError, match="cannot be written"):
        ReportFolder(tmp_path / "out", SETTINGS)


def test_the_seal_is_what_sha256sum_checks(tmp_path: Path) -> None:
    folder = filled(tmp_path, "a")
    folder.finish(["a"], 1.0, 1)
    folder.write("tables/t.csv", "x\n")
    folder.seal()
    lines = (line.split("  ") for line in (tmp_path / "SHA256SUMS").read_text().splitlines())
    sums = {name: digest for digest, name in lines}
    assert set(sums) == {"results.jsonl", "run.json", "tables/t.csv"}  # not the times: they differ from run to run
    assert sums["tables/t.csv"] == hashlib.sha256(b"x\n").hexdigest()
    done = subprocess.run(["sha256sum", "--check", "SHA256SUMS"], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0


def test_versions_and_code_are_named() -> None:
    assert versions()["z3-solver"][0].isdigit()
    assert len(code_sha256()) == 64


# --- the pool ----------------------------------------------------------------------------------------------------------


def square(n: int) -> list[Row]:
    if n < 0:
        os._exit(1)
    return [{"n": n, "square": n * n}]


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_unit_is_done_once(jobs: int) -> None:
    seen: dict[int, list[Row]] = {}
    run_units(square, list(range(7)), jobs, lambda unit, rows, seconds: seen.update({unit: rows}))
    assert seen == {n: square(n) for n in range(7)}


def test_a_worker_that_dies_is_said_so() -> None:
    seen: list[int] = []
    with pytest.raises(WorkerDied, match="run the same command again"):
        run_units(square, [1, 2, -1, 3], 2, lambda unit, rows, seconds: seen.append(unit))
    assert -1 not in seen


def test_a_unit_that_takes_its_process_down_costs_only_itself() -> None:
    seen: dict[int, list[Row]] = {}
    units = [*range(1, 9), -1, *range(10, 30), -2, 40]
    run_units(square, units, 2, lambda unit, rows, seconds: seen.update({unit: rows}), lambda unit: [{"n": unit, "error": LOST}])
    assert seen == {n: [{"n": n, "error": LOST}] if n < 0 else square(n) for n in units}
