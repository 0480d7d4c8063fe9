"""Small tasks and originals for tests of the experiments, written by the tests themselves."""

from __future__ import annotations

from pathlib import Path

HEAD = "use vstd::prelude::*;\nverus! {\n"
TAIL = "\n} // verus!\n"

DOUBLE = """spec fn twice(x: int) -> int { x + x }

proof fn adding_up(x: int)
    ensures twice(x) == 2 * x,
{
}

fn double(x: u8) -> (r: u16)
    requires x < 100,
    ensures r == twice(x as int), r % 2 == 0,
{
    proof { adding_up(x as int); }
    2 * (x as u16)
}
"""

ZERO = "\n[targets]\nadding_up = 'weakened'\ndouble = 'weakened'"
#: name -> (kind, verdict, kept, what is replaced by what, more of edit.toml)
EDITS: dict[str, tuple[str, str, bool, tuple[str, str], str]] = {
    "renamed": ("definition-renamed", "equivalent", True, ("twice(", "doubled("), ""),
    "new_body": ("body-changed", "equivalent", True, ("2 * (x as u16)", "(x as u16) + (x as u16)"), ""),
    "zero": ("spec-fn-changed", "weakened", False, ("{ x + x }", "{ 0 }"), ZERO),
    "never": ("contradiction-plain", "vacuous", False, ("requires x < 100", "requires false, x < 100"), ""),
    "dropped": ("clause-dropped", "weakened", False, ("r == twice(x as int), ", ""), ""),
    "assumed": (
        "proof-hole",
        "equivalent",
        False,
        ("ensures twice(x) == 2 * x,\n{", "ensures twice(x) == 2 * x,\n{\n    assume(false);"),
        "audit = 'escaped'\nhatch = 'assume'\ndepth = 1",
    ),
    "assumed_here": (
        "proof-hole",
        "equivalent",
        False,
        ("proof { adding", "proof { assume(false); adding"),
        "audit = 'escaped'\nhatch = 'assume'\ndepth = 0",
    ),
}


def tasks(root: Path, *names: str) -> Path:
    """A folder with one task, `double`, and these edits of it (default: all)."""
    task = root / "double"
    (task / "edits").mkdir(parents=True)
    (task / "original.rs").write_text(HEAD + DOUBLE + TAIL)
    (task / "task.toml").write_text('title = "t"\ndescription = "d"\nfield = "made"\ntarget = "double"\n')
    for name in names or EDITS:
        kind, verdict, kept, (old, new), more = EDITS[name]
        assert old in DOUBLE, name
        folder = task / "edits" / name
        folder.mkdir()
        (folder / "submitted.rs").write_text(HEAD + DOUBLE.replace(old, new) + TAIL)
        said = f'kind = "{kind}"\nverdict = "{verdict}"\nkept = {str(kept).lower()}\nwhy = "It is {name}."\n{more}\n'
        (folder / "edit.toml").write_text(said)
    return root


SPEC = """pub struct Solution;

impl Solution {
    spec fn most(a: int, b: int) -> int { if a >= b { a } else { b } }

    pub fn larger(a: i32, b: i32) -> (r: i32)
        requires a != b,
        ensures r == Self::most(a as int, b as int), r >= a && r >= b,
    {
    BODY
    }
}
"""
LEMMA = """
proof fn about_order(a: int, b: int)
    ensures a >= b || b >= a,
{
}
"""


def originals(root: Path) -> Path:
    """A folder in VeriContest's layout with one original, and a folder that is none."""
    good = root / "benchmark" / "easy" / "p1"
    good.mkdir(parents=True)
    (good / "spec.rs").write_text(HEAD + SPEC.replace("BODY", "") + TAIL)
    body = "proof { about_order(a as int, b as int); }\n        if a > b { a } else { b }"
    (good / "verified.rs").write_text(HEAD + LEMMA + SPEC.replace("BODY", body) + TAIL)
    alone = root / "benchmark" / "easy" / "p2"
    alone.mkdir()
    (alone / "spec.rs").write_text(HEAD + SPEC.replace("BODY", "") + TAIL)
    return root
