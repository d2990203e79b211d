"""What a factor does: strategies beside those that they differ from in that factor alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy
import pandas

from stealbench.figures import Figures
from stealbench.rawfile import RawFile
from stealbench.report.document import Column, Section, Table
from stealbench.report.format import ratio_with_interval
from stealbench.report.guides import guide
from stealbench.report.parts import DNF, estimate_in, with_interval_kind, workers_in_words
from stealbench.statistics import Estimate, difference_p_values, moments, rejected_mostly_right

LEAST_EFFECT = 1.1
"""A ratio that is nearer to 1 counts as no difference, however certain it is.

Where the linker puts a loop changes that much. With one worker, settings of thieves seemed to
change up to 6 %.
"""


def contrasts_of(raw: RawFile) -> list[dict[str, str]]:
    """`factor`, `variant` and `against`, as the first line has them; empty if it is no ablation.

    The factor is `scheduler`, or a setting as `work-stealing:victim`.
    """
    return (raw.header.get("about") or {}).get("ablation") or []


def effects_of(figures: Figures, others: Sequence[Figures] = ()) -> pandas.DataFrame:
    """A row for each worker count, contrast and instance, in this order.

    `factor`, `variant`, `against`, `workers`, `instance`; `cell` and `other`, the benchmarks, or
    None; `failed`: the variant did not finish; `ratio` of times with `ratio_low` and `ratio_high`,
    missing unless both finished; `way`: 1 if the variant is slower, -1 if it is faster, 0 if
    neither is shown; `elsewhere_low` and `elsewhere_high`: the least and the greatest ratio of
    medians with other costs of the simulated machine, those that the run varied and those of
    `others`; `is_contradicted`: one of these does not go that way.

    What is shown needs six rounds or seeds of every benchmark that finished, LEAST_EFFECT, and a
    difference that is left after the correction for the number of comparisons: of every instance
    and worker count they are one family, and of the differences found 5 % are none on average
    (Benjamini & Hochberg; results/evidence.md says why).
    """
    effects = _compared(figures)
    pairs = {index: (row["cell"], row["other"]) for index, row in effects.iterrows()}
    finished = {
        str(index): pair for index, pair in pairs.items() if figures.times.keys() >= set(pair)
    }
    ratios = figures.ratios(finished)
    ratios.index = ratios.index.astype(int)
    for column, name in (("median", "ratio"), ("low", "ratio_low"), ("high", "ratio_high")):
        effects[name] = ratios[column].reindex(effects.index)
    effects["way"] = 0
    _find_ways(figures, effects, finished)
    return _with_other_costs(effects, figures, others)


def _compared(figures: Figures) -> pandas.DataFrame:
    table = figures.table
    plain = table[(table["varied"] == "") & (table["build"] == "") & (table["machine"] == "")]
    keys = zip(plain["instance"], plain["scheduler"], plain["workers"])
    cells = dict(zip(keys, map(str, plain.index)))
    rows: list[dict[str, Any]] = []
    for workers in figures.worker_counts:
        for contrast in contrasts_of(figures.raw):
            for instance in figures.instances:
                cell = cells.get((instance, contrast["variant"], workers))
                other = cells.get((instance, contrast["against"], workers))
                row = {"workers": workers, "instance": instance, "cell": cell, "other": other}
                failed = cell is not None and cell not in figures.times
                rows.append(row | contrast | {"failed": failed})
    return pandas.DataFrame(rows)


def _find_ways(
    figures: Figures, effects: pandas.DataFrame, finished: dict[str, tuple[str, str]]
) -> None:
    if not finished or not figures.have_intervals:
        return
    of_cells = {cell: moments(times) for cell, times in figures.times.items()}
    over, under = ([of_cells[pair[side]] for pair in finished.values()] for side in (0, 1))
    differs = rejected_mostly_right(difference_p_values(over, under).tolist())
    rows = effects.loc[[int(key) for key in finished]]
    is_greater = numpy.array([a[0] > b[0] for a, b in zip(over, under)])
    is_less = numpy.array([a[0] < b[0] for a, b in zip(over, under)])
    slower = numpy.array(differs) & is_greater & (rows["ratio"] >= LEAST_EFFECT)
    faster = numpy.array(differs) & is_less & (rows["ratio"] <= 1 / LEAST_EFFECT)
    effects.loc[rows.index, "way"] = slower.astype(int) - faster.astype(int)


def _with_other_costs(
    effects: pandas.DataFrame, figures: Figures, others: Sequence[Figures]
) -> pandas.DataFrame:
    varied = figures.table["varied"]
    tables = [(figures.table, cost) for cost in varied.unique() if cost]
    tables += [(other.table, "") for other in others]
    columns = []
    for table, cost in tables:
        seconds = table[table["varied"] == cost].set_index(["instance", "scheduler", "workers"])
        times = seconds["seconds"][~seconds.index.duplicated()]
        over, under = (
            times.reindex(pandas.MultiIndex.from_frame(effects[["instance", side, "workers"]]))
            for side in ("variant", "against")
        )
        columns.append(over.to_numpy() / under.to_numpy())
    elsewhere = pandas.DataFrame(dict(enumerate(columns)), index=effects.index)
    elsewhere = elsewhere.where(effects["ratio"].notna(), numpy.nan)
    low, high = elsewhere.min(axis=1), elsewhere.max(axis=1)
    contradicted = ((effects["way"] > 0) & (low < LEAST_EFFECT)) | (
        (effects["way"] < 0) & (high > 1 / LEAST_EFFECT)
    )
    return effects.assign(elsewhere_low=low, elsewhere_high=high, is_contradicted=contradicted)


def mean_effect(figures: Figures, effects: pandas.DataFrame) -> Estimate | None:
    """The geometric mean of the ratios of these rows; None if none has one."""
    rows = effects[effects["ratio"].notna()]
    return figures.mean_ratio(list(rows["cell"]), list(rows["other"])) if len(rows) else None


def ratio_text(row: Any) -> str:
    """`1.93 × [1.90, 2.01]`, of a row of effects."""
    return DNF if row["failed"] else ratio_with_interval(estimate_in(row, "ratio"))


def sections_of_one(figures: Figures) -> list[Section]:
    """Of an ablation a table for each worker count: contrasts by instance. Else nothing."""
    if not contrasts_of(figures.raw):
        return []
    section = guide("Ablation by workload")
    names = ["variant", "compared with", "factor"]
    columns = [Column(name, is_name=True) for name in names] + list(map(Column, figures.instances))
    keys = ["variant", "against", "factor"]
    for workers, effects in effects_of(figures).groupby("workers"):
        title = (
            f"ablation, {workers_in_words(figures, int(workers))}:"
            " median time ÷ that of what it is compared with"
        )
        table = Table(with_interval_kind(title, figures.have_intervals), columns)
        for key, rows in effects.groupby(keys, sort=False):
            table.rows.append([*key, *(ratio_text(row) for _, row in rows.iterrows())])
        section.blocks.append(table)
    return [section]
