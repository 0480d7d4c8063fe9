"""Withheld tests: the executable code, with ghost code erased, on cases that the agent never saw.

In: a submission, its task's cases. Out: `Tested`. Each case is one process in the fence, which gets the inputs and prints the
results; what is expected never enters the fence, so there is nothing there to read or to imitate. Output that is anything but
the one line of results fails the case. Correctness is its own column: it says nothing about acceptance, nor the other way round.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corpus.tasks import Case
from referee.erase import PRELUDE, USE_PRELUDE, EraseError, erase
from referee.fence import Job, Runner
from referee.outcome import Correctness
from referee.process import Limits
from referee.toolchain import Toolchain
from referee.verus import functions_of
from translate import syntax as sx
from translate.parser import parse_file
from translate.source import SourceText, from_text

COMPILE_LIMITS = Limits(wall=60, memory_mb=3072, processes=96, output_bytes=1 << 19, disk_mb=192, file_mb=96)
RUN_LIMITS = Limits(wall=10, memory_mb=512, processes=16, output_bytes=1 << 16, disk_mb=8, file_mb=8)
_PROGRAM = 32 << 20

#: Puts values into a line of JSON: what a case's result and final values are read from.
SHOW = """
pub trait __Show { fn show(&self, out: &mut String); }
macro_rules! __show_plain { ($($t:ty)*) => { $(impl __Show for $t {
    fn show(&self, out: &mut String) { out.push_str(&self.to_string()); } })* } }
__show_plain!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize bool);
impl __Show for str { fn show(&self, out: &mut String) {
    out.push('"');
    for unit in self.encode_utf16() { out.push_str(&format!("\\\\u{:04x}", unit)); }
    out.push('"'); } }
impl __Show for String { fn show(&self, out: &mut String) { self.as_str().show(out); } }
impl __Show for char { fn show(&self, out: &mut String) { self.to_string().as_str().show(out); } }
impl __Show for () { fn show(&self, out: &mut String) { out.push_str("null"); } }
impl<T: __Show + ?Sized> __Show for &T { fn show(&self, out: &mut String) { (**self).show(out); } }
impl<T: __Show + ?Sized> __Show for &mut T { fn show(&self, out: &mut String) { (**self).show(out); } }
impl<T: __Show + ?Sized> __Show for Box<T> { fn show(&self, out: &mut String) { (**self).show(out); } }
impl<T: __Show> __Show for [T] { fn show(&self, out: &mut String) {
    out.push('[');
    for (i, x) in self.iter().enumerate() { if i > 0 { out.push(','); } x.show(out); }
    out.push(']'); } }
impl<T: __Show> __Show for Vec<T> { fn show(&self, out: &mut String) { self.as_slice().show(out); } }
impl<T: __Show, const N: usize> __Show for [T; N] { fn show(&self, out: &mut String) { self.as_slice().show(out); } }
impl<T: __Show> __Show for Option<T> { fn show(&self, out: &mut String) { match self {
    Some(x) => { out.push_str("{\\"some\\":"); x.show(out); out.push('}'); }
    None => out.push_str("{\\"none\\":true}") } } }
impl<T: __Show, E: __Show> __Show for Result<T, E> { fn show(&self, out: &mut String) { match self {
    Ok(x) => { out.push_str("{\\"ok\\":"); x.show(out); out.push('}'); }
    Err(x) => { out.push_str("{\\"err\\":"); x.show(out); out.push('}'); } } } }
macro_rules! __show_tuple { ($($n:ident)*) => { impl<$($n: __Show),*> __Show for ($($n,)*) {
    fn show(&self, out: &mut String) {
        let ($($n,)*) = self;
        let mut first = true;
        out.push('[');
        $( if !first { out.push(','); } first = false; $n.show(out); )*
        out.push(']'); } } } }
__show_tuple!(A); __show_tuple!(A B); __show_tuple!(A B C); __show_tuple!(A B C D); __show_tuple!(A B C D E);
impl __Show for __Ghost { fn show(&self, out: &mut String) { out.push_str("null"); } }
"""
_INTEGERS = set("i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize".split())


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One case; `why` is "" where it passed. It is for the record: an agent is never told."""

    number: int
    passed: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class Tested:
    verdict: Correctness
    why: str = ""
    cases: tuple[CaseResult, ...] = ()
    fenced: bool = True


