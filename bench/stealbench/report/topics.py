"""One value of each benchmark in a table: balance, memory, first run, processor time."""

from __future__ import annotations

from collections.abc import Callable

import pandas

from stealbench.figures import Figures
from stealbench.report.document import Prominence, Section
from stealbench.report.format import MISSING, bytes_, count, percent, ratio, seconds
from stealbench.report.format import seconds_with_interval
from stealbench.report.guides import guide
from stealbench.report.parts import DNF, counter_of, table_over_instances, workers_in_words
from stealbench.shape import is_number
from stealbench.statistics import Estimate

TextOf = Callable[[str], str]
ValueOf = Callable[[str], float | None]

MOST_LISTED = 4
"""More workers than this, and a list of them is no longer read."""


def topic_sections(figures: Figures) -> list[Section]:
    """Of each section the tables that have a value; with the greatest worker count."""
    sections = []
    for title, tables in _topics(figures).items():
        section = guide(title)
        section.shown = Prominence.DETAIL
        for name, text_of in tables.items():
            workers = workers_in_words(figures, figures.worker_counts[-1])
            table = table_over_instances(figures, f"{name}, with {workers}", text_of)
            if any(text not in (MISSING, DNF) for row in table.rows for text in row[1:]):
                section.blocks.append(table)
        if len(section.blocks) > 1:  # The meaning alone says nothing.
            sections.append(section)
    return sections


def _topics(figures: Figures) -> dict[str, dict[str, TextOf]]:
    def estimated(name: str) -> TextOf:
        estimates = figures.estimates(name)
        values = {str(row[0]): Estimate(*row[1:]) for row in estimates.itertuples()}
        return lambda cell: seconds_with_interval(values.get(cell))

    def median(name: str) -> pandas.Series[float]:
        return figures.estimates(name)["median"]

    def quotient(over: str, under: str) -> ValueOf:
        divisors = median(under)
        values: dict[str, float] = (median(over) / divisors[divisors != 0]).to_dict()
        return values.get

    def counted(name: str, scale: float = 1) -> ValueOf:
        def value_of(cell: str) -> float | None:
            value = counter_of(figures, cell, name)
            return None if value is None else scale * value

        return value_of

    def shown(value_of: ValueOf, text_of: Callable[[float], str]) -> TextOf:
        def text(cell: str) -> str:
            value = value_of(cell)
            return MISSING if value is None or pandas.isna(value) else text_of(value)

        return text

    peaks = figures.rounds.groupby("cell")["peak_rss_bytes"].max()
    ticks = _ticks_of(figures)
    per_tick = median("cpu_seconds") / ticks
    medians = {name: median(name) for name in ("voluntary_switches", "forced_switches")}
    nano = 1e-9
    return {
        "Search over several processes": {
            "Steal, from the request to the tasks": shown(counted("steal_ns", nano), seconds),
            "Split of a bag": shown(counted("split_ns", nano), seconds),
            "Merge of tasks that have come": shown(counted("merge_ns", nano), seconds),
            "Termination": shown(counted("termination_ns", nano), seconds),
        },
        "Balance": {
            "Share of the busy time, worker by worker": lambda cell: shares_of(
                figures, cell, "busy_ns"
            ),
            "Share of the jobs, worker by worker": lambda cell: shares_of(
                figures, cell, "jobs_run"
            ),
        },
        "Memory": {
            # A process that cannot read it says 0.
            "Peak resident set of the process": shown(peaks[peaks > 0].get, bytes_),
            "Most live jobs at one time": shown(counted("most_live_jobs"), count),
            "Queues and the stacks of fibers that migrate, at the most": shown(
                lambda cell: _bytes_of_strategy(figures, cell), bytes_
            ),
        },
        "First run and steady state": {
            "Start-up: making the scheduler": estimated("start_up_seconds"),
            "First run": estimated("first_run_seconds"),
            "First run over the steady state": shown(
                quotient("first_run_seconds", "seconds"), ratio
            ),
        },
        "Processor time and context switches": {
            "Processor time per run": estimated("cpu_seconds"),
            "Processor time per task": shown(quotient("cpu_seconds", "fork_count"), seconds),
            "Processor time per tick of a control loop": shown(per_tick.get, seconds),
            "Processors in use: processor time over wall time": shown(
                quotient("cpu_seconds", "seconds"), "{:.2f}".format
            ),
            "Share of the processor time in the kernel": shown(
                quotient("system_seconds", "cpu_seconds"), percent
            ),
            "Voluntary context switches per run": shown(
                medians["voluntary_switches"].get, events_text
            ),
            "Forced context switches per run": shown(medians["forced_switches"].get, events_text),
        },
    }


def events_text(value: float) -> str:
    """Per run, so it may be a fraction of one."""
    return f"{value:.2g}" if value < 10 else count(value)


def shares_of(figures: Figures, cell: str, member: str) -> str:
    """What part of the sum each worker has: `50 %, 50 %`; a dash if a worker lacks the value."""
    workers = (figures.raw.counters.get(cell) or {}).get("per_worker")
    workers = workers if isinstance(workers, list) else []
    values = [worker.get(member) if isinstance(worker, dict) else None for worker in workers]
    numbers = [float(value) for value in values if value is not None and is_number(value)]
    if len(numbers) < len(values) or sum(numbers) <= 0:
        return MISSING
    parts = [number / sum(numbers) for number in numbers]
    if len(parts) > MOST_LISTED:
        return f"{100 * min(parts):.0f} % to {100 * max(parts):.0f} %"
    return ", ".join(f"{100 * part:.0f} %" for part in parts)


def _bytes_of_strategy(figures: Figures, cell: str) -> float | None:
    """What the strategy itself keeps in memory, from the run that counts."""
    stacks, queues = (counter_of(figures, cell, name) for name in ("stack_bytes", "queue_bytes"))
    return None if stacks is None or queues is None else stacks + queues


def _ticks_of(figures: Figures) -> pandas.Series[float]:
    """Of the benchmarks of control loops: how many ticks one run has."""
    given = {name: dict(cell.parameters).get("ticks") for name, cell in figures.raw.cells.items()}
    ticks = {name: float(text) for name, text in given.items() if text and text.isdigit()}
    return pandas.Series({name: value for name, value in ticks.items() if value > 0}, dtype=float)
