"""Plots, by what is in their SVG: points in the axes, labels, nothing outside."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from typing import Any

import matplotlib
import pytest

from stealbench.report import format, plots
from stealbench.report.document import Axis, Curve, Plot
from stealbench.statistics import Estimate

SVG = "{http://www.w3.org/2000/svg}"


def around(median: float) -> Estimate:
    return Estimate(median, 0.9 * median, 1.1 * median)


def dots(
    xs: Sequence[float] = (1, 2), name: str = "a", curves: int = 1, is_logarithmic: bool = True
) -> Plot:
    """Rows of one or two values of x, lines of more."""
    drawn = [Curve(f"{name} {i}", [(x, around(x * (i + 1))) for x in xs], i) for i in range(curves)]
    return Plot(
        "Speedup of fib: how many times faster?",
        Axis("workers", is_logarithmic),
        Axis("speedup over serial", is_logarithmic, text_of=format.ratio),
        drawn,
        {"ideal": [(1, 1), (xs[-1], xs[-1])]},
        origin="Measured on 2 processors: Z80.",
    )


def texts_of(svg: str | bytes) -> list[str]:
    return ["".join(element.itertext()) for element in ET.fromstring(svg).iter(f"{SVG}text")]


def names_in(plot: Plot) -> list[str]:
    shown = texts_of(plots.to_svg(plot, 1))
    return [text for text in shown if text.startswith(("a ", "failed"))]


def drawn(plot: Plot, is_slide: bool = False) -> Any:
    with matplotlib.rc_context(fname=plots.STYLE):
        return plots.draw(plot, is_slide)


@pytest.mark.parametrize("xs", [(1,), (1, 2), (1, 2, 4, 8)])
@pytest.mark.parametrize("is_logarithmic", [True, False])
def test_each_point_and_its_interval_is_in_the_axes(
    xs: tuple[int, ...], is_logarithmic: bool
) -> None:
    (axes,) = drawn(dots(xs, curves=3, is_logarithmic=is_logarithmic)).axes
    values = [line.get_xydata() for line in axes.lines if not line.get_transform().depth == 0]
    bars = [path.vertices for lines in axes.collections for path in lines.get_paths()]
    assert len(values) == (6 * len(xs) + 1 if len(xs) < 3 else 4)
    assert len(bars) == (0 if len(xs) < 3 else 3 * len(xs))
    (x0, x1), (y0, y1) = sorted(axes.get_xlim()), sorted(axes.get_ylim())
    for x, y in (point for part in (*values, *bars) for point in part):
        assert x0 <= x <= x1 and y0 <= y <= y1


@pytest.mark.parametrize("is_slide", [False, True])
@pytest.mark.parametrize("curves", [2, 14, 30])
@pytest.mark.parametrize("xs", [(1, 2), (1, 2, 4, 8)])
def test_each_text_is_within_the_drawing(xs: tuple[int, ...], curves: int, is_slide: bool) -> None:
    figure = drawn(dots(xs, "a rather long name of a scheduler", curves), is_slide)
    box = figure.get_tightbbox()  # In inches.
    assert -1 <= 72 * box.x0 and 72 * box.x1 <= figure.bbox.width + 1
    assert -1 <= 72 * box.y0 and 72 * box.y1 <= figure.bbox.height + 1


def test_a_tick_has_no_exponent_and_one_style_of_thousands() -> None:
    texts = ["0", "1", "0.5", "0.00002", "999", "12,000"]
    assert list(map(plots.tick_text, (0, 1, 0.5, 0.00002, 999, 12_000))) == texts


def test_ticks_are_at_the_worker_counts_or_round() -> None:
    assert {"1", "2", "4", "1,024"} <= set(texts_of(plots.to_svg(dots((1, 2, 4, 1024)), 1)))
    many = set(texts_of(plots.to_svg(dots(range(1, 41)), 1)))
    assert {"1", "2", "5", "10", "20"} <= many and not {"3", "40"} & many
    near = Curve("a 0", [(x, around(x)) for x in (3.7, 3.8, 4)])
    plot = Plot("", Axis("x", unit=0.1), Axis("y", True), [near] * 2)
    assert {"37", "38", "40", "4"} <= set(texts_of(plots.to_svg(plot, 1)))


@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf")])
def test_a_value_that_a_logarithmic_axis_cannot_have_is_refused(value: float) -> None:
    plot = dots()
    plot.curves[0] = Curve("a", [(2, Estimate(value, value, value))])
    with pytest.raises(ValueError, match='is not on the axis "speedup over serial"'):
        plots.to_svg(plot, 1)


def test_rows_have_the_best_on_top_and_what_did_not_finish_below() -> None:
    plot = dots(curves=3)
    plot.curves.insert(0, Curve("failed", [], 7, "DNF"))
    assert names_in(plot) == ["a 2", "a 1", "a 0", "failed"]
    assert {"DNF", "6.00 ×"} <= set(texts_of(plots.to_svg(plot, 1)))
    plot.is_less_better = True
    assert names_in(plot) == ["a 0", "a 1", "a 2", "failed"]


def test_rows_of_two_values_of_x_say_which_dot_has_which() -> None:
    assert {"workers: 1", "workers: 2"} <= set(texts_of(plots.to_svg(dots((1, 2)), 1)))
    shown = texts_of(plots.to_svg(dots((2,)), 1))
    assert not any(text.startswith("workers") for text in shown)


def test_names_are_in_the_order_in_which_the_lines_end() -> None:
    shown = texts_of(plots.to_svg(dots((1, 2, 4), curves=3), 1))
    assert {"ideal", "workers", "speedup over serial"} <= set(shown)
    assert [text for text in shown if text.startswith("a ")] == ["a 2", "a 1", "a 0"]


def test_a_dollar_and_a_backslash_are_no_formula() -> None:
    assert "$x_1$ \\frac 0" in texts_of(plots.to_svg(dots(name="$x_1$ \\frac"), 1))


def test_a_drawing_takes_the_colour_of_the_text_around_it() -> None:
    text = plots.to_svg(dots(), 1)
    assert "currentColor" in text
    assert set(re.findall(r"#[0-9a-f]{6}", text)) <= set(plots.COLOURS)


def slides_of(plot: Plot) -> plots.Slides:
    slides: plots.Slides = {}
    plots.to_svg(plot, 1, slides)
    return slides


def test_a_slide_is_16_by_9_and_always_the_same_and_names_the_question_and_the_machine() -> None:
    files = slides_of(dots())
    assert files == slides_of(dots())
    width, height = map(float, ET.fromstring(files["svg"]).attrib["viewBox"].split()[2:])
    assert width / height == pytest.approx(16 / 9)
    titles = {"Speedup of fib: how many times faster?", "Measured on 2 processors: Z80."}
    assert titles <= set(texts_of(files["svg"]))
    png = files["png"]
    assert isinstance(png, bytes) and png[:4] == b"\x89PNG"
    assert [int.from_bytes(png[at : at + 4], "big") for at in (16, 20)] == [1920, 1080]
    assert str(files["csv"]).splitlines()[:2] == [
        "curve,workers,speedup over serial,low,high",
        "a 0,1,1,0.9,1.1",
    ]


def test_slides_are_named_by_what_they_ask_and_each_has_a_name_of_its_own() -> None:
    three = [dots(), dots(), dots()]
    three[2].title = "fib: efficiency over grain"
    names = ["speedup-of-fib", "speedup-of-fib-2", "fib-efficiency-over-grain"]
    assert list(plots.names_of(three)) == names
