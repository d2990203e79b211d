"""Values as people read them: three significant digits and a unit.

Each function writes a dash where there is no value, or it is not finite. Whole parts are never
cut: 1234 s stays 1234 s.
"""

from __future__ import annotations

import functools
import math
import re
import shutil
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # It needs numpy, which what measures does not load.
    from stealbench.statistics import Estimate

MISSING = "—"  # What an entry of a table has that has no value.
Units = Sequence[tuple[float, str]]
TIMES: Units = ((1e-9, "ns"), (1e-6, "µs"), (1e-3, "ms"), (1.0, "s"))
BYTES: Units = [(1024.0**at, unit) for at, unit in enumerate(("B", "KiB", "MiB", "GiB", "TiB"))]
RATIO: Units = ((1.0, "×"),)


def _three_digits(value: float) -> str:
    """Three significant digits, or the whole part if that is longer."""
    return f"{value:#.3g}" if 0 < abs(value) < 99.95 else f"{value:.0f}"


def _unit_for(units: Units, value: float) -> tuple[float, str]:
    """The least unit in which the rounded value does not reach the next: 999.6 ms is 1.00 s."""
    for unit, following in zip(units, units[1:]):
        # Halves are rounded up.
        if abs(value) / unit[0] + 0.5 < math.floor(following[0] / unit[0] + 0.5):
            return unit
    return units[-1]


def _text(units: Units, value: float | None, ends: Sequence[float] = ()) -> str:
    """A value in the unit that suits it, and the ends of its interval in the same unit."""
    if value is None or not all(map(math.isfinite, (value, *ends))):
        return MISSING
    size, name = _unit_for(units, value) if value or units is BYTES else units[-1]
    text = f"{value:.0f} B" if name == "B" else f"{_three_digits(value / size)} {name}"
    return f"{text} [{', '.join(_three_digits(end / size) for end in ends)}]" if ends else text


def _with_interval(units: Units, value: Estimate | None) -> str:
    return _text(units, value.median, value[1:]) if value else MISSING


time_unit = functools.partial(_unit_for, TIMES)  # Its seconds, and its name.
seconds = functools.partial(_text, TIMES)  # `1.23 s`, `45.6 ms`, `789 µs`, `12.3 ns`.
bytes_ = functools.partial(_text, BYTES)  # `512 B`, `12.3 MiB`: powers of 1024.
ratio = functools.partial(_text, RATIO)  # `1.93 ×`.
seconds_with_interval = functools.partial(_with_interval, TIMES)  # `45.6 ms [44.9, 47.2]`.
ratio_with_interval = functools.partial(_with_interval, RATIO)  # `1.93 × [1.90, 2.01]`.


def count(value: float | None) -> str:
    """`1,234,567`: rounded to a whole number."""
    return MISSING if value is None or not math.isfinite(value) else f"{value:,.0f}"


def percent(share: float | None) -> str:
    """`58.3 %` of a share of 1."""
    return MISSING if share is None or not math.isfinite(share) else f"{100 * share:.1f} %"


def counted(number: int, noun: str) -> str:
    """`1 round`, `2 rounds`: of a noun whose plural ends with an s."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def joined(names: Sequence[str], most_named: int = 6) -> str:
    """`a, b and 3 more`: more names than six, and a sentence is a list."""
    more = f" and {len(names) - most_named} more" if len(names) > most_named else ""
    return ", ".join(names[:most_named]) + more


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
