"""One document in each rendering: what is markup to it is escaped, and tables fit."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser

import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stealbench.report import markdown, page, terminal
from stealbench.report.document import Block, Column, Definitions, Document, Emphasis, Paragraph
from stealbench.report.document import PlotGroup, Prominence, Section, Table
from stealbench.report.guides import guide, guide_text
from stealbench.report.tables import parts_of
from stealbench.tests.test_plots import dots

HOSTILE = "<b onload='x'>&\"|*`[a](b)\\ \x1b[31m\u2028\ud800 µ×"


def two_schedulers() -> Table:
    columns = [Column("scheduler", is_name=True), Column("time")]
    return Table("Times", columns, [["serial", "26.3 ms"], ["a", "1.2 s"]])


def wide(count: int = 9) -> Table:
    columns = [Column("name", is_name=True), *(Column(f"column {i}") for i in range(count))]
    return Table("Wide", columns, [["a", *(f"cell {i}" for i in range(count))]])


def document(*blocks: Block, shown: Prominence = Prominence.SUMMARY) -> Document:
    return Document("A title", [Section("A section", list(blocks), shown)])


def on_terminal(what: Document, width: int = 100) -> str:
    stream = io.StringIO()
    terminal.print_document(what, terminal.console_of(stream, width))
    return stream.getvalue()


def test_a_table_of_markdown_is_aligned_and_ties_numbers_to_their_units() -> None:
    assert markdown.table_to_markdown(two_schedulers()) == (
        "### Times\n\n"
        "| scheduler |    time |\n"
        "| :-------- | ------: |\n"
        "| serial    | 26.3\u00a0ms |\n"
        "| a         |   1.2\u00a0s |\n"
    )


def test_a_narrow_column_of_markdown_is_three_wide() -> None:
    assert markdown.table_to_markdown(Table("", [Column("n")], [["1"]])) == (
        "|   n |\n| --: |\n|   1 |\n"
    )


def test_markup_of_markdown_is_escaped() -> None:
    escaped = markdown.escape_markdown("a|b `c` *d* <e> [f](g) [h]: \\")
    assert escaped == "a\\|b \\`c\\` \\*d\\* \\<e> [f]\\(g) [h]\\: \\\\"


@settings(deadline=None, max_examples=50)
@given(st.text())
def test_no_text_breaks_a_row_of_markdown(text: str) -> None:
    table = Table("", [Column("a", is_name=True), Column("b")], [[text, "1"]])
    lines = markdown.table_to_markdown(table).split("\n")
    assert len(lines) == 4, "header, rule, row, end"
    assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", lines[2])) == 3


def test_the_summary_has_no_heading_and_no_detail() -> None:
    both = document(Paragraph("One leads.", True))
    both.sections.append(Section("More", [Paragraph("From here.")], Prominence.DETAIL))
    assert markdown.summary_in_markdown(both) == "One leads.\n\n"
    assert markdown.to_markdown(both) == (
        "# A title\n\n## A section\n\nOne leads.\n\n## More\n\nFrom here.\n\n"
    )


def test_a_row_that_does_not_fit_its_columns_is_refused_by_each_rendering() -> None:
    bad = document(Table("Bad", [Column("a")], [["1", "2"]]))
    renderings: list[Callable[[Document], str]] = [markdown.to_markdown, page.to_html, on_terminal]
    for render in renderings:
        with pytest.raises(ValueError, match="2 entries under 1 columns"):
            render(bad)


class Tags(HTMLParser):
    """What a browser sees of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))
        if tag not in ("meta", "br", "path", "use"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("path", "use"):
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def hostile_page() -> Tags:
    table = Table(HOSTILE, [Column(HOSTILE)], [[HOSTILE]], origin=HOSTILE)
    plot = dots(name=HOSTILE)
    plot.title, plot.origin = HOSTILE, HOSTILE
    blocks: list[Block] = [Paragraph(HOSTILE), table, PlotGroup([plot], HOSTILE)]
    blocks.append(Definitions([(HOSTILE, HOSTILE)]))
    return Tags(page.to_html(Document(HOSTILE, [Section(HOSTILE, blocks)])))


def test_a_page_shows_a_hostile_text_as_it_is_and_takes_none_for_a_tag() -> None:
    tags = hostile_page()
    names = {name for name, _ in tags.tags}
    assert not names & {"b", "script", "link", "img", "iframe"}
    assert not any("onload" in attributes for _, attributes in tags.tags)
    shown = HOSTILE.replace("\x1b", " ").replace("\u2028", " ").replace("\ud800", " ")
    assert sum(shown in text for text in tags.texts) >= 9
    assert tags.open == []


def test_a_page_needs_no_network_and_no_script() -> None:
    html = page.to_html(document(Paragraph("One leads."), two_schedulers()))
    for part in ("<script", "<link", "@import", "url(", "src=", "http:", "https:"):
        assert part not in html, part
    assert "default-src 'none'" in html
    drawn = page.to_html(document(PlotGroup([dots()])))
    addresses = re.findall(r"(?:href|src)=\"([^\"]*)\"|url\(([^)]*)\)", drawn)
    assert addresses
    assert all((first or second).startswith("#") for first, second in addresses)


def test_the_ids_of_a_page_are_unique_and_each_reference_leads_to_one() -> None:
    html = page.to_html(document(PlotGroup([dots(), dots(), dots(xs=(1, 2, 4))])))
    ids = re.findall(r" id=\"([^\"]*)\"", html)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r"(?:href=\"|url\()#([^\")]*)", html)) <= set(ids)


