"""Of all ablations of a folder, measured and simulated: which factors matter, and where."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas

from stealbench.analysis import regret
from stealbench.analysis.ablation import LEAST_EFFECT, contrasts_of, effects_of, mean_effect
from stealbench.figures import Figures
from stealbench.report.document import Column, Prominence, Section, Table
from stealbench.report.format import MISSING, counted, joined, ratio
from stealbench.report.guides import guide
from stealbench.report.origin import machine_note, name_machine, simulation_note
from stealbench.report.parts import DNF, greatest_first, not_told_apart_yet, say, workers_in_words

MANY = 2
"""More simulated workers than this are many."""


@dataclass(frozen=True)
class Setup:
    """All effects with one worker count, measured or simulated."""

    figures: Figures
    workers: int
    effects: pandas.DataFrame

    @property
    def is_simulated(self) -> bool:
        """Whether times are simulated."""
        return self.figures.raw.is_simulated

    @property
    def heading(self) -> str:
        """`2 workers, simulated`."""
        words = workers_in_words(self.figures, self.workers)
        return words + (", simulated" if self.is_simulated else "")

    def reach(self, factor: str) -> tuple[float, float]:
        """The least and the greatest ratio that is shown to be a difference; else 1."""
        effects = self.effects
        shown = effects.loc[(effects["factor"] == factor) & (effects["way"] != 0), "ratio"]
        return min([1, *shown]), max([1, *shown])


SCOPES: dict[str, Callable[[Setup], bool]] = {
    "Measured": lambda setup: not setup.is_simulated,
    f"Simulated with few workers (at most {MANY})": (
        lambda setup: setup.is_simulated and setup.workers <= MANY
    ),
    "Simulated with many workers": lambda setup: setup.is_simulated and setup.workers > MANY,
}


def _setups(ablations: Sequence[Figures], runs: Sequence[Figures]) -> list[Setup]:
    setups = []
    for figures in ablations:
        others = [
            other
            for other in runs
            if figures.raw.is_simulated and other.raw.is_simulated and other is not figures
        ]
        by_workers = effects_of(figures, others).groupby("workers")
        setups += [Setup(figures, int(workers), rows) for workers, rows in by_workers]
    return setups


def _reach_of(factor: str, setups: Sequence[Setup]) -> tuple[float, float]:
    least, greatest = zip(*(setup.reach(factor) for setup in setups))
    return min(least), max(greatest)


def _reach_text(reach: tuple[float, float]) -> str:
    return "none" if reach == (1, 1) else f"{ratio(reach[0])} to {ratio(reach[1])}"


def _factor_table(factors: Sequence[str], setups: Sequence[Setup]) -> Table:
    columns = [Column("factor", is_name=True), *(Column(setup.heading) for setup in setups)]
    table = Table("what a factor changes: the least and the greatest ratio of times", columns)
    for factor in factors:
        texts = (
            _reach_text(setup.reach(factor))
            if setup.figures.have_intervals
            else "not told apart yet"
            for setup in setups
        )
        table.rows.append([factor, *texts])
    return table


def _effect_text(setup: Setup, rows: pandas.DataFrame) -> str:
    """`1.09 × +5 −1`: slower on five instances, faster on one."""
    failed = int(rows["failed"].sum())
    mean = mean_effect(setup.figures, rows)
    if mean is None:
        return DNF if failed else MISSING
    counts = {"+": int((rows["way"] > 0).sum()), "−": int((rows["way"] < 0).sum())}
    text = ratio(mean.median) + "".join(f" {sign}{n}" for sign, n in counts.items() if n)
    return f"{text}, {failed} {DNF}" if failed else text


def _variant_table(setups: Sequence[Setup]) -> Table:
    columns = [Column("variant", is_name=True), Column("compared with", is_name=True)]
    table = Table(
        "variants: geometric mean of the ratios, and on how many instances slower (+) and faster"
        " (−)",
        columns + [Column(setup.heading) for setup in setups],
    )
    rows: dict[str, list[str]] = {}
    for column, setup in enumerate(setups, 2):
        for variant, effects in setup.effects.groupby("variant", sort=False):
            empty = [str(variant), "", *[MISSING] * len(setups)]
            row = rows.setdefault(str(variant), empty)
            # A variant may be compared with two: the first one is shown.
            against = effects["against"].iloc[0]
            row[1] = against
            row[column] = _effect_text(setup, effects[effects["against"] == against])
    table.rows = list(rows.values())
    return table


def _factors_that_matter(factors: Sequence[str], setups: Sequence[Setup]) -> list[str]:
    """The one with the greatest effect first."""
    reaches = ((_reach_of(factor, setups), factor) for factor in factors)
    return greatest_first(
        (max(high, 1 / low), factor) for (low, high), factor in reaches if (low, high) != (1, 1)
    )


def _contradictions(setups: Sequence[Setup]) -> str:
    """What a simulation found, and does not find with other costs."""
    checked = 0
    contradicted = []
    for setup in setups:
        shown = setup.effects[(setup.effects["way"] != 0) & setup.effects["elsewhere_low"].notna()]
        checked += len(shown)
        for _, row in shown[shown["is_contradicted"]].iterrows():
            low, high = ratio(row["elsewhere_low"]), ratio(row["elsewhere_high"])
            elsewhere = low if row["elsewhere_low"] == row["elsewhere_high"] else f"{low} to {high}"
            contradicted.append(
                (
                    max(row["ratio"], 1 / row["ratio"]),
                    f"{row['variant']} on {row['instance']} with"
                    f" {counted(setup.workers, 'worker')}"
                    f" ({ratio(row['ratio'])}, with other costs {elsewhere})",
                )
            )
    if not checked:
        return ""
    names = f": {joined(greatest_first(contradicted), 4)}" if contradicted else ""
    return (
        f"{len(contradicted)} of the {checked} differences that were simulated with other costs"
        f" too vanish or turn there{names}."
    )


def _findings(factors: Sequence[str], setups: Sequence[Setup]) -> Section:
    section = Section("What matters", shown=Prominence.SUMMARY)
    for name, is_inside in SCOPES.items():
        part = list(filter(is_inside, setups))
        if not part:
            continue
        if not part[0].figures.have_intervals:
            say(section, f"{name}, the factors are {not_told_apart_yet(part[0].figures)}")
            continue
        matter = "; ".join(_factors_that_matter(factors, part)) or "none"
        say(
            section,
            f"{name}, these factors matter, the one with the greatest effect first: {matter}.",
        )
        say(section, _contradictions(part))
    if all(setup.figures.have_intervals for setup in setups):
        never = [factor for factor in factors if _reach_of(factor, setups) == (1, 1)]
        say(
            section,
            "Shown to matter nowhere, after the correction for the number of comparisons:"
            f" {'; '.join(never) or 'none'}.",
        )
    if not all(setup.figures.raw.is_finished for setup in setups):
        say(
            section,
            "An ablation is unfinished: rounds are missing, and the values may still change.",
        )
    return section


def sections_of(runs: Sequence[Figures]) -> list[Section]:
    """Which factors matter where, and what each variant gains or costs, by all ablations of these.

    Regret comes first. Nothing if none is an ablation.
    """
    ablations = [figures for figures in runs if contrasts_of(figures.raw)]
    if not ablations:
        return []
    setups = _setups(ablations, runs)
    factors = list(dict.fromkeys(name for setup in setups for name in setup.effects["factor"]))
    tables = Section("Factors and variants", shown=Prominence.TABLES)
    tables.blocks += [_factor_table(factors, setups), _variant_table(setups)]
    for figures in ablations:
        if figures.raw.is_simulated:
            say(tables, simulation_note(figures.raw))
    sections = [*regret.sections_of(runs), _findings(factors, setups), tables]
    name_machine(machine_note(*(figures.raw for figures in ablations)), sections)
    how = guide("How to read an ablation", least_effect=100 * (LEAST_EFFECT - 1))
    return [*sections, how]
