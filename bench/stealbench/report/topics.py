"""One value of each benchmark in a table: balance, memory, first run, processor time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stealbench.figures import Figures
from stealbench.report.document import Prominence, Section
from stealbench.report.format import MISSING, bytes_, count, percent, ratio, seconds
from stealbench.report.format import seconds_with_interval
from stealbench.report.guides import guide
from stealbench.report.parts import DNF, counter_of, table_over_instances, workers_in_words
from stealbench.shape import is_number
from stealbench.statistics import Estimate

MOST_LISTED = 4
"""More workers than this, and a list of them is no longer read."""

Topic = tuple[Any, Callable[[Any], str]]
"""Values by benchmark, and how one is written."""


def topic_sections(figures: Figures) -> list[Section]:
    """Of each section the tables that have a value; with the greatest worker count."""
    sections = []
    workers = workers_in_words(figures, figures.worker_counts[-1])
    for title, tables in _topics(figures).items():
        section = guide(title, Prominence.DETAIL)
        for name, (values, text_of) in tables.items():
            # A value that is missing in a series differs from itself.
            texts = {cell: text_of(value) for cell, value in values.items() if value == value}
            of_cell = {**dict.fromkeys(figures.times, MISSING), **texts}
            table = table_over_instances(figures, f"{name}, with {workers}", of_cell.__getitem__)
            if any(text not in (MISSING, DNF) for row in table.rows for text in row[1:]):
                section.blocks.append(table)
        if len(section.blocks) > 1:  # The meaning alone says nothing.
            sections.append(section)
    return sections


def _topics(figures: Figures) -> dict[str, dict[str, Topic]]:
    def estimated(name: str) -> Topic:
        rows = figures.estimates(name).itertuples()
        return {str(row[0]): Estimate(*row[1:]) for row in rows}, seconds_with_interval

    def over(name: str, divisor: str) -> Any:
        values, divisors = (figures.estimates(one)["median"] for one in (name, divisor))
        return values / divisors[divisors != 0]

    def counted(*names: str) -> dict[str, float]:
        """The sum of counters, where there are all."""
        rows = {c: [counter_of(figures, c, name) for name in names] for c in figures.times}
        return {c: sum(filter(None, row)) for c, row in rows.items() if None not in row}

    def of_search(name: str) -> Topic:
        return counted(name), lambda nanoseconds: seconds(1e-9 * nanoseconds)

    def switches(kind: str) -> Topic:
        """Per run, so it may be a fraction of one."""
        values = figures.estimates(f"{kind}_switches")["median"]
        return values, lambda value: f"{value:.2g}" if value < 10 else count(value)

    peaks = (
        figures.rounds.reindex(columns=["cell", "peak_rss_bytes"]).groupby("cell").max().iloc[:, 0]
    )
    queues = counted("stack_bytes", "queue_bytes")
    in_use, in_kernel = over("cpu_seconds", "seconds"), over("system_seconds", "cpu_seconds")
    return {
        "Search over several processes": {
            "Steal, from the request to the tasks": of_search("steal_ns"),
            "Split of a bag": of_search("split_ns"),
            "Merge of tasks that have come": of_search("merge_ns"),
            "Termination": of_search("termination_ns"),
        },
        "Balance": {
            "Share of the busy time, worker by worker": (_shares(figures, "busy_ns"), str),
            "Share of the jobs, worker by worker": (_shares(figures, "jobs_run"), str),
        },
        "Memory": {
            # A process that cannot read it says 0.
            "Peak resident set of the process": (peaks[peaks > 0], bytes_),
            "Most live jobs at one time": (counted("most_live_jobs"), count),
            "Queues and the stacks of fibers that migrate, at the most": (queues, bytes_),
        },
        "First run and steady state": {
            "Start-up: making the scheduler": estimated("start_up_seconds"),
            "First run": estimated("first_run_seconds"),
            "First run over the steady state": (over("first_run_seconds", "seconds"), ratio),
        },
        "Processor time and context switches": {
            "Processor time per run": estimated("cpu_seconds"),
            "Processor time per task": (over("cpu_seconds", "fork_count"), seconds),
            "Processors in use: processor time over wall time": (in_use, "{:.2f}".format),
            "Share of the processor time in the kernel": (in_kernel, percent),
            "Voluntary context switches per run": switches("voluntary"),
            "Forced context switches per run": switches("forced"),
        },
    }


def _shares(figures: Figures, member: str) -> dict[str, str]:
    """What part of the sum each worker has: `50 %, 50 %`, where all workers have a value."""
    texts = {}
    for cell, counters in figures.raw.counters.items():
        workers: Any = (counters or {}).get("per_worker") or []
        values: list[Any] = [row.get(member) for row in workers if isinstance(row, dict)]
        if all(value is not None and is_number(value) for value in values) and sum(values) > 0:
            parts = [100 * value / sum(values) for value in values]
            texts[cell] = ", ".join(f"{part:.0f} %" for part in parts)
            if len(parts) > MOST_LISTED:
                texts[cell] = f"{min(parts):.0f} % to {max(parts):.0f} %"
    return texts
