"""Certificates: a selected candidate with each gate's evidence, written so that a person or a program can check it again.

In: a task and the judgements of an episode. Out: a folder with `certificate.json` and the task beside it (`task/`), or from such
a folder, a `Recheck`: the hashes, and every gate asked again. A certificate that says "not certified" is one too: it says why.
"""

from __future__ import annotations

import importlib.metadata
import json
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from witness.contract import WitnessError
from witness.gates import Means, judge, read_candidate
from witness.model import Candidate, Certificate, Gate, GateResult, Json, Judgement, Outcome, Task
from witness.select import select
from witness.store import read_task, sha256, write_task

SCHEMA: Final = "samespec/witness-certificate/1"
FILE: Final = "certificate.json"
_TASK = "task"


def certify(task: Task, judgements: Sequence[Judgement], means: Means) -> Certificate | None:
    """The certificate of the selected one of an episode's candidates; None where there are none."""
    selected = select(judgements)
    if selected is None:
        return None
    return Certificate(task.name, selected, len(judgements), hashes(task, selected.candidate), versions(means))


def hashes(task: Task, candidate: Candidate) -> dict[str, str]:
    """What a certificate is about, as SHA-256 sums."""
    return {
        "task": task.sha256,
        "full": sha256(task.full),
        "weakened": sha256(task.weakened),
        "implementation": sha256(task.implementation),
        "expression": sha256(candidate.expression),
    }


def versions(means: Means) -> dict[str, str]:
    """The programs and libraries that a certificate depends on."""
    found = {
        "samespec": importlib.metadata.version("samespec"),
        "python": platform.python_version(),
        "z3-solver": importlib.metadata.version("z3-solver"),
        "platform": sys.platform,
    }
    if means.machine is not None:
        found.update(means.machine.versions)
    if means.verus is not None:
        found["verus"] = means.verus.version
    return found


def why_not(judgement: Judgement) -> str | None:
    """The first gate that does not let a candidate pass, with its reason; None for a certified one."""
    for gate in judgement.gates:
        if not gate.passed:
            return f"gate {list(Gate).index(gate.gate) + 1} ({gate.gate}): {gate.outcome}: {gate.reason}"
    return None


# --- as JSON -------------------------------------------------------------------------------------------------------------


def to_record(certificate: Certificate) -> dict[str, Json]:
    """A certificate as JSON."""
    judgement = certificate.judgement
    candidate = judgement.candidate
    return {
        "schema": SCHEMA,
        "task": certificate.task,
        "certified": certificate.certified,
        "why_not": why_not(judgement),
        "candidate": {
            "text": candidate.text,
            "expression": candidate.expression,
            "problem": candidate.problem,
            "repairs": list(candidate.repairs),
            "call": candidate.call,
            "origin": candidate.origin,
        },
        "considered": certificate.considered,
        "gates": [
            {
                "gate": str(g.gate),
                "outcome": str(g.outcome),
                "checker": g.checker,
                "reason": g.reason,
                "evidence": dict(g.evidence),
            }
            for g in judgement.gates
        ],
        "divergences": judgement.divergences,
        "withheld": judgement.withheld,
        "hashes": dict(certificate.hashes),
        "versions": dict(certificate.versions),
    }


def from_record(record: Mapping[str, Any], at: str = FILE) -> Certificate:
    """The certificate that JSON says. Raises `WitnessError` where it is none, or contradicts itself."""
    try:
        if record["schema"] != SCHEMA:
            raise ValueError(f"the schema is {record['schema']!r}, not {SCHEMA!r}")
        said = record["candidate"]
        candidate = Candidate(
            said["text"], said["expression"], said["problem"], tuple(said["repairs"]), said["call"], said["origin"]
        )
        gates = tuple(
            GateResult(Gate(g["gate"]), Outcome(g["outcome"]), g["checker"], g["reason"], g["evidence"]) for g in record["gates"]
        )
        if [g.gate for g in gates] != list(Gate):
            raise ValueError("its gates are not the four gates in their order")
        judgement = Judgement(candidate, gates, record["divergences"], record["withheld"])
        if judgement.certified is not record["certified"]:
            raise ValueError("what it says about `certified` is not what its gates say")
        return Certificate(
            record["task"], judgement, record["considered"], dict(record["hashes"]), dict(record["versions"])
        )
    except (KeyError, TypeError, ValueError) as problem:
        raise WitnessError(f"{at}: not a certificate: {type(problem).__name__}: {problem}") from problem


