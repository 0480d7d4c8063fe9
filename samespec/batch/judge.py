"""One pair, judged: contracts, on request executable code and the audit, as one answer.

In: a `Job`: two texts and what is asked. Out: a JSON object, the part of a result that depends on the pair alone (see
samespec/schemas/batch-1.json): no clock, no machine, no path has a say in it. Places in it name the two sides `original.rs`
and `submitted.rs`. This module is imported by whoever judges: worker processes, actors of a cluster, `samespec.reward`.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from samespec.fingerprint import fingerprint

if TYPE_CHECKING:
    from depgraph.model import AuditReport, Reported
    from equiv.remembered import Store
    from equiv.verdict import CheckReport, Place, TargetReport
    from translate.source import SourceText
    from translate.syntax import File

Json = dict[str, Any]

ORIGINAL, SUBMITTED = "original.rs", "submitted.rs"

#: What a job asks: did the contracts survive, or only what the submission's proofs lean on.
CHECK, AUDIT = "check", "audit"

#: Ends of an item that say nothing about the pair but that it was not judged.
TIME, MEMORY, CRASH, INTERNAL, LOST = "time-limit", "memory-limit", "crash", "internal", "lost"


@dataclass(frozen=True, slots=True)
class Job:
    """What is asked of one pair. `targets` None: all functions of the original that have a contract; `mode` "contract" or
    "proof"; `audit`: what the targets' proofs lean on must be sound too; `strict`: only equivalent contracts are kept;
    `budget` is in Z3's resource units an obligation. `question` is `CHECK` or `AUDIT`; an audit may have no `original` ("")."""

    original: str
    submitted: str
    targets: tuple[str, ...] | None
    mode: str
    audit: bool
    strict: bool
    budget: int
    question: str = CHECK

    def key(self) -> str:
        """A hash of everything that the answer depends on: the pair, what is asked, and the code that decides."""
        texts = [hashlib.sha256(t.encode("utf-8")).hexdigest() for t in (self.original, self.submitted)]
        asked = [*texts, self.targets, self.mode, self.audit, self.strict, self.budget, self.question, fingerprint()]
        return hashlib.sha256(json.dumps(asked).encode()).hexdigest()

    def to_json(self) -> Json:
        return asdict(self)


def job_from_json(value: Json) -> Job:
    targets = value["targets"]
    return Job(**{**value, "targets": None if targets is None else tuple(targets)})


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer. `lasting`: the clock can have had no say in it, because all of it took less than a query of Z3 may take
    (`equiv.decide.SAFETY_MILLISECONDS`, the one place where it has), so that whoever asks again would get the same.
    `seconds` is what it took."""

    value: Json
    lasting: bool
    seconds: float = 0.0


def judge(job: Job, parse: Callable[[SourceText], File] | None = None, store: Store | None = None) -> Judged:
    """The answer for one pair. `parse` stands for `translate.parser.parse_file` and may share the trees that it gives; `store`
    keeps Z3's answers (see `samespec.batch.questions`).

    Never raises but `MemoryError`: a target that is not there, or an error of samespec's own, is an answer with an `error`.
    """
    from equiv.decide import SAFETY_MILLISECONDS
    from equiv.targets import UnknownTarget
    from translate.parser import parse_file

    started, worked = time.monotonic(), time.process_time()
    try:
        value = _judge(job, parse or parse_file, store) if job.question == CHECK else _audit(job)
    except UnknownTarget as problem:
        value = failed("target", str(problem), field="targets")
    except MemoryError:
        raise
    except Exception as problem:
        what = f"{type(problem).__name__}: {' '.join(str(problem).split())[:300]}"
        if _out_of_memory(what):
            raise MemoryError from problem
        return Judged(failed(INTERNAL, f"{what}; please report it with the two texts"), False)
    lasting = time.process_time() - worked < SAFETY_MILLISECONDS / 1000
    return Judged(value, lasting, time.monotonic() - started)


def failed(kind: str, message: str, *, line: int | None = None, field: str | None = None) -> Json:
    """The answer where there is none: `kind` is "input", "source", "target", or one of this module's words."""
    return {
        "verdict": None,
        "kept": None,
        "reason": None,
        "targets": [],
        "code_changes": None,
        "audit": None,
        "error": {"kind": kind, "message": message, "line": line, "field": field},
    }


def _judge(job: Job, parse: Callable[[SourceText], File], store: Store | None) -> Json:
    from equiv.check import check_sources
    from translate.source import from_text

    original, submitted = from_text(ORIGINAL, job.original), from_text(SUBMITTED, job.submitted)
    targets = None if job.targets is None else list(job.targets)
    report = check_sources(original, submitted, targets=targets, budget=job.budget, store=store, parse=parse)
    for reason in (r for t in report.targets for r in t.reasons):
        if reason.code == "internal-error" and _out_of_memory(reason.message):
            raise MemoryError(reason.message)
    # Each part of the question: its answer, and the reason where that is not "kept".
    parts: list[tuple[bool | None, Json | None]] = [(report.kept(strict=job.strict), _contract_reason(report, job.strict))]
    code: list[Json] | None = None
    closures: list[Json] | None = None
    if job.mode == "proof":
        code = _code_changes(original, submitted)
        parts.append((not code, _code_reason(code[0]) if code else None))
    if job.audit:
        paths = [t.target for t in report.targets if "::" in t.target]
        closures = _closures(original, submitted, paths if job.targets else _to_prove(original, paths))
        answer = _joined([c["clean"] for c in closures])
        parts.append((answer, next((_audit_reason(c) for c in closures if c["clean"] is answer), None)))
    kept = _joined([answer for answer, _ in parts])
    return {
        "verdict": _verdict(report, job.strict),
        "kept": kept,
        "reason": None if kept else next(reason for answer, reason in parts if answer is kept),
        "targets": [_target(t, job.strict) for t in report.targets],
        "code_changes": code,
        "audit": closures,
        "error": None,
    }


