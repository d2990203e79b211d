"""Benchmarks that differ in one parameter alone: a grain, or the work in each task."""

from __future__ import annotations

from typing import NamedTuple

import pandas

from stealbench.errors import BadInput
from stealbench.figures import Figures
from stealbench.cell import Cell
from stealbench.shape import shown


class Sweep(NamedTuple):
    """One scheduler with one number of workers on one instance, at each value of a parameter."""

    instance: str
    """Without the parameter."""
    scheduler: str
    workers: int
    table: pandas.DataFrame
    """Rows of `Figures.table` in the order of the file, and `value`: that of the parameter."""

    @property
    def finished(self) -> pandas.DataFrame:
        """Without those that failed, by ascending value."""
        return self.table[self.table["failure"].isna()].sort_values("value")


def _value_of(cell: Cell, parameter: str) -> int:
    text = dict(cell.parameters).get(parameter, "0")
    if text.isascii() and text.isdecimal() and len(text) < 20:
        return int(text)
    raise BadInput(f"{parameter} of {shown(cell.name)} is no whole number; valid: 0 or more")


def sweeps_over(figures: Figures, parameter: str) -> list[Sweep]:
    """In the order of the file. Raises BadInput if a value is no whole number or comes twice."""
    cells = figures.raw.cells.values()
    rest = [
        tuple((key, value) for key, value in cell.parameters if key != parameter) for cell in cells
    ]
    table = figures.table.assign(
        value=[float(_value_of(cell, parameter)) for cell in cells],
        instance=[Cell(cell.workload, others, "", 1).instance for cell, others in zip(cells, rest)],
    )
    of_sweep = ["instance", "scheduler", "workers"]
    twice = table[table.duplicated([*of_sweep, "value"])]
    if len(twice):
        raise BadInput(f"{shown(twice.index[0])} has a {parameter} that another one has, too")
    return [
        Sweep(str(key[0]), str(key[1]), int(key[2]), rows)
        for key, rows in table.groupby(of_sweep, sort=False)
    ]
