"""How small a task may be: minimum effective task granularity, METG (Slaughter et al., SC 2020).

The same tasks are run with ever less work in each. As they shrink, what the scheduler adds to each
weighs more, and the efficiency falls; METG(50 %) is the time per task, overhead included, where it
falls through 50 %.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy

from stealbench.analysis.sweeps import Sweep, sweeps_over
from stealbench.cell import Cell
from stealbench.errors import BadInput
from stealbench.figures import Figures
from stealbench.statistics import Estimate, Floats, Indices, bootstrap, middle_of

NEARLY_ALL = 0.95
"""Above it half the work is as efficient as all."""
ABOVE_ALL = 1.05
"""An efficiency above it is no noise: the largest task is no measure of its unit of work."""


@dataclass(frozen=True)
class Curve:
    """One scheduler with one number of workers on one graph: a row for each work, the most first."""

    graph: str
    scheduler: str
    workers: int
    failure: str
    """Of a benchmark of it, which leaves no row; empty if all finished."""
    work: Floats
    """In each task, in units."""
    seconds: Floats
    """A column for each round that all have."""
    workers_per_task: float
    """Over the number of tasks."""
    is_disturbed: bool
    """The workers waited for a processor with some work."""

    @property
    def medians(self) -> Floats:
        """Seconds of a run."""
        return middle_of(numpy.sort(self.seconds, axis=1))

    @property
    def task_seconds(self) -> Floats:
        """Seconds × workers over tasks: what a worker spends on one task."""
        return self.medians * self.workers_per_task

    @property
    def efficiency(self) -> Floats:
        """Work per second, relative to that of the largest task."""
        return efficiency_of(self.work, self.medians[:, None])[:, 0]

    @property
    def is_level(self) -> bool:
        """Whether half the work, or less, is still nearly as efficient as the largest task.

        Where it is not, larger tasks would be more efficient yet: METG is a lower bound.
        """
        return bool((self.efficiency[2 * self.work <= self.work[0]] >= NEARLY_ALL).any())

    @property
    def exceeds_all(self) -> bool:
        """Whether a smaller task did more work per second than the largest: METG is a bound."""
        return bool(self.efficiency.max() > ABOVE_ALL)


def efficiency_of(work: Floats, seconds: Floats) -> Floats:
    """Work per second, relative to that of the first row: a column for each resample."""
    rates = work[:, None] / seconds
    return numpy.asarray(rates / rates[0])


def crossings(task_seconds: Floats, efficiency: Floats, threshold: float) -> Floats:
    """The task time in seconds at which each column falls through `threshold` (at most 1), or nan.

    From the point of the least task time that is at least so efficient, linearly to the next one,
    with less work, that is not. So a dip among large tasks, which is noise, does not count.
    """
    is_above = efficiency >= threshold
    columns = numpy.arange(efficiency.shape[1])
    last_first = numpy.where(is_above, task_seconds, numpy.inf)[::-1]
    least = len(efficiency) - 1 - last_first.argmin(axis=0)
    is_after = numpy.arange(len(efficiency))[:, None] > least
    is_below = ~is_above & is_after
    below = is_below.argmax(axis=0)
    above_time, above_part = task_seconds[least, columns], efficiency[least, columns]
    below_time, below_part = task_seconds[below, columns], efficiency[below, columns]
    has_crossing = is_below.any(axis=0)
    share = (above_part - threshold) / numpy.where(has_crossing, above_part - below_part, 1)
    # Where noise makes less work take longer, the point above is the least one all the same.
    crossing = numpy.minimum(above_time, above_time + share * (below_time - above_time))
    return numpy.where(has_crossing, crossing, numpy.nan)


def estimate_metg(curve: Curve, thresholds: Sequence[float]) -> list[Estimate | None]:
    """METG in seconds, None where there is no crossing. Whole rounds are resampled.

    A resample that has no crossing counts as the task time at the end of the curve.
    """

    def crossings_of(seconds: Floats) -> Floats:
        tasks, efficiency = seconds * curve.workers_per_task, efficiency_of(curve.work, seconds)
        return numpy.stack([crossings(tasks, efficiency, part) for part in thresholds])

    def of_resamples(drawn: Indices) -> Floats:
        seconds = middle_of(numpy.sort(curve.seconds[:, drawn], axis=2))
        crossed = crossings_of(seconds)
        return numpy.where(numpy.isnan(crossed), seconds[-1] * curve.workers_per_task, crossed)

    middles = crossings_of(curve.medians[:, None])[:, 0]
    estimates = bootstrap(curve.seconds.shape[1], middles, of_resamples).tolist()
    return [None if math.isnan(estimate[0]) else Estimate(*estimate) for estimate in estimates]


def curves_of(figures: Figures) -> list[Curve]:
    """By graph, in the order of the file. Benchmarks of no graph are left out. Raises BadInput."""
    curves = []
    for graph in figures.raw.header["about"]["graphs"]:
        if graph["tasks"] <= 0:
            raise BadInput(f"the graph {graph['name']} has no task; valid: one or more")
        parameters = tuple(graph["parameters"].items())
        instance = Cell(graph["workload"], parameters, "", 1).instance
        curves += [
            _curve(figures, graph, sweep)
            for sweep in sweeps_over(figures, graph["work"])
            if sweep.instance == instance
        ]
    return curves


def _curve(figures: Figures, graph: dict[str, Any], sweep: Sweep) -> Curve:
    failures = sweep.table["failure"].dropna()
    rows = sweep.finished.iloc[::-1]
    if len(failures):
        rows = rows.iloc[:0]
    elif not rows["value"].iloc[0] > 0:
        raise BadInput(f"the largest task of {sweep.instance} has no work; valid: one unit or more")
    times = [figures.times[str(cell)] for cell in rows.index]
    rounds = min(map(len, times), default=0)
    return Curve(
        graph["name"],
        sweep.scheduler,
        sweep.workers,
        failures.iloc[0] if len(failures) else "",
        rows["value"].to_numpy(float),
        numpy.array([row[:rounds] for row in times]),
        float(rows["worker_count"].max()) / graph["tasks"] if len(rows) else 0,
        bool(rows["is_disturbed"].any()),
    )
