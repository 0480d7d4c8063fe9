"""What a file or folder holds: its functions with mode and clauses, and everything in it that cannot be parsed.

In: paths. Out: a `FileListing` per file, plain data for the `list` command and for anybody who asks what samespec sees.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from translate.names import impl_name
from translate.parser import ParseFailure, body_of, parse_file
from translate.source import SourceError, SourceText, read_source
from translate.syntax import (
    AssumeSpecification,
    BroadcastGroup,
    Clause,
    Const,
    Enum,
    Fn,
    Impl,
    Item,
    ItemStmt,
    MacroDef,
    MacroItem,
    Mod,
    ParseProblem,
    Struct,
    Trait,
    TypeAlias,
)

#: The clauses that listings count, in the order in which they are shown.
CONTRACT_CLAUSES = ("requires", "ensures", "returns", "recommends", "decreases")


@dataclass(frozen=True, slots=True)
class FunctionEntry:
    """A function. `path` is as in `crate::m::Type::f`; `mode` as written (`spec(checked)`, `axiom`), "exec" where
    nothing is; `clauses` counts the expressions of each kind of clause. `kind` is "function", or
    "assume_specification" for the contract of a function elsewhere."""

    path: str
    kind: str
    mode: str
    line: int
    column: int
    in_verus: bool
    has_body: bool
    clauses: dict[str, int]


@dataclass(frozen=True, slots=True)
class ListedProblem:
    """A parse problem with its place."""

    line: int
    column: int
    construct: str
    message: str


@dataclass(slots=True)
class FileListing:
    """One file. `error` says why it could not be read; then everything else is empty."""

    path: str
    functions: list[FunctionEntry] = field(default_factory=list)
    items: dict[str, int] = field(default_factory=dict)
    problems: list[ListedProblem] = field(default_factory=list)
    verus_blocks: int = 0
    error: str | None = None

    @property
    def has_verus(self) -> bool:
        """Whether anything in the file is verified code."""
        return self.verus_blocks > 0 or any(function.in_verus for function in self.functions)


def rust_files(paths: Iterable[str | Path]) -> Iterator[Path]:
    """The files named, and the `*.rs` files below the folders named, each once, sorted within a folder."""
    seen: set[Path] = set()
    for path in map(Path, paths):
        found = sorted(_below(path)) if path.is_dir() else [path]
        for file in found:
            if file not in seen:
                seen.add(file)
                yield file


def _below(folder: Path) -> Iterator[Path]:
    for directory, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".rs"):
                yield Path(directory, name)


def list_file(path: str | Path, *, bodies: bool) -> FileListing:
    """The listing of one file. With `bodies` every function body is parsed too, for the problems inside."""
    try:
        source = read_source(path)
    except SourceError as error:
        return FileListing(str(path), error=str(error))
    return list_source(source, bodies=bodies)


def list_source(source: SourceText, *, bodies: bool) -> FileListing:
    """The listing of a source text."""
    file = parse_file(source)
    collector = _Collector(source, bodies)
    collector.items(file.items, "crate")
    listing = FileListing(source.path, collector.functions, collector.counts, [], file.verus_blocks)
    for problem in sorted([*file.problems, *collector.problems], key=lambda p: p.span):
        line, column = source.line_column(problem.span.start)
        listing.problems.append(ListedProblem(line, column, problem.construct, problem.message))
    return listing


class _Collector:
    """Walks the items of one file."""

    def __init__(self, source: SourceText, bodies: bool) -> None:
        self.source = source
        self.bodies = bodies
        self.functions: list[FunctionEntry] = []
        self.problems: list[ParseProblem] = []
        self.counts: dict[str, int] = {}

    def items(self, items: list[Item], module: str) -> None:
        for item in items:
            match item:
                case Fn():
                    self.function(item, module)
                case AssumeSpecification():
                    self.entry(item, f"{module}::{item.path.text}", "assume_specification", "exec", item.clauses)
                case Impl():
                    self.count("impl")
                    self.items(item.items, f"{module}::{impl_name(item)}")
                case Trait():
                    self.count("trait")
                    self.items(item.items, f"{module}::{item.name}")
                case Mod():
                    self.count("mod")
                    self.items(item.items or [], f"{module}::{item.name}")
                case Struct():
                    self.count("union" if item.union else "struct")
                case Enum():
                    self.count("enum")
                case Const():
                    self.count("static" if item.static else "const")
                case TypeAlias():
                    self.count("type")
                case BroadcastGroup():
                    self.count("broadcast group")
                case MacroDef():
                    self.count("macro definition")
                case MacroItem():
                    self.count("unexpanded macro call")

    def count(self, kind: str) -> None:
        self.counts[kind] = self.counts.get(kind, 0) + 1

    def function(self, fn: Fn, module: str) -> None:
        path = f"{module}::{fn.name}"
        mode = f"broadcast {fn.mode_text}" if fn.broadcast else fn.mode_text or fn.mode
        self.entry(fn, path, "function", mode, fn.clauses)
        if not self.bodies:
            return
        try:
            body = body_of(fn)
        except ParseFailure as failure:
            message = f"{failure.message} (in the body of {fn.name})"
            self.problems.append(ParseProblem(failure.span, failure.construct, message))
        else:
            if body is not None:
                self.items([stmt.item for stmt in body.stmts if isinstance(stmt, ItemStmt)], path)

    def entry(self, item: Fn | AssumeSpecification, path: str, kind: str, mode: str, clauses: list[Clause]) -> None:
        span = item.name_span if isinstance(item, Fn) else item.path.span
        line, column = self.source.line_column(span.start)
        counts: dict[str, int] = {}
        for clause in clauses:
            counts[clause.kind] = counts.get(clause.kind, 0) + max(1, len(clause.exprs))
        has_body = isinstance(item, Fn) and item.body is not None
        in_verus = item.in_verus if isinstance(item, Fn) else True
        self.functions.append(FunctionEntry(path, kind, mode, line, column, in_verus, has_body, counts))
