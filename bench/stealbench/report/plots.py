"""Plots drawn by matplotlib: one style for all.

Up to two values of x are rows with a dot for each; from three on a curve is a line with its name at
its end. A drawing is told apart without colour. Lengths are in points, 1/72 of an inch.
"""

from __future__ import annotations

import functools
import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stealbench.report.document import Axis, Curve, Plot
from stealbench.report.format import on_one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STYLE = Path(__file__).with_name("plots.mplstyle")
INK = "#1c1f24"
"""Of texts and grids: the page's ink."""

# Each has a contrast of 3:1 or more to white and to #121212: one drawing serves light and dark.
COLOURS = (
    "#2f7fd1 #c96a12 #2f9150 #9a66c9 #d4504a #12919c #cf4f9c #a8764a #7c8a18 #6470dc #7b838c #b5862b"
).split()
MARKERS = "osD^v"
FONT = "DejaVu Sans"

MOST_TICKS = 16
LEAST_DECADES = 0.3
MARGIN = 0.06
LEAST_PLOT_WIDTH = 200.0


@dataclass(frozen=True)
class Frame:
    """What a drawing has to fit: a card of a page grows with its rows, a slide does not."""

    width: float = 420
    height: float = 0
    """Of a card it follows from the rows."""
    letter: float = 13
    """Size of the font."""
    edge: float = 0
    """Left free on all sides, outside of width and height."""
    above: float = 0
    """Left free for a title, outside of the height."""
    grows: bool = True

    @property
    def line(self) -> float:
        """Height of a line of text."""
        return 1.25 * self.letter

    @property
    def gap(self) -> float:
        """Between a text and what it names."""
        return 0.6 * self.letter

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the whole drawing."""
        return self.width + 2 * self.edge, self.height + self.above + 2 * self.edge

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A point, from the lower left of what is inside, as parts of the whole drawing."""
        return (x + self.edge) / self.size[0], (y + self.edge) / self.size[1]

    def figure(self) -> Figure:
        """An empty one of its size."""
        from matplotlib.figure import Figure as NewFigure

        return NewFigure(figsize=(self.size[0] / 72, self.size[1] / 72))

    def axes(self, figure: Figure, left: float, right: float, bottom: float, top: float) -> Axes:
        """Axes with so much around them."""
        begin = self.at(left, bottom)
        end = self.at(self.width - right, self.height - top)
        axes: Axes = figure.add_axes((*begin, end[0] - begin[0], end[1] - begin[1]))
        axes.patch.set_visible(False)
        return axes


CARD = Frame()


