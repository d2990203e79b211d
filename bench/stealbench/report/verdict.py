"""Who leads, by how much, and where it does not: the verdict, the table of ranks, the plots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas

from stealbench.figures import Figures
from stealbench.report.document import Axis, Column, Curve, Emphasis, Plot, PlotGroup, Prominence
from stealbench.report.document import ReferenceLine, Section, Table
from stealbench.report.format import MISSING, counted, joined, ratio, ratio_with_interval
from stealbench.report.guides import guide_text
from stealbench.report.parts import DNF, counter_of, estimate_in, grid, not_told_apart_yet
from stealbench.report.parts import on_processors, order_of, overall, scheduler_in
from stealbench.report.parts import table_over_instances, workers_in_words
from stealbench.statistics import Estimate

WIDEST_LINEAR = 8
"""Values further apart than this, and a linear axis shows the small ones as nothing."""


def verdict_of(figures: Figures) -> str:
    """`With 2 workers, work-stealing leads. …`, or how much is missing until that can be said."""
    if len(figures.schedulers) < 2:
        return "One scheduler alone, so there is nothing to compare."
    workers = workers_in_words(figures, figures.worker_counts[-1])
    regret = overall(figures)
    means = regret["mean"].astype(float).dropna()
    if means.empty:
        # A worker count may be that of a few instances, or of other machines, alone.
        done = "finished" if (regret["failed"] > 0).any() else "was measured on"
        return f"With {workers} no scheduler {done} every workload instance, so none leads."
    if not figures.have_intervals:
        return f"With {workers}, the schedulers are {not_told_apart_yet(figures)}"
    names = {name: scheduler_in(figures, name, figures.worker_counts[-1]) for name in means.index}
    first, has_lead = means.idxmin(), regret.loc[means.index, "leads"].astype(bool)
    leading = dict.fromkeys([first, *means.index[has_lead]])
    mean = f"(geometric mean of {counted(len(figures.instances), 'instance')})"
    if len(leading) == 1:
        text = f"{names[first]} leads. It takes {ratio(means.min())} the time of the fastest"
        text += f" scheduler of each workload instance {mean}."
    else:
        shared = joined([f"{names[name]} ({ratio(means[name])})" for name in leading])
        text = f"{shared} share the lead: none of them is shown to be slower than the first of them {mean}."
    if len(behind := means[~has_lead]):
        finished = "" if len(means) == len(regret) else " that finished"
        text += f" All others{finished} are slower on average; {names[behind.idxmin()]} is next"
        text += f" with {ratio(behind.min())}."
    worst = regret.at[first, "worst"]
    if pandas.isna(worst):
        at_worst = f"{names[first]} is shown to be slower than the fastest on no instance."
    else:
        slowdown = ratio_with_interval(estimate_in(figures.table.loc[worst], "slowdown"))
        at_worst = (
            f"At worst {names[first]} takes {slowdown} ({figures.table.at[worst, 'instance']})."
        )
    return f"With {workers}, {text} {at_worst}"


def rank_in(row: Any) -> str:
    """`2 · 1.50 ×`: the rank, if there is one, and the time over the best, of a row of figures."""
    return (f"{row['rank']:.0f} · " if row["rank"] >= 1 else "") + ratio(row["slowdown"])


def rank_table(figures: Figures) -> Table:
    """Rank and time over the best of each scheduler on each instance, and the geometric mean.

    With the greatest worker count. Below six rounds there are no ranks.
    """
    workers = figures.worker_counts[-1]
    title = "Rank · time over the best" if figures.have_intervals else "Time over the least median"
    title += f", with {workers_in_words(figures, workers)}"
    table = table_over_instances(figures, title, lambda cell: rank_in(figures.table.loc[cell]))
    table.columns.insert(1, Column("geometric mean"))
    table.marks = {(row, column + 1): mark for (row, column), mark in table.marks.items()}
    for row, (texts, scheduler) in enumerate(zip(table.rows, order_of(figures))):
        own = overall(figures).loc[scheduler]
        firsts = {at: text.startswith("1 · ") for at, text in enumerate(texts, 1)} | {
            1: own["leads"]
        }
        table.marks |= {(row, at): Emphasis.BEST for at, is_first in firsts.items() if is_first}
        texts.insert(1, MISSING if pandas.isna(own["mean"]) else ratio(own["mean"]))
        if own["failed"]:
            texts[1], table.marks[row, 1] = f"{DNF} ({own['failed']})", Emphasis.FAILED
    return table


def plot_sections(figures: Figures) -> list[Section]:
    """Speedup over the worker count, overhead and steals: a plot for each instance."""
    sections = []
    for title, (plot_of, shown) in PLOTS.items():
        plots = [plot_of(figures, instance) for instance in figures.instances]
        drawn = [plot for plot in plots if any(curve.points for curve in plot.curves)]
        group = PlotGroup(drawn, guide_text(title))
        sections += [Section(title, [group], shown)] if drawn else []
    return sections


def _curves_of(figures: Figures, instance: str, counts: Sequence[int], name: str) -> list[Curve]:
    """A curve for each scheduler but the baseline: a value at each worker count."""
    curves = []
    for style, scheduler in enumerate(figures.schedulers):
        places = (
            (workers, grid(figures, workers).get((instance, scheduler))) for workers in counts
        )
        cells = {workers: cell for workers, cell in places if cell}
        if scheduler == figures.raw.header["baseline"] or not cells:
            continue
        values = ((float(n), _value_of(figures, cell, name)) for n, cell in cells.items())
        points = [(workers, value) for workers, value in values if value]
        instead = MISSING if list(cells.values())[-1] in figures.times else DNF
        curves.append(Curve(scheduler_in(figures, scheduler, counts[-1]), points, style, instead))
    return curves


def _value_of(figures: Figures, cell: str, name: str) -> Estimate | None:
    """A column of the table, or a counter, which has no interval."""
    if name in figures.table:
        return estimate_in(figures.table.loc[cell], name)
    value = counter_of(figures, cell, name)
    return None if value is None else Estimate(value, value, value)


def _are_far_apart(curves: Sequence[Curve], *others: float) -> bool:
    values = [*others, *(value.median for curve in curves for _, value in curve.points)]
    return bool(values) and min(values) > 0 and max(values) / min(values) > WIDEST_LINEAR


def _speedup_plot(figures: Figures, instance: str) -> Plot:
    most, cells = figures.worker_counts[-1], figures.cells
    curves = _curves_of(figures, instance, figures.worker_counts, "speedup")
    failed = cells[(cells["instance"] == instance) & cells["failure"].notna()]
    names = ", ".join(f"{row.scheduler} at {row.workers}" for row in failed.itertuples())
    # Both axes or neither, so that the ideal is a straight line.
    is_logarithmic = _are_far_apart(curves, 1, most)
    lines = [ReferenceLine("serial (1 worker)" if most > 1 else "serial", [(1, 1), (most, 1)])]
    lines += [ReferenceLine("ideal", [(1, 1), (most, most)])] if most > 1 else []
    title = f"Speedup of {instance}: how many times faster than serial?"
    x = Axis(f"workers{on_processors(figures.raw, most)}", is_logarithmic)
    y = Axis("speedup over serial", is_logarithmic, text_of=ratio)
    return Plot(title, x, y, curves, lines, caption=instance + (names and f" (DNF: {names})"))


def _overhead_plot(figures: Figures, instance: str) -> Plot:
    curves = _curves_of(figures, instance, [1], "overhead")
    title = f"Overhead on {instance}: how much slower than serial is one worker?"
    y = Axis("T1 / Ts", _are_far_apart(curves, 1), text_of=ratio)
    serial = [ReferenceLine("serial", [(1, 1)])]
    return Plot(title, Axis("workers"), y, curves, serial, is_less_better=True, caption=instance)


def _steals_plot(figures: Figures, instance: str) -> Plot:
    """Of two counts of two workers or more: one has nobody to steal from."""
    counts = [workers for workers in figures.worker_counts if workers > 1]
    curves = _curves_of(figures, instance, counts, "steals") if len(counts) > 1 else []
    curves = [curve for curve in curves if curve.points]
    title, is_logarithmic = f"Steals of {instance}: how many in one run?", _are_far_apart(curves)
    x = Axis(f"workers{on_processors(figures.raw, figures.worker_counts[-1])}", is_logarithmic)
    y = Axis("steals", is_logarithmic)
    return Plot(title, x, y, curves, is_less_better=True, caption=instance)


PLOTS = {
    "Speedup": (_speedup_plot, Prominence.SUMMARY),
    "Overhead": (_overhead_plot, Prominence.SUMMARY),
    "Steals": (_steals_plot, Prominence.DETAIL),
}
