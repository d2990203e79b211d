"""What the operating system says of this machine, and of what this process may use of it."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MOST_WORKERS = 1024  # That a scheduler may have.


def first_line(file: Path, beginning: str = "") -> str | None:
    """The first line of a file that begins so; None if there is none or it cannot be read."""
    try:
        with open(file, encoding="utf-8", errors="replace") as lines:
            return next((line.rstrip("\n") for line in lines if line.startswith(beginning)), None)
    except OSError:
        return None


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
        cpu = self.sys / "devices/system/cpu"
        topologies = (cpu / f"cpu{each}/topology/thread_siblings_list" for each in self.allowed)
        siblings = set(map(first_line, topologies))
        return 0 if None in siblings else len(siblings)

    def processor(self) -> str:
        """Its model, as in `Z80 (family 26, model 2)`; `unknown` where the system does not say."""
        keys = "model name", "cpu family", "model\t"  # A tab: the line of the name begins so too.
        lines = (first_line(self.proc / "cpuinfo", key) or "" for key in keys)
        name, family, model = (line.partition(": ")[2] for line in lines)
        return f"{name} (family {family}, model {model})" if family else name or "unknown"

    def memory_nodes(self) -> int:
        """NUMA nodes that have one of the processors; 0: not known."""
        cpu = self.sys / "devices/system/cpu"
        nodes = {node for each in self.allowed for node in cpu.glob(f"cpu{each}/node[0-9]*")}
        # A kernel without NUMA has none.
        return len({node.name for node in nodes}) or min(1, self.cores())

    def _limits(self, *files: str) -> list[list[float]]:
        """The numbers in these files of this process's control group, and of those above (version 2);
        none of the word `max`."""
        own = (first_line(self.proc / "self/cgroup", "0::/") or "0::/").removeprefix("0::/")
        group, found = self.sys / "fs/cgroup" / own, list[list[float]]()
        for file in (above / file for above in (group, *group.parents) for file in files):
            words = (first_line(file) or "max").split()
            found += [[float(word) for word in words]] if "max" not in words else []
        return found

    def processor_quota(self) -> float | None:
        """Processors' worth of time that control groups leave; None without a limit."""
        return min((spent / period for spent, period in self._limits("cpu.max")), default=None)

    def processors(self) -> float:
        """Those that the process may use, as far as its control groups leave it time for them."""
        return min(float(len(self.allowed)), self.processor_quota() or math.inf)

    def usable_processors(self) -> int:
        """The whole ones of them: at least 1, and at most as many as a scheduler has workers."""
        return max(1, min(MOST_WORKERS, math.floor(self.processors())))

    def busy_processors(self, window_s: float) -> float | None:
        """The processors that programs use in the next seconds, this one asleep."""
        before = ticks()
        self.sleep(window_s)
        shares = shares_between(before, ticks())
        return self.installed * (1 - shares[1]) if shares else None

    def memory_limit(self) -> float | None:
        """Bytes that control groups leave; None without a limit."""
        limits = self._limits("memory.max", "memory.high")
        return min((number for numbers in limits for number in numbers), default=None)


def ticks() -> Any:
    """Seconds of all processors by what they did; None where the system does not say."""
    import psutil  # Not at the top: `list` needs nothing of it.

    with suppress(OSError):
        return psutil.cpu_times()


def shares_between(before: Any, after: Any) -> tuple[float, float] | None:
    """Of the processors' time between two readings of `ticks`, what another guest of the same host
    had, and what no program here. None if no time has passed."""
    if before is None or after is None:
        return None
    names = "steal idle iowait user nice system irq softirq".split()  # A guest's are in `user`.
    stolen, *rest = spent = [getattr(after, name) - getattr(before, name) for name in names]
    whole = sum(spent)
    return (stolen / whole, (stolen + sum(rest[:2])) / whole) if whole > 0 else None
