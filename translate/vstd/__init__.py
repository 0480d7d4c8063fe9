"""The vstd vocabulary: what the names of Verus's standard library mean.

The vocabulary is a crate written in Verus itself (the `.rs` files beside this one), read by the same parser and elaborator as a
user's file. `#[term(op)]` makes a function one of the term language's operators; `#[sort(kind)]` and `#[boxed(View<…>)]` make a
struct one of its sorts; `#[inline]` puts a body in place at once, so that `v.len()` and `v@.len()` are the same term. A spec
function with a body means its body; one marked `uninterp` is an unknown function. Definitions are our own, after the
documentation of vstd.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from translate.names import Crate
from translate.parser import parse_file
from translate.source import from_text


def _for_each(text: str) -> str:
    """The text with every part between `// for T in a b c:` and `// end` repeated for `$T` being a, b, c."""
    part = re.compile(r"// for T in ([^:\n]*):\n(.*?)// end\n", re.S)
    return part.sub(lambda m: "\n".join(m[2].replace("$T", t) for t in m[1].split()), text)


@cache
def library() -> Crate:
    """The vocabulary as a crate, read once per process."""
    paths = sorted((p for p in files(__package__).iterdir() if p.name.endswith(".rs")), key=lambda p: p.name)
    text = _for_each("\n".join(p.read_text(encoding="utf-8") for p in paths))
    source = from_text("<vstd vocabulary>", text)
    file = parse_file(source)
    if file.problems:
        problem = file.problems[0]
        line, column = source.line_column(problem.span.start)
        raise AssertionError(f"vocabulary, line {line}, column {column}: {problem.message}")
    return Crate(source, file, None, "vstd")
