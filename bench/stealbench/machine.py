"""What the operating system's files say of this machine, and of what this process may use of it."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

MOST_WORKERS = 1024  # That a scheduler may have.


def first_line(file: Path, beginning: str = "") -> str | None:
    """The first line of a file that begins so; None if there is none or it cannot be read."""
    try:
        with open(file, encoding="utf-8", errors="replace") as lines:
            return next((e.rstrip("\n") for e in lines if e.startswith(beginning)), None)
    except OSError:
        return None


def numbers_in(file: Path, beginning: str = "") -> list[float]:
    """The numbers behind the beginning of that line, up to a word that is none."""
    numbers: list[float] = []
    for word in (first_line(file, beginning) or "").removeprefix(beginning).split():
        try:
            numbers.append(float(word))
        except ValueError:
            break
    return numbers


def number_in(file: Path, beginning: str = "") -> float | None:
    """The first of them; None if there is none."""
    numbers = numbers_in(file, beginning)
    return numbers[0] if numbers else None


def _members(text: str) -> set[int]:
    """`0-2,5` as a set."""
    members: set[int] = set()
    for part in filter(None, text.split(",")):
        least, _, most = part.partition("-")
        members.update(range(int(least), int(most or least) + 1))
    return members


@dataclass(frozen=True)
class Machine:
    """Where the system shows itself, and how time passes; otherwise for tests. Processors that this
    process may use, by its affinity, and those that the machine has."""

    sys: Path = Path("/sys")
    proc: Path = Path("/proc")
    allowed: frozenset[int] = field(default_factory=lambda: frozenset(os.sched_getaffinity(0)))
    installed: int = field(default_factory=lambda: os.cpu_count() or 1)
    sleep: Callable[[float], None] = time.sleep

    def cores(self) -> int:
        """Cores of which the process may use a hardware thread; 0: not known."""
        siblings = {
            first_line(self.sys / f"devices/system/cpu/cpu{each}/topology/thread_siblings_list")
            for each in self.allowed
        }
        return 0 if None in siblings else len(siblings)

    def memory_nodes(self) -> int:
        """NUMA nodes that have one of the processors; 0: not known."""
        folder = self.sys / "devices/system/node"
        if not folder.exists():  # A kernel without NUMA.
            return 1 if self.cores() > 0 else 0
        nodes = [first_line(node / "cpulist") for node in folder.glob("node[0-9]*")]
        return sum(bool(self.allowed & _members(each)) for each in nodes if each is not None)

    def least_in_groups(
        self, controller: str, limit_in: Callable[[Path], float | None]
    ) -> float | None:
        """The least limit in the folders of the control groups of this process that have the
        controller, those above its own included; version 2 has one hierarchy for all controllers.
        None without a limit."""
        limits: list[float] = []
        root = self.sys / "fs/cgroup"
        try:
            text = (self.proc / "self/cgroup").read_text(errors="surrogateescape")
        except OSError:
            return None
        for line in text.split("\n"):  # `NUMBER:CONTROLLERS:PATH`; version 2 names no controller.
            number, controllers, own = [*line.split(":", 2), "", ""][:3]
            if not number or controllers and controller not in controllers.split(","):
                continue
            # The folder of several controllers may name them in another order, and has links to it.
            has_link = controllers and (root / controller).exists()
            folder = root / (controller if has_link else controllers)
            path = Path(own.lstrip("/"))
            for group in [path, *path.parents]:
                limit = limit_in(folder / group)
                if limit is not None:
                    limits.append(limit)
        return min(limits, default=None)

    def processors(self) -> float:
        """Those that the process may use, as far as its control groups leave it time for them."""
        return min(float(len(self.allowed)), self.processor_quota() or math.inf)

    def processor_quota(self) -> float | None:
        """Processors' worth of time that control groups leave; None without a limit."""
        return self.least_in_groups("cpu", _quota_in)

    def usable_processors(self) -> int:
        """The whole ones of them: at least 1, and at most as many as a scheduler has workers."""
        return max(1, min(MOST_WORKERS, math.floor(self.processors())))

    def ticks(self) -> Ticks | None:
        """None where the system does not say."""
        # user nice system idle iowait irq softirq steal: what a guest uses is in the first two, too.
        ticks = numbers_in(self.proc / "stat", "cpu ")[:8]
        return Ticks(ticks[3] + ticks[4], ticks[7], sum(ticks)) if len(ticks) == 8 else None

    def busy_processors(self, window_s: float) -> float | None:
        """The processors that programs use in the next seconds, this one asleep."""
        before = self.ticks()
        self.sleep(window_s)
        after = self.ticks()
        if before is None or after is None or after.all <= before.all:
            return None
        unused = after.idle - before.idle + after.stolen - before.stolen
        return self.installed * (1 - unused / (after.all - before.all))

    def memory_limit(self) -> float | None:
        """Bytes that control groups leave, if less than the machine has."""
        least = self.least_in_groups("memory", _memory_limit_in)
        installed_kib = number_in(self.proc / "meminfo", "MemTotal:")
        is_less = least is not None and installed_kib is not None and least < 1024 * installed_kib
        return least if is_less else None


@dataclass(frozen=True)
class Ticks:
    """Time of all processors since the system began, in its own ticks."""

    idle: float  # Of it, what no program had.
    stolen: float  # Of it, what another guest of the same host had.
    all: float


def _quota_in(group: Path) -> float | None:
    both = numbers_in(group / "cpu.max")
    if first_line(group / "cpu.max") is None:  # Version 1.
        both = [*numbers_in(group / "cpu.cfs_quota_us"), *numbers_in(group / "cpu.cfs_period_us")]
    return both[0] / both[1] if len(both) == 2 and min(both) > 0 else None


def _memory_limit_in(group: Path) -> float | None:
    files = ("memory.max", "memory.high", "memory.limit_in_bytes")
    limits = [number_in(group / file) for file in files]  # None of the word `max`.
    return min((each for each in limits if each is not None), default=None)
