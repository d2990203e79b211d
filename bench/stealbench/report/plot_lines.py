"""A plot of three values of x or more: a line for each curve, with its name at its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from stealbench.report.document import Plot
from stealbench.report.plots import COLOURS, INK, LEAST_PLOT_WIDTH, MARKERS, Frame
from stealbench.report.plots import limits_of, place_ticks, tick_text, ticks_of, widest
from stealbench.report.plots import x_values

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEAST_HEIGHT = 170.0
MOST_FOR_NAMES = 0.5
"""Part of the width of a slide."""
ABOVE, BELOW = 1.5, 2.5
"""Lines above and below the axes: what y is, the ticks and what x is."""


def _fitted(frame: Frame, names: list[str]) -> tuple[Frame, float]:
    """The frame with letters that let all names fit below each other, and what is right of them.

    A card grows instead.
    """
    lines = len(names) + ABOVE + BELOW
    if not frame.grows:
        most = MOST_FOR_NAMES * frame.width / (widest(names, 1) + 1.8)
        frame = replace(frame, letter=min(frame.letter, frame.height / (1.25 * lines), most))
    right = widest(names, frame.letter) + 3 * frame.gap
    if frame.grows:
        height = max(LEAST_HEIGHT, frame.line * len(names)) + (ABOVE + BELOW) * frame.line
        width = max(frame.width, LEAST_PLOT_WIDTH + 6 * frame.letter + right)
        frame = replace(frame, width=width, height=height)
    return frame, right


def draw(plot: Plot, frame: Frame) -> tuple[Figure, Frame]:
    """Markers, intervals and lines of reference end where the axes do."""
    names = [line.name for line in plot.references]
    names += [curve.name for curve in plot.curves if curve.points]
    frame, right = _fitted(frame, names)
    of_lines = [point for line in plot.references for point in line.points]
    ys = [end for curve in plot.curves for _, estimate in curve.points for end in estimate]
    ys += [y for _, y in of_lines] + ([] if plot.y.is_logarithmic else [0.0])
    low, high = limits_of(plot.y, ys)
    ticks = [
        tick_text(tick / plot.y.unit) for ticks in ticks_of(plot.y, low, high) for tick in ticks
    ]
    left = widest(ticks, frame.letter) + frame.gap
    top, bottom = ABOVE * frame.line, BELOW * frame.line
    figure = frame.figure()
    axes = frame.axes(figure, left, right, bottom, top)
    axes.set_ylim(low, high)
    axes.set_xlim(limits_of(plot.x, x_values(plot) + [x for x, _ in of_lines]))
    place_ticks(axes, plot.y, False, frame.height - top - bottom, frame)
    place_ticks(axes, plot.x, True, frame.width - left - right, frame, x_values(plot))
    axes.grid(axis="y")
    axes.tick_params(labelsize=frame.letter, pad=0.3 * frame.letter)
    axes.tick_params(axis="x", size=4, direction="in")
    middle = (left + frame.width - right) / 2
    of_text = {"size": frame.letter, "va": "center"}
    figure.text(*frame.at(middle, 0.5 * frame.line), plot.x.label, ha="center", **of_text)
    figure.text(*frame.at(0, frame.height - 0.5 * frame.line), plot.y.label, **of_text)
    _draw_curves(plot, axes, frame)
    _name_ends(plot, axes, figure, frame, right)
    return figure, frame


def _draw_curves(plot: Plot, axes: Axes, frame: Frame) -> None:
    for line in plot.references:
        xs, ys = zip(*line.points)
        axes.plot(xs, ys, color=INK, linewidth=0.8, linestyle=(0, (2, 3)))
    for curve in plot.curves:
        colour = COLOURS[curve.style % len(COLOURS)]
        xs = tuple(x for x, _ in curve.points)
        medians = [estimate.median for _, estimate in curve.points]
        axes.vlines(
            xs,
            [estimate.low for _, estimate in curve.points],
            [estimate.high for _, estimate in curve.points],
            color=colour,
            linewidth=1,
        )
        marker = MARKERS[curve.style % len(MARKERS)]
        size = 0.45 * frame.letter
        axes.plot(xs, medians, color=colour, linewidth=1.5, marker=marker, markersize=size)


def spread(wanted: Sequence[float], room: float, low: float, high: float) -> list[float]:
    """Places for ascending wanted ones, so that each has room, in a range if it is long enough."""
    places: list[float] = []
    for place in wanted:
        places.append(max(place, places[-1] + room if places else low))
    for index in reversed(range(len(places))):
        places[index] = min(
            places[index], places[index + 1] - room if index + 1 < len(places) else high
        )
    return places


def _name_ends(plot: Plot, axes: Axes, figure: Figure, frame: Frame, right: float) -> None:
    """The name of each line to the right of its end, apart from the others, in their order."""
    from matplotlib.lines import Line2D

    ends = [(line.points[-1], line.name, INK) for line in plot.references]
    ends += [
        (
            (curve.points[-1][0], curve.points[-1][1].median),
            curve.name,
            COLOURS[curve.style % len(COLOURS)],
        )
        for curve in plot.curves
        if curve.points
    ]
    to_points = axes.transData.transform([end for end, _, _ in ends]) / figure.dpi * 72
    order = sorted(range(len(ends)), key=lambda index: float(to_points[index][1]))
    bottom, top = BELOW * frame.line, frame.height - ABOVE * frame.line
    wanted = [float(to_points[index][1]) - frame.edge for index in order]
    x = frame.width - right + 2 * frame.gap
    for index, y in zip(order, spread(wanted, frame.line, bottom, top)):
        _, name, colour = ends[index]
        of_text = {"size": frame.letter, "va": "center_baseline", "color": colour}
        figure.text(*frame.at(x, y), name, **of_text)
        begin = frame.at(*(to_points[index] - frame.edge))
        xs, ys = zip(begin, frame.at(x - 3, y))
        figure.add_artist(Line2D(xs, ys, color=colour, linewidth=0.6, alpha=0.6))
