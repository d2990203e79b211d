"""Regret: the time of a strategy over that of the best, for whoever must choose one for all.

`Figures.regret` has the values; here is what is said of them.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import pandas

from stealbench.analysis.comparable import FEWEST_STRATEGIES, base_of, comparable, families
from stealbench.analysis.comparable import has_regret, reported_workers, strategies_with
from stealbench.figures import Figures, figures_of
from stealbench.report.document import Column, Emphasis, Prominence, Section, Table
from stealbench.report.format import MISSING, counted, joined, ratio, ratio_with_interval
from stealbench.report.guides import guide_text
from stealbench.report.origin import changes_of_profile, machine_note
from stealbench.report.parts import DNF, not_told_apart_yet, say, scheduler_in, workers_in_words
from stealbench.statistics import Estimate

MOST_COLUMNS = 4


@functools.lru_cache(maxsize=256)
def regret_of(
    figures: Figures, workers: int, instances: tuple[str, ...] | None = None, varied: str = ""
) -> pandas.DataFrame:
    """`Figures.regret`, which several parts of a report show."""
    return figures.regret(workers, instances, varied)


class Choice:
    """The regret of one run with one worker count: a column of a table.

    `base` is the default of the ablation that it belongs to, or empty.
    """

    def __init__(self, figures: Figures, workers: int, base: str) -> None:
        self.figures, self.workers, self.base = figures, workers, base
        self.regret = regret_of(figures, workers)

    @property
    def machine(self) -> str:
        """`reference with wake 5us`: the profile that was simulated."""
        about = self.figures.raw.header["about"]
        return str(about["profile"]["name"]) + changes_of_profile(about)

    @property
    def heading(self) -> str:
        """`2 workers`, `64 workers, simulated, reference`."""
        simulated = f", simulated, {self.machine}" if self.figures.raw.is_simulated else ""
        return workers_in_words(self.figures, self.workers) + simulated

    def leaders(self, regret: pandas.DataFrame) -> list[str]:
        """Those that lead: the base first if it is one of them, then the one of the least mean.

        Chance decides which of them has the least.
        """
        means = regret["mean"].astype(float)
        if means.isna().all():
            return []
        leading = list(regret.index[regret["leads"].astype(bool)])
        first = [self.base] if self.base in leading else []
        return list(dict.fromkeys([*first, str(means.idxmin()), *leading]))

    def named(self, scheduler: str) -> str:
        """`serial (1 worker)`."""
        return scheduler_in(self.figures, scheduler, self.workers)

    def worst(self, row: Any) -> str | None:
        """`35.1 × spawn`: the greatest slowdown that is shown, None if none is."""
        if row["worst"] is None:
            return None
        table = self.figures.table
        worst = table.loc[row["worst"]]
        of_workload = table.loc[table["workload"] == worst["workload"], "instance"]
        name = worst["workload"] if of_workload.nunique() == 1 else worst["instance"]
        return f"{ratio(worst['slowdown'])} {name}"

    def in_words(self, scheduler: str) -> str:
        """`1.79 × the best on average, 35.1 × at worst (spawn)`."""
        row = self.regret.loc[scheduler]
        mean = f"{ratio(row['mean'])} the best on average"
        worst = self.worst(row)
        if worst is None:
            return f"{mean}, and is shown to be slower than the best nowhere"
        slowdown, times, name = worst.split(" ", 2)
        return f"{mean}, {slowdown} {times} at worst ({name})"

    def entry(self, scheduler: str) -> str:
        """`1.79 × · 35.1 × spawn`: of a table."""
        row = self.regret.loc[scheduler]
        if row["failed"]:
            return f"{DNF} ({row['failed']})"
        if pandas.isna(row["mean"]):
            return MISSING
        is_certain = self.figures.have_intervals
        around = Estimate(row["mean"], row["low"], row["high"])
        mean = ratio(row["mean"]) if is_certain else ratio_with_interval(around)
        worst = self.worst(row) or ("nowhere" if is_certain else "")
        return f"{mean} · {worst}" if worst else mean


def _for_families(choice: Choice, chosen: str) -> str:
    """What a family of workloads takes where it is not what all of them take together."""
    text = ""
    for name, instances in families(choice.figures).items():
        regret = regret_of(choice.figures, choice.workers, tuple(instances))
        leaders = choice.leaders(regret)
        if leaders and not regret.at[chosen, "leads"]:
            means = [ratio(regret.at[strategy, "mean"]) for strategy in (leaders[0], chosen)]
            text += (
                f" For the family {name} alone: {choice.named(leaders[0])}, {means[0]}"
                f" ({choice.named(chosen)} takes {means[1]})."
            )
    return text


def _contradictions(choice: Choice, chosen: str) -> str:
    """Where the simulation with other costs contradicts the choice."""
    others = []
    is_varied = False
    costs: list[str] = choice.figures.table["varied"].unique().tolist()
    for cost in filter(None, costs):
        regret = regret_of(choice.figures, choice.workers, varied=cost)
        leaders = choice.leaders(regret)
        is_varied |= bool(leaders)
        if leaders and not regret.at[chosen, "leads"]:
            name, _, factor = cost.partition("=")
            takes = ratio(regret.at[chosen, "mean"])
            others.append(f"with {name} × {factor} it is {leaders[0]} ({chosen} takes {takes})")
    if others:
        return f" The sensitivity table contradicts this: {'; '.join(others)}."
    return " The same leads with each other cost of the sensitivity table." if is_varied else ""


def choice_of(figures: Figures, workers: int) -> str:
    """`If you may choose one for 2 workers: …`: the strategy of the least mean, and its worst.

    Also what is not told apart from it, what each family of workloads takes instead, and which
    other costs contradict it. Empty of fewer than three strategies, and below six rounds.
    """
    strategies = strategies_with(figures.raw, workers)
    if strategies < FEWEST_STRATEGIES or not figures.have_intervals:
        return ""
    base = base_of(figures.raw)
    choice = Choice(figures, workers, base)
    leaders = choice.leaders(choice.regret)
    if not leaders:
        return ""
    chosen, *others = leaders
    text = (
        f"If you may choose one of {strategies} strategies with {choice.heading}:"
        f" {choice.named(chosen)}, {choice.in_words(chosen)}."
    )
    if others:
        text += f" Not told apart from it: {joined([choice.named(name) for name in others], 3)}."
    # A share of a sweep may lack the base.
    if (
        base in choice.regret.index
        and base != chosen
        and pandas.notna(choice.regret.at[base, "mean"])
    ):
        text += f" {base}, which most are compared with: {choice.in_words(base)}."
    return text + _for_families(choice, chosen) + _contradictions(choice, chosen)


def choices_of(runs: Sequence[Figures]) -> list[Choice]:
    """Of each run and worker count. All have the base of the first ablation among them."""
    base = next(filter(None, (base_of(figures.raw) for figures in runs)), "")
    return [
        Choice(figures, workers, base)
        for figures in runs
        for workers in reported_workers(figures.raw)
    ]


def table_of(choices: Sequence[Choice], of_all: str = "") -> Table:
    """A row of those that lead; then one for each strategy, the least mean of the last column first.

    If all columns are of some worker count, the title says so: `of_all`.
    """
    last = choices[-1]
    counts = [strategies_with(choice.figures.raw, choice.workers) for choice in choices]
    strategies = f"{min(counts)} to {max(counts)}" if min(counts) < max(counts) else str(counts[0])
    instances = counted(len(last.figures.instances), "instance")
    table = Table(
        f"Regret{of_all}: time over the best of {strategies} strategies, geometric mean of"
        f" {instances} · the worst",
        [Column("strategy", is_name=True)],
        origin=machine_note(*(choice.figures.raw for choice in choices)),
    )
    choose = ["(choose)"]
    for choice in choices:
        table.columns.append(Column(choice.machine if of_all else choice.heading, is_name=True))
        leaders = [choice.named(name) for name in choice.leaders(choice.regret)]
        is_certain = choice.figures.have_intervals
        choose.append(joined(leaders, 2) if is_certain else "not told apart yet")
    table.rows.append(choose)
    for name in last.regret["mean"].astype(float).sort_values(kind="stable").index:
        for column, choice in enumerate(choices, 1):
            row = choice.regret.loc[name]
            if row["leads"] or row["failed"]:
                mark = Emphasis.FAILED if row["failed"] else Emphasis.BEST
                table.marks[len(table.rows), column] = mark
        shown = (choice.named(name) for choice in choices if choice.named(name) != name)
        table.rows.append([next(shown, name), *(choice.entry(name) for choice in choices)])
    return table


def _tables_of(choices: Sequence[Choice]) -> list[Table]:
    """More columns than one can compare: what was measured, and each simulated worker count."""
    if len(choices) <= MOST_COLUMNS:
        return [table_of(choices)] if choices else []
    groups: dict[int, list[Choice]] = {}
    for choice in choices:
        of_group = choice.workers if choice.figures.raw.is_simulated else 0
        groups.setdefault(of_group, []).append(choice)
    return [
        table_of(group, f" with {counted(workers, 'worker')}, simulated" if workers else "")
        for workers, group in sorted(groups.items())
    ]


def sections_of_one(figures: Figures) -> list[Section]:
    """Mean and worst regret of one run: a column for each worker count."""
    choices = choices_of([figures])
    if not choices:
        return []
    section = Section("Regret", [table_of(choices)], Prominence.TABLES)
    say(section, guide_text("Regret"))
    return [section]


def sections_of(runs: Sequence[Figures]) -> list[Section]:
    """Which strategy to choose for all programs, by several runs, and what they have in common."""
    shared = comparable(figures.raw for figures in runs)
    if not shared:
        return []
    section = Section("Regret", shown=Prominence.SUMMARY)
    # Beside an ablation the other machines have a few of its strategies, and a column is enough.
    has_base = any(base_of(figures.raw) for figures in runs)
    for figures in runs:
        raw = figures.raw
        if not has_regret(raw) or (has_base and not base_of(raw)):
            continue
        if not figures.have_intervals:
            kind = "Simulated" if raw.is_simulated else "Measured"
            say(section, f"{kind}, the strategies are {not_told_apart_yet(figures)}")
            continue
        for workers in reported_workers(raw):
            say(section, choice_of(figures, workers))
    section.blocks += _tables_of(choices_of(list(map(figures_of, shared))))
    if len(shared) > 1:
        say(section, "The tables have the strategies and instances that are on all machines.")
    say(section, guide_text("Regret"))
    return [section]


def values(figures: Figures, scheduler: str) -> list[dict[str, Any]]:
    """The regret of a scheduler with each worker count with which it finished all, as JSON."""
    entries = []
    for workers in reported_workers(figures.raw):
        row = regret_of(figures, workers).loc[scheduler]
        if pandas.isna(row["mean"]):
            continue
        worst = None if row["worst"] is None else figures.table.loc[row["worst"]]
        entries.append(
            {
                "workers": workers,
                "mean": row["mean"],
                "low": row["low"],
                "high": row["high"],
                "leads": bool(row["leads"]),
                "worst": None if worst is None else float(worst["slowdown"]),
                "worst_on": None if worst is None else str(worst["instance"]),
            }
        )
    return entries
