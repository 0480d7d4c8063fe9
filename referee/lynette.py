"""`lynette additions`: what that tool says about the changes between two files.

In: two texts and the program. Out: whether the changes are allowed, and why; None where the tool gave no verdict. Nothing
stands in for a tool that is not installed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path


def find_lynette(named: str | None = None) -> str | None:
    """The program: the one named, else the one on the search path; None where there is none.

    Raises `FileNotFoundError` where one was named and is not there.
    """
    if named is not None and not (Path(named).is_file() and os.access(named, os.X_OK)):
        raise FileNotFoundError(f"--lynette: {named} is not a program; name lynette's, or leave the option out")
    return named or shutil.which("lynette")


def additions(original: str, submitted: str, program: str) -> tuple[bool | None, str]:
    """`lynette additions ORIGINAL SUBMITTED`: 0 allowed, 1 with its own words disallowed; anything else is nobody's verdict."""
    with tempfile.TemporaryDirectory(prefix="samespec-lynette-") as folder:
        files = [Path(folder) / name for name in ("original.rs", "submitted.rs")]
        for file, text in zip(files, (original, submitted), strict=True):
            file.write_text(text, encoding="utf-8")
        try:
            done = subprocess.run([program, "additions", *files], capture_output=True, text=True, timeout=60, check=False)
        except (OSError, subprocess.SubprocessError) as error:
            return None, f"lynette could not be run ({type(error).__name__})"
    if done.returncode == 0:
        return True, "allowed"
    if done.returncode == 1 and "Disallowed changes detected" in done.stdout:
        return False, "disallowed changes"
    return None, f"lynette ended with {done.returncode} and no verdict"
