"""The corpus as programs: files with their ghost code erased, compiled by rustc, run on the cases of their tasks.

In: texts with cases. Out: for each a `Ran`: the outcome of each case, or why there is none.

Many programs are compiled as the modules of one, so that the compiler is called a few times; a program that does not compile is
found by halves, and is compiled alone in the end. One run goes through all cases of a batch; where a case ends it (no end in
sight, no memory left, the stack used up), another run goes on behind that case. Expected values never enter a program.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from corpus.tasks import Case
from referee.erase import USE_PRELUDE, EraseError, token_texts
from referee.fence import Job, Runner
from referee.process import Limits
from referee.toolchain import Toolchain
from referee.withheld import CaseResult, NoTest, compile_job, judged_line, program_parts, shown_prelude
from translate.source import from_text
from translate.tokens import Group, Token, tokenize

#: So many programs are compiled together.
BATCH = 24
#: Seconds that one case may run: what ends at all ends at once.
CASE_SECONDS = 2
RUN_LIMITS = Limits(wall=120, memory_mb=1024, processes=64, output_bytes=4 << 20, disk_mb=40, file_mb=40)
#: Marks of cases without a line of results, in what a program prints.
PANIC, ENDLESS = "!panic ", "!endless"

_MAIN = """
fn main() {
    let from: usize = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap();
    std::panic::set_hook(Box::new(|_| {}));
    for (at, &(module, case)) in CASES.iter().enumerate().skip(from) {
        println!("{} begins", at);
        let (tell, told) = std::sync::mpsc::channel();
        let _ = std::thread::Builder::new().stack_size(64 << 20).spawn(move || {
            let ran = std::panic::catch_unwind(|| run(module, case));
            let _ = tell.send(ran.map_err(|p| match p.downcast_ref::<String>() {
                Some(text) => text.clone(),
                None => p.downcast_ref::<&str>().unwrap_or(&"").to_string(),
            }));
        }).unwrap();
        match told.recv_timeout(std::time::Duration::from_secs(SECONDS)) {
            Ok(Ok(line)) => println!("{} {}", at, line),
            Ok(Err(text)) => println!("{} !panic {}", at, text.replace('\\n', " ")),
            Err(_) => { println!("{} !endless", at); std::process::exit(97); }
        }
    }
}
"""


@dataclass(frozen=True, slots=True)
class Program:
    """An erased file that can run `count` cases. Two files with the same executable code have the same `key`."""

    key: str
    items: str
    arms: str
    count: int


@dataclass(frozen=True, slots=True)
class Ran:
    """What became of a program: the lines that it printed, one a case, or `why` it was not run."""

    lines: tuple[str, ...] = ()
    why: str = ""

    def judged(self, cases: Sequence[Case]) -> list[CaseResult]:
        """The lines held against what the cases expect."""
        found = []
        for number, (case, line) in enumerate(zip(cases, self.lines, strict=True)):
            if line.startswith(PANIC):
                found.append(CaseResult(number, False, f"it panics: {line.removeprefix(PANIC)[:200]}"))
            elif line.startswith("!"):
                why = f"no end within {CASE_SECONDS} seconds" if line == ENDLESS else f"it is stopped: {line[1:]}"
                found.append(CaseResult(number, False, why))
            else:
                found.append(judged_line(number, case, line))
        return found


def program_of(text: str, cases: Sequence[Case]) -> Program | str:
    """The program of a file's text, or why there is none."""
    if not cases:
        return "the task has no executable cases"
    try:
        items, arms = program_parts(text, cases)
    except (EraseError, NoTest) as error:
        return str(error)
    key = hashlib.sha256(json.dumps([token_texts(items), token_texts(arms)]).encode()).hexdigest()
    return Program(key, items, arms, len(cases))


