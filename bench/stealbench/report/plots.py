"""Plots by matplotlib: in a page, and as slides with their values.

Up to two values of x are rows with a dot for each; from three on a curve is a line, and a legend
has the names in the order of its ends. A drawing is told apart without colour.
"""

from __future__ import annotations

import io
import logging
import math
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas

from stealbench.report.document import Axis, Curve, Plot
from stealbench.report.format import on_one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Slides = dict[str, str | bytes]
STYLE = Path(__file__).with_name("plots.mplstyle")
INK = "#1c1f24"  # Of texts and grids: the page's ink.
# Each has a contrast of 3:1 or more to white and to #121212: one drawing serves light and dark.
COLOURS = (
    "#2f7fd1 #c96a12 #2f9150 #9a66c9 #d4504a #12919c #cf4f9c #a8764a #7c8a18 #6470dc #7b838c #b5862b"
).split()
MARKERS = "osD^v"
OF_REFERENCE: dict[str, Any] = {"color": INK, "linewidth": 0.8, "linestyle": (0, (2, 3))}

# In points, 1/72 of an inch. A slide is 16:9, and 1920 dots wide as PNG; its titles are above what
# a card of a page shows. A plot of lines is as high as LEAST_LINES.
CARD_WIDTH, LETTER, LINE, TITLES, SLIDE_DOTS = 420, 13.0, 1.25, 60, 1920
LEAST_LINES, MOST_TICKS = 11, 10


def tick_text(value: float) -> str:
    """`0.002`, `16`, `12,000`: without an exponent."""
    return f"{Decimal(f'{value:.6g}'):,f}"


def _finish(axes: Axes, side: str, axis: Axis, xs: Sequence[float] = ()) -> None:
    """The scale of what was drawn. Ticks are at the values of x if they are few, else at round ones.

    Those of a logarithmic axis are 1, 2 and 5 in each decade, or 1 alone.
    """
    from matplotlib import ticker

    getattr(axes, f"set_{side}scale")("log" if axis.is_logarithmic else "linear")
    if not (xs or axis.is_logarithmic):
        getattr(axes, f"set_{side}lim")(0)
    low, high = getattr(axes, f"get_{side}lim")()
    decades = math.log10(high / low) if axis.is_logarithmic else 0
    locator = ticker.MaxNLocator(nbins=6, steps=[1, 2, 5, 10])
    if 0 < len(xs) <= MOST_TICKS:
        locator = ticker.FixedLocator(xs)
    elif decades > 0.8:
        locator = ticker.LogLocator(subs=(1, 2, 5) if decades < 2.5 else (1,), numticks=5)
    of_side = getattr(axes, f"{side}axis")
    of_side.set_major_locator(locator)
    of_side.set_major_formatter(lambda value, _: tick_text(value / axis.unit))
    of_side.set_minor_locator(ticker.NullLocator())
    axes.grid(axis=side, visible=not xs)


def _draw_rows(plot: Plot, xs: list[float], axes: Axes, letter: float) -> None:
    """The best at the greatest x is on top; that dot is filled, and its value in words too."""
    from matplotlib.lines import Line2D

    size = {"marker": "o", "markersize": 0.5 * letter, "linewidth": 0}
    sign, rows = 1 if plot.is_less_better else -1, list[tuple[float, str, Curve]]()
    for curve in plot.curves:
        last = dict(curve.points).get(xs[-1])
        words = plot.y.text_of(last.median) if last else curve.instead
        rows.append((sign * last.median if last else math.inf, words, curve))
    rows.sort(key=lambda row: row[0])
    for at, (_, _, curve) in enumerate(rows):
        colour = COLOURS[curve.style % len(COLOURS)]
        for x, estimate in curve.points:
            y = at + 0.2 * (2 * xs.index(x) - len(xs) + 1)
            axes.plot(estimate[1:], (y, y), color=colour, linewidth=1)
            fill = colour if x == xs[-1] else "none"
            axes.plot(estimate.median, y, color=colour, markerfacecolor=fill, **size)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(range(len(rows)), [on_one_line(curve.name) for _, _, curve in rows])
    right = axes.secondary_yaxis("right")
    right.set_yticks(range(len(rows)), [words for _, words, _ in rows])
    right.spines["right"].set_visible(False)
    for number, (name, points) in enumerate(reversed(plot.references.items())):
        x, rise = points[-1][1], LINE * (number + 0.6) * letter
        axes.axvline(x, **OF_REFERENCE)
        above = (name, (x, 1), (0, rise), axes.get_xaxis_transform(), "offset points")
        axes.annotate(*above, ha="center", va="center", annotation_clip=False)
    axes.set_xlabel(plot.y.label, loc="right")
    _finish(axes, "x", plot.y)
    if len(xs) == 2:
        dots = [Line2D([], [], color=INK, markerfacecolor=f, **size) for f in ("none", INK)]
        names = [f"{plot.x.label}: {plot.x.text_of(x)}" for x in xs]
        axes.figure.legend(dots, names, loc="lower left", ncol=2)


def _draw_lines(plot: Plot, xs: list[float], axes: Axes, letter: float) -> None:
    """The names are to the right, in the order in which the lines end there."""
    ends = []
    for name, line in plot.references.items():
        (handle,) = axes.plot(*zip(*line), **OF_REFERENCE)
        ends.append((line[-1][1], handle, name))
    for curve in (curve for curve in plot.curves if curve.points):
        places, estimates = zip(*curve.points)
        medians, lows, highs = zip(*estimates)
        style = {"color": COLOURS[curve.style % len(COLOURS)], "markersize": 0.45 * letter}
        axes.vlines(places, lows, highs, color=style["color"], linewidth=1)
        marker = MARKERS[curve.style % len(MARKERS)]
        (handle,) = axes.plot(places, medians, marker=marker, **style)
        ends.append((medians[-1], handle, on_one_line(curve.name)))
    ends.sort(key=lambda end: -end[0])
    _, handles, names = zip(*ends)
    axes.legend(handles, names, loc="center left", bbox_to_anchor=(1.02, 0.5))
    axes.set_xlabel(plot.x.label)
    axes.set_title(plot.y.label, loc="left")
    _finish(axes, "x", plot.x, xs)
    _finish(axes, "y", plot.y)


