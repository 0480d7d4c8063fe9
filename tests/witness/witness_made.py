"""Small files, tasks and candidates for the tests of the witness room."""

from __future__ import annotations

from functools import cache

import pytest

from witness.contract import Opened, open_function
from witness.gates import Means
from witness.model import Task
from witness.program import Machine, find_machine
from witness.tasks import Made, Source, make_tasks

needs_rustc = pytest.mark.skipif(find_machine() is None, reason="needs rustc")

#: A contract with two clauses; the body is the right one.
CLAMP = """use vstd::prelude::*;

verus! {

pub const TOP: u32 = 9;

/// The nearest value up to nine.
pub fn clamp(x: u32) -> (r: u32)
    ensures
        r <= TOP,
        x <= TOP ==> r == x,
        x > TOP ==> r == TOP,
{
    if x <= TOP { x } else { TOP }
}

fn main() {
}

} // verus!
"""

#: A contract over a sequence with a precondition.
HEAD = """use vstd::prelude::*;

verus! {

pub fn smallest(v: &Vec<i32>) -> (m: i32)
    requires
        v@.len() > 0,
    ensures
        forall|i: int| 0 <= i < v@.len() ==> m <= v@[i],
        exists|i: int| 0 <= i < v@.len() && m == v@[i],
{
    let mut m = v[0];
    let mut i: usize = 1;
    while i < v.len()
        invariant
            1 <= i <= v@.len(),
            forall|k: int| 0 <= k < i ==> m <= v@[k],
            exists|k: int| 0 <= k < i && m == v@[k],
        decreases v@.len() - i,
    {
        if v[i] < m {
            m = v[i];
        }
        i = i + 1;
    }
    m
}

fn main() {
}

} // verus!
"""

#: A function that changes its parameter.
TICK = """use vstd::prelude::*;

verus! {

pub fn tick(n: &mut u8) -> (before: u8)
    requires
        *old(n) < 200,
    ensures
        *final(n) == *old(n) + 1,
        before == *old(n),
{
    let before = *n;
    *n = *n + 1;
    before
}

fn main() {
}

} // verus!
"""


def opened(text: str, function: str) -> Opened:
    """The function of a text, in the current piece of work."""
    return open_function("made.rs", text, function)


def file_with(signature: str, clauses: str = "", before: str = "", body: str = "{ loop {} }") -> str:
    """A file with one function."""
    return f"use vstd::prelude::*;\n\nverus! {{\n\n{before}\n{signature}\n{clauses}\n{body}\n\nfn main() {{\n}}\n\n}}\n"


@cache
def machine() -> Machine:
    found = find_machine()
    assert found is not None
    return found


@cache
def made(name: str, text: str, function: str, given: tuple[str, ...] = ()) -> Made:
    """The tasks of a text; `given` are cases as TOML inline tables."""
    import tomllib

    cases = tuple(tomllib.loads(f"c = {g}")["c"] for g in given)
    return make_tasks(Source(name, f"{name}.rs", f"What {name} does.", function, text, text, cases), machine())


def clamp_tasks() -> dict[str, Task]:
    """The tasks of `clamp`, by the end of their names."""
    cases = ("{inputs = {x = 3}, output = 3}", "{inputs = {x = 9}, output = 9}", "{inputs = {x = 40}, output = 9}")
    return {t.name.removeprefix("clamp."): t for t in made("clamp", CLAMP, "clamp", cases).tasks}


def smallest_tasks() -> dict[str, Task]:
    """The tasks of `smallest`, by the end of their names."""
    return {t.name.removeprefix("smallest."): t for t in made("smallest", HEAD, "smallest").tasks}


def tick_tasks() -> dict[str, Task]:
    """The tasks of `tick`, by the end of their names."""
    return {t.name.removeprefix("tick."): t for t in made("tick", TICK, "tick").tasks}


def means() -> Means:
    return Means(machine())
