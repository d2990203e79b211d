"""Where values come from: the line of each table that names the machine, and the last sections."""

from __future__ import annotations

from typing import Any

import pytest

from stealbench.tests.conftest import cell, experiment, failed, process, raw_of
from stealbench.tests.simulated import PROFILE, simulated_lines
from stealbench.rawfile import RawFile
from stealbench.report.document import Column, Definitions, Plot, PlotGroup, Section, Table
from stealbench.report.document import Axis, Paragraph
from stealbench.report.origin import machine_note, name_machine, origin_sections, simulation_note
from stealbench.report.origin import subtitle_of


def measured(workers: int = 1, scheduler: str = "openmp", **context: Any) -> RawFile:
    cells = [cell("serial", workers), cell(scheduler, workers)]
    context = {"processor": "Z80", "num_cpus": 2, **context}
    line = {"type": "context", "context": context}
    raw: RawFile = raw_of([experiment(cells), line, *(process(of, 1, 1) for of in cells)])
    return raw


def simulated(name: str = "reference", **about: Any) -> RawFile:
    raw: RawFile = raw_of(
        simulated_lines(
            [(cell("a", 64), [1.0], {})], [64], profile={**PROFILE, "name": name}, **about
        )
    )
    return raw


@pytest.mark.parametrize(
    ("workers", "context", "note"),
    [
        (1, {"num_cpus": 1}, "Measured on 1 processor: Z80."),
        (4, {"num_cpus": 4, "environment": "none"}, "Measured on 4 processors: Z80."),
        (1, {"environment": "GOGC=off"}, "Measured on 2 processors: Z80, with GOGC=off."),
        (2, {"num_cpus": 64, "processors": "2"}, "Measured on 2 processors: Z80."),
        (5, {"num_cpus": 4}, "Measured with up to 5 workers on 4 processors: Z80."),
    ],
)
def test_a_machine_is_its_processors_and_whether_workers_shared_them(
    workers: int, context: dict[str, Any], note: str
) -> None:
    assert machine_note(measured(workers, **context)) == note


def test_serial_has_one_worker_and_shares_no_processor() -> None:
    cells = [cell("serial", 16)]
    raw = raw_of([experiment(cells), process(cells[0], 1, 1)])
    assert machine_note(raw) == "Measured on unknown."
    line = {"type": "context", "context": {"processor": "Z80", "num_cpus": 2}}
    raw = raw_of([experiment(cells), line, process(cells[0], 1, 1)])
    assert machine_note(raw) == "Measured on 2 processors: Z80."


def test_a_simulation_names_its_profile_and_what_is_changed_of_it() -> None:
    note = "Simulated, with a processor for each worker: profile reference"
    assert machine_note(simulated()) == f"{note} (A processor)."
    assert machine_note(simulated(changes=["wake 2us"])) == f"{note} with wake 2us (A processor)."


def test_several_runs_name_each_machine_once() -> None:
    runs = [measured(4, num_cpus=4), measured(9, num_cpus=4), measured(processor="6502")]
    assert machine_note(*runs, simulated(), simulated("other")) == (
        "Measured on 2 processors: 6502. Measured with up to 9 workers on 4 processors: Z80."
        " Simulated, with a processor for each worker: profiles other, reference."
    )


def test_a_simulation_says_how_far_its_profile_is_from_what_was_measured() -> None:
    about = simulated().header["about"]
    assert simulation_note(about) == (
        "Simulated, not measured: profile reference (A processor, 2026-11-22), not validated."
    )
    accuracy: dict[str, Any] = {
        "median_error": 0.08,
        "ninth_decile_error": 0.2,
        "contended_factor": 1.6,
    }
    profile = {
        **PROFILE,
        "accuracy": {**accuracy, "cells": 684},
        "measured": False,
        "doubt": "Old.",
    }
    text = simulation_note({"profile": profile, "other_processor": "B"})
    assert "Error against 684 benchmarks measured on A processor: without contention" in text
    assert "median 8 %, nine in ten within 20 %; nine in ten contended ones within a" in text
    assert text.endswith(
        " The profile is doubtful: Old. The profile is of another processor than this simulation"
        " ran on (B). The costs of the profile are not measured; they come from:"
        " stealbench calibrate"
    )


def test_a_table_keeps_the_machine_that_it_has_and_a_plot_gets_one() -> None:
    tables = [Table("first", [Column("a")], origin="elsewhere"), Table("second", [Column("a")])]
    plot = Plot("", Axis("x"), Axis("y"), [])
    name_machine("here", [Section("", [*tables, PlotGroup([plot]), Paragraph("text")])])
    assert [tables[0].origin, tables[1].origin, plot.origin] == ["elsewhere", "here", "here"]


def test_a_subtitle_has_the_commit_of_each_build() -> None:
    cells = [{**cell("a"), "build": build} for build in ("old", "new")]
    for of in cells:
        of["name"] += f"/build:{of['build']}"
    context: dict[str, Any] = {"processor": "Z80", "num_cpus": 2, "compiler": "G"}
    contexts = [
        {"type": "context", "build": name, "context": {**context, "commit": f"{name}1"}}
        for name in ("old", "new")
    ]
    raw = raw_of([experiment(cells), *contexts])
    assert subtitle_of(raw) == (
        "compare: 2 benchmarks on Z80, 2 processors; commit old1 and new1; 2026-11-22T00:00:00Z."
    )
    rows = dict(origin_sections(raw)[-1].blocks[0].rows)  # type: ignore[union-attr]
    assert rows["commit"] == "old1" and rows["commit of new"] == "new1"
    assert "compiler of new" not in rows, "of another build only what differs"


def test_what_did_not_finish_comes_first_with_its_reason() -> None:
    cells = [cell("a"), cell("b")]
    raw = raw_of([experiment(cells), failed(cells[0], "crashed: signal 11")])
    first, *others = origin_sections(raw, "compare")
    (reasons,) = first.blocks
    assert isinstance(reasons, Definitions)
    assert list(reasons.terms) == [
        ("DNF fib/a/workers:1", "crashed: signal 11"),
        ("DNF fib/b/workers:1", "not measured, the experiment is unfinished"),
    ]
    assert first.title == "Did not finish (compare)"
    assert [section.title for section in others] == [
        "The machine (compare)",
        "Provenance (compare)",
    ]


def test_settings_are_shown_as_a_list_and_what_has_structure_is_not() -> None:
    settings = {"workloads": ["fib", "uts"], "pin": False, "of": {"a": 1}, "pairs": [[1]]}
    raw = raw_of([experiment([cell("a")], settings=settings)])
    rows = dict(origin_sections(raw)[-1].blocks[0].rows)  # type: ignore[union-attr]
    assert rows["workloads"] == "fib, uts" and rows["pin"] == "false"
    assert "of" not in rows and "pairs" not in rows
