"""What of this machine may disturb a measurement, looked at before it begins and after it."""

from __future__ import annotations

import functools
import os
import resource
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from stealbench.cell import Cell
from stealbench.inherited import control_process, drop_variables_that_bind, environment_of_runtimes
from stealbench.machine import Machine, first_line, shares_between
from stealbench.progress import say
from stealbench.report.format import bytes_, counted, joined

Check = dict[str, str]  # As a raw file has it: `check`, `status` and `detail`.
Look = tuple[str, bool | None, str]  # A check, as _graded takes it.
_MOST_WHEN_CALM = 0.5  # Of the load average, and of the processors that programs use.
_WINDOW_S = 0.2
_MOST_STOLEN = 0.001  # Of the processors' time.
_MOST_NAMED = 3
_ADDR_NO_RANDOMIZE = 0x0040000
_PR_GET_THP_DISABLE = 42
_LIMITS = {
    resource.RLIMIT_CPU: "s of processor time",
    resource.RLIMIT_AS: "bytes of address space",
    resource.RLIMIT_DATA: "bytes of data",
}
_CLASSES = ("other", "FIFO", "round-robin", "batch", "", "idle", "deadline")


@functools.cache
def _advice() -> dict[str, str]:
    """Of each check that is not good: why it matters, and what to do."""
    return tomllib.loads(Path(__file__).with_name("host_advice.toml").read_text(encoding="utf-8"))


def _graded(check: str, is_good: bool | None, sentence: str) -> Check:
    """`is_good`: None where the system is silent."""
    if is_good is None:
        detail = "The operating system does not report this."
        return {"check": check, "status": "unknown", "detail": detail}
    detail = sentence if is_good else f"{sentence} {_advice()[check]}"
    return {"check": check, "status": "pass" if is_good else "warn", "detail": detail}


def _clocks_and_memory_layout(machine: Machine) -> Iterator[Look]:
    cpu = machine.sys / "devices/system/cpu"
    governors = map(first_line, cpu.glob("cpu*/cpufreq/scaling_governor"))
    words = sorted({word for word in governors if word is not None})
    is_fixed = words == ["performance"] if words else None
    yield "governor", is_fixed, f"The frequency governor is {', '.join(words)}."
    no_turbo, boost = first_line(cpu / "intel_pstate/no_turbo"), first_line(cpu / "cpufreq/boost")
    is_off = no_turbo == "1" if no_turbo is not None else None if boost is None else boost == "0"
    yield "turbo", is_off, f"Turbo is {'off' if is_off else 'on'}."
    cores, threads = machine.cores(), len(machine.allowed)
    used = f"{counted(threads, 'hardware thread')} of {counted(cores, 'core')}"
    yield "smt", threads <= cores if cores else None, f"The process may use {used}."
    # Off is what needs a warning: each process has a layout of its own, so a lucky one shows as
    # spread; without, one layout would favour a scheduler in every round (Mytkowicz et al., ASPLOS
    # 2009).
    import ctypes

    own = int(ctypes.CDLL(None).personality(0xFFFFFFFF))  # Of what it starts too; no change.
    word = first_line(machine.proc / "sys/kernel/randomize_va_space")
    is_on, whose = None if word is None else word != "0", ""
    if own > 0 and own & _ADDR_NO_RANDOMIZE:
        is_on, whose = False, " for this process"
    yield "aslr", is_on, f"Address space layout randomization is {'on' if is_on else 'off'}{whose}."


def _processors(machine: Machine, most_workers: int) -> Iterator[Look]:
    average = os.getloadavg()[0]
    sentence = f"The load average of the last minute is {average:.2f}"
    # It falls slowly: programs that have ended, such as a compiler, do not disturb.
    busy = None if average < _MOST_WHEN_CALM else machine.busy_processors(_WINDOW_S)
    if busy is not None:
        sentence += f", and programs use {busy:.2f} processors now"
    yield "load", (average if busy is None else busy) < _MOST_WHEN_CALM, f"{sentence}."
    quota, sentence = machine.processor_quota(), "No control group limits the processor time."
    if quota is not None:
        sentence = f"A control group limits the process to {quota:g} processors."
    has_groups = (machine.proc / "self/cgroup").exists()
    is_enough = quota is None or quota >= len(machine.allowed)
    yield "cpu limit", is_enough if has_groups else None, sentence
    usable = machine.processors()
    every = f" of {machine.installed}" if machine.installed > usable else ""
    noun = "processor" if usable == 1 and not every else "processors"
    workers = counted(most_workers, "worker")
    sentence = f"A benchmark has up to {workers}, and the process may use {usable:g}{every} {noun}."
    yield "workers", most_workers <= usable, sentence
    cpuinfo = machine.proc / "cpuinfo"
    flags = first_line(cpuinfo, "flags") or first_line(cpuinfo, "Features")
    is_guest = "hypervisor" in (flags or "").split()
    sentence = f"The machine is {'' if is_guest else 'not '}a virtual machine."
    yield "virtual machine", None if flags is None else not is_guest, sentence
    nodes = machine.memory_nodes()
    sentence = f"The process may use the processors of {counted(nodes, 'memory node')}."
    yield "numa", nodes == 1 if nodes else None, sentence


