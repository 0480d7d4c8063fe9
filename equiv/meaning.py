"""Changed meanings: definitions that a contract names and that differ between the two files.

In: the two elaborations of a target's contract. Out: `MeaningChange` records, old text beside new text. A contract whose text
stands unchanged can still mean something else, because a spec function, constant, type, alias, `View` implementation, trait or
macro that it names was changed; a verdict that rests on that has to show it.
"""

from __future__ import annotations

from equiv.verdict import MeaningChange, Place
from translate import syntax as sx
from translate.elaborate.elaborator import Elaborator
from translate.names import Crate, Ref


def place(crate: Crate, offset: int) -> Place:
    """A byte offset as file, line, column."""
    line, column = crate.source.line_column(offset)
    return Place(str(crate.source.path), line, column)


def definition_text(ref: Ref) -> str:
    """The source text of a definition, as it stands, without its attributes' and doc comments' indentation."""
    assert ref.crate is not None and isinstance(ref.item, sx.Node)
    node: sx.Node = ref.item
    if isinstance(ref.item, sx.Variant) and isinstance(ref.owner, sx.Enum):
        node = ref.owner
    text = ref.crate.source.data[node.span.start : node.span.end].decode("utf-8", "replace")
    lines = text.splitlines()
    margin = min((len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()), default=0)
    return "\n".join([lines[0], *(line[margin:] for line in lines[1:])]) if lines else ""


def definition_place(ref: Ref) -> Place | None:
    if ref.crate is None or not isinstance(ref.item, sx.Node):
        return None
    return place(ref.crate, getattr(ref.item, "name_span", ref.item.span).start)


def meaning_changes(original: Elaborator, old_path: str, submitted: Elaborator, new_path: str) -> list[MeaningChange]:
    """What the two contracts name under the same path with different meanings, in order of first use; then names that the
    submission defines itself where the original used the library's."""
    changes: list[MeaningChange] = []
    new_uses = dict.fromkeys(submitted.closure_of(new_path))
    for path in original.closure_of(old_path):
        entry = original.meanings.get(path)
        if entry is None or entry[0] in ("trait contract", "associated type") or entry[2].crate is not original.crate:
            continue
        kind, meanings, ref = entry
        new = submitted.meanings.get(path)
        if new is not None and path in new_uses:
            if set(new[1]) == set(meanings):
                continue
            old_text, new_text = definition_text(ref), definition_text(new[2])
            if old_text == new_text and _rests_on_other(original, path, submitted):
                continue  # only what it names changed: that is reported itself
            changes.append(MeaningChange(kind, path, old_text, new_text, definition_place(ref), definition_place(new[2])))
        elif new is None and not _defined(submitted.crate, path):
            changes.append(MeaningChange(kind, path, definition_text(ref), "", definition_place(ref), None))
    for path in new_uses:
        entry = submitted.meanings.get(path)
        if entry is None or path in original.meanings or entry[2].crate is not submitted.crate or _defined(original.crate, path):
            continue
        kind, _, ref = entry
        library = submitted.crate.library
        shadowed = None if library is None else library.prelude(ref.name, "types") or library.prelude(ref.name, "values")
        if shadowed is not None and kind != "associated type":
            changes.append(
                MeaningChange(
                    kind, path, f"the standard library's `{ref.name}`", definition_text(ref), None, definition_place(ref)
                )
            )
    return changes


def _rests_on_other(original: Elaborator, path: str, submitted: Elaborator) -> bool:
    """Whether a definition with unchanged text names another one whose meaning differs."""
    for p in original.closure_of(path):
        old, new = original.meanings.get(p), submitted.meanings.get(p)
        if old is not None and (new is None or set(old[1]) != set(new[1])):
            return True
    return False


def _defined(crate: Crate, path: str) -> bool:
    return bool(crate.functions_at(path)) or any(r.path == path for r in crate.all_refs())