class NoTest(Exception):
    """A case that cannot be written down as Rust."""


def test_submission(submitted: str, cases: Sequence[Case], toolchain: Toolchain | None, runner: Runner) -> Tested:
    """Compiles the erased submission and runs every case."""
    fenced = runner.kind != "none"
    if not cases:
        return Tested(Correctness.NOT_RUN, "the task has no executable cases", fenced=fenced)
    if toolchain is None:
        return Tested(Correctness.NOT_RUN, "no rustc on this machine", fenced=fenced)
    try:
        program = program_text(submitted, cases)
    except (EraseError, NoTest) as error:
        return Tested(Correctness.UNSCORABLE, str(error), fenced=fenced)
    ran = runner.run(compile_job(program, toolchain))
    binary = ran.exports.get("program")
    if not ran.ok or binary is None:
        said = ran.stderr.decode(errors="replace").strip().splitlines()
        first = next((line for line in said if line.startswith("error")), said[0] if said else ran.note)
        return Tested(Correctness.UNSCORABLE, f"not compiled ({ran.stopped or ran.status}): {first[:300]}", fenced=fenced)
    results = tuple(_run_case(number, case, binary, runner) for number, case in enumerate(cases))
    verdict = Correctness.PASSED if all(r.passed for r in results) else Correctness.FAILED
    return Tested(verdict, "", results, fenced)


def compile_job(program: str, toolchain: Toolchain, beside: Mapping[str, bytes] | None = None) -> Job:
    """The compilation: by the compiler's real path, with a search path that no agent has touched; the result is the export
    `program`."""
    command = (str(toolchain.rustc), "--edition=2021", "--cap-lints=allow", "-Coverflow-checks=on", "-Cstrip=symbols")
    return Job(
        (*command, "-Cdebuginfo=0", "-o", "program", "program.rs"),
        COMPILE_LIMITS,
        files={**(beside or {}), "program.rs": program.encode()},
        exports={"program": _PROGRAM},
        read_only=toolchain.read_only,
        path=(toolchain.sysroot / "bin",),
        env={"SOURCE_DATE_EPOCH": "0"},
    )


def _run_case(number: int, case: Case, binary: bytes, runner: Runner) -> CaseResult:
    ran = runner.run(Job(("./program", str(number)), RUN_LIMITS, files={"program": binary}))
    if ran.stopped is not None:
        return CaseResult(number, False, f"stopped by the limit on {ran.stopped}")
    if ran.status != 0:
        said = ran.stderr.decode(errors="replace").strip().splitlines()
        return CaseResult(number, False, f"exit status {ran.status}: {said[0][:200] if said else ran.note}")
    lines = ran.stdout.decode(errors="replace").split("\n")
    if len(lines) != 2 or lines[1]:
        return CaseResult(number, False, "it printed something else than one line of results: more than one line")
    return judged_line(number, case, lines[0])


