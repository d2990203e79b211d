"""How far simulated times are from measured ones, benchmark by benchmark: `simulate --check`."""

from __future__ import annotations

from typing import Any

import numpy
import pandas

from stealbench.analysis.simulation import foreign_units, shares_of
from stealbench.errors import BadInput
from stealbench.figures import Figures
from stealbench.report.parts import context_of, text_at
from stealbench.statistics import Separation, median

CONTENDED_ABOVE = 0.1
"""A benchmark is contended if its workers wait for a greater part of their time."""

# What the model is to reach on benchmarks whose parameters were not calibrated.
GOAL_MEDIAN_ERROR = 0.05
"""Of uncontended ones, at most."""
GOAL_NINTH_DECILE_ERROR = 0.15
"""Likewise."""
GOAL_FACTOR = 2
"""Of contended ones, the greatest at most."""


class Validation:
    """A measurement and a simulation of the same benchmarks.

    `cells`: a row for each that finished in both, in the order of the measurement: `instance`,
    `scheduler`, `workers`; `measured` and `simulated` median times in seconds, each with _low and
    _high; `waiting`, `is_contended`; `unit_from`, the instance whose price of a unit was taken,
    empty for its own: with other parameters nothing was calibrated, `is_held_out`; `error`, signed,
    as a part of the measured time; `factor`, at least 1.
    `pairs`: two schedulers that the measurement tells apart, `faster` and `slower`, `is_right` if
    the simulation has them in this order, `is_contended` if one is, `is_held_out`.
    `unpaired`: by name, why a benchmark of either is not compared.
    Raises BadInput unless they have a benchmark in common that finished in both.
    """

    def __init__(self, measured: Figures, simulated: Figures) -> None:
        self.measured, self.simulated = measured, simulated
        self.unpaired = _unpaired(measured, simulated)
        names = [
            name for name in measured.times if name in simulated.times and name not in self.unpaired
        ]
        if not names:
            raise BadInput(
                "the measurement and the simulation have no benchmark in common that finished in"
                " both; valid: two that ran some of the same schedulers, workloads and worker"
                " counts"
            )
        self.cells = measured.table.loc[names, ["instance", "scheduler", "workers"]].copy()
        for figures, name in ((measured, "measured"), (simulated, "simulated")):
            for suffix in ("", "_low", "_high"):
                self.cells[name + suffix] = figures.table["seconds" + suffix]
        self.cells["waiting"] = waiting_shares(simulated).reindex(names)
        self.cells["is_contended"] = self.cells["waiting"] > CONTENDED_ABOVE
        self.cells["unit_from"] = pandas.Series(foreign_units(simulated.raw)).reindex(names)
        self.cells["is_held_out"] = self.cells["unit_from"] != ""
        ratio = self.cells["simulated"] / self.cells["measured"]
        self.cells["error"] = ratio - 1
        self.cells["factor"] = numpy.maximum(ratio, 1 / ratio)
        self.pairs = self._find_pairs()

    def _find_pairs(self) -> pandas.DataFrame:
        groups = [
            list(rows.index) for _, rows in self.cells.groupby(["instance", "workers"], sort=False)
        ]
        times = self.measured.times
        separation = Separation([[times[name] for name in group] for group in groups])
        pairs = [
            (group[faster], group[slower])
            for at, group in enumerate(groups)
            for faster in range(len(group))
            for slower in range(len(group))
            if separation.is_slower(at, slower, faster)
        ]
        table = pandas.DataFrame(pairs, columns=["faster", "slower"], dtype=object)
        fast, slow = (self.cells.loc[table[side]].reset_index() for side in table)
        table["is_right"] = fast["simulated"] < slow["simulated"]
        table["is_contended"] = fast["is_contended"] | slow["is_contended"]
        table["is_held_out"] = fast["is_held_out"]
        return table

    def held_out(self, is_contended: bool) -> pandas.DataFrame:
        """The benchmarks held out that are contended, or those that are not."""
        return self.cells[self.cells["is_held_out"] & (self.cells["is_contended"] == is_contended)]

    def doubts(self) -> list[str]:
        """Why the comparison may be unfair."""
        measured, simulated = self.measured.raw, self.simulated.raw
        profile = simulated.header["about"]["profile"]
        processor = text_at(context_of(measured), "processor")
        commits = [text_at(context_of(raw), "commit") for raw in (measured, simulated)]
        doubts = []
        # The profile may say more of the processor.
        if not str(profile["processor"]).startswith(processor):
            doubts.append(
                f"the processor that was measured is {processor}, and the profile is of"
                f" {profile['processor']}"
            )
        if commits[0] != commits[1]:
            doubts.append(f"commit {commits[0]} was measured, and {commits[1]} simulated")
        for raw, name in ((measured, "measurement"), (simulated, "simulation")):
            if not raw.is_finished:
                doubts.append(f"the {name} is not finished")
        return doubts

    def accuracy(self) -> dict[str, Any]:
        """What a profile states as its accuracy, of the benchmarks held out.

        Median and ninth decile of the uncontended errors, ninth decile of the contended factors,
        and how many they are. Raises BadInput if none held out is contended, or none is not.
        """
        kinds = [(self.held_out(is_contended), is_contended) for is_contended in (False, True)]
        for cells, is_contended in kinds:
            if cells.empty:
                kind = "contended" if is_contended else "uncontended"
                raise BadInput(
                    f"no benchmark held out is {kind}, so the accuracy of a profile cannot be"
                    " known; valid: runs of more workloads and worker counts"
                )
        uncontended, contended = (errors_of(cells) for cells, _ in kinds)
        return {
            "median_error": round(uncontended["median"], 4),
            "ninth_decile_error": round(uncontended["ninth_decile"], 4),
            "contended_factor": round(contended["ninth_decile_factor"], 4),
            "cells": len(kinds[0][0]) + len(kinds[1][0]),
        }


