"""The certificate of a check: written so that a person can replay it, and replayed.

In: a report with its two source texts, and a directory. Out: in the directory `certificate.json`, copies of the inputs,
and each obligation that a solver can answer as an `.smt2` file. `recheck` reads such a directory and does everything
again: the hashes, each file with a solver of choice, the whole check on the copied inputs.

A certificate is input from somebody else when it is replayed: names in it are never followed out of its directory.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import platform
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from equiv.verdict import CheckReport, Obligation, TargetReport
from samespec import __version__
from samespec.render.json_report import QUESTION, dump
from samespec.solvers import Solver, solver_named
from translate.source import SourceError, SourceText, read_source

SCHEMA = "samespec/certificate/1"
CERTIFICATE = "certificate.json"
README = "README.txt"
COPIES = {"original": "inputs/original.rs", "submitted": "inputs/submitted.rs"}
LONGEST_NAME = 80  # characters of a file name: paths through generic types get long

Json = dict[str, Any]


class EvidenceError(Exception):
    """A directory that cannot take a certificate, or holds none that can be read."""


# --- writing ---------------------------------------------------------------------------------------------------------


def refuse_foreign(directory: Path) -> None:
    """Raises `EvidenceError` unless a certificate may be written there.

    It may where nothing stands, and in place of an earlier certificate, as long as nothing else lies in its directory.
    """
    if not directory.exists() and not directory.is_symlink():
        return
    if not directory.is_dir():
        raise EvidenceError(f"{directory}: is not a directory; name a new one for the certificate")
    try:
        ours = _files(_read_certificate(directory))
    except EvidenceError:
        ours = set()
    for path in directory.rglob("*"):
        name = path.relative_to(directory).as_posix()
        if name not in ours and (path.is_symlink() or not path.is_dir()):
            raise EvidenceError(
                f"{directory}: holds what is not a certificate's ({name}); name a new or an empty directory"
            )


def write_certificate(
    directory: Path,
    report: CheckReport,
    original: SourceText,
    submitted: SourceText,
    *,
    targets: Sequence[str] | None,
    budget: int,
) -> None:
    """Writes the certificate of a report made with `want_smt2`. It appears whole or not at all.

    `targets` and `budget` are those of the check. Raises `EvidenceError` where the directory cannot be written.
    """
    directory = directory.resolve()
    refuse_foreign(directory)
    work = directory.with_name(f".{directory.name}.{os.getpid()}")
    try:
        work.mkdir(parents=True)
        try:
            _write(work, report, original, submitted, targets, budget)
            if directory.exists():
                shutil.rmtree(directory)
            work.rename(directory)
        except BaseException:
            shutil.rmtree(work, ignore_errors=True)
            raise
    except OSError as error:
        raise EvidenceError(f"{directory}: the certificate cannot be written: {error.strerror or error}") from error


def _write(
    work: Path,
    report: CheckReport,
    original: SourceText,
    submitted: SourceText,
    targets: Sequence[str] | None,
    budget: int,
) -> None:
    inputs: Json = {}
    for side, source in (("original", original), ("submitted", submitted)):
        _put(work, COPIES[side], source.raw)
        inputs[side] = {"path": source.path, "copy": COPIES[side], "sha256": source.sha256}
    folders: set[str] = {"inputs"}
    certificate = {
        "schema": SCHEMA,
        "versions": {
            "samespec": __version__,
            "python": platform.python_version(),
            **{name: importlib.metadata.version(name) for name in ("z3-solver", "tree-sitter", "tree-sitter-rust")},
        },
        "inputs": inputs,
        "request": {"targets": None if targets is None else list(targets), "budget": budget},
        "kept": report.kept(),
        "targets": [_write_target(work, t, folders) for t in report.targets],
    }
    _put(work, README, README_TEXT.encode())
    _put(work, CERTIFICATE, dump(certificate).encode())


def _write_target(work: Path, target: TargetReport, folders: set[str]) -> Json:
    answer = solver_named("z3-python").answer
    folder = _unique(target.target.replace("::", "."), folders)
    names: set[str] = set()
    return {
        "target": target.target,
        "verdict": str(target.verdict),
        "obligations": [_write_obligation(work, o, folder, names, answer) for o in target.obligations],
    }


def _write_obligation(
    work: Path, obligation: Obligation, folder: str, names: set[str], answer: Callable[[bytes], str]
) -> Json:
    entry: Json = {
        "name": obligation.name,
        "question": QUESTION[obligation.question],
        "clause": None if obligation.clause is None else f"{obligation.clause.kind} {obligation.clause.text}",
        "answer": str(obligation.answer),
        "method": obligation.method,
        "claim": None,
        "expected": None,
        "file": None,
        "sha256": None,
        "replay": None,
    }
    if obligation.smt2 is not None:
        file = f"{folder}/{_unique(obligation.name, names)}.smt2"
        data = obligation.smt2.encode()
        _put(work, file, data)
        entry["claim"] = obligation.expected
        entry["expected"] = answer(data)
        entry["file"] = file
        entry["sha256"] = hashlib.sha256(data).hexdigest()
        entry["replay"] = f"z3 {file}"
    return entry


def _put(work: Path, name: str, data: bytes) -> None:
    path = work / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _unique(name: str, taken: set[str]) -> str:
    """A file name for any name: plain characters only, not too long, and none twice (file systems may ignore case)."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", name).strip(".")[:LONGEST_NAME] or "_"
    candidate, n = plain, 2
    while candidate.lower() in taken:
        candidate, n = f"{plain}-{n}", n + 1
    taken.add(candidate.lower())
    return candidate


