"""Benchmarks that differ in one parameter alone: a grain, or the work in each task."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from stealbench.cell import Cell
from stealbench.figures import Figures
from stealbench.report.parts import scheduler_in, workers_in_words

EFFICIENCY = ["efficiency", "efficiency_low", "efficiency_high"]


class Sweep(NamedTuple):
    """`rows` of `Figures.cells`, in the order of the file, with `value`: that of the parameter."""

    figures: Figures
    instance: str  # Without the parameter.
    scheduler: str
    workers: int
    rows: Any

    @property
    def name(self) -> str:
        """`serial (1 worker)`, `openmp`: the curve among those with as many workers."""
        return scheduler_in(self.figures, self.scheduler, self.workers)

    @property
    def on_workers(self) -> str:
        """`16 workers on 2 processors`."""
        return workers_in_words(self.figures, self.workers)

    def finished(self, is_ascending: bool) -> Any:
        """The rows that have a time, in the order of their values."""
        rows = self.rows[self.rows["failure"].isna()]
        return rows.sort_values("value", ascending=is_ascending)

    def efficiency(self, best: str, rows: Any) -> Any:
        """The time of the best over that of each row, in the same rounds, with its interval."""
        return self.figures.ratios({cell: (best, cell) for cell in rows.index})


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
        yield Sweep(figures, instance, scheduler, workers, rows)
