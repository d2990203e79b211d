"""Reports on a terminal, by rich."""

from __future__ import annotations

import os
from typing import IO, TYPE_CHECKING

from stealbench.report.document import Block, Definitions, Document, Emphasis, Paragraph
from stealbench.report.document import Prominence, Section, Table
from stealbench.report.format import on_one_line
from stealbench.report.tables import lines_of, parts_of, widths_of

if TYPE_CHECKING:
    from rich.console import Console

USUAL_WIDTH, LEAST_WIDTH = 100, 20
GAP = 2
STYLES = {Emphasis.BEST: "bold", Emphasis.FAILED: "red"}


def width_of(stream: IO[str]) -> int:
    """What COLUMNS says, else that of the terminal, else 100."""
    typed = os.environ.get("COLUMNS", "")
    width = int(typed) if typed.isdecimal() and len(typed) < 10 else 0
    try:
        width = width or os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):  # No terminal.
        pass
    return max(width, LEAST_WIDTH) if width else USUAL_WIDTH


def takes_colours(stream: IO[str]) -> bool:
    """Whether it is a terminal that has them, and nobody has forbidden them (NO_COLOR)."""
    is_capable = os.environ.get("TERM", "dumb") != "dumb"
    return stream.isatty() and is_capable and not os.environ.get("NO_COLOR")


def console_of(stream: IO[str], width: int | None = None) -> Console:
    """A console of rich that takes no text for markup."""
    from rich.console import Console

    is_coloured = takes_colours(stream)
    return Console(
        file=stream,
        width=width or width_of(stream),
        force_terminal=is_coloured,
        color_system="auto" if is_coloured else None,
        no_color=not is_coloured,
        markup=False,
        highlight=False,
        emoji=False,
    )


def _print_table(table: Table, on: Console) -> None:
    from rich.cells import cell_len
    from rich.text import Text

    lines = lines_of(table, on_one_line)
    widths = widths_of(lines, cell_len)
    for heading in filter(None, (table.title, table.origin)):
        on.print(on_one_line(heading), soft_wrap=True)
    for part in parts_of(widths, table.keys, GAP, on.width):
        on.print()
        rule = ["-" * width for width in widths]
        shown = []
        for row, line in enumerate((lines[0], rule, *lines[1:]), start=-2):
            text = Text()
            for place in part:
                space = " " * (widths[place] - cell_len(line[place]))
                before, after = ("", space) if table.columns[place].is_name else (space, "")
                mark = table.marks.get((row, place))
                text.append((" " * GAP if place != part[0] else "") + before)
                text.append(line[place], STYLES[mark] if mark else None).append(after)
            text.rstrip()
            shown.append(text)
        on.print(Text("\n").join(shown), soft_wrap=True)
    on.print()


def _print_section(section: Section, on: Console) -> None:
    before: Block | None = None
    for block in section.blocks:
        if isinstance(block, Table) and isinstance(before, Paragraph):
            on.print()
        before = block
        if isinstance(block, Paragraph):
            on.print(on_one_line(block.text), soft_wrap=not on.file.isatty())
        elif isinstance(block, Table):
            _print_table(block, on)
        elif isinstance(block, Definitions):
            for term, meaning in block.terms:
                on.print(on_one_line(f"{term}: {meaning}"), soft_wrap=not on.file.isatty())
    on.print()


def print_document(document: Document, on: Console) -> None:
    """The answer, then the tables behind it."""
    for prominence in (Prominence.SUMMARY, Prominence.TABLES):
        for section in document.sections:
            has_text = any(
                isinstance(block, (Paragraph, Table, Definitions)) for block in section.blocks
            )
            if section.shown is prominence and has_text:
                _print_section(section, on)
