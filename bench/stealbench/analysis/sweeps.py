"""Benchmarks that differ in one parameter alone: a grain, or the work in each task."""

from __future__ import annotations

from typing import Any

from stealbench.cell import Cell
from stealbench.figures import Figures

OF_SWEEP = ["instance", "scheduler", "workers"]


def sweeps_over(figures: Figures, parameter: str) -> Any:
    """The rows of `Figures.cells` by instance without the parameter, scheduler and worker count,
    in the order of the file, and `value`: that of the parameter."""
    values, instances = [], []
    for cell in figures.raw.cells.values():
        rest = dict(cell.parameters)
        values.append(float(rest.pop(parameter, "0")))
        instances.append(Cell(cell.workload, tuple(rest.items()), "", 1).instance)
    table = figures.cells.assign(value=values, instance=instances)
    return table.groupby(OF_SWEEP, sort=False)
