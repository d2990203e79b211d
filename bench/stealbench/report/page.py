"""Reports as a page: one HTML file that loads nothing and runs nothing."""

from __future__ import annotations

import itertools
from pathlib import Path

from stealbench.report.document import Document, Plot, Table
from stealbench.report.format import on_one_line
from stealbench.report.tables import lines_of, parts_of, widths_of

# In characters of page.css: a cell's padding, what is broken into lines, and a page.
GAP = 3
MOST_ON_A_LINE = 36
MOST_ON_A_PAGE = 126


def css_file() -> Path:
    """Where page.css is."""
    return Path(__file__).with_name("page.css")


def _parts_of(table: Table) -> list[list[int]]:
    if not table.title:
        raise ValueError("a table without a caption")
    widths = [min(width, MOST_ON_A_LINE) for width in widths_of(lines_of(table, on_one_line))]
    return parts_of(widths, table.keys, GAP, MOST_ON_A_PAGE)


def _side_of(table: Table, column: int) -> str:
    return "left" if table.columns[column].is_name else "right"


def _class_of(table: Table, row: int, column: int) -> str:
    mark = table.marks.get((row, column))
    long = " long" if len(table.rows[row][column]) > MOST_ON_A_LINE else ""
    return _side_of(table, column) + (f" {mark.value}" if mark else "") + long


def to_html(document: Document) -> str:
    """The page: Jinja2 escapes every text, and each is on one line."""
    import jinja2
    from markupsafe import Markup

    from stealbench.report.svg import to_svg

    numbers = itertools.count(1)

    def svg_of(plot: Plot) -> Markup:
        return Markup(to_svg(plot, next(numbers)))

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        finalize=lambda text: on_one_line(text) if type(text) is str else text,
        undefined=jinja2.Undefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    page = environment.get_template("page.html.j2")
    return page.render(
        document=document,
        css=Markup(css_file().read_text(encoding="utf-8")),
        parts_of=_parts_of,
        side_of=_side_of,
        class_of=_class_of,
        svg_of=svg_of,
    )
