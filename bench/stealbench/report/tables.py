"""Tables too wide for a line, divided: what all renderings have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stealbench.report.document import Table

Lines = list[list[str]]


def lines_of(table: Table, escape: Callable[[str], str]) -> Lines:
    """The headers, then the rows, escaped. Raises ValueError where a row does not fit."""
    for row in table.rows:
        if len(row) != len(table.columns):
            sizes = f"{len(row)} entries under {len(table.columns)} columns"
            raise ValueError(f'table "{table.title}": a row of {sizes}')
    headers = [column.header for column in table.columns]
    return [[escape(text) for text in line] for line in (headers, *table.rows)]


def widths_of(lines: Lines, width_of: Callable[[str], int] = len, least: int = 0) -> list[int]:
    """Of each column, in characters."""
    return [max([least, *map(width_of, column)]) for column in zip(*lines)]


def _parts_within(limit: int, widths: Sequence[int], keys: int, gap: int) -> list[list[int]]:
    parts: list[list[int]] = []
    used = 0
    for column in range(min(keys, len(widths) - 1), len(widths)):
        if not parts or used + widths[column] > limit:
            parts.append(list(range(min(keys, column))))
            used = sum(widths[key] + gap for key in parts[-1])
        parts[-1].append(column)
        used += widths[column] + gap
    return parts


def parts_of(widths: Sequence[int], keys: int, gap: int, limit: int) -> list[list[int]]:
    """Which columns are side by side: the keys, then as many as fit, at least one.

    As few parts as there can be, the widest of them as narrow as it can be.
    """
    parts = _parts_within(limit, widths, keys, gap)
    while len(parts) > 1 and limit > 0:
        limit -= 1
        narrower = _parts_within(limit, widths, keys, gap)
        if len(narrower) > len(parts):
            break
        parts = narrower
    return parts
