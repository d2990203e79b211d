"""What a factor does: strategies beside those that they differ from in that factor alone.

Of one ablation, and of all of a folder, measured and simulated: which factors matter, and where.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy
import pandas

from stealbench.analysis import regret
from stealbench.analysis.regret import contrasts_of
from stealbench.analysis.tabulate import Defined, name, number, tabulate
from stealbench.figures import Figures
from stealbench.report.document import Column, Prominence, Section, Table
from stealbench.report.format import MISSING, joined, ratio, ratio_with_interval
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
MANY = 2
"""More simulated workers than this are many."""
KEYS = ["instance", "scheduler", "workers"]
CONTRAST = ["variant", "against", "factor"]
RATIO = ["ratio", "ratio_low", "ratio_high"]


@functools.lru_cache(maxsize=64)
def shown_effects(figures: Figures) -> pandas.DataFrame:
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
    places = dict(zip(zip(*(cells[key] for key in KEYS)), cells.index))
    contrasts = contrasts_of(figures.raw)
    combined = itertools.product(figures.worker_counts, contrasts, figures.instances)
    effects = pandas.DataFrame(
        {**one, "workers": workers, "instance": instance} for workers, one, instance in combined
    )
    for column, side in (("cell", "variant"), ("other", "against")):
        keys = zip(*(effects[key] for key in ("instance", side, "workers")))
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


def effects_of(figures: Figures, others: Sequence[Figures] = ()) -> pandas.DataFrame:
    """The same, and what the variants do with other costs of the simulated machine.

    `is_checked`: a difference that is shown, and was simulated with costs that the run varied or by
    `others`, too; `is_contradicted`: with one of these the medians do not go that way.
    """
    effects, cells = shown_effects(figures), figures.cells
    tables = [cells[cells["varied"] == cost] for cost in cells["varied"].unique() if cost]
    tables += [other.cells[other.cells["varied"] == ""] for other in others]
    effects = effects.assign(is_checked=False, is_contradicted=False)
    for table in tables:
        seconds = dict(zip(zip(*(table[key] for key in KEYS)), table["seconds"]))
        over, under = (
            numpy.array([seconds.get(key, numpy.nan) for key in zip(*(effects[of] for of in keys))])
            for keys in (["instance", side, "workers"] for side in ("variant", "against"))
        )
        quotient, way = over / under, effects["way"]
        turns = (way > 0) & (quotient < LEAST_EFFECT) | (way < 0) & (quotient > 1 / LEAST_EFFECT)
        effects["is_checked"] |= (way != 0) & ~numpy.isnan(quotient)
        effects["is_contradicted"] |= turns
    return effects


def sections_of_one(figures: Figures) -> list[Section]:
    """Of an ablation a table for each worker count: contrasts by instance. Else nothing."""
    if not contrasts_of(figures.raw):
        return []
    section = guide("Ablation by workload")
    columns = [Column(header, is_name=True) for header in ("variant", "compared with", "factor")]
    columns += map(Column, figures.instances)
    for workers, effects in shown_effects(figures).groupby("workers"):
        title = f"ablation, {workers_in_words(figures, int(workers))}:"
        title += " median time ÷ that of what it is compared with"
        table = Table(with_interval_kind(title, figures.have_intervals), columns)
        for contrast, rows in effects.groupby(CONTRAST, sort=False):
            texts = [
                DNF if row["failed"] else ratio_with_interval(estimate_in(row, "ratio"))
                for row in rows.to_dict("records")
            ]
            table.rows.append([*contrast, *texts])
        section.blocks.append(table)
    return [section]


class Setup(NamedTuple):
    """All effects with one worker count, measured or simulated."""

    figures: Figures
    scope: str  # What findings are about together.
    heading: str
    effects: pandas.DataFrame


def _setups(ablations: Sequence[Figures], runs: Sequence[Figures]) -> list[Setup]:
    setups = []
    for figures in ablations:
        is_simulated = figures.raw.is_simulated
        others = [one for one in runs if one.raw.is_simulated and one is not figures]
        effects = effects_of(figures, others if is_simulated else ())
        for workers, rows in effects.groupby("workers"):
            few = f"few workers (at most {MANY})" if workers <= MANY else "many workers"
            scope = f"Simulated with {few}" if is_simulated else "Measured"
            heading = workers_in_words(figures, int(workers)) + ", simulated" * is_simulated
            setups.append(Setup(figures, scope, heading, rows))
    return setups


def _reach(factor: str, *setups: Setup) -> tuple[float, float]:
    """The least and the greatest ratio that is shown to be a difference; else 1."""
    rows = pandas.concat([setup.effects for setup in setups])
    shown = rows.loc[(rows["factor"] == factor) & (rows["way"] != 0), "ratio"]
    return min([1, *shown]), max([1, *shown])


def _reach_in_words(setup: Setup, factor: str) -> str:
    low, high = _reach(factor, setup)
    shown = "none" if low == high else f"{ratio(low)} to {ratio(high)}"
    return shown if setup.figures.have_intervals else "not told apart yet"


def _gain_in_words(setup: Setup, contrast: tuple[str, str]) -> str:
    """`1.09 × +5 −1`: slower on five instances, faster on one."""
    rows = setup.effects[(setup.effects[CONTRAST[:2]] == contrast).all(axis=1)]
    failed, pairs = int(rows["failed"].sum()), rows[rows["ratio"].notna()]
    if pairs.empty:
        return DNF if failed else MISSING
    mean = setup.figures.mean_ratio(list(pairs["cell"]), list(pairs["other"]))
    counts = {"+": int((rows["way"] > 0).sum()), "−": int((rows["way"] < 0).sum())}
    text = ratio(mean.median) + "".join(f" {sign}{n}" for sign, n in counts.items() if n)
    return f"{text}, {failed} {DNF}" if failed else text


def _tables(factors: Sequence[str], setups: Sequence[Setup]) -> list[Table]:
    """What each factor changes, and what each variant gains or costs."""

    def columns(text_of: Callable[[Setup, Any], str]) -> list[Defined]:
        return [number(one.heading, functools.partial(text_of, one)) for one in setups]

    reach = "what a factor changes: the least and the greatest ratio of times"
    gain = "variants: geometric mean of the ratios, and on how many instances slower (+) and faster"
    effects = pandas.concat([setup.effects for setup in setups])
    contrasts = dict.fromkeys(zip(effects["variant"], effects["against"]))
    names = [
        name(of, operator.itemgetter(at)) for at, of in enumerate(("variant", "compared with"))
    ]
    return [
        tabulate(reach, [name("factor", str), *columns(_reach_in_words)], factors),
        tabulate(f"{gain} (−)", [*names, *columns(_gain_in_words)], contrasts),
    ]


def _findings(factors: Sequence[str], setups: Sequence[Setup]) -> Section:
    section = Section("What matters", shown=Prominence.SUMMARY)
    for scope in dict.fromkeys(setup.scope for setup in setups):
        part = [setup for setup in setups if setup.scope == scope]
        if not part[0].figures.have_intervals:
            say(section, f"{scope}, the factors are {not_told_apart_yet(part[0].figures)}")
            continue
        reaches = {factor: _reach(factor, *part) for factor in factors}
        matter = [(max(high, 1 / low), of) for of, (low, high) in reaches.items() if low < high]
        first = "these factors matter, the one with the greatest effect first"
        say(section, f"{scope}, {first}: {'; '.join(greatest_first(matter)) or 'none'}.")
        effects = pandas.concat([setup.effects for setup in part])
        turned = [
            (max(row.ratio, 1 / row.ratio), f"{row.variant} on {row.instance}")
            for row in effects[effects["is_contradicted"]].itertuples()
        ]
        names = joined(list(dict.fromkeys(greatest_first(turned))), 4)
        if checked := int(effects["is_checked"].sum()):
            of_all = f"{len(turned)} of the {checked} differences that were simulated with other"
            say(section, f"{of_all} costs too vanish or turn there{names and ': '}{names}.")
    if all(setup.figures.have_intervals for setup in setups):
        never = [factor for factor in factors if _reach(factor, *setups) == (1, 1)]
        nowhere = "Shown to matter nowhere, after the correction for the number of comparisons"
        say(section, f"{nowhere}: {'; '.join(never) or 'none'}.")
    if not all(setup.figures.raw.is_finished for setup in setups):
        say(section, "An ablation is unfinished, and the values may still change.")
    return section


def sections_of(runs: Sequence[Figures]) -> list[Section]:
    """Which factors matter where, and what each variant gains or costs, by all ablations of these.

    Regret comes first. Nothing if none is an ablation.
    """
    ablations = [figures for figures in runs if contrasts_of(figures.raw)]
    if not ablations:
        return []
    setups = _setups(ablations, runs)
    factors = list(dict.fromkeys(one for setup in setups for one in setup.effects["factor"]))
    tables = Section("Factors and variants", [*_tables(factors, setups)], Prominence.TABLES)
    for figures in ablations:
        say(tables, simulation_note(figures.raw) if figures.raw.is_simulated else "")
    sections = [*regret.sections_of(runs), _findings(factors, setups), tables]
    name_machine(machine_note(*(figures.raw for figures in ablations)), sections)
    how = guide("How to read an ablation", least_effect=100 * (LEAST_EFFECT - 1))
    return [*sections, how]
