"""docs/hatches.md, from the catalogue: `python -m depgraph.hatches.document > docs/hatches.md`.

In: the records. Out: Markdown. A test fails where the page is older than the records.
"""

from __future__ import annotations

import sys

from depgraph.hatches import Hatch, catalogue
from depgraph.model import Trust

_HEAD = """# Escape hatches

What a Verus file can believe without a proof, and what `samespec audit` calls it. This page is made from the records in
`depgraph/hatches/` (`python -m depgraph.hatches.document > docs/hatches.md`); each has a pair of programs, with the hatch and
without, in `tests/depgraph/hatches/`.

"Verus" and "`--no-cheating`" say what Verus does with such a program, as recorded in docs/verus-facts.md or plain from its
sources (release 0.2026.05.05); "not asked" where nobody put it to Verus.

"""

_SECTIONS: tuple[tuple[Trust | None, str, str], ...] = (
    (Trust.ESCAPED, "Escaped", "Something is believed that nobody proved. `samespec audit` exits with 1."),
    (Trust.DIVERGES, "Diverges", "Code that never returns satisfies every contract. `samespec audit` exits with 1."),
    (Trust.UNVERIFIED, "Unverified", "Verus does not read it. `samespec audit` exits with 1."),
    (Trust.UNRESOLVED, "Unresolved", "The audit cannot see it. `samespec audit` exits with 3 where nothing worse is found."),
    (None, "Notes", "Harmless, or another command's business: shown, and decides nothing."),
)


def document() -> str:
    """The page."""
    out = [_HEAD]
    records = list(catalogue().values())
    for trust, title, meaning in _SECTIONS:
        out.append(f"## {title}\n\n{meaning}\n\n| id | hatch | Verus | `--no-cheating` |\n|---|---|---|---|\n")
        chosen = [h for h in records if h.trust is trust]
        out += [f"| [`{h.id}`](#{h.id}) | {_cell(h.name)} | {h.verus} | {h.no_cheating} |\n" for h in chosen]
        out += [_entry(h) for h in chosen]
        out.append("\n")
    return "".join(out).rstrip() + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _entry(h: Hatch) -> str:
    text = f'\n<a id="{h.id}"></a>\n### {h.name}\n\n{h.lets_through}\n\n'
    example = h.item.strip()
    if h.use:
        where = "body" if h.use.startswith(("exec:", "#[")) else "proof"
        example += ("\n\n" if example else "") + f"// and then, in a function's {where}:\n{h.use.removeprefix('exec:').strip()}"
    if example:
        text += f"```rust\n{example}\n```\n\n"
    return text + f"Source: {h.reference}.\n"


if __name__ == "__main__":
    sys.stdout.write(document())
