"""Reports as Markdown, CSV, a page that loads and runs nothing, and on a terminal."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any

import jinja2
import pandas
from markupsafe import Markup
from pandas.api.types import is_numeric_dtype
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from stealbench.report.document import Document, Emphasis, Plot, Prominence, Section, Table
from stealbench.report.format import on_one_line
from stealbench.report.plots import Slides, names_of, to_svg

FOLDER = Path(__file__).parent
MARKUP = re.compile(r"[\\|`*<]|(?<=\])[(:]")
SPACE_BEFORE_UNIT = re.compile(r"(?<=[0-9]) (?=[A-Za-z%]|×|µ)")
FORMULA = re.compile(r"[=+\-@\t\r]")
USUAL_WIDTH, GAP = 100, 2  # Of a terminal, and between its columns.
STYLES = {Emphasis.BEST: "bold", Emphasis.FAILED: "red"}


def _rendered(template: str, escape: Callable[[str], str], **values: Any) -> str:
    """Each text in it is escaped, but what is markup already."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER / "templates"),
        autoescape=template.endswith(".html.j2"),
        finalize=lambda text: escape(text) if type(text) is str else text,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(template).render(values)


def to_html(document: Document, slides: dict[str, Slides] | None = None) -> str:
    """The page: Jinja2 escapes every text, and each is on one line. `slides` get a name each."""
    blocks = [block for section in document.sections for block in section.blocks]
    names = names_of([block for block in blocks if isinstance(block, Plot)])
    numbered = zip(itertools.count(1), names)

    def svg_of(plot: Plot) -> Markup:
        number, name = next(numbered)
        return Markup(to_svg(plot, number, None if slides is None else slides.setdefault(name, {})))

    css = Markup((FOLDER / "page.css").read_text(encoding="utf-8"))
    return _rendered("page.html.j2", on_one_line, document=document, css=css, svg_of=svg_of)


def escape_markdown(text: str) -> str:
    """On one line, with a backslash before what is markup: also in the middle of a word."""
    return MARKUP.sub(r"\\\g<0>", on_one_line(text))


def table_in_markdown(table: Table) -> Markup:
    """Aligned, with a no-break space between a number and its unit."""
    columns = []
    for column, *texts in zip(table.columns, *table.rows):
        header, *texts = map(escape_markdown, (column.header, *texts))
        if not column.is_name:
            texts = [SPACE_BEFORE_UNIT.sub("\u00a0", text) for text in texts]
        width = max(3, *map(len, (header, *texts)))  # Three are a rule in every dialect: `--:`.
        rule = f":{'-' * (width - 1)}" if column.is_name else f"{'-' * (width - 1)}:"
        pad = str.ljust if column.is_name else str.rjust
        columns.append([pad(text, width) for text in (header, rule, *texts)])
    return Markup("".join(f"| {' | '.join(line)} |\n" for line in zip(*columns)))


def to_markdown(document: Document) -> str:
    """All sections but those of plots alone. Without a title, one has no heading."""
    shown = [section for section in document.sections if section.has_text]
    values: dict[str, Any] = {"title": document.title, "sections": shown}
    return _rendered("report.md.j2", escape_markdown, table_of=table_in_markdown, **values)


def summary_in_markdown(sections: Sequence[Section]) -> str:
    """The answer alone, without headings."""
    summaries = [section for section in sections if section.shown is Prominence.SUMMARY]
    shown = [Section("", section.blocks) for section in summaries if section.has_text]
    return to_markdown(Document("", shown))


def to_csv(frame: pandas.DataFrame) -> str:
    """Headers and rows as RFC 4180 has them. A missing value is empty.

    An apostrophe keeps a spreadsheet from taking a text for a formula.
    """

    def safe(value: Any) -> Any:
        if not isinstance(value, str):
            return value
        text = "\n".join(map(on_one_line, value.split("\n")))
        return "'" + text if FORMULA.match(value) else text

    whole = frame.convert_dtypes(convert_string=False)
    texts = whole.apply(lambda column: column if is_numeric_dtype(column) else column.map(safe))
    headers = list(map(safe, frame))
    return str(texts.to_csv(index=False, header=headers, lineterminator="\r\n"))


def console_of(stream: IO[str]) -> Console:
    """A console that takes no text for markup, and is 100 wide unless a terminal or COLUMNS is."""
    is_wide = stream.isatty() or os.environ.get("COLUMNS", "").isdecimal()
    width = None if is_wide else USUAL_WIDTH
    return Console(file=stream, width=width, markup=False, highlight=False, emoji=False)


def _pages_of(widths: Sequence[int], keys: int, limit: int) -> list[list[int]]:
    """Which columns are side by side: the keys, then as many as fit, at least one."""
    first = list(range(min(keys, len(widths) - 1)))
    pages = [[*first, len(first)]]
    for column in range(len(first) + 1, len(widths)):
        row = [*pages[-1], column]
        if sum(widths[place] + GAP for place in row) - GAP <= limit:
            pages[-1] = row
        else:
            pages.append([*first, column])
    return pages


def _print_table(table: Table, on: Console) -> None:
    """A wide one in several parts."""
    headers = [Text(on_one_line(column.header)) for column in table.columns]
    rows = [[Text(on_one_line(text)) for text in row] for row in table.rows]
    for (row, place), mark in table.marks.items():
        rows[row][place].stylize(STYLES[mark])
    widths = [max(text.cell_len for text in texts) for texts in zip(headers, *rows)]
    for heading in filter(None, (table.title, table.origin)):
        on.print(on_one_line(heading), soft_wrap=True)
    for page in _pages_of(widths, table.keys, on.width):
        grid = Grid.grid(padding=(0, GAP, 0, 0))
        grid.width = sum(widths[place] + GAP for place in page) - GAP
        for place in page:
            is_name = table.columns[place].is_name
            grid.add_column(justify="left" if is_name else "right", no_wrap=True)
        for line in (headers, [Text("─" * width) for width in widths], *rows):
            grid.add_row(*(line[place] for place in page))
        on.print()
        on.print(grid, soft_wrap=True)
    on.print()


def print_document(document: Document, on: Console) -> None:
    """The answer, then the tables behind it."""
    order = [Prominence.SUMMARY, Prominence.TABLES]
    shown = [own for own in document.sections if own.has_text and own.shown in order]
    for section in sorted(shown, key=lambda own: order.index(own.shown)):
        for block in section.blocks:
            if isinstance(block, Table):
                _print_table(block, on)
            elif not isinstance(block, Plot):
                text = f"{block.term}: {block.text}" if block.term else block.text
                on.print(on_one_line(text), soft_wrap=not on.is_terminal)
        on.print()
