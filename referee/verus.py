"""The Verus adapter: finds Verus, runs it with limits, and reads what it printed. Nothing else here speaks Verus.

In: a file's text. Out: `VerusResult`: accepted, rejected, stopped by a limit, or an error. Whatever is not exactly the output
that this module knows is an error with the raw text kept: an unknown shape is never an acceptance.

Sources: docs/verus-facts.md, section 3; the recordings in tests/verus-recordings; rustc's book, "JSON output".
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from referee.fence import Job, Runner
from referee.process import Limits, Ran
from translate.parser import parse_file
from translate.source import from_text
from translate.syntax import File, Fn, Impl, Item, Mod, Trait

GET_VERUS = (
    "get a release from https://github.com/verus-lang/verus/releases, unpack it, and name its program `verus` with --verus PATH, "
    "or with the environment variable VERUS, or put it on the search path"
)
_LIMIT_MESSAGE = "Resource limit (rlimit) exceeded"
_RESULT_KEYS = {"encountered-error", "encountered-vir-error", "success", "verified", "errors", "is-verifying-entire-crate"}
_SHORT_KEYS = {"encountered-error", "encountered-vir-error", "success"}  # what Verus prints when it stops before verifying
_TOP_KEYS = {"func-details", "verification-results", "verus"}
_TEXT_DIAGNOSTIC = re.compile(r"(error|warning|note)(?:\[(\w+)\])?: (.*)")
_TEXT_PLACE = re.compile(r"\s*--> (.*?):(\d+):(\d+)$")


class VerusKind(StrEnum):
    ACCEPTED = "accepted"  # the whole file verified
    REJECTED = "rejected"  # Verus said no, and why
    STOPPED = "stopped"  # a limit of wall time or memory ended it
    ERROR = "error"  # not understood, or it could not be run


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message of Verus. Lines and columns count from 1; 0 where it has no place."""

    level: str
    message: str
    line: int = 0
    column: int = 0
    code: str | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class VerusResult:
    """What one run said. `functions` are the names in `func-details`, as Verus spells them: those it looked at, not those it
    proved; only an accepted run has proved them. `raw_out` and `raw_err` are the texts as they came."""

    kind: VerusKind
    why: str = ""
    verified: int = 0
    errors: int = 0
    functions: tuple[str, ...] = ()
    failed_notes: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    rlimit_exceeded: bool = False
    before_verifying: bool = False
    version: str = ""
    exit_status: int = 0
    wall: float = 0.0
    peak_memory_mb: int = 0
    raw_out: str = field(default="", repr=False)
    raw_err: str = field(default="", repr=False)

    def summary(self) -> dict[str, Any]:
        """What a record says about the run; the raw texts are kept elsewhere."""
        return {
            "kind": str(self.kind),
            "why": self.why,
            "verified": self.verified,
            "errors": self.errors,
            "version": self.version,
            "exit_status": self.exit_status,
            "rlimit_exceeded": self.rlimit_exceeded,
            "wall": self.wall,
            "peak_memory_mb": self.peak_memory_mb,
        }

    def accepts(self, target: str, source: str, stem: str) -> bool:
        """Whether the run accepted `target` (a path in the crate): the whole file verified, and the target is among the functions
        that Verus names. `stem` is the name of the crate, the file's."""
        if self.kind is not VerusKind.ACCEPTED or self.verified < 1:
            return False
        return names_target(self.functions, target, source, stem) and not _is_trusted(target, source)


class _Unknown(Exception):
    """Output that is not the known one."""


# --- reading ----------------------------------------------------------------------------------------------------------


def read_output(
    stdout: str, stderr: str, exit_status: int, *, stopped: str | None = None, cut: bool = False, whole_crate: bool = True
) -> VerusResult:
    """The result that a run's output means. `stopped` is the limit that ended it, `cut` says that output was lost."""
    raw = {"raw_out": stdout, "raw_err": stderr, "exit_status": exit_status}
    if stopped in ("wall", "memory"):
        return VerusResult(VerusKind.STOPPED, f"stopped by the limit on {stopped}", **raw)  # type: ignore[arg-type]
    try:
        if cut or stopped is not None:
            raise _Unknown(f"more output than the referee reads ({stopped or 'cut'})")
        return _read(stdout, stderr, exit_status, whole_crate, raw)
    except _Unknown as unknown:
        return VerusResult(VerusKind.ERROR, str(unknown), **raw)  # type: ignore[arg-type]


