"""Where values come from: the line of each table that names the machine, and the last sections."""

from __future__ import annotations

from typing import Any

import pytest

from stealbench.tests.conftest import cell, experiment, failed, process, raw_of
from stealbench.tests.simulated import PROFILE, simulated_lines
from stealbench.rawfile import RawFile
from stealbench.report.document import Paragraph, Table
from stealbench.report.origin import machine_note, origin_sections, simulation_note


def measured(workers: int = 1, **context: Any) -> RawFile:
    cells = [cell("serial", workers), cell("openmp", workers)]
    line = {"type": "context", "context": {"processor": "Z80", "num_cpus": 2, **context}}
    raw: RawFile = raw_of([experiment(cells), line, *(process(of, 1, 1) for of in cells)])
    return raw


def simulated(name: str = "reference", **about: Any) -> RawFile:
    about["profile"] = {**PROFILE, "name": name}
    raw: RawFile = raw_of(simulated_lines([(cell("a", 64), [1.0], {})], [64], **about))
    return raw


@pytest.mark.parametrize(
    ("workers", "context", "note"),
    [
        (4, {"num_cpus": 4, "environment": "none"}, "Measured on 4 processors: Z80."),
        (1, {"environment": "GOGC=off"}, "Measured on 2 processors: Z80, with GOGC=off."),
        (2, {"num_cpus": 64, "processors": "2"}, "Measured on 2 processors: Z80."),
    ],
)
def test_a_machine_is_its_processors_and_whether_workers_shared_them(
    workers: int, context: dict[str, Any], note: str
) -> None:
    assert machine_note(measured(workers, **context)) == note


def test_several_runs_name_each_machine_and_profile_once() -> None:
    note = "Simulated, with a processor for each worker: profile reference"
    assert machine_note(simulated(changes=["wake 2us"])) == f"{note} with wake 2us (A processor)."
    runs = [measured(4, num_cpus=4), measured(9, num_cpus=4), measured(processor="6502")]
    assert machine_note(*runs, simulated(), simulated("other")) == (
        "Measured on 2 processors: 6502. Measured on 4 processors: Z80."
        " Simulated, with a processor for each worker: profiles other, reference."
    )


def test_a_simulation_says_how_far_its_profile_is_from_what_was_measured() -> None:
    assert simulation_note(simulated()) == (
        "Simulated, not measured: profile reference (A processor, 2026-11-22), not validated."
    )
    accuracy: dict[str, Any] = {
        "median_error": 0.08,
        "ninth_decile_error": 0.2,
        "contended_factor": 1.6,
    }
    raw = simulated(other_processor="B")
    profile = raw.header["about"]["profile"]
    profile |= {"accuracy": {**accuracy, "cells": 684}, "measured": False, "doubt": "Old."}
    text = simulation_note(raw)
    assert "Error against 684 benchmarks measured on A processor: without contention" in text
    assert "median 8 %, nine in ten within 20 %; nine in ten contended ones within a" in text
    assert text.endswith(
        " The profile is doubtful: Old. The profile is of another processor than this simulation"
        " ran on (B). The costs of the profile are not measured; they come from:"
        " stealbench calibrate"
    )


def provenance_of(raw: RawFile) -> dict[str, str]:
    table = origin_sections(raw)[-1].blocks[0]
    assert isinstance(table, Table)
    return {name: value for name, value in table.rows}


def test_what_did_not_finish_comes_first_with_its_reason() -> None:
    cells = [cell("a"), cell("b")]
    raw = raw_of([experiment(cells), failed(cells[0], "crashed: signal 11")])
    sections = origin_sections(raw, "compare")
    titles = ("Did not finish", "Provenance")
    assert [section.title for section in sections] == [f"{title} (compare)" for title in titles]
    assert sections[0].blocks == [
        Paragraph("crashed: signal 11", term="DNF fib/a/workers:1"),
        Paragraph("not measured, the experiment is unfinished", term="DNF fib/b/workers:1"),
    ]


def test_settings_are_shown_as_a_list_and_what_has_structure_is_not() -> None:
    settings = {"workloads": ["fib", "uts"], "pin": False, "of": {"a": 1}, "pairs": [[1]]}
    rows = provenance_of(raw_of([experiment([cell("a")], settings=settings)]))
    assert rows["workloads"] == "fib, uts" and rows["pin"] == "false"
    assert "of" not in rows and "pairs" not in rows
