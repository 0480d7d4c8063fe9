"""The reference pages that are made from the records: `python -m samespec.document commands > docs/commands.md`.

In: the name of a page. Out: Markdown. `commands` is every command's own help text; `language` is the vocabulary of vstd that
contracts can be written in, as samespec's own declarations have it. A test compares the pages with what this makes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import click

_WIDTH = 110  # columns of a help text

_COMMANDS = """\
# Commands

Made by `python -m samespec.document commands`: what `samespec COMMAND --help` prints.
"""
_LANGUAGE = """\
# The language of contracts

Made by `python -m samespec.document language` from the declarations in `translate/vstd`.

All of Verus is parsed: items, expressions, patterns, types and attributes, inside and outside `verus!`; `macro_rules!` macros
are expanded. Operators, quantifiers, `choose`, closures, `match`, `let`, `if`, casts, structs, enums, tuples, arrays, slices,
traits with associated types and constants, `View` and `DeepView`, generics, `old` and `final`, and `returns` have their meaning.

Beyond the language itself these functions of vstd and std are known. Any other is an unknown function, the same on both sides
where its definition is the same, and the report names it. Floats are unknown values. What is not translated makes the targets
that need it `unsupported`, with the construct and its place.
"""


def commands() -> str:
    """Every command with its help text."""
    from samespec.main import cli

    lines = [_COMMANDS]
    lines += _command(cli, "samespec", 2, None)
    return "\n".join(lines).rstrip() + "\n"


def _command(command: click.Command, name: str, level: int, parent: click.Context | None) -> Iterator[str]:
    settings = {**command.context_settings, "terminal_width": _WIDTH, "max_content_width": _WIDTH}
    context = click.Context(command, parent, info_name=name.rpartition(" ")[2], **settings)
    yield f"{'#' * level} `{name}`"
    yield from ("", "```text", command.get_help(context).rstrip(), "```", "")
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            if found is not None and not found.hidden:
                yield from _command(found, f"{name} {inner}", min(level + 1, 6), context)


def language() -> str:
    """What contracts can be written in, as far as samespec gives it a meaning."""
    from translate import syntax as sx
    from translate.vstd import library

    crate = library()
    known: dict[str, list[str]] = {}
    views: dict[str, list[str]] = {}
    for ref in crate.functions:
        assert isinstance(ref.item, sx.Fn)
        fn = ref.item
        end = fn.span.end if fn.body is None else fn.body.start
        text = crate.source.folded((fn.name_span.start, min([end, *(c.span.start for c in fn.clauses)]))).rstrip(" ;,{")
        owner = ref.path.rpartition("::")[0].removeprefix("vstd::").removeprefix("vstd")
        if owner.startswith("<"):
            of, _, trait = owner.strip("<>").rpartition(" as ")
            views.setdefault(trait, []).append(f"`{of}`")
        else:
            known.setdefault(f"`{owner}`" if owner else "Functions", []).append(f"`{text}`")
    lines = [_LANGUAGE]
    for owner in sorted(known):
        lines += [f"## {owner}", "", ", ".join(sorted(set(known[owner]))), ""]
    lines += ["## Implementations", ""]
    lines += [f"- `{trait}` of {', '.join(sorted(set(views[trait])))}" for trait in sorted(views)]
    return "\n".join(lines).rstrip() + "\n"


PAGES: dict[str, Callable[[], str]] = {"commands": commands, "language": language}


def main() -> None:
    if len(sys.argv) != 2 or sys.argv[1] not in PAGES:
        raise SystemExit(f"usage: python -m samespec.document {'|'.join(PAGES)}")
    sys.stdout.write(PAGES[sys.argv[1]]())


if __name__ == "__main__":
    main()
