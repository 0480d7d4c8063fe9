"""Candidates and implementations as programs: compiled by rustc, run case by case.

In: a file's text, a function in it, expressions, inputs. Out: for each expression, whether it compiles, and what came out for
each input. All expressions of a task go into one crate, each as the body of a function beside the real one; what does not compile
is taken out, with rustc's message, and the rest is compiled again. Each expression runs in a process of its own, behind the
referee's fence where there is one, with a limit on time and memory; panics are caught case by case.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from corpus.tasks import Case as PlainCase
from referee.erase import EraseError, erase
from referee.fence import FenceError, Job, Runner, Unfenced, find_fence
from referee.process import Limits
from referee.toolchain import Toolchain, find_rustc
from referee.withheld import SHOW, CaseWriter, NoTest, compile_job
from translate import syntax as sx
from translate.names import Crate
from translate.parser import parse_file
from translate.source import SourceText, from_text
from translate.vstd import library
from witness.contract import WitnessError, find_function
from witness.expressions import Node, nodes
from witness.model import Json, Parameter

RUN_LIMITS: Final = Limits(wall=10, memory_mb=512, processes=16, output_bytes=1 << 22, disk_mb=8, file_mb=8)

_MAIN = """
fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let mut numbers = std::env::args().skip(1).map(|a| a.parse::<usize>().unwrap());
    let which = numbers.next().unwrap();
    for (n, case) in __CASES.iter().enumerate() {
        println!("?{}", n);
        match std::panic::catch_unwind(|| { let mut out = String::new(); case(which, &mut out); out }) {
            Ok(out) => println!("={}", out),
            Err(why) => println!("!{}", why.downcast_ref::<&str>().map(|s| s.to_string())
                .or_else(|| why.downcast_ref::<String>().cloned()).unwrap_or_default().replace('\\n', " ")),
        }
    }
    println!(".");
}
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came out for one input: the result and the final values of the parameters as JSON, or why there is none: `panic` is
    the message of a panic, `None` where there was none."""

    result: Json = None
    final: tuple[Json, ...] = ()
    panic: str | None = None


@dataclass(frozen=True, slots=True)
class Ran:
    """One expression. `message` is rustc's where it was not compiled; `stopped` says why the process did not run to its end
    ("" where it did): then `answers` has those that came before."""

    compiled: bool
    message: str = ""
    answers: tuple[Answer, ...] = ()
    stopped: str = ""


@dataclass(frozen=True, slots=True)
class Machine:
    """What compiles and runs."""

    toolchain: Toolchain
    runner: Runner
    limits: Limits = field(default=RUN_LIMITS)

    @property
    def versions(self) -> dict[str, str]:
        return {"rustc": self.toolchain.version, "fence": self.runner.kind}


def find_machine() -> Machine | None:
    """The compiler on this machine, with a fence if there is one; None without a compiler. A candidate is an expression without
    side effects by then, so it also runs where there is no fence."""
    toolchain = find_rustc()
    if toolchain is None:
        return None
    try:
        return Machine(toolchain, find_fence())
    except FenceError:
        return Machine(toolchain, Unfenced())


def run_function(
    text: str, function: str, parameters: Sequence[Parameter], inputs: Sequence[Sequence[Json]], machine: Machine
) -> Ran:
    """What the file's own function gives for each input."""
    program = _Program(text, function, parameters, inputs)
    return program.run([program.own_name], machine)[0]


def run_expressions(
    text: str,
    function: str,
    parameters: Sequence[Parameter],
    expressions: Sequence[tuple[str, Node]],
    inputs: Sequence[Sequence[Json]],
    machine: Machine,
) -> list[Ran]:
    """What each expression (its text and its tree), as the body of the file's function, gives for each input."""
    program = _Program(text, function, parameters, inputs)
    found: dict[int, Ran] = {}
    left = list(range(len(expressions)))
    while left:
        source, lines = program.with_bodies([expressions[i] for i in left])
        refused = program.compile(source, lines, machine)
        if not refused:
            found.update(zip(left, program.run_all(len(left), machine), strict=True))
            break
        found.update({left[k]: Ran(False, message) for k, message in refused.items()})
        left = [i for k, i in enumerate(left) if k not in refused]
    return [found[i] for i in range(len(expressions))]