def run_programs(programs: Iterable[Program], toolchain: Toolchain, runner: Runner, jobs: int = 1) -> dict[str, Ran]:
    """The outcome of each program, by key; `jobs` batches at a time."""
    unique = list({p.key: p for p in programs}.values())
    batches = [unique[i : i + BATCH] for i in range(0, len(unique), BATCH)]
    with ThreadPoolExecutor(max_workers=max(1, jobs)) as pool:
        done = list(pool.map(lambda batch: _batch(batch, toolchain, runner), batches))
    return {key: ran for found in done for key, ran in found.items()}


def _batch(programs: Sequence[Program], toolchain: Toolchain, runner: Runner) -> dict[str, Ran]:
    compiled = runner.run(compile_job(crate_text(programs), toolchain))
    binary = compiled.exports.get("program")
    if compiled.ok and binary is not None:
        return _run(programs, binary, runner)
    if len(programs) > 1:
        half = len(programs) // 2
        return {**_batch(programs[:half], toolchain, runner), **_batch(programs[half:], toolchain, runner)}
    said = compiled.stderr.decode(errors="replace").strip().splitlines()
    first = next((line for line in said if line.startswith("error")), said[0] if said else compiled.note)
    return {programs[0].key: Ran(why=f"not compiled ({compiled.stopped or compiled.status}): {first[:300]}")}


def crate_text(programs: Sequence[Program]) -> str:
    """Several programs as one: each a module, in which `crate::` means the module."""
    modules = []
    for k, p in enumerate(programs):
        run = f"pub fn __run(__n: usize) -> String {{\n    let mut __out = String::new();\n    match __n {{\n{p.arms}"
        run += "        _ => std::process::exit(96),\n    }\n    __out\n}\n"
        modules.append(f"mod m{k} {{\npub use crate::__vstd;\n{USE_PRELUDE}{rooted(p.items + run, f'm{k}')}}}\n")
    arms = "".join(f"        {k} => m{k}::__run(case),\n" for k in range(len(programs)))
    cases = ", ".join(f"({k}, {n})" for k, p in enumerate(programs) for n in range(p.count))
    constants = f"const CASES: &[(usize, usize)] = &[{cases}];\nconst SECONDS: u64 = {CASE_SECONDS};\n"
    run = f"fn run(module: usize, case: usize) -> String {{\n    match module {{\n{arms}"
    run += "        _ => std::process::exit(96),\n    }\n}\n"
    return shown_prelude() + "".join(modules) + constants + run + _MAIN


def rooted(text: str, module: str) -> str:
    """The text with every `crate::` as `crate::<module>::`; `pub(crate)` and the like stay."""
    source = from_text("program.rs", text)
    tokens = list(_flat(tokenize(source)[0]))
    data, at, out = source.data, 0, bytearray()
    for token, behind in itertools.pairwise(tokens):
        if token.text == "crate" and behind.text == "::":
            out += data[at : behind.end] + f"{module}::".encode()
            at = behind.end
    return (bytes(out) + data[at:]).decode()


def _flat(tokens: Iterable[Token]) -> Iterable[Token]:
    for token in tokens:
        yield token
        if isinstance(token, Group):
            yield from _flat(token.children)


def _run(programs: Sequence[Program], binary: bytes, runner: Runner) -> dict[str, Ran]:
    """Runs all cases of a compiled batch, in as many runs as it takes."""
    places = [(p.key, n) for p in programs for n in range(p.count)]
    lines: dict[int, str] = {}
    start = 0
    while start < len(places):
        ran = runner.run(Job(("./program", str(start)), RUN_LIMITS, files={"program": binary}))
        begun = start
        for text in ran.stdout.decode(errors="replace").splitlines():
            number, _, rest = text.partition(" ")
            if number.isdigit() and rest == "begins":
                begun = int(number)
            elif number.isdigit():
                lines[int(number)] = rest
        if ran.ok and begun == len(places) - 1 and begun in lines:
            break
        lines.setdefault(begun, f"!{ran.stopped or f'exit status {ran.status}'}")
        start = begun + 1
    found: dict[str, list[str]] = {p.key: [] for p in programs}
    for i, (key, _) in enumerate(places):
        found[key].append(lines.get(i, "!it printed nothing"))
    return {key: Ran(tuple(own)) for key, own in found.items()}
