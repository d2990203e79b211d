"""What of this machine may disturb a measurement, looked at before it begins and after it."""

from __future__ import annotations

import functools
import os
import resource
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from stealbench.cell import Cell
from stealbench.inherited import drop_variables_that_bind, environment_of_runtimes
from stealbench.machine import Machine, first_line, shares_between
from stealbench.progress import say
from stealbench.rawfile import LEAST_DISTURBED, MOST_WAITING, RawFile
from stealbench.report.format import bytes_, counted, joined

Check = dict[str, str]  # As a raw file has it: `check`, `status` and `detail`.
Row = tuple[str, bool | None, object]  # A check, as _graded takes it.
_MOST_WHEN_CALM = 0.5  # Of the load average, and of the processors that programs use.
_WINDOW_S = 0.2
_MOST_STOLEN = 0.001  # Of the processors' time.
_ADDR_NO_RANDOMIZE = 0x0040000
_LIMITS = {
    resource.RLIMIT_CPU: "s of processor time",
    resource.RLIMIT_AS: "bytes of address space",
    resource.RLIMIT_DATA: "bytes of data",
}
_CLASSES = ("other", "FIFO", "round-robin", "batch", "", "idle", "deadline")


@functools.cache
def _texts() -> dict[str, dict[str, str]]:
    return tomllib.loads(Path(__file__).with_name("host_advice.toml").read_text(encoding="utf-8"))


def _graded(check: str, is_good: bool | None, seen: object = "") -> Check:
    """`is_good`: None where the system is silent; `seen`: for the texts of host_advice.toml."""
    status = "unknown" if is_good is None else "pass" if is_good else "warn"
    detail = "The operating system does not report this."
    if is_good is not None:
        detail = _texts()[check][status].format(seen)
    return {"check": check, "status": status, "detail": detail}


def _of_processors(machine: Machine, most_workers: int) -> Iterator[Row]:
    cpu = machine.sys / "devices/system/cpu"
    governors = map(first_line, cpu.glob("cpu*/cpufreq/scaling_governor"))
    words = sorted({word for word in governors if word is not None})
    yield "governor", words == ["performance"] if words else None, ", ".join(words)
    no_turbo, boost = first_line(cpu / "intel_pstate/no_turbo"), first_line(cpu / "cpufreq/boost")
    is_off = no_turbo == "1" if no_turbo is not None else None if boost is None else boost == "0"
    yield "turbo", is_off, ""
    cores, threads = machine.cores(), len(machine.allowed)
    used = f"{counted(threads, 'hardware thread')} of {counted(cores, 'core')}"
    yield "smt", threads <= cores if cores else None, used
    word = first_line(machine.proc / "sys/kernel/randomize_va_space")
    own = first_line(machine.proc / "self/personality") or "0"  # Of what it starts too.
    if int(own, 16) & _ADDR_NO_RANDOMIZE:
        yield "aslr", False, " for this process"
    else:
        yield "aslr", None if word is None else word != "0", ""
    average = os.getloadavg()[0]
    # It falls slowly: programs that have ended, such as a compiler, do not disturb.
    busy = None if average < _MOST_WHEN_CALM else machine.busy_processors(_WINDOW_S)
    now = "" if busy is None else f", and programs use {busy:.2f} processors now"
    yield "load", (average if busy is None else busy) < _MOST_WHEN_CALM, f"{average:.2f}{now}"
    quota = machine.processor_quota()
    has_groups = first_line(machine.proc / "self/cgroup", "0::/") is not None  # Of version 2.
    is_enough = quota is None or quota >= len(machine.allowed)
    yield "cpu limit", is_enough if has_groups else None, f"{quota or 0:g}"
    usable = machine.processors()
    every = f" of {machine.installed}" if machine.installed > usable else ""
    noun = "processor" if usable == 1 and not every else "processors"
    workers = f"{counted(most_workers, 'worker')}, and the process may use {usable:g}{every} {noun}"
    yield "workers", most_workers <= usable, workers
    cpuinfo = machine.proc / "cpuinfo"
    flags = first_line(cpuinfo, "flags") or first_line(cpuinfo, "Features")
    yield "virtual machine", None if flags is None else "hypervisor" not in flags.split(), ""
    nodes = machine.memory_nodes()
    yield "numa", nodes == 1 if nodes else None, nodes