class _Program:
    """One function, its inputs, and the crates made of them."""

    def __init__(
        self, text: str, function: str, parameters: Sequence[Parameter], inputs: Sequence[Sequence[Json]]
    ) -> None:
        self.source = from_text("program.rs", text)
        crate = Crate(self.source, parse_file(self.source), library())
        ref = find_function(crate, function)
        assert isinstance(ref.item, sx.Fn)
        self.fn = ref.item
        self.in_trait = isinstance(ref.owner, sx.Trait) or (isinstance(ref.owner, sx.Impl) and ref.owner.trait is not None)
        self.path = ref.path.removeprefix("crate::")
        names = [p.name for p in parameters]
        self.cases = [PlainCase(self.path, _table(names, values), None, {}) for values in inputs]
        self.binary = b""

    @property
    def own_name(self) -> str:
        return self.fn.name

    def beside(self, number: int) -> str:
        return f"{self.fn.name}__w{number}"

    # --- texts -------------------------------------------------------------------------------------------------------

    def with_bodies(self, expressions: Sequence[tuple[str, Node]]) -> tuple[str, list[tuple[str, int]]]:
        """The program with a function for each expression, and for each its name and how many lines its text has."""
        fn, data = self.fn, self.source.data
        assert fn.body is not None
        if self.in_trait:
            place = self.source.place(fn.name_span.start)
            raise WitnessError(f"{place}: `{fn.name}` belongs to a trait: nothing can stand beside it")
        parts, lines = [], []
        for number, (text, node) in enumerate(expressions):
            body = self._renamed(text, node, number)
            head = data[fn.span.start : fn.name_span.start] + self.beside(number).encode()
            head += data[fn.name_span.end : fn.body.start]
            parts.append(b"\n" + head + b"{\n" + body + b"\n}\n")
            lines.append((self.beside(number), body.count(b"\n") + 3))
        end = fn.body.end
        return self._whole((data[:end] + b"".join(parts) + data[end:]).decode(), [n for n, _ in lines]), lines

    def _renamed(self, text: str, node: Node, number: int) -> bytes:
        """The expression's text, with calls of the function itself as calls of the function beside it."""
        data = text.encode()
        name = self.fn.name.encode()
        places = []
        for call in nodes(node):
            if call.op == "self" and call.at is not None:
                method = str(call.data).startswith(".") and call.args[0].at is not None
                start = call.args[0].at.end if method and call.args[0].at is not None else call.at.start
                places.append(data.index(name, start, call.at.end))
        for at in sorted(places, reverse=True):
            data = data[:at] + self.beside(number).encode() + data[at + len(name) :]
        return data

    def _whole(self, text: str, called: Sequence[str]) -> str:
        """The erased text with a `main` that runs every case."""
        try:
            writer = CaseWriter(from_text("program.rs", text))
            erased = erase(text, after_type=writer.show)
            bodies = [writer.case(case, called) for case in self.cases]
        except (EraseError, NoTest) as problem:
            raise WitnessError(f"`{self.path}` cannot be run: {problem}") from problem
        functions = [
            f"fn __case_{n}(__which: usize, mut __out: &mut String) {{\n{body}}}\n"
            for n, body in enumerate(bodies)
        ]
        table = ", ".join(f"__case_{n}" for n in range(len(bodies)))
        cases = f"const __CASES: &[fn(usize, &mut String)] = &[{table}];\n"
        erased = erased.replace("pub mod __vstd {\n", "pub mod __vstd {\n" + SHOW, 1)
        return erased + "".join(functions) + cases + _MAIN

    # --- compiling ---------------------------------------------------------------------------------------------------

    def compile(self, program: str, lines: Sequence[tuple[str, int]], machine: Machine) -> dict[int, str]:
        """Compiles; empty where that went well, else the messages of the functions (by position) that are to blame.

        Raises `WitnessError` where none of them is.
        """
        job = compile_job(program, machine.toolchain)
        ran = machine.runner.run(replace(job, command=(*job.command, "--error-format=json")))
        self.binary = ran.exports.get("program", b"")
        if ran.ok and self.binary:
            return {}
        ranges = _ranges(program, lines)
        blamed: dict[int, str] = {}
        first = ""
        for message in _messages(ran.stderr):
            if message.get("level") != "error":
                continue
            text = str(message.get("message", ""))
            first = first or text
            for span in message.get("spans", []):
                for k, (start, end) in enumerate(ranges):
                    if span.get("is_primary") and start <= span.get("line_start", 0) < end:
                        blamed.setdefault(k, text)
        if blamed:
            return blamed
        why = f"stopped by the limit on {ran.stopped}" if ran.stopped else first or ran.note or f"exit status {ran.status}"
        raise WitnessError(f"`{self.path}`: the program around the candidates does not compile: {why[:300]}")

    # --- running -----------------------------------------------------------------------------------------------------

    def run(self, called: Sequence[str], machine: Machine) -> list[Ran]:
        """Compiles and runs existing functions."""
        self.compile(self._whole(self.source.text, called), [], machine)
        return self.run_all(len(called), machine)

    def run_all(self, count: int, machine: Machine) -> list[Ran]:
        return [self.run_one(which, machine) for which in range(count)]

    def run_one(self, which: int, machine: Machine) -> Ran:
        ran = machine.runner.run(Job(("./program", str(which)), machine.limits, files={"program": self.binary}))
        answers: list[Answer] = []
        ended = False
        for line in ran.stdout.decode(errors="replace").splitlines():
            kind, rest = line[:1], line[1:]
            if kind == "=":
                answers.append(_read_answer(rest))
            elif kind == "!":
                answers.append(Answer(panic=rest or "a panic without a message"))
            elif kind == ".":
                ended = True
        if ended and ran.ok:
            return Ran(True, "", tuple(answers))
        where = f" on case {len(answers) + 1}"
        if ran.stopped is not None:
            limit = {"wall": f"{machine.limits.wall:g} seconds", "memory": f"{machine.limits.memory_mb} MiB"}.get(ran.stopped)
            return Ran(True, "", tuple(answers), f"stopped{where} by the limit of {limit or ran.stopped}")
        if b"overflowed its stack" in ran.stderr:
            return Ran(True, "", tuple(answers), f"its stack overflowed{where}")
        how = f"signal {-ran.status}" if ran.status < 0 else f"exit status {ran.status}"
        return Ran(True, "", tuple(answers), f"it ended{where} with {how}")


def _table(names: Sequence[str], values: Sequence[Json]) -> dict[str, Any]:
    return dict(zip(names, values, strict=True))


def _read_answer(line: str) -> Answer:
    data = json.loads(line)
    return Answer(data["result"], tuple(data["final"]))


def _messages(stderr: bytes) -> list[dict[str, Any]]:
    """rustc's messages, one JSON object a line; anything else there is skipped."""
    found = []
    for line in stderr.decode(errors="replace").splitlines():
        if line.startswith("{"):
            try:
                data = json.loads(line)
            except ValueError:
                continue
            if isinstance(data, dict):
                found.append(data)
    return found


def _ranges(program: str, lines: Sequence[tuple[str, int]]) -> list[tuple[int, int]]:
    """The lines (from 1, end excluded) in which each function stands."""
    source = SourceText("program.rs", program.encode())
    found = []
    for name, count in lines:
        at = source.data.find(f"fn {name}".encode())
        start = source.line_column(at)[0] if at >= 0 else 0
        found.append((start, start + count))
    return found