def _process(machine: Machine) -> Iterator[Look]:
    memory = machine.memory_limit()
    limits = [] if memory is None else [f"{bytes_(memory)} of memory"]
    for which, unit in _LIMITS.items():
        if (limit := resource.getrlimit(which)[0]) != resource.RLIM_INFINITY:
            limits.append(f"{limit} {unit}")
    sentence = "Nothing limits its memory and its processor time."
    yield "limits", not limits, f"The process may use {', '.join(limits)}." if limits else sentence
    own = os.sched_getscheduler(0) & ~os.SCHED_RESET_ON_FORK
    nice = os.getpriority(os.PRIO_PROCESS, 0)
    name = _CLASSES[own] if own < len(_CLASSES) else "unknown"
    sentence = f"The scheduling class is {name}, and the nice value is {nice}."
    yield "scheduling", own == os.SCHED_OTHER and nice == 0, sentence
    modes = first_line(machine.sys / "kernel/mm/transparent_hugepage/enabled")
    is_off = "[never]" not in (modes or "") and control_process(_PR_GET_THP_DISABLE) > 0
    sentence = f"Transparent huge pages: {modes}{', but off for this process' if is_off else ''}."
    yield "huge pages", None if modes is None else not is_off, sentence
    variables = environment_of_runtimes()
    sentence = f"Variables of runtimes, the allocator and the dynamic linker: {variables}."
    yield "environment", variables == "none", sentence


def checks_before(most_workers: int, machine: Machine | None = None) -> list[Check]:
    """All checks but those below, in a fixed order; none is ever left out. Takes a fifth of a second
    on a machine that was busy in the last minute."""
    own = machine or Machine()
    looks = _clocks_and_memory_layout(own), _processors(own, most_workers), _process(own)
    return [_graded(*look) for group in looks for look in group]


def check_host(measured: Sequence[Cell], is_pinned: bool) -> list[Check]:
    """Before these cells are measured; none are, where all are simulated: then there is no check."""
    if not measured:
        return []
    for name in drop_variables_that_bind() if is_pinned else []:
        say(f"{name} is not passed on to benchmarks, because of --pin")
    return checks_before(max(cell.workers for cell in measured))


def steal_time_between(before: Any, after: Any, is_resumed: bool = False) -> Check:
    """Whether another guest had the processors between two readings of `ticks`; of a resumed
    experiment, only since the resumption."""
    if (shares := shares_between(before, after)) is None:
        return _graded("steal time", None, "")
    when = "Since the measurement was resumed" if is_resumed else "During the measurement"
    stolen = f"{100 * shares.stolen:.2f} % of the processors' time was stolen by the hypervisor."
    return _graded("steal time", shares.stolen <= _MOST_STOLEN, f"{when} {stolen}")


def processors_during(lost: Sequence[str] | None) -> Check:
    """Whether benchmarks had all the processors that they wanted: the names of those that had not;
    None where the system does not say."""
    waited = "waited for a processor for more than a tenth of"
    sentence = f"No benchmark {waited} its workers' time."
    if lost:
        names = joined(lost, _MOST_NAMED)
        sentence = f"{counted(len(lost), 'benchmark')} {waited} the workers' time: {names}."
    return _graded("processors", None if lost is None else not lost, sentence)


def warnings_in(checks: Sequence[Check]) -> list[str]:
    """A line for each warning among the checks, and one that names what is unknown."""
    lines = [f"Warning: {c['check']}: {c['detail']}" for c in checks if c["status"] == "warn"]
    unknown = ", ".join(check["check"] for check in checks if check["status"] == "unknown")
    if unknown:
        lines.append(f"Not checked, because the operating system does not report it: {unknown}")
    return lines


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
