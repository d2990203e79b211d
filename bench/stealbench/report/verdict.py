"""What leads, by how much, what is not told apart yet, and what waited: the words, ranks, plots."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy
import pandas

from stealbench.analysis.tabulate import Defined, Text, name, number, tabulate
from stealbench.figures import Figures
from stealbench.report.document import Axis, Curve, Emphasis, Paragraph, Plot, Prominence
from stealbench.report.document import References, Section, Table
from stealbench.report.format import MISSING, count, counted, joined, ratio, ratio_with_interval
from stealbench.report.guides import guide_text
from stealbench.report.parts import DNF, counter_of, estimate_in, not_told_apart_yet, on_processors
from stealbench.report.parts import scheduler_in, title_of, workers_in_words

WIDEST_LINEAR = 8
"""Values further apart than this, and a linear axis shows the small ones as nothing."""
WAITED_CAUSE = (
    "Other programs had it, or there are fewer processors than workers. Stop the other programs, and"
    " measure again."
)
WAITED_MEANS = (
    "(waited): in a third of the rounds or more the workers waited for a processor, so the time is"
    " too long."
)


def waited_in(figures: Figures, rows: Any, noun: str = "benchmark") -> str:
    """Which of these rows of `Figures.cells` waited for a processor, and why; empty if none did."""
    waited = [title_of(figures, str(cell)) for cell in rows.index[rows["is_disturbed"]]]
    how_many = f"{len(waited)} of {counted(len(rows), noun)} waited for a processor"
    return f"{how_many}: {joined(waited)}. {WAITED_CAUSE}" if waited else ""


def doubt_of(figures: Figures, rows: Any, noun: str) -> str:
    """Why nothing is concluded from these rows of `Figures.cells`; empty if they carry it."""
    if rows.empty:
        return f"No {noun} has finished."
    if not figures.have_intervals:
        return f"The {noun}s are {not_told_apart_yet(figures)}"
    return waited_in(figures, rows, noun)


@functools.lru_cache(maxsize=64)
def overall(figures: Figures) -> Any:
    """`Figures.regret` over all instances with the greatest worker count."""
    return figures.regret(figures.worker_counts[-1])


def verdict_of(figures: Figures) -> str:
    """`With 2 workers, work-stealing leads. …`, or how much is missing until that can be said."""
    if len(figures.schedulers) < 2:
        return "One scheduler alone, so there is nothing to compare."
    most, regret = figures.worker_counts[-1], overall(figures)
    workers = workers_in_words(figures, most)
    means = regret["mean"].astype(float).dropna()
    if means.empty:
        # A worker count may be that of a few instances, or of other machines, alone.
        done = "finished" if (regret["failed"] > 0).any() else "was measured on"
        return f"With {workers} no scheduler {done} every workload instance, so none leads."
    if not figures.have_intervals:
        return f"With {workers}, the schedulers are {not_told_apart_yet(figures)}"
    names = {of: scheduler_in(figures, of, most) for of in means.index}
    first, has_lead = means.idxmin(), regret.loc[means.index, "leads"].astype(bool)
    leading = list(dict.fromkeys([first, *means.index[has_lead]]))
    mean = f"(geometric mean of {counted(len(figures.instances), 'instance')})"
    shared = joined([f"{names[of]} ({ratio(means[of])})" for of in leading])
    text = f"{shared} share the lead: none of them is shown to be slower than the first of them {mean}."
    if len(leading) == 1:
        text = f"{names[first]} leads. It takes {ratio(means.min())} the time of the fastest"
        text += f" scheduler of each workload instance {mean}."
    if len(behind := means[~has_lead]):
        finished = "" if len(means) == len(regret) else " that finished"
        text += f" All others{finished} are slower on average; {names[behind.idxmin()]} is next"
        text += f" with {ratio(behind.min())}."
    at_worst = f"{names[first]} is shown to be slower than the fastest on no instance."
    if pandas.notna(worst := regret.at[first, "worst"]):
        slowdown = ratio_with_interval(estimate_in(figures.table.loc[worst], "slowdown"))
        where = figures.table.at[worst, "instance"]
        at_worst = f"At worst {names[first]} takes {slowdown} ({where})."
    return f"With {workers}, {text} {at_worst}"


def rank_in(row: Any) -> str:
    """`2 · 1.50 ×`: the rank, if there is one, and the time over the best, of a row of figures."""
    return (f"{row['rank']:.0f} · " if row["rank"] >= 1 else "") + ratio(row["slowdown"])


def order_of(figures: Figures) -> list[str]:
    """Schedulers as tables have them: the least mean first where there are rounds for ranks."""
    means = overall(figures)["mean"].astype(float).fillna(math.inf)
    by_mean = sorted(figures.schedulers, key=lambda of: float(means[of]))
    return by_mean if figures.have_intervals else figures.schedulers


def table_over_instances(
    figures: Figures, title: str, text_of: Callable[[str], Text], *first: Defined
) -> Table:
    """A row for each scheduler and a column for each instance, with the greatest worker count.

    `text_of` takes the name of a benchmark that finished; `first` takes a scheduler.
    """
    most = figures.worker_counts[-1]
    rows = figures.comparable(workers=most, varied="").itertuples()
    places = {(row.instance, row.scheduler): str(row.Index) for row in rows}

    def entry(instance: str, scheduler: str) -> Text:
        if (cell := places.get((instance, scheduler))) is None:
            return MISSING
        return text_of(cell) if cell in figures.times else (DNF, Emphasis.FAILED)

    own_name = name("scheduler", lambda of: scheduler_in(figures, of, most))
    columns = [number(of, functools.partial(entry, of)) for of in figures.instances]
    title = f"{title}, with {workers_in_words(figures, most)}"
    return tabulate(title, [own_name, *first, *columns], order_of(figures))


def rank_table(figures: Figures) -> Table:
    """Rank (from six rounds on) and time over the best of each scheduler on each instance, and the
    geometric mean."""

    def rank(cell: str) -> Text:
        row = figures.table.loc[cell]
        return (rank_in(row), Emphasis.BEST) if row["rank"] == 1 else rank_in(row)

    def mean(scheduler: str) -> Text:
        own = overall(figures).loc[scheduler]
        if own["failed"]:
            return f"{DNF} ({own['failed']})", Emphasis.FAILED
        text = MISSING if pandas.isna(own["mean"]) else ratio(own["mean"])
        return (text, Emphasis.BEST) if own["leads"] else text

    title = "Rank · time over the best" if figures.have_intervals else "Time over the least median"
    return table_over_instances(figures, title, rank, number("geometric mean", mean))


PLOTS: dict[str, tuple[str, str, Callable[[float | None], str]]] = {
    "Speedup": ("how many times faster than serial?", "speedup over serial", ratio),
    "Overhead": ("how much slower than serial is one worker?", "T1 / Ts", ratio),
    "Steals": ("how many in one run?", "steals", count),
}


def plot_sections(figures: Figures) -> list[Section]:
    """Speedup over the worker count, overhead and steals: a plot for each instance."""
    counts, most = figures.worker_counts, figures.worker_counts[-1]
    stealing = [workers for workers in counts if workers > 1]  # One has nobody to steal from.
    lines: References = {"serial (1 worker)" if most > 1 else "serial": [(1, 1), (most, 1)]}
    lines |= {"ideal": [(1, 1), (most, most)]} if most > 1 else {}
    shown: list[tuple[str, list[int], References]] = [("Speedup", counts, lines)]
    shown += [("Overhead", [1], {"serial": [(1, 1)]})]
    shown += [("Steals", stealing if len(stealing) > 1 else [], {})]
    sections = []
    for title, of_counts, references in shown:
        every = (_plot_of(figures, of, title, of_counts, references) for of in figures.instances)
        plots = [plot for plot in every if any(curve.points for curve in plot.curves)]
        prominence = Prominence.DETAIL if title == "Steals" else Prominence.SUMMARY
        section = Section(title, [Paragraph(guide_text(title)), *plots], prominence)
        sections += [section] if plots else []
    return sections


def _plot_of(
    figures: Figures, instance: str, title: str, counts: list[int], references: References
) -> Plot:
    """A curve for each scheduler but the baseline."""
    question, label, in_words = PLOTS[title]
    table, most = figures.table[figures.table["workers"].isin(counts)], max(counts, default=1)
    if title == "Steals":  # A counter, which has no interval.
        steals = [counter_of(figures, str(cell), "steals") for cell in table.index]
        names = ("steals", "steals_low", "steals_high")
        table = table.assign(**dict.fromkeys(names, numpy.array(steals, dtype=float)))
    curves = []
    for style, scheduler in enumerate(figures.schedulers):
        own = table[(table["instance"] == instance) & (table["scheduler"] == scheduler)]
        rows = own.sort_values("workers").to_dict("records")
        if rows and scheduler != figures.raw.header["baseline"]:
            values = ((float(row["workers"]), estimate_in(row, title.lower())) for row in rows)
            points = [(workers, value) for workers, value in values if value]
            instead = DNF if rows[-1]["failure"] else MISSING
            curves.append(Curve(scheduler_in(figures, scheduler, most), points, style, instead))
    ends = [value.median for curve in curves for _, value in curve.points]
    ends += [y for line in references.values() for _, y in line]
    # Both axes or neither, so that the ideal is a straight line.
    is_logarithmic = bool(ends) and 0 < WIDEST_LINEAR * min(ends) < max(ends)
    x = Axis(f"workers{on_processors(figures.raw, most)}", is_logarithmic)
    y = Axis(label, is_logarithmic, text_of=in_words)
    asked = f"{title} of {instance}: {question}"
    return Plot(asked, x, y, curves, references, is_less_better=title != "Speedup")