README_TEXT = f"""\
A certificate of samespec: what was decided about the contracts of one edit, and everything needed to decide it again.

{CERTIFICATE}   the inputs' SHA-256, versions, budget, and for each target the verdict and its obligations
inputs/            the two files that were compared, byte for byte
TARGET/NAME.smt2   one obligation as an SMT-LIB 2 script

An obligation says that some premises imply a clause. Its script asserts the premises and the clause's negation: `unsat`
means that the implication holds, `sat` that there are values which break it. (For "callable" it asserts the submitted
precondition: `unsat` means that nobody can ever call the function.) {CERTIFICATE} says under "claim" which answer the
verdict rests on, and under "expected" what Z3 answered to this very text when it was written. Where the two differ
("unknown"), the claim rests on what "method" names (an evaluator's replay, an induction), not on this script.

By hand:          z3 TARGET/NAME.smt2          or          cvc5 TARGET/NAME.smt2
All at once:      samespec recheck DIR         (--solver z3, --solver cvc5, or the path of a solver)

An obligation without a file was decided without a solver ("method" says how); `samespec recheck` decides it again.

What you trust when you trust a verdict: the solver's answers, and samespec's translation of Verus into these scripts. A
second solver checks the first; reading a script beside the clause that it names checks the second.
"""


# --- reading ---------------------------------------------------------------------------------------------------------


def _read_certificate(directory: Path) -> Json:
    """The certificate of a directory; raises `EvidenceError` for one that is missing or not in the schema."""
    path = directory / CERTIFICATE
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise EvidenceError(f"{directory}: holds no {CERTIFICATE}; name a directory that --evidence wrote") from None
    except OSError as error:
        raise EvidenceError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise EvidenceError(f"{path}: is not JSON: {error}") from error
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        raise EvidenceError(f"{path}: is not a certificate in the schema {SCHEMA}")
    try:
        _validate(value)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise EvidenceError(f"{path}: is damaged: {type(error).__name__}: {error}") from error
    return value


