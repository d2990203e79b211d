"""Benchmarks that differ in one parameter alone: a grain, or the work in each task."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from stealbench.cell import Cell
from stealbench.figures import Figures
from stealbench.report.parts import scheduler_in, workers_in_words


class Sweep(NamedTuple):
    """`rows` of `Figures.cells`, by ascending `value`: that of the parameter."""

    instance: str  # Without the parameter.
    scheduler: str
    workers: int
    name: str  # `serial (1 worker)`: the scheduler among those with as many workers.
    on_workers: str  # `16 workers on 2 processors`.
    rows: Any


def sweeps_over(figures: Figures, parameter: str) -> Iterator[Sweep]:
    """By instance without the parameter, scheduler and worker count, in the order of the file."""
    values, instances = [], []
    for cell in figures.raw.cells.values():
        rest = dict(cell.parameters)
        values.append(float(rest.pop(parameter, "0")))
        instances.append(Cell(cell.workload, tuple(rest.items()), "", 1).instance)
    table = figures.cells.assign(value=values, instance=instances)
    of_sweep = ["instance", "scheduler", "workers"]
    for (instance, scheduler, workers), rows in table.groupby(of_sweep, sort=False):
        name = scheduler_in(figures, scheduler, workers)
        on_workers, rows = workers_in_words(figures, workers), rows.sort_values("value")
        yield Sweep(instance, scheduler, workers, name, on_workers, rows)