def _read(stdout: str, stderr: str, exit_status: int, whole_crate: bool, raw: dict[str, Any]) -> VerusResult:
    try:
        data = json.loads(stdout, parse_constant=_no_constant, object_pairs_hook=_no_doubles)
    except (ValueError, RecursionError) as error:
        raise _Unknown(f"standard output is not one JSON document: {error}") from error
    _shape(data)
    results = data["verification-results"]
    functions = data.get("func-details", {})
    found = tuple(read_diagnostics(stderr))
    problems = [d for d in found if d.level == "error" and not d.message.startswith("aborting due to")]
    success, vir_error = results["success"], results["encountered-vir-error"]
    verified, errors = results.get("verified", 0), results.get("errors", 0)
    if exit_status not in (0, 1):
        raise _Unknown(f"exit status {exit_status}")
    if success != (exit_status == 0):
        raise _Unknown(f"exit status {exit_status} contradicts success = {str(success).lower()}")
    if set(results) == _SHORT_KEYS and success:
        raise _Unknown("success without counts")
    if success and (results["encountered-error"] or vir_error or errors or problems):
        raise _Unknown("success is contradicted by an error")
    if not success and not (results["encountered-error"] and problems):
        raise _Unknown("no success and no error either")
    if whole_crate and not results.get("is-verifying-entire-crate", not success):
        raise _Unknown("only a part of the crate was verified")
    failed = tuple(name for name, notes in functions.items() if notes["failed_proof_notes"])
    if success and failed:
        raise _Unknown("success is contradicted by failed proof notes")
    kind = VerusKind.ACCEPTED if success else VerusKind.REJECTED
    why = "" if success else problems[0].message
    limit = any(_LIMIT_MESSAGE in d.message for d in problems)
    version = data["verus"]["version"]
    return VerusResult(
        kind,
        why,
        verified,
        errors,
        tuple(functions),
        failed,
        found,
        limit,
        vir_error or (not success and errors == 0),
        version,
        **raw,
    )


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key stands twice")
    return made


def _shape(data: Any) -> None:
    """Raises unless the document has the shape that the recordings have."""
    if not isinstance(data, dict) or not {"verification-results", "verus"} <= set(data) <= _TOP_KEYS:
        raise _Unknown("the JSON has other fields than the known ones")
    results = data["verification-results"]
    if not isinstance(results, dict) or set(results) not in (_RESULT_KEYS, _SHORT_KEYS):
        raise _Unknown("`verification-results` has other fields than the known ones")
    value: Any
    for key, value in results.items():
        wanted: type = int if key in ("verified", "errors") else bool
        if type(value) is not wanted or (isinstance(value, int) and value < 0):
            raise _Unknown(f"`{key}` is not a {wanted.__name__}")
    if set(results) == _RESULT_KEYS and "func-details" not in data:
        raise _Unknown("`func-details` is missing")
    functions = data.get("func-details", {})
    if not isinstance(functions, dict):
        raise _Unknown("`func-details` is not an object")
    for name, notes in functions.items():
        if not isinstance(notes, dict) or set(notes) != {"obligation_proof_notes", "failed_proof_notes"}:
            raise _Unknown(f"`func-details` of `{name}` has other fields than the known ones")
        if not all(isinstance(listed, list) for listed in notes.values()):
            raise _Unknown(f"`func-details` of `{name}` has notes that are no lists")
    if not isinstance(data["verus"], dict) or not isinstance(data["verus"].get("version"), str):
        raise _Unknown("the `verus` block names no version")


