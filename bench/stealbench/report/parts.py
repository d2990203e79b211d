"""What sections are made of, and the words for it: for whoever writes one."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from stealbench.cell import FEWEST_ROUNDS
from stealbench.figures import Figures
from stealbench.rawfile import RawFile
from stealbench.report.document import Column, Curve, Emphasis, Paragraph, Plot, PlotGroup, Section
from stealbench.report.document import Table
from stealbench.report.format import MISSING, counted, seconds
from stealbench.shape import is_number
from stealbench.statistics import Estimate

DNF = "DNF"


def text_at(values: dict[str, Any], key: str) -> str:
    """The text of a value, `unknown` if there is none."""
    value = values.get(key, "unknown")
    return value if isinstance(value, str) else json.dumps(value)


def context_of(raw: RawFile, build: str = "") -> dict[str, Any]:
    """What the processes of a build say of it and the machine; of the first build if it is empty."""
    return raw.contexts.get(build or min(raw.contexts, default=""), {})


def processors_of(raw: RawFile) -> int:
    """Those that the processes could use; of an older file all of the machine; 0 if unknown."""
    texts = [str(context_of(raw).get(key, "")) for key in ("processors", "num_cpus")]
    return next((int(text) for text in texts if text.isdigit()), 0)


def on_processors(raw: RawFile, workers: int) -> str:
    """` on 2 processors` where they were fewer than the workers."""
    processors = processors_of(raw)
    is_shared = not raw.is_simulated and 0 < processors < workers
    return f" on {counted(processors, 'processor')}" if is_shared else ""


def workers_in_words(source: Figures | RawFile, count: int) -> str:
    """`16 workers on 2 processors`, or `2 workers`."""
    raw = source.raw if isinstance(source, Figures) else source
    return counted(count, "worker") + on_processors(raw, count)


@functools.lru_cache(maxsize=64)
def _workers_had(figures: Figures) -> dict[tuple[str, int], int]:
    """By scheduler and worker count, the workers that it had: `serial` has one."""
    ran = figures.cells.dropna(subset=["worker_count"]).drop_duplicates(["scheduler", "workers"])
    return {(row.scheduler, row.workers): int(row.worker_count) for row in ran.itertuples()}


def scheduler_in(figures: Figures, scheduler: str, workers: int) -> str:
    """`serial (1 worker)`: a scheduler among those with a worker count, and its own if it differs."""
    had = _workers_had(figures).get((scheduler, workers), workers)
    return scheduler if had == workers else f"{scheduler} ({counted(had, 'worker')})"


def workers_in(figures: Figures, scheduler: str, workers: int) -> str:
    """`2`, or `1 of 2`: the same for a column of worker counts."""
    had = _workers_had(figures).get((scheduler, workers), workers)
    return str(workers) if had == workers else f"{had} of {workers}"


def _workers_of(row: Any) -> int:
    """How many a benchmark had; those that were asked of it if it has not run."""
    return int(row["workers"] if math.isnan(row["worker_count"]) else row["worker_count"])


def benchmark_in(figures: Figures, cell: str) -> str:
    """`fib/serial/n:35/workers:2 (1 worker)`: the same behind the name of a benchmark."""
    row = figures.cells.loc[cell]
    had = _workers_of(row)
    return cell if had == row["workers"] else f"{cell} ({counted(had, 'worker')})"


def title_of(figures: Figures, cell: str) -> str:
    """`openmp on fib n=35 with 2 workers`: a benchmark in a sentence."""
    row = figures.cells.loc[cell]
    return f"{row['scheduler']} on {row['instance']} with {counted(_workers_of(row), 'worker')}"


def not_told_apart_yet(figures: Figures) -> str:
    """`not told apart yet (2 of 6 rounds).`, how long the rest takes, and how to go on."""
    raw, rounds = figures.raw, figures.fewest_rounds
    noun = "seed" if raw.is_simulated else "round"
    text = f"not told apart yet ({rounds} of {FEWEST_ROUNDS} {noun}s)."
    if not 0 < rounds < FEWEST_ROUNDS:
        return text
    had, to_come = figures.cells["rounds"], FEWEST_ROUNDS - rounds
    lacking = (FEWEST_ROUNDS - had[figures.cells["failure"].isna()]).clip(lower=0).sum()
    length = raw.spent_seconds * lacking / had.sum()
    take = f"{counted(to_come, f'more {noun}')} {'takes' if to_come == 1 else 'take'} about"
    in_words = seconds(length) if length < 180 else f"{math.ceil(length / 60)} min"
    again = f"measure again with --{noun}s {FEWEST_ROUNDS} or more"
    return f"{text} {take} {in_words}; {again if raw.is_finished else 'continue with --resume'}."


def with_interval_kind(header: str, has_intervals: bool) -> str:
    """`median time [95 %]`, or `[range]` where there are too few rounds for an interval."""
    return f"{header} [{'95 %' if has_intervals else 'range'}]"


def greatest_first(sized: Iterable[tuple[float, str]]) -> list[str]:
    """The texts, by descending numbers."""
    return [text for _, text in sorted(sized, key=lambda pair: -pair[0])]


def estimate_in(row: Any, name: str) -> Estimate | None:
    """A figure of a row of `Figures.table` with its interval."""
    estimate = Estimate(row[name], row[f"{name}_low"], row[f"{name}_high"])
    return None if math.isnan(estimate.median) else estimate


def counter_of(figures: Figures, cell: str, name: str) -> float | None:
    """A number from the run that counts."""
    value = (figures.raw.counters.get(cell) or {}).get(name)
    return float(value) if value is not None and is_number(value) else None


def say(section: Section, text: str, is_lead: bool = False) -> None:
    """Adds a paragraph, unless its text is empty."""
    if text:
        section.blocks.append(Paragraph(text, is_lead))


def add_curve(name: str, points: list[tuple[float, Estimate]], plot: Plot) -> None:
    """Adds a curve in a style of its own, unless it has no point; points are put in order."""
    if points:
        ordered = sorted(points, key=lambda point: point[0])
        plot.curves.append(Curve(name, ordered, style=len(plot.curves)))


def add_plot(plot: Plot, group: PlotGroup) -> None:
    """Adds a plot, unless no curve has a point."""
    if any(curve.points for curve in plot.curves):
        group.plots.append(plot)


@functools.lru_cache(maxsize=256)
def grid(figures: Figures, workers: int) -> Mapping[tuple[str, str], str]:
    """By instance and scheduler the name of the benchmark, of one worker count."""
    table = figures.cells[figures.cells["workers"] == workers]
    table = table[(table[["varied", "build", "machine"]] == "").all(axis=1)]
    return {(row.instance, row.scheduler): str(row.Index) for row in table.itertuples()}


@functools.lru_cache(maxsize=64)
def overall(figures: Figures) -> Any:
    """`Figures.regret` over all instances with the greatest worker count."""
    return figures.regret(figures.worker_counts[-1])


def order_of(figures: Figures) -> list[str]:
    """Schedulers as tables have them: the least mean first where there are rounds for ranks."""
    if not figures.have_intervals:
        return figures.schedulers
    means = overall(figures)["mean"].astype(float).fillna(math.inf)
    return sorted(figures.schedulers, key=lambda name: float(means[name]))


def table_over_instances(figures: Figures, title: str, text_of: Callable[[str], str]) -> Table:
    """A row for each scheduler and a column for each instance, with the greatest worker count.

    `text_of` takes the name of a benchmark that finished.
    """
    workers = figures.worker_counts[-1]
    places = grid(figures, workers)
    table = Table(title, [Column("scheduler", is_name=True), *map(Column, figures.instances)])
    for row, scheduler in enumerate(order_of(figures)):
        cells = [places.get((instance, scheduler)) for instance in figures.instances]
        texts = [
            MISSING if cell is None else text_of(cell) if cell in figures.times else DNF
            for cell in cells
        ]
        failed = [column for column, text in enumerate(texts, 1) if text == DNF]
        table.marks |= {(row, column): Emphasis.FAILED for column in failed}
        table.rows.append([scheduler_in(figures, scheduler, workers), *texts])
    return table
