"""What a factor does: strategies beside those that they differ from in that factor alone.

Of one ablation, and of all of a folder, measured and simulated: which factors matter, and where.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Sequence
from typing import Any

import numpy
import pandas

from stealbench.analysis import regret
from stealbench.analysis.regret import contrasts_of
from stealbench.analysis.tabulate import name, number, tabulate
from stealbench.figures import Figures
from stealbench.report.document import Prominence, Section
from stealbench.report.format import MISSING, ratio, ratio_with_interval
from stealbench.report.guides import guide
from stealbench.report.origin import machine_note, name_machine, simulation_note
from stealbench.report.parts import DNF, estimate_in, greatest_first, not_told_apart_yet, say
from stealbench.report.parts import with_interval_kind, workers_in_words
from stealbench.statistics import difference_p_values, moments, rejected_mostly_right

LEAST_EFFECT = 1.1
"""A ratio that is nearer to 1 counts as no difference, however certain it is.

Where the linker puts a loop changes that much. With one worker, settings of thieves seemed to
change up to 6 %.
"""
MANY = 2  # More simulated workers than this are many.
CONTRAST = ["variant", "against", "factor"]
RATIO = ["ratio", "ratio_low", "ratio_high"]


@functools.lru_cache(maxsize=64)
def effects_of(figures: Figures) -> pandas.DataFrame:
    """A row for each worker count, contrast and instance, in this order.

    CONTRAST, `workers`, `instance`; `cell` and `other`, the benchmarks, or missing; `failed`: the
    variant did not finish; RATIO, of times, missing unless both finished; `way`: 1 if the variant
    is slower, -1 if it is faster, 0 if neither is shown.

    What is shown needs six rounds or seeds of every benchmark that finished, LEAST_EFFECT, and a
    difference that is left after the correction for the number of comparisons: of every instance
    and worker count they are one family, and of the differences found 5 % are none on average
    (Benjamini & Hochberg; results/evidence.md says why).
    """
    cells = figures.comparable(varied="")
    places = dict(zip(zip(cells["instance"], cells["scheduler"], cells["workers"]), cells.index))
    contrasts = contrasts_of(figures.raw)
    combined = itertools.product(figures.worker_counts, contrasts, figures.instances)
    effects = pandas.DataFrame(
        {**one, "workers": workers, "instance": instance} for workers, one, instance in combined
    )
    for column, side in (("cell", "variant"), ("other", "against")):
        keys = zip(effects["instance"], effects[side], effects["workers"])
        effects[column] = [places.get(key) for key in keys]
    effects["failed"] = effects["cell"].isin(cells.index[cells["failure"].notna()])
    have_both = effects[["cell", "other"]].isin(list(figures.times)).all(axis=1)
    pairs = {row.Index: (row.cell, row.other) for row in effects[have_both].itertuples()}
    ratios = figures.ratios(pairs)
    effects = effects.join(ratios.set_axis(RATIO, axis=1)).assign(way=0)
    if pairs and figures.have_intervals:
        of_cells = {cell: moments(times) for cell, times in figures.times.items()}
        over, under = ([of_cells[pair[side]] for pair in pairs.values()] for side in (0, 1))
        differs = rejected_mostly_right(difference_p_values(over, under))
        means = numpy.sign([above[0] - below[0] for above, below in zip(over, under)])
        slower = differs & (means > 0) & (ratios["median"] >= LEAST_EFFECT)
        faster = differs & (means < 0) & (ratios["median"] <= 1 / LEAST_EFFECT)
        effects.loc[ratios.index, "way"] = slower.astype(int) - faster.astype(int)
    return effects


def sections_of_one(figures: Figures) -> list[Section]:
    """Of an ablation a table for each worker count: contrasts by instance. Else nothing."""
    if not contrasts_of(figures.raw):
        return []
    section = guide("Ablation by workload")
    headers = ["variant", "compared with", "factor"]
    columns = [name(header, operator.itemgetter(at)) for at, header in enumerate(headers)]
    for at, instance in enumerate(figures.instances, len(headers)):
        columns.append(number(instance, operator.itemgetter(at)))
    for workers, effects in effects_of(figures).groupby("workers"):
        title = f"ablation, {workers_in_words(figures, int(workers))}:"
        title += " median time ÷ that of what it is compared with"
        rows = [
            [*contrast, *map(_ratio_text, own.to_dict("records"))]
            for contrast, own in effects.groupby(CONTRAST, sort=False)
        ]
        kind = with_interval_kind(title, figures.have_intervals)
        section.blocks.append(tabulate(kind, columns, rows))
    return [section]


def _ratio_text(row: Any) -> str:
    return DNF if row["failed"] else ratio_with_interval(estimate_in(row, "ratio"))


def _reach(factor: str, effects: pandas.DataFrame) -> tuple[float, float]:
    """The least and the greatest ratio that is shown to be a difference; else 1."""
    shown = effects.loc[(effects["factor"] == factor) & (effects["way"] != 0), "ratio"]
    return min([1, *shown]), max([1, *shown])


def _reach_in_words(figures: Figures, effects: pandas.DataFrame, factor: str) -> str:
    low, high = _reach(factor, effects)
    shown = "none" if low == high else f"{ratio(low)} to {ratio(high)}"
    return shown if figures.have_intervals else "not told apart yet"


def _gain_in_words(figures: Figures, effects: pandas.DataFrame, contrast: tuple[str, str]) -> str:
    """`1.09 × +5 −1`: slower on five instances, faster on one."""
    rows = effects[(effects[CONTRAST[:2]] == contrast).all(axis=1)]
    failed, pairs = int(rows["failed"].sum()), rows[rows["ratio"].notna()]
    if pairs.empty:
        return DNF if failed else MISSING
    mean = figures.mean_ratio(list(pairs["cell"]), list(pairs["other"]))
    counts = {"+": int((rows["way"] > 0).sum()), "−": int((rows["way"] < 0).sum())}
    text = ratio(mean.median) + "".join(f" {sign}{n}" for sign, n in counts.items() if n)
    return f"{text}, {failed} {DNF}" if failed else text


def sections_of(runs: Sequence[Figures]) -> list[Section]:
    """Which factors matter where, and what each variant gains or costs, by all ablations of these.

    Regret comes first. Nothing if none is an ablation.
    """
    ablations = [figures for figures in runs if contrasts_of(figures.raw)]
    if not ablations:
        return []
    findings = Section("What matters", shown=Prominence.SUMMARY)
    tables = Section("Factors and variants", shown=Prominence.TABLES)
    effects = pandas.concat(map(effects_of, ablations))
    factors, contrasts = effects["factor"].unique(), effects[CONTRAST[:2]].drop_duplicates()
    reaches, gains = [name("factor", str)], [
        name(of, operator.itemgetter(at)) for at, of in enumerate(("variant", "compared with"))
    ]
    scopes: dict[str, list[tuple[Figures, pandas.DataFrame]]] = {}
    for figures in ablations:
        for workers, rows in effects_of(figures).groupby("workers"):
            is_simulated, words = figures.raw.is_simulated, workers_in_words(figures, int(workers))
            heading = words + ", simulated" * is_simulated
            reaches.append(number(heading, functools.partial(_reach_in_words, figures, rows)))
            gains.append(number(heading, functools.partial(_gain_in_words, figures, rows)))
            few = f"few workers (at most {MANY})" if workers <= MANY else "many workers"
            scope = f"Simulated with {few}" if is_simulated else "Measured"
            scopes.setdefault(scope, []).append((figures, rows))
    reach = "what a factor changes: the least and the greatest ratio of times"
    gain = "variants: geometric mean of the ratios, and on how many instances slower (+) and faster"
    tables.blocks.append(tabulate(reach, reaches, factors))
    tables.blocks.append(tabulate(f"{gain} (−)", gains, contrasts.itertuples(index=False)))
    for figures in ablations:
        say(tables, simulation_note(figures.raw) if figures.raw.is_simulated else "")
    for scope, part in scopes.items():
        if not part[0][0].have_intervals:
            say(findings, f"{scope}, the factors are {not_told_apart_yet(part[0][0])}")
            continue
        rows = pandas.concat([rows for _, rows in part])
        of_factors = {factor: _reach(factor, rows) for factor in factors}
        matter = [(max(high, 1 / low), of) for of, (low, high) in of_factors.items() if low < high]
        first = "these factors matter, the one with the greatest effect first"
        say(findings, f"{scope}, {first}: {'; '.join(greatest_first(matter)) or 'none'}.")
    if all(figures.have_intervals for figures in ablations):
        never = [factor for factor in factors if _reach(factor, effects) == (1, 1)]
        nowhere = "Shown to matter nowhere, after the correction for the number of comparisons"
        say(findings, f"{nowhere}: {'; '.join(never) or 'none'}.")
    if not all(figures.raw.is_finished for figures in ablations):
        say(findings, "An ablation is unfinished, and the values may still change.")
    sections = [*regret.sections_of(runs), findings, tables]
    name_machine(machine_note(*(figures.raw for figures in ablations)), sections)
    how = guide("How to read an ablation", least_effect=100 * (LEAST_EFFECT - 1))
    return [*sections, how]