def test_a_page_names_rows_and_columns_and_marks_cells() -> None:
    table = two_schedulers()
    table.marks = {(0, 1): Emphasis.BEST, (1, 1): Emphasis.FAILED}
    html = page.to_html(document(table))
    assert '<th scope="col" class="left">scheduler</th>' in html
    assert '<th scope="row" class="left">serial</th><td class="right best">26.3 ms</td>' in html
    assert '<td class="right failed">1.2 s</td>' in html


def test_a_page_folds_what_is_no_summary() -> None:
    assert "<details>" not in page.to_html(document(Paragraph("a")))
    assert "<details>" in page.to_html(document(Paragraph("a"), shown=Prominence.TABLES))


def test_a_wide_table_of_a_page_is_split_and_each_part_names_the_rows() -> None:
    html = page.to_html(document(wide(30)))
    assert "Wide, continued</caption>" in html
    assert html.count('<th scope="row" class="left">a</th>') == html.count("<table>") > 1
    assert html.count(">cell 29</td>") == 1


def test_a_terminal_splits_a_wide_table_where_a_line_ends() -> None:
    text = on_terminal(document(wide()), width=40)
    lines = text.splitlines()
    assert max(map(len, lines)) <= 40
    assert sum(line.startswith("a ") for line in lines) == 3
    assert [text.count(f"cell {i}") for i in range(9)] == [1] * 9
    assert not any(line.endswith(" ") for line in lines)


def test_parts_of_a_table_are_nearly_as_wide_as_each_other() -> None:
    assert parts_of([4, 5, 5, 5, 5], keys=1, gap=2, limit=25) == [[0, 1, 2], [0, 3, 4]]
    assert parts_of([4, 5, 5], keys=1, gap=2, limit=18) == [[0, 1, 2]]
    assert parts_of([4, 5, 5], keys=1, gap=2, limit=17) == [[0, 1], [0, 2]]
    assert parts_of([4, 50], keys=1, gap=2, limit=25) == [[0, 1]]
    assert parts_of([4, 4], keys=5, gap=2, limit=100) == [[0, 1]], "more keys than columns"


def test_a_terminal_shows_the_answer_then_the_tables_and_no_detail() -> None:
    what = document(two_schedulers(), shown=Prominence.TABLES)
    what.sections.append(Section("Answer", [Paragraph("One leads.")], Prominence.SUMMARY))
    what.sections.append(Section("Origin", [Paragraph("From here.")]))
    text = on_terminal(what)
    assert 0 <= text.index("One leads.") < text.index("Times")
    assert "From here." not in text


@settings(deadline=None, max_examples=50)
@given(st.text())
def test_no_text_sends_a_terminal_an_escape(text: str) -> None:
    shown = on_terminal(document(Paragraph(text), Table(text, [Column(text)], [[text]])))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", shown)


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("variables", "is_coloured"),
    [
        ({"TERM": "xterm-256color"}, True),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, False),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, True),
        ({"TERM": "dumb"}, False),
        ({}, False),
    ],
)
def test_colours_are_only_where_they_are_allowed(
    variables: dict[str, str], is_coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TERM", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    table = two_schedulers()
    table.marks[0, 1] = Emphasis.BEST
    screen, file = Screen(), io.StringIO()
    for stream in (screen, file):
        terminal.print_document(document(table), terminal.console_of(stream))
    assert ("\x1b[" in screen.getvalue()) == is_coloured
    assert "\x1b" not in file.getvalue()


@pytest.mark.parametrize(
    ("columns", "width"), [("72", 72), ("5", 20), ("", 100), ("x", 100), ("-3", 100), ("0", 100)]
)
def test_a_line_is_as_long_as_columns_says(
    columns: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert terminal.width_of(io.StringIO()) == width


def test_csv_quotes_what_would_end_a_field_and_keeps_numbers() -> None:
    frame = pandas.DataFrame(
        {"a": ['say "no"', "b,c", "1\n2", None], "b": [1.5, 2.0, float("nan"), 1e-9]}
    )
    assert markdown.to_csv(frame) == ('a,b\r\n"say ""no""",1.5\r\n"b,c",2\r\n"1\n2",\r\n,1e-09\r\n')


def test_csv_keeps_a_spreadsheet_from_taking_a_text_for_a_formula() -> None:
    frame = pandas.DataFrame({"=h": ["=1+1", "+a", "-b", "@c", "\tt", "a=1"]})
    assert markdown.to_csv(frame) == "'=h\r\n'=1+1\r\n'+a\r\n'-b\r\n'@c\r\n' t\r\na=1\r\n"
    assert markdown.to_csv(pandas.DataFrame({"n": [-1.5]})) == "n\r\n-1.5\r\n"


def test_a_guide_has_its_text_its_terms_and_the_values_in_braces() -> None:
    assert guide_text("Overhead").startswith("T1 / Ts")
    (terms,) = guide("How to read an ablation", least_effect=2).blocks
    assert isinstance(terms, Definitions)
    assert any("differ by 2 % or more" in meaning for _, meaning in terms.terms)
    with pytest.raises(KeyError):
        guide("No such heading")


def test_the_values_of_a_document_are_imported_without_what_renders_them() -> None:
    heavy = ("jinja2", "matplotlib", "numpy", "pandas", "rich", "scipy")
    code = f"import sys, stealbench.report.document; print(set({heavy}) & set(sys.modules))"
    path = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "set()\n"
