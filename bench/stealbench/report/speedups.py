"""Plots over the worker count: speedup, overhead and steals."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stealbench.figures import Figures
from stealbench.report.document import Axis, Curve, Plot, PlotGroup, Prominence, ReferenceLine
from stealbench.report.document import Section
from stealbench.report.format import MISSING, counted, ratio
from stealbench.report.guides import guide_text
from stealbench.report.parts import DNF, add_plot, counter_of, estimate_in, grid, processors_of
from stealbench.report.parts import scheduler_in
from stealbench.statistics import Estimate

WIDEST_LINEAR = 8
"""Values further apart than this, and a linear axis shows the small ones as nothing."""


def plot_sections(figures: Figures) -> list[Section]:
    """Speedup over the worker count, overhead, and steals: a plot for each instance."""
    groups = {
        "Speedup": PlotGroup([], guide_text("Speedup")),
        "Overhead": PlotGroup([], guide_text("Overhead")),
        "Steals": PlotGroup([], "Steals of one run, from the run that counts."),
    }
    for instance in figures.instances:
        add_plot(_speedup_plot(figures, instance), groups["Speedup"])
        add_plot(_overhead_plot(figures, instance), groups["Overhead"])
        add_plot(_steals_plot(figures, instance), groups["Steals"])
    shown = {"Steals": Prominence.DETAIL}
    return [
        Section(title, [group], shown.get(title, Prominence.SUMMARY))
        for title, group in groups.items()
        if group.plots
    ]


def _curves_of(
    figures: Figures,
    instance: str,
    worker_counts: Sequence[int],
    value_of: Callable[[str], Estimate | None],
) -> list[Curve]:
    """A curve for each scheduler but the baseline: a value at each worker count."""
    places = {workers: grid(figures, workers) for workers in worker_counts}
    curves = []
    for style, scheduler in enumerate(figures.schedulers):
        cells = {
            workers: of_count[instance, scheduler]
            for workers, of_count in places.items()
            if (instance, scheduler) in of_count
        }
        if scheduler == figures.raw.header["baseline"] or not cells:
            continue
        estimates = {workers: value_of(cell) for workers, cell in cells.items()}
        points = [(float(workers), value) for workers, value in estimates.items() if value]
        has_finished = list(cells.values())[-1] in figures.times
        name = scheduler_in(figures, scheduler, worker_counts[-1])
        curves.append(Curve(name, points, style, MISSING if has_finished else DNF))
    return curves


def _workers_axis(figures: Figures, is_logarithmic: bool = False) -> Axis:
    """It says how many processors there were, if these were fewer than workers."""
    processors = processors_of(figures.raw)
    is_shared = 0 < processors < figures.worker_counts[-1]
    on = f" on {counted(processors, 'processor')}" if is_shared else ""
    return Axis(f"workers{on}", is_logarithmic)


def _are_far_apart(values: Sequence[float]) -> bool:
    return min(values) > 0 and max(values) / min(values) > WIDEST_LINEAR


def _speedup_plot(figures: Figures, instance: str) -> Plot:
    most = figures.worker_counts[-1]
    curves = _curves_of(
        figures,
        instance,
        figures.worker_counts,
        lambda cell: estimate_in(figures.table.loc[cell], "speedup"),
    )
    failed = figures.table[
        (figures.table["instance"] == instance) & figures.table["failure"].notna()
    ]
    names = [f"{row.scheduler} at {row.workers}" for row in failed.itertuples()]
    medians = [value.median for curve in curves for _, value in curve.points]
    # Both axes or neither, so that the ideal is a straight line.
    is_logarithmic = _are_far_apart([1, most, *medians])
    baseline = "serial (1 worker)" if most > 1 else "serial"
    plot = Plot(
        f"Speedup of {instance}: how many times faster than serial?",
        _workers_axis(figures, is_logarithmic),
        Axis("speedup over serial", is_logarithmic, text_of=ratio),
        curves,
        [ReferenceLine(baseline, [(1, 1), (most, 1)])],
        caption=instance + (f" (DNF: {', '.join(names)})" if names else ""),
    )
    if most > 1:
        plot.references.append(ReferenceLine("ideal", [(1, 1), (most, most)]))
    return plot


def _overhead_plot(figures: Figures, instance: str) -> Plot:
    curves = _curves_of(
        figures, instance, [1], lambda cell: estimate_in(figures.table.loc[cell], "overhead")
    )
    medians = [value.median for curve in curves for _, value in curve.points]
    return Plot(
        f"Overhead on {instance}: how much slower than serial is one worker?",
        Axis("workers"),
        Axis("T1 / Ts", _are_far_apart([1, *medians]), text_of=ratio),
        curves,
        [ReferenceLine("serial", [(1, 1)])],
        is_less_better=True,
        caption=instance,
    )


def _steals_plot(figures: Figures, instance: str) -> Plot:
    """Of two counts of two workers or more: one has nobody to steal from."""

    def value_of(cell: str) -> Estimate | None:
        steals = counter_of(figures, cell, "steals")
        return None if steals is None else Estimate(steals, steals, steals)

    worker_counts = [workers for workers in figures.worker_counts if workers > 1]
    enough = worker_counts if len(worker_counts) > 1 else []
    curves = _curves_of(figures, instance, enough, value_of)
    curves = [curve for curve in curves if curve.points]
    medians = [value.median for curve in curves for _, value in curve.points]
    is_logarithmic = bool(medians) and _are_far_apart(medians)
    return Plot(
        f"Steals of {instance}: how many does one run take?",
        _workers_axis(figures, is_logarithmic),
        Axis("steals", is_logarithmic),
        curves,
        is_less_better=True,
        caption=instance,
    )