# --- on disk -------------------------------------------------------------------------------------------------------------


def refuse_foreign(folder: Path) -> None:
    """Raises `WitnessError` unless a certificate may be written there: where nothing stands, or an earlier certificate."""
    if folder.exists() and not (folder / FILE).exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise WitnessError(f"{folder}: something else is there; name a new folder for the certificate")


def write_certificate(folder: Path, task: Task, certificate: Certificate) -> None:
    """Writes a certificate into a folder of its own, which is made. Raises `WitnessError`."""
    refuse_foreign(folder)
    write_task(folder / _TASK, task)
    try:
        text = json.dumps(to_record(certificate), indent=2, ensure_ascii=False) + "\n"
        (folder / FILE).write_text(text, encoding="utf-8")
    except OSError as problem:
        raise WitnessError(f"{folder}: cannot be written: {problem.strerror}") from problem


def read_certificate(folder: Path) -> tuple[Task, Certificate]:
    """The certificate of a folder and its task. Raises `WitnessError`."""
    file = folder / FILE
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise WitnessError(f"{file}: no such file; name a folder that `samespec witness` wrote a certificate into") from None
    except (OSError, UnicodeDecodeError, ValueError) as problem:
        raise WitnessError(f"{file}: cannot be read: {problem}") from problem
    if not isinstance(record, dict):
        raise WitnessError(f"{file}: not a certificate: it is no JSON object")
    return read_task(folder / _TASK), from_record(record, str(file))


def certificates_in(folder: Path) -> list[Path]:
    """The folders of certificates below a folder, by name; the folder itself where it is one."""
    if (folder / FILE).exists():
        return [folder]
    if not folder.is_dir():
        raise WitnessError(f"{folder}: no such folder")
    return sorted(p.parent for p in folder.rglob(FILE))


# --- again ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was checked again: what the certificate says, what came out now."""

    what: str
    expected: str
    got: str

    @property
    def same(self) -> bool:
        return self.expected == self.got


@dataclass(frozen=True, slots=True)
class Recheck:
    """A certificate checked again. `stands` is True where everything came out as it says."""

    certificate: Certificate
    steps: tuple[Step, ...]

    @property
    def stands(self) -> bool:
        return all(s.same for s in self.steps)

    @property
    def undecided(self) -> bool:
        """Whether all that differs is a gate that has no answer now: nobody could check it here."""
        different = [s for s in self.steps if not s.same]
        return bool(different) and all(s.got == Outcome.UNKNOWN for s in different)


def recheck(folder: Path, means: Means) -> Recheck:
    """Does everything in a certificate again: the hashes, the reading of the expression, every gate."""
    task, certificate = read_certificate(folder)
    judgement = certificate.judgement
    steps = [
        Step(f"hash of `{name}`", certificate.hashes.get(name, ""), now)
        for name, now in hashes(task, judgement.candidate).items()
    ]
    again = read_candidate(task, judgement.candidate.expression, call=judgement.candidate.call)
    steps.append(Step("the expression is in the language", _yes(judgement.candidate.parses), _yes(again.parses)))
    found = judge(task, [again], means)[0]
    steps += [Step(f"gate {g.gate}", g.outcome, found.gate(g.gate).outcome) for g in judgement.gates]
    if means.machine is not None:
        for what, said, now in (
            ("visible cases on which it disagrees", judgement.divergences, found.divergences),
            ("withheld cases on which it disagrees", judgement.withheld, found.withheld),
        ):
            steps.append(Step(what, str(said), str(now)))
    return Recheck(certificate, tuple(steps))


def _yes(value: bool) -> str:
    return "yes" if value else "no"
