"""Where the time of all workers went, by the prices of what they did."""

from __future__ import annotations

from typing import Any

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


def budgets_of(figures: Figures) -> list[dict[str, Any]]:
    """A row for each benchmark that has finished, but serial, and of whose scheduler one worker has.

    All in nanoseconds of all workers, in the fastest round: what slows a process down by chance is
    neither work nor a price. `total_ns`: P · T_P; `work_ns`: Ts; `tasks_ns`: tasks × the price of
    one, which another instance of the workload has shown; `wake_ups_ns`, `steals_ns`: their numbers
    × their prices; `waiting_ns`: other time on a processor without a task; `idle_ns`: without a
    processor; `inflation_ns`: by how much T1 is longer while the other processors are busy. None
    with one worker, and where the scheduler does not count. `to_explain_ns`: T1 - Ts with one
    worker, P · T_P - T1 with more; `unexplained_ns`, the rest of P · T_P; `explained`, the part of
    what is to be explained: None where that is not told apart from 0, and where there is a `doubt`,
    such as WAITED.
    """
    about, cells = figures.raw.header["about"], figures.cells
    fastest = figures.rounds.sort_values("seconds", kind="stable").drop_duplicates("cell")
    in_ns = fastest.set_index("cell")[["seconds", "cpu_seconds"]] * 1e9
    finished = cells.loc[list(figures.times)]
    # Serial has one worker, whatever the number in its name.
    alone = finished[(finished["workers"] == 1) | (finished["scheduler"] == "serial")]
    alone_of = alone.reset_index().drop_duplicates("scheduler").set_index("scheduler")["cell"]
    serial = alone_of.get("serial")
    rows = []
    for cell, scheduler in finished["scheduler"].items():
        one = alone_of.get(scheduler)
        if serial in (None, cell) or one is None:
            continue
        prices = (about.get("prices") or {}).get(scheduler) or {}
        workers = int(cells.at[cell, "workers"])
        of_one, work = in_ns.at[one, "seconds"], in_ns.at[serial, "seconds"]
        row: dict[str, Any] = {"scheduler": scheduler, "workers": workers}
        row |= {"total_ns": workers * in_ns.at[cell, "seconds"], "work_ns": work}
        row["tasks_ns"] = about["recorded"]["tasks"] * (prices.get("task_ns") or 0.0)
        row |= dict.fromkeys(PARTS.values())
        if cell != one:
            idle = max(0.0, row["total_ns"] - in_ns.at[cell, "cpu_seconds"])
            row |= _beyond_one(figures, str(cell), prices, idle, of_one)
        row["to_explain_ns"] = row["total_ns"] - (work if cell == one else of_one)
        spent = row["tasks_ns"] + sum(row[part] or 0 for part in PARTS.values())
        row["unexplained_ns"] = row["total_ns"] - work - spent
        # The part of one worker's time that stays unexplained is not explained by more of them.
        rest = row["unexplained_ns"] - (0 if cell == one else of_one - work - row["tasks_ns"])
        ratio = figures.ratios({"": (str(cell), serial if cell == one else one)})
        is_shown = ratio["low"].iloc[0] * workers > 1
        row["explained"], row["doubt"] = None, ""
        if cells.loc[[cell, one, serial], "is_disturbed"].any():
            row["doubt"] = WAITED
        elif is_shown and abs(rest) > row["to_explain_ns"]:
            row["doubt"] = "the prices exceed what they explain" if rest < 0 else ""
            row["doubt"] = row["doubt"] or "the prices are too low"
        elif is_shown:
            row["explained"] = 1 - abs(rest) / row["to_explain_ns"]
        rows.append(row)
    return rows


def _beyond_one(
    figures: Figures, cell: str, prices: dict[str, float], idle: float, of_one: float
) -> dict[str, float]:
    parts = {"idle_ns": idle}
    if "slowdown_beside" in prices:
        parts["inflation_ns"] = max(0.0, prices["slowdown_beside"] - 1) * of_one
    wall = counter_of(figures, cell, "wall_ns")
    if wall is None:
        return parts
    # Counting makes tasks longer, but not the search for them.
    workers = (figures.raw.counters[cell] or {})["per_worker"]
    not_busy = max(0.0, sum(wall - worker["busy_ns"] for worker in workers))
    wake_ups, moved = (counter_of(figures, cell, name) or 0 for name in ("wakes", "jobs_moved"))
    parts["idle_ns"] = min(idle, not_busy)
    parts["wake_ups_ns"] = wake_ups * (prices.get("waker_ns") or 0.0)
    rest = not_busy - parts["idle_ns"]
    parts["steals_ns"] = min(moved * (prices.get("steal_ns") or 0.0), rest)
    return parts | {"waiting_ns": rest - parts["steals_ns"]}
