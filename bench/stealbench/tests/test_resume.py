"""Measurements that are stopped half-way, by what they start or by what happens to the machine, and
resumed."""

from __future__ import annotations

import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stealbench.errors import BadInput
from stealbench.tests.driving import Drive
from stealbench.tests.planted import plant, well_behaved

PROCESSES = 8  # Two cells: a round, the counting runs, two rounds.


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
    own = Drive(tmp_path)
    prepare(own, 0)
    return own


def prepare(drive: Drive, accident_at: int, body: str = script()) -> None:
    for old in [*drive.folder.glob("*.rounds"), drive.folder / "calls", drive.raw_file]:
        old.unlink(missing_ok=True)
    (drive.folder / "accident_at").write_text(str(accident_at))
    for name in ("serial", "openmp"):
        plant(drive.folder, f"stealbench-{name}", body)


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
        prepare(drive, count)
        assert drive.apart().returncode == -signal.SIGKILL
        assert len(processes(drive)) == count - 1
        assert drive.resume() == 0
        assert calls(drive) == PROCESSES + 1, f"what was finished before {count} ran again"
        assert processes(drive) == whole


def test_one_that_is_stopped_again_and_torn_goes_on_again(drive: Drive) -> None:
    prepare(drive, 2)
    assert drive.apart().returncode == -signal.SIGKILL
    with open(drive.raw_file, "ab") as file:
        file.write(b'{"type":"process","ce')
    (drive.raw_file.parent / ".compare.jsonl.new").write_text("torn")
    (drive.folder / "accident_at").write_text("5")
    assert replace(drive, earlier="resume").apart().returncode == -signal.SIGKILL
    assert drive.resume() == 0
    assert calls(drive) == PROCESSES + 2
    assert len(drive.lines("resumed")) == 2
    assert [each.name for each in drive.raw_file.parent.iterdir()] == ["compare.jsonl"]


@pytest.mark.parametrize("name", ["INT", "TERM", "HUP"])
def test_an_interrupt_keeps_what_was_measured_and_says_how_to_go_on(
    name: str, drive: Drive
) -> None:
    accident = f"kill -{name} $PPID; sleep 600"
    prepare(drive, 4, script(accident))
    # Whoever starts it may have blocked the signal.
    stopped = drive.apart("exec env --block-signal")
    assert stopped.returncode == 128 + getattr(signal, f"SIG{name}")
    assert stopped.stderr.endswith(
        f"\nInterrupted. The measurements are saved in {drive.raw_file}. To continue, run\n"
        f"  stealbench compare --resume --output {drive.raw_file.parent}\n"
    )
    assert len(processes(drive)) == 3
    assert drive.resume() == 0


def test_an_interrupt_before_the_first_process_has_ended_saves_nothing(drive: Drive) -> None:
    prepare(drive, 1, script("kill -TERM $PPID; sleep 600"))
    stopped = drive.apart()
    assert stopped.returncode == 143
    assert stopped.stderr.endswith("\nInterrupted. No measurement is saved.\n")
    assert not drive.raw_file.exists()
    with pytest.raises(BadInput, match="there is no compare.jsonl"):
        drive.resume()


def test_one_that_is_ignored_does_not_interrupt(drive: Drive) -> None:
    prepare(drive, 2, script("kill -HUP $PPID"))
    assert drive.apart("exec nohup").returncode == 0


@pytest.mark.parametrize(
    "parent", ["exec env --ignore-signal=CHLD,PIPE --block-signal", "umask 777; exec"]
)
def test_a_parent_that_leaves_an_odd_state_changes_nothing(parent: str, drive: Drive) -> None:
    assert drive.apart(parent).returncode == 0
    assert len(processes(drive)) == PROCESSES
    hanging = replace(drive, earlier="replace", timeout_s=0.2, schedulers=("serial",))
    plant(drive.folder, "stealbench-serial", "exec sleep 600")
    assert "timed out after 0.2 s" in hanging.apart(parent).stderr


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-", "2> /dev/full"])
def test_a_standard_stream_that_is_closed_is_not_taken_for_a_file(
    closed: str, drive: Drive
) -> None:
    assert drive.apart(end=closed).returncode == 0
    assert drive.lines()[-1]["type"] == "finished"
    assert not any("failure" in each for each in processes(drive))


