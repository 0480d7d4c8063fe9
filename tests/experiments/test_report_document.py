"""Tables, the text of a report, and figures: nothing of the files under test gets out of its cell, and bytes repeat."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("matplotlib", reason="needs the extra: pip install 'samespec[experiments]'")
pytest.importorskip("markdown_it", reason="needs the extra: pip install 'samespec[experiments]'")

import matplotlib as mpl
from markdown_it import MarkdownIt

from experiments.report import drawing
from experiments.report.document import Document
from experiments.report.table import Column, Table, code, p_value, percent

HOSTILE = "a | b <script>alert(1)</script> `x` *y* [z](http://e.example) ![i](j) ``q`` \\ & # ~~s~~"
COLUMNS = (Column("what", "what"), Column("code", "code", "code"), Column("share", "share", "share"), Column("p", "p", "p"))


def rendered(markdown: str) -> str:
    html: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown)
    return html


def test_csv_keeps_plain_values() -> None:
    table = Table("t", "c", COLUMNS, [(HOSTILE, "x", 0.123456789, None)])
    rows = list(csv.reader(io.StringIO(table.csv())))
    assert rows == [["what", "code", "share", "p"], [HOSTILE, "x", "0.123457", ""]]


def test_a_hostile_text_stays_text() -> None:
    table = Table("t", "c", COLUMNS, [(HOSTILE, HOSTILE, 0.5, 0.04)])
    html = rendered(table.markdown())
    assert html.count("<td") == 4  # no cell was added
    assert "<script" not in html
    assert "<a " not in html
    assert "<img" not in html
    assert "<em>" not in html
    assert "&lt;script&gt;" in html


@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Zl", "Zp")), max_size=40))
def test_any_text_comes_out_as_it_went_in(text: str) -> None:
    """Folded white space aside, what a reader sees is the text."""
    shown = " ".join(text.split())
    html = rendered(Table("t", "c", (Column("a", "a"),), [(text,)]).markdown())
    cell = re.search(r"<tbody>\s*<tr>\s*<td[^>]*>(.*?)</td>", html, re.DOTALL)
    seen = "" if cell is None else cell[1]
    for entity, char in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&")):
        seen = seen.replace(entity, char)
    assert " ".join(seen.split()) == shown


@pytest.mark.parametrize("text", ["a", "`", "a`b", "``", "`a`", "x ``` y", "forall|i: int| a[i] ==> b"])
def test_code_is_one_span(text: str) -> None:
    html = rendered(code(text))
    assert html == f"<p><code>{text.replace('>', '&gt;')}</code></p>\n"


def test_numbers_for_people() -> None:
    assert percent(1 / 3) == "33.3%"
    assert percent(None) == "–"
    assert [p_value(p) for p in (0.00001, 0.0063, 0.5, None)] == ["< 0.0001", "0.0063", "0.50", "–"]


def test_a_long_table_says_how_long_it_is() -> None:
    doc = Document("T")
    doc.table(Table("many", "Many.", (Column("n", "n", "number"),), [(n,) for n in range(9)]), limit=3)
    doc.table(Table("none", "None of them.", (Column("n", "n", "number"),), []))
    text = doc.markdown()
    assert "3 of 9; all of them: `tables/many.csv`." in text
    assert "| 3 |" not in text
    assert text.endswith("**None of them.**\n\nNone.\n")


def test_the_page_needs_no_other_file() -> None:
    doc = Document("A & B")
    doc.heading("What came out?")
    doc.prose("one", "", "two *words*")
    doc.bullets(["x"])
    doc.figure("f", "A figure.")
    doc.block("let x = 1;")
    html = doc.html(lambda name: b"<svg>" if name == "figures/f.svg" else b"")
    assert "<title>A &amp; B</title>" in html
    assert '<h2 id="what-came-out">' in html
    assert 'alt="A figure." src="data:image/svg+xml;base64,PHN2Zz4="' in html
    assert "<em>words</em>" in html
    assert not re.search(r'(src|href)="(?!data:|#)', html)


# --- figures -----------------------------------------------------------------------------------------------------------


def drawn() -> tuple[bytes, bytes]:
    with drawing.look():
        made = drawing.figure(3, 2)
        axes = made.subplots()
        axes.bar([0, 1], [0.5, 1.0], color=drawing.BLUE)
        axes.set_title("title")
        drawing.per_cent_axis(axes, "y")
        return drawing.svg(made), drawing.png(made)


def test_a_figure_has_the_same_bytes_whatever_the_user_s_settings() -> None:
    first = drawn()
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.hashsalt": "other", "savefig.dpi": 20}):
        assert drawn() == first
    assert b"<dc:date>" not in first[0]
    assert first[1].startswith(b"\x89PNG")
    assert b"Software" not in first[1]


def test_drawing_leaves_the_user_s_settings_alone() -> None:
    before = dict(mpl.rcParams)
    drawn()
    assert dict(mpl.rcParams) == before


def test_no_path_of_this_machine_is_in_a_figure() -> None:
    assert str(Path.home()).encode() not in drawn()[0]