def read_diagnostics(stderr: str) -> list[Diagnostic]:
    """The diagnostics on standard error: one JSON object a line, or the text that rustc prints for people."""
    found: list[Diagnostic] = []
    for line in stderr.splitlines():
        if line.startswith("{"):
            found.append(_json_diagnostic(line))
        elif match := _TEXT_DIAGNOSTIC.fullmatch(line):
            found.append(Diagnostic(match[1], match[3], code=match[2]))
        elif found and found[-1].line == 0 and (at := _TEXT_PLACE.fullmatch(line)):
            last = found[-1]
            found[-1] = Diagnostic(last.level, last.message, int(at[2]), int(at[3]), last.code)
    return found


def _json_diagnostic(line: str) -> Diagnostic:
    try:
        data = json.loads(line)
        spans = data["spans"]
        code = data["code"]
        first = next((s for s in spans if s["is_primary"]), spans[0] if spans else None)
        place = (0, 0, "") if first is None else (int(first["line_start"]), int(first["column_start"]), first["label"] or "")
        level, message = data["level"], data["message"]
        if not (isinstance(level, str) and isinstance(message, str)):
            raise TypeError("level and message")
        return Diagnostic(level, message, place[0], place[1], None if code is None else str(code["code"]), str(place[2]))
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        raise _Unknown(f"a diagnostic is not the known JSON: {type(error).__name__}") from error


# --- which function is which ------------------------------------------------------------------------------------------


def names_target(names: Sequence[str], target: str, source: str, stem: str) -> bool:
    """Whether Verus's names have the target of the source among them.

    A method `T::m` is `impl&%N::m` there; N is not to be had from the source, so all methods of that name in the module must be
    among the names.
    """
    path = target.removeprefix("crate::").split("::")
    if "::".join([stem, *path]) in names:
        return True
    if len(path) < 2:
        return False
    module = "::".join([stem, *path[:-2]])
    pattern = re.compile(re.escape(module) + r"::impl&%\d+::" + re.escape(path[-1]))
    listed = sum(1 for name in names if pattern.fullmatch(name))
    return listed > 0 and listed == _methods(_parsed(source).items, path[:-2], path[-1])


def _is_trusted(target: str, source: str) -> bool:
    """Whether the target's own attributes tell Verus to take it on trust: a trusted function is named when somebody calls it."""
    found = [fn for path, fn in functions_of(_parsed(source).items, "") if path == target.removeprefix("crate::")]
    return not found or any(
        fn.axiom or any(a.text.startswith("verifier") and "external" in a.text for a in fn.attrs) for fn in found
    )


@cache
def _parsed(source: str) -> File:
    return parse_file(from_text("source", source))


def _methods(items: Sequence[Item], module: Sequence[str], name: str) -> int:
    if module:
        return sum(_methods(i.items or [], module[1:], name) for i in items if isinstance(i, Mod) and i.name == module[0])
    impls = (i for i in items if isinstance(i, Impl))
    return sum(1 for i in impls for f in i.items if isinstance(f, Fn) and f.name == name)


def function_at(source: str, line: int) -> str | None:
    """The path of the function that a line of the source stands in."""
    text = from_text("source", source)
    for path, fn in functions_of(_parsed(source).items, ""):
        if text.line_column(fn.span.start)[0] <= line <= text.line_column(fn.span.end)[0]:
            return path
    return None


def functions_of(items: Sequence[Item], prefix: str) -> list[tuple[str, Fn]]:
    """Every function with its path (without `crate::`), those of impls and traits under the name of the type or trait."""
    found: list[tuple[str, Fn]] = []
    for item in items:
        match item:
            case Fn():
                found.append((prefix + item.name, item))
            case Mod():
                found += functions_of(item.items or [], f"{prefix}{item.name}::")
            case Trait():
                found += functions_of(item.items, f"{prefix}{item.name}::")
            case Impl():
                path = getattr(item.self_type, "path", None)
                name = path.segments[-1].name if path is not None else "impl"
                found += functions_of(item.items, f"{prefix}{name}::")
            case _:
                pass
    return found


# --- running ----------------------------------------------------------------------------------------------------------


