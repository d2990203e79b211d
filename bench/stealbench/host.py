"""What of this machine may disturb a measurement, looked at before it begins and after it."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from stealbench.inherited import control_process, environment_of_runtimes
from stealbench.machine import Machine, Ticks, first_line, number_in
from stealbench.report.format import bytes_, counted, joined

Check = dict[str, str]  # As a raw file has it: `check`, `status` and `detail`.
_MOST_WHEN_CALM = 0.5  # Of the load average, and of the processors that programs use.
_WINDOW_S = 0.2
_MOST_STOLEN = 0.001  # Of the processors' time.
_MOST_NAMED = 3
_ADDR_NO_RANDOMIZE = 0x0040000
_PR_GET_THP_DISABLE = 42
_CLASSES = ("other", "FIFO", "round-robin", "batch", "", "idle", "deadline")
_UNKNOWN = "The operating system does not report this."


@dataclass(frozen=True)
class _Finding:
    """What was found, in a sentence."""

    is_good: bool
    sentence: str


_Look = Callable[[Machine, int], _Finding | None]  # None where the system does not say.


def _graded(check: str, finding: _Finding | None, advice: str) -> Check:
    if finding is None:
        return {"check": check, "status": "unknown", "detail": _UNKNOWN}
    if finding.is_good:
        return {"check": check, "status": "pass", "detail": finding.sentence}
    return {"check": check, "status": "warn", "detail": f"{finding.sentence} {advice}"}


def _governor(machine: Machine, _: int) -> _Finding | None:
    folders = (machine.sys / "devices/system/cpu").glob("cpu*/cpufreq/scaling_governor")
    words = sorted({word for file in folders if (word := first_line(file)) is not None})
    if not words:
        return None
    return _Finding(words == ["performance"], f"The frequency governor is {', '.join(words)}.")


def _is_off(what: str, file: Path, off: str) -> _Finding | None:
    word = first_line(file)
    return (
        None
        if word is None
        else _Finding(word == off, f"{what} is {'off' if word == off else 'on'}.")
    )


def _turbo(machine: Machine, _: int) -> _Finding | None:
    cpu = machine.sys / "devices/system/cpu"
    by_intel = _is_off("Turbo", cpu / "intel_pstate/no_turbo", "1")
    return by_intel or _is_off("Turbo", cpu / "cpufreq/boost", "0")


def _threads_of_cores(machine: Machine, _: int) -> _Finding | None:
    cores, threads = machine.cores(), len(machine.allowed)
    if cores == 0:
        return None
    what = f"{counted(threads, 'hardware thread')} of {counted(cores, 'core')}"
    return _Finding(threads <= cores, f"The process may use {what}.")


def _address_layout(machine: Machine, _: int) -> _Finding | None:
    """Off is what needs a warning: each process has a layout of its own, so a lucky one shows as
    spread; without, one layout would favour a scheduler in every round (Mytkowicz et al., ASPLOS
    2009)."""
    import ctypes

    what = "Address space layout randomization"
    own = int(ctypes.CDLL(None).personality(0xFFFFFFFF))  # Of what it starts too; no change.
    if own > 0 and own & _ADDR_NO_RANDOMIZE:
        return _Finding(False, f"{what} is off for this process.")
    seen = _is_off(what, machine.proc / "sys/kernel/randomize_va_space", "0")
    return None if seen is None else _Finding(not seen.is_good, seen.sentence)


def _load(machine: Machine, _: int) -> _Finding | None:
    """The average is of a minute, and falls slowly: programs that have ended, such as a compiler, do
    not disturb."""
    average = number_in(machine.proc / "loadavg")
    if average is None:
        return None
    sentence = f"The load average of the last minute is {average:.2f}"
    if average < _MOST_WHEN_CALM:
        return _Finding(True, sentence + ".")
    busy = machine.busy_processors(_WINDOW_S)
    if busy is None:
        return _Finding(False, sentence + ".")
    is_calm = busy < _MOST_WHEN_CALM
    return _Finding(is_calm, f"{sentence}, and programs use {busy:.2f} processors now.")


def _processor_limit(machine: Machine, _: int) -> _Finding | None:
    if first_line(machine.proc / "self/cgroup") is None:
        return None
    least = machine.processor_quota()
    if least is None:
        return _Finding(True, "No control group limits the processor time.")
    is_enough = least >= len(machine.allowed)
    return _Finding(is_enough, f"A control group limits the process to {least:g} processors.")


def _worker_count(machine: Machine, most_workers: int) -> _Finding | None:
    usable = machine.processors()
    every = f" of {machine.installed}" if machine.installed > usable else ""
    noun = "processor" if usable == 1 and not every else "processors"
    workers = counted(most_workers, "worker")
    sentence = f"A benchmark has up to {workers}, and the process may use {usable:g}{every} {noun}."
    return _Finding(most_workers <= usable, sentence)


def _virtual_machine(machine: Machine, _: int) -> _Finding | None:
    cpuinfo = machine.proc / "cpuinfo"
    flags = first_line(cpuinfo, "flags") or first_line(cpuinfo, "Features")
    if flags is None:
        return None
    is_guest = "hypervisor" in flags.split()
    return _Finding(not is_guest, f"The machine is {'' if is_guest else 'not '}a virtual machine.")


def _memory_nodes(machine: Machine, _: int) -> _Finding | None:
    nodes = machine.memory_nodes()
    if nodes == 0:
        return None
    sentence = f"The process may use the processors of {counted(nodes, 'memory node')}."
    return _Finding(nodes == 1, sentence)


def _limits(machine: Machine, _: int) -> _Finding | None:
    limits = []
    if (most := machine.memory_limit()) is not None:
        limits.append(f"{bytes_(most)} of memory")
    for which, unit in (
        (resource.RLIMIT_CPU, "s of processor time"),
        (resource.RLIMIT_AS, "bytes of address space"),
        (resource.RLIMIT_DATA, "bytes of data"),
    ):
        limit = resource.getrlimit(which)[0]
        if limit != resource.RLIM_INFINITY:
            limits.append(f"{limit} {unit}")
    if not limits:
        return _Finding(True, "Nothing limits its memory and its processor time.")
    return _Finding(False, f"The process may use {', '.join(limits)}.")


def _scheduling(_: Machine, __: int) -> _Finding | None:
    own = os.sched_getscheduler(0) & ~os.SCHED_RESET_ON_FORK
    nice = os.getpriority(os.PRIO_PROCESS, 0)
    name = _CLASSES[own] if own < len(_CLASSES) else "unknown"
    sentence = f"The scheduling class is {name}, and the nice value is {nice}."
    return _Finding(own == os.SCHED_OTHER and nice == 0, sentence)


def _huge_pages(machine: Machine, _: int) -> _Finding | None:
    modes = first_line(machine.sys / "kernel/mm/transparent_hugepage/enabled")
    if modes is None:
        return None
    is_off = "[never]" not in modes and control_process(_PR_GET_THP_DISABLE) > 0
    off = ", but off for this process" if is_off else ""
    return _Finding(not is_off, f"Transparent huge pages: {modes}{off}.")


def _environment(_: Machine, __: int) -> _Finding | None:
    known = environment_of_runtimes()
    sentence = f"Variables of runtimes, the allocator and the dynamic linker: {known}."
    return _Finding(known == "none", sentence)


# What is looked at, in the order of the checks.
_LOOKS: dict[str, _Look] = {
    "governor": _governor,
    "turbo": _turbo,
    "smt": _threads_of_cores,
    "aslr": _address_layout,
    "load": _load,
    "cpu limit": _processor_limit,
    "workers": _worker_count,
    "virtual machine": _virtual_machine,
    "numa": _memory_nodes,
    "limits": _limits,
    "scheduling": _scheduling,
    "huge pages": _huge_pages,
    "environment": _environment,
}
# Of what is not good: why it matters and what to do.
_ADVICE = {
    "governor": "The clock frequency follows the load, so times vary. Set the governor of every processor "
    "to performance.",
    "turbo": "The clock frequency depends on the temperature and on how many processors work, so times "
    "vary. Turn turbo off in the firmware or in /sys.",
    "smt": "Two workers may share a core, which slows both. Use --pin and no more workers than "
    "cores, or turn SMT off: write off to /sys/devices/system/cpu/smt/control.",
    "aslr": "All rounds have the same memory layout, a bias that no interval shows. Turn it on: write "
    "2 to /proc/sys/kernel/randomize_va_space, and start without setarch -R.",
    "load": "Other programs use the processors, which makes times longer. Stop them, or wait for them "
    "with --calm.",
    "cpu limit": "All workers stop when the limit is used up. Raise the limit to the number of processors, "
    "or run outside the control group.",
    "workers": "Workers take turns on a processor, so times are longer and vary. Use no more workers "
    "than processors, unless that is what you measure, or allow the process more of them "
    "(taskset, cpuset, cpu.max).",
    "virtual machine": "Other guests may share its processors and caches, so times vary. Repeat important "
    "measurements on a physical machine.",
    "numa": "A worker may be far from its memory, so times vary. Bind the run to one node, for "
    "example with numactl --cpunodebind=0 --membind=0.",
    "limits": "A benchmark that needs more is slowed down or does not finish. Raise the limit (ulimit, "
    "control group).",
    "scheduling": "Times differ from those of usual programs. Start it without nice and chrt.",
    "huge pages": "Memory is slower than for other programs. Start it from a process that has not called "
    "prctl(PR_SET_THP_DISABLE).",
    "environment": "They change what is measured. Unset them, unless that is what you measure.",
}


def checks_before(most_workers: int, machine: Machine | None = None) -> list[Check]:
    """All checks but those below, in a fixed order; none is ever left out. Takes a fifth of a second
    on a machine that was busy in the last minute."""
    where = machine or Machine()
    return [_graded(e, look(where, most_workers), _ADVICE[e]) for e, look in _LOOKS.items()]


def steal_time_between(
    before: Ticks | None, after: Ticks | None, is_resumed: bool = False
) -> Check:
    """Whether another guest had the processors while it was measured; of a resumed experiment, only
    since the resumption."""
    seen = None
    if before is not None and after is not None and after.all > before.all:
        part = (after.stolen - before.stolen) / (after.all - before.all)
        when = "Since the measurement was resumed" if is_resumed else "During the measurement"
        how_much = f"{100 * part:.2f} % of the processors' time was stolen by the hypervisor."
        seen = _Finding(part <= _MOST_STOLEN, f"{when} {how_much}")
    return _graded(
        "steal time",
        seen,
        "Other guests of the host used it, which makes times longer. Repeat the measurement when the "
        "host is less busy.",
    )


def processors_during(lost: Sequence[str] | None) -> Check:
    """Whether benchmarks had all the processors that they wanted: the names of those that had not;
    None where the system does not say."""
    seen = None
    if lost is not None and not lost:
        seen = _Finding(
            True, "No benchmark waited for a processor for more than a tenth of its workers' time."
        )
    elif lost:
        waited = "waited for a processor for more than a tenth of the workers' time"
        seen = _Finding(
            False, f"{counted(len(lost), 'benchmark')} {waited}: {joined(lost, _MOST_NAMED)}."
        )
    return _graded(
        "processors",
        seen,
        "Other programs had it, or there are fewer processors than workers, so these times are too "
        "long. Stop the other programs, and measure again.",
    )


def warnings_in(checks: Sequence[Check]) -> list[str]:
    """A line for each warning among the checks, and one that names what is unknown."""
    lines = [f"Warning: {e['check']}: {e['detail']}" for e in checks if e["status"] == "warn"]
    unknown = [each["check"] for each in checks if each["status"] == "unknown"]
    if unknown:
        names = ", ".join(unknown)
        lines.append(f"Not checked, because the operating system does not report it: {names}")
    return lines


def wait_until_calm(
    longest_s: float, say: Callable[[str], None], machine: Machine | None = None
) -> None:
    """Waits until programs use less than half a processor, but not for longer than `longest_s`, and
    says so. Not where the system does not say."""
    where = machine or Machine()
    busy = where.busy_processors(_WINDOW_S)
    looks = 1
    if busy is not None and busy >= _MOST_WHEN_CALM:
        most = f"{longest_s:g} s at most"
        say(f"Programs use {busy:.2f} processors. Waiting until they stop, {most}")
    while busy is not None and busy >= _MOST_WHEN_CALM and looks * _WINDOW_S < longest_s - 1e-9:
        busy = where.busy_processors(_WINDOW_S)
        looks += 1
    if busy is not None:
        end = "the machine is calm" if busy < _MOST_WHEN_CALM else "measuring all the same"
        say(f"After {looks * _WINDOW_S:.1f} s programs use {busy:.2f} processors: {end}")
