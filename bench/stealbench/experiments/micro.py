"""`stealbench micro`: the cost of single operations: fork, spawn, steal, wake-up and others."""

from __future__ import annotations

from typing import Any

from stealbench.figures import Figures, figures_of
from stealbench.rawfile import RawFile
from stealbench.report.document import Column, Definitions, Emphasis, Paragraph, Prominence
from stealbench.report.document import Section, Table
from stealbench.report.format import MISSING, bytes_, seconds_with_interval
from stealbench.report.parts import DNF, estimate_in, say, scheduler_in, with_interval_kind
from stealbench.report.parts import workers_in_words

NAME = "micro"
SUMMARY = "Measure the cost of single operations: fork, spawn, steal, wake-up and others"

WAITED = " (waited)"


def _table(figures: Figures, metrics: list[dict[str, Any]]) -> Table:
    """A row for each scheduler, a column for each metric, in seconds of one operation or bytes."""
    title = with_interval_kind("Cost of one operation, median", figures.have_intervals)
    table = Table(title, [Column("scheduler", is_name=True)])
    table.columns += [Column(metric["name"]) for metric in metrics]
    measured = figures.table.drop_duplicates(["scheduler", "workload"])
    cells = dict(zip(zip(measured["scheduler"], measured["workload"]), measured.index))
    memory = figures.estimates("bytes_per_worker")["median"]
    for scheduler in figures.schedulers:
        texts = [scheduler]
        for metric in metrics:
            cell = cells.get((scheduler, metric["name"]))
            if cell is None:
                texts.append(MISSING)
                continue
            row = figures.table.loc[cell]
            # `serial (1 worker)`, if one metric shows it.
            texts[0] = max(texts[0], scheduler_in(figures, scheduler, row["workers"]))
            if cell not in figures.times:
                table.marks[len(table.rows), len(texts)] = Emphasis.FAILED
                texts.append(DNF)
            elif metric["unit"] == "bytes":
                texts.append(bytes_(memory.get(cell)))
            else:
                time = seconds_with_interval(estimate_in(row, "seconds"))
                texts.append(time + (WAITED if row["is_disturbed"] else ""))
        table.rows.append(texts)
    return table


def sections(raw: RawFile) -> list[Section]:
    """The costs, and what each of them means."""
    about = raw.header["about"]
    table = _table(figures_of(raw), about["figures"])
    meanings = Definitions(
        [
            (
                f"{metric['name']} ({workers_in_words(raw, metric['workers'])})",
                f"{metric['meaning']}. Raw cost, without a scheduler: {metric['raw']}.",
            )
            for metric in about["figures"]
        ]
    )
    gaps = [
        Paragraph(
            f"{MISSING} {gap['figure']} of {gap['scheduler']}: not applicable, {gap['reason']}."
        )
        for gap in about["gaps"]
    ]
    costs = Section("Costs of single operations", [table], Prominence.SUMMARY)
    if any(text.endswith(WAITED) for row in table.rows for text in row):
        say(
            costs,
            "(waited): in a third of the rounds or more the workers waited for a processor, so the"
            " cost is too high.",
        )
    return [
        costs,
        Section("What the costs mean", [meanings, *gaps], Prominence.TABLES),
    ]
