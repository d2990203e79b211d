"""What is read from a process, and why one does not count: of scripts that write what a test says."""

from __future__ import annotations

import copy
import json
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from stealbench.cell import Cell
from stealbench.cells import (
    Run,
    Target,
    is_sample,
    lost_processor,
    read_simulation,
    run_once,
    run_timed,
    simulation_of,
    why_ended,
)
from stealbench.errors import BadInput
from stealbench.process import Result, Runner
from stealbench.rawfile import values_of
from stealbench.tests.planted import ENTRY, plant

CELL = Cell("fib", (("n", "30"),), "work-stealing:deque=abp", 3)
OF_CELL = "--workload fib --size none --workers 3 --variant deque=abp --set n=30"
GOOD = ENTRY | {"name": CELL.name + "/manual_time", "real_time": 1500.0, "cpu_time": 99.0}
PRINTED = {"context": {"host_name": "here"}, "benchmarks": [GOOD]}
REPORT = {
    "workload": "fib",
    "scheduler": "work-stealing",
    "workers": 3,
    "parameters": {},
    "answer": "832040",
    "verified": True,
    "time_ns": 1234,
    "counters": {"steals": 5},
}
SIMULATION = {
    "workload": "fib",
    "workers": 20,
    "seed": 1,
    "seconds": 2.0,
    "fork_count": 3,
    "shares": {"work": 0.5, "overhead": 0.2, "search": 0.1, "lines": 0.1, "asleep": 0.1},
    "tasks_moved": 4,
    "steal_attempts": 5,
    "verified": True,
    "counters": {"steals": 6, "per_worker": [{"busy_ns": 7}, {"busy_ns": 8}]},
}
UNREADABLE = "unreadable output: not the Google Benchmark JSON of this benchmark"

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


def changed(base: dict[str, Any], **members: object) -> dict[str, Any]:
    other = copy.deepcopy(base)
    other.update(members)
    return other


def test_a_cell_is_called_as_its_benchmark_is() -> None:
    cell = Cell("uts", (("tree", "T1"), ("granularity", "2")), "work-stealing", 2)
    assert cell.name == "uts/work-stealing/tree:T1/granularity:2/workers:2"
    whole = Cell("fib", (), "serial", 1, "transfer=0.5", "A", "reference")
    assert whole.name == "fib/serial/workers:1/vary:transfer=0.5/build:A/machine:reference"
    assert list(whole.to_json()) == (
        "name workload parameters scheduler workers varied build machine".split()
    )
    assert "build" not in cell.to_json()


def test_it_is_told_its_cell_and_how_long_to_measure(
    writing: Writes, runner: Runner, tmp_path: Path
) -> None:
    told = tmp_path / "arguments"
    timed = "--benchmark_format=json --benchmark_min_time=0 --sample-ms"
    run_timed(writing(PRINTED), None, runner, 70)
    assert told.read_text() == f"{OF_CELL} {timed} 70\n"
    metric = Target(Cell("fork", (), "serial"), writing(PRINTED).executable, True, True)
    run_timed(metric, None, runner)
    assert told.read_text() == f"--metric fork --size none --workers 1 --pin {timed} 150\n"
    run_once(writing(REPORT), ["--once", "--counters-only"], None, runner)
    assert told.read_text() == f"--once --counters-only {OF_CELL}\n"


def test_it_has_the_context_and_the_entry_that_it_wrote(writing: Writes, runner: Runner) -> None:
    burn = "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done"
    run = run_timed(writing(PRINTED, burn), None, runner)
    assert (run.failure, run.context) == ("", {"host_name": "here"})
    assert run.entry is not None
    assert run.entry.pop("process_cpu_seconds") > 0.005
    assert run.entry == GOOD
    assert run_timed(writing({"benchmarks": [GOOD]}), None, runner).context == {}
    cell = Cell(CELL.workload, CELL.parameters, CELL.scheduler, 3, build="A")
    assert run_timed(writing(PRINTED, cell=cell), None, runner).failure == ""


def test_it_says_why_there_is_no_time(writing: Writes, runner: Runner) -> None:
    def failure(then: str = "", **members: object) -> str:
        printed = {"benchmarks": [changed(GOOD, **members)]}
        return run_timed(writing(printed, then), None, runner).failure

    assert failure(error_occurred=True) == "an error without a message"
    wrong: dict[str, Any] = {"error_occurred": True, "error_message": "wrong answer"}
    assert failure(**wrong) == "wrong answer"
    assert failure("echo words >&2; exit 1", **wrong) == "wrong answer"
    assert failure("kill -KILL $$", **wrong) == "ended by signal 9 (Killed)"
    assert failure(error_occurred=False) == ""


