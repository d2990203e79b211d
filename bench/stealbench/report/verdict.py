"""Who leads, by how much, and where it does not: the verdict and the table of ranks."""

from __future__ import annotations

import pandas

from stealbench.figures import Figures
from stealbench.report.document import Column, Emphasis, Table
from stealbench.report.format import MISSING, counted, joined, ratio, ratio_with_interval
from stealbench.report.parts import DNF, estimate_in, grid, not_told_apart_yet, order_of, overall
from stealbench.report.parts import scheduler_in, table_over_instances, workers_in_words


def verdict_of(figures: Figures) -> str:
    """`With 2 workers, work-stealing leads. …`, or how much is missing until that can be said."""
    if len(figures.schedulers) < 2:
        return "One scheduler alone, so there is nothing to compare."
    workers = figures.worker_counts[-1]
    in_words = workers_in_words(figures, workers)
    regret = overall(figures)
    means = regret["mean"].astype(float)
    if means.isna().all():
        # A worker count may be that of a few instances, or of other machines, alone.
        done = "finished" if (regret["failed"] > 0).any() else "was measured on"
        return f"With {in_words} no scheduler {done} every workload instance, so none leads."
    if not figures.have_intervals:
        return f"With {in_words}, the schedulers are {not_told_apart_yet(figures)}"
    return _who_leads(figures, regret, in_words) + _where_it_does_not(figures, regret)


def _who_leads(figures: Figures, regret: pandas.DataFrame, workers: str) -> str:
    means = regret["mean"].astype(float)
    names = {name: _named(figures, name) for name in means.index}
    leader = str(means.idxmin())
    leading = [name for name in means.index[regret["leads"].astype(bool)] if name != leader]
    behind = means.dropna().drop([leader, *leading])
    mean = f"(geometric mean of {counted(len(figures.instances), 'instance')})"
    that_finished = " that finished" if means.isna().any() else ""
    if leading and behind.empty:
        return (
            f"With {workers}, no scheduler leads: none{that_finished} is shown to be slower than"
            f" {names[leader]}, whose mean is the least {mean}."
        )
    others = " No other scheduler finished every workload instance."
    if not behind.empty:
        following = names[behind.idxmin()]
        others = f" All others{that_finished} are slower on average; {following} is next with"
        others += f" {ratio(behind.min())}."
    if leading:
        shared = joined([f"{names[name]} ({ratio(means[name])})" for name in (leader, *leading)])
        return (
            f"With {workers}, {shared} share the lead: none of them is shown to be slower than the"
            f" first of them {mean}.{others}"
        )
    return (
        f"With {workers}, {names[leader]} leads. It takes {ratio(means[leader])} the time of the"
        f" fastest scheduler of each workload instance {mean}.{others}"
    )


def _named(figures: Figures, scheduler: str) -> str:
    return scheduler_in(figures, scheduler, figures.worker_counts[-1])


def _where_it_does_not(figures: Figures, regret: pandas.DataFrame) -> str:
    leader = str(regret["mean"].astype(float).idxmin())
    worst = regret.at[leader, "worst"]
    if pandas.isna(worst):
        named = _named(figures, leader)
        return f" {named} is shown to be slower than the fastest on no instance."
    row = figures.table.loc[worst]
    slowdown = ratio_with_interval(estimate_in(row, "slowdown"))
    return f" At worst {_named(figures, leader)} takes {slowdown} ({row['instance']})."


def rank_table(figures: Figures) -> Table:
    """Rank and time over the best of each scheduler on each instance, and the geometric mean.

    With the greatest worker count. Below six rounds there are no ranks.
    """
    workers = figures.worker_counts[-1]
    of_cell = figures.table

    def text_of(cell: str) -> str:
        slowdown = ratio(of_cell.at[cell, "slowdown"])
        rank = of_cell.at[cell, "rank"]
        return slowdown if pandas.isna(rank) else f"{rank:.0f} · {slowdown}"

    is_ranked = figures.have_intervals
    title = "Rank · time over the best" if is_ranked else "Time over the least median"
    title += f", with {workers_in_words(figures, workers)}"
    table = table_over_instances(figures, title, text_of)
    table.columns.insert(1, Column("geometric mean"))
    table.marks = {(row, column + 1): mark for (row, column), mark in table.marks.items()}
    places, regret = grid(figures, workers), overall(figures)
    for row, scheduler in enumerate(order_of(figures)):
        own = regret.loc[scheduler]
        if own["failed"] or own["leads"]:
            table.marks[row, 1] = Emphasis.FAILED if own["failed"] else Emphasis.BEST
        mean = MISSING if pandas.isna(own["mean"]) else ratio(own["mean"])
        table.rows[row].insert(1, f"{DNF} ({own['failed']})" if own["failed"] else mean)
        for column, instance in enumerate(figures.instances, 2):
            cell = places.get((instance, scheduler))
            if cell is not None and of_cell.at[cell, "rank"] == 1:
                table.marks[row, column] = Emphasis.BEST
    return table