def _to_prove(original: SourceText, targets: Sequence[str]) -> list[str]:
    """The targets but those that the original declares to be taken on trust: they are nobody's task."""
    from depgraph.closure import split_targets
    from depgraph.crate_loader import load_source

    return split_targets(load_source(original, follow=False), targets)[0]


def _audit(job: Job) -> Json:
    """The closures of one file's functions; with an original, what that trusted already is told apart."""
    from depgraph.crate_loader import load_source
    from equiv.targets import targets_of
    from translate.source import from_text

    submitted = from_text(SUBMITTED, job.submitted)
    original = from_text(ORIGINAL, job.original) if job.original else None
    crate = load_source(original or submitted, follow=False)
    chosen = list(dict.fromkeys(r.path for r in targets_of(crate, None if job.targets is None else list(job.targets))))
    if original is not None and job.targets is None:
        chosen = _to_prove(original, chosen)
    closures = _closures(original, submitted, chosen)
    return {"clean": _joined([c["clean"] for c in closures]) if closures else None, "audit": closures, "error": None}


def _joined(answers: Sequence[bool | None]) -> bool | None:
    return False if False in answers else None if None in answers else True


def _verdict(report: CheckReport, strict: bool) -> str:
    """The contracts' verdict as a whole: that of the first target that makes the answer what it is; for a kept pair `refines`
    if one target is; `undecided` where there are no targets."""
    kept = report.kept(strict=strict)
    verdicts = [t.verdict for t in report.targets if t.verdict.kept(strict=strict) is kept]
    if not verdicts:
        return "undecided"
    return str(next((v for v in verdicts if v == "refines"), verdicts[0])) if kept else str(verdicts[0])


def _reason(target: str | None, code: str, message: str) -> Json:
    return {"target": target, "code": code, "message": message}


def _contract_reason(report: CheckReport, strict: bool) -> Json:
    kept = report.kept(strict=strict)
    for t in report.targets:
        if t.verdict.kept(strict=strict) is kept:
            first = t.reasons[0] if t.reasons else None
            code, message = (str(t.verdict), f"the contract is {t.verdict}") if first is None else (first.code, first.message)
            return _reason(t.target, code, message)
    return _reason(None, "no-targets", "no function of the original has a contract")


def _code_reason(change: Json) -> Json:
    return _reason(change["path"], "code-changed", f"executable code changed: {change['what']}")


def _target(t: TargetReport, strict: bool) -> Json:
    from samespec.render.json_report import counterexample_json

    first = t.reasons[0] if t.reasons else None
    example = next((r.counterexample for r in t.reasons if r.counterexample is not None), None)
    return {
        "target": t.target,
        "verdict": str(t.verdict),
        "kept": t.verdict.kept(strict=strict),
        "same": t.same,
        "reason": None if first is None else {"code": first.code, "message": first.message},
        "counterexample": None if example is None else counterexample_json(example),
        "submitted_place": _place(t.submitted_place),
    }


def _code_changes(original: SourceText, submitted: SourceText) -> list[Json]:
    """Proof mode: where executable code differs, once ghost code is erased."""
    from depgraph.crate_loader import load_source
    from depgraph.erasure import executable_changes

    changes = executable_changes(load_source(original, follow=False), load_source(submitted, follow=False))
    return [{"path": c.path, "what": c.what, "submitted_place": _place(c.new_place)} for c in changes]


def _closures(original: SourceText | None, submitted: SourceText, targets: Sequence[str]) -> list[Json]:
    """What the targets' proofs lean on in the submission. A target that cannot be told there is not audited, and so not
    clean."""
    from depgraph.crate_loader import load_source
    from samespec.beside import audits

    before = None if original is None else load_source(original, follow=False)
    return [_closure(t, a) for t, a in audits(before, load_source(submitted, follow=False), targets)]


def _closure(target: str, report: AuditReport | str) -> Json:
    if isinstance(report, str):
        return {"target": target, "clean": None, "findings": [], "problem": report}
    decisive = [r for r in report.reported if r.trust is not None and (r.trust.fatal or r.trust == "unresolved")]
    return {"target": target, "clean": report.clean, "findings": [_finding(r) for r in decisive], "problem": None}


def _finding(r: Reported) -> Json:
    from depgraph.hatches import catalogue

    f = r.finding
    hatch = catalogue()[f.hatch]
    return {
        "hatch": hatch.id, "name": hatch.name, "class": str(r.trust), "node": f.node, "place": _place(f.place), "what": f.what
    }  # fmt: skip


def _audit_reason(closure: Json) -> Json:
    for f in closure["findings"]:
        if (f["class"] == "unresolved") is (closure["clean"] is None):
            return _reason(closure["target"], f["hatch"], f"the proof leans on `{f['node']}` ({f['name']}: {f['what']})")
    return _reason(closure["target"], "audit", closure["problem"] or "the proof leans on something that nobody proved")


def _place(place: Place | None) -> Json | None:
    return None if place is None else {"file": place.file, "line": place.line, "column": place.column}


def _out_of_memory(message: str) -> bool:
    """Whether an error's text says that memory ran out, in Python's words or in Z3's."""
    return "MemoryError" in message or "out of memory" in message
