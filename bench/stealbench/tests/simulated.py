"""Simulated raw files that tests make up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stealbench.tests.conftest import Line, experiment, failed, raw_of
from stealbench.rawfile import RawFile

PROFILE = {
    "name": "reference",
    "processor": "A processor",
    "date": "2026-11-22",
    "measured": True,
    "source": "stealbench calibrate",
    "costs": {"transfer_ns": 90.0, "jitter": 0.2},
    "accuracy": None,
}
SHARES = {"work": 0.5, "overhead": 0.25, "search": 0.1875, "lines": 0.0625, "asleep": 0.0}


def varied(of: Line, cost: str) -> Line:
    """The same benchmark with one cost of the profile multiplied: `wake=2`."""
    return {**of, "varied": cost, "name": f"{of['name']}/vary:{cost}"} if cost else of


def simulation(of: Line, seed: int, seconds: float, **more: Any) -> Line:
    """The line of a simulation. `busy_ns` is of each worker."""
    busy = more.pop("busy_ns", None)
    if busy is not None:
        more["counters"] = {"per_worker": [{"busy_ns": busy}] * of["workers"]}
    entry = {
        "parameters": {**of["parameters"], "hidden": "default"},
        "workers": of["workers"],
        "verified": True,
        "seconds": seconds,
        "fork_count": 1000,
        "tasks_moved": 10,
        "steal_attempts": 20,
        "shares": SHARES,
        "lines": [],
        "unit_from": "this instance",
        **more,
    }
    return {
        "type": "process",
        "cell": of["name"],
        "round": seed,
        "spent_seconds": 1,
        "simulation": entry,
    }


def simulated_lines(
    times: Sequence[tuple[Line, Sequence[float] | str, dict[str, Any]]],
    workers: Sequence[int],
    **about: Any,
) -> list[Line]:
    """Times by seed, or a reason; then what each simulation says more."""
    about = {"profile": PROFILE, "workers": list(workers), **about}
    settings = {"seeds": 6}
    cells = [of for of, _, _ in times]
    lines = [experiment(cells, "simulate", about=about, baseline="itself", settings=settings)]
    lines.append({"type": "context", "context": {"commit": "0123456789ab"}})
    for of, row, more in times:
        if isinstance(row, str):
            lines.append(failed(of, row))
            continue
        lines += [simulation(of, seed, value, **more) for seed, value in enumerate(row, 1)]
    lines.append({"type": "finished", "spent_seconds": 1, "host_checks": []})
    return lines


def simulated(times: Any, workers: Sequence[int], **about: Any) -> RawFile:
    """What is read of these lines; of a pair no simulation says more."""
    rows = [(*row, {}) if len(row) == 2 else row for row in times]
    raw: RawFile = raw_of(simulated_lines(rows, workers, **about))
    return raw
