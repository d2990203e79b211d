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
from typing import Any

import pytest

from stealbench.cell import Cell
from stealbench.cells import Target
from stealbench.errors import BadInput
from stealbench.journal import Journal
from stealbench.machine import Machine
from stealbench.process import CannotStart
from stealbench.rounds import Plan, Simulation, measure
from stealbench.schedule import StopRule
from stealbench.session import begin, expect_same_share, has_more_to_do, in_shell
from stealbench.ranks import Member
from stealbench.tests.driving import Drive
from stealbench.tests.planted import FIND, once_report, plant, well_behaved
from stealbench.tests.simulated import PROFILE

jsonschema = pytest.importorskip("jsonschema")
SCHEMA = Path(__file__).parents[3] / "results" / "dataset" / "schema.json"
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
SERIAL, OPENMP = "fib/serial/n:35/workers:1", "fib/openmp/n:35/workers:1"


def taking(milliseconds: str, counters: str = '{"steals":54321}', more: str = "") -> str:
    """A formula of $round and $workers."""
    return ROUND + well_behaved(counters, f"$(({milliseconds}))", more)


@pytest.fixture
def drive(tmp_path: Path) -> Drive:
    plant(tmp_path, "stealbench-serial", taking("10"))
    plant(tmp_path, "stealbench-openmp", taking("20"))
    return Drive(tmp_path)


def orders(drive: Drive) -> list[list[str]]:
    every: list[list[str]] = []
    for line in drive.lines("process"):
        assert line["round"] in (len(every), len(every) + 1), "rounds follow each other"
        if line["round"] > len(every):
            every.append([])
        every[-1].append(line["cell"])
    return every


def test_a_raw_file_is_as_the_schema_has_it_and_says_how_it_went(
    drive: Drive, capsys: pytest.CaptureFixture[str]
) -> None:
    assert drive.run() == 0
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))
    for line in drive.lines():
        assert [each.message for each in validator.iter_errors(line)] == []
    kinds = [line["type"] for line in drive.lines()]
    one_round = ["process"] * 2
    counted = ["counters"] * 2
    assert kinds == ["experiment", "context", *one_round, *counted, *one_round * 2, "finished"]
    entry = drive.lines("process")[0]["benchmark"]
    assert (entry["real_time"], entry["time_unit"], entry["runs"]) == (
        10 if "serial" in entry["name"] else 20,
        "ms",
        3,
    )
    assert entry["process_cpu_seconds"] > 0
    assert drive.lines("counters")[0]["counters"] == {"steals": 54321}
    said = capsys.readouterr().err
    for part in (
        "2 benchmarks, 3 rounds, seed 7\nround 1, 0 % done\n",
        "\ncounting events, 25 % done, ",
        "\nround 2, 50 % done, ",
        "\nround 3, 75 % done, ",
    ):
        assert part in said


def test_rounds_are_shuffled_each_anew_by_the_seed(drive: Drive) -> None:
    eight = replace(drive, schedulers=("serial",), workers=tuple(range(1, 9)), counts=False)

    def ordered_by(seed: int) -> list[list[str]]:
        assert replace(eight, seed=seed, rounds=4, earlier="replace").run() == 0
        return orders(eight)

    first = ordered_by(7)
    planned = [each["name"] for each in eight.lines("experiment")[0]["cells"]]
    assert all(sorted(each) == sorted(planned) != each for each in first)
    assert len({tuple(each) for each in first}) == 4
    assert ordered_by(7) == first != ordered_by(8)


@pytest.mark.parametrize("rounds", [1, 7])
def test_rounds_are_as_many_as_were_asked_for(rounds: int, drive: Drive) -> None:
    assert replace(drive, rounds=rounds, budget_s=0.01).run() == 0
    assert [len(each) for each in orders(drive)] == [2] * rounds


