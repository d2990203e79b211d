"""Sections beside those that the C++ driver wrote of the same file: tests/oracle/NAME.json.

A number must be equal; an end of an interval may differ by its Monte-Carlo error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stealbench.report.document import Paragraph, Section, Table

INTERVAL = re.compile(r"\[([0-9.]+), ([0-9.]+)\]")
MOST_OFF = 0.05
"""Of an interval's width. C++ draws 10,000 resamples, which is off by some 2 %."""


def oracle(name: str) -> Any:
    """What was frozen."""
    file = Path(__file__).parent / "oracle" / f"{name}.json"
    return json.loads(file.read_text(encoding="utf-8"))


def _step(text: str) -> float:
    """Of the last digit."""
    return float(10 ** -len(text.partition(".")[2]))


def assert_same(text: str, expected: str) -> None:
    """Equal but for the ends of intervals."""
    assert INTERVAL.sub("[]", text) == INTERVAL.sub("[]", expected), (text, expected)
    for own, frozen in zip(INTERVAL.findall(text), INTERVAL.findall(expected)):
        width = float(frozen[1]) - float(frozen[0])
        for end, frozen_end in zip(own, frozen):
            off = abs(float(end) - float(frozen_end))
            assert off <= MOST_OFF * width + 1.001 * _step(frozen_end), (text, expected)


def assert_same_rows(table: Table, expected: Sequence[Sequence[str]]) -> None:
    """The headers and all entries."""
    rows = [[column.header for column in table.columns], *table.rows]
    assert [len(row) for row in rows] == [len(row) for row in expected], table.title
    for row, frozen in zip(rows, expected):
        for text, frozen_text in zip(row, frozen):
            assert_same(text.strip(), frozen_text)


def tables_of(section: Section) -> list[Table]:
    """In their order."""
    return [block for block in section.blocks if isinstance(block, Table)]


def texts_of(section: Section) -> list[str]:
    """Paragraphs, and terms with their meanings."""
    paragraphs = [block for block in section.blocks if isinstance(block, Paragraph)]
    return [f"{own.term}: {own.text}" if own.term else own.text for own in paragraphs]


def section_in(sections: Sequence[Section], title: str) -> Section:
    """The one with that title."""
    return next(section for section in sections if section.title == title)


def assert_same_sections(sections: Sequence[Section], name: str) -> None:
    """All that was frozen, in its order: titles, tables and texts."""
    assert_same_as(sections, oracle(name))


def assert_same_as(sections: Sequence[Section], frozen: Any) -> None:
    """The same of what a test has changed in the oracle, because it is meant to have moved."""
    titles = [section.title for section in sections if section.title in frozen]
    assert titles == list(frozen), titles
    for title, expected in frozen.items():
        section = section_in(sections, title)
        assert [table.title for table in tables_of(section)] == [
            table_title for table_title, _ in expected["tables"]
        ]
        for table, (_, rows) in zip(tables_of(section), expected["tables"]):
            assert_same_rows(table, rows)
        texts = texts_of(section)
        assert len(texts) == len(expected["texts"]), title
        for text, expected_text in zip(texts, expected["texts"]):
            assert_same(text, expected_text)


def page_of(sections: Sequence[Section], title: str = "") -> str:
    """All texts and rows, or those of one section: a line each."""
    lines = []
    for section in sections:
        if title in ("", section.title):
            lines += [section.title, *texts_of(section)]
            for table in tables_of(section):
                lines += [table.title, " | ".join(column.header for column in table.columns)]
                lines += map(" | ".join, table.rows)
    return "\n".join(lines)


def assert_says(page: str, *phrases: str) -> None:
    """Each of them; but none that begins with an exclamation mark."""
    for phrase in phrases:
        assert (phrase.removeprefix("!") in page) != phrase.startswith("!"), f"{phrase}: {page}"