def draw(plot: Plot, is_slide: bool = False) -> Figure:
    """In the shape of a card of a page, or of a slide, which has titles.

    Raises ValueError if there is nothing to draw, or a value cannot be on its axis.
    """
    import matplotlib
    from matplotlib.figure import Figure as NewFigure

    xs = sorted({x for curve in plot.curves for x, _ in curve.points})
    if not xs:
        raise ValueError("a plot of nothing")
    ys = [end for curve in plot.curves for _, estimate in curve.points for end in estimate]
    for axis, value in [*((plot.x, x) for x in xs), *((plot.y, y) for y in ys)]:
        if not math.isfinite(value) or (axis.is_logarithmic and value <= 0):
            raise ValueError(f'{value:g} is not on the axis "{axis.label}"')
    names = [*(curve.name for curve in plot.curves), *plot.references]
    draw_values, lines = _draw_lines, max(len(names), LEAST_LINES) + 4.0
    if len(xs) <= 2:
        draw_values, lines = _draw_rows, 1.3 * len(plot.curves) + len(plot.references) + 3
    width, height = float(CARD_WIDTH), LINE * lines * LETTER
    if is_slide:
        height = max(height + TITLES, width * 9 / 16)
        width = height * 16 / 9
    # A letter is some 0.6 of its size wide; half of the width is for the values.
    letter = min(LETTER, 0.9 * width / (max(map(len, names)) + 8))
    matplotlib.rcParams["font.size"] = letter
    colour = "white" if is_slide else "none"
    figure = NewFigure((width / 72, height / 72), facecolor=colour, layout="constrained")
    figure.get_layout_engine().set(w_pad=0.03, h_pad=0.03)
    draw_values(plot, xs, figure.add_subplot(), letter)
    if is_slide:
        figure.get_layout_engine().set(rect=(0.02, 0.02, 0.96, 0.94 - TITLES / height))
        titles = (22, 17, "bold", plot.title), (42, 10, "normal", plot.origin)
        for below, most, weight, text in titles:
            size = min(most, 0.9 * width / (0.65 * len(text) + 1))
            shown = on_one_line(text) or " "
            figure.text(0.025, 1 - below / height, shown, weight=weight, size=size)
    figure.get_layout_engine().execute(figure)
    figure.set_layout_engine("none")  # What is saved is drawn once.
    return figure


def _saved(figure: Figure, kind: str) -> bytes:
    """The same drawing is always the same bytes."""
    keys = ("Software",) if kind == "png" else ("Creator", "Date", "Format", "Type")
    stream, dpi = io.BytesIO(), SLIDE_DOTS / figure.get_size_inches()[0]
    figure.savefig(stream, format=kind, dpi=dpi, metadata=dict.fromkeys(keys))
    return stream.getvalue()


@contextmanager
def _style(salt: str) -> Iterator[None]:
    """The ids of what is drawn follow from the salt."""
    import matplotlib

    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # It speaks of its fonts and folders.
    with matplotlib.rc_context({"svg.hashsalt": salt}, STYLE), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # A name may have characters that the font lacks.
        yield


def to_svg(plot: Plot, number: int, slides: Slides | None = None) -> str:
    """An element for a page: as wide as its card, in the colour of the text around it.

    Its ids have the number, which no other drawing of the page has. `slides`, by their endings, get
    the plot as SVG and PNG below titles, which name the question and the machine, and a row for
    each point in the units of the raw file. Raises ValueError if there is nothing to draw, or a
    value cannot be on its axis.
    """
    own = f"plot-{number}"
    with _style(own):
        svg = _saved(draw(plot), "svg").decode().replace(INK, "currentColor")
        if slides is not None:
            figure = draw(plot, is_slide=True)
            slides |= {kind: _saved(figure, kind) for kind in ("svg", "png")}
            slides["csv"] = _values_of(plot)
    svg = re.sub(r'<!--.*?-->\s*|(?<=<g) id="[^"]*"', "", svg, flags=re.DOTALL)
    box, body = svg[svg.index("<svg") + 5 :].split(">", 1)
    title = f'<title id="{own}-title">{escape(on_one_line(plot.title))}</title>'
    return f'<svg class="plot" role="img" aria-labelledby="{own}-title" {box}>\n{title}{body}'


def _values_of(plot: Plot) -> str:
    rows = [(on_one_line(curve.name), x, *y) for curve in plot.curves for x, y in curve.points]
    values = pandas.DataFrame(rows, columns=["curve", plot.x.label, plot.y.label, "low", "high"])
    return str(values.convert_dtypes().to_csv(index=False, lineterminator="\r\n"))


def names_of(plots: Iterable[Plot]) -> Iterator[str]:
    """A name for the file of each: its title, without the question that ends it."""
    names: dict[str, int] = {}
    for plot in plots:
        statement = re.sub(r": [^:]*\?$", "", plot.title).lower()
        name = re.sub("[^a-z0-9]+", "-", statement).strip("-")
        names[name] = names.get(name, 0) + 1
        yield name + (f"-{names[name]}" if names[name] > 1 else "")