def _unpaired(measured: Figures, simulated: Figures) -> dict[str, str]:
    reasons = {}
    for name in measured.table.index:
        if name not in simulated.table.index:
            reasons[name] = "not simulated"
            continue
        kinds = ((measured, "measurement"), (simulated, "simulation"))
        failures = [
            f"{kind}: {figures.table.at[name, 'failure']}"
            for figures, kind in kinds
            if name not in figures.times
        ]
        if failures:
            reasons[name] = "; ".join(failures)
    for name, varied in simulated.table["varied"].items():
        if not varied and name not in measured.table.index:
            reasons[str(name)] = "not measured"
    return reasons


def waiting_shares(simulated: Figures) -> pandas.Series:
    """By benchmark the part of the workers' time, simulated, in which they wait for cache lines.

    Or, if that is more, for cache lines and locks while they run tasks. Of a worker that looks for
    a task, the simulation does not tell sleep in a lock from sleep for want of tasks.
    """
    lines = shares_of(simulated)["lines"]
    firsts = simulated.rounds[simulated.rounds["round"] == 1].set_index("cell")
    busy = pandas.Series(
        {
            name: 1e-9 * sum(worker["busy_ns"] for worker in counters["per_worker"])
            for name, counters in simulated.raw.counters.items()
            if counters and "per_worker" in counters
        },
        dtype=float,
    )
    # The counters are those of the first seed.
    part = busy / (firsts["seconds"] * firsts["worker_count"])
    running = part - firsts["work_share"] - firsts["overhead_share"]
    return numpy.fmax(lines, running.reindex(lines.index))


def ninth_decile(values: pandas.Series) -> float:
    """The least value that nine in ten do not exceed."""
    return float(sorted(values)[(9 * len(values) + 9) // 10 - 1])


def errors_of(cells: pandas.DataFrame) -> dict[str, float]:
    """Of rows of `Validation.cells`, one at least: the errors without their signs, and factors."""
    sizes, factors = cells["error"].abs(), cells["factor"]
    return {
        "median": median(sizes),
        "ninth_decile": ninth_decile(sizes),
        "greatest": float(sizes.max()),
        "bias": median(cells["error"]),
        "ninth_decile_factor": ninth_decile(factors),
        "greatest_factor": float(factors.max()),
    }