def test_rounds_are_six_at_least_whatever_the_budget(
    drive: Drive, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(drive.folder, "stealbench-serial", taking("10 + 5 * (round % 2)"))
    assert replace(drive, rounds=0, budget_s=0.001).run() == 0
    assert len(orders(drive)) == 6
    assert (
        "6 rounds, then more until every median is within ± 2 % or 0.001 s are spent, seed 7"
        in capsys.readouterr().err
    )


@pytest.mark.parametrize("unsteady", [1, 2])  # One cell of two: the other alone would be enough.
@pytest.mark.parametrize(("target", "rounds"), [(24, 7), (26, 6)])
def test_rounds_end_as_soon_as_the_last_interval_is_narrow(
    unsteady: int, target: float, rounds: int, drive: Drive
) -> None:
    # The interval of these tests is the range of the latest six.
    script = taking(f"100 + (workers == {unsteady} && round == 1 ? 50 : 0)")
    plant(drive.folder, "stealbench-serial", script)
    one = replace(drive, schedulers=("serial",), workers=(1, 2), rounds=0, counts=False)
    assert replace(one, target_percent=target, budget_s=1000).run() == 0
    assert len(orders(one)) == rounds


def test_what_was_spent_adds_up(drive: Drive) -> None:
    begin_s = time.monotonic()
    plant(drive.folder, "stealbench-serial", "sleep 0.05\n" + taking("10"))
    one = replace(drive, schedulers=("serial",))
    assert one.run() == 0
    whole = time.monotonic() - begin_s
    spent = [each["spent_seconds"] for each in one.lines() if "spent_seconds" in each]
    assert spent == sorted(spent) and 0.2 <= spent[-1] <= whole
    lines = one.lines()[:-3]
    for line in lines:
        if "spent_seconds" in line:
            line["spent_seconds"] = 36000
    one.edit(lines)
    assert one.resume() == 0
    assert 36000 < one.lines("finished")[0]["spent_seconds"] < 36010, "what was before counts once"


def test_a_process_that_lost_a_processor_is_repeated_once(drive: Drive) -> None:
    def compared(lost: int, workers: int) -> tuple[int, dict[str, Any]]:
        calls = drive.folder / "calls"
        calls.unlink(missing_ok=True)
        waits = (
            f'calls={calls}\n[ "$1" = --once ] || echo >> "$calls"\ncall=$(cat "$calls" | wc -l)\n'
            f"waiting=0; [ $call -gt {lost} ] || waiting=0.9$((call == 2 ? 5 : 0))\n"
        )
        more = ""","waiting_threads":'$waiting'"""
        plant(drive.folder, "stealbench-serial", waits + well_behaved(more=more))
        one = replace(
            drive, schedulers=("serial",), workers=(workers,), rounds=1, earlier="replace"
        )
        assert one.run() == 0
        (line,) = one.lines("process")
        return calls.read_text().count("\n"), line

    count, line = compared(0, 1)
    assert (count, "repeated" in line) == (1, False)
    count, line = compared(1, Machine().usable_processors())
    assert (count, line["repeated"], line["benchmark"]["waiting_threads"]) == (2, True, 0)
    count, line = compared(9, 1)
    assert (count, line["benchmark"]["waiting_threads"]) == (2, 0.9), "the better one of two"
    assert compared(9, 250)[0] == 1, "more workers than processors have to wait"
    checks = {each["check"]: each for each in drive.lines("finished")[0]["host_checks"]}
    assert checks["processors"]["status"] == "warn"
    assert {"workers", "steal time"} <= checks.keys()


def test_a_process_whose_repetition_fails_has_no_time(drive: Drive) -> None:
    waiting = well_behaved(more=',"waiting_threads":0.9')
    script = 'echo >> "$0.calls"; [ $(wc -l < "$0.calls") = 1 ] || exit 3\n' + waiting
    plant(drive.folder, "stealbench-serial", script)
    one = replace(drive, schedulers=("serial",), rounds=1, counts=False)
    assert one.run() == 1
    assert [each.get("failure") for each in one.lines("process")] == ["exit status 3"]
    plant(drive.folder, "stealbench-serial", 'echo >> "$0.metric"\n' + waiting)
    replace(one, is_metric=True, earlier="replace").run()
    assert (
        drive.folder / "stealbench-serial.metric"
    ).read_text() == "\n", "that of a metric is not"


def test_a_scheduler_without_counters_is_counted_once(drive: Drive) -> None:
    plant(drive.folder, "stealbench-serial", well_behaved("null"))
    one = replace(drive, schedulers=("serial",), workers=(1, 2), rounds=2)
    assert one.run() == 0
    assert [each["counters"] for each in one.lines("counters")] == [None]


@pytest.mark.parametrize(
    ("misbehaviour", "reason"),
    [
        ("kill -SEGV $$", "ended by signal 11 (Segmentation fault)"),
        ("trap '' TERM INT HUP\nwhile :; do sleep 1; done", "timed out after 0.3 s"),
        ("echo first >&2; echo out of cheese >&2; exit 3", "exit status 3: out of cheese"),
        ("exit 0", "unreadable output: not the Google Benchmark JSON of this benchmark"),
        ("#", "cannot start "),
    ],
)
def test_one_that_fails_is_a_row_and_the_others_go_on(
    misbehaviour: str, reason: str, drive: Drive, capsys: pytest.CaptureFixture[str]
) -> None:
    script = plant(drive.folder, "stealbench-openmp", misbehaviour)
    if misbehaviour == "#":
        script.write_text("#!/nowhere/at/all\n")
    assert replace(drive, timeout_s=0.3 if "trap" in misbehaviour else 10, rounds=2).run() == 1
    assert f"\nDNF {OPENMP}: {reason}" in capsys.readouterr().err
    cells = [(each["cell"], "failure" in each) for each in drive.lines("process")]
    assert sorted(cells) == [(OPENMP, True), (SERIAL, False), (SERIAL, False)]
    assert [each["cell"] for each in drive.lines("counters")] == [SERIAL]


@pytest.mark.parametrize(
    ("misbehaviour", "reason"),
    [
        ("kill -ABRT $$", "ended by signal 6 (Aborted)"),
        ("echo too large >&2; exit 2", "too large"),
        (
            f"echo '{once_report('true', '7')}'; exit 0",
            "unreadable output: not the JSON of one run",
        ),
        (f"echo '{once_report('false')}'; exit 1", "wrong answer"),
    ],
)
def test_one_whose_counting_run_fails_has_failed(
    misbehaviour: str, reason: str, drive: Drive
) -> None:
    script = f"{FIND}if [ $once ]; then {misbehaviour}; fi\n{well_behaved()}"
    plant(drive.folder, "stealbench-openmp", script)
    assert replace(drive, rounds=2).run() == 1
    failures = [each["failure"] for each in drive.lines("counters") if "failure" in each]
    assert failures == [f"counting run: {reason}"]
    assert sum(each["cell"] == OPENMP for each in drive.lines("process")) == 1


def test_each_library_is_in_the_context(drive: Drive) -> None:
    for name in ("serial", "openmp"):
        context = f'"scheduler_library":"lib {name}","host_name":"here","num_cpus":2'
        script = taking("10").replace('"num_cpus":2', context)
        plant(drive.folder, f"stealbench-{name}", script)
    assert drive.run() == 0
    contexts = [each["context"] for each in drive.lines("context")]
    assert len(contexts) == 2
    known = {key: value for each in contexts for key, value in each.items()}
    assert known == {
        "num_cpus": 2,
        "library of serial": "lib serial",
        "library of openmp": "lib openmp",
    }


def simulation(seed_fails: int = 0) -> str:
    """A simulation that waits until another runs beside it."""
    return f"""
last=; for word; do [ "$last" != --seed ] || seed=$word; [ "$last" != --workers ] || workers=$word
last=$word; done
[ $seed != {seed_fails} ] || exit 3
cat > "$0.profile"
echo '{{"workload":"fib","workers":'$workers',"seed":'$seed',"seconds":2,"fork_count":3,"shares":
{{"work":0.5,"overhead":0.2,"search":0.1,"lines":0.1,"asleep":0.1}},"tasks_moved":4,
"steal_attempts":5,"verified":true,"counters":{{"steals":6}},"lines":[]}}'"""


def simulate(folder: Path, plan: Plan, about: dict[str, Any], machine: str = "") -> list[Any]:
    cells = [Cell("fib", (), "serial", each, machine=machine) for each in (1, 2)]

    def target_of(cell: Cell) -> Target:
        return Target(cell, folder / "stealbench-simulated-serial")

    def interval(values: Sequence[float]) -> tuple[float, float]:
        raise AssertionError("a number of seeds needs no interval")

    name = "compare" if machine else "simulate"
    with Journal(folder / "results", name, "replace") as journal:
        begin(journal, [], {"seeds": plan.until.rounds}, about, cells, [])
        measure(plan, target_of, journal, interval, "go on")
        return journal.standing.cells


def test_a_simulation_runs_its_seeds_on_its_profile(tmp_path: Path) -> None:
    script = plant(tmp_path, "stealbench-simulated-serial", simulation())
    plan = Plan(StopRule(2), simulation=Simulation(PROFILE, {"commit": "abc"}, jobs=2))
    cells = simulate(tmp_path, plan, ABOUT)
    assert [len(each.samples) for each in cells] == [2, 2]
    assert cells[0].counters == {"steals": 6}
    assert json.loads(Path(f"{script}.profile").read_text()) == PROFILE
    lines = [json.loads(e) for e in (tmp_path / "results/simulate.jsonl").read_text().splitlines()]
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))
    assert [each.message for line in lines for each in validator.iter_errors(line)] == []
    assert lines[1]["context"] == {"commit": "abc"}
    assert "counters" not in lines[-2]["simulation"], "of the first seed alone"
    assert lines[-1]["host_checks"] == []
    named = Plan(
        StopRule(1), simulation=Simulation(machines={"big": {"name": "big"}}), measures_too=True
    )
    simulate(tmp_path, named, {}, "big")
    assert json.loads(Path(f"{script}.profile").read_text()) == {"name": "big"}