def _validate(certificate: Json) -> None:
    """Raises for a certificate that lacks what `recheck` reads, or that names a file outside its directory."""
    for side in COPIES:
        _inside(certificate["inputs"][side]["copy"])
        _text(certificate["inputs"][side]["sha256"])
    request = certificate["request"]
    if request["targets"] is not None:
        for name in request["targets"]:
            _text(name)
    if type(request["budget"]) is not int or request["budget"] < 1:
        raise ValueError("the budget is no positive number")
    for target in certificate["targets"]:
        _text(target["target"])
        _text(target["verdict"])
        for obligation in target["obligations"]:
            _text(obligation["name"])
            _text(obligation["answer"])
            if obligation["file"] is not None:
                _inside(obligation["file"])
                _text(obligation["sha256"])
                _text(obligation["expected"])


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} should be a text")
    return value


def _inside(name: object) -> None:
    parts = _text(name).split("/")
    if not all(re.fullmatch(r"[A-Za-z0-9._-]+", part) and part.strip(".") for part in parts):
        raise ValueError(f"{name!r} is no file name of a certificate")


def _files(certificate: Json) -> set[str]:
    """The files that belong to a certificate, relative to its directory."""
    return {
        CERTIFICATE,
        README,
        *(entry["copy"] for entry in certificate["inputs"].values()),
        *(o["file"] for t in certificate["targets"] for o in t["obligations"] if o["file"] is not None),
    }


# --- replaying -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Step:
    """One thing done again: `expected` is what the certificate says, `got` what came out now."""

    what: str
    expected: str
    got: str

    @property
    def same(self) -> bool:
        return self.expected == self.got

    @property
    def open(self) -> bool:
        """Whether the one has no answer where the other has one: they differ, and do not contradict each other."""
        return not self.same and "unknown" in (self.expected, self.got)


def recheck(directory: Path, solver: Solver) -> Iterator[Step]:
    """Does everything in a certificate again, step by step.

    First the hashes; then each obligation's script with the solver; then the check itself on the copied inputs.
    Raises `EvidenceError` where the certificate or one of its files cannot be read.
    """
    certificate = _read_certificate(directory)
    for side, entry in certificate["inputs"].items():
        data = _bytes(directory, entry["copy"])
        yield Step(f"sha256 of the {side} input", entry["sha256"], hashlib.sha256(data).hexdigest())
    for target in certificate["targets"]:
        for obligation in target["obligations"]:
            if obligation["file"] is None:
                continue
            data = _bytes(directory, obligation["file"])
            yield Step(f"sha256 of {obligation['file']}", obligation["sha256"], hashlib.sha256(data).hexdigest())
            yield Step(f"{solver.name} on {obligation['file']}", obligation["expected"], solver.answer(data))
    yield from _check_again(directory, certificate)


def _check_again(directory: Path, certificate: Json) -> Iterator[Step]:
    from equiv.check import UnknownTarget, check_sources

    request = certificate["request"]
    try:
        original, submitted = (read_source(directory / certificate["inputs"][side]["copy"]) for side in COPIES)
        report = check_sources(original, submitted, targets=request["targets"], budget=request["budget"])
    except (SourceError, UnknownTarget) as error:
        yield Step("the check on the copied inputs", "a report", str(error))
        return
    now = {t.target: t for t in report.targets}
    then = {t["target"]: t for t in certificate["targets"]}
    for name, entry in then.items():
        again = now.get(name)
        yield Step(f"verdict on {name}", entry["verdict"], "no such target" if again is None else str(again.verdict))
        if again is not None:
            answers = {o.name: str(o.answer) for o in again.obligations}
            for o in entry["obligations"]:
                got = answers.get(o["name"], "no such obligation")
                yield Step(f"answer to {o['name']} of {name}", o["answer"], got)
    for name, target in now.items():
        if name not in then:
            yield Step(f"verdict on {name}", "none", str(target.verdict))


def _bytes(directory: Path, name: str) -> bytes:
    path = directory / name
    if not path.resolve().is_relative_to(directory.resolve()):
        raise EvidenceError(f"{path}: leads out of the certificate's directory")
    try:
        return path.read_bytes()
    except OSError as error:
        raise EvidenceError(f"{path}: cannot be read: {error.strerror or error}") from error
