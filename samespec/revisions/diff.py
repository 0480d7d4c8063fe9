"""The contracts that changed between two revisions, each with its verdict.

In: a repository and two sides. Out: a `DiffReport`. A file whose skeleton stands (`skeleton.py`) is skipped; the others are
checked file by file, with functions that moved or were renamed followed (`follow.py`).

A check reads one file a side, so a definition of another file is the same unknown on both sides. Here that is not enough: a
contract that names a definition which this change alters in another file is `undecided`, in unchanged files too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from equiv.check import check_sources, read_crate, spec_changes
from equiv.contract_text import ContractText
from equiv.meaning import definition_place
from equiv.targets import Lost, counterpart, is_verified, targets_of
from equiv.verdict import CheckReport, Reason, TargetReport, Verdict
from samespec.revisions.follow import Place, follow
from samespec.revisions.git import FileChange, Repository, Sides
from samespec.revisions.skeleton import bodies, may_have_contracts, skeleton
from translate import syntax as sx
from translate.names import Crate, Ref
from translate.room import deep_stack
from translate.source import SourceError, SourceText, source_of_bytes

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Moved:
    """Where a function that was followed stands now."""

    file: str
    path: str
    source: SourceText = field(repr=False)

    def __str__(self) -> str:
        return f"{self.file}: {self.path}"


@dataclass(frozen=True, slots=True)
class FileReport:
    """One file that may have changed contracts. `report` holds the targets of the old file, `moved` those that were followed;
    `fresh` are the functions with a contract that were not there before."""

    change: FileChange
    report: CheckReport
    old: SourceText | None = field(repr=False)
    new: SourceText | None = field(repr=False)
    moved: dict[str, Moved] = field(default_factory=dict)
    fresh: tuple[str, ...] = ()

    @property
    def changed(self) -> list[TargetReport]:
        """The targets whose contract is not, word for word, what it was."""
        return [t for t in self.report.targets if t.target in self.moved or not unchanged(t)]


@dataclass(frozen=True, slots=True)
class DiffReport:
    """`files` are those that were checked, `skipped` counts those that differ and cannot have changed a contract."""

    base: str
    head: str
    files: tuple[FileReport, ...]
    skipped: int = 0

    def kept(self, *, strict: bool = False) -> bool | None:
        """As for one file; a change without changed contracts keeps them all."""
        answers = [t.verdict.kept(strict=strict) for f in self.files for t in f.changed]
        return False if False in answers else None if None in answers else True


def unchanged(target: TargetReport) -> bool:
    """Whether a target has the same text and names nothing that is defined otherwise."""
    return target.verdict is Verdict.EQUIVALENT and target.same == "text" and not target.meaning


@dataclass(slots=True)
class _Pair:
    """One file on both sides, read."""

    change: FileChange
    old: SourceText | None
    new: SourceText | None
    before: Crate | None
    after: Crate | None


def diff_contracts(
    repository: Repository,
    sides: Sides,
    paths: Sequence[str] = (),
    *,
    budget: int,
    say: Callable[[int, int, str], None] = lambda done, of, name: None,
) -> DiffReport:
    """Checks what differs. `say` is told the progress. Raises `GitError`, and `SourceError` for a file that is no text."""
    pairs, skipped, altered = [], 0, set[str]()
    changes = repository.changes(sides, paths)
    for change in changes:
        pair = _read(repository, sides, change)
        if pair is None:
            skipped += 1
        else:
            pairs.append(pair)
    with deep_stack():
        for pair in pairs:
            pair.before = None if pair.old is None else read_crate(pair.old)
            pair.after = None if pair.new is None else read_crate(pair.new)
        gone, fresh = _lost_and_new(pairs)
        followed = {(a.file, a.ref.path): b for a, b in follow(gone, fresh)}
        for pair in pairs:
            altered |= _altered(pair, budget)
    reports = []
    for number, pair in enumerate(pairs):
        say(number, len(pairs), pair.change.new or pair.change.old)
        here = {path: b for (file, path), b in followed.items() if file == number}
        made = _checked(number, pair, pairs, here, fresh, budget)
        if made is not None:
            reports.append(_with_doubts(made, altered, pair.before))
    if altered:
        reports += _elsewhere(repository, sides, {p.change.new for p in pairs}, altered, budget)
    return DiffReport(*sides.names, tuple(r for r in reports if r.report.targets or r.fresh or r.report.unreached), skipped)


# --- reading ------------------------------------------------------------------------------------------------------------


def _read(repository: Repository, sides: Sides, change: FileChange) -> _Pair | None:
    """A file that may have changed contracts; None for one that cannot have."""
    base, head = sides.names
    old = repository.content(change.old_object, change.old) if change.old.endswith(".rs") else b""
    new = repository.content(change.new_object, change.new) if change.new.endswith(".rs") else b""
    if not may_have_contracts(old) and not may_have_contracts(new):
        return None
    before = source_of_bytes(f"{base}:{change.old}", old) if old else None
    after = source_of_bytes(change.new if head == "working tree" else f"{head}:{change.new}", new) if new else None
    if before is not None and after is not None:
        was = skeleton(before)
        if was is not None and was == skeleton(after):
            return None
    return _Pair(change, before, after, None, None)


def _functions(crate: Crate | None) -> list[Ref]:
    return [] if crate is None else [r for r in crate.functions if isinstance(r.item, sx.Fn) and r.item.mode != "spec"]


def _lost_and_new(pairs: Sequence[_Pair]) -> tuple[list[Place], list[Place]]:
    """The targets of old files without a counterpart, and the functions of new files that the old ones do not have."""
    gone, fresh = [], []
    for number, pair in enumerate(pairs):
        for target in [] if pair.before is None else targets_of(pair.before, None):
            found = Lost("gone", "") if pair.after is None else counterpart(pair.after, target)
            if isinstance(found, Lost) and found.code == "gone":
                gone.append(Place(number, target))
        known = {r.path for r in _functions(pair.before)}
        fresh += [Place(number, r) for r in _functions(pair.after) if r.path not in known and is_verified(r)]
    return gone, fresh


# --- checking -----------------------------------------------------------------------------------------------------------


def _checked(
    number: int, pair: _Pair, pairs: Sequence[_Pair], here: dict[str, Place], fresh: Sequence[Place], budget: int
) -> FileReport | None:
    """The report on one file."""
    taken = {id(b.ref) for b in here.values()}
    added = [p.ref for p in fresh if p.file == number and id(p.ref) not in taken]
    targets = set() if pair.after is None else {id(r) for r in targets_of(pair.after, None)}
    new = tuple(r.path for r in added if id(r) in targets)
    if pair.old is None or pair.before is None:
        source = pair.new
        assert source is not None
        return FileReport(pair.change, CheckReport("", source.path, "", source.sha256, ()), None, source, {}, new)
    inside = {path: b.ref.path for path, b in here.items() if b.file == number}
    if pair.new is not None:
        report = check_sources(pair.old, pair.new, budget=budget, moved=inside)
    else:
        lost = tuple(_missing(t, pair.change.old) for t in targets_of(pair.before, None))
        report = CheckReport(pair.old.path, "", pair.old.sha256, "", lost)
    moved = {}
    for path, place in here.items():
        home = pairs[place.file]
        assert home.new is not None
        moved[path] = Moved(home.change.new, place.ref.path, home.new)
        if place.file != number:
            report = _judged_there(report, pair.old, path, moved[path], budget)
    return FileReport(pair.change, report, pair.old, pair.new, moved, new)


def _missing(target: Ref, file: str) -> TargetReport:
    reason = Reason("gone", f"`{target.path}` is gone with its file {file}")
    return TargetReport(target.path, Verdict.MISSING, (reason,), original_place=definition_place(target))


def _judged_there(report: CheckReport, old: SourceText, path: str, moved: Moved, budget: int) -> CheckReport:
    """The report with a target judged where it stands now, in another file."""
    (there,) = check_sources(old, moved.source, targets=[path], budget=budget, moved={path: moved.path}).targets
    return replace(report, targets=tuple(there if t.target == path else t for t in report.targets))


# --- definitions of other files ------------------------------------------------------------------------------------------


def _altered(pair: _Pair, budget: int) -> set[str]:
    """The names of the definitions that a file alters: spec functions by meaning, others by their tokens."""
    before, after = _definitions(pair.before), _definitions(pair.after)
    differ = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    if pair.old is not None and pair.new is not None:
        functions = {r.name for r in _spec_functions(pair.before)} & {r.name for r in _spec_functions(pair.after)}
        if differ & functions:
            meant = {c.name.rpartition("::")[2] for c in spec_changes(pair.old, pair.new, budget=budget)}
            differ = {name for name in differ if name not in functions or name in meant}
    return differ


def _spec_functions(crate: Crate | None) -> list[Ref]:
    return [] if crate is None else [r for r in crate.functions if isinstance(r.item, sx.Fn) and r.item.mode == "spec"]


def _definitions(crate: Crate | None) -> dict[str, list[str]]:
    """What a contract elsewhere can name, by its last name: the texts of its definitions."""
    found: dict[str, list[str]] = {}

    def walk(items: Sequence[sx.Item]) -> None:
        assert crate is not None
        for item in items:
            names: list[str] = []
            match item:
                case sx.Fn() if item.mode == "spec":
                    names = [item.name]
                case sx.Const() | sx.Struct() | sx.Enum() | sx.TypeAlias() | sx.MacroDef():
                    names = [item.name]
                case sx.Trait():
                    names = [item.name]
                case sx.Impl():
                    names = _WORD.findall(crate.source.folded(item.self_type.span))[:1]
                case sx.Mod():
                    walk(item.items or [])
                case _:
                    pass
            for name in names:
                found.setdefault(name, []).append(_skeleton_text(crate, item))

    if crate is not None:
        walk(crate.file.items)
    return found


def _skeleton_text(crate: Crate, item: sx.Item) -> str:
    """The text of a definition; of a trait or impl only what contracts can depend on."""
    parts, at = [], item.span.start
    for start, end in sorted(bodies([item])):
        parts.append(crate.source.tight((at, start)))
        at = end
    return "{}".join([*parts, crate.source.tight((at, item.span.end))])


def _with_doubts(made: FileReport, altered: set[str], crate: Crate | None) -> FileReport:
    """A contract that was shown to be kept leans on names that mean something else now: then nobody knows.

    `crate` is the old file: it has the targets' signatures, which name types.
    """
    foreign = altered - set(_definitions(crate))
    targets = tuple(_doubted(t, altered, foreign & _types_named(crate, t.target)) for t in made.report.targets)
    return replace(made, report=replace(made.report, targets=targets))


def _types_named(crate: Crate | None, target: str) -> set[str]:
    if crate is None:
        return set()
    functions = [r.item for r in crate.functions_at(target) if isinstance(r.item, sx.Fn)]
    words = {w for fn in functions for w in _WORD.findall(ContractText(crate.source, fn).signature_text())}
    return {w for w in words if w[0].isupper()}


def _doubted(target: TargetReport, altered: set[str], types: set[str]) -> TargetReport:
    leans = [name for name in target.uninterpreted if altered & set(_WORD.findall(name))] + sorted(types)
    if not leans or target.verdict.kept() is not True:
        return target
    listed = ", ".join(f"`{name}`" for name in leans)
    reason = Reason("undecided", f"the contract names {listed}, which this change defines otherwise in another file")
    return replace(target, verdict=Verdict.UNDECIDED, reasons=(reason, *target.reasons), same=None)


def _elsewhere(
    repository: Repository, sides: Sides, checked: set[str], altered: set[str], budget: int
) -> Iterator[FileReport]:
    """Files without a change of their own in a contract, but whose contracts name what another file defines otherwise now."""
    for path, blob in repository.files(sides.head or sides.base):
        if path in checked:
            continue
        data = repository.content(blob if sides.head or sides.staged else "", path)
        if not may_have_contracts(data) or not altered & set(_WORD.findall(data.decode("utf-8", errors="replace"))):
            continue
        try:
            source = source_of_bytes(path, data)
        except SourceError:
            continue
        report = check_sources(source, source, budget=budget)
        made = _with_doubts(FileReport(FileChange(path, path, blob, blob), report, source, source), altered, read_crate(source))
        doubted = tuple(new for new, old in zip(made.report.targets, report.targets, strict=True) if new is not old)
        if doubted:
            yield replace(made, report=replace(made.report, targets=doubted))