def test_a_simulation_that_fails_is_a_row(tmp_path: Path) -> None:
    plant(tmp_path, "stealbench-simulated-serial", simulation(seed_fails=2))
    plan = Plan(StopRule(2), simulation=Simulation({}, jobs=2))
    cells = simulate(tmp_path, plan, ABOUT)
    assert [each.failure for each in cells] == ["exit status 3"] * 2
    (tmp_path / "stealbench-simulated-serial").unlink()
    cells = simulate(tmp_path, plan, ABOUT)
    assert all(each.failure.startswith("cannot start ") for each in cells)


def test_a_simulation_that_the_machine_does_not_start_is_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(tmp_path, "stealbench-simulated-serial", simulation())

    def refuse(*arguments: object, **options: object) -> None:
        raise BlockingIOError(errno.EAGAIN, "")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    with pytest.raises(CannotStart, match="Resource temporarily unavailable"):
        simulate(tmp_path, Plan(StopRule(1), simulation=Simulation({})), ABOUT)
    assert not (tmp_path / "results" / "simulate.jsonl").exists()


def test_a_share_goes_on_as_the_same_rank(tmp_path: Path) -> None:
    member = Member(1, 3)
    cells = [Cell("fib", (), "serial")]
    with Journal(tmp_path, "compare", "keep") as journal:
        begin(journal, [], {}, {}, cells, [])
        with pytest.raises(
            BadInput, match="the folder of rank 1 of 3 holds no share; valid: as many"
        ):
            expect_same_share(journal.standing.raw, member)
    with Journal(member.folder(tmp_path), "compare", "keep") as journal:
        begin(journal, [], {}, {}, cells, [], member.to_json(5))
        expect_same_share(journal.standing.raw, member)
        with pytest.raises(BadInput, match="of rank 1 of 4 holds what is of rank 1 of 3"):
            expect_same_share(journal.standing.raw, Member(1, 4))


