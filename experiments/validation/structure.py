"""Gone, with another interface, or plainly the same: what the syntax trees alone show.

In: the two files' syntax trees, and the path of a function. Out: why the label is right, in a sentence, or None where this rule
does not see it. Nothing of samespec's names, types and terms is used, so that it is a second opinion on them: it compares texts.

- *The same*: but for the bodies of executable and proof functions, and for comments, the two files read the same.
- *Missing*: no function stands at the path, or each that does is external, outside `verus!`, or behind a `cfg`.
- *Another interface*: the mode, the qualifiers, the generics, the type of a parameter or of the result read otherwise; or a type
  or trait that they name, directly or through others, is defined otherwise in the file; or the function declares the contract of
  a trait, and its clauses read otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.erase import token_texts
from translate import syntax as sx
from translate.names import impl_name
from translate.source import SourceText


@dataclass(frozen=True, slots=True)
class Standing:
    """A function where it stands: the impl or trait around it, and the attributes of everything around it, its own among them."""

    fn: sx.Fn
    owner: sx.Impl | sx.Trait | None
    attrs: tuple[sx.Attr, ...]


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file, for this rule."""

    source: SourceText
    file: sx.File


def why_same(original: Parsed, submitted: Parsed) -> str | None:
    """Why every contract means what it meant, or None where more than bodies, comments and white space has changed."""
    same = _without_bodies(original) == _without_bodies(submitted)
    return "but for the bodies of executable and proof functions the files read the same" if same else None


def _without_bodies(side: Parsed) -> list[str]:
    """The tokens of a file without the bodies of functions that no contract can name."""
    text, at = [], 0
    bodies = [s.fn.body for _, s in standing(side.file.items, "", None, ()) if s.fn.mode != "spec" and s.fn.body is not None]
    for body in sorted(bodies, key=lambda b: b.start):
        text.append(side.source.snippet((at, body.start)))
        at = body.end
    return _words("{}".join([*text, side.source.snippet((at, len(side.source.data)))]))


def why_missing(submitted: Parsed, path: str) -> str | None:
    """Why the submission has no verified function at `path`, or None where it seems to have one, or to bring one in by `use`."""
    there = [s for p, s in standing(submitted.file.items, "crate::", None, ()) if p == path]
    if not there:
        name = path.rsplit("::", 1)[-1]
        imports = [leaf for i in _module(submitted.file.items, path) if isinstance(i, sx.Use) for leaf in i.leaves]
        brought = any(leaf.glob or (leaf.alias or leaf.path[-1]) == name for leaf in imports if leaf.path[:1] != ["vstd"])
        return None if brought else f"no function stands at `{path}`"
    reasons = [_hidden(s) for s in there]
    return None if None in reasons else f"`{path}` is {' and '.join(dict.fromkeys(r for r in reasons if r))}"


def _hidden(s: Standing) -> str | None:
    for attr in s.attrs:
        if attr.path in ("cfg", "cfg_attr"):
            return f"behind #[{attr.text}]"
        if "external" in attr.text.replace("(", " ").replace(")", " ").replace("::", " ").split():
            return f"marked #[{attr.text}]"
    return None if s.fn.in_verus else "outside `verus!`"


def why_another_interface(original: Parsed, submitted: Parsed, path: str) -> str | None:
    """Why the interface at `path` is another one, or None where it reads the same."""
    before, after = (
        next((s for p, s in standing(side.file.items, "crate::", None, ()) if p == path), None) for side in (original, submitted)
    )
    if before is None or after is None:
        return None
    old, new = list(_signature(original.source, before)), list(_signature(submitted.source, after))
    for (what, a), (_, b) in zip(old, new, strict=False):
        if _words(a) != _words(b):
            return f"{what} was `{a or 'none'}` and is `{b or 'none'}`"
    changed = _redefined(original, submitted, [word for _, text in old for word in _words(text)])
    if changed is not None:
        return f"`{changed}`, which the interface names, is defined otherwise"
    if isinstance(before.owner, sx.Trait):
        if _clauses(original, before) != _clauses(submitted, after):
            return "it declares a contract of a trait, and that reads otherwise"
    return None


