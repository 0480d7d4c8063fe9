"""The Rust compiler that the referee uses: found once, by its real path, never through the agent's search path.

In: nothing. Out: `Toolchain`: the compiler, what must be visible for it to run, and what a record says about it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from referee.verus import sha256


@dataclass(frozen=True, slots=True)
class Toolchain:
    rustc: Path
    sysroot: Path
    version: str

    def describe(self) -> dict[str, str]:
        """Path, version, and the hashes of the program and its driver library."""
        found = {"path": str(self.rustc), "version": self.version, "sha256": sha256(self.rustc)}
        for driver in sorted((self.sysroot / "lib").glob("librustc_driver-*.so")):
            found[driver.name] = sha256(driver)
        return found

    @property
    def read_only(self) -> tuple[Path, ...]:
        return () if self.sysroot.is_relative_to("/usr") else (self.sysroot,)


@cache
def find_rustc() -> Toolchain | None:
    """The compiler behind `rustc` on this process's search path (or the environment variable RUSTC), None without one."""
    program = os.environ.get("RUSTC") or shutil.which("rustc")
    if program is None:
        return None
    try:
        sysroot = Path(_said([program, "--print", "sysroot"])).resolve()
        real = sysroot / "bin" / "rustc"
        real = real if real.is_file() else Path(program).resolve()
        return Toolchain(real, sysroot, _said([str(real), "--version"]))
    except (OSError, subprocess.SubprocessError):
        return None


def _said(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.strip()
