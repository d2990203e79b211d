"""The checks of the machine, on files that the tests write."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from stealbench.host import (
    Check,
    checks_before,
    processors_during,
    steal_time_between,
    wait_until_calm,
    warnings_in,
)
from stealbench.machine import Machine

Write = Callable[[str, str], None]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_file(path: str, text: str) -> None:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text + "\n")

    return write_file


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    allowed = frozenset(range(4))
    return Machine(tmp_path / "sys", tmp_path / "proc", allowed, 4, lambda seconds: None)


def check(machine: Machine, name: str, workers: int = 1) -> Check:
    return next(each for each in checks_before(workers, machine) if each["check"] == name)


class Usage:
    """While nothing else happens, programs use that many of the four processors: one number for each
    time that is slept, of which the last one stays."""

    def __init__(self, write: Write, *processors: float) -> None:
        self.write, self.processors, self.slept_s = write, list(processors), 0.0
        self.busy = self.idle = 100.0
        self.sleep(0)

    def sleep(self, seconds: float) -> None:
        self.slept_s += seconds
        self.busy += self.processors[0] * 100 * seconds
        self.idle += (4 - self.processors[0]) * 100 * seconds
        if seconds and len(self.processors) > 1:
            self.processors.pop(0)
        # One that no program of ours uses is idle, waits for a disk, or is another guest's.
        part = self.idle / 4
        self.write("proc/stat", f"cpu  {self.busy} 0 0 {2 * part} {part} 0 0 {part}")


def test_what_the_system_does_not_say_is_unknown_and_not_left_out(machine: Machine) -> None:
    checks = checks_before(1, machine)
    names = "governor,turbo,smt,aslr,load,cpu limit,workers,virtual machine,numa,limits,scheduling"
    assert [e["check"] for e in checks] == [*names.split(","), "huge pages", "environment"]
    unknown = [each["check"] for each in checks if each["status"] == "unknown"]
    assert {"governor", "turbo", "smt", "load", "cpu limit", "virtual machine", "numa"} <= {
        *unknown
    }
    assert warnings_in(checks)[-1].endswith("does not report it: " + ", ".join(unknown))


@pytest.mark.parametrize(
    ("name", "file", "disturbed", "good", "detail"),
    [
        (
            "governor",
            "sys/devices/system/cpu/cpu1/cpufreq/scaling_governor",
            "powersave",
            "performance",
            "The frequency governor is performance, powersave. The clock",
        ),
        ("turbo", "sys/devices/system/cpu/cpufreq/boost", "1", "0", "Turbo is on. "),
        ("turbo", "sys/devices/system/cpu/intel_pstate/no_turbo", "0", "1", "Turbo is on. "),
        ("aslr", "proc/sys/kernel/randomize_va_space", "0", "2", "Address space layout random"),
        (
            "load",
            "proc/loadavg",
            "1.25 0.1",
            "0.05 0.1",
            "The load average of the last minute is 1.25. ",
        ),
        ("cpu limit", "sys/fs/cgroup/a/cpu.max", "50000 100000", "max 100000", "A control group "),
        ("virtual machine", "proc/cpuinfo", "flags : fpu hypervisor", "flags : hypervisors", "The"),
        ("numa", "sys/devices/system/node/node1/cpulist", "2-3", "4-7", "The process may use the"),
        (
            "smt",
            "sys/devices/system/cpu/cpu3/topology/thread_siblings_list",
            "2-3",
            "3",
            "The proc",
        ),
        (
            "limits",
            "sys/fs/cgroup/memory.high",
            "1073741824",
            "max",
            "The process may use 1.00 GiB of",
        ),
    ],
)
def test_what_a_file_says_of_a_disturbance_is_a_warning(
    name: str, file: str, disturbed: str, good: str, detail: str, write: Write, machine: Machine
) -> None:
    write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance")
    write("proc/self/cgroup", "0::/a/b")
    write("proc/meminfo", "MemTotal: 8388608 kB")
    write("sys/devices/system/node/node0/cpulist", "0,1")
    for each in range(4):
        write(f"sys/devices/system/cpu/cpu{each}/topology/thread_siblings_list", str(each))
    write(
        "sys/devices/system/cpu/cpu2/topology/thread_siblings_list", "2-3" if name == "smt" else "2"
    )
    write(file, disturbed)
    seen = check(machine, name)
    assert (seen["status"], seen["detail"][: len(detail)]) == ("warn", detail)
    assert seen["detail"].endswith(".") and seen["detail"].count(". ") >= 1, "what to do"
    assert f"Warning: {name}: {seen['detail']}" in warnings_in(checks_before(1, machine))
    if name == "smt":
        write("sys/devices/system/cpu/cpu2/topology/thread_siblings_list", "2")
    write(file, good)
    assert check(machine, name)["status"] == "pass"


def test_a_load_that_has_ended_is_no_warning(write: Write, machine: Machine) -> None:
    write("proc/loadavg", "1.25 0.1 0.1 2/90 1234")
    calm = Usage(write, 0.1)
    seen = check(replace(machine, sleep=calm.sleep), "load")
    sentence = "The load average of the last minute is 1.25, and programs use 0.10 processors now."
    assert (seen["status"], seen["detail"]) == ("pass", sentence)
    assert check(replace(machine, sleep=Usage(write, 0.5).sleep), "load")["status"] == "warn"
    write("proc/loadavg", "0.05")
    assert check(replace(machine, sleep=calm.sleep), "load")["status"] == "pass"
    assert calm.slept_s == 0.2, "a calm minute needs no second look"


@pytest.mark.parametrize(
    ("used", "longest_s", "said"),
    [
        (
            [2, 1, 0.5, 0.25],
            60,
            [
                "Programs use 2.00 processors. Waiting until they stop, 60 s at most",
                "After 0.8 s programs use 0.25 processors: the machine is calm",
            ],
        ),
        ([0.25], 60, ["After 0.2 s programs use 0.25 processors: the machine is calm"]),
        (
            [2],
            1,
            [
                "Programs use 2.00 processors. Waiting until they stop, 1 s at most",
                "After 1.0 s programs use 2.00 processors: measuring all the same",
            ],
        ),
    ],
)
def test_a_wait_ends_when_the_machine_is_calm_or_at_its_limit(
    used: list[float], longest_s: float, said: list[str], write: Write, machine: Machine
) -> None:
    lines: list[str] = []
    one = replace(machine, allowed=frozenset({0}), sleep=Usage(write, *used).sleep)
    wait_until_calm(longest_s, lines.append, one)
    assert lines == said


def test_no_wait_where_the_system_does_not_say(machine: Machine) -> None:
    lines: list[str] = []
    wait_until_calm(60, lines.append, machine)
    assert lines == []


def test_a_limit_of_any_group_above_counts_by_either_version(
    write: Write, machine: Machine
) -> None:
    write("proc/self/cgroup", "0::/a/b")
    write("sys/fs/cgroup/a/b/cpu.max", "max 100000")
    assert check(machine, "cpu limit")["status"] == "pass"
    write("sys/fs/cgroup/a/cpu.max", "50000 100000")
    assert "to 0.5 processors." in check(machine, "cpu limit")["detail"]
    write("proc/self/cgroup", "3:memory:/x\n1:cpu,cpuacct:/job\n7:name=cpu:/two")
    job = "sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_"
    write(job + "period_us", "100000")
    write(job + "quota_us", "-1")
    assert check(machine, "cpu limit")["status"] == "pass"
    write(job + "quota_us", "25000")
    assert "to 0.25 processors." in check(machine, "cpu limit")["detail"]


def test_a_group_whose_folder_has_another_order_limits_too(
    write: Write, machine: Machine, tmp_path: Path
) -> None:
    write("proc/self/cgroup", "5:hugetlb,memory:/job")
    write("proc/meminfo", "MemTotal: 8388608 kB")
    write("sys/fs/cgroup/memory,hugetlb/job/memory.limit_in_bytes", "3000000")
    (tmp_path / "sys/fs/cgroup/memory").symlink_to("memory,hugetlb")
    assert machine.memory_limit() == 3_000_000


def test_workers_have_the_processors_that_affinity_and_groups_leave(
    write: Write, machine: Machine
) -> None:
    assert check(machine, "workers", 4)["status"] == "pass"
    assert check(machine, "workers", 5)["detail"].startswith(
        "A benchmark has up to 5 workers, and the process may use 4 processors. Workers take turns"
    )
    one = replace(machine, allowed=frozenset({2}))
    detail = check(one, "workers", 1)["detail"]
    assert detail == "A benchmark has up to 1 worker, and the process may use 1 of 4 processors."
    assert (one.usable_processors(), machine.usable_processors()) == (1, 4)
    write("proc/self/cgroup", "0::/a")
    for quota, usable in (("150000", 1), ("50000", 1), ("250000", 2), ("max", 4)):
        write("sys/fs/cgroup/a/cpu.max", f"{quota} 100000")
        assert machine.usable_processors() == usable
    assert replace(machine, allowed=frozenset(range(2048))).usable_processors() == 1024


@pytest.mark.parametrize(
    ("shell", "name", "part"),
    [
        ("setarch -R", "aslr", "randomization is off for this process."),
        ("nice -n 1", "scheduling", "the nice value is "),
        ("chrt -b 0", "scheduling", "The scheduling class is batch"),
        ("ulimit -t 1234; exec", "limits", "1234 s of processor time"),
        ("ulimit -d 33554432; exec", "limits", "34359738368 bytes of data"),
        ("env GOGC=off", "environment", "GOGC=off"),
    ],
)
def test_the_process_itself_is_looked_at(shell: str, name: str, part: str) -> None:
    program = (
        "from stealbench.host import checks_before\n"
        f"print(next(e for e in checks_before(1) if e['check'] == {name!r}))"
    )
    command = ["/bin/sh", "-c", f'{shell} "$@"', "sh", sys.executable, "-c", program]
    seen = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "'status': 'warn'" in seen and part in seen


def test_time_that_other_guests_had_is_a_warning(write: Write, machine: Machine) -> None:
    def ticks(text: str) -> object:
        write("proc/stat", "cpu  " + text)
        return machine.ticks()

    ticks("100 0 100 780 0 0 0 20 0 0")
    before = machine.ticks()
    for text, status in (
        ("200 0 100 1679 0 0 0 21 0 0", "pass"),
        ("200 0 100 1678 0 0 0 22 0 0", "warn"),
    ):
        ticks(text)
        assert steal_time_between(before, machine.ticks())["status"] == status
    ticks("200 0 100 1580 0 0 0 120 50 0")
    after = machine.ticks()
    detail = steal_time_between(before, after)["detail"]
    assert detail.startswith("During the measurement 10.00 % of the processors' time was stolen")
    resumed = steal_time_between(before, after, is_resumed=True)["detail"]
    assert resumed.startswith("Since the measurement was resumed 10.00 %")
    assert steal_time_between(before, before)["status"] == "unknown", "no time has passed"
    assert steal_time_between(None, after)["status"] == "unknown"


def test_benchmarks_that_waited_for_a_processor_are_a_warning() -> None:
    assert processors_during(None)["status"] == "unknown"
    assert processors_during([])["status"] == "pass"
    assert processors_during(["a"])["detail"].startswith(
        "1 benchmark waited for a processor for more than a tenth of the workers' time: a. Other"
    )
    assert ": a, b, c and 2 more." in processors_during(list("abcde"))["detail"]
