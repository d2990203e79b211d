"""The rounds of a measurement, read from its raw file: their order and number, what is counted, what
fails and what is said. The schedulers are planted."""

from __future__ import annotations

import errno
import json
import subprocess
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from stealbench import rounds
from stealbench.cell import Cell
from stealbench.invocation import Target
from stealbench.journal import Journal
from stealbench.machine import Machine
from stealbench.process import NoMore
from stealbench.rawfile import RawFile
from stealbench.rounds import Plan, measure
from stealbench.schedule import StopRule
from stealbench.tests.planted import FIND, Drive, once_report, plant, plant_suite, rows
from stealbench.tests.planted import well_behaved
from stealbench.tests.simulated import PROFILE

jsonschema = pytest.importorskip("jsonschema")
SCHEMA = Path(__file__).parents[3] / "results" / "schema.json"
# Counts how often this cell was timed, this time included.
ROUND = (
    FIND
    + """
rounds=${0%/*}/$(echo "$name" | tr / _).rounds
[ $once ] || echo >> "$rounds"
round=$(cat "$rounds" 2> /dev/null | wc -l)
"""
)
ABOUT = {"profile": PROFILE, "workers": [1]}
SERIAL, OPENMP = "fib/serial/keys:100/workers:1", "fib/openmp/keys:100/workers:1"
Captured = pytest.CaptureFixture[str]


def taking(milliseconds: str, counters: str = '{"steals":54321}') -> str:
    """A formula of $round and $workers."""
    return ROUND + well_behaved(counters, f"$(({milliseconds}))")


def expect_valid(lines: Sequence[dict[str, Any]]) -> None:
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))
    assert [error.message for line in lines for error in validator.iter_errors(line)] == []


@pytest.fixture
def drive(tmp_path: Path) -> Drive:
    """Of two cells."""
    plant_suite(tmp_path)
    plant(tmp_path, "stealbench-serial", taking("10"))
    plant(tmp_path, "stealbench-openmp", taking("20"))
    return Drive(tmp_path)


@pytest.fixture
def one(drive: Drive) -> Drive:
    """Of one cell, in one round."""
    return replace(drive, schedulers="openmp", options="--overwrite --rounds 1")


def test_a_raw_file_is_as_the_schema_has_it_and_says_how_it_went(
    drive: Drive, capsys: Captured
) -> None:
    for name in ("serial", "openmp"):
        context = f'"scheduler_library":"lib {name}","host_name":"here","num_cpus":2'
        drive.plant(name, taking("10").replace('"num_cpus":2', context))
    assert drive.run() == 0
    expect_valid(drive.lines())
    kinds = [line["type"] for line in drive.lines() if line["type"] != "context"]
    measured = [*["process"] * 2, *["counters"] * 2, *["process"] * 4]
    assert kinds == ["experiment", *measured, "finished"]
    first, second = (line["context"] for line in drive.lines("context"))
    libraries = {f"library of {name}": f"lib {name}" for name in ("serial", "openmp")}
    assert first | second == {"num_cpus": 2} | libraries
    entry = drive.lines("process")[0]["benchmark"]
    assert (entry["real_time"], entry["time_unit"]) == (10, "ms")
    assert entry["process_cpu_seconds"] > 0
    assert drive.lines("counters")[0]["counters"] == {"steals": 54321}
    checks = {own["check"] for own in drive.lines("finished")[0]["host_checks"]}
    assert checks >= {"workers", "steal time"}
    said = capsys.readouterr().err
    stages = "round 1 of 3", "counting events", "round 2 of 3", "round 3 of 3"
    assert "2 benchmarks, 3 rounds, seed 7\n" in said and "\n".join(stages) in said


def test_rounds_are_shuffled_by_the_seed(one: Drive) -> None:
    by_seed = []
    for seed in (7, 7, 8):
        assert (
            replace(one, workers="1-8", options=f"--rounds 2 --overwrite --seed {seed}").run() == 0
        )
        by_seed.append([(line["round"], line["cell"]) for line in one.lines("process")])
    assert [number for number, _ in by_seed[0]] == [1] * 8 + [2] * 8, "rounds follow each other"
    assert by_seed[0] == by_seed[1] != by_seed[2]


