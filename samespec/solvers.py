"""Solvers that answer an SMT-LIB 2 script from its text alone: the embedded Z3, cvc5's Python package, or any program.

In: the bytes of a script with one `(check-sat)`. Out: "sat", "unsat", "unknown", or "error: …".

This is for replaying certificates; the check itself asks Z3 through its API (`equiv`).
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

TIMEOUT_SECONDS = 120  # for one script: a safety net, far above what a budgeted question needs
ANSWERS = ("sat", "unsat", "unknown")


class NoSuchSolver(Exception):
    """The named solver is not installed here."""


@dataclass(frozen=True, slots=True)
class Solver:
    """A solver under a name; `answer` runs it on a script."""

    name: str
    answer: Callable[[bytes], str]


def solver_named(name: str) -> Solver:
    """`z3-python`, `z3`, `cvc5`, or the path of a program that takes an .smt2 file.

    `cvc5` is the program where there is one on the search path, else the Python package. Raises `NoSuchSolver`.
    """
    if name == "z3-python":
        return _embedded_z3()
    program = shutil.which(name)
    if program is not None:
        return Solver(name, lambda script: _run(program, script))
    if name == "cvc5":
        return _cvc5_package()
    raise NoSuchSolver(f"no solver {name!r}: it is neither a program on the search path nor a path")


def _embedded_z3() -> Solver:
    import z3

    def answer(script: bytes) -> str:
        context = z3.Context(timeout=TIMEOUT_SECONDS * 1000)
        try:
            return _first_answer(str(z3.Z3_eval_smtlib2_string(context.ref(), script.decode())))
        except (z3.Z3Exception, UnicodeDecodeError) as error:
            return _error(str(error))

    return Solver(f"embedded z3 {z3.get_version_string()}", answer)


def _cvc5_package() -> Solver:
    try:
        import cvc5
    except ImportError:
        raise NoSuchSolver("no cvc5: neither a program on the search path nor the Python package `cvc5`") from None

    def answer(script: bytes) -> str:
        solver = cvc5.Solver(cvc5.TermManager())
        solver.setOption("tlimit-per", str(TIMEOUT_SECONDS * 1000))
        parser = cvc5.InputParser(solver)
        said: list[str] = []
        try:
            parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script.decode(), "obligation")
            symbols = parser.getSymbolManager()
            while True:
                command = parser.nextCommand()
                if command.isNull():
                    break
                said.append(str(command.invoke(solver, symbols)))
        except (RuntimeError, UnicodeDecodeError) as error:
            return _error(str(error))
        return _first_answer("\n".join(said))

    return Solver(f"cvc5 {cvc5.__version__}", answer)


def _run(program: str, script: bytes) -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "obligation.smt2"
        file.write_bytes(script)
        try:
            done = subprocess.run(
                [program, str(file)],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=TIMEOUT_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"error: no answer after {TIMEOUT_SECONDS} seconds"
        except OSError as error:
            return _error(f"{program} cannot be run: {error.strerror or error}")
    return _first_answer((done.stdout + b"\n" + done.stderr).decode(errors="replace"))


def _first_answer(output: str) -> str:
    """The answer to `(check-sat)` in a solver's output; an error message that comes before it wins."""
    for line in output.splitlines():
        line = line.strip()
        if line.split(" (")[0] in ANSWERS:  # cvc5 says `unknown (INCOMPLETE)`
            return line.split(" (")[0]
        if line.startswith("(error"):
            return _error(line)
    return _error(f"no answer in {output!r}" if output.strip() else "no answer")


def _error(message: str) -> str:
    return "error: " + " ".join(message.split())[:200]
