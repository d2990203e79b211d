"""Of a simulation: curves over the worker counts, and where the workers' time went."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import pandas

from stealbench.figures import Figures
from stealbench.rawfile import SHARES, RawFile
from stealbench.statistics import Estimate

LEAST_SHARE = 0.0005
"""What is not written as 0.0 %."""


def shares_of(figures: Figures) -> pandas.DataFrame:
    """By benchmark, of workers × seconds: the mean over the seeds of each of SHARES.

    The sum of a row is 1.
    """
    columns = {f"{share}_share": share for share in SHARES}
    means: pandas.DataFrame = figures.rounds.groupby("cell", sort=False)[list(columns)].mean()
    return means.rename(columns=columns)


def hot_lines(raw: RawFile, cell: str) -> list[tuple[str, float]]:
    """The cache lines that workers waited for, by the mean of the share over the seeds.

    The hottest first.
    """
    simulations = raw.simulations.get(cell, [])
    shares: dict[str, float] = {}
    for simulation in simulations:
        for line in simulation.get("lines") or []:
            shares[line["name"]] = shares.get(line["name"], 0) + line["share"] / len(simulations)
    return sorted(shares.items(), key=lambda line: (-line[1], line[0]))


def foreign_units(raw: RawFile) -> dict[str, str]:
    """By benchmark the instance whose price of a unit was taken; empty for its own."""
    firsts = {cell: simulations[0] for cell, simulations in raw.simulations.items()}
    units = {cell: str(simulation.get("unit_from") or "") for cell, simulation in firsts.items()}
    return {cell: "" if unit == "this instance" else unit for cell, unit in units.items()}


@dataclass(frozen=True)
class Curve:
    """One scheduler on one instance: rows of `Figures.table`.

    `points` by ascending worker count, those that the first line reports: one worker may be
    simulated for the speedup alone. `varied`: the same with one cost of the profile multiplied.
    """

    instance: str
    scheduler: str
    points: pandas.DataFrame
    varied: pandas.DataFrame


def curves_of(figures: Figures) -> list[Curve]:
    """By instance and scheduler, in the order of the first line."""
    table = figures.table
    counts = figures.raw.header["about"]["workers"]
    places = table.groupby(["instance", "scheduler"], sort=False).indices
    curves = []
    for key in itertools.product(figures.instances, figures.schedulers):
        own = table.iloc[places.get(key, [])]
        points = own[own["workers"].isin(counts) & (own["varied"] == "")]
        if len(points):
            points = points.sort_values("workers", kind="stable")
            curves.append(Curve(*key, points, own[own["varied"] != ""]))
    return curves


def cost_of(varied: str) -> tuple[str, float]:
    """`transfer=0.5`: a cost of the profile (transfer, wake or jitter) and its factor."""
    cost, _, factor = varied.partition("=")
    return cost, float(factor or 1)


def cost_ratios(figures: Figures) -> dict[str, Estimate]:
    """By benchmark with a cost varied, its time over that with the profile's own cost."""
    cells = figures.raw.cells
    unvaried = {name: name.replace(f"/vary:{cells[name].varied}", "") for name in cells}
    pairs = {
        name: (name, unvaried[name])
        for name in figures.times
        if cells[name].varied and unvaried[name] in figures.times
    }
    return {str(row[0]): Estimate(*row[1:]) for row in figures.ratios(pairs).itertuples()}
