"""A build of planted programs: a scheduler with a deque of three kinds, its simulation, and `serial`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stealbench.machine import Machine
from stealbench.shape import shapes
from stealbench.tests.conftest import Line
from stealbench.tests.planted import plant, plant_scheduler, simulating, well_behaved

N = {"name": "n", "meaning": "", "type": "integer", "min": 0, "max": 99, "default": 0}
FORM = {"name": "form", "meaning": "", "type": "choice", "choices": ["a", "b"], "default": "a"}
TEXTS = "family summary shape tasks work span bound_by answer source unit".split()
WORKLOAD: Line = dict.fromkeys(TEXTS, "x") | {"grain": None, "parameters": [N, FORM]}
WORKLOAD["sizes"] = dict.fromkeys(("test", "standard", "large"), [{"n": "5"}])
WORKLOAD["sizes"]["small"] = [{"n": "2"}]
NAMES = ("fib", "uts", "empty_loop", "nqueens", "chain")
WORKLOADS = [*(WORKLOAD | {"name": n} for n in NAMES), WORKLOAD | {"name": "sort", "unit": None}]
METRIC: Line = {"meaning": "", "raw": "", "workers": 2, "unit": "s", "needs_other_workers": True}
METRICS = [METRIC | {"name": name} for name in ("steal", "waker")]
MACHINE = {
    **dict.fromkeys(shapes()["costs of a machine"]["costs"], 4.0),
    "jitter": 0.2,
    "processors_per_socket": 0,
}
PRINTED = MACHINE | {"processor": "Z80", "processors": "3", "commit": "abc", "compiler": "GCC 1"}
DEQUE = {
    "name": "deque",
    "meaning": "",
    "values": [{"word": w, "about": {}} for w in "abc"],
    "requirements": [],
}
DESCRIBED = {"scheduler": "x", "about": {}, "library": "", "settings": [DEQUE], "counters": []}
PROFILE: Line = {"format": 1, "name": "reference", "processor": "Z80, 3 processors"}
PROFILE |= {"date": "2026-11-22", "measured": True, "source": "x", "costs": MACHINE}
PROFILE["work"] = [{"workload": "fib", "parameters": {"n": "5"}, "unit_ns": 42.5}]
PROFILE["accuracy"] = {"median_error": 0.5, "ninth_decile_error": 0.5, "contended_factor": 1.25}
PROFILE["accuracy"] |= {"cells": 2, "date": "2026-11-22"}
PROFILE["schedulers"] = {}
BUILD = {"known": ["serial", "queue"], "simulated": ["queue"]}
ANSWERS: Line = {"catalogue": {"workloads": WORKLOADS, "metrics": METRICS}}
ANSWERS |= {"describe": DESCRIBED, "machine_costs": PRINTED}
TIMES = 'case "$*" in *fib*) ns=3000 ;; *uts*) ns=4000 ;; *empty*) ns=3200 ;; *) ns=6000 ;; esac'
CHARGES = """fib*) fork=6; call=4 ;; uts*) fork=2; call=3; spawn=20 ;; chain*) ns=101; fork=1 ;;
  empty*) fork=5; call=1; piece=8 ;; nqueens*) fork=3; call=2; spawn=20 ;;"""


def plant_timed(home: Path, name: str, times: str) -> None:
    """A scheduler that takes `ns`, which `times` sets."""
    timing = f"{times}\nms=$((ns / 1000)).$(printf %03d $((ns % 1000)))e-3"
    plant_scheduler(home, name, f"{timing}\n{well_behaved(milliseconds='$ms')}", **ANSWERS)


def plant_simulation(home: Path, cases: str) -> None:
    """Of that scheduler; `cases` as `simulating` has them."""
    plant(home, "stealbench-simulated-queue", simulating(cases))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A build with a scheduler and its simulation, in the current folder."""
    for name, times in (("sequential", "ns=1000"), ("serial", "ns=2000"), ("queue", TIMES)):
        plant_timed(tmp_path, name, times)
    plant_simulation(tmp_path, CHARGES)
    (tmp_path / "profiles").mkdir()
    (tmp_path / "profiles/reference.json").write_text(json.dumps(PROFILE))
    (tmp_path / "stealbench-build.json").write_text(json.dumps(BUILD))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Machine, "usable_processors", lambda _: 2)
    monkeypatch.setattr("stealbench.report.write.write_report", lambda *_, **__: None)
    return tmp_path


def lines_of(file: str) -> list[Line]:
    """Of a raw file."""
    return [json.loads(line) for line in Path(file).read_text().splitlines()]
