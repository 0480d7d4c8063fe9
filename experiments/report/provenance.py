"""Where results come from: versions of the libraries, a hash of samespec's own code, hashes of the files that were read.

In: nothing, or texts. Out: plain values for `run.json`.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import platform
from collections.abc import Iterable
from functools import cache
from pathlib import Path

#: What a result can depend on.
LIBRARIES = (
    "samespec",
    "z3-solver",
    "tree-sitter",
    "tree-sitter-rust",
    "networkx",
    "numpy",
    "scipy",
    "matplotlib",
    "markdown-it-py",
)
#: The packages whose code decides what an experiment finds.
ROOMS = ("translate", "equiv", "depgraph", "referee", "experiments")
_CODE = {".py", ".rs", ".toml"}


def versions() -> dict[str, str]:
    """The versions of Python and of the libraries."""
    found = {"python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


@cache
def code_sha256(rooms: tuple[str, ...] = ROOMS) -> str:
    """One hash over every source file of samespec that an experiment runs."""
    digest = hashlib.sha256()
    for room in rooms:
        spec = importlib.util.find_spec(room)
        assert spec is not None and spec.submodule_search_locations is not None
        root = Path(next(iter(spec.submodule_search_locations)))
        for path in sorted((p for p in root.rglob("*") if p.suffix in _CODE), key=lambda p: p.relative_to(root).as_posix()):
            digest.update(f"{room}/{path.relative_to(root).as_posix()}\0{text_sha256(path.read_bytes())}\n".encode())
    return digest.hexdigest()


def text_sha256(data: bytes | str) -> str:
    """The SHA-256 of a text or of bytes, in hexadecimal."""
    return hashlib.sha256(data.encode("utf-8") if isinstance(data, str) else data).hexdigest()


def digest_of(lines: Iterable[str]) -> str:
    """One hash over lines, in their order."""
    return text_sha256("\n".join(lines))
