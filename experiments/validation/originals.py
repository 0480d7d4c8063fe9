"""One original: that it can be read, that its code does what its cases say, and what is known about its proof.

In: a task, what became of its program. Out: an `OriginalCheck`. A lemma may stand in the original without a proof; then
`proof.rs` has one: the same contracts, and nothing in it that is taken on trust beside what the original trusts itself. That it
goes through, only Verus can say.
"""

from __future__ import annotations

from corpus.tasks import Task
from depgraph.closure import audit_targets, split_targets
from depgraph.crate_loader import LoadedCrate, load_source
from depgraph.model import Trust
from equiv.check import check_sources, read_crate
from equiv.meaning import place
from equiv.targets import targets_of
from equiv.verdict import Verdict
from experiments.validation.judge import parse_problems
from experiments.validation.model import Execution, OriginalCheck
from translate import syntax as sx
from translate import terms as tm
from translate.elaborate.contracts import read_contract
from translate.elaborate.elaborator import Elaborator
from translate.elaborate.inference import Unsupported
from translate.names import Crate
from translate.parser import ParseFailure, parse_file
from translate.room import deep_stack
from translate.source import SourceText, from_text


def check_original(task: Task, execution: Execution) -> OriginalCheck:
    """Everything about an original but Verus's word."""
    source = from_text(str(task.path), task.original)
    errors = parse_problems(source, parse_file(source))
    targets, unread = _targets(source)
    errors += unread
    if f"crate::{task.target.removeprefix('crate::')}" not in targets:
        errors.append(f"task.toml: target: the original has no function `{task.target}` with a contract")
    loaded = load_source(source)
    if any(m == "exec" for m in _modes(loaded, targets)) and not task.cases:
        errors.append("task.toml: cases: there are none, and the original has executable functions with contracts")
    if execution.failed:
        errors.append(f"its code fails {execution.failed} of {execution.cases} cases: {execution.first}")
    elif task.cases and execution.why and not execution.skipped:
        errors.append(f"its code was not run on the cases: {execution.why}")
    holes = _holes(None, loaded, targets)
    proof, wrong = _proof(task, source, targets, loaded)
    notes = (f"takes on trust: {'; '.join(holes)}",) if holes else ()
    return OriginalCheck(task.name, task.field, tuple(targets), execution, proof, notes=notes, errors=(*errors, *wrong))


def _targets(source: SourceText) -> tuple[list[str], list[str]]:
    """The functions with contracts, and which of these cannot be translated, with the place."""
    found, errors = [], []
    with deep_stack(), tm.own_terms():
        crate = read_crate(source)
        reader = Elaborator(crate)
        for ref in targets_of(crate, None):
            found.append(ref.path)
            try:
                read_contract(reader, ref)
            except Unsupported as problem:
                at = source.path
                if isinstance(problem.crate, Crate) and isinstance(problem.span, sx.Span):
                    at = str(place(problem.crate, problem.span.start))
                errors.append(f"{at}: not translated: {problem.construct}")
            except ParseFailure as problem:
                errors.append(f"{source.place(problem.span.start)}: {problem.construct}: {problem.message}")
    return found, errors


def _modes(crate: LoadedCrate, targets: list[str]) -> list[str]:
    return [r.item.mode for r in crate.functions if isinstance(r.item, sx.Fn) and r.path in targets]


def _holes(trusted: LoadedCrate | None, crate: LoadedCrate, targets: list[str]) -> list[str]:
    """What the functions lean on without a proof, beside what the file `trusted` takes on trust as well."""
    reports = audit_targets(trusted, crate, targets) if targets else []
    found = [r for report in reports for r in report.reported if r.trust not in (None, Trust.TRUSTED_ORIGINAL)]
    return list(dict.fromkeys(f"{r.finding.hatch} ({r.finding.what})" for r in found))


def _proof(task: Task, source: SourceText, targets: list[str], loaded: LoadedCrate) -> tuple[str, list[str]]:
    """What is known about the proofs of lemmas."""
    if task.proof is None:
        bare = [r.path for r in loaded.functions if r.path in targets and _is_bare(r.item)]
        return (f"none in the corpus: {', '.join(bare)}" if bare else ""), []
    file = task.path.with_name("proof.rs")
    proof = from_text(str(file), task.proof)
    problems = parse_problems(proof, parse_file(proof))
    if problems:
        return "not readable", problems
    report = check_sources(source, proof)
    errors = [f"proof.rs: `{t.target}` is {t.verdict}" for t in report.targets if t.verdict is not Verdict.EQUIVALENT]
    holes = _holes(loaded, load_source(proof), split_targets(loaded, targets)[0]) if not errors else []
    errors += [f"proof.rs takes on trust: {h}" for h in holes]
    return "" if errors else "proof.rs: the same contracts, and nothing taken on trust that original.rs does not trust", errors


def _is_bare(item: object) -> bool:
    """Whether a proof function's body is empty."""
    return isinstance(item, sx.Fn) and item.mode == "proof" and item.body is not None and not item.body.children
