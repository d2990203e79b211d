"""Plots as SVG inside a page, and as slides: SVG, PNG, and their values as words and CSV."""

from __future__ import annotations

import csv
import io
import re
import warnings
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from stealbench.report.document import Axis, Document, Plot, PlotGroup
from stealbench.report.format import on_one_line
from stealbench.report.plots import INK, Frame, draw, style, width_of
from stealbench.statistics import Estimate

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SLIDE = Frame(width=912, height=420, letter=20, edge=24, above=72, grows=False)
"""16:9, in points."""
SLIDE_DOTS = 144
"""For an inch: 1920 by 1080."""


def _estimate_in_words(along: Axis, value: Estimate) -> str:
    median, low, high = (along.text_of(end) for end in value)
    return f"{median} ({low} to {high})"


def in_words(plot: Plot) -> str:
    """The values of a plot, for whoever does not see it."""
    words = f"{plot.y.label} over {plot.x.label}."
    for curve in plot.curves:
        points = (
            f"at {plot.x.text_of(x)} {_estimate_in_words(plot.y, y)}" for x, y in curve.points
        )
        words += f" {curve.name}: {'; '.join(points) or curve.instead}."
    for line in plot.references:
        words += f" For comparison, a line: {line.name}."
    return words


def _saved(figure: Figure, kind: str, background: str) -> bytes:
    """The same drawing is always the same bytes."""
    import matplotlib

    stream = io.BytesIO()
    metadata = {"Date": None} if kind == "svg" else {"Software": None}
    with matplotlib.rc_context(style()), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # A name may have characters that the font lacks.
        dots = SLIDE_DOTS if kind == "png" else 72
        figure.savefig(stream, format=kind, dpi=dots, metadata=metadata, facecolor=background)
    return stream.getvalue()


def _body_of(svg: str) -> str:
    """What is in the root element, in the fonts of the reader."""
    body = svg[svg.index(">", svg.index("<svg")) + 1 : svg.rindex("</svg>")]
    body = re.sub(r"\s*<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    body = re.sub(r"<style type=\"text/css\">.*?</style>", "", body, flags=re.DOTALL)
    body = re.sub(r"<!--.*?-->\s*", "", body, flags=re.DOTALL)
    return re.sub(r"(font: [^;\"]*?px) [^;\"]*", r"\1 system-ui,sans-serif", body)


def _with_ids_of(number: int, body: str) -> str:
    """Only the ids that are referred to, unique on a page."""
    used = set(re.findall(r"(?:url\(#|href=\"#)([^)\"]+)", body))

    def renamed(match: re.Match[str]) -> str:
        return f' id="plot-{number}-{match[1]}"' if match[1] in used else ""

    body = re.sub(r' id="([^"]*)"', renamed, body)
    return re.sub(r"(url\(#|href=\"#)", rf"\g<1>plot-{number}-", body)


def to_svg(plot: Plot, number: int) -> str:
    """An element for a page: as wide as its card, in the colour of the text around it.

    Its ids have the number, which no other drawing of the page has. Raises ValueError if there is
    nothing to draw, or a value cannot be on its axis.
    """
    figure, frame = draw(plot)
    width, height = frame.size
    body = _body_of(_saved(figure, "svg", "none").decode())
    body = _with_ids_of(number, body).replace(INK, "currentColor")
    title, words = (escape(on_one_line(text)) for text in (plot.title, in_words(plot)))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        f' class="plot" viewBox="0 0 {width:.1f} {height:.1f}" role="img" stroke-linejoin="round"'
        f' aria-labelledby="plot-{number}-title plot-{number}-values">\n'
        f'<title id="plot-{number}-title">{title}</title>\n'
        f'<desc id="plot-{number}-values">{words}</desc>{body}</svg>\n'
    )


def to_slide(plot: Plot, kind: str) -> bytes:
    """A slide as `svg` or `png`: its title names the question, the line below it the machine."""
    import matplotlib

    figure, frame = draw(plot, SLIDE)
    with matplotlib.rc_context(style()):
        of_title = {"weight": "bold", "va": "top"}
        for text, letter, below, more in (
            (on_one_line(plot.title), 1.3 * SLIDE.letter, 0.0, of_title),
            (on_one_line(plot.origin), 0.7 * SLIDE.letter, 1.7 * SLIDE.letter, {"va": "top"}),
        ):
            size = min(letter, frame.width / (1.15 * width_of(text or " ", 1)))
            place = frame.at(0, frame.height + frame.above - below)
            figure.text(*place, text, size=size, **more)
    return _saved(figure, kind, "white")


def to_csv(plot: Plot) -> str:
    """The values of a plot: a row for each point, in the units of the raw file."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(["curve", plot.x.label, plot.y.label, "low", "high"])
    for curve in plot.curves:
        name = on_one_line(curve.name)
        for x, estimate in curve.points:
            writer.writerow([name, f"{x:g}", *map(repr, map(float, estimate))])
    return stream.getvalue()


def named_plots(document: Document) -> Iterator[tuple[str, Plot]]:
    """All plots with a name for the file of each: its title, without the question that ends it."""
    names: set[str] = set()
    for section in document.sections:
        for block in section.blocks:
            for plot in block.plots if isinstance(block, PlotGroup) else ():
                statement = re.sub(r": [^:]*\?$", "", plot.title).lower()
                plain = re.sub("[^a-z0-9]+", "-", statement).strip("-")
                name, number = plain, 2
                while name in names:
                    name, number = f"{plain}-{number}", number + 1
                names.add(name)
                yield name, plot
