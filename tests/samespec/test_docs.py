"""The pages in docs/: the reference is what the records make, links lead somewhere, and the commands that are shown exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from samespec.document import PAGES
from samespec.main import cli

ROOT = Path(__file__).parents[2]
TEXTS = sorted([*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "corpus" / "README.md"])


@pytest.mark.parametrize("page", list(PAGES))
def test_reference_pages_are_up_to_date(page: str) -> None:
    there = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    assert there == PAGES[page](), f"run: python -m samespec.document {page} > docs/{page}.md"


@pytest.mark.parametrize("text", TEXTS, ids=lambda p: p.name)
def test_links_lead_somewhere(text: Path) -> None:
    prose = re.sub(r"(?ms)^```.*?^```|`[^`\n]*`", "", text.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", prose):
        if "://" not in target:
            assert (text.parent / target).exists(), f"{text.name}: {target}"


def _shown() -> list[str]:
    """Every line in a code block that starts with `samespec`, or with a prompt and `samespec`."""
    found = []
    for text in TEXTS:
        for block in re.findall(r"(?ms)^```(?:console|sh|)\n(.*?)^```", text.read_text(encoding="utf-8")):
            lines = re.sub(r"\\\n\s*", " ", block).splitlines()
            found += [m[1] for line in lines if (m := re.match(r"(?:\$ )?samespec ([a-z].*)", line))]
    return sorted(set(found))


@pytest.mark.parametrize("line", _shown())
def test_commands_that_are_shown_exist(line: str) -> None:
    """Names of commands and options; what stands behind two spaces is said about the command."""
    words = shlex.split(re.split(r"\s{2,}|…", line)[0].replace("[", " ").replace("]", " "), comments=True)
    command: click.Command = cli
    while words and isinstance(command, click.Group) and not words[0].startswith("-"):
        inner = command.get_command(click.Context(command), words.pop(0))
        assert inner is not None, line
        command = inner
    known = {name for p in command.params for name in (*p.opts, *p.secondary_opts)} | {"--help", "-h"}
    for word in words:
        if word == "--":
            break
        if word.startswith("-") and not re.fullmatch(r"-\d+", word):
            assert word.split("=")[0] in known, f"{line}: {word}"
