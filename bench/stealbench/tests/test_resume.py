"""Measurements that are stopped half-way, by what they start or by what happens to the machine, and
resumed."""

from __future__ import annotations

import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stealbench.tests.planted import Drive, plant_suite, well_behaved

PROCESSES = 8  # Two cells: a round, the counting runs, two rounds.
Captured = pytest.CaptureFixture[str]


def script(accident: str = "kill -KILL $PPID; exec sleep 600") -> str:
    """Times depend on how many rounds the cell has finished, and on nothing else. The process whose
    number is in the file `accident_at` does this before it says anything."""
    return f"""cd "${{0%/*}}"; echo >> calls
if [ $(wc -l < calls) = $(cat accident_at) ]; then {accident}; fi
case $* in *--once*) ;; *) echo >> "$0.rounds" ;; esac
rounds=$(wc -l < "$0.rounds")
{well_behaved('{"steals":1}', "$rounds")}"""


@pytest.fixture
def drive(tmp_path: Path) -> Drive:
    plant_suite(tmp_path)
    prepare(own := Drive(tmp_path), 0)
    return own


def prepare(drive: Drive, accident_at: int, body: str = script()) -> None:
    for old in [*drive.folder.glob("*.rounds"), drive.folder / "calls", drive.raw_file]:
        old.unlink(missing_ok=True)
    (drive.folder / "accident_at").write_text(str(accident_at))
    for name in ("serial", "openmp"):
        drive.plant(name, body)


def killed(drive: Drive, accident_at: int) -> None:
    prepare(drive, accident_at)
    assert drive.apart().returncode == -signal.SIGKILL
    assert len(processes(drive)) == accident_at - 1


def calls(drive: Drive) -> int:
    return (drive.folder / "calls").read_text().count("\n")


def processes(drive: Drive) -> list[dict[str, Any]]:
    """Without what the clock and the operating system say."""
    lines = drive.lines("process") + drive.lines("counters")
    for line in lines:
        del line["spent_seconds"]
        line.get("benchmark", {}).pop("process_cpu_seconds", None)
    return lines


def test_it_ends_as_an_uninterrupted_one_wherever_it_is_killed(drive: Drive) -> None:
    assert drive.run() == 0
    assert calls(drive) == PROCESSES
    whole = processes(drive)
    for count in range(2, PROCESSES + 1):
        killed(drive, count)
        assert drive.resume() == 0
        assert calls(drive) == PROCESSES + 1, f"what was finished before {count} ran again"
        assert processes(drive) == whole


def test_one_that_is_stopped_again_and_torn_goes_on_again(drive: Drive) -> None:
    killed(drive, 2)
    with open(drive.raw_file, "ab") as file:
        file.write(b'{"type":"process","ce')
    (drive.raw_file.parent / ".compare.jsonl.new").write_text("torn")
    (drive.folder / "accident_at").write_text("5")
    assert drive.apart(is_resumed=True).returncode == -signal.SIGKILL
    assert drive.resume() == 0
    assert calls(drive) == PROCESSES + 2
    assert len(drive.lines("resumed")) == 2
    assert [own.name for own in drive.raw_file.parent.iterdir()] == ["compare.jsonl"]


@pytest.mark.parametrize(("name", "at"), [("INT", 4), ("TERM", 4), ("HUP", 4), ("TERM", 1)])
def test_an_interrupt_keeps_what_was_measured_and_says_how_to_go_on(
    name: str, at: int, drive: Drive
) -> None:
    prepare(drive, at, script(f"kill -{name} $PPID; sleep 600"))
    # Whoever starts it may have blocked the signal.
    stopped = drive.apart("exec env --block-signal")
    assert stopped.returncode == 128 + getattr(signal, f"SIG{name}")
    if at == 1:  # No process has ended.
        assert stopped.stderr.endswith("\nInterrupted. No measurement is saved.\n")
        assert not drive.raw_file.exists() and drive.resume() == 2
        return
    assert f"\nInterrupted. The measurements are saved in {drive.raw_file}. " in stopped.stderr
    assert stopped.stderr.endswith(f"compare --resume --output {drive.raw_file.parent}\n")
    assert len(processes(drive)) == at - 1
    assert drive.resume() == 0


@pytest.mark.parametrize(
    ("shell", "end"),
    [
        ("exec nohup", ""),  # The second process sends HUP.
        ("umask 777; exec env --ignore-signal=CHLD,PIPE,HUP --block-signal", ""),
        *(("trap '' HUP; exec", end) for end in ("<&- >&- 2>&-", "2> /dev/full")),
    ],
)
def test_a_parent_that_leaves_an_odd_state_changes_nothing(
    shell: str, end: str, drive: Drive
) -> None:
    prepare(drive, 2, script("kill -HUP $PPID"))
    assert drive.apart(shell, end).returncode == 0
    assert drive.lines()[-1]["type"] == "finished"
    assert len(processes(drive)) == PROCESSES
    assert not any("failure" in line for line in processes(drive))
    if not end:
        drive.plant("serial", "exec sleep 600")
        hanging = replace(drive, schedulers="serial", options="--overwrite --timeout 1 --rounds 1")
        assert hanging.apart(shell).returncode == 1
        assert [line["failure"] for line in processes(drive)] == ["timed out after 1 s"]


