"""Plots, by what is in their SVG: points in the axes, labels, nothing outside."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence

import pytest
from matplotlib.collections import LineCollection

from stealbench.report import format, svg
from stealbench.report.document import Axis, Curve, Document, Plot, PlotGroup, ReferenceLine
from stealbench.report.document import Section
from stealbench.report.plot_lines import spread
from stealbench.report.plots import COLOURS, draw, limits_of, tick_text, ticks_of, width_of
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
        [ReferenceLine("ideal", [(1, 1), (xs[-1], xs[-1])])],
        origin="Measured on 2 processors: Z80.",
    )


def texts_of(text: str) -> list[str]:
    return ["".join(element.itertext()) for element in ET.fromstring(text).iter(f"{SVG}text")]


@pytest.mark.parametrize("xs", [(1,), (1, 2), (1, 2, 4, 8)])
@pytest.mark.parametrize("is_logarithmic", [True, False])
def test_all_that_is_drawn_is_in_the_axes_and_clipped_there(
    xs: tuple[int, ...], is_logarithmic: bool
) -> None:
    figure, _ = draw(dots(xs, curves=3, is_logarithmic=is_logarithmic))
    (axes,) = figure.axes
    assert all(artist.get_clip_on() for artist in (*axes.lines, *axes.collections))
    ends = [end for line in axes.lines for end in line.get_transform().transform(line.get_xydata())]
    dots_in, bars = 0, 0
    for collection in axes.collections:
        places = collection.get_offsets()
        if isinstance(collection, LineCollection):
            places = [end for path in collection.get_paths() for end in path.vertices]
            bars += len(places) // 2
        else:
            dots_in += len(places)
        ends += list(axes.transData.transform(places))
    assert bars == 3 * len(xs), "an interval for each point"
    assert dots_in == (3 * len(xs) if len(xs) < 3 else 0)
    box = axes.get_window_extent()
    assert len(ends) > 6
    for x, y in ends:
        assert box.x0 - 0.01 <= x <= box.x1 + 0.01 and box.y0 - 0.01 <= y <= box.y1 + 0.01


@pytest.mark.parametrize("xs", [(1, 2), (1, 2, 4, 8)])
def test_each_text_is_within_the_drawing(xs: tuple[int, ...]) -> None:
    plot = dots(xs, name="a rather long name of a scheduler", curves=14)
    text = svg.to_svg(plot, 1)
    root = ET.fromstring(text)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    shown = list(root.iter(f"{SVG}text"))
    assert len(shown) > 14
    for element in shown:
        size = width_of("".join(element.itertext()), 13)
        anchor = re.search(r"text-anchor: (\w+)", element.attrib.get("style", ""))
        before = {"end": size, "middle": size / 2}.get(anchor[1] if anchor else "", 0)
        x, y = float(element.attrib["x"]), float(element.attrib["y"])
        assert -1 <= x - before and x - before + size <= width + 1, element.attrib
        assert 0 <= y <= height


def test_ticks_are_plain_numbers_at_the_worker_counts() -> None:
    shown = texts_of(svg.to_svg(dots((1, 2, 4, 8, 1024)), 1))
    assert [text for text in shown if text in ("1", "2", "4", "8", "1,024")]
    assert "1,024" in shown
    assert not any("e+" in text or "10^" in text or "$" in text for text in shown)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (1, "1"), (0.5, "0.5"), (0.00002, "0.00002"), (999, "999"), (12_000, "12,000")],
)
def test_a_tick_has_no_exponent_and_one_style_of_thousands(value: float, text: str) -> None:
    assert tick_text(value) == text


def test_ticks_of_a_logarithmic_axis_are_round() -> None:
    assert ticks_of(Axis("x", True), 0.9, 70) == [[1, 2, 5, 10, 20, 50], [1, 10]]
    assert ticks_of(Axis("x", True), 3.65, 4.17)[0] == pytest.approx([3.7, 3.8, 3.9, 4, 4.1])
    assert ticks_of(Axis("x", unit=1000), 0, 5000) == [[0, 1000, 2000, 3000, 4000, 5000]]


def test_a_linear_axis_from_0_begins_there() -> None:
    assert limits_of(Axis("x"), [0, 10]) == pytest.approx((0, 10.6))


@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf")])
def test_a_value_that_a_logarithmic_axis_cannot_have_is_refused(value: float) -> None:
    plot = dots()
    plot.curves[0].points.append((2, Estimate(value, value, value)))
    with pytest.raises(ValueError, match='is not on the axis "speedup over serial"'):
        svg.to_svg(plot, 1)


def test_a_plot_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="a plot of nothing"):
        svg.to_svg(Plot("", Axis("x"), Axis("y"), [Curve("a", [], instead="DNF")]), 1)


def test_rows_have_the_best_on_top_and_what_did_not_finish_below() -> None:
    plot = dots(curves=3)
    plot.curves.insert(0, Curve("failed", [], 7, "DNF"))
    shown = texts_of(svg.to_svg(plot, 1))
    names = [text for text in shown if text.startswith(("a ", "failed"))]
    assert names == ["a 2", "a 1", "a 0", "failed"]
    assert "DNF" in shown and "6.00 ×" in shown
    plot.is_less_better = True
    names = [text for text in texts_of(svg.to_svg(plot, 1)) if text.startswith(("a ", "failed"))]
    assert names == ["a 0", "a 1", "a 2", "failed"]


def test_rows_of_two_values_of_x_say_which_dot_has_which() -> None:
    shown = texts_of(svg.to_svg(dots((1, 2)), 1))
    assert "workers: 1" in shown and "workers: 2" in shown
    assert not any(text.startswith("workers") for text in texts_of(svg.to_svg(dots((2,)), 1)))


def test_a_line_has_its_name_at_its_end_and_its_axes_their_labels() -> None:
    shown = texts_of(svg.to_svg(dots((1, 2, 4), curves=2), 1))
    for text in ("a 0", "a 1", "ideal", "workers", "speedup over serial"):
        assert text in shown


def test_names_at_ends_keep_their_order_and_do_not_overlap() -> None:
    assert spread([10, 11, 50], 16, 0, 100) == [10, 26, 50]
    assert spread([90, 95, 99], 16, 0, 100) == [68, 84, 100]


def test_names_of_lines_that_end_together_are_a_line_apart() -> None:
    plot = dots((1, 2, 4))
    plot.curves = [Curve(f"a {i}", [(x, around(x)) for x in (1, 2, 4)], i) for i in range(5)]
    texts = ET.fromstring(svg.to_svg(plot, 1)).iter(f"{SVG}text")
    heights = sorted(float(text.attrib["y"]) for text in texts if (text.text or "")[:2] == "a ")
    assert [after - before for before, after in zip(heights, heights[1:])] == pytest.approx(
        [1.25 * 13] * 4, abs=0.1
    )


def test_a_dollar_and_a_backslash_are_no_formula() -> None:
    assert "$x_1$ \\frac 0" in texts_of(svg.to_svg(dots(name="$x_1$ \\frac"), 1))


def test_a_drawing_takes_the_colour_of_the_text_around_it_and_says_its_values() -> None:
    text = svg.to_svg(dots(), 1)
    assert "currentColor" in text
    colours = set(re.findall(r"#[0-9a-f]{6}", text))
    assert colours <= set(COLOURS)
    assert "a 0: at 1 1.00 × (0.900 × to 1.10 ×); at 2 2.00 ×" in text
    assert "For comparison, a line: ideal." in text


def _contrast(colour: str, paper: str) -> float:
    def luminance(code: str) -> float:
        parts = [int(code[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [
            part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        ]
        return float(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])

    light, dark = sorted((luminance(colour), luminance(paper)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colour", COLOURS)
def test_a_colour_is_told_from_a_light_and_a_dark_page(colour: str) -> None:
    assert _contrast(colour, "#ffffff") >= 3
    assert _contrast(colour, "#121212") >= 3


def test_the_same_plot_is_always_the_same_bytes() -> None:
    for kind in ("svg", "png"):
        assert svg.to_slide(dots(), kind) == svg.to_slide(dots(), kind)
    assert svg.to_svg(dots(), 3) == svg.to_svg(dots(), 3)


@pytest.mark.parametrize("curves", [2, 30])
@pytest.mark.parametrize("xs", [(1, 2), (1, 2, 4)])
def test_a_slide_is_16_by_9_and_names_the_question_and_the_machine(
    xs: tuple[int, ...], curves: int
) -> None:
    text = svg.to_slide(dots(xs, curves=curves), "svg").decode()
    root = ET.fromstring(text)
    assert root.attrib["viewBox"] == "0 0 960 540"
    shown = texts_of(text)
    assert "Speedup of fib: how many times faster?" in shown
    assert "Measured on 2 processors: Z80." in shown
    for element in root.iter(f"{SVG}text"):
        assert 0 <= float(element.attrib["x"]) <= 960 and 0 <= float(element.attrib["y"]) <= 540


def test_a_slide_as_png_has_1080_lines() -> None:
    content = svg.to_slide(dots(), "png")
    assert content[:4] == b"\x89PNG"
    assert (int.from_bytes(content[16:20], "big"), int.from_bytes(content[20:24], "big")) == (
        1920,
        1080,
    )


def test_the_data_of_a_slide_are_a_row_for_each_point() -> None:
    assert svg.to_csv(dots()).splitlines() == [
        "curve,workers,speedup over serial,low,high",
        "a 0,1,1.0,0.9,1.1",
        "a 0,2,2.0,1.8,2.2",
    ]


def test_slides_are_named_by_what_they_ask_and_each_has_a_name_of_its_own() -> None:
    three = [dots(), dots(), dots()]
    three[2].title = "fib: efficiency over grain"
    names = [name for name, _ in svg.named_plots(Document("", [Section("", [PlotGroup(three)])]))]
    assert names == ["speedup-of-fib", "speedup-of-fib-2", "fib-efficiency-over-grain"]