class Verus:
    """An installed Verus. Its folder (and a Rust toolchain's, which it needs) are shown to it read-only in the fence."""

    def __init__(self, program: Path) -> None:
        self.program = program
        self.version_text = self._version()
        found = re.search(r"Version:\s*(\S+)", self.version_text)
        self.version = found[1] if found else "unknown"

    def _version(self) -> str:
        try:
            done = subprocess.run([self.program, "--version"], capture_output=True, text=True, timeout=30, check=False)
        except (OSError, subprocess.SubprocessError) as error:
            return f"cannot be run: {error}"
        return (done.stdout + done.stderr).strip()

    def describe(self) -> dict[str, str | None]:
        """What a record says about the tool: its path, version, and the hashes of its programs."""
        z3 = find_z3(self.program)
        return {
            "path": str(self.program),
            "version": self.version,
            "sha256": sha256(self.program),
            "z3": None if z3 is None else str(z3),
            "z3_sha256": None if z3 is None else sha256(z3),
        }

    def verify(
        self,
        source: str,
        runner: Runner,
        *,
        no_cheating: bool = False,
        rlimit: float | None = None,
        limits: Limits | None = None,
        stem: str = "submitted",
        extra: Sequence[str] = (),
    ) -> VerusResult:
        """Verifies a file's text."""
        command = [str(self.program), f"{stem}.rs", "--output-json", "--error-format=json"]
        if not any(path == "main" for path, _ in functions_of(_parsed(source).items, "")):
            command.append("--crate-type=lib")
        command += ["--no-cheating"] if no_cheating else []
        command += ["--rlimit", f"{rlimit:g}"] if rlimit is not None else []
        command += extra
        limits = limits or Limits(wall=300, memory_mb=8192, processes=256, output_bytes=4 << 20, disk_mb=256, file_mb=256)
        env = {k: v for k, v in os.environ.items() if k in ("VERUS_Z3_PATH", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "CARGO_HOME")}
        rustup = Path(env.get("RUSTUP_HOME", Path.home() / ".rustup"))
        cargo = Path(env.get("CARGO_HOME", Path.home() / ".cargo")) / "bin"
        if rustup.is_dir():
            env["RUSTUP_HOME"] = str(rustup)
        job = Job(
            tuple(command),
            limits,
            files={f"{stem}.rs": source.encode()},
            read_only=tuple(p for p in (self.program.parent, rustup, cargo) if p.is_dir()),
            path=(cargo,) if cargo.is_dir() else (),
            env=env,
        )
        return from_run(runner.run(job))


def from_run(ran: Ran) -> VerusResult:
    """Reads the output of a run."""
    stdout, stderr = (data.decode("utf-8", errors="replace") for data in (ran.stdout, ran.stderr))
    result = read_output(stdout, stderr, ran.status, stopped=ran.stopped)
    extra = {"wall": round(ran.wall, 3), "peak_memory_mb": ran.peak_memory_mb}
    return VerusResult(**{**{name: getattr(result, name) for name in result.__dataclass_fields__}, **extra})


def find_verus(named: str | None = None) -> Verus | None:
    """Verus by name (`--verus`), by the environment variable VERUS, or on the search path. None where there is none.

    Raises `FileNotFoundError` where one was named and is not there: another one is never taken instead.
    """
    for where, value in (("--verus", named), ("VERUS", os.environ.get("VERUS"))):
        if value:
            path = Path(value)
            path = path / "verus" if path.is_dir() else path
            if not (path.is_file() and os.access(path, os.X_OK)):
                raise FileNotFoundError(f"{where}: {value} is not a program; {GET_VERUS}")
            return Verus(path.resolve())
    found = shutil.which("verus")
    return None if found is None else Verus(Path(found).resolve())


def find_z3(verus: Path) -> Path | None:
    """The Z3 that Verus uses: `VERUS_Z3_PATH`, else the one beside it."""
    named = os.environ.get("VERUS_Z3_PATH")
    for path in ([Path(named)] if named else []) + [verus.parent / "z3"]:
        if path.is_file():
            return path
    return None


def sha256(path: Path) -> str:
    """The hash of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()