def _of_process(machine: Machine) -> Iterator[Row]:
    memory = machine.memory_limit()
    limits = [] if memory is None else [f"{bytes_(memory)} of memory"]
    for which, unit in _LIMITS.items():
        if (limit := resource.getrlimit(which)[0]) != resource.RLIM_INFINITY:
            limits.append(f"{limit} {unit}")
    yield "limits", not limits, ", ".join(limits)
    own = os.sched_getscheduler(0) & ~os.SCHED_RESET_ON_FORK
    nice = os.getpriority(os.PRIO_PROCESS, 0)
    name = _CLASSES[own] if own < len(_CLASSES) else "unknown"
    is_usual = own == os.SCHED_OTHER and nice == 0
    yield "scheduling", is_usual, f"{name}, and the nice value is {nice}"
    variables = environment_of_runtimes()
    yield "environment", variables == "none", variables


def checks_before(most_workers: int, machine: Machine | None = None) -> list[Check]:
    """All checks but those below, in a fixed order; none is ever left out."""
    own = machine or Machine()
    return [_graded(*row) for row in (*_of_processors(own, most_workers), *_of_process(own))]


def check_host(measured: Sequence[Cell], is_pinned: bool) -> list[Check]:
    """Before these cells are measured, if any: where all are simulated, there is no check."""
    if not measured:
        return []
    for name in drop_variables_that_bind() if is_pinned else []:
        say(f"{name} is not passed on to benchmarks, because of --pin")
    checks = checks_before(max(cell.workers for cell in measured))
    say_warnings(checks)
    return checks


def steal_time_between(before: Any, after: Any) -> Check:
    """Whether another guest had the processors between two readings of `ticks`."""
    if (shares := shares_between(before, after)) is None:
        return _graded("steal time", None)
    return _graded("steal time", shares[0] <= _MOST_STOLEN, f"{100 * shares[0]:.2f}")


def lost_processor(sample: Mapping[str, float]) -> bool:
    """Whether its threads were ready and waited for a processor for more than a tenth of its
    workers' time. False where the system does not say."""
    return sample.get("waiting_threads", 0.0) > MOST_WAITING * sample["worker_count"]


def processors_during(raw: RawFile) -> Check:
    """Whether benchmarks had all the processors that they wanted."""
    rows = [row for row in raw.processes if "waiting_threads" in row]
    count = Counter(row["cell"] for row in rows if lost_processor(row))
    sound = (name for name in count if name not in raw.failures)
    lost = [name for name in sound if count[name] / raw.rounds[name] >= LEAST_DISTURBED]
    waited = "waited for a processor for more than a tenth of the workers' time"
    sentence = f"{counted(len(lost), 'benchmark')} {waited}: {joined(lost, 3)}" if lost else ""
    return _graded("processors", not lost if rows else None, sentence)


def say_warnings(checks: Sequence[Check]) -> None:
    """A line for each warning among the checks, and one that names what is unknown."""
    for check in (check for check in checks if check["status"] == "warn"):
        say(f"Warning: {check['check']}: {check['detail']}")
    if unknown := [check["check"] for check in checks if check["status"] == "unknown"]:
        said = "Not checked, because the operating system does not report it"
        say(f"{said}: {', '.join(unknown)}")


def wait_until_calm(
    longest_s: float, say: Callable[[str], None], machine: Machine | None = None
) -> None:
    """Waits until programs use less than half a processor, but not for longer than `longest_s`, and
    says so. Not where the system does not say."""
    own, looks = machine or Machine(), 0
    while (busy := own.busy_processors(_WINDOW_S)) is not None:
        looks += 1
        is_calm = busy < _MOST_WHEN_CALM
        if is_calm or looks * _WINDOW_S > longest_s - 1e-9:
            end = "the machine is calm" if is_calm else "measuring all the same"
            say(f"After {looks * _WINDOW_S:.1f} s programs use {busy:.2f} processors: {end}")
            return
        if looks == 1:
            use = f"Programs use {busy:.2f} processors"
            say(f"{use}. Waiting until they stop, {longest_s:g} s at most")
