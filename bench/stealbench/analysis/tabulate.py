"""The builder of the tables of all experiments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from stealbench.report.document import Column, Emphasis, Table
from stealbench.report.format import MISSING, seconds, seconds_with_interval
from stealbench.report.parts import DNF, estimate_in, workers_of

Text = str | tuple[str, Emphasis]  # Of an entry; what stands out is marked.
Defined = tuple[Column, Callable[[Any], Any]]  # What gives the text takes a row, whatever that is.
WAITED = " (waited)"  # Behind a time.


def name(header: str, text_of: Callable[[Any], Any]) -> Defined:
    """A column of names, or of texts that are aligned like these."""
    return Column(header, is_name=True), text_of


def number(header: str, text_of: Callable[[Any], Any]) -> Defined:
    """A column of values."""
    return Column(header), text_of


def entry(header: str, at: Any, is_name: bool = True) -> Defined:
    """A column of texts that a row has at that place, or below that key."""
    return Column(header, is_name), lambda row: str(row[at])


def key(header: str) -> Defined:
    """A column of names that a row has below that key."""
    return entry(header, header)


def value(header: str, in_words: Callable[[Any], str], of: str = "") -> Defined:
    """A column of values that a row has below a key, the header unless there is another."""
    return number(header, lambda row: in_words(row[of or header]))


def estimate(header: str, in_words: Callable[[Any], str], of: str) -> Defined:
    """A column of a figure of a row of `Figures.table` with its interval."""
    return name(header, lambda row: in_words(estimate_in(row, of)))


WORKERS: Defined = number("workers", lambda row: str(workers_of(row)))


def time_in(row: Any) -> str:
    """The time of a benchmark, of a row of `Figures.cells`: of one round it has no range."""
    has_range = row["rounds"] > 1
    time = (
        seconds_with_interval(estimate_in(row, "seconds")) if has_range else seconds(row["seconds"])
    )
    return time + (WAITED if row["is_disturbed"] else "")


def tabulate(
    title: str, columns: Sequence[Defined], rows: Iterable[Any], keys: int = 1, origin: str = ""
) -> Table:
    """A row for each of `rows`. One with a `failure` has its keys, the reason, and dashes."""
    table = Table(title, [column for column, _ in columns], keys=keys, origin=origin)
    for at, row in enumerate(rows):
        failure = row.get("failure") if isinstance(row, dict) else None
        texts = [text_of(row) for _, text_of in columns[: keys if failure else None]]
        texts += [(f"{DNF}: {failure}", Emphasis.FAILED)] if failure else []
        pairs = [text if isinstance(text, tuple) else (text, None) for text in texts]
        table.rows.append([text for text, _ in pairs] + [MISSING] * (len(columns) - len(pairs)))
        table.marks |= {(at, place): mark for place, (_, mark) in enumerate(pairs) if mark}
    return table
