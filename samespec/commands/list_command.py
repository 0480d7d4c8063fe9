"""`samespec list`: what samespec sees in files and folders, and what it cannot read there."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from typing import Any

import click

from translate.listing import CONTRACT_CLAUSES, FileListing, FunctionEntry, list_file, rust_files

UNREADABLE = 2


@click.command(
    name="list",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""
    \b
    Examples:
      samespec list src/queue.rs              every function, its mode, its clauses
      samespec list src --summary             totals, and every parse problem with its place
      samespec list a.rs b.rs --json          the same as data
    """,
)
@click.argument("paths", nargs=-1, required=True, type=click.Path(), metavar="PATH...")
@click.option("--summary", is_flag=True, help="Totals only; parses every body too and shows each parse problem.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_command(paths: tuple[str, ...], summary: bool, as_json: bool) -> int:
    """The functions in Rust files, and in the *.rs files below folders, with their modes and clauses.

    What cannot be parsed is reported with its place, and never just left out.

    Exit status: 0, or 2 where a file could not be read (the others are listed all the same).
    """
    listings = [list_file(path, bodies=summary) for path in rust_files(paths)]
    if not listings:
        raise click.ClickException(f"no .rs files below {', '.join(paths)}; name a Rust file or a folder that has some")
    if as_json:
        click.echo(json.dumps(_data(listings, summary), indent=2, ensure_ascii=False))
    elif summary:
        _print_summary(listings)
    else:
        _print_functions(listings)
    for listing in listings:
        if listing.error is not None:
            click.echo(f"error: {listing.error}", err=True)
    return UNREADABLE if any(listing.error is not None for listing in listings) else 0


# --- text ------------------------------------------------------------------------------------------------------------


def _print_functions(listings: list[FileListing]) -> None:
    for listing in listings:
        if listing.error is not None:
            continue
        if len(listings) > 1:
            click.echo(f"{listing.path}:")
        width = max((len(function.path) for function in listing.functions), default=0)
        for function in listing.functions:
            place = f"{function.line}:{function.column}"
            click.echo(f"  {place:>8}  {function.path:<{width}}  {_describe(function)}")
        for line in _problems(listing):
            click.echo(line)


def _describe(function: FunctionEntry) -> str:
    counts = [f"{kind} {function.clauses[kind]}" for kind in CONTRACT_CLAUSES if kind in function.clauses]
    mode = function.mode if function.in_verus else f"{function.mode} (outside verus!)"
    if function.kind != "function":
        mode = function.kind
    return ", ".join([mode, *counts])


def _problems(listing: FileListing) -> list[str]:
    return [f"{listing.path}:{p.line}:{p.column}: cannot parse ({p.construct}): {p.message}" for p in listing.problems]


def _print_summary(listings: list[FileListing]) -> None:
    totals = _totals(listings)
    click.echo(f"files: {totals['files']} ({totals['unreadable']} unreadable)")
    modes = ", ".join(f"{count} {mode}" for mode, count in totals["modes"].items())
    click.echo(f"functions: {totals['functions']}" + (f" ({modes})" if modes else ""))
    if totals["clauses"]:
        click.echo("clauses: " + ", ".join(f"{count} {kind}" for kind, count in totals["clauses"].items()))
    if totals["items"]:
        click.echo("other items: " + ", ".join(f"{count} {kind}" for kind, count in totals["items"].items()))
    for path in totals["without_verus"]:
        click.echo(f"{path}: no verus! block and nothing marked for Verus")
    click.echo(f"parse problems: {totals['problems']} in {totals['files_with_problems']} files")
    for listing in listings:
        for line in _problems(listing):
            click.echo(f"  {line}")


# --- data ------------------------------------------------------------------------------------------------------------


def _totals(listings: list[FileListing]) -> dict[str, Any]:
    functions = [function for listing in listings for function in listing.functions]
    modes = Counter(function.mode for function in functions)
    clauses: Counter[str] = Counter()
    items: Counter[str] = Counter()
    for function in functions:
        clauses.update(function.clauses)
    for listing in listings:
        items.update(listing.items)
    return {
        "files": len(listings),
        "unreadable": sum(listing.error is not None for listing in listings),
        "without_verus": [listing.path for listing in listings if listing.error is None and not listing.has_verus],
        "functions": len(functions),
        "modes": dict(sorted(modes.items())),
        "clauses": dict(sorted(clauses.items())),
        "items": dict(sorted(items.items())),
        "problems": sum(len(listing.problems) for listing in listings),
        "files_with_problems": sum(bool(listing.problems) for listing in listings),
    }


def _data(listings: list[FileListing], summary: bool) -> dict[str, Any]:
    files = []
    for listing in listings:
        entry = asdict(listing)
        if summary:
            entry["functions"] = len(listing.functions)
        files.append(entry)
    return {"totals": _totals(listings), "files": files}
