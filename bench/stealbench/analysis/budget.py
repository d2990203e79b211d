"""Where the time of all workers went, by the prices of what they did."""

from __future__ import annotations

from typing import Any

import pandas

from stealbench.figures import Figures
from stealbench.report.parts import counter_of

PARTS = {
    "wake-ups": "wake_ups_ns",
    "steals": "steals_ns",
    "waiting": "waiting_ns",
    "idle": "idle_ns",
    "inflation": "inflation_ns",
}
"""What only more than one worker have, by the name that tables show."""

WAITED = "waited for processors"


def budgets_of(figures: Figures) -> pandas.DataFrame:
    """A row for each benchmark that has finished, but serial, and of whose scheduler one worker has.

    All in nanoseconds of all workers, in the fastest round: what slows a process down by chance is
    neither work nor a price. `total_ns`: P · T_P; `alone_ns`: T1 of the scheduler; `work_ns`: Ts;
    `tasks_ns`: tasks × the price of one, which another instance of the workload has shown;
    `wake_ups_ns`, `steals_ns`: their numbers × their prices; `waiting_ns`: other time on a
    processor without a task; `idle_ns`: without a processor; `inflation_ns`: by how much T1 is
    longer while the other processors are busy. None with one worker, and where the scheduler does
    not count. `to_explain_ns`: T1 - Ts with one worker, P · T_P - T1 with more; `unexplained_ns`,
    the rest of P · T_P; `explained`, the part of what is to be explained: None where that is not
    told apart from 0, and where there is a `doubt`, such as WAITED.
    """
    about = figures.raw.header["about"]
    serial = _find(figures, "serial", 1)
    rows = []
    for cell in figures.times:
        scheduler = str(figures.table.at[cell, "scheduler"])
        alone = _find(figures, scheduler, 1)
        if cell == serial or serial is None or alone is None:
            continue
        prices = (about.get("prices") or {}).get(scheduler) or {}
        total = figures.table.at[cell, "workers"] * _fastest(figures, cell, "seconds")
        row: dict[str, Any] = {
            "scheduler": scheduler,
            "workers": int(figures.table.at[cell, "workers"]),
            "total_ns": total,
            "alone_ns": _fastest(figures, alone, "seconds"),
            "work_ns": _fastest(figures, serial, "seconds"),
            "tasks_ns": about["recorded"]["tasks"] * (prices.get("task_ns") or 0.0),
            **dict.fromkeys(PARTS.values()),
        }
        if cell != alone:
            row |= _beyond_one(figures, cell, prices, row)
        rows.append(row | _rest_of(figures, row, cell, alone, serial))
    return pandas.DataFrame(rows, dtype=object)  # None stays None.


def _find(figures: Figures, scheduler: str, workers: int) -> str | None:
    """Serial has one worker, whatever the number in its name."""
    for cell in figures.times:
        row = figures.raw.cells[cell]
        if row.scheduler == scheduler and (row.workers == workers or scheduler == "serial"):
            return cell
    return None


def _fastest(figures: Figures, cell: str, column: str) -> float:
    """A value of the fastest round [ns]."""
    rounds = figures.rounds[figures.rounds["cell"] == cell]
    return float(rounds.loc[rounds["seconds"].idxmin(), column]) * 1e9


def _beyond_one(
    figures: Figures, cell: str, prices: dict[str, float], row: dict[str, Any]
) -> dict[str, float]:
    parts = {"idle_ns": max(0.0, row["total_ns"] - _fastest(figures, cell, "cpu_seconds"))}
    if "slowdown_beside" in prices:
        parts["inflation_ns"] = max(0.0, prices["slowdown_beside"] - 1) * row["alone_ns"]
    wall = counter_of(figures, cell, "wall_ns")
    if wall is None:
        return parts
    # Counting makes tasks longer, but not the search for them.
    workers = (figures.raw.counters[cell] or {})["per_worker"]
    not_busy = max(0.0, sum(wall - worker["busy_ns"] for worker in workers))

    def paid(counter: str, price: str) -> float:
        return (counter_of(figures, cell, counter) or 0) * (prices.get(price) or 0.0)

    idle = min(parts["idle_ns"], not_busy)
    steals = min(paid("jobs_moved", "steal_ns"), not_busy - idle)
    waiting = not_busy - idle - steals
    paid_for = {"wake_ups_ns": paid("wakes", "waker_ns"), "steals_ns": steals}
    return parts | paid_for | {"idle_ns": idle, "waiting_ns": waiting}


def _rest_of(
    figures: Figures, row: dict[str, Any], cell: str, alone: str, serial: str
) -> dict[str, Any]:
    to_explain = row["total_ns"] - (row["work_ns"] if cell == alone else row["alone_ns"])
    unexplained = row["total_ns"] - row["work_ns"] - row["tasks_ns"]
    unexplained -= sum(row[part] or 0 for part in PARTS.values())
    # The part of one worker's time that stays unexplained is not explained by more of them.
    of_one = row["alone_ns"] - row["work_ns"] - row["tasks_ns"]
    rest = unexplained - (0 if cell == alone else of_one)
    pair = {cell: (cell, serial if cell == alone else alone)}
    is_shown = figures.ratios(pair).at[cell, "low"] * row["workers"] > 1
    doubt = ""
    if figures.table.loc[[cell, alone, serial], "is_disturbed"].any():
        doubt = WAITED
    elif is_shown and abs(rest) > to_explain:
        doubt = "the prices exceed what they explain" if rest < 0 else "the prices are too low"
    explained = 1 - abs(rest) / to_explain if is_shown and not doubt else None
    return {
        "unexplained_ns": unexplained,
        "to_explain_ns": to_explain,
        "explained": explained,
        "doubt": doubt,
    }
