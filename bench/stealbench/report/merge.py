"""Runs of several machines or commits beside each other, and the shares of a sweep made one file.

Values of two runs are never pooled: a rank is of one run, a change of two on the same machine.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from stealbench import rawfile
from stealbench.cell import FEWEST_ROUNDS
from stealbench.errors import BadInput
from stealbench.figures import Figures, figures_of
from stealbench.rawfile import RawFile
from stealbench.report.diff import MACHINE_KEYS, blocks_of, costs_of, difference_between, of_build
from stealbench.report.document import Block, Column, Prominence, Section, Table
from stealbench.report.format import MISSING, seconds_with_interval
from stealbench.report.origin import changes_of_profile, machine_note, name_machine, simulation_note
from stealbench.report.parts import DNF, benchmark_in, context_of, estimate_in, say, text_at
from stealbench.report.verdict import rank_in, verdict_of

Numbered = list[tuple[str, Figures]]
"""Runs of one experiment: `run 1` and its figures."""


def _machine_of(raw: RawFile) -> list[str]:
    """Of a simulation also the profile: its context says nothing of the simulated machine."""
    about = raw.header["about"]
    profile = [json.dumps(costs_of(about)), changes_of_profile(about)] if raw.is_simulated else []
    return profile + [text_at(context_of(raw), key) for key in MACHINE_KEYS]


def _in_order(merged: Sequence[RawFile]) -> list[RawFile]:
    """Each build alone, by experiment, machine and date."""
    runs: list[RawFile] = []
    for raw in merged:
        builds = dict.fromkeys(cell.build for cell in raw.cells.values())
        runs += [of_build(raw, build) for build in builds] if len(builds) > 1 else [raw]
    return sorted(runs, key=lambda raw: (raw.experiment, _machine_of(raw), raw.header["date"]))


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
            texts = rows.setdefault(name, [benchmark_in(figures, name), *[MISSING] * len(runs)])
            texts[column] = text_of(row) if name in figures.times else DNF
    columns = [Column("benchmark", is_name=True), *(Column(name) for name, _ in runs)]
    return Table(title, columns, list(rows.values()))


def _changes_in(runs: Numbered, threshold: float) -> Iterator[Block]:
    """To each run from the latest earlier one on its machine that has a benchmark of it."""
    for index, (name, after) in enumerate(runs):
        for before_name, before in reversed(runs[:index]):
            is_common = before.raw.cells.keys() & after.raw.cells.keys()
            if is_common and _machine_of(before.raw) == _machine_of(after.raw):
                difference = difference_between(before, after, threshold)
                yield from blocks_of(difference, f"{before_name} → {name}")
                break


def _sections_of(experiment: str, runs: Numbered, threshold: float) -> list[Section]:
    leads = Section(f"Who leads: {experiment}", shown=Prominence.SUMMARY)
    for name, figures in runs:
        is_simulated = figures.raw.is_simulated
        say(leads, f"{name}{', simulated' if is_simulated else ''}: {verdict_of(figures)}")
        say(leads, simulation_note(figures.raw) if is_simulated else "")
    have_all = all(figures.have_intervals for _, figures in runs)
    kind = "95 %" + ("" if have_all else f", below {FEWEST_ROUNDS} rounds the range")
    of_times = lambda row: seconds_with_interval(estimate_in(row, "seconds"))
    times: list[Block] = [
        _table_over_runs(runs, f"Median time [{kind}] in each run", of_times),
        _table_over_runs(runs, "Rank, and time over the best of the same run", rank_in),
    ]
    changes = list(_changes_in(runs, threshold))
    shown = [Section(f"Changes: {experiment}", changes, Prominence.SUMMARY)] if changes else []
    return [leads, Section(f"Times: {experiment}", times, Prominence.TABLES), *shown]


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


def has_share(files: Sequence[Path]) -> bool:
    """Whether a raw file among these is a share, by its first line alone."""
    return any("share" in next(rawfile.lines_of(file), {}) for file in files)


def is_share(raw: RawFile) -> bool:
    """Whether it is the part of a sweep that one rank of mpirun or srun ran."""
    return "share" in raw.header


def joined_lines(shares: Sequence[Path]) -> list[dict[str, Any]]:
    """The lines of the raw file of the whole sweep: processes by round, in the first line's order.

    `shares` are raw files, in any order. Raises BadInput unless they are all the shares of one
    sweep, each finished.
    """
    runs = _by_rank({file: rawfile.read(file) for file in shares})
    header = {key: value for key, value in runs[0].header.items() if key != "share"}
    numbers = range(runs[0].header["share"]["benchmarks"])
    cells = [runs[n % len(runs)].header["cells"][n // len(runs)] for n in numbers]
    context: dict[str, Any] = next((context_of(raw) for raw in runs if raw.contexts), {})
    spent = max(raw.spent_seconds for raw in runs)
    place = {cell["name"]: index for index, cell in enumerate(cells)}
    lines = [line for f in shares for line in rawfile.lines_of(f) if line["type"] == "process"]
    return [
        {**header, "cells": cells},
        {"type": "context", "context": context},
        *sorted(lines, key=lambda line: (line.get("round", 0), place[line["cell"]])),
        {"type": "finished", "spent_seconds": spent, "host_checks": []},
    ]


def _by_rank(shares: dict[Path, RawFile]) -> list[RawFile]:
    """All of one sweep. Raises BadInput."""
    sweep: dict[str, Any] = {}
    for file, raw in shares.items():
        if not is_share(raw):
            valid = "valid: all of them shares, or none"
            raise BadInput(f"'{file}' is no share of a sweep, where others are; {valid}")
        if not raw.is_finished:
            valid = "valid: finished shares; to continue, start the sweep again with --resume"
            raise BadInput(f"'{file}' is not finished; {valid}")
        own = {key: raw.header.get(key) for key in ("experiment", "settings", "about")}
        own |= {f"number of {key}": raw.header["share"][key] for key in ("ranks", "benchmarks")}
        own |= {"build": context_of(raw)} if raw.contexts else {}  # None if no process ended well.
        if differing := [key for key in own if sweep.setdefault(key, own[key]) != own[key]]:
            raise BadInput(f"'{file}' has another {differing[0]}; valid: shares of one sweep")
    runs = sorted(shares.values(), key=lambda raw: int(raw.header["share"]["rank"]))
    had = [raw.header["share"]["rank"] for raw in runs]
    ranks, benchmarks = sweep["number of ranks"], sweep["number of benchmarks"]
    due = list(range(min(ranks, benchmarks)))
    if had != due or any(
        len(r.cells) != len(range(k, benchmarks, ranks)) for k, r in zip(due, runs)
    ):
        names = ", ".join(map(str, had))
        raise BadInput(f"shares of the ranks {names} of {ranks}; valid: each rank's share once")
    return runs