@pytest.mark.parametrize(
    ("then", "failure"),
    [
        ("exit 2", "exit status 2"),
        ("echo first >&2; echo last >&2; exit 3", "exit status 3: last"),
        ("echo words >&2; kill -SEGV $$", "ended by signal 11 (Segmentation fault)"),
        ("echo words >&2; exec sleep 1000", "timed out after 0.25 s"),
        ("printf 'bad \\377\\376 | \\033[31m\\n' >&2; exit 3", "exit status 3: bad �� | \x1b[31m"),
    ],
)
def test_it_says_how_it_ended_if_not_well(
    then: str, failure: str, writing: Writes, runner: Runner
) -> None:
    longest_s = 0.25 if "sleep" in then else 10
    assert run_timed(writing(PRINTED, then), longest_s, runner).failure == failure


def test_one_that_cannot_be_started_has_failed(runner: Runner, tmp_path: Path) -> None:
    failure = run_timed(Target(CELL, tmp_path / "missing"), None, runner).failure
    assert failure == f"cannot start {tmp_path}/missing: No such file or directory"


BAD = [
    "words",
    "null",
    "17",
    "",
    "[1,2]",
    [PRINTED],
    {},
    {"benchmarks": 7},
    {"benchmarks": []},
    {"benchmarks": [None]},
    {"benchmarks": [GOOD, GOOD]},
    {"benchmarks": [changed(GOOD, name="fib/work-stealing:deque=abp/n:30/workers:3")]},
    {"benchmarks": [changed(GOOD, name=7)]},
    {"benchmarks": [changed(GOOD, time_unit="h")]},
    {"benchmarks": [changed(GOOD, time_unit=[])]},
    {"benchmarks": [changed(GOOD, real_time=0)]},
    {"benchmarks": [changed(GOOD, real_time=True)]},
    {"benchmarks": [changed(GOOD, runs="many")]},
    {"benchmarks": [{key: GOOD[key] for key in GOOD if key != "peak_rss_bytes"}]},
    '{"bench',
    json.dumps(PRINTED).replace("99.0", "NaN"),
    json.dumps(PRINTED).replace("99.0", "1e999"),
    json.dumps(PRINTED) + " " * 5_000_000,
    "[" * 100_000,
]


@pytest.mark.parametrize("printed", BAD, ids=map(str, range(len(BAD))))
def test_it_is_not_believed_what_is_not_of_its_cell(
    printed: object, writing: Writes, runner: Runner
) -> None:
    assert run_timed(writing(printed), None, runner).failure == UNREADABLE


def test_bytes_that_are_no_text_are_not_believed(writing: Writes, runner: Runner) -> None:
    bytes_then = "head -c 5000 /dev/urandom"
    assert run_timed(writing("", bytes_then), None, runner).failure == UNREADABLE


def test_of_a_single_run_it_has_the_report(writing: Writes, runner: Runner) -> None:
    def once(printed: object, then: str = "") -> Run:
        longest_s = 0.25 if "sleep" in then else 10
        return run_once(writing(printed, then), ["--once"], longest_s, runner)

    assert once(REPORT) == Run(REPORT)
    unknown = changed(REPORT, verified=None, time_ns=None, counters=None)
    assert once(unknown) == Run(unknown)
    wrong = changed(REPORT, verified=False)
    for then in ("exit 0", "echo words >&2; exit 1"):
        assert once(wrong, then) == Run(wrong, "wrong answer")
    assert once(REPORT, "echo words >&2; exit 1") == Run(REPORT, "exit status 1: words")
    assert once(REPORT, "echo words >&2; exit 3") == Run(failure="exit status 3: words")
    assert once(REPORT, "kill -KILL $$") == Run(failure="ended by signal 9 (Killed)")
    assert once(REPORT, "exec sleep 1000") == Run(failure="timed out after 0.25 s")
    for key in REPORT:
        without = {name: value for name, value in REPORT.items() if name != key}
        assert once(without) == Run(failure="unreadable output: not the JSON of one run")
    for key in ("verified", "time_ns", "counters"):
        assert once(changed(REPORT, **{key: "words"})).entry is None


