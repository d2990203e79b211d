"""What runs must have in common before one thing is said of all: strategies and workloads."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from stealbench.cell import Cell
from stealbench.figures import Figures
from stealbench.rawfile import RawFile

FEWEST_STRATEGIES = 3
"""With fewer a ranking says no more than one ratio."""


def families(figures: Figures) -> dict[str, list[str]]:
    """The instances of each family of workloads that the first line names, by its name."""
    by_workload = figures.raw.header.get("families") or {}
    instances: dict[str, list[str]] = {}
    for row in figures.table.drop_duplicates("instance").itertuples():
        if row.workload in by_workload:
            instances.setdefault(by_workload[row.workload], []).append(str(row.instance))
    return instances


def strategies_with(raw: RawFile, workers: int) -> int:
    """How many have a benchmark with so many workers: `serial` has one with the most alone."""
    return len({cell.scheduler for cell in raw.cells.values() if cell.workers == workers})


def has_regret(raw: RawFile) -> bool:
    """Whether it compares three strategies or more with some worker count."""
    counts = {cell.workers for cell in raw.cells.values()}
    return raw.experiment in ("compare", "simulate") and any(
        strategies_with(raw, workers) >= FEWEST_STRATEGIES for workers in counts
    )


def base_of(raw: RawFile) -> str:
    """The strategy that most others of an ablation are compared with; empty if it is none."""
    contrasts = (raw.header.get("about") or {}).get("ablation") or []
    counts = Counter(contrast["against"] for contrast in contrasts)
    return min(counts, key=lambda name: (-counts[name], name), default="")


def reported_workers(raw: RawFile) -> list[int]:
    """The worker counts that three strategies have; of a simulation those that it reports.

    One worker may have been simulated for the speedup alone.
    """
    measured = {cell.workers for cell in raw.cells.values()}
    counts = raw.header["about"]["workers"] if raw.is_simulated else measured
    return [count for count in sorted(counts) if strategies_with(raw, count) >= FEWEST_STRATEGIES]


def restricted(raw: RawFile, is_kept: Callable[[Cell], bool]) -> RawFile:
    """The same of some benchmarks alone."""
    kept = {name: cell for name, cell in raw.cells.items() if is_kept(cell)}
    by_cell = ("counters", "simulations", "failures", "rounds")
    parts: dict[str, Any] = {
        part: {name: value for name, value in getattr(raw, part).items() if name in kept}
        for part in by_cell
    }
    processes = [row for row in raw.processes if row["cell"] in kept]
    return dataclasses.replace(raw, cells=kept, processes=processes, **parts)


def comparable(runs: Iterable[RawFile]) -> list[RawFile]:
    """Of each run that has regret what all of them have; none if too few strategies are left.

    The best of more strategies, or on other workloads, is another one.
    """
    kept = [raw for raw in runs if has_regret(raw)]
    while kept:
        schedulers, instances = (
            [{getattr(cell, part) for cell in raw.cells.values()} for raw in kept]
            for part in ("scheduler", "instance")
        )
        common = (set.intersection(*schedulers), set.intersection(*instances))
        if len(common[0]) < FEWEST_STRATEGIES or not common[1]:
            return []
        if all(parts == common for parts in zip(schedulers, instances)):
            break
        # It may take a scheduler away that a run has on other instances alone, so look once more.
        kept = [
            restricted(raw, lambda cell: cell.scheduler in common[0] and cell.instance in common[1])
            for raw in kept
        ]
    return kept
