"""Values as people read them: three significant digits and a unit.

Each function writes a dash where there is no value, or it is not finite. Whole parts are never
cut: 1234 s stays 1234 s.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # It needs numpy, which what measures does not load.
    from stealbench.statistics import Estimate

MISSING = "—"
"""What an entry of a table has that has no value."""

Units = Sequence[tuple[float, str]]
TIMES: Units = ((1e-9, "ns"), (1e-6, "µs"), (1e-3, "ms"), (1, "s"))
BYTES: Units = tuple(
    (1024.0**power, name) for power, name in enumerate(("B", "KiB", "MiB", "GiB", "TiB"))
)


def three_digits(value: float) -> str:
    """Three significant digits, or the whole part if that is longer."""
    if value == 0:
        return "0"
    return f"{value:#.3g}" if abs(value) < 99.95 else f"{value:.0f}"


def unit_for(value: float, units: Units) -> tuple[float, str]:
    """The least unit in which the rounded value does not reach the next: 999.6 ms is 1.00 s."""
    for unit, following in zip(units, units[1:]):
        if round_half_up(abs(value) / unit[0]) < round_half_up(following[0] / unit[0]):
            return unit
    return units[-1]


def round_half_up(value: float) -> float:
    """To a whole number, halves away from 0."""
    return math.floor(value + 0.5)


def _has_value(value: float | None) -> bool:
    return value is not None and math.isfinite(value)


def seconds(value: float | None) -> str:
    """`1.23 s`, `45.6 ms`, `789 µs`, `12.3 ns`."""
    if value is None or not _has_value(value):
        return MISSING
    if value == 0:
        return "0 s"
    size, name = unit_for(value, TIMES)
    return f"{three_digits(value / size)} {name}"


def bytes_(value: float | None) -> str:
    """`512 B`, `12.3 MiB`: powers of 1024."""
    if value is None or not _has_value(value):
        return MISSING
    size, name = unit_for(value, BYTES)
    return f"{value / size:.0f} B" if size == 1 else f"{three_digits(value / size)} {name}"


def ratio(value: float | None) -> str:
    """`1.93 ×`."""
    return MISSING if value is None or not _has_value(value) else f"{three_digits(value)} ×"


def count(value: float | None) -> str:
    """`1,234,567`: rounded to a whole number."""
    return MISSING if value is None or not _has_value(value) else f"{value:,.0f}"


def percent(share: float | None) -> str:
    """`58.3 %` of a share of 1."""
    return MISSING if share is None or not _has_value(share) else f"{100 * share:.1f} %"


def _with_interval(
    value: Estimate | None, text_of: Callable[[float | None], str], size: float
) -> str:
    if value is None or not all(map(math.isfinite, value)):
        return MISSING
    low, high = (three_digits(end / size) for end in (value.low, value.high))
    return f"{text_of(value.median)} [{low}, {high}]"


def seconds_with_interval(value: Estimate | None) -> str:
    """`45.6 ms [44.9, 47.2]`: the interval in the unit of the median."""
    middle = value.median if value is not None else 0
    size = unit_for(middle, TIMES)[0] if _has_value(middle) and middle != 0 else 1
    return _with_interval(value, seconds, size)


def ratio_with_interval(value: Estimate | None) -> str:
    """`1.93 × [1.90, 2.01]`."""
    return _with_interval(value, ratio, 1)


def counted(number: int, noun: str) -> str:
    """`1 round`, `2 rounds`: of a noun whose plural ends with an s."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def joined(names: Sequence[str], most_named: int = 6) -> str:
    """`a, b and 3 more`: more names than six, and a sentence is a list."""
    if len(names) <= most_named:
        return ", ".join(names)
    return f"{', '.join(names[:most_named])} and {len(names) - most_named} more"


# Control characters, marks that turn the direction of writing, line separators, halves of
# characters of UTF-16, and what is no character to XML.
HARMFUL = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def on_one_line(text: str) -> str:
    """A space for each control character, line separator and mark that turns the direction."""
    return HARMFUL.sub(" ", text)
