"""Raw files that tests make up."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hypothesis import settings
from numpy.typing import NDArray

from stealbench.rawfile import RawFile, read_lines

# Processes that tests start find the package too, from whichever folder the tests are run.
places = [str(Path(__file__).resolve().parents[2]), os.environ.get("PYTHONPATH", "")]
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, places))

# The same examples each time, but at night; and however busy the machine is.
is_night = os.environ.get("STEALBENCH_CHAOS_SEED") == "fresh"
settings.register_profile("house", database=None, deadline=None, derandomize=not is_night)
settings.load_profile("house")

Line = dict[str, Any]
Times = Sequence[float] | NDArray[Any]


def cell(scheduler: str, workers: int = 1, workload: str = "fib", **parameters: str) -> Line:
    """A benchmark as the first line lists it."""
    parts = [workload, scheduler, *(f"{key}:{value}" for key, value in parameters.items())]
    return {
        "name": "/".join([*parts, f"workers:{workers}"]),
        "workload": workload,
        "parameters": parameters,
        "scheduler": scheduler,
        "workers": workers,
    }


def experiment(cells: Sequence[Line], name: str = "compare", **more: Any) -> Line:
    """A first line."""
    return {
        "type": "experiment",
        "format": 3,
        "experiment": name,
        "command": f"stealbench {name}",
        "date": "2026-11-22T00:00:00Z",
        "baseline": "serial",
        "settings": {},
        "about": {},
        "host_checks": [],
        "cells": list(cells),
        **more,
    }


def process(of: Line, round_number: int, seconds: float, **more: Any) -> Line:
    """The line of a process that was timed."""
    benchmark = {
        "real_time": seconds * 1e3,
        "time_unit": "ms",
        "cpu_seconds": seconds,
        "user_seconds": seconds,
        "system_seconds": 0,
        "start_up_seconds": 0.001,
        "first_run_seconds": seconds,
        "voluntary_switches": 0,
        "forced_switches": 0,
        "peak_rss_bytes": 1 << 20,
        "runs": 3,
        "fork_count": 1000,
        "worker_count": 1 if of["scheduler"] == "serial" else of["workers"],
        **more,
    }
    return {
        "type": "process",
        "cell": of["name"],
        "round": round_number,
        "spent_seconds": 1,
        "benchmark": benchmark,
    }


def failed(of: Line, reason: str) -> Line:
    """The line of a process that failed."""
    return {"type": "process", "cell": of["name"], "spent_seconds": 1, "failure": reason}


def timed(times: Sequence[tuple[Line, Times]]) -> list[Line]:
    """A line for each time, round by round."""
    longest = max(len(row) for _, row in times)
    return [
        process(of, index + 1, row[index])
        for index in range(longest)
        for of, row in times
        if index < len(row)
    ]


def text_of(lines: Sequence[object]) -> bytes:
    """A raw file."""
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def raw_of(lines: Sequence[object]) -> RawFile:
    """What is read of these lines."""
    return read_lines(io.BytesIO(text_of(lines)))


def compared(times: Mapping[tuple[str, int], Times], **parameters: str) -> RawFile:
    """A comparison: times by round, of schedulers and worker counts on fib."""
    rows = [(cell(name, workers, **parameters), row) for (name, workers), row in times.items()]
    return raw_of([experiment([of for of, _ in rows]), *timed(rows)])