def test_a_rank_has_more_to_do_unless_it_is_finished_or_has_no_share(tmp_path: Path) -> None:
    def has_more(rank: int, is_shared: bool = True) -> bool:
        return has_more_to_do(tmp_path, "compare", Member(rank, 3), is_shared)

    with pytest.raises(BadInput, match="rank 0 of 3 saved nothing in '.*rank-0' before it was"):
        has_more(0)
    cell = Cell("fib", (), "serial")
    line = {"type": "process", "cell": cell.name, "round": 1, "spent_seconds": 1, "failure": "no"}
    with Journal(tmp_path / "rank-1", "compare", "keep") as journal:
        begin(journal, [], {}, {}, [cell], [], Member(1, 3).to_json(2))
        journal.add(line)
        assert has_more(1)
        journal.add({"type": "finished", "spent_seconds": 1, "host_checks": []})
    assert not has_more(1)
    assert not has_more(2), "of two benchmarks none is its"
    for rank, is_shared in ((0, True), (2, False)):
        with pytest.raises(BadInput, match="saved nothing"):
            has_more(rank, is_shared)


def test_a_word_is_one_that_a_shell_takes() -> None:
    words = {"a/b-1,c": "a/b-1,c", "it's a\nb": "'it'\\''s a\nb'", "": "''", "~": "'~'"}
    assert {word: in_shell(word) for word in words} == words
