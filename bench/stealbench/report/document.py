"""What is reported, as values: whoever fills a document does not know how it will look."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from stealbench.report.format import count

if TYPE_CHECKING:
    from stealbench.statistics import Estimate


class Paragraph(NamedTuple):
    """A text, or the meaning of a term; a lead is what a reader must not miss."""

    text: str
    is_lead: bool = False
    term: str = ""


class Column(NamedTuple):
    """Values are aligned to the right, names to the left."""

    header: str
    is_name: bool = False


class Emphasis(enum.Enum):
    """What a rendering may make stand out. The text alone says it too."""

    BEST = "best"
    FAILED = "failed"


@dataclass
class Table:
    """Plain text: each rendering escapes what is markup to it. A row has an entry per column."""

    title: str
    columns: list[Column]
    rows: list[list[str]] = field(default_factory=list)
    marks: dict[tuple[int, int], Emphasis] = field(default_factory=dict)  # By row and column.
    keys: int = 1  # Columns that name a row: where a table is split, each part has them.
    origin: str = ""  # The machine, a line below the title.


class Axis(NamedTuple):
    """`text_of` gives a value in words; ticks show values divided by `unit`, a power of 10."""

    label: str
    is_logarithmic: bool = False
    unit: float = 1
    text_of: Callable[[float | None], str] = count


class Curve(NamedTuple):
    """A value with its interval for each x, ascending. `style` chooses colour and marker."""

    name: str
    points: Sequence[tuple[float, Estimate]]
    style: int = 0
    instead: str = ""  # Shown where there is no point: `DNF`.


References = dict[str, Sequence[tuple[float, float]]]  # Thin lines, such as the ideal.


@dataclass
class Plot:
    """From three values of x on, lines over x; else a row for each curve with a dot for each x."""

    title: str
    x: Axis
    y: Axis
    curves: list[Curve] = field(default_factory=list)
    references: References = field(default_factory=dict)
    is_less_better: bool = False
    origin: str = ""  # The machine, below the title.

    def add(self, name: str, points: Sequence[tuple[float, Estimate | None]]) -> None:
        """A curve in a style of its own, unless it has no point; points are put in order."""
        having = sorted((x, y) for x, y in points if y is not None)
        self.curves += [Curve(name, having, style=len(self.curves))] if having else []


Block = Paragraph | Table | Plot


class Prominence(enum.Enum):
    """A page has all sections, and folds those that are no summary."""

    SUMMARY = "summary"  # The answer and its plots: on a terminal first, and in a README.
    TABLES = "tables"  # The values behind it: on a terminal too.
    DETAIL = "detail"  # On pages alone.


@dataclass
class Section:
    """A part of a document with a heading. Plots, and paragraphs beside plots alone, are on pages."""

    title: str
    blocks: list[Block] = field(default_factory=list)
    shown: Prominence = Prominence.DETAIL

    @property
    def has_text(self) -> bool:
        """Whether it says something without its plots."""
        kinds = {type(block) for block in self.blocks}
        return Table in kinds or Plot not in kinds


class Document(NamedTuple):
    """A report. Without a title Markdown has none."""

    title: str
    sections: list[Section]
