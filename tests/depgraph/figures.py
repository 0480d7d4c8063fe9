"""The figures of the audit over corpora that are not in this repository.

python -m tests.depgraph.figures vericontest DIR     verified.rs files below DIR: crashes, answers, hatches, what is unresolved
python -m tests.depgraph.figures vstd DIR/vstd.rs    the hatches in vstd, by kind
python -m tests.depgraph.figures large [N]           a file of N functions (default 10,000): seconds and megabytes
python -m tests.depgraph.figures proofs DIR          code_spec.rs against verified.rs below DIR: how many change executable code
"""

from __future__ import annotations

import resource
import sys
import time
from collections import Counter
from pathlib import Path

from depgraph.closure import audit, audit_targets
from depgraph.crate_loader import load_crate, load_source
from depgraph.erasure import executable_changes
from depgraph.graph import CallGraph
from depgraph.hatches import catalogue
from depgraph.room import room
from equiv.targets import targets_of
from translate.source import from_text


def large(n: int) -> str:
    """A file of n lemmas that call each other in a row, each with a contract and a small proof."""
    lines = [
        f"proof fn l{i}(x: int) requires x > {i}, ensures x >= {i} "
        f"{{ l{i + 1}(x); assert(x > 0) by {{ let y = x + 1; assert(y > x); }} }}"
        for i in range(n - 1)
    ]
    return "use vstd::prelude::*;\nverus! {\n" + "\n".join(lines) + f"\nproof fn l{n - 1}(x: int) {{ }}\n}}\n"


def vericontest(folder: Path) -> None:
    answers: Counter[str] = Counter()
    hatches: Counter[str] = Counter()
    shown: dict[str, str] = {}
    files = sorted(folder.rglob("verified.rs"))
    for path in files:
        try:
            crate = load_crate(path)
            targets = list(dict.fromkeys(r.path for r in targets_of(crate, None)))
            reports = audit_targets(None, crate, targets, solver=False)
        except Exception as error:  # what crashes is what is looked for
            answers["crash"] += 1
            print(f"crash: {path}: {type(error).__name__}: {error}")
            continue
        answers[str(False if any(r.clean is False for r in reports) else all(r.clean for r in reports) or None)] += 1
        for f in {r.finding for report in reports for r in report.reported}:
            hatches[f.hatch] += 1
            if catalogue()[f.hatch].trust is not None:
                shown[f"{f.place}: {f.hatch}: {f.what}"] = ""
    print(f"{len(files)} files: clean {answers['True']}, not clean {answers['False']}, unresolved {answers['None']}, "
          f"crashes {answers['crash']}")  # fmt: skip
    print(dict(hatches.most_common()))
    print("\n".join(shown))


def vstd(root: Path) -> None:
    with room():
        crate = load_crate(root)
        graph = CallGraph(crate)
        graph.expand_all()
    found = Counter(f.hatch for info in graph.nodes.values() for f in info.findings)
    files = len({str(s.path) for s in crate.sources.values()}) + 1
    print(f"{files} files, {len(crate.functions)} functions, {len(graph.nodes)} nodes, not read: {len(crate.unread)}")
    for hatch, count in found.most_common():
        print(f"{count:6} {hatch}")


def timed(n: int) -> None:
    text = large(n)
    cpu, wall = time.process_time(), time.perf_counter()
    with room():
        report = audit(load_source(from_text("large.rs", text)), "l0")
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{len(report.trust)} nodes: {cpu:.1f} s of processor time, {wall:.1f} s on the clock, {peak:.0f} MB")


def proofs(folder: Path) -> None:
    same = total = 0
    for path in sorted(folder.rglob("verified.rs")):
        before = path.with_name("code_spec.rs")
        if before.exists():
            total += 1
            same += not executable_changes(load_crate(before), load_crate(path))
    print(f"{same} of {total} verified files have the executable code of their code_spec.rs")


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in ("vericontest", "vstd", "large", "proofs"):
        sys.exit(__doc__)
    if sys.argv[1] == "large":
        timed(int(sys.argv[2]) if len(sys.argv) > 2 else 10_000)
    else:
        {"vericontest": vericontest, "vstd": vstd, "proofs": proofs}[sys.argv[1]](Path(sys.argv[2]))
