"""Attributes as Verus reads them: `cfg_attr` resolved, the many spellings of a verifier attribute as one.

In: a list of `syntax.Attr`. Out: words such as "external_body", "rlimit(infinity)", each with the attribute it stands in.
Sources: rust_verify/src/attributes.rs; the guide, "Attributes".
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from translate import configuration
from translate import syntax as sx

#: Configuration that tells what Verus reads from what runs: Verus sets these, a plain compiler does not.
VERUS_FLAGS = (
    "verus_keep_ghost",
    "verus_only",
    "verus_keep_ghost_body",
    "verus_erase_ghost",
    "verus_verify_core",
    "debug_assertions",
)

_PREFIXES = ("verifier::", "verus::internal(", "verifier(", "verus_verify(", "rustc_verify::")


class Word(NamedTuple):
    """One verifier attribute: `name` without arguments, `text` with them, white space removed."""

    name: str
    text: str
    attr: sx.Attr
    internal: bool = False


def active(attrs: list[sx.Attr]) -> list[sx.Attr]:
    """The attributes that hold for Verus; a `cfg_attr` that depends on the build counts as if it held."""
    if all(a.path != "cfg_attr" for a in attrs):
        return attrs
    found, unclear = configuration.expand(attrs)
    for a in unclear:
        brought = configuration.split(a.text[a.text.index("(") + 1 : a.text.rindex(")")])[1:]
        found += [replace(a, path=text.split("(")[0].split("=")[0].strip(), text=text) for text in brought]
    return found


def words(attrs: list[sx.Attr]) -> list[Word]:
    """The verifier attributes among the active ones, in order."""
    found: list[Word] = []
    if not attrs:
        return found
    for a in active(attrs):
        text = "".join(a.text.split())
        if text.startswith("rustc_diagnostic_item"):
            found.append(Word("rustc_diagnostic_item", text, a, True))
            continue
        for prefix in _PREFIXES:
            if not text.startswith(prefix):
                continue
            inside = text[len(prefix) :]
            listed = [inside] if prefix.endswith("::") else configuration.split(inside.removesuffix(")"))
            found += [Word(w.split("(")[0].split("=")[0], w, a, prefix.startswith("verus::")) for w in listed]
            break
        else:
            if "::" not in text and a.path != "doc":
                found.append(Word(text.split("(")[0].split("=")[0], text, a))
    return found


def has_word(attrs: list[sx.Attr], name: str) -> bool:
    return bool(attrs) and any(w.name == name for w in words(attrs))


def depends_on_verus(text: str) -> bool:
    """Whether a configuration predicate names a flag that differs between verifying and running."""
    return any(flag in text for flag in VERUS_FLAGS)
