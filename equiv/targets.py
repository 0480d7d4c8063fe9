"""Targets: which functions of the original are checked, and which function of the submission answers for each.

In: the two crates' names. Out: pairs. A target is found again by its path; a re-export at that path counts, because callers reach
the function through it. One that is gone, hidden by `cfg`, or outside what Verus reads is `missing`, with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass

from translate import syntax as sx
from translate.elaborate.contracts import has_contract, trait_declaration
from translate.elaborate.definitions import has_attr
from translate.names import Crate, Ref


class UnknownTarget(Exception):
    """A function that the user named is not in the original; the message says what is."""


@dataclass(frozen=True, slots=True)
class Lost:
    """Why a target has no counterpart: `code` as in `Reason.code`, `message` for people, and what stands there instead."""

    code: str
    message: str
    ref: Ref | None = None


def is_verified(ref: Ref) -> bool:
    """Whether Verus verifies a function: inside `verus!` (or marked), and not `external`."""
    assert isinstance(ref.item, sx.Fn)
    owner_external = ref.owner is not None and has_attr(ref.owner.attrs, "external")
    return ref.item.in_verus and not has_attr(ref.item.attrs, "external") and not owner_external


def targets_of(crate: Crate, wanted: list[str] | None) -> list[Ref]:
    """The functions to check, in the order of the file: all with a contract, or those named.

    A name may be a full path, or any ending of one (`Solution::find`, `find`).
    """
    functions = [r for r in crate.functions if isinstance(r.item, sx.Fn)]
    if not wanted:
        return [r for r in functions if r.item.mode != "spec" and _states_contract(r) and is_verified(r)]  # type: ignore[union-attr]
    chosen: list[Ref] = []
    for name in wanted:
        found = [r for r in functions if r.path == name] or [r for r in functions if r.path.endswith("::" + name)]
        if not found:
            known = [r.path for r in functions if _states_contract(r)]
            listed = ", ".join(known[:12]) + (", …" if len(known) > 12 else "")
            raise UnknownTarget(f"no function `{name}` in {crate.source.path}; functions with a contract: {listed or 'none'}")
        if len({r.path for r in found}) > 1:
            paths = ", ".join(r.path for r in found)
            raise UnknownTarget(f"`{name}` names several functions of {crate.source.path}: {paths}; give more of the path")
        chosen.append(found[0])
    return chosen


def _states_contract(ref: Ref) -> bool:
    assert isinstance(ref.item, sx.Fn)
    if has_contract(ref.item):
        return True
    declared = trait_declaration(ref)
    return declared is not None and isinstance(declared.item, sx.Fn) and has_contract(declared.item)


def counterpart(submitted: Crate, target: Ref, moved_to: str | None = None) -> Ref | Lost:
    """The submission's function at the target's path, or at the path that it is known to have moved to."""
    assert target.crate is not None
    if moved_to is not None:
        there = submitted.functions_at(moved_to)
        if len(there) != 1:
            return Lost("ambiguous" if there else "gone", f"`{moved_to}` is {'defined more than once' if there else 'gone'}")
        return there[0] if is_verified(there[0]) else Lost("external", f"Verus does not check `{moved_to}`", there[0])
    same = submitted.functions_at(target.path)
    if len(same) > 1 or len(target.crate.functions_at(target.path)) > 1:
        # Several impl blocks of one type at different arguments: the block's own header tells them apart.
        same = [r for r in same if _header(r) == _header(target)]
        if len(same) > 1:
            return Lost("ambiguous", f"`{target.path}` is defined more than once", same[1])
    ref: Ref | None = same[0] if same else None
    if ref is None and target.owner is None:
        resolved = submitted.resolve(target.path.split("::"), submitted.root, "values")
        if resolved is not None and isinstance(resolved.item, sx.Fn):
            ref = resolved
    if ref is None:
        return _lost(submitted, target)
    assert isinstance(ref.item, sx.Fn)
    if not is_verified(ref):
        if has_attr(ref.item.attrs, "external") or ref.item.in_verus:
            return Lost("external", f"`{target.path}` is marked external: Verus does not check it", ref)
        return Lost("outside-verus", f"`{target.path}` stands outside `verus!`: Verus does not check it", ref)
    return ref


def _header(ref: Ref) -> str:
    """The header of the impl block that a method stands in, as text."""
    if not isinstance(ref.owner, sx.Impl) or ref.crate is None:
        return ""
    spans = [ref.owner.self_type.span] + ([ref.owner.trait.span] if ref.owner.trait is not None else [])
    return " for ".join(ref.crate.source.tight(s) for s in spans)


def _lost(submitted: Crate, target: Ref) -> Lost:
    for r in submitted.hidden:
        if r.path == target.path:
            return Lost("cfg", f"`{target.path}` is hidden by `#[cfg(…)]`: Verus does not see it", r)
    elsewhere = [r for r in submitted.functions if r.name == target.name]
    if elsewhere:
        return Lost("gone", f"`{target.path}` is gone; a function of that name is at `{elsewhere[0].path}`", elsewhere[0])
    return Lost("gone", f"`{target.path}` is gone")
