"""`stealbench metg`: the shortest task that still runs at 50 % or 90 % efficiency."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from stealbench.analysis.metg import Curve, curves_of, estimate_metg
from stealbench.figures import Figures, figures_of
from stealbench.rawfile import RawFile
from stealbench.report import document
from stealbench.report.document import Axis, Column, Plot, PlotGroup, Prominence, Section, Table
from stealbench.report.format import MISSING, ratio, seconds, seconds_with_interval
from stealbench.report.guides import guide
from stealbench.report.parts import add_curve, add_plot, say, scheduler_in, with_interval_kind
from stealbench.report.parts import workers_in, workers_in_words
from stealbench.statistics import Estimate, estimate_ratios

NAME = "metg"
SUMMARY = (
    "Measure the minimum effective task granularity of each scheduler, METG(50 %) and METG(90 %):"
    " the shortest task that still runs at 50 % or 90 % efficiency"
)

THRESHOLDS = (0.5, 0.9)


def _texts_of(curve: Curve | None) -> list[str]:
    """One for each threshold."""
    if curve is None or curve.failure:
        return [f"DNF: {curve.failure}" if curve else MISSING] * len(THRESHOLDS)
    marks = f" (up to {100 * curve.efficiency.max():.0f} %)" if curve.exceeds_all else ""
    marks += " (waited)" if curve.is_disturbed else ""
    least = "≥ " if curve.exceeds_all or not curve.is_level else ""
    without = (
        f"no crossing: still {100 * curve.efficiency[-1]:.0f} % efficient at"
        f" {seconds(curve.task_seconds[-1])} a task"
    )
    return [
        (least + seconds_with_interval(metg) if metg else without) + marks
        for metg in estimate_metg(curve, THRESHOLDS)
    ]


def _table(figures: Figures, graphs: Sequence[Any], curves: Sequence[Curve]) -> Table:
    """A row for each scheduler and worker count, two columns for each graph."""
    title = with_interval_kind("METG: smallest efficient task", figures.have_intervals)
    table = Table(title, [Column("scheduler", is_name=True), Column("workers")], keys=2)
    for graph in graphs:
        table.columns += [
            Column(f"{graph['name']} {100 * threshold:.0f} %", is_name=True)
            for threshold in THRESHOLDS
        ]
    places = {(curve.scheduler, curve.workers, curve.graph): curve for curve in curves}
    for scheduler, workers in dict.fromkeys((curve.scheduler, curve.workers) for curve in curves):
        row = [scheduler, workers_in(figures, scheduler, workers)]
        for graph in graphs:
            row += _texts_of(places.get((scheduler, workers, graph["name"])))
        table.rows.append(row)
    return table


def _why_above(figures: Figures, curves: Sequence[Curve]) -> list[str]:
    """A sentence for each graph whose curves exceed 100 %, with the likely cause."""
    above = [curve for curve in curves if not curve.failure and curve.exceeds_all]
    baseline = figures.raw.header["baseline"]
    sentences = []
    for graph in dict.fromkeys(curve.graph for curve in above):
        own = [curve for curve in above if curve.graph == graph]
        most = max(float(curve.efficiency.max()) for curve in own)
        cause = "that something slowed the largest tasks, such as a lower clock rate"
        if any(curve.is_disturbed for curve in own):
            cause = "that the workers waited for a processor, which other programs had"
        elif any(curve.scheduler == baseline for curve in own):
            cause = (
                f"the work itself, for {baseline} shows it too: a processor overlaps short tasks"
                " that follow each other"
            )
        sentences.append(
            f"{graph}: efficiencies up to {100 * most:.0f} %. A unit of work took longer in the"
            f" largest task than in a smaller one. The likely cause is {cause}. The largest task is"
            " no measure there, so METG is at least what is shown, and nothing is concluded from it."
        )
    return sentences


def _plot(figures: Figures, graph: str, workers: int, curves: Sequence[Curve]) -> Plot:
    """A curve for each scheduler, the one that is efficient with the shortest tasks first."""
    plot = Plot(
        f"{graph} with {workers_in_words(figures, workers)}: efficiency over time per task",
        Axis("time per task, µs", is_logarithmic=True, unit=1e-6, text_of=seconds),
        Axis("efficiency", text_of=ratio),
        [],
    )
    shown = [
        curve
        for curve in curves
        if curve.graph == graph and curve.workers == workers and len(curve.work)
    ]
    for curve in shown:
        # Against the largest task in the same round.
        largest = numpy.repeat(curve.seconds[:1], len(curve.work), axis=0)
        parts = estimate_ratios(largest, curve.seconds) * (curve.work / curve.work[0])[:, None]
        points = zip(curve.task_seconds.tolist(), (Estimate(*row) for row in parts.tolist()))
        add_curve(scheduler_in(figures, curve.scheduler, workers), list(points), plot)
    plot.curves.sort(key=_shortest_task)
    return plot


def _shortest_task(curve: document.Curve) -> float:
    return min(x for x, _ in curve.points)


def sections(raw: RawFile) -> list[Section]:
    """METG of each scheduler on each graph, and efficiency over the time per task."""
    figures = figures_of(raw)
    graphs = raw.header["about"]["graphs"]
    curves = curves_of(figures)
    summary = Section("Minimum effective task granularity", shown=Prominence.SUMMARY)
    summary.blocks.append(_table(figures, graphs, curves))
    for sentence in _why_above(figures, curves):
        say(summary, sentence)
    if any(curve.is_disturbed for curve in curves):
        say(
            summary,
            "(waited): with some work in each task the workers waited for a processor in a third of"
            " the rounds or more. Nothing is concluded from such a value.",
        )
    plots = PlotGroup([])
    for graph in graphs:
        for workers in figures.worker_counts:
            add_plot(_plot(figures, graph["name"], workers, curves), plots)
    drawn = [Section("Efficiency and task size", [plots])] if plots.plots else []
    return [summary, *drawn, guide("How to read METG")]
