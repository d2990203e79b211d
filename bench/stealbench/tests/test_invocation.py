"""What is read from a process, and why one does not count: of scripts that write what a test says."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from stealbench.cell import Cell
from stealbench.invocation import Run, Target, read_simulation, run_once
from stealbench.invocation import run_timed, simulation_of
from stealbench.process import Result, Runner
from stealbench.tests.planted import ENTRY, message_of, plant

CELL = Cell("fib", (("n", "30"),), "work-stealing:deque=abp", 3)
OF_CELL = "--workload fib --size none --workers 3 --variant deque=abp --set n=30"
TIMED = "--benchmark_format=json --benchmark_min_time=0 --sample-ms"
GOOD = ENTRY | {"name": CELL.name + "/manual_time", "real_time": 1500.0, "cpu_time": 99.0}
PRINTED = {"context": {"host_name": "here"}, "benchmarks": [GOOD]}
REPORT: dict[str, Any] = {
    **{"workload": "fib", "scheduler": "work-stealing", "workers": 3, "parameters": {}},
    **{"answer": "832040", "verified": True, "time_ns": 1234, "counters": {"steals": 5}},
}
SIMULATION: dict[str, Any] = {
    **{"workload": "fib", "workers": 20, "seed": 1, "seconds": 2.0, "fork_count": 3},
    "shares": {"work": 0.5, "overhead": 0.2, "search": 0.1, "lines": 0.1, "asleep": 0.1},
    **{"tasks_moved": 4, "steal_attempts": 5, "verified": True},
    "counters": {"steals": 6, "per_worker": [{"busy_ns": 7}, {"busy_ns": 8}]},
}
OF_ANOTHER: list[dict[str, Any]] = [
    *({"workload": "uts"}, {"workers": 19}, {"seed": 3}, {"seconds": 0}),
    *({"shares": 1}, {"lines": 1}, {"counters": {"per_worker": [7]}}),
]
UNREADABLE = "unreadable output: not the Google Benchmark JSON of this benchmark"
NOT_ONE_RUN = "unreadable output: not the JSON of one run"
NOT_SIMULATED = Run(failure="unreadable output: not the JSON of this simulation")
BURN = "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done"

Writes = Callable[..., Target]


@pytest.fixture
def writing(tmp_path: Path) -> Writes:
    """A process that notes its arguments, prints the text, and then does what the shell is told."""

    def write(printed: object, then: str = "", cell: Cell = CELL) -> Target:
        text = printed if isinstance(printed, str) else json.dumps(printed)
        (tmp_path / "text").write_text(text)
        note = f'echo "$*" > {tmp_path}/arguments\ncat {tmp_path}/text\n'
        return Target(cell, plant(tmp_path, "cell", note + then))

    return write


@pytest.fixture
def runner() -> Iterator[Runner]:
    with Runner() as own:
        yield own


def without(base: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in base.items() if key not in keys}


def test_a_cell_is_called_as_its_benchmark_is() -> None:
    whole = Cell("uts", (("tree", "T1"), ("b", "2")), "serial", 1, "transfer=0.5", "A", "near")
    parts = "uts/serial/tree:T1/b:2/workers:1/vary:transfer=0.5/build:A/machine:near"
    keys = "name workload parameters scheduler workers varied build machine".split()
    assert (whole.name, list(whole.to_json()), list(CELL.to_json())) == (parts, keys, keys[:5])


def test_it_is_told_its_cell_and_how_long_to_measure(
    writing: Writes, runner: Runner, tmp_path: Path
) -> None:
    told = tmp_path / "arguments"
    run_timed(writing(PRINTED), None, runner, 70)
    assert told.read_text() == f"{OF_CELL} {TIMED} 70\n"
    metric = Target(Cell("fork", (), "serial"), writing(PRINTED).executable, True, True)
    run_timed(metric, None, runner)
    assert told.read_text() == f"--metric fork --size none --workers 1 --pin {TIMED} 150\n"
    run_once(writing(REPORT), ["--once", "--counters-only"], None, runner)
    assert told.read_text() == f"--once --counters-only {OF_CELL}\n"
    target = Target(Cell("fib", (), "serial", varied="transfer=0.5"), Path("/bin/sh"))
    request = simulation_of(target, 4, {"a": 1}, 3)
    assert (request.input, request.timeout_s) == (b'{"a":1}', 3)
    assert request.arguments[-6:] == "--profile /dev/stdin --seed 4 --vary transfer=0.5".split()


def test_it_has_the_context_and_the_entry_that_it_wrote(writing: Writes, runner: Runner) -> None:
    run = run_timed(writing(PRINTED, BURN), None, runner)
    assert (run.failure, run.context) == ("", {"host_name": "here"})
    assert run.entry is not None
    assert run.entry.pop("process_cpu_seconds") > 0.005
    assert run.entry == GOOD
    assert run_timed(writing({"benchmarks": [GOOD]}), None, runner).context == {}
    cell = Cell(CELL.workload, CELL.parameters, CELL.scheduler, 3, build="A")
    assert run_timed(writing(PRINTED, cell=cell), None, runner).failure == ""


WRONG = {"error_occurred": True, "error_message": "wrong answer"}


@pytest.mark.parametrize(
    ("members", "then", "failure"),
    [
        ({"error_occurred": True}, "", "an error without a message"),
        ({"error_occurred": False}, "", ""),
        (WRONG, "echo words >&2; exit 1", "wrong answer"),
        (WRONG, "kill -KILL $$", "ended by signal 9 (Killed)"),
        ({}, "echo first >&2; printf '\\377 last' >&2; exit 3", "exit status 3: � last"),
        ({}, "exec sleep 1000", "timed out after 0.25 s"),
        ({}, "head -c 5000 /dev/urandom", UNREADABLE),
        # What is not of its cell is not believed.
        ({"peak_rss_bytes": "x"}, "", UNREADABLE),
        ({"runs": 0}, "", UNREADABLE),
        ({"name": CELL.name}, "", UNREADABLE),
    ],
)
def test_it_says_why_there_is_no_time(
    members: dict[str, Any], then: str, failure: str, writing: Writes, runner: Runner
) -> None:
    target = writing({"benchmarks": [GOOD | members]}, then)
    assert run_timed(target, 0.25 if "sleep" in then else 10, runner).failure == failure


ENTRIES: list[Any] = [[], [None], [GOOD, GOOD]]
TEXTS = ["words", "", "[1,2]", '{"bench', json.dumps(PRINTED).replace("99.0", "NaN")]
TEXTS += [json.dumps({"benchmarks": entries}) for entries in ENTRIES]


def test_it_is_not_believed_what_is_no_json_of_one_benchmark(
    writing: Writes, runner: Runner
) -> None:
    for printed in TEXTS:
        assert run_timed(writing(printed), None, runner).failure == UNREADABLE, printed


INCORRECT = REPORT | {"verified": False}


@pytest.mark.parametrize(
    ("printed", "then", "run"),
    [
        (REPORT, "", Run(REPORT)),
        (INCORRECT, "echo words >&2; exit 1", Run(INCORRECT, "wrong answer")),
        (REPORT, "echo words >&2; exit 1", Run(REPORT, "exit status 1: words")),
        (REPORT, "echo words >&2; exit 3", Run(failure="exit status 3: words")),
        (without(REPORT, "answer"), "", Run(failure=NOT_ONE_RUN)),
        (REPORT | {"verified": "words"}, "", Run(failure=NOT_ONE_RUN)),
    ],
)
def test_of_a_single_run_it_has_the_report(
    printed: object, then: str, run: Run, writing: Writes, runner: Runner
) -> None:
    assert run_once(writing(printed, then), ["--once"], 10, runner) == run


def test_one_that_refuses_its_input_is_quoted(writing: Writes, runner: Runner) -> None:
    then = f"echo first >&2; echo {'x' * 300} >&2; echo >&2; exit 2"
    target = writing(REPORT, then)
    assert message_of(lambda: run_once(target, ["--once"], None, runner)) == "x" * 300


@pytest.mark.parametrize(
    ("printed", "result", "run"),
    [
        # Without what no report shows.
        (SIMULATION, Result(), Run(SIMULATION | {"counters": {"steals": 6}})),
        (SIMULATION | {"workers": 16}, Result(), Run(SIMULATION | {"workers": 16})),
        (SIMULATION | {"seed": 2}, Result(), Run(without(SIMULATION, "counters") | {"seed": 2})),
        (SIMULATION, Result(3, errors=b"words"), Run(failure="exit status 3: words")),
        (SIMULATION | {"verified": False}, Result(1), Run(failure="wrong answer")),
        ([1], Result(), NOT_SIMULATED),
        *((SIMULATION | members, Result(), NOT_SIMULATED) for members in OF_ANOTHER),
    ],
)
def test_a_simulation_has_what_it_printed_or_says_why_it_does_not_count(
    printed: Any, result: Result, run: Run
) -> None:
    workers = 16 if run.entry and run.entry["workers"] == 16 else 20
    seed = 2 if run.entry and run.entry["seed"] == 2 else 1
    own = Result(result.status, False, json.dumps(printed).encode(), result.errors)
    target = Target(Cell("fib", (), "serial", workers), Path())
    assert read_simulation(own, target, seed, 2) == run
