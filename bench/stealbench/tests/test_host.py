"""The checks of the machine, on files that the tests write."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import namedtuple
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from stealbench.cell import Cell
from stealbench.host import Check, check_host, checks_before
from stealbench.host import say_warnings, steal_time_between, wait_until_calm
from stealbench.machine import Machine
from stealbench.tests.planted import rows

psutil = pytest.importorskip("psutil")
Times = namedtuple("Times", "user nice system idle iowait irq softirq steal guest guest_nice")
Write = Callable[[str], None]
Patch = pytest.MonkeyPatch
SHORT = {"CPU": "sys/devices/system/cpu", "GROUPS": "sys/fs/cgroup", "OWN": "proc/self/cgroup"}


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Files as `PATH=TEXT; PATH=TEXT`."""

    def write_files(files: str) -> None:
        for path, _, text in (file.rpartition("=") for file in files.split("; ")):
            first, _, rest = path.partition("/")
            file = tmp_path / SHORT.get(first, first) / rest
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{text}\n")

    return write_files


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: Patch) -> Machine:
    """A calm one with four processors, whose files say nothing."""
    monkeypatch.setattr(os, "getloadavg", lambda: (0.05, 0, 0))
    monkeypatch.setattr(psutil, "cpu_times", lambda: Times(*[0] * 10))
    allowed = frozenset(range(4))
    return Machine(tmp_path / "sys", tmp_path / "proc", allowed, 4, lambda seconds: None)


def check(machine: Machine, name: str, workers: int = 1) -> Check:
    return next(each for each in checks_before(workers, machine) if each["check"] == name)


def using(machine: Machine, monkeypatch: Patch, *processors: float) -> Machine:
    """While it sleeps, programs use that many of its processors: one number for each sleep, of which
    the last one stays."""
    left, spent = list(processors), [0.0] * 10

    def sleep(seconds: float) -> None:
        busy = left.pop(0) if len(left) > 1 else left[0]
        spent[0] += busy * seconds
        for index in (3, 4, 7):  # Idle, waits for a disk, or is another guest's.
            spent[index] += (4 - busy) / 3 * seconds

    monkeypatch.setattr(psutil, "cpu_times", lambda: Times(*spent))
    return replace(machine, sleep=sleep)


