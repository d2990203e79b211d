"""What sections are made of, and the words for it: for whoever writes one."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any

from stealbench.cell import FEWEST_ROUNDS
from stealbench.figures import Figures
from stealbench.rawfile import RawFile
from stealbench.report.document import Paragraph, Section
from stealbench.report.format import counted, seconds
from stealbench.shape import is_number
from stealbench.statistics import Estimate

DNF = "DNF"
SERIAL = ("serial", "sequential")
"""Schedulers that have one worker, whatever the number in the name of a benchmark."""


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


def workers_of(row: Any) -> int:
    """How many a benchmark has, of a row of `Figures.cells`."""
    return 1 if row["scheduler"] in SERIAL else int(row["workers"])


def scheduler_in(figures: Figures, scheduler: str, workers: int) -> str:
    """`serial (1 worker)`: a scheduler among those with a worker count, and its own if it differs."""
    return f"{scheduler} (1 worker)" if scheduler in SERIAL and workers > 1 else scheduler


def title_of(figures: Figures, cell: str) -> str:
    """`openmp on fib n=35 with 2 workers`: a benchmark in a sentence."""
    row = figures.cells.loc[cell]
    return f"{row['scheduler']} on {row['instance']} with {counted(workers_of(row), 'worker')}"


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


def headed(header: str, figures: Figures) -> str:
    """The same of the rounds of a run: of one alone there is no range."""
    return (
        header if figures.fewest_rounds == 1 else with_interval_kind(header, figures.have_intervals)
    )


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
