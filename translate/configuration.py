"""Conditional compilation: which items Verus sees.

In: the attributes of items. Out: whether `#[cfg(…)]` keeps an item in, takes it out, or depends on the build; and attributes with
every `#[cfg_attr(…)]` replaced by what it brings.

Known: `verus_keep_ghost`, `verus_only` and literals; features, tests and documentation builds are off. Everything else (target,
pointer width, panic strategy, other names) depends on the build, and nobody may decide it here.
"""

from __future__ import annotations

from dataclasses import replace

from translate import syntax as sx

_ON = frozenset({"verus_keep_ghost", "verus_only", "verus_keep_ghost_body", "true"})
_OFF = frozenset({"false", "FALSE", "test", "doc", "doctest", "rustfmt", "miri", "kani", "loom"})


def holds(predicate: str) -> bool | None:
    """The value of a configuration predicate; None where it depends on the build."""
    text = "".join(predicate.split())
    for word in ("all", "any"):
        if text.startswith(word + "(") and text.endswith(")"):
            parts = [holds(p) for p in split(text[len(word) + 1 : -1])]
            decisive = word == "any"
            if decisive in parts:
                return decisive
            return None if None in parts else not decisive
    if text.startswith("not(") and text.endswith(")"):
        inner = holds(text[4:-1])
        return None if inner is None else not inner
    if text in _ON:
        return True
    return False if text in _OFF or text.startswith("feature=") else None


def split(text: str) -> list[str]:
    """The parts of a text between its top-level commas."""
    parts, depth, current, quoted = [], 0, "", False
    for c in text:
        quoted ^= c == '"'
        depth += 0 if quoted else {"(": 1, "[": 1, ")": -1, "]": -1}.get(c, 0)
        if c == "," and depth == 0 and not quoted:
            parts.append(current)
            current = ""
        else:
            current += c
    return [p.strip() for p in [*parts, current] if p.strip()]


#: Attributes of the language, of its tools, and of Verus: none of them rewrites the item that it stands on.
_KNOWN = frozenset(
    """cfg cfg_attr doc allow warn deny forbid expect derive inline cold must_use repr non_exhaustive test ignore
    should_panic bench macro_use macro_export path feature global_allocator no_mangle export_name link link_name
    link_section used track_caller target_feature deprecated automatically_derived no_std no_core no_main crate_type
    crate_name recursion_limit type_length_limit proc_macro proc_macro_derive proc_macro_attribute rustfmt clippy
    diagnostic verifier verus verus_spec verus_verify trigger auto all_triggers via_fn is_variant
    is_variant_no_deprecation_warning spec proof exec verus_keep_ghost rustc_diagnostic_item rustc_builtin_macro
    fundamental may_dangle default sort boxed term allow_internal_unstable coroutine unsafe auto_spec dual_spec""".split()
)


def is_known(a: sx.Attr) -> bool:
    """Whether an attribute is one of the language's, its tools' or Verus's own; any other may be a macro."""
    first = a.path.split("::")[0].strip()
    return first in _KNOWN or not first


def _inner(a: sx.Attr) -> str:
    return a.text[a.text.index("(") + 1 : a.text.rindex(")")] if "(" in a.text and ")" in a.text else ""


def presence(attrs: list[sx.Attr]) -> bool | None:
    """Whether an item with these attributes is there: True, False, or None where that depends on the build."""
    result: bool | None = True
    for a in attrs:
        if a.path == "cfg":
            value = holds(_inner(a))
            if value is False:
                return False
            result = None if value is None else result
    return result


def expand(attrs: list[sx.Attr]) -> tuple[list[sx.Attr], list[sx.Attr]]:
    """Attributes with `cfg_attr` expanded, and the `cfg_attr`s whose predicate depends on the build."""
    found: list[sx.Attr] = []
    unclear: list[sx.Attr] = []
    for a in attrs:
        if a.path != "cfg_attr":
            found.append(a)
            continue
        predicate, *brought = split(_inner(a)) or ["false"]
        value = holds(predicate)
        if value is None:
            unclear.append(a)
        elif value:
            inner = [replace(a, path=text.split("(")[0].split("=")[0].strip(), text=text, args=a.args) for text in brought]
            more, open_ = expand(inner)
            found += more
            unclear += open_
    return found, unclear
