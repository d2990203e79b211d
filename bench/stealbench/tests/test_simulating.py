"""What `simulate`, `explain` and `calibrate` measure, of programs that are planted."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stealbench.cell import Cell
from stealbench.choices import Instance
from stealbench.machine import Machine
from stealbench.prices import Pricing, schedulers_in
from stealbench.process import Runner
from stealbench.profiles import OWN_FILE, machine_of, read_profile
from stealbench.suite import Suite
from stealbench.tests.build import CHARGES, MACHINE, NAMES, PRINTED, PROFILE
from stealbench.tests.build import home, lines_of, plant_simulation, plant_timed
from stealbench.tests.conftest import Line, cell, experiment, text_of, timed
from stealbench.tests.planted import call, once_report, plant
from stealbench.tests.simulated import SHARES, simulated_lines
from stealbench.tests.test_explain import recorded


@pytest.fixture
def pricing(home: Path) -> Iterator[Pricing]:
    with Runner() as runner:
        yield Pricing(Suite(home), runner, PROFILE | {"work": [], "schedulers": {}})


def on(name: str, n: str = "5", **more: str) -> Instance:
    return name, (("n", n), *more.items())


FIRSTS = [on(name) for name in NAMES[:3]]


def own(fork: float, spawn: float, piece: float) -> Line:
    ns = {"fork_ns": fork, "call_ns": fork, "spawn_ns": spawn, "piece_ns": piece}
    return {"queue": {key: pytest.approx(price) for key, price in ns.items()}}


ALL, FORKS = own(200, 100, 125), own(100, 0, 0)


def test_a_unit_costs_the_least_sequential_time_over_the_units(
    pricing: Pricing, home: Path
) -> None:
    pricing.add_unit(FIRSTS[0], "queue")
    assert pricing.profile["work"][0]["unit_ns"] == pytest.approx(10)
    plant_timed(home, "queue", 'echo >> "$0.n"; ns=$((400 - $(wc -l < "$0.n") * 100))')
    assert pricing.measured_ns(Cell(*on("fib"), "queue")) == pytest.approx(100)
    plant_simulation(home, "*) units=0 ;;")
    with pytest.raises(RuntimeError, match="uts n=5: no unit of work was counted"):
        pricing.add_unit(FIRSTS[1], "queue")


# 10 forks in 2000 ns; 20 spawns in 3000 ns - 5 forks; 8 pieces in 2200 ns - 6 forks. Of nqueens 20
# spawns in 5000 ns - 5 forks. A task of chain takes 101 ns, and the words of its form are programs.
@pytest.mark.parametrize(
    "cases, more, general, others",
    [
        (CHARGES, [on("nqueens"), on("nqueens", "6")], ALL, [own(200, 200, 125), None]),
        (CHARGES, [on("chain")], ALL, [None]),
        ("*) fork=20 ;;", [on("chain"), on("chain", form="b")], FORKS, [own(250, 0, 0)] * 2),
        ("*) fork=20 ;;", [on("chain"), on("chain", "6")], FORKS, [own(250, 0, 0), None]),
        ("*) ns=4000; fork=10 ;;", [], own(-100, 0, 0), []),
    ],
)
def test_schedulers_and_tasks_charge_what_runs_take_beyond_the_simulation(
    pricing: Pricing, home: Path, cases: str, more: list[Any], general: Line, others: list[Any]
) -> None:
    plant_simulation(home, cases)
    for each in [*FIRSTS, *more]:
        pricing.add_unit(each, "queue")
    pricing.add_scheduler("queue", FIRSTS)
    assert pricing.profile["schedulers"] == general
    assert [unit.get("schedulers") for unit in pricing.profile["work"]] == [None] * 3 + others
    given = json.loads((home / "stealbench-simulated-queue.profile").read_text())
    assert not given["schedulers"] and not any(unit["schedulers"] for unit in given["work"])


def test_a_profile_has_the_slowest_transfer_and_four_digits(home: Path) -> None:
    (home / "stealbench-sequential--machine-costs.json").write_text(
        json.dumps(PRINTED | {"rmw_ns": 12.34567})
    )
    assert call(home, "calibrate --workloads fib --output here.json") == 0
    profile = read_profile(Path("here.json"))
    assert (profile["name"], profile["processor"]) == ("here", "Z80, 3 processors")
    assert [unit["workload"] for unit in profile["work"]] == ["fib", "uts", "empty_loop"]
    assert profile["schedulers"] == ALL and profile["costs"]["rmw_ns"] == 12.35
    # A line takes half of the sequential steal of 1000 ns, and 4 ns in the costs of the machine.
    assert profile["costs"]["transfer_ns"] == profile["costs"]["remote_transfer_ns"] == 500


@pytest.mark.parametrize(
    "file, text, message",
    [
        ("stealbench-simulated-queue", "#!/bin/sh\nexit 1", "simulation of fib/queue/n:5/workers"),
        (
            "stealbench-queue",
            '#!/bin/sh\n[ $1 != --describe ] || exec cat "$0$1.json"\nexit 3',
            "fib/queue/n:5/workers:1: exit stat",
        ),
        ("stealbench-sequential--machine-costs.json", '{"hit_ns":1}', "costs of the machine: "),
    ],
)
def test_what_cannot_be_measured_leaves_the_older_profile(
    home: Path, file: str, text: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / OWN_FILE).write_text("older")
    (home / file).write_text(text)
    assert call(home, "calibrate --workloads fib") == 1
    assert message in capsys.readouterr().err and (home / OWN_FILE).read_text() == "older"


def write_runs(home: Path, profile: Line) -> None:
    """A comparison, and a simulation of it: one benchmark held out is contended, one is not."""
    cells = [cell("queue", 2), cell("queue", 2, "uts")]
    context = {"processor": "Z80", "commit": "0123456789ab"}
    lines = [experiment(cells), {"type": "context", "context": context}]
    (home / "compare.jsonl").write_bytes(text_of(lines + timed([(c, [1.0] * 6) for c in cells])))
    waiting: Line = {"shares": SHARES | {"work": 0.0, "lines": 0.5625}, "unit_from": "fib n=2"}
    rows = [(cells[0], [1.25] * 6, waiting), (cells[1], [1.5] * 6, {"unit_from": "fib n=2"})]
    (home / "simulate.jsonl").write_bytes(text_of(simulated_lines(rows, [2], profile=profile)))


REFUSALS = {
    "calibrate --workloads fig": "unknown workload 'fig'; valid: fib",
    "simulate": "WORKLOAD is required; valid: fib, uts",
    "simulate fib,sort": "sort: cannot be simulated, because ",
    "simulate fib --profile none": "no such file; valid: reference, or a file that",
    "simulate fib --profile wrong": "wrong is not a profile: the key 'costs.",
    "simulate uts": "reference: it has no price of a unit of uts; valid: ",
    "simulate fib --check .": "--check: valid: with RUN",
    "simulate --check simulate.jsonl --output .": "valid: a run of `stealbench compare`",
    "simulate --check . --output . --profile profiles/reference.json": "other costs; valid",
    "explain fib --burden 5": "5: must be a time from 0 to 1000ms",
}


@pytest.mark.parametrize("command", REFUSALS)
def test_bad_input_is_refused(home: Path, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "wrong").write_text(json.dumps(PROFILE | {"costs": {}}))
    write_runs(home, PROFILE | {"source": "another"})
    status, said = call(home, command), capsys.readouterr().err
    assert status == 2 and REFUSALS[command] in said and not list(home.glob("*.profile"))


def test_a_check_replaces_the_accuracy_of_the_profile_alone(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_runs(home, PROFILE | {"accuracy": None})
    Path("own").write_text(json.dumps(PROFILE | {"remark": "kept", "accuracy": None}))
    assert call(home, "simulate --check . --output . --profile own --markdown") == 0
    said = capsys.readouterr()
    assert said.out.startswith("## Accuracy of the simulation\n") and "50.0 %" in said.out
    assert said.err == ""
    assert json.loads(Path("own").read_text()) == PROFILE | {"remark": "kept"}


SIMULATE = "simulate fib --schedulers queue --seeds 2 --output out --overwrite --workers"


def test_the_greatest_worker_count_is_simulated_with_other_costs_too(home: Path) -> None:
    assert call(home, f"{SIMULATE} 2,4 --transfer 45ns --wake 2us") == 0
    header = lines_of("out/simulate.jsonl")[0]
    about, names = header["about"], [each["name"] for each in header["cells"]]
    assert names[:3] == [f"fib/queue/n:5/workers:{workers}" for workers in (1, 2, 4)]
    costs = "transfer=0.5 transfer=2 wake=0.5 wake=2 jitter=0 jitter=2".split()
    assert names[3:] == [f"fib/queue/n:5/workers:4/vary:{cost}" for cost in costs]
    assert about["changes"] == ["transfer 45ns", "wake 2us"] and about["workers"] == [2, 4]
    changed = MACHINE | {"transfer_ns": 45, "remote_transfer_ns": 45, "wake_ns": 2000}
    assert about["profile"] == PROFILE | {"costs": changed, "accuracy": None}
    assert about["other_processor"] == Machine().processor()


def test_the_profile_is_that_of_the_current_folder_unless_one_is_named(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Machine, "processor", lambda _: "Z80")
    parts = PROFILE | {"name": "own", "based_on": "base", "costs": {"wake_ns": 9}}
    kept = {key: parts[key] for key in parts if key not in ("work", "schedulers", "accuracy")}
    Path(OWN_FILE).write_text(json.dumps(kept))
    shutil.copy("profiles/reference.json", "base.json")
    whole = {"name": "own", "costs": MACHINE | {"wake_ns": 9}, "accuracy": None}
    assert machine_of(Suite(home)) == {"profile": PROFILE | whole, "changes": []}
    assert machine_of(Suite(home), "reference")["profile"] == PROFILE


def test_a_simulation_goes_on_with_the_profile_that_it_began_with(home: Path) -> None:
    assert call(home, f"{SIMULATE} 1 --no-sensitivity") == 0
    lines = [each for each in lines_of("out/simulate.jsonl") if each["type"] != "finished"]
    Path("out/simulate.jsonl").write_bytes(text_of([e for e in lines if e.get("round") != 2]))
    Path("profiles/reference.json").write_text(json.dumps(PROFILE | {"work": []}))
    assert call(home, "simulate --resume --workers 1 --output out") == 0
    assert json.loads((home / "stealbench-simulated-queue.profile").read_text()) == PROFILE
    assert [e["round"] for e in lines_of("out/simulate.jsonl") if "round" in e] == [1, 2]


def test_both_of_each_pair_of_an_ablation_are_simulated(home: Path) -> None:
    for name in ("queue.b", "simulated-queue.b", "simulated-queue.c"):
        shutil.copy(home / f"stealbench-{name[:-2]}", home / f"stealbench-{name}")
    assert schedulers_in(Suite(home)) == ["queue", "queue:deque=b"]  # What is measured too.
    options = "--ablation --workers 1 --no-sensitivity --seeds 1 --output out"
    assert call(home, f"simulate fib {options}") == 0
    header = lines_of("out/simulate.jsonl")[0]
    names, pair = ["queue:deque=b", "queue:deque=c"], {"factor": "queue:deque", "against": "queue"}
    assert [each["scheduler"] for each in header["cells"]] == ["queue", *names]
    assert header["about"]["ablation"] == [pair | {"variant": name} for name in names]


def test_explain_records_and_prices_by_another_instance(home: Path) -> None:
    report = json.dumps(json.loads(once_report()) | recorded())
    plant(home, "stealbench-serial.work-span", f"echo \"$*\" > told; echo '{report}'")
    later = 'echo >> "$0.n"; ns=$((2000 + $(wc -l < "$0.n") * 1000))'
    times = f'case "$*" in *fib*n=2*) ns=3000 ;; *fib*) {later} ;; *) ns=700 ;; esac'
    plant_timed(home, "queue", times)
    options = "--size small --workers 2 --schedulers queue --rounds 2 --timeout 9 --output out"
    assert call(home, f"explain fib {options}") == 0
    header = lines_of("out/explain.jsonl")[0]
    about = header["about"]
    assert [each["scheduler"] for each in header["cells"]] == ["queue", "serial", "queue"]
    assert (about["burden_ns"], about["recorded"]["span_ns"]) == (16, 1e7)
    assert Path("told").read_text().startswith("--seconds 2e-06 --burden 16.0 --workload fib ")
    ns = {"task_ns": 1, "steal_ns": 700, "waker_ns": 700}
    prices = {"tasks_of": "fib n=5"} | {key: pytest.approx(value) for key, value in ns.items()}
    assert about["prices"] == {"queue": prices}
