"""Values as people read them: three significant digits and a unit.

Each function writes a dash where there is no value, or it is not finite. Whole parts are never
cut: 1234 s stays 1234 s.
"""

from __future__ import annotations

import math
import re
import shutil
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # It needs numpy, which what measures does not load.
    from stealbench.statistics import Estimate

MISSING = "—"
"""What an entry of a table has that has no value."""

Unit = tuple[float, str]
TIMES: Sequence[Unit] = ((1e-9, "ns"), (1e-6, "µs"), (1e-3, "ms"), (1.0, "s"))
BYTES: Sequence[Unit] = tuple(
    (1024.0**power, name) for power, name in enumerate(("B", "KiB", "MiB", "GiB", "TiB"))
)
RATIO: Sequence[Unit] = ((1.0, "×"),)


def _three_digits(value: float) -> str:
    """Three significant digits, or the whole part if that is longer."""
    return f"{value:#.3g}" if 0 < abs(value) < 99.95 else f"{value:.0f}"


def _unit_for(value: float, units: Sequence[Unit]) -> Unit:
    """The least unit in which the rounded value does not reach the next: 999.6 ms is 1.00 s."""
    for unit, following in zip(units, units[1:]):
        # Halves are rounded up.
        if abs(value) / unit[0] + 0.5 < math.floor(following[0] / unit[0] + 0.5):
            return unit
    return units[-1]


def _text(value: float | None, units: Sequence[Unit], ends: Sequence[float] = ()) -> str:
    """A value in the unit that suits it, and the ends of its interval in the same unit."""
    if value is None or not all(map(math.isfinite, (value, *ends))):
        return MISSING
    size, name = _unit_for(value, units) if value or units is BYTES else units[-1]
    text = f"{value:.0f} B" if name == "B" else f"{_three_digits(value / size)} {name}"
    low_and_high = ", ".join(_three_digits(end / size) for end in ends)
    return f"{text} [{low_and_high}]" if ends else text


def time_unit(value: float) -> Unit:
    """The size of the unit in seconds, and its name."""
    return _unit_for(value, TIMES) if value else TIMES[-1]


def seconds(value: float | None) -> str:
    """`1.23 s`, `45.6 ms`, `789 µs`, `12.3 ns`."""
    return _text(value, TIMES)


def bytes_(value: float | None) -> str:
    """`512 B`, `12.3 MiB`: powers of 1024."""
    return _text(value, BYTES)


def ratio(value: float | None) -> str:
    """`1.93 ×`."""
    return _text(value, RATIO)


def count(value: float | None) -> str:
    """`1,234,567`: rounded to a whole number."""
    return MISSING if value is None or not math.isfinite(value) else f"{value:,.0f}"


def percent(share: float | None) -> str:
    """`58.3 %` of a share of 1."""
    return MISSING if share is None or not math.isfinite(share) else f"{100 * share:.1f} %"


def seconds_with_interval(value: Estimate | None) -> str:
    """`45.6 ms [44.9, 47.2]`: the interval in the unit of the median."""
    return _text(value.median, TIMES, value[1:]) if value else MISSING


def ratio_with_interval(value: Estimate | None) -> str:
    """`1.93 × [1.90, 2.01]`."""
    return _text(value.median, RATIO, value[1:]) if value else MISSING


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


def in_two_columns(name: str, text: str, name_width: int) -> str:
    """A name, and beside it a text in as many lines as the terminal makes necessary."""
    width = max(shutil.get_terminal_size((100, 24)).columns - name_width, 20)
    lines = textwrap.wrap(on_one_line(text), width, break_on_hyphens=False)
    head, indent = f"  {name}", "\n" + " " * name_width
    first = head.ljust(name_width) if len(head) < name_width else head + indent
    return (first + indent.join(lines)).rstrip()