SIZE = "$(wc -c < out/compare.jsonl)"
FILES = "Too many open files; a higher limit of open files (ulimit -n) helps"


@pytest.mark.parametrize(
    ("accident", "at", "message"),
    [
        (f"prlimit --pid $PPID --fsize={SIZE}:", 4, "/compare.jsonl: File too large"),
        ("prlimit --pid $PPID --nofile=3:", 2, FILES),  # The next one is timed.
        ("prlimit --pid $PPID --nofile=3:", 3, FILES),  # The next one counts.
    ],
)
def test_a_machine_that_has_no_more_to_give_stops_it_and_fails_no_cell(
    accident: str, at: int, message: str, drive: Drive
) -> None:
    prepare(drive, at, script(accident))
    stopped = drive.apart()
    assert stopped.returncode == 1 and message in stopped.stderr
    assert "\nStopped. The measurements are saved in " in stopped.stderr
    assert "DNF" not in stopped.stderr and "compare --resume --output" in stopped.stderr
    assert drive.resume() == 0
    assert len(processes(drive)) == PROCESSES
    assert not any("failure" in line for line in processes(drive))


@pytest.mark.parametrize("accident", ["mv out kept; : > out", "rm -r out; mkdir out"])
def test_a_folder_that_is_taken_away_stops_it(accident: str, drive: Drive) -> None:
    prepare(drive, 3, script(accident))
    stopped = drive.apart()
    assert stopped.returncode == 1
    assert "moved, deleted or replaced by another program" in stopped.stderr
    assert "saved in" not in stopped.stderr
    assert calls(drive) == 3, "no other process was started"


def test_a_cell_that_has_failed_is_not_run_again(drive: Drive) -> None:
    prepare(drive, 4)
    drive.plant("openmp", "exit 3")
    assert drive.apart().returncode == -signal.SIGKILL
    drive.plant("openmp", 'echo >> "$0.again"')
    assert drive.resume() == 1
    assert not (drive.folder / "stealbench-openmp.again").exists()


def test_a_missing_end_alone_is_made_up_for(drive: Drive) -> None:
    assert drive.run() == 0
    drive.edit(drive.lines()[:-1])
    assert drive.resume("--schedulers serial,openmp,openmp --rounds 3") == 0
    assert calls(drive) == PROCESSES
    assert drive.resume() == 2, "it is finished"


def test_other_settings_are_refused_and_named(drive: Drive, capsys: Captured) -> None:
    killed(drive, 4)
    assert drive.resume("--schedulers serial --rounds 1") == 2
    message = capsys.readouterr().err
    assert '--schedulers was ["serial","openmp"], not ["serial"]; ' in message
    assert "--rounds was 3, not 1; valid: the same settings, or --overwrite" in message
    lines = drive.lines()
    del lines[0]["settings"]["seed"]
    drive.edit(lines)
    assert drive.resume() == 2
    assert "the settings in the first line" in capsys.readouterr().err
    assert drive.lines() == lines


@pytest.mark.parametrize("key", ["commit", "processor"])
def test_another_build_is_refused(key: str, drive: Drive, capsys: Captured) -> None:
    killed(drive, 6)
    lines = drive.lines()
    lines[1]["context"] = {key: "abc"}
    drive.edit(lines)
    for name in ("serial", "openmp"):
        drive.plant(name, script().replace('"num_cpus":2', f'"num_cpus":2,"{key}":"def"'))
    assert drive.resume() == 2
    message = capsys.readouterr().err
    assert f'{key} was "abc" when the experiment started and is "def" now; valid: ' in message
    assert drive.lines() == lines, "what was measured stays, and nothing is added"


def test_the_host_is_checked_anew_and_the_worse_is_kept(drive: Drive) -> None:
    killed(drive, 4)
    lines = drive.lines()
    worse = {"check": "workers", "status": "warn", "detail": "Long ago."}
    lines[0]["host_checks"] = [worse]
    drive.edit(lines)
    assert drive.resume() == 0
    workers = [own for own in drive.lines("resumed")[0]["host_checks"] if own["check"] == "workers"]
    assert workers[0]["status"] == "pass"
    checks = {own["check"]: own for own in drive.lines("finished")[0]["host_checks"]}
    assert checks["workers"] == worse
