"""The frozen world: what a campaign's results depend on, with hashes. A run refuses to start when anything differs.

In: task folders, tools, budget. Out: a manifest (JSON), and the differences between one and the machine as it is now.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from referee.budget import Budget
from referee.fence import Fence, Runner
from referee.log import canonical, digest
from referee.probes import compile_list
from referee.task import FILES, RefereeTask, load_task
from referee.toolchain import find_rustc
from referee.verus import Verus, sha256

FORMAT = "samespec-manifest-1"
#: What counts as what. Changing a rule is changing this text, and with it every manifest.
RULES = """\
1. The agent's file is taken from its build folder as it stands when the agent's command ends; nothing the agent prints is read.
2. Screened out in one of three layers: SCREEN. No file, an unreadable one, and a contract that is not shown to be kept are
   screened out.
3. Verus accepts the whole file, names the target among its functions, and has verified at least one: PASS. If no forbidden
   construct stands in the task's own file, it must accept with --no-cheating too. Verus rejects: FAIL.
4. A budget of the attempt is used up: HALT; the class it would have had is kept as a diagnostic and counts nowhere.
5. The task says that it cannot be stated: INEXPRESSIBLE. No Verus, or the campaign's cap came first: UNREACHED.
   Output of Verus that is not understood, a stop of Verus by a limit, trouble of the referee's own: ERROR.
6. Acceptance is PASS over PASS + FAIL + SCREEN. Withheld tests are a column of their own, over the attempts in which they ran.
"""
_PACKAGES = ("referee", "translate", "equiv", "depgraph")
_ROOT = Path(__file__).resolve().parent.parent


class ManifestError(Exception):
    """A world that is not the frozen one; `differences` says in what."""

    def __init__(self, message: str, differences: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.differences = tuple(differences)


def make_manifest(folders: Sequence[Path], *, verus: Verus | None, budget: Budget, runner: Runner | None) -> dict[str, Any]:
    """The manifest of the world as it is. Raises `TaskError` for a folder that is no task."""
    tasks = [load_task(folder) for folder in folders]
    names = [t.name for t in tasks]
    if len(set(names)) != len(names):
        raise ManifestError("two tasks have the same folder name")
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "tasks": {t.name: {"folder": str(t.folder), "files": task_hashes(t)} for t in tasks},
        "predictions": {t.name: dict(t.prediction) or None for t in tasks},
        "budget": budget.as_json(),
        "rules": hashlib.sha256(RULES.encode()).hexdigest(),
    }
    manifest |= _tools(verus, runner)
    manifest["id"] = digest(manifest)
    return manifest


def _tools(verus: Verus | None, runner: Runner | None) -> dict[str, Any]:
    rustc = find_rustc()
    fence = None
    if isinstance(runner, Fence):
        fence = {"program": str(runner.program), "version": runner.version, "sha256": sha256(runner.program)}
    return {
        "verus": None if verus is None else verus.describe(),
        "rustc": None if rustc is None else rustc.describe(),
        "z3": _version("z3-solver"),
        "fence": fence,
        "compiler_executes": None if fence is None or runner is None else compile_list(runner, rustc),
        "harness": harness_hash(),
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def task_hashes(task: RefereeTask) -> dict[str, str]:
    """The hashes of a task's files; a file that is not there has none."""
    return {name: sha256(task.folder / name) for name in FILES if (task.folder / name).is_file()}


def harness_hash(root: Path = _ROOT) -> str:
    """One hash over the code that decides: referee, translation, contract test, audit."""
    total = hashlib.sha256()
    for package in _PACKAGES:
        for path in sorted((root / package).rglob("*")):
            if path.suffix in (".py", ".toml", ".json") and path.is_file():
                total.update(f"{path.relative_to(root)} {sha256(path)}\n".encode())
    return total.hexdigest()


def write_manifest(manifest: dict[str, Any], path: Path) -> None:
    path.write_text(json.dumps(manifest, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def read_manifest(path: Path) -> dict[str, Any]:
    """Reads a manifest. Raises `ManifestError` where it is none, or does not fit its own id."""
    try:
        manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        said = manifest["id"]
        rest = {k: v for k, v in manifest.items() if k != "id"}
        if manifest["format"] != FORMAT:
            raise ManifestError(f"{path}: format {manifest['format']!r} is not {FORMAT!r}")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ManifestError(f"{path}: no manifest ({error}); make one with `samespec referee freeze`") from error
    if digest(rest) != said:
        raise ManifestError(f"{path}: the manifest was changed after it was frozen: its id does not fit")
    return manifest


def differences(manifest: dict[str, Any], *, verus: Verus | None, runner: Runner | None) -> list[str]:
    """What is not as it was frozen, one line each."""
    found: list[str] = []
    for name, entry in manifest["tasks"].items():
        folder = Path(entry["folder"])
        for file in FILES:
            then = entry["files"].get(file)
            now = sha256(folder / file) if (folder / file).is_file() else None
            if then != now:
                how = "is gone" if now is None else "was added" if then is None else "has changed"
                found.append(f"task {name}: {file} {how}")
    if hashlib.sha256(RULES.encode()).hexdigest() != manifest["rules"]:
        found.append("the scoring rules have changed")
    now_tools = json.loads(canonical(_tools(verus, runner)))
    for key, value in now_tools.items():
        if key == "compiler_executes":
            continue  # the compile-path probe compares it, and says what differs
        if key == "fence" and runner is not None and not isinstance(runner, Fence):
            continue  # --unfenced: every record says so
        found += [f"{key}: {line}" for line in _changes(manifest.get(key), value)]
    return found


def _changes(then: Any, now: Any) -> Iterator[str]:
    if then == now:
        return
    if isinstance(then, dict) and isinstance(now, dict):
        for key in sorted({*then, *now}):
            if then.get(key) != now.get(key):
                yield f"{key} was {_short(then.get(key))}, is {_short(now.get(key))}"
        return
    yield f"was {_short(then)}, is {_short(now)}"


def _short(value: Any) -> str:
    if value is None:
        return "not there"
    text = value if isinstance(value, str) else canonical(value)
    return text if len(text) <= 60 else text[:16] + "…"
