"""Runs of several machines or commits beside each other, and the shares of a sweep made one file.

Values of two runs are never pooled: a rank is of one run, a change of two on the same machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from stealbench import rawfile
from stealbench.analysis.tabulate import Defined, name, number, tabulate, time_in
from stealbench.errors import BadInput
from stealbench.figures import Figures, figures_of
from stealbench.rawfile import RawFile
from stealbench.report import diff, origin
from stealbench.report.document import Block, Prominence, Section, Table
from stealbench.report.format import MISSING
from stealbench.report.parts import DNF, context_of, say, title_of
from stealbench.report.verdict import rank_in, verdict_of

Numbered = dict[str, Figures]
"""Runs of one experiment, by `run 1`."""


def _machine_of(raw: RawFile) -> list[str]:
    """Of a simulation the profile: its context says nothing of the simulated machine."""
    facts = origin.facts_of(raw)
    return [facts.get(fact, "") for fact in ("processor", "processors", "profile")]


def _table_over_runs(runs: Numbered, title: str, text_of: Callable[[Any], str]) -> Table:
    """A row for each benchmark of any run, a column for each run; a dash where a run lacks it."""
    titles = {cell: title_of(own, cell) for own in runs.values() for cell in own.raw.cells}

    def column(run: str, own: Figures) -> Defined:
        finished = own.table.loc[list(own.times)].to_dict("index")
        texts = dict.fromkeys(own.raw.cells, DNF)
        texts |= {cell: text_of(row) for cell, row in finished.items()}
        return number(run, lambda cell: texts.get(cell, MISSING))

    columns = [name("benchmark", titles.__getitem__), *(column(*run) for run in runs.items())]
    return tabulate(title, columns, titles)


def _sections_of(experiment: str, runs: Numbered, threshold: float) -> list[Section]:
    leads = Section(f"Who leads: {experiment}", shown=Prominence.SUMMARY)
    changes = Section(f"Changes: {experiment}", shown=Prominence.SUMMARY)
    for at, (run, after) in enumerate(runs.items()):
        simulated = ", simulated" if after.raw.is_simulated else ""
        say(leads, f"{run}{simulated}: {verdict_of(after)}")
        say(leads, origin.simulation_note(after.raw) if simulated else "")
        for earlier, before in reversed([*runs.items()][:at]):
            are_alike = _machine_of(before.raw) == _machine_of(after.raw)
            if are_alike and not diff.why_incomparable(before.raw, after.raw):
                difference = diff.difference_between(before, after, threshold)
                changes.blocks += diff.blocks_of(difference, f"{earlier} → {run}")
                break
    have_all = all(figures.have_intervals for figures in runs.values())
    kind = "95 %" if have_all else "95 %, below 6 rounds the range"
    tables: list[Block] = [
        _table_over_runs(runs, f"Median time [{kind}] in each run", time_in),
        _table_over_runs(runs, "Rank, and time over the best of the same run", rank_in),
    ]
    times = Section(f"Times: {experiment}", tables, Prominence.TABLES)
    return [leads, times, *([changes] if changes.blocks else [])]


def merged_sections(merged: Sequence[RawFile], threshold: float) -> list[Section]:
    """What the runs are, each build alone; then, of each experiment, who leads in each run, times
    and ranks, and what has changed by more than `threshold`, a part of 1, on one machine."""
    builds = [(raw, dict.fromkeys(cell.build for cell in raw.cells.values())) for raw in merged]
    parts = [diff.of_build(raw, build) if build else raw for raw, own in builds for build in own]
    parts.sort(key=lambda raw: (raw.experiment, _machine_of(raw), raw.header["date"]))
    if len(parts) < 2:
        raise BadInput("one run alone has nothing beside it", "two runs or more")
    runs = {f"run {number}": raw for number, raw in enumerate(parts, 1)}
    sections = [Section("Runs", shown=Prominence.SUMMARY)]
    for run, raw in runs.items():
        say(sections[0], f"{run}: {origin.subtitle_of(raw)}")
    say(sections[0], origin.differing(runs))
    for experiment in dict.fromkeys(raw.experiment for raw in parts):
        own = {run: figures_of(raw) for run, raw in runs.items() if raw.experiment == experiment}
        sections += _sections_of(experiment, own, threshold)
    origin.name_machine(origin.machine_note(*parts), sections)
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
            problem = f"'{file}' is no share of a sweep, where others are"
            raise BadInput(problem, "all of them shares, or none")
        if not raw.is_finished:
            valid = "finished shares; to continue, start the sweep again with --resume"
            raise BadInput(f"'{file}' is not finished", valid)
        own = {key: raw.header.get(key) for key in ("experiment", "settings", "about")}
        own |= {f"number of {key}": raw.header["share"][key] for key in ("ranks", "benchmarks")}
        own |= {"build": context_of(raw)} if raw.contexts else {}  # None if no process ended well.
        if unlike := [key for key in own if sweep.setdefault(key, own[key]) != own[key]]:
            raise BadInput(f"'{file}' has another {unlike[0]}", "shares of one sweep")
    runs = sorted(shares.values(), key=lambda raw: int(raw.header["share"]["rank"]))
    had = [(raw.header["share"]["rank"], len(raw.cells)) for raw in runs]
    ranks, benchmarks = sweep["number of ranks"], sweep["number of benchmarks"]
    due = [(rank, len(range(rank, benchmarks, ranks))) for rank in range(min(ranks, benchmarks))]
    if had != due:
        names = ", ".join(str(rank) for rank, _ in had)
        raise BadInput(f"shares of the ranks {names} of {ranks}", "each rank's share once")
    return runs
