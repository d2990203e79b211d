"""Reports as Markdown and CSV."""

from __future__ import annotations

import csv
import io
import math
import re
from typing import TYPE_CHECKING

from stealbench.report.document import Block, Definitions, Document, Paragraph, Prominence
from stealbench.report.document import Section, Table
from stealbench.report.format import on_one_line
from stealbench.report.tables import lines_of, widths_of

if TYPE_CHECKING:
    import pandas

MARKUP = re.compile(r"[\\|`*<]|(?<=\])[(:]")
SPACE_BEFORE_UNIT = re.compile(r"(?<=[0-9]) (?=[A-Za-z%]|×|µ)")
NARROWEST = 3
"""Three characters are a rule in every dialect: `--:`."""


def escape_markdown(text: str) -> str:
    """On one line, with a backslash before what is markup: also in the middle of a word."""
    return MARKUP.sub(r"\\\g<0>", on_one_line(text))


def table_to_markdown(table: Table) -> str:
    """Aligned, with a no-break space between a number and its unit."""
    lines = lines_of(table, escape_markdown)
    for line in lines[1:]:
        for place, column in enumerate(table.columns):
            if not column.is_name:
                line[place] = SPACE_BEFORE_UNIT.sub("\u00a0", line[place])
    widths = widths_of(lines, least=NARROWEST)
    rules = [
        ":" + "-" * (width - 1) if column.is_name else "-" * (width - 1) + ":"
        for column, width in zip(table.columns, widths)
    ]
    text = f"### {escape_markdown(table.title)}\n\n" if table.title else ""
    text += f"{escape_markdown(table.origin)}\n\n" if table.origin else ""
    for line in (lines[0], rules, *lines[1:]):
        entries = [
            entry.ljust(width) if column.is_name else entry.rjust(width)
            for entry, column, width in zip(line, table.columns, widths)
        ]
        text += f"| {' | '.join(entries)} |\n"
    return text


def _block_to_markdown(block: Block) -> str:
    if isinstance(block, Paragraph):
        return escape_markdown(block.text) + "\n\n"
    if isinstance(block, Table):
        return table_to_markdown(block) + "\n"
    if isinstance(block, Definitions):
        lines = (f"- **{escape_markdown(t)}**: {escape_markdown(m)}\n" for t, m in block.terms)
        return "".join(lines) + "\n"
    return ""  # Plots are on the page.


def _section_to_markdown(section: Section) -> str:
    return "".join(map(_block_to_markdown, section.blocks))


def to_markdown(document: Document) -> str:
    """All sections but those of plots alone."""
    text = f"# {escape_markdown(document.title)}\n\n" if document.title else ""
    for section in document.sections:
        if blocks := _section_to_markdown(section):
            text += f"## {escape_markdown(section.title)}\n\n{blocks}"
    return text


def summary_in_markdown(document: Document) -> str:
    """The answer alone, without headings."""
    summaries = [part for part in document.sections if part.shown is Prominence.SUMMARY]
    return "".join(map(_section_to_markdown, summaries))


def _csv_field(value: object) -> str:
    """A number as the shortest text that reads back as it; a text that is no formula."""
    if isinstance(value, float):
        if not math.isfinite(value):
            return ""
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if value is None or not isinstance(value, str):
        return "" if value is None else str(value)
    safe = "".join(
        part if part in ("\r", "\n") else on_one_line(part) for part in re.split("([\r\n])", value)
    )
    return "'" + safe if value.startswith(("=", "+", "-", "@", "\t", "\r")) else safe


def to_csv(frame: pandas.DataFrame) -> str:
    """Headers and rows as RFC 4180 has them. A missing value is empty.

    An apostrophe keeps a spreadsheet from taking a text for a formula.
    """
    rows = frame.astype(object).where(frame.notna(), None)
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(map(_csv_field, frame.columns))
    writer.writerows(map(_csv_field, row) for row in rows.itertuples(index=False))
    return stream.getvalue()
