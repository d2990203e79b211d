"""The builder of the tables of all experiments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from stealbench.report.document import Column, Emphasis, Table
from stealbench.report.format import MISSING, seconds_with_interval
from stealbench.report.parts import estimate_in

Text = str | tuple[str, Emphasis]
"""Of an entry; what stands out is marked."""
Defined = tuple[Column, Callable[[Any], Any]]
"""What gives the text takes a row, whatever that is."""
WAITED = " (waited)"
"""Behind a time."""
WAITED_CAUSE = (
    "Other programs had it, or there are fewer processors than workers. Stop the other programs, and"
    " measure again."
)
WAITED_MEANS = (
    "(waited): in a third of the rounds or more the workers waited for a processor, so the time is"
    " too long."
)


def name(header: str, text_of: Callable[[Any], Any]) -> Defined:
    """A column of names, or of texts that are aligned like these."""
    return Column(header, is_name=True), text_of


def number(header: str, text_of: Callable[[Any], Any]) -> Defined:
    """A column of values."""
    return Column(header), text_of


def key(header: str) -> Defined:
    """A column of names that a row has below that key."""
    return name(header, lambda row: str(row[header]))


def time_in(row: Any) -> str:
    """The time of a benchmark, of a row of `Figures.cells`."""
    waited = WAITED if row["is_disturbed"] else ""
    return seconds_with_interval(estimate_in(row, "seconds")) + waited


def tabulate(
    title: str,
    columns: Sequence[Defined],
    rows: Iterable[Any],
    keys: int = 1,
    origin: str = "",
    failure_of: Callable[[Any], str | None] = lambda _: None,
    of_failed: int = 0,
) -> Table:
    """A row for each of `rows`. One that failed has that many columns, the reason, and dashes."""
    table = Table(title, [column for column, _ in columns], keys=keys, origin=origin)
    for at, row in enumerate(rows):
        failure = failure_of(row)
        texts = [text_of(row) for _, text_of in columns[: of_failed if failure else None]]
        texts += [(failure, Emphasis.FAILED)] if failure else []
        pairs = [text if isinstance(text, tuple) else (text, None) for text in texts]
        table.rows.append([text for text, _ in pairs] + [MISSING] * (len(columns) - len(pairs)))
        table.marks |= {(at, place): mark for place, (_, mark) in enumerate(pairs) if mark}
    return table
