"""`stealbench compare`: which scheduler is fastest on which workload, and by how much."""

from __future__ import annotations

from typing import Any

import pandas

from stealbench.analysis import ablation, regret
from stealbench.figures import Figures, figures_of
from stealbench.rawfile import RawFile
from stealbench.report.document import Column, Emphasis, Paragraph, Prominence, Section, Table
from stealbench.report.format import MISSING, count, counted, joined, ratio, seconds
from stealbench.report.format import seconds_with_interval
from stealbench.report.guides import guide_text
from stealbench.report.parts import DNF, counter_of, estimate_in, grid, order_of, say, text_at
from stealbench.report.parts import title_of, with_interval_kind, workers_in
from stealbench.report.speedups import plot_sections
from stealbench.report.topics import topic_sections
from stealbench.report.verdict import rank_table, verdict_of

NAME = "compare"
SUMMARY = "Measure every scheduler on every workload and rank the schedulers"
WAITED = " (waited)"
"""Behind a time."""
MOST_NOT_BUILT = 4
DOUBTFUL_PART = 0.1
"""Of the benchmarks: if so many waited for a processor, nothing is concluded."""


def sections(raw: RawFile) -> list[Section]:
    """The verdict, ranks and plots, topics, and the table of each instance."""
    figures = figures_of(raw)
    parts = [_verdict(figures)]
    # An ablation has many strategies, of which each is compared with one alone.
    if of_ablation := ablation.sections_of_one(figures):
        parts += of_ablation
    else:
        parts += [_ranks(figures), *plot_sections(figures), *topic_sections(figures)]
    return [*parts, _all_values(figures)]


def values(raw: RawFile) -> list[dict[str, Any]]:
    """An object for each scheduler, with its regret."""
    figures = figures_of(raw)
    return [
        {
            "scheduler": name,
            "simulated": False,
            "rounds": figures.fewest_rounds,
            "regret": regret.values(figures, name),
        }
        for name in figures.schedulers
    ]


def _verdict(figures: Figures) -> Section:
    is_doubtful = figures.table["is_disturbed"].mean() >= DOUBTFUL_PART
    doubt = "Not certain, since benchmarks waited for processors. " if is_doubtful else ""
    verdict = Paragraph(doubt + verdict_of(figures), is_lead=True)
    section = Section("Verdict", [verdict], Prominence.SUMMARY)
    say(section, _who_waited(figures), is_lead=True)
    failed = figures.table.index[figures.table["failure"].notna()]
    if len(failed):
        say(section, f"Did not finish: {joined([title_of(figures, cell) for cell in failed])}.")
    return section


def _who_waited(figures: Figures) -> str:
    """What had fewer processors than workers; empty if nothing had."""
    disturbed = figures.table.index[figures.table["is_disturbed"]]
    if disturbed.empty:
        return ""
    names = joined([title_of(figures, cell) for cell in disturbed])
    return (
        f"{len(disturbed)} of {counted(len(figures.table), 'benchmark')} waited for a processor for"
        f" more than a tenth of their workers' time: {names}. Other programs had it, or there are"
        " fewer processors than workers. Their times are too long, so it is not certain who leads."
        " Stop the other programs, and measure again."
    )


def _ranks(figures: Figures) -> Section:
    section = Section("Ranks", [rank_table(figures)], Prominence.SUMMARY)
    missing = figures.raw.header.get("about", {}).get("not_built")
    if missing:
        names = joined(missing["schedulers"], MOST_NOT_BUILT)
        command = text_at(missing, "command")
        say(section, f"Not built, so not compared: {names}. The command that adds them: {command}")
    if not figures.have_intervals:
        say(section, guide_text("Ranks below six rounds"))
    say(section, regret.choice_of(figures, figures.worker_counts[-1]))
    return section


def _all_values(figures: Figures) -> Section:
    section = Section("All values", shown=Prominence.TABLES)
    for part in regret.sections_of_one(figures):
        section.blocks += part.blocks
    section.blocks += [_table_of(figures, instance) for instance in figures.instances]
    if figures.table["is_disturbed"].any():
        say(
            section,
            "(waited): in a third of the rounds or more the workers waited for a processor, so the"
            " time is too long.",
        )
    say(section, "The last section of the report and of compare.md explains the columns.")
    return section


def _table_of(figures: Figures, instance: str) -> Table:
    """A row for each worker count and scheduler. A benchmark that failed is a row."""
    time = with_interval_kind("median time", figures.have_intervals)
    headers = ("rank", "speedup", "overhead", "per fork", "steals")
    columns = [Column("scheduler", is_name=True), Column("workers"), Column(time, is_name=True)]
    table = Table(instance, columns + [Column(header) for header in headers], keys=2)
    for workers in figures.worker_counts:
        places = grid(figures, workers)
        for scheduler in order_of(figures):
            cell = places.get((instance, scheduler))
            if cell is None:
                continue
            names = [scheduler, workers_in(figures, scheduler, workers)]
            row = figures.table.loc[cell]
            if pandas.notna(row["failure"]):
                table.marks[len(table.rows), 2] = Emphasis.FAILED
                table.rows.append([*names, DNF, *(MISSING for _ in headers)])
                continue
            if row["rank"] == 1:
                table.marks[len(table.rows), 3] = Emphasis.BEST
            median_time = seconds_with_interval(estimate_in(row, "seconds"))
            table.rows.append(
                [
                    *names,
                    median_time + (WAITED if row["is_disturbed"] else ""),
                    MISSING if pandas.isna(row["rank"]) else f"{row['rank']:.0f}",
                    ratio(row["speedup"]),
                    ratio(row["overhead"]),
                    seconds(row["seconds_per_fork"]),
                    count(counter_of(figures, cell, "steals")),
                ]
            )
    return table
