# ruff: noqa: E501 (programs stand on one line each)
"""Programs that put an escape hatch somewhere a target's proof reaches it: generated from the catalogue's examples.

In: a hatch and a position. Out: the text of a file whose target is `crate::f`, or None where the combination makes no sense.
"""

from __future__ import annotations

import re

from depgraph.hatches import Hatch

POSITIONS = (
    "target",
    "one call away",
    "three calls away",
    "other module",
    "alias",
    "glob",
    "re-export",
    "module alias",
    "closure",
    "assert by",
    "library macro's argument",
    "macro's argument",
    "macro's body",
    "macro's body two deep",
    "loop",
    "method",
    "trait implementation",
    "nested function",
)

HEAD = "use vstd::prelude::*;\n"
TARGET = "pub fn f(x: u64) -> (r: u64)\n    ensures\n        r >= x,\n{{\n{body}    x\n}}\n"
HELPER = "pub fn {name}(x: u64) -> (r: u64)\n    ensures\n        r >= x,\n{{\n{body}    x\n}}\n"
#: Where the library's hatches live, for imports of them.
HOMES = {"admit": "vstd::prelude::admit", "assume_new": ""}


def statement(hatch: Hatch, use: str | None = None) -> str:
    """The example's statement as it stands in executable code."""
    text = hatch.use if use is None else use
    if text.startswith(("exec:", "#[")):
        return text.removeprefix("exec:").strip()
    return f"proof {{ {text} }}"


def is_proof(hatch: Hatch) -> bool:
    return not hatch.use.startswith(("exec:", "#["))


def used_name(hatch: Hatch) -> str | None:
    """The path that the example's statement uses."""
    found = re.search(r"broadcast use (\w+)", hatch.use) or re.search(r"([\w:]+)\s*\(", hatch.use.removeprefix("exec: let y = "))
    if found is None or found.group(1) in ("assume", "assert"):
        inner = re.search(r"assert\((\w+)\(", hatch.use)
        return inner.group(1) if inner else None
    return found.group(1)


def _verus(text: str) -> str:
    return f"{HEAD}verus! {{\n{text}}}\n"


def program(hatch: Hatch, position: str) -> str | None:
    item = hatch.item
    plain = f"    {statement(hatch)}\n"
    target = TARGET.format(body=plain)
    name = used_name(hatch)
    match position:
        case "target":
            return _verus(item + target)
        case "one call away":
            return _verus(item + HELPER.format(name="h1", body=plain) + TARGET.format(body="    let a = h1(x);\n"))
        case "three calls away":
            chain = HELPER.format(name="h3", body=plain)
            chain += HELPER.format(name="h2", body="    let a = h3(x);\n") + HELPER.format(name="h1", body="    let a = h2(x);\n")
            return _verus(item + chain + TARGET.format(body="    let a = h1(x);\n"))
        case "other module":
            inner = f"pub mod m {{\n{HEAD}{item}{HELPER.format(name='h1', body=plain)}}}\n"
            return _verus(inner + TARGET.format(body="    let a = m::h1(x);\n"))
        case "alias" | "re-export" | "glob" | "module alias":
            return _through_names(hatch, position, name)
        case "closure":
            body = (
                f"    let g = |y: u64| -> (z: u64)\n        ensures\n            z >= y,\n    {{\n    {plain}        y\n    }};\n"
            )
            return _verus(item + TARGET.format(body=body))
        case "assert by":
            if not is_proof(hatch):
                return None
            return _verus(item + TARGET.format(body=f"    assert(x >= 0) by {{ {hatch.use} }}\n"))
        case "library macro's argument":
            if not is_proof(hatch):
                return None
            return _verus(item + TARGET.format(body=f"    proof! {{ {hatch.use} }}\n"))
        case "macro's argument":
            macro = "macro_rules! run { ($($t:tt)*) => { $($t)* }; }\n"
            return macro + _verus(item + TARGET.format(body=f"    run! {{ {statement(hatch)} }}\n"))
        case "macro's body":
            macro = f"macro_rules! sneak {{ () => {{ {statement(hatch)} }}; }}\n"
            return macro + _verus(item + TARGET.format(body="    sneak!();\n"))
        case "macro's body two deep":
            macro = f"macro_rules! inner {{ () => {{ {statement(hatch)} }}; }}\n"
            macro += "macro_rules! sneak { ($e:expr) => { inner!(); $e }; }\n"
            return macro + _verus(item + TARGET.format(body="    let z = sneak!(x + 1);\n"))
        case "loop":
            body = "    let mut i: u64 = 0;\n    while i < x\n        invariant\n            i <= x,\n        decreases x - i,\n    {\n"
            return _verus(item + TARGET.format(body=f"{body}    {plain}        i = i + 1;\n    }}\n"))
        case "method":
            inner = f"pub struct S {{\n    pub x: u64,\n}}\nimpl S {{\n{HELPER.format(name='go', body=plain).replace('(x:', '(&self, x:')}}}\n"
            return _verus(item + inner + TARGET.format(body="    let s = S { x };\n    let a = s.go(x);\n"))
        case "trait implementation":
            inner = "pub struct S {\n    pub x: u64,\n}\npub trait Go {\n    fn go(&self, x: u64) -> (r: u64)\n        ensures\n            r >= x,\n    ;\n}\n"
            inner += f"impl Go for S {{\n    fn go(&self, x: u64) -> (r: u64) {{\n    {plain}        x\n    }}\n}}\n"
            inner += "pub fn through<T: Go>(t: &T, x: u64) -> (r: u64)\n    ensures\n        r >= x,\n{\n    t.go(x)\n}\n"
            return _verus(item + inner + TARGET.format(body="    let s = S { x };\n    let a = through(&s, x);\n"))
        case "nested function":
            inner = f"    fn inner(x: u64) -> (r: u64)\n        ensures\n            r >= x,\n    {{\n    {plain}        x\n    }}\n    let a = inner(x);\n"
            return _verus(item + TARGET.format(body=inner))
    raise ValueError(position)


def _through_names(hatch: Hatch, position: str, name: str | None) -> str | None:
    """The hatch under another name: an alias, a glob, a re-export, an alias of its module."""
    if name is None or name == "Tracked::assume_new" or hatch.use.startswith("#["):
        return None
    item, last = hatch.item, name.rsplit("::", 1)[-1]
    home = HOMES.get(name, name) if not item else f"crate::m::{name}"
    inner = f"pub mod m {{\n{HEAD}{item}}}\n" if item else ""
    again = f"{home.rsplit('::', 1)[0]}"
    match position:
        case "alias":
            imports, call = f"use {home} as given;\n", "given"
        case "re-export":
            imports, call = f"pub mod api {{\n    pub use {home};\n}}\n", f"api::{last}"
        case "module alias":
            imports, call = f"use {again} as lib;\n", f"lib::{last}"
        case _:
            imports, call = f"pub mod api {{\n    pub use {again}::*;\n}}\n", f"api::{last}"
    used = statement(hatch, hatch.use.replace(name, call, 1) if name in hatch.use else hatch.use)
    used = re.sub(rf"(?<![\w:]){re.escape(name)}\(", f"{call}(", used)
    return _verus(inner + imports + TARGET.format(body=f"    {used}\n"))
