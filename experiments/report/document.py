"""The text of a report: Markdown, and the same as one HTML page with its figures inside.

In: headings, prose, tables, figures. Out: `report.md`, which shows the figures of the folder beside it, and `report.html`, which
needs no other file. Prose is Markdown of our own; whatever comes from the files under test is escaped before it gets there, and
HTML in it is shown as text.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from experiments.report.table import Table

_STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; color: #1a1a1a; background: #fff; margin: 0 auto;
  padding: 2rem 1.25rem 4rem; max-width: 62rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.35rem; margin: 2.6rem 0 .6rem; border-bottom: 1px solid #ddd; padding-bottom: .25rem; }
h3 { font-size: 1.08rem; margin: 1.8rem 0 .4rem; }
p, ul, ol { max-width: 46rem; }
table { border-collapse: collapse; font-size: .86rem; line-height: 1.35; margin: .8rem 0 1.6rem; display: block;
  overflow-x: auto; max-width: 100%; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid #e3e3e3; text-align: left; vertical-align: top; }
th { border-bottom: 2px solid #999; }
td[style*=right] { white-space: nowrap; }
td { font-variant-numeric: tabular-nums; }
tbody tr:nth-child(even) { background: #f7f7f7; }
code { font: .9em ui-monospace, "SF Mono", Menlo, Consolas, monospace; background: #f2f2f2; padding: .05em .25em;
  border-radius: 3px; overflow-wrap: break-word; }
pre { background: #f7f7f7; padding: .8rem 1rem; overflow-x: auto; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
img { max-width: 100%; height: auto; display: block; margin: 1rem 0 .4rem; }
a { color: #0060a0; }
@media print { body { max-width: none; padding: 0; } h2, h3, img { break-after: avoid; } tr { break-inside: avoid; } }
""".strip()

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
{body}</body>
</html>
"""


class Document:
    """A report's text. `figure` reads a figure's SVG by its name."""

    def __init__(self, title: str) -> None:
        self.title = title
        self._parts: list[str] = [f"# {title}"]

    def heading(self, text: str, level: int = 2) -> None:
        self._parts.append(f"{'#' * level} {text}")

    def prose(self, *paragraphs: str) -> None:
        """Markdown, each paragraph by itself; line ends inside one do not matter."""
        self._parts += [" ".join(p.split()) for p in paragraphs if p]

    def bullets(self, items: Sequence[str]) -> None:
        self._parts.append("\n".join(f"- {' '.join(i.split())}" for i in items))

    def table(self, table: Table, limit: int | None = None) -> None:
        """The table with its caption; at most `limit` rows, and then how many there are and where."""
        self._parts.append(f"**{table.caption}**")
        if not table.rows:
            self._parts.append("None.")
            return
        self._parts.append(table.markdown(limit).rstrip("\n"))
        if limit is not None and len(table.rows) > limit:
            self._parts.append(f"{limit} of {len(table.rows)}; all of them: `tables/{table.name}.csv`.")

    def figure(self, name: str, caption: str) -> None:
        """A figure of the folder, with a caption of plain words (it is what a screen reader reads)."""
        self._parts += [f"![{caption}](figures/{name}.svg)", f"*{caption}*"]

    def block(self, text: str) -> None:
        """Lines of code."""
        self._parts.append(f"```\n{text.rstrip()}\n```")

    def markdown(self) -> str:
        return "\n\n".join(self._parts) + "\n"

    def html(self, read: Callable[[str], bytes]) -> str:
        """The page; `read` gives the bytes of a file of the folder."""
        parser = MarkdownIt("commonmark", {"html": False}).enable("table")
        parser.add_render_rule("image", _image(read))
        parser.add_render_rule("heading_open", _heading)
        return _PAGE.format(title=_escaped(self.title), style=_STYLE, body=parser.render(self.markdown()))


def _image(read: Callable[[str], bytes]) -> Callable[..., str]:
    """Shows a figure from inside the page: as a picture of its own, so that no two figures get in each other's way."""

    def rule(self: RendererHTML, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        token = tokens[idx]
        data = base64.b64encode(read(str(token.attrs["src"]))).decode("ascii")
        return f'<img alt="{_escaped(token.content)}" src="data:image/svg+xml;base64,{data}">'

    return rule


def _heading(self: RendererHTML, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
    """Headings can be linked to, by their words."""
    words = re.sub(r"[^\w\- ]", "", tokens[idx + 1].content.lower()).replace(" ", "-")
    return f'<{tokens[idx].tag} id="{words}">'


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
