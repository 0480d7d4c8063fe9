"""`samespec mutate`: edits of a file's contracts, made by rules, each labelled and with a reason."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import click

from samespec.commands.options import budget_option, target_option, usage_errors


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""
    \b
    Examples:
      samespec mutate --list-kinds                               what can be done to a contract
      samespec mutate sort.rs --count 20 --seed 7                twenty mutants, listed
      samespec mutate sort.rs --fn sort --kind clause-dropped    every way to drop a clause of one function
      samespec mutate sort.rs --count 50 --output mutants        submitted.rs and edit.toml for each
      samespec mutate sort.rs --label candidate-broken --confirm --output mutants
    """,
)
@click.argument("file", type=click.Path(), required=False)
@target_option
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only this kind, or the rule of this name; may be repeated.")
@click.option("--label", type=click.Choice(["kept", "candidate-broken"]), help="Only mutants of this label.")
@click.option("--seed", type=int, default=0, show_default=True, help="Chooses the mutants of --count.")
@click.option("--count", type=click.IntRange(min=1), metavar="N", help="At most so many; default: all there are.")
@click.option("--output", type=click.Path(path_type=Path), metavar="DIR", help="Write a folder for each mutant.")
@click.option("--confirm", "confirming", is_flag=True, help="Have each mutant checked, and record the verdict.")
@budget_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with the texts where no --output takes them.")
@click.option("--list-kinds", is_flag=True, help="List the kinds and rules, and do nothing else.")
def mutate(
    file: str | None,
    fns: tuple[str, ...],
    kinds: tuple[str, ...],
    label: str | None,
    seed: int,
    count: int | None,
    output: Path | None,
    confirming: bool,
    budget: int | None,
    as_json: bool,
    list_kinds: bool,
) -> int:
    """Edits of the contracts in FILE, each labelled with its kind and a reason.

    A `kept` mutant means the same by construction. A `candidate-broken` one should not: with --confirm the checker says
    whether it is broken (confirmed), still means the same or more (discarded), or cannot say (unconfirmed). Where it finds
    a kept mutant broken (contradicted), the rule or the checker has an error.

    Exit status: 0; 1 where --confirm found a `kept` mutant that is not kept; 2 wrong usage or unreadable input.
    """
    if list_kinds:
        _print_kinds(as_json)
        return 0
    if file is None:
        raise click.UsageError("a FILE is needed (or --list-kinds)")
    from translate.source import read_source

    with usage_errors():
        source = read_source(file)

    from experiments.mutation import confirm, mutants, rules_of
    from experiments.mutation.confirm import CONTRADICTED
    from experiments.mutation.folders import FolderError, prepare, record, write
    from samespec.api import default_budget

    budget = default_budget() if budget is None else budget
    try:
        rules_of(kinds or None)
    except ValueError as error:
        raise click.UsageError(f"{error}; --list-kinds lists them") from error
    rows: list[dict[str, object]] = []
    wrong = 0
    with usage_errors():
        found = list(mutants(source, targets=fns or None, kinds=kinds or None, label=label, seed=seed, count=count))
    try:
        if output is not None:
            prepare(output, source)
        for number, mutant in enumerate(found, 1):
            confirmation = confirm(source, mutant, budget=budget) if confirming else None
            row = record(mutant, confirmation)
            if output is not None:
                row["folder"] = str(write(output, number, mutant, confirmation))
            elif as_json:
                row["text"] = mutant.text
            wrong += confirmation is not None and confirmation.status == CONTRADICTED
            rows.append(row)
            if not as_json:
                click.echo(_line(row))
    except FolderError as error:
        raise click.ClickException(str(error)) from error
    if as_json:
        click.echo(json.dumps({"file": file, "seed": seed, "mutants": rows}, indent=2, ensure_ascii=False))
    else:
        click.echo(_summary(rows))
    return 1 if wrong else 0


def _line(row: dict[str, object]) -> str:
    checked = f"  {row['confirmation']} ({row['checked']})" if "confirmation" in row else ""
    return f"{row['label']:<16}  {row['kind']:<22}  {row['target']}: {row['why']}{checked}"


def _summary(rows: list[dict[str, object]]) -> str:
    parts = [f"{len(rows)} mutants"]
    labels = Counter(str(r["label"]) for r in rows)
    parts += [f"{count} {label}" for label, count in sorted(labels.items())]
    for label in sorted(labels):
        checked = Counter(str(r["confirmation"]) for r in rows if r["label"] == label and "confirmation" in r)
        parts += [f"{count} {label} {status}" for status, count in sorted(checked.items())]
    return ", ".join(parts)


def _print_kinds(as_json: bool) -> None:
    from experiments.mutation.folders import kinds_table

    rows = list(kinds_table())
    if as_json:
        keys = ("kind", "label", "rule", "what")
        click.echo(json.dumps([dict(zip(keys, row, strict=True)) for row in rows], indent=2, ensure_ascii=False))
        return
    for kind, label, name, what in rows:
        click.echo(f"{label:<16}  {kind:<22}  {name:<24}  {what}")


#: The name that `samespec.main` imports.
mutate_command = mutate
