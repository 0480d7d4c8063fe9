"""Contract texts from snippets of Verus."""

from __future__ import annotations

from equiv.contract_text import ContractText
from translate import syntax
from translate.parser import parse_file
from translate.source import from_text


def contract(text: str, name: str = "f", *, bare: bool = False) -> ContractText:
    """The contract of function `name` in a text, which is put into `verus!` unless it is `bare`."""
    source = from_text("test.rs", text if bare else f"verus! {{ {text} }}")
    file = parse_file(source)
    assert not file.problems, [p.message for p in file.problems]
    found = [fn for fn in functions(file.items) if fn.name == name]
    assert len(found) == 1, f"{len(found)} functions {name}"
    return ContractText(source, found[0], file)


def functions(items: list[syntax.Item]) -> list[syntax.Fn]:
    out: list[syntax.Fn] = []
    for item in items:
        if isinstance(item, syntax.Fn):
            out.append(item)
        elif isinstance(item, syntax.Mod | syntax.Impl | syntax.Trait):
            out += functions(item.items or [])
    return out


BASE = """
    pub fn f<T>(a: Vec<Vec<T>>, x: u8) -> (r: bool) where T: Copy
        requires a.len() > 0, x < 10,
        ensures r == exists|i: int| 0 <= i < a.len() && g(x, 1), x > 0 || !r,
    { true }
"""

# The same contract, written otherwise: what no fair textual test may mind.
SAME_TEXT = {
    "white space": BASE.replace(" ", "\n  ").replace("||", " || "),
    "comments": BASE.replace("requires", "requires /* a, b */ // c\n").replace("x > 0", "x /* y */ > 0"),
    "no trailing commas": BASE.replace("x < 10,", "x < 10").replace("!r,", "!r"),
    "trailing comma of the parameters": BASE.replace("x: u8)", "x: u8,\n)"),
    "trailing comma of a call": BASE.replace("g(x, 1)", "g(x, 1,)"),
    "split generics": BASE.replace("Vec<Vec<T>>", "Vec<Vec<T> >"),
    "visibility": BASE.replace("pub fn", "pub(crate) fn"),
    "attributes and docs": "/// Documentation, requires nothing.\n#[inline] #[verifier::loop_isolation(false)]" + BASE,
    "another body": BASE.replace("{ true }", "{ assert(a.len() > 0); false }"),
    "decreases": BASE.replace("{ true }", "decreases x { true }"),
    "two requires clauses": BASE.replace("x < 10", "requires x < 10"),
}

# Another contract, or what only a test that knows syntax can see to be none.
OTHER_TEXT = {
    "parameter type": BASE.replace("x: u8", "x: u16"),
    "parameter name": BASE.replace("x: u8", "y: u8"),
    "result type": BASE.replace("r: bool", "r: u8"),
    "mode": BASE.replace("pub fn", "pub proof fn"),
    "bound": BASE.replace("T: Copy", "T: Clone"),
    "requires gone": BASE.replace("a.len() > 0,", ""),
    "requires changed": BASE.replace("x < 10", "x < 11"),
    "ensures changed": BASE.replace("0 <= i", "0 < i"),
    "ensures gone": BASE.replace("x > 0 || !r,", ""),
    "ensures new": BASE.replace("!r,", "!r, r,"),
    "bitwise and of a reference": BASE.replace("a.len() && g", "a.len() & &g"),
    "a tuple's comma": BASE.replace("x < 10", "x == (10,)"),
    "ensures turned returns": BASE.replace("x > 0 || !r,", "").replace("ensures", "returns x > 0 ensures"),
}
