"""One document in each rendering: what is markup to it is escaped, and tables fit."""

from __future__ import annotations

import io
import re
from html.parser import HTMLParser

import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stealbench.report import render
from stealbench.report.document import Block, Column, Document, Emphasis, Paragraph
from stealbench.report.document import Prominence, Section, Table
from stealbench.report.guides import guide, guide_text
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


def on_terminal(what: Document) -> str:
    stream = io.StringIO()
    render.print_document(what, render.console_of(stream))
    return stream.getvalue()


def test_a_table_of_markdown_is_aligned_and_ties_numbers_to_their_units() -> None:
    assert render.to_markdown(Document("", [Section("S", [two_schedulers()])])) == (
        "## S\n\n### Times\n\n"
        "| scheduler |    time |\n"
        "| :-------- | ------: |\n"
        "| serial    | 26.3\u00a0ms |\n"
        "| a         |   1.2\u00a0s |\n\n"
    )
    narrow = render.table_in_markdown(Table("", [Column("n")], [["1"]]))
    assert narrow == "|   n |\n| --: |\n|   1 |\n"


def test_markup_of_markdown_is_escaped() -> None:
    escaped = render.escape_markdown("a|b `c` *d* <e> [f](g) [h]: \\")
    assert escaped == "a\\|b \\`c\\` \\*d\\* \\<e> [f]\\(g) [h]\\: \\\\"


def test_the_summary_has_no_heading_and_no_detail() -> None:
    both = document(Paragraph("One leads.", True))
    both.sections.append(Section("More", [Paragraph("From here.")], Prominence.DETAIL))
    assert render.summary_in_markdown(both.sections) == "One leads.\n\n"
    assert render.to_markdown(both) == (
        "# A title\n\n## A section\n\nOne leads.\n\n## More\n\nFrom here.\n\n"
    )


class Tags(HTMLParser):
    """What a browser sees of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_a_page_shows_a_hostile_text_as_it_is_and_takes_none_for_a_tag() -> None:
    table = Table(HOSTILE, [Column(HOSTILE)], [[HOSTILE]], origin=HOSTILE)
    plot = dots(name=HOSTILE)
    plot.title, plot.origin = HOSTILE, HOSTILE
    blocks: list[Block] = [Paragraph(HOSTILE), table, plot, Paragraph(HOSTILE, term=HOSTILE)]
    tags = Tags(render.to_html(Document(HOSTILE, [Section(HOSTILE, blocks)])))
    names = {name for name, _ in tags.tags}
    assert not names & {"b", "script", "link", "img", "iframe"}
    assert not any("onload" in attributes for _, attributes in tags.tags)
    shown = HOSTILE.replace("\x1b", " ").replace("\u2028", " ").replace("\ud800", " ")
    assert sum(shown in text for text in tags.texts) >= 8


def test_a_page_needs_no_network_and_no_script_and_its_ids_are_unique() -> None:
    html = render.to_html(document(Paragraph("One leads."), two_schedulers()))
    for part in ("<script", "<link", "@import", "url(", "src=", "http:", "https:"):
        assert part not in html, part
    assert "default-src 'none'" in html
    drawn = render.to_html(document(dots(), dots(), dots(xs=(1, 2, 4))))
    ids = re.findall(r" id=\"([^\"]*)\"", drawn)
    assert len(ids) == len(set(ids))
    addresses = set(re.findall(r"(?:href=\"|src=\"|url\()([^\")]*)", drawn))
    assert addresses and addresses <= {f"#{name}" for name in ids}


def test_a_page_folds_what_is_no_summary() -> None:
    html = render.to_html(document(wide(30)))
    assert "<details>" not in html and html.count(">cell 29</td>") == 1
    assert html.count('<th scope="row" class="left">a</th>') == 1
    assert "<details>" in render.to_html(document(Paragraph("a"), shown=Prominence.TABLES))


def test_a_terminal_splits_a_wide_table_where_a_line_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    text = on_terminal(document(wide()))
    lines = text.splitlines()
    assert max(map(len, lines)) <= 40
    assert sum(line.startswith("a ") for line in lines) >= 3
    assert [text.count(f"cell {i}") for i in range(9)] == [1] * 9


def test_a_terminal_shows_the_answer_then_the_tables_and_no_detail() -> None:
    what = document(two_schedulers(), shown=Prominence.TABLES)
    what.sections.append(Section("Answer", [Paragraph("One leads.")], Prominence.SUMMARY))
    what.sections.append(Section("Origin", [Paragraph("From here.")]))
    text = on_terminal(what)
    assert 0 <= text.index("One leads.") < text.index("Times")
    assert "From here." not in text


@settings(deadline=None, max_examples=50)
@given(st.text())
def test_no_text_sends_a_terminal_an_escape_or_breaks_a_row_of_markdown(text: str) -> None:
    shown = on_terminal(document(Paragraph(text), Table(text, [Column(text)], [[text]])))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", shown)
    table = Table("", [Column("a", is_name=True), Column("b")], [[text, "1"]])
    header, _, row, end = render.table_in_markdown(table).split("\n")
    assert header and not end
    assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) == 3


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_what_stands_out_does_so_on_a_terminal_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    table = two_schedulers()
    table.marks[0, 1] = Emphasis.BEST
    screen = Screen()
    render.print_document(document(table), render.console_of(screen))
    assert "\x1b[1m" in screen.getvalue() and "\x1b" not in on_terminal(document(table))


def test_csv_quotes_what_would_end_a_field_and_keeps_numbers() -> None:
    frame = pandas.DataFrame(
        {"a": ['say "no"', "b,c", "1\n2", None], "b": [1.5, 2.0, float("nan"), 1e-9]}
    )
    assert render.to_csv(frame) == ('a,b\r\n"say ""no""",1.5\r\n"b,c",2.0\r\n"1\n2",\r\n,1e-09\r\n')


def test_csv_keeps_a_spreadsheet_from_taking_a_text_for_a_formula() -> None:
    frame = pandas.DataFrame({"=h": ["=1+1", "+a", "-b", "@c", "\tt", "a=1"]})
    assert render.to_csv(frame) == "'=h\r\n'=1+1\r\n'+a\r\n'-b\r\n'@c\r\n' t\r\na=1\r\n"
    assert render.to_csv(pandas.DataFrame({"n": [-1.5]})) == "n\r\n-1.5\r\n"


def test_a_guide_has_its_text_its_terms_and_the_values_in_braces() -> None:
    assert guide_text("Overhead").startswith("T1 / Ts")
    terms = guide("How to read an ablation", least_effect=2).blocks
    texts = [(own.term, own.text) for own in terms if isinstance(own, Paragraph)]
    assert any(term == "Matters" and "differ by 2 % or more" in text for term, text in texts)
    with pytest.raises(KeyError):
        guide("No such heading")
