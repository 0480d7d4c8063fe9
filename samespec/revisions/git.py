"""What git knows: which Rust files differ between two revisions, and what they hold.

In: a folder, revisions. Out: `FileChange`s and bytes. All of it is read by git's own commands in their machine-readable form;
nothing is written, no hook or external diff runs.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_NOTHING = "0" * 40
_REGULAR = {"100644", "100755"}


class GitError(Exception):
    """Git could not answer; the message says what was asked and what to do."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file that differs. `old` and `new` are paths from the top of the repository ("" where the file is not there); the
    objects are git's names for what they hold ("" for the working tree)."""

    old: str
    new: str
    old_object: str
    new_object: str


@dataclass(frozen=True, slots=True)
class Sides:
    """What is compared: `base` is a commit, `head` a commit, or "" for the index (`staged`) or the working tree."""

    base: str
    head: str
    staged: bool = False

    @property
    def names(self) -> tuple[str, str]:
        """How the two are called in a report."""
        return self.base[:12], self.head[:12] or ("index" if self.staged else "working tree")


class Repository:
    """The repository that a folder belongs to."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.top = Path(self._text("rev-parse", "--show-toplevel"))

    def _run(self, *arguments: str, ok: Sequence[int] = (0,)) -> bytes:
        environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
        command = ["git", "-C", str(self._folder), *arguments]
        try:
            done = subprocess.run(command, capture_output=True, check=False, env=environment)
        except FileNotFoundError:
            raise GitError("git is not installed, or not on the search path") from None
        if done.returncode not in ok:
            said = done.stderr.decode(errors="replace").strip().removeprefix("fatal: ")
            raise GitError(f"git {arguments[0]}: {said or f'exit status {done.returncode}'}")
        return done.stdout

    def _text(self, *arguments: str) -> str:
        return self._run(*arguments).decode("utf-8", errors="surrogateescape").rstrip("\n")

    def commit(self, revision: str) -> str | None:
        """The commit that a revision names, None where it names none."""
        said = self._run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}", ok=(0, 1, 128))
        lines = said.decode().split()
        return lines[0] if len(lines) == 1 else None  # a range has several

    def merge_base(self, a: str, b: str) -> str:
        return self._text("merge-base", a, b)

    def changes(self, sides: Sides, paths: Sequence[str] = ()) -> list[FileChange]:
        """The Rust files that differ, renamed ones followed; `paths` (from the folder) narrow it down."""
        options = ["--raw", "-z", "--no-abbrev", "--find-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules"]
        options += ["--cached"] if sides.staged else []
        revisions = [sides.base, *([sides.head] if sides.head else [])]
        stored = bool(sides.head) or sides.staged  # git may name what a file of the working tree would be stored as
        fields = self._run("diff", *options, *revisions, "--", *paths).decode("utf-8", errors="surrogateescape").split("\0")
        found = []
        at = 0
        while at + 1 < len(fields):
            old_mode, new_mode, old, new, status = fields[at].removeprefix(":").split()
            names = fields[at + 1 : at + (3 if status[0] in "RC" else 2)]
            at += 1 + len(names)
            if status[0] == "U":
                raise GitError(f"{names[0]}: a merge is not finished here; resolve it first")
            change = FileChange(
                names[0] if old_mode in _REGULAR and status[0] != "C" else "",
                names[-1] if new_mode in _REGULAR else "",
                old if old_mode in _REGULAR and old != _NOTHING else "",
                new if stored and new_mode in _REGULAR else "",
            )
            if any(name.endswith(".rs") for name in (change.old, change.new)):
                found.append(change)
        return found

    def files(self, commit: str) -> list[tuple[str, str]]:
        """Every Rust file of a commit: its path, and git's name for what it holds."""
        listed = self._run("ls-tree", "-r", "-z", "--full-tree", commit).decode("utf-8", errors="surrogateescape")
        found = []
        for entry in filter(None, listed.split("\0")):
            about, _, name = entry.partition("\t")
            mode, _, blob = about.split()
            if mode in _REGULAR and name.endswith(".rs"):
                found.append((name, blob))
        return found

    def content(self, blob: str, path: str) -> bytes:
        """What an object holds; without one, the file in the working tree."""
        if blob:
            return self._run("cat-file", "blob", blob)
        try:
            return (self.top / path).read_bytes()
        except OSError as error:
            raise GitError(f"{path}: cannot be read ({error.strerror})") from error
