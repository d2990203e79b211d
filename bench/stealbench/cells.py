"""A cell in a process of its own: what it is given, and what is read of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stealbench.cell import Cell
from stealbench.errors import BadInput
from stealbench.process import CannotStart, Request, Result, Runner
from stealbench.rawfile import MOST_WAITING, values_of
from stealbench.shape import expect, parse, shapes

SAMPLE_MS = 150  # How long the runs of a process last together after the first.
_MOST_IN_TABLE = 240  # Bytes of what a process says last.
_MOST_IN_MESSAGE = 4096
_MOST_LISTED_WORKERS = 16  # Of more, the counters of each worker would be most of a raw file.
_NO_MESSAGE = "an error without a message"
_ONCE_KEYS = "workload scheduler workers parameters answer verified time_ns counters".split()


@dataclass(frozen=True)
class Target:
    """What one process runs: a cell, and the executable that measures or simulates it."""

    cell: Cell
    executable: Path
    is_metric: bool = False  # Whether the cell is of the cost of one operation.
    is_pinned: bool = False

    def arguments(self) -> list[str]:
        """What every run of the executable is given."""
        cell = self.cell
        kind = "--metric" if self.is_metric else "--workload"
        given = [kind, cell.workload, "--size", "none", "--workers", str(cell.workers)]
        if self.is_pinned:
            given.append("--pin")
        _, colon, settings = cell.scheduler.partition(":")
        if colon:
            given += ["--variant", settings]
        for key, value in cell.parameters:
            given += ["--set", f"{key}={value}"]
        return given


@dataclass(frozen=True)
class Run:
    """What one process gave. It counts if there is no failure."""

    entry: dict[
        str, Any
    ] | None = None  # What it reports of the cell; None if that is not readable.
    failure: str = ""  # Why it does not count.
    context: dict[str, Any] | None = None  # As Google Benchmark wrote it; of a timed run alone.


def is_sample(entry: Any, is_simulated: bool = False) -> bool:
    """Whether a raw file may have it."""
    try:
        values_of(entry, is_simulated)
        if is_simulated:
            expect(entry, shapes()["process"]["simulation?"])
    except BadInput:
        return False
    return True


def lost_processor(sample: Mapping[str, float]) -> bool:
    """Whether its threads were ready and waited for a processor for more than a tenth of its
    workers' time. False where the system does not say."""
    return sample.get("waiting_threads", 0.0) > MOST_WAITING * sample["worker_count"]


def last_line(text: bytes, most_bytes: int) -> str:
    """The last line that is not blank; what is no UTF-8 is replaced."""
    return text.rstrip(b" \t\r\n").rpartition(b"\n")[2][:most_bytes].decode("utf-8", "replace")


def why_ended(result: Result, timeout_s: float | None) -> str:
    """How a process ended and, where it has said something, its last words; empty if it ended
    well."""
    if result.how == "exited" and result.status == 0:
        return ""
    reason = result.ending
    if result.how == "timed out" and timeout_s is not None:
        reason += f" after {timeout_s:g} s"
    words = last_line(result.errors, _MOST_IN_TABLE) if result.how == "exited" else ""
    return f"{reason}: {words}" if words else reason


def _printed_by(result: Result) -> Any:
    return None if result.output_was_cut else parse(result.output)


def _answered(printed: Any, is_whole: bool, reason: str, expected: str) -> Run:
    """Of a process that prints one object with its answer."""
    if not is_whole:
        return Run(failure=reason or f"unreadable output: not the JSON of {expected}")
    is_wrong = printed.get("verified") is False
    return Run(printed, "wrong answer" if is_wrong else reason)


def _is_once_report(report: Any) -> bool:
    if not isinstance(report, dict) or not all(key in report for key in _ONCE_KEYS):
        return False
    verified, time_ns, counters = (report[key] for key in ("verified", "time_ns", "counters"))
    return (
        (verified is None or isinstance(verified, bool))
        and (time_ns is None or type(time_ns) in (int, float))
        and (counters is None or isinstance(counters, dict))
    )