def width_of(text: str, letter: float) -> float:
    """Of a text in the font that is measured with: it is as wide as the wide ones of pages."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=FONT, size=letter)
    return float(text_to_path.get_text_width_height_descent(text, font, False)[0])


def widest(texts: list[str], letter: float) -> float:
    return max((width_of(text, letter) for text in texts), default=0)


def tick_text(value: float) -> str:
    """`0.002`, `16`, `12,000`: without an exponent."""
    import numpy

    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return str(numpy.format_float_positional(value, precision=3, fractional=False, trim="-"))


def limits_of(axis: Axis, values: list[float]) -> tuple[float, float]:
    """With a margin. Raises ValueError for a value that the axis cannot have."""
    for value in values:
        if not math.isfinite(value) or (axis.is_logarithmic and value <= 0):
            raise ValueError(f'{value:g} is not on the axis "{axis.label}"')
    low, high = min(values), max(values)
    if axis.is_logarithmic:
        factor = 10 ** (MARGIN * max(math.log10(high / low), LEAST_DECADES))
        return low / factor, high * factor
    margin = MARGIN * (high - low if high > low else max(abs(high), 1.0))
    return (0.0 if low == 0 else low - margin), high + margin


def _decades(low: float, high: float, digits: tuple[int, ...]) -> list[float]:
    exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    values = [digit * 10.0**exponent for exponent in exponents for digit in digits]
    return [value for value in values if low <= value <= high]


def ticks_of(
    axis: Axis, low: float, high: float, wanted: Sequence[float] = ()
) -> list[list[float]]:
    """Values for the ticks, the best first: the wanted ones if they are few, else round ones.

    Logarithmic are 1, 2 and 5 in each decade, or 1 alone.
    """
    from matplotlib.ticker import MaxNLocator

    if 0 < len(wanted) <= MOST_TICKS:
        return [list(wanted)]
    low, high = low / axis.unit, high / axis.unit
    rounds = MaxNLocator(nbins=6, steps=[1, 2, 5, 10]).tick_values(low, high).tolist()
    ticks = [[value + 0.0 for value in rounds if low <= value <= high]]
    if axis.is_logarithmic:
        decades = [_decades(low, high, digits) for digits in ((1, 2, 5), (1,))]
        ticks = [values for values in decades if len(values) > 1] or ticks
    return [[value * axis.unit for value in values] for values in ticks]


def _apart(places: list[float], rooms: list[float]) -> list[int]:
    """Which ticks keep their names: those that would overlap the one before are left out."""
    kept: list[int] = []
    for index, place in enumerate(places):
        if not kept or place - places[kept[-1]] >= (rooms[index] + rooms[kept[-1]]) / 2:
            kept.append(index)
    return kept


def place_ticks(
    on: Axes, axis: Axis, is_x: bool, length: float, frame: Frame, wanted: Sequence[float] = ()
) -> None:
    """Ticks with plain names; `length` of the side is what they must fit."""
    from matplotlib.ticker import FixedLocator, NullFormatter, NullLocator

    side, scale = (on.xaxis, on.set_xscale) if is_x else (on.yaxis, on.set_yscale)
    limits = on.get_xlim() if is_x else on.get_ylim()
    scale("log" if axis.is_logarithmic else "linear")
    (on.set_xlim if is_x else on.set_ylim)(limits)
    low, high = map(math.log, limits) if axis.is_logarithmic else limits
    for values in ticks_of(axis, limits[0], limits[1], wanted):
        names = [tick_text(value / axis.unit) for value in values]
        rooms = [width_of(name, frame.letter) + frame.gap if is_x else frame.line for name in names]
        ends = [math.log(value) if axis.is_logarithmic else value for value in values]
        kept = _apart([length * (end - low) / (high - low) for end in ends], rooms)
        if len(kept) == len(values):
            break
    side.set_major_locator(FixedLocator([values[index] for index in kept]))
    side.set_ticklabels([names[index] for index in kept])
    side.set_minor_locator(NullLocator())
    side.set_minor_formatter(NullFormatter())


def _clean(plot: Plot) -> Plot:
    """Its texts on one line each. Raises ValueError if there is nothing to draw."""
    if not any(curve.points for curve in plot.curves):
        raise ValueError("a plot of nothing")
    curves = [
        Curve(on_one_line(curve.name), curve.points, curve.style, curve.instead)
        for curve in plot.curves
    ]
    return Plot(plot.title, plot.x, plot.y, curves, plot.references, plot.is_less_better)


def x_values(plot: Plot) -> list[float]:
    """Of all curves, ascending."""
    return sorted({x for curve in plot.curves for x, _ in curve.points})


@functools.cache
def style() -> Any:
    """Settings of matplotlib for every drawing."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # It speaks of its fonts and folders.
    import matplotlib

    return matplotlib.rc_params_from_file(STYLE, use_default_template=False)


def draw(plot: Plot, frame: Frame = CARD) -> tuple[Figure, Frame]:
    """The drawing, and the frame that it has come to. Raises ValueError for a value off its axis."""
    import matplotlib

    from stealbench.report import plot_lines, plot_rows

    plot = _clean(plot)
    with matplotlib.rc_context(style()):
        if len(x_values(plot)) <= 2:
            return plot_rows.draw(plot, frame)
        return plot_lines.draw(plot, frame)
