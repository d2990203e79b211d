"""`grain`, `metg` and `micro`: made sweeps, and the committed ones beside the C++ driver's pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy
import pytest

from stealbench.tests.conftest import Line, cell, experiment, failed, process, raw_of, timed
from stealbench.tests.edited import grain_in_six_rounds, lines_of
from stealbench.tests.frozen import assert_same_sections, assert_says, page_of, section_in
from stealbench.tests.frozen import tables_of
from stealbench.experiments.grain import rate
from stealbench.experiments.metg import crossings, estimate_metg
from stealbench.experiments import grain, metg, micro
from stealbench.rawfile import RawFile
from stealbench.report.document import Emphasis, Plot
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


def ratings_in(raw: RawFile) -> list[str]:
    table = tables_of(section_in(grain.sections(raw), "Every grain"))[0]
    return [row[-1] for row in table.rows]


def test_the_committed_grains_are_those_of_the_cpp_driver() -> None:
    assert_same_sections(grain.sections(raw_of(lines_of("comparison/grain"))), "sections_grain")
    assert_same_sections(grain.sections(raw_of(grain_in_six_rounds())), "sections_grain_6")


def levels() -> RawFile:
    about = OF_GRAIN | {"greater": "finer", "unit": "levels"}
    return swept([(sort_at(0), 1, 1), (sort_at(14), 1.01, 64), (sort_at(20), 2, 99)], about)


def on_one_processor() -> RawFile:
    raw = bathtub()
    raw.contexts[""]["processors"] = "1"
    return raw


NOTHING = ["!The best grain is", "!too fine", "!too coarse"]


@pytest.mark.parametrize(
    ("raw", "phrases"),
    [
        (
            bathtub(),
            [
                "mergesort keys=100 on a, 2 workers: The best grain is 64, with 16 branches of"
                " 125 ms each: 1.00 s [1.00, 1.00]. It is flat from 16 to 256: 3 of 7 values lie"
                " within 5 % of it. Overhead sets in at 4: 20 % slower, with 256 branches of"
                " 9.38 ms each. Imbalance sets in at 1,024: 50 % slower, with one branch."
            ],
        ),
        (levels(), ["Overhead sets in at 20: 100 % slower", "!Imbalance"]),
        (
            bathtub("serial"),
            [
                "on serial (1 worker), 2 workers: The best grain is 64, with 16 branches of 62.5",
                "The cost of coarse pieces sets in at 1,024: 50 % slower",
                "!Imbalance",
            ],
        ),
        (bathtub("a", 16), ["mergesort keys=100 on a, 16 workers on 2 processors: "]),
        (bathtub(rounds=5), ["The grains are not told apart yet (5 of 6 rounds)", *NOTHING]),
        (
            bathtub(waiting_threads=0.3, more=[sort_at(2)]),
            [
                "7 of 7 grains waited for a processor",
                "| 1 | 2.00 s [2.00, 2.00] (waited) |",
                "| 2 | DNF: timed out after 1 s | —",
                *NOTHING,
            ],
        ),
        (
            swept([(sort_at(at), 1 + at, 0) for at in (1, 2)]),
            ["No task was made at any grain", *NOTHING],
        ),
        (on_one_processor(), ["had one processor, so the times say nothing", *NOTHING]),
        (
            swept([(sort_at(1, "b"), 1, 1)], more=[sort_at(1)]),
            ["keys=100 on a, 2 workers: No grain has finished."],
        ),
    ],
)
def test_a_verdict_names_the_best_grain_unless_the_times_do_not_carry_it(
    raw: RawFile, phrases: list[str]
) -> None:
    of_values = grain.sections(raw)[:-1]
    assert_says(page_of(of_values), *phrases)


def test_ratings_are_of_the_finest_first_and_good_lies_around_the_best_without_a_gap() -> None:
    fine, coarse = ["too fine"] * 2, ["too coarse"] * 2
    assert ratings_in(bathtub()) == [*fine, "good", "best", "good", *coarse]
    assert ratings_in(levels()) == ["too fine", "good", "best"]
    rated = rate([1.05, 1.2, 1.04, 1, 1.05, 1.06])
    assert rated == [*fine, "good", "best", "good", "too coarse"]


LEAVES: dict[str, Any] = {"name": "leaves", "workload": "tree", "parameters": {"depth": "9"}}
LEAVES |= {"work": "work", "tasks": 512}


def leaves_of(
    seconds: Mapping[int, Sequence[float]], scheduler: str = "openmp", **values: float
) -> RawFile:
    """Leaves of so much work, whose run takes so long, with two workers."""
    times = [
        (cell(scheduler, 2, "tree", depth="9", work=str(work)), row)
        for work, row in seconds.items()
    ]
    lines = timed(times)
    for line in lines:
        line["benchmark"] |= values
    first = experiment([of for of, _ in times], "metg", about={"graphs": [LEAVES]})
    raw: RawFile = raw_of([first, CONTEXT, *lines])
    return raw


def overhead(units: float, work: Sequence[int]) -> dict[int, list[float]]:
    """Units of a nanosecond, and so many more in each task."""
    return {size: [(size + units) * 256e-9] * 2 for size in work}


def test_the_committed_metg_is_that_of_the_cpp_driver() -> None:
    assert_same_sections(metg.sections(raw_of(lines_of("comparison/metg"))), "sections_metg")


ABOVE = {8192: [2e-3] * 2, 4096: [0.6e-3] * 2, 16: [0.3e-3] * 2}
UP_TO = "(up to N %): a smaller task did more work per second than the largest"


@pytest.mark.parametrize(
    ("raw", "phrases"),
    [
        (
            leaves_of(overhead(64, (16384, 8192, 2304, 256, 64, 16))),
            ["openmp | 2 | 128 ns [128, 128] |"],
        ),
        # Of one round there is no range.
        (
            leaves_of({w: [t[0]] for w, t in overhead(64, (16384, 8192, 64, 16)).items()}),
            ["128 ns |"],
        ),
        (leaves_of(overhead(64, (16384, 64)), "serial"), ["serial | 1 |"]),
        (
            leaves_of(overhead(64, (16384, 8192))),
            ["| no crossing: still 100 % efficient at 8.26 µs a task |"],
        ),
        (leaves_of(overhead(64, (64, 16))), ["| ≥ "]),
        # More than half the work is as efficient, which shows nothing.
        (leaves_of(overhead(8, (128, 96, 16))), ["| ≥ "]),
        (leaves_of(overhead(8, (512, 256, 16))), ["!| ≥ "]),
        (leaves_of(ABOVE), ["| ≥ ", "] (up to 167 %) |", UP_TO]),
        (leaves_of(ABOVE, waiting_threads=1), ["] (up to 167 %) (waited)", "(waited): in a third"]),
    ],
)
def test_metg_is_the_task_time_of_as_much_overhead_as_work_or_a_bound(
    raw: RawFile, phrases: list[str]
) -> None:
    assert_says(page_of(metg.sections(raw)[:1]), *phrases)


@pytest.mark.parametrize(
    ("points", "threshold", "expected"),
    [
        ([(50, 1), (10, 0.6), (4, 0.2), (3, 0.1)], 0.5, 8.5),
        # A dip among large tasks is noise, and less work that takes longer is not smaller.
        ([(64, 1), (37, 0.88), (16.5, 0.97), (10, 0.8), (8, 0.5)], 0.9, 13.8),
        ([(64, 1), (10, 0.8), (12, 0.3)], 0.5, 10),
        ([(64, 1), (90, 0.36), (17, 0.94)], 0.5, numpy.nan),
    ],
)
def test_metg_is_found_by_linear_interpolation(
    points: Sequence[tuple[float, float]], threshold: float, expected: float
) -> None:
    times, parts = (numpy.array(side, dtype=float)[:, None] for side in zip(*points))
    crossed = crossings(times, parts, threshold)
    assert crossed[0] == pytest.approx(expected, rel=0.01, nan_ok=True)


def test_whole_rounds_are_resampled_and_one_without_a_crossing_ends_with_the_curve() -> None:
    def metg_of(work: Sequence[float], seconds: Sequence[Sequence[float]]) -> Any:
        arrays = numpy.array(work, dtype=float), numpy.array(seconds, dtype=float)
        return estimate_metg(*arrays, 0.5)

    slow_rounds = [[time, 1.5 * time, 2 * time] for time in (103, 13, 4)]
    once = metg_of([100, 10, 1], [[103], [13], [4]]).median
    assert metg_of([100, 10, 1], slow_rounds) == pytest.approx((1.5 * once, once, 2 * once))
    assert metg_of([8, 4, 2], [[8, 8, 8], [5, 5, 4], [5, 5, 3]]).low == 3
    factors = numpy.random.default_rng(1).uniform(1, 1.1, 7)
    expected = [once * end for end in estimate_median(factors)]
    noisy = metg_of([100, 10, 1], numpy.array([[103], [13], [4]]) * factors)
    assert noisy == pytest.approx(tuple(expected))


def test_a_graph_of_which_a_benchmark_failed_has_the_reason() -> None:
    cells = [cell("openmp", 2, "tree", depth="9", work=str(work)) for work in (64, 16)]
    first = experiment(cells, "metg", about={"graphs": [LEAVES]})
    raw = raw_of([first, process(cells[0], 1, 1), failed(cells[1], "wrong answer")])
    assert tables_of(metg.sections(raw)[0])[0].rows == [["openmp", "2", *["DNF: wrong answer"] * 2]]


def test_the_committed_costs_are_those_of_the_cpp_driver() -> None:
    assert_same_sections(micro.sections(raw_of(lines_of("comparison/micro"))), "sections_micro")


def test_micro_tells_what_is_not_applicable_from_what_failed() -> None:
    cells = [cell("serial", 1, "fork"), cell("openmp", 1, "fork"), cell("openmp", 2, "steal")]
    metric = {"meaning": "m", "raw": "r", "unit": "seconds", "workers": 1}
    gap = {"figure": "steal", "scheduler": "serial", "reason": "its one worker"}
    about = {"figures": [metric | {"name": name} for name in ("fork", "steal")], "gaps": [gap]}
    lines = [process(cells[0], 1, 1e-9), process(cells[1], 1, 2e-9, waiting_threads=0.2)]
    first = experiment(cells, "micro", about=about)
    shown = micro.sections(raw_of([first, *lines, failed(cells[2], "x")]))
    gap_text = "— steal of serial: not applicable, its one worker."
    waited = "openmp | 2.00 ns (waited) | DNF"
    means = "(waited): in a third of the"
    assert_says(page_of(shown), "serial | 1.00 ns | —", gap_text, waited, means)
    assert tables_of(shown[0])[0].marks == {(1, 2): Emphasis.FAILED}


def test_plots_have_efficiency_over_the_grain_and_over_the_time_per_task() -> None:
    (plot,) = section_in(grain.sections(bathtub()), "Efficiency and grain").blocks
    (of_levels,) = section_in(grain.sections(levels()), "Efficiency and grain").blocks
    assert isinstance(plot, Plot) and isinstance(of_levels, Plot)
    assert plot.x.is_logarithmic and not of_levels.x.is_logarithmic
    assert [(x, y.median) for x, y in plot.curves[0].points][:2] == [(1, 0.5), (4, 1 / 1.2)]
    sections = metg.sections(leaves_of(overhead(64, (16384, 64))))
    (plot,) = section_in(sections, "Efficiency and task size").blocks
    assert isinstance(plot, Plot) and (plot.x.label, plot.x.unit) == ("time per task, µs", 1e-6)
    half, whole = ((x * 1e9, y.median) for x, y in plot.curves[0].points)
    assert half == pytest.approx((128, 0.50195), rel=1e-4) and whole == pytest.approx((16448, 1))
