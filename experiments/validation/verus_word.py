"""Verus's word on the corpus, where it is installed.

In: an original (or the proof of its lemmas) or an edit, and a Verus. Out: what it said, whether that confirms the label, and what
of it contradicts the label. Without Verus this module is not used, and nothing stands in for it.
"""

from __future__ import annotations

from corpus.tasks import Edit, Task
from equiv.check import check_sources
from equiv.decide import DEFAULT_BUDGET
from referee.confirm import confirm_report
from referee.fence import Runner
from referee.verus import Verus, VerusKind
from translate.source import from_text


def verify_original(task: Task, verus: Verus, runner: Runner) -> tuple[str, list[str]]:
    """Verus on the original, or on `proof.rs` where the original's lemmas have no proof."""
    text, name = (task.original, "original.rs") if task.proof is None else (task.proof, "proof.rs")
    result = verus.verify(text, runner, no_cheating=task.proof is not None)
    said = f"{name}: {result.kind}, {result.verified} verified, {result.errors} errors"
    if result.kind is VerusKind.ACCEPTED:
        return said, []
    return said, [f"Verus does not accept {name}: {result.why}"]


def confirm_edit(
    task: Task, edit: Edit, verus: Verus, runner: Runner, budget: int = DEFAULT_BUDGET
) -> tuple[str, bool, list[str]]:
    """Verus on the questions behind a verdict. Only a kept edit can be confirmed: Verus proves, and never refutes."""
    original, submitted = from_text(str(task.path), task.original), from_text(str(edit.path), edit.submitted)
    report = check_sources(original, submitted, budget=budget, want_lemmas=True)
    found = confirm_report(report, submitted, verus=verus, runner=runner)
    counts = {a: sum(c.agreement is a for c in found.compared) for a in dict.fromkeys(c.agreement for c in found.compared)}
    said = ", ".join(f"{n} {a}" for a, n in counts.items()) or "nothing was asked"
    errors = [f"Verus proves what the solver refutes: `{c.target}`, {c.obligation.name}" for c in found.disagreements]
    return said, edit.kept and found.confirmed is True, errors
