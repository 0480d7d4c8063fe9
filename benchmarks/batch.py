"""How many pairs a second a batch judges: workers, shared originals and the cache, side by side in one run.

    python benchmarks/batch.py [--pairs N] [--copies N] [--rounds N] [--audit] [--input FILE]

The pairs are the corpus's own, or those of a file of JSON lines as `samespec batch` takes it. Each is judged `--copies` times, as
rollouts of one task are: every copy of a submission has another comment at its end, so that it is another pair to the cache. What
is compared:

alone        one worker, every original parsed for every pair
shared       one worker that keeps the originals' syntax trees
two          two workers, the same
cold         two workers and an empty cache on disk
reworded     the same cache, and pairs with other comments: answers of Z3 are known, those of pairs are not
warm         the same cache, and the same pairs

Every configuration must give the same bytes; the script fails where one does not. Times vary with the machine and what else runs
on it: the configurations take turns, and the ratios are what to look at.
"""

from __future__ import annotations

import argparse
import io
import json
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from samespec.api import default_budget
from samespec.batch.judge import Job, Judged, judge
from samespec.batch.output import Stream
from samespec.batch.process import ENTRY, Limits, WorkerProcess
from samespec.batch.run import Options, run_batch
from samespec.cache import Cache

ALONE = "batch:judge_alone"  # this file, as a worker imports it


def judge_alone(job: Job, parse: Callable[..., Any]) -> Judged:
    """What a worker does that shares nothing."""
    return judge(job)


def corpus_lines() -> list[dict[str, Any]]:
    """The corpus's pairs, task by task."""
    from corpus.tasks import load_tasks

    return [
        {
            "id": f"{task.name}/{edit.name}",
            "original": Path(task.path).read_text(encoding="utf-8"),
            "submitted": Path(edit.path).read_text(encoding="utf-8"),
        }
        for task in load_tasks()
        for edit in task.edits
    ]


def texts(record: dict[str, Any], folder: Path) -> dict[str, Any]:
    """A line with its files' texts in place."""
    for side in ("original", "submitted"):
        path = record.pop(f"{side}_path", None)
        if path is not None:
            record[side] = (folder / path).read_text(encoding="utf-8")
    return record


def copies(records: list[dict[str, Any]], count: int, word: str) -> bytes:
    lines = []
    for record in records:
        for i in range(count):
            more = {"id": f"{record['id']} #{i}", "submitted": f"{record['submitted']}\n// {word} {i}\n"}
            lines.append(json.dumps({**record, **more}))
    return "\n".join(lines).encode()


class Configuration:
    """So many workers, warm before each measurement."""

    def __init__(self, name: str, workers: int, entry: str, cache: Path | None = None) -> None:
        self.name, self.cache = name, cache
        self.count, self.entry = workers, entry
        self.rates: list[float] = []

    def run(self, data: bytes, options: Options) -> bytes:
        store = None if self.cache is None else Cache(self.cache)
        workers = [WorkerProcess(Limits(), self.entry, self.cache) for _ in range(self.count)]
        for worker in workers:
            worker.judge(Job("verus! {}", "verus! {}", None, "contract", options.audit, False, 1))
        out = io.BytesIO()
        started = time.perf_counter()
        summary = run_batch(io.BytesIO(data), Path(), workers, Stream(out), options, cache=store)
        self.rates.append(summary.items / (time.perf_counter() - started))
        if store is not None:
            store.close()
        return out.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description="Compares configurations of samespec batch.")
    parser.add_argument("--pairs", type=int, default=60, help="so many pairs, spread over all there are (default: 60)")
    parser.add_argument("--copies", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--audit", action="store_true")
    parser.add_argument("--input", type=Path, help="JSON lines, instead of the corpus")
    asked = parser.parse_args()
    if asked.input is None:
        records = corpus_lines()
    else:
        records = [texts(json.loads(line), asked.input.parent) for line in asked.input.read_text(encoding="utf-8").splitlines()]
    step = max(1, len(records) // asked.pairs)
    chosen = records[::step][: asked.pairs]
    plain, other = copies(chosen, asked.copies, "copy"), copies(chosen, asked.copies, "another")
    options = Options(default_budget(), audit=asked.audit)
    expected: dict[bytes, bytes] = {}
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "cache"
        configurations = [
            (Configuration("alone", 1, ALONE), plain),
            (Configuration("shared", 1, ENTRY), plain),
            (Configuration("two", 2, ENTRY), plain),
            (Configuration("cold", 2, ENTRY, cache), plain),
            (Configuration("reworded", 2, ENTRY, cache), other),
            (Configuration("warm", 2, ENTRY, cache), plain),
        ]
        expected[other] = Configuration("two", 2, ENTRY).run(other, options)
        for _ in range(asked.rounds):
            shutil.rmtree(cache, ignore_errors=True)
            for c, data in configurations:
                found = c.run(data, options)
                if expected.setdefault(data, found) != found:
                    sys.exit(f"{c.name} gives other results than the others")
    base = statistics.median(configurations[0][0].rates)
    print(f"{len(plain.splitlines())} pairs, {asked.rounds} rounds, median; pairs a second, and how many times `alone`")
    for c, _ in configurations:
        rate = statistics.median(c.rates)
        print(f"  {c.name:<8} {rate:>9.1f}/s  {rate / base:>6.2f}×   ({min(c.rates):.1f} to {max(c.rates):.1f})")


if __name__ == "__main__":
    main()
