"""What a measurement does next: the order of a round, and whether it is enough. It starts no process and
reads no clock."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from stealbench.cell import FEWEST_ROUNDS, Cell
from stealbench.rawfile import RawFile

MOST_ROUNDS = 1000


@dataclass(frozen=True)
class StopRule:
    """When to stop: after `rounds` if there are some. Otherwise, after the fewest, as soon as half of
    the interval of every median is within the target or the budget is spent."""

    rounds: int = 0
    target_percent: float = 2
    budget_s: float = 120  # Another round begins if at least half of it would fit.


def is_enough(
    until: StopRule, rounds: int, raw: RawFile, spent_s: float = 0, last_round_s: float = 0
) -> bool:
    """Whether no round is to follow that one, which every cell has that has not failed. `spent_s`:
    since the experiment began; `last_round_s`: in the latest round that measured anything."""
    if until.rounds > 0:
        return rounds >= until.rounds
    times: dict[str, list[float]] = {name: [] for name in raw.cells if name not in raw.failures}
    # One that some cells have, too, was begun before an interruption: it is finished in any case.
    if rounds < FEWEST_ROUNDS or any(raw.rounds.get(name, 0) > rounds for name in times):
        return False
    if rounds >= MOST_ROUNDS or spent_s + last_round_s / 2 > until.budget_s:
        return True
    for row in raw.processes:
        if row["cell"] in times and row["kind"] != "counted":
            times[row["cell"]].append(row["seconds"])
    return all(_is_narrow(until.target_percent, seconds) for seconds in times.values())


def _is_narrow(percent: float, seconds: Sequence[float]) -> bool:
    from stealbench.statistics import estimate_median  # Not at the top: it takes long to load.

    if len(seconds) < FEWEST_ROUNDS:
        return False
    median, low, high = estimate_median(seconds)
    return bool(100 * (high - low) / 2 <= percent * median)


def order_of_round(number: int, raw: RawFile, randomness: random.Random) -> list[Cell]:
    """The cells that lack this round, counted from 1, in an order of its own, so that what drifts
    with time (heat, other programs) favours no scheduler. The random numbers that it draws do not
    depend on what is measured: a resumed experiment has the orders of one that was never stopped.
    """
    order = list(raw.cells)
    randomness.shuffle(order)
    lacking = (name for name in order if raw.rounds.get(name, 0) < number)
    return [raw.cells[name] for name in lacking if name not in raw.failures]


def left_to_count(raw: RawFile) -> list[Cell]:
    """Those whose run that counts is missing: the cell has not failed, and it is not known that its
    scheduler has no counters."""
    sound = [name for name in raw.cells if name not in raw.failures]
    silent = {raw.cells[name].scheduler for name in sound if raw.counters.get(name, 0) is None}
    missing = [raw.cells[name] for name in sound if name not in raw.counters]
    return [cell for cell in missing if cell.scheduler not in silent]
