"""Runs of several machines or commits beside each other, and the shares of a sweep made one file.

Values of two runs are never pooled: a rank is of one run, a change of two on the same machine.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from stealbench import rawfile
from stealbench.errors import BadInput
from stealbench.figures import Figures, figures_of
from stealbench.rawfile import RawFile
from stealbench.report.diff import MACHINE_KEYS, costs_of, difference_between, of_build
from stealbench.report.diff import summary_of, table_of
from stealbench.report.document import Block, Column, Paragraph, Prominence, Section, Table
from stealbench.report.format import MISSING, ratio, seconds_with_interval
from stealbench.report.origin import changes_of_profile, machine_note, name_machine
from stealbench.report.origin import simulation_note
from stealbench.report.parts import DNF, benchmark_in, context_of, estimate_in, say, text_at
from stealbench.report.verdict import verdict_of
from stealbench.statistics import FEWEST_FOR_INTERVAL

AS_WRITTEN = "valid: a file as it was written"
OF_ONE = "valid: shares of one sweep"

Numbered = list[tuple[str, Figures]]
"""Runs of one experiment: `run 1` and its figures."""


def _machine_of(raw: RawFile) -> list[str]:
    """Of a simulation also the profile: its context says nothing of the simulated machine."""
    texts = []
    if raw.is_simulated:
        about = raw.header["about"]
        texts = [json.dumps(costs_of(about), sort_keys=True), changes_of_profile(about)]
    return texts + [text_at(context_of(raw), key) for key in MACHINE_KEYS]


def _in_order(merged: Sequence[RawFile]) -> list[RawFile]:
    """Each build alone, by experiment, machine and date."""
    runs: list[RawFile] = []
    for raw in merged:
        builds = dict.fromkeys(cell.build for cell in raw.cells.values())
        runs += [of_build(raw, build) for build in builds] if len(builds) > 1 else [raw]
    return sorted(
        runs, key=lambda raw: (raw.experiment, _machine_of(raw), text_at(raw.header, "date"))
    )


def _table_of_runs(runs: Sequence[RawFile]) -> Table:
    keys = ("processor", "num_cpus", "commit", "compiler")
    headers = ("run", "experiment", "date", "processor", "processors", "commit", "compiler")
    table = Table("Machine and build of each run", [Column(name, is_name=True) for name in headers])
    for number, raw in enumerate(runs, 1):
        texts = [text_at(context_of(raw), key) for key in keys]
        table.rows.append([f"run {number}", raw.experiment, text_at(raw.header, "date"), *texts])
    return table


def _table_over_runs(runs: Numbered, title: str, text_of: Callable[[Any], str]) -> Table:
    """A row for each benchmark of any run, a column for each run; a dash where a run lacks it."""
    rows: dict[str, list[str]] = {}
    for column, (_, figures) in enumerate(runs, 1):
        for name, row in figures.table.iterrows():
            cell = str(name)
            texts = rows.setdefault(cell, [benchmark_in(figures, cell), *[MISSING] * len(runs)])
            texts[column] = text_of(row) if cell in figures.times else DNF
    columns = [Column("benchmark", is_name=True), *(Column(name) for name, _ in runs)]
    return Table(title, columns, list(rows.values()))


def _time_of(row: Any) -> str:
    return seconds_with_interval(estimate_in(row, "seconds"))


def _rank_of(row: Any) -> str:
    rank = f"{row['rank']:.0f} · " if row["rank"] >= 1 else ""
    return rank + ratio(row["slowdown"])


def _changes_in(runs: Numbered, threshold: float) -> Iterator[Block]:
    """To each run from the latest earlier one on its machine that has a benchmark of it."""
    for index, (name, after) in enumerate(runs):
        earlier = [
            (before_name, before)
            for before_name, before in runs[:index]
            if before.raw.cells.keys() & after.raw.cells.keys()
            and _machine_of(before.raw) == _machine_of(after.raw)
        ]
        if not earlier:
            continue
        difference = difference_between(earlier[-1][1], after, threshold)
        names = f"{earlier[-1][0]} → {name}"
        yield Paragraph(f"{names}: {' '.join(summary_of(difference))}")
        for warning in difference.warnings:
            yield Paragraph(f"{names}, warning: {warning}")
        changed = table_of(difference, names)
        if changed.rows:
            yield changed


def _sections_of(experiment: str, runs: Numbered, threshold: float) -> list[Section]:
    leads = Section(f"Who leads: {experiment}", shown=Prominence.SUMMARY)
    for name, figures in runs:
        is_simulated = figures.raw.is_simulated
        say(leads, f"{name}{', simulated' if is_simulated else ''}: {verdict_of(figures)}")
        if is_simulated:
            say(leads, simulation_note(figures.raw))
    kind = "95 %"
    if not all(figures.have_intervals for _, figures in runs):
        kind += f", below {FEWEST_FOR_INTERVAL} rounds the range"
    times = [
        _table_over_runs(runs, f"Median time [{kind}] in each run", _time_of),
        _table_over_runs(runs, "Rank, and time over the best of the same run", _rank_of),
    ]
    changes = list(_changes_in(runs, threshold))
    shown = [Section(f"Changes: {experiment}", changes, Prominence.SUMMARY)] if changes else []
    return [leads, Section(f"Times: {experiment}", [*times], Prominence.TABLES), *shown]


def merged_sections(merged: Sequence[RawFile], threshold: float) -> list[Section]:
    """What the runs are; then, of each experiment, who leads in each run, the times, the ranks
    within each run, and what has changed by more than `threshold`, a part of 1, on one machine.
    """
    runs = _in_order(merged)
    if len(runs) < 2:
        raise BadInput("one run alone has nothing beside it; valid: two runs or more")
    groups: dict[str, Numbered] = {}
    for number, raw in enumerate(runs, 1):
        groups.setdefault(raw.experiment, []).append((f"run {number}", figures_of(raw)))
    sections = [Section("Runs", [_table_of_runs(runs)], Prominence.SUMMARY)]
    for experiment, own in groups.items():
        sections += _sections_of(experiment, own, threshold)
    name_machine(machine_note(*runs), sections)
    return sections


def is_share(raw: RawFile) -> bool:
    """Whether it is the part of a sweep that one rank of mpirun or srun ran."""
    return "share" in raw.header


def joined_lines(shares: Sequence[Path]) -> list[dict[str, Any]]:
    """The lines of the raw file of the whole sweep: processes by round, in the first line's order.

    `shares` are raw files, in any order. Raises BadInput unless they are all the shares of one
    sweep, each finished.
    """
    parts = _parts(shares)
    files, runs = zip(*parts)
    share = runs[0].header["share"]
    cells = [
        runs[index % len(runs)].header["cells"][index // len(runs)]
        for index in range(int(share["benchmarks"]))
    ]
    header = {key: value for key, value in runs[0].header.items() if key != "share"}
    context: dict[str, Any] = next((context_of(raw) for raw in runs if raw.contexts), {})
    place = {cell["name"]: index for index, cell in enumerate(cells)}
    processes = [
        line for file in files for line in rawfile.lines_of(file) if line["type"] == "process"
    ]
    processes.sort(key=lambda line: (line.get("round", 0), place[line["cell"]]))
    spent = max(raw.spent_seconds for raw in runs)
    return [
        {**header, "cells": cells},
        {"type": "context", "context": context},
        *processes,
        {"type": "finished", "spent_seconds": spent, "host_checks": []},
    ]


def _expect(is_valid: bool, otherwise: str) -> None:
    if not is_valid:
        raise BadInput(otherwise)


def _parts(shares: Sequence[Path]) -> list[tuple[Path, RawFile]]:
    """All of one sweep, by rank."""
    by_rank: dict[int, tuple[Path, RawFile]] = {}
    for file in shares:
        raw = rawfile.read(file)
        no_share = "is no share of a sweep, where others are; valid: all of them shares, or none"
        _expect(is_share(raw), f"'{file}' {no_share}")
        rank, ranks = raw.header["share"]["rank"], raw.header["share"]["ranks"]
        _expect(rank < ranks, f"'{file}' is of rank {rank} of {ranks}; {AS_WRITTEN}")
        both = f"'{by_rank.get(rank, (file,))[0]}' and '{file}' are both of rank {rank}"
        _expect(rank not in by_rank, f"{both}; valid: each share once")
        by_rank[rank] = (file, raw)
    parts = [by_rank[rank] for rank in sorted(by_rank)]
    for file, raw in parts:
        _expect_same_sweep(*parts[0], file, raw)
        unfinished = "is not finished; valid: finished shares; to continue, start the sweep again"
        _expect(raw.is_finished, f"'{file}' {unfinished} with --resume")
    _expect_all(parts)
    return parts


def _expect_same_sweep(first: Path, one: RawFile, second: Path, other: RawFile) -> None:
    both = f"'{first}' and '{second}'"
    for key in ("experiment", "settings", "about"):
        is_same = one.header.get(key) == other.header.get(key)
        _expect(is_same, f"{both} differ in their {key}; {OF_ONE}")
    builds = [context_of(raw) for raw in (one, other)]
    is_same = builds[0] == builds[1] or not all(builds)
    is_same &= one.header["share"]["ranks"] == other.header["share"]["ranks"]
    _expect(is_same, f"{both} are of different builds or numbers of ranks; {OF_ONE}")


def _expect_all(parts: Sequence[tuple[Path, RawFile]]) -> None:
    share = parts[0][1].header["share"]
    ranks, benchmarks = share["ranks"], int(share["benchmarks"])
    had = {raw.header["share"]["rank"]: (file, len(raw.cells)) for file, raw in parts}
    for rank in sorted({*range(min(ranks, benchmarks)), *had}):
        missing = f"the share of rank {rank} of {ranks} is missing; valid: the shares of all"
        _expect(rank in had, missing)
        file, count = had[rank]
        due = len(range(rank, benchmarks, ranks))
        wrong = f"'{file}' has {count} benchmarks, and its rank {due}; {AS_WRITTEN}"
        _expect(count == due, wrong)
