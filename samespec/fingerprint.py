"""What decides: a hash of the code and the libraries that a verdict depends on.

In: this installation. Out: a short text that differs as soon as another verdict is possible: results that were made under
another one are not taken over, from a cache or from an earlier run.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import platform
from functools import cache
from pathlib import Path

from samespec import __version__

#: The rooms whose code and data a verdict depends on, and the parts of the front door that turn reports into results.
ROOMS = ("translate", "equiv", "depgraph", "samespec/batch", "samespec/beside.py", "samespec/render/json_report.py")
_SUFFIXES = (".py", ".rs", ".toml")
_LIBRARIES = ("z3-solver", "tree-sitter", "tree-sitter-rust", "networkx")


@cache
def fingerprint() -> str:
    """The hash, in hexadecimal: 64 digits. Worked out once a process, from a few megabytes of source text."""
    root = Path(__file__).resolve().parent.parent
    python = ".".join(platform.python_version_tuple()[:2])
    found = hashlib.sha256()
    for line in (__version__, python, *(f"{n} {importlib.metadata.version(n)}" for n in _LIBRARIES)):
        found.update(line.encode() + b"\n")
    for room in ROOMS:
        place = root / room
        for path in [place] if place.is_file() else sorted(p for p in place.rglob("*") if p.suffix in _SUFFIXES):
            content = path.read_bytes()
            found.update(f"{path.relative_to(root).as_posix()} {len(content)}\n".encode())
            found.update(content)
    return found.hexdigest()
