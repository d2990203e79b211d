"""An invocation: a process that runs a cell. What it is given, and what is read of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stealbench.cell import Cell
from stealbench.errors import BadInput
from stealbench.process import CannotStart, Request, Result, Runner, last_line, why_ended
from stealbench.rawfile import values_of
from stealbench.shape import expect, parse, shapes

SAMPLE_MS = 150  # How long the runs of a process last together after the first.
_MOST_LISTED_WORKERS = 16  # Of more, the counters of each worker would be most of a raw file.
_NOT_THIS = "unreadable output: not the Google Benchmark JSON of this benchmark"


@dataclass(frozen=True)
class Target:
    """What one process runs: a cell, and the executable that measures or simulates it."""

    cell: Cell
    executable: Path
    is_metric: bool = False  # Whether the cell is of the cost of one operation.
    is_pinned: bool = False

    def arguments(self) -> list[str]:
        """What every run of the executable is given."""
        cell, kind = self.cell, "--metric" if self.is_metric else "--workload"
        given = [kind, cell.workload, "--size", "none", "--workers", str(cell.workers)]
        given += ["--pin"] if self.is_pinned else []
        _, colon, settings = cell.scheduler.partition(":")
        given += ["--variant", settings] if colon else []
        for key, value in cell.parameters:
            given += ["--set", f"{key}={value}"]
        return given


@dataclass(frozen=True)
class Run:
    """What one process gave. It counts if there is no failure."""

    entry: dict[str, Any] | None = None  # What it reports of the cell; None: that is not readable.
    failure: str = ""  # Why it does not count.
    context: dict[str, Any] | None = None  # As Google Benchmark wrote it; of a timed run alone.


def has_shape(value: Any, name: str) -> bool:
    """Whether it has the members that are read of it: a shape of shapes.json."""
    with suppress(BadInput):
        expect(value, shapes()[name])
        return True
    return False


def _is_sample(entry: Any, is_simulated: bool = False) -> bool:
    """Whether a raw file may have it."""
    with suppress(BadInput):
        values_of(entry, is_simulated)
        expect(entry, shapes()["process"]["simulation?"] if is_simulated else {})
        return True
    return False


def _answered(
    result: Result, printed: Any, is_whole: bool, timeout_s: float | None, of: str
) -> Run:
    """Of a process that prints one object with its answer."""
    reason = why_ended(result, timeout_s)
    if not is_whole:
        return Run(failure=reason or f"unreadable output: not the JSON of {of}")
    return Run(printed, "wrong answer" if printed.get("verified") is False else reason)


def run_once(target: Target, mode: Sequence[str], timeout_s: float | None, runner: Runner) -> Run:
    """One run in a mode: `--once` (`--counters-only`: counters alone), or `--trace FILE --events N`.
    Raises BadInput with the process's own message if it refuses its input, and as Runner."""
    result = runner.run(Request(target.executable, [*mode, *target.arguments()], timeout_s))
    if result.status == 2:
        raise BadInput(last_line(result.errors, 4096))
    printed = parse(result.output) if result.status in (0, 1) else None
    is_whole = has_shape(printed, "one run") and "answer" in printed
    return _answered(result, printed, is_whole, timeout_s, "one run")


def run_timed(
    target: Target, timeout_s: float | None, runner: Runner, sample_ms: int = SAMPLE_MS
) -> Run:
    """One process, until its runs after the first have lasted for `sample_ms`. The entry is Google
    Benchmark's, with the processor time of the process and its children."""
    # Through the pipe and not by a file: a full disk must not look like a cell that failed. One
    # iteration, after the warm-up.
    flags = ["--benchmark_format=json", "--benchmark_min_time=0", "--sample-ms", str(sample_ms)]
    try:
        result = runner.run(Request(target.executable, target.arguments() + flags, timeout_s))
    except CannotStart as error:
        return Run(failure=str(error))
    printed = parse(result.output)
    entries = printed.get("benchmarks") if isinstance(printed, dict) else None
    entry = entries[0] if isinstance(entries, list) and len(entries) == 1 else None
    said = entry if isinstance(entry, dict) else {}
    if result.status >= 0 and said.get("error_occurred") is True:
        return Run(failure=str(said.get("error_message") or "an error without a message"))
    # A process does not know its build, and Google Benchmark says in a name how it was timed.
    name = target.cell.name.removesuffix(f"/build:{target.cell.build}") + "/manual_time"
    is_of_cell = said.get("name") == name and _is_sample(said)
    if failure := why_ended(result, timeout_s) or ("" if is_of_cell else _NOT_THIS):
        return Run(failure=failure)
    context = printed.get("context")
    timed = said | {"process_cpu_seconds": result.cpu_s}
    return Run(timed, context=context if isinstance(context, dict) else {})


def simulation_of(
    target: Target, seed: int, profile: Mapping[str, Any], timeout_s: float | None
) -> Request:
    """The process that simulates the cell with a seed, on the machine of a profile."""
    given = [*target.arguments(), "--profile", "/dev/stdin", "--seed", str(seed)]
    given += ["--vary", target.cell.varied] if target.cell.varied else []
    text = json.dumps(profile, separators=(",", ":")).encode()
    most = 16 << 20  # Counters of 4096 workers are long.
    return Request(target.executable, given, timeout_s, text, most)


def read_simulation(result: Result, target: Target, seed: int, timeout_s: float | None) -> Run:
    """What it has reported: the entry is the object that it printed, without what no report shows
    and what would be most of a raw file."""
    printed, cell = parse(result.output), target.cell
    identity = {"workload": cell.workload, "workers": cell.workers, "seed": seed}
    is_whole = _is_sample(printed, is_simulated=True) and identity.items() <= printed.items()
    run = _answered(result, printed, is_whole, timeout_s, "this simulation")
    if run.failure:
        return Run(failure=run.failure)
    if cell.machine:
        printed.pop("lines", None)
    if seed > 1:  # The first seed's are kept.
        printed.pop("counters", None)
    elif cell.workers > _MOST_LISTED_WORKERS and isinstance(printed.get("counters"), dict):
        printed["counters"].pop("per_worker", None)
    return run