def _clauses(side: Parsed, s: Standing) -> list[list[str]]:
    kinds = ("requires", "ensures", "returns", "default_ensures")
    return [_words(side.source.snippet(c.span)) for c in s.fn.clauses if c.kind in kinds]


def standing(
    items: Sequence[sx.Item], prefix: str, owner: sx.Impl | sx.Trait | None, attrs: tuple[sx.Attr, ...]
) -> Iterator[tuple[str, Standing]]:
    """Every function of some items, with its path."""
    for item in items:
        around = (*attrs, *getattr(item, "attrs", ()))
        match item:
            case sx.Fn():
                yield prefix + item.name, Standing(item, owner, around)
            case sx.Mod() if item.items is not None:
                yield from standing(item.items, f"{prefix}{item.name}::", None, around)
            case sx.Impl():
                yield from standing(item.items, f"{prefix}{impl_name(item)}::", item, around)
            case sx.Trait():
                yield from standing(item.items, f"{prefix}{item.name}::", item, around)
            case _:
                pass


def _module(items: Sequence[sx.Item], path: str) -> Sequence[sx.Item]:
    """The items of the module that a path leads into."""
    for name in path.split("::")[1:-1]:
        inner = next((i.items for i in items if isinstance(i, sx.Mod) and i.name == name and i.items is not None), None)
        if inner is None:
            break
        items = inner
    return items


def _all(items: Sequence[sx.Item]) -> Iterator[sx.Item]:
    for item in items:
        yield item
        if isinstance(item, sx.Mod):
            yield from _all(item.items or [])


def _signature(source: SourceText, s: Standing) -> Iterator[tuple[str, str]]:
    """What a caller sees, part by part: a name for people, and its text. Names of parameters do not belong to it."""
    fn = s.fn

    def text(node: sx.Node | None) -> str:
        return "" if node is None else source.tight(node.span)

    yield "the mode", fn.mode
    yield "the qualifiers", " ".join(q for q in fn.qualifiers if q != "extern")
    for owner in (s.owner, fn):
        if owner is not None:
            yield "the generics", ", ".join(text(p) for p in owner.generics.params if p.kind != "lifetime")
            yield "the bounds", ", ".join(text(w) for w in owner.generics.where)
    if isinstance(s.owner, sx.Impl):
        yield "the type of `self`", text(s.owner.self_type)
    yield "the result type", f"{fn.ret_mode} {text(fn.ret_type)}".strip()
    yield "the number of parameters", str(len(fn.params))
    for i, p in enumerate(fn.params, 1):
        yield f"parameter {i}", f"{p.mode} {p.self_kind or text(p.type)}".strip()


def _redefined(original: Parsed, submitted: Parsed, words: list[str]) -> str | None:
    """The first type or trait, reached from these words, that the two files define otherwise."""
    old, new = _definitions(original), _definitions(submitted)
    seen: set[str] = set()
    while words:
        word = words.pop(0)
        if word in seen:
            continue
        seen.add(word)
        if old.get(word) != new.get(word):
            return word
        words += old.get(word, "").split()
    return None


def _definitions(side: Parsed) -> dict[str, str]:
    """The types, traits and imports of a file by name, as text with its tokens set apart."""
    found: dict[str, str] = {}
    for item in _all(side.file.items):
        match item:
            case sx.Struct() | sx.Enum() | sx.TypeAlias() | sx.Trait():
                found[item.name] = found.get(item.name, "") + " ".join(_words(side.source.snippet(item.span))) + " "
            case sx.Use():
                for leaf in item.leaves:
                    if not leaf.glob and leaf.path:
                        name = leaf.alias or leaf.path[-1]
                        found[name] = found.get(name, "") + "use " + " :: ".join(leaf.path) + " "
            case _:
                pass
    return found


def _words(text: str) -> list[str]:
    return token_texts(text) if text else []