def judged_line(number: int, case: Case, line: str) -> CaseResult:
    """Whether the line that a program printed for a case has the results that the case expects."""
    try:
        got = json.loads(line)
        result, final = got["result"], got["final"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        return CaseResult(number, False, f"it printed something else than one line of results: {error}")
    if case.output is not None and not same(result, case.output):
        return CaseResult(number, False, f"result {json.dumps(result)[:200]}, expected {json.dumps(case.output)[:200]}")
    names = list(case.inputs)
    for name, wanted in case.final.items():
        there = final[names.index(name)] if name in names else None
        if not same(there, wanted):
            return CaseResult(number, False, f"final {name} {json.dumps(there)[:200]}, expected {json.dumps(wanted)[:200]}")
    return CaseResult(number, True)


def same(got: Any, wanted: Any) -> bool:
    """Whether a printed value is the expected one; texts are printed as code points."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        return set(got) == set(wanted) and all(same(got[k], wanted[k]) for k in wanted)
    if isinstance(wanted, list) and isinstance(got, list):
        return len(got) == len(wanted) and all(map(same, got, wanted))
    if isinstance(wanted, str) and isinstance(got, str):
        return got == wanted
    return type(got) is type(wanted) and bool(got == wanted)


# --- the program --------------------------------------------------------------------------------------------------------


def program_text(submitted: str, cases: Sequence[Case]) -> str:
    """The erased submission with a `main` that runs the case whose number it is given."""
    items, arms = program_parts(submitted, cases)
    main = (
        "fn main() {\n    let __n: usize = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap();\n"
        f"    let mut __out = String::new();\n    match __n {{\n{arms}        _ => std::process::exit(96),\n    }}\n"
        '    println!("{}", __out);\n}\n'
    )
    return shown_prelude() + USE_PRELUDE + items + main


def program_parts(submitted: str, cases: Sequence[Case]) -> tuple[str, str]:
    """The erased submission, without its prelude, and the arms of a `match` over the number of a case, each of which runs it and
    appends the line of its results to `__out`. Raises `EraseError`, and `NoTest` where a case cannot be written."""
    writer = CaseWriter(from_text("submitted.rs", submitted))
    items = erase(submitted, after_type=writer.show, prelude=False)
    return items, "".join(f"        {number} => {{\n{writer.case(case)}        }}\n" for number, case in enumerate(cases))


def shown_prelude() -> str:
    """The prelude of an erased program, with what prints values."""
    return PRELUDE.replace("pub mod __vstd {\n", "pub mod __vstd {\n" + SHOW, 1)


class CaseWriter:
    """Rust text for values, by the types that the file declares."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        file = parse_file(source)
        self.functions = dict(functions_of(file.items, ""))
        self.types: dict[str, sx.Struct | sx.Enum] = {}
        self.paths: dict[str, str] = {}
        self.aliases: dict[str, sx.TypeAlias] = {}
        self._collect(file.items, "")

    def _collect(self, items: Sequence[sx.Item], prefix: str) -> None:
        for item in items:
            match item:
                case sx.Struct() | sx.Enum():
                    self.types.setdefault(item.name, item)
                    self.paths.setdefault(item.name, prefix + item.name)
                case sx.TypeAlias():
                    self.aliases.setdefault(item.name, item)
                case sx.Mod() if item.items is not None:
                    self._collect(item.items, f"{prefix}{item.name}::")
                case _:
                    pass

    # --- printing ---

    def show(self, item: sx.Struct | sx.Enum) -> str:
        """The implementation of `__Show` for a type of the file."""
        params = ", ".join(self._shown(p) for p in item.generics.params)
        args = ", ".join(f"'{p.name.lstrip(chr(39))}" if p.kind == "lifetime" else p.name for p in item.generics.params)
        if isinstance(item, sx.Struct):
            body = _fields_out([(f.name, f"self.{f.name}") for f in item.fields], item.shape)
        else:
            arms = " ".join(self._variant_out(item.name, v) for v in item.variants)
            body = f"match {'self' if arms else '*self'} {{ {arms} }}"
        head = f"impl<{params}> __Show for {item.name}<{args}>" if params else f"impl __Show for {item.name}"
        return f"{head} {{ fn show(&self, out: &mut String) {{ {body} }} }}\n"

    def _shown(self, param: sx.GenericParam) -> str:
        """A generic parameter that can be shown."""
        text = self.source.snippet(param.span)
        return text + (" + " if param.bounds else ": ") + "__Show" if param.kind == "type" else text

    def _variant_out(self, owner: str, variant: sx.Variant) -> str:
        names = [f"f{i}" for i in range(len(variant.fields))]
        key = f'out.push_str("{{\\"{variant.name}\\":"); '
        if variant.shape == "unit":
            return f'{owner}::{variant.name} => {{ {key}out.push_str("true}}"); }}'
        inner = _fields_out([(f.name, n) for f, n in zip(variant.fields, names, strict=True)], variant.shape)
        bound = ", ".join(f"{f.name}: {n}" for f, n in zip(variant.fields, names, strict=True))
        return f"{owner}::{variant.name} {{ {bound} }} => {{ {key}{inner} out.push('}}'); }}"

    # --- calling ---

    def case(self, case: Case, instead: Sequence[str] = ()) -> str:
        """Statements that call the case's function and put the results into `__out`. With `instead`, functions of these names
        that stand beside it and take the same, the one of them whose number is in `__which` is called."""
        fn = self.functions.get(case.function.removeprefix("crate::"))
        if fn is None:
            raise NoTest(f"the submission has no function `{case.function}`")
        if fn.mode != "exec":
            raise NoTest(f"`{case.function}` is not executable")
        owner = case.function.rpartition("::")[0].split("::")[-1]
        params = [p for p in fn.params if p.mode == ""]
        values = list(case.inputs.values())
        lines, args = [], []
        wanted = iter(values)
        for i, param in enumerate(params):
            of = param.type
            if of is not None and isinstance(of, sx.PathType) and of.path.segments[-1].name in ("Ghost", "Tracked"):
                args.append("__Ghost")
                continue
            try:
                value = next(wanted)
            except StopIteration:
                raise NoTest(f"`{case.function}` has more parameters than the case has inputs") from None
            way, text = self._argument(param, of, value, owner)
            lines.append(f"            let mut p{i} = {text};\n")
            args.append(f"{way}p{i}")
        if next(wanted, None) is not None:
            raise NoTest(f"`{case.function}` has fewer parameters than the case has inputs")
        path = "::".join(self._path(case.function, owner))
        shown = [f"p{i}" if a.startswith("&") else None for i, a in enumerate(args) if a != "__Ghost"]
        called = f"{path}({', '.join(args)})"
        if instead:
            beside = path.removesuffix(fn.name)
            arms = " ".join(f"{i} => {beside}{name}({', '.join(args)})," for i, name in enumerate(instead))
            called = f"match __which {{ {arms} _ => std::process::exit(96) }}"
        lines.append(f"            let r = {called};\n")
        lines.append('            __out.push_str("{\\"result\\":"); r.show(&mut __out); __out.push_str(",\\"final\\":[");\n')
        for i, name in enumerate(shown):
            comma = "__out.push(','); " if i else ""
            lines.append(f"            {comma}" + (f"{name}.show(&mut __out);\n" if name else '__out.push_str("null");\n'))
        lines.append('            __out.push_str("]}");\n')
        return "".join(lines)

    def _path(self, function: str, owner: str) -> list[str]:
        parts = function.removeprefix("crate::").split("::")
        item = self.types.get(owner)
        if item is not None and item.generics.params:
            parts[-2] = f"{owner}::<{', '.join('_' if p.kind == 'lifetime' else 'i64' for p in item.generics.params)}>"
        return parts

    def _argument(self, param: sx.Param, of: sx.Type | None, value: object, owner: str) -> tuple[str, str]:
        if param.self_kind is not None:
            way = "&mut " if "&mut" in param.self_kind else "&" if "&" in param.self_kind else ""
            return way, self._named(owner, value)
        if isinstance(of, sx.RefType):
            if isinstance(of.inner, sx.SliceType):
                return ("&mut " if of.mutable else "&"), self._list("vec![", of.inner.elem, value)
            if isinstance(of.inner, sx.PathType) and of.inner.path.text == "str":
                return "", json_text(value)
            return ("&mut " if of.mutable else "&"), self.value(of.inner, value)
        return "", self.value(of, value)

    def value(self, of: sx.Type | None, value: object) -> str:
        """A value as a Rust expression of a type."""
        match of:
            case sx.RefType():
                if isinstance(of.inner, sx.PathType) and of.inner.path.text == "str":
                    return json_text(value)
                if isinstance(of.inner, sx.SliceType):
                    return f"{'&mut ' if of.mutable else '&'}{self._list('[', of.inner.elem, value)}[..]"
                return f"{'&mut ' if of.mutable else '&'}{self.value(of.inner, value)}"
            case sx.ArrayType():
                return self._list("[", of.elem, value)
            case sx.TupleType() if isinstance(value, list) and len(value) == len(of.elems):
                return "(" + "".join(self.value(t, v) + ", " for t, v in zip(of.elems, value, strict=True)) + ")"
            case sx.PathType():
                return self._of_path(of.path.segments[-1], value)
            case _:
                raise NoTest("a parameter of a type that cases cannot have")

    def _list(self, opening: str, elem: sx.Type | None, value: object) -> str:
        if not isinstance(value, list):
            raise NoTest("a list was expected")
        return opening + ", ".join(self.value(elem, v) for v in value) + "]"

    def _of_path(self, segment: sx.PathSegment, value: object) -> str:
        name = segment.name
        inner: list[Any] = list(segment.args.args) if segment.args is not None else []
        if name in _INTEGERS and isinstance(value, int) and not isinstance(value, bool):
            return f"({value}{name})" if value >= 0 else f"({value}_{name})"
        if name == "bool" and isinstance(value, bool):
            return str(value).lower()
        if name == "char" and isinstance(value, str) and len(value) == 1:
            return f"'\\u{{{ord(value):x}}}'"
        if name == "String":
            return f"String::from({json_text(value)})"
        if name == "Vec":
            return self._list("vec![", inner[0] if inner else None, value)
        if name == "Box":
            return f"Box::new({self.value(inner[0], value)})"
        if name == "Option" and isinstance(value, dict):
            return f"Some({self.value(inner[0], value['some'])})" if "some" in value else "None"
        if name == "Result" and isinstance(value, dict):
            return f"Ok({self.value(inner[0], value['ok'])})" if "ok" in value else f"Err({self.value(inner[1], value['err'])})"
        if name in self.aliases:
            return self.value(self.aliases[name].type, value)
        if name in self.types:
            return self._named(name, value)
        if isinstance(value, int) and not isinstance(value, bool) and not inner:
            return f"({value}i64)" if value >= 0 else f"({value}_i64)"  # a type variable
        raise NoTest(f"no value of type `{name}` can be written down")

    def _named(self, name: str, value: object) -> str:
        item = self.types.get(name)
        if item is None or not isinstance(value, Mapping):
            raise NoTest(f"no value of type `{name}` can be written down")
        path = self.paths[name]
        if isinstance(item, sx.Struct):
            return f"{path} {{ {self._fields(item.fields, value)} }}"
        (variant_name, inner) = next(iter(value.items()))
        variant = next((v for v in item.variants if v.name == variant_name), None)
        if variant is None:
            raise NoTest(f"`{name}` has no variant `{variant_name}`")
        if variant.shape == "unit":
            return f"{path}::{variant_name}"
        return f"{path}::{variant_name} {{ {self._fields(variant.fields, inner)} }}"

    def _fields(self, members: Sequence[sx.FieldDef], value: object) -> str:
        if isinstance(value, list):
            value = {str(i): v for i, v in enumerate(value)}
        if not isinstance(value, Mapping):
            value = {"0": value}
        out = []
        for member in members:
            ghost = member.mode != "" or (
                isinstance(member.type, sx.PathType) and member.type.path.segments[-1].name in ("Ghost", "Tracked")
            )
            if not ghost and member.name not in value:
                raise NoTest(f"the case has no value for the field `{member.name}`")
            out.append(f"{member.name}: " + ("__Ghost" if ghost else self.value(member.type, value[member.name])))
        return ", ".join(out)


def _fields_out(members: Sequence[tuple[str, str]], shape: str) -> str:
    if shape == "unit":
        return 'out.push_str("{}");'
    if shape == "tuple":
        if len(members) == 1:
            return f"{members[0][1]}.show(out);"
        parts = " out.push(','); ".join(f"{e}.show(out);" for _, e in members)
        return f"out.push('['); {parts} out.push(']');"
    parts = " out.push(','); ".join(f'out.push_str("\\"{n}\\":"); {e}.show(out);' for n, e in members)
    return f"out.push('{{'); {parts} out.push('}}');"


def json_text(value: object) -> str:
    """A text as a Rust string literal."""
    if not isinstance(value, str):
        raise NoTest("a text was expected")
    return '"' + "".join(f"\\u{{{ord(c):x}}}" for c in value) + '"'