def test_no_round_begins_of_which_less_than_half_would_fit(
    one: Drive, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    body = "echo >> $0.calls; " + taking("100 + 50 * (round % 2)")
    calls = Path(f"{one.plant('openmp', body)}.calls")
    calls.touch()
    # Each process takes ten seconds.
    clock = SimpleNamespace(monotonic=lambda: 10.0 * calls.read_text().count("\n"))
    monkeypatch.setattr(rounds, "time", clock)
    assert replace(one, workers="1-2", options="--budget 145 --seed 7").run() == 0
    assert max(line["round"] for line in one.lines("process")) == 6
    said = capsys.readouterr().err
    assert "6 rounds, then more until every median is within ± 2 % or 145 s are spent" in said
    assert "\nround 2\n" in said


def test_what_was_spent_adds_up(one: Drive) -> None:
    begin_s = time.monotonic()
    one.plant("openmp", "sleep 0.05\n" + taking("10"))
    assert replace(one, options="--rounds 3").run() == 0
    whole = time.monotonic() - begin_s
    spent = [line["spent_seconds"] for line in one.lines() if "spent_seconds" in line]
    assert spent == sorted(spent) and 0.2 <= spent[-1] <= whole
    hours = {"spent_seconds": 36000}
    one.edit([line | (hours if "cell" in line else {}) for line in one.lines()[:-3]])
    assert one.resume() == 0
    assert 36000 < one.lines("finished")[0]["spent_seconds"] < 36010, "what was before counts once"


@pytest.mark.parametrize(
    ("lost", "workers", "members", "waiting"),
    [
        (0, 1, ["benchmark"], 0.099),
        (1, Machine().usable_processors(), ["benchmark", "repeated"], 0.099),
        (9, 250, ["benchmark"], 0.101),  # More workers than processors have to wait.
        (9, 1, ["benchmark", "repeated"], 0.101),  # The better one of two.
        (-1, 1, ["failure"], None),  # The repetition fails.
        (-9, 1, ["benchmark"], 0.101),  # A metric is not repeated.
    ],
)
def test_a_process_that_lost_a_processor_is_repeated_once(
    lost: int, workers: int, members: list[str], waiting: float | None, one: Drive
) -> None:
    script = (
        '[ "$1" = --once ] || echo >> "$0.calls"; call=$(wc -l < "$0.calls")\n'
        f"[ {lost} != -1 ] || [ $call = 1 ] || exit 3\n"
        f"waiting=0.099; [ $call -gt {abs(lost)} ] || waiting=0.10$((call == 2 ? 5 : 1))\n"
    )
    script += well_behaved(more=""","waiting_threads":'$waiting'""")
    own = replace(one, workers=str(workers))
    if lost == -9:
        own = replace(one, command="micro --metrics fork")
    calls = Path(f"{own.plant('openmp', script)}.calls")
    own.run()
    (line,) = own.lines("process")
    given = [key for key in ("benchmark", "failure", "repeated") if key in line]
    assert (given, line.get("benchmark", {}).get("waiting_threads")) == (members, waiting)
    assert calls.read_text().count("\n") == (1 if members == ["benchmark"] else 2)


@pytest.mark.parametrize(("rounds", "status"), [(3, "warn"), (4, "pass")])
def test_a_benchmark_is_disturbed_where_a_third_of_its_processes_lost_a_processor(
    rounds: int, status: str, one: Drive
) -> None:
    waits = ROUND + "waiting=0; [ $round != 1 ] || waiting=250\n"
    one.plant("openmp", waits + well_behaved(more=""","waiting_threads":'$waiting'"""))
    assert replace(one, options=f"--rounds {rounds}", workers="250").run() == 0
    checks = {check["check"]: check for check in one.lines("finished")[0]["host_checks"]}
    assert checks["processors"]["status"] == status


def test_a_scheduler_without_counters_is_counted_once(one: Drive) -> None:
    one.plant("openmp", well_behaved("null"))
    assert replace(one, workers="1-2").run() == 0
    assert [line["counters"] for line in one.lines("counters")] == [None]


FAILS = f"""
trap '' TERM INT HUP; while :; do sleep 1; done | timed out after 1 s
echo first >&2; echo out of cheese >&2; exit 3 | exit status 3: out of cheese
#!/nowhere/at/all | cannot start
[ $1 != --once ] \\|\\| kill -ABRT $$ | counting run: ended by signal 6 (Aborted)
[ $1 != --once ] \\|\\| (echo too large >&2; exit 2) \\|\\| exit 2 | counting run: too large
[ $1 != --once ] \\|\\| (echo '{once_report('false')}'; exit 1) \\|\\| exit 1 | counting run: wrong answer
"""


@pytest.mark.parametrize(("misbehaviour", "reason"), rows(FAILS))
def test_one_that_fails_is_a_row_and_the_others_go_on(
    misbehaviour: str, reason: str, drive: Drive, capsys: Captured
) -> None:
    misbehaviour = misbehaviour.replace("\\|", "|")
    is_counting = "counting" in reason
    script = drive.plant("openmp", misbehaviour + ("\n" + taking("20")) * is_counting)
    if misbehaviour.startswith("#"):
        script.write_text(misbehaviour + "\n")
    timeout_s = 1 if "trap" in misbehaviour else 10
    assert replace(drive, options=f"--rounds 2 --timeout {timeout_s}").run() == 1
    assert f"\nDNF {OPENMP}: {reason}" in capsys.readouterr().err
    failed = [line["cell"] for line in drive.lines() if "failure" in line]
    cells = [line["cell"] for line in drive.lines("process") if "failure" not in line]
    assert (failed, sorted(cells)) == ([OPENMP], [OPENMP][:is_counting] + [SERIAL, SERIAL])
    counted = [line["cell"] for line in drive.lines("counters") if "failure" not in line]
    assert counted == [SERIAL]


# Fails with the seed 2 where there is a file `failing`, and ends only when another ran beside it.
SIMULATION = """
last=; for word; do [ "$last" != --seed ] || seed=$word; [ "$last" != --workers ] || workers=$word
last=$word; done
cd "${0%/*}"; [ $seed != 2 ] || [ ! -e failing ] || exit 3
cat > profile; touch began$workers; until [ -e began$((3 - workers)) ]; do :; done
echo '{"workload":"fib","workers":'$workers',"seed":'$seed',"seconds":2,"fork_count":3,"shares":
{"work":0.5,"overhead":0.2,"search":0.1,"lines":0.1,"asleep":0.1},"tasks_moved":4,
"steal_attempts":5,"verified":true,"counters":{"steals":6},"lines":[]}'"""


def simulate(folder: Path, rounds: int, about: dict[str, Any], machine: str = "") -> RawFile:
    kind: Any = "with a machine" if machine else "all"
    plan = Plan(StopRule(rounds), 10, simulated=kind, jobs=2, commit="abc")
    cells = [Cell("fib", (), "serial", workers, machine=machine) for workers in (1, 2)]
    name = "compare" if machine else "simulate"
    with Journal(folder / "results", name, "replace") as journal:
        journal.begin(cells, [], about=about, settings={"seeds": rounds}, command="")
        executable = folder / "stealbench-simulated-serial"
        measure(plan, lambda cell: Target(cell, executable), journal, "go on")
        return journal.raw


def test_a_simulation_runs_its_seeds_on_its_profile(tmp_path: Path) -> None:
    plant(tmp_path, "stealbench-simulated-serial", SIMULATION)
    raw = simulate(tmp_path, 2, ABOUT)
    assert list(raw.rounds.values()) == [2, 2]
    assert raw.counters["fib/serial/workers:1"] == {"steals": 6}
    assert json.loads((tmp_path / "profile").read_text()) == PROFILE
    lines = [json.loads(e) for e in (tmp_path / "results/simulate.jsonl").read_text().splitlines()]
    expect_valid(lines)
    assert lines[1]["context"] == {"commit": "abc"}
    assert "counters" not in lines[-2]["simulation"], "of the first seed alone"
    assert lines[-1]["host_checks"] == []
    simulate(tmp_path, 1, {"machines": {"big": {"name": "big"}}}, "big")
    assert json.loads((tmp_path / "profile").read_text()) == {"name": "big"}


def test_a_simulation_that_fails_is_a_row(tmp_path: Path) -> None:
    script = plant(tmp_path, "stealbench-simulated-serial", SIMULATION)
    (tmp_path / "failing").touch()
    raw = simulate(tmp_path, 2, ABOUT)
    assert list(raw.failures.values()) == ["exit status 3"] * 2
    script.unlink()
    raw = simulate(tmp_path, 2, ABOUT)
    assert [reason[:13] for reason in raw.failures.values()] == ["cannot start "] * 2


def test_a_simulation_that_the_machine_does_not_start_is_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(tmp_path, "stealbench-simulated-serial", SIMULATION)

    def refuse(*arguments: object, **options: object) -> None:
        raise BlockingIOError(errno.EAGAIN, "")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    with pytest.raises(NoMore, match="Resource temporarily unavailable"):
        simulate(tmp_path, 1, ABOUT)
    assert not (tmp_path / "results" / "simulate.jsonl").exists()
