"""`stealbench metg`: the shortest task that still runs at 50 % or 90 % efficiency.

Minimum effective task granularity, METG (Slaughter et al., SC 2020): the same tasks are run with
ever less work in each. As they shrink, what the scheduler adds to each weighs more, and the
efficiency falls; METG(50 %) is the time per task, overhead included, where it falls through 50 %.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from stealbench import choices, rawfile
from stealbench.analysis.sweeps import sweeps_over
from stealbench.analysis.tabulate import WAITED, WORKERS, key, tabulate
from stealbench.cell import Cell
from stealbench.figures import Figures, figures_of
from stealbench.machine import Machine
from stealbench.measuring import Design, Experiment, Search
from stealbench.options import Settings
from stealbench.rawfile import RawFile
from stealbench.report.document import Axis, Plot, Prominence, Section
from stealbench.report.format import MISSING, ratio, seconds, seconds_with_interval
from stealbench.report.guides import guide
from stealbench.report.parts import DNF, headed, say
from stealbench.report.verdict import WAITED_MEANS
from stealbench.rounds import Plan
from stealbench.schedule import StopRule
from stealbench.statistics import Estimate, Floats, Indices, bootstrap, middle_of
from stealbench.suite import Suite
from stealbench.workloads import text_of, values_of

THRESHOLDS = (0.5, 0.9)
NEARLY_ALL = 0.95
"""Above it half the work is as efficient as all."""
ABOVE_ALL = 1.05
"""An efficiency above it is no noise: the largest task is no measure of its unit of work."""

UP_TO = (
    "(up to N %): a smaller task did more work per second than the largest, which so is no measure:"
    " METG is at least what is shown. Likely causes: the workers waited for a processor, a lower"
    " clock rate, or, if the baseline shows it too, a processor that overlaps short tasks."
)


def efficiency_of(work: Floats, times: Floats) -> Floats:
    """Work per second, relative to that of the first row: a column for each resample."""
    rates = work[:, None] / times
    return numpy.asarray(rates / rates[0])


def crossings(times: Floats, efficiency: Floats, threshold: float) -> Floats:
    """The task time in seconds at which each column falls through `threshold` (at most 1), or nan.

    From the point of the least task time that is at least so efficient, linearly to the next one,
    with less work, that is not. So a dip among large tasks, which is noise, does not count.
    """
    is_above, columns = efficiency >= threshold, numpy.arange(efficiency.shape[1])
    last_first = numpy.where(is_above, times, numpy.inf)[::-1]
    above = len(efficiency) - 1 - last_first.argmin(axis=0)
    is_below = ~is_above & (numpy.arange(len(efficiency))[:, None] > above)
    below, has_crossing = is_below.argmax(axis=0), is_below.any(axis=0)
    time, part = times[above, columns], efficiency[above, columns]
    fall = numpy.where(has_crossing, part - efficiency[below, columns], 1)
    # Where noise makes less work take longer, the point above is the least one all the same.
    longer = numpy.minimum(times[below, columns] - time, 0)
    return numpy.where(has_crossing, time + (part - threshold) / fall * longer, numpy.nan)


def estimate_metg(work: Floats, times: Floats, threshold: float) -> Estimate | None:
    """METG in seconds, None where there is no crossing; of times per task, a column for each round.

    Whole rounds are resampled. A resample that has no crossing counts as the end of the curve.
    """

    def of_resamples(drawn: Indices) -> Floats:
        drawn_times = middle_of(numpy.sort(times[:, drawn], axis=2))
        crossed = crossings(drawn_times, efficiency_of(work, drawn_times), threshold)
        return numpy.where(numpy.isnan(crossed), drawn_times[-1], crossed)[None]

    medians = middle_of(numpy.sort(times, axis=1))[:, None]
    middle = crossings(medians, efficiency_of(work, medians), threshold)
    estimate = bootstrap(times.shape[1], middle, of_resamples)[0]
    return None if numpy.isnan(middle[0]) else Estimate(*estimate.tolist())


def _metg_in(
    figures: Figures, rows: Any, tasks: float
) -> tuple[list[str], list[tuple[float, Estimate]]]:
    """METG of a sweep over the work in each task, in words for each threshold; and efficiency over
    the time per task, against the largest task in the same round."""
    rows, largest = rows[::-1], rows.index[-1]
    work, rounds = rows["value"].to_numpy(float), rows["rounds"].min()
    times = numpy.array([figures.times[cell][:rounds] for cell in rows.index])
    times *= rows["worker_count"].max() / tasks
    medians = middle_of(numpy.sort(times, axis=1))
    parts = (
        figures.ratios({cell: (largest, cell) for cell in rows.index}).to_numpy()
        * (work / work[0])[:, None]
    )
    points = list(zip(medians.tolist(), (Estimate(*part) for part in parts.tolist())))
    efficiency = efficiency_of(work, medians[:, None])[:, 0]
    is_above = efficiency.max() > ABOVE_ALL
    marks = f" (up to {100 * efficiency.max():.0f} %)" if is_above else ""
    marks += WAITED if rows["is_disturbed"].any() else ""
    # Where half the work is less efficient than all, more work would be more efficient yet.
    is_bound = is_above or not (efficiency[2 * work <= work[0]] >= NEARLY_ALL).any()
    still = f"{100 * efficiency[-1]:.0f} % efficient at {seconds(medians[-1])} a task"
    texts = []
    for metg in (estimate_metg(work, times, threshold) for threshold in THRESHOLDS):
        if metg is None:
            texts.append(f"no crossing: still {still}{marks}")
        else:
            text = seconds_with_interval(metg) if rounds > 1 else seconds(metg.median)
            texts.append(("≥ " if is_bound else "") + text + marks)
    return texts, points


def sections(raw: RawFile) -> list[Section]:
    """METG: a row for each scheduler and worker count, two columns for each graph."""
    figures, rows = figures_of(raw), dict[tuple[str, int], dict[str, Any]]()
    plots, graphs = dict[tuple[str, int], Plot](), raw.header["about"]["graphs"]
    headers = {g["name"]: [f"{g['name']} {100 * of:.0f} %" for of in THRESHOLDS] for g in graphs}
    missing = dict.fromkeys(sum(headers.values(), []), MISSING)
    time = Axis("time per task, µs", is_logarithmic=True, unit=1e-6, text_of=seconds)
    for graph in graphs:
        of_graph = Cell(graph["workload"], tuple(graph["parameters"].items()), "", 1).instance
        for sweep in sweeps_over(figures, graph["work"]):
            if sweep.instance != of_graph:
                continue
            title = f"{graph['name']} with {sweep.on_workers}: efficiency over time per task"
            plot = Plot(title, time, Axis("efficiency", text_of=ratio))
            plot = plots.setdefault((of_graph, sweep.workers), plot)
            texts = [f"{DNF}: {text}" for text in sweep.rows["failure"].dropna()[:1]] * 2
            if not texts:
                texts, points = _metg_in(figures, sweep.rows, graph["tasks"])
                plot.add(sweep.name, points)
            row = {"scheduler": sweep.scheduler, "workers": sweep.workers, **missing}
            own = rows.setdefault((sweep.scheduler, sweep.workers), row)
            own.update(zip(headers[graph["name"]], texts))
    columns = [key("scheduler"), WORKERS, *map(key, missing)]
    title = headed("METG: smallest efficient task", figures)
    table = tabulate(title, columns, rows.values(), keys=2)
    summary = Section("Minimum effective task granularity", [table], Prominence.SUMMARY)
    page = " ".join(text for row in table.rows for text in row)
    say(summary, UP_TO if "(up to " in page else "")
    say(summary, WAITED_MEANS if WAITED in page else "")
    drawn = [plot for plot in plots.values() if plot.curves]
    parts = [Section("Efficiency and task size", [*drawn])] if drawn else []
    return [summary, *parts, guide("How to read METG")]


TASKS = 512  # Of a graph, about.
FEWEST_STEPS = (
    16  # So that a tree, which begins with one point, becomes wide on a large machine too.
)
POINTS_OF_A_WORKER = 4
"""In a step: as few as leave some balance to a scheduler, so that the join of each step counts."""
MOST_WORK = {"iterations": 1 << 12, "work": 1 << 14}
"""Of Task Bench's kernel, and in steps of the tree's leaves: tens of µs."""
CLEARLY_BELOW = 0.45
"""One measurement is not to be trusted with the last few percent of an efficiency of 50 %."""


def standard_graphs(most_workers: int) -> list[dict[str, Any]]:
    """Independent tasks, a binary tree of forks, and Task Bench's stencil_1d, fft and tree."""
    width = POINTS_OF_A_WORKER * most_workers
    steps = max(FEWEST_STEPS, TASKS // width)
    patterns = {name: (name, width, steps) for name in ("stencil_1d", "fft", "tree")}
    # Of independent tasks no step need be joined.
    graphs = []
    for name, own in ({"independent": ("trivial", max(width, TASKS), 1)} | patterns).items():
        parameters = dict(zip(("pattern", "width", "steps"), map(str, own)))
        # A tree has a point first, and twice as many in each step.
        widths = (min(own[1], 1 << at) if name == "tree" else own[1] for at in range(own[2]))
        graph = {"name": name, "work": "iterations", "tasks": float(sum(widths))}
        graphs.append(graph | {"workload": "taskbench", "parameters": parameters})
    tree = {"name": "fork tree", "workload": "empty_tree", "work": "work", "tasks": float(TASKS)}
    graphs.insert(1, tree | {"parameters": {"depth": str(TASKS.bit_length() - 1)}})
    return graphs


def points_wanted(work: Sequence[int], seconds_of: Callable[[int], float | None]) -> int:
    """How many points of a curve, from the largest task on, have to be measured: those down to the
    first one that is clearly less efficient than 50 %, and one more. Efficiency falls with the work,
    so that one is found by bisection, in O(log points) calls of `seconds_of(point)`; where a point
    fails, which is None, all points up to it are wanted, so that the failure shows."""
    if (largest := seconds_of(0)) is None:
        return 1
    above, below = 0, len(work)
    while above + 1 < below:
        middle = (above + below) // 2
        if (seconds := seconds_of(middle)) is None:
            return middle + 1
        if work[middle] / seconds < CLEARLY_BELOW * work[0] / largest:
            below = middle
        else:
            above = middle
    return min(below + 2, len(work))


def _declare(settings: Settings) -> None:
    choices.add_schedulers(settings)
    counts = dict.fromkeys([1, Machine().usable_processors()])
    choices.add_workers(settings, counts, "1 and the number of processors")


def _design(values: Namespace, suite: Suite) -> Design:
    values.schedulers = choices.schedulers_named(suite, values.schedulers)
    return Design(about={"graphs": standard_graphs(max(values.workers))})


def _search(search: Search, design: Design) -> None:
    values = search.values
    curves = [
        (graph, curve)
        for graph in design.about["graphs"]
        for curve in choices.every_cell([(graph["name"], ())], values.workers, values.schedulers)
    ]
    for number, (graph, curve) in enumerate(curves):
        stage = f"searching for task lengths: {graph['name']} on {curve.scheduler}"
        search.begin(stage, number / len(curves))
        workload = search.suite.workload(graph["workload"])
        work = [1 << e for e in reversed(range(MOST_WORK[graph["work"]].bit_length()))]

        def cell_at(point: int) -> Cell:
            given = [*graph["parameters"].items(), (graph["work"], str(work[point]))]
            chosen, is_set = values_of(workload, given)
            parameters = tuple((key, text_of(chosen[key])) for key in chosen if key in is_set)
            return Cell(workload.name, parameters, curve.scheduler, curve.workers)

        def seconds_at(point: int) -> float | None:
            run = search.timed(cell_at(point))
            return None if run.failure else rawfile.values_of(run.entry)["seconds"]

        design.cells += map(cell_at, range(points_wanted(work, seconds_at)))


EXPERIMENT = Experiment(
    _declare,
    _design,
    ("", "--schedulers work-stealing,onetbb --workers 2 --budget 60"),
    notes=f"The command measures five task graphs of about {TASKS} tasks each, or more with many"
    " workers: independent tasks, a binary tree of forks, and the patterns stencil_1d, fft and tree"
    f" of Task Bench with {POINTS_OF_A_WORKER} points per worker. Efficiency is work per second"
    " relative to that of the longest task. First a search of about half a minute, which is not part"
    " of the budget, selects the task lengths.",
    # Points are many and their runs short: a process takes less time than of `compare`.
    plan=Plan(StopRule(budget_s=150), sample_ms=20),
    search=_search,
)
