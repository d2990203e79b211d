"""What the operating system says of this machine, and of what this process may use of it."""

from __future__ import annotations

import itertools
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


def _numbers_in(group: Path, files: str) -> list[float]:
    """None of the word `max`."""
    words = " ".join(first_line(group / file) or "" for file in files.split()).split()
    return [float(word) for word in words if word.lstrip("-").isdecimal()]


def _quota_in(group: Path) -> list[float]:
    # Of version 2, and of version 1.
    both = _numbers_in(group, "cpu.max cpu.cfs_quota_us cpu.cfs_period_us")
    return [both[0] / both[1]] if len(both) == 2 and min(both) > 0 else []


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

    def _limits(self, controller: str, limits_in: Callable[[Path], list[float]]) -> list[float]:
        """Of this process's control groups that have the controller, and of those above; version 2
        has one hierarchy for all controllers."""
        root, limits = self.sys / "fs/cgroup", list[float]()
        try:
            text = (self.proc / "self/cgroup").read_text(errors="surrogateescape")
        except OSError:
            return []
        for line in text.splitlines():  # `NUMBER:CONTROLLERS:PATH`; version 2 names no controller.
            _, controllers, own = [*line.split(":", 2), "", ""][:3]
            if not controllers or controller in controllers.split(","):
                # The folder of several controllers may name them in another order; it has links.
                for hierarchy in {controllers, controllers and controller}:
                    path = root / hierarchy / own.lstrip("/")
                    groups = (e for e in (path, *path.parents) if e.is_relative_to(root))
                    limits += itertools.chain(*map(limits_in, groups))
        return limits

    def processor_quota(self) -> float | None:
        """Processors' worth of time that control groups leave; None without a limit."""
        return min(self._limits("cpu", _quota_in), default=None)

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
        """Bytes that control groups leave, if less than the machine has."""
        import psutil

        files = "memory.max memory.high memory.limit_in_bytes"
        limits = self._limits("memory", lambda group: _numbers_in(group, files))
        least = min(limits, default=math.inf)
        return least if least < psutil.virtual_memory().total else None


def ticks() -> Any:
    """Seconds of all processors since the system began, by what they did; None where the system does
    not say."""
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
