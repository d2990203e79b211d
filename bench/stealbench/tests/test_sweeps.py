"""`grain`, `metg` and `micro`: made sweeps, and the committed ones beside the C++ driver's pages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy
import pytest

from stealbench.tests.conftest import Line, cell, experiment, failed, process, raw_of, timed
from stealbench.tests.edited import grain_in_six_rounds, lines_of
from stealbench.tests.frozen import assert_same, assert_same_as, assert_same_sections, oracle
from stealbench.tests.frozen import section_in, tables_of, texts_of
from stealbench.analysis.grains import Model, grains_of, model_of, rate
from stealbench.analysis.metg import Curve, crossings, estimate_metg
from stealbench.analysis.sweeps import sweeps_over
from stealbench.errors import BadInput
from stealbench.experiments import grain, metg, micro
from stealbench.figures import Figures
from stealbench.rawfile import RawFile
from stealbench.report.document import Emphasis, PlotGroup
from stealbench.statistics import estimate_median

CONTEXT = {"type": "context", "context": {"processors": "2", "processor": "A"}}
OF_GRAIN = {"parameter": "grain", "greater": "coarser", "unit": "size"}


def sort_at(value: object, scheduler: str = "a", workers: int = 2, keys: str = "100") -> Line:
    return cell(scheduler, workers, "mergesort", keys=keys, grain=str(value))


def swept(
    points: Sequence[tuple[Line, float, float]],
    about: dict[str, Any] = OF_GRAIN,
    rounds: int = 6,
    more: Sequence[Line] = (),
    **values: float,
) -> RawFile:
    """A benchmark of so many seconds and tasks each; `more` has benchmarks that failed."""
    cells = [of for of, _, _ in points] + list(more)
    lines = [
        process(of, number, seconds, fork_count=tasks, **values)
        for number in range(1, rounds + 1)
        for of, seconds, tasks in points
    ]
    lines += [failed(of, "timed out after 1 s") for of in more]
    raw: RawFile = raw_of([experiment(cells, "grain", about=about), CONTEXT, *lines])
    return raw


BATHTUB = {
    256: (1.03, 4),
    1: (2, 1024),
    64: (1, 16),
    4: (1.2, 256),
    16: (1.04, 64),
    1024: (1.5, 1),
    4096: (3, 1),
}


def bathtub(scheduler: str = "a", workers: int = 2, **more: Any) -> RawFile:
    """Overhead at 1 and 4, good from 16 to 256, imbalance at 1024."""
    return swept([(sort_at(at, scheduler, workers), *rest) for at, rest in BATHTUB.items()], **more)


def words_on(raw: RawFile) -> str:
    return " ".join(texts_of(section_in(grain.sections(raw), "Granularity")))


def ratings_in(raw: RawFile) -> list[str]:
    table = tables_of(section_in(grain.sections(raw), "Every grain"))[0]
    return [row[-1] for row in table.rows]


def test_the_committed_grains_are_those_of_the_cpp_driver() -> None:
    assert_same_sections(grain.sections(raw_of(lines_of("comparison/grain"))), "sections_grain")
    assert_same_sections(grain.sections(raw_of(grain_in_six_rounds())), "sections_grain_6")


def test_a_verdict_names_the_best_grain_and_what_is_wrong_on_either_side() -> None:
    assert words_on(bathtub()).startswith(
        "mergesort keys=100 on a, 2 workers: The best grain is 64, with 16 branches of 125 ms each:"
        " 1.00 s [1.00, 1.00]. It is flat from 16 to 256: 3 of 7 values lie within 5 % of it."
        " Overhead sets in at 4: 20 % slower, with 256 branches of 9.38 ms each. Imbalance sets in"
        " at 1,024: 50 % slower, with one branch."
    )
    assert ratings_in(bathtub()) == [
        *["too fine"] * 2,
        *["good", "best", "good"],
        *["too coarse"] * 2,
    ]


def test_of_levels_the_greatest_is_the_finest() -> None:
    levels = OF_GRAIN | {"greater": "finer", "unit": "levels"}
    raw = swept([(sort_at(0), 1, 1), (sort_at(14), 1.01, 64), (sort_at(20), 2, 99)], levels)
    assert "Overhead sets in at 20: 2.0 times as slow" in words_on(raw)
    assert "No imbalance shows down to 0." in words_on(raw)
    assert ratings_in(raw) == ["too fine", "good", "best"]


def test_one_worker_has_no_imbalance() -> None:
    words = words_on(bathtub("serial"))
    assert "Imbalance" not in words
    assert (
        "on serial (1 worker), 2 workers: The best grain is 64, with 16 branches of 62.5" in words
    )
    assert "there is one worker, at 1,024: 50 % slower" in words


def test_more_workers_than_processors_are_marked() -> None:
    assert "mergesort keys=100 on a, 16 workers on 2 processors: " in words_on(bathtub("a", 16))


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (bathtub(rounds=5), "The grains are not told apart yet (5 of 6 rounds)"),
        (bathtub(waiting_threads=0.3), "At 7 of 7 grains the workers waited for a processor"),
        (swept([(sort_at(at), 1 + at, 0) for at in (1, 2)]), "No task was made at any grain"),
    ],
)
def test_nothing_is_concluded_from_what_does_not_carry_it(raw: RawFile, reason: str) -> None:
    words = words_on(raw)
    assert reason in words
    assert "The best grain is" not in words and "model" not in words
    assert set(ratings_in(raw)) == {"—"}


def test_one_processor_says_nothing_about_grains(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CONTEXT["context"], "processors", "1")  # type: ignore[arg-type]
    assert "had one processor, so the times say nothing" in words_on(bathtub())


def test_a_grain_that_waited_is_marked_and_one_that_failed_is_a_row() -> None:
    table = tables_of(grain.sections(bathtub(waiting_threads=0.3, more=[sort_at(2)]))[2])[0]
    assert table.rows[0][3] == "2.00 s [2.00, 2.00] (waited)"
    assert table.rows[-1][2:4] == ["2", "DNF: timed out after 1 s"]
    none = swept([(sort_at(1, "b"), 1, 1)], more=[sort_at(1)])
    assert "keys=100 on a, 2 workers: No grain has finished." in words_on(none)


def test_each_instance_has_a_table_and_each_scheduler_a_curve() -> None:
    points = [(sort_at(at, "b", 2, keys), at, 8) for keys in ("1", "2") for at in (1, 2)]
    points += [(sort_at(at, "c", 2, "2"), at, 8) for at in (1, 2)]
    shown = grain.sections(swept(points))
    assert [len(table.rows) for table in tables_of(section_in(shown, "Every grain"))] == [2, 4]
    group = section_in(shown, "Efficiency and grain").blocks[0]
    assert isinstance(group, PlotGroup)
    names = [[curve.name for curve in plot.curves] for plot in group.plots]
    assert names == [["b, 2 workers"], ["b, 2 workers", "c, 2 workers"]]
    assert group.plots[0].curves[0].points == [(1, (1, 1, 1)), (2, (0.5, 0.5, 0.5))]
    assert group.plots[0].x.is_logarithmic


def test_good_is_what_lies_around_the_best_without_a_gap() -> None:
    assert rate([1.05, 1.2, 1.04, 1, 1.05, 1.06]) == [
        *["too fine"] * 2,
        *["good", "best", "good", "too coarse"],
    ]


def modelled(workers: int, tasks: Sequence[float] = (1, 10, 100, 1000, 10_000)) -> Model | None:
    """(8 + 0.001 · tasks) / P + 2 · (1 − 1 / P) · 8 / tasks, of 100,000 elements."""
    model = Model(8, 0.001, 2, 0)
    points = [
        (sort_at(int(100_000 / n), workers=workers), float(model.seconds(n, workers)), n)
        for n in tasks
    ]
    figures = Figures(swept(points))
    return model_of(grains_of(figures, sweeps_over(figures, "grain")[0], False))


@pytest.mark.parametrize("workers", [1, 2, 8])
def test_the_model_finds_work_the_price_of_a_task_and_the_span(workers: int) -> None:
    model = modelled(workers)
    assert model is not None
    expected = (8, 0.001, 0 if workers == 1 else 2, 0)
    numpy.testing.assert_allclose(model, expected, rtol=1e-6, atol=1e-9)
    assert model.seconds(100, 4) == pytest.approx(8.1 / 4 + expected[2] * 0.75 * 8 / 100)


def test_a_model_needs_more_numbers_of_tasks_than_it_has_parts() -> None:
    assert modelled(2, (1, 10, 100)) is None
    assert modelled(1, (1, 10)) is None
    assert modelled(1, (1, 10, 100)) is not None


def test_the_model_predicts_the_best_grain_of_more_workers() -> None:
    points = [(sort_at(1000 // n), 1 + 0.0005 * n + 4 / n, n) for n in (1, 10, 100, 1000)]
    assert words_on(swept(points)).endswith(
        " A model within 0 % of each time has 1.00 ms for a task, and predicts 10 as the best. By"
        " it, the grains within 5 % of the best are 10 alone with 2 workers; 1 alone with 64"
        " workers."
    )
    many = [
        (sort_at(of["parameters"]["grain"], "a", 64), time, tasks) for of, time, tasks in points
    ]
    assert words_on(swept(many)).count("with 64 workers") == 1
    points[1] = (points[1][0], 1.5 * points[1][1], 10)
    assert "No model of work, tasks and span fits these times: the best one is off by 25 %." in (
        words_on(swept(points))
    )


def test_no_part_of_a_model_is_negative() -> None:
    points = [(sort_at(16 // n), 2 - 0.05 * n, n) for n in (1, 2, 4, 8, 16)]
    figures = Figures(swept(points))
    model = model_of(grains_of(figures, sweeps_over(figures, "grain")[0], False))
    assert model is not None and model.task_seconds == 0 and model.waited_for >= 0
    assert model.greatest_error == pytest.approx(float(model.seconds(16, 2)) / 1.2 - 1)


def test_a_grain_is_a_whole_number_and_comes_once() -> None:
    with pytest.raises(BadInput, match='grain of ".*grain:2.5.*" is no whole number; valid: 0'):
        grain.sections(swept([(sort_at("2.5"), 1, 1)]))
    with pytest.raises(BadInput, match="grain that another one has"):
        grain.sections(swept([(sort_at("2"), 1, 1), (sort_at("02"), 1, 1)]))


LEAVES = {"name": "leaves", "workload": "tree", "parameters": {"depth": "9"}, "work": "work"}


def leaves_of(
    seconds: Mapping[int, Sequence[float]],
    scheduler: str = "openmp",
    tasks: int = 512,
    **values: float,
) -> RawFile:
    """Leaves of so much work, whose run takes so long, with two workers."""
    times = [
        (cell(scheduler, 2, "tree", depth="9", work=str(work)), row)
        for work, row in seconds.items()
    ]
    about = {"graphs": [LEAVES | {"tasks": tasks}]}
    first = experiment([of for of, _ in times], "metg", about=about)
    lines = timed(times)
    for line in lines:
        line["benchmark"] |= values
    raw: RawFile = raw_of([first, CONTEXT, *lines])
    return raw


def entries_of(raw: RawFile) -> list[str]:
    row: list[str] = tables_of(metg.sections(raw)[0])[0].rows[0]
    return row


def overhead(units: float, work: Sequence[int]) -> dict[int, list[float]]:
    """Units of a nanosecond, and so many more in each task."""
    return {size: [(size + units) * 256e-9] * 2 for size in work}


def test_the_committed_metg_is_that_of_the_cpp_driver_but_for_the_marks() -> None:
    table = tables_of(metg.sections(raw_of(lines_of("comparison/metg")))[0])[0]
    frozen = oracle("sections_metg")["Minimum effective task granularity"]["tables"][0][1]
    marked = 0
    for row, expected in zip(table.rows, frozen[1:]):
        for text, frozen_text in zip(row, expected):
            plain = re.sub(r" \(up to \d+ %\)$", "", text)
            marked += plain != text
            assert_same(plain.removeprefix("≥ "), frozen_text.removeprefix("≥ "))
            assert plain.startswith("≥") == (
                frozen_text.startswith("≥") or plain != text and "crossing" not in text
            )
    assert len(table.rows) == len(frozen) - 1
    assert marked == 14
    assert "no crossing: still 149 % efficient at 42.0 ns a task (up to 149 %)" in table.rows[10]


def test_metg_is_near_the_task_time_of_as_much_overhead_as_work() -> None:
    entries = entries_of(leaves_of(overhead(64, (16384, 8192, 2304, 256, 64, 16))))
    assert entries[:2] == ["openmp", "2"]
    assert entries[2].startswith("128 ns [128, 128]")
    assert entries_of(leaves_of(overhead(16, (4096, 2048, 576, 64, 16, 4)), "serial"))[1] == (
        "1 of 2"
    )


def test_a_curve_says_why_it_has_no_value() -> None:
    flat = entries_of(leaves_of(overhead(64, (16384, 8192))))
    assert flat[2] == "no crossing: still 100 % efficient at 8.26 µs a task"
    rising = entries_of(leaves_of(overhead(64, (64, 16))))
    assert rising[3].startswith("≥ ")
    # More than half the work is as efficient, which shows nothing.
    assert entries_of(leaves_of(overhead(8, (128, 96, 16))))[3].startswith("≥ ")
    assert not entries_of(leaves_of(overhead(8, (512, 256, 16))))[3].startswith("≥ ")


def test_above_all_efficiency_is_marked_with_its_likely_cause() -> None:
    times = {8192: [2e-3] * 2, 4096: [0.6e-3] * 2, 16: [0.3e-3] * 2}
    for scheduler, waiting, cause in (
        ("openmp", 0, "something slowed the largest tasks"),
        ("openmp", 1, "waited for a processor"),
        ("serial", 0, "the work itself, for serial shows it too"),
    ):
        raw = leaves_of(times, scheduler, waiting_threads=waiting)
        marks = " (up to 167 %)" + " (waited)" * waiting
        entry = entries_of(raw)[2]
        assert entry.startswith("≥ ") and entry.endswith(f"]{marks}"), entry
        assert "(waited): " in "".join(texts_of(metg.sections(raw)[0])) or not waiting
        text = texts_of(metg.sections(raw)[0])[0]
        assert text.startswith("leaves: efficiencies up to 167 %.") and cause in text
    assert texts_of(metg.sections(leaves_of(overhead(64, (8192, 4096, 16))))[0]) == []


def test_metg_is_found_by_linear_interpolation() -> None:
    def crossing(points: Sequence[tuple[float, float]], threshold: float) -> float:
        times, parts = (numpy.array(side, dtype=float)[:, None] for side in zip(*points))
        return float(crossings(times, parts, threshold)[0])

    curve = [(50, 1), (10, 0.6), (4, 0.2), (3, 0.1)]
    assert crossing(curve, 0.5) == pytest.approx(8.5)
    assert crossing(curve, 0.6) == 10
    assert crossing(curve, 0.8) == pytest.approx(30)
    # A dip among large tasks is noise, and a task of less work that takes longer is not smaller.
    assert 10 < crossing([(64, 1), (37, 0.88), (16.5, 0.97), (10, 0.8), (8, 0.5)], 0.9) < 16.5
    assert crossing([(64, 1), (10, 0.8), (12, 0.3)], 0.5) == 10
    assert crossing([(64, 1), (8, 1), (8, 0.5), (8, 0.25)], 0.5) == 8
    assert crossing([(64, 1), (8, 0.5), (4, 0.5), (2, 0.2)], 0.5) == 4
    assert crossing([(64, 1), (8, 1), (8, 0.5), (4, 0.25)], 0.5) == 8
    assert numpy.isnan(crossing([(64, 1), (90, 0.36), (17, 0.94)], 0.5))


def test_whole_rounds_are_resampled_and_one_without_a_crossing_ends_with_the_curve() -> None:
    def metg_of(work: Sequence[float], seconds: Sequence[Sequence[float]]) -> Any:
        arrays = numpy.array(work, dtype=float), numpy.array(seconds, dtype=float)
        return estimate_metg(Curve("", "a", 1, "", *arrays, 1, False), [0.5])[0]

    slow_rounds = [[time, 1.5 * time, 2 * time] for time in (103, 13, 4)]
    once = metg_of([100, 10, 1], [[103], [13], [4]]).median
    assert metg_of([100, 10, 1], slow_rounds) == pytest.approx((1.5 * once, once, 2 * once))
    assert metg_of([8, 4, 2], [[8, 8, 8], [5, 5, 4], [5, 5, 3]]).low == 3
    factors = numpy.random.default_rng(1).uniform(1, 1.1, 7)
    expected = [once * end for end in estimate_median(factors)]
    noisy = metg_of([100, 10, 1], numpy.array([[103], [13], [4]]) * factors)
    assert noisy == pytest.approx(tuple(expected))


def test_a_curve_with_a_benchmark_that_failed_has_no_value() -> None:
    lines = [cell("openmp", 2, "tree", depth="9", work=str(work)) for work in (64, 16)]
    about = {"graphs": [LEAVES | {"tasks": 512}]}
    raw = raw_of(
        [
            experiment(lines, "metg", about=about),
            process(lines[0], 1, 1),
            failed(lines[1], "wrong answer"),
        ]
    )
    assert entries_of(raw)[2:] == ["DNF: wrong answer"] * 2
    assert [section.title for section in metg.sections(raw)][1:] == ["How to read METG"]


def test_a_curve_needs_tasks_and_work() -> None:
    with pytest.raises(BadInput, match="the graph leaves has no task; valid: one or more"):
        metg.sections(leaves_of(overhead(64, (64, 16)), tasks=0))
    with pytest.raises(BadInput, match="the largest task of tree depth=9 has no work; valid: one"):
        metg.sections(leaves_of(overhead(64, (0,))))


def test_metg_plots_efficiency_over_the_time_per_task() -> None:
    group = metg.sections(leaves_of(overhead(64, (16384, 64))))[1].blocks[0]
    assert isinstance(group, PlotGroup)
    points = group.plots[0].curves[0].points
    assert [x for x, _ in points] == pytest.approx([128e-9, 16448e-9])
    assert points[0][1].median == pytest.approx(0.502, abs=0.001)
    assert points[1][1] == (1, 1, 1)
    assert group.plots[0].title == "leaves with 2 workers: efficiency over time per task"
    assert (group.plots[0].x.unit, group.plots[0].x.label) == (1e-6, "time per task, µs")


def test_metg_has_a_plot_for_each_worker_count_the_shortest_tasks_first() -> None:
    times = [
        (cell(name, workers, "tree", depth="9", work=str(work)), [(work + units) * 1e-6 / workers])
        for name, workers, units in (("openmp", 2, 64), ("serial", 2, 16), ("openmp", 16, 8))
        for work in (4096, 64)
    ]
    about = {"graphs": [LEAVES | {"tasks": 512}, LEAVES | {"name": "more", "tasks": 512}]}
    first = experiment([of for of, _ in times], "metg", about=about)
    shown = metg.sections(raw_of([first, CONTEXT, *timed(times)]))
    group = shown[1].blocks[0]
    assert isinstance(group, PlotGroup)
    assert [
        (plot.title.partition(":")[0], [curve.name for curve in plot.curves])
        for plot in group.plots
    ][:2] == [
        ("leaves with 2 workers", ["serial (1 worker)", "openmp"]),
        ("leaves with 16 workers on 2 processors", ["openmp"]),
    ]
    table = tables_of(shown[0])[0]
    assert [row[:2] for row in table.rows] == [
        ["openmp", "2"],
        ["serial", "1 of 2"],
        ["openmp", "16"],
    ]
    assert len(table.columns) == 6 and len(group.plots) == 4


def test_the_committed_costs_are_those_of_the_cpp_driver_but_for_the_processors() -> None:
    frozen = oracle("sections_micro")
    texts = frozen["What the costs mean"]["texts"]
    frozen["What the costs mean"]["texts"] = [
        text.replace("(16 workers)", "(16 workers on 2 processors)") for text in texts
    ]
    assert_same_as(micro.sections(raw_of(lines_of("comparison/micro"))), frozen)


def test_micro_tells_what_is_not_applicable_from_what_failed() -> None:
    cells = [cell("serial", 1, "fork"), cell("openmp", 1, "fork"), cell("openmp", 2, "steal")]
    metric = {"meaning": "m", "raw": "r", "unit": "seconds", "workers": 1}
    gap = {"figure": "steal", "scheduler": "serial", "reason": "its one worker"}
    about = {"figures": [metric | {"name": name} for name in ("fork", "steal")], "gaps": [gap]}
    lines = [process(cells[0], 1, 1e-9), process(cells[1], 1, 2e-9), failed(cells[2], "x")]
    costs, meanings = micro.sections(raw_of([experiment(cells, "micro", about=about), *lines]))
    table = tables_of(costs)[0]
    assert table.rows == [
        ["serial", "1.00 ns [1.00, 1.00]", "—"],
        ["openmp", "2.00 ns [2.00, 2.00]", "DNF"],
    ]
    assert table.marks == {(1, 2): Emphasis.FAILED}
    assert texts_of(meanings)[-1] == "— steal of serial: not applicable, its one worker."
    lines[1] = process(cells[1], 1, 2e-9, waiting_threads=0.2)
    costs = micro.sections(raw_of([experiment(cells, "micro", about=about), *lines]))[0]
    assert tables_of(costs)[0].rows[1][1] == "2.00 ns [2.00, 2.00] (waited)"
    assert texts_of(costs)[0].startswith("(waited): in a third of the rounds")