def test_what_the_system_does_not_say_is_unknown_and_not_left_out(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    checks = checks_before(1, machine)
    names = "governor,turbo,smt,aslr,load,cpu limit,workers,virtual machine,numa,limits,scheduling"
    assert [e["check"] for e in checks] == [*names.split(","), "environment"]
    unknown = [each["check"] for each in checks if each["status"] == "unknown"]
    assert {"governor", "turbo", "smt", "cpu limit", "virtual machine", "numa"} <= {*unknown}
    say_warnings([*checks, {"check": "a", "status": "warn", "detail": "b."}])
    said = capsys.readouterr().err
    assert "\nWarning: a: b.\n" in f"\n{said}"
    assert said.endswith(f"does not report it: {', '.join(unknown)}\n")


FILES = """
governor | CPU/cpu1/cpufreq/scaling_governor | powersave | performance | is performance, powersave
turbo    | CPU/cpufreq/boost                 | 1         | 0           | Turbo is on. The clock
turbo    | CPU/intel_pstate/no_turbo         | 0         | 1           | Turbo is on. The clock
smt      | CPU/cpu2/topology/thread_siblings_list | 3 | 2 | may use 4 hardware threads of 3 cores.
aslr     | proc/sys/kernel/randomize_va_space | 0    | 2           | layout randomization is off. All
cpu limit | GROUPS/a/cpu.max                 | 50000 100000 | max 100000 | the process to 0.5 processors.
cpu limit | GROUPS/cpu.max                   | 75000 100000 | max 1 | the process to 0.75 processors.
cpu limit | GROUPS/a/b/cpu.max               | 200000 100000 | 400000 100000 | to 2 processors.
virtual machine | proc/cpuinfo               | flags : fpu hypervisor | flags : hypervisors | is a virtual
limits   | GROUPS/memory.high                | 1048576   | max         | may use 1.00 MiB of memory. A
numa     | CPU/cpu3/node1/cpulist            | 3         |             | of 2 memory nodes. A worker
"""


@pytest.mark.parametrize(("name", "file", "disturbed", "good", "detail"), rows(FILES))
def test_what_a_file_says_of_a_disturbance_is_a_warning(
    name: str, file: str, disturbed: str, good: str, detail: str, write: Write, machine: Machine
) -> None:
    write("CPU/cpu0/cpufreq/scaling_governor=performance; OWN=0::/a/b")
    for number in range(4):
        write(f"CPU/cpu{number}/topology/thread_siblings_list={number}")
        write(f"CPU/cpu{number}/node0/cpulist=")
    write(f"CPU/cpu9/node9/cpulist={disturbed}; {file}={disturbed}")  # It may not use that one.
    seen = check(machine, name)
    assert seen["status"] == "warn" and detail in seen["detail"]
    assert seen["detail"].endswith(".") and seen["detail"].count(". ") >= 1, "what to do"
    if good:
        write(f"{file}={good}")
        assert check(machine, name)["status"] == "pass"


def test_a_load_that_has_ended_is_no_warning(machine: Machine, monkeypatch: Patch) -> None:
    monkeypatch.setattr(os, "getloadavg", lambda: (1.25, 0, 0))
    for busy, status in ((0.1, "pass"), (0.5, "warn")):
        seen = check(using(machine, monkeypatch, busy), "load")
        assert seen["status"] == status
        assert f"minute is 1.25, and programs use {busy:.2f} processors now." in seen["detail"]


WAIT = "Programs use 2.00 processors. Waiting until they stop, {} s at most"
CALM = "After {} s programs use 0.25 processors: the machine is calm"
BUSY = "After 1.0 s programs use 2.00 processors: measuring all the same"


@pytest.mark.parametrize(
    ("used", "longest_s", "said"),
    [
        ([2, 1, 0.5, 0.25], 60, [WAIT.format(60), CALM.format(0.8)]),
        ([0.25], 60, [CALM.format(0.2)]),
        ([2], 1, [WAIT.format(1), BUSY]),
        ([], 60, []),  # Where the system does not say.
    ],
)
def test_a_wait_ends_when_the_machine_is_calm_or_at_its_limit(
    used: list[float], longest_s: float, said: list[str], machine: Machine, monkeypatch: Patch
) -> None:
    lines: list[str] = []
    own = using(machine, monkeypatch, *used) if used else machine
    wait_until_calm(longest_s, lines.append, replace(own, allowed=frozenset({0})))
    assert lines == said


def test_workers_have_the_processors_that_affinity_and_groups_leave(
    write: Write, machine: Machine
) -> None:
    assert check(machine, "workers", 4)["status"] == "pass"
    sentence = "A benchmark has up to 5 workers, and the process may use 4 processors. Workers take"
    assert check(machine, "workers", 5)["detail"].startswith(sentence)
    one = replace(machine, allowed=frozenset({2}))
    detail = "A benchmark has up to 1 worker, and the process may use 1 of 4 processors."
    assert check(one, "workers")["detail"] == detail
    assert (one.usable_processors(), machine.usable_processors()) == (1, 4)
    for quota, usable in (("150000", 1), ("50000", 1), ("250000", 2), ("max", 4)):
        write(f"OWN=0::/a; GROUPS/a/cpu.max={quota} 100000")
        assert machine.usable_processors() == usable
    assert replace(machine, allowed=frozenset(range(2048))).usable_processors() == 1024


PROCESSES = """
setarch -R              | aslr        | randomization is off for this process.
nice -n 1               | scheduling  | the nice value is
chrt -b 0               | scheduling  | The scheduling class is batch
ulimit -t 1234; exec    | limits      | 1234 s of processor time
ulimit -d 33554432; exec | limits     | 34359738368 bytes of data
env GOGC=off            | environment | GOGC=off
"""


@pytest.mark.parametrize(("shell", "name", "part"), rows(PROCESSES))
def test_the_process_itself_is_looked_at(shell: str, name: str, part: str) -> None:
    program = (
        "from stealbench.host import checks_before\n"
        f"print(next(e for e in checks_before(1) if e['check'] == {name!r}))"
    )
    command = ["/bin/sh", "-c", f'{shell} "$@"', "sh", sys.executable, "-c", program]
    seen = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "'status': 'warn'" in seen and part in seen


def test_what_binds_threads_is_dropped_beside_pin(
    monkeypatch: Patch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OMP_PLACES", "cores")
    checks = check_host([Cell("fib", (), "serial", 1), Cell("fib", (), "serial", 999)], False)
    assert "up to 999 workers" in next(e["detail"] for e in checks if e["check"] == "workers")
    assert "Warning: workers: A benchmark has up to 999 workers" in capsys.readouterr().err
    assert (check_host([], True), capsys.readouterr().err) == ([], "")
    check_host([Cell("fib", (), "serial")], True)
    assert capsys.readouterr().err.startswith("OMP_PLACES is not passed on to benchmarks, because")


@pytest.mark.parametrize(
    ("stolen", "guest", "status", "part"),
    [(1, 0, "pass", "0.10 %"), (2, 0, "warn", "0.20 %"), (100, 50, "warn", "10.00 %")],
)
def test_time_that_other_guests_had_is_a_warning(
    stolen: int, guest: int, status: str, part: str
) -> None:
    before = Times(100, 0, 100, 700, 80, 0, 0, 20, 0, 0)
    after = Times(200, 0, 100, 1600 - stolen, 80, 0, 0, 20 + stolen, guest, 0)
    seen = steal_time_between(before, after)
    assert seen["status"] == status and seen["detail"].startswith(f"{part} of the processors' time")
    assert steal_time_between(before, before)["status"] == "unknown", "no time has passed"
    assert steal_time_between(None, after)["status"] == "unknown"


@pytest.mark.parametrize(
    "text, name",
    [
        ("cpu family\t: 26\nmodel\t\t: 2\nmodel name\t: Z80", "Z80 (family 26, model 2)"),
        ("model name\t: Z80", "Z80"),
        ("", "unknown"),
    ],
)
def test_a_processor_is_named_by_its_family_too(
    machine: Machine, write: Write, text: str, name: str
) -> None:
    write(f"proc/cpuinfo={text}")
    assert machine.processor() == name