def test_one_that_refuses_its_input_is_quoted(writing: Writes, runner: Runner) -> None:
    words = "x" * 300
    with pytest.raises(BadInput, match=f"^{words}$"):
        then = f"echo first >&2; echo {words} >&2; echo >&2; exit 2"
        run_once(writing(REPORT, then), ["--once"], None, runner)


def test_the_reason_is_how_it_ended_and_its_last_words() -> None:
    def exited(errors: bytes) -> str:
        return why_ended(Result("exited", 3, errors=errors), 1)

    assert exited(b" \n\r\n\t") == "exit status 3"
    assert exited(b"one\ntwo\nthree\r\n \n") == "exit status 3: three"
    assert exited(b"x" * 1000) == "exit status 3: " + "x" * 240
    killed = Result("signalled", signal.SIGKILL, errors=b"words")
    assert why_ended(killed, 1) == "ended by signal 9 (Killed)"
    assert why_ended(Result("timed out"), 1.5) == "timed out after 1.5 s"
    assert why_ended(Result("timed out"), None) == "timed out"


def simulated(printed: object, how: Result = Result(), workers: int = 20, seed: int = 1) -> Run:
    text = json.dumps(printed).encode()
    result = Result(how.how, how.status, text, how.errors)
    return read_simulation(result, Target(Cell("fib", (), "serial", workers), Path()), seed, 2)


def test_a_simulation_has_what_it_printed_without_what_no_report_shows() -> None:
    assert simulated(SIMULATION) == Run(changed(SIMULATION, counters={"steals": 6}))
    small = changed(SIMULATION, workers=16)
    assert simulated(small, workers=16) == Run(small)
    second = {key: SIMULATION[key] for key in SIMULATION if key != "counters"} | {"seed": 2}
    assert simulated(changed(SIMULATION, seed=2), seed=2) == Run(second)


def test_a_simulation_says_why_it_does_not_count() -> None:
    unreadable = Run(failure="unreadable output: not the JSON of this simulation")
    for key, value in (("workload", "uts"), ("workers", 19), ("seed", 2), ("seconds", 0)):
        assert simulated(changed(SIMULATION, **{key: value})) == unreadable
    for key, value in (("shares", 1), ("lines", 1), ("counters", {"per_worker": [7]})):
        assert simulated(changed(SIMULATION, **{key: value})) == unreadable
    assert simulated([1]) == unreadable
    failed = Result("exited", 3, errors=b"words")
    assert simulated(SIMULATION, failed) == Run(failure="exit status 3: words")
    wrong = changed(SIMULATION, verified=False)
    assert simulated(wrong, Result("exited", 1)) == Run(failure="wrong answer")


def test_a_simulation_is_given_its_machine_and_its_seed(runner: Runner) -> None:
    target = Target(Cell("fib", (), "serial", varied="transfer=0.5"), Path("/bin/sh"))
    request = simulation_of(target, 4, {"a": 1}, 3)
    assert request.input == b'{"a":1}'
    assert request.arguments[-6:] == ("--profile /dev/stdin --seed 4 --vary transfer=0.5".split())


def test_values_have_the_units_of_their_names() -> None:
    sample = values_of(GOOD | {"waiting_threads": 0.05})
    assert (sample["seconds"], sample["waiting_threads"]) == (1.5, 0.05)
    assert values_of(SIMULATION, is_simulation=True)["work_share"] == 0.5
    with pytest.raises(BadInput, match="the key 'runs' is missing; it must be a number"):
        values_of({key: GOOD[key] for key in GOOD if key != "runs"})
    with pytest.raises(BadInput, match="'runs' is 0, not a number from 1 to 1e\\+18"):
        values_of(GOOD | {"runs": 0})
    assert not is_sample(None)


@pytest.mark.parametrize(
    ("waiting", "workers", "lost"),
    [(0.099, 1, False), (0.101, 1, True), (0.199, 2, False), (0.201, 2, True), (None, 2, False)],
)
def test_a_tenth_of_the_workers_time_is_a_processor_lost(
    waiting: float | None, workers: float, lost: bool
) -> None:
    sample = {"worker_count": workers}
    assert (
        lost_processor(sample if waiting is None else sample | {"waiting_threads": waiting}) == lost
    )