def test_a_disk_that_becomes_full_makes_no_cell_fail_and_loses_nothing(drive: Drive) -> None:
    size = "$(wc -c < results/compare.jsonl)"
    prepare(drive, 4, script(f"prlimit --pid $PPID --fsize={size}:"))
    stopped = drive.apart()
    assert stopped.returncode == 1
    assert f"cannot write {drive.raw_file}: File too large" in stopped.stderr
    assert "\nStopped. The measurements are saved in " in stopped.stderr
    assert "DNF" not in stopped.stderr
    assert len(processes(drive)) == 3
    assert drive.resume() == 0
    assert len(processes(drive)) == PROCESSES


@pytest.mark.parametrize("accident_at", [2, 3])  # The next one is timed, or counts.
def test_a_machine_that_starts_no_further_process_stops_it_and_fails_no_cell(
    accident_at: int, drive: Drive
) -> None:
    prepare(drive, accident_at, script("prlimit --pid $PPID --nofile=3:"))
    stopped = drive.apart()
    assert stopped.returncode == 1
    assert "cannot start " in stopped.stderr and "Too many open files" in stopped.stderr
    assert "DNF" not in stopped.stderr and "compare --resume --output" in stopped.stderr
    assert drive.resume() == 0
    assert not any("failure" in each for each in processes(drive))


@pytest.mark.parametrize(
    "accident",
    [
        "mv results kept; : > results",
        "rm -r results; mkdir results",
        "rm results/compare.jsonl",
        "(cd results; echo > new; mv new compare.jsonl)",
    ],
)
def test_a_folder_that_is_taken_away_stops_it(accident: str, drive: Drive) -> None:
    prepare(drive, 3, script(accident))
    stopped = drive.apart()
    assert stopped.returncode == 1
    assert "moved, deleted or replaced by another program" in stopped.stderr
    assert "saved in" not in stopped.stderr
    assert calls(drive) == 3, "no other process was started"


def test_a_cell_that_has_failed_is_not_run_again(drive: Drive) -> None:
    prepare(drive, 4)
    plant(drive.folder, "stealbench-openmp", "exit 3")
    assert drive.apart().returncode == -signal.SIGKILL
    plant(drive.folder, "stealbench-openmp", 'echo >> "$0.again"')
    assert drive.resume() == 1
    assert not (drive.folder / "stealbench-openmp.again").exists()


def test_a_missing_end_alone_is_made_up_for(
    drive: Drive, capsys: pytest.CaptureFixture[str]
) -> None:
    assert drive.run() == 0
    assert "round 1," in capsys.readouterr().err
    drive.edit(drive.lines()[:-1])
    assert drive.resume() == 0
    said = capsys.readouterr().err
    assert "round " not in said and "counting" not in said
    assert calls(drive) == PROCESSES


def test_other_settings_are_refused_and_named(drive: Drive) -> None:
    prepare(drive, 4)
    drive.apart()
    before = drive.raw_file.read_text()
    for changed, part in (
        (
            replace(drive, rounds=1),
            "--rounds was 3, not 1; valid: the same settings, or --overwrite",
        ),
        (
            replace(drive, schedulers=("serial",), seed=8),
            '--schedulers was \\["serial","openmp"\\], not \\["serial"\\]; --seed was 7, not 8;',
        ),
    ):
        with pytest.raises(BadInput, match=part):
            changed.resume()
    lines = drive.lines()
    del lines[0]["settings"]["seed"]
    drive.edit(lines)
    with pytest.raises(BadInput, match="this stealbench cannot continue the interrupted compare"):
        drive.resume()
    assert before != drive.raw_file.read_text()


def test_another_build_is_refused(drive: Drive) -> None:
    prepare(drive, 6)
    drive.apart()
    good = drive.lines()
    for key in "commit compiler build_type flags processor kernel environment".split():
        good[1]["context"] = {key: "abc"}
        drive.edit(good)
        for name in ("serial", "openmp"):
            other = script().replace('"num_cpus":2', f'"num_cpus":2,"{key}":"def"')
            plant(drive.folder, f"stealbench-{name}", other)
        with pytest.raises(
            BadInput, match=f'{key} was "abc" when .* and is "def" now; valid: the same'
        ):
            drive.resume()
        assert len(drive.lines("process")) == 3, "what was measured stays, and nothing is added"


def test_the_host_is_checked_anew_and_the_worse_is_kept(drive: Drive) -> None:
    prepare(drive, 4)
    drive.apart()
    lines = drive.lines()
    worse = {"check": "workers", "status": "warn", "detail": "Long ago."}
    lines[0]["host_checks"] = [worse]
    drive.edit(lines)
    assert drive.resume() == 0
    assert drive.lines("resumed")[0]["host_checks"][0]["detail"] == "Some."
    checks = drive.lines("finished")[0]["host_checks"]
    assert checks[0] == worse
    assert not checks[1]["detail"].startswith("During"), "since it was resumed"