def run_once(target: Target, mode: Sequence[str], timeout_s: float | None, runner: Runner) -> Run:
    """One run in a mode: `--once` (with `--counters-only`: counters alone), or `--trace FILE
    --events N`. Raises BadInput with the process's own message if it refuses its input, Interrupted,
    and CannotStart."""
    result = runner.run(Request(target.executable, [*mode, *target.arguments()], timeout_s))
    if result.how == "exited" and result.status == 2:
        raise BadInput(last_line(result.errors, _MOST_IN_MESSAGE))
    has_crashed = result.how != "exited" or result.status > 1
    printed = None if has_crashed else _printed_by(result)
    return _answered(printed, _is_once_report(printed), why_ended(result, timeout_s), "one run")


def run_timed(
    target: Target, timeout_s: float | None, runner: Runner, sample_ms: int = SAMPLE_MS
) -> Run:
    """Runs until the runs after the first have lasted for `sample_ms`. The entry is Google
    Benchmark's, with the processor time of the process and its children. Raises Interrupted, and
    CannotStart if no program can be started at all."""
    # Through the pipe and not by a file: a full disk must not look like a cell that failed. One
    # iteration, after the warm-up.
    flags = ["--benchmark_format=json", "--benchmark_min_time=0", "--sample-ms", str(sample_ms)]
    try:
        result = runner.run(Request(target.executable, target.arguments() + flags, timeout_s))
    except CannotStart as error:
        if error.is_shortage:
            raise
        return Run(failure=str(error))
    printed = _printed_by(result)
    entries = printed.get("benchmarks") if isinstance(printed, dict) else None
    entry = entries[0] if isinstance(entries, list) and len(entries) == 1 else None
    said = entry if isinstance(entry, dict) else {}
    if result.how == "exited" and said.get("error_occurred") is True:
        message = said.get("error_message")
        return Run(failure=message if isinstance(message, str) and message else _NO_MESSAGE)
    if reason := why_ended(result, timeout_s):
        return Run(failure=reason)
    # A process does not know its build, and Google Benchmark says in a name how it was timed.
    name = target.cell.name.removesuffix(f"/build:{target.cell.build}") + "/manual_time"
    if said.get("name") != name or not is_sample(said):
        return Run(failure="unreadable output: not the Google Benchmark JSON of this benchmark")
    context = printed.get("context")
    return Run(
        said | {"process_cpu_seconds": result.cpu_s},
        context=context if isinstance(context, dict) else {},
    )


def simulation_of(
    target: Target, seed: int, profile: Mapping[str, Any], timeout_s: float | None
) -> Request:
    """The process that simulates the cell with a seed, on the machine of a profile."""
    given = [*target.arguments(), "--profile", "/dev/stdin", "--seed", str(seed)]
    if target.cell.varied:
        given += ["--vary", target.cell.varied]
    text = json.dumps(profile, separators=(",", ":")).encode()
    most = 16 << 20  # Counters of 4096 workers are long.
    return Request(target.executable, given, timeout_s, text, most)


def read_simulation(result: Result, target: Target, seed: int, timeout_s: float | None) -> Run:
    """What it has reported: the entry is the object that it printed, without what no report shows
    and what would be most of a raw file."""
    printed = _printed_by(result)
    cell = target.cell
    is_whole = is_sample(printed, is_simulated=True) and (
        (printed.get("workload"), printed["workers"], printed.get("seed"))
        == (cell.workload, cell.workers, seed)
    )
    run = _answered(printed, is_whole, why_ended(result, timeout_s), "this simulation")
    if run.failure:
        return Run(failure=run.failure)
    if cell.machine:
        printed.pop("lines", None)
    if seed > 1:  # The first seed's are kept.
        printed.pop("counters", None)
    elif cell.workers > _MOST_LISTED_WORKERS and isinstance(printed.get("counters"), dict):
        printed["counters"].pop("per_worker", None)
    return run
