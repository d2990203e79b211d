"""What `stealbench claims` measures, simulates and records."""

from __future__ import annotations

import copy
from argparse import Namespace
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from stealbench import rawfile
from stealbench.analysis.claims.judge import FREE
from stealbench.errors import BadInput
from stealbench.experiments.claims import EXPERIMENT
from stealbench.measuring import Design
from stealbench.tests.edited import REFERENCE

RAW = rawfile.read(REFERENCE / "claims/claims.jsonl.gz")
MACHINES = RAW.header["about"]["machines"]


def designed(patch: pytest.MonkeyPatch, only: list[int], profiles: set[str]) -> Design:
    where = "stealbench.experiments.claims.read_profile"
    patch.setattr(where, lambda file: copy.deepcopy(MACHINES[file.name]))
    built = SimpleNamespace(
        profiles=lambda: {name: Path(name) for name in profiles},
        choose=lambda name: (name, Path("measures")),
        choose_simulated=lambda name: (name, Path("simulates")),
        recorder=lambda: Path("records"),
    )
    suite: Any = SimpleNamespace(installation=built)
    return EXPERIMENT.design(Namespace(only=only), suite)


def test_the_design_is_that_of_the_committed_run(monkeypatch: pytest.MonkeyPatch) -> None:
    design = designed(monkeypatch, [], {*MACHINES} - {FREE})
    assert {cell.name for cell in design.cells} == {*RAW.cells}
    assert len({*design.cells}) == len(design.cells)
    about = RAW.header["about"]
    assert design.about["claims"] == about["claims"] and {*design.about["machines"]} == {*MACHINES}
    for key in ("name", "costs", "schedulers", "work", "accuracy"):
        assert design.about["machines"][FREE][key] == MACHINES[FREE][key]
    programs = [{**program, "runs": 0} for program in about["recorded"]]
    assert all({**program, "runs": 0} in programs for program in design.about["recorded"])
    assert len(design.about["recorded"]) == len(programs)


def test_what_is_measured_alone_needs_no_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    design = designed(monkeypatch, [12, 12], set())
    assert [cell.workload for cell in design.cells] == ["fork", "steal", "wake"]
    assert design.about == {"claims": [12], "recorded": [], "machines": {}}
    with pytest.raises(BadInput, match="no profile lies beside stealbench; build it again"):
        designed(monkeypatch, [24], set())


@pytest.mark.parametrize(("strands_by", "records", "best"), [("units", 1, 0), ("clock", 6, 4)])
def test_times_of_strands_are_recorded_for_each_round(
    strands_by: str, records: int, best: int
) -> None:
    numbers: Iterator[int] = count()
    made: dict[str, Any] = {
        "strands_by": strands_by,
        "work_units": 9,
        "span_units": 3,
        "depth": 2,
        "places": [],
    }
    search: Any = SimpleNamespace(
        begin=lambda stage: None,
        recorded=lambda cell, mode: {**made, "parallelism": next(numbers)},
    )
    program: dict[str, Any] = {"workload": "fib", "parameters": {"n": "16"}}
    assert EXPERIMENT.search is not None
    EXPERIMENT.search(search, Design([], {"recorded": [program]}))
    assert len(program["runs"]) == records and "places" not in program["runs"][0]
    assert program["runs"][0]["parallelism"] == best
