"""A plot of one or two values of x: a row for each curve, with a dot for each x."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from stealbench.report.document import Curve, Plot
from stealbench.report.plots import COLOURS, INK, LEAST_PLOT_WIDTH, Frame
from stealbench.report.plots import limits_of, place_ticks, width_of, widest, x_values

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW = 1.7
"""Height of a row in letters."""
BELOW = 2.5
"""Lines below the rows: ticks, and what the axis is."""
MOST_AROUND = 0.6
"""Part of the width of a slide for names and values."""


def _last_of(curve: Curve, greatest_x: float) -> float | None:
    """The value with the most workers."""
    if not curve.points or curve.points[-1][0] != greatest_x:
        return None
    return curve.points[-1][1].median


def _fitted(frame: Frame, plot: Plot, words: list[str]) -> tuple[Frame, float, float]:
    """The frame with a size of letters that lets all rows fit, and what is left and right of them.

    A card grows instead.
    """
    letters = ROW * len(plot.curves) + 1.25 * (len(plot.references) + BELOW)
    names = [curve.name for curve in plot.curves]
    if not frame.grows:
        sides = (widest(names, 1) + widest(words, 1) + 1.2) / (MOST_AROUND * frame.width)
        frame = replace(frame, letter=min(frame.letter, frame.height / letters, 1 / sides))
    left, right = (widest(texts, frame.letter) + frame.gap for texts in (names, words))
    if frame.grows:
        width = max(frame.width, left + LEAST_PLOT_WIDTH + right)
        frame = replace(frame, width=width, height=letters * frame.letter)
    return frame, left, right


def draw(plot: Plot, frame: Frame) -> tuple[Figure, Frame]:
    """The best at the greatest x is on top; that dot is filled, and its value in words too."""
    xs = x_values(plot)
    worst = math.inf if plot.is_less_better else -math.inf
    last = {id(curve): _last_of(curve, xs[-1]) for curve in plot.curves}

    def goodness(curve: Curve) -> float:
        value = last[id(curve)]
        value = worst if value is None else value
        return value if plot.is_less_better else -value

    curves = sorted(plot.curves, key=goodness)
    medians = [last[id(curve)] for curve in curves]
    words = [
        curve.instead if value is None else plot.y.text_of(value)
        for curve, value in zip(curves, medians)
    ]
    frame, left, right = _fitted(frame, plot, words)
    figure = frame.figure()
    top = frame.line * len(plot.references)
    axes = frame.axes(figure, left, right, BELOW * frame.line, top)
    values = [end for curve in curves for _, estimate in curve.points for end in estimate]
    values += [line.points[-1][1] for line in plot.references]
    axes.set_xlim(limits_of(plot.y, values + ([] if plot.y.is_logarithmic else [0.0])))
    axes.set_ylim(len(curves) - 0.5, -0.5)
    place_ticks(axes, plot.y, True, frame.width - left - right, frame)
    axes.grid(axis="x")
    axes.yaxis.set_visible(False)
    axes.tick_params(labelsize=frame.letter, pad=0.3 * frame.letter)
    _draw_dots(axes, curves, xs, 0.55 * frame.letter)
    height = frame.height - top - BELOW * frame.line
    of_text = {"size": frame.letter, "ha": "right", "va": "center_baseline"}
    for row, curve in enumerate(curves):
        y = BELOW * frame.line + height * (1 - (row + 0.5) / len(curves))
        figure.text(*frame.at(left - frame.gap, y), curve.name, **of_text)
        figure.text(*frame.at(frame.width, y), words[row], **of_text)
    for number, line in enumerate(plot.references):
        value = line.points[-1][1]
        axes.axvline(value, color=INK, linewidth=0.8, linestyle=(0, (2, 3)))
        rise = (len(plot.references) - number - 0.8) * frame.line
        axes.annotate(
            line.name, (value, 1), (0, rise), axes.get_xaxis_transform(), "offset points",
            size=frame.letter, ha="center",
        )  # fmt: skip
    _add_key(figure, plot, xs, frame)
    return figure, frame


def _draw_dots(axes: Axes, curves: list[Curve], xs: list[float], size: float) -> None:
    """With two values of x those of the greater are a bit lower in their rows, and filled."""
    dots = [
        (row, x, estimate, COLOURS[curve.style % len(COLOURS)])
        for row, curve in enumerate(curves)
        for x, estimate in curve.points
    ]
    shifts = {x: 0.2 * (2 * xs.index(x) - len(xs) + 1) for x in xs}
    heights = [row + shifts[x] for row, x, _, _ in dots]
    colours = [colour for _, _, _, colour in dots]
    lows, highs = ([estimate[end] for _, _, estimate, _ in dots] for end in (1, 2))
    axes.hlines(heights, lows, highs, colors=colours, linewidth=1)
    fills = [colour if x == xs[-1] else "none" for _, x, _, colour in dots]
    medians = [estimate.median for _, _, estimate, _ in dots]
    axes.scatter(medians, heights, size**2, fills, edgecolors=colours, linewidths=1, zorder=3)


def _add_key(figure: Figure, plot: Plot, xs: list[float], frame: Frame) -> None:
    """What the axis is and, where there are two values of x, which dot has which."""
    from matplotlib.lines import Line2D

    y = 0.5 * frame.line
    of_text = {"size": frame.letter, "va": "center"}
    figure.text(*frame.at(frame.width, y), plot.y.label, ha="right", **of_text)
    at = frame.gap
    for x, fill in zip(xs, ("none", INK)) if len(xs) == 2 else ():
        size = 0.55 * frame.letter
        left, height = frame.at(at, y)
        dot = Line2D([left], [height], marker="o", color=INK, markersize=size, mfc=fill)
        figure.add_artist(dot)
        name = f"{plot.x.label}: {plot.x.text_of(x)}"
        figure.text(*frame.at(at + frame.gap, y), name, **of_text)
        at += width_of(name, frame.letter) + 3 * frame.gap
