"""Measures samespec on corpora that it was not tuned to; nothing of their text is kept here.

    SAMESPEC_VERICONTEST=… SAMESPEC_VERUS=… python benchmarks/outside.py [--section a|b|c|d]… [--sample N] [--seed N] [--jobs N]

`SAMESPEC_VERICONTEST` names a copy of VeriContest (benchmark/*/*/spec.rs and verified.rs), `SAMESPEC_VERUS` a copy of Verus's
sources (examples/, source/vstd/). The sections:

a  spec.rs against verified.rs: the contract is the same, so every pair should be kept.
b  each spec.rs against itself after rewrites that keep the meaning: one for each kind that applies, and a combination.
c  each spec.rs with one postcondition dropped, one bound moved by one, one `==` loosened, one guard emptied: in its
   postconditions if it can be, else in a spec function, else in a precondition (which then asks for less).
d  Verus's own examples and vstd, each file against itself.

With the same copies, seed and sample the verdicts are the same; only times and memory vary. `--lists FILE` also writes
every case that is not as it should be, one a line; `--records FILE` every case, as JSON lines.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from equiv.check import check_sources
from equiv.decide import DEFAULT_BUDGET
from equiv.verdict import CheckReport, TargetReport, Verdict
from experiments.mutation import CANDIDATE, KEPT, Mutant, Rule, Work, combined, pick, rules_of
from experiments.mutation.confirm import judged
from translate.source import SourceText, from_text, read_source

#: Section c: what the issue asks for, in its order.
BREAKING = ("clause-dropped", "bound-moved", "equality-loosened", "guard-emptied")
SLOW = 10.0


@dataclass(frozen=True, slots=True)
class Record:
    """One check. `case` is the file, `what` the rule (or rules) applied, `detail` why or what is not translated."""

    section: str
    case: str
    kind: str
    what: str
    verdict: str
    replayed: bool
    seconds: float
    detail: str
    constructs: tuple[str, ...] = ()
    peak_mb: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Task:
    section: str
    path: str
    seed: int
    budget: int
    every_rule: bool


# --- the four sections, one file each --------------------------------------------------------------------------------


def run(task: Task) -> list[Record]:
    """All checks of one file in one section."""
    return list({"a": pair, "b": rewritten, "c": broken, "d": itself}[task.section](task))


def pair(task: Task) -> Iterator[Record]:
    path = Path(task.path)
    yield _checked(task, "", "", read_source(path), read_source(path.with_name("verified.rs")), "")


def rewritten(task: Task) -> Iterator[Record]:
    source = read_source(task.path)
    work = Work(source)
    by_kind: dict[str, list[Rule]] = defaultdict(list)
    for rule in rules_of(label=KEPT):
        by_kind[rule.name if task.every_rule else rule.kind].append(rule)
    for kind, rules in by_kind.items():
        rng = Random(f"{task.seed}:{_case(task)}:{kind}")
        for rule in rng.sample(rules, len(rules)):
            mutant = pick(work, rule, rng)
            if mutant is not None:
                yield _mutated(task, kind, source, mutant)
                break
    rng = Random(f"{task.seed}:{_case(task)}:combination")
    mutant = combined(work, rules_of(label=KEPT), rng, rng.choice((2, 3)))
    if mutant is not None:
        yield _mutated(task, "combination", source, mutant)


def broken(task: Task) -> Iterator[Record]:
    source = read_source(task.path)
    work = Work(source)
    for rule in rules_of(BREAKING):
        rng = Random(f"{task.seed}:{_case(task)}:{rule.name}")
        mutant = pick(work, rule, rng, prefer=(("ensures", ""), ("definition",)))
        if mutant is not None:
            yield _mutated(task, rule.name, source, mutant)


def itself(task: Task) -> Iterator[Record]:
    """One record for each function with a contract."""
    source = read_source(task.path)
    started = time.perf_counter()
    try:
        report = check_sources(source, source, budget=task.budget)
    except Exception as error:
        yield _record(task, "", "", "crash", False, time.perf_counter() - started, f"{type(error).__name__}: {error}")
        return
    seconds = time.perf_counter() - started
    for i, t in enumerate(report.targets):
        yield _record(task, "", t.target, str(t.verdict), False, seconds if i == 0 else 0.0, _message(t), _constructs((t,)))


def _mutated(task: Task, kind: str, source: SourceText, mutant: Mutant) -> Record:
    return _checked(task, kind, mutant.name, source, from_text("mutant.rs", mutant.text), mutant.why)


def _checked(task: Task, kind: str, what: str, original: SourceText, submitted: SourceText, why: str) -> Record:
    started = time.perf_counter()
    try:
        report = check_sources(original, submitted, budget=task.budget)
    except Exception as error:
        return _record(task, kind, what, "crash", False, time.perf_counter() - started, f"{type(error).__name__}: {error}")
    answer = judged(report, KEPT if task.section in ("a", "b") else CANDIDATE)
    seconds = time.perf_counter() - started
    message = " ".join(filter(None, [why, _whose(report, answer.verdict), answer.message]))
    constructs = _constructs(report.targets)
    return _record(task, kind, what, str(answer.verdict), answer.replayed, seconds, message, constructs)


def _record(
    task: Task, kind: str, what: str, verdict: str, replayed: bool, seconds: float, detail: str, constructs: tuple[str, ...] = ()
) -> Record:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return Record(task.section, _case(task), kind, what, verdict, replayed, seconds, detail, constructs, peak)


def _case(task: Task) -> str:
    parts = Path(task.path).parts
    return "/".join(parts[-3:-1]) if task.section != "d" else "/".join(parts[-3:])


def _whose(report: CheckReport, verdict: Verdict) -> str:
    return next((f"[{t.target}]" for t in report.targets if t.verdict is verdict), "")


def _message(t: TargetReport) -> str:
    return t.reasons[0].message if t.reasons else ""


def _constructs(targets: Iterable[TargetReport]) -> tuple[str, ...]:
    found = (_message(t) for t in targets if t.verdict is Verdict.UNSUPPORTED)
    return tuple(m.removeprefix("not translated: ").partition(" at /")[0] for m in found)


# --- choosing and running --------------------------------------------------------------------------------------------


def tasks(sections: list[str], sample: int | None, seed: int, budget: int, every_rule: bool) -> list[Task]:
    found: list[Task] = []
    for section in sections:
        files = _verus() if section == "d" else _vericontest()
        if sample is not None and sample < len(files):
            files = sorted(Random(f"{seed}:{section}").sample(files, sample))
        found += (Task(section, str(f), seed, budget, every_rule) for f in files)
    return found


def _vericontest() -> list[Path]:
    root = _root("SAMESPEC_VERICONTEST", "a copy of VeriContest")
    files = sorted(f for f in root.glob("benchmark/*/*/spec.rs") if f.with_name("verified.rs").exists())
    if not files:
        sys.exit(f"no benchmark/*/*/spec.rs with a verified.rs beside it below {root}")
    return files


def _verus() -> list[Path]:
    root = _root("SAMESPEC_VERUS", "a copy of Verus's sources")
    files = sorted([*root.glob("examples/**/*.rs"), *root.glob("source/vstd/**/*.rs")])
    if not files:
        sys.exit(f"no examples/**/*.rs or source/vstd/**/*.rs below {root}")
    return files


def _root(variable: str, what: str) -> Path:
    value = os.environ.get(variable)
    if not value or not Path(value).is_dir():
        sys.exit(f"{variable} must name the folder of {what}")
    return Path(value)


def measure(work: list[Task], jobs: int) -> Iterator[list[Record]]:
    """The records of each task, in order, as they come."""
    if jobs == 1:
        yield from map(run, work)
        return
    with get_context("spawn").Pool(jobs, maxtasksperchild=100) as pool:
        yield from pool.imap(run, work, chunksize=1)


# --- tables ----------------------------------------------------------------------------------------------------------


def tables(records: list[Record]) -> Iterator[str]:
    for section, title in (
        ("a", "spec.rs against verified.rs"),
        ("b", "spec.rs against itself after rewrites that keep the meaning"),
        ("c", "spec.rs with something broken"),
        ("d", "Verus's examples and vstd, each file against itself"),
    ):
        chosen = [r for r in records if r.section == section]
        if not chosen:
            continue
        yield f"== {section}: {title}"
        yield from _table(chosen)
        if section == "c":
            yield from _decided(chosen)
        seconds = [r.seconds for r in chosen]
        yield (
            f"   {len(chosen)} checks, {sum(seconds):.1f} s of checking, longest {max(seconds):.1f} s, "
            f"peak memory of a process {max(r.peak_mb for r in chosen)} MB"
        )
        constructs = Counter(c for r in chosen for c in r.constructs)
        for construct, count in constructs.most_common(40):
            yield f"   unsupported {count:4} × {construct}"
        for r in sorted(chosen, key=lambda r: -r.seconds)[:5]:
            if r.seconds > SLOW:
                yield f"   slow: {r.seconds:.1f} s {r.case} {r.what} ({r.verdict})"
        yield ""


def _table(records: list[Record]) -> Iterator[str]:
    verdicts = [v for v in (*(str(v) for v in Verdict), "crash") if any(r.verdict == v for r in records)]
    kinds = sorted({r.kind for r in records})
    width = max(len(k) for k in [*kinds, "all together"])
    yield f"   {'':{width}} {'checks':>7}" + "".join(f" {v:>17}" for v in verdicts)
    for kind in [*kinds, None] if kinds != [""] else [None]:
        chosen = [r for r in records if kind is None or r.kind == kind]
        count = Counter(r.verdict for r in chosen)
        cells = "".join(f" {f'{count[v]} ({_percent(count[v], len(chosen))})':>17}" for v in verdicts)
        yield f"   {kind or 'all together':{width}} {len(chosen):>7}{cells}"


def _decided(records: list[Record]) -> Iterator[str]:
    open_ = [r for r in records if r.verdict in ("undecided", "unsupported", "crash")]
    weakened = [r for r in records if r.verdict == "weakened"]
    replayed = [r for r in weakened if r.replayed]
    yield f"   decided: {_percent(len(records) - len(open_), len(records))}"
    share = _percent(len(replayed), len(weakened))
    yield f"   a counterexample that replays in {len(replayed)} of {len(weakened)} weakened: {share}"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "–"


def surprises(records: list[Record]) -> Iterator[str]:
    """Every case that is not as it should be."""
    expected = {
        "a": ("equivalent", "refines"),
        "b": ("equivalent",),
        "c": ("weakened", "vacuous", "refines", "interface-changed"),
        "d": ("equivalent",),
    }
    for r in records:
        if r.verdict not in expected[r.section]:
            yield f"{r.section} {r.verdict.upper()} {r.case} [{r.kind}] {r.what} | {r.detail}"
        elif r.section == "c" and r.verdict == "weakened" and not r.replayed:
            yield f"c WEAKENED-NOT-REPLAYED {r.case} [{r.kind}] {r.what} | {r.detail}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures samespec on VeriContest and on Verus's own sources.")
    parser.add_argument("--section", action="append", choices=["a", "b", "c", "d"], help="default: all four")
    parser.add_argument("--sample", type=int, help="so many files a section, chosen by the seed (default: all)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--budget", type=int, default=DEFAULT_BUDGET, help="Z3 resource units an obligation")
    parser.add_argument("--every-rule", action="store_true", help="section b: a mutant for each rule, not only for each kind")
    parser.add_argument("--lists", type=Path, help="write every case that is not as it should be")
    parser.add_argument("--records", type=Path, help="write every case as JSON lines")
    options = parser.parse_args()
    work = tasks(options.section or ["a", "b", "c", "d"], options.sample, options.seed, options.budget, options.every_rule)
    started = time.perf_counter()
    records: list[Record] = []
    with ExitStack() as files:
        lists, lines = (
            None if path is None else files.enter_context(path.open("w", encoding="utf-8"))
            for path in (options.lists, options.records)
        )
        for done, found in enumerate(measure(work, max(1, options.jobs)), 1):
            records += found
            if lists is not None:
                lists.writelines(line + "\n" for line in surprises(found))
                lists.flush()
            if lines is not None:
                lines.writelines(json.dumps(asdict(r)) + "\n" for r in found)
                lines.flush()
            if sys.stderr.isatty() or done % 50 == 0 or done == len(work):
                print(f"\r{done}/{len(work)} files, {time.perf_counter() - started:.0f} s", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for line in tables(records):
        print(line)
    print(f"wall time {time.perf_counter() - started:.1f} s on {options.jobs} processes, seed {options.seed}")


if __name__ == "__main__":
    main()
