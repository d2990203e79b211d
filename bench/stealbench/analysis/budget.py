"""Where the time of all workers went, by the prices of what they did."""

from __future__ import annotations

from typing import Any

from stealbench.figures import Figures
from stealbench.report.parts import counter_of

PARTS = ("wake-ups", "steals", "waiting", "idle")  # What only more than one worker have.
WAITED = "waited for processors"


def budgets_of(figures: Figures) -> list[dict[str, Any]]:
    """A row for each benchmark but serial that has finished, if serial has.

    All in ns of all workers, in the fastest round: what slows a process down by chance is neither
    work nor a price. `total_ns`: P · T_P; `work_ns`: Ts; `tasks_ns`, `wake_ups_ns`, `steals_ns`:
    their numbers × their prices; `waiting_ns`: other time on a processor without a task; `idle_ns`:
    without a processor. None with one worker, and where the scheduler does not count.
    `to_explain_ns`: P · T_P - Ts; `unexplained_ns`: the part of it that is no other; `explained`:
    the rest of it as a part, None where it is not told apart from 0, or there is a `doubt`.
    """
    about, cells, rows = figures.raw.header["about"], figures.cells, list[dict[str, Any]]()
    fastest = figures.rounds.sort_values("seconds", kind="stable").drop_duplicates("cell")
    fastest = fastest.set_index("cell")
    finished = cells.loc[list(figures.times)]
    serial = next(iter(finished.index[finished["scheduler"] == "serial"]), None)
    for cell in finished.index if serial else ():
        scheduler, workers = cells.at[cell, "scheduler"], int(cells.at[cell, "worker_count"])
        prices = (about.get("prices") or {}).get(scheduler) or {}
        work, time = (fastest.at[of, "seconds"] * 1e9 for of in (serial, cell))
        row = {"scheduler": scheduler, "workers": workers, "total_ns": workers * time}
        parts = {"work_ns": work, "tasks_ns": about["recorded"]["tasks"] * prices.get("task_ns", 0)}
        parts |= {f"{part.replace('-', '_')}_ns": None for part in PARTS}
        if workers > 1:
            off_processor_ns = row["total_ns"] - fastest.at[cell, "cpu_seconds"] * 1e9
            parts |= _beyond_one(figures, str(cell), prices, max(0.0, off_processor_ns))
        to_explain = row["total_ns"] - work
        unexplained = row["total_ns"] - sum(part or 0 for part in parts.values())
        row |= {**parts, "to_explain_ns": to_explain, "unexplained_ns": unexplained}
        row |= {"explained": None, "doubt": ""}
        if cells.loc[[cell, serial], "is_disturbed"].any():
            row["doubt"] = WAITED
        elif figures.ratios({"": (str(cell), str(serial))})["low"].iloc[0] * workers > 1:
            row["explained"] = 1 - abs(unexplained) / to_explain
            if row["explained"] < 0:
                row |= {"explained": None, "doubt": "the prices exceed what they explain"}
        rows += [row] if cell != serial else []
    return rows


def _beyond_one(figures: Figures, cell: str, prices: Any, idle: float) -> dict[str, float]:
    """`idle`: without a processor when it was timed."""
    if (wall := counter_of(figures, cell, "wall_ns")) is None:
        return {"idle_ns": idle}
    # Counting makes tasks longer, but not the search for them.
    workers = (figures.raw.counters[cell] or {})["per_worker"]
    not_busy = max(0.0, sum(wall - worker["busy_ns"] for worker in workers))
    wake_ups, moved = (counter_of(figures, cell, name) or 0 for name in ("wakes", "jobs_moved"))
    idle = min(idle, not_busy)
    steals = min(moved * prices.get("steal_ns", 0), not_busy - idle)
    waiting, waking = not_busy - idle - steals, wake_ups * prices.get("waker_ns", 0)
    return {"idle_ns": idle, "steals_ns": steals, "waiting_ns": waiting, "wake_ups_ns": waking}
